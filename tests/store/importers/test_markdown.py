"""Stat blocks in plain Markdown, told from other texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from affray.store.importers import with_acts_and_spells
from affray.store.importers.detect import read_files
from affray.store.importers.markdown import entries_of, import_data, matches

BARE = "## Post\n**Armor Class** 15\n**Hit Points** 8\n\nIt stands.\n"


@pytest.mark.parametrize(
    "text",
    [
        "# Armor\n\n**Armor Class** is a number. **Hit Points** are another.\n",
        "The AC is 15, and it has 8 HP.\n",
        "# Rules\n\n**Armor Class.** How hard to hit.\n\n**Hit Points.** How hard to kill.\n",
    ],
)
def test_a_text_about_the_words_is_no_stat_block(text: str) -> None:
    assert not matches(text)


def test_what_a_block_lacks_is_told() -> None:
    found = import_data(BARE)
    assert [(c.name, c.ac, c.hp) for c in found.creatures] == [("Post", 15, 8)]
    assert found.doubts == (("Post", "a stat block without abilities and actions and speed"),)


def test_a_bold_heading_within_a_block_is_no_name() -> None:
    found = import_data(f"# Notes\n\n**Actions:**\n{BARE.partition(chr(10))[2]}")
    assert [creature.name for creature in found.creatures] == ["Notes"]


@pytest.mark.parametrize("head", ["<style>.x {}</style>", "<div class='monster'>", "<!-- fens -->"])
def test_a_page_that_begins_with_html_is_read(head: str, tmp_path: Path) -> None:
    file = tmp_path / "post.md"
    file.write_text(f"{head}\n\n{BARE}", "utf-8")
    [found] = read_files(file)
    assert [creature.name for creature in found.contents.creatures] == ["Post"]


def test_several_blocks_of_one_page_are_each_one() -> None:
    found = import_data(f"# Posts\n\n{BARE}\n{BARE.replace('Post', 'Gate Post')}")
    assert [creature.name for creature in found.creatures] == ["Post", "Gate Post"]


SEVERAL = """# Watchers

*Medium celestial, lawful good*

**Armor Class** 15

**Hit Points** 40 (9d8)

**Speed** 30 ft.

***Keen Sight***. The lookout has advantage on checks that rely on sight.

***Multiattack***. The lookout makes two spear attacks.

***Spear***. *Melee Weapon Attack:* +5 to hit, reach 5 ft. *Hit:* 6 (1d6 + 3) piercing damage.


*Large celestial, lawful good*

**Armor Class** 17

**Hit Points** 90 (12d10 + 24)

**Speed** 40 ft.

***Gaze (Recharge 6)***. The warder makes all who see it blink: a DC 13 Wisdom save or blinded.

***Maul***. *Melee Weapon Attack:* +7 to hit, reach 5 ft. *Hit:* 11 (2d6 + 4) bludgeoning damage.
The warder can't be moved.
"""


def test_several_blocks_below_one_heading_have_the_names_that_their_texts_call_them() -> None:
    """A vault lost the headings of a page: of each creature, and of each block's actions."""
    lookout, warder = import_data(SEVERAL).creatures
    assert (lookout.name, lookout.hp, warder.name, warder.hp) == ("Lookout", 40, "Warder", 90)
    assert [(each.name, each.sort) for each in (*lookout.features, *warder.features)] == [
        ("Keen Sight", "trait"),
        ("Multiattack", "action"),
        ("Spear", "action"),
        ("Gaze", "action"),
        ("Maul", "action"),
    ]


def test_two_blocks_that_their_texts_call_alike_are_two() -> None:
    names = [each.name for each in import_data(SEVERAL.replace("warder", "lookout")).creatures]
    assert names == ["Lookout", "Lookout 2"]


def test_parts_of_a_block_in_json_stand_in_its_traits_and_in_its_text(tmp_path: Path) -> None:
    """As an exporter of 2024's stat blocks writes them, one creature a file."""
    block = {
        "name": "Reed Ape", "ac": "12", "hp": "19 (3d8 + 6)", "cr": "1/2 (XP 100)",
        "stats": {"STR": 16, "DEX": 14, "CON": 14, "INT": 6, "WIS": 12, "CHA": 7},
        "traits": [
            {"name": "Skills", "text": "Athletics +5"},
            {"name": "Immunities", "text": "Poison; Poisoned"},
            {"name": "Senses", "text": "Darkvision 60 ft.; Passive Perception 13"},
            {"name": "Reeds", "text": "It hides in reeds."},
        ],
        "text": "# Reed Ape\n\nIt waits.\n\n### Actions\n\n**Fist.** Melee Attack Roll: +5, reach "
        "5 ft. Hit: 5 (1d4 + 3) Bludgeoning damage.",
    }  # fmt: skip
    file = tmp_path / "ape.json"
    file.write_text(json.dumps(block), "utf-8")
    [ape] = read_files(file)[0].contents.creatures
    assert (ape.skills, ape.immune) == ({"athletics": 5}, ("poison", "poisoned"))
    assert ape.senses == {"darkvision": 60}
    assert [(each.name, each.sort) for each in ape.features] == [
        ("Reeds", "trait"),
        ("Fist", "action"),
    ]
    assert ape.features[1].attack is not None


def test_brackets_behind_a_bold_name_belong_to_it_and_lines_go_on() -> None:
    text = (
        "<p><em><strong>Howl</strong></em> (2/Day). It howls.</p><p>Far.</p>"
        "<p><strong>Bite.</strong> It bites.</p>"
    )
    assert entries_of(text) == [
        {"name": "Howl (2/Day)", "desc": "It howls.\nFar."},
        {"name": "Bite", "desc": "It bites."},
    ]


PLAIN = """\
Tide Thief
Small humanoid (any), neutral evil
Armor Class 15 (leather armor, shield)
Hit Points 27 (6d6 + 6)
Speed 30 ft., swim 30 ft.
STR DEX CON INT WIS CHA
8 (-1) 14 (+2) 13 (+1) 10 (+0) 8 (-1) 9 (-1)
Skills Stealth +6
Senses darkvision 60 ft.,
passive Perception 9
Languages Common, Tidal
Challenge 1 (200 XP)
Slip Away. The thief can take the Hide action as a
bonus action on each of its turns.
Actions
Hook and Line. Melee Weapon Attack: +4 to hit, reach 10 ft., one
target. Hit: 5 (1d6 + 2) piercing damage. The target is prone.
Brine Flask (Recharge 5-6). Each creature in a 10-foot cube makes a DC 12 Dexterity
saving throw, taking 7 (2d6) acid damage on a failed save.
Legendary Actions
The thief can take 2 legendary actions, choosing from the options below.
Hook. The thief makes one hook and line attack.
"""


WRAPPED = PLAIN.replace("Languages Common, Tidal\nChallenge 1 (200 XP)", "Languages Common,\nTidal")
"""The same with a trait right behind a field that goes on in a second line."""


@pytest.mark.parametrize("text", [PLAIN, f"# {PLAIN}", f"Foes\n\n{PLAIN}", WRAPPED])
def test_a_block_without_any_marks_keeps_its_actions(text: str) -> None:
    found = with_acts_and_spells(import_data(text))
    [thief] = found.creatures
    assert (thief.name, thief.ac, thief.hp, thief.type, thief.passive_perception) == (
        "Tide Thief", 15, 27, "humanoid (any), neutral evil", 9,
    )  # fmt: skip
    assert thief.languages == ("Common", "Tidal") and "unread lines" not in thief.in_words
    assert [(f.sort, f.name) for f in thief.features] == [
        ("bonus", "Slip Away"),
        ("action", "Hook and Line"),
        ("action", "Brine Flask"),
        ("trait", "Legendary Actions"),
        ("legendary", "Hook"),
    ]
    _, line, flask, _, hook = thief.features
    assert line.attack and line.attack.bonus == 4 and line.inflicts[0].condition == "prone"
    assert flask.recharge == 5 and flask.save and flask.save.dc == 12
    assert hook.attack == line.attack
    assert found.doubts == () and found.left == ()


def test_two_blocks_without_marks_are_two() -> None:
    found = import_data(f"{PLAIN}\n{PLAIN.replace('Tide Thief', 'Reed Thief')}")
    assert [c.name for c in found.creatures] == ["Tide Thief", "Reed Thief"]
    assert len(found.creatures[0].features) == 5


def test_lines_that_are_not_understood_are_text_and_counted() -> None:
    marked = BARE.replace("\n\nIt", "\n**Morale** 7\n**Sense**s darkvision 30 ft.\n\nIt")
    beyond = "### Villain Acts\n**Cry.** Each foe within 30 feet takes 3 (1d6) damage.\n"
    found = import_data(f"{marked}### Actions\nIt waits.\n{beyond}## Lore\nOld.\n")
    [post] = found.creatures
    assert post.senses == {"darkvision": 30}
    assert [(f.name, f.text) for f in post.features] == [("Action", "It waits.")]
    assert post.in_words["unread lines"] == (
        "Morale 7 It stands. Villain Acts Cry. Each foe within 30 feet takes 3 (1d6) damage."
    )
    assert found.left == ("4 lines of stat blocks, kept in their texts",)


def test_what_stands_between_name_and_numbers_describes_it() -> None:
    [post] = import_data(BARE.replace("\n**Armor", "\nOld oak.\n**Armor", 1)).creatures
    assert post.text == "Old oak."


def note(folder: Path, front: str, name: str = "Fen Wisp.md") -> list[str]:
    file = folder / name
    file.write_text(f"---\n{front}---\n# Lore\n\nIt glows.\n", "utf-8")
    return [
        f"{c.name} {c.hp} {c.ac} {c.initiative}"
        for s in read_files(file)
        for c in s.contents.creatures
    ]


def test_a_note_with_numbers_of_a_fight_in_its_frontmatter_is_a_creature(tmp_path: Path) -> None:
    """Initiative Tracker takes such notes; without a name one has its file's."""
    assert note(tmp_path, "name: Wisp\nhp: 18\nac: 13\ninitiative: 4\n") == ["Wisp 18 13 4"]
    assert note(tmp_path, "HP: 18\nAC: 13\n") == ["Fen Wisp 18 13 None"]
    assert note(tmp_path, "hp: many\nac: 13\n") == []
    assert note(tmp_path, "hp: 18\ntags: [ghost]\n") == []


MARKED = """## Bog Thing
*Medium plant, unaligned*

**Armor Class** 13
**Hit Points** 30 (4d8+12)
**Speed** 30 ft.

***Mire Walk.*** The thing moves through mud without
spending extra movement.
Amphibious. The thing can breathe air and water.

### Actions
***Slam.*** *Melee Weapon Attack:* +4 to hit, reach 5 ft., one target. *Hit:* 6 (1d8 + 2) cold
damage.
Spit. *Ranged Weapon Attack:* +2 to hit, range 30 ft., one target. *Hit:* 4 (1d8) acid damage.
***Spores.*** The thing uses one of the following spores:
Red Spores. Each creature near must make a DC 11 Constitution save or be poisoned.
Blue Spores. Each creature near must make a DC 11 Wisdom save or be frightened.
"""


def test_an_entry_without_marks_behind_a_wrapped_line_stands_by_itself() -> None:
    [made] = import_data(MARKED).creatures
    named = [(row.name, row.sort) for row in made.features]
    assert named == [
        ("Mire Walk", "trait"), ("Amphibious", "trait"), ("Slam", "action"), ("Spit", "action"),
        ("Red Spores", "action"), ("Blue Spores", "action"),
    ]  # fmt: skip
    assert made.features[3].attack is not None
    assert {row.trigger for row in made.features[4:]} == {"one of Spores"}


CASTER = """# Reed Witch

```ad-statblock
title: Reed Witch
*Medium humanoid, neutral*

- **Armor Class** 13
- **Hit Points** 30 (4d8+12)
- **Speed** 30 ft.
- **Saving Throws** ⏤

## Traits

***Spellcasting.*** The witch is a 3rd-level spellcaster. Its spellcasting ability is Wisdom (spell
save DC 12, +4 to hit with spell attacks). It has the following spells prepared:

**Cantrips (at will)**: [light](/spells/light.md)

**1st level (4 1st-level slots)**: [sleep](/spells/sleep.md), [shield](/spells/shield.md)

## Actions

***Claw.*** *Melee Weapon Attack:* +4 to hit, reach 5 ft. *Hit:* 6 (`1d8 + 2`) slashing damage.
```
^statblock
"""


def test_a_list_of_spells_with_bold_levels_is_one_and_the_frame_is_no_text() -> None:
    """As the commonest exporter wrote its notes before it had blocks for the plugin."""
    [made] = with_acts_and_spells(import_data(CASTER)).creatures
    assert made.casts is not None
    assert [(spell.name, spell.level) for spell in made.casts.spells] == [
        ("light", 0), ("sleep", 1), ("shield", 1),
    ]  # fmt: skip
    assert (made.casts.slots, made.casts.pact) == ((4,), (0, 0))
    assert [(row.name, row.text[-7:]) for row in made.features][-1] == ("Claw", "damage.")
    assert "saves" not in made.in_words and "```" not in made.text


@pytest.mark.parametrize(
    "head", ["# Fens\n## Statblock\n\n```ad-statblock\ntitle: Eel\n", "# Eel\n## Statblock\n"]
)
def test_a_heading_that_says_what_follows_is_no_name(head: str) -> None:
    block = "*Small beast*\n\n- **Armor Class** 12\n- **Hit Points** 9 (`2d8`)\n- **Speed** 5 ft.\n"
    [eel] = import_data(f"{head}{block}").creatures
    assert (eel.name, eel.hp) == ("Eel", 9)
