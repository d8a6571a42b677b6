"""What the frame of the order says: how many are out of sight, who is worst hurt, who most worn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from affray.core.heart.state import MOST_KEPT, Combatant, Track
from affray.core.rules.tables import Tables, TrackRule
from affray.tui.drawing import amount, plain
from affray.tui.panes.order_columns import OrderRow, is_to_act_with, shown_tracks

Hurt = tuple[int, float]
"""2 for the dying, 1 for others who are down, 0; then the share of HP that is gone."""

Wear = tuple[int, int, float]
"""What one track tells of it: 2 for marks that are grave, such as exhaustion, 1 for others, 0 for
what is spent; how many marks; the share of the track that is marked, or spent."""

MARK = "◀"
"""It stands behind what is told of them, in their rows."""

UNHURT: Hurt = (0, 0)
UNWORN: Wear = (0, 0, 0)


class Extreme(NamedTuple):
    """Who is to be looked after: `worst hurt`, who, on which track, and how that stands: `0/24`."""

    what: str
    who: Combatant
    track: str
    stands: str


def extremes(everybody: Iterable[Combatant], tables: Tables) -> list[Extreme]:
    """Who is worst hurt and who is most worn, if anybody is; of some who are alike the first."""
    health = tables.health
    there = [who for who in everybody if not who.is_out]
    found = []
    worst = max(there, key=lambda who: hurt_of(who, health), default=None)
    if worst is not None and hurt_of(worst, health) > UNHURT:
        left = worst.tracks.get(health)
        found.append(Extreme("worst hurt", worst, health, amount(left) if left else ""))
    most = max(there, key=lambda who: wear_of(tables, who), default=None)
    if most is not None and wear_of(tables, most)[:1] > (UNWORN,):
        name, rule, track = max(_worn_on(tables, most), key=lambda each: _wear(*each[1:]))
        stands = f"{rule.short or rule.label} {amount(track)}"
        found.append(Extreme("most worn", most, name, stands))
    return found


def in_words(found: Iterable[Extreme]) -> str:
    """`◀ worst hurt Pell 0/24, most worn Tamsin Exh 2/5`; nothing of nobody."""
    told = [f"{each.what} {plain(each.who.name)} {each.stands}".rstrip() for each in found]
    return f"{MARK} {', '.join(told)}" if told else ""


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
    return tuple(
        sorted((_wear(rule, track) for _, rule, track in _worn_on(tables, who)), reverse=True)
    )


def _wear(rule: TrackRule, track: Track) -> Wear:
    share = track.value / track.max if track.max else 0
    if rule.counts == "marked":
        return (1 + rule.grave, track.value, share) if track.value else UNWORN
    return (0, 0, 1 - share) if track.max else UNWORN


def _worn_on(tables: Tables, who: Combatant) -> list[tuple[str, TrackRule, Track]]:
    """What of somebody is seen of everybody and goes along into the next fight: no track to act
    with, and neither HP nor their cushion."""
    rules = [(track, tables.tracks[track]) for track in shown_tracks(tables) if track in who.tracks]
    return [
        (track, rule, who.tracks[track])
        for track, rule in rules
        if rule.carries and not is_to_act_with(rule) and rule.recap not in ("damage", "cushion")
    ]
