"""How the order is set out in lines: a row for each, and below it what has no room beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from affray.core.rules.ruleset import Ruleset
from affray.tui.drawing import Line
from affray.tui.panes.order_columns import (
    Columns,
    Measured,
    OrderRow,
    fallen_row,
    measured,
    rows_of,
)
from affray.tui.panes.order_frame import Extreme, extremes
from affray.tui.panes.order_row import (
    RowLook,
    forms_in,
    has_room_beside,
    lines_below,
    members_below,
    members_further,
    wrapped_name,
)
from affray.tui.panes.wear import worn

ColumnsFor = Callable[[Measured, Ruleset, bool], Columns]
"""The columns for what rows want, with what lasts beside them or not."""


class RowsWanted(NamedTuple):
    """How many lines hold everybody.

    whole   with all that lasts on them, and when it ends
    names   with all that lasts on them; without when it ends, where that has no room
    people  with nothing below their rows
    """

    whole: int = 0
    names: int = 0
    people: int = 0


class SetOut(NamedTuple):
    """The rows of the order in their columns, the lines below each, and what they are drawn by.

    forms   the short forms of what lasts, where there is hardly any room for it
    places  for each line of the pane (which row it belongs to, 0 for the row itself or n for the
            n-th line below it)
    extremes  who is worst hurt and who is most worn, who are marked in their rows
    measured  what the rows want of the width
    """

    rows: list[OrderRow]
    below: list[list[Line]]
    columns: Columns
    look: RowLook
    wants: RowsWanted
    forms: Mapping[str, str]
    places: list[tuple[int, int]]
    extremes: list[Extreme]
    measured: Measured


def set_out(look: RowLook, height: int, columns_for: ColumnsFor) -> SetOut:
    """The rows of everybody with all that lasts below them, with its names, or with it beside.

    The first of these that leaves nobody out; among many there is room for the last alone.
    """
    everybody = rows_of(look.state)
    rows = _in_fewer(list(everybody), height)
    found = extremes(look.state.in_order(), look.ruleset.tables)
    _mark(rows, found)
    _count_what_is_taken(rows, look)
    cells = measured(rows, look.ruleset)
    if 2 * len(rows) <= 3 * height:
        columns = columns_for(cells, look.ruleset, False)
        below, wants = _all_below(rows, look, columns, height)
    else:
        wants = _wanted_by_many(rows)
    if wants.names > height:  # as many always want
        columns = columns_for(cells, look.ruleset, True)
        below = _tell_below(rows, look, columns, height - len(rows))
    _wrap_names(rows, below, look, columns, height - len(rows) - sum(map(len, below)))
    forms = forms_in(look) if columns.brief else {}
    places = [(row, part) for row, lines in enumerate(below) for part in range(len(lines) + 1)]
    more = len(everybody) - len(rows)  # with more rows each would have its own
    wants = RowsWanted(*(wanted + more for wanted in wants))
    return SetOut(rows, below, columns, look, wants, forms, places, found, cells)


def _in_fewer(rows: list[OrderRow], height: int) -> list[OrderRow]:
    """Where rows are short those who are out of the fight share the last one."""
    fallen = [row for row in rows if row.is_out and not row.is_up]
    if len(rows) <= height or not fallen[1:]:
        return rows
    return [*rows[: len(rows) - len(fallen)], fallen_row(fallen)]


def _wanted_by_many(rows: list[OrderRow]) -> RowsWanted:
    """A line for each, and one more for those on whom something lasts."""
    bearers = sum(any(who.effects for who in row.members) for row in rows)
    return RowsWanted(len(rows) + bearers, len(rows) + bearers, len(rows))


def _all_below(
    rows: list[OrderRow], look: RowLook, columns: Columns, height: int
) -> tuple[list[list[Line]], RowsWanted]:
    """All that lasts on everybody, below their rows; without its ends where these have no room."""
    below = [_below(row, look, columns, True) for row in rows]
    whole = names = len(rows) + sum(map(len, below))
    if whole > height:
        below = [_below(row, look, columns, False) for row in rows]
        names = len(rows) + sum(map(len, below))
    return below, RowsWanted(whole, names, len(rows))


def _tell_below(
    rows: list[OrderRow], look: RowLook, columns: Columns, free: int
) -> list[list[Line]]:
    """What has no room beside its row, in lines below it, as far as so many are free.

    In `rows` such a row is replaced by one that is `told_below`.
    """
    below: list[list[Line]] = [[] for _ in rows]
    for index, row in enumerate(rows if free > 0 else ()):
        if has_room_beside(row, columns, look):
            continue
        told = replace(row, told_below=True)
        lines = _below(told, look, columns, False)
        if 0 < len(lines) <= free:
            free -= len(lines)
            rows[index], below[index] = told, lines
    return below


def _wrap_names(
    rows: list[OrderRow], below: list[list[Line]], look: RowLook, columns: Columns, free: int
) -> None:
    """Have long names go on below their rows, as far as so many lines are free.

    What changes by it is replaced in `rows` and `below`.
    """
    is_cut = columns.name < columns.longest and free > 0
    for index, row in enumerate(rows if is_cut else ()):
        head, rest = wrapped_name(row, columns.name, look.inks)
        if rest and len(rest) <= free:
            free -= len(rest)
            rows[index], below[index] = replace(row, name=head), [*rest, *below[index]]


def _mark(rows: list[OrderRow], found: list[Extreme]) -> None:
    """Have their rows, which are replaced in `rows`, say who they are."""
    for each in found:
        index = next(n for n, row in enumerate(rows) if row.has(each.who.id))
        row = rows[index]
        rows[index] = replace(row, marked=(*row.marked, (each.who.id, each.track)))


def _count_what_is_taken(rows: list[OrderRow], look: RowLook) -> None:
    """Have their rows, which are replaced in `rows`, say what lasts comes to on those in them."""
    for index, row in enumerate(rows):
        if row.members[1:] or row.is_out:
            continue
        found = worn(look, row.members[0])
        if any(found):
            rows[index] = replace(row, taken=found.taken, barred=found.barred)


def _below(row: OrderRow, look: RowLook, columns: Columns, ends: bool) -> list[Line]:
    """What lasts on a row's, in lines; of a group first the members that have no room in it."""
    width = columns.width - columns.before
    if row.fallen:
        return []
    if len(row.members) > 1:
        further = members_further(row, columns, look)
        return [*further, *members_below(row, look, ends, width)]
    return lines_below(look, row.members[0], ends, width)
