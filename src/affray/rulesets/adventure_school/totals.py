"""What the situation adds up to, and the parts of each number; what a resource's value means.

Seed 001: Grab, Size, Spellburn, Control and Chaos; rules file, 1, 7, 14, 15, 17.2 and 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from affray.core.heart.effects import called
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.rules.ruleset import Share
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.rulekit import numbers, recorded
from affray.rulekit.leaning import SIDES, own_reasons, suffered
from affray.rulekit.numbers import Number, Numbers, Part, Situation
from affray.rulesets.adventure_school.sheet import SIZES, abilities_of

MELEE, RANGED = ("attack", "melee"), ("attack", "ranged")
"""As what rows know rolls to hit; with a weapon they are `weapon` as well."""
DICE = {
    "melee_dice": ((*MELEE, "weapon"), ""),
    "ranged_dice": ((*RANGED, "weapon"), ""),
    "check_dice": (("check",), ""),
    "save_dice": (("save",), ""),
    "reflex_dice": (("save", "reflex"), ""),
    "initiative_dice": (("initiative",), ""),
    "attacked_melee_dice": (("attacked",), "near"),
    "attacked_ranged_dice": (("attacked",), "far"),
}
"""The totals that tell how dice fall: of each, the kinds that such a roll has in rows, and for a
roll that is to hit somebody, from where it comes."""


def _own_speed(here: Situation, total: str) -> list[Part]:
    own = here.who.number("speed", int(here.tables.economy["speed"]))
    return [Part(own, "own speed", of="speed")]


def _own_diminish(here: Situation, total: str) -> list[Part]:
    levels = here.who.track("diminish")
    return [Part(-levels, "levels of diminish", of="diminish")] if levels else []


NUMBERS = Numbers(
    {
        **dict.fromkeys(("attack", "damage", "check", "save", "initiative"), Number()),
        "diminish": Number(_own_diminish),
        "ac": Number(lambda here, total: [Part(here.who.number("ac"), "own AC", of="ac")], least=0),
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
    words = {name: _word(*_reasons(roller, name)) for name in DICE}
    return {**found, "speed": _held(tables, state, who, found["speed"]), **words}


def _word(pro: list[str], con: list[str]) -> str:
    """Which of two dice counts: neither adds up, and both cancel (R2)."""
    if bool(pro) == bool(con):
        return "normal"
    return "advantage" if pro else "disadvantage"


def _reasons(who: Situation, name: str) -> tuple[list[str], list[str]]:
    """Why such a roll has advantage and disadvantage, whomever it is made against."""
    kinds, where = DICE[name]
    pro, con = (
        (suffered(who, side, "", (where,)) if where else []) + own_reasons(who, side, kinds)
        for side in SIDES
    )
    return pro, con + (under_water(who) if where or "attack" in kinds else [])


def threat(here: Situation, tags: Sequence[str] = (), against: str = "") -> int:
    """By how much earlier than at 20 rolls threaten to be critical (1.6). What is taken off that 20
    is said as -1 or as +1, so each part counts by its size."""
    found = numbers.parts(here, "threat", tags, against)
    return sum(abs(part.amount) for part in here.numbers.counted(found))


def under_water(here: Situation) -> list[str]:
    """That every roll to hit is at a disadvantage here (rules file, 4.6)."""
    return ["under water"] if here.state.settings.get("underwater") == "on" else []


def shares(tables: Tables, state: Encounter, who: Combatant, total: str) -> list[Share]:
    """The parts of one of the totals, for `why`."""
    if total in DICE:
        roller = situation(tables, state, who)
        reasons = zip(SIDES, _reasons(roller, total), strict=True)
        return [
            Share(side, called(tables, name), roller.force.get(name))
            for side, found in reasons
            for name in found
        ]
    found = numbers.shares(NUMBERS, tables, state, who, total)
    slowed = slows(state, who) if total == "speed" else ""
    return [*found, *([Share("halved", slowed, who.named(slowed))] if slowed else [])]


def speed(tables: Tables, state: Encounter, who: Combatant) -> int:
    """Its speed in feet, as things stand."""
    return _held(tables, state, who, numbers.value(situation(tables, state, who), "speed"))


def _held(tables: Tables, state: Encounter, who: Combatant, feet: int) -> int:
    """The speed, or half of it as grabs halve it (rules file, 7)."""
    return half(tables, feet) if slows(state, who) else feet


def half(tables: Tables, feet: int) -> int:
    """Half of so many feet, rounded down to 5 (R18)."""
    pace = int(tables.economy["pace"])
    return feet // 2 // pace * pace


# -- who holds whom, and what that does by their sizes ---------------------------------------------

GRABBED, GRABBING = "grabbed", "grabbing"


larger_by = partial(recorded.larger_by, sizes=SIZES)
"""By how many sizes the one is larger than the other; below 0 when it is smaller."""


def grabs_on(who: Combatant) -> Sequence[Effect]:
    """The grabs in which somebody is held; the source of each is who holds."""
    return who.all_named(GRABBED)


def held_by(state: Encounter, holder: str) -> list[Combatant]:
    """Whom somebody holds."""
    everybody = (who for who in state.combatants if who.effects)
    return [who for who in everybody if any(e.source == holder for e in grabs_on(who))]


def slows(state: Encounter, who: Combatant) -> str:
    """What halves somebody's speed: being held by one a size smaller, or holding one of its own
    size; empty for nothing."""
    holders = (state.find(effect.source) for effect in grabs_on(who))
    if any(holder is not None and larger_by(who, holder) == 1 for holder in holders):
        return GRABBED
    holds = who.named(GRABBING) is not None
    alike = holds and any(larger_by(held, who) == 0 for held in held_by(state, who.id))
    return GRABBING if alike else ""


# -- beside a resource on the card -----------------------------------------------------------------


def remark(tables: Tables, who: Combatant, track: str) -> str:
    """The chance of a backfire; the spell, the dearest, that would bring control to 0, and so be
    chaos; empty for all else."""
    left = who.track(track)
    if track == "spellburn":
        return f"1 in {left}" if left else "out"
    spells = abilities_of(who) if track == "control" else ()
    dearest = max(spells, key=lambda ability: ability.control, default=None)
    if dearest is None or not 0 < left <= dearest.control:
        return ""
    return f"{dearest.name} would be chaos"
