"""Changes one thing after another in the store and the history, and looks whether a test notices.

    python tests/mutation/mutate.py [--tries 400] [--seed 1] [--workers 2] [--only recovery]

Each mutant is one change in one module: a comparison turned, a number moved by one, `and` for `or`,
a condition denied, a text emptied, a statement left out. It is imported in the place of the module,
and the tests of the store and the history run until one of them fails. What no test notices is
printed with its line; with fewer `--tries` than there are mutants, the seed chooses them.
The exit status is 0 when at least 90 of 100 were noticed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "affray"
TARGETS = [*sorted((SOURCE / "store").glob("[a-z]*.py")), SOURCE / "core" / "history.py"]
TESTS = ROOT / "tests"
_FOLDERS = ("store", "core")
NOTICED = 0.9
LONGEST = 120  # seconds: the tests take a fourth of it, and a mutant may never end

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
    """One change: in which module and line, what was there, and the module with the change."""

    path: Path
    line: int
    what: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.path.relative_to(SOURCE)}:{self.line}: {self.what}"


def mutants(path: Path) -> Iterator[Mutant]:
    """All the changes of a module."""
    tree = ast.parse(path.read_text("utf-8"))
    words = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for place, node in enumerate(ast.walk(tree)):
        if id(node) in words and isinstance(node, ast.Constant):  # a docstring
            continue
        for change, what in _changes(node):
            changed = copy.deepcopy(tree)
            twin = next(n for at, n in enumerate(ast.walk(changed)) if at == place)
            change(twin)
            text = ast.unparse(ast.fix_missing_locations(changed))
            yield Mutant(path, getattr(node, "lineno", 0), what, text)


def _changes(node: ast.AST) -> Iterator[tuple[object, str]]:
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in _TURNED:
            turned = _TURNED[type(op)]
            yield lambda n: n.ops.__setitem__(0, turned()), f"{type(op).__name__} turned"
        case ast.BinOp(op=op) if type(op) in _OTHER and not _is_annotation(node):
            other = _OTHER[type(op)]
            yield lambda n: setattr(n, "op", other()), f"{ast.unparse(node)[:50]}: other operator"
        case ast.BoolOp(op=op):
            other_bool = ast.Or if isinstance(op, ast.And) else ast.And
            yield lambda n: setattr(n, "op", other_bool()), f"{type(op).__name__} swapped"
        case ast.UnaryOp(op=ast.Not()):
            yield lambda n: setattr(n, "op", ast.UAdd()), "not left out"
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            said = f"condition denied: {ast.unparse(test)[:50]}"
            yield lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test)), said
        case ast.Constant(value=bool() as value):
            yield lambda n: setattr(n, "value", not value), f"{value} turned"
        case ast.Constant(value=int() as value):
            yield lambda n: setattr(n, "value", value + 1), f"{value} is {value + 1}"
        case ast.Constant(value=(str() | bytes()) as value) if value:
            yield lambda n: setattr(n, "value", value[:0]), f"{value!r:.40} is empty"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield lambda n: setattr(n, "value", ast.Constant(None)), "nothing is returned"
    yield from _statements(node)


def _statements(node: ast.AST) -> Iterator[tuple[object, str]]:
    for field in ("body", "orelse", "finalbody"):
        rows = getattr(node, field, None)
        for at, row in enumerate(rows if isinstance(rows, list) else []):
            call = isinstance(row, ast.Expr) and not isinstance(row.value, ast.Constant)
            if not call and not isinstance(row, _LEFT_OUT):
                continue
            said = f"left out: {ast.unparse(row)[:50]}"
            yield (
                (lambda n, field=field, at=at: getattr(n, field).__setitem__(at, ast.Pass())),
                f"{said} (line {row.lineno})",
            )


def _is_annotation(node: ast.BinOp) -> bool:
    """`int | None` and the like: a mutant of a type changes nothing."""
    return isinstance(node.op, ast.BitOr) and "None" in ast.unparse(node)


def noticed(mutant: Mutant, folder: Path) -> bool:
    """Whether a test fails with the change. `folder` holds a copy of the program of its own."""
    place = folder / "affray" / mutant.path.relative_to(SOURCE)
    whole = place.read_bytes()
    place.write_text(mutant.text, "utf-8")
    try:
        return _fails(folder, mutant.path.stem)
    finally:
        place.write_bytes(whole)


def _fails(folder: Path, module: str = "") -> bool:
    """Whether a test fails: first the module's own, which are the quickest to notice."""
    own = [test for test in TESTS.rglob(f"test_{module}.py") if test.parent.name in _FOLDERS]
    tests = [*map(str, own), "tests/store", "tests/core/test_history.py"]
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "unshrunk"]
    path = os.pathsep.join([str(folder), str(TESTS / "mutation")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *tests],
            cwd=ROOT, env=environment, capture_output=True, timeout=LONGEST,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def _work(share: list[Mutant]) -> list[Mutant]:
    survivors = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(SOURCE, folder / "affray", ignore=shutil.ignore_patterns("__pycache__"))
        if _fails(folder):
            raise SystemExit("the tests fail without any change")
        for done, mutant in enumerate(share, 1):
            if done % 20 == 0:
                print(f"{done} of {len(share)}", file=sys.stderr, flush=True)
            if not noticed(mutant, folder):
                survivors.append(mutant)
                print(f"not noticed: {mutant.name}", flush=True)
    return survivors


def main() -> int:
    """Try mutants, and print what no test notices."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tries", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    paths = [path for path in TARGETS if options.only in path.stem]
    found = [mutant for path in paths for mutant in mutants(path) if mutant.what]
    random.Random(options.seed).shuffle(found)
    chosen = found[: options.tries]
    with ThreadPoolExecutor(options.workers) as pool:
        shares = [chosen[at :: options.workers] for at in range(options.workers)]
        survivors = [mutant for part in pool.map(_work, shares) for mutant in part]
    share = 1 - len(survivors) / len(chosen)
    print(f"{len(chosen)} of {len(found)} mutants tried, {share:.1%} noticed")
    return 0 if share >= NOTICED else 1


if __name__ == "__main__":
    sys.exit(main())
