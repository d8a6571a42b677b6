"""Adventure School (`adventure-school`): its tables and functions, put together as a `Ruleset`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.rules.ruleset import Ruleset, TableSchema
from affray.core.rules.tables import Tables
from affray.mechanics import items
from affray.rulesets import tables_of
from affray.rulesets.adventure_school import (
    action_economy,
    checks,
    conditions,
    contests,
    damage,
    movement,
    owed,
    resources,
    sheet,
    spellburn,
    stats,
    techniques,
    turns,
)
from affray.rulesets.adventure_school.settings import SETTINGS

if TYPE_CHECKING:
    from affray.core.rules.imported_creature import ImportedCreature, ImportResult

TABLES = tables_of(__name__)
_COMMANDING = (checks, conditions, contests, damage, movement, owed, resources, spellburn, turns)
COMMANDS = (
    *techniques.technique_commands(TABLES),
    *(command for module in _COMMANDING for command in module.COMMANDS),
    *items.COMMANDS,
)

# -- what rows may say, those of a campaign too ----------------------------------------------------

_AGAINST = tuple(f"vs-{what}" for what in (*TABLES.damage_types, *checks.CONTESTED))
_ROLLS = (*conditions.ROLLS, "melee", "ranged", "weapon", "sight", "social", *_AGAINST)
_WHEN = ("always", "near", "far", "source")
_FORBIDDEN = (
    *("act", "react", "effortless", "reflex", "withstand-grab"),
    *(name for name in TABLES.techniques if name not in action_economy.ANY_TIME),
)
SCHEMA = TableSchema(
    powers="ability",
    effects={
        "modifiers": tuple(name.replace("-", "_") for name in conditions.WHAT),
        "speed": ("half", "double", "none"),
        "advantage": _ROLLS,
        "disadvantage": _ROLLS,
        "suffers.advantage": (*_WHEN, checks.SOCIAL),
        "suffers.disadvantage": _WHEN,
        "suffers.critical": ("always", "source"),
        "forbids": _FORBIDDEN,
        "half_damage": None,
        "adds_damage": None,
        "ended_by": None,
        "keeps_off": None,
    },
    cost=("action", "movement"),
    marks=("stamina", "spirit", "diminish"),
    repeat=("once", "any", "fight"),
    techniques=True,
    ends=("rest", "long-rest", "fight"),
    rests=("short", "long"),
    counters=True,
)
"""The fields of table rows that the game plays; others in a campaign's rows are refused."""


class ImportingSheets(sheet.Sheets):
    """Sheets that can be made of creatures of other programs, too."""

    def import_creature(self, tables: Tables, creature: ImportedCreature) -> ImportResult:
        """The row of a creature; its module is loaded with the first one."""
        from affray.rulesets.adventure_school.import_creature import row_of

        return row_of(tables, creature)


RULESET = Ruleset(
    id="adventure-school",
    name="Adventure School",
    carried_stats=(items.ITEMS,),
    tables=TABLES,
    commands={command.name: command for command in COMMANDS},
    sheet=ImportingSheets(),
    initiative=turns.Initiative(),
    turns=turns.Turns(),
    numbers=stats.Numbers(stats.NUMBERS),
    actions=techniques.Actions(techniques.TECHNIQUES),
    state=turns.State(),
    schema=SCHEMA,
    settings=SETTINGS,
    usual_attack="attack",
    example_foe="hp 10 ac 12 attack Strike +3 vs ac 1d6+1 blunt",
)
