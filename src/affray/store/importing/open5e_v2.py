"""Open5e's second form: four tables that belong together, and what its interface answers.

Of the attacks in its tables the bonus, the reach and the range are right, and the damage is not:
that is read from the description.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported import Attack, Creature, Feature, Sort
from affray.store.importing import stat_block
from affray.store.importing.contents import Contents, name_of, read_each
from affray.store.importing.feature_text import features
from affray.store.importing.values import (
    ABILITY_NAMES,
    WAYS,
    items_of,
    number,
    one_line,
    rows,
    table,
    within,
)

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
Row = dict[str, Any]


# -- the tables ------------------------------------------------------------------------------------


def table_of(data: Any) -> str:
    """Which of the four tables it is; empty for none."""
    first = next(iter(rows(data)), {})
    name = str(first.get("model", "")).casefold().rpartition(".")[2]
    return name if name in TABLES and "fields" in first else ""


def read_tables(tables: Iterable[tuple[str, Any]]) -> Contents:
    """The creatures of tables that belong together: each is its name and its rows.

    Where the table of actions is missing, a line says so.
    """
    found: dict[str, list[Row]] = {name: [] for name in TABLES}
    for name, data in tables:
        found[name] += [{**table(r.get("fields")), "pk": r.get("pk")} for r in rows(data)]
    attacks = _by_parent(found[ATTACK])
    actions = _by_parent(found[ACTION])
    traits = _by_parent(found[TRAIT])

    def made(row: Row) -> Creature:
        key = str(row["pk"])
        own = sorted(actions.get(key, []), key=lambda a: number(a.get("order_in_statblock")) or 0)
        rolled = [{**action, "attacks": attacks.get(str(action["pk"]), [])} for action in own]
        return _creature(row, [*_features(traits.get(key, []), rolled)])

    alone = "what creatures can do lies in another table: import the whole folder"
    is_alone = bool(found[CREATURE]) and not found[ACTION]
    return read_each(found[CREATURE], made, name_of) + Contents(left=(alone,) * is_alone)


def _by_parent(found: list[Row]) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = {}
    for row in found:
        grouped.setdefault(str(row.get("parent")), []).append(row)
    return grouped


# -- answers ---------------------------------------------------------------------------------------


def holds(data: Any) -> bool:
    """Whether it is an answer with creatures, or one of them."""
    return any(map(_is_creature, _answers(data)[:20]))


def read(data: Any) -> Contents:
    """The creatures of an answer."""

    def made(row: Row) -> Creature:
        does = _features(rows(row.get("traits")), rows(row.get("actions")))
        return _creature(_flat(row), [*does])

    return read_each(filter(_is_creature, _answers(data)), made, name_of)


def _answers(data: Any) -> list[Row]:
    return rows(table(data).get("results")) or ([data] if isinstance(data, dict) else rows(data))


def _is_creature(row: Row) -> bool:
    return "hit_points" in row and isinstance(row.get("ability_scores"), dict)


def _flat(row: Row) -> Row:
    """An answer's row with the names that the tables have."""
    flat = {**row, **table(row.get("resistances_and_immunities")), **table(row.get("speed"))}
    for short, field in (("ability_score", "ability_scores"), ("saving_throw", "saving_throws")):
        flat |= {f"{short}_{name}": n for name, n in table(row.get(field)).items()}
    flat |= {f"skill_bonus_{name}": n for name, n in table(row.get("skill_bonuses")).items()}
    flat["languages_desc"] = within(row, "languages", "as_string")
    flat["document"] = within(row, "document", "key")
    return flat


# -- a creature ------------------------------------------------------------------------------------


def _creature(row: Row, features: list[Feature]) -> Creature:
    skills = {key.removeprefix(_SKILL): row[key] for key in row if key.startswith(_SKILL)}
    document = one_line(row.get("document"))
    made = stat_block.creature(
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
            "environments": ", ".join(_key(each) for each in items_of(row.get("environments"))),
        },
        game="level-up" if document.startswith("a5e") else "5e",
    )
    return replace(made, features=tuple(features))


_SKILL = "skill_bonus_"


def _key(value: Any) -> str:
    """The name of what is a key in the tables, and in answers a key with a name."""
    return one_line(value.get("key") if isinstance(value, dict) else value)


def _keys(row: Row, field: str) -> Any:
    """What is displayed of types of damage, where something is: the keys don't tell of nonmagical
    weapons, and have types that are not meant. Of conditions the keys."""
    keys = [_key(each) for each in items_of(row.get(field))]
    shown = row.get(f"{field}_display")
    return (shown or keys) if field in stat_block.HARM else (keys or shown)


def _features(traits: list[Row], actions: list[Row]) -> Iterator[Feature]:
    for row in traits:
        yield from features(row.get("name"), row.get("desc"), "trait")
    for row in actions:
        sort = SORTS.get(str(row.get("action_type")), "action")
        name = f"{one_line(row.get('name'))}{_limits(row)}"
        yield from features(name, row.get("desc"), sort, _attack(rows(row.get("attacks"))))


def _limits(row: Row) -> str:
    """What the tables say of how often, as names have it elsewhere: ` (3/day)`."""
    limits = table(row.get("usage_limits"))
    how = str(row.get("uses_type") or limits.get("type") or "")
    times = number(row.get("uses_param", limits.get("param")), 1, 20)
    cost = number(row.get("legendary_action_cost"), 2, 9)
    said = {
        "PER_DAY": f" ({times}/day)" if times else "",
        "RECHARGE_ON_ROLL": f" (recharge {times})" if times else "",
        "RECHARGE": f" (recharge {times})" if times else "",
        "RECHARGE_AFTER_REST": " (recharges after a short rest)",
    }
    return said.get(how, "") + (f" (costs {cost} actions)" if cost else "")


def _attack(found: list[Row]) -> Attack | None:
    """The roll of an attack in the tables; what it deals is not right there."""
    for row in found:
        bonus = number(row.get("to_hit_mod"), -20, 40)
        if bonus is not None:
            reach, far = number(row.get("reach"), 1), number(row.get("range"), 1)
            return Attack(
                bonus,
                reach="both" if reach and far else "ranged" if far else "melee",
                feet=reach or far or 0,
                far=far or 0 if reach else 0,
                long=number(row.get("long_range"), 1) or 0,
                spell=row.get("attack_type") == "SPELL",
            )
    return None
