"""Stamina, fortune, spirit, control and diminish: spent, exhausted, devoted, dedicated, and back.

Seed 001: Stamina, Exhaust, Diminish, Fortune Points, Spirit Points, Devote, Dedicate, Control and
Chaos; rules file, 13, 14 and 16.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

from msgspec import Struct

from affray.core.dice.notation import Dice, parse_dice
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, lower
from affray.core.heart.events import Changed, Noted, Spent, Used
from affray.core.heart.state import Combatant, Encounter
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Choice, Pending, declare
from affray.rulekit import acts, rests, rolls
from affray.rulekit.acts import Cost, Now
from affray.rulekit.placing import Placing, begin, until_for
from affray.rulesets.adventure_school import conditions
from affray.rulesets.adventure_school.sheet import POINTS

STAMINA, FORTUNE, CONTROL = "stamina", "fortune", "control"
TO_ROLL = "to-roll"
"""The span in which fortune is counted of those who have yet to roll it."""
DEVOTED, DEDICATED, SONG = "devoted", "dedicated", "song"
KEPT_UP = (DEVOTED, DEDICATED, SONG)
"""The effects of whoever keeps something up; what that is, is the note."""


# -- paying ----------------------------------------------------------------------------------------


def why_unpaid(now: Now, cost: Cost) -> str:
    """Why somebody can't pay so much; control is never short for those who have it (14), and
    fortune that has yet to be rolled may be enough."""
    without = next((track for track in cost if track not in now.who.tracks), "")
    if without:
        return f"no {without} on its sheet"
    waits = (FORTUNE,) if awaits_fortune(now.who) else ()
    return acts.why_unpaid(now, {t: n for t, n in cost.items() if t not in (CONTROL, *waits)})


def is_short(ctx: Context, who: str, cost: Cost) -> bool:
    """Whether somebody has less than that by a die which is rolled only now (13.2). What the die
    has shown stands: nothing is paid then, and the log says so. Raises Refused for whoever could
    have known."""
    name = ctx.state.name(who)
    reason = why_unpaid(Now(ctx.tables, ctx.state, ctx.state[who]), cost)
    if reason:
        raise Refused(f"{name} can't pay: {reason}")
    if FORTUNE in cost:
        roll_owed(ctx, who)
    reason = why_unpaid(Now(ctx.tables, ctx.state, ctx.state[who]), cost)
    ctx.text = f"{name} can't pay: {reason}" if reason else ctx.text
    return bool(reason)


def take(ctx: Context, who: str, cost: Cost, what: str) -> bool:
    """Take so much of somebody who has it; gives whether control holds. Control that comes to 0 is
    chaos: what was wanted doesn't happen (14)."""
    for track, amount in cost.items():
        taken = min(amount, ctx.state[who].track(track))
        if taken:
            ctx.emit(Spent(who, track, taken, what))
    if CONTROL not in cost or ctx.state[who].track(CONTROL) > 0:
        return True
    ctx.emit(Noted(f"chaos in place of {what}: the GM says what comes of it"))
    ctx.text += ": chaos in its place"
    return False


def pay(ctx: Context, who: str, cost: Cost, what: str) -> bool:
    """Take so much if it is there; gives whether what it is for happens."""
    return not is_short(ctx, who, cost) and take(ctx, who, cost, what)


def exhaust(ctx: Context, who: str, amount: int) -> None:
    """Lower the maximum of stamina until a rest, once the stamina is spent (13.1)."""
    lower(ctx, who, STAMINA, amount, "exhausted")


def rested(ctx: Context, who: str, why: str) -> None:
    """With any rest nothing is exhausted any more; what is devoted is yet (13.1, 20)."""
    combatant = ctx.state[who]
    if STAMINA in combatant.tracks:
        devoted = (e.amount for e in combatant.effects if e.lowers and e.type == STAMINA)
        lower(ctx, who, STAMINA, sum(devoted) - combatant.tracks[STAMINA].lowered, why)


def gain_diminish(ctx: Context, who: str, levels: int, why: str = "") -> None:
    """Gain levels of diminish (16)."""
    if levels:
        ctx.emit(Changed(who, "diminish", levels, why=why))


# -- fortune ---------------------------------------------------------------------------------------


def _fortune_of(who: Combatant) -> Dice:
    return parse_dice(str(who.stats.get(FORTUNE, "0")))


def awaits_fortune(who: Combatant) -> bool:
    """Whether this turn's fortune has yet to be rolled."""
    return who.used(FORTUNE, TO_ROLL) > 0


AFTER_A_FIGHT = rests.Rest(forgets=(TO_ROLL,), sets={FORTUNE: 0})
"""No fortune is asked for any more, and the next comes with the next turn."""


def roll_fortune(ctx: Context, who: str, fell: int | None = None) -> None:
    """Have as much fortune as the dice show; what is devoted of it is missing at the top (13.4)."""
    dice = _fortune_of(ctx.state[who])
    if fell is None:
        fell = rolls.throw_dice(ctx, who, dice, FORTUNE)
    rests.forget(ctx, who, TO_ROLL)
    top = dice.maximum - ctx.state[who].tracks[FORTUNE].lowered
    acts.refill(ctx, who, FORTUNE, min(fell, top), why="rolled", routine=False)


def turn_started(ctx: Context, who: str) -> None:
    """Unspent fortune is gone; a monster rolls anew, a character's dice are asked for (13.2)."""
    combatant = ctx.state[who]
    if FORTUNE not in combatant.tracks:
        return
    acts.refill(ctx, who, FORTUNE, 0)
    if combatant.kind != "pc":
        roll_fortune(ctx, who)
    elif not awaits_fortune(combatant):
        ctx.emit(Used(who, FORTUNE, TO_ROLL))


def roll_owed(ctx: Context, who: str) -> None:
    """Roll the fortune that nobody has called out, as the turn is to end."""
    if awaits_fortune(ctx.state[who]):
        roll_fortune(ctx, who)


def pending(state: Encounter) -> Iterator[Pending]:
    """The fortune that waits to be called out."""
    for who in state.combatants:
        if awaits_fortune(who):
            command, dice = f"fortune {who.id}", str(_fortune_of(who))
            says = f"{who.name} rolls {dice} for fortune"
            missed = f"{who.name}'s fortune was rolled"
            choices = (Choice("r", "roll", f"{command} roll"),)
            yield Pending(who.id, says, choices, missed, holds=True, die=command, dice=dice)


# -- the commands ----------------------------------------------------------------------------------


def _tracks(reading: Reading) -> list[str]:
    return [track for track in POINTS if track in reading.ctx.actor().tracks]


_TRACK = arguments.choice("a resource of theirs", _tracks, "TRACK", asks="track")


class Exhaust(Struct, frozen=True, kw_only=True):
    """`exhaust N ["FOR"]`."""

    amount: Annotated[int, arguments.number("how much", 1, 999)]
    what: Annotated[str, arguments.text("what for", usage='"FOR"')] = ""


class Spend(Exhaust, frozen=True):
    """`spend TRACK N ["FOR"]`."""

    track: Annotated[str, _TRACK]


def _spend(ctx: Context, said: Spend, does: str = "spends") -> None:
    who = ctx.actor()
    on = f" on {said.what}" if said.what else ""
    ctx.text = f"{who.name} {does} {said.amount} {said.track}{on}"
    pay(ctx, who.id, {said.track: said.amount}, said.what or "it")


def _exhaust(ctx: Context, said: Exhaust) -> None:
    _spend(ctx, Spend(STAMINA, amount=said.amount, what=said.what), "exhausts")
    exhaust(ctx, ctx.by, said.amount)


class Diminish(Struct, frozen=True):
    """`diminish N`."""

    levels: Annotated[int, arguments.number("how many levels", 1, 99)]


def _diminish(ctx: Context, said: Diminish) -> None:
    who = ctx.actor()
    gain_diminish(ctx, who.id, said.levels)
    ctx.text = f"{who.name} diminishes by {said.levels}"


class Keep(Struct, frozen=True):
    """`devote TRACK N NAME [DURATION]`, and `dedicate` likewise."""

    track: Annotated[str, _TRACK]
    amount: Annotated[int, arguments.number("how much", 1, 999)]
    name: Annotated[str, arguments.phrase("the ability's name", "NAME")]
    placing: Annotated[Placing, conditions.PLACED] = Placing()


def _keep(ctx: Context, said: Keep, effect: str, does: str, **how: Any) -> None:
    """Spend so much on something that lasts; in chaos it doesn't come to be."""
    who = ctx.actor()
    ctx.text = f"{who.name} {does} {said.amount} {said.track} to {said.name}"
    if pay(ctx, who.id, {said.track: said.amount}, said.name):
        until = until_for(conditions.LASTING, ctx, who.id, said.placing, effect)
        kept = {"note": said.name, "type": said.track, "amount": said.amount}
        begin(ctx, who.id, effect, until, said.placing, **kept, **how)


# The end of the one gives back the maximum, not the points; of the other what was spent (13.4).
_devote = partial(_keep, effect=DEVOTED, does="devotes", lowers=True)
_dedicate = partial(_keep, effect=DEDICATED, does="dedicates", refunds=True)


def end_kept(ctx: Context, who: str, name: str, why: str) -> None:
    """End all that an ability of somebody's keeps up, on whomever it is."""
    for bearer in ctx.state.combatants:
        for effect in bearer.effects:
            theirs = effect.source == who or (bearer.id == who and effect.name in KEPT_UP)
            if theirs and effect.note.casefold() == name.casefold():
                end(ctx, bearer.id, effect.id, why)


def _kept(reading: Reading) -> dict[str, str]:
    return {e.note: e.note for e in reading.ctx.actor().effects if e.name in KEPT_UP}


class Drop(Struct, frozen=True):
    """`drop NAME`."""

    name: Annotated[str, arguments.called("what one keeps up", _kept, asks="text:name")]


def _drop(ctx: Context, said: Drop) -> None:
    """End what one keeps up, at any time, for free (13.4)."""
    who = ctx.actor()
    end_kept(ctx, who.id, said.name, "dropped")
    ctx.text = f"{who.name} drops {said.name}"


def _read_fortune(reading: Reading) -> int | None:
    is_rolled = reading.words.take("roll")
    return None if is_rolled else reading.words.number("what the dice show, or `roll`", 0, 999)


class Fortune(Struct, frozen=True):
    """`fortune NAME N|roll`."""

    who: Annotated[Combatant, arguments.person("whose fortune it is", asks="person")]
    fell: Annotated[int | None, Argument(_read_fortune, "N|roll", asks="number")]


def _fortune(ctx: Context, said: Fortune) -> None:
    """What the dice show that a turn's start asks for, or a monster's in place of what affray has
    rolled in this turn of its; outside of a fight whenever it is said."""
    who = said.who
    if FORTUNE not in who.tracks:
        raise Refused(f"{who.name} has no fortune on its sheet")
    is_monsters = who.kind != "pc" and ctx.state.takes_turn(who.id)
    if ctx.state.phase == "combat" and not (awaits_fortune(who) or is_monsters):
        raise Refused(f"fortune is rolled in {who.name}'s turn; `set {who.id} fortune N` writes it")
    dice = _fortune_of(who)
    if said.fell is not None and not dice.minimum <= said.fell <= dice.maximum:
        raise Refused(f"{dice} shows {dice.minimum} to {dice.maximum}, not {said.fell}")
    roll_fortune(ctx, who.id, said.fell)
    ctx.text = f"{who.name} has {ctx.state[who.id].track(FORTUNE)} fortune"


VERBS = (
    declare("spend", "spends stamina, fortune, spirit or control", Spend, _spend, True),
    declare("exhaust", "spends stamina that no breather gives back", Exhaust, _exhaust, True),
    declare("diminish", "gains levels of diminish", Diminish, _diminish, True),
    declare("devote", "spends of a resource and of its maximum", Keep, _devote, True),
    declare("dedicate", "spends of a resource what comes back with its end", Keep, _dedicate, True),
    declare("drop", "ends what one keeps up", Drop, _drop, True),
    declare("fortune", "says or rolls a turn's fortune", Fortune, _fortune),
)
