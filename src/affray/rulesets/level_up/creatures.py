"""A combatant's own numbers and attacks, as the log has them. Seed 002; rules file, 18."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Struct

from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.rulekit import sheets
from affray.rulekit.creatures import owner_here, owner_of

Reach = Literal["melee", "ranged"]
REACHES: tuple[str, ...] = get_args(Reach)
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
SKILLS = ("acrobatics", "athletics", "investigation", "medicine", "perception", "stealth")
"""The skills that the text names; any other word is one as well."""


WEAPONS = "weapons"
"""The stat that holds the attacks; `attacks` is how many of them the Attack action has."""


class Attack(Struct, frozen=True):
    """One way to attack: name, whole attack bonus, damage dice and type, and its properties."""

    name: Annotated[str, arguments.name("the attack's name")]
    bonus: Annotated[int, arguments.number("the attack bonus", -99, 99)]
    dice: Annotated[str, arguments.dice("its damage")] = ""
    type: Annotated[str, arguments.damage_type(others=False)] = ""
    reach: Annotated[Reach, arguments.one_of(*REACHES)] = "melee"
    thrown: Annotated[bool, arguments.flag()] = False
    heavy: Annotated[bool, arguments.flag()] = False
    dual_wielding: Annotated[bool, arguments.flag()] = False
    magical: Annotated[bool, arguments.flag()] = False


def attacks_of(combatant: Combatant) -> list[Attack]:
    """Its attacks in the order in which they were said; the first is meant without `with`."""
    return sheets.rows_of(combatant, WEAPONS, Attack, lambda row: sheets.is_dice(row.dice))


def weapons_of(combatant: Combatant) -> list[str]:
    """The names of its attacks."""
    return [attack.name for attack in attacks_of(combatant)]


def attacks_at_once(combatant: Combatant) -> int:
    """How many attacks its Attack action holds (rules file, 3.1)."""
    track = combatant.tracks.get("attacks")
    return (track.max if track is not None else None) or 1


def off_hand_at_once(combatant: Combatant) -> int:
    """How many attacks with the other weapon its bonus action holds (rules file, 4.9)."""
    return 2 if combatant.kind == "pc" and attacks_at_once(combatant) > 1 else 1


def level_of(combatant: Combatant) -> int:
    """Its level, or its Hit Dice; 1 for whom neither is said."""
    return max(1, combatant.number("level", combatant.number("hit-dice", 1)))


COMMANDED = "commanded"


def owned_by(state: Encounter, owner: str) -> list[Combatant]:
    """The creatures under somebody's control."""
    return [c for c in state.combatants if owner_of(c) == owner and c.id != owner]


def in_owners_turn(state: Encounter, who: Combatant) -> bool:
    """Whether it is the turn of who controls it, in which it moves."""
    owner = owner_here(state, who)
    return owner is not None and state.takes_turn(owner.id)
