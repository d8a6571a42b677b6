"""Rolls of a d20 against a number: attacks, skill checks against a defence or DC, saves; `check`.

Seed 003: The Core Mechanic, Attack Rolls, Rolling 1 or 20, Saving Throws, Modifiers, Actions in
Combat ("Bluff check vs passive Insight"), Glossary (Extended challenge).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.clocks import read_race, run
from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden
from affray.core.heart.events import Rolled
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulekit import numbers, rolls
from affray.rulekit.numbers import Part
from affray.rulekit.rolls import Die, Roll
from affray.rulesets.orcus import totals
from affray.rulesets.orcus.creatures import SKILLS

Outcome = Literal["miss", "hit", "crit"]
SAID: dict[str, Outcome] = {
    "miss": "miss",
    "failure": "miss",
    "fail": "miss",
    "failed": "miss",
    "hit": "hit",
    "success": "hit",
    "saved": "hit",
    "crit": "crit",
    "critical": "crit",
}
OUTCOMES = rolls.Outcomes(SAID, "miss, hit, crit")


class Check(Struct, frozen=True):
    """One roll: who makes it, what it is, its parts, the number to reach, and against whom.

    parts        all of them, the situation's as well; those of one type don't add up
    attack       20 always hits (a critical only where it would have hit anyway) and 1 never does
    always_crits each hit is a critical one
    high         from this total on, or with a natural 20, what is no attack is more than a success
    note         what else is to be told of the roll
    """

    who: str
    what: str
    parts: tuple[Part, ...] = ()
    dc: int = 10
    die: Die = Die()
    against: str = ""
    attack: bool = False
    always_crits: bool = False
    high: int | None = None
    note: str = ""


def read_plus_and_extra(words: Words) -> tuple[int, bool]:
    """Read what may be said of a save: `plus N`, and `extra` for one beside that of the turn."""
    plus, extra = 0, False
    while word := words.take("plus", "extra"):
        if word == "plus":
            plus += words.number("the bonus", -99, 99)
        else:
            extra = True
    return plus, extra


def attack_outcome(natural: int, total: int, defense: int) -> Outcome:
    """What an attack roll comes to (seed 003: Rolling 1 or 20)."""
    if natural == 1:
        return "miss"
    if natural == 20:
        return "crit" if total >= defense else "hit"
    return "hit" if total >= defense else "miss"


def make(ctx: Context, check: Check) -> Outcome:
    """Make the roll: emit it, and give its outcome. The face and the total are in the event."""
    die = check.die
    if die.said:
        die = replace(die, said=_as_it_counts(check, SAID[die.said]))
    parts = numbers.best_of_a_type(check.parts)
    rolled = rolls.make(
        ctx,
        Roll(check.who, check.what, die, parts, check.dc, check.against, note=check.note),
        lambda natural, total: _as_it_counts(check, _outcome(check, natural, total)),
    )
    return SAID[rolled.outcome]


def _outcome(check: Check, natural: int, total: int) -> Outcome:
    if check.attack:
        return attack_outcome(natural, total, check.dc)
    if check.high is not None and (natural == 20 or total >= check.high):
        return "crit"
    return "hit" if total >= check.dc else "miss"


def _as_it_counts(check: Check, outcome: Outcome) -> Outcome:
    """Only attacks can be critical, and what has a `high`; for a coup de grace each hit is."""
    if outcome == "hit" and check.always_crits:
        return "crit"
    if outcome == "crit" and not check.attack and check.high is None:
        return "hit"
    return outcome


def save_parts(tables: Tables, state: Encounter, who: Combatant) -> tuple[Part, ...]:
    """All parts of a saving throw: its own bonus, and the situation's."""
    own = who.number("save")
    bonus = (Part(own, "own bonus"),) if own else ()
    return (*bonus, *numbers.parts(totals.situation(tables, state, who), "save"))


# -- against somebody's number ---------------------------------------------------------------------

NO_LANGUAGE = "no-language"
"""What is said where whoever acts and whom it is for don't understand each other."""


class Terms(Struct, frozen=True):
    """What is said of a roll beside its outcome: `plus N`, `dc N`, and single words."""

    plus: int
    dc: int | None
    said: tuple[str, ...]


def read_terms(words: Words, *known: str) -> Terms:
    """Read `plus N`, `dc N` and the words that are known, in any order."""
    plus, dc, said = 0, None, []
    while word := words.take("plus", "dc", *known):
        if word == "plus":
            plus = words.number("the bonus", -99, 99)
        elif word == "dc":
            dc = words.number("the DC", 0, 99)
        else:
            said.append(word)
    return Terms(plus, dc, tuple(said))


def contest(
    ctx: Context, who: Combatant, skill: str, dc: int | None, die: Die, plus: int, against: str = ""
) -> Outcome:
    """A skill check against somebody's number; how it came out.

    Raises Refused where nobody knows the number and the outcome was not said.
    """
    name = skill.capitalize()
    if dc is None:
        outcome = _as_said(ctx, who, name, die, against)
    else:
        parts = skill_parts(ctx, who, skill, plus)
        outcome = make(ctx, Check(who.id, name, parts, dc, die, against))
    totals.use_up(ctx, who.id, ("perception", "check") if skill == "perception" else ("check",))
    return outcome


def _as_said(ctx: Context, who: Combatant, name: str, die: Die, against: str) -> Outcome:
    """The outcome that was called out, against a number that nobody knows here."""
    if not die.said:
        other = f"{ctx.state.name(against)}'s number is not known" if against else "no DC is known"
        raise Refused(f"{other}: say how the {name} check came out, or `dc N`")
    outcome: Outcome = "miss" if die.said == "miss" else "hit"
    rolled = Rolled(who.id, "1d20", for_=name, against=against, outcome=outcome, by_hand=True)
    ctx.emit(rolled)
    return outcome


def skill_parts(ctx: Context, who: Combatant, skill: str, plus: int = 0) -> tuple[Part, ...]:
    """What is added to a skill check: the skill, what is in force, and what was said."""
    total = "perception" if skill == "perception" else "check"
    parts = [
        Part(who.number(skill), skill.capitalize()),
        *numbers.parts(totals.here(ctx, who), total),
    ]
    return (*parts, Part(plus, "plus")) if plus else tuple(parts)


# -- the command -----------------------------------------------------------------------------------

SENSES = {"sight": "see", "hearing": "hear"}
"""What a check may be said to need, and what must not be forbidden for it."""


def _check(ctx: Context, words: Words) -> None:
    people = words.combatants("who makes the check")

    def check(index: int, who: Combatant) -> str:
        def read_die() -> Die:
            return rolls.read_dice(ctx, words, OUTCOMES, len(people))[index]

        return _check_one(ctx, words, ctx.state[who.id], read_die)

    ctx.text = ", ".join(words.for_each(people, check))


def _check_one(ctx: Context, words: Words, who: Combatant, read_die: Callable[[], Die]) -> str:
    """Read and make the check of one of them, whose die `read_die` reads; gives what came of it."""
    words.offered.extend(SKILLS if words.done else ())
    skill = "" if rolls.is_die(words, OUTCOMES) or words.done else _read_skill(words)
    senses = _read_senses(words)
    die = read_die()
    terms = read_terms(words, *SENSES)
    if lost := _lost_sense(ctx, who, {*senses, *terms.said}):
        die = Die("miss")
    race = read_race(ctx, words) if words.take("toward") else None
    what = f"{skill.capitalize()} check" if skill else "check"
    if terms.dc is None and not die.said:
        if race is not None:
            raise Refused(f"what counts toward {race.name} needs a DC: `dc N`, or the outcome")
        total = _roll(ctx, who, what, skill_parts(ctx, who, skill, terms.plus), die)
        return f"{who.name} rolls {what}: {total}"
    outcome = contest(ctx, who, skill, terms.dc, die, terms.plus)
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
    total = rolls.total_of(ctx, Roll(who.id, what, die, numbers.best_of_a_type(parts)))
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
