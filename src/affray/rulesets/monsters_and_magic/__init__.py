"""Monsters & Magic: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from affray.core.ruleset import Ruleset, Verb
from affray.core.state import Track
from affray.core.tables import Tables, read_tables
from affray.rulesets.monsters_and_magic import (
    action_points,
    creatures,
    edge,
    initiative,
    life,
    totals,
)
from affray.rulesets.monsters_and_magic.check_verb import CHECK_VERBS
from affray.rulesets.monsters_and_magic.conditions import CONDITION_VERBS
from affray.rulesets.monsters_and_magic.death import DEATH_VERBS
from affray.rulesets.monsters_and_magic.harm import HARM_VERBS
from affray.rulesets.monsters_and_magic.marks import MARK_VERBS
from affray.rulesets.monsters_and_magic.readying import READY_VERBS
from affray.rulesets.monsters_and_magic.rests import REST_VERBS
from affray.rulesets.monsters_and_magic.technique_verbs import TECHNIQUE_VERBS
from affray.rulesets.monsters_and_magic.threads import THREAD_VERBS


def _read_tables() -> Tables:
    folder = files(__package__) / "tables"
    tables = sorted((p for p in folder.iterdir() if p.name.endswith(".toml")), key=lambda p: p.name)
    return read_tables(*(tomllib.loads(p.read_text("utf-8")) for p in tables))


def _verbs() -> dict[str, Verb]:
    rows = (
        *TECHNIQUE_VERBS,
        *HARM_VERBS,
        *MARK_VERBS,
        *CHECK_VERBS,
        *CONDITION_VERBS,
        *DEATH_VERBS,
        *THREAD_VERBS,
        *READY_VERBS,
        *REST_VERBS,
    )
    return {verb.name: verb for verb in rows}


RULESET = Ruleset(
    id="monsters-and-magic",
    name="Monsters & Magic",
    tables=_read_tables(),
    verbs=_verbs(),
    create=creatures.create,
    initiative=initiative.roll,
    tie_rank=initiative.tie_rank,
    turn_started=edge.turn_started,
    turn_ending=edge.turn_ending,
    round_ended=initiative.round_ended,
    fight_ended=edge.fight_ended,
    reconcile=life.reconcile,
    totals=totals.totals,
    shares=totals.shares,
    options=action_points.options,
    pending=edge.pending,
    remark=edge.remark,
    acted=action_points.acted,
    settings={"dynamic-initiative": ("off", "on"), "underwater": ("off", "on")},
    gm_tracks={"threads": Track(0)},
    add_usage={"pc": creatures.USAGE, "monster": creatures.USAGE, "hazard": creatures.USAGE},
)
