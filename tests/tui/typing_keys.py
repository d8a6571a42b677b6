"""Keys that come as fast as somebody types, with no wait for the screen between them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from textual import events
from textual.pilot import Pilot

from affray.tui.app import AffrayApp

_TYPED = {"space": " ", "enter": "\r"}


async def press_at_once(pilot: Pilot[Any], names: Iterable[str]) -> None:
    """Give the keys of these names to the app, then wait until it is done with all of them.

    A pilot's own `press` waits forty milliseconds and more behind every key. That is left to it for
    keys that are neither letter, digit, space nor enter: many of them open or close a screen.
    """
    for name in names:
        if name in _TYPED or (len(name) == 1 and name.isalnum()):
            pilot.app.post_message(events.Key(name, _TYPED.get(name, name)))
        else:
            await _through(pilot)
            await pilot.press(name)
    await _through(pilot)
    await pilot.pause()


async def _through(pilot: Pilot[Any]) -> None:
    """Wait until the app, which takes keys one by one, has taken all of them."""
    app = pilot.app
    assert isinstance(app, AffrayApp)
    while app.is_running and (app.message_queue_size or app.one_by_one.is_busy):
        await asyncio.sleep(0)
