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
from affray.store.importers.typed_fields import Count, Misfits, Number, Text, read_fields
from affray.store.importers.values import (
    ABILITY_NAMES,
    SENSES,
    Table,
    rows_of,
    to_clean_text,
    to_int,
    to_list,
    to_one_line,
    to_table,
    to_tables,
    to_words,
)


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
    speed: Table | Text = None
    skillsaves: Table | str | None = None
    traits: list[Table] | None = None
    actions: list[Table] | None = None
    bonus_actions: list[Table] | None = None
    reactions: list[Table] | None = None
    legendary_actions: list[Table] | None = None
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


def _monsters(data: Any) -> list[Table]:
    return rows_of(data, "results") if isinstance(data, dict) else _with_keys(data)


def _with_keys(data: Any) -> list[Table]:
    """The rows of a table of its data, each with its key."""
    return [{**to_table(row.get("fields")), "pk": row.get("pk")} for row in to_tables(data)]


def _is_monster(row: Table) -> bool:
    return "hit_points" in row and "hit_dice" in row and "strength" in row and "name" in row


def _list(row: Table, name: str) -> Any:
    """A field that is a list or a table, or the text of one."""
    value = row.get(name, row.get(f"{name}_json"))
    with suppress(ValueError):
        return read_json(value) if isinstance(value, str) else value
    return value


def _creature(row: Table) -> ImportedCreature:
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


class Named(Struct, frozen=True):
    key: str


Key = str | Named
"""A key in the tables, and a key with a name in answers."""


class Attack(Struct, frozen=True):
    to_hit_mod: Count = None
    reach: Count = None
    range: Count = None
    long_range: Count = None
    attack_type: str | None = None


class Limits(Struct, frozen=True):
    """Limits on uses: `{"type": "PER_DAY", "param": 3}`."""

    type: str | None = None
    param: Count = None


class Action(Struct, frozen=True):
    """An action or a trait; its limits stand in one field in answers, in two in the tables."""

    name: Text = None
    desc: Text = None
    action_type: str | None = None
    usage_limits: Limits | None = None
    uses_type: str | None = None
    uses_param: Count = None
    legendary_action_cost: Count = None
    order_in_statblock: Number = None
    attacks: list[Attack] | None = None


class Speed(Struct, frozen=True):
    walk: Number = None
    fly: Number = None
    swim: Number = None
    climb: Number = None
    burrow: Number = None
    hover: bool | None = None


class Harm(Struct, frozen=True):
    """Types of damage and conditions, as keys and as a book displays them."""

    damage_resistances: list[Key] | None = None
    damage_immunities: list[Key] | None = None
    damage_vulnerabilities: list[Key] | None = None
    condition_immunities: list[Key] | None = None
    damage_resistances_display: Text = None
    damage_immunities_display: Text = None
    damage_vulnerabilities_display: Text = None
    condition_immunities_display: Text = None


class Languages(Struct, frozen=True):
    as_string: Text = None


class Creature(Harm, frozen=True):
    """A creature as answers have it; in the tables the fields of `Harm` are its own."""

    name: Text = None
    document: Key | None = None
    size: Key | None = None
    type: Key | None = None
    alignment: Text = None
    challenge_rating: Number = None
    proficiency_bonus: Number = None
    hit_points: Number = None
    hit_dice: Text = None
    armor_class: Number = None
    armor_detail: Text = None
    initiative_bonus: Count = None
    speed: Speed = Speed()
    ability_scores: dict[str, Number] = {}
    saving_throws: dict[str, Number] = {}
    skill_bonuses: dict[str, Number] = {}
    senses: dict[str, Number] = {}
    passive_perception: Number = None
    languages: Languages | Text = None
    languages_desc: Text = None
    resistances_and_immunities: Harm | None = None
    desc: Text = None
    environments: list[Key] | None = None
    traits: list[Action] | None = None
    actions: list[Action] | None = None


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
    found: dict[str, list[Table]] = {name: [] for name in TABLES}
    for name, data in tables:
        found[name] += _with_keys(data)
    attacks = _by_parent(found[ATTACK])
    actions = _by_parent(found[ACTION])
    traits = _by_parent(found[TRAIT])

    def read_row(row: Table) -> ImportedCreature:
        key = str(row["pk"])
        own = sorted(actions.get(key, []), key=lambda a: to_int(a.get("order_in_statblock")) or 0)
        rolled = [{**action, "attacks": attacks.get(str(action["pk"]), [])} for action in own]
        return _of_answer({**_nested(row), "traits": traits.get(key), "actions": rolled})

    alone = "the creatures' actions are in another table: import the whole folder"
    is_alone = bool(found[CREATURE]) and not found[ACTION]
    return import_each(found[CREATURE], read_row, name_value) + ImportContents(
        left=(alone,) * is_alone
    )


def _nested(row: Table) -> Table:
    """A row of the tables with the fields that answers have."""
    prefixes = {"ability_scores": "ability_score_", "saving_throws": "saving_throw_",
                "skill_bonuses": "skill_bonus_"}  # fmt: skip
    return {
        **row,
        "speed": row,
        **{
            field: {key.removeprefix(prefix): n for key, n in row.items() if key.startswith(prefix)}
            for field, prefix in prefixes.items()
        },
    }


def _by_parent(found: list[Table]) -> dict[str, list[Table]]:
    grouped: dict[str, list[Table]] = {}
    for row in found:
        grouped.setdefault(str(row.get("parent")), []).append(row)
    return grouped


# -- answers ---------------------------------------------------------------------------------------


def matches_v2(data: Any) -> bool:
    """True if it is an answer with creatures, or one of them."""
    return any(map(_is_creature, rows_of(data, "results")[:20]))


def import_v2_data(data: Any) -> ImportContents:
    """The creatures of an answer."""
    return import_each(filter(_is_creature, rows_of(data, "results")), _of_answer, name_value)


def _is_creature(row: Table) -> bool:
    return "hit_points" in row and "ability_scores" in row


# -- a creature ------------------------------------------------------------------------------------


def _of_answer(row: Table) -> ImportedCreature:
    misfits: Misfits = {}
    senses = {sense: row.get(f"{sense}_range") for sense in (*SENSES, "telepathy")}
    own = read_fields({**row, "senses": senses}, Creature, misfits)
    harm, tongues = own.resistances_and_immunities or own, own.languages
    document = _key(own.document)
    creature = stat_block.parse_stat_block(
        {
            "name": own.name,
            "source": document,
            "size": _key(own.size),
            "type": _key(own.type),
            "alignment": own.alignment,
            "cr": own.challenge_rating,
            "pb": own.proficiency_bonus,
            "hp": own.hit_points,
            "hit_dice": own.hit_dice,
            "ac": own.armor_class,
            "initiative": own.initiative_bonus,
            "speed": structs.asdict(own.speed),
            "stats": {name: own.ability_scores.get(name) for name in ABILITY_NAMES},
            "saves": {name: own.saving_throws.get(name) for name in ABILITY_NAMES},
            "skillsaves": {n.replace("_", " "): bonus for n, bonus in own.skill_bonuses.items()},
            "senses": own.senses,
            "passive_perception": own.passive_perception,
            "languages": own.languages_desc
            or (tongues.as_string if isinstance(tongues, Languages) else tongues),
            "description": own.desc,
            **{field: _keys(harm, field) for field in KINDS},
            "armour": own.armor_detail,
            "environments": ", ".join(_key(each) for each in own.environments or ()),
        },
        game="level-up" if document.startswith("a5e") else "5e",
    )
    return replace(
        creature,
        features=tuple(_features(own.traits or [], own.actions or [])),
        in_words=creature.in_words | leftovers.unread(misfits),
    )


def _key(value: Key | None) -> str:
    return to_one_line(value.key if isinstance(value, Named) else value)


def _keys(harm: Harm, field: str) -> Any:
    """The displayed names of damage types, if any: the keys lack nonmagical weapons, and include
    wrong types. For conditions the keys."""
    keys = [_key(each) for each in to_list(getattr(harm, field))]
    shown = getattr(harm, f"{field}_display")
    return (shown or keys) if field in stat_block.HARM else (keys or shown)


def _features(traits: list[Action], actions: list[Action]) -> Iterator[ImportedFeature]:
    for row in traits:
        yield from parse_features(row.name, row.desc, "trait")
    for row in actions:
        sort = SORTS.get(row.action_type or "", "action")
        name = f"{to_one_line(row.name)}{_limits(row)}"
        yield from parse_features(name, row.desc, sort, _attack(row.attacks or []))


def _limits(row: Action) -> str:
    """The limits on uses by the tables, in the form that names have elsewhere: ` (3/day)`."""
    limits = row.usage_limits or Limits()
    given = limits.param if row.uses_param is None else row.uses_param
    times = to_int(given, 1, 20)
    cost = to_int(row.legendary_action_cost, 2, 9)
    suffixes = {
        "PER_DAY": f" ({times}/day)" if times else "",
        "RECHARGE_ON_ROLL": f" (recharge {times})" if times else "",
        "RECHARGE": f" (recharge {times})" if times else "",
        "RECHARGE_AFTER_REST": " (recharges after a short rest)",
    }
    how = row.uses_type or limits.type or ""
    return suffixes.get(how, "") + (f" (costs {cost} actions)" if cost else "")


def _attack(found: list[Attack]) -> ImportedAttack | None:
    """The roll of an attack in the tables, whose damage is wrong."""
    for row in found:
        bonus = to_int(row.to_hit_mod, -20, 40)
        if bonus is not None:
            reach, far = to_int(row.reach, 1), to_int(row.range, 1)
            return ImportedAttack(
                bonus,
                reach="both" if reach and far else "ranged" if far else "melee",
                feet=reach or far or 0,
                far=far or 0 if reach else 0,
                long=to_int(row.long_range, 1) or 0,
                spell=row.attack_type == "SPELL",
            )
    return None
