"""Getting free of a condition, and the holder who prevents it. Seed 004: Conditions."""

from __future__ import annotations

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, forbidden, rule_of
from affray.core.heart.events import Used
from affray.core.heart.own_effects import is_own, keys_of
from affray.core.heart.state import Combatant, Effect
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulesets.monsters_and_magic import tracks


def can_be_escaped(tables: Tables, effect: Effect) -> bool:
    """Whether its bearer can get free of it: what has a price, or lasts until they do.

    What ends in a way of its own, as prone does when it stands, is left to that way.
    """
    rule = rule_of(tables, effect.name)
    return rule.escape is not None or (effect.until.ends == "removed" and not rule.until)


def _free(ctx: Context, words: Words) -> None:
    people = words.bearers("who gets free", _conditions)
    said = words.for_each(people, lambda _, who: _free_one(ctx, words, ctx.state[who.id]))
    ctx.text = ", ".join(said)


def _free_one(ctx: Context, words: Words, who: Combatant) -> str:
    """Free one of them, at its price, unless that is prevented; gives what came of it."""
    effect = _read_condition(words, who)
    barred = forbidden(ctx.tables, ctx.state, who, "escape")
    if barred:
        raise Refused(f"{who.name} can't get free of {effect.name} by themself: {barred}")
    if not can_be_escaped(ctx.tables, effect):
        raise Refused(_why_not_escaped(ctx, who, effect))
    prevented = bool(words.take("prevented", "prevent"))
    cost = rule_of(ctx.tables, effect.name).escape or {}
    if cost and ctx.state.phase == "combat" and not ctx.state.takes_turn(who.id):
        raise Refused(f"{who.name} can get free of {effect.name} only in their own turn")
    holder = _holder(ctx, effect) if prevented else ""
    _pay(ctx, who.id, cost, f"to get free of {effect.name}")
    if ctx.state.takes_turn(who.id):
        ctx.emit(Used(who.id, "free"))  # the turn has begun: it can be neither delayed nor swapped
    if prevented:
        _pay(ctx, holder, cost, "to keep the hold")
        return f"{who.name} strains against being {effect.name}, and is held"
    end(ctx, who.id, effect.id, "got free")
    return f"{who.name} gets free"


def _read_condition(words: Words, who: Combatant) -> Effect:
    """Read one of somebody's conditions."""
    have = _conditions(who)
    if not have:
        raise Refused(f"{who.name} has nothing to be freed from")
    return have[words.choice("what from", have)]


def _conditions(who: Combatant) -> dict[str, Effect]:
    """What somebody could get free of by what it is called: the first, of several of one name."""
    found = (e for e in reversed(who.effects) if e.kind == "condition" or is_own(e))
    return {key: effect for effect in found for key in keys_of(effect)}


def _why_not_escaped(ctx: Context, who: Combatant, effect: Effect) -> str:
    lasts = timing.in_words(ctx.state, effect.until, "name")
    lasts = lasts if lasts.startswith("until") else f"until the {lasts}"
    way = "`move` stands up" if effect.name == "prone" else "`remove` takes it away by hand"
    return f"{who.name} is {effect.name} {lasts}, and can't get free of that: {way}"


def _holder(ctx: Context, effect: Effect) -> str:
    """Whoever holds with it. Raises Refused for nobody, and for one who can't hold on."""
    holder = ctx.state.find(effect.source)
    if holder is None:
        raise Refused(f"nobody holds them: {effect.name} has no creature behind it")
    barred = forbidden(ctx.tables, ctx.state, holder, "escape")
    if barred:
        raise Refused(f"{holder.name} can't keep the hold: {barred}")
    return holder.id


def _pay(ctx: Context, who: str, cost: dict[str, int], why: str) -> None:
    for track, amount in cost.items():
        tracks.require(ctx, who, track, amount)
        tracks.mark_track(ctx, who, track, amount, why)


FREEING_VERBS = (
    Verb(
        "free",
        "free NAME[,NAME] CONDITION [prevented]",
        "gets free of a condition, at its cost; `prevented` when the holder pays as much",
        _free,
    ),
)
