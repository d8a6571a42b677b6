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

from affray.core.commands.notes_and_clocks import add_effort, read_race
from affray.core.engine.effects import why_forbidden
from affray.core.engine.events import Rolled
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, format_signed
from affray.core.rules.ruleset import Context, NumberPart
from affray.core.rules.tables import Tables
from affray.mechanics import checks, stats
from affray.mechanics.checks import DieInput, RollRequest
from affray.mechanics.sheet import present_owner
from affray.mechanics.stats import CombatantSituation, StatPart, StatRule, StatRules
from affray.rulesets.orcus import sheet
from affray.rulesets.orcus.sheet import DEFENSES, MODES, SKILLS

PASSIVE = "passive-perception"
FLYING = "flying"
_CALLED = {"ac": "AC", "fortitude": "Fortitude", "reflex": "Reflex", "will": "Will"}


# -- how the numbers are made up -------------------------------------------------------------------


def _own(situation: CombatantSituation, total: str) -> list[StatPart]:
    missing = situation.tables.economy["speed"] if total == "speed" else 0
    return [StatPart(situation.who.number(total, missing), f"own {total}", of=total)]


def _own_defense(situation: CombatantSituation, total: str) -> list[StatPart]:
    """Its own defence; a summon's is its owner's (seed 003: Summons)."""
    combatant, whose = situation.who, "own"
    owner = present_owner(situation.state, combatant) if sheet.is_summon(combatant) else None
    if owner is not None and total not in combatant.stats:
        combatant, whose = owner, f"{owner.name}'s"
    value = combatant.number(total, sheet.UNSAID_DEFENSE)
    return [StatPart(value, f"{whose} {_CALLED[total]}", of=total), *_clumsy(situation, total)]


def _clumsy(situation: CombatantSituation, total: str) -> list[StatPart]:
    """What those lose who are at home in the air, or on the ground, where they are not."""
    place = "in-air" if FLYING in situation.force else "on-ground"
    if not situation.who.stats.get(f"clumsy-{place}"):
        return []
    return [StatPart(-situation.tables.economy["clumsy"], f"clumsy {place.replace('-', ' ')}")]


def has(combatant: Combatant, total: str) -> bool:
    """Whether somebody has such a number: on the sheet, or for as long as an effect lasts."""
    return total in combatant.stats or any(
        total in effect.modifiers for effect in combatant.effects
    )


NUMBERS = StatRules(
    {
        "attack": StatRule(_clumsy),
        "damage": StatRule(),
        "save": StatRule(),
        "check": StatRule(),
        "perception": StatRule(kinds=("perception", "check"), one_of=True),
        "initiative": StatRule(kinds=("initiative", "check"), one_of=True),
        **{d: StatRule(_own_defense, (d, "defenses"), one_of=True) for d in DEFENSES},
        "speed": StatRule(_own, bent_by="speed", least=0),
        **{
            m: StatRule(_own, (m, "speed"), True, bent_by="speed", least=0, whose=has)
            for m in MODES
        },
        PASSIVE: StatRule(_own, (PASSIVE, "perception", "check"), True, whose=has),
    },
    once=("condition", "state", "opening"),
    apart=("help",),
    counted=stats.stack_by_type,
)
"""Rolls and checks as modifiers; defences, speeds and passive Perception whole."""
situation = partial(stats.situation, NUMBERS)
situation_of = partial(stats.situation_in_command, NUMBERS)
added_up = partial(stats.sum_parts, NUMBERS)
TOTALS = tuple(name for name in NUMBERS.rows if name not in (*MODES, PASSIVE))
"""The numbers that everybody has."""


def use_up(ctx: Context, combatant_id: str, kinds: Sequence[str], tags: Sequence[str] = ()) -> None:
    """End the modifiers that last until used and fit a roll of that kind (attack, save, check).

    `tags` are those of the attack, for what counts only with some.
    """
    checks.consume_reasons(ctx, NUMBERS, combatant_id, kinds, tags)


# -- for `why` -------------------------------------------------------------------------------------


class Numbers(stats.StatNumbers):
    """The numbers that the situation changes."""

    def explain(
        self, tables: Tables, state: Encounter, combatant: Combatant, total: str
    ) -> list[NumberPart]:
        """The parts of one of the totals, for `why`; as text what counts for some attacks only: a
        mark's penalty, and each weapon's own bonus."""
        found = super().explain(tables, state, combatant, total)
        if total != "attack":
            return found
        penalty = f"({format_signed(-tables.economy['marked'])})"
        return [
            *found,
            *(
                NumberPart(penalty, f"marked, unless {state.name(mark.source)} is a target", mark)
                for mark in combatant.all_named("marked")
            ),
            *(
                NumberPart(
                    f"({format_signed(weapon.bonus)})", f"{weapon.name}, against {weapon.defense}"
                )
                for weapon in sheet.attacks_of(combatant)
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
OUTCOMES = checks.OutcomeWords(SAID, "miss, hit, crit")
OUTCOME = checks.die_arg(OUTCOMES)
BONUS = arguments.keyword_arg("plus", arguments.number_arg("the bonus", -99, 99), add)
"""The arguments that say how a roll came out, and what is added to it."""


def attack_outcome(natural: int, total: int, defense: int) -> Outcome:
    """The outcome of an attack roll (seed 003: Rolling 1 or 20)."""
    if natural == 20:
        return "crit" if total >= defense else "hit"
    return "hit" if total >= defense and natural != 1 else "miss"


def make(
    ctx: Context,
    roll: RollRequest,
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

    def outcome_word(outcome: Outcome) -> str:
        """Checks and saves succeed or fail; only attacks hit or miss."""
        return outcome if is_attack else OF_CHECKS.get(outcome, outcome)

    def comes_out(natural: int, total: int) -> str:
        if is_attack:
            return as_it_counts(attack_outcome(natural, total, dc))
        if high is not None and (natural == 20 or total >= high):
            return "crit"
        return outcome_word("hit" if total >= dc else "miss")

    die, parts = roll.die, stats.stack_by_type(roll.parts)
    if die.outcome:
        die = replace(die, outcome=outcome_word(as_it_counts(SAID[die.outcome])))
    rolled = checks.make_roll(ctx, replace(roll, die=die, parts=parts, dc=dc), comes_out)
    return SAID[rolled.outcome]


# -- against somebody's number ---------------------------------------------------------------------

NO_LANGUAGE = "no-language"
"""What is said where whoever acts and whom it is for don't understand each other."""


class CheckModifiers(Struct, frozen=True):
    """The options of a check beside its outcome."""

    plus: Annotated[int, BONUS] = 0
    dc: Annotated[int | None, checks.DC] = None


def contest(
    ctx: Context,
    combatant: Combatant,
    skill: str,
    die: DieInput,
    terms: CheckModifiers,
    dc: int | None = None,
    against: str = "",
) -> Outcome:
    """A skill check against somebody's number, or the one that was said; how it came out.

    Raises Refused where nobody knows the number and the outcome was not said.
    """
    dc = dc if terms.dc is None else terms.dc
    name = skill.capitalize()
    if dc is not None:
        parts = _skill_parts(ctx, combatant, skill, terms.plus)
        outcome = make(ctx, RollRequest(combatant.id, name, die, parts, against=against), dc)
    elif die.outcome:
        outcome = "miss" if die.outcome == "miss" else "hit"
        text = OF_CHECKS[outcome]
        rolled = Rolled(
            combatant.id, "1d20", for_=name, against=against, outcome=text, by_hand=True
        )
        ctx.emit(rolled)
    else:
        other = f"{ctx.state.name(against)}'s number is not known" if against else "no DC is known"
        raise Refused(f"{other}: say how the {name} check came out, or `dc N`")
    _use_up_for(ctx, combatant, skill)
    return outcome


def _skill_parts(ctx: Context, combatant: Combatant, skill: str, plus: int) -> list[StatPart]:
    """What is added to a skill check: the skill, what is in force, and what was said."""
    found = stats.stat_parts(
        situation_of(ctx, combatant), "perception" if skill == "perception" else "check"
    )
    return [StatPart(combatant.number(skill), skill.capitalize()), *found, StatPart(plus, "plus")]


def _use_up_for(ctx: Context, combatant: Combatant, skill: str) -> None:
    """End what was good for one check of that skill."""
    use_up(ctx, combatant.id, ("perception", "check") if skill == "perception" else ("check",))


# -- the command -----------------------------------------------------------------------------------

SENSES = {"sight": "see", "hearing": "hear"}
"""What a check may be said to need, and what must not be forbidden for it."""


def _read_skill(reading: ParseState) -> str:
    """Any skill; those without a number of their own count as 0."""
    skill = reading.words.next("a skill").casefold()
    if not skill.replace("-", "").replace(" ", "").isalpha():
        reading.words.back()
        raise reading.words.refuse(f"expected a skill, or how the check came out, found {skill!r}")
    return skill


def _is_skill(reading: ParseState) -> bool:
    reading.words.offered += SKILLS if reading.words.done else ()
    return not (reading.is_over or checks.is_die_input(reading.words, OUTCOMES))


_RACE = Argument(lambda r: read_race(r.ctx, r.words).name, '"CLOCK"')


class CheckArgs(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.combatants_arg("who makes the check")]
    skill: Annotated[str, Argument(_read_skill, "[SKILL]", _is_skill, lambda r: "")]
    dice: Annotated[list[DieInput], checks.die_arg(OUTCOMES, "people")]
    senses: Annotated[tuple[str, ...], arguments.any_of(*SENSES)] = ()
    terms: Annotated[CheckModifiers, arguments.keyword_args(CheckModifiers)] = CheckModifiers()
    race: Annotated[str, arguments.keyword_arg("toward", _RACE)] = ""


def _check(ctx: Context, args: CheckArgs) -> None:
    rolled = zip(args.people, args.dice, strict=True)
    ctx.text = ", ".join(
        _check_one(ctx, ctx.state[combatant.id], args, die) for combatant, die in rolled
    )


def _check_one(ctx: Context, combatant: Combatant, args: CheckArgs, die: DieInput) -> str:
    """Make the check of one of them; gives what came of it. It fails where something bars a sense
    that it needs (seed 003: Blinded, Deafened)."""
    terms = args.terms
    race = next((clock for clock in ctx.state.clocks if clock.name == args.race), None)
    bars = (why_forbidden(ctx.tables, ctx.state, combatant, SENSES[sense]) for sense in args.senses)
    if lost := next(filter(None, bars), ""):
        die = DieInput("miss")
    what = f"{args.skill.capitalize()} check" if args.skill else "check"
    if terms.dc is None and not die.outcome:
        if race is not None:
            raise Refused(f"what counts toward {race.name} needs a DC: `dc N`, or the outcome")
        parts = stats.stack_by_type(_skill_parts(ctx, combatant, args.skill, terms.plus))
        total = checks.roll_total(ctx, RollRequest(combatant.id, what, die, parts))
        _use_up_for(ctx, combatant, args.skill)
        return f"{combatant.name} rolls {what}: {total}"
    outcome = contest(ctx, combatant, args.skill, die, terms)
    if race is not None:
        add_effort(ctx, race, outcome != "miss")
    why = f": {lost}" if lost else ""
    return f"{combatant.name} rolls {what}, {'failure' if outcome == 'miss' else 'success'}{why}"


_DOES = "makes a skill check, which may count toward an extended challenge"
VERBS = (declare_command("check", _DOES, CheckArgs, _check),)
