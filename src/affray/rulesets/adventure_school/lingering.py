"""What harms and heals turn by turn: burning, ongoing damage, regeneration; putting a fire out.

Seed 001: Burning, Regenerate, Player vs. Player Changes; rules file, 10, 12.4 and 21.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.rulekit.acts import Pay
from affray.rulekit.doing import Declared
from affray.rulekit.placing import amount_of
from affray.rulesets.adventure_school import conditions, damage, economy, life
from affray.rulesets.adventure_school.conditions import BURNING, ONGOING, REGENERATION
from affray.rulesets.adventure_school.damage import Blow

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
        life.heal(ctx, who, amount, REGENERATION)


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
        conditions.lay(ctx, who.id, life.PRONE)
    else:
        pay()
    end_named(ctx, who.id, BURNING, "put out")
    how = " on the ground" if said.prone else ""
    ctx.text = f"{who.name} puts the fire out{how}"


ACTS: dict[str, Declared] = {"douse": Declared(Douse, douse)}
