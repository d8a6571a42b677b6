"""Creatures of other books in a game's own numbers: readings, which a row says are proposed.

5e's numbers, and Level Up's, don't grow with the level; Orcus adds half of it to all rolls, and to
all that is rolled against. Where one rolls a save against a DC, Orcus rolls an attack against a
defence, which comes to the same: a DC is 8 more than the bonus of an attack.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from affray.core.rules.imported import (
    Attack,
    Creature,
    Feature,
    Infliction,
    Save,
    modifier,
    proficiency,
)

FOOT_BY_FOOT = ("level-up", "5e")
"""Games that measure in feet, with the same numbers."""
SQUARE = 5
"""The feet of a square."""
DC_OVER_BONUS = 8
DEFENCES = {
    "str": "fortitude", "con": "fortitude", "dex": "reflex", "int": "will", "wis": "will",
    "cha": "will",
}  # fmt: skip
"""The ability of a save -> the defence that is attacked in its place."""
SAVED_BY = {"fortitude": "con", "reflex": "dex", "will": "wis"}
OF_DEFENCE = {"fortitude": ("str", "con"), "reflex": ("dex", "int"), "will": ("wis", "cha")}
"""The abilities of which the higher counts (seed 003: Abilities)."""


def rating_of(creature: Creature) -> int | None:
    """Its challenge as a whole number, halves up; of Orcus' half of the level. None where neither
    is said."""
    if creature.game == "orcus" and creature.level is not None:
        return creature.level // 2
    found = re.fullmatch(r"(\d{1,2})(?:/(\d))?", creature.cr)
    if found is None:
        return None
    return int(int(found[1]) / int(found[2] or 1) + 0.5) if found[2] != "0" else None


def in_5e(creature: Creature) -> Creature:
    """A monster of Orcus in the numbers of 5e and Level Up; any other as it is."""
    if creature.game != "orcus" or creature.level is None:
        return creature
    half = creature.level // 2
    return replace(
        creature,
        game="5e",
        cr=str(half),
        pb=proficiency(max(half, 1)),
        ac=_plus(creature.ac, -half),
        initiative=_plus(creature.initiative, -half),
        speeds={way: far * SQUARE for way, far in creature.speeds.items()},
        senses={sense: far * SQUARE for sense, far in creature.senses.items()},
        skills={skill: bonus - half for skill, bonus in creature.skills.items()},
        amounts={},
        features=tuple(_saved(row, half) for row in creature.features),
    )


def _saved(row: Feature, half: int) -> Feature:
    """An attack against a defence other than AC as a save."""
    attack = row.attack
    if attack is None:
        return row
    if attack.against == "ac":
        feet = replace(attack, bonus=attack.bonus - half, **_times(attack, SQUARE))
        return replace(row, attack=feet)
    dc = max(attack.bonus - half + DC_OVER_BONUS, 1)
    save = Save(SAVED_BY.get(attack.against, "con"), dc, half=row.miss == "half")
    return replace(
        row, attack=None, damage=(), inflicts=(), save=save, failed=row.damage, binds=row.inflicts
    )


def in_orcus(creature: Creature) -> Creature:
    """A creature of 5e or Level Up in the numbers of Orcus; one without a challenge as it is."""
    level = rating_of(creature)
    if level is None:
        return creature
    half, tier = level // 2, SQUARE * (1 + max(level - 1, 0) // 10)
    scores = {a: modifier(n) for a, n in creature.abilities.items()}
    found = {
        name: 10 + half + max(creature.saves.get(a, scores.get(a, 0)) for a in pair)
        for name, pair in OF_DEFENCE.items()
    }
    return replace(
        creature,
        game="orcus",
        level=level,
        ac=_plus(creature.ac, half),
        defences=found,
        initiative=_plus(creature.initiative, half),
        speeds={way: far // SQUARE for way, far in creature.speeds.items()},
        senses={sense: far // SQUARE for sense, far in creature.senses.items()},
        skills={skill: bonus + half for skill, bonus in creature.skills.items()},
        passive_perception=_plus(creature.passive_perception, half),
        amounts={f"resist {kind}": tier for kind in creature.resist}
        | {f"vulnerable {kind}": tier for kind in creature.vulnerable},
        features=tuple(_attacking(row, half) for row in creature.features),
    )


def _attacking(row: Feature, half: int) -> Feature:
    """A save as an attack against a defence; a save behind a hit stays with the text."""
    attack = row.attack
    if attack is not None:
        squares = replace(attack, bonus=attack.bonus + half, **_times(attack, 1 / SQUARE))
        return replace(row, attack=squares, inflicts=_in_turns(row.inflicts))
    save = row.save
    if save is None or not (row.failed or row.binds):
        return row
    bonus = save.dc - DC_OVER_BONUS + half
    against = DEFENCES.get(save.ability, "fortitude")
    made = Attack(bonus, against, reach="near")
    return replace(
        row,
        attack=made,
        damage=row.failed,
        inflicts=_in_turns(row.binds),
        miss="half" if save.half else "",
        save=None,
        failed=(),
        binds=(),
    )


def _in_turns(rows: tuple[Infliction, ...]) -> tuple[Infliction, ...]:
    """What is saved against again each turn is what a save ends; and nobody escapes by a DC."""
    ends = {"repeat": "save"}
    return tuple(replace(row, until=ends.get(row.until, row.until), dc=0) for row in rows)


def _times(attack: Attack, by: float) -> dict[str, int]:
    return {name: int(getattr(attack, name) * by) for name in ("feet", "far", "long")}


def _plus(number: int | None, more: int) -> int | None:
    return None if number is None else number + more
