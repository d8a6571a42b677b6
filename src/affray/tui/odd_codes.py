"""What a terminal sends that is no key is passed over, and never ends the program.

Textual (8.2) ends with a traceback when a byte is no UTF-8, when a code has a number in it that is
no character, and when a mouse reports from a window without a size.
"""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable
from functools import partial, wraps
from typing import Any

_WRONG = (ValueError, OverflowError, ZeroDivisionError)


def guard_codes() -> None:
    """Have Textual pass over what it can't read. A second time does nothing."""
    from textual._xterm_parser import XTermParser

    if hasattr(XTermParser.parse_mouse_code, "__wrapped__"):
        return
    keys, mouse = XTermParser._sequence_to_key_events, XTermParser.parse_mouse_code
    XTermParser._sequence_to_key_events = _keys_or_none(keys)  # type: ignore[method-assign]
    XTermParser.parse_mouse_code = _event_or_none(mouse)  # type: ignore[method-assign]
    if sys.platform != "win32":
        from textual.drivers import linux_driver

        linux_driver.getincrementaldecoder = _forgiving  # type: ignore[assignment,attr-defined]


def _keys_or_none(read: Callable[..., Iterable[Any]]) -> Callable[..., Iterable[Any]]:
    @wraps(read)
    def guarded(*sequence: Any, **how: Any) -> Iterable[Any]:
        try:
            return list(read(*sequence, **how))
        except _WRONG:
            return []

    return guarded


def _event_or_none(read: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(read)
    def guarded(*code: Any) -> Any:
        try:
            return read(*code)
        except _WRONG:
            return None

    return guarded


def _forgiving(encoding: str) -> Callable[[], Any]:
    """A decoder that puts a `�` for every byte that is none of its encoding."""
    return partial(getincrementaldecoder(encoding), "replace")
