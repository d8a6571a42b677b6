"""What the frame of the order says: how many are out of sight, who is worst hurt, who most worn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from affray.core.heart.state import MOST_KEPT, Combatant, Track
from affray.core.rules.tables import Tables, TrackRule
from affray.tui.drawing import amount, plain
from affray.tui.panes.order_columns import OrderRow

Hurt = tuple[int, float]
"""2 for the dying, 1 for others who are down, 0; then the share of HP that is gone."""

Wear = tuple[int, int, float]
"""What one track tells of it: 2 for marks that are grave, such as exhaustion, 1 for others, 0 for
what is spent; how many marks; the share of the track that is marked, or spent."""

UNHURT: Hurt = (0, 0)
UNWORN: Wear = (0, 0, 0)


def extremes(everybody: Iterable[Combatant], tables: Tables, health: str) -> str:
    """`worst hurt Pell 0/24, most worn Tamsin Exh 2/5`, or as much of it as there is.

    Of some who are alike the first is named. `health` is the track of HP.
    """
    there = [who for who in everybody if not who.is_out]
    told = []
    worst = max(there, key=lambda who: hurt_of(who, health), default=None)
    if worst is not None and hurt_of(worst, health) > UNHURT:
        left = worst.tracks.get(health)
        told.append(f"worst hurt {plain(worst.name)}" + (f" {amount(left)}" if left else ""))
    most = max(there, key=lambda who: wear_of(tables, who), default=None)
    if most is not None and wear_of(tables, most)[:1] > (UNWORN,):
        rule, track = max(_worn_on(tables, most), key=lambda each: _wear(*each))
        told.append(f"most worn {plain(most.name)} {rule.short or rule.label} {amount(track)}")
    return ", ".join(told)


def out_of_sight(unseen: list[OrderRow], health: str) -> str:
    """`+31 out of sight, 5 hurt`: so many have half of their HP left or less. Nothing of none."""
    hurts = [hurt_of(who, health) >= (0, 0.5) for row in unseen for who in row.members]
    many = sum(hurts)
    return f"+{len(unseen)} out of sight" + (f", {many} hurt" if many else "") if unseen else ""


@lru_cache(maxsize=MOST_KEPT)
def hurt_of(who: Combatant, health: str) -> Hurt:
    """How badly somebody is hurt who is still in the fight."""
    if who.is_out:
        return UNHURT
    down = 2 if who.life == "dying" else int(who.life != "up")
    track = who.tracks.get(health)
    return down, 1 - track.value / track.max if track is not None and track.max else 0


@lru_cache(maxsize=MOST_KEPT)
def wear_of(tables: Tables, who: Combatant) -> tuple[Wear, ...]:
    """How worn out somebody is, by each track that tells of it, the worst first."""
    return tuple(sorted((_wear(*each) for each in _worn_on(tables, who)), reverse=True))


def _wear(rule: TrackRule, track: Track) -> Wear:
    share = track.value / track.max if track.max else 0
    if rule.counts == "marked":
        return (1 + rule.grave, track.value, share) if track.value else UNWORN
    return (0, 0, 1 - share) if track.max else UNWORN


def _worn_on(tables: Tables, who: Combatant) -> list[tuple[TrackRule, Track]]:
    """The tracks of somebody that are seen of everybody and go along into the next fight, but for
    HP and their cushion."""
    return [
        (rule, who.tracks[track])
        for track, rule in tables.tracks.items()
        if track in who.tracks
        and rule.everybody
        and rule.carries
        and not rule.when
        and rule.recap not in ("damage", "cushion")
    ]
