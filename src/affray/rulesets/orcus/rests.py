"""Rests, and the end of an encounter: what each gives back; streaks.

Seed 003: Resting, Action Points, Streak, Powers (frequency).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.heart.effects import end, end_named
from affray.core.heart.events import Changed, Forgot, Used
from affray.core.heart.state import Combatant, Effect
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulesets.orcus import healing
from affray.rulesets.orcus.initiative import SURPRISE_ROUNDS

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

KINDS = ("short", "long", "streak")
NEXT_DAY = "next-day"
_RESTED = ("rested", "day")
TIME_IS_UP = ("turn", "round", "fight", "rest", "save")
"""Ends of effects that come within the five minutes of a short rest: fifty turns, with a save in
each."""


OF_THE_ENCOUNTER = ("aura", "edge")
"""Kinds of effects that end with the encounter, whatever else would end them."""


def encounter_over(ctx: Context) -> None:
    """The fight is over: it counts toward the streak, and a completed one gives action points.

    What turns and rounds would end has ended, and auras too. What a save ends stays, as long as
    nobody has saved.
    """
    for combatant in ctx.state.combatants:
        for effect in combatant.effects:
            if effect.until.ends in ("turn", "round") or effect.kind in OF_THE_ENCOUNTER:
                end(ctx, combatant.id, effect.id, "the fight is over")
        ctx.emit(Forgot(combatant.id, "fight"))
        if any(key.startswith(f"{SURPRISE_ROUNDS}/") for key in combatant.uses):
            ctx.emit(Forgot(combatant.id, SURPRISE_ROUNDS))
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
    _set_track(ctx, who, "streak", 0, "a streak")


def _set_track(ctx: Context, who: str, track: str, value: int, why: str) -> None:
    have = ctx.state[who].track(track)
    if have != value and (track in ctx.state[who].tracks):
        ctx.emit(Changed(who, track, value - have, why=why))


def _rest(ctx: Context, words: Words) -> None:
    kind = words.choice("the kind of rest", KINDS)
    if ctx.state.phase == "combat":
        raise Refused("no rest in the middle of a fight; `end` closes it")
    living = [c for c in ctx.state.combatants if c.life != "dead"]
    if kind == "streak":
        _complete_streaks(ctx, living)
        return
    a_day_later = kind == "long" and bool(words.take(NEXT_DAY))
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
            f"`rest long {NEXT_DAY}` says that they have passed"
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
    """Encounter powers are back, failed death saves are gone, and what lasts until a rest ends."""
    for effect in ctx.state[who].effects:
        if _ends_in_a_rest(effect):
            end(ctx, who, effect.id, why)
    for span in _spans(ctx.state[who]):
        ctx.emit(Forgot(who, span))
    _set_track(ctx, who, "death_failures", 0, why)
    if ctx.state[who].named(healing.CUSHION) is None:  # what has an end of its own lasts until then
        _set_track(ctx, who, "temp_hp", 0, why)
    if ctx.state[who].life == "unconscious":
        healing.heal(ctx, who, 1, why)
    if ctx.state[who].life == "up":
        end_named(ctx, who, "prone", "stands up")


def _ends_in_a_rest(effect: Effect) -> bool:
    over = effect.until.ends in TIME_IS_UP or effect.kind in OF_THE_ENCOUNTER
    return over or bool(effect.upkeep)


def _spans(who: Combatant) -> list[str]:
    """The counts that a short rest ends: encounter powers, and refresh powers by any number."""
    spans = {key.partition("/")[0] for key in who.uses}
    return ["short", *sorted(span for span in spans if span.startswith("refresh"))]


def _long_rest(ctx: Context, who: str) -> None:
    """HP and recoveries are full, daily powers back, and the streak is broken."""
    why = "a long rest"
    hp = ctx.state[who].tracks.get("hp")
    if hp is not None and hp.max is not None:
        healing.heal(ctx, who, hp.max, why)
    recoveries = ctx.state[who].tracks.get("recoveries")
    if recoveries is not None and recoveries.max is not None:
        _set_track(ctx, who, "recoveries", recoveries.max, why)
    ctx.emit(Forgot(who, "long"), Used(who, *_RESTED))
    end_named(ctx, who, "footsore", why)
    if ctx.state[who].kind == "pc":
        _set_track(ctx, who, "action_points", ctx.tables.economy["action_points"], why)
        _set_track(ctx, who, "streak", 0, why)


REST_VERBS: tuple[Verb, ...] = (
    Verb(
        "rest",
        "rest short|long [next-day]|streak",
        "lets everybody rest, or completes a streak",
        _rest,
    ),
)
