"""Keys, pastes and the mouse one at a time: the next is looked at when the one before is through.

A burst of keys (over a slow line, or typed while the program was busy) would else be handed to a
screen that is not put together yet, or that the first of them has closed.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from textual.app import App
from textual.dom import DOMNode
from textual.events import Event, InputEvent, MouseMove, Paste
from textual.screen import Screen

ROUNDS = 3
"""So often what a widget with the focus tells its screen is waited for: it may ask for more."""
SOON = 0.005
"""Seconds after which a screen that comes or goes is looked at again."""


class OneByOne:
    """Lets one event to the screen at a time, and keeps those that come meanwhile."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._kept: deque[Event] = deque()
        self._next: Event | None = None  # it was kept, and is on its way to the app
        self._at: DOMNode | None = None  # who has the event that is not through yet
        self._before: tuple[Screen[Any], ...] = ()  # the screens that there were when it came

    @property
    def is_busy(self) -> bool:
        """Whether an event is not through yet, or one waits."""
        return self._at is not None or self._next is not None or bool(self._kept)

    def keeps(self, event: Event) -> bool:
        """Keep an event for later, unless it may go to the screen now."""
        if self._at is not None and not self._at.is_running:
            self._at = None  # it has gone, and nobody tells any more that the event is through
        if event is self._next:
            self._next = None
        elif self._at is not None or self._next is not None or self._kept:
            if not isinstance(event, MouseMove):
                self._kept.append(event)
            if self._at is None:
                self._let_on()
            return True
        self._before = tuple(self._app.screen_stack)
        return False

    def follow(self, event: Event) -> None:
        """The event has gone to the screen: find out when it is through."""
        by_key = isinstance(event, Paste) or not hasattr(event, "screen_x")
        target = self._app.focused if by_key else self._app.mouse_over
        rounds = ROUNDS if target is not None else 1
        self._climb(target or self._app.screen, target or self._app.screen, rounds)

    def _climb(self, first: DOMNode, at: DOMNode | None, rounds: int) -> None:
        """Follow it from whoever has it up to the screen, behind all that they have to do."""
        if at is None or isinstance(at, App):
            at, rounds = first, rounds - 1
        if rounds and at.call_later(self._climb, first, at.parent, rounds):
            self._at = at
        else:
            self._at = self._app
            self._app.call_later(self._end)

    def _end(self) -> None:
        """It is through; screens that it has opened or closed are waited for."""
        stack = self._app.screen_stack
        leaving = any(s.is_running and s not in stack for s in self._before)
        if leaving or not all(screen.is_mounted for screen in stack[-1:]):
            self._app.set_timer(SOON, self._end)
            return
        self._at = None
        self._let_on()

    def _let_on(self) -> None:
        """Send the first of those that were kept to the app again, which lets it through."""
        if self._kept and self._next is None:
            self._next = self._kept.popleft()
            self._app.post_message(self._next)


def is_input(event: object) -> bool:
    """Whether an event comes from the keyboard or the mouse, and has not gone to a screen yet."""
    return isinstance(event, InputEvent | Paste) and not event.is_forwarded
