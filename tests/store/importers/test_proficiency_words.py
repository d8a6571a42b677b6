"""The proficiency bonus in words, as third parties write it: `1d8 plus PB slashing damage`."""

from __future__ import annotations

import pytest

from affray.core.rules.imported_creature import ImportedCreature
from affray.rulesets import load_ruleset
from affray.store.importers import import_each, with_acts_and_spells
from affray.store.importers.run_import import made_of
from affray.store.importers.stat_block import parse_stat_block

HIT = "Melee Weapon Attack: +3 to hit, reach 5 ft., one target. Hit: "
BLOCK = {"name": "Reed Page", "hp": 30, "ac": 12, "stats": [10, 10, 16, 10, 10, 10]}


def page(name: str, text: str, **more: object) -> ImportedCreature:
    block = BLOCK | more | {"actions": [{"name": name, "desc": text}]}
    found = import_each([block], lambda row: parse_stat_block(row, game="5e"), str)
    return with_acts_and_spells(found).creatures[0]


def act(creature: ImportedCreature) -> str:
    row = made_of(load_ruleset("5e"), creature).row
    words = [*row.get("attack", ()), *row.get("power", ())][0]
    return str(words).partition('" ')[2].partition('text "')[0].strip()


@pytest.mark.parametrize(
    ("text", "comes"),
    [
        (f"{HIT}1d8 plus PB slashing damage.", "+3 1d8+3 slashing melee reach 5"),
        (f"{HIT}7 (1d8 + 2) + PB slashing damage plus 3 (1d6) fire damage.",
         "+3 1d8+5 slashing melee reach 5 plus 1d6 fire"),
        (f"{HIT}(2d4) plus its Proficiency Bonus piercing damage.",
         "+3 2d4+3 piercing melee reach 5"),
        (f"{HIT}1d10 + prof cold damage.", "+3 1d10+3 cold melee reach 5"),
        ("Melee Weapon Attack: +3 plus PB to hit, reach 5 ft. Hit: 1d8 + 3 + PB force damage.",
         "+6 1d8+6 force melee reach 5"),
        ("Melee Weapon Attack: PB + +3 to hit, reach 5 ft. Hit: 1d6 + your proficiency bonus acid "
         "damage.", "+6 1d6+3 acid melee reach 5"),
        ("DC 12 Dexterity saving throw, taking 2d6 + PB acid damage on a failed save, or half as "
         "much on a success.", "action save dex dc 12 2d6+3 acid half"),
        ("Each foe makes a DC 8 + PB Constitution saving throw or takes 2d6 fire damage.",
         "action save con dc 11 2d6 fire"),
        ("It makes a Dexterity saving throw (DC 8 + PB + Con modifier) or is knocked prone.",
         "action save dex dc 14 inflicts prone"),
        ("It makes a Dexterity saving throw against a DC equal to 8 plus its proficiency bonus plus"
         " its Constitution modifier or is knocked prone.", "action save dex dc 14 inflicts prone"),
        ("A creature with proficiency in it makes a DC 12 Wisdom saving throw or is frightened.",
         "action save wis dc 12 inflicts frightened"),
    ],
)  # fmt: skip
def test_the_number_stands_where_the_words_are(text: str, comes: str) -> None:
    made = page("Reed", text, cr="5")
    assert act(made) == comes
    assert made.features[0].text == text  # the book's words stay


def test_uses_are_counted_in_it() -> None:
    assert act(page("Reed (PB/Day)", "It hides.", cr="5")) == "action uses 3 per day"


def test_without_a_number_the_report_names_it() -> None:
    made = page("Reed", f"{HIT}1d8 + PB slashing damage.")
    assert act(made) == "+3 1d8 slashing melee reach 5"
    assert made_of(load_ruleset("5e"), made).left == (
        "proficiency bonus, which its texts add and the file doesn't have",
    )
