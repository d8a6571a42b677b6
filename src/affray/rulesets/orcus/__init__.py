"""Orcus: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from functools import partial

from affray.core.heart.decide import Context
from affray.core.rules.ruleset import Ruleset
from affray.rulekit import numbers, sheets
from affray.rulekit.recorded import owner_of
from affray.rulesets.orcus import (
    actions,
    creatures,
    damage,
    edge,
    imported,
    initiative,
    powers,
    saves,
    sheet,
    totals,
)
from affray.rulesets.orcus.actions import ACTION_VERBS
from affray.rulesets.orcus.companions import COMPANION_VERBS
from affray.rulesets.orcus.conditions import CONDITION_VERBS
from affray.rulesets.orcus.damage import HARM_VERBS
from affray.rulesets.orcus.healing import HEALING_VERBS
from affray.rulesets.orcus.initiative import SURPRISE_VERBS
from affray.rulesets.orcus.movement import TRAVEL_VERBS
from affray.rulesets.orcus.powers import POWER_VERBS
from affray.rulesets.orcus.saves import DEATH_VERBS, SAVE_VERBS
from affray.rulesets.orcus.techniques import DOING, READS, READY_VERBS, technique_verbs
from affray.rulesets.orcus.upkeep import UPKEEP_VERBS
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)


VERBS = (
    *technique_verbs(TABLES),
    *ACTION_VERBS,
    *POWER_VERBS,
    *HARM_VERBS,
    *HEALING_VERBS,
    *CONDITION_VERBS,
    *SAVE_VERBS,
    *DEATH_VERBS,
    *UPKEEP_VERBS,
    *COMPANION_VERBS,
    *READY_VERBS,
    *SURPRISE_VERBS,
    *TRAVEL_VERBS,
)


def _set_by_hand(ctx: Context, who: str) -> None:
    """What follows from a number that was written by hand: life and death, and the actions left."""
    damage.set_by_hand(ctx, who)
    actions.written_by_hand(ctx, who)


RULESET = Ruleset(
    id="orcus",
    name="Orcus",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=sheet.create,
    sheet=sheets.form(lambda tables: sheet.ROWS, creatures.ALIASES),
    initiative=initiative.roll,
    tie_rank=initiative.tie_rank,
    turn_started=edge.turn_started,
    turn_ending=edge.turn_ending,
    owed=saves.roll_owed,
    round_ended=edge.round_ended,
    fight_ended=edge.fight_ended,
    set_by_hand=_set_by_hand,
    totals=partial(numbers.totals, totals.NUMBERS),
    shares=totals.shares,
    options=powers.options,
    pending=edge.pending,
    remark=edge.remark,
    acted=actions.acted,
    settled=edge.settled,
    delayed=edge.delayed,
    master=owner_of,
    told=creatures.told,
    weapons=creatures.weapons_of,
    attack="attack",
    interrupts=False,
    reads=READS,
    doing=DOING,
    imports=imported.imported,
    settings={
        "surprise": ("no-action", "one-standard"),
        "death-saves": ("start", "end"),
        "negative-hp": ("on", "off"),
        "free-actions": ("any", "one"),
    },
)
