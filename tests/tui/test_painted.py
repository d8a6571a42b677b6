"""What was sent to the terminal, piece by piece, is the picture that painting anew would give."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.tui.conftest import MOST_LOOKS, Sample
from textual.app import App
from textual.pilot import Pilot

from affray.tui.app import AffrayApp

FIGHT = "drowned-vale/encounters/the-sluice-gate.toml"
LONG_LOG = "drowned-vale/encounters/lantern-street.toml"
KEYS = (
    *("s", "m", "7", "1", "2", "enter", "escape", "space", "u", "ctrl+r", "down", "up", "h"),
    *("ctrl+u", "slash", "question_mark", "tab", "z", "[", "a"),
)
_CODE = re.compile(r"(\x1b\[[0-9;?]*[A-Za-z])")


class Terminal:
    """Takes what is sent, with all codes that say where it goes."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._console = Console(color_system=None)
        self.rows = [[" "] * size[0] for _ in range(size[1])]

    def take(self, update: object) -> None:
        """Put a picture, or a piece of one, where it belongs."""
        x = y = 0
        for part in _CODE.split(update.render_segments(self._console)):  # type: ignore[attr-defined]
            if part.endswith("H") and _CODE.fullmatch(part):
                y, x = (int(number) - 1 for number in part[2:-1].split(";"))
            elif not part.startswith("\x1b"):
                for ch in part.replace("\n", ""):
                    self.rows[y][x : x + cell_len(ch)] = [ch] + [""] * (cell_len(ch) - 1)
                    x += cell_len(ch)

    @property
    def text(self) -> str:
        return "\n".join("".join(row) for row in self.rows)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Callable[[Terminal], None]:
    """Has what the program sends arrive at a terminal."""

    def arrive(terminal: Terminal) -> None:
        monkeypatch.setattr(
            App, "_display", lambda _app, _screen, update: update and terminal.take(update)
        )

    return arrive


def painted_anew(pilot: Pilot[None]) -> str:
    rows = pilot.app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in rows)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_what_was_sent_is_what_painting_anew_would_give(
    size: tuple[int, int], sample: Sample, sent: Callable[[Terminal], None]
) -> None:
    terminal, dice = Terminal(size), random.Random(5)
    sent(terminal)
    encounter = sample(FIGHT)
    async with AffrayApp(encounter).run_test(size=size) as pilot:
        await pilot.pause()
        for number in range(24):
            key = dice.choice(KEYS)
            await pilot.press(key)
            for _ in range(MOST_LOOKS):  # a picture comes a moment after its key
                if terminal.text == painted_anew(pilot):
                    break
                await pilot.pause(0.01)
            assert terminal.text == painted_anew(pilot), f"after key {number}, {key}"


async def test_the_mark_of_scrolling_at_the_side_moves_with_what_is_scrolled(
    sample: Sample, sent: Callable[[Terminal], None]
) -> None:
    terminal = Terminal((120, 40))
    sent(terminal)
    async with AffrayApp(sample(LONG_LOG)).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for key in ("ctrl+g", "l", "pageup", "pageup", "["):
            await pilot.press(key)
            await pilot.pause(0.2)
            assert terminal.text == painted_anew(pilot), key
