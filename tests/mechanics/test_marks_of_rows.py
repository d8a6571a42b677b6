"""A row's `marks` and `recovers` do what they say in a game that says nothing more of them."""

from __future__ import annotations

import pytest

from affray.core.dice import SeededDice
from affray.core.engine.state import Combatant, Encounter, Track
from affray.core.rules.ruleset import Context, Ruleset
from affray.core.rules.tables import read_tables
from affray.mechanics.techniques import mark_track

TABLES = read_tables(
    {"tracks": {"hp": {"label": "HP"}, "stress": {"label": "Stress", "counts": "marked"}}}
)


@pytest.mark.parametrize(
    ("track", "by", "after"),
    [
        ("stress", 2, 5),
        ("stress", -2, 1),
        ("stress", -9, 0),
        ("hp", 2, 2),  # marked, there is less left
        ("hp", -3, 7),  # and recovered, more
        ("hp", -99, 9),
    ],
)
def test_a_track_is_marked_or_recovered_within_its_bounds(track: str, by: int, after: int) -> None:
    mira = Combatant(
        "mira", "Mira", "party", "pc", tracks={"hp": Track(4, 9), "stress": Track(3, 9)}
    )
    ctx = Context(Encounter(combatants=(mira,)), Ruleset("x", "X", TABLES, {}), SeededDice(1))
    mark_track(ctx, "mira", track, by, "Rally")
    assert ctx.state["mira"].track(track) == after


def test_who_has_no_such_track_is_left_alone() -> None:
    mira = Combatant("mira", "Mira", "party", "pc", tracks={"hp": Track(9, 9)})
    ctx = Context(Encounter(combatants=(mira,)), Ruleset("x", "X", TABLES, {}), SeededDice(1))
    mark_track(ctx, "mira", "stress", 2, "Rally")
    mark_track(ctx, "mira", "hp", -2, "Rally")
    assert ctx.events == []
