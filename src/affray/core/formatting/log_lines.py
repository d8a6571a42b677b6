"""Entries of the log in words: the command's title, and its outcomes in a few short pieces.

`event_lines` words each kind of event. `entry_pieces` puts an entry together: an outcome shared by
several is told once, and nothing in the title is repeated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby, takewhile
from typing import Any

from affray.core.dice import RecordedDie
from affray.core.engine import events as e
from affray.core.engine.amend import AmendedEntry, Amendment
from affray.core.engine.evolve import diff_events, evolve
from affray.core.engine.history import Entry, History
from affray.core.engine.state import Clock, Encounter, Life, Track
from affray.core.formatting import effects
from affray.core.late_pattern import late_pattern
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


_AT_ZERO = late_pattern(r".* (\w+), (0 left|now −\d.*) \((below )?0 \1\)$")
"""A change that leaves nothing of a track, and the same as the reason of what follows: `−6 HP, 0
left (0 HP)`."""


def event_lines(
    events: Iterable[e.AnyEvent], before: Encounter, tracks: Mapping[str, TrackRow], by: str
) -> Iterator[tuple[e.AnyEvent, str]]:
    """Yield each event that people care about, with its description.

    Changes of one combatant's tracks for one reason are described together, with the first of them,
    and so is the same note on several.

    Args:
        before: the state before the events.
        tracks: the rows of the ruleset's tracks; one that is missing goes by its id.
        by: the actor's id, whose name is left out of rolls.
    """
    state = before
    changes: dict[str, str] = {}  # who -> the last change of theirs that was described
    for run in _runs(events):
        start = state
        for event in run:
            state = evolve(state, event)
        if isinstance(run[0], e.TrackChanged):
            text = "" if run[0].routine else _changes(run, start, state, tracks)
            changes[run[0].who] = text
        elif isinstance(run[0], e.LifeChanged):
            why = f" ({run[0].why})"
            is_repeated = _AT_ZERO.match(f"{changes.get(run[0].who, '')}{why}")
            text = _became(run[0], start, state, by).removesuffix(why if is_repeated else "")
        elif isinstance(run[0], e.NoteAdded):
            text = _notes(run, state)
        else:
            tell = _TELLS.get(type(run[0]))
            text = tell(run[0], start, state, by) if tell is not None else ""
        if text:
            yield run[0], text


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
) -> str:
    combatant_id, why = run[0].who, f"{run[0].why}: " if run[0].why else ""
    pieces_by_owner: dict[str, list[str]] = {}
    for track in dict.fromkeys(event.track for event in run):
        moves = [event.by for event in run if event.track == track]
        raised = any(event.max is not None for event in run if event.track == track)
        old, new = _track(before, combatant_id, track), _track(after, combatant_id, track)
        rule = tracks.get(track) or TrackRow(label=track)
        piece = (
            _move(rule, moves, old, new) if any(moves) else _unmoved(rule, old, new, raised, why)
        )
        if piece:
            pieces_by_owner.setdefault(
                after.name(combatant_id) if combatant_id else rule.whose, []
            ).append(piece)
    each = [f"{owner} {', '.join(pieces)}" for owner, pieces in pieces_by_owner.items()]
    return f"{why}{' · '.join(each)}" if each else ""


def _move(rule: TrackRow, moves: list[int], old: Track, new: Track) -> str:
    """Describe a change: `−6 HP, 12 left`; `HP 4 → 6` for one up and down, or for a die."""
    if rule.shown == "die":
        return f"{rule.label} {format_die_size(old)} → {format_die_size(new)}"
    if min(moves) < 0 < max(moves):
        return f"{rule.label} {format_number(old.value)} → {format_number(new.value)}"
    moved = f"{format_signed(sum(moves))} {rule.label}"
    if sum(moves) < 0 <= new.value and rule.counts == "left":
        return f"{moved}, {new.value} left"
    is_of = new.max is not None and new.value >= 0
    return f"{moved}, now {format_number(new.value)}{f' of {new.max}' if is_of else ''}"


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


def _left(event: e.Left, before: Encounter, after: Encounter, by: str) -> str:
    return f"{before.name(event.who)} leaves: {event.why}" if event.why else ""


def _round(event: e.RoundStarted, before: Encounter, after: Encounter, by: str) -> str:
    return f"round {event.round} begins"


def _rolled(event: e.Rolled, before: Encounter, after: Encounter, by: str) -> str:
    if not event.faces:
        return ""
    roller = after.name(event.who) if event.who and event.who != by else ""
    what = " ".join(part for part in (roller, event.for_, event.dice) if part)
    faces = " ".join(str(face) for face in event.faces)
    total = "" if event.total is None else f" {event.total}"
    against = "" if event.dc is None else f" against {event.dc}"
    outcome = f" {event.outcome}" if event.outcome else ""
    if (saved := _SAVES.get(event.outcome)) and event.is_save:
        has_said = event.dc == _USUAL_SAVE and " against " in event.for_
        return f"{what}: [{faces}]{total}{'' if has_said else against}, {saved}"
    return f"{what}: [{faces}]{total}{against}{outcome}"


_SAVES = {"success": "saved", "failure": "failed"}
"""The words for a save's outcome, in place of an attack's."""
_USUAL_SAVE = 10
"""The usual number of a save such as "save against slowed", which is not repeated there."""


def _adjusted(event: e.StatChanged, before: Encounter, after: Encounter, by: str) -> str:
    if event.stat in ("name", "side") or effects.is_of_tables(event.value):
        return ""
    return f"{after.name(event.who)}: {event.stat} is {_plain(event.value)}"


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value) or "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _gained(
    event: e.EffectGained | e.EffectChanged, before: Encounter, after: Encounter, by: str
) -> str:
    bearer = after.find(event.who)
    if bearer is None:
        return ""
    effect = event.effect
    note = f" ({effects.effect_note(effect)})" if effects.effect_note(effect) else ""
    until = effects.until_in_words(after, bearer, effect.until)
    return f"{bearer.name} {effects.effect_in_full(effect)}{note}{' ' if until else ''}{until}"


def _lost(event: e.EffectLost, before: Encounter, after: Encounter, by: str) -> str:
    bearer = before.find(event.who)
    effect = bearer.effect(event.effect) if bearer else None
    if bearer is None or effect is None:
        return ""
    why = f" ({event.why})" if event.why else ""
    still = after.find(event.who)
    is_one_less = still is not None and effect.name != effect.kind and still.named(effect.name)
    if is_one_less and not effect.note:
        return f"{bearer.name} {effects.effect_label(effect)} once less{why}"
    if is_one_less or (effect.name == effect.kind and effect.modifiers):
        notes = "; ".join(filter(None, (effects.effect_note(effect), event.why)))
        has = "" if is_one_less else "has "
        aside = f" ({notes})" if notes else ""
        return f"{bearer.name} no longer {has}{effects.effect_with_amounts(effect)}{aside}"
    return f"{bearer.name} no longer {effects.effect_label(effect)}{why}"


def _became(event: e.LifeChanged, before: Encounter, after: Encounter, by: str) -> str:
    why = f" ({event.why})" if event.why else ""
    return f"{after.name(event.who)} {LIVES[event.life]}{why}"


def _notes(run: list[e.NoteAdded], after: Encounter) -> str:
    names = join_or((after.name(event.who) for event in run if event.who), "and")
    return f"{names}: {run[0].text}" if names else run[0].text


def _counted(event: e.ClockChanged, before: Encounter, after: Encounter, by: str) -> str:
    if event.clock is None:
        return f"{event.name}: put away"
    if event.clock.has_run_out:
        return f"{event.name.upper()}: {format_clock(event.clock).upper()}"
    return f"{event.name}: {format_clock(event.clock)}"


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


_TELLS: dict[type, Callable[[Any, Encounter, Encounter, str], str]] = {
    e.Left: _left,
    e.RoundStarted: _round,
    e.Rolled: _rolled,
    e.StatChanged: _adjusted,
    e.EffectGained: _gained,
    e.EffectChanged: _gained,
    e.EffectLost: _lost,
    e.LifeChanged: _became,
    e.ClockChanged: _counted,
}
"""All other kinds of events are bookkeeping, or are said by the entry's title."""

WHO = "\0"
"""Stands for the names in a piece about several; nobody can type it."""


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
    lines = outcome_lines(entry.events, before, tracks, entry.by)
    lines = [_unrepeated(piece, title) for piece in lines if piece not in title]
    joined = (event.name for event in entry.events if isinstance(event, e.Added))
    everybody = {*(c.name for c in before.combatants), *joined}
    names = tuple(sorted(everybody, key=len, reverse=True))
    subject = _subject(title, names)
    if subject:
        lines = [
            _without_title(piece, title, subject)
            for piece in _without_subject(lines, subject, names)
        ]
    return [title, *filter(None, map(str.strip, lines))]


def _without_title(piece: str, title: str, subject: str) -> str:
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
    return f"{piece} ".removeprefix(f"{text} ").replace(f"{moved} {label}, ", "", 1)


def _without_state(piece: str, text: str) -> str:
    """The piece without the state that the title says: `until …` for `weakened until …`."""
    if text.startswith("no longer"):
        return "" if piece.startswith(text) else piece
    state = text.partition(" ")[0]
    return "" if piece == state else piece.removeprefix(f"{state} ")


_BRACKETS = late_pattern(r" \(([^()]+)\)")


def _unrepeated(piece: str, title: str) -> str:
    """The piece without reasons with which the title ends, and without notes that are in it."""
    piece = _without_notes(piece, title.casefold())
    reasons, colon, what = piece.partition(": ")
    news = [reason for reason in reasons.split(", ") if not title.endswith(f" {reason}")]
    return ": ".join([", ".join(news), what] if news else [what]) if colon else piece


def _without_notes(piece: str, known_notes: Container[str]) -> str:
    """The piece without the known notes in its brackets: `(every lamp at once; its time is up)`."""

    def news(notes: re.Match[str]) -> str:
        left = [note for note in notes[1].split("; ") if note.casefold() not in known_notes]
        return f" ({'; '.join(left)})" if left else ""

    return _BRACKETS.sub(news, piece)


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


def _without_subject(pieces: list[str], subject: str, names: tuple[str, ...]) -> list[str]:
    """The pieces without the title's subject, up to the first piece about something else."""
    short = [_shorter(piece, subject, names) for piece in pieces]
    ours = sum(
        1 for _ in takewhile(lambda pair: pair[0] != pair[1], zip(short, pieces, strict=True))
    )
    return [*short[:ours], *pieces[ours:]]


def _shorter(piece: str, subject: str, names: tuple[str, ...]) -> str:
    """`−6 HP` for `Ghoul 1 −6 HP`, and `AC 2: −6 HP` for `AC 2: Ghoul 1 −6 HP`."""
    why, colon, what = piece.partition(": ")
    if colon and _people(what, names) == subject:
        return f"{why}: {what.removeprefix(f'{subject} ')}"
    return piece.removeprefix(f"{subject} ") if _people(piece, names) == subject else piece


def outcome_lines(
    events: Iterable[e.AnyEvent],
    before: Encounter,
    tracks: Mapping[str, TrackRow],
    by: str = "",
) -> list[str]:
    """List the outcomes of events, one short piece each, and the dice at the end.

    The arguments are those of `event_lines`.
    """
    events = list(events)
    owned_pieces: list[tuple[str, str]] = []
    dice: list[str] = []
    for event, piece in event_pieces(events, before, tracks, by):
        if isinstance(event, e.Rolled):
            dice.append(piece)
        else:
            owned_pieces.append(_split_owner(event, piece, before))
    whys = {event.why for event in events if isinstance(event, e.EffectLost) and event.why}
    return [*_reasons_once(_merge_alike(owned_pieces), whys), *dice]


def _reasons_once(pieces: Iterable[str], whys: Iterable[str]) -> Iterator[str]:
    """The pieces, with each reason for an effect's end only where it comes first."""
    given_reasons: set[str] = set()
    for piece in pieces:
        yield _without_notes(piece, {why.casefold() for why in given_reasons})
        given_reasons |= {why for why in whys if f"({why})" in piece or f"; {why})" in piece}


def _split_owner(event: e.AnyEvent, piece: str, before: Encounter) -> tuple[str, str]:
    """Split a piece on an effect or a rising track into the owner's name and the rest with `WHO`.

    The name is empty for other events.
    """
    why = ""
    if isinstance(event, e.TrackChanged):
        owner = before.name(event.who) if event.who and event.by > 0 else ""
        why = f"{event.why}: " if event.why else ""
    else:
        owner = (
            before.name(event.who)
            if isinstance(event, e.EffectGained | e.EffectChanged | e.EffectLost)
            else ""
        )
    if not owner or not piece.startswith(f"{why}{owner} "):
        return "", piece
    return owner, f"{why}{WHO} {piece.removeprefix(f'{why}{owner} ')}"


def _merge_alike(pieces: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The pieces, with those that are alike but for their owners merged into one."""
    block: dict[str, list[str]] = {}
    for owner, piece in pieces:
        if not owner or owner in block.get(piece, ()):
            yield from _of_each(block)
            block = {}
        if owner:
            block.setdefault(piece, []).append(owner)
        else:
            yield piece
    yield from _of_each(block)


def _of_each(block: Mapping[str, list[str]]) -> Iterator[str]:
    for piece, people in block.items():
        text = piece if len(people) == 1 else piece.replace(" no longer has ", " no longer have ")
        yield text.replace(WHO, join_or(people, "and"))


def event_pieces(
    events: Iterable[e.AnyEvent],
    before: Encounter,
    tracks: Mapping[str, TrackRow],
    by: str = "",
) -> Iterator[tuple[e.AnyEvent, str]]:
    """Yield each event that people care about, with its description, in order.

    Ends of effects that are described alike are merged: `… ×3`. The arguments are those of
    `event_lines`.
    """
    each = event_lines(events, before, tracks, by)
    for (text, ends), same in groupby(
        each, key=lambda one: (one[1], isinstance(one[0], e.EffectLost))
    ):
        repeats = list(same)
        if not ends:
            yield from repeats
        else:
            yield repeats[0][0], f"{text} ×{len(repeats)}" if len(repeats) > 1 else text


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
