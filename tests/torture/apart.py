"""Work in a process of its own, with a limit: what hangs is broken off, and all that it started."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from multiprocessing import active_children, get_context
from multiprocessing.connection import Connection
from typing import Any, TypeVar

Result = TypeVar("Result")
TO_TIDY_UP = 5.0
"""Seconds that are left to take away folders and disks, before it is killed."""


class BrokenOff(Exception):  # noqa: N818
    """Work that did not come to its end."""


def apart(work: Callable[..., Result], *arguments: Any, seconds: float) -> Result:
    """What the work gives. Raises BrokenOff when it takes longer, or ends without an answer."""
    context = get_context("spawn")
    answer, answering = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(answering, work, arguments))
    process.start()
    answering.close()
    try:
        if not answer.poll(seconds):
            os.kill(process.pid, signal.SIGINT)
            raise BrokenOff(f"broken off after {seconds:g} seconds")
        result: Result = answer.recv()
    except EOFError:
        raise BrokenOff("it ended without an answer") from None
    finally:
        _end(process)
    return result


def break_off_all() -> None:
    """End all that runs apart: whoever waits for it gets BrokenOff."""
    for process in active_children():
        os.kill(process.pid, signal.SIGINT)


def _work(answering: Connection, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    os.setpgid(0, 0)  # a group with all that it starts
    signal.signal(signal.SIGINT, signal.default_int_handler)
    answering.send(work(*arguments))
    answering.close()


def _end(process: Any) -> None:
    process.join(TO_TIDY_UP)
    if process.is_alive():
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:  # it has no group yet
            process.kill()
    process.join()
