"""Creatures of Open5e: the tables of its data, and its API's answers, in both of its forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

from affray.core.rules.imported_creature import (
    ImportedAttack,
    ImportedCreature,
    ImportedFeature,
    Sort,
)
from affray.data_text import read_json
from affray.store.importers import ImportContents, import_each, leftovers, name_value, stat_block
from affray.store.importers.feature_text import legendary_actions, parse_features
from affray.store.importers.typed_fields import Misfits, Number, Text, read_fields
from affray.store.importers.values import (
    ABILITY_NAMES,
    WAYS,
    get_path,
    to_clean_text,
    to_int,
    to_list,
    to_one_line,
    to_table,
    to_tables,
    to_words,
)

Row = dict[str, Any]


class Monster(
    Struct,
    frozen=True,
    rename={
        "image": "img_main", "cr": "challenge_rating", "hp": "hit_points", "ac": "armor_class",
        "armour": "armor_desc", "description": "desc", "skillsaves": "skills",
        "traits": "special_abilities", "source": "document__title", "document": "document__slug",
        "spells": "spell_list", "header": "legendary_desc",
    },
):  # fmt: skip
    """A monster of the first form, in which our names are those of a stat block.

    stats, saves  by the names of abilities, which stand in fields of their own
    """

    image: str | None = None
    name: Text = None
    size: Text = None
    type: Text = None
    subtype: Text = None
    alignment: Text = None
    cr: Number = None
    hp: Number = None
    hit_dice: str | None = None
    ac: Number = None
    armour: Text = None
    senses: str | list[str] | None = None
    languages: Text = None
    damage_resistances: Text = None
    damage_immunities: Text = None
    damage_vulnerabilities: Text = None
    condition_immunities: Text = None
    description: Text = None
    speed: dict[str, Any] | Text = None
    skillsaves: dict[str, Any] | str | None = None
    traits: list[Row] | None = None
    actions: list[Row] | None = None
    bonus_actions: list[Row] | None = None
    reactions: list[Row] | None = None
    legendary_actions: list[Row] | None = None
    stats: dict[str, Number] = {}
    saves: dict[str, Number] = {}
    source: Text = None
    document: Text = None
    spells: Text = None
    group: Text = None
    environments: Text = None
    header: Text = None


LISTS = (
    "speed", "skills", "special_abilities", "actions", "bonus_actions", "reactions",
    "legendary_actions", "spell_list", "environments",
)  # fmt: skip
"""The fields that are a list or a table, or the text of one."""
LEVEL_UP = ("menagerie", "a5e")
"""How the documents are called whose numbers are Level Up's."""


def matches(data: Any) -> bool:
    """True if it is a table of monsters, an answer with some, or one of them."""
    return any(map(_is_monster, _monsters(data)[:20]))


def import_data(data: Any) -> ImportContents:
    """Import all monsters of the file."""
    return import_each(filter(_is_monster, _monsters(data)), _creature, name_value)


def _monsters(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, dict):
        return to_tables(data.get("results")) or [data]
    return [{**to_table(row.get("fields")), "pk": row.get("pk")} for row in to_tables(data)] or []


def _is_monster(row: dict[str, Any]) -> bool:
    return "hit_points" in row and "hit_dice" in row and "strength" in row and "name" in row


def _list(row: Row, name: str) -> Any:
    """A field that is a list or a table, or the text of one."""
    value = row.get(name, row.get(f"{name}_json"))
    with suppress(ValueError):
        return read_json(value) if isinstance(value, str) else value
    return value


def _creature(row: Row) -> ImportedCreature:
    misfits: Misfits = {}
    lists = {name: _list(row, name) for name in LISTS}
    lists["spell_list"] = lists["spell_list"] or _list(row, "spells")
    scores = {name: row.get(name) for name in ABILITY_NAMES}
    saves = {name: row.get(f"{name}_save") for name in ABILITY_NAMES}
    own = read_fields({**row, **lists, "stats": scores, "saves": saves}, Monster, misfits)
    document = to_one_line(own.document)
    marks = f"{row.get('pk') or row.get('slug') or ''} {document}"
    block = structs.asdict(own)
    del block["document"], block["header"]
    creature = stat_block.parse_stat_block(
        {
            **block,
            "source": to_one_line(own.source) or document,
            "spells": ", ".join(to_words(own.spells)),
            "environments": ", ".join(to_words(own.environments)),
        },
        game="level-up" if any(mark in marks for mark in LEVEL_UP) else "5e",
    )
    return replace(
        creature,
        features=(*creature.features, *legendary_actions(None, to_clean_text(own.header))),
        in_words=creature.in_words | leftovers.unread(misfits),
    )


# -------------------------------------------------------------------------------------------------
# The second form: four tables that belong together, or the API's answers. Of the tables' attacks
# bonus, reach and range are right; the damage is not, and is read from the description.

CREATURE, ACTION, ATTACK, TRAIT = (
    "creature",
    "creatureaction",
    "creatureactionattack",
    "creaturetrait",
)
TABLES = (CREATURE, ACTION, ATTACK, TRAIT)
SORTS: dict[str, Sort] = {
    "ACTION": "action",
    "BONUS_ACTION": "bonus",
    "REACTION": "reaction",
    "LEGENDARY_ACTION": "legendary",
    "LAIR_ACTION": "lair",
}
SENSES = ("blindsight", "darkvision", "tremorsense", "truesight", "telepathy")
KINDS = (*stat_block.HARM, "condition_immunities")


# -- the tables ------------------------------------------------------------------------------------


def table_of(data: Any) -> str:
    """The name of one of the four tables; empty for none."""
    first = next(iter(to_tables(data)), {})
    name = str(first.get("model", "")).casefold().rpartition(".")[2]
    return name if name in TABLES and "fields" in first else ""


def read_tables(tables: Iterable[tuple[str, Any]]) -> ImportContents:
    """The creatures of tables that belong together: each is its name and its rows.

    Where the table of actions is missing, a line says so.
    """
    found: dict[str, list[Row]] = {name: [] for name in TABLES}
    for name, data in tables:
        found[name] += [{**to_table(r.get("fields")), "pk": r.get("pk")} for r in to_tables(data)]
    attacks = _by_parent(found[ATTACK])
    actions = _by_parent(found[ACTION])
    traits = _by_parent(found[TRAIT])

    def read_row(row: Row) -> ImportedCreature:
        key = str(row["pk"])
        own = sorted(actions.get(key, []), key=lambda a: to_int(a.get("order_in_statblock")) or 0)
        rolled = [{**action, "attacks": attacks.get(str(action["pk"]), [])} for action in own]
        return _open5e_v2_creature(row, [*_features(traits.get(key, []), rolled)])

    alone = "the creatures' actions are in another table: import the whole folder"
    is_alone = bool(found[CREATURE]) and not found[ACTION]
    return import_each(found[CREATURE], read_row, name_value) + ImportContents(
        left=(alone,) * is_alone
    )


def _by_parent(found: list[Row]) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = {}
    for row in found:
        grouped.setdefault(str(row.get("parent")), []).append(row)
    return grouped


# -- answers ---------------------------------------------------------------------------------------


def matches_v2(data: Any) -> bool:
    """True if it is an answer with creatures, or one of them."""
    return any(map(_is_creature, _answers(data)[:20]))


def import_v2_data(data: Any) -> ImportContents:
    """The creatures of an answer."""

    def read_row(row: Row) -> ImportedCreature:
        does = _features(to_tables(row.get("traits")), to_tables(row.get("actions")))
        return _open5e_v2_creature(_flat(row), [*does])

    return import_each(filter(_is_creature, _answers(data)), read_row, name_value)


def _answers(data: Any) -> list[Row]:
    return to_tables(to_table(data).get("results")) or (
        [data] if isinstance(data, dict) else to_tables(data)
    )


def _is_creature(row: Row) -> bool:
    return "hit_points" in row and isinstance(row.get("ability_scores"), dict)


def _flat(row: Row) -> Row:
    """An answer's row with the names that the tables have."""
    flat = {**row, **to_table(row.get("resistances_and_immunities")), **to_table(row.get("speed"))}
    for short, field in (("ability_score", "ability_scores"), ("saving_throw", "saving_throws")):
        flat |= {f"{short}_{name}": n for name, n in to_table(row.get(field)).items()}
    flat |= {f"skill_bonus_{name}": n for name, n in to_table(row.get("skill_bonuses")).items()}
    flat["languages_desc"] = get_path(row, "languages", "as_string")
    flat["document"] = get_path(row, "document", "key")
    return flat


# -- a creature ------------------------------------------------------------------------------------


def _open5e_v2_creature(row: Row, features: list[ImportedFeature]) -> ImportedCreature:
    skills = {key.removeprefix(_SKILL): row[key] for key in row if key.startswith(_SKILL)}
    document = to_one_line(row.get("document"))
    creature = stat_block.parse_stat_block(
        {
            "name": row.get("name"),
            "source": document,
            "size": _key(row.get("size")),
            "type": _key(row.get("type")),
            "alignment": row.get("alignment"),
            "cr": row.get("challenge_rating"),
            "pb": row.get("proficiency_bonus"),
            "hp": row.get("hit_points"),
            "hit_dice": row.get("hit_dice"),
            "ac": row.get("armor_class"),
            "initiative": row.get("initiative_bonus"),
            "speed": {way: row.get(way) for way in (*WAYS, "hover")},
            "stats": {name: row.get(f"ability_score_{name}") for name in ABILITY_NAMES},
            "saves": {name: row.get(f"saving_throw_{name}") for name in ABILITY_NAMES},
            "skillsaves": {name.replace("_", " "): bonus for name, bonus in skills.items()},
            "senses": {sense: row.get(f"{sense}_range") for sense in SENSES},
            "passive_perception": row.get("passive_perception"),
            "languages": row.get("languages_desc") or row.get("languages"),
            "description": row.get("desc"),
            **{field: _keys(row, field) for field in KINDS},
            "armour": row.get("armor_detail"),
            "environments": ", ".join(_key(each) for each in to_list(row.get("environments"))),
        },
        game="level-up" if document.startswith("a5e") else "5e",
    )
    return replace(creature, features=tuple(features))


_SKILL = "skill_bonus_"


def _key(value: Any) -> str:
    """The name of a value that is a key in the tables, and a key with a name in answers."""
    return to_one_line(value.get("key") if isinstance(value, dict) else value)


def _keys(row: Row, field: str) -> Any:
    """The displayed names of damage types, if any: the keys lack nonmagical weapons, and include
    wrong types. For conditions the keys."""
    keys = [_key(each) for each in to_list(row.get(field))]
    shown = row.get(f"{field}_display")
    return (shown or keys) if field in stat_block.HARM else (keys or shown)


def _features(traits: list[Row], actions: list[Row]) -> Iterator[ImportedFeature]:
    for row in traits:
        yield from parse_features(row.get("name"), row.get("desc"), "trait")
    for row in actions:
        sort = SORTS.get(str(row.get("action_type")), "action")
        name = f"{to_one_line(row.get('name'))}{_limits(row)}"
        yield from parse_features(
            name, row.get("desc"), sort, _attack(to_tables(row.get("attacks")))
        )


def _limits(row: Row) -> str:
    """The limits on uses by the tables, in the form that names have elsewhere: ` (3/day)`."""
    limits = to_table(row.get("usage_limits"))
    how = str(row.get("uses_type") or limits.get("type") or "")
    times = to_int(row.get("uses_param", limits.get("param")), 1, 20)
    cost = to_int(row.get("legendary_action_cost"), 2, 9)
    suffixes = {
        "PER_DAY": f" ({times}/day)" if times else "",
        "RECHARGE_ON_ROLL": f" (recharge {times})" if times else "",
        "RECHARGE": f" (recharge {times})" if times else "",
        "RECHARGE_AFTER_REST": " (recharges after a short rest)",
    }
    return suffixes.get(how, "") + (f" (costs {cost} actions)" if cost else "")


def _attack(found: list[Row]) -> ImportedAttack | None:
    """The roll of an attack in the tables, whose damage is wrong."""
    for row in found:
        bonus = to_int(row.get("to_hit_mod"), -20, 40)
        if bonus is not None:
            reach, far = to_int(row.get("reach"), 1), to_int(row.get("range"), 1)
            return ImportedAttack(
                bonus,
                reach="both" if reach and far else "ranged" if far else "melee",
                feet=reach or far or 0,
                far=far or 0 if reach else 0,
                long=to_int(row.get("long_range"), 1) or 0,
                spell=row.get("attack_type") == "SPELL",
            )
    return None
