"""Rounds and turns: initiative, what their edges bring, and what waits for the GM then.

Seed 004: Order, Dynamic Initiative, Action Points, Statuses (Invisible), Conditions (Restrained),
Death & Dying.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden, in_force, rule_of
from affray.core.heart.state import Combatant, Encounter, Slot
from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Choice, Pending
from affray.core.rules.tables import Tables
from affray.rulekit import acts, leaning, numbers, rests, rolls
from affray.rulekit.life import FELL
from affray.rulesets.monsters_and_magic import (
    belongings,
    checks,
    gear,
    harm,
    mounts,
    movement,
    totals,
    tracks,
)


def roll(ctx: Context, ids: list[str], lying: tuple[int, ...] = ()) -> dict[str, int]:
    """Roll for each of them, in that order, or take the dice that lie there; gives their totals.

    A controlled mount has its rider's (seed 004: Mounted Combat).
    """
    riders = {who: mounts.master(ctx.state[who]) for who in ids}
    found = {who: _roll_one(ctx, who, lying) for who in ids if not riders[who]}
    known: dict[str, int | None] = {s.who: s.initiative for s in ctx.state.slots} | {**found}
    led = {who: known.get(rider) for who, rider in riders.items() if rider}
    return found | {who: total for who, total in led.items() if total is not None}


def _roll_one(ctx: Context, who: str, lying: tuple[int, ...]) -> int:
    """Roll cunning (CR for a monster) as a plain total, without success steps; gives the total."""
    roller = ctx.state[who]
    die = rolls.Die(faces=lying)
    lucky = leaning.own_reasons(totals.here(ctx, roller), "advantage", ("initiative",))
    check = checks.plain(roller, "initiative", "cunning", die, checks.Terms(), "initiative")
    return checks.total_of(ctx, replace(check, pro=lucky))


def tie_rank(ctx: Context, who: str, total: int, placed: Sequence[Slot]) -> tuple[int, ...]:
    """On a tie player characters go first, then monsters."""
    return () if ctx.state[who].kind == "pc" else (1,)


# -- the edges -------------------------------------------------------------------------------------


def start_turn(ctx: Context, who: str) -> None:
    """Turn start: AP and the reaction come back; statuses act before conditions.

    There are 3 AP, one more when quickened, one less when impaired, never below 0.
    """
    combatant, economy = ctx.state[who], ctx.tables.economy
    if "ap" not in combatant.tracks:
        return
    usual = int(economy["ap"])
    situation = totals.here(ctx, combatant)
    ap = max(0, usual + numbers.value(situation, "ap"))
    why = ", ".join(part.source for part in numbers.parts(situation, "ap"))
    acts.refill(ctx, who, "ap", ap, max(ap, usual), why or "turn start", routine=ap == usual)
    totals.use_up(ctx, who, "ap")
    acts.refill(ctx, who, "reaction", int(economy["reaction"]), why="turn start")
    force = in_force(ctx.tables, ctx.state, ctx.state[who])
    for name in sorted(force, key=lambda name: force[name].kind != "status"):
        for track, amount in rule_of(ctx.tables, name).at_start.items():
            if amount > 0 and ctx.state[who].life != "dead":
                tracks.mark_track(ctx, who, track, amount, name)
            elif ctx.state[who].life != "dead":
                tracks.clear_track(ctx, who, track, -amount, name, by_somebody=False)


def acted(combatant: Combatant) -> bool:
    """Whether it has done anything in its turn."""
    return any(key.startswith("turn/") and key != f"turn/{FELL}" for key in combatant.uses)


def fight_ended(ctx: Context) -> None:
    """The fight is over, and 6 seconds pass: what turns and rounds would end has ended. In the next
    one all have their reaction, before their first turn too."""
    usual = int(ctx.tables.economy["reaction"])
    for combatant in ctx.state.combatants:
        if "reaction" in combatant.tracks:
            left = max(usual, combatant.track("reaction"))
            acts.refill(ctx, combatant.id, "reaction", left, why="the fight is over")
    rests.fight_over(ctx)
    belongings.fight_ended(ctx)


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now: the dying roll, the held who may break free, Death's bargain."""
    dead = [c for c in state.combatants if c.life == "dead" and c.kind == "pc"]
    found = [_bargain(who) for who in dead if not who.used("bargain", "ever")]
    found += [*mounts.pending(state), *movement.pending(state)]
    for up in state.all_up():
        if harm.is_due(up):
            found.append(harm.pending(up))
        elif up.named("restrained") is not None and not forbidden(tables, state, up, "escape"):
            found.append(_break_free(up))
    return found


def _break_free(who: Combatant) -> Pending:
    says = f"{who.name} is restrained: 3 fatigue to break free"
    command = f"free {who.id} restrained"
    answers = (
        Choice("f", "free", command),
        Choice("p", "free, prevented by the holder", f"{command} prevented"),
    )
    return Pending(who.id, says, answers)


def _bargain(who: Combatant) -> Pending:
    answers = (("a", "accept"), ("x", "refuse"))
    choices = tuple(Choice(key, word, f"bargain {who.id} {word}") for key, word in answers)
    return Pending(who.id, f"{who.name} is dead: Death offers a bargain", choices)


def owed(ctx: Context, who: str) -> None:
    """Roll what nobody rolled before the turn may end."""
    mounts.roll_missing(ctx)
    movement.fall_missing(ctx)
    harm.roll_missing(ctx, who)


def settled(ctx: Context) -> None:
    """What always follows: who loses their seat or what held them up, who is encumbered."""
    mounts.settle(ctx)
    movement.settle(ctx)
    gear.settle(ctx)


def remark(tables: Tables, combatant: Combatant, track: str) -> str:
    """What a track's value means now, in a few words: the penalty that exhaustion brings."""
    penalty = totals.exhaustion_penalty(tables, combatant) if track == "exhaustion" else 0
    return f"{signed(penalty)} to all checks" if penalty else ""
