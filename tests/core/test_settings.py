"""Settings: one table, by which they are read, chosen, shown and kept from the players."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import replace

import affray
from affray import Fight
from affray.core.engine import settings
from affray.core.engine.settings import (
    BELL,
    PLAYERS_HEALTH,
    SETTINGS,
    TURN_TIMER,
    Setting,
)
from affray.core.engine.state import Encounter
from affray.core.formatting.players_view import known_state
from affray.core.formatting.reports import json_report
from affray.rulesets import load_ruleset
from affray.rulesets.adventure_school import settings as adventure_school
from affray.rulesets.fifth import settings as fifth
from affray.rulesets.level_up import settings as level_up
from affray.rulesets.monsters_and_magic import settings as monsters_and_magic
from affray.rulesets.orcus import settings as orcus

GAMES = ["monsters-and-magic", "5e", "orcus", "level-up", "adventure-school", "plain"]

TABLES = (settings, adventure_school, fifth, level_up, monsters_and_magic, orcus)
SOURCES = Path(affray.__file__).parent
ROWS = [
    (name, row) for table in TABLES for name, row in vars(table).items() if isinstance(row, Setting)
]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[row.read_in for _, row in ROWS])
def test_each_is_read_where_its_row_says(name: str, row: Setting) -> None:
    text = (SOURCES / row.read_in).read_text("utf-8")
    assert re.search(rf"\b{name}\.(value|is_on|name)\b", text)


def test_nobody_reads_one_past_its_row() -> None:
    """Its name and its default stand once: in its row."""
    read = re.compile(r"\.settings(?:\.get\(|\[)\s*[\"']")
    found = [path for path in SOURCES.rglob("*.py") if read.search(path.read_text("utf-8"))]
    assert found == []


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_each_row_of_a_table_is_listed(table: ModuleType) -> None:
    rows = [row for row in vars(table).values() if isinstance(row, Setting)]
    assert tuple(rows) == table.SETTINGS


def test_what_it_cant_be_is_the_default() -> None:
    """A log that was edited by hand may have anything."""
    odd = replace(Encounter("monsters-and-magic"), settings={"players-health": "aura"})
    assert PLAYERS_HEALTH.value(odd) == "words"
    assert not BELL.is_on(odd)


@pytest.mark.parametrize(
    ("value", "now"),
    [("60", "60"), ("45", "45"), ("3600", "3600"), ("4", "off"), ("3601", "off"), ("½", "off")],
)
def test_a_number_within_its_bounds_stands_in_place_of_a_value(value: str, now: str) -> None:
    state = replace(Encounter("monsters-and-magic"), settings={"turn-timer": value})
    assert TURN_TIMER.value(state) == now


def test_the_json_has_all_of_them_as_they_are_now() -> None:
    fight = Fight("orcus")
    fight.do("setting bell on", "setting surprise one-standard")
    shown = json_report(fight.history, fight.ruleset)["settings"]
    assert shown.keys() == fight.ruleset.all_settings.keys()
    assert (shown["bell"], shown["surprise"], shown["death-saves"]) == (
        "on",
        "one-standard",
        "start",
    )


def test_players_know_none_that_is_the_gms_alone() -> None:
    fight = Fight("monsters-and-magic")
    fight.do("add pc Mira hp 9", "setting bell on", "setting players-act ask", "setting light dim")
    assert known_state(fight.history, fight.ruleset).settings == {"light": "dim"}


def test_the_log_says_what_holds_once_a_setting_is_chosen() -> None:
    fight = Fight("monsters-and-magic")
    done = [
        fight.do(f"setting {words}").text
        for words in ("players-act ask", "turn-timer 45", "turn-timer off", "light dark")
    ]
    assert done == [
        "Phones propose acts for you to accept",
        "A turn should take 45 seconds",
        "Turns have no time limit",
        "It is dark",
    ]


@pytest.mark.parametrize("game", GAMES)
def test_each_value_of_each_setting_has_words_of_its_own(game: str) -> None:
    for setting in load_ruleset(game).all_settings.values():
        said = [setting.sentence(value) for value in setting.values]
        assert len({*said}) == len(setting.values), setting.name
        assert not any(text.startswith("Setting") or "{" in text for text in said), setting.name


@pytest.mark.parametrize("game", GAMES)
def test_no_game_has_one_of_every_games_names(game: str) -> None:
    ruleset = load_ruleset(game)
    assert len(ruleset.all_settings) == len(ruleset.settings) + len(SETTINGS)
