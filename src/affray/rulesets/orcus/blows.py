"""Blows: the sheet's attacks that a power makes, each a roll and damage of its own, for one action.

    power "Claw Fury" mira,mira natural 12,9 8,6 with claw,bite

Seed 003: Use a Power, Power Attack Rolls.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused
from affray.rulekit.harm import has_just_died
from affray.rulekit.rolls import Die
from affray.rulesets.orcus import assaults, attacks, fighting
from affray.rulesets.orcus.assaults import DICE_OF_TARGETS, TYPE, Assault, How
from affray.rulesets.orcus.checks import Outcome
from affray.rulesets.orcus.sheet import Power

_SEVERAL = re.compile(r"\d{1,4}(,\d{1,4})+$")


def _read_each(reading: Reading) -> tuple[str, ...]:
    """Whom each blow strikes: who is named twice is struck twice."""
    found = reading.words.combatants("who is attacked", again=True)
    return tuple(who.id for who in found)


def _read_amounts(reading: Reading) -> tuple[int | str, ...]:
    words = reading.words
    if _SEVERAL.match(words.peek()):
        return tuple(int(part) for part in words.next("the damage rolled").split(","))
    return (arguments.amount_or_dice().read(reading),)


_EACH = Argument(_read_each, "TARGET[,TARGET]", asks="targets")
_FALLEN = Argument(
    _read_amounts,
    "DAMAGE[,DAMAGE]",
    lambda r: r.words.has_amount() or bool(_SEVERAL.match(r.words.peek())),
    asks="damage",
)


class Blows(Struct, frozen=True):
    """Several attacks of one power: a target, a die and a damage for each, or one for all."""

    targets: Annotated[tuple[str, ...], _EACH]
    dice_fallen: Annotated[list[Die], DICE_OF_TARGETS]
    fallen: Annotated[tuple[int | str, ...], _FALLEN] = ()
    type: Annotated[str, TYPE] = ""
    how: Annotated[How, arguments.words_of(How, "WORDS")] = How()


def apart(ctx: Context, who: Combatant, power: Power, said: Blows) -> list[Assault]:
    """Each blow as an attack. Raises Refused for weapons or damage that don't go with them."""
    count = len(said.targets)
    weapons = (said.how.weapon or power.makes).split(",")
    for what, row in (("attacks", weapons), ("amounts of damage", said.fallen)):
        if len(row) > 1 and len(row) != count:
            raise Refused(f"{len(row)} {what} for {count} blows: name one, or one for each blow")
    found = []
    for i, (target, die) in enumerate(zip(said.targets, said.dice_fallen, strict=True)):
        how = replace(said.how, weapon=weapons[i % len(weapons)])
        fallen = said.fallen[i % len(said.fallen)] if said.fallen else None
        blow = Assault((target,), [die], fallen, said.type, how=how)
        made = assaults.made_with(who, blow, keywords=("weapon", *power.tags))
        found.append(fighting.finishing(ctx, made) if power.action == "standard" else made)
    return found


def land(ctx: Context, who: Combatant, power: Power, each: list[Assault]) -> list[Outcome]:
    """Make the blows one after the other; none at somebody whom one of them has killed."""
    outcomes: list[Outcome] = []
    told = []
    for blow in each:
        if has_just_died(ctx, blow.targets[0]):
            continue
        came = attacks.attack(ctx, ctx.state[who.id], blow, blow.means.name)
        told.append(f"{blow.means.name} on {assaults.said(ctx, blow, came)}")
        outcomes += came
    ctx.text = f"{who.name} uses {power.name}: {'; '.join(told)}"
    return outcomes
