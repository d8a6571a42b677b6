"""Damage. Orcus, Damage, Damage Resistance and Vulnerability, Temporary Hit Points, Weakened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.played import rules_said

from affray.core.engine.events import TrackChanged
from affray.core.formatting.pieces import why_in_words

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


ORC = (
    "add pc Ash hp 40 ac 15 attack Axe +5 vs ac 1d6+2",
    "add monster Orc hp 40 ac 14 resist fire 5 vulnerable cold 5 immune poison",
    "add monster Wraith hp 40 ac 14 incorporeal",
    "init ash 10",
    "init orc 5",
    "init wraith 4",
    "start",
)


@pytest.fixture
def duel(new_fight: Callable[..., Fight]) -> Fight:
    """Ash is up; an orc that resists fire and a wraith stand there."""
    return new_fight(*ORC)


def _why(fight: Fight) -> str:
    return next(
        why_in_words(e) for e in fight.events if isinstance(e, TrackChanged) and e.track == "hp"
    )


@pytest.mark.parametrize(
    ("kind", "lost"), [("", 8), ("fire", 3), ("cold", 13), ("poison", 0), ("acid", 8)]
)
def test_resistance_vulnerability_and_immunity(duel: Fight, kind: str, lost: int) -> None:
    """Orcus, Damage Resistance and Vulnerability."""
    duel.do(f"damage orc 8 {kind}")
    assert duel.hp("orc") == 40 - lost


@pytest.mark.parametrize(("dealt", "lost"), [("0 4 cold", 9), ("0 cold 3", 3), ("3 0 cold", 3)])
def test_each_part_of_a_type_meets_the_vulnerability_to_it(
    duel: Fight, dealt: str, lost: int
) -> None:
    """Orcus, Damage Resistance and Vulnerability: whenever it takes damage of that type."""
    duel.do(f"attack orc hit {dealt}")
    assert duel.hp("orc") == 40 - lost


def test_resistance_never_heals(duel: Fight) -> None:
    """Orcus, Damage Rolls: never negative damage."""
    duel.do("damage orc 4 fire")
    assert duel.hp("orc") == 40
    assert rules_said(duel.events, duel.state) == ["Orc takes no damage (4 fire, resist 5)"]


def test_the_highest_of_several_resistances_counts(duel: Fight) -> None:
    """Orcus, Damage Resistance and Vulnerability; Petrified: resistance to all 20."""
    duel.do("inflict orc resistance fire 3", "damage orc 8 fire")
    assert duel.hp("orc") == 37
    duel.do("undo", "inflict orc resistance all 7", "damage orc 8 fire")
    assert duel.hp("orc") == 39
    duel.do("undo", "inflict orc petrified", "damage orc 25 fire")
    assert duel.hp("orc") == 35


def test_vulnerability_for_a_time_and_resistance_work_together(duel: Fight) -> None:
    """Orcus, Damage Resistance and Vulnerability."""
    duel.do("inflict orc vulnerability fire 2", "damage orc 8 fire")
    assert duel.hp("orc") == 40 - (8 + 2 - 5)


def test_the_weakened_deal_half_with_their_attacks(duel: Fight) -> None:
    """Orcus, Weakened."""
    duel.do("inflict ash weakened", "attack orc hit 8 fire")
    assert duel.hp("orc") == 40
    duel.do("undo", "attack orc hit 15 fire")
    assert duel.hp("orc") == 40 - 2
    assert _why(duel) == "15 fire, weakened 7, resist 5"


def test_persistent_damage_of_the_weakened_is_not_halved(duel: Fight) -> None:
    """Orcus, Weakened: "except persistent damage"."""
    duel.do("inflict ash weakened", "inflict orc persistent 8 from ash", "next")
    assert duel.hp("orc") == 32


def test_the_incorporeal_take_half_of_attacks(duel: Fight) -> None:
    """Orcus, Glossary (Incorporeal): half damage on all attacks."""
    duel.do("attack wraith hit 9", "damage wraith 9")
    assert duel.hp("wraith") == 40 - 4 - 9


def test_half_is_rounded_down_but_at_least_1(duel: Fight) -> None:
    """Orcus, Rounding Fractions: damage has a minimum of 1."""
    duel.do("inflict ash weakened", "attack wraith hit 1")
    assert duel.hp("wraith") == 39
    duel.do("undo", "attack wraith miss 9 half")
    assert duel.hp("wraith") == 40 - 1  # 9, half 4, weakened 2, incorporeal 1


def test_a_critical_is_weakened_too(duel: Fight) -> None:
    """Orcus, Critical Hits; Weakened."""
    duel.do("inflict ash weakened", "attack orc crit")
    assert duel.hp("orc") == 40 - 4
    assert _why(duel) == "8 maximum, weakened 4"


def test_temporary_hp_are_lost_first(fight: Fight) -> None:
    """Orcus, Temporary Hit Points: 5 of them and 7 damage leave 2 damage."""
    fight.do("temp brannoc 5", "damage brannoc 7")
    assert (fight.track("brannoc", "temp_hp"), fight.hp("brannoc")) == (0, 42)


def test_temporary_hp_keep_from_falling(fight: Fight) -> None:
    """Orcus, Temporary Hit Points."""
    fight.do("damage brannoc 43", "temp brannoc 5", "damage brannoc 5")
    assert (fight.hp("brannoc"), fight["brannoc"].life) == (1, "up")


def test_temporary_hp_absorb_damage_of_the_dying(fight: Fight) -> None:
    """Orcus, Temporary Hit Points: at 0 HP they can still absorb damage."""
    fight.do("damage brannoc 44", "temp brannoc 5", "damage brannoc 8")
    assert (fight.hp("brannoc"), fight["brannoc"].life) == (-3, "dying")


def test_half_for_some_of_several(fight: Fight) -> None:
    """Orcus, Damage Rolls: rolled once for all."""
    fight.do("damage brannoc,goblin-1,goblin-2 2d6 fire half brannoc,goblin-2", faces=(6, 3))
    assert [fight.hp(who) for who in ("brannoc", "goblin-1", "goblin-2")] == [40, 17, 22]
    fight.refuses("damage goblin-1 5 half goblin-2", "not among those who are damaged")


def test_the_dead_and_things_without_hp_take_no_damage(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Damage."""
    fight = new_fight("add monster Orc hp 10 ac 14", "add hazard Pit", "damage orc 10")
    fight.refuses("damage orc 5", "Orc is dead")
    fight.refuses("damage pit 5", "no HP")
    fight.refuses("damage orc,nobody 5", "nobody here is called")
    fight.refuses("damage pit x", "expected the damage")


@pytest.mark.parametrize("line", ["damage straw,mira 15", "attack straw,mira hit 15"])
def test_a_summoner_who_dies_of_a_summons_end_is_hit_no_more(fight: Fight, line: str) -> None:
    """Orcus, Summons; Damage: what was meant for the dead in the same blow is let go."""
    fight.do("add monster Straw side party summon of Mira hp 12", "set mira recoveries 0")
    fight.do("damage mira 39", line)
    assert (fight["mira"].life, fight.hp("mira")) == ("dead", -9 - 7)
    assert fight.state.find("straw") is None
    fight.refuses("damage mira 1", "Mira is dead")


def test_a_coup_de_grace_on_a_summon_costs_its_owner_as_any_end_does(fight: Fight) -> None:
    """Orcus, Coup de Grace; Summons: you lose one recovery."""
    fight.do("add monster Straw side party summon of Mira hp 12", "inflict straw helpless")
    fight.do("coup-de-grace straw hit 7")
    assert fight.state.find("straw") is None
    assert fight.track("mira", "recoveries") == 5
