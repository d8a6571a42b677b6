"""Players' dice: a die of a player's character falls where somebody asks for it, and else never.

A prompt, a phone or an answer leaves a die out by an enter over an empty field. What the command
would come to with stub dice shows whose dice fall then, whichever command of whichever game it is:
`players_dice` lists those of players. Whoever gives the command asks for these first, unless the
table has the app roll for all (`setting player-dice app`).
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

D20 = 20


class PlayersDie(NamedTuple):
    """A die that a player rolls: whose it is, an id; what it is for; against whom; its sides."""

    who: str
    what: str
    against: str
    sides: int

    @property
    def is_d20(self) -> bool:
        """True if it makes a check of some kind, and is no amount."""
        return self.sides == D20


def is_rolled_by_player(state: Encounter, combatant: Combatant | None) -> bool:
    """True for a player's character, at a table that rolls its own dice; False for None."""
    at_table = PLAYER_DICE.value(state) != "app"
    return at_table and combatant is not None and combatant.kind == "pc"


def players_dice(state: Encounter, events: Iterable[AnyEvent], dice: StubDice) -> list[PlayersDie]:
    """The dice of players' characters that a command throws, with the state and the events that it
    comes to.

    A die is whose roll it is thrown for; one of which that isn't said is whose roll tells it.
    """
    thrown = [PlayersDie(*roll, sides) for roll, sides in dice.thrown if roll]
    sides_left = {sides for roll, sides in dice.thrown if not roll}
    for each in events:
        if sides_left and isinstance(each, Rolled) and not each.by_hand:
            found = sorted(_sides(each.dice) & sides_left)
            thrown += [PlayersDie(each.who, each.for_, each.against, sides) for sides in found]
    return [die for die in thrown if is_rolled_by_player(state, state.find(die.who))]


def rolls_of(events: Iterable[AnyEvent], dice: StubDice) -> list[Rolled]:
    """The rolls that need dice; a copy of an earlier roll needs none."""
    thrown = {sides for _, sides in dice.thrown}
    rolls = (each for each in events if isinstance(each, Rolled) and not each.by_hand)
    return [roll for roll in rolls if _sides(roll.dice) & thrown]


def asks_for(state: Encounter, dice: Sequence[PlayersDie], can_be_said: bool = True) -> str:
    """Ask for dice: `Mira's and Odo's d20, or r to roll them`; where nothing asks what they show,
    `r rolls Mira's d20`. Empty for none."""
    if not dice:
        return ""
    rolls = dice_in_words(state, dice)
    if not can_be_said:
        return f"r rolls {rolls}"
    return f"{rolls}, or r to roll {'it' if len(dice) == 1 else 'them'}"


def dice_in_words(state: Encounter, dice: Iterable[PlayersDie]) -> str:
    """Say whose dice they are: `Mira's and Odo's d20 and Odo's 2d6`."""
    whose: dict[str, list[str]] = {}  # the dice -> those who roll them
    for (who, sides), count in Counter((die.who, die.sides) for die in dice).items():
        shown = f"{count if count > 1 else ''}d{sides}"
        whose.setdefault(shown, []).append(f"{state.name(who)}'s")
    return join_or((f"{join_or(names, 'and')} {shown}" for shown, names in whose.items()), "and")


def _sides(dice: str) -> set[int]:
    """The sides of dice; none of what is written by hand into a log, and no dice."""
    try:
        return {pool.sides for pool in parse_dice(dice).pools}
    except DiceError:
        return set()
