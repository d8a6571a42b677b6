"""Healing: recoveries, regeneration, temporary HP; rests, and what they and encounters give back.

Seed 003: Healing, Recoveries, Healing on Negative HP, Regeneration, Temporary Hit Points, Resting,
Action Points, Streak, Powers (frequency).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.events import Changed, Noted, Spent, Used
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit import cushion, harm, life, rests
from affray.rulekit.placing import Placing, placing_said
from affray.rulesets.orcus import companions, damage, sheet
from affray.rulesets.orcus.durations import LASTING
from affray.rulesets.orcus.initiative import SURPRISE_ROUNDS

# -- healing ---------------------------------------------------------------------------------------


def heal(ctx: Context, who: str, amount: int, why: str = "") -> bool:
    """Heal up to the maximum, from 0 for who is below; any brings the dying and the stable back.

    Gives whether there was anything to heal. Raises Refused for the dead, and who has no HP.
    """
    if damage.may_rise(ctx.state[who]):
        damage.come_back(ctx, who, amount, why or "healed")
        return True
    target = _living(ctx, who, "healing does")
    healed = harm.regain(ctx, who, amount, why)
    if healed and target.life in life.DOWN:
        damage.rise(ctx, who, why or "healed")
    return healed > 0


def _living(ctx: Context, who: str, what: str) -> Combatant:
    """Who can be healed. Raises Refused for who has no HP, and for the dead."""
    target = ctx.state[who]
    harm.require_hp(target, "healed")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead, and {what} nothing any more")
    return target


def spend_recovery(ctx: Context, who: str, why: str, bonus: int = 0) -> bool:
    """Spend a recovery (a companion its owner's) and regain its user's recovery value.

    The dying without one are set to 1 HP. Gives whether there was one to spend. Raises Refused for
    others without one, and for the dead.
    """
    target = _living(ctx, who, "recoveries do")
    user = companions.recovers_for(ctx.state, target)
    if user.track("recoveries") > 0:
        ctx.emit(Spent(user.id, "recoveries", 1, why))
        heal(ctx, who, max(0, sheet.recovery_value(user) + bonus), why)
        return True
    if target.life == "dying":
        heal(ctx, who, 1, "no recoveries left")
        return False
    raise Refused(f"{user.name} has no recoveries left")


def regenerate(ctx: Context, who: str) -> None:
    """At a turn's start: the highest regeneration heals, its own or what effects give."""
    target = ctx.state[who]
    given = (effect.amount for effect in target.all_named("regeneration"))
    amount = max(0, target.number("regeneration"), *given)
    if amount and "hp" in target.tracks and target.life != "dead":
        heal(ctx, who, amount, f"regeneration {amount}")


# -- the commands of healing -----------------------------------------------------------------------

_ENDS = "for N turns | until start|end of NAME | fight | round N"


class _Temporary(cushion.Temporary, frozen=True):
    """What `temp` says."""

    placing: Annotated[Placing, placing_said(LASTING, _ENDS)] = Placing()


def _temp(ctx: Context, who: str, said: _Temporary) -> None:
    """Temporary HP until they are gone or their time is up; of two amounts the higher stays, unless
    it is said which."""
    if ctx.state[who].life == "dead":
        raise Refused(f"{ctx.state.name(who)} is dead, and temporary HP do nothing any more")
    cushion.give(LASTING, ctx, who, said)


class _Recovery(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.people("who spends a recovery")]
    plus: Annotated[
        int, arguments.clause("plus", arguments.number("the bonus to what it heals"))
    ] = 0
    companion: companions.With = None


def _recovery(ctx: Context, said: _Recovery) -> None:
    """Each spends one, and another for the companion."""
    companion = said.companion
    told = []
    for who in said.people:
        companions.refuse_others(who, companion)
        has_spent = spend_recovery(ctx, who.id, "a recovery", said.plus)
        told.append(f"{who.name} {'spends a recovery' if has_spent else 'comes to, at 1 HP'}")
        if companion is not None:
            spend_recovery(ctx, companion.id, "a recovery")
            told.append(f"and one for {companion.name}")
    ctx.text = ", ".join(told)


# -- rests -----------------------------------------------------------------------------------------

_RESTED = ("rested", "day")
OF_THE_ENCOUNTER = ("aura", "edge")
"""Kinds of effects that end with the encounter, whatever else would end them."""
ENCOUNTER = rests.Rest(
    ends=("turn", "round"),
    also=lambda effect: effect.kind in OF_THE_ENCOUNTER,
    forgets=("fight", SURPRISE_ROUNDS),
)
"""What the end of an encounter resets. What a save ends stays, as long as nobody has saved."""
SHORT = rests.Rest(
    ends=("turn", "round", "fight", "rest", "save"),  # fifty turns, with a save in each
    also=lambda effect: effect.kind in OF_THE_ENCOUNTER or bool(effect.upkeep),
    forgets=("short", "refresh*"),
    sets={"death_failures": 0},
)
"""What a short rest resets: encounter powers, and refresh powers by any number."""
LONG = rests.Rest(
    also=lambda effect: effect.name == "footsore",
    forgets=("long",),
    sets={"recoveries": rests.FULL, "streak": 0},
)
"""What a long rest resets besides: recoveries, daily powers, the streak."""


def encounter_over(ctx: Context) -> None:
    """The fight is over: it counts toward the streak, and a completed one gives action points."""
    for combatant in ctx.state.combatants:
        rests.reset(ctx, combatant.id, ENCOUNTER, "the fight is over")
        if combatant.kind == "pc" and combatant.life != "dead":
            ctx.emit(Changed(combatant.id, "streak", 1, why="the encounter is over"))
            if ctx.state[combatant.id].track("streak") >= ctx.tables.economy["streak"]:
                _complete_streak(ctx, combatant.id)


def _complete_streak(ctx: Context, who: str) -> None:
    """A further action point, and the count of encounters begins anew."""
    ctx.emit(Changed(who, "action_points", 1, why="a streak"))
    rests.set_track(ctx, who, "streak", 0, "a streak")


class _Resting(Struct, frozen=True):
    """What `rest` says; `next-day`: more than 24 hours have passed since the last long one."""

    kind: Annotated[str, arguments.choice("the kind of rest", ("short", "long", "streak"))]
    next_day: Annotated[bool, arguments.flag()] = False
    besides: Annotated[list[Combatant], rests.BESIDES] = []


def _rest(ctx: Context, said: _Resting) -> None:
    kind, a_day_later = said.kind, said.next_day
    if a_day_later and kind != "long":
        raise Refused(f"only a long rest waits for the next day, not {kind}")
    rests.refuse_in_a_fight(ctx)
    if kind == "streak":
        heroes = [c for c in ctx.state.combatants if c.kind == "pc" and c.life != "dead"]
        if not heroes:
            raise Refused("only player characters have streaks, and none of them is here")
        for hero in heroes:
            _complete_streak(ctx, hero.id)
        ctx.text = "A streak is completed"
        return
    resting = rests.taking_part(ctx, said.besides)
    _tell_of_the_dying(ctx, resting)
    if kind == "long":
        _long_rest(ctx, resting, a_day_later)
    for combatant in resting:
        _short_rest(ctx, combatant.id, f"a {kind} rest")
    ctx.text = f"A {kind} rest{', a day later' if a_day_later else ''}"


def _tell_of_the_dying(ctx: Context, resting: Sequence[Combatant]) -> None:
    """Tell who has death saves to make yet: these come every 6 seconds, long before a rest is over
    (seed 003: Death Saving Throws). The rest does them its good all the same, once it is given."""
    dying = [c for c in resting if c.life == "dying"]
    if dying:
        saves = "a death save each turn, `death NAME OUTCOME`, until they are stable or dead"
        ctx.emit(Noted(f"{they(dying, 'was', 'were')} dying: {saves}, comes before any rest"))


def _short_rest(ctx: Context, who: str, why: str) -> None:
    """Whoever was unconscious is awake at 1 HP, and who lay prone stands."""
    rests.reset(ctx, who, SHORT, why)
    if ctx.state[who].named(cushion.CUSHION) is None:  # what has an end of its own lasts until then
        rests.set_track(ctx, who, "temp_hp", 0, why)
    if ctx.state[who].life == "unconscious":
        heal(ctx, who, 1, why)
    rests.stand_up(ctx, who)


def _long_rest(ctx: Context, resting: Sequence[Combatant], a_day_later: bool) -> None:
    """HP are full too, and a character has its first action point again.

    It does good to those who had none in the last 24 hours. What time it is, only people know:
    without a word a second rest is within them. Raises Refused where it does nobody any good.
    """
    fresh = [c for c in resting if a_day_later or not c.used(*_RESTED)]
    if not fresh:
        raise Refused(
            "a second long rest within 24 hours does nobody any good: "
            "`rest long next-day` says that they have passed"
        )
    why = "a long rest"
    for who in fresh:
        hp = who.tracks.get("hp")
        if hp is not None and hp.max is not None:
            heal(ctx, who.id, hp.max, why)
        rests.reset(ctx, who.id, LONG, why)
        ctx.emit(Used(who.id, *_RESTED))
        if who.kind == "pc":
            points = ctx.tables.economy["action_points"]
            rests.set_track(ctx, who.id, "action_points", points, why)


_RECOVERY = "spends a recovery, which heals the recovery value; a second one for a companion"
VERBS = (
    harm.heal_verb("heals HP, from 0 on for who is below", heal),
    harm.temp_verb("gives temporary HP; of two the higher stays, or as said", _Temporary, _temp),
    declare("recovery", _RECOVERY, _Recovery, _recovery),
    declare("rest", "lets everybody rest, or completes a streak", _Resting, _rest),
)
