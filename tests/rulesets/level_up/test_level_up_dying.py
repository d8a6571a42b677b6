"""At 0 HP. Level Up, Fatigue, Death, and Doom."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.level_up.conftest import Fight

WARDEN = "add monster Warden hp 20 ac 12 hit-dice 4 con 1 important"
SEER = "add monster Seer hp 20 ac 12 dramatic"
RAT = "add monster Rat hp 2 ac 10"


@pytest.fixture
def down(fight: Fight) -> Fight:
    """Mira fell in Brannoc's turn; it is hers now, and she owes a death save."""
    return fight.do("damage mira 24 slashing", "next")


# -- falling ---------------------------------------------------------------------------------------


def test_a_character_at_0_is_unconscious_prone_and_dying_and_tired_by_it(fight: Fight) -> None:
    """Level Up, Dropping to 0 Hit Points; ruling 29."""
    fight.do("damage mira 25")
    assert (fight["mira"].life, fight.hp("mira"), fight.tired("mira")) == ("dying", 0, (1, 0))
    assert fight.effects("mira") == {"unconscious", "prone"}


def test_whoever_falls_while_concentrating_is_told_to_the_gm(fight: Fight) -> None:
    """The text has no rule by which unconsciousness ends it, so none does; it isn't forgotten."""
    fight.do("next", "cast Fog concentration", "damage mira 24")
    assert "Mira concentrates on Fog: you say whether that ends" in fight.notes
    assert "concentrating" in fight.effects("mira")
    fight.do("damage brannoc 40")
    assert "concentrates" not in fight.notes


def test_falling_tires_once_in_a_fight(fight: Fight) -> None:
    """Level Up, Dropping to 0 Hit Points; ruling 8: once, however often."""
    fight.do("damage mira 24", "heal mira 1", "damage mira 1", "heal mira 1", "damage mira 9")
    assert fight.tired("mira") == (1, 0)
    fight.do("heal mira 9", "end", "init roll all", faces=(9, 9, 9, 9)).do("start", "damage mira 9")
    assert fight.tired("mira") == (2, 0)


def test_falling_tires_every_time_where_the_table_wants_it(fight: Fight) -> None:
    """Level Up, ruling 8: the setting `falls every`."""
    fight.do("setting falls every", "damage mira 24", "heal mira 1", "damage mira 1")
    assert fight.tired("mira") == (2, 0)


def test_falling_outside_of_a_fight_does_not_tire(gathered: Fight) -> None:
    """Level Up, Dropping to 0 Hit Points: in a fight."""
    gathered.do("damage mira 24")
    assert (gathered["mira"].life, gathered.tired("mira")) == ("dying", (0, 0))


def test_any_hp_regained_wake_and_clear_the_counts(down: Fight) -> None:
    """Level Up, Dropping to 0 Hit Points, Dying and Death Saving Throws: still prone."""
    down.do("death mira failure", "next", "heal mira 1")
    assert (down["mira"].life, down.counted("mira")) == ("up", (0, 0))
    assert down.effects("mira") == {"prone"}


def test_the_unconscious_can_do_nothing(down: Fight) -> None:
    """Level Up, Actions in Combat."""
    assert down.reason("mira", "dash") == "dying"
    down.refuses("dash by mira", "dying")
    down.do("heal mira 1", "inflict mira unconscious")
    assert "unconscious" in down.reason("mira", "dash")


# -- massive damage --------------------------------------------------------------------------------


def test_massive_is_20_and_three_for_each_level(fight: Fight) -> None:
    """Level Up, Massive Damage and Instant Death; Hit Dice for creatures."""
    assert [fight.total(who, "massive") for who in ("brannoc", "mira", "ghoul-1")] == [35, 29, 35]


def test_the_texts_sorcerer_owes_a_save_for_54_and_none_for_27(
    new_fight: Callable[..., Fight],
) -> None:
    """Level Up, Massive Damage: level 8, 25 HP, 54 acid."""
    sorcerer = ("add pc Sorcerer hp 25 ac 12 level 8", "start")
    fight = new_fight(*sorcerer, "damage sorcerer 54 acid", faces=(10,))
    assert fight.total("sorcerer", "massive") == 44
    assert any("massive damage" in what for _, what in fight.pending)
    fight = new_fight(*sorcerer, "damage sorcerer 54 acid half", faces=(10,))
    assert fight["sorcerer"].life == "dying"
    fight.refuses("massive sorcerer success", "owes no save")


@pytest.mark.parametrize("line", ["damage mira 28", "damage ghoul-1 99", "damage mira 23"])
def test_less_than_massive_and_whoever_dies_at_0_owes_nothing(fight: Fight, line: str) -> None:
    """Level Up, Massive Damage and Instant Death, Monsters, NPCs, and Death."""
    fight.do(line)
    fight.refuses(f"massive {line.split()[1]} success", "owes no save")


def test_massive_counts_what_was_dealt_after_resistance_with_temporary_hp(fight: Fight) -> None:
    """Level Up, Massive Damage and Instant Death; ruling 9."""
    fight.do("temp mira 10", "damage mira 34")
    assert (fight.hp("mira"), len(fight.pending)) == (0, 1)
    fight.do("undo 2", "inflict mira resistance fire", "damage mira 57 fire")
    fight.refuses("massive mira success", "owes no save")
    fight.do("undo", "damage mira 58 fire")
    assert fight.pending[0][0] == "mira"


def test_who_is_not_brought_to_0_or_lies_there_owes_nothing(fight: Fight) -> None:
    """Level Up, Massive Damage and Instant Death: brought to 0 by it."""
    fight.do("damage mira 24", "damage mira 50")
    fight.refuses("massive mira success", "owes no save")


def test_massive_damage_survived_costs_a_level_of_each_beside_the_fall(fight: Fight) -> None:
    """Level Up, Massive Damage and Instant Death; ruling 9: 2 fatigue, 1 strife for whoever falls
    for the first time in the fight."""
    fight.do("damage mira 29")
    assert "Mira owes a Constitution save" in fight.notes
    fight.do("massive mira success")
    assert (fight["mira"].life, fight.tired("mira")) == ("dying", (2, 1))
    fight.refuses("massive mira success", "owes no save")


def test_massive_damage_not_survived_is_death(fight: Fight) -> None:
    """Level Up, Massive Damage and Instant Death."""
    fight.do("damage mira 29", "massive mira failure")
    assert fight["mira"].life == "dead"


def test_the_save_against_massive_damage_is_constitution_dc_15(fight: Fight) -> None:
    """Level Up, Massive Damage and Instant Death: Brannoc adds 2, and 3 as he is proficient."""
    fight.do("damage brannoc 40", "massive brannoc natural 10")
    rolled = fight.rolled
    assert (rolled.total, rolled.dc, rolled.outcome) == (15, 15, "success")


def test_the_save_against_massive_damage_is_owed_at_once(fight: Fight) -> None:
    """Level Up, Massive Damage and Instant Death: whoever ends the turn has it rolled."""
    fight.do("damage mira 29")
    (owed,) = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    assert owed.holds and owed.die == "massive mira"
    assert [choice.command for choice in owed.choices] == [
        "massive mira success",
        "massive mira failure",
        "massive mira roll",
    ]
    fight.do("next", faces=(14,))
    assert fight["mira"].life == "dead"


def test_the_save_against_massive_damage_is_rolled_as_the_fight_ends(fight: Fight) -> None:
    fight.do("damage mira 29").do("end", faces=(15,))
    assert fight.tired("mira") == (2, 1)


# -- death saves -----------------------------------------------------------------------------------


def test_a_death_save_is_due_at_the_start_of_each_turn_at_0(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws."""
    assert down.pending == [("mira", "Mira is dying: death save")]
    down.do("death mira natural 10")
    assert (down.counted("mira"), down.pending) == ((0, 1), [])
    down.do("next", "next", "next", "next")
    assert down.pending == [("mira", "Mira is dying: death save")]


def test_10_succeeds_and_9_fails_and_no_ability_is_added(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws: Mira's modifiers don't count."""
    down.do("death mira natural 9")
    assert (down.rolled.total, down.rolled.dc, down.counted("mira")) == (9, 10, (1, 0))


def test_what_changes_saves_counts_for_death_saves(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws: effects that modify the chances of a saving
    throw."""
    down.do("modifier mira +2 save", "death mira natural 8")
    assert (down.rolled.total, down.outcome) == (10, "success")
    down.do("undo", "death mira natural 7 plus 1")
    assert (down.rolled.total, down.outcome) == (10, "success")
    down.do("undo 2", "modifier mira adv save", "death mira natural 4,15")
    assert down.outcome == "success"
    down.do("undo 2", "death mira natural 15,4 dis")
    assert down.outcome == "failure"
    down.do("undo").refuses("death mira natural 15,4", "there is neither")


def test_three_failures_kill_and_need_not_be_in_a_row(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws."""
    for outcome in ("failure", "success", "failure", "success"):
        down.do(f"death mira {outcome} extra")
    assert (down["mira"].life, down.counted("mira")) == ("dying", (2, 2))
    down.do("death mira failure")
    assert down["mira"].life == "dead"


def test_three_successes_stabilise_and_clear_both_counts(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws, Stabilizing a Creature: and remind of the hours."""
    for outcome in ("failure", "success", "success", "success"):
        down.do(f"death mira {outcome} extra")
    assert (down["mira"].life, down.counted("mira")) == ("stable", (0, 0))
    assert "1d4 hours" in down.notes and "unconscious" in down.effects("mira")
    down.do("next", "next", "next", "next")
    assert down.pending == []
    down.refuses("death mira success", "not dying but stable")


def test_one_death_save_for_each_start_of_a_turn_at_0_hp(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws: not before the turn, and not twice in it."""
    down.do("death mira failure")
    down.refuses("death mira success", "none is due: `extra` is for another")
    down.do("next").refuses("death mira success", "none is due")
    down.do("death mira success extra", "next", "next", "next", "death mira success")
    assert down.counted("mira") == (1, 2)


def test_behind_a_fight_nobody_counts_turns(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws: there is no start of a turn to wait for."""
    down.do("end", "death mira success", "death mira success")
    assert down.counted("mira")[1] == 2


def test_death_leaves_no_hp_whatever_was_given_meanwhile(fight: Fight) -> None:
    """Level Up, Massive Damage: what is written by hand settles the save, and nobody is dead with
    HP."""
    fight.do("damage mira 29").refuses("heal mira 5", "`massive mira OUTCOME` comes first")
    fight.do("set mira hp 5").refuses("massive mira failure", "owes no save")
    assert (fight["mira"].life, fight.hp("mira")) == ("up", 5)


def test_a_natural_1_fails_and_brings_a_level_of_each(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws; ruling 7."""
    down.do("death mira natural 1")
    assert (down.counted("mira"), down.tired("mira")) == ((1, 0), (2, 1))


def test_a_natural_1_does_not_fail_where_the_table_wants_it(down: Fight) -> None:
    """Level Up, ruling 7: the setting `death-one no-failure`."""
    down.do("setting death-one no-failure", "death mira natural 1")
    assert (down.counted("mira"), down.tired("mira")) == ((0, 0), (2, 1))


def test_a_natural_1_fails_whatever_is_added(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws."""
    down.do("death mira natural 1 plus 20")
    assert down.counted("mira") == (1, 0)


def test_a_natural_20_gives_1_hp_and_the_turn_goes_on(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws."""
    down.do("death mira success extra", "death mira natural 20")
    assert (down["mira"].life, down.hp("mira"), down.counted("mira")) == ("up", 1, (0, 0))
    assert down.effects("mira") == {"prone"} and down.shown["turn"] == "mira"
    down.do("dash")


def test_a_death_save_that_is_owed_is_rolled_before_the_turn_ends(down: Fight) -> None:
    """Level Up, Ongoing Damage."""
    down.do("next", faces=(5,))
    assert down.shown["turn"] == "ghoul-1" and down.counted("mira") == (1, 0)


def test_the_natural_20_of_a_save_rolled_at_the_end_keeps_the_turn(down: Fight) -> None:
    """Level Up, Ongoing Damage, Dying and Death Saving Throws."""
    down.do("next", faces=(20,))
    assert down.shown["turn"] == "mira" and down["mira"].life == "up"


def test_who_falls_in_a_turn_of_their_own_owes_no_save_in_it(fight: Fight) -> None:
    """Level Up, Dying and Death Saving Throws: at the start of a turn at 0."""
    fight.do("damage brannoc 34")
    fight.do("damage brannoc 6")
    assert fight.pending == []
    fight.do("next")
    assert fight.counted("brannoc") == (0, 0)


def test_death_saves_are_for_the_dying(fight: Fight) -> None:
    fight.refuses("death mira success", "Mira is not dying but up")
    fight.refuses("death mira crit", "expected an outcome")


# -- hurt at 0 HP ----------------------------------------------------------------------------------


def test_an_attackers_choice_must_be_said(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws."""
    down.do("death mira failure", "next")
    down.refuses("attack mira hit 3", "failure, fatigue or strife")
    down.do("attack mira hit 3 failure")
    assert (down.counted("mira"), down.tired("mira")) == ((2, 0), (1, 0))


@pytest.mark.parametrize(("choice", "tired"), [("fatigue", (2, 0)), ("strife", (1, 1))])
def test_an_attacker_chooses_a_level_instead(
    down: Fight, choice: str, tired: tuple[int, int]
) -> None:
    """Level Up, Dying and Death Saving Throws."""
    down.do("death mira success", "next", f"attack mira hit 3 {choice}")
    assert (down.counted("mira"), down.tired("mira")) == ((0, 1), tired)


def test_a_critical_at_0_brings_a_level_of_fatigue_besides(down: Fight) -> None:
    """Level Up, Dropping to 0 Hit Points."""
    down.do("death mira success", "next", "attack mira crit 3 failure")
    assert (down.counted("mira"), down.tired("mira")) == ((1, 1), (2, 0))


def test_what_an_attack_that_is_rolled_brings_is_said_before_the_dice_fall(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws: no roll is made twice for want of a word."""
    down.do("death mira success", "next")
    down.refuses("attack mira", "failure, fatigue or strife")
    down.refuses("attack mira roll", "failure, fatigue or strife")
    down.do("attack mira strife", faces=(2,))
    assert (down.outcome, down.tired("mira")) == ("miss", (1, 0))


def test_an_attack_that_misses_or_is_absorbed_needs_no_choice(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws; ruling 12."""
    down.do("temp mira 9", "death mira success", "next", "attack mira crit 3")
    assert (down.counted("mira"), down.tired("mira")) == ((0, 1), (1, 0))
    down.do("undo", "attack mira miss")
    assert down.counted("mira") == (0, 1)


def test_other_damage_at_0_is_a_failed_save_or_what_the_gm_says(down: Fight) -> None:
    """Level Up, Dying and Death Saving Throws."""
    down.do("damage mira 1")
    assert (down.counted("mira"), down.tired("mira")) == ((1, 0), (1, 0))
    down.do("damage mira 1 fire fatigue", "damage mira 1 strife")
    assert (down.counted("mira"), down.tired("mira")) == ((1, 0), (2, 1))
    down.do("damage mira 1", "damage mira 1")
    assert down["mira"].life == "dead"


def test_damage_that_comes_to_nothing_sets_nothing_off_at_0(down: Fight) -> None:
    """Level Up, ruling 12."""
    down.do("inflict mira immunity fire", "damage mira 9 fire")
    assert down.counted("mira") == (0, 0)


def test_ongoing_damage_at_0_is_other_damage(fight: Fight) -> None:
    """Level Up, Ongoing Damage."""
    fight.do("inflict mira ongoing 3 fire", "damage mira 24", "next", "death mira success", "next")
    assert fight.counted("mira") == (1, 1)


def test_any_damage_ends_being_stable(down: Fight) -> None:
    """Level Up, Stabilizing a Creature: and what hurt counts."""
    down.do(*["death mira success extra"] * 3, "damage mira 2")
    assert (down["mira"].life, down.counted("mira")) == ("dying", (1, 0))


# -- stable, knocked out ---------------------------------------------------------------------------


def test_first_aid_stabilises(fight: Fight) -> None:
    """Level Up, Stabilizing a Creature: Wisdom (Medicine) DC 10."""
    fight.do("damage mira 24", "first-aid mira natural 9")
    assert (fight.rolled.total, fight.rolled.dc) == (10, 10)
    assert (fight["mira"].life, fight.track("brannoc", "action")) == ("stable", 0)
    assert "unconscious" in fight.effects("mira")


def test_knocked_out_by_a_melee_attack(fight: Fight) -> None:
    """Level Up, Knocking a Creature Out, Monsters, NPCs, and Death: works on anybody; unconscious,
    one fatigue, stable."""
    fight.do("attack ghoul-1 hit 30 knockout", "attack ghoul-2 hit 22", "knock-out ghoul-2")
    for ghoul in ("ghoul-1", "ghoul-2"):
        assert (fight[ghoul].life, fight.tired(ghoul)) == ("stable", (1, 0))
        assert fight.effects(ghoul) == {"unconscious", "prone"}


def test_nobody_is_knocked_out_from_afar(fight: Fight) -> None:
    """Level Up, Knocking a Creature Out."""
    fight.do("next")
    fight.refuses("attack ghoul-1 hit 30 with bow knockout", "melee")
    fight.do("attack ghoul-1 hit 30 with bow")
    fight.refuses("knock-out ghoul-1", "only a melee attack")


def test_knocking_out_comes_right_after_the_damage(fight: Fight) -> None:
    """Level Up, Knocking a Creature Out: at that instant."""
    fight.do("damage ghoul-1,ghoul-2 22", "knock-out ghoul-1", "knock-out ghoul-2")
    assert fight["ghoul-2"].life == "stable"
    fight.do("undo", "note later")
    fight.refuses("knock-out ghoul-2", "right after")
    fight.refuses("knock-out mira", "was not just brought to 0 HP")


def test_what_hurts_as_a_turn_ends_is_no_attack_that_could_knock_out(fight: Fight) -> None:
    """Level Up, Knocking a Creature Out."""
    fight.do("inflict brannoc ongoing 40", "next")
    assert fight["brannoc"].life == "dying"
    fight.refuses("knock-out brannoc", "only a melee attack")


def test_being_knocked_out_brings_the_level_of_the_fall_and_no_second(fight: Fight) -> None:
    """Level Up, Knocking a Creature Out; ruling 8."""
    fight.do("damage mira 24 knockout")
    assert (fight["mira"].life, fight.tired("mira")) == ("stable", (1, 0))
    fight.do("undo", "damage mira 24", "knock-out mira")
    assert (fight["mira"].life, fight.tired("mira")) == ("stable", (1, 0))
    fight.do("heal mira 5", "damage mira 5 knockout")
    assert fight.tired("mira") == (1, 0)
    fight.do("setting falls every", "heal mira 5", "damage mira 5", "knock-out mira")
    assert fight.tired("mira") == (2, 0)


def test_the_knocked_out_owe_no_save_against_massive_damage(fight: Fight) -> None:
    """Level Up, Knocking a Creature Out."""
    fight.do("damage mira 60 knockout")
    assert (fight["mira"].life, fight.pending) == ("stable", [])
    fight.do("undo", "damage mira 60", "knock-out mira")
    assert (fight["mira"].life, fight.pending) == ("stable", [])


def test_a_monster_that_was_knocked_out_dies_of_the_next_damage(fight: Fight) -> None:
    """Level Up, ruling 13: and there is nothing to choose for its attacker."""
    fight.do("attack ghoul-1 hit 30 knockout", "attack ghoul-1 hit 1")
    assert fight["ghoul-1"].life == "dead"


def test_stable_ones_are_remembered_after_the_fight(fight: Fight) -> None:
    """Level Up, Stabilizing a Creature: 1 HP after 1d4 hours."""
    fight.do("damage mira 24 knockout", "end")
    assert fight.pending == [("mira", "Mira is stable: 1 HP after 1d4 hours")]
    fight.do("heal mira 1")
    assert (fight["mira"].life, fight.pending) == ("up", [])


# -- monsters --------------------------------------------------------------------------------------


def test_monsters_die_at_0_and_important_ones_are_dying(with_more: Callable[..., Fight]) -> None:
    """Level Up, Monsters, NPCs, and Death."""
    fight = with_more(WARDEN, RAT, then=("damage warden 20", "damage rat 2"))
    assert (fight["rat"].life, fight.effects("rat")) == ("dead", set())
    assert (fight["warden"].life, fight.tired("warden")) == ("dying", (1, 0))


def test_an_important_one_owes_the_save_against_massive_damage(
    with_more: Callable[..., Fight],
) -> None:
    """Level Up, Monsters, NPCs, and Death: 4 Hit Dice, 32."""
    fight = with_more(WARDEN, then=("damage warden 32", "massive warden natural 14"))
    assert (fight.rolled.total, fight.tired("warden")) == (15, (2, 1))


def test_a_dramatic_one_stays_awake_doomed_and_dies_as_its_next_turn_ends(
    with_more: Callable[..., Fight],
) -> None:
    """Level Up, Monsters, NPCs, and Death; ruling 33: it acts once more."""
    fight = with_more(SEER, then=("damage seer 99",))
    assert (fight["seer"].life, fight.hp("seer")) == ("up", 0)
    assert fight.effects("seer") == {"doomed"} and fight.pending == []
    fight.do("next", "next", "next", "next", "dash")
    assert fight.shown["turn"] == "seer"
    fight.do("next")
    assert fight["seer"].life == "dead" and "doomed" in fight.effects("seer")


def test_a_dramatic_one_is_not_killed_sooner_by_more_damage(
    with_more: Callable[..., Fight],
) -> None:
    """Level Up, Monsters, NPCs, and Death; ruling 33."""
    fight = with_more(SEER, then=("damage seer 20", "damage seer 20", "next", "damage seer 5"))
    assert fight["seer"].life == "up"
    assert [effect.name for effect in fight["seer"].effects] == ["doomed"]


def test_who_joins_at_0_hp_falls_by_the_first_damage(gathered: Fight) -> None:
    """Level Up, Dropping to 0 Hit Points, Monsters, NPCs, and Death."""
    fight = gathered.do(
        "add monster Husk hp 0/9 ac 10", "add pc Odo hp 0/9 ac 10", "damage husk,odo 1"
    )
    assert (fight["husk"].life, fight["odo"].life) == ("dead", "dying")


def test_a_dramatic_one_brought_down_in_its_own_turn_has_another(
    with_more: Callable[..., Fight],
) -> None:
    """Level Up, ruling 33: the end of its next turn."""
    fight = with_more(SEER, then=("next",) * 4)
    fight.do("damage seer 20", "next")
    assert fight["seer"].life == "up"
    fight.do("next", "next", "next", "next", "next")
    assert fight["seer"].life == "dead"


def test_a_dramatic_one_dies_with_the_fight(with_more: Callable[..., Fight]) -> None:
    """Level Up, ruling 33: no turn comes any more."""
    fight = with_more(SEER, then=("damage seer 20", "end"))
    assert fight["seer"].life == "dead"


def test_a_dramatic_one_can_be_knocked_out(with_more: Callable[..., Fight]) -> None:
    """Level Up, Knocking a Creature Out: anybody."""
    fight = with_more(SEER, then=("damage seer 20", "knock-out seer"))
    assert (fight["seer"].life, fight.tired("seer")) == ("stable", (1, 0))
    assert fight.effects("seer") == {"unconscious", "prone"}


# -- by hand ---------------------------------------------------------------------------------------


def test_hp_written_by_hand_bring_down_and_back(fight: Fight) -> None:
    fight.do("set mira hp 0")
    assert fight["mira"].life == "dying"
    fight.do("set mira hp 3")
    assert fight["mira"].life == "up"
    fight.do("damage ghoul-1 22", "set ghoul-1 hp 5")
    assert fight["ghoul-1"].life == "up"


def test_counts_written_by_hand_count(down: Fight) -> None:
    down.do("set mira death_successes 3")
    assert (down["mira"].life, down.counted("mira")) == ("stable", (0, 0))
    down.do("undo", "mark mira death_failures 3")
    assert down["mira"].life == "dead"
