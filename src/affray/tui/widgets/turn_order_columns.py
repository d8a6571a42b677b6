"""The columns of the turn order: a track each, their widths, and the badges of effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len

from affray.core.engine import turn_order
from affray.core.engine.effects import independent_effects, why_forbidden
from affray.core.engine.state import MOST_KEPT, Combatant, Effect, Encounter, Life, Slot, Track
from affray.core.formatting.effects import (
    effect_by_note,
    effect_note,
    effect_with_amounts,
    effect_words,
)
from affray.core.formatting.pieces import format_die_size
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import format_signed
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import EffectKindRow, Tables, TrackRow
from affray.tui.drawing import (
    first_words,
    format_track,
    max_width,
    most_drawn,
    short_track_text,
)
from affray.tui.theme import DARK, styles_of

# -------------------------------------------------------------------------------------------------
# Badges of effects: each name once, harmful ones first

GAP = 2
OTHERS = 3
"""The place of effects that don't decide what their bearer can do."""
GRAVE = EffectKindRow(harmful=True)
"""How what decides over a life is drawn."""
PLAIN = EffectKindRow()
MOST_OF_A_NOTE = 24
"""A longer note tells more than which one it is; the timers and the card have it."""
FIRST_WORDS = 24, 20, 16, 11
"""The cells of a note that stands for a name and has no room as a whole, the most first."""
ROOM_FOR_NAMES = 16
"""Fewer cells than this beside a row seldom hold more than the short forms of what lasts."""
_INKS = styles_of(DARK)
"""Whichever: of what is drawn with them the text alone is taken."""


class EffectBadge(NamedTuple):
    """An effect as a row of the order shows it: its name behind the mark of its kind, how often it
    is there, its style.

    first   the first effect of that name; None for a track, which is counted
    brief   its key in the short forms; for a count the short form itself
    note    which one it is; empty if nothing says that
    """

    name: str
    brief: str
    kind: EffectKindRow
    first: Effect | None = None
    times: int = 1
    note: str = ""

    @property
    def called(self) -> str:
        """`bleeding ×2`, or `◉ concentrating: Fog Wall` if its kind has a mark."""
        name = f"{self.kind.mark} {self.name}" if self.kind.mark else self.name
        return f"{name} ×{self.times}" if self.times > 1 else name

    @property
    def beside(self) -> str:
        """The name beside a row; `DS ■□□` for a count."""
        return self.called if self.first is not None else self.brief

    @property
    def signed(self) -> str:
        """`◉ Fog Wall` if the mark of its kind and a note tell it, or the note alone of what has
        but its kind for a name, as a zone or a modifier; `5 fire` of damage; else its key."""
        first = self.first
        if first is not None and self.note and (self.kind.mark or first.name == first.kind):
            return f"{self.kind.mark} {self.note}".lstrip()
        if first is not None and first.type and (first.amount or first.dice):
            return effect_words(first)[1] or self.brief
        return self.brief

    def cut(self, cells: int) -> str:
        """Its key; of what has but its kind for a name, or a mark for that, its note or as many
        first words of that as fit: `Hymn…`."""
        first = self.first
        if first is None or not self.note or not (self.kind.mark or first.name == first.kind):
            return self.brief
        return f"{self.kind.mark} {first_words(self.note, cells)}".lstrip()


@lru_cache(maxsize=MOST_KEPT)
def effect_badges(tables: Tables, combatant: Combatant) -> tuple[EffectBadge, ...]:
    """The badges of a combatant's effects, each name once: what lays it low first, such as being
    unconscious, and what comes along with that, such as lying prone; then what else keeps it from
    acting, what has a mark, such as concentration, and other harmful ones; of these what only
    follows from a number, such as being bloodied, after the others.

    What is counted in this life alone, such as the saves of the dying, comes before; other tracks
    that stand in a row, such as legendary resistance, come last. The word for this life stands in
    place of what it leaves to act with, and isn't told again.
    """
    if combatant.is_out:
        return ()
    found = list(_counts(tables, combatant))
    effects = [effect_by_note(tables, effect) for effect in independent_effects(combatant)]
    effects = [each for each in effects if each.name != LIFE_WORDS[combatant.life]]
    names = [strip_control_chars(called_in_a_row(effect)) for effect in effects]
    first = dict(zip(reversed(names), reversed(effects), strict=True))
    for name, times in Counter(names).items():
        effect = first[name]
        kind = tables.look(effect.name, effect.kind)
        if min(effect.modifiers.values(), default=0) < 0 and not kind.harmful:
            kind = replace(kind, harmful=True)
        is_named = kind.is_named_by_note or kind.words
        note = strip_control_chars(effect.note if is_named else note_in_a_row(effect))
        found.append(EffectBadge(name, effect.name, kind, effect, times, note))
    decides = _deciding(tables)

    def place(each: EffectBadge) -> tuple[int, bool, bool, bool]:
        counted = 0 if each.kind is GRAVE else OTHERS + 1
        rank = decides.get(each.brief, OTHERS) if each.first else counted
        follows = not each.kind.timed
        return rank, follows or not each.kind.mark, not each.kind.harmful, follows

    return tuple(sorted(found, key=place))


@lru_cache(maxsize=8)
def _deciding(tables: Tables) -> Mapping[str, int]:
    """The places of effects that keep their bearer from acting, those that bring others first, and
    of what these bring."""

    def bars(name: str, above: tuple[str, ...] = ()) -> bool:
        rule = tables.effects.get(name)
        if rule is None or name in above:
            return False
        return "act" in rule.forbids or any(bars(each, (*above, name)) for each in rule.implies)

    barring = [name for name in tables.effects if bars(name)]
    low = [name for name in barring if tables.effects[name].brings]
    brought = {each for name in low for each in tables.effects[name].brings}
    return dict.fromkeys(barring, 2) | dict.fromkeys(brought, 1) | dict.fromkeys(low, 0)


def called_in_a_row(effect: Effect) -> str:
    """Its name, and which one it is where a short note says that: `form: Wolf Shape`, `marked by
    Odo`."""
    name, note = effect_with_amounts(effect), note_in_a_row(effect)
    goes_on = " " if note.startswith(("by ", "against ")) else ": "
    return f"{name}{goes_on}{note}" if note and name == effect.name else name


def note_in_a_row(effect: Effect) -> str:
    """The note of an effect as far as a row has room, unless it begins with the name: all up to a
    colon, and of what that has in brackets the end gives way first."""
    note = effect_note(effect).partition(":")[0]
    head, _, aside = note.partition(" (")
    forms = (note, f"{head} ({aside.rpartition(', ')[0]})" if ", " in aside else head, head)
    fits = next((form for form in forms if cell_len(form) <= MOST_OF_A_NOTE), "")
    return "" if note.startswith(effect_with_amounts(effect)) else fits


def _counts(tables: Tables, combatant: Combatant) -> Iterable[EffectBadge]:
    """The tracks of this life alone, then those that stand in the row of whoever has them."""
    of_life = {t: GRAVE for t, rule in tables.tracks.items() if _matters_in(rule, combatant.life)}
    for track, kind in (of_life | _shown_in_rows(tables)).items():
        found, rule = combatant.tracks.get(track), tables.tracks[track]
        if found is not None and (kind is GRAVE or found.max):
            marks = short_track_text(rule, found, _INKS).text
            yield EffectBadge(f"{rule.label} {marks}", f"{rule.short} {marks}", kind)


def _matters_in(rule: TrackRow, life: Life) -> bool:
    return rule.everybody and rule.when == life != "up"


@lru_cache(maxsize=8)
def _shown_in_rows(tables: Tables) -> dict[str, EffectKindRow]:
    return {track: PLAIN for track, rule in tables.tracks.items() if rule.in_row}


LETTERS = "Act"
"""What is said above the letters of what is left to act with."""
ROLLS = "Roll"
"""What is said above what is taken from every check."""
LEAST_OF_A_NAME, ENOUGH_OF_A_NAME = 10, 24
"""Beyond the one a name gives way to nothing but what can't be told shorter; beyond the other to
marks that are drawn, and to a bar: from across the table these tell more than its end."""
LEAST_OF_A_BAR, USUAL_OF_A_BAR, MOST_OF_A_BAR = 4, 12, 24
FOR_COUNT = 2
"""The cells behind the columns that hold how much lasts on somebody, if it has no other room."""
LEAST_FOR_WORDS = 9
"""So many cells a long name leaves to what lasts among a crowd, while it keeps"""
SOME_OF_A_NAME = 18
"""as many itself."""
FOR_FEW_WORDS, FOR_WORDS, FOR_MANY_WORDS = 16, 24, 44
"""The cells beside a row that are left to what lasts: among a crowd by a bar, where tracks stand
apart, and else; and, before a bar is longer than usual, among few."""
WEARS_OUT = 2
"""The place of those tracks in a row that are neither acted with nor health."""

LIFE_WORDS: dict[Life, str] = {
    "up": "",
    "dying": "dying",
    "stable": "stable",
    "unconscious": "out cold",
    "defeated": "✗ defeated",
    "dead": "✗ dead",
}
"""Said in the columns of what is left to act with, of those who can't act."""


class TurnOrderRowData(Struct, frozen=True, gc=False):
    """One combatant, or a group that has one turn: its slot, whether it is up, numbers and name.

    told_below  True if what lasts stands below it, as it has no room beside
    marked      whose track is marked, as that of who is worst hurt: who, and which track
    stat        the number that has a column of its own, such as AC, where all members share it
    taken       what marks and effects take from each check of one alone, 0 or less
    barred      what it can't do though it is there: `act`, `react`
    is_down      True if it stands for all who are out of the fight, where rows are short
    """

    members: tuple[Combatant, ...]
    slot: Slot
    is_up: bool
    numbers: tuple[int, ...]
    name: str
    told_below: bool = False
    marked: tuple[tuple[str, str], ...] = ()
    stat: str = ""
    taken: int = 0
    barred: tuple[str, ...] = ()
    is_down: bool = False

    @property
    def called(self) -> str:
        """The name, highlighted in that combatant's turn."""
        return self.name.upper() if self.is_up else self.name

    def has(self, combatant_id: str) -> bool:
        """True if the row has this id."""
        return combatant_id in [each.id for each in self.members]

    @property
    def is_out(self) -> bool:
        """True if nobody of it is left in the fight."""
        return all(each.is_out for each in self.members)


@lru_cache(maxsize=8)  # what is taken back is a state again
def turn_order_rows(state: Encounter) -> tuple[TurnOrderRowData, ...]:
    """The rows of the order: those in the fight as they act, then those who are out of it."""
    numbers = {c.id: number for number, c in state.by_number().items()}
    up = {numbers.get(combatant_id) for combatant_id in state.taking_turn()}
    rows = []
    for row in turn_order.turn_order_rows(state):
        own = tuple([numbers[each.id] for each in row.members])
        rows.append(
            TurnOrderRowData(
                row.members, row.slot, not up.isdisjoint(own), own, strip_control_chars(row.name)
            )
        )
    return tuple(sorted(rows, key=lambda row: row.is_out and not row.is_up))


def fallen_row(rows: Sequence[TurnOrderRowData]) -> TurnOrderRowData:
    """One row for all of these, who are out of the fight."""
    members = tuple(combatant for row in rows for combatant in row.members)
    numbers = tuple(number for row in rows for number in row.numbers)
    return TurnOrderRowData(members, rows[0].slot, False, numbers, "", is_down=True)


class TrackColumn(NamedTuple):
    """The column of a track, the same in every row.

    at      its first cell
    cells   how many it has
    label   what is said above it
    drawn   True if marks are drawn one by one; else they are a number
    """

    track: str
    rule: TrackRow
    at: int
    cells: int
    label: str
    drawn: bool


class ColumnNeeds(NamedTuple):
    """The widths that rows need: their names, their numbers, and the needs of each combatant.

    While it is the same, so are the columns. From command to command it mostly is.
    """

    names: list[str]
    numbers: list[tuple[int, ...]]
    needs: list[RowNeeds]
    taken: int
    stat: int


def measure_rows(rows: Sequence[TurnOrderRowData], ruleset: Ruleset) -> ColumnNeeds:
    """Measure the widths that rows need."""
    needs = [_needs(ruleset, combatant) for row in rows for combatant in row.members]
    names, numbers = [row.name for row in rows], [row.numbers for row in rows]
    taken = max_width([format_signed(row.taken) for row in rows if row.taken])
    return ColumnNeeds(names, numbers, needs, taken, max_width([row.stat for row in rows]))


class ColumnLayout:
    """The division of the pane's width into columns for all rows; equal while no column moves.

    crowded  True if there are too many for lines below, so that words have room beside each row
    name     cells of a name; `longest` those that the longest would have
    bar      cells of a bar; 0 if there is no room for one
    apart    True if the tracks of what wears out have a pane of their own, and so has the penalty
    stat     the cells of the number that has a column there, such as AC; 0 if it has no room
             beside a short name, and names of what lasts among a crowd
    penalty  the cell of the penalty that is taken from checks; 0 if nobody has one
    end      where the columns end, and what stands beside begins
    brief    True if there is hardly any room for that
    """

    def __init__(
        self,
        measured: ColumnNeeds,
        ruleset: Ruleset,
        width: int,
        crowded: bool,
        apart: bool = False,
    ) -> None:
        self.crowded, self.width, self.apart = crowded, width, apart
        rules = ruleset.tables.tracks
        self.health = ruleset.tables.health
        self.tracks = tracks_in_order(ruleset.tables)
        self.number = max(2, len(str(max(map(max, measured.numbers), default=0))))
        self.longest = max_width(measured.names)
        self.stat_label = ruleset.tables.total(ruleset.tables.column_total).label
        self.stat = max(measured.stat, cell_len(self.stat_label)) if measured.stat else 0
        most, start, close = most_of(measured.needs), self.before + GAP, False
        penalty = measured.taken + GAP if measured.taken and not apart else 0
        if self.stat:
            in_numbers = track_cells(ruleset.tables, most.in_numbers)
            beside = {t: n for t, n in in_numbers.items() if not (apart and stands_apart(rules[t]))}
            least = start + min(self.longest, SOME_OF_A_NAME) + self.stat + GAP + penalty
            least += ROOM_FOR_NAMES if crowded and not apart else 0
            ends = {close: _offsets(rules, beside, most.word, close)[1] for close in (False, True)}
            close = least + ends[False] > width
            if least + ends[close] > width:
                self.stat, close = 0, False
        start += self.stat and self.stat + GAP
        for_words = FOR_WORDS if crowded else FOR_COUNT
        enough = min(self.longest, ENOUGH_OF_A_NAME)
        # Marks are drawn one by one where names and words have room so.
        for drawn in (True, False):
            cells = track_cells(ruleset.tables, most.drawn if drawn else most.in_numbers)
            cells = {t: n for t, n in cells.items() if not (apart and stands_apart(rules[t]))}
            for_name = width - start - _offsets(rules, cells, most.word, close)[1] - penalty
            if enough + for_words <= for_name:
                break
        # What names and words leave is for whole labels above the marks, if a bar has room yet,
        # and for the bar. A very long name gives way to that, and to some words.
        shared = for_name - (FOR_FEW_WORDS if crowded and apart else for_words)
        if shared - enough > LEAST_OF_A_BAR:
            for_long = max(shared - LEAST_OF_A_BAR - 1, ENOUGH_OF_A_NAME)
        else:
            some = LEAST_FOR_WORDS if crowded else FOR_COUNT
            for_long = max(for_name - some, min(SOME_OF_A_NAME, for_name - FOR_COUNT))
        self.name = max(min(self.longest, for_long), LEAST_OF_A_NAME)
        start += self.name
        for_bar = shared - self.name
        wider = _for_whole_labels(rules, cells) if drawn else {}
        if for_bar - sum(wider.values()) > LEAST_OF_A_BAR:
            for_bar -= sum(wider.values())
            cells |= {track: cells[track] + by for track, by in wider.items()}
        longer = min(for_bar - 1 - (FOR_MANY_WORDS - FOR_COUNT), MOST_OF_A_BAR)
        self.bar = min(for_bar - 1, max(USUAL_OF_A_BAR, longer)) if for_bar > LEAST_OF_A_BAR else 0
        with_bar = [track for track in cells if self.bar and rules[track].shown == "bar"]
        cells |= {track: cells[track] + self.bar + 1 for track in with_bar}
        offsets, end = _offsets(rules, cells, most.word, close)
        self.columns = [
            _column(track, rules[track], start + at, cells[track], drawn)
            for track, at in offsets.items()
        ]
        self.penalty = start + end if penalty else 0
        self.end = start + end + penalty
        self.brief = width - self.end < ROOM_FOR_NAMES

    @property
    def before(self) -> int:
        """The cells before a name: cursor, turn, number, secrecy, side and initiative."""
        return 2 + self.number + 2 + 4

    @property
    def tracks_at(self) -> int:
        """The first cell after a name, and behind the number that has a column there."""
        return self.before + self.name + GAP + (self.stat and self.stat + GAP)

    @property
    def labels(self) -> list[tuple[int, str]]:
        """The labels that the frame shows above columns, each with its first cell."""
        lines = [
            (column.at, column.label)
            for column in self.columns
            if column.rule.shown not in ("box", "badge") and cell_len(column.label) <= column.cells
        ]
        signs = [column for column in self.columns if column.rule.shown in ("box", "badge")]
        boxes = [column for column in signs if column.rule.shown == "box"]
        if boxes and signs[-1].at + signs[-1].cells - boxes[0].at >= len(LETTERS):
            lines.append((boxes[0].at, LETTERS))
        lines += [(each.at, each.rule.short) for each in signs if each.rule.shown == "badge"]
        if self.stat:
            lines.append((self.tracks_at - GAP - cell_len(self.stat_label), self.stat_label))
        return sorted([*lines, (self.penalty, ROLLS)] if self.penalty else lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ColumnLayout) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]


def _column(track: str, rule: TrackRow, at: int, cells: int, drawn: bool) -> TrackColumn:
    label = rule.label if cell_len(rule.label) <= cells else rule.short
    return TrackColumn(track, rule, at, cells, label, drawn)


def _offsets(
    rules: Mapping[str, TrackRow], cells: Mapping[str, int], word: int, close: bool
) -> tuple[dict[str, int], int]:
    """The place of each column after the name, and of the text that isn't in columns.

    So many cells have to do for the word for those who can't act, and the gap after it. What wears
    out stands `close` where a number such as AC has no room else.
    """
    offsets: dict[str, int] = {}
    at, tracks = 0, list(cells)
    for track, following in zip_longest(tracks, tracks[1:]):
        at = at if is_action_track(rules[track]) else max(at, word)
        if offsets and rules[track].shown == "badge":  # its label stands behind that of the letters
            at = max(at, len(LETTERS) + 1)
        offsets[track] = at
        at += cells[track] + (_gap(rules[track], rules[following], close) if following else GAP)
    return offsets, max(at, word)


def _for_whole_labels(rules: Mapping[str, TrackRow], cells: Mapping[str, int]) -> dict[str, int]:
    """The missing width of columns of marks for their full names above them."""
    marked = [track for track in cells if rules[track].shown == "boxes"]
    return {track: max(cell_len(rules[track].label) - cells[track], 0) for track in marked}


@lru_cache(maxsize=8)
def tracks_in_order(tables: Tables) -> Mapping[str, TrackRow]:
    """All tracks in the order of the columns."""
    return dict(sorted(tables.tracks.items(), key=lambda row: _column_order(row[1])))


def is_action_track(rule: TrackRow) -> bool:
    """True if it is what is left to act with."""
    return rule.spent or rule.shown == "badge"


def is_barred(ruleset: Ruleset, state: Encounter, combatant: Combatant, rule: TrackRow) -> bool:
    """True if it is what somebody acts or reacts with, who can't do so now."""
    if not is_action_track(rule):
        return False
    but = () if rule.spent else ruleset.actions.reacts_despite(state, combatant)
    return bool(
        why_forbidden(ruleset.tables, state, combatant, "act" if rule.spent else "react", but)
    )


def stands_apart(rule: TrackRow) -> bool:
    """True if it is what wears out, which has a pane of its own if there is room for one."""
    return _column_order(rule) == WEARS_OUT and rule.recap != "cushion"


def _column_order(rule: TrackRow) -> int:
    """The order of columns: the rest of the turn first, then health, then tracks that fill up."""
    if is_action_track(rule):
        return 0
    return 1 if rule.shown == "bar" else WEARS_OUT


def _gap(rule: TrackRow, following: TrackRow, close: bool) -> int:
    """The gap after a track's column: none between boxes of a turn, and 1 before a badge."""
    if not is_action_track(rule):
        return 1 if close and _column_order(rule) == WEARS_OUT else GAP
    together = following.shown == "box" and rule.shown == "box"
    return 0 if together else 1 if following.shown == "badge" else GAP


class RowNeeds(NamedTuple):
    """The cells that one combatant needs: each shown track, drawn or as a number; the word for
    somebody who can't act."""

    drawn: tuple[int, ...]
    in_numbers: tuple[int, ...]
    word: int


@lru_cache(maxsize=MOST_KEPT)
def _needs(ruleset: Ruleset, combatant: Combatant) -> RowNeeds:
    """The columns of a row; none for somebody out of the fight."""
    tables = ruleset.tables
    have = {} if combatant.is_out else combatant.tracks
    tracks = [(tables.tracks[track], have.get(track)) for track in shown_tracks(tables)]
    drawn = tuple(_cells(rule, track, True) for rule, track in tracks)
    in_numbers = tuple(_cells(rule, track, False) for rule, track in tracks)
    word = (
        0
        if combatant.is_out or combatant.life == "up"
        else cell_len(LIFE_WORDS[combatant.life]) + GAP
    )
    return RowNeeds(drawn, in_numbers, word)


@lru_cache(maxsize=8)
def shown_tracks(tables: Tables) -> tuple[str, ...]:
    """The tracks that everybody shows, in the order of the columns."""
    rules = tables.tracks
    shown = (track for track, rule in rules.items() if rule.everybody and rule.when is None)
    return tuple(sorted(shown, key=lambda track: _column_order(rules[track])))


def most_of(needs: Sequence[RowNeeds]) -> RowNeeds:
    """The most that anybody needs, of each."""
    if not needs:
        return RowNeeds((), (), 0)
    drawn, in_numbers, word = zip(*needs, strict=True)
    return RowNeeds(_most_cells(drawn), _most_cells(in_numbers), max(word))


def _most_cells(cells: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The most cells that anybody needs for a track, for each of the tracks."""
    return tuple(map(max, zip(*cells, strict=True)))


def track_cells(tables: Tables, cells: Sequence[int]) -> dict[str, int]:
    """The cells that each track of everybody's takes, in the order of the columns."""
    tracks = zip(shown_tracks(tables), cells, strict=False)
    return {track: each for track, each in tracks if each}


def _cells(rule: TrackRow, track: Track | None, drawn: bool) -> int:
    if track is None or (rule.quiet and not track.value):
        return 0
    if shows_numbers(rule, track, drawn):
        text = as_text(rule, track)
        return max(cell_len(text), cell_len(rule.short)) if text else 0
    label = cell_len(rule.short) if rule.shown == "pips" and not rule.spent else 1
    return max(track.max or 0, track.value, rule.least, label)


def shows_numbers(rule: TrackRow, track: Track, drawn: bool) -> bool:
    """True if a column tells it in numbers: `drawn` where it draws marks as far as it can."""
    if rule.shown in ("bar", "number", "die"):
        return True
    top = max(track.max or 0, track.value, rule.least)
    return top > most_drawn(rule) or track.value < 0 or (rule.shown == "boxes" and not drawn)


def as_text(rule: TrackRow, track: Track) -> str:
    """`18/30`; for a track without a limit, such as temporary HP, `+6` or nothing."""
    if rule.shown == "number" and track.max is None:
        return f"+{track.value}" if track.value else ""
    return format_die_size(track) if rule.shown == "die" else format_track(track)
