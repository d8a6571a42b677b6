"""Long ways: travelling, foraging, and the party's supplies.

A way is told by two commands, `travel` for a day, or a vehicle's duration, with the group's luck
roll, and `forage`. More rolls in a day through the wild are `travel roll`.

Monsters & Magic, Long-Distance Travel, Overland Travel, Sea and Air Travel; of supplies, Rest &
Recovery.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine.events import NoteAdded, TrackChanged, UseCounted
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context
from affray.mechanics import checks as shared_checks, rests
from affray.mechanics.stats import StatPart
from affray.rulesets.monsters_and_magic import checks, damage
from affray.rulesets.monsters_and_magic.checks import Outcome

SUPPLIES = "supplies"
"""The party's track of supplies."""
ROLL = "roll"
MILES_OF_A_HEX = 12
WALKED, ROWED, DAY = "walked", "rowed", "day"
"""The uses counted for those who did so all day, until a long rest."""
JOURNEY, SLOWLY = "journey", "slowly"
"""The span of somebody's way to travel, until the next day of travel; and the use counted in it."""
PACE = "pace"
"""The span of a day's pace: until the end of the day, when its price is marked."""
COMPLICATIONS = {
    "miss": "a major complication: a danger to get past, or somebody is hurt",
    "weak": "a minor complication, overcome by spending something: a toll, a risk worth fatigue",
    "strong": "no complication",
}


def _hows(reading: ParseState) -> list[str]:
    economy = reading.ctx.tables.economy
    return [*economy["paces"], *economy["vehicles"], ROLL]


_STREAM = arguments.anywhere_choice_arg(
    "upstream", "downstream", field=Field("said", ("upstream", "downstream"))
)


def _is_by_water(reading: ParseState) -> bool:
    return reading.values.get("how") in reading.ctx.tables.economy["vehicles"]


class TravelArgs(Struct, frozen=True):
    """The arguments of `travel`.

    mounted  ridden, or in a vehicle drawn by animals
    stream   of a river: with it, or against it
    longer   another duration of a vehicle's, for 1 exhaustion
    """

    how: Annotated[str, arguments.choice_arg("how", _hows, "PACE|VEHICLE|roll", Field("choice"))]
    people: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants who travel", field=Field("targets", ("several",))),
    ]
    dice: Annotated[
        list[DieInput],
        shared_checks.die_arg(checks.OUTCOMES, "people", field=Field("outcome", ("each",))),
    ]
    mounted: arguments.Heard = False
    stream: Annotated[str, replace(_STREAM, offered=_is_by_water)] = ""
    longer: Annotated[bool, replace(arguments.flag_arg(heard="longer"), offered=_is_by_water)] = (
        False
    )
    terms: Annotated[
        checks.CheckModifiers, arguments.keyword_args(checks.CheckModifiers, is_asked=False)
    ] = checks.CheckModifiers()


def _travel(ctx: Context, args: TravelArgs) -> None:
    rests.require_no_fight(ctx)
    economy = ctx.tables.economy
    if args.how in economy["vehicles"]:
        _sail(ctx, args, economy["vehicles"][args.how])
    elif args.stream or args.longer:
        raise Refused(f"`{args.stream or 'longer'}` is only for ships and boats")
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
        ctx.note(f"{pace['exhaustion']} exhaustion each at the end of the day")
    ctx.note(f"{_a_way(hexes)} in 8 hours: no short rest meanwhile, then a long one")
    ctx.text = _log_text(
        args, f"at a {args.how} pace{', mounted' if args.mounted else ''}", outcome
    )


def _paces_of(ctx: Context, combatant: Combatant) -> list[str]:
    """The pace of the day that somebody is on; none for who doesn't travel overland."""
    return [name for name in ctx.tables.economy["paces"] if combatant.used(name, PACE)]


def end_day(ctx: Context, combatant_id: str) -> None:
    """End a day's travel, with a long rest or the next day: mark the price of its pace."""
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
        raise Refused(f"{rowed[0]} has rowed all day: {rests_first}; `longer` costs 1 exhaustion")
    no_rest = "no long rest since the last 8 hours"
    ctx.emit(*(NoteAdded(no_rest, combatant.id, aside=True) for combatant in tired))
    ctx.emit(*(UseCounted(combatant.id, way, DAY) for combatant in args.people))


def refuse_on_the_way(ctx: Context) -> None:
    """Raises Refused for a short rest while travelling overland (Overland Travel)."""
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
    ctx.note(f"{way} in {ship['hours'] * times} hours")
    ctx.text = _log_text(args, " ".join(filter(None, (f"by {args.how}", args.stream))), outcome)


def _luck(ctx: Context, args: TravelArgs, pace: str = "") -> Outcome:
    """Make the group's luck roll, by the day's pace overland, and mark 2 fatigue each for it
    (Long-Distance Travel)."""
    more = StatPart(ctx.tables.economy["paces"][pace]["check"] if pace else 0, f"{pace} pace")
    asked = checks.CheckArgs(args.people, "luck", args.dice, terms=args.terms, more=(more,))
    outcome = checks.make_group_check(ctx, [asked])
    for combatant in args.people:
        damage.mark_fatigue(ctx, combatant.id, ctx.tables.economy["travel_fatigue"], "on the way")
    return outcome


def _a_way(hexes: int) -> str:
    """`2 hexes, about 24 miles,`."""
    return f"{hexes} hex{'' if hexes == 1 else 'es'}, about {hexes * MILES_OF_A_HEX} miles,"


def _log_text(args: TravelArgs, how: str, outcome: Outcome) -> str:
    who = names_with_verb(args.people, "travels", "travel")
    return f"{who} {how}, {outcome}: {COMPLICATIONS[outcome]}"


class ForageArgs(Struct, frozen=True):
    """The arguments of `forage`."""

    people: Annotated[
        list[Combatant],
        arguments.combatants_arg("the combatants who forage", field=Field("targets", ("several",))),
    ]
    dice: Annotated[
        list[DieInput],
        shared_checks.die_arg(checks.OUTCOMES, "people", field=Field("outcome", ("each",))),
    ]
    terms: Annotated[
        checks.CheckModifiers, arguments.keyword_args(checks.CheckModifiers, is_asked=False)
    ] = checks.CheckModifiers()


def _forage(ctx: Context, args: ForageArgs) -> None:
    """Make a group focus roll of those who travel slowly, on foot; trackers have −2."""
    rests.require_no_fight(ctx)
    hasty = [combatant.name for combatant in args.people if not combatant.used(SLOWLY, JOURNEY)]
    if hasty:
        raise Refused(
            f"{hasty[0]} forages only on a day of slow travel on foot, and only once a day"
        )
    outcome = checks.make_group_check(
        ctx, [checks.CheckArgs(args.people, "focus", args.dice, terms=args.terms)]
    )
    for combatant in args.people:
        rests.reset_uses(ctx, combatant.id, JOURNEY)
    found = gather(ctx, outcome, "foraged")
    ctx.note("whoever tracks them rolls with a penalty of 2")
    who = names_with_verb(args.people, "forages", "forage")
    ctx.text = f"{who}, {outcome}: {supplies_in_words(found)}"


def gather(ctx: Context, outcome: Outcome, why: str) -> int:
    """Supplies that a focus roll finds: 1 by a weak hit, 2 by a strong one; returns how many."""
    found = {"weak": 1, "strong": 2, "crit": 2}.get(outcome, 0)
    if found:
        ctx.emit(TrackChanged("", SUPPLIES, found, why=why))
    return found


class SuppliesArgs(Struct, frozen=True):
    """The arguments of `supplies`."""

    amount: Annotated[int, arguments.number_arg("how many (negative: spent)", -999, 999, "+N|-N")]
    why: Annotated[str, arguments.text_arg("the purpose", usage='"WHY"')] = ""


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


UNCOUNTED = NoteAdded("the party's supplies are not counted: `supplies N` gives it some")


def spend_if_kept(ctx: Context, amount: int, why: str) -> None:
    """Spend supplies if the party has ever had some; else tell how to give them. Raises Refused for
    more than there are.
    """
    if SUPPLIES in ctx.state.tracks:
        spend(ctx, amount, why)
    elif amount and UNCOUNTED not in ctx.events:
        ctx.emit(UNCOUNTED)


def supplies_in_words(count: int) -> str:
    """`1 supply`, `2 supplies`."""
    return f"{count} {'supply' if count == 1 else 'supplies'}"


COMMANDS = (
    declare_command(
        "travel", "travels for a day, or by ship, with the group's luck roll", TravelArgs, _travel
    ),
    declare_command(
        "forage", "looks for supplies, on a day of slow travel on foot", ForageArgs, _forage
    ),
    declare_command("supplies", "adds or spends the party's supplies", SuppliesArgs, _supplies),
)
