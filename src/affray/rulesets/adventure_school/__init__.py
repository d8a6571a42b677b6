"""Adventure School: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from affray.core.rules.ruleset import Ruleset
from affray.rulekit import acts, sheets
from affray.rulekit.rolls import tie_rank
from affray.rulesets.adventure_school import (
    abilities,
    checks,
    conditions,
    contests,
    damage,
    imported,
    movement,
    resources,
    rolls,
    sheet,
    spellburn,
    techniques,
    totals,
    turns,
)
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)

_MODULES = (checks, conditions, contests, damage, movement, resources, rolls, spellburn, turns)
VERBS = (
    *techniques.technique_verbs(TABLES),
    *techniques.VERBS,
    *(verb for module in _MODULES for verb in module.VERBS),
)

RULESET = Ruleset(
    id="adventure-school",
    name="Adventure School",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=sheet.create,
    sheet=sheets.form(sheet.rows),
    told=sheet.told,
    initiative=turns.roll_initiative,
    tie_rank=tie_rank,
    initiative_given=turns.initiative_given,
    turn_started=turns.turn_started,
    turn_ending=turns.turn_ending,
    owed=resources.roll_owed,
    turn_passed=turns.turn_passed,
    fight_ended=turns.fight_ended,
    set_by_hand=damage.set_by_hand,
    totals=totals.totals,
    shares=totals.shares,
    options=abilities.options,
    pending=turns.pending,
    remark=totals.remark,
    acted=acts.acted,
    settled=turns.settled,
    weapons=sheet.weapons_of,
    attack="attack",
    spells=sheet.spells_of,
    settings={"underwater": ("off", "on"), "pvp": ("off", "on")},
    reads=techniques.reads(TABLES),
    doing=techniques.DOING,
    imports=imported.imported,
)
