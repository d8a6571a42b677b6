"""The tests that a change touches: `make quick` runs them, in about a minute.

    python tests/quick.py            # what is changed and not committed; else the last commit
    python tests/quick.py main       # what is otherwise than on main

A test that was changed is run itself, and so is that of a snapshot. A module has the files of tests
that reach its lines, the best of them first, as tests/reach.toml has them (`make reach`): as many
as a minute allows, and the first of each module in any case. A module that isn't in there, and what
is no Python, such as a table of rules, has the folder that is called as its own, so
`rulesets/orcus/tables/effects.toml` has `tests/rulesets/orcus`. Of the screen the tests are many
and slow: a new module of it has those of the modules beside it. `make test` runs all.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).parents[1]
REACH = ROOT / "tests" / "reach.toml"
MINUTE = 60.0
"""The seconds of a processor for the tests that reach changed modules."""
TABLES = "tests/test_docs.py::test_each_table_is_what_its_source_says"
"""A new key or command stands in a table of docs, too: `make tables`."""
ALWAYS = ("tests/test_layers.py", "tests/test_words.py", TABLES)
PICTURES = ("tests/tui/test_screens_snapshots.py", "tests/tui/test_panes_snapshots.py")
FIGHTS = "tests/test_replay.py"
DOCUMENTS = ("tests/test_docs.py", "tests/test_readme.py")


def changed_files(base: str) -> list[str]:
    """The files that are otherwise than in that commit, new ones among them."""
    return _git("diff", "--name-only", base) + _git("ls-files", "--others", "--exclude-standard")


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(("git", *arguments), cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def touched_tests(changed: Sequence[str], root: Path = ROOT) -> list[str]:
    """The folders and files of tests that belong to those files, each once.

    >>> touched_tests(["src/affray/rulesets/orcus/tables/effects.toml"])[:1]
    ['tests/rulesets/orcus']
    """
    reach = tomllib.loads(REACH.read_text("utf-8"))
    found, by_module = [], []
    for path in map(Path, changed):
        if tests := _tests_that_reach(path, reach["modules"], root):
            by_module += tests
        else:
            found += _tests_of(path, root)
    found += best(by_module, reach["seconds"])
    tests = dict.fromkeys([*found, *ALWAYS])
    # Of a module and a test in it pytest would run that one test alone.
    return [test for test in tests if "::" not in test or test.partition("::")[0] not in tests]


def _tests_that_reach(path: Path, known: Mapping[str, list[str]], root: Path) -> list[list[str]]:
    """Those of a module, the best first; of a new one of the screen those of each beside it."""
    if path.parts[:2] != ("src", "affray") or path.suffix != ".py":
        return []
    module = Path(*path.parts[2:])
    named = [module.as_posix()]
    if named[0] not in known and module.parts[0] == "tui":
        named = [name for name in known if Path(name).parent == module.parent]
    all_tests = [[test for test in known.get(name, ()) if (root / test).exists()] for name in named]
    return [tests for tests in all_tests if tests]


def best(of_modules: Iterable[Sequence[str]], seconds: Mapping[str, float]) -> list[str]:
    """The first test of each module; then of each the second, and so on, while there is time.

    >>> best([["good", "slow"], ["other", "next"]], {"good": 9, "slow": 70, "other": 5, "next": 9})
    ['good', 'other', 'next']
    """
    found: list[str] = []
    spent = 0.0
    for rank, tests in enumerate(zip_longest(*of_modules)):
        for test in tests:
            if test and test not in found and (rank == 0 or spent + seconds[test] <= MINUTE):
                found.append(test)
                spent += seconds[test]
    return found


def _tests_of(path: Path, root: Path) -> Iterator[str]:
    if "__snapshots__" in path.parts:  # below it a folder for each module with its pictures
        at = path.parts.index("__snapshots__")
        path = Path(*path.parts[:at], f"{path.parts[at + 1]}.py")
    if path.parts[:1] == ("tests",) and path.name.startswith("test_"):
        yield from (str(path),) if (root / path).exists() else ()
    elif path.parts[:1] == (".github",) or path.parts[:2] == ("tests", "release"):
        yield "tests/release"
    elif path.suffix == ".md":
        yield from DOCUMENTS
    elif path.parts[:2] == ("src", "affray"):
        inside = Path(*path.parts[2:])
        if inside.parts[0] == "tui":
            yield from PICTURES
            return
        folders = (Path("tests", *inside.parts[:n]) for n in range(len(inside.parts), 0, -1))
        yield str(next((f for f in folders if (root / f).is_dir()), Path("tests/core")))
        if inside.parts[0] in ("core", "mechanics"):
            yield FIGHTS


if __name__ == "__main__":
    changed = changed_files(*sys.argv[1:2] or ("HEAD",)) or _git("show", "--name-only", "--format=")
    print(*touched_tests(changed))
