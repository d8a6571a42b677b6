"""The spells of the SRD by their names: their level, and the words of a sheet's `spells`.

They stand in `spell_rows.toml`. SRD 5.2.1, Spell Slots.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from affray.data_text import read_toml

ATTACK = "attack"
"""In a row, in place of the caster's spell attack bonus."""
_TIERS = (5, 11, 17)
"""The levels of a caster at which a cantrip has its dice once more."""
_DICE = re.compile(r"(\d+)d(\d+(?:r\d+)?!?)(?:\+(\d+))?")
_WHOSE = re.compile(r"^[\w’']+['’]s ")
"""Before a spell's name who made it, which the SRD leaves out: `Melf's acid arrow`."""


@cache
def _tables() -> dict[str, dict[str, str]]:
    return read_toml(Path(__file__).with_name("spell_rows.toml").read_text("utf-8"))


def is_name(name: str) -> bool:
    """True if the SRD has a spell that is called exactly so."""
    return name.casefold() in _tables()["spells"]


def _key_of(name: str) -> str:
    """The SRD's own name for a spell, where other books call it otherwise."""
    key = name.casefold().replace("’", "'")
    key = key if is_name(key) else _WHOSE.sub("", key)
    return _tables()["names"].get(key, key)


def words_of(name: str) -> list[str]:
    """The level of a spell and the words behind it on a sheet; none if the SRD hasn't got it."""
    return _tables()["spells"].get(_key_of(name), "").split()


def is_rolled(name: str) -> bool:
    """True unless the SRD's spell of that name neither attacks, is saved against nor hurts."""
    words = words_of(name)
    return not words or any(word in (ATTACK, "save") or is_dice(word) for word in words)


def is_dice(word: str) -> bool:
    """True if a word of a row is its damage dice."""
    return _DICE.fullmatch(word) is not None


def raised(dice: str, name: str, level: int, at: int, caster: int) -> str:
    """The dice of a spell cast `at` a level above its own, or a cantrip by the caster's level."""
    whole = _DICE.fullmatch(dice)
    more = _DICE.fullmatch(_tables()["higher"].get(_key_of(name), ""))
    if whole is None:
        return dice
    count, plus = int(whole[1]), int(whole[3] or 0)
    if not level:
        count *= 1 + sum(caster >= tier for tier in _TIERS)
    elif more is not None and at > level:
        count += (at - level) * int(more[1])
        plus += (at - level) * int(more[3] or 0)
    return f"{count}d{whole[2]}" + (f"+{plus}" if plus else "")
