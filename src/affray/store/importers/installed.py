"""Formats that other packages add, through the entry-point group `affray.importers`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Literal

from msgspec.structs import replace

from affray.core.formatting.safe_text import to_one_line
from affray.store.importers import ImportFormat, UnreadableError

GROUP = "affray.importers"


def _asked(importer: str, ask: Callable[[Any], Any], data: Any) -> Any:
    """The answer of a package's function. Raises UnreadableError for any error in it."""
    try:
        return ask(data)
    except UnreadableError:
        raise
    except Exception as error:
        why = to_one_line(f"{type(error).__name__}: {error}")[:200]
        raise UnreadableError(f"the importer {importer} failed: {why}") from None


@lru_cache(1)
def _installed() -> tuple[ImportFormat, ...]:
    """The installed importers, by name. Raises UnreadableError for one that can't be loaded."""
    from importlib.metadata import entry_points  # here: it costs 15 ms, and most imports need none

    found = []
    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            loaded = entry.load()
        except Exception as error:
            why = to_one_line(f"{type(error).__name__}: {error}")[:200]
            raise UnreadableError(f"the importer {entry.name} can't be loaded: {why}") from None
        if not isinstance(loaded, ImportFormat):
            raise UnreadableError(f"the importer {entry.name} is not an ImportFormat")
        ask = partial(_asked, entry.name)
        found.append(
            replace(loaded, holds=partial(ask, loaded.holds), read=partial(ask, loaded.read))
        )
    return tuple(found)


def installed_formats(of: Literal["json", "text"]) -> tuple[ImportFormat, ...]:
    """Return the formats of other packages that take JSON, or those that take a text.

    Raises UnreadableError for one that is installed and can't be loaded.
    """
    return tuple(each for each in _installed() if each.of == of)
