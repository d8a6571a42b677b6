"""Adventure School: stunts, opportunity attacks, and grabbing, tripping, pushing, pulling,
disarming and distracting enemies. A grab is an effect on the one grabbed, with its grabber as
source; its effects by size depend on it.

Adventure School, Stunt, Opportunity Attack, Grab, Size, Trip, Push, Pull, Disarm, Distract.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine import durations
from affray.core.engine.durations import Until
from affray.core.engine.effects import EffectSpec, effects_in_force, remove_effect
from affray.core.engine.state import Combatant, Duration, EffectRef
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import ParseState
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.mechanics import holds
from affray.mechanics.actions import DeclaredTechnique, PayFunction, require_other_target
from affray.mechanics.checks import die_arg
from affray.mechanics.conditions import begin_effect, replace_effect, until_arg
from affray.mechanics.stats import forbidding_effects, sum_parts
from affray.rulesets.adventure_school import attacks, checks, conditions, contests, sheet
from affray.rulesets.adventure_school.action_economy import pay_by_move
from affray.rulesets.adventure_school.attacks import DISARMED, DISTRACTED, WeaponAttackModifiers
from affray.rulesets.adventure_school.checks import PASS, PASSES, SKILL, CheckRequest
from affray.rulesets.adventure_school.damage import DAMAGE
from affray.rulesets.adventure_school.resources import gain_diminish
from affray.rulesets.adventure_school.stats import GRAB, GRABBED, GRABBING, larger_by, situation_of

_CONDITION = arguments.choice_arg(
    "a condition", lambda r: conditions.conditions_of(r.ctx.tables), "CONDITION", Field("condition")
)

_SHORT = replace(conditions.LASTING, offered=("start", "end"))


_ROLLED_BY_TARGET = replace(checks.OUTCOME_FIELD, options=("target", *checks.OUTCOME_FIELD.options))


class StuntArgs(Struct, frozen=True):
    """`stunt TARGET CONDITION OUTCOME [DURATION] [dc N] [with NAME]`."""

    target: arguments.Target
    condition: Annotated[str, _CONDITION]
    die: Annotated[DieInput, checks.outcome(field=_ROLLED_BY_TARGET)]
    words: Annotated[WeaponAttackModifiers, arguments.keyword_args(WeaponAttackModifiers, "WORDS")]
    terms: Annotated[EffectSpec, until_arg(_SHORT, "DURATION")] = EffectSpec()


def stunt(ctx: Context, args: StuntArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Replace one attack by a stunt: the target saves, or has a condition for a short while. The DC
    is the bonus to hit itself (ruling 8) with its modifiers; advantage on the attack is
    disadvantage on the save, and the reverse."""
    target, words = args.target, args.words
    swing = attacks.weapon_attack(combatant, target, args.die, words, name="stunt", one_of=True)
    attacks.pay_one(ctx, swing, pay)
    roller = situation_of(ctx, ctx.state[combatant.id])
    bonus = sum_parts(swing.numbers, swing.parts(ctx, roller))
    dc = bonus if words.dc is None else words.dc
    save = CheckRequest(target.id, "health", args.die, dc, combatant.id, kind="save")
    pro, con = swing.reasons(ctx, roller)
    if not (pro and con):
        save = replace(save, pro=tuple(con), con=tuple(pro))
    outcome = save.make(ctx).outcome
    attacks.after_attack(ctx, swing)
    if outcome not in PASSES:
        until = args.terms.until or Until("turn")
        spec = EffectSpec(args.condition, until=until, source=combatant.id)
        conditions.apply_condition(ctx, target.id, spec)
        gain_diminish(ctx, combatant.id, words.diminish, swing.weapon.name)
    ctx.text = f"{combatant.name} tries a stunt on {target.name}, {args.condition}: save {outcome}"


_REASONS = {"disengaged": "has disengaged", "hidden": "is hidden"}
"""The effects of those who provoke no opportunity attacks, with their words."""


class OpportunityAttackArgs(Struct, frozen=True):
    """`react opportunity-attack TARGET OUTCOME [DAMAGE] ...`."""

    target: Annotated[
        Combatant, arguments.combatant_arg("the combatant who leaves the reach", usage="TARGET")
    ]
    die: Annotated[DieInput, checks.attack_outcome()]
    words: Annotated[WeaponAttackModifiers, arguments.keyword_args(WeaponAttackModifiers, "WORDS")]
    rolled_damage: Annotated[attacks.RolledDamage, DAMAGE] = ()


def opportunity(
    ctx: Context, args: OpportunityAttackArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """One melee attack on somebody who leaves one's reach."""
    target = args.target
    why = next((_REASONS[e.name] for e in target.effects if e.name in _REASONS), "")
    if why:
        raise Refused(f"{target.name} {why}, and provokes no opportunity attacks")
    distracting = [effect.source for effect in combatant.all_named(DISTRACTED)]
    if distracting and target.id not in distracting:
        raise Refused(f"{combatant.name} is distracted, by somebody else than {target.name}")
    what = {"name": "opportunity attack", "rolled_damage": args.rolled_damage}
    swing = attacks.weapon_attack(combatant, target, args.die, args.words, **what)
    if swing.weapon.ranged and args.words.weapon is None:
        melee = (attack for attack in sheet.attacks_of(combatant) if not attack.ranged)
        swing = replace(swing, weapon=next(melee, swing.weapon))
    if swing.ranged:
        raise Refused("an opportunity attack is a melee attack")
    attacks.refuse(ctx, swing)
    pay()
    outcome = attacks.in_words([attacks.attack(ctx, swing)], args.rolled_damage)
    ctx.text = f"{combatant.name} attacks {target.name} as it leaves{outcome}"


# -- hand to hand ----------------------------------------------------------------------------------


def _lay_hands(
    ctx: Context,
    name: str,
    args: contests.ContestedActionArgs,
    combatant: Combatant,
    pay: PayFunction,
) -> bool:
    """Pay for a contest hand to hand, make it, and tell it; returns True if it was won. It is a
    hostile act against the other, and ends hiding."""
    target = args.target
    require_other_target(combatant, target, name)
    conditions.mind_the_charmer(ctx, combatant.id, target.id)
    pay()
    contests.acts_against(ctx, combatant.id, target.id)
    conditions.end_charms(ctx, target.id, combatant.id)
    contests.reveal(ctx, combatant.id, f"it touches {target.name}")
    won = contests.struggle(ctx, name, combatant, args)
    if won:
        contests.reveal(ctx, target.id, f"{combatant.name} touches it")
    ctx.text = f"{combatant.name} {_does(ctx, name, won)} {target.name}"
    return won


def _does(ctx: Context, name: str, won: bool) -> str:
    """The verb for who won or lost a contest: "trips", "fails to trip"."""
    return str(ctx.tables.economy["contests"][name]["won"]) if won else f"fails to {name}"


def trip(
    ctx: Context, args: contests.ContestedActionArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """Strength or roguery against strength or agility: won, the other is prone."""
    if _lay_hands(ctx, "trip", args, combatant, pay):
        conditions.fall_prone(ctx, args.target.id)


def _shove(
    name: str,
    ctx: Context,
    args: contests.ContestedActionArgs,
    combatant: Combatant,
    pay: PayFunction,
) -> None:
    """A push or a pull: 5 feet, 5 more for each size that one is bigger, 5 less if smaller."""
    if _lay_hands(ctx, name, args, combatant, pay):
        feet = int(ctx.tables.economy["push"]) * max(0, 1 + larger_by(combatant, args.target))
        ctx.text += f" {feet} feet"


# -- grab ------------------------------------------------------------------------------------------


def _is_helpless(ctx: Context, combatant: Combatant) -> bool:
    """True if somebody is grabbed without fail, so that nobody has to say how it comes out."""
    return bool(forbidding_effects(ctx.tables, effects_in_force(ctx, combatant), "withstand-grab"))


_GRABS = die_arg(
    checks.OUTCOMES,
    field=checks.OUTCOME_FIELD,
    may_lack=lambda reading: _is_helpless(reading.ctx, reading.values["target"]),
)


class GrabArgs(contests.ContestedActionArgs, frozen=True, kw_only=True):
    """`grab TARGET [SKILL] OUTCOME [THEIRS]`; the incapacitated need no outcome."""

    die: Annotated[DieInput, _GRABS]


def grab(ctx: Context, args: GrabArgs, combatant: Combatant, pay: PayFunction) -> None:
    """A contest, the larger one at an advantage; the incapacitated are grabbed without fail."""
    target = args.target
    GRAB.require_new(combatant, target)
    if _is_helpless(ctx, target):
        args = replace(args, die=DieInput(PASS))
    if _lay_hands(ctx, "grab", args, combatant, pay):
        conditions.apply_condition(ctx, target.id, EffectSpec(GRABBED, source=combatant.id))


def apply_invariants(ctx: Context, combatant_id: str) -> None:
    """Give each grab the effects for the sizes, as long as it lasts."""
    before = ctx.before.find(combatant_id)
    held_before = before is not None and before.named(GRABBING) is not None
    held = GRAB.held_by(ctx.state, combatant_id) if held_before else []
    for each in (combatant_id, *(one.id for one in held)):
        _settle_grabs_on(ctx, each)


def _settle_grabs_on(ctx: Context, combatant_id: str) -> None:
    """Begin the effects of new grabs. A holder whose grab was removed by hand has let go."""
    before = ctx.before.find(combatant_id)
    for grip in GRAB.on(ctx.state[combatant_id]):
        holder, hold = ctx.state.find(grip.source), EffectRef(combatant_id, grip.id)
        if holder is None or any(effect.attached_to == hold for effect in holder.effects):
            continue
        if before is not None and before.effect(grip.id) == grip:
            remove_effect(ctx, combatant_id, grip.id, f"{holder.name} lets go")
        else:
            _take_hold(ctx, ctx.state[combatant_id], holder, hold)


def _take_hold(ctx: Context, held: Combatant, holder: Combatant, hold: EffectRef) -> None:
    """Apply a grab by the sizes of both; `totals.slows` has the speeds."""
    rows = ctx.tables.economy["grabs"]
    row = rows[min(len(rows) - 1, max(0, larger_by(held, holder)))]
    begin_effect(ctx, holder.id, GRABBING, None, hold, source=held.id, note=held.name)
    for combatant, because in ((holder, GRABBING), (held, GRABBED)):
        for name in row[because]:
            if not conditions.why_not(ctx, combatant, name):
                begin_effect(ctx, combatant.id, name, None, hold, because=because)


# -- getting free, and letting go ------------------------------------------------------------------


_FROM = arguments.keyword_arg("from", arguments.combatant_arg("the holder"))


class EscapeArgs(Struct, frozen=True, kw_only=True):
    """`escape [move] [SKILL] OUTCOME [THEIRS] [from NAME]`."""

    takes: Annotated[str, arguments.choice_arg("the price", ("move",))] = ""
    skill: Annotated[str, SKILL] = ""
    die: checks.Outcome
    words: Annotated[contests.ContestModifiers, arguments.keyword_args(contests.ContestModifiers)]
    holder: Annotated[Combatant | None, _FROM] = None


def escape(ctx: Context, args: EscapeArgs, combatant: Combatant, pay: PayFunction) -> None:
    """A contest against each who holds it, for the action or the whole movement."""
    grabs = GRAB.on(combatant, args.holder.id if args.holder is not None else "")
    if not grabs:
        by = f" by {args.holder.name}" if args.holder is not None else ""
        raise Refused(f"{combatant.name} isn't grabbed{by}")
    if args.takes:
        pay_by_move(ctx, combatant, pay, still=True)
    else:
        pay()
    mine = CheckRequest(
        combatant.id, args.skill or contests.STRENGTH, args.die, modifiers=args.words
    )
    holders = dict.fromkeys(grip.source for grip in grabs if grip.source)
    rivals = [CheckRequest(holder, contests.STRENGTH, against=combatant.id) for holder in holders]
    verdict = contests.contest(ctx, mine, rivals, args.words.theirs)
    beaten = {*verdict.beaten, *([""] if verdict.won else [])}  # "": a grab of nobody's, by hand
    for grip in grabs:
        if grip.source in beaten:
            remove_effect(ctx, combatant.id, grip.id, "escaped")
    free_of = join_names(ctx.state[holder] for holder in verdict.beaten)
    does = f"escapes {free_of}".strip() if verdict.won else "tries to escape without success"
    ctx.text = f"{combatant.name} {does}"


class ReleaseArgs(holds.ReleaseArgs, frozen=True):
    """`release [TARGET]`."""

    target: Annotated[Combatant | None, GRAB.held_arg()] = None


def _weapons(reading: ParseState) -> list[str]:
    return [name.casefold() for name in sheet.weapons_of(reading.values["target"])]


_NAMED = arguments.choice_arg(
    "the weapon", _weapons, "WEAPON", Field("text", ("weapon",), asked=True)
)
WEAPON = replace(_NAMED, stands=lambda r: r.words.upcoming.quoted or _NAMED.stands(r))
"""One of the target's weapons; a name of several words is in quotes."""


class DisarmArgs(Struct, frozen=True, kw_only=True):
    """`disarm TARGET [WEAPON] [SKILL] OUTCOME [THEIRS] [held]`."""

    target: arguments.Target
    weapon: Annotated[str, WEAPON] = ""
    skill: Annotated[str, SKILL] = ""
    die: checks.Outcome
    words: Annotated[contests.ContestModifiers, arguments.keyword_args(contests.ContestModifiers)]
    held: arguments.Heard = False


def disarm(ctx: Context, args: DisarmArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Strength against strength: the weapon is out of the hand until it is picked up. One that
    can't be let go is `held`: the larger attack with it at a disadvantage, others not."""
    target, weapon = args.target, _weapon(args.target, args.weapon)
    tries = contests.ContestedActionArgs(target, skill=args.skill, die=args.die, words=args.words)
    won = _lay_hands(ctx, "disarm", tries, combatant, pay)
    ctx.text += f" of {weapon}"
    if not won or conditions.why_not(ctx, target, DISARMED):
        return
    until = Duration(says=f"{combatant.name} lets go of it") if args.held else None
    worse = ("weapon",) if args.held and larger_by(target, combatant) > 0 else ()
    begin_effect(
        ctx, target.id, DISARMED, until,
        source=combatant.id, disadvantage=worse,
        note=weapon, only_with=(weapon,), type="held" if args.held else "",
    )  # fmt: skip


def _weapon(combatant: Combatant, text: str) -> str:
    """The weapon from the sheet; without a name the first one in hand."""
    lost = [effect.note for effect in combatant.all_named(DISARMED)]
    there = [name for name in sheet.weapons_of(combatant) if name not in lost]
    found = next((name for name in there if text in ("", name.casefold())), None)
    if found is None:
        raise Refused(f"{combatant.name} has no {text or 'weapon'} in hand")
    return found


class DistractArgs(contests.ContestedActionArgs, frozen=True, kw_only=True):
    """`distract TARGET [SKILL] OUTCOME [dc N | THEIRS]`."""

    dc: Annotated[int | None, checks.DC] = None


def distract(ctx: Context, args: DistractArgs, combatant: Combatant, pay: PayFunction) -> None:
    """A test: until the start of one's next turn everybody else hits the other easily. It
    draws the other's eyes, from which nobody hides."""
    target, words = args.target, args.words
    require_other_target(combatant, target, "distract")
    if args.dc is None and words.theirs is None and not args.die.outcome:
        raise Refused("the rules give no DC to distract: give `dc N`, `vs ...` or the outcome")
    conditions.mind_the_charmer(ctx, combatant.id, target.id)
    pay()
    contests.acts_against(ctx, combatant.id, target.id)
    contests.reveal(ctx, combatant.id, "it draws attention")
    if words.theirs is None:
        skill = args.skill or contests.STRENGTH
        check = CheckRequest(combatant.id, skill, args.die, args.dc, target.id, words)
        won = check.make(ctx).outcome in PASSES
    else:
        won = contests.struggle(ctx, "distract", combatant, args)
    kept_off = conditions.why_not(ctx, target, DISTRACTED) if won else ""
    if kept_off:
        ctx.note(kept_off, target.id)
    elif won:
        until = durations.turn_edge(ctx.state, combatant.id, "start")
        replace_effect(ctx, target.id, DISTRACTED, until, by_source=True, source=combatant.id)
    ctx.text = f"{combatant.name} {_does(ctx, 'distract', won)} {target.name}"


_CONTESTS = {
    "grab": DeclaredTechnique(GrabArgs, grab),
    "escape": DeclaredTechnique(EscapeArgs, escape),
    "trip": DeclaredTechnique(contests.ContestedActionArgs, trip),
    "push": DeclaredTechnique(contests.ContestedActionArgs, partial(_shove, "push")),
    "pull": DeclaredTechnique(contests.ContestedActionArgs, partial(_shove, "pull")),
    "disarm": DeclaredTechnique(DisarmArgs, disarm),
    "distract": DeclaredTechnique(DistractArgs, distract),
}
ACTS = {
    "stunt": DeclaredTechnique(StuntArgs, stunt),
    "release": DeclaredTechnique(ReleaseArgs, GRAB.release),
    **{name: contests.left_to_players(name, act) for name, act in _CONTESTS.items()},
}
REACTIONS = {"opportunity-attack": DeclaredTechnique(OpportunityAttackArgs, opportunity)}
