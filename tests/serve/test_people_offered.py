"""Whom a phone's form offers: nobody whom the command refuses, nor what can't be hurt."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray import Fight
from affray.serve.forms import ProposalForm, proposal_forms
from affray.store.open_encounter import OpenEncounter

SAMPLES = Path(__file__).parents[2] / "campaigns"


def forms_of(name: str, character: str) -> list[ProposalForm]:
    campaign, _, encounter = name.partition("/")
    fight = OpenEncounter.view(SAMPLES / campaign / "encounters" / f"{encounter}.toml")
    return proposal_forms(fight.history, fight.ruleset, character)


def offered(forms: list[ProposalForm], kind: str = "combatant") -> dict[str, list[str]]:
    """The labels that each field offers, by `form/field`."""
    return {
        f"{form.id}/{field.name}": [label for _, label in field.options]
        for form in forms
        for field in form.fields
        if field.kind == kind
    }


def test_the_world_is_no_target() -> None:
    rows = offered(forms_of("salt-stair/the-bell-in-the-gale", "garrow"))
    assert rows["do:attack/target"] and rows["do:help/ally"]
    assert not [name for name, labels in rows.items() if "World" in labels]


def test_what_belongs_to_nobody_but_can_be_broken_is_one() -> None:
    fight = Fight("orcus", title="The Stair", seed=1)
    fight.do("add pc Mira hp 30 ac 15 attack Axe +5 vs ac 1d8", "add hazard Door hp 20 ac 5")
    fight.do("add monster Ghoul hp 9 ac 12", "init mira 20", "init ghoul 3", "start")
    rows = offered(proposal_forms(fight.history, fight.ruleset, "mira"))
    assert "Door" in rows["do:attack/targets"]


@pytest.mark.parametrize(
    ("character", "companion"), [("hesper", ["Pitch"]), ("maud", ["Clay Double"]), ("wick", None)]
)
def test_only_ones_own_companion_recovers_along(
    character: str, companion: list[str] | None
) -> None:
    rows = offered(forms_of("kiln-road/the-ninth-kiln", character))
    assert rows.get("say:recovery/with") == companion


@pytest.mark.parametrize(
    ("name", "character"),
    [("kiln-road/the-ninth-kiln", "maud"), ("winter-term/the-frozen-conservatory", "runa")],
)
def test_what_one_makes_comes_from_oneself(name: str, character: str) -> None:
    """An aura, a zone, points devoted: nobody else can be named as their source."""
    forms = forms_of(name, character)
    lasting = [form for form in forms if any("until" in field.label for field in form.fields)]
    assert lasting
    rows = offered(lasting)
    assert not [name for name in rows if name.endswith("/from")]


def test_only_those_who_hold_somebody_let_them_go() -> None:
    fight = Fight("adventure-school", title="The Stair", seed=1)
    fight.do("add pc Mira hp 30 ac 15", "add pc Odo hp 30 ac 15", "add monster Ghoul x2 hp 9 ac 12")
    fight.do("init mira 20", "init odo 9", "init ghoul-1 3", "init ghoul-2 2", "start")
    fight.do("inflict mira grabbed from ghoul-1")
    rows = offered(proposal_forms(fight.history, fight.ruleset, "mira"))
    assert rows["do:escape/from"] == ["Ghoul 1"]


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("drowned-vale/the-sluice-gate", "ilse"),
        ("ash-road/the-bed-of-the-drake", "mira"),
        ("salt-stair/the-bell-in-the-gale", "garrow"),
        ("kiln-road/the-ninth-kiln", "maud"),
        ("winter-term/the-frozen-conservatory", "runa"),
    ],
)
def test_no_field_is_called_by_a_word_that_says_nothing(name: str, character: str) -> None:
    """Whoever hears the form only hears the words: `ally`, not `other`."""
    asked = {field.label for form in forms_of(name, character) for field in form.fields}
    assert len(asked) > 5 and not asked & {"other", "number", "choice", "anyone", "text"}
