"""What the surroundings do to rolls: light and senses, concealment, cover, water, how far it is.

Where each is comes from the fight's settings, and for single combatants from their places.

Seed 004: Perception and Detection, Concealment, Cover, Underwater Combat, Ranges Instead of
Distances, Reach & Range.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.declared import ASKED_ELSEWHERE, Argument
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.tables import Tables
from affray.rulekit.numbers import Part, Situation

CONCEALED, HIDDEN, UNDETECTED, INVISIBLE = "concealed", "hidden", "undetected", "invisible"
UNSEEN = (HIDDEN, UNDETECTED)
"""What blinds whoever relies on sight against it."""
GRADES = ("", CONCEALED, *UNSEEN)
"""How hard somebody is to see, plain to see first."""
LIGHT, BRIGHT = "light", "bright"
UNDERWATER = "underwater"
PARTIAL_COVER, TOTAL_COVER = "partial-cover", "total-cover"
TREMORSENSE = "tremorsense"


# -- light and senses ------------------------------------------------------------------------------


def light_on(tables: Tables, state: Encounter, who: Combatant | None) -> str:
    """The light in which somebody is: their own place's, else that of the fight."""
    known = tables.economy["places"].get(LIGHT, ())
    own = next((e.name for e in who.effects if e.name in known), "") if who is not None else ""
    return own or state.settings.get(LIGHT) or BRIGHT


def _senses(looker: Combatant, senses: Iterable[str], feet: int | None) -> set[str]:
    """Those of some senses that somebody has, and that reach so many feet; any reach will do where
    the feet are not known."""
    have = {sense for sense in senses if looker.stats.get(sense)}
    if feet is None:
        return have
    return {s for s in have if looker.stats[s] is True or feet <= looker.number(s)}


def found_by(
    tables: Tables, looker: Combatant, seen: Combatant, feet: int | None = None
) -> set[str]:
    """What helps nobody against these senses: `hidden` against blindsight, `invisible` against
    truesight. Tremorsense finds what is on the ground with whoever has it."""
    ways = tables.economy["ways"].values()
    away = {row[key] for row in ways if "ends" in row for key in ("place", "ends")}
    off_ground = any(e.name in away for who in (looker, seen) for e in who.effects)
    useless = {TREMORSENSE} if off_ground else set()
    rows = tables.economy["finds"].items()
    return {name for name, by in rows if _senses(looker, by, feet) - useless}


def by_light(tables: Tables, looker: Combatant, light: str, feet: int | None = None) -> str:
    """How hard what is in that light is to see: `concealed`, `hidden`; empty for plain to see."""
    rows = tables.economy["senses"]
    lights = [rows[sense].get(light, light) for sense in _senses(looker, rows, feet)]
    grades = [str(tables.economy[LIGHT].get(each, "")) for each in (light, *lights)]
    return min(grades, key=_grade)


def _grade(name: str) -> int:
    return GRADES.index(name) if name in GRADES else 0


def how_seen(
    tables: Tables, state: Encounter, looker: Combatant, seen: Combatant, feet: int | None = None
) -> str:
    """How hard somebody is to see for another: the worst of the light and of what is on them.

    Empty for plain to see. The invisible are undetected (seed 004: Statuses).
    """
    found, force = found_by(tables, looker, seen, feet), in_force(tables, state, seen)
    grades = [name for name in GRADES if name in force]
    grades += [UNDETECTED] if INVISIBLE in force and INVISIBLE not in found else []
    grades.append(by_light(tables, looker, light_on(tables, state, seen), feet))
    return max((name for name in grades if name not in found), key=_grade, default="")


def look_at(ctx: Context, looker: Combatant, target: Combatant, feet: int | None = None) -> str:
    """How hard it is to see whom a roll is about; that it is rolled in secret is told."""
    seen = how_seen(ctx.tables, ctx.state, looker, target, feet)
    if seen == UNDETECTED:
        ctx.emit(Noted(f"{target.name} is undetected: this is rolled in secret, by the GM"))
    return seen


def concealment(tables: Tables, is_said: bool, seen: str) -> Part:
    """What it takes from a check by sight, where it is said or there."""
    is_dim = is_said or seen == CONCEALED
    return Part(-tables.economy["concealed"] if is_dim else 0, "concealed")


def without(here: Situation, found: set[str]) -> Situation:
    """The situation of somebody, but for what the senses of another make useless."""
    return replace(here, effects=tuple(e for e in here.effects if e.name not in found))


# -- cover and water -------------------------------------------------------------------------------


def is_under_water(state: Encounter, who: Combatant) -> bool:
    """Whether the fight, or somebody's own place, is under water."""
    return state.settings.get(UNDERWATER) == "on" or who.named(UNDERWATER) is not None


# -- how far ---------------------------------------------------------------------------------------


def _read_feet(words: Words, ctx: Context) -> int:
    ranges = ctx.tables.economy["ranges"]
    if words.has_number():
        feet = words.number("how many feet", 0, 9_999)
        words.take("feet", "ft")
        return feet
    feet = int(ranges[words.choice("how many feet, or a range", ranges)])
    words.take("range")
    return feet


FEET = Argument(lambda r: _read_feet(r.words, r.ctx), "FEET|RANGE", asks=ASKED_ELSEWHERE)
"""Feet, or a range by its name: `90`, `90 feet`, `medium`, `medium range`."""


def refuse_beyond(words: Words, ctx: Context, name: str) -> None:
    """Read `at FEET|RANGE`, where it is said. Raises Refused for farther than the range `name`."""
    if words.take("at"):
        feet, most = _read_feet(words, ctx), int(ctx.tables.economy["ranges"][name])
        if feet > most:
            raise Refused(f"that reaches {name} range, {most} feet, not {feet}")
