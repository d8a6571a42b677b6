"""Creatures of other programs as rows of 5e."""

from __future__ import annotations

from typing import Any

from affray import Fight
from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCondition,
    ImportedCreature,
    ImportedDamage,
    ImportedFeature,
    ImportedSave,
)
from affray.rulesets import load_ruleset


def row_of(*features: ImportedFeature, **more: Any) -> dict[str, Any]:
    ruleset = load_ruleset("5e")
    creature = ImportedCreature(
        "Troll", "5e", hp=84, ac=15, abilities={"str": 18, "con": 20}, features=features, **more
    )
    return ruleset.sheet.import_creature(ruleset.tables, creature).row


def test_what_stops_regeneration_is_a_part_of_the_row() -> None:
    text = (
        "The troll regains 10 hit points at the start of its turn. If the troll takes acid or fire "
        "damage, this trait doesn't function. The troll dies only if it starts its turn with 0 hit "
        "points and doesn't regenerate."
    )
    row = row_of(ImportedFeature("Regeneration", "trait", text))
    assert row["regeneration"] == "10 unless acid,fire from-zero"


def test_regeneration_that_nothing_stops_is_a_number() -> None:
    row = row_of(ImportedFeature("Regeneration", "trait", "It regains 10 hit points."))
    assert row["regeneration"] == 10


def test_a_save_that_is_repeated_ends_a_condition() -> None:
    breath = ImportedFeature(
        "Glare",
        text="Wisdom save; repeats the save at the end of each of its turns.",
        save=ImportedSave("wis", 13),
        binds=(ImportedCondition("frightened", "repeat"),),
    )
    assert "save wis dc 13 inflicts frightened save-ends" in row_of(breath)["power"][0]


def test_speeds_and_senses_have_their_feet() -> None:
    row = row_of(speeds={"walk": 30, "fly": 60}, senses={"darkvision": 120, "blindsight": 0})
    assert (row["speed"], row["fly"], row["darkvision"], row["blindsight"]) == (30, 60, 120, True)


def test_legendary_actions_and_resistance_are_played() -> None:
    row = row_of(
        ImportedFeature("Legendary Resistance (3/Day)", "trait", "It can succeed.", uses=3),
        ImportedFeature(
            "Tail",
            "legendary",
            attack=ImportedAttack(9),
            damage=(ImportedDamage("2d8+5", "bludgeoning"),),
            cost=1,
        ),
    )
    assert (row["legendary"], row["legendary-resistance"]) == (3, 3)


def test_lair_actions_are_the_lairs() -> None:
    """SRD 5.1, Lair Actions."""
    tremor = ImportedFeature(
        "Tremor", "lair", "The ground shakes.", save=ImportedSave("dex", 15),
        binds=(ImportedCondition("prone"),),
    )  # fmt: skip
    row = row_of(tremor)
    assert row["power"][0].startswith('"Tremor" free lair save dex dc 15 inflicts prone')
    fight = Fight("5e", seed=1)
    fight.do("setting edition 2014", f"add monster Troll hp 84 power {row['power'][0]}")
    assert fight.state["lair-of-troll"].track("lair_action") == 0


def test_a_row_is_added_and_fights() -> None:
    claw = ImportedFeature(
        "Claw", attack=ImportedAttack(7), damage=(ImportedDamage("2d6+4", "slashing"),)
    )
    row = row_of(claw, pb=3)
    fight = Fight("5e", seed=1)
    attack = row["attack"][0]
    fight.do(
        f"add monster Troll hp {row['hp']} ac {row['ac']} attack {attack}",
        "add pc Mira hp 30 ac 10",
        "attack mira natural 15 by troll",
    )
    assert fight.state["mira"].track("hp") < 30
