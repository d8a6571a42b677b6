"""What the situation adds up to: checks, attacks, AC and speed, and the parts of each.

Seed 004: Conditions & Statuses, Fatigue & Exhaustion, Armor Class.
"""

from __future__ import annotations

from affray.core.heart.effects import in_force, rule_of
from affray.core.heart.state import Combatant, Encounter
from affray.core.rules.ruleset import Share
from affray.core.rules.tables import Tables
from affray.rulesets.monsters_and_magic import fatigue

DEFAULT_SPEED = 30


def totals(tables: Tables, state: Encounter, combatant: Combatant) -> dict[str, int]:
    """The modifiers to checks and attacks, and the whole AC and speed, as things stand."""
    return {
        "check": _sum(shares(tables, state, combatant, "check")),
        "attack": _sum(shares(tables, state, combatant, "attack")),
        "ac": armor_class(tables, state, combatant),
        "speed": speed(tables, state, combatant),
    }


def _sum(parts: list[Share]) -> int:
    return sum(p.amount for p in parts if isinstance(p.amount, int))


def armor_class(tables: Tables, state: Encounter, combatant: Combatant, extra: int = 0) -> int:
    """AC with all that changes it, and so much `extra`; 0 when all that would be negative."""
    return max(0, _sum(shares(tables, state, combatant, "ac")) + extra)


def shares(tables: Tables, state: Encounter, combatant: Combatant, total: str) -> list[Share]:
    """The parts of `check`, `attack`, `ac` or `speed`, the creature's own number first."""
    if total == "speed":
        return _speed_shares(tables, state, combatant)
    parts = []
    if total == "ac":
        parts.append(Share(combatant.number("ac"), "own AC"))
    if total in ("check", "attack"):
        penalty = fatigue.exhaustion_penalty(tables, combatant)
        if penalty:
            parts.append(Share(penalty, "exhaustion"))
    return [*parts, *_in_force(tables, state, combatant, kinds_of(total))]


def kinds_of(total: str) -> tuple[str, ...]:
    """The kinds of modifiers that count in a total: an attack is a check too."""
    return ("check", "attack") if total == "attack" else (total,)


def _in_force(
    tables: Tables, state: Encounter, combatant: Combatant, wanted: tuple[str, ...]
) -> list[Share]:
    """What the effects in force change, each once, and then the ongoing modifiers."""
    parts = [
        Share(effect.modifiers[kind], _label(name, effect.because))
        for name, effect in in_force(tables, state, combatant).items()
        if effect.kind not in ("forward", "ongoing")
        for kind in wanted
        if kind in effect.modifiers
    ]
    return [*parts, *_ongoing(combatant, wanted)]


def _label(name: str, because: str) -> str:
    return f"{name} ({because})" if because and because != name else name


def _ongoing(combatant: Combatant, wanted: tuple[str, ...]) -> list[Share]:
    """Ongoing modifiers all count, however many there are of them."""
    return [
        Share(amount, f"ongoing{f' ({effect.note})' if effect.note else ''}")
        for effect in combatant.effects
        if effect.kind == "ongoing"
        for kind, amount in effect.modifiers.items()
        if kind in wanted
    ]


def speed(tables: Tables, state: Encounter, combatant: Combatant) -> int:
    """Feet per turn: halved (down) when slowed, doubled when hastened, 0 when held or stunned."""
    kinds = {rule_of(tables, name).speed for name in in_force(tables, state, combatant)}
    if "none" in kinds:
        return 0
    feet = combatant.number("speed", DEFAULT_SPEED) + _sum(
        _in_force(tables, state, combatant, ("speed",))
    )
    if "half" in kinds and "double" in kinds:
        return max(0, feet)
    if "half" in kinds:
        return max(0, feet // 2)
    return max(0, feet * 2 if "double" in kinds else feet)


def _speed_shares(tables: Tables, state: Encounter, combatant: Combatant) -> list[Share]:
    parts = [Share(combatant.number("speed", DEFAULT_SPEED), "own speed")]
    words = {"half": "half", "double": "doubled", "none": "can't move"}
    for name, effect in in_force(tables, state, combatant).items():
        change = rule_of(tables, name).speed
        if change:
            parts.append(Share(words[change], _label(name, effect.because)))
    return [*parts, *_in_force(tables, state, combatant, ("speed",))]
