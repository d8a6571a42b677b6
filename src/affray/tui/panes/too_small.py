"""What is shown in place of the fight where there is no room for it."""

from __future__ import annotations

from textual.strip import Strip

from affray.tui.drawing import Line, wrapped
from affray.tui.panes.follower import Follower

SMALLEST = (60, 16)
"""The fewest columns and rows in which a fight can be played."""


class TooSmall(Follower):
    """How large the window would have to be, and how large it is."""

    def render_line(self, y: int) -> Strip:
        """One of the rows."""
        width, height = self.room
        lines = wrapped(too_small(width, height), max(width - 2, 1))
        words = lines[y] if y < len(lines) else ""
        return Line().add(f" {words}", self.inks.warn).strip(width, self.paper)


def too_small(width: int, height: int) -> str:
    """`affray needs at least 60x16; this window is 40x10`."""
    needed = "x".join(str(cells) for cells in SMALLEST)
    return f"affray needs at least {needed}; this window is {width}x{height}"
