"""Hand to hand: grabbing, getting free and letting go; tripping, pushing, disarming, distracting.

A grab is an effect on the one held, from the holder; all that it does by their sizes hangs on it.
Seed 001: Grab, Size, Trip, Push, Pull, Disarm, Distract; rules file, 6.5 to 6.8 and 7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, in_force
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused
from affray.rulekit import rolls
from affray.rulekit.acts import Pay, needs_another
from affray.rulekit.doing import Declared
from affray.rulekit.numbers import forbidding
from affray.rulekit.placing import Placing, begin, renew
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school import conditions, contests, economy, hiding, sheet
from affray.rulesets.adventure_school.checks import SKILL, Trial, attempt
from affray.rulesets.adventure_school.contests import STRENGTH, ContestWords, Struggle, struggle
from affray.rulesets.adventure_school.rolls import DC, OUTCOMES, PASS, PASSES, outcome
from affray.rulesets.adventure_school.totals import GRABBED, GRABBING, grabs_on, held_by, larger_by

DISARMED, DISTRACTED, PRONE = "disarmed", "distracted", "prone"


def _lay_hands(
    ctx: Context, name: str, said: Struggle, who: Combatant, pay: Pay, larger: int = 0
) -> bool:
    """Pay for a contest hand to hand, and make it; whether it was won."""
    target = said.target
    needs_another(who, target, name)
    pay()
    hiding.touches(ctx, who.id, target.id)
    won = struggle(ctx, name, who, said, larger)
    if won:
        hiding.reveal(ctx, target.id, f"{who.name} touches it")
    return won


# -- grab ------------------------------------------------------------------------------------------


def _is_helpless(reading: Reading) -> bool:
    """Whether the target is grabbed without fail, so that nobody has to say how it comes out."""
    force = in_force(reading.ctx.tables, reading.ctx.state, reading.said["target"])
    return bool(forbidding(reading.ctx.tables, force, "withstand-grab"))


class Grab(Struggle, frozen=True, kw_only=True):
    """`grab TARGET [SKILL] OUTCOME [THEIRS]`; the incapacitated need no outcome."""

    die: Annotated[Die, rolls.die_said(OUTCOMES, asks="outcome:pass|fail?", may_lack=_is_helpless)]


def grab(ctx: Context, said: Grab, who: Combatant, pay: Pay) -> None:
    """A contest, the larger one at an advantage; the incapacitated are grabbed without fail."""
    target = said.target
    if target in held_by(ctx.state, who.id):
        raise Refused(f"{who.name} holds {target.name} already")
    if forbidding(ctx.tables, in_force(ctx.tables, ctx.state, target), "withstand-grab"):
        said = replace(said, die=Die(PASS))
    won = _lay_hands(ctx, "grab", said, who, pay, larger=larger_by(who, target))
    if won:
        conditions.lay(ctx, target.id, GRABBED, source=who.id)
    ctx.text = f"{who.name} {'grabs' if won else 'fails to grab'} {target.name}"


def settled(ctx: Context, who: str) -> None:
    """Each grab does what it does by the sizes, as long as it lasts (rules file, 7)."""
    before = ctx.before.find(who)
    held_before = before is not None and before.named(GRABBING) is not None
    for held in (who, *(one.id for one in held_by(ctx.state, who) if held_before)):
        _settle_grabs_on(ctx, held)


def _settle_grabs_on(ctx: Context, who: str) -> None:
    """Begin what new grabs do. Whoever holds no more, as that was removed by hand, has let go."""
    before = ctx.before.find(who)
    for grip in grabs_on(ctx.state[who]):
        holder, hold = ctx.state.find(grip.source), f"{who}/{grip.id}"
        if holder is None or any(effect.hangs == hold for effect in holder.effects):
            continue
        if before is not None and before.effect(grip.id) == grip:
            end(ctx, who, grip.id, f"{holder.name} lets go")
        else:
            _take_hold(ctx, ctx.state[who], holder, hold)


def _take_hold(ctx: Context, held: Combatant, holder: Combatant, hold: str) -> None:
    """All that a grab does by the sizes, which hangs on it; `totals.slows` has the speeds."""
    rows = ctx.tables.economy["grabs"]
    row = rows[min(len(rows) - 1, max(0, larger_by(held, holder)))]
    placing = Placing(source=held.id, hangs=hold)
    begin(ctx, holder.id, GRABBING, None, placing, note=held.name)
    for who, because in ((holder, GRABBING), (held, GRABBED)):
        for name in row[because]:
            if not conditions.why_not(ctx, who, name):
                begin(ctx, who.id, name, None, Placing(hangs=hold), because=because)


# -- getting free, and letting go ------------------------------------------------------------------


class Escape(Struct, frozen=True, kw_only=True):
    """`escape [move] [SKILL] OUTCOME [THEIRS] [from NAME]`."""

    takes: Annotated[str, arguments.choice("what it takes", ("move",))] = ""
    skill: Annotated[str, SKILL] = ""
    die: Annotated[Die, outcome()]
    words: Annotated[ContestWords, arguments.words_of(ContestWords)]
    holder: Annotated[
        Combatant | None, arguments.clause("from", arguments.person("who holds it"), asks="")
    ] = None


def escape(ctx: Context, said: Escape, who: Combatant, pay: Pay) -> None:
    """A contest against each who holds it, for the action or the whole movement."""
    grabs = [g for g in grabs_on(who) if said.holder is None or g.source == said.holder.id]
    economy.pay_by_move(ctx, who, pay, still=True) if said.takes else pay()
    if not grabs:
        by = f" by {said.holder.name}" if said.holder is not None else ""
        raise Refused(f"{who.name} isn't grabbed{by}")
    mine = Trial(who.id, "check", said.skill or STRENGTH, said.die, terms=said.words)
    holders = dict.fromkeys(grip.source for grip in grabs)
    rivals = [Trial(holder, "check", STRENGTH, Die(), against=who.id) for holder in holders]
    beaten = contests.contest(ctx, mine, rivals, said.words.theirs).beaten
    for grip in grabs:
        if grip.source in beaten:
            end(ctx, who.id, grip.id, "escaped")
    free_of = names(ctx.state[holder] for holder in beaten)
    ctx.text = f"{who.name} {f'escapes {free_of}' if beaten else 'tries in vain to escape'}"


class Release(Struct, frozen=True):
    """`release [TARGET]`."""

    target: Annotated[
        Combatant | None, arguments.person("who is let go", usage="TARGET", asks="person:grabbed")
    ] = None


def release(ctx: Context, said: Release, who: Combatant, pay: Pay) -> None:
    """Let go of somebody, or of all whom one holds; free, at any time."""
    held = held_by(ctx.state, who.id)
    if said.target is not None and said.target not in held:
        raise Refused(f"{who.name} doesn't hold {said.target.name}")
    pay()
    freed = held if said.target is None else [said.target]
    for one in freed:
        for grip in grabs_on(one):
            if grip.source == who.id:
                end(ctx, one.id, grip.id, "let go")
    ctx.text = f"{who.name} lets go of {names(freed)}"


# -- trip, push and pull ---------------------------------------------------------------------------


def trip(ctx: Context, said: Struggle, who: Combatant, pay: Pay) -> None:
    """Strength or roguery against strength or agility: won, the other is prone (6.6)."""
    won = _lay_hands(ctx, "trip", said, who, pay)
    if won:
        conditions.lay(ctx, said.target.id, PRONE)
    ctx.text = f"{who.name} {'trips' if won else 'fails to trip'} {said.target.name}"


def _shove(name: str, does: str) -> Callable[[Context, Struggle, Combatant, Pay], None]:
    """A push or a pull: 5 ft., 5 more for each size that one is bigger, 5 less if smaller (6.7)."""

    def act(ctx: Context, said: Struggle, who: Combatant, pay: Pay) -> None:
        won = _lay_hands(ctx, name, said, who, pay)
        feet = int(ctx.tables.economy["push"]) * max(0, 1 + larger_by(who, said.target))
        far = f" {feet} ft." if won else ""
        ctx.text = f"{who.name} {does if won else f'fails to {name}'} {said.target.name}{far}"

    return act


# -- disarm ----------------------------------------------------------------------------------------


def _weapons(reading: Reading) -> list[str]:
    return [name.casefold() for name in sheet.weapons_of(reading.said["target"])]


_NAMED = arguments.choice("the weapon", _weapons, "WEAPON")
WEAPON = replace(_NAMED, stands=lambda r: r.words.upcoming.quoted or _NAMED.stands(r))
"""One of the target's weapons; one of several words stands in quotes."""


class Disarm(Struct, frozen=True, kw_only=True):
    """`disarm TARGET [WEAPON] [SKILL] OUTCOME [THEIRS] [held]`."""

    target: Annotated[Combatant, arguments.person("at whom", usage="TARGET")]
    weapon: Annotated[str, WEAPON] = ""
    skill: Annotated[str, SKILL] = ""
    die: Annotated[Die, outcome()]
    words: Annotated[ContestWords, arguments.words_of(ContestWords)]
    held: Annotated[bool, arguments.flag(heard="held")] = False


def disarm(ctx: Context, said: Disarm, who: Combatant, pay: Pay) -> None:
    """Strength against strength: the weapon is out of the hand until it is picked up. One that
    can't be let go is `held`: the larger attack with it at a disadvantage, others not (6.8)."""
    target, weapon = said.target, _weapon(said.target, said.weapon)
    tries = Struggle(target=target, skill=said.skill, die=said.die, words=said.words)
    won = _lay_hands(ctx, "disarm", tries, who, pay)
    if won and not conditions.why_not(ctx, target, DISARMED):
        hampers = said.held and larger_by(target, who) > 0
        until = Duration(says=f"{who.name} lets go of it") if said.held else None
        kept = "held" if said.held else ""
        more = {
            "type": kept,
            "disadvantage": ("weapon",) if hampers else (),
            "only_with": (weapon,),
        }
        begin(ctx, target.id, DISARMED, until, Placing(source=who.id), note=weapon, **more)
    ctx.text = f"{who.name} {'disarms' if won else 'fails to disarm'} {target.name} of {weapon}"


def _weapon(who: Combatant, said: str) -> str:
    """The weapon as the sheet has it; where none is said, the first that is in hand."""
    lost = [effect.note for effect in who.effects if effect.name == DISARMED]
    there = [name for name in sheet.weapons_of(who) if name not in lost]
    found = next((name for name in there if said in ("", name.casefold())), None)
    if found is None:
        raise Refused(f"{who.name} has no {said or 'weapon'} in hand")
    return found


# -- distract --------------------------------------------------------------------------------------


class Distract(Struggle, frozen=True, kw_only=True):
    """`distract TARGET [SKILL] OUTCOME [dc N | THEIRS]`."""

    dc: Annotated[int | None, DC] = None


def distract(ctx: Context, said: Distract, who: Combatant, pay: Pay) -> None:
    """A test: until the start of one's next turn everybody else hits the other easily (6.5)."""
    target, words = said.target, said.words
    needs_another(who, target, "distract")
    if said.dc is None and words.theirs is None and not said.die.said:
        raise Refused("the text has no DC to distract: say `dc N`, `vs ...` or how it came out")
    pay()
    hiding.acts_against(ctx, who.id, target.id)
    if words.theirs is None:
        skill = said.skill or STRENGTH
        trial = Trial(who.id, "check", skill, said.die, said.dc, target.id, words)
        won = attempt(ctx, trial).outcome in PASSES
    else:
        won = struggle(ctx, "distract", who, said)
    if won:
        until = timing.at_turn(ctx.state, who.id, "start")
        renew(ctx, target.id, DISTRACTED, until, by_source=True, source=who.id)
    ctx.text = f"{who.name} {'distracts' if won else 'fails to distract'} {target.name}"


ACTS = {
    "grab": Declared(Grab, grab),
    "escape": Declared(Escape, escape),
    "release": Declared(Release, release),
    "trip": Declared(Struggle, trip),
    "push": Declared(Struggle, _shove("push", "pushes")),
    "pull": Declared(Struggle, _shove("pull", "pulls")),
    "disarm": Declared(Disarm, disarm),
    "distract": Declared(Distract, distract),
}
