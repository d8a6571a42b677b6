"""Monsters & Magic: its tables and its judgement, put together as one ruleset."""

from __future__ import annotations

from functools import partial

from affray.core.heart.decide import Context
from affray.core.rules.ruleset import Doing, Reads, Ruleset
from affray.core.rules.tables import Tables
from affray.rulekit import doing, numbers, sheets
from affray.rulesets.monsters_and_magic import (
    belongings,
    bonds,
    checks,
    conditions,
    creatures,
    economy,
    hands,
    harm,
    imported,
    mounts,
    movement,
    rests,
    rounds,
    sheet,
    techniques,
    threads,
    totals,
    tracks,
    travel,
)
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)
IN_FIGHTS = (harm, tracks, conditions, checks, threads, techniques)
BESIDE = (rests, travel, bonds, mounts, movement, hands, belongings)
VERBS = (
    *techniques.technique_verbs(TABLES),
    *(verb for module in (*IN_FIGHTS, *BESIDE) for verb in module.VERBS),
)

# -- what a campaign's rows may say ----------------------------------------------------------------
#
# What stands here is read by the modules beside this one, and all else is refused in a campaign:
# whoever teaches the game another field or word adds it.

_WHEN = ("always", "near", "far")
READS = Reads(
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
    rests=rests.KINDS,
    spends=(travel.SUPPLIES,),
    gear=creatures.check_gear,
)


def _lays(tables: Tables) -> list[str]:
    """All effects but those that are traces of a command of their own, or of a load."""
    traces = ("concentration", "readied", "burden")
    return [name for name, rule in tables.effects.items() if rule.kind not in traces]


DOING = Doing(verb=partial(doing.verb, techniques.TECHNIQUES), lays=_lays, ends=("rest", "fight"))


def _set_by_hand(ctx: Context, who: str) -> None:
    """What follows from a number that was written by hand: life and death, room for threads."""
    harm.set_by_hand(ctx, who)
    threads.set_by_hand(ctx, who)


RULESET = Ruleset(
    id="monsters-and-magic",
    name="Monsters & Magic",
    tables=TABLES,
    verbs={verb.name: verb for verb in VERBS},
    create=creatures.create,
    sheet=sheets.form(lambda tables: creatures.ROWS, creatures.ALIKE),
    told=lambda state, combatant: creatures.told(combatant) | belongings.told(combatant),
    initiative=rounds.roll,
    tie_rank=rounds.tie_rank,
    turn_started=rounds.start_turn,
    turn_ending=movement.turn_ending,
    owed=rounds.owed,
    settled=rounds.settled,
    master=mounts.master,
    fight_ended=rounds.fight_ended,
    set_by_hand=_set_by_hand,
    totals=partial(numbers.totals, totals.NUMBERS),
    shares=partial(numbers.shares, totals.NUMBERS),
    options=economy.options,
    own=economy.own,
    pending=rounds.pending,
    remark=rounds.remark,
    penalty=totals.exhaustion_penalty,
    acted=rounds.acted,
    weapons=creatures.weapons_of,
    attack="strike",
    spells=creatures.spells_of,
    things=hands.things,
    carries=("pb", *sheet.KEPT, bonds.BONDS, bonds.REPUTATION),
    settings={
        "underwater": ("off", "on"),
        "light": ("bright", "dim", "dark", "magical-dark"),
    },
    gm_tracks=("threads",),
    reads=READS,
    doing=DOING,
    imports=imported.imported,
    stranger="hp 10 cr 1 attack Strike 1d6+1 bludgeoning",
)
