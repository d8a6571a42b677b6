"""The frame around a pane: its edges, with what they say, and its sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from affray.tui.drawing import Line, cut
from affray.tui.themes import Inks

BOLD = Style(bold=True)
LEAST_AROUND_WORDS = 6
"""The cells of an edge that no words take: corners, a dash and a blank at each end."""


def lettered(letter: str) -> str:
    """`[t]`: the key that goes to a pane, in jump mode; nothing where there is none."""
    return f"[{letter}]" if letter else ""


def tabs_line(
    names: Mapping[str, str], front: str, letters: Mapping[str, str], room: int, inks: Inks
) -> Line:
    """` Techniques ▸Timers  Log`: the pane in front is told by its ink and its mark, or its letter.

    Where there is no room for all, the others are dots; with letters, all of them are.
    """
    marks = {name: lettered(letters.get(name, "")) or "▸ "[name != front] for name in names}
    all_told = sum(cell_len(f"{marks[name]}{word} ") for name, word in names.items()) <= room
    line = Line()
    for name, word in names.items():
        told = all_told or (name == front and not letters)
        line.add(marks[name], inks.accent)
        line.add(word if told else "·", inks.strong if name == front else inks.dim).add(" ")
    return line


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


@lru_cache(maxsize=64)
def sides(left: int, right: int, ink: Style, paper: Style) -> tuple[list[Segment], ...]:
    """What stands before and behind a row, in so many cells, the latter thin and thick.

    Nothing where there is no frame.
    """
    if not (left and right):
        return [], [], []
    thin, thick = (Line().column(right - 1).add(side, ink) for side in "│┃")
    lines = Line().add("│", ink).column(left), thin, thick
    return tuple(list(line.strip(line.width, paper)) for line in lines)
