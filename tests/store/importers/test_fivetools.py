"""What monsters in the shape of 5etools say in tables of their own: notes, copies, versions."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.rules.imported_creature import ImportedCreature
from affray.store.importers import ImportContents, fivetools
from affray.store.importers.values import ABILITIES


def crab(name: str = "Marsh Crab", **more: Any) -> dict[str, Any]:
    """A crab of challenge 5 (PB 3): Strength +2, Dexterity +1, Constitution +3."""
    text = (
        "{@atk mw} {@hit 5} to hit, reach 5 ft., one target. {@h}6 ({@damage 1d8 + 2}) slashing "
        "damage, and a {@dc 13} Strength saving throw."
    )
    claw = {"name": "Claw", "entries": [text]}
    scores = {"str": 15, "dex": 12, "con": 16, "int": 2, "wis": 10, "cha": 4}
    row = {"name": name, "source": "OWN", "ac": [14], "hp": {"average": 30}, "cr": "5"}
    return {**row, **scores, "action": [claw], "speed": {"walk": 30}, **more}


def read(*rows: dict[str, Any]) -> ImportContents:
    return fivetools.import_data({"monster": [*rows]})


def changed(field: str, *changes: dict[str, Any]) -> ImportedCreature:
    """A bog crab, which is a marsh crab with some changes."""
    copy = {"name": "Marsh Crab", "source": "OWN", "_mod": {field: [*changes]}}
    found = read(crab(senses=["darkvision 30 ft."]), {"name": "Bog Crab", "_copy": copy})
    assert found.left == ()
    return found.creatures[1]


MUNDANE = "from nonmagical attacks"


@pytest.mark.parametrize(
    ("rows", "types", "words"),
    [
        (["fire", {"resist": ["bludgeoning", "piercing", "slashing"], "note": MUNDANE}],
         ("fire", "mundane"), ""),
        ([{"resist": ["bludgeoning", "piercing", "slashing"],
           "note": f"{MUNDANE} not made with silvered weapons"}],
         ("mundane",),
         "bludgeoning, piercing, slashing from nonmagical attacks not made with silvered weapons"),
        ([{"resist": ["piercing"], "note": MUNDANE}], ("mundane-piercing",), ""),
        ([{"preNote": "while in the dark", "resist": ["cold"]}], (), "while in the dark cold"),
        ([{"special": "damage from spells"}], (), "damage from spells"),
    ],
)  # fmt: skip
def test_a_note_tells_when_damage_is_resisted(
    rows: list[Any], types: tuple[str, ...], words: str
) -> None:
    [made] = read(crab(resist=rows)).creatures
    assert made.resist == types
    assert made.in_words.get("resistance, in words", "") == words


def test_a_copy_may_add_to_each_attack_and_each_dc() -> None:
    hits, dcs = {"mode": "scalarAddHit", "scalar": 2}, {"mode": "scalarAddDc", "scalar": 1}
    [claw] = changed("_", hits, dcs).features
    assert claw.attack is not None
    assert claw.save is not None
    assert (claw.attack.bonus, claw.save.dc) == (7, 14)


def test_a_copy_may_add_saves_skills_and_senses() -> None:
    made = changed(
        "_",
        {"mode": "addSaves", "saves": {"con": 1}},
        {"mode": "addSkills", "skills": {"stealth": 2}},
        {"mode": "addSenses", "senses": {"type": "darkvision", "range": 60}},
        {"mode": "setProp", "prop": "int", "value": 8},
    )
    assert (made.saves, made.skills) == ({"con": 6}, {"stealth": 7})
    assert (made.senses, made.abilities["int"]) == ({"darkvision": 60}, 8)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"mode": "renameArr", "renames": {"rename": "Claw", "with": "Pincer"}}, ["Pincer"]),
        ({"mode": "replaceArr", "replace": {"index": 0}, "items": {"name": "Hum", "entries": []}},
         ["Hum"]),
        ({"mode": "removeArr", "names": ["Claw"]}, []),
    ],
)  # fmt: skip
def test_a_copy_may_change_its_lists(change: dict[str, Any], names: list[str]) -> None:
    assert [row.name for row in changed("action", change).features] == names


def test_a_template_of_a_copy_is_told() -> None:
    copy = {"name": "Marsh Crab", "source": "OWN", "_templates": [{"name": "Half-Newt"}]}
    found = read(crab(), {"name": "Newt Crab", "_copy": copy})
    assert found.left == ("Newt Crab: the template Half-Newt, which affray does not apply",)


def test_each_version_is_a_creature() -> None:
    plain = {"name": "Old Crab", "hp": {"average": 50}}
    change = {"mode": "replaceTxt", "replace": "slashing", "with": "{{kind}}"}
    several = {
        "_abstract": {"name": "{{kind}} Crab", "_mod": {"action": change}},
        "_implementations": [{"_variables": {"kind": "cold"}}, {"_variables": {"kind": "fire"}}],
    }
    found = read(crab(_versions=[plain, several]))
    assert [(one.name, one.hp) for one in found.creatures] == [
        ("Marsh Crab", 30), ("Old Crab", 50), ("cold Crab", 30), ("fire Crab", 30),
    ]  # fmt: skip
    assert [one.features[0].damage[0].type for one in found.creatures[1:]] == [
        "slashing", "cold", "fire",
    ]  # fmt: skip


def test_one_without_a_name_and_what_is_no_monster_are_told() -> None:
    nameless = {key: value for key, value in crab().items() if key != "name"}
    found = fivetools.import_data({"monster": [nameless, None, crab()]})
    assert [creature.name for creature in found.creatures] == ["", "Marsh Crab"]
    assert found.left == ("1 in the list is not a monster",)


def test_a_monster_without_abilities_is_one() -> None:
    bare = {key: value for key, value in crab().items() if key not in ABILITIES}
    [made] = fivetools.import_data({"monster": [bare]}).creatures
    assert (made.name, made.hp, made.abilities) == ("Marsh Crab", 30, {})
