"""All techniques of the tables; and what is done outside of one's turn: reactions, and what is
readied.

The actions that need code have a function each, which reads the words behind its name, pays, and
acts: `fighting` and `helping` have them by subject. The others are all in their rows of the tables.

What is readied takes a standard action, whatever it is, and a new initiative when it is done.

Seed 003: Actions in Combat, Immediate Actions, Opportunity Attacks, Free Actions, Fly, Ready.
"""

from __future__ import annotations

from affray.core.commands.grouping import take_apart
from affray.core.heart import order, turns
from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden, rule_of
from affray.core.heart.events import Used
from affray.core.heart.state import Combatant, Effect
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb, declare
from affray.core.rules.tables import Tables
from affray.rulekit import doing
from affray.rulekit.acts import Act, Cost
from affray.rulekit.doing import Readying, Techniques, Terms
from affray.rulekit.placing import Affliction, Placing, renew, until_for
from affray.rulekit.powers import refuse
from affray.rulesets.orcus import (
    companions,
    conditions,
    economy,
    expending,
    fighting,
    helping,
    movement,
    powers,
    sheet,
    upkeep,
)
from affray.rulesets.orcus.durations import LASTING
from affray.rulesets.orcus.hindrances import refuse_hindered
from affray.rulesets.orcus.sheet import IMMEDIATE, TURN_ACTIONS, Power

ACTIONS: dict[str, Act] = {**fighting.ACTS, **helping.ACTS}


def _lay(ctx: Context, words: Words, name: str, people: tuple[str, ...], placing: Placing) -> str:
    for who in people:
        if rule_of(ctx.tables, name).kind == "opening":  # there is no second one of these
            renew(ctx, who, name, until_for(LASTING, ctx, who, placing, name))
        else:
            conditions.lay(ctx, who, Affliction(name), placing)
    return ", ".join(f"{ctx.state.name(who)} is {name}" for who in people)


TECHNIQUES = Techniques(
    economy.ECONOMY,
    _lay,
    ACTIONS,
    fighting.REACTIONS,
    fighting.USAGE,
    next_turn=companions.next_turn,
)


def _react(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    if name := words.take(*doing.reactions(ctx.tables)):
        doing.do(TECHNIQUES, name, ctx, words)
        return
    kind = words.take(*IMMEDIATE)
    own = {hyphened(p.name) for p in sheet.powers_of(who) if p.action in IMMEDIATE}
    if not kind or hyphened(words.peek()) in own:
        powers.use(ctx, words, who, _read_immediate_power(words, who, kind))
        return
    what = words.rest().strip()  # a counter or a reaction that is no power of its own
    economy.pay_action(ctx, who.id, "immediate", kind)
    does = "counters" if kind == "counter" else "reacts"
    ctx.text = f"{who.name} {does}{f': {what}' if what else ''}"


def _read_immediate_power(words: Words, who: Combatant, kind: str) -> Power:
    """Read the power that is used, of that kind if one is said."""
    power = powers.read_named(words, who)
    if power is None:
        row = (*fighting.REACTIONS, *IMMEDIATE, *powers.names(who, immediate=True))
        raise words.refuse(f"expected an immediate action: {listed(row)}", row)
    if power.action not in ((kind,) if kind else IMMEDIATE):
        raise Refused(f"{power.name} is no {kind or 'immediate action'}, but a {power.action} one")
    return power


# -- ready -----------------------------------------------------------------------------------------

POWER = "power "


def _read_terms(ctx: Context, words: Words) -> Terms:
    """Read what is readied: an action by its name, or `power NAME`."""
    who = ctx.actor()
    if words.take("power"):
        power = powers.read_power(words, who)
        _refuse_unready(power.name, powers.action_of(power))
        refuse(who, power.name, expending.why_unusable(ctx.tables, ctx.state, who, power))
        return Terms(POWER + power.name, power.name)
    known = [*doing.actions(ctx.tables), "power"]
    name = words.choice("an action to ready, or `power NAME`", known)
    row = ctx.tables.techniques[name]
    _refuse_unready(row.name, next(iter(row.cost), "free"))
    if row.repeat == "fight" and who.used(name, "fight"):
        raise Refused(f"{who.name} can't use {row.name}: once an encounter")
    return Terms(name, row.name)


def _pay(ctx: Context, who: Combatant, terms: Terms) -> int:
    """It takes a standard action, whatever is readied."""
    refuse_hindered(ctx, who, "ready")
    economy.pay_action(ctx, who.id, "standard", "ready")
    return 0


def _refuse_unready(what: str, action: str) -> None:
    if action not in TURN_ACTIONS:
        raise Refused(
            f"{action} actions can't be readied, such as {what}: standard, move and swift ones can"
        )


def _refuse_unable(ctx: Context, who: Combatant) -> None:
    if ctx.state.takes_turn(who.id):
        raise Refused(f"{who.name}'s own turn is not over: what is readied comes after it")
    if who.life != "up":
        raise Refused(f"{who.name} is {who.life}, and can't act")
    if barred := forbidden(ctx.tables, ctx.state, who, "act"):
        raise Refused(f"{who.name} can't act: {barred}")


def _take_new_place(ctx: Context, who: str) -> bool:
    """Act from now on just before the one whose turn it is, alone if it was one of a group; gives
    whether a turn was given up.

    That is a turn of this round that is still to come, with what had to be maintained in it. It
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
    if row is not None and row.repeat == "fight":  # that counts when it is done, readied or not
        if who.used(name, "fight"):
            raise Refused(f"{who.name} has done so in this encounter already: {name}")
        ctx.emit(Used(who.id, name, "fight"))

    def pay(cost: Cost | None = None, subject: str = "") -> None:
        refuse_hindered(ctx, who, name)

    doing.do_readied(TECHNIQUES, ctx, words, who, name, pay)


def _use_power(ctx: Context, words: Words, who: Combatant, name: str) -> None:
    power = powers.power_named(who, name)
    if power is None:
        raise Refused(f"{who.name} has readied {name!r}, which is no power of theirs")
    if words.done and power.attack is not None:
        expending.expend(ctx, who.id, power)
        ctx.text = f"{who.name}'s readied {power.name} goes off"
        return
    powers.use(ctx, words, who, power, paid=True)
    ctx.text += ", as readied"


_READYING = Readying(_read_terms, _pay, _refuse_unable, _act)


# -- as commands -----------------------------------------------------------------------------------

_FLIES = "moves through the air, for the price of a walk"
_REACT = 'react POWER ... [by NAME] | react counter|react ["WHAT"] [by NAME]'


def technique_verbs(tables: Tables) -> tuple[Verb, ...]:
    """A command for each technique of the tables, `react` for the reactions, `fly`, `ready` and
    `trigger`."""
    usage = f"{doing.reaction_usages(TECHNIQUES)} | {_REACT}"
    takes = "takes an immediate action in somebody else's turn"
    return (
        *doing.verbs(TECHNIQUES, tables),
        declare("fly", _FLIES, movement.Flight, movement.fly, True),
        Verb("react", usage, takes, _react, True),
        *doing.ready_verbs(
            TECHNIQUES,
            _READYING,
            'ready TECHNIQUE ["TRIGGER"] | ready power NAME ["TRIGGER"]',
            "pays a standard action now, to act before the next turn",
            "takes the readied action, just before the turn that it is",
        ),
    )
