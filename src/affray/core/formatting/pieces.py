"""The results of an entry, as pieces made once from its events: who, what, amounts, why, how long.
`pieces_of` makes them. They hold ids and amounts, and nothing takes one apart again. The log, a
preview and a turn's news write them, and `spoken_lines` speaks them; names come last.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from affray.core.dice import Dice, DiceError, parse_dice, shown_faces, spoken_faces
from affray.core.engine import events as e
from affray.core.engine.effects import MODIFIER
from affray.core.engine.evolve import evolve
from affray.core.engine.state import Clock, Effect, Encounter, Life, Track
from affray.core.formatting import effects
from affray.core.formatting.media import (
    SPOKEN,
    WRITTEN,
    Said,
    Word,
    Words,
    number_aloud,
    say,
    signed_aloud,
    without_hyphens,
)
from affray.core.parser.errors import format_number, format_signed, join_or
from affray.core.rules.tables import TrackRow

# -------------------------------------------------------------------------------------------------
# Words


Names = Callable[[tuple[str, ...]], str]
"""The names for ids, as people list them."""

_NO_WORDS: Words = {}


def _for_media(written: str, spoken: str) -> Word:
    """A word with its form for the ear, if different."""
    return written if spoken == written else Said(written, spoken)


LIVES: dict[Life, str] = {
    "up": "up again",
    "dying": "dying",
    "stable": "stable",
    "unconscious": "unconscious",
    "defeated": "defeated",
    "dead": "dead",
}
"""The words for each life."""

_HAS, _HAVE = Said("has", "has"), Said("have", "have")


class Piece(NamedTuple):
    """One outcome of an entry: `Ghoul 1 −6 HP, 12 left (8 slashing, AC 2)`.

    who    the ids of those it is about; empty for nobody, or if the title names them
    label  its subject instead: a clock, or the owner of tracks that no combatant has
    link   the link between these and the words: `is`, or a colon
    times  how often it happened to them
    words  the result; a title may have the first of them
    notes  the text in brackets: the reasons, or the effect
    end    the text after the brackets: its duration
    by     the id of its cause; empty for none, as at the start of a turn
    lost   their loss of health, cushions included; below 0 if a repeated roll takes less than
           before
    healed the health it gives back
    """

    event: e.AnyEvent
    who: tuple[str, ...]
    words: tuple[Word, ...]
    notes: tuple[Word, ...] = ()
    end: Word = ""
    label: Word = ""
    link: str = ""
    times: int = 1
    by: str = ""
    lost: int = 0
    healed: int = 0

    def text(self, names: Names, medium: int = WRITTEN) -> str:
        """The piece in words, written or for the ear."""
        comma = isinstance(self.event, e.TrackChanged | e.CostPaid | e.Rolled)
        whom = names(self.who) if self.who else say(self.label, medium)
        parts = [f"{whom}:"] if whom and self.link == ":" else [whom] if whom else []
        if self.link == "is" and (whom or medium == WRITTEN):
            parts.append("is")
        if self.words:
            parts.append((", " if comma else " ").join(self.words_for(medium)))
        if notes := [text for note in self.notes if (text := say(note, medium))]:
            text = (", " if comma else "; ").join(notes)
            parts.append(f"({text})" if parts else text)
        if self.end:
            parts.append(say(self.end, medium))
        return " ".join(parts)

    def words_for(self, medium: int) -> list[str]:
        """The words of the result that a medium has."""
        return [text for word in self.words if (text := say(word, medium))]

    @property
    def is_only_end(self) -> bool:
        """True if the line already has the rest, and continues with the end: `until it stands`."""
        return bool(self.end) and not (self.who or self.label or self.words or self.notes)

    def whom(self, names: Names) -> str:
        """Return the names of those it is about, or the label."""
        return names(self.who) if self.who else say(self.label, WRITTEN)

    def without(self, notes: Container[str]) -> Piece:
        """The piece without these notes, given in small letters as words or a text."""
        left = tuple(n for n in self.notes if say(n, WRITTEN).casefold() not in notes)
        return self._replace(notes=left)


# -------------------------------------------------------------------------------------------------
# Events as pieces. No rule is known here: names of tracks come from the tables.

_AT_ZERO = ("0 {}", "below 0 {}")
"""The reasons for consequences of an empty track, which the track already says."""


def pieces_of(
    events: Iterable[e.AnyEvent],
    before: Encounter,
    tracks: Mapping[str, TrackRow],
    by: str = "",
    spoken: Words = _NO_WORDS,
) -> list[Piece]:
    """List the results of the events that people care about, the most important first (`_rank`).

    Changes of one combatant's tracks for one reason are one piece, as is the same note on several.
    Several ends of the same effect are counted: `… ×3`.

    Args:
        before: the state before the events.
        tracks: the rows of the ruleset's tracks; one that is missing goes by its id.
        by: the actor's id, whose name is left out of rolls; results without a roll are theirs.
        spoken: the ruleset's words for the ear (`Tables.spoken`).
    """
    events = list(events)
    if _TOLD.isdisjoint(map(type, events)):
        return []
    found: list[Piece] = []
    for piece in _pieces_in_order(events, before, tracks, by, spoken):
        if isinstance(piece.event, e.EffectLost) and found and found[-1][1:4] == piece[1:4]:
            times = found[-1].times + 1
            found[-1] = found[-1]._replace(end=Said(f"×{times}", f"{times} times"), times=times)
        else:
            found.append(piece)
    if len(found) > 1:
        found = [*_with_effects_of_lives(found, before)]
        found.sort(key=lambda piece: _rank(piece.event, tracks))
    return found


def _with_effects_of_lives(pieces: list[Piece], before: Encounter) -> Iterator[Piece]:
    """The pieces, with a life and the effect that comes with it as one: `is unconscious until
    healed`. For somebody who is up again, the end of that effect is left out."""
    lives = {piece.who: piece for piece in pieces if isinstance(piece.event, e.LifeChanged)}
    ends = {
        piece.who: piece.end
        for piece in pieces
        if isinstance(piece.event, e.EffectGained)
        and piece.who in lives
        and piece.words == lives[piece.who].words
    }
    for piece in pieces:
        if piece is lives.get(piece.who):
            yield piece._replace(end=ends.get(piece.who, ""))
        elif isinstance(piece.event, e.EffectGained) and piece.who in ends:
            if piece.words != lives[piece.who].words:
                yield piece
        elif isinstance(piece.event, e.EffectLost) and piece.who in lives:
            was = before.find(piece.event.who)
            if was is None or piece.words != ("no longer", LIVES[was.life]):
                yield piece
        else:
            yield piece


def names_of(events: Iterable[e.AnyEvent], before: Encounter) -> Names:
    """The names after events: who joined has one, and who was given another."""
    new: dict[str, str] = {}
    for event in events:
        if isinstance(event, e.Added):
            new[event.who] = event.name
        elif isinstance(event, e.StatChanged) and event.stat == "name":
            new[event.who] = str(event.value)

    def names(who: tuple[str, ...]) -> str:
        each = [new.get(one) or before.name(one) for one in who]
        return each[0] if len(each) == 1 else join_or(each, "and")

    return names


def _pieces_in_order(
    events: Iterable[e.AnyEvent],
    before: Encounter,
    tracks: Mapping[str, TrackRow],
    by: str,
    spoken: Words,
) -> Iterator[Piece]:
    state = before
    emptied: dict[str, set[str]] = {}  # who -> the reasons that their last change says already
    doer = by
    struck: dict[str, str] = {}  # who -> who rolled against them last
    eased: set[str] = set()  # who has lost an effect, with which a cushion may go by itself
    for run in _runs(events):
        start = state
        for event in run:
            state = evolve(state, event)
        first = run[0]
        if isinstance(first, e.TrackChanged):
            pieces = [] if first.routine else _changes(run, start, state, tracks)
            emptied[first.who] = {*_emptied(run, state, tracks)} if pieces else set()
            lost = _harm(run, tracks, first.who in eased and first.who not in struck)
            if pieces and lost:
                is_damage = lost > 0 or first.who in struck
                pieces[0] = pieces[0]._replace(
                    by=struck.get(first.who, doer),
                    lost=lost if is_damage else 0,
                    healed=0 if is_damage else -lost,
                )
            yield from pieces
        elif isinstance(first, e.LifeChanged):
            became = _became(first).without(emptied.get(first.who, ()))
            yield became._replace(by=struck.get(first.who, doer))
        elif isinstance(first, e.TurnStarted | e.TurnEnded):
            doer, struck = "", {}  # nobody causes what comes with the start or end of a turn
        elif isinstance(first, e.CostPaid):
            yield from _paid(first, state, tracks)
        elif isinstance(first, e.NoteAdded):
            yield _note(run)
        elif isinstance(first, e.Rolled):
            if _is_blow(first):
                struck[first.against] = first.who
            yield from filter(None, [_rolled(first, by, spoken)])
        else:
            if isinstance(first, e.EffectLost):
                eased.add(first.who)
            tell = _TELLS.get(type(first))
            piece = tell(first, start, state, spoken) if tell is not None else None
            yield from filter(None, [piece])


def _is_blow(roll: e.Rolled) -> bool:
    """True for a roll at somebody else; a save against their act is none."""
    return not roll.is_save and roll.against not in ("", roll.who)


def _runs(events: Iterable[e.AnyEvent]) -> Iterator[list[Any]]:
    """Group events that are described together (`_same_run`); others are alone."""
    run: list[Any] = []
    for event in events:
        if run and not (type(event) in _TOGETHER and _same_run(run[0], event)):
            yield run
            run = []
        run.append(event)
    if run:
        yield run


_TOGETHER = (e.TrackChanged, e.NoteAdded)


def _same_run(first: e.AnyEvent, event: e.AnyEvent) -> bool:
    if isinstance(first, e.NoteAdded) and isinstance(event, e.NoteAdded):
        is_free = not first.goes_on and bool(first.who and event.who)
        return is_free and replace(first, who=event.who) == event
    return (
        isinstance(first, e.TrackChanged)
        and isinstance(event, e.TrackChanged)
        and first.who == event.who
        and (first.why, first.parts, first.routine) == (event.why, event.parts, event.routine)
    )


# -- tracks


class _Change(NamedTuple):
    """The changes of one track in an entry: its row, all moves, and its values before and after."""

    rule: TrackRow
    moves: list[int]
    old: Track
    new: Track


def _changes(
    run: list[e.TrackChanged], before: Encounter, after: Encounter, tracks: Mapping[str, TrackRow]
) -> list[Piece]:
    """Describe changes of one's tracks, HP first; changes of tracks that no combatant has, by
    owner."""
    moved = sorted(dict.fromkeys(event.track for event in run), key=lambda t: _weight(tracks, t))
    first = next(event for event in run if event.track == moved[0])
    reasons = reasons_of(first)
    words_by_label: dict[str, list[Word]] = {}
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
            words = () if change is full else _move(*change)
        else:
            words = _unmoved(change, raised, first)
        if words:
            label = "" if first.who else change.rule.whose
            words_by_label.setdefault(label, []).extend(words)
    if full is not None:
        reasons = (f"{full.rule.label} was full, now {_of(full.new, format_number)}", *reasons)
    who = (first.who,) if first.who else ()
    return [
        Piece(first, who, tuple(words), reasons, label=label)
        for label, words in words_by_label.items()
    ]


def _harm(run: list[e.TrackChanged], tracks: Mapping[str, TrackRow], eased: bool) -> int:
    """The health that somebody loses by changes, cushions included; a cushion gained, or ended by
    itself, is neither damage nor healing."""
    lost = 0
    for event in run if run[0].who else ():
        rule = tracks.get(event.track)
        counts = rule.recap if rule is not None else ""
        if counts == "damage" or (counts == "cushion" and event.by < 0 and not eased):
            lost += event.by if rule is not None and rule.counts == "marked" else -event.by
    return lost


def _ran_over(changed: Mapping[str, _Change]) -> _Change | None:
    """The marks that filled their track and became one on a grave track, so that fewer are left;
    None for none."""
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


def _paid(event: e.CostPaid, after: Encounter, tracks: Mapping[str, TrackRow]) -> Iterator[Piece]:
    """Describe a cost in a track of the GM's or the party's, or in one that a recap counts, such as
    a thread; what a turn is paid with goes without saying."""
    rule = tracks.get(event.track)
    if rule is not None and (not event.who or (rule.recap == "spent" and not rule.spent)):
        left, who = _track(after, event.who, event.track), (event.who,) if event.who else ()
        words = _move(rule, [-event.by], left, left)
        yield Piece(event, who, words, label="" if who else rule.whose)


def _move(rule: TrackRow, moves: list[int], old: Track, new: Track) -> tuple[Word, ...]:
    """Describe a change: `−6 HP, 12 left`; `HP 4 → 6` for one up and down, or for a die."""
    if rule.shown == "die":
        size = format_die_size(new)
        becomes = _becomes(rule.label, format_die_size(old), size)
        return (becomes._replace(spoken=f"{rule.label} {size}"),)
    if min(moves) < 0 < max(moves):
        return (_becomes(rule.label, format_number(old.value), format_number(new.value)),)
    by = sum(moves)
    label = rule.label_of(by)
    spoken = f"{signed_aloud(by)} {rule.counted_aloud(by)}"
    if rule.recap == "damage" and by < 0:  # to the ear a loss is one of HP
        spoken = signed_aloud(by)
    written, titled = f"{format_signed(by)} {label}", f"{rule.label} {format_signed(by)}"
    if by < 0 <= new.value and rule.counts == "left":
        return Said(written, spoken, titled), f"{new.value} left"
    now = f"now {_of(new, format_number)}"
    heard = _of(new if new.value == new.max else replace(new, max=None), number_aloud)
    is_all = 0 < by == new.value and rule.recap != "damage"
    if by == 1 or is_all:  # one more, or the first: the ear needs only how many there are
        return Said(written, f"{rule.for_the_ear} {heard}", titled), Said(now, "")
    return Said(written, spoken, titled), _for_media(now, f"now {heard}")


def _becomes(label: str, old: str, new: str) -> Said:
    return Said(f"{label} {old} → {new}", f"{label} {old} becomes {new}")


def _of(track: Track, number: Callable[[int], str]) -> str:
    """The value of a track: `2 of 5`."""
    is_of = track.max is not None and track.value >= 0
    return f"{number(track.value)}{f' of {track.max}' if is_of else ''}"


def format_die_size(track: Track) -> str:
    """Write a die by its sides: `d6`; `out` if none is left."""
    return f"d{track.value}" if track.value else "out"


def _unmoved(change: _Change, raised: bool, event: e.TrackChanged) -> tuple[Word, ...]:
    """Describe a track whose value is the same: `feels 2 fatigue`, `HP at most 30`.

    With a reason, a track without any change is described as well: `has 2 AP`, and so is damage
    reduced to nothing.
    """
    rule, old, new = change.rule, change.old, change.new
    if new.unfelt < old.unfelt:
        felt = f"{new.felt} {rule.label_of(new.felt)}"
        return (Said(f"feels {felt}", f"{felt} in force"),)
    if raised:
        return (f"{rule.label} at most {new.max}",)
    if event.parts:
        return ("takes no damage",)
    if not event.why or new != old:
        return ()
    count = new.value
    return (
        Said(f"has {count} {rule.label_of(count)}", f"has {count} {rule.counted_aloud(count)}"),
    )


def _track(state: Encounter, combatant_id: str, track: str) -> Track:
    owner = state.find(combatant_id) if combatant_id else state
    return Track(0) if owner is None else owner.tracks.get(track, Track(0))


# -- the parts of a number


def reasons_of(event: e.TrackChanged | e.Rolled) -> tuple[Word, ...]:
    """List the parts of a number, and the reasons for it: `8 slashing`, `AC 2`; `+5 sword`."""
    parts = _parts_in_words(event.parts, isinstance(event, e.Rolled))
    return (*parts, event.why) if event.why else (*parts,)


def steps_in_words(steps: tuple[e.Step, ...]) -> str:
    """Write damage with its steps: `9 fire, resisted`."""
    return ", ".join(part.written for part in _parts_in_words(steps, is_roll=False))


def _parts_in_words(steps: tuple[e.Step, ...], is_roll: bool) -> list[Said]:
    parts = [_part_in_words(step, is_roll, _NO_WORDS) for step in steps]
    begins = [place for place, step in enumerate(steps) if step.amount is not None]
    if len(begins) < 2:
        return parts
    ends = [*begins[1:], len(parts)]  # damage of several types, each with its steps
    kinds = [parts[begin:end] for begin, end in zip(begins, ends, strict=True)]
    written, spoken = (
        join_or([", ".join(part[medium] for part in kind) for kind in kinds], "and")
        for medium in (WRITTEN, SPOKEN)
    )
    return [Said(written, spoken)]


def _part_in_words(part: e.Step, is_roll: bool, spoken: Words) -> Said:
    what = part.what
    if part.to is not None:
        return Said(f"{what} {part.to}", f"{what} to {part.to}")
    if part.by is not None:
        written = f"{format_signed(part.by)} {what}" if is_roll else f"{what} {abs(part.by)}"
        return Said(written, f"{signed_aloud(part.by)} {spoken.get(what, what)}")
    return _alike(what if part.amount is None else f"{part.amount} {what}".rstrip())


def _alike(text: str) -> Said:
    return Said(text, text)


def why_in_words(event: e.TrackChanged | e.Rolled, medium: int = WRITTEN) -> str:
    """Return the parts of a number, and the reasons for it, in a line:
    `+5 sword, advantage: hidden`."""
    return ", ".join(say(reason, medium) for reason in reasons_of(event))


# -- rolls


def _rolled(event: e.Rolled, by: str, spoken: Words) -> Piece | None:
    """`strike 2d6 [4 1] +5 sword = 10 against 9, strong`"""
    if not event.faces:
        return None
    pools, bonus = _without_bonus(event.dice)
    added = [part for part in event.parts if part.by]
    rest = 0 if bonus is None else bonus - sum(part.by or 0 for part in added)
    parts = [_part_in_words(part, True, spoken) for part in added]
    parts += [Said(format_signed(rest), signed_aloud(rest))] if rest else []
    shown = " ".join(shown_faces(event.dice, event.faces, drops=False))
    heard = " ".join(spoken_faces(event.dice, event.faces))
    written = " ".join([pools.written, f"[{shown}]", *(part.written for part in parts)])
    ear = ", ".join([f"{pools.spoken}: {heard}", *(part.spoken for part in parts)])
    if event.total is not None and (parts or event.faces != (event.total,)):
        written += f" = {format_number(event.total)}"
        ear += f", total {number_aloud(event.total)}"
    is_saved, outcome = event.is_save and event.outcome in SAVES, outcome_of(event)
    has_said = is_saved and event.dc == _USUAL_SAVE and " against " in event.for_
    against = "" if event.dc is None or has_said else f" against {event.dc}"
    end = [_for_media(outcome, without_hyphens(outcome))] if outcome else []
    heads = f"{event.for_} ".lstrip(), f"{roll_aloud(event, spoken)} ".lstrip()
    roll = Said(f"{heads[0]}{written}{against}", f"{heads[1]}{ear}{against}")
    who = (event.who,) if event.who and event.who != by else ()
    return Piece(event, who, (roll, *end))


def roll_aloud(event: e.Rolled, spoken: Words) -> str:
    """Return the name of a roll for the ear: `wisdom save` for `wis save`."""
    first, _, more = event.for_.partition(" ")
    return f"{spoken.get(first, first)} {more}".rstrip()


@lru_cache(maxsize=256)
def _without_bonus(dice: str) -> tuple[Said, int | None]:
    """Dice and their bonus: `2d8kh1+5` is `2d8kh1` and 5; None for an invalid text."""
    try:
        parsed = parse_dice(dice)
    except DiceError:
        return _alike(dice), None
    pools = Dice(parsed.pools)
    return Said(str(pools), pools.spoken), parsed.modifier


SAVES = {"success": "saved", "failure": "failed"}
"""The words for a save's outcome, in place of an attack's."""
_USUAL_SAVE = 10
"""The usual number of a save such as "save against slowed", which is not repeated there."""


def outcome_of(roll: e.Rolled) -> str:
    """Return the outcome of a roll in a word."""
    return SAVES.get(roll.outcome, roll.outcome) if roll.is_save else roll.outcome


# -- all others


def _left(event: e.Left, before: Encounter, after: Encounter, spoken: Words) -> Piece | None:
    return Piece(event, (event.who,), (f"leaves: {event.why}",)) if event.why else None


def _round(event: e.RoundStarted, before: Encounter, after: Encounter, spoken: Words) -> Piece:
    return Piece(event, (), (f"round {event.round} begins",))


def _adjusted(
    event: e.StatChanged, before: Encounter, after: Encounter, spoken: Words
) -> Piece | None:
    if event.stat in ("name", "side") or effects.is_of_tables(event.value):
        return None
    stat, value = event.stat, _plain(event.value)
    now = _for_media(f"{stat} is {value}", f"{spoken.get(stat, stat)} is {value}")
    return Piece(event, (event.who,), (now,), link=":")


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value) or "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _gained(
    event: e.EffectGained | e.EffectChanged, before: Encounter, after: Encounter, spoken: Words
) -> Piece | None:
    bearer = after.find(event.who)
    if bearer is None:
        return None
    effect, note = event.effect, effects.effect_note(event.effect)
    until = effects.until_in_words(after, bearer, effect.until)
    ear = effects.until_in_words(after, bearer, effect.until, spoken)
    words = _words_of(effect, effects.effect_words_in_full)
    return Piece(event, (bearer.id,), words, (note,) if note else (), _for_media(until, ear))


def _lost(event: e.EffectLost, before: Encounter, after: Encounter, spoken: Words) -> Piece | None:
    bearer = before.find(event.who)
    effect = bearer.effect(event.effect) if bearer else None
    if bearer is None or effect is None:
        return None
    notes: tuple[Word, ...] = (event.why,) if event.why else ()
    still = after.find(event.who)
    is_one_less = still is not None and effect.name != effect.kind and still.named(effect.name)
    label = _words_of(effect, effects.effect_label_words)
    if is_one_less and not effect.note:
        return Piece(event, (bearer.id,), (*label, "once less"), notes)
    if is_one_less or (effect.name == effect.kind and effect.modifiers):
        label = _words_of(effect, effects.effect_words if is_one_less else effects.brief_words)
        note: Word = effects.effect_note(effect)
        if not is_one_less and note and effect.until.ends != "use":  # the ear needs only its name
            label = (*(Said(say(word, WRITTEN), "") for word in label), Said("", say(note, SPOKEN)))
            note = Said(say(note, WRITTEN), "")
        label = label if is_one_less else (_HAS, *label)
        notes = tuple(filter(None, (note, event.why)))
    return Piece(event, (bearer.id,), ("no longer", *label), notes)


def _words_of(
    effect: Effect, words: Callable[[Effect, effects.Signed], Iterable[str]]
) -> tuple[Word, ...]:
    """Words for an effect as written and for the ear; for a nameless one its numbers alone."""
    pairs = zip(words(effect, format_signed), words(effect, signed_aloud), strict=True)
    both = tuple(_for_media(*pair) for pair in pairs if pair[0])
    is_nameless = both[:1] == (MODIFIER,) and bool(both[1:] and effect.modifiers)
    return both[1:] if is_nameless else both


def _became(event: e.LifeChanged) -> Piece:
    notes = (event.why,) if event.why else ()
    return Piece(event, (event.who,), (LIVES[event.life],), notes, link="is")


def _note(run: list[e.NoteAdded]) -> Piece:
    who = tuple(event.who for event in run if event.who)
    return Piece(run[0], who, (run[0].text,), link="" if run[0].goes_on else ":")


def _counted(event: e.ClockChanged, before: Encounter, after: Encounter, spoken: Words) -> Piece:
    name, clock = event.name, event.clock
    if clock is None:
        return Piece(event, (), ("removed",), label=name, link=":")
    stands = format_clock(clock)
    if clock.has_run_out:
        return Piece(
            event, (), (Said(stands.upper(), stands),), label=Said(name.upper(), name), link=":"
        )
    return Piece(event, (), (stands,), label=name, link=":")


def format_clock(clock: Clock) -> str:
    """Describe a clock, and that it is hidden from the players."""
    return f"{_stands(clock)}, hidden" if clock.hidden else _stands(clock)


def _stands(clock: Clock) -> str:
    if clock.verdict:
        return clock.verdict
    if clock.is_race:
        done = f"{clock.value} of {clock.max} done"
        most = "" if clock.limit == clock.max else f" of {clock.limit}"
        return f"{done}, {clock.failures}{most} failed" if clock.limit else done
    if clock.value == 0:
        return "run out"
    if clock.sides:
        left = f"{clock.value}d{clock.sides} left"
    else:
        what = "round" if clock.every else "step"
        left = f"{clock.value} {what}{'s' if clock.value != 1 else ''} left"
    return f"{left}, stopped" if clock.stopped else left


_TELLS: dict[type, Callable[[Any, Encounter, Encounter, Words], Piece | None]] = {
    e.Left: _left,
    e.RoundStarted: _round,
    e.StatChanged: _adjusted,
    e.EffectGained: _gained,
    e.EffectChanged: _gained,
    e.EffectLost: _lost,
    e.ClockChanged: _counted,
}
_TOLD = {*_TELLS, e.Rolled, e.TrackChanged, e.LifeChanged, e.CostPaid, e.NoteAdded}
"""The kinds of events with pieces; others are bookkeeping, or in the entry's title."""


# -------------------------------------------------------------------------------------------------
# The order of pieces, and one for all who have the same


def _rank(event: e.AnyEvent, tracks: Mapping[str, TrackRow]) -> int:
    """The place of an event among others: who is hurt, healed or down, then new effects and the
    like, ends, notes of the rules, accounts such as XP, and dice."""
    if isinstance(event, e.TrackChanged):
        return _weight(tracks, event.track)
    return _RANKS.get(type(event), 1)


_RANKS = {e.LifeChanged: 0, e.EffectLost: 2, e.NoteAdded: 3, e.CostPaid: 4, e.Rolled: 5}


def _weight(tracks: Mapping[str, TrackRow], track: str) -> int:
    """The rank of a track's change: 0 for HP, 1 for tracks that the order shows, such as fatigue, 4
    for those that pay for a turn or that only their owner has."""
    rule = tracks.get(track)
    if rule is not None and rule.recap in ("damage", "cushion"):
        return 0
    return 1 if rule is not None and rule.everybody and not rule.spent else 4


def told_once(pieces: list[Piece]) -> Iterator[Piece]:
    """The pieces, with shared ones joined, and each reason for an effect's end only at its first
    place."""
    whys = {piece.event.why for piece in pieces if isinstance(piece.event, e.EffectLost)}
    given: set[str] = set()
    for piece in _merge_alike(pieces):
        yield piece.without(given) if given else piece
        given |= {word.casefold() for note in piece.notes if (word := say(note, 0)) in whys}


def _merge_alike(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces, with those that are alike but for their owners merged into one."""
    block: dict[tuple[object, ...], list[Piece]] = {}
    for piece in pieces:
        is_shared, alike = _is_shared(piece), (piece.words, piece.notes, piece.end)
        if not is_shared or any(other.who == piece.who for other in block.get(alike, ())):
            yield from map(_of_each, block.values())
            block = {}
        if is_shared:
            block.setdefault(alike, []).append(piece)
        else:
            yield piece
    yield from map(_of_each, block.values())


def _is_shared(piece: Piece) -> bool:
    """True for a piece that several may share: an effect, a number, or a track that rises."""
    event = piece.event
    if isinstance(event, e.TrackChanged):
        return bool(event.who) and event.by > 0
    return isinstance(event, e.EffectGained | e.EffectChanged | e.EffectLost | e.StatChanged)


def _of_each(alike: list[Piece]) -> Piece:
    """One piece for all who have it."""
    first = alike[0]
    if len(alike) == 1:
        return first
    words = tuple(_HAVE if word is _HAS else word for word in first.words)
    return first._replace(who=tuple(who for piece in alike for who in piece.who), words=words)
