"""docs/write-a-ruleset.md: the game that affray comes with, and a package of its own made of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import tomli
from msgspec.structs import replace

from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import read_tables
from affray.mechanics import actions
from affray.rulesets import plain, tables_of

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "write-a-ruleset.md").read_text("utf-8")
SHIPPED = Path(plain.__file__).parent


def files_of_the_page() -> dict[str, str]:
    """A file that the page shows in several blocks has them one below the other."""
    files: dict[str, str] = {}
    for name, text in re.findall(r"^```\w+ plain/(\S+)\n(.*?)^```", PAGE, re.M | re.S):
        files[name] = f"{files[name]}\n\n{text}" if name in files else text
    return files


FILES = files_of_the_page()


def block(kind: str) -> str:
    """The one block of that kind."""
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.M | re.S)
    return str(found)


def test_the_page_has_every_file_of_the_game() -> None:
    shipped = {
        str(path.relative_to(SHIPPED)): path.read_text("utf-8")
        for path in SHIPPED.rglob("*")
        if path.suffix in (".py", ".toml")
    }
    assert without_empty_lines(shipped) == without_empty_lines(FILES)


def without_empty_lines(files: dict[str, str]) -> dict[str, str]:
    """How many stand between two blocks, the page can't show."""
    return {name: re.sub(r"\n{2,}", "\n", text) for name, text in files.items()}


@pytest.fixture
def my_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ruleset]:
    """The page's files as a package of another name."""
    for name, text in FILES.items():
        path = tmp_path / "my_game" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("affray.rulesets.plain", "my_game"), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    made = import_module("my_game").RULESET
    assert isinstance(made, Ruleset)
    yield made
    for module in [name for name in sys.modules if name.split(".")[0] == "my_game"]:
        del sys.modules[module]


def test_what_the_page_makes_is_played(my_game: Ruleset) -> None:
    rules = with_house_rules(my_game, read_tables(tomli.loads(block("toml plain rules"))))
    state, dice = Encounter("A fight", "my-game"), SeededDice(1)
    lines = block("plain fight").splitlines()
    for asked, told in zip(lines[::2], lines[1::2], strict=True):
        made = decide(state, asked.removeprefix("> "), rules, dice)
        assert made.text == told
        state = made.state
    assert state["ghoul-1"].track("hp") == 5
    assert (state["mira"].track("hp"), state["mira"].track("luck")) == (4, 2)


def test_the_technique_of_the_page_is_played(
    tmp_path: Path, my_game: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cost, a roll, and who has nothing left to pay with."""
    more = dict(re.findall(r"^```\w+ technique (\S+)\n(.*?)^```", PAGE, re.M | re.S))
    for name, text in more.items():
        path = tmp_path / "my_game" / name
        path.write_text(text.replace("affray.rulesets.plain", "my_game"), "utf-8")
    fighting = import_module("my_game.fighting")
    tables = tables_of("my_game")
    verbs = {verb.name: verb for verb in actions.technique_commands(fighting.TECHNIQUES, tables)}
    rules = replace(
        my_game,
        tables=tables,
        verbs={**my_game.verbs, **verbs},
        actions=fighting.ACTIONS,
        turns=fighting.Turns(),
    )
    state, dice = Encounter("A fight", "my-game"), SeededDice(1)
    lines = block("technique fight").splitlines()
    for asked, told in zip(lines[::2], lines[1::2], strict=True):
        line = asked.removeprefix("> ")
        if told.startswith("refused: "):
            with pytest.raises(Refused, match=told.removeprefix("refused: ")):
                decide(state, line, rules, dice)
            continue
        made = decide(state, line, rules, dice)
        assert made.text == told
        state = made.state
    (option,) = fighting.ACTIONS.options(tables, state, state["mira"])
    assert (option.technique, option.reason) == ("strike", "0 Energy left, needs 1")
