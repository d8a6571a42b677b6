"""Names are the field's own (docs/glossary.md): a participle never names a thing. What people read
has the words that game masters say."""

from __future__ import annotations

import ast
import re
import tomllib
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


# -- what people read ------------------------------------------------------------------------------

GLOSSARY = SOURCES.parents[1] / "docs" / "glossary.md"
RIDDLE = re.compile(
    r"(?:^|(?<=[.;:] ))(?:Who|Of what|Whoever|Whatever|What is not) (?:is|has|are|isn't)\b[^?]*$",
    re.M,
)
"""A clause in the place of a person or a thing, and no question."""
KEPT = {"also": "words that people type to find something"}
"""The fields of tables that nobody reads, each with the reason."""


def retired_words() -> list[str]:
    """The words that nothing says to people, as the glossary lists them."""
    rows = GLOSSARY.read_text("utf-8").split("\n## Words for people\n")[1].split("\n## ")[0]
    listed = re.findall(r"^\| .* \| (.+) \|$", rows, re.M)[1:]
    return [word for row in listed for word in row.split(", ")]


RETIRED = re.compile(rf"\b(?:{'|'.join(map(re.escape, retired_words()))})\b", re.I)


def faults_of_text(text: str) -> list[str]:
    """The retired words of a text, and the clauses that stand where a thing belongs."""
    return [*RETIRED.findall(text), *RIDDLE.findall(text)]


def messages_of(tree: ast.Module) -> Iterator[str]:
    """Every string of two words or more, parts of f-strings too, but for docstrings."""
    bodies = (node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", 0), list))
    docs = {id(line.value) for body in bodies for line in body if isinstance(line, ast.Expr)}
    for node in ast.walk(tree):
        text = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and " " in text and id(node) not in docs:
            yield text


def texts_of(row: object, name: str = "") -> Iterator[str]:
    """Every text of a table that people read."""
    if isinstance(row, str) and name not in KEPT:
        yield row
    for key, each in row.items() if isinstance(row, dict) else ():
        yield from texts_of(each, key)
    for each in row if isinstance(row, list) else ():
        yield from texts_of(each, name)


def test_no_message_says_a_retired_word() -> None:
    found = [
        f"{path.relative_to(SOURCES)}: {fault} in {text}"
        for path in sorted(SOURCES.rglob("*.py"))
        for text in messages_of(ast.parse(path.read_text("utf-8")))
        for fault in faults_of_text(text)
    ]
    assert found == []


def test_no_text_of_a_table_says_a_retired_word() -> None:
    paths = sorted(SOURCES.rglob("*.toml"))
    found = [
        f"{path.relative_to(SOURCES)}: {fault} in {text}"
        for path in paths
        for text in texts_of(tomllib.loads(path.read_text("utf-8")))
        for fault in faults_of_text(text)
    ]
    assert found == [] and len(paths) > 30


def test_a_retired_word_is_found_in_part_of_a_message_and_not_in_a_docstring() -> None:
    tree = ast.parse(
        'def f(n):\n    """It is said anew."""\n    say(f"{n} comes anew: what lasts")'
    )
    assert [faults_of_text(text) for text in messages_of(tree)] == [["anew", "what lasts"]]
    assert faults_of_text("Done; Whoever is asleep wakes") and not faults_of_text("Who is asleep?")
    assert {"anew", "blow", "reckon", "what lasts"} <= {*retired_words()}
