"""What goes on turn by turn: burning, ongoing damage, regeneration, falling; whoever can't move.

Seed 001: Burning, Regenerate, Player vs. Player Changes, Falling, Flying, Immobilize, Prone; rules
file, 5.7, 10, 12.4, 19 and 21.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named, in_force
from affray.core.heart.events import Altered, Forgot, Noted, Used
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Duration, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Verb, declare
from affray.core.rules.tables import Tables
from affray.rulekit.acts import Pay
from affray.rulekit.doing import Declared
from affray.rulekit.placing import amount_of, begin, renew
from affray.rulesets.adventure_school import conditions, damage, economy, totals
from affray.rulesets.adventure_school.conditions import (
    BURNING,
    FALLING,
    FLYING,
    ONGOING,
    REGENERATION,
)
from affray.rulesets.adventure_school.damage import PRONE, Blow

PVP = "pvp"


def turn_started(ctx: Context, who: str) -> None:
    """Ongoing damage, then regeneration (rules file, 2.5)."""
    if not _is_late(ctx.state, ctx.state[who]):
        _suffer(ctx, who, ONGOING)
    regenerate(ctx, who)


def turn_ending(ctx: Context, who: str) -> None:
    """Burning, then the ongoing damage of adventurers who fight each other (2.6, 21)."""
    _suffer(ctx, who, BURNING)
    if _is_late(ctx.state, ctx.state[who]):
        _suffer(ctx, who, ONGOING)


def _is_late(state: Encounter, who: Combatant) -> bool:
    """Whether its ongoing damage comes at the end of its turn."""
    return state.settings.get(PVP) == "on" and who.side == "party"


def _suffer(ctx: Context, who: str, name: str) -> None:
    """Take the damage of all effects of that name: of each type the most, as the same condition
    twice is no worse (9)."""
    kinds = dict.fromkeys(effect.type for effect in _named(ctx.state[who], name))
    for kind in kinds:
        now = ctx.state[who]
        if "hp" not in now.tracks or now.life in OUT_OF_THE_FIGHT:
            return
        each = [amount_of(ctx, who, e) for e in _named(now, name) if e.type == kind]
        if each:
            damage.deal(ctx, who, Blow(((max(each), kind),), label=f" {name}"))


def _named(who: Combatant, name: str) -> list[Effect]:
    return [effect for effect in who.effects if effect.name == name]


def regenerate(ctx: Context, who: str) -> None:
    """So many HP, by the sheet or for a time, but none at 0 HP (12.4)."""
    target = ctx.state[who]
    each = [effect.amount for effect in _named(target, REGENERATION)]
    amount = max(target.number(REGENERATION), *each, 0)
    if amount and target.track("hp") > 0:
        damage.heal(ctx, who, amount, REGENERATION)


# -- putting it out --------------------------------------------------------------------------------


class Douse(Struct, frozen=True):
    """`douse [prone]`."""

    prone: Annotated[bool, arguments.flag(heard="prone")] = False


def douse(ctx: Context, said: Douse, who: Combatant, pay: Pay) -> None:
    """Put a fire out by the action, or by falling prone and giving the whole movement (10)."""
    if who.named(BURNING) is None:
        raise Refused(f"{who.name} isn't burning")
    if said.prone:
        economy.pay_by_move(ctx, who, pay)
        conditions.lay(ctx, who.id, damage.PRONE)
    else:
        pay()
    end_named(ctx, who.id, BURNING, "put out")
    how = " on the ground" if said.prone else ""
    ctx.text = f"{who.name} puts the fire out{how}"


# -- falling ---------------------------------------------------------------------------------------

IMMOBILIZED, SPEED, BLUNT = "immobilized", "speed", "blunt"
FALL = "fall"
"""What is counted of a fall that takes more than a turn, and the span of that."""


def begin_fall(ctx: Context, who: str, feet: int, because: str = "") -> None:
    """Fall so far, at the end of its turn; at once where there are no turns (rules file, 19.1)."""
    ctx.emit(Forgot(who, FALL))
    until = Duration(says="it lands")
    renew(ctx, who, FALLING, until, amount=feet, because=because)
    if ctx.state.phase != "combat":
        land(ctx, who)


def fall_on(ctx: Context, who: str) -> None:
    """Fall as far as one does in a turn, to the ground if that is far enough."""
    falling, far = ctx.state[who].named(FALLING), int(ctx.tables.economy["fall"])
    if falling is None:
        return
    if falling.amount <= far:
        land(ctx, who)
        return
    ctx.emit(Used(who, FALL, FALL))
    for effect in ctx.state[who].effects:
        if effect.name in (FALLING, FLYING):
            ctx.emit(Altered(who, replace(effect, amount=max(0, effect.amount - far))))
    left = falling.amount - far
    ctx.emit(Noted(f"{ctx.state.name(who)} falls {far} ft., with {left} ft. to go"))


def damage_of(tables: Tables, feet: int) -> int:
    """What a fall from so high deals: a point for each foot, from 10 ft. on (19.1)."""
    harms, most = int(tables.economy["fall_harms"]), int(tables.economy["fall_damage"])
    return min(feet, most) if feet >= harms else 0


def land(ctx: Context, who: str) -> None:
    """The end of a fall, and the damage for all of it (19.1)."""
    target, economy = ctx.state[who], ctx.tables.economy
    falling = target.named(FALLING)
    if falling is None:
        return
    far = int(economy["fall"])
    height = falling.amount + far * target.used(FALL, FALL)
    for name in (FALLING, FLYING):
        end_named(ctx, who, name, "on the ground")
    ctx.emit(Forgot(who, FALL))
    hurt = damage_of(ctx.tables, height)
    if not hurt or target.life == "dead" or "hp" not in target.tracks:
        ctx.emit(Noted(f"{target.name} lands after {height} ft., unharmed"))
        return
    taken = damage.deal(ctx, who, Blow(((hurt, BLUNT),), label=f" from {height} ft. up"))
    if taken >= int(economy["fall_kills"]):
        fell = f"{target.name} took {taken} damage by the fall"
        ctx.emit(Noted(f"{fell}: was that death? `kill {who}`"))


# -- flying, and not moving ------------------------------------------------------------------------


def settled(ctx: Context, who: str) -> None:
    """Immobilized as long as it can't move; whoever flies so without floating falls (5.7, 19.2)."""
    if "movement" not in ctx.state[who].tracks:
        return
    stuck = _why_stuck(ctx, ctx.state[who])
    _hold(ctx, who, stuck)
    target = ctx.state[who]
    flying, falling = target.named(FLYING), target.named(FALLING)
    is_up = flying is not None and not target.stats.get("float")
    falls = is_up and IMMOBILIZED in in_force(ctx.tables, ctx.state, target)
    if falls and flying is not None and falling is None:
        begin_fall(ctx, who, flying.amount, because=FLYING)
    elif falling is not None and falling.because == FLYING and not falls:
        end(ctx, who, falling.id, "it flies again" if is_up else "")
        ctx.emit(Forgot(who, FALL))


def _why_stuck(ctx: Context, who: Combatant) -> str:
    """Why somebody is immobilized who isn't by any other condition: a flyer that is prone, or the
    speed of whoever else; empty for who isn't."""
    free = replace(who, effects=tuple(e for e in who.effects if not _is_ours(e)))
    force = in_force(ctx.tables, ctx.state, free)
    if IMMOBILIZED in force:
        return ""
    if FLYING in force and PRONE in force and not who.stats.get("float"):
        return PRONE
    return SPEED if totals.speed(ctx.tables, ctx.state, free) == 0 else ""


def _is_ours(effect: Effect) -> bool:
    return effect.name == IMMOBILIZED and effect.because in (PRONE, SPEED)


def _hold(ctx: Context, who: str, because: str) -> None:
    """Let somebody be immobilized because of that, and of nothing else of the two."""
    held = [effect for effect in ctx.state[who].effects if _is_ours(effect)]
    for effect in held:
        if effect.because != because:
            end(ctx, who, effect.id, "can move again")
    if because and not any(effect.because == because for effect in held):
        begin(ctx, who, IMMOBILIZED, Duration(says="it can move"), because=because)


# -- the command -----------------------------------------------------------------------------------


class Fall(Struct, frozen=True):
    """What `fall` says."""

    who: Annotated[Combatant, arguments.person("who falls")]
    feet: Annotated[int, arguments.number("how many feet", 1, 99_999, "FEET")]


def _fall(ctx: Context, said: Fall) -> None:
    begin_fall(ctx, said.who.id, said.feet)
    ctx.text = f"{said.who.name} falls {said.feet} ft."


VERBS: tuple[Verb, ...] = (
    declare(FALL, "lets somebody fall, at the end of its turn", Fall, _fall),
)


ACTS: dict[str, Declared] = {"douse": Declared(Douse, douse)}
