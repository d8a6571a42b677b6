"""Monsters & Magic: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from functools import partial

from affray.core.rules.ruleset import Context, RowTechniques, Ruleset, SupportedFields
from affray.core.rules.tables import Tables
from affray.mechanics import actions as shared_actions, sheet as shared_sheet, stats as shared_stats
from affray.rulesets import tables_of
from affray.rulesets.monsters_and_magic import (
    bonds,
    checks,
    conditions,
    damage,
    downtime,
    import_creature,
    loadout,
    movement,
    sheet,
    stats,
    techniques,
    threads_of_fate,
    travel,
    turns,
)

TABLES = tables_of(__name__)
IN_FIGHTS = (damage, conditions, checks, threads_of_fate, techniques)
BESIDE = (travel, downtime, bonds, movement, loadout)
VERBS = (
    *techniques.technique_verbs(TABLES),
    *(verb for module in (*IN_FIGHTS, *BESIDE) for verb in module.VERBS),
)

# -- what a campaign's rows may say ----------------------------------------------------------------
#
# What stands here is read by the modules beside this one, and all else is refused in a campaign:
# whoever teaches the game another field or word adds it.

_WHEN = ("always", "near", "far")
READS = SupportedFields(
    powers=sheet.POWERS,
    effects={
        "modifiers": ("check", "attack", "damage", "ac", "speed", "ap"),
        "speed": ("half", "double", "none"),
        "halves": ("speed",),
        "advantage": ("attack", "initiative"),
        "disadvantage": ("attack",),
        "suffers.advantage": _WHEN,
        "suffers.disadvantage": _WHEN,
        "forbids": ("act", "react", "move", "escape", "rest"),
        "at_start": None,
        "escape": None,
    },
    cost=("ap", "reaction"),
    marks=("fatigue", "exhaustion", "hp"),
    repeat=("once", "rising", "any"),
    amounts=("bond",),
    rests=downtime.KINDS,
    spends=(travel.SUPPLIES,),
    gear=stats.check_gear,
)


def _lays(tables: Tables) -> list[str]:
    """All effects but those that are traces of a command of their own, or of a load."""
    traces = ("concentration", "readied", "burden")
    return [name for name, rule in tables.effects.items() if rule.kind not in traces]


DOING = RowTechniques(
    verb=partial(shared_actions.technique_command, techniques.TECHNIQUES),
    lays=_lays,
    ends=("rest", "fight"),
)


def _set_by_hand(ctx: Context, combatant_id: str) -> None:
    """What follows from a number that was written by hand: life and death, room for threads."""
    damage.after_manual_change(ctx, combatant_id)
    threads_of_fate.after_manual_change(ctx, combatant_id)


RULESET = Ruleset(
    id="monsters-and-magic",
    name="Monsters & Magic",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=stats.create,
    sheet=shared_sheet.sheet_form(lambda tables: stats.ROWS, stats.ALIKE),
    sheet_lines=lambda state, combatant: (
        stats.sheet_lines(combatant) | loadout.sheet_lines(combatant)
    ),
    initiative=turns.roll,
    tie_rank=turns.tie_rank,
    turn_started=turns.start_turn,
    turn_ending=movement.on_turn_end,
    owed=turns.owed,
    settled=turns.apply_invariants,
    master=movement.master,
    fight_ended=turns.on_fight_end,
    set_by_hand=_set_by_hand,
    totals=partial(shared_stats.stat_values, stats.NUMBERS),
    shares=partial(shared_stats.explain_parts, stats.NUMBERS),
    options=techniques.options,
    own=techniques.own_powers,
    pending=turns.pending_decisions,
    remark=turns.track_note,
    penalty=stats.exhaustion_penalty,
    acted=turns.acted,
    weapons=stats.weapons_of,
    attack="strike",
    spells=stats.spells_of,
    things=loadout.things,
    carries=("pb", *sheet.KEPT, bonds.BONDS, bonds.REPUTATION),
    settings={
        "underwater": ("off", "on"),
        "light": ("bright", "dim", "dark", "magical-dark"),
    },
    gm_tracks=("threads",),
    reads=READS,
    doing=DOING,
    imports=import_creature.imported,
    stranger="hp 10 cr 1 attack Strike 1d6+1 bludgeoning",
)
