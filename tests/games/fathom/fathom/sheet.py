"""The sheet: ratings of actions, stress, and a foe's clock."""

from typing import Any

from affray.core.engine.state import Combatant, Track
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics.sheet import FieldSheet, Sheet, SheetFieldGroup, number_fields, track_fields
from affray.mechanics.stats import StatRule, StatRules

ATTRIBUTES = {
    "insight": ("hunt", "study", "survey", "tinker"),
    "prowess": ("finesse", "prowl", "skirmish", "wreck"),
    "resolve": ("attune", "command", "consort", "sway"),
}
ACTIONS = tuple(action for actions in ATTRIBUTES.values() for action in actions)
MOST_STRESS, MOST_TRAUMA, USUAL_CLOCK = 9, 4, 4
STATS = StatRules({"dice": StatRule(), "effect": StatRule()})


def attribute_of(combatant: Combatant, attribute: str) -> int:
    """The rating of an attribute: how many of its actions have a dot."""
    return sum(combatant.number(action) > 0 for action in ATTRIBUTES[attribute])


class Sheets(FieldSheet):
    """`skirmish 2 prowl 1` of a character, `clock 6` of a foe."""

    def groups(self, tables: Tables) -> tuple[SheetFieldGroup, ...]:
        return (number_fields(*ACTIONS, low=0), track_fields("stress", "trauma", "clock"))

    def complete(
        self, ctx: Context, kind: str, sheet: Sheet
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        tracks = {name: track.marked for name, track in sheet.tracks.items()}
        usual = {"stress": Track(0, MOST_STRESS), "trauma": Track(0, MOST_TRAUMA)}
        if kind != "pc":
            usual = {"clock": Track(0, USUAL_CLOCK)}
        return sheet.stats, {**usual, **tracks}
