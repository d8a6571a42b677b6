"""Every command of our data is decided to the text and the events that it had before.

Where one is otherwise on purpose, `make golden` writes the files anew; what `git diff` then shows
of tests/golden belongs to the change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import pytest
from tests.golden.decisions import GAMES, Outcome, outcomes
from tests.golden.files import Row, as_line, path_of, read, written

SHOWN = 20


@pytest.mark.parametrize("game", GAMES)
def test_every_command_is_decided_as_before(game: str) -> None:
    now = list(outcomes(game))
    old = path_of(game).read_text("utf-8")
    if written(now) != old:
        different = differences(read(old), now)
        more = [f"and {len(different) - SHOWN} more"] if len(different) > SHOWN else []
        pytest.fail("\n\n".join([*different[:SHOWN], *more]), pytrace=False)


def differences(old: Iterable[Row], now: Iterable[Outcome]) -> list[str]:
    """What is decided otherwise: each with the old hash and what it comes to now."""
    before = defaultdict(list)
    for where, *row in old:
        before[where].append(row)
    found = []
    for outcome in now:
        rows = before[outcome.where]
        row = rows.pop(0) if rows else None
        if row is None or row[0] != as_line(outcome.command):
            found.append(f"{outcome.where}\n  {outcome.command}\n  is new: `make golden` adds it")
            continue
        parts = zip(("text", "events"), row[1:], outcome.hashes, outcome[2:], strict=True)
        found += [
            f"{outcome.where}\n  {outcome.command}\n  {part} was {was}, is {is_now}: {content}"
            for part, was, is_now, content in parts
            if was != is_now
        ]
    gone = [f"{where}\n  {row[0]}\n  is gone" for where, rows in before.items() for row in rows]
    return found + gone


def test_what_is_otherwise_is_told_with_its_old_hash_and_its_new_text() -> None:
    outcome = Outcome("a case", "damage mira 5", "Mira takes 5", "[]")
    was, events = outcome.hashes
    before = [("a case", "damage mira 5", was, events)]
    assert differences(before, [outcome]) == []
    (message,) = differences(before, [outcome._replace(text="Mira takes 6")])
    assert "damage mira 5" in message and was in message and message.endswith("Mira takes 6")
    assert differences([], [outcome])[0].endswith("`make golden` adds it")
    assert differences(before, [])[0].endswith("is gone")


def test_a_golden_file_gives_back_what_was_written() -> None:
    decided = Outcome("a case", "note x", "x", "[]")
    of_two_lines = decided._replace(command="note\nx")
    refused = decided._replace(command="note", text="refused: expected a text", events="-")
    another = decided._replace(where="another case")
    decisions = [decided, refused, another, of_two_lines]
    rows = list(read(written(decisions)))
    assert rows == [(o.where, as_line(o.command), *o.hashes) for o in decisions]
    assert rows[1][3] == "-"
