"""Orcus: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.rules.ruleset import Ruleset, TableSchema
from affray.core.rules.tables import Tables
from affray.mechanics import items
from affray.rulesets import tables_of
from affray.rulesets.orcus import (
    action_economy,
    attacks,
    checks,
    companions,
    conditions,
    damage,
    healing,
    initiative,
    movement,
    powers,
    saves,
    sheet,
    techniques,
    turns,
)
from affray.rulesets.orcus.settings import SETTINGS
from affray.rulesets.orcus.sheet import TURN_ACTIONS

if TYPE_CHECKING:
    from affray.core.rules.imported_creature import ImportedCreature, ImportResult

TABLES = tables_of(__name__)

# -- what a campaign's rows may say: all else is refused -------------------------------------------

_FORBIDS = (
    "act", "react", "move", "flank", "free", "spend", "see", "hear", "be-moved", "hustle",
    "ranged", "far",
)  # fmt: skip
_DEGREES = (*attacks.COVER, *attacks.CONCEALMENT)
SCHEMA = TableSchema(
    powers="power",
    effects={
        "modifiers": (*checks.TOTALS, "defenses"),
        "at_most": ("speed", "actions"),
        "halves": ("damage", "speed"),
        "only_with": None,
        "resist": None,
        "suffers.advantage": ("always", "near", "source"),
        "suffers.disadvantage": ("far",),
        "suffers.hindered": _DEGREES,
        "suffers.hindered_near": _DEGREES,
        "forbids": _FORBIDS,
    },
    cost=(*TURN_ACTIONS, "immediate"),
    one_action=True,
    repeat=("once", "any", "fight"),
    techniques=True,
    ends=("save", "rest", "fight"),
    rests=("short", "long"),
    counters=True,
)


# -- all of it -------------------------------------------------------------------------------------

_MODULES = (
    movement, checks, action_economy, powers, damage, healing, conditions, saves, companions,
    initiative,
)  # fmt: skip
COMMANDS = (
    *techniques.technique_commands(TABLES),
    *(command for module in _MODULES for command in module.COMMANDS),
    *items.COMMANDS,
)


class ImportingSheets(sheet.Sheets):
    """Sheets that can be made of creatures of other programs, too."""

    def import_creature(self, tables: Tables, creature: ImportedCreature) -> ImportResult:
        """The row of a creature; its module is loaded with the first one."""
        from affray.rulesets.orcus.import_creature import row_of

        return row_of(tables, creature)


RULESET = Ruleset(
    id="orcus",
    name="Orcus",
    carried_stats=(items.ITEMS,),
    tables=TABLES,
    commands={command.name: command for command in COMMANDS},
    sheet=ImportingSheets(),
    initiative=initiative.Initiative(),
    turns=turns.Turns(),
    numbers=checks.Numbers(checks.NUMBERS),
    actions=techniques.Actions(techniques.TECHNIQUES),
    companions=companions.Companions(),
    state=turns.State(),
    schema=SCHEMA,
    settings=SETTINGS,
    usual_attack="attack",
    delayed_turns_interrupt=False,
    only_order="a delayed turn comes at an initiative count",
    example_foe="hp 10 attack Strike +4 vs ac 1d6+1",
)
