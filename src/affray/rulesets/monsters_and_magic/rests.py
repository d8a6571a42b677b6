"""Rests: what a rest gives by itself, and the downtime activities that are numbers.

Seed 004: Rest & Recovery, Threads of Fate, Conditions & Statuses.
"""

from __future__ import annotations

from functools import partial

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, forbidden
from affray.core.heart.events import Changed, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language.clauses import names
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import harm, levels, rests
from affray.rulekit.placing import begin
from affray.rulesets.monsters_and_magic import damage, dying, fatigue
from affray.rulesets.monsters_and_magic.tracks import is_hold

KINDS = ("short", "long", "extended")
SHORT_RESTS_IN_A_ROW = 3
ACTIVITIES = {
    "short": ("tend", "clear", "prepare"),
    "long": ("tend", "clear", "prepare"),
    "extended": ("recuperate",),
}
MOST_ACTIVITIES = {"short": 2, "long": 2, "extended": 1}
ACTIVITY = "activity"
"""What is counted of a rest's downtime activities, in a span for each kind of rest."""
HOURS = rests.Rest(
    ends=("turn", "round", "fight", "rest"),
    forgets=("rest", *(f"{kind} rest" for kind in KINDS)),
)
"""What every rest resets."""


def _rest(ctx: Context, words: Words) -> None:
    kind = words.choice("the kind of rest", KINDS)
    rests.refuse_in_a_fight(ctx)
    if words.done:
        words.offered.extend(c.id for c in ctx.state.combatants)
        _pass_hours(ctx, kind)
        ctx.text = f"{_a(kind)} rest".capitalize()
        return
    people = words.combatants("who does something in the rest")
    for who in people:
        barred = forbidden(ctx.tables, ctx.state, who, "rest")
        if barred:
            raise Refused(f"{who.name} can do nothing in a rest: {barred}")
    done = words.for_each(people, lambda _, who: _activities(ctx, words, kind, who))[0]
    ctx.text = f"{names(people)} in {_a(kind)} rest: {listed(done, 'and')}"


def _a(kind: str) -> str:
    return f"{'an' if kind == 'extended' else 'a'} {kind}"


def _pass_hours(ctx: Context, kind: str) -> None:
    """What a rest does by itself, to everybody."""
    taken = ctx.state.gm("short_rests")
    if kind == "short":
        if taken >= SHORT_RESTS_IN_A_ROW:
            raise Refused("no more than 3 short rests in a row: take a long rest")
        ctx.emit(Changed("", "short_rests", 1, routine=True))
    elif taken:
        ctx.emit(Changed("", "short_rests", -taken, routine=True))
    for combatant in rests.living(ctx):
        rests.reset(ctx, combatant.id, HOURS, f"a {kind} rest")
        if kind != "short":
            _after_hours(ctx, combatant.id)
        if ctx.state[combatant.id].life == "up":
            end_named(ctx, combatant.id, "prone", "stands up")
    if kind != "short":
        ctx.emit(Changed("", "threads", 1, why="a long rest"))


def _after_hours(ctx: Context, who: str) -> None:
    """A long rest: a thread for those without any, holds are gone, the unconscious wake."""
    combatant = ctx.state[who]
    if combatant.kind == "pc" and combatant.track("threads") == 0 and combatant.room("threads"):
        ctx.emit(Changed(who, "threads", 1, why="a long rest"))
    for name in filter(partial(is_hold, ctx.tables), combatant.tracks):
        rests.set_track(ctx, who, name, 0, "a long rest")
    dying.wake_from_exhaustion(ctx, who, "a long rest")
    if ctx.state[who].life == "stable":
        dying.rise(ctx, who, "a long rest")


def _activities(ctx: Context, words: Words, kind: str, who: Combatant) -> list[str]:
    done: list[str] = []
    while not (words.done and done):
        had = ctx.state[who.id].used(ACTIVITY, _span(kind))
        if had >= MOST_ACTIVITIES[kind]:
            raise words.refuse(
                f"{_a(kind)} rest has time for {MOST_ACTIVITIES[kind]}, and {who.name} has had "
                f"{had}; `rest {kind}` begins another"
            )
        what = words.choice("a downtime activity", ACTIVITIES[kind])
        ctx.emit(Used(who.id, ACTIVITY, _span(kind)))
        _ACTIVITIES[what](ctx, words, kind, who.id)
        done.append(what)
    return done


def _span(kind: str) -> str:
    """The span in which the activities of a kind of rest are counted, until hours pass again."""
    return f"{kind} rest"


def _tend(ctx: Context, words: Words, kind: str, who: str) -> None:
    """Tend to Wounds: a quarter of the maximum HP for each supply; 2 at most in a short rest."""
    named = not words.has_number() and words.is_combatant()
    whom = words.combatant("whose wounds").id if named else who
    supplies = words.maybe_number(1, "the supplies spent", 1)
    if kind == "short" and supplies > 2:
        raise words.refuse("a short rest has time for 2 supplies at most")
    harm.require_hp(ctx.state[whom], "healed")
    quarter = (ctx.state[whom].tracks["hp"].max or 0) // 4
    damage.heal(ctx, whom, quarter * supplies, "tended in a rest")


def _clear(ctx: Context, words: Words, kind: str, who: str) -> None:
    """Clear Fatigue: 2 in a short rest; all in a long one, and exhaustion at a supply a mark."""
    fatigue.clear(ctx, who, 2 if kind == "short" else 99, f"a {kind} rest")
    supplies = words.maybe_number(0, "the supplies spent") if kind == "long" else 0
    levels.clear(ctx, who, "exhaustion", supplies, "rested")


def _prepare(ctx: Context, words: Words, kind: str, who: str) -> None:
    """Prepare: ready for one fitting roll on the road ahead."""
    if ctx.state[who].named("prepared") is None:
        begin(ctx, who, "prepared", Duration("use"), note="prepared in a rest")


def _recuperate(ctx: Context, words: Words, kind: str, who: str) -> None:
    """Recuperate: all HP, all fatigue and 2 exhaustion."""
    damage.heal(ctx, who, ctx.state[who].room("hp"), "recuperated")
    fatigue.clear(ctx, who, 99, "recuperated")
    levels.clear(ctx, who, "exhaustion", 2, "rested")


_ACTIVITIES = {"tend": _tend, "clear": _clear, "prepare": _prepare, "recuperate": _recuperate}

REST_VERBS = (
    Verb(
        "rest",
        "rest short|long|extended [NAME[,NAME] ACTIVITY [ACTIVITY]] "
        "(tend [NAME] [SUPPLIES], clear [SUPPLIES], prepare, recuperate)",
        "lets a rest pass, or says what somebody does in it",
        _rest,
    ),
)
