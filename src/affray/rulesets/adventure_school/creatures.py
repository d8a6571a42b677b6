"""A combatant's own numbers and attacks, as the log has them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import read_dice
from affray.core.language.declared import Argument, Reading
from affray.rulekit import sheets

SIZES = ("tiny", "small", "medium", "large", "huge", "giant")
"""The sizes, the smallest first."""
SKILLS = (
    "strength",
    "agility",
    "endurance",
    "roguery",
    "tumbling",
    "seeking",
    "thievery",
    "spellcraft",
    "alchemy",
    "artifice",
    "poisons",
    "monster-lore",
    "performance",
)
"""The skills that the text names; a sheet may have others (`skill NAME N`)."""
SENSES = ("shapesense", "darkvision", "tremorsense", "lifesense", "heatsense")
LADDER = (0, 2, 4, 6, 8, 10, 12, 20)
"""The sizes of a spellburn die, the smallest first (rules file, 15.1)."""
WEAPONS = "weapons"
"""The stat that holds the attacks."""


# -- attacks ---------------------------------------------------------------------------------------


def _read_bonus(reading: Reading) -> int:
    bonus = reading.words.number("the bonus to hit", -99, 99)
    reading.words.take("vs")
    reading.words.take("ac")
    return bonus


BONUS = Argument(_read_bonus, "+N vs ac", lambda reading: reading.words.has_number())
DICE = arguments.dice("its damage")
TYPE = arguments.damage_type(lambda ctx: ctx.tables.damage_types, False, behind="dice")
THREAT = arguments.clause("threat", arguments.number("by how much it threatens earlier", 1, 18))


def _read_extra(reading: Reading) -> tuple[str, ...]:
    dice = read_dice(reading.words, "the critical damage")
    kind = reading.words.take(*reading.ctx.tables.damage_types)
    return (dice, kind) if kind else (dice,)


EXTRA = arguments.clause(
    "extra", Argument(_read_extra, "DICE [TYPE]", lambda reading: reading.words.has_dice())
)
"""Critical damage: its dice, and their type where they have one of their own (R3)."""


class Attack(Struct, frozen=True):
    """One way to attack: name, whole bonus to hit, damage dice and type, and its properties.

    `threat` is by how much earlier than at 20 it threatens, `extra` its critical damage.
    """

    name: Annotated[str, arguments.name("the attack's name")]
    bonus: Annotated[int, BONUS]
    dice: Annotated[str, DICE] = ""
    type: Annotated[str, TYPE] = ""
    ranged: Annotated[bool, arguments.flag()] = False
    light: Annotated[bool, arguments.flag()] = False
    two_handed: Annotated[bool, arguments.flag()] = False
    loading: Annotated[bool, arguments.flag()] = False
    threat: Annotated[int, THREAT] = 0
    extra: Annotated[tuple[str, ...], EXTRA] = ()


def attacks_of(who: Combatant) -> list[Attack]:
    """Its attacks in the order in which they were said; the first is meant without `with`."""
    return sheets.rows_of(who, WEAPONS, Attack, _has_dice)


def _has_dice(row: Attack) -> bool:
    return sheets.is_dice(row.dice, *row.extra[:1])


def weapons_of(who: Combatant) -> list[str]:
    """The names of its attacks."""
    return [attack.name for attack in attacks_of(who)]


def attacks_at_once(who: Combatant) -> int:
    """How many attacks its attack action holds, whatever it has in hand (rules file, 4.1)."""
    return max(1, who.number("attacks", 1))


def skill_of(who: Combatant, skill: str) -> int:
    """Its whole number for a test of that skill; 0 for one that is not on the sheet (R4)."""
    own = who.stats.get("skills")
    return who.number(skill, own.get(skill, 0) if isinstance(own, dict) else 0)
