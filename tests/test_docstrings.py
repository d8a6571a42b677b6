"""Docstrings name, in their first words, what one gets; a stranger understands them."""

from __future__ import annotations

import ast
import builtins
import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import affray
from affray.odds import odds_of

SOURCES = Path(affray.__file__).parent
RIDDLES = re.compile(
    r"(?:It|What|Who|Whoever|Whatever|Whom|Whose|How|Where|When|Why|If|Those|As|Of|All of it"
    r"|All that|One of them|One of it|The same|Whether|That|Which|Nothing|Nobody)\b"
)
"""Openings that name nothing: `What is told of it`, `Those who can`, `As above`."""
TRANSLATED = re.compile(
    r"that is not all|\bwhat (?:it )?hangs on|^(?:One|All|Each) of (?:it|them)\."
    r"|\b(?:is|are) (?:said|told|reckoned) (?:of|by|to|about|from)\b"
)
"""Turns that nobody would write who had not heard them in another language first."""
MOST_WORDS = 45
"""In a sentence of the first paragraph."""


def docstrings(tree: ast.AST, path: str = "") -> Iterator[tuple[str, str]]:
    """The names of classes and functions in a module, private ones too, with their docstrings."""
    for node in getattr(tree, "body", []):
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        docstring = ast.get_docstring(node)
        if docstring:
            yield f"{path}{node.name}", docstring
        yield from docstrings(node, f"{path}{node.name}.")


def faults(docstring: str) -> list[str]:
    first = docstring.split("\n\n")[0].replace("\n", " ")
    found = ["opens with a riddle"] if RIDDLES.match(first) else []
    found += [f"says {turn!r}" for turn in TRANSLATED.findall(first)]
    if any(len(part.split()) > MOST_WORDS for part in re.split(r"(?<=[.:;])\s", first)):
        found.append("has a sentence that is too long")
    return found


def test_docstrings_name_what_one_gets() -> None:
    found = [
        f"{path.relative_to(SOURCES)}: {name} {fault}"
        for path in sorted(SOURCES.rglob("*.py"))
        for name, docstring in docstrings(ast.parse(path.read_text("utf-8")))
        for fault in faults(docstring)
    ]
    assert found == []


@pytest.mark.parametrize(
    "docstring",
    [
        *(
            "What is told of it.",
            "How it stands.",
            "As `do`.",
            "Why it can't.",
            "All that is seen.",
        ),
        *("The words that are said of it.", "The rest, that is not all.", "One of them."),
        "The " + "very " * 50 + "end.",
    ],
)
def test_a_riddle_is_found(docstring: str) -> None:
    assert faults(docstring)


def test_what_is_true_or_false_is_said_as_true_if() -> None:
    """Of private functions and of arguments, too: `True if it
    lasts`, and never `Whether it lasts`."""
    asks = re.compile(r'"""Whether\b|^ +\w+: Whether\b', re.M)
    paths = sorted(SOURCES.rglob("*.py"))
    found = [
        f"{path.name}: {match.group()}"
        for path in paths
        for match in asks.finditer(path.read_text("utf-8"))
    ]
    assert found == [] and len(paths) > 100


# -- what they name is there -----------------------------------------------------------------------

SECTIONS = re.compile(r"^(Args|Raises):\n((?:[ ]+.*\n|\n)+)", re.M)
ENTRIES = re.compile(r"^ {4}\**([\w, *]+):", re.M)
RAISED = re.compile(r"\b[Rr]aises? ([A-Z]\w+(?:(?:, | or |, or | and )[A-Z]\w+)*)")
"""Errors in a sentence: `Raises OSError or ValueError for what is no plain file`."""
ATTRIBUTES = re.compile(r"^([A-Za-z_]\w*(?:, [A-Za-z_]\w*)*)  +\S", re.M)
"""A row of a class's own list: `who, what  whose roll it is, and what it is`."""
Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def parameters(node: Documented) -> set[str]:
    """The names that a function takes; of a class, its fields and what makes or calls it takes."""
    if not isinstance(node, ast.ClassDef):
        given = node.args
        row = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
        return {each.arg for each in row if each is not None}
    makers = [each for each in node.body if getattr(each, "name", "") in ("__init__", "__call__")]
    return own_names(node).union(*(parameters(each) for each in makers))


def own_names(node: ast.ClassDef) -> set[str]:
    """The names of a class's fields, methods, constants, and of what is set on its instances."""
    found = {getattr(each, "name", "") for each in node.body}
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and getattr(each.value, "id", "") == "self":
            found.add(each.attr)
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            found.add(each.id)
    return found


def names_of_nothing(node: Documented, errors: set[str]) -> list[str]:
    """What a docstring names that is not there: parameters, errors, attributes."""
    docstring = f"{ast.get_docstring(node) or ''}\n"
    wrong = [each for row in RAISED.findall(docstring) for each in re.findall(r"[A-Z]\w+", row)]
    wrong = [each for each in wrong if each not in errors]
    for section, text in SECTIONS.findall(docstring):
        there = errors if section == "Raises" else parameters(node)
        named = [each.strip(" *") for row in ENTRIES.findall(text) for each in row.split(",")]
        wrong += [each for each in named if each not in there]
    if isinstance(node, ast.ClassDef):
        rows = [each for row in ATTRIBUTES.findall(docstring) for each in row.split(", ")]
        wrong += [each for each in rows if each not in own_names(node)]
    return wrong


def test_docstrings_name_only_parameters_errors_and_attributes_that_are_there() -> None:
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(SOURCES.rglob("*.py"))}
    nodes = [(path, node) for path, tree in trees.items() for node in ast.walk(tree)]
    errors = {node.name for _, node in nodes if isinstance(node, ast.ClassDef)} | {*dir(builtins)}
    found = [
        f"{path.relative_to(SOURCES)}: {node.name} names {', '.join(wrong)}"
        for path, node in nodes
        if isinstance(node, Documented) and (wrong := names_of_nothing(node, errors))
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        'def f(a):\n    """Do.\n\n    Args:\n        b: one.\n    """',
        'def f():\n    """Do.\n\n    Raises:\n        Refusal: when not.\n    """',
        'def f():\n    """Do. Raises OSError or Refusal for a pipe."""',
        'class C:\n    """One.\n\n    a  what is here\n    b  what is not\n    """\n\n    a: int',
    ],
)
def test_what_is_not_there_is_found(source: str) -> None:
    (node,) = ast.parse(source).body
    assert isinstance(node, Documented)
    assert names_of_nothing(node, {"OSError"}) in (["b"], ["Refusal"])


def example_fight() -> affray.Fight:
    """The fight in which examples play that begin none of their own."""
    fight = affray.Fight("5e", seed=1)
    fight.do("add pc Mira hp 30 ac 15", "add monster Ghoul x2 hp 20", "init mira 20")
    return fight


def test_examples_come_to_what_they_say() -> None:
    shown = [path for path in SOURCES.rglob("*.py") if ">>> " in path.read_text("utf-8")]
    assert shown
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for path in shown:
        name = ".".join(path.relative_to(SOURCES.parent).with_suffix("").parts)
        for test in finder.find(importlib.import_module(name)):
            if test.examples:
                test.globs["fight"] = example_fight()
                assert runner.run(test).failed == 0, test.name


EXAMPLE = re.compile(r"^(?:>>> |    (?:with|for|fight =|odds =|affray\.))", re.M)
"""What is run here, or for what opens files, what docs/library.md and docs/odds.md run."""
PLAIN = {"carry", "name", "life", "side", "max_hp"}
"""A command that needs a campaign, and what the class's own example shows."""


def test_everything_for_scripts_has_an_example() -> None:
    public = [affray.Fight, affray.Who, affray.open, affray.view, affray.load_campaign, odds_of]
    methods = [
        getattr(owner, name)
        for owner in (affray.Fight, affray.Who)
        for name in dir(owner)
        if name[0] != "_" and name not in PLAIN
    ]
    shown = [each for each in methods if callable(each) or isinstance(each, property)]
    without = [each for each in (*public, *shown) if not EXAMPLE.search(inspect.getdoc(each) or "")]
    assert len(shown) > 50 and without == []
