"""Small fights to break, made by real commands, and the question whether one was misread."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace
from tests.torture.table import Tally

from affray.core.dice import SeededDice
from affray.store import LogError
from affray.store.log_file import read_log
from affray.store.log_recovery import Damaged, ParsedLog, build_history, parse_log
from affray.store.open_encounter import OpenEncounter

RULES = "monsters-and-magic"
BEGUN = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
PEOPLE = (
    "add pc Mira hp 24 ac 2 power 1 cunning 2 luck 2 pb 1",
    "add monster Ghoul x2 hp 900 cr 2 ac 1 fatigue 3 exhaustion 2",
    "init mira 12",
    "init ghoul-1 9",
    "init ghoul-2 3",
    "start",
)
BLOWS = ("damage ghoul-1 3 fire", "note 'Was läuft – in der Tür?'", "next", "heal ghoul-1 2")
BOM = b"\xef\xbb\xbf"
FORMS: dict[str, Callable[[bytes], bytes]] = {
    "LF": lambda raw: raw,
    "CRLF": lambda raw: raw.replace(b"\n", b"\r\n"),
    "BOM": lambda raw: BOM + raw,
    "BOM and CRLF": lambda raw: BOM + raw.replace(b"\n", b"\r\n"),
}
_LOSS = re.compile("damaged|missing|left out")
Content = list[tuple[int, dict[str, Any]]]


def table_clock() -> Callable[[], datetime]:
    """A clock that goes on by seven seconds each time it is looked at."""
    ticks = iter(range(10**9))
    return lambda: BEGUN + timedelta(seconds=7 * next(ticks))


def commands(count: int) -> list[str]:
    """A fight of so many entries, command by command."""
    blows = (BLOWS[turn % len(BLOWS)] for turn in range(count))
    return [*PEOPLE, *blows][:count]


@lru_cache(maxsize=64)
def log_of(entries: int, seed: int = 1) -> bytes:
    """The bytes of a log of so many entries; another seed gives another fight."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "fight.toml"
        clock = table_clock()
        with OpenEncounter.create(path, RULES, "The Ford", SeededDice(seed), clock) as fight:
            for line in commands(entries):
                fight.do(line if seed == 1 else line.replace("3 fire", f"{seed} necrotic"))
        return path.read_bytes()


def content(text: ParsedLog) -> Content:
    """What a log says, entry by entry."""
    return [(block.seq, block.table) for block in text.blocks]


@lru_cache(maxsize=4)
def read(raw: bytes) -> Content:
    """What a log that is whole says."""
    return content(parse_log(raw, "fight.toml"))


def judged(
    tally: Tally, raw: bytes, saved: Content, where: str, *, marked: bool = True
) -> ParsedLog | None:
    """Read broken bytes, and count it if they are taken for another fight without a word.

    An entry that is read differently must be marked as edited, a missing one must be noted, and
    what a damaged log still shows must be its beginning. Gives what was read, if anything was.
    Without `marked`, any word about the log is enough.
    """
    try:
        text = parse_log(raw, "fight.toml")
        told = " · ".join(text.notes)
    except Damaged as damage:
        text, told = damage.prefix, str(damage)
    except LogError as error:
        tally.say(error)
        return None
    except Exception as error:
        tally.breaks(where, error)
        return None
    if told:
        tally.say(told)
    if marked or not told:
        _compare(tally, text, saved, told, where)
    _replay(tally, text, where)
    return text


def _compare(tally: Tally, text: ParsedLog, saved: Content, told: str, where: str) -> None:
    known = dict(saved)
    changed = [b.seq for b in text.blocks if not b.edited and known.get(b.seq) != b.table]
    if changed:
        tally.misreads(f"{where}: entry {changed[0]} is another, and not marked")
    elif known.keys() - {block.seq for block in text.blocks} and not _LOSS.search(told):
        tally.misreads(f"{where}: entries are not there, and all that is said is {told!r}")
    elif not told and content(text) != saved:
        tally.misreads(f"{where}: {len(text.blocks)} of {len(saved)} entries, and no word of it")


def _replay(tally: Tally, text: ParsedLog, where: str) -> None:
    try:
        build_history(replace(text, header={**text.header, "ruleset": RULES}))
    except LogError as error:
        tally.say(error)
    except Exception as error:
        tally.breaks(where, error)


def kept(path: Path) -> bytes:
    """All that lies in the log and in the files beside it."""
    files = [path, *sorted(path.parent.glob(f"{path.name}.torn-*"))]
    return b"".join(file.read_bytes() for file in files if file.exists())


def saved_commands(path: Path) -> list[str]:
    """The commands in a log, or in what of it can be read."""
    try:
        text = read_log(path)
    except Damaged as damage:
        text = damage.prefix
    return [str(block.table.get("command", "")) for block in text.blocks]
