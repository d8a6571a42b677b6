"""Ability checks: bonuses, advantage, outcomes, what a critical or a miss brings; of a group.

Monsters & Magic, Ability Checks, Advantage & Disadvantage, Difficulty Class, Effect Steps, Talents,
Group Checks, Concealment, Basic Techniques (Dodge).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import add
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.decide import command_name
from affray.core.engine.effects import effects_in_force
from affray.core.engine.events import AnyEvent, CostPaid, Rolled, TrackChanged
from affray.core.engine.history import EarlierEntry, earlier_entries
from affray.core.engine.state import Combatant, Duration, Effect
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, names_with_verb
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, format_signed
from affray.core.parser.prompt_fields import ANY_MORE, Field, group
from affray.core.rules.ruleset import Context, Ruleset
from affray.mechanics import checks, stats
from affray.mechanics.conditions import begin_effect
from affray.mechanics.rerolls import other_rolls
from affray.mechanics.stats import CombatantSituation, Reasons, StatPart
from affray.rulesets.monsters_and_magic import environment, sheet, stats as totals
from affray.rulesets.monsters_and_magic.bonds import reputation_with
from affray.rulesets.monsters_and_magic.sheet import Talent, talent_bonus, talents_of

Outcome = Literal["crit-miss", "miss", "weak", "strong", "crit"]
LADDER: tuple[Outcome, ...] = ("miss", "weak", "strong")
SAID: dict[str, Outcome] = {
    "miss": "miss",
    "weak": "weak",
    "strong": "strong",
    "crit": "crit",
    "critical": "crit",
    "crit-miss": "crit-miss",
    "fumble": "crit-miss",
}
OUTCOMES = checks.OutcomeWords(SAID, "miss, weak, strong, crit")
HITS: tuple[Outcome, ...] = ("weak", "strong", "crit")

_STEPS = arguments.number_arg("the effect steps, such as +1 or -1", -4, 4)
_BOND = arguments.number_arg("the bond", -99, 99)
_GROUP = arguments.text_arg("the name of the group", usage="GROUP", field=ANY_MORE)


class CheckModifiers(checks.RollModifiers, frozen=True):
    """The options of a check: advantage, bonuses, DC, steps."""

    bond: Annotated[int, arguments.keyword_arg("bond", _BOND, add)] = 0
    dc: Annotated[int | None, replace(checks.DC, field=ANY_MORE)] = None
    step: Annotated[int, arguments.keyword_arg("step", _STEPS)] = 0
    prepared: arguments.Flag = False
    reputation: Annotated[str, arguments.keyword_arg("reputation", _GROUP)] = ""


def outcome_of(natural: int, total: int, dc: int | None) -> Outcome:
    """The outcome of a check, without effect steps (Monsters & Magic, Ability Checks, Difficulty
    Class).

    A natural 20 or 1 is critical whatever the total. A DC takes the place of the 10; above 18,
    matching it is weak and beating it strong.
    """
    if natural in (1, 20):
        return "crit" if natural == 20 else "crit-miss"
    weak = 10 if dc is None else dc
    strong = 18 if weak <= 18 else weak + 1
    return "strong" if total >= strong else "weak" if total >= weak else "miss"


def stepped(outcome: Outcome, step: int) -> Outcome:
    """An outcome moved along miss, weak, strong (Monsters & Magic, Effect Steps).

    Steps never make a critical. A critical hit stepped down is strong first, a critical miss
    stepped up a miss first.
    """
    if step == 0 or (outcome == "crit" and step > 0) or (outcome == "crit-miss" and step < 0):
        return outcome
    if outcome == "crit":
        outcome, step = "strong", step + 1
    elif outcome == "crit-miss":
        outcome, step = "miss", step - 1
    return LADDER[min(2, max(0, LADDER.index(outcome) + step))]


class CheckRequest(checks.Check, frozen=True):
    """One check with an ability.

    stat         the ability
    more         the roller's bonuses besides it
    tags         its kinds of roll besides `check`: `attack`, `save`
    is_rewarded  True if a critical brings a thread, and a miss XP
    """

    modifiers: CheckModifiers = CheckModifiers()
    tags: tuple[str, ...] = ()
    is_rewarded: bool = True

    numbers = totals.NUMBERS
    hint = ", or say which it is: `adv` or `dis`"

    @property
    def kind(self) -> str:
        """The total that counts in it: `attack` or `check`."""
        return "attack" if "attack" in self.tags else "check"

    @property
    def step(self) -> int:
        """The effect steps in the command."""
        return self.modifiers.step

    def parts(self, ctx: Context, roller: CombatantSituation) -> list[StatPart]:
        """List the bonuses of the roller, the situation, forwards and the command."""
        who, group = roller.who, self.modifiers.reputation
        own = StatPart(
            sheet.ability(who, self.stat), self.stat.upper() if who.kind == "pc" else "CR"
        )
        scopes = [*totals.scopes_of(self._scopes)]
        return [
            own,
            *self.more,
            *stats.stat_parts(roller, self.kind, scopes, self.against),
            *map(totals.forward_part, self._forwards(who)),
            *self.modifiers.parts,
            StatPart(self.modifiers.bond, "bond"),
            StatPart(reputation_with(who, group), f"reputation with {group}"),
        ]

    @property
    def _scopes(self) -> tuple[str, ...]:
        return ("check", self.stat, *self.tags)

    def _forwards(self, who: Combatant) -> list[Effect]:
        """The forwards that it uses up, and `prepared` if the command says so."""
        return totals.fitting(who, self._scopes, self.modifiers.prepared)

    def reasons(self, ctx: Context, roller: CombatantSituation) -> Reasons:
        """List its own reasons and the command's."""
        return [*self.pro, *self.modifiers.pro], [*self.con, *self.modifiers.con]

    def target_number(self, ctx: Context) -> int | None:
        """The given DC."""
        return self.modifiers.dc

    def note(self, ctx: Context) -> str:
        """The effect steps, in words."""
        return f"{format_signed(self.step)} step" if self.step else ""

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """The outcome, before its effect steps."""
        return outcome_of(natural, total, dc)

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Move an outcome along by the effect steps."""
        return stepped(SAID[outcome], self.step) if outcome else ""

    def follow(self, ctx: Context, rolled: Rolled) -> None:
        """End effects used up, and reward a character's critical or miss."""
        who = ctx.state[self.who]
        totals.use_up(ctx, who.id, self.kind, self._forwards(who), self._scopes)
        if self.is_rewarded and who.kind == "pc":
            is_critical = self.die.outcome in ("crit", "crit-miss") or rolled.natural in (1, 20)
            _reward(ctx, who.id, SAID[rolled.outcome], is_critical)

    def make(self, ctx: Context) -> Rolled:
        """Make it, prepared if the command says so. Raises Refused for somebody who is not
        prepared."""
        if self.modifiers.prepared and ctx.state[self.who].named(totals.PREPARED) is None:
            # spend a held preparation, which counts for one roll (Rest & Recovery, Prepare)
            combatant = ctx.state[self.who]
            if not combatant.track(totals.PREPARED):
                raise Refused(f"{combatant.name} is not prepared")
            totals.spend_charges(ctx, combatant, totals.PREPARED, 1)
            begin_effect(ctx, combatant.id, totals.PREPARED, Duration("use"))
        return super().make(ctx)

    def come_out(self, ctx: Context) -> Outcome:
        """Make it, and give its outcome."""
        return SAID[self.make(ctx).outcome]


class InitiativeCheck(CheckRequest, frozen=True):
    """A plain total with cunning, without effect steps."""

    stat: str = "cunning"
    name: str = "initiative"
    tags: tuple[str, ...] = ("initiative",)
    is_rewarded: bool = False

    hint = ""  # nothing can be said of it

    def reasons(self, ctx: Context, roller: CombatantSituation) -> Reasons:
        """List the reasons for advantage on such a roll."""
        return stats.own_roll_reasons(roller, "advantage", ("initiative",)), []

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """No outcome: the total alone matters."""
        return ""


_XP = {
    "miss": ("xp_for_a_miss", "a miss"),
    "crit-miss": ("xp_for_a_critical_miss", "a critical miss"),
}
"""The outcomes that bring XP: the table's field with the amount, and the reason in words."""


def _reward(ctx: Context, combatant_id: str, outcome: Outcome, is_critical: bool) -> None:
    """A character's critical brings a thread to them and to the GM; misses bring XP.

    Monsters & Magic, Ability Checks (the table), Threads of Fate.
    """
    roller = ctx.state[combatant_id]
    if is_critical and roller.room("threads") > 0:
        ctx.emit(TrackChanged(combatant_id, "threads", 1, why="a critical"))
    if is_critical:
        ctx.emit(TrackChanged("", "threads", 1, why=f"{roller.name}'s critical"))
    if outcome in _XP:
        amount, why = _XP[outcome]
        ctx.emit(TrackChanged(combatant_id, "xp", ctx.tables.economy[amount], why=why))


# -- the command -----------------------------------------------------------------------------------


PLAIN_TALENT = "talent"
"""The name of a talent that is not on the sheet."""


def _read_talent(reading: ParseState) -> str:
    """Read the talent that helps, by its name if it is on the sheet of one of them."""
    tokens, people = reading.words, reading.values["people"]
    choices = [name for who in people for name in talents_of(who)]
    if tokens.done:
        tokens.offered += choices
    if hyphenate(tokens.peek()) not in choices:
        return tokens.take(*choices) or PLAIN_TALENT
    return hyphenate(tokens.next("the talent"))


_TALENT = Argument(
    _read_talent,
    "talent [TALENT]",
    keywords=("talent",),
    joins=lambda earlier, now: now,
    field=ANY_MORE,
)
_LOOKED_FOR = arguments.keyword_arg("of", arguments.combatant_arg("the combatant to look for"))


class _AgainstDC(CheckModifiers, frozen=True):
    """The options of a check, with the DC as a field of the prompt."""

    dc: Annotated[int | None, checks.DC] = None


class CheckArgs(Struct, frozen=True):
    """The arguments of `check`; a talent adds PB and its increases, with expertise twice. `more` is
    added by those who ask for it."""

    people: Annotated[
        list[Combatant], arguments.combatants_arg("the combatants who make the check")
    ]
    ability: Annotated[str, arguments.choice_arg("an ability", sheet.ABILITIES, "ABILITY")]
    dice: Annotated[list[DieInput], checks.die_arg(OUTCOMES, "people")]
    save: arguments.Flag = False
    talent: Annotated[str, _TALENT] = ""
    expertise: arguments.Flag = False
    sight: arguments.Flag = False
    of: Annotated[Combatant | None, _LOOKED_FOR] = None
    concealed: arguments.Flag = False
    terms: Annotated[CheckModifiers, arguments.keyword_args(_AgainstDC)] = _AgainstDC()
    more: tuple[StatPart, ...] = ()


def _check(ctx: Context, args: CheckArgs) -> None:
    outcomes = make_checks(ctx, args)
    what = f"{args.ability} {'saving throw' if args.save else 'check'}"
    text = names_with_verb(args.people, f"makes a {what}", f"make {what}s")
    ctx.text = f"{text}, {', '.join(outcomes)}"


def make_checks(ctx: Context, args: CheckArgs) -> list[Outcome]:
    """Make the check of each, and return the outcomes."""
    if args.save and (args.talent or args.expertise):
        raise Refused("a talent helps with skill checks, not with saving throws")
    outcomes = []
    for combatant, die in zip(args.people, args.dice, strict=True):
        seen = _seen(ctx, combatant, args)
        blinded = args.sight and "blinded" in effects_in_force(ctx, combatant)
        if blinded or seen in environment.UNSEEN:
            die = DieInput("miss", final=True)
        if args.save:
            check = saving_throw(ctx, combatant, args.ability, die, args.terms)
        else:
            check = CheckRequest(
                combatant.id, args.ability, die, modifiers=args.terms, name="check"
            )
        dim = environment.concealment(ctx, args.concealed, seen)
        more = (_talent_part(combatant, args), dim, *args.more)
        outcomes.append(replace(check, more=more).come_out(ctx))
    return outcomes


def saving_throw(
    ctx: Context,
    combatant: Combatant,
    name: str,
    die: DieInput,
    terms: CheckModifiers,
    against: str = "",
) -> CheckRequest:
    """The saving throw that a rule asks for, with that ability: with cunning a Dodge helps."""
    dodges = name == "cunning" and combatant.named("dodging") is not None
    return CheckRequest(
        combatant.id,
        name,
        die,
        against=against,
        modifiers=terms,
        name="saving throw",
        pro=("dodging",) if dodges and totals.can_dodge(ctx, combatant) else (),
        tags=("save",),
    )


def _seen(ctx: Context, combatant: Combatant, args: CheckArgs) -> str:
    """The concealment of the thing that a check looks for; empty for a check without sight."""
    if args.of is not None:
        return environment.look_at(ctx, combatant, args.of)
    return environment.by_light(ctx, combatant, None) if args.sight else ""


def _talent_part(combatant: Combatant, args: CheckArgs) -> StatPart:
    own = talents_of(combatant).get(args.talent, Talent(args.talent or PLAIN_TALENT))
    helps = combatant.kind == "pc" and (args.talent or args.expertise)
    return StatPart(talent_bonus(combatant, own, args.expertise) if helps else 0, own.name)


# -- of a group ------------------------------------------------------------------------------------

GROUP_CHECK = "group check"


def group_outcome(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome of a group's checks together: miss, weak or strong.

    A critical counts twice, each strong hit takes away a miss, and the most frequent result
    decides; of equally many the lowest.

    >>> group_outcome(["strong", "weak", "weak", "crit-miss"])
    'weak'
    """
    strong = outcomes.count("strong") + 2 * outcomes.count("crit")
    missed = outcomes.count("miss") + 2 * outcomes.count("crit-miss")
    counts = {"miss": max(0, missed - strong), "weak": outcomes.count("weak"), "strong": strong}
    return max(LADDER, key=lambda outcome: counts[outcome])  # the first of equals is the lowest


_OF_A_GROUP = group(
    Field("targets", ("several",)),
    Field("choice", sheet.ABILITIES),
    Field("outcome", ("each",)),
    Field("number", optional=True, before="dc"),
)


class GroupCheckArgs(Struct, frozen=True):
    """The arguments of `group-check`: those of `check`, once for each different check."""

    checks: Annotated[
        list[CheckArgs],
        arguments.repeated_arg(
            CheckArgs,
            "NAME[,NAME] ABILITY OUTCOME [WORDS] [NAME[,NAME] ABILITY OUTCOME ...]",
            field=_OF_A_GROUP,
        ),
    ]


def _group_check(ctx: Context, args: GroupCheckArgs) -> None:
    outcome = make_group_check(ctx, args.checks)
    people = [combatant for each in args.checks for combatant in each.people]
    ctx.text = f"{names_with_verb(people, 'makes', 'make')} a group check, {outcome}"


def make_group_check(ctx: Context, words: Sequence[CheckArgs]) -> Outcome:
    """Make the checks of all, log the outcome of the group behind them, and return it."""
    people = [combatant for each in words for combatant in each.people]
    if twice := [combatant.name for combatant in people if people.count(combatant) > 1]:
        raise Refused(f"{twice[0]} is named twice: each makes one check")
    if any(each.save for each in words):
        raise Refused("a group makes no `save`: each makes their own saving throw")
    outcomes = [outcome for each in words for outcome in make_checks(ctx, each)]
    outcome = group_outcome(outcomes)
    text = f"{', '.join(outcomes)} of {join_names(people)}"
    ctx.emit(Rolled("", "", for_=GROUP_CHECK, outcome=outcome, why=text))
    return outcome


COMMANDS = (
    declare_command("check", "makes an ability check", CheckArgs, _check),
    declare_command(
        "group-check",
        "everybody makes a check, and together they get one result",
        GroupCheckArgs,
        _group_check,
    ),
)


# -------------------------------------------------------------------------------------------------
# The check that was just made: found in the log, with what threads of fate have made of it since.
#
# Monsters & Magic, Threads of Fate.

BENDING = ("thread", "gm-thread")
"""The commands that bend a check in place of making one."""
ASIDE = ("set", "note")
"""Commands entered by the way: a check before them is still the one just made."""


class LastCheck(Struct, frozen=True):
    """The last check, with its changes since then.

    origin  the entry that made it
    checks  all checks of that entry, as first made
    stand   all checks now, after threads that changed some
    place   its index among them
    beside  the other dice that affray rolled for them
    paid    the threads that characters have already spent on them
    """

    origin: EarlierEntry
    checks: tuple[Rolled, ...]
    stand: tuple[Rolled, ...]
    place: int
    beside: tuple[Rolled, ...]
    paid: tuple[CostPaid, ...]

    @property
    def roll(self) -> Rolled:
        """The original roll."""
        return self.checks[self.place]

    @property
    def now(self) -> Rolled:
        """The present roll."""
        return self.stand[self.place]


def just_made(
    last: EarlierEntry | None, ruleset: Ruleset, combatant_id: str = ""
) -> LastCheck | None:
    """Find the check that was just made, behind threads that have bent it and what was entered by
    the way; None where the last command made none.

    Of several that were made at once it is the last that was made by `combatant_id` or against
    them.
    """
    bends: tuple[Rolled, ...] = ()
    beside: tuple[Rolled, ...] = ()
    paid: tuple[CostPaid, ...] = ()
    for entry in earlier_entries(last):
        events = entry.entry.events
        beside = (*other_rolls(events), *beside)
        given = command_name(entry.entry, ruleset)
        if given in BENDING:
            bends = (*checks_of(events)[-1:], *bends)
            paid = (*paid, *threads_spent(events))
        elif given not in ASIDE:
            rolls = checks_of(events)
            if not rolls:
                return None
            return LastCheck(
                entry,
                rolls,
                _with_changes(rolls, bends),
                _place_of(rolls, combatant_id),
                beside,
                paid,
            )
    return None


def _with_changes(rolls: tuple[Rolled, ...], bends: Iterable[Rolled]) -> tuple[Rolled, ...]:
    """The checks after these changes, the earliest first. A change replaces the check between the
    same two; a luck roll, the check that concerns whoever made it."""
    stand = list(rolls)
    for bend in bends:
        same = [place for place, check in enumerate(rolls) if parties(check) == parties(bend)]
        stand[same[-1] if same else _place_of(rolls, bend.who)] = bend
    return tuple(stand)


def _place_of(rolls: tuple[Rolled, ...], combatant_id: str) -> int:
    """The place of the last check by or against `combatant_id`; without one, of the last of all."""
    places = [place for place, check in enumerate(rolls) if combatant_id in parties(check)]
    return places[-1] if places else len(rolls) - 1


def parties(check: Rolled) -> tuple[str, str]:
    """The ids of the roller and the target of a check."""
    return check.who, check.against


def checks_of(events: Iterable[AnyEvent]) -> tuple[Rolled, ...]:
    """The checks among events that somebody made; a group's common outcome is none."""
    return tuple(e for e in events if isinstance(e, Rolled) and e.outcome and e.who)


def threads_spent(events: Iterable[AnyEvent]) -> tuple[CostPaid, ...]:
    """The threads that characters have spent, and not the GM."""
    return tuple(e for e in events if isinstance(e, CostPaid) and e.who and e.track == "threads")
