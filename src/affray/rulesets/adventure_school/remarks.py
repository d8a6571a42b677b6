"""A few words beside a resource on the card: what its value means now.

Seed 001: Spellburn, Control and Chaos; rules file, 14, 15 and 22.
"""

from __future__ import annotations

from affray.core.heart.state import Combatant
from affray.core.rules.tables import Tables
from affray.rulesets.adventure_school.costs import abilities_of


def remark(tables: Tables, who: Combatant, track: str) -> str:
    """The chance of a backfire, and which spell would turn into chaos; empty for all else."""
    if track == "spellburn":
        return f"1 in {who.track(track)}" if who.track(track) else "out"
    return _of_control(who) if track == "control" else ""


def _of_control(who: Combatant) -> str:
    """That its dearest spell would bring it to 0: no spell then, but chaos."""
    dearest = max(abilities_of(who), key=lambda ability: ability.control, default=None)
    if dearest is None or not 0 < who.track("control") <= dearest.control:
        return ""
    return f"{dearest.name} would be chaos"
