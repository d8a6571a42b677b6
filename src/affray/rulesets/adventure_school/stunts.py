"""Stunts: a condition in place of damage. Seed 001: Stunt; rules file, 4.4."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.rulekit.acts import Pay
from affray.rulekit.doing import Declared
from affray.rulekit.placing import Placing, placing_said, until_for
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school import attacks, checks, conditions
from affray.rulesets.adventure_school.assaults import Made, WeaponWords, is_ranged, weapon_said
from affray.rulesets.adventure_school.checks import Trial
from affray.rulesets.adventure_school.rolls import PASSES, outcome


class Stunt(Struct, frozen=True):
    """`stunt TARGET CONDITION OUTCOME [DURATION] [dc N] [with NAME]`."""

    target: Annotated[Combatant, arguments.person("on whom", usage="TARGET")]
    condition: Annotated[
        str,
        arguments.choice(
            "a condition",
            lambda reading: conditions.conditions_of(reading.ctx.tables),
            "CONDITION",
            "condition",
        ),
    ]
    die: Annotated[Die, outcome(asks="outcome:target")]
    words: Annotated[WeaponWords, arguments.words_of(WeaponWords, "WORDS")]
    placing: Annotated[Placing, placing_said(conditions.LASTING, "DURATION")] = Placing()


def stunt(ctx: Context, said: Stunt, who: Combatant, pay: Pay) -> None:
    """In place of one attack: the target saves, or has a condition for a short while (4.4).

    The DC is the weapon's bonus itself (R8); what would speak for the attack speaks against the
    save, and the reverse.
    """
    target, made = said.target, Made("stunt", weapon_said(who, said.words.weapon), one_of=True)
    attacks.refuse(who, target, said.die, said.words, made)
    pay()
    who = ctx.state[who.id]
    for_it, against_it = attacks.reasons(
        ctx, who, target, said.words, made, is_ranged(said.words, made.weapon)
    )
    if for_it and against_it:
        for_it, against_it = [], []
    dc = made.weapon.bonus if said.words.dc is None else said.words.dc
    trial = Trial(
        target.id, "save", "health", said.die, dc, who.id, pro=tuple(against_it), con=tuple(for_it)
    )
    came = checks.attempt(ctx, trial).outcome
    attacks.has_attacked(ctx, who.id, target.id, made)
    if came not in PASSES:
        otherwise = timing.at_turn(ctx.state, target.id, "end")
        until = until_for(conditions.LASTING, ctx, target.id, said.placing, otherwise=otherwise)
        conditions.lay(ctx, target.id, said.condition, until, who.id)
    ctx.text = f"{who.name} tries to have {target.name} {said.condition}: {came}"


ACTS: dict[str, Declared] = {"stunt": Declared(Stunt, stunt)}
