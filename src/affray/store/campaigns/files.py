"""Read a campaign's TOML files, and cache them until a file is saved again."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from affray.core.parser.errors import Refused
from affray.data_text import Table, read_toml
from affray.rulesets import DEFAULT
from affray.store.filesystem import one_spelling, read_bytes
from affray.store.own_folder import OwnFolder

ENCOUNTERS = "encounters"
ABOUT, RULES = "campaign.toml", "rules.toml"
"""A campaign's name and rule system, and its house rules."""
PARTY, BESTIARY = "party.toml", "bestiary.toml"
"""Its people, a row each."""
AWAY = "put-away"
"""The folder of archived encounters or campaigns."""
LEDGER, LEDGER_TITLE = "ledger.toml", "Ledger"
"""A campaign's log of what happens between its fights."""
READ_AS = "utf-8-sig"
"""The encoding of these files: some editors put a byte order mark before UTF-8."""
MOST_BYTES = 64 * 1024 * 1024
"""The size of such a file that is read: the largest bestiaries known have 20 MB."""
LARGE = 256 * 1024
"""The size from which a file, such as an imported bestiary, is cached parsed on disk."""


def is_campaign(folder: Path) -> bool:
    """True if a folder is a campaign: it has a campaign.toml or encounters. Raises OSError."""
    if (folder / ABOUT).is_file():
        return True
    inner = folder / ENCOUNTERS
    return (
        inner.is_dir() and not (inner / ABOUT).is_file()
    )  # else `encounters` is a campaign itself


def campaign_of(path: Path) -> Path | None:
    """Return the campaign folder of an encounter's file or a ledger, or None."""
    file = Path(os.path.realpath(path))  # unlike Path.resolve, accepts a link to itself
    if is_ledger(file):
        return file.parent
    return file.parent.parent if file.parent.name == ENCOUNTERS else None


def is_ledger(path: Path) -> bool:
    """True if the path is that of a campaign's ledger, whether the file exists or not."""
    file = Path(os.path.realpath(path))
    if file.name != LEDGER:
        return False
    try:
        return is_campaign(file.parent)
    except OSError:
        return False


def encounters_of(folder: Path, within: str = ENCOUNTERS) -> list[Path]:
    """List the files of a campaign's encounters by name; empty if there is no folder for them.

    `within` is the subfolder: `ENCOUNTERS`, or `AWAY` for those that were archived.
    """
    try:
        return [path for path in listed(folder / within) if path.suffix == ".toml"]
    except (FileNotFoundError, NotADirectoryError):
        return []


def listed(folder: Path) -> list[Path]:
    """List a folder by name, without hidden files, such as the `._ford.toml` that a Mac puts beside
    ford.toml on other systems' disks. Raises OSError."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def stem_of(path: Path) -> str:
    """Return a file's name without its ending, in one spelling."""
    return one_spelling(path.stem)


def exists(file: Path) -> bool:
    """True if there is such a file.

    Raises Refused if nobody can tell, or if it is no plain file: a folder, a pipe, a dead link.
    """
    try:
        if stat.S_ISREG(file.stat().st_mode):
            return True
    except (FileNotFoundError, NotADirectoryError):
        if not file.is_symlink():
            return False
    except OSError as error:
        raise Refused(f"{file}: {error.strerror}") from None
    raise Refused(f"{file}: not a plain file")


def load_toml(file: Path) -> Table:
    """Load a TOML file, cached until it is saved again. Raises Refused if it can't be read."""
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):  # reading a pipe would wait for its other end
            raise Refused(f"{file}: not a plain file")
        # A disk with whole seconds needs the inode, which changes when a file is saved again.
        return _parsed(file, (status.st_mtime_ns, status.st_size, status.st_ino))
    except OSError as error:
        raise Refused(f"{file}: {error.strerror}") from None


def row_keys(file: Path) -> set[str]:
    """Return the ids of the rows in a file, in small letters; empty if there is no file."""
    return {key.casefold() for key in load_toml(file)} if exists(file) else set()


def load_text(file: Path) -> str:
    """Return the text of a campaign's file. Raises OSError, UnicodeDecodeError."""
    return read_bytes(file, MOST_BYTES).decode(READ_AS)


@lru_cache(maxsize=16)
def _parsed(file: Path, stamp: tuple[int, ...]) -> Table:
    try:
        if stamp[1] < LARGE:
            return read_toml(load_text(file))
        return cached_parse(file, stamp, lambda: read_toml(load_text(file)))
    except ValueError as error:
        raise Refused(f"{file}: not valid TOML: {error}") from None


def campaign_name(folder: Path) -> str:
    """Return a campaign's name, or its folder's. Raises Refused as `load_toml` does."""
    return str(_about(folder).get("name", folder.name))


def campaign_ruleset_id(folder: Path) -> str:
    """Return a campaign's rule system, or the default. Raises Refused as `load_toml` does."""
    return str(_about(folder).get("ruleset", DEFAULT))


def _about(folder: Path) -> Table:
    about = folder / ABOUT
    return load_toml(about) if exists(about) else {}


def ruleset_id_for(path: Path) -> str:
    """Return the rule system for a new encounter at `path`: its campaign's, or the default.

    Raises Refused for a campaign.toml that can't be read.
    """
    folder = campaign_of(path)
    return campaign_ruleset_id(folder) if folder else DEFAULT


# -------------------------------------------------------------------------------------------------
# 4 MB of TOML take half a second, so large files are kept parsed in the user's cache folder. A file
# that can't be cached is parsed each time.

MOST_KEPT = 8
"""How many files are kept; the oldest are removed first."""
_KEPT = re.compile(r"[0-9a-f]{32}\.msgpack")


def cached_parse(file: Path, stamp: tuple[int, ...], parse: Callable[[], Table]) -> Table:
    """Return the content of a file with that time, size and inode, from the cache or parsed."""
    from hashlib import sha256  # both here, since most campaigns have no large file

    from platformdirs import user_cache_path

    real = os.path.realpath(file)
    key = [real, *stamp]
    folder = OwnFolder(user_cache_path("affray", appauthor=False), "parsed")
    name = f"{sha256(os.fsencode(real)).hexdigest()[:32]}.msgpack"
    with suppress(OSError, ValueError, TypeError, RecursionError):
        found_key, found = msgspec.msgpack.decode(folder.read(name, MOST_BYTES))
        if found_key == key and isinstance(found, dict):
            return found
    parsed = parse()
    with suppress(OSError, ValueError, TypeError, OverflowError):
        _write_cache(folder, name, key, parsed)
    return parsed


def _write_cache(folder: OwnFolder, name: str, key: list[Any], parsed: Table) -> None:
    """Write the cache, unless MessagePack would change a value: it has no dates, for example."""
    data = msgspec.msgpack.encode([key, parsed])
    if msgspec.msgpack.decode(data) != [key, parsed]:
        return
    folder.replace(name, data)
    by_age = sorted(
        filter(_KEPT.fullmatch, folder.listed()), key=lambda each: folder.stamp(each)[2]
    )
    for each in by_age[:-MOST_KEPT]:
        folder.remove(each)
