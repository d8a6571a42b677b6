"""What the situation adds up to, and the parts of each number. Seed 002; rules file, 18."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from affray.core.heart.effects import called
from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Share
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.rulekit import numbers
from affray.rulekit.leaning import SIDES, own_reasons
from affray.rulekit.numbers import Number, Numbers, Part, Situation
from affray.rulesets.level_up import world

ROLLS = ("attack", "save", "check", "hide", "initiative")
"""What can have advantage or disadvantage."""
SPRINTING = "sprinting"


def _own_armor(here: Situation, total: str) -> list[Part]:
    own = here.who.number("ac", int(here.tables.economy["armor_class"]))
    given_up = here.who.room("shield")
    gone = [Part(-given_up, "the shield is given up", of="shield")] if given_up else []
    return [Part(own, "own AC", of="ac"), *gone]


def _own_speed(here: Situation, total: str) -> list[Part]:
    """Its own; adrift one of 30, and 5 for each point of Intelligence (rules file, 14.3)."""
    if world.is_on(here.state, world.ASTRAL):
        by_thought = 5 * here.who.number("int")
        return [Part(30, "adrift"), *([Part(by_thought, "int")] if by_thought else [])]
    own = here.who.number("speed", int(here.tables.economy["speed"]))
    return [Part(own, "own speed", of="speed")]


def _massive(here: Situation, total: str) -> list[Part]:
    """How much damage in one blow is massive: more with each level, or each of its Hit Dice."""
    economy = here.tables.economy
    level = here.who.number("level", here.who.number("hit-dice", 1))
    by_level = int(economy["massive_level"]) * max(1, level)
    return [Part(int(economy["massive"]), "for everybody"), Part(by_level, "by level")]


NUMBERS = Numbers(
    {
        "attack": Number(),
        "damage": Number(),
        "damage_taken": Number(),
        "check": Number(),
        "save": Number(),
        "hide": Number(kinds=("hide", "check"), one_of=True),  # hiding is a check
        "initiative": Number(),
        "ac": Number(_own_armor, least=0),
        "speed": Number(_own_speed, bent_by="speed", least=0),
        "massive": Number(_massive),
    },
    once=("condition", "trace", *OWN_KINDS),
    spent=("help",),
)
situation = partial(numbers.situation, NUMBERS)
here = partial(numbers.here, NUMBERS)


def totals(tables: Tables, state: Encounter, who: Combatant) -> dict[str, int]:
    """What the situation adds to rolls; AC, speed and massive damage whole."""
    found = numbers.totals(NUMBERS, tables, state, who)
    return found | {"speed": found["speed"] * _sprint(state, who)}


def shares(tables: Tables, state: Encounter, who: Combatant, total: str) -> list[Share]:
    """The parts of one of the totals, for `why`."""
    times = _sprint(state, who) if total == "speed" else 1
    sprint = [Share(f"×{times}", SPRINTING, who.named(SPRINTING))] if times > 1 else []
    leans = _leans(situation(tables, state, who), total)
    return [*numbers.shares(NUMBERS, tables, state, who, total), *leans, *sprint]


def _leans(here: Situation, total: str) -> Iterator[Share]:
    """What gives such rolls advantage or disadvantage, in words."""
    for side in SIDES if total in ROLLS else ():
        for name in own_reasons(here, side, NUMBERS.rows[total].kinds or (total,)):
            yield Share(side, called(here.tables, name), here.force.get(name))


def speed(tables: Tables, state: Encounter, who: Combatant) -> int:
    """Feet in this turn, Dash and Sprint in them: what they multiply is the speed after all that
    changes it (rules file, 3.3, 3.13)."""
    return numbers.value(situation(tables, state, who), "speed") * _sprint(state, who)


def _sprint(state: Encounter, who: Combatant) -> int:
    """By how much a sprint multiplies the speed, in the turn in which it is made."""
    sprint = who.named(SPRINTING)
    in_its_turn = state.phase != "combat" or state.takes_turn(who.id)
    return sprint.amount if sprint is not None and in_its_turn else 1
