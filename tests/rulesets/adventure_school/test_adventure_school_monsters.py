"""Monsters with all on their sheet: what attacks bring besides damage, abilities with saves.

Adventure School, Attack, Elemental, Save, Burning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.adventure_school.conftest import Fight

OOZE = (
    "add monster Ooze hp 50 ac 15 attack slam +7 vs ac 1d8+3 acid plus 1d6 fire"
    " inflicts prone inflicts burning 1d6 for 3 turns"
    " ability Roar fast uses 1 per fight save social reflex dc 13 2d6 psychic half"
    ' inflicts terrified target-end text "The walls shake."'
    " ability Spit +5 vs ac 1d4 acid inflicts blinded user-start"
)


@pytest.fixture
def ooze(new_fight: Callable[..., Fight]) -> Fight:
    """The ooze is up, then Mira, then Odo."""
    people = (OOZE, "add pc Mira hp 60 ac 14 social 2 weak fire", "add pc Odo hp 30 ac 12")
    return new_fight(*people, "init ooze 20", "init mira 10", "init odo 5", "start")


def hp(fight: Fight, who: str) -> int:
    return fight.track(who, "hp")


def test_each_type_of_damage_meets_its_own_weakness(ooze: Fight) -> None:
    """Adventure School, Weak: 4 acid, and 2 fire doubled."""
    ooze.do("attack mira natural 15", faces=(1, 2))
    assert hp(ooze, "mira") == 60 - 4 - 4


def test_a_critical_rolls_the_dice_on_top_twice_as_well(ooze: Fight) -> None:
    """Adventure School, Critical Hit: all dice of the attack twice."""
    ooze.do("attack odo natural 20", faces=(1, 1, 2, 2))
    assert hp(ooze, "odo") == 30 - (1 + 1 + 3) - 4


def test_a_hit_inflicts_what_the_sheet_says(ooze: Fight) -> None:
    """Adventure School, Burning: dice of fire at the end of each turn."""
    ooze.do("attack odo hit 5")
    assert {"prone", "burning"} <= ooze.effects("odo")
    assert ooze["odo"].named("burning").type == "fire"
    ooze.do("next", "next", "next", faces=(6,))
    assert hp(ooze, "odo") == 30 - 5 - 6


def test_a_miss_inflicts_nothing(ooze: Fight) -> None:
    ooze.do("attack odo miss")
    assert ooze.effects("odo") == set()


def test_the_save_of_an_ability_stands_on_the_sheet(ooze: Fight) -> None:
    """Adventure School, Save: who fails gets all of it, who passes half, rounded up; one roll of
    damage."""
    ooze.do("ability Roar mira,odo natural 11 natural 11", faces=(4, 3))
    assert (hp(ooze, "mira"), hp(ooze, "odo")) == (60 - 4, 30 - 7)
    assert ooze.effects("mira") == set()
    assert ooze.until("odo", "terrified") == "end of odo's next turn"


def test_what_is_called_out_has_the_saves_type(ooze: Fight) -> None:
    ooze.do("inflict odo resist psychic", "ability Roar odo fail 9")
    assert hp(ooze, "odo") == 30 - 5


def test_a_limited_ability_tells_its_text_and_is_back_with_the_next_fight(ooze: Fight) -> None:
    ooze.do("ability Roar odo pass 2")
    assert "walls shake" in str(ooze.events)
    ooze.do("next", "next", "next")
    ooze.refuses("ability Roar odo pass 2", "used 1 of 1 in this fight")
    ooze.do("end")
    assert ooze.option("ooze", "ability Roar")["available"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("ability Roar odo hit 3", "expected an outcome: pass, fail"),
        ("ability Spit odo fail 3", "expected an outcome: miss, hit"),
        ("add monster Rat hp 3 ability Gnaw +5 vs ac 1d4 save health dc 3", "save"),
    ],
)
def test_an_ability_is_an_attack_or_has_a_save(ooze: Fight, line: str, why: str) -> None:
    ooze.refuses(line, why)


def test_an_undo_takes_back_all_that_a_hit_brought(ooze: Fight) -> None:
    before = ooze.state
    ooze.do("attack odo hit 5", "undo")
    assert ooze.state == before
