"""Numbers as they are now, with how their parts stack; rolls of a d20 against one; `check`.

Orcus, The Core Mechanic, Modifiers (Stacking, Modifier Types), Attack Rolls, Rolling 1 or 20,
Saving Throws, Speed, Conditions, Flying Movement, Actions in Combat ("Bluff check vs passive
Insight"), Glossary (Extended challenge).
"""

from __future__ import annotations

from functools import partial
from operator import add
from typing import Annotated, Literal

from msgspec import Struct

from affray.core.commands.notes_and_clocks import add_effort, read_race
from affray.core.dice import DieInput
from affray.core.engine.effects import why_cannot
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, format_signed
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context, NumberPart
from affray.core.rules.tables import Tables
from affray.mechanics import checks, stats
from affray.mechanics.sheet import present_owner
from affray.mechanics.stats import CombatantSituation, StatPart, StatRule, StatRules
from affray.rulesets.orcus import sheet
from affray.rulesets.orcus.sheet import DEFENSES, MODES, SKILLS

PASSIVE = "passive-perception"
FLYING = "flying"
_CALLED = {"ac": "AC", "fortitude": "Fortitude", "reflex": "Reflex", "will": "Will"}


# -- how the numbers are made up -------------------------------------------------------------------


def _own_defense(situation: CombatantSituation, total: str) -> list[StatPart]:
    """Its own defence; a summon's is its owner's (Orcus, Summons)."""
    combatant, whose = situation.who, "own"
    owner = present_owner(situation.state, combatant) if sheet.is_summon(combatant) else None
    if owner is not None and total not in combatant.stats:
        combatant, whose = owner, f"{owner.name}'s"
    value = combatant.number(total, sheet.UNSAID_DEFENSE)
    return [StatPart(value, f"{whose} {_CALLED[total]}", of=total), *_clumsy(situation, total)]


def _clumsy(situation: CombatantSituation, total: str) -> list[StatPart]:
    """The penalty of somebody clumsy in the air, or on the ground, while there."""
    place = "in-air" if FLYING in situation.force else "on-ground"
    if not situation.who.stats.get(f"clumsy-{place}"):
        return []
    return [StatPart(-situation.tables.economy["clumsy"], f"clumsy {place.replace('-', ' ')}")]


def has(combatant: Combatant, total: str) -> bool:
    """True if somebody has such a number: on the sheet, or for as long as an effect lasts."""
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
        "speed": StatRule(stats.own_number, bent_by="speed", least=0),
        **{
            m: StatRule(stats.own_number, (m, "speed"), True, bent_by="speed", least=0, whose=has)
            for m in MODES
        },
        PASSIVE: StatRule(stats.own_number, (PASSIVE, "perception", "check"), True, whose=has),
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
"""The words of the log for outcomes of rolls that are no attacks."""
OUTCOMES = checks.OutcomeWords(SAID, "miss, hit, crit")
OUTCOME_FIELD = Field("outcome", ("success", "failure"))
Called = Annotated[DieInput, checks.die_arg(OUTCOMES, field=OUTCOME_FIELD)]
BONUS = arguments.keyword_arg(
    "plus", arguments.number_arg("the bonus", -99, 99), add, Field("number", before="plus")
)
"""The arguments for a roll's outcome and its bonus."""


def attack_outcome(natural: int, total: int, defense: int) -> Outcome:
    """The outcome of an attack roll (Orcus, Rolling 1 or 20)."""
    if natural == 20:
        return "crit" if total >= defense else "hit"
    return "hit" if total >= defense and natural != 1 else "miss"


class CheckRequest(checks.Check, frozen=True):
    """Any roll of a d20 against a number; of its parts those of one type don't add up.

    high  from this total on, or with a natural 20, it is more than a success
    """

    high: int | None = None

    numbers = NUMBERS

    def come_out(self, ctx: Context) -> Outcome:
        """Make the check, and return its outcome in the words of attacks."""
        return SAID[self.make(ctx).outcome]

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """The outcome against a number; empty without one."""
        if self.high is not None and (natural == 20 or total >= self.high):
            return "crit"
        return "" if dc is None else "hit" if total >= dc else "miss"

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Return success or failure; only attacks, and checks with a `high`, can be critical."""
        outcome = SAID.get(outcome, outcome)
        outcome = "hit" if outcome == "crit" and self.high is None else outcome
        return OF_CHECKS.get(outcome, outcome)


class InitiativeCheck(checks.InitiativeCheck, frozen=True):
    """A d20 and the sheet's initiative, which is a Dexterity check as well."""

    stat: str = "initiative"

    numbers = NUMBERS
    kinds = ("initiative", "check")


# -- against somebody's number ---------------------------------------------------------------------

NO_LANGUAGE = "no-language"
"""The option for two combatants who share no language."""


class CheckModifiers(Struct, frozen=True):
    """The options of a check besides its outcome."""

    plus: Annotated[int, BONUS] = 0
    dc: Annotated[int | None, checks.DC] = None


Modifiers = Annotated[CheckModifiers, arguments.keyword_args(CheckModifiers)]
"""The options of a check as arguments of a command."""
UnaskedModifiers = Annotated[CheckModifiers, arguments.keyword_args(CheckModifiers, is_asked=False)]
"""The same, which a prompt doesn't offer."""


class SkillCheck(CheckRequest, frozen=True):
    """A check of a skill, against a DC or somebody's number, such as their `defense`."""

    defense: str = ""

    @property
    def label(self) -> str:
        """The skill, unless it has another name."""
        return self.name or self.stat.capitalize()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The numbers that count in it: in Perception its own, and those of all checks."""
        return ("perception", "check") if self.stat == "perception" else ("check",)

    @property
    def exposes(self) -> tuple[str, ...]:
        """The defence that it is made against, and `defenses`, which counts in all of them."""
        return (self.defense, "defenses") if self.defense else ()

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[StatPart]:
        """List the skill, the effects in force, and the bonus that the command says."""
        own = StatPart(roller.who.number(self.stat), self.stat.capitalize())
        return [own, *stats.stat_parts(roller, self.kinds[0]), *self.more]


def contest(
    ctx: Context,
    combatant: Combatant,
    skill: str,
    die: DieInput,
    terms: CheckModifiers,
    dc: int | None = None,
    against: str = "",
    defense: str = "",
) -> Outcome:
    """Make a skill check against somebody's number, or the given one; returns its outcome.

    Raises Refused without a known number or a given outcome.
    """
    dc = dc if terms.dc is None else terms.dc
    more = (StatPart(terms.plus, "plus"),)
    check = SkillCheck(combatant.id, skill, die, dc, against, more=more, defense=defense)
    if dc is None and not die.outcome:
        other = (
            (f"{ctx.state.name(against)}'s number is not known")
            if against
            else "the DC is not known"
        )
        raise Refused(f"{other}: give the outcome of the {check.label} check, or `dc N`")
    return check.come_out(ctx)


# -- the command -----------------------------------------------------------------------------------

SENSES = {"sight": "see", "hearing": "hear"}
"""The sense that a check may need -> the word that effects forbid."""


def _read_skill(reading: ParseState) -> str:
    """Any skill; those without a number of their own count as 0."""
    skill = reading.words.next("a skill").casefold()
    if not skill.replace("-", "").replace(" ", "").isalpha():
        reading.words.back()
        raise reading.words.refuse(f"expected a skill or an outcome of the check, found {skill!r}")
    return skill


def _is_skill(reading: ParseState) -> bool:
    reading.words.offered += SKILLS if reading.words.done else ()
    return not (reading.is_over or checks.is_die_input(reading.words, OUTCOMES))


_RACE = Argument(lambda r: read_race(r.ctx, r.words).name, '"CLOCK"', field=ANY_MORE)


_SKILL = Argument(
    _read_skill,
    "[SKILL]",
    _is_skill,
    lambda r: "",
    field=Field("text", ("skill",), optional=True),
)


class CheckArgs(Struct, frozen=True):
    people: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants who make the check", field=Field("self")),
    ]
    skill: Annotated[str, _SKILL]
    dice: Annotated[list[DieInput], checks.die_arg(OUTCOMES, "people", field=Field("die", ("20",)))]
    senses: Annotated[tuple[str, ...], arguments.any_of(*SENSES)] = ()
    terms: Modifiers = CheckModifiers()
    race: Annotated[str, arguments.keyword_arg("toward", _RACE)] = ""


def _check(ctx: Context, args: CheckArgs) -> None:
    rolled = zip(args.people, args.dice, strict=True)
    ctx.text = ", ".join(
        _check_one(ctx, ctx.state[combatant.id], args, die) for combatant, die in rolled
    )


def _check_one(ctx: Context, combatant: Combatant, args: CheckArgs, die: DieInput) -> str:
    """Make the check of one of them; returns what came of it. It fails where something bars a sense
    that it needs (Orcus, Blinded, Deafened)."""
    terms = args.terms
    race = next((clock for clock in ctx.state.clocks if clock.name == args.race), None)
    bars = (why_cannot(ctx, combatant, SENSES[sense]) for sense in args.senses)
    if lost := next(filter(None, bars), ""):
        die = DieInput("miss")
    what = f"{args.skill.capitalize()} check" if args.skill else "check"
    if terms.dc is None and not die.outcome:
        if race is not None:
            raise Refused(f"{race.name} needs a DC, `dc N`, or the outcome")
        more = (StatPart(terms.plus, "plus"),)
        check = SkillCheck(combatant.id, args.skill, die, name=what, more=more)
        total = check.roll_total(ctx)
        return f"{combatant.name} rolls {what}: {total}"
    outcome = contest(ctx, combatant, args.skill, die, terms)
    if race is not None:
        add_effort(ctx, race, outcome != "miss")
    why = f": {lost}" if lost else ""
    return f"{combatant.name} rolls {what}, {'failure' if outcome == 'miss' else 'success'}{why}"


_DOES = "makes a skill check, which may count toward an extended challenge"
COMMANDS = (declare_command("check", _DOES, CheckArgs, _check),)
