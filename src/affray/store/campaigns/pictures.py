"""Pictures of combatants: files in a campaign's folder that its rows name.

`picture = "mira.png"` in a row of the party or the bestiary. A file counts as a picture by its
content; nothing else in the folder, and nothing outside it, is ever read as one.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from affray.core.engine.state import Combatant
from affray.core.parser.errors import Refused
from affray.store.filesystem import FLAGS, os_error_text

LARGEST = 2 * 1024 * 1024
"""The bytes of a picture, at most."""
_TOO_LARGE = f"is larger than {LARGEST // 2**20} MB, too large for a picture"
_KEPT = 16
"""How many pictures are kept in memory, since every phone asks for the same ones."""
_MAX_QUOTED = 80
"""Characters of a name that a message repeats."""


class Picture(NamedTuple):
    """A picture: its bytes, its kind for a browser, and a version, which is new for new bytes."""

    content: bytes
    mime: str
    version: str

    @property
    def suffix(self) -> str:
        """The ending for a file's name: `.png`."""
        return f".{self.mime.removeprefix('image/').replace('jpeg', 'jpg')}"


def picture_of(folder: Path, combatant: Combatant) -> Picture | None:
    """Return a combatant's picture; None without one, and for one that can't be shown."""
    if combatant.picture:
        with suppress(Refused):
            return load_picture(folder, combatant.picture)
    return None


def picture_versions(folder: Path | None, combatants: Iterable[Combatant]) -> dict[str, str]:
    """Return the versions of all pictures that can be shown, by the names in their rows."""
    found: dict[str, str] = {}
    if folder is None:
        return found
    for combatant in combatants:
        if combatant.picture not in found:
            picture = picture_of(folder, combatant)
            if picture is not None:
                found[combatant.picture] = picture.version
    return found


class Listing(NamedTuple):
    """The names in a folder: by themselves and with each accented letter as one character, and
    regardless of small and capital letters."""

    names: dict[str, str]
    folded: dict[str, str]


def listing_of(folder: Path) -> Listing:
    """List a folder. Raises OSError."""
    listed = [each.name for each in folder.iterdir()]
    composed = {normalize("NFC", name): name for name in reversed(listed)}
    folded = {name.casefold(): name for name in reversed(listed)}
    return Listing(composed | dict(zip(listed, listed, strict=True)), folded)


def load_picture(
    folder: Path, name: str, listing: Callable[[Path], Listing] = listing_of
) -> Picture:
    """Load the picture of that name in a campaign's folder, or in a folder within: `art/mira.png`.

    The name is spelt as in the folder, small and capital letters too, so that it is the same file
    on every system; who loads many gives a `listing` that remembers. Raises Refused, in one line,
    for anything but a plain file that is a picture.
    """
    path = _path_of(folder, name, listing)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for its other end
            raise Refused(f"{_quote(name)} is not a plain file")
        if status.st_size > LARGEST:
            raise Refused(f"{_quote(name)} {_TOO_LARGE}")
        return _read(path, _quote(name), (status.st_ino, status.st_mtime_ns, status.st_size))
    except OSError as error:
        raise Refused(f"{_quote(name)} can't be read ({os_error_text(error)})") from None


def picture_from(content: bytes) -> Picture:
    """Return the picture that some bytes are. Raises Refused for what is none, or is too large."""
    if len(content) > LARGEST:
        raise Refused(_TOO_LARGE)
    mime = _mime_of(content)
    if not mime:
        raise Refused("is not a picture: PNG, JPEG, WebP or GIF")
    from hashlib import sha256  # here, since most fights have no pictures

    return Picture(content, mime, sha256(content).hexdigest()[:20])


def _mime_of(content: bytes) -> str:
    """The kind of a picture by its first bytes; empty for anything else."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    is_webp = content.startswith(b"RIFF") and content[8:12] == b"WEBP"
    return "image/webp" if is_webp else ""


def _path_of(folder: Path, name: str, listing: Callable[[Path], Listing]) -> Path:
    """The path of a file by the names that its folders list, so that none leads elsewhere."""
    parts = name.split("/")
    if "\\" in name or any(part in ("", ".", "..") for part in parts):
        what = "expected the name of a file in the campaign's folder, such as mira.png, found"
        raise Refused(f"{what} {_quote(name)}")
    path = real = Path(os.path.realpath(folder))
    for part in parts:
        try:
            listed = listing(path)
        except OSError as error:
            raise Refused(f"{_quote(name)}: {os_error_text(error)}") from None
        found = listed.names.get(part) or listed.names.get(normalize("NFC", part))
        if found is None:
            near = listed.folded.get(part.casefold())
            instead = f", but {_quote(near)}" if near else ""
            raise Refused(f"there is no file {_quote(name)} in {path.name}{instead}")
        path /= found
    if os.path.realpath(path) != os.fspath(path):
        raise Refused(f"{_quote(name)} is a link; put the picture itself in the folder {real}")
    return path


@lru_cache(maxsize=_KEPT)
def _read(path: Path, name: str, stamp: tuple[int, int, int]) -> Picture:
    """The picture in a file, read again when its `stamp` has changed. Raises Refused and
    OSError."""
    unusual = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    fd = os.open(path, os.O_RDONLY | FLAGS | unusual)
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise Refused(f"{name} is not a plain file")
        content = file.read(LARGEST + 1)
    try:
        return picture_from(content)
    except Refused as refusal:
        raise Refused(f"{name} {refusal}") from None


def _quote(name: str) -> str:
    return repr(name if len(name) <= _MAX_QUOTED else f"{name[:_MAX_QUOTED]}…")
