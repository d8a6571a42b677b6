"""What wears somebody out and what that comes to: what is taken from checks, what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from affray.core.heart.effects import forbidden
from affray.core.heart.state import MOST_KEPT, Combatant, Encounter, Track
from affray.core.language.refusal import listed, signed
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import TrackRule
from affray.tui.panes.order_columns import shown_tracks, stands_apart
from affray.tui.panes.order_row import RowLook

CHECKS = "check"
"""How every game calls the number that is added to all checks."""
MOST_OF_ALL = 4096
"""So many are kept of what checks are made with: crowds are looked at whole, with every command."""
NEXT = "→"


class Worn(NamedTuple):
    """What all that lasts comes to.

    taken   what it takes from each check, with exhaustion, 0 or less
    barred  what it bars of `act` and `react`
    """

    taken: int
    barred: tuple[str, ...]


def worn(look: RowLook, who: Combatant) -> Worn:
    """What exhaustion and all that lasts come to on somebody."""
    state = look.state
    sources = {effect.source for effect in who.effects if effect.source}
    gone = tuple(sorted(each for each in sources if _is_gone(state, each)))
    return _worn(look.ruleset, who, gone, look.ruleset.allowing(state, who), _Unseen(state))


def _is_gone(state: Encounter, who: str) -> bool:
    found = state.find(who)
    return found is None or found.is_out


class _Unseen:
    """The state, handed on to where it is not what something is kept by."""

    def __init__(self, state: Encounter) -> None:
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unseen) and other.state.settings is self.state.settings

    def __hash__(self) -> int:
        return id(self.state.settings)


@lru_cache(maxsize=MOST_OF_ALL)
def _worn(
    ruleset: Ruleset,
    who: Combatant,
    gone: tuple[str, ...],
    allowing: tuple[str, ...],
    seen: _Unseen,
) -> Worn:
    """It hangs on who it is, on which sources of what lasts are there yet, on what keeps it from
    reacting no longer, and on what is set."""
    tables, state = ruleset.tables, seen.state
    shares = ruleset.shares(tables, state, who, CHECKS)
    taken = sum(share.amount for share in shares if isinstance(share.amount, int))
    but = {"act": (), "react": allowing}
    barred = tuple(what for what in but if forbidden(tables, state, who, what, but[what]))
    return Worn(min(taken, 0), barred)


def worn_tracks(ruleset: Ruleset) -> dict[str, TrackRule]:
    """The tracks that have a pane of their own, in its order."""
    rules = ruleset.tables.tracks
    return {t: rules[t] for t in shown_tracks(ruleset.tables) if stands_apart(rules[t])}


@lru_cache(maxsize=MOST_KEPT)
def next_mark(ruleset: Ruleset, who: Combatant, taken: int) -> str:
    """What the next mark brings whoever has any: `→−2`, `→doomed`, or that there is none left."""
    marked = [(t, r, who.tracks[t]) for t, r in worn_tracks(ruleset).items() if t in who.tracks]
    marked = [row for row in marked if row[1].counts == "marked"]
    if not any(track.value for _, _, track in marked):
        return ""
    for name, rule, track in sorted(marked, key=lambda row: not row[1].grave):
        if track.max is not None and track.value >= track.max:
            if rule.grave:
                return "full"
            continue
        told = listed(list(_brought(ruleset, who, name, track, taken)))
        if told:
            return f"{NEXT}{told}"
    return ""


def _brought(
    ruleset: Ruleset, who: Combatant, name: str, track: Track, taken: int
) -> Iterator[str]:
    """What one mark more of a track brings, in a few words."""
    tables, more = ruleset.tables, replace(track, value=track.value + 1)
    then = replace(who, tracks={**who.tracks, name: more})
    by = ruleset.penalty(tables, then) - ruleset.penalty(tables, who)
    if by:
        yield signed(taken + by)
    for row in tables.levels.values():
        if row.track == name and row.at == more.value:
            yield from (f"no {what}" for what in row.forbids)
            yield from row.brings
