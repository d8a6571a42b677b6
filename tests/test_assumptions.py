"""Core, mechanics, odds and screen know neither HP nor d20: the games' tables and checks name them.

A place that names one all the same stands here, with the reason.
"""

from __future__ import annotations

import re
from pathlib import Path

import affray

SOURCE = Path(affray.__file__).parent
ROOMS = ("core", "mechanics", "odds", "tui")
NAMED = re.compile(r"\bhp\b|d20")
REASONS = {
    "core/dice.py": (1, "the dice of a check that says nothing else"),
    "core/rules/tables.py": (1, "the track of a game that says nothing else"),
    "core/engine/reminders.py": (1, "how English texts of monsters speak of it"),
    "core/rules/imported_creature.py": (4, "what other programs' files have of a creature"),
    "mechanics/damage.py": (2, "a stable name of `HpLoss`, and an effect's name in old logs"),
}
"""Path -> how many lines name one, and why."""


def test_no_more_places_assume_hp_or_a_d20_than_are_listed_with_their_reason() -> None:
    found = {}
    for path in sorted(each for room in ROOMS for each in (SOURCE / room).rglob("*.py")):
        lines = [line for line in path.read_text("utf-8").splitlines() if NAMED.search(line)]
        if lines:
            found[path.relative_to(SOURCE).as_posix()] = len(lines)
    assert found == {path: count for path, (count, _) in REASONS.items()}
    assert sum(found.values()) < 10
