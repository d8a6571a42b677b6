"""The last lines that were given in a fight, each once: what the command bar goes back to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

MOST = 500


class LastLines:
    """Lines, each once, the newest last: no more than `MOST`, whatever the fight's length."""

    def __init__(self, newest_first: Iterable[str]) -> None:
        found: dict[str, None] = {}
        for line in newest_first:
            found.setdefault(line)
            if len(found) == MOST:
                break
        self._lines = dict.fromkeys(reversed(found))

    def add(self, line: str) -> None:
        """It was given now."""
        self._lines.pop(line, None)
        self._lines[line] = None
        if len(self._lines) > MOST:
            del self._lines[next(iter(self._lines))]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)
