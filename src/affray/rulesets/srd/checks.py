"""Ability checks and saving throws of games on the SRD, and the words for how they come out.

A game subclasses `CheckRequest` with its numbers, and hands that in (`rules.SrdRules.check`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

from msgspec.structs import replace

from affray.core.dice import DieInput, Forced
from affray.core.engine.effects import effect_name
from affray.core.engine.events import AnyEvent, Rolled, UseCounted
from affray.core.engine.history import EarlierEntry
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState
from affray.core.parser.errors import Refused, close_matches
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, NumberPart
from affray.core.rules.tables import Tables
from affray.mechanics import checks, stats
from affray.mechanics.stats import CombatantSituation, Reasons, StatPart
from affray.rulesets.srd import sheet

# -- how rolls are called out ----------------------------------------------------------------------

FAILURE, SUCCESS = "failure", "success"
OUTCOMES = checks.OutcomeWords(
    dict.fromkeys((FAILURE, "fail", "failed"), FAILURE)
    | dict.fromkeys((SUCCESS, "succeed", "saved"), SUCCESS),
    "failure, success",
)
OUTCOME_FIELD = Field("outcome", ("success", "failure"))
OUTCOME = checks.die_arg(OUTCOMES, field=OUTCOME_FIELD)
"""The argument that says how a check or a saving throw came out."""
Outcome = Annotated[DieInput, OUTCOME]
ATTACK_OUTCOMES = checks.OutcomeWords(
    {"miss": "miss", "hit": "hit", "crit": "crit", "critical": "crit", "fumble": "fumble"},
    "miss, hit, crit, fumble",
)
COVER = {"cover": "cover", "three-quarters-cover": "three_quarters_cover"}
"""The words for cover -> the table's key for its bonus (Cover)."""
TOTAL_COVER = "total-cover"


class Numbers(stats.StatNumbers, extends=True):
    """The numbers of a combatant; `why` of a roll names what gives it advantage or disadvantage.

    Attributes:
        rolls: The totals that belong to rolls.
    """

    rolls: tuple[str, ...] = ()

    def explain(
        self, tables: Tables, state: Encounter, combatant: Combatant, total: str
    ) -> list[NumberPart]:
        parts = super().explain(tables, state, combatant, total)
        if total not in self.rolls:
            return parts
        situation = stats.situation(self.stats, tables, state, combatant)
        for side in stats.SIDES:
            kinds = self.stats.rows[total].kinds or (total,)
            for name in stats.own_roll_reasons(situation, side, kinds):
                parts.append(NumberPart(side, effect_name(tables, name), situation.force.get(name)))
        return parts


def cover_said(*covers: str) -> Argument:
    """The cover of the roller or target; of several only the best counts."""
    alike = {"half-cover": "cover", "three-quarters": "three-quarters-cover"}
    return arguments.anywhere_choice_arg(
        *covers,
        alike=alike,
        joins=lambda *two: max(two, key=covers.index),
        field=Field("said", tuple(COVER)),
    )


def cover_bonus(ctx: Context, cover: str) -> list[StatPart]:
    """The bonus of cover to AC, saving throws and other rolls that a game lets it help."""
    return [StatPart(int(ctx.tables.economy[COVER[cover]]), cover)] if cover else []


# -- checks and saves ------------------------------------------------------------------------------

CAN_RESIST = "failed save", "resist"
"""The use counted for somebody with legendary resistance from a failed save until the next command,
in which it can still become a success."""


class RollModifiers(checks.RollModifiers, frozen=True):
    """The options of any roll; a game adds its own words."""

    cover: str = ""  # only of rolls whose command has a word for it


class CheckRequest(checks.Check, frozen=True):
    """An ability check or a saving throw to make.

    stat     its ability; empty for one that is tied to none, as a death save is
    skill    the skill of a check; a saving throw has none
    hides    True if it is a check to hide
    purpose  what it is for, as help with a task is for that alone
    final    faces of the die that decide it, whatever the total, as those of a death save: 1, 20
    """

    modifiers: RollModifiers = RollModifiers()
    skill: str = ""
    save: bool = False
    hides: bool = False
    purpose: tuple[str, ...] = ()
    final: Mapping[int, str] = {}

    @property
    def label(self) -> str:
        """The name of the check in the log: "dex save", "wis (perception)"."""
        return self._called(self.stat)

    @property
    def in_full(self) -> str:
        """The name of the check with its ability in full: "dexterity save"."""
        return self._called(sheet.ABILITY_NAMES.get(self.stat, self.stat))

    def _called(self, stat: str) -> str:
        if self.name or self.save:
            return self.name or f"{stat} save".strip()
        return f"{stat} ({self.skill})" if self.skill else f"{stat} check".strip()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds by which rows of the tables name it: a Dexterity save is `save` and
        `dex-save`."""
        kind = "save" if self.save else "check"
        own = (f"{self.stat}-{kind}",) if self.stat else ()
        return (kind, *own, *(("hide",) if self.hides else ()))

    @property
    def tags(self) -> tuple[str, ...]:
        """The purpose, for help that is with one thing alone."""
        return self.purpose

    def cover_helps(self) -> str:
        """Name what cover adds to, where this is no such roll; empty if it is one."""
        return ""

    def proficiency(self, roller: Combatant) -> list[StatPart]:
        """List the proficiency bonus, where the roller is proficient."""
        what = self.stat if self.save else self.skill
        trained = sheet.proficiencies_of(roller, "saves" if self.save else "skills")
        return [StatPart(trained[what], "proficient")] if what in trained else []

    def said_parts(self, ctx: Context) -> list[StatPart]:
        """List the bonuses that the command says."""
        return self.modifiers.parts

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[StatPart]:
        """List the ability, the proficiency bonus if any, active effects, cover, and bonuses in the
        command. Raises Refused for cover that helps nothing."""
        who, cover = roller.who, self.modifiers.cover
        if cover and (helps := self.cover_helps()):
            raise Refused(f"{cover} adds to {helps}")
        number = "hide" if self.hides else self.kinds[0]
        return [
            *([StatPart(who.number(self.stat), self.stat)] if self.stat else []),
            *self.proficiency(who),
            *self.more,
            *stats.stat_parts(roller, number, self.tags, self.against),
            *cover_bonus(ctx, cover),
            *self.said_parts(ctx),
        ]

    def scene_reasons(self, ctx: Context, roller: CombatantSituation) -> list[str]:
        """List why the surroundings or the command make it hard."""
        return []

    def reasons(self, ctx: Context, roller: CombatantSituation) -> Reasons:
        """List the command's reasons, those in force, and its own."""
        has, lacks = (
            stats.own_roll_reasons(roller, side, self.kinds, self.against, self.tags)
            for side in stats.SIDES
        )
        pro = [*self.modifiers.pro, *has, *self.pro]
        return pro, [*self.modifiers.con, *lacks, *self.scene_reasons(ctx, roller), *self.con]

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
    """True if it is proficient in a skill, or in an ability's saving throws."""
    return what in sheet.proficiencies_of(combatant, "saves" if save else "skills")


# -- the command -----------------------------------------------------------------------------------

_A_SLIP = 0.88
"""How like a known skill another word is, at least, that is taken for a slip; some skills that the
text doesn't name are nearly as like."""


def save_or_skill_arg(skills: tuple[str, ...]) -> Argument:
    """Declare `save`, or a skill; any word unlike the known ones may be one."""

    def read(reading: ParseState) -> str:
        tokens = reading.words
        people: list[Combatant] = reading.values["people"]
        own = (skill for who in people for skill in sheet.proficiencies_of(who, "skills"))
        kinds = ("save", *skills, *own)
        word = tokens.next("`save` or a skill").casefold()
        near = [] if word in kinds else close_matches(word, kinds, _A_SLIP)
        if near or not word.replace("-", "").replace(" ", "").isalpha():
            tokens.back()
            hint = f"; did you mean {near[0]}?" if near else ""
            raise tokens.refuse(
                f"expected `save`, a skill or an outcome, found {word!r}{hint}", kinds
            )
        return word

    def stands(reading: ParseState) -> bool:
        tokens = reading.words
        tokens.offered += ("save", *skills) if tokens.done else ()
        is_other = tokens.done or reading.is_over or tokens.has_number()
        return not (is_other or checks.is_die_input(tokens, OUTCOMES))

    field = Field("text", ("save-or-skill",), optional=True, asked=True)
    return Argument(read, "[save|SKILL]", stands, lambda r: "", field=field)


def check_each(
    ctx: Context, check: CheckRequest, people: Iterable[Combatant], dice: Iterable[DieInput]
) -> None:
    """Make a check for each of these combatants with the die of each, and say how it went."""
    sentences = []
    for combatant, die in zip(people, dice, strict=True):
        outcome = replace(check, who=combatant.id, die=die).make(ctx).outcome
        called = f"{check.in_full} check" if check.skill else check.in_full
        a = "an" if called[0] in "aeiou" else "a"
        sentences.append(f"{combatant.name} makes {a} {called}{f', {outcome}' if outcome else ''}")
    ctx.text = "; ".join(sentences)
