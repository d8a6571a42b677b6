"""What a terminal sends that is no key is passed over, and never ends the program.

Textual (8.2) ends with a traceback when a byte is no UTF-8, when a code has a number in it that is
no character, and when a mouse reports from a window without a size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, wraps
from typing import Any

from affray.tui.toolkit import Function, guard, linux_driver, xterm_parser

_WRONG = (ValueError, OverflowError, ZeroDivisionError)


def guard_codes() -> None:
    """Have Textual pass over what it can't read. A second time does nothing."""
    guard(xterm_parser(), "_sequence_to_key_events", _keys_or_none)
    guard(xterm_parser(), "parse_mouse_code", _event_or_none)
    if (driver := linux_driver()) is not None:
        guard(driver, "getincrementaldecoder", _forgiving)


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


def _forgiving(decoder_of: Function) -> Callable[[str], Function]:
    """Decoders that put a `�` for every byte that is none of their encoding."""

    @wraps(decoder_of)
    def guarded(encoding: str) -> Function:
        return partial(decoder_of(encoding), "replace")

    return guarded
