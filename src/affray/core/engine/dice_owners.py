"""Players' dice: affray rolls a die of a player's character only when somebody asks for it.

An enter over an empty field of a prompt, a phone or an answer leaves a die out. Deciding the
command with stub dice shows whose dice would fall, in every game: `players_dice` lists the players'
ones. The caller asks for these first, unless the app rolls for all (`setting player-dice app`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from affray.core.dice import DiceError, StubDice, parse_dice
from affray.core.engine.events import AnyEvent, Rolled
from affray.core.engine.settings import PLAYER_DICE
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser.errors import join_or


class PlayersDie(NamedTuple):
    """A die that a player rolls: the owner's id, its purpose, the target, its sides, and True if it
    is for a check, not an amount."""

    who: str
    what: str
    against: str
    sides: int
    is_check: bool = False


def is_rolled_by_player(state: Encounter, combatant: Combatant | None) -> bool:
    """True for a player's character, at a table that rolls its own dice; False for None."""
    at_table = PLAYER_DICE.value(state) != "app"
    return at_table and combatant is not None and combatant.kind == "pc"


def players_dice(state: Encounter, events: Iterable[AnyEvent], dice: StubDice) -> list[PlayersDie]:
    """The players' dice that a command throws, with the resulting state and events. A die belongs
    to the roller; if the die doesn't name one, the event `Rolled` does.
    """
    rolls = [each for each in events if isinstance(each, Rolled) and not each.by_hand]
    checks = {(roll.who, roll.for_, roll.against) for roll in rolls if roll.is_check}
    thrown = [PlayersDie(*roll, sides, roll in checks) for roll, sides in dice.thrown if roll]
    sides_left = {sides for roll, sides in dice.thrown if not roll}
    for each in rolls if sides_left else ():
        found = sorted(_sides(each.dice) & sides_left)
        key = (each.who, each.for_, each.against)
        thrown += [PlayersDie(*key, sides, each.is_check) for sides in found]
    return [die for die in thrown if is_rolled_by_player(state, state.find(die.who))]


def rolls_of(events: Iterable[AnyEvent], dice: StubDice) -> list[Rolled]:
    """The rolls that need dice; a copy of an earlier roll needs none."""
    thrown = {sides for _, sides in dice.thrown}
    rolls = (each for each in events if isinstance(each, Rolled) and not each.by_hand)
    return [roll for roll in rolls if _sides(roll.dice) & thrown]


def asks_for(state: Encounter, dice: Sequence[PlayersDie], can_be_said: bool = True) -> str:
    """Ask for dice: `Mira's and Odo's d8, or r to roll them`; if nothing asks for the numbers,
    `r rolls Mira's d8`. Empty for none."""
    if not dice:
        return ""
    rolls = dice_in_words(state, dice)
    if not can_be_said:
        return f"r rolls {rolls}"
    return f"{rolls}, or r to roll {'it' if len(dice) == 1 else 'them'}"


def dice_in_words(state: Encounter, dice: Iterable[PlayersDie]) -> str:
    """Name dice and their owners: `Mira's and Odo's d8 and Odo's 2d6`."""
    whose: dict[str, list[str]] = {}  # the dice -> those who roll them
    for (who, sides), count in Counter((die.who, die.sides) for die in dice).items():
        shown = f"{count if count > 1 else ''}d{sides}"
        whose.setdefault(shown, []).append(f"{state.name(who)}'s")
    return join_or((f"{join_or(names, 'and')} {shown}" for shown, names in whose.items()), "and")


def _sides(dice: str) -> set[int]:
    """The sides of dice; none for a text that is no dice, which a hand may have written into a
    log."""
    try:
        return {pool.sides for pool in parse_dice(dice).pools}
    except DiceError:
        return set()
