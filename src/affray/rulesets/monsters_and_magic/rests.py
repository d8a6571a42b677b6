"""Rests: what hours bring to everybody, and who does what in them: the downtime activities.

A row of the tables says which rests have time for an activity, and what it heals, clears and
spends. What one asks for beyond that, and does, is here under its name.

Seed 004: Rest & Recovery, Threads of Fate, Conditions & Statuses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated

from msgspec import Struct

from affray.core.heart.countdowns import count_down
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, forbidden
from affray.core.heart.events import Adjusted, Changed, Noted, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import names, they
from affray.core.language.declared import read, usage_of
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import rests
from affray.rulekit.harm import require_hp
from affray.rulekit.placing import begin
from affray.rulesets.monsters_and_magic import attacks, checks, harm, travel
from affray.rulesets.monsters_and_magic.checks import Outcome
from affray.rulesets.monsters_and_magic.conditions import give_forward
from affray.rulesets.monsters_and_magic.sheet import GOLD
from affray.rulesets.monsters_and_magic.totals import ABILITIES, EVERY, PREPARED
from affray.rulesets.monsters_and_magic.tracks import clear_track, is_hold

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


TIME = rests.Rest(
    ends=("turn", "round", "fight", "rest"),
    also=attacks.is_hiding,  # nobody hides from their company for hours
    forgets=("rest", *map(_span_of, KINDS)),
)
"""What the hours of every rest reset, a broken one's too."""
_EXTRA = arguments.number("the extra activities", 0, 9)
_GIVEN = arguments.number("the supplies given", 1, 999)


class Hours(Struct, frozen=True):
    """What is said of a rest's hours.

    sheltered  in comfort, which has time for so many activities more
    supplies   what an inn or a host gives
    broken     strenuous activity of more than an hour came in between
    besides    who rests beside the party
    """

    sheltered: Annotated[int, arguments.clause("sheltered", _EXTRA)] = 0
    supplies: Annotated[int, arguments.clause("supplies", _GIVEN)] = 0
    broken: Annotated[bool, arguments.flag()] = False
    besides: Annotated[list[Combatant], rests.BESIDES] = []


def _rest(ctx: Context, words: Words) -> None:
    rests.refuse_in_a_fight(ctx)
    is_begun = words.peek() not in KINDS and words.is_people()
    kind = "" if is_begun else words.choice("the kind of rest", KINDS)
    hours = Hours() if is_begun else read(Hours, ctx, words)
    if words.done or hours != Hours():
        words.offered.extend(c.id for c in ctx.state.combatants)
        _pass_hours(ctx, kind, hours)
        return
    people = words.combatants("who does something in the rest")
    done = words.for_each(people, lambda _, who: _activities(ctx, words, kind, who))[0]
    ctx.text = f"{names(people)} in {_a_rest(kind or _kind_of(people[0]))}: {listed(done, 'and')}"


def _activities(ctx: Context, words: Words, kind: str, who: Combatant) -> list[str]:
    """All that somebody does, at least one thing."""
    kind = kind or _kind_of(who)
    done = [_do(ctx, words, kind, who.id)]
    while not words.done:
        done.append(_do(ctx, words, kind, who.id))
    return done


def _kind_of(who: Combatant) -> str:
    """The kind of the rest whose hours have passed for somebody. Raises Refused for none."""
    found = next((kind for kind in KINDS if who.used(BEGAN, _span_of(kind))), "")
    if not found:
        raise Refused(f"{who.name} has had no rest: `rest short`, `rest long` or `rest extended`")
    return found


# -- the hours -------------------------------------------------------------------------------------


def _pass_hours(ctx: Context, kind: str, hours: Hours) -> None:
    """What a rest does by itself, to everybody. Raises Refused for one that there can't be now."""
    if hours.broken:
        _break_off(ctx, kind, hours)
        return
    if kind == "short" and not hours.sheltered:
        travel.refuse_on_the_way(ctx)
    _count_short_rests(ctx, kind)
    resting = rests.taking_part(ctx, hours.besides)
    dying_yet = [who for who in resting if who.life == "dying"]
    if dying_yet:  # they roll every 6 seconds, long before an hour has passed (Death & Dying)
        each = "every 6 seconds a luck roll, `death NAME OUTCOME`, until they are stable or dead"
        ctx.emit(Noted(f"{they(dying_yet, 'is', 'are')} dying: {each}"))
    for who in resting:
        rests.reset(ctx, who.id, TIME, _a_rest(kind))
        if kind != "short":
            _after_hours(ctx, who.id, _a_rest(kind))
        rests.stand_up(ctx, who.id)
        ctx.emit(Used(who.id, BEGAN, _span_of(kind)))
        ctx.emit(*[Used(who.id, EXTRA, _span_of(kind))] * hours.sheltered)
    if kind != "short":
        ctx.emit(Changed("", "threads", 1, why=_a_rest(kind)))
    travel.spend(ctx, -hours.supplies, "the hosts give")
    lasts = "an hour" if HOURS[kind] == 1 else f"{HOURS[kind]} hours"
    ctx.text = f"{_a_rest(kind).capitalize()} of {lasts}{', sheltered' if hours.sheltered else ''}"


def _count_short_rests(ctx: Context, kind: str) -> None:
    """Raises Refused for more short rests in a row than there may be."""
    taken = ctx.state.gm("short_rests")
    if kind == "short":
        if taken >= SHORT_RESTS_IN_A_ROW:
            raise Refused("no more than 3 short rests in a row: take a long rest")
        ctx.emit(Changed("", "short_rests", 1, routine=True))
    elif taken:
        ctx.emit(Changed("", "short_rests", -taken, routine=True))


def _break_off(ctx: Context, kind: str, hours: Hours) -> None:
    """More than an hour of strenuous activity came in between: no extended rest.

    Raises Refused for the other kinds, of which no rule says what breaks them.
    """
    if kind != "extended":
        raise Refused(f"only an extended rest is broken off: {_a_rest(kind)} waits, or is taken")
    for who in rests.taking_part(ctx, hours.besides):
        rests.reset(ctx, who.id, TIME, "hours have passed")
        ctx.emit(*(Used(who.id, what, _span_of(kind)) for what in (BEGAN, BROKEN)))
    ctx.text = f"{_a_rest(kind).capitalize()} is broken off, and brings nothing"


def _after_hours(ctx: Context, who: str, rest: str) -> None:
    """A long rest, or an extended one: a thread for those without any, holds are gone, the
    unconscious wake, and what is used so often a day is so again."""
    travel.end_day(ctx, who)
    rests.forget(ctx, who, travel.DAY)
    combatant = ctx.state[who]
    if combatant.kind == "pc" and combatant.track("threads") == 0 and combatant.room("threads"):
        ctx.emit(Changed(who, "threads", 1, why=rest))
    for name in combatant.tracks:
        if is_hold(ctx.tables, name):
            rests.set_track(ctx, who, name, 0, rest)
    harm.wake_from_exhaustion(ctx, who, rest)
    if ctx.state[who].life == "stable":
        harm.rise(ctx, who, rest)


# -- what somebody does in them --------------------------------------------------------------------


def _do(ctx: Context, words: Words, kind: str, who: str) -> str:
    """Read an activity with what belongs to it, have it done, and give its name.

    Raises Refused for who has no time left for it, and for one that the rest has no time for.
    """
    _take_time(ctx, kind, who)
    rows = {name: row for name, row in ctx.tables.activities.items() if kind in row.rests}
    name = _read_name(words, rows)
    _refuse_twice(ctx, who, name, kind)
    row = rows[name]
    for amount in row.spends.values():
        travel.spend_if_kept(ctx, amount, name)
    if row.heals:
        require_hp(ctx.state[who], "healed")
        most = ctx.state[who].tracks["hp"].max or 0
        harm.heal(ctx, who, most * row.heals // 100, name)
    for track, amount in row.clears.items():
        clear_track(ctx, who, track, amount, name)
    if row.note:
        ctx.emit(Noted(f"{ctx.state.name(who)} {row.note}"))
    if name in _DONE:
        _DONE[name](ctx, words, kind, ctx.state[who])
    return name


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


def _read_name(words: Words, rows: Collection[str]) -> str:
    """Read which of these activities it is, by our word or as the rules write it out."""
    written = {said: name for said, name in _WRITTEN.items() if name in rows}
    if not words.done and (said := words.take(*written)):
        return written[said]
    return words.choice("a downtime activity", rows)


def _refuse_twice(ctx: Context, who: str, name: str, kind: str) -> None:
    """Raises Refused for what somebody has done in this rest: activities are different ones."""
    done = f"{ACTIVITY} {name}"
    if ctx.state[who].used(done, _span_of(kind)):
        raise Refused(f"{ctx.state.name(who)} has had {name} in this rest: say another activity")
    ctx.emit(Used(who, done, _span_of(kind)))


def _take_time(ctx: Context, kind: str, who: str) -> None:
    """Count an activity. Raises Refused for who can do nothing, or has done enough."""
    person, span, rest = ctx.state[who], _span_of(kind), _a_rest(kind)
    barred = forbidden(ctx.tables, ctx.state, person, "rest")
    if barred:
        raise Refused(f"{person.name} can do nothing in a rest: {barred}")
    if person.used(BROKEN, span):
        raise Refused(f"{rest} was broken off: nobody does anything in it")
    had, most = person.used(ACTIVITY, span), MOST_ACTIVITIES[kind] + person.used(EXTRA, span)
    if had >= most:
        has_had = f"{person.name} has had {had}; `rest {kind}` begins another"
        raise Refused(f"{rest} has time for {most}, and {has_had}")
    ctx.emit(Used(who, ACTIVITY, span))


# -- those that ask for more -----------------------------------------------------------------------


def _tend(ctx: Context, words: Words, kind: str, who: Combatant) -> None:
    """Tend to Wounds: a quarter of the maximum HP for each supply; 2 at most in a short rest."""
    named = not words.has_number() and words.is_combatant()
    whom = words.combatant("whose wounds") if named else who
    supplies = words.maybe_number(1, "the supplies spent", 1)
    if kind == "short" and supplies > MOST_TENDED:
        raise words.refuse(f"a short rest has time for {MOST_TENDED} supplies at most")
    require_hp(whom, "healed")
    travel.spend_if_kept(ctx, supplies, "tended in a rest")
    quarter = (whom.tracks["hp"].max or 0) // 4
    harm.heal(ctx, whom.id, quarter * supplies, "tended in a rest")


def _clear(ctx: Context, words: Words, kind: str, who: Combatant) -> None:
    """Clear Fatigue: 2 in a short rest; all in a long one, and exhaustion at a supply a mark."""
    is_long = kind == "long"
    harm.clear_fatigue(ctx, who.id, ALL if is_long else 2, _a_rest(kind))
    supplies = words.maybe_number(0, "the supplies spent") if is_long else 0
    cleared = harm.clear_marks(ctx, who.id, "exhaustion", supplies, "rested")
    travel.spend_if_kept(ctx, cleared, "rested")


def _roll(ctx: Context, words: Words, who: str, ability: str) -> Outcome:
    die, terms = checks.read_roll(ctx, words)
    return checks.made(ctx, checks.Said([ctx.state[who]], ability, [die], terms=terms))[0]


def _gather(ctx: Context, words: Words, kind: str, who: Combatant) -> None:
    """Gather Supplies: a focus roll finds 1 or 2."""
    outcome = _roll(ctx, words, who.id, "focus")
    found = travel.supplies_in_words(travel.gather(ctx, outcome, "gathered in a rest"))
    ctx.emit(Noted(f"{who.name} gathers {found}: {outcome}"))


def _watch(ctx: Context, words: Words, kind: str, who: Combatant) -> None:
    """Take Watch: 2 hours, a focus roll against the GM's DC."""
    outcome = _roll(ctx, words, who.id, "focus")
    ctx.emit(Noted(f"{who.name} watches for 2 hours: {outcome}"))


def _prepare(ctx: Context, words: Words, kind: str, who: Combatant) -> None:
    """Prepare, alone or with others: `prepare ["FOR WHAT"] [with NAME[,NAME]]`."""
    note = str(words.next("for what")) if words.upcoming.quoted else "prepared in a rest"
    named = words.combatants("who prepares for the same") if words.take("with") else []
    others = [each.id for each in named if each.id != who.id]
    if others:
        _prepare_together(ctx, kind, who.id, others, note)
        return
    ctx.emit(Used(who.id, ALONE, _span_of(kind)))
    if who.named(PREPARED) is None:
        begin(ctx, who.id, PREPARED, Duration("use"), note=note)
    else:  # a status that is there already, and time can't make longer (Statuses)
        give_forward(ctx, who.id, {EVERY: 1}, f"next check, for {PREPARED}")


def _prepare_together(ctx: Context, kind: str, who: str, others: list[str], why: str) -> None:
    """Each holds 2-prepared. It is an activity of the others as well; who has prepared alone in
    this rest has done it already, and holds that in place of being prepared."""
    for other in others:
        prepared = ctx.state[other].named(PREPARED)
        if prepared is not None and ctx.state[other].used(ALONE, _span_of(kind)):
            end(ctx, other, prepared.id, "prepared together")
        else:
            _take_time(ctx, kind, other)
            _refuse_twice(ctx, other, "prepare", kind)
    for each in (who, *others):
        ctx.emit(Changed(each, PREPARED, 2, why=why))


def _project(ctx: Context, words: Words, kind: str, who: Combatant) -> None:
    """Work on a Project: `project "NAME" [ABILITY OUTCOME [WORDS] ...]`."""
    name = _read_project(words)
    for _ in range(2 if kind == "extended" else 1):
        clock = next(clock for clock in ctx.state.clocks if clock.name == name)
        if clock.value:
            count_down(ctx, clock)
    while words.peek() in ABILITIES:
        if kind == "extended":
            give_forward(ctx, who.id, {EVERY: 2}, f"working on {name}")
        _roll(ctx, words, who.id, words.choice("an ability", ABILITIES))


def _read_project(words: Words) -> str:
    """Read the name of a countdown that isn't over. Raises Refused, naming those there are."""
    running = (c for c in words.state.clocks if c.value and not c.is_race)
    known = {clock.name.casefold(): clock.name for clock in running}
    if not known:
        raise words.refuse('a project has a countdown: `clock "NAME" STEPS` begins one')
    return known[words.choice("the project's countdown", known)]


def _level_up(ctx: Context, words: Words, kind: str, who: Combatant) -> None:
    """Level Up: told, with the XP; whether they are enough is the GM's word.

    A new `tier` is 1 PB more, and room for 1 thread more (Proficiencies, Threads of Fate).
    """
    if words.take("tier"):
        more = who.number("pb") + 1
        ctx.emit(Adjusted(who.id, "pb", more), Changed(who.id, "threads", max=more, why="PB"))
    ctx.emit(Noted(f"{who.name} goes up a level, if {who.track('xp')} XP are enough"))


def _job(ctx: Context, words: Words, kind: str, who: Combatant) -> None:
    """Get a Job: `job [GOLD]`, as much as the GM says."""
    gold = words.maybe_number(0, "the gold that it brings")
    words.take("gold")
    if gold and GOLD in who.stats:
        ctx.emit(Adjusted(who.id, GOLD, who.number(GOLD) + gold))
    earned = f"{gold} gold" if gold else "what the GM says"
    ctx.emit(Noted(f"{who.name} earns {earned}"))


_DONE: dict[str, Callable[[Context, Words, str, Combatant], None]] = {
    "tend": _tend,
    "clear": _clear,
    "gather": _gather,
    "prepare": _prepare,
    "watch": _watch,
    "project": _project,
    "level-up": _level_up,
    "job": _job,
}
"""What an activity asks for, and does, beyond what its row says."""

VERBS = (
    Verb(
        "rest",
        f"rest short|long|extended {usage_of(Hours)} | "
        "rest [short|long|extended] NAME[,NAME] ACTIVITY [ACTIVITY] "
        "(tend [NAME] [SUPPLIES], clear [SUPPLIES], gather OUTCOME [WORDS], "
        'prepare ["FOR WHAT"] [with NAME[,NAME]], watch OUTCOME [WORDS], '
        'project "NAME" [ABILITY OUTCOME [WORDS]], preparations, recuperate, '
        "level-up [tier], job [GOLD])",
        "lets a rest pass, or says what somebody does in it",
        _rest,
    ),
)
