"""A stat block of 5e, its fields under plain names: what nearly all formats come to.

Notes and lists have it so. The reader of another format says which of its fields is which of these,

    {"name": row.get("Name"), "hp": within(row, "HP", "Value"), ...}

and a value may stand in any of the ways in which it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from affray.core.rules.imported import Creature, Sort, modifier
from affray.store.importing.feature_text import features_of
from affray.store.importing.resistances import conditions_of, types_of
from affray.store.importing.values import (
    ABILITIES,
    bonuses,
    by_ability,
    challenge,
    clean,
    dice,
    hovers,
    number,
    numbers,
    one_line,
    passive_perception,
    positive,
    senses,
    size,
    speeds,
    table,
    words,
)

LISTS: dict[str, Sort] = {
    "traits": "trait",
    "actions": "action",
    "bonus_actions": "bonus",
    "reactions": "reaction",
    "legendary_actions": "legendary",
    "mythic_actions": "mythic",
    "lair_actions": "lair",
    "triggered_actions": "reaction",
    "nastier_traits": "trait",
}
OTHER_GAMES = {"pd", "md", "mook"}
"""Fields that another game's layouts have."""
KNOWN = {
    "name", "size", "type", "subtype", "alignment", "ac", "hp", "hit_dice", "speed", "stats",
    "saves", "skillsaves", "damage_vulnerabilities", "damage_resistances", "damage_immunities",
    "condition_immunities", "senses", "languages", "cr", "source", "level", "role", "initiative",
    "modifier", "pb", "pd", "md", "fort", "ref", "will", "description", "flavor_text", "player",
    "passive_perception",
    *LISTS,
}  # fmt: skip
SHOWN_ELSEWHERE = {
    "statblock", "layout", "image", "image_style", "monster", "creature", "note", "columns", "dice",
    "render", "tags", "aliases", "cssclass", "cssclasses", "extends", "path", "mtime", "bestiary",
    "columnwidth", "forcecolumns",
}  # fmt: skip
"""Fields that are about the note, not the creature."""
HARM = {
    "damage_resistances": "resistance, in words",
    "damage_immunities": "immunity, in words",
    "damage_vulnerabilities": "vulnerability, in words",
}
"""Damage that does less, nothing and more -> what is said of it beside its types."""


def creature(given: Mapping[str, Any], pc: bool = False, game: str | None = None) -> Creature:
    """The creature of a stat block. Names of fields may be written in any way; what stands under
    one that isn't known is kept by it, in words. Whose initiative isn't said has Dexterity's.

    The format says whose numbers they are, by `game`; else the fields tell.
    """
    row = {str(key).strip().casefold().replace(" ", "_"): value for key, value in given.items()}
    scores, source = _scores(row.get("stats")), row.get("source")
    kinds = [one_line(row.get(key)) for key in ("type", "subtype", "alignment")]
    armour = one_line(row.get("ac"))
    harm = {field: types_of(row.get(field)) for field in HARM}
    resist, immune, vulnerable = (tuple(types) for types, _ in harm.values())
    said = {HARM[field]: prose for field, (_, prose) in harm.items()}
    if worn := armour.partition("(")[2].rstrip(")"):
        said["armour"] = worn
    said |= dict(_others(row))
    return Creature(
        name=one_line(row.get("name")),
        game=_game(row) if game is None else game,
        kind="pc" if pc or row.get("player") is True else "monster",
        source=", ".join(words(source)) if isinstance(source, list) else one_line(source),
        size=size(row.get("size")),
        type=", ".join(filter(None, kinds)),
        cr=challenge(row.get("cr")),
        level=number(row.get("level"), 0, 99),
        pb=number(row.get("pb"), 1, 20),
        role=one_line(row.get("role")),
        hp=positive(row.get("hp")),
        hp_dice=dice(row.get("hit_dice")),
        ac=number(armour, 0),
        defences=numbers({name: row.get(field) for field, name in DEFENCES.items()}, 0, 99),
        initiative=_initiative(row, scores),
        speeds=speeds(row.get("speed")),
        hover=hovers(row.get("speed")),
        abilities=scores,
        saves=by_ability(bonuses(row.get("saves"))),
        skills=bonuses(row.get("skillsaves")),
        senses=senses(row.get("senses")),
        passive_perception=number(row.get("passive_perception"), 1, 99)
        or passive_perception(row.get("senses")),
        languages=tuple(words(row.get("languages"))),
        resist=resist,
        immune=immune,
        vulnerable=vulnerable,
        unhindered=conditions_of(row.get("condition_immunities")),
        features=tuple(features_of(row, LISTS)),
        said={what: told for what, told in said.items() if told},
        text="\n".join(filter(None, (clean(row.get(k)) for k in ("flavor_text", "description")))),
    )


def harm_fields(found: Iterable[tuple[list[str], str]]) -> dict[str, Any]:
    """The fields of `HARM`, in its order, for a format that tells types from what is said beside
    them: of each (types, what is said)."""
    fields: dict[str, Any] = {}
    for (field, beside), (types, prose) in zip(HARM.items(), found, strict=True):
        fields |= {field: types, beside: prose}
    return fields


def _game(row: dict[str, Any]) -> str:
    """Whose numbers they are: another game's by its fields or its layout, Level Up's by the source,
    else 5e's."""
    layout = one_line(row.get("layout"))
    if OTHER_GAMES & row.keys() or (layout and "5e" not in layout and "cr" not in row):
        return "another"
    return "level-up" if "level up" in str(row.get("source")).casefold() else "5e"


def _initiative(row: dict[str, Any], scores: Mapping[str, int]) -> int | None:
    said = number(row.get("initiative", row.get("modifier")), -50, 99)
    return modifier(scores["dex"]) if said is None and "dex" in scores else said


def _scores(value: Any) -> dict[str, int]:
    if isinstance(value, list):
        return numbers(dict(zip(ABILITIES, value, strict=False)), 1, 99)
    return numbers(by_ability(table(value)), 1, 99)


DEFENCES = {"fort": "fortitude", "ref": "reflex", "will": "will", "pd": "PD", "md": "MD"}
"""What their fields are called -> the defences."""


def _others(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Any other field, which a note may have as it likes."""
    for key, value in row.items():
        if key not in KNOWN and key not in SHOWN_ELSEWHERE:
            told = " ".join(_told(value))
            if told:
                yield key.replace("_", " ")[:40], told


def _told(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, Mapping) and depth < 6:
        for key, each in value.items():
            inner = " ".join(_told(each, depth + 1))
            yield inner if key in ("name", "desc") else f"{one_line(str(key))} {inner}"
    elif isinstance(value, list) and depth < 6:
        for each in value:
            yield from _told(each, depth + 1)
    elif value is not None and value is not False:
        yield one_line(value if not isinstance(value, bool) else "yes")
