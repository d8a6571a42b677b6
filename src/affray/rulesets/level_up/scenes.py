"""Other scenes: under water, in the sky, adrift, and rolling. Each is a setting of the fight.

Seed 002: Suspended Movement, Rolling Movement; rules file, 14.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, gain, in_force
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Duration, Effect, Encounter
from affray.core.rules.tables import Tables
from affray.rulekit import recorded
from affray.rulekit.numbers import Part
from affray.rulesets.level_up.creatures import Attack

UNDERWATER, ALOFT, ASTRAL, ROLLING = SCENES = ("underwater", "aloft", "astral", "rolling")
FALLING = "falling"
FALLS_BY = ("prone", "restrained")
"""What lets somebody in the sky fall, wings or not."""
ASTRAL_SPEED, SPEED_OF_THOUGHT = 30, 5


def is_on(state: Encounter, scene: str) -> bool:
    """Whether the fight has that scene: in the sky, moving along as in a chase."""
    return state.settings.get(scene) == "on"


def resists(state: Encounter, kinds: Collection[str]) -> bool:
    """Whether everybody resists damage of such kinds: fire, under water (14.1)."""
    return "fire" in kinds and is_on(state, UNDERWATER)


def hinders_attack(state: Encounter, who: Combatant, weapon: Attack, ranged: bool) -> list[str]:
    """Why an attack with a weapon, at range or not, has disadvantage; nothing where it hasn't."""
    if not is_on(state, UNDERWATER):
        return []
    hinders = not weapon.thrown if ranged else not who.stats.get("swim")
    return [UNDERWATER] if hinders else []


def hinders_all(state: Encounter, who: Combatant, weapons: Sequence[Attack]) -> str:
    """The scene that hinders every attack with these weapons, thrown ones thrown; else empty."""
    swims = bool(who.stats.get("swim"))
    free = any(weapon.thrown or (swims and weapon.reach == "melee") for weapon in weapons)
    return UNDERWATER if weapons and not free and is_on(state, UNDERWATER) else ""


def hinders_check(state: Encounter, who: Combatant, ability: str) -> list[str]:
    """Why a check, which is no save, has disadvantage: Dexterity, for who can't swim (14.1)."""
    hinders = ability == "dex" and is_on(state, UNDERWATER) and not who.stats.get("swim")
    return [UNDERWATER] if hinders else []


def misses(state: Encounter, ranged: bool, long: bool) -> bool:
    """Whether an attack with a weapon misses whatever the die shows (14.1, R27)."""
    return ranged and long and is_on(state, UNDERWATER)


def settle_falling(ctx: Context) -> None:
    """In the sky whoever lies prone, is restrained or can't fly is falling (14.2)."""
    if not is_on(ctx.state, ALOFT) and not is_on(ctx.before, ALOFT):
        return
    for combatant in ctx.state.combatants:
        falls = is_on(ctx.state, ALOFT) and _falls(ctx.tables, ctx.state, combatant)
        is_falling = combatant.named(FALLING) is not None
        if falls and not is_falling:
            gain(ctx, combatant.id, Effect(FALLING, FALLING, "state", Duration(says="it flies")))
        elif is_falling and not falls:
            end_named(ctx, combatant.id, FALLING, "no longer falling")


def _falls(tables: Tables, state: Encounter, who: Combatant) -> bool:
    if who.side == "world" or who.life in OUT_OF_THE_FIGHT:
        return False
    force = in_force(tables, state, who)
    return not who.stats.get("fly") or any(name in force for name in FALLS_BY)


def exposes(state: Encounter, who: Combatant, kind: str) -> bool:
    """Whether it is vulnerable to that damage: psychic, adrift, but for who is proficient in Wisdom
    or Intelligence saves (14.3)."""
    saves = recorded.words_of(who, "saves")
    return kind == "psychic" and is_on(state, ASTRAL) and not {"wis", "int"} & {*saves}


def speed_of_thought(state: Encounter, who: Combatant) -> list[Part]:
    """What the speed is adrift, in place of one's own (14.3); empty elsewhere."""
    if not is_on(state, ASTRAL):
        return []
    by_thought = SPEED_OF_THOUGHT * who.number("int")
    return [Part(ASTRAL_SPEED, "adrift"), *([Part(by_thought, "int")] if by_thought else [])]
