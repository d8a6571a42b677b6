"""What the situation adds up to: checks, attacks, AC and speed.

Seed 004: Conditions & Statuses, Fatigue & Exhaustion, Armor Class.
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
from affray.rulesets.monsters_and_magic import fatigue, forwards

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


def use_up(
    ctx: Context, who: str, kind: str, used: Sequence[Effect] = (), tags: Sequence[str] = ()
) -> None:
    """End what a check, an attack or a number of somebody's has used up, and forwards it used."""
    for effect in used:
        end(ctx, who, effect.id, "used")
    kinds = ("check", "attack") if kind == "attack" else (kind,)
    leaning.use_up(ctx, NUMBERS, who, kinds, [*forwards.scopes_of(tags)])


def speed(tables: Tables, state: Encounter, combatant: Combatant) -> int:
    """Feet per turn: halved (down) when slowed, doubled when hastened, 0 when held or stunned."""
    return numbers.value(situation(tables, state, combatant), "speed")


def can_dodge(ctx: Context, who: Combatant) -> bool:
    """Whether somebody can act and has a speed above 0, which Dodge needs to work."""
    have = in_force(ctx.tables, ctx.state, who)
    return "stunned" not in have and speed(ctx.tables, ctx.state, who) > 0
