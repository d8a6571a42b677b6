"""Healing: recoveries, regeneration, temporary HP; rests, and what they and encounters give back.

Orcus, Healing, Recoveries, Healing on Negative HP, Regeneration, Temporary Hit Points, Resting,
Action Points, Streak, Powers (frequency).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.effects import EffectSpec
from affray.core.engine.events import CostPaid, NoteAdded, TrackChanged, UseCounted
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context
from affray.mechanics import damage as shared_damage, dying, rests
from affray.mechanics.conditions import until_arg
from affray.rulesets.orcus import companions, damage, sheet
from affray.rulesets.orcus.conditions import LASTING
from affray.rulesets.orcus.initiative import SURPRISE_ROUNDS

# -- healing ---------------------------------------------------------------------------------------


def heal(ctx: Context, combatant_id: str, amount: int, why: str = "") -> bool:
    """Heal up to the maximum, from 0 for HP below it; this brings the dying and the stable back.

    Return True if there was anything to heal. Raises Refused for the dead, and for one without HP.
    """
    if damage.may_rise(ctx.state[combatant_id]):
        damage.come_back(ctx, combatant_id, amount, why or "healed")
        return True
    target = _require_living(ctx, combatant_id, "healing does nothing")
    healed = shared_damage.regain_hp(ctx, combatant_id, amount, why)
    if healed and target.life in dying.DOWN:
        damage.rise(ctx, combatant_id, why or "healed")
    return healed > 0


def _require_living(ctx: Context, combatant_id: str, what: str) -> Combatant:
    """Return the combatant. Raises Refused for one that is dead or has no HP."""
    target = ctx.state[combatant_id]
    shared_damage.require_hp(target, "healed")
    if target.life == "dead":
        raise Refused(f"{target.name} is dead: {what}")
    return target


def spend_recovery(ctx: Context, combatant_id: str, why: str, bonus: int = 0) -> bool:
    """Spend a recovery (a companion its owner's) and regain its user's recovery value.

    The dying without one are set to 1 HP. Return whether there was one to spend. Raises Refused
    for others without one, and for the dead.
    """
    target = _require_living(ctx, combatant_id, "recoveries do nothing")
    user = companions.recovers_for(ctx.state, target)
    if user.track("recoveries") > 0:
        ctx.emit(CostPaid(user.id, "recoveries", 1, why))
        heal(ctx, combatant_id, max(0, sheet.recovery_value(user) + bonus), why)
        return True
    if target.life == "dying":
        heal(ctx, combatant_id, 1, "no recoveries left")
        return False
    raise Refused(f"{user.name} has no recoveries left")


def regenerate(ctx: Context, combatant_id: str) -> None:
    """Heal by the highest regeneration of the sheet and the effects, at a turn's start."""
    target = ctx.state[combatant_id]
    given = (effect.amount for effect in target.all_named("regeneration"))
    amount = max(0, target.number("regeneration"), *given)
    if amount and "hp" in target.tracks and target.life != "dead":
        heal(ctx, combatant_id, amount, f"regeneration {amount}")


# -- the commands of healing -----------------------------------------------------------------------

_ENDS = "for N turns | until start|end of NAME | fight | round N"


class TempHpArgs(shared_damage.TempHpChoice, frozen=True):
    """The arguments of `temp`."""

    terms: Annotated[EffectSpec, replace(until_arg(LASTING, _ENDS), field=ANY_MORE)] = EffectSpec()


def _temp(ctx: Context, combatant_id: str, args: TempHpArgs) -> None:
    """Grant temporary HP until they are gone or expire; the higher of two amounts stays, unless the
    command chooses."""
    if ctx.state[combatant_id].life == "dead":
        raise Refused(f"{ctx.state.name(combatant_id)} is dead, so gets no temporary HP")
    shared_damage.grant_temp_hp_with_end(LASTING, ctx, combatant_id, args)


_WHO = Field("self", ("party",), legal=True)
_PLUS = arguments.keyword_arg(
    "plus",
    arguments.number_arg("the bonus to its healing"),
    field=Field("number", before="plus"),
)


class RecoveryArgs(Struct, frozen=True):
    people: Annotated[
        list[Combatant], arguments.combatants_arg("the combatants who spend a recovery", field=_WHO)
    ]
    plus: Annotated[int, _PLUS] = 0
    companion: companions.With = None


def _recovery(ctx: Context, args: RecoveryArgs) -> None:
    """Spend a recovery each, and another for the companion."""
    companion = args.companion
    lines = []
    for combatant in args.people:
        companions.refuse_others(combatant, companion)
        has_spent = spend_recovery(ctx, combatant.id, "a recovery", args.plus)
        lines.append(f"{combatant.name} {'spends a recovery' if has_spent else 'wakes at 1 HP'}")
        if companion is not None:
            spend_recovery(ctx, companion.id, "a recovery")
            lines.append(f"and one for {companion.name}")
    ctx.text = ", ".join(lines)


# -- rests -----------------------------------------------------------------------------------------

_RESTED = ("rested", "day")
OF_THE_ENCOUNTER = ("aura", "edge")
"""The kinds of effects that end with the encounter, whatever their own end."""
ENCOUNTER = rests.RestRules(
    ends=("turn", "round"),
    also=lambda effect: effect.kind in OF_THE_ENCOUNTER,
    forgets=("fight", SURPRISE_ROUNDS),
)
"""The tracks that the end of an encounter resets. Effects that a save ends stay until saved
against."""
SHORT = rests.RestRules(
    ends=("turn", "round", "fight", "rest", "save"),  # fifty turns, with a save in each
    also=lambda effect: effect.kind in OF_THE_ENCOUNTER or bool(effect.upkeep),
    forgets=("short", "refresh*"),
    sets={"death_failures": 0},
)
"""The tracks that a short rest resets: encounter powers, and all refresh powers."""
LONG = rests.RestRules(
    also=lambda effect: effect.name == "footsore",
    forgets=("long",),
    sets={"recoveries": rests.FULL, "streak": 0},
)
"""The tracks that a long rest resets besides: recoveries, daily powers, the streak."""


def encounter_over(ctx: Context) -> None:
    """The fight is over: it counts toward the streak, and a completed one gives action points."""
    for combatant in ctx.state.combatants:
        rests.apply_rest(ctx, combatant.id, ENCOUNTER, "the fight is over")
        if combatant.kind == "pc" and combatant.life != "dead":
            ctx.emit(TrackChanged(combatant.id, "streak", 1, why="the encounter is over"))
            if ctx.state[combatant.id].track("streak") >= ctx.tables.economy["streak"]:
                _complete_streak(ctx, combatant.id)


def _complete_streak(ctx: Context, combatant_id: str) -> None:
    """Give a further action point, and reset the count of encounters."""
    ctx.emit(TrackChanged(combatant_id, "action_points", 1, why="a streak"))
    rests.set_track(ctx, combatant_id, "streak", 0, "a streak")


_NEXT_DAY = Field("choice", ("next-day",), only_if="long")


class RestArgs(Struct, frozen=True):
    """The arguments of `rest`; `next-day`: more than 24 hours have passed since the last long
    one."""

    kind: Annotated[str, arguments.choice_arg("the kind of rest", ("short", "long", "streak"))]
    next_day: Annotated[bool, arguments.flag_arg(field=_NEXT_DAY)] = False
    besides: rests.Besides = []


def _rest(ctx: Context, args: RestArgs) -> None:
    kind, a_day_later = args.kind, args.next_day
    if a_day_later and kind != "long":
        raise Refused(f"only a long rest can be `next-day`, not {kind}")
    rests.require_no_fight(ctx)
    if kind == "streak":
        heroes = [c for c in ctx.state.combatants if c.kind == "pc" and c.life != "dead"]
        if not heroes:
            raise Refused("only player characters have streaks, and none is here")
        for hero in heroes:
            _complete_streak(ctx, hero.id)
        ctx.text = "A streak is completed"
        return
    resting = rests.taking_part(ctx, args.besides)
    _tell_of_the_dying(ctx, resting)
    if kind == "long":
        _long_rest(ctx, resting, a_day_later)
    for combatant in resting:
        _short_rest(ctx, combatant.id, f"a {kind} rest")
    rests.reset_counters(ctx, resting, f"a {kind} rest", is_long=kind == "long")
    ctx.text = f"A {kind} rest{', a day later' if a_day_later else ''}"


def _tell_of_the_dying(ctx: Context, resting: Sequence[Combatant]) -> None:
    """Warn of death saves that come long before the rest is over (Orcus, Death Saving Throws). The
    rest still helps the dying."""
    saves = "a death save each turn, `death NAME OUTCOME`, until stable or dead"
    ctx.emit(
        *(
            NoteAdded(f"dying, {saves}, before any rest", combatant.id, aside=True)
            for combatant in resting
            if combatant.life == "dying"
        )
    )


def _short_rest(ctx: Context, combatant_id: str, why: str) -> None:
    """Wake the unconscious at 1 HP, and let the prone stand up."""
    rests.apply_rest(ctx, combatant_id, SHORT, why)
    if (
        ctx.state[combatant_id].named(shared_damage.TEMP_HP_EFFECT) is None
    ):  # what has an end of its own lasts until then
        rests.set_track(ctx, combatant_id, "temp_hp", 0, why)
    if ctx.state[combatant_id].life == "unconscious":
        heal(ctx, combatant_id, 1, why)
    rests.end_rest(ctx, combatant_id)


def _long_rest(ctx: Context, resting: Sequence[Combatant], a_day_later: bool) -> None:
    """Restore full HP and the action points of characters, once in 24 hours.

    The program knows no time of day: only `next-day` says that 24 hours have passed.
    Raises Refused if all have had their long rest.
    """
    fresh = [c for c in resting if a_day_later or not c.used(*_RESTED)]
    if not fresh:
        raise Refused(
            "a second long rest within 24 hours does nothing: use `rest long next-day` after a day"
        )
    why = "a long rest"
    for combatant in fresh:
        hp = combatant.tracks.get("hp")
        if hp is not None and hp.max is not None:
            heal(ctx, combatant.id, hp.max, why)
        rests.apply_rest(ctx, combatant.id, LONG, why)
        ctx.emit(UseCounted(combatant.id, *_RESTED))
        if combatant.kind == "pc":
            points = ctx.tables.economy["action_points"]
            rests.set_track(ctx, combatant.id, "action_points", points, why)


_RECOVERY = "spends a recovery to heal the recovery value; a second one for a companion"
COMMANDS = (
    shared_damage.heal_command("heals HP; anybody below 0 HP heals from 0", heal),
    shared_damage.temp_hp_command(
        "gives temporary HP; the higher amount stays unless you say otherwise", TempHpArgs, _temp
    ),
    declare_command("recovery", _RECOVERY, RecoveryArgs, _recovery),
    declare_command("rest", "rests everybody, or completes a streak", RestArgs, _rest),
)
