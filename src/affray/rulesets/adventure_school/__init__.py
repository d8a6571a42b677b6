"""Adventure School: its techniques, its tables and its judgement, put together as one ruleset.

Each module has what its techniques do in a table of its own, `ACTS`, and its commands in `VERBS`.
Techniques without a function are all in their rows. Rules file, 3 and Commands.
"""

from __future__ import annotations

from functools import partial

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import give_back
from affray.core.heart.state import Combatant, Effect
from affray.core.language.declared import read, usages_of
from affray.core.language.words import Words
from affray.core.rules.ruleset import Doing, Reads, Ruleset, Verb
from affray.rulekit import acts, doing, sheets
from affray.rulekit.doing import Readying, Techniques, Terms
from affray.rulekit.rolls import tie_rank
from affray.rulesets.adventure_school import (
    abilities,
    attacks,
    checks,
    conditions,
    contests,
    damage,
    economy,
    fighting,
    hiding,
    movement,
    resources,
    rolls,
    sheet,
    songs,
    spellburn,
    totals,
    turns,
)
from affray.rulesets.packaged import tables_of

TABLES = tables_of(__name__)
READY = "ready"


def _mark(ctx: Context, who: str, track: str, by: int, what: str) -> None:
    """Levels of diminish come; of a resource so much is spent, or comes back if it is below 0."""
    if track == "diminish" and by > 0:
        resources.gain_diminish(ctx, who, by, what)
    elif by > 0:
        resources.pay(ctx, who, {track: by}, what)
    else:
        give_back(ctx, who, track, -by, what)


_COMMANDING = (checks, conditions, contests, damage, movement, resources, rolls, spellburn, turns)
_ACTING = (abilities, attacks, checks, economy, fighting, hiding, movement, songs, turns)
TECHNIQUES = Techniques(
    economy.ECONOMY,
    doing.lay_by(conditions.LASTING, conditions.lay),
    {name: act for module in _ACTING for name, act in module.ACTS.items()},
    fighting.REACTIONS,
    mark=_mark,
)


def _react(ctx: Context, words: Words) -> None:
    """`react NAME ...`; in quotes, or not said, it is whatever else somebody reacts with."""
    said, row = words.upcoming, doing.reactions(ctx.tables)
    if words.done or said.quoted or said.casefold() == "effortless":
        words.offered += row if words.done else ()
        reaction = read(economy.Reaction, ctx, words)
        words.finish()
        economy.react(ctx, reaction)
        return
    name = words.choice("a reaction, or what it is in quotes", row)
    doing.do(TECHNIQUES, name, ctx, words)


_REACT = f"{doing.reaction_usages(TECHNIQUES)} | {usages_of('react', economy.Reaction, True)}"

# -- hold ------------------------------------------------------------------------------------------


def _pay_now(ctx: Context, who: Combatant, terms: Terms) -> int:
    acts.pay(economy.ECONOMY, ctx, who.id, READY)
    return 0


def _act_then(ctx: Context, words: Words, who: Combatant, held: Effect) -> None:
    """A held action turns out to be anything that takes the action."""
    rows = ctx.tables.techniques
    row = [n for n in doing.actions(ctx.tables) if "action" in rows[n].cost and n != READY]
    name = words.choice("what it does now", row)
    pay = partial(economy.pay_held, ctx, who.id, name)
    doing.do_readied(TECHNIQUES, ctx, words, who, name, pay)


_HOLD = Readying(
    read=lambda ctx, words: Terms(),
    pay=_pay_now,
    until=partial(timing.at_turn, edge="start"),
    take=lambda ctx, who: None,
    act=_act_then,
)
"""The action now, and what it is when its trigger comes (rules file, 3.6)."""

VERBS = (
    *doing.verbs(TECHNIQUES, TABLES, but=(READY,)),
    Verb("react", _REACT, "takes a reaction", _react, True),
    *doing.ready_verbs(
        _HOLD,
        'ready ["TRIGGER"]',
        "pays the action now, to act when the trigger comes",
        "takes the held action, whatever it turns out to be",
    ),
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
        verb=partial(doing.verb, TECHNIQUES), lays=conditions.conditions_of, ends=("rest", "fight")
    ),
    imports=sheet.imported,
)
