"""Hold: the action now, and what it is when its trigger comes.

Seed 001: Hold; rules file, 3.6.
"""

from __future__ import annotations

from functools import partial

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Effect
from affray.core.language.words import Words
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing, readying
from affray.rulekit.readying import Readying, Terms
from affray.rulesets.adventure_school import economy
from affray.rulesets.adventure_school.techniques import READY, TECHNIQUES


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


READY_VERBS = readying.verbs(
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
