"""A check throws the dice of its game: 2d6, a pool, a step die, d100 under a number."""

from pathlib import Path

import pytest
from tests.other_bones import BONES, PEOPLE
from tests.tui.ghouls import finished, prompt_after

from affray import Fight, Refused, rulesets
from affray.core.dice import SeededDice, StubDice
from affray.core.engine.dice_owners import asks_for, players_dice
from affray.core.engine.events import Rolled
from affray.core.formatting.spoken_lines import answers_line
from affray.store.open_encounter import OpenEncounter


@pytest.fixture
def bones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rulesets.BUILT_IN, "bones", "tests.other_bones")


def fight() -> Fight:
    there = Fight(BONES, seed=1)
    there.do(*PEOPLE)
    return there


def rolled(there: Fight, line: str) -> Rolled:
    return next(e for e in there.do(line).events if isinstance(e, Rolled))


@pytest.mark.parametrize(
    ("line", "natural", "outcome"),
    [
        ("risk ghoul natural 3,5", 8, "partial"),
        ("risk ghoul natural 11", 11, "full"),
        ("risk ghoul natural 2", 2, "miss"),
        ("risk ghoul natural 6,1,5 adv", 11, "full"),
        ("risk ghoul natural 6,1,5 dis", 6, "miss"),
        ("risk ghoul natural 5,2 plus 3", 7, "full"),
        ("push ghoul natural 5,1,2,6", 2, "partial"),
        ("push ghoul natural 6,6,1,1", 2, "full"),
        ("push ghoul natural 0", 0, "miss"),
        ("push mira natural 1 by ghoul", 0, "miss"),
        ("leap ghoul natural 8", 8, "full"),
        ("sneak ghoul natural 60", 60, "full"),
        ("sneak ghoul natural 61", 61, "miss"),
        ("sneak ghoul natural 90,40 adv", 40, "full"),
        ("sneak ghoul natural 90,40 dis", 90, "miss"),
    ],
)
def test_the_dice_as_they_lie_are_those_of_the_check(line: str, natural: int, outcome: str) -> None:
    roll = rolled(fight(), line)
    assert (roll.natural, roll.outcome) == (natural, outcome)


@pytest.mark.parametrize(
    ("line", "dice", "count"),
    [
        ("risk ghoul roll", "2d6", 2),
        ("risk ghoul roll adv plus 1", "3d6kh2+1", 3),
        ("risk ghoul roll dis", "3d6kl2", 3),
        ("push ghoul roll", "4d6", 4),
        ("push mira roll by ghoul", "1d6", 1),
        ("leap ghoul roll", "1d8", 1),
        ("sneak ghoul roll", "1d100", 1),
        ("sneak ghoul roll adv", "2d100kl1", 2),
    ],
)
def test_affray_throws_the_dice_of_the_check(line: str, dice: str, count: int) -> None:
    roll = rolled(fight(), line)
    assert (roll.dice, len(roll.faces)) == (dice, count)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("risk ghoul natural 13", "what 2d6 come to, 12 at most, or each die: 3,3"),
        ("risk ghoul natural 1", "`natural 1`: the risk is 2d6, 2 to 12"),
        ("risk ghoul natural 7,1", "what 2d6 come to"),
        ("risk ghoul natural 1,2,3", "`natural 1,2,3` is 3 dice, and the roll is 2d6"),
        ("push ghoul natural 1,2", "`natural 1,2`: the push is 4d6, each 1 to 6"),
        ("leap ghoul natural 9", "`natural 9`: the leap is 1d8, 1 to 8"),
        ("sneak ghoul natural 101", "the number on the d100, 1 to 100"),
    ],
)
def test_faces_that_the_dice_do_not_have_are_refused(line: str, why: str) -> None:
    there = fight()
    before = there.state
    with pytest.raises(Refused) as refusal:
        there.do(line)
    assert why in str(refusal.value) and there.state is before


def test_the_log_tells_all_dice_and_their_sum() -> None:
    there = fight()
    lines = there.describe(there.do("risk ghoul natural 3,5 plus 1"))
    assert any("risk 2d6 [3 5] +1 said = 9" in line for line in lines)


def test_a_pool_falls_again_as_it_fell_when_the_past_is_amended() -> None:
    there = fight()
    there.do("push ghoul roll", "push ghoul roll")
    faces = [e.faces for entry in there.entries[-2:] for e in entry.events if isinstance(e, Rolled)]
    there.do(f"amend {there.entries[-2].seq} push ghoul roll")
    again = [e.faces for entry in there.entries[-2:] for e in entry.events if isinstance(e, Rolled)]
    assert again == faces


def test_a_players_dice_of_any_kind_are_asked_for() -> None:
    there = fight()
    dice = StubDice(high=False)
    decision = there.preview("risk ghoul roll", dice)
    asked = players_dice(decision.state, decision.events, dice)
    assert all(die.is_check for die in asked)
    assert asks_for(decision.state, asked) == "Mira's 2d6, or r to roll them"


def opened(folder: Path) -> OpenEncounter:
    there = OpenEncounter.create(folder / "f.toml", "bones", "Bones", SeededDice(1))
    for line in PEOPLE:
        there.do(line)
    return there


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("R g n 8 enter", "risk ghoul natural 8"),
        ("R g 3 , 5 enter", "risk ghoul natural 3,5"),
        ("R g 3 , 5 , 6 a enter", "risk ghoul natural 3,5,6 adv"),
        ("R g p enter", "risk ghoul partial"),
        ("P g 5 , 1 , 2 , 6 enter", "push ghoul natural 5,1,2,6"),
        ("L g 8 enter", "leap ghoul natural 8"),
        ("X g 6 1 enter", "sneak ghoul natural 61"),
    ],
)
def test_keys_give_the_dice_of_the_check(tmp_path: Path, bones: None, keys: str, line: str) -> None:
    with opened(tmp_path) as there:
        prompt = prompt_after(there, keys)
        assert (prompt.line, finished(prompt)) == (line, True)


@pytest.mark.parametrize(("keys", "name"), [("R g n", "2d6"), ("P g n", "4d6"), ("L g n", "d8")])
def test_the_prompt_names_the_dice_of_the_roller(
    tmp_path: Path, bones: None, keys: str, name: str
) -> None:
    with opened(tmp_path) as there:
        prompt = prompt_after(there, keys)
        offers = [offer.label for offer in prompt.field.offers()]
        assert f"{name} as rolled" in offers


def test_a_check_that_waits_takes_its_dice(bones: None) -> None:
    there = fight()
    there.do("set mira grit 1")
    (waits,) = there.asked_before_end()
    assert "the number on the 2d6" in answers_line(waits)
    assert there.do(waits.line_with("3,5")).text == "Mira steadies: partial"
