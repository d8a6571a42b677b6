"""What the system tells the program: to end, that its terminal is gone, to go on after a stop.

Everything is saved already at any moment, so to end is to give the terminal back, and no more.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from threading import Thread

from textual.app import App

from affray.tui.toolkit import linux_driver

ENDED_BY_SIGNAL = 128
"""What shells add to a signal's number, to make an exit status of it."""

HUNG_UP = ENDED_BY_SIGNAL + 1
"""The exit status when the terminal is gone, as for SIGHUP, which is number 1."""

LOOK_EVERY = 1000
"""Milliseconds after which the terminal is looked at, though nothing was heard of it."""


def leave_when_told(app: App[None]) -> None:
    """End in order when the system asks for it or the terminal goes away."""

    def leave(number: int, _: object) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # nothing is on the screen yet, or any more
            raise SystemExit(ENDED_BY_SIGNAL + number) from None
        loop.call_soon_threadsafe(lambda: app.exit(return_code=ENDED_BY_SIGNAL + number))

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), leave)
    if hasattr(select, "poll") and sys.stdin is not None and sys.stdin.isatty():
        Thread(target=_hang_up, daemon=True).start()


def _hang_up() -> None:
    """Send this process SIGHUP once the terminal is gone.

    The system sends it to whoever leads the terminal's session alone. To all others reading gives
    an end of the file from then on, which Textual (8.2) reads again and again.
    """
    while not is_terminal_gone(LOOK_EVERY):
        pass
    os.kill(os.getpid(), signal.SIGHUP)


def is_terminal_gone(wait: int = 0) -> bool:
    """Whether standard input is a terminal that is there no more; waits so many milliseconds."""
    if not hasattr(select, "poll") or sys.stdin is None:  # Windows has no poll
        return False
    watched = select.poll()
    watched.register(sys.stdin.fileno(), 0)  # that it has hung up is told unasked
    return bool(watched.poll(wait))


def go_on_after_stops(app: App[None]) -> None:
    """Take the terminal anew when the program goes on after a stop, and give it back before one.

    The shell has set the terminal as it likes it meanwhile. (What Textual 8.2 does at SIGCONT is to
    begin once more, on top of what it has begun already, unless SIGTSTP had come before.)
    """
    reader = getattr(linux_driver(), "LinuxDriver", None)  # the one that reads a terminal
    if app.is_headless or reader is None or not issubclass(app.driver_class, reader):
        return
    loop = asyncio.get_running_loop()
    goes_on = False  # whether it was told to go on before it has stopped: nobody tells it again

    def stop() -> None:
        if app.return_code is None:  # it is not about to end
            with app.suspend():
                if not goes_on:
                    os.kill(os.getpid(), signal.SIGSTOP)

    def go_on() -> None:
        if app.return_code is None:
            with app.suspend():
                pass

    def when_told(number: int, _: object) -> None:
        nonlocal goes_on
        goes_on = number == signal.SIGCONT
        loop.call_soon_threadsafe(go_on if goes_on else stop)

    signal.signal(signal.SIGTSTP, when_told)
    signal.signal(signal.SIGCONT, when_told)
