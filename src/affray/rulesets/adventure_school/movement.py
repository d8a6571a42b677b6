"""Movement: its price, dashing, jumping and tumbling; falling, flying, and who can't move.

Seed 001: Move, Difficult Terrain, Climb, Swim, Prone, Dash, Long Jump, High Jump, Tumble, Drag,
Falling, Flying, Immobilize; rules file, 5 and 19.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named, in_force
from affray.core.heart.events import Altered, Forgot, Noted, Rolled, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.refusal import Refused, listed
from affray.core.rules.ruleset import declare
from affray.core.rules.tables import Tables
from affray.rulekit import rolls
from affray.rulekit.acts import Pay, needs_another
from affray.rulekit.doing import Declared
from affray.rulekit.numbers import Part
from affray.rulekit.placing import begin, renew
from affray.rulekit.rolls import Die
from affray.rulesets.adventure_school import conditions, damage, economy, hiding, totals
from affray.rulesets.adventure_school.checks import SKILL, TestWords, Trial, attempt, better_of
from affray.rulesets.adventure_school.conditions import FALLING, FLYING, IMMOBILIZED, PRONE
from affray.rulesets.adventure_school.contests import STRENGTH, Struggle, struggle
from affray.rulesets.adventure_school.rolls import CRIT_FAIL, DC, PASSES, outcome

FEET = arguments.number("how many feet", 1, 99_999, "FEET")


class Move(Struct, frozen=True):
    """`move [FEET] [difficult] [climb] [swim] [drag]`; without FEET, all that is left."""

    feet: Annotated[int, arguments.number("how many feet", 1, 9999, "FEET")] = 0
    difficult: Annotated[bool, arguments.flag(heard="difficult")] = False
    climb: Annotated[bool, arguments.flag(heard="climb")] = False
    swim: Annotated[bool, arguments.flag(heard="swim")] = False
    drag: Annotated[bool, arguments.flag(heard="drag")] = False


def move(ctx: Context, said: Move, who: Combatant, pay: Pay) -> None:
    """Counts movement down: each thing that is slow adds as many feet again (5.1, R9)."""
    slow = [word for word in ("difficult", "climb", "swim") if getattr(said, word)]
    slow += [PRONE] if PRONE in in_force(ctx.tables, ctx.state, who) else []
    times = 1 + len(slow)
    left = _left(ctx, who)
    dragged = _dragged(ctx, who, said.drag)
    pay({"movement": said.feet * times or max(1, left)})
    how = f" ({listed(slow, 'and')})" if slow else ""
    drags = f", dragging {names(dragged)}" if dragged else ""
    ctx.text = f"{who.name} moves {said.feet or left // times} ft.{how}{drags}"


def _left(ctx: Context, who: Combatant) -> int:
    """The feet that it has left; outside of a fight nothing is counted, and that is its speed."""
    if ctx.state.phase == "combat":
        return who.track("movement")
    return totals.speed(ctx.tables, ctx.state, who)


def _dragged(ctx: Context, who: Combatant, drag: bool) -> list[Combatant]:
    """Whom somebody who moves takes along: with `drag`, whoever it holds and is no bigger; always,
    whoever holds it. Raises Refused where there is nobody to drag, or only somebody bigger (7)."""
    held = totals.held_by(ctx.state, who.id)
    able = [one for one in held if totals.larger_by(one, who) <= 0]
    if drag and not able:
        why = f"{names(held)} is bigger" if held else f"{who.name} holds nobody"
        raise Refused(f"there is nobody to drag: {why}")
    holders = (ctx.state.find(grip.source) for grip in totals.grabs_on(who))
    return [*(able if drag else []), *(one for one in holders if one is not None)]


class Dash(Struct, frozen=True):
    """`dash [OUTCOME]`, which is the health save of a blinded one."""

    die: Annotated[Die | None, outcome()] = None
    terms: Annotated[rolls.Terms, arguments.words_of(rolls.Terms)] = rolls.Terms()
    dc: Annotated[int | None, DC] = None


def dash(ctx: Context, said: Dash, who: Combatant, pay: Pay) -> None:
    """The speed once more, or half of it after standing up; who is blinded may fall (5.2)."""
    blinded = "blinded" in in_force(ctx.tables, ctx.state, who)
    if blinded and said.die is None:
        raise Refused(f"{who.name} is blinded: say how the health save came out, or `roll`")
    if said.die is not None and not blinded:
        raise Refused(f"{who.name} sees, and makes no save to dash")
    pay()
    if ctx.state.phase == "combat" and who.used(economy.STAND):
        ctx.emit(Used(who.id, economy.HALF_DASH))
    hiding.reveal(ctx, who.id, "it dashes")
    ctx.text = f"{who.name} dashes"
    if said.die is not None:
        dc = said.dc or int(ctx.tables.economy["blind_dash"])
        save = Trial(who.id, "health", said.die, dc, terms=said.terms, kind="save")
        came = attempt(ctx, save).outcome
        ctx.text += f", {came}"
        if came not in PASSES:
            conditions.fall_prone(ctx, who.id)


class Jump(Struct, frozen=True, kw_only=True):
    """`jump [high] [FEET] [SKILL] OUTCOME [far FEET]`: a high one may be far as well."""

    high: Annotated[str, arguments.choice("which jump", ("high",))] = ""
    feet: Annotated[int, arguments.number("how many feet", 1, 999, "FEET")] = 0
    skill: Annotated[str, SKILL] = ""
    die: Annotated[Die, outcome()]
    terms: Annotated[TestWords, arguments.words_of(TestWords)]
    far: Annotated[int, arguments.clause("far", FEET)] = 0


def jump(ctx: Context, said: Jump, who: Combatant, pay: Pay) -> None:
    """A jump as part of a move: far, or high (5.3)."""
    if said.die.said and not said.feet:
        raise Refused("how far? `jump FEET pass`, or the die as it lies: `jump natural 12`")
    if said.far and not said.high:
        raise Refused("`far` is said of a high jump; a jump of so many feet is `jump FEET`")
    jumps = _jump_high if said.high else _jump_far
    jumps(ctx, said, who, pay)


def _roll(ctx: Context, said: Jump, who: Combatant, dc: int | None, *more: Part) -> Rolled:
    skill = said.skill or better_of(who, STRENGTH, "agility")
    return attempt(ctx, Trial(who.id, skill, said.die, dc, terms=said.terms, more=more))


def _run_up(ctx: Context, who: Combatant) -> Part:
    """What the movement left adds to a long jump, at most the speed, less 30."""
    speed = totals.speed(ctx.tables, ctx.state, who)
    run = min(_left(ctx, who), speed)
    return Part(run - int(ctx.tables.economy["long_jump"]), f"{run} ft. to run")


def _jump_far(ctx: Context, said: Jump, who: Combatant, pay: Pay) -> None:
    """To a named distance, which is the DC; else as far as the total, rounded down to 5 ft. What is
    jumped is taken from the movement, whatever the ground."""
    rolled = _roll(ctx, said, who, said.feet or None, _run_up(ctx, who))
    passed = rolled.outcome in PASSES
    feet = said.feet if passed and said.feet else _reach(ctx, rolled)
    pay({"movement": min(feet, who.track("movement"))})
    short = f", short of {said.feet}" if said.feet and not passed else ""
    ctx.text = f"{who.name} jumps {feet} ft. far{short}"


def _reach(ctx: Context, rolled: Rolled, more: int = 0) -> int:
    """How far a roll carries, rounded down to 5 ft.; nowhere by a natural 1, or one not rolled."""
    pace, total = int(ctx.tables.economy["pace"]), (rolled.total or 0) + more
    return 0 if rolled.outcome == CRIT_FAIL else max(0, total // pace * pace)


def _jump_high(ctx: Context, said: Jump, who: Combatant, pay: Pay) -> None:
    """5 ft. by the first DC, 10 and 15 by the others, and 5 more for each 30 ft. of movement left;
    the same roll says how far it carries. It takes its height from the movement, and its distance,
    and reaches no higher and no farther than that is."""
    rows = ctx.tables.economy
    pace, dcs, left = int(rows["pace"]), rows["high_jump"], _left(ctx, who)
    if left < (said.feet or pace) + said.far:
        raise Refused(f"{(said.feet or pace) + said.far} ft. of movement are needed: {left} left")
    extra = left // int(rows["high_jump_run"])
    steps = max(1, -(-said.feet // pace) - extra)
    if steps > len(dcs):
        raise Refused(f"{said.feet} ft. is higher than {who.name} can jump")
    rolled = _roll(ctx, said, who, dcs[steps - 1])
    passed = rolled.outcome in PASSES
    reached = sum((rolled.total or 0) >= dc for dc in dcs)
    cleared = 0 if rolled.outcome == CRIT_FAIL else max(reached, int(passed))
    high = said.feet if passed and said.feet else pace * (cleared + extra) if cleared else 0
    feet = min(high, (left - said.far) // pace * pace)
    carries = _reach(ctx, rolled, _run_up(ctx, who).amount) if rolled.total is not None else left
    carries = min(carries, (left - feet) // pace * pace) if feet else 0
    far = min(said.far, carries)
    pay({"movement": feet + far})
    more = "" if said.far or not carries else f", and could go {carries} ft. far (`far N`)"
    ctx.text = f"{who.name} jumps {feet} ft. high{f', {far} ft. far' if far else more}"


def tumble(ctx: Context, said: Struggle, who: Combatant, pay: Pay) -> None:
    """Tumbling against the enemy's strength, through its space; lost, one is prone (5.4)."""
    needs_another(who, said.target, "tumble past")
    pay()
    ctx.text = f"{who.name} tumbles past {said.target.name}"
    if not struggle(ctx, "tumble", who, said):
        conditions.fall_prone(ctx, who.id)
        ctx.text += " in vain"


# -- falling ---------------------------------------------------------------------------------------

SPEED, BLUNT = "speed", "blunt"
FALL = "fall"
"""What is counted of a fall that takes more than a turn, and the span of that."""


def begin_fall(ctx: Context, who: str, feet: int, because: str = "") -> None:
    """Fall so far, at the end of its turn; at once where there are no turns (rules file, 19.1)."""
    ctx.emit(Forgot(who, FALL))
    renew(ctx, who, FALLING, Duration(says="it lands"), amount=feet, because=because)
    if ctx.state.phase != "combat":
        land(ctx, who)


def fall_on(ctx: Context, who: str) -> None:
    """Fall as far as one does in a turn, to the ground if that is far enough; at the end of that
    turn, or as it would end for the defeated and the dead (2.6, 2.7)."""
    falling, far = ctx.state[who].named(FALLING), int(ctx.tables.economy["fall"])
    left = falling.amount - far if falling is not None else 0
    if left <= 0:
        land(ctx, who)
        return
    ctx.emit(Used(who, FALL, FALL))
    for effect in ctx.state[who].effects:
        if effect.name in (FALLING, FLYING):
            ctx.emit(Altered(who, replace(effect, amount=max(0, effect.amount - far))))
    ctx.emit(Noted(f"{ctx.state.name(who)} falls {far} ft., with {left} ft. to go"))


def damage_of(tables: Tables, feet: int) -> int:
    """What a fall from so high deals: a point for each foot, from 10 ft. on (19.1)."""
    harms, most = int(tables.economy["fall_harms"]), int(tables.economy["fall_damage"])
    return min(feet, most) if feet >= harms else 0


def land(ctx: Context, who: str) -> None:
    """The end of a fall, if it falls, and the damage for all of it (19.1)."""
    target, rows = ctx.state[who], ctx.tables.economy
    falling = target.named(FALLING)
    if falling is None:
        return
    height = falling.amount + int(rows["fall"]) * target.used(FALL, FALL)
    for name in (FALLING, FLYING):
        end_named(ctx, who, name, "on the ground")
    ctx.emit(Forgot(who, FALL))
    hurt = damage_of(ctx.tables, height)
    if not hurt or target.life == "dead" or "hp" not in target.tracks:
        ctx.emit(Noted(f"{target.name} lands after {height} ft., unharmed"))
        return
    taken = damage.deal(ctx, who, damage.Blow(((hurt, BLUNT),), label=f" from {height} ft. up"))
    if taken >= int(rows["fall_kills"]):
        fell = f"{target.name} took {taken} damage by the fall"
        ctx.emit(Noted(f"{fell}: was that death? `kill {who}`"))


# -- flying, and not moving ------------------------------------------------------------------------


def settled(ctx: Context, who: str) -> None:
    """Immobilized as long as it can't move; whoever flies so without floating falls (5.7, 19.2)."""
    if "movement" not in ctx.state[who].tracks:
        return
    _hold(ctx, who)
    target = ctx.state[who]
    falling, flying = target.named(FALLING), target.named(FLYING)
    flying = None if target.stats.get("float") else flying
    falls = flying is not None and IMMOBILIZED in in_force(ctx.tables, ctx.state, target)
    if flying is not None and falls and falling is None:
        begin_fall(ctx, who, flying.amount, because=FLYING)
    elif falling is not None and falling.because == FLYING and not falls:
        end(ctx, who, falling.id, "it flies again" if flying is not None else "")
        ctx.emit(Forgot(who, FALL))


def _hold(ctx: Context, who: str) -> None:
    """Let somebody who is stuck be immobilized because of what holds them now, being prone or the
    speed, and because of the other no longer."""
    target = ctx.state[who]
    held = [e for e in target.all_named(IMMOBILIZED) if e.because in (PRONE, SPEED)]
    others = tuple(effect for effect in target.effects if effect not in held)
    because = _why_stuck(ctx, replace(target, effects=others))
    for effect in held:
        if effect.because != because:
            end(ctx, who, effect.id, "can move again")
    if because and not any(effect.because == because for effect in held):
        begin(ctx, who, IMMOBILIZED, Duration(says="it can move"), because=because)


def _why_stuck(ctx: Context, who: Combatant) -> str:
    """Why somebody can't move whom nothing else immobilizes: a flyer that is prone, or the speed of
    whoever else; empty for who can."""
    force = in_force(ctx.tables, ctx.state, who)
    if IMMOBILIZED in force:
        return ""
    is_down = FLYING in force and PRONE in force and not who.stats.get("float")
    if is_down and conditions.can_have(who, IMMOBILIZED):
        return PRONE
    return SPEED if totals.speed(ctx.tables, ctx.state, who) == 0 else ""


class Fall(Struct, frozen=True):
    """What `fall` says."""

    who: Annotated[Combatant, arguments.person("who falls")]
    feet: Annotated[int, FEET]


def _fall(ctx: Context, said: Fall) -> None:
    begin_fall(ctx, said.who.id, said.feet)
    ctx.text = f"{said.who.name} falls {said.feet} ft."


VERBS = (declare(FALL, "lets somebody fall, at the end of its turn", Fall, _fall),)
ACTS = {
    "move": Declared(Move, move),
    "dash": Declared(Dash, dash),
    "jump": Declared(Jump, jump),
    "tumble": Declared(Struggle, tumble),
}
