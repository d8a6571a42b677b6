"""Items of Foundry's system dnd5e: weapons and feats with their activities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported import Attack, Damage, Feature, Save, Sort
from affray.store.importing.feature_text import features as features_of_text
from affray.store.importing.foundry_items import NO_ABILITY, Numbers, dice_of, value_of
from affray.store.importing.foundry_texts import Numbered, spelled_out
from affray.store.importing.values import number, one_line, rows, table, within

SORTS: dict[str, Sort] = {
    "action": "action",
    "bonus": "bonus",
    "reaction": "reaction",
    "legendary": "legendary",
    "mythic": "mythic",
    "lair": "lair",
}
PERIODS = {"day": "day", "lr": "day", "sr": "rest", "dawn": "day", "turn": "turn", "round": "round"}


def features(items: list[dict[str, Any]], numbers: Numbers) -> Iterator[Feature]:
    """What an actor can do: feats and weapons, not what it only carries."""
    names = {str(item.get("_id")): one_line(item.get("name")) for item in items}
    for item in items:  # an activity that casts a spell is called by the spell
        if cast := one_line(within(item, "flags", "dnd5e", "cachedFor")):
            names[cast.rpartition(".")[2]] = one_line(item.get("name"))
    for item in items:
        if item.get("type") in ("feat", "weapon"):
            yield from _features(item, numbers, names)


def _features(item: dict[str, Any], numbers: Numbers, names: dict[str, str]) -> Iterator[Feature]:
    """What an item is: one feature, or those of which its text offers one."""
    data = table(item.get("system"))
    found = _numbered(data, numbers, names)
    said = [str(within(row, "activation", "type")) for row in found.rows.values()]
    sort: Sort = next((SORTS[kind] for kind in said if kind in SORTS), "trait")
    text = spelled_out(within(data, "description", "value"), found)
    limits = _limits(table(data.get("uses")))
    made, *others = offered = features_of_text(item.get("name"), text, sort)
    if others:
        pool = one_line(item.get("name")) if limits else ""
        yield from (replace(row, pool=pool, **limits) for row in offered)
        return
    if (key := next(iter(found.attacks), None)) is not None:
        attack, damage = made.attack or found.attacks[key], made.damage or found.dealt[key]
        made = replace(made, attack=attack, damage=damage)
    if (key := next(iter(found.saves), None)) is not None and made.save is None:
        made = replace(made, save=found.saves[key], failed=found.dealt[key])
    costs = (number(within(row, "activation", "value"), 2, 9) for row in found.rows.values())
    cost = next(filter(None, costs), made.cost) if sort == "legendary" else made.cost
    yield replace(made, cost=cost, **limits)


def _numbered(data: dict[str, Any], numbers: Numbers, names: dict[str, str]) -> Numbered:
    """The activities of an item, and what they come to."""
    activities = {key: row for key, row in table(data.get("activities")).items() if table(row)}
    attacks: dict[str, Attack] = {}
    saves: dict[str, Save] = {}
    dealt: dict[str, tuple[Damage, ...]] = {}
    healed: dict[str, tuple[Damage, ...]] = {}
    for key, row in activities.items():
        if row.get("type") == "attack":
            attacks[key], ability = _attack(row, data, numbers)
            dealt[key] = tuple(_damage(row, data, numbers, ability))
        else:
            dealt[key] = tuple(_parts(row, numbers, _ability_of_save(row)))
            if row.get("type") == "heal":
                healed[key] = tuple(_part(table(row.get("healing")), numbers, ""))
            if row.get("type") == "save" and (save := _save(row, numbers, dealt[key])):
                saves[key] = save
    return Numbered(data, numbers, activities, attacks, saves, dealt, healed, names)


def _attack(row: dict[str, Any], data: dict[str, Any], numbers: Numbers) -> tuple[Attack, str]:
    own = table(row.get("attack"))
    kind = within(own, "type", "value") or ("ranged" if within(data, "range", "long") else "melee")
    is_spell = within(own, "type", "classification") == "spell"
    ability = one_line(own.get("ability"))
    if ability not in numbers.modifiers and ability != NO_ABILITY:
        ability = _usual_ability(data, str(kind), is_spell)
    bonus = value_of(own.get("bonus"), numbers) or 0
    more = number(data.get("magicalBonus"), 0, 9) or 0
    total = (
        bonus if own.get("flat") else numbers.modifier(ability) + numbers.proficiency + bonus + more
    )
    reach, far, long = (_distance(row, data, where) for where in ("reach", "value", "long"))
    if kind == "ranged":
        return Attack(total, reach="ranged", feet=far or reach, long=long, spell=is_spell), ability
    is_either = not within(own, "type", "value") and within(data, "range", "reach")
    if far and (is_either or "thr" in (data.get("properties") or ())):
        near = Attack(total, reach="both", feet=reach or 5, far=far, long=long, spell=is_spell)
        return near, ability
    return Attack(total, feet=reach or far or 5, spell=is_spell), ability


def _distance(row: dict[str, Any], data: dict[str, Any], where: str) -> int:
    """A distance of an activity, or else of its item."""
    own, whole = table(row.get("range")), table(data.get("range"))
    first, other = (own, whole) if own.get("override") is not False else (whole, own)
    return number(first.get(where), 1) or number(other.get(where), 1) or 0


def _usual_ability(data: dict[str, Any], kind: str, is_spell: bool) -> str:
    if is_spell:
        return "spellcasting"
    if "fin" in (data.get("properties") or ()):
        return "finesse"
    return "dex" if kind == "ranged" else "str"


def _damage(
    row: dict[str, Any], data: dict[str, Any], numbers: Numbers, ability: str
) -> Iterator[Damage]:
    base = table(within(data, "damage", "base"))
    if within(row, "damage", "includeBase") is not False and base.get("denomination"):
        yield from _part({**base, "bonus": f"{base.get('bonus') or 0} + @mod"}, numbers, ability)
    yield from _parts(row, numbers, ability)


def _parts(row: dict[str, Any], numbers: Numbers, ability: str) -> Iterator[Damage]:
    for each in rows(within(row, "damage", "parts")):
        yield from _part(each, numbers, ability)


def _part(row: dict[str, Any], numbers: Numbers, ability: str) -> Iterator[Damage]:
    custom = table(row.get("custom"))
    count, faces = number(row.get("number"), 1, 99), number(row.get("denomination"), 1, 100)
    formula = custom.get("formula") if custom.get("enabled") else None
    if formula is None and count and faces:
        formula = f"{count}d{faces} + {row.get('bonus') or 0}"
    said = dice_of(formula, numbers, ability) if formula else ""
    kinds = row.get("types") if isinstance(row.get("types"), list) else []
    if said:
        yield Damage(said, one_line(kinds[0]) if kinds else "")


def _ability_of_save(row: dict[str, Any]) -> str:
    return one_line(within(row, "save", "dc", "calculation")) or "str"


def _save(row: dict[str, Any], numbers: Numbers, failed: tuple[Damage, ...]) -> Save | None:
    """A saving throw; its DC is a number, or 8 with proficiency and an ability."""
    said = within(row, "save", "ability")
    ability = one_line(said[0] if isinstance(said, list) and said else said)
    by = _ability_of_save(row)
    dc = value_of(dice_of(within(row, "save", "dc", "formula"), numbers, by), numbers)
    if within(row, "save", "dc", "calculation"):  # a formula beside it is left over
        dc = 8 + numbers.proficiency + numbers.modifier(by)
    if ability not in numbers.modifiers or not dc:
        return None
    return Save(ability, dc, bool(failed) and within(row, "damage", "onSave") == "half")


def _limits(uses: dict[str, Any]) -> dict[str, Any]:
    times = number(uses.get("max"), 1, 99)
    for row in rows(uses.get("recovery")):
        period = str(row.get("period"))
        if period == "recharge":
            return {"recharge": number(row.get("formula"), 2, 6) or 6}
        if times and period in PERIODS:
            return {"uses": times, "per": PERIODS[period]}
    return {"uses": times, "per": "day"} if times else {}
