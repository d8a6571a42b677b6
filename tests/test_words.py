"""Names are the field's own (docs/glossary.md): a participle never names a thing."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import affray

SOURCES = Path(affray.__file__).parent
NO_NAMES = {
    *("told", "said", "known", "made", "fell", "kept", "noted", "unsaid", "fallen", "skimmed"),
    *("much", "behind", "here", "ways", "aloud", "elsewhere", "glance", "happenings", "heart"),
    *("lay", "hears", "foresee", "overheard", "leaning", "telling", "placing", "tidying"),
    "cushion",
}
"""Words that tell that something happened to a thing, and never which thing; and riddles."""


def names_of(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_no_participle_names_a_thing() -> None:
    found = [
        f"{path.relative_to(SOURCES)}: {name}"
        for path in sorted(SOURCES.rglob("*.py"))
        for name in (path.stem, *names_of(ast.parse(path.read_text("utf-8"))))
        if name.strip("_") in NO_NAMES
    ]
    assert found == []


def test_a_riddle_would_be_found() -> None:
    assert set(names_of(ast.parse("def told(said):\n    known = [x for x in said]\n"))) == {
        *("told", "said", "known", "x"),
    }


def bound_twice(tree: ast.Module) -> list[str]:
    bound: Counter[str] = Counter()
    for line in tree.body:
        if isinstance(line, ast.FunctionDef | ast.ClassDef):
            bound[line.name] += 1
        elif isinstance(line, ast.Assign | ast.AnnAssign):
            targets = line.targets if isinstance(line, ast.Assign) else [line.target]
            names = (n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))
            bound.update(n.id for n in names if isinstance(n.ctx, ast.Store))
    return [name for name, times in bound.items() if times > 1]


def test_no_name_of_a_module_stands_for_two_things() -> None:
    found = [
        f"{path.relative_to(SOURCES)}: {name}"
        for path in sorted(SOURCES.rglob("*.py"))
        for name in bound_twice(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []
    assert bound_twice(ast.parse('A, B = "x", "y"\nB = "z"\n')) == ["B"]
