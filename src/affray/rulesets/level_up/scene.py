"""Level Up: the scene of a fight, its environments, and the world as a combatant with turns.

Scenes are under water, in the sky, adrift and rolling; each is a setting of the fight.

Level Up, Suspended Movement, Rolling Movement; World Bonuses, Penalties, and Cover; Example
Environments; rulings 21 to 23.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from affray.core.engine.effects import active_effects, end_effects_named
from affray.core.engine.events import Added, Rolled, TrackChanged, UseCounted
from affray.core.engine.initiative import arrange_anew, set_initiative
from affray.core.engine.state import Combatant, Duration, Encounter, Track
from affray.core.engine.turn_order import why_not_their_turn
from affray.core.parser.errors import Refused
from affray.core.parser.targets import present_combatants
from affray.core.rules.campaign_tables import (
    EnvironmentAction,
    EnvironmentRow,
    actions_of,
    environment_name,
)
from affray.core.rules.ruleset import AvailableAction, Context
from affray.core.rules.tables import Tables
from affray.mechanics import actions
from affray.mechanics.conditions import begin_effect
from affray.rulesets.level_up.settings import ALOFT, ROLLING, UNDERWATER, WORLD_TURN
from affray.rulesets.srd.sheet import Attack

WORLD: Final = "world"
"""Its id, its side, and the word that names it."""
ENVIRONMENT = "environment"
"""The kind of its effects that are surroundings."""
ACTION = "world_action"
DIE = 6
"""The sides of the die that brings an action back."""
FALLING = "falling"


# -- scenes ----------------------------------------------------------------------------------------


def hinders_attack(
    state: Encounter, combatant: Combatant, weapon: Attack, ranged: bool
) -> list[str]:
    """The reason why an attack with a weapon, at range or not, has disadvantage; empty for none."""
    hinders = not weapon.thrown if ranged else not combatant.stats.get("swim")
    return [UNDERWATER.name] if hinders and UNDERWATER.is_on(state) else []


def hinders_all(state: Encounter, combatant: Combatant, weapons: Sequence[Attack]) -> str:
    """The scene that hinders every attack with these weapons, thrown ones thrown; else empty."""
    swims = bool(combatant.stats.get("swim"))
    free = any(weapon.thrown or (swims and weapon.reach == "melee") for weapon in weapons)
    return UNDERWATER.name if weapons and not free and UNDERWATER.is_on(state) else ""


def settle_falling(ctx: Context) -> None:
    """Let those fall who are prone, restrained or can't fly, in the sky."""
    is_aloft = ALOFT.is_on(ctx.state)
    for combatant in ctx.state.combatants if is_aloft or ALOFT.is_on(ctx.before) else ():
        falls = is_aloft and _is_falling(ctx.tables, ctx.state, combatant)
        if falls and combatant.named(FALLING) is None:
            begin_effect(ctx, combatant.id, FALLING, Duration(says="it flies"))
        elif not falls:
            end_effects_named(ctx, combatant.id, FALLING, "")


def _is_falling(tables: Tables, state: Encounter, combatant: Combatant) -> bool:
    if combatant.side == WORLD or combatant.is_out:
        return False
    force = active_effects(tables, state, combatant)
    return not combatant.stats.get("fly") or "prone" in force or "restrained" in force


# -- the world -------------------------------------------------------------------------------------


def world_combatant(state: Encounter) -> Combatant | None:
    """The world, once an environment was named."""
    found = state.find(WORLD)
    return found if found is not None and found.side == WORLD else None


def environments(state: Encounter) -> list[str]:
    """The environments that are named, in that order."""
    world = world_combatant(state)
    return [e.name for e in world.effects if e.kind == ENVIRONMENT] if world is not None else []


def everybody(state: Encounter) -> list[Combatant]:
    """List the targets of the world: all in the fight but itself."""
    return [combatant for combatant in present_combatants(state) if combatant.side != WORLD]


def only_targets(state: Encounter) -> list[Combatant]:
    """List the only possible targets: in a rolling scene those whose turn it is.

    Those who are out count only if all are. Empty if there is no such limit.
    """
    if not state.in_combat or not ROLLING.is_on(state):
        return []
    people = list(state.all_up())
    return [combatant for combatant in people if not combatant.is_out] or people


def is_difficult(tables: Tables, state: Encounter) -> bool:
    """True if all movement is difficult, as in stormy places."""
    rows = _named(tables, state)
    return any(feature.difficult for row in rows for feature in row.features.values())


def scene_damage_bonus(ctx: Context, kind: str, since: int = 0, tells: bool = True) -> int:
    """The extra thunder damage in caverns: 1 for each die that this command has rolled for damage,
    after the first `since` events. It is logged once for all who are hurt."""
    rows = _named(ctx.tables, ctx.state)
    if not any(f.echoes == kind for row in rows for f in row.features.values() if kind):
        return 0
    rolled = (event for event in ctx.events[since:] if isinstance(event, Rolled))
    more = sum(len(event.faces) for event in rolled if event.for_ in ("damage", "ongoing"))
    if more and tells:
        ctx.note(f"the {kind} echoes: {more} more")
    return more


def _named(tables: Tables, state: Encounter) -> list[EnvironmentRow]:
    """The rows of the environments that are named."""
    rows = tables.environments
    return [rows[name] for name in environments(state) if name in rows]


def join(ctx: Context) -> None:
    """Let the world join the fight with the first environment."""
    found = ctx.state.find(WORLD)
    if found is not None and found.side != WORLD:
        raise Refused(f"{found.name} has the world's name: even `rename` can't free its id")
    if found is None:
        ctx.emit(Added(WORLD, "World", WORLD, "hazard", {}, {ACTION: Track(0, 1)}))
        if ctx.state.in_combat:
            set_initiative(ctx, initiative(ctx))
    for name, row in actions_of(ctx.tables.environments).items():
        if row.recharge and track_of(name) not in ctx.state[WORLD].tracks:
            ctx.emit(TrackChanged(WORLD, track_of(name), 1, 1, routine=True))


def initiative(ctx: Context, others: Iterable[int] = ()) -> dict[str, int]:
    """The world's own: none, so that it acts last; above all others where it acts first
    (ruling 21).

    `others` are initiatives that are known besides those in the order.
    """
    if WORLD_TURN.value(ctx.state) != "first":
        return {}
    slots = [s for s in ctx.state.slots if s.who != WORLD]
    in_order = [slot.initiative for slot in slots if slot.initiative is not None]
    return {WORLD: max([*in_order, *others], default=0) + 1}


def track_of(action: str) -> str:
    """The track that says whether an action has recharged."""
    return action.replace("-", "_")


# -- its turn --------------------------------------------------------------------------------------


def on_turn_start(ctx: Context, combatant_id: str) -> None:
    """The world has its action: in its own turn, in a rolling scene in everybody's."""
    world = world_combatant(ctx.state)
    if world is None or (combatant_id != WORLD and not ROLLING.is_on(ctx.state)):
        return
    actions.reset_turn_track(ctx, WORLD, ACTION, 1)
    for name, row in actions_of(ctx.tables.environments).items():
        track = world.tracks.get(track_of(name))
        if row.recharge and track is not None and not track.value:
            recharge(ctx, name, ctx.dice.die(DIE))
            ctx.emit(UseCounted(WORLD, f"recharge {name}"))


def on_turn_end(ctx: Context, combatant_id: str) -> None:
    """Take back the action that the world didn't use in the turn."""
    if world_combatant(ctx.state) is not None and (
        combatant_id == WORLD or ROLLING.is_on(ctx.state)
    ):
        actions.reset_turn_track(ctx, WORLD, ACTION, 0)


def apply_invariants(ctx: Context) -> None:
    """Its place and its turn go with the settings: first or last, none in a rolling scene."""
    if ctx.state.settings == ctx.before.settings or world_combatant(ctx.state) is None:
        return
    slot, first = ctx.state.slot(WORLD), initiative(ctx)
    if first and slot is not None and slot.initiative is None and ctx.state.in_combat:
        set_initiative(ctx, first)
    arrange_anew(ctx)


def recharge(ctx: Context, name: str, face: int, by_hand: bool = False) -> bool:
    """True if a die brings a spent action back; its face counts either way."""
    row = actions_of(ctx.tables.environments)[name]
    back = face >= row.recharge
    rolled = Rolled(
        WORLD, f"1d{DIE}", (face,), face, face, f"recharge {environment_name(name, row)}"
    )
    outcome = "success" if back else "failure"
    ctx.emit(replace(rolled, dc=row.recharge, outcome=outcome, by_hand=by_hand))
    actions.reset_turn_track(ctx, WORLD, track_of(name), int(back))
    return back


# -- what it can do --------------------------------------------------------------------------------


def why_not(state: Encounter, name: str, row: EnvironmentAction) -> str:
    """The reason why the world can't do that now, in a few words; empty when it can."""
    world = world_combatant(state)
    if world is None:
        return "no environment is named"
    if not state.in_combat:
        return ""
    if not state.takes_turn(WORLD) and not ROLLING.is_on(state):
        return why_not_their_turn(state)
    if not world.track(ACTION):
        return "world action used"
    if row.recharge and not world.track(track_of(name)):
        return f"spent until a d6 shows {recharges_on(row)}"
    return ""


def recharges_on(row: EnvironmentAction) -> str:
    """`4 or more`, `6`."""
    return f"{row.recharge} or more" if row.recharge < DIE else str(DIE)


def pay(ctx: Context, name: str, row: EnvironmentAction) -> None:
    """Spend the world's action and its recharge. Raises Refused with the reason."""
    reason = why_not(ctx.state, name, row)
    if reason:
        raise Refused(f"the world can't use {environment_name(name, row)}: {reason}")
    if not ctx.state.in_combat:
        return
    actions.pay_tracks(ctx, WORLD, name, _price(name, row))
    ctx.emit(UseCounted(WORLD, name))


def _price(name: str, row: EnvironmentAction) -> dict[str, int]:
    return {ACTION: 1, **({track_of(name): 1} if row.recharge else {})}


def options(tables: Tables, state: Encounter) -> Iterator[AvailableAction]:
    """The actions of the world in the environments that are named."""
    for row in _named(tables, state):
        for name, each in row.actions.items():
            recharge = f"recharge {recharges_on(each)}" if each.recharge else ""
            yield AvailableAction(
                name,
                _price(name, each),
                reason=why_not(state, name, each),
                name=environment_name(name, each),
                text=". ".join(filter(None, (recharge, each.text))),
                brief=f"recharge {each.recharge}+" if each.recharge else "",
            )
