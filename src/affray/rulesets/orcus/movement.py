"""Movement: on foot, in the air, falls, and on the road.

How high somebody flies is the amount of its effect `flying`, in squares; 0 where nobody said.
What it flew since its last turn's end is counted under `flight/flown`, up to what keeps it up.

Seed 003: Actions in Combat (Walk, Dash), Flying Movement, Fly, Prone, Falling, Overland Movement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, forbidden, in_force, rule_of
from affray.core.heart.events import Altered, Changed, Noted, Used
from affray.core.heart.groups import said_by
from affray.core.heart.state import Combatant, Duration, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Choice, Pending, Verb, declare
from affray.core.rules.tables import Tables
from affray.rulekit import acts, harm, numbers, rests, rolls
from affray.rulekit.acts import Pay
from affray.rulekit.placing import begin, renew
from affray.rulekit.rolls import Die
from affray.rulesets.orcus import checks, companions, damage, economy
from affray.rulesets.orcus.checks import FLYING, Terms

PRONE, FLOWN, SPAN = "prone", "flown", "flight"
_HIGH = arguments.number("how high, in squares", 1)


# -- flying ----------------------------------------------------------------------------------------


class Flight(Struct, frozen=True):
    """What `fly` says: how far, and how high it is then; 0 where nobody says."""

    squares: Annotated[int, arguments.number("how many squares", 1, usage="SQUARES")] = 0
    altitude: Annotated[int, arguments.clause("altitude", _HIGH)] = 0


def fly(ctx: Context, said: Flight) -> None:
    """Walk with the speed of the wings, on the way up or in the air: what it costs and what bars it
    is a walk's (seed 003: Fly). Raises Refused for who can't fly, or not so far."""
    who = ctx.actor()
    _refuse_wingless(who)
    speed = numbers.value(checks.here(ctx, who), "fly")
    if said.squares > speed:
        raise Refused(f"{who.name} flies {speed} squares at most, not {said.squares}")
    acts.pay(economy.ECONOMY, ctx, who.id, "walk")
    ctx.text = f"{who.name} flies{f' {said.squares} squares' if said.squares else ''}"
    _rise(ctx, who, said.altitude)
    _moved(ctx, who.id, said.squares)


def _refuse_wingless(who: Combatant) -> None:
    if not checks.has(who, "fly"):
        raise Refused(f"{who.name} has no fly speed; `modifier {who.id} +8 fly` would give one")


class _Aloft(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.people("who is in the air")]
    altitude: Annotated[int, replace(_HIGH, usage="ALTITUDE")] = 0


def _aloft(ctx: Context, said: _Aloft) -> None:
    """Put people in the air, or elsewhere in it, as the table has it; it is no move of theirs."""
    for who in said.people:
        _refuse_wingless(who)
        if PRONE in in_force(ctx.tables, ctx.state, who):
            raise Refused(f"{who.name} is prone, and so on the ground")
        _rise(ctx, who, said.altitude)
    high = f", {said.altitude} squares up" if said.altitude else ""
    ctx.text = f"{they(said.people, 'is', 'are')} in the air{high}"


def _rise(ctx: Context, who: Combatant, altitude: int) -> None:
    """In the air from now on, or still; as high as it is said, else as before. Higher than it can
    fly, it crashes."""
    old = who.named(FLYING)
    if old is None:
        until = Duration("rest", says=rule_of(ctx.tables, FLYING).until)
        begin(ctx, who.id, FLYING, until, amount=altitude)
    elif altitude:
        ctx.emit(Altered(who.id, replace(old, amount=altitude)))
    limit = who.number("altitude")
    if limit and altitude > limit:
        _crash(ctx, who.id, f"above {limit} squares")


def _moved(ctx: Context, who: str, squares: int = 0) -> None:
    """Count what somebody moved in the air; without a number of squares it was far enough."""
    if ctx.state[who].named(FLYING) is not None:
        enough = int(ctx.tables.economy["flight"])
        ctx.emit(*(Used(who, FLOWN, SPAN) for _ in range(min(squares or enough, enough))))


def _land(ctx: Context, words: Words) -> None:
    """End flying where there is ground: a part of a move, at no price of its own."""
    who = ctx.actor()
    if who.named(FLYING) is None:
        raise Refused(f"{who.name} is not flying")
    end_named(ctx, who.id, FLYING, "lands")
    ctx.text = f"{who.name} lands"


def turn_ending(ctx: Context, who: str) -> None:
    """Who flies and doesn't hover crashes without the squares that keep it up, each round."""
    if _is_falling(ctx.tables, ctx.state[who]):
        _crash(ctx, who, f"flew less than {ctx.tables.economy['flight']} squares")
    rests.forget(ctx, who, SPAN)


def _is_falling(tables: Tables, who: Combatant) -> bool:
    flies = who.named(FLYING) is not None and not who.stats.get("hover")
    return flies and who.used(FLOWN, SPAN) < tables.economy["flight"]


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """That whoever is up has to fly on before the turn ends, or land."""
    squares = tables.economy["flight"]
    found = []
    for up in state.all_up():
        if not up.is_out and _is_falling(tables, up):
            by = said_by(state, up.id)
            missed = f"flew less than {squares} squares"
            choices = (Choice("f", "flies on", f"fly{by}"), Choice("l", "lands", f"land{by}"))
            what = f"{up.name} crashes unless it flies {squares} squares"
            found.append(Pending(up.id, what, choices, missed, holds=True))
    return found


def settled(ctx: Context, who: Combatant) -> None:
    """Who falls prone in the air descends as far as it flies, and falls the rest; the dead fall.

    Seed 003: Prone, Flying Movement.
    """
    flying = who.named(FLYING)
    if flying is None:
        return
    if who.life == "dead":
        end_named(ctx, who.id, FLYING, "dead")
    elif PRONE in in_force(ctx.tables, ctx.state, who):
        end_named(ctx, who.id, FLYING, "fell prone")
        wings = checks.added_up(numbers.parts(checks.here(ctx, who), "fly"))
        _hit_the_ground(ctx, who.id, _rolled(ctx, who.id, flying.amount - wings))


def _crash(ctx: Context, who: str, why: str) -> None:
    """Fall to earth from where one flies."""
    flying = ctx.state[who].named(FLYING)
    height = flying.amount if flying is not None else 0
    end_named(ctx, who, FLYING, why)
    if height:
        _hit_the_ground(ctx, who, _rolled(ctx, who, height))
    else:
        ctx.emit(Noted(f"how high was it? `fall {who} SQUARES` is the damage"))


# -- falling ---------------------------------------------------------------------------------------


def _hit_the_ground(ctx: Context, who: str, amount: int) -> None:
    """The end of a fall: so much damage, and prone unless none of it hurts (seed 003: Falling)."""
    target = ctx.state[who]
    if not amount or "hp" not in target.tracks or target.life == "dead":
        return
    hurt = damage.deal(ctx, who, damage.Blow(amount, label=" from the fall"))
    if hurt and ctx.state[who].life != "dead" and ctx.state[who].named(PRONE) is None:
        begin(ctx, who, PRONE)


def _rolled(ctx: Context, who: str, squares: int) -> int:
    """The damage of so deep a fall: 1d10 for every 2 squares, and no more than 50 dice."""
    row = ctx.tables.economy
    count = min(row["fall_dice"], squares // row["fall_squares"])
    return rolls.throw_dice(ctx, who, f"{count}{row['fall_die']}", "the fall") if count > 0 else 0


def _read_depth(reading: Reading) -> int:
    squares = reading.words.number("how far, in squares", 1)
    reading.words.take("squares", "square")
    return squares


class _Fall(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.people("who falls")]
    squares: Annotated[int, Argument(_read_depth, "SQUARES")]
    amount: Annotated[int | None, arguments.number("the damage rolled", usage="DAMAGE")] = None


def _fall(ctx: Context, said: _Fall) -> None:
    for who in said.people:
        harm.target(ctx, who.id)
    # one roll for all of them
    amount = _rolled(ctx, "", said.squares) if said.amount is None else said.amount
    for who in said.people:
        end_named(ctx, who.id, FLYING, "falls")
        _hit_the_ground(ctx, who.id, amount)
    far = "1 square" if said.squares == 1 else f"{said.squares} squares"
    ctx.text = f"{they(said.people, 'falls', 'fall')} {far}"


# -- on one's feet, or in the air ------------------------------------------------------------------


def go(ctx: Context, who: str) -> None:
    """Go where there is room, as any movement but squeezing on does; far enough to stay aloft."""
    end_named(ctx, who, "squeezing", "out of the narrow space")
    _moved(ctx, who)


def walk(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Walk: up to the speed; in the air, with that of the wings."""
    pay()
    go(ctx, who.id)
    ctx.text = f"{who.name} walks"


def dash(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Dash: speed + 2, exposed until the end of one's next turn."""
    pay()
    go(ctx, who.id)
    renew(ctx, who.id, "dashing", companions.next_turn(ctx.state, who.id, "end"))
    ctx.text = f"{who.name} dashes"


# -- on the road -----------------------------------------------------------------------------------

HUSTLE, PUSH_ON = "hustle", "push-on"
DAY = "long"
"""The span of what a long rest begins anew, as daily powers have it."""


class _March(Struct, frozen=True):
    """What `hustle` and `push-on` say."""

    people: Annotated[list[Combatant], arguments.people("who goes on")]
    dice: Annotated[list[Die], rolls.die_said(checks.OUTCOMES, "people")]
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()


def _hustle(ctx: Context, said: _March) -> None:
    """The check at the end of an hour: with each hour since the last long rest it is harder."""
    dc, more = ctx.tables.economy["hustle"], ctx.tables.economy["hustle_hour"]
    _march(ctx, said, HUSTLE, lambda who: dc + more * (who.used(HUSTLE, DAY) + 1))
    hustle = they(said.people, "hustles", "hustle")
    ctx.text = f"{hustle} for an hour: {_slowest(ctx, said.people)} miles"


def _push_on(ctx: Context, said: _March) -> None:
    """Another five hours after the day's five, once a day."""
    _march(ctx, said, PUSH_ON, lambda who: ctx.tables.economy["push_on"])
    miles = _slowest(ctx, said.people) * 5 // 2
    ctx.text = f"{they(said.people, 'pushes', 'push')} on for five hours: {miles} miles"


def _slowest(ctx: Context, people: list[Combatant]) -> int:
    """The speed of the slowest, in squares: half of it is the miles that are walked in an hour."""
    return min(numbers.value(checks.here(ctx, who), "speed") for who in people)


def _march(ctx: Context, said: _March, what: str, dc_of: Callable[[Combatant], int]) -> None:
    """Make each one's Endure check: who fails loses a recovery, and can't go on so before a long
    rest. Raises Refused for who has failed before, and in a fight."""
    if ctx.state.phase == "combat":
        raise Refused(f"nobody can {what} in the middle of a fight")
    for who in said.people:
        again = "once a day" if what == PUSH_ON and who.used(PUSH_ON, DAY) else ""
        if why := forbidden(ctx.tables, ctx.state, who, HUSTLE) or again:
            raise Refused(f"{who.name} can't {what}: {why}")
    for who, die in zip(said.people, said.dice, strict=True):
        if checks.contest(ctx, who, "endure", die, said.terms, dc_of(who)) == "miss":
            if ctx.state[who.id].track("recoveries") > 0:
                ctx.emit(Changed(who.id, "recoveries", -1, why="worn out"))
            begin(ctx, who.id, "footsore")
        ctx.emit(Used(who.id, what, DAY))


_FALLS = "deals the damage of a fall, 1d10 for every 2 squares; whoever is hurt lands prone"
VERBS = (
    declare("aloft", "puts somebody in the air, or corrects how high it is", _Aloft, _aloft),
    Verb("land", "land [by NAME]", "ends flying, as a part of a move", _land, True),
    declare("fall", _FALLS, _Fall, _fall),
    declare(HUSTLE, "ends an hour at double pace with an Endure check", _March, _hustle),
    declare(PUSH_ON, "walks on for five more hours with an Endure check", _March, _push_on),
)
