"""Rests and long ways: what hours bring, downtime activities, travelling and foraging.

A way is told by two commands, `travel` for a day, or a vehicle's duration, with the group's luck
roll, and `forage`. More rolls in a day through the wild are `travel roll`.

Seed 004: Rest & Recovery, Threads of Fate, Conditions & Statuses, Long-Distance Travel, Overland
Travel, Sea and Air Travel.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Struct, convert
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, forbidden
from affray.core.heart.events import Changed, Noted, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb, declare
from affray.rulekit import harm, levels, rests, rolls
from affray.rulekit.placing import begin
from affray.rulekit.rolls import Die
from affray.rulesets.monsters_and_magic import checks, damage, dying, fatigue
from affray.rulesets.monsters_and_magic.checks import Outcome
from affray.rulesets.monsters_and_magic.tracks import is_hold

KINDS = ("short", "long", "extended")
SHORT_RESTS_IN_A_ROW = 3
ACTIVITIES = {
    "short": ("tend", "clear", "prepare"),
    "long": ("tend", "clear", "prepare"),
    "extended": ("recuperate",),
}
MOST_ACTIVITIES = {"short": 2, "long": 2, "extended": 1}
ACTIVITY = "activity"
"""What is counted of a rest's downtime activities, in a span for each kind of rest."""
HOURS = rests.Rest(
    ends=("turn", "round", "fight", "rest"),
    forgets=("rest", *(f"{kind} rest" for kind in KINDS)),
)
"""What every rest resets."""


def _rest(ctx: Context, words: Words) -> None:
    kind = words.choice("the kind of rest", KINDS)
    rests.refuse_in_a_fight(ctx)
    if words.done:
        words.offered.extend(c.id for c in ctx.state.combatants)
        _pass_hours(ctx, kind)
        ctx.text = f"{_a(kind)} rest".capitalize()
        return
    people = words.combatants("who does something in the rest")
    for who in people:
        barred = forbidden(ctx.tables, ctx.state, who, "rest")
        if barred:
            raise Refused(f"{who.name} can do nothing in a rest: {barred}")
    done = words.for_each(people, lambda _, who: _activities(ctx, words, kind, who))[0]
    ctx.text = f"{names(people)} in {_a(kind)} rest: {listed(done, 'and')}"


def _a(kind: str) -> str:
    return f"{'an' if kind == 'extended' else 'a'} {kind}"


def _pass_hours(ctx: Context, kind: str) -> None:
    """What a rest does by itself, to everybody."""
    taken = ctx.state.gm("short_rests")
    if kind == "short":
        if taken >= SHORT_RESTS_IN_A_ROW:
            raise Refused("no more than 3 short rests in a row: take a long rest")
        ctx.emit(Changed("", "short_rests", 1, routine=True))
    elif taken:
        ctx.emit(Changed("", "short_rests", -taken, routine=True))
    for combatant in rests.living(ctx):
        rests.reset(ctx, combatant.id, HOURS, f"a {kind} rest")
        if kind != "short":
            _after_hours(ctx, combatant.id)
        if ctx.state[combatant.id].life == "up":
            end_named(ctx, combatant.id, "prone", "stands up")
    if kind != "short":
        ctx.emit(Changed("", "threads", 1, why="a long rest"))


def _after_hours(ctx: Context, who: str) -> None:
    """A long rest: a thread for those without any, holds are gone, the unconscious wake."""
    combatant = ctx.state[who]
    if combatant.kind == "pc" and combatant.track("threads") == 0 and combatant.room("threads"):
        ctx.emit(Changed(who, "threads", 1, why="a long rest"))
    for name in filter(partial(is_hold, ctx.tables), combatant.tracks):
        rests.set_track(ctx, who, name, 0, "a long rest")
    dying.wake_from_exhaustion(ctx, who, "a long rest")
    if ctx.state[who].life == "stable":
        dying.rise(ctx, who, "a long rest")


def _activities(ctx: Context, words: Words, kind: str, who: Combatant) -> list[str]:
    done: list[str] = []
    while not (words.done and done):
        had = ctx.state[who.id].used(ACTIVITY, _span(kind))
        if had >= MOST_ACTIVITIES[kind]:
            raise words.refuse(
                f"{_a(kind)} rest has time for {MOST_ACTIVITIES[kind]}, and {who.name} has had "
                f"{had}; `rest {kind}` begins another"
            )
        what = words.choice("a downtime activity", ACTIVITIES[kind])
        ctx.emit(Used(who.id, ACTIVITY, _span(kind)))
        _ACTIVITIES[what](ctx, words, kind, who.id)
        done.append(what)
    return done


def _span(kind: str) -> str:
    """The span in which the activities of a kind of rest are counted, until hours pass again."""
    return f"{kind} rest"


def _tend(ctx: Context, words: Words, kind: str, who: str) -> None:
    """Tend to Wounds: a quarter of the maximum HP for each supply; 2 at most in a short rest."""
    named = not words.has_number() and words.is_combatant()
    whom = words.combatant("whose wounds").id if named else who
    supplies = words.maybe_number(1, "the supplies spent", 1)
    if kind == "short" and supplies > 2:
        raise words.refuse("a short rest has time for 2 supplies at most")
    harm.require_hp(ctx.state[whom], "healed")
    quarter = (ctx.state[whom].tracks["hp"].max or 0) // 4
    damage.heal(ctx, whom, quarter * supplies, "tended in a rest")


def _clear(ctx: Context, words: Words, kind: str, who: str) -> None:
    """Clear Fatigue: 2 in a short rest; all in a long one, and exhaustion at a supply a mark."""
    fatigue.clear(ctx, who, 2 if kind == "short" else 99, f"a {kind} rest")
    supplies = words.maybe_number(0, "the supplies spent") if kind == "long" else 0
    levels.clear(ctx, who, "exhaustion", supplies, "rested")


def _prepare(ctx: Context, words: Words, kind: str, who: str) -> None:
    """Prepare: ready for one fitting roll on the road ahead."""
    if ctx.state[who].named("prepared") is None:
        begin(ctx, who, "prepared", Duration("use"), note="prepared in a rest")


def _recuperate(ctx: Context, words: Words, kind: str, who: str) -> None:
    """Recuperate: all HP, all fatigue and 2 exhaustion."""
    damage.heal(ctx, who, ctx.state[who].room("hp"), "recuperated")
    fatigue.clear(ctx, who, 99, "recuperated")
    levels.clear(ctx, who, "exhaustion", 2, "rested")


_ACTIVITIES = {"tend": _tend, "clear": _clear, "prepare": _prepare, "recuperate": _recuperate}


# -- on the way ------------------------------------------------------------------------------------


SUPPLIES = "supplies"
"""The party's track of supplies."""
ROLL = "roll"
JOURNEY, SLOWLY = "journey", "slowly"
"""The span in which it is counted how somebody travels, until the next day of it; and as what."""
COMPLICATIONS = {
    "miss": "a major complication: a danger to get past, or somebody is hurt",
    "weak": "a minor complication, that something spent gets past: a toll, a risk worth fatigue",
    "strong": "nothing comes in between",
}


class Pace(Struct, frozen=True):
    """How one travels overland: hexes in a day, what it adds to the group's check, exhaustion."""

    hexes: int
    check: int
    exhaustion: int


class Vehicle(Struct, frozen=True):
    """A ship: hexes in so many hours, and whether it goes on rivers, with or against the stream."""

    hexes: int
    hours: int
    river: bool


def _hows(ctx: Context) -> list[str]:
    economy = ctx.tables.economy
    return [*economy["paces"], *economy["vehicles"], ROLL]


class Journey(Struct, frozen=True):
    """`travel fast|normal|slow|VEHICLE|roll NAME[,NAME] OUTCOME ...`.

    mounted  ridden, or in a vehicle drawn by animals
    stream   of a river: with it, or against it
    longer   another duration of a vehicle's, for 1 exhaustion
    """

    how: Annotated[str, arguments.choice("how", lambda r: _hows(r.ctx), "PACE|VEHICLE|roll")]
    people: Annotated[list[Combatant], arguments.people("who travels", asks="targets:several")]
    dice: Annotated[list[Die], rolls.die_said(checks.OUTCOMES, "people", asks="outcome:each")]
    mounted: Annotated[bool, arguments.flag()] = False
    stream: Annotated[str, arguments.one_of("upstream", "downstream")] = ""
    longer: Annotated[bool, arguments.flag()] = False
    terms: Annotated[checks.Terms, arguments.words_of(checks.Terms)] = checks.Terms()


def _travel(ctx: Context, said: Journey) -> None:
    rests.refuse_in_a_fight(ctx)
    economy = ctx.tables.economy
    if said.how in economy["vehicles"]:
        _sail(ctx, said, convert(economy["vehicles"][said.how], Vehicle))
    elif said.stream or said.longer:
        raise Refused(f"`{said.stream or 'longer'}` is said of ships and boats")
    elif said.how == ROLL:
        outcome = _luck(ctx, said, 0)
        ctx.text = f"{names(said.people)} travel on, {outcome}: {COMPLICATIONS[outcome]}"
    else:
        _walk(ctx, said, convert(economy["paces"][said.how], Pace))


def _walk(ctx: Context, said: Journey, pace: Pace) -> None:
    """A day overland: mounts and carts lead farther, haste tires (Overland Travel)."""
    hexes = pace.hexes + (int(ctx.tables.economy["mounted_hexes"]) if said.mounted else 0)
    outcome = _luck(ctx, said, pace.check)
    for who in said.people:
        rests.forget(ctx, who.id, JOURNEY)
        fatigue.mark_exhaustion(ctx, who.id, pace.exhaustion, f"a {said.how} pace")
        if pace.exhaustion == 0 and not said.mounted:
            ctx.emit(Used(who.id, SLOWLY, JOURNEY))
    ctx.emit(Noted(f"{_a_way(hexes)} in 8 hours: no short rest in them, and then a long one"))
    ctx.text = _told(said, f"at a {said.how} pace{', mounted' if said.mounted else ''}", outcome)


def _sail(ctx: Context, said: Journey, ship: Vehicle) -> None:
    """A ship's duration: along a river a hex more or less, and once more for exhaustion."""
    if said.mounted:
        raise Refused(f"nobody rides on a {said.how}")
    if said.stream and not ship.river:
        raise Refused(f"no {said.how} sails on a river")
    by_stream = {"": 0, "upstream": -1, "downstream": 1}[said.stream]
    hexes = (ship.hexes + by_stream) * (2 if said.longer else 1)
    outcome = _luck(ctx, said, 0)
    for who in said.people:
        rests.forget(ctx, who.id, JOURNEY)
        if said.longer:
            fatigue.mark_exhaustion(ctx, who.id, 1, "as long again")
    ctx.emit(Noted(f"{_a_way(hexes)} in {ship.hours * (2 if said.longer else 1)} hours"))
    ctx.text = _told(said, " ".join(filter(None, (f"by {said.how}", said.stream))), outcome)


def _luck(ctx: Context, said: Journey, bonus: int) -> Outcome:
    """The group's luck roll, and the 2 fatigue that each of them is (Long-Distance Travel)."""
    terms = replace(said.terms, plus=said.terms.plus + bonus)
    outcome = checks.together(ctx, [checks.Said(said.people, "luck", said.dice, terms=terms)])
    for who in said.people:
        fatigue.mark(ctx, who.id, int(ctx.tables.economy["travel_fatigue"]), "on the way")
    return outcome


def _a_way(hexes: int) -> str:
    return f"{hexes} hex{'' if hexes == 1 else 'es'}"


def _told(said: Journey, how: str, outcome: Outcome) -> str:
    return f"{names(said.people)} travel {how}, {outcome}: {COMPLICATIONS[outcome]}"


class Foraging(Struct, frozen=True):
    """`forage NAME[,NAME] OUTCOME ...`."""

    people: Annotated[list[Combatant], arguments.people("who forages", asks="targets:several")]
    dice: Annotated[list[Die], rolls.die_said(checks.OUTCOMES, "people", asks="outcome:each")]
    terms: Annotated[checks.Terms, arguments.words_of(checks.Terms)] = checks.Terms()


def _forage(ctx: Context, said: Foraging) -> None:
    """A group focus roll of those who travel slowly, on foot; who tracks them has −2."""
    rests.refuse_in_a_fight(ctx)
    hasty = [who.name for who in said.people if not who.used(SLOWLY, JOURNEY)]
    if hasty:
        raise Refused(f"{hasty[0]} forages only on a day of slow travel on foot, and once in it")
    outcome = checks.together(ctx, [checks.Said(said.people, "focus", said.dice, terms=said.terms)])
    for who in said.people:
        rests.forget(ctx, who.id, JOURNEY)
    found = gather(ctx, outcome, "foraged")
    ctx.emit(Noted("whoever tracks them has −2"))
    ctx.text = f"{names(said.people)} forage, {outcome}: {supplies_in_words(found)}"


def gather(ctx: Context, outcome: Outcome, why: str) -> int:
    """Supplies that a focus roll finds: 1 by a weak hit, 2 by a strong one; gives how many."""
    found = {"weak": 1, "strong": 2, "crit": 2}.get(outcome, 0)
    if found:
        ctx.emit(Changed("", SUPPLIES, found, why=why))
    return found


class Supplying(Struct, frozen=True):
    """`supplies +N|-N ["WHY"]`."""

    amount: Annotated[int, arguments.number("how many (negative: spent)", -999, 999, "+N|-N")]
    why: Annotated[str, arguments.text("what for", usage='"WHY"')] = ""


def _supplies(ctx: Context, said: Supplying) -> None:
    spend(ctx, -said.amount, said.why)
    does = "spends" if said.amount < 0 else "gains"
    ctx.text = f"The party {does} {supplies_in_words(abs(said.amount))}"


def spend(ctx: Context, amount: int, why: str) -> None:
    """Spend the party's supplies, or gain them. Raises Refused for more than there are."""
    left = ctx.state.gm(SUPPLIES)
    if amount > left:
        raise Refused(f"the party has {supplies_in_words(left)}, not {amount}")
    if amount:
        ctx.emit(Changed("", SUPPLIES, -amount, why=why))


def supplies_in_words(count: int) -> str:
    """`1 supply`, `2 supplies`."""
    return f"{count} {'supply' if count == 1 else 'supplies'}"


REST_VERBS = (
    Verb(
        "rest",
        "rest short|long|extended [NAME[,NAME] ACTIVITY [ACTIVITY]] "
        "(tend [NAME] [SUPPLIES], clear [SUPPLIES], prepare, recuperate)",
        "lets a rest pass, or says what somebody does in it",
        _rest,
    ),
)


TRAVEL_VERBS = (
    declare("travel", "a day's way, or a ship's, with the group's luck roll", Journey, _travel),
    declare("forage", "supplies for those who travel slowly, on foot", Foraging, _forage),
    declare("supplies", "what the party gains or spends of them", Supplying, _supplies),
)
