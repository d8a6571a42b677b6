"""The turn's edge: what the end of one turn and the start of the next set off, and what waits."""

from __future__ import annotations

from itertools import zip_longest

from textual import events
from textual.geometry import Region, Size
from textual.strip import Strip

from affray.core.events import TurnEnded, TurnStarted
from affray.core.history import Entry
from affray.core.narrate import consequences
from affray.core.ruleset import Pending
from affray.tui.drawing import Line, cut, flow, plain, wrapped
from affray.tui.fight_view import FightView
from affray.tui.messages import Chosen
from affray.tui.panes.follower import Follower
from affray.tui.themes import Inks

MOST_ROWS = 5
FRAME_TITLE = "The turn's edge"


class EdgePanel(Follower):
    """What a turn's edge set off, and what waits for an answer.

    Where there is room it stands under the order all the time, framed, so that nothing moves when
    a turn begins. In a small window it is laid over the others only while it has something to say,
    and takes `rows_wanted` rows. What happened goes with the next thing that happens.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows_wanted = 1
        self.title = FRAME_TITLE
        self._happened: list[str] = []
        self._waiting: list[Pending] = []
        self._who = ""
        self._has_place = False
        self._lines: list[Line] = []

    def on_mount(self) -> None:
        """Nothing has happened yet."""
        self.display = False

    def follow(self, view: FightView) -> None:
        """Find what waits and what has happened."""
        live = view.view_at is None
        waiting = view.ruleset.pending(view.ruleset.tables, view.state) if live else []
        happened = what_happened(view) if live else []
        title = view.state.name(view.state.turn)
        if (title, waiting, happened) == (self._who, self._waiting, self._happened):
            return
        self._who, self._waiting, self._happened = title, waiting, happened
        self._fit()

    def take_place(self, has_place: bool) -> None:
        """Stand in a place of one's own from now on, or come and go."""
        if has_place != self._has_place:
            self._has_place = has_place
            self.set_class(has_place, "pane")
            self._fit()

    def _fit(self) -> None:
        """Take as many rows as there are lines. Only a change of that is laid out anew."""
        old, self._lines = self._lines, self._drawn()
        if self._has_place:
            self.display = True
            self._redraw_changed(old)  # most turns begin with little news
            return
        rows = min(MOST_ROWS, 1 + len(self._waiting) + len(self._happened))
        there = bool(self._waiting or self._happened)
        before, self.rows_wanted = self.rows_wanted, rows
        if rows != before and there and self.display:
            self.refresh(layout=True)
        if self.display != there:
            self.display = there
        self.refresh()

    def _redraw_changed(self, old: list[Line]) -> None:
        """Have those lines drawn that are not what they were."""
        pairs = enumerate(zip_longest(old, self._lines))
        width, height = self.size
        changed = [y for y, (was, now) in pairs if was != now and y < height]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def _drawn(self) -> list[Line]:
        draw = framed_lines if self._has_place else edge_lines
        return draw(self._who, self._waiting, self._happened, self.size, self.inks)

    def repaint(self) -> None:
        """Draw the lines anew: for another size, or in other inks."""
        self._lines = self._drawn()
        self.refresh()

    def on_resize(self) -> None:
        """Lines are made for a size."""
        self.repaint()

    def render_line(self, y: int) -> Strip:
        """The title, what waits, then what has happened."""
        line = self._lines[y] if y < len(self._lines) else Line()
        return line.strip(self.room.width, self.paper)

    def on_click(self, event: events.Click) -> None:
        """A click answers what waits."""
        if self._waiting:
            self.post_message(Chosen("answer"))


def what_happened(view: FightView) -> list[str]:
    """What the entry at the head set off, where it was a turn's edge; else nothing."""
    entry = view.history.entries.get(view.head)
    if entry is None or not is_edge(entry):
        return []
    before = view.history.before(entry.seq)
    return consequences(entry.events, before, view.ruleset.tables.tracks)


def is_edge(entry: Entry) -> bool:
    """Whether a turn ended or began with the entry."""
    return any(isinstance(event, TurnStarted | TurnEnded) for event in entry.events)


def edge_lines(
    who: str, waiting: list[Pending], happened: list[str], size: Size, inks: Inks
) -> list[Line]:
    """At most so many lines as there are rows; what waits comes before what has happened."""
    width = size.width
    title = Line().add("─ ", inks.faint).add(plain(who), inks.accent).add("'s turn ", inks.dim)
    lines = [title.add("─" * max(width - title.width, 0), inks.faint)]
    lines += [_waiting_line(row, width, inks) for row in waiting]
    for piece in happened:
        lines += [
            Line().add("  · " if not i else "    ", inks.dim).add(text, inks.plain)
            for i, text in enumerate(wrapped(plain(piece), max(width - 5, 1)))
        ]
    if len(lines) > size.height:
        more = len(lines) - size.height + 1
        lines = [*lines[: size.height - 1], Line().add(f"  … and {more} more in the log", inks.dim)]
    return lines


def framed_lines(
    who: str, waiting: list[Pending], happened: list[str], size: Size, inks: Inks
) -> list[Line]:
    """The same for the place under the order, whose frame bears the title."""
    lines: list[Line] = []
    for piece in happened:
        texts = wrapped(plain(piece), max(size.width - 2, 1))
        lines += [
            Line().add("· " if not i else "  ", inks.dim).add(t, inks.plain)
            for i, t in enumerate(texts)
        ]
    asked = _framed_waiting(waiting, size.width, inks)
    if len(asked) + len(lines) > size.height:
        asked = _framed_waiting(waiting, size.width, inks, shared=True)
    lines = asked + lines
    if not lines:
        lines.append(Line().add("Nothing waits.", inks.dim))
    if len(lines) > size.height:
        more = len(lines) - size.height + 1
        where = "in the log" if happened else "below"
        lines = [*lines[: size.height - 1], Line().add(f"… and {more} more {where}", inks.dim)]
    return lines


def _framed_waiting(
    waiting: list[Pending], width: int, inks: Inks, shared: bool = False
) -> list[Line]:
    """What waits, each with its answers; `shared`: answers that the next has too are told there."""
    lines: list[Line] = []
    for number, row in enumerate(waiting, 1):
        texts = wrapped(plain(row.what), max(width - 2, 1))
        lines += [
            Line().add("↵ " if not i else "  ", inks.accent).add(t, inks.strong)
            for i, t in enumerate(texts)
        ]
        alike = [_labels(each) == _labels(row) for each in waiting[number : number + 1]]
        if not (shared and any(alike)):
            choices = flow(_choices(row, inks), width - 2, 2)
            lines += [Line().add("  ").join(line) for line in choices]
    return lines


def _labels(row: Pending) -> list[tuple[str, str]]:
    return [(choice.key, choice.label) for choice in row.choices]


def _choices(row: Pending, inks: Inks) -> list[Line]:
    return [Line().add(c.key, inks.accent).add(f" {plain(c.label)}", inks.dim) for c in row.choices]


def _waiting_line(row: Pending, width: int, inks: Inks) -> Line:
    line = Line().add(" ↵ ", inks.accent).add(cut(plain(row.what), width // 2), inks.strong)
    for choice in _choices(row, inks):
        line.add("  ").join(choice)
    return line
