"""Any text as a command: real commands with a word changed, the grammar at random, and junk."""

from __future__ import annotations

import re
from random import Random
from zlib import crc32

from tests.fuzz import oddities
from tests.fuzz.fights import begun, given, somewhere, usages, vocabulary
from tests.fuzz.target import (
    FIGHT,
    REFUSED,
    Target,
    assert_one_line,
    assert_replayed,
    assert_saved,
    assert_shown,
    same,
)

from affray.core.parser.errors import Refused
from affray.store.entries import to_body
from affray.store.entry_toml import format_entry
from affray.store.open_encounter import OpenEncounter

_PIECE = re.compile(r"\[|\]|\||[^\s\[\]|]+")
NUMBERS = ("0", "1", "2", "3", "5", "8", "12", "17", "20", "-1", "-5", "40", "99", "2d6", "1d10+2")


def make(rng: Random) -> bytes:
    """The name of a fight, then one to three commands for it."""
    name, seq = somewhere(rng)
    ids = [c.id for c in begun(f"{name} {seq}".encode()).state.combatants] or ["mira"]
    lines = [command(rng, name, ids) for _ in range(rng.choice((1, 1, 2, 3)))]
    text = "\n".join([f"{name} {seq}", *(line.replace("\n", " ") for line in lines)])
    return text.encode("utf-8", "surrogateescape")


def command(rng: Random, name: str, ids: list[str]) -> str:
    """A line for a fight, more or less a command."""
    words = [*ids, *vocabulary(name)] if rng.random() < 0.7 else [*ids, *NUMBERS]
    what = rng.random()
    if what < 0.35:
        line = rng.choice(given(name))
        for _ in range(rng.choice((0, 1, 1, 2))):
            line = oddities.changed(line, words, rng)
    elif what < 0.75:
        line = _by_usage(rng.choice(usages(name)), rng, ids, vocabulary(name))
        if rng.random() < 0.3:
            line = oddities.changed(line, words, rng)
    elif what < 0.9:
        line = " ".join(rng.choice(words) for _ in range(rng.randrange(1, 8)))
    else:
        line = oddities.text(rng)
    return line


def _by_usage(usage: str, rng: Random, ids: list[str], words: list[str]) -> str:
    """A line as the usage wants it; what stands in capitals is filled in."""
    row: list[str] = []
    skipping = 0
    for piece in _PIECE.findall(usage):
        if piece == "[":
            skipping += 1 if skipping or rng.random() < 0.5 else 0
        elif piece == "]":
            skipping = max(0, skipping - 1)
        elif not skipping and piece != "|":
            row.append(_filled(piece, rng, ids, words))
    return " ".join(row)


COUNTED = ("STEPS", "SUCCESSES", "FAILURES", "SQUARES", "ALTITUDE")
"""What usages call numbers of something."""


def _filled(piece: str, rng: Random, ids: list[str], words: list[str]) -> str:
    bare = piece.strip('",.()+')
    if bare in ("NAME", "TARGET", "ALLY", "OWNER", "COMPANION", "MOUNT", "SUMMON"):
        return rng.choice(ids) if rng.random() < 0.95 else oddities.text(rng)
    if bare in ("N", "NUMBER", "AMOUNT", "DAMAGE", "DICE", "VALUE", "MAX", *COUNTED):
        return rng.choice(NUMBERS)
    if bare == "xN":
        return f"x{rng.choice(NUMBERS)}"
    if bare == "OUTCOME":
        return rng.choice(
            ("natural 12", "natural 20", "natural 1", "roll", "strong", "hit", "miss")
        )
    if bare == "NUMBERS":
        row = (f"{rng.choice(('hp', 'ac', 'cr', 'level'))} {rng.choice(NUMBERS)}" for _ in "ab")
        return " ".join(row)
    if bare.isupper():
        return rng.choice(words) if rng.random() < 0.8 else f'"{oddities.text(rng)}"'
    return rng.choice(piece.split("|"))


def run(data: bytes, thorough: bool = True) -> str:
    """Give the commands one after the other."""
    head, *lines = data.decode("utf-8", "surrogateescape").split("\n")
    fight = begun(head.encode("utf-8", "replace"))
    taken = [give(fight, line) for line in lines[:20]]
    part = crc32(data) % 16
    if thorough or part == 0:
        assert_shown(fight.history, fight.ruleset)
        assert_replayed(fight)
    if lines and (thorough or part == 1):
        assert all(isinstance(word, str) for word in fight.complete(lines[-1]))
    return FIGHT if any(taken) else REFUSED


def give(fight: OpenEncounter, line: str) -> bool:
    """Give a command, as `affray do` and the screen do; True when it was taken."""
    history, before = fight.history, fight.state
    shape = (len(history.entries), len(history.states), history.head, before)
    try:
        if fight.ask(line) is not None:
            return True
        entry, state = fight._decided(line)
        format_entry(to_body(entry), entry.seq)  # what can't be written is not saved
    except Refused as refusal:
        assert_one_line(str(refusal))
        entry = None
    except ValueError as error:  # raised by the writer alone, and told as NotSaved
        assert "surrogate" in str(error) or "64 bits" in str(error), error
        entry = None
    assert shape == (len(history.entries), len(history.states), history.head, fight.state)
    assert fight.state is before
    if entry is None:
        return False
    assert_saved(entry)
    fight._come_true(entry, None)
    if state is not None:
        assert same(fight.state, state), line
    return True


TARGET = Target("commands", make, run)
