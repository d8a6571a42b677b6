"""How often each power may be used: what is expended, and what brings it back.

Seed 003: Powers (Power Category and Frequency), Glossary (Refresh), Staggered.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden
from affray.core.heart.events import Forgot, Noted, Used
from affray.core.heart.moments import HALF, spoken_of
from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.tables import Tables
from affray.rulekit import powers
from affray.rulesets.orcus import sheet, upkeep
from affray.rulesets.orcus.hindrances import POWERS, deterred
from affray.rulesets.orcus.sheet import Power

_RESTS = {"encounter": "short", "daily": "long"}
"""The rest that brings a power back, which is also the span for which a use counts."""


def _span(power: Power) -> str:
    """The span for which a use counts, as the log has it; empty for what is never expended. What
    comes back by itself has one of its own."""
    if power.frequency == "refresh" or power.staggered:
        return f"refresh {power.name}"
    return _RESTS.get(power.frequency, "")


def why_unusable(tables: Tables, state: Encounter, who: Combatant, power: Power) -> str:
    """Why a power can't be used, whatever it costs; empty when it can."""
    span, die = _span(power), tables.economy["refresh"]
    if why := powers.why_not_back(who, power.name, span, power.refresh, die):
        return why
    rest = _RESTS.get(power.frequency, "")
    if rest and who.used(power.name, span):
        return f"expended until a {rest} rest"
    falls = answers_its_fall(power)
    if who.is_out and not falls:
        return str(who.life)
    if who.life == "up" and falls and power.trigger:
        return "for its fall to 0 HP"
    if why := deterred(state, who, POWERS, f"{POWERS} {power.name}"):
        return why
    if "wild-shape" in power.tags and who.named(upkeep.FORM) is None:
        return "in no other form"
    is_barrable = bool(rest) and (who.life == "up" or not falls)
    barred = forbidden(tables, state, who, "spend") if is_barrable else ""
    return f"{barred}: no encounter or daily powers" if barred else ""


def expend(ctx: Context, who: str, power: Power) -> None:
    """Count the power as used, until what brings it back."""
    if span := _span(power):
        ctx.emit(Used(who, power.name, span))


def roll_refreshes(ctx: Context, who: str) -> None:
    """At a turn's start: a die for each expended refresh power; its number brings it back."""
    die = ctx.tables.economy["refresh"]
    for power in sheet.powers_of(ctx.state[who]):
        powers.roll_back(ctx, who, power.name, _span(power), power.refresh, die)


def staggered(ctx: Context, who: str) -> None:
    """Somebody is staggered: the first time in a fight what comes back by that does."""
    row = [power for power in sheet.powers_of(ctx.state[who]) if power.staggered]
    if not row or ctx.state[who].used(HALF, "fight"):
        return
    ctx.emit(Used(who, HALF, "fight"))
    for power in row:
        if ctx.state[who].used(power.name, _span(power)):
            ctx.emit(Forgot(who, _span(power)))
            ctx.emit(Noted(f"{ctx.state.name(who)}: {power.name} is back"))


def answers_its_fall(power: Power) -> bool:
    """Whether a power is for the moment in which its owner comes to 0 HP, as its words have it."""
    return any(moment.at == "zero" for moment in spoken_of("", power.trigger or power.text))
