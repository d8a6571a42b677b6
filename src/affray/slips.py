"""Slips in a game's code that would come to nothing at the table: words that no table has.

They are told when the game is loaded, by file and line. Start with `check_game`.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from textwrap import dedent
from types import CodeType

from affray.core.parser.errors import Refused, suggest_or_list
from affray.core.rules.house_rules import check_code
from affray.core.rules.ruleset import Ruleset
from affray.mechanics.checks import Check
from affray.mechanics.stats import StatNumbers


@lru_cache(maxsize=16)
def check_game(ruleset: Ruleset) -> None:
    """Raise Refused for the first word that the game's code or its rows name, and nothing has.

    That is what `check_code` refuses, an outcome to which one of its checks comes, and a track
    among the numbers. A refusal of a row has its `row`; of code, it begins with file and line.
    """
    tables, numbers = ruleset.tables, ruleset.numbers
    try:
        check_code(ruleset)
    except Refused as refusal:
        if refusal.row or not refusal.field:
            raise
        raise Refused(f"{_place_of(ruleset, refusal.field)}{refusal.message}") from None
    if isinstance(numbers, StatNumbers) and type(numbers).totals is StatNumbers.totals:
        for name in tables.totals:
            if name in tables.tracks and name not in numbers.stats.rows:
                why = "is in vain: [tracks] has the label of a track"
                raise Refused(f"[totals.{name}] {why}", row=f"totals.{name}")
    for place, outcome in _outcomes_of_checks(ruleset) if tables.outcomes else ():
        if outcome and outcome not in tables.outcomes:
            near = suggest_or_list(outcome, tables.outcomes)
            raise Refused(f"{place}: {outcome!r} is no outcome{near}")


def _modules_of(ruleset: Ruleset) -> Iterator[str]:
    """Yield the names of the game's modules: of those that have the ruleset, and all below them."""
    homes = [
        name
        for name, module in [*sys.modules.items()]
        if any(value is ruleset for value in [*getattr(module, "__dict__", {}).values()])
    ]
    for name in [*sys.modules]:
        if any(name == home or name.startswith(f"{home}.") for home in homes):
            yield name


def _place_of(ruleset: Ruleset, word: str) -> str:
    """Return where the game's code first has a word: `attacks.py, line 12: `; empty for nowhere."""
    for name in _modules_of(ruleset):
        try:
            source = inspect.getsource(sys.modules[name])
        except (OSError, TypeError):  # without a file, or in an archive
            continue
        file = Path(sys.modules[name].__file__ or name).name
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and node.value == word:
                return f"{file}, line {node.lineno}: "
    return ""


def _outcomes_of_checks(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the outcomes that the game's checks return as words, each with its place. Where a check
    bends them, what it bends is its own affair."""
    modules = {*_modules_of(ruleset)}
    for check in _below(Check):
        if check.__module__ in modules:
            is_bent = check.bend is not Check.bend
            for name in ("bend",) if is_bent else ("outcome", "outcome_of_dice"):
                code = getattr(vars(check).get(name), "__code__", None)
                if code is not None:
                    yield from _words_returned(code)


def _below(kind: type[Check]) -> Iterator[type[Check]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def _words_returned(code: CodeType) -> Iterator[tuple[str, str]]:
    try:
        lines, first = inspect.getsourcelines(code)
        tree = ast.parse(dedent("".join(lines)))
    except (OSError, SyntaxError):
        return
    for node in ast.walk(tree):
        found = [node.value] if isinstance(node, ast.Return) and node.value else []
        for each in found:
            if isinstance(each, ast.IfExp):
                found += [each.body, each.orelse]
            elif isinstance(each, ast.Constant) and isinstance(each.value, str):
                line = first + each.lineno - 1
                yield f"{Path(code.co_filename).name}, line {line}", each.value
