"""How long what Orcus lays on somebody lasts: save ends, until when, or while something is kept up.

Seed 003: Duration; Stance, Aura, Zone and Conjuration.
"""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.engine.state import Combatant, Duration, Effect
from affray.core.parser.declarations import Argument, ParseState
from affray.core.rules.ruleset import Context
from affray.mechanics.conditions import (
    DurationRules,
    EffectTerms,
    require_single_end,
    until_arg,
)
from affray.rulesets.orcus import initiative
from affray.rulesets.orcus.sheet import ENDS, PERSISTENT, SAVED

KEPT_UP = ("stance", "aura", "zone", "conjuration", "form")
"""The kinds of effects on which others can hang."""
_PLAIN = EffectTerms()


def _save_ends(reading: ParseState, terms: EffectTerms) -> EffectTerms:
    """Read `save ends`, of which the first word is read."""
    require_single_end(reading.words, terms)
    reading.words.choice("`save ends`", ("ends",))
    return replace(terms, until=SAVED)


def _while(reading: ParseState, terms: EffectTerms) -> EffectTerms:
    """Read whose stance, aura, zone or conjuration it hangs on: the source's or actor's first."""
    ctx, tokens = reading.ctx, reading.words
    first = terms.source or ctx.by or ctx.state.turn
    keepers = sorted(ctx.state.combatants, key=lambda c: c.id != first)
    sustained = [(c, e) for c in keepers for e in c.effects if e.kind in KEPT_UP]
    what = "the stance, aura, zone or conjuration on which it hangs"
    if not sustained:
        raise tokens.refuse(f"nothing is kept up, so there is nothing to say for {what}")
    name = tokens.choice(what, dict.fromkeys(key for _, e in sustained for key in keys_of(e)))
    return next(hanging_on(c, e, terms) for c, e in sustained if name in keys_of(e))


def hanging_on(keeper: Combatant, effect: Effect, terms: EffectTerms = _PLAIN) -> EffectTerms:
    """The terms of an effect that ends with one that somebody sustains."""
    says = f"{effect.note or effect.name} ends"
    return replace(terms, hangs=f"{keeper.id}/{effect.id}", says=says)


def _default(ctx: Context, combatant_id: str, name: str) -> Duration:
    if name == initiative.SURPRISED:
        return initiative.until(ctx.state, combatant_id)
    return SAVED if name == PERSISTENT else Duration()


LASTING = DurationRules(
    {"save": SAVED, "saved": SAVED},
    ENDS,
    {"save": _save_ends, "while": _while},
    _default,
    ("save-ends", "target-end", "user-end", "start", "end", "rest", "fight"),
)
"""How long what is laid lasts; else until it is removed."""


def placed(usage: str) -> Argument:
    """The placing as an argument of a command in which `save` may be what a bonus is to."""
    argument = until_arg(LASTING, usage)
    return replace(argument, begins=lambda r: r.word != "save" or r.words.peek() == "ends")


def keys_of(effect: Effect) -> tuple[str, ...]:
    """The words by which a command may call something kept up: its name, and its id."""
    return tuple(dict.fromkeys(key for key in (effect.note.casefold(), effect.id) if key))
