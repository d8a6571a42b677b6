"""The proficiency bonus where a text adds it in words: `1d8 plus PB`, `DC 8 + PB`, `(PB/Day)`,
`+3 plus its proficiency bonus to hit`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from affray.core.rules.imported_creature import (
    ImportedCreature,
    ImportedFeature,
    ability_modifier,
    proficiency,
)
from affray.store.importers.feature_text import parse_feature
from affray.store.importers.values import ABILITIES, ABILITY_NAMES, has_any, to_ability, to_int

_ITS = r"(?:(?:its|his|her|their|your|the)\s+)?"
_WORDS = rf"{_ITS}(?:(?-i:PB)|prof(?:iciency)?\.?\s+bonus|prof)\b(?:\s+bonus\b)?"
_MAY_BE = ("PB", " prof", " Prof")
"""One of these must be in a text, and most lack it."""
_TO_ROLL = re.compile(
    rf"(?:(?P<to>[+\-−–] ?\d{{1,2}}) ?(?:\+|plus) ?{_WORDS}"
    rf"|\+? ?{_WORDS} ?(?:\+|plus) ?(?P<then>[+\-−–]? ?\d{{1,2}}))(?=,? to hit\b)",
    re.IGNORECASE,
)
_TO_DC = re.compile(
    rf"\bDC(?: of| is| equal to| =)? ?\(?(?P<dc>\d{{1,2}}) ?(?:\+|plus) ?{_WORDS}"
    rf"(?: ?(?:\+|plus) ?{_ITS}(?P<ability>{'|'.join((*ABILITY_NAMES, *ABILITIES))})\b"
    r"(?: mod(?:ifier)?\b)?\)?|\)?(?! ?(?:\+|plus) ?[a-z]))",
    re.IGNORECASE,
)
_TO_DICE = re.compile(
    rf"(?P<dice>\d{{0,2}}d\d{{1,3}})(?P<flat> ?[+\-−–] ?\d{{1,3}})?(?P<end>\)?) ?(?:\+|plus) ?"
    rf"{_WORDS}(?! ?(?:d\d|mod))",
    re.IGNORECASE,
)
_USES = re.compile(r"\bPB ?(?=/ ?(?:day|rest|long|short)|per (?:day|rest))", re.IGNORECASE)
NOT_KNOWN = "proficiency bonus, which its texts add and the file doesn't have"


def _may_tell(text: str) -> bool:
    return has_any(text, _MAY_BE)


def bonus_of(creature: ImportedCreature) -> int | None:
    """The proficiency bonus of a creature: the file's, else that of its challenge or its level."""
    rating = creature.level or to_int(creature.cr, 0, 40)
    return creature.pb or (None if rating is None else proficiency(rating))


def with_bonus(creature: ImportedCreature) -> ImportedCreature:
    """The creature with the number in what it rolls, if its texts have words for it; without a
    number the report names it."""
    if not any(_may_tell(row.text) or "PB" in row.name for row in creature.features):
        return creature
    bonus = bonus_of(creature)
    modifiers = {name: ability_modifier(n) for name, n in creature.abilities.items()}
    features = tuple(_with_bonus(creature.features, bonus or 0, modifiers))
    is_lacking = bonus is None and features != creature.features
    lacks = {NOT_KNOWN: "0 is taken for it"} if is_lacking else {}
    return replace(creature, features=features, in_words=creature.in_words | lacks)


def _with_bonus(
    rows: tuple[ImportedFeature, ...], bonus: int, modifiers: dict[str, int]
) -> Iterator[ImportedFeature]:
    for row in rows:
        text = _numbered(row.text, bonus, modifiers) if _may_tell(row.text) else row.text
        name = _USES.sub(f"{bonus} ", row.name)
        if (name, text) == (row.name, row.text):
            yield row
            continue
        again = parse_feature(name, text, row.sort, row.attack, row.save)
        often = {p: getattr(again, p) for p in ("uses", "per")} if name != row.name else {}
        parts = ("attack", "damage", "inflicts", "save", "failed", "binds")
        often |= {part: getattr(again, part) for part in parts if text != row.text}
        yield replace(row, name=again.name, **often)


def _numbered(text: str, bonus: int, modifiers: dict[str, int]) -> str:
    def challenge(found: re.Match[str]) -> str:
        by = to_ability(found["ability"]) if found["ability"] else ""
        if by and by not in modifiers:
            return found[0]
        return f"DC {_sum(found['dc'], bonus) + modifiers.get(by, 0)}"

    text = _TO_ROLL.sub(lambda m: f"{_sum(m['to'] or m['then'], bonus):+d}", text)
    text = _TO_DC.sub(challenge, text)
    return _TO_DICE.sub(lambda m: f"{m['dice']}{_sum(m['flat'] or '0', bonus):+d}{m['end']}", text)


def _sum(number: str, bonus: int) -> int:
    return int(re.sub(r"\s", "", number).replace("−", "-").replace("–", "-")) + bonus
