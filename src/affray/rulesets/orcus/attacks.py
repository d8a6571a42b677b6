"""Attacks: combat advantage, cover, what is rolled, and what a hit deals.

How the words of a command describe an attack is in `assaults`.
Seed 003: Making an Attack, Critical Hits, Coup de Grace.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from affray.core.dice.notation import parse_dice
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, forbidden, in_force
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.language.refusal import Refused, listed
from affray.core.rules.tables import Tables
from affray.rulekit import harm, leaning, numbers, powers, rolls
from affray.rulekit.numbers import Part, Situation
from affray.rulekit.rolls import Die
from affray.rulesets.orcus import assaults, checks, conditions, damage, economy, totals
from affray.rulesets.orcus.assaults import AREAS, Assault
from affray.rulesets.orcus.checks import Outcome

HELP_ATTACK, HELP_DEFENSE = "helped-attack", "helped-defense"


# -- the attack ------------------------------------------------------------------------------------


def attack(
    ctx: Context, attacker: Combatant, assault: Assault, what: str, bonus: tuple[Part, ...] = ()
) -> list[Outcome]:
    """Make the attack on each target and let it land; gives the outcomes in their order.

    Each target has a roll of its own; damage is rolled once for all of them. An area may hold its
    maker (seed 003: Targeting Yourself). Raises Refused for what can't be attacked so.
    """
    if assault.targets == (attacker.id,) and assault.range not in AREAS:
        raise Refused(f"{attacker.name} can't attack themself")
    for target in assault.targets:
        _can_be_attacked(assault, ctx.state[target])
    own = _own_parts(attacker, assault, bonus)
    _refuse_barred(ctx, attacker, assault)
    damage_bonus = numbers.value(totals.here(ctx, ctx.state[attacker.id]), "damage", assault.tags)
    outcomes = [
        roll_against(ctx, attacker, ctx.state[target], assault, die, what, own)
        for target, die in zip(assault.targets, assault.dice_fallen, strict=True)
    ]
    _land(ctx, attacker, assault, outcomes, damage_bonus)
    for target, outcome in zip(assault.targets, outcomes, strict=True):
        if outcome != "miss" and assault.means is not None:
            inflicted = assault.means.inflicts
            powers.afflict(ctx, attacker.id, target, inflicted, conditions.lay_together)
    if assault.range in ("ranged", "far") and _can_be_punished(ctx, attacker):
        ctx.emit(Noted(f"a {assault.range} attack provokes opportunity attacks"))
    if assault.finishes:
        ctx.emit(Noted(_finish_said(ctx, assault)))
    return outcomes


def _finish_said(ctx: Context, assault: Assault) -> str:
    """On whom of several targets it is a coup de grace, for the preview and the log."""
    names = listed([ctx.state.name(target) for target in assault.finishes], "and")
    return "a coup de grace" if len(assault.targets) == 1 else f"a coup de grace on {names}"


def _can_be_punished(ctx: Context, attacker: Combatant) -> bool:
    """Whether any enemy has an immediate action for an opportunity attack.

    Seed 003: Ranged and Far Attacks in Close Combat.
    """
    enemies = (c for c in ctx.state.combatants if c.side not in (attacker.side, "world"))
    return ctx.state.phase == "combat" and any(
        not economy.why_no_action(ctx.tables, ctx.state, enemy, "immediate") for enemy in enemies
    )


def _refuse_barred(ctx: Context, attacker: Combatant, assault: Assault) -> None:
    """Raises Refused where something bars attacks made so, as a form may (seed 003: Form)."""
    why = forbidden(ctx.tables, ctx.state, attacker, assault.range)
    if why:
        raise Refused(f"{attacker.name} can't make {assault.range} attacks: {why}")


def _can_be_attacked(assault: Assault, target: Combatant) -> None:
    if target.life == "dead":
        raise Refused(f"{target.name} is dead")
    if assault.deals_damage:
        harm.require_hp(target, "damaged")


def _own_parts(attacker: Combatant, assault: Assault, bonus: tuple[Part, ...]) -> tuple[Part, ...]:
    """The weapon's whole bonus, and what is said of this attack alone."""
    needs_bonus = any(not die.said for die in assault.dice_fallen)
    if needs_bonus and assault.means is None and not assault.how.plus:
        raise Refused(
            f"{attacker.name} has no attack of their own to roll with: "
            "say the outcome, or what is added: `plus 7`"
        )
    weapon = assault.means
    return (
        *((Part(weapon.bonus, weapon.name),) if weapon else ()),
        *((Part(assault.how.plus, "said"),) if assault.how.plus else ()),
        *bonus,
    )


def roll_against(
    ctx: Context,
    attacker: Combatant,
    target: Combatant,
    assault: Assault,
    die: Die,
    what: str,
    own: Sequence[Part] = (),
) -> Outcome:
    """Make one attack roll with all that the situation does to it; uses up what was good for it.

    `own` is what the attacker brings along: the weapon's bonus, Strength. Raises Refused for a
    flank that is none.
    """
    attacker, target = ctx.state[attacker.id], ctx.state[target.id]  # as the last roll left them
    facing = totals.here(ctx, target)
    crits = target.id in assault.finishes
    better = _better_defense(ctx, attacker, facing, assault)
    note = rolls.in_words(better, note=assault.against) if better else ""
    dc = numbers.value(facing, assault.against, more=better)
    parts = (*own, *_attackers_parts(ctx, attacker, facing, assault))
    check = checks.Check(attacker.id, what, parts, dc, die, target.id, True, crits, note=note)
    outcome = checks.make(ctx, check)
    totals.use_up(ctx, attacker.id, ("attack",), assault.tags)
    totals.use_up(ctx, target.id, (assault.against, "defenses"))
    _use_up_help(ctx, attacker, target)
    return outcome


def _attackers_parts(
    ctx: Context, attacker: Combatant, target: Situation, assault: Assault
) -> list[Part]:
    """What the attacker adds as things are: what is in force, the situation, and help."""
    helps = _helps(attacker, HELP_ATTACK, target.who.id)
    return [
        *numbers.parts(totals.here(ctx, attacker), "attack", assault.tags),
        *_situation(ctx, attacker, target, assault),
        *(Part(ctx.tables.economy["help"], "helped") for _ in helps),
    ]


def _use_up_help(ctx: Context, attacker: Combatant, target: Combatant) -> None:
    for effect in _helps(attacker, HELP_ATTACK, target.id):
        end(ctx, attacker.id, effect.id, "used")
    for effect in _helps(target, HELP_DEFENSE, attacker.id):
        end(ctx, target.id, effect.id, "used")


def _helps(bearer: Combatant, name: str, enemy: str) -> list[Effect]:
    """Help that lies on somebody for one enemy: `because` says which."""
    return [e for e in bearer.effects if e.name == name and e.because == enemy]


def _better_defense(
    ctx: Context, attacker: Combatant, target: Situation, assault: Assault
) -> list[Part]:
    """What the target's defence gains against this attack."""
    economy = ctx.tables.economy
    guards = _helps(target.who, HELP_DEFENSE, attacker.id)
    better = [Part(economy["help"], "helped to defend") for _ in guards]
    if assault.range == "ranged" and not assault.is_said("adjacent"):
        low = leaning.suffered(target, "disadvantage", attacker.id, ("far",))
        better += [Part(economy["prone_from_afar"], f"{name}, from afar") for name in low]
    return better


# -- the situation ---------------------------------------------------------------------------------


def _situation(
    ctx: Context, attacker: Combatant, target: Situation, assault: Assault
) -> list[Part]:
    """Combat advantage once, whatever gives it; cover, concealment, range, a mark."""
    economy = ctx.tables.economy
    advantage = combat_advantage(ctx, attacker, target, assault)
    found = [Part(economy["combat_advantage"], f"combat advantage ({advantage})")]
    if not advantage:
        found = []
    found += assaults.shelter_parts(ctx, attacker, target, assault)
    if assault.is_said("long"):
        found.append(Part(-economy["long_range"], "long range"))
    return [*found, *_mark(ctx, attacker, assault)]


def _mark(ctx: Context, attacker: Combatant, assault: Assault) -> list[Part]:
    """The penalty on attacks that leave out whoever marked the attacker (seed 003: Marked)."""
    marks = [e for e in attacker.effects if e.name == "marked"]
    if not marks or any(mark.source in assault.targets for mark in marks):
        return []
    by = ctx.state.name(marks[0].source) if marks[0].source else "somebody else"
    return [Part(-int(ctx.tables.economy["marked"]), f"marked by {by}")]


def combat_advantage(ctx: Context, attacker: Combatant, target: Situation, assault: Assault) -> str:
    """Why the attacker has combat advantage, in a few words; empty when not.

    Raises Refused for flanking where nobody can flank.
    """
    why = []
    if assault.how.flanking is not None:
        _can_flank(ctx, attacker, target.who, assault)
        why.append("flanking")
    near = ("near",) if assault.range == "melee" else ()
    why += leaning.suffered(target, "advantage", attacker.id, near)
    if assault.is_said("advantage"):
        why.append("said")
    return why[0] if why else ""


def _can_flank(ctx: Context, attacker: Combatant, target: Combatant, assault: Assault) -> None:
    """Raises Refused when these can't flank that target (seed 003: Flanking)."""
    if target.stats.get("all-around-vision"):
        raise Refused(f"{target.name} sees all around, so can't be flanked")
    ally = ctx.state.find(assault.how.flanking) if assault.how.flanking else None
    if ally is not None and ally.id in (attacker.id, target.id):
        raise Refused(f"flanking takes an ally on the other side of {target.name}")
    for who in (attacker, *((ally,) if ally is not None else ())):
        why = forbidden(ctx.tables, ctx.state, who, "flank")
        if why or who.life != "up":
            raise Refused(f"{who.name} can't flank: {why or who.life}")


def is_helpless(tables: Tables, state: Encounter, who: Combatant) -> bool:
    """Whether a coup de grace can be tried: the helpless, and the unconscious, as we read it."""
    have = in_force(tables, state, who)
    return "helpless" in have or "unconscious" in have


# -- what a hit deals ------------------------------------------------------------------------------


def _land(
    ctx: Context, attacker: Combatant, assault: Assault, outcomes: Sequence[Outcome], bonus: int
) -> None:
    """Let the damage land where it does: all on a hit, half on a miss that deals half.

    `bonus` is what is added to its dice, as it was before the rolls used it up.
    """
    hurt = [
        (target, outcome)
        for target, outcome in zip(assault.targets, outcomes, strict=True)
        if outcome != "miss" or assault.half
    ]
    if not hurt or not assault.deals_damage:
        return
    came = [outcome for _, outcome in hurt]
    amount = _amount(ctx, attacker, assault, came, bonus)
    more = _more(ctx, attacker, assault, came)
    to_maximise = _for_the_critical(assault, came)
    for target, outcome in hurt:
        if harm.has_just_died(ctx, target):
            continue
        dealt, label = amount, ""
        if outcome == "crit":
            dealt, label = _critical(ctx, attacker, to_maximise, target, amount, bonus)
        blow = damage.Blow(
            dealt,
            assault.damage_type,
            attacker.id,
            attack=True,
            knockout=assault.is_said("knockout"),
            lethal=target in assault.finishes and outcome == "crit",
            half=outcome == "miss",
            label=label,
            more=more["crit" if outcome == "crit" else "hit"],
        )
        damage.deal(ctx, target, blow)
    totals.use_up(ctx, attacker.id, ("damage",), assault.tags)


def _amount(
    ctx: Context, attacker: Combatant, assault: Assault, outcomes: list[Outcome], bonus: int
) -> int:
    """What was called out; else dice, rolled once for all that are not critical."""
    if assault.amount is not None:
        return assault.amount
    if all(outcome == "crit" for outcome in outcomes):
        return 0
    dice = _with_bonus(assault.damage_dice, bonus)
    return max(0, rolls.throw_dice(ctx, attacker.id, dice, "damage"))


def _more(
    ctx: Context, attacker: Combatant, assault: Assault, outcomes: list[Outcome]
) -> dict[str, tuple[harm.Part, ...]]:
    """What falls of other types, on a hit and on a critical one: as it was called out; else the
    attack's own dice, rolled once for all, at their maximum on a critical hit."""
    if assault.fallen is not None or assault.means is None:
        return {"hit": assault.more, "crit": assault.more}
    plus = assault.means.plus
    most = tuple((parse_dice(part.dice).maximum, part.type) for part in plus)
    if all(outcome == "crit" for outcome in outcomes):
        return {"hit": (), "crit": most}
    fell = ((rolls.throw_dice(ctx, attacker.id, part.dice, "damage"), part.type) for part in plus)
    return {"hit": tuple(fell), "crit": most}


def _with_bonus(dice: str, bonus: int) -> str:
    return f"{dice}{bonus:+d}" if bonus else dice


def _for_the_critical(assault: Assault, outcomes: list[Outcome]) -> Assault:
    """The attack as its critical hits have it.

    A number that was called out for others as well is what they take, and so no maximum: that is
    found from the dice, where they are known.
    """
    also_others = any(outcome != "crit" for outcome in outcomes)
    if assault.amount is None or not also_others or assault.means is None:
        return assault
    return replace(assault, fallen=None) if assault.means.dice else assault


def _critical(
    ctx: Context, attacker: Combatant, assault: Assault, target: str, amount: int, bonus: int
) -> tuple[int, str]:
    """A critical hit's damage: the most that the dice can do, and extra dice, which are rolled.

    A number that was called out is this already; only extra dice that are asked for are added.
    """
    if assault.amount is None:
        most = parse_dice(_with_bonus(assault.damage_dice, bonus)).maximum
        amount, label = max(0, most), " maximum"
    else:
        label = ""
    if assault.extra_dice:
        dice = assault.extra_dice
        more = max(0, rolls.throw_dice(ctx, attacker.id, dice, "extra damage", target))
        label = f" ({amount}{label} and {more} extra)"
        amount += more
    return amount, label
