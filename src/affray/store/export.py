"""A campaign or an encounter as one file that people can read, and such a file restored.

The file is TOML: a table `[[file]]` for each file, with its text unchanged, so that it can be read,
searched, mailed and kept in git. A restored file is byte for byte the exported one, except the name
of a campaign if another has it. Start reading with `export_campaign` and `restore`.
"""

from __future__ import annotations

import base64
import os
import zlib
from codecs import BOM_UTF8
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from affray.core.formatting.safe_text import to_id
from affray.core.parser.errors import Refused, join_or
from affray.data_text import Table, read_toml
from affray.store import LogError, filesystem
from affray.store.campaigns.files import (
    ABOUT,
    BESTIARY,
    ENCOUNTERS,
    PARTY,
    RULES,
    campaign_name,
    campaign_of,
    exists,
)
from affray.store.campaigns.find import (
    campaign_folders,
    file_stem,
    find_campaigns,
    free_name,
    rename_campaign,
)
from affray.store.campaigns.manage import stage_folder
from affray.store.entry_toml import format_header
from affray.store.log_file import read_log

FIRST_LINE = b"# affray export: a campaign in one file. `affray import FILE` brings it back.\n"
CAMPAIGN, ENCOUNTER = "campaign", "encounter"
"""The two kinds of export, as the file's `what`."""
_BEGINS = b"# affray export"
EXPORT = 1
"""The format number of export files."""
CAMPAIGN_FILES = (ABOUT, PARTY, BESTIARY, RULES)
"""The campaign's files that an encounter needs, besides its own."""
_CONTROL = frozenset(map(chr, range(32))) - {"\n", "\t"} | {"\x7f"}
"""Control characters that TOML doesn't allow in a text."""


class ExportResult(NamedTuple):
    """A file's content, and a line for each thing of the campaign that was left out."""

    content: bytes
    left_out: list[str]


class RestoreResult(NamedTuple):
    """The path of the restored campaign or log, and a note for each file that was altered."""

    path: Path
    notes: list[str]


# -- out -------------------------------------------------------------------------------------------


def export_campaign(folder: Path) -> ExportResult:
    """Export a campaign's folder, without hidden files, locks, links and unreadable files.

    Raises LogError.
    """
    name = campaign_name(folder)
    paths: dict[str, Path] = {}
    left_out = []
    with filesystem.file_error_from(folder):
        for path in sorted(folder.rglob("*")):
            inner = path.relative_to(folder)
            why = "" if _is_hidden_or_lock(inner) else _why_left_out(path, inner.as_posix())
            if why:
                left_out.append(f"{inner.as_posix()} {why}, so was left out")
            elif path.is_file() and not _is_hidden_or_lock(inner):
                paths[inner.as_posix()] = path
    return ExportResult(_format_export(CAMPAIGN, folder, name, paths), left_out)


def export_encounter(path: Path) -> ExportResult:
    """Export an encounter with the campaign files it needs. Raises LogError for no log."""
    title = str(read_log(path).header.get("title", "")) or path.stem
    folder = campaign_of(path)
    if folder is None:
        files = {f"{ENCOUNTERS}/{path.name}": path}
        return ExportResult(_format_export(ENCOUNTER, path.parent, title, files), [])
    files = {name: folder / name for name in CAMPAIGN_FILES if exists(folder / name)}
    files[f"{ENCOUNTERS}/{path.name}"] = path
    return ExportResult(_format_export(ENCOUNTER, folder, title, files), [])


def write_export(exported: ExportResult, target: Path) -> None:
    """Save an export to a new file. Raises LogError if it exists, or can't be written."""
    try:
        filesystem.publish_atomically(target, exported.content)
    except FileExistsError:
        raise LogError(f"{target} exists already; nothing was changed") from None
    except OSError as error:
        raise LogError(f"{target}: {filesystem.os_error_text(error)}") from error


def _why_left_out(path: Path, name: str) -> str:
    """Say why a file or folder can't be exported; empty if it can."""
    if not _is_exported_name(name):
        return "has a name that some systems don't allow"
    if path.is_symlink():
        return "is a link"
    try:
        if path.is_dir():
            os.scandir(path).close()
        elif not path.is_file():
            return "is not a file"  # a pipe, say, which would be read for ever
        else:
            path.open("rb").close()
    except OSError as error:
        return f"can't be read ({filesystem.os_error_text(error)})"
    return ""


def _is_hidden_or_lock(inner: Path) -> bool:
    return inner.suffix == ".lock" or any(part.startswith(".") for part in inner.parts)


def _format_export(what: str, folder: Path, name: str, files: dict[str, Path]) -> bytes:
    """Return the file's bytes; `files` maps paths within the campaign to real ones."""
    header = {"export": EXPORT, "what": what, "name": name, "folder": folder.resolve().name}
    parts = [FIRST_LINE, format_header(header)]
    for inner, path in files.items():
        with filesystem.file_error_from(path):
            raw = filesystem.read_bytes(path)
        try:
            parts += [b"\n[[file]]\n", _format_file(inner, raw)]
        except ValueError as error:  # a name that is no text
            raise LogError(f"{folder}: a file's name can't be written ({error})") from None
    return b"".join(parts)


def _format_file(name: str, raw: bytes) -> bytes:
    """Format a file's table: its text unchanged if TOML can hold it, else in base64."""
    about: Table = {"path": name, "sum": _sum(raw)}
    ends = raw.count(b"\r\n")
    if ends and ends == raw.count(b"\n") == raw.count(b"\r"):
        about["lines"] = "crlf"
        raw_text = raw.replace(b"\r\n", b"\n")
    else:
        raw_text = raw
    if _is_text(raw_text):
        return format_header(about) + b"text = '''\n%b'''\n" % raw_text
    about.pop("lines", None)
    coded = base64.encodebytes(raw)
    return format_header(about) + b"base64 = '''\n%b'''\n" % coded


def _is_text(raw: bytes) -> bool:
    """True if TOML can hold these bytes unchanged between three quotes."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return False
    return "'''" not in text and not text.endswith("'") and _CONTROL.isdisjoint(text)


def _sum(raw: bytes) -> str:
    return f"{zlib.crc32(raw):08x}"


# -- back ------------------------------------------------------------------------------------------


def is_export(path: Path) -> bool:
    """True if a file begins as an export does."""
    head = filesystem.read_head(path, len(BOM_UTF8) + len(_BEGINS))
    return head.removeprefix(BOM_UTF8).startswith(_BEGINS)


def restore(path: Path, into: Path | None = None) -> RestoreResult:
    """Restore an export as a campaign under a free name; or `into` a campaign, an encounter's log.

    Nothing that exists is changed, and either all is restored or nothing. Raises LogError for a
    file that is no export or can't be written, Refused for a whole campaign `into` another.
    """
    about, files = _read_export(path)
    notes = [
        f"{name} has changed since it was exported" for name, (_, same) in files.items() if not same
    ]
    if into is None:
        target, name = _restore_campaign(about, files)
        taken = f"there is a campaign {about.get('name')!r} already: this one is {name!r}"
        return RestoreResult(target, [*notes, taken] if name else notes)
    if about["what"] != ENCOUNTER:
        raise Refused("a whole campaign is restored as its own campaign: leave out --into")
    (log,) = (name for name in files if name not in CAMPAIGN_FILES)
    folder = into / ENCOUNTERS
    with filesystem.file_error_from(folder):
        folder.mkdir(exist_ok=True)
        target = free_name(folder, PurePosixPath(log).stem, ".toml")
        filesystem.publish_atomically(target, files[log][0])
    return RestoreResult(target, notes)


def _free_title(name: str) -> str:
    """Another name for a campaign where one that is there has its name; empty if none has."""
    names = {to_id(campaign.name) for campaign in find_campaigns(away=True)}
    if to_id(name) not in names:
        return ""
    return next(n for n in (f"{name} {number}" for number in count(2)) if to_id(n) not in names)


_Files = dict[str, tuple[bytes, bool]]
"""A file's path -> its bytes, and whether they are unaltered."""


def _restore_campaign(about: Table, files: _Files) -> tuple[Path, str]:
    """The new campaign's folder, and its name if that isn't the exported one, which is taken."""
    parent = campaign_folders()[-1]
    stem = file_stem(
        str(about.get("folder", "")) or str(about.get("name", "")), "its folder's name"
    )
    with filesystem.file_error_from(parent):
        parent.mkdir(parents=True, exist_ok=True)
        target = free_name(parent, stem)
        other = _free_title(str(about.get("name", "")))
        with stage_folder(target) as draft:
            (draft / ENCOUNTERS).mkdir(parents=True)
            for name, (raw, _) in files.items():
                place = draft / name
                place.parent.mkdir(parents=True, exist_ok=True)
                filesystem.create_file(place, raw)
            if other:
                rename_campaign(draft, other)
        filesystem.sync_folder(parent)
    return target, other


def _read_export(path: Path) -> tuple[Table, _Files]:
    """Return an export's header and files. Raises LogError if it is no export."""
    with filesystem.file_error_from(path):
        raw = filesystem.read_bytes(path)
    try:
        about = read_toml(raw.decode("utf-8-sig"))
    except ValueError as error:
        raise LogError(f"{path} is damaged: {filesystem.os_error_text(error)}") from None
    version = about.get("export")
    if type(version) is not int or version < 1:
        raise LogError(f"{path} is not an affray export: it has no `export`")
    if version > EXPORT:
        raise LogError(f"{path}: a later affray wrote it")
    tables = about.get("file")
    if not isinstance(tables, list) or not tables:
        raise LogError(f"{path}: it has no files")
    files: _Files = {}
    seen_names: set[str] = set()
    for number, table in enumerate(tables, 1):
        try:
            name = _checked_path(table["path"])
            coded = "base64" in table
            raw = base64.b64decode(table["base64"]) if coded else table["text"].encode()
            if not coded and table.get("lines") == "crlf":
                raw = raw.replace(b"\n", b"\r\n")
            same = filesystem.one_spelling(name).casefold()
            if same in seen_names:
                raise ValueError(f"{name} is in it twice")
            seen_names.add(same)
            files[name] = raw, _sum(raw) == table.get("sum")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LogError(
                f"{path}: file {number} can't be read: {filesystem.os_error_text(error)}"
            ) from None
    _check_what(path, about.get("what"), files)
    return about, files


def _check_what(path: Path, what: Any, files: _Files) -> None:
    """Raise LogError if the files don't fit the export's kind."""
    if what not in (CAMPAIGN, ENCOUNTER):
        raise LogError(f"{path}: expected what = {CAMPAIGN!r} or {ENCOUNTER!r}, found {what!r}")
    if what == CAMPAIGN:
        return
    log = next((name for name in files if name.startswith(f"{ENCOUNTERS}/")), None)
    if log is None:
        raise LogError(f"{path}: it has no encounter")
    others = [name for name in files if name not in (*CAMPAIGN_FILES, log)]
    if others:
        raise LogError(f"{path} should have one encounter, but also has {join_or(others, 'and')}")


def _checked_path(name: Any) -> str:
    """Check a path within the folder. Raises ValueError if it leads elsewhere, or is hidden."""
    parts = name.split("/")
    is_odd = any(part.startswith(".") or not part.strip() for part in parts)
    if is_odd or not _is_exported_name(name):
        raise ValueError(f"{name!r} is not a path within a campaign")
    if filesystem.ON_WINDOWS and not all(map(filesystem.is_name_on_windows, parts)):
        raise ValueError(f"Windows allows no file called {name!r}: change its `path`")
    return str(name)


def _is_exported_name(name: str) -> bool:
    """True if a path within a campaign has no sign that leads elsewhere on some system."""
    return not any(mark in name for mark in '\\:*?"<>|\0')
