"""Level Up: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import Ruleset
from affray.rulekit import acts, sheets
from affray.rulekit.initiative import tie_rank
from affray.rulekit.recorded import owner_of
from affray.rulesets.level_up import (
    checks,
    companions,
    conditions,
    damage,
    dying,
    economy,
    fatigue,
    happenings,
    imported,
    powers,
    resisting,
    sheet,
    techniques,
    totals,
    turns,
    world,
)
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)
VERBS = (
    *techniques.technique_verbs(TABLES),
    *checks.VERBS,
    *companions.VERBS,
    *conditions.VERBS,
    *damage.VERBS,
    *dying.VERBS,
    *fatigue.VERBS,
    *happenings.VERBS,
    *resisting.VERBS,
    *turns.VERBS,
)

RULESET = Ruleset(
    id="level-up",
    name="Level Up",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=sheet.create,
    sheet=sheets.form(lambda tables: sheet.ROWS),
    told=sheet.told,
    initiative=turns.roll_initiative,
    tie_rank=tie_rank,
    turn_started=turns.turn_started,
    turn_ending=turns.turn_ending,
    owed=dying.roll_owed,
    fight_ended=turns.fight_ended,
    set_by_hand=dying.set_by_hand,
    totals=totals.totals,
    shares=totals.shares,
    options=partial(acts.options, economy.ECONOMY),
    own=powers.own,
    pending=turns.pending,
    remark=fatigue.remark,
    acted=acts.acted,
    settled=turns.settled,
    master=owner_of,
    passive=companions.passive,
    takes=conditions.can_have,
    weapons=lambda who: [attack.name for attack in sheet.attacks_of(who)],
    attack="attack",
    settings={
        "fatigue": ("after-the-fight", "at-once"),
        "falls": ("once", "every"),
        "death-one": ("failure", "no-failure"),
        "world-turn": ("last", "first"),
        "expertise-die": ("d4", "d6", "d8", "d10", "d12"),
        **dict.fromkeys(world.SCENES, ("off", "on")),
    },
    pools=True,
    reads=techniques.READS,
    doing=techniques.DOING,
    imports=imported.imported,
    stranger="hp 10 ac 12 attack Strike +3 1d6+1 bludgeoning",
)
