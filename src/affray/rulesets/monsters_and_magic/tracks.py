"""One way to mark a track and one to clear it, whichever it is: what each brings is seen to.

Marking adds to what counts marks, such as fatigue, and takes from what counts what is left, such as
HP or action points; clearing does the opposite. Seed 004: Fatigue & Exhaustion, Hit Points, Hold.
"""

from __future__ import annotations

from collections.abc import Callable

from affray.core.heart.decide import Context
from affray.core.heart.events import Changed
from affray.core.language.refusal import Refused
from affray.core.rules.tables import Tables
from affray.rulesets.monsters_and_magic import damage, death, fatigue


def is_hold(tables: Tables, track: str) -> bool:
    """Whether a track is a hold: one of a name that the rules don't know."""
    return track not in tables.tracks


def counts_left(tables: Tables, track: str) -> bool:
    """Whether a track's value is what is left of it; a hold is marked as it is gained."""
    return track in tables.tracks and tables.tracks[track].counts == "left"


def label(tables: Tables, track: str) -> str:
    """How a track is called within a sentence."""
    rule = tables.tracks.get(track)
    name = rule.label if rule else track
    return name if name.isupper() else name.lower()


def require(ctx: Context, who: str, track: str, amount: int) -> None:
    """Raises Refused for somebody who can't pay so much by marking the track."""
    owner = ctx.state[who]
    if track in ("fatigue", "exhaustion"):
        fatigue.require(owner)
    elif track not in owner.tracks or (
        counts_left(ctx.tables, track) and owner.track(track) < amount
    ):
        raise Refused(
            f"{owner.name} has {owner.track(track)} {label(ctx.tables, track)}, not {amount}"
        )


_MARKS: dict[str, Callable[[Context, str, int, str], None]] = {
    "fatigue": fatigue.mark,
    "exhaustion": fatigue.mark_exhaustion,
    "deathsaves": death.hold_deathsaves,
    "hp": damage.lose,
}
"""How those are marked that bring something."""


def mark_track(ctx: Context, who: str, track: str, amount: int, why: str = "") -> None:
    """Mark a track so many times, as far as it goes; nothing on one that isn't there."""
    if track not in ctx.state[who].tracks:
        return
    if track in _MARKS:
        _MARKS[track](ctx, who, amount, why)
    else:
        _move(ctx, who, track, -amount if counts_left(ctx.tables, track) else amount, why)


def clear_track(
    ctx: Context, who: str, track: str, amount: int, why: str = "", by_somebody: bool = True
) -> None:
    """Clear so many marks of a track; `by_somebody` as `fatigue.clear` has it."""
    if track not in ctx.state[who].tracks:
        return
    if track == "fatigue":
        fatigue.clear(ctx, who, amount, why, by_somebody)
    elif track == "hp":
        damage.heal(ctx, who, amount, why)
    else:
        _move(ctx, who, track, amount if counts_left(ctx.tables, track) else -amount, why)


def _move(ctx: Context, who: str, track: str, by: int, why: str) -> None:
    """Move a track as far as its bounds let it."""
    now = ctx.state[who].tracks[track]
    value = max(0, now.value + by)
    value = value if now.max is None else min(value, max(now.max, now.value))
    if value != now.value:
        ctx.emit(Changed(who, track, value - now.value, why=why))
