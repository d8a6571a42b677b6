"""Whose phone plays whom: rights that last through sleep, restarts and the fights of a campaign.

A right is kept by the hash of the phone's secret, which only the phone has, in a file of affray's
data folder for each campaign, or for each fight that is in none.

    phones = Phones(Path("vale/encounters/ford.toml"))
    secret = new_secret()                      # goes to the phone, as a cookie
    phones.grant(hash_of(secret), "mira")      # the GM has said yes
    phones.character_of(hash_of(secret))       # "mira"
    phones.revoke("mira")
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec
import tomli_w
from msgspec import Struct

from affray.store.filesystem import file_error_from, move, read_bytes, written_draft

MOST = 100
"""The most phones of a campaign; the oldest right goes with the next one."""


class Right(Struct, frozen=True, forbid_unknown_fields=True):
    """The right of a phone, by the hash of its secret, to play a character."""

    phone: str
    character: str


class _File(Struct, frozen=True):
    right: list[Right] = []


def new_secret() -> str:
    """Make the secret of a phone, which is sent to it once and kept by nobody else."""
    import secrets  # here, since a server alone makes any

    return secrets.token_urlsafe(24)


def hash_of(secret: str) -> str:
    """Return the hash by which a phone is known."""
    return sha256(secret.encode()).hexdigest()[:32]


def _data_folder() -> Path:
    named = os.environ.get("AFFRAY_DATA", "")
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("affray", appauthor=False)


class Phones:
    """The rights of a campaign's phones, or of those of a fight in none."""

    def __init__(self, log: Path) -> None:
        real = Path(os.path.realpath(log))
        campaign = next((p for p in real.parents if (p / "campaign.toml").is_file()), real)
        name = sha256(os.fsencode(campaign)).hexdigest()[:32]
        self.path = _data_folder() / "phones" / f"{name}.toml"
        self._seen: tuple[int, int] | None = None
        self._rights: tuple[Right, ...] = ()

    def rights(self) -> tuple[Right, ...]:
        """Return all rights, oldest first; nothing is read unless the file has changed."""
        try:
            stat = self.path.stat()
        except OSError:
            self._seen, self._rights = None, ()
            return ()
        stamp = (stat.st_mtime_ns, stat.st_ino)  # each is written as a file of its own
        if stamp != self._seen:
            self._rights, self._seen = (), stamp
            with suppress(OSError, msgspec.DecodeError, msgspec.ValidationError, ValueError):
                self._rights = tuple(
                    msgspec.toml.decode(read_bytes(self.path), type=_File).right[-MOST:]
                )
        return self._rights

    def character_of(self, phone: str) -> str:
        """Return the id of the character that a phone plays, by its hash; empty for none."""
        return next((right.character for right in self.rights() if right.phone == phone), "")

    def grant(self, phone: str, character: str) -> None:
        """Let a phone play a character, and no other. Raises LogError for no room on the disk."""
        others = [right for right in self.rights() if right.phone != phone]
        self._write([*others, Right(phone, character)][-MOST:])

    def revoke(self, character: str, phone: str = "") -> None:
        """Take a character's phones back; with `phone`, that one alone."""
        self._write(
            [r for r in self.rights() if r.character != character or phone not in ("", r.phone)]
        )

    def _write(self, rights: list[Right]) -> None:
        plain = {"right": [msgspec.to_builtins(right) for right in rights]}
        with file_error_from(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with written_draft(self.path, tomli_w.dumps(plain).encode()) as draft:
                move(draft, self.path)
        self._seen = None
