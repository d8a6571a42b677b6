"""Tracks counted in levels: each does something, and in a fight some are felt only when it is over.

What a level does, and how it goes, are rows of the tables (`LevelRule`); a game says which of its
tracks are counted so (`TrackRule.levels`).
"""

from __future__ import annotations

from collections.abc import Collection

from affray.core.heart.decide import Context
from affray.core.heart.events import Changed
from affray.core.heart.state import Combatant
from affray.core.rules.tables import Tables
from affray.rulekit.placing import begin


def tracks_of(tables: Tables, who: Combatant) -> list[str]:
    """The tracks of somebody's that are counted in levels."""
    return [name for name, rule in tables.tracks.items() if rule.levels and name in who.tracks]


def mark(ctx: Context, who: str, track: str, by: int = 1, why: str = "", felt: bool = True) -> None:
    """Gain levels, felt at once or when the fight is over; none where there is no such track."""
    if track in ctx.state[who].tracks:
        ctx.emit(Changed(who, track, by, why=why, unfelt=0 if felt else by))


def clear(ctx: Context, who: str, track: str, by: int = 1, why: str = "") -> int:
    """Take levels away, those not felt yet before the others; gives how many there were to take."""
    found = ctx.state[who].tracks.get(track)
    really = min(by, found.value) if found is not None else 0
    if found is not None and really:
        ctx.emit(Changed(who, track, -really, why=why, unfelt=-min(really, found.unfelt)))
    return really


def written_by_hand(ctx: Context, who: str, felt: bool) -> None:
    """After a number of levels was set: those that came count as gained now, those that went are
    such as were not felt yet, before others."""
    before = ctx.before.find(who)
    if before is None:
        return
    for track in tracks_of(ctx.tables, ctx.state[who]):
        by = ctx.state[who].track(track) - before.track(track)
        had = before.tracks[track].unfelt if track in before.tracks else 0
        wanted = had + (0 if felt and by > 0 else by)
        unfelt = max(0, wanted) - ctx.state[who].tracks[track].unfelt
        if unfelt:
            ctx.emit(Changed(who, track, unfelt=unfelt, routine=True))


def feel(ctx: Context, why: str = "") -> None:
    """The fight is over: everybody feels all levels that they have."""
    for combatant in ctx.state.combatants:
        for track in tracks_of(ctx.tables, combatant):
            unfelt = combatant.tracks[track].unfelt
            if unfelt:
                ctx.emit(Changed(combatant.id, track, why=why, unfelt=-unfelt))


def settled(ctx: Context) -> None:
    """Lay what a level brings on whoever has come to feel it by this command: it stays when the
    level goes, and doesn't come again when it was taken away by hand."""
    if not any(row.brings for row in ctx.tables.levels.values()):
        return
    before = {combatant.id: combatant for combatant in ctx.before.combatants}
    for combatant in ctx.state.combatants:
        if combatant is not before.get(combatant.id):
            _lay_what_is_new(ctx, before.get(combatant.id), combatant)


def _lay_what_is_new(ctx: Context, before: Combatant | None, now: Combatant) -> None:
    for row in ctx.tables.levels.values():
        is_new = _felt(before, row.track) < row.at <= _felt(now, row.track)
        for name in row.brings if is_new else ():
            if ctx.state[now.id].named(name) is None:
                begin(ctx, now.id, name, because=row.track)


def _felt(who: Combatant | None, track: str) -> int:
    found = who.tracks.get(track) if who is not None else None
    return found.felt if found is not None else 0


def goes_with(tables: Tables, track: str, level: int) -> str:
    """The rest that takes somebody's last level away, of so many; empty where none does."""
    rows = (row for row in tables.levels.values() if row.track == track and row.goes)
    last = max((row for row in rows if row.at <= level), key=lambda row: row.at, default=None)
    return last.goes if last is not None else ""


def rested(ctx: Context, who: str, rests: Collection[str], why: str) -> None:
    """Take one level off each track of which the last goes with one of those rests."""
    for track in tracks_of(ctx.tables, ctx.state[who]):
        if goes_with(ctx.tables, track, ctx.state[who].track(track)) in rests:
            clear(ctx, who, track, 1, why)
