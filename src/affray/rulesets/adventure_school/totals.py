"""What the situation adds up to, and the parts of each number. Rules file, 1 and 17.2."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from affray.core.heart.effects import called
from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Share
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.rulekit import numbers
from affray.rulekit.leaning import own_reasons, suffered
from affray.rulekit.numbers import Number, Numbers, Part, Situation
from affray.rulesets.adventure_school import holds

UNDERWATER = "underwater"
MELEE, RANGED = ("attack", "melee"), ("attack", "ranged")
"""As what rows know rolls to hit; with a weapon they are `weapon` as well."""
OWN_DICE = {
    "melee_dice": (*MELEE, "weapon"),
    "ranged_dice": (*RANGED, "weapon"),
    "check_dice": ("check",),
    "save_dice": ("save",),
    "reflex_dice": ("save", "reflex"),
    "initiative_dice": ("initiative",),
}
"""Somebody's own rolls, and as what rows know them."""
ATTACKED_DICE = {"attacked_melee_dice": "near", "attacked_ranged_dice": "far"}
"""Rolls to hit somebody, and from where they come."""


def _own_armor(here: Situation, total: str) -> list[Part]:
    return [Part(here.who.number("ac"), "own AC")]


def _own_speed(here: Situation, total: str) -> list[Part]:
    return [Part(here.who.number("speed", int(here.tables.economy["speed"])), "own speed")]


def _own_diminish(here: Situation, total: str) -> list[Part]:
    levels = here.who.track("diminish")
    return [Part(-levels, "levels of diminish")] if levels else []


NUMBERS = Numbers(
    {
        "attack": Number(),
        "damage": Number(),
        "check": Number(),
        "save": Number(),
        "initiative": Number(),
        "diminish": Number(_own_diminish),
        "ac": Number(_own_armor, least=0),
        "speed": Number(_own_speed, bent_by="speed", least=0, step=5),
    },
    once=("condition", "trace", "state", *OWN_KINDS),
    counted=numbers.best_of_a_type,
)
situation = partial(numbers.situation, NUMBERS)
here = partial(numbers.here, NUMBERS)


def totals(tables: Tables, state: Encounter, who: Combatant) -> dict[str, int | str]:
    """What the situation adds to rolls, AC and speed whole; and how dice fall, in a word."""
    found = numbers.totals(NUMBERS, tables, state, who)
    roller = situation(tables, state, who)
    rows = (*OWN_DICE, *ATTACKED_DICE)
    words = {name: _word(*_reasons(roller, name)) for name in rows}
    return {**found, "speed": _held(tables, state, who, found["speed"]), **words}


def _word(pro: list[str], con: list[str]) -> str:
    """Which of two dice counts: neither adds up, and both cancel (R2)."""
    if bool(pro) == bool(con):
        return "normal"
    return "advantage" if pro else "disadvantage"


def _reasons(who: Situation, name: str) -> tuple[list[str], list[str]]:
    """Why such a roll has advantage and disadvantage, whomever it is made against."""
    if name in ATTACKED_DICE:
        pro, con = (
            suffered(who, side, "", (ATTACKED_DICE[name],)) + own_reasons(who, side, ("attacked",))
            for side in ("advantage", "disadvantage")
        )
        return pro, con + under_water(who)
    kinds = OWN_DICE[name]
    pro, con = (own_reasons(who, side, kinds) for side in ("advantage", "disadvantage"))
    return pro, con + (under_water(who) if "attack" in kinds else [])


def under_water(here: Situation) -> list[str]:
    """That every roll to hit is at a disadvantage here (rules file, 4.6)."""
    return ["under water"] if here.state.settings.get(UNDERWATER) == "on" else []


def shares(tables: Tables, state: Encounter, who: Combatant, total: str) -> list[Share]:
    """The parts of one of the totals, for `why`."""
    if total in OWN_DICE or total in ATTACKED_DICE:
        return list(_leans(situation(tables, state, who), total))
    found = numbers.shares(NUMBERS, tables, state, who, total)
    slowed = holds.slows(state, who) if total == "speed" else ""
    return [*found, *([Share("halved", slowed)] if slowed else [])]


def _leans(who: Situation, total: str) -> Iterator[Share]:
    """What gives such rolls advantage or disadvantage, in words."""
    for side, found in zip(("advantage", "disadvantage"), _reasons(who, total), strict=True):
        for name in found:
            yield Share(side, called(who.tables, name))


def speed(tables: Tables, state: Encounter, who: Combatant) -> int:
    """Its speed in feet, as things stand."""
    return _held(tables, state, who, numbers.value(situation(tables, state, who), "speed"))


def _held(tables: Tables, state: Encounter, who: Combatant, feet: int) -> int:
    """The speed, or half of it as grabs halve it (rules file, 7)."""
    return half(tables, feet) if holds.slows(state, who) else feet


def half(tables: Tables, feet: int) -> int:
    """Half of so many feet, rounded down to 5 (R18)."""
    pace = int(tables.economy["pace"])
    return feet // 2 // pace * pace
