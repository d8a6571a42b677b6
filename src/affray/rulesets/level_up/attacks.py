"""Attacks: what speaks for and against one, the roll, and what a hit deals. Rules file, 4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.dice.notation import parse_dice, roll
from affray.core.heart.events import Rolled
from affray.core.language.clauses import read_dice, read_type
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Share, Verb
from affray.rulesets.level_up import creatures, damage, economy, rolls, totals

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def _attack(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    target = words.combatant("who is attacked")
    weapon = next(iter(creatures.attacks_of(who)), creatures.Attack("attack", 0))
    die = rolls.read_die(words, rolls.ATTACK)
    amount: int | None = words.number("the damage rolled") if words.has_number() else None
    dice = "" if amount is not None or not words.has_dice() else read_dice(words, "the damage")
    kind = read_type(words, lambda: ctx.tables.damage_types, others=False) or weapon.type
    if target.id == who.id or target.life == "dead":
        raise Refused(f"{target.name} can't be attacked so")
    economy.pay(ctx, who.id, "attack")
    dc = totals.number_now(ctx.tables, ctx.state, target, "ac")
    bonus = totals.number_now(ctx.tables, ctx.state, who, "attack")
    parts = (Share(weapon.bonus, weapon.name), Share(bonus, "the situation"))
    throw = rolls.D20(who.id, "attack", die, parts, dc=dc, against=target.id, attack=True)
    outcome = rolls.make(ctx, throw)
    if outcome in ("hit", "crit"):
        if amount is None:
            fell = roll(parse_dice(dice or weapon.dice or "0"), ctx.dice)
            ctx.emit(Rolled(who.id, fell.dice, fell.faces, fell.total, for_="damage"))
            amount = max(0, fell.total)
        blow = damage.Blow(amount, kind, who.id, outcome == "crit", melee=weapon.reach == "melee")
        damage.deal(ctx, target.id, blow)
    ctx.text = f"{who.name} attacks {target.name}, {outcome}"


ATTACK_VERBS = (
    Verb(
        "attack",
        "attack TARGET OUTCOME [AMOUNT [TYPE]] [by NAME]",
        "attacks with the Attack action, or with what is left of it",
        _attack,
        True,
    ),
)
