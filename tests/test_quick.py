"""Which tests belong to a change (`make quick`), and what is held of tests/reach.toml."""

from __future__ import annotations

import tomllib

import pytest
from tests.quick import ALWAYS, FIGHTS, MINUTE, PICTURES, REACH, ROOT, best, touched_tests
from tests.reach import SOURCE, Measured, chosen, lines_of_functions, written

REACHED = tomllib.loads(REACH.read_text("utf-8"))


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("src/affray/rulesets/orcus/a_new_one.py", ["tests/rulesets/orcus"]),
        ("src/affray/rulesets/orcus/tables/effects.toml", ["tests/rulesets/orcus"]),
        ("src/affray/store/importers/a_new_one.py", ["tests/store/importers"]),
        ("src/affray/core/engine/a_new_one.py", ["tests/core", FIGHTS]),
        ("src/affray/a_new_one.py", ["tests/core"]),
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
def test_what_no_test_is_known_to_reach_has_the_tests_of_its_folder(
    changed: str, tests: list[str]
) -> None:
    assert touched_tests([changed]) == [*tests, *ALWAYS]


def test_a_page_has_all_tests_of_documents_and_none_of_them_alone() -> None:
    tests = touched_tests(["docs/orcus.md"])
    assert tests == ["tests/test_docs.py", "tests/test_readme.py", *ALWAYS[:-1]]


@pytest.mark.parametrize(
    ("module", "reached_by"),
    [
        ("core/formatting/players_view.py", "tests/serve/test_nothing_hidden.py"),
        ("fight.py", "tests/test_library.py"),
        ("play/reader.py", "tests/play/"),
    ],
)
def test_a_module_has_tests_that_reach_it(module: str, reached_by: str) -> None:
    assert any(test.startswith(reached_by) for test in touched_tests([f"src/affray/{module}"]))


def test_every_prompt_and_what_rule_systems_share_has_tests_that_reach_it() -> None:
    for module, tests in REACHED["modules"].items():
        if module.startswith("mechanics/"):
            assert any(test.startswith("tests/rulesets/") for test in tests), module
        elif module.startswith("tui/prompts/"):
            assert any(test.startswith("tests/tui/") for test in tests), module


def test_a_new_module_of_the_screen_has_tests_of_those_beside_it() -> None:
    tests = touched_tests(["src/affray/tui/prompts/a_new_one.py"])
    assert tests[0] == REACHED["modules"]["tui/prompts/choice_fields.py"][0]


def test_every_module_of_the_map_is_there_and_has_a_test_that_is() -> None:
    for module, tests in REACHED["modules"].items():
        assert (SOURCE / module).exists(), module
        assert any((ROOT / test).exists() for test in tests), module


def test_what_runs_takes_about_a_minute_for_every_module() -> None:
    for module, tests in REACHED["modules"].items():
        seconds = sum(REACHED["seconds"][test] for test in best([tests], REACHED["seconds"]))
        assert seconds <= MINUTE, module


def test_each_of_them_is_there_and_stands_once() -> None:
    sources = [str(p.relative_to(ROOT)) for p in (ROOT / "src").rglob("*.py")]
    tests = touched_tests(sources)
    assert len(set(tests)) == len(tests)
    assert [test for test in tests if not (ROOT / test.partition("::")[0]).exists()] == []


def test_a_test_comes_first_that_reaches_the_most_for_its_time() -> None:
    reach = {"much.py": {1, 2, 3, 4}, "quick.py": {1, 2, 3}, "less.py": {1, 2}, "long.py": {5}}
    seconds = {"much.py": 20.0, "quick.py": 1.0, "less.py": 0.0, "long.py": MINUTE}
    assert chosen(reach, seconds) == ["less.py", "quick.py", "much.py"]


def test_each_line_is_reached_by_two_files_where_there_are_two() -> None:
    reach = {"all.py": {1, 2, 3}, "first.py": {1}, "both.py": {1, 2}, "again.py": {1, 2}}
    assert chosen(reach, dict.fromkeys(reach, 1.0)) == ["all.py", "again.py"]


def test_what_runs_on_import_reaches_nothing() -> None:
    assert lines_of_functions("A = 1\ndef f(a=2):\n    b = 1\n    return b\n") == {3, 4}


def test_a_map_says_which_tests_reach_a_module() -> None:
    found = Measured({"tests/a/own.py": 1.25}, {"dice.py": {"tests/a/own.py": {1}}, "no.py": {}})
    assert tomllib.loads(written(found)) == {
        "seconds": {"tests/a/own.py": 1.2},
        "modules": {"dice.py": ["tests/a/own.py"]},
    }
