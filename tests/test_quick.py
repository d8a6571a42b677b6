"""Which tests belong to a change (`make quick`)."""

from __future__ import annotations

import pytest
from tests.quick import ALWAYS, FIGHTS, PICTURES, ROOT, touched_tests


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("src/affray/rulesets/orcus/saves.py", ["tests/rulesets/orcus"]),
        ("src/affray/rulesets/orcus/tables/effects.toml", ["tests/rulesets/orcus"]),
        ("src/affray/store/importers/foundry.py", ["tests/store/importers"]),
        ("src/affray/core/engine/turns.py", ["tests/core", FIGHTS]),
        ("src/affray/fight.py", ["tests/core"]),
        ("tests/core/test_turns.py", ["tests/core/test_turns.py"]),
        ("tests/core/test_that_is_gone.py", []),
        (
            "tests/tui/__snapshots__/test_panes_snapshots/test_home[120x40].svg",
            ["tests/tui/test_panes_snapshots.py"],
        ),
        ("src/affray/tui/affray.tcss", [*PICTURES]),
        (".github/workflows/tests.yml", ["tests/release"]),
        ("LICENSE", []),
    ],
)
def test_a_file_has_the_tests_of_its_folder(changed: str, tests: list[str]) -> None:
    assert touched_tests([changed]) == [*tests, *ALWAYS]


def test_a_page_has_all_tests_of_documents_and_none_of_them_alone() -> None:
    tests = touched_tests(["docs/orcus.md"])
    assert tests == ["tests/test_docs.py", "tests/test_readme.py", *ALWAYS[:-1]]


def test_a_module_of_the_screen_has_the_tests_that_import_it() -> None:
    tests = touched_tests(["src/affray/tui/widgets/timers.py"])
    assert "tests/tui/test_timers.py" in tests and len(tests) < 8 + len(ALWAYS)


def test_each_of_them_is_there_and_stands_once() -> None:
    sources = [str(p.relative_to(ROOT)) for p in (ROOT / "src").rglob("*.py")]
    tests = touched_tests(sources)
    assert len(set(tests)) == len(tests)
    assert [test for test in tests if not (ROOT / test.partition("::")[0]).exists()] == []
