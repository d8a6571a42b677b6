"""Level Up: ability checks and saving throws, a combatant's numbers, and modifiers of any roll.

Start with `CheckRequest`.

Level Up.
"""

from __future__ import annotations

from functools import partial
from operator import add
from typing import Annotated, Protocol

from msgspec import Struct

from affray.core.dice import DieInput
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import parse_dice_clause
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, suggest_or_list
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context, NumberPart
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.mechanics import checks, stats
from affray.mechanics.stats import CombatantSituation, StatPart, StatRule, StatRules
from affray.rulesets.level_up import settings, sheet
from affray.rulesets.srd import checks as srd_checks
from affray.rulesets.srd.checks import COVER, OUTCOME_FIELD, OUTCOMES, cover_said
from affray.rulesets.srd.sheet import ABILITIES

# -------------------------------------------------------------------------------------------------
# The numbers of a combatant, and the parts of each.

ROLLS = ("attack", "save", "check", "hide", "initiative")
"""The rolls that can have advantage or disadvantage."""
SPRINTING = "sprinting"


def _own_armor(situation: CombatantSituation, total: str) -> list[StatPart]:
    own = situation.who.number("ac", int(situation.tables.economy["armor_class"]))
    given_up = situation.who.room("shield")
    gone = [StatPart(-given_up, "the shield is given up", of="shield")] if given_up else []
    return [StatPart(own, "own AC", of="ac"), *gone]


def _own_speed(situation: CombatantSituation, total: str) -> list[StatPart]:
    """Its own; adrift one of 30, and 5 for each point of Intelligence."""
    if settings.ASTRAL.is_on(situation.state):
        by_thought = 5 * situation.who.number("int")
        return [StatPart(30, "adrift"), *([StatPart(by_thought, "int")] if by_thought else [])]
    return stats.own_number(situation, total)


def _massive(situation: CombatantSituation, total: str) -> list[StatPart]:
    """The amount of damage in one hit that is massive: more with each level or Hit Die."""
    economy = situation.tables.economy
    level = situation.who.number("level", situation.who.number("hit-dice", 1))
    by_level = int(economy["massive_level"]) * max(1, level)
    return [StatPart(int(economy["massive"]), "for everybody"), StatPart(by_level, "by level")]


NUMBERS = StatRules(
    {
        "attack": StatRule(),
        "damage": StatRule(),
        "damage_taken": StatRule(),
        "check": StatRule(),
        "save": StatRule(),
        "hide": StatRule(kinds=("hide", "check"), one_of=True),  # hiding is a check
        "initiative": StatRule(),
        "ac": StatRule(_own_armor, least=0),
        "speed": StatRule(_own_speed, bent_by="speed", least=0),
        "massive": StatRule(_massive),
    },
    once=("condition", "trace", *OWN_KINDS),
    spent=("help",),
)
situation = partial(stats.situation, NUMBERS)
situation_of = partial(stats.situation_in_command, NUMBERS)


class Numbers(srd_checks.Numbers):
    """The numbers that the situation changes."""

    rolls = ROLLS

    def totals(self, tables: Tables, state: Encounter, combatant: Combatant) -> dict[str, int]:
        """The situation's modifiers to rolls, and AC, speed and massive damage whole."""
        values = stats.stat_values(NUMBERS, tables, state, combatant)
        return values | {"speed": values["speed"] * _sprint(state, combatant)}

    def explain(
        self, tables: Tables, state: Encounter, combatant: Combatant, total: str
    ) -> list[NumberPart]:
        """The parts of one of the totals, for `why`."""
        times = _sprint(state, combatant) if total == "speed" else 1
        sprint = (
            [NumberPart(f"×{times}", SPRINTING, combatant.named(SPRINTING))] if times > 1 else []
        )
        return [*super().explain(tables, state, combatant, total), *sprint]


def speed(tables: Tables, state: Encounter, combatant: Combatant) -> int:
    """The feet in this turn, with Dash and Sprint, which multiply the speed after all changes."""
    return stats.stat_value(situation(tables, state, combatant), "speed") * _sprint(
        state, combatant
    )


def _sprint(state: Encounter, combatant: Combatant) -> int:
    """The factor of a sprint on the speed, in the turn of the sprint."""
    sprint = combatant.named(SPRINTING)
    in_its_turn = not state.in_combat or state.takes_turn(combatant.id)
    return sprint.amount if sprint is not None and in_its_turn else 1


# -- what is said of a roll ------------------------------------------------------------------------


def _read_expertise(reading: ParseState) -> tuple[int | str, ...]:
    if reading.words.has_number():
        return (reading.words.number("the number on the expertise die", 1, 20),)
    return (parse_dice_clause(reading.words, "the expertise die"),)


EXPERTISE = arguments.keyword_arg("expertise", Argument(_read_expertise, "N", field=ANY_MORE), add)


class RollModifiers(srd_checks.RollModifiers, frozen=True):
    """The options of any roll: advantage, a bonus, the expertise die."""

    expertise: Annotated[tuple[int | str, ...], EXPERTISE] = ()


class RollModifiersWithCover(RollModifiers, frozen=True):
    """The options of any roll, with the roller's cover."""

    cover: Annotated[str, cover_said(*COVER)] = ""


Modifiers = Annotated[RollModifiers, arguments.keyword_args(RollModifiers, is_asked=False)]
"""The options of a roll as arguments of a command, which a prompt doesn't offer."""
CoverModifiers = Annotated[
    RollModifiersWithCover, arguments.keyword_args(RollModifiersWithCover, is_asked=False)
]
AskedCoverModifiers = Annotated[
    RollModifiersWithCover, arguments.keyword_args(RollModifiersWithCover)
]
"""The same, which a prompt offers."""


class HasExpertise(Protocol):
    """The options of a roll with the dice of expertise among them."""

    @property
    def parts(self) -> list[StatPart]: ...
    @property
    def expertise(self) -> tuple[int | str, ...]: ...


def said_parts(
    ctx: Context, combatant_id: str, die: DieInput, terms: HasExpertise
) -> list[StatPart]:
    """The command's bonus, and the best of the expertise dice."""
    if not terms.expertise or (die.outcome and not die.final):
        return terms.parts
    shown = [
        each
        if isinstance(each, int)
        else checks.roll_extra_dice(ctx, combatant_id, each, "expertise")
        for each in terms.expertise
    ]
    return [*terms.parts, StatPart(max(shown), "expertise")]


# -- checks and saves ------------------------------------------------------------------------------


class CheckRequest(srd_checks.CheckRequest, frozen=True):
    """An ability check or a saving throw that is to be made, with the dice of expertise."""

    modifiers: RollModifiers = RollModifiers()

    numbers = NUMBERS

    def cover_helps(self) -> str:
        """Name the rolls that cover adds to, if this isn't one."""
        if self.save or self.hides or self.skill == "stealth":
            return ""
        return "saving throws and to checks to hide, not to other checks"

    def said_parts(self, ctx: Context) -> list[StatPart]:
        """List the bonus and the expertise dice that the command says."""
        return said_parts(ctx, self.who, self.die, self.modifiers)

    def scene_reasons(self, ctx: Context, roller: CombatantSituation) -> list[str]:
        """Under water checks of Dexterity are hard for who has no swim speed."""
        free = self.save or self.stat != "dex" or roller.who.stats.get("swim")
        return (
            [] if free or not settings.UNDERWATER.is_on(ctx.state) else [settings.UNDERWATER.name]
        )


class InitiativeCheck(checks.InitiativeCheck, frozen=True):
    """A d20 and `init`."""

    numbers = NUMBERS


# -- the command -----------------------------------------------------------------------------------


HELPED = "helped"
"""The effect of whose next check has advantage; its note is the task, where help is with one."""


def _tasks(reading: ParseState) -> list[str]:
    people: list[Combatant] = reading.values["people"]
    return [e.note for combatant in people for e in combatant.all_named(HELPED) if e.note]


_TASK = arguments.keyword_arg(
    "for",
    arguments.text_arg("the task", _tasks, "TASK"),
    field=Field("text", ("task",), asked=True, before="for", only_if="helped"),
)


class CheckArgs(Struct, frozen=True):
    people: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants who make the check", field=Field("self")),
    ]
    ability: Annotated[str, arguments.choice_arg("an ability", ABILITIES, "ABILITY")]
    kind: Annotated[str, srd_checks.save_or_skill_arg(sheet.SKILLS)]
    dice: Annotated[
        list[DieInput],
        checks.die_arg(OUTCOMES, of="people", field=OUTCOME_FIELD),
    ]
    terms: CoverModifiers
    dc: Annotated[int | None, checks.DC] = None
    task: Annotated[str, _TASK] = ""


def _helped_with(args: CheckArgs) -> tuple[str, ...]:
    """The task that a check is for, as whoever helps has called it. Raises Refused if nobody
    helps with that."""
    if not args.task:
        return ()
    tasks = [
        e.note.casefold()
        for combatant in args.people
        for e in combatant.all_named(HELPED)
        if e.note
    ]
    fitting = [task for task in tasks if task.startswith(args.task.casefold())]
    if not fitting:
        raise Refused(f"nobody helps with {args.task!r}{suggest_or_list(args.task, tasks)}")
    return (fitting[0],)


def _check(ctx: Context, args: CheckArgs) -> None:
    save = args.kind == "save"
    if save and args.task:
        raise Refused("help with a task applies to a check, not to a saving throw")
    check = CheckRequest(
        "",
        args.ability,
        dc=args.dc,
        modifiers=args.terms,
        skill="" if save else args.kind,
        save=save,
        purpose=_helped_with(args),
    )
    srd_checks.check_each(ctx, check, args.people, args.dice)


COMMANDS = (
    declare_command("check", "makes an ability check or a saving throw", CheckArgs, _check),
)
