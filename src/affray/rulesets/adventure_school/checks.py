"""Adventure School: tests of skill and saves: how they are called out, rolled and made again.

Start with `CheckRequest`. The commands `check`, `save`, `reroll` and `assist` are here.

Adventure School, Test of Skill, Save, Attack, Critical Threat Range, Advantage, Reroll, Take 10,
Effort, Tools, Assist, Charm.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.notes_and_clocks import EFFORT_RACE, add_effort
from affray.core.dice import Dice, DicePool, DieInput, parse_dice
from affray.core.engine.decide import command_name
from affray.core.engine.effects import effect_row, effects_in_force
from affray.core.engine.events import AnyEvent, NoteAdded, Rolled
from affray.core.engine.evolve import evolve_all
from affray.core.engine.history import EarlierEntry, earlier_entries
from affray.core.engine.state import Clock, Combatant, Duration
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context
from affray.mechanics import actions, checks, stats
from affray.mechanics.actions import DeclaredTechnique
from affray.mechanics.conditions import begin_effect
from affray.mechanics.stats import CombatantSituation, Reasons, StatPart
from affray.rulesets.adventure_school import action_economy, sheet, stats as totals
from affray.rulesets.adventure_school.resources import gain_diminish

# -------------------------------------------------------------------------------------------------
# Rolls: how they are called out and come out.

MISS, HIT, CRIT, CRIT_MISS = "miss", "hit", "crit", "crit-miss"
PASS, FAIL, CRIT_FAIL = "pass", "fail", "crit-fail"
HITS, PASSES = (HIT, CRIT), (PASS, CRIT)
_CRITICAL = {CRIT: CRIT, "critical": CRIT}
_SAVED = {PASS: PASS, "success": PASS, FAIL: FAIL, "failure": FAIL}
ATTACK_OUTCOMES = checks.OutcomeWords(
    {MISS: MISS, HIT: HIT, **_CRITICAL, CRIT_MISS: CRIT_MISS}, "miss, hit, crit, crit-miss"
)
OUTCOMES = checks.OutcomeWords(
    {**_SAVED, **_CRITICAL, CRIT_FAIL: CRIT_FAIL}, "pass, fail, crit, crit-fail"
)


def attack_outcome(of: str = "") -> Argument:
    """Declare the outcome of a roll to hit; `of` names the field of the targets, with a roll
    each."""
    return checks.die_arg(ATTACK_OUTCOMES, of, may_lack=checks.is_rolled_for)


OUTCOME_FIELD = Field("outcome", ("pass", "fail", "crit", "crit-fail"))


def outcome(of: str = "", field: Field = OUTCOME_FIELD) -> Argument:
    """Declare the outcome of a test, contest or save; `of` names the field of those with a roll
    each."""
    return checks.die_arg(OUTCOMES, of, field=field)


Outcome = Annotated[DieInput, outcome()]


def _read_dc(reading: ParseState) -> int:
    from_easy_on = ("5", "10", "15", "20", "25", "30", "35") if reading.words.done else ()
    reading.words.offered += from_easy_on
    return reading.words.number("the DC", 1, 99)


DC = arguments.keyword_arg(
    "dc", Argument(_read_dc, "N", field=ANY_MORE), field=Field("number", before="dc")
)
"""The DC of a roll; prompts offer those that the text suggests."""
DIMINISH = arguments.keyword_arg("diminish", arguments.number_arg("the number of levels", 1, 99))
"""The argument of a roll with a diminish ability: the levels that come if it works."""


# -- how they come out -----------------------------------------------------------------------------


def comes_out(natural: int, total: int, dc: int | None, threat: int) -> str:
    """The outcome of a test or save: pass, fail, crit, crit-fail; empty if nobody knows the DC.

    A 20 is critical and a 1 critically fails, whatever the total (ruling 1). A die within `threat`
    of 20 is critical as well, if the total confirms it.
    """
    if natural in (1, 20):
        return CRIT if natural == 20 else CRIT_FAIL
    if dc is None:
        return ""
    if total < dc:
        return FAIL
    return CRIT if natural >= 20 - threat else PASS


_ATTACK_WORDS = {PASS: HIT, FAIL: MISS, CRIT_FAIL: CRIT_MISS}


def hits(natural: int, total: int, armor_class: int, threat: int) -> str:
    """The outcome of a roll to hit: miss, hit, crit or crit-miss."""
    found = comes_out(natural, total, armor_class, threat)
    return _ATTACK_WORDS.get(found, found)


class D20Check(checks.Check, frozen=True):
    """A roll of a d20; the GM decides the complication of a critical failure."""

    numbers = totals.NUMBERS
    one_die_if_cancelled = False

    @property
    def asks(self) -> str:
        """The question where it critically fails."""
        return "which complication?"

    def follow(self, ctx: Context, rolled: Rolled) -> None:
        """Ask for the complication, and end effects used up."""
        if rolled.outcome in (CRIT_MISS, CRIT_FAIL):
            ctx.emit(NoteAdded(f"{self.asks} ({self.label})", self.who, aside=True))
        super().follow(ctx, rolled)


class InitiativeCheck(checks.InitiativeCheck, frozen=True):
    """A d20 and `init`."""

    numbers = totals.NUMBERS


def twice(dice: str) -> Dice:
    """Twice the dice, and fixed numbers once: 1d12+3 becomes 2d12+3."""
    terms = parse_dice(dice).terms
    return Dice(
        tuple(replace(t, count=2 * t.count) if isinstance(t, DicePool) else t for t in terms)
    )


# -- the last roll made again ----------------------------------------------------------------------

REROLL = "reroll"
_BETTER = {CRIT_MISS: 0, CRIT_FAIL: 0, MISS: 1, FAIL: 1, HIT: 2, PASS: 2, CRIT: 3}
"""The outcomes from the worst to the best, for whoever rolled."""


_ANEW = Argument(
    lambda r: checks.parse_die(r.words, checks.OutcomeWords({}), "the die"),
    "natural N[,M]|roll",
    field=Field("die", ("20",)),
)


class RerollArgs(Struct, frozen=True):
    """`reroll natural N[,M]|roll`."""

    die: Annotated[DieInput, _ANEW]


def _reroll(ctx: Context, args: RerollArgs) -> None:
    origin, first, old = _last_roll(ctx)
    dice = ctx.dice_of(old.who, old.for_, old.against)
    faces = args.die.faces or tuple(dice.die(20) for _ in range(2 if old.lean else 1))
    beside = (e for e in origin.entry.events if isinstance(e, Rolled) and e is not first)
    rolls = [event for event in beside if not event.by_hand and event.faces]  # by the program
    decision = checks.redecide_roll(ctx, origin, first, faces, rolled=rolls)
    new = _roll_in(decision.events) if decision is not None else None
    if decision is None or new is None:
        raise Refused("the last roll can't be made again: it has no outcome of its own")
    new = replace(new, why=", ".join(filter(None, (new.why, "rerolled"))))
    if _worth(new) <= _worth(old):
        ctx.emit(new, replace(old, why="the first roll stands"))
        ctx.text = f"Rerolled: {new.outcome or new.total}; {old.outcome or old.total} stands"
        return
    ctx.emit(new, *checks.other_rolls(decision.events)[len(rolls) :])
    stands = evolve_all(origin.before, origin.entry.events)
    if old.faces != first.faces:  # of a reroll since
        before = checks.redecide_roll(ctx, origin, first, old.faces, rolled=rolls)
        stands = before.state if before is not None else stands
    checks.emit_difference(ctx, stands, decision.state, "rerolled")
    ctx.text = f"Rerolled: {new.outcome or new.total}"


def _last_roll(ctx: Context) -> tuple[EarlierEntry, Rolled, Rolled]:
    """The last command except notes and rerolls, with its first roll and the current one. Raises
    Refused if it made none."""
    stands: Rolled | None = None
    for entry in earlier_entries(ctx.previous):
        found = _roll_in(entry.entry.events)
        stands = stands or found
        is_note = all(isinstance(event, NoteAdded) for event in entry.entry.events)
        if is_note or command_name(entry.entry, ctx.ruleset) == REROLL:
            continue
        if found is None or stands is None:
            break
        return entry, found, stands
    raise Refused("the last command made no roll to make again")


def _roll_in(events: tuple[AnyEvent, ...]) -> Rolled | None:
    """The last roll of a d20 among some events; of one that was called no face is known."""
    rolled = [event for event in events if isinstance(event, Rolled)]
    d20s = [e for e in rolled if e.natural is not None or (e.outcome and not e.faces)]
    return d20s[-1] if d20s else None


def _worth(roll: Rolled) -> tuple[int, int]:
    """The rank of a roll for its maker: by its outcome, then by its total."""
    return _BETTER.get(roll.outcome, 1), roll.total or 0


ROLLS_COMMANDS = (
    declare_command(
        REROLL, "makes the last roll again; the better result stands", RerollArgs, _reroll
    ),
)

SOCIAL, REFLEX = "social", "reflex"
ASSISTED, HIDDEN = "assisted", "hidden"
CONTESTED = ("trip", "grab", "push", "pull")
"""What tests and saves can be against, besides types of damage and combatants: `vs-grab` in
rows."""


def _known_skills(reading: ParseState) -> list[str]:
    own = (combatant.stats.get("skills") for combatant in reading.words.state.combatants)
    named = reading.ctx.tables.economy["skills"]
    return [*named, *(name for row in own if isinstance(row, dict) for name in row)]


SKILLS = (
    "strength", "agility", "endurance", "roguery", "tumbling", "seeking", "thievery", "spellcraft",
    "alchemy", "artifice", "poisons", "monster-lore", "performance",
)  # fmt: skip
SKILL = arguments.choice_arg("a skill", _known_skills, "SKILL")
"""A skill of the text or the sheet; if optional, it comes before the die."""
ASKED_SKILL = replace(SKILL, field=Field("choice", SKILLS))
"""The same where a prompt asks for it: those that the text names are offered."""


def better_of(combatant: Combatant, *skills: str) -> str:
    """The skill with the largest number on somebody's sheet; of equal ones the first."""
    return max(skills, key=lambda skill: sheet.skill_of(combatant, skill))


# -- a test or a save ------------------------------------------------------------------------------


class TestModifiers(checks.RollModifiers, frozen=True):
    """The options of a test; `diminish`: the levels that such an ability adds."""

    sight: arguments.Flag = False
    social: arguments.Flag = False
    diminish: Annotated[int, DIMINISH] = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of check that these words make it, as modifiers name them: `sight`."""
        return tuple(word for word in ("sight", SOCIAL) if getattr(self, word))


class CheckRequest(D20Check, frozen=True):
    """A test of skill or a save to make.

    stat         the skill; of a save `health` or `social`
    kind         check or save, in the words of rows
    extra_kinds  its other names in rows: `reflex`, `vs-fire`, `vs-grab`
    taken        True if the 10 of it was taken, and never rolled
    """

    modifiers: checks.RollModifiers = TestModifiers()
    kind: str = "check"
    extra_kinds: tuple[str, ...] = ()
    taken: bool = False

    @property
    def label(self) -> str:
        """The name of the check in the log: "seeking", "health save", "reflex save"."""
        if self.kind == "check":
            return self.stat
        return f"{REFLEX if REFLEX in self.extra_kinds else self.stat} save"

    @property
    def asks(self) -> str:
        """The question where it critically fails."""
        twice = "twice as bad, or " if self.kind == "save" else ""
        return f"{twice}which complication?"

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds under which rows know it; for a test also its skill, for bonuses on that skill
        alone."""
        words = self.modifiers.kinds if isinstance(self.modifiers, TestModifiers) else ()
        return (self.kind, self.stat, *self.extra_kinds, *words)

    @property
    def diminish(self) -> int:
        """The levels that come if it works; 0 if it is by no diminish ability."""
        return self.modifiers.diminish if isinstance(self.modifiers, TestModifiers) else 0

    def number(self, combatant: Combatant) -> int:
        """The number on the sheet for it; of a reflex save that for health, unless it has one."""
        if self.kind == "check":
            return sheet.skill_of(combatant, self.stat)
        own = combatant.number(self.stat)
        return combatant.number(REFLEX, own) if REFLEX in self.extra_kinds else own

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[StatPart]:
        """List the number on the sheet, effects in force, the command's bonus, and the levels of
        diminish for such an ability."""
        parts = [StatPart(self.number(roller.who), self.label)]
        for total in (self.kind, *([REFLEX] if REFLEX in self.extra_kinds else [])):
            parts += stats.stat_parts(roller, total, against=self.against)
        parts += stats.stat_parts(roller, "diminish") if self.diminish else []
        return [*parts, *self.more, *self.modifiers.parts]

    def reasons(self, ctx: Context, roller: CombatantSituation) -> Reasons:
        """List the reasons on both sides; charm and hiding are between the two."""
        pro, con = super().reasons(ctx, roller)
        other = ctx.state.find(self.against)
        if other is not None and self.kind == "check":
            pro += self._advantage_against(ctx, other)
        if other is not None and REFLEX in self.extra_kinds:
            con += [HIDDEN] if HIDDEN in effects_in_force(ctx, other) else []
        return pro, con

    def _advantage_against(self, ctx: Context, other: Combatant) -> list[str]:
        """The reasons for advantage by effects on the other, such as a charm."""
        effects = (e for e in other.effects if stats.applies_to_roll(e, against=self.who))
        when = ((e.name, effect_row(ctx.tables, e.name).suffers.get("advantage")) for e in effects)
        return [f"{other.name} is {name}" for name, kind in when if kind in self.kinds]

    def note(self, ctx: Context) -> str:
        """Tell that the 10 was taken."""
        return "took 10" if self.taken else ""

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """The outcome; a 10 in place of a roll threatens no critical."""
        return comes_out(natural, total, dc, 0 if self.taken else totals.threat(roller))

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Replace the outcome if it is certain: a reflex save that fails, a test with a critical
        assistance."""
        if REFLEX in self.extra_kinds and stats.forbidding_effects(
            roller.tables, roller.force, REFLEX
        ):
            return FAIL
        return CRIT if not self.taken and self.is_assured(roller.who) else outcome

    def is_assured(self, combatant: Combatant) -> bool:
        """True if assistance makes the test critical."""
        helps = any(e.note == self.stat and e.amount for e in combatant.all_named(ASSISTED))
        return helps and self.kind == "check"

    def follow(self, ctx: Context, rolled: Rolled) -> None:
        """End effects used up; success with a diminish ability brings its levels."""
        super().follow(ctx, rolled)
        if rolled.outcome in PASSES:
            gain_diminish(ctx, self.who, self.diminish)


TAKE_10 = "take-10"


def _read_die(reading: ParseState) -> DieInput | None:
    taken = reading.words.take(TAKE_10)
    return None if taken else checks.parse_die(reading.words, OUTCOMES)


_AMOUNT = arguments.damage_arg("AMOUNT", "the effort", field=Field("number"))


class EffortTarget(Struct, frozen=True):
    """`"CLOCK" [AMOUNT] [tools]`: the race that a test's effort goes toward."""

    race: Annotated[Clock, EFFORT_RACE]
    amount: Annotated[int | str | None, _AMOUNT] = None
    tools: arguments.Heard = False


_AGAINST = arguments.keyword_arg("vs", arguments.combatant_arg("the opponents"))
_EFFORT = arguments.keyword_arg("effort", arguments.struct_arg(EffortTarget))


class CheckArgs(Struct, frozen=True):
    """`check NAME SKILL OUTCOME|take-10 ...`; the die is None for a 10 that is taken."""

    who: Annotated[
        Combatant, arguments.combatant_arg("the combatant who makes the test", field=Field("self"))
    ]
    skill: Annotated[str, ASKED_SKILL]
    die: Annotated[
        DieInput | None,
        Argument(_read_die, f"OUTCOME|{TAKE_10}", field=OUTCOME_FIELD),
    ]
    terms: Annotated[TestModifiers, arguments.keyword_args(TestModifiers)]
    dc: Annotated[int | None, DC] = None
    vs: Annotated[Combatant | None, _AGAINST] = None
    action: arguments.Flag = False
    toward: Annotated[EffortTarget | None, _EFFORT] = None


def _check(ctx: Context, args: CheckArgs) -> None:
    combatant, taken = args.who, args.die is None
    die = args.die or DieInput(faces=(10,))
    if args.toward is not None and args.dc is None and not die.outcome:
        raise Refused("effort needs to know how the test came out: say the outcome, or `dc N`")
    if args.action:
        actions.pay(action_economy.ECONOMY, ctx, combatant.id, "act")
    against = args.vs.id if args.vs is not None else ""
    check = CheckRequest(combatant.id, args.skill, die, args.dc, against, args.terms, taken=taken)
    rolled = check.make(ctx)
    ctx.text = f"{combatant.name} tests {args.skill}: {rolled.outcome or rolled.total}"
    if args.toward is not None:
        _work(ctx, combatant.id, args.toward, rolled.outcome)


def _work(ctx: Context, combatant_id: str, toward: EffortTarget, outcome: str) -> None:
    """Effort toward a race by a passed test, and against a group's race by a failed one: as called
    out, or by the given or usual dice, twice as many on a critical."""
    passed = outcome in PASSES
    if not (passed or toward.race.limit):
        return
    usual = str(ctx.tables.economy["effort_with_tools" if toward.tools else "effort"])
    amount = usual if toward.amount is None else toward.amount
    if isinstance(amount, str):
        dice = twice(amount) if outcome == CRIT else amount
        amount = max(0, checks.roll_extra_dice(ctx, combatant_id, dice, "effort"))
    add_effort(ctx, toward.race, passed, amount)
    ctx.text += f", {amount} effort {'toward' if passed else 'against'} {toward.race.name}"


def _read_versus(reading: ParseState) -> str | Combatant:
    tokens = reading.words
    if tokens.is_combatant():
        return tokens.combatant("the opponents")
    row = (*reading.ctx.tables.damage_types, *CONTESTED)
    return tokens.choice("a type of damage, trip, grab, push, pull or a combatant", row)


_VERSUS = arguments.keyword_arg(
    "vs", Argument(_read_versus, "TYPE|trip|grab|push|pull|NAME", field=ANY_MORE)
)


class SaveArgs(Struct, frozen=True, kw_only=True):
    """`save NAME[,NAME] health|social [reflex] OUTCOME ...`."""

    people: Annotated[
        list[Combatant], arguments.combatants_arg("the combatant who saves", field=Field("self"))
    ]
    save: Annotated[str, arguments.choice_arg("the save", sheet.SAVES)]
    dice: Annotated[list[DieInput], outcome("people")]
    reflex: arguments.Heard = False
    terms: Annotated[checks.RollModifiers, arguments.keyword_args(checks.RollModifiers)]
    dc: Annotated[int | None, DC] = None
    vs: Annotated[str | Combatant, _VERSUS] = ""


def _save(ctx: Context, args: SaveArgs) -> None:
    kinds = (REFLEX,) if args.reflex else ()
    against = "" if isinstance(args.vs, str) else args.vs.id
    if args.vs and not against:
        kinds = (*kinds, f"vs-{args.vs}")
    sentences = []
    for combatant, die in zip(args.people, args.dice, strict=True):
        who, dc = combatant.id, args.dc
        save = CheckRequest(
            who, args.save, die, dc, against, args.terms, kind="save", extra_kinds=kinds
        )
        rolled = save.make(ctx)
        sentences.append(f"{combatant.name} makes a {save.label}: {rolled.outcome or rolled.total}")
    ctx.text = "; ".join(sentences)


class AssistArgs(Struct, frozen=True):
    """`assist NAME SKILL OUTCOME`."""

    ally: Annotated[
        Combatant, arguments.combatant_arg("the combatant to assist", field=Field("ally"))
    ]
    skill: Annotated[str, ASKED_SKILL]
    die: Annotated[DieInput, outcome()]
    terms: Annotated[TestModifiers, arguments.keyword_args(TestModifiers)]


def assist(ctx: Context, args: AssistArgs, combatant: Combatant, pay: actions.PayFunction) -> None:
    """A test of the same skill: the ally's next one has advantage, or is critical."""
    ally, skill = args.ally, args.skill
    actions.require_other_target(combatant, ally, "assist")
    if skill in ctx.tables.economy["trained"] and skill not in combatant.stats:
        raise Refused(f"{combatant.name} has not learned {skill}, so can't assist with it")
    pay()
    dc = int(ctx.tables.economy["assist"])
    check = CheckRequest(combatant.id, skill, args.die, dc, ally.id, args.terms)
    outcome = check.make(ctx).outcome
    if outcome in PASSES:
        more: dict[str, Any] = {
            "note": skill,
            "advantage": (skill,),
            "amount": int(outcome == CRIT),
        }
        begin_effect(ctx, ally.id, ASSISTED, Duration("use"), source=combatant.id, **more)
    ctx.text = f"{combatant.name} assists {ally.name} with {skill}: {outcome}"


ACTS = {"assist": DeclaredTechnique(AssistArgs, assist)}
CHECKS_COMMANDS = (
    declare_command(
        "check", "makes a test of skill, which may count toward a race", CheckArgs, _check
    ),
    declare_command("save", "makes saves", SaveArgs, _save),
)

COMMANDS = (*ROLLS_COMMANDS, *CHECKS_COMMANDS)
