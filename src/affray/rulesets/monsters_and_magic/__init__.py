"""Monsters & Magic: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from functools import partial

from affray.core.heart.state import Track
from affray.core.rules.ruleset import Ruleset
from affray.rulekit import numbers, sheets
from affray.rulesets.monsters_and_magic import (
    action_points,
    creatures,
    death,
    edge,
    fatigue,
    initiative,
    life,
    totals,
)
from affray.rulesets.monsters_and_magic.bonuses import BONUS_VERBS
from affray.rulesets.monsters_and_magic.check_verb import CHECK_VERBS
from affray.rulesets.monsters_and_magic.conditions import CONDITION_VERBS
from affray.rulesets.monsters_and_magic.damage import HARM_VERBS
from affray.rulesets.monsters_and_magic.death import DEATH_VERBS
from affray.rulesets.monsters_and_magic.freeing import FREEING_VERBS
from affray.rulesets.monsters_and_magic.group_checks import GROUP_CHECK_VERBS
from affray.rulesets.monsters_and_magic.holds import HOLD_VERBS
from affray.rulesets.monsters_and_magic.house_rules import DOING, READS
from affray.rulesets.monsters_and_magic.marks import MARK_VERBS
from affray.rulesets.monsters_and_magic.readying import READY_VERBS
from affray.rulesets.monsters_and_magic.rests import REST_VERBS
from affray.rulesets.monsters_and_magic.techniques import technique_verbs
from affray.rulesets.monsters_and_magic.threads import THREAD_VERBS
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)


VERBS = (
    *technique_verbs(TABLES),
    *HARM_VERBS,
    *MARK_VERBS,
    *BONUS_VERBS,
    *HOLD_VERBS,
    *CHECK_VERBS,
    *GROUP_CHECK_VERBS,
    *CONDITION_VERBS,
    *FREEING_VERBS,
    *DEATH_VERBS,
    *THREAD_VERBS,
    *READY_VERBS,
    *REST_VERBS,
)

RULESET = Ruleset(
    id="monsters-and-magic",
    name="Monsters & Magic",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=creatures.create,
    initiative=initiative.roll,
    tie_rank=initiative.tie_rank,
    turn_started=action_points.start_turn,
    owed=death.roll_missing,
    awaited=initiative.awaited,
    round_ended=initiative.round_ended,
    fight_ended=edge.fight_ended,
    reconcile=life.reconcile,
    totals=partial(numbers.totals, totals.NUMBERS),
    shares=partial(numbers.shares, totals.NUMBERS),
    options=action_points.options,
    pending=edge.pending,
    remark=edge.remark,
    penalty=fatigue.exhaustion_penalty,
    acted=action_points.acted,
    weapons=creatures.weapons_of,
    spells=creatures.spells_of,
    settings={"dynamic-initiative": ("off", "on"), "underwater": ("off", "on")},
    gm_tracks={"threads": Track(0)},
    reads=READS,
    doing=DOING,
    add_usage=dict.fromkeys(("pc", "monster", "hazard"), sheets.usage(creatures.ROWS)),
)
