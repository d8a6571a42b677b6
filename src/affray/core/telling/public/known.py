"""Who and what the players know of: the one judgement, for their view as for their recap.

Of whoever is hidden they know nothing, nor that there is anybody. Of the party they know the
numbers; of everybody else what can be seen.
"""

from __future__ import annotations

from collections.abc import Mapping

from affray.core.heart.state import Combatant, Encounter, Side

NAMES, HEALTH, LINES = "players-names", "players-health", "players-log"
TITLE = "players-title"
SETTINGS: Mapping[str, tuple[str, ...]] = {
    NAMES: ("shown", "hidden"),
    HEALTH: ("words", "bars", "hidden"),
    LINES: ("hidden", "shown"),
    TITLE: ("shown", "hidden"),
}
"""What the GM chooses of the players' view, with its values, the default first: whether others than
the party are named, how their health is told, whether what happened last is, and the fight's title.
"""


def chosen(state: Encounter, setting: str) -> str:
    """The value of one of the settings; the default for what a hand has written there."""
    values = SETTINGS[setting]
    value = state.settings.get(setting, "")
    return value if value in values else values[0]


def is_known(who: Combatant | None) -> bool:
    """Whether the players know of somebody; of those who have left they need not be told."""
    return who is not None and not who.hidden


def has_told_numbers(side: Side) -> bool:
    """Whether the players know the numbers of those on a side."""
    return side == "party"
