"""Tests of skill and saves: what one is, how it is rolled, and the commands for them; assistance.

Seed 001: Test of Skill, Save, Take 10, Effort, Tools, Assist, Charm; rules file, 1, 9 and 18.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct

from affray.core.commands.clocks import EFFORT_RACE, run
from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force, rule_of
from affray.core.heart.events import Rolled
from affray.core.heart.state import Clock, Combatant, Duration
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit import acts, leaning, numbers
from affray.rulekit.doing import Declared
from affray.rulekit.numbers import Part, Situation
from affray.rulekit.placing import Placing, begin
from affray.rulekit.rolls import Die, Roll, Terms, read_die, throw_dice
from affray.rulesets.adventure_school import economy, rolls, sheet, totals
from affray.rulesets.adventure_school.resources import gain_diminish
from affray.rulesets.adventure_school.rolls import CRIT, DC, FAIL, PASSES, outcome

SOCIAL, REFLEX = "social", "reflex"
ASSISTED, HIDDEN = "assisted", "hidden"
CONTESTED = ("trip", "grab", "push", "pull")
"""What tests and saves can be against, beside types of damage and somebody: `vs-grab` in rows."""


def _known_skills(reading: Reading) -> list[str]:
    own = (who.stats.get("skills") for who in reading.words.state.combatants)
    named = reading.ctx.tables.economy["skills"]
    return [*named, *(name for row in own if isinstance(row, dict) for name in row)]


SKILL = arguments.choice("a skill", _known_skills, "SKILL", asks="text:skill")
"""A skill that the text names or a sheet has; where it may be left out, it is before the die."""


def better_of(who: Combatant, *skills: str) -> str:
    """The skill with the largest number on somebody's sheet; of equal ones the first."""
    return max(skills, key=lambda skill: sheet.skill_of(who, skill))


# -- a test or a save ------------------------------------------------------------------------------


class TestWords(Terms, frozen=True):
    """What may be said of a test; `diminish`: the levels that such an ability adds."""

    sight: Annotated[bool, arguments.flag(heard="sight")] = False
    social: Annotated[bool, arguments.flag(heard="social")] = False
    diminish: Annotated[int, rolls.DIMINISH] = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of check that these words make it, as modifiers name them: `sight`."""
        return tuple(word for word in ("sight", SOCIAL) if getattr(self, word))


class Trial(Struct, frozen=True):
    """A test of skill or a save that is to be made.

    who       whose it is
    skill     the skill; of a save `health` or `social`
    dc        None where nobody knows it
    against   whom it is against; empty for nobody
    pro, con  reasons of its own for advantage and disadvantage
    kind      check or save, as rows know it; and `kinds` what else: `reflex`, `vs-fire`, `vs-grab`
    taken     whether the 10 of it was taken, and never rolled
    more      what else is added to it, or taken from it
    """

    who: str
    skill: str
    die: Die = Die()
    dc: int | None = None
    against: str = ""
    terms: Terms = TestWords()
    kind: str = "check"
    pro: tuple[str, ...] = ()
    con: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    taken: bool = False
    more: tuple[Part, ...] = ()

    @property
    def called(self) -> str:
        """What the log calls it: "seeking", "health save", "reflex save"."""
        if self.kind == "check":
            return self.skill
        return f"{REFLEX if REFLEX in self.kinds else self.skill} save"

    @property
    def all_kinds(self) -> tuple[str, ...]:
        """All that rows know it as; a test also as its skill, for what is good for that alone."""
        said = self.terms.kinds if isinstance(self.terms, TestWords) else ()
        return (self.kind, self.skill, *self.kinds, *said)

    @property
    def diminish(self) -> int:
        """The levels that come if it works; 0 where it is by no diminish ability."""
        return self.terms.diminish if isinstance(self.terms, TestWords) else 0

    def number(self, who: Combatant) -> int:
        """The number on the sheet for it; of a reflex save that for health, unless it has one."""
        if self.kind == "check":
            return sheet.skill_of(who, self.skill)
        own = who.number(self.skill)
        return who.number(REFLEX, own) if REFLEX in self.kinds else own


def attempt(ctx: Context, trial: Trial, judge: Callable[[int, int], str] | None = None) -> Rolled:
    """Make a test or a save; its outcome is empty where nobody knows the DC. `judge` says how it
    comes out, by the die that counts and the total, where that is no matter of a DC, as in a
    contest. Raises Refused for two dice where there is neither advantage nor disadvantage."""
    who = ctx.state[trial.who]
    here = totals.here(ctx, who)
    pro, con = _reasons(ctx, here, trial)
    parts = totals.NUMBERS.counted(_parts(here, trial))
    always = _assured(here, trial)
    die = Die(always) if always and trial.die.said and not trial.die.final else trial.die
    threat, note = (0, "took 10") if trial.taken else (threat_of(ctx, who), "")
    roll = Roll(who.id, trial.called, die, parts, trial.dc, trial.against, pro, con, note=note)
    judge = judge or (lambda n, t: always or rolls.comes_out(n, t, trial.dc, threat))
    asks = ["twice as bad, or"] if trial.kind == "save" else []  # (1.7)
    rolled = rolls.throw(ctx, roll, judge, " ".join([*asks, "which complication?"]))
    leaning.use_up(ctx, totals.NUMBERS, who.id, trial.all_kinds, against=trial.against)
    if rolled.outcome in PASSES:
        gain_diminish(ctx, who.id, trial.diminish)
    return rolled


def _parts(here: Situation, trial: Trial) -> list[Part]:
    """The number on the sheet; what is in force, what is said, and the levels of diminish where it
    is by such an ability."""
    found = [Part(trial.number(here.who), trial.called)]
    for total in (trial.kind, *([REFLEX] if REFLEX in trial.kinds else [])):
        found += numbers.parts(here, total, against=trial.against)
    found += numbers.parts(here, "diminish") if trial.diminish else []
    return [*found, *trial.more, *trial.terms.parts]


def threat_of(ctx: Context, who: Combatant) -> int:
    """By how much earlier than at 20 its rolls threaten to be critical (rules file, 1.6)."""
    return totals.threat(totals.here(ctx, who))


def _reasons(ctx: Context, here: Situation, trial: Trial) -> tuple[list[str], list[str]]:
    """Why it has advantage and disadvantage; charm and hiding are between the two (8.2, 9)."""
    pro = leaning.own_reasons(here, "advantage", trial.all_kinds, trial.against)
    con = leaning.own_reasons(here, "disadvantage", trial.all_kinds, trial.against)
    other = ctx.state.find(trial.against)
    if other is not None and trial.kind == "check":
        pro += _suffered(ctx, other, trial)
    if other is not None and REFLEX in trial.kinds:
        con += [HIDDEN] if HIDDEN in in_force(ctx.tables, ctx.state, other) else []
    return [*trial.terms.pro, *trial.pro, *pro], [*trial.terms.con, *trial.con, *con]


def _suffered(ctx: Context, other: Combatant, trial: Trial) -> list[str]:
    """What on somebody gives tests of such a kind against it advantage, as a charm does."""
    effects = (e for e in other.effects if numbers.counts(e, against=trial.who))
    when = ((e.name, rule_of(ctx.tables, e.name).suffers.get("advantage")) for e in effects)
    return [f"{other.name} is {name}" for name, kind in when if kind in trial.all_kinds]


def _assured(here: Situation, trial: Trial) -> str:
    """The outcome that it has whatever the die: reflex saves that fail, a critical assistance."""
    if REFLEX in trial.kinds and numbers.forbidding(here.tables, here.force, REFLEX):
        return FAIL
    return CRIT if not trial.taken and is_assured(here.who, trial) else ""


def is_assured(who: Combatant, trial: Trial) -> bool:
    """Whether assistance makes a test critical (rules file, 18.1)."""
    helps = any(e.note == trial.skill and e.amount for e in who.all_named(ASSISTED))
    return helps and trial.kind == "check"


TAKE_10 = "take-10"


def _read_die(reading: Reading) -> Die | None:
    taken = reading.words.take(TAKE_10)
    return None if taken else read_die(reading.ctx, reading.words, rolls.OUTCOMES)


_AMOUNT = arguments.amount_or_dice("AMOUNT", "the effort", asks="number")


class Toward(Struct, frozen=True):
    """`"CLOCK" [AMOUNT] [tools]`: the race that a test's effort goes toward."""

    race: Annotated[Clock, EFFORT_RACE]
    amount: Annotated[int | str | None, _AMOUNT] = None
    tools: Annotated[bool, arguments.flag(heard="tools")] = False


_AGAINST = arguments.clause("vs", arguments.person("against whom"))
_EFFORT = arguments.clause("effort", arguments.form(Toward))


class Check(Struct, frozen=True):
    """`check NAME SKILL OUTCOME|take-10 ...`; the die is None for a 10 that is taken."""

    who: Annotated[Combatant, arguments.person("who makes the test", asks="person")]
    skill: Annotated[str, SKILL]
    die: Annotated[Die | None, Argument(_read_die, f"OUTCOME|{TAKE_10}", asks="outcome:pass|fail")]
    terms: Annotated[TestWords, arguments.words_of(TestWords)]
    dc: Annotated[int | None, DC] = None
    vs: Annotated[Combatant | None, _AGAINST] = None
    action: Annotated[bool, arguments.flag(heard="action")] = False
    toward: Annotated[Toward | None, _EFFORT] = None


def _check(ctx: Context, said: Check) -> None:
    who, taken = said.who, said.die is None
    die = said.die or Die(faces=(10,))
    if said.toward is not None and said.dc is None and not die.said:
        raise Refused("effort needs to know how the test came out: say the outcome, or `dc N`")
    if said.action:
        acts.pay(economy.ECONOMY, ctx, who.id, "act")
    against = said.vs.id if said.vs is not None else ""
    trial = Trial(who.id, said.skill, die, said.dc, against, said.terms, taken=taken)
    rolled = attempt(ctx, trial)
    ctx.text = f"{who.name} tests {said.skill}: {rolled.outcome or rolled.total}"
    if said.toward is not None:
        _work(ctx, who.id, said.toward, rolled.outcome)


def _work(ctx: Context, who: str, toward: Toward, came: str) -> None:
    """Effort toward a race by a test that passed, and against a group's by one that failed: as it
    was called, or by dice that are said or the usual ones, twice as many on a critical (rules file,
    18.2, 18.3)."""
    passed = came in PASSES
    if not (passed or toward.race.limit):
        return
    usual = str(ctx.tables.economy["effort_with_tools" if toward.tools else "effort"])
    amount = usual if toward.amount is None else toward.amount
    if isinstance(amount, str):
        dice = rolls.twice(amount) if came == CRIT else amount
        amount = max(0, throw_dice(ctx, who, dice, "effort"))
    run(ctx, toward.race, passed, amount)
    ctx.text += f", {amount} effort {'toward' if passed else 'against'} {toward.race.name}"


def _read_versus(reading: Reading) -> str | Combatant:
    words = reading.words
    if words.is_combatant():
        return words.combatant("against whom")
    row = (*reading.ctx.tables.damage_types, *CONTESTED)
    return words.choice("a type of damage, trip, grab, push, pull or somebody", row)


_VERSUS = arguments.clause("vs", Argument(_read_versus, "TYPE|trip|grab|push|pull|NAME"))


class Save(Struct, frozen=True, kw_only=True):
    """`save NAME[,NAME] health|social [reflex] OUTCOME ...`."""

    people: Annotated[list[Combatant], arguments.people("who saves")]
    save: Annotated[str, arguments.choice("the save", sheet.SAVES)]
    dice: Annotated[list[Die], outcome("people", asks="outcome:each")]
    reflex: Annotated[bool, arguments.flag(heard="reflex")] = False
    terms: Annotated[Terms, arguments.words_of(Terms)]
    dc: Annotated[int | None, DC] = None
    vs: Annotated[str | Combatant, _VERSUS] = ""


def _save(ctx: Context, said: Save) -> None:
    kinds = (REFLEX,) if said.reflex else ()
    against = "" if isinstance(said.vs, str) else said.vs.id
    if said.vs and not against:
        kinds = (*kinds, f"vs-{said.vs}")
    told = []
    for who, die in zip(said.people, said.dice, strict=True):
        trial = Trial(who.id, said.save, die, said.dc, against, said.terms, "save", kinds=kinds)
        rolled = attempt(ctx, trial)
        told.append(f"{who.name} makes a {trial.called}: {rolled.outcome or rolled.total}")
    ctx.text = "; ".join(told)


class Assist(Struct, frozen=True):
    """`assist NAME SKILL OUTCOME`."""

    ally: Annotated[Combatant, arguments.person("who is assisted", asks="ally")]
    skill: Annotated[str, SKILL]
    die: Annotated[Die, outcome()]
    terms: Annotated[TestWords, arguments.words_of(TestWords)]


def assist(ctx: Context, said: Assist, who: Combatant, pay: acts.Pay) -> None:
    """A test of the same skill: the ally's next one has advantage, or is critical (18.1)."""
    ally, skill = said.ally, said.skill
    acts.needs_another(who, ally, "assist")
    if skill in ctx.tables.economy["trained"] and skill not in who.stats:
        raise Refused(f"{who.name} has not learned {skill}, and can't assist with it")
    pay()
    dc = int(ctx.tables.economy["assist"])
    came = attempt(ctx, Trial(who.id, skill, said.die, dc, ally.id, said.terms)).outcome
    if came in PASSES:
        more = {"note": skill, "advantage": (skill,), "amount": int(came == CRIT)}
        begin(ctx, ally.id, ASSISTED, Duration("use"), Placing(source=who.id), **more)
    ctx.text = f"{who.name} assists {ally.name} with {skill}: {came}"


ACTS = {"assist": Declared(Assist, assist)}
VERBS = (
    declare("check", "makes a test of skill, which may work toward a race", Check, _check),
    declare("save", "makes saves", Save, _save),
)
