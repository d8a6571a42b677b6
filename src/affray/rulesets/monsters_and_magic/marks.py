"""The commands mark, clear, forward and ongoing: what is counted, and bonuses with an end.

Seed 004: Fatigue & Exhaustion; Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant, Duration
from affray.core.language.clauses import names, they
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit.placing import begin, read_placing, until_for
from affray.rulesets.monsters_and_magic import conditions, forwards, tracks
from affray.rulesets.monsters_and_magic.conditions import LASTING

ONGOING = "ongoing"
_ONGOING = ("check", "attack", "ac", "speed")


def _mark(ctx: Context, words: Words) -> None:
    people, track, amount = _track_and_amount(words)
    for who in people:
        tracks.mark_track(ctx, who.id, track, amount)
    done = ("uses up", "use up") if tracks.counts_left(ctx.tables, track) else ("marks", "mark")
    ctx.text = f"{names(people)} {done[len(people) > 1]} {tracks.label(ctx.tables, track)}"


def _clear(ctx: Context, words: Words) -> None:
    people, track, amount = _track_and_amount(words)
    called = tracks.label(ctx.tables, track)
    for who in people:
        done_before = len(ctx.events)
        tracks.clear_track(ctx, who.id, track, amount)
        if len(ctx.events) == done_before:
            ctx.emit(Noted(f"{who.name} had no {called} to clear"))
    left = tracks.counts_left(ctx.tables, track)
    done = ("gets back", "get back") if left else ("clears", "clear")
    ctx.text = f"{names(people)} {done[len(people) > 1]} {called}"


def _track_and_amount(words: Words) -> tuple[list[Combatant], str, int]:
    """A track of one or several other than HP, which damage and healing move, and how far.

    Raises Refused, naming who, when one of them hasn't got it.
    """
    people = words.combatants("whose track")
    known = [name for who in people for name in who.tracks if name not in ("hp", "temp_hp")]
    if not known:
        raise Refused(f"{they(people, 'has', 'have')} no tracks that could be marked")
    track = words.choice("a track", dict.fromkeys(known))
    without = [who for who in people if track not in who.tracks]
    if without:
        raise Refused(f"{they(without, 'has', 'have')} no track {track!r}")
    return people, track, words.maybe_number(1, "how many", 1)


def _forward(ctx: Context, words: Words) -> None:
    people = words.combatants("who gets it")
    amount = words.number("the bonus or penalty", -20, 20)
    note = _read_note(words)
    placing = read_placing(LASTING, ctx, words)
    note = note or words.rest()
    for who in people:
        conditions.give_forward(ctx, who.id, {forwards.kind_of(note): amount}, note, placing)
    ctx.text = _given(people, amount)


def _given(people: list[Combatant], amount: int) -> str:
    return f"{they(people, 'gets', 'get')} a {'bonus' if amount >= 0 else 'penalty'}"


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
    people = words.combatants("who gets it")
    amount = words.number("the bonus or penalty", -99, 99)
    what = words.choice("what it changes", _ONGOING)
    placing = read_placing(LASTING, ctx, words)
    note = words.rest()
    for who in people:
        until = until_for(LASTING, ctx, who.id, placing, otherwise=Duration())
        modifiers = {what: amount}
        begin(ctx, who.id, ONGOING, until, placing, kind=ONGOING, modifiers=modifiers, note=note)
    ctx.text = _given(people, amount)


MARK_VERBS = (
    Verb("mark", "mark NAME[,NAME] TRACK [N]", "marks fatigue, exhaustion or another track", _mark),
    Verb("clear", "clear NAME[,NAME] TRACK [N]", "clears marks of a track", _clear),
    Verb(
        "forward",
        'forward NAME[,NAME] +N ["next attack"] [for N turns | until ...]',
        "a bonus for the next fitting roll",
        _forward,
    ),
    Verb(
        "ongoing",
        "ongoing NAME[,NAME] +N check|attack|ac|speed [for N turns | until ...] [NOTE]",
        "a bonus that lasts",
        _ongoing,
    ),
)
