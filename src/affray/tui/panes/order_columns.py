"""How the width of the order is shared out: a column for each track that everybody shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from msgspec import Struct
from rich.cells import cell_len

from affray.core.heart import groups
from affray.core.heart.effects import forbidden
from affray.core.heart.state import (
    MOST_KEPT,
    Combatant,
    Encounter,
    Life,
    Slot,
    Track,
)
from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables, TrackRule
from affray.core.telling.event_words import die
from affray.tui.drawing import MOST_PIPS, amount, plain, widest
from affray.tui.panes.lasting import GAP, ROOM_FOR_NAMES, cells_beside

LETTERS = "Act"
"""What is said above the letters of what is left to act with."""
ROLLS = "Roll"
"""What is said above what is taken from every check."""
PENALTY_CELLS = len(ROLLS) + GAP
LEAST_OF_A_NAME, ENOUGH_OF_A_NAME = 10, 24
"""Beyond the one a name gives way to nothing but what can't be told shorter; beyond the other to
marks that are drawn, and to a bar: from across the table these tell more than its end."""
LEAST_OF_A_BAR, MOST_OF_A_BAR = 6, 12
LEAST_FOR_WORDS = 9
"""So many cells a long name leaves to what lasts."""
FOR_WORDS = (ROOM_FOR_NAMES + GAP, 34, 48)
"""Where words stand beside a row, a bar has what more than these cells leave: in few steps, so that
columns seldom move."""
WEARS_OUT = 2
"""The place of those tracks in a row that are neither acted with nor health."""
A_FEW = 20
"""One of so many does not decide how much room there is for words."""
WIDE = 120
"""In a row narrower than this, marks are drawn only where they leave as many to the words."""

LIFE_WORDS: dict[Life, str] = {
    "up": "",
    "dying": "dying",
    "stable": "stable",
    "unconscious": "out cold",
    "defeated": "✗ defeated",
    "dead": "✗ dead",
}
"""Said in the columns of what is left to act with, of those who can't act."""


class OrderRow(Struct, frozen=True, gc=False):
    """One combatant, or a group that has one turn: its slot, whether it is up, numbers and name.

    told_below  whether what lasts stands below it though the others have it beside
    marked      whose track is marked, as that of who is worst hurt: who, and which track
    taken       what marks and effects take from each check of one alone, 0 or less
    barred      what it can't do though it is there: `act`, `react`
    fallen      whether it stands for all who are out of the fight, where rows are short
    """

    members: tuple[Combatant, ...]
    slot: Slot
    is_up: bool
    numbers: tuple[int, ...]
    name: str
    told_below: bool = False
    marked: tuple[tuple[str, str], ...] = ()
    taken: int = 0
    barred: tuple[str, ...] = ()
    fallen: bool = False

    @property
    def called(self) -> str:
        """The name, which stands out of whoever is up."""
        return self.name.upper() if self.is_up else self.name

    def has(self, who: str) -> bool:
        """Whether somebody stands in it."""
        return who in [each.id for each in self.members]

    @property
    def is_out(self) -> bool:
        """Whether nobody of it is left in the fight."""
        return all(each.is_out for each in self.members)


@lru_cache(maxsize=8)  # what is taken back is a state again
def rows_of(state: Encounter) -> tuple[OrderRow, ...]:
    """Those in the fight, in the order in which they act; behind them who is out of it."""
    numbers = {c.id: number for number, c in state.by_number().items()}
    up = {numbers.get(who) for who in state.taking_turn()}
    rows = []
    for row in groups.rows(state):
        own = tuple([numbers[each.id] for each in row.members])
        rows.append(OrderRow(row.members, row.slot, not up.isdisjoint(own), own, plain(row.name)))
    return tuple(sorted(rows, key=lambda row: row.is_out and not row.is_up))


def fallen_row(rows: Sequence[OrderRow]) -> OrderRow:
    """One row for all of these, who are out of the fight."""
    members = tuple(who for row in rows for who in row.members)
    numbers = tuple(number for row in rows for number in row.numbers)
    return OrderRow(members, rows[0].slot, False, numbers, "", fallen=True)


class Column(NamedTuple):
    """Where a track stands in every row.

    at      its first cell
    cells   how many it has
    label   what is said above it
    drawn   whether marks are drawn one by one; else they are a number
    """

    track: str
    rule: TrackRule
    at: int
    cells: int
    label: str
    drawn: bool


class Measured(NamedTuple):
    """What rows want of the width: their names, numbers, and what each of those in them needs.

    While it is the same, so are the columns. From command to command it mostly is.
    """

    names: list[str]
    numbers: list[tuple[int, ...]]
    needs: list[Needs]
    taken: int


def measured(rows: Sequence[OrderRow], ruleset: Ruleset) -> Measured:
    """What rows want of the width."""
    needs = [_needs(ruleset, who) for row in rows for who in row.members]
    names, numbers = [row.name for row in rows], [row.numbers for row in rows]
    return Measured(names, numbers, needs, widest([signed(row.taken) for row in rows if row.taken]))


class Columns:
    """How the width is shared out. Made once for all rows, and equal while nothing moves.

    beside   whether what lasts stands beside a row, and not below it
    name     cells of a name; `longest` those that the longest would have
    bar      cells of a bar; 0 where there is no room for one
    apart    whether the tracks of what wears out have a pane of their own, and so has the penalty
    penalty  the cell of the penalty that is taken from checks; 0 where nobody has one
    end      where the columns end, and what stands beside begins
    brief    whether there is hardly any room for that
    """

    def __init__(
        self, measured: Measured, ruleset: Ruleset, width: int, beside: bool, apart: bool = False
    ) -> None:
        self.beside, self.width, self.apart = beside, width, apart
        rules = ruleset.tables.tracks
        self.health = ruleset.tables.health
        self.tracks = tracks_in_order(ruleset.tables)
        self.number = max(2, len(str(max(map(max, measured.numbers), default=0))))
        self.longest = widest(measured.names)
        most, start = most_of(measured.needs), self.before + GAP
        penalty = PENALTY_CELLS if measured.taken and not apart else 0
        is_wide = width >= WIDE
        words, for_words = 0, 0
        if beside:
            words, usual = most.beside, _usual_words(measured.needs)
            for_words = next((room for room in FOR_WORDS if usual <= room), FOR_WORDS[-1])
        enough = min(self.longest, ENOUGH_OF_A_NAME)
        # Marks are drawn one by one where names have room so; in a narrow row, words as well.
        for drawn in (True, False):
            cells = track_cells(ruleset.tables, most.drawn if drawn else most.in_numbers)
            cells = {t: n for t, n in cells.items() if not (apart and stands_apart(rules[t]))}
            for_name = width - start - _offsets(rules, cells, most.word)[1] - penalty
            if enough + (0 if is_wide else for_words) <= for_name:
                break
        # A long name leaves a few cells to words, or to a bar. What names and words leave is for
        # whole labels above the marks, if a bar has room yet, and for the bar.
        shared = for_name - for_words
        behind = min(words, LEAST_FOR_WORDS)
        if shared - enough > LEAST_OF_A_BAR:
            behind = for_name - shared + LEAST_OF_A_BAR + 1
        self.name = max(min(self.longest, for_name - behind), LEAST_OF_A_NAME)
        start += self.name
        for_bar = shared - self.name
        wider = _for_whole_labels(rules, cells) if drawn else {}
        if for_bar - sum(wider.values()) > LEAST_OF_A_BAR:
            for_bar -= sum(wider.values())
            cells |= {track: cells[track] + by for track, by in wider.items()}
        self.bar = min(for_bar - 1, MOST_OF_A_BAR) if for_bar > LEAST_OF_A_BAR else 0
        with_bar = [track for track in cells if self.bar and rules[track].shown == "bar"]
        cells |= {track: cells[track] + self.bar + 1 for track in with_bar}
        offsets, end = _offsets(rules, cells, most.word)
        self.columns = [
            _column(track, rules[track], start + at, cells[track], drawn)
            for track, at in offsets.items()
        ]
        self.penalty = start + end if penalty else 0
        self.end = start + end + penalty
        self.brief = beside and width - self.end < ROOM_FOR_NAMES

    @property
    def before(self) -> int:
        """The cells before a name: cursor, turn, number, secrecy, side and initiative."""
        return 2 + self.number + 2 + 4

    @property
    def labels(self) -> list[tuple[int, str]]:
        """What the frame says above columns, from which cell on."""
        told = [
            (column.at, column.label)
            for column in self.columns
            if column.rule.shown not in ("box", "badge") and cell_len(column.label) <= column.cells
        ]
        signs = [column for column in self.columns if column.rule.shown in ("box", "badge")]
        boxes = [column for column in signs if column.rule.shown == "box"]
        if boxes and signs[-1].at + signs[-1].cells - boxes[0].at >= len(LETTERS):
            told = [(boxes[0].at, LETTERS), *told]
        return [*told, (self.penalty, ROLLS)] if self.penalty else told

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Columns) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]


def _column(track: str, rule: TrackRule, at: int, cells: int, drawn: bool) -> Column:
    label = rule.label if cell_len(rule.label) <= cells else rule.short
    return Column(track, rule, at, cells, label, drawn)


def _offsets(
    rules: Mapping[str, TrackRule], cells: Mapping[str, int], word: int
) -> tuple[dict[str, int], int]:
    """Where each column begins behind the name, and where what is not in columns does.

    So many cells have to do for the word for those who can't act, and the gap behind it.
    """
    at, offsets, tracks = 0, {}, list(cells)
    for track, following in zip_longest(tracks, tracks[1:]):
        at = at if is_to_act_with(rules[track]) else max(at, word)
        offsets[track] = at
        at += cells[track] + (_gap(rules[track], rules[following]) if following else GAP)
    return offsets, max(at, word)


def _for_whole_labels(rules: Mapping[str, TrackRule], cells: Mapping[str, int]) -> dict[str, int]:
    """By how much columns of marks would have to be wider for their whole names above them."""
    marked = [track for track in cells if rules[track].shown == "boxes"]
    return {track: max(cell_len(rules[track].label) - cells[track], 0) for track in marked}


@lru_cache(maxsize=8)
def tracks_in_order(tables: Tables) -> Mapping[str, TrackRule]:
    """All tracks in the order of the columns."""
    return dict(sorted(tables.tracks.items(), key=lambda row: _behind(row[1])))


def is_to_act_with(rule: TrackRule) -> bool:
    """Whether it is what is left to act with."""
    return rule.spent or rule.shown == "badge"


def is_barred(ruleset: Ruleset, state: Encounter, who: Combatant, rule: TrackRule) -> bool:
    """Whether it is what somebody acts or reacts with, who can't do so now."""
    if not is_to_act_with(rule):
        return False
    but = () if rule.spent else ruleset.allowing(state, who)
    return bool(forbidden(ruleset.tables, state, who, "act" if rule.spent else "react", but))


def stands_apart(rule: TrackRule) -> bool:
    """Whether it is what wears out, which has a pane of its own where there is room for one."""
    return _behind(rule) == WEARS_OUT and rule.recap != "cushion"


def _behind(rule: TrackRule) -> int:
    """What is left to act with stands first, then health, then what wears out."""
    if is_to_act_with(rule):
        return 0
    return 1 if rule.shown == "bar" else WEARS_OUT


def _gap(rule: TrackRule, following: TrackRule) -> int:
    """Boxes of a turn stand together, and a badge right behind them."""
    if not is_to_act_with(rule):
        return GAP
    together = following.shown == "box" and rule.shown == "box"
    return 0 if together else 1 if following.shown == "badge" else GAP


class Needs(NamedTuple):
    """What one needs in a row: the cells of each shown track, its marks drawn or as a number; those
    of the word for who can't act; and those of what lasts, all beside.
    """

    drawn: tuple[int, ...]
    in_numbers: tuple[int, ...]
    word: int
    beside: int


@lru_cache(maxsize=MOST_KEPT)
def _needs(ruleset: Ruleset, who: Combatant) -> Needs:
    """Who is out of the fight has no columns."""
    tables = ruleset.tables
    have = {} if who.is_out else who.tracks
    tracks = [(tables.tracks[track], have.get(track)) for track in shown_tracks(tables)]
    drawn = tuple(_cells(rule, track, True) for rule, track in tracks)
    in_numbers = tuple(_cells(rule, track, False) for rule, track in tracks)
    word = 0 if who.is_out or who.life == "up" else cell_len(LIFE_WORDS[who.life]) + GAP
    return Needs(drawn, in_numbers, word, cells_beside(tables, who))


@lru_cache(maxsize=8)
def shown_tracks(tables: Tables) -> tuple[str, ...]:
    """The tracks that everybody shows, in the order of the columns."""
    rules = tables.tracks
    shown = (track for track, rule in rules.items() if rule.everybody and rule.when is None)
    return tuple(sorted(shown, key=lambda track: _behind(rules[track])))


def most_of(needs: Sequence[Needs]) -> Needs:
    """The most that anybody needs, of each."""
    if not needs:
        return Needs((), (), 0, 0)
    drawn, in_numbers, word, beside = zip(*needs, strict=True)
    return Needs(_most_cells(drawn), _most_cells(in_numbers), max(word), max(beside))


def _usual_words(needs: Sequence[Needs]) -> int:
    """The cells in which all that lasts is told of everybody but the few on whom most lasts.

    For one who bears ten conditions, fifty rows would have no bars.
    """
    beside = sorted(each.beside for each in needs)
    return beside[-1 - len(beside) // A_FEW] if beside else 0


def _most_cells(cells: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The most cells that anybody needs for a track, for each of the tracks."""
    return tuple(map(max, zip(*cells, strict=True)))


def track_cells(tables: Tables, cells: Sequence[int]) -> dict[str, int]:
    """The cells that each track of everybody's takes, in the order of the columns."""
    tracks = zip(shown_tracks(tables), cells, strict=False)
    return {track: each for track, each in tracks if each}


def _cells(rule: TrackRule, track: Track | None, drawn: bool) -> int:
    if track is None:
        return 0
    if in_numbers(rule, track, drawn):
        text = as_text(rule, track)
        return max(cell_len(text), cell_len(rule.short)) if text else 0
    label = cell_len(rule.short) if rule.shown == "pips" and not rule.spent else 1
    return max(track.max or 0, track.value, rule.least, label)


def in_numbers(rule: TrackRule, track: Track, drawn: bool) -> bool:
    """Whether a column tells it in numbers: `drawn` where it draws marks as far as it can."""
    if rule.shown in ("bar", "number", "die"):
        return True
    top = max(track.max or 0, track.value, rule.least)
    return top > MOST_PIPS or track.value < 0 or (rule.shown == "boxes" and not drawn)


def as_text(rule: TrackRule, track: Track) -> str:
    """`18/30`; of what nothing limits, and what is only there now and then, `+6` or nothing."""
    if rule.shown == "number" and track.max is None:
        return f"+{track.value}" if track.value else ""
    return die(track) if rule.shown == "die" else amount(track)
