"""The effects of the surroundings on rolls: light and senses, concealment, cover, water, distance.
They come from the fight's settings, and for single combatants from their places.

Monsters & Magic, Perception and Detection, Concealment, Cover, Underwater Combat, Ranges Instead of
Distances, Reach & Range.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from affray.core.engine.effects import effects_in_force
from affray.core.engine.state import Combatant
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ASKED_ELSEWHERE
from affray.core.rules.ruleset import Context
from affray.mechanics.stats import CombatantSituation, StatPart
from affray.rulesets.monsters_and_magic.settings import LIGHT, UNDERWATER

CONCEALED, HIDDEN, UNDETECTED, INVISIBLE = "concealed", "hidden", "undetected", "invisible"
UNSEEN = (HIDDEN, UNDETECTED)
"""The places that blind sight against their bearer."""
GRADES = ("", CONCEALED, *UNSEEN)
"""How hard somebody is to see, plain to see first."""
PARTIAL_COVER, TOTAL_COVER = "partial-cover", "total-cover"


# -- light and senses ------------------------------------------------------------------------------


def _light_on(ctx: Context, combatant: Combatant | None) -> str:
    """The light in which somebody is: their own place's, else that of the fight."""
    choices = ctx.tables.economy["places"].get(LIGHT.name, ())
    own = (
        next((e.name for e in combatant.effects if e.name in choices), "")
        if combatant is not None
        else ""
    )
    return own or LIGHT.value(ctx.state)


def _senses(looker: Combatant, senses: Iterable[str], feet: int | None) -> set[str]:
    """The senses among these that somebody has and that reach the distance; any reach will do if
    the distance is unknown."""
    have = {sense for sense in senses if looker.stats.get(sense)}
    if feet is None:
        return have
    return {s for s in have if looker.stats[s] is True or feet <= looker.number(s)}


def found_by(ctx: Context, looker: Combatant, seen: Combatant, feet: int | None) -> set[str]:
    """The ways of hiding that are useless against these senses: `hidden` against blindsight,
    `invisible` against truesight. Tremorsense finds creatures on the same ground."""
    rows = ctx.tables.economy["finds"]
    senses = _senses(looker, {sense for by in rows.values() for sense in by}, feet)
    if "tremorsense" in senses:
        options = ctx.tables.economy["ways"].values()
        away = {row[key] for row in options if "ends" in row for key in ("place", "ends")}
        if any(e.name in away for combatant in (looker, seen) for e in combatant.effects):
            senses.remove("tremorsense")
    return {name for name, by in rows.items() if not senses.isdisjoint(by)} if senses else set()


def by_light(
    ctx: Context, looker: Combatant, seen: Combatant | None, feet: int | None = None
) -> str:
    """The grade of concealment by the light on somebody, or else of the fight: `concealed`,
    `hidden`; empty for plain to see."""
    rows, light = ctx.tables.economy["senses"], _light_on(ctx, seen)
    lights = [rows[sense].get(light, light) for sense in _senses(looker, rows, feet)]
    grades = [str(ctx.tables.economy[LIGHT.name].get(each, "")) for each in (light, *lights)]
    return min(grades, key=_grade)


def _grade(name: str) -> int:
    return GRADES.index(name) if name in GRADES else 0


def how_seen(ctx: Context, looker: Combatant, seen: Combatant, feet: int | None) -> str:
    """The grade of concealment of somebody for another: the worst of the light and of effects.

    Empty for plain to see. The invisible are undetected (Monsters & Magic, Statuses).
    """
    found = found_by(ctx, looker, seen, feet)
    force = effects_in_force(ctx, seen)
    grades = [name for name in GRADES if name in force]
    grades += [UNDETECTED] if INVISIBLE in force and INVISIBLE not in found else []
    grades.append(by_light(ctx, looker, seen, feet))
    return max((name for name in grades if name not in found), key=_grade, default="")


def look_at(ctx: Context, looker: Combatant, target: Combatant, feet: int | None = None) -> str:
    """The grade of concealment of a roll's target; the log notes a secret roll."""
    seen = how_seen(ctx, looker, target, feet)
    if seen == UNDETECTED:
        ctx.note("is undetected: the GM rolls this in secret", target.id)
    return seen


def concealment(ctx: Context, is_said: bool, seen: str) -> StatPart:
    """The penalty of concealment to a check by sight, given or present; none against somebody who
    can't be seen at all."""
    is_dim = seen == CONCEALED or (is_said and seen not in UNSEEN)
    return StatPart(-ctx.tables.economy["concealed"] if is_dim else 0, "concealed")


def without_gear(situation: CombatantSituation, found: set[str]) -> CombatantSituation:
    """The situation of somebody, without effects that another's senses make useless."""
    return replace(situation, effects=tuple(e for e in situation.effects if e.name not in found))


# -- cover and water -------------------------------------------------------------------------------


def is_under_water(ctx: Context, combatant: Combatant) -> bool:
    """True if the fight, or somebody's own place, is under water."""
    return UNDERWATER.is_on(ctx.state) or combatant.named(UNDERWATER.name) is not None


# -- how far ---------------------------------------------------------------------------------------


def _read_feet(reading: ParseState) -> int:
    tokens, ranges = reading.words, reading.ctx.tables.economy["ranges"]
    if tokens.has_number():
        feet = tokens.number("a distance in feet", 0, 9_999)
        tokens.take("feet", "ft")
        return feet
    feet = int(ranges[tokens.choice("a distance in feet, or a range", ranges)])
    tokens.take("range")
    return feet


FEET = Argument(_read_feet, "FEET|RANGE", field=ASKED_ELSEWHERE)
"""Feet, or a range by its name: `90`, `90 feet`, `medium`, `medium range`."""


def refuse_beyond(ctx: Context, feet: int | None, name: str) -> None:
    """Raises Refused for a distance beyond the range `name`, if the command has one."""
    most = int(ctx.tables.economy["ranges"][name])
    if feet is not None and feet > most:
        raise Refused(f"that reaches {name} range, {most} feet, not {feet}")
