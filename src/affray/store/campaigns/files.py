"""What a campaign's files say: TOML, read once and kept, and which rule system they are for."""

from __future__ import annotations

import os
import stat
from functools import lru_cache
from pathlib import Path
from typing import Any

import tomli

from affray.core.language.refusal import Refused
from affray.rulesets import DEFAULT

ENCOUNTERS = "encounters"
AWAY = "put-away"
"""The folder of what was put away."""


def campaign_of(path: Path) -> Path | None:
    """The campaign folder that an encounter's file belongs to, if it lies in one."""
    folder = Path(os.path.realpath(path)).parent  # which a link to itself doesn't trouble
    return folder.parent if folder.name == ENCOUNTERS else None


def is_there(file: Path) -> bool:
    """Whether there is such a file. Raises Refused for one that may not be looked at."""
    try:
        return file.is_file()
    except OSError as error:
        raise Refused(f"{file}: {error.strerror}") from None


def toml_of(file: Path) -> dict[str, Any]:
    """What a file says, kept until it is saved anew. Raises Refused for one that can't be read."""
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):  # reading a pipe would wait for its other end
            raise Refused(f"{file}: not a plain file")
        return _parsed(file, (status.st_mtime_ns, status.st_size))
    except OSError as error:
        raise Refused(f"{file}: {error.strerror}") from None


@lru_cache(maxsize=16)
def _parsed(file: Path, stamp: tuple[int, int]) -> dict[str, Any]:
    try:
        return tomli.loads(file.read_text("utf-8"))
    except (tomli.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise Refused(f"{file}: no TOML: {error}") from None


def ruleset_of(folder: Path) -> str:
    """The rule system of a campaign's folder, or the default. Raises Refused as `toml_of` does."""
    about = folder / "campaign.toml"
    return str(toml_of(about).get("ruleset", DEFAULT)) if about.is_file() else DEFAULT


def ruleset_id_for(path: Path) -> str:
    """The rule system of an encounter that is to lie at `path`: its campaign's, or the default.

    Raises Refused for a campaign.toml that can't be read.
    """
    folder = campaign_of(path)
    return ruleset_of(folder) if folder else DEFAULT
