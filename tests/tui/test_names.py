"""No rule of any game has a name outside of the rulesets: their tables give all names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import affray
from affray.rulesets import known_rulesets, load_ruleset

SOURCES = Path(affray.__file__).parent
PARTS = ("core", "store", "tui")
OLD_LOGS = SOURCES / "store" / "entries.py"
"""Names what old logs say, for ever, whatever the tables call it by now."""
OTHERS = {
    SOURCES / "core" / "rules" / "imported_creature.py",
    SOURCES / "core" / "parser" / "everyday_words.py",
    *(SOURCES / "store" / "importers").glob("*"),
}
"""Name the fields of other programs' files, and the words of the games that those are for; and what
people say in place of a command's name."""

COMMON = {
    "act": "the heading of what a turn is paid with",
    "ability": "what a check goes by, in surroundings of a campaign",
    "action": "what a key does",
    "bloodied": "how GMs of every game ask for those with half their HP or fewer",
    "command": "a line that the GM gives",
    "dark": "a theme is light or dark",
    "block": "some lines of a log that belong together",
    "drop": "what a roll of dice leaves out",
    "dying": "one of the lives that a combatant has in every game",
    "escape": "the key that leaves, and what getting rid of an effect costs",
    "fast": "how soon a pool of dice runs out",
    "fail": "what counts against a race",
    "failure": "what counts against a race",
    "free": "what costs nothing",
    "help": "the help of the screen",
    "hit": "hit points, as texts of every game write HP; what lands",
    "hp": "what everybody has in every game that affray plays",
    "hidden": "whom the players don't know of",
    "jump": "to go to a pane by its letter",
    "marked": "how a track counts: what is left, or what is marked",
    "modifier": "an effect without a name, which is told by what it gives",
    "move": "what keys do with a choice",
    "prepared": "an encounter that has not begun, with whom it needs",
    "reaction": "the field of a technique's row that says whether it is done out of turn",
    "resist": "the field of an effect's row that says how much less damage is taken",
    "search": "what the palette does",
    "stand": "where something is",
    "success": "what counts for a race",
    "temp_hp": "the track of temporary HP, in games whose rows say nothing else",
    "unconscious": "one of the lives that a combatant has in every game",
    "use": "how long an effect may last: until it is used",
    "xp": "what foes are worth, by which a game tells how hard a fight is",
}
"""Words that a table has as well, and what they mean outside of the rules."""


def names() -> set[str]:
    """The ids of all tracks, effects, outcomes and techniques, as their rulesets call them."""
    found: set[str] = set()
    for ruleset in map(load_ruleset, known_rulesets()):
        tables = ruleset.tables
        for rows in (tables.tracks, tables.effects, tables.outcomes, tables.techniques):
            found |= {name.casefold() for name in rows}
    return found


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a module, but for those that only explain it."""
    tree = ast.parse(path.read_text("utf-8"))
    explain = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and id(node) not in explain:
            yield node.lineno, text


def words(text: str) -> list[str]:
    """The whole words of a text; a hyphen holds one together."""
    return re.findall(r"\w+(?:-\w+)*", text.casefold())


@pytest.mark.parametrize("part", PARTS)
def test_no_rule_is_named_outside_of_the_rulesets(part: str) -> None:
    wanted = names() - COMMON.keys()
    found = [
        f"{path.relative_to(SOURCES)}:{line}: {word!r} in {text[:60]!r}"
        for path in sorted({*(SOURCES / part).rglob("*.py")} - {OLD_LOGS, *OTHERS})
        for line, text in texts(path)
        for word in words(text)
        if word in wanted
    ]
    assert found == []


def test_every_exception_is_needed() -> None:
    used = {
        word for path in SOURCES.rglob("*.py") for _, text in texts(path) for word in words(text)
    }
    assert COMMON.keys() <= names() & used
