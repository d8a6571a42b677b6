"""Actors of Pathfinder 2e and 13th Age: numbers for a tracker, and each attack a line of text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.store.importers.test_report import GAMES, brought

from affray.store.importers import foundry
from affray.store.importers.report import import_report
from affray.store.open_encounter import OpenEncounter

BITE = {
    "name": "Jaws",
    "type": "melee",
    "system": {
        "bonus": {"value": 9},
        "damageRolls": {
            "a": {"damage": "1d8+4", "damageType": "piercing"},
            "b": {"damage": "1d6", "damageType": "cold"},
        },
        "traits": {"value": ["agile", "reach-10"]},
        "attackEffects": {"value": ["grab"]},
    },
}
SPRAY = {
    "name": "Spray",
    "type": "action",
    "system": {
        "actionType": {"value": "action"},
        "actions": {"value": 2},
        "description": {
            "value": "<p>@Damage[2d6[cold]], @Check[reflex|dc:17|basic]; see @UUID[x.y]{Dazed}.</p>"
        },
    },
}
OTTER: dict[str, Any] = {
    "name": "Fen Otter",
    "type": "npc",
    "items": [BITE, SPRAY],
    "system": {
        "attributes": {
            "hp": {"value": 30, "max": 30},
            "ac": {"value": 18},
            "speed": {"value": 25, "otherSpeeds": [{"type": "swim", "value": 40}]},
            "resistances": [{"type": "cold", "value": 5}],
            "immunities": [{"type": "poison"}],
        },
        "perception": {"mod": 7},
        "saves": {name: {"value": n} for name, n in (("fortitude", 9), ("reflex", 6), ("will", 4))},
        "details": {"level": {"value": 3}},
        "traits": {"size": {"value": "sm"}, "value": ["animal", "cold"]},
    },
}
OLDER = json.loads(json.dumps(OTTER))
del OLDER["system"]["perception"]
OLDER["system"]["attributes"] |= {"perception": {"value": 7}}
OLDER["data"] = OLDER.pop("system")
REED = {
    "name": "Reed Stalker",
    "type": "npc",
    "system": {
        "attributes": {
            "hp": {"value": 36, "max": 36}, "ac": {"value": 19}, "pd": {"value": 17},
            "md": {"value": 13}, "init": {"value": 6},
        },
        "details": {"level": {"value": 2}, "role": {"value": "spoiler"}},
    },
    "items": [
        {
            "name": "Reed Spear",
            "type": "action",
            "system": {
                "attack": {"value": "[[d20+7]] vs. AC"},
                "hit": {"value": "7 damage"},
                "hit1": {"name": "Natural 16+", "value": "the target is stuck"},
                "miss": {"value": "2 damage"},
            },
        },
        {"name": "Sly", "type": "trait", "system": {"description": {"value": "It hides."}}},
    ],
}  # fmt: skip


@pytest.mark.parametrize("row", [OTTER, OLDER, OTTER | {"_stats": {"systemId": "pf2e"}}])
def test_pathfinder_comes_into_plain_with_its_numbers(row: dict[str, Any], tmp_path: Path) -> None:
    summary = brought(tmp_path, "plain", json.dumps(row), "otter.json")
    [made] = summary.rows["bestiary.toml"]
    assert {name: made.row[name] for name in ("hp", "ac", "init", "speed")} == {
        "hp": 30, "ac": 18, "init": 7, "speed": 25,
    }  # fmt: skip
    assert made.row["resist"] == "cold" and made.row["immune"] == "poison"
    lines = made.row["text"].splitlines()
    assert lines[0] == "Jaws. +9, 1d8+4 piercing plus 1d6 cold, grab (agile, reach-10)."
    assert lines[1] == "Spray (2 actions). 2d6 cold , DC 17 reflex; see Dazed."
    assert "fortitude" in made.row["text"].casefold() and "cold 5" in made.row["text"]
    assert made.creature.level == 3 and made.creature.speeds["swim"] == 40


def test_13th_age_comes_into_plain_with_its_numbers(tmp_path: Path) -> None:
    summary = brought(tmp_path, "plain", json.dumps(REED), "reed.json")
    [made] = summary.rows["bestiary.toml"]
    assert (made.row["hp"], made.row["ac"], made.row["init"]) == (36, 19, 6)
    spear = "d20+7 vs. AC; Hit: 7 damage; Natural 16+: the target is stuck; Miss: 2 damage"
    assert made.row["text"].splitlines()[:2] == [f"Reed Spear. {spear}", "Sly. It hides."]
    assert "Pd 17; Md 13" in made.row["text"]


def test_the_report_says_that_plain_rolls_nothing(tmp_path: Path) -> None:
    lines = import_report(brought(tmp_path, "plain", json.dumps(OTTER), "otter.json"))
    assert "Plain rolls nothing: attacks and powers are text, which you read and roll yourself" in (
        lines
    )
    path = tmp_path / "vale" / "encounters" / "fen.toml"
    with OpenEncounter.create(path, "plain", "Fen") as fight:
        fight.do("add fen-otter")
        assert fight.state["fen-otter"].number("ac") == 18


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("row", [OTTER, REED])
def test_every_game_takes_them_and_loses_no_attack(
    row: dict[str, Any], rules: str, tmp_path: Path
) -> None:
    [made] = brought(tmp_path, rules, json.dumps(row), "one.json").rows["bestiary.toml"]
    whole = json.dumps(made.row)
    assert "d20+7 vs. AC" in whole or "+9, 1d8+4 piercing plus 1d6 cold" in whole


def test_another_system_is_still_told(tmp_path: Path) -> None:
    both = [OTTER, OTTER | {"name": "Ghost Ship", "_stats": {"systemId": "starfinder"}}]
    lines = import_report(brought(tmp_path, "plain", json.dumps(both), "both.json"))
    assert any("'starfinder'" in line and "Ghost Ship" in line for line in lines)


def test_a_spell_of_pathfinder_without_a_rank_has_none(tmp_path: Path) -> None:
    spells = [
        {"name": "Mend", "type": "spell", "system": {"level": {"value": 2}}},
        {"name": "Hum", "type": "spell", "system": {}},
    ]
    row = OTTER | {"items": spells}
    [made] = brought(tmp_path, "plain", json.dumps(row), "otter.json").rows["bestiary.toml"]
    assert [each.text for each in made.creature.features] == ["Spell of rank 2.", "Spell."]


def test_an_actor_with_a_base_attack_bonus_is_none_of_5e() -> None:
    attributes = {"hp": {"max": 8}, "ac": {"normal": {"total": 16}}, "bab": {"total": 1}}
    row = {"name": "Heron", "system": {"attributes": attributes}, "items": []}
    contents = foundry.import_data(row)
    assert contents.creatures == ()
    assert contents.left == (
        "Heron: from Foundry's system 'pf1 or D35E', which affray does not read",
    )
