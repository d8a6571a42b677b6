"""Adventure School (`adventure-school`): its tables and functions, put together as a `Ruleset`."""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import RowTechniques, Ruleset, SupportedFields
from affray.mechanics import actions as shared_actions, sheet as shared_sheet
from affray.mechanics.checks import tie_rank
from affray.rulesets import tables_of
from affray.rulesets.adventure_school import (
    abilities,
    action_economy,
    checks,
    conditions,
    contests,
    damage,
    import_creature,
    movement,
    resources,
    sheet,
    spellburn,
    stats,
    techniques,
    turns,
)

TABLES = tables_of(__name__)
_COMMANDING = (checks, conditions, contests, damage, movement, resources, spellburn, turns)
VERBS = (
    *techniques.technique_verbs(TABLES),
    *(verb for module in _COMMANDING for verb in module.VERBS),
)

# -- what rows may say, those of a campaign too ----------------------------------------------------

_AGAINST = tuple(f"vs-{what}" for what in (*TABLES.damage_types, *checks.CONTESTED))
_ROLLS = (*conditions.ROLLS, "melee", "ranged", "weapon", "sight", "social", *_AGAINST)
_WHEN = ("always", "near", "far", "source")
_FORBIDDEN = (
    *("act", "react", "effortless", "reflex", "withstand-grab"),
    *(name for name in TABLES.techniques if name not in action_economy.ANY_TIME),
)
READS = SupportedFields(
    powers="ability",
    effects={
        "modifiers": tuple(name.replace("-", "_") for name in conditions.WHAT),
        "speed": ("half", "double", "none"),
        "advantage": _ROLLS,
        "disadvantage": _ROLLS,
        "suffers.advantage": (*_WHEN, checks.SOCIAL),
        "suffers.disadvantage": _WHEN,
        "suffers.critical": ("always", "source"),
        "forbids": _FORBIDDEN,
        "half_damage": None,
        "adds_damage": None,
        "ended_by": None,
        "keeps_off": None,
    },
    cost=("action", "movement"),
    marks=("stamina", "spirit", "diminish"),
    repeat=("once", "any", "fight"),
)
"""What is played of the tables' rows: what a campaign's say besides is refused."""

RULESET = Ruleset(
    id="adventure-school",
    name="Adventure School",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=sheet.create,
    sheet=shared_sheet.sheet_form(sheet.rows),
    sheet_lines=sheet.sheet_lines,
    initiative=turns.roll_initiative,
    tie_rank=tie_rank,
    initiative_given=turns.initiative_given,
    turn_started=turns.on_turn_start,
    turn_ending=turns.on_turn_end,
    owed=resources.roll_deferred,
    turn_passed=movement.fall_on,
    fight_ended=turns.on_fight_end,
    set_by_hand=damage.after_manual_change,
    totals=stats.totals,
    shares=stats.shares,
    options=partial(shared_actions.available_actions, action_economy.ECONOMY),
    own=abilities.own_abilities,
    pending=turns.pending_decisions,
    remark=stats.track_note,
    acted=shared_actions.has_acted,
    settled=turns.apply_invariants,
    takes=conditions.can_have,
    weapons=sheet.weapons_of,
    attack="attack",
    spells=sheet.spells_of,
    settings={"underwater": ("off", "on"), "pvp": ("off", "on")},
    reads=READS,
    doing=RowTechniques(
        verb=partial(shared_actions.technique_command, techniques.TECHNIQUES),
        lays=conditions.conditions_of,
        ends=("rest", "long-rest", "fight"),
    ),
    imports=import_creature.imported,
    stranger="hp 10 ac 12 attack Strike +3 vs ac 1d6+1 blunt",
)
