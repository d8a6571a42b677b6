"""Ready: a standard action now, another action before the next turn, and a new initiative.

Seed 003: Ready.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.commands.grouping import take_apart
from affray.core.heart import order, turns
from affray.core.heart.effects import forbidden
from affray.core.heart.events import Used
from affray.core.heart.state import Combatant, Duration, Effect, Encounter
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.rulekit import doing, readying
from affray.rulekit.acts import Cost
from affray.rulekit.readying import Readying, Terms
from affray.rulesets.orcus import actions, companions, powers, upkeep
from affray.rulesets.orcus.offers import refuse_hindered
from affray.rulesets.orcus.techniques import TECHNIQUES

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

POWER = "power "


def _read(ctx: Context, words: Words) -> Terms:
    """Read what is readied: an action by its name, or `power NAME`."""
    who = ctx.actor()
    if words.take("power"):
        power = powers.read_power(words, who)
        _refuse_unready(power.name, powers.action_of(power))
        why = powers.why_unusable(ctx.tables, ctx.state, who, power)
        if why:
            raise Refused(f"{who.name} can't use {power.name}: {why}")
        return Terms(POWER + power.name, power.name)
    name = words.choice(
        "an action to ready, or `power NAME`", [*doing.actions(ctx.tables), "power"]
    )
    row = ctx.tables.techniques[name]
    _refuse_unready(row.name, next(iter(row.cost), "free"))
    if row.repeat == "fight" and who.used(name, "fight"):
        raise Refused(f"{who.name} can't use {row.name}: once an encounter")
    return Terms(name, row.name)


def _pay(ctx: Context, who: Combatant, terms: Terms) -> int:
    """Readying takes a standard action, whatever is readied."""
    refuse_hindered(ctx, who, "ready")
    actions.pay_action(ctx, who.id, "standard", "ready")
    return 0


def _until(state: Encounter, who: str) -> Duration:
    return companions.next_turn(state, who, "start")


def _refuse_unready(what: str, action: str) -> None:
    if action not in actions.TURN_ACTIONS:
        raise Refused(
            f"{what} takes a {action} action: standard, move and swift ones can be readied"
        )


def _refuse_unable(ctx: Context, who: Combatant) -> None:
    if ctx.state.takes_turn(who.id):
        raise Refused(f"{who.name}'s own turn is not over: what is readied comes after it")
    if who.life != "up":
        raise Refused(f"{who.name} is {who.life}, and can't act")
    barred = forbidden(ctx.tables, ctx.state, who, "act")
    if barred:
        raise Refused(f"{who.name} can't act: {barred}")


def _take_new_place(ctx: Context, who: str) -> bool:
    """Act from now on just before the one whose turn it is; gives whether a turn was given up.

    Nobody of a group's takes the others along: whoever acts so has a place of their own then.
    Where the turn of this round is still to come it is, and with it what it had to maintain. That
    comes before the readied action: what that begins "until its next turn" is meant for the turn of
    the next round. What the turn given up would have ended ends after the action, which stands in
    for it.
    """
    if not ctx.state.turn:
        return False
    take_apart(ctx, [who])
    given_up = turns.give_up_turn(ctx, who)
    if given_up:
        upkeep.end_all_maintained(ctx, who, "the turn to maintain it is given up")
    order.step_in(ctx, who)
    return given_up


def _act(ctx: Context, words: Words, who: Combatant, readied: Effect) -> None:
    given_up = _take_new_place(ctx, who.id)
    _do(ctx, words, ctx.state[who.id], readied.because)
    if given_up:
        turns.expire(ctx, who.id, "end")


def _do(ctx: Context, words: Words, who: Combatant, name: str) -> None:
    if name.startswith(POWER):
        _use_power(ctx, words, who, name.removeprefix(POWER))
        return
    row = ctx.tables.techniques.get(name)
    if row is not None and row.repeat == "fight":
        _count(ctx, who, name)

    def pay(cost: Cost | None = None, subject: str = "") -> None:
        refuse_hindered(ctx, who, name)

    readying.do(TECHNIQUES, ctx, words, who, name, pay)


def _count(ctx: Context, who: Combatant, name: str) -> None:
    """What can be done once an encounter counts when it is done, readied or not."""
    if who.used(name, "fight"):
        raise Refused(f"{who.name} has done so in this encounter already: {name}")
    ctx.emit(Used(who.id, name, "fight"))


def _use_power(ctx: Context, words: Words, who: Combatant, name: str) -> None:
    power = powers.power_named(who, name)
    if power is None:
        raise Refused(f"{who.name} has readied {name!r}, which is no power of theirs")
    if words.done and power.attack is not None:
        powers.expend(ctx, who.id, power)
        ctx.text = f"{who.name}'s readied {power.name} goes off"
        return
    powers.use(ctx, words, who, power, lambda: None)
    ctx.text += ", as readied"


READY_VERBS = readying.verbs(
    Readying(_read, _pay, _until, _refuse_unable, _act),
    'ready TECHNIQUE ["TRIGGER"] | ready power NAME ["TRIGGER"]',
    "pays a standard action now, to act before the next turn",
    "takes the readied action, just before the turn that it is",
)
