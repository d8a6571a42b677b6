"""Numbers as they are now, with how their parts stack; rolls of a d20 against one; `check`.

Seed 003: The Core Mechanic, Modifiers (Stacking, Modifier Types), Attack Rolls, Rolling 1 or 20,
Saving Throws, Speed, Conditions, Flying Movement, Actions in Combat ("Bluff check vs passive
Insight"), Glossary (Extended challenge).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import add
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.clocks import read_race, run
from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden
from affray.core.heart.events import Rolled
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, signed
from affray.core.rules.ruleset import Share, declare
from affray.core.rules.tables import Tables
from affray.rulekit import leaning, numbers, rolls
from affray.rulekit.numbers import Number, Numbers, Part, Situation
from affray.rulekit.recorded import owner_here
from affray.rulekit.rolls import Die, Roll
from affray.rulesets.orcus import sheet
from affray.rulesets.orcus.sheet import DEFENSES, MODES, SKILLS

PASSIVE = "passive-perception"
FLYING = "flying"
_CALLED = {"ac": "AC", "fortitude": "Fortitude", "reflex": "Reflex", "will": "Will"}


# -- how the numbers are made up -------------------------------------------------------------------


def _own(here: Situation, total: str) -> list[Part]:
    unsaid = here.tables.economy["speed"] if total == "speed" else 0
    return [Part(here.who.number(total, unsaid), f"own {total}", of=total)]


def _own_defense(here: Situation, total: str) -> list[Part]:
    """Its own defence; a summon's is its owner's (seed 003: Summons)."""
    who, whose = here.who, "own"
    owner = owner_here(here.state, who) if sheet.is_summon(who) else None
    if owner is not None and total not in who.stats:
        who, whose = owner, f"{owner.name}'s"
    value = who.number(total, sheet.UNSAID_DEFENSE)
    return [Part(value, f"{whose} {_CALLED[total]}", of=total), *_clumsy(here, total)]


def _clumsy(here: Situation, total: str) -> list[Part]:
    """What those lose who are at home in the air, or on the ground, where they are not."""
    place = "in-air" if FLYING in here.force else "on-ground"
    if not here.who.stats.get(f"clumsy-{place}"):
        return []
    return [Part(-here.tables.economy["clumsy"], f"clumsy {place.replace('-', ' ')}")]


def has(who: Combatant, total: str) -> bool:
    """Whether somebody has such a number: on the sheet, or for as long as an effect lasts."""
    return total in who.stats or any(total in effect.modifiers for effect in who.effects)


NUMBERS = Numbers(
    {
        "attack": Number(_clumsy),
        "damage": Number(),
        "save": Number(),
        "check": Number(),
        "perception": Number(kinds=("perception", "check"), one_of=True),
        "initiative": Number(kinds=("initiative", "check"), one_of=True),
        **{d: Number(_own_defense, (d, "defenses"), one_of=True) for d in DEFENSES},
        "speed": Number(_own, bent_by="speed", least=0),
        **{m: Number(_own, (m, "speed"), True, bent_by="speed", least=0, whose=has) for m in MODES},
        PASSIVE: Number(_own, (PASSIVE, "perception", "check"), True, whose=has),
    },
    once=("condition", "state", "opening"),
    apart=("help",),
    counted=numbers.best_of_a_type,
)
"""Rolls and checks as modifiers; defences, speeds and passive Perception whole."""
situation = partial(numbers.situation, NUMBERS)
here = partial(numbers.here, NUMBERS)
added_up = partial(numbers.added_up, NUMBERS)
TOTALS = tuple(name for name in NUMBERS.rows if name not in (*MODES, PASSIVE))
"""The numbers that everybody has."""


def use_up(ctx: Context, who: str, kinds: Sequence[str], tags: Sequence[str] = ()) -> None:
    """End the modifiers that last until used and fit a roll of that kind (attack, save, check).

    `tags` are those of the attack, for what counts only with some.
    """
    leaning.use_up(ctx, NUMBERS, who, kinds, tags)


# -- for `why` -------------------------------------------------------------------------------------


def shares(tables: Tables, state: Encounter, who: Combatant, total: str) -> list[Share]:
    """The parts of one of the totals, for `why`; as text what counts for some attacks only: a
    mark's penalty, and each weapon's own bonus."""
    found = numbers.shares(NUMBERS, tables, state, who, total)
    if total != "attack":
        return found
    penalty = f"({signed(-tables.economy['marked'])})"
    return [
        *found,
        *(
            Share(penalty, f"marked, unless {state.name(mark.source)} is a target", mark)
            for mark in who.all_named("marked")
        ),
        *(
            Share(f"({signed(weapon.bonus)})", f"{weapon.name}, against {weapon.defense}")
            for weapon in sheet.attacks_of(who)
        ),
    ]


# -- a roll ----------------------------------------------------------------------------------------

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
OF_CHECKS = {"hit": "success", "miss": "failure"}
"""How a log tells of what is no attack."""
OUTCOMES = rolls.Outcomes(SAID, "miss, hit, crit")
OUTCOME = rolls.die_said(OUTCOMES)
BONUS = arguments.clause("plus", arguments.number("the bonus", -99, 99), add)
"""The arguments that say how a roll came out, and what is added to it."""


def attack_outcome(natural: int, total: int, defense: int) -> Outcome:
    """What an attack roll comes to (seed 003: Rolling 1 or 20)."""
    if natural == 20:
        return "crit" if total >= defense else "hit"
    return "hit" if total >= defense and natural != 1 else "miss"


def make(
    ctx: Context,
    roll: Roll,
    dc: int,
    is_attack: bool = False,
    always_crits: bool = False,
    high: int | None = None,
) -> Outcome:
    """Make a roll against a number: emit it, with its face and total, and give its outcome.

    Of its parts those of one type don't add up.

    is_attack     20 always hits (a critical only where it would have hit anyway) and 1 never does
    always_crits  each hit is a critical one, as of a coup de grace
    high          from this total on, or with a natural 20, what is no attack is more than a success
    """

    def as_it_counts(outcome: Outcome) -> Outcome:
        """Only attacks can be critical, and what has a `high`."""
        if outcome == "hit" and always_crits:
            return "crit"
        if outcome == "crit" and not is_attack and high is None:
            return "hit"
        return outcome

    def told(outcome: Outcome) -> str:
        """Checks and saves succeed or fail; only attacks hit or miss."""
        return outcome if is_attack else OF_CHECKS.get(outcome, outcome)

    def comes_out(natural: int, total: int) -> str:
        if is_attack:
            return as_it_counts(attack_outcome(natural, total, dc))
        if high is not None and (natural == 20 or total >= high):
            return "crit"
        return told("hit" if total >= dc else "miss")

    die, parts = roll.die, numbers.best_of_a_type(roll.parts)
    if die.said:
        die = replace(die, said=told(as_it_counts(SAID[die.said])))
    made = rolls.make(ctx, replace(roll, die=die, parts=parts, dc=dc), comes_out)
    return SAID[made.outcome]


# -- against somebody's number ---------------------------------------------------------------------

NO_LANGUAGE = "no-language"
"""What is said where whoever acts and whom it is for don't understand each other."""


class Terms(Struct, frozen=True):
    """What may be said of a check beside its outcome."""

    plus: Annotated[int, BONUS] = 0
    dc: Annotated[int | None, rolls.DC] = None


def contest(
    ctx: Context,
    who: Combatant,
    skill: str,
    die: Die,
    terms: Terms,
    dc: int | None = None,
    against: str = "",
) -> Outcome:
    """A skill check against somebody's number, or the one that was said; how it came out.

    Raises Refused where nobody knows the number and the outcome was not said.
    """
    dc = dc if terms.dc is None else terms.dc
    name = skill.capitalize()
    if dc is not None:
        parts = _skill_parts(ctx, who, skill, terms.plus)
        outcome = make(ctx, Roll(who.id, name, die, parts, against=against), dc)
    elif die.said:
        outcome = "miss" if die.said == "miss" else "hit"
        told = OF_CHECKS[outcome]
        said = Rolled(who.id, "1d20", for_=name, against=against, outcome=told, by_hand=True)
        ctx.emit(said)
    else:
        other = f"{ctx.state.name(against)}'s number is not known" if against else "no DC is known"
        raise Refused(f"{other}: say how the {name} check came out, or `dc N`")
    _use_up_for(ctx, who, skill)
    return outcome


def _skill_parts(ctx: Context, who: Combatant, skill: str, plus: int) -> list[Part]:
    """What is added to a skill check: the skill, what is in force, and what was said."""
    found = numbers.parts(here(ctx, who), "perception" if skill == "perception" else "check")
    return [Part(who.number(skill), skill.capitalize()), *found, Part(plus, "plus")]


def _use_up_for(ctx: Context, who: Combatant, skill: str) -> None:
    """End what was good for one check of that skill."""
    use_up(ctx, who.id, ("perception", "check") if skill == "perception" else ("check",))


# -- the command -----------------------------------------------------------------------------------

SENSES = {"sight": "see", "hearing": "hear"}
"""What a check may be said to need, and what must not be forbidden for it."""


def _read_skill(reading: Reading) -> str:
    """Any skill; those without a number of their own count as 0."""
    skill = reading.words.next("a skill").casefold()
    if not skill.replace("-", "").replace(" ", "").isalpha():
        reading.words.back()
        raise reading.words.refuse(f"expected a skill, or how the check came out, found {skill!r}")
    return skill


def _is_skill(reading: Reading) -> bool:
    reading.words.offered += SKILLS if reading.words.done else ()
    return not (reading.is_over or rolls.is_die(reading.words, OUTCOMES))


_RACE = Argument(lambda r: read_race(r.ctx, r.words).name, '"CLOCK"')


class _Said(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.people("who makes the check")]
    skill: Annotated[str, Argument(_read_skill, "[SKILL]", _is_skill, lambda r: "")]
    dice: Annotated[list[Die], rolls.die_said(OUTCOMES, "people")]
    senses: Annotated[tuple[str, ...], arguments.any_of(*SENSES)] = ()
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()
    race: Annotated[str, arguments.clause("toward", _RACE)] = ""


def _check(ctx: Context, said: _Said) -> None:
    rolled = zip(said.people, said.dice, strict=True)
    ctx.text = ", ".join(_check_one(ctx, ctx.state[who.id], said, die) for who, die in rolled)


def _check_one(ctx: Context, who: Combatant, said: _Said, die: Die) -> str:
    """Make the check of one of them; gives what came of it. It fails where something bars a sense
    that it needs (seed 003: Blinded, Deafened)."""
    terms = said.terms
    race = next((clock for clock in ctx.state.clocks if clock.name == said.race), None)
    bars = (forbidden(ctx.tables, ctx.state, who, SENSES[sense]) for sense in said.senses)
    if lost := next(filter(None, bars), ""):
        die = Die("miss")
    what = f"{said.skill.capitalize()} check" if said.skill else "check"
    if terms.dc is None and not die.said:
        if race is not None:
            raise Refused(f"what counts toward {race.name} needs a DC: `dc N`, or the outcome")
        parts = numbers.best_of_a_type(_skill_parts(ctx, who, said.skill, terms.plus))
        total = rolls.total_of(ctx, Roll(who.id, what, die, parts))
        _use_up_for(ctx, who, said.skill)
        return f"{who.name} rolls {what}: {total}"
    outcome = contest(ctx, who, said.skill, die, terms)
    if race is not None:
        run(ctx, race, outcome != "miss")
    why = f": {lost}" if lost else ""
    return f"{who.name} rolls {what}, {'failure' if outcome == 'miss' else 'success'}{why}"


_DOES = "makes a skill check, which may count toward an extended challenge"
VERBS = (declare("check", _DOES, _Said, _check),)
