"""What the situation adds up to: checks, attacks, AC and speed.

Seed 004: Conditions & Statuses; Fatigue & Exhaustion; Armor Class; Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, in_force
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.rulekit import leaning, numbers
from affray.rulekit.numbers import Number, Numbers, Part, Situation
from affray.rulesets.monsters_and_magic import fatigue

FORWARD = "forward"


def _exhaustion(here: Situation, total: str) -> list[Part]:
    penalty = fatigue.exhaustion_penalty(here.tables, here.who)
    return [Part(penalty, "exhaustion")] if penalty else []


def _own_armor(here: Situation, total: str) -> list[Part]:
    return [Part(here.who.number("ac"), "own AC")]


def _own_speed(here: Situation, total: str) -> list[Part]:
    return [Part(here.who.number("speed", int(here.tables.economy["speed"])), "own speed")]


NUMBERS = Numbers(
    {
        "check": Number(_exhaustion),
        "attack": Number(_exhaustion, ("check", "attack")),  # an attack is a check too
        "ac": Number(_own_armor, least=0),
        "speed": Number(_own_speed, bent_by="speed", least=0),
    },
    once=("condition", "status", "stance", "opening", *OWN_KINDS),
    apart=(FORWARD,),
    spent=("opening",),
)
"""The modifiers to checks and attacks; AC and speed whole."""
situation = partial(numbers.situation, NUMBERS)
here = partial(numbers.here, NUMBERS)


def use_up(ctx: Context, who: str, kind: str, used: Sequence[Effect] = ()) -> None:
    """End what a check, an attack or a number of somebody's has used up, and forwards it used."""
    for effect in used:
        end(ctx, who, effect.id, "used")
    leaning.use_up(ctx, NUMBERS, who, ("check", "attack") if kind == "attack" else (kind,))


def speed(tables: Tables, state: Encounter, combatant: Combatant) -> int:
    """Feet per turn: halved (down) when slowed, doubled when hastened, 0 when held or stunned."""
    return numbers.value(situation(tables, state, combatant), "speed")


def can_dodge(ctx: Context, who: Combatant) -> bool:
    """Whether somebody can act and has a speed above 0, which Dodge needs to work."""
    have = in_force(ctx.tables, ctx.state, who)
    return "stunned" not in have and speed(ctx.tables, ctx.state, who) > 0


# -- forwards: bonuses that the next fitting roll uses up ------------------------------------------

FORWARD_KINDS = ("attack", "save", "ac", "power", "cunning", "focus", "luck", "initiative")
"""Kinds of roll that a forward's wording can single out; without one it fits every check."""
PREPARED_BONUS = 2


def kind_of(note: str) -> str:
    """The kind of roll that the words of a forward speak of: `next attack` -> attack."""
    words = note.casefold().replace("saving", "save").split()
    return next((k for k in FORWARD_KINDS for w in words if w.rstrip("s,.") == k), "check")


def fitting(roller: Combatant, tags: tuple[str, ...], prepared: bool = False) -> list[Effect]:
    """The forwards that a roll with these tags uses up; `prepared` too, when it was called on."""
    found = [e for e in roller.effects if e.kind == "forward" and set(e.modifiers) & set(tags)]
    status = roller.named("prepared") if prepared else None
    return [*found, *([status] if status else [])]


def forward_parts(used: list[Effect]) -> list[Part]:
    """What the forwards add to the roll."""
    return [
        Part(PREPARED_BONUS if e.name == "prepared" else sum(e.modifiers.values()), _source(e))
        for e in used
    ]


def _source(effect: Effect) -> str:
    return (
        "prepared"
        if effect.name == "prepared"
        else f"forward{f' ({effect.note})' if effect.note else ''}"
    )
