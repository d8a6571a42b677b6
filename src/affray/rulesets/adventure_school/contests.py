"""Contests of skill: one rolls a test against the tests of others. Seed 001: Contest of Skill.

In the log whoever begins it rolls last, and that roll has the verdict: pass or fail. Rules file,
1.9, R1 and R5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import read_faces
from affray.core.language.declared import Argument, Reading, read_within
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import declare
from affray.rulekit import rolls
from affray.rulekit.acts import needs_another
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school.checks import (
    SKILL,
    TestWords,
    Trial,
    attempt,
    better_of,
    is_assured,
    threat_of,
)
from affray.rulesets.adventure_school.rolls import (
    CRIT,
    CRIT_FAIL,
    FAIL,
    PASS,
    PASSES,
    comes_out,
    outcome,
)

Skills = Sequence[str]
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
    terms: rolls.Terms = rolls.Terms()


_HOW = ("natural", "total", "roll")


def _read_theirs(reading: Reading) -> Theirs:
    words = reading.words
    skill = "" if words.done or words.peek() in _HOW else SKILL.read(reading)
    how = words.choice("how they rolled", _HOW)
    if how == "total":
        return Theirs(skill, total=words.number("what they came to", -99, 99))
    dice = [Die(faces=faces) for faces in _all_faces(words)] if how == "natural" else []
    return Theirs(skill, tuple(dice), terms=read_within(rolls.Terms, reading))


def _all_faces(words: Words) -> list[tuple[int, ...]]:
    """The dice of as many rolls as there is `natural` said."""
    count = 1
    while words.peek(2 * count - 1) == "natural":
        count += 1
    return read_faces(words, count)


THEIRS = arguments.clause(
    "vs", Argument(_read_theirs, "[SKILL] natural N[,M]|total N|roll"), asks="vs die?"
)
"""The argument that says how those rolled against whom a contest is."""


# -- the contest -----------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """Whether whoever began a contest won it, and the ids of those who were beaten."""

    won: bool
    beaten: tuple[str, ...]


class _Side(NamedTuple):
    """What one side has come to: which is larger, wins."""

    rank: int
    total: int
    number: int


class _Rival(NamedTuple):
    """Somebody's test in a contest; without a die where only its total is known."""

    total: int
    natural: int | None = None
    number: int = 0
    threat: int = 0


_RANKS = {CRIT: 2, CRIT_FAIL: 0}
"""A critical wins against any that is none, and a natural 1 loses to all but another (R1)."""


def _side(total: int, natural: int | None, number: int, threat: int, against: int) -> _Side:
    """One side; a threat that is no 20 is critical if its total reaches the other's (1.6)."""
    came = "" if natural is None else comes_out(natural, total, against, threat)
    return _Side(_RANKS.get(came, 1), total, number)


def contest(
    ctx: Context,
    mine: Trial,
    rivals: Sequence[Trial],
    theirs: Theirs,
    needs: Callable[[Iterable[bool]], bool] = any,
) -> Verdict:
    """Make a contest of skill.

    `rivals` are the tests against it, by the skills that they have unless `theirs` says others.
    `needs` tells whether `any` or `all` of them have to be beaten for the verdict. What was called
    out is the verdict, and nobody else rolls.
    """
    if mine.die.said:
        passed = mine.die.said in PASSES
        attempt(ctx, replace(mine, die=Die(PASS if passed else FAIL, final=True)))
        return Verdict(passed, tuple(rival.who for rival in rivals if passed))
    fell = _roll_theirs(ctx, rivals, theirs)
    who = ctx.state[mine.who]
    number, threat, critical = mine.number(who), threat_of(ctx, who), is_assured(who, mine)

    def beats(natural: int, total: int) -> list[bool]:
        shown = 20 if critical else natural
        sides = ((_side(total, shown, number, threat, r.total), _side(*r, total)) for r in fell)
        return [own > other for own, other in sides]

    totals = [rival.total for rival in fell]
    dc = (max if needs is all else min)(totals) if totals else None
    rolled = attempt(
        ctx,
        replace(mine, dc=dc),
        lambda natural, total: PASS if needs(beats(natural, total)) else FAIL,
    )
    beaten = zip(rivals, beats(rolled.natural or 0, rolled.total or 0), strict=False)
    return Verdict(rolled.outcome == PASS, tuple(rival.who for rival, lost in beaten if lost))


def _roll_theirs(ctx: Context, rivals: Sequence[Trial], theirs: Theirs) -> list[_Rival]:
    """What the others come to. Raises Refused where there are not as many dice as rolls."""
    people = [ctx.state[rival.who] for rival in rivals]
    rivals = [replace(r, skill=theirs.skill or r.skill, terms=theirs.terms) for r in rivals]
    if theirs.total is not None:
        numbers = [trial.number(who) for trial, who in zip(rivals, people, strict=True)]
        return [_Rival(theirs.total, number=number) for number in numbers or [0]]
    dice = theirs.dice or (Die(),)
    if len(dice) not in (1, len(rivals)):
        raise Refused(f"expected one `natural` for all, or one for each of {len(rivals)} rolls")
    fell = []
    for index, (trial, who) in enumerate(zip(rivals, people, strict=True)):
        rolled = attempt(ctx, replace(trial, die=dice[index % len(dice)]))
        natural = 20 if rolled.outcome == CRIT else rolled.natural
        fell.append(_Rival(rolled.total or 0, natural, trial.number(who), threat_of(ctx, who)))
    return fell


# -- one against one -------------------------------------------------------------------------------


class Struggle(Struct, frozen=True, kw_only=True):
    """`trip TARGET [SKILL] OUTCOME [THEIRS]`, and whatever else is such a contest."""

    target: Annotated[Combatant, arguments.person("at whom", usage="TARGET")]
    skill: Annotated[str, SKILL] = ""
    die: Annotated[Die, outcome()]
    theirs: Annotated[Theirs, THEIRS] = Theirs()
    terms: Annotated[TestWords, arguments.words_of(TestWords)]


def struggle(
    ctx: Context,
    name: str,
    who: Combatant,
    said: Struggle,
    own: Skills,
    other: Skills,
    size: int = 0,
) -> bool:
    """Whether somebody wins a contest with another, each by the better of these skills.

    `size` is by how many sizes it is the larger, where that gives advantage.
    """
    target, terms = said.target, said.terms
    mine = Trial(
        who.id,
        "check",
        said.skill or better_of(who, *own),
        said.die,
        against=target.id,
        terms=terms,
        pro=("larger",) if size > 0 else (),
        kinds=terms.kinds,
        diminish=terms.diminish,
    )
    rival = Trial(
        target.id,
        "check",
        better_of(target, *other),
        Die(),
        against=who.id,
        pro=("larger",) if size < 0 else (),
        kinds=(f"vs-{name}", *terms.kinds),
    )
    return contest(ctx, mine, [rival], said.theirs).won


# -- the command -----------------------------------------------------------------------------------


class Contestant(Struct, frozen=True):
    """`NAME SKILL OUTCOME`: one of the two."""

    who: Annotated[Combatant, arguments.person("who makes the test", asks="person")]
    skill: Annotated[str, SKILL]
    die: Annotated[Die, outcome()]
    terms: Annotated[TestWords, arguments.words_of(TestWords)]

    @property
    def trial(self) -> Trial:
        """Their test."""
        terms = self.terms
        return Trial(
            self.who.id,
            "check",
            self.skill,
            self.die,
            terms=terms,
            kinds=terms.kinds,
            diminish=terms.diminish,
        )


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
    kinds = tuple(dict.fromkeys((*one.terms.kinds, *other.terms.kinds)))
    mine = replace(one.trial, die=die, against=other.who.id, kinds=kinds)
    rival = replace(other.trial, against=one.who.id, kinds=kinds)
    theirs = Theirs(other.skill, (other.die,), terms=other.terms)
    won = contest(ctx, mine, [rival], theirs).won
    winner = one.who if won else other.who
    ctx.text = (
        f"{one.who.name} ({one.skill}) against {other.who.name} ({other.skill}): {winner.name} wins"
    )


CONTEST_VERBS = (
    declare("contest", "sets a test of one against a test of another", Contest, _contest),
)
