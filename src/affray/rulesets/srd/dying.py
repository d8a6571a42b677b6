"""0 HP in games on the SRD: dying, stable, dead; death saves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from affray.core.dice import DieInput
from affray.core.engine import events
from affray.core.engine.effects import end_effects_named
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.mechanics import dying, saves
from affray.mechanics.rests import reset_uses
from affray.rulesets.srd import checks
from affray.rulesets.srd.checks import FAILURE, SUCCESS
from affray.rulesets.srd.rules import rules_of

AT_ZERO = "at-zero"
"""The reason for being unconscious by HP; the table of effects has its words."""
DEATH_SAVE = "death save"
"""Counted in a turn when the death save was made."""
FROM_AFAR, DOWN = "from afar", "down"
"""Counted while a combatant is down by damage that can't knock out."""
OUTCOMES_BY_KEY = (("s", SUCCESS, SUCCESS), ("f", FAILURE, FAILURE))
ANSWERS = (*OUTCOMES_BY_KEY, ("r", "roll", "roll"))


def die(ctx: Context, combatant_id: str, why: str) -> None:
    """Die, without any save owed."""
    reset_uses(ctx, combatant_id, *rules_of(ctx).spans_down)
    end_effects_named(ctx, combatant_id, saves.THREATENED, "dead")
    if ctx.state[combatant_id].life != "dead":
        ctx.emit(events.LifeChanged(combatant_id, "dead", why))


def rise(ctx: Context, combatant_id: str, why: str) -> None:
    """Come back above 0 HP: awake, still prone, and with no death saves counted."""
    dying.reset_counts(ctx, combatant_id, dying.DEATH_SAVES, why)
    dying.wake_up(ctx, combatant_id, why, lambda effect: effect.because == AT_ZERO)
    reset_uses(ctx, combatant_id, DOWN, *rules_of(ctx).spans_down)
    ctx.emit(events.LifeChanged(combatant_id, "up", why))


def stabilise(ctx: Context, combatant_id: str, why: str) -> None:
    """Stop dying: unconscious at 0 HP, without death saves."""
    dying.reset_counts(ctx, combatant_id, dying.DEATH_SAVES, why)
    ctx.emit(events.LifeChanged(combatant_id, "stable", why))
    ctx.note("has 1 HP in 1d4 hours, unless healed first", combatant_id)


def wakings(state: Encounter) -> Iterator[PendingDecision]:
    """Yield a decision for each combatant who is stable after the fight: 1 HP after some hours."""
    for combatant in state.combatants if state.phase == "ended" else ():
        if combatant.life == "stable":
            wakes = DecisionOption("h", "1 HP now", f"heal {combatant.id} 1")
            says = f"{combatant.name} is stable: 1 HP after 1d4 hours"
            yield PendingDecision(combatant.id, says, (wakes,))


def add_death_save(ctx: Context, combatant_id: str, track: str, why: str, by: int = 1) -> None:
    """Count failures or successes, and apply enough of them."""
    room = ctx.state[combatant_id].room(track)
    ctx.emit(events.TrackChanged(combatant_id, track, min(by, room), why=why))
    dying.count_death_saves(ctx, combatant_id, die, stabilise)


def roll_death_save(
    ctx: Context, combatant_id: str, die: DieInput, terms: checks.RollModifiers, extra: bool = False
) -> tuple[int | None, str]:
    """Make a death save, which has no ability but all modifiers of saves; give its natural face and
    its outcome. A natural 20 wakes; what else it brings is counted by the game."""
    final = {1: FAILURE, 20: SUCCESS}
    rolled = (
        rules_of(ctx)
        .check(
            combatant_id,
            "",
            die,
            int(ctx.tables.economy["death_save"]),
            "",
            terms,
            DEATH_SAVE,
            save=True,
            final=final,
        )
        .make(ctx)
    )
    if ctx.state.takes_turn(combatant_id) and not extra:
        ctx.emit(events.UseCounted(combatant_id, DEATH_SAVE))
    if rolled.natural == 20:
        ctx.emit(events.TrackChanged(combatant_id, "hp", 1, why="a natural 20"))
        rise(ctx, combatant_id, "a natural 20")
    return rolled.natural, rolled.outcome


def require_death_save(ctx: Context, combatant: Combatant, extra: bool = False) -> None:
    """Raises Refused for somebody who isn't dying, or has no death save to make now."""
    if combatant.life != "dying":
        raise Refused(f"{combatant.name} is not dying but {combatant.life}")
    is_due = ctx.state.takes_turn(combatant.id) and dying.owes_death_roll(combatant, DEATH_SAVE)
    if ctx.state.in_combat and not (is_due or extra):
        once = "one death save for each turn that starts at 0 HP"
        raise Refused(f"{combatant.name} makes {once}, and none is due: `extra` is for another")


DYING = arguments.combatant_arg("the dying combatant", field=Field("person", ("dying",)))


class DeathSaveArgs(Struct, frozen=True):
    """The arguments of `death`: `extra` for one besides the turn's."""

    who: Annotated[Combatant, DYING]
    die: checks.Outcome
    extra: arguments.Flag = False
