"""The turn's edge: what waits, what went down, and what a turn's end or start set off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from textual import events

from affray.core.events import AnyEvent, Became, Counted, Rolled, TurnEnded, TurnStarted
from affray.core.groups import whose_turn
from affray.core.history import Entry
from affray.core.narrate import each_told
from affray.core.ruleset import Pending
from affray.tui.drawing import Line, flow, plain, wrapped_pieces
from affray.tui.fight_view import FightView
from affray.tui.messages import Chosen
from affray.tui.panes.pane import LinesPane
from affray.tui.themes import Inks


class News(NamedTuple):
    """What an entry came to: what nobody may miss, the dice of a turn's edge, and the rest."""

    grave: list[str]
    rolled: list[str]
    rest: list[str]


class EdgePanel(LinesPane):
    """It is there only while it has something to say: what happened goes with the next entry."""

    NAME: ClassVar[str] = "The turn's edge"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._waiting: list[Pending] = []
        self._news = News([], [], [])

    def follow(self, view: FightView) -> None:
        """Find what waits and what has happened."""
        live = view.view_at is None
        self._waiting = view.ruleset.pending(view.ruleset.tables, view.state) if live else []
        self._news = news_of(view) if live else News([], [], [])
        self.entitle(f"{plain(whose_turn(view.state))}'s turn" if view.state.turn else "")
        super().follow(view)

    def slice(self, view: FightView) -> tuple[object, ...]:
        """What it tells."""
        return (self._waiting, self._news)

    def make_lines(self, view: FightView, width: int) -> list[Line]:
        """What waits comes before what has happened; of that, what nobody may miss."""
        lines, height = edge_lines(self._waiting, self._news, width, self.inks), self.room.height
        if len(lines) > height:
            more = Line().add(f"+{len(lines) - height + 1} more in the log", self.inks.warn)
            lines = [*lines[: height - 1], more]
        return lines

    def rows_wanted(self, width: int) -> int:
        """The rows that everything takes in so many cells; 0 when it has nothing to say."""
        return len(edge_lines(self._waiting, self._news, width, self.inks))

    def on_click(self, event: events.Click) -> None:
        """A click answers what waits."""
        if self._waiting:
            self.post_message(Chosen("answer"))


def news_of(view: FightView) -> News:
    """What the last entry came to: at a turn's edge everything, else what nobody may miss."""
    entry, news = view.history.entries.get(view.head), News([], [], [])
    if entry is None:
        return news
    before, edge = view.history.before(entry.seq), is_edge(entry)
    for event, text in each_told(entry.events, before, view.ruleset.tables.tracks):
        if is_grave(event):
            news.grave.append(plain(text))
        elif edge:
            (news.rolled if isinstance(event, Rolled) else news.rest).append(plain(text))
    return news


def is_edge(entry: Entry) -> bool:
    """Whether a turn ended or began with the entry."""
    return any(isinstance(event, TurnStarted | TurnEnded) for event in entry.events)


def is_grave(event: AnyEvent) -> bool:
    """Whether somebody goes down or dies by it, or a clock runs out."""
    if isinstance(event, Became):
        return event.life not in ("up", "stable")
    if isinstance(event, Counted) and event.clock is not None:
        return event.clock.is_lost if event.clock.limit else not event.clock.value
    return False


def edge_lines(waiting: list[Pending], news: News, width: int, inks: Inks) -> list[Line]:
    """Everything, wrapped; a save that was rolled comes before what it came to."""
    lines = [line for n in range(len(waiting)) for line in _waiting_lines(waiting, n, width, inks)]
    for texts, mark, ink in (
        (news.grave, Line().add("✗ ", inks.bad), inks.bad),
        (news.rolled, Line().add("· ", inks.dim), inks.strong),
        (news.rest, Line().add("· ", inks.dim), inks.plain),
    ):
        for text in texts:
            lines += _hung(mark, wrapped_pieces([(text, ink)], width - mark.width))
    return lines


def _waiting_lines(waiting: list[Pending], number: int, width: int, inks: Inks) -> Iterator[Line]:
    """What waits, with its answers; those that the next has as well are told there."""
    row = waiting[number]
    after = waiting[number + 1 : number + 2]
    choices = []
    if not any(_labels(each) == _labels(row) for each in after):
        choices = [
            Line().add(choice.key, inks.accent).add(f" {plain(choice.label)}", inks.dim)
            for choice in row.choices
        ]
    what = wrapped_pieces([(plain(row.what), inks.strong)], width - 2)
    yield from _hung(Line().add("↵ ", inks.accent), flow([*what, *choices], width - 2, 2))


def _labels(row: Pending) -> list[tuple[str, str]]:
    return [(choice.key, choice.label) for choice in row.choices]


def _hung(mark: Line, lines: list[Line]) -> Iterator[Line]:
    """The lines behind a mark, and those after the first under the first."""
    for number, line in enumerate(lines):
        yield (Line().column(mark.width) if number else Line().join(mark)).join(line)
