"""Rests, and the end of an encounter: what each gives back; streaks. On the road between them.

Seed 003: Resting, Action Points, Streak, Powers (frequency), Overland Movement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, forbidden
from affray.core.heart.events import Changed, Used
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit import numbers, rests, rolls
from affray.rulekit.placing import begin
from affray.rulekit.rolls import Die
from affray.rulesets.orcus import checks, damage, totals
from affray.rulesets.orcus.checks import Terms
from affray.rulesets.orcus.initiative import SURPRISE_ROUNDS

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


class _Rest(Struct, frozen=True):
    """What `rest` says; `next-day`: more than 24 hours have passed since the last long one."""

    kind: Annotated[str, arguments.choice("the kind of rest", KINDS)]
    next_day: Annotated[bool, arguments.flag()] = False


def _rest(ctx: Context, said: _Rest) -> None:
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
    if ctx.state[who].named(damage.CUSHION) is None:  # what has an end of its own lasts until then
        rests.set_track(ctx, who, "temp_hp", 0, why)
    if ctx.state[who].life == "unconscious":
        damage.heal(ctx, who, 1, why)
    if ctx.state[who].life == "up":
        end_named(ctx, who, "prone", "stands up")


def _long_rest(ctx: Context, who: str) -> None:
    """HP are full too, and a character has its first action point again."""
    why = "a long rest"
    if (hp := ctx.state[who].tracks.get("hp")) is not None and hp.max is not None:
        damage.heal(ctx, who, hp.max, why)
    rests.reset(ctx, who, LONG, why)
    ctx.emit(Used(who, *_RESTED))
    if ctx.state[who].kind == "pc":
        rests.set_track(ctx, who, "action_points", ctx.tables.economy["action_points"], why)


REST_VERBS = (declare("rest", "lets everybody rest, or completes a streak", _Rest, _rest),)


# -- on the road -----------------------------------------------------------------------------------

HUSTLE, PUSH_ON, FOOTSORE = "hustle", "push-on", "footsore"
DAY = "long"
"""The span of what a long rest begins anew, as daily powers have it."""


class _March(Struct, frozen=True):
    """What `hustle` and `push-on` say."""

    people: Annotated[list[Combatant], arguments.people("who goes on")]
    dice: Annotated[list[Die], rolls.die_said(checks.OUTCOMES, "people")]
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()


def _hustle(ctx: Context, said: _March) -> None:
    """The check at the end of an hour: with each hour since the last long rest it is harder."""
    dc, more = ctx.tables.economy["hustle"], ctx.tables.economy["hustle_hour"]
    _march(ctx, said, HUSTLE, lambda who: dc + more * _hours(who))
    hustle = they(said.people, "hustles", "hustle")
    ctx.text = f"{hustle} for an hour: {_slowest(ctx, said.people)} miles"


def _hours(who: Combatant) -> int:
    """The hours that somebody has hustled, the one that is ending among them."""
    return who.used(HUSTLE, DAY) + 1


def _push_on(ctx: Context, said: _March) -> None:
    """Another five hours after the day's five, once a day."""
    _march(ctx, said, PUSH_ON, lambda who: ctx.tables.economy["push_on"])
    miles = _slowest(ctx, said.people) * 5 // 2
    ctx.text = f"{they(said.people, 'pushes', 'push')} on for five hours: {miles} miles"


def _slowest(ctx: Context, people: list[Combatant]) -> int:
    """The speed of the slowest, in squares: half of it is the miles that are walked in an hour."""
    return min(numbers.value(totals.here(ctx, who), "speed") for who in people)


def _march(ctx: Context, said: _March, what: str, dc_of: Callable[[Combatant], int]) -> None:
    """Make each one's Endure check.

    Who fails loses a recovery, and can't go on so before a long rest. Raises Refused for who has
    failed before, and in a fight.
    """
    if ctx.state.phase == "combat":
        raise Refused(f"nobody can {what} in the middle of a fight")
    for who in said.people:
        if why := _why_not(ctx, who, what):
            raise Refused(f"{who.name} can't {what}: {why}")
    for who, die in zip(said.people, said.dice, strict=True):
        if checks.contest(ctx, who, "endure", die, said.terms, dc_of(who)) == "miss":
            _fail(ctx, ctx.state[who.id])
        ctx.emit(Used(who.id, what, DAY))


def _why_not(ctx: Context, who: Combatant, what: str) -> str:
    if who.life != "up":
        return str(who.life)
    again = what == PUSH_ON and who.used(PUSH_ON, DAY)
    return forbidden(ctx.tables, ctx.state, who, HUSTLE) or ("once a day" if again else "")


def _fail(ctx: Context, who: Combatant) -> None:
    if who.track("recoveries") > 0:
        ctx.emit(Changed(who.id, "recoveries", -1, why="worn out"))
    begin(ctx, who.id, FOOTSORE)


TRAVEL_VERBS = (
    declare(HUSTLE, "ends an hour at double pace with an Endure check", _March, _hustle),
    declare(PUSH_ON, "walks on for five more hours with an Endure check", _March, _push_on),
)
