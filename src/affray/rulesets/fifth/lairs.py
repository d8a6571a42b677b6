"""5e: lair actions by the rules of 2014: a lair has a turn at initiative 20, and one of them in it.

SRD 5.1, Lair Actions; ruling 2. Start with `apply_invariants`.
"""

from __future__ import annotations

from functools import lru_cache

from affray.core.engine.events import Added, Left, Revealed
from affray.core.engine.initiative import arrange_anew, set_initiative
from affray.core.engine.state import MOST_KEPT, Combatant, Encounter, Track
from affray.core.rules.ruleset import Context
from affray.mechanics.actions import ActorSituation, Cost
from affray.rulesets.fifth import sheet
from affray.rulesets.fifth.sheet import LAIR_OF, Power, is_2014
from affray.rulesets.srd.sheet import POWERS

LAIR_ACTION = "lair_action"
"""The track of the one action of a lair's turn."""
LAST = (1_000,)
"""The rank of a lair among those of its initiative (ruling 2)."""
_FOR_SAVES = ("spell-dc", "spell")
"""What a lair's actions go by, of its owner's numbers."""


def is_lair(combatant: Combatant) -> bool:
    """True if somebody is no creature but a lair that has turns."""
    return LAIR_OF in combatant.stats


def lair_of(state: Encounter, owner: Combatant) -> Combatant | None:
    """The lair that has turns for somebody."""
    found = state.find(_id_of(owner))
    return found if found is not None and is_lair(found) else None


@lru_cache(maxsize=MOST_KEPT)
def has_lair_actions(combatant: Combatant) -> bool:
    """True if there are lair actions on somebody's own sheet."""
    return not is_lair(combatant) and any(power.lair for power in sheet.powers_of(combatant))


def has_no_turn(state: Encounter, combatant: Combatant) -> bool:
    """True if somebody is the lair of an owner who is out of the fight."""
    owner = state.find(str(combatant.stats.get(LAIR_OF)))
    return is_lair(combatant) and (owner is None or owner.is_out)


def cost_of(state: Encounter, power: Power) -> Cost:
    """The price of a power in a turn: by the rules of 2014 a lair action takes the lair's."""
    return {LAIR_ACTION: 1} if power.lair and is_2014(state) else power.cost


def why_not(now: ActorSituation, cost: Cost) -> str:
    """The reason why somebody can't use a lair action: only the lair can, in its own turn, while
    its owner is neither incapacitated nor surprised."""
    if LAIR_ACTION not in cost:
        return ""
    if not is_lair(now.who):
        return "only on its lair's turn"
    owner = now.state.find(str(now.who.stats[LAIR_OF]))
    if owner is None:
        return "its owner is gone"
    barred = ActorSituation(now.tables, now.state, owner).forbids("act")
    barred = barred or ("surprised" if owner.named("surprised") is not None else "")
    return f"{owner.name} is {barred}" if barred else ""


def apply_invariants(ctx: Context) -> None:
    """Let a lair join with its owner, as the players know that one, and leave with them.

    One that was taken out stays out: its owner may be away from home.
    """
    is_old = is_2014(ctx.state)
    turned = is_old != is_2014(ctx.before)
    for owner in filter(has_lair_actions, ctx.state.combatants):
        lair, was = ctx.state.find(_id_of(owner)), ctx.before.find(owner.id)
        if lair is None and is_old and (turned or was is None):
            _join(ctx, owner)
        elif lair is not None and was is not None and was.hidden != owner.hidden != lair.hidden:
            ctx.emit(Revealed(lair.id, owner.hidden))
    for lair in [each for each in ctx.state.combatants if LAIR_OF in each.stats]:
        there = ctx.state.find(str(lair.stats[LAIR_OF])) is not None
        if not (is_old and there) and not ctx.state.takes_turn(lair.id):
            ctx.emit(Left(lair.id, "its owner is gone" if is_old else "the rules of 2024"))
        elif (slot := ctx.state.slot(lair.id)) and slot.passive != has_no_turn(ctx.state, lair):
            arrange_anew(ctx)


def _id_of(owner: Combatant) -> str:
    return f"lair-of-{owner.id}"


def _join(ctx: Context, owner: Combatant) -> None:
    count = int(ctx.tables.economy["lair_initiative"])
    rows = [row for row in owner.stats[POWERS] if isinstance(row, dict) and row.get("lair")]
    own = {stat: owner.stats[stat] for stat in _FOR_SAVES if stat in owner.stats}
    stats = {"init": count, LAIR_OF: owner.id, POWERS: rows, **own}
    lair, name, tracks = _id_of(owner), f"Lair of {owner.name}", {LAIR_ACTION: Track(0, 1)}
    ctx.emit(Added(lair, name, "world", "hazard", stats, tracks, owner.hidden))
    if ctx.state.in_combat:
        set_initiative(ctx, {lair: count})
