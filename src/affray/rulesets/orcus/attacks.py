"""Attacks: combat advantage, what is rolled, and what a hit deals.

How the words of a command describe an attack is in `assaults`, with cover.
Seed 003: Making an Attack, Critical Hits, Coup de Grace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from affray.core.dice.notation import parse_dice
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, forbidden, in_force
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.language.clauses import names
from affray.core.language.refusal import Refused
from affray.core.rules.tables import Tables
from affray.rulekit import harm, leaning, numbers, rolls
from affray.rulekit.numbers import Part, Situation
from affray.rulekit.rolls import Die, Roll
from affray.rulesets.orcus import aftermath, assaults, checks, damage, economy
from affray.rulesets.orcus.assaults import AREAS, UNKNOWN, Assault
from affray.rulesets.orcus.checks import Outcome

HELP_ATTACK, HELP_DEFENSE = "helped-attack", "helped-defense"


# -- the attack ------------------------------------------------------------------------------------


def attack(
    ctx: Context, attacker: Combatant, assault: Assault, what: str, bonus: tuple[Part, ...] = ()
) -> list[Outcome]:
    """Make the attack on each target and let it land; gives the outcomes in their order.

    Each target has a roll of its own; damage is rolled once for all of them. `bonus` is what is
    added beside the weapon's whole bonus and what is said. Raises Refused for what can't be
    attacked so.
    """
    _refuse(ctx, attacker, assault)
    weapon = assault.means
    own = [Part(weapon.bonus, weapon.name), Part(assault.how.plus, "said"), *bonus]
    damage_bonus = numbers.value(checks.here(ctx, ctx.state[attacker.id]), "damage", assault.tags)
    outcomes = [
        _roll_against(ctx, attacker.id, target, assault, die, what, own)
        for target, die in zip(assault.targets, assault.dice_fallen, strict=True)
    ]
    _land(ctx, attacker.id, assault, outcomes, damage_bonus)
    for target, outcome in zip(assault.targets, outcomes, strict=True):
        if outcome != "miss":
            aftermath.afflict(ctx, attacker.id, target, weapon)
    if assault.range in ("ranged", "far") and _can_be_punished(ctx, attacker):
        ctx.emit(Noted(f"a {assault.range} attack provokes"))
    if assault.finishes:
        on = f" on {names(ctx.state[target] for target in assault.finishes)}"
        ctx.emit(Noted(f"a coup de grace{on if len(assault.targets) > 1 else ''}"))
    return outcomes


def _refuse(ctx: Context, attacker: Combatant, assault: Assault) -> None:
    """Raises Refused for whom nobody can attack, for a roll without a bonus, and for attacks that
    something bars, as a form may. An area may hold its maker (seed 003: Targeting Yourself, Form).
    """
    if assault.targets == (attacker.id,) and assault.range not in AREAS:
        raise Refused(f"{attacker.name} can't attack themself")
    for target in (ctx.state[each] for each in assault.targets):
        if target.life == "dead":
            raise Refused(f"{target.name} is dead")
        if assault.deals_damage:
            harm.require_hp(target, "damaged")
    needs_bonus = any(not die.said for die in assault.dice_fallen)
    if needs_bonus and assault.means is UNKNOWN and not assault.how.plus:
        raise Refused(
            f"{attacker.name} has no attack of their own to roll with: "
            "say the outcome, or what is added: `plus 7`"
        )
    if why := forbidden(ctx.tables, ctx.state, attacker, assault.range):
        raise Refused(f"{attacker.name} can't make {assault.range} attacks: {why}")


def _can_be_punished(ctx: Context, attacker: Combatant) -> bool:
    """Whether any enemy has an immediate action for an opportunity attack.

    Seed 003: Ranged and Far Attacks in Close Combat.
    """
    enemies = (c for c in ctx.state.combatants if c.side not in (attacker.side, "world"))
    return ctx.state.phase == "combat" and any(
        not economy.why_no_action(ctx.tables, ctx.state, enemy, "immediate") for enemy in enemies
    )


def _roll_against(
    ctx: Context, by: str, on: str, assault: Assault, die: Die, what: str, own: Sequence[Part]
) -> Outcome:
    """Make one attack roll with all that the situation does to it; uses up what was good for it."""
    attacker, target = ctx.state[by], ctx.state[on]  # as the last roll left them
    facing = checks.here(ctx, target)
    better = list(_better_defense(attacker, facing, assault))
    note = rolls.in_words(better, note=assault.against) if better else ""
    dc = numbers.value(facing, assault.against, more=better)
    in_place = numbers.parts(checks.here(ctx, attacker), "attack", assault.tags)
    parts = (*own, *in_place, *_situation(attacker, facing, assault))
    roll = Roll(by, what, die, parts, against=on, note=note)
    outcome = checks.make(ctx, roll, dc, True, always_crits=on in assault.finishes)
    checks.use_up(ctx, by, ("attack",), assault.tags)
    checks.use_up(ctx, on, (assault.against, "defenses"))
    for bearer, name, other in ((attacker, HELP_ATTACK, on), (target, HELP_DEFENSE, by)):
        for effect in _helps(bearer, name, other):
            end(ctx, bearer.id, effect.id, "used")
    return outcome


def _helps(bearer: Combatant, name: str, enemy: str) -> list[Effect]:
    """Help that lies on somebody for one enemy: `because` says which."""
    return [effect for effect in bearer.all_named(name) if effect.because == enemy]


def _better_defense(attacker: Combatant, target: Situation, assault: Assault) -> Iterator[Part]:
    """What the target's defence gains against this attack."""
    row = target.tables.economy
    for _ in _helps(target.who, HELP_DEFENSE, attacker.id):
        yield Part(row["help"], "helped to defend")
    if assault.range == "ranged" and not assault.is_said("adjacent"):
        for name in leaning.suffered(target, "disadvantage", attacker.id, ("far",)):
            yield Part(row["prone_from_afar"], f"{name}, from afar")


# -- the situation ---------------------------------------------------------------------------------


def _situation(attacker: Combatant, target: Situation, assault: Assault) -> Iterator[Part]:
    """Combat advantage once, whatever gives it; cover and concealment; range; the penalty on what
    leaves out whoever marked the attacker (seed 003: Marked); help."""
    row = target.tables.economy
    if advantage := _combat_advantage(attacker, target, assault):
        yield Part(row["combat_advantage"], f"combat advantage ({advantage})")
    yield from assaults.shelter_parts(attacker, target, assault)
    if assault.is_said("long"):
        yield Part(-row["long_range"], "long range")
    marks = [effect.source for effect in attacker.all_named("marked")]
    if marks and not any(source in assault.targets for source in marks):
        by = target.state.name(marks[0]) if marks[0] else "somebody else"
        yield Part(-row["marked"], f"marked by {by}")
    for _ in _helps(attacker, HELP_ATTACK, target.who.id):
        yield Part(row["help"], "helped")


def _combat_advantage(attacker: Combatant, target: Situation, assault: Assault) -> str:
    """Why the attacker has combat advantage, in a few words; empty when not."""
    if assault.how.flanking is not None:
        _refuse_no_flank(attacker, target, assault.how.flanking)
        return "flanking"
    near = ("near",) if assault.range == "melee" else ()
    why = leaning.suffered(target, "advantage", attacker.id, near)
    if why:
        return why[0]
    return "said" if assault.is_said("advantage") else ""


def _refuse_no_flank(attacker: Combatant, target: Situation, other: str) -> None:
    """Raises Refused when these can't flank that target (seed 003: Flanking)."""
    if target.who.stats.get("all-around-vision"):
        raise Refused(f"{target.who.name} sees all around, so can't be flanked")
    if other in (attacker.id, target.who.id):
        raise Refused(f"flanking takes an ally on the other side of {target.who.name}")
    for who in filter(None, (attacker, target.state.find(other))):
        if why := forbidden(target.tables, target.state, who, "flank"):
            raise Refused(f"{who.name} can't flank: {why}")


def is_helpless(tables: Tables, state: Encounter, who: Combatant) -> bool:
    """Whether a coup de grace can be tried: the helpless, and the unconscious, as we read it."""
    have = in_force(tables, state, who)
    return "helpless" in have or "unconscious" in have


# -- what a hit deals ------------------------------------------------------------------------------


def _land(ctx: Context, by: str, assault: Assault, outcomes: Sequence[Outcome], bonus: int) -> None:
    """Let the damage land where it does: all on a hit, half on a miss that deals half.

    `bonus` is what is added to its dice, or to what was called out, as it was before the rolls used
    it up.
    """
    came = zip(assault.targets, outcomes, strict=True)
    hurt = [(target, outcome) for target, outcome in came if outcome != "miss" or assault.half]
    if not hurt or not assault.deals_damage:
        return
    dice = f"{assault.damage_dice}{bonus:+d}" if bonus else assault.damage_dice
    ordinary = any(outcome != "crit" for _, outcome in hurt)
    usual = _usual(ctx, by, assault, dice) if ordinary else (0, ())
    for target, outcome in hurt:
        if harm.has_just_died(ctx, target):
            continue
        amount, more = usual
        label = ""
        is_called = assault.amount is not None
        if outcome == "crit":
            is_called = is_called and not _is_maximum(assault, ordinary)
            amount, more, label = _critical(ctx, by, assault, target, dice, ordinary)
        blow = damage.Blow(
            amount,
            assault.damage_type,
            by,
            attack=True,
            knockout=assault.is_said("knockout"),
            lethal=target in assault.finishes and outcome == "crit",
            half=outcome == "miss",
            label=label,
            more=more,
            bonus=bonus if is_called else 0,
            reach=assault.range,
        )
        damage.deal(ctx, target, blow)
    checks.use_up(ctx, by, ("damage",), assault.tags)


More = tuple[harm.Part, ...]


def _usual(ctx: Context, by: str, assault: Assault, dice: str) -> tuple[int, More]:
    """What a hit deals that is not critical, and that of other types: as it was called out; else
    the dice, rolled once for all."""
    amount = assault.amount
    if amount is None:
        amount = max(0, rolls.throw_dice(ctx, by, dice, "damage"))
    fell = ((rolls.throw_dice(ctx, by, part.dice, "damage"), part.type) for part in assault.plus)
    return amount, (*assault.more, *fell)


def _is_maximum(assault: Assault, ordinary: bool) -> bool:
    """Whether a critical hit is the most that the dice can do, no number that was called."""
    return assault.amount is None or bool(ordinary and assault.means.dice)


def _critical(
    ctx: Context, by: str, assault: Assault, target: str, dice: str, ordinary: bool
) -> tuple[int, More, str]:
    """A critical hit's damage, that of other types, and the words for it: the most that the dice
    can do, and extra dice, which are rolled.

    A number that was called out is this already, and only extra dice that are asked for are added;
    but not where others have an `ordinary` hit of it, and the dice are known.
    """
    weapon, extra = assault.means, assault.how.extra
    amount, label = assault.amount, ""
    if amount is None or _is_maximum(assault, ordinary):
        amount, label = max(0, parse_dice(dice).maximum), " maximum"
        extra = extra or weapon.extra
    if extra:
        fell = max(0, rolls.throw_dice(ctx, by, extra, "extra damage", target))
        label = f" ({amount}{label} and {fell} extra)"
        amount += fell
    plus = ((parse_dice(part.dice).maximum, part.type) for part in assault.plus)
    return amount, (*assault.more, *plus), label
