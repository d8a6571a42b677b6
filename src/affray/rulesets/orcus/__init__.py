"""Orcus: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import Context, RowTechniques, Ruleset, SupportedFields
from affray.core.rules.tables import Tables
from affray.mechanics import actions as shared_actions, sheet as shared_sheet, stats as shared_stats
from affray.mechanics.sheet import owner_of
from affray.rulesets import tables_of
from affray.rulesets.orcus import (
    action_economy,
    attacks,
    checks,
    companions,
    conditions,
    damage,
    healing,
    import_creature,
    initiative,
    movement,
    powers,
    saves,
    sheet,
    techniques,
    turns,
)
from affray.rulesets.orcus.conditions import DYING
from affray.rulesets.orcus.sheet import AMOUNTS, TURN_ACTIONS

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
_DEGREES = (*attacks.COVER, *attacks.CONCEALMENT)
READS = SupportedFields(
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


DOING = RowTechniques(
    verb=partial(shared_actions.technique_command, techniques.TECHNIQUES),
    lays=_lays,
    ends=("save", "rest", "fight"),
)


# -- all of it -------------------------------------------------------------------------------------

_MODULES = (
    movement, checks, action_economy, powers, damage, healing, conditions, saves, companions,
    initiative,
)  # fmt: skip
VERBS = (
    *techniques.technique_verbs(TABLES),
    *(verb for module in _MODULES for verb in module.VERBS),
)


def _set_by_hand(ctx: Context, combatant_id: str) -> None:
    """What follows from a number that was written by hand: life and death, and the actions left."""
    damage.after_manual_change(ctx, combatant_id)
    action_economy.written_by_hand(ctx, combatant_id)


RULESET = Ruleset(
    id="orcus",
    name="Orcus",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=sheet.create,
    sheet=shared_sheet.sheet_form(lambda tables: sheet.ROWS, sheet.ALIASES),
    initiative=initiative.roll,
    tie_rank=initiative.tie_rank,
    turn_started=turns.on_turn_start,
    turn_ending=turns.on_turn_end,
    owed=saves.roll_deferred_saves,
    round_ended=turns.round_ended,
    fight_ended=turns.on_fight_end,
    set_by_hand=_set_by_hand,
    totals=partial(shared_stats.stat_values, checks.NUMBERS),
    shares=checks.shares,
    options=partial(shared_actions.available_actions, action_economy.ECONOMY),
    own=powers.own_powers,
    pending=turns.pending_decisions,
    remark=turns.track_note,
    acted=action_economy.acted,
    settled=turns.apply_invariants,
    delayed=turns.delayed,
    master=owner_of,
    allowing=initiative.allowing,
    sheet_lines=sheet.sheet_lines,
    weapons=sheet.weapons_of,
    attack="attack",
    interrupts=False,
    reads=READS,
    doing=DOING,
    imports=import_creature.imported,
    stranger="hp 10 attack Strike +4 vs ac 1d6+1",
    settings={
        "surprise": ("no-action", "one-standard"),
        "death-saves": ("start", "end"),
        "negative-hp": ("on", "off"),
        "free-actions": ("any", "one"),
    },
)
