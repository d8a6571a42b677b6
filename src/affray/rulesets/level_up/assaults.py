"""What a command says of an attack: at whom, how the die fell, with what, and what else.

Seed 002: Making an Attack; rules file, 18.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused, listed
from affray.rulekit import rolls
from affray.rulekit.rolls import Die
from affray.rulesets.level_up import checks, creatures
from affray.rulesets.level_up.creatures import Attack


def _weapons(reading: Reading) -> list[str]:
    names = creatures.weapons_of(reading.ctx.actor())
    return [f'"{name}"' if " " in name else name for name in names]


class AttackWords(checks.Terms, frozen=True):
    """What may be said of an attack, in any order behind its target."""

    cover: Annotated[str, checks.cover_said(*checks.COVER, checks.TOTAL_COVER)] = ""
    unseen: Annotated[bool, arguments.flag(heard="unseen")] = False
    target_unseen: Annotated[bool, arguments.flag(heard="target-unseen")] = False
    long: Annotated[bool, arguments.flag(heard="long")] = False
    close: Annotated[bool, arguments.flag(heard="close")] = False
    reach: Annotated[str, arguments.one_of(*creatures.REACHES)] = ""
    unproficient: Annotated[bool, arguments.flag()] = False
    weapon: Annotated[
        str, arguments.clause("with", arguments.text("the attack", _weapons, "NAME"), asks="weapon")
    ] = ""
    knockout: Annotated[bool, arguments.flag("nonlethal", heard="knockout")] = False
    choice: Annotated[str, arguments.one_of("failure", "fatigue", "strife")] = ""


def _is_rolled_for(reading: Reading) -> bool:
    """Whether whoever attacks may leave the outcome out: a monster's attack is rolled."""
    return reading.ctx.actor().kind != "pc"


class Assault(Struct, frozen=True):
    """One attack as the command describes it: at whom, how the die fell, what it deals."""

    target: Annotated[Combatant, arguments.person("who is attacked", usage="TARGET")]
    die: Annotated[
        Die,
        rolls.die_said(
            checks.ATTACK_OUTCOMES, asks="outcome:miss|hit|crit|fumble", may_lack=_is_rolled_for
        ),
    ]
    words: Annotated[AttackWords, arguments.words_of(AttackWords, "WORDS")]
    fallen: Annotated[int | str, arguments.amount_or_dice(usage="AMOUNT")] = ""
    type: Annotated[
        str, arguments.damage_type(lambda ctx: ctx.tables.damage_types, False, behind="fallen")
    ] = ""


class Made(Struct, frozen=True):
    """How an attack is made, beside what is said of it.

    what     how the log calls it: "attack", "opportunity attack"
    weapon   with what, or which spell
    pressed  whether it is one of an Attack action that may be pressed
    spell    whether it is no weapon's
    lighter  whether its damage is without the ability modifier (Two-Weapon Fighting)
    """

    what: str
    weapon: Attack
    pressed: bool = False
    spell: bool = False
    lighter: bool = False


def weapon_said(attacker: Combatant, name: str) -> Attack:
    """The attack of that name, or its beginning; the first without a name.

    Who has none attacks with whatever there is, and must be told its bonus and damage. Raises
    Refused for an attack that it does not have.
    """
    known = creatures.attacks_of(attacker)
    if not name:
        return known[0] if known else Attack("attack", 0)
    wanted = name.casefold()
    exact = [attack for attack in known if attack.name.casefold() == wanted]
    found = next((a for a in (*exact, *known) if a.name.casefold().startswith(wanted)), None)
    if found is None:
        there = listed([a.name for a in known], "and") or "none"
        raise Refused(f"{attacker.name} has no attack {name!r}; it has {there}")
    return found


def is_ranged(words: AttackWords, weapon: Attack) -> bool:
    """Whether it is a ranged attack: as said, thrown from afar, or as the weapon has it.

    Raises Refused for what is said of ranged attacks alone.
    """
    if words.reach:
        ranged = words.reach == "ranged"
    else:
        ranged = weapon.reach == "ranged" or (weapon.thrown and (words.long or words.close))
    said = "long" if words.long else "close" if words.close else ""
    if said and not ranged:
        raise Refused(f"`{said}` is said of a ranged attack, and {weapon.name} is a melee one")
    return ranged
