"""Fathom: dice pools, stress and clocks; nobody has hit points."""

from affray.core.rules.ruleset import Ruleset, TableSchema
from affray.mechanics.stats import StatNumbers
from affray.mechanics.techniques import TechniqueActions, technique_commands
from affray.rulesets import tables_of
from fathom import harm, rolls, sheet

TABLES = tables_of(__name__)
COMMANDS = (*harm.COMMANDS, *technique_commands(rolls.TECHNIQUES, TABLES))

RULESET = Ruleset(
    id="fathom",
    name="Fathom",
    tables=TABLES,
    commands={command.name: command for command in COMMANDS},
    sheet=sheet.Sheets(),
    initiative=harm.Initiative(),
    turns=harm.Turns(),
    numbers=StatNumbers(sheet.STATS),
    actions=TechniqueActions(rolls.TECHNIQUES),
    state=rolls.State(),
    schema=TableSchema(effects={"modifiers": ("dice", "effect")}),
    usual_attack="act",
    example_foe="skirmish 1",
)
