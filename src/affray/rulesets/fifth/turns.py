"""5e: initiative, surprise, the edges of turns and of the fight, inspiration, and rests.

SRD 5.2.1, The Order of Combat, Heroic Inspiration, Limited Usage: Recharge, Short Rest; SRD 5.1,
Combat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from affray.core.dice import DieInput
from affray.core.engine import durations
from affray.core.engine.effects import end_effects_named
from affray.core.engine.events import (
    CostPaid,
    NoteAdded,
    Rolled,
    TrackChanged,
    UseCounted,
    UsesReset,
)
from affray.core.engine.state import Combatant, Effect, Encounter, Slot
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import ParseState, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules import ruleset
from affray.core.rules.ruleset import Context, PendingDecision
from affray.core.rules.tables import Tables
from affray.mechanics import (
    checks as shared_checks,
    damage as shared_damage,
    powers as shared_powers,
    rests,
    saves,
)
from affray.mechanics.conditions import SurpriseArgs, begin_effect, replace_effect
from affray.mechanics.sheet import owner_of, present_owner
from affray.mechanics.techniques import mark_track
from affray.rulesets.fifth import (
    action_economy,
    checks,
    conditions,
    dying,
    experience,
    lairs,
    settings,
    sheet,
    surroundings,
)
from affray.rulesets.fifth.conditions import AT_START, CONCENTRATION
from affray.rulesets.fifth.dying import HURT_BY
from affray.rulesets.fifth.rules import RULES
from affray.rulesets.fifth.sheet import HIT_DICE, INSPIRATION, PACT, SLOTS, Power, is_2014
from affray.rulesets.srd import conditions as srd_conditions, damage, powers
from affray.rulesets.srd.action_economy import close_openings, settle_movement
from affray.rulesets.srd.actions import drop_lost_spells
from affray.rulesets.srd.checks import CAN_RESIST, rolls_of
from affray.rulesets.srd.damage import MarkArgs
from affray.rulesets.srd.dying import die, wakings
from affray.rulesets.srd.sheet import LEGENDARY, REGENERATION, RESISTS

# -- initiative and surprise -----------------------------------------------------------------------


class Initiative(shared_checks.TiesByInit):
    """A d20 and `init` for each; monsters that are alike have one roll (ruling 1)."""

    def roll(self, ctx: Context, ids: list[str], faces: tuple[int, ...] = ()) -> dict[str, int]:
        alike = settings.INITIATIVE.value(ctx.state) != "each"
        owned = [i for i in ids if present_owner(ctx.state, ctx.state[i])]
        found: dict[str, int] = {}
        groups: dict[tuple[object, ...], int] = {}
        for combatant_id in ids:
            if combatant_id in owned:
                continue
            combatant = ctx.state[combatant_id]
            kind = _kind_of(combatant) if alike and combatant.kind == "monster" else ()
            if kind and kind in groups:
                found[combatant_id] = groups[kind]
                continue
            die = DieInput(faces=faces)
            found[combatant_id] = checks.InitiativeCheck(combatant_id, die=die).roll_total(ctx)
            if kind:
                groups[kind] = found[combatant_id]
        return found | shared_checks.companion_initiative(ctx.state, owned, found)

    def tie_rank(
        self, ctx: Context, combatant_id: str, total: int, placed: Sequence[Slot]
    ) -> tuple[int, ...]:
        if lairs.is_lair(ctx.state[combatant_id]):
            return lairs.LAST
        bonus = checks.initiative_of(ctx.state[combatant_id])
        return -bonus, *super().tie_rank(ctx, combatant_id, total, placed)[1:]

    def score(self, ctx: Context, combatant_id: str) -> int:
        return checks.InitiativeCheck(combatant_id).score(ctx)

    def on_given(self, ctx: Context, combatant_id: str) -> None:
        """Surprise is over with the initiative; by the rules of 2014 with the first turn."""
        if not is_2014(ctx.state):
            end_effects_named(ctx, combatant_id, "surprised", "initiative is there")


def _kind_of(combatant: Combatant) -> tuple[object, ...]:
    """The name without its number, and the numbers that initiative goes by."""
    name = combatant.name.rstrip("0123456789 ")
    surprised = combatant.named("surprised") is not None
    return name, checks.initiative_of(combatant), combatant.number("ac"), surprised


def _surprise(ctx: Context, args: SurpriseArgs) -> None:
    """Disadvantage on initiative; by the rules of 2014 nothing to do in the first turn."""
    for combatant in args.people:
        slot = ctx.state.slot(combatant.id)
        has_turn = ctx.state.in_combat and slot is not None and slot.turns and slot.round
        has_roll = slot is not None and slot.initiative is not None and not is_2014(ctx.state)
        if has_turn or has_roll:
            what = "a turn" if has_turn else "its initiative"
            raise Refused(f"{combatant.name} has had {what} already, so can't be surprised")
    for combatant in args.people:
        until = durations.turn_edge(ctx.state, combatant.id, "end") if is_2014(ctx.state) else None
        replace_effect(ctx, combatant.id, "surprised", until)
    ctx.text = f"{names_with_verb(args.people, 'is', 'are')} surprised"


# -- the edges of turns and of the fight -----------------------------------------------------------

BETWEEN_TURNS = "between-turns"
"""The span in which a GM is told once of somebody's legendary actions."""


class Turns(ruleset.TurnRules):
    """Starts and ends of turns and of the fight, and decisions that wait."""

    def on_turn_start(self, ctx: Context, combatant_id: str) -> None:
        """Apply the start of a turn, in order."""
        rests.reset_uses(ctx, combatant_id, BETWEEN_TURNS)
        action_economy.on_turn_start(ctx, combatant_id)
        powers.roll_recharges(ctx, combatant_id)
        _regenerate(ctx, combatant_id)
        _take_ongoing(ctx, combatant_id, at_start=True)
        surroundings.burn(ctx, combatant_id)
        if surroundings.suffocate_2014(ctx, combatant_id):
            target = ctx.state[combatant_id]
            ctx.emit(TrackChanged(combatant_id, "hp", -target.track("hp"), why="no air"))
            dying.fall(ctx, combatant_id)
        if ctx.state[combatant_id].life == "dying":  # felled as it starts, it owes this turn's save
            rests.reset_uses(ctx, combatant_id, "turn")
        _tell_auras(ctx, combatant_id, "start")

    roll_deferred = staticmethod(dying.roll_deferred_saves)

    def on_turn_ending(self, ctx: Context, combatant_id: str) -> None:
        """Apply the end of a turn, in order."""
        srd_conditions.roll_deferred_saves(ctx)
        dying.roll_deferred_saves(ctx, combatant_id)
        _take_ongoing(ctx, combatant_id, at_start=False)
        srd_conditions.roll_deferred_saves(ctx)
        conditions.roll_saves_at_turn_end(ctx, combatant_id)
        surroundings.roll_deferred_saves(ctx)
        surroundings.suffocate(ctx, combatant_id)
        _tell_auras(ctx, combatant_id, "end")
        _tell_of_legendary(ctx, combatant_id)

    def on_fight_end(self, ctx: Context) -> None:
        """Make owed rolls, and end the effects that turns and rounds would end."""
        srd_conditions.roll_deferred_saves(ctx)
        surroundings.roll_deferred_saves(ctx)
        for combatant in ctx.state.combatants:
            action_economy.on_turn_start(ctx, combatant.id)
            rests.reset_uses(ctx, combatant.id, "fight", BETWEEN_TURNS)
        rests.end_fight_effects(ctx)
        experience.tell_at_end(ctx)

    def pending_decisions(self, tables: Tables, state: Encounter) -> list[PendingDecision]:
        """List the pending decisions: saves, the saddle, and after the fight the stable."""
        return [
            *damage.pending(state),
            *srd_conditions.pending_decisions(RULES, state),
            *dying.pending_decisions(state),
            *conditions.pending_decisions(state),
            *surroundings.pending_decisions(state),
            *wakings(state),
        ]


def _take_ongoing(ctx: Context, combatant_id: str, at_start: bool) -> None:
    def due(effect: Effect) -> bool:
        return (effect.note == AT_START) == at_start

    srd_conditions.take_ongoing_damage(ctx, combatant_id, due)


def _regenerate(ctx: Context, combatant_id: str) -> None:
    """Heal by the sheet's regeneration, unless damage that stops it came since its last turn; also
    from zero, or from a death that it prevents."""
    target = ctx.state[combatant_id]
    amount = target.number(REGENERATION)
    if not amount or target.life == "dead":
        return
    stops = target.stats.get("regeneration-unless") or ()
    stopped = [kind for kind in stops if target.used(f"{HURT_BY}{kind}", HURT_BY)]
    rests.reset_uses(ctx, combatant_id, HURT_BY)
    from_zero = bool(target.stats.get("regeneration-from-zero"))
    if stopped:
        ctx.note(f"doesn't regenerate: {stopped[0]}", target.id)
        if from_zero and not target.track("hp"):
            die(ctx, combatant_id, "no regeneration")
        return
    heals = target.named("no-healing") is None and not target.stats.get("swarm")
    if heals and (target.track("hp") or from_zero):
        damage.heal(ctx, combatant_id, amount, REGENERATION)
        dying.wake(ctx, combatant_id, REGENERATION)


def _tell_auras(ctx: Context, combatant_id: str, edge: str) -> None:
    """Tell of the auras that are due at this edge of a turn: its bearer's each time, that of
    others' turns once in a fight, and then the card has it."""
    for bearer in ctx.state.combatants:
        own = bearer.id == combatant_id
        for power in sheet.powers_of(bearer) if not bearer.is_out else ():
            if power.aura != (f"own-{edge}" if own else edge):
                continue
            called = f'`power "{power.name}" NAME by {bearer.id}`'
            far = f" within {power.radius} ft" if power.radius else ""
            note = NoteAdded(f"{power.name}{far}, {called}", bearer.id, aside=True)
            if own:
                ctx.emit(note)
            elif not bearer.used(f"aura {power.name}", "fight"):
                ctx.emit(note, UseCounted(bearer.id, f"aura {power.name}", "fight"))


def _tell_of_legendary(ctx: Context, combatant_id: str) -> None:
    """Tell of others' legendary actions that are left, once between two turns of their own."""
    for other in ctx.state.combatants:
        left = other.track(LEGENDARY)
        is_due = other.id != combatant_id and other.life == "up"
        if left and is_due and not other.used(LEGENDARY, BETWEEN_TURNS):
            note = NoteAdded(f"has {left} legendary left", other.id, goes_on=True)
            ctx.emit(note, UseCounted(other.id, LEGENDARY, BETWEEN_TURNS))


class Companions(ruleset.CompanionRules):
    """Summons, which act right behind their owner, and mounts under control."""

    def owner_of(self, combatant: Combatant) -> str:
        return owner_of(combatant)

    has_no_turn = staticmethod(lairs.has_no_turn)


class State(ruleset.StateRules):
    """Invariants, and numbers that were written by hand."""

    def apply_invariants(self, ctx: Context) -> None:
        """Keep derived values true: movement, concentration, exhaustion."""
        close_openings(ctx, *CAN_RESIST)
        _halve_maximum(ctx)
        conditions.apply_invariants(ctx)
        _end_moot_saves(ctx)
        surroundings.apply_invariants(ctx)
        lairs.apply_invariants(ctx)
        drop_lost_spells(ctx)
        for combatant in ctx.changed():
            shared_damage.end_expired_temp_hp(ctx, combatant.id)
            settle_movement(ctx, ctx.state[combatant.id])

    on_edited_by_hand = staticmethod(dying.on_edited_by_hand)

    def can_have(self, combatant: Combatant, condition: str) -> bool:
        return srd_conditions.can_have(combatant, condition) and not (
            condition == "poisoned" and combatant.named("petrified") is not None
        )


def _end_moot_saves(ctx: Context) -> None:
    """Drop owed saves against effects that have already ended."""
    for combatant in ctx.state.bearers(saves.THREATENED):
        for owed in combatant.all_named(saves.THREATENED):
            if owed.note != CONCENTRATION and RULES.pending_save(ctx.state, owed) is None:
                saves.end_owed(ctx, combatant.id, owed, "nothing to save against")


def _halve_maximum(ctx: Context) -> None:
    """Four levels of exhaustion halve the HP maximum while they last (2014)."""
    for combatant in ctx.changed():
        hp, old = combatant.tracks.get("hp"), is_2014(ctx.state)
        halved = combatant.named(TIRED) is not None
        tired = old and combatant.track("exhaustion") >= 4
        if hp is None or hp.max is None or tired == halved:
            continue
        if tired:
            until, lost = durations.Until(text="less exhausted").unresolved(), hp.max - hp.max // 2
            begin_effect(ctx, combatant.id, TIRED, until, amount=lost, type="hp", lowers=True)
        else:
            end_effects_named(ctx, combatant.id, TIRED, "less exhausted")


TIRED = "halved-maximum"
"""The effect of four levels of exhaustion by the rules of 2014; its amount is the lost HP."""


# -- inspiration -----------------------------------------------------------------------------------


class InspirationArgs(Struct, frozen=True):
    who: Annotated[
        Combatant, arguments.combatant_arg("the combatant who rolled", field=Field("self"))
    ]
    die: Annotated[DieInput, shared_checks.die_arg(shared_checks.OutcomeWords({}))]
    high: arguments.Flag = False


def _inspire(ctx: Context, args: InspirationArgs) -> None:
    """Put a new die in place of one of a roll's, and decide the command again (ruling 5)."""
    who, earlier = args.who, ctx.previous
    if is_2014(ctx.state):
        raise Refused("by the rules of 2014 inspiration is spent before the roll: `inspired`")
    rolls = rolls_of(earlier.entry.events) if earlier is not None else []
    own = [roll for roll in rolls if roll.who == who.id and roll.natural is not None]
    if earlier is None or not own:
        raise Refused(f"no roll of {who.name} was just made")
    if not who.track(INSPIRATION):
        raise Refused(f"{who.name} has no inspiration")
    dice = ctx.dice_of(who.id, own[0].for_, own[0].against)
    face = args.die.faces[0] if args.die.faces else dice.die(20)
    faces = sorted(own[0].faces)
    others = faces[:-1] if args.high else faces[1:]
    rest = {(r.who, r.against): r.outcome for r in rolls if r is not own[0] and r.outcome}
    again = shared_checks.redecide_roll(ctx, earlier, own[0], (*others, face), rest)
    if again is None:
        raise Refused("that roll can't be rerolled: `amend` gives its entry another outcome")
    new = [roll for roll in rolls_of(again.events) if roll.who == who.id]
    ctx.emit(*new[:1])
    shared_checks.emit_difference(ctx, ctx.state, again.state, INSPIRATION)
    ctx.emit(CostPaid(who.id, INSPIRATION, 1, "a rerolled die"))
    ctx.text = f"{who.name} rerolls with inspiration"


# -- powers recharged by hand ----------------------------------------------------------------------


def _own_recharging(reading: ParseState) -> dict[str, Power]:
    return {p.name: p for p in sheet.powers_of(reading.ctx.actor()) if p.recharge}


class RechargeArgs(Struct, frozen=True):
    power: Annotated[
        Power,
        arguments.custom_name_arg(
            "a power that recharges", _own_recharging, field=Field("text", ("power",))
        ),
    ]
    die: Annotated[DieInput, shared_checks.die_arg(shared_checks.OutcomeWords({}))]


def _recharge(ctx: Context, args: RechargeArgs) -> None:
    """Take the table's die for a recharge, in the place of the one that fell."""
    combatant, power = ctx.actor(), args.power
    span = f"recharge {power.counted}"
    face = args.die.faces[0] if args.die.faces else ctx.dice_of(combatant.id, span).die(6)
    if not 1 <= face <= 6:
        raise Refused(f"a recharge rolls a d6, not {face}")
    back = face >= power.recharge
    why = f"{power.name} is back" if back else f"{power.name} is not back yet"
    ctx.emit(Rolled(combatant.id, "1d6", (face,), face, face, span, why=why, by_hand=True))
    if back and combatant.used(power.counted, span):
        ctx.emit(UsesReset(combatant.id, span))
    elif not back and not combatant.used(power.counted, span):
        shared_powers.count_use(ctx, combatant, power.counted, span=span)
    ctx.text = f"{combatant.name}: {why}"


# -- rests -----------------------------------------------------------------------------------------

SHORT = rests.RestRules(
    ends=("turn", "round", "fight", "rest"),
    forgets=("rest", "recharge*", HURT_BY),
    sets={PACT: rests.FULL},
)
LONG = rests.RestRules(
    ends=("long-rest",),
    forgets=("day",),
    sets={"temp_hp": 0, RESISTS: rests.FULL, **dict.fromkeys(SLOTS, rests.FULL)},
)
RESTS = ("short", "long")


class RestArgs(Struct, frozen=True):
    kind: Annotated[str, arguments.choice_arg("the kind of rest", RESTS)]
    besides: rests.Besides = []


def _rest(ctx: Context, args: RestArgs) -> None:
    """Let all rest but the dead and the dying."""
    rests.require_no_fight(ctx)
    why = f"a {args.kind} rest"
    resting = rests.taking_part(ctx, args.besides)
    for combatant in resting:
        if combatant.life == "dying":
            ctx.note("is dying: no rest helps before it is stable", combatant.id)
            continue
        if combatant.life == "stable" and args.kind == "short":
            ctx.note("has no HP: a short rest takes at least one", combatant.id)
            continue
        if combatant.life == "stable":
            damage.heal(ctx, combatant.id, 1, "1d4 hours have passed")
        dying.wake(ctx, combatant.id, why)
        rests.apply_rest(ctx, combatant.id, SHORT, why)
        if args.kind == "long":
            _sleep(ctx, combatant.id, why)
        rests.end_rest(ctx, combatant.id)
    rests.reset_counters(ctx, resting, why, is_long=args.kind == "long")
    ctx.text = f"A {args.kind} rest"


def _sleep(ctx: Context, combatant_id: str, why: str) -> None:
    """Apply what only a long rest restores."""
    rests.apply_rest(ctx, combatant_id, LONG, why)
    combatant = ctx.state[combatant_id]
    dice = combatant.tracks.get(HIT_DICE)
    if dice is not None and dice.max:
        back = max(1, dice.max // 2) if is_2014(ctx.state) else dice.max
        rests.set_track(ctx, combatant_id, HIT_DICE, min(dice.max, dice.value + back), why)
    if combatant.track("exhaustion"):
        ctx.emit(TrackChanged(combatant_id, "exhaustion", -1, why=why))
        _halve_maximum(ctx)
    if "hp" in combatant.tracks and not combatant.stats.get("swarm"):
        shared_damage.regain_hp(ctx, combatant_id, ctx.state[combatant_id].room("hp"), why)


class HitDiceArgs(Struct, frozen=True):
    who: Annotated[
        Combatant, arguments.combatant_arg("the combatant who spends Hit Dice", field=Field("self"))
    ]
    count: Annotated[int, arguments.number_arg("a number", 1, 40, "N", Field("number"))]
    amount: Annotated[
        int | None, arguments.amount_arg("the numbers on the dice", field=Field("dice"))
    ] = None


def _spend_hit_dice(ctx: Context, args: HitDiceArgs) -> None:
    """Regain HP by Hit Dice and Constitution, at least 1 each."""
    rests.require_no_fight(ctx)
    who, sides = args.who, args.who.number("hit-die", 8)
    if who.track(HIT_DICE) < args.count:
        raise Refused(f"{who.name} has {who.track(HIT_DICE)} Hit Dice left")
    if who.life not in ("up", "unconscious"):
        raise Refused(f"{who.name} is {who.life}, and regains nothing from Hit Dice")
    least, bonus = 0 if is_2014(ctx.state) else 1, who.number("con")
    if args.amount is None:
        dice = ctx.dice_of(who.id, "Hit Dice")
        faces = [dice.die(sides) for _ in range(args.count)]
        total = sum(faces)
        ctx.emit(Rolled(who.id, f"{args.count}d{sides}", tuple(faces), total, for_="Hit Dice"))
        healed = sum(max(least, face + bonus) for face in faces)
    else:
        if not args.count <= args.amount <= args.count * sides:
            raise Refused(f"{args.count}d{sides} can't show {args.amount}")
        healed = max(least * args.count, args.amount + args.count * bonus)
    ctx.emit(CostPaid(who.id, HIT_DICE, args.count, "Hit Dice"))
    damage.heal(ctx, who.id, healed, "Hit Dice")
    dice_in_words = "a Hit Die" if args.count == 1 else f"{args.count} Hit Dice"
    ctx.text = f"{who.name} spends {dice_in_words}"


# -- tracks by hand --------------------------------------------------------------------------------


def _mark(ctx: Context, args: MarkArgs, clears: bool = False) -> None:
    """Mark a track, or clear it; marking a track that counts down uses it up."""
    rule = ctx.tables.track(args.track)
    for combatant in args.people:
        if args.track not in combatant.tracks:
            raise Refused(f"{combatant.name} has no track {args.track!r}")
        mark_track(ctx, combatant.id, args.track, -args.by if clears else args.by, "")
        dying.on_edited_by_hand(ctx, combatant.id)
    does = ("clears", "clear") if clears else ("marks", "mark")
    ctx.text = f"{names_with_verb(args.people, *does)} {rule.label}"


def _clear(ctx: Context, args: MarkArgs) -> None:
    _mark(ctx, args, clears=True)


COMMANDS = (
    declare_command(
        "surprise",
        "surprises somebody before initiative is rolled",
        SurpriseArgs,
        _surprise,
    ),
    declare_command("inspiration", "rerolls a die", InspirationArgs, _inspire),
    declare_command(
        "recharge", "gives the die you rolled for a recharge", RechargeArgs, _recharge, True
    ),
    declare_command("hit-dice", "spends Hit Dice after a short rest", HitDiceArgs, _spend_hit_dice),
    declare_command("rest", "takes a short or a long rest", RestArgs, _rest),
    declare_command("mark", "marks exhaustion or another track", MarkArgs, _mark),
    declare_command("clear", "clears levels, or marks on another track", MarkArgs, _clear),
)
