"""What players propose, in every game: forms, and the commands that any answers make of them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from tests.invariants.games import GAMES
from tests.invariants.language import CAMPAIGNS, Game, any_command

from affray.core.dice import SeededDice, StubDice
from affray.core.formatting.visibility import is_known_to_players
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import tokenize
from affray.core.rules.proposals import may_go_by_itself, own_sheet
from affray.serve.form_fields import FormField
from affray.serve.forms import ProposalForm, compose_command, proposal_forms
from affray.store import LogError
from affray.store.open_encounter import OpenEncounter

EXAMPLES = int(os.environ.get("PROPOSAL_EXAMPLES", "60"))
LINES = {game.ruleset.id: any_command(game) for game in GAMES}
WRONG = st.sampled_from(("lurker", "by ghoul", "roll", "x", '"', "0", "999", "-1", "a\nb", "all"))
"""What is answered where it is hardly an answer."""


@contextmanager
def fight_of(game: Game) -> Iterator[OpenEncounter]:
    """A fight with the sample campaign's house rules, and somebody in hiding."""
    with tempfile.TemporaryDirectory(prefix="affray-") as name:
        folder = Path(name)
        (folder / "encounters").mkdir()
        for file in ("bestiary.toml", "rules.toml") if game.campaign else ():
            shutil.copy(CAMPAIGNS / game.campaign / file, folder)
        path = folder / "encounters" / "fight.toml"
        with OpenEncounter.create(path, game.ruleset.id, "A fight", SeededDice(3)) as fight:
            for line in (*game.setup, "add monster Xyzzy hp 9 hidden"):
                fight.do(line)
            yield fight


def answers_of(form: ProposalForm, data: st.DataObject) -> dict[str, str | list[str]]:
    """Mostly valid answers, some left out."""
    answers: dict[str, str | list[str]] = {}
    for field in form.fields:
        if field.optional and data.draw(st.booleans()):
            continue
        answers[field.name] = data.draw(st.one_of(answer_of(field), answer_of(field), WRONG))
    return answers


def answer_of(field: FormField) -> st.SearchStrategy[str | list[str]]:
    values = st.sampled_from([value for value, _ in field.options] or ["nothing"])
    if field.several:
        return st.lists(values, min_size=1, max_size=2)
    typed = {
        "number": ("1", "3", "12", "-2"),
        "die": ("1", "12", "20", "3,17"),
        "damage": ("8", "2d6+3", "5 fire", "4 slashing 2 fire"),
        "text": ("a word", "Fire Bolt", "7,3"),
    }
    row = typed.get(field.kind, ())
    if not row:
        return values
    return st.one_of(st.sampled_from(row), values) if field.options else st.sampled_from(row)


@settings(max_examples=EXAMPLES, deadline=None, derandomize="PROPOSAL_EXAMPLES" not in os.environ)
@given(data=st.data())
def test_any_answers_make_a_command_of_ones_own_or_are_refused_in_one_line(
    data: st.DataObject,
) -> None:
    game = data.draw(st.sampled_from(GAMES))
    with fight_of(game) as fight:
        for line in data.draw(st.lists(LINES[game.ruleset.id], max_size=10)):
            with suppress(Refused, LogError):
                fight.do(line)
        of = fight.history, fight.ruleset
        for who in [c.id for c in fight.state.combatants if c.kind == "pc"][:2]:
            sheet, forms = own_sheet(*of, who), proposal_forms(*of, who)
            mine = is_known_to_players(fight.state.character(who))
            assert (sheet is not None) == mine == bool(forms)
            assert len({form.id for form in forms}) == len(forms)
            is_hidden = fight.state["xyzzy"].hidden  # unless they were revealed
            assert not is_hidden or "xyzzy" not in repr((sheet, forms)).casefold()
            nobody_is_told_apart(fight, who, forms)
            for form in data.draw(st.lists(st.sampled_from(forms), max_size=6)) if forms else ():
                propose(fight, who, form, answers_of(form, data))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.ruleset.id)
@pytest.mark.parametrize("words", ["x" * 201, "x " * 1_000], ids=["a word", "many words"])
def test_every_field_of_every_form_has_a_limit(game: Game, words: str) -> None:
    with fight_of(game) as fight:
        for who in [c.id for c in fight.state.combatants if c.is_character]:
            forms = proposal_forms(fight.history, fight.ruleset, who)
            fields = [(form, field) for form in forms for field in form.fields]
            for (form, field), given in product(fields, (words, [words])):
                why = refusal(fight, who, form.id, answers_before(form, field, given))
                limit = f"{field.label}: no more than 200 characters"
                assert why == (form.reason or limit), (form.id, field.name)


def answers_before(
    form: ProposalForm, last: FormField, given: str | list[str]
) -> dict[str, str | list[str]]:
    """Answers to all that a form asks, with `given` for one field."""
    usual = {"number": "1", "die": "12", "damage": "8", "text": "x"}
    answers: dict[str, str | list[str]] = {
        field.name: field.options[0][0] if field.options else usual.get(field.kind, "x")
        for field in form.fields
    }
    return answers | {last.name: given}


def nobody_is_told_apart(fight: OpenEncounter, who: str, forms: list[ProposalForm]) -> None:
    """Whoever is hidden is nobody, in the same words, wherever somebody can be named."""
    for form in forms:
        for name in (field.name for field in form.fields if field.kind == "combatant"):
            said = {
                refusal(fight, who, form.id, {name: told}) for told in ("Xyzzy", "xyzzy", "Qwert")
            }
            assert len(said) == 1 and "" not in said, form.id


def refusal(
    fight: OpenEncounter, who: str, form: str, answers: Mapping[str, str | list[str]]
) -> str:
    try:
        compose_command(fight.history, fight.ruleset, who, form, answers)
    except Refused as refused:
        return str(refused)
    return ""


def propose(
    fight: OpenEncounter, who: str, form: ProposalForm, answers: dict[str, str | list[str]]
) -> None:
    """The command is refused in one line, or is given by this character or is about them."""
    before = fight.state
    try:
        line = compose_command(fight.history, fight.ruleset, who, form.id, answers)
        words = tokenize(line)
        actors = [after for word, after in pairwise(words) if word == "by"]
        assert all(after == who for after in actors), line
        decision = fight.preview(line, StubDice(high=True))
    except Refused as refusal:
        assert "\n" not in str(refusal) and str(refusal)
    else:
        assert decision.by in ("", who), line
        assert not may_go_by_itself(fight.history, fight.ruleset, "xyzzy", line)
    assert fight.state is before
