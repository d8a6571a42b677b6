"""Initiative by how a check comes out: who passes acts before the foes, who fails behind them."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.other_bones import BONES, Risk
from tests.tui.ghouls import finished, prompt_after

from affray import Fight, Refused, rulesets
from affray.core.dice import DieInput, SeededDice
from affray.core.formatting.spoken_answers import initiative_answer
from affray.core.rules.proposals import may_go_by_itself
from affray.core.rules.ruleset import Context, InitiativeRules
from affray.core.rules.tables import Tables
from affray.serve.forms import compose_command, proposal_forms
from affray.store.open_encounter import OpenEncounter

WORDS = {"full": 3, "partial": 2, "miss": 0}
FOES = 1


class Initiative(InitiativeRules):
    def words(self, tables: Tables) -> dict[str, int]:
        return WORDS

    def dice(self, tables: Tables) -> str:
        return "2d6"

    def roll(self, ctx: Context, ids: list[str], faces: tuple[int, ...] = ()) -> dict[str, int]:
        die = DieInput(faces=faces)
        return {who: self._of(ctx, who, die) for who in ids}

    def _of(self, ctx: Context, who: str, die: DieInput) -> int:
        if ctx.state[who].kind != "pc":
            return FOES
        return WORDS[Risk(who, "initiative", die).make(ctx).outcome]


RULESET = replace(BONES, initiative=Initiative())
PEOPLE = ("add pc Mira grit 4", "add pc Odo grit 4", "add monster Ghoul grit 3")


@pytest.fixture
def fight() -> Fight:
    there = Fight(RULESET, seed=1)
    there.do(*PEOPLE)
    return there


def test_the_outcome_is_called_by_its_word(fight: Fight) -> None:
    assert fight.do("init mira full").text == "Initiative of Mira: full"
    assert fight.do("init mira miss").text == "Initiative of Mira: miss, was full"
    fight.do("init odo partial", "start")
    assert [each.name for each in fight.state.in_order()] == ["Odo", "Ghoul", "Mira"]


def test_dice_as_they_lie_give_it_as_well(fight: Fight) -> None:
    fight.do("init mira natural 3,5", "init odo natural 11")
    assert [slot.initiative for slot in fight.state.slots[:2]] == [3, 2]
    with pytest.raises(Refused, match="what 2d6 come to"):
        fight.do("init mira natural 13")


def test_a_slip_in_the_word_is_told_with_those_there_are(fight: Fight) -> None:
    with pytest.raises(Refused, match="partial"):
        fight.do("init mira partail")


def test_the_ear_hears_the_word(fight: Fight) -> None:
    fight.do("init mira full", "init odo miss", "start")
    assert initiative_answer(RULESET, fight.state).lines == ["Mira, full; Ghoul, 1; Odo, miss."]


@pytest.mark.parametrize(
    ("keys", "line"), [("i f enter", "init mira full"), ("i m enter", "init mira miss")]
)
def test_a_letter_gives_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: str, line: str
) -> None:
    monkeypatch.setitem(rulesets.BUILT_IN, "bones", "tests.mechanics.test_initiative_by_outcome")
    with OpenEncounter.create(tmp_path / "f.toml", "bones", "Bones", SeededDice(1)) as there:
        for each in PEOPLE:
            there.do(each)
        prompt = prompt_after(there, keys, actor="mira")
        assert (prompt.line, finished(prompt)) == (line, True)


def test_a_phone_offers_the_words_and_nothing_else(fight: Fight) -> None:
    (form,) = (f for f in proposal_forms(fight.history, RULESET, "mira") if f.id == "init")
    assert [value for value, _ in form.fields[0].options] == [*WORDS]
    answers = {"called": "full"}
    line = compose_command(fight.history, RULESET, "mira", "init", answers)
    assert line == "init mira full"
    fight.do("setting players-act trusted")
    assert may_go_by_itself(fight.history, RULESET, "mira", line)
    assert not may_go_by_itself(fight.history, RULESET, "mira", "init mira first")
    with pytest.raises(Refused):
        compose_command(fight.history, RULESET, "mira", "init", {"called": "full 3"})
