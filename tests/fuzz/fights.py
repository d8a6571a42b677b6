"""The fights that inputs begin in: the samples of both rule systems, at several points."""

from __future__ import annotations

import re
from copy import copy
from functools import cache
from pathlib import Path
from random import Random

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.dice import SeededDice
from affray.core.engine.decide import commands_of
from affray.core.engine.history import History
from affray.core.rules.ruleset import Ruleset
from affray.store.open_encounter import CommandHistory, OpenEncounter

CAMPAIGNS = Path(__file__).parents[2] / "campaigns"
ENCOUNTERS = {path.stem: path for path in sorted(CAMPAIGNS.glob("*/encounters/*.toml"))}
POINTS = 7


@cache
def _opened(name: str) -> OpenEncounter:
    return OpenEncounter.view(ENCOUNTERS[name])


@cache
def points(name: str) -> tuple[int, ...]:
    """The entries of a sample fight after which an input may begin, the beginning first."""
    path = _opened(name).history.path
    return (0, *(path[len(path) * part // POINTS - 1] for part in range(1, POINTS + 1)))


@cache
def _history_at(name: str, seq: int) -> History:
    whole = _opened(name).history
    history = History(whole.states[0])
    for entry in whole.entries.values():
        if entry.seq <= seq:
            history.apply(entry, whole.states[entry.seq])
    return history


def fight_at(name: str, seq: int) -> OpenEncounter:
    """A sample fight as it was after an entry; what is done in it changes nobody else's."""
    fight = copy(_opened(name))
    history = copy(_history_at(name, seq))
    for field, kept in vars(history).items():
        setattr(history, field, copy(kept))
    fight.history = history
    fight.dice = SeededDice(seq)
    fight._commands = CommandHistory(reversed(fight.commands))
    return fight


def begun(head: bytes) -> OpenEncounter:
    """The fight that the first line of an input names: `the-ninth-kiln 40`."""
    name, _, seq = head.decode("utf-8", "replace").partition(" ")
    name = name if name in ENCOUNTERS else next(iter(ENCOUNTERS))
    number = int(seq) if seq.isascii() and seq.isdecimal() and len(seq) < 9 else 0
    known = points(name)
    return fight_at(name, max((p for p in known if p <= number), default=0))


def somewhere(rng: Random) -> tuple[str, int]:
    """One of the sample fights, at one of its points."""
    name = rng.choice(list(ENCOUNTERS))
    return name, rng.choice(points(name))


@cache
def given(name: str) -> list[str]:
    """The commands of a sample fight."""
    return [entry.command for entry in _opened(name).history.entries.values()]


@cache
def usages(name: str) -> list[str]:
    """How every command is written, by its alternatives."""
    commands = commands_of(_opened(name).ruleset)
    rows = [command.usage for command in commands.values()] + [
        v.usage for v in SESSION_COMMANDS.values()
    ]
    return [part for usage in rows for part in usage.split(" | ")]


@cache
def vocabulary(name: str) -> list[str]:
    """The words of a rule system: what its commands, tables and creatures are called."""
    ruleset = _opened(name).ruleset
    tables = ruleset.tables
    found = {word for usage in usages(name) for word in re.findall(r"[a-z][\w-]*", usage)}
    for rows in (tables.effects, tables.tracks, tables.techniques, tables.outcomes, tables.kinds):
        found |= set(rows)
    found |= {*tables.totals, *tables.damage_types, *tables.bestiary, *tables.prompts}
    found |= {"by", "on", "of", "from", "until", "natural", "roll", "side", "party", "hidden"}
    return sorted(word for word in found if word)


def ruleset_of(name: str) -> Ruleset:
    """The rules of a sample fight, with its campaign's own rows."""
    return _opened(name).ruleset
