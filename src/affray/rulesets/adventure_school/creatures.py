"""A combatant's own numbers, attacks and abilities, as the log has them."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.state import Combatant
from affray.core.language import arguments
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
WEAPONS, ABILITIES = "weapons", "abilities"
"""The stats that hold the attacks and the abilities."""

Price = Literal["action", "move", "fast", "spammable", "free", "reaction", "effortless"]
PRICES: tuple[str, ...] = get_args(Price)
"""How an ability is paid for in a turn, beside what it takes of resources."""


# -- attacks and abilities -------------------------------------------------------------------------


def _read_bonus(reading: Reading) -> int:
    bonus = reading.words.number("the bonus to hit", -99, 99)
    reading.words.take("vs")
    reading.words.take("ac")
    return bonus


_BONUS = Argument(_read_bonus, "+N vs ac", lambda reading: reading.words.has_number())
_DICE = arguments.dice("its damage")
_TYPE = arguments.damage_type(lambda ctx: ctx.tables.damage_types, False, behind="dice")
_THREAT = arguments.clause("threat", arguments.number("by how much it threatens earlier", 1, 18))
_EXTRA = arguments.clause("extra", arguments.dice("its critical damage"))


class Attack(Struct, frozen=True):
    """One way to attack: name, whole bonus to hit, damage dice and type, and its properties.

    `threat` is by how much earlier than at 20 it threatens, `extra` its critical damage.
    """

    name: Annotated[str, arguments.name("the attack's name")]
    bonus: Annotated[int, _BONUS]
    dice: Annotated[str, _DICE] = ""
    type: Annotated[str, _TYPE] = ""
    ranged: Annotated[bool, arguments.flag()] = False
    light: Annotated[bool, arguments.flag()] = False
    two_handed: Annotated[bool, arguments.flag()] = False
    loading: Annotated[bool, arguments.flag()] = False
    threat: Annotated[int, _THREAT] = 0
    extra: Annotated[str, _EXTRA] = ""


_TIMES = replace(
    arguments.number("how often the die is rolled", 1, 20),
    stands=lambda reading: reading.words.peek().isdecimal(),
)
"""A number without a sign: in `spellburn +7 vs ac` the 7 is to hit."""


def _costs(track: str) -> Argument:
    return arguments.clause(track, arguments.number(f"how much {track} it takes", 1, 999))


class Ability(Struct, frozen=True):
    """An ability or a spell: how it is paid for, and its attack if it is one.

    `spellburn` is how often the die is rolled for it; `uses` how often it can be used between two
    rests, 0 without limit; `bonus` None where it is no attack.
    """

    name: Annotated[str, arguments.name("the ability's name")]
    bonus: Annotated[int | None, _BONUS] = None
    dice: Annotated[str, _DICE] = ""
    type: Annotated[str, _TYPE] = ""
    price: Annotated[Price, arguments.one_of(*PRICES)] = "action"
    stamina: Annotated[int, _costs("stamina")] = 0
    exhaust: Annotated[int, _costs("exhaust")] = 0
    fortune: Annotated[int, _costs("fortune")] = 0
    spirit: Annotated[int, _costs("spirit")] = 0
    control: Annotated[int, _costs("control")] = 0
    spellburn: Annotated[
        int,
        arguments.clause("spellburn", _TIMES, may_be_empty=1),
    ] = 0
    minor_spellburn: Annotated[bool, arguments.flag()] = False
    diminish: Annotated[int, _costs("diminish")] = 0
    uses: Annotated[
        int, arguments.clause("uses", arguments.number("how often between two rests", 1, 99))
    ] = 0
    ranged: Annotated[bool, arguments.flag()] = False
    threat: Annotated[int, _THREAT] = 0
    extra: Annotated[str, _EXTRA] = ""

    @property
    def attack(self) -> Attack:
        """The attack that it is, at no bonus where none is said."""
        bonus, threat = self.bonus or 0, self.threat
        return Attack(
            self.name, bonus, self.dice, self.type, self.ranged, threat=threat, extra=self.extra
        )


def attacks_of(who: Combatant) -> list[Attack]:
    """Its attacks in the order in which they were said; the first is meant without `with`."""
    return sheets.rows_of(who, WEAPONS, Attack, _has_dice)


def abilities_of(who: Combatant) -> list[Ability]:
    """Its abilities and spells, in the order in which they were said."""
    return sheets.rows_of(who, ABILITIES, Ability, _has_dice)


def _has_dice(row: Attack | Ability) -> bool:
    return sheets.is_dice(row.dice, row.extra)


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
