"""The fight at the ford, that the tests of the store play, and what is looked at in its folder."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from affray.core.dice import SeededDice
from affray.store.log_file import read_log
from affray.store.open_encounter import OpenEncounter

AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
RULES = "monsters-and-magic"


def create(path: Path) -> OpenEncounter:
    """The fight, with nobody there yet."""
    return OpenEncounter.create(path, RULES, "The Ford", SeededDice(1), lambda: AT)


def two_entries(folder: Path) -> Path:
    """A fight with a ghoul that was hurt: where it is saved."""
    path = folder / "ford.toml"
    with create(path) as fight:
        fight.do("add monster Ghoul hp 18")
        fight.do("damage ghoul 3")
    return path


def hp(fight: OpenEncounter, who: str = "ghoul") -> int:
    """What somebody has left."""
    return fight.state[who].track("hp")


def sequence(path: Path) -> list[int]:
    """The numbers of the entries in a file with nothing to be said about it."""
    text = read_log(path)
    assert not text.notes
    return [block.seq for block in text.blocks]


def beside(path: Path) -> list[Path]:
    """What was put beside a file."""
    return sorted(path.parent.glob(f"{path.name}.torn-*"))
