"""The program on the screen while `--debug` is told what it does: keys, redraws, errors."""

from __future__ import annotations

from time import perf_counter

from textual import events

from affray import debug
from affray.tui.app import AffrayApp


class DebuggedApp(AffrayApp):
    """affray, which tells what it is given, and how long it takes until that is painted."""

    async def on_event(self, event: events.Event) -> None:
        """Tell of what comes from outside, before it goes its way."""
        told = "" if event.is_forwarded else _told(event)
        screens, begun = self.screen_stack, perf_counter()
        if told and screens:  # which there are none of as long as the program begins
            debug.note("%s on %s", told, type(screens[-1]).__name__)
        await super().on_event(event)
        if told and screens:  # it has the event now, and is asked behind that
            screens[-1].call_after_refresh(_painted, told, begun)

    def _handle_exception(self, error: Exception) -> None:
        """Tell of what ends the program. (By Textual's own name; without it nothing is told.)"""
        debug.unexpected(error)
        super()._handle_exception(error)


def _told(event: events.Event) -> str:
    """What is told of an event; empty for those that nobody has caused."""
    if isinstance(event, events.Key):
        return f"key {event.key}"
    if isinstance(event, events.Paste):
        return f"paste of {len(event.text)} characters"
    if isinstance(event, events.Resize):
        return f"size {event.size.width}x{event.size.height}"
    if isinstance(event, events.MouseDown):
        return f"mouse at {event.x},{event.y}"
    return ""


def _painted(what: str, begun: float) -> None:
    debug.note("painted %.1f ms after %s", (perf_counter() - begun) * 1000, what)
