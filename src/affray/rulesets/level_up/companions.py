"""Creatures under somebody's control: no turns of their own, commanded in their owner's.

Seed 002: Controlling Summons and Multiple Creatures; rules file, 15.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import names, they
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit import acts, leaning, numbers, rolls
from affray.rulekit.placing import Placing, begin
from affray.rulekit.recorded import owner_here, owner_of
from affray.rulekit.rests import forget
from affray.rulesets.level_up import (
    attacks,
    checks,
    damage,
    dying,
    economy,
    sheet,
    totals,
    world,
)
from affray.rulesets.level_up.checks import Try


def passive(state: Encounter, who: Combatant) -> bool:
    """Whether somebody has no turn: who is under control, and the world in a rolling scene."""
    if who is world.here(state):
        return world.is_on(state, world.ROLLING)
    return owner_here(state, who) is not None


def turn_started(ctx: Context, owner: str) -> None:
    """With their owner's turn theirs begins anew, as far as they have one."""
    for each in sheet.owned_by(ctx.state, owner):
        forget(ctx, each.id, "turn")
        economy.turn_started(ctx, each.id)


def _ones_own(reading: Reading) -> list[Combatant]:
    return sheet.owned_by(reading.ctx.state, reading.ctx.actor().id)


class Commanded(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.people("who is commanded", _ones_own)]


def command(ctx: Context, said: Commanded, who: Combatant, pay: acts.Pay) -> None:
    """One bonus action lets one creature, or a group, take its actions now (15.1)."""
    for each in said.people:
        if owner_of(each) != who.id:
            raise Refused(f"{each.name} is not under the control of {who.name}")
        if each.life != "up":
            raise Refused(f"{each.name} can't act: {each.life}")
    pay()
    until = timing.present_turn(ctx.state, who.id)
    for each in said.people:
        if each.named(economy.COMMANDED) is None:
            begin(ctx, each.id, economy.COMMANDED, until, Placing(source=who.id))
    ctx.text = f"{who.name} commands {names(said.people)}"


_CHOICE = replace(arguments.one_of(*dying.CHOICES), begins=lambda r: "die" in r.said)
"""What it brings at 0 HP; `failure` before that is the outcome of the save."""


def _their_attacks(reading: Reading) -> dict[str, sheet.Attack]:
    members: list[Combatant] = reading.said["members"]
    return {attack.name: attack for each in members for attack in sheet.attacks_of(each)}


_WITH = arguments.clause("with", arguments.called("the attack", _their_attacks), asks="weapon")


class GroupAttack(Struct, frozen=True):
    """`group-attack NAME,NAME TARGET OUTCOME [AMOUNT [TYPE]] [dc N] [half] [with NAME]`.

    `dc` is that of an attack that has a save of its own; `half`, that it deals half then too;
    `weapon`, which attack all of them make, where that isn't the first of each.
    """

    members: Annotated[list[Combatant], arguments.people("who attacks", usage="NAME,NAME")]
    target: Annotated[Combatant, arguments.person("who is attacked", usage="TARGET")]
    die: Annotated[rolls.Die, checks.OUTCOME]
    terms: Annotated[checks.Sheltered, arguments.words_of(checks.Sheltered)]
    amount: Annotated[int | None, arguments.amount("damage")] = None
    type: Annotated[str, arguments.damage_type(behind="amount")] = ""
    choice: Annotated[str, _CHOICE] = ""
    dc: Annotated[int | None, rolls.DC] = None
    half: Annotated[bool, arguments.flag()] = False
    weapon: Annotated[sheet.Attack | None, _WITH] = None


def _attack_of(said: GroupAttack) -> sheet.Attack:
    """The attack that all make, with the highest bonus of any of them (15.3). Raises Refused for
    who has no such attack."""
    found = []
    for member in said.members:
        own = sheet.attacks_of(member)
        same = [a for a in own if said.weapon is None or a.name == said.weapon.name]
        if not same:
            lacks = f"no {said.weapon.name}" if said.weapon else "no attack of its own"
            raise Refused(f"{member.name} has {lacks} to attack with")
        found.append(same[0])
    return max(found, key=lambda attack: attack.bonus)


def _group_attack(ctx: Context, said: GroupAttack) -> None:
    """The target saves against all of them at once, the DC 8 and the attack's bonus; each member
    beyond the first adds 1 to it and to the damage; who saves is spared what else comes (15.3)."""
    target, first = said.target, said.members[0].id
    if target in said.members or target.life == "dead":
        raise Refused(f"{target.name} can't be attacked so")
    attack = _attack_of(said)
    if said.die.rolled_here:  # said afterwards, the dice would have to be rolled again
        dying.require_choice(target, said.choice)
    for member in said.members:
        acts.pay(economy.ECONOMY, ctx, member.id, economy.ATTACK)
    dc = len(said.members) - 1 + (8 + attack.bonus if said.dc is None else said.dc)
    trial = Try(target.id, "dex", said.die, save=True, dc=dc, against=first, terms=said.terms)
    saved = checks.attempt(ctx, trial).outcome == checks.SUCCESS
    if not saved or said.half or said.dc is None:
        _deal_as_one(ctx, said, attack, saved)
    if not saved:
        attacks.bring(ctx, first, target.id, attack)
    for member in said.members:
        end_named(ctx, member.id, attacks.HIDDEN, "it attacks")
    came = checks.SUCCESS if saved else checks.FAILURE
    ctx.text = f"{they(said.members, 'attacks', 'attack')} {target.name} as one, save {came}"


def _deal_as_one(ctx: Context, said: GroupAttack, attack: sheet.Attack, half: bool) -> None:
    """Deal the damage of a group's attack, which falls once: 1 more for each member but the
    first (15.3)."""
    target, first = said.target.id, said.members[0].id
    echo = world.echo(ctx, said.type or attack.type)
    called = "" if said.amount is None else said.amount + echo
    parts = attacks.parts_of(ctx, first, attack, called, said.type) or [(0, attack.type)]
    (fell, kind), *rest = parts
    bonus = numbers.value(totals.here(ctx, ctx.state[first]), "damage", against=target)
    leaning.use_up(ctx, totals.NUMBERS, first, ("damage",), against=target)
    blow = damage.Blow(
        [(fell + len(said.members) - 1, kind), *rest],
        first,
        half=half,
        bonus=bonus,
        melee=attack.reach == "melee",
        magical=attack.magical,
        choice=said.choice,
    )
    damage.deal(ctx, target, blow)


class GroupCheck(Struct, frozen=True):
    members: Annotated[list[Combatant], arguments.people("who checks", usage="NAME,NAME")]
    ability: Annotated[str, arguments.choice("an ability", sheet.ABILITIES, "ABILITY")]
    die: Annotated[rolls.Die, checks.OUTCOME]
    terms: Annotated[checks.Terms, arguments.words_of(checks.Terms)]
    dc: Annotated[int | None, rolls.DC] = None


def _group_check(ctx: Context, said: GroupCheck) -> None:
    """One roll for all; of Strength every member beyond the first adds 1 (15.2)."""
    roller, others = said.members[0], len(said.members) - 1
    more = others if said.ability == "str" else 0
    terms = replace(said.terms, plus=said.terms.plus + more)
    trial = Try(roller.id, said.ability, said.die, dc=said.dc, terms=terms)
    came = checks.attempt(ctx, trial).outcome
    ctx.text = f"{names(said.members)} make a {said.ability} check{f', {came}' if came else ''}"


VERBS = (
    declare("group-attack", "attacks as a group: the target saves", GroupAttack, _group_attack),
    declare("group-check", "one roll for a group", GroupCheck, _group_check),
)
