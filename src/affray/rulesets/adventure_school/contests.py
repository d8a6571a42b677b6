"""Adventure School: contests of skill, one test against the tests of others; hiding and ambushes.

In the log the one who begins a contest rolls last, and that roll has the outcome: pass or fail.
Where the players of others are still to roll, the contest waits for them (`left_to_players`), and
is made then (`settle` in `owed`).

Adventure School, Contest of Skill, Hide, Seek, Ambush, Concealment; rulings 1 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple, cast

from msgspec import Struct, convert, json, to_builtins
from msgspec.structs import asdict, replace

from affray.core.dice import DieInput
from affray.core.engine import durations
from affray.core.engine.effects import (
    EffectSpec,
    effects_in_force,
    end_effects_named,
)
from affray.core.engine.events import UseCounted
from affray.core.engine.state import Combatant, Effect
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, parse_faces
from affray.core.parser.declarations import Argument, ParseState, declare_command, read_within
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, Field, group
from affray.core.parser.targets import present_combatants
from affray.core.rules.ruleset import Context
from affray.mechanics.actions import DeclaredTechnique, PayFunction, require_other_target
from affray.mechanics.checks import RollModifiers
from affray.mechanics.conditions import replace_effect
from affray.mechanics.saves import CONTEST, LATER, THREATENED, die_of, kind_of, owe
from affray.mechanics.stats import CombatantSituation
from affray.rulesets.adventure_school import checks, conditions, stats

STRENGTH = "strength"
"""What contests go by if neither the text nor the command names a skill (ruling 10)."""

# -- what is said of theirs ------------------------------------------------------------------------


class PlayersRoll(Struct, frozen=True, omit_defaults=True):
    """A player's roll in a contest that has waited for it."""

    die: DieInput
    terms: RollModifiers = RollModifiers()


class OpponentArgs(Struct, frozen=True, omit_defaults=True):
    """The opponents' side of a contest: their skill and dice.

    dice   one for all, or one for each in the order of joining; empty to roll
    total  what the highest of them came to, if that is said in place of dice
    later  True if players' dice are waited for
    rolls  the rolls that have been waited for, by whose they are
    """

    skill: str = ""
    dice: tuple[DieInput, ...] = ()
    total: int | None = None
    terms: RollModifiers = RollModifiers()
    later: bool = False
    rolls: dict[str, PlayersRoll] = {}


_HOW = ("natural", "total", "roll", LATER)


def _read_theirs(reading: ParseState) -> OpponentArgs:
    tokens = reading.words
    named = checks.SKILL.stands(reading) or not (tokens.done or tokens.peek() in _HOW)
    skill = checks.SKILL.read(reading) if named else ""
    how = tokens.choice("the rolls", _HOW)
    if how == "total":
        return OpponentArgs(skill, total=tokens.number("the totals", -99, 99))
    count = 1
    while tokens.peek(2 * count - 1) == "natural":  # one is said for each roll
        count += 1
    dice = (
        [DieInput(faces=faces) for faces in parse_faces(tokens, count)] if how == "natural" else []
    )
    return OpponentArgs(
        skill, tuple(dice), terms=read_within(RollModifiers, reading), later=how == LATER
    )


THEIRS = arguments.keyword_arg(
    "vs",
    Argument(_read_theirs, "[SKILL] natural N[,M]|total N|roll|later", field=ANY_MORE),
    field=Field("die", optional=True, before="vs"),
)
"""The argument for the opponents' rolls in a contest."""


# -- the contest -----------------------------------------------------------------------------------


class ContestResult(NamedTuple):
    """The end of a contest: True if the one who began it won, and the ids of those beaten."""

    won: bool
    beaten: tuple[str, ...]


class _TestResult(NamedTuple):
    """Somebody's test in a contest: its total, the number on the sheet, and the die that counts,
    with the threat; None if only the total is known."""

    total: int
    number: int
    natural: int | None = None
    threat: int = 0

    def beats(self, other: _TestResult) -> bool:
        """True if it wins: by critical, then by total, then by the larger number (rulings 1 and
        5)."""
        mine = (self._rank(other.total), self.total, self.number)
        return mine > (other._rank(self.total), other.total, other.number)

    def _rank(self, against: int) -> int:
        """A critical wins against any that is none; a natural 1 loses to all but another. A threat
        is critical if its total reaches the other's."""
        if self.natural is None:
            return 1
        outcome = checks.comes_out(self.natural, self.total, against, self.threat)
        return {checks.CRIT: 2, checks.CRIT_FAIL: 0}.get(outcome, 1)


def contest(
    ctx: Context,
    mine: checks.CheckRequest,
    rivals: Sequence[checks.CheckRequest],
    theirs: OpponentArgs | None,
    all_of: bool = False,
) -> ContestResult:
    """Make a contest of skill. `rivals` are the tests against it, by the skills that they have
    unless `theirs` names others; for the verdict one of them has to be beaten, or `all_of` them. A
    called outcome is the verdict, and nobody else rolls. Without called rolls of theirs, players'
    dice are waited for: raises Waits."""
    if mine.die.outcome:
        passed = mine.die.outcome in checks.PASSES
        return _as_called(ctx, mine, passed, [rival.who for rival in rivals if passed])
    theirs = theirs or OpponentArgs(later=True)
    if theirs.later:
        unknown = [ctx.state[rival.who] for rival in rivals if rival.who not in theirs.rolls]
        if waits := [each for each in unknown if die_of(ctx, each, mine.who) is None]:
            raise Waits(waits)
    called = {who: roll.die.outcome for who, roll in theirs.rolls.items() if roll.die.outcome}
    lost = [who for who, outcome in called.items() if outcome not in checks.PASSES]
    rivals = [rival for rival in rivals if rival.who not in called]
    if called and (not rivals or (all_of and len(lost) < len(called))):
        passed = len(lost) == len(called) if all_of else bool(lost)
        return _as_called(ctx, mine, passed, lost)
    rival_results = _roll_theirs(ctx, rivals, theirs)
    combatant = ctx.state[mine.who]
    own = _TestResult(0, mine.number(combatant), 20 if mine.is_assured(combatant) else None)
    own = own._replace(threat=stats.threat(stats.situation_of(ctx, combatant)))
    decisive = max if all_of else min
    dc = decisive(rival.total for rival in rival_results) if rival_results else None
    check = ContestCheck(
        **asdict(mine) | {"dc": dc}, own=own, rivals=tuple(rival_results), all_of=all_of
    )
    rolled = check.make(ctx)
    beaten = zip(rivals, check.beats(rolled.natural or 0, rolled.total or 0), strict=False)
    won = rolled.outcome == checks.PASS or (bool(lost) and not all_of)
    return ContestResult(won, (*lost, *(rival.who for rival, is_beaten in beaten if is_beaten)))


def _as_called(
    ctx: Context, mine: checks.CheckRequest, passed: bool, beaten: Sequence[str]
) -> ContestResult:
    """The end of a contest with a called verdict."""
    replace(mine, die=DieInput(checks.PASS if passed else checks.FAIL, final=True)).make(ctx)
    return ContestResult(passed, tuple(beaten))


class ContestCheck(checks.CheckRequest, frozen=True, kw_only=True):
    """The test of the one who began a contest, which passes if it beats the others'.

    own     what is known of it before its die: the number on the sheet, the threat, and a 20 where
            it is critical whatever falls
    rivals  the tests of the others
    all_of  True if all of them have to be beaten, and not just one
    """

    own: _TestResult
    rivals: tuple[_TestResult, ...]
    all_of: bool

    def beats(self, natural: int, total: int) -> list[bool]:
        """List, for each of the others, True if it beats that one."""
        own = self.own._replace(total=total, natural=self.own.natural or natural)
        return [own.beats(other) for other in self.rivals]

    def outcome(self, roller: CombatantSituation, natural: int, total: int, dc: int | None) -> str:
        """The verdict."""
        return (
            checks.PASS
            if (all if self.all_of else any)(self.beats(natural, total))
            else checks.FAIL
        )

    def bend(self, ctx: Context, roller: CombatantSituation, outcome: str) -> str:
        """Leave the outcome unchanged: a certain critical is already in it."""
        return outcome


def _roll_theirs(
    ctx: Context, rivals: Sequence[checks.CheckRequest], theirs: OpponentArgs
) -> list[_TestResult]:
    """The results of the opponents' rolls. Raises Refused if there are fewer dice than rolls."""
    rivals = [replace(r, stat=theirs.skill or r.stat, modifiers=theirs.terms) for r in rivals]
    rolls = theirs.rolls
    rivals = [replace(r, modifiers=rolls[r.who].terms) if r.who in rolls else r for r in rivals]
    numbers = [rival.number(ctx.state[rival.who]) for rival in rivals]
    if theirs.total is not None:
        return [_TestResult(theirs.total, number) for number in numbers or [0]]
    dice = theirs.dice or (DieInput(),)
    if len(dice) not in (1, len(rivals)):
        raise Refused(f"expected one `natural` for all, or one for each of {len(rivals)} rolls")
    results = []
    for rival, die, number in zip(rivals, dice * len(rivals), numbers, strict=False):
        threat = stats.threat(stats.situation_of(ctx, ctx.state[rival.who]))
        rolled = replace(rival, die=rolls[rival.who].die if rival.who in rolls else die).make(ctx)
        natural = 20 if rolled.outcome == checks.CRIT else rolled.natural
        results.append(_TestResult(rolled.total or 0, number, natural, threat))
    return results


# -- waiting for players ---------------------------------------------------------------------------


class Waits(Exception):  # noqa: N818
    """A contest that is to be made when the players of these have rolled."""

    def __init__(self, people: Sequence[Combatant]) -> None:
        super().__init__()
        self.people = people


class AskedContest(Struct, frozen=True, omit_defaults=True):
    """A contest that waits for players' dice.

    act     the technique by which it was begun
    people  the combatants among its arguments, by field
    others  its other arguments
    rolls   the rolls that have been made, by whose they are
    number  tells it from others alike that one has begun and that wait too
    """

    act: str
    people: dict[str, str]
    others: dict[str, Any]
    rolls: dict[str, PlayersRoll] = {}
    number: int = 0

    def args(self, ctx: Context, args_type: type[Struct]) -> Any:
        """Return the arguments of the technique, with the rolls that are known now."""
        people = {name: ctx.state[who] for name, who in self.people.items()}
        found = convert(self.others | people, type=args_type)
        words = cast("ContestModifiers", getattr(found, "words", None))
        theirs = words.theirs or OpponentArgs()
        rolls = theirs.rolls | self.rolls  # of those who rolled before others had to, too
        theirs = replace(theirs, later=True, rolls=rolls)
        return replace(found, words=replace(words, theirs=theirs))


_OF = {"escape": "an escape", "hide": "hiding", "seek": "seeking", "distract": "a distraction"}
"""The names of contests' purposes, except `a trip` and others of that form."""
_TRIES = {"hide": "hide from", "tumble": "tumble past"}


def left_to_players(name: str, act: DeclaredTechnique) -> DeclaredTechnique:
    """Make a technique whose contest waits, once it is paid, where players are still to roll."""

    def begin(ctx: Context, args: Any, combatant: Combatant, pay: PayFunction) -> None:
        try:
            act.run(ctx, args, combatant, pay)
        except Waits as waits:
            given = {field: getattr(args, field) for field in args.__struct_fields__}
            people = {f: value.id for f, value in given.items() if isinstance(value, Combatant)}
            others = {f: to_builtins(value) for f, value in given.items() if f not in people}
            number = _next_number(ctx, combatant.id)
            cause = json.encode(AskedContest(name, people, others, number=number)).decode()
            for each in waits.people:
                of = _OF.get(name, f"a {name}")
                owe(ctx, each.id, combatant.id, of, cause=cause, kind=CONTEST)
            does = _TRIES.get(name, name)
            ctx.text = f"{combatant.name} tries to {does} {join_names(waits.people)}"

    return replace(act, run=begin)


def contest_of(owed: Effect) -> AskedContest:
    """The contest for which a roll is owed."""
    return json.decode(owed.because, type=AskedContest)


def _next_number(ctx: Context, combatant_id: str) -> int:
    """The number of a new contest of somebody's, unused by waiting ones."""
    waiting = (
        contest_of(effect).number
        for bearer in ctx.state.bearers(THREATENED)
        for effect in bearer.all_named(THREATENED)
        if effect.source == combatant_id and kind_of(effect) == CONTEST
    )
    return max(waiting, default=-1) + 1


# -- one against one -------------------------------------------------------------------------------


class ContestModifiers(checks.TestModifiers, frozen=True):
    """The options of a contest."""

    theirs: Annotated[OpponentArgs | None, THEIRS] = None


class ContestSideArgs(Struct, frozen=True, kw_only=True):
    """`[SKILL] OUTCOME [THEIRS]`: one's own side of a contest."""

    skill: Annotated[str, checks.SKILL] = ""
    die: checks.Outcome
    words: Annotated[ContestModifiers, arguments.keyword_args(ContestModifiers)]


class ContestedActionArgs(ContestSideArgs, frozen=True):
    """`trip TARGET [SKILL] OUTCOME [THEIRS]`, and whatever else is such a contest."""

    target: Annotated[Combatant, arguments.combatant_arg("the targets", usage="TARGET")]


def struggle(ctx: Context, name: str, combatant: Combatant, args: ContestedActionArgs) -> bool:
    """True if somebody wins a contest with another, each by the best of the skills of its row, and
    where that says so the larger one at an advantage."""
    target, words, row = args.target, args.words, ctx.tables.economy["contests"][name]
    skill = args.skill or checks.better_of(combatant, *row["own"])
    mine = checks.CheckRequest(combatant.id, skill, args.die, against=target.id, modifiers=words)
    theirs = checks.better_of(target, *row["other"])
    kinds = (f"vs-{name}", *words.kinds)
    rival = checks.CheckRequest(target.id, theirs, against=combatant.id, extra_kinds=kinds)
    larger = stats.larger_by(combatant, target) if "larger" in row else 0
    mine = replace(mine, pro=("larger",) if larger > 0 else ())
    rival = replace(rival, pro=("larger",) if larger < 0 else ())
    return contest(ctx, mine, [rival], words.theirs).won


class ContestantArgs(Struct, frozen=True):
    """`NAME SKILL OUTCOME`: one of the two."""

    who: Annotated[
        Combatant,
        arguments.combatant_arg("the combatant who makes the test", field=Field("person")),
    ]
    skill: Annotated[str, checks.SKILL]
    die: checks.Outcome
    terms: Annotated[checks.TestModifiers, arguments.keyword_args(checks.TestModifiers)]


def _read_other(reading: ParseState) -> ContestantArgs:
    reading.words.choice("`vs` and an opponent", ("vs",))
    return read_within(ContestantArgs, reading)


_TEST = (Field("choice", checks.SKILLS), replace(checks.OUTCOME_FIELD, optional=False))
_OTHER = Argument(
    _read_other, "vs NAME SKILL OUTCOME", field=group(Field("anyone", before="vs"), *_TEST)
)


class ContestArgs(Struct, frozen=True):
    """`contest NAME SKILL OUTCOME vs NAME SKILL OUTCOME`."""

    one: Annotated[
        ContestantArgs, arguments.struct_arg(ContestantArgs, group(Field("self"), *_TEST))
    ]
    other: Annotated[ContestantArgs, _OTHER]


def _contest(ctx: Context, args: ContestArgs) -> None:
    one, other = args.one, args.other
    require_other_target(one.who, other.who, "contest with")
    called = other.die.outcome and not one.die.outcome
    die = (
        DieInput(checks.FAIL if other.die.outcome in checks.PASSES else checks.PASS)
        if called
        else one.die
    )
    mine = checks.CheckRequest(
        one.who.id, one.skill, die, against=other.who.id, modifiers=one.terms
    )
    mine = replace(mine, extra_kinds=other.terms.kinds)
    rival = checks.CheckRequest(
        other.who.id,
        other.skill,
        other.die,
        against=one.who.id,
        extra_kinds=one.terms.kinds,
    )
    won = contest(ctx, mine, [rival], OpponentArgs(dice=(other.die,), terms=other.terms)).won
    winner = one.who if won else other.who
    ctx.text = (
        f"{one.who.name} ({one.skill}) against {other.who.name} ({other.skill}): {winner.name} wins"
    )


COMMANDS = (
    declare_command("contest", "makes a test against somebody else's test", ContestArgs, _contest),
)


# -------------------------------------------------------------------------------------------------
# Hiding and ambushes. Counted for a fight: that a combatant was once not hidden in it, and that it
# had a turn.

ROGUERY, SEEKING = "roguery", "seeking"
CONCEALED, PARTLY, AMBUSHED = "concealed", "partially-concealed", "ambushed"
UNHIDDEN, TURN, FIGHT = "unhidden", "a turn", "fight"


def enemies(ctx: Context, combatant: Combatant) -> list[Combatant]:
    """The combatants of another side who aren't down."""
    return [
        other
        for other in present_combatants(ctx.state)
        if other.side not in (combatant.side, "world")
    ]


def is_hidden(ctx: Context, combatant: Combatant) -> bool:
    """True if somebody is hidden."""
    return checks.HIDDEN in effects_in_force(ctx, combatant)


# -- hide and seek ---------------------------------------------------------------------------------


class HideArgs(ContestSideArgs, frozen=True, kw_only=True):
    """`hide [SKILL] OUTCOME [THEIRS] [partial]`."""

    partial: arguments.Heard = False


def hide(ctx: Context, args: HideArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Roguery against the seeking of every enemy; it must beat the highest."""
    pay()
    force = effects_in_force(ctx, combatant)
    partly = args.partial or (PARTLY in force and CONCEALED not in force)
    con = ("partially concealed",) if partly else ()
    mine = checks.CheckRequest(
        combatant.id, args.skill or ROGUERY, args.die, modifiers=args.words, con=con
    )
    rivals = [checks.CheckRequest(other.id, SEEKING) for other in enemies(ctx, combatant)]
    won = contest(ctx, mine, rivals, args.words.theirs, all_of=True).won
    if won and not is_hidden(ctx, ctx.state[combatant.id]):
        conditions.apply_condition(ctx, combatant.id, EffectSpec(checks.HIDDEN))
    ctx.text = f"{combatant.name} {'hides' if won else 'tries to hide without success'}"


_SOUGHT = arguments.combatant_arg("the combatants to seek", field=Field("person", ("hidden",)))


class SeekArgs(ContestSideArgs, frozen=True):
    """`seek [NAME] [SKILL] OUTCOME [THEIRS]`."""

    target: Annotated[Combatant | None, _SOUGHT] = None


def seek(ctx: Context, args: SeekArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Seeking against the roguery of each hidden enemy, or of the one named."""
    target = args.target
    if target is not None and not is_hidden(ctx, target):
        raise Refused(f"{target.name} isn't hidden")
    pay()
    hidden = [target] if target else [e for e in enemies(ctx, combatant) if is_hidden(ctx, e)]
    mine = checks.CheckRequest(combatant.id, args.skill or SEEKING, args.die, modifiers=args.words)
    rivals = [checks.CheckRequest(other.id, ROGUERY, against=combatant.id) for other in hidden]
    found_ids = contest(ctx, mine, rivals, args.words.theirs).beaten
    for other in found_ids:
        reveal(ctx, other, f"found by {combatant.name}")
    outcome = (
        f"finds {join_names(ctx.state[other] for other in found_ids)}"
        if found_ids
        else "finds nobody"
    )
    ctx.text = f"{combatant.name} seeks and {outcome}"


# -- what ends it ----------------------------------------------------------------------------------


def reveal(ctx: Context, combatant_id: str, why: str) -> None:
    """End somebody's hiding, if any."""
    end_effects_named(ctx, combatant_id, checks.HIDDEN, why)


# -- ambush ----------------------------------------------------------------------------------------


def acts_against(ctx: Context, combatant_id: str, target: str, from_hiding: bool = False) -> None:
    """Apply an act against another, who is ambushed if nobody knew of the actor.

    That lasts until the ambusher's turn ends or the other's first one starts (ruling 11).
    `from_hiding` is True if the act began in hiding, even if its first part ended that.
    """
    actor, enemy = ctx.state[combatant_id], ctx.state[target]
    if not ((from_hiding or is_hidden(ctx, actor)) and _is_ambush(ctx, actor, enemy)):
        return
    ends = (
        durations.this_turn(ctx.state, combatant_id),
        durations.turn_edge(ctx.state, target, "start"),
    )
    until = min(ends, key=durations.end_positions(ctx.state))
    replace_effect(ctx, target, AMBUSHED, until, by_source=True, source=combatant_id)


def _is_ambush(ctx: Context, combatant: Combatant, enemy: Combatant) -> bool:
    on_guard = enemy.used(TURN, FIGHT) or enemy.side == combatant.side
    return ctx.state.in_combat and not (combatant.used(UNHIDDEN, FIGHT) or on_guard)


def on_turn_start(ctx: Context, combatant_id: str) -> None:
    """Count the first turn, with which an ambush ends."""
    if not ctx.state[combatant_id].used(TURN, FIGHT):
        ctx.emit(UseCounted(combatant_id, TURN, FIGHT))


def apply_invariants(ctx: Context, combatant_id: str) -> None:
    """Note that somebody who hides in the middle of a fight was seen in it."""
    now, before = ctx.state[combatant_id], ctx.before.find(combatant_id)
    if not ctx.before.in_combat or now.named(checks.HIDDEN) is None or now.used(UNHIDDEN, FIGHT):
        return
    if before is None or before.named(checks.HIDDEN) is None:
        ctx.emit(UseCounted(combatant_id, UNHIDDEN, FIGHT))


ACTS = {
    "hide": left_to_players("hide", DeclaredTechnique(HideArgs, hide)),
    "seek": left_to_players("seek", DeclaredTechnique(SeekArgs, seek)),
}
