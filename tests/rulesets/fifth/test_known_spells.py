"""Spells that are known by their names. SRD 5.2.1, Spell Slots."""

from __future__ import annotations

import pytest

from affray import Fight
from affray.core.parser.errors import Refused
from affray.rulesets.fifth.sheet import spells_of

CASTER = "add pc Wiz hp 20 ac 12 level 5 spell +5 spell-dc 13 slots 4,3,2"


def _fight(spells: str = "") -> Fight:
    fight = Fight("5e", seed=1)
    fight.do(f"{CASTER} {spells}", "add monster Ghoul hp 40 ac 12 dex 2")
    fight.do("init wiz 20", "init ghoul 3", "start")
    return fight


def test_a_spell_of_the_srd_on_a_sheet_has_its_level_and_all_that_it_does() -> None:
    fight = _fight('spells Fireball,Bless spells "Fire Bolt","Hold Person"')
    fireball, bless, bolt, hold = spells_of(fight.state["wiz"])
    assert (fireball.level, fireball.save.ability, fireball.save.dice) == (3, "dex", "8d6")
    assert (bless.level, bless.concentration) == (1, True)
    assert (bolt.level, bolt.bonus, bolt.dice) == (0, 5, "2d10")
    assert hold.save.ability == "wis"


def test_what_a_sheet_says_of_a_spell_stands() -> None:
    (spell,) = spells_of(_fight("spells Fireball 4 save con 2d6 cold").state["wiz"])
    assert (spell.level, spell.save.ability, spell.save.dice) == (4, "con", "2d6")


@pytest.mark.parametrize("spells", ["Murmur", "Fireball,Murmur", "Murmur 2d6 fire"])
def test_a_spell_of_no_known_level_asks_for_it(spells: str) -> None:
    with pytest.raises(Refused, match="the SRD doesn't have Murmur"):
        _fight(f"spells {spells}")
    assert spells_of(_fight("spells Murmur 0").state["wiz"])[0].level == 0
    assert spells_of(_fight("spells Murmur at-will").state["wiz"])[0].at_will


def test_a_level_that_a_sheet_says_leaves_the_rest_to_whoever_casts() -> None:
    (spell,) = spells_of(_fight("spells Fireball 4").state["wiz"])
    assert (spell.level, spell.save) == (4, None)


@pytest.mark.parametrize("game", ["5e", "level-up"])
def test_what_has_a_range_is_ranged_unless_it_is_thrown_or_melee(game: str) -> None:
    fight = Fight(game, seed=1)
    fight.do(
        "add pc Ann hp 20 ac 12 attack Bow +7 1d6 piercing range 80/320 "
        "attack Spear +5 1d6 piercing thrown range 9/20 attack Whip +5 1d4 slashing melee range 9"
    )
    reaches = [row.get("reach", "melee") for row in fight.state["ann"].stats["weapons"]]
    assert reaches == ["ranged", "melee", "melee"]


@pytest.mark.parametrize("game", ["5e", "level-up"])
def test_legendary_actions_that_went_to_a_power_are_told(game: str) -> None:
    fight = Fight(game, seed=1)
    said = "`legendary 3` is the cost of Tail"
    behind = fight.do("add monster Drake hp 99 ac 18 power Tail free 2d8 fire legendary 3")
    assert said in str(behind.events)
    ahead = fight.do("add monster Wyrm hp 99 ac 18 legendary 3 power Tail legendary 2")
    assert "is what" not in str(ahead.events)
