"""Items of Foundry's system dnd5e as versions before 4.0 had them, in the shape of later ones.

What an item does stood with the item then, as one thing that can be done, and damage as pairs of a
formula and a type:

    {"actionType": "mwak", "ability": "str", "activation": {"type": "action", "cost": 1},
     "attack": {"bonus": "1"}, "damage": {"parts": [["1d6 + @mod", "slashing"]]},
     "save": {"ability": "con", "dc": 12, "scaling": "flat"}, "recharge": {"value": 5}}
"""

from __future__ import annotations

from typing import Any

from affray.store.importers.values import get_path, to_int, to_one_line, to_table

ATTACKS = {
    "mwak": ("melee", "weapon"),
    "rwak": ("ranged", "weapon"),
    "msak": ("melee", "spell"),
    "rsak": ("ranged", "spell"),
}
ARMOUR = ("light", "medium", "heavy", "natural", "shield")
LONG = ("", "none", None)
"""What may stand where nothing is done."""


def with_activities(data: dict[str, Any], kind: str) -> dict[str, Any]:
    """An item's fields, with what it does as activities; as they are where they have them."""
    data = {**data, **_properties(data), **_kind(data)}
    if to_table(data.get("activities")) or not _is_older(data):
        return data
    found: dict[str, Any] = {}
    how = to_one_line(data.get("actionType"))
    common = {
        "activation": {
            "type": get_path(data, "activation", "type"),
            "value": get_path(data, "activation", "cost"),
        },
    }
    parts = [_part(each) for each in get_path(data, "damage", "parts") or ()]
    if how in ATTACKS:
        found["attack"] = {**common, "type": "attack", "attack": _attack(data, how),
                           "damage": {"includeBase": False, "parts": parts}}  # fmt: skip
    if to_one_line(get_path(data, "save", "ability")):
        dealt = [_part([data.get("formula"), ""])] if data.get("formula") else []
        dealt = dealt if how in ATTACKS else parts or dealt
        found["save"] = {**common, "type": "save", "save": _save(data),
                         "damage": {"onSave": "half", "parts": dealt}}  # fmt: skip
    if not found and how == "heal" and parts:
        found["heal"] = {**common, "type": "heal", "healing": parts[0]}
    elif not found and get_path(data, "activation", "type") not in LONG:
        found["use"] = {**common, "type": "damage" if parts else "utility",
                        "damage": {"parts": parts}}  # fmt: skip
    return {**data, "activities": found, "uses": _uses(data)}


def _is_older(data: dict[str, Any]) -> bool:
    return "actionType" in data or "recharge" in data or "cost" in to_table(data.get("activation"))


def _properties(data: dict[str, Any]) -> dict[str, Any]:
    """Properties as a list, which were a table of those that it has and has not."""
    table = data.get("properties")
    if not isinstance(table, dict):
        return {}
    return {"properties": [name for name, has in table.items() if has]}


def _kind(data: dict[str, Any]) -> dict[str, Any]:
    """What sort of weapon or armour it is, where that stood under another name."""
    older = data.get("weaponType") or get_path(data, "armor", "type")
    return {"type": {"value": older}} if older and "type" not in data else {}


def _attack(data: dict[str, Any], how: str) -> dict[str, Any]:
    where, what = ATTACKS[how]
    own = to_table(data.get("attack"))
    return {
        "ability": data.get("ability"),
        "bonus": own.get("bonus") or data.get("attackBonus"),
        "flat": own.get("flat"),
        "type": {"value": where, "classification": what},
    }


def _save(data: dict[str, Any]) -> dict[str, Any]:
    own = to_table(data.get("save"))
    by = {"spell": "spellcasting", "flat": ""}
    scaling = to_one_line(own.get("scaling"))
    formula = own.get("dc")
    is_flat = scaling == "flat" or (formula and scaling in ("", "spell"))
    return {
        "ability": [own.get("ability")],
        "dc": {"calculation": "" if is_flat else by.get(scaling, scaling), "formula": formula},
    }


def _part(given: Any) -> dict[str, Any]:
    """A pair of a formula and a type."""
    formula, kind = [*given, "", ""][:2] if isinstance(given, list) else (given, "")
    return {"custom": {"enabled": True, "formula": formula}, "types": [kind] if kind else []}


def _uses(data: dict[str, Any]) -> dict[str, Any]:
    uses = to_table(data.get("uses"))
    face = to_int(get_path(data, "recharge", "value"), 2, 6)
    if face:
        return {"max": uses.get("max"), "recovery": [{"period": "recharge", "formula": face}]}
    per = to_one_line(uses.get("per"))
    return {"max": uses.get("max"), "recovery": [{"period": per}] if per else []}
