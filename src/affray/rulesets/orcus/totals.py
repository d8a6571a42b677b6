"""What the situation adds up to, and the parts of each number.

Seed 003: Modifiers, Attack Rolls, Speed, Conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.effects import called, in_force, rule_of
from affray.core.refusal import signed
from affray.core.ruleset import Share
from affray.core.state import Combatant, Effect, Encounter
from affray.core.tables import Tables
from affray.rulesets.orcus import creatures, modifiers
from affray.rulesets.orcus.creatures import DEFENSES
from affray.rulesets.orcus.modifiers import Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

WHOLE = (*DEFENSES, "speed")
TOTALS = ("attack", "damage", "save", "check", "perception", "initiative", *WHOLE)
_ALSO = {"perception": ("check",), "initiative": ("check",)}  # they are checks themselves
_ONCE = ("condition", "state", "opening")  # kinds that one has or has not
_ELSEWHERE = ("help",)  # kinds that are against one creature only, and so in no general number
_CALLED = {"ac": "AC", "fortitude": "Fortitude", "reflex": "Reflex", "will": "Will"}


def parts(tables: Tables, state: Encounter, who: Combatant, total: str) -> list[Part]:
    """All parts of a number: the creature's own first (whole totals only), then what is in force.

    A condition counts once however often it is there; everything else counts each time, but what
    is to checks and to perception as well is one bonus to a check of perception.
    """
    return _parts(tables, state, who, total, in_force(tables, state, who))


def _parts(
    tables: Tables, state: Encounter, who: Combatant, total: str, force: Mapping[str, Effect]
) -> list[Part]:
    own = [_own(tables, state, who, total)] if total in WHOLE else []
    wanted = (total, *_ALSO.get(total, ()), *(("defenses",) if total in DEFENSES else ()))
    found = (
        (effect, next(filter(None, (effect.modifiers.get(kind) for kind in wanted)), 0))
        for effect in _effects(who, force)
    )
    return own + [
        Part(amount, _label(tables, state, effect), effect.type)
        for effect, amount in found
        if amount
    ]


def _own(tables: Tables, state: Encounter, who: Combatant, total: str) -> Part:
    """Its own number; a summon's defences are its owner's (seed 003: Summons)."""
    called = _CALLED.get(total, total)
    if total == "speed":
        return Part(who.number(total, int(tables.economy["speed"])), f"own {called}")
    owner = creatures.owner_here(state, who) if creatures.is_summon(who) else None
    if owner is not None and total not in who.stats:
        value = owner.number(total, creatures.UNSAID_DEFENSE)
        return Part(value, f"{owner.name}'s {called}")
    return Part(who.number(total, creatures.UNSAID_DEFENSE), f"own {called}")


def _effects(who: Combatant, force: Mapping[str, Effect]) -> Iterator[Effect]:
    """What counts: each condition once, implied ones too, and every other effect by itself."""
    own = {effect.id for effect in who.effects}
    for effect in force.values():
        if effect.kind in _ONCE or effect.id not in own:
            yield effect
    for effect in who.effects:
        if effect.kind not in (*_ONCE, *_ELSEWHERE):
            yield effect


def _label(tables: Tables, state: Encounter, effect: Effect) -> str:
    """Where a part comes from: the GM's words for it, else its name and what brought it."""
    name = effect.note or effect.name
    if effect.because and effect.because != effect.name:
        return f"{name} ({called(tables, effect.because)})"
    if effect.source and effect.kind not in _ONCE:
        return f"{name} from {state.name(effect.source)}"
    return name


def _caps(tables: Tables, total: str, force: Mapping[str, Effect]) -> list[tuple[int, str]]:
    """What a number is at most, after all that changes it, and because of what."""
    rules = ((rule_of(tables, name), name) for name in force)
    return [(rule.at_most[total], name) for rule, name in rules if total in rule.at_most]


def totals(tables: Tables, state: Encounter, who: Combatant) -> dict[str, int]:
    """attack, damage, save, check, perception, initiative as modifiers; ac, fortitude, reflex, will
    and speed whole."""
    force = in_force(tables, state, who)
    return {total: _number(tables, state, who, total, force) for total in TOTALS}


def shares(tables: Tables, state: Encounter, who: Combatant, total: str) -> list[Share]:
    """The parts of one of the totals, for `why`."""
    if total not in TOTALS:
        return []
    caps = _caps(tables, total, in_force(tables, state, who))
    return [
        *modifiers.shares(parts(tables, state, who, total)),
        *(Share(f"at most {cap}", name) for cap, name in caps),
        *(_beside_the_total(tables, state, who) if total == "attack" else ()),
    ]


def _beside_the_total(tables: Tables, state: Encounter, who: Combatant) -> Iterator[Share]:
    """What counts for some attacks only, as text: a mark's penalty, and each weapon's own bonus."""
    penalty = signed(-int(tables.economy["marked"]))
    for effect in who.effects:
        if effect.name == "marked":
            yield Share(f"({penalty})", f"marked, unless {state.name(effect.source)} is a target")
    for weapon in creatures.attacks_of(who):
        yield Share(f"({signed(weapon.bonus)})", f"{weapon.name}, against {weapon.defense}")


def number_now(tables: Tables, state: Encounter, who: Combatant, total: str) -> int:
    """One of the totals: its parts as they stack, then what it is at most."""
    return _number(tables, state, who, total, in_force(tables, state, who))


def _number(
    tables: Tables, state: Encounter, who: Combatant, total: str, force: Mapping[str, Effect]
) -> int:
    value = modifiers.total(_parts(tables, state, who, total, force))
    value = min([value, *(cap for cap, _ in _caps(tables, total, force))])
    return max(0, value) if total == "speed" else value
