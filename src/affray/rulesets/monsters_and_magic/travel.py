"""Long ways: travelling, foraging, and the party's supplies.

A way is told by two commands, `travel` for a day, or a vehicle's duration, with the group's luck
roll, and `forage`. More rolls in a day through the wild are `travel roll`.

Seed 004: Long-Distance Travel, Overland Travel, Sea and Air Travel; of supplies, Rest & Recovery.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.events import Changed, Noted, Used
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import names, they
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit import rests, rolls
from affray.rulekit.numbers import Part
from affray.rulekit.rolls import Die
from affray.rulesets.monsters_and_magic import checks, harm
from affray.rulesets.monsters_and_magic.checks import Outcome

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


def _hows(reading: Reading) -> list[str]:
    economy = reading.ctx.tables.economy
    return [*economy["paces"], *economy["vehicles"], ROLL]


class Journey(Struct, frozen=True):
    """What `travel` says.

    mounted  ridden, or in a vehicle drawn by animals
    stream   of a river: with it, or against it
    longer   another duration of a vehicle's, for 1 exhaustion
    """

    how: Annotated[str, arguments.choice("how", _hows, "PACE|VEHICLE|roll")]
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
        _sail(ctx, said, economy["vehicles"][said.how])
    elif said.stream or said.longer:
        raise Refused(f"`{said.stream or 'longer'}` is said of ships and boats")
    elif said.how == ROLL:
        pace = next((name for who in said.people for name in _paces_of(ctx, who)), "")
        outcome = _luck(ctx, said, pace)
        ctx.text = _told(said, "on", outcome)
    else:
        _walk(ctx, said, economy["paces"][said.how])


def _walk(ctx: Context, said: Journey, pace: dict[str, int]) -> None:
    """A day overland: mounts and carts lead farther, haste tires (Overland Travel)."""
    hexes = pace["hexes"] + (ctx.tables.economy["mounted_hexes"] if said.mounted else 0)
    for who in said.people:
        end_day(ctx, who.id)
    _take_day(ctx, said, WALKED)
    outcome = _luck(ctx, said, said.how)
    for who in said.people:
        rests.forget(ctx, who.id, JOURNEY)
        ctx.emit(Used(who.id, said.how, PACE))
        if pace["exhaustion"] == 0 and not said.mounted:
            ctx.emit(Used(who.id, SLOWLY, JOURNEY))
    if pace["exhaustion"]:
        ctx.emit(Noted(f"{pace['exhaustion']} exhaustion each when the day is over"))
    ctx.emit(Noted(f"{_a_way(hexes)} in 8 hours: no short rest in them, and then a long one"))
    ctx.text = _told(said, f"at a {said.how} pace{', mounted' if said.mounted else ''}", outcome)


def _paces_of(ctx: Context, who: Combatant) -> list[str]:
    """The pace of the day that somebody is on; none for who doesn't travel overland."""
    return [name for name in ctx.tables.economy["paces"] if who.used(name, PACE)]


def end_day(ctx: Context, who: str) -> None:
    """A day's travel is over, by a long rest or by another day of it: what its pace costs is
    marked."""
    for name in _paces_of(ctx, ctx.state[who]):
        cost = ctx.tables.economy["paces"][name]["exhaustion"]
        harm.mark_exhaustion(ctx, who, cost, f"a {name} pace")
    rests.forget(ctx, who, PACE)


def _take_day(ctx: Context, said: Journey, way: str) -> None:
    """Their hours of walking or rowing, after which they need a long rest.

    On foot that is the usual (Overland Travel), and who goes on is told. Raises Refused for who
    has rowed and would row on (Sea and Air Travel).
    """
    tired = [who for who in said.people if who.used(WALKED, DAY) or who.used(ROWED, DAY)]
    rowed = [who.name for who in tired if who.used(ROWED, DAY)]
    if rowed and way == ROWED:
        rests_first = "a long rest comes first (`rest long`)"
        raise Refused(f"{rowed[0]} has rowed all day: {rests_first}; `longer` is 1 exhaustion")
    if tired:
        ctx.emit(Noted(f"{they(tired, 'has', 'have')} had no long rest since the last 8 hours"))
    ctx.emit(*(Used(who.id, way, DAY) for who in said.people))


def refuse_on_the_way(ctx: Context) -> None:
    """Raises Refused for a short rest of those who travel overland (Overland Travel)."""
    walked = (who for who in ctx.state.combatants if who.used(WALKED, DAY))
    found = next((who for who in walked if who.life != "dead"), None)
    if found is not None:
        raise Refused(
            f"{found.name} travels overland: a long rest comes first; `rest short sheltered N` is "
            "one under a roof"
        )


def _sail(ctx: Context, said: Journey, ship: dict[str, int]) -> None:
    """A ship's duration: along a river a hex more or less, and once more for exhaustion.

    What goes by hands alone needs rest; all others travel day and night.
    """
    if said.mounted:
        raise Refused(f"nobody rides on a {said.how}")
    if said.stream and not ship["river"]:
        raise Refused(f"no {said.how} sails on a river")
    if ship["hours"] < 24:
        _take_day(ctx, said, ROWED)
    by_stream = {"": 0, "upstream": -1, "downstream": 1}[said.stream]
    times = 2 if said.longer else 1
    outcome = _luck(ctx, said)
    for who in said.people:
        rests.forget(ctx, who.id, JOURNEY)
        if said.longer:
            harm.mark_exhaustion(ctx, who.id, 1, "as long again")
    way = _a_way((ship["hexes"] + by_stream) * times)
    ctx.emit(Noted(f"{way} in {ship['hours'] * times} hours"))
    ctx.text = _told(said, " ".join(filter(None, (f"by {said.how}", said.stream))), outcome)


def _luck(ctx: Context, said: Journey, pace: str = "") -> Outcome:
    """The group's luck roll, by the day's pace overland, and the 2 fatigue that each of them is
    (Long-Distance Travel)."""
    more = Part(ctx.tables.economy["paces"][pace]["check"] if pace else 0, f"{pace} pace")
    asked = checks.Said(said.people, "luck", said.dice, terms=said.terms, more=(more,))
    outcome = checks.together(ctx, [asked])
    for who in said.people:
        harm.mark_fatigue(ctx, who.id, ctx.tables.economy["travel_fatigue"], "on the way")
    return outcome


def _a_way(hexes: int) -> str:
    """`2 hexes, about 24 miles,`."""
    return f"{hexes} hex{'' if hexes == 1 else 'es'}, about {hexes * MILES_OF_A_HEX} miles,"


def _told(said: Journey, how: str, outcome: Outcome) -> str:
    return f"{names(said.people)} travel {how}, {outcome}: {COMPLICATIONS[outcome]}"


class Foraging(Struct, frozen=True):
    """What `forage` says."""

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
    """What `supplies` says."""

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


def spend_if_kept(ctx: Context, amount: int, why: str) -> None:
    """Spend supplies where the party has ever had some; else tell how they are given.

    Raises Refused for more than there are.
    """
    if SUPPLIES in ctx.state.tracks:
        spend(ctx, amount, why)
    elif amount:
        ctx.emit(Noted("nobody counts the party's supplies: `supplies +N` gives it some"))


def supplies_in_words(count: int) -> str:
    """`1 supply`, `2 supplies`."""
    return f"{count} {'supply' if count == 1 else 'supplies'}"


VERBS = (
    declare("travel", "a day's way, or a ship's, with the group's luck roll", Journey, _travel),
    declare("forage", "supplies for those who travel slowly, on foot", Foraging, _forage),
    declare("supplies", "what the party gains or spends of them", Supplying, _supplies),
)
