"""0 HP. Orcus, Staggered, Dropping to 0, Death Saving Throws, Knocking a Creature Out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


@pytest.fixture
def down(fight: Fight) -> Fight:
    """Brannoc lies at −1 of 44 HP; it is Mira's turn."""
    return fight.do("next", "damage brannoc 45")


def test_staggered_at_half_the_hp(fight: Fight) -> None:
    """Orcus, Staggered: half your maximum hit points or fewer."""
    fight.do("damage brannoc 21")
    assert "staggered" not in fight.effects("brannoc")
    fight.do("damage brannoc 1")
    assert "staggered" in fight.effects("brannoc")
    fight.do("heal brannoc 1")
    assert "staggered" not in fight.effects("brannoc")


def test_a_character_at_0_falls_unconscious_and_prone(fight: Fight) -> None:
    """Orcus, Falling Unconscious; Unconscious: "you also fall prone"."""
    fight.do("damage brannoc 44")
    assert (fight["brannoc"].life, fight.hp("brannoc")) == ("dying", 0)
    assert {"unconscious", "dying", "prone", "staggered"} <= fight.effects("brannoc")
    assert fight.total("brannoc", "ac") == 13


def test_a_monster_dies_at_0_unless_it_is_important(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Monsters and Death."""
    fight = new_fight("add monster Orc hp 20 ac 14", "add monster Chief hp 20 ac 14 important")
    fight.do("damage orc,chief 22")
    assert (fight["orc"].life, fight["chief"].life) == ("dead", "dying")
    assert "staggered" not in fight.effects("orc")


def test_as_far_below_0_as_half_the_maximum_is_death(fight: Fight) -> None:
    """Orcus, Instant Death: −22 HP if your HP is 44."""
    fight.do("damage brannoc 65")
    assert (fight["brannoc"].life, fight.hp("brannoc")) == ("dying", -21)
    fight.do("damage brannoc 1")
    assert (fight["brannoc"].life, fight.hp("brannoc")) == ("dead", -22)
    assert fight.effects("brannoc") <= {"prone"}


def test_massive_damage_kills_at_once(fight: Fight) -> None:
    """Orcus, Instant Death."""
    fight.do("damage brannoc 66")
    assert fight["brannoc"].life == "dead"


def test_without_negative_hp_only_one_blow_kills(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Variant: No Negative HP, with the numbers of its example."""
    fight = new_fight("add pc Cleric hp 22 ac 15 recoveries 4", "setting negative-hp off")
    fight.do("damage cleric 23")
    assert (fight["cleric"].life, fight.hp("cleric")) == ("dying", 0)
    fight.do("damage cleric 7", "damage cleric 7")
    assert (fight["cleric"].life, fight.hp("cleric")) == ("dying", 0)
    fight.do("damage cleric 13")
    assert (fight["cleric"].life, fight.hp("cleric")) == ("dead", 0)


def test_a_death_save_waits_at_the_start_of_the_turn(down: Fight) -> None:
    """Orcus, Death Saving Throws: "whenever you start your turn"."""
    assert down.pending == []
    down.do("next", "next", "next")
    assert down.pending == [("brannoc", "Brannoc is dying: death save")]
    down.do("death brannoc natural 10")
    assert (down.outcome, down.track("brannoc", "death_successes"), down.pending) == (
        "success",
        1,
        [],
    )


@pytest.mark.parametrize(
    ("key", "outcome"), [("s", "success"), ("f", "failure"), ("c", "crit"), ("r", "success")]
)
def test_a_death_save_is_answered_by_its_choices(down: Fight, key: str, outcome: str) -> None:
    """Orcus, Death Saving Throws: 20 or higher, or a success, or none; or the die is rolled."""
    down.do("next", "next", "next")
    (waits,) = down.ruleset.turns.pending_decisions(down.ruleset.tables, down.state)
    (command,) = (c.command for c in waits.choices if c.key == key)
    down.do(command, faces=[12] if key == "r" else [])
    assert (down.outcome, down.pending) == (outcome, [])
    assert down.do("undo", f"{waits.die} natural 3").outcome == "failure"


def test_whoever_falls_in_their_own_turn_did_not_start_it_dying(fight: Fight) -> None:
    """Orcus, Death Saving Throws."""
    fight.do("damage brannoc 50")
    assert fight.pending == []
    fight.do("next")
    assert fight.track("brannoc", "death_failures") + fight.track("brannoc", "death_successes") == 0


def test_a_death_save_that_nobody_made_is_rolled(down: Fight) -> None:
    """Orcus, Death Saving Throws."""
    down.do("next", "next", "next")
    down.do("next", faces=(9,))
    assert down.track("brannoc", "death_failures") == 1


def test_a_20_that_the_program_rolls_comes_before_the_turn_is_over(down: Fight) -> None:
    """Orcus, Death Saving Throws: at the start, so that whoever comes to has the turn."""
    down.do("next", "next", "next")
    down.do("next", faces=(20,))
    assert (down.state.turn, down["brannoc"].life, down.hp("brannoc")) == ("brannoc", "up", 11)
    assert down.actions("brannoc") == (1, 1, 1)
    down.do("stand-up", "attack goblin-1 hit 5", "next")
    assert down.state.turn == "mira"


def test_any_other_death_save_that_the_program_rolls_ends_the_turn(down: Fight) -> None:
    """Orcus, Death Saving Throws."""
    down.do("set brannoc recoveries 0", "next", "next", "next")
    down.do("next", faces=(20,))
    assert (down.state.turn, down["brannoc"].life) == ("mira", "dying")
    assert saves_of(down, "brannoc") == (0, 1)


def test_a_20_at_the_end_of_the_turn_comes_too_late_for_it(down: Fight) -> None:
    """Orcus, Dying: at the end of each of your turns, as a setting has it."""
    down.do("setting death-saves end", "next", "next", "next")
    down.do("next", faces=(20,))
    assert (down.state.turn, down["brannoc"].life) == ("mira", "up")


def test_death_saves_at_the_end_of_the_turn(fight: Fight) -> None:
    """Orcus, Dying: "at the end of each of your turns", as a setting has it."""
    fight.do("setting death-saves end", "damage brannoc 50")
    assert fight.pending == [("brannoc", "Brannoc is dying: death save")]
    assert fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)[0].holds
    fight.do("next", faces=(12,))
    assert fight.track("brannoc", "death_successes") == 1


def test_the_third_failure_kills(down: Fight) -> None:
    """Orcus, Death Saving Throws; they need not be consecutive."""
    down.do("death brannoc failure", "death brannoc success extra", "death brannoc natural 9 extra")
    assert down["brannoc"].life == "dying"
    down.do("death brannoc failure extra")
    assert down["brannoc"].life == "dead"


def saves_of(fight: Fight, who: str) -> tuple[int, int]:
    """The failures and the successes that are counted."""
    return fight.track(who, "death_failures"), fight.track(who, "death_successes")


def test_a_second_death_save_in_ones_own_turn_must_be_said_to_be_extra(down: Fight) -> None:
    """Orcus, Death Saving Throws: one whenever a turn starts."""
    down.do("next", "next", "next", "death brannoc failure")
    down.refuses("death brannoc failure", "extra")
    down.do("death brannoc natural 10 extra")
    assert saves_of(down, "brannoc") == (1, 1)
    down.refuses("death brannoc failure", "extra")
    down.do("next", "death brannoc failure")


def test_where_a_turn_has_no_death_save_each_is_one_more(fight: Fight) -> None:
    """Orcus, Death Saving Throws: at the start of one's turns, no other."""
    fight.do("damage brannoc 50", "death brannoc failure", "death brannoc success")
    fight.do("next", "death brannoc failure", "death brannoc success")
    assert saves_of(fight, "brannoc") == (2, 2)
    fight.do("next", "next", "next")
    assert fight.pending == [("brannoc", "Brannoc is dying: death save")]
    assert fight.do("death brannoc failure")["brannoc"].life == "dead"


def test_an_extra_death_save_leaves_that_of_the_turn_to_be_made(down: Fight) -> None:
    """Orcus, Death Saving Throws."""
    down.do("next", "next", "next", "death brannoc success extra")
    assert down.pending == [("brannoc", "Brannoc is dying: death save")]
    down.do("next", faces=(3,))
    assert saves_of(down, "brannoc") == (1, 1)


def test_outside_of_a_fight_no_turn_limits_death_saves(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Death Saving Throws."""
    fight = new_fight("add pc Ann hp 20 ac 15", "damage ann 21", *["death ann failure"] * 3)
    assert fight["ann"].life == "dead"


def test_the_third_success_stabilises(down: Fight) -> None:
    """Orcus, Death Saving Throws: both counts are kept until there are three of a kind."""
    down.do("death brannoc success", "death brannoc failure extra", "death brannoc success extra")
    assert saves_of(down, "brannoc") == (1, 2)
    down.do("death brannoc success extra")
    assert (down["brannoc"].life, down.hp("brannoc")) == ("stable", -1)
    assert saves_of(down, "brannoc") == (0, 0)
    assert "unconscious" in down.effects("brannoc")
    assert "dying" not in down.effects("brannoc")
    down.do("next", "next", "next")
    assert down.pending == []


@pytest.mark.parametrize("line", ["natural 20", "crit", "natural 18 plus 2"])
def test_20_or_higher_spends_a_recovery(down: Fight, line: str) -> None:
    """Orcus, Death Saving Throws (Rolling 20 or higher)."""
    down.do("damage brannoc 9", f"death brannoc {line}")
    assert (down["brannoc"].life, down.hp("brannoc")) == ("up", 11)
    assert down.track("brannoc", "recoveries") == 7
    assert down.effects("brannoc") == {"prone", "staggered"}


def test_20_without_a_recovery_is_a_19(down: Fight) -> None:
    """Orcus, Death Saving Throws: treat this result as a 19."""
    down.do("set brannoc recoveries 0", "death brannoc natural 20")
    assert (down["brannoc"].life, down.track("brannoc", "death_successes")) == ("dying", 1)


def test_bonuses_to_saves_help_with_death_saves(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Death Saving Throws: a saving throw, with features that improve it."""
    fight = new_fight("add pc Ash hp 40 ac 15 recoveries 6 save 2", "damage ash 41")
    fight.do("modifier ash +1 save", "death ash natural 7")
    assert (fight.rolled.total, fight.outcome) == (10, "success")


def test_only_the_dying_make_death_saves(fight: Fight) -> None:
    """Orcus, Death Saving Throws."""
    fight.refuses("death brannoc success", "not dying but up")
    fight.do("damage brannoc 44")
    fight.refuses("death brannoc perhaps", "expected the death save")


@pytest.mark.parametrize(
    "saved", ["heal brannoc 5", "treat-ally brannoc first-aid success", "death brannoc crit extra"]
)
def test_both_counts_stay_until_there_are_three_of_a_kind(down: Fight, saved: str) -> None:
    """Orcus, Death Saving Throws: keep track of both until then, whatever wakes in between."""
    down.do("death brannoc failure", "death brannoc success extra", saved)
    assert down["brannoc"].life != "dying"
    assert saves_of(down, "brannoc") == (1, 1)
    down.do("heal brannoc 40", "damage brannoc 50", "death brannoc success extra")
    assert saves_of(down, "brannoc") == (1, 2)
    assert down.do("death brannoc success extra")["brannoc"].life == "stable"


def test_a_rest_takes_back_the_failures_alone(down: Fight) -> None:
    """Orcus, Death Saving Throws: the number of failures is reset to zero."""
    down.do("death brannoc failure", "death brannoc success extra", "heal brannoc 5", "end")
    down.do("rest short")
    assert saves_of(down, "brannoc") == (0, 1)


def test_the_stable_stay_stable_when_hurt_until_they_die(down: Fight) -> None:
    """Orcus, Stabilizing a Creature; Instant Death."""
    down.do(*["death brannoc success extra"] * 3, "damage brannoc 5")
    assert (down["brannoc"].life, down.hp("brannoc")) == ("stable", -6)
    down.do("damage brannoc 16")
    assert down["brannoc"].life == "dead"


@pytest.mark.parametrize("line", ["damage goblin-1 30 knockout", "attack goblin-1 hit 30 knockout"])
def test_an_attacker_can_knock_out(fight: Fight, line: str) -> None:
    """Orcus, Knocking a Creature Out."""
    fight.do(line)
    assert (fight["goblin-1"].life, fight.hp("goblin-1")) == ("unconscious", -4)
    assert {"unconscious", "prone"} <= fight.effects("goblin-1")


def test_the_choice_can_be_made_right_after_the_damage(fight: Fight) -> None:
    """Orcus, Knocking a Creature Out: the instant the damage is dealt."""
    fight.do("damage goblin-1,goblin-2,brannoc 50", "knock-out goblin-1", "knock-out brannoc")
    assert [fight[w].life for w in ("goblin-1", "goblin-2", "brannoc")] == [
        "unconscious",
        "dead",
        "unconscious",
    ]
    assert "dying" not in fight.effects("brannoc")
    fight.do("note later")
    fight.refuses("knock-out goblin-2", "right after the damage")


@pytest.mark.parametrize("verb", ["knock-out", "knock out", "Knock Out"])
def test_several_are_knocked_out_one_after_the_other_however_it_is_written(
    fight: Fight, verb: str
) -> None:
    """Orcus, Knocking a Creature Out."""
    fight.do("damage goblin-1,goblin-2 30", f"{verb} goblin-1", f"{verb} goblin-2")
    assert [fight[w].life for w in ("goblin-1", "goblin-2")] == ["unconscious", "unconscious"]


def test_why_somebody_is_unconscious_is_kept_as_an_id_and_shown_in_words(down: Fight) -> None:
    """Orcus, Falling Unconscious: what any healing ends is known by no wording."""
    effect = down["brannoc"].named("unconscious")
    assert effect is not None and effect.because == "at-zero"
    (shown,) = (e for e in down.who("brannoc")["effects"] if e["name"] == "unconscious")
    assert shown["because"] == "0 HP"
    assert (-5, "unconscious (0 HP)") in down.why("brannoc", "ac")


def test_only_who_was_just_brought_down_is_knocked_out(fight: Fight) -> None:
    """Orcus, Knocking a Creature Out."""
    fight.do("damage goblin-1 5")
    fight.refuses("knock-out goblin-1", "right after the damage")
    fight.do("damage goblin-1 30", "damage brannoc 5")
    fight.refuses("knock-out goblin-1", "right after the damage")


def test_the_knocked_out_wake_when_healed(fight: Fight) -> None:
    """Orcus, Falling Unconscious: ends if you regain any hit points."""
    fight.do("damage goblin-1 30 knockout", "heal goblin-1 3")
    assert (fight["goblin-1"].life, fight.hp("goblin-1")) == ("up", 3)
    assert "unconscious" not in fight.effects("goblin-1")


def test_another_blow_kills_a_monster_that_was_knocked_out(fight: Fight) -> None:
    """Orcus, Monsters and Death."""
    fight.do("damage goblin-1 30 knockout", "damage goblin-1 1")
    assert fight["goblin-1"].life == "dead"


def test_an_unconsciousness_that_a_power_laid_is_not_healed(fight: Fight) -> None:
    """Orcus, Conditions: each instance has its own duration."""
    fight.do("inflict brannoc unconscious save ends", "damage brannoc 44", "heal brannoc 5")
    assert fight["brannoc"].life == "up"
    assert "unconscious" in fight.effects("brannoc")


def test_mooks_fall_to_any_damage(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Glossary (Mook): just 1 HP."""
    fight = new_fight("add monster Rat x2 mook ac 12", "damage rat-1 1", "damage rat-2 3 knockout")
    assert (fight["rat-1"].life, fight["rat-2"].life) == ("dead", "unconscious")


def test_a_mook_is_given_no_other_hp(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Glossary (Mook): just 1 HP."""
    fight = new_fight("add monster Rat mook hp 1")
    fight.refuses("add monster Cat mook hp 4", "a mook has 1 HP")
    assert fight.track("rat", "hp") == 1


def test_a_summon_at_0_is_gone_and_costs_a_recovery(
    new_fight: Callable[..., Fight],
) -> None:
    """Orcus, Summons."""
    fight = new_fight(
        "add pc Mira hp 30 ac 15 recoveries 6",
        "add monster Imp side party hp 10 summon of mira",
        "damage imp 12",
    )
    assert fight.state.find("imp") is None
    assert fight.track("mira", "recoveries") == 5


def test_setting_hp_by_hand_brings_down_and_back(fight: Fight) -> None:
    """Orcus, Dropping to 0 Hit Points or Below."""
    fight.do("set brannoc hp -3")
    assert (fight["brannoc"].life, "dying" in fight.effects("brannoc")) == ("dying", True)
    fight.do("set brannoc hp 4")
    assert (fight["brannoc"].life, "dying" in fight.effects("brannoc")) == ("up", False)
    fight.do("set brannoc hp -30")
    assert fight["brannoc"].life == "dead"
    fight.do("set brannoc hp 10")
    assert fight["brannoc"].life == "up"
    fight.do("set goblin-1 hp 0")
    assert fight["goblin-1"].life == "dead"


def test_setting_death_saves_by_hand_has_their_consequence(down: Fight) -> None:
    """Orcus, Death Saving Throws."""
    down.do("set brannoc death_successes 3")
    assert down["brannoc"].life == "stable"
    down.do("undo", "set brannoc death_failures 3")
    assert down["brannoc"].life == "dead"


def test_taking_dying_or_a_knock_out_away_by_hand(down: Fight) -> None:
    """Orcus, Stabilizing a Creature; Knocking a Creature Out."""
    down.do("remove brannoc dying")
    assert down["brannoc"].life == "stable"
    down.do("damage goblin-1 30 knockout", "remove goblin-1 unconscious")
    assert down["goblin-1"].life == "up"


def test_with_1_hp_in_all_0_is_not_yet_half_of_it_below(new_fight: Callable[..., Fight]) -> None:
    """Orcus, Instant Death takes negative hit points."""
    fight = new_fight("add monster Herald mook important ac 12").do("damage herald 1")
    assert fight["herald"].life == "dying"
    assert fight.do("damage herald 1")["herald"].life == "dead"


def test_failures_that_killed_once_do_not_kill_again(fight: Fight) -> None:
    """Orcus, Healing (magic restores the dead to life); Death Saving Throws."""
    fight.do("damage brannoc 44", "death brannoc failure")
    fight.do("heal brannoc 1")
    assert fight.track("brannoc", "death_failures") == 1
    fight.do("damage brannoc 1", "set brannoc death_failures 2", "death brannoc failure extra")
    assert fight["brannoc"].life == "dead"
    fight.do("set brannoc hp 9", "damage brannoc 9", "death brannoc success extra")
    assert (fight["brannoc"].life, saves_of(fight, "brannoc")) == ("dying", (0, 1))


def test_hp_set_by_hand_go_no_lower_than_0_in_the_variant(fight: Fight) -> None:
    """Orcus, Variant: No Negative HP."""
    fight.do("setting negative-hp off", "set brannoc hp -30")
    assert (fight["brannoc"].life, fight.hp("brannoc")) == ("dying", 0)
    fight.do("set brannoc hp -3")
    assert fight.hp("brannoc") == 0
