"""Legendary resistance: a saving throw that a creature has failed becomes a success, some times a
day. It is asked right after the save, and until the next command.

The text has no such creatures; those of other books do, and a sheet says how often:
`legendary-resistance 3`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.events import Rolled, Spent
from affray.core.heart.history import Previous
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Choice, Pending, declare
from affray.rulekit.rolls import become, decided
from affray.rulesets.level_up.checks import CAN_RESIST, FAILURE, SUCCESS, outcomes_with
from affray.rulesets.level_up.sheet import RESISTS

VERB = "legendary-resistance"


class Resisting(Struct, frozen=True):
    who: Annotated[Combatant, arguments.person("whose failed save becomes a success")]


def _resist(ctx: Context, said: Resisting) -> None:
    """The save of the last command is made, with all that comes of it, the dice as they fell."""
    who, made = said.who, ctx.previous
    if made is None or not who.used(*CAN_RESIST) or not _fails(made, who):
        raise Refused(f"no failed save of {who.name} was the last thing to happen")
    if not who.track(RESISTS):
        raise Refused(f"{who.name} has no legendary resistance left")
    outcomes = outcomes_with(made, lambda roll: SUCCESS if _is_failed_save(roll, who) else "")
    become(ctx, ctx.state, decided(ctx, made, outcomes).state, "legendary resistance")
    ctx.emit(Spent(who.id, RESISTS, 1, "a failed save"))
    ctx.text = f"{who.name} saves after all, by legendary resistance"


def _is_failed_save(roll: Rolled, who: Combatant) -> bool:
    return roll.who == who.id and roll.outcome == FAILURE and roll.for_.endswith("save")


def _fails(made: Previous, who: Combatant) -> bool:
    rolls = (event for event in made.entry.events if isinstance(event, Rolled))
    return any(_is_failed_save(roll, who) for roll in rolls)


def pending(state: Encounter) -> Iterator[Pending]:
    """The failed saves that can still become successes."""
    for who in state.combatants:
        if who.used(*CAN_RESIST):
            says = f"{who.name} failed a save: legendary resistance, {who.track(RESISTS)} left"
            yield Pending(who.id, says, (Choice("r", "resists", f"{VERB} {who.id}"),))


VERBS = (declare(VERB, "turns the save just failed into a success", Resisting, _resist),)
