"""Events in words that any game's table can read: what a command came to, in a few short pieces.

Nothing here knows a rule. How a track is called and counted comes from the ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from itertools import groupby, takewhile
from typing import Any

from affray.core.heart import events as e
from affray.core.heart.evolve import evolve
from affray.core.heart.history import Entry
from affray.core.heart.state import Clock, Encounter, Life, Track
from affray.core.language.refusal import listed, plain_number, signed
from affray.core.rules.tables import TrackRule
from affray.core.telling.effect_words import (
    called,
    in_full,
    note_beside,
    until_in_words,
    with_amounts,
)
from affray.core.telling.own_numbers import is_of_tables

WHO = "\0"
"""Stands for names in a piece that is told of several; nobody can type it."""
NO_RULES: Mapping[str, TrackRule] = {}

LIVES: dict[Life, str] = {
    "up": "is up again",
    "dying": "is dying",
    "stable": "is stable",
    "unconscious": "is unconscious",
    "defeated": "is defeated",
    "dead": "is dead",
}


def entry_line(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRule] = NO_RULES) -> str:
    """The entry in one line: what was asked for, then what it came to."""
    return " · ".join(entry_pieces(entry, before, tracks))


def entry_pieces(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRule]) -> list[str]:
    """What was asked for, and each thing that it came to, to be shown one below another."""
    if entry.to is not None:
        return [entry.title]
    told = consequences(entry.events, before, tracks, entry.by)
    told = [_unrepeated(piece, entry.title) for piece in told if piece not in entry.title]
    subject = _subject(entry.title, before)
    told = _without_subject(told, subject)
    is_ = next((f"{subject} {v} " for v in _IS if entry.title.startswith(f"{subject} {v} ")), "")
    said = entry.title.removeprefix(is_) if subject and is_ else ""
    told = [_without_state(piece, said) for piece in told]
    has = f"{entry.title.removeprefix(f'{subject}: ')} " if subject else ""
    return [entry.title, *filter(None, (f"{piece} ".removeprefix(has).strip() for piece in told))]


def _without_state(piece: str, said: str) -> str:
    """The piece without what the title has said that its subject is: `weakened until …`."""
    if said.startswith("no longer"):
        return "" if piece.startswith(said) else piece
    state = said.partition(" ")[0]
    return "" if piece == state else piece.removeprefix(f"{state} ")


_IS = ("is", "are")
_AND = re.compile(r", | and ")
_BRACKETS = re.compile(r" \(([^()]+)\)")


def _unrepeated(piece: str, title: str) -> str:
    """The piece without reasons that the title ends with, and without a note that stands in it."""
    piece = _without_notes(piece, title.casefold())
    reasons, colon, what = piece.partition(": ")
    news = [reason for reason in reasons.split(", ") if not title.endswith(f" {reason}")]
    return ": ".join([", ".join(news), what] if news else [what]) if colon else piece


def _without_notes(piece: str, said: Container[str]) -> str:
    """The piece without those notes that were said: `(every lamp at once; its time is up)`."""

    def news(notes: re.Match[str]) -> str:
        left = [note for note in notes[1].split("; ") if note.casefold() not in said]
        return f" ({'; '.join(left)})" if left else ""

    return _BRACKETS.sub(news, piece)


def _subject(title: str, state: Encounter) -> str:
    """Whose name the title begins with, or all their names when these are all that it names.

    Empty when it begins with nobody's, or names others too.
    """
    names = [c.name for c in state.combatants]
    for verb in (": ", " are "):
        people = title.partition(verb)[0]
        each = _AND.split(people)
        if len(each) > 1 and people != title and all(name in names for name in each):
            return people
    name = max((n for n in names if title.startswith(n)), key=len, default="")
    rest = title[len(name) :]
    if rest[:1].isalnum() or any(other in rest for other in names):
        return ""
    return name


def _without_subject(told: list[str], subject: str) -> list[str]:
    """The pieces without the name that the title has said, up to the first about something else."""
    short = [_shorter(piece, f"{subject} ") if subject else piece for piece in told]
    ours = sum(1 for _ in takewhile(lambda pair: pair[0] != pair[1], zip(short, told, strict=True)))
    return [*short[:ours], *told[ours:]]


def _shorter(piece: str, name: str) -> str:
    """`−6 HP` for `Ghoul 1 −6 HP`, and `AC 2: −6 HP` for `AC 2: Ghoul 1 −6 HP`."""
    why, colon, what = piece.partition(": ")
    if colon and what.startswith(name):
        return f"{why}: {what.removeprefix(name)}"
    return piece.removeprefix(name)


def consequences(
    events: Iterable[e.AnyEvent],
    before: Encounter,
    tracks: Mapping[str, TrackRule] = NO_RULES,
    by: str = "",
) -> list[str]:
    """What the events came to, in order, one short piece for each thing that people care about.

    Dice come last: what they brought about is what is looked for first.
    `before` is the state in which they came. `tracks` is the ruleset's table; one that is missing
    goes by its id. Rolls of `by`, who acts, don't repeat the name.
    """
    events = list(events)
    told: list[tuple[str, str]] = []
    dice: list[str] = []
    for event, piece in each_told(events, before, tracks, by):
        if isinstance(event, e.Rolled):
            dice.append(piece)
        else:
            told.append(_of_whom(event, piece, before))
    whys = {event.why for event in events if isinstance(event, e.Lost) and event.why}
    return [*_reasons_once(_together(told), whys), *dice]


def _reasons_once(pieces: Iterable[str], whys: Iterable[str]) -> Iterator[str]:
    """The pieces; why effects ended is told of the first that ended so, and not of the others."""
    said: set[str] = set()
    for piece in pieces:
        yield _without_notes(piece, {why.casefold() for why in said})
        said |= {why for why in whys if f"({why})" in piece or f"; {why})" in piece}


def _of_whom(event: e.AnyEvent, piece: str, before: Encounter) -> tuple[str, str]:
    """Whose effect began, changed or ended, or whose track rose, and what is told of it with `WHO`
    in place of the name; of nobody for other events."""
    why = ""
    if isinstance(event, e.Changed):
        who = before.name(event.who) if event.who and event.by > 0 else ""
        why = f"{event.why}: " if event.why else ""
    else:
        who = before.name(event.who) if isinstance(event, e.Gained | e.Altered | e.Lost) else ""
    if not who or not piece.startswith(f"{why}{who} "):
        return "", piece
    return who, f"{why}{WHO} {piece.removeprefix(f'{why}{who} ')}"


def _together(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The pieces; what came to several at once, and is told of each alike, is told of all."""
    block: dict[str, list[str]] = {}
    for who, piece in told:
        if not who or who in block.get(piece, ()):
            yield from _of_each(block)
            block = {}
        if who:
            block.setdefault(piece, []).append(who)
        else:
            yield piece
    yield from _of_each(block)


def _of_each(block: Mapping[str, list[str]]) -> Iterator[str]:
    for piece, people in block.items():
        told = piece if len(people) == 1 else piece.replace(" no longer has ", " no longer have ")
        yield told.replace(WHO, listed(people, "and"))


def each_told(
    events: Iterable[e.AnyEvent],
    before: Encounter,
    tracks: Mapping[str, TrackRule],
    by: str = "",
) -> Iterator[tuple[e.AnyEvent, str]]:
    """The pieces of `consequences` as they came, each with the first event that it tells.

    What ends on one again and again, and is told alike, is told once: `… ×3`.
    """
    for (text, alike), same in groupby(_told_one_by_one(events, before, tracks, by), key=_alike):
        told = list(same)
        if not alike:
            yield from told
        else:
            yield told[0][0], f"{text} ×{len(told)}" if len(told) > 1 else text


def _alike(told: tuple[e.AnyEvent, str]) -> tuple[str, bool]:
    return told[1], isinstance(told[0], e.Lost)


def _told_one_by_one(
    events: Iterable[e.AnyEvent], before: Encounter, tracks: Mapping[str, TrackRule], by: str
) -> Iterator[tuple[e.AnyEvent, str]]:
    state = before
    for run in _runs(events):
        start = state
        for event in run:
            state = evolve(state, event)
        if isinstance(run[0], e.Changed):
            text = "" if run[0].routine else _changes(run, start, state, tracks)
        elif isinstance(run[0], e.Noted):
            text = _notes(run, state)
        else:
            text = _TELLS.get(type(run[0]), _nothing)(run[0], start, state, by)
        if text:
            yield run[0], text


def _runs(events: Iterable[e.AnyEvent]) -> Iterator[list[Any]]:
    """Events one by one, but for changes of one combatant's tracks for one reason, and for the same
    note on several: these stay together."""
    run: list[Any] = []
    for event in events:
        if run and not _same_run(run[0], event):
            yield run
            run = []
        run.append(event)
    if run:
        yield run


def _same_run(first: e.AnyEvent, event: e.AnyEvent) -> bool:
    if isinstance(first, e.Noted) and isinstance(event, e.Noted):
        return bool(first.who and event.who) and first.text == event.text
    return (
        isinstance(first, e.Changed)
        and isinstance(event, e.Changed)
        and first.who == event.who
        and (first.why, first.routine) == (event.why, event.routine)
    )


def _changes(
    run: list[e.Changed], before: Encounter, after: Encounter, tracks: Mapping[str, TrackRule]
) -> str:
    who = run[0].who
    told = []
    for track in dict.fromkeys(event.track for event in run):
        moves = [event.by for event in run if event.track == track]
        raised = any(event.max is not None for event in run if event.track == track)
        old, new = _track(before, who, track), _track(after, who, track)
        rule = tracks.get(track) or TrackRule(label=track)
        told.append(_move(rule, moves, old, new) if any(moves) else _limit(rule, old, new, raised))
    told = [piece for piece in told if piece]
    if not told:
        return ""
    why = f"{run[0].why}: " if run[0].why else ""
    return f"{why}{after.name(who) if who else 'GM'} {', '.join(told)}"


def _move(rule: TrackRule, moves: list[int], old: Track, new: Track) -> str:
    """`−6 HP, 12 left`; a track that went up and down on the way is told by where it stands now,
    and a die by its sides."""
    if rule.shown == "die":
        return f"{rule.label} {die(old)} → {die(new)}"
    if min(moves) < 0 < max(moves):
        return f"{rule.label} {plain_number(old.value)} → {plain_number(new.value)}"
    moved = f"{signed(sum(moves))} {rule.label}"
    if sum(moves) < 0 <= new.value and rule.counts == "left":
        return f"{moved}, {new.value} left"
    return f"{moved}, now {plain_number(new.value)}" + (
        f" of {new.max}" if new.max is not None else ""
    )


def die(track: Track) -> str:
    """A die by its sides: `d6`; `out` where none is left."""
    return f"d{track.value}" if track.value else "out"


def _limit(rule: TrackRule, old: Track, new: Track, raised: bool) -> str:
    if new.unfelt < old.unfelt:
        return f"feels {new.felt} {rule.label}"
    return f"{rule.label} at most {new.max}" if raised else ""


def _track(state: Encounter, who: str, track: str) -> Track:
    tracks = state.tracks if not who else getattr(state.find(who), "tracks", {})
    found: Track = tracks.get(track, Track(0))
    return found


def _nothing(event: e.AnyEvent, before: Encounter, after: Encounter, by: str) -> str:
    """Bookkeeping: what nobody at the table would say aloud, or what the entry's title says."""
    return ""


def _left(event: e.Left, before: Encounter, after: Encounter, by: str) -> str:
    return f"{before.name(event.who)} leaves: {event.why}" if event.why else ""


def _round(event: e.RoundStarted, before: Encounter, after: Encounter, by: str) -> str:
    return f"round {event.round} begins"


def _rolled(event: e.Rolled, before: Encounter, after: Encounter, by: str) -> str:
    if not event.faces:
        return ""
    who = after.name(event.who) if event.who and event.who != by else ""
    what = " ".join(part for part in (who, event.for_, event.dice) if part)
    faces = " ".join(str(face) for face in event.faces)
    total = "" if event.total is None else f" {event.total}"
    against = "" if event.dc is None else f" against {event.dc}"
    outcome = f" {event.outcome}" if event.outcome else ""
    return f"{what}: [{faces}]{total}{against}{outcome}"


def _adjusted(event: e.Adjusted, before: Encounter, after: Encounter, by: str) -> str:
    if event.stat in ("name", "side") or is_of_tables(event.value):
        return ""
    return f"{after.name(event.who)}: {event.stat} is {_plain(event.value)}"


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value) or "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _gained(event: e.Gained | e.Altered, before: Encounter, after: Encounter, by: str) -> str:
    bearer = after.find(event.who)
    if bearer is None:
        return ""
    effect = event.effect
    note = f" ({note_beside(effect)})" if note_beside(effect) else ""
    until = until_in_words(after, bearer, effect.until)
    return f"{bearer.name} {in_full(effect)}{note}{' ' if until else ''}{until}"


def _lost(event: e.Lost, before: Encounter, after: Encounter, by: str) -> str:
    bearer = before.find(event.who)
    effect = bearer.effect(event.effect) if bearer else None
    if bearer is None or effect is None:
        return ""
    why = f" ({event.why})" if event.why else ""
    still = after.find(event.who)
    if still is not None and effect.name != effect.kind and still.named(effect.name):
        return f"{bearer.name} {called(effect)} once less{why}"
    if effect.name == effect.kind and effect.modifiers:
        notes = "; ".join(filter(None, (note_beside(effect), event.why)))
        return f"{bearer.name} no longer has {with_amounts(effect)}{f' ({notes})' if notes else ''}"
    return f"{bearer.name} no longer {called(effect)}{why}"


def _became(event: e.Became, before: Encounter, after: Encounter, by: str) -> str:
    why = f" ({event.why})" if event.why else ""
    return f"{after.name(event.who)} {LIVES[event.life]}{why}"


def _notes(run: list[e.Noted], after: Encounter) -> str:
    who = listed((after.name(event.who) for event in run if event.who), "and")
    return f"{who}: {run[0].text}" if who else run[0].text


def _counted(event: e.Counted, before: Encounter, after: Encounter, by: str) -> str:
    if event.clock is None:
        return f"{event.name}: put away"
    if event.clock.has_run_out:
        return f"{event.name.upper()}: {clock_in_words(event.clock).upper()}"
    return f"{event.name}: {clock_in_words(event.clock)}"


def clock_in_words(clock: Clock) -> str:
    """How a clock stands, in words; with it, that the players don't know of it."""
    return f"{_stands(clock)}, hidden" if clock.hidden else _stands(clock)


def _stands(clock: Clock) -> str:
    if clock.verdict:
        return clock.verdict
    if clock.is_race:
        done = f"{clock.value} of {clock.max} done"
        return f"{done}, {clock.failures} of {clock.limit} failed" if clock.limit else done
    if clock.value == 0:
        return "run out"
    if clock.sides:
        left = f"{clock.value}d{clock.sides} left"
    else:
        what = "round" if clock.every else "step"
        left = f"{clock.value} {what}{'s' if clock.value != 1 else ''} left"
    return f"{left}, stopped" if clock.stopped else left


_TELLS: dict[type, Callable[[Any, Encounter, Encounter, str], str]] = {
    e.Left: _left,
    e.RoundStarted: _round,
    e.Rolled: _rolled,
    e.Adjusted: _adjusted,
    e.Gained: _gained,
    e.Altered: _gained,
    e.Lost: _lost,
    e.Became: _became,
    e.Counted: _counted,
}
