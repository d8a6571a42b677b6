"""Adventure School: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from affray.core.rules.ruleset import Ruleset
from affray.rulekit import sheets
from affray.rulekit.initiative import tie_rank
from affray.rulesets.adventure_school import creatures, economy, edge, initiative, sheet, totals
from affray.rulesets.adventure_school.checks import CHECK_VERBS
from affray.rulesets.adventure_school.contests import CONTEST_VERBS
from affray.rulesets.adventure_school.initiative import SKIP_VERBS
from affray.rulesets.adventure_school.techniques import technique_verbs
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)

VERBS = (*technique_verbs(TABLES), *CHECK_VERBS, *CONTEST_VERBS, *SKIP_VERBS)

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
    fight_ended=edge.fight_ended,
    reconcile=lambda ctx, who: None,
    totals=totals.totals,
    shares=totals.shares,
    options=economy.options,
    pending=edge.pending,
    remark=lambda tables, who, track: "",
    acted=economy.acted,
    settled=edge.settled,
    weapons=creatures.weapons_of,
    settings={"underwater": ("off", "on"), "pvp": ("off", "on")},
    add_usage=dict.fromkeys(("pc", "monster", "hazard"), sheets.usage(sheet.ROWS)),
)
