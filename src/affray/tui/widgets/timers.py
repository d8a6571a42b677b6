"""Conditions, timers and clocks by when they end, the soonest first, with the GM's tracks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain, islice, repeat
from operator import attrgetter
from typing import ClassVar, Literal, NamedTuple

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style
from textual import events

from affray.core.engine import durations
from affray.core.engine.durations import expected_rolls
from affray.core.engine.effects import independent_effects
from affray.core.engine.state import (
    MOST_KEPT,
    Clock,
    Combatant,
    Duration,
    Effect,
    Encounter,
    Track,
)
from affray.core.engine.turns import upcoming_turns
from affray.core.formatting.effects import (
    common_end_text,
    effect_by_note,
    effect_note,
    effect_with_amounts,
    ends_this_turn,
)
from affray.core.formatting.pieces import format_clock
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.late_pattern import late_pattern
from affray.core.rules.ruleset import PendingDecision, Ruleset
from affray.core.rules.tables import Tables, TrackRow
from affray.tui import drawing
from affray.tui.drawing import StyledLine
from affray.tui.fight_view import FightView, KeyBindingClicked
from affray.tui.theme import Styles
from affray.tui.widgets.base import WrappedListPane
from affray.tui.widgets.turn_order_columns import called_in_a_row, note_in_a_row
from affray.tui.widgets.turn_summary import (
    FRAMED,
    LARGE,
    LEFT_TO_OTHERS,
    TurnNews,
    briefest,
    edge_lines,
    head_lines,
    news_of,
)

# -------------------------------------------------------------------------------------------------
# Timers, clocks and the GM's tracks in words

GAP = INDENT = 2
LEAST_OF_A_NAME = 8
COUNT = late_pattern(r"\bx(\d+)\b")
"""How many a row of a wave brings."""
MOST_SEEN = 512
"""So many timers are kept in words, in one form or another: more than can be seen at once."""

Notes = Literal["whole", "which", "mark"]
"""How much is told of what is noted: all of it, which one it is, or only that there is more."""


NOW, NEXT, LATER = "this turn", "next turn", "later"
OPEN = "until …"
"""Until something happens, not at a time."""


class Timer(Struct, frozen=True, eq=False):
    """The effects that end on one combatant at one time; kept as long as the bearer is unchanged.

    others  more on whom the same lasts, from the same source and as long
    """

    bearer: Combatant
    effects: tuple[Effect, ...]
    others: tuple[Combatant, ...] = ()


class TimerStyle(NamedTuple):
    """The settings, beside the timer itself, on which its words depend.

    name    the cells of the column of names
    margin  the cells of the column of times, where these are no headings; 0 if there is nothing
            from which a time would have to be told apart
    """

    tables: Tables
    inks: Styles
    name: int
    margin: int


class TimerLayout(NamedTuple):
    """The layout of a timer.

    headed  True if the times are headings, else they stand in the first column
    whole   True if its end is shown even if that takes a row more than the heading, which has it as
            well
    names   True if its bearer's name is whole, and not cut to fit one row
    apart   True if a name without room has a row of its own
    """

    headed: bool
    whole: bool = False
    names: bool = False
    apart: bool = False


@lru_cache(maxsize=MOST_SEEN)  # it is asked for again and again, to see how much has room
def timer_lines(
    look: TimerStyle,
    timer: Timer,
    when: str,
    end: str,
    is_first: bool,
    width: int,
    form: TimerLayout,
) -> list[StyledLine]:
    """`Tithe Taker 1  slowed  until round 4 ends`, on as many rows as that takes.

    The end is told whole, on a row of its own if it must, or not at all where the heading tells it.
    """
    heading_text = when if form.headed or look.margin else ""
    line = StyledLine().add(heading_text, _ink(when, look.inks))
    heading = [line] if form.headed and is_first else []
    margin = line if is_first and not form.headed else StyledLine()
    margin.column(INDENT if form.headed else look.margin)
    rows = _timer_rows(look, timer, when, end, width - margin.width, form)
    margins = [margin, *(StyledLine().column(margin.width) for _ in rows[1:])]
    return heading + [before.join(row) for before, row in zip(margins, rows, strict=True)]


def _timer_rows(
    look: TimerStyle, timer: Timer, when: str, end: str, room: int, form: TimerLayout
) -> list[StyledLine]:
    """The bearer, what is on it, and its end, each in its ink."""
    what = _effects_line(look.tables, look.inks, timer)
    if timer.others:
        return _of_several(look, timer, what, end, room, form)
    name = strip_control_chars(timer.bearer.name)
    left = room - what.width - 1 - (cell_len(end) + 1 if end else 0)
    if cell_len(name) > left and end and when != OPEN and not form.whole:
        left, end = left + cell_len(end) + 1, ""
    least = min(cell_len(name), LEAST_OF_A_NAME)
    if not form.names and left < least and any(effect_note(effect) for effect in timer.effects):
        room_for_what = left + what.width - least
        brief = _effects_line(look.tables, look.inks, timer, "which")
        if brief.width > room_for_what:
            brief = _effects_line(look.tables, look.inks, timer, "mark")
        left, what = left + what.width - brief.width, brief
    if not form.names and left < cell_len(name):
        apart = form.apart or left < LEAST_OF_A_NAME
        name = drawing.truncate_name(name, room - INDENT if apart else left)
    head, last = (
        StyledLine().add(name, look.inks.side(timer.bearer.side)),
        StyledLine().add(end, look.inks.dim),
    )
    if look.name < left:
        head.column(look.name)
    return _side_by_side([head, what, last], room)


def _of_several(
    look: TimerStyle, timer: Timer, what: StyledLine, end: str, room: int, form: TimerLayout
) -> list[StyledLine]:
    """`Hymn +1 attack: Pim, Runa, Ione, Cato  until the song ends`"""
    people = (timer.bearer, *timer.others)
    names = ", ".join(combatant.name for combatant in people)

    def set_out(what: StyledLine) -> list[StyledLine]:
        head = StyledLine().add(f"{what.text}: ", what.segments[0].style or look.inks.plain)
        head.add(names, look.inks.side(people[0].side))
        return _side_by_side([head, StyledLine().add(end, look.inks.dim)], room)

    whole = set_out(what)
    if form.names or len(whole) == 1:
        return whole
    brief = set_out(_effects_line(look.tables, look.inks, timer, "which"))
    return min(whole, brief, key=len)


def _side_by_side(pieces: Iterable[StyledLine], room: int) -> list[StyledLine]:
    """Pieces with a gap between them, or a blank where that saves a row.

    What comes after the first row is indented; what has no room in a row is broken between words.
    """
    broken = list(drawing.items_that_fit(pieces, room - INDENT))
    roomy = drawing.flow_items(broken, room, GAP, INDENT)
    close = drawing.flow_items(broken, room, 1, INDENT) if len(roomy) > 1 else roomy
    return close if len(close) < len(roomy) else roomy


def _ink(when: str, inks: Styles) -> Style:
    if when == OPEN:
        return inks.dim
    return inks.accent if when == NOW else inks.strong if when == NEXT else inks.plain


@lru_cache(maxsize=MOST_SEEN)
def _effects_line(tables: Tables, inks: Styles, timer: Timer, notes: Notes = "whole") -> StyledLine:
    """`dazed ×2, prone`: what is there more than once is named once."""
    names = [_name(effect, notes) for effect in timer.effects]
    inked = {
        name: inks.effect(tables.look(effect.name, effect.kind))
        for name, effect in zip(names, timer.effects, strict=True)
    }
    line, counted = StyledLine(), Counter(names)
    for number, (name, times) in enumerate(counted.items(), 1):
        words = f"{name} ×{times}" if times > 1 else name
        comma = "," if number < len(counted) else ""  # it stays with its word where that is wrapped
        line.add(" " if line.width else "").add(words + comma, inked[name])
    return line


def _name(effect: Effect, notes: Notes) -> str:
    """The name of an effect, with its note, or its number among equals; and a mark for more
    text."""
    name, note = (
        strip_control_chars(effect_with_amounts(effect)),
        strip_control_chars(effect_note(effect)),
    )
    if note and notes != "whole":
        brief = strip_control_chars(called_in_a_row(effect)) if notes == "which" else name
        is_whole = notes == "which" and note_in_a_row(effect) == effect_note(effect)
        return brief if is_whole else f"{brief} (…)"
    if note.startswith(name):  # `prepared in a rest` says that it is prepared
        return note
    return f"{name} ({note})" if note else name


def clock_lines(inks: Styles, clock: Clock, width: int, form: TimerLayout) -> list[StyledLine]:
    """`◷ The bridge falls  ■■■□□  3 rounds left`, the dice left in a pool and how many rolls they
    last on average, or how a race is. Where there is no room what is drawn gives way.
    """
    if clock.limit and clock.max and clock.max > drawing.MOST_PIPS and not clock.verdict:
        return _long_race(inks, clock, width)
    left = format_clock(clock)
    if clock.drops and clock.value:
        rolls = expected_rolls(clock)
        left += f", a die drops on {clock.drops}+, about {rolls} roll{'s' if rolls != 1 else ''}"
    spent = clock.has_run_out
    name = StyledLine().add(f"◷ {clock.name}", inks.bad if spent else inks.plain)
    end = StyledLine().add(left.upper() if spent else left, inks.bad if spent else inks.strong)
    lines = [name, *_drawn(clock, inks), end]
    has_room = sum(piece.width + GAP for piece in lines) - GAP <= width
    return _side_by_side(lines if has_room else [name, end], width)


def _long_race(inks: Styles, clock: Clock, width: int) -> list[StyledLine]:
    """`◷ Past the dragon  ▇▇▇░░░░░░░ 12/40  ▇▇░░░░░░░░ 8/40 failed`; in shorter bars where that
    saves a row."""
    done, failed = Track(clock.value, clock.max), Track(clock.failures, clock.limit)
    name = StyledLine().add(f"◷ {clock.name}", inks.plain)

    def progress_line(cells: int) -> list[StyledLine]:
        toward = drawing.progress_text(done, inks.accent, inks, cells).add(
            f" {drawing.format_track(done)}", inks.strong
        )
        against = drawing.progress_text(failed, inks.bad, inks, cells).add(
            f" {drawing.format_track(failed)} failed", inks.strong
        )
        return _side_by_side([name, toward, against], width)

    return min(progress_line(drawing.MOST_PIPS), progress_line(drawing.MOST_PIPS // 2), key=len)


def _drawn(clock: Clock, inks: Styles) -> Iterator[StyledLine]:
    """The progress of a clock, in squares or as a bar; in a race that can be lost, of both
    sides."""
    if clock.max is not None and not clock.sides:
        yield drawing.progress_text(Track(clock.value, clock.max), inks.accent, inks)
    if clock.limit:
        yield drawing.progress_text(Track(clock.failures, clock.limit), inks.bad, inks)


def wave_lines(
    inks: Styles, wave: int, rows: tuple[str, ...], key: str, width: int, form: TimerLayout
) -> list[StyledLine]:
    """`wave 2: 3 wait (ctrl+n)`"""
    many = sum(int(found[1]) if (found := COUNT.search(row)) else 1 for row in rows)
    lines = [StyledLine().add(f"wave {wave}: {many} wait", inks.plain)]
    return _side_by_side(
        [*lines, StyledLine().add(f"({key})", inks.accent)] if key else lines, width
    )


def gm_lines(
    inks: Styles,
    rules: dict[str, TrackRow],
    tracks: dict[str, Track],
    width: int,
    form: TimerLayout,
) -> list[StyledLine]:
    """The GM's own tracks, then the party's; those that nothing has changed yet as they began."""
    owned: dict[str, list[StyledLine]] = {}
    for track, value in tracks.items():
        rule = rules.get(track)
        label = rule.label if rule else strip_control_chars(track).replace("_", " ").capitalize()
        drawn = (
            drawing.short_track_text(rule, value, inks)
            if rule
            else StyledLine().add(drawing.format_track(value))
        )
        whose = (rule or TrackRow(label)).whose
        line = StyledLine() if whose in owned else StyledLine().add(whose, inks.dim).add(" " * GAP)
        line.add(f"{label} ", inks.plain)
        line.join(drawn)
        owned.setdefault(whose, []).append(line)
    return _side_by_side([line for lines in owned.values() for line in lines], width)


def nothing_lines(inks: Styles, width: int, form: TimerLayout) -> list[StyledLine]:
    return [
        StyledLine().add(text, inks.dim) for text in drawing.wrap("Nobody has any effects.", width)
    ]


WIDEST_NAME = 18
ROWS_FOR_AN_END = 6
"""From so many rows on it is told when the soonest ends, even at the cost of a row of the last."""
USUAL_NEWS = 2
"""The rows that most turns' edges take, besides those of their frame."""

Place = tuple[int, int, int]
"""When something ends: the round, the place in the order, the edge."""

_OF_A_BEARER = attrgetter("id", "name", "side", "kind", "life", "effects")


End = tuple[str, list[Timer]]
"""One end, and what it ends on whom."""

Item = Callable[[int, TimerLayout], list[StyledLine]]
"""What makes the lines of a timer, a clock or the GM's tracks, for a width and in a form."""


class TimersPane(WrappedListPane):
    """An item for each bearer and end, clocks after those of this turn and the next; then the GM's
    tracks, then what no time ends."""

    NAME: ClassVar[str] = "Condition timers"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._items: LazyList | None = None
        self._forms: list[TimerLayout] = []
        self._waiting: list[PendingDecision] = []
        self._proposed: tuple[PendingDecision, ...] = ()
        self._news = TurnNews([], [], [])

    def follow(self, view: FightView) -> None:
        """Find what waits and what has happened at the start and end of a turn: it goes above the
        timers."""
        live = view.view_at is None
        self._waiting = view.pending if live else []
        self._proposed = view.proposed if live else ()
        self._news = news_of(view) if live else TurnNews([], [], [])
        super().follow(view)

    def slice(self, view: FightView) -> tuple[object, ...]:
        """The values whose change requires a redraw: effects, turns and clocks, but no wounds."""
        state = view.state
        turn = (state.round, state.turn, state.acting, state.slots)
        bearers = tuple(map(_OF_A_BEARER, state.combatants))
        messages = (self._waiting, self._proposed, self._news)
        others = (state.clocks, state.waves, state.tracks, *messages)
        return (*turn, bearers, *others)

    def redo(self) -> None:
        """Sort the effects, and lay out the visible ones."""
        self._items = None
        width, _ = self.room
        if self.shown is None or not self.room:  # not seen: it is done when it is
            return
        most = LEFT_TO_OTHERS if self.room.height >= LARGE else 1
        left = min(self._rows_up_to(most), most)
        asked = briefest(self._waiting, self._proposed, self._news, width, self.inks)
        if most == 1 and len(asked) > self.room.height - left:
            left = 0  # the frame says how much ends
        size = (width, self.room.height - left)
        self.head = head_lines(self.shown, self._waiting, self._news, size, self.inks)
        self._forms = forms_of(self.items, width, self._whole_height)
        if len(self._forms) < len(self.items):  # the last row says how many have no room
            self._forms = forms_of(self.items, width, self._whole_height - 1)
        self.forget()
        self.stay()

    def stay(self) -> None:
        """Show as much as is seen now; without a row for it the frame says how much ends."""
        order = (
            self.items.order
            if self.height
            else drawing.count_of_hidden(self.items.people_from(0), "later")
        )
        waits = "Waiting · " if self._waiting or self._proposed else ""
        self.entitle(f"{waits}{self.NAME}", order and f" {order} ")
        super().stay()

    def prefetch(self, view: FightView) -> None:
        """Sort what will last, and put as much of it into words as can be seen."""
        if self.room:
            forms_of(self._sorted(view), self.room.width, self._whole_height)

    @property
    def _whole_height(self) -> int:
        """The rows for items with nothing in front of them: their forms don't change by a prompt,
        so none has to be made again when it comes or goes."""
        return max(self.room.height - len(self.head), 0)

    def _sorted(self, view: FightView) -> LazyList:
        """The timers to show."""
        return timer_items(view.state, view.ruleset, self.inks, view.key_for("wave"))

    def rows_wanted(self, most: int, edge: int | None = None) -> int:
        """The rows, up to `most`, that show all effects whole with the start or end of a turn
        above.

        What waits counts, and some of what has happened: that goes with the next command, which
        should move nothing. 0 for a hidden pane.

        `edge`: the rows for the start or end of a turn besides those of effects.
        """
        width = self.room.width
        if not width:
            return 0
        rows = self._rows_up_to(most)
        first = edge_lines(self._waiting, self._proposed, TurnNews([], [], []), width, self.inks)
        count = max(len(first), USUAL_NEWS)
        if edge is not None:
            return min(rows + max(edge, FRAMED + count), most)
        return min(max(rows, FRAMED + count + min(LEFT_TO_OTHERS, rows)), most)

    def _rows_up_to(self, most: int) -> int:
        """The rows that show effects whole, as far as there are so many."""
        rows = 0
        for make in self.items:
            if rows >= most:
                return most
            rows += len(make(self.room.width, TimerLayout(True, True, True)))
        return rows

    @property
    def items(self) -> LazyList:
        """The timers and clocks to list, made when first asked for."""
        if self._items is None:
            view = self.shown
            self._items = self._sorted(view) if view is not None else LazyList(0, iter(()), "")
        return self._items

    def line_count(self) -> int:
        """The number of items in the list."""
        return len(self.items)

    def item(self, index: int, width: int) -> list[StyledLine]:
        """One timer, with the heading if it is the first below it."""
        headed = bool(self._forms) and self._forms[0].headed
        form = self._forms[index] if index < len(self._forms) else TimerLayout(headed)
        return self.items[index](width, form)

    def unseen(self, index: int) -> StyledLine | None:
        """The row that counts the items without room: `…3 later`."""
        return StyledLine().add(
            drawing.count_of_hidden(self.items.people_from(index), "later"), self.inks.warn
        )

    def on_click(self, event: events.Click) -> None:
        """A click on what waits answers it."""
        spot = event.get_content_offset(self)
        if (self._waiting or self._proposed) and spot is not None and spot.y < len(self.head):
            self.post_message(KeyBindingClicked("answer"))


def forms_of(items: LazyList, width: int, height: int) -> list[TimerLayout]:
    """The form of each item that has room in so many rows, the first ones first.

    The times are headings, unless more have room without. Rows that stay free then are given to
    names and ends that have given way, those of the soonest first.
    """
    tight = {
        headed: _rows_of(items, width, height, _tightest(headed, height))
        for headed in (True, False)
    }
    headed = bool(tight[True]) and len(tight[True]) >= len(tight[False])
    rows = tight[headed]
    free = height - sum(rows)
    forms = []
    for make, least, form in zip(items, rows, _tightest(headed, height), strict=False):
        for roomier in (
            TimerLayout(headed, True, True),
            form._replace(names=True),
            form._replace(apart=True),
            form,
        ):
            more = len(make(width, roomier)) - least
            if more <= free:
                break
        free -= more
        forms.append(roomier)
    return forms


def _tightest(headed: bool, height: int) -> Iterator[TimerLayout]:
    """The form of each item with the fewest rows; what ends first shows its end in any case if
    there are rows enough."""
    return chain(
        [TimerLayout(headed, whole=height >= ROWS_FOR_AN_END)], repeat(TimerLayout(headed))
    )


def _rows_of(items: LazyList, width: int, height: int, forms: Iterable[TimerLayout]) -> list[int]:
    """The rows of each item in its form, for as many as have room."""
    rows: list[int] = []
    for make, form in zip(items, forms, strict=False):
        rows.append(len(make(width, form)))
        height -= rows[-1]
        if height < 0:
            return rows[:-1]
    return rows


class LazyList:
    """A list of known length that makes each item at its first use: most are never seen.

    order  how they are sorted, in words
    """

    def __init__(
        self, count: int, items: Iterator[Item], order: str, several: Mapping[int, int] = {}
    ) -> None:
        """Args: several: how many bear what several have at once, by its place."""
        self._count, self._rest, self.order, self._several = count, items, order, several
        self._had: list[Item] = []

    def __len__(self) -> int:
        return self._count

    def people_from(self, index: int) -> int:
        """Count the items from an index on; one that several share counts for each bearer."""
        more = sum(people - 1 for at, people in self._several.items() if at >= index)
        return self._count - index + more

    def __getitem__(self, index: int) -> Item:
        self._had += islice(self._rest, max(index + 1 - len(self._had), 0))
        return self._had[index]

    def __iter__(self) -> Iterator[Item]:
        return (self[index] for index in range(self._count))


@lru_cache(maxsize=8)  # what is likely to come, or taken back and brought back, is a state again
def timer_items(state: Encounter, ruleset: Ruleset, inks: Styles, wave_key: str) -> LazyList:
    """The timers and clocks of a fight in their order; each is put into words only when it is
    drawn."""
    tables = ruleset.tables
    ends = ends_of(state, tables)
    names = [
        strip_control_chars(combatant.name) for combatant in state.combatants if combatant.effects
    ]
    tracks = dict.fromkeys(ruleset.gm_tracks, Track(0)) | state.tracks
    clocks: list[Item] = [partial(clock_lines, inks, clock) for clock in state.clocks]
    others: list[Item] = [
        partial(wave_lines, inks, n, rows, wave_key) for n, rows in state.waves.items()
    ]
    if tracks:
        others.append(partial(gm_lines, inks, tables.tracks, tracks))
    whens = {when for when, _ in ends}
    margin = drawing.max_width([*whens]) + 1 if clocks or others or whens != {OPEN} else 0
    look = TimerStyle(tables, inks, min(WIDEST_NAME, drawing.max_width(names)), margin)
    count = sum(len(timers) for _, timers in ends) + len(clocks) + len(others)
    if not count:
        others, count = [partial(nothing_lines, inks)], 1
    timed = [(when, timers) for when, timers in ends if when != OPEN]
    soon = [end for end in timed if end[0] in (NOW, NEXT)]
    later, rest = timed[len(soon) :], ends[len(timed) :]
    sheet_lines = chain(
        _timers(state, look, soon),
        clocks,
        _timers(state, look, later),
        others,
        _timers(state, look, rest),
    )
    order = "soonest first" if timed else ""
    several, at = dict[int, int](), 0
    for part, after in ((soon, clocks), (later, others), (rest, [])):
        for timer in (timer for _, timers in part for timer in timers):
            if timer.others:
                several[at] = len(timer.others) + 1
            at += 1
        at += len(after)
    return LazyList(count, sheet_lines, order, several)


def _timers(state: Encounter, look: TimerStyle, ends: Iterable[End]) -> Iterator[Item]:
    """An item for each bearer and end; the first of a stretch of time has its heading."""
    before = ""
    for when, timers in ends:
        for timer in timers:
            text = (
                ""
                if when == NOW
                else common_end_text(look.tables, state, timer.bearer, timer.effects)
            )
            yield partial(timer_lines, look, timer, when, text, when != before)
            before = when


# -- when they end ---------------------------------------------------------------------------------


def ends_of(state: Encounter, tables: Tables) -> list[End]:
    """Group lasting effects by their end: the soonest end first, then by the turn order.

    What is on those who are out of the fight matters to nobody.
    """
    ends: defaultdict[Duration, list[Timer]] = defaultdict(list)
    for bearer in state.in_order():
        if not bearer.is_out:
            for until, timer in _timers_of(tables, bearer):
                ends[until].append(timer)
    place = durations.end_positions(state)
    when = _telling_when(state, place)
    placed = sorted([(place(until), n, until) for n, until in enumerate(ends)])
    return [(when(until, at), _by_source(ends[until])) for at, _, until in placed]


def _by_source(timers: list[Timer]) -> list[Timer]:
    """One timer for an effect on several from one source, such as a song."""
    alike: dict[tuple[object, ...], list[Timer]] = {}
    for timer in timers:
        same: tuple[object, ...] = (timer.bearer.id,)
        if all(effect.source for effect in timer.effects):
            same = tuple((effect_with_amounts(e), e.note, e.source) for e in timer.effects)
        alike.setdefault(same, []).append(timer)
    return [row[0] if len(row) == 1 else _joined(row[0], tuple(row[1:])) for row in alike.values()]


@lru_cache(maxsize=MOST_KEPT)
def _joined(first: Timer, others: tuple[Timer, ...]) -> Timer:
    """The timer of several bearers of the same, kept so that its words are made once."""
    return Timer(first.bearer, first.effects, tuple(timer.bearer for timer in others))


@lru_cache(maxsize=MOST_KEPT)
def _timers_of(tables: Tables, bearer: Combatant) -> list[tuple[Duration, Timer]]:
    """The effects on one combatant, by their ends."""
    ends: dict[Duration, list[Effect]] = {}
    for effect in independent_effects(bearer):
        if tables.kind(effect.kind).timed:
            ends.setdefault(effect.until, []).append(effect_by_note(tables, effect))
    return [(until, Timer(bearer, tuple(effects))) for until, effects in ends.items()]


def _telling_when(
    state: Encounter, place: Callable[[Duration], Place]
) -> Callable[[Duration, Place], str]:
    """Under which heading a duration of this state stands that has that place in time."""
    following = next(iter(upcoming_turns(state, 2)), "")
    slot = state.slot(following)
    until_then = durations.this_turn(state, following)
    if state.takes_turn(following):  # begun, it waits for whoever has come in before it
        until_then = durations.turn_edge(state, following, "end")
    next_turn = place(until_then) if state.turn and slot is not None else (0, 0, 0)

    def when(until: Duration, at: Place) -> str:
        if at == durations.NEVER:
            return OPEN
        if state.round and at[0] > state.round + 1:
            return LATER
        if ends_this_turn(state, until):
            return NOW
        if at <= next_turn:
            return NEXT
        if not state.round:
            return LATER
        return "this round" if at[0] == state.round else f"round {at[0]}"

    return when
