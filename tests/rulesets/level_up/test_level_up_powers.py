"""Monsters with what is on their sheet: attacks that bring more than damage, powers, saves.

Level Up, Actions in Combat, Saving Throws, Damage Rolls, Example Environments (Recharge).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.engine.events import Rolled

if TYPE_CHECKING:
    from tests.rulesets.level_up.conftest import Fight

DRAKE = (
    "add monster Drake hp 50 ac 15 legendary 3"
    " attack bite +7 2d6+4 piercing reach 10 plus 1d8 fire inflicts grappled 14"
    " attack sting +5 1d4 piercing save con dc 13 2d8 poison half inflicts poisoned for 2 turns"
    ' power "Fire Breath" recharge 5 save dex dc 14 8d6 fire half inflicts prone text "A cone."'
    " power Tail legendary 2 +7 1d8+4 bludgeoning inflicts prone"
    ' power Wings trait text "It needs no ground."'
    ' power Roar bonus uses 1 per fight inflicts "frightened" user-end'
    " power Heat reaction 1d6 fire plus 2 acid"
)
MIRA = "add pc Mira hp 60 ac 14 dex 3 pb 2 saves dex resist fire"
GHOUL = "add monster Ghoul hp 60 ac 12 dex -1"


@pytest.fixture
def drake(new_fight: Callable[..., Fight]) -> Fight:
    """The drake is up, then Mira, then a ghoul."""
    order = ("init drake 20", "init mira 10", "init ghoul 5", "start")
    return new_fight(DRAKE, MIRA, GHOUL, *order)


def why(fight: Fight, power: str) -> str:
    """Why the drake can't use it; empty where it can."""
    return str(fight.option("drake", f"power {power}").get("reason", ""))


# -- what a hit brings -----------------------------------------------------------------------------


def test_each_type_of_an_attacks_damage_meets_its_own_resistance(drake: Fight) -> None:
    """Level Up, Damage Resistance: 6 piercing, and half of 7 fire."""
    drake.do("attack mira natural 15", faces=(1, 1, 7))
    assert drake.hp("mira") == 60 - 6 - 3


def test_a_critical_doubles_each_type(drake: Fight) -> None:
    """Level Up, Critical Hits: 12 piercing, and half of 14 fire."""
    drake.do("attack mira natural 20", faces=(1, 1, 7))
    assert drake.hp("mira") == 60 - 12 - 7


def test_fire_from_a_mundane_weapon_is_fire_all_the_same(drake: Fight) -> None:
    """Level Up, Damage Resistance: what keeps off weapons that aren't magical halves the bite."""
    drake.do("inflict ghoul resistance mundane", "attack ghoul hit 8 piercing 6 fire")
    assert drake.hp("ghoul") == 60 - 4 - 6


def test_what_is_called_out_is_all_that_the_attack_deals(drake: Fight) -> None:
    drake.do("attack mira hit 8")
    assert drake.hp("mira") == 52
    drake.do("undo", "attack mira hit 8 piercing 9 fire")
    assert drake.hp("mira") == 60 - 8 - 4


def test_both_types_at_0_hp_are_one_blow(drake: Fight) -> None:
    """Level Up, Dying and Death Saving Throws: one failure for one attack."""
    drake.do("set mira hp 5", "attack mira hit 8 piercing 9 fire")
    assert drake["mira"].life == "dying"
    drake.do("next", "react opportunity-attack mira hit failure 2 piercing 4 fire by drake")
    assert drake.counted("mira")[0] == 1


@pytest.mark.parametrize(("outcome", "held"), [("hit 5", True), ("miss", False)])
def test_a_hit_inflicts_what_the_sheet_says(drake: Fight, outcome: str, held: bool) -> None:
    drake.do(f"attack mira {outcome}")
    assert ("grappled" in drake.effects("mira")) is held


def test_the_grapples_dc_is_the_sheets(drake: Fight) -> None:
    drake.do("attack mira hit 5", "next", "escape natural 13")
    assert "grappled" in drake.effects("mira")
    drake.do("undo", "escape natural 14")
    assert "grappled" not in drake.effects("mira")


def test_who_is_prone_does_not_fall_again(drake: Fight) -> None:
    drake.do("inflict mira prone", "next", "power tail mira hit 5 by drake")
    assert [e.name for e in drake["mira"].effects] == ["prone"]


# -- saves -----------------------------------------------------------------------------------------


def test_a_characters_save_waits_for_the_players_die(drake: Fight) -> None:
    """Level Up, Saving Throws."""
    drake.do("attack mira hit 2 with sting", faces=(5, 6))
    assert drake.hp("mira") == 58
    assert drake.pending == [("mira", "Mira makes a constitution save, DC 13, against sting")]
    drake.do("withstand mira natural 12")
    assert drake.hp("mira") == 58 - 11
    assert drake.until("mira", "poisoned").startswith("end of mira")
    assert not drake.pending


@pytest.mark.parametrize(("die", "left", "is_poisoned"), [(2, 1, True), (19, 3, False)])
def test_who_lives_by_a_block_saves_against_what_a_hit_asks(
    drake: Fight, die: int, left: int, is_poisoned: bool
) -> None:
    """Level Up, Critical Hits: killed by the critical, it had no save to make; the die that falls
    now is told, and the damage that it is about is as it fell."""
    drake.do("set ghoul hp 9", "attack ghoul crit 5 with sting", faces=(1, 2))
    assert drake["ghoul"].life == "dead"
    drake.do("react block by ghoul", faces=(die,))
    assert (drake["ghoul"].life, drake.hp("ghoul")) == ("up", left)
    assert ("poisoned" in drake.effects("ghoul")) is is_poisoned
    assert [e.for_ for e in drake.events if isinstance(e, Rolled)] == ["con save"]


def test_the_save_that_a_block_brings_can_be_resisted(drake: Fight) -> None:
    """The block is decided again with the save made, and what it blocks is blocked still."""
    drake.do("add monster Imp hp 9 ac 12 legendary-resistance 1", faces=(1,))
    drake.do("attack imp crit 5 with sting", faces=(1, 2))
    drake.do("react block by imp", faces=(2,))
    drake.do("legendary-resistance imp")
    assert (drake["imp"].life, drake.hp("imp")) == ("up", 3)
    assert "poisoned" not in drake.effects("imp")


def test_who_saves_takes_half_where_the_sheet_says_so(drake: Fight) -> None:
    drake.do("attack mira hit 2 with sting", "withstand mira success", faces=(5, 6))
    assert drake.hp("mira") == 58 - 5
    assert "poisoned" not in drake.effects("mira")


def test_a_save_that_nobody_made_by_the_turns_end_is_rolled(drake: Fight) -> None:
    drake.do("attack mira hit 2 with sting", faces=(5, 6))
    drake.do("next", "next", faces=(3,))
    assert "poisoned" in drake.effects("mira")


def test_the_dead_owe_no_save_and_hold_up_no_turn(drake: Fight) -> None:
    """Level Up, Massive Damage and Instant Death: who dies before the player's die falls, or of the
    first of two saves."""
    drake.do('power "Fire Breath" mira 20', "damage mira 200", "massive mira failure")
    assert drake.who("mira")["life"] == "dead" and not drake.pending
    assert drake.do("next").shown["turn"] == "ghoul"
    drake.do("undo 4", 'power "Fire Breath" mira 20')
    drake.do("react opportunity-attack mira hit 2 with sting", faces=(4, 4))
    drake.do("set mira hp 0", "set mira death-failures 2").do("next", faces=(1,))
    assert drake.who("mira")["life"] == "dead"
    assert "threatened" not in drake.effects("mira") and drake.shown["turn"] == "ghoul"
    assert len(drake.rolls) == 1


def test_nobody_withstands_what_is_not_there(drake: Fight) -> None:
    drake.refuses("withstand mira success", "Mira owes no roll")


def test_damage_falls_once_and_monsters_save_at_once(drake: Fight) -> None:
    """Level Up, Damage Rolls: once for all; the ghoul fails, Mira resists and saves."""
    drake.do("power fire mira,ghoul", faces=(*[2] * 8, 5))
    assert (drake.hp("ghoul"), drake.hp("mira")) == (44, 60)
    assert "prone" in drake.effects("ghoul")
    drake.do("withstand mira natural 11")
    assert drake.hp("mira") == 60 - 4


def test_what_is_said_of_a_powers_saves_counts_for_them(drake: Fight) -> None:
    """Cover: +2 to saving throws; of a save that waits it is said when that is made."""
    drake.do('power "Fire Breath" ghoul natural 12 20 cover')
    assert (drake.rolled.total, drake.outcome) == (13, "failure")
    drake.do("undo", 'power "Fire Breath" mira,ghoul natural 3,9 natural 13,4 20 adv cover')
    assert [(roll.total, roll.outcome) for roll in drake.rolls] == [
        (16, "success"),
        (14, "success"),
    ]
    drake.do("undo").refuses('power "Fire Breath" mira 20 cover', "withstand mira")
    drake.refuses('power "Fire Breath" ghoul natural 12 20 total-cover', "total cover")


def test_the_damage_of_an_attack_power_falls_once_for_all_that_it_hits(drake: Fight) -> None:
    """Level Up, Damage Rolls: more than one target at the same time. What one of them gets doubled
    is the same dice."""
    drake.do("next").do("power Tail mira,ghoul hit,crit by drake", faces=(6,))
    assert (drake.hp("mira"), drake.hp("ghoul")) == (60 - 10, 60 - 20)
    drake.do("undo").do("power Tail mira,ghoul miss,hit by drake", faces=(6,))
    assert (drake.hp("mira"), drake.hp("ghoul")) == (60, 60 - 10)


def test_everybody_whom_one_power_hit_critically_can_block(drake: Fight) -> None:
    """Fatigue: "when you take a critical hit"; Level Up, Critical Hits. The dice lie as they
    fell."""
    drake.do("next").do("power Tail mira,ghoul by drake", faces=(20, 6, 20))
    assert (drake.hp("mira"), drake.hp("ghoul")) == (60 - 20, 60 - 20)
    drake.do("react block by ghoul", "react block by mira")
    assert (drake.hp("mira"), drake.hp("ghoul")) == (60 - 10, 60 - 10)
    assert drake.tired("mira") == drake.tired("ghoul") == (1, 0)
    drake.refuses("react block by mira", "no critical hit")
    assert drake.do("undo 2").hp("mira") == 60 - 20
    drake.do("react block by mira")
    assert (drake.hp("mira"), drake.hp("ghoul")) == (60 - 10, 60 - 20)


def test_a_block_leaves_the_save_behind_a_hit_as_it_was_rolled(drake: Fight) -> None:
    """Level Up, Critical Hits: the attack and the save of whoever blocks are not rolled anew."""
    drake.do("attack ghoul with sting", faces=(20, 3, 4, 5, 2))
    assert drake.hp("ghoul") == 60 - 6 - 9
    drake.do("react block by ghoul")
    assert (drake.hp("ghoul"), "poisoned" in drake.effects("ghoul")) == (60 - 3 - 9, True)


def test_saves_that_are_known_are_said_with_the_power(drake: Fight) -> None:
    drake.do("power fire mira,ghoul failure,success 20")
    assert (drake.hp("mira"), drake.hp("ghoul")) == (50, 50)
    assert drake.effects("mira") == {"prone"}


# -- price, uses, recharge -------------------------------------------------------------------------


def test_a_power_tells_its_text_and_a_trait_costs_nothing(drake: Fight) -> None:
    drake.do("next", "power wings by drake")
    assert "needs no ground" in str(drake.events)
    assert drake.track("drake", "action") == 1


def test_what_recharges_is_back_when_its_die_shows_it(drake: Fight) -> None:
    """Level Up, Example Environments: Recharge 5-6, at the start of its turn."""
    drake.do("power fire ghoul success 4")
    assert why(drake, "Fire Breath") == "expended until a d6 shows 5 or more"
    drake.refuses("power fire ghoul success 4", "expended until a d6 shows 5 or more")
    drake.do("next", "next", "next", faces=(4,))
    assert "is not back yet" in str(drake.events)
    drake.do("next", "next", "next", faces=(5,))
    assert "Fire Breath is back" in str(drake.events)
    assert why(drake, "Fire Breath") == ""


def test_what_recharges_is_back_after_a_rest(drake: Fight) -> None:
    drake.do("power fire ghoul success 4", "end", "rest short with drake")
    assert drake["drake"].uses == {}


def test_a_limited_power_is_back_with_the_next_fight(drake: Fight) -> None:
    drake.do("power roar mira")
    assert drake.until("mira", "frightened") == "end of drake's next turn"
    assert why(drake, "Roar") == "used 1 of 1 in this fight"
    drake.do("end")
    assert why(drake, "Roar") == ""


def test_legendary_actions_are_for_others_turns_and_come_back_with_ones_own(drake: Fight) -> None:
    drake.do("next", "power tail mira by drake", faces=(12, 3))
    assert (drake.track("drake", "legendary"), drake.hp("mira")) == (1, 53)
    drake.refuses("power tail mira by drake", "1 Legendary actions left, needs 2")
    drake.do("next", "next")
    assert drake.track("drake", "legendary") == 3


def test_a_reaction_and_damage_that_nothing_keeps_off(drake: Fight) -> None:
    drake.do("next", "power heat ghoul by drake", faces=(6,))
    assert drake.hp("ghoul") == 60 - 8
    drake.refuses("power heat ghoul by drake", "reaction used")
    drake.refuses("power heat ghoul success by drake", "reaction used")


def test_a_bonus_has_a_sign_and_a_plain_number_is_damage(new_fight: Callable[..., Fight]) -> None:
    fight = new_fight(
        "add monster Imp hp 9 legendary 1 power Prod legendary +3 1 fire power Aura 2"
    )
    prod, aura = fight["imp"].stats["powers"]
    assert prod == {"name": "Prod", "legendary": 1, "bonus": 3, "dice": "1", "type": "fire"}
    assert aura == {"name": "Aura", "dice": "2"}


def test_an_undo_takes_back_all_that_a_power_brought(drake: Fight) -> None:
    before = drake.state
    drake.do("power fire mira,ghoul failure 20", "undo")
    assert drake.state == before


@pytest.mark.parametrize(
    ("line", "why_not"),
    [
        ("power smoke", "Fire Breath"),
        ("power wings mira success", "nothing is rolled against it"),
        ("power fire mira hit 5", "did not expect"),
        ("power fire mira failure 5 fire 3 cold", "damage of one type"),
        ("power tail mira by mira", "there is none"),
        ("power roar mira by ghoul", "there is none"),
    ],
)
def test_what_makes_no_sense_is_refused(drake: Fight, line: str, why_not: str) -> None:
    drake.refuses(line, why_not)


def test_a_save_against_a_sting_is_owed_though_it_has_left(drake: Fight) -> None:
    sting = "react opportunity-attack mira hit 2 with sting by drake"
    drake.do("next", sting, "leave drake", "withstand mira success", faces=(5, 6))
    assert drake.hp("mira") == 53
