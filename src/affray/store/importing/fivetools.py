"""A bestiary in the shape that 5etools uses: lists of monsters, and text with tags in braces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from affray.core.rules.imported import Creature, Feature, Sort, modifier, proficiency
from affray.store.importing import stat_block
from affray.store.importing.contents import Contents, name_of, read_each
from affray.store.importing.feature_text import features, legendary_actions
from affray.store.importing.fivetools_copies import whole
from affray.store.importing.resistances import types_of
from affray.store.importing.values import (
    ABILITIES,
    ABILITY_LONG,
    challenge,
    clean,
    first,
    items_of,
    number,
    one_line,
    rows,
    table,
    within,
    words,
)

LISTS: dict[str, Sort] = {
    "trait": "trait",
    "action": "action",
    "bonus": "bonus",
    "reaction": "reaction",
    "legendary": "legendary",
    "mythic": "mythic",
}
_TAG = re.compile(r"\{@(\w+) ?([^{}]*)\}")

DAMAGE = ("resist", "immune", "vulnerable")
UNHINDERED = "conditionImmune"
TOLD = ("environment", "treasure", "group")
"""What is told of a monster in words."""


def holds(data: Any) -> bool:
    """Whether it is such a file, a list of such monsters, or one."""
    return any(map(_is_monster, _monsters(data)[:20]))


def read(data: Any) -> Contents:
    """Its monsters; those that are copies of another file's are told."""
    found, left = whole([row for row in _monsters(data) if _is_monster(row)])
    return read_each(found, _creature, name_of) + Contents(left=tuple(left))


def _monsters(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, dict):
        return rows(data.get("monster")) or [data]
    return rows(data)


def _is_monster(row: dict[str, Any]) -> bool:
    return (
        "name" in row
        and ("_copy" in row or {"hp", "ac", "str"} <= row.keys())
        and not ({"stats", "statblock", "system"} & row.keys())
    )


def plain(value: Any) -> str:
    """Entries as text, their tags as what a reader would see."""
    return clean(untagged("\n".join(_lines(value))))


def untagged(text: str) -> str:
    """Text without tags: `{@hit 6}` is +6, of most others what is shown stands there."""
    for _ in range(4):  # a tag may hold another
        found = _TAG.sub(_shown, text)
        if found == text:
            return found
        text = found
    return text


_ATTACKS = {"m": "Melee", "r": "Ranged", "mw": "Melee Weapon", "rw": "Ranged Weapon",
            "ms": "Melee Spell", "rs": "Ranged Spell"}  # fmt: skip


_FIXED = {
    "h": "Hit: ", "m": "Miss: ", "hom": "Hit or Miss: ", "actSaveFail": "Failure:",
    "actSaveSuccess": "Success:", "actSaveSuccessOrFail": "Failure or Success:",
    "actTrigger": "Trigger:", "actResponse": "Response:",
}  # fmt: skip


def _shown(match: re.Match[str]) -> str:
    tag, inner = match[1], match[2]
    parts = inner.split("|")
    if tag in _FIXED:
        return _FIXED[tag]
    if tag in ("atk", "atkr"):
        kinds = [_ATTACKS.get(kind.strip(), "") for kind in inner.split(",")]
        if len(kinds) == 2:
            return f"Melee or {kinds[1]} Attack:"
        return f"{kinds[0]} Attack{' Roll' if tag == 'atkr' else ''}:".strip()
    if tag == "hit":
        return f"+{parts[0].lstrip('+')}" if not parts[0].startswith("-") else parts[0]
    if tag == "dc":
        return f"DC {parts[0]}"
    if tag == "recharge":
        return f"(Recharge {parts[0] or 6})"
    if tag == "actSave":
        return f"{ABILITY_LONG.get(parts[0], parts[0])} Saving Throw:"
    if len(parts) > 2 and parts[-1]:
        return parts[-1]
    return parts[0]


def _lines(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str | int | float):
        yield str(value)
    elif isinstance(value, list) and depth < 12:
        for each in value:
            yield from _lines(each, depth + 1)
    elif isinstance(value, dict) and depth < 12:
        name = one_line(value.get("name"))
        inner = [value.get(key) for key in ("entries", "items", "entry", "rows")]
        said = "\n".join(line for each in inner for line in _lines(each, depth + 1))
        yield f"{name}. {said}" if name else said


def _creature(row: dict[str, Any]) -> Creature:
    armour, life = first(row.get("ac")), table(row.get("hp"))
    worn = ", ".join(plain(each) for each in table(armour).get("from") or () if each)
    gear = (one_line(each).partition("|")[0] for each in words(row.get("gear") or []))
    made = stat_block.creature(
        {
            "name": row.get("name"),
            "source": row.get("source"),
            "size": first(row.get("size")),
            "type": _type(row.get("type")),
            "alignment": _alignment(row.get("alignment")),
            "cr": row.get("cr"),
            "level": row.get("level"),
            "hp": life.get("average", life.get("special")) if life else row.get("hp"),
            "hit_dice": life.get("formula"),
            "initiative": _initiative(row),
            "ac": table(armour).get("ac", table(armour).get("special", armour)),
            "speed": row.get("speed"),
            "stats": {name: row.get(name) for name in ABILITIES},
            "saves": row.get("save"),
            "skillsaves": row.get("skill"),
            "senses": row.get("senses"),
            "passive_perception": row.get("passive"),
            "languages": row.get("languages"),
            "condition_immunities": [plain(c) for c in _flat(row.get(UNHINDERED), UNHINDERED)],
            **stat_block.harm_fields(_types(row.get(key), key) for key in DAMAGE),
            "armour": worn or plain(table(armour).get("special")),
            "gear": ", ".join(gear),
            **{key: ", ".join(words(row.get(key) or [])) for key in TOLD},
            "description": plain(row.get("fluff") if isinstance(row.get("fluff"), str) else ""),
        },
        game="5e",
    )
    return replace(made, features=tuple(_features(row)))


def _type(value: Any) -> str:
    if isinstance(value, dict):
        tags = [
            one_line(t.get("tag") if isinstance(t, dict) else t) for t in value.get("tags") or ()
        ]
        kind = table(value.get("type")).get("choose") or value.get("type")
        told = ", ".join(words(kind))
        return f"{told} ({', '.join(tags)})" if tags else told
    return one_line(value)


def _alignment(value: Any) -> str:
    """`["L", "E"]` is lawful evil; where there are several, with their chances, each."""
    found = value if isinstance(value, list) else []
    letters = [ALIGNMENTS[each] for each in found if isinstance(each, str) and each in ALIGNMENTS]
    others = [_alignment(each.get("alignment")) for each in rows(found)]
    return " ".join(letters) or " or ".join(filter(None, others))


ALIGNMENTS = {
    "L": "lawful", "N": "neutral", "NX": "neutral", "NY": "neutral", "C": "chaotic", "G": "good",
    "E": "evil", "U": "unaligned", "A": "any alignment",
}  # fmt: skip


def _initiative(row: dict[str, Any]) -> int | None:
    """As a number, or how often proficiency is added to Dexterity; None where nothing is said."""
    value = row.get("initiative")
    if not isinstance(value, dict) or "initiative" in value:
        return number(within(row, "initiative", "initiative") or value, -50, 99)
    dexterity = modifier(number(row.get("dex"), 1, 99) or 10)
    rating = number(challenge(row.get("cr")).partition("/")[0], 1, 40) or 1
    return dexterity + (number(value.get("proficiency"), 0, 2) or 0) * proficiency(rating)


def _types(value: Any, key: str) -> tuple[list[str], str]:
    """Types that count always; those that count sometimes are told with what is said of them."""
    plainly, prose = types_of([each for each in items_of(value) if isinstance(each, str)])
    more = [prose] if prose else []
    for each in rows(value):
        if "special" in each:
            more.append(one_line(each["special"]))
            continue
        kinds = ", ".join(_flat(each.get(key), key))
        said = " ".join(
            filter(None, (one_line(each.get("preNote")), kinds, one_line(each.get("note"))))
        )
        more.append(said)
    return plainly, "; ".join(filter(None, more))


def _flat(value: Any, key: str, depth: int = 0) -> list[str]:
    found: list[str] = []
    for each in value if isinstance(value, list) and depth < 6 else ():
        found += [each] if isinstance(each, str) else _flat(table(each).get(key), key, depth + 1)
    return found


def _features(row: dict[str, Any]) -> Iterator[Feature]:
    for key, sort in LISTS.items():
        for each in rows(row.get(key)):
            yield from features(
                untagged(one_line(each.get("name"))), plain(each.get("entries")), sort
            )
    for each in rows(row.get("variant")):
        yield from features(each.get("name") or "Variant", plain(each.get("entries")), "trait")
    yield from legendary_actions(row.get("legendaryActions"), plain(row.get("legendaryHeader")))
    for each in rows(row.get("spellcasting")):
        lines = [
            plain(each.get("headerEntries")),
            *_spell_lines(each),
            plain(each.get("footerEntries")),
        ]
        yield from features(
            each.get("name") or "Spellcasting", "\n".join(filter(None, lines)), "trait"
        )


def _spell_lines(row: dict[str, Any]) -> Iterator[str]:
    if row.get("will"):
        yield f"At will: {plain(row['will'])}"
    for often, names in table(row.get("daily")).items():
        yield f"{often.rstrip('e')}/day: {plain(names)}"
    for level, each in table(row.get("spells")).items():
        slots = number(table(each).get("slots"), 1)
        head = f"Level {level} ({slots} slots)" if slots else f"Level {level}"
        yield f"{head}: {plain(table(each).get('spells'))}"
