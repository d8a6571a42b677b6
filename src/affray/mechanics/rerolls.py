"""Rerolls: an earlier command is decided again with other dice (`redecide`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from affray.core.dice import (
    Forced,
    LyingDice,
    RecordedDice,
)
from affray.core.engine.decide import Decision, decide
from affray.core.engine.events import AnyEvent, Rolled
from affray.core.engine.evolve import clamp_event, diff_events
from affray.core.engine.history import EarlierEntry, recorded_dice
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused, join_or
from affray.core.rules.ruleset import (
    Context,
)


def other_rolls(events: Iterable[AnyEvent]) -> tuple[Rolled, ...]:
    """The dice that affray rolled, those of checks and attacks apart: damage, for one."""
    return tuple(
        event
        for event in events
        if isinstance(event, Rolled) and not event.by_hand and event.natural is None and event.faces
    )


def forced_by(rolls: Iterable[Rolled]) -> Forced:
    """Force a command's rolls to the outcomes of these, in the order of its dice."""
    rolls = list(rolls)
    by_roller = {(roll.who, roll.against): roll.outcome for roll in rolls}
    return Forced(tuple(roll.outcome for roll in rolls), rolls=by_roller)


def redecide(
    ctx: Context,
    origin: EarlierEntry,
    forced: Forced | None,
    before: Encounter | None = None,
    rolled: Iterable[Rolled] | None = None,
    lying: tuple[int, ...] = (),
) -> Decision:
    """Decide an earlier entry's command again with other dice, for a reroll. All other dice of the
    entry fall as before.

    Args:
        forced: The new dice; outcomes by roller forced on the current command go first.
        before: The fight in which to decide; None for the fight before the entry.
        rolled: The rolls with the other dice; None for those of the entry.
        lying: The numbers on further new dice, such as those of damage.

    Raises:
        Refused: The command can't be given in that fight, or doesn't roll those dice.
    """
    recorded = other_rolls(origin.entry.events) if rolled is None else rolled
    if forced is not None and ctx.forced is not None:
        forced = replace(forced, rolls={**forced.rolls, **ctx.forced.rolls})
    dice = LyingDice(lying, ctx.dice)
    decision = decide(
        origin.before if before is None else before,
        origin.entry.command,
        ctx.ruleset,
        RecordedDice(recorded_dice(recorded), dice),
        origin.earlier(),
        forced,
    )
    if dice.left:
        raise Refused(f"{join_or(map(str, dice.left), 'and')} after `rolled`: no roll needs that")
    return decision


def redecide_roll(
    ctx: Context,
    origin: EarlierEntry,
    roll: Rolled,
    faces: tuple[int, ...],
    rolls: Mapping[tuple[str, str], str] = {},
    rolled: Iterable[Rolled] | None = None,
) -> Decision | None:
    """Decide an earlier entry's command again with other faces for one of its rolls, which the
    command named or left to affray; None where it did neither.

    `rolls` are the outcomes of others by roller, `rolled` the rolls with the other dice.
    """
    then = (event for event in origin.entry.events if isinstance(event, Rolled))
    called = {_roll_key(each): each.faces for each in then if each.by_hand}
    wanted = called | {_roll_key(roll): faces}
    rolled = list(rolled) if rolled is not None else None
    for forced in (
        Forced(faces=faces, rolls=rolls),
        Forced(rolls=rolls, lying={(roll.who, roll.against): faces}),
    ):
        decision = redecide(ctx, origin, forced, rolled=rolled)
        found = {_roll_key(e): e.faces for e in decision.events if isinstance(e, Rolled)}
        differs = any(wanted.get(key, its) != its for key, its in found.items())
        if _roll_key(roll) in found and not differs:
            return decision
    return None


def _roll_key(roll: Rolled) -> tuple[str, str, str]:
    return roll.who, roll.against, roll.for_


def emit_difference(ctx: Context, was: Encounter, wanted: Encounter, why: str) -> None:
    """Emit the differences from `was` to `wanted`; tracks that moved since keep their bounds."""
    for event in diff_events(was, wanted, why):
        ctx.emit(clamp_event(ctx.tables, ctx.state, event))
