"""Adventure School: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from affray.core.rules.ruleset import Ruleset
from affray.rulekit import sheets
from affray.rulekit.initiative import tie_rank
from affray.rulesets.adventure_school import (
    abilities,
    creatures,
    economy,
    edge,
    initiative,
    life,
    resources,
    sheet,
    totals,
)
from affray.rulesets.adventure_school.checks import CHECK_VERBS
from affray.rulesets.adventure_school.conditions import CONDITION_VERBS
from affray.rulesets.adventure_school.contests import CONTEST_VERBS
from affray.rulesets.adventure_school.costs import spells_of
from affray.rulesets.adventure_school.damage import DAMAGE_VERBS
from affray.rulesets.adventure_school.falling import FALL_VERBS
from affray.rulesets.adventure_school.house_rules import READS
from affray.rulesets.adventure_school.initiative import SKIP_VERBS
from affray.rulesets.adventure_school.life import LIFE_VERBS
from affray.rulesets.adventure_school.remarks import remark
from affray.rulesets.adventure_school.rerolling import REROLL_VERBS
from affray.rulesets.adventure_school.resources import RESOURCE_VERBS
from affray.rulesets.adventure_school.rests import REST_VERBS
from affray.rulesets.adventure_school.spellburn import BACKFIRE_VERBS
from affray.rulesets.adventure_school.techniques import READY_VERBS, technique_verbs
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)

VERBS = (
    *technique_verbs(TABLES),
    *BACKFIRE_VERBS,
    *CHECK_VERBS,
    *CONDITION_VERBS,
    *CONTEST_VERBS,
    *DAMAGE_VERBS,
    *FALL_VERBS,
    *LIFE_VERBS,
    *READY_VERBS,
    *RESOURCE_VERBS,
    *REROLL_VERBS,
    *REST_VERBS,
    *SKIP_VERBS,
)

RULESET = Ruleset(
    id="adventure-school",
    name="Adventure School",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=sheet.create,
    told=sheet.told,
    initiative=initiative.roll,
    tie_rank=tie_rank,
    initiative_given=initiative.given,
    turn_started=edge.turn_started,
    turn_ending=edge.turn_ending,
    owed=resources.roll_owed,
    turn_passed=edge.turn_passed,
    fight_ended=edge.fight_ended,
    set_by_hand=life.set_by_hand,
    totals=totals.totals,
    shares=totals.shares,
    options=abilities.options,
    pending=edge.pending,
    remark=remark,
    acted=economy.acted,
    settled=edge.settled,
    weapons=creatures.weapons_of,
    spells=spells_of,
    settings={"underwater": ("off", "on"), "pvp": ("off", "on")},
    reads=READS,
    add_usage=dict.fromkeys(("pc", "monster", "hazard"), sheets.usage(sheet.ROWS)),
)
