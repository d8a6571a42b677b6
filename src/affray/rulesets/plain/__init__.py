"""Plain: initiative, HP, damage, conditions and counters, for games that affray has no rules of."""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import Reads, Ruleset
from affray.rulekit import imports, rests, sheets
from affray.rulekit.numbers import shares, totals
from affray.rulesets.packaged import tables_of
from affray.rulesets.plain import damage, sheet, turns
from affray.rulesets.plain.conditions import CONDITION_VERBS
from affray.rulesets.plain.counters import COUNTER_VERBS
from affray.rulesets.plain.damage import DAMAGE_VERBS
from affray.rulesets.plain.numbers import NUMBERS

RULESET = Ruleset(
    id="plain",
    name="Plain",
    tables=tables_of(__name__),
    verbs={verb.name: verb for verb in (*DAMAGE_VERBS, *CONDITION_VERBS, *COUNTER_VERBS)},
    create=sheet.create,
    sheet=sheets.form(sheet.rows_of),
    initiative=turns.roll_initiative,
    tie_rank=turns.tie_rank,
    turn_started=turns.turn_started,
    fight_ended=rests.fight_over,
    set_by_hand=damage.hp_were_set,
    totals=partial(totals, NUMBERS),
    shares=partial(shares, NUMBERS),
    imports=imports.counted,
    reads=Reads(effects={"modifiers": tuple(NUMBERS.rows)}, counters=True),
)
