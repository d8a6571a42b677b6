"""What the frame of the order says of those who are out of sight: how many, hurt, and most worn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from affray.core.heart.state import MOST_KEPT, Combatant
from affray.core.rules.tables import Tables
from affray.tui.drawing import plain
from affray.tui.panes.order_columns import OrderRow

Wear = tuple[int, int]
"""Marks that are grave, such as exhaustion, which outweigh any others; then those."""


def out_of_sight(
    unseen: list[OrderRow], seen: Iterable[OrderRow], tables: Tables, health: str
) -> str:
    """`+31 out of sight, 5 hurt, Tamsin most worn`; nothing where everybody is seen.

    Whoever is most worn is named where nobody who is seen is as worn. `health` is the track of HP.
    """
    if not unseen:
        return ""
    told = [f"+{len(unseen)} out of sight"]
    hidden = [who for row in unseen for who in row.members]
    if hurt := sum(is_hurt(who, health) for who in hidden):
        told.append(f"{hurt} hurt")
    most = max(hidden, key=lambda who: wear_of(tables, who))
    others = (wear_of(tables, who) for row in seen for who in row.members)
    if wear_of(tables, most) > max(others, default=(0, 0)):
        told.append(f"{plain(most.name)} most worn")
    return ", ".join(told)


@lru_cache(maxsize=MOST_KEPT)
def is_hurt(who: Combatant, track: str) -> bool:
    """Whether somebody who is still in the fight has half of its health left, or less."""
    if who.is_out:
        return False
    health = who.tracks.get(track)
    return who.life != "up" or (health is not None and 2 * health.value <= (health.max or 0))


@lru_cache(maxsize=MOST_KEPT)
def wear_of(tables: Tables, who: Combatant) -> Wear:
    """What is marked on somebody who is still in the fight, of what wears out everybody."""
    if who.is_out:
        return 0, 0
    rules = [(track, rule) for track, rule in tables.tracks.items() if rule.shown == "boxes"]
    worn = [(rule.grave, who.track(t)) for t, rule in rules if rule.everybody and not rule.when]
    return sum(n for grave, n in worn if grave), sum(n for grave, n in worn if not grave)
