"""What a screen of the program shows, cell for cell, held to what may be shown."""

from __future__ import annotations

import unicodedata
from typing import Any

from rich.cells import cell_len
from tests.fuzz.target import MOVING
from textual.screen import Screen


def check_screen(screen: Screen[Any]) -> str:
    """What the screen shows: every line as wide as it is, nothing in it but what can be seen."""
    width, height = screen.size
    strips = screen._compositor.render_strips()
    assert len(strips) == height
    for strip in strips:
        assert sum(segment.cell_length for segment in strip) == width, strip.text
        assert not [ch for ch in strip.text if unicodedata.category(ch) in MOVING], strip.text
        # However a terminal takes them, one by one or some together, they fill the row.
        assert sum(map(cell_len, strip.text)) == width, strip.text
        assert not [s for s in strip if s.style is not None and s.style.link], strip.text
        assert not [s for s in strip if s.style and "@click" in s.style.meta], strip.text
    return "\n".join(strip.text for strip in strips)
