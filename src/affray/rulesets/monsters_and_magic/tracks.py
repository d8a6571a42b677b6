"""One way to mark a track and one to clear it, whichever it is: what each brings is seen to.

Marking adds to what counts marks, such as fatigue, and takes from what counts what is left, such as
HP or action points; clearing does the opposite.

A hold is a track of a name that no other track has: charges of something, until a long rest or an
end of their own. Charges with an end stand in an effect `holding` as well: `amount` of them, `type`
the track; they are gone when it ends.

Seed 004: Fatigue & Exhaustion; Hit Points; Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from affray.core.heart.decide import Context
from affray.core.heart.difference import bounded
from affray.core.heart.events import Changed, Noted
from affray.core.heart.state import Combatant
from affray.core.language.clauses import names, read_gm_track, take_gm, they
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulekit.placing import Placing, begin, read_placing, until_for
from affray.rulesets.monsters_and_magic import conditions, harm, totals

DEATHSAVES = "deathsaves"


def is_hold(tables: Tables, track: str) -> bool:
    """Whether a track is a hold: one of a name that the rules don't know."""
    return track not in tables.tracks


def _counts_left(tables: Tables, track: str) -> bool:
    """Whether a track's value is what is left of it; a hold is marked as it is gained."""
    return track in tables.tracks and tables.tracks[track].counts == "left"


_MARKS: dict[str, Callable[[Context, str, int, str], None]] = {
    "fatigue": harm.mark_fatigue,
    "exhaustion": harm.mark_exhaustion,
    DEATHSAVES: harm.hold_deathsaves,
    "hp": harm.lose,
}
"""How those are marked that bring something."""


def mark_track(ctx: Context, who: str, track: str, amount: int, why: str = "") -> None:
    """Mark a track so many times, as far as it goes; nothing on one that isn't there."""
    if track not in ctx.state[who].tracks:
        return
    if track in _MARKS:
        _MARKS[track](ctx, who, amount, why)
    else:
        _move(ctx, who, track, amount, clears=False, why=why)


def pay(ctx: Context, who: str, cost: Mapping[str, int], why: str) -> None:
    """Mark tracks as the price of something. Raises Refused for who can't pay so much by one."""
    for track, amount in cost.items():
        owner = ctx.state[who]
        is_too_much = _counts_left(ctx.tables, track) and amount > owner.track(track)
        if track in ("fatigue", "exhaustion"):
            harm.require_fatigue(owner)
        elif track not in owner.tracks or is_too_much:
            have = f"{owner.track(track)} {ctx.tables.track(track).in_a_sentence}"
            raise Refused(f"{owner.name} has {have}, not {amount}")
        mark_track(ctx, who, track, amount, why)


def clear_track(
    ctx: Context, who: str, track: str, amount: int, why: str = "", by_somebody: bool = True
) -> None:
    """Clear so many marks of a track; `by_somebody` as `harm.clear_fatigue` has it."""
    if track not in ctx.state[who].tracks:
        return
    if track == "fatigue":
        harm.clear_fatigue(ctx, who, amount, why, by_somebody)
    elif track == "hp":
        harm.heal(ctx, who, amount, why)
    else:
        _move(ctx, who, track, amount, clears=True, why=why)


def _move(ctx: Context, who: str, track: str, amount: int, clears: bool, why: str = "") -> None:
    """Move a track as far as its bounds let it; nobody's is the GM's."""
    by = amount if _counts_left(ctx.tables, track) == clears else -amount
    change = bounded(ctx.tables, ctx.state, Changed(who, track, by, why=why))
    if change.by:
        ctx.emit(change)


# -- the commands ----------------------------------------------------------------------------------


_DOES = {
    "mark": {"left": ("uses up", "use up"), "marked": ("marks", "mark")},
    "clear": {"left": ("gets back", "get back"), "marked": ("clears", "clear")},
}
"""How it is told by what a track counts, of one and of several."""


def _mark_or_clear(ctx: Context, words: Words, verb: str) -> None:
    """`mark` and `clear`, of a track of one or several, or of the GM's."""
    is_gm = take_gm(words)
    clears = verb == "clear"
    people, track = ([], read_gm_track(ctx, words)) if is_gm else _read_track(words)
    amount = words.maybe_number(1, "how many", 1)
    called = ctx.tables.track(track).in_a_sentence
    without: list[Combatant] = []
    if is_gm:
        _move(ctx, "", track, amount, clears)
    for who in people:
        done_before = len(ctx.events)
        (clear_track if clears else mark_track)(ctx, who.id, track, amount)
        if clears and len(ctx.events) == done_before:
            without.append(who)
    if people and len(without) == len(people):
        raise Refused(f"{they(people, 'has', 'have')} no {called} to clear")
    ctx.emit(*(Noted(f"{who.name} had no {called} to clear") for who in without))
    counts = "left" if _counts_left(ctx.tables, track) else "marked"
    does = _DOES[verb][counts][len(people) > 1]
    ctx.text = (
        f"{f'The {ctx.tables.track(track).whose}' if is_gm else names(people)} {does} {called}"
    )


def _read_track(words: Words) -> tuple[list[Combatant], str]:
    """Read a track of one or several other than HP, which damage and healing move.

    Raises Refused, naming whoever doesn't have that track.
    """
    people = words.combatants("whose track")
    known = [name for who in people for name in who.tracks if name not in ("hp", "temp_hp")]
    if not known:
        raise Refused(f"{they(people, 'has', 'have')} no tracks that could be marked")
    track = words.choice("a track", dict.fromkeys(known))
    without = [who for who in people if track not in who.tracks]
    if without:
        raise Refused(f"{they(without, 'has', 'have')} no track {track!r}")
    return people, track


def _hold(ctx: Context, words: Words) -> None:
    people = words.combatants("who holds")
    name, first = _read_held(ctx, words)
    amount = first if first is not None else words.number("how many (negative: spent)", -999, 999)
    placing = read_placing(conditions.LASTING, ctx, words)
    if amount < 0 and placing != Placing():
        raise Refused("what is spent is gone: only what is gained has an end")
    for who in people:
        if name == DEATHSAVES:
            _hold_deathsaves(ctx, who, amount, placing)
        elif amount >= 0:
            _gain_charges(ctx, who, name, amount, placing)
        else:
            totals.spend_charges(ctx, who, name, -amount)
    does = ("holds", "hold") if amount >= 0 else ("spends", "spend")
    ctx.text = f"{they(people, *does)} {name}"


def _read_held(ctx: Context, words: Words) -> tuple[str, int | None]:
    """Read what is held, and how many where that stands before it: `3 arrows`, or `3-arrows`, as
    the rules write it. Raises Refused for what is no hold."""
    first = words.number("how many", -999, 999) if words.has_number() else None
    name = hyphened(words.next("what is held"))
    count, _, rest = name.partition("-")
    if first is None and count.isdecimal() and rest:
        first, name = int(count), rest
    if name.rstrip("s") == DEATHSAVES.rstrip("s"):
        return DEATHSAVES, first
    if not is_hold(ctx.tables, name) or not name.replace("-", "").isalpha():
        raise Refused(f"{name!r} can't be held: give it a name in letters that no track has")
    return name, first


def _hold_deathsaves(ctx: Context, who: Combatant, amount: int, placing: Placing) -> None:
    """Deathsaves are held by the dying, until they no longer are, and are never spent (seed 004:
    Death & Dying)."""
    if who.life != "dying":
        raise Refused(f"deathsaves are held by the dying; {who.name} is {who.life}")
    if amount < 0 or placing != Placing():
        raise Refused("deathsaves are held until one is stable or dead, and never spent")
    harm.hold_deathsaves(ctx, who.id, amount)


def _gain_charges(ctx: Context, who: Combatant, name: str, amount: int, placing: Placing) -> None:
    """Gain charges; those with an end are held until then."""
    ctx.emit(Changed(who.id, name, amount))
    if placing == Placing() or not amount:
        return
    until = until_for(conditions.LASTING, ctx, who.id, placing)
    begin(ctx, who.id, "holding", until, placing, amount=amount, type=name, charges=True)


VERBS = (
    Verb(
        "mark",
        "mark NAME[,NAME]|gm TRACK [N]",
        "marks fatigue, exhaustion or another track",
        partial(_mark_or_clear, verb="mark"),
    ),
    Verb(
        "clear",
        "clear NAME[,NAME]|gm TRACK [N]",
        "clears marks of a track",
        partial(_mark_or_clear, verb="clear"),
    ),
    Verb(
        "hold",
        "hold NAME[,NAME] WHAT N [for N turns | until ...]",
        "gives charges to hold, or spends them (negative)",
        _hold,
    ),
)
