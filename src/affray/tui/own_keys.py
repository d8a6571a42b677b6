"""The user's own keys: `keys.toml` in the configuration folder, from a key's id to a key.

next = "enter"
undo = "u ctrl+z"
technique.strike = "1"
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import platformdirs
import tomli

from affray.store.disk import reason

FILE = "keys.toml"


def config_folder() -> Path:
    """Where the user's configuration is; AFFRAY_CONFIG names another folder."""
    named = os.environ.get("AFFRAY_CONFIG", "")
    return Path(named) if named else Path(platformdirs.user_config_dir("affray", appauthor=False))


def own_file(path: Path) -> dict[str, Any]:
    """What a file of the user's says; nothing where there is none.

    Raises OSError or ValueError for what is no plain file, no text or no TOML, RecursionError for
    what is too deep.
    """
    if path.exists() and not path.is_file():  # reading a pipe would wait for its other end
        raise OSError(errno.EINVAL, "not a plain file")
    try:
        return tomli.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}


def own_keys(folder: Path | None = None) -> tuple[dict[str, str], list[str]]:
    """The user's keys, and a line for each entry that can't be read. A missing file is no fault."""
    path = (folder or config_folder()) / FILE
    try:
        found = own_file(path)
    except (OSError, ValueError, RecursionError) as error:
        return {}, [f"{path} is left aside: {reason(error)}"]
    keys: dict[str, str] = {}
    complaints = []
    for name, pressed in _flat(found):
        if isinstance(pressed, str) and pressed.split():
            keys[name] = pressed
        else:
            complaints.append(f"{FILE}: {name} must be a key in quotes, not {pressed!r}")
    return keys, complaints


def _flat(table: dict[str, Any], head: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            rows += _flat(value, f"{head}{name}.")
        else:
            rows.append((f"{head}{name}", value))
    return rows
