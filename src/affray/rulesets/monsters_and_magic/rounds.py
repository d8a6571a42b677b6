"""Rounds and turns: initiative, what their edges bring, what waits then, and what can be done now.

Among that are powers of somebody's own, as monsters have:

    add monster "Weir Ogre" hp 46 powers Undertow ap 2 uses 1 text "All in touch are pulled under."

What a power does beside its price is said by other commands; its text stands in the log and on the
card.

Seed 004: Order, Dynamic Initiative, Action Points, Reactions, Basic Techniques, Statuses
(Invisible), Conditions (Restrained), Death & Dying, Threads of Fate (a monster's thread powered
ability).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import order, turns
from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden, in_force, rule_of
from affray.core.heart.events import Spent
from affray.core.heart.groups import leaders
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Encounter, Slot
from affray.core.language import arguments
from affray.core.language.declared import Reading
from affray.core.language.refusal import signed
from affray.core.rules.ruleset import Choice, Option, Pending
from affray.core.rules.tables import Tables
from affray.rulekit import acts, leaning, numbers, powers, rests, rolls
from affray.rulekit.acts import Cost, Economy, Now, Pay
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
from affray.rulesets.monsters_and_magic.sheet import POWER, Power, powers_of


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
    """Roll cunning (CR for a monster), of which no more than the total matters."""
    roller, die = ctx.state[who], rolls.Die(faces=lying)
    lucky = leaning.own_reasons(totals.here(ctx, roller), "advantage", ("initiative",))
    check = checks.plain(roller, "initiative", "cunning", die, checks.Terms(), "initiative")
    return checks.total_of(ctx, replace(check, pro=lucky))


def tie_rank(ctx: Context, who: str, total: int, placed: Sequence[Slot]) -> tuple[int, ...]:
    """On a tie player characters go first, then monsters."""
    return () if ctx.state[who].kind == "pc" else (1,)


def round_ended(ctx: Context) -> None:
    """With dynamic initiative everyone rolls anew: monsters now, characters as players call it.

    A delayed turn that was not taken in the round is over.
    """
    if not _is_dynamic(ctx.state):
        return
    for slot in ctx.state.slots:
        if slot.held and not slot.gone:
            turns.end_turn(ctx, slot.who)
    alive = _alive(ctx.state)
    order.forget_initiative(ctx, [c.id for c in alive if c.kind == "pc"])
    order.give_initiative(ctx, roll(ctx, [c.id for c in alive if c.kind != "pc"]))


def _is_dynamic(state: Encounter) -> bool:
    return state.settings.get("dynamic-initiative") == "on"


def _alive(state: Encounter) -> list[Combatant]:
    """Those who have an initiative of their own; a group has that of its first."""
    alive = (c.id for c in state.in_order() if c.life not in OUT_OF_THE_FIGHT)
    return [state[who] for who in leaders(state, alive)]


def awaited(state: Encounter) -> list[str]:
    """The characters whose players have yet to call their initiative for the round that begins."""
    if not _is_dynamic(state) or state.phase != "combat" or state.turn:
        return []
    if any(slot.round >= state.round for slot in state.slots if not slot.gone):
        return []  # the round has begun
    unknown = {slot.who for slot in state.slots if slot.initiative is None}
    return [c.id for c in _alive(state) if c.kind == "pc" and c.id in unknown]


def _call(state: Encounter, who: str) -> Pending:
    """The initiative that a player has to call, as it waits for the GM."""
    name = state.name(who)
    return Pending(
        who,
        f"{name}'s initiative for round {state.round}",
        (Choice("r", "roll", f"init {who} roll"),),
        missed=f"{name} has no initiative yet",
        die=f"init {who}",
    )


# -- the edges -------------------------------------------------------------------------------------


def start_turn(ctx: Context, who: str) -> None:
    """Turn start: AP and the reaction come back; statuses act before conditions.

    There are 3 AP, one more when quickened, one less when impaired, never below 0.
    """
    combatant, economy = ctx.state[who], ctx.tables.economy
    if "ap" not in combatant.tracks:
        return
    usual = int(economy["ap"])
    ap = max(0, usual + numbers.value(totals.here(ctx, combatant), "ap"))
    acts.refill(ctx, who, "ap", ap, max(ap, usual), "turn start", routine=ap == usual)
    totals.use_up(ctx, who, "ap")
    acts.refill(ctx, who, "reaction", int(economy["reaction"]), why="turn start")
    force = in_force(ctx.tables, ctx.state, ctx.state[who])
    for name in sorted(force, key=lambda name: force[name].kind != "status"):
        for track, amount in rule_of(ctx.tables, name).at_start.items():
            if amount > 0 and ctx.state[who].life != "dead":
                tracks.mark_track(ctx, who, track, amount, name)
            elif ctx.state[who].life != "dead":
                tracks.clear_track(ctx, who, track, -amount, name, by_somebody=False)


def _restore_reactions(ctx: Context) -> None:
    """The fight is over: in the next one all have their reaction, before their first turn too."""
    usual = int(ctx.tables.economy["reaction"])
    for combatant in ctx.state.combatants:
        if "reaction" in combatant.tracks:
            left = max(usual, combatant.track("reaction"))
            acts.refill(ctx, combatant.id, "reaction", left, why="the fight is over")


def acted(combatant: Combatant) -> bool:
    """Whether it has done anything in its turn."""
    return any(key.startswith("turn/") and key != f"turn/{FELL}" for key in combatant.uses)


def fight_ended(ctx: Context) -> None:
    """The fight is over, and 6 seconds pass: what turns and rounds would end has ended."""
    _restore_reactions(ctx)
    rests.fight_over(ctx)
    belongings.fight_ended(ctx)


def pending(tables: Tables, state: Encounter) -> list[Pending]:
    """What waits for the GM now: initiative that players call, the dying roll, the held who may
    break free, Death's bargain."""
    found = [_bargain(c) for c in state.combatants if c.life == "dead" and _may_bargain(c)]
    found += [_call(state, who) for who in awaited(state)]
    found += [*mounts.pending(state), *movement.pending(state)]
    for up in state.all_up():
        if harm.is_due(up):
            found.append(harm.pending(up))
        elif up.named("restrained") is not None and not forbidden(tables, state, up, "escape"):
            found.append(_break_free(up))
    return found


def _break_free(who: Combatant) -> Pending:
    command, held = f"free {who.id} restrained", "free, prevented by the holder"
    says = f"{who.name} is restrained: 3 fatigue to break free"
    answers = (Choice("f", "free", command), Choice("p", held, f"{command} prevented"))
    return Pending(who.id, says, answers)


def _may_bargain(who: Combatant) -> bool:
    return who.kind == "pc" and not who.used("bargain", "ever")


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


# -- what can be done now --------------------------------------------------------------------------


def options(tables: Tables, state: Encounter, combatant: Combatant) -> list[Option]:
    """Every technique for a combatant who has AP, and each power of their own: its cost now, the
    next one's, and why it can't be used."""
    now, has_ap = Now(tables, state, combatant), "ap" in combatant.tracks
    rows = [
        _disengage(now) if name == "disengage" else acts.option(ECONOMY, now, name)
        for name in (tables.techniques if has_ap else ())
        if name != POWER
    ]
    return rows + [_power_option(now, power) for power in powers_of(combatant)]


def _disengage(now: Now) -> Option:
    """Disengage, with the fatigue that stands for the AP that are not there."""
    needed = acts.price(now, "disengage")["ap"]
    lacking = max(0, needed - now.who.track("ap"))
    cost, marks = {"ap": needed - lacking}, {"fatigue": lacking} if lacking else {}
    after = acts.price_after(now, "disengage", cost)
    reason = _why_not(now, "disengage", cost)
    return Option("disengage", cost | marks, after | marks if after else {}, reason)


def _why_not(now: Now, name: str, cost: Cost) -> str:
    row = now.tables.techniques[name]
    if "reaction" in cost and not row.reaction:  # as a power may be
        row = replace(row, reaction=True)
    if barred := acts.why_barred(now, row, act="spend AP"):
        return barred
    if now.state.phase != "combat":
        return "only in a fight" if name == "regroup" or row.reaction else ""
    held = now.forbids("move") if name in ("move", "mount") else ""
    is_led = "controlled" in now.in_force and name not in now.tables.economy["controlled"]
    return (
        acts.why_not_up(now, row)
        or acts.why_not_again(now, name)
        or (held and f"{held}: can't move")
        or ("controlled: it can only move, dodge and disengage" if is_led else "")
        or acts.why_unpaid(now, cost)
    )


ECONOMY = Economy(_why_not)


# -- powers ----------------------------------------------------------------------------------------


def _why_not_power(state: Encounter, who: Combatant, power: Power) -> str:
    """Why somebody can't use it at all now, whatever it costs of a turn."""
    used_up = powers.why_used_up(who, power.name, power.uses, power.per)
    return used_up or ("the GM has no thread" if power.thread and state.gm("threads") < 1 else "")


def _power_option(now: Now, power: Power) -> Option:
    reason = _why_not_power(now.state, now.who, power) or ECONOMY.why_not(now, POWER, power.cost)
    brief = " ".join([*([f"×{power.uses}"] if power.uses else []), *(["thread"] * power.thread)])
    name, text = power.name, power.text
    return Option(f"{POWER} {name}", power.cost, reason=reason, name=name, text=text, brief=brief)


def _known(reading: Reading) -> dict[str, Power]:
    return {power.name: power for power in powers_of(reading.ctx.actor())}


class Using(Struct, frozen=True):
    """`power NAME`."""

    power: Annotated[Power, arguments.called("a power of theirs", _known, asks="text:power")]


def use_power(ctx: Context, said: Using, who: Combatant, pay: Pay) -> None:
    """Use a power: its price is paid, its use counted, and its text told."""
    power = said.power
    powers.refuse(who, power.name, _why_not_power(ctx.state, who, power))
    pay(power.cost)
    if power.thread:
        ctx.emit(Spent("", "threads", 1, power.name))
    powers.use(ctx, who, power.name, power.text, power.per if power.uses else "")
