"""Reactions: opportunity attacks, and whatever else somebody reacts with.

Seed 001: Reaction, Opportunity Attack; rules file, 3.5 and 6.4.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.rulekit.acts import Now, Pay
from affray.rulekit.doing import Declared
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school import attacks, creatures, damage, resources
from affray.rulesets.adventure_school.assaults import (
    Fallen,
    Made,
    WeaponWords,
    is_ranged,
    weapon_said,
)
from affray.rulesets.adventure_school.rolls import HITS, attack_outcome

DISTRACTED, DISENGAGED, HIDDEN = "distracted", "disengaged", "hidden"


# -- opportunity attacks ---------------------------------------------------------------------------


class Opportunity(Struct, frozen=True):
    """`react opportunity-attack TARGET OUTCOME [DAMAGE] ...`."""

    target: Annotated[Combatant, arguments.person("who leaves the reach", usage="TARGET")]
    die: Annotated[Die, attack_outcome()]
    words: Annotated[WeaponWords, arguments.words_of(WeaponWords, "WORDS")]
    fallen: Annotated[Fallen, damage.DAMAGE] = ()


def opportunity(ctx: Context, said: Opportunity, who: Combatant, pay: Pay) -> None:
    """One melee attack on somebody who leaves one's reach (rules file, 6.4)."""
    target, words = said.target, said.words
    _refuse_no_opportunity(who, target)
    weapon = weapon_said(who, words.weapon)
    if not words.weapon and weapon.ranged:
        weapon = next((a for a in creatures.attacks_of(who) if not a.ranged), weapon)
    if is_ranged(words, weapon):
        raise Refused("an opportunity attack is a melee attack")
    made = Made("opportunity attack", weapon)
    attacks.refuse(who, target, said.die, words, made)
    pay()
    came = attacks.attack(ctx, who.id, target.id, said.die, words, said.fallen, made)
    if came in HITS:
        resources.gain_diminish(ctx, who.id, words.diminish, weapon.name)
    dealt = attacks.in_words(said.fallen) if came in HITS else ""
    ctx.text = f"{who.name} attacks {target.name} as it leaves, {came}{dealt}"


def _refuse_no_opportunity(who: Combatant, target: Combatant) -> None:
    if target.named(DISENGAGED) is not None:
        raise Refused(f"{target.name} has disengaged, and provokes no opportunity attacks")
    if target.named(HIDDEN) is not None:
        raise Refused(f"{target.name} is hidden, and provokes no opportunity attacks")
    by = [effect.source for effect in who.effects if effect.name == DISTRACTED]
    if by and target.id not in by:
        raise Refused(f"{who.name} is distracted, by somebody else than {target.name}")


# -- whatever else ---------------------------------------------------------------------------------


class Reaction(Struct, frozen=True):
    """`react ["WHAT"] [effortless]`."""

    what: Annotated[str, arguments.quoted("what it is", '"WHAT"')] = ""
    effortless: Annotated[bool, arguments.flag(heard="effortless")] = False


def react(ctx: Context, said: Reaction) -> None:
    """A reaction, and what it does by other commands; there is no limit to their number."""
    who = ctx.actor()
    refuse_no_reaction(ctx, who, said.effortless)
    ctx.text = f"{who.name} reacts{f': {said.what}' if said.what else ''}"


def refuse_no_reaction(ctx: Context, who: Combatant, effortless: bool = False) -> None:
    """Raises Refused for who can't react; effortless ones most can (rules file, 3.5)."""
    barred = Now(ctx.tables, ctx.state, who).forbids("effortless" if effortless else "react")
    if barred:
        raise Refused(f"{who.name} can't react: {barred}")


REACTIONS: dict[str, Declared] = {"opportunity-attack": Declared(Opportunity, opportunity)}
