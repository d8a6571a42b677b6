"""Monsters & Magic: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.rules.ruleset import Ruleset, TableSchema
from affray.core.rules.tables import Tables
from affray.rulesets import tables_of
from affray.rulesets.monsters_and_magic import (
    bonds,
    checks,
    conditions,
    damage,
    downtime,
    loadout,
    movement,
    rewards,
    saves,
    sheet,
    stats,
    techniques,
    threads_of_fate,
    travel,
    turns,
)
from affray.rulesets.monsters_and_magic.settings import SETTINGS

if TYPE_CHECKING:
    from affray.core.rules.imported_creature import ImportedCreature, ImportResult

TABLES = tables_of(__name__)
IN_FIGHTS = (damage, conditions, checks, saves, threads_of_fate, techniques)
BESIDE = (travel, rewards, downtime, bonds, movement, loadout)
COMMANDS = (
    *techniques.technique_commands(TABLES),
    *(command for module in (*IN_FIGHTS, *BESIDE) for command in module.COMMANDS),
)

# -- what a campaign's rows may say ----------------------------------------------------------------
#
# What stands here is read by the modules beside this one, and all else is refused in a campaign:
# whoever teaches the game another field or word adds it.

_WHEN = ("always", "near", "far")
SCHEMA = TableSchema(
    powers=sheet.POWERS,
    effects={
        "modifiers": ("check", "attack", "damage", "ac", "speed", "ap"),
        "speed": ("half", "double", "none"),
        "halves": ("speed",),
        "advantage": ("attack", "initiative"),
        "disadvantage": ("attack",),
        "suffers.advantage": _WHEN,
        "suffers.disadvantage": _WHEN,
        "forbids": ("act", "react", "move", "escape", "rest"),
        "at_start": None,
        "escape": None,
    },
    cost=("ap", "reaction"),
    marks=("fatigue", "exhaustion", "hp"),
    repeat=("once", "rising", "any"),
    techniques=True,
    amounts=("bond",),
    rests=downtime.KINDS,
    spends=(travel.SUPPLIES,),
    gear=True,
    counters=True,
)


class ImportingSheets(stats.Sheets):
    """Sheets that can be made of creatures of other programs, too."""

    def import_creature(self, tables: Tables, creature: ImportedCreature) -> ImportResult:
        """The row of a creature; its module is loaded with the first one."""
        from affray.rulesets.monsters_and_magic.import_creature import row_of

        return row_of(tables, creature)


RULESET = Ruleset(
    id="monsters-and-magic",
    name="Monsters & Magic",
    tables=TABLES,
    commands={command.name: command for command in COMMANDS},
    sheet=ImportingSheets(),
    initiative=turns.Initiative(),
    turns=turns.Turns(),
    numbers=stats.Numbers(stats.NUMBERS),
    actions=techniques.Actions(techniques.TECHNIQUES),
    companions=movement.Companions(),
    state=turns.State(),
    schema=SCHEMA,
    settings=SETTINGS,
    gm_tracks=("threads",),
    usual_attack="strike",
    carried_stats=("pb", *sheet.KEPT, bonds.BONDS, bonds.REPUTATION),
    example_foe="hp 10 cr 1 attack Strike 1d6+1 bludgeoning",
)
