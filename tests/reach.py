"""Which tests reach which modules: `make reach` takes that once, `make quick` chooses by it.

    python -m pytest -q -n 2 -p tests.reach

The whole suite runs with coverage, which takes twice its time. For each module tests/reach.toml has
the files of tests that together reach every line within its functions that any test reaches, and
each by two of them where there are two: first those that reach the most for their time, and as many
as a minute allows. A file of more than half a minute is left to `make test`, and what runs in a
process of its own isn't seen. The seconds are those of the processor, with coverage. A test that
fails counts all the same.
"""

from __future__ import annotations

import ast
import os
import pickle
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.quick import MINUTE, best

if TYPE_CHECKING:
    from coverage import Coverage

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "affray"
MAP = ROOT / "tests" / "reach.toml"
TIMES = 2
"""By so many files each line is to be reached: one alone may reach it and look at nothing."""
STARTED = 1.0
"""The seconds that a file of tests takes beside those of its tests, so about."""


@dataclass(eq=False)
class Reach:
    """A pytest plugin: how long each test takes, and with `coverage` which lines it reaches.

    seconds  of each test, by its id
    lines    the ids of the tests that reach a line, by its file and number; "" on import
    """

    coverage: Coverage | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self.coverage is not None:
            self.coverage.switch_context(self.named(nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration

    def named(self, test: str) -> str:
        """What stands for a test in `lines`."""
        return test

    def stop(self, source: Path) -> None:
        """Take the lines of the modules below a folder, by their paths in it."""
        assert self.coverage is not None
        self.coverage.stop()
        data = self.coverage.get_data()
        for file in data.measured_files():
            name = Path(file).relative_to(source).as_posix()
            self.lines[name] = dict(data.contexts_by_lineno(file))
        self.coverage = None


class Measured(NamedTuple):
    """What a run of the suite has shown: seconds by file of tests, and lines by module and that."""

    seconds: dict[str, float]
    lines: dict[str, dict[str, set[int]]]


# -------------------------------------------------------------------------------------------------
# Taking it: a worker follows its tests, and hands over what it has seen.


class OfAWorker(Reach):
    """Follows the tests of a process by their files."""

    def named(self, test: str) -> str:
        return test.partition("::")[0]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        begun = _processor_seconds()
        try:
            return (yield)
        finally:
            file = self.named(item.nodeid)
            self.worked[file] = self.worked.get(file, 0) + _processor_seconds() - begun

    def __init__(self) -> None:
        from coverage import Coverage

        include = [f"{SOURCE}/*"]
        super().__init__(Coverage(data_file=None, include=include, config_file=False))
        self.worked: dict[str, float] = {}
        assert self.coverage is not None
        self.coverage.start()

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.stop(SOURCE)
        found: dict[str, dict[str, set[int]]] = {}
        for module, by_line in self.lines.items():
            tests: dict[str, set[int]] = defaultdict(set)
            for line in by_line.keys() & lines_of_functions((SOURCE / module).read_text("utf-8")):
                for test in by_line[line]:
                    tests[test].add(line)
            tests.pop("", None)
            found[module] = dict(tests)
        output: dict[str, Any] = session.config.workeroutput  # type: ignore[attr-defined]
        output["reach"] = pickle.dumps(Measured(self.worked, found))


def _processor_seconds() -> float:
    """Those of this process, and of those that it has started and that are over."""
    return sum(os.times()[:4])


class OfAll:
    """Puts together what the workers have seen, and writes the map."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.lines: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        measured: Measured = pickle.loads(node.workeroutput["reach"])
        for test, seconds in measured.seconds.items():
            self.seconds[test] += seconds
        for module, tests in measured.lines.items():
            for test, lines in tests.items():
                self.lines[module][test] |= lines

    def pytest_sessionfinish(self) -> None:
        if not self.lines:
            raise pytest.UsageError("the lines are taken by workers: say -n 2")
        MAP.write_text(written(Measured(self.seconds, self.lines)), "utf-8", newline="\n")


def pytest_configure(config: pytest.Config) -> None:
    """As a plugin, `-p tests.reach`, it is another one in a worker than in who started them."""
    config.pluginmanager.register(OfAWorker() if hasattr(config, "workerinput") else OfAll())


def lines_of_functions(text: str) -> set[int]:
    """The lines of a module that don't run when it is imported."""
    functions = [each for each in ast.walk(ast.parse(text)) if isinstance(each, _FUNCTIONS)]
    return {
        line
        for function in functions
        for each in ([function.body] if isinstance(function, ast.Lambda) else function.body)
        for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)
    }


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

# -------------------------------------------------------------------------------------------------
# Choosing by it


def chosen(tests: Mapping[str, set[int]], seconds: Mapping[str, float]) -> list[str]:
    """Of the files of tests that reach a module those that are to run, the best first."""
    short = sorted(test for test in tests if seconds[test] <= MINUTE / 2)
    found: list[str] = []
    for _ in range(TIMES):
        left = {line for test in short for line in tests[test]}
        while others := [test for test in short if test not in found and tests[test] & left]:
            most = max(others, key=lambda t: len(tests[t] & left) / (seconds[t] + STARTED))
            found.append(most)
            left -= tests[most]
    return best([found], seconds)


def written(measured: Measured) -> str:
    """The text of tests/reach.toml."""
    picks = {
        module: chosen(tests, measured.seconds) for module, tests in sorted(measured.lines.items())
    }
    picks = {module: tests for module, tests in picks.items() if tests}
    named = sorted({test for tests in picks.values() for test in tests})
    lines = ["# Made by `make reach`: see tests/reach.py.", "", "[seconds]"]
    lines += [f'"{test}" = {measured.seconds[test]:.1f}' for test in named]
    lines += ["", "[modules]"]
    for module, tests in picks.items():
        lines += [f'"{module}" = [', *(f'    "{test}",' for test in tests), "]"]
    return "".join(f"{line}\n" for line in lines)
