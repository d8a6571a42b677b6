"""The files in an archive (a ZIP, a gzip, or a tar in one), read in memory: none goes to the
disk."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator

from affray.store.importers import UnreadableError

MOST_BYTES = 200 * 1024 * 1024
"""The largest size of an unpacked archive."""
MOST_FILES = 10_000
_SHEETS = ("xl/workbook.xml", "[Content_Types].xml", "content.xml")
"""The parts of a ZIP that make it a spreadsheet, or another office document."""
_SPOILT = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, RuntimeError,
           NotImplementedError, ValueError)  # fmt: skip
TOO_MUCH = f"an archive with more than {MOST_BYTES // 1024**2} MB or {MOST_FILES:,} files in it"


def is_archive(data: bytes) -> bool:
    """True if data is a gzip, or a ZIP that is no spreadsheet."""
    if data[:2] == b"\x1f\x8b":
        return True
    return data[:4] == b"PK\x03\x04" and not any(name in _SHEETS for name in _names(data))


def _names(data: bytes) -> list[str]:
    try:
        return zipfile.ZipFile(io.BytesIO(data)).namelist()
    except _SPOILT:  # a spreadsheet has its parts' names at the beginning as well
        return list(_SHEETS) if any(name.encode() in data for name in _SHEETS) else []


def members_of(data: bytes, name: str) -> Iterator[tuple[str, bytes, str]]:
    """The files in an archive of that name: each with its path in it, its data, and the fault if
    that can't be unpacked. Raises UnreadableError for the whole."""
    try:
        if data[:2] == b"\x1f\x8b":
            yield from _of_gzip(data, name)
        else:
            yield from _of_zip(data)
    except _SPOILT as error:
        if isinstance(error, UnreadableError):
            raise
        words = " ".join(str(error).split())
        raise UnreadableError(f"an archive that can't be read: {words}") from None


def _inside(path: str) -> str:
    """The path without parts that lead out of its archive."""
    parts = (re.sub(r"^[A-Za-z]:", "", part) for part in path.replace("\\", "/").split("/"))
    return "/".join(part for part in parts if part not in ("", ".", ".."))


def is_bounded(archive: zipfile.ZipFile) -> bool:
    """True if a ZIP is packed in the usual way: bzip2 and LZMA have no bound when unpacking."""
    bounded = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return all(row.compress_type in bounded for row in archive.infolist())


def _of_zip(data: bytes) -> Iterator[tuple[str, bytes, str]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        rows = [row for row in archive.infolist() if not row.is_dir()]
        if len(rows) > MOST_FILES or sum(row.file_size for row in rows) > MOST_BYTES:
            raise UnreadableError(TOO_MUCH)
        if any(row.flag_bits & 1 for row in rows):
            raise UnreadableError("an archive with a password")
        if not is_bounded(archive):
            raise UnreadableError(
                "an archive packed by bzip2 or LZMA: pack it again as a usual ZIP"
            )
        for row in rows:
            if path := _inside(row.filename):
                try:
                    with archive.open(row) as file:
                        found = file.read(row.file_size)  # no more than it says it has
                except _SPOILT as error:
                    yield path, b"", f"damaged in its archive: {' '.join(str(error).split())}"
                    continue
                yield path, found, ""


def _of_gzip(data: bytes, name: str) -> Iterator[tuple[str, bytes, str]]:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        whole = file.read(MOST_BYTES + 1)
    if len(whole) > MOST_BYTES:
        raise UnreadableError(TOO_MUCH)
    if whole[257:262] != b"ustar":
        yield name.removesuffix(".gz") or name, whole, ""
        return
    with tarfile.open(fileobj=io.BytesIO(whole)) as archive:
        rows = [row for row in archive.getmembers() if row.isfile()]
        if len(rows) > MOST_FILES or sum(row.size for row in rows) > MOST_BYTES:
            raise UnreadableError(TOO_MUCH)
        for row in rows:
            inner = archive.extractfile(row)
            if inner is not None and (path := _inside(row.name)):
                yield path, inner.read(), ""
