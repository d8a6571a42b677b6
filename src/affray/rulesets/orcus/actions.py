"""The actions that lay hands or weapons on somebody.

Orcus, Actions in Combat (Basic Attack, Charge, Coup de Grace, Grapple, Escape a Grapple, Move a
Grappled Creature, Shove), Opportunity Attacks, Free Actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine import durations
from affray.core.engine.effects import effects_in_force, why_cannot
from affray.core.engine.events import LifeChanged, StatChanged, UseCounted
from affray.core.engine.state import Combatant, Duration, EffectRef
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names
from affray.core.parser.declarations import Argument, NoArgs, ParseState, arguments_usage, fields_of
from affray.core.parser.errors import Refused, close_matches, join_or
from affray.core.parser.prompt_fields import ANY_MORE, ASKED_ELSEWHERE, Field, group
from affray.core.parser.tokens import Token
from affray.core.rules.ruleset import Context
from affray.mechanics import checks as shared_checks, holds, stats
from affray.mechanics.actions import DeclaredTechnique, PayFunction, require_other_target
from affray.mechanics.conditions import begin_effect, replace_effect
from affray.mechanics.sheet import size_difference, size_of
from affray.mechanics.stats import StatPart
from affray.rulesets.orcus import (
    action_economy,
    attacks,
    checks,
    companions,
    damage,
    healing,
    movement,
    saves,
    sheet,
)
from affray.rulesets.orcus.action_economy import GRAPPLE, POWERS
from affray.rulesets.orcus.attacks import AttackArgs, AttackModifiers, SingleAttackArgs
from affray.rulesets.orcus.checks import CheckModifiers, Outcome
from affray.rulesets.orcus.sheet import Attack

Bonus = tuple[StatPart, ...]
INCAPACITATED = ("stunned", "unconscious", "petrified")
"""The conditions of a target that a grapple can't miss."""
ESCAPES = {"athletics": "fortitude", "acrobatics": "reflex"}
"""The skills that get out of a grapple, and the grappler's defence against each."""


def attack(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Basic Attack: with the weapon in hand."""
    assault = finishing(ctx, attacks.attack_method(combatant, args))
    _make(ctx, combatant, pay, assault, "attack", "attacks")


def _make(
    ctx: Context,
    combatant: Combatant,
    pay: PayFunction,
    args: AttackArgs,
    what: str,
    does: str,
    bonus: Bonus = (),
) -> None:
    """Pay for an attack, make it, and say so."""
    pay()
    outcomes = attacks.attack(ctx, combatant, args, what, bonus)
    ctx.text = f"{combatant.name} {does} {attacks.attack_text(ctx, args, outcomes)}"


def _melee(ctx: Context, combatant: Combatant, args: AttackArgs, what: str) -> AttackArgs:
    """An attack on one target that has to be made in melee."""
    unarmed = Attack("unarmed", combatant.number("strength"))
    melee = next((a for a in sheet.attacks_of(combatant) if a.reach == "melee"), unarmed)
    assault = attacks.attack_method(combatant, args, melee)
    _require_one(assault, what)
    reach = assault.how.reach or (assault.means.reach if assault.how.weapon else "melee")
    if reach != "melee":
        raise Refused(f"{what} is made in melee, not {reach}")
    return attacks.in_melee(assault)


def _require_one(assault: AttackArgs, what: str) -> None:
    """Raises Refused for more than one target."""
    if len(assault.targets) != 1:
        raise Refused(f"{what} has one target, not {len(assault.targets)}")


def coup_de_grace(ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Coup de Grace: a hit is a critical one, and may kill."""
    assault = must_finish(ctx, attacks.attack_method(combatant, args))
    pay()
    outcomes = attacks.attack(ctx, combatant, assault, attacks.COUP_DE_GRACE)
    text = attacks.attack_text(ctx, assault, outcomes)
    ctx.text = f"{combatant.name} tries a coup de grace on {text}"


def must_finish(ctx: Context, assault: AttackArgs) -> AttackArgs:
    """The attack as a coup de grace. Raises Refused unless its one target is helpless, and near."""
    _require_one(assault, "a coup de grace")
    target = ctx.state[assault.targets[0]]
    if not attacks.is_helpless(ctx.tables, ctx.state, target):
        raise Refused(f"{target.name} is not helpless, so there can be no coup de grace")
    if assault.is_said("reach"):
        raise Refused(f"{target.name} is not adjacent, so there can be no coup de grace")
    return replace(assault, finishes=assault.targets)


def finishing(ctx: Context, assault: AttackArgs) -> AttackArgs:
    """Turn a standard action's attack on adjacent helpless targets into a coup de grace.

    "Adjacent" is `AttackArgs.is_adjacent`; other targets are attacked as usual.
    """
    if not assault.is_adjacent or not assault.deals_damage:
        return assault
    helpless = (
        t for t in assault.targets if attacks.is_helpless(ctx.tables, ctx.state, ctx.state[t])
    )
    return replace(assault, finishes=tuple(helpless))


def opportunity_attack(
    ctx: Context, args: AttackArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """Opportunity Attack: one melee attack at somebody who leaves or turns away.

    It takes the immediate action, which nobody gets back within somebody's turn: so it is never
    made twice against a creature in its turn.
    """
    assault = _melee(ctx, combatant, args, "an opportunity attack")
    pay()  # first: whoever can do nothing is told that, and not that they see nobody
    if unseen := attacks.why_unseen(ctx, combatant, ctx.state[assault.targets[0]], assault):
        seen = f"`{attacks.CLEAR}` if they are seen"
        raise Refused(f"an opportunity attack is made on somebody one sees, but {unseen}: {seen}")
    outcomes = attacks.attack(ctx, combatant, assault, "opportunity attack")
    ctx.text = (
        f"{combatant.name} strikes in passing at {attacks.attack_text(ctx, assault, outcomes)}"
    )


# -- by strength -----------------------------------------------------------------------------------


class PushArgs(Struct, frozen=True):
    """The arguments of an attack with Strength on one, which deals no damage."""

    target: arguments.Target
    die: Annotated[DieInput, attacks.ONE_DIE]
    how: Annotated[AttackModifiers, arguments.keyword_args(AttackModifiers, "WORDS", False)] = (
        AttackModifiers()
    )


def _by_strength(
    ctx: Context, args: PushArgs, combatant: Combatant, defense: str, what: str
) -> AttackArgs:
    """The given attack with Strength. Raises Refused for a weapon."""
    if args.how.weapon:
        raise Refused(f"a {what} deals no damage: expected just TARGET OUTCOME")
    means = Attack("Strength", combatant.number("strength"), defense)
    assault = AttackArgs((args.target.id,), [args.die], how=args.how)
    return attacks.in_melee(attacks.attack_method(combatant, assault, means, ()))


def shove(
    ctx: Context, args: PushArgs, combatant: Combatant, pay: PayFunction, bonus: Bonus = ()
) -> None:
    """Shove: Strength against Fortitude, 1 square away."""
    assault = _by_strength(ctx, args, combatant, "fortitude", "shove")
    _refuse_larger(combatant, args.target, "shove")
    action_economy.refuse_fixed(ctx, args.target)
    _make(ctx, combatant, pay, assault, "shove", "shoves", bonus)


_CHARGE = arguments.variant_arg(
    lambda r: PushArgs if r.words.take_anywhere("shove") else SingleAttackArgs,
    usage=f"{arguments_usage(SingleAttackArgs)} | shove {arguments_usage(PushArgs)}",
    field=group(*fields_of(SingleAttackArgs), Field("said", ("shove",))),
)


class ChargeArgs(Struct, frozen=True):
    """The arguments of `charge`: how it ends, in an attack or a shove."""

    ends_in: Annotated[SingleAttackArgs | PushArgs, _CHARGE]


def charge(ctx: Context, args: ChargeArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Charge: a melee basic attack, or a shove, at +1."""
    bonus = (StatPart(ctx.tables.economy["charge"], "charge"),)
    if isinstance(args.ends_in, PushArgs):
        shove(ctx, args.ends_in, combatant, pay, bonus)
        ctx.text += ", charging"
    else:
        assault = finishing(ctx, _melee(ctx, combatant, args.ends_in, "a charge"))
        _make(ctx, combatant, pay, assault, "charge", "charges", bonus)
    movement.go(ctx, combatant.id)


def _unresisted(reading: ParseState) -> DieInput | None:
    """A die that says nothing, of a grapple with somebody who can't get away."""
    if _is_incapacitated(reading.ctx, reading.values["target"]):
        return _NOT_ROLLED
    return attacks.ONE_DIE.default(reading) if attacks.ONE_DIE.default else None


_NOT_ROLLED = DieInput(final=True)


class GrappleArgs(PushArgs, frozen=True):
    """The arguments of `grapple`; against an incapacitated target no roll is needed."""

    die: Annotated[DieInput, replace(attacks.ONE_DIE, default=_unresisted, usage="[OUTCOME]")]


def grapple(ctx: Context, args: GrappleArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Grapple: Strength against Reflex; the incapacitated can't get away."""
    target = args.target
    require_other_target(combatant, target, "grapple")
    _refuse_larger(combatant, target, "grapple")
    GRAPPLE.require_new(combatant, target)
    resists = not _is_incapacitated(ctx, target)
    assault = _by_strength(ctx, args, combatant, "reflex", "grapple")
    pay()
    outcomes: list[checks.Outcome] = []
    if args.die != _NOT_ROLLED:
        outcomes = attacks.attack(ctx, combatant, assault, "grapple")
    if outcomes != ["miss"] or not resists:
        begin_effect(ctx, target.id, GRAPPLE.effect, source=combatant.id)
    text = (
        attacks.attack_text(ctx, assault, outcomes)
        if resists
        else f"{target.name}, who can't resist"
    )
    ctx.text = f"{combatant.name} grapples {text}"


def _refuse_larger(combatant: Combatant, target: Combatant, done: str) -> None:
    """Raises Refused for a target more than one size larger (Orcus, Grapple, Shove)."""
    if size_difference(target, combatant) > 1:
        sizes = f"{size_of(target)}, and {combatant.name} {size_of(combatant)}"
        raise Refused(f"{target.name} is {sizes}: too large by more than one size to {done}")


def _is_incapacitated(ctx: Context, target: Combatant) -> bool:
    have = effects_in_force(ctx, target)
    return any(name in have for name in INCAPACITATED)


def _read_grappler(reading: ParseState) -> Combatant:
    reading.words.take("from")
    return reading.words.combatant("the grappler")


_FROM = Argument(
    _read_grappler, "from NAME", lambda reading: reading.words.peek() == "from", field=ANY_MORE
)


_SKILL = arguments.choice_arg(
    "a skill", tuple(ESCAPES), field=Field("choice", tuple(ESCAPES), optional=False)
)


class EscapeArgs(Struct, frozen=True, kw_only=True):
    """The arguments of `escape`."""

    skill: Annotated[str, _SKILL] = "athletics"
    grappler: Annotated[Combatant | None, _FROM] = None
    die: checks.Called
    terms: checks.UnaskedModifiers = CheckModifiers()


def escape(ctx: Context, args: EscapeArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Escape a Grapple: Athletics against Fortitude, or Acrobatics against Reflex."""
    grapples = GRAPPLE.on(combatant, args.grappler.id if args.grappler else "")
    if not grapples:
        raise Refused(f"{combatant.name} is not grappled{' by them' if args.grappler else ''}")
    holders = list(dict.fromkeys(effect.source for effect in grapples))
    if len(holders) > 1:
        held_by = join_or(map(ctx.state.name, holders), "and")
        raise Refused(
            f"{combatant.name} is grappled by {held_by}: say `from {holders[0]}`", holders
        )
    pay()
    held = grapples[0]
    other = ctx.state.find(held.source)
    defense = ESCAPES[args.skill]
    dc = stats.stat_value(checks.situation_of(ctx, other), defense) if other is not None else None
    against = other.id if other else ""
    how = (args.skill, args.die, args.terms)
    outcome = checks.contest(ctx, combatant, *how, dc, against, defense if other else "")
    if outcome != "miss":
        GRAPPLE.end(ctx, combatant.id, held.id, "escapes")
    ctx.text = (
        f"{combatant.name} "
        f"{'struggles without success' if outcome == 'miss' else 'escapes the grapple'}"
    )


def _is_held(reading: ParseState) -> bool:
    return (
        not shared_checks.is_die_input(reading.words, checks.OUTCOMES) and reading.words.is_people()
    )


class DragArgs(PushArgs, frozen=True):
    """The arguments of `move-grappled`; the only one who is held needs no name."""

    target: Annotated[
        Combatant,
        replace(
            arguments.combatant_arg("the target", usage="[TARGET]"),
            stands=_is_held,
            default=lambda r: GRAPPLE.only_held(r.ctx.state, r.ctx.actor()),
            field=ASKED_ELSEWHERE,
        ),
    ]


def move_grappled(ctx: Context, args: DragArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Move a Grappled Creature: Strength against Fortitude, then it can be dragged along."""
    assault, target = _by_strength(ctx, args, combatant, "fortitude", "drag"), args.target
    held = EffectRef(target.id, GRAPPLE.require(combatant, target)[0].id)
    action_economy.refuse_fixed(ctx, target)
    pay()
    how = "without success"
    if attacks.attack(ctx, combatant, assault, "drag") != ["miss"]:
        how = "at half the speed"  # until the turn that it is ends, or the grapple
        replace_effect(
            ctx,
            combatant.id,
            "dragging",
            durations.present_turn(ctx.state, combatant.id),
            attached_to=held,
        )
    ctx.text = f"{combatant.name} drags {target.name} along {how}"


class ReleaseArgs(holds.ReleaseArgs, frozen=True):
    """The arguments of `release`; a prompt asks for one who is grappled."""

    target: Annotated[Combatant | None, GRAPPLE.held_arg()] = None


FIGHTING_ACTS: dict[str, DeclaredTechnique] = {
    "attack": DeclaredTechnique(AttackArgs, attack),
    "charge": DeclaredTechnique(ChargeArgs, charge),
    "coup-de-grace": DeclaredTechnique(SingleAttackArgs, coup_de_grace),
    "shove": DeclaredTechnique(PushArgs, shove),
    "grapple": DeclaredTechnique(GrappleArgs, grapple),
    "escape": DeclaredTechnique(EscapeArgs, escape),
    "move-grappled": DeclaredTechnique(DragArgs, move_grappled),
    "release": DeclaredTechnique(ReleaseArgs, GRAPPLE.release),
    "walk": DeclaredTechnique(NoArgs, movement.walk),
    "dash": DeclaredTechnique(NoArgs, movement.dash),
}
REACTIONS = {"opportunity-attack": DeclaredTechnique(SingleAttackArgs, opportunity_attack)}


# -------------------------------------------------------------------------------------------------
# The actions for oneself and for others, and those that work on minds.
#
# Orcus, Create Diversion, Deter, Feint, Help Attack, Help Defense, Rally, Treat Ally, Unnerve,
# Companions.

TREATMENTS = {"first-aid": "treat_first_aid", "save": "treat_save", "wound": "treat_wound"}
"""The ways to treat an ally, and where the tables have the DC of the Heal check for each."""


def _read_enemy(reading: ParseState) -> Combatant:
    reading.words.take("against")
    return reading.words.combatant("the enemy")


class HelpArgs(Struct, frozen=True):
    """The arguments of `help-attack` and `help-defense`."""

    ally: Annotated[
        Combatant, arguments.combatant_arg("the ally", usage="ALLY", field=Field("ally"))
    ]
    enemy: Annotated[Combatant, Argument(_read_enemy, "TARGET", field=Field("target"))]


def _help(
    name: str, how: str, ctx: Context, args: HelpArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """Help Attack, Help Defense: an ally's next attack on one enemy, or defences against theirs."""
    ally, enemy = args.ally, args.enemy
    require_other_target(combatant, ally, "help")
    require_other_target(ally, enemy, "be helped against")
    if enemy.id == combatant.id:
        raise Refused(f"{combatant.name} can't help {ally.name} against themself")
    pay()
    until = companions.next_turn(ctx.state, combatant.id, "end")
    note = f"against {enemy.name}"
    begin_effect(ctx, ally.id, name, until, source=combatant.id, because=enemy.id, note=note)
    ctx.text = f"{combatant.name} helps {ally.name} {how} {enemy.name}"


class RallyArgs(Struct, frozen=True):
    """The arguments of `rally`."""

    companion: companions.With = None


def rally(ctx: Context, args: RallyArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Rally: a recovery, and +2 to all defences; a second recovery for a companion."""
    companion = args.companion
    companions.refuse_others(combatant, companion)
    pay()
    healing.spend_recovery(ctx, combatant.id, "rallies")
    if companion is not None:
        healing.spend_recovery(ctx, companion.id, f"{combatant.name} rallies")
    until = companions.next_turn(ctx.state, combatant.id, "start")
    begin_effect(ctx, combatant.id, "guarded", until, source=combatant.id, because="rallying")
    ctx.text = f"{combatant.name} rallies{f' with {companion.name}' if companion else ''}"


_LATER = Field("choice", ("later",), only_if="save")


class TreatArgs(Struct, frozen=True):
    """The arguments of `treat-ally`; `later`: a save that is helped at the end of the ally's
    turn."""

    ally: Annotated[Combatant, arguments.combatant_arg("the ally", field=Field("ally"))]
    how: Annotated[str, arguments.choice_arg("a kind of treatment", tuple(TREATMENTS))]
    die: checks.Called
    later: Annotated[bool, arguments.flag_arg(field=_LATER)] = False
    terms: checks.UnaskedModifiers = CheckModifiers()


def treat_ally(ctx: Context, args: TreatArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Treat Ally: a Heal check for first aid, a save, or a wound."""
    ally, how = args.ally, args.how
    require_other_target(combatant, ally, "treat")
    if args.later and how != "save":
        raise Refused(f"`later` is only for a save, not {how}")
    if how == "first-aid" and ally.life != "dying":
        raise Refused(f"{ally.name} is not dying, so needs no stabilising")
    if how == "wound" and ally.kind != "pc":
        raise Refused(f"{ally.name} can't be treated for a wound: only player characters rally")
    if how == "wound" and ally.used("rally", "fight"):
        raise Refused(f"{ally.name} has rallied in this encounter already")
    pay()
    dc = int(ctx.tables.economy[TREATMENTS[how]])
    if checks.contest(ctx, combatant, "heal", args.die, args.terms, dc, ally.id) == "miss":
        ctx.text = f"{combatant.name} treats {ally.name} ({how}), without success"
    else:
        ctx.text = f"{combatant.name} treats {ally.name}: {_treated(ctx, combatant, args)}"


def _treated(ctx: Context, combatant: Combatant, args: TreatArgs) -> str:
    """Apply a successful check and return its words; `saves.make` adds the bonus to a later
    save."""
    ally = args.ally.id
    by = f"treated by {combatant.name}"
    if args.how == "first-aid":
        damage.stabilise(ctx, ally, f"first aid by {combatant.name}")
        return "stable"
    if args.how == "wound":
        healing.spend_recovery(ctx, ally, by)
        if ctx.state.in_combat:
            ctx.emit(UseCounted(ally, "rally", "fight"))
        return "a recovery instead of their rally"
    if not args.later:
        return f"a saving throw right away, with `save {ally}`"
    amount = int(ctx.tables.economy["treated"])
    until = durations.turn_edge(ctx.state, ally, "end")
    begin_effect(ctx, ally, saves.TREATED, until, source=combatant.id, note=by, amount=amount)
    return f"{amount} more on a save at the end of the next turn"


# -- on minds --------------------------------------------------------------------------------------

ATTITUDES = ("unfriendly", "hostile")
"""The attitudes of a target; the tables have the bonus of each to its Will against Deter."""


class TalkArgs(Struct, frozen=True):
    """The arguments of deceiving or frightening one."""

    target: arguments.Target
    die: checks.Called
    terms: checks.Modifiers = CheckModifiers()


class TalkToSeveralArgs(Struct, frozen=True):
    """The arguments of deceiving or frightening several, who have a roll each."""

    targets: Annotated[
        list[Combatant],
        arguments.combatants_arg(
            "the targets", arguments.other_combatants_arg, usage="TARGET[,TARGET]"
        ),
    ]
    dice: Annotated[
        list[DieInput],
        shared_checks.die_arg(checks.OUTCOMES, "targets", field=checks.OUTCOME_FIELD),
    ]
    terms: checks.Modifiers = CheckModifiers()


def create_diversion(
    ctx: Context, args: TalkToSeveralArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """Create Diversion: Bluff against the passive Insight of each."""
    for target in args.targets:
        require_other_target(combatant, target, "deceive")
    if blind := why_cannot(ctx, combatant, "see"):
        raise Refused(f"{combatant.name} is {blind}, so can't see targets for a diversion")
    pay()
    each = zip(args.targets, args.dice, strict=True)
    lines = (
        f"{target.name} {_bluff(ctx, combatant, target, die, args.terms)}" for target, die in each
    )
    ctx.text = f"{combatant.name} creates a diversion: {', '.join(lines)}"


def _bluff(
    ctx: Context, combatant: Combatant, target: Combatant, die: DieInput, terms: CheckModifiers
) -> Outcome:
    insight = target.number("passive-insight", -1)
    dc = insight if insight >= 0 else None
    return checks.contest(ctx, combatant, "bluff", die, terms, dc, target.id)


def feint(ctx: Context, args: TalkArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Feint: combat advantage against one enemy until the end of one's next turn."""
    target = args.target
    require_other_target(combatant, target, "deceive")
    pay()
    outcome = _bluff(ctx, combatant, target, args.die, args.terms)
    if outcome != "miss":
        until = companions.next_turn(ctx.state, combatant.id, "end")
        replace_effect(ctx, target.id, "feinted", until, by_source=True, source=combatant.id)
    ctx.text = f"{combatant.name} feints at {target.name}, {outcome}"


_ACTION = Argument(
    lambda r: r.words.next("the action to prevent"),
    "ACTION",
    field=Field("text", ("action",), asked=True),
)


_MOOD = arguments.anywhere_choice_arg(*ATTITUDES, field=Field("choice", ATTITUDES))


class DeterArgs(TalkArgs, frozen=True):
    """The arguments of `deter`; an action in quotes may be none of the rules'."""

    action: Annotated[Token, _ACTION] = Token()
    mood: Annotated[str, _MOOD] = ""
    no_language: arguments.Flag = False


def deter(ctx: Context, args: DeterArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Deter: rules out one action until the end of the target's next turn."""
    target, action = args.target, args.action
    require_other_target(combatant, target, "deter")
    _refuse_unmoved(combatant, [target])
    if all(lost := _lost_senses(ctx, target)):
        lacks = join_or(dict.fromkeys(lost), "and")
        raise Refused(f"{target.name} is {lacks}: neither sees nor hears")
    barred = _barred_action(ctx, target, action)
    pay()
    mood = args.mood or _attitude(target)
    outcome = _intimidate(ctx, combatant, target, args.die, args, mood)
    if outcome != "miss":
        until = durations.turn_edge(ctx.state, target.id, "end")
        begin_effect(
            ctx, target.id, "deterred", until, source=combatant.id, because=barred, note=str(action)
        )
    was = "" if mood == "hostile" else f"; {target.name} is now hostile"
    if _attitude(target) != "hostile":
        ctx.emit(StatChanged(target.id, "attitude", "hostile"))
    what = f" from {action}" if action and outcome != "miss" else ""
    ctx.text = f"{combatant.name} deters {target.name}{what}, {outcome}{was}"


def _lost_senses(ctx: Context, target: Combatant) -> list[str]:
    """Return the reasons that a target can't see and can't hear, each empty if it can."""
    return [why_cannot(ctx, target, sense) for sense in ("see", "hear")]


def _barred_action(ctx: Context, target: Combatant, action: Token) -> str:
    """The id of the action that is ruled out, by which it is barred; empty for one in free words.

    That is a technique, `power` for all powers, or one of the target's. Raises Refused for a word
    without quotes that is none of these.
    """
    ids = {name: name for name in (*ctx.tables.techniques, "ready", POWERS)}
    ids |= {hyphenate(row.name): name for name, row in ctx.tables.techniques.items()}
    for power in sheet.powers_of(target):
        ids[hyphenate(power.name)] = ids[hyphenate(f"power {power.name}")] = (
            f"{POWERS} {power.name}"
        )
    found = ids.get(hyphenate(action), "") if action else ""
    if action and not found and not action.quoted:
        near = close_matches(hyphenate(action), ids)
        hint = (
            (f"did you mean {join_or(near)}?") if near else "put it in quotes to use your own words"
        )
        raise Refused(f"{action!r} is not an action of {target.name}: {hint}", ids)
    return found


def _attitude(target: Combatant) -> str:
    """Unfriendly or hostile, if known; somebody deterred before is hostile."""
    attitude = target.stats.get("attitude")
    return attitude if isinstance(attitude, str) and attitude in ATTITUDES else ""


class UnnerveArgs(TalkToSeveralArgs, frozen=True):
    """The arguments of `unnerve`."""

    no_language: arguments.Flag = False


def unnerve(ctx: Context, args: UnnerveArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Unnerve: the staggered surrender."""
    for target in args.targets:
        require_other_target(combatant, target, "unnerve")
        if target.side == combatant.side:
            raise Refused(f"{target.name} is not an enemy of {combatant.name}")
        if "staggered" not in effects_in_force(ctx, target):
            raise Refused(f"{target.name} is not staggered, so can't be unnerved")
        if lost := next(filter(None, _lost_senses(ctx, target)), ""):
            raise Refused(f"{target.name} is {lost}: only those who see and hear can be unnerved")
    _refuse_unmoved(combatant, args.targets)
    pay()
    lines = []
    for target, die in zip(args.targets, args.dice, strict=True):
        outcome = _intimidate(ctx, combatant, target, die, args, "unnerved")
        if outcome != "miss":
            ctx.emit(LifeChanged(target.id, "defeated", f"surrenders to {combatant.name}"))
        lines.append(f"{target.name} {'is unmoved' if outcome == 'miss' else 'surrenders'}")
    ctx.text = f"{combatant.name} unnerves: {', '.join(lines)}"


def _intimidate(
    ctx: Context,
    combatant: Combatant,
    target: Combatant,
    die: DieInput,
    args: DeterArgs | UnnerveArgs,
    harder: str,
) -> Outcome:
    """Intimidate against Will; a miss rules out another try in this encounter.

    The DC rises by the economy table's amount for `harder` circumstances, and for no shared
    language, by the command or by both sheets.
    """
    row = ctx.tables.economy
    dc = stats.stat_value(checks.situation_of(ctx, target), "will")
    dc += row[harder] if harder else 0
    if args.no_language or not sheet.share_a_language(combatant, target):
        dc += row["no_language"]
    outcome = checks.contest(ctx, combatant, "intimidate", die, args.terms, dc, target.id, "will")
    if outcome == "miss":
        begin_effect(ctx, target.id, "unmoved", Duration("fight"), source=combatant.id)
    return outcome


def _refuse_unmoved(combatant: Combatant, targets: Sequence[Combatant]) -> None:
    unmoved = [t for t in targets if combatant.id in [e.source for e in t.all_named("unmoved")]]
    if unmoved:
        again = f"can't be deterred or unnerved again by {combatant.name} in this encounter"
        raise Refused(f"{join_names(unmoved)} {again}")


HELPING_ACTS: dict[str, DeclaredTechnique] = {
    "rally": DeclaredTechnique(RallyArgs, rally),
    "treat-ally": DeclaredTechnique(TreatArgs, treat_ally),
    "help-attack": DeclaredTechnique(HelpArgs, partial(_help, attacks.HELP_ATTACK, "to attack")),
    "help-defense": DeclaredTechnique(
        HelpArgs, partial(_help, attacks.HELP_DEFENSE, "to hold off")
    ),
    "create-diversion": DeclaredTechnique(TalkToSeveralArgs, create_diversion),
    "feint": DeclaredTechnique(TalkArgs, feint),
    "deter": DeclaredTechnique(DeterArgs, deter),
    "unnerve": DeclaredTechnique(UnnerveArgs, unnerve),
}

ACTS = {**FIGHTING_ACTS, **HELPING_ACTS}
