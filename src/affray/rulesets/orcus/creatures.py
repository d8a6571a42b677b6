"""A combatant's own numbers, attacks and powers, as the log has them, and in words.

Seed 003: Abilities, Healing (Recoveries, Staggered), Powers, Companions, Glossary (Monsters). What
`add` reads of one is in `sheet`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal, get_args

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Duration, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.refusal import signed
from affray.rulekit import powers, recorded
from affray.rulekit.placing import EDGES, Lasting, Placing
from affray.rulekit.powers import Plus
from affray.rulekit.recorded import owner_of

Reach = Literal["melee", "ranged", "near", "far"]
Frequency = Literal["at-will", "encounter", "daily", "refresh"]
PowerAction = Literal["standard", "move", "swift", "free", "counter", "react"]
DEFENSES = {"ac": "AC", "fortitude": "Fort", "reflex": "Ref", "will": "Will"}
REACHES: tuple[str, ...] = get_args(Reach)
FREQUENCIES: tuple[str, ...] = get_args(Frequency)
POWER_ACTIONS: tuple[str, ...] = get_args(PowerAction)
IMMEDIATE = ("counter", "react")
"""The kinds of immediate actions."""
SHORT = {"fort": "fortitude", "ref": "reflex"}
"""Short words for defences."""
ALIASES = SHORT | {"init": "initiative", "action-points": "points", "recovery-value": "value"}
SKILLS = (
    "acrobatics", "arcana", "athletics", "bluff", "diplomacy", "dungeoneering", "endure", "heal",
    "history", "insight", "intimidate", "perception", "religion", "sleight-of-hand", "stealth",
    "streetsmarts", "strength",
)  # fmt: skip
"""The skills that the seed names, and Strength, which some actions roll with."""
UNSAID_DEFENSE = 10
MODES = ("fly", "swim", "climb", "burrow")
"""How one may move beside walking: each has a speed of its own."""


def _known_types(ctx: Context) -> list[str]:
    return list(ctx.tables.damage_types)


_DEFENSE = arguments.choice("a defence", tuple(DEFENSES), alike=SHORT)
Defense = Annotated[str, arguments.clause("vs", _DEFENSE, alike=("versus",))]
Dice = Annotated[str, arguments.dice("its damage dice")]
Type = Annotated[str, arguments.damage_type(_known_types, others=False, behind="bonus")]
Range = Annotated[Reach, arguments.one_of(*REACHES)]
Half = Annotated[bool, arguments.flag()]
SAVED = Duration("save")
ENDS = {"save-ends": Placing(SAVED), **EDGES}
"""The seed's durations: a save; an edge of the next turn of the target, or of the user."""
PERSISTENT = "persistent"
AMOUNTS = (PERSISTENT, "vulnerability", "resistance", "regeneration")
"""What is inflicted as so much of something."""
Inflicts = Annotated[powers.Inflicts, powers.inflicts(AMOUNTS, lasting=Lasting(alone=ENDS))]
More = Annotated[tuple[Plus, ...], powers.PLUS]
Extra = Annotated[
    str, arguments.clause("extra", arguments.dice("the extra dice of a critical hit"))
]
"""What is said of an attack, and of a power that is one, behind its bonus."""


class Attack(Struct, frozen=True):
    """One way to attack: name, whole attack bonus, defence, damage dice, type, and reach.

    `half` tells that a miss deals half; `plus` is damage of other types, and `inflicts` what a hit
    brings besides.
    """

    name: Annotated[str, arguments.name("the attack's name")]
    bonus: Annotated[int, arguments.number("its whole attack bonus", -99, 99)]
    defense: Defense = "ac"
    dice: Dice = ""
    type: Type = ""
    reach: Range = "melee"
    half: Half = False
    extra: Extra = ""
    plus: More = ()
    inflicts: Inflicts = ()


class Power(Struct, frozen=True):
    """A power: how often, which action it takes, and its attack if it is one.

    `refresh` is the lowest face of a d6 that brings it back, 0 when it is not of that kind.
    `tags` are its keywords, `trigger` what must happen first, and `text` what it does beside its
    attack, in the sheet's words.
    """

    name: str
    frequency: Frequency = "at-will"
    action: PowerAction = "standard"
    refresh: int = 0
    consistent: bool = False
    tags: tuple[str, ...] = ()
    trigger: str = ""
    attack: Attack | None = None
    text: str = ""


# -- what a log says of somebody, however it came to say it ----------------------------------------


def weapons_of(combatant: Combatant) -> list[str]:
    """The names of its attacks, its basic attack first."""
    return [attack.name for attack in attacks_of(combatant)]


def attacks_of(combatant: Combatant) -> list[Attack]:
    """The attacks a combatant was added with, the first being its basic attack."""
    return recorded.rows_of(combatant, "attacks", Attack, _makes_sense)


def powers_of(combatant: Combatant) -> list[Power]:
    """The powers a combatant was added with."""

    def fits(power: Power) -> bool:
        return bool(power.name) and (power.attack is None or _makes_sense(power.attack))

    return recorded.rows_of(combatant, "powers", Power, fits)


def _makes_sense(attack: Attack) -> bool:
    """Whether an attack can be made; one in a log that was edited by hand may not be."""
    fits = attack.name and attack.defense in DEFENSES and abs(attack.bonus) < 1000
    return bool(fits) and recorded.is_dice(
        attack.dice, attack.extra, *(p.dice for p in attack.plus)
    )


def amounts_of(combatant: Combatant, stat: str) -> dict[str, int]:
    """`resist` or `vulnerable` of a combatant's own: type, or `all` -> how much.

    The log has them as words, such as `fire 5`. Of one type the highest counts.
    """
    value = combatant.stats.get(stat, ())
    said = value if isinstance(value, list | tuple) else (value,)
    words = " ".join(part for part in said if isinstance(part, str)).replace(",", " ").split()
    found: dict[str, int] = {}
    for kind, amount in pairwise(words):
        if amount.isdecimal() and len(amount) < 6 and not kind.isdecimal():
            found[kind.casefold()] = max(int(amount), found.get(kind.casefold(), 0))
    return found


def share_a_language(one: Combatant, other: Combatant) -> bool:
    """Whether they can talk to each other, as far as is known: of both it must be said."""
    rows = [set(recorded.words_of(c, "languages")) for c in (one, other)]
    return not all(rows) or bool(rows[0] & rows[1])


def staggered_value(combatant: Combatant) -> int:
    """Half the maximum HP, rounded down (seed 003: Staggered)."""
    return max_hp(combatant) // 2


def recovery_value(combatant: Combatant) -> int:
    """A quarter of the maximum HP, rounded down, or what its sheet says (seed 003: Recoveries)."""
    return max(0, combatant.number("value", max_hp(combatant) // 4))


def max_hp(combatant: Combatant) -> int:
    """The most HP that it can have; 0 for what has none."""
    hp = combatant.tracks.get("hp")
    return hp.max if hp is not None and hp.max is not None else 0


def has_death_saves(combatant: Combatant) -> bool:
    """Whether it is dying at 0 HP: characters, and monsters that are marked as important."""
    return combatant.kind == "pc" or bool(combatant.stats.get("important"))


def is_summon(combatant: Combatant) -> bool:
    """Whether it was summoned by its owner (seed 003: Summons)."""
    return bool(owner_of(combatant)) and combatant.stats.get("companion") == "summon"


# -- in words --------------------------------------------------------------------------------------


def told(state: Encounter, combatant: Combatant) -> dict[str, str]:
    """Its attacks, and whose companion or summon it is (seed 003: Companions, Summons)."""
    attacks = (f"{attack.name} {attack_in_words(attack)}" for attack in attacks_of(combatant))
    found = recorded.attacks_told("attacks", attacks)
    owner = owner_of(combatant)
    if owner:
        bond = "Summoned by" if is_summon(combatant) else "Companion of"
        found |= {"owner": f"{bond} {state.name(owner)}", "companion": ""}
    return found


_TOLD = ("name", "bonus", "defense", "dice", "type", "reach", "half", "extra")


def attack_in_words(attack: Attack) -> str:
    """`+8 vs AC 1d8+3 cold ranged`; whatever is not said of it goes unsaid."""
    words = [
        f"{signed(attack.bonus)} vs {DEFENSES[attack.defense]}",
        attack.dice,
        attack.type,
        attack.reach if attack.reach != "melee" else "",
        "half on a miss" if attack.half else "",
        f"extra {attack.extra}" if attack.extra else "",
        recorded.in_words(attack, but=_TOLD),
    ]
    return " ".join(filter(None, words))


# -- tags ------------------------------------------------------------------------------------------

TAGS = (
    "augmentable", "focus", "form", "maneuver", "psyche", "tactical", "weapon", "wild-shape",
)  # fmt: skip
"""The tags that the rules ask after; they may be said without `tags`."""


def read_tags(reading: Reading) -> tuple[str, ...]:
    """Read tags joined by commas, such as `fire,weapon`."""
    word = reading.words.next("tags, such as fire,weapon")
    row = tuple(filter(None, word.casefold().split(",")))
    if not row or not all(part.replace("-", "").isalpha() for part in row):
        reading.words.back()
        raise reading.words.refuse(f"expected tags, such as fire,weapon, found {word!r}")
    return row
