"""Where a fight is fought: its scene, its environments, and the world as a combatant with a turn.

Scenes are under water, in the sky, adrift and rolling; each is a setting of the fight. Seed 002:
Suspended Movement, Rolling Movement; World Bonuses, Penalties, and Cover; Example Environments;
rules file, 13, 14 and R21 to R23.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from affray.core.heart import order, timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, in_force
from affray.core.heart.events import Added, Changed, Noted, Rolled, Used
from affray.core.heart.groups import not_their_turn
from affray.core.heart.state import Combatant, Duration, Encounter, Track
from affray.core.language.refusal import Refused
from affray.core.language.who import standing
from affray.core.rules.environments import EnvironmentRule, Happening, actions_of, called
from affray.core.rules.ruleset import Option
from affray.core.rules.tables import Tables
from affray.rulekit import acts
from affray.rulekit.placing import begin
from affray.rulesets.level_up.sheet import Attack, next_turn

WORLD: Final = "world"
"""Its id, its side, and the word that names it."""
ENVIRONMENT = "environment"
"""The kind of its effects that are surroundings."""
ACTION = "world_action"
DIE = 6
"""The sides of the die that brings an action back."""
UNDERWATER, ALOFT, ASTRAL, ROLLING = SCENES = ("underwater", "aloft", "astral", "rolling")
FALLING = "falling"


# -- scenes ----------------------------------------------------------------------------------------


def is_on(state: Encounter, scene: str) -> bool:
    """Whether the fight has that scene: in the sky, moving along as in a chase."""
    return state.settings.get(scene) == "on"


def hinders_attack(state: Encounter, who: Combatant, weapon: Attack, ranged: bool) -> list[str]:
    """Why an attack with a weapon, at range or not, has disadvantage; nothing where it hasn't."""
    hinders = not weapon.thrown if ranged else not who.stats.get("swim")
    return [UNDERWATER] if hinders and is_on(state, UNDERWATER) else []


def hinders_all(state: Encounter, who: Combatant, weapons: Sequence[Attack]) -> str:
    """The scene that hinders every attack with these weapons, thrown ones thrown; else empty."""
    swims = bool(who.stats.get("swim"))
    free = any(weapon.thrown or (swims and weapon.reach == "melee") for weapon in weapons)
    return UNDERWATER if weapons and not free and is_on(state, UNDERWATER) else ""


def settle_falling(ctx: Context) -> None:
    """In the sky whoever lies prone, is restrained or can't fly is falling (14.2)."""
    is_aloft = is_on(ctx.state, ALOFT)
    for who in ctx.state.combatants if is_aloft or is_on(ctx.before, ALOFT) else ():
        falls = is_aloft and _falls(ctx.tables, ctx.state, who)
        if falls and who.named(FALLING) is None:
            begin(ctx, who.id, FALLING, Duration(says="it flies"))
        elif not falls:
            end_named(ctx, who.id, FALLING, "no longer falling")


def _falls(tables: Tables, state: Encounter, who: Combatant) -> bool:
    if who.side == WORLD or who.is_out:
        return False
    force = in_force(tables, state, who)
    return not who.stats.get("fly") or "prone" in force or "restrained" in force


# -- the world -------------------------------------------------------------------------------------


def here(state: Encounter) -> Combatant | None:
    """The world, once an environment was named."""
    found = state.find(WORLD)
    return found if found is not None and found.side == WORLD else None


def environments(state: Encounter) -> list[str]:
    """The environments that are named, in that order."""
    world = here(state)
    return [e.name for e in world.effects if e.kind == ENVIRONMENT] if world is not None else []


def everybody(state: Encounter) -> list[Combatant]:
    """Whom the world gets: all in the fight but itself (rules file, 13.5)."""
    return [who for who in standing(state) if who.side != WORLD]


def only_targets(state: Encounter) -> list[Combatant]:
    """Whom alone it can act on: in a rolling scene whoever's turn it is, of a group those who live
    (14.4); else nobody."""
    if state.phase != "combat" or not is_on(state, ROLLING):
        return []
    people = list(state.all_up())
    return [who for who in people if not who.is_out] or people


def is_difficult(tables: Tables, state: Encounter) -> bool:
    """Whether all movement is difficult, as in stormy places (rules file, 13.6)."""
    rows = _named(tables, state)
    return any(feature.difficult for row in rows for feature in row.features.values())


def echo(ctx: Context, kind: str, since: int = 0, tells: bool = True) -> int:
    """What thunder damage has more in caverns: 1 for each die that this command has rolled for
    damage, behind as many events as `since` says. The log is told, once for all who are hurt."""
    rows = _named(ctx.tables, ctx.state)
    if not any(f.echoes == kind for row in rows for f in row.features.values() if kind):
        return 0
    rolled = (event for event in ctx.events[since:] if isinstance(event, Rolled))
    more = sum(len(event.faces) for event in rolled if event.for_ in ("damage", "ongoing"))
    if more and tells:
        ctx.emit(Noted(f"the {kind} echoes: {more} more"))
    return more


def _named(tables: Tables, state: Encounter) -> list[EnvironmentRule]:
    """The rows of the environments that are named."""
    rows = tables.environments
    return [rows[name] for name in environments(state) if name in rows]


def join(ctx: Context) -> None:
    """With the first environment that is named the world joins the fight."""
    found = ctx.state.find(WORLD)
    if found is not None and found.side != WORLD:
        raise Refused(f"{found.name} has the world's name: `rename` doesn't help, its id is taken")
    if found is None:
        ctx.emit(Added(WORLD, "World", WORLD, "hazard", {}, {ACTION: Track(0, 1)}))
        if ctx.state.phase == "combat":
            order.give_initiative(ctx, initiative(ctx))
    for name, row in actions_of(ctx.tables.environments).items():
        if row.recharge and track_of(name) not in ctx.state[WORLD].tracks:
            ctx.emit(Changed(WORLD, track_of(name), 1, 1, routine=True))


def initiative(ctx: Context, others: Iterable[int] = ()) -> dict[str, int]:
    """The world's own: none, so that it acts last; above all others where it acts first (R21).

    `others` are initiatives that are known besides those in the order.
    """
    if ctx.state.settings.get("world-turn") != "first":
        return {}
    known = [s.initiative for s in ctx.state.slots if s.initiative is not None and s.who != WORLD]
    return {WORLD: max([*known, *others], default=0) + 1}


def track_of(action: str) -> str:
    """The track that says whether an action has recharged."""
    return action.replace("-", "_")


# -- its turn --------------------------------------------------------------------------------------


def turn_started(ctx: Context, who: str) -> None:
    """The world has its action: in its own turn, in a rolling scene in everybody's (14.4)."""
    world = here(ctx.state)
    if world is None or (who != WORLD and not is_on(ctx.state, ROLLING)):
        return
    acts.refill(ctx, WORLD, ACTION, 1)
    for name, row in actions_of(ctx.tables.environments).items():
        track = world.tracks.get(track_of(name))
        if row.recharge and track is not None and not track.value:
            recharge(ctx, name, ctx.dice.die(DIE))
            ctx.emit(Used(WORLD, f"recharge {name}"))


def turn_ending(ctx: Context, who: str) -> None:
    """What the world didn't use is gone with the turn."""
    if here(ctx.state) is not None and (who == WORLD or is_on(ctx.state, ROLLING)):
        acts.refill(ctx, WORLD, ACTION, 0)


def settled(ctx: Context) -> None:
    """Its place and its turn go with the settings: first or last, none in a rolling scene."""
    if ctx.state.settings == ctx.before.settings or here(ctx.state) is None:
        return
    slot, first = ctx.state.slot(WORLD), initiative(ctx)
    if first and slot is not None and slot.initiative is None and ctx.state.phase == "combat":
        order.give_initiative(ctx, first)
    order.arrange_anew(ctx)


def recharge(ctx: Context, name: str, face: int, by_hand: bool = False) -> bool:
    """Whether a die brings a spent action back; what it shows counts either way."""
    row = actions_of(ctx.tables.environments)[name]
    back = face >= row.recharge
    fallen = Rolled(WORLD, f"1d{DIE}", (face,), face, face, f"recharge {called(name, row)}")
    outcome = "success" if back else "failure"
    ctx.emit(replace(fallen, dc=row.recharge, outcome=outcome, by_hand=by_hand))
    acts.refill(ctx, WORLD, track_of(name), int(back))
    return back


# -- what it can do --------------------------------------------------------------------------------


def why_not(state: Encounter, name: str, row: Happening) -> str:
    """Why the world can't do that now, in a few words; empty when it can."""
    world = here(state)
    if world is None:
        return "no environment is named"
    if state.phase != "combat":
        return ""
    if not state.takes_turn(WORLD) and not is_on(state, ROLLING):
        return not_their_turn(state)
    if not world.track(ACTION):
        return "world action used"
    if row.recharge and not world.track(track_of(name)):
        return f"spent until a d6 shows {recharges_on(row)}"
    return ""


def recharges_on(row: Happening) -> str:
    """`4–6`, `6`."""
    return f"{row.recharge}–{DIE}" if row.recharge < DIE else str(DIE)


def pay(ctx: Context, name: str, row: Happening) -> None:
    """Spend the world's action, and what has to recharge. Raises Refused with the reason."""
    reason = why_not(ctx.state, name, row)
    if reason:
        raise Refused(f"the world can't use {called(name, row)}: {reason}")
    if ctx.state.phase != "combat":
        return
    acts.spend(ctx, WORLD, name, _price(name, row))
    ctx.emit(Used(WORLD, name))


def _price(name: str, row: Happening) -> dict[str, int]:
    return {ACTION: 1, **({track_of(name): 1} if row.recharge else {})}


def options(tables: Tables, state: Encounter) -> Iterator[Option]:
    """What the world can do in the environments that are named."""
    for row in _named(tables, state):
        for name, each in row.actions.items():
            brief = f"recharge {recharges_on(each)}" if each.recharge else ""
            yield Option(
                name,
                _price(name, each),
                reason=why_not(state, name, each),
                name=called(name, each),
                text=". ".join(filter(None, (brief, each.text))),
                brief=brief,
            )


def until(state: Encounter, row: Happening, who: str, of_world: bool) -> Duration | None:
    """When what it lays on somebody ends (R23: with the world's next turn); None: as ever."""
    if row.until == "start" or row.until == "end":
        return next_turn(state, who, row.until)
    if of_world and not row.until:
        return timing.at_turn(state, WORLD, "start")
    return Duration(says=row.until) if row.until else None
