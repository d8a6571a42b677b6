"""The tests that a change touches: `make quick` runs them, of a rule in less than a minute.

    python tests/quick.py            # what is changed and not committed; else the last commit
    python tests/quick.py main       # what is otherwise than on main

A test that was changed is run itself, and so is that of a snapshot. A module has the tests of the
folder that is called as its own, so `rulesets/orcus/saves.py` and a table beside it have
`tests/rulesets/orcus`; those of the screen are many and slow, and only such are run as import the
module. `make test` runs all.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLES = "tests/test_docs.py::test_each_table_is_what_its_source_says"
"""A new key or command stands in a table of docs, too: `make tables`."""
ALWAYS = ("tests/test_layers.py", "tests/test_words.py", TABLES)
SCREEN = Path("tests/tui")
PICTURES = ("tests/tui/test_screens_snapshots.py", "tests/tui/test_panes_snapshots.py")
FIGHTS = "tests/test_replay.py"
DOCUMENTS = ("tests/test_docs.py", "tests/test_readme.py")


def changed_files(base: str) -> list[str]:
    """The files that are otherwise than in that commit, new ones among them."""
    return _git("diff", "--name-only", base) + _git("ls-files", "--others", "--exclude-standard")


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(("git", *arguments), cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def touched_tests(changed: Iterable[str], root: Path = ROOT) -> list[str]:
    """The folders and files of tests that belong to those files, each once.

    >>> touched_tests(["src/affray/rulesets/orcus/saves.py"])[:1]
    ['tests/rulesets/orcus']
    """
    found = [test for name in changed for test in _tests_of(Path(name), root)]
    tests = dict.fromkeys([*found, *ALWAYS])
    # Of a module and a test in it pytest would run that one test alone.
    return [test for test in tests if "::" not in test or test.partition("::")[0] not in tests]


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
            yield from _that_import(inside, root) or PICTURES
            return
        folders = (Path("tests", *inside.parts[:n]) for n in range(len(inside.parts), 0, -1))
        yield str(next((f for f in folders if (root / f).is_dir()), Path("tests/core")))
        if inside.parts[0] in ("core", "mechanics"):
            yield FIGHTS


def _that_import(inside: Path, root: Path) -> list[str]:
    """The tests of the screen that import a module, by either way of saying so."""
    module = ".".join(("affray", *inside.with_suffix("").parts))
    package, _, name = module.rpartition(".")
    tests = sorted((root / SCREEN).glob("test_*.py"))
    ways = (f"from {module} import", f"from {package} import {name}")
    return [
        str(test.relative_to(root))
        for test in tests
        if any(way in test.read_text("utf-8") for way in ways)
    ]


if __name__ == "__main__":
    changed = changed_files(*sys.argv[1:2] or ("HEAD",)) or _git("show", "--name-only", "--format=")
    print(*touched_tests(changed))
