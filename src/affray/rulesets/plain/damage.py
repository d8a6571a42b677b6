"""Damage, healing, temporary HP, and who is down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from affray.core.heart.events import Became
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant
from affray.core.language.words import Words
from affray.rulekit import harm
from affray.rulekit.sheets import words_of
from affray.rulesets.plain.sheet import RESISTS

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


def _steps(target: Combatant, blow: harm.Struck) -> Iterator[harm.Step]:
    """What a blow meets, in this order: half of it, resistance, vulnerability, immunity."""
    if blow.half:
        yield harm.half("halved")
    if blow.kind in words_of(target, "resist"):
        yield harm.half("resisted", tells=False)
    if blow.kind in words_of(target, "vulnerable"):
        yield harm.double("vulnerable", tells=False)
    if blow.kind in words_of(target, "immune"):
        yield harm.nothing("immune")


def _deal(ctx: Context, who: str, blow: harm.Struck) -> None:
    """Let a blow land. Raises Refused for the dead, and for whoever has no HP."""
    target = harm.target(ctx, who)
    said = harm.amount_in_words(blow.amount, blow.kind)
    amount, how = harm.taken(blow.amount, said, _steps(target, blow))
    if amount == 0:
        harm.tell_no_damage(ctx, who, how)
        return
    harm.lose(ctx, who, amount, how)
    _settle_life(ctx, who)


def _heal(ctx: Context, who: str, amount: int) -> int:
    """Heal up to the maximum; gives how much."""
    harm.require_hp(ctx.state[who], "healed")
    healed = harm.regain(ctx, who, amount)
    _settle_life(ctx, who)
    return healed


def _give(ctx: Context, words: Words, targets: Sequence[Combatant], amount: int) -> None:
    for target in targets:
        harm.temporary(ctx, target.id, amount)


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


def _types(ctx: Context) -> list[str]:
    """The types of damage that anybody's sheet names; any other word is one as well."""
    return harm.known_types(
        ctx, RESISTS, lambda c: (t for key in RESISTS for t in words_of(c, key))
    )


DAMAGE_VERBS = (
    harm.damage_verb("deals damage, of any type or none", _types, _deal, others=True),
    harm.heal_verb("heals HP; whoever was down is up", _heal),
    harm.temp_verb("gives temporary HP; of two sources the higher stays", "", _give),
)
