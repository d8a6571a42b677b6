"""Adventure School: a combatant's numbers and their parts, and the meaning of resources.

Adventure School, Grab, Size, Spellburn, Control and Chaos.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from affray.core.engine.effects import effect_name
from affray.core.engine.state import Combatant, Encounter
from affray.core.rules.ruleset import NumberPart
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.mechanics import sheet, stats
from affray.mechanics.holds import Hold
from affray.mechanics.stats import CombatantSituation, Reasons, StatPart, StatRule, StatRules
from affray.rulesets.adventure_school import settings
from affray.rulesets.adventure_school.sheet import SIZES, abilities_of

MELEE, RANGED = ("attack", "melee"), ("attack", "ranged")
"""The names of rolls to hit in rows; with a weapon they are `weapon` as well."""
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


def _own_diminish(situation: CombatantSituation, total: str) -> list[StatPart]:
    levels = situation.who.track("diminish")
    return [StatPart(-levels, "levels of diminish", of="diminish")] if levels else []


NUMBERS = StatRules(
    {
        **dict.fromkeys(("attack", "damage", "check", "save", "initiative"), StatRule()),
        "diminish": StatRule(_own_diminish),
        "ac": StatRule(
            lambda situation, total: [StatPart(situation.who.number("ac"), "own AC", of="ac")],
            least=0,
        ),
        "speed": StatRule(stats.own_number, bent_by="speed", least=0, step=5),
    },
    once=("condition", "trace", "state", *OWN_KINDS),
    counted=stats.stack_by_type,
)
situation = partial(stats.situation, NUMBERS)
situation_of = partial(stats.situation_in_command, NUMBERS)


class Numbers(stats.StatNumbers):
    """The numbers that the situation changes."""

    def totals(
        self, tables: Tables, state: Encounter, combatant: Combatant
    ) -> dict[str, int | str]:
        """The situation's modifiers to rolls, AC and speed whole, and the advantage of dice in a
        word."""
        values = stats.stat_values(NUMBERS, tables, state, combatant)
        roller = situation(tables, state, combatant)
        words = {name: _word(*_reasons(roller, name)) for name in DICE}
        return {**values, "speed": _held(tables, state, combatant, values["speed"]), **words}

    def explain(
        self, tables: Tables, state: Encounter, combatant: Combatant, total: str
    ) -> list[NumberPart]:
        """The parts of one of the totals, for `why`."""
        if total in DICE:
            roller = situation(tables, state, combatant)
            reasons = zip(stats.SIDES, _reasons(roller, total), strict=True)
            return [
                NumberPart(side, effect_name(tables, name), roller.force.get(name))
                for side, found in reasons
                for name in found
            ]
        found = super().explain(tables, state, combatant, total)
        slowed = slows(state, combatant) if total == "speed" else ""
        return [
            *found,
            *([NumberPart("halved", slowed, combatant.named(slowed))] if slowed else []),
        ]


def _word(pro: list[str], con: list[str]) -> str:
    """The word for which of two dice counts; advantage and disadvantage cancel (ruling 2)."""
    if bool(pro) == bool(con):
        return "normal"
    return "advantage" if pro else "disadvantage"


def _reasons(who: CombatantSituation, name: str) -> Reasons:
    """The reasons for advantage and disadvantage on such a roll, against any target."""
    kinds, where = DICE[name]
    pro, con = (
        (stats.reasons_against(who, side, "", (where,)) if where else [])
        + stats.own_roll_reasons(who, side, kinds)
        for side in stats.SIDES
    )
    return pro, con + (under_water(who) if where or "attack" in kinds else [])


def threat(situation: CombatantSituation, tags: Sequence[str] = (), against: str = "") -> int:
    """The number of faces below 20 that threaten a critical hit. Each part counts by its size, so
    -1 and +1 off that 20 are the same."""
    found = stats.stat_parts(situation, "threat", tags, against)
    return sum(abs(part.amount) for part in situation.numbers.counted(found))


def under_water(situation: CombatantSituation) -> list[str]:
    """The reason why every roll to hit has disadvantage here."""
    return ["under water"] if settings.UNDERWATER.is_on(situation.state) else []


def speed(tables: Tables, state: Encounter, combatant: Combatant) -> int:
    """Its speed in feet, now."""
    return _held(
        tables, state, combatant, stats.stat_value(situation(tables, state, combatant), "speed")
    )


def _held(tables: Tables, state: Encounter, combatant: Combatant, feet: int) -> int:
    """The speed, or half of it as grabs halve it."""
    return half(tables, feet) if slows(state, combatant) else feet


def half(tables: Tables, feet: int) -> int:
    """Half of a number of feet, rounded down to 5 (ruling 18)."""
    pace = int(tables.economy["pace"])
    return feet // 2 // pace * pace


# -- who holds whom, and what that does by their sizes ---------------------------------------------

GRABBED, GRABBING = "grabbed", "grabbing"
GRAB = Hold(GRABBED)


larger_by = partial(sheet.size_difference, sizes=SIZES)
"""The number of sizes by which one is larger; below 0 if smaller."""


def slows(state: Encounter, combatant: Combatant) -> str:
    """The hold that halves somebody's speed: by one a size smaller, or on one of its own size;
    empty for none."""
    holders = (state.find(effect.source) for effect in GRAB.on(combatant))
    if any(holder is not None and larger_by(combatant, holder) == 1 for holder in holders):
        return GRABBED
    holds = combatant.named(GRABBING) is not None
    alike = holds and any(
        larger_by(held, combatant) == 0 for held in GRAB.held_by(state, combatant.id)
    )
    return GRABBING if alike else ""


# -- beside a resource on the card -----------------------------------------------------------------


def describe_track(tables: Tables, combatant: Combatant, track: str) -> str:
    """The chance of a backfire; the spell, the dearest, that would bring control to 0, and so be
    chaos; empty for all else."""
    left = combatant.track(track)
    if track == "spellburn":
        return f"1 in {left}" if left else "out"
    spells = abilities_of(combatant) if track == "control" else ()
    dearest = max(spells, key=lambda ability: ability.control, default=None)
    if dearest is None or not 0 < left <= dearest.control:
        return ""
    return f"{dearest.name} would be chaos"
