"""Who carries what, in lines: `Mira: rope, Potion of Healing ×2 (2d4+2 HP)`."""

from __future__ import annotations

from collections.abc import Sequence

from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.rules.ruleset import Ruleset


def inventory_lines(
    ruleset: Ruleset,
    state: Encounter,
    people: Sequence[Combatant] = (),
    how: Notation = IN_WRITING,
) -> list[str]:
    """Say what each of these people carries; for nobody, what each of the party carries, if
    anything."""
    things = {who.id: ruleset.sheet.carried(who, how) for who in people or state.combatants}
    if people:
        return [f"{who.name}: {', '.join(things[who.id]) or 'nothing'}" for who in people]
    party = [who for who in state.combatants if who.side == "party" and things[who.id]]
    lines = [f"{who.name}: {', '.join(things[who.id])}" for who in party]
    return lines or ["nobody in the party carries anything"]
