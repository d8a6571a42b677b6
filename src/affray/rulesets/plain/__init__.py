"""Plain: initiative, HP, damage, conditions and counters, for games that affray has no rules of."""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import Ruleset, SupportedFields
from affray.mechanics import import_creature, rests, sheet
from affray.mechanics.stats import explain_parts, stat_values
from affray.rulesets import tables_of
from affray.rulesets.plain import rules
from affray.rulesets.plain.rules import CONDITION_VERBS, COUNTER_VERBS, DAMAGE_VERBS, NUMBERS

RULESET = Ruleset(
    id="plain",
    name="Plain",
    tables=tables_of(__name__),
    verbs={verb.name: verb for verb in (*DAMAGE_VERBS, *CONDITION_VERBS, *COUNTER_VERBS)},
    create=rules.create,
    sheet=sheet.sheet_form(rules.rows_of),
    initiative=rules.roll_initiative,
    tie_rank=rules.tie_rank,
    turn_started=rules.on_turn_start,
    fight_ended=rests.end_fight_effects,
    set_by_hand=rules.hp_were_set,
    totals=partial(stat_values, NUMBERS),
    shares=partial(explain_parts, NUMBERS),
    imports=import_creature.generic_row,
    reads=SupportedFields(effects={"modifiers": tuple(NUMBERS.rows)}, counters=True),
)
