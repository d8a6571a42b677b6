"""A note of the rules has `who`, and no name in its text: names come last, in each medium.

So somebody who gets another name, or whom the players don't know, is so in every line of the log.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "affray"
MAKERS = sorted(path for path in SOURCE.rglob("*.py") if "NoteAdded(" in path.read_text("utf-8"))
THINGS = {"spec", "power", "weapon", "request.weapon", "effect", "activity"}
"""What has a name and is no combatant: a note may say it."""
DEEP = 3
"""So far is followed where a text comes from."""
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def names_in_notes(module: ast.Module) -> Iterator[str]:
    """What gives combatants' names in the texts of the notes that a module makes."""
    all_functions = [node for node in ast.walk(module) if isinstance(node, FUNCTIONS)]
    functions = {node.name: node for node in all_functions}
    for function in all_functions:
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and _called(node) == "NoteAdded":
                yield from _names(node.args[0], function, functions, DEEP)


def _names(
    text: ast.AST, function: FUNCTIONS, functions: dict[str, FUNCTIONS], deep: int
) -> Iterator[str]:
    """What gives names in a text, in its variables, and in what functions beside it return."""
    if not deep:
        return
    for node in ast.walk(text):
        if isinstance(node, ast.Attribute) and node.attr == "name":
            if ast.unparse(node.value) not in THINGS:
                yield ast.unparse(node)
        elif isinstance(node, ast.Name):
            for value in _values(node.id, function):
                yield from _names(value, function, functions, deep - 1)
        elif isinstance(node, ast.Call) and "names" in _called(node):
            yield ast.unparse(node)  # such as `join_names(people)`
        elif isinstance(node, ast.Call) and (inner := functions.get(_called(node))) is not None:
            for given in ast.walk(inner):
                if isinstance(given, ast.Return | ast.Yield) and given.value is not None:
                    yield from _names(given.value, inner, functions, deep - 1)


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _values(name: str, function: FUNCTIONS) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            into, value = node.targets[0], node.value
        elif isinstance(node, ast.For | ast.comprehension):
            into, value = node.target, node.iter
        else:
            continue
        row = into.elts if isinstance(into, ast.Tuple) else [into]
        if name in [each.id for each in row if isinstance(each, ast.Name)]:
            yield value


@pytest.mark.parametrize("path", MAKERS, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_note_has_a_name_in_its_text(path: Path) -> None:
    found = [*names_in_notes(ast.parse(path.read_text("utf-8")))]
    assert not found, "a note has `who`; `goes_on` or `aside` says how it stands behind the name"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('NoteAdded(f"{bearer.name}: {power.name}")', "bearer.name"),
        ('NoteAdded(f"{ctx.state.name(who)} sinks")', "ctx.state.name"),
        ("NoteAdded(f\"{names_with_verb(dying, 'is', 'are')} dying\")", "names_with_verb"),
        ("each = [c.name for c in keen]; events.NoteAdded(join_or(each, 'and'))", "c.name"),
        ("NoteAdded(why(target), who, goes_on=True)", "target.name"),
        ("[NoteAdded(line) for line in lines()]", "it.name"),
    ],
)
def test_a_name_is_found_wherever_the_text_comes_from(line: str, found: str) -> None:
    beside = (
        "def why(target):\n    return f'{target.name} resists'\ndef lines():\n    yield it.name\n"
    )
    assert found in " ".join(names_in_notes(ast.parse(f"{beside}def tell(ctx):\n    {line}\n")))
