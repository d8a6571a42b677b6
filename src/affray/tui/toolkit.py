"""What is changed in Textual by names that it doesn't promise, and how to do without them.

A release may rename them. Then nothing is changed there, and a line in Textual's own log says so,
which is seen with TEXTUAL_LOG=FILE alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import log

Function = Callable[..., Any]


def xterm_parser() -> Any:
    """The class that makes keys and mice of what a terminal sends; None when it isn't there."""
    try:
        from textual._xterm_parser import XTermParser
    except ImportError:
        return None
    return XTermParser


def linux_driver() -> Any:
    """The module that reads a terminal; None where there is none, as on Windows."""
    try:
        from textual.drivers import linux_driver
    except ImportError:
        return None
    return linux_driver


def guard(owner: Any, name: str, around: Callable[[Function], Function]) -> None:
    """Put something around a function of the toolkit's; a second time does nothing."""
    found = getattr(owner, name, None)
    if found is None:
        log.warning(f"affray: Textual has no {name} any more, which is left unguarded")
    elif not hasattr(found, "__wrapped__"):
        setattr(owner, name, around(found))
