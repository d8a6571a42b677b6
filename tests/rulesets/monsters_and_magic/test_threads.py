"""Threads of fate: the four uses, the GM's three, being inspired, bending what was rolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def test_a_character_has_threads_by_proficiency(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate."""
    assert fight.who("brannoc")["tracks"]["threads"] == {"value": 2, "max": 2}
    assert fight.who("mira")["tracks"]["threads"] == {"value": 1, "max": 1}
    assert "threads" not in fight.who("ghoul-1")["tracks"]


@pytest.mark.parametrize(
    "use", ["bend-luck", "feeling-lucky strong", "lucky-find a key", "bonds-of-fate mira 2"]
)
def test_a_spent_thread_gives_the_gm_one(fight: Fight, use: str) -> None:
    """Monsters & Magic, Threads of Fate."""
    fight.do("check brannoc luck weak", f"thread brannoc {use}")
    assert (fight.track("brannoc", "threads"), fight.gm_threads) == (1, 1)


@pytest.mark.parametrize(
    "use", ["bend-luck", "feeling-lucky strong", "lucky-find", "bonds-of-fate mira 2"]
)
def test_inspired_stands_for_a_thread_and_gives_the_gm_none(fight: Fight, use: str) -> None:
    """Monsters & Magic, Statuses (Inspired), Threads of Fate."""
    fight.do("set brannoc threads 0", "bestow brannoc inspired")
    fight.do("check brannoc luck weak", f"thread brannoc {use}")
    assert (fight.track("brannoc", "threads"), fight.gm_threads) == (0, 0)
    assert fight.effects("brannoc") == set()


def test_without_a_thread_there_is_nothing_to_spend(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate."""
    fight.do("set mira threads 0", "check mira luck weak")
    fight.refuses("thread mira bend-luck", "no thread")
    fight.refuses("thread ghoul-1 bend-luck", "only characters")
    fight.refuses("gm-thread reroll", "no thread")


def test_luck_bends_no_check_that_is_over(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck): before it's been resolved."""
    fight.refuses("thread brannoc bend-luck", "no check was just made")
    fight.do("strike ghoul-1 natural 13 6", "next")
    fight.refuses("thread brannoc bend-luck", "`amend N`")
    assert fight.track("brannoc", "threads") == 2


def test_a_lucky_find_may_cost_several(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Lucky Find): the GM may ask for multiple threads."""
    fight.refuses("thread brannoc lucky-find 3", "not 3")
    fight.do("thread brannoc lucky-find 2 the key")
    assert (fight.track("brannoc", "threads"), fight.gm_threads) == (0, 2)


def test_bend_luck_turns_ones_own_miss_into_a_hit(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck): +LUCK to a check you've made, after it's
    made."""
    fight.do("strike ghoul-1 natural 5 8")
    assert (fight.track("ghoul-1", "hp"), fight.track("brannoc", "xp")) == (18, 1)
    fight.do("thread brannoc bend-luck")
    assert (fight.outcome, fight.track("ghoul-1", "hp")) == ("weak", 16)
    assert (fight.track("brannoc", "xp"), fight.track("brannoc", "ap")) == (0, 2)


def test_bend_luck_takes_from_a_foes_check(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck): a penalty to a check made against you."""
    fight.do("next", "next", "strike mira natural 8 10")
    assert fight.track("mira", "hp") == 24 - 3
    fight.do("thread mira bend-luck")
    assert (fight.outcome, fight.track("mira", "hp")) == ("miss", 24)


def test_negative_luck_works_the_other_way_round(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck)."""
    fight = new_fight(
        "add pc Ash hp 9 luck -2 pb 1", "add monster Rat hp 9", "check ash power natural 11"
    )
    fight.do("thread ash bend-luck")
    assert (fight.rolled.total, fight.outcome) == (9, "miss")


def test_feeling_lucky_uses_a_luck_roll_instead(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Feeling Lucky)."""
    fight.do("strike ghoul-1 natural 2 8", "thread brannoc feeling-lucky natural 17")
    assert (fight.outcome, fight.track("ghoul-1", "hp")) == ("strong", 12)
    assert fight.track("brannoc", "xp") == 0


def test_feeling_lucky_replaces_an_outcome_that_was_only_said(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Feeling Lucky)."""
    fight.do("grapple ghoul-1 strong", "thread brannoc feeling-lucky miss")
    assert "restrained" in fight.effects("ghoul-1")


def test_bonds_of_fate_add_the_bond(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bonds of Fate)."""
    fight.do("check mira power natural 8", "thread brannoc bonds-of-fate mira 2")
    assert (fight.rolled.total, fight.outcome) == (10, "weak")
    assert fight.track("mira", "xp") == 0


@pytest.mark.parametrize("use", ["monster-power", "change-scene", "change-scene the bridge falls"])
def test_the_gms_other_uses(fight: Fight, use: str) -> None:
    """Monsters & Magic, Threads of Fate."""
    fight.do("check brannoc power crit", f"gm-thread {use}")
    assert fight.gm_threads == 0


def test_a_bent_death_roll_comes_out_anew(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck); Death & Dying."""
    fight.do("damage brannoc 99", "death brannoc natural 8")
    assert fight.track("brannoc", "exhaustion") == 1
    fight.do("thread brannoc bend-luck")
    assert fight.track("brannoc", "exhaustion") == 0
    assert fight.track("brannoc", "deathsaves") == 1


def test_a_bent_grapple_comes_out_anew(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck): a check you've forced a creature to make."""
    fight.do("grapple ghoul-1 natural 10")
    assert fight.until("ghoul-1", "restrained") == "end of ghoul-1's next turn"
    fight.do("thread brannoc bend-luck")
    assert (fight.outcome, fight.until("ghoul-1", "restrained")) == ("miss", "until freed")


def test_damage_that_the_program_rolled_stays_as_it_fell(fight: Fight) -> None:
    """The dice as they fell."""
    fight.do("strike ghoul-1 roll 2d6 slashing", faces=[4, 5, 10])
    assert fight.track("ghoul-1", "hp") == 18 - 2
    fight.do("thread brannoc bonds-of-fate mira 4")
    assert (fight.outcome, fight.track("ghoul-1", "hp")) == ("strong", 18 - 7)


def test_two_threads_in_a_row_bend_the_same_check(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate: each is its own bonus."""
    fight.do("strike ghoul-1 natural 12 8", "thread brannoc bend-luck")
    assert (fight.rolled.total, fight.track("ghoul-1", "hp")) == (17, 16)
    fight.do("thread mira bonds-of-fate brannoc 1")
    assert (fight.rolled.total, fight.outcome) == (18, "strong")
    assert (fight.track("ghoul-1", "hp"), fight.track("brannoc", "ap")) == (12, 2)
    assert (fight.track("brannoc", "threads"), fight.track("mira", "threads")) == (1, 0)
    fight.do("gm-thread reroll natural 2")
    assert (fight.outcome, fight.track("ghoul-1", "hp")) == ("miss", 18)
    assert (fight.track("brannoc", "xp"), fight.gm_threads) == (1, 1)


def test_a_thread_between_two_bends_is_passed_over(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate."""
    fight.do("strike ghoul-1 natural 5 8", "thread mira lucky-find", "thread brannoc bend-luck")
    assert fight.track("ghoul-1", "hp") == 16


def test_a_bent_reaction_comes_out_anew(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate; Reactions."""
    fight.do("next", "next", "react opportunity-attack ghoul-1 natural 5 8 by brannoc")
    fight.do("thread brannoc bend-luck")
    assert fight.track("ghoul-1", "hp") == 16
    assert fight.track("brannoc", "reaction") == 0


def test_a_monsters_own_roll_can_be_bent(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck); the damage that is needed now is rolled
    now."""
    fight = new_fight(
        "add pc Ash hp 20 luck -3 pb 2",
        "add pc Bea hp 9",
        "add monster Rat cr 2 hp 9 attack bite 1d6 piercing attack claw 1d4 slashing",
        "init rat 9",
        "init ash 2",
        "init bea 1",
        "start",
    )
    fight.do("strike ash with claw", faces=[7])
    assert fight.track("ash", "hp") == 20
    fight.do("thread ash bend-luck", faces=[4])
    assert (fight.outcome, fight.track("ash", "hp")) == ("weak", 18)
    fight.refuses("thread ash bonds-of-fate ash 6", "another")
    fight.refuses("thread ash bonds-of-fate bea 6", "is Rat's")
    fight.do("gm-thread reroll natural 17")
    assert (fight.outcome, fight.track("ash", "hp")) == ("strong", 16)


def test_a_hit_whose_damage_nobody_knows_is_left_to_the_table(fight: Fight) -> None:
    """The thread is spent, and what is unknown is not made up."""
    fight.do("strike ghoul-1 natural 5", "thread brannoc bend-luck")
    assert (fight.outcome, fight.track("ghoul-1", "hp")) == ("weak", 18)
    assert fight.track("brannoc", "threads") == 1


def test_a_thread_can_be_taken_back(fight: Fight) -> None:
    """One undo takes back all of it."""
    fight.do("strike ghoul-1 natural 5 8")
    before = fight.shown["combatants"]
    fight.do("thread brannoc bend-luck", "undo")
    assert fight.shown["combatants"] == before


def test_words_that_look_like_outcomes_are_left_alone(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck): what is decided anew is the same command."""
    fight = new_fight(
        "add pc Strong hp 20 luck 2 pb 1",
        "add monster Weak hp 20 cr 1",
        "add pc Miss hp 20 luck 1 pb 1",
        "init strong 9",
        "init weak 8",
        "init miss 7",
        "start",
    )
    fight.do("strike weak natural 8 8 by strong", "thread strong bend-luck")
    assert (fight.outcome, fight.track("weak", "hp")) == ("weak", 16)
    fight.do("next", "strike miss natural 10 8 by weak", "thread miss bend-luck")
    assert (fight.outcome, fight.track("miss", "hp")) == ("weak", 16)


def test_the_words_of_a_spell_are_left_alone(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck)."""
    fight.do('cast "Weak Natural Light" at ghoul-1 natural 9 8', "thread brannoc bend-luck")
    assert (fight.outcome, fight.track("ghoul-1", "hp")) == ("weak", 16)


def test_a_readied_attack_comes_out_anew(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck); Ready an Action."""
    fight.do("ready strike", "next", "trigger ghoul-1 natural 5 8", "thread brannoc bend-luck")
    assert (fight.outcome, fight.track("ghoul-1", "hp")) == ("weak", 16)
    assert fight.track("brannoc", "reaction") == 0


def test_effect_steps_count_once_for_a_bent_check(fight: Fight) -> None:
    """Monsters & Magic, Effect Steps; Threads of Fate."""
    fight.do("strike ghoul-1 natural 13 8 step -1", "thread brannoc bend-luck")
    assert (fight.rolled.total, fight.outcome) == (18, "weak")
    fight.do("thread mira bonds-of-fate brannoc 1")
    assert (fight.rolled.total, fight.outcome, fight.track("ghoul-1", "hp")) == (19, "weak", 16)


def test_luck_bends_what_one_made_forced_or_suffered(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Feeling Lucky, Bend Luck): no ally's own check."""
    fight.do("strike ghoul-1 natural 5 8")
    fight.refuses("thread mira bend-luck", "made without them")
    fight.refuses("thread mira feeling-lucky strong", "bonds-of-fate brannoc")
    fight.do("grapple mira natural 9", "thread brannoc bend-luck")
    assert fight.rolled.total == 8
    fight.do("next", "next", "strike mira natural 9 9")
    fight.refuses("thread brannoc bend-luck", "made without them")
    fight.do("check ghoul-1 power save natural 9", "thread brannoc bend-luck")
    assert fight.rolled.total == 10


def test_a_bond_adds_to_a_roll_of_one_of_the_two(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bonds of Fate)."""
    fight.do("next", "next", "strike mira natural 9 9")
    fight.refuses("thread mira bonds-of-fate brannoc 2", "is Ghoul 1's")


def test_a_critical_that_luck_made_gives_back_the_thread(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate: whenever you roll a critical hit you regain 1 thread."""
    fight.do("strike ghoul-1 natural 5 8", "thread brannoc feeling-lucky natural 20")
    assert (fight.outcome, fight.track("ghoul-1", "hp")) == ("crit", 4)
    assert (fight.track("brannoc", "threads"), fight.gm_threads) == (2, 2)


def test_a_critical_that_luck_takes_away_leaves_nothing(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate: the luck roll is used instead, so there was no critical
    hit. The GM's one thread is that of the thread that was spent, though none was there before."""
    fight.do("mark brannoc threads 1", "strike ghoul-1 natural 20 8")
    assert (fight.track("brannoc", "threads"), fight.gm_threads) == (2, 1)
    fight.do("thread brannoc feeling-lucky natural 12")
    assert (fight.track("brannoc", "threads"), fight.gm_threads) == (0, 1)


def test_what_a_bent_roll_had_found_is_not_there(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate; Rest & Recovery (Gather Supplies): the party's first ones
    too."""
    fight.do("end", "rest short", "rest mira gather natural 18", "set gm threads 1")
    fight.do("gm-thread reroll natural 2")
    assert fight.shown["gm"]["supplies"] == 0


def test_a_critical_that_stays_one_brings_nothing_twice(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate."""
    fight.do("strike ghoul-1 natural 20 8", "thread brannoc bend-luck")
    assert (fight.track("brannoc", "threads"), fight.gm_threads) == (1, 2)
    assert fight.track("ghoul-1", "hp") == 4


def test_a_bond_may_be_settled_at_the_table(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bonds of Fate): the thread is spent, the bond's worth
    unsaid."""
    fight.do("check brannoc power natural 7", "thread brannoc bonds-of-fate")
    assert fight["brannoc"].track("threads") == 1
    assert fight.state.gm("threads") == 1


@pytest.mark.parametrize("reroll", ["gm-thread reroll", "gm thread reroll", "GM Thread Reroll"])
@pytest.mark.parametrize(("natural", "hp"), [(9, 5), (14, 2), (5, 6)])
def test_threads_look_past_each_other_however_they_are_spelt(
    new_fight: type[Fight], reroll: str, natural: int, hp: int
) -> None:
    """Monsters & Magic, Threads of Fate: what is bent is the strike, and never the one before
    it."""
    fight = new_fight(
        "add pc Mira hp 24 luck 2 pb 2", "add monster Ghoul hp 16 ac 2 cr 2",
        "init mira 12", "init ghoul 10", "start", "set mira threads 2",
        "strike ghoul natural 20 6", "next", "next", "strike ghoul natural 5 6",
    )  # fmt: skip
    assert fight.track("ghoul", "hp") == 6
    fight.do(f"{reroll} natural {natural}", "thread mira bend-luck")
    assert (fight["ghoul"].life, fight.track("ghoul", "hp")) == ("up", hp)
    assert (fight.rolled.total, fight.gm_threads) == (natural + 4, 1)
    fight.do("undo", "Thread mira BEND-LUCK")
    assert fight.track("ghoul", "hp") == hp


def test_the_dying_bend_their_luck_and_the_dead_only_what_killed_them(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate: after a check is made, before it is resolved."""
    fight.do("set brannoc exhaustion 5", "set brannoc luck 4", "damage brannoc 99")
    fight.do("death brannoc natural 6")
    assert fight["brannoc"].life == "dead"
    fight.do("thread brannoc bend-luck")
    assert fight["brannoc"].life == "dying"
    fight.do("undo", "mark mira xp")
    for use in ("bend-luck", "feeling-lucky", "lucky-find", "bonds-of-fate mira 2"):
        fight.refuses(f"thread brannoc {use}", "is dead")


def test_inspired_is_spent_first_and_only_where_it_is(fight: Fight) -> None:
    """Monsters & Magic, Statuses (Inspired)."""
    fight.refuses("thread brannoc lucky-find inspired", "not inspired")
    fight.do("bestow brannoc inspired", "thread brannoc lucky-find 2 inspired")
    assert (fight.track("brannoc", "threads"), fight.gm_threads) == (1, 1)
    assert fight.effects("brannoc") == set()


def test_a_death_roll_that_a_turns_end_made_can_be_bent(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck); Death & Dying."""
    fight.do("damage mira 99", "next").do("next", faces=[8])
    assert (fight.rolled.total, fight.track("mira", "deathsaves")) == (10, 1)
    fight.do("thread mira bend-luck")
    assert (fight.rolled.total, fight.track("mira", "deathsaves")) == (12, 1)
    fight.do("undo", "thread brannoc bonds-of-fate mira 8")
    assert (fight.outcome, fight["mira"].life, fight.track("mira", "deathsaves")) == (
        "strong", "stable", 0,
    )  # fmt: skip
    assert (fight.shown["turn"], fight.track("ghoul-1", "ap")) == ("ghoul-1", 3)


def test_a_critical_that_comes_when_the_turn_is_over_is_set_at_the_table(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying: nobody's turn is taken back."""
    fight.do("damage mira 99", "next").do("next", faces=[8])
    fight.do("thread mira feeling-lucky natural 20")
    assert (fight["mira"].life, fight.shown["turn"]) == ("dying", "ghoul-1")
    assert fight.track("ghoul-1", "ap") == 3
    assert any("at the table" in getattr(event, "text", "") for event in fight.events)


@pytest.mark.parametrize(("pb", "threads"), [(3, (2, 3)), (1, (1, 1))])
def test_room_for_threads_follows_a_proficiency_bonus_that_was_set(
    fight: Fight, pb: int, threads: tuple[int, int]
) -> None:
    """Monsters & Magic, Threads of Fate: as many as the proficiency bonus, and never more."""
    fight.do(f"set brannoc pb {pb}")
    track = fight["brannoc"].tracks["threads"]
    assert (track.value, track.max) == threads


def test_room_for_threads_that_is_a_sheets_own_stays(fight: Fight) -> None:
    fight.do("set brannoc threads 1 of 4", "set brannoc pb 3")
    assert fight["brannoc"].tracks["threads"].max == 4


PELL = "add pc Pell hp 20 ac 2 cunning 3 luck 2 pb 2 attack knife 1d6 piercing"


def test_the_damage_of_a_miss_that_luck_made_a_hit_may_lie_on_the_table(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Feeling Lucky): a player's own die in the place of
    affray's."""
    fight.do(PELL, "init pell 1", "set pell threads 2")
    while fight.state.turn != "pell":
        fight.do("next")
    fight.do("strike ghoul-1 natural 2")
    before = fight.track("ghoul-1", "hp")
    fight.refuses("thread pell feeling-lucky natural 2 rolled 5", "no roll needs that")
    fight.refuses("thread pell feeling-lucky natural 17 rolled 7", "a number on a d6")
    fight.do("thread pell feeling-lucky natural 17 rolled 5")
    assert [e.faces for e in fight.events if getattr(e, "dice", "") == "1d6"] == [(5,)]
    assert fight.track("ghoul-1", "hp") < before
