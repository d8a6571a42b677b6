"""Contests of skill: one rolls a test against the tests of others. Seed 001: Contest of Skill.

In the log whoever begins it rolls last, and that roll has the verdict: pass or fail. Rules file,
1.9, R1 and R5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import read_faces
from affray.core.language.declared import Argument, Reading, read_within
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit.acts import needs_another
from affray.rulekit.rolls import Die, Terms
from affray.rulesets.adventure_school import checks, rolls, totals
from affray.rulesets.adventure_school.checks import SKILL, TestWords, Trial, attempt
from affray.rulesets.adventure_school.rolls import CRIT, FAIL, PASS, PASSES

STRENGTH = "strength"
"""What contests go by where neither the text nor the command names a skill (R10)."""

# -- what is said of theirs ------------------------------------------------------------------------


class Theirs(Struct, frozen=True):
    """What is said of those against whom a contest is: by which skill, and how their dice fell.

    dice   one for all, or one for each in the order in which they joined; none to be rolled
    total  what the highest of them came to, where that is said in place of dice
    """

    skill: str = ""
    dice: tuple[Die, ...] = ()
    total: int | None = None
    terms: Terms = Terms()


_HOW = ("natural", "total", "roll")


def _read_theirs(reading: Reading) -> Theirs:
    words = reading.words
    skill = "" if words.done or words.peek() in _HOW else SKILL.read(reading)
    how = words.choice("how they rolled", _HOW)
    if how == "total":
        return Theirs(skill, total=words.number("what they came to", -99, 99))
    count = 1
    while words.peek(2 * count - 1) == "natural":  # one is said for each roll
        count += 1
    dice = [Die(faces=faces) for faces in read_faces(words, count)] if how == "natural" else []
    return Theirs(skill, tuple(dice), terms=read_within(Terms, reading))


THEIRS = arguments.clause(
    "vs", Argument(_read_theirs, "[SKILL] natural N[,M]|total N|roll"), asks="vs die?"
)
"""The argument that says how those rolled against whom a contest is."""


# -- the contest -----------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """Whether whoever began a contest won it, and the ids of those who were beaten."""

    won: bool
    beaten: tuple[str, ...]


class _Fell(NamedTuple):
    """Somebody's test in a contest: its total, the number on the sheet, and the die that counts,
    with the threat; None where only the total is known."""

    total: int
    number: int
    natural: int | None = None
    threat: int = 0

    def beats(self, other: _Fell) -> bool:
        """Whether it wins: by what it is, then by its total, then by the number (1.9, R1, R5)."""
        mine = (self._rank(other.total), self.total, self.number)
        return mine > (other._rank(self.total), other.total, other.number)

    def _rank(self, against: int) -> int:
        """A critical wins against any that is none; a natural 1 loses to all but another. A threat
        is critical if its total reaches the other's (1.6)."""
        if self.natural is None:
            return 1
        came = rolls.comes_out(self.natural, self.total, against, self.threat)
        return {CRIT: 2, rolls.CRIT_FAIL: 0}.get(came, 1)


def contest(
    ctx: Context, mine: Trial, rivals: Sequence[Trial], theirs: Theirs | None, all_of: bool = False
) -> Verdict:
    """Make a contest of skill. `rivals` are the tests against it, by the skills that they have
    unless `theirs` says others; for the verdict one of them has to be beaten, or `all_of` them.
    What was called out is the verdict, and nobody else rolls."""
    if mine.die.said:
        passed = mine.die.said in PASSES
        attempt(ctx, replace(mine, die=Die(PASS if passed else FAIL, final=True)))
        return Verdict(passed, tuple(rival.who for rival in rivals if passed))
    fell = _roll_theirs(ctx, rivals, theirs or Theirs())
    who = ctx.state[mine.who]
    number, threat = mine.number(who), checks.threat_of(ctx, who)
    critical = checks.is_assured(who, mine)

    def beats(natural: int, total: int) -> list[bool]:
        own = _Fell(total, number, 20 if critical else natural, threat)
        return [own.beats(other) for other in fell]

    enough, decisive = (all, max) if all_of else (any, min)
    dc = decisive(rival.total for rival in fell) if fell else None
    rolled = attempt(ctx, replace(mine, dc=dc), lambda n, t: PASS if enough(beats(n, t)) else FAIL)
    beaten = zip(rivals, beats(rolled.natural or 0, rolled.total or 0), strict=False)
    return Verdict(rolled.outcome == PASS, tuple(rival.who for rival, lost in beaten if lost))


def _roll_theirs(ctx: Context, rivals: Sequence[Trial], theirs: Theirs) -> list[_Fell]:
    """What the others come to. Raises Refused where there are not as many dice as rolls."""
    rivals = [replace(r, skill=theirs.skill or r.skill, terms=theirs.terms) for r in rivals]
    numbers = [rival.number(ctx.state[rival.who]) for rival in rivals]
    if theirs.total is not None:
        return [_Fell(theirs.total, number) for number in numbers or [0]]
    dice = theirs.dice or (Die(),)
    if len(dice) not in (1, len(rivals)):
        raise Refused(f"expected one `natural` for all, or one for each of {len(rivals)} rolls")
    fell = []
    for rival, die, number in zip(rivals, dice * len(rivals), numbers, strict=False):
        threat = checks.threat_of(ctx, ctx.state[rival.who])
        rolled = attempt(ctx, replace(rival, die=die))
        natural = 20 if rolled.outcome == CRIT else rolled.natural
        fell.append(_Fell(rolled.total or 0, number, natural, threat))
    return fell


# -- one against one -------------------------------------------------------------------------------


class ContestWords(TestWords, frozen=True):
    """What may be said of a contest."""

    theirs: Annotated[Theirs | None, THEIRS] = None


class Contested(Struct, frozen=True, kw_only=True):
    """`[SKILL] OUTCOME [THEIRS]`: one's own side of a contest."""

    skill: Annotated[str, SKILL] = ""
    die: Annotated[Die, rolls.outcome()]
    words: Annotated[ContestWords, arguments.words_of(ContestWords)]


class Struggle(Contested, frozen=True):
    """`trip TARGET [SKILL] OUTCOME [THEIRS]`, and whatever else is such a contest."""

    target: Annotated[Combatant, arguments.person("at whom", usage="TARGET")]


def struggle(ctx: Context, name: str, who: Combatant, said: Struggle) -> bool:
    """Whether somebody wins a contest with another, each by the best of the skills of its row, and
    where that says so the larger one at an advantage."""
    target, words, row = said.target, said.words, ctx.tables.economy["contests"][name]
    skill = said.skill or checks.better_of(who, *row["own"])
    mine = Trial(who.id, skill, said.die, against=target.id, terms=words)
    theirs = checks.better_of(target, *row["other"])
    kinds = (f"vs-{name}", *words.kinds)
    rival = Trial(target.id, theirs, against=who.id, kinds=kinds)
    larger = totals.larger_by(who, target) if "larger" in row else 0
    mine = replace(mine, pro=("larger",) if larger > 0 else ())
    rival = replace(rival, pro=("larger",) if larger < 0 else ())
    return contest(ctx, mine, [rival], words.theirs).won


class Contestant(Struct, frozen=True):
    """`NAME SKILL OUTCOME`: one of the two."""

    who: Annotated[Combatant, arguments.person("who makes the test", asks="person")]
    skill: Annotated[str, SKILL]
    die: Annotated[Die, rolls.outcome()]
    terms: Annotated[TestWords, arguments.words_of(TestWords)]


def _read_other(reading: Reading) -> Contestant:
    reading.words.choice("`vs` and who else", ("vs",))
    return read_within(Contestant, reading)


class Contest(Struct, frozen=True):
    """`contest NAME SKILL OUTCOME vs NAME SKILL OUTCOME`."""

    one: Annotated[Contestant, arguments.form(Contestant)]
    other: Annotated[Contestant, Argument(_read_other, "vs NAME SKILL OUTCOME")]


def _contest(ctx: Context, said: Contest) -> None:
    one, other = said.one, said.other
    needs_another(one.who, other.who, "contest with")
    called = other.die.said and not one.die.said
    die = Die(FAIL if other.die.said in PASSES else PASS) if called else one.die
    mine = Trial(one.who.id, one.skill, die, against=other.who.id, terms=one.terms)
    mine = replace(mine, kinds=other.terms.kinds)
    rival = Trial(other.who.id, other.skill, other.die, against=one.who.id, kinds=one.terms.kinds)
    won = contest(ctx, mine, [rival], Theirs(dice=(other.die,), terms=other.terms)).won
    winner = one.who if won else other.who
    ctx.text = (
        f"{one.who.name} ({one.skill}) against {other.who.name} ({other.skill}): {winner.name} wins"
    )


VERBS = (declare("contest", "sets a test of one against a test of another", Contest, _contest),)
