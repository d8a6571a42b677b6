"""Damage and healing: half, AC, resistance, what 0 HP brings; the commands damage, heal and temp.

Seed 004: Attacking & Dealing Damage, Armor Class, Resistance & Vulnerability, Temporary Hit Points,
Underwater Combat.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.rulekit import harm, life, numbers
from affray.rulekit.numbers import Part
from affray.rulekit.recorded import words_of
from affray.rulesets.monsters_and_magic import dying, fatigue, surroundings, totals
from affray.rulesets.monsters_and_magic.checks import Outcome
from affray.rulesets.monsters_and_magic.creatures import LISTS


class Blow(Struct, frozen=True):
    """Damage on its way: the amount as rolled, its type, and what is particular to this blow.

    outcome   how it hits, which says how much of the amount it deals
    extra_ac  AC on top of the target's own
    label     where it comes from, in words
    """

    amount: int
    type: str = ""
    outcome: Outcome = "strong"
    extra_ac: int = 0
    label: str = ""


_SCALES = {"weak": harm.half("halved", least=1), "crit": harm.double("doubled")}
"""What becomes of what was rolled, for the hits that don't deal all of it."""


def scaled(amount: int, outcome: Outcome) -> int:
    """What a hit deals of what was rolled: half (down, at least 1 of something), all or double."""
    return _SCALES[outcome].makes(amount) if outcome in _SCALES else amount


def _steps(ctx: Context, target: Combatant, blow: Blow, armor: int) -> Iterator[harm.Step]:
    """Half or double, AC, then what the target has against the type: the order of the rules."""
    if blow.outcome in _SCALES:
        yield _SCALES[blow.outcome]
    if armor:
        yield harm.less(armor, "AC")
    if not blow.type:
        return
    is_wet = blow.type == "fire" and surroundings.is_under_water(ctx.state, target)
    if is_wet or blow.type in words_of(target, "resist"):
        yield harm.half("resisted", tells=False)
    if blow.type in words_of(target, "vulnerable"):
        yield harm.double("vulnerable", tells=False)
    if blow.type in words_of(target, "immune"):
        yield harm.nothing("immune")


def deal(ctx: Context, who: str, blow: Blow) -> int:
    """Let a blow land: temporary HP first, then HP, then what follows. Gives what got through.

    Raises Refused for somebody who is dead, or who has no HP.
    """
    target = harm.target(ctx, who)
    used = totals.fitting(target, ("ac",))
    extra = blow.extra_ac + sum(effect.modifiers.get("ac", 0) for effect in used)
    armor = numbers.value(totals.here(ctx, target), "ac", more=[Part(extra, "extra")])
    totals.use_up(ctx, who, "ac", used)
    steps = _steps(ctx, target, blow, armor)
    amount, how = harm.through(ctx, who, blow.amount, steps, blow.type, blow.label)
    if amount:
        lose(ctx, who, amount, how)
    return amount


def lose(ctx: Context, who: str, amount: int, why: str) -> None:
    """Lose HP that nothing keeps off, temporary ones first, with what 0 HP brings: the dying mark 1
    exhaustion, the stable are dying again (Death & Dying)."""
    life_before = ctx.state[who].life
    harm.lose(ctx, who, amount, why)
    if life_before == "dying":
        fatigue.mark_exhaustion(ctx, who, 1, "hurt while dying")
    elif life_before == "stable":
        life.begin_dying(ctx, who, "hurt at 0 HP")
    elif ctx.state[who].track("hp") == 0:
        dying.fall(ctx, who)


def heal(ctx: Context, who: str, amount: int, why: str = "") -> int:
    """Heal up to the maximum; whoever has HP then is awake, but for the exhausted. Gives how much.

    The dying and the stable are back by it (seed 004: Death & Dying). Raises Refused for the dead:
    only Death's bargain brings a character back.
    """
    target = ctx.state[who]
    harm.require_hp(target, "healed")
    if target.life == "dead":
        hint = f"; `bargain {who} accept` brings them back" if target.kind == "pc" else ""
        raise Refused(f"{target.name} is dead{hint}")
    healed = harm.regain(ctx, who, amount, why)
    if healed and target.life in ("dying", "stable"):
        dying.rise(ctx, who, why or "healed")
    elif amount > 0 and ctx.state[who].track("hp") > 0:
        dying.wake(ctx, who, why or "healed")
    return healed


def known_types(ctx: Context) -> Iterator[str]:
    """The types of damage that the rules or somebody's resistances name."""
    return harm.known_types(ctx, lambda c: (t for key in LISTS for t in words_of(c, key)))


class _Damage(harm.Damage, frozen=True):
    """What `damage` says; its type may be any word."""

    type: Annotated[str, arguments.damage_type(known_types)] = ""


def _damage(ctx: Context, who: str, said: _Damage, half: bool) -> None:
    deal(ctx, who, Blow(said.amount, said.type, "weak" if half else "strong"))


VERBS = (
    harm.damage_verb("deals damage, through AC and resistance", _Damage, _damage),
    harm.heal_verb("heals HP; the dying wake", heal),
    harm.temp_verb("gives temporary HP; of two sources the higher stays"),
)
