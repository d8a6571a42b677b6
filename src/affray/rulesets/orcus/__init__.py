"""Orcus: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from functools import partial

from affray.core.heart.decide import Context
from affray.core.rules.ruleset import Ruleset
from affray.rulekit import numbers, sheets
from affray.rulekit.recorded import owner_of
from affray.rulesets.orcus import (
    checks,
    companions,
    conditions,
    damage,
    economy,
    edge,
    healing,
    imported,
    initiative,
    movement,
    powers,
    saves,
    sheet,
    techniques,
    upkeep,
)
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)

_MODULES = (
    movement, checks, economy, powers, damage, healing, conditions, saves, upkeep, companions,
    techniques, initiative,
)  # fmt: skip
VERBS = (
    *techniques.technique_verbs(TABLES),
    *(verb for module in _MODULES for verb in module.VERBS),
)


def _set_by_hand(ctx: Context, who: str) -> None:
    """What follows from a number that was written by hand: life and death, and the actions left."""
    damage.set_by_hand(ctx, who)
    economy.written_by_hand(ctx, who)


RULESET = Ruleset(
    id="orcus",
    name="Orcus",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=sheet.create,
    sheet=sheets.form(lambda tables: sheet.ROWS, sheet.ALIASES),
    initiative=initiative.roll,
    tie_rank=initiative.tie_rank,
    turn_started=edge.turn_started,
    turn_ending=edge.turn_ending,
    owed=saves.roll_owed,
    round_ended=edge.round_ended,
    fight_ended=edge.fight_ended,
    set_by_hand=_set_by_hand,
    totals=partial(numbers.totals, checks.NUMBERS),
    shares=checks.shares,
    options=powers.options,
    pending=edge.pending,
    remark=edge.remark,
    acted=economy.acted,
    settled=edge.settled,
    delayed=edge.delayed,
    master=owner_of,
    told=sheet.told,
    weapons=sheet.weapons_of,
    attack="attack",
    interrupts=False,
    reads=techniques.READS,
    doing=techniques.DOING,
    imports=imported.imported,
    settings={
        "surprise": ("no-action", "one-standard"),
        "death-saves": ("start", "end"),
        "negative-hp": ("on", "off"),
        "free-actions": ("any", "one"),
    },
)
