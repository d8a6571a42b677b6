"""What is changed in Textual by names that it doesn't promise, and how to do without them.

A release may rename them. Then nothing is changed there, and a line in Textual's own log says so,
which is seen with TEXTUAL_LOG=FILE alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import log
from textual.geometry import Region
from textual.widget import Widget

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


def paint_soon(widget: Widget, *regions: Region) -> bool:
    """Have these regions of a widget, or all of it, be in the next picture.

    Its `refresh` has three messages sent for that, which take as long as painting a row does. False
    when that way isn't there any more: then nothing has been done.
    """
    screen = widget.screen
    dirty, set_dirty = getattr(screen, "_dirty_widgets", None), getattr(widget, "_set_dirty", None)
    if dirty is None or set_dirty is None:
        return False
    set_dirty(*regions)
    dirty.add(widget)
    screen.check_idle()
    return True


def guard(owner: Any, name: str, around: Callable[[Function], Function]) -> None:
    """Put something around a function of the toolkit's; a second time does nothing."""
    found = getattr(owner, name, None)
    if found is None:
        log.warning(f"affray: Textual has no {name} any more, which is left unguarded")
    elif not hasattr(found, "__wrapped__"):
        setattr(owner, name, around(found))
