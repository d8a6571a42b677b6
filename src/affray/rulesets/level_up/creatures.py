"""A combatant's own numbers and attacks, as the log has them. Seed 002; rules file, 18."""

from __future__ import annotations

from typing import Any, Literal, get_args

from msgspec import Struct, ValidationError, convert

from affray.core.dice.notation import DiceError, parse_dice
from affray.core.heart.state import Combatant, Encounter

Reach = Literal["melee", "ranged"]
REACHES: tuple[str, ...] = get_args(Reach)
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
"""The sizes, the smallest first."""
SKILLS = ("acrobatics", "athletics", "investigation", "medicine", "perception", "stealth")
"""The skills that the text names; any other word is one as well."""


class Attack(Struct, frozen=True):
    """One way to attack: name, whole attack bonus, damage dice and type, and its properties."""

    name: str
    bonus: int = 0
    dice: str = ""
    type: str = ""
    reach: Reach = "melee"
    thrown: bool = False
    heavy: bool = False
    dual_wielding: bool = False
    magical: bool = False


def attacks_of(combatant: Combatant) -> list[Attack]:
    """Its attacks in the order in which they were said; the first is meant without `with`."""
    rows = combatant.stats.get("weapons", ())
    found = map(_attack_from, rows if isinstance(rows, list | tuple) else ())
    return [attack for attack in found if attack is not None]


def _attack_from(row: Any) -> Attack | None:
    """The attack of a row of the log; None for one that makes no sense."""
    try:
        attack = convert(row, Attack)
        if attack.dice:
            parse_dice(attack.dice)
    except (ValidationError, DiceError):
        return None
    return attack if attack.name and abs(attack.bonus) < 1000 else None


def weapons_of(combatant: Combatant) -> list[str]:
    """The names of its attacks."""
    return [attack.name for attack in attacks_of(combatant)]


def words_of(combatant: Combatant, stat: str) -> tuple[str, ...]:
    """A list of words among its stats: the abilities of `saves`, the types of `resist`."""
    said = combatant.stats.get(stat, ())
    rows = said if isinstance(said, list | tuple) else (said,)
    return tuple(part.casefold() for part in rows if isinstance(part, str))


def size_of(combatant: Combatant) -> str:
    """Its size; medium for whom nothing is said."""
    size = combatant.stats.get("size")
    return size if isinstance(size, str) and size in SIZES else "medium"


def larger_by(one: Combatant, other: Combatant) -> int:
    """By how many sizes the one is larger than the other; below 0 when it is smaller."""
    return SIZES.index(size_of(one)) - SIZES.index(size_of(other))


def attacks_at_once(combatant: Combatant) -> int:
    """How many attacks its Attack action holds (rules file, 3.1)."""
    return max(1, combatant.number("attacks", 1))


def off_hand_at_once(combatant: Combatant) -> int:
    """How many attacks with the other weapon its bonus action holds (rules file, 4.9)."""
    return 2 if combatant.kind == "pc" and attacks_at_once(combatant) > 1 else 1


def level_of(combatant: Combatant) -> int:
    """Its level, or its Hit Dice; 1 for whom neither is said."""
    return max(1, combatant.number("level", combatant.number("hit-dice", 1)))


def owner_of(combatant: Combatant) -> str:
    """Under whose control it is; empty for nobody's."""
    owner = combatant.stats.get("owner", "")
    return owner if isinstance(owner, str) else ""


def owner_here(state: Encounter, combatant: Combatant) -> Combatant | None:
    """Its owner, when that is somebody else in the fight."""
    owner = owner_of(combatant)
    return state.find(owner) if owner and owner != combatant.id else None
