"""Group checks: each makes a fitting check, and together they come to one result.

Seed 004: Group Checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.heart.decide import Context
from affray.core.heart.events import Rolled
from affray.core.language.clauses import names
from affray.core.language.declared import read
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulesets.monsters_and_magic.check_verb import CheckSaid, made
from affray.rulesets.monsters_and_magic.checks import LADDER, Outcome

GROUP_CHECK = "group check"


def group_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    """What the results of all come to: miss, weak or strong.

    A critical counts twice, each strong hit takes away a miss, and the most frequent result
    decides; of equally many the lowest.

    >>> group_outcome(["strong", "weak", "weak", "crit-miss"])
    'weak'
    """
    strong = outcomes.count("strong") + 2 * outcomes.count("crit")
    missed = outcomes.count("miss") + 2 * outcomes.count("crit-miss")
    counts = {"miss": max(0, missed - strong), "weak": outcomes.count("weak"), "strong": strong}
    return max(LADDER, key=lambda outcome: counts[outcome])  # the first of equals is the lowest


def _group_check(ctx: Context, words: Words) -> None:
    said = [read(CheckSaid, ctx, words)]
    while not words.done:
        said.append(read(CheckSaid, ctx, words))
    people = [who for each in said for who in each.people]
    if twice := [who.name for who in people if people.count(who) > 1]:
        raise Refused(f"{twice[0]} is named twice: each makes one check")
    if any(each.save for each in said):
        raise Refused("a saving throw is nobody's but one's own: a group makes no `save`")
    outcomes = [outcome for each in said for outcome in made(ctx, each)]
    together = group_outcome(outcomes)
    told = f"{', '.join(outcomes)} of {names(people)}"
    ctx.emit(Rolled("", "", for_=GROUP_CHECK, outcome=together, why=told))
    ctx.text = f"{names(people)} make a group check, {together}"


GROUP_CHECK_VERBS = (
    Verb(
        "group-check",
        "group-check NAME[,NAME] ABILITY OUTCOME [WORDS] [NAME[,NAME] ABILITY OUTCOME ...]",
        "everybody makes a check, and together they come to one result",
        _group_check,
    ),
)
