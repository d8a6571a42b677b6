"""Ready: the action now, and what is readied with the reaction when its trigger comes.

Seed 002: Ready; rules file, 3.11, R31. A readied spell is cast when it is readied, and its caster
concentrates until it is released.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.state import Combatant, Effect
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused
from affray.core.language.words import Word, Words
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing, readying
from affray.rulekit.acts import Cost, Now
from affray.rulekit.readying import READIED, Readying, Terms
from affray.rulesets.level_up import actions, economy
from affray.rulesets.level_up.techniques import TECHNIQUES

CAST = "cast"


def readiable(tables: Tables) -> list[str]:
    """What can be readied: what takes the action, but for what takes the whole turn."""
    rows = tables.techniques
    never = (economy.READY, economy.SPRINT)
    takes = (n for n in doing.actions(tables) if "action" in rows[n].cost or n == economy.TUMBLE)
    return [name for name in takes if name not in never]


def _read(ctx: Context, words: Words) -> Terms:
    """Read what is readied: a technique by its name, or `cast SPELL`."""
    name = words.choice("an action to ready", readiable(ctx.tables))
    terms = Terms(name, ctx.tables.techniques[name].name)
    if name != CAST:
        return terms
    spell = arguments.phrase("the spell's name", "SPELL").read(Reading(ctx, words))
    return replace(terms, of=spell, says=spell)


def _pay(ctx: Context, who: Combatant, terms: Terms) -> int:
    """Readying takes the action, whatever is readied; a spell is concentrated on as well."""
    acts.pay(economy.ECONOMY, ctx, who.id, economy.READY)
    if terms.name == CAST:
        held = f"{who.id}/{READIED}"
        actions.concentrate(ctx, who.id, terms.of, _until(ctx.state, who.id), held)
    return 0


_until = partial(timing.at_turn, edge="start")
"""When what is readied is lost."""


def _pay_the_rest(
    ctx: Context, who: Combatant, name: str, cost: Cost | None = None, subject: str = ""
) -> None:
    """Its action was paid when it was readied: what is left to pay is exertion."""
    left = {track: n for track, n in (cost or {}).items() if track not in economy.TURN}
    reason = acts.why_unpaid(Now(ctx.tables, ctx.state, who), left)
    if reason:
        raise Refused(f"{who.name} can't use {ctx.tables.techniques[name].name}: {reason}")
    acts.spend(ctx, who.id, name, left)


def _act(ctx: Context, words: Words, who: Combatant, readied: Effect) -> None:
    name = readied.because
    if name == CAST:
        spell = Word(readied.type)
        spell.quoted = True
        at = [] if words.done or words.peek() == "at" else [Word("at")]
        words.insert([spell, *at])
    readying.do(TECHNIQUES, ctx, words, who, name, partial(_pay_the_rest, ctx, who, name))


def settled(ctx: Context) -> None:
    """A readied spell is lost with the concentration on it."""
    for who in ctx.state.combatants:
        readied = who.named(READIED) if who.effects else None
        if readied is None or readied.because != CAST:
            continue
        if not any(e.name == actions.CONCENTRATING and e.hangs for e in who.effects):
            end(ctx, who.id, readied.id, "no longer concentrating")


VERBS = readying.verbs(
    Readying(_read, _pay, _until, partial(economy.pay_reaction, what="trigger"), _act),
    'ready TECHNIQUE ["TRIGGER"] | ready cast SPELL ["TRIGGER"]',
    "pays the action now, to act when the trigger comes",
    "takes the readied action, with the reaction",
)
