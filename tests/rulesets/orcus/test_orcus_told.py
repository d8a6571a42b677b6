"""How the log tells of Orcus: saves as saves, HP below 0, who marked whom, each damage alone."""

from __future__ import annotations

from typing import Any

from affray.core.formatting.pieces import names_of, pieces_of
from affray.core.formatting.reports import text_report


def told(fight: Any) -> list[str]:
    """What the last command set off, line by line."""
    head = fight.history.entries[fight.history.last]
    before = fight.history.before(head.seq)
    pieces = pieces_of(head.events, before, fight.ruleset.tables.tracks)
    return [piece.text(names_of(head.events, before)) for piece in pieces]


def test_a_save_is_told_as_a_save(fight):
    """Orcus, Saving Throws."""
    fight.do("inflict brannoc slowed save ends", "save brannoc slowed natural 1")
    assert told(fight) == ["Brannoc save against slowed 1d20 [1], failed"]
    fight.do("save brannoc slowed natural 12 extra")
    assert "Brannoc save against slowed 1d20 [12], saved" in told(fight)


def test_hp_below_0_are_told_without_their_maximum(new_fight):
    """Orcus, Hit Points, Monsters and Death."""
    fight = new_fight("add monster Rat mook", "damage rat 3")
    assert told(fight) == ["Rat −3 HP, now −2 (3)", "Rat is dead"]
    fight = new_fight("add monster Rat mook", "damage rat 1")
    assert told(fight) == ["Rat −1 HP, 0 left (1)", "Rat is dead"]


def test_a_mark_says_by_whom_wherever_it_is_told(fight):
    """Orcus, Marked."""
    fight.do("inflict mira marked save ends from goblin-1")
    (mark,) = fight.state["mira"].all_named("marked")
    assert mark.note == "by Goblin 1"
    assert told(fight) == ["Mira marked (by Goblin 1) until saved against"]


def test_persistent_damage_of_one_type_is_told_one_by_one(fight):
    """Orcus, Persistent damage."""
    fight.do("inflict mira persistent 3 poison", "inflict mira persistent 3 poison", "next")
    row = [text for text in told(fight) if "persistent" in text]
    assert row == [
        "Mira −3 HP, 27 left (3 poison persistent, 1 of 2)",
        "Mira −3 HP, 24 left (3 poison persistent, 2 of 2)",
    ]


def test_a_delayed_turn_of_the_dead_is_not_lost(fight):
    """Orcus, Delay."""
    fight.do("delay", "damage brannoc 100", "next", "next", "next")
    assert fight.state.round == 2
    assert not [text for text in told(fight) if "delayed turn" in text]


def test_whose_companion_is_told_once(new_fight):
    """Orcus, Companions."""
    fight = new_fight("add pc Wren hp 30", "add pc Ash hp 20 companion of wren")
    lines = "\n".join(text_report(fight.shown, fight.ruleset))
    assert "Companion of Wren" in lines
    assert "Companion companion" not in lines
    assert "action_points" not in fight["ash"].tracks
    assert "streak" not in fight["ash"].tracks
