"""Texts of Foundry's dnd5e, whose numbers stand apart from them, as a GM reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedSave,
)
from affray.store.importers.detect import read_files

STING = {
    "strike": {
        "type": "attack",
        "activation": {"type": "action"},
        "attack": {"type": {"value": "melee"}},
        "damage": {"includeBase": True, "parts": []},
    },
    "venom": {
        "type": "save",
        "range": {"value": "15", "units": "ft"},
        "target": {"template": {"size": "30", "type": "cone"}, "affects": {"type": "creature"}},
        "damage": {"parts": [{"number": 2, "denomination": 8, "types": ["poison"]}]},
        "save": {"ability": ["con"], "dc": {"calculation": "", "formula": "13"}},
    },
}
BASE = {"base": {"number": 1, "denomination": 10, "types": ["piercing"]}}


def actor(text: str, activities: dict[str, Any] = STING) -> dict[str, Any]:
    """A Bog Wasp (Strength 16, challenge 5) with a Sting of that description."""
    sting = {
        "_id": "aSting",
        "name": "Sting",
        "type": "weapon",
        "system": {
            "description": {"value": text},
            "activities": activities,
            "damage": BASE,
            "range": {"reach": 10},
        },
    }
    return {
        "name": "Bog Wasp",
        "type": "npc",
        "_stats": {"systemId": "dnd5e"},
        "items": [sting],
        "system": {
            "abilities": {"str": {"value": 16}, "wis": {"value": 12}},
            "attributes": {"hp": {"max": 40, "value": 40}},
            "skills": {"ath": {"value": 1, "ability": "str"}},
            "details": {"cr": 5},
        },
    }


def read(folder: Path, made: dict[str, Any]) -> ImportedCreature:
    file = folder / "actor.json"
    file.write_text(json.dumps(made), "utf-8")
    (creature,) = read_files(file)[0].contents.creatures
    return creature


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[/attack extended]]", "Melee Attack Roll: +6, reach 10 ft"),
        ("[[/damage average extended]]", "Hit: 8 (1d10+3) piercing damage"),
        ("[[/damage average activity=venom]] damage", "9 (2d8) poison damage"),
        ("[[/damage 3d6 cold average]]", "10 (3d6) cold"),
        ("[[/damage 3d6 type=cold]]", "10 (3d6) cold"),
        ("DC [[lookup @save.dc.value activity=venom]]", "DC 13"),
        ("[[/save]]", "DC 13 Constitution saving throw"),
        ("[[/save ability=wis dc=15]]", "DC 15 Wisdom saving throw"),
        ("escape DC [[lookup @skills.ath.passive]]", "escape DC 16"),
        ("[[lookup @abilities.wis.dc]]", "12"),
        ("the [[lookup @name lowercase]]{monster}'s next turn", "the bog wasp's next turn"),
        ("within [[lookup @range.value activity=venom]] feet", "within 15 feet"),
        ("[[lookup @target.template.type capitalize activity=venom]]", "Cone"),
        ("[[lookup @range.units activity=venom]]", "feet"),
        ("[[lookup @target.affects.labels.statblock activity=venom]]", "one creature"),
        ("the &amp;Reference[Prone apply=false] condition", "the Prone condition"),
        ("is &Reference[bloodied]{Bloodied}", "is Bloodied"),
        ("is @condition[restrained].", "is restrained."),
        ("casts @spell[fog cloud|phb] and @spell[fly|phb|flies]", "casts fog cloud and flies"),
        ("[[/check ability=int skill=inv dc=15]]", "DC 15 Intelligence check"),
        ("one [[/item .aSting]] and one [[/item Bite]]", "one Sting and one Bite"),
        ("[[/r 1d4 # hours]]", "1d4"),
        ("[[/damage nothing activity=none]]{some}", "some"),
    ],
)
def test_what_stands_apart_is_put_into_the_text(text: str, told: str, tmp_path: Path) -> None:
    (sting,) = read(tmp_path, actor(f"<p>{text}</p>")).features
    assert sting.text == told


def test_an_attack_with_its_numbers_apart_is_read_like_any_other(tmp_path: Path) -> None:
    text = (
        "[[/attack extended]]. [[/damage average extended]], and the target has the "
        "&amp;Reference[Grappled] condition (escape DC [[lookup @skills.ath.passive]])."
    )
    (sting,) = read(tmp_path, actor(text, {"strike": STING["strike"]})).features
    assert sting.attack == ImportedAttack(6, feet=10)
    assert sting.damage == (ImportedDamage("1d10+3", "piercing"),)
    assert sting.inflicts == (ImportedCondition("grappled", "escape", 16),)


def test_so_is_a_save(tmp_path: Path) -> None:
    text = (
        "<em>Constitution Saving Throw:</em> DC [[lookup @save.dc.value]], each creature nearby. "
        "<em>Failure:</em> [[/damage average]] damage, and it has the Poisoned condition until the "
        "end of its next turn. <em>Success:</em> Half damage only. "
        "<em>Failure or Success:</em> The target is blinded."
    )
    (sting,) = read(tmp_path, actor(text, {"venom": STING["venom"]})).features
    assert (sting.save, sting.failed) == (
        ImportedSave("con", 13, half=True),
        (ImportedDamage("2d8", "poison"),),
    )
    assert sting.binds == (ImportedCondition("poisoned", "end of bearer"),)
