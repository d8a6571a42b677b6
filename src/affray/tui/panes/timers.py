"""Everybody's conditions and timers by when they end, soonest first; clocks; the GM's tracks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.style import Style

from affray.core import timing
from affray.core.narrate import clock_in_words, with_amounts
from affray.core.state import OUT_OF_THE_FIGHT, Clock, Combatant, Duration, Effect, Encounter, Track
from affray.core.tables import Tables, TrackRule
from affray.tui.drawing import (
    Line,
    amount,
    cut_name,
    flow,
    marks,
    plain,
    short_track,
    widest,
    wrapped,
    wrapped_pieces,
)
from affray.tui.ends import end_of, ends_this_turn
from affray.tui.fight_view import FightView, coming_up
from affray.tui.panes.items import ItemsPane
from affray.tui.themes import Inks

GAP = 2
WIDEST_NAME = 18
LEAST_OF_A_NAME = 8
MOST_WANTED = 40
"""So many rows are asked for at most: to count more would put more into words than can be seen."""


class When(NamedTuple):
    """A stretch of time by which timers stand together: its heading, and in the fewest letters."""

    heading: str
    short: str


NOW, NEXT, LATER = When("this turn", "now"), When("next turn", "next"), When("later", "later")
OPEN = When("until …", "")
"""Until something happens, not at a time."""


class Timer(NamedTuple):
    """What ends on somebody at one time."""

    when: When
    bearer: Combatant
    effects: tuple[Effect, ...]


class Form(NamedTuple):
    """How a timer is set out.

    headed  whether the times are headings, else they stand in the first column
    whole   whether its end is told even where that takes a row more than the heading, which tells
            it as well
    names   whether its bearer's name is whole, else it gives way so that one row is enough
    """

    headed: bool
    whole: bool = False
    names: bool = False


Item = Callable[[int, Form], list[Line]]
"""What makes the lines of a timer, a clock or the GM's tracks, for a width and in a form."""


class TimersPane(ItemsPane):
    """An item for each bearer and end, then clocks and the GM's tracks, then what no time ends."""

    NAME: ClassVar[str] = "Condition timers"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._items: list[Item] = []
        self._forms: list[Form] = []

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Effects, turns and clocks are all of the state."""
        return (view.state,)

    def redo(self) -> None:
        """Sort what lasts, and set out what can be seen of it."""
        if self.shown is None:
            return
        self._items = items_of(self.shown, self.inks)
        width, height = self.room
        if not (width and height):
            return
        self._forms = forms_of(self._items, width, height)
        if len(self._forms) < len(self._items):
            self._forms = forms_of(self._items, width, height - 1)
        self.forget()
        self.show(self.top, self._above)

    def line_count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def item(self, index: int, width: int) -> list[Line]:
        """One timer, with the heading if it is the first below it."""
        known = index < len(self._forms)
        return self._items[index](width, self._forms[index] if known else Form(self._is_headed))

    @property
    def _is_headed(self) -> bool:
        return not self._forms or self._forms[0].headed

    def unseen(self, index: int) -> Line | None:
        """How many have no room."""
        return Line().add(f"+{len(self._items) - index} later", self.inks.warn)

    def rows_wanted(self, width: int) -> int:
        """The rows that everything takes in so many cells, up to `MOST_WANTED`."""
        spacious = Form(headed=True, whole=True, names=True)
        wanted = 0
        for make in self._items:
            wanted += len(make(width, spacious))
            if wanted >= MOST_WANTED:
                return MOST_WANTED
        return wanted


def forms_of(items: list[Item], width: int, height: int) -> list[Form]:
    """The form of each item that has room in so many rows, the first ones first.

    The times are headings, unless more have room without. Rows that stay free then are given to
    names and ends that have given way, those of the soonest first.
    """
    tight = {headed: _rows_of(items, width, height, Form(headed)) for headed in (True, False)}
    headed = len(tight[True]) >= len(tight[False])
    rows = tight[headed]
    free = height - sum(rows)
    forms = []
    for make, least in zip(items, rows, strict=False):
        for form in (Form(headed, True, True), Form(headed, False, True), Form(headed)):
            more = len(make(width, form)) - least
            if more <= free:
                break
        free -= more
        forms.append(form)
    return forms


def _rows_of(items: list[Item], width: int, height: int, form: Form) -> list[int]:
    """The rows of each item in that form, for as many as have room."""
    rows: list[int] = []
    for make in items:
        rows.append(len(make(width, form)))
        height -= rows[-1]
        if height < 0:
            return rows[:-1]
    return rows


def items_of(view: FightView, inks: Inks) -> list[Item]:
    """What there is to tell, in its order; each is put into words only when it is drawn."""
    state, tables = view.state, view.ruleset.tables
    timers = timers_of(state, tables)
    column = min(WIDEST_NAME, widest([plain(who.name) for who in {t.bearer for t in timers}]))
    tell = partial(_timer_lines, state, tables, inks, column)
    found: list[Item] = []
    before: When | None = None
    for timer in timers:
        found.append(partial(tell, timer, timer.when != before))
        before = timer.when
    timed = sum(timer.when is not OPEN for timer in timers)
    tracks = {**view.ruleset.gm_tracks, **state.tracks}
    rest = [partial(_clock_lines, inks, clock) for clock in state.clocks]
    if tracks:
        rest.append(partial(_gm_lines, inks, tables.tracks, tracks))
    found[timed:timed] = rest
    return found or [partial(_nothing_lines, inks)]


# -- when they end ---------------------------------------------------------------------------------


def timers_of(state: Encounter, tables: Tables) -> list[Timer]:
    """Bearers and what ends on them at one time, the soonest first, then by the order.

    What is on those who are out of the fight matters to nobody.
    """
    ends: dict[Duration, dict[str, list[Effect]]] = {}
    timed = {kind for kind, rule in tables.kinds.items() if not rule.timed}
    bearers = {}
    for bearer in state.in_order():
        if bearer.life in OUT_OF_THE_FIGHT:
            continue
        bearers[bearer.id] = bearer
        for effect in bearer.effects:
            if effect.kind not in timed:
                ends.setdefault(effect.until, {}).setdefault(bearer.id, []).append(effect)
    place = timing.placing(state)
    when = _telling_when(state, place)
    return [
        Timer(when(until), bearers[who], tuple(effects))
        for until in sorted(ends, key=place)
        for who, effects in ends[until].items()
    ]


def _telling_when(
    state: Encounter, place: Callable[[Duration], tuple[int, int, int]]
) -> Callable[[Duration], When]:
    """Under which heading a duration of this state stands."""
    following = next(iter(coming_up(state, 1)), "")
    slot = state.slot(following)
    until_then = Duration("turn", following, "end", timing.next_turn_number(slot))
    next_turn = place(until_then) if state.turn and slot is not None else (0, 0, 0)

    def when(until: Duration) -> When:
        at = place(until)
        if at == timing.NEVER:
            return OPEN
        if ends_this_turn(state, until):
            return NOW
        if at <= next_turn:
            return NEXT
        if not state.round or at[0] > state.round + 1:
            return LATER
        return When(f"round {at[0]}", f"R{at[0]}")

    return when


# -- in words --------------------------------------------------------------------------------------


def _timer_lines(
    state: Encounter,
    tables: Tables,
    inks: Inks,
    column: int,
    timer: Timer,
    is_first: bool,
    width: int,
    form: Form,
) -> list[Line]:
    """`Tithe Taker 1  slowed  until round 4 ends`, on as many rows as that takes.

    The end is told whole, on a row of its own if it must, or not at all where the heading tells it.
    """
    when, bearer, effects = timer
    heading = [Line().add(when.heading, _ink(when, inks))] if form.headed and is_first else []
    margin = Line() if form.headed or not is_first else Line().add(when.short, _ink(when, inks))
    margin.column(2 if form.headed else len(LATER.short) + 1)
    room = width - margin.width
    what = _effects_line(tables, effects, inks)
    end = Line().add("" if when is NOW else end_of(tables, state, bearer, effects), inks.dim)
    name = plain(bearer.name)
    least = cell_len(name) + GAP + what.width
    if end.width and least + GAP + end.width > room and when is not OPEN and not form.whole:
        end = Line()
    told = [what, end] if end.width else [what]
    left = room - sum(GAP + piece.width for piece in told)
    if not form.names and LEAST_OF_A_NAME <= left < cell_len(name):
        name = cut_name(name, left)
    head = Line().add(name, inks.side(bearer.side))
    if column <= left:
        head.column(column)
    rows = flow([head, *_each_fitting(told, room - 2)], room, GAP, 2)
    margins = [margin, *(Line().column(margin.width) for _ in rows[1:])]
    return heading + [margin.join(row) for margin, row in zip(margins, rows, strict=True)]


def _ink(when: When, inks: Inks) -> Style:
    return inks.accent if when is NOW else inks.strong if when is NEXT else inks.dim


def _effects_line(tables: Tables, effects: Iterable[Effect], inks: Inks) -> Line:
    """`dazed ×2, prone`: what is there more than once is named once."""
    inked = {_name(e): inks.warn if tables.kind(e.kind).harmful else inks.good for e in effects}
    line, counted = Line(), Counter(map(_name, effects))
    for number, (name, times) in enumerate(counted.items(), 1):
        words = f"{name} ×{times}" if times > 1 else name
        comma = "," if number < len(counted) else ""  # it stays with its word where that is wrapped
        line.add(" " if line.width else "").add(words + comma, inked[name])
    return line


def _name(effect: Effect) -> str:
    """Its name, with what is noted of it; `prepared in a rest` says that it is prepared."""
    name, note = plain(with_amounts(effect)), plain(effect.note)
    if note.startswith(name):
        return note
    return f"{name} ({note})" if note else name


def _each_fitting(pieces: Iterable[Line], width: int) -> Iterator[Line]:
    """The pieces; one that has no room in a row is broken between its words."""
    for piece in pieces:
        if piece.width <= width:
            yield piece
        else:
            yield from wrapped_pieces([(text, ink) for text, ink, _ in piece.segments], width)


def _clock_lines(inks: Inks, clock: Clock, width: int, form: Form) -> list[Line]:
    """`◷ The bridge falls  ■■■□□  3 rounds left`, the dice left in a pool, or how a race is.

    Where there is no room the boxes give way.
    """
    is_spent = clock.is_lost if clock.limit else not clock.value
    left = clock_in_words(clock)
    if clock.drops and clock.value:
        left += f", {clock.drops}+ drops"
    name = Line().add(f"◷ {plain(clock.name)}", inks.plain)
    end = Line().add(left, inks.warn if is_spent else inks.strong)
    told = [name, end]
    if clock.max is not None and not clock.sides:
        boxes = marks(Track(clock.value, clock.max), "■", "□", inks.accent, inks)
        if name.width + boxes.width + end.width + 2 * GAP <= width:
            told.insert(1, boxes)
    return flow(_each_fitting(told, width - 2), width, GAP, 2)


def _gm_lines(
    inks: Inks, rules: dict[str, TrackRule], tracks: dict[str, Track], width: int, form: Form
) -> list[Line]:
    """The GM's own tracks, those that nothing has changed yet as they began."""
    told = [Line().add("GM", inks.dim)]
    for track, value in tracks.items():
        rule = rules.get(track)
        label = rule.label if rule else plain(track).replace("_", " ").capitalize()
        drawn = short_track(rule, value, inks) if rule else Line().add(amount(value))
        line = Line().add(f"{label} ", inks.plain)
        told.append(line.join(drawn if drawn.width else Line().add("0", inks.dim)))
    return flow(_each_fitting(told, width - 2), width, GAP, 2)


def _nothing_lines(inks: Inks, width: int, form: Form) -> list[Line]:
    return [Line().add(text, inks.dim) for text in wrapped("Nothing lasts on anybody.", width)]
