"""The actions for oneself and for others. Seed 002: Actions in Combat; rules file, 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart import timing
from affray.core.heart.effects import gain
from affray.core.heart.state import Effect
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulesets.level_up import economy, totals

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def _dash(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    economy.pay(ctx, who.id, "dash")
    until = timing.present_turn(ctx.state, who.id)
    gain(ctx, who.id, Effect("dashing", "dashing", "trace", until, who.id))
    ctx.text = f"{who.name} dashes"


def _disengage(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    economy.pay(ctx, who.id, "disengage")
    until = timing.present_turn(ctx.state, who.id)
    gain(ctx, who.id, Effect("disengaged", "disengaged", "trace", until, who.id))
    ctx.text = f"{who.name} disengages"


def _dodge(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    if not totals.number_now(ctx.tables, ctx.state, who, "speed"):
        raise Refused(f"{who.name} can't dodge at speed 0")
    economy.pay(ctx, who.id, "dodge")
    until = timing.at_turn(ctx.state, who.id, "start")
    gain(ctx, who.id, Effect("dodging", "dodging", "trace", until, who.id))
    ctx.text = f"{who.name} dodges"


ACTION_VERBS = (
    Verb("dash", "dash [by NAME]", "doubles the speed until this turn ends", _dash, True),
    Verb("disengage", "disengage [by NAME]", "moves on without provoking", _disengage, True),
    Verb("dodge", "dodge [by NAME]", "is harder to hit until the next turn", _dodge, True),
)
