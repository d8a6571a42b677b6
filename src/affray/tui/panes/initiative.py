"""The order: whose turn it is, what everybody has left, and the cursor."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual import events

from affray.core.state import OUT_OF_THE_FIGHT, Combatant, Effect, Encounter, Life, Side, Slot
from affray.core.tables import Tables
from affray.tui.drawing import Line, amount, bar, cut_name, health_ink, plain, short_track
from affray.tui.fight_view import FightView
from affray.tui.messages import Pointed
from affray.tui.panes.pane import Pane
from affray.tui.short_forms import short_forms
from affray.tui.themes import Inks

SIDE_GLYPHS: dict[Side, str] = {"party": "▲", "foes": "▼", "others": "◈", "world": "≈"}
LIFE_WORDS: dict[Life, str] = {
    "up": "",
    "dying": "dying",
    "stable": "stable",
    "unconscious": "out cold",
    "defeated": "✗ defeated",
    "dead": "✗ dead",
}
WIDE_ENOUGH_FOR_A_BAR = 50
BAR_CELLS = 10
WAITS, UNKNOWN, SPENT = "‖", "?", "·"
ONE, SEVERAL = Style(underline=False), Style(underline=True)


class InitiativePane(Pane):
    """One row for each combatant, numbered as commands number them."""

    NAME: ClassVar[str] = "Initiative"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: list[Row] = []
        self._columns: Columns | None = None
        self._cursor = -1
        self._turn = ""
        self._lit = False

    def slice(self, view: FightView) -> tuple[object, ...]:
        """Everything in the state may show here; the cursor too."""
        return (view.state, view.cursor)

    def light_numbers(self, lit: bool) -> None:
        """Have the numbers stand out, while they answer a prompt."""
        if lit is not self._lit:
            self._lit = lit
            self.look("lit" if lit else "")

    def redo(self) -> None:
        """Find the rows again, and have drawn those that are not what they were."""
        view = self.shown
        if view is None or not self.room:
            return
        old, old_columns, old_cursor = self._rows, self._columns, self._cursor
        self._rows = rows_of(view.state)
        self._cursor = next((i for i, r in enumerate(self._rows) if r.who.id == view.cursor), -1)
        self._columns = Columns(view.state, view.ruleset.tables, self.room.width)
        add = view.key_for("add") or ":add"
        self.entitle(self.NAME, "" if self._rows else f" {add} adds somebody ")
        if len(old) != len(self._rows) or old_columns != self._columns:
            self.refresh()
        else:
            pairs = enumerate(zip(old, self._rows, strict=True))
            changed = [number for number, (was, now) in pairs if was != now]
            if old_cursor != self._cursor:
                changed += [old_cursor, self._cursor]
            self.redraw_lines(*changed)
        self.scroll_top(self.top)  # no farther than there are rows, in a pane that may have grown
        self._follow_turn(view.state.turn)
        if self._cursor >= 0:
            self.keep_seen(self._cursor)

    def _follow_turn(self, turn: str) -> None:
        """A turn beyond the end comes up near the top, so that those who follow are seen, too."""
        now = next((i for i, row in enumerate(self._rows) if row.is_up), -1)
        beyond = not self.top <= now < self.top + self.room.height
        if turn != self._turn and now >= 0 and beyond:
            self.scroll_top(now - 1)
        self._turn = turn

    def line_count(self) -> int:
        """One line for each combatant."""
        return len(self._rows)

    def line(self, number: int, width: int) -> Line:
        """A combatant's line."""
        if self.shown is None or self._columns is None:
            return Line()
        row = self._rows[number]
        here = number == self._cursor
        return draw_row(row, here, self._lit, self._columns, width, self.inks)

    def is_cursor(self, number: int) -> bool:
        """Whether the cursor is on that line."""
        return number == self._cursor

    def on_click(self, event: events.Click) -> None:
        """The row that was clicked answers an open prompt, or gets the cursor."""
        spot = event.get_content_offset(self)
        if spot is not None and 0 <= self.top + spot.y < len(self._rows):
            self.post_message(Pointed(self._rows[self.top + spot.y].who.id))


class Row(tuple[Combatant, Slot, bool, int]):
    """A combatant, its slot, whether it is its turn, and its number."""

    __slots__ = ()

    @property
    def who(self) -> Combatant:
        """The combatant."""
        return self[0]

    @property
    def slot(self) -> Slot:
        """Its place in the order."""
        return self[1]

    @property
    def is_up(self) -> bool:
        """Whether it is its turn."""
        return self[2]

    @property
    def number(self) -> int:
        """What it is called by on the list."""
        return self[3]


def rows_of(state: Encounter) -> list[Row]:
    """Those in the fight, in the order in which they act."""
    slots = {slot.who: slot for slot in state.slots}
    numbered = state.by_number().items()
    return [Row((c, slots[c.id], c.id == state.turn, number)) for number, c in numbered]


class Columns:
    """How the width is shared out, and which tracks are drawn in a row. Set once for all rows."""

    def __init__(self, state: Encounter, tables: Tables, width: int) -> None:
        self.tables = tables
        self.forms = short_forms(tables, (e.name for c in state.combatants for e in c.effects))
        rules = tables.tracks
        have = {track for c in state.combatants for track in c.tracks}
        self.health = next((t for t, r in rules.items() if r.shown == "bar" and t in have), "")
        self.boxes = [t for t, r in rules.items() if r.shown == "box" and t in have]
        pips = [t for t, r in rules.items() if r.shown == "pips" and t in have]
        self.pips = [] if self.boxes else pips[:1]  # boxes say what is left of a turn
        self.badges = [t for t, r in rules.items() if r.shown == "badge" and t in have][:1]
        self.number = max(2, len(str(max(state.by_number(), default=0))))
        self.bar = BAR_CELLS if width >= WIDE_ENOUGH_FOR_A_BAR and self.health else 0
        self.amount = self._most(state, [self.health])
        self.row_of_pips = self._most(state, self.pips, glyphs=True)

    @staticmethod
    def _most(state: Encounter, tracks: list[str], glyphs: bool = False) -> int:
        found = [c.tracks[t] for t in tracks for c in state.combatants if t in c.tracks]
        if glyphs:
            return max((max(t.max or 0, t.value) for t in found), default=0)
        return max((len(amount(t)) for t in found), default=0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Columns) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]


def draw_row(row: Row, cursor: bool, lit: bool, columns: Columns, width: int, inks: Inks) -> Line:
    """`›▶ 2 ▲ 17 Brannoc we       ●●○ ◆ 18/30`, or with the letters of boxes for the pips"""
    who, slot, _, number = row
    out = who.life in OUT_OF_THE_FIGHT
    line = Line().add("›" if cursor else " ", inks.strong)
    line.add("▶" if row.is_up else WAITS if slot.held else " ", inks.accent)
    line.add(f"{number:>{columns.number}}", inks.accent if lit else inks.dim)
    line.add(UNKNOWN if who.hidden else " ", inks.warn)
    line.add(SIDE_GLYPHS[who.side], inks.dim if out else inks.side(who.side))
    initiative = "–" if slot.initiative is None else str(slot.initiative)
    line.add(f"{initiative:>3} ", inks.dim)
    right = _standing(who, columns, inks)
    _name(line, row, width - line.width - right.width - 1, columns, inks)
    return line.right(right, width)


def _name(line: Line, row: Row, room: int, columns: Columns, inks: Inks) -> None:
    who = row.who
    ink = inks.dim if who.life in OUT_OF_THE_FIGHT else inks.side(who.side)
    if row.is_up:
        ink = inks.accent
    name = cut_name(plain(who.name), room)
    line.add(name, ink)
    room -= cell_len(name)
    each: dict[str, Effect] = {}
    if who.life not in OUT_OF_THE_FIGHT:
        for effect in who.effects:  # one tag, however often it is there
            each.setdefault(effect.name, effect)
    for harmful in (True, False):
        for effect in each.values():
            form = columns.forms[effect.name]
            if columns.tables.kind(effect.kind).harmful is harmful and room > cell_len(form):
                line.add(" ").add(form, inks.warn if harmful else inks.good)
                room -= cell_len(form) + 1


def _standing(who: Combatant, columns: Columns, inks: Inks) -> Line:
    """What is left of it, at the right of its row."""
    line = Line()
    if who.life in OUT_OF_THE_FIGHT:
        return line.add(LIFE_WORDS[who.life], inks.dim)
    if who.life != "up":
        line.add(LIFE_WORDS[who.life], inks.bad if who.life == "dying" else inks.warn)
    else:
        line.join(_letters(who, columns, inks)).column(len(columns.boxes))
        for track in columns.pips:
            line.join(_track(who, track, columns, inks)).column(columns.row_of_pips)
        for track in columns.badges:
            line.add(" ").join(_track(who, track, columns, inks))
    health = who.tracks.get(columns.health)
    if columns.bar:
        line.add("  ").join(bar(health, columns.bar, inks) if health else Line())
    if columns.amount:
        text = amount(health) if health else ""
        ink = health_ink(health, inks) if health else inks.dim
        line.add(f" {text:>{columns.amount}}", ink)
    return line


def _letters(who: Combatant, columns: Columns, inks: Inks) -> Line:
    """`SMw`, a cell for each box: its letter, underlined for more than one; a dot when spent."""
    line = Line()
    for track in columns.boxes if any(t in who.tracks for t in columns.boxes) else ():
        rule, left = columns.tables.tracks[track], who.track(track)
        ink = inks.accent + (SEVERAL if left > 1 else ONE) if left > 0 else inks.dim
        line.add((rule.short or rule.label)[:1] if left > 0 else SPENT, ink)
    return line


def _track(who: Combatant, track: str, columns: Columns, inks: Inks) -> Line:
    found = who.tracks.get(track)
    return Line() if found is None else short_track(columns.tables.tracks[track], found, inks)
