"""The commands mark, clear, forward and ongoing: what is counted, and bonuses with an end.

Seed 004: Fatigue & Exhaustion; Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.effects import gain
from affray.core.events import Noted
from affray.core.refusal import Refused
from affray.core.ruleset import Verb
from affray.core.state import Combatant, Duration, Effect
from affray.core.words import Words
from affray.rulesets.monsters_and_magic import conditions, forwards, tracks

if TYPE_CHECKING:
    from affray.core.decide import Context

_ONGOING = ("check", "attack", "ac", "speed")


def _mark(ctx: Context, words: Words) -> None:
    who, track, amount = _track_and_amount(words)
    tracks.mark_track(ctx, who.id, track, amount)
    done = "uses up" if tracks.counts_left(ctx.tables, track) else "marks"
    ctx.text = f"{who.name} {done} {tracks.label(ctx.tables, track)}"


def _clear(ctx: Context, words: Words) -> None:
    who, track, amount = _track_and_amount(words)
    tracks.clear_track(ctx, who.id, track, amount)
    if not ctx.events:
        ctx.emit(Noted(f"{who.name} had no {tracks.label(ctx.tables, track)} to clear"))
    done = "gets back" if tracks.counts_left(ctx.tables, track) else "clears"
    ctx.text = f"{who.name} {done} {tracks.label(ctx.tables, track)}"


def _track_and_amount(words: Words) -> tuple[Combatant, str, int]:
    """Somebody's track other than HP, which damage and healing move, and how far."""
    who = words.combatant("whose track")
    known = [name for name in who.tracks if name not in ("hp", "temp_hp")]
    if not known:
        raise Refused(f"{who.name} has no tracks that could be marked")
    track = words.choice("a track", known)
    return who, track, words.maybe_number(1, "how many", 1)


def _forward(ctx: Context, words: Words) -> None:
    who = words.combatant("who gets it")
    amount = words.number("the bonus or penalty", -20, 20)
    note = _read_note(words)
    placing = conditions.read_placing(ctx, words, conditions.Placing(until=Duration("use")))
    note = note or words.rest()
    until = conditions.end_of(ctx, who.id, "forward", placing)
    conditions.give_forward(ctx, who.id, {forwards.kind_of(note): amount}, note, until)
    ctx.text = f"{who.name} gets a {'bonus' if amount >= 0 else 'penalty'}"


def _read_note(words: Words) -> str:
    """Read the words up to those on how long it lasts: `next attack until end of mira`."""
    parts = []
    while not words.done:
        timed = words.peek() == "until" or (words.peek() == "for" and words.peek(1).isdecimal())
        if timed and not words.upcoming.quoted:
            break
        parts.append(str(words.next("what it is for")))
    return " ".join(parts)


def _ongoing(ctx: Context, words: Words) -> None:
    who = words.combatant("who gets it")
    amount = words.number("the bonus or penalty", -99, 99)
    what = words.choice("what it changes", _ONGOING)
    placing = conditions.read_placing(ctx, words, conditions.Placing(until=Duration("removed")))
    until = conditions.end_of(ctx, who.id, "ongoing", placing)
    gain(
        ctx,
        who.id,
        Effect(
            "ongoing", "ongoing", "ongoing", until, placing.source, {what: amount}, words.rest()
        ),
    )
    ctx.text = f"{who.name} gets a {'bonus' if amount >= 0 else 'penalty'}"


MARK_VERBS = (
    Verb("mark", "mark NAME TRACK [N]", "marks fatigue, exhaustion or another track", _mark),
    Verb("clear", "clear NAME TRACK [N]", "clears marks of a track", _clear),
    Verb(
        "forward",
        'forward NAME +N ["next attack"] [for N turns | until ...]',
        "a bonus for the next fitting roll",
        _forward,
    ),
    Verb(
        "ongoing",
        "ongoing NAME +N check|attack|ac|speed [for N turns | until ...] [NOTE]",
        "a bonus that lasts",
        _ongoing,
    ),
)
