"""Notes of Obsidian as its plugins read them: links in values, and as converters write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.core.rules.imported_creature import (
    ImportedCreature,
    ImportedFeature,
    ImportedSpell,
    ImportedSpells,
)
from affray.store.importers import with_acts_and_spells
from affray.store.importers.detect import read_files
from affray.store.importers.obsidian import import_data

FEN_LURKER = """# Fen Lurker
```statblock
name: Fen Lurker
image: ![[lurker.png]]
type: [[Beast]]
ac: 14
hp: 52
stats: [17, 13, 15, 3, 12, 6]
speed: 30 ft., swim 40 ft.
damage_immunities: [[Fire]], [cold](rules/cold.md)
condition_immunities:
  - [[Prone]]
  - [[Poisoned|poisoned]]
senses: [[Darkvision]] 60 ft., passive Perception 11
spells:
  - At will: [[Fog: Cloud]], [[Light]]
actions:
  - name: Clamp
    desc: "_Melee Attack Roll:_ +5, reach 5 ft. _Hit:_ 12 (2d8 + 3) Piercing damage, [[Grappled]]."
```
"""
MARSH_WARDEN = """```statblock
"name": "Marsh Warden"
"hp": !!int "58"
"stats":
  - !!int "12"
  - !!int "16"
  - !!int "14"
  - !!int "11"
  - !!int "15"
  - !!int "17"
"saves":
  - "name": "[Dexterity](rules/dex.md)"
    "desc": "+6"
"skillsaves":
  - "name": "[Perception](/rules/skills.md#Perception)"
    "desc": "+6"
  - "name": "[Stealth](/rules/skills.md#Stealth)"
    "desc": "+7"
"damage_immunities": "poison; bludgeoning, piercing, slashing that is nonmagical"
"condition_immunities": "[charmed](conditions.md#Charmed), [frightened](conditions.md#Frightened)"
"actions":
  - "name": "Spellcasting"
    "desc": "The warden casts one of these spells, using Charisma as the spellcasting ability\\
      \\ (spell save DC 14):\\n\\nAt will: [Detect Magic](spells/detect-magic.md)\\n\\n1/day\\
      \\ each: [Hold Person](spells/hold-person-(2024).md)"
```
"""


def only(text: str) -> ImportedCreature:
    [creature] = with_acts_and_spells(import_data(text)).creatures
    return creature


def feature(creature: ImportedCreature, name: str) -> ImportedFeature:
    return next(each for each in creature.features if each.name == name)


def test_a_link_may_stand_anywhere_in_a_value() -> None:
    """Fantasy Statblocks takes links out before it parses YAML, for which they are lists."""
    lurker = only(FEN_LURKER)
    assert (lurker.type, lurker.immune, lurker.picture) == ("Beast", ("fire", "cold"), "lurker.png")
    assert lurker.unhindered == ("prone", "poisoned")
    assert (lurker.senses, lurker.passive_perception) == ({"darkvision": 60}, 11)
    assert feature(lurker, "Clamp").damage[0].dice == "2d8+3"
    assert feature(lurker, "Clamp").text.endswith("damage, Grappled.")
    assert feature(lurker, "Spellcasting").text == "At will: Fog: Cloud, Light"


def test_a_note_of_a_converter_has_skills_conditions_and_spells() -> None:
    """ttrpg-convert-cli writes bonuses as `name` and `desc`, and Markdown links in all texts."""
    warden = only(MARSH_WARDEN)
    assert (warden.saves, warden.skills) == ({"dex": 6}, {"perception": 6, "stealth": 7})
    assert (warden.immune, warden.unhindered) == (("poison", "mundane"), ("charmed", "frightened"))
    assert warden.casts == ImportedSpells(
        (ImportedSpell("Detect Magic"), ImportedSpell("Hold Person", uses=1)), ability="cha", dc=14
    )


@pytest.mark.parametrize("text", ["", "no links", "[a] (b)", "[3/3]"])
def test_brackets_that_are_no_link_stay(text: str) -> None:
    block = f'```statblock\nname: Eel\nhp: 3\nactions:\n  - name: Bite\n    desc: "{text}"\n```\n'
    assert feature(only(block), "Bite").text == text


HERO = """---
NoteIcon: player
aliases: [Vell]
tags: [player, dashboard]
Player: Robin
Class: [Ranger]
level: 5
hp: 31
max_hp: 44
ac: 16
modifier: 3
pasperc: 15
darkvision: 60
---
# Vell
"""


@pytest.mark.parametrize(
    "front",
    [
        HERO,
        HERO.replace("max_hp", "max hp"),
        HERO.replace("max_hp", "maxHP"),
        HERO.replace("NoteIcon: player", "Role: Player").replace("[player, dashboard]", "[hero]"),
        HERO.replace("NoteIcon: player\n", "").replace("[player, d", "[Category/Player, d"),
        HERO.replace("NoteIcon: player", "note-icon: player").replace("[player, dash", "[dash"),
        HERO.replace("NoteIcon: player", "role: [Scout, Player]").replace("[player, d", "[d"),
        HERO.replace("NoteIcon: player", "role:\n  - Player").replace("[player, d", "[d"),
    ],
)
def test_a_players_note_is_a_character_with_the_hp_that_are_left(
    front: str, tmp_path: Path
) -> None:
    file = tmp_path / "Vell.md"
    file.write_text(front, "utf-8")
    [found] = read_files(file)
    [vell] = found.contents.creatures
    assert (vell.name, vell.kind, vell.hp, vell.hp_left) == ("Vell", "pc", 44, 31)
    assert (vell.ac, vell.initiative, vell.passive_perception) == (16, 3, 15)
    assert vell.senses == {"darkvision": 60} and vell.in_words["class"] == "Ranger"


def test_a_monsters_note_of_the_same_shape_is_none(tmp_path: Path) -> None:
    file = tmp_path / "Rook.md"
    file.write_text(HERO.replace("player", "monster"), "utf-8")
    [found] = read_files(file)
    assert [(c.kind, c.hp) for c in found.contents.creatures] == [("monster", 44)]
