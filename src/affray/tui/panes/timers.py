"""Everybody's conditions and timers by when they end, soonest first; clocks; the GM's tracks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain, islice, repeat
from operator import attrgetter
from typing import ClassVar

from textual import events

from affray.core.heart import timing
from affray.core.heart.effects import by_themselves
from affray.core.heart.state import (
    MOST_KEPT,
    Combatant,
    Duration,
    Effect,
    Encounter,
    Track,
)
from affray.core.heart.turns import coming_up
from affray.core.rules.ruleset import Pending
from affray.core.rules.tables import Tables
from affray.core.telling.effect_words import with_amounts
from affray.tui.drawing import Line, plain, widest
from affray.tui.ends import end_of, ends_this_turn
from affray.tui.fight_view import FightView
from affray.tui.messages import Chosen
from affray.tui.panes.edge import (
    FRAMED,
    LEFT_TO_OTHERS,
    News,
    head_lines,
    news_of,
    waiting_lines,
)
from affray.tui.panes.items import ItemsPane
from affray.tui.panes.timer_lines import (
    LATER,
    NEXT,
    NOW,
    OPEN,
    Form,
    Timer,
    TimerLook,
    When,
    clock_lines,
    gm_lines,
    nothing_lines,
    timer_lines,
    wave_lines,
)
from affray.tui.themes import Inks

WIDEST_NAME = 18
ROWS_FOR_AN_END = 6
"""From so many rows on it is told when the soonest ends, even at the cost of a row of the last."""
USUAL_NEWS = 2
"""The rows that most turns' edges take, besides those of their frame."""

Place = tuple[int, int, int]
"""When something ends: the round, the place in the order, the edge."""

_OF_A_BEARER = attrgetter("id", "name", "side", "kind", "life", "effects")


End = tuple[When, list[Timer]]
"""One end, and what it ends on whom."""

Item = Callable[[int, Form], list[Line]]
"""What makes the lines of a timer, a clock or the GM's tracks, for a width and in a form."""


class TimersPane(ItemsPane):
    """An item for each bearer and end, then clocks and the GM's tracks, then what no time ends."""

    NAME: ClassVar[str] = "Condition timers"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._items: Items | None = None
        self._ahead: tuple[tuple[object, ...], Items] | None = None
        self._forms: list[Form] = []
        self._waiting: list[Pending] = []
        self._news = News([], [], [])

    def follow(self, view: FightView) -> None:
        """Find what waits and what has happened at the turn's edge: it stands above the timers."""
        live = view.view_at is None
        self._waiting = view.pending if live else []
        self._news = news_of(view) if live else News([], [], [])
        super().follow(view)

    def slice(self, view: FightView) -> tuple[object, ...]:
        """What lasts, turns and clocks; a wound changes nothing here."""
        state = view.state
        turn = (state.round, state.turn, state.acting, state.slots)
        bearers = tuple(map(_OF_A_BEARER, state.combatants))
        others = (state.clocks, state.waves, state.tracks, self._waiting, self._news)
        return (*turn, bearers, *others)

    def redo(self) -> None:
        """Sort what lasts, and set out what can be seen of it."""
        self._items = None
        width, _ = self.room
        if self.shown is None or not self.room:  # not seen: it is done when it is
            return
        left = self._rows_up_to(LEFT_TO_OTHERS)
        size = (width, self.room.height - min(left, LEFT_TO_OTHERS))
        self.head = head_lines(self.shown, self._waiting, self._news, size, self.inks)
        height = self.height
        self._forms = forms_of(self.items, width, height)
        if len(self._forms) < len(self.items):  # the last row says how many have no room
            self._forms = forms_of(self.items, width, height - 1)
        order = self.items.order
        self.entitle(self.NAME, order and f" {order} ")
        self.forget()
        self.show(self.top, self._above)

    def foresee(self, view: FightView) -> None:
        """Sort what will last, and put as much of it into words as can be seen."""
        if self.room:
            forms_of(self._sorted(view), self.room.width, self.height)

    def _sorted(self, view: FightView) -> Items:
        """What there is to tell, which may have been sorted before it was to be seen."""
        of = (view.state, view.ruleset, self.inks)
        if self._ahead is None or self._ahead[0] != of:
            self._ahead = (of, items_of(view, self.inks))
        return self._ahead[1]

    def rows_wanted(self, most: int, edge: int | None = None) -> int:
        """The rows, up to so many, that show what lasts whole and tell a turn's edge above it.

        What waits is counted, and of what has happened some: it goes with the next command, for
        which nothing should move. 0 where the pane is not seen.

        `edge`: so many rows that a turn's edge may take are wanted besides those of what lasts.
        """
        width = self.room.width
        if not width:
            return 0
        rows = self._rows_up_to(most)
        told = max(len(waiting_lines(self._waiting, width, self.inks)), USUAL_NEWS)
        if edge is not None:
            return min(rows + max(edge, FRAMED + told), most)
        return min(max(rows, FRAMED + told + min(LEFT_TO_OTHERS, rows)), most)

    def is_short_in(self, rows: int) -> bool:
        """Whether something that lasts would have no room in so many rows."""
        if not self.room:
            return False
        return len(forms_of(self.items, self.room.width, rows - len(self.head))) < len(self.items)

    def _rows_up_to(self, most: int) -> int:
        """The rows that show what lasts whole, as far as there are so many."""
        rows = 0
        for make in self.items:
            if rows >= most:
                return most
            rows += len(make(self.room.width, Form(True, True, True)))
        return rows

    @property
    def items(self) -> Items:
        """What there is to tell."""
        if self._items is None:
            view = self.shown
            self._items = self._sorted(view) if view is not None else Items(0, iter(()), "")
        return self._items

    def line_count(self) -> int:
        """How many items there are."""
        return len(self.items)

    def item(self, index: int, width: int) -> list[Line]:
        """One timer, with the heading if it is the first below it."""
        headed = bool(self._forms) and self._forms[0].headed
        form = self._forms[index] if index < len(self._forms) else Form(headed)
        return self.items[index](width, form)

    def unseen(self, index: int) -> Line | None:
        """How many have no room."""
        return Line().add(f"+{self.items.people_from(index)} later", self.inks.warn)

    def on_click(self, event: events.Click) -> None:
        """A click on what waits answers it."""
        spot = event.get_content_offset(self)
        if self._waiting and spot is not None and spot.y < len(self.head):
            self.post_message(Chosen("answer"))


def forms_of(items: Items, width: int, height: int) -> list[Form]:
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
            Form(headed, True, True),
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


def _tightest(headed: bool, height: int) -> Iterator[Form]:
    """The form of each item that takes the fewest rows; with the end of what ends first, all the
    same, where there are some rows."""
    return chain([Form(headed, whole=height >= ROWS_FOR_AN_END)], repeat(Form(headed)))


def _rows_of(items: Items, width: int, height: int, forms: Iterable[Form]) -> list[int]:
    """The rows of each item in its form, for as many as have room."""
    rows: list[int] = []
    for make, form in zip(items, forms, strict=False):
        rows.append(len(make(width, form)))
        height -= rows[-1]
        if height < 0:
            return rows[:-1]
    return rows


class Items:
    """So many items, each of which is there only once it is asked for: most are never seen.

    order    how they are sorted, in words
    several  how many bear what several have at once, by its place
    """

    def __init__(
        self, count: int, items: Iterator[Item], order: str, several: Mapping[int, int] = {}
    ) -> None:
        self._count, self._rest, self.order, self._several = count, items, order, several
        self._had: list[Item] = []

    def __len__(self) -> int:
        return self._count

    def people_from(self, index: int) -> int:
        """How many there are from that one on, each bearer of a shared one counted."""
        more = sum(people - 1 for at, people in self._several.items() if at >= index)
        return self._count - index + more

    def __getitem__(self, index: int) -> Item:
        self._had += islice(self._rest, max(index + 1 - len(self._had), 0))
        return self._had[index]

    def __iter__(self) -> Iterator[Item]:
        return (self[index] for index in range(self._count))


def items_of(view: FightView, inks: Inks) -> Items:
    """What there is to tell, in its order; each is put into words only when it is drawn."""
    state, tables = view.state, view.ruleset.tables
    ends = ends_of(state, tables)
    names = [plain(who.name) for who in state.combatants if who.effects]
    headings = {when for when, _ in ends}
    shorts = widest([when.short for when in headings])
    look = TimerLook(tables, inks, min(WIDEST_NAME, widest(names)), shorts + bool(shorts))
    tracks = dict.fromkeys(view.ruleset.gm_tracks, Track(0)) | state.tracks
    others: list[Item] = [partial(clock_lines, inks, clock) for clock in state.clocks]
    key = view.key_for("wave")
    others += [partial(wave_lines, inks, n, rows, key) for n, rows in state.waves.items()]
    if tracks:
        others.append(partial(gm_lines, inks, tables.tracks, tracks))
    count = sum(len(timers) for _, timers in ends) + len(others)
    if not count:
        others, count = [partial(nothing_lines, inks)], 1
    timed = [(when, timers) for when, timers in ends if when is not OPEN]
    rest = ends[len(timed) :]
    told = chain(_timers(state, look, timed), others, _timers(state, look, rest))
    order = "soonest first" if timed else "no effect ends by itself" if ends else ""
    several = {}
    for n, timer in enumerate(timer for _, timers in ends for timer in timers):
        if timer.others:
            at = n if n < sum(len(timers) for _, timers in timed) else n + len(others)
            several[at] = len(timer.others) + 1
    return Items(count, told, order, several)


def _timers(state: Encounter, look: TimerLook, ends: Iterable[End]) -> Iterator[Item]:
    """An item for each bearer and end; the first of a stretch of time has its heading."""
    before: When | None = None
    for when, timers in ends:
        for timer in timers:
            told = "" if when is NOW else end_of(look.tables, state, timer.bearer, timer.effects)
            yield partial(timer_lines, look, timer, when, told, when is not before)
            before = when


# -- when they end ---------------------------------------------------------------------------------


def ends_of(state: Encounter, tables: Tables) -> list[End]:
    """What lasts, by when it ends, the soonest first, then by the order.

    What is on those who are out of the fight matters to nobody.
    """
    untimed = frozenset(kind for kind, rule in tables.kinds.items() if not rule.timed)
    ends: defaultdict[Duration, list[Timer]] = defaultdict(list)
    for bearer in state.in_order():
        if not bearer.is_out:
            for until, timer in _timers_of(bearer, untimed):
                ends[until].append(timer)
    place = timing.placing(state)
    when = _telling_when(state, place)
    placed = sorted([(place(until), n, until) for n, until in enumerate(ends)])
    return [(when(until, at), _by_source(ends[until])) for at, _, until in placed]


def _by_source(timers: list[Timer]) -> list[Timer]:
    """One timer for what lasts on several from one source, as a song does."""
    alike: dict[tuple[object, ...], list[Timer]] = {}
    for timer in timers:
        same = tuple((with_amounts(e), e.note, e.source) for e in timer.effects)
        sourced = all(e.source for e in timer.effects)
        alike.setdefault(same if sourced else (timer.bearer.id,), []).append(timer)
    return [row[0] if len(row) == 1 else _joined(row[0], tuple(row[1:])) for row in alike.values()]


@lru_cache(maxsize=MOST_KEPT)
def _joined(first: Timer, others: tuple[Timer, ...]) -> Timer:
    """It is the same one for as long as they are, so that its words are kept."""
    return Timer(first.bearer, first.effects, tuple(timer.bearer for timer in others))


@lru_cache(maxsize=MOST_KEPT)
def _timers_of(bearer: Combatant, untimed: frozenset[str]) -> list[tuple[Duration, Timer]]:
    """What lasts on one, by when it ends."""
    ends: dict[Duration, list[Effect]] = {}
    for effect in by_themselves(bearer):
        if effect.kind not in untimed:
            ends.setdefault(effect.until, []).append(effect)
    return [(until, Timer(bearer, tuple(effects))) for until, effects in ends.items()]


def _telling_when(
    state: Encounter, place: Callable[[Duration], Place]
) -> Callable[[Duration, Place], When]:
    """Under which heading a duration of this state stands that has that place in time."""
    following = next(iter(coming_up(state, 2)), "")
    slot = state.slot(following)
    until_then = _end_of_its_turn(state, following)
    next_turn = place(until_then) if state.turn and slot is not None else (0, 0, 0)

    rounds: dict[int, When] = {}

    def when(until: Duration, at: Place) -> When:
        if at == timing.NEVER:
            return OPEN
        if state.round and at[0] > state.round + 1:
            return LATER
        if ends_this_turn(state, until):
            return NOW
        if at <= next_turn:
            return NEXT
        if not state.round:
            return LATER
        which = "this round" if at[0] == state.round else f"in round {at[0]}"
        return rounds.setdefault(at[0], When(f"ends {which}", f"R{at[0]}"))

    return when


def _end_of_its_turn(state: Encounter, who: str) -> Duration:
    """The end of the turn that comes next: of one that has begun, and waits for whoever has come
    in before it, that is the same turn."""
    if state.takes_turn(who):
        return timing.at_turn(state, who, "end")
    return timing.this_turn(state, who)
