"""The commands that every rule system has, one module per subject; `CORE_VERBS` lists them all."""

from __future__ import annotations

from affray.core.commands.combatants import ADD_VERBS, PEOPLE_VERBS
from affray.core.commands.ledger import CARRY_VERBS
from affray.core.commands.notes_and_clocks import CLOCK_VERBS, RECORD_VERBS
from affray.core.commands.turn_order import FLOW_VERBS, GROUP_VERBS
from affray.core.rules.ruleset import Command

_ROWS = (
    *FLOW_VERBS,
    *ADD_VERBS,
    *PEOPLE_VERBS,
    *GROUP_VERBS,
    *RECORD_VERBS,
    *CLOCK_VERBS,
    *CARRY_VERBS,
)
CORE_VERBS: dict[str, Command] = {verb.name: verb for verb in _ROWS}
