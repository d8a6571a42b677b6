"""How long what Orcus lays on somebody lasts: save ends, until when, or while something is kept up.

Seed 003: Duration; Stance, Aura, Zone and Conjuration.
"""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Duration, Effect
from affray.core.language.declared import Argument
from affray.core.language.words import Words
from affray.rulekit.placing import Lasting, Placing, placing_said, refuse_two
from affray.rulesets.orcus import initiative
from affray.rulesets.orcus.sheet import ENDS, PERSISTENT, SAVED

KEPT_UP = ("stance", "aura", "zone", "conjuration", "form")
"""The kinds of effects on which others can hang."""
_PLAIN = Placing()


def _save_ends(ctx: Context, words: Words, placing: Placing) -> Placing:
    """Read `save ends`, of which the first word is read."""
    refuse_two(words, placing)
    words.choice("`save ends`", ("ends",))
    return replace(placing, until=SAVED)


def _while(ctx: Context, words: Words, placing: Placing) -> Placing:
    """Read whose stance, aura, zone or conjuration it hangs on: the source's or actor's first."""
    first = placing.source or ctx.by or ctx.state.turn
    keepers = sorted(ctx.state.combatants, key=lambda c: c.id != first)
    kept = [(c, e) for c in keepers for e in c.effects if e.kind in KEPT_UP]
    what = "the stance, aura, zone or conjuration on which it hangs"
    if not kept:
        raise words.refuse(f"nothing is kept up, so there is nothing to say for {what}")
    name = words.choice(what, dict.fromkeys(key for _, e in kept for key in keys_of(e)))
    return next(hanging_on(c, e, placing) for c, e in kept if name in keys_of(e))


def hanging_on(keeper: Combatant, kept: Effect, placing: Placing = _PLAIN) -> Placing:
    """How something is laid that ends with what somebody keeps up."""
    says = f"{kept.note or kept.name} ends"
    return replace(placing, hangs=f"{keeper.id}/{kept.id}", says=says)


def _default(ctx: Context, who: str, name: str) -> Duration:
    if name == initiative.SURPRISED:
        return initiative.until(ctx.state, who)
    return SAVED if name == PERSISTENT else Duration()


LASTING = Lasting(
    {"save": SAVED, "saved": SAVED}, ENDS, {"save": _save_ends, "while": _while}, _default
)
"""How long what is laid lasts; else until it is removed."""


def placed(usage: str) -> Argument:
    """The placing as an argument of a command in which `save` may be what a bonus is to."""
    said = placing_said(LASTING, usage)
    return replace(said, begins=lambda r: r.word != "save" or r.words.peek() == "ends")


def keys_of(effect: Effect) -> tuple[str, ...]:
    """The words by which a command may call something kept up: its name, and its id."""
    return tuple(dict.fromkeys(key for key in (effect.note.casefold(), effect.id) if key))
