"""Moor: attacks always hit, saves are rolled under abilities, sides act in turn."""

from affray.core.engine.state import Combatant
from affray.core.rules.ruleset import Ruleset, TableSchema
from affray.mechanics.stats import StatNumbers
from affray.mechanics.techniques import TechniqueActions, technique_commands
from affray.rulesets import tables_of
from moor import fighting, harm, sheet


class Actions(TechniqueActions):
    def weapons(self, combatant: Combatant) -> list[str]:
        return [*sheet.attacks_of(combatant)]


TABLES = tables_of(__name__)
COMMANDS = (*harm.COMMANDS, fighting.REST, *technique_commands(fighting.TECHNIQUES, TABLES))

RULESET = Ruleset(
    id="moor",
    name="Moor",
    tables=TABLES,
    commands={command.name: command for command in COMMANDS},
    sheet=sheet.Sheets(),
    initiative=fighting.Initiative(),
    turns=fighting.Turns(),
    numbers=StatNumbers(sheet.STATS),
    actions=Actions(fighting.TECHNIQUES),
    state=harm.State(),
    schema=TableSchema(
        effects={"modifiers": ("armour",), "forbids": ("act", "react", "move"), "keeps_off": None},
        cost=("action",),
    ),
    usual_attack="attack NAME",
    example_foe="hp 4 str 10 attack claw 1d6",
)
