"""Adventure School: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import Doing, Reads, Ruleset
from affray.rulekit import acts, doing, sheets
from affray.rulekit.initiative import tie_rank
from affray.rulesets.adventure_school import (
    abilities,
    checks,
    conditions,
    contests,
    damage,
    economy,
    imported,
    movement,
    resources,
    rolls,
    sheet,
    spellburn,
    techniques,
    totals,
    turns,
)
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)
_COMMANDING = (checks, conditions, contests, damage, movement, resources, rolls, spellburn, turns)
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
    *(name for name in TABLES.techniques if name not in economy.ANY_TIME),
)
READS = Reads(
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
    sheet=sheets.form(sheet.rows),
    told=sheet.told,
    initiative=turns.roll_initiative,
    tie_rank=tie_rank,
    initiative_given=turns.initiative_given,
    turn_started=turns.turn_started,
    turn_ending=turns.turn_ending,
    owed=resources.roll_owed,
    turn_passed=movement.fall_on,
    fight_ended=turns.fight_ended,
    set_by_hand=damage.set_by_hand,
    totals=totals.totals,
    shares=totals.shares,
    options=partial(acts.options, economy.ECONOMY),
    own=abilities.own,
    pending=turns.pending,
    remark=totals.remark,
    acted=acts.acted,
    settled=turns.settled,
    takes=conditions.can_have,
    weapons=sheet.weapons_of,
    attack="attack",
    spells=sheet.spells_of,
    settings={"underwater": ("off", "on"), "pvp": ("off", "on")},
    reads=READS,
    doing=Doing(
        verb=partial(doing.verb, techniques.TECHNIQUES),
        lays=conditions.conditions_of,
        ends=("rest", "fight"),
    ),
    imports=imported.imported,
    stranger="hp 10 ac 12 attack Strike +3 vs ac 1d6+1 blunt",
)
