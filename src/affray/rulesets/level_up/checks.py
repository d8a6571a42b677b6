"""Ability checks and saving throws, and what may be said of any roll. Rules file, 2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.events import Rolled, Used
from affray.core.heart.history import Previous
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import read_dice, refuse_two_dice
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, close_or_all, close_to
from affray.core.rules.ruleset import declare
from affray.rulekit import leaning, numbers, recorded, rolls
from affray.rulekit.numbers import Part
from affray.rulesets.level_up import sheet, totals, world

FAILURE, SUCCESS = "failure", "success"
OUTCOMES = rolls.Outcomes(
    dict.fromkeys((FAILURE, "fail", "failed"), FAILURE)
    | dict.fromkeys((SUCCESS, "succeed", "saved"), SUCCESS),
    "failure, success",
)
OUTCOME = rolls.die_said(OUTCOMES, asks="outcome:success|failure")
"""The argument that says how a check or a saving throw came out."""
ATTACK_OUTCOMES = rolls.Outcomes(
    {"miss": "miss", "hit": "hit", "crit": "crit", "critical": "crit", "fumble": "fumble"},
    "miss, hit, crit, fumble",
)
COVER = {"cover": "cover", "three-quarters-cover": "three_quarters_cover"}
"""The words for cover, and where the tables have what it is worth (Cover)."""
TOTAL_COVER = "total-cover"


def cover_said(*covers: str) -> Argument:
    """The cover of whoever rolls or is attacked; of several only the best counts (4.1)."""
    alike = {"half-cover": "cover", "three-quarters": "three-quarters-cover"}
    return arguments.one_of(*covers, alike=alike, joins=lambda *two: max(two, key=covers.index))


# -- what is said of a roll ------------------------------------------------------------------------


def _read_expertise(reading: Reading) -> tuple[int | str, ...]:
    if reading.words.has_number():
        return (reading.words.number("what the expertise die showed", 1, 20),)
    return (read_dice(reading.words, "the expertise die"),)


_EXPERTISE = arguments.clause("expertise", Argument(_read_expertise, "N"), add)


class Terms(rolls.Terms, frozen=True):
    """What may be said of any roll: advantage, a bonus, the expertise die."""

    expertise: Annotated[tuple[int | str, ...], _EXPERTISE] = ()
    cover: str = ""  # of no roll but those in whose command it can be said


class Sheltered(Terms, frozen=True):
    """The same, and the cover that whoever rolls has."""

    cover: Annotated[str, cover_said(*COVER)] = ""


def cover_bonus(ctx: Context, cover: str) -> list[Part]:
    """What cover adds: to AC, to saving throws, to checks to hide (rules file, 4.1)."""
    return [Part(int(ctx.tables.economy[COVER[cover]]), cover)] if cover else []


def said_parts(ctx: Context, who: str, die: rolls.Die, terms: Terms) -> list[Part]:
    """The bonus that was said, and the best of the expertise dice (rules file, 2.6)."""
    if not terms.expertise or (die.said and not die.final):
        return terms.parts
    shown = [
        each if isinstance(each, int) else rolls.throw_dice(ctx, who, each, "expertise")
        for each in terms.expertise
    ]
    return [*terms.parts, Part(max(shown), "expertise")]


# -- checks and saves ------------------------------------------------------------------------------


class Try(Struct, frozen=True):
    """A check or a saving throw that is to be made.

    ability  empty for one that is tied to none, as a death save is
    skill    the skill of a check; a saving throw has none
    hides    whether it is a check to hide
    name     how the log calls it, where that is not what it is: "death save"
    pro, con reasons of its own for advantage and disadvantage
    tags     what it is for, as help with a task is for that alone
    final    faces of the die that decide it, whatever the total, as those of a death save: 1, 20
    """

    who: str
    ability: str
    die: rolls.Die
    skill: str = ""
    save: bool = False
    name: str = ""
    hides: bool = False
    dc: int | None = None
    against: str = ""
    terms: Terms = Terms()
    pro: tuple[str, ...] = ()
    con: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    final: Mapping[int, str] = {}

    @property
    def called(self) -> str:
        """What the log calls it: "dex save", "wis (perception)"."""
        if self.name or self.save:
            return self.name or f"{self.ability} save".strip()
        return f"{self.ability} ({self.skill})" if self.skill else f"{self.ability} check".strip()

    @property
    def kinds(self) -> tuple[str, ...]:
        """What it is, as rows call it: a Dexterity save is `save` and `dex-save`."""
        kind = "save" if self.save else "check"
        own = (f"{self.ability}-{kind}",) if self.ability else ()
        return (kind, *own, *(("hide",) if self.hides else ()))

    def comes_out(self, natural: int, total: int) -> str:
        """How it comes out with that die and that total; empty where there is no DC."""
        if natural in self.final or self.dc is None:
            return self.final.get(natural, "")
        return SUCCESS if total >= self.dc else FAILURE


CAN_RESIST = "failed save", "resist"
"""What is counted of who has legendary resistance from a failed save until the next command, in
which it can still become a success."""


def attempt(ctx: Context, trial: Try) -> Rolled:
    """Make a check or a saving throw; its outcome is empty where there is no DC.

    Raises Refused for two dice where not exactly one of advantage and disadvantage is in force.
    """
    who = ctx.state[trial.who]
    here = totals.here(ctx, who)
    has, lacks = (
        leaning.own_reasons(here, side, trial.kinds, trial.against, trial.tags)
        for side in leaning.SIDES
    )
    free = trial.save or trial.ability != "dex" or who.stats.get("swim")  # (14.1)
    scene = [world.UNDERWATER] if world.is_on(ctx.state, world.UNDERWATER) and not free else []
    parts = [
        *_own_parts(who, trial),
        *numbers.parts(here, "hide" if trial.hides else trial.kinds[0], trial.tags, trial.against),
        *_sheltered(ctx, trial),
        *said_parts(ctx, who.id, trial.die, trial.terms),
    ]
    pro = [*trial.terms.pro, *has, *trial.pro]
    con = [*trial.terms.con, *lacks, *scene, *trial.con]
    roll = rolls.Roll(who.id, trial.called, trial.die, parts, trial.dc, trial.against, pro, con)
    rolled = throw(ctx, roll, trial.comes_out)
    if trial.save and rolled.outcome == FAILURE and who.track(sheet.RESISTS):
        ctx.emit(Used(who.id, *CAN_RESIST))
    leaning.use_up(ctx, totals.NUMBERS, who.id, trial.kinds, trial.tags, trial.against)
    return rolled


def outcomes_with(made: Previous, instead: Callable[[Rolled], str]) -> str:
    """How the rolls of an entry came out, in the order in which they are decided anew: attacks
    before the saves that these ask for. `instead` has another outcome for those that change."""
    fell = [e for e in made.entry.events if isinstance(e, Rolled) and e.outcome]
    fell.sort(key=lambda roll: roll.outcome not in ATTACK_OUTCOMES.means)
    return ",".join(instead(roll) or roll.outcome for roll in fell)


def throw(ctx: Context, roll: rolls.Roll, comes_out: Callable[[int, int], str]) -> Rolled:
    """Make a roll. Both advantage and disadvantage are neither: two dice are refused (2.4)."""
    if roll.pro and roll.con:
        refuse_two_dice(roll.die.faces)
    return rolls.make(ctx, roll, comes_out)


def _own_parts(who: Combatant, trial: Try) -> list[Part]:
    """The ability, and the proficiency bonus if it is proficient (rules file, 2.5)."""
    ability = [Part(who.number(trial.ability), trial.ability)] if trial.ability else []
    proficient = is_proficient(who, trial.ability if trial.save else trial.skill, trial.save)
    return [*ability, *([Part(who.number("pb"), "proficient")] if proficient else [])]


def is_proficient(who: Combatant, what: str, save: bool = False) -> bool:
    """Whether it is proficient in a skill, or in an ability's saving throws."""
    return bool(what) and what in recorded.words_of(who, "saves" if save else "skills")


def _sheltered(ctx: Context, trial: Try) -> list[Part]:
    """Cover helps to save, and to hide. Raises Refused where it helps nothing."""
    cover = trial.terms.cover
    if cover and not (trial.save or trial.hides or trial.skill == "stealth"):
        raise Refused(f"{cover} adds to saving throws and to checks to hide, and to no other check")
    return cover_bonus(ctx, cover)


# -- the command -----------------------------------------------------------------------------------


_A_SLIP = 0.88
"""How like a known skill another word is, at least, that is taken for a slip; some skills that the
text doesn't name are nearly as like."""


def _read_kind(reading: Reading) -> str:
    words = reading.words
    own = (skill for who in reading.said["people"] for skill in recorded.words_of(who, "skills"))
    known = ("save", *sheet.SKILLS, *own)
    word = words.next("`save` or a skill").casefold()
    near = [] if word in known else close_to(word, known, _A_SLIP)
    if near or not word.replace("-", "").replace(" ", "").isalpha():
        words.back()
        hint = f"; did you mean {near[0]}?" if near else ""
        raise words.refuse(f"expected `save`, a skill or an outcome, found {word!r}{hint}", known)
    return word


def _is_kind(reading: Reading) -> bool:
    words = reading.words
    words.offered += ("save", *sheet.SKILLS) if words.done else ()
    stands = words.done or reading.is_over or words.has_number()
    return not (stands or rolls.is_die(words, OUTCOMES))


_KIND = Argument(_read_kind, "[save|SKILL]", _is_kind, lambda r: "", asks="text:save-or-skill?!")


HELPED = "helped"
"""The effect of whose next check has advantage; its note is the task, where help is with one."""


def _tasks(reading: Reading) -> list[str]:
    people: list[Combatant] = reading.said["people"]
    return [e.note for who in people for e in who.all_named(HELPED) if e.note]


_TASK = arguments.clause("for", arguments.text("the task", _tasks, "TASK"))


class Said(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.people("who makes the check")]
    ability: Annotated[str, arguments.choice("an ability", sheet.ABILITIES, "ABILITY")]
    kind: Annotated[str, _KIND]
    dice: Annotated[list[rolls.Die], rolls.die_said(OUTCOMES, of="people", asks="outcome:each")]
    terms: Annotated[Sheltered, arguments.words_of(Sheltered)]
    dc: Annotated[int | None, rolls.DC] = None
    task: Annotated[str, _TASK] = ""


def _helped_with(said: Said) -> tuple[str, ...]:
    """The task that a check is for, as whoever helps has called it. Raises Refused where nobody
    helps with that."""
    if not said.task:
        return ()
    known = [e.note.casefold() for who in said.people for e in who.all_named(HELPED) if e.note]
    found = [task for task in known if task.startswith(said.task.casefold())]
    if not found:
        raise Refused(f"nobody helps with {said.task!r}{close_or_all(said.task, known)}")
    return (found[0],)


def _check(ctx: Context, said: Said) -> None:
    save = said.kind == "save"
    if save and said.task:
        raise Refused("help with a task is for a check, not for a saving throw")
    tags = _helped_with(said)
    skill = "" if save else said.kind
    told = []
    for who, die in zip(said.people, said.dice, strict=True):
        terms = said.terms
        trial = Try(who.id, said.ability, die, skill, save, dc=said.dc, terms=terms, tags=tags)
        came = attempt(ctx, trial).outcome
        called = f"{trial.called} check" if trial.skill else trial.called
        a = "an" if called[0] in "aeiou" else "a"
        told.append(f"{who.name} makes {a} {called}{f', {came}' if came else ''}")
    ctx.text = "; ".join(told)


VERBS = (declare("check", "makes an ability check or a saving throw", Said, _check),)
