"""Bonuses for some rolls alone: which rolls words speak of, what counts, and what is used up.

Monsters & Magic, Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.rulesets.monsters_and_magic.stats import scope_of

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.mark.parametrize(
    ("words", "scope"),
    [
        ("next attack", "attack"),
        ("attack rolls", "attack"),
        ("AC", "ac"),
        ("all checks", "check"),
        ("next save", "save"),
        ("saving throws with cunning", "cunning save"),
        ("cunning saves", "cunning save"),
        ("power rolls", "power"),
        ("initiative", "initiative"),
        ("the next attack's damage", "damage"),
        ("speed", "speed"),
        ("your mother's blessing", ""),
    ],
)
def test_words_say_which_rolls_a_bonus_is_for(words: str, scope: str) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold."""
    assert scope_of(words) == scope


def test_an_ongoing_bonus_counts_in_the_rolls_of_its_scope_alone(fight: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold: Mira's CUNNING is 3."""
    fight.do('ongoing mira +2 "saving throws with cunning" until fight')
    assert fight.total("mira", "check") == 0
    for line, total in (
        ("check mira cunning save natural 10", 15),
        ("check mira cunning natural 10", 13),
        ("check mira power save natural 10", 10),
    ):
        fight.do(line)
        assert fight.rolled.total == total


@pytest.mark.parametrize(
    ("scope", "line", "total"),
    [
        ("power", "strike ghoul-1 natural 10 5", 16),
        ("attack", "strike ghoul-1 natural 10 5", 16),
        ("power attack", "strike ghoul-1 natural 10 5", 16),
        ("cunning", "strike ghoul-1 natural 10 5", 14),
        ("save", "check brannoc luck save natural 10", 13),
        ("luck", "check brannoc luck natural 10", 13),
        ("luck save", "check brannoc luck natural 10", 11),
        ("attack rolls until the end of combat", "strike ghoul-1 natural 10 5", 16),
        ("to all checks until the fight ends", "check brannoc luck natural 10", 13),
        ("saving throws with luck", "check brannoc luck save natural 10", 13),
        ("saving throws with luck", "check brannoc luck natural 10", 11),
    ],
)
def test_ongoing_scopes(fight: Fight, scope: str, line: str, total: int) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold: POWER 2, PB 2 and LUCK 1 of Brannoc's."""
    fight.do(f"ongoing brannoc +2 {scope}", line)
    assert fight.rolled.total == total


def test_a_forward_to_damage_is_used_by_the_next_that_is_dealt(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold; Damage Rolls: it is no bonus to the attack
    roll, and is added to a number that was called as to dice."""
    ash = "add pc Ash hp 9 power 2 pb 1 attack axe 1d8"
    fight = new_fight(ash, "add monster Rat hp 18", "init ash 9", "init rat 3", "start")
    fight.do('forward ash +3 "next damage roll"', "ongoing ash +1 damage", "strike rat natural 2")
    assert fight.effects("ash") == {"forward", "ongoing"}
    fight.do("strike rat natural 15", faces=[2])
    assert (fight.rolled.total, fight.track("rat", "hp")) == (18, 18 - (2 + 2 + 3 + 1))
    assert fight.effects("ash") == {"ongoing"}
    fight.do("undo", "strike rat strong 4")
    assert (fight.track("rat", "hp"), fight.effects("ash")) == (18 - (4 + 3 + 1), {"ongoing"})
    assert "raised by 4" in str(fight.events)
    fight.do("set ash ap 3", "strike rat strong 4")
    assert fight.track("rat", "hp") == 10 - 4 - 1


@pytest.mark.parametrize(
    "line", ["forward brannoc +10 speed", "ongoing brannoc +10 speed until used"]
)
def test_a_bonus_to_speed_until_used_is_for_one_move(fight: Fight, line: str) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold; Movement."""
    fight.do(line)
    is_forward = line.startswith("forward")
    assert fight.total("brannoc", "speed") == (30 if is_forward else 40)
    fight.do("move")
    assert ("at a speed of 40 feet" in fight.shown["undo"]) == is_forward
    assert (fight.effects("brannoc"), fight.total("brannoc", "speed")) == (set(), 30)


def test_words_behind_a_scope_are_its_note(fight: Fight) -> None:
    """What is said is never dropped without a word."""
    fight.do("ongoing brannoc -1 check until fight soaked", "ongoing brannoc +1 ac with the banner")
    notes = [(e["note"], e["until"]) for e in fight.shown["combatants"][0]["effects"]]
    assert notes == [("soaked", "until the fight ends"), ("with the banner", "until removed")]


def test_an_ongoing_bonus_to_initiative_is_of_no_other_check(fight: Fight) -> None:
    """Monsters & Magic, Order: initiative is a cunning roll."""
    fight.do("ongoing mira +4 initiative", "init mira natural 10")
    assert fight.shown["combatants"][1]["initiative"] == 17
    fight.do("check mira cunning natural 10")
    assert fight.rolled.total == 13


def test_a_forward_with_an_ability_waits_for_that_saving_throw(fight: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold."""
    fight.do('forward mira +2 "saving throw with cunning"', "check mira power save natural 10")
    assert fight.rolled.total == 10
    fight.do("check mira cunning save natural 10")
    assert fight.rolled.total == 15
    assert fight.effects("mira") == set()


def test_a_bonus_until_used_goes_with_a_roll_of_its_scope(fight: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold."""
    fight.do("ongoing mira +2 save until used", "check mira luck natural 10")
    assert fight.effects("mira") == {"ongoing"}
    fight.do("check mira luck save natural 10")
    assert fight.effects("mira") == set()


def test_what_counts_in_some_rolls_is_told_by_why(fight: Fight) -> None:
    """Every number says where it comes from."""
    fight.do("ongoing mira +2 save cunning")
    assert ("(+2)", "ongoing, with cunning save") in fight.why("mira", "check")


def test_held_preparation_is_spent_one_for_one(fight: Fight) -> None:
    """Monsters & Magic, Rest & Recovery, Prepare: 2-prepared, spent 1:1 to become prepared."""
    fight.do("hold mira prepared 2", "check mira luck natural 10 prepared")
    assert (fight.rolled.total, fight.track("mira", "prepared")) == (14, 1)
    assert fight.effects("mira") == set()
    fight.do("check mira luck natural 10", "check mira luck natural 10 prepared")
    assert fight.track("mira", "prepared") == 0
    fight.refuses("check mira luck natural 10 prepared", "Mira is not prepared")


@pytest.mark.parametrize("scope", ["", "strength", '"your mother\'s blessing"'])
def test_a_scope_that_is_none_is_refused(fight: Fight, scope: str) -> None:
    fight.refuses(f"ongoing mira +2 {scope}", "the roll or number it changes")


@pytest.mark.parametrize("words", ['"next atack"', '"next sav"', "damge", "next initative roll"])
def test_a_slip_of_a_scope_is_asked_about(fight: Fight, words: str) -> None:
    """Else it would be a bonus to any check."""
    fight.refuses(f"forward mira +2 {words}", "did you mean")


def test_a_list_of_spells_is_each_of_them(new_fight: type[Fight]) -> None:
    fight = new_fight("add pc Zed hp 10 spells Sleep,Firebolt")
    assert [row["name"] for row in fight["zed"].stats["spells"]] == ["Sleep", "Firebolt"]
