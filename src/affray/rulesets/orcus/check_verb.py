"""The command check. Seed 003: The Core Mechanic, Modifiers, Glossary (Extended challenge)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from affray.core.commands.clocks import read_race, run
from affray.core.heart.effects import forbidden
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import rolls
from affray.rulekit.numbers import Part
from affray.rulekit.rolls import Die, Roll
from affray.rulesets.orcus import checks, contests, totals
from affray.rulesets.orcus.creatures import SKILLS

if TYPE_CHECKING:
    from affray.core.heart.decide import Context
    from affray.core.heart.state import Combatant


SENSES = {"sight": "see", "hearing": "hear"}
"""What a check may be said to need, and what must not be forbidden for it."""


def _check(ctx: Context, words: Words) -> None:
    people = words.combatants("who makes the check")

    def check(index: int, who: Combatant) -> str:
        def read_die() -> Die:
            return rolls.read_dice(ctx, words, checks.OUTCOMES, len(people))[index]

        return _check_one(ctx, words, ctx.state[who.id], read_die)

    ctx.text = ", ".join(words.for_each(people, check))


def _check_one(ctx: Context, words: Words, who: Combatant, read_die: Callable[[], Die]) -> str:
    """Read and make the check of one of them, whose die `read_die` reads; gives what came of it."""
    words.offered.extend(SKILLS if words.done else ())
    skill = "" if rolls.is_die(words, checks.OUTCOMES) or words.done else _read_skill(words)
    senses = _read_senses(words)
    die = read_die()
    terms = contests.read_terms(words, *SENSES)
    if lost := _lost_sense(ctx, who, {*senses, *terms.said}):
        die = Die("miss")
    race = read_race(ctx, words) if words.take("toward") else None
    what = f"{skill.capitalize()} check" if skill else "check"
    if terms.dc is None and not die.said:
        if race is not None:
            raise Refused(f"what counts toward {race.name} needs a DC: `dc N`, or the outcome")
        total = _roll(ctx, who, what, contests.skill_parts(ctx, who, skill, terms.plus), die)
        return f"{who.name} rolls {what}: {total}"
    outcome = contests.contest(ctx, who, skill, terms.dc, die, terms.plus)
    why = f": {lost}" if lost else ""
    if race is not None:
        run(ctx, race, outcome != "miss")
    return f"{who.name} rolls {what}, {'failure' if outcome == 'miss' else 'success'}{why}"


def _read_senses(words: Words) -> list[str]:
    senses = []
    while sense := words.take(*SENSES):
        senses.append(sense)
    return senses


def _lost_sense(ctx: Context, who: Combatant, senses: set[str]) -> str:
    """What bars a sense that the check needs, so that it fails; empty when nothing does.

    Seed 003: Blinded, Deafened.
    """
    bars = (forbidden(ctx.tables, ctx.state, who, SENSES[sense]) for sense in senses)
    return next(filter(None, bars), "")


def _read_skill(words: Words) -> str:
    """Any skill; those without a number of their own count as 0."""
    skill = words.next("a skill").casefold()
    if not skill.replace("-", "").replace(" ", "").isalpha():
        words.back()
        raise words.refuse(f"expected a skill, or how the check came out, found {skill!r}")
    return skill


def _roll(ctx: Context, who: Combatant, what: str, parts: tuple[Part, ...], die: Die) -> int:
    """A check against no number that is known: its total is what counts."""
    total = rolls.total_of(ctx, Roll(who.id, what, die, totals.counted(parts)))
    totals.use_up(ctx, who.id, ("check",))
    return total


CHECK_VERBS = (
    Verb(
        "check",
        "check NAME[,NAME] [SKILL] [sight|hearing] OUTCOME|natural N|roll [dc N] [plus N]"
        ' [toward "CLOCK"]',
        "makes a skill check, which may count toward an extended challenge",
        _check,
    ),
)
