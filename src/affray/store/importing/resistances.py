"""Which damage does less, more or nothing: types, and what is said of them in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from affray.store.importing.attack_text import DAMAGE_TYPES
from affray.store.importing.values import one_line, words

_BROKEN = re.compile(
    r"\b(?:from|damage|non-?magical|weapons?|attacks?|that|made|while|except|in )", re.I
)


def types_of(value: Any) -> tuple[list[str], str]:
    """The types that are said without more, and what else is said, in its own words.

    `fire, cold; bludgeoning, piercing, and slashing from nonmagical attacks` is fire and cold; the
    rest holds only of some attacks, so it stays a sentence. A list may have been broken at commas.
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
        unknown = [part for part in known if part not in DAMAGE_TYPES]
        return [part for part in known if part in DAMAGE_TYPES], ", ".join(unknown)
    return _before_the_sentence(text)


def _before_the_sentence(text: str) -> tuple[list[str], str]:
    """`acid, cold, and bludgeoning from nonmagical attacks`: weapons' types belong to the rest."""
    parts = words(text)
    plain: list[str] = []
    for at, part in enumerate(parts):
        if part.casefold() not in DAMAGE_TYPES or part.casefold() in (
            "bludgeoning",
            "piercing",
            "slashing",
        ):
            return plain, ", ".join(parts[at:])
        plain.append(part.casefold())
    return plain, ""


def conditions_of(value: Any) -> tuple[str, ...]:
    """The conditions that somebody can't have, as they are called there."""
    said: Iterable[str] = value if isinstance(value, list) else words(value)
    return tuple(dict.fromkeys(word for each in said if (word := one_line(each).casefold())))
