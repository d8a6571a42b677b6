"""The commands that every rule system has, one module per subject; `CORE_COMMANDS` lists them."""

from __future__ import annotations

from affray.core.commands.combatants import PEOPLE_COMMANDS
from affray.core.commands.ledger import CARRY_COMMANDS
from affray.core.commands.newcomers import ADD_COMMANDS
from affray.core.commands.notes_and_clocks import CLOCK_COMMANDS, RECORD_COMMANDS
from affray.core.commands.turn_order import FLOW_COMMANDS, GROUP_COMMANDS
from affray.core.rules.ruleset import Command

_ROWS = (
    *FLOW_COMMANDS,
    *ADD_COMMANDS,
    *PEOPLE_COMMANDS,
    *GROUP_COMMANDS,
    *RECORD_COMMANDS,
    *CLOCK_COMMANDS,
    *CARRY_COMMANDS,
)
CORE_COMMANDS: dict[str, Command] = {command.name: command for command in _ROWS}
