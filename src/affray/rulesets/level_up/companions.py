"""Level Up: companions, which have no turns of their own and are commanded in their owner's.

Level Up, Controlling Summons and Multiple Creatures.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine import durations
from affray.core.engine.effects import end_effects_named
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, names_with_verb
from affray.core.parser.declarations import ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import CompanionRules, Context
from affray.mechanics import actions, checks as shared_checks, stats
from affray.mechanics.conditions import begin_effect
from affray.mechanics.rests import reset_uses
from affray.mechanics.sheet import owner_of, present_owner
from affray.rulesets.level_up import action_economy, checks, dying, scene, settings, sheet
from affray.rulesets.level_up.checks import CheckRequest
from affray.rulesets.srd.action_economy import ATTACK
from affray.rulesets.srd.attacks import HIDDEN, apply_hit_effects, parts_of
from affray.rulesets.srd.checks import FAILURE, SUCCESS, Outcome
from affray.rulesets.srd.damage import DamageInstance, deal
from affray.rulesets.srd.sheet import ABILITIES, ABILITY_NAMES, owned_by


class Companions(CompanionRules):
    """Creatures under somebody's control, which act in their owner's turn."""

    def owner_of(self, combatant: Combatant) -> str:
        return owner_of(combatant)

    def has_no_turn(self, state: Encounter, combatant: Combatant) -> bool:
        """True for a combatant under control, and for the world in a rolling scene."""
        if combatant is scene.world_combatant(state):
            return settings.ROLLING.is_on(state)
        return present_owner(state, combatant) is not None


def on_turn_start(ctx: Context, owner: str) -> None:
    """Begin the companions' turns with their owner's, as far as they have one."""
    for each in owned_by(ctx.state, owner):
        reset_uses(ctx, each.id, "turn")
        action_economy.on_turn_start(ctx, each.id)


def _ones_own(reading: ParseState) -> list[Combatant]:
    return owned_by(reading.ctx.state, reading.ctx.actor().id)


class CommandArgs(Struct, frozen=True):
    people: Annotated[
        list[Combatant],
        arguments.combatants_arg(
            "the creatures to command", _ones_own, field=Field("targets", legal=True)
        ),
    ]


def command(
    ctx: Context, args: CommandArgs, combatant: Combatant, pay: actions.PayFunction
) -> None:
    """One bonus action lets one creature, or a group, take its actions now."""
    for each in args.people:
        if owner_of(each) != combatant.id:
            raise Refused(f"{each.name} is not under the control of {combatant.name}")
        if each.life != "up":
            raise Refused(f"{each.name} can't act: {each.life}")
    pay()
    until = durations.present_turn(ctx.state, combatant.id)
    for each in args.people:
        if each.named(action_economy.COMMANDED) is None:
            begin_effect(ctx, each.id, action_economy.COMMANDED, until, source=combatant.id)
    ctx.text = f"{combatant.name} commands {join_names(args.people)}"


_CHOICE = replace(arguments.anywhere_choice_arg(*dying.CHOICES), begins=lambda r: "die" in r.values)
"""The effect on it at 0 HP; `failure` before that is the outcome of its save."""


def _their_attacks(reading: ParseState) -> dict[str, sheet.Attack]:
    members: list[Combatant] = reading.values["members"]
    return {attack.name: attack for each in members for attack in sheet.attacks_of(each)}


_WITH = arguments.keyword_arg("with", arguments.custom_name_arg("the attack", _their_attacks))


class GroupAttackArgs(Struct, frozen=True):
    """`group-attack NAME,NAME TARGET OUTCOME [AMOUNT [TYPE]] [dc N] [half] [with NAME]`.

    `dc` is that of an attack that has a save of its own; `half`, that it deals half then too;
    `weapon`, which attack all of them make, if that isn't the first of each.
    """

    members: Annotated[
        list[Combatant], arguments.combatants_arg("the attackers", usage="NAME,NAME")
    ]
    target: Annotated[
        Combatant, arguments.combatant_arg("the target of the attack", usage="TARGET")
    ]
    die: Outcome
    terms: checks.CoverModifiers
    amount: Annotated[
        int | None, arguments.amount_arg("damage", field=Field("damage", optional=True))
    ] = None
    type: Annotated[str, arguments.damage_type_arg(requires="amount")] = ""
    choice: Annotated[str, _CHOICE] = ""
    dc: Annotated[int | None, shared_checks.SAID_DC] = None
    half: arguments.Flag = False
    weapon: Annotated[sheet.Attack | None, _WITH] = None


def _attack_of(args: GroupAttackArgs) -> sheet.Attack:
    """The attack that all make, with the highest bonus of any of them. Raises Refused for
    who has no such attack."""
    found = []
    for member in args.members:
        own = sheet.attacks_of(member)
        same = [a for a in own if args.weapon is None or a.name == args.weapon.name]
        if not same:
            lacks = f"no {args.weapon.name}" if args.weapon else "no attack of its own"
            raise Refused(f"{member.name} has {lacks} to attack with")
        found.append(same[0])
    return max(found, key=lambda attack: attack.bonus)


def _group_attack(ctx: Context, args: GroupAttackArgs) -> None:
    """The target saves against all of them at once, DC 8 plus the attack's bonus. Each member
    beyond the first adds 1 to the DC and to the damage. A target who saves avoids the other
    effects."""
    target, first = args.target, args.members[0].id
    if target in args.members or target.life == "dead":
        raise Refused(f"{target.name} can't be attacked that way")
    attack = _attack_of(args)
    if args.die.rolled_here:  # said afterwards, the dice would have to be rolled again
        dying.require_choice(target, args.choice)
    for member in args.members:
        actions.pay(action_economy.ECONOMY, ctx, member.id, ATTACK)
    dc = len(args.members) - 1 + (8 + attack.bonus if args.dc is None else args.dc)
    save = CheckRequest(
        target.id, "dex", args.die, dc, against=first, modifiers=args.terms, save=True
    )
    saved = save.make(ctx).outcome == SUCCESS
    if not saved or args.half or args.dc is None:
        _deal_as_one(ctx, args, attack, saved)
    if not saved:
        apply_hit_effects(ctx, first, target.id, attack)
    for member in args.members:
        end_effects_named(ctx, member.id, HIDDEN, "it attacks")
    outcome = SUCCESS if saved else FAILURE
    ctx.text = (
        f"{names_with_verb(args.members, 'attacks', 'attack')} {target.name} as one, save {outcome}"
    )


def _deal_as_one(ctx: Context, args: GroupAttackArgs, attack: sheet.Attack, half: bool) -> None:
    """Deal the damage of a group's attack, which falls once: 1 more for each member but the
    first."""
    target, first = args.target.id, args.members[0].id
    bonus = scene.scene_damage_bonus(ctx, args.type or attack.type)
    called = "" if args.amount is None else args.amount + bonus
    parts = parts_of(ctx, first, attack, called, args.type) or [(0, attack.type)]
    (amount, kind), *rest = parts
    bonus = stats.stat_value(checks.situation_of(ctx, ctx.state[first]), "damage", against=target)
    stats.use_up(ctx, checks.NUMBERS, first, ("damage",), against=target)
    blow = DamageInstance(
        [(amount + len(args.members) - 1, kind), *rest],
        first,
        half=half,
        bonus=bonus,
        melee=attack.reach == "melee",
        magical=attack.magical,
        choice=args.choice,
    )
    deal(ctx, target, blow)


class GroupCheckArgs(Struct, frozen=True):
    members: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants who make the check", usage="NAME,NAME"),
    ]
    ability: Annotated[str, arguments.choice_arg("an ability", ABILITIES, "ABILITY")]
    die: Outcome
    terms: checks.Modifiers
    dc: Annotated[int | None, shared_checks.DC] = None


def _group_check(ctx: Context, args: GroupCheckArgs) -> None:
    """One roll for all; of Strength every member beyond the first adds 1."""
    roller, others = args.members[0], len(args.members) - 1
    more = others if args.ability == "str" else 0
    terms = replace(args.terms, plus=args.terms.plus + more)
    check = CheckRequest(roller.id, args.ability, args.die, args.dc, modifiers=terms)
    outcome = check.make(ctx).outcome
    ability = f"{'an' if args.ability == 'int' else 'a'} {ABILITY_NAMES[args.ability]}"
    ctx.text = (
        f"{names_with_verb(args.members, 'makes', 'make')} {ability} check"
        f"{f', {outcome}' if outcome else ''}"
    )


COMMANDS = (
    declare_command(
        "group-attack",
        "attacks as a group, against one save of the target",
        GroupAttackArgs,
        _group_attack,
    ),
    declare_command("group-check", "makes one check for a group", GroupCheckArgs, _group_check),
)
