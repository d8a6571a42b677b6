"""Level Up: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from affray.core.rules.ruleset import Ruleset
from affray.rulekit import sheets
from affray.rulekit.creatures import owner_of
from affray.rulekit.initiative import tie_rank
from affray.rulesets.level_up import (
    companions,
    creatures,
    dying,
    economy,
    edge,
    fatigue,
    initiative,
    scenes,
    sheet,
    totals,
)
from affray.rulesets.level_up.checks import CHECK_VERBS
from affray.rulesets.level_up.companions import GROUP_VERBS
from affray.rulesets.level_up.conditions import CONDITION_VERBS
from affray.rulesets.level_up.damage import DAMAGE_VERBS
from affray.rulesets.level_up.dying import DEATH_VERBS
from affray.rulesets.level_up.fatigue import MARK_VERBS
from affray.rulesets.level_up.happenings import WORLD_VERBS
from affray.rulesets.level_up.house_rules import DOING, READS
from affray.rulesets.level_up.initiative import SURPRISE_VERBS
from affray.rulesets.level_up.readying import READY_VERBS
from affray.rulesets.level_up.rests import REST_VERBS
from affray.rulesets.level_up.techniques import technique_verbs
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)


VERBS = (
    *technique_verbs(TABLES),
    *CHECK_VERBS,
    *CONDITION_VERBS,
    *DAMAGE_VERBS,
    *DEATH_VERBS,
    *GROUP_VERBS,
    *MARK_VERBS,
    *READY_VERBS,
    *REST_VERBS,
    *SURPRISE_VERBS,
    *WORLD_VERBS,
)

RULESET = Ruleset(
    id="level-up",
    name="Level Up",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=sheet.create,
    told=sheet.told,
    initiative=initiative.roll,
    tie_rank=tie_rank,
    turn_started=edge.turn_started,
    turn_ending=edge.turn_ending,
    owed=dying.roll_owed,
    fight_ended=edge.fight_ended,
    reconcile=dying.reconcile,
    totals=totals.totals,
    shares=totals.shares,
    options=economy.options,
    pending=edge.pending,
    remark=fatigue.remark,
    acted=economy.acted,
    settled=edge.settled,
    master=owner_of,
    passive=companions.passive,
    weapons=creatures.weapons_of,
    settings={
        "fatigue": ("after-the-fight", "at-once"),
        "falls": ("once", "every"),
        "death-one": ("failure", "no-failure"),
        "world-turn": ("last", "first"),
        "expertise-die": ("d4", "d6", "d8", "d10", "d12"),
        **dict.fromkeys(scenes.SCENES, ("off", "on")),
    },
    pools=True,
    reads=READS,
    doing=DOING,
    add_usage=dict.fromkeys(("pc", "monster", "hazard"), sheets.usage(sheet.ROWS)),
)
