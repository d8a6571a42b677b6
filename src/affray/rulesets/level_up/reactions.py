"""What is done outside of one's turn: opportunity attacks, falling back, blocking, and the rest.

Seed 002: Fall Back, Opportunity Attacks, Critical Hits, Suffering Fatigue; rules file, 3.10, 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.events import Changed, Forgot, Noted, Rolled
from affray.core.heart.history import Previous
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Choice, Pending
from affray.rulekit import anew
from affray.rulekit.acts import Pay
from affray.rulekit.placing import renew
from affray.rulesets.level_up import economy, fatigue

# -- falling back ----------------------------------------------------------------------------------


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


# -- blocking a critical hit -----------------------------------------------------------------------


class Block(Struct, frozen=True):
    """`react block [shield]`."""

    shield: Annotated[bool, arguments.flag(heard="shield")] = False


def block(ctx: Context, said: Block, who: Combatant, pay: Pay) -> None:
    """The critical hit of the last command is a plain one, with all that came of it (5.2, 5.3).

    It is decided anew, the dice as they fell; what comes out differently is emitted. It is paid as
    of before the blow: the reaction, and one level of fatigue or the shield (R16).
    """
    made = _critical_of(ctx.previous, who.id)
    if made is None:
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


def _critical_of(previous: Previous | None, who: str) -> Previous | None:
    """The last entry, where it is a critical hit on somebody that can be blocked yet."""
    if previous is None:
        return None
    hits = (e for e in previous.entry.events if isinstance(e, Rolled) and e.outcome == "crit")
    return previous if any(hit.against == who for hit in hits) else None


def struck(state: Encounter) -> str:
    """Who can block a critical hit now; empty for nobody, or when several could."""
    found = [c.id for c in state.combatants if c.used(economy.CRITICAL, economy.BLOW)]
    return found[0] if len(found) == 1 else ""


def settled(ctx: Context) -> None:
    """With the next command it is too late to block: only what this one brought counts on."""
    for combatant in ctx.state.combatants:
        count = combatant.used(economy.CRITICAL, economy.BLOW) if combatant.uses else 0
        was = ctx.before.find(combatant.id) if count else None
        if was is not None and was.used(economy.CRITICAL, economy.BLOW) == count:
            ctx.emit(Forgot(combatant.id, economy.BLOW))


def pending(state: Encounter) -> list[Pending]:
    """The critical hit that can be blocked now (rules file, 5.3)."""
    return [
        Pending(
            who.id,
            f"{who.name} can block the critical hit",
            tuple(_answers(who)),
        )
        for who in state.combatants
        if who.used(economy.CRITICAL, economy.BLOW)
    ]


def _answers(who: Combatant) -> Iterator[Choice]:
    yield Choice("f", "for a fatigue", f"react block by {who.id}")
    if who.track("shield"):
        yield Choice("s", "with the shield", f"react block shield by {who.id}")
