"""The grid of what one can do, as plain functions: key, name, cost now and next, or why not."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables, Technique
from affray.tui.drawing import Line, cut, plain, widest, wrapped, wrapped_within
from affray.tui.keymap import Keymap
from affray.tui.messages import Chosen
from affray.tui.panes.costs import REACTION, common_track, cost_now
from affray.tui.themes import Inks

GAP = 2
WIDE_ENOUGH_FOR_THE_TEXT = 70
LEAST_OF_A_NAME = 6
WHOLE = 40
DENSITIES = (WHOLE, 24, 20, 16, 14, 12, 10, 8, LEAST_OF_A_NAME)
"""The cells of a name at most: the first by which everything has room is had."""


class Cell(NamedTuple):
    """An option: the key that begins it, its name, what a click does, its text.

    why     why it can't be used; nothing where that is the reason that most share
    costs   what it costs now, in words and in letters, each with what is said of it in brief
    price   what it costs now, for a row in which its text tells the rest
    usual   the cells of its usual price, and of its usual costs in letters: so its place hangs on
            no turn; of the letters no fewer than now, or its name would have to give way
    """

    option: Option
    key: str
    name: str
    chosen: Chosen
    text: str
    why: str
    costs: tuple[str, str]
    price: str
    usual: tuple[int, int]


class Column(NamedTuple):
    """Where a column of the grid begins, and how wide its cells are, with the keys and names in
    them."""

    start: int
    width: int
    key: int
    name: int

    @property
    def room(self) -> int:
        """The cells that are left to what stands behind the key."""
        return self.width - self.key


class Place(NamedTuple):
    """A cell as it is drawn: where it begins in its row, how wide it is, and its line."""

    start: int
    width: int
    line: Line
    chosen: Chosen | None = None


class Grid(NamedTuple):
    """What was drawn for some options.

    shared  the reason why most can't be used
    wanted  the rows that would hold all
    listed  the rows in which most have their texts beside them; 0 where there is no room for these
    hidden  how many that can't be used now have left their places
    """

    places: list[list[Place]]
    lines: list[Line]
    shared: str
    wanted: int
    listed: int
    hidden: int


def grid_for(
    tables: Tables,
    options: list[Option],
    keymap: Keymap,
    size: tuple[int, int],
    inks: Inks,
    is_short: bool = False,
) -> Grid:
    """The grid of these options, for so many cells in width and height.

    `is_short`: the rows of what can't be used are wanted elsewhere.
    """
    shared, width = shared_reason(tables, options), size[0]
    own, rest = cells_of(tables, options, keymap, shared)
    wanted, hidden = _rows_for(own, width) + _rows_for(rest, width), 0
    least = _rows_for(own, width, LEAST_OF_A_NAME) + _rows_for(rest, width, LEAST_OF_A_NAME)
    if is_short or least > size[1]:
        hidden = len(own) + len(rest)  # what can't be used gives way first
        own, rest = ([c for c in cells if c.option.available] for cells in (own, rest))
        hidden -= len(own) + len(rest)
    listed = _rows_with_most_told(own, rest, width)
    places = _places(own, rest, bool(own or keymap.for_own), listed, size, inks)
    return Grid(
        places,
        [_joined(row) for row in places],
        shared,
        wanted,
        listed,
        hidden,
    )


def _places(
    own: list[Cell],
    rest: list[Cell],
    keeps_rows: bool,
    listed: int,
    size: tuple[int, int],
    inks: Inks,
) -> list[list[Place]]:
    """Everything in its place: in a row with its text, as far as most have room so, else a grid.

    `keeps_rows`: what all have keeps its rows, whatever one has of its own above it, unless names
    are cut. `listed`: the rows in which most have their texts.
    """
    width, height = size
    if 0 < listed <= height:
        told, others = _told([*own, *rest], size)
        grid = _grid(others, columns_of(others, width), inks, height - len(told))
        return [*_with_texts(told, (width, height - len(grid)), inks), *grid]
    each = (own, rest)
    fits = (m for m in DENSITIES if sum(_rows_for(cells, width, m) for cells in each) <= height)
    most = next(fits, LEAST_OF_A_NAME)
    if not keeps_rows:
        columns = columns_of(rest, width, most, height)
        return _within(_grid(rest, columns, inks, height), height, inks)
    columns, rows = columns_of(rest, width, most), height - _rows_for(own, width, most)
    if any(cell_len(rest[n].name) > columns[n % len(columns)].name for n in range(len(rest))):
        columns = columns_of(rest, width, most, rows)
    below = _grid(rest, columns, inks, rows)
    room = height - len(below)
    if width >= WIDE_ENOUGH_FOR_THE_TEXT and len(own) <= room:
        above = _with_texts(own, (width, room), inks)
    else:
        above = _grid(own, columns_of(own, width, most, room), inks, room)
    free: list[list[Place]] = [[] for _ in range(room - len(above))]
    return _within([*above, *free, *below], height, inks)


def _told(cells: list[Cell], size: tuple[int, int]) -> tuple[list[Cell], list[Cell]]:
    """As many as have room for a row each with their text, and those that stand in a grid below."""
    width, height = size
    fits = (n for n in range(len(cells), 0, -1) if n + _rows_for(cells[n:], width) <= height)
    many = next(fits, 0)
    return cells[:many], cells[many:]


def _rows_with_most_told(own: list[Cell], rest: list[Cell], width: int) -> int:
    """The rows for more than half of all, one's own among them, with texts; 0 for no room."""
    if width < WIDE_ENOUGH_FOR_THE_TEXT:
        return 0
    cells, most = [*own, *rest], max(len(own), (len(own) + len(rest)) // 2 + 1)
    return most + _rows_for(cells[most:], width)


def _within(rows: list[list[Place]], height: int, inks: Inks) -> list[list[Place]]:
    """As many rows as there are; the last cell of them says how many have no room."""
    kept = rows[:height]
    if len(rows) > height and kept:
        *before, last = kept[-1]
        missing = 1 + sum(len(row) for row in rows[height:])
        said = Line().right(Line().add(f"+{missing}", inks.warn), last.width)
        kept[-1] = [*before, Place(last.start, last.width, said)]
    return kept


def _joined(row: list[Place]) -> Line:
    line = Line()
    for place in row:
        line.column(place.start).join(place.line)
    return line


# -- what there is ---------------------------------------------------------------------------------


def cells_of(
    tables: Tables, options: list[Option], keymap: Keymap, shared: str
) -> tuple[list[Cell], list[Cell]]:
    """One's own, which go by one key; then the techniques, of which the reactions come last."""
    known, common = tables.techniques, common_track(tables)
    own, rest = [], []
    for option in options:
        name = option.technique
        if name in known:
            found = keymap.of_technique(name)  # the user's own key before the table's
            key, chosen = found.shown if found is not None else "", Chosen(f"technique.{name}")
            rest.append(_cell(tables, known[name], option, key, chosen, common, shared))
        else:
            row, begins = Technique(name=option.name, text=option.text), keymap.of_own(option)
            key = begins.shown if begins is not None else ""
            own.append(_cell(tables, row, option, key, Chosen(own=option.name), common, shared))
    return own, sorted(rest, key=lambda cell: known[cell.option.technique].reaction)


def _cell(
    tables: Tables,
    row: Technique,
    option: Option,
    key: str,
    chosen: Chosen,
    common: str,
    shared: str,
) -> Cell:
    name = f"{REACTION}{plain(row.name)}" if row.reaction else plain(row.name)
    rises = {track: by + 1 for track, by in row.cost.items()} if row.repeat == "rising" else {}
    usual = Option(option.technique, row.cost or option.cost, rises)
    price = cost_now(tables.tracks, row, option, common)
    usual_price = cost_now(tables.tracks, row, usual, common)
    letters = _in_brief(cost_now(tables.tracks, row, option, common, letters=True), option)
    usual_letters = _in_brief(cost_now(tables.tracks, row, usual, common, letters=True), option)
    costs = (_in_brief(price, option), letters)
    widths = (cell_len(usual_price), max(cell_len(usual_letters), cell_len(letters)))
    why = "" if option.reason == shared else plain(option.reason)
    return Cell(option, key, name, chosen, row.text, why, costs, price, widths)


def _in_brief(price: str, option: Option) -> str:
    """A price, with what is said of the option in brief."""
    return f"{price} {option.brief}".rstrip()


def shared_reason(tables: Tables, options: list[Option]) -> str:
    """The reason why most can't be used, reactions apart: it is said once, not of each of them."""
    known = tables.techniques
    reasons = [
        o.reason for o in options if o.technique in known and not known[o.technique].reaction
    ]
    times = Counter(filter(None, reasons)).most_common(1)
    return times[0][0] if times and times[0][1] * 2 > len(reasons) else ""


# -- the grid --------------------------------------------------------------------------------------


def columns_of(cells: list[Cell], width: int, most: int = WHOLE, rows: int = 1) -> list[Column]:
    """Columns side by side: as few as so many rows need, as far as they have room.

    What room is left over goes to names that are cut, then to all of them.
    """
    key = _key_cells(cells)
    around = key + 1 + max((cell.usual[1] for cell in cells), default=0)
    names = _names(tuple(cell_len(cell.name) for cell in cells), width, around, most, rows)
    more = max(width + GAP - sum(around + name + GAP for name in names), 0) // len(names)
    start, columns = 0, []
    for name in names:
        columns.append(Column(start, around + name + more, key, name))
        start += columns[-1].width + GAP
    return columns


def _rows_for(cells: list[Cell], width: int, most: int = WHOLE) -> int:
    """The rows of these cells, as many side by side as have room."""
    return -(-len(cells) // len(columns_of(cells, width, most)))


@lru_cache(maxsize=64)
def _names(cells: tuple[int, ...], width: int, around: int, most: int, rows: int) -> list[int]:
    """The cells for the names in each column; `around` is what else a column takes.

    The same creatures do the same things from key to key.
    """
    found = [max(width - around, 1)]
    for count in range(1, min(len(cells), (width + GAP) // (around + GAP)) + 1):
        room = width + GAP - count * (around + GAP)
        whole = [max(cells[n::count]) for n in range(count)]
        each = [min(name, most) for name in whole]
        if sum(each) <= room:
            for longer in range(most, WHOLE + 1):
                grown = [min(name, longer) for name in whole]
                each = grown if sum(grown) <= room else each
            found = each
        if len(found) * rows >= len(cells):
            break
    return found


def _key_cells(cells: list[Cell]) -> int:
    """The cells of a key, of the mark of what can't be used, and of a blank."""
    return widest([cell.key for cell in cells]) + 2


def _grid(cells: list[Cell], columns: list[Column], inks: Inks, height: int) -> list[list[Place]]:
    """The cells in rows. As far as rows of the height are left over, names go on in a second one.

    Which rows have one hangs on the names alone, so that nothing moves from turn to turn.
    """
    many = len(columns)
    chunks = [
        list(zip(cells[n : n + many], columns, strict=False)) for n in range(0, len(cells), many)
    ]
    if len(cells) % many:  # nothing stands beside the very last one
        last, column = chunks[-1][-1]
        chunks[-1][-1] = last, _up_to_the_end(column, columns[-1], cell_len(last.name))
    free, rows = height - len(chunks), []
    words = all(_has_room_for_words(*pair) for chunk in chunks for pair in chunk)
    for chunk in chunks:
        wraps = free > 0 and any(cell_len(cell.name) > _name_room(cell, c) for cell, c in chunk)
        free -= wraps
        rows.append([_place(cell, c, _drawn(cell, c, inks, words, wraps)) for cell, c in chunk])
        if wraps:
            rows.append([_place(cell, c, _rest_of_name(cell, c, inks)) for cell, c in chunk])
    return rows


def _up_to_the_end(column: Column, end: Column, name: int) -> Column:
    """The column, as wide as to where the last one ends; a name of so many cells has room in it."""
    width = end.start + end.width - column.start
    return column._replace(width=width, name=max(column.name, min(name, width - column.key)))


def _place(cell: Cell, column: Column, line: Line) -> Place:
    return Place(column.start, column.width, line, cell.chosen)


def _name_room(cell: Cell, column: Column) -> int:
    """The cells that a name may have: those of its column, or more where its cost is short."""
    return max(column.name, column.room - cell.usual[1] - 1)


def _has_room_for_words(cell: Cell, column: Column) -> bool:
    """Whether what it costs can be told in words."""
    least = min(cell_len(cell.name), column.name) + 1
    return least + cell_len(cell.costs[0]) <= column.room


def _drawn(cell: Cell, column: Column, inks: Inks, words: bool = True, wraps: bool = False) -> Line:
    """`s  Strike  1→2`, or `r✗ Regroup: 2 AP left, needs 3`.

    `words`: what it costs is told in words and not in letters; `wraps`: the name goes on.
    """
    can, name = cell.option.available, cell.name
    ink = inks.plain if can else inks.dim
    line = Line().add(cell.key + ("" if can else "✗"), inks.accent if can else inks.dim)
    line.column(column.key)
    why = _why_not(cell, column.room)
    if why:
        return line.add(f"{name}: {why}", ink)
    if wraps:
        name = wrapped(name, _name_room(cell, column))[0]
    cost = cell.costs[0 if words else 1]
    line.add(cut(name, column.room - cell_len(cost) - 1 if cost else column.room), ink)
    if not cost:
        return line
    at = min(column.key + column.name + 1, column.width - cell_len(cost))
    return line.column(max(at, line.width + 1)).add(cost, inks.strong if can else ink)


def _rest_of_name(cell: Cell, column: Column, inks: Inks) -> Line:
    """What of a name has no room in its first row."""
    if _why_not(cell, column.room):
        return Line()
    rest = wrapped(cell.name, _name_room(cell, column))[1:]
    ink = inks.plain if cell.option.available else inks.dim
    return Line().column(column.key).add(cut(" ".join(rest), column.room), ink)


def _why_not(cell: Cell, room: int) -> str:
    """The reason, as far as there is room behind the name: all, or what stands before its comma.

    Nothing where there is no room for that either; the prompt has all.
    """
    said = (cell.why, cell.why.partition(",")[0].partition(":")[0])
    return next((s for s in said if cell_len(f"{cell.name}: {s}") <= room), "")


# -- with their texts ------------------------------------------------------------------------------


def _with_texts(cells: list[Cell], size: tuple[int, int], inks: Inks) -> list[list[Place]]:
    """Each in a row of its own, the text beside it; rows that are left over wrap the texts.

    The texts that need fewest of them have them first: so most are whole.
    """
    width, free = size[0], size[1] - len(cells)
    key, name = _key_cells(cells), widest([cell.name for cell in cells])
    cost = max((cell.usual[0] for cell in cells), default=0)
    column = Column(0, key + name + 1 + cost, key, name)
    start = column.width + GAP
    room = width - start
    told = [" · ".join(filter(None, (c.why, plain(c.text)))) for c in cells]
    wraps = [wrapped(text, room) for text in told]
    had = dict.fromkeys(range(len(cells)), 1)
    for n in sorted(had, key=lambda n: len(wraps[n])):
        if len(wraps[n]) > 1 + free and cells[n].why:  # why not is worth more than all
            told[n], wraps[n] = cells[n].why, wrapped(cells[n].why, room)
        had[n] = min(len(wraps[n]), 1 + free)
        free -= had[n] - 1
    rows = []
    for n, cell in enumerate(cells):
        texts = wrapped_within(told[n], room, had[n]) if had[n] < len(wraps[n]) else wraps[n]
        first = _drawn(cell._replace(why="", costs=(cell.price, "")), column, inks)
        for text in texts + [""] * (had[n] - len(texts)):
            rows.append([Place(0, width, first.column(start).add(text, inks.dim), cell.chosen)])
            first = Line()
    return rows
