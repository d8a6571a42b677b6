"""What a command says of an attack: how the die fell, with what, from where, and what it deals.

Seed 001: Attack, Attack Action; rules file, 4 and Commands, 2.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused, listed
from affray.rulekit import sheets
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school import creatures, damage
from affray.rulesets.adventure_school.creatures import Attack
from affray.rulesets.adventure_school.rolls import DIMINISH, Terms, attack_outcome

Fallen = tuple[tuple[int | str, str], ...]
"""The damage of a hit as it is said: each an amount or dice, and its type."""
DUAL_WIELDING, WIELDS = "dual-wielding", "wields"
"""The effect of a weapon in each hand; the stat of what somebody has in hand, once it is said."""


def _weapons(reading: Reading) -> list[str]:
    names = creatures.weapons_of(reading.ctx.actor())
    return [f'"{name}"' if " " in name else name for name in names]


WEAPON = arguments.text("the attack", _weapons, "NAME", asks="weapon")
WITH = arguments.clause("with", WEAPON, asks="weapon")
"""The argument that says with which weapon."""


class AttackWords(Terms, frozen=True):
    """What may be said of an attack, in any order behind its target."""

    reach: Annotated[str, arguments.one_of("melee", "ranged")] = ""
    engaged: Annotated[bool, arguments.flag(heard="engaged")] = False
    concealed: Annotated[bool, arguments.flag(heard="concealed")] = False
    unseen: Annotated[bool, arguments.flag(heard="unseen")] = False
    climbing: Annotated[bool, arguments.flag(heard="climbing")] = False
    falling: Annotated[
        int, arguments.clause("falling", arguments.number("how many feet", 1, 99_999, "FEET"))
    ] = 0
    extra: Annotated[tuple[str, ...], creatures.EXTRA] = ()
    diminish: Annotated[int, DIMINISH] = 0


class WeaponWords(AttackWords, frozen=True):
    """The same of an attack with a weapon."""

    weapon: Annotated[str, WITH] = ""


TARGETS = arguments.people("who is attacked", arguments.others, usage="TARGET[,TARGET]")
FALLEN = damage.DAMAGE


class Assault(Struct, frozen=True):
    """`attack TARGET[,TARGET] OUTCOME [DAMAGE] ...`."""

    targets: Annotated[list[Combatant], TARGETS]
    dice: Annotated[list[Die], attack_outcome("targets")]
    words: Annotated[WeaponWords, arguments.words_of(WeaponWords, "WORDS")]
    fallen: Annotated[Fallen, FALLEN] = ()


class Made(Struct, frozen=True):
    """How an attack is made, beside what is said of it.

    what       how the log calls it: "attack", "opportunity attack"
    weapon     with what, or which ability
    by_hand    whether it is a weapon's
    one_of     whether it is one of an attack action: if that began from hiding, all of it did
    """

    what: str
    weapon: Attack
    by_hand: bool = True
    one_of: bool = False


# -- with which weapon -----------------------------------------------------------------------------


def wielded(who: Combatant) -> tuple[str, ...]:
    """The names of the weapons in its hands, as far as it was said."""
    return sheets.words_of(who, WIELDS)


def is_dual_wielding(who: Combatant) -> bool:
    """Whether it has a weapon in each hand."""
    return who.named(DUAL_WIELDING) is not None


def is_trained(who: Combatant) -> bool:
    """Whether a weapon in each hand is no hindrance to it: it has learned that (4.2)."""
    return bool(who.stats.get(DUAL_WIELDING))


def weapon_said(who: Combatant, name: str) -> Attack:
    """The attack of that name, or its beginning; without a name what is in hand, else the first.

    Who has none attacks with whatever there is, and must be told its bonus and damage. Raises
    Refused for an attack that it does not have.
    """
    known = creatures.attacks_of(who)
    if not name:
        in_hand = [a for a in known if a.name.casefold() in wielded(who)]
        return next(iter([*in_hand, *known]), Attack("attack", 0))
    wanted = name.casefold()
    exact = [attack for attack in known if attack.name.casefold() == wanted]
    found = next((a for a in (*exact, *known) if a.name.casefold().startswith(wanted)), None)
    if found is None:
        there = listed([a.name for a in known], "and") or "none"
        raise Refused(f"{who.name} has no attack {name!r}; it has {there}")
    return found


def is_ranged(words: AttackWords, weapon: Attack) -> bool:
    """Whether it is a ranged attack: as said, else as the weapon is."""
    return words.reach == "ranged" if words.reach else weapon.ranged
