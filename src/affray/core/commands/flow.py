"""Commands about whose turn it is: init, start, next, delay, return, swap, end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from affray.core.commands.grouping import read_one_of_a_row
from affray.core.heart import countdowns, dynamic, groups, order, ties, turns
from affray.core.heart.effects import end as end_effect
from affray.core.heart.events import Began, Ended, Forgot, TurnEnded
from affray.core.heart.state import Combatant
from affray.core.language.clauses import read_faces
from affray.core.language.refusal import Refused, listed
from affray.core.rules.ruleset import Verb

if TYPE_CHECKING:
    from affray.core.heart.decide import Context
    from affray.core.language.words import Words


def _init(ctx: Context, words: Words) -> None:
    order.new_encounter(ctx)
    if words.take("roll"):
        everyone = bool(words.take("all"))
        who = _who_roll(ctx, everyone)
        if not who:
            raise Refused("everyone has an initiative; `init roll all` rolls anew for all")
        _roll_for(ctx, who)
        ctx.text = "Initiative is rolled for all" if everyone else "Initiative is rolled"
        return
    people = _one_of_each_row(ctx, words.combatants("a combatant, a group or `roll`"))
    if side := words.take("before", "after"):
        _stand_beside(ctx, words, people, "before" if side == "before" else "after")
        return
    called = listed([groups.name_of(ctx.state, who) for who in people], "and")
    if lies := words.take("roll", "natural"):
        _roll_for(ctx, people, read_faces(words, len(people)) if lies == "natural" else [])
        ctx.text = f"Initiative is rolled for {called}"
        return
    total = words.number("initiative", -99, 999)
    was = _was(ctx, people[0]) if len(people) == 1 else ""
    order.give_initiative(ctx, dict.fromkeys(people, total))
    _ready_for_it(ctx, people)
    ctx.text = f"Initiative of {called}: {total}{was}{_put_off(ctx, people)}"


def _stand_beside(ctx: Context, words: Words, people: list[str], side: order.Side) -> None:
    """Put somebody before or after another: ties as the table has them, or another place."""
    if len(people) > 1:
        raise Refused(f"one stands {side} another: name one, not {len(people)}")
    other = read_one_of_a_row(words, f"{side} whom")
    unit = groups.unit_of(ctx.state, other.id)
    mine = groups.unit_of(ctx.state, people[0])
    name = groups.name_of(ctx.state, people[0])
    if unit == mine:
        raise Refused(f"{name} can only stand {side} somebody else")
    if not unit or unit[0].initiative is None:
        raise Refused(f"{other.name} has no initiative yet: `init {other.id} NUMBER`")
    if mine and mine[0].follows:
        leads = ctx.state.name(mine[0].follows)
        raise Refused(f"{name} acts on {leads}'s initiative")
    order.stand_beside(ctx, people[0], other.id, side)
    ctx.text = f"{name} acts {side} {groups.name_of(ctx.state, other.id)}"


def _one_of_each_row(ctx: Context, people: list[Combatant]) -> list[str]:
    """The ids of those whose initiative it is, as they are named: of a group the first of it."""
    rows: dict[str, str] = {}
    for who in people:
        unit = groups.unit_of(ctx.state, who.id)
        rows.setdefault(unit[0].who if unit else who.id, who.id)
    return list(rows.values())


def _put_off(ctx: Context, people: list[str]) -> str:
    """That their place in this round is past, before they had their turn in it."""
    before, now = ctx.before, ctx.state
    late = [
        new
        for who in people
        if (old := before.slot(who)) is not None and (new := now.slot(who)) is not None
        if old.round < now.round <= new.round
    ]
    return f", first in round {now.round + 1}" if late and now.phase == "combat" else ""


def _was(ctx: Context, who: str) -> str:
    slot = ctx.state.slot(who)
    return "" if slot is None or slot.initiative is None else f", was {slot.initiative}"


def _who_roll(ctx: Context, everyone: bool = False) -> list[str]:
    """Those with no initiative yet, or everyone; the dead and the defeated take no turns.

    A group has that of its first.
    """
    who = (
        s.who
        for s in ctx.state.slots
        if (everyone or s.initiative is None) and turns.can_take_turns(ctx.state, s)
    )
    return groups.leaders(ctx.state, who)


def _roll_for(ctx: Context, who: list[str], lying: Sequence[tuple[int, ...]] = ()) -> None:
    """Roll for those ids together; one by one with the dice of each, where they lie there."""
    rolled = zip(who, lying, strict=True) if lying else ()
    found = [order.initiatives(ctx, [one], faces) for one, faces in rolled]
    found = found or [order.initiatives(ctx, who)]
    order.give_initiative(ctx, {one: total for each in found for one, total in each.items()})
    _ready_for_it(ctx, who)


def _ready_for_it(ctx: Context, who: list[str]) -> None:
    """What the rules bring whoever gets an initiative: all of a group, which has one."""
    begun = dynamic.is_on(ctx.state) and ctx.state.phase == "combat"
    for one in who:
        for slot in groups.unit_of(ctx.state, one):
            if begun and slot.turns:  # it is anew each round, what it brings is not
                continue
            ctx.ruleset.initiative_given(ctx, slot.who)


def _start(ctx: Context, words: Words) -> None:
    if ctx.state.phase == "combat":
        raise Refused(f"the fight has begun: it is round {ctx.state.round}")
    if not ctx.state.combatants:
        raise Refused("nobody is here to fight; `add` somebody first")
    if ctx.elsewhere.is_ledger:
        raise Refused("nobody fights in the ledger: it is for what comes between fights")
    order.new_encounter(ctx)
    missing = _who_roll(ctx)
    if missing:
        _roll_for(ctx, missing)
    ctx.emit(Began(1))
    countdowns.begin_round(ctx, first=True)
    turns.next_turn(ctx)
    ctx.text = "The fight begins"


def _next(ctx: Context, words: Words) -> None:
    _in_combat(ctx)
    before = ctx.state.turn
    turns.next_turn(ctx)
    ctx.text = f"{_what_ended(ctx, before)}; {turns.who_is_up(ctx)}"


def _what_ended(ctx: Context, before: str) -> str:
    if not before:
        return "The fight goes on"
    over = any(isinstance(e, TurnEnded) and e.who == before for e in ctx.events)
    name = groups.whose_turn(ctx.before)
    return f"{name}'s turn ends" if over else f"{name} wakes before the turn ends"


def _in_combat(ctx: Context) -> None:
    if ctx.state.phase != "combat":
        over = ctx.state.phase == "ended"
        raise Refused(f"the fight {'is over' if over else 'has not begun'}; `start` begins it")


def _end(ctx: Context, words: Words) -> None:
    _in_combat(ctx)
    ctx.ruleset.fight_ended(ctx)
    for combatant in ctx.state.combatants:
        if combatant.has_acted:
            ctx.emit(Forgot(combatant.id, "turn"))
        for effect in combatant.effects:
            if effect.until.ends == "fight":
                end_effect(ctx, combatant.id, effect.id, "the fight is over")
    ctx.emit(Ended())
    ctx.text = "The fight is over"


def _delay(ctx: Context, words: Words) -> None:
    _in_combat(ctx)
    actor = ctx.actor()
    count = words.number("the lower count", -99, 999) if words.has_number() else None
    turns.delay(ctx, actor.id, count)
    to = "" if count is None else f" to {count}"
    ctx.text = f"{groups.whose_turn(ctx.before)} delays{to}; {turns.who_is_up(ctx)}"


def _return(ctx: Context, words: Words) -> None:
    _in_combat(ctx)
    actor = _who_waits(ctx) if words.done else read_one_of_a_row(words, "who comes back in")
    turns.come_back(ctx, actor.id)
    ctx.by = actor.id
    ctx.text = f"{groups.name_of(ctx.state, actor.id)} comes back in"


def _who_waits(ctx: Context) -> Combatant:
    if ctx.by:
        return ctx.state[ctx.by]
    waiting = [s for s in ctx.state.slots if s.held and turns.can_take_turns(ctx.state, s)]
    held = [unit[0].who for unit in groups.units(waiting)]
    if not held:
        raise Refused("nobody has delayed")
    if len(held) > 1:
        raise Refused(f"several have delayed: say `return {listed(held)}`", held)
    return ctx.state[held[0]]


def _swap(ctx: Context, words: Words) -> None:
    _in_combat(ctx)
    other = read_one_of_a_row(words, "the tied ally who goes first")
    now = groups.whose_turn(ctx.state)
    ties.swap(ctx, other.id)
    ctx.text = f"{groups.name_of(ctx.state, other.id)} goes before {now}"


FLOW_VERBS = (
    Verb(
        "init",
        "init NAME[,NAME] NUMBER | init NAME[,NAME] natural N | init NAME[,NAME] roll | "
        "init NAME before|after NAME | init roll [all]",
        "sets or rolls initiative, or moves a tie",
        _init,
    ),
    Verb("start", "start", "begins the fight, rolling initiative that is still missing", _start),
    Verb("next", "next", "ends the turn and begins the next", _next),
    Verb("end", "end", "ends the fight", _end),
    Verb(
        "delay",
        "delay [COUNT] [by NAME]",
        "holds back a turn in which nothing was done yet",
        _delay,
        True,
    ),
    Verb("return", "return [NAME]", "takes a delayed turn now", _return, True),
    Verb("swap", "swap NAME", "lets a tied ally go first", _swap),
)
