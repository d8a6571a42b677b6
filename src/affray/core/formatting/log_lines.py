"""Entries of the log in words: the command's title, and its outcomes in a few short pieces.

`event_lines` words each kind of event. `entry_pieces` puts an entry together: an outcome shared by
several is told once, and nothing in the title is repeated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby, takewhile
from typing import Any, NamedTuple, TypeGuard

from affray.core.dice import RecordedDie
from affray.core.engine import events as e
from affray.core.engine.amend import AmendedEntry, Amendment
from affray.core.engine.evolve import diff_events, evolve
from affray.core.engine.history import Entry, History
from affray.core.engine.state import Clock, Encounter, Life, Track
from affray.core.formatting import effects
from affray.core.parser.errors import format_number, format_signed, join_or
from affray.core.rules.tables import Tables, TrackRow

# -------------------------------------------------------------------------------------------------
# Events in words. No rule is known here: names of tracks come from the tables.

LIVES: dict[Life, str] = {
    "up": "is up again",
    "dying": "is dying",
    "stable": "is stable",
    "unconscious": "is unconscious",
    "defeated": "is defeated",
    "dead": "is dead",
}


_AT_ZERO = ("0 {}", "below 0 {}")
"""The reasons of what follows when nothing is left of a track, which that says already."""


class Piece(NamedTuple):
    """One outcome of an entry in words: `Ghoul 1 −6 HP, 12 left (8 slashing, AC 2)`.

    who    the name of whom it is about, or several, with a colon of what is said of them; empty
           where it begins with nobody's
    what   what became of them
    notes  what stands in brackets: the reasons, or which effect it is
    end    what stands behind the brackets: how long it lasts
    """

    event: e.AnyEvent
    who: str
    what: str
    notes: tuple[str, ...] = ()
    end: str = ""

    @property
    def text(self) -> str:
        """The outcome as it is shown."""
        comma = ", " if isinstance(self.event, e.TrackChanged) else "; "
        notes = f"({comma.join(self.notes)})" if self.notes else ""
        return " ".join(filter(None, (self.who, self.what, notes, self.end)))

    def without(self, notes: Container[str]) -> Piece:
        """The piece without these notes: in small letters, some of them or a text."""
        return self._replace(notes=tuple(n for n in self.notes if n.casefold() not in notes))


def event_lines(
    events: Iterable[e.AnyEvent], before: Encounter, tracks: Mapping[str, TrackRow], by: str
) -> Iterator[Piece]:
    """Yield what each event that people care about came to, in their order.

    Changes of one combatant's tracks for one reason are described together, with the first of them,
    and so is the same note on several.

    Args:
        before: the state before the events.
        tracks: the rows of the ruleset's tracks; one that is missing goes by its id.
        by: the actor's id, whose name is left out of rolls.
    """
    state = before
    emptied: dict[str, set[str]] = {}  # who -> the reasons that their last change says already
    for run in _runs(events):
        start = state
        for event in run:
            state = evolve(state, event)
        first = run[0]
        if isinstance(first, e.TrackChanged):
            pieces = () if first.routine else _changes(run, start, state, tracks)
            emptied[first.who] = {*_emptied(run, state, tracks)} if pieces else set()
            yield from pieces
        elif isinstance(first, e.LifeChanged):
            yield _became(first, state).without(emptied.get(first.who, ()))
        elif isinstance(first, e.CostPaid):
            yield from _paid_by_nobody(first, state, tracks)
        elif isinstance(first, e.NoteAdded):
            yield _notes(run, state)
        else:
            tell = _TELLS.get(type(first))
            piece = tell(first, start, state, by) if tell is not None else None
            yield from filter(None, [piece])


def _runs(events: Iterable[e.AnyEvent]) -> Iterator[list[Any]]:
    """Group events that are described together (`_same_run`); all others stand alone."""
    run: list[Any] = []
    for event in events:
        if run and not _same_run(run[0], event):
            yield run
            run = []
        run.append(event)
    if run:
        yield run


def _same_run(first: e.AnyEvent, event: e.AnyEvent) -> bool:
    if isinstance(first, e.NoteAdded) and isinstance(event, e.NoteAdded):
        return bool(first.who and event.who) and first.text == event.text
    return (
        isinstance(first, e.TrackChanged)
        and isinstance(event, e.TrackChanged)
        and first.who == event.who
        and (first.why, first.routine) == (event.why, event.routine)
    )


def _changes(
    run: list[e.TrackChanged], before: Encounter, after: Encounter, tracks: Mapping[str, TrackRow]
) -> list[Piece]:
    """Describe changes of one's tracks, HP first; of those that nobody has, for each whose they
    are."""
    moved = sorted(dict.fromkeys(event.track for event in run), key=lambda t: _weight(tracks, t))
    first = next(event for event in run if event.track == moved[0])
    reasons = tuple(first.why.split(", ")) if first.why else ()
    words_by_owner: dict[str, list[str]] = {}
    changed = {
        track: _Change(
            tracks.get(track) or TrackRow(label=track),
            [event.by for event in run if event.track == track],
            _track(before, first.who, track),
            _track(after, first.who, track),
        )
        for track in moved
    }
    full = _ran_over(changed)
    for track, change in changed.items():
        raised = any(event.max is not None for event in run if event.track == track)
        if any(change.moves):
            words = "" if change is full else _move(*change)
        else:
            words = _unmoved(change.rule, change.old, change.new, raised, first.why)
        if words:
            owner = after.name(first.who) if first.who else change.rule.whose
            words_by_owner.setdefault(owner, []).append(words)
    if full is not None:
        reasons = (f"{full.rule.label} was full, {_now(full.new)}", *reasons)
    return [Piece(first, owner, ", ".join(each), reasons) for owner, each in words_by_owner.items()]


class _Change(NamedTuple):
    """What became of one track: its row, all moves of it, and how it stood before and stands."""

    rule: TrackRow
    moves: list[int]
    old: Track
    new: Track


def _ran_over(changed: Mapping[str, _Change]) -> _Change | None:
    """The marks that filled their track and went on as a grave one, so that they are fewer now;
    None for no such."""
    rose = any(each.rule.grave and sum(each.moves) > 0 for each in changed.values())
    fewer = (
        each
        for each in changed.values()
        if each.rule.counts == "marked" and not each.rule.grave and sum(each.moves) < 0
    )
    return next(fewer, None) if rose else None


def _emptied(
    run: list[e.TrackChanged], after: Encounter, tracks: Mapping[str, TrackRow]
) -> Iterator[str]:
    for event in run:
        if _track(after, event.who, event.track).value <= 0:
            label = tracks[event.track].label if event.track in tracks else event.track
            yield from (words.format(label.casefold()) for words in _AT_ZERO)


def _paid_by_nobody(
    event: e.CostPaid, after: Encounter, tracks: Mapping[str, TrackRow]
) -> Iterator[Piece]:
    """Tell what was paid with something of the GM's or of all: an actor's own cost goes without
    saying."""
    rule = tracks.get(event.track)
    if not event.who and rule is not None:
        left = _track(after, "", event.track)
        yield Piece(event, rule.whose, _move(rule, [-event.by], left, left))


def _move(rule: TrackRow, moves: list[int], old: Track, new: Track) -> str:
    """Describe a change: `−6 HP, 12 left`; `HP 4 → 6` for one up and down, or for a die."""
    if rule.shown == "die":
        return f"{rule.label} {format_die_size(old)} → {format_die_size(new)}"
    if min(moves) < 0 < max(moves):
        return f"{rule.label} {format_number(old.value)} → {format_number(new.value)}"
    moved = f"{format_signed(sum(moves))} {rule.label}"
    if sum(moves) < 0 <= new.value and rule.counts == "left":
        return f"{moved}, {new.value} left"
    return f"{moved}, {_now(new)}"


def _now(track: Track) -> str:
    """How a track stands: `now 2 of 5`."""
    is_of = track.max is not None and track.value >= 0
    return f"now {format_number(track.value)}{f' of {track.max}' if is_of else ''}"


def format_die_size(track: Track) -> str:
    """Write a die by its sides: `d6`; `out` where none is left."""
    return f"d{track.value}" if track.value else "out"


def _unmoved(rule: TrackRow, old: Track, new: Track, raised: bool, why: str) -> str:
    """Describe a track whose value is the same: `feels 2 fatigue`, `HP at most 30`.

    With a reason `why`, one that hasn't changed at all is described as well: `has 2 AP`.
    """
    if new.unfelt < old.unfelt:
        return f"feels {new.felt} {rule.label}"
    if raised:
        return f"{rule.label} at most {new.max}"
    return f"has {new.value} {rule.label}" if why and new == old else ""


def _track(state: Encounter, combatant_id: str, track: str) -> Track:
    owner = state.find(combatant_id) if combatant_id else state
    return Track(0) if owner is None else owner.tracks.get(track, Track(0))


def _left(event: e.Left, before: Encounter, after: Encounter, by: str) -> Piece | None:
    if not event.why:
        return None
    return Piece(event, before.name(event.who), f"leaves: {event.why}")


def _round(event: e.RoundStarted, before: Encounter, after: Encounter, by: str) -> Piece:
    return Piece(event, "", f"round {event.round} begins")


def _rolled(event: e.Rolled, before: Encounter, after: Encounter, by: str) -> Piece | None:
    if not event.faces:
        return None
    roller = after.name(event.who) if event.who and event.who != by else ""
    what = " ".join(filter(None, (event.for_, event.dice)))
    faces = " ".join(str(face) for face in event.faces)
    total = "" if event.total is None else f" {event.total}"
    against = "" if event.dc is None else f" against {event.dc}"
    outcome = f" {event.outcome}" if event.outcome else ""
    if (saved := _SAVES.get(event.outcome)) and event.is_save:
        has_said = event.dc == _USUAL_SAVE and " against " in event.for_
        against, outcome = "" if has_said else against, f", {saved}"
    return Piece(event, roller, f"{what}: [{faces}]{total}{against}{outcome}")


def is_called(event: e.AnyEvent) -> TypeGuard[e.Rolled]:
    """True for a roll whose dice somebody read off the table."""
    return isinstance(event, e.Rolled) and event.by_hand and bool(event.outcome and event.faces)


def outcomes_called(events: Iterable[e.AnyEvent], state: Encounter, by: str) -> list[str]:
    """Say how dice that somebody read off the table came out: `16 weak`, of several rolls or of
    another's than the actor's with whose or at whom it was: `Ghoul 1 13 hit against 12`."""
    rolls = [event for event in events if is_called(event)]
    return [
        " ".join(
            filter(
                None,
                (
                    state.name(roll.who) if roll.who != by else "",
                    state.name(roll.against) if rolls[1:] and roll.who == by else "",
                    str(roll.total),
                    _SAVES.get(roll.outcome, roll.outcome) if roll.is_save else roll.outcome,
                    f"against {roll.dc}" if roll.dc is not None else "",
                ),
            )
        )
        for roll in rolls
    ]


_SAVES = {"success": "saved", "failure": "failed"}
"""The words for a save's outcome, in place of an attack's."""
_USUAL_SAVE = 10
"""The usual number of a save such as "save against slowed", which is not repeated there."""


def _adjusted(event: e.StatChanged, before: Encounter, after: Encounter, by: str) -> Piece | None:
    if event.stat in ("name", "side") or effects.is_of_tables(event.value):
        return None
    return Piece(event, f"{after.name(event.who)}:", f"{event.stat} is {_plain(event.value)}")


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value) or "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _gained(
    event: e.EffectGained | e.EffectChanged, before: Encounter, after: Encounter, by: str
) -> Piece | None:
    bearer = after.find(event.who)
    if bearer is None:
        return None
    effect, note = event.effect, effects.effect_note(event.effect)
    until = effects.until_in_words(after, bearer, effect.until)
    what = effects.effect_in_full(effect)
    return Piece(event, bearer.name, what, (note,) if note else (), until)


def _lost(event: e.EffectLost, before: Encounter, after: Encounter, by: str) -> Piece | None:
    bearer = before.find(event.who)
    effect = bearer.effect(event.effect) if bearer else None
    if bearer is None or effect is None:
        return None
    notes: tuple[str, ...] = (event.why,) if event.why else ()
    still = after.find(event.who)
    is_one_less = still is not None and effect.name != effect.kind and still.named(effect.name)
    if is_one_less and not effect.note:
        return Piece(event, bearer.name, f"{effects.effect_label(effect)} once less", notes)
    what = f"no longer {effects.effect_label(effect)}"
    if is_one_less or (effect.name == effect.kind and effect.modifiers):
        has = "" if is_one_less else "has "
        what = f"no longer {has}{effects.effect_with_amounts(effect)}"
        notes = tuple(filter(None, (effects.effect_note(effect), event.why)))
    return Piece(event, bearer.name, what, notes)


def _became(event: e.LifeChanged, after: Encounter) -> Piece:
    return Piece(event, after.name(event.who), LIVES[event.life], (event.why,) if event.why else ())


def _notes(run: list[e.NoteAdded], after: Encounter) -> Piece:
    names = join_or((after.name(event.who) for event in run if event.who), "and")
    return Piece(run[0], f"{names}:" if names else "", run[0].text)


def _counted(event: e.ClockChanged, before: Encounter, after: Encounter, by: str) -> Piece:
    if event.clock is None:
        return Piece(event, f"{event.name}:", "put away")
    if event.clock.has_run_out:
        return Piece(event, f"{event.name.upper()}:", format_clock(event.clock).upper())
    return Piece(event, f"{event.name}:", format_clock(event.clock))


def format_clock(clock: Clock) -> str:
    """Describe a clock, and that it is hidden from the players."""
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


_TELLS: dict[type, Callable[[Any, Encounter, Encounter, str], Piece | None]] = {
    e.Left: _left,
    e.RoundStarted: _round,
    e.Rolled: _rolled,
    e.StatChanged: _adjusted,
    e.EffectGained: _gained,
    e.EffectChanged: _gained,
    e.EffectLost: _lost,
    e.ClockChanged: _counted,
}
"""All other kinds of events are bookkeeping, or are said by the entry's title."""


def describe_move(text: str) -> str:
    """Say from the text of an undo, redo or goto what it did: `undone: Mira dodges`."""
    move, _, what = text.partition(": ")
    return f"{ {'undo': 'undone', 'redo': 'redone'}.get(move, 'now at') }: {what}"


def entry_line(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRow]) -> str:
    """Write an entry in one line: the title, then its outcomes."""
    return " · ".join(entry_pieces(entry, before, tracks))


def entry_pieces(entry: Entry, before: Encounter, tracks: Mapping[str, TrackRow]) -> list[str]:
    """List the title of an entry and each of its outcomes, to be shown one below another."""
    title = entry.title
    if entry.to is not None:
        return [title]
    pieces = [
        _unrepeated(piece, title)
        for piece in _pieces(entry.events, before, tracks, entry.by)
        if piece.text not in title
    ]
    joined = (event.name for event in entry.events if isinstance(event, e.Added))
    everybody = {*(c.name for c in before.combatants), *joined}
    names = tuple(sorted(everybody, key=len, reverse=True))
    subject = _subject(title, names)
    if subject:
        pieces = [
            _without_title(piece, title, subject)
            for piece in _without_subject(pieces, subject, names)
        ]
    return [title, *filter(None, (piece.text.strip() for piece in pieces))]


def _unrepeated(piece: Piece, title: str) -> Piece:
    """The piece without notes that are in the title, and without reasons, or the name of what it is
    about, with which that ends."""
    if piece.who.endswith(":") and title.endswith(f" {piece.who[:-1]}"):
        piece = piece._replace(who="")
    if not isinstance(piece.event, e.TrackChanged):
        return piece.without(title.casefold())
    return piece._replace(notes=tuple(n for n in piece.notes if not title.endswith(f" {n}")))


def _without_title(piece: Piece, title: str, subject: str) -> Piece:
    """The piece without what the title says: `until …` for `weakened until …`.

    The title is then `Mira is weakened` or `Mira: weakened`; behind `Mira: Luck +1` only
    `now 3 of 6` is left.
    """
    for verb in ("is", "are"):
        text = title.removeprefix(f"{subject} {verb} ")
        if text != title:
            piece = _without_state(piece, text)
    text = title.removeprefix(f"{subject}: ")
    label, _, moved = text.rpartition(" ")
    what = f"{piece.what} ".removeprefix(f"{text} ").replace(f"{moved} {label}, ", "", 1)
    return piece._replace(what=what.strip())


def _without_state(piece: Piece, text: str) -> Piece:
    """The piece without the state that the title says: `until …` for `weakened until …`."""
    if text.startswith("no longer"):
        return piece._replace(what="", notes=(), end="") if piece.what.startswith(text) else piece
    state = text.partition(" ")[0]
    return piece._replace(what=f"{piece.what} ".removeprefix(f"{state} ").strip())


def _subject(title: str, names: tuple[str, ...]) -> str:
    """The name or names with which a title begins; empty if it names others as well, or nobody."""
    people = _people(title, names)
    rest = title.removeprefix(people)
    if people in names:
        return "" if any(other in rest for other in names) else people
    return people if rest.startswith((": ", " are ")) else ""


def _people(text: str, names: tuple[str, ...]) -> str:
    """All whom a text names where it begins: `Mira, Salt and Pepper and Odo`; empty for nobody.

    `names` are those of everybody, the longest first.
    """
    found = _people_pattern(names).match(text) if names else None
    return "" if found is None else found[0]


@lru_cache(maxsize=8)  # since the same people are in one entry after the other
def _people_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    one = "|".join(map(re.escape, names))
    return re.compile(rf"(?:{one})(?:(?:, | and )(?:{one}))*(?!\w)")


def _without_subject(pieces: list[Piece], subject: str, names: tuple[str, ...]) -> list[Piece]:
    """The pieces without the title's subject, up to the first piece about something else."""
    short = [_shorter(piece, subject, names) for piece in pieces]
    ours = sum(
        1 for _ in takewhile(lambda pair: pair[0] != pair[1], zip(short, pieces, strict=True))
    )
    return [*short[:ours], *pieces[ours:]]


def _shorter(piece: Piece, subject: str, names: tuple[str, ...]) -> Piece:
    """`−6 HP` for `Ghoul 1 −6 HP`; of a note what it says of them."""
    if piece.who == subject:
        return piece._replace(who="")
    if not piece.who and _people(piece.what, names) == subject:
        return piece._replace(what=piece.what.removeprefix(f"{subject} "))
    return piece


def outcome_lines(
    events: Iterable[e.AnyEvent],
    before: Encounter,
    tracks: Mapping[str, TrackRow],
    by: str = "",
) -> list[str]:
    """List the outcomes of events, one short piece each: HP and lives, then what else is so, then
    what is only kept account of, and the dice at the end.

    The arguments are those of `event_lines`.
    """
    return [piece.text for piece in _pieces(events, before, tracks, by)]


def _pieces(
    events: Iterable[e.AnyEvent], before: Encounter, tracks: Mapping[str, TrackRow], by: str
) -> Iterator[Piece]:
    """The outcomes of events, with one that several share told once."""
    events = list(events)
    whys = {event.why for event in events if isinstance(event, e.EffectLost) and event.why}
    return _reasons_once(_merge_alike(event_pieces(events, before, tracks, by)), whys)


def _reasons_once(pieces: Iterable[Piece], whys: Container[str]) -> Iterator[Piece]:
    """The pieces, with each reason for an effect's end only where it comes first."""
    given: set[str] = set()
    for piece in pieces:
        yield piece.without(given)
        given |= {note.casefold() for note in piece.notes if note in whys}


def _merge_alike(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces, with those that are alike but for their owners merged into one."""
    block: dict[tuple[object, ...], list[Piece]] = {}
    for piece in pieces:
        is_shared, alike = _is_shared(piece), (piece.what, piece.notes, piece.end)
        if not is_shared or any(other.who == piece.who for other in block.get(alike, ())):
            yield from map(_of_each, block.values())
            block = {}
        if is_shared:
            block.setdefault(alike, []).append(piece)
        else:
            yield piece
    yield from map(_of_each, block.values())


def _is_shared(piece: Piece) -> bool:
    """True for what several may have alike: an effect, or a track that rises."""
    event = piece.event
    if isinstance(event, e.TrackChanged):
        return bool(event.who) and event.by > 0
    return isinstance(event, e.EffectGained | e.EffectChanged | e.EffectLost)


def _of_each(alike: list[Piece]) -> Piece:
    """One piece for all who have it."""
    first = alike[0]
    if len(alike) == 1:
        return first
    what = first.what.replace("no longer has ", "no longer have ", 1)
    return first._replace(who=join_or((piece.who for piece in alike), "and"), what=what)


def event_pieces(
    events: Iterable[e.AnyEvent],
    before: Encounter,
    tracks: Mapping[str, TrackRow],
    by: str = "",
) -> list[Piece]:
    """List what each event that people care about came to, what matters most first (`_rank`).

    Ends of effects that are described alike are merged: `… ×3`. The arguments are those of
    `event_lines`.
    """
    found: list[Piece] = []
    each = event_lines(events, before, tracks, by)
    for (_, ends), same in groupby(
        each, key=lambda piece: (piece.text, isinstance(piece.event, e.EffectLost))
    ):
        first, *more = same
        if ends and more:
            found.append(first._replace(end=f"×{len(more) + 1}"))
        else:
            found += [first, *more]
    return sorted(found, key=lambda piece: _rank(piece.event, tracks))


def _rank(event: e.AnyEvent, tracks: Mapping[str, TrackRow]) -> int:
    """The place of an event among others: who is hurt, healed or down, then what else is so, then
    what only the account of the fight is kept by, such as XP; then dice."""
    if isinstance(event, e.Rolled):
        return 3
    if isinstance(event, e.LifeChanged):
        return 0
    return _weight(tracks, event.track) if isinstance(event, e.TrackChanged | e.CostPaid) else 1


def _weight(tracks: Mapping[str, TrackRow], track: str) -> int:
    """The place of a track's change: 0 for HP, 1 for what all see of everybody, such as fatigue,
    2 for what a turn is paid with, and what only its owner has."""
    rule = tracks.get(track)
    if rule is not None and rule.recap in ("damage", "cushion"):
        return 0
    return 1 if rule is not None and rule.everybody and not rule.spent else 2


def read_aloud_texts(history: History) -> tuple[list[e.NoteAdded], list[e.NoteAdded]]:
    """The texts to be read aloud, and the notes on the fight that a GM wrote, as they came."""
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


def amendment_in_words(now: Encounter, tables: Tables, amendment: Amendment) -> list[str]:
    """List what is different now, then a line for each command with another result."""
    changes = describe_difference(now, tables, amendment.state)
    return [
        f"now: {', '.join(changes) or 'nothing is different'}",
        *map(step_in_words, amendment.others),
    ]


def describe_difference(now: Encounter, tables: Tables, then: Encounter) -> list[str]:
    """List the differences between two states: "Mira +6 HP, now 30", who is up, who isn't here."""
    lines = outcome_lines(diff_events(now, then), now, tables.tracks)
    lines += [f"{each.name} is not here" for each in now.combatants if then.find(each.id) is None]
    lines += [f"{each.name} is here" for each in then.combatants if now.find(each.id) is None]
    if (now.round, now.turn) != (then.round, then.turn):
        up = f"{then.name(then.turn)} is up" if then.turn else "nobody is up"
        lines.append(f"{up} in round {then.round}")
    return lines


def step_in_words(step: AmendedEntry) -> str:
    """Describe a step: `11 Ghoul 2 strikes Mira, strong 8 → comes to something else; 1 new die,
    Ghoul 2's d20 14`."""
    old = step.old
    head = f"{old.seq} {old.title}" if old is not None else f"put in: {step.command}"
    if not step.command:
        return f"{head}: struck out"
    if step.decision is None:
        return f"{head}: left out, {step.refused}"
    was = old.title if old is not None else ""
    text = step.decision.text if step.decision.text != was else "comes to something else"
    rolled, new = [], len(step.new)
    if new:
        count = f"{new} new {'die' if new == 1 else 'dice'}"
        rolled.append(", ".join([count, *_whose_dice(step.new, step.decision.state)]))
    if step.left:
        rolled.append(f"left over: {_faces(step.left)}")
    return f"{head} → {'; '.join([text, *rolled])}"


def _whose_dice(dice: Iterable[RecordedDie], state: Encounter) -> Iterator[str]:
    """Each one's dice that fell in a row: `Mira's d20 14 d8 3`; nobody's are named alone."""
    for who, rolled in groupby(dice, lambda die: die.roll[0] if die.roll else ""):
        whose = f"{state.name(who)}'s " if who else ""
        yield f"{whose}{_faces(rolled)}"


def _faces(dice: Iterable[RecordedDie]) -> str:
    return " ".join(f"d{die.sides} {die.face}" for die in dice)
