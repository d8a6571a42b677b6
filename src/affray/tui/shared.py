"""What all screens and panes share: the fight that is shown, the inks, the way between screens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

from textual.app import App
from textual.dom import DOMNode
from textual.events import Key
from textual.reactive import var
from textual.screen import Screen

from affray.tui.themes import DARK, Inks, inks_of

FOR_PLAYERS = "for-players"
"""The class of a screen on which there is nothing to press but what leaves it."""


class SharedApp(App[None]):
    """The program as its screens and panes know it.

    inks    what everything is drawn with; a new value for every theme
    parting lines on files that others had changed when their fights were closed; the terminal
            gets them when the screen is gone
    left    the file of the fight that was left last, and its rules; None before the first
    complaints  lines on settings of the user's that could not be had, for the first screen to tell
    clock   gives seconds; how long nothing was typed is told by it
    named   keys of earlier releases that were pressed, and named since
    """

    inks: var[Inks] = var(inks_of(DARK))

    def __init__(self) -> None:
        super().__init__()
        self.parting: list[str] = []
        self.complaints: list[str] = []
        self.left: tuple[Path, str] | None = None
        self.clock: Callable[[], float] = monotonic
        self.named: set[str] = set()

    def open_encounter(self, path: Path) -> str:
        """Open a saved encounter. Gives one line on why not, or nothing when it is open."""
        raise NotImplementedError

    def go_home(self) -> None:
        """Close the encounter, which is saved already, and go to the list of fights."""
        raise NotImplementedError


def pressed_key(event: Key) -> str:
    """The name of a key in the table: its character, where it has one that can be seen."""
    character = event.character
    if character is not None and len(character) == 1 and character.isprintable():
        return "space" if character == " " else character
    return event.key


def is_there(screen: Screen[Any]) -> bool:
    """Whether a screen is put together, and not about to go."""
    return screen.is_mounted and screen in screen.app.screen_stack


def close_once(screen: Screen[Any]) -> None:
    """Take a screen off the one below it; another key that comes for it does nothing."""
    if screen.is_current:
        screen.app.pop_screen()


def app_of(node: DOMNode) -> SharedApp:
    """The program that a screen or a pane belongs to."""
    app = node.app
    assert isinstance(app, SharedApp)
    return app
