"""Plain: initiative, HP, damage, conditions and counters, for games that affray has no rules of."""

from __future__ import annotations

from affray.core.rules.ruleset import Ruleset, TableSchema
from affray.mechanics import items
from affray.mechanics.stats import StatNumbers
from affray.rulesets import tables_of
from affray.rulesets.plain import rules
from affray.rulesets.plain.rules import (
    CONDITION_COMMANDS,
    COUNTER_COMMANDS,
    DAMAGE_COMMANDS,
    NUMBERS,
    REST_COMMANDS,
)

RULESET = Ruleset(
    id="plain",
    name="Plain",
    tables=tables_of(__name__),
    carried_stats=(items.ITEMS,),
    commands={
        command.name: command
        for command in (
            *DAMAGE_COMMANDS,
            *CONDITION_COMMANDS,
            *COUNTER_COMMANDS,
            *REST_COMMANDS,
            *items.COMMANDS,
        )
    },
    sheet=rules.Sheets(),
    initiative=rules.Initiative(),
    turns=rules.Turns(),
    numbers=StatNumbers(NUMBERS),
    state=rules.State(),
    schema=TableSchema(
        effects={"modifiers": tuple(NUMBERS.rows)}, rests=rules.RESTS, counters=True
    ),
)
