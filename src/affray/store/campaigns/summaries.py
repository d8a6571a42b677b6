"""What a list tells of an encounter: at a glance, from its file's two ends; and how it stands.

A list of hundreds is there at once by glances; `summary` then tells the rest, one by one.
"""

from __future__ import annotations

import os
import re
import stat
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import tomli
from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.groups import life_at_turn, whose_turn
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.rulesets import check_installed
from affray.store.campaigns.skimming import skimmed
from affray.store.entries import history_of
from affray.store.errors import Damaged, LogError
from affray.store.log_file import read_log, stamp_of
from affray.store.recovery import Stamp
from affray.store.toml_block import SEPARATOR

MOST_KEPT = 4096
_HEAD, _TAIL = 4096, 16384
"""So many bytes of a file's beginning and end are read for a glance."""
_AT = re.compile(rb"\nat = ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8})Z(?=\r?\n)")
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


class EncounterSummary(Struct, frozen=True):
    """An encounter as a list shows it; `problem` says why it can't open.

    played   when its last command was given, or it was begun; long ago where that is unknown
    created  when its log was made, where that is known
    size, saved   the bytes of its file, and when that was saved, in nanoseconds
    phase    empty as long as it is known at a glance only, and for what can't open
    turn, life   in a fight that goes on, whose turn it is, and how they are
    party, foes  how many of them are in it
    standing     the names of those of the party who are up; `foes_standing`, how many of the foes
    """

    path: Path
    title: str
    phase: str = ""
    round: int = 0
    turn: str = ""
    life: str = ""
    problem: str = ""
    played: datetime = _LONG_AGO
    size: int = 0
    saved: int = 0
    party: int = 0
    foes: int = 0
    standing: tuple[str, ...] = ()
    foes_standing: int = 0
    created: datetime | None = None

    @property
    def is_glance(self) -> bool:
        """Whether `summary` has more to tell."""
        return not self.phase and not self.problem

    def is_of(self, seen: EncounterSummary) -> bool:
        """Whether it tells of the encounter that has been seen at a glance since."""
        return (self.saved, self.size) == (seen.saved, seen.size)


def glance(path: Path) -> EncounterSummary:
    """An encounter by the ends of its file: its title, and when it was played last."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for its other end
            return EncounterSummary(path, path.stem)
        with path.open("rb") as file:
            head = file.read(_HEAD)
            file.seek(max(0, status.st_size - _TAIL), os.SEEK_SET)
            tail = file.read(_TAIL)
    except OSError:
        return EncounterSummary(path, path.stem)
    header = _header(head)
    times = _AT.findall(tail)
    created = header.get("created")
    played = _moment(times[-1].decode() if times else created)
    title = str(header.get("title", "")) or path.stem
    saved = status.st_mtime_ns
    made = created if isinstance(created, datetime) else None
    size = status.st_size
    return EncounterSummary(path, title, played=played, size=size, saved=saved, created=made)


def _header(head: bytes) -> dict[str, Any]:
    try:
        return tomli.loads(head.partition(SEPARATOR)[0].decode())
    except (ValueError, RecursionError):  # what is no log; who opens it is told
        return {}


def _moment(value: object) -> datetime:
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).replace(tzinfo=UTC)
        except ValueError:  # the 30th of February
            return _LONG_AGO
    if not isinstance(value, datetime):
        return _LONG_AGO
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)


def summary(path: Path) -> EncounterSummary:
    """What a list says of an encounter: how far it has come, who is up, and who stands.

    It is kept until the file is saved anew.
    """
    try:
        return _summary(path, stamp_of(path))
    except LogError as error:
        return EncounterSummary(path, path.stem, problem=str(error))


@lru_cache(maxsize=MOST_KEPT)
def _summary(path: Path, stamp: Stamp) -> EncounterSummary:
    seen = glance(path)
    try:
        state, problem = _state(path)
    except LogError as error:
        return replace(seen, problem=str(error))
    in_combat = state.phase == "combat"
    party, foes = _side(state, "party"), _side(state, "foes")
    return replace(
        seen,
        title=state.title or path.stem,
        phase=state.phase,
        round=state.round,
        turn=whose_turn(state) if in_combat else "",
        life=life_at_turn(state) if in_combat else "",
        problem=problem or _rules_problem(state.ruleset),
        party=len(party),
        foes=len(foes),
        standing=tuple(who.name for who in party if who.life == "up"),
        foes_standing=sum(who.life == "up" for who in foes),
    )


def _state(path: Path) -> tuple[Encounter, str]:
    """The fight as a list tells of it, and why it can't be played. Raises LogError for no log."""
    try:
        state = skimmed(path.read_bytes()) if path.is_file() else None
    except OSError:
        state = None  # reading it as a log tells why in words
    if state is not None:
        return state, ""
    try:
        history, reason = history_of(read_log(path))
    except Damaged as damage:
        raise LogError(str(damage)) from None
    return history.state, reason


def _side(state: Encounter, side: str) -> list[Combatant]:
    return [who for who in state.combatants if who.side == side]


def _rules_problem(ruleset_id: str) -> str:
    """Why a fight of that rule system can't be played here; empty when it can."""
    try:
        check_installed(ruleset_id)
    except Refused as refusal:
        return str(refusal)
    return ""
