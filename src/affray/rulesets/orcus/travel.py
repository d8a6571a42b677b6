"""On the road: an hour's hustle, and walking on when the day's walk is over.

Seed 003: Overland Movement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from affray.core.heart.effects import forbidden
from affray.core.heart.events import Changed, Used
from affray.core.heart.state import Combatant
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import numbers, rolls
from affray.rulekit.placing import begin
from affray.rulesets.orcus import checks, contests, totals

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

HUSTLE, PUSH_ON, FOOTSORE = "hustle", "push-on", "footsore"
DAY = "long"
"""The span of what a long rest begins anew, as daily powers have it."""


def _hustle(ctx: Context, words: Words) -> None:
    """The check at the end of an hour: with each hour since the last long rest it is harder."""
    economy = ctx.tables.economy
    people = _march(
        ctx, words, HUSTLE, lambda who: economy["hustle"] + economy["hustle_hour"] * _hours(who)
    )
    ctx.text = f"{they(people, 'hustles', 'hustle')} for an hour: {_slowest(ctx, people)} miles"


def _hours(who: Combatant) -> int:
    """The hours that somebody has hustled, the one that is ending among them."""
    return who.used(HUSTLE, DAY) + 1


def _push_on(ctx: Context, words: Words) -> None:
    """Another five hours after the day's five, once a day."""
    people = _march(ctx, words, PUSH_ON, lambda who: ctx.tables.economy["push_on"])
    miles = _slowest(ctx, people) * 5 // 2
    ctx.text = f"{they(people, 'pushes', 'push')} on for five hours: {miles} miles"


def _slowest(ctx: Context, people: list[Combatant]) -> int:
    """The speed of the slowest, in squares: half of it is the miles that are walked in an hour."""
    return min(numbers.value(totals.here(ctx, who), "speed") for who in people)


def _march(
    ctx: Context, words: Words, what: str, dc_of: Callable[[Combatant], int]
) -> list[Combatant]:
    """Read `NAME[,NAME] OUTCOME [plus N]` and make each one's Endure check; gives who it was.

    Who fails loses a recovery, and can't go on so before a long rest. Raises Refused for who has
    failed before, and in a fight.
    """
    people = words.combatants("who goes on")
    dice = rolls.read_dice(ctx, words, checks.OUTCOMES, len(people))
    terms = contests.read_terms(words)
    if ctx.state.phase == "combat":
        raise Refused(f"nobody can {what} in the middle of a fight")
    for who in people:
        if why := _why_not(ctx, who, what):
            raise Refused(f"{who.name} can't {what}: {why}")
    for who, die in zip(people, dice, strict=True):
        dc = dc_of(who) if terms.dc is None else terms.dc
        if contests.contest(ctx, who, "endure", dc, die, terms.plus) == "miss":
            _fail(ctx, ctx.state[who.id])
        ctx.emit(Used(who.id, what, DAY))
    return people


def _why_not(ctx: Context, who: Combatant, what: str) -> str:
    if who.life != "up":
        return str(who.life)
    again = what == PUSH_ON and who.used(PUSH_ON, DAY)
    return forbidden(ctx.tables, ctx.state, who, HUSTLE) or ("once a day" if again else "")


def _fail(ctx: Context, who: Combatant) -> None:
    if who.track("recoveries") > 0:
        ctx.emit(Changed(who.id, "recoveries", -1, why="worn out"))
    begin(ctx, who.id, FOOTSORE)


TRAVEL_VERBS: tuple[Verb, ...] = (
    Verb(
        HUSTLE,
        "hustle NAME[,NAME] OUTCOME [plus N]",
        "ends an hour at double pace with an Endure check",
        _hustle,
    ),
    Verb(
        PUSH_ON,
        "push-on NAME[,NAME] OUTCOME [plus N]",
        "walks on for five more hours with an Endure check",
        _push_on,
    ),
)
