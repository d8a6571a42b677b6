"""Formulas and texts of Foundry's items, filled with the numbers of their actor; and items of older
versions, put into the shape of later ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from affray.core.dice import to_notation
from affray.core.rules.imported_creature import ImportedAttack, ImportedDamage, ImportedSave
from affray.store.importers.arithmetic import computed
from affray.store.importers.attack_text import DAMAGE_TYPES
from affray.store.importers.values import (
    ABILITY_LONG,
    MINUS,
    Table,
    get_path,
    to_int,
    to_one_line,
    to_table,
)

_BARE_BRACKETS = re.compile(r"(?<![a-z\-*/])\((\d*d\d+[\dd+\-]*)\)(?![d*/])")
"""Brackets around dice that change nothing: `(1d8+3)`."""
_TIMES = re.compile(r"(?<![d\d])(\d{1,3})\*(\d{1,3})(?![d\d])")


NO_ABILITY = "none"
OTHERS = ("finesse", "spellcasting", "spell", NO_ABILITY)
"""The words in place of an ability."""


class ActorNumbers(Struct, frozen=True):
    """An actor's modifiers, its proficiency bonus, the ability it casts spells by, its name, and
    its bonus to Athletics.

    bonuses  what it adds to attacks, to damage and to DCs: `mwak attack`, `spell dc` -> a formula
    others   what else formulas may name: `details.cr` -> its value
    """

    modifiers: dict[str, int]
    proficiency: int
    casting: str = ""
    name: str = ""
    athletics: int = 0
    bonuses: dict[str, str] = {}
    others: dict[str, int] = {}

    def modifier(self, ability: str) -> int:
        """The modifier of an ability, or of the better of Strength and Dexterity (`finesse`)."""
        if ability == "finesse":
            return max(self.modifiers["str"], self.modifiers["dex"])
        if ability in ("spellcasting", "spell"):
            return self.modifiers.get(self.casting, 0)
        return self.modifiers.get(ability, 0)


def dice_of(formula: Any, numbers: ActorNumbers, ability: str = "") -> str:
    """A formula as dice: `1d6 + @dex.mod` is `1d6+2`. Empty for one that names something else."""
    text = formula if isinstance(formula, str) else to_one_line(formula)  # `*` is no emphasis
    text = text.casefold().translate(MINUS)

    def named(match: re.Match[str]) -> str:
        if match[1] in numbers.others:
            return str(numbers.others[match[1]])
        name = match[1].removeprefix("abilities.").removeprefix("attributes.")
        if name == "prof":
            return str(numbers.proficiency)
        if name in ("spell.mod", "spellmod"):
            return str(numbers.modifier("spellcasting"))
        whose = name.removesuffix(".mod") if name != "mod" else ability
        is_number = whose in numbers.modifiers or whose in OTHERS
        return str(numbers.modifier(whose)) if is_number else "?"

    text = re.sub(r"\[[^\]]*\]", "", re.sub(r"@([a-z.]+)", named, text))
    text = re.sub(r"\s+", "", text).replace("+-", "-").replace("--", "+")
    text = _TIMES.sub(lambda match: str(int(match[1]) * int(match[2])), text)
    if not text:
        return ""
    if "(" in text:
        text = _without_brackets(_BARE_BRACKETS.sub(r"\1", text))
    return to_notation(text)


_FUNCTIONS: dict[str, Callable[..., float]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
    "max": lambda *values: max(values),
    "min": lambda *values: min(values),
}
_INNER = re.compile(r"(?:max|min|floor|ceil|round|)\([\d+\-*/.,]{1,60}\)")


def _without_brackets(text: str) -> str:
    """A formula without brackets: `max(1,3)+1` is `3+1`. Empty for one that isn't understood."""
    for _ in range(DEEPEST):
        found = _INNER.search(text)
        if found is None:
            break
        result = computed(found[0], _FUNCTIONS)
        if result is None:
            return ""
        text = f"{text[: found.start()]}{result}{text[found.end() :]}"
        text = text.replace("+-", "-").replace("--", "+")
    return "" if "(" in text else text


DEEPEST = 8
"""How many brackets a formula may have."""


def value_of(formula: Any, numbers: ActorNumbers) -> int | None:
    """The value of a formula without dice; None for others."""
    text = dice_of(formula, numbers)
    return int(text) if re.fullmatch(r"[+-]?\d{1,5}", text) else None


# -------------------------------------------------------------------------------------------------
# Texts of dnd5e, whose numbers stand apart: `[[/attack extended]]. [[/damage average extended]]`
# is spelled out as `Melee Attack Roll: +6, reach 5 ft. Hit: 11 (2d6+4) piercing damage`.

_REFERENCE = re.compile(r"&(?:amp;)?Referr?ence\[([^\]}=]*?)(?: \w+=[^\]}]*)?[\]}](?:\{([^}]*)\})?")
_WORD = re.compile(r"@[a-z]+\[([^\[\]|]+)(?:\|[^\[\]|]*)?(?:\|([^\[\]]+))?\](?!\{)")
"""A word that a module marks: `@condition[prone]`, `@spell[fly|phb|flies]`."""
_OWN_ITEM = re.compile(r"@UUID\[(?:Actor\.\w+)?\.?Item\.(\w+)\](?!\{)")
"""A link without a label to another item of the actor, such as a spell of a list."""
_MARK = re.compile(r"\[\[(?P<what>/?\w+) ?(?P<said>[^\[\]]*)\]\](?:\{(?P<label>[^}]*)\})?")
_TWICE = re.compile(r"\b(saving throw|damage) \1\b")
"""What a mark says and the text behind it says again."""
_WHICH = re.compile(r"\bactivity=(\w+)")
_OPTION = re.compile(r"\b(\w+)=(\S+)")
UNITS = {"ft": "feet"}


class TextReferences(Struct, frozen=True):
    """The things to which the texts of an item refer.

    data      the item's own fields; `names` of all items of the actor, and of the spells that
              activities cast, by their ids
    rows      its activities by their ids; `attacks`, `saves`, `dealt` and `healed` are what they
              come to
    """

    data: Table
    numbers: ActorNumbers
    rows: dict[str, Table]
    attacks: dict[str, ImportedAttack]
    saves: dict[str, ImportedSave]
    dealt: dict[str, tuple[ImportedDamage, ...]]
    healed: dict[str, tuple[ImportedDamage, ...]]
    names: dict[str, str]


def spelled_out(text: Any, item: TextReferences) -> str:
    """A text with its references filled in; unknown ones stay unchanged."""
    text = _OWN_ITEM.sub(lambda match: item.names.get(match[1]) or match[0], str(text or ""))
    found = _MARK.sub(lambda match: _filled(match, item), text)
    found = _TWICE.sub(r"\1", found)
    found = _WORD.sub(lambda match: match[2] or match[1], found)
    return _REFERENCE.sub(lambda match: match[2] or match[1], found)


def _filled(match: re.Match[str], item: TextReferences) -> str:
    if match["what"] in ("/r", "/roll") and match["label"]:
        return match["label"]  # the dice with their numbers, as people have put them there
    tell = _TOLD.get(match["what"])
    text = tell(match["said"], item) if tell is not None else ""
    return text or match["label"] or ("" if match["what"] == "lookup" else match[0])


def _activity_id(text: str, ids: Iterable[str]) -> str:
    """The id of an activity: the named one, or the first of its kind."""
    named = _WHICH.search(text)
    return named[1] if named else next(iter(ids), "")


def _attack_text(text: str, item: TextReferences) -> str:
    row = item.attacks.get(_activity_id(text, item.attacks))
    if row is None:
        return ""
    near = row.far or row.feet
    far = f"range {near}/{row.long} ft" if row.long else f"range {near} ft"
    where = far if row.reach == "ranged" else f"reach {row.feet} ft"
    if row.reach == "both":
        return f"Melee or Ranged Attack Roll: {row.bonus:+d}, {where}. or {far}"
    return f"{row.reach.capitalize()} Attack Roll: {row.bonus:+d}, {where}"


def _damage(text: str, item: TextReferences) -> str:
    """The damage of an item: its own dice, or those of an activity."""
    plain = text.replace("type=", "").split()
    kind = next((word for word in plain if word in DAMAGE_TYPES), "")
    parts = [ImportedDamage(dice, kind) for word in plain if (dice := dice_of(word, item.numbers))]
    dealt = (key for key, parts in item.dealt.items() if parts)
    label = " plus ".join(
        f"{_average(part.dice)} {part.type}".strip()
        for part in parts or item.dealt.get(_activity_id(text, dealt), ())
    )
    return f"Hit: {label} damage" if label and "extended" in plain else label


HEALED = {"healing": "hit points", "temphp": "temporary hit points"}


def _healing(text: str, item: TextReferences) -> str:
    return " plus ".join(
        f"{_average(part.dice)} {HEALED.get(part.type, '')}".strip()
        for part in item.healed.get(_activity_id(text, item.healed), ())
    )


def _average(dice: str) -> str:
    """`2d6+4` as stat blocks have it: `11 (2d6+4)`."""
    rolled = re.findall(r"([+-]?)(\d+)d(\d+)", dice)
    flat = sum(map(int, re.findall(r"[+-]?\d+(?!\d*d)", re.sub(r"[+-]?\d+d\d+", "", dice))))
    whole = sum((-1 if sign == "-" else 1) * int(n) * (int(d) + 1) for sign, n, d in rolled)
    return f"{whole // 2 + flat} ({dice})" if rolled else dice


def _save_text(text: str, item: TextReferences) -> str:
    options = dict(_OPTION.findall(text))
    ability, dc = options.get("ability", ""), _number(options.get("dc", ""), item)
    row = item.saves.get(_activity_id(text, item.saves))
    if ability in ABILITY_LONG and dc:
        return f"DC {dc} {ABILITY_LONG[ability]} saving throw"
    if row is None:
        return ""
    return " ".join(
        filter(None, (f"DC {row.dc}", ABILITY_LONG.get(row.ability, ""), "saving throw"))
    )


def _check(text: str, item: TextReferences) -> str:
    options = dict(_OPTION.findall(text))
    ability, dc = ABILITY_LONG.get(options.get("ability", "")), _number(options.get("dc", ""), item)
    return " ".join(filter(None, (f"DC {dc}" if dc else "", ability or "ability", "check")))


def _item(text: str, item: TextReferences) -> str:
    key, _, activity = text.removeprefix(".").partition(".Activity.")
    return item.names.get(activity) or item.names.get(key, "" if text.startswith(".") else text)


def _dice(text: str, item: TextReferences) -> str:
    formula = text.partition("#")[0].strip()
    return dice_of(formula, item.numbers) or formula


def _look_up(text: str, item: TextReferences) -> str:
    """The value at a path of the actor, of the given activity, or of the item."""
    path = text.partition("@")[2].partition(" ")[0]
    own = _which_at(path, _activity_id(text, item.rows), item)
    word = UNITS.get(own, own)
    if "lowercase" in text:
        return word.lower()
    return word.capitalize() if "capitalize" in text else word


def _which_at(path: str, which: str, item: TextReferences) -> str:
    if path == "name":
        return item.numbers.name
    if path in ("save.dc.value", "save.dc.formula", "save.dc"):
        save = item.saves.get(which) or next(iter(item.saves.values()), None)
        return str(save.dc) if save is not None else ""
    if path == "target.affects.labels.statblock":
        affected = get_path(item.rows.get(which), "target", "affects", "type")
        return f"one {to_one_line(affected) or 'creature'}"
    if dc := _number(f"@{path}", item):
        return str(dc)
    keys = path.split(".")
    return to_one_line(get_path(item.rows.get(which), *keys) or get_path(item.data, *keys))


def _number(text: str, item: TextReferences) -> int:
    """A DC: a number, or `@attributes.spell.dc`, `@abilities.wis.dc`, `@skills.ath.passive`."""
    numbers = item.numbers
    keys = text.removeprefix("@").split(".")
    if text.isdecimal():
        return int(text)
    if keys in (["attributes", "spell", "dc"], ["attributes", "spelldc"]):
        return usual_dc(numbers, "spellcasting")
    if keys[0] == "abilities" and keys[-1] == "dc":
        return usual_dc(numbers, keys[1])
    if keys == ["skills", "ath", "passive"]:
        return 10 + numbers.athletics
    return 0


def usual_dc(numbers: ActorNumbers, ability: str) -> int:
    """The usual save DC of an actor: 8 with proficiency and an ability, and what the actor adds
    to all of its DCs."""
    more = value_of(numbers.bonuses.get("spell dc"), numbers) or 0
    return 8 + numbers.proficiency + numbers.modifier(ability) + more


_TOLD: dict[str, Callable[[str, TextReferences], str]] = {
    "/attack": _attack_text,
    "/damage": _damage,
    "/healing": _healing,
    "/save": _save_text,
    "/check": _check,
    "/item": _item,
    "/r": _dice,
    "/roll": _dice,
    "lookup": _look_up,
}

# -------------------------------------------------------------------------------------------------
# Items of Foundry's system dnd5e as versions before 4.0 had them, in the shape of later ones.
#
# In that form the item itself has its one activity; damage is pairs of a formula and a type:
#
#     {"actionType": "mwak", "ability": "str", "activation": {"type": "action", "cost": 1},
#      "attack": {"bonus": "1"}, "damage": {"parts": [["1d6 + @mod", "slashing"]]},
#      "save": {"ability": "con", "dc": 12, "scaling": "flat"}, "recharge": {"value": 5}}

ATTACKS = {
    "mwak": ("melee", "weapon"),
    "rwak": ("ranged", "weapon"),
    "msak": ("melee", "spell"),
    "rsak": ("ranged", "spell"),
}
LONG = ("", "none", None)
"""What may stand where nothing is done."""


def with_activities(data: Table, kind: str) -> Table:
    """An item's fields, with what it does as activities; as they are if they have them."""
    data = {**data, **_properties(data), **_kind(data)}
    if to_table(data.get("activities")) or not _is_older(data):
        return data
    found: Table = {}
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


def _is_older(data: Table) -> bool:
    return "actionType" in data or "recharge" in data or "cost" in to_table(data.get("activation"))


def _properties(data: Table) -> Table:
    """Properties as a list, which were a table of those that it has and has not."""
    table = data.get("properties")
    if not isinstance(table, dict):
        return {}
    return {"properties": [name for name, has in table.items() if has]}


def _kind(data: Table) -> Table:
    """The kind of weapon or armour, from the older field name."""
    older = data.get("weaponType") or get_path(data, "armor", "type")
    return {"type": {"value": older}} if older and "type" not in data else {}


def _attack(data: Table, how: str) -> Table:
    where, what = ATTACKS[how]
    own = to_table(data.get("attack"))
    return {
        "ability": data.get("ability"),
        "bonus": own.get("bonus") or data.get("attackBonus"),
        "flat": own.get("flat"),
        "type": {"value": where, "classification": what},
    }


def _save(data: Table) -> Table:
    own = to_table(data.get("save"))
    by = {"spell": "spellcasting", "flat": ""}
    scaling = to_one_line(own.get("scaling"))
    formula = own.get("dc")
    is_flat = scaling == "flat" or (formula and scaling in ("", "spell"))
    return {
        "ability": [own.get("ability")],
        "dc": {"calculation": "" if is_flat else by.get(scaling, scaling), "formula": formula},
    }


def _part(given: Any) -> Table:
    """A pair of a formula and a type."""
    formula, kind = [*given, "", ""][:2] if isinstance(given, list) else (given, "")
    return {"custom": {"enabled": True, "formula": formula}, "types": [kind] if kind else []}


def _uses(data: Table) -> Table:
    uses = to_table(data.get("uses"))
    face = to_int(get_path(data, "recharge", "value"), 2, 6)
    if face:
        return {"max": uses.get("max"), "recovery": [{"period": "recharge", "formula": face}]}
    per = to_one_line(uses.get("per"))
    return {"max": uses.get("max"), "recovery": [{"period": per}] if per else []}
