"""The sheet's attacks that a power makes, each a roll and damage of its own, for one action.

    power "Claw Fury" mira,mira natural 12,9 8,6 with claw,bite

Seed 003: Use a Power, Power Attack Rolls.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.mechanics.checks import DieInput
from affray.mechanics.damage import has_just_died
from affray.rulesets.orcus import actions, attacks
from affray.rulesets.orcus.attacks import DICE_OF_TARGETS, TYPE, AttackArgs, AttackModifiers
from affray.rulesets.orcus.checks import Outcome
from affray.rulesets.orcus.sheet import Power

_SEVERAL = re.compile(r"\d{1,4}(,\d{1,4})+$")


def _read_each(reading: ParseState) -> tuple[str, ...]:
    """Whom each blow strikes: who is named twice is struck twice."""
    found = reading.words.combatants("who is attacked", again=True)
    return tuple(combatant.id for combatant in found)


def _read_amounts(reading: ParseState) -> tuple[int | str, ...]:
    tokens = reading.words
    if _SEVERAL.match(tokens.peek()):
        return tuple(int(part) for part in tokens.next("the damage rolled").split(","))
    return (arguments.damage_arg().read(reading),)


_EACH = Argument(_read_each, "TARGET[,TARGET]", field=Field("targets"))
_FALLEN = Argument(
    _read_amounts,
    "DAMAGE[,DAMAGE]",
    lambda r: r.words.has_amount() or bool(_SEVERAL.match(r.words.peek())),
    field=Field("damage"),
)


class PowerAttackArgs(Struct, frozen=True):
    """Several attacks of one power: a target, a die and a damage for each, or one for all."""

    targets: Annotated[tuple[str, ...], _EACH]
    dice_fallen: Annotated[list[DieInput], DICE_OF_TARGETS]
    amount_rolled: Annotated[tuple[int | str, ...], _FALLEN] = ()
    type: Annotated[str, TYPE] = ""
    how: Annotated[AttackModifiers, arguments.keyword_args(AttackModifiers, "WORDS")] = (
        AttackModifiers()
    )


def apart(
    ctx: Context, combatant: Combatant, power: Power, args: PowerAttackArgs
) -> list[AttackArgs]:
    """Each blow as an attack. Raises Refused for weapons or damage that don't go with them."""
    count = len(args.targets)
    weapons = (args.how.weapon or power.makes).split(",")
    for what, row in (("attacks", weapons), ("amounts of damage", args.amount_rolled)):
        if len(row) > 1 and len(row) != count:
            raise Refused(f"{len(row)} {what} for {count} blows: name one, or one for each blow")
    found = []
    for i, (target, die) in enumerate(zip(args.targets, args.dice_fallen, strict=True)):
        how = replace(args.how, weapon=weapons[i % len(weapons)])
        amount_rolled = (
            args.amount_rolled[i % len(args.amount_rolled)] if args.amount_rolled else None
        )
        blow = AttackArgs((target,), [die], amount_rolled, args.type, how=how)
        attack_args = attacks.attack_method(combatant, blow, keywords=("weapon", *power.tags))
        found.append(
            actions.finishing(ctx, attack_args) if power.action == "standard" else attack_args
        )
    return found


def land(ctx: Context, combatant: Combatant, power: Power, each: list[AttackArgs]) -> list[Outcome]:
    """Make the blows one after the other; none at somebody whom one of them has killed."""
    outcomes: list[Outcome] = []
    lines = []
    for blow in each:
        if has_just_died(ctx, blow.targets[0]):
            continue
        came = attacks.attack(ctx, ctx.state[combatant.id], blow, blow.means.name)
        lines.append(f"{blow.means.name} on {attacks.attack_text(ctx, blow, came)}")
        outcomes += came
    ctx.text = f"{combatant.name} uses {power.name}: {'; '.join(lines)}"
    return outcomes
