"""What rule systems and importers may import stays: the names of `stable_names.txt`, with the
version since which each is stable, and what it is given.

`python -m tests.rulesets.test_stable_names` adds what has come; it takes nothing away. How a name
goes, docs/stability.md says.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

import affray

DOCS = Path(__file__).parents[2] / "docs"
PARTS = {
    "write-a-ruleset.md": "## What may be imported",
    "write-an-importer.md": "| import | from |",
}
"""The pages for those who write packages, and where each begins to name modules."""
MODULES = sorted(
    {
        module
        for page, begin in PARTS.items()
        for module in re.findall(
            r"`(affray\.[\w.]+)`", (DOCS / page).read_text("utf-8").split(begin)[1]
        )
    }
)
FILE = Path(__file__).with_suffix("").with_name("stable_names.txt")


def names_in(module: str) -> Iterator[str]:
    """Yield the public names that a module defines: `name: what it is given, or has`."""
    offered = getattr(import_module(module), "__all__", None)
    for node in ast.parse(inspect.getsource(import_module(module))).body:
        if isinstance(node, ast.FunctionDef):
            each = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            found = {node.name: [arg.arg for arg in each]}
        elif isinstance(node, ast.ClassDef):
            found = {node.name: [name for part in node.body for name in _targets(part)]}
        elif isinstance(node, ast.ImportFrom):
            found = {each.name: [] for each in node.names if each.name in (offered or ())}
        else:
            found = {name: [] for name in _targets(node)}
        for name, parts in found.items():
            public = " ".join(part for part in parts if not part.startswith("_"))
            if not name.startswith("_") and (offered is None or name in offered):
                yield f"{module}.{name}: {public}".rstrip(" :")


class Promise(NamedTuple):
    """A stable name: since which version, and the names of what it is given, or has."""

    since: str
    parts: tuple[str, ...] = ()


def promised() -> dict[str, Promise]:
    """The list: the path of each name -> what is promised of it."""
    found = {}
    for line in FILE.read_text("utf-8").splitlines():
        since, path, *parts = line.split()
        found[path.removesuffix(":")] = Promise(since, tuple(parts))
    return found


def written() -> str:
    """The list with what has come since, under the version of the source."""
    now = promised()
    for line in (line for module in MODULES for line in names_in(module)):
        path, _, parts = line.partition(": ")
        old = now.get(path, Promise(affray.__version__))
        now[path] = Promise(old.since, tuple(dict.fromkeys((*parts.split(), *old.parts))))
    module = {path: path.rpartition(".")[0] for path in now}
    return "".join(
        f"{since} {path}{': ' if parts else ''}{' '.join(parts)}\n"
        for path, (since, parts) in sorted(now.items(), key=lambda each: module[each[0]])
    )


def _targets(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [
        part.id for each in targets if each for part in ast.walk(each) if isinstance(part, ast.Name)
    ]


@pytest.mark.parametrize("module", MODULES)
def test_what_is_stable_is_there_with_all_that_it_was_given(module: str) -> None:
    own = {p: its for p, its in promised().items() if p.rpartition(".")[0] == module}
    assert own
    for path, its in own.items():
        value = getattr(import_module(module), path.rpartition(".")[2])
        is_function = callable(value) and not isinstance(value, type)
        has = inspect.signature(value).parameters if is_function and its.parts else dir(value)
        assert {*its.parts} <= {*has}, path


def test_the_list_has_every_public_name_and_since_when() -> None:
    now = {line.partition(":")[0] for module in MODULES for line in names_in(module)}
    assert now <= promised().keys(), "python -m tests.rulesets.test_stable_names adds them"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", its.since) for its in promised().values())


def test_a_name_that_moved_stays_where_it_was_promised() -> None:
    assert "affray.core.rules.imported_creature.PROPOSED" in promised()


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
