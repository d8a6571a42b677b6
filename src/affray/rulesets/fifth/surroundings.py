"""5e: mounts, falling, flying, fire and lack of air.

SRD 5.2.1, Flying, Mounted Combat; SRD 5.1, Mounted Combat, Suffocating.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from affray.core.dice import DieInput
from affray.core.engine.effects import (
    EffectSpec,
    effects_in_force,
    end_effects_named,
    remove_effect,
)
from affray.core.engine.events import NoteAdded, TrackChanged, UseCounted
from affray.core.engine.initiative import set_initiative, stand_beside
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.engine.turn_order import turn_unit
from affray.core.parser import arguments
from affray.core.parser.clauses import names_with_verb
from affray.core.parser.declarations import NoArgs, declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context, DecisionOption, PendingDecision
from affray.mechanics import checks as shared_checks, stats
from affray.mechanics.actions import PayFunction, require_other_target
from affray.mechanics.conditions import begin_effect, replace_effect
from affray.mechanics.dying import UNCONSCIOUS
from affray.mechanics.rests import reset_uses
from affray.mechanics.sheet import size_difference
from affray.rulesets.fifth import checks
from affray.rulesets.fifth.action_economy import CONTROLLED
from affray.rulesets.fifth.checks import CheckRequest, RollModifiers
from affray.rulesets.fifth.settings import UNDERWATER
from affray.rulesets.fifth.sheet import is_2014
from affray.rulesets.srd import damage
from affray.rulesets.srd.checks import FAILURE, OUTCOMES, SUCCESS, Outcome
from affray.rulesets.srd.conditions import apply_condition
from affray.rulesets.srd.dying import ANSWERS, die
from affray.rulesets.srd.rules import rules_of

MOUNTED, FLYING, BURNING, SUFFOCATING = "mounted", "flying", "burning", "suffocating"
SADDLE = "in the saddle", "thrown"
"""Counted of a rider who has to stay in the saddle."""
FALLING_MOUNT = "on a falling mount", "falling mount"
"""Counted by the rules of 2014 of the rider of a mount that was knocked prone."""
_ASKED = SADDLE[1], FALLING_MOUNT[1]
_AIRLESS = "no air"
_PRONE = EffectSpec("prone")

# -- mounts ----------------------------------------------------------------------------------------


class MountArgs(Struct, frozen=True):
    mount: Annotated[
        Combatant, arguments.combatant_arg("the mount", field=Field("ally", legal=True))
    ]
    how: Annotated[
        str,
        arguments.anywhere_choice_arg(
            CONTROLLED, "independent", field=Field("choice", (CONTROLLED, "independent"))
        ),
    ] = ""


def mount(ctx: Context, args: MountArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Into the saddle, for half the Speed; a controlled mount acts right behind."""
    animal = args.mount
    require_other_target(combatant, animal, "mount")
    if size_difference(animal, combatant) < 1:
        raise Refused(f"{animal.name} is too small to carry {combatant.name}")
    if animal.side != combatant.side:
        raise Refused(f"{animal.name} isn't willing to carry {combatant.name}")
    pay()
    how = args.how or CONTROLLED
    begin_effect(ctx, combatant.id, MOUNTED, source=animal.id, note=how)
    slot = ctx.state.slot(combatant.id)
    is_apart = slot not in turn_unit(ctx.state, animal.id)  # one row acts at once already
    if how == CONTROLLED and slot is not None and slot.initiative is not None and is_apart:
        set_initiative(ctx, {animal.id: slot.initiative})
        stand_beside(ctx, animal.id, combatant.id, "after")
    ctx.text = f"{combatant.name} mounts {animal.name}"


def mount_of(combatant: Combatant) -> Effect | None:
    """The effect of being in the saddle; its source is the mount."""
    return combatant.named(MOUNTED)


def dismount(ctx: Context, args: NoArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Out of the saddle, for half the Speed."""
    saddle = mount_of(combatant)
    pay()
    if saddle is not None:
        remove_effect(ctx, combatant.id, saddle.id, "dismounts")
        reset_uses(ctx, combatant.id, *_ASKED)
    ctx.text = f"{combatant.name} dismounts"


class MountSaveArgs(Struct, frozen=True):
    who: Annotated[Combatant, arguments.combatant_arg("the rider", field=Field("self", legal=True))]
    die: Annotated[DieInput, shared_checks.die_arg(OUTCOMES, may_lack=lambda reading: True)]
    terms: checks.Modifiers


def _mount_save(ctx: Context, args: MountSaveArgs) -> None:
    who, word = args.who, FAILURE if args.die.rolled_here else args.die.outcome
    rides = mount_of(who) is not None
    if not (rides or who.used(*SADDLE) or who.used(*FALLING_MOUNT)):
        raise Refused(f"{who.name} isn't mounted")
    if not who.used(*FALLING_MOUNT):
        stays, falls = ("stays in", "falls out of") if rides else ("gets down from", "falls from")
        stayed = _stay(ctx, who, args.die, args.terms) == SUCCESS
        ctx.text = f"{who.name} {stays if stayed else falls} the saddle"
        return
    if word not in _OFF:
        raise Refused("by the rules of 2014 there is no save: `success` uses the reaction")
    _leave_falling_mount(ctx, who, word)
    ctx.text = f"{who.name} {_OFF[word]}"


def _stay(ctx: Context, rider: Combatant, die: DieInput, terms: RollModifiers) -> str:
    """Make the save to stay in the saddle."""
    dc = int(ctx.tables.economy["mount_save"])
    outcome = CheckRequest(rider.id, "dex", die, dc, modifiers=terms, save=True).make(ctx).outcome
    reset_uses(ctx, rider.id, *_ASKED)
    if outcome == FAILURE:
        throw_off(ctx, rider.id)
    return outcome


def _leave_falling_mount(ctx: Context, rider: Combatant, outcome: str) -> None:
    """Off a mount that falls: by the reaction on one's feet, else prone; no save."""
    if outcome == SUCCESS:
        rules_of(ctx).pay_reaction(ctx, rider, "dismounts")
    throw_off(ctx, rider.id, prone=outcome == FAILURE)


_OFF = {SUCCESS: "lands on their feet, using the reaction", FAILURE: "falls prone with the mount"}


def throw_off(ctx: Context, combatant_id: str, prone: bool = True) -> None:
    """Fall out of the saddle, and prone."""
    for effect in ctx.state[combatant_id].all_named(MOUNTED):
        remove_effect(ctx, combatant_id, effect.id, "thrown off")
    reset_uses(ctx, combatant_id, *_ASKED)
    if prone:
        apply_condition(ctx, combatant_id, _PRONE)


# -- falling and flying ----------------------------------------------------------------------------


class WaterArgs(Struct, frozen=True):
    """The outcome of the check of somebody who falls into water."""

    die: Outcome


class FallArgs(Struct, frozen=True):
    people: Annotated[
        list[Combatant], arguments.combatants_arg("the combatants who fall", field=Field("self"))
    ]
    feet: Annotated[
        int, arguments.number_arg("a distance in feet", 1, 99_999, "FEET", Field("number"))
    ]
    amount: Annotated[int | None, arguments.amount_arg("the damage", field=ANY_MORE)] = None
    water: Annotated[
        WaterArgs | None, arguments.keyword_arg("water", arguments.struct_arg(WaterArgs))
    ] = None


def _fall(ctx: Context, args: FallArgs) -> None:
    """1d6 for each 10 feet, at most 20d6; prone if it hurt; water may halve it."""
    count = min(args.feet // 10, int(ctx.tables.economy["fall_dice"]))
    if args.water is not None and is_2014(ctx.state):
        raise Refused("the rules of 2014 have no rule for falls into water")
    for combatant in args.people:
        half = False
        if args.water is not None:
            skill, ability = max(
                (("athletics", "str"), ("acrobatics", "dex")),
                key=lambda each: combatant.number(each[1]),
            )
            dc = int(ctx.tables.economy["fall_water"])
            rules_of(ctx).pay_reaction(ctx, combatant, "falls into water")
            check = CheckRequest(combatant.id, ability, args.water.die, dc, skill=skill)
            half = check.make(ctx).outcome == SUCCESS
        amount = args.amount
        if amount is None:
            dice = f"{count}d6"
            amount = shared_checks.roll_extra_dice(ctx, combatant.id, dice, "fall") if count else 0
        for effect in combatant.all_named(FLYING):
            remove_effect(ctx, combatant.id, effect.id, "falls")
        before = ctx.state[combatant.id]
        if amount:
            blow = damage.DamageInstance([(amount, "bludgeoning")], half=half, label=" falling")
            damage.deal(ctx, combatant.id, blow)
        now = ctx.state[combatant.id]
        hurt = any(now.track(name) < before.track(name) for name in ("hp", "temp_hp"))
        if hurt and not now.is_out:
            apply_condition(ctx, combatant.id, _PRONE)
    ctx.text = f"{names_with_verb(args.people, 'falls', 'fall')} {args.feet} feet"


class AloftArgs(Struct, frozen=True):
    people: Annotated[
        list[Combatant], arguments.combatants_arg("the combatants who fly", field=Field("self"))
    ]
    feet: Annotated[
        int, arguments.number_arg("a height in feet", 0, 99_999, "FEET", Field("number"))
    ] = 0


def _aloft(ctx: Context, args: AloftArgs) -> None:
    for combatant in args.people:
        replace_effect(ctx, combatant.id, FLYING, amount=args.feet)
    ctx.text = f"{names_with_verb(args.people, 'is', 'are')} in the air"


def _land(ctx: Context, args: NoArgs) -> None:
    combatant = ctx.actor()
    flying = combatant.named(FLYING)
    if flying is None:
        raise Refused(f"{combatant.name} isn't in the air")
    remove_effect(ctx, combatant.id, flying.id, "lands")
    ctx.text = f"{combatant.name} lands"


# -- fire, no air ----------------------------------------------------------------------------------


def burn(ctx: Context, combatant_id: str) -> None:
    """1d4 fire at the start of each turn of somebody on fire."""
    if is_2014(ctx.state) or ctx.state[combatant_id].named(BURNING) is None:
        return
    amount = shared_checks.roll_extra_dice(ctx, combatant_id, "1d4", BURNING)
    damage.deal(ctx, combatant_id, damage.DamageInstance([(amount, "fire")], label=" burning"))


def suffocate(ctx: Context, combatant_id: str) -> None:
    """A level of exhaustion at the end of each turn without air."""
    combatant = ctx.state[combatant_id]
    if is_2014(ctx.state) or combatant.named(SUFFOCATING) is None or combatant.is_out:
        return
    if "exhaustion" not in combatant.tracks:  # one who is immune to it
        return
    ctx.emit(
        TrackChanged(combatant_id, "exhaustion", 1, why=SUFFOCATING),
        UseCounted(combatant_id, "level", _AIRLESS),
    )


def suffocate_2014(ctx: Context, combatant_id: str) -> bool:
    """Count a round without air; whether the breath has run out."""
    combatant = ctx.state[combatant_id]
    if not is_2014(ctx.state) or combatant.named(SUFFOCATING) is None or combatant.is_out:
        return False
    ctx.emit(UseCounted(combatant_id, "round", _AIRLESS))
    rounds = max(1, combatant.number("con"))
    return combatant.used("round", _AIRLESS) >= rounds and combatant.track("hp") > 0


def apply_invariants(ctx: Context) -> None:
    """Levels of suffocation end with it. Six levels of exhaustion kill. Those who fall prone in the
    air or in the saddle get a note. Water puts out burning, and a mount that can't carry its rider
    drops them."""
    if UNDERWATER.is_on(ctx.state) and not is_2014(ctx.state):
        for combatant in ctx.state.bearers(BURNING):
            end_effects_named(ctx, combatant.id, BURNING, "under water")
    _unload(ctx)
    for combatant in ctx.changed():
        if combatant.named(SUFFOCATING) is None:
            levels = combatant.used("level", _AIRLESS)
            if levels and combatant.track("exhaustion"):
                by = min(levels, combatant.track("exhaustion"))
                ctx.emit(TrackChanged(combatant.id, "exhaustion", -by, why="it breathes again"))
            reset_uses(ctx, combatant.id, _AIRLESS)
        top = combatant.tracks.get("exhaustion")
        if top is not None and top.max and top.value >= top.max and combatant.life != "dead":
            die(ctx, combatant.id, "exhaustion")
        _tell_of_fall(ctx, combatant)
        _unseat(ctx, combatant)


def _tell_of_fall(ctx: Context, combatant: Combatant) -> None:
    """Say that a flyer falls who can't fly on."""
    flying = combatant.named(FLYING)
    if flying is None or combatant.stats.get("hover"):
        return
    force = effects_in_force(ctx, combatant)
    held = "prone" in force or bool(stats.forbidding_effects(ctx.tables, force, "act"))
    if held or not checks.speed(ctx.tables, ctx.state, combatant):
        if not combatant.used("told", FLYING):
            ctx.emit(
                UseCounted(combatant.id, "told", FLYING),
                NoteAdded(f"falls: `fall {combatant.id} FEET`", combatant.id, goes_on=True),
            )
    else:
        reset_uses(ctx, combatant.id, FLYING)


def _unseat(ctx: Context, combatant: Combatant) -> None:
    """A rider or mount that was knocked prone calls for a save, or by the rules of 2014 for the
    reaction."""
    was = ctx.before.find(combatant.id)
    if combatant.named("prone") is None or (was is not None and was.named("prone") is not None):
        return
    if combatant.named(MOUNTED) is not None:
        _ask_rider(ctx, combatant, SADDLE)
    for rider in ctx.state.bearers(MOUNTED):
        if any(effect.source == combatant.id for effect in rider.all_named(MOUNTED)):
            _ask_rider(ctx, rider, FALLING_MOUNT if is_2014(ctx.state) else SADDLE)


def _ask_rider(ctx: Context, rider: Combatant, asked: tuple[str, str]) -> None:
    """Ask a rider to stay in the saddle, or to leave a falling mount, and tell so."""
    if rider.used(*asked) or rider.is_out:
        return
    ctx.emit(UseCounted(rider.id, *asked))
    does = (
        ("has to leave the falling mount")
        if asked == FALLING_MOUNT
        else "has to stay in the saddle"
    )
    ctx.note(f"{does}: `mount-save {rider.id} OUTCOME`", rider.id)


def _unload(ctx: Context) -> None:
    """Drop the rider of a mount that is dead, unconscious or gone; a save, by the rules of 2014 a
    reaction, decides how they land."""
    for rider in ctx.state.bearers(MOUNTED):
        for saddle in rider.all_named(MOUNTED):
            mount = ctx.state.find(saddle.source)
            if mount is not None and mount.life == "up" and mount.named(UNCONSCIOUS) is None:
                continue
            gone = mount or ctx.before.find(saddle.source)
            why = f"{gone.name if gone is not None else saddle.source} carries nobody"
            remove_effect(ctx, rider.id, saddle.id, why)
            if rider.used(*FALLING_MOUNT):
                continue
            reset_uses(ctx, rider.id, *_ASKED)
            asked = FALLING_MOUNT if is_2014(ctx.state) else SADDLE
            _ask_rider(ctx, ctx.state[rider.id], asked)


_LEAPS = (("s", "on their feet, using the reaction", SUCCESS), ("f", "prone", FAILURE))


def pending_decisions(state: Encounter) -> Iterator[PendingDecision]:
    """Yield the decisions of riders who have to stay in the saddle, or to leave a falling mount."""
    for rider in state.combatants:
        if rider.used(*FALLING_MOUNT):
            command = f"mount-save {rider.id}"
            options = (DecisionOption(k, says, f"{command} {word}") for k, says, word in _LEAPS)
            what = f"{rider.name}'s mount falls"
            yield PendingDecision(rider.id, what, tuple(options), f"{rider.name} falls prone", True)
        elif rider.used(*SADDLE):
            stays = "stay in" if mount_of(rider) is not None else "come down well from"
            says = f"has to {stays} the saddle: dex save, DC 10"
            yield shared_checks.deferred_roll(rider, "mount-save", says, "save to stay", ANSWERS)


def roll_deferred_saves(ctx: Context) -> None:
    """Roll the saves to stay in the saddle that nobody made, at the end of a turn."""
    for rider in ctx.state.combatants:
        if rider.used(*FALLING_MOUNT):
            _leave_falling_mount(ctx, rider, FAILURE)
        elif rider.used(*SADDLE):
            _stay(ctx, rider, DieInput(), RollModifiers())


COMMANDS = (
    declare_command("mount-save", "saves to stay in the saddle", MountSaveArgs, _mount_save),
    declare_command("fall", "deals the damage of a fall", FallArgs, _fall),
    declare_command("aloft", "puts somebody in the air", AloftArgs, _aloft),
    declare_command("land", "ends flying", NoArgs, _land, True),
)
