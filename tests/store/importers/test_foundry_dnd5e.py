"""What dnd5e's actors have apart from their texts: distances, uses, prices, formulas."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCreature,
    ImportedDamage,
    ImportedSave,
)
from affray.store.importers import foundry


def actor(*items: dict[str, Any], **more: Any) -> ImportedCreature:
    """A heron of challenge 5: PB 3, Strength +2, Dexterity +3, Intelligence +4."""
    scores = {"str": 14, "dex": 16, "con": 10, "int": 18, "wis": 10, "cha": 10}
    data = {
        "abilities": {name: {"value": score} for name, score in scores.items()},
        "attributes": {"hp": {"max": 30}, "init": {"bonus": "@prof * 2"}, "movement": {}},
        "details": {"cr": 5},
        **more,
    }
    system = {"systemId": "dnd5e"}
    row = {"name": "Heron", "type": "npc", "_stats": system, "system": data, "items": [*items]}
    [made] = foundry.import_data(row).creatures
    return made


def item(name: str, text: str = "", **fields: Any) -> dict[str, Any]:
    kind = fields.pop("kind", "feat")
    return {"name": name, "type": kind, "system": {"description": {"value": text}, **fields}}


def weapon(properties: list[str], distances: dict[str, Any], **attack: Any) -> ImportedCreature:
    row = {"type": "attack", "attack": attack, "damage": {"includeBase": True}}
    base = {"number": 1, "denomination": 6, "types": ["piercing"]}
    return actor(
        item(
            "Beak", kind="weapon", range=distances, properties=properties,
            damage={"base": base}, activities={"a": row},
        )
    )  # fmt: skip


def test_a_bow_has_its_long_range() -> None:
    [beak] = weapon([], {"value": 80, "long": 320}, type={"value": "ranged"}).features
    assert beak.attack == ImportedAttack(6, reach="ranged", feet=80, long=320)


def test_what_is_thrown_reaches_as_well() -> None:
    [beak] = weapon(["thr"], {"value": 30, "long": 120}, type={"value": "melee"}).features
    assert beak.attack == ImportedAttack(5, reach="both", feet=5, far=30, long=120)


def test_a_bonus_may_have_no_ability_in_it() -> None:
    said = {"ability": "none", "bonus": "@abilities.int.mod", "type": {"value": "melee"}}
    [beak] = weapon([], {"reach": 5}, **said).features
    assert beak.attack == ImportedAttack(7, feet=5)  # 4 and PB
    assert beak.damage == (ImportedDamage("1d6", "piercing"),)


def test_initiative_may_be_a_product() -> None:
    assert actor().initiative == 9  # 3 and twice PB


def test_a_legendary_action_has_its_price() -> None:
    row = {"type": "utility", "activation": {"type": "legendary", "value": 2}}
    [made] = actor(item("Stalk", "It stalks.", activities={"a": row})).features
    assert (made.sort, made.cost) == ("legendary", 2)


def test_legendary_resistance_has_the_uses_that_stand_apart() -> None:
    made = actor(item("Legendary Resistance", "It succeeds."), resources={"legres": {"max": 4}})
    assert [(row.uses, row.per) for row in made.features] == [(4, "day")]


def test_of_breaths_in_one_text_each_is_one_and_they_share_the_recharge() -> None:
    text = (
        "<p>It uses one of the following breaths.</p><p>Fog Breath. Each creature near makes a DC "
        "13 Dexterity saving throw.</p><p>Rime Breath. Each creature near makes a DC 13 "
        "Constitution saving throw.</p>"
    )
    uses = {"max": "1", "recovery": [{"period": "recharge", "formula": "5"}]}
    made = actor(item("Breaths", text, uses=uses)).features
    assert [(row.name, row.recharge, row.pool) for row in made] == [
        ("Fog Breath", 5, "Breaths"),
        ("Rime Breath", 5, "Breaths"),
    ]


def test_what_a_mark_says_is_not_said_again() -> None:
    row = {"type": "save", "save": {"ability": ["con"], "dc": {"formula": "14"}}}
    text = "It makes a [[/save]] saving throw. [[lookup @resources.legact.label]] It sings."
    [made] = actor(item("Song", text, activities={"a": row})).features
    assert made.text == "It makes a DC 14 Constitution saving throw. It sings."


def test_a_dc_that_is_computed_stands_before_a_formula_that_is_left_over() -> None:
    save = {"ability": ["con"], "dc": {"calculation": "dex", "formula": "2"}}
    [made] = actor(item("Gust", "", activities={"a": {"type": "save", "save": save}})).features
    assert made.save == ImportedSave("con", 14)  # 8, PB 3 and Dexterity 3


def test_a_range_that_is_not_overridden_is_the_weapons_own() -> None:
    row = {"type": "attack", "attack": {}, "range": {"value": "5", "override": False}}
    bow = item("Bow", kind="weapon", range={"value": 80, "long": 320}, activities={"a": row})
    [made] = actor(bow).features
    assert made.attack == ImportedAttack(6, reach="ranged", feet=80, long=320)


def test_what_is_healed_stands_in_the_text() -> None:
    healing = {"number": 3, "denomination": 6, "types": ["temphp"]}
    row = {"type": "heal", "healing": healing}
    [made] = actor(
        item("Ward", "It gains [[/healing average temp]].", activities={"a": row})
    ).features
    assert made.text == "It gains 10 (3d6) temporary hit points."


def test_a_spell_that_an_activity_casts_is_named() -> None:
    spell = item("Ice Knife", kind="spell", flags={})
    spell["flags"] = {"dnd5e": {"cachedFor": ".Item.i1.Activity.a1"}}
    casting = {**item("Spellcasting"), "_id": "i1"}
    made = actor(casting, spell, item("Chill", "It casts [[/item .i1.Activity.a1]].")).features
    assert made[-1].text == "It casts Ice Knife."


@pytest.mark.parametrize("passes", [["mgc"], ["ada", "mgc"]])
def test_what_only_magical_weapons_pass_is_all_mundane_damage(passes: list[str]) -> None:
    weapons = {"value": ["acid", "bludgeoning", "piercing", "slashing"], "bypasses": passes}
    assert actor(traits={"di": weapons}).immune == ("acid", "mundane")
