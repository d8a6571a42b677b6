"""Tracks of a campaign: who has one, and when it comes back: each turn, round or fight, or rest.

`[tracks.luck] resets = "round"` in `rules.toml` brings luck back to its maximum, and marks to none.
"""

from __future__ import annotations

from collections.abc import Iterable

from affray.core.engine.events import NoteAdded, TrackChanged
from affray.core.engine.state import Combatant, Track
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Resets, TrackRow


def begin_tracks(ctx: Context) -> None:
    """Give everybody the campaign's tracks that all have, if they joined before it had these."""
    names = [name for name in ctx.tables.counters if ctx.tables.tracks[name].everybody]
    ctx.emit(
        *(
            TrackChanged(each.id, name, routine=True)
            for name in names
            for each in ctx.state.combatants
            if name not in each.tracks
        )
    )


def reset_tracks(ctx: Context, people: Iterable[str], when: Resets, why: str = "") -> None:
    """Refill the tracks that reset at `when` for these people (ids). The log lists everybody who
    gets something back once, with the reason `why` after each number."""
    rows = {name: row for name, row in ctx.tables.tracks.items() if row.resets == when}
    if not rows:
        return
    ids = list(people)
    for name, row in rows.items():
        changes = [
            TrackChanged(each.id, name, by, why=why, routine=True)
            for each in map(ctx.state.find, ids)
            if each is not None and (by := _way_back(row, each, name))
        ]
        ctx.emit(*changes)
        ctx.emit(*(NoteAdded(f"{row.label} comes back", each.who, aside=True) for each in changes))


def _way_back(row: TrackRow, bearer: Combatant, name: str) -> int:
    """The difference between somebody's track and its start; 0 without that track."""
    track = bearer.tracks.get(name)
    return 0 if track is None else _beginning(row, track) - track.value


def _beginning(row: TrackRow, track: Track) -> int:
    return 0 if row.counts == "marked" or track.max is None else track.max
