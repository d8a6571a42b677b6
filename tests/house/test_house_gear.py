"""Rows of armour, weapons and items of a campaign: what a sheet then need only name."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.playing import HouseFight, ruleset_with

from affray.core.parser.errors import Refused

GAME = "monsters-and-magic"
ROWS = """
[economy.armor]
scaly = { cunning = true }

[armor.eel-skin]
kind = "scaly"
ac = 2
weight = 1

[armor.pot-lid]
kind = "shield"
ac = 1

[weapons.eel-fork]
dice = "1d8"
type = "piercing"
tags = ["precise", "two-handed"]
kind = "martial"
range = 10
inflicts = ["slowed"]
weight = 2

[weapons.wand]
tags = ["focus"]

[items.smoke-jar]
weight = "light"
ap = 2
kept = true
text = "Thick smoke."
"""


def sheet(line: str) -> dict[str, Any]:
    """What a sheet of that line has."""
    fight = HouseFight(ruleset_with(GAME, ROWS))
    fight.do(f"add pc Nan hp 9 cunning 1 {line}")
    return fight.state["nan"].stats


def test_a_sheet_that_names_a_row_has_all_of_it() -> None:
    stats = sheet('armor "Eel Skin" attack eel-fork attack wand item smoke-jar x3')
    assert stats["armor"] == [{"kind": "scaly", "ac": 2, "weight": 1, "name": "Eel Skin"}]
    fork, wand = stats["attacks"]
    assert (fork["dice"], fork["type"], fork["kind"]) == ("1d8", "piercing", "martial")
    assert (fork["range"], fork["inflicts"], fork["weight"]) == (10, ["slowed"], 2)
    assert fork["tags"] == ["precise", "two-handed"]
    assert wand == {"tags": ["focus"], "name": "wand"}
    jar = {"weight": "light", "ap": 2, "kept": True, "text": "Thick smoke."}
    assert stats["items"] == [jar | {"name": "smoke-jar", "count": 3}]


def test_what_a_sheet_says_itself_goes_before_its_row() -> None:
    stats = sheet("armor eel-skin light ac 3 attack eel-fork 2d6 item smoke-jar ap 1")
    assert stats["armor"] == [{"kind": "light", "ac": 3, "weight": 1, "name": "eel-skin"}]
    assert stats["attacks"][0]["dice"] == "2d6"
    assert stats["items"][0]["ap"] == 1


def test_a_kind_of_armour_of_the_campaigns_own_says_whether_cunning_counts() -> None:
    for rows, ac in ((ROWS, 3), (ROWS.replace("cunning = true", "cunning = false"), 2)):
        fight = HouseFight(ruleset_with(GAME, rows))
        fight.do("add pc Nan hp 20 cunning 1 armor eel-skin", "damage nan 9 cold")
        assert fight.state["nan"].track("hp") == 20 - 9 + ac


def test_things_with_commas_between_are_several() -> None:
    """As a list of single words in party.toml comes to `add`."""
    stats = sheet("armor eel-skin,pot-lid attack wand,eel-fork")
    assert [row["name"] for row in stats["armor"]] == ["eel-skin", "pot-lid"]
    assert [row["name"] for row in stats["attacks"]] == ["wand", "eel-fork"]
    assert sheet('attack "claw, left" 1d6')["attacks"][0]["name"] == "claw, left"
    rows = sheet("item rope,smoke-jar attack axe 1d6 attack bow 1d6 loadout axe,bow")
    assert [row["name"] for row in rows["items"]] == ["rope", "smoke-jar"]
    assert rows["loadouts"] == [{"primary": "axe", "drawn": True}, {"primary": "bow"}]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"scaly"\nac',
            '"scalp"\nac',
            "[armor.eel-skin] kind: 'scalp' is not used there; did you mean sca",
        ),
        ("ac = 2", "ac = 200", "[armor.eel-skin] ac: must be from 0 to 99, not 200"),
        ("weight = 1", 'weight = "heavy"', "[armor.eel-skin] weight: invalid enum value 'heavy'"),
        (
            "weight = 1",
            "weight = -300",
            "[armor.eel-skin] weight: must be from -99 to 99, or light",
        ),
        ('"1d8"', '"many"', "[weapons.eel-fork] dice: "),
        ('dice = "1d8"\n', "", "[weapons.eel-fork] dice: "),
        ('"precise"', '"sharp"', "[weapons.eel-fork] tags: 'sharp' is not used there"),
        (
            '"slowed"',
            '"slow"',
            "[weapons.eel-fork] inflicts: 'slow' is not used there; did you mean slowed?",
        ),
        ("range = 10", "range = -1", "[weapons.eel-fork] range: must be from 0 to 9999"),
        ("ap = 2", "ap = 12", "[items.smoke-jar] ap: must be from 0 to 9, not 12"),
        ("kept = true", "kepd = true", "[items.smoke-jar] has no field 'kepd'; did you mean kept?"),
        ("items.smoke-jar", 'items."Smoke Jar"', "[items.Smoke Jar]: no sheet could name it"),
    ],
)
def test_what_no_sheet_could_play_by_is_refused(old: str, new: str, message: str) -> None:
    assert old in ROWS
    with pytest.raises(Refused) as refusal:
        ruleset_with(GAME, ROWS.replace(old, new))
    assert refusal.value.message.startswith(message), refusal.value.message


@pytest.mark.parametrize("game", ["orcus", "level-up", "adventure-school"])
@pytest.mark.parametrize("table", ["armor", "weapons", "items"])
def test_other_games_have_no_such_rows(game: str, table: str) -> None:
    with pytest.raises(Refused, match=rf"\[{table}\]: .* has none of these on its sheets"):
        ruleset_with(game, {table: {"thing": {}}})
