"""All techniques of the tables; and what is done outside of one's turn: reactions, and what is
held.

Each module has what its techniques do in a table of its own, `ACTS`. Techniques without a function
are all in their rows. Rules file, 3 and Commands.
"""

from __future__ import annotations

from functools import partial

from affray.core.heart.decide import Context
from affray.core.heart.effects import give_back
from affray.core.heart.state import Combatant, Effect
from affray.core.language.declared import read, usages_of
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing
from affray.rulekit.doing import Readying, Techniques, Terms
from affray.rulesets.adventure_school import (
    abilities,
    attacks,
    checks,
    conditions,
    economy,
    fighting,
    hands,
    hiding,
    movement,
    resources,
    songs,
    turns,
)

READY = "ready"


def _mark(ctx: Context, who: str, track: str, by: int, what: str) -> None:
    """Levels of diminish come; of a resource so much is spent, or comes back if it is below 0."""
    if track == "diminish" and by > 0:
        resources.gain_diminish(ctx, who, by, what)
    elif by > 0:
        resources.pay(ctx, who, {track: by}, what)
    else:
        give_back(ctx, who, track, -by, what)


_ACTING = (abilities, attacks, checks, economy, fighting, hands, hiding, movement, songs, turns)
TECHNIQUES = Techniques(
    economy.ECONOMY,
    doing.lay_by(conditions.LASTING, conditions.lay),
    {name: act for module in _ACTING for name, act in module.ACTS.items()},
    fighting.REACTIONS,
    mark=_mark,
)


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


_REACT = f"{doing.reaction_usages(TECHNIQUES)} | {usages_of('react', economy.Reaction, True)}"

# -- hold ------------------------------------------------------------------------------------------


def _pay_now(ctx: Context, who: Combatant, terms: Terms) -> int:
    acts.pay(economy.ECONOMY, ctx, who.id, READY)
    return 0


def _act_then(ctx: Context, words: Words, who: Combatant, held: Effect) -> None:
    """A held action turns out to be anything that takes the action."""
    rows = ctx.tables.techniques
    row = [n for n in doing.actions(ctx.tables) if "action" in rows[n].cost and n != READY]
    name = words.choice("what it does now", row)
    pay = partial(economy.pay_held, ctx, who.id, name)
    doing.do_readied(TECHNIQUES, ctx, words, who, name, pay)


_HOLD = Readying(
    read=lambda ctx, words: Terms(),
    pay=_pay_now,
    take=lambda ctx, who: None,
    act=_act_then,
)
"""The action now, and what it is when its trigger comes (rules file, 3.6)."""


# -- as commands -----------------------------------------------------------------------------------


def technique_verbs(tables: Tables) -> tuple[Verb, ...]:
    """A command for each technique of the tables, `react` for the reactions, `ready` and
    `trigger`."""
    return (
        *doing.verbs(TECHNIQUES, tables, but=(READY,)),
        Verb("react", _REACT, "takes a reaction", _react, True),
        *doing.ready_verbs(
            TECHNIQUES,
            _HOLD,
            'ready ["TRIGGER"]',
            "pays the action now, to act when the trigger comes",
            "takes the held action, whatever it turns out to be",
        ),
    )
