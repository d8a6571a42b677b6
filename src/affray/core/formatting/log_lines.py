"""Entries of the log in words: the command's title, and its pieces.

`tell_entry` puts an entry together. The title is a sentence as its command wrote it; pieces that it
says already are left out. The title is compared with the words of a piece, and never taken apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple, TypeGuard

from affray.core.dice import RecordedDie
from affray.core.engine import events as e
from affray.core.engine.amend import AmendedEntry, Amendment
from affray.core.engine.evolve import diff_events
from affray.core.engine.history import Entry, History
from affray.core.engine.state import Encounter
from affray.core.engine.turn_order import current_turn_label, who_is_up
from affray.core.formatting.media import SPOKEN, WRITTEN, Said, Word
from affray.core.formatting.pieces import Names, Piece, names_of, outcome_of, pieces_of, told_once
from affray.core.parser.errors import format_signed, join_or
from affray.core.rules.tables import Tables, TrackRow


class Told(NamedTuple):
    """An entry in words: its title, and the pieces that the title doesn't say."""

    title: str
    pieces: list[Piece]
    names: Names

    def lines(self) -> list[str]:
        """The title and each piece, in writing."""
        return [self.title, *(piece.text(self.names) for piece in self.pieces)]


def entry_line(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRow]) -> str:
    """Write an entry in one line: the title, then its outcomes."""
    return " · ".join(entry_pieces(entry, before, tracks))


def entry_pieces(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRow]) -> list[str]:
    """List the title of an entry and each of its outcomes, to be shown one below another."""
    return tell_entry(entry, before, tracks).lines()


def tell_entry(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRow]) -> Told:
    """Tell an entry: its pieces without what its title says."""
    moves = entry.to is not None
    pieces = [] if moves else pieces_of(entry.events, before, tracks, entry.by)
    return tell_pieces(entry, before, pieces)


def tell_aloud(entry: Entry, before: Encounter, tables: Tables) -> Told:
    """Tell an entry for the ear. A title that says no more than its pieces is left out: they have
    words for its numbers and abbreviations."""
    moves, spoken = entry.to is not None, tables.spoken
    pieces = [] if moves else pieces_of(entry.events, before, tables.tracks, entry.by, spoken)
    whole, names = list(told_once(pieces)), names_of(entry.events, before)
    if any(piece.text(names) == entry.title for piece in whole):
        return Told("", whole, names)
    if _is_only_number(entry.title, whole, names):
        return Told("", whole, names)
    return tell_pieces(entry, before, pieces)


def _is_only_number(title: str, pieces: list[Piece], names: Names) -> bool:
    """True if a title says of somebody what some pieces say, by the sign of their number: `Mira:
    +2 attack`, `Mira and Odo: Luck −1`."""
    people: dict[str, tuple[str, ...]] = {}
    for piece in pieces:
        if isinstance(piece.event, e.EffectGained | e.EffectChanged):
            signed = [format_signed(by) for by in piece.event.effect.modifiers.values()]
        else:
            words = piece.words if isinstance(piece.event, e.TrackChanged) else ()
            signed = [word.titled for word in words if isinstance(word, Said) and word.titled]
        for number in dict.fromkeys(signed):
            people[number] = tuple(dict.fromkeys((*people.get(number, ()), *piece.who)))
    begins = [f"{names(who)}: {number}" for number, who in people.items() if who]
    return title in begins or any(_begins(title, each) for each in begins)


def tell_pieces(entry: Entry, before: Encounter, pieces: list[Piece]) -> Told:
    """Tell an entry by some of its pieces, without what its title says."""
    title, names = entry.title, names_of(entry.events, before)
    pieces = [
        _unrepeated(piece, title, names)
        for piece in told_once(pieces)
        if piece.text(names) not in title and not is_stat_told(piece, title, names)
    ]
    pieces = [piece for piece in pieces if piece not in _listed(pieces, title, names)]
    subject: tuple[str, ...] | None = None
    if pieces and _is_subject(pieces[0], title, entry.events, before, names):
        subject = pieces[0].who
    left_over = []
    for piece in pieces:
        if piece.who != subject:
            subject = None  # up to here: after it the name could be taken for theirs
        left = _without_told(piece, title, names, alone=not subject)
        if subject:
            left = left._replace(who=())
        if left.words or left.notes or left.end:
            left_over.append(left)
    return Told(title, left_over, names)


def _listed(pieces: list[Piece], title: str, names: Names) -> list[Piece]:
    """The pieces that a title lists, and that say no more: those of `Mira is prone and dazed`."""
    gained = [piece for piece in pieces if isinstance(piece.event, e.EffectGained)]
    found = []
    for who in {piece.who for piece in gained}:
        own = [piece for piece in gained if piece.who == who]
        words = join_or([" ".join(map(_titled, piece.words)) for piece in own], "and")
        if title in (f"{names(who)}{link} {words}" for link in (" is", " are", ":")):
            found += [piece for piece in own if not (piece.notes or piece.end)]
    return found


def _unrepeated(piece: Piece, title: str, names: Names) -> Piece:
    """The piece without notes and reasons that are in the title, and without a clock's name that
    is."""
    event = piece.event
    if isinstance(event, e.ClockChanged) and event.clock and _has(title, piece.whom(names)):
        piece = piece._replace(label="")
    if not isinstance(event, e.TrackChanged):
        return piece.without(title.casefold())
    return piece._replace(notes=tuple(n for n in piece.notes if not _has(title, _titled(n))))


def is_stat_told(piece: Piece, title: str, names: Names) -> bool:
    """True if a title gives the new value of a list on somebody's sheet: `Ada wields knife and
    sword`."""
    event = piece.event
    if not isinstance(event, e.StatChanged) or not isinstance(event.value, list | tuple):
        return False
    now = f"{piece.whom(names)} {event.stat} {join_or(map(str, event.value), 'and')}"
    return title == now or _begins(title, now)


def _titled(word: Word) -> str:
    """A word as titles have it."""
    return word.titled or word.written if isinstance(word, Said) else word


def _is_subject(
    piece: Piece, title: str, events: Iterable[e.AnyEvent], before: Encounter, names: Names
) -> bool:
    """True if a title begins with a piece's names, and names no others."""
    begin = piece.whom(names)
    if not piece.who or not _begins(title, begin):
        return False
    everybody = {c.name for c in before.combatants}
    everybody |= {event.name for event in events if isinstance(event, e.Added)}
    if any(len(name) > len(begin) and _begins(title, name) for name in everybody):
        return False
    if len(piece.who) > 1 and (_begins(title, f"{begin}:") or _begins(title, f"{begin} are")):
        return True
    return all(title.count(name) == begin.count(name) for name in everybody)


def _begins(title: str, words: str) -> bool:
    """True if a title begins with these words, and not with longer ones."""
    return title.startswith(words) and title.startswith(tuple(f"{words}{end}" for end in _ENDS))


def _has(title: str, words: str) -> bool:
    """True if a title has these words, and not within longer ones."""
    return any(f" {words}{end}" in f" {title} " for end in _ENDS)


_ENDS = (" ", ":", ",", ";", ".", "'", "’")
"""The texts that may follow a name or a word in a title."""


def _without_told(piece: Piece, title: str, names: Names, alone: bool) -> Piece:
    """The piece without the words that the title has for its subject: `until …` for `weakened until
    …` where the title is `Mira is weakened` or `Mira: weakened`.

    A piece that is `alone`, with its own name, keeps the words that its name needs.
    """
    whom, event = piece.whom(names), piece.event
    ends = isinstance(event, e.EffectLost | e.LifeChanged)
    if not whom or whom not in title:
        return piece
    for count in range(len(piece.words), 0, -1):
        words = " ".join(map(_titled, piece.words[:count]))
        says = [f"{whom}{link} {words}" for link in (" is", " are", ":")]
        is_whole = title in says or title.endswith((f": {words}", *(f" {each}" for each in says)))
        goes_on = count == len(piece.words) and any(_begins(title, each) for each in says)
        lists = (f"{each}{more}" for each in says for more in (", ", " and "))
        goes_on = goes_on and (ends or not any(each in title for each in lists))
        if is_whole or goes_on or _has_begun(title, words, event):
            if ends:
                return piece._replace(words=(), notes=(), end="")
            left = piece._replace(words=piece.words[count:])
            is_track = isinstance(event, e.TrackChanged)
            return left if is_track or not alone or not (left.notes or left.end) else piece
    return piece


def _has_begun(title: str, words: str, event: e.AnyEvent) -> bool:
    """True if a title says which effect began: `zone Grey Fog`, `Wall; the stance begins`."""
    note = event.effect.note if isinstance(event, e.EffectGained) else ""
    return bool(note) and note in title and _has(title, words)


# -------------------------------------------------------------------------------------------------
# Outcomes alone


def outcome_lines(
    events: Iterable[e.AnyEvent],
    before: Encounter,
    tracks: Mapping[str, TrackRow],
    by: str = "",
    sides: Mapping[frozenset[str], str] = {},
    medium: int = WRITTEN,
    paid: bool = True,
    spoken: Mapping[str, str] = {},
) -> list[str]:
    """List the outcomes of events, one short piece each: HP and lives, then effects and the like,
    then mere accounts such as XP, and the dice at the end.

    Args:
        sides: words for the ids of a whole side.
        medium: `WRITTEN` or `SPOKEN`.
        paid: False to leave out what somebody pays.
        by, spoken: as `pieces_of` takes them.
    """
    events = list(events)
    names = names_of(events, before)
    called = (lambda who: sides.get(frozenset(who)) or names(who)) if sides else names
    pieces = told_once(pieces_of(events, before, tracks, by, spoken))
    return [
        piece.text(called, medium)
        for piece in pieces
        if paid or not (piece.who and isinstance(piece.event, e.CostPaid))
    ]


def is_called(event: e.AnyEvent) -> TypeGuard[e.Rolled]:
    """True for a roll whose dice somebody called out."""
    return isinstance(event, e.Rolled) and event.by_hand and bool(event.outcome and event.faces)


def outcomes_called(events: Iterable[e.AnyEvent], state: Encounter, by: str) -> list[str]:
    """Give the results of dice that somebody called out: `16 weak`; of several rolls, or of
    somebody else than the actor, with the roller or target: `Ghoul 1 13 hit against 12`."""
    rolls = [event for event in events if is_called(event)]
    return [
        " ".join(
            filter(
                None,
                (
                    state.name(roll.who) if roll.who != by else "",
                    state.name(roll.against) if rolls[1:] and roll.who == by else "",
                    str(roll.total),
                    outcome_of(roll),
                    f"against {roll.dc}" if roll.dc is not None else "",
                ),
            )
        )
        for roll in rolls
    ]


def is_only_turns(title: str, before: Encounter, after: Encounter) -> bool:
    """True if a title says that a turn has ended and another has begun, and no more."""
    return title == f"{current_turn_label(before)}'s turn ends; {who_is_up(after)}"


def without_turn(title: str, state: Encounter) -> str:
    """A title without whose turn it is, if it says that last: `Oswin delays; Weir Ogre is up`."""
    return title.removesuffix(f"; {who_is_up(state)}")


def read_aloud_texts(history: History) -> tuple[list[e.NoteAdded], list[e.NoteAdded]]:
    """The texts to read aloud, and the GM's notes on the fight, in order."""
    entries = (history.entries[seq] for seq in history.path)
    found = [
        event
        for entry in entries
        if entry.command.partition(" ")[0].casefold() in _NOTE_COMMANDS
        for event in entry.events
        if isinstance(event, e.NoteAdded) and not event.who
    ]
    return [n for n in found if n.read_aloud], [n for n in found if not n.read_aloud]


_NOTE_COMMANDS = ("note", "read-aloud", "read")
"""The commands that write them; the rules have notes of their own in other entries."""


# -------------------------------------------------------------------------------------------------
# An amendment of the past in words: which entries change, and what is different now.


def amendment_in_words(
    now: Encounter, tables: Tables, amendment: Amendment, medium: int = WRITTEN
) -> list[str]:
    """List the differences now, then a line for each command with another result."""
    changes = describe_difference(now, tables, amendment.state, medium)
    return [
        f"now: {', '.join(changes) or 'nothing is different'}",
        *(step_in_words(step, medium) for step in amendment.others),
    ]


def describe_difference(
    now: Encounter, tables: Tables, then: Encounter, medium: int = WRITTEN
) -> list[str]:
    """List the differences between two states: "Mira +6 HP, now 30", whose turn it is, who isn't
    here."""
    lines = differences(now, tables, then, medium)
    if (now.round, now.turn) != (then.round, then.turn):
        up = f"{then.name(then.turn)} is up" if then.turn else "it is nobody's turn"
        lines.append(f"{up} in round {then.round}")
    return lines


def differences(
    now: Encounter, tables: Tables, then: Encounter, medium: int = WRITTEN
) -> list[str]:
    """List the differences between two states, written or for the ear, without whose turn it is."""
    events = list(diff_events(now, then))
    names = names_of(events, now)
    pieces = told_once(pieces_of(events, now, tables.tracks, spoken=tables.spoken))
    lines = [piece.text(names, medium) for piece in pieces]
    lines += [f"{each.name} is not here" for each in now.combatants if then.find(each.id) is None]
    lines += [f"{each.name} is here" for each in then.combatants if now.find(each.id) is None]
    return lines


def step_in_words(step: AmendedEntry, medium: int = WRITTEN) -> str:
    """Describe a step: `11 Ghoul 2 strikes Mira, strong 8 → has another result; 1 new die,
    Ghoul 2's d8 4`."""
    old = step.old
    head = f"{old.seq} {old.title}" if old is not None else f"inserted: {step.command}"
    if not step.command:
        return f"{head}: struck out"
    if step.decision is None:
        return f"{head}: left out, {step.refused}"
    was = old.title if old is not None else ""
    text = step.decision.text if step.decision.text != was else "has another result"
    rolled, new = [], len(step.new)
    if new:
        count = f"{new} new {'die' if new == 1 else 'dice'}"
        rolled.append(", ".join([count, *_whose_dice(step.new, step.decision.state)]))
    if step.left:
        rolled.append(f"left over: {_faces(step.left)}")
    return f"{head}{'; ' if medium == SPOKEN else ' → '}{'; '.join([text, *rolled])}"


def _whose_dice(dice: Iterable[RecordedDie], state: Encounter) -> Iterator[str]:
    """Each one's dice that fell in a row: `Mira's d12 4 d8 3`; nobody's are named alone."""
    for who, rolled in groupby(dice, lambda die: die.roll[0] if die.roll else ""):
        whose = f"{state.name(who)}'s " if who else ""
        yield f"{whose}{_faces(rolled)}"


def _faces(dice: Iterable[RecordedDie]) -> str:
    return " ".join(f"d{die.sides} {die.face}" for die in dice)
