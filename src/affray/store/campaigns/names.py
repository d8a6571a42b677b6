"""Names of campaigns and encounters: what may be one, and where it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from affray.core.language.ids import id_of
from affray.core.language.refusal import Refused
from affray.core.telling.plain import one_line
from affray.store.campaigns.files import ABOUT, name_of
from affray.store.campaigns.rows import with_key
from affray.store.disk import explained, renew, said_of
from affray.store.log_file import LogFile
from affray.store.recovery import LogText
from affray.store.toml_block import SEPARATOR, emit_header, header_sum, sealed_header

_MOST = 60
"""Characters of a file's name that come from a title."""


def stem_of(title: str, what: str) -> str:
    """The name of a file after a title. Raises Refused for one without letters or digits."""
    stem = id_of(title)[:_MOST]
    if not stem:
        raise Refused(f"{what} needs at least one letter")
    return stem


def free_name(folder: Path, stem: str, suffix: str = "") -> Path:
    """The first name in a folder that nothing has yet: `ford.toml`, `ford-2.toml`."""
    names: Iterator[str] = chain([stem], (f"{stem}-{number}" for number in count(2)))
    return next(p for name in names if not (p := folder / f"{name}{suffix}").exists())


def rename_encounter(path: Path, title: str) -> str:
    """Give an encounter another title; gives the old one. Its file keeps its name.

    Raises Refused for a title without letters, LogError for a log that can't be written.
    """
    stem_of(title, "a title")
    log = LogFile.open(path)
    try:
        with explained(path):
            raw = path.read_bytes()
            renew(path, raw, retitled(raw, log.text, one_line(title)))
        return str(log.text.header.get("title", ""))
    finally:
        log.close()


def retitled(raw: bytes, text: LogText, title: str, created: datetime | None = None) -> bytes:
    """The bytes of a log with another title, and another beginning if one is given.

    The rest is as it was, comments too, unless the header is written otherwise than affray does.
    """
    header = {**text.header, "title": title}
    header |= {} if created is None else {"created": created}
    head, separator, entries = raw.partition(SEPARATOR)
    wanted = {key: value for key, value in header.items() if key in ("title", "created")}
    if "sum" in header:
        header["sum"] = wanted["sum"] = header_sum(header)
    for key, value in wanted.items():
        line = emit_header({key: value}).rstrip(b"\n")
        head, times = _with_line(head, key, line)
        if times != 1:  # a hand has written it otherwise: all of it is written anew
            head = sealed_header({key: value for key, value in header.items() if key != "sum"})
            break
    return head + separator + entries


def _with_line(head: bytes, key: str, line: bytes) -> tuple[bytes, int]:
    """The header with that line for a key, and how many lines of that key there were."""
    return re.subn(rb"^%b = [^\r\n]*" % key.encode(), lambda _: line, head, flags=re.MULTILINE)


def rename_campaign(folder: Path, name: str) -> str:
    """Give a campaign another name; gives the old one. Its folder keeps its name.

    Raises Refused for a name without letters or a campaign.toml that can't be read, LogError when
    it can't be written.
    """
    stem_of(name, "a name")
    file = folder / ABOUT
    with said_of(file):
        raw = file.read_bytes() if file.exists() else None
        old = name_of(folder)
        text = raw.decode() if raw is not None else ""
        try:
            renew(file, raw, with_key(text, "name", one_line(name)).encode())
        except Refused as refusal:
            raise Refused(f"{file} {refusal}") from None
    return old
