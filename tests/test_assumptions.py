"""Core, mechanics, odds and screen know neither HP nor d20: the games' tables and checks name them.

A place that names one all the same stands here, with the reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import affray

SOURCE = Path(affray.__file__).parent
ROOMS = ("core", "mechanics", "odds", "tui")
NAMED = re.compile(r"\bhp\b|d20")
WORDS = re.compile(r"\bHP\b|saving throw|hit points")
"""Words of a game in what people read or type."""
REASONS = {
    "core/dice.py": (1, "the dice of a check that says nothing else"),
    "core/rules/tables.py": (1, "the track of a game that says nothing else"),
    "core/engine/reminders.py": (1, "how English texts of monsters speak of it"),
    "core/rules/imported_creature.py": (4, "what other programs' files have of a creature"),
    "mechanics/damage.py": (2, "a stable name of `HpLoss`, and an effect's name in old logs"),
}
"""Path -> how many lines name one, and why."""
IN_TEXTS = {
    "core/rules/tables.py": (1, "the health of a game that says nothing else"),
    "core/engine/reminders.py": (3, "how English texts of monsters speak of it"),
    "core/rules/imported_creature.py": (3, "what other programs' files have of a creature"),
    "mechanics/import_creature.py": (4, "likewise, and their English texts"),
    "mechanics/damage.py": (2, "what is asked of `temp`, before the game is known"),
    "tui/terminal.py": (1, "letters of a terminal's keys"),
}
"""Path -> how many texts say one, and why."""


def test_no_more_places_assume_hp_or_a_d20_than_are_listed_with_their_reason() -> None:
    found = {}
    for path in sorted(each for room in ROOMS for each in (SOURCE / room).rglob("*.py")):
        lines = [line for line in path.read_text("utf-8").splitlines() if NAMED.search(line)]
        if lines:
            found[path.relative_to(SOURCE).as_posix()] = len(lines)
    assert found == {path: count for path, (count, _) in REASONS.items()}
    assert sum(found.values()) < 10


def texts_of(tree: ast.Module) -> Iterator[str]:
    """The texts of a module, but for its docstrings."""
    of_docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in of_docs:
            yield str(node.value)


def test_what_is_read_in_every_game_has_the_words_of_none() -> None:
    found = {}
    rooms = [*ROOMS, "play", "serve", "testing"]
    paths = [each for room in rooms for each in (SOURCE / room).rglob("*.py")]
    for path in (*paths, *SOURCE.glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        if many := sum(bool(WORDS.search(text)) for text in texts_of(tree)):
            found[path.relative_to(SOURCE).as_posix()] = many
    assert found == {path: count for path, (count, _) in IN_TEXTS.items()}
