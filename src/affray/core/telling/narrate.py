"""An entry in words: what was asked for, and what it came to, in a few short pieces.

What each event comes to is worded in `event_words.py`. Here it is put together: what came to
several is told of all, and what the entry's title has said is not said again.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import groupby, takewhile

from affray.core.heart import events as e
from affray.core.heart.history import Entry
from affray.core.heart.state import Encounter
from affray.core.language.refusal import listed
from affray.core.rules.tables import TrackRule
from affray.core.telling.event_words import one_by_one

WHO = "\0"
"""Stands for names in a piece that is told of several; nobody can type it."""


def entry_line(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRule]) -> str:
    """The entry in one line: what was asked for, then what it came to."""
    return " · ".join(entry_pieces(entry, before, tracks))


def entry_pieces(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRule]) -> list[str]:
    """What was asked for, and each thing that it came to, to be shown one below another."""
    title = entry.title
    if entry.to is not None:
        return [title]
    told = consequences(entry.events, before, tracks, entry.by)
    told = [_unrepeated(piece, title) for piece in told if piece not in title]
    subject = _subject(title, before)
    if subject:
        told = [_unsaid(piece, title, subject) for piece in _without_subject(told, subject)]
    return [title, *filter(None, map(str.strip, told))]


def _unsaid(piece: str, title: str, subject: str) -> str:
    """The piece without what the title has said of its subject: `until …` of `weakened until …`,
    where the title is `Mira is weakened` or `Mira: weakened`."""
    for verb in ("is", "are"):
        said = title.removeprefix(f"{subject} {verb} ")
        if said != title:
            piece = _without_state(piece, said)
    said = title.removeprefix(f"{subject}: ")
    return f"{piece} ".removeprefix(f"{said} ")


def _without_state(piece: str, said: str) -> str:
    """The piece without what the title has said that its subject is: `weakened until …`."""
    if said.startswith("no longer"):
        return "" if piece.startswith(said) else piece
    state = said.partition(" ")[0]
    return "" if piece == state else piece.removeprefix(f"{state} ")


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
    short = [_shorter(piece, f"{subject} ") for piece in told]
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
    tracks: Mapping[str, TrackRule],
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
    each = one_by_one(events, before, tracks, by)
    for (text, ends), same in groupby(each, key=lambda one: (one[1], isinstance(one[0], e.Lost))):
        told = list(same)
        if not ends:
            yield from told
        else:
            yield told[0][0], f"{text} ×{len(told)}" if len(told) > 1 else text
