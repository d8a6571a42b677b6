"""All techniques of the tables: those with a function of their own, and those all in their rows.

Each module has what its techniques do in a table of its own, `ACTS`. Rules file, 3 and Commands.
"""

from __future__ import annotations

from functools import partial

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import give_back
from affray.core.heart.state import Combatant, Effect
from affray.core.language.declared import read, usages_of
from affray.core.language.words import Words
from affray.core.rules.ruleset import Doing, Reads, Verb
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing, readying
from affray.rulekit.doing import Declared, Techniques
from affray.rulekit.readying import Readying, Terms
from affray.rulesets.adventure_school import (
    abilities,
    attacks,
    checks,
    conditions,
    economy,
    grabbing,
    hiding,
    movement,
    resources,
    songs,
    turns,
    weapons,
)

READY = "ready"
_MODULES = (abilities, attacks, checks, economy, grabbing, hiding, movement, songs, turns, weapons)
ACTIONS: dict[str, Declared] = {name: act for m in _MODULES for name, act in m.ACTS.items()}
REACTIONS = weapons.REACTIONS


def _mark(ctx: Context, who: str, track: str, by: int, what: str) -> None:
    """Levels of diminish come; of a resource so much is spent, or comes back if it is below 0."""
    if track == "diminish" and by > 0:
        resources.gain_diminish(ctx, who, by, what)
    elif by > 0:
        resources.pay(ctx, who, {track: by}, what)
    else:
        give_back(ctx, who, track, -by, what)


_LAY = doing.lay_by(conditions.LASTING, conditions.lay)
TECHNIQUES = Techniques(economy.ECONOMY, _LAY, ACTIONS, REACTIONS, mark=_mark)


def _react(ctx: Context, words: Words) -> None:
    """`react NAME ...`; in quotes, or not said, it is whatever else somebody reacts with."""
    said, row = words.upcoming, doing.reactions(ctx.tables)
    if words.done or said.quoted or said.casefold() == "effortless":
        words.offered += row if words.done else ()
        reaction = read(economy.Reaction, ctx, words)
        words.finish()
        economy.react(ctx, reaction)
        return
    name = words.choice("a reaction, or what it is in quotes", row)
    doing.do(TECHNIQUES, name, ctx, words)


def technique_verbs(tables: Tables) -> tuple[Verb, ...]:
    """A command for each technique of the tables but `ready`, and `react` for the reactions."""
    usage = f"{doing.reaction_usages(TECHNIQUES)} | {usages_of('react', economy.Reaction, True)}"
    react = Verb("react", usage, "takes a reaction", _react, True)
    names = (name for name in doing.actions(tables) if name != READY)
    return (*(doing.verb(TECHNIQUES, tables, name) for name in names), react)


# -- hold ------------------------------------------------------------------------------------------


def holdable(tables: Tables) -> list[str]:
    """What a held action can turn out to be: all that takes the action."""
    rows = tables.techniques
    return [n for n in doing.actions(tables) if "action" in rows[n].cost and n != READY]


def _pay(ctx: Context, who: Combatant, terms: Terms) -> int:
    acts.pay(economy.ECONOMY, ctx, who.id, READY)
    return 0


def _act(ctx: Context, words: Words, who: Combatant, held: Effect) -> None:
    name = words.choice("what it does now", holdable(ctx.tables))
    pay = partial(economy.pay_held, ctx, who.id, name)
    readying.do(TECHNIQUES, ctx, words, who, name, pay)


VERBS = readying.verbs(
    Readying(
        lambda ctx, words: Terms(),
        _pay,
        partial(timing.at_turn, edge="start"),
        lambda ctx, who: None,
        _act,
    ),
    'ready ["TRIGGER"]',
    "pays the action now, to act when the trigger comes",
    "takes the held action, whatever it turns out to be",
)
"""Hold: the action now, and what it is when its trigger comes (rules file, 3.6)."""


# -- what rows may say, those of a campaign too ----------------------------------------------------

_ROLLS = (*conditions.ROLLS, "melee", "ranged", "weapon", "sight", "social")
_WHEN = ("always", "near", "far", "source")
_OF_WHOEVER = ("act", "react", "effortless", "reflex", "withstand-grab")


def reads(tables: Tables) -> Reads:
    """What is played of the tables' rows: what a campaign's say besides is refused."""
    against = (f"vs-{what}" for what in (*tables.damage_types, *checks.CONTESTED))
    rolls = (*_ROLLS, *against)
    return Reads(
        powers="ability",
        effects={
            "modifiers": tuple(name.replace("-", "_") for name in conditions.WHAT),
            "speed": ("half", "double", "none"),
            "advantage": rolls,
            "disadvantage": rolls,
            "suffers.advantage": (*_WHEN, checks.SOCIAL),
            "suffers.disadvantage": _WHEN,
            "suffers.critical": ("always", "source"),
            "forbids": (*_OF_WHOEVER, *(t for t in tables.techniques if t not in economy.ANY_TIME)),
            "half_damage": None,
            "adds_damage": None,
            "ended_by": None,
            "keeps_off": None,
        },
        cost=("action", "movement"),
        marks=("stamina", "spirit", "diminish"),
        repeat=("once", "any", "fight"),
    )


DOING = Doing(
    verb=partial(doing.verb, TECHNIQUES), lays=conditions.conditions_of, ends=("rest", "fight")
)
