"""What a command says of an attack: targets, outcomes, damage, and how it is made.

Seed 003: Making an Attack, Types of Attack.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.state import Combatant
from affray.core.language.clauses import read_dice, read_type
from affray.core.language.refusal import Refused, close_to, listed
from affray.core.language.who import standing
from affray.core.language.words import Words
from affray.rulekit import rolls
from affray.rulekit.rolls import Die
from affray.rulesets.orcus import checks, creatures, damage
from affray.rulesets.orcus.checks import Outcome
from affray.rulesets.orcus.creatures import REACHES, Attack

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

FLAGS = (
    "advantage", "cover", "three-quarters-cover", "concealed", "total-concealment", "clear",
    "adjacent", "reach", "long", "knockout",
)  # fmt: skip
"""What is said of an attack in one word."""
CLAUSES = ("vs", "half", "extra", "flanking", "plus", "with")
SAID_ALIKE = {
    "ca": "advantage",
    "combat-advantage": "advantage",
    "three-quarters": "three-quarters-cover",
    "half-cover": "cover",
    "concealment": "concealed",
    "nonlethal": "knockout",
}
"""Other words for the same."""
ASSAULT_WORDS = (*CLAUSES, *REACHES, *FLAGS, *SAID_ALIKE)


class Assault(Struct, frozen=True):
    """One attack as the command describes it, on one or several targets.

    dice_fallen  how each target's d20 is known, in their order
    amount       the damage as it was rolled; None for dice
    dice         dice in place of it: rolled once for all targets, at their maximum on a critical
    extra        further dice on a critical, rolled for each
    half         whether a miss deals half
    plus         a bonus of this attack alone, beside the situation's
    means        the weapon or power that it is made with, where it is known
    names        the targets' names, for the entry's text
    keywords     the tags of the power that it is made with; a basic attack's is `weapon`
    finishes     the targets on whom it is a coup de grace: each hit is critical, and the staggered
                 value then kills
    """

    targets: tuple[str, ...]
    dice_fallen: tuple[Die, ...] = ()
    defense: str = ""
    amount: int | None = None
    dice: str = ""
    type: str = ""
    extra: str = ""
    half: bool = False
    reach: str = ""
    words: tuple[str, ...] = ()
    plus: int = 0
    weapon: str = ""
    flanking_with: str = ""
    means: Attack | None = None
    names: tuple[str, ...] = ()
    finishes: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    def is_said(self, word: str) -> bool:
        """Whether the command says it of the attack: `flanking`, `cover`, `knockout`."""
        return word in self.words

    @property
    def against(self) -> str:
        """The defence it is made against: as said, the weapon's, else AC."""
        return self.defense or (self.means.defense if self.means else "ac")

    @property
    def range(self) -> str:
        """melee, ranged, near or far: as said, the weapon's, else melee."""
        if self.reach:
            return self.reach
        if self.is_said("long"):
            return "ranged"
        return self.means.reach if self.means else "melee"

    @property
    def is_adjacent(self) -> bool:
        """Whether it is made on somebody in the next square: in melee, unless it says `reach`."""
        return self.is_said("adjacent") or (self.range == "melee" and not self.is_said("reach"))

    @property
    def tags(self) -> tuple[str, ...]:
        """What a bonus may ask for: its keywords, its type of damage, and how it is made."""
        kind = self.type or (self.means.type if self.means else "")
        return tuple(filter(None, (*self.keywords, kind, self.range)))

    @property
    def damage_dice(self) -> str:
        """The dice of its damage: as said, else the weapon's; empty for none."""
        return self.dice or (self.means.dice if self.means else "")

    @property
    def extra_dice(self) -> str:
        """The extra dice of a critical; those of the weapon not beside a number called out."""
        own = self.means.extra if self.means and self.amount is None else ""
        return self.extra or own

    @property
    def deals_damage(self) -> bool:
        """Whether a hit deals damage at all; some powers don't."""
        return self.amount is not None or bool(self.damage_dice)


def read_assault(
    ctx: Context,
    words: Words,
    attacker: Combatant,
    weapon: Attack | None = None,
    keywords: tuple[str, ...] = ("weapon",),
) -> Assault:
    """Read `TARGET[,TARGET] [vs DEFENSE] OUTCOME[,OUTCOME] [DAMAGE [TYPE]]` and what is said of it.

    `weapon` is the attack that is used unless `with NAME` says another; without either it is the
    first that the attacker has. `keywords` are its tags. A monster that has one may leave the
    outcome out. Reads up to the first word that is none of an attack's. Raises Refused for what
    makes no sense.
    """
    targets = words.combatants("who is attacked", standing(words.state, but=attacker.id))
    first = next(iter(creatures.attacks_of(attacker)), None)
    assault = Assault(
        tuple(t.id for t in targets),
        names=tuple(t.name for t in targets),
        means=weapon or first,
        keywords=keywords,
    )
    while True:
        if words.done and not assault.dice_fallen:
            words.offered.extend(checks.OUTCOMES.words)
        word = words.take(*ASSAULT_WORDS)
        if word:
            assault = _with_word(words, assault, attacker, SAID_ALIKE.get(word, word))
        elif not assault.dice_fallen and rolls.is_die(words, checks.OUTCOMES):
            assault = replace(assault, dice_fallen=_read_fallen(ctx, words, assault))
        elif assault.amount is None and not assault.dice and _is_amount(words):
            assault = _with_damage(ctx, words, assault)
        else:
            break
    return _complete(ctx, words, assault, attacker)


def _read_fallen(ctx: Context, words: Words, assault: Assault) -> tuple[Die, ...]:
    return tuple(rolls.read_dice(ctx, words, checks.OUTCOMES, len(assault.targets)))


def _complete(ctx: Context, words: Words, assault: Assault, attacker: Combatant) -> Assault:
    """With its outcome, which only a monster's attack may leave out, and its weapon's `half`."""
    if not assault.dice_fallen:
        if not words.done or attacker.kind == "pc" or assault.means is None:
            assault = replace(assault, dice_fallen=_read_fallen(ctx, words, assault))
        else:
            assault = replace(assault, dice_fallen=(rolls.unsaid(ctx),) * len(assault.targets))
    may_hit = any(die.said != "miss" for die in assault.dice_fallen)
    if may_hit and assault.means is None and not assault.deals_damage:
        raise words.refuse(
            f"how much damage was rolled? {attacker.name} has no attack of their own to roll: "
            "add it as a number, such as `hit 8`"
        )
    return replace(assault, half=assault.half or bool(assault.means and assault.means.half))


def _is_amount(words: Words) -> bool:
    return words.has_number() or words.has_dice()


def _with_damage(ctx: Context, words: Words, assault: Assault) -> Assault:
    """Read the damage: a number as it was called out, or dice, and its type."""
    if words.has_number():
        assault = replace(assault, amount=words.number("the damage rolled"))
    else:
        assault = replace(assault, dice=read_dice(words, "the damage"))
    return replace(assault, type=_read_type(ctx, words))


def _read_type(ctx: Context, words: Words) -> str:
    """Read the type of damage, if one stands there; not a slip of another word for one."""
    others, word = (*ASSAULT_WORDS, *checks.OUTCOMES.words), words.peek()
    if word.isalpha() and word not in others:
        _refuse_neither(ctx, words, others)
    return read_type(words, lambda: damage.dealt_types(ctx), others, others=False)


def _refuse_neither(ctx: Context, words: Words, others: tuple[str, ...]) -> None:
    """Raises Refused for a word that is like no type of damage, and nothing said of an attack."""
    known = list(dict.fromkeys(damage.dealt_types(ctx)))
    fits = (*known, *others)
    if words.peek() not in fits and not close_to(words.peek(), fits, 0.75):
        raise words.refuse(
            f"{words.peek()!r} is no damage type ({listed(known)}), nor said of an attack"
            f" ({listed((*CLAUSES, *REACHES, *FLAGS))})",
            fits,
        )


def _with_word(words: Words, assault: Assault, attacker: Combatant, word: str) -> Assault:
    if word in REACHES:
        return replace(assault, reach=word)
    if word == "half":
        return replace(assault, half=True)
    if word == "extra":
        return replace(assault, extra=read_dice(words, "the extra damage of a critical"))
    if word == "plus":
        return replace(assault, plus=assault.plus + words.number("the bonus", -99, 99))
    if word == "vs":
        return replace(assault, defense=creatures.read_defense(words))
    if word == "with":
        means = _weapon_named(attacker, words.next("the attack's name", _as_words(attacker)))
        return replace(assault, weapon=means.name, means=means)
    assault = replace(assault, words=(*assault.words, word))
    if word == "flanking" and _is_ally(words):
        return replace(assault, flanking_with=words.combatant("with whom").id)
    return assault


def _is_ally(words: Words) -> bool:
    """Whether a name stands next, and not an outcome, a number or what else may follow."""
    other = (
        words.has_number() or rolls.is_die(words, checks.OUTCOMES) or words.peek() in ASSAULT_WORDS
    )
    return not other and words.is_combatant()


def _names(attacker: Combatant) -> list[str]:
    return [attack.name for attack in creatures.attacks_of(attacker)]


def _as_words(attacker: Combatant) -> list[str]:
    """Its attacks' names as a command has them."""
    return [f'"{name}"' if " " in name else name for name in _names(attacker)]


def _weapon_named(attacker: Combatant, name: str) -> Attack:
    """The attack of that name, or its beginning. Raises Refused for one that it does not have."""
    wanted = name.casefold()
    known = creatures.attacks_of(attacker)
    exact = [attack for attack in known if attack.name.casefold() == wanted]
    for attack in (*exact, *known):
        if attack.name.casefold().startswith(wanted):
            return attack
    names = listed(_names(attacker), "and") or "none"
    if any(p.name.casefold().startswith(wanted) for p in creatures.powers_of(attacker)):
        raise Refused(f'{name!r} is a power: `power "{name}" TARGET ...`', _names(attacker))
    raise Refused(f"{attacker.name} has no attack {name!r}; it has {names}", _names(attacker))


def without(assault: Assault, left_out: Collection[str]) -> Assault:
    """The attack without those targets."""
    row = zip(assault.targets, assault.dice_fallen, assault.names, strict=True)
    kept = [one for one in row if one[0] not in left_out]
    targets, dice, names = zip(*kept, strict=True) if kept else ((), (), ())
    return replace(assault, targets=targets, dice_fallen=dice, names=names)


def said(assault: Assault, outcomes: Sequence[Outcome]) -> str:
    """The targets and outcomes in words, for the entry's text: "Goblin 1, hit 8 fire"."""
    names = assault.names or assault.targets
    dealt = _damage_said(assault) if assault.half or set(outcomes) != {"miss"} else ""
    rolls = zip(assault.targets, outcomes, strict=True)
    finished = any(t in assault.finishes and outcome == "crit" for t, outcome in rolls)
    coup = ", a coup de grace" if finished else ""
    if len(names) == 1:
        return f"{names[0]}, {outcomes[0]}{f' {dealt}' if dealt else ''}{coup}"
    each = listed((f"{n} ({o})" for n, o in zip(names, outcomes, strict=True)), "and")
    return f"{each}{f', {dealt}' if dealt else ''}{coup}"


def _damage_said(assault: Assault) -> str:
    """The damage that the command says; a weapon's own goes without saying."""
    much = assault.dice if assault.amount is None else str(assault.amount)
    return f"{much} {assault.type}".strip() if much else ""
