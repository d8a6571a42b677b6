"""Rests: the effects of the hours on everybody, and downtime activities.

A row of the tables says which rests have time for an activity, and what it heals, clears and
spends. Further answers and effects of an activity are here under its name.

Monsters & Magic, Rest & Recovery, Threads of Fate, Conditions & Statuses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.durations import count_down
from affray.core.engine.effects import remove_effect, why_cannot
from affray.core.engine.events import NoteAdded, StatChanged, TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Duration
from affray.core.parser import arguments, declarations
from affray.core.parser.clauses import join_names
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ANY_MORE, ASKED_ELSEWHERE
from affray.core.rules.ruleset import Context
from affray.mechanics import checks as shared_checks, rests
from affray.mechanics.conditions import begin_effect
from affray.mechanics.damage import require_hp
from affray.rulesets.monsters_and_magic import attacks, checks, damage, travel
from affray.rulesets.monsters_and_magic.checks import Outcome
from affray.rulesets.monsters_and_magic.conditions import clear_track, give_forward, is_hold
from affray.rulesets.monsters_and_magic.sheet import ABILITIES, GOLD
from affray.rulesets.monsters_and_magic.stats import EVERY, PREPARED

HOURS = {"short": 1, "long": 8, "extended": 12}
KINDS = tuple(HOURS)
MOST_ACTIVITIES = {"short": 2, "long": 2, "extended": 1}
SHORT_RESTS_IN_A_ROW = 3
BEGAN, BROKEN = "began", "broken"
ACTIVITY, EXTRA, ALONE = "activity", "extra activity", "prepared alone"
"""What is counted of everybody in the span of a rest: that its hours have passed, or what broke
it; activities, how many more there are, and who has prepared alone."""
MOST_TENDED = 2
"""The supplies that a short rest has time for."""
ALL = 99


def _span_of(kind: str) -> str:
    """The span in which the activities of a kind of rest are counted, until hours pass again."""
    return f"{kind} rest"


def _a_rest(kind: str) -> str:
    """`a short rest`, `an extended rest`."""
    return f"{'an' if kind == 'extended' else 'a'} {kind} rest"


TIME = rests.RestRules(
    ends=("turn", "round", "fight", "rest"),
    also=attacks.is_hiding,  # nobody hides from their company for hours
    forgets=("rest", *map(_span_of, KINDS)),
)
"""The tracks that the hours of every rest reset, even of a broken one."""
_EXTRA = arguments.number_arg("the extra activities", 0, 9)
_GIVEN = arguments.number_arg("the supplies given", 1, 999)


class HoursArgs(Struct, frozen=True):
    """The arguments of a rest's hours.

    sheltered  in comfort, with time for that many more activities
    supplies   the supplies from an inn or a host
    broken     True if strenuous activity of more than an hour interrupted it
    besides    who rests beside the party
    """

    sheltered: Annotated[int, arguments.keyword_arg("sheltered", _EXTRA)] = 0
    supplies: Annotated[int, arguments.keyword_arg("supplies", _GIVEN)] = 0
    broken: arguments.Flag = False
    besides: rests.Besides = []


def _kind_of(combatant: Combatant) -> str:
    """The kind of somebody's last rest. Raises Refused for none."""
    found = next((kind for kind in KINDS if combatant.used(BEGAN, _span_of(kind))), "")
    if not found:
        raise Refused(
            f"{combatant.name} has had no rest: `rest short`, `rest long` or `rest extended`"
        )
    return found


# -- the hours -------------------------------------------------------------------------------------


def _pass_hours(ctx: Context, kind: str, hours: HoursArgs) -> None:
    """Apply the hours of a rest to everybody. Raises Refused for a rest that can't be taken now."""
    if hours.broken:
        _break_off(ctx, kind, hours)
        return
    if kind == "short" and not hours.sheltered:
        travel.refuse_on_the_way(ctx)
    _count_short_rests(ctx, kind)
    resting = rests.taking_part(ctx, hours.besides)
    dying_yet = [combatant for combatant in resting if combatant.life == "dying"]
    # They roll long before an hour has passed (Death & Dying).
    first = "dying, with a luck roll every 6 seconds, `death NAME OUTCOME`, until stable or dead"
    ctx.emit(*(NoteAdded(first, combatant.id, aside=True) for combatant in dying_yet))
    for combatant in resting:
        rests.apply_rest(ctx, combatant.id, TIME, _a_rest(kind))
        if kind != "short":
            _after_hours(ctx, combatant.id, _a_rest(kind))
        rests.end_rest(ctx, combatant.id)
        ctx.emit(UseCounted(combatant.id, BEGAN, _span_of(kind)))
        ctx.emit(*[UseCounted(combatant.id, EXTRA, _span_of(kind))] * hours.sheltered)
    rests.reset_counters(ctx, resting, _a_rest(kind), is_long=kind != "short")
    if kind != "short":
        ctx.emit(TrackChanged("", "threads", 1, why=_a_rest(kind)))
    travel.spend(ctx, -hours.supplies, "the hosts give")
    lasts = "an hour" if HOURS[kind] == 1 else f"{HOURS[kind]} hours"
    ctx.text = f"{_a_rest(kind).capitalize()} of {lasts}{', sheltered' if hours.sheltered else ''}"


def _count_short_rests(ctx: Context, kind: str) -> None:
    """Raises Refused for more short rests in a row than there may be."""
    taken = ctx.state.gm("short_rests")
    if kind == "short":
        if taken >= SHORT_RESTS_IN_A_ROW:
            raise Refused("no more than 3 short rests in a row: take a long rest")
        ctx.emit(TrackChanged("", "short_rests", 1, routine=True))
    elif taken:
        ctx.emit(TrackChanged("", "short_rests", -taken, routine=True))


def _break_off(ctx: Context, kind: str, hours: HoursArgs) -> None:
    """Break off an extended rest, for more than an hour of strenuous activity.

    Raises Refused for the other kinds, since no rule breaks them.
    """
    if kind != "extended":
        raise Refused(f"only an extended rest can be broken off: {_a_rest(kind)} is taken or not")
    for combatant in rests.taking_part(ctx, hours.besides):
        rests.apply_rest(ctx, combatant.id, TIME, "hours have passed")
        ctx.emit(*(UseCounted(combatant.id, what, _span_of(kind)) for what in (BEGAN, BROKEN)))
    ctx.text = f"{_a_rest(kind).capitalize()} is broken off, and has no effect"


def _after_hours(ctx: Context, combatant_id: str, rest: str) -> None:
    """Apply a long or an extended rest: a thread for those without any, the end of holds and of
    unconsciousness, and new uses for the day."""
    travel.end_day(ctx, combatant_id)
    rests.reset_uses(ctx, combatant_id, travel.DAY)
    combatant = ctx.state[combatant_id]
    if combatant.kind == "pc" and combatant.track("threads") == 0 and combatant.room("threads"):
        ctx.emit(TrackChanged(combatant_id, "threads", 1, why=rest))
    for name in combatant.tracks:
        if is_hold(ctx.tables, name):
            rests.set_track(ctx, combatant_id, name, 0, rest)
    damage.wake_from_exhaustion(ctx, combatant_id, rest)
    if ctx.state[combatant_id].life == "stable":
        damage.rise(ctx, combatant_id, rest)


# -- what somebody does in them --------------------------------------------------------------------


def _refuse_twice(ctx: Context, combatant_id: str, name: str, kind: str) -> None:
    """Count an activity. Raises Refused for one that the combatant had in this rest already."""
    done = f"{ACTIVITY} {name}"
    if ctx.state[combatant_id].used(done, _span_of(kind)):
        raise Refused(
            f"{ctx.state.name(combatant_id)} has had {name} in this rest: choose another activity"
        )
    ctx.emit(UseCounted(combatant_id, done, _span_of(kind)))


def _require_time(ctx: Context, kind: str, combatant_id: str) -> None:
    """Raises Refused for somebody who can do nothing in a rest, or has done enough."""
    person, span, rest = ctx.state[combatant_id], _span_of(kind), _a_rest(kind)
    barred = why_cannot(ctx, person, "rest")
    if barred:
        raise Refused(f"{person.name} can do nothing in a rest: {barred}")
    if person.used(BROKEN, span):
        raise Refused(f"{rest} was broken off, so it has no activities")
    had, most = person.used(ACTIVITY, span), MOST_ACTIVITIES[kind] + person.used(EXTRA, span)
    if had >= most:
        has_had = f"{person.name} has had {had}; `rest {kind}` begins another"
        raise Refused(f"{rest} has time for {most}, and {has_had}")


def _take_time(ctx: Context, kind: str, combatant_id: str) -> None:
    """Count an activity. Raises Refused for somebody who has no time left for it."""
    _require_time(ctx, kind, combatant_id)
    ctx.emit(UseCounted(combatant_id, ACTIVITY, _span_of(kind)))


# -- those that ask for more -----------------------------------------------------------------------


class TendArgs(Struct, frozen=True):
    """The arguments of `tend`: whose wounds, by default one's own."""

    whom: Annotated[
        Combatant | None,
        replace(
            arguments.combatant_arg("the combatant to tend"),
            stands=lambda r: not r.words.has_number() and r.words.is_combatant(),
        ),
    ] = None
    supplies: Annotated[int, arguments.number_arg("the supplies spent", 1, usage="SUPPLIES")] = 1


def _tend(ctx: Context, args: TendArgs, kind: str, combatant: Combatant) -> None:
    """Tend to Wounds: a quarter of the maximum HP for each supply; 2 at most in a short rest."""
    whom = args.whom or combatant
    if kind == "short" and args.supplies > MOST_TENDED:
        raise Refused(f"a short rest has time for {MOST_TENDED} supplies at most")
    require_hp(whom, "healed")
    travel.spend_if_kept(ctx, args.supplies, "tended in a rest")
    quarter = (whom.tracks["hp"].max or 0) // 4
    damage.heal(ctx, whom.id, quarter * args.supplies, "tended in a rest")


class ClearArgs(Struct, frozen=True):
    """The arguments of `clear`."""

    supplies: Annotated[
        int | None, arguments.number_arg("the supplies spent", usage="SUPPLIES")
    ] = None


def _clear(ctx: Context, args: ClearArgs, kind: str, combatant: Combatant) -> None:
    """Clear Fatigue: 2 in a short rest; all in a long one, and exhaustion at a supply a mark."""
    is_long = kind == "long"
    if args.supplies is not None and not is_long:
        raise Refused(f"supplies clear exhaustion only in a long rest, not in {_a_rest(kind)}")
    damage.clear_fatigue(ctx, combatant.id, ALL if is_long else 2, _a_rest(kind))
    cleared = damage.clear_marks(ctx, combatant.id, "exhaustion", args.supplies or 0, "rested")
    travel.spend_if_kept(ctx, cleared, "rested")


class RollArgs(Struct, frozen=True):
    """The arguments of a roll in a rest."""

    die: Annotated[DieInput, shared_checks.die_arg(checks.OUTCOMES)]
    terms: Annotated[checks.CheckModifiers, arguments.keyword_args(checks.CheckModifiers, "WORDS")]


class ProjectRollArgs(Struct, frozen=True):
    """The arguments of a roll for a project."""

    ability: Annotated[str, arguments.choice_arg("an ability", ABILITIES, "ABILITY")]
    die: Annotated[DieInput, shared_checks.die_arg(checks.OUTCOMES)]
    terms: Annotated[checks.CheckModifiers, arguments.keyword_args(checks.CheckModifiers, "WORDS")]


def _roll(
    ctx: Context, combatant_id: str, ability: str, args: RollArgs | ProjectRollArgs
) -> Outcome:
    people = [ctx.state[combatant_id]]
    request = checks.CheckArgs(people, ability, [args.die], terms=args.terms)
    return checks.make_checks(ctx, request)[0]


def _gather(ctx: Context, args: RollArgs, kind: str, combatant: Combatant) -> None:
    """Gather Supplies: a focus roll finds 1 or 2."""
    outcome = _roll(ctx, combatant.id, "focus", args)
    found = travel.supplies_in_words(travel.gather(ctx, outcome, "gathered in a rest"))
    ctx.note(f"gathers {found}: {outcome}", combatant.id)


def _watch(ctx: Context, args: RollArgs, kind: str, combatant: Combatant) -> None:
    """Take Watch: 2 hours, a focus roll against the GM's DC."""
    outcome = _roll(ctx, combatant.id, "focus", args)
    ctx.note(f"watches for 2 hours: {outcome}", combatant.id)


class PrepareArgs(Struct, frozen=True):
    """The arguments of `prepare`: the purpose, and the companions."""

    note: Annotated[str, arguments.quoted_arg("what to prepare for", '"FOR WHAT"')] = (
        "prepared in a rest"
    )
    others: Annotated[
        list[Combatant],
        arguments.keyword_arg(
            "with", arguments.combatants_arg("the others who prepare for the same")
        ),
    ] = []


def _prepare(ctx: Context, args: PrepareArgs, kind: str, combatant: Combatant) -> None:
    """Prepare, alone or with others."""
    others = [each.id for each in args.others if each.id != combatant.id]
    if others:
        _prepare_together(ctx, kind, combatant.id, others, args.note)
        return
    ctx.emit(UseCounted(combatant.id, ALONE, _span_of(kind)))
    if combatant.named(PREPARED) is None:
        begin_effect(ctx, combatant.id, PREPARED, Duration("use"), note=args.note)
    else:  # a status that is there already, and time can't make longer (Statuses)
        give_forward(ctx, combatant.id, {EVERY: 1}, f"next check, for {PREPARED}")


def _prepare_together(
    ctx: Context, kind: str, combatant_id: str, others: list[str], why: str
) -> None:
    """Each holds 2-prepared. It is an activity of the others as well; who has prepared alone in
    this rest has done it already, and holds that in place of being prepared."""
    for other in others:
        prepared = ctx.state[other].named(PREPARED)
        if prepared is not None and ctx.state[other].used(ALONE, _span_of(kind)):
            remove_effect(ctx, other, prepared.id, "prepared together")
        else:
            _take_time(ctx, kind, other)
            _refuse_twice(ctx, other, "prepare", kind)
    for each in (combatant_id, *others):
        ctx.emit(TrackChanged(each, PREPARED, 2, why=why))


def _projects(reading: declarations.ParseState) -> list[str]:
    """The countdowns that aren't over. Raises Refused if there is none."""
    running = [c.name.casefold() for c in reading.ctx.state.clocks if c.value and not c.is_race]
    if not running:
        raise reading.words.refuse('a project needs a countdown: `clock "NAME" STEPS` starts one')
    return running


_ROLLS = arguments.repeated_arg(ProjectRollArgs, "ABILITY OUTCOME [WORDS] ...", to_the_end=False)


class ProjectArgs(Struct, frozen=True):
    """The arguments of `project`."""

    name: Annotated[str, arguments.choice_arg("the project's countdown", _projects, '"NAME"')]
    rolls: Annotated[list[ProjectRollArgs], _ROLLS] = []


def _project(ctx: Context, args: ProjectArgs, kind: str, combatant: Combatant) -> None:
    """Work on a Project: count down, and make each roll for it."""
    is_extended = kind == "extended"
    name = next(c.name for c in ctx.state.clocks if c.name.casefold() == args.name)
    for _ in range(2 if is_extended else 1):
        clock = next(clock for clock in ctx.state.clocks if clock.name == name)
        if clock.value:
            count_down(ctx, clock)
    for roll in args.rolls:
        if is_extended:
            give_forward(ctx, combatant.id, {EVERY: 2}, f"working on {name}")
        _roll(ctx, combatant.id, roll.ability, roll)


class LevelUpArgs(Struct, frozen=True):
    """The arguments of `level-up`: True if a new tier of play begins."""

    tier: arguments.Flag = False


def _level_up(ctx: Context, args: LevelUpArgs, kind: str, combatant: Combatant) -> None:
    """Level Up: noted with the XP; the GM decides if they are enough.

    A new `tier` gives 1 more PB, and room for 1 more thread (Proficiencies, Threads of Fate).
    """
    if args.tier:
        more = combatant.number("pb") + 1
        ctx.emit(
            StatChanged(combatant.id, "pb", more),
            TrackChanged(combatant.id, "threads", max=more, why="PB"),
        )
    ctx.note(f"goes up a level, if {combatant.track('xp')} XP are enough", combatant.id)


class JobArgs(Struct, frozen=True):
    """The arguments of `job`: how much it brings, as the GM says; the word `gold` is understood."""

    amount: Annotated[int, arguments.number_arg("the gold it earns")] = 0
    gold: arguments.Flag = False


def _job(ctx: Context, args: JobArgs, kind: str, combatant: Combatant) -> None:
    """Get a Job: earn that much gold."""
    if args.amount and GOLD in combatant.stats:
        ctx.emit(StatChanged(combatant.id, GOLD, combatant.number(GOLD) + args.amount))
    earned = f"{args.amount} gold" if args.amount else "the amount the GM says"
    ctx.note(f"earns {earned}", combatant.id)


class _DeclaredActivity(NamedTuple):
    """The questions and the effect of an activity, beyond its row."""

    args_type: type[Struct] = declarations.NoArgs
    run: Callable[[Context, Any, str, Combatant], None] = lambda ctx, args, kind, combatant: None


_ROW_ALONE = _DeclaredActivity()
_DECLARED = {
    "tend": _DeclaredActivity(TendArgs, _tend),
    "clear": _DeclaredActivity(ClearArgs, _clear),
    "gather": _DeclaredActivity(RollArgs, _gather),
    "prepare": _DeclaredActivity(PrepareArgs, _prepare),
    "watch": _DeclaredActivity(RollArgs, _watch),
    "project": _DeclaredActivity(ProjectArgs, _project),
    "preparations": _ROW_ALONE,
    "recuperate": _ROW_ALONE,
    "level-up": _DeclaredActivity(LevelUpArgs, _level_up),
    "job": _DeclaredActivity(JobArgs, _job),
}


# -- the command -----------------------------------------------------------------------------------

_WRITTEN = {
    "tend-to-wounds": "tend",
    "clear-fatigue": "clear",
    "gather-supplies": "gather",
    "take-watch": "watch",
    "work-on-a-project": "project",
    "daily-preparations": "preparations",
    "get-a-job": "job",
}
"""Activities as the rules write them out: `rest mira clear fatigue` is `rest mira clear`."""


def _activity_name(reading: declarations.ParseState) -> str:
    """Read an activity of those that the rest has time for, by our word or by the rules' full name,
    which is accepted and not offered. Raises Refused for somebody who has no time left."""
    tokens, people = reading.words, reading.value_of("people")
    kinds = [reading.value_of("kind") or _kind_of(combatant) for combatant in people]
    for combatant, kind in zip(people, kinds, strict=True):
        _require_time(reading.ctx, kind, combatant.id)
    names = [name for name, row in reading.ctx.tables.activities.items() if kinds[0] in row.rests]
    written = {text: name for text, name in _WRITTEN.items() if name in names}
    text = "" if tokens.done else tokens.take(*written)
    return written[text] if text else tokens.choice("a downtime activity", names)


class ActivityArgs(Struct, frozen=True):
    """An activity, with its arguments."""

    name: Annotated[str, declarations.Argument(_activity_name, "ACTIVITY", field=ANY_MORE)]
    args: Annotated[
        Struct,
        arguments.variant_arg(lambda r: _DECLARED.get(r.values["name"], _ROW_ALONE).args_type),
    ]


_EACH = ", ".join(
    f"{name} {declarations.arguments_usage(each.args_type)}".strip()
    for name, each in _DECLARED.items()
)
_ACTIVITIES = arguments.repeated_arg(ActivityArgs, f"ACTIVITY [ACTIVITY] ({_EACH})")
_KIND = replace(
    arguments.choice_arg("the kind of rest", KINDS, "[short|long|extended]"),
    stands=lambda r: r.words.peek() in KINDS,
    default=lambda r: "" if r.words.is_people() else None,
)


class DoingArgs(Struct, frozen=True):
    """The activities of some people in a rest; all do the same, each with their own dice."""

    people: Annotated[
        list[Combatant], arguments.combatants_arg("the combatants active in the rest")
    ]
    activities: Annotated[list[list[ActivityArgs]], arguments.each_arg("people", _ACTIVITIES)]


_DOING = arguments.struct_arg(DoingArgs)


def _is_doing(reading: declarations.ParseState) -> bool:
    """True if an activity follows: any word is one, if no hours were given."""
    return "hours" not in reading.values and (_DOING.stands(reading) or not reading.words.done)


class RestArgs(Struct, frozen=True):
    """The arguments of `rest`: the hours that pass for everybody, or the activities of some.
    Without a kind it is that of the last rest."""

    kind: Annotated[str, _KIND]
    hours: Annotated[HoursArgs, arguments.struct_arg(HoursArgs, ASKED_ELSEWHERE)] = HoursArgs()
    doing: Annotated[
        DoingArgs | None,
        replace(_DOING, stands=_is_doing, field=replace(ANY_MORE, asked=True)),
    ] = None


def _rest(ctx: Context, args: RestArgs) -> None:
    rests.require_no_fight(ctx)
    if args.doing is None:
        _pass_hours(ctx, args.kind, args.hours)
        return
    people, activities = args.doing.people, args.doing.activities
    kinds = [args.kind or _kind_of(combatant) for combatant in people]
    for combatant, kind, each in zip(people, kinds, activities, strict=True):
        for activity in each:
            _do(ctx, activity, kind, combatant.id)
    done = join_or((activity.name for activity in activities[0]), "and")
    ctx.text = f"{join_names(people)} in {_a_rest(kinds[0])}: {done}"


def _do(ctx: Context, activity: ActivityArgs, kind: str, combatant_id: str) -> None:
    """Have somebody do an activity.

    Raises Refused for somebody who has no time left for it, and for one that the rest has no time
    for.
    """
    name, row = activity.name, ctx.tables.activities[activity.name]
    if kind not in row.rests:  # the words were read by the rest of whoever is named first
        raise Refused(f"{_a_rest(kind)} has no time for {name}")
    _take_time(ctx, kind, combatant_id)
    _refuse_twice(ctx, combatant_id, name, kind)
    for amount in row.spends.values():
        travel.spend_if_kept(ctx, amount, name)
    if row.heals:
        require_hp(ctx.state[combatant_id], "healed")
        most = ctx.state[combatant_id].tracks["hp"].max or 0
        damage.heal(ctx, combatant_id, most * row.heals // 100, name)
    for track, amount in row.clears.items():
        clear_track(ctx, combatant_id, track, amount, name)
    if row.note:
        ctx.note(f"{row.note}", combatant_id)
    run = _DECLARED.get(name, _ROW_ALONE).run
    run(ctx, activity.args, kind, ctx.state[combatant_id])


COMMANDS = (
    declarations.declare_command(
        "rest", "takes a rest, or adds what somebody does in it", RestArgs, _rest
    ),
)
