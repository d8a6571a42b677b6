"""Jump mode: every pane shows a letter, and the next key goes to the pane of that letter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from affray.tui.panes.frames import lettered
from affray.tui.screens.arrangement import PANES
from affray.tui.screens.fight_panes import choose_pane, reachable, show_letters

if TYPE_CHECKING:
    from affray.tui.screens.fight import FightScreen


def letters(panes: Iterable[str]) -> dict[str, str]:
    """A letter for each pane, by its id: the first letter in the id that none before it has.

    They are the same at every size, whichever panes are seen, so that they can be learnt.
    """
    given: dict[str, str] = {}
    for pane in panes:
        given[pane] = next(letter for letter in pane if letter not in given.values())
    return given


LETTERS = letters([*(pane for pane in PANES if pane != "tracks"), "tracks"])
"""What has got a pane of its own last leaves the others the letters that are known by heart."""


def begin_jump(screen: FightScreen) -> None:
    """Have the panes show their letters; those that are not seen now stand in the prompt's row."""
    show_letters(screen, {pane: LETTERS[pane] for pane in reachable(screen)})
    names = " ".join(f"{lettered(letter)}{pane}" for pane, letter in screen.letters.items())
    screen.show_message(f"go to {names}; any other key stays here", "hint")


def jump(screen: FightScreen, pressed: str) -> None:
    """Go to the pane of that letter; any other key does nothing but leave."""
    shown = screen.letters
    leave_jump(screen)
    for pane, letter in shown.items():
        if letter == pressed:
            choose_pane(screen, pane)


def leave_jump(screen: FightScreen) -> None:
    """Take the letters away."""
    if screen.letters:
        show_letters(screen, {})
        screen.show_message("")
