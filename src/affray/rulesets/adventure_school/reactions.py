"""What takes no action: fast actions and reactions, opportunity attacks among them.

Seed 001: Fast Action, Reaction, Opportunity Attack; rules file, 3.3, 3.5 and 6.4.
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
from affray.rulesets.adventure_school import attacks, creatures, damage
from affray.rulesets.adventure_school.attacks import Fallen, Swing, WeaponWords
from affray.rulesets.adventure_school.rolls import HITS, attack_outcome

REASONS = {"disengaged": "has disengaged", "hidden": "is hidden"}
"""The effects of those who provoke no opportunity attacks, and how that is told."""


# -- fast actions ----------------------------------------------------------------------------------


class Fast(Struct, frozen=True):
    """`fast "WHAT" [spammable]`."""

    what: Annotated[str, arguments.text("what it is")]
    spammable: Annotated[bool, arguments.flag(heard="spammable")] = False


def fast(ctx: Context, said: Fast, who: Combatant, pay: Pay) -> None:
    """What costs nothing, once a turn by its name unless it is spammable."""
    pay(subject="" if said.spammable else said.what.casefold())
    ctx.text = f"{who.name} acts fast: {said.what}"


# -- opportunity attacks ---------------------------------------------------------------------------


class Opportunity(Struct, frozen=True):
    """`react opportunity-attack TARGET OUTCOME [DAMAGE] ...`."""

    target: Annotated[Combatant, arguments.person("who leaves the reach", usage="TARGET")]
    die: Annotated[Die, attack_outcome()]
    words: Annotated[WeaponWords, arguments.words_of(WeaponWords, "WORDS")]
    fallen: Annotated[Fallen, damage.DAMAGE] = ()


def opportunity(ctx: Context, said: Opportunity, who: Combatant, pay: Pay) -> None:
    """One melee attack on somebody who leaves one's reach (rules file, 6.4)."""
    target = said.target
    why = next((REASONS[e.name] for e in target.effects if e.name in REASONS), "")
    if why:
        raise Refused(f"{target.name} {why}, and provokes no opportunity attacks")
    distracting = [effect.source for effect in who.effects if effect.name == "distracted"]
    if distracting and target.id not in distracting:
        raise Refused(f"{who.name} is distracted, by somebody else than {target.name}")
    weapon = said.words.weapon or attacks.usual_weapon(who)
    if weapon.ranged and said.words.weapon is None:
        weapon = next((a for a in creatures.attacks_of(who) if not a.ranged), weapon)
    what = "opportunity attack"
    swing = Swing(who.id, target.id, weapon, said.die, said.words, said.fallen, what)
    if swing.ranged:
        raise Refused("an opportunity attack is a melee attack")
    attacks.refuse(ctx, swing)
    pay()
    came = attacks.attack(ctx, swing)
    dealt = attacks.in_words([came], said.fallen, came in HITS)
    ctx.text = f"{who.name} attacks {target.name} as it leaves{dealt}"


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


def refuse_no_reaction(ctx: Context, who: Combatant, effortless: bool) -> None:
    """Raises Refused for who can't react; effortless ones most can (rules file, 3.5)."""
    barred = Now(ctx.tables, ctx.state, who).forbids("effortless" if effortless else "react")
    if barred:
        raise Refused(f"{who.name} can't react: {barred}")


ACTS: dict[str, Declared] = {"fast": Declared(Fast, fast)}
REACTIONS: dict[str, Declared] = {"opportunity-attack": Declared(Opportunity, opportunity)}
