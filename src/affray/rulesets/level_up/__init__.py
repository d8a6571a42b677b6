"""Level Up: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from affray.core.rules.ruleset import Reads, Ruleset, Verb
from affray.rulekit import sheets
from affray.rulesets.level_up import (
    companions,
    creatures,
    dying,
    economy,
    edge,
    initiative,
    sheet,
    totals,
)
from affray.rulesets.level_up.actions import ACTION_VERBS
from affray.rulesets.level_up.attacks import ATTACK_VERBS
from affray.rulesets.level_up.damage import DAMAGE_VERBS
from affray.rulesets.level_up.initiative import SURPRISE_VERBS
from affray.rulesets.packaged import tables_of


def _verbs() -> dict[str, Verb]:
    rows = (
        *ATTACK_VERBS,
        *ACTION_VERBS,
        *DAMAGE_VERBS,
        *SURPRISE_VERBS,
    )
    return {verb.name: verb for verb in rows}


RULESET = Ruleset(
    id="level-up",
    name="Level Up",
    tables=tables_of(__name__),
    verbs=_verbs(),
    create=sheet.create,
    told=sheet.told,
    initiative=initiative.roll,
    tie_rank=initiative.tie_rank,
    turn_started=edge.turn_started,
    fight_ended=edge.fight_ended,
    reconcile=dying.reconcile,
    totals=totals.totals,
    shares=totals.shares,
    options=economy.options,
    pending=edge.pending,
    remark=edge.remark,
    acted=economy.acted,
    settled=edge.settled,
    master=creatures.owner_of,
    passive=companions.passive,
    weapons=creatures.weapons_of,
    pools=True,
    reads=Reads(marks=("fatigue", "strife"), saves=creatures.ABILITIES),
    add_usage=dict.fromkeys(("pc", "monster", "hazard"), sheets.usage(sheet.ROWS)),
)
