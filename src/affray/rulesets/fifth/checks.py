"""5e: a combatant's numbers, checks and saving throws, initiative, and exhaustion.

SRD 5.2.1, The Order of Combat, D20 Tests, Speed, Exhaustion; SRD 5.1, Combat.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct

from affray.core.dice import DieInput
from affray.core.engine.effects import remove_effect
from affray.core.engine.events import CostPaid, Rolled
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import OWN_KINDS, Tables
from affray.mechanics import checks, stats
from affray.mechanics.sheet import stat_words
from affray.mechanics.stats import CombatantSituation, Reasons, StatPart, StatRule, StatRules
from affray.rulesets.fifth import experience
from affray.rulesets.fifth.sheet import SKILLS, is_2014, is_bloodied
from affray.rulesets.srd import checks as srd_checks
from affray.rulesets.srd.checks import COVER, FAILURE, OUTCOMES, SUCCESS, cover_said
from affray.rulesets.srd.sheet import ABILITIES

ROLLS = ("attack", "save", "check", "initiative", "test")
"""The rolls that can have advantage or disadvantage; `test` means all of them."""
EXHAUSTION = "exhaustion"
DICE_KIND = "modifier-dice"
"""The kind of effects whose dice are rolled with each roll that they change."""


# -- numbers ---------------------------------------------------------------------------------------


def exhaustion_of(situation: CombatantSituation) -> int:
    """The levels of exhaustion of somebody."""
    return situation.who.track(EXHAUSTION)


def _exhausted(situation: CombatantSituation, total: str, by: int = 2) -> list[StatPart]:
    """So much less for each level of exhaustion; by the rules of 2014 it gives disadvantage."""
    level = 0 if is_2014(situation.state) else exhaustion_of(situation)
    return [StatPart(-by * level, EXHAUSTION, of=EXHAUSTION)] if level else []


def _own_armor(situation: CombatantSituation, total: str) -> list[StatPart]:
    own = situation.who.number("ac", int(situation.tables.economy["armor_class"]))
    return [StatPart(own, "own AC", of="ac")]


def _own_speed(situation: CombatantSituation, total: str) -> list[StatPart]:
    return [*stats.own_number(situation, total), *_exhausted(situation, total, 5)]


def _bloodied(situation: CombatantSituation, total: str) -> list[StatPart]:
    counts = is_bloodied(situation.who) and not is_2014(situation.state)
    return [StatPart(1, "HP at half or less", of="hp")] if counts else []


NUMBERS = StatRules(
    {
        "attack": StatRule(_exhausted, kinds=("attack", "test")),
        "damage": StatRule(),
        "damage_taken": StatRule(),
        "check": StatRule(_exhausted, kinds=("check", "test")),
        "save": StatRule(_exhausted, kinds=("save", "test")),
        "initiative": StatRule(_exhausted, kinds=("initiative", "check", "test"), one_of=True),
        "ac": StatRule(_own_armor, least=0),
        "speed": StatRule(_own_speed, bent_by="speed", least=0),
        "bloodied": StatRule(_bloodied),
    },
    once=("condition", "trace", *OWN_KINDS),
    spent=("help",),
    counted=stats.stack_by_type,
)
situation = partial(stats.situation, NUMBERS)
situation_of = partial(stats.situation_in_command, NUMBERS)


class Numbers(srd_checks.Numbers):
    """The numbers that the situation changes."""

    rolls = ROLLS

    def totals(self, tables: Tables, state: Encounter, combatant: Combatant) -> dict[str, int]:
        """The situation's modifiers to rolls; AC and speed whole."""
        values = stats.stat_values(NUMBERS, tables, state, combatant)
        return values | {"speed": _slowed(state, combatant, values["speed"])}

    difficulty = staticmethod(experience.difficulty)


def _slowed(state: Encounter, combatant: Combatant, speed: int) -> int:
    """Half of a Speed, or none, by the levels of exhaustion of 2014, where the stunned can't move
    either."""
    if not is_2014(state):
        return speed
    level = combatant.track(EXHAUSTION)
    if level >= 5 or combatant.named("stunned") is not None:
        return 0
    return speed // 2 if level >= 2 else speed


def speed(tables: Tables, state: Encounter, combatant: Combatant) -> int:
    """The Speed after all changes; a Dash adds movement instead."""
    value = stats.stat_value(situation(tables, state, combatant), "speed")
    return _slowed(state, combatant, value)


def movement(tables: Tables, state: Encounter, combatant: Combatant) -> int:
    """Feet in this turn: the Speed, and as much again for each Dash."""
    return speed(tables, state, combatant) * (1 + len(combatant.all_named("dashing")))


# -- what is said of a roll ------------------------------------------------------------------------


class RollModifiers(srd_checks.RollModifiers, frozen=True):
    """The options of checks and saves.

    sight, hearing   what it needs; magical: whether what is saved against is magic
    out_of_sight     True if what frightens is out of sight
    inspired         True if inspiration is spent on it, by the rules of 2014
    """

    sight: arguments.Heard = False
    hearing: arguments.Flag = False
    magical: arguments.Flag = False
    out_of_sight: arguments.Flag = False
    inspired: arguments.Flag = False


class RollModifiersWithCover(RollModifiers, frozen=True):
    """The options of checks and saves, with the roller's cover."""

    cover: Annotated[str, cover_said(*COVER)] = ""


Modifiers = Annotated[RollModifiers, arguments.keyword_args(RollModifiers, is_asked=False)]
CoverModifiers = Annotated[
    RollModifiersWithCover, arguments.keyword_args(RollModifiersWithCover, is_asked=False)
]
AskedCoverModifiers = Annotated[
    RollModifiersWithCover, arguments.keyword_args(RollModifiersWithCover)
]


def dice_parts(
    ctx: Context, roller: CombatantSituation, die: DieInput, kinds: tuple[str, ...]
) -> list[StatPart]:
    """Roll the dice that effects add to a roll of these kinds, of one name once, and end those that
    it uses up. A total that was called has them already."""
    found: dict[str, StatPart] = {}
    for effect in roller.who.effects:
        if effect.kind == DICE_KIND and {*kinds, "test"} & {*effect.only_with}:
            name = effect.note or effect.name
            if name not in found and not die.outcome:
                amount = checks.roll_extra_dice(ctx, roller.who.id, effect.dice.lstrip("-"), name)
                sign = -1 if effect.dice.startswith("-") else 1
                found[name] = StatPart(sign * amount, name, effect=effect)
            if effect.until.ends == "use":
                remove_effect(ctx, roller.who.id, effect.id, "used")
    return list(found.values())


def spend_inspiration(ctx: Context, combatant_id: str) -> None:
    """Spend inspiration on a roll (2014). Raises Refused for somebody who has none."""
    combatant = ctx.state[combatant_id]
    if not is_2014(ctx.state):
        raise Refused("`inspired` is only for the rules of 2014; use `inspiration NAME natural N`")
    if not combatant.track("inspiration"):
        raise Refused(f"{combatant.name} has no inspiration")
    ctx.emit(CostPaid(combatant_id, "inspiration", 1, "inspired"))


# -- checks and saves ------------------------------------------------------------------------------


class CheckRequest(srd_checks.CheckRequest, frozen=True):
    """An ability check or a saving throw that is to be made."""

    modifiers: RollModifiers = RollModifiers()

    numbers = NUMBERS

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds by which rows of the tables name it."""
        return (*super().kinds, *(("death-save",) if self.final else ()), "test")

    @property
    def tags(self) -> tuple[str, ...]:
        """The purpose and the skill, for help that is with one of them alone."""
        return (*self.purpose, self.skill)

    def cover_helps(self) -> str:
        """Name the rolls that cover adds to, if this isn't one."""
        is_dexterity_save = self.save and self.stat == "dex"
        return "" if is_dexterity_save else "Dexterity saves, not to checks or other saves"

    def proficiency(self, roller: Combatant) -> list[StatPart]:
        """List the proficiency bonus, twice that with expertise."""
        if not self.save and self.skill in stat_words(roller, "expertise"):
            return [StatPart(2 * roller.number("pb"), "expertise")]
        return super().proficiency(roller)

    def said_parts(self, ctx: Context) -> list[StatPart]:
        """List the bonus in the command, and the dice of effects."""
        roller = situation_of(ctx, ctx.state[self.who])
        return [*self.modifiers.parts, *dice_parts(ctx, roller, self.die, self.kinds)]

    def reasons(self, ctx: Context, roller: CombatantSituation) -> Reasons:
        """List the command's reasons, those in force, and those of the rules."""
        pro, con = super().reasons(ctx, roller)
        who, words = roller.who, self.modifiers
        if words.out_of_sight:
            con = [name for name in con if name != "frightened"]
        if self.save and words.magical and who.stats.get("magic-resistance"):
            pro.append("magic resistance")
        if words.inspired:
            pro.append("inspired")
        level = exhaustion_of(roller) if is_2014(ctx.state) else 0
        if level >= (3 if self.save else 1):
            con.append(EXHAUSTION)
        return pro, con

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Let a save fail that a condition fails automatically, and a check that needs a lost
        sense."""
        what = self._fails(ctx, roller)
        if what and self.die.outcome == SUCCESS:
            raise Refused(f"{roller.who.name} is {what}, and fails by that")
        return FAILURE if what else outcome

    def _fails(self, ctx: Context, roller: CombatantSituation) -> str:
        tables, force = roller.tables, roller.force
        if self.save and self.stat:
            if roller.who.stats.get("object"):
                return "an object"
            failing = stats.forbidding_effects(tables, force, f"{self.stat}-save")
            return next(iter(failing), "")
        senses = {"see": self.modifiers.sight, "hear": self.modifiers.hearing}
        lost = (
            name
            for sense, needed in senses.items()
            if needed
            for name in stats.forbidding_effects(tables, force, sense)
        )
        return next(lost, "")

    def make(self, ctx: Context) -> Rolled:
        """Make the check, with inspiration if the command spends it."""
        if self.modifiers.inspired:
            spend_inspiration(ctx, self.who)
        return super().make(ctx)


def passive_perception(combatant: Combatant) -> int:
    """The passive Perception of somebody; 10 if the sheet has none."""
    return combatant.number("passive-perception", 10)


def initiative_of(combatant: Combatant) -> int:
    """The bonus to initiative: `init`, or Dexterity if the sheet has none."""
    return combatant.number("init", combatant.number("dex"))


class InitiativeCheck(checks.InitiativeCheck, frozen=True):
    """A d20 and `init`, which is a check."""

    numbers = NUMBERS

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds by which rows name it."""
        return ("initiative", "check", "dex-check", "test")

    own_bonus = staticmethod(initiative_of)

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[StatPart]:
        """List the sheet's bonus, the effects in force, and their dice."""
        return [*super().parts(ctx, roller), *dice_parts(ctx, roller, self.die, self.kinds)]

    def reasons(self, ctx: Context, roller: CombatantSituation) -> Reasons:
        """List the reasons; surprise and the like only by the rules of 2024."""
        pro, con = super().reasons(ctx, roller)
        if is_2014(ctx.state):
            pro = [name for name in pro if name not in ("invisible", "hidden")]
            helpless = stats.forbidding_effects(roller.tables, roller.force, "act")
            con = [name for name in con if name not in ("surprised", *helpless)]
            con += [EXHAUSTION] if exhaustion_of(roller) else []
        return pro, con

    def score(self, ctx: Context) -> int:
        """The initiative score in place of a roll: 10 and the bonus, 5 more or less."""
        roller = situation_of(ctx, ctx.state[self.who])
        pro, con = self.reasons(ctx, roller)
        lean = 5 * (bool(pro) - bool(con))
        static = [
            StatPart(self.own_bonus(roller.who), "own initiative"),
            *stats.stat_parts(roller, "initiative"),
        ]
        return 10 + stats.sum_parts(NUMBERS, static) + lean


# -- the command -----------------------------------------------------------------------------------


class CheckArgs(Struct, frozen=True):
    people: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants who make the check", field=Field("self")),
    ]
    ability: Annotated[str, arguments.choice_arg("an ability", ABILITIES, "ABILITY")]
    kind: Annotated[str, srd_checks.save_or_skill_arg(SKILLS)]
    dice: Annotated[
        list[DieInput], checks.die_arg(OUTCOMES, of="people", field=srd_checks.OUTCOME_FIELD)
    ]
    terms: CoverModifiers
    dc: Annotated[int | None, checks.DC] = None


def _check(ctx: Context, args: CheckArgs) -> None:
    save = args.kind == "save"
    check = CheckRequest(
        "",
        args.ability,
        dc=args.dc,
        modifiers=args.terms,
        skill="" if save else args.kind,
        save=save,
    )
    objects = [c.name for c in args.people if c.stats.get("object") and not save]
    if objects:
        raise Refused(f"{objects[0]} is an object, and makes no checks")
    srd_checks.check_each(ctx, check, args.people, args.dice)


COMMANDS = (
    declare_command("check", "makes an ability check or a saving throw", CheckArgs, _check),
)
