"""How the order is set out in lines: a row for each, and below it what has no room beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from affray.core.rules.ruleset import Ruleset
from affray.tui.drawing import Line
from affray.tui.panes.order_columns import Columns, Measured, OrderRow, measured, rows_of
from affray.tui.panes.order_row import (
    RowLook,
    forms_in,
    has_room_beside,
    lines_below,
    members_below,
    wrapped_name,
)

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
    """

    rows: list[OrderRow]
    below: list[list[Line]]
    columns: Columns
    look: RowLook
    wants: RowsWanted
    forms: Mapping[str, str]
    places: list[tuple[int, int]]


def set_out(look: RowLook, height: int, columns_for: ColumnsFor) -> SetOut:
    """The rows of everybody with all that lasts below them, with its names, or with it beside.

    The first of these that leaves nobody out; among many there is room for the last alone.
    """
    rows = list(rows_of(look.state))
    many = len(rows)
    cells = measured(rows, look.ruleset)
    if 2 * many > 3 * height:
        bearers = sum(any(who.effects for who in row.members) for row in rows)
        wants = RowsWanted(many + bearers, many + bearers, many)
        return _beside(rows, look, height, columns_for(cells, look.ruleset, True), wants)
    columns = columns_for(cells, look.ruleset, False)
    below = [_below(row, look, columns, True) for row in rows]
    whole = names = many + sum(map(len, below))
    if whole > height:
        below = [_below(row, look, columns, False) for row in rows]
        names = many + sum(map(len, below))
    wants = RowsWanted(whole, names, many)
    if names <= height:
        return _with_long_names(rows, below, columns, look, wants, height - names)
    return _beside(rows, look, height, columns_for(cells, look.ruleset, True), wants)


def _beside(
    rows: list[OrderRow], look: RowLook, height: int, columns: Columns, wants: RowsWanted
) -> SetOut:
    """What has no room beside its row stands below, in as many lines as are free."""
    below: list[list[Line]] = [[] for _ in rows]
    free = height - len(rows)
    for index, row in enumerate(rows if free > 0 else ()):
        lines = [] if has_room_beside(row, columns, look) else _below(row, look, columns, False)
        if 0 < len(lines) <= free:
            free -= len(lines)
            rows[index], below[index] = replace(row, told_below=True), lines
    return _with_long_names(rows, below, columns, look, wants, free)


def _with_long_names(
    rows: list[OrderRow],
    below: list[list[Line]],
    columns: Columns,
    look: RowLook,
    wants: RowsWanted,
    free: int,
) -> SetOut:
    """Long names go on below, in as many lines as are free."""
    is_cut = columns.name < columns.longest and free > 0
    for index, row in enumerate(rows if is_cut else ()):
        head, rest = wrapped_name(row, columns.name, look.inks)
        if rest and len(rest) <= free:
            free -= len(rest)
            rows[index], below[index] = replace(row, name=head), [*rest, *below[index]]
    forms = forms_in(look) if columns.brief else {}
    places = [(row, part) for row, lines in enumerate(below) for part in range(len(lines) + 1)]
    return SetOut(rows, below, columns, look, wants, forms, places)


def _below(row: OrderRow, look: RowLook, columns: Columns, ends: bool) -> list[Line]:
    """What lasts on a row's, in lines."""
    width = columns.width - columns.before
    if len(row.members) > 1:
        return members_below(row, look, ends, width)
    return lines_below(look, row.members[0], ends, width)
