"""What is done outside of one's turn: opportunity attacks, falling back, blocking, and the rest.

Seed 002: Fall Back, Opportunity Attacks, Critical Hits, Suffering Fatigue; rules file, 3.10, 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.events import Changed, Noted, Rolled
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Choice, Pending
from affray.rulekit import anew
from affray.rulekit.acts import Pay
from affray.rulekit.placing import renew
from affray.rulekit.rests import forget
from affray.rulesets.level_up import economy, fatigue


class FallBack(Struct, frozen=True):
    """`react fall-back [FROM]`."""

    presser: Annotated[
        Combatant | None, arguments.person("who presses the attack", usage="FROM", asks="target")
    ] = None


def fall_back(ctx: Context, said: FallBack, who: Combatant, pay: Pay) -> None:
    """5 feet back, right when somebody presses: no advantage against one by it (3.10, R14)."""
    pressing = economy.pressing_now(ctx.state, who.id)
    presser = said.presser or next(iter(pressing), None)
    if said.presser is not None and said.presser not in pressing:
        raise Refused(f"{said.presser.name} does not press the attack now")
    pay()
    if presser is None:  # outside of a fight, where nobody's turn it is
        raise Refused("nobody presses the attack now")
    until = timing.at_turn(ctx.state, who.id, "end")
    renew(ctx, who.id, economy.FALLEN_BACK, until, by_source=True, source=presser.id)
    ctx.emit(Noted(f"{presser.name} may take the space that {who.name} has left"))
    ctx.text = f"{who.name} falls back from {presser.name}"


class Block(Struct, frozen=True):
    """`react block [shield]`."""

    shield: Annotated[bool, arguments.flag(heard="shield")] = False


def block(ctx: Context, said: Block, who: Combatant, pay: Pay) -> None:
    """The critical hit of the last command is a plain one, with all that came of it (5.2, 5.3).

    It is decided anew, the dice as they fell; what comes out differently is emitted. It is paid as
    of before the blow: the reaction, and one level of fatigue or the shield (R16).
    """
    made = ctx.previous
    rolls = [e for e in made.entry.events if isinstance(e, Rolled)] if made is not None else []
    if made is None or not any((e.outcome, e.against) == ("crit", who.id) for e in rolls):
        raise Refused(f"no critical hit on {who.name} was the last thing to happen")
    if not made.before[who.id].track("hp"):
        raise Refused(f"{who.name} was at 0 HP, and could not block it")
    if said.shield and not who.track("shield"):
        raise Refused(f"{who.name} has no shield to give up")
    anew.become(ctx, ctx.state, anew.decided(ctx, made, "hit").state, "blocked")
    economy.pay_reaction(ctx, who, "block", made.before)
    if said.shield:
        ctx.emit(Changed(who.id, "shield", -who.track("shield"), why="given up"))
    else:
        fatigue.tire(ctx, who.id, "a critical blocked", fatigue=1)
    ctx.text = f"{who.name} blocks{' with the shield' if said.shield else ''}: a plain hit"


def could_block(state: Encounter) -> list[Combatant]:
    """Who can block a critical hit now (rules file, 5.3)."""
    return [who for who in state.combatants if who.used(economy.CRITICAL, economy.BLOW)]


def settled(ctx: Context) -> None:
    """With the next command it is too late to block: only what this one brought counts on."""
    for who in could_block(ctx.state):
        was = ctx.before.find(who.id)
        count = who.used(economy.CRITICAL, economy.BLOW)
        if was is not None and was.used(economy.CRITICAL, economy.BLOW) == count:
            forget(ctx, who.id, economy.BLOW)


def pending(state: Encounter) -> list[Pending]:
    """The critical hit that can be blocked now."""
    says = "can block the critical hit"
    return [Pending(w.id, f"{w.name} {says}", tuple(_answers(w))) for w in could_block(state)]


def _answers(who: Combatant) -> Iterator[Choice]:
    yield Choice("f", "for a fatigue", f"react block by {who.id}")
    if who.track("shield"):
        yield Choice("s", "with the shield", f"react block shield by {who.id}")
