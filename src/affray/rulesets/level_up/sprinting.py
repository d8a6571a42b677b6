"""Sprint: free as often as the Constitution modifier says, then with a check. Seed 002: Sprint.

A minute is ten turns of one's own (rules file, R17). What is counted: the track `sprints` since the
last minute without one; each check under the round in which it was made.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.events import Altered, Changed, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.rulekit.acts import Pay
from affray.rulekit.placing import begin, renew
from affray.rulekit.rolls import Die
from affray.rulesets.level_up import checks, economy, fatigue, totals
from affray.rulesets.level_up.checks import FAILURE, Terms, Try

CHECK, WINDED = "sprint check", "winded"


class Sprint(Struct, frozen=True):
    """`sprint [encumbered] [OUTCOME]`; the outcome only when a check is due."""

    die: Annotated[Die | None, checks.OUTCOME] = None
    encumbered: Annotated[bool, arguments.flag(heard="encumbered")] = False
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()


def sprint(ctx: Context, said: Sprint, who: Combatant, pay: Pay) -> None:
    """Speed ×4, or ×3, this turn, and nothing else (rules file, 3.13)."""
    free = max(0, who.number("con")) - who.track("sprints")
    checks_before = sum(who.used(CHECK, _span(number)) for number in _lately(ctx))
    dc = int(ctx.tables.economy["sprint_check"]) + checks_before
    if free <= 0 and said.die is None:
        raise Refused(
            f"{who.name} has no free sprint left: say how the Constitution (Athletics) check came"
            f" out, DC {dc}"
        )
    if free > 0 and said.die is not None:
        raise Refused(f"no check is due yet: {who.name} has {free} more sprints for free")
    pay()
    until = timing.at_turn(ctx.state, who.id, "start")
    times = int(ctx.tables.economy["sprint_encumbered" if said.encumbered else "sprint"])
    renew(ctx, who.id, totals.SPRINTING, until, amount=times)
    ctx.emit(Changed(who.id, "sprints", 1), Used(who.id, economy.SPRINT, _span(ctx.state.round)))
    came = ""
    if said.die is not None:
        trial = Try(who.id, "con", said.die, "athletics", dc=dc, terms=said.terms)
        came = checks.attempt(ctx, trial).outcome
        ctx.emit(Used(who.id, CHECK, _span(ctx.state.round)))
    _breathe(ctx, who.id, 1 if came == FAILURE else 0)
    ctx.text = f"{who.name} sprints{f', {came}' if came else ''}"


def _breathe(ctx: Context, who: str, levels: int) -> None:
    """Fatigue of sprinting goes a minute after the last sprint: `winded` keeps it apart (R17)."""
    until = timing.at_turn(ctx.state, who, "start", int(ctx.tables.economy["minute"]))
    had = ctx.state[who].named(WINDED)
    if had is not None:
        ctx.emit(Altered(who, replace(had, until=until, amount=had.amount + levels)))
    elif levels:
        begin(ctx, who, WINDED, until, amount=levels, type="fatigue", charges=True)
    if levels:
        fatigue.tire(ctx, who, "sprinting", fatigue=levels)


def _span(number: int) -> str:
    """The span under which something is counted that was done in a round."""
    return f"round {number}"


def _lately(ctx: Context) -> range:
    """The rounds of the last minute, the present one among them."""
    return range(ctx.state.round - int(ctx.tables.economy["minute"]) + 1, ctx.state.round + 1)


def turn_started(ctx: Context, who: str) -> None:
    """A minute after the last sprint the free ones are there again."""
    runner = ctx.state[who]
    lately = any(runner.used(economy.SPRINT, _span(number)) for number in _lately(ctx))
    if runner.track("sprints") and not lately:
        ctx.emit(Changed(who, "sprints", -runner.track("sprints"), routine=True))


def fight_ended(ctx: Context, runner: Combatant) -> None:
    """No rounds make a minute any more: who is winded is so until a rest (R17)."""
    winded = runner.named(WINDED)
    if winded is not None:
        ctx.emit(Altered(runner.id, replace(winded, until=Duration("rest"))))
