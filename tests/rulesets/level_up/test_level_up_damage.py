"""Damage and hit points. Level Up, Damage and Recovery, Temporary Hit Points."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.level_up.conftest import Fight

IMP = "add monster Imp hp 60 ac 13 resist cold,mundane vulnerable fire,cold immune poison,prone"


@pytest.fixture
def imp(with_more: Callable[..., Fight]) -> Fight:
    """The usual fight with an imp: resistant to cold, vulnerable to cold and fire, 60 HP."""
    return with_more(IMP)


def lost(fight: Fight, line: str, who: str = "imp") -> int:
    """How many HP a command costs somebody."""
    before = fight.hp(who)
    return before - fight.do(line).hp(who)


def test_the_texts_example_is_reduced_then_halved(new_fight: Callable[..., Fight]) -> None:
    """Level Up, Damage Resistance: 25 cold, 5 less, resistant: 10."""
    fight = new_fight("add monster Imp hp 30 ac 13 resist cold", "modifier imp -5 damage-taken")
    assert lost(fight, "damage imp 25 cold") == 10


def test_half_comes_before_flat_reductions(fight: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity; ruling 11: half of 11 is 5, less
    2."""
    fight.do("modifier brannoc -2 damage-taken")
    assert lost(fight, "damage brannoc 11 half", "brannoc") == 3


def test_reductions_never_take_damage_below_0(fight: Fight) -> None:
    """Level Up, Damage Rolls: possibly 0, never negative."""
    fight.do("modifier brannoc -5 damage-taken")
    assert lost(fight, "damage brannoc 3", "brannoc") == 0
    assert "takes no damage" in fight.notes


def test_bonuses_and_reductions_are_added_up_first(fight: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity: 4 more and 5 less are 1 less."""
    fight.do("modifier brannoc -5 damage-taken", "modifier brannoc +4 damage-taken")
    assert lost(fight, "damage brannoc 3", "brannoc") == 2


def test_halves_are_rounded_down(imp: Fight) -> None:
    """Level Up, ruling 10."""
    assert lost(imp, "damage brannoc 7 half", "brannoc") == 3
    assert lost(imp, "damage imp 7 mundane") == 3
    assert lost(imp, "damage brannoc 1 half", "brannoc") == 0


def test_resistance_and_vulnerability_to_one_type_halve_and_then_double(imp: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity: 7 cold are 3, then 6."""
    assert lost(imp, "damage imp 7 cold") == 6


def test_all_damage_is_reduced_by_so_much_whatever_its_types(fight: Fight) -> None:
    """Level Up, Damage Resistance: "reduces all damage by 5", of one blow."""
    fight.do("modifier ghoul-1 -5 damage-taken", "attack ghoul-1 hit 3 slashing 10 fire")
    assert fight.hp("ghoul-1") == 22 - 8
    fight.do("inflict ghoul-2 resistance fire", "modifier ghoul-2 -8 damage-taken")
    fight.do("attack ghoul-2 crit 3 slashing 6 fire")
    assert fight.hp("ghoul-2") == 22 - 5


def test_several_resistances_count_once(fight: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity: still only reduced by half."""
    fight.do("inflict mira resistance cold", "inflict mira resistance all")
    assert lost(fight, "damage mira 12 cold", "mira") == 6
    assert lost(fight, "damage mira 12 fire", "mira") == 6


def test_several_vulnerabilities_count_once(fight: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity."""
    fight.do("inflict mira vulnerability cold", "inflict mira vulnerability all")
    assert lost(fight, "damage mira 5 cold", "mira") == 10


def test_damage_of_no_type_meets_no_resistance_and_no_vulnerability(fight: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity: `all` is every type, and what has
    none is of none."""
    fight.do("inflict mira resistance all", "inflict ghoul-1 vulnerability all")
    assert lost(fight, "damage mira 8", "mira") == 8
    assert lost(fight, "damage ghoul-1 8", "ghoul-1") == 8


def test_immunity_lets_nothing_through(imp: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity."""
    assert lost(imp, "damage imp 30 poison") == 0
    imp.do("inflict imp immunity fire")
    assert lost(imp, "damage imp 30 fire") == 0
    assert lost(imp, "damage imp 10 acid") == 10


def test_mundane_is_against_weapons_that_are_not_magical(imp: Fight) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity: other damage is of no weapon."""
    assert lost(imp, "damage imp 10 slashing mundane") == 5
    assert lost(imp, "damage imp 10 slashing magical") == 10
    assert lost(imp, "damage imp 10 slashing") == 10
    imp.do("inflict imp immunity mundane")
    assert lost(imp, "damage imp 10 slashing mundane") == 0


def test_one_type_of_mundane_weapons_is_against_that_alone(
    with_more: Callable[..., Fight],
) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity: `resistance to piercing from
    nonmagical attacks`."""
    golem = "add monster Golem hp 60 ac 13 resist mundane-piercing immune mundane-slashing"
    imp = with_more(IMP, golem)
    assert lost(imp, "damage golem 10 piercing mundane", "golem") == 5
    assert lost(imp, "damage golem 10 piercing magical", "golem") == 10
    assert lost(imp, "damage golem 10 slashing mundane", "golem") == 0
    assert lost(imp, "damage golem 10 bludgeoning mundane", "golem") == 10


def test_a_mundane_weapons_attack_is_resisted_and_a_magical_ones_is_not(
    with_more: Callable[..., Fight],
) -> None:
    """Level Up, Damage Resistance, Vulnerability and Immunity."""
    wisp = "add monster Wisp hp 60 ac 13 resist mundane"
    knight = "add pc Knight hp 30 ac 15 attack blade +5 1d8 slashing magical"
    fight = with_more(wisp, knight)
    assert lost(fight, "attack wisp hit 8 slashing by brannoc", "wisp") == 4
    fight.do("next", "next", "next", "next", "next")
    assert lost(fight, "attack wisp hit 8 slashing by knight", "wisp") == 8


def test_the_types_of_damage_are_those_of_the_text(fight: Fight) -> None:
    """Level Up, Damage Types."""
    types = (
        "acid bludgeoning cold fire force lightning necrotic piercing poison psychic radiant"
        " slashing thunder"
    )
    assert fight.ruleset.tables.damage_types == tuple(types.split())
    fight.refuses("damage mira 5 fir", "did you mean fire?")
    fight.refuses("damage mira 5 sonic", "'sonic'")


def test_a_critical_doubles_all_of_its_damage_before_all_else(imp: Fight) -> None:
    """Level Up, Critical Hits, Damage Resistance, Vulnerability and Immunity: 9 are 18; half of it
    for resistance to mundane weapons is 9."""
    assert lost(imp, "attack imp crit 9 slashing") == 9
    assert lost(imp, "attack ghoul-1 crit 9", "ghoul-1") == 18


def test_half_for_some_or_for_all(fight: Fight) -> None:
    """Level Up, Damage Rolls: one amount for all, half for whom it is said."""
    fight.do("damage brannoc,mira 8 fire half mira")
    assert (fight.hp("brannoc"), fight.hp("mira")) == (32, 20)
    fight.do("damage brannoc,mira 8 fire half")
    assert (fight.hp("brannoc"), fight.hp("mira")) == (28, 16)


def test_damage_for_several_is_rolled_once(fight: Fight) -> None:
    """Level Up, Damage Rolls: roll once for all."""
    fight.do("damage ghoul-1,ghoul-2 2d6 fire", faces=(3, 4))
    assert (fight.hp("ghoul-1"), fight.hp("ghoul-2")) == (15, 15)


def test_hp_stay_between_0_and_their_maximum(fight: Fight) -> None:
    """Level Up, Healing and Recovery: the excess has no effect."""
    fight.do("damage mira 4", "heal mira 6")
    assert fight.hp("mira") == 24
    fight.do("damage mira 28")
    assert fight.hp("mira") == 0


def test_the_dead_are_neither_hurt_nor_healed(fight: Fight) -> None:
    """Level Up, Healing and Recovery."""
    fight.do("damage ghoul-1 22")
    for line in ("heal ghoul-1 5", "damage ghoul-1 5", "temp ghoul-1 5"):
        fight.refuses(line, "Ghoul 1 is dead")


def test_temporary_hp_go_first_and_exceed_the_maximum(fight: Fight) -> None:
    """Level Up, Temporary Hit Points: 5 of them and 8 damage leave 3."""
    fight.do("temp mira 5", "damage mira 8")
    assert (fight.track("mira", "temp_hp"), fight.hp("mira")) == (0, 21)


def test_temporary_hp_of_a_duration_end_with_it(fight: Fight) -> None:
    """Temporary Hit Points: until depleted or a long rest, unless a duration is said."""
    fight.do("temp mira 5 until start of mira", "temp ghoul-1 4")
    assert fight.until("mira", "temporary-hp") == "start of mira's next turn"
    fight.do("next")
    assert (fight.track("mira", "temp_hp"), fight.track("ghoul-1", "temp_hp")) == (0, 4)
    fight.do("temp mira 5 for 2 turns", "damage mira 6")
    assert (fight.hp("mira"), "temporary-hp" in fight.effects("mira")) == (23, False)
    fight.do("temp mira 5 until fight", "temp mira 8", "end")
    assert fight.track("mira", "temp_hp") == 8


def test_of_two_amounts_of_temporary_hp_the_higher_stays_unless_it_is_said(fight: Fight) -> None:
    """Level Up, Temporary Hit Points; ruling 28."""
    fight.do("temp mira 5", "temp mira 10")
    assert fight.track("mira", "temp_hp") == 10
    fight.do("temp mira 5")
    assert fight.track("mira", "temp_hp") == 10
    fight.do("temp mira 5 new")
    assert fight.track("mira", "temp_hp") == 5
    fight.do("temp mira 10 keep")
    assert fight.track("mira", "temp_hp") == 5


def test_temporary_hp_neither_wake_nor_stabilise_and_still_absorb(fight: Fight) -> None:
    """Level Up, Temporary Hit Points: at 0 HP too; what they absorb whole sets nothing off
    (ruling 12)."""
    fight.do("damage mira 24", "temp mira 5", "damage mira 5 fire")
    assert (fight["mira"].life, fight.counted("mira")) == ("dying", (0, 0))
    fight.do("temp mira 3", "damage mira 5 fire")
    assert (fight.track("mira", "temp_hp"), fight.counted("mira")) == (0, (1, 0))


def test_nothing_hinders_above_0(fight: Fight) -> None:
    """Level Up, Healing and Recovery."""
    fight.do("damage mira 23")
    assert fight["mira"].life == "up" and not fight.effects("mira")


def test_two_words_that_exclude_each_other_are_refused(fight: Fight) -> None:
    fight.refuses("damage mira 5 fatigue strife", "given twice")
    fight.refuses("damage mira 5 magical mundane", "given twice")
    fight.refuses("temp mira 5 new keep", "given twice")
