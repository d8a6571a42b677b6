"""Orcus: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from functools import partial

from affray.core.heart.decide import Context
from affray.core.rules.ruleset import Doing, Reads, Ruleset
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing, numbers, sheets
from affray.rulekit.recorded import owner_of
from affray.rulesets.orcus import (
    assaults,
    checks,
    companions,
    conditions,
    damage,
    economy,
    edge,
    healing,
    imported,
    initiative,
    keeping,
    movement,
    power_options,
    powers,
    saves,
    sheet,
    techniques,
)
from affray.rulesets.orcus.conditions import DYING
from affray.rulesets.orcus.sheet import AMOUNTS, TURN_ACTIONS
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)

# -- what a campaign's rows may say: all else is refused -------------------------------------------

_TRACES = (
    "state", "persistent", "modifier", "stance", "aura", "zone", "conjuration", "readied", "help",
)  # fmt: skip
"""The kinds of effects that commands of their own leave, or numbers."""
_FORBIDS = (
    "act", "react", "move", "flank", "free", "spend", "see", "hear", "be-moved", "hustle",
    "ranged", "far",
)  # fmt: skip
_DEGREES = (*assaults.COVER, *assaults.CONCEALMENT)
READS = Reads(
    powers="power",
    effects={
        "modifiers": (*checks.TOTALS, "defenses"),
        "at_most": ("speed", "actions"),
        "halves": ("damage", "speed"),
        "only_with": None,
        "resist": None,
        "suffers.advantage": ("always", "near", "source"),
        "suffers.disadvantage": ("far",),
        "suffers.hindered": _DEGREES,
        "suffers.hindered_near": _DEGREES,
        "forbids": _FORBIDS,
    },
    cost=(*TURN_ACTIONS, "immediate"),
    one_action=True,
    repeat=("once", "any", "fight"),
)


def _lays(tables: Tables) -> list[str]:
    """The effects that need no amount, and are no traces; dying follows from HP."""
    not_laid, rows = (*AMOUNTS, DYING), tables.effects.items()
    return [name for name, rule in rows if rule.kind not in _TRACES and name not in not_laid]


DOING = Doing(
    verb=partial(doing.verb, techniques.TECHNIQUES), lays=_lays, ends=("save", "rest", "fight")
)


# -- all of it -------------------------------------------------------------------------------------

_MODULES = (
    movement, checks, economy, powers, damage, healing, conditions, saves, keeping, companions,
    initiative,
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
    options=partial(acts.options, economy.ECONOMY),
    own=power_options.own,
    pending=edge.pending,
    remark=edge.remark,
    acted=economy.acted,
    settled=edge.settled,
    delayed=edge.delayed,
    master=owner_of,
    allowing=initiative.allowing,
    told=sheet.told,
    weapons=sheet.weapons_of,
    attack="attack",
    interrupts=False,
    reads=READS,
    doing=DOING,
    imports=imported.imported,
    stranger="hp 10 attack Strike +4 vs ac 1d6+1",
    settings={
        "surprise": ("no-action", "one-standard"),
        "death-saves": ("start", "end"),
        "negative-hp": ("on", "off"),
        "free-actions": ("any", "one"),
    },
)
