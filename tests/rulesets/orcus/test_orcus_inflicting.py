"""How conditions and other effects are laid on somebody. Orcus, Conditions, Duration."""

from __future__ import annotations

import pytest

from affray.core.engine.decide import complete
from affray.core.engine.state import Effect


def named(fight, who, name):
    """The effects of that name, as they are shown."""
    return [e for e in fight.who(who)["effects"] if e["name"] == name]


# -- how long they last ----------------------------------------------------------------------------


def test_each_instance_of_a_condition_has_its_own_duration(fight):
    """Orcus, Conditions (instances)."""
    fight.do("inflict goblin-1 slowed until end of brannoc", "inflict goblin-1 slowed")
    assert len(named(fight, "goblin-1", "slowed")) == 2
    fight.do("next", "next", "next", "next", "next")  # to the end of Brannoc's next turn
    assert [e["until"] for e in named(fight, "goblin-1", "slowed")] == ["until removed"]
    assert fight.total("goblin-1", "speed") == 2


def test_the_same_condition_twice_is_no_worse(fight):
    """Orcus, Conditions: a creature either has one or doesn't."""
    fight.do("inflict goblin-1 rattled", "inflict goblin-1 rattled save ends")
    assert fight.total("goblin-1", "attack") == -2


def test_unless_said_a_condition_lasts_until_it_is_taken_away(fight):
    """Orcus, Conditions: until it is countered, or for the duration that its effect gives."""
    fight.do("inflict goblin-1 dazed", "inflict goblin-1 prone")
    assert fight.until("goblin-1", "dazed") == "until removed"
    assert fight.until("goblin-1", "prone") == "until it stands"
    fight.do("remove goblin-1 dazed")
    assert "dazed" not in fight.effects("goblin-1")


@pytest.mark.parametrize("words", ["save ends", "save-ends", "until save"])
def test_save_ends_may_be_said_in_three_ways(fight, words):
    """Orcus, Duration (save ends)."""
    fight.do(f"inflict goblin-1 dazed {words}")
    assert fight.until("goblin-1", "dazed") == "until saved against"


def test_for_some_turns_counts_those_of_whoever_has_it(fight):
    """Orcus, Duration: the end of the target's next turn."""
    fight.do("inflict mira,goblin-1 slowed for 1 turn", "next", "next")
    assert "slowed" not in fight.effects("mira")
    assert "slowed" in fight.effects("goblin-1")
    fight.do("next")
    assert "slowed" not in fight.effects("goblin-1")


@pytest.mark.parametrize(
    ("duration", "said"),
    [
        ("until start of mira", "start of mira's next turn"),
        ("until end of mira's next turn", "end of mira's next turn"),
        ("user-start", "start of brannoc's next turn"),
        ("user-end", "end of brannoc's next turn"),
        ("target-start", "start of goblin-1's next turn"),
        ("target-end", "end of goblin-1's next turn"),
        ("until fight", "until the fight ends"),
        ("until rest", "until a rest"),
        ("until round 3", "end of round 3"),
    ],
)
def test_the_usual_durations_can_be_said(fight, duration, said):
    """Orcus, Duration."""
    fight.do(f"inflict goblin-1 dazed {duration}")
    assert fight.until("goblin-1", "dazed") == said


def test_one_effect_has_one_duration(fight):
    """Orcus, Duration."""
    fight.refuses("inflict goblin-1 dazed save ends for 2 turns", "one duration")
    fight.refuses("inflict goblin-1 dazed save", "save ends")
    fight.refuses("inflict goblin-1 dazed for 0 turns", "from 1")


# -- who can have what -----------------------------------------------------------------------------


def test_the_dead_get_no_conditions(fight):
    """Orcus, Conditions; Monsters and Death."""
    fight.do("damage goblin-1 30")
    fight.refuses("inflict goblin-1 dazed", "Goblin 1 is dead")


def test_an_unknown_condition_is_refused_with_what_is_close(fight):
    """Orcus, Conditions."""
    fight.refuses("inflict goblin-1 dased", "did you mean dazed")
    fight.refuses("inflict goblin-1 dazed,poned", "did you mean prone")
    fight.refuses("inflict goblin-1", "a condition")
    fight.refuses("inflict goblin-1 staggered", "is no condition")


def test_who_is_to_be_dying_comes_to_0_hp(fight):
    """Orcus, Dropping to 0 Hit Points or Below; Dying."""
    fight.do("inflict mira dying")
    assert (fight["mira"].life, fight.hp("mira")) == ("dying", 0)
    assert {"dying", "unconscious", "prone"} <= fight.effects("mira")
    fight.refuses("inflict mira dying", "already")
    fight.refuses("inflict goblin-1 dying", "only characters")


def test_words_of_the_sheet_do_as_well(fight):
    """Orcus, Damage Resistance and Vulnerability."""
    fight.do("inflict goblin-1 vulnerable fire 5", "inflict mira resist cold 3")
    assert "vulnerability" in fight.effects("goblin-1") and "resistance" in fight.effects("mira")


def test_immunity_to_damage_keeps_no_condition_off(new_fight):
    """Orcus, Damage Resistance and Vulnerability is about damage alone."""
    fight = new_fight("add monster Imp hp 20 ac 15 immune fire", "inflict imp persistent 5 fire")
    assert "persistent" in fight.effects("imp")


def test_several_may_be_inflicted_on_several(fight):
    """Orcus, Conditions."""
    fight.do("inflict goblin-1,goblin-2 dazed,slowed until end of brannoc")
    assert {"dazed", "slowed"} <= fight.effects("goblin-1") & fight.effects("goblin-2")
    fight.do("remove goblin-1 dazed")
    assert "slowed" in fight.effects("goblin-1")  # nothing but a save is shared


# -- what hangs on something -----------------------------------------------------------------------


def test_a_condition_may_hang_on_what_somebody_keeps_up(fight):
    """Orcus, Zones, Maintain."""
    fight.do("zone Web maintain move", "inflict goblin-1 immobile while web")
    assert fight.until("goblin-1", "immobile") == "until Web ends"
    fight.do("drop web")
    assert "immobile" not in fight.effects("goblin-1")


def test_what_it_hangs_on_is_looked_for_at_its_source_first(fight):
    """Orcus, Aura."""
    fight.do("aura Dread by mira", "aura Dread")
    fight.do(
        "inflict goblin-1 rattled while Dread", "inflict goblin-2 rattled from mira while Dread"
    )
    fight.do("drop Dread")
    assert "rattled" not in fight.effects("goblin-1")
    assert "rattled" in fight.effects("goblin-2")
    fight.do("drop Dread by mira")
    assert "rattled" not in fight.effects("goblin-2")


def test_there_must_be_something_to_hang_on(fight):
    """Orcus, Zones."""
    fight.refuses("inflict goblin-1 immobile while web", "nothing is maintained")
    fight.do("zone Fog")
    fight.refuses("inflict goblin-1 immobile while web", "fog")


@pytest.mark.parametrize(
    ("part", "offered"),
    [
        ("inflict mira pers", ["persistent"]),
        ("inflict mira persistent 5 f", ["fire", "force", "for", "from"]),
        ("inflict mira dazed un", ["until"]),
        ("inflict mira dazed until sa", ["save", "saved"]),
    ],
)
def test_the_words_of_a_condition_are_offered(fight, part, offered):
    """Orcus, Conditions, Duration."""
    assert complete(fight.state, part, fight.ruleset) == offered


def test_what_has_no_hp_gets_no_persistent_damage(new_fight):
    """Orcus, Persistent damage: there must be HP to lose."""
    fight = new_fight(
        "add hazard Pit", "add pc Ann hp 20 ac 15", "init pit 5", "init ann 12", "start"
    )
    fight.refuses("inflict pit persistent 5", "no HP")
    burning = Effect("persistent", "persistent", "persistent", amount=5)
    fight.edited("pit", effects=(burning,))  # as a log edited by hand might have it
    fight.do("next")
    assert fight.state.turn == "pit"


def test_who_acts_is_the_source_when_it_is_said(fight):
    """Orcus, Conditions: an effect comes from somebody."""
    fight.do("inflict goblin-1 dazed by mira", "inflict goblin-2 dazed from mira by brannoc")
    assert named(fight, "goblin-1", "dazed")[0]["source"] == "mira"
    assert named(fight, "goblin-2", "dazed")[0]["source"] == "mira"


@pytest.mark.parametrize("words", ["user-end from mira", "from mira user-end"])
def test_the_user_is_whoever_it_comes_from_wherever_that_is_said(fight, words):
    """Orcus, Duration: until the end of the user's next turn."""
    fight.do(f"inflict goblin-1 slowed {words}")
    assert fight.until("goblin-1", "slowed") == "end of mira's next turn"


@pytest.mark.parametrize("how", ["prone,dazed", "marked,dazed", "dazed,prone"])
def test_what_is_countered_takes_nothing_along_that_shares_its_save(fight, how):
    """Orcus, Conditions, Marked: standing up ends prone, another mark a mark; dazed stays."""
    fight.do(f"inflict mira {how} save ends from goblin-1", "next")
    fight.do("stand-up" if "prone" in how else "inflict mira marked from goblin-2")
    assert "dazed" in fight.effects("mira") and "prone" not in fight.effects("mira")


def test_a_save_ends_all_that_came_at_once_in_whatever_order(fight):
    """Orcus, Duration (save ends: a saving throw for every effect)."""
    fight.do("inflict mira prone,dazed save ends", "next", "save mira prone success")
    assert not fight.do("next").effects("mira")
