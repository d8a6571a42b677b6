"""How far an attack reaches: feet, or ranges by name; beyond a weapon's range, and beyond twice.

Seed 004: Ranges Instead of Distances, Reach & Range, Underwater Combat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.decide import Context
from affray.core.language.declared import ASKED_ELSEWHERE, Argument
from affray.core.language.refusal import Refused
from affray.core.language.words import Words

if TYPE_CHECKING:
    from affray.rulesets.monsters_and_magic.creatures import Attack

BEYOND = "beyond its range"


def _read_feet(words: Words, ctx: Context) -> int:
    ranges = ctx.tables.economy["ranges"]
    if words.has_number():
        feet = words.number("how many feet", 0, 9_999)
        words.take("feet", "ft")
        return feet
    feet = int(ranges[words.choice("how many feet, or a range", ranges)])
    words.take("range")
    return feet


FEET = Argument(lambda r: _read_feet(r.words, r.ctx), "FEET|RANGE", asks=ASKED_ELSEWHERE)
"""Feet, or a range by its name: `90`, `90 feet`, `medium`, `medium range`."""


def refuse_beyond(words: Words, ctx: Context, name: str) -> None:
    """Read `at FEET|RANGE`, where it is said. Raises Refused for farther than the range `name`."""
    if words.take("at"):
        feet, most = _read_feet(words, ctx), int(ctx.tables.economy["ranges"][name])
        if feet > most:
            raise Refused(f"that reaches {name} range, {most} feet, not {feet}")


def refuse_or_hinder(ctx: Context, weapon: Attack, feet: int, wet: bool) -> list[str]:
    """Why an attack from so far away has disadvantage; nothing where it hasn't.

    `wet` tells that it is made under water, which halves the range of weapons. Raises Refused for
    what can't be reached: beyond touch range for melee weapons, beyond their range for spells,
    beyond twice their range for ranged weapons.
    """
    touch = int(ctx.tables.economy["ranges"]["touch"])
    if not (weapon.is_spell or weapon.is_ranged):
        return _within(weapon, feet, touch)
    if not weapon.range:
        return []
    reach = weapon.range // 2 if wet and not weapon.is_spell else weapon.range
    if weapon.is_spell:
        return _within(weapon, feet, reach)
    _within(weapon, feet, 2 * reach)
    return [BEYOND] if feet > reach else []


def _within(weapon: Attack, feet: int, most: int) -> list[str]:
    if feet > most:
        raise Refused(f"{weapon.name} reaches {most} feet at most, and that is {feet} feet away")
    return []
