"""Conditions, ongoing damage, resistance and the like, and modifiers: laid by hand.

Seed 002: Ongoing Damage, Damage Resistance, Vulnerability and Immunity; rules file, 6.3, 6.4, 7 and
12.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import own_effects
from affray.core.heart.decide import Context
from affray.core.heart.events import Noted
from affray.core.heart.own_effects import OwnEffect
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import names, read_dice, read_type, refuse_dead, they
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed, signed
from affray.core.rules.ruleset import declare
from affray.core.rules.tables import Tables
from affray.rulekit import sheets
from affray.rulekit.numbers import ALL
from affray.rulekit.placing import (
    Affliction,
    Lasting,
    Placing,
    amount_of,
    begin,
    placing_said,
    read_conditions,
    until_for,
)
from affray.rulekit.placing import lay as lay_one
from affray.rulesets.level_up import damage
from affray.rulesets.level_up.totals import ROLLS

ONGOING, IMMUNITY = "ongoing", "immunity"
AGAINST = tuple(damage.STATS)
"""What is laid against a type of damage."""
NEED_MORE = ("help", "modifier", "ongoing", "readied", "reason", "ward", "weakness")
"""The kinds of effects that can't be laid by their names alone."""
LASTING = Lasting()
"""How long what is laid lasts: as all games say it, and else until it is removed (12.3)."""
_PLACED = placing_said(
    LASTING,
    "for N turns] [until start|end of NAME | round N | rest | fight | used | removed] [from NAME",
)


# -- laying ----------------------------------------------------------------------------------------


def takes(ctx: Context, who: Combatant, condition: str) -> bool:
    """Whether a condition can be laid on somebody; the log is told of who is immune (6.4, R36)."""
    laid = (effect.type for effect in who.effects if effect.name == IMMUNITY)
    immune = condition in (*sheets.words_of(who, "immune"), *laid)
    if immune:
        ctx.emit(Noted(f"{who.name} is immune to {condition}"))
    return not immune


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
    if takes(ctx, ctx.state[who], name):
        begin(ctx, who, name, until, Placing(source=source), because=because)


def take_ongoing_damage(ctx: Context, who: str) -> None:
    """At the end of a turn: each instance of ongoing damage, rolled anew (rules file, 7)."""
    for effect in ctx.state[who].effects:
        now = ctx.state[who]
        if effect.name == ONGOING and "hp" in now.tracks and now.life not in OUT_OF_THE_FIGHT:
            since = len(ctx.events)
            amount = amount_of(ctx, who, effect)
            damage.deal(ctx, who, damage.Blow(amount, effect.type, label=" ongoing", since=since))


# -- inflict ---------------------------------------------------------------------------------------


def conditions_of(tables: Tables) -> list[str]:
    """What can be laid by its name alone, a campaign's own kinds among it."""
    return [name for name, rule in tables.effects.items() if rule.kind not in NEED_MORE]


def _read_what(reading: Reading) -> list[Affliction] | OwnEffect:
    words, tables = reading.words, reading.ctx.tables
    if own_effects.stands_next(tables, words):
        own = OwnEffect(reading.ctx, words)
        while own.read_more(words):
            pass
        return own
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


class Inflict(Struct, frozen=True):
    """What `inflict` says."""

    people: Annotated[list[Combatant], arguments.people("who gets it", fits=refuse_dead)]
    what: Annotated[
        list[Affliction] | OwnEffect,
        Argument(
            _read_what,
            "CONDITION[,CONDITION] | ongoing AMOUNT [TYPE] | "
            f"resistance|vulnerability|immunity TYPE|all | {own_effects.USAGE}",
            asks="effect",
        ),
    ]
    ends: Annotated[str, arguments.quoted("what ends it", '"WHAT ENDS IT"')] = ""
    placing: Annotated[Placing, _PLACED] = Placing()


def _inflict(ctx: Context, said: Inflict) -> None:
    placing, note = replace(said.placing, source=said.placing.source or ctx.by), said.ends
    if said.ends and placing.until is None:  # in words alone: "until smothered"
        until = Duration(says=said.ends.removeprefix("until "))
        placing, note = replace(placing, until=until), ""
    if isinstance(said.what, OwnEffect):
        for who in said.people:
            until = until_for(LASTING, ctx, who.id, placing)
            said.what.lay(ctx, who, until, placing.is_timed, placing.source)
        ctx.text = f"{names(said.people)}: {said.what.name}"
        return
    told: dict[str, list[str]] = {}
    for one in said.what:
        takers = [who for who in said.people if takes(ctx, who, one.name)]
        for who in takers:
            lay_one(LASTING, ctx, who.id, one, placing, note)
        if takers:
            has_amount = one.name in (ONGOING, *AGAINST)
            come_by = f"{names(takers)}:" if has_amount else they(takers, "is", "are")
            told.setdefault(come_by, []).append(str(one))
    if not told:
        raise Refused("; ".join(event.text for event in ctx.events if isinstance(event, Noted)))
    ctx.text = "; ".join(f"{come_by} {listed(laid, 'and')}" for come_by, laid in told.items())


# -- modifiers -------------------------------------------------------------------------------------


MODIFIER = "modifier"
LEANS = {"adv": "advantage", "dis": "disadvantage"}
WHAT = (*ROLLS, "damage", "damage-taken", "ac", "speed")
_LIMIT = 999


def _read_by_how_much(reading: Reading) -> int | str:
    words = reading.words
    lean = words.take(*LEANS)
    if lean:
        return lean
    amount = words.number("the bonus or penalty such as +2, or adv, or dis", -_LIMIT, _LIMIT)
    if not amount:
        words.back()
        raise words.refuse("a modifier of 0 changes nothing")
    return amount


def _read_to_what(reading: Reading) -> list[str]:
    row = WHAT if isinstance(reading.said["by"], int) else ROLLS
    found: list[str] = arguments.several("what it is to", row, "WHAT").read(reading)
    return found


class Modifier(Struct, frozen=True):
    """What `modifier` says."""

    people: Annotated[list[Combatant], arguments.people("who gets the modifier")]
    by: Annotated[int | str, Argument(_read_by_how_much, "+N|adv|dis", asks="number")]
    what: Annotated[
        list[str], Argument(_read_to_what, "WHAT[,WHAT]", asks=f"choice:{'|'.join(WHAT)}")
    ]
    note: Annotated[str, arguments.quoted("a note", '"NOTE"')] = ""
    placing: Annotated[Placing, _PLACED] = Placing()


def _modifier(ctx: Context, said: Modifier) -> None:
    what = [one.replace("-", "_") for one in said.what]
    lean = LEANS.get(str(said.by), "")
    changes = {lean: tuple(what)} if lean else {"modifiers": dict.fromkeys(what, said.by)}
    for who in said.people:
        until = until_for(LASTING, ctx, who.id, said.placing)
        begin(ctx, who.id, MODIFIER, until, said.placing, kind=MODIFIER, note=said.note, **changes)
    by = f"{lean} on" if lean else signed(int(said.by))
    ctx.text = f"{names(said.people)}: {by} {listed(said.what, 'and')}"


VERBS = (
    declare("inflict", "lays conditions and the like on somebody", Inflict, _inflict, True),
    declare("modifier", "gives a bonus or penalty, advantage or disadvantage", Modifier, _modifier),
)
