"""Adventure School: stamina, fortune, spirit, control and diminish: spent, exhausted, regained.

Adventure School, Stamina, Exhaust, Diminish, Fortune Points, Spirit Points, Devote, Dedicate,
Control and Chaos.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import Dice, parse_dice
from affray.core.engine.effects import EffectSpec, lower_maximum, remove_effect
from affray.core.engine.events import CostPaid, TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser import arguments
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.mechanics import actions, checks, rests
from affray.mechanics.actions import ActorSituation, Cost
from affray.mechanics.conditions import apply_condition
from affray.rulesets.adventure_school import conditions
from affray.rulesets.adventure_school.sheet import POINTS

STAMINA, FORTUNE, CONTROL = "stamina", "fortune", "control"
TO_ROLL = "to-roll"
"""The span of the count that fortune is still to be rolled."""
DEVOTED, DEDICATED, SONG = "devoted", "dedicated", "song"
KEPT_UP = (DEVOTED, DEDICATED, SONG)
"""The effects on those who maintain something; the note names it."""


# -- paying ----------------------------------------------------------------------------------------


def why_unpaid(now: ActorSituation, cost: Cost) -> str:
    """The reason why somebody can't pay the amount; control is never short for its users (ruling
    14), and fortune that isn't rolled yet may be enough."""
    without = next((track for track in cost if track not in now.who.tracks), "")
    if without:
        return f"no {without} on its sheet"
    waits = (FORTUNE,) if awaits_fortune(now.who) else ()
    return actions.why_unaffordable(
        now, {t: n for t, n in cost.items() if t not in (CONTROL, *waits)}
    )


def is_short(ctx: Context, combatant_id: str, cost: Cost) -> bool:
    """True if a cost in fortune turns out too high once the die is rolled: the roll stands,
    nothing is paid, and the log says so. Raises Refused for a cost known to be too high."""
    name = ctx.state.name(combatant_id)
    reason = why_unpaid(ActorSituation(ctx.tables, ctx.state, ctx.state[combatant_id]), cost)
    if reason:
        raise Refused(f"{name} can't pay: {reason}")
    if FORTUNE in cost:
        roll_deferred(ctx, combatant_id)
    reason = why_unpaid(ActorSituation(ctx.tables, ctx.state, ctx.state[combatant_id]), cost)
    ctx.text = f"{name} can't pay: {reason}" if reason else ctx.text
    return bool(reason)


def take(ctx: Context, combatant_id: str, cost: Cost, what: str) -> bool:
    """Take the cost from somebody who has it; False if control drops to 0: then chaos comes in
    place of the ability."""
    for track, amount in cost.items():
        taken = min(amount, ctx.state[combatant_id].track(track))
        if taken:
            ctx.emit(CostPaid(combatant_id, track, taken, what))
    if CONTROL not in cost or ctx.state[combatant_id].track(CONTROL) > 0:
        return True
    ctx.note(f"chaos instead of {what}: the GM decides the result")
    ctx.text += ": chaos in its place"
    return False


def pay(ctx: Context, combatant_id: str, cost: Cost, what: str) -> bool:
    """Take the cost if possible; True if the effect paid for happens."""
    return not is_short(ctx, combatant_id, cost) and take(ctx, combatant_id, cost, what)


def exhaust(ctx: Context, combatant_id: str, amount: int) -> None:
    """Lower the maximum of stamina until a rest, once the stamina is spent."""
    lower_maximum(ctx, combatant_id, STAMINA, amount, "exhausted")


def rested(ctx: Context, combatant_id: str, why: str) -> None:
    """Give back exhausted stamina after any rest, but not devoted points."""
    combatant = ctx.state[combatant_id]
    if STAMINA in combatant.tracks:
        devoted = (e.amount for e in combatant.effects if e.lowers and e.type == STAMINA)
        lower_maximum(
            ctx, combatant_id, STAMINA, sum(devoted) - combatant.tracks[STAMINA].lowered, why
        )


def gain_diminish(ctx: Context, combatant_id: str, levels: int, why: str = "") -> None:
    """Gain levels of diminish."""
    if levels:
        ctx.emit(TrackChanged(combatant_id, "diminish", levels, why=why))


# -- fortune ---------------------------------------------------------------------------------------


def _fortune_of(combatant: Combatant) -> Dice:
    return parse_dice(str(combatant.stats.get(FORTUNE, "0")))


def awaits_fortune(combatant: Combatant) -> bool:
    """True if this turn's fortune has yet to be rolled."""
    return combatant.used(FORTUNE, TO_ROLL) > 0


AFTER_A_FIGHT = rests.RestRules(forgets=(TO_ROLL,), sets={FORTUNE: 0})
"""No fortune is asked for any more, and the next comes with the next turn."""


def roll_fortune(ctx: Context, combatant_id: str, total: int | None = None) -> None:
    """Set fortune to the result of the dice; devoted points lower its maximum."""
    dice = _fortune_of(ctx.state[combatant_id])
    if total is None:
        total = checks.roll_extra_dice(ctx, combatant_id, dice, FORTUNE)
    rests.reset_uses(ctx, combatant_id, TO_ROLL)
    top = dice.highest - ctx.state[combatant_id].tracks[FORTUNE].lowered
    actions.reset_turn_track(
        ctx, combatant_id, FORTUNE, min(total, top), why="rolled", routine=False
    )


def on_turn_start(ctx: Context, combatant_id: str) -> None:
    """Clear unspent fortune; roll again for a monster, ask for a character's dice."""
    combatant = ctx.state[combatant_id]
    if FORTUNE not in combatant.tracks:
        return
    actions.reset_turn_track(ctx, combatant_id, FORTUNE, 0)
    if combatant.kind != "pc":
        roll_fortune(ctx, combatant_id)
    elif not awaits_fortune(combatant):
        ctx.emit(UseCounted(combatant_id, FORTUNE, TO_ROLL))


def roll_deferred(ctx: Context, combatant_id: str) -> None:
    """Roll the fortune that nobody has called out, as the turn is to end."""
    if awaits_fortune(ctx.state[combatant_id]):
        roll_fortune(ctx, combatant_id)


def pending_decisions(state: Encounter) -> Iterator[PendingDecision]:
    """The fortune that waits to be called out."""
    for combatant in state.combatants:
        if awaits_fortune(combatant):
            command, dice = f"fortune {combatant.id}", str(_fortune_of(combatant))
            says = f"{combatant.name} rolls {dice} for fortune"
            missed = f"{combatant.name}'s fortune was rolled"
            choices = (DecisionOption("r", "roll", f"{command} roll"),)
            yield PendingDecision(
                combatant.id, says, choices, missed, holds=True, die=command, dice=dice
            )


# -- the commands ----------------------------------------------------------------------------------


def _tracks(reading: ParseState) -> list[str]:
    return [track for track in POINTS if track in reading.ctx.actor().tracks]


_TRACK = arguments.choice_arg("one of their resources", _tracks, "TRACK", field=Field("track"))


class ExhaustArgs(Struct, frozen=True, kw_only=True):
    """`exhaust N ["FOR"]`."""

    amount: Annotated[int, arguments.number_arg("the amount", 1, 999)]
    what: Annotated[
        str, arguments.text_arg("the purpose", usage='"FOR"', field=Field("text", ("for",)))
    ] = ""


class SpendArgs(ExhaustArgs, frozen=True):
    """`spend TRACK N ["FOR"]`."""

    track: Annotated[str, _TRACK]


def _spend(ctx: Context, args: SpendArgs, does: str = "spends") -> None:
    combatant = ctx.actor()
    on = f" on {args.what}" if args.what else ""
    ctx.text = f"{combatant.name} {does} {args.amount} {args.track}{on}"
    pay(ctx, combatant.id, {args.track: args.amount}, args.what or "it")


def _exhaust(ctx: Context, args: ExhaustArgs) -> None:
    _spend(ctx, SpendArgs(STAMINA, amount=args.amount, what=args.what), "exhausts")
    exhaust(ctx, ctx.by, args.amount)


class DiminishArgs(Struct, frozen=True):
    """`diminish N`."""

    levels: Annotated[int, arguments.number_arg("the number of levels", 1, 99)]


def _diminish(ctx: Context, args: DiminishArgs) -> None:
    combatant = ctx.actor()
    gain_diminish(ctx, combatant.id, args.levels)
    ctx.text = f"{combatant.name} diminishes by {args.levels}"


class DevoteArgs(Struct, frozen=True):
    """`devote TRACK N NAME [DURATION]`, and `dedicate` likewise."""

    track: Annotated[str, _TRACK]
    amount: Annotated[int, arguments.number_arg("the amount", 1, 999)]
    name: Annotated[str, arguments.phrase_arg("the ability's name", "NAME")]
    terms: Annotated[EffectSpec, replace(conditions.PLACED, field=ANY_MORE)] = EffectSpec()


def _keep(ctx: Context, args: DevoteArgs, effect: str, does: str, **how: Any) -> None:
    """Spend points on something that lasts; chaos prevents it."""
    combatant = ctx.actor()
    ctx.text = f"{combatant.name} {does} {args.amount} {args.track} to {args.name}"
    if pay(ctx, combatant.id, {args.track: args.amount}, args.name):
        spec = replace(args.terms, name=effect, amount=args.amount)
        fields = {"note": args.name, "type": args.track, **how}
        apply_condition(conditions.LASTING, ctx, combatant.id, spec, **fields)


# The end of the one gives back the maximum, not the points; of the other what was spent.
_devote = partial(_keep, effect=DEVOTED, does="devotes", lowers=True)
_dedicate = partial(_keep, effect=DEDICATED, does="dedicates", refunds=True)


def end_kept(ctx: Context, combatant_id: str, name: str, why: str) -> None:
    """End all effects, on anybody, that an ability of this combatant keeps up."""
    for bearer in ctx.state.combatants:
        for effect in bearer.effects:
            theirs = effect.source == combatant_id or (
                bearer.id == combatant_id and effect.name in KEPT_UP
            )
            if theirs and effect.note.casefold() == name.casefold():
                remove_effect(ctx, bearer.id, effect.id, why)


def _sustained(reading: ParseState) -> dict[str, str]:
    return {e.note: e.note for e in reading.ctx.actor().effects if e.name in KEPT_UP}


class DropArgs(Struct, frozen=True):
    """`drop NAME`."""

    name: Annotated[
        str,
        arguments.custom_name_arg("the effect to drop", _sustained, field=Field("kept", ("name",))),
    ]


def _drop(ctx: Context, args: DropArgs) -> None:
    """End something maintained, at any time, for free."""
    combatant = ctx.actor()
    end_kept(ctx, combatant.id, args.name, "dropped")
    ctx.text = f"{combatant.name} drops {args.name}"


def _read_fortune(reading: ParseState) -> int | None:
    is_rolled = reading.words.take("roll")
    return None if is_rolled else reading.words.number("the numbers on the dice, or `roll`", 0, 999)


class FortuneArgs(Struct, frozen=True):
    """`fortune NAME N|roll`."""

    who: Annotated[
        Combatant,
        arguments.combatant_arg("the combatant with the fortune", field=Field("self", ("party",))),
    ]
    amount_rolled: Annotated[
        int | None, Argument(_read_fortune, "N|roll", field=Field("number", ("roll",)))
    ]


def _fortune(ctx: Context, args: FortuneArgs) -> None:
    """Set the fortune of a turn to the dice as called out; a monster's, in its turn, in place of
    what affray rolled. Outside of a fight it can be set at any time."""
    combatant = args.who
    if FORTUNE not in combatant.tracks:
        raise Refused(f"{combatant.name} has no fortune on its sheet")
    is_monsters = combatant.kind != "pc" and ctx.state.takes_turn(combatant.id)
    if ctx.state.in_combat and not (awaits_fortune(combatant) or is_monsters):
        raise Refused(
            f"fortune is rolled in {combatant.name}'s turn; `set {combatant.id} fortune N` sets it"
        )
    dice = _fortune_of(combatant)
    least, most = dice.minimum or 0, dice.highest
    if args.amount_rolled is not None and not least <= args.amount_rolled <= most:
        raise Refused(f"{dice} shows {least} to {most}, not {args.amount_rolled}")
    roll_fortune(ctx, combatant.id, args.amount_rolled)
    ctx.text = f"{combatant.name} has {ctx.state[combatant.id].track(FORTUNE)} fortune"


COMMANDS = (
    declare_command("spend", "spends stamina, fortune, spirit or control", SpendArgs, _spend, True),
    declare_command(
        "exhaust", "spends stamina that a breather doesn't restore", ExhaustArgs, _exhaust, True
    ),
    declare_command("diminish", "gains levels of diminish", DiminishArgs, _diminish, True),
    declare_command(
        "devote", "spends a resource and lowers its maximum", DevoteArgs, _devote, True
    ),
    declare_command(
        "dedicate",
        "spends a resource that comes back when the effect ends",
        DevoteArgs,
        _dedicate,
        True,
    ),
    declare_command("drop", "ends an effect you maintain", DropArgs, _drop, True),
    declare_command("fortune", "gives or rolls a turn's fortune", FortuneArgs, _fortune),
)
