"""Changes one thing after another in the log's code, or in the rules: does a test notice?

    python -m tests.mutation.mutate [--of log] [--tries 400] [--seed 1] [--workers 2]
                                     [--only recovery]

`--of log` is the store, campaigns and the history, `--of rules` rule systems and mechanics,
`--of public` what players get to see; `--only` takes a part of a module's path, so
`--only rulesets/orcus/` is one rule system. Each mutant is one change in one module:
a comparison turned, a number moved by one, `and` for `or`, a condition denied, a text emptied,
nothing set or returned, a statement left out. The tests of that part run once without a change, to
learn which of them reach which lines, and how long each takes. Then each mutant stands in the place
of its module, in a copy of the program, and the tests that reach its lines run, the quickest first,
until one of them fails; for what runs on import, all of them. A mutant that never ends is noticed.
What no test notices is printed with its line; with fewer `--tries` than there are mutants, the seed
chooses them, and `--tries 0` is all of them. The exit status is 0 when at least 90 of 100 were
noticed.

Each run is a fork of this process, which has loaded what the tests need, but not the program: so
this needs a system that forks. It needs coverage, too.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import pickle
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from coverage import Coverage
from hypothesis import Phase, settings
from tests.reach import ROOT, SOURCE, Reach


@dataclass(frozen=True)
class Part:
    """A part of the program: its modules, and the tests that are to notice a change of them.

    `wordings` tells whether texts that are only said are changed, too. In the rules they are not:
    a test of a rule would hold a sentence in place of what happens.
    """

    targets: list[Path]
    tests: list[str]
    wordings: bool


_CORE = SOURCE / "core"
PARTS = {
    "log": Part(
        [
            *sorted((SOURCE / "store").glob("[a-z]*.py")),
            *sorted((SOURCE / "store" / "campaigns").glob("[a-z]*.py")),
            *(_CORE / "engine" / f"{name}.py" for name in ("history", "ledger", "amend")),
            _CORE / "commands" / "log_commands.py",
        ],
        ["tests/store", "tests/core"],
        wordings=True,
    ),
    "rules": Part(
        [
            *sorted((SOURCE / "mechanics").glob("[a-z]*.py")),
            *sorted((SOURCE / "rulesets").glob("*/[a-z]*.py")),
        ],
        ["tests/mechanics", "tests/rulesets", "tests/house"],
        wordings=False,
    ),
    "public": Part(
        [
            *(_CORE / "formatting" / f"{name}.py" for name in ("visibility", "players_view")),
            *sorted((SOURCE / "serve").glob("[a-z]*.py")),
        ],
        ["tests/core/test_public.py", "tests/serve"],
        wordings=False,
    ),
}
# Loaded once, for all that are forked from here.
_LOADED = ("filelock", "platformdirs", "pytest_asyncio", "pytest_textual_snapshot", "tomli_w")
_OPTIONS = ("-x", "-q", "--assert=plain", "-pno:cacheprovider", "-pno:xdist", "-pno:faulthandler")
_OPTIONS += ("-pno:unraisableexception",)
NOTICED = 0.9
MEMORY = 3 << 30  # a mutant may fill a list for ever

_ID = re.compile(r"[\w-]+")
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OTHER: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
}  # fmt: skip
_LEFT_OUT = (ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)


@dataclass(frozen=True)
class Mutant:
    """One change: in which module and lines, what was there, and what makes it in `tree`."""

    path: Path
    lines: range
    what: str
    tree: ast.Module
    change: Callable[[], object]

    @property
    def name(self) -> str:
        return f"{self.path.relative_to(SOURCE)}:{self.lines.start}: {self.what}"


@dataclass(eq=False)
class Chosen(Reach):
    """Runs the wanted tests alone, the quickest first, and no longer than until one fails."""

    wanted: dict[str, float] | None = None

    def pytest_collection(self) -> None:
        """A failing example is enough, nobody needs the smallest."""
        phases = [Phase.explicit, Phase.generate]
        settings.register_profile("unshrunk", settings.get_profile("ci"), phases=phases)
        settings.load_profile("unshrunk")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        wanted = self.wanted
        if wanted is not None:
            chosen = [item for item in items if item.nodeid in wanted]
            items[:] = sorted(chosen, key=lambda item: wanted[item.nodeid])


def mutants(path: Path, wordings: bool) -> Iterator[Mutant]:
    """All the changes of a module. Whoever makes one has spoilt the tree for the others."""
    tree = ast.parse(path.read_text("utf-8"))
    unread = {
        id(below) for node in ast.walk(tree) for top in _unread(node) for below in ast.walk(top)
    }
    if not wordings:
        unread |= {id(said) for node in ast.walk(tree) for said in _wordings(node)}
    for node in ast.walk(tree):
        for spot, change, what in _changes(node) if id(node) not in unread else ():
            if id(spot) not in unread:
                lines = range(spot.lineno, (spot.end_lineno or spot.lineno) + 1)
                yield Mutant(path, lines, what, tree, change)


def _unread(node: ast.AST) -> list[ast.AST]:
    """What below a node changes nothing: docstrings, and what says a type."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return [node]
        case ast.Expr(value=ast.Constant()):
            return [node]
        case ast.AnnAssign() | ast.arg():
            return [node.annotation] if node.annotation else []
        case ast.FunctionDef():
            return [node.returns] if node.returns else []
    return []


def _wordings(node: ast.AST) -> list[ast.AST]:
    """What is said to somebody: texts that are no ids, parts of texts, the text of an entry, why
    something happens, and how a refusal or a note puts it, with all that chooses its words."""
    match node:
        case ast.JoinedStr(values=parts):
            return [part for part in parts if isinstance(part, ast.Constant)]
        case ast.Constant(value=str() as text) if not _ID.fullmatch(text):
            return [node]
        case ast.Assign(targets=[ast.Attribute(attr="text")]):
            return list(ast.walk(node))
        case ast.AugAssign(target=ast.Attribute(attr="text")):
            return list(ast.walk(node))
        case ast.Call(func=ast.Name(id="NoteAdded" | "Refused" | "join_or"), args=[said, *_]):
            return list(ast.walk(said))
        case ast.Call(func=ast.Attribute(attr="refuse"), args=[said, *_]):
            return list(ast.walk(said))
        case ast.keyword(arg="why", value=value):
            return list(ast.walk(value))
    return []


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, Callable[[], object], str]]:
    """Each change of a node itself: where it is, what makes it, and what it is."""

    def put(name: str, value: object) -> Callable[[], object]:
        return lambda: setattr(node, name, value)

    match node:
        case ast.Compare(ops=[op, *rest]) if type(op) in _TURNED:
            turned = [_TURNED[type(op)](), *rest]
            yield node, put("ops", turned), f"{type(op).__name__} turned: {_said(node)}"
        case ast.BinOp(op=op) if type(op) in _OTHER:
            yield node, put("op", _OTHER[type(op)]()), f"other operator: {_said(node)}"
        case ast.BoolOp(op=op):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield node, put("op", other), f"{type(op).__name__} swapped: {_said(node)}"
        case ast.UnaryOp(op=ast.Not()):
            yield node, put("op", ast.UAdd()), f"not left out: {_said(node)}"
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield test, put("test", ast.UnaryOp(ast.Not(), test)), f"denied: {_said(test)}"
        case ast.Constant(value=bool() as value):
            yield node, put("value", not value), f"{value} turned"
        case ast.Constant(value=int() as value):
            yield node, put("value", value + 1), f"{value} is {value + 1}"
        case ast.Constant(value=(str() | bytes()) as value) if value:
            yield node, put("value", value[:0]), f"emptied: {value!r:.60}"
        case ast.Assign(value=value) if not _is_nothing(value):
            yield node, put("value", ast.Constant(None)), f"nothing is set: {_said(node)}"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield node, put("value", ast.Constant(None)), f"nothing is returned: {_said(value)}"
    yield from _statements(node)


def _is_nothing(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _statements(node: ast.AST) -> Iterator[tuple[ast.AST, Callable[[], object], str]]:
    for name in ("body", "orelse", "finalbody"):
        rows = getattr(node, name, None)
        for at, row in enumerate(rows if isinstance(rows, list) else []):
            call = isinstance(row, ast.Expr) and not isinstance(row.value, ast.Constant)
            if call or isinstance(row, _LEFT_OUT):
                yield row, _passing(rows, at), f"left out: {_said(row)}"


def _passing(rows: list[ast.stmt], at: int) -> Callable[[], object]:
    return lambda: rows.__setitem__(at, ast.Pass())


def _said(node: ast.AST) -> str:
    return ast.unparse(node).replace("\n", " ")[:60]


class Copy:
    """A copy of the program in which one mutant after the other takes the place of its module."""

    def __init__(self, folder: Path, part: Part) -> None:
        self.folder = folder
        self.part = part
        # Another to restore from: somebody may be at work on the program meanwhile.
        for name in ("whole", "affray"):
            shutil.copytree(SOURCE, folder / name)

    def recorded(self) -> Reach:
        """Which tests reach what, from a run without any change."""
        kept = self.folder / "reach"
        child = self._forked(lambda: self._record(kept))
        if os.waitpid(child, 0)[1] != 0:
            raise SystemExit("the tests fail without any change")
        found: Reach = pickle.loads(kept.read_bytes())
        return found

    def _record(self, kept: Path) -> int:
        targets = [str(self._place(path)) for path in self.part.targets]
        coverage = Coverage(data_file=None, include=targets, config_file=False)
        coverage.start()
        reach = Chosen(coverage)
        sys.dont_write_bytecode = False  # what is compiled here, all others find
        status = self._tested(reach, self.part.tests)
        reach.stop(self.folder / "affray")
        kept.write_bytes(pickle.dumps(reach))
        return status

    def start(self, mutant: Mutant, tests: dict[str, float]) -> int:
        """Begin to run these tests with the mutant; gives the process, which ends with 0 if all
        of them pass. It ends in any case: after some seconds, or when it takes too much memory."""
        return self._forked(lambda: self._try(mutant, tests))

    def _try(self, mutant: Mutant, tests: dict[str, float]) -> int:
        signal.alarm(20 + 5 * int(sum(tests.values())))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        mutant.change()
        text = ast.unparse(ast.fix_missing_locations(mutant.tree))
        self._place(mutant.path).write_text(text, "utf-8")
        # No module that was compiled from a mutant may stay here.
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        return self._tested(Chosen(wanted=tests), list(files))

    def restore(self, mutant: Mutant) -> None:
        """Put the module back as it was, with its time, by which its compiled form is known."""
        whole = self.folder / "whole" / mutant.path.relative_to(SOURCE)
        shutil.copy2(whole, self._place(mutant.path))

    def _place(self, path: Path) -> Path:
        return self.folder / "affray" / path.relative_to(SOURCE)

    def _tested(self, reach: Chosen, tests: list[str]) -> int:
        sys.path.insert(0, str(self.folder))
        tempfile.tempdir = str(self.folder)  # what a run leaves that was stopped goes with the copy
        options = [*_OPTIONS, f"--basetemp={self.folder / 'temporary'}", f"--rootdir={ROOT}"]
        options += ["-c", str(ROOT / "pyproject.toml")]
        os.chdir(self.folder)  # and what a mutant makes under a wrong name, too
        return int(pytest.main([*options, *(str(ROOT / test) for test in tests)], plugins=[reach]))

    def _forked(self, act: Callable[[], int]) -> int:
        sys.stdout.flush()
        child = os.fork()
        if child:
            return child
        status = 3
        try:
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(nowhere, stream)
            status = act()
        finally:
            os._exit(status)


def reaching(mutant: Mutant, reach: Reach) -> dict[str, float]:
    """The tests that could notice a mutant, and how long each takes."""
    known = reach.lines.get(str(mutant.path.relative_to(SOURCE)), {})
    names = {name for line in mutant.lines for name in known.get(line, ())}
    if not names or "" in names:
        return reach.seconds
    return {name: reach.seconds[name] for name in names}


def survivors(chosen: list[Mutant], part: Part, workers: int) -> list[Mutant]:
    """Those that no test notices, each printed when it is known."""
    waiting, running, found = list(reversed(chosen)), dict[int, tuple[Mutant, Copy]](), []
    with tempfile.TemporaryDirectory() as name:
        free = [Copy(Path(name) / str(number), part) for number in range(workers)]
        reach, *_ = [copy.recorded() for copy in free]  # each of them, for what it compiles
        while waiting or running:
            while waiting and free:
                mutant, copy = waiting.pop(), free.pop()
                running[copy.start(mutant, reaching(mutant, reach))] = mutant, copy
            process, status = os.wait()
            mutant, copy = running.pop(process)
            copy.restore(mutant)
            free.append(copy)
            if status == 0:
                found.append(mutant)
                print(f"not noticed: {mutant.name}", flush=True)
            elif os.waitstatus_to_exitcode(status) == pytest.ExitCode.NO_TESTS_COLLECTED:
                raise SystemExit(f"no test was run with {mutant.name}")
            if waiting and len(waiting) % 100 == 0:
                print(f"{len(waiting)} to go", file=sys.stderr, flush=True)
    return found


def main() -> int:
    """Try mutants, and print what no test notices."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--of", choices=PARTS, default="log")
    parser.add_argument("--tries", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    os.chdir(ROOT)
    for name in _LOADED:
        importlib.import_module(name)
    begun = time.monotonic()
    part = PARTS[options.of]
    found = [
        mutant
        for path in part.targets
        if options.only in str(path.relative_to(SOURCE))
        for mutant in mutants(path, part.wordings)
    ]
    random.Random(options.seed).shuffle(found)
    chosen = found[: options.tries or None]
    share = 1 - len(survivors(chosen, part, options.workers)) / len(chosen)
    took = time.monotonic() - begun
    print(f"{len(chosen)} of {len(found)} mutants tried, {share:.1%} noticed, {took:.0f} seconds")
    return 0 if share >= NOTICED else 1


if __name__ == "__main__":
    sys.exit(main())
