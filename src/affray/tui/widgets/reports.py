"""The recap and the players' view as lines that scroll."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.geometry import Size

from affray.core.engine.state import Track
from affray.core.formatting.players_view import STEPS, PlayersCombatant, PlayersTrack, PlayersView
from affray.core.formatting.recap_output import BarChart, LineChart, Section, Table, sparkline
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import join_or
from affray.core.rules.tables import EffectKindRow, TrackRow
from affray.tui import drawing
from affray.tui.drawing import StyledLine
from affray.tui.theme import Styles
from affray.tui.widgets.base import Pane
from affray.tui.widgets.turn_order_columns import LIFE_WORDS

SCROLLS = {"j": 1, "down": 1, "k": -1, "up": -1, "space": 20, "pagedown": 20, "pageup": -20}
SCROLLS |= {"home": -(10**6), "end": 10**6}
"""By how many lines a key scrolls."""
LONGEST_BAR = 40
GAP = 2


class RecapPane(Pane):
    """All sections, one below another."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._sections: list[Section] = []
        self._lines: list[StyledLine] = []

    def tell(self, sections: list[Section], title: str) -> None:
        """Show these sections from their beginning."""
        self._sections, self.top = sections, 0
        self.entitle(title)
        self.repaint()

    def repaint(self) -> None:
        """Make the lines, for the width that there is."""
        self.room = self.size
        if self.room.width:
            self._lines = list(recap_lines(self._sections, self.room.width, self.inks))
            self.scroll_top(min(self.top, max(0, len(self._lines) - self.room.height)))
        self.refresh()

    def scrolls(self, pressed: str) -> bool:
        """Scroll, if the key does that; returns True if it does."""
        if pressed in SCROLLS:
            self.scroll_lines(SCROLLS[pressed])
        return pressed in SCROLLS

    def line_count(self) -> int:
        """All lines."""
        return len(self._lines)

    def line(self, number: int, width: int) -> StyledLine:
        """Return the text to draw at an index."""
        return self._lines[number]


def recap_lines(sections: Iterable[Section], width: int, inks: Styles) -> Iterator[StyledLine]:
    """The sections in so many cells, with a blank line between them."""
    for number, section in enumerate(sections):
        if number:
            yield StyledLine()
        ink = inks.strong if section.level == 1 else inks.accent
        yield from (StyledLine().add(text, ink) for text in drawing.wrap(section.heading, width))
        mark = StyledLine().add("" if section.level == 1 else "· ", inks.dim)
        for text in section.lines:
            room = max(width - mark.width, 1)
            yield from drawing.hanging_indent(
                mark, (StyledLine().add(part, inks.plain) for part in drawing.wrap(text, room))
            )
        if section.table is not None:
            yield from _table(section.table, width, inks)
        if section.curves is not None:
            yield from _curves(section.curves, width, inks)
        for bars in section.bars:
            yield StyledLine()
            yield from _bars(bars, width, inks)


def _table(table: Table, width: int, inks: Styles) -> Iterator[StyledLine]:
    """Columns side by side; where these have no room, a name and what belongs to it."""
    cells = [table.headers, *table.rows]
    columns = [drawing.max_width([row[n] for row in cells]) for n in range(len(table.headers))]
    if sum(columns) + GAP * (len(columns) - 1) > width:
        yield from _by_name(table, width, inks)
        return
    yield StyledLine()
    for number, row in enumerate(cells):
        ink = inks.plain if number else inks.dim
        line = StyledLine().add(row[0], ink)
        end = columns[0]
        for cell, wide in zip(row[1:], columns[1:], strict=True):
            end += GAP + wide
            line.right(StyledLine().add(cell, ink), end)
        yield line


def _by_name(table: Table, width: int, inks: Styles) -> Iterator[StyledLine]:
    for row in table.rows:
        yield StyledLine()
        yield StyledLine().add(drawing.truncate(row[0], width), inks.strong)
        lines = zip(table.headers[1:], row[1:], strict=True)
        items = (
            StyledLine().add(f"{header.casefold()} ", inks.dim).add(cell, inks.plain)
            for header, cell in lines
            if cell != "–"
        )
        yield from drawing.flow_items(items, width)


def _curves(curves: LineChart, width: int, inks: Styles) -> Iterator[StyledLine]:
    """A row of blocks for each side, the newest rounds if there are more than have room."""
    yield StyledLine().add(drawing.truncate(curves.title, width), inks.dim)
    name = drawing.max_width([name for name, _ in curves.rows])
    for (title, values), ink in zip(curves.rows, (inks.party, inks.foes), strict=False):
        text = f"  {values[-1]}%"
        room = max(width - name - GAP - len(text), 1)
        line = StyledLine().add(title, inks.plain).column(name + GAP)
        yield line.add(sparkline(values[-room:]), ink).add(text, inks.plain)


def _bars(bars: BarChart, width: int, inks: Styles) -> Iterator[StyledLine]:
    """A bar for each name, with its number."""
    yield StyledLine().add(drawing.truncate(bars.title, width), inks.dim)
    name = min(
        drawing.max_width([strip_control_chars(bar.name) for bar in bars.rows]), max(width // 3, 8)
    )
    value = drawing.max_width([bar.label for bar in bars.rows])
    room = max(min(width - name - value - 2 * GAP, LONGEST_BAR), 1)
    most = max(bar.amount for bar in bars.rows)
    for bar in bars.rows:
        line = StyledLine().add(drawing.truncate(bar.name, name), inks.plain).column(name + GAP)
        line.add("▇" * max(1, room * bar.amount // most), inks.side(bar.side))
        yield line.column(name + 2 * GAP + room).add(bar.label, inks.plain)


# -------------------------------------------------------------------------------------------------
# The players' view, large enough to be read across a table

MARGIN, BAR = 3, 16
PHASES = {"setup": "not begun", "ended": "over"}


def players_lines(shown: PlayersView, size: Size, inks: Styles) -> list[StyledLine]:
    """The players' view as lines that fit the screen; a long order is cut around whoever's turn it
    is."""
    width = max(size.width - 2 * MARGIN, 10)
    head = [StyledLine(), *_head(shown, width, inks), StyledLine()]
    foot = [*_foot(shown, width, inks)]
    room = max(size.height - len(head) - len(foot), 1)
    blocks = [_person(who, width, inks) for who in shown.people]
    loose = sum(map(len, blocks)) + len(blocks) <= room
    order = [line for block in blocks for line in (*block, *([StyledLine()] if loose else []))]
    up = next((place for place, who in enumerate(shown.people) if who.is_up), 0)
    before = sum(len(block) + loose for block in blocks[:up])
    start = max(min(before - room // 3, len(order) - room), 0)
    rows = [*head, *order[start : start + room]]
    rows += [StyledLine()] * (size.height - len(rows) - len(foot))
    return [StyledLine().column(MARGIN).join(line) for line in (*rows, *foot)]


def how_far(shown: PlayersView) -> str:
    """`Round 2`, or that the fight has not begun, or is over."""
    return PHASES.get(shown.phase, f"Round {shown.round}")


def _head(shown: PlayersView, width: int, inks: Styles) -> Iterator[StyledLine]:
    yield StyledLine().add(drawing.truncate(shown.title, width), inks.strong)
    line = StyledLine().add(how_far(shown), inks.plain)
    if shown.up:
        line.add("   ").add(f" ▶ {join_or(shown.up, 'and').upper()} ", inks.turn)
    if shown.next:
        line.add("   next ", inks.dim).add(shown.next, inks.plain)
    yield from drawing.items_that_fit([line], width)


def _foot(shown: PlayersView, width: int, inks: Styles) -> Iterator[StyledLine]:
    clocks = [
        StyledLine().add(f"◷ {c.name} ", inks.plain).add(c.stands, inks.dim) for c in shown.clocks
    ]
    yield from drawing.flow_items(clocks, width)
    for text in shown.lines:
        yield StyledLine().add(drawing.truncate(text, width), inks.dim)


def _person(who: PlayersCombatant, width: int, inks: Styles) -> list[StyledLine]:
    text = _health(who, inks)
    name = drawing.truncate_name(who.name, max(width - text.width - 5, 8))
    ink = inks.turn if who.is_up else inks.dim if who.is_out else inks.side(who.side)
    line = StyledLine().add("▶ " if who.is_up else "  ", inks.accent)
    lines = [line.add(f" {name} ", ink).right(text, width)]
    inner = width - 5
    lines += [StyledLine().column(5).join(each) for each in _tracks(who, inner, inks)]
    for each in drawing.flow_items(_lasting(who, inks), inner):
        lines.append(StyledLine().column(5).join(each))
    return lines


def _health(who: PlayersCombatant, inks: Styles) -> StyledLine:
    """The words for how hurt they look, or their life."""
    if who.life != "up":
        return StyledLine().add(LIFE_WORDS[who.life], inks.dim if who.is_out else inks.bad)
    if who.bar is not None:
        return drawing.track_bar(Track(who.bar, STEPS), BAR, inks)
    return StyledLine().add(who.health, inks.dim if who.health == "unhurt" else inks.warn)


def _tracks(who: PlayersCombatant, width: int, inks: Styles) -> list[StyledLine]:
    return (
        [] if who.is_out else drawing.flow_items([_track(each, inks) for each in who.tracks], width)
    )


def _track(counted: PlayersTrack, inks: Styles) -> StyledLine:
    rule, track = TrackRow(counted.label, counted.shown), Track(counted.value, counted.max)
    line = (
        StyledLine()
        .add(f"{counted.label} ", inks.dim)
        .join(drawing.short_track_text(rule, track, inks))
    )
    return (
        line.add(" ").join(drawing.track_bar(track, BAR, inks)) if counted.shown == "bar" else line
    )


def _lasting(who: PlayersCombatant, inks: Styles) -> Iterator[StyledLine]:
    for each in who.lasting:
        line = StyledLine().add(each.name, inks.effect(EffectKindRow(harmful=each.harmful)))
        yield line.add(f" {each.ends}" if each.ends else "", inks.dim)
