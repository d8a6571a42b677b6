"""Open5e's second form: four tables that belong together, and what its interface answers.

Of the attacks in its tables the bonus, the reach and the range are right, and the damage is not:
that is read from the description.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from affray.core.rules.imported import Attack, Creature, Feature, Sort
from affray.store.importing.contents import Contents, finished, name_of, read_each
from affray.store.importing.feature_text import features
from affray.store.importing.open5e import challenge
from affray.store.importing.resistances import conditions_of, types_of
from affray.store.importing.values import (
    ABILITY_NAMES,
    clean,
    dice,
    listed,
    number,
    numbers,
    one_line,
    positive,
    rows,
    size,
    speeds,
    table,
    within,
    words,
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
Row = dict[str, Any]
DAMAGE = ("damage_resistances", "damage_immunities", "damage_vulnerabilities")


# -- the tables ------------------------------------------------------------------------------------


def table_of(data: Any) -> str:
    """Which of the four tables it is; empty for none."""
    first = next(iter(rows(data)), {})
    name = str(first.get("model", "")).casefold().rpartition(".")[2]
    return name if name in TABLES and "fields" in first else ""


def read_tables(tables: Iterable[tuple[str, Any]]) -> Contents:
    """The creatures of tables that belong together: each is its name and its rows.

    Where there is none of what they do, that is told.
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
    scores = {short: row.get(f"ability_score_{n}") for n, short in ABILITY_NAMES.items()}
    saves = {short: row.get(f"saving_throw_{n}") for n, short in ABILITY_NAMES.items()}
    skills = numbers({key: row[key] for key in row if key.startswith("skill_bonus_")})
    nonmagical = [w for w in ("immunity", "resistance") if row.get(f"nonmagical_attack_{w}")]
    said = {
        "nonmagical attacks": ", ".join(nonmagical),
        "armour": one_line(row.get("armor_detail")),
        "environments": ", ".join(_key(each) for each in listed(row.get("environments"))),
    }
    document = one_line(row.get("document"))
    made = Creature(
        name=one_line(row.get("name")),
        game="level-up" if document.startswith("a5e") else "5e",
        source=document,
        size=size(_key(row.get("size"))),
        type=", ".join(filter(None, (_key(row.get("type")), one_line(row.get("alignment"))))),
        cr=challenge(row.get("challenge_rating")),
        pb=number(row.get("proficiency_bonus"), 1, 20),
        hp=positive(row.get("hit_points")),
        hp_dice=dice(row.get("hit_dice")),
        ac=number(row.get("armor_class"), 0),
        initiative=number(row.get("initiative_bonus")),
        speeds=speeds({way: row.get(way) for way in ("walk", "fly", "swim", "climb", "burrow")}),
        hover=bool(row.get("hover")),
        abilities=numbers(scores, 1, 99),
        saves=numbers(saves),
        skills={key[len("skill_bonus_") :].replace("_", " "): n for key, n in skills.items()},
        senses={s: far for s in SENSES if (far := number(row.get(f"{s}_range"), 1))},
        passive_perception=number(row.get("passive_perception"), 1, 99),
        languages=tuple(words(row.get("languages_desc") or row.get("languages"))),
        unhindered=_conditions(row),
        features=tuple(features),
        text=clean(row.get("desc")),
    )
    return finished(made, [_types(row, key) for key in DAMAGE], said)


def _key(value: Any) -> str:
    """The name of what is a key in the tables, and in answers a key with a name."""
    return one_line(value.get("key") if isinstance(value, dict) else value)


def _types(row: Row, field: str) -> tuple[list[str], str]:
    """The keys of the types, which are right where there are some; else what is displayed."""
    keys = [_key(each) for each in row[field]] if isinstance(row.get(field), list) else []
    if keys:
        return types_of(keys)
    return types_of(row.get(f"{field}_display"))


def _conditions(row: Row) -> tuple[str, ...]:
    keys = row.get("condition_immunities")
    if isinstance(keys, list) and keys:
        return conditions_of([_key(each) for each in keys])
    return conditions_of(row.get("condition_immunities_display"))


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
