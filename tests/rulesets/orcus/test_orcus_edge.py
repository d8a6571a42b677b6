"""What a turn's start and end bring. Orcus, Your Turn, The End of Your Turn, Death Saves."""

from __future__ import annotations

from affray.core.engine.events import Rolled, TrackChanged


def changes(fight, who, track="hp"):
    """How a track moved in the last command."""
    return [
        e.by
        for e in fight.events
        if isinstance(e, TrackChanged) and (e.who, e.track) == (who, track)
    ]


def test_persistent_damage_comes_before_regeneration(fight):
    """Orcus, Your Turn, Regeneration."""
    fight.do("inflict mira persistent 5", "inflict mira regeneration 3", "next")
    assert changes(fight, "mira") == [-5, 3]


def test_what_ends_with_the_start_of_the_turn_ends_before_it_hurts(fight):
    """Orcus, Your Turn, Duration."""
    fight.do("inflict mira persistent 5 until start of mira", "next")
    assert fight.hp("mira") == 30


def test_what_hung_on_something_that_ended_does_nothing_more(fight):
    """Orcus, Zones, The End of Your Turn."""
    fight.do("zone Fire until end of brannoc", "inflict mira persistent 5 while fire")
    fight.do("next", "next", "next", "next")
    assert fight.hp("mira") == 25
    fight.do("next")
    assert fight.hp("mira") == 25


def test_who_dies_at_its_turns_start_has_an_empty_turn(fight):
    """Orcus, Your Turn, Monsters and Death."""
    fight.do("damage goblin-1 20", "inflict goblin-1 persistent 7", "next", "next")
    assert fight["goblin-1"].life == "dead"
    assert fight.state.turn == "goblin-1"
    assert fight.shown and fight.pending == []
    fight.refuses("attack mira miss", "Goblin 1 can't use Basic Attack: dead")
    fight.do("next")
    assert fight.state.turn == "goblin-2"


def test_the_last_one_may_die_at_its_turns_start(new_fight):
    """Orcus, Your Turn."""
    fight = new_fight(
        "add monster Orc hp 8 ac 15", "inflict orc persistent 9", "init orc 5", "start"
    )
    assert fight["orc"].life == "dead"
    fight.refuses("next", "nobody is left")


def test_a_summon_that_falls_at_its_turns_start_is_gone(fight):
    """Orcus, Your Turn, Summons."""
    fight.do("add pc Owl summon of brannoc hp 4", "init owl 17", "inflict owl persistent 5")
    fight.do("inflict owl persistent 3 cold", "next")
    assert fight.shown and fight["owl"].life == "dead"
    fight.do("next")
    assert fight.shown and fight.state.turn == "mira"
    assert fight.state.find("owl") is None
    assert fight.track("brannoc", "recoveries") == 7


def test_who_falls_at_its_turns_start_did_not_start_it_at_0_hp(fight):
    """Orcus, Your Turn, Death Saving Throws."""
    fight.do("damage mira 28", "inflict mira persistent 5 until fight", "next")
    assert fight["mira"].life == "dying"
    assert fight.pending == []
    fight.do("next")
    assert fight.track("mira", "death_failures") == 0


def test_at_the_turns_end_who_fell_at_its_start_makes_a_death_save(fight):
    """Orcus, Dying: at the end of each turn, with that setting."""
    fight.do("setting death-saves end", "damage mira 28")
    fight.do("inflict mira persistent 5 until fight", "next")
    assert fight.pending == [("mira", "Mira is dying: death save")]
    fight.do("next", faces=[12])
    assert fight.track("mira", "death_successes") == 1


def test_death_saves_come_before_other_saves(fight):
    """Orcus, Death Saving Throws (start of the turn), The End of Your Turn."""
    fight.do("inflict mira persistent 1", "damage mira 35", "next")
    fight.do("next", faces=[12, 13])
    rolls = [e.for_ for e in fight.events if isinstance(e, Rolled)]
    assert rolls[1] == "save against persistent 1"


def test_staggered_comes_and_goes_with_hp(fight):
    """Orcus, Staggered."""
    fight.do("damage mira 14")
    assert "staggered" not in fight.effects("mira")
    fight.do("damage mira 1")
    assert "staggered" in fight.effects("mira")
    fight.do("heal mira 1")
    assert "staggered" not in fight.effects("mira")
    fight.do("set mira hp 3")
    assert "staggered" in fight.effects("mira")


def test_a_condition_changes_the_actions_of_whose_turn_it_is_at_once(fight):
    """Orcus, Dazed."""
    fight.do("inflict brannoc dazed")
    assert fight.actions("brannoc") == (1, 0, 0)
    fight.do("remove brannoc dazed")
    assert fight.actions("brannoc") == (1, 1, 1)


def test_the_fights_end_ends_what_turns_and_rounds_would(fight):
    """Orcus, Duration."""
    fight.do("inflict goblin-1 slowed until end of mira", "inflict goblin-1 dazed until round 2")
    fight.do("inflict goblin-1 rattled", "inflict goblin-1 immobile save ends", "end")
    assert fight.effects("goblin-1") == {"rattled", "immobile"}


def test_what_a_recovery_heals_and_when_it_is_over_is_said(fight):
    """Orcus, Recoveries, Instant Death."""

    def remark(track):
        return fight.ruleset.state.describe_track(fight.ruleset.tables, fight["brannoc"], track)

    assert remark("recoveries") == "11 HP each"
    assert remark("hp") == ""
    fight.do("damage brannoc 50")
    assert remark("hp") == "dead at −22"
    fight.do("remove brannoc dying")
    assert (fight["brannoc"].life, remark("hp")) == ("stable", "dead at −22")


def test_what_always_follows_follows_once(fight):
    """Orcus, Staggered, Dazed: looking again changes nothing."""
    fight.do("damage mira 20", "inflict brannoc dazed", "stance Wall")
    fight.do('note "nothing"')
    assert [type(e).__name__ for e in fight.events] == ["NoteAdded"]


def test_summons_are_gone_when_the_fight_ends(fight):
    """Orcus, Summons."""
    fight.do("add pc Owl summon of brannoc hp 4", "end")
    assert fight.state.find("owl") is None
