"""What `add` understands of a combatant: HP, a few numbers, and the campaign's own counters."""

from __future__ import annotations

from typing import Any

from affray.core.heart.decide import Context
from affray.core.heart.state import Track
from affray.core.language.words import Words
from affray.core.rules.tables import Tables
from affray.rulekit import moments, sheets
from affray.rulekit.sheets import Row
from affray.rulesets.plain.counters import counters_of

RESISTS = ("resist", "vulnerable", "immune")
ROWS = (
    sheets.hit_points(),
    sheets.numbers("init", usage="[init N]"),
    sheets.numbers("ac", "speed", low=0, usage="[ac N] [speed N]"),
    sheets.kinds(*RESISTS),
    sheets.flags("important"),
    moments.ROW,
)
"""What may be said of anybody; counters come from the campaign's `rules.toml`."""


def rows_of(tables: Tables) -> tuple[Row, ...]:
    """What `add` understands, with the campaign's own counters."""
    counters = counters_of(tables)
    return (*ROWS, *((sheets.tracks(*counters),) if counters else ()))


def create(ctx: Context, words: Words, kind: str) -> tuple[dict[str, Any], dict[str, Track]]:
    """Stats and tracks from the words behind a name. Raises Refused for what is wrong."""
    counters = counters_of(ctx.tables)
    said = sheets.read(ctx, words, rows_of(ctx.tables))
    if kind != "hazard":
        sheets.require_hp(words, said)
    tracks = {"hp": said.tracks["hp"].left, "temp_hp": Track(0)} if "hp" in said.tracks else {}
    for name, row in counters.items():
        if name in said.tracks:
            given = said.tracks[name]
            tracks[name] = given.marked if row.counts == "marked" else given.left
        elif row.everybody:
            tracks[name] = Track(0)
    return said.stats, tracks
