"""What a phone's form asks, and in which words: nothing that only a command has a use for."""

from __future__ import annotations

import pytest
from tests.serve.test_people_offered import SAMPLES, forms_of, offered

from affray.core.parser.errors import Refused
from affray.core.rules.proposals import require_possible
from affray.serve.forms import compose_command, proposal_forms
from affray.store.open_encounter import OpenEncounter


def labels_of(name: str, character: str) -> dict[str, str]:
    return {
        f"{f.id}/{each.name}": each.label for f in forms_of(name, character) for each in f.fields
    }


def test_words_that_stand_between_others_are_not_offered() -> None:
    rows = offered(forms_of("ash-road/the-black-cart", "teasel"), "text")
    assert rows["do:use/item"] == []


def test_an_end_is_offered_whole_and_can_be_sent() -> None:
    path = SAMPLES / "kiln-road/encounters/the-ninth-kiln.toml"
    fight = OpenEncounter.view(path)
    rows = offered(proposal_forms(fight.history, fight.ruleset, "maud"), "choice")
    assert rows["say:aura/until"] == [
        "until the start of my next turn",
        "until the end of my next turn",
        "until removed",
        "until freed",
        "until a rest",
        "until the fight is over",
        "until it is used",
    ]
    for word, says in (("end", "until end of maud"), ("fight", "until fight")):
        answers: dict[str, str | list[str]] = {"name": "Smoke", "until": word}
        line = compose_command(fight.history, fight.ruleset, "maud", "say:aura", answers)
        assert says in line
        require_possible(fight.history, fight.ruleset, line)


@pytest.mark.parametrize(
    ("name", "character", "field", "label"),
    [
        ("drowned-vale/the-sluice-gate", "ilse", "do:cast/ap", "AP"),
        ("drowned-vale/the-sluice-gate", "ilse", "do:strike/dc", "DC"),
        ("kiln-road/the-ninth-kiln", "odo", "do:attack/targets", "target"),
        ("kiln-road/the-ninth-kiln", "odo", "do:unnerve/targets", "targets"),
    ],
)
def test_a_label_is_what_the_players_call_it(
    name: str, character: str, field: str, label: str
) -> None:
    assert labels_of(name, character)[field] == label


@pytest.mark.parametrize(
    ("name", "character"),
    [("kiln-road/the-ninth-kiln", "odo"), ("winter-term/the-frozen-conservatory", "cato")],
)
def test_nothing_is_offered_twice(name: str, character: str) -> None:
    for where, labels in offered(forms_of(name, character), "choice").items():
        assert len(set(labels)) == len(labels), where


def in_turn(name: str, character: str) -> OpenEncounter:
    """A sample fight at a character's turn, in memory alone."""
    campaign, _, encounter = name.partition("/")
    fight = OpenEncounter.view(SAMPLES / campaign / "encounters" / f"{encounter}.toml")
    while fight.state.turn != character:
        fight.do_in_memory("next")
    return fight


@pytest.mark.parametrize(
    ("name", "character", "form", "field", "is_due"),
    [
        ("kiln-road/the-ninth-kiln", "odo", "do:power Last Cart Home", "targets", True),
        ("ash-road/the-black-cart", "mira", "do:cast", "at", False),
    ],
)
def test_whom_an_attack_is_on_is_due_and_whom_a_spell_may_be_on_is_not(
    name: str, character: str, form: str, field: str, is_due: bool
) -> None:
    fight = in_turn(name, character)
    forms = {each.id: each for each in proposal_forms(fight.history, fight.ruleset, character)}
    (found,) = (each for each in forms[form].fields if each.name == field)
    assert found.optional is not is_due


@pytest.mark.parametrize(
    ("form", "answers", "why"),
    [
        ("do:attack", {"die": "15"}, "target: choose one"),
        ("do:attack", {"target": "Lamp Thief 1"}, "d20: choose one, or type the number on it"),
        ("do:move", {}, "feet: type a number"),
        ("do:cast", {}, "spell: choose one, or type it"),
        ("do:magic", {}, "what: type it"),
    ],
)
def test_what_lacks_is_said_with_what_to_do(form: str, answers: dict[str, str], why: str) -> None:
    fight = in_turn("ash-road/the-black-cart", "mira")
    with pytest.raises(Refused) as refusal:
        compose_command(fight.history, fight.ruleset, "mira", form, {**answers})
    assert str(refusal.value) == why
