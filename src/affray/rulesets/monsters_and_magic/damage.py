"""Damage and healing: half, AC, resistance, temporary HP, and what 0 HP brings.

Seed 004: Attacking & Dealing Damage, Armor Class, Resistance & Vulnerability, Temporary Hit Points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.events import Changed, Noted
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused
from affray.rulekit import leaning, numbers
from affray.rulekit.numbers import Part
from affray.rulesets.monsters_and_magic import death, forwards, life, totals
from affray.rulesets.monsters_and_magic.checks import Outcome
from affray.rulesets.monsters_and_magic.creatures import LISTS, words_of

if TYPE_CHECKING:
    from affray.core.heart.decide import Context


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


def scaled(amount: int, outcome: Outcome) -> int:
    """What a hit deals of what was rolled: half (down, at least 1 of something), all or double."""
    if outcome == "weak":
        return max(1, amount // 2) if amount > 0 else 0
    return 2 * amount if outcome == "crit" else amount


def after_resistance(amount: int, resists: bool, vulnerable: bool, immune: bool) -> int:
    """What is left after resistance (half, down), vulnerability (double) or immunity (nothing)."""
    if immune:
        return 0
    if resists:
        amount //= 2
    return amount * 2 if vulnerable else amount


_SCALES = {"weak": "halved", "crit": "doubled"}


def taken(ctx: Context, target: Combatant, blow: Blow) -> tuple[int, str]:
    """What a blow comes to on a target, and how, in words."""
    amount = scaled(blow.amount, blow.outcome)
    how = [f"{blow.amount}{f' {blow.type}' if blow.type else ''}{blow.label}"]
    if blow.outcome in _SCALES:
        how.append(f"{_SCALES[blow.outcome]} {amount}")
    extra = [Part(blow.extra_ac, "extra")]
    armor = numbers.value(totals.here(ctx, target), "ac", more=extra)
    if armor:
        how.append(f"AC {armor}")
    amount = max(0, amount - armor)
    resists = blow.type in words_of(target, "resist") or _water_resists(ctx, blow.type)
    vulnerable = blow.type in words_of(target, "vulnerable")
    immune = blow.type in words_of(target, "immune")
    how += [
        word
        for word, is_so in (("resisted", resists), ("vulnerable", vulnerable), ("immune", immune))
        if is_so and blow.type
    ]
    return (
        after_resistance(amount, resists, vulnerable, immune) if blow.type else amount
    ), ", ".join(how)


def _water_resists(ctx: Context, damage_type: str) -> bool:
    """Under water everything resists fire (seed 004: Underwater Combat)."""
    return damage_type == "fire" and ctx.state.settings.get("underwater") == "on"


def deal(ctx: Context, who: str, blow: Blow) -> int:
    """Let a blow land: temporary HP first, then HP, then what follows. Gives what got through.

    Raises Refused for somebody who is dead, or who has no HP.
    """
    target = ctx.state[who]
    require_hp(target, "damaged")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead")
    amount, how = taken(ctx, target, replace(blow, extra_ac=blow.extra_ac + _forward_ac(ctx, who)))
    leaning.use_up(ctx, who, totals.spent_by(ctx, who, "ac"))
    if amount == 0:
        ctx.emit(Noted(f"{target.name} takes no damage ({how})"))
        return 0
    lose(ctx, who, amount, how)
    return amount


def lose(ctx: Context, who: str, amount: int, why: str) -> None:
    """Lose HP that nothing keeps off, temporary ones first, with what 0 HP brings."""
    target = ctx.state[who]
    cushion = min(amount, target.track("temp_hp"))
    if cushion:
        ctx.emit(Changed(who, "temp_hp", -cushion, why=why))
    lost = min(amount - cushion, target.track("hp"))
    if lost:
        ctx.emit(Changed(who, "hp", -lost, why=why))
    if target.life in ("dying", "stable"):
        death.hurt_while_down(ctx, who)
    elif ctx.state[who].track("hp") == 0:
        life.at_zero(ctx, who)


def require_hp(target: Combatant, done: str) -> None:
    """Raises Refused for somebody without HP."""
    if "hp" not in target.tracks:
        raise Refused(f"{target.name} has no HP that could be {done}")


def _forward_ac(ctx: Context, target: str) -> int:
    """Forwards to the target's AC, which the blow uses up."""
    used = forwards.fitting(ctx.state[target], ("ac",))
    leaning.use_up(ctx, target, used)
    return sum(e.modifiers.get("ac", 0) for e in used)


def heal(ctx: Context, who: str, amount: int, why: str = "") -> int:
    """Heal up to the maximum; whoever has HP then is awake, but for the exhausted. Gives how much.

    The dying and the stable are back by it (seed 004: Death & Dying). Raises Refused for the dead:
    only Death's bargain brings a character back.
    """
    target = ctx.state[who]
    require_hp(target, "healed")
    if target.life == "dead":
        hint = f"; `bargain {who} accept` brings them back" if target.kind == "pc" else ""
        raise Refused(f"{target.name} is dead{hint}")
    really = min(amount, target.room("hp"))
    if really:
        ctx.emit(Changed(who, "hp", really, why=why))
    if really and target.life in ("dying", "stable"):
        life.rise(ctx, who, why or "healed")
    elif amount > 0 and ctx.state[who].track("hp") > 0:
        life.wake(ctx, who, why or "healed")
    return really


def temporary(ctx: Context, who: str, amount: int) -> int:
    """Give temporary HP; of two sources the higher stays. Gives what there is now."""
    require_hp(ctx.state[who], "protected")
    have = ctx.state[who].track("temp_hp")
    if amount > have:
        ctx.emit(Changed(who, "temp_hp", amount - have, why="temporary HP"))
    else:
        ctx.emit(Noted(f"{ctx.state.name(who)} keeps the {have} temporary HP it has"))
    return max(amount, have)


def known_types(ctx: Context) -> list[str]:
    """The types of damage that the rules or somebody's resistances name."""
    return [*ctx.tables.damage_types, *_named_types(ctx)]


def _named_types(ctx: Context) -> list[str]:
    return [
        kind
        for c in ctx.state.combatants
        if not c.stats.keys().isdisjoint(LISTS)  # most have none, and every attack asks all
        for key in LISTS
        for kind in words_of(c, key)
    ]
