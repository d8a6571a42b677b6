"""What a target is, and what all of them hold an answer to."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import msgspec

from affray.core.engine.history import Entry, History
from affray.core.formatting.log_lines import entry_line
from affray.core.formatting.reports import json_report, text_report
from affray.core.rules.ruleset import Ruleset
from affray.store.entries import decode_entry, to_body
from affray.store.entry_toml import format_entry, format_header
from affray.store.log_recovery import build_history, parse_log
from affray.store.open_encounter import OpenEncounter

REFUSED, FIGHT = "refused", "fight"
MOVING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""The kinds of characters that would move a cursor or turn text round."""


class Target(NamedTuple):
    """Something to be fed.

    make  an input out of random choices
    run   tries an input and says what came of it, REFUSED or FIGHT; `thorough` looks at all that
          can be looked at, else what takes long is left to a part of the inputs
    """

    name: str
    make: Callable[[Random], bytes]
    run: Callable[[bytes, bool], str]


def assert_one_line(message: str) -> None:
    """What the GM is told is a line, with nothing in it that a terminal would obey."""
    assert message.strip(), "an empty message"
    moving = [ch for ch in message if unicodedata.category(ch) in MOVING]
    assert not moving, f"{moving[:5]} in {message!r}"


def same(a: object, b: object) -> bool:
    """Whether two states or entries are equal in all that they hold, NaN being equal to NaN."""
    return msgspec.msgpack.encode(a) == msgspec.msgpack.encode(b)


def assert_saved(entry: Entry) -> None:
    """An entry is read from a file as it was written."""
    header = format_header({"format": 1, "title": "A fight", "ruleset": "any"})
    raw = header + format_entry(to_body(entry), entry.seq)
    text = parse_log(raw, "fight.toml")
    block = text.blocks[0]
    assert text.torn is None and block.seq == entry.seq and not block.edited, text.notes
    read = decode_entry(block)
    wanted = msgspec.structs.replace(entry, at=None)
    assert same(msgspec.structs.replace(read, at=None), wanted), (read, wanted)


def assert_shown(history: History, ruleset: Ruleset) -> None:
    """A fight can be reported, printed and told."""
    shown = json_report(history, ruleset)
    assert msgspec.json.encode(shown)
    assert text_report(shown, ruleset)
    ruleset.turns.pending_decisions(ruleset.tables, history.state)
    last = history.entries.get(history.last)
    if last is not None:
        before = history.states[history.parents[last.seq]]
        assert entry_line(last, before, ruleset.tables.tracks)


def assert_replayed(fight: OpenEncounter) -> None:
    """The entries of a fight, saved and read, are the fight."""
    start = fight.history.states[0]
    raw = format_header({"format": 1, "title": start.title, "ruleset": start.ruleset})
    raw += b"".join(format_entry(to_body(e), e.seq) for e in fight.history.entries.values())
    history, reason = build_history(parse_log(raw, "fight.toml"))
    assert reason == "", reason
    assert history.path == fight.history.path
    assert same(history.state, fight.history.state)
