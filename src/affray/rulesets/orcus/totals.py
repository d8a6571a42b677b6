"""What the situation adds up to, and the parts of each number.

Seed 003: Modifiers, Attack Rolls, Speed, Conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import called, in_force, rule_of
from affray.core.heart.state import Combatant, Effect, Encounter
from affray.core.language.refusal import listed, signed
from affray.core.rules.ruleset import Share
from affray.core.rules.tables import Tables
from affray.rulesets.orcus import creatures, modifiers
from affray.rulesets.orcus.creatures import DEFENSES, MODES
from affray.rulesets.orcus.modifiers import Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PASSIVE = "passive-perception"
FLYING = "flying"
WHOLE = (*DEFENSES, "speed")
TOTALS = ("attack", "damage", "save", "check", "perception", "initiative", *WHOLE)
_OF_SOME = (*MODES, PASSIVE)  # whole numbers of those who have them
_ALSO = {
    "perception": ("check",),  # it is a check itself, and so is the next one
    "initiative": ("check",),
    PASSIVE: ("perception", "check"),
    **dict.fromkeys(MODES, ("speed",)),
}
_OF_MOVEMENT = ("speed", *MODES)
_ONCE = ("condition", "state", "opening")  # kinds that one has or has not
_ELSEWHERE = ("help",)  # kinds that are against one creature only, and so in no general number
_CALLED = {"ac": "AC", "fortitude": "Fortitude", "reflex": "Reflex", "will": "Will"}


def parts(
    tables: Tables, state: Encounter, who: Combatant, total: str, tags: Sequence[str] = ()
) -> list[Part]:
    """All parts of a number: the creature's own first (whole totals only), then what is in force.

    A condition counts once however often it is there; everything else counts each time, but what
    is to checks and to perception as well is one bonus to a check of perception. `tags` are those
    of the attack that is made, for what counts only with some.
    """
    return _parts(tables, state, who, total, in_force(tables, state, who), tags)


def _parts(
    tables: Tables,
    state: Encounter,
    who: Combatant,
    total: str,
    force: Mapping[str, Effect],
    tags: Sequence[str] = (),
) -> list[Part]:
    own = [_own(tables, state, who, total)] if total in (*WHOLE, *_OF_SOME) else []
    if total in ("attack", *DEFENSES):
        own += _clumsy(tables, who, force)
    wanted = (total, *_ALSO.get(total, ()), *(("defenses",) if total in DEFENSES else ()))
    found = (
        (effect, next(filter(None, (effect.modifiers.get(kind) for kind in wanted)), 0))
        for effect in _effects(who, force)
        if effect.modifiers and counts_with(effect, tags)
    )
    return own + [
        Part(amount, _label(tables, state, effect), effect.type)
        for effect, amount in found
        if amount
    ]


def counts_with(effect: Effect, tags: Sequence[str]) -> bool:
    """Whether its modifiers count with an attack of these tags and types (seed 003: Tags)."""
    return not effect.only_with or any(tag in effect.only_with for tag in tags)


def _clumsy(tables: Tables, who: Combatant, force: Mapping[str, Effect]) -> list[Part]:
    """What those lose who are at home in the air, or on the ground, where they are not.

    Seed 003: Flying Movement.
    """
    place = "in-air" if FLYING in force else "on-ground"
    if not who.stats.get(f"clumsy-{place}"):
        return []
    return [Part(-int(tables.economy["clumsy"]), f"clumsy {place.replace('-', ' ')}")]


def _own(tables: Tables, state: Encounter, who: Combatant, total: str) -> Part:
    """Its own number; a summon's defences are its owner's (seed 003: Summons)."""
    called = _CALLED.get(total, total)
    if total in _OF_SOME:
        return Part(who.number(total), f"own {called}")
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
    """Where a part comes from: its name, and what brought it; of what has no name but that of its
    kind, such as a modifier, the GM's words for it."""
    name = effect.note if effect.note and effect.name == effect.kind else effect.name
    if effect.because and effect.because != effect.name:
        return f"{name} ({called(tables, effect.because)})"
    if effect.source and effect.kind not in _ONCE:
        return f"{name} from {state.name(effect.source)}"
    return name


def _caps(tables: Tables, total: str, force: Mapping[str, Effect]) -> list[tuple[int, str]]:
    """What a number is at most, after all that changes it, and because of what.

    What holds for speed holds for every way to move (seed 003: Slowed).
    """
    total = "speed" if total in MODES else total
    rules = ((rule_of(tables, name), name) for name in force)
    return [(rule.at_most[total], name) for rule, name in rules if total in rule.at_most]


def _halvings(tables: Tables, total: str, force: Mapping[str, Effect]) -> list[str]:
    """What halves a number, every way to move among the speeds; what caps it comes after that."""
    total = "speed" if total in MODES else total
    return [name for name in force if total in WHOLE and total in rule_of(tables, name).halves]


def totals(tables: Tables, state: Encounter, who: Combatant) -> dict[str, int]:
    """attack, damage, save, check, perception, initiative as modifiers; ac, fortitude, reflex, will
    and speed whole, and so are other speeds and passive perception, of those who have them."""
    force = in_force(tables, state, who)
    return {total: _number(tables, state, who, total, force) for total in _totals_of(who)}


def _totals_of(who: Combatant) -> tuple[str, ...]:
    return (*TOTALS, *(total for total in _OF_SOME if has(who, total)))


def has(who: Combatant, total: str) -> bool:
    """Whether somebody has such a number: on the sheet, or for as long as an effect lasts."""
    return total in who.stats or any(total in effect.modifiers for effect in who.effects)


def shares(tables: Tables, state: Encounter, who: Combatant, total: str) -> list[Share]:
    """The parts of one of the totals, for `why`."""
    if total not in _totals_of(who):
        return []
    force = in_force(tables, state, who)
    caps = _caps(tables, total, force)
    return [
        *modifiers.shares(parts(tables, state, who, total)),
        *(Share("halved", name) for name in _halvings(tables, total, force)),
        *(Share(f"at most {cap}", name) for cap, name in caps),
        *_only_with_some(tables, state, who, total),
        *(_beside_the_total(tables, state, who) if total == "attack" else ()),
    ]


def _only_with_some(
    tables: Tables, state: Encounter, who: Combatant, total: str
) -> Iterator[Share]:
    """What counts only with attacks of some tag or type, as text."""
    for effect in who.effects:
        if effect.only_with and total in effect.modifiers:
            label = f"{_label(tables, state, effect)}, with {listed(effect.only_with)}"
            yield Share(f"({signed(effect.modifiers[total])})", label)


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
    for _ in _halvings(tables, total, force):
        value //= 2
    value = min([value, *(cap for cap, _ in _caps(tables, total, force))])
    return max(0, value) if total in _OF_MOVEMENT else value
