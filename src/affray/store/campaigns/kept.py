"""What large files say, kept parsed among the user's caches: 4 MB of TOML take half a second.

Nothing hangs on it: what can't be kept, or isn't there, is parsed anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from affray.store.disk import FLAGS

MOST_KEPT = 8
"""How many files are kept; those that were used longest ago go first."""


def kept_parsed(
    file: Path, stamp: tuple[int, int], parse: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """What a file with that time and size says: as it was kept, else parsed, and kept then."""
    from platformdirs import user_cache_path  # here, since most campaigns have no large file

    real = os.path.realpath(file)
    key = [real, *stamp]
    folder = user_cache_path("affray", appauthor=False) / "parsed"
    kept = folder / f"{sha256(os.fsencode(real)).hexdigest()[:32]}.msgpack"
    with suppress(OSError, msgspec.DecodeError, ValueError, TypeError):
        found_key, found = msgspec.msgpack.decode(kept.read_bytes())
        if found_key == key and isinstance(found, dict):
            return found
    parsed = parse()
    with suppress(OSError, ValueError, TypeError, OverflowError):
        _keep(folder, kept, key, parsed)
    return parsed


def _keep(folder: Path, kept: Path, key: list[Any], parsed: dict[str, Any]) -> None:
    """Keep it, if it is the same when it is read again; a date, say, would be a text."""
    data = msgspec.msgpack.encode([key, parsed])
    if msgspec.msgpack.decode(data) != [key, parsed]:
        return
    folder.mkdir(parents=True, exist_ok=True)
    draft = kept.with_name(f"{kept.name}.{os.getpid()}.new")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | FLAGS, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
    draft.replace(kept)
    others = sorted(folder.glob("*.msgpack"), key=lambda each: each.stat().st_mtime)
    for each in others[:-MOST_KEPT]:
        each.unlink(missing_ok=True)
