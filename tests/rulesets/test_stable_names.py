"""What rule systems may import stays: the names of `stable_names.txt`, with what each is given.

`python -m tests.rulesets.test_stable_names` writes it anew where some have come. How one goes,
docs/stability.md says.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "write-a-ruleset.md").read_text("utf-8")
MODULES = sorted(set(re.findall(r"`(affray\.[\w.]+)`", PAGE.split("## What may be imported")[1])))
FILE = Path(__file__).with_suffix("").with_name("stable_names.txt")


def names_in(module: str) -> Iterator[str]:
    """Yield the public names that a module defines: `name: what it is given, or has`."""
    for node in ast.parse(inspect.getsource(import_module(module))).body:
        if isinstance(node, ast.FunctionDef):
            each = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            found = {node.name: [arg.arg for arg in each]}
        elif isinstance(node, ast.ClassDef):
            found = {node.name: [name for part in node.body for name in _targets(part)]}
        elif isinstance(node, ast.ImportFrom):
            handed_on = getattr(import_module(module), "__all__", ())
            found = {each.name: [] for each in node.names if each.name in handed_on}
        else:
            found = {name: [] for name in _targets(node)}
        for name, parts in found.items():
            public = " ".join(part for part in parts if not part.startswith("_"))
            if not name.startswith("_"):
                yield f"{module}.{name}: {public}".rstrip(" :")


def _targets(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [
        part.id for each in targets if each for part in ast.walk(each) if isinstance(part, ast.Name)
    ]


@pytest.mark.parametrize("module", MODULES)
def test_what_is_stable_is_there_with_all_that_it_was_given(module: str) -> None:
    lines = [line for line in FILE.read_text("utf-8").splitlines() if line.startswith(f"{module}.")]
    own = [line for line in lines if line.partition(":")[0].rpartition(".")[0] == module]
    assert own
    for line in own:
        path, _, parts = line.partition(": ")
        value = getattr(import_module(module), path.rpartition(".")[2])
        is_function = callable(value) and not isinstance(value, type)
        has = inspect.signature(value).parameters if is_function and parts else dir(value)
        assert {*parts.split()} <= {*has}, line


if __name__ == "__main__":
    FILE.write_text(
        "".join(f"{line}\n" for module in MODULES for line in names_in(module)), "utf-8"
    )
