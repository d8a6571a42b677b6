"""Public docstrings name, in their first words, what one gets; a stranger understands them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import affray

SOURCES = Path(affray.__file__).parent
RIDDLES = re.compile(
    r"(?:It|What|Who|How|Where|Those|As|Of|All of it|The same|Whether it doesn't)\b"
)
"""Openings that name nothing: `What is told of it`, `Those who can`, `As above`."""
MOST_WORDS = 45
"""In a sentence of the first paragraph."""


def public_docstrings(tree: ast.AST, path: str = "") -> Iterator[tuple[str, str]]:
    """The names of public classes and functions in a module, with their docstrings."""
    for node in getattr(tree, "body", []):
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        name = f"{path}{node.name}"
        if node.name.startswith("_"):
            continue
        docstring = ast.get_docstring(node)
        if docstring:
            yield name, docstring
        if isinstance(node, ast.ClassDef):
            yield from public_docstrings(node, f"{name}.")


def faults(docstring: str) -> list[str]:
    first = docstring.split("\n\n")[0].replace("\n", " ")
    found = ["opens with a riddle"] if RIDDLES.match(first) else []
    if any(len(part.split()) > MOST_WORDS for part in re.split(r"(?<=[.:;])\s", first)):
        found.append("has a sentence that is too long")
    return found


def test_public_docstrings_name_what_one_gets() -> None:
    found = [
        f"{path.relative_to(SOURCES)}: {name} {fault}"
        for path in sorted(SOURCES.rglob("*.py"))
        for name, docstring in public_docstrings(ast.parse(path.read_text("utf-8")))
        for fault in faults(docstring)
    ]
    assert found == []


@pytest.mark.parametrize(
    "docstring",
    ["What is told of it.", "How it stands.", "As `do`.", "The " + "very " * 50 + "end."],
)
def test_a_riddle_is_found(docstring: str) -> None:
    assert faults(docstring)
