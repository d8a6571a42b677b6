"""What a delayed turn does to what lasts. Orcus, Delay."""

from __future__ import annotations

import pytest
from tests.played import rules_said


def test_a_delayed_turn_maintains_nothing(fight):
    """Orcus, Delay: powers can't be maintained."""
    fight.do("zone Web maintain swift", "next", "next", "next", "next", "delay")
    assert "zone" not in fight.effects("brannoc")


def test_what_needs_no_upkeep_goes_on(fight):
    """Orcus, Delay."""
    fight.do("zone Fog", "stance Wall", "next", "next", "next", "next", "delay")
    assert {"zone", "stance"} <= fight.effects("brannoc")


@pytest.mark.parametrize("who", ["brannoc", "mira"])
def test_help_that_ends_with_this_turn_ends_at_once(fight, who):
    """Orcus, Delay: beneficial effects, whoever has them."""
    fight.do("next", f"modifier {who} +2 ac until end of brannoc", "next", "next", "next")
    assert "modifier" in fight.effects(who)
    fight.do("delay")
    assert "modifier" not in fight.effects(who)


@pytest.mark.parametrize(
    "harm",
    [
        "inflict brannoc dazed until end of brannoc",
        "inflict goblin-1 slowed until end of brannoc",
        "inflict brannoc persistent 2 until end of brannoc",
        "modifier goblin-1 -2 attack until end of brannoc",
    ],
)
def test_harm_that_ends_with_this_turn_lasts_until_it_is_over(fight, harm):
    """Orcus, Delay: only beneficial effects end early."""
    who, name = harm.split()[1:3] if harm.startswith("inflict") else ("goblin-1", "modifier")
    fight.do("next", harm, "next", "next", "next", "delay")
    assert name in fight.effects(who)
    fight.do("return brannoc")
    assert name in fight.effects(who)
    fight.do("next")
    assert name not in fight.effects(who)


def test_who_has_dashed_is_exposed_until_the_delayed_turn_is_over(fight):
    """Orcus, Delay, Dash: what a dash costs its user is no benefit."""
    fight.do("dash", *["next"] * 4, "delay")
    assert "dashing" in fight.effects("brannoc")
    fight.do("return brannoc", "next")
    assert "dashing" not in fight.effects("brannoc")


def test_what_ends_with_a_later_turn_is_untouched(fight):
    """Orcus, Delay: at the end of your turn, and of no other."""
    fight.do("modifier mira +2 ac until end of brannoc", "modifier mira +1 will until end of mira")
    fight.do("delay")
    assert fight.total("mira", "ac") == 17
    assert fight.total("mira", "will") == 16


def test_what_ends_with_the_start_of_a_turn_has_ended_before(fight):
    """Orcus, Delay, Duration."""
    fight.do("modifier mira +2 ac until start of brannoc", "next", "next", "next", "next")
    assert "modifier" not in fight.effects("mira")


def test_saves_are_made_when_the_delayed_turn_ends(fight):
    """Orcus, Delay, The End of Your Turn."""
    fight.do("inflict brannoc slowed save ends", "delay", "next", "return brannoc")
    assert "slowed" in fight.effects("brannoc")
    fight.do("next", faces=[10])
    assert "slowed" not in fight.effects("brannoc")


def test_a_turn_that_is_wasted_still_ends(fight):
    """Orcus, Delay: what is not taken by the end of the round is lost."""
    fight.do("inflict brannoc slowed save ends", "delay", "next", "next")
    fight.do("next", faces=[10])
    assert "slowed" not in fight.effects("brannoc")
    assert fight.state.round == 2


def test_help_until_the_start_of_a_turn_is_no_help_until_its_end(fight):
    """Orcus, Delay: what ends at the end of the turn, and nothing else."""
    fight.do("modifier mira +1 ac until start of brannoc", "delay")
    assert "modifier" in fight.effects("mira")


def test_what_lasts_until_a_delayed_turn_starts_ends_as_it_is_taken(fight):
    """Orcus, Delay: the delayed turn is one's next turn."""
    fight.do("delay", "modifier mira +1 ac until start of brannoc")
    assert "modifier" in fight.effects("mira")
    fight.do("return brannoc")
    assert "modifier" not in fight.effects("mira")


def test_delaying_brings_no_second_immediate_action(fight):
    """Orcus, Immediate Actions: one between each of one's turns; a delayed turn is to come."""
    fight.do("react counter by mira", "next", "delay")
    assert fight.track("mira", "immediate") == 0
    fight.refuses("react counter by mira", "immediate action used")
    fight.do("return mira", "next").do("react counter by mira")


def test_an_immediate_action_not_used_is_there_while_delaying(fight):
    """Orcus, Immediate Actions, Delay."""
    fight.do("next", "delay", "react counter by mira", "next", "return mira")
    assert fight.track("mira", "immediate") == 1, "the delayed turn brings the next one"


def test_a_companion_does_not_delay_by_itself(fight):
    """Orcus, Companions: its initiative is its owner's; it acts at the end of their turn."""
    fight.do("add monster Hound side party companion of Brannoc hp 20 instinct bites", "next")
    assert fight.state.turn == "hound"
    fight.refuses("delay", "Brannoc's initiative")


def test_the_opening_of_a_feint_ends_as_soon_as_its_maker_delays(fight):
    """Orcus, Delay (beneficial effects), Feint: combat advantage is the feinter's."""
    fight.do("feint goblin-1 hit", "next", "next", "next", "next")
    assert "feinted" in fight.effects("goblin-1")
    fight.do("delay")
    assert "feinted" not in fight.effects("goblin-1")


def test_a_turn_not_taken_by_the_end_of_the_round_is_wasted(fight):
    """Orcus, Delay."""
    fight.do("inflict mira slowed until end of mira", "next", "delay", "next", "next")
    assert (fight.state.turn, fight.state.round) == ("brannoc", 2)
    fight.refuses("return mira", "has not delayed")
    assert "slowed" not in fight.effects("mira"), "the wasted turn is over"
    assert fight.do("next").state.turn == "mira", "in the old place, as nothing was taken elsewhere"


def test_a_delayed_turn_may_come_after_the_last_creature(fight):
    """Orcus, Delay: at any lower count, as long as the round goes on."""
    fight.do("delay", "next", "next", "attack mira miss")
    assert fight.state.turn == "goblin-2"
    assert fight.pending == [
        ("brannoc", "Brannoc has delayed, and loses the turn when the round ends")
    ]
    (waits,) = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    assert [(c.key, c.label) for c in waits.choices] == [("t", "take it now")]
    fight.do(waits.choices[0].command)
    assert (fight.state.turn, fight.state.round) == ("brannoc", 1)
    assert fight.actions("brannoc") == (1, 1, 1)
    assert fight.who("brannoc")["initiative"] == 9, "below the last, who has 10"
    fight.do("attack goblin-1 miss", "next")
    assert (fight.state.turn, fight.state.round) == ("mira", 2)
    fight.do("next", "next", "next")
    assert fight.state.turn == "brannoc", "its place from now on"


def test_the_last_turn_is_over_when_a_delayed_one_follows_it(fight):
    """Orcus, Delay: nobody's turn is interrupted; The End of Your Turn."""
    fight.do("inflict goblin-2 slowed save ends", "inflict mira dazed until end of goblin-2")
    fight.do("delay", "next", "next", "attack mira miss")
    fight.do("return brannoc", faces=[10])
    assert "slowed" not in fight.effects("goblin-2")
    assert "dazed" not in fight.effects("mira")


def test_two_delayed_turns_may_both_come_after_the_last_creature(fight):
    """Orcus, Delay."""
    fight.do("delay", "delay", "next", "attack mira miss", "return mira", "attack goblin-1 miss")
    fight.do("return brannoc")
    assert (fight.state.turn, fight.state.round) == ("brannoc", 1)
    assert [fight.who(w)["initiative"] for w in ("mira", "brannoc")] == [9, 8]
    fight.do("next", "next", "next", "next")
    assert (fight.state.turn, fight.state.round) == ("brannoc", 2)


def test_a_delayed_turn_comes_between_two_turns_as_long_as_there_is_another(fight):
    """Orcus, Delay: you can't interrupt anyone else's turn."""
    fight.do("delay", "next", "attack brannoc miss")
    fight.refuses("return brannoc", "between two turns")


def test_the_dead_are_nobody_that_a_delayed_turn_could_come_before(fight):
    """Orcus, Delay, Monsters and Death."""
    fight.do("delay", "damage goblin-2 30", "next", "attack mira miss", "return brannoc")
    assert (fight.state.turn, fight.state.round) == ("brannoc", 1)


@pytest.mark.parametrize(
    ("count", "before", "after"), [(11, 1, "goblin-1"), (5, 3, "mira"), (-3, 3, "mira")]
)
def test_a_lower_count_may_be_said_when_one_delays(fight, count, before, after):
    """Orcus, Delay: you can specify this new initiative result."""
    fight.do(f"delay {count}", *["next"] * before)
    assert (fight.state.turn, fight.state.round) == ("brannoc", 1)
    assert fight.who("brannoc")["initiative"] == count
    assert fight.do("attack goblin-1 miss", "next").state.turn == after


def test_a_count_that_is_not_lower_is_no_delay(fight):
    """Orcus, Delay: voluntarily reduced."""
    fight.refuses("delay 17", "lower count than 17")
    fight.refuses("delay 20", "lower count than 17")


def test_a_companion_follows_whoever_delayed_to_a_count(fight):
    """Orcus, Delay, Companions."""
    fight.do("add monster Hound side party companion of Brannoc hp 20 instinct bites")
    fight.do("delay 5", "next", "next", "next")
    assert fight.state.turn == "brannoc"
    assert fight.do("next").state.turn == "hound"


def test_the_down_do_not_delay(fight):
    """Orcus, Unconscious, Delay: nobody chooses to who is out cold."""
    fight.do("damage mira 31", "next").refuses("delay", "dying")


def test_a_turn_that_is_lost_is_told(fight):
    """Orcus, Delay."""
    fight.do("delay", "next", "next", "next")
    told = rules_said(fight.events, fight.state)
    assert told == ["Brannoc loses the delayed turn"]


def test_the_last_in_a_round_who_delays_wastes_that_turn(fight):
    """Orcus, Delay."""
    fight.do("next", "next", "next", "delay")
    assert (fight.state.turn, fight.state.round) == ("brannoc", 2)
    assert not any(slot.held for slot in fight.state.slots)
