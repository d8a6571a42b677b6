"""Rests: what hours bring to everybody, and who does what in them: the downtime activities.

A row of the tables says which rests have time for an activity, and what it heals, clears and
spends. What one asks for beyond that, and does, is here under its name.

Seed 004: Rest & Recovery, Threads of Fate, Conditions & Statuses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated

from msgspec import Struct

from affray.core.engine.durations import count_down
from affray.core.engine.effects import remove_effect, why_forbidden
from affray.core.engine.events import NoteAdded, StatChanged, TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Duration
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, names_with_verb
from affray.core.parser.declarations import (
    ParseState,
    arguments_usage,
    declare_command,
    parse_arguments,
)
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import Command, Context
from affray.mechanics import checks as shared_checks
from affray.mechanics import rests
from affray.mechanics.checks import DieInput
from affray.mechanics.conditions import begin_effect
from affray.mechanics.damage import require_hp
from affray.mechanics.stats import StatPart
from affray.rulesets.monsters_and_magic import attacks, checks, damage
from affray.rulesets.monsters_and_magic.checks import Outcome
from affray.rulesets.monsters_and_magic.conditions import clear_track, give_forward, is_hold
from affray.rulesets.monsters_and_magic.sheet import GOLD
from affray.rulesets.monsters_and_magic.stats import ABILITIES, EVERY, PREPARED

# -------------------------------------------------------------------------------------------------
# Long ways: travelling, foraging, and the party's supplies.
#
# A way is told by two commands, `travel` for a day, or a vehicle's duration, with the group's luck
# roll, and `forage`. More rolls in a day through the wild are `travel roll`.
#
# Seed 004: Long-Distance Travel, Overland Travel, Sea and Air Travel; of supplies, Rest & Recovery.

SUPPLIES = "supplies"
"""The party's track of supplies."""
ROLL = "roll"
MILES_OF_A_HEX = 12
WALKED, ROWED, DAY = "walked", "rowed", "day"
"""What is counted of who has done so for all the hours that there are, until a long rest."""
JOURNEY, SLOWLY = "journey", "slowly"
"""The span in which it is counted how somebody travels, until the next day of it; and as what."""
PACE = "pace"
"""The span of a day's pace: until the day is over, when it is paid for."""
COMPLICATIONS = {
    "miss": "a major complication: a danger to get past, or somebody is hurt",
    "weak": "a minor complication, that something spent gets past: a toll, a risk worth fatigue",
    "strong": "nothing comes in between",
}


def _hows(reading: ParseState) -> list[str]:
    economy = reading.ctx.tables.economy
    return [*economy["paces"], *economy["vehicles"], ROLL]


class TravelArgs(Struct, frozen=True):
    """What `travel` says.

    mounted  ridden, or in a vehicle drawn by animals
    stream   of a river: with it, or against it
    longer   another duration of a vehicle's, for 1 exhaustion
    """

    how: Annotated[str, arguments.choice_arg("how", _hows, "PACE|VEHICLE|roll")]
    people: Annotated[
        list[Combatant], arguments.combatants_arg("who travels", asks="targets:several")
    ]
    dice: Annotated[
        list[DieInput], shared_checks.die_arg(checks.OUTCOMES, "people", asks="outcome:each")
    ]
    mounted: Annotated[bool, arguments.flag_arg()] = False
    stream: Annotated[str, arguments.anywhere_choice_arg("upstream", "downstream")] = ""
    longer: Annotated[bool, arguments.flag_arg()] = False
    terms: Annotated[checks.CheckModifiers, arguments.keyword_args(checks.CheckModifiers)] = (
        checks.CheckModifiers()
    )


def _travel(ctx: Context, args: TravelArgs) -> None:
    rests.require_no_fight(ctx)
    economy = ctx.tables.economy
    if args.how in economy["vehicles"]:
        _sail(ctx, args, economy["vehicles"][args.how])
    elif args.stream or args.longer:
        raise Refused(f"`{args.stream or 'longer'}` is said of ships and boats")
    elif args.how == ROLL:
        pace = next((name for combatant in args.people for name in _paces_of(ctx, combatant)), "")
        outcome = _luck(ctx, args, pace)
        ctx.text = _log_text(args, "on", outcome)
    else:
        _walk(ctx, args, economy["paces"][args.how])


def _walk(ctx: Context, args: TravelArgs, pace: dict[str, int]) -> None:
    """A day overland: mounts and carts lead farther, haste tires (Overland Travel)."""
    hexes = pace["hexes"] + (ctx.tables.economy["mounted_hexes"] if args.mounted else 0)
    for combatant in args.people:
        end_day(ctx, combatant.id)
    _take_day(ctx, args, WALKED)
    outcome = _luck(ctx, args, args.how)
    for combatant in args.people:
        rests.reset_uses(ctx, combatant.id, JOURNEY)
        ctx.emit(UseCounted(combatant.id, args.how, PACE))
        if pace["exhaustion"] == 0 and not args.mounted:
            ctx.emit(UseCounted(combatant.id, SLOWLY, JOURNEY))
    if pace["exhaustion"]:
        ctx.emit(NoteAdded(f"{pace['exhaustion']} exhaustion each when the day is over"))
    ctx.emit(NoteAdded(f"{_a_way(hexes)} in 8 hours: no short rest in them, and then a long one"))
    ctx.text = _log_text(
        args, f"at a {args.how} pace{', mounted' if args.mounted else ''}", outcome
    )


def _paces_of(ctx: Context, combatant: Combatant) -> list[str]:
    """The pace of the day that somebody is on; none for who doesn't travel overland."""
    return [name for name in ctx.tables.economy["paces"] if combatant.used(name, PACE)]


def end_day(ctx: Context, combatant_id: str) -> None:
    """A day's travel is over, by a long rest or by another day of it: what its pace costs is
    marked."""
    for name in _paces_of(ctx, ctx.state[combatant_id]):
        cost = ctx.tables.economy["paces"][name]["exhaustion"]
        damage.mark_exhaustion(ctx, combatant_id, cost, f"a {name} pace")
    rests.reset_uses(ctx, combatant_id, PACE)


def _take_day(ctx: Context, args: TravelArgs, way: str) -> None:
    """Their hours of walking or rowing, after which they need a long rest.

    On foot that is the usual (Overland Travel), and who goes on is told. Raises Refused for who
    has rowed and would row on (Sea and Air Travel).
    """
    tired = [
        combatant
        for combatant in args.people
        if combatant.used(WALKED, DAY) or combatant.used(ROWED, DAY)
    ]
    rowed = [combatant.name for combatant in tired if combatant.used(ROWED, DAY)]
    if rowed and way == ROWED:
        rests_first = "a long rest comes first (`rest long`)"
        raise Refused(f"{rowed[0]} has rowed all day: {rests_first}; `longer` is 1 exhaustion")
    if tired:
        ctx.emit(
            NoteAdded(
                f"{names_with_verb(tired, 'has', 'have')} had no long rest since the last 8 hours"
            )
        )
    ctx.emit(*(UseCounted(combatant.id, way, DAY) for combatant in args.people))


def refuse_on_the_way(ctx: Context) -> None:
    """Raises Refused for a short rest of those who travel overland (Overland Travel)."""
    walked = (combatant for combatant in ctx.state.combatants if combatant.used(WALKED, DAY))
    found = next((combatant for combatant in walked if combatant.life != "dead"), None)
    if found is not None:
        raise Refused(
            f"{found.name} travels overland: a long rest comes first; `rest short sheltered N` is "
            "one under a roof"
        )


def _sail(ctx: Context, args: TravelArgs, ship: dict[str, int]) -> None:
    """A ship's duration: along a river a hex more or less, and once more for exhaustion.

    What goes by hands alone needs rest; all others travel day and night.
    """
    if args.mounted:
        raise Refused(f"nobody rides on a {args.how}")
    if args.stream and not ship["river"]:
        raise Refused(f"no {args.how} sails on a river")
    if ship["hours"] < 24:
        _take_day(ctx, args, ROWED)
    by_stream = {"": 0, "upstream": -1, "downstream": 1}[args.stream]
    times = 2 if args.longer else 1
    outcome = _luck(ctx, args)
    for combatant in args.people:
        rests.reset_uses(ctx, combatant.id, JOURNEY)
        if args.longer:
            damage.mark_exhaustion(ctx, combatant.id, 1, "as long again")
    way = _a_way((ship["hexes"] + by_stream) * times)
    ctx.emit(NoteAdded(f"{way} in {ship['hours'] * times} hours"))
    ctx.text = _log_text(args, " ".join(filter(None, (f"by {args.how}", args.stream))), outcome)


def _luck(ctx: Context, args: TravelArgs, pace: str = "") -> Outcome:
    """The group's luck roll, by the day's pace overland, and the 2 fatigue that each of them is
    (Long-Distance Travel)."""
    more = StatPart(ctx.tables.economy["paces"][pace]["check"] if pace else 0, f"{pace} pace")
    asked = checks.CheckArgs(args.people, "luck", args.dice, terms=args.terms, more=(more,))
    outcome = checks.together(ctx, [asked])
    for combatant in args.people:
        damage.mark_fatigue(ctx, combatant.id, ctx.tables.economy["travel_fatigue"], "on the way")
    return outcome


def _a_way(hexes: int) -> str:
    """`2 hexes, about 24 miles,`."""
    return f"{hexes} hex{'' if hexes == 1 else 'es'}, about {hexes * MILES_OF_A_HEX} miles,"


def _log_text(args: TravelArgs, how: str, outcome: Outcome) -> str:
    return f"{join_names(args.people)} travel {how}, {outcome}: {COMPLICATIONS[outcome]}"


class ForageArgs(Struct, frozen=True):
    """What `forage` says."""

    people: Annotated[
        list[Combatant], arguments.combatants_arg("who forages", asks="targets:several")
    ]
    dice: Annotated[
        list[DieInput], shared_checks.die_arg(checks.OUTCOMES, "people", asks="outcome:each")
    ]
    terms: Annotated[checks.CheckModifiers, arguments.keyword_args(checks.CheckModifiers)] = (
        checks.CheckModifiers()
    )


def _forage(ctx: Context, args: ForageArgs) -> None:
    """A group focus roll of those who travel slowly, on foot; who tracks them has −2."""
    rests.require_no_fight(ctx)
    hasty = [combatant.name for combatant in args.people if not combatant.used(SLOWLY, JOURNEY)]
    if hasty:
        raise Refused(f"{hasty[0]} forages only on a day of slow travel on foot, and once in it")
    outcome = checks.together(
        ctx, [checks.CheckArgs(args.people, "focus", args.dice, terms=args.terms)]
    )
    for combatant in args.people:
        rests.reset_uses(ctx, combatant.id, JOURNEY)
    found = gather(ctx, outcome, "foraged")
    ctx.emit(NoteAdded("whoever tracks them has −2"))
    ctx.text = f"{join_names(args.people)} forage, {outcome}: {supplies_in_words(found)}"


def gather(ctx: Context, outcome: Outcome, why: str) -> int:
    """Supplies that a focus roll finds: 1 by a weak hit, 2 by a strong one; gives how many."""
    found = {"weak": 1, "strong": 2, "crit": 2}.get(outcome, 0)
    if found:
        ctx.emit(TrackChanged("", SUPPLIES, found, why=why))
    return found


class SuppliesArgs(Struct, frozen=True):
    """What `supplies` says."""

    amount: Annotated[int, arguments.number_arg("how many (negative: spent)", -999, 999, "+N|-N")]
    why: Annotated[str, arguments.text_arg("what for", usage='"WHY"')] = ""


def _supplies(ctx: Context, args: SuppliesArgs) -> None:
    spend(ctx, -args.amount, args.why)
    does = "spends" if args.amount < 0 else "gains"
    ctx.text = f"The party {does} {supplies_in_words(abs(args.amount))}"


def spend(ctx: Context, amount: int, why: str) -> None:
    """Spend the party's supplies, or gain them. Raises Refused for more than there are."""
    left = ctx.state.gm(SUPPLIES)
    if amount > left:
        raise Refused(f"the party has {supplies_in_words(left)}, not {amount}")
    if amount:
        ctx.emit(TrackChanged("", SUPPLIES, -amount, why=why))


def spend_if_kept(ctx: Context, amount: int, why: str) -> None:
    """Spend supplies where the party has ever had some; else tell how they are given.

    Raises Refused for more than there are.
    """
    if SUPPLIES in ctx.state.tracks:
        spend(ctx, amount, why)
    elif amount:
        ctx.emit(NoteAdded("nobody counts the party's supplies: `supplies +N` gives it some"))


def supplies_in_words(count: int) -> str:
    """`1 supply`, `2 supplies`."""
    return f"{count} {'supply' if count == 1 else 'supplies'}"


TRAVEL_VERBS = (
    declare_command(
        "travel", "a day's way, or a ship's, with the group's luck roll", TravelArgs, _travel
    ),
    declare_command("forage", "supplies for those who travel slowly, on foot", ForageArgs, _forage),
    declare_command("supplies", "what the party gains or spends of them", SuppliesArgs, _supplies),
)

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
"""What the hours of every rest reset, a broken one's too."""
_EXTRA = arguments.number_arg("the extra activities", 0, 9)
_GIVEN = arguments.number_arg("the supplies given", 1, 999)


class RestArgs(Struct, frozen=True):
    """What is said of a rest's hours.

    sheltered  in comfort, which has time for so many activities more
    supplies   what an inn or a host gives
    broken     strenuous activity of more than an hour came in between
    besides    who rests beside the party
    """

    sheltered: Annotated[int, arguments.keyword_arg("sheltered", _EXTRA)] = 0
    supplies: Annotated[int, arguments.keyword_arg("supplies", _GIVEN)] = 0
    broken: Annotated[bool, arguments.flag_arg()] = False
    besides: Annotated[list[Combatant], rests.BESIDES] = []


def _rest(ctx: Context, tokens: TokenStream) -> None:
    rests.require_no_fight(ctx)
    is_begun = tokens.peek() not in KINDS and tokens.is_people()
    kind = "" if is_begun else tokens.choice("the kind of rest", KINDS)
    hours = RestArgs() if is_begun else parse_arguments(RestArgs, ctx, tokens)
    if tokens.done or hours != RestArgs():
        tokens.offered.extend(c.id for c in ctx.state.combatants)
        _pass_hours(ctx, kind, hours)
        return
    people = tokens.combatants("who does something in the rest")
    done = tokens.for_each(people, lambda _, combatant: _activities(ctx, tokens, kind, combatant))[
        0
    ]
    ctx.text = (
        f"{join_names(people)} in {_a_rest(kind or _kind_of(people[0]))}: {join_or(done, 'and')}"
    )


def _activities(ctx: Context, tokens: TokenStream, kind: str, combatant: Combatant) -> list[str]:
    """All that somebody does, at least one thing."""
    kind = kind or _kind_of(combatant)
    done = [_do(ctx, tokens, kind, combatant.id)]
    while not tokens.done:
        done.append(_do(ctx, tokens, kind, combatant.id))
    return done


def _kind_of(combatant: Combatant) -> str:
    """The kind of the rest whose hours have passed for somebody. Raises Refused for none."""
    found = next((kind for kind in KINDS if combatant.used(BEGAN, _span_of(kind))), "")
    if not found:
        raise Refused(
            f"{combatant.name} has had no rest: `rest short`, `rest long` or `rest extended`"
        )
    return found


# -- the hours -------------------------------------------------------------------------------------


def _pass_hours(ctx: Context, kind: str, hours: RestArgs) -> None:
    """What a rest does by itself, to everybody. Raises Refused for one that there can't be now."""
    if hours.broken:
        _break_off(ctx, kind, hours)
        return
    if kind == "short" and not hours.sheltered:
        refuse_on_the_way(ctx)
    _count_short_rests(ctx, kind)
    resting = rests.taking_part(ctx, hours.besides)
    dying_yet = [combatant for combatant in resting if combatant.life == "dying"]
    if dying_yet:  # they roll every 6 seconds, long before an hour has passed (Death & Dying)
        each = "every 6 seconds a luck roll, `death NAME OUTCOME`, until they are stable or dead"
        ctx.emit(NoteAdded(f"{names_with_verb(dying_yet, 'is', 'are')} dying: {each}"))
    for combatant in resting:
        rests.apply_rest(ctx, combatant.id, TIME, _a_rest(kind))
        if kind != "short":
            _after_hours(ctx, combatant.id, _a_rest(kind))
        rests.stand_up(ctx, combatant.id)
        ctx.emit(UseCounted(combatant.id, BEGAN, _span_of(kind)))
        ctx.emit(*[UseCounted(combatant.id, EXTRA, _span_of(kind))] * hours.sheltered)
    if kind != "short":
        ctx.emit(TrackChanged("", "threads", 1, why=_a_rest(kind)))
    spend(ctx, -hours.supplies, "the hosts give")
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


def _break_off(ctx: Context, kind: str, hours: RestArgs) -> None:
    """More than an hour of strenuous activity came in between: no extended rest.

    Raises Refused for the other kinds, of which no rule says what breaks them.
    """
    if kind != "extended":
        raise Refused(f"only an extended rest is broken off: {_a_rest(kind)} waits, or is taken")
    for combatant in rests.taking_part(ctx, hours.besides):
        rests.apply_rest(ctx, combatant.id, TIME, "hours have passed")
        ctx.emit(*(UseCounted(combatant.id, what, _span_of(kind)) for what in (BEGAN, BROKEN)))
    ctx.text = f"{_a_rest(kind).capitalize()} is broken off, and brings nothing"


def _after_hours(ctx: Context, combatant_id: str, rest: str) -> None:
    """A long rest, or an extended one: a thread for those without any, holds are gone, the
    unconscious wake, and what is used so often a day is so again."""
    end_day(ctx, combatant_id)
    rests.reset_uses(ctx, combatant_id, DAY)
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


def _do(ctx: Context, tokens: TokenStream, kind: str, combatant_id: str) -> str:
    """Read an activity with what belongs to it, have it done, and give its name.

    Raises Refused for who has no time left for it, and for one that the rest has no time for.
    """
    _take_time(ctx, kind, combatant_id)
    rows = {name: row for name, row in ctx.tables.activities.items() if kind in row.rests}
    name = _read_name(tokens, rows)
    _refuse_twice(ctx, combatant_id, name, kind)
    row = rows[name]
    for amount in row.spends.values():
        spend_if_kept(ctx, amount, name)
    if row.heals:
        require_hp(ctx.state[combatant_id], "healed")
        most = ctx.state[combatant_id].tracks["hp"].max or 0
        damage.heal(ctx, combatant_id, most * row.heals // 100, name)
    for track, amount in row.clears.items():
        clear_track(ctx, combatant_id, track, amount, name)
    if row.note:
        ctx.emit(NoteAdded(f"{ctx.state.name(combatant_id)} {row.note}"))
    if name in _DONE:
        _DONE[name](ctx, tokens, kind, ctx.state[combatant_id])
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


def _read_name(tokens: TokenStream, rows: Collection[str]) -> str:
    """Read which of these activities it is, by our word or as the rules write it out."""
    written = {text: name for text, name in _WRITTEN.items() if name in rows}
    if not tokens.done and (text := tokens.take(*written)):
        return written[text]
    return tokens.choice("a downtime activity", rows)


def _refuse_twice(ctx: Context, combatant_id: str, name: str, kind: str) -> None:
    """Raises Refused for what somebody has done in this rest: activities are different ones."""
    done = f"{ACTIVITY} {name}"
    if ctx.state[combatant_id].used(done, _span_of(kind)):
        raise Refused(
            f"{ctx.state.name(combatant_id)} has had {name} in this rest: say another activity"
        )
    ctx.emit(UseCounted(combatant_id, done, _span_of(kind)))


def _take_time(ctx: Context, kind: str, combatant_id: str) -> None:
    """Count an activity. Raises Refused for who can do nothing, or has done enough."""
    person, span, rest = ctx.state[combatant_id], _span_of(kind), _a_rest(kind)
    barred = why_forbidden(ctx.tables, ctx.state, person, "rest")
    if barred:
        raise Refused(f"{person.name} can do nothing in a rest: {barred}")
    if person.used(BROKEN, span):
        raise Refused(f"{rest} was broken off: nobody does anything in it")
    had, most = person.used(ACTIVITY, span), MOST_ACTIVITIES[kind] + person.used(EXTRA, span)
    if had >= most:
        has_had = f"{person.name} has had {had}; `rest {kind}` begins another"
        raise Refused(f"{rest} has time for {most}, and {has_had}")
    ctx.emit(UseCounted(combatant_id, ACTIVITY, span))


# -- those that ask for more -----------------------------------------------------------------------


def _tend(ctx: Context, tokens: TokenStream, kind: str, combatant: Combatant) -> None:
    """Tend to Wounds: a quarter of the maximum HP for each supply; 2 at most in a short rest."""
    named = not tokens.has_number() and tokens.is_combatant()
    whom = tokens.combatant("whose wounds") if named else combatant
    supplies = tokens.maybe_number(1, "the supplies spent", 1)
    if kind == "short" and supplies > MOST_TENDED:
        raise tokens.refuse(f"a short rest has time for {MOST_TENDED} supplies at most")
    require_hp(whom, "healed")
    spend_if_kept(ctx, supplies, "tended in a rest")
    quarter = (whom.tracks["hp"].max or 0) // 4
    damage.heal(ctx, whom.id, quarter * supplies, "tended in a rest")


def _clear(ctx: Context, tokens: TokenStream, kind: str, combatant: Combatant) -> None:
    """Clear Fatigue: 2 in a short rest; all in a long one, and exhaustion at a supply a mark."""
    is_long = kind == "long"
    damage.clear_fatigue(ctx, combatant.id, ALL if is_long else 2, _a_rest(kind))
    supplies = tokens.maybe_number(0, "the supplies spent") if is_long else 0
    cleared = damage.clear_marks(ctx, combatant.id, "exhaustion", supplies, "rested")
    spend_if_kept(ctx, cleared, "rested")


def _roll(ctx: Context, tokens: TokenStream, combatant_id: str, ability: str) -> Outcome:
    die, terms = checks.read_roll(ctx, tokens)
    return checks.make_checks(
        ctx, checks.CheckArgs([ctx.state[combatant_id]], ability, [die], terms=terms)
    )[0]


def _gather(ctx: Context, tokens: TokenStream, kind: str, combatant: Combatant) -> None:
    """Gather Supplies: a focus roll finds 1 or 2."""
    outcome = _roll(ctx, tokens, combatant.id, "focus")
    found = supplies_in_words(gather(ctx, outcome, "gathered in a rest"))
    ctx.emit(NoteAdded(f"{combatant.name} gathers {found}: {outcome}"))


def _watch(ctx: Context, tokens: TokenStream, kind: str, combatant: Combatant) -> None:
    """Take Watch: 2 hours, a focus roll against the GM's DC."""
    outcome = _roll(ctx, tokens, combatant.id, "focus")
    ctx.emit(NoteAdded(f"{combatant.name} watches for 2 hours: {outcome}"))


def _prepare(ctx: Context, tokens: TokenStream, kind: str, combatant: Combatant) -> None:
    """Prepare, alone or with others: `prepare ["FOR WHAT"] [with NAME[,NAME]]`."""
    note = str(tokens.next("for what")) if tokens.upcoming.quoted else "prepared in a rest"
    named = tokens.combatants("who prepares for the same") if tokens.take("with") else []
    others = [each.id for each in named if each.id != combatant.id]
    if others:
        _prepare_together(ctx, kind, combatant.id, others, note)
        return
    ctx.emit(UseCounted(combatant.id, ALONE, _span_of(kind)))
    if combatant.named(PREPARED) is None:
        begin_effect(ctx, combatant.id, PREPARED, Duration("use"), note=note)
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


def _project(ctx: Context, tokens: TokenStream, kind: str, combatant: Combatant) -> None:
    """Work on a Project: `project "NAME" [ABILITY OUTCOME [WORDS] ...]`."""
    name = _read_project(tokens)
    for _ in range(2 if kind == "extended" else 1):
        clock = next(clock for clock in ctx.state.clocks if clock.name == name)
        if clock.value:
            count_down(ctx, clock)
    while tokens.peek() in ABILITIES:
        if kind == "extended":
            give_forward(ctx, combatant.id, {EVERY: 2}, f"working on {name}")
        _roll(ctx, tokens, combatant.id, tokens.choice("an ability", ABILITIES))


def _read_project(tokens: TokenStream) -> str:
    """Read the name of a countdown that isn't over. Raises Refused, naming those there are."""
    running = (c for c in tokens.state.clocks if c.value and not c.is_race)
    by_name = {clock.name.casefold(): clock.name for clock in running}
    if not by_name:
        raise tokens.refuse('a project has a countdown: `clock "NAME" STEPS` begins one')
    return by_name[tokens.choice("the project's countdown", by_name)]


def _level_up(ctx: Context, tokens: TokenStream, kind: str, combatant: Combatant) -> None:
    """Level Up: told, with the XP; whether they are enough is the GM's word.

    A new `tier` is 1 PB more, and room for 1 thread more (Proficiencies, Threads of Fate).
    """
    if tokens.take("tier"):
        more = combatant.number("pb") + 1
        ctx.emit(
            StatChanged(combatant.id, "pb", more),
            TrackChanged(combatant.id, "threads", max=more, why="PB"),
        )
    ctx.emit(
        NoteAdded(f"{combatant.name} goes up a level, if {combatant.track('xp')} XP are enough")
    )


def _job(ctx: Context, tokens: TokenStream, kind: str, combatant: Combatant) -> None:
    """Get a Job: `job [GOLD]`, as much as the GM says."""
    gold = tokens.maybe_number(0, "the gold that it brings")
    tokens.take("gold")
    if gold and GOLD in combatant.stats:
        ctx.emit(StatChanged(combatant.id, GOLD, combatant.number(GOLD) + gold))
    earned = f"{gold} gold" if gold else "what the GM says"
    ctx.emit(NoteAdded(f"{combatant.name} earns {earned}"))


_DONE: dict[str, Callable[[Context, TokenStream, str, Combatant], None]] = {
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

RESTS_VERBS = (
    Command(
        "rest",
        f"rest short|long|extended {arguments_usage(RestArgs)} | "
        "rest [short|long|extended] NAME[,NAME] ACTIVITY [ACTIVITY] "
        "(tend [NAME] [SUPPLIES], clear [SUPPLIES], gather OUTCOME [WORDS], "
        'prepare ["FOR WHAT"] [with NAME[,NAME]], watch OUTCOME [WORDS], '
        'project "NAME" [ABILITY OUTCOME [WORDS]], preparations, recuperate, '
        "level-up [tier], job [GOLD])",
        "lets a rest pass, or says what somebody does in it",
        _rest,
    ),
)

VERBS = (*TRAVEL_VERBS, *RESTS_VERBS)
