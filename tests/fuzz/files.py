"""Any bytes as a file: real logs changed and sealed again, hurt logs, random TOML, random bytes."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, cast
from zlib import crc32

import tomli
import tomli_w
from tests.fuzz import oddities
from tests.fuzz.fights import ENCOUNTERS
from tests.fuzz.target import FIGHT, REFUSED, Target, assert_one_line, assert_shown

from affray.core.formatting.explain import explain
from affray.core.formatting.log_lines import entry_line
from affray.core.formatting.safe_text import to_one_line
from affray.core.parser.errors import Refused
from affray.rulesets import load_ruleset
from affray.store import LogError
from affray.store.entry_toml import format_entry, format_header
from affray.store.log_recovery import Damaged, ParsedLog, build_history, parse_log
from affray.store.log_repair import repaired, survey

MOST_ENTRIES = 4
LATER = ("next", "start", "end", "undo", "note x")


@cache
def _parsed(name: str) -> dict[str, Any]:
    return tomli.loads(ENCOUNTERS[name].read_text("utf-8"))


def make(rng: Random) -> bytes:
    """A file, from nearly a log to nothing like one."""
    what = rng.random()
    if what < 0.06:
        return rng.randbytes(rng.randrange(200))
    if what < 0.12:
        return b"".join(rng.choice(oddities.BYTES) for _ in range(rng.randrange(1, 6)))
    if what < 0.18:
        return _document(rng)
    raw = _small_log(rng, changed=what < 0.65)
    for _ in range(rng.choice((1, 1, 2)) if what > 0.6 else 0):
        raw = oddities.damaged(raw, rng)
    return raw


def _document(rng: Random) -> bytes:
    tree = {"format": 1, "entry": oddities.value(rng), "ruleset": oddities.value(rng)}
    return _dumped({key: v for key, v in tree.items() if rng.random() < 0.8})


def _dumped(tree: dict[str, Any]) -> bytes:
    try:
        return tomli_w.dumps(tree).encode("utf-8", "replace")
    except (TypeError, ValueError, AttributeError):  # a key that is none, an empty table in a list
        return repr(tree).encode("utf-8", "replace")


def _small_log(rng: Random, changed: bool) -> bytes:
    """The beginning of a sample log and a few of its entries, numbered and sealed."""
    whole = _parsed(rng.choice(list(ENCOUNTERS)))
    header = {key: value for key, value in whole.items() if key != "entry"}
    entries = whole["entry"]
    start = rng.randrange(len(entries))
    row = entries[: rng.randrange(MOST_ENTRIES)] + entries[start : start + rng.randrange(4)]
    if changed:
        header = (
            cast("dict[str, Any]", oddities.reshaped(header, rng)) if rng.random() < 0.2 else header
        )
        row = [oddities.reshaped(e, rng) if rng.random() < 0.5 else e for e in row]
    try:
        raw = format_header(header)
    except (ValueError, AttributeError):
        raw = b"format = 1\n"
    return raw + b"".join(_sealed(e, number) for number, e in enumerate(row, 1))


def _sealed(entry: dict[str, Any], number: int) -> bytes:
    body = {key: value for key, value in entry.items() if key not in ("sum", "seq")}
    try:
        return format_entry(body, number)
    except (ValueError, TypeError):
        return b"\n[[entry]]\nseq = %d\n" % number


def run(data: bytes, thorough: bool = True) -> str:
    """Open the bytes as a log, and show and play on what they tell."""
    if thorough or crc32(data) % 8 == 1:
        _checked(data)
    try:
        text = parse_log(data, "fight.toml")
    except LogError as error:
        assert_one_line(to_one_line(str(error)))
        if isinstance(error, Damaged):
            _told(error.prefix, data, thorough)
        return REFUSED
    assert text.end <= len(data)
    assert (text.torn or b"") == data[text.end :]
    for note in text.notes:
        assert_one_line(to_one_line(note))
    return _told(text, data, thorough)


def _checked(data: bytes) -> None:
    """As `affray check --repair` does it: a report, and a log of what is whole, if anything is."""
    try:
        found = survey(data, "fight.toml")
        for line in found.report():
            assert_one_line(to_one_line(line))
        build_history(parse_log(repaired(found), "new.toml"))
    except LogError as error:
        assert_one_line(to_one_line(str(error)))


def _told(text: ParsedLog, data: bytes, thorough: bool) -> str:
    try:
        history, _ = build_history(text)
        ruleset = load_ruleset(history.states[0].ruleset)
    except (LogError, Refused) as error:
        assert_one_line(to_one_line(str(error)))
        return REFUSED
    tracks = ruleset.tables.tracks
    for entry in history.entries.values():
        assert entry_line(entry, history.states[history.parents[entry.seq]], tracks)
    if thorough or crc32(data) % 4 == 0:
        assert_shown(history, ruleset)
        for combatant in history.state.combatants[:3]:
            for what in (*list(combatant.tracks)[:2], "ac"):
                assert explain(history, ruleset, combatant.id, what)
    return FIGHT


TARGET = Target("files", make, run)
