"""Level Up (`level-up`): its tables and functions, put together as a `Ruleset`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.rules.ruleset import TableSchema
from affray.core.rules.tables import Tables
from affray.mechanics import items
from affray.rulesets import tables_of
from affray.rulesets.level_up import (
    actions,
    checks,
    companions,
    conditions,
    damage,
    dying,
    environments,
    fatigue,
    sheet,
    turns,
)
from affray.rulesets.level_up.rules import RULES
from affray.rulesets.level_up.settings import SETTINGS
from affray.rulesets.srd.rules import SrdRuleset
from affray.rulesets.srd.sheet import ABILITIES

if TYPE_CHECKING:
    from affray.core.rules.imported_creature import ImportedCreature, ImportResult

TABLES = tables_of(__name__)
COMMANDS = (
    *actions.technique_commands(TABLES),
    *checks.COMMANDS,
    *companions.COMMANDS,
    *conditions.COMMANDS,
    *damage.COMMANDS,
    *dying.COMMANDS,
    *fatigue.COMMANDS,
    *environments.COMMANDS,
    *turns.COMMANDS,
    *items.COMMANDS,
)

# -- what rows may say, those of a campaign too ----------------------------------------------------

_ROLLS = (*checks.ROLLS, *(f"{a}-{of}" for a in ABILITIES for of in ("check", "save")))
_WHEN = ("always", "near", "far", "seen", "source")
_FORBIDDEN = (
    "act",
    "react",
    "move",
    "see",
    "be-seen",
    "dash",
    "disengage",
    "dodge",
    "press-the-attack",
    "interact",
    "stand",
    "ready",
)

SCHEMA = TableSchema(
    powers="power",
    effects={
        "modifiers": tuple(name for name in checks.NUMBERS.rows if name != "massive"),
        "speed": ("half", "double", "none"),
        "at_most": ("speed",),
        "halves": ("speed",),
        "advantage": _ROLLS,
        "disadvantage": _ROLLS,
        "suffers.advantage": _WHEN,
        "suffers.disadvantage": _WHEN,
        "forbids": (*_FORBIDDEN, *actions.ACTIONS, *actions.REACTIONS),
        "escape": None,
    },
    cost=("action", "bonus_action", "reaction", "interaction", "exertion"),
    marks=("fatigue", "strife"),
    repeat=("once", "any", "fight"),
    techniques=True,
    rests=fatigue.RESTS,
    saves=ABILITIES,
    counters=True,
)


class ImportingSheets(sheet.Sheets):
    """Sheets that can be made of creatures of other programs, too."""

    def import_creature(self, tables: Tables, creature: ImportedCreature) -> ImportResult:
        """The row of a creature; its module is loaded with the first one."""
        from affray.rulesets.srd.import_creature import RowWords, row_of

        words = RowWords(
            "5e's numbers, used for Level Up",
            hit_dice=True,
            levels=("fatigue", "strife"),
            alike={"exhaustion": "fatigue"},
        )
        return row_of(tables, creature, words)


RULESET = SrdRuleset(
    srd=RULES,
    id="level-up",
    name="Level Up",
    carried_stats=(items.ITEMS,),
    tables=TABLES,
    commands={command.name: command for command in COMMANDS},
    sheet=ImportingSheets(),
    initiative=turns.Initiative(),
    turns=turns.Turns(),
    numbers=checks.Numbers(checks.NUMBERS),
    actions=actions.Actions(actions.TECHNIQUES, RULES),
    companions=companions.Companions(),
    state=turns.State(),
    schema=SCHEMA,
    settings=SETTINGS,
    usual_attack="attack",
    has_countdown_pools=True,
    example_foe="hp 10 ac 12 attack Strike +3 1d6+1 bludgeoning",
)
