"""Conditions, ongoing damage, resistance and the like, and modifiers: laid by hand.

Seed 002: Ongoing Damage, Damage Resistance, Vulnerability and Immunity; rules file, 6.3, 6.4, 7 and
12.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.events import Noted
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import read_dice, read_type
from affray.core.language.declared import Reading
from affray.core.rules.ruleset import declare
from affray.core.rules.tables import Tables
from affray.rulekit import inflicting, powers, recorded
from affray.rulekit.inflicting import What, what_said
from affray.rulekit.numbers import ALL
from affray.rulekit.placing import (
    Affliction,
    Lasting,
    Placing,
    amount_of,
    begin,
    placing_said,
    read_conditions,
)
from affray.rulekit.placing import lay as lay_one
from affray.rulesets.level_up import damage

ONGOING, IMMUNITY = "ongoing", "immunity"
AGAINST = tuple(damage.STATS)
"""What is laid against a type of damage."""
NEED_MORE = ("help", "modifier", "ongoing", "owed", "readied", "reason", "ward", "weakness")
"""The kinds of effects that can't be laid by their names alone."""
LASTING = Lasting()
"""How long what is laid lasts: as all games say it, and else until it is removed (12.3)."""
_PLACED = placing_said(
    LASTING,
    "for N turns] [until start|end of NAME | round N | rest | fight | used | removed] [from NAME",
)


# -- laying ----------------------------------------------------------------------------------------


def can_have(who: Combatant, condition: str) -> bool:
    """Whether a condition can be on somebody: not on who is immune to it (6.4)."""
    laid = (effect.type for effect in who.effects if effect.name == IMMUNITY)
    return condition not in (*recorded.words_of(who, "immune"), *laid)


def _takes(ctx: Context, who: str, condition: str) -> bool:
    """Whether a condition can be laid on somebody; the log is told of who is immune (R36)."""
    bearer = ctx.state[who]
    takes_it = can_have(bearer, condition)
    if not takes_it:
        ctx.emit(Noted(f"{bearer.name} is immune to {condition}"))
    return takes_it


def lay(
    ctx: Context,
    who: str,
    name: str,
    until: Duration | None = None,
    source: str = "",
    because: str = "",
) -> None:
    """Lay one more instance of a condition on who is not immune, with an end of its own; without
    one, with that of its row, else until it is removed. Rules file, 12.3."""
    if _takes(ctx, who, name):
        begin(ctx, who, name, until, Placing(source=source), because=because)


def take_ongoing_damage(ctx: Context, who: str) -> None:
    """At the end of a turn: each instance of ongoing damage, rolled anew (rules file, 7)."""
    for effect in ctx.state[who].effects:
        now = ctx.state[who]
        if effect.name == ONGOING and "hp" in now.tracks and now.life not in OUT_OF_THE_FIGHT:
            since = len(ctx.events)
            amount = amount_of(ctx, who, effect)
            damage.deal(ctx, who, damage.Blow(amount, effect.type, label=" ongoing", since=since))


def lay_it(ctx: Context, who: str, one: Affliction, placing: Placing, note: str = "") -> object:
    """Lay a condition, or so much of something, on who is not immune; gives whether it is there."""
    return _takes(ctx, who, one.name) and lay_one(LASTING, ctx, who, one, placing, note)


lay_all = powers.one_by_one(lay_it)


# -- inflict ---------------------------------------------------------------------------------------


def conditions_of(tables: Tables) -> list[str]:
    """What can be laid by its name alone, a campaign's own kinds among it."""
    return [name for name, rule in tables.effects.items() if rule.kind not in NEED_MORE]


def _read_what(reading: Reading) -> list[Affliction]:
    words, tables = reading.words, reading.ctx.tables
    word = words.take(ONGOING, *AGAINST)
    if word == ONGOING:
        return [_read_ongoing(reading)]
    if word:
        return [Affliction(word, type=words.choice(f"{word} to what", known_to(tables, word)))]
    names = read_conditions(words, conditions_of(tables), beside=(ONGOING, *AGAINST))
    return [Affliction(name) for name in names]


def _read_ongoing(reading: Reading) -> Affliction:
    """`6`, `4 fire` or `1d10 fire`."""
    words = reading.words
    what = "how much damage at the end of each turn"
    amount = words.number(what, 1) if words.has_number() else 0
    dice = "" if amount else read_dice(words, what)
    kind = read_type(words, lambda: reading.ctx.tables.damage_types, reading.stops, others=False)
    return Affliction(ONGOING, amount, kind, dice)


def known_to(tables: Tables, what: str) -> list[str]:
    """To what there is resistance and the like: types of damage, or `all`, or weapons that are not
    magical; immunity may be to a condition as well."""
    weapons = [] if what == "vulnerability" else [damage.MUNDANE]
    more = conditions_of(tables) if what == IMMUNITY else []
    return [*tables.damage_types, ALL, *weapons, *more]


class Inflict(inflicting.Inflict, frozen=True):
    """What `inflict` says."""

    what: Annotated[
        What,
        what_said(
            _read_what,
            "CONDITION[,CONDITION] | ongoing AMOUNT [TYPE] | "
            "resistance|vulnerability|immunity TYPE|all",
        ),
    ]
    ends: Annotated[str, arguments.quoted("what ends it", '"WHAT ENDS IT"')] = ""
    placing: Annotated[Placing, _PLACED] = Placing()


def _inflict(ctx: Context, said: Inflict) -> None:
    placing, note = replace(said.placing, source=said.placing.source or ctx.by), said.ends
    if said.ends and placing.until is None:  # in words alone: "until smothered"
        until = Duration(says=said.ends.removeprefix("until "))
        placing, note = replace(placing, until=until), ""

    inflicting.inflict(
        LASTING,
        ctx,
        replace(said, placing=placing),
        lambda who, one: lay_it(ctx, who, one, placing, note),
    )


class Modifier(inflicting.Modifier, frozen=True):
    """What `modifier` says."""

    placing: Annotated[Placing, _PLACED] = Placing()


VERBS = (
    declare("inflict", "lays conditions and the like on somebody", Inflict, _inflict, True),
    declare(
        "modifier",
        "gives a bonus or penalty, advantage or disadvantage",
        Modifier,
        partial(inflicting.modify, LASTING),
    ),
)
