"""What the situation adds up to, how the parts of a number stack, and what a roll uses up.

Seed 003: Modifiers (Stacking, Modifier Types), Attack Rolls, Speed, Conditions, Flying Movement.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Share
from affray.core.rules.tables import Tables
from affray.rulekit import leaning, numbers
from affray.rulekit.numbers import Number, Numbers, Part, Situation
from affray.rulekit.recorded import owner_here
from affray.rulesets.orcus import sheet
from affray.rulesets.orcus.sheet import DEFENSES, MODES

PASSIVE = "passive-perception"
FLYING = "flying"
_CALLED = {"ac": "AC", "fortitude": "Fortitude", "reflex": "Reflex", "will": "Will"}


# -- how the numbers are made up -------------------------------------------------------------------


def _own(here: Situation, total: str) -> list[Part]:
    return [Part(here.who.number(total), f"own {total}")]


def _own_speed(here: Situation, total: str) -> list[Part]:
    return [Part(here.who.number(total, int(here.tables.economy["speed"])), "own speed")]


def _own_defense(here: Situation, total: str) -> list[Part]:
    """Its own defence; a summon's is its owner's (seed 003: Summons)."""
    who, whose = here.who, "own"
    owner = owner_here(here.state, who) if sheet.is_summon(who) else None
    if owner is not None and total not in who.stats:
        who, whose = owner, f"{owner.name}'s"
    value = who.number(total, sheet.UNSAID_DEFENSE)
    return [Part(value, f"{whose} {_CALLED[total]}"), *_clumsy(here, total)]


def _clumsy(here: Situation, total: str) -> list[Part]:
    """What those lose who are at home in the air, or on the ground, where they are not."""
    place = "in-air" if FLYING in here.force else "on-ground"
    if not here.who.stats.get(f"clumsy-{place}"):
        return []
    return [Part(-int(here.tables.economy["clumsy"]), f"clumsy {place.replace('-', ' ')}")]


def has(who: Combatant, total: str) -> bool:
    """Whether somebody has such a number: on the sheet, or for as long as an effect lasts."""
    return total in who.stats or any(total in effect.modifiers for effect in who.effects)


def _check(*kinds: str) -> Number:
    """A check of some kind: a modifier to that and to checks as well is one bonus to it."""
    return Number(kinds=(*kinds, "check"), one_of=True)


NUMBERS = Numbers(
    {
        "attack": Number(_clumsy),
        "damage": Number(),
        "save": Number(),
        "check": Number(),
        "perception": _check("perception"),
        "initiative": _check("initiative"),
        **{d: Number(_own_defense, (d, "defenses"), one_of=True) for d in DEFENSES},
        "speed": Number(_own_speed, bent_by="speed", least=0),
        **{m: Number(_own, (m, "speed"), True, bent_by="speed", least=0, whose=has) for m in MODES},
        PASSIVE: Number(_own, (PASSIVE, "perception", "check"), True, whose=has),
    },
    once=("condition", "state", "opening"),
    apart=("help",),
    counted=numbers.best_of_a_type,
)
"""Rolls and checks as modifiers; defences, speeds and passive Perception whole."""
situation = partial(numbers.situation, NUMBERS)
here = partial(numbers.here, NUMBERS)
added_up = partial(numbers.added_up, NUMBERS)
TOTALS = tuple(name for name in NUMBERS.rows if name not in (*MODES, PASSIVE))
"""The numbers that everybody has."""


def use_up(ctx: Context, who: str, kinds: Sequence[str], tags: Sequence[str] = ()) -> None:
    """End the modifiers that last until used and fit a roll of that kind (attack, save, check).

    `tags` are those of the attack, for what counts only with some.
    """
    leaning.use_up(ctx, NUMBERS, who, kinds, tags)


# -- for `why` -------------------------------------------------------------------------------------


def shares(tables: Tables, state: Encounter, who: Combatant, total: str) -> list[Share]:
    """The parts of one of the totals, for `why`; as text what counts for some attacks only: a
    mark's penalty, and each weapon's own bonus."""
    found = numbers.shares(NUMBERS, tables, state, who, total)
    if total != "attack":
        return found
    penalty = f"({signed(-tables.economy['marked'])})"
    marks = (state.name(effect.source) for effect in who.effects if effect.name == "marked")
    return [
        *found,
        *(Share(penalty, f"marked, unless {by} is a target") for by in marks),
        *(
            Share(f"({signed(weapon.bonus)})", f"{weapon.name}, against {weapon.defense}")
            for weapon in sheet.attacks_of(who)
        ),
    ]
