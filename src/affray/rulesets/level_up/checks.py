"""Level Up: ability checks and saving throws, a combatant's numbers, and modifiers of any roll.

Start reading with `CheckRequest`.

Seed 002; rules file, 2 and 18.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from operator import add
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput, Forced
from affray.core.engine.effects import effect_name
from affray.core.engine.events import AnyEvent, Rolled, UseCounted
from affray.core.engine.history import EarlierEntry
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.clauses import parse_dice_clause
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, close_matches, suggest_or_list
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, NumberPart
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.mechanics import checks, stats
from affray.mechanics.stats import CombatantSituation, StatPart, StatRule, StatRules
from affray.rulesets.level_up import scene as world, sheet

# -------------------------------------------------------------------------------------------------
# The numbers of a combatant, and the parts of each.

ROLLS = ("attack", "save", "check", "hide", "initiative")
"""What can have advantage or disadvantage."""
SPRINTING = "sprinting"


def _own_armor(situation: CombatantSituation, total: str) -> list[StatPart]:
    own = situation.who.number("ac", int(situation.tables.economy["armor_class"]))
    given_up = situation.who.room("shield")
    gone = [StatPart(-given_up, "the shield is given up", of="shield")] if given_up else []
    return [StatPart(own, "own AC", of="ac"), *gone]


def _own_speed(situation: CombatantSituation, total: str) -> list[StatPart]:
    """Its own; adrift one of 30, and 5 for each point of Intelligence (rules file, 14.3)."""
    if world.is_on(situation.state, world.ASTRAL):
        by_thought = 5 * situation.who.number("int")
        return [StatPart(30, "adrift"), *([StatPart(by_thought, "int")] if by_thought else [])]
    own = situation.who.number("speed", int(situation.tables.economy["speed"]))
    return [StatPart(own, "own speed", of="speed")]


def _massive(situation: CombatantSituation, total: str) -> list[StatPart]:
    """How much damage in one blow is massive: more with each level, or each of its Hit Dice."""
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


class Numbers(stats.StatNumbers):
    """The numbers that the situation changes."""

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
        leans = _advantage_parts(situation(tables, state, combatant), total)
        return [*super().explain(tables, state, combatant, total), *leans, *sprint]


def _advantage_parts(situation: CombatantSituation, total: str) -> Iterator[NumberPart]:
    for side in stats.SIDES if total in ROLLS else ():
        for name in stats.own_roll_reasons(situation, side, NUMBERS.rows[total].kinds or (total,)):
            yield NumberPart(side, effect_name(situation.tables, name), situation.force.get(name))


def speed(tables: Tables, state: Encounter, combatant: Combatant) -> int:
    """Feet in this turn, Dash and Sprint in them: what they multiply is the speed after all that
    changes it (rules file, 3.3, 3.13)."""
    return stats.stat_value(situation(tables, state, combatant), "speed") * _sprint(
        state, combatant
    )


def _sprint(state: Encounter, combatant: Combatant) -> int:
    """By how much a sprint multiplies the speed, in the turn in which it is made."""
    sprint = combatant.named(SPRINTING)
    in_its_turn = state.phase != "combat" or state.takes_turn(combatant.id)
    return sprint.amount if sprint is not None and in_its_turn else 1


FAILURE, SUCCESS = "failure", "success"
OUTCOMES = checks.OutcomeWords(
    dict.fromkeys((FAILURE, "fail", "failed"), FAILURE)
    | dict.fromkeys((SUCCESS, "succeed", "saved"), SUCCESS),
    "failure, success",
)
_FIELD = Field("outcome", ("success", "failure"))
OUTCOME = checks.die_arg(OUTCOMES, field=_FIELD)
"""The argument that says how a check or a saving throw came out."""
ATTACK_OUTCOMES = checks.OutcomeWords(
    {"miss": "miss", "hit": "hit", "crit": "crit", "critical": "crit", "fumble": "fumble"},
    "miss, hit, crit, fumble",
)
COVER = {"cover": "cover", "three-quarters-cover": "three_quarters_cover"}
"""The words for cover -> the table's key for its bonus (Cover)."""
TOTAL_COVER = "total-cover"


def cover_said(*covers: str) -> Argument:
    """The cover of the roller or target; of several only the best counts (4.1)."""
    alike = {"half-cover": "cover", "three-quarters": "three-quarters-cover"}
    return arguments.anywhere_choice_arg(
        *covers,
        alike=alike,
        joins=lambda *two: max(two, key=covers.index),
        field=Field("said", tuple(COVER)),
    )


# -- what is said of a roll ------------------------------------------------------------------------


def _read_expertise(reading: ParseState) -> tuple[int | str, ...]:
    if reading.words.has_number():
        return (reading.words.number("what the expertise die showed", 1, 20),)
    return (parse_dice_clause(reading.words, "the expertise die"),)


_EXPERTISE = arguments.keyword_arg("expertise", Argument(_read_expertise, "N"), add)


class RollModifiers(checks.RollModifiers, frozen=True):
    """The options of any roll: advantage, a bonus, the expertise die."""

    expertise: Annotated[tuple[int | str, ...], _EXPERTISE] = ()
    cover: str = ""  # of no roll but those in whose command it can be said


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


def cover_bonus(ctx: Context, cover: str) -> list[StatPart]:
    """The bonus of cover to AC, saving throws and checks to hide (rules file, 4.1)."""
    return [StatPart(int(ctx.tables.economy[COVER[cover]]), cover)] if cover else []


def said_parts(
    ctx: Context, combatant_id: str, die: DieInput, terms: RollModifiers
) -> list[StatPart]:
    """The bonus that was said, and the best of the expertise dice (rules file, 2.6)."""
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


CAN_RESIST = "failed save", "resist"
"""What is counted of who has legendary resistance from a failed save until the next command, in
which it can still become a success."""


class CheckRequest(checks.Check, frozen=True):
    """An ability check or a saving throw that is to be made.

    stat     its ability; empty for one that is tied to none, as a death save is
    skill    the skill of a check; a saving throw has none
    hides    whether it is a check to hide
    tags     what it is for, as help with a task is for that alone
    final    faces of the die that decide it, whatever the total, as those of a death save: 1, 20
    """

    modifiers: RollModifiers = RollModifiers()
    skill: str = ""
    save: bool = False
    hides: bool = False
    tags: tuple[str, ...] = ()
    final: Mapping[int, str] = {}

    numbers = NUMBERS
    one_die_if_cancelled = True  # (2.4)

    @property
    def label(self) -> str:
        """The name of the check in the log: "dex save", "wis (perception)"."""
        if self.name or self.save:
            return self.name or f"{self.stat} save".strip()
        return f"{self.stat} ({self.skill})" if self.skill else f"{self.stat} check".strip()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds by which rows of the tables name it: a Dexterity save is `save` and
        `dex-save`."""
        kind = "save" if self.save else "check"
        own = (f"{self.stat}-{kind}",) if self.stat else ()
        return (kind, *own, *(("hide",) if self.hides else ()))

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[StatPart]:
        """List the ability, the proficiency bonus if it is proficient, what is in force, cover, and
        what is said (rules file, 2.5, 2.6, 4.1). Raises Refused for cover that helps nothing."""
        who, cover = roller.who, self.modifiers.cover
        if cover and not (self.save or self.hides or self.skill == "stealth"):
            helps = "saving throws and to checks to hide, and to no other check"
            raise Refused(f"{cover} adds to {helps}")
        proficient = sheet.proficiencies_of(who, "saves" if self.save else "skills")
        what = self.stat if self.save else self.skill
        number = "hide" if self.hides else self.kinds[0]
        return [
            *([StatPart(who.number(self.stat), self.stat)] if self.stat else []),
            *([StatPart(proficient[what], "proficient")] if what in proficient else []),
            *stats.stat_parts(roller, number, self.tags, self.against),
            *cover_bonus(ctx, cover),
            *said_parts(ctx, who.id, self.die, self.modifiers),
        ]

    def reasons(self, ctx: Context, roller: CombatantSituation) -> tuple[list[str], list[str]]:
        """List what is said, what is in force, and the reasons of its own; under water checks of
        Dexterity are hard for who has no swim speed (14.1)."""
        has, lacks = (
            stats.own_roll_reasons(roller, side, self.kinds, self.against, self.tags)
            for side in stats.SIDES
        )
        free = self.save or self.stat != "dex" or roller.who.stats.get("swim")
        scene = [] if free or not world.is_on(ctx.state, world.UNDERWATER) else [world.UNDERWATER]
        pro = [*self.modifiers.pro, *has, *self.pro]
        return pro, [*self.modifiers.con, *lacks, *scene, *self.con]

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """The outcome for a die and a total; empty without a DC."""
        if natural in self.final or dc is None:
            return self.final.get(natural, "")
        return SUCCESS if total >= dc else FAILURE

    def follow(self, ctx: Context, rolled: Rolled) -> None:
        """Count a failed save that legendary resistance could change, and end effects used up."""
        if self.save and rolled.outcome == FAILURE and ctx.state[self.who].track(sheet.RESISTS):
            ctx.emit(UseCounted(self.who, *CAN_RESIST))
        super().follow(ctx, rolled)


class InitiativeCheck(checks.InitiativeCheck, frozen=True):
    """A d20 and `init` (1.6)."""

    numbers = NUMBERS


def rolls_of(events: Iterable[AnyEvent]) -> list[Rolled]:
    """List the dice among events, in the order in which they fell."""
    return [event for event in events if isinstance(event, Rolled)]


def forced_with(earlier: EarlierEntry, instead: Callable[[Rolled], str]) -> Forced:
    """Force the outcomes of an entry's rolls: `instead` gives another one for those that change.
    Attacks stand before the saves that these ask for, as commands have their dice."""
    rolls = [roll for roll in rolls_of(earlier.entry.events) if roll.outcome]
    rolls.sort(key=lambda roll: roll.outcome not in ATTACK_OUTCOMES.means)
    return checks.forced_by(replace(r, outcome=instead(r) or r.outcome) for r in rolls)


def is_proficient(combatant: Combatant, what: str, save: bool = False) -> bool:
    """Whether it is proficient in a skill, or in an ability's saving throws."""
    return what in sheet.proficiencies_of(combatant, "saves" if save else "skills")


# -- the command -----------------------------------------------------------------------------------


_A_SLIP = 0.88
"""How like a known skill another word is, at least, that is taken for a slip; some skills that the
text doesn't name are nearly as like."""


def _read_kind(reading: ParseState) -> str:
    tokens = reading.words
    own = (
        skill for who in reading.values["people"] for skill in sheet.proficiencies_of(who, "skills")
    )
    kinds = ("save", *sheet.SKILLS, *own)
    word = tokens.next("`save` or a skill").casefold()
    near = [] if word in kinds else close_matches(word, kinds, _A_SLIP)
    if near or not word.replace("-", "").replace(" ", "").isalpha():
        tokens.back()
        hint = f"; did you mean {near[0]}?" if near else ""
        raise tokens.refuse(f"expected `save`, a skill or an outcome, found {word!r}{hint}", kinds)
    return word


def _is_kind(reading: ParseState) -> bool:
    tokens = reading.words
    tokens.offered += ("save", *sheet.SKILLS) if tokens.done else ()
    stands = tokens.done or reading.is_over or tokens.has_number()
    return not (stands or checks.is_die_input(tokens, OUTCOMES))


_KIND = Argument(
    _read_kind,
    "[save|SKILL]",
    _is_kind,
    lambda r: "",
    field=Field("text", ("save-or-skill",), optional=True, asked=True),
)


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
        list[Combatant], arguments.combatants_arg("who makes the check", field=Field("self"))
    ]
    ability: Annotated[str, arguments.choice_arg("an ability", sheet.ABILITIES, "ABILITY")]
    kind: Annotated[str, _KIND]
    dice: Annotated[
        list[DieInput],
        checks.die_arg(OUTCOMES, of="people", field=_FIELD),
    ]
    terms: CoverModifiers
    dc: Annotated[int | None, checks.DC] = None
    task: Annotated[str, _TASK] = ""


def _helped_with(args: CheckArgs) -> tuple[str, ...]:
    """The task that a check is for, as whoever helps has called it. Raises Refused where nobody
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
        raise Refused("help with a task is for a check, not for a saving throw")
    tags = _helped_with(args)
    skill = "" if save else args.kind
    sentences = []
    for combatant, die in zip(args.people, args.dice, strict=True):
        check = CheckRequest(
            combatant.id,
            args.ability,
            die,
            args.dc,
            modifiers=args.terms,
            skill=skill,
            save=save,
            tags=tags,
        )
        outcome = check.make(ctx).outcome
        called = f"{check.label} check" if check.skill else check.label
        a = "an" if called[0] in "aeiou" else "a"
        sentences.append(f"{combatant.name} makes {a} {called}{f', {outcome}' if outcome else ''}")
    ctx.text = "; ".join(sentences)


VERBS = (declare_command("check", "makes an ability check or a saving throw", CheckArgs, _check),)
