"""Rests: what hours bring to everybody, and who does what in them.

Seed 004: Rest & Recovery, Threads of Fate, Conditions & Statuses.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named
from affray.core.heart.events import Changed, Noted, Used
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import names, they
from affray.core.language.declared import read, usage_of
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import rests
from affray.rulesets.monsters_and_magic import activities, attacks, dying, travel
from affray.rulesets.monsters_and_magic.activities import At, a_rest, span_of
from affray.rulesets.monsters_and_magic.tracks import is_hold

KINDS = ("short", "long", "extended")
HOURS = {"short": 1, "long": 8, "extended": 12}
SHORT_RESTS_IN_A_ROW = 3
BEGAN = "began"
"""What is counted of everybody in the span of a rest whose hours have passed for them."""
TIME = rests.Rest(
    ends=("turn", "round", "fight", "rest"),
    also=attacks.is_hiding,  # nobody hides from their company for hours
    forgets=("rest", *(span_of(kind) for kind in KINDS)),
)
"""What the hours of every rest reset, a broken one's too."""


class Hours(Struct, frozen=True):
    """What is said of a rest's hours.

    sheltered  in comfort, which has time for so many activities more
    supplies   what an inn or a host gives
    broken     strenuous activity of more than an hour came in between
    """

    sheltered: Annotated[
        int, arguments.clause("sheltered", arguments.number("the extra activities", 0, 9))
    ] = 0
    supplies: Annotated[
        int, arguments.clause("supplies", arguments.number("the supplies given", 1, 999))
    ] = 0
    broken: Annotated[bool, arguments.flag()] = False


def _rest(ctx: Context, words: Words) -> None:
    rests.refuse_in_a_fight(ctx)
    is_begun = words.peek() not in KINDS and words.is_people()
    kind = "" if is_begun else words.choice("the kind of rest", KINDS)
    hours = Hours() if is_begun else read(Hours, ctx, words)
    if words.done or hours != Hours():
        words.offered.extend(c.id for c in ctx.state.combatants)
        _pass_hours(ctx, kind, hours)
        return
    people = words.combatants("who does something in the rest")
    done = words.for_each(people, lambda _, who: _activities(ctx, words, kind, who))[0]
    ctx.text = f"{names(people)} in {a_rest(kind or _kind_of(people[0]))}: {listed(done, 'and')}"


def _activities(ctx: Context, words: Words, kind: str, who: Combatant) -> list[str]:
    """All that somebody does, at least one thing."""
    at = At(kind or _kind_of(who), who.id)
    done = [activities.do(ctx, words, at)]
    while not words.done:
        done.append(activities.do(ctx, words, at))
    return done


def _kind_of(who: Combatant) -> str:
    """The kind of the rest whose hours have passed for somebody. Raises Refused for none."""
    found = next((kind for kind in KINDS if who.used(BEGAN, span_of(kind))), "")
    if not found:
        raise Refused(f"{who.name} has had no rest: `rest short`, `rest long` or `rest extended`")
    return found


# -- the hours -------------------------------------------------------------------------------------


def _pass_hours(ctx: Context, kind: str, hours: Hours) -> None:
    """What a rest does by itself, to everybody."""
    if hours.broken:
        _break_off(ctx, kind)
        return
    if kind == "short" and not hours.sheltered:
        travel.refuse_on_the_way(ctx)
    _count_short_rests(ctx, kind)
    _tell_of_the_dying(ctx)
    for combatant in rests.living(ctx):
        rests.reset(ctx, combatant.id, TIME, a_rest(kind))
        if kind != "short":
            _after_hours(ctx, combatant.id)
        if ctx.state[combatant.id].life == "up":
            end_named(ctx, combatant.id, "prone", "stands up")
        ctx.emit(Used(combatant.id, BEGAN, span_of(kind)))
        extra = Used(combatant.id, activities.EXTRA, span_of(kind))
        ctx.emit(*[extra] * hours.sheltered)
    if kind != "short":
        ctx.emit(Changed("", "threads", 1, why="a long rest"))
    travel.spend(ctx, -hours.supplies, "the hosts give")
    lasts = "an hour" if HOURS[kind] == 1 else f"{HOURS[kind]} hours"
    ctx.text = f"{a_rest(kind).capitalize()} of {lasts}{', sheltered' if hours.sheltered else ''}"


def _tell_of_the_dying(ctx: Context) -> None:
    """Who is dying rolls every 6 seconds, long before an hour has passed (Death & Dying)."""
    dying_yet = [who for who in rests.living(ctx) if who.life == "dying"]
    if dying_yet:
        each = "every 6 seconds a luck roll, `death NAME OUTCOME`, until they are stable or dead"
        ctx.emit(Noted(f"{they(dying_yet, 'is', 'are')} dying: {each}"))


def _count_short_rests(ctx: Context, kind: str) -> None:
    """Raises Refused for more short rests in a row than there may be."""
    taken = ctx.state.gm("short_rests")
    if kind == "short":
        if taken >= SHORT_RESTS_IN_A_ROW:
            raise Refused("no more than 3 short rests in a row: take a long rest")
        ctx.emit(Changed("", "short_rests", 1, routine=True))
    elif taken:
        ctx.emit(Changed("", "short_rests", -taken, routine=True))


def _break_off(ctx: Context, kind: str) -> None:
    """More than an hour of strenuous activity came in between: no extended rest.

    Raises Refused for the other kinds, of which no rule says what breaks them.
    """
    if kind != "extended":
        raise Refused(f"only an extended rest is broken off: {a_rest(kind)} waits, or is taken")
    for combatant in rests.living(ctx):
        rests.reset(ctx, combatant.id, TIME, "hours have passed")
        ctx.emit(Used(combatant.id, BEGAN, span_of(kind)))
        ctx.emit(Used(combatant.id, activities.BROKEN, span_of(kind)))
    ctx.text = f"{a_rest(kind).capitalize()} is broken off, and brings nothing"


def _after_hours(ctx: Context, who: str) -> None:
    """A long rest: a thread for those without any, holds are gone, the unconscious wake, and what
    is used so often a day is so again."""
    rests.forget(ctx, who, travel.DAY)
    combatant = ctx.state[who]
    if combatant.kind == "pc" and combatant.track("threads") == 0 and combatant.room("threads"):
        ctx.emit(Changed(who, "threads", 1, why="a long rest"))
    for name in filter(partial(is_hold, ctx.tables), combatant.tracks):
        rests.set_track(ctx, who, name, 0, "a long rest")
    dying.wake_from_exhaustion(ctx, who, "a long rest")
    if ctx.state[who].life == "stable":
        dying.rise(ctx, who, "a long rest")


REST_VERBS = (
    Verb(
        "rest",
        f"rest short|long|extended {usage_of(Hours)} | "
        "rest [short|long|extended] NAME[,NAME] ACTIVITY [ACTIVITY] "
        "(tend [NAME] [SUPPLIES], clear [SUPPLIES], gather OUTCOME [WORDS], "
        'prepare ["FOR WHAT"] [with NAME[,NAME]], watch OUTCOME [WORDS], '
        'project "NAME" [ABILITY OUTCOME [WORDS]], preparations, recuperate, '
        "level-up [tier], job [GOLD])",
        "lets a rest pass, or says what somebody does in it",
        _rest,
    ),
)
