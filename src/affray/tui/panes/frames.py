"""The frame around a pane: its edges, with what they say, and its sides."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style

from affray.tui.drawing import Line, cut

BOLD = Style(bold=True)
LEAST_AROUND_WORDS = 6
"""The cells of an edge that no words take: corners, a dash and a blank at each end."""


def upper_edge(
    title: Line, said: Style, width: int, ink: Style, labels: Sequence[tuple[int, str]] = ()
) -> Line:
    """`╭─ Initiative ──── AP ──╮`; what of the title has no ink of its own is drawn in `said`.

    `labels` are said above columns, each with its first cell, as far as there is room.
    """
    line = Line().add("╭", ink)
    if title.width:
        line.add("─", ink).add(" ", said).join(title.inked(said + BOLD)).add(" ", said)
    for cell, label in labels:
        if line.width < cell and cell + cell_len(label) < width - 1:
            line.add("─" * (cell - 1 - line.width), ink).add(f" {label} ", said)
    return line.add("─" * (width - 1 - line.width), ink).add("╮", ink)


def lower_edge(aside: str, said: Style, width: int, ink: Style) -> Line:
    """`╰───── + adds somebody ─╯`"""
    line, words = Line().add("╰", ink), Line().add(cut(aside, width - LEAST_AROUND_WORDS), said)
    if words.width:
        line.add("─" * (width - 5 - words.width), ink).add(" ").join(words).add(" ")
    return line.add("─" * (width - 1 - line.width), ink).add("╯", ink)


def sides(left: int, right: int, ink: Style) -> tuple[Line, Line, Line]:
    """What stands before and behind a row, in so many cells, the latter thin and thick.

    Nothing where there is no frame.
    """
    if not (left and right):
        return Line(), Line(), Line()
    thin, thick = (Line().column(right - 1).add(side, ink) for side in "│┃")
    return Line().add("│", ink).column(left), thin, thick
