"""Summaries of encounters for lists: `quick_summary` from a file's ends, `summary` from all.

A list of hundreds is shown at once by quick summaries; the full ones follow one by one.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.events import AnyEvent
from affray.core.engine.evolve import evolve_all
from affray.core.engine.state import Combatant, Encounter
from affray.core.engine.turn_order import current_turn_label, life_at_turn
from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import Refused
from affray.data_text import read_toml
from affray.rulesets import check_loads
from affray.store import LogError
from affray.store.entries import KNOWN_KINDS, upcast
from affray.store.entry_toml import SEPARATOR, is_sealed, plain_lines
from affray.store.filesystem import patiently, read_bytes
from affray.store.log_file import file_stamp, read_log
from affray.store.log_recovery import FORMAT, Damaged, Stamp, build_history

# -------------------------------------------------------------------------------------------------
# Reading a log's tail backwards takes a tenth of reading it all. Only blocks that affray sealed are
# taken unread; those edited by hand are parsed, and anything odder is left to the full reader.

_LASTING = frozenset({"added", "left", "began", "ended", "round", "became", "adjusted"})
"""The kinds of events that a list needs, however old."""
_RECENT = frozenset({"turn", "turn-ended", "delayed", "ordered"})
"""Kinds that tell whose turn it is: only those of the last two rounds are needed."""

_EVENT = late_pattern(rb'^    (\{ event = "([^"]*)".*),$', re.MULTILINE)
_SEQ, _TO, _PARENT = b"\nseq = ", b"\nto = ", b"\nparent = "


class _Block(Struct):
    """An entry of a log, partly read.

    to      the entry to which it moves, if it is a move
    parent  the entry that it follows, if it was written aside, as an amended past is
    text    a sealed entry, whose events are not read yet
    events  the events of an entry that was edited by hand
    """

    seq: int
    to: int | None
    parent: int | None
    text: bytes = b""
    events: tuple[Any, ...] = ()


def read_log_tail(raw: bytes) -> Encounter | None:
    """The fight as far as a list needs it: phase, round, whose turn, who is in it and how they are.

    None for a log that isn't laid out as affray writes it; entries edited by hand are read, too.
    """
    raw = plain_lines(raw)
    if b"\r" in raw or not raw.startswith(b"format = "):
        return None
    head, *parts = raw.split(SEPARATOR)
    try:
        header = read_toml(head.decode())
        blocks = [_block(part) for part in parts]
        events = _events_of(_effective_blocks(blocks))
    except (ValueError, KeyError, TypeError, LogError, msgspec.ValidationError):
        return None
    if header.get("format") != FORMAT:
        return None
    start = Encounter(title=str(header.get("title", "")), ruleset=str(header.get("ruleset", "")))
    return evolve_all(start, events)


def _block(part: bytes) -> _Block:
    """Read as much of a block as is needed. Raises ValueError for text that is no block."""
    if is_sealed(part):
        to, parent = (_number(part, part.find(k), k) if k in part else None for k in (_TO, _PARENT))
        return _Block(_number(part, part.rfind(_SEQ), _SEQ), to, parent, part)
    (row,) = read_toml(f"[[entry]]{part.decode()}")["entry"]
    events = tuple(row.get("events", ()))
    return _Block(int(row["seq"]), row.get("to"), row.get("parent"), events=events)


def _number(part: bytes, at: int, key: bytes) -> int:
    return int(part[at + len(key) :].split(b"\n", 1)[0])


def _effective_blocks(blocks: Sequence[_Block]) -> Iterator[_Block]:
    """The effective entries, the last first. Raises KeyError for a move to a missing entry."""
    places: dict[int, int] = {}
    at = _place_before(blocks, len(blocks))
    while at >= 0:
        block = blocks[at]
        target = block.parent if block.to is None else block.to
        if block.to is None:
            yield block
        if target == 0:
            return
        if target is None:
            at = _place_before(blocks, at)
            continue
        places = places or {block.seq: place for place, block in enumerate(blocks)}
        if places[target] >= at:
            raise ValueError("an entry after a later one")
        at = places[target]


def _place_before(blocks: Sequence[_Block], at: int) -> int:
    """The place before, past entries that were written aside: only a move leads to those."""
    at -= 1
    while at >= 0 and blocks[at].parent is not None and blocks[at].to is None:
        at -= 1
    return at


def _events_of(path: Iterator[_Block]) -> list[AnyEvent]:
    """The events that a list needs, oldest first."""
    found: list[Any] = []
    rounds, ordered = 0, False
    for block in path:
        for kind, event in reversed(list(_events(block))):
            if kind in _LASTING or (kind in _RECENT and not (rounds >= 2 and ordered)):
                found.append(event)
            rounds += kind in ("round", "began")
            ordered = ordered or kind == "ordered"
    rows = [upcast(_read(event)) for event in reversed(found)]
    return msgspec.convert(rows, list[AnyEvent])


def _events(block: _Block) -> Iterator[tuple[str, Any]]:
    """Each event with its kind; a sealed block's events are still text.

    Raises ValueError for a kind that only a later affray knows.
    """
    found: Iterator[tuple[str, Any]] = (
        (match[2].decode(), match[1]) for match in _EVENT.finditer(block.text)
    )
    for kind, event in chain(found, ((str(each["event"]), each) for each in block.events)):
        if kind not in KNOWN_KINDS:
            raise ValueError(f"an event {kind!r}")
        yield kind, event


def _read(event: Any) -> Any:
    return read_toml(f"event = {event.decode()}")["event"] if type(event) is bytes else event


MOST_KEPT = 4096
_HEAD, _TAIL = 4096, 16384
"""The bytes read of a file's beginning and end for a quick look."""
_AT = late_pattern(rb"\nat = ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8})Z(?=\r?\n)")
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


class EncounterSummary(Struct, frozen=True):
    """An encounter as a list shows it; `problem` says why it can't open."""

    path: Path
    title: str
    phase: str = ""
    """Empty as long as it is known at a glance only, and for what can't open."""
    round: int = 0
    turn: str = ""
    """In a fight that goes on, whose turn it is, and how they are."""
    life: str = ""
    """In a fight that goes on, whose turn it is, and how they are."""
    problem: str = ""
    played: datetime = _LONG_AGO
    """When its last command was given, or it was begun; long ago if that is unknown."""
    size: int = 0
    """The bytes of its file, and when that was saved, in nanoseconds."""
    saved: int = 0
    """The bytes of its file, and when that was saved, in nanoseconds."""
    party: int = 0
    """How many of them are in it."""
    foes: int = 0
    """How many of them are in it."""
    standing: tuple[str, ...] = ()
    """The names of those of the party who are up; `foes_standing`, how many of the foes."""
    foes_standing: int = 0
    created: datetime | None = None
    """The time when its log was made, if known."""

    @property
    def is_glance(self) -> bool:
        """True if `summary` has more to tell."""
        return not self.phase and not self.problem

    def is_of(self, seen: EncounterSummary) -> bool:
        """True if the file is unchanged in the later quick summary `seen`."""
        return (self.saved, self.size) == (seen.saved, seen.size)


def quick_summary(path: Path) -> EncounterSummary:
    """Read an encounter's title, and when it was played last, from the ends of its file."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for its other end
            return EncounterSummary(path, path.stem)
        with patiently(lambda: path.open("rb")) as file:
            head = file.read(_HEAD)
            file.seek(max(0, status.st_size - _TAIL), os.SEEK_SET)
            tail = file.read(_TAIL)
    except OSError:
        return EncounterSummary(path, path.stem)
    header = _header(head)
    times = _AT.findall(tail)
    created = header.get("created")
    played = _to_time(times[-1].decode() if times else created)
    title = str(header.get("title", "")) or path.stem
    saved = status.st_mtime_ns
    time = created if isinstance(created, datetime) else None
    size = status.st_size
    return EncounterSummary(path, title, played=played, size=size, saved=saved, created=time)


def _header(head: bytes) -> dict[str, Any]:
    try:
        return read_toml(plain_lines(head).partition(SEPARATOR)[0].decode())
    except ValueError:  # no log: opening it says why
        return {}


def _to_time(value: object) -> datetime:
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).replace(tzinfo=UTC)
        except ValueError:  # the 30th of February
            return _LONG_AGO
    if not isinstance(value, datetime):
        return _LONG_AGO
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)


def summary(path: Path) -> EncounterSummary:
    """Summarise an encounter for a list: its round, whose turn it is, and who still fights.

    The result is cached until the file is saved again.
    """
    try:
        return _summary(path, file_stamp(path))
    except LogError as error:
        return EncounterSummary(path, path.stem, problem=str(error))


@lru_cache(maxsize=MOST_KEPT)
def _summary(path: Path, stamp: Stamp) -> EncounterSummary:
    seen = quick_summary(path)
    try:
        state, problem = _state(path)
    except LogError as error:
        return replace(seen, problem=str(error))
    in_combat = state.in_combat
    party, foes = _combatants_on(state, "party"), _combatants_on(state, "foes")
    return replace(
        seen,
        title=state.title or path.stem,
        phase=state.phase,
        round=state.round,
        turn=current_turn_label(state) if in_combat else "",
        life=life_at_turn(state) if in_combat else "",
        problem=problem or _rules_problem(state.ruleset),
        party=len(party),
        foes=len(foes),
        standing=tuple(combatant.name for combatant in party if combatant.life == "up"),
        foes_standing=sum(combatant.life == "up" for combatant in foes),
    )


def _state(path: Path) -> tuple[Encounter, str]:
    """The fight, and why it can't be played. Raises LogError for a file that is no log."""
    try:
        state = read_log_tail(read_bytes(path)) if path.is_file() else None
    except OSError:
        state = None  # reading it as a log, below, says why
    if state is not None:
        return state, ""
    try:
        history, reason = build_history(read_log(path))
    except Damaged as damage:
        raise LogError(str(damage)) from None
    return history.state, reason


def _combatants_on(state: Encounter, side: str) -> list[Combatant]:
    return [combatant for combatant in state.combatants if combatant.side == side]


def _rules_problem(ruleset_id: str) -> str:
    """The reason why a fight of that rule system can't be played here; empty when it can."""
    try:
        check_loads(ruleset_id)
    except Refused as refusal:
        return str(refusal)
    return ""
