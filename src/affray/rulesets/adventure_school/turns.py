"""Initiative, rests, and what starts and ends of turns set off in their order.

Seed 001: Initiative, Delay, Stamina, Diminish, Short Rest, Long Rest, Burning, Regenerate, Player
vs. Player Changes; rules file, 2, 10, 12.4, 20 and 21.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart import groups, turns
from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.order import Side
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Pending, declare
from affray.core.rules.tables import Tables
from affray.rulekit import harm, initiative, rests
from affray.rulekit.acts import Pay
from affray.rulekit.doing import Declared
from affray.rulekit.placing import amount_of
from affray.rulesets.adventure_school import (
    conditions,
    damage,
    economy,
    fighting,
    hands,
    hiding,
    movement,
    resources,
    sheet,
    songs,
    spellburn,
    totals,
)
from affray.rulesets.adventure_school.conditions import BURNING, ONGOING, REGENERATION

GIVES_BACK = rests.Rest(sets={"stamina": rests.FULL, "diminish": 0})
"""What whoever gets an initiative gets along with it."""


def roll_initiative(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """A d20 and `init` for each, with advantage while hidden (rules file, 2.1)."""
    return {who: initiative.roll(ctx, totals.here(ctx, ctx.state[who]), lying) for who in ids}


def initiative_given(ctx: Context, who: str) -> None:
    """Stamina up to its present maximum, and no diminish, each time (rules file, 2.2)."""
    rests.reset(ctx, who, GIVES_BACK, "initiative")


class Skip(Struct, frozen=True):
    """What `skip` says: on which side of whom one stands from the next round on."""

    side: Annotated[Side, arguments.choice("a side", ("before", "after"))]
    other: Annotated[Combatant, arguments.person("beside whom", asks="anyone")]


def _skip(ctx: Context, said: Skip) -> None:
    """This round's turn is given up for another place (rules file, 2.3)."""
    turns.skip(ctx, ctx.actor().id, said.other.id, said.side)
    skips, beside = groups.whose_turn(ctx.before), groups.name_of(ctx.state, said.other.id)
    ctx.text = f"{skips} skips the turn to stand {said.side} {beside}; {turns.who_is_up(ctx)}"


# -- rests -----------------------------------------------------------------------------------------

SHORT = rests.Rest(
    ends=("turn", "round", "fight", "rest"), forgets=("rest",), sets={"control": rests.FULL}
)
"""What every rest resets; with the effects that last until it, maxima are as they were."""
LONG = rests.Rest(
    ends=("long-rest",),
    forgets=("long", "day"),
    sets={"spirit": rests.FULL, "spellburn": rests.FULL},
)
"""What a long one resets besides."""


class Rest(Struct, frozen=True):
    """What `rest` says."""

    kind: Annotated[str, arguments.choice("the kind of rest", ("short", "long"))]
    interrupted: Annotated[bool, arguments.flag(heard="interrupted")] = False
    besides: Annotated[list[Combatant], rests.BESIDES] = []


def _rest(ctx: Context, said: Rest) -> None:
    """Hours pass for all but the dead; a long rest that was broken is a short one (20)."""
    rests.refuse_in_a_fight(ctx)
    if said.interrupted and said.kind == "short":
        raise Refused("only a long rest that is interrupted is still one: a short rest")
    is_long = said.kind == "long" and not said.interrupted
    why = f"a {said.kind} rest{', interrupted' if said.interrupted else ''}"
    for who in rests.taking_part(ctx, said.besides):
        spellburn.let_happen(ctx, who.id)
        resources.rested(ctx, who.id, why)
        rests.reset(ctx, who.id, SHORT, why)
        if is_long:
            rests.reset(ctx, who.id, LONG, why)
        else:
            _grow_die(ctx, who.id, why)
        damage.settled(ctx, who.id)
        _recover(ctx, who.id, is_long, why)
        rests.stand_up(ctx, who.id)
    ctx.text = why.capitalize()


def _grow_die(ctx: Context, who: str, why: str) -> None:
    """The spellburn die is one size larger, at most its maximum (15.7)."""
    die = ctx.state[who].tracks.get("spellburn")
    if die is not None and die.value < (die.max or 0):
        larger = next(sides for sides in sheet.LADDER if sides > die.value)
        rests.set_track(ctx, who, "spellburn", min(larger, die.max or 0), why)


def _recover(ctx: Context, who: str, is_long: bool, why: str) -> None:
    """HP: half the maximum, rounded up, for those who are up; all for everybody by a long rest."""
    hp = ctx.state[who].tracks.get("hp")
    if hp is None or hp.max is None:
        return
    if ctx.state[who].life == "up":
        harm.regain(ctx, who, hp.max if is_long else (hp.max + 1) // 2, why)
    elif is_long:
        damage.revive(ctx, who, hp.max, why)


# -- what goes on turn by turn --------------------------------------------------------------------


def _is_late(ctx: Context, who: str) -> bool:
    """Whether ongoing damage comes at the end of its turn: adventurers fight each other (21)."""
    return ctx.state.settings.get("pvp") == "on" and ctx.state[who].side == "party"


def _suffer(ctx: Context, who: str, name: str) -> None:
    """Take the damage of all effects of that name: of each type the most, as the same condition
    twice is no worse (9)."""
    for kind in dict.fromkeys(effect.type for effect in ctx.state[who].all_named(name)):
        now = ctx.state[who]
        if "hp" not in now.tracks or now.is_out:
            return
        each = [amount_of(ctx, who, e) for e in now.all_named(name) if e.type == kind]
        if each:
            damage.deal(ctx, who, damage.Blow(((max(each), kind),), label=f" {name}"))


def _regenerate(ctx: Context, who: str) -> None:
    """So many HP, by the sheet or for a time, but none at 0 HP (12.4)."""
    target = ctx.state[who]
    each = (effect.amount for effect in target.all_named(REGENERATION))
    amount = max(target.number(REGENERATION), *each, 0)
    if amount and target.track("hp") > 0:
        harm.regain(ctx, who, amount, REGENERATION)


class Douse(Struct, frozen=True):
    """`douse [prone]`."""

    prone: Annotated[bool, arguments.flag(heard="prone")] = False


def douse(ctx: Context, said: Douse, who: Combatant, pay: Pay) -> None:
    """Put a fire out by the action, or by falling prone and giving the whole movement (10)."""
    if who.named(BURNING) is None:
        raise Refused(f"{who.name} isn't burning")
    if said.prone:
        economy.pay_by_move(ctx, who, pay)
        conditions.fall_prone(ctx, who.id)
    else:
        pay()
    end_named(ctx, who.id, BURNING, "put out")
    how = " on the ground" if said.prone else ""
    ctx.text = f"{who.name} puts the fire out{how}"


# -- the turn's edge -------------------------------------------------------------------------------


def turn_started(ctx: Context, who: str) -> None:
    """Fortune, and what a turn is paid with; then ongoing damage, and regeneration (2.5)."""
    resources.turn_started(ctx, who)
    economy.turn_started(ctx, who)
    hiding.turn_started(ctx, who)
    if not _is_late(ctx, who):
        _suffer(ctx, who, ONGOING)
    _regenerate(ctx, who)


def turn_ending(ctx: Context, who: str) -> None:
    """Fires burn, whoever falls comes down, and what the turn held is over (2.6)."""
    _suffer(ctx, who, BURNING)
    if _is_late(ctx, who):
        _suffer(ctx, who, ONGOING)
    movement.fall_on(ctx, who)
    spellburn.turn_ending(ctx)
    economy.turn_ending(ctx)


def fight_ended(ctx: Context) -> None:
    """Who falls lands, and what turns and rounds would end has ended; everybody begins the next
    fight with all that a turn is paid with, before their first turn too."""
    everybody = [combatant.id for combatant in ctx.state.combatants]
    for who in everybody:
        movement.land(ctx, who)
    for who in everybody:
        economy.turn_started(ctx, who)
    for who in everybody:
        rests.reset(ctx, who, resources.AFTER_A_FIGHT, "the fight is over")
    spellburn.turn_ending(ctx)
    rests.fight_over(ctx)


def settled(ctx: Context) -> None:
    """What always follows: of HP, of speed, of flying; then movement, which goes with the speed."""
    for who in ctx.changed():
        damage.settled(ctx, who.id)
        fighting.settled(ctx, who.id)
        hiding.settled(ctx, who.id)
        movement.settled(ctx, who.id)
        hands.settled(ctx, who.id)
        spellburn.settled(ctx, who.id)
    for who in ctx.changed():
        economy.settled(ctx, who.id)


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now."""
    return [*spellburn.pending(state), *resources.pending(state), *songs.pending(state)]


VERBS = (
    declare("skip", "gives up this round's turn for another place", Skip, _skip, acts=True),
    declare("rest", "lets a rest pass; a long one restores all", Rest, _rest),
)
ACTS = {"douse": Declared(Douse, douse)}
