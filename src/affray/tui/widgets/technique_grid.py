"""The places of acts in the techniques pane: columns, rows with texts, or one behind the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

from affray.core.engine.state import Track
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.rules.ruleset import AvailableAction
from affray.core.rules.tables import Tables
from affray.tui.drawing import (
    StyledLine,
    count_of_hidden,
    first_words,
    flow_items,
    max_width,
    truncate,
    wrap,
    wrapped_within,
)
from affray.tui.fight_view import KeyBindingClicked
from affray.tui.keymap import OTHER, Keymap
from affray.tui.theme import Styles
from affray.tui.widgets.technique_cells import Attack, TechniqueCell, barred_acts, cells_of

GAP = 2
WIDE_ENOUGH_FOR_THE_TEXT = 70
LEAST_OF_A_NAME = 6
WHOLE = 40
FLOWS = (
    *((most, True) for most in (WHOLE, 20, 16, 14, 12)),
    *((most, False) for most in (WHOLE, 16, 12, 10, 8)),
)
"""Where there are no columns: the cells of a name, and whether costs of what everybody can do are
told."""
AROUND_A_KEY = 2
"""The blank cells behind a key."""
DENSITIES = (WHOLE, 24, 20, 16, 14, 12, 10, 8, LEAST_OF_A_NAME)
"""The cells of a name at most: the first by which everything has room is had."""


class GridColumn(NamedTuple):
    """A column of the technique grid: its first cell, the width of its cells, and that of keys and
    names; `gap` has the blank cells behind a key."""

    start: int
    width: int
    key: int
    name: int
    gap: int

    @property
    def room(self) -> int:
        """The cells left for what follows the key."""
        return self.width - self.key


class CellPosition(NamedTuple):
    """A cell as it is drawn: where it begins in its row, how wide it is, and its line."""

    start: int
    width: int
    line: StyledLine
    chosen: KeyBindingClicked | None = None


class TechniqueGrid(NamedTuple):
    """The technique grid as it was drawn for some options.

    wanted  the rows that would hold all
    others  the key of the list of other acts, and how many stand only there
    barred  how many can't be used now
    why     the reason that most of them share; empty for none
    lost    one's own among them, or the only one, each with its reason
    """

    places: list[list[CellPosition]]
    lines: list[StyledLine]
    wanted: int
    others: str
    barred: int
    why: str
    lost: tuple[tuple[str, str], ...]

    def not_now(self, room: int) -> str:
        """`9 not now: action used`, or `9 not now: Ash Breath (not charged) …`, without reasons if
        the room is less; empty where all can be used."""
        if not self.barred:
            return ""
        head, more = f"{self.barred} not now", " …" if len(self.lost) < self.barred else ""
        if self.why and self.barred > 1:
            return f"{head}: {self.why}"
        if not self.lost:
            return head
        whole = f"{head}: {', '.join(f'{name} ({why})' for name, why in self.lost)}{more}"
        if cell_len(whole) <= room:
            return whole
        return f"{head}: {', '.join(name for name, _ in self.lost)}{more}"


def grid_for(
    tables: Tables,
    options: list[AvailableAction],
    keymap: Keymap,
    size: tuple[int, int],
    inks: Styles,
    attacks: Sequence[Attack] = (),
    tracks: Mapping[str, Track] = {},
) -> TechniqueGrid:
    """The grid of those options that are available, for so many cells in width and height.

    Where it has no room for all, what has no key of its own is left to the list of other acts, and
    an attack alone to the card. `tracks` are those that they are paid with.
    """
    width, height = size
    own, rest = cells_of(tables, [each for each in options if each.available], keymap, attacks)
    wanted, more = _rows_for(own, width) + _rows_for(rest, width), 0
    if wanted > height:
        keyed = [cell for cell in rest if not cell.in_list]
        more, rest = len(rest) - len(keyed), keyed
    alone = len(attacks) == 1  # the technique that makes it says as much, without the numbers
    if alone and _rows_for(own, width) + _rows_for(rest, width) > height:
        own = own[1:]
    places = _places(own, rest, bool(own or keymap.for_own), size, inks)
    lines = [_joined(row) for row in places]
    opens = keymap.by_id[OTHER].shown if more else ""
    acts = "act" if more == 1 else "acts"
    return TechniqueGrid(
        places,
        lines,
        wanted,
        opens and f"{opens} {more} other {acts}",
        *barred_acts(tables, options, tracks),
    )


def _places(
    own: list[TechniqueCell],
    rest: list[TechniqueCell],
    keeps_rows: bool,
    size: tuple[int, int],
    inks: Styles,
) -> list[list[CellPosition]]:
    """Everything in its place: most in rows with their texts if these have room, else a grid.

    `keeps_rows`: the techniques of everybody keep their rows at the bottom, however many powers
    of one's own stand above them, unless names are cut.
    """
    width, height = size
    if 0 < _rows_with_most_told(own, rest, width) <= height:
        lines, others = _split_by_room([*own, *rest], size)
        grid = _grid(others, columns_of(others, width), inks, height - len(lines))
        return [*_with_texts(lines, (width, height - len(grid)), inks), *grid]
    each = (own, rest)
    dense = ((m, gap) for gap in (AROUND_A_KEY, 1) for m in DENSITIES)
    fits = (d for d in dense if sum(_rows_for(cells, width, *d) for cells in each) <= height)
    most, gap = next(fits, (0, 1))
    if not most:
        return _flowing(own, rest, size, inks)
    if not keeps_rows:
        columns = _close_columns(rest, width, most, height, gap)
        return _within(_grid(rest, columns, inks, height), height, inks)
    rows = height - _rows_for(own, width, most, gap)
    columns = columns_of(rest, width, most, gap=gap)
    if any(cell_len(rest[n].name) > columns[n % len(columns)].name for n in range(len(rest))):
        columns = _close_columns(rest, width, most, rows, gap)
    below = _grid(rest, columns, inks, rows)
    room = height - len(below)
    if width >= WIDE_ENOUGH_FOR_THE_TEXT and len(own) <= room:
        above = _with_texts(own, (width, room), inks)
    else:
        above = _grid(own, columns_of(own, width, most, room, gap), inks, room)
    free: list[list[CellPosition]] = [[] for _ in range(room - len(above) if above else 0)]
    return _within([*above, *free, *below], height, inks)


def _flowing(
    own: list[TechniqueCell], rest: list[TechniqueCell], size: tuple[int, int], inks: Styles
) -> list[list[CellPosition]]:
    """Everything one behind the other, where columns have no room for all: keys and short names,
    one's own with numbers, the others with what they cost as long as all have room so."""
    cells, names = [*own, *rest], [cell.name for cell in (*own, *rest)]
    lines: list[StyledLine] = []
    for most, costs in FLOWS:
        tells = [True] * len(own) + [costs] * len(rest)
        short = [first_words(name, most) for name in names]
        lines = []
        for cell, name, is_told in zip(cells, short, tells, strict=True):
            name = name if short.count(name) == 1 else truncate(cell.name, most)
            line = StyledLine().add(f"{cell.key} ", inks.accent).add(name, inks.plain)
            cost = cell.briefest if is_told else ""
            lines.append(line.add(f" {cost}" if cost else "", inks.strong))
        if len(flow_items(lines, size[0], GAP)) <= size[1]:
            break
    rows: list[list[CellPosition]] = []
    end = size[0]
    for cell, line in zip(cells, lines, strict=True):
        if end + GAP + line.width > size[0]:
            rows.append([])
        start = end + GAP if rows[-1] else 0
        end = start + line.width
        rows[-1].append(CellPosition(start, size[0] - start, line, cell.chosen))
    return _within(rows, size[1], inks)


def _split_by_room(
    cells: list[TechniqueCell], size: tuple[int, int]
) -> tuple[list[TechniqueCell], list[TechniqueCell]]:
    """Split the techniques: those with a row and text each, and those in a grid below."""
    width, height = size
    fits = (n for n in range(len(cells), 0, -1) if n + _rows_for(cells[n:], width) <= height)
    many = next(fits, 0)
    return cells[:many], cells[many:]


def _rows_with_most_told(own: list[TechniqueCell], rest: list[TechniqueCell], width: int) -> int:
    """The rows for more than half of all, one's own among them, with texts; 0 for no room."""
    if width < WIDE_ENOUGH_FOR_THE_TEXT:
        return 0
    cells, most = [*own, *rest], max(len(own), (len(own) + len(rest)) // 2 + 1)
    return most + _rows_for(cells[most:], width)


def _within(rows: list[list[CellPosition]], height: int, inks: Styles) -> list[list[CellPosition]]:
    """The rows that fit; the last cell counts those that don't."""
    remaining = rows[:height]
    if len(rows) > height and remaining:
        *before, last = remaining[-1]
        missing = 1 + sum(len(row) for row in rows[height:])
        whole, brief = count_of_hidden(missing), count_of_hidden(missing, "")
        words = whole if cell_len(whole) <= last.width else brief
        line = StyledLine().right(StyledLine().add(words, inks.warn), last.width)
        remaining[-1] = [*before, CellPosition(last.start, last.width, line)]
    return remaining


def _joined(row: list[CellPosition]) -> StyledLine:
    line = StyledLine()
    for place in row:
        line.column(place.start).join(place.line)
    return line


# -- the grid --------------------------------------------------------------------------------------


def columns_of(
    cells: list[TechniqueCell],
    width: int,
    most: int = WHOLE,
    rows: int = 1,
    gap: int = AROUND_A_KEY,
) -> list[GridColumn]:
    """Columns side by side: as few as so many rows need, as far as they have room.

    What room is left over goes to names that are cut, then to all of them.
    """
    key = max(min((cell_len(cell.key) for cell in cells), default=0), 1) + gap
    around = key + 1 + max((cell.usual[1] for cell in cells), default=0)
    needs = tuple((cell_len(cell.name), _longer_key(cell, key, gap)) for cell in cells)
    names = _names(needs, width, around, most, rows)
    more = max(width + GAP - sum(around + name + GAP for name in names), 0) // len(names)
    widths = [around + name + more for name in names]
    spare = width + GAP - sum(widths) - GAP * len(widths)
    for n, had in enumerate(widths):
        wanted = (_width_of(cell, key, gap) for cell in cells[n :: len(widths)])
        widths[n] = max([had, *(wide for wide in wanted if wide <= had + spare)])
        spare -= widths[n] - had
    start, columns = 0, []
    for name, wide in zip(names, widths, strict=True):
        columns.append(GridColumn(start, wide, key, name, gap))
        start += wide + GAP
    return columns


def _close_columns(
    cells: list[TechniqueCell], width: int, most: int, rows: int, gap: int
) -> list[GridColumn]:
    """The columns for so many rows; with keys close to the names, if that makes more of them whole
    where too few rows are free for the rest of them."""

    def cut(columns: list[GridColumn]) -> list[int]:
        """The places of the names that are cut."""
        placed = [_beside_key(cell, columns[n % len(columns)]) for n, cell in enumerate(cells)]
        return [n for n, at in enumerate(placed) if cell_len(at[0].name) > _name_room(*at)]

    columns = columns_of(cells, width, most, rows, gap)
    many, long = len(columns), cut(columns)
    if not long or -(-len(cells) // many) + len({n // many for n in long}) <= rows:
        return columns
    close = columns_of(cells, width, most, rows, gap=1)
    return close if len(cut(close)) < len(long) else columns


def _rows_for(
    cells: list[TechniqueCell], width: int, most: int = WHOLE, gap: int = AROUND_A_KEY
) -> int:
    """The rows of these cells, as many side by side as have room."""
    return -(-len(cells) // len(columns_of(cells, width, most, gap=gap)))


@lru_cache(maxsize=64)
def _names(
    cells: tuple[tuple[int, int], ...], width: int, around: int, most: int, rows: int
) -> list[int]:
    """The cells for the names in each column, of names of so many cells, each with what its key is
    too long; `around` is what else a column takes.

    The same creatures do the same things from key to key.
    """
    found = [max(width - around, 1)]
    uncut = min(max((name for name, _ in cells), default=0), WHOLE)
    for count in range(1, min(len(cells), (width + GAP) // (around + GAP)) + 1):
        room = width + GAP - count * (around + GAP)
        for longest in range(min(most, uncut), uncut + 1):
            each = [
                max(min(name, longest) + longer for name, longer in cells[n::count])
                for n in range(count)
            ]
            if sum(each) > room:
                break
            found = each
        if len(found) * rows >= len(cells):
            break
    return found


def _width_of(cell: TechniqueCell, key: int, gap: int) -> int:
    """The cells that it takes whole, with its usual price in brief."""
    return key + _longer_key(cell, key, gap) + cell_len(cell.name) + 1 + cell.usual[1]


def _longer_key(cell: TechniqueCell, key: int, gap: int) -> int:
    """The number of cells by which its key exceeds the column of keys: `;st` among letters."""
    return max(cell_len(cell.key) + gap - key, 0)


def _beside_key(cell: TechniqueCell, column: GridColumn) -> tuple[TechniqueCell, GridColumn]:
    """The cell, and the column as the cell's key leaves it."""
    longer = _longer_key(cell, column.key, column.gap)
    return cell, column._replace(key=column.key + longer, name=max(column.name - longer, 1))


def _grid(
    cells: list[TechniqueCell], columns: list[GridColumn], inks: Styles, height: int
) -> list[list[CellPosition]]:
    """The cells in rows. Long names go on in a second row, as far as the height has rows for it.

    That depends on the names alone, so that nothing moves from turn to turn.
    """
    many = len(columns)
    chunks = [
        list(map(_beside_key, cells[n : n + many], columns)) for n in range(0, len(cells), many)
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


def _up_to_the_end(column: GridColumn, end: GridColumn, name: int) -> GridColumn:
    """The column, as wide as to where the last one ends; a name of so many cells has room in it."""
    width = end.start + end.width - column.start
    return column._replace(width=width, name=max(column.name, min(name, width - column.key)))


def _place(cell: TechniqueCell, column: GridColumn, line: StyledLine) -> CellPosition:
    return CellPosition(column.start, column.width, line, cell.chosen)


def _name_room(cell: TechniqueCell, column: GridColumn) -> int:
    """The cells that a name may have: those of its column, or more if its cost is short."""
    return max(column.name, column.room - cell.usual[1] - 1)


def _has_room_for_words(cell: TechniqueCell, column: GridColumn) -> bool:
    """True if its cost fits in words."""
    least = min(cell_len(cell.name), column.name) + 1
    return least + cell_len(cell.costs[0]) <= column.room


def _drawn(
    cell: TechniqueCell, column: GridColumn, inks: Styles, words: bool = True, wraps: bool = False
) -> StyledLine:
    """`s  Strike  1→2`

    `words`: the cost is in words and not in letters; `wraps`: the name continues.
    """
    name = wrap(cell.name, _name_room(cell, column))[0] if wraps else cell.name
    line = StyledLine().add(cell.key, inks.accent).column(column.key)
    cost = cell.costs[0 if words else 1]
    line.add(_shorter(name, column.room - cell_len(cost) - 1 if cost else column.room), inks.plain)
    if not cost:
        return line
    at = min(column.key + column.name + 1, column.width - cell_len(cost))
    return line.column(max(at, line.width + 1)).add(cost, inks.strong)


def _shorter(name: str, room: int) -> str:
    """A name cut at the end of a word, if its first has room: `Opportunity…`, `Retrieve`."""
    whole = wrap(name, room)[:1] if cell_len(name) > room else []
    if not whole or not name.startswith(f"{whole[0]} "):
        return truncate(name, room)
    return truncate(f"{whole[0]}…", room) if cell_len(whole[0]) < room else whole[0]


def _rest_of_name(cell: TechniqueCell, column: GridColumn, inks: Styles) -> StyledLine:
    """The second row of a name."""
    rest = wrap(cell.name, _name_room(cell, column))[1:]
    return StyledLine().column(column.key).add(truncate(" ".join(rest), column.room), inks.plain)


# -- with their texts ------------------------------------------------------------------------------


def _with_texts(
    cells: list[TechniqueCell], size: tuple[int, int], inks: Styles
) -> list[list[CellPosition]]:
    """The techniques in a row each, with the text beside it; texts wrap into spare rows.

    The shortest texts get them first, so that most are whole.
    """
    width, free = size[0], size[1] - len(cells)
    key = max_width([cell.key for cell in cells]) + AROUND_A_KEY
    name = max_width([cell.name for cell in cells])
    cost = max((cell.usual[0] for cell in cells), default=0)
    column = GridColumn(0, key + name + 1 + cost, key, name, AROUND_A_KEY)
    start = column.width + GAP
    room = width - start
    lines = [strip_control_chars(cell.text) for cell in cells]
    wraps = [wrap(text, room) for text in lines]
    had = dict.fromkeys(range(len(cells)), 1)
    for n in sorted(had, key=lambda n: len(wraps[n])):
        had[n] = min(len(wraps[n]), 1 + free)
        free -= had[n] - 1
    rows = []
    for n, cell in enumerate(cells):
        texts = wrapped_within(lines[n], room, had[n]) if had[n] < len(wraps[n]) else wraps[n]
        first = _drawn(cell._replace(costs=(cell.price, "")), column, inks)
        for text in texts + [""] * (had[n] - len(texts)):
            rows.append(
                [CellPosition(0, width, first.column(start).add(text, inks.dim), cell.chosen)]
            )
            first = StyledLine()
    return rows
