"""Tracks of a campaign that come back by themselves: each turn, round or fight, or with a rest.

`[tracks.luck] resets = "round"` in `rules.toml` brings luck back to its maximum, and marks to none.
"""

from __future__ import annotations

from collections.abc import Iterable

from affray.core.engine.events import NoteAdded, TrackChanged
from affray.core.engine.state import Combatant, Track
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Resets, TrackRow


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
