"""Texts of Foundry's system dnd5e, whose numbers stand apart from them.

    [[/attack extended]]. [[/damage average extended]], and the target has the &Reference[Prone]
    condition.

is `Melee Attack Roll: +6, reach 5 ft. Hit: 11 (2d6+4) piercing damage, and the target has the Prone
condition.`
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from affray.core.rules.imported import Attack, Damage, Save
from affray.store.importing.attack_text import DAMAGE_TYPES
from affray.store.importing.foundry_items import Numbers, dice_of
from affray.store.importing.values import ABILITY_LONG, one_line, within

_REFERENCE = re.compile(r"&(?:amp;)?Reference\[([^\]=]*?)(?: \w+=[^\]]*)?\](?:\{([^}]*)\})?")
_MARK = re.compile(r"\[\[(?P<what>/?\w+) ?(?P<said>[^\[\]]*)\]\](?:\{(?P<label>[^}]*)\})?")
_TWICE = re.compile(r"\b(saving throw|damage) \1\b")
"""What a mark says and the text behind it says again."""
_WHICH = re.compile(r"\bactivity=(\w+)")
_OPTION = re.compile(r"\b(\w+)=(\S+)")
UNITS = {"ft": "feet"}


class Numbered(Struct, frozen=True):
    """What the texts of an item refer to.

    data      the item's own fields; `names` of all items of the actor, and of the spells that
              activities cast, by their ids
    rows      its activities by their ids; `attacks`, `saves`, `dealt` and `healed` are what they
              come to
    """

    data: dict[str, Any]
    numbers: Numbers
    rows: dict[str, dict[str, Any]]
    attacks: dict[str, Attack]
    saves: dict[str, Save]
    dealt: dict[str, tuple[Damage, ...]]
    healed: dict[str, tuple[Damage, ...]]
    names: dict[str, str]


def spelled_out(text: Any, item: Numbered) -> str:
    """A text with its numbers and words in it; what isn't understood stays as it is."""
    found = _MARK.sub(lambda match: _filled(match, item), str(text or ""))
    found = _TWICE.sub(r"\1", found)
    return _REFERENCE.sub(lambda match: match[2] or match[1], found)


def _filled(match: re.Match[str], item: Numbered) -> str:
    tell = _TOLD.get(match["what"])
    told = tell(match["said"], item) if tell is not None else ""
    return told or match["label"] or ("" if match["what"] == "lookup" else match[0])


def _of(said: str, known: Iterable[str]) -> str:
    """The id of the activity that is meant: the one that is named, or the first of its kind."""
    named = _WHICH.search(said)
    return named[1] if named else next(iter(known), "")


def _attack(said: str, item: Numbered) -> str:
    row = item.attacks.get(_of(said, item.attacks))
    if row is None:
        return ""
    far = f"{row.feet}/{row.long}" if row.long else str(row.feet)
    where = f"range {far} ft" if row.reach == "ranged" else f"reach {row.feet} ft"
    return f"{row.reach.capitalize()} Attack Roll: {row.bonus:+d}, {where}"


def _damage(said: str, item: Numbered) -> str:
    """What is dealt: the dice that stand there, or those of an activity."""
    plain = said.replace("type=", "").split()
    kind = next((word for word in plain if word in DAMAGE_TYPES), "")
    parts = [Damage(dice, kind) for word in plain if (dice := dice_of(word, item.numbers))]
    dealt = (key for key, parts in item.dealt.items() if parts)
    told = " plus ".join(
        f"{_average(part.dice)} {part.type}".strip()
        for part in parts or item.dealt.get(_of(said, dealt), ())
    )
    return f"Hit: {told} damage" if told and "extended" in plain else told


HEALED = {"healing": "hit points", "temphp": "temporary hit points"}


def _healing(said: str, item: Numbered) -> str:
    return " plus ".join(
        f"{_average(part.dice)} {HEALED.get(part.type, '')}".strip()
        for part in item.healed.get(_of(said, item.healed), ())
    )


def _average(dice: str) -> str:
    """`2d6+4` as stat blocks have it: `11 (2d6+4)`."""
    rolled = re.findall(r"([+-]?)(\d+)d(\d+)", dice)
    flat = sum(map(int, re.findall(r"[+-]?\d+(?!\d*d)", re.sub(r"[+-]?\d+d\d+", "", dice))))
    whole = sum((-1 if sign == "-" else 1) * int(n) * (int(d) + 1) for sign, n, d in rolled)
    return f"{whole // 2 + flat} ({dice})" if rolled else dice


def _save(said: str, item: Numbered) -> str:
    options = dict(_OPTION.findall(said))
    ability, dc = options.get("ability", ""), _number(options.get("dc", ""), item)
    row = item.saves.get(_of(said, item.saves))
    if ability in ABILITY_LONG and dc:
        return f"DC {dc} {ABILITY_LONG[ability]} saving throw"
    return f"DC {row.dc} {ABILITY_LONG[row.ability]} saving throw" if row is not None else ""


def _check(said: str, item: Numbered) -> str:
    options = dict(_OPTION.findall(said))
    ability, dc = ABILITY_LONG.get(options.get("ability", "")), _number(options.get("dc", ""), item)
    return " ".join(filter(None, (f"DC {dc}" if dc else "", ability or "ability", "check")))


def _item(said: str, item: Numbered) -> str:
    key, _, activity = said.removeprefix(".").partition(".Activity.")
    return item.names.get(activity) or item.names.get(key, "" if said.startswith(".") else said)


def _dice(said: str, item: Numbered) -> str:
    return said.partition("#")[0].strip()


def _look_up(said: str, item: Numbered) -> str:
    """What stands at a path: with the actor, the activity that is meant, or the item."""
    path = said.partition("@")[2].partition(" ")[0]
    own = _which_at(path, _of(said, item.rows), item)
    told = UNITS.get(own, own)
    if "lowercase" in said:
        return told.lower()
    return told.capitalize() if "capitalize" in said else told


def _which_at(path: str, which: str, item: Numbered) -> str:
    if path == "name":
        return item.numbers.name
    if path == "save.dc.value":
        save = item.saves.get(which) or next(iter(item.saves.values()), None)
        return str(save.dc) if save is not None else ""
    if path == "target.affects.labels.statblock":
        affected = within(item.rows.get(which), "target", "affects", "type")
        return f"one {one_line(affected) or 'creature'}"
    if dc := _number(f"@{path}", item):
        return str(dc)
    keys = path.split(".")
    return one_line(within(item.rows.get(which), *keys) or within(item.data, *keys))


def _number(said: str, item: Numbered) -> int:
    """A DC: a number, or `@attributes.spell.dc`, `@abilities.wis.dc`, `@skills.ath.passive`."""
    numbers = item.numbers
    keys = said.removeprefix("@").split(".")
    if said.isdecimal():
        return int(said)
    if keys == ["attributes", "spell", "dc"]:
        return 8 + numbers.proficiency + numbers.modifier("spellcasting")
    if keys[0] == "abilities" and keys[-1] == "dc":
        return 8 + numbers.proficiency + numbers.modifier(keys[1])
    if keys == ["skills", "ath", "passive"]:
        return 10 + numbers.athletics
    return 0


_TOLD: dict[str, Callable[[str, Numbered], str]] = {
    "/attack": _attack,
    "/damage": _damage,
    "/healing": _healing,
    "/save": _save,
    "/check": _check,
    "/item": _item,
    "/r": _dice,
    "lookup": _look_up,
}
