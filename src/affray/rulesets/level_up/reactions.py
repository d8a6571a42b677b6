"""What is done outside of one's turn: opportunity attacks, falling back, blocking, and the rest.

Seed 002: Fall Back, Opportunity Attacks, Critical Hits, Suffering Fatigue; rules file, 3.10, 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from affray.core.dice.notation import parse_dice
from affray.core.dice.sources import RepeatedDice
from affray.core.heart import timing
from affray.core.heart.decide import decide
from affray.core.heart.difference import difference
from affray.core.heart.events import AnyEvent, Changed, Forgot, Noted, Rolled
from affray.core.heart.history import Previous
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.rulekit.acts import Pay
from affray.rulesets.level_up import economy, fatigue
from affray.rulesets.level_up.actions import leave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affray.core.heart.decide import Context


# -- falling back ----------------------------------------------------------------------------------


class FallBack(Struct, frozen=True):
    """`react fall-back [FROM]`."""

    presser: Annotated[
        Combatant | None, arguments.person("who presses the attack", usage="FROM", asks="target")
    ] = None


def fall_back(ctx: Context, said: FallBack, who: Combatant, pay: Pay) -> None:
    """5 feet back, right when somebody presses: no advantage against one by it (3.10, R14)."""
    pressing = [one for one in economy.pressing_now(ctx.state) if one.id != who.id]
    presser = said.presser or next(iter(pressing), None)
    if said.presser is not None and said.presser not in pressing:
        raise Refused(f"{said.presser.name} does not press the attack now")
    pay()
    if presser is None:  # outside of a fight, where nobody's turn it is
        raise Refused("nobody presses the attack now")
    until = timing.at_turn(ctx.state, who.id, "end")
    leave(ctx, who.id, economy.FALLEN_BACK, until, presser.id)
    ctx.emit(Noted(f"{presser.name} may take the space that {who.name} has left"))
    ctx.text = f"{who.name} falls back from {presser.name}"


# -- blocking a critical hit -----------------------------------------------------------------------


class Block(Struct, frozen=True):
    """`react block [shield]`."""

    shield: Annotated[bool, arguments.flag(heard="shield")] = False


def block(ctx: Context, said: Block, who: Combatant, pay: Pay) -> None:
    """The critical hit of the last command is a plain one, with all that came of it (5.2, 5.3).

    It is decided anew, the dice as they fell; what comes out differently is emitted. It costs the
    reaction, and one level of fatigue or the shield (R16).
    """
    made = _critical_of(ctx.previous, who.id)
    if made is None:
        raise Refused(f"no critical hit on {who.name} was the last thing to happen")
    if said.shield and not who.track("shield"):
        raise Refused(f"{who.name} has no shield to give up")
    line = made.entry.command
    dice = RepeatedDice(_fell(made.entry.events), ctx.dice)
    as_hit = decide(made.before, line, ctx.ruleset, dice, made.earlier(), said="hit")
    for event in difference(ctx.state, as_hit.state, "blocked"):
        ctx.emit(event)
    ctx.emit(Forgot(who.id, economy.BLOW))
    pay()
    if said.shield:
        ctx.emit(Changed(who.id, "shield", -ctx.state[who.id].track("shield"), why="given up"))
    else:
        fatigue.tire(ctx, who.id, "a critical blocked", fatigue=1)
    ctx.text = f"{who.name} blocks{' with the shield' if said.shield else ''}: a plain hit"


def _critical_of(previous: Previous | None, who: str) -> Previous | None:
    """The last entry, where it is a critical hit on somebody that can be blocked yet."""
    if previous is None:
        return None
    hits = (e for e in previous.entry.events if isinstance(e, Rolled) and e.outcome == "crit")
    return previous if any(hit.against == who for hit in hits) else None


def _fell(events: tuple[AnyEvent, ...]) -> Iterator[tuple[int, int]]:
    """The dice that the program rolled for it, but for the d20s: sides and face of each."""
    for event in events:
        if isinstance(event, Rolled) and event.natural is None and event.faces:
            sides = (p.sides for p in parse_dice(event.dice).pools for _ in range(p.count))
            yield from zip(sides, event.faces, strict=False)


def forget_critical(ctx: Context, before: Encounter) -> None:
    """With the next command it is too late to block: only what this one brought counts on."""
    for combatant in ctx.state.combatants:
        was = before.find(combatant.id)
        if was is not None and was.used(economy.CRITICAL, economy.BLOW):
            new = combatant.used(economy.CRITICAL, economy.BLOW)
            if new and new == was.used(economy.CRITICAL, economy.BLOW):
                ctx.emit(Forgot(combatant.id, economy.BLOW))


# -- whatever else ---------------------------------------------------------------------------------


class Improvised(Struct, frozen=True):
    """`react "WHAT"`: with the reaction, and what it does by other commands."""

    what: Annotated[str, arguments.text("what it is")]


def improvise(ctx: Context, said: Improvised, who: Combatant, pay: Pay) -> None:
    """A reaction of which affray knows no more than that it is one (3.20)."""
    pay()
    ctx.text = f"{who.name} reacts: {said.what}"
