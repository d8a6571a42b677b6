"""docs/write-a-ruleset.md: the game that it writes, as a package of its own, played."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import tomli
from tests.tui.ghouls import finished, prompt_after

from affray import Fight, Refused, rulesets
from affray.core.dice import SeededDice
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import read_tables
from affray.store.open_encounter import OpenEncounter

PAGE = (Path(__file__).parents[2] / "docs" / "write-a-ruleset.md").read_text("utf-8")
FILES = dict(re.findall(r"^```\w+ (duel/\S+)\n(.*?)^```", PAGE, re.M | re.S))


def block(kind: str) -> str:
    """The one block of that kind."""
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.M | re.S)
    return str(found)


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The page's files as a package that affray finds."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(rulesets.BUILT_IN, "duel", "duel")
    yield tmp_path / "duel"
    for module in [name for name in sys.modules if name.split(".")[0] == "duel"]:
        del sys.modules[module]


def test_the_fight_of_the_page_is_played() -> None:
    fight = Fight("duel", seed=1)
    lines = block("duel fight").splitlines()
    for asked, answer in zip(lines[::2], lines[1::2], strict=True):
        line = asked.removeprefix("> ")
        if answer.startswith("refused: "):
            with pytest.raises(Refused, match=answer.removeprefix("refused: ")):
                fight.do(line)
        else:
            assert fight.do(line).text == answer
    assert (fight["mira"].energy, fight["mira"].ac) == (0, 16)
    assert {fight[name].life for name in ("ghoul-1", "ghoul-2")} == {"defeated"}


def test_the_test_of_the_page_holds() -> None:
    names: dict[str, object] = {}
    exec(block("python duel test"), names)
    (test,) = (value for name, value in names.items() if name.startswith("test_"))
    test()  # type: ignore[operator]


def test_numbers_say_where_they_come_from_and_energy_comes_back() -> None:
    fight = Fight("duel", seed=1)
    fight.do("add pc Mira hp 20 ac 14", "add pc Odo hp 20 ac 10", "init mira 9", "init odo 5")
    fight.do("start", "guard")
    assert any("guarded" in line for line in fight.why("mira", "ac"))
    assert [o.reason for o in fight.options("mira")] == ["once a turn", ""]
    fight.do("next", "next")
    assert (fight["mira"].energy, fight["mira"].ac) == (2, 14)


def test_the_screen_has_its_keys(tmp_path: Path) -> None:
    with OpenEncounter.create(tmp_path / "f.toml", "duel", "Duel", SeededDice(1)) as fight:
        for line in ("add pc Mira hp 9 ac 1", "add monster Ghoul hp 6 ac 12", "init all roll"):
            fight.do(line)
        fight.do("init mira 30")
        fight.do("start")
        prompt = prompt_after(fight, "s h enter")
        assert (prompt.line, finished(prompt)) == ("strike ghoul hit", True)


def test_house_rules_say_what_the_schema_has_and_nothing_else() -> None:
    game = import_module("duel").RULESET
    assert isinstance(game, Ruleset)
    more = '[effects.blessed]\nkind = "stance"\nmodifiers = { attack = 1 }\n'
    assert "blessed" in with_house_rules(game, read_tables(tomli.loads(more))).tables.effects
    with pytest.raises(Refused, match="plays by no such field"):
        with_house_rules(
            game, read_tables(tomli.loads('[effects.slow]\nkind = "stance"\nspeed = "half"\n'))
        )


def test_the_package_has_its_tables_and_is_found(package: Path) -> None:
    project = tomli.loads(block("toml duel pyproject.toml"))
    module, _, name = project["project"]["entry-points"][rulesets.GROUP]["duel"].partition(":")
    assert isinstance(getattr(import_module(module), name), Ruleset)
    globs = project["tool"]["setuptools"]["package-data"]["duel"]
    packed = {path for pattern in globs for path in package.glob(pattern)}
    assert packed == set(package.rglob("*.toml"))
