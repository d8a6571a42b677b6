"""Damage, healing, temporary HP, and who is down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from affray.core.heart.decide import Context
from affray.core.heart.events import Became
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant
from affray.core.language import arguments
from affray.rulekit import harm
from affray.rulekit.recorded import words_of
from affray.rulesets.plain.sheet import RESISTS


def _named(who: Combatant) -> Iterator[str]:
    return (kind for stat in RESISTS for kind in words_of(who, stat))


def _types(ctx: Context) -> Iterator[str]:
    """The types of damage that most games have, the campaign's own, and those of sheets."""
    return harm.known_types(ctx, _named)


class Damage(harm.Damage, frozen=True):
    """What `damage` says."""

    type: Annotated[str, arguments.damage_type(_types)] = ""


def _steps(target: Combatant, kind: str, half: bool) -> Iterator[harm.Step]:
    """What a blow meets, in this order: half of it, resistance, vulnerability, immunity."""
    if half:
        yield harm.half("halved")
    if kind in words_of(target, "resist"):
        yield harm.half("resisted", tells=False)
    if kind in words_of(target, "vulnerable"):
        yield harm.double("vulnerable", tells=False)
    if kind in words_of(target, "immune"):
        yield harm.nothing("immune")


def _deal(ctx: Context, who: str, said: Damage, half: bool) -> None:
    """Let a blow land. Raises Refused for the dead, and for whoever has no HP."""
    target = harm.target(ctx, who)
    steps = _steps(target, said.type, half)
    amount, how = harm.through(ctx, who, said.amount, steps, said.type)
    if amount:
        harm.lose(ctx, who, amount, how)
        _settle_life(ctx, who)


def _heal(ctx: Context, who: str, amount: int) -> int:
    """Heal up to the maximum; gives how much."""
    harm.require_hp(ctx.state[who], "healed")
    healed = harm.regain(ctx, who, amount)
    _settle_life(ctx, who)
    return healed


def _settle_life(ctx: Context, who: str) -> None:
    """At 0 HP who matters is unconscious and others are defeated; above 0 HP they are up."""
    target = ctx.state[who]
    if target.track("hp") == 0 and target.life == "up":
        matters = target.kind == "pc" or target.stats.get("important")
        ctx.emit(Became(who, "unconscious" if matters else "defeated", "0 HP"))
    elif target.track("hp") > 0 and target.life in ("unconscious", *OUT_OF_THE_FIGHT):
        ctx.emit(Became(who, "up", f"{target.track('hp')} HP"))


def hp_were_set(ctx: Context, who: str) -> None:
    """After HP were written by hand, who is at 0 is down, and who is above is up."""
    if "hp" in ctx.state[who].tracks:
        _settle_life(ctx, who)


DAMAGE_VERBS = (
    harm.damage_verb("deals damage, of any type or none", Damage, _deal),
    harm.heal_verb("heals HP; whoever was down is up", _heal),
    harm.temp_verb("gives temporary HP; of two sources the higher stays"),
)
