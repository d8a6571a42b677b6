"""Rights of phones to play characters, which last through sleep, restarts and the fights of a
campaign.

A right is for a character of the party in its campaign, and for nobody else with that id: no
monster, and no character who is on another side now. affray keeps it with the hash of the phone's
secret, which only the phone has, in a file of its data folder for each campaign, or for each fight
outside a campaign. A campaign that is moved or renamed asks for its rights again.

    phones = Phones(Path("vale/encounters/ford.toml"))
    secret = new_secret()                      # goes to the phone, as a cookie
    phones.grant(hash_of(secret), "mira")      # the GM has said yes
    phones.plays(hash_of(secret), fight.state) # Mira, while she is of the party in that fight
    phones.revoke("mira")
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import msgspec
import tomli_w
from msgspec import Struct

from affray.core.engine.state import Combatant, Encounter
from affray.core.parser.errors import Refused
from affray.data_text import read_toml
from affray.store import LogError
from affray.store.campaigns.files import campaign_name, campaign_of
from affray.store.filesystem import file_error_from, os_error_text
from affray.store.own_folder import OwnFolder

MOST_BYTES = 65_536
"""The size of the file that is read; with `MOST` phones it has a quarter of that."""
_WHICH = ("first", "second", "third", "fourth", "next")
MOST = 100
"""The most phones of a campaign; the oldest right goes with the next one."""


class Right(Struct, frozen=True, forbid_unknown_fields=True):
    """The right of a phone, by the hash of its secret, to play a character of the party by id."""

    phone: str
    character: str


class _File(Struct, frozen=True):
    """The rights, and the name of the campaign; files of earlier versions have none."""

    right: list[Right] = []
    campaign: str = ""


def new_secret() -> str:
    """Make the secret of a phone, which is sent to it once and kept by nobody else."""
    import secrets  # here, since a server alone makes any

    return secrets.token_urlsafe(24)


def hash_of(secret: str) -> str:
    """Return the hash that identifies a phone."""
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
        campaign = campaign_of(log)
        self._campaign = _name_of(campaign) if campaign is not None else ""
        name = sha256(os.fsencode(campaign or os.path.realpath(log))).hexdigest()[:32]
        self._folder, self._name = OwnFolder(_data_folder(), "phones"), f"{name}.toml"
        self.path = self._folder.path / self._name
        self._seen: tuple[int, ...] | None = None
        self._rights: tuple[Right, ...] = ()
        self._fault = self._told = ""

    def rights(self) -> tuple[Right, ...]:
        """Return all rights, oldest first; nothing is read unless the file has changed."""
        try:
            stamp = self._folder.stamp(self._name)  # each is written as a file of its own
            if stamp != self._seen:
                self._rights, self._fault = (), ""
                text = self._folder.read(self._name, MOST_BYTES).decode()
                file = msgspec.convert(read_toml(text), _File)
                if file.campaign in ("", self._campaign):  # else another was at this path
                    self._rights = tuple(file.right[-MOST:])
                self._seen = stamp
        except FileNotFoundError:
            self._seen, self._rights, self._fault = None, (), ""
        except (OSError, ValueError) as error:  # also what is no text, no TOML, or has other fields
            self._seen, self._rights = None, ()
            self._fault = f"{self.path} can't keep the phones' rights ({os_error_text(error)})"
        return self._rights

    def left_alone(self) -> str:
        """Say once why the file of the rights is left as it is; empty if it can be read."""
        self.rights()
        is_new = self._fault != self._told
        self._told = self._fault
        return self._fault if is_new else ""

    def is_let_in(self, phone: str) -> bool:
        """True if a phone has a right in this campaign, to whomever."""
        return any(right.phone == phone for right in self.rights())

    def plays(self, phone: str, state: Encounter) -> Combatant | None:
        """Return the character of the party that a phone plays in a fight, by its hash; None where
        it has no right, or that character isn't there."""
        for right in self.rights():
            if right.phone == phone:
                return state.character(right.character)
        return None

    def of(self, character: str) -> list[str]:
        """Return the phones that play a character, by their hashes, the oldest first."""
        return [right.phone for right in self.rights() if right.character == character]

    def called(self, phone: str, name: str) -> str:
        """Say whose a phone is, by its character's name: `Mira`, of a second one `Mira's second
        phone`."""
        character = next((r.character for r in self.rights() if r.phone == phone), "")
        number = self.of(character).index(phone) if character else 0
        which = _WHICH[min(number, len(_WHICH) - 1)]
        return f"{name}'s {which} phone" if number else name

    def grant(self, phone: str, character: str) -> None:
        """Let a phone play a character, and no other.

        Raises LogError for no room on the disk, and for a file that isn't ours.
        """
        others = [right for right in self.rights() if right.phone != phone]
        self._write([*others, Right(phone, character)][-MOST:])

    def revoke(self, character: str, phone: str = "") -> None:
        """Take a character's phones back; with `phone`, that one alone."""
        self._write(
            [r for r in self.rights() if r.character != character or phone not in ("", r.phone)]
        )

    def _write(self, rights: list[Right]) -> None:
        if self._fault:
            raise LogError(f"{self._fault}: move it away")
        plain = {
            "campaign": self._campaign,
            "right": [msgspec.to_builtins(right) for right in rights],
        }
        with file_error_from(self.path):
            self._folder.replace(self._name, tomli_w.dumps(plain).encode())
        self._seen = None


def _name_of(campaign: Path) -> str:
    """A campaign's name; its folder's if its file can't be read."""
    try:
        name = campaign_name(campaign)
    except Refused:
        name = campaign.name
    return name.encode("utf-8", "replace").decode()  # a folder's may be no text
