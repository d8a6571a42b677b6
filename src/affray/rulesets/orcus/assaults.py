"""What a command says of an attack: targets, outcomes, damage, how it is made; cover.

Seed 003: Making an Attack, Types of Attack, Unseen Attackers and Targets, Vision and Light.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden, rule_of
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed
from affray.core.language.who import standing
from affray.rulekit import harm, powers, rolls
from affray.rulekit.numbers import Part, Situation
from affray.rulekit.rolls import Die
from affray.rulesets.orcus import checks, damage, sheet
from affray.rulesets.orcus.checks import Outcome
from affray.rulesets.orcus.sheet import REACHES, Attack

AREAS = ("near", "far")
"""The ranges of what fills an area."""
CLEAR = "clear"
"""Said of an attack from where nothing stands between, by somebody who sees the target."""
COVER = {"cover": "cover", "three-quarters-cover": "three_quarters_cover"}
CONCEALMENT = {"concealed": "concealment", "total-concealment": "total_concealment"}
"""The degrees, the slighter first, and where the tables have the penalty of each."""
FLAGS = ("advantage", *COVER, *CONCEALMENT, CLEAR, "adjacent", "reach", "long", "knockout")
"""What is said of an attack in one word."""
SAID_ALIKE = {
    "ca": "advantage",
    "combat-advantage": "advantage",
    "three-quarters": "three-quarters-cover",
    "half-cover": "cover",
    "concealment": "concealed",
    "nonlethal": "knockout",
}
"""Other words for the same."""


def _read_targets(reading: Reading) -> tuple[str, ...]:
    among = standing(reading.ctx.state, but=reading.ctx.actor().id)
    return tuple(c.id for c in reading.words.combatants("who is attacked", among))


def _read_ally(reading: Reading) -> str:
    """With whom somebody flanks, where a name stands next, and nothing else that may follow."""
    words = reading.words
    other = words.has_number() or rolls.is_die(words, checks.OUTCOMES) or reading.is_over
    return words.combatant("with whom").id if not other and words.is_combatant() else ""


def _weapons(reading: Reading) -> list[str]:
    return [f'"{n}"' if " " in n else n for n in sheet.weapons_of(reading.ctx.actor())]


def _more_stands(reading: Reading) -> bool:
    """Whether damage of another type stands next: behind untyped damage, which most weapons deal
    (seed 003: Damage Types), with its type: `8 5 fire`."""
    kind = reading.words.peek(1)
    is_typed = kind.isalpha() and kind not in reading.stops
    return harm.MORE.stands(reading) and (is_typed or bool(reading.said.get("type")))


_TARGETS = Argument(_read_targets, "TARGET[,TARGET]", asks="targets")
TYPE = arguments.damage_type(damage.dealt_types, behind="fallen")
_MORE = replace(harm.MORE, behind="fallen", stands=_more_stands)
_WITH = arguments.clause("with", arguments.text("the attack's name", _weapons, "NAME"))
_FLANKING = Argument(_read_ally, "flanking [NAME]", keywords=("flanking",))
_DIE = partial(rolls.die_said, checks.OUTCOMES, may_lack=lambda r: r.ctx.actor().kind != "pc")
"""How a die is known; whoever is no player's character may leave it out, and has it rolled."""
ONE_DIE, DICE_OF_TARGETS = _DIE(), _DIE("targets")
UNKNOWN = Attack("", 0)
"""With what an attack is made of which nobody knows that; it is said how it comes out."""


class How(Struct, frozen=True):
    """What may be said of an attack, in any order.

    half      whether a miss deals half
    extra     further dice on a critical, rolled for each
    flanking  with whom it flanks, empty for an ally who is not named; None where it doesn't
    plus      a bonus of this attack alone, beside the situation's
    """

    defense: sheet.Defense = ""
    half: sheet.Half = False
    extra: sheet.Extra = ""
    words: Annotated[tuple[str, ...], arguments.any_of(*FLAGS, alike=SAID_ALIKE)] = ()
    flanking: Annotated[str | None, _FLANKING] = None
    reach: Annotated[str, arguments.one_of(*REACHES)] = ""
    plus: Annotated[int, checks.BONUS] = 0
    weapon: Annotated[str, _WITH] = ""


class Assault(Struct, frozen=True):
    """One attack as the command describes it, on one or several targets.

    dice_fallen  how each target's d20 is known, in their order
    fallen       the damage as it was rolled; or dice in place of it: rolled once for all targets,
                 at their maximum on a critical
    more         what fell of other types
    means        the weapon or power that it is made with, where it is known
    keywords     the tags of the power that it is made with; a basic attack's is `weapon`
    finishes     the targets on whom it is a coup de grace: each hit is critical, and the staggered
                 value then kills
    """

    targets: Annotated[tuple[str, ...], _TARGETS]
    dice_fallen: Annotated[list[Die], DICE_OF_TARGETS]
    fallen: Annotated[int | str | None, arguments.amount_or_dice()] = None
    type: Annotated[str, TYPE] = ""
    more: Annotated[tuple[harm.Part, ...], _MORE] = ()
    how: Annotated[How, arguments.words_of(How, "WORDS")] = How()
    means: Attack = UNKNOWN
    keywords: tuple[str, ...] = ("weapon",)
    finishes: tuple[str, ...] = ()

    def is_said(self, word: str) -> bool:
        """Whether the command says it of the attack: `cover`, `knockout`."""
        return word in self.how.words

    @property
    def amount(self) -> int | None:
        """The damage as it was rolled; None for dice."""
        return self.fallen if isinstance(self.fallen, int) else None

    @property
    def half(self) -> bool:
        """Whether a miss deals half, as it is said, or as the weapon does."""
        return self.how.half or self.means.half

    @property
    def against(self) -> str:
        """The defence it is made against: as said, the weapon's, else AC."""
        return self.how.defense or self.means.defense

    @property
    def range(self) -> str:
        """melee, ranged, near or far: as said, the weapon's, else melee."""
        return self.how.reach or ("ranged" if self.is_said("long") else self.means.reach)

    @property
    def is_adjacent(self) -> bool:
        """Whether it is made on somebody in the next square: in melee, unless it says `reach`."""
        return self.is_said("adjacent") or (self.range == "melee" and not self.is_said("reach"))

    @property
    def tags(self) -> tuple[str, ...]:
        """What a bonus may ask for: its keywords, its type of damage, and how it is made."""
        return tuple(filter(None, (*self.keywords, self.damage_type, self.range)))

    @property
    def damage_type(self) -> str:
        """The type of its damage: as said, else the weapon's."""
        return self.type or self.means.type

    @property
    def damage_dice(self) -> str:
        """The dice of its damage: as said, else the weapon's; empty for none."""
        return self.fallen if isinstance(self.fallen, str) else self.means.dice

    @property
    def plus(self) -> tuple[powers.Plus, ...]:
        """The weapon's dice of other types; none beside damage that is said."""
        return self.means.plus if self.fallen is None else ()

    @property
    def deals_damage(self) -> bool:
        """Whether a hit deals damage at all; some powers don't."""
        return self.amount is not None or bool(self.damage_dice)


class OnOne(Assault, frozen=True):
    """One that can be made on one target only."""

    targets: Annotated[tuple[str, ...], replace(_TARGETS, usage="TARGET", asks="target")]


def made_with(
    attacker: Combatant,
    assault: Assault,
    weapon: Attack | None = None,
    keywords: tuple[str, ...] = ("weapon",),
) -> Assault:
    """The attack with what it is made with: what is said, the `weapon`, or the attacker's first.

    Raises Refused for a weapon that the attacker doesn't have, and where nobody knows the damage.
    """
    means = weapon or next(iter(sheet.attacks_of(attacker)), UNKNOWN)
    if assault.how.weapon:
        means = _weapon_named(attacker, assault.how.weapon)
    assault = replace(assault, means=means, keywords=keywords)
    may_hit = any(die.said != "miss" for die in assault.dice_fallen)
    if may_hit and means is UNKNOWN and not assault.deals_damage:
        raise Refused(
            f"how much damage was rolled? {attacker.name} has no attack of their own to roll: "
            "add it as a number, such as `hit 8`"
        )
    return assault


def in_melee(assault: Assault) -> Assault:
    """The attack as one that is made in melee."""
    return replace(assault, how=replace(assault.how, reach="melee"))


def _weapon_named(attacker: Combatant, name: str) -> Attack:
    """The attack of that name, or its beginning. Raises Refused for one that it does not have."""
    wanted = name.casefold()
    fits = [a for a in sheet.attacks_of(attacker) if a.name.casefold().startswith(wanted)]
    if fits:
        return next((attack for attack in fits if attack.name.casefold() == wanted), fits[0])
    names = sheet.weapons_of(attacker)
    if any(p.name.casefold().startswith(wanted) for p in sheet.powers_of(attacker)):
        raise Refused(f'{name!r} is a power: `power "{name}" TARGET ...`', names)
    there = listed(names, "and") or "none"
    raise Refused(f"{attacker.name} has no attack {name!r}; it has {there}", names)


def without(assault: Assault, left_out: Collection[str]) -> Assault:
    """The attack without those targets."""
    row = zip(assault.targets, assault.dice_fallen, strict=True)
    kept = {target: die for target, die in row if target not in left_out}
    return replace(assault, targets=tuple(kept), dice_fallen=list(kept.values()))


def said(ctx: Context, assault: Assault, outcomes: Sequence[Outcome]) -> str:
    """The targets and outcomes in words, for the entry's text: "Goblin 1, hit 8 fire"."""
    names = [ctx.state.name(target) for target in assault.targets]
    dealt = ""
    if assault.fallen is not None and (assault.half or set(outcomes) != {"miss"}):
        rest = (f"{amount} {kind}" for amount, kind in assault.more)
        dealt = " ".join((f"{assault.fallen} {assault.type}".strip(), *rest))
    came = zip(assault.targets, outcomes, strict=True)
    finished = any(t in assault.finishes and outcome == "crit" for t, outcome in came)
    coup = ", a coup de grace" if finished else ""
    if len(names) == 1:
        return f"{names[0]}, {outcomes[0]}{f' {dealt}' if dealt else ''}{coup}"
    each = listed((f"{n} ({o})" for n, o in zip(names, outcomes, strict=True)), "and")
    return f"{each}{f', {dealt}' if dealt else ''}{coup}"


# -- cover and concealment -------------------------------------------------------------------------


def shelter_parts(attacker: Combatant, target: Situation, assault: Assault) -> Iterator[Part]:
    """The penalty for cover and that for concealment, each by its worst degree alone.

    Areas are not put off by what can't be seen; nobody is seen by whoever sees nothing.
    """
    row = target.tables.economy
    by_sight = assault.range not in AREAS
    blind = by_sight and _blind(attacker, target, assault)
    kinds = (COVER, CONCEALMENT) if by_sight and not blind else (COVER,)
    for kind in kinds:
        degree, label = _worst(target, assault, kind)
        if degree:
            yield Part(-row[kind[degree]], label)
    if blind:
        yield Part(-row["total_concealment"], f"total concealment, {blind}")


def _blind(attacker: Combatant, target: Situation, assault: Assault) -> str:
    """What keeps the attacker from seeing anybody; empty for nothing, or where it is `clear`."""
    is_clear = assault.is_said(CLEAR)
    return "" if is_clear else forbidden(target.tables, target.state, attacker, "see")


def _worst(target: Situation, assault: Assault, kind: dict[str, str]) -> tuple[str, str]:
    """The worst degree of a kind, as it is said or as effects give it, and how it is called; empty
    for none."""
    here = {degree: degree.replace("-", " ") for degree in kind if assault.is_said(degree)}
    for name in () if assault.is_said(CLEAR) else target.force:
        suffers = rule_of(target.tables, name).suffers
        degree = suffers.get("hindered", "")
        degree = suffers.get("hindered_near", degree) if assault.is_adjacent else degree
        if degree in kind:
            called = degree.replace("-", " ")
            here.setdefault(degree, called if name == degree else f"{called}, {name}")
    worst = next((degree for degree in reversed(kind) if degree in here), "")
    return worst, here.get(worst, "")


def why_unseen(ctx: Context, attacker: Combatant, target: Combatant, assault: Assault) -> str:
    """Why the attacker doesn't see the target, in a few words; empty when it does."""
    facing = checks.here(ctx, target)
    if blind := _blind(attacker, facing, assault):
        return f"{attacker.name} is {blind}"
    degree, label = _worst(facing, assault, CONCEALMENT)
    hidden = degree == "total-concealment" and not assault.is_said(CLEAR)
    return f"{target.name} has {label}" if hidden else ""
