"""Which damage does less, more or nothing: types, and what is said of them in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from affray.store.importing.attack_text import DAMAGE_TYPES
from affray.store.importing.values import one_line, words

_BROKEN = re.compile(
    r"\b(?:from|damage|non-?magical|weapons?|attacks?|that|made|while|except|in |but for)", re.I
)
_MUNDANE = re.compile(
    r"(?:\b(?:and )?bludgeoning,? (?:and )?piercing,?(?: and|,)? (?:and )?slashing,? "
    r"(?:damage )?(?:from|but for|of|by) |^|\bdamage (?:from|fron) )"
    r"(?P<which>non-?\s?magical|mgc\b)",
    re.IGNORECASE,
)
"""All that weapons deal which are not magical."""
_OF_A_KIND = re.compile(r"silver|adamant|cold iron|\bsil\b|\bada\b|\baren|not made|wield", re.I)
"""That some mundane weapons are no such."""
MUNDANE = "mundane"
_OF_WEAPONS = ("bludgeoning", "piercing", "slashing")


def types_of(value: Any) -> tuple[list[str], str]:
    """The types that are said without more, and what else is said, in its own words.

    `fire, cold; bludgeoning, piercing, and slashing from nonmagical attacks` is fire, cold, and
    `mundane`, which is all of weapons that are not magical; what holds of some others alone stays a
    sentence, and so does which mundane ones are let through. A list may have been broken at commas.
    """
    groups = value if isinstance(value, list) else str(value or "").split(";")
    texts = [said for each in groups if (said := one_line(each))]
    if isinstance(value, list) and any(text.startswith("and ") for text in texts):
        texts = [", ".join(texts)]
    plain: list[str] = []
    prose: list[str] = []
    for text in texts:
        found, rest = _split(text.strip(" ."))
        plain += found
        prose += [rest] if rest else []
    return list(dict.fromkeys(plain)), "; ".join(prose)


def _split(text: str) -> tuple[list[str], str]:
    parts = [re.sub(r"^(?:and|or) ", "", part) for part in words(text.casefold())]
    parts = [each for part in parts for each in part.split(" and ")]
    known = [part.removesuffix(" damage") for part in parts]
    if all(part in DAMAGE_TYPES for part in known):
        return known, ""
    if not _BROKEN.search(text):
        words_of_one = [part for part in known if part in DAMAGE_TYPES or part.isalpha()]
        return words_of_one, ", ".join(part for part in known if part not in words_of_one)
    plain, prose = _before_the_sentence(text)
    weapons = sum(kind in prose.casefold() for kind in _OF_WEAPONS)
    if _MUNDANE.search(prose) and weapons in (0, len(_OF_WEAPONS)):
        plain.append(MUNDANE)
        prose = prose if _OF_A_KIND.search(prose) or _behind(prose) else ""
    return plain, prose


def _behind(prose: str) -> bool:
    """Whether more is said than of mundane weapons: `..., Demonic Resilience`."""
    rest = _MUNDANE.sub("", prose)
    return bool(re.search(r",|;|\bwhile\b|\bin \b|\(", rest))


def _before_the_sentence(text: str) -> tuple[list[str], str]:
    """`acid, cold, and bludgeoning from nonmagical attacks`: weapons' types belong to the rest."""
    parts = words(text)
    plain: list[str] = []
    for at, part in enumerate(parts):
        if part.casefold() not in DAMAGE_TYPES or part.casefold() in _OF_WEAPONS:
            return plain, ", ".join(parts[at:])
        plain.append(part.casefold())
    return plain, ""


def conditions_of(value: Any) -> tuple[str, ...]:
    """The conditions that somebody can't have, as they are called there."""
    said: Iterable[str] = value if isinstance(value, list) else words(value)
    return tuple(dict.fromkeys(word for each in said if (word := one_line(each).casefold())))
