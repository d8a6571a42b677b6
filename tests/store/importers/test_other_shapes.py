"""A field of another shape than its format says costs that field alone, and is told in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.store.importers import formats

from affray.core.rules.imported_creature import ImportedCreature
from affray.store.importers import ImportContents
from affray.store.importers.detect import read_files

ODD = "sploosh"
TEXT: list[Any] = [{ODD: 7}, [[ODD]], {"a": {"b": [ODD]}}]
NUMBER: list[Any] = [[[7, ODD]], {ODD: 7}, {"a": {"b": [ODD]}}]
LIST: list[Any] = [ODD, {"a": [{"b": ODD}]}, [[ODD]]]
TABLE: list[Any] = [[ODD], [[{"b": ODD}]]]
FILES = {
    "Open5e": formats.open5e_v1_answer,
    "Open5e v2": formats.open5e_v2_answer,
    "5e SRD API": formats.srd_api,
    "5etools": formats.fivetools,
}
_BODY = {"size": TEXT, "type": TEXT, "hit_dice": TEXT, "armor_class": NUMBER, "actions": LIST}
FIELDS: dict[str, dict[str, list[Any]]] = {
    "Open5e": _BODY | {
        "challenge_rating": NUMBER, "strength": NUMBER, "strength_save": NUMBER, "senses": TEXT,
        "damage_resistances": TEXT, "actions desc": TEXT, "document__title": TEXT,
        "special_abilities": LIST, "environments": NUMBER, "spell_list": NUMBER,
    },
    "Open5e v2": _BODY | {
        "challenge_rating": NUMBER, "ability_scores strength": NUMBER, "ability_scores": TABLE,
        "speed": TABLE, "traits": LIST, "actions desc": TEXT, "languages": TABLE,
        "actions attacks": LIST, "saving_throws": TABLE, "skill_bonuses": TABLE,
        "initiative_bonus": NUMBER, "darkvision_range": NUMBER,
    },
    "5e SRD API": _BODY | {
        "strength": NUMBER, "speed": TABLE, "senses": TABLE, "actions desc": TEXT,
        "actions usage": LIST[:1], "proficiencies": LIST, "proficiency_bonus": NUMBER,
        "damage_resistances": TEXT, "condition_immunities": NUMBER,
    },
    "5etools": {
        "size": TEXT, "type": LIST[2:], "hp average": NUMBER, "hp formula": TEXT, "ac": LIST[1:],
        "str": NUMBER, "speed": TABLE, "save": TABLE, "senses": TEXT, "passive": NUMBER,
        "action": LIST, "action name": TEXT, "action entries": TEXT[2:], "spellcasting": LIST,
        "resist": LIST, "gear": LIST[2:], "legendaryActions": NUMBER, "alignment": NUMBER[1:],
    },
}  # fmt: skip


def table() -> Iterator[tuple[str, str, Any]]:
    for kind, fields in FIELDS.items():
        yield from ((kind, field, odd) for field, shapes in fields.items() for odd in shapes)


def row_of(data: Any) -> dict[str, Any]:
    """The first monster of a file."""
    data = data.get("results", data.get("monster", data)) if isinstance(data, dict) else data
    found: dict[str, Any] = data[0] if isinstance(data, list) else data
    return found


def put(row: dict[str, Any], field: str, odd: Any) -> None:
    """Give a field of a row, of its first action or of a table in it another value."""
    *outer, name = field.split()
    for key in outer:
        inner = row.setdefault(key, {})
        row = inner[0] if isinstance(inner, list) else inner
    row[name] = odd


def read(folder: Path, data: Any) -> ImportContents:
    file = folder / "crabs.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    [found] = read_files(file)
    return found.contents


def words_of(made: ImportedCreature) -> str:
    """All that is told of a creature."""
    told = (f"{name}. {text}" for name, text in made.in_words.items())
    does = (f"{each.name}. {each.text}" for each in made.features)
    return " ".join(
        (*told, *does, made.source, made.text, *made.senses, *made.resist, *made.languages)
    )


@pytest.mark.parametrize(("kind", "field", "odd"), [*table()])
def test_a_field_of_another_shape_costs_that_field_alone(
    tmp_path: Path, kind: str, field: str, odd: Any
) -> None:
    data = json.loads(FILES[kind]())
    whole = read(tmp_path, data).creatures[0]
    put(row_of(data), field, odd)
    made = read(tmp_path, data).creatures[0]
    assert ODD in words_of(made)
    assert ODD not in words_of(whole)
    names = ("name", "abilities", "speeds", "hp", "features", "senses")
    assert sum(getattr(made, name) != getattr(whole, name) for name in names) < 2


@pytest.mark.parametrize("kind", FILES)
def test_a_null_is_no_other_shape(tmp_path: Path, kind: str) -> None:
    data = json.loads(FILES[kind]())
    row = row_of(data)
    kept = ("name", "index", "hp", "hit_points", "ability_scores", "source", "document", "slug")
    row |= {field: None for field in row if field not in kept}
    made = read(tmp_path, data).creatures[0]
    assert not any("unread" in what for what in made.in_words)


@pytest.mark.parametrize("kind", FILES)
def test_a_monster_of_odd_fields_costs_no_other(tmp_path: Path, kind: str) -> None:
    data = json.loads(FILES[kind]())
    row = row_of(data)
    kept = ("name", "index", "source", "hp", "hit_points", "ability_scores")
    spoilt = {field: value if field in kept else [[{ODD: 7}]] for field, value in row.items()}
    several = [spoilt, {**row, "name": "Other Crab"}]
    if isinstance(data, dict):
        data = {"monster" if "monster" in data else "results": several}
    made = read(tmp_path, data if isinstance(data, dict) else several)
    assert [each.name for each in made.creatures] == ["Marsh Crab", "Other Crab"]
    assert made.creatures[1].hp == 19


def test_what_a_monster_carries_has_its_count(tmp_path: Path) -> None:
    """Files after the rules of 2024: `{"item": "javelin|xphb", "quantity": 5}`."""
    data = json.loads(formats.fivetools())
    row_of(data)["gear"] = ["shield|xphb", {"item": "javelin|xphb", "quantity": 5}]
    assert read(tmp_path, data).creatures[0].in_words["gear"] == "shield, javelin (5)"


def test_an_alignment_may_be_in_words(tmp_path: Path) -> None:
    data = json.loads(formats.fivetools())
    row_of(data)["alignment"] = [{"special": "as its host"}]
    assert read(tmp_path, data).creatures[0].type == "beast, as its host"
