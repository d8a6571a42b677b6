"""The gauge of imports finds what is wrong: it compares rows with what it has read by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.imports.__main__ import compared
from benchmarks.imports.readers import read
from benchmarks.imports.sentences import Creature, attack_of, damage_of, kinds_of

NOTE = """```statblock
name: Salt Heron
ac: 13
hp: 20
stats: [14, 12, 10, 4, 13, 5]
speed: 30 ft., fly 50 ft.
cr: 1
damage_immunities: [[Cold]]
actions:
  - name: Beak
    desc: "Melee Weapon Attack: +4 to hit, reach 10 ft. Hit: 6 (1d8 + 2) piercing damage."
  - name: Spray (Recharge 5-6)
    desc: "Each creature near makes a DC 11 Dexterity saving throw or takes 7 (2d6) cold damage."
```
"""
ROW = {
    "name": "Salt Heron", "ac": 13, "hp": 20, "cr": "1", "speed": 30, "fly": 50, "immune": "cold",
    "str": 2, "dex": 1, "con": 0, "int": -3, "wis": 1, "cha": -3,
    "attack": ['"Beak" +4 1d8+2 piercing melee reach 10'],
    "power": ['"Spray" action recharge 5 save dex dc 11 2d6 cold text "Each creature."'],
}  # fmt: skip


@pytest.fixture
def heron(tmp_path: Path) -> Creature:
    note = tmp_path / "heron.md"
    note.write_text(NOTE, "utf-8")
    [(format_name, creature)] = read(note)
    assert format_name == "Obsidian"
    return creature


def test_a_row_that_is_right_is_right_in_every_field(heron: Creature) -> None:
    found = [*compared(heron, ROW)]
    assert [line for line in found if not line[1]] == []
    kinds = {kind for kind, _, _ in found}
    assert {"HP", "speeds", "immune", "to hit", "damage", "reach", "recharge"} <= kinds


@pytest.mark.parametrize(
    ("word", "value", "kind"),
    [
        ("hp", 21, "HP"),
        ("fly", None, "speeds"),
        ("immune", "cold,fire", "immune"),
        ("attack", [], "attacks"),
        ("attack", ['"Beak" +4 1d8+2 melee reach 10'], "damage"),
        ("attack", ['"Beak" +5 1d8+2 piercing melee reach 10'], "to hit"),
        ("power", ['"Spray" action save dex dc 11'], "recharge"),
        ("power", ['"Spray" action recharge 5 save dex dc 12'], "saves of powers"),
    ],
)
def test_what_is_wrong_in_a_row_is_found(
    heron: Creature, word: str, value: object, kind: str
) -> None:
    wrong = [found for found, is_right, _ in compared(heron, {**ROW, word: value}) if not is_right]
    assert wrong == [kind]


def test_sentences_are_read_without_what_falls_in_a_case() -> None:
    hit = "7 (1d8 + 3) slashing damage, or 8 (1d10 + 3) slashing damage if used with two hands, "
    assert damage_of(f"{hit}plus 9 (2d8) fire damage.") == ("1d8+3 slashing", "2d8 fire")
    assert attack_of("It bites.") is None
    assert kinds_of("piercing from nonmagical attacks; cold, fire") == {
        "mundane-piercing",
        "cold",
        "fire",
    }
