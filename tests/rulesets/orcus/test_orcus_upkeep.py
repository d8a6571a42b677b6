"""Stances, auras, zones, conjurations, and what is maintained. Orcus, Powers (Keywords)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace


def kept(fight, who):
    """The names of what somebody keeps up."""
    kinds = ("stance", "aura", "zone", "conjuration")
    return [e["note"] for e in fight.who(who)["effects"] if e["kind"] in kinds]


# -- stances ---------------------------------------------------------------------------------------


def test_a_stance_takes_a_swift_action_and_gives_its_bonus(fight):
    """Orcus, Stance."""
    fight.do('stance "Iron Wall" +2 ac')
    assert fight.actions("brannoc") == (1, 1, 0)
    assert fight.total("brannoc", "ac") == 20
    assert kept(fight, "brannoc") == ["Iron Wall"]


def test_a_swift_action_changes_the_stance(fight):
    """Orcus, Stance: one at a time."""
    fight.do("stance Wall +2 ac", "stance Wolf +1 attack -1 defenses power")
    assert kept(fight, "brannoc") == ["Wolf"]
    assert fight.total("brannoc", "attack") == 1
    assert fight.total("brannoc", "ac") == 17
    assert fight.actions("brannoc") == (1, 0, 0)  # traded down


def test_the_bonuses_of_a_stance_have_their_type(fight):
    """Orcus, Stance, Modifiers (Stacking)."""
    fight.do("modifier brannoc +1 ac power", "stance Wall +2 ac power")
    assert fight.total("brannoc", "ac") == 20


def test_a_stance_may_change_several_numbers(fight):
    """Orcus, Stance: some benefit, of one type."""
    fight.do("modifier brannoc +1 attack power", "stance Wall +2 ac +1 attack power")
    assert fight.total("brannoc", "ac") == 20
    assert fight.total("brannoc", "attack") == 1
    fight.refuses("stance Wolf +1 ac feat +1 will", "did not expect '+1'")


def test_a_stance_is_simply_dropped(fight):
    """Orcus, Stance: ending one needs no other, and no action."""
    fight.do("stance Wall +2 ac", "drop wall")
    assert kept(fight, "brannoc") == []
    assert fight.actions("brannoc") == (1, 1, 0)


def test_a_stance_goes_on_until_it_is_ended(fight):
    """Orcus, Stance."""
    fight.do("stance Wall +2 ac", *["next"] * 8)
    assert kept(fight, "brannoc") == ["Wall"]


@pytest.mark.parametrize("how", ["inflict brannoc helpless", "inflict brannoc unconscious"])
def test_a_stance_ends_when_its_bearer_is_helpless(fight, how):
    """Orcus, Stance; as we read it, when unconscious as well."""
    fight.do("stance Wall +2 ac", how)
    assert kept(fight, "brannoc") == []
    fight.refuses("stance Wall +2 ac", "is in no state to take a stance")


def test_falling_ends_a_stance(fight):
    """Orcus, Stance, Falling Unconscious, Monsters and Death."""
    fight.do("stance Wall +2 ac", "damage brannoc 50")
    assert kept(fight, "brannoc") == []
    fight.do("next", "next", "stance Wolf", "damage goblin-1 30")
    assert kept(fight, "goblin-1") == []


def test_a_stance_needs_an_action(fight):
    """Orcus, Stance: a swift action."""
    fight.do("stance Wall", "stance Wolf", "stance Bear")
    fight.refuses("stance Owl", "swift action used")
    fight.refuses("stance", "the name of the stance")
    fight.refuses("stance Owl +2", "the roll or number it changes")
    fight.refuses("stance Owl +2 armour", "expected what the modifier changes")


# -- auras -----------------------------------------------------------------------------------------


def test_an_aura_lasts_until_the_encounter_ends(fight):
    """Orcus, Aura."""
    fight.do("aura Dread")
    assert fight.until("brannoc", "aura") == "until the fight ends"
    fight.do("next", "next", "next", "next", "end")
    assert kept(fight, "brannoc") == []


def test_another_aura_ends_the_one_before(fight):
    """Orcus, Aura."""
    fight.do("aura Dread", "inflict goblin-1 rattled while dread", "aura Hope")
    assert kept(fight, "brannoc") == ["Hope"]
    assert "rattled" not in fight.effects("goblin-1")


def test_everybody_has_an_aura_of_their_own(fight):
    """Orcus, Aura."""
    fight.do("aura Dread", "aura Hope by mira")
    assert kept(fight, "brannoc") == ["Dread"]
    assert kept(fight, "mira") == ["Hope"]


# -- zones and conjurations ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["zone", "conjuration"])
def test_they_end_with_the_death_of_their_maker(fight, kind):
    """Orcus, Zones, Conjuration: killed, and not merely fallen."""
    fight.do(f"{kind} Fog", "damage brannoc 50")
    assert fight["brannoc"].life == "dying"
    assert kept(fight, "brannoc") == ["Fog"]
    fight.do("damage brannoc 40")
    assert fight["brannoc"].life == "dead"
    assert kept(fight, "brannoc") == []


def test_what_hangs_on_a_zone_ends_with_its_maker(fight):
    """Orcus, Zones."""
    fight.do("zone Fog by goblin-1", "inflict mira blinded while fog", "damage goblin-1 40")
    assert "blinded" not in fight.effects("mira")


def test_a_zone_may_have_a_set_duration(fight):
    """Orcus, Zones."""
    fight.do("zone Fog for 1 turn", "next", "next", "next", "next")
    assert kept(fight, "brannoc") == ["Fog"]
    fight.do("next")
    assert kept(fight, "brannoc") == []


def test_any_number_of_zones_but_each_name_once(fight):
    """Orcus, Maintain: any number of powers."""
    fight.do("zone Fog", "zone Fire maintain swift", "conjuration Hand maintain move")
    assert kept(fight, "brannoc") == ["Fog", "Fire", "Hand"]
    fight.refuses("zone fog", "already")


# -- maintain --------------------------------------------------------------------------------------


def round_of(fight):
    """Play on to Brannoc's next turn."""
    return fight.do("next", "next", "next", "next")


def test_the_turn_in_which_it_begins_asks_for_no_upkeep(fight):
    """Orcus, Maintain."""
    fight.do("zone Web maintain swift")
    assert fight.until("brannoc", "zone") == "until it is not maintained"
    assert kept(round_of(fight), "brannoc") == ["Web"]


def test_what_is_not_maintained_ends_with_the_turn(fight):
    """Orcus, The End of Your Turn."""
    fight.do("zone Web maintain swift", "inflict goblin-1 immobile while web")
    round_of(fight).do("next")
    assert kept(fight, "brannoc") == []
    assert "immobile" not in fight.effects("goblin-1")


def test_its_action_maintains_it_for_a_turn(fight):
    """Orcus, Maintain: the action that it says, each turn."""
    fight.do("zone Web maintain swift")
    round_of(fight).do("maintain web")
    assert fight.actions("brannoc") == (1, 1, 0)
    round_of(fight)
    assert kept(fight, "brannoc") == ["Web"]
    fight.do("next")
    assert kept(fight, "brannoc") == []


@pytest.mark.parametrize(("key", "stays"), [("m", ["Web"]), ("e", [])])
def test_it_is_asked_for_before_the_turn_ends(fight, key, stays):
    """Orcus, Maintain."""
    round_of(fight.do("zone Web maintain swift"))
    (waits,) = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    assert (waits.who, waits.holds) == ("brannoc", True)
    assert fight.do(*(c.command for c in waits.choices if c.key == key)).pending == []
    assert kept(fight.do("next"), "brannoc") == stays


def test_several_are_maintained_as_far_as_the_actions_go(fight):
    """Orcus, Maintain: any number, provided one has the actions."""
    fight.do(*(f"zone {name} maintain standard" for name in ("Web", "Fog")))
    round_of(fight).do("maintain web")
    fight.refuses("maintain fog", "standard action used")
    fight.do("next")
    assert kept(fight, "brannoc") == ["Web"]


def test_what_began_in_anothers_turn_is_maintained_in_the_next_of_ones_own(fight):
    """Orcus, Maintain: each turn after the one in which it began."""
    fight.do("zone Web maintain swift by mira", "next", "next")
    assert kept(fight, "mira") == []


def test_what_can_not_be_maintained_is_refused(fight):
    """Orcus, Maintain."""
    fight.refuses("maintain web", "nothing to maintain")
    fight.do("stance Wall", "zone Web maintain swift")
    fight.refuses("maintain web", "already maintained this turn")
    fight.refuses("maintain wall", "web")
    fight.do("next")
    fight.refuses("maintain web by brannoc", "own turn")


def test_who_can_not_act_can_not_maintain(fight):
    """Orcus, Maintain, Stunned."""
    fight.do("zone Web maintain swift")
    round_of(fight).do("inflict brannoc stunned")
    fight.refuses("maintain web", "stunned")
    fight.do("next")
    assert kept(fight, "brannoc") == []


def test_concentration_ends_at_any_time(fight):
    """Orcus, Maintain: no action required."""
    fight.do("zone Web maintain swift", "next", "drop web by brannoc")
    assert kept(fight, "brannoc") == []
    fight.refuses("drop web by brannoc", "maintains nothing")


def test_nothing_is_maintained_beyond_the_fight(fight):
    """Orcus, Maintain: each turn, and there are no more."""
    fight.do("zone Web maintain swift", "end")
    assert kept(fight, "brannoc") == []


def test_keeping_up_outside_of_a_fight_costs_nothing(gathered):
    """Orcus, Stance; Your Turn: only a fight has turns."""
    gathered.do("stance Wall +2 ac by brannoc", "stance Wolf by brannoc")
    assert kept(gathered, "brannoc") == ["Wolf"]


def test_an_upkeep_that_is_no_action_is_refused(fight):
    """Orcus, Maintain; a log that was edited by hand."""
    fight.do("zone Web maintain swift")
    web = fight["brannoc"].effects[0]
    fight.edited("brannoc", effects=(replace(web, upkeep="luck"),), uses={})
    fight.refuses("maintain web", "no action")
    fight.do("next")
    assert kept(fight, "brannoc") == []


def test_what_has_to_be_maintained_is_asked_for_before_the_turn_ends(fight):
    """Orcus, Maintain; Zones."""
    fight.do("zone Fog maintain move")
    assert fight.pending == [], "nothing in the turn in which it is made"
    fight.do(*["next"] * 4)
    assert fight.pending == [("brannoc", "Fog ends unless it is maintained (move action)")]
    fight.do("maintain fog")
    assert fight.pending == []
