"""The table of rules in docs/rules/monsters-and-magic.md, from rules.toml, which names the tests.

`make tables` writes it (tests/docs_tables.py).
"""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

from msgspec import Struct, convert

from affray.core.rules.tables import ReferenceText
from affray.rulesets.monsters_and_magic import TABLES

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
FOLDERS = (HERE, TESTS / "core", TESTS / "house")
"""Where the tests are that a rule may name."""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of the text, and what affray does with it.

    tests, cases  the names of those that play it
    texts         rows of texts.toml that tell it
    left          why it is left to the table; empty where it isn't
    """

    rule: str
    tests: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    left: str = ""

    @property
    def how(self) -> str:
        """`played`, `reference` or `left to the table`."""
        if self.left:
            return "left to the table"
        return "played" if self.tests or self.cases else "reference"


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the text, with its rules in their order."""

    title: str
    rules: tuple[Rule, ...]


class Chapter(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of it."""

    sections: tuple[Section, ...]

    @property
    def rules(self) -> list[Rule]:
        """All rules of all sections."""
        return [rule for section in self.sections for rule in section.rules]


def chapter() -> Chapter:
    """The rules as rules.toml has them. Raises msgspec.ValidationError for another form."""
    return convert(tomllib.loads((HERE / "rules.toml").read_text("utf-8")), Chapter)


def tests_of(folder: Path) -> dict[str, str]:
    """The tests of a folder, as pytest collects them, with what is said of each."""
    trees = (ast.parse(file.read_text("utf-8")) for file in sorted(folder.glob("test_*.py")))
    found = (node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef))
    return {
        each.name: ast.get_docstring(each) or "" for each in found if each.name.startswith("test_")
    }


def cases() -> set[str]:
    """The names of the game's cases in tests/cases."""
    files = (TESTS / "cases").glob("monsters-and-magic*.toml")
    return {case["name"] for f in files for case in tomllib.loads(f.read_text("utf-8"))["case"]}


def texts() -> dict[str, ReferenceText]:
    """The rows that can be read under `/`."""
    return TABLES.texts


def table() -> str:
    """The rules as the page shows them: how many there are, and a table for each section."""
    every = [rule.how for rule in chapter().rules]
    played, told = every.count("played"), every.count("reference")
    counted = f"{len(every)} rules: {played} are played, {told} are reference,"
    left = f"{len(every) - played - told} are left to the table."
    return "\n\n".join([f"{counted} {left}", *map(_section, chapter().sections)]) + "\n"


def _section(section: Section) -> str:
    head = f"### {section.title}\n\n| rule | | where |\n|---|---|---|\n"
    return head + "\n".join(f"| {r.rule} | {r.how} | {_where(r)} |" for r in section.rules)


def _where(rule: Rule) -> str:
    named = [*(f"`{test}`" for test in rule.tests), *(f"“{case}”" for case in rule.cases)]
    read = [f"`/` {texts()[text].name}" for text in rule.texts]
    return rule.left or ", ".join([*named, *read])
