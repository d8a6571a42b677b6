"""The actions in combat and their commands, what is done out of turn, and Ready.

The actions that need code have a function each, which reads the words behind its name, pays, and
acts: `fighting` and `helping` have them by subject. The others are all in their rows of the tables.

What is readied takes a standard action, whatever it is, and a new initiative when it is done.

Seed 003: Actions in Combat, Immediate Actions, Opportunity Attacks, Free Actions, Fly, Ready.
"""

from __future__ import annotations

from functools import partial

from affray.core.commands.grouping import take_apart
from affray.core.heart import order, turns
from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden, rule_of
from affray.core.heart.events import Used
from affray.core.heart.state import Combatant, Effect
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Doing, Reads, Verb, declare
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing, readying
from affray.rulekit.acts import Act, Cost
from affray.rulekit.doing import Declared, Techniques
from affray.rulekit.placing import Affliction, Placing, renew, until_for
from affray.rulekit.readying import Readying, Terms
from affray.rulesets.orcus import (
    companions,
    conditions,
    creatures,
    economy,
    movement,
    powers,
    totals,
    upkeep,
)
from affray.rulesets.orcus.assaults import OnOne
from affray.rulesets.orcus.conditions import DYING, LASTING
from affray.rulesets.orcus.creatures import AMOUNTS, IMMEDIATE, Power
from affray.rulesets.orcus.economy import TURN_ACTIONS, refuse_hindered
from affray.rulesets.orcus.fighting import FIGHTING, opportunity_attack
from affray.rulesets.orcus.helping import HELPING
from affray.rulesets.orcus.movement import Flight

ACTIONS: dict[str, Act] = {**FIGHTING, **HELPING}
REACTIONS: dict[str, Act] = {"opportunity-attack": Declared(OnOne, opportunity_attack)}
_CHARGE = "TARGET OUTCOME [DAMAGE [TYPE]] [WORDS]"
USAGE = {"charge": f"charge {_CHARGE} | charge shove TARGET OUTCOME [WORDS]"}
"""How the command is written of which nothing declares the words."""


def _lay(ctx: Context, words: Words, name: str, people: tuple[str, ...], placing: Placing) -> str:
    for who in people:
        if rule_of(ctx.tables, name).kind == "opening":  # there is no second one of these
            renew(ctx, who, name, until_for(LASTING, ctx, who, placing, name))
        else:
            conditions.lay(ctx, who, Affliction(name), placing)
    return ", ".join(f"{ctx.state.name(who)} is {name}" for who in people)


TECHNIQUES = Techniques(
    economy.ECONOMY, _lay, ACTIONS, REACTIONS, USAGE, next_turn=companions.next_turn
)


def _react(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    if name := words.take(*doing.reactions(ctx.tables)):
        doing.do(TECHNIQUES, name, ctx, words)
        return
    kind = words.take(*IMMEDIATE)
    own = {hyphened(p.name) for p in creatures.powers_of(who) if p.action in IMMEDIATE}
    if kind and hyphened(words.peek()) not in own:
        _react_freely(ctx, words, who, kind)
    else:
        powers.use(ctx, words, who, _read_immediate_power(words, who, kind))


def _react_freely(ctx: Context, words: Words, who: Combatant, kind: str) -> None:
    """A counter or a reaction that has no power of its own."""
    what = words.rest().strip()
    economy.pay_action(ctx, who.id, "immediate", kind)
    does = "counters" if kind == "counter" else "reacts"
    ctx.text = f"{who.name} {does}{f': {what}' if what else ''}"


def _read_immediate_power(words: Words, who: Combatant, kind: str) -> Power:
    """Read the power that is used, of that kind if one is said."""
    power = powers.read_named(words, who)
    if power is None:
        row = (*REACTIONS, *IMMEDIATE, *powers.names(who, immediate=True))
        raise words.refuse(f"expected an immediate action: {listed(row)}", row)
    if power.action not in ((kind,) if kind else IMMEDIATE):
        raise Refused(f"{power.name} is no {kind or 'immediate action'}, but a {power.action} one")
    return power


def _fly(ctx: Context, said: Flight) -> None:
    """A walk through the air: what it costs and what bars it is a walk's (seed 003: Fly)."""
    who = ctx.actor()
    movement.fly(ctx, said, who, partial(acts.pay, economy.ECONOMY, ctx, who.id, "walk"))


def technique_verbs(tables: Tables) -> tuple[Verb, ...]:
    """A command for each technique of the tables, and those beside them."""
    return (
        *doing.verbs(TECHNIQUES, tables),
        declare("fly", "moves through the air, for the price of a walk", Flight, _fly, True),
        Verb(
            "react",
            f"{doing.reaction_usages(TECHNIQUES)} | "
            'react POWER ... [by NAME] | react counter|react ["WHAT"] [by NAME]',
            "takes an immediate action in somebody else's turn",
            _react,
            True,
        ),
    )


# -- ready -----------------------------------------------------------------------------------------

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
    economy.pay_action(ctx, who.id, "standard", "ready")
    return 0


def _refuse_unready(what: str, action: str) -> None:
    if action not in economy.TURN_ACTIONS:
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


VERBS = readying.verbs(
    Readying(_read, _pay, partial(companions.next_turn, edge="start"), _refuse_unable, _act),
    'ready TECHNIQUE ["TRIGGER"] | ready power NAME ["TRIGGER"]',
    "pays a standard action now, to act before the next turn",
    "takes the readied action, just before the turn that it is",
)


# -- what a campaign's rows may say ----------------------------------------------------------------
#
# What stands here is read by the modules beside this one, and all else is refused in a campaign:
# whoever teaches the game another field or word adds it.

_TRACES = (
    "state", "persistent", "modifier", "stance", "aura", "zone", "conjuration", "readied", "help",
)  # fmt: skip
"""The kinds of effects that commands of their own leave, or numbers."""
_DEGREES = ("cover", "three-quarters-cover", "concealed", "total-concealment")
READS = Reads(
    powers="power",
    effects={
        "modifiers": (*totals.TOTALS, "defenses"),
        "at_most": ("speed", "actions"),
        "halves": ("damage", "speed"),
        "only_with": None,
        "resist": None,
        "suffers.advantage": ("always", "near", "source"),
        "suffers.disadvantage": ("far",),
        "suffers.hindered": _DEGREES,
        "suffers.hindered_near": _DEGREES,
        "forbids": (
            "act",
            "react",
            "move",
            "flank",
            "free",
            "spend",
            "see",
            "hear",
            "be-moved",
            "hustle",
            "ranged",
            "far",
        ),
    },
    cost=(*TURN_ACTIONS, "immediate"),
    one_action=True,
    repeat=("once", "any", "fight"),
)


def _lays(tables: Tables) -> list[str]:
    """The effects that need no amount, and are no traces; dying follows from HP."""
    not_laid, rows = (*AMOUNTS, DYING), tables.effects.items()
    return [name for name, rule in rows if rule.kind not in _TRACES and name not in not_laid]


DOING = Doing(verb=partial(doing.verb, TECHNIQUES), lays=_lays, ends=("save", "rest", "fight"))
