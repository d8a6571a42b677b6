"""Surroundings in which a fight is fought: rows for what is there, and for what the world does.

    [environments.kitchen.actions.fat-fire]
    recharge = 5
    on = "one"
    save = "dex"
    dc = 12
    amount = "1d10"
    type = "fire"

That is one who saves with Dexterity, DC 12, or takes 1d10 fire; once used it needs a 5 or 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct


class Happening(Struct, frozen=True, forbid_unknown_fields=True):
    """A feature of the surroundings, or an action of the world's: what it does to whom it gets.

    name       how it is called
    on         whom it gets: `one`, `some` who are named, or `all` where nobody is named
    save       the ability of the saving throw that keeps it off
    check      the ability and the skill of a check that is made: `wis perception`
    dc         what a save or a check is made against, or the `outcome` of an escape
    amount     the damage, as dice; rolled once for all
    type       the type of that damage
    geared     the damage for those who wear what keeps it off
    resisted   whether those who resist that type get nothing at all
    echoes     a type of damage of which every die deals 1 more
    inflict    effects that it lays
    until      when these end: at the `start` or the `end` of their bearer's next turn, when they
               are `freed`; left out, what the world lays ends as its next turn starts
    escape     what an action out of that asks for: an `outcome`, or `none`; left out, what the rows
               of the effects say
    marks      track -> by how much it is marked
    first      for each creature only once: in a `turn` of its own, in a `fight`
    rounds     with nobody named it begins a countdown of so many rounds
    recharge   a d6 must show so much before the world can do it again; 0: in every turn
    joins      who joins by it: a `shadow` of whom it gets, or a `swarm` that is called like it
    difficult  whether all movement is difficult
    takes      what it takes of whoever does it, in a turn of their own: the `action`
    thrown     whether somebody throws it: an attack with that damage, one of the action's
    text       the rule in our own words
    """

    name: str = ""
    on: Literal["one", "some", "all"] = "some"
    save: str = ""
    check: str = ""
    dc: int = 0
    amount: str = ""
    type: str = ""
    geared: str = ""
    resisted: bool = False
    echoes: str = ""
    inflict: tuple[str, ...] = ()
    until: Literal["", "start", "end", "freed"] = ""
    escape: Literal["", "outcome", "none"] = ""
    marks: dict[str, int] = {}
    first: Literal["", "turn", "fight"] = ""
    rounds: int = 0
    recharge: int = 0
    joins: Literal["", "shadow", "swarm"] = ""
    difficult: bool = False
    takes: Literal["", "action"] = ""
    thrown: bool = False
    text: str = ""


class EnvironmentRule(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of surroundings.

    name      how it is called
    features  what is there, used whenever it comes up
    actions   what the world can do, one in each of its turns
    text      what it is like, in our own words
    """

    name: str = ""
    features: dict[str, Happening] = {}
    actions: dict[str, Happening] = {}
    text: str = ""


def features_of(rows: Mapping[str, EnvironmentRule]) -> dict[str, Happening]:
    """All features by id, of any of the surroundings."""
    return {name: row for each in rows.values() for name, row in each.features.items()}


def actions_of(rows: Mapping[str, EnvironmentRule]) -> dict[str, Happening]:
    """All actions of the world's by id, of any of the surroundings."""
    return {name: row for each in rows.values() for name, row in each.actions.items()}


def happening(rows: Mapping[str, EnvironmentRule], name: str) -> Happening:
    """A feature or an action by its id; an empty row for what is neither."""
    return features_of(rows).get(name) or actions_of(rows).get(name) or Happening()


def called(name: str, row: Happening | EnvironmentRule) -> str:
    """How one is called: `Flame Burst` for `flame-burst`, where its row has no name."""
    return row.name or name.replace("-", " ").title()


def all_named(rows: Mapping[str, EnvironmentRule]) -> Iterator[tuple[str, str, str, str]]:
    """Everything that can be looked up, as (name, sort, environment that it is in, text)."""
    for key, each in rows.items():
        of = called(key, each)
        yield of, "environment", "", each.text
        for name, row in each.features.items():
            yield called(name, row), "feature", of, row.text
        for name, row in each.actions.items():
            yield called(name, row), "world", of, row.text
