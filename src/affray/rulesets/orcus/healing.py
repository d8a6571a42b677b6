"""Healing: recoveries, regeneration, temporary HP; rests, and what they and encounters give back.

Seed 003: Healing, Recoveries, Healing on Negative HP, Regeneration, Temporary Hit Points, Resting,
Action Points, Streak, Powers (frequency).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.events import Changed, Spent, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit import harm, life, rests
from affray.rulekit.placing import Placing, begin, placing_said, until_for
from affray.rulesets.orcus import companions, creatures, damage
from affray.rulesets.orcus.conditions import LASTING
from affray.rulesets.orcus.initiative import SURPRISE_ROUNDS

# -- healing ---------------------------------------------------------------------------------------

CUSHION = "temporary-hp"
"""The effect that says when temporary HP end, where they have an end of their own."""
_TIMED = "timed"


def heal(ctx: Context, who: str, amount: int, why: str = "") -> bool:
    """Heal up to the maximum, from 0 for who is below; any brings the dying and the stable back.

    Gives whether there was anything to heal. Raises Refused for the dead, and who has no HP.
    """
    target = ctx.state[who]
    harm.require_hp(target, "healed")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead, and healing does nothing any more")
    healed = harm.regain(ctx, who, amount, why)
    if healed and target.life in life.DOWN:
        damage.rise(ctx, who, why or "healed")
    return healed > 0


def spend_recovery(ctx: Context, who: str, why: str, bonus: int = 0) -> bool:
    """Spend a recovery (a companion its owner's) and regain its user's recovery value.

    The dying without one are set to 1 HP. Gives whether there was one to spend. Raises Refused for
    others without one, and for the dead.
    """
    target = ctx.state[who]
    harm.require_hp(target, "healed")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead, and recoveries do nothing any more")
    user = ctx.state[companions.recovers_for(ctx.state, target)]
    if user.track("recoveries") > 0:
        ctx.emit(Spent(user.id, "recoveries", 1, why))
        heal(ctx, who, max(0, creatures.recovery_value(user) + bonus), why)
        return True
    if target.life == "dying":
        heal(ctx, who, 1, "no recoveries left")
        return False
    raise Refused(f"{user.name} has no recoveries left")


def regenerate(ctx: Context, who: str) -> None:
    """At a turn's start: the highest regeneration heals."""
    target = ctx.state[who]
    amount = regeneration(target)
    if amount and "hp" in target.tracks and target.life != "dead":
        heal(ctx, who, amount, f"regeneration {amount}")


def regeneration(who: Combatant) -> int:
    """The highest of its own regeneration and what effects give; they don't add up."""
    given = [effect.amount for effect in who.effects if effect.name == "regeneration"]
    return max([0, who.number("regeneration"), *given])


def temporary(
    ctx: Context, who: str, amount: int, until: Duration | None = None, stays: harm.Stays = ""
) -> None:
    """Give temporary HP, until they are gone or their time is up.

    Of two amounts the higher stays, unless `stays` says which was chosen.
    """
    target = ctx.state[who]
    if target.life == "dead":
        raise Refused(f"{target.name} is dead, and temporary HP do nothing any more")
    if not harm.temporary(ctx, who, amount, stays):
        return
    _forget_cushion(ctx, who, "others in their place")
    if until is not None:
        begin(ctx, who, CUSHION, until, amount=amount)
        ctx.emit(Used(who, CUSHION, _TIMED))


def settle_temporary(ctx: Context, who: str) -> None:
    """Temporary HP go with the effect that says when they end, and it goes with them."""
    target = ctx.state[who]
    if not target.used(CUSHION, _TIMED):
        return
    if target.named(CUSHION) is None and target.track("temp_hp"):
        why = "the time of temporary HP is up"
        ctx.emit(Changed(who, "temp_hp", -target.track("temp_hp"), why=why))
    if target.named(CUSHION) is None or not target.track("temp_hp"):
        _forget_cushion(ctx, who, "used up")


def _forget_cushion(ctx: Context, who: str, why: str) -> None:
    end_named(ctx, who, CUSHION, why)
    rests.forget(ctx, who, _TIMED)


# -- the commands of healing -----------------------------------------------------------------------


_ENDS = "for N turns | until start|end of NAME | fight | round N"


class _Temporary(harm.Temporary, frozen=True):
    """What `temp` says: how long they last as well, and which stay, where that is a choice."""

    stays: Annotated[harm.Stays, arguments.one_of("new", "keep")] = ""
    placing: Annotated[Placing, placing_said(LASTING, _ENDS)] = Placing()


def _temp(ctx: Context, who: str, said: _Temporary) -> None:
    until = until_for(LASTING, ctx, who, said.placing) if said.placing.is_timed else None
    temporary(ctx, who, said.amount, until, said.stays)


class _Recovery(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.people("who spends a recovery")]
    plus: Annotated[
        int, arguments.clause("plus", arguments.number("the bonus to what it heals"))
    ] = 0
    companion: companions.With = None


def _recovery(ctx: Context, said: _Recovery) -> None:
    ctx.text = ", ".join(_spend_one(ctx, who, said) for who in said.people)


def _spend_one(ctx: Context, who: Combatant, said: _Recovery) -> str:
    """Spend a recovery of one of them, and one for a companion; gives what came of it."""
    companions.refuse_others(who, said.companion)
    has_spent = spend_recovery(ctx, who.id, "a recovery", said.plus)
    told = f"{who.name} {'spends a recovery' if has_spent else 'comes to, at 1 HP'}"
    if said.companion is None:
        return told
    spend_recovery(ctx, said.companion.id, "a recovery")
    return f"{told}, and one for {said.companion.name}"


# -- rests -----------------------------------------------------------------------------------------


KINDS = ("short", "long", "streak")
_RESTED = ("rested", "day")
OF_THE_ENCOUNTER = ("aura", "edge")
"""Kinds of effects that end with the encounter, whatever else would end them."""
ENCOUNTER = rests.Rest(
    ends=("turn", "round"), kinds=OF_THE_ENCOUNTER, forgets=("fight", SURPRISE_ROUNDS)
)
"""What the end of an encounter resets. What a save ends stays, as long as nobody has saved."""
SHORT = rests.Rest(
    ends=("turn", "round", "fight", "rest", "save"),  # fifty turns, with a save in each
    kinds=OF_THE_ENCOUNTER,
    also=lambda effect: bool(effect.upkeep),
    forgets=("short", "refresh*"),
    sets={"death_failures": 0},
)
"""What a short rest resets: encounter powers, and refresh powers by any number."""
LONG = rests.Rest(
    effects=("footsore",), forgets=("long",), sets={"recoveries": rests.FULL, "streak": 0}
)
"""What a long rest resets besides: recoveries, daily powers, the streak."""


def encounter_over(ctx: Context) -> None:
    """The fight is over: it counts toward the streak, and a completed one gives action points."""
    for combatant in ctx.state.combatants:
        rests.reset(ctx, combatant.id, ENCOUNTER, "the fight is over")
        if combatant.kind == "pc" and combatant.life != "dead":
            _count_encounter(ctx, combatant.id)


def _count_encounter(ctx: Context, who: str) -> None:
    needed = ctx.tables.economy["streak"]
    ctx.emit(Changed(who, "streak", 1, why="the encounter is over"))
    if ctx.state[who].track("streak") >= needed:
        complete_streak(ctx, who)


def complete_streak(ctx: Context, who: str) -> None:
    """A further action point, and the count of encounters begins anew."""
    ctx.emit(Changed(who, "action_points", 1, why="a streak"))
    rests.set_track(ctx, who, "streak", 0, "a streak")


class _Resting(Struct, frozen=True):
    """What `rest` says; `next-day`: more than 24 hours have passed since the last long one."""

    kind: Annotated[str, arguments.choice("the kind of rest", KINDS)]
    next_day: Annotated[bool, arguments.flag()] = False


def _rest(ctx: Context, said: _Resting) -> None:
    kind, a_day_later = said.kind, said.next_day
    if a_day_later and kind != "long":
        raise Refused(f"only a long rest waits for the next day, not {kind}")
    rests.refuse_in_a_fight(ctx)
    living = rests.living(ctx)
    if kind == "streak":
        _complete_streaks(ctx, living)
        return
    if kind == "long":
        for combatant in _fresh(ctx, living, a_day_later):
            _long_rest(ctx, combatant.id)
    for combatant in living:
        _short_rest(ctx, combatant.id, f"a {kind} rest")
    ctx.text = f"A {kind} rest{', a day later' if a_day_later else ''}"


def _fresh(ctx: Context, living: list[Combatant], a_day_later: bool) -> list[Combatant]:
    """Those whom a long rest does good: who had none in the last 24 hours.

    What time it is, only people know: without a word a second rest is within them. Raises Refused
    where it would do nobody any good.
    """
    fresh = [c for c in living if a_day_later or not c.used(*_RESTED)]
    if living and not fresh:
        raise Refused(
            "a second long rest within 24 hours does nobody any good: "
            "`rest long next-day` says that they have passed"
        )
    return fresh


def _complete_streaks(ctx: Context, living: list[Combatant]) -> None:
    heroes = [c for c in living if c.kind == "pc"]
    if not heroes:
        raise Refused("only player characters have streaks, and none of them is here")
    for hero in heroes:
        complete_streak(ctx, hero.id)
    ctx.text = "A streak is completed"


def _short_rest(ctx: Context, who: str, why: str) -> None:
    """Whoever was unconscious is awake at 1 HP, and who lay prone stands."""
    rests.reset(ctx, who, SHORT, why)
    if ctx.state[who].named(CUSHION) is None:  # what has an end of its own lasts until then
        rests.set_track(ctx, who, "temp_hp", 0, why)
    if ctx.state[who].life == "unconscious":
        heal(ctx, who, 1, why)
    if ctx.state[who].life == "up":
        end_named(ctx, who, "prone", "stands up")


def _long_rest(ctx: Context, who: str) -> None:
    """HP are full too, and a character has its first action point again."""
    why = "a long rest"
    if (hp := ctx.state[who].tracks.get("hp")) is not None and hp.max is not None:
        heal(ctx, who, hp.max, why)
    rests.reset(ctx, who, LONG, why)
    ctx.emit(Used(who, *_RESTED))
    if ctx.state[who].kind == "pc":
        rests.set_track(ctx, who, "action_points", ctx.tables.economy["action_points"], why)


_RECOVERY = "spends a recovery, which heals the recovery value; a second one for a companion"
VERBS = (
    harm.heal_verb("heals HP, from 0 on for who is below", heal),
    harm.temp_verb("gives temporary HP; of two the higher stays, or as said", _Temporary, _temp),
    declare("recovery", _RECOVERY, _Recovery, _recovery),
    declare("rest", "lets everybody rest, or completes a streak", _Resting, _rest),
)
