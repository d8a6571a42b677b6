"""What is pasted is text, whatever is in it, and never keys.

Textual (8.2) knows the beginning and the end of a paste, but takes an escape sequence in between
for keys: they come before the text of the paste, and there is nothing to tell them by. So what lies
between the two marks is rid of control characters before Textual sees it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import wraps
from typing import Any

from affray.core.telling.plain import plain
from affray.tui.toolkit import Function, guard, xterm_parser

START, END = "\x1b[200~", "\x1b[201~"
_KEPT = ("\t", "\r", "\n")
_LINE_END = re.compile(r"([\t\r\n])")
_BLANKS = re.compile(r"[\t\r\n\x0b\x0c\x85\u2028\u2029]+")


def clean(text: str) -> str:
    """Pasted text as one line without control characters."""
    line = _BLANKS.sub(" ", text.strip())
    return "".join(character for character in line if character.isprintable())


def _shown(text: str) -> str:
    """The text without what can't be seen, its tabs and line ends kept."""
    return "".join(part if part in _KEPT else plain(part) for part in _LINE_END.split(text))


class PasteFilter:
    """Rids pastes in what a terminal sends of what can't be seen, however it is cut into parts."""

    def __init__(self) -> None:
        self._pasting = False
        self._held = ""  # what may be the beginning of a mark

    def feed(self, data: str) -> str:
        """What is to be read in place of the next part."""
        data, self._held = self._held + data, ""
        made = []
        while data:
            mark = END if self._pasting else START
            before, found, rest = data.partition(mark)
            if self._pasting and found:
                before, rest = self._to_last_end(before, rest)
            if not found:
                before = self._hold(before, mark) if self._pasting else before
            made.append(_shown(before) if self._pasting else before)
            if found:
                made.append(mark)
                self._pasting = not self._pasting
            data = rest
        return "".join(made)

    def _to_last_end(self, before: str, rest: str) -> tuple[str, str]:
        """A mark in the text itself ends nothing: the last one before another paste does."""
        inside, found, behind = rest.partition(START)
        more, end, tail = inside.rpartition(END)
        return (f"{before} {more}", f"{tail}{found}{behind}") if end else (before, rest)

    def _hold(self, text: str, mark: str) -> str:
        """Keep back what may be the beginning of the mark."""
        for cells in range(min(len(mark) - 1, len(text)), 0, -1):
            if mark.startswith(text[-cells:]):
                self._held = text[-cells:]
                return text[:-cells]
        return text


def guard_pastes() -> None:
    """Have Textual's parser read what the filter lets through. A second time does nothing."""
    guard(xterm_parser(), "feed", _filtered)


def _filtered(feed: Function) -> Function:
    @wraps(feed)
    def guarded(self: Any, data: str) -> Iterable[Any]:
        filters = self.__dict__.setdefault("_pastes", PasteFilter())
        passed = filters.feed(data) if data else ""
        return feed(self, passed) if passed or not data else ()

    return guarded
