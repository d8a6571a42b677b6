"""5e (`5e`): its tables and functions, put together as a `Ruleset`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.rules.ruleset import TableSchema
from affray.core.rules.tables import Tables
from affray.mechanics import damage as shared_damage, items
from affray.rulesets import tables_of
from affray.rulesets.fifth import (
    actions,
    checks,
    conditions,
    damage_command,
    dying,
    sheet,
    surroundings,
    turns,
)
from affray.rulesets.fifth.rules import RULES
from affray.rulesets.fifth.settings import SETTINGS
from affray.rulesets.srd import damage
from affray.rulesets.srd.rules import SrdRuleset
from affray.rulesets.srd.sheet import ABILITIES

if TYPE_CHECKING:
    from affray.core.rules.imported_creature import ImportedCreature, ImportResult

TABLES = tables_of(__name__)
COMMANDS = (
    *actions.technique_commands(TABLES),
    *checks.COMMANDS,
    *conditions.COMMANDS,
    damage_command.DAMAGE,
    shared_damage.heal_command("heals HP; anybody at 0 HP wakes", damage_command.heal),
    damage.RESIST,
    *dying.COMMANDS,
    *surroundings.COMMANDS,
    *turns.COMMANDS,
    *items.COMMANDS,
)

_ROLLS = (
    *checks.ROLLS,
    *(f"{a}-{of}" for a in ABILITIES for of in ("check", "save")),
    "death-save",
)
_WHEN = ("always", "near", "far", "seen", "source", "helped")
_FORBIDDEN = (
    "act", "react", "move", "see", "hear", "be-seen", "interact", "stand", "ready",
    *(f"{ability}-save" for ability in ABILITIES),
)  # fmt: skip

SCHEMA = TableSchema(
    powers="power",
    effects={
        "modifiers": (*(name for name in checks.NUMBERS.rows if name != "bloodied"), "test"),
        "speed": ("half", "double", "none"),
        "at_most": ("speed",),
        "halves": ("speed",),
        "advantage": _ROLLS,
        "disadvantage": _ROLLS,
        "suffers.advantage": _WHEN,
        "suffers.disadvantage": _WHEN,
        "suffers.critical": _WHEN,
        "forbids": (*_FORBIDDEN, *actions.ACTIONS, *actions.REACTIONS),
        "escape": None,
    },
    cost=("action", "bonus_action", "reaction", "interaction", "movement"),
    marks=("exhaustion",),
    repeat=("once", "any", "fight"),
    techniques=True,
    rests=turns.RESTS,
    saves=ABILITIES,
    counters=True,
)


class ImportingSheets(sheet.Sheets):
    """Sheets that can be made of creatures of other programs, too."""

    def import_creature(self, tables: Tables, creature: ImportedCreature) -> ImportResult:
        """The row of a creature; its module is loaded with the first one."""
        from affray.rulesets.fifth.import_creature import own_words
        from affray.rulesets.srd.import_creature import RowWords, row_of

        words = RowWords(
            ends=("turn", "fight", "save"),
            lengths=True,
            repeated="save-ends",
            stops=True,
            levels=("exhaustion",),
            lair=True,
            ratings=tables.economy["experience"],
            turns=True,
            magic=True,
            auras=True,
            alike={"fatigue": "exhaustion"},
            more=own_words,
        )
        return row_of(tables, creature, words)


RULESET = SrdRuleset(
    srd=RULES,
    id="5e",
    name="5e",
    carried_stats=(items.ITEMS,),
    tables=TABLES,
    commands={command.name: command for command in COMMANDS},
    sheet=ImportingSheets(),
    initiative=turns.Initiative(),
    turns=turns.Turns(),
    numbers=checks.Numbers(checks.NUMBERS),
    actions=actions.Actions(actions.TECHNIQUES, RULES),
    companions=turns.Companions(),
    state=turns.State(),
    schema=SCHEMA,
    settings=SETTINGS,
    usual_attack="attack",
    has_countdown_pools=True,
    swaps_foes=True,
    example_foe="hp 10 ac 12 attack Strike +3 1d6+1 bludgeoning",
)
