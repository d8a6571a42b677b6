"""Where somebody is, how they move, and how they fall.

A place is an effect of the kind `place`: in the air, in what light, behind what, seen or not. Of
those that exclude one another (`economy.places`) the last one counts: who is put in dim light is no
longer in darkness. `amount` is how many feet up somebody is who flies or climbs, if that is
known.

A fall of more feet than one turn takes is such an effect, `falling`, whose amount is how far it
goes in all; turns that it has taken are counted (`uses`). Who is no longer held up falls as well:
`falling` from as high as they were, 0 if nobody has said how high, until `fall NAME FEET` does.

Monsters & Magic, Movement, Falling, Light, Concealment, Cover, Underwater Combat, Basic Techniques
(Move), Conditions (Prone).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import DieInput
from affray.core.engine import effects
from affray.core.engine.durations import Until
from affray.core.engine.events import EffectGained, LifeChanged, UseCounted, UsesReset
from affray.core.engine.initiative import arrange_anew
from affray.core.engine.state import (
    MOST_KEPT,
    OUT_OF_THE_FIGHT,
    Combatant,
    Duration,
    Effect,
    EffectRef,
    Encounter,
)
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, names_with_verb
from affray.core.parser.declarations import ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ASKED_ELSEWHERE, Field
from affray.core.rules.ruleset import CompanionRules, Context, DecisionOption, PendingDecision
from affray.core.rules.tables import Tables
from affray.mechanics import checks as shared_checks, stats
from affray.mechanics.actions import PayFunction
from affray.mechanics.conditions import apply_condition, begin_effect, replace_effect, until_arg
from affray.mechanics.sheet import size_difference, size_of
from affray.mechanics.stats import StatPart
from affray.rulesets.monsters_and_magic import checks, conditions, damage, sheet, stats as totals
from affray.rulesets.monsters_and_magic.checks import CheckModifiers, Outcome

# -- places ----------------------------------------------------------------------------------------

PLACE = "place"
_UP = arguments.keyword_arg(
    "up", arguments.number_arg("a height in feet", 0, 9_999, "FEET"), field=ASKED_ELSEWHERE
)


@lru_cache(maxsize=MOST_KEPT)  # asked of every combatant after every command
def _way_of(tables: Tables, combatant: Combatant) -> str:
    """The kind of speed that somebody moves with: `fly`; empty on the ground."""
    rows = tables.economy["ways"].items() if combatant.effects else ()
    return next((way for way, row in rows if combatant.named(row["place"]) is not None), "")


def _come_down(ctx: Context, combatant_id: str, why: str) -> bool:
    """End flying, climbing and the like; True if there was any."""
    way = _way_of(ctx.tables, ctx.state[combatant_id])
    if way:
        effects.end_effects_named(ctx, combatant_id, ctx.tables.economy["ways"][way]["place"], why)
    return bool(way)


def _put(
    ctx: Context, combatant_id: str, name: str, up: int | None, terms: effects.EffectSpec
) -> None:
    """Put somebody in a place, by default until changed."""
    before = ctx.state[combatant_id].named(name)
    for row in ctx.tables.economy["places"].values():
        for other in row if name in row else ():
            if other != name:
                effects.end_effects_named(ctx, combatant_id, other, f"now {name}")
    feet = up if up is not None else before.amount if before is not None else 0
    spec = replace(terms, name=name, amount=feet)
    apply_condition(conditions.LASTING, ctx, combatant_id, spec, Until(), is_only_one=True)


def _place_names(reading: ParseState) -> list[str]:
    return sheet.names_of(reading.ctx.tables, PLACE)


_SPOKEN = {"darkness": "dark", "magical-darkness": "magical-dark"}
"""Other words for places, from speech."""
_PLACED = until_arg(conditions.LASTING, "for N turns | until ...")


_WHERE = arguments.choice_arg("where", _place_names, "WHERE", Field(PLACE), _SPOKEN)


class _Place(Struct, frozen=True):
    """The arguments of `place`."""

    people: Annotated[list[Combatant], arguments.combatants_arg("the combatants there")]
    where: Annotated[str, _WHERE]
    up: Annotated[int | None, _UP] = None
    terms: Annotated[effects.EffectSpec, _PLACED] = effects.EffectSpec()


def _place(ctx: Context, args: _Place) -> None:
    options = ctx.tables.economy["ways"].values()
    if args.up is not None and args.where not in [row["place"] for row in options]:
        raise Refused(f"`up` is the height of flying or climbing, not for {args.where}")
    for combatant in args.people:
        _put(ctx, combatant.id, args.where, args.up, args.terms)
    high = "" if args.up is None else f", {args.up} feet up"
    ctx.text = f"{join_names(args.people)}: {args.where}{high}"


# -- moving ----------------------------------------------------------------------------------------

CRAWL, STAND, WALK = "crawl", "stand", "walk"
"""The ways to move on the ground."""
_WAYS = arguments.anywhere_choice_arg(CRAWL, STAND, WALK, *totals.WAYS, field=ASKED_ELSEWHERE)


class MoveArgs(Struct, frozen=True):
    """The arguments of `move`; without a way one goes on as before: who flies flies."""

    way: Annotated[str, _WAYS] = ""
    up: Annotated[int | None, _UP] = None


def move(ctx: Context, args: MoveArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Move; the prone stand up for half the speed, unless they crawl."""
    barred = effects.why_cannot(ctx, combatant, "move")
    if barred:
        raise Refused(f"{combatant.name} can't move: {barred}")
    way = _way(ctx, args, combatant)
    prone = combatant.named("prone")
    if args.way == STAND and prone is None:
        raise Refused(f"{combatant.name} is not prone")
    pay()
    used = totals.fitting(combatant, (totals.SPEED,))
    more = [totals.forward_part(each) for each in used]
    does = []
    if prone is not None and args.way != CRAWL:
        effects.remove_effect(ctx, combatant.id, prone.id, "stands up")
        does.append("stands up, for half its speed")
    if way:
        does.append(_go(ctx, combatant, way, args.up, more))
    is_down = args.way == WALK and _come_down(ctx, combatant.id, "on the ground")
    done = " and ".join(does) or ("crawls" if prone else "moves")
    if used and not way:
        situation = totals.situation_of(ctx, ctx.state[combatant.id])
        done += f", at a speed of {stats.stat_value(situation, totals.SPEED, more=more)} feet"
    totals.use_up(ctx, combatant.id, totals.SPEED, used)
    ctx.text = f"{combatant.name} {done}{', on the ground again' if is_down else ''}"


def _way(ctx: Context, args: MoveArgs, combatant: Combatant) -> str:
    """The way of moving that takes somebody off the ground, or changes how high they are.

    Raises Refused for somebody who hasn't the speed that it takes, and for a height on the ground.
    """
    row = ctx.tables.economy["ways"].get(args.way, {})
    if row.get("needs_speed") and not combatant.stats.get(args.way):
        raise Refused(f"{combatant.name} has no {args.way} speed")
    if args.up is None or row:
        return args.way if row else ""
    way = "" if args.way else _way_of(ctx.tables, combatant)
    if not way:
        raise Refused("`up` is the height of flying or climbing: `move fly up 40`")
    return way


def _go(
    ctx: Context, combatant: Combatant, way: str, up: int | None, more: Sequence[StatPart]
) -> str:
    """Go that way, which catches who falls: "flies up to 60 feet, 40 feet above the ground". `more`
    is what the speed has on top in this move alone."""
    row = ctx.tables.economy["ways"][way]
    _put(ctx, combatant.id, row["place"], up, effects.EffectSpec())
    for name in (FALLING, SINKING):
        effects.end_effects_named(ctx, combatant.id, name, row["place"])
    situation = totals.situation_of(ctx, ctx.state[combatant.id])
    feet = stats.stat_value(situation, way, more=more) if totals.has_way(combatant, way) else 0
    far = f" up to {feet} feet" if feet else ""
    return f"{row['says']}{far}{'' if up is None else f', {up} feet above the ground'}"


# -- falling ---------------------------------------------------------------------------------------

FALLING, SINKING, FALL = "falling", "sinking", "fall"


def _turns_for(tables: Tables, feet: int) -> int:
    """The number of turns a fall takes: up to 580 feet 1, to 2,315 feet 2, to 5,280 feet 3."""
    rows = tables.economy["fall_turns"]
    return next((turn for turn, far in enumerate(rows, 1) if feet <= far), len(rows) + 1)


def _begin_fall(ctx: Context, combatant_id: str, feet: int, amount: int | None = None) -> None:
    """Begin a fall: to the ground at once if one turn is enough, or outside turns. Called damage
    waits for the landing, as dice do."""
    if _turns_for(ctx.tables, feet) == 1 or not ctx.state.in_combat:
        _land(ctx, combatant_id, feet, amount)
        return
    _let_go(ctx, combatant_id)
    text = "" if amount is None else str(amount)
    replace_effect(ctx, combatant_id, FALLING, Duration(says="it lands"), amount=feet, dice=text)


def _let_go(ctx: Context, combatant_id: str) -> None:
    """End flying and climbing, and forget the turns of an earlier fall."""
    _come_down(ctx, combatant_id, "falls")
    if ctx.state[combatant_id].used(FALL, FALL):
        ctx.emit(UsesReset(combatant_id, FALL))


def _land(ctx: Context, combatant_id: str, feet: int, amount: int | None = None) -> None:
    """End a fall, with its whole damage: 1d6 for each 10 feet, `4d6` for 45."""
    _let_go(ctx, combatant_id)
    effects.end_effects_named(ctx, combatant_id, FALLING, "on the ground")
    dice = feet // ctx.tables.economy["fall_feet"]
    if amount is None and dice:
        amount = shared_checks.roll_extra_dice(
            ctx, combatant_id, f"{dice}{ctx.tables.economy['fall_die']}", "fall"
        )
    if not amount:
        ctx.note(f"lands unharmed after {feet} feet", combatant_id)
    elif "hp" in ctx.state[combatant_id].tracks and ctx.state[combatant_id].life != "dead":
        damage.deal(
            ctx, combatant_id, damage.DamageInstance(amount, label=f" from a fall of {feet} feet")
        )


def on_turn_end(ctx: Context, combatant_id: str) -> None:
    """Continue a fall to the end of that turn, to the ground if that is far enough."""
    falling = ctx.state[combatant_id].named(FALLING)
    if falling is None or not falling.amount:
        return
    turn = ctx.state[combatant_id].used(FALL, FALL) + 1
    if turn >= _turns_for(ctx.tables, falling.amount):
        amount = int(falling.dice) if falling.dice.isdecimal() else None
        _land(ctx, combatant_id, falling.amount, amount)
        return
    ctx.emit(UseCounted(combatant_id, FALL, FALL))
    feet = ctx.tables.economy["fall_turns"][turn - 1]
    text = f"has fallen {feet} feet, with {falling.amount - feet} to go"
    ctx.note(text, combatant_id)


def apply_movement_invariants(ctx: Context) -> None:
    """Let somebody who flies or climbs fall when restrained or unconscious, and who swims sink
    (Movement)."""
    for combatant in ctx.state.combatants:
        way = _way_of(ctx.tables, combatant)
        if not way or combatant.is_out:
            continue
        row = ctx.tables.economy["ways"][way]
        force = effects.effects_in_force(ctx, combatant)
        because = next((name for name in ctx.tables.economy["falls_by"] if name in force), "")
        place = combatant.named(row["place"])
        if because and "ends" in row and place is not None:
            effects.remove_effect(ctx, combatant.id, place.id, because)
            begin_effect(ctx, combatant.id, row["ends"], because=because, amount=place.amount)


# -- the falls that wait for the GM ----------------------------------------------------------------

_HEIGHTS = (("1", 10), ("2", 20), ("3", 30), ("6", 60))
"""The offered heights if none is known: a key, and feet."""


def _waiting_falls(state: Encounter) -> list[tuple[Combatant, Effect]]:
    """The falls that wait for their height or their damage, and take no turns."""
    falling = ((c, c.named(FALLING)) for c in state.combatants if c.effects)
    return [(c, e) for c, e in falling if e is not None and (e.because or not e.amount)]


def movement_decisions(state: Encounter) -> list[PendingDecision]:
    """The falls that wait for the GM: from how high, and the damage."""
    return [
        _fall_decision(combatant, falling.amount) for combatant, falling in _waiting_falls(state)
    ]


def _fall_decision(combatant: Combatant, feet: int) -> PendingDecision:
    rows = [("f", feet)] if feet else list(_HEIGHTS)
    return PendingDecision(
        combatant.id,
        f"{combatant.name} falls{f' {feet} feet' if feet else ': how far? `fall NAME FEET`'}",
        tuple(
            DecisionOption(key, f"{far} feet", f"{FALL} {combatant.id} {far}") for key, far in rows
        ),
        missed=f"{combatant.name} fell {feet} feet" if feet else "",
        holds=bool(feet),
    )


def make_deferred_falls(ctx: Context) -> None:
    """Make the waiting falls of known height before the turn ends."""
    for combatant, falling in _waiting_falls(ctx.state):
        if falling.amount:
            _begin_fall(ctx, combatant.id, falling.amount)


class _Fall(Struct, frozen=True):
    """The arguments of `fall`; the damage as rolled, where affray is not to roll it."""

    people: Annotated[list[Combatant], arguments.combatants_arg("the combatants who fall")]
    feet: Annotated[int, arguments.number_arg("a distance in feet", 1, 99_999, "FEET")]
    amount: Annotated[
        int | None, arguments.amount_arg("damage", "DAMAGE", Field("damage", optional=True))
    ] = None


def _fall(ctx: Context, args: _Fall) -> None:
    most = ctx.tables.economy["fall_turns"][-1]
    if args.feet > most:
        raise Refused(f"a fall can be {most} feet at most, which takes three turns")
    for combatant in args.people:
        _begin_fall(ctx, combatant.id, args.feet, args.amount)
    ctx.text = f"{names_with_verb(args.people, 'falls', 'fall')} {args.feet} feet"


MOVEMENT_COMMANDS = (
    declare_command(FALL, "deals the damage of a fall: 1d6 for each 10 feet", _Fall, _fall),
    declare_command(PLACE, "sets where somebody is: in the air, in the dark", _Place, _place),
)


# -------------------------------------------------------------------------------------------------
# Mounts: who carries whom, whose will it goes by, and who keeps their seat.
#
# A rider has the effect `mounted`, from its mount; a controlled mount has `controlled`, from its
# rider, and acts right behind it. Who is about to fall off has `slipping` until the save is made:
# its type is `weak` when that came out so, and 2 fatigue are still to be marked or not.
#
# Monsters & Magic, Mounted Combat, Basic Techniques (Mount or Dismount).

MOUNTED, CONTROLLED, SLIPPING, PRONE = "mounted", "controlled", "slipping", "prone"
INDEPENDENT = "independent"
WEAK: Outcome = "weak"


# -- getting on and off ----------------------------------------------------------------------------


class MountArgs(Struct, frozen=True):
    """The arguments of `mount`; a trained mount is controlled by default."""

    steed: Annotated[
        Combatant | None, arguments.combatant_arg("the mount", "MOUNT", Field("ally", legal=True))
    ] = None
    will: Annotated[str, arguments.anywhere_choice_arg(CONTROLLED, INDEPENDENT)] = ""


def mount(ctx: Context, args: MountArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Mount or Dismount, for half the speed: a rider gets off."""
    riding, steed = combatant.named(MOUNTED), args.steed
    if riding is None and steed is not None:
        _refuse_unfit(combatant, steed)
    pay()
    if riding is not None and steed is not None:
        raise Refused(f"{combatant.name} rides already: `dismount` comes first")
    half = stats.stat_value(totals.situation_of(ctx, combatant), "speed") // 2
    if riding is not None:
        effects.remove_effect(ctx, combatant.id, riding.id, "dismounted")
        ctx.text = f"{combatant.name} dismounts, for {half} feet of its speed"
        return
    seat = begin_effect(
        ctx, combatant.id, MOUNTED, Duration(says="dismounting"), source=steed.id if steed else ""
    )
    usual = CONTROLLED if steed is not None and steed.stats.get("trained") else INDEPENDENT
    if steed is not None and (args.will or usual) == CONTROLLED:
        until = Duration(says="its rider dismounts")
        replace_effect(
            ctx,
            steed.id,
            CONTROLLED,
            until,
            attached_to=EffectRef(combatant.id, seat.id),
            source=combatant.id,
        )
        arrange_anew(ctx)
    ctx.text = (
        f"{combatant.name} mounts {steed.name if steed else 'up'}, for {half} feet of its speed"
    )


def _refuse_unfit(rider: Combatant, steed: Combatant) -> None:
    """Raises Refused for a mount that doesn't suit this rider, by their sheets. A mount is at least
    a size larger. Giving the command means that it is willing and built for it; only somebody down
    can't be.
    """
    if steed.id == rider.id:
        raise Refused(f"{rider.name} can't mount themself")
    if steed.life != "up":
        raise Refused(f"{steed.name} is {steed.life}, and can carry nobody")
    seat = steed.named(MOUNTED)
    if seat is not None and seat.source == rider.id:
        raise Refused(f"{steed.name} rides {rider.name}")
    if "size" in steed.stats and size_difference(steed, rider) < 1:
        raise Refused(
            f"{steed.name} is {size_of(steed)}: a mount is at least a size larger than its rider, "
            f"and {rider.name} is {size_of(rider)}"
        )


def steed_of(state: Encounter, rider: Combatant) -> Combatant | None:
    """The creature that somebody rides; None for nobody's rider, and for an unnamed mount."""
    seat = rider.named(MOUNTED)
    return state.find(seat.source) if seat is not None and seat.source else None


def master(combatant: Combatant) -> str:
    """The rider at whose initiative a controlled mount acts; empty for everybody else."""
    control = combatant.named(CONTROLLED) if combatant.effects else None
    return control.source if control is not None else ""


class Companions(CompanionRules):
    """Mounts that are led."""

    owner_of = staticmethod(master)


# -- keeping one's seat ----------------------------------------------------------------------------


def apply_mount_invariants(ctx: Context) -> None:
    """Ask a prone rider, or the rider of a prone mount, for a save to stay on; let a mount that is
    no longer controlled act for itself."""
    if any(slot.follows for slot in ctx.state.slots):
        arrange_anew(ctx)
    prone = {e.who for e in ctx.events if isinstance(e, EffectGained) and e.effect.name == PRONE}
    became = (e for e in ctx.events if isinstance(e, LifeChanged))
    down = prone | {event.who for event in became if event.life in OUT_OF_THE_FIGHT}
    for rider in ctx.state.combatants if down else ():
        seat = rider.named(MOUNTED)
        if seat is None or rider.is_out or rider.named(SLIPPING) is not None:
            continue
        if rider.id in down or seat.source in down:
            begin_effect(ctx, rider.id, SLIPPING, Duration(says="it saves"), source=seat.source)
    for rider in ctx.state.bearers(MOUNTED):
        seat = rider.named(MOUNTED)
        if seat is not None and seat.source and not _carries(ctx, ctx.state.find(seat.source)):
            if rider.named(SLIPPING) is None and not rider.is_out:
                begin_effect(ctx, rider.id, SLIPPING, Duration(says="it saves"), source=seat.source)
            gone = ctx.state.find(seat.source) or ctx.before.find(seat.source)
            why = f"{gone.name if gone is not None else seat.source} carries nobody"
            effects.remove_effect(ctx, rider.id, seat.id, why)


def _carries(ctx: Context, steed: Combatant | None) -> bool:
    """True if a mount carries anybody: it is there, alive and awake."""
    if steed is None or steed.life != "up":
        return False
    return "unconscious" not in effects.effects_in_force(ctx, steed)


_ROLL = shared_checks.die_arg(checks.OUTCOMES, field=Field("outcome", optional=False))
_STAYS = arguments.anywhere_choice_arg("stay", "off", field=Field("choice", ("stay", "off")))


class MountSaveArgs(Struct, frozen=True):
    """The arguments of `mount-save`: after a weak hit one stays for 2 fatigue, or gets off.

    The result of a weak hit may come later: `mount-save NAME stay`.
    """

    rider: Annotated[
        Combatant, arguments.combatant_arg("the rider", field=Field("person", ("mounted",)))
    ]
    die: Annotated[DieInput | None, _ROLL] = None
    stays: Annotated[str, _STAYS] = ""
    terms: Annotated[
        CheckModifiers, arguments.keyword_args(CheckModifiers, "WORDS", is_asked=False)
    ] = CheckModifiers()


def _mount_save(ctx: Context, args: MountSaveArgs) -> None:
    rider = args.rider
    slipping = rider.named(SLIPPING)
    if rider.named(MOUNTED) is None and slipping is None:
        raise Refused(f"{rider.name} is not riding")
    outcome: Outcome = WEAK
    if args.die is not None:
        outcome = _save(ctx, rider, args.die, args.terms)
    elif slipping is None or slipping.type != WEAK:
        raise Refused(f"give the outcome of the save: {checks.OUTCOMES.listed}")
    elif not args.stays:
        raise Refused(f"say whether {rider.name} will `stay`, for 2 fatigue, or get `off`")
    came = _apply_save(ctx, rider, outcome, args.stays)
    ctx.text = f"{rider.name}'s save to stay mounted, {outcome}: {came}"


def _save(ctx: Context, rider: Combatant, die: DieInput, terms: CheckModifiers) -> Outcome:
    return checks.saving_throw(ctx, rider, "cunning", die, terms).come_out(ctx)


def _apply_save(ctx: Context, rider: Combatant, outcome: Outcome, stays: str) -> str:
    """Apply the outcome of a rider's save, and say in words where the rider is then.

    After a weak hit with `stays` empty the GM is asked.
    """
    if outcome not in checks.HITS:
        _leave_seat(ctx, rider.id, "thrown")
        if rider.named(PRONE) is None:
            begin_effect(ctx, rider.id, PRONE)
        return "thrown, and prone beside the mount"
    if rider.named(MOUNTED) is None:
        effects.end_effects_named(ctx, rider.id, SLIPPING, "on its feet")
        return "lands on its feet, no longer riding"
    if outcome == WEAK and not stays:
        replace_effect(ctx, rider.id, SLIPPING, Duration(says="it stays or gets off"), type=WEAK)
        return "stays for 2 fatigue, or lands on its feet"
    if outcome == WEAK and stays == "stay":
        damage.require_fatigue(rider)
        damage.mark_fatigue(ctx, rider.id, ctx.tables.economy["keep_seat"], "to stay mounted")
    text = "keeps the seat"
    if outcome == WEAK and stays == "off":
        _leave_seat(ctx, rider.id, "knocked off")
        text = "lands on its feet beside the mount"
    effects.end_effects_named(ctx, rider.id, SLIPPING, text)
    if "unconscious" not in effects.effects_in_force(ctx, ctx.state[rider.id]):
        effects.end_effects_named(ctx, rider.id, PRONE, "on its feet, or in the saddle")
    return text


def _leave_seat(ctx: Context, rider: str, why: str) -> None:
    for name in (SLIPPING, MOUNTED):
        effects.end_effects_named(ctx, rider, name, why)


def _slipping(state: Encounter) -> list[tuple[Combatant, bool]]:
    """The combatants about to fall off, and True for each whose save was a weak success."""
    slipping = ((c, c.named(SLIPPING)) for c in state.combatants if c.effects)
    return [(rider, effect.type == WEAK) for rider, effect in slipping if effect is not None]


def make_deferred_saves(ctx: Context) -> None:
    """Make the riders' waiting saves before the turn ends; after a weak hit they get off."""
    for rider, is_weak in _slipping(ctx.state):
        outcome: Outcome = WEAK
        if not is_weak:
            die = shared_checks.left_to_program(ctx, rider.id)
            outcome = _save(ctx, rider, die, CheckModifiers())
        _apply_save(ctx, rider, outcome, "off")


_ANSWERS = (
    ("m", "miss", "miss"),
    ("w", "weak, and stays for 2 fatigue", "weak stay"),
    ("o", "weak, and gets off", "weak off"),
    ("s", "strong", "strong"),
    ("r", "roll", "roll"),
)
_AFTER_THE_RIDE = (("m", "miss", "miss"), ("s", "weak or strong", "strong"), ("r", "roll", "roll"))
_AFTER_WEAK = (("w", "stays for 2 fatigue", "stay"), ("o", "gets off", "off"))


def mount_decisions(state: Encounter) -> list[PendingDecision]:
    """The saves of riders that wait for the GM."""
    return [_save_decision(rider, is_weak) for rider, is_weak in _slipping(state)]


def _save_decision(rider: Combatant, is_weak: bool) -> PendingDecision:
    command = f"mount-save {rider.id}"
    says = "stays mounted for 2 fatigue, or gets off" if is_weak else "saves to stay mounted"
    rows: tuple[tuple[str, str, str], ...] = _AFTER_WEAK if is_weak else _ANSWERS
    if rider.named(MOUNTED) is None:
        says, rows = "saves to land on its feet", _AFTER_THE_RIDE
    return PendingDecision(
        rider.id,
        f"{rider.name} {says}",
        tuple(DecisionOption(key, label, f"{command} {word}") for key, label, word in rows),
        missed=f"{rider.name} {'got off' if is_weak else 'saved to stay mounted'}",
        holds=True,
        die="" if is_weak else command,
    )


MOUNTS_COMMANDS = (
    declare_command(
        "mount-save", "makes a save to stay on a mount (a cunning save)", MountSaveArgs, _mount_save
    ),
)

COMMANDS = (*MOVEMENT_COMMANDS, *MOUNTS_COMMANDS)
