"""What the actions in combat have in common: rolls against somebody's number, and their traces.

Seed 003: Actions in Combat ("Bluff check vs passive Insight", "Strength attack vs Fortitude").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.events import Rolled
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.rulekit import numbers
from affray.rulekit.numbers import Part
from affray.rulekit.rolls import Die
from affray.rulesets.orcus import assaults, checks, totals
from affray.rulesets.orcus.assaults import Assault
from affray.rulesets.orcus.checks import Check, Outcome
from affray.rulesets.orcus.creatures import Attack

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

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
        outcome = checks.make(ctx, Check(who.id, name, parts, dc, die, against))
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


def read_strength(ctx: Context, words: Words, who: Combatant, defense: str, what: str) -> Assault:
    """Read `TARGET OUTCOME` and what is said of it for a Strength attack, which deals no damage."""
    means = Attack("Strength", who.number("strength"), defense)
    assault = assaults.read_assault(ctx, words, who, means, ())
    if len(assault.targets) != 1:
        raise Refused(f"a {what} has one target, not {len(assault.targets)}")
    if assault.deals_damage or assault.weapon:
        raise Refused(f"a {what} deals no damage: expected TARGET OUTCOME alone")
    return replace(assault, reach="melee")
