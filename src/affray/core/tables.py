"""The shape of a ruleset's tables. They are TOML in the ruleset's folder, read into these structs.

A campaign's `rules.toml` has the same shape, and adds to or replaces rows of them.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from affray.core.refusal import Refused


class TrackRule(Struct, frozen=True, forbid_unknown_fields=True):
    """How a track is called and shown.

    shown   bar, pips (a row of dots), boxes (a row of squares), number or die
    counts  whether its value is what is left or what is marked
    short   a label of one to four letters for narrow places
    text    the rule in our own words
    """

    label: str
    shown: Literal["bar", "pips", "boxes", "number", "die", "badge"] = "number"
    counts: Literal["left", "marked"] = "left"
    short: str = ""
    text: str = ""


class EffectRule(Struct, frozen=True, forbid_unknown_fields=True):
    """What an effect does, in a small vocabulary.

    kind          condition, status, or whatever else the ruleset sorts by
    modifiers     kind of roll, or `ac`, or `speed` -> bonus or penalty
    speed         half, double or none
    advantage     kinds of roll that its bearer makes with advantage; likewise `disadvantage`
    suffers       `advantage` / `disadvantage` -> when rolls against its bearer have it:
                  always, near (within reach) or far
    implies       effects that are in force for as long as this one is
    needs_source  what it implies is in force only while its source is in the fight and alive
    brings        effects that begin with this one and last on their own
    forbids       what its bearer can't do: `act`, `react`, `move`
    at_start      track -> by how much it is marked (positive) or recovered (negative) at turn start
    until         an end of its own in place of the ruleset's default, in words: "it stands"
    escape        what getting rid of it costs: track -> amount
    once          whether its first use ends it
    text          the rule in our own words
    """

    name: str = ""
    kind: str = "condition"
    modifiers: dict[str, int] = {}
    speed: Literal["", "half", "double", "none"] = ""
    advantage: tuple[str, ...] = ()
    disadvantage: tuple[str, ...] = ()
    suffers: dict[str, str] = {}
    implies: tuple[str, ...] = ()
    needs_source: bool = False
    brings: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    at_start: dict[str, int] = {}
    until: str = ""
    escape: dict[str, int] = {}
    once: bool = False
    text: str = ""


class Technique(Struct, frozen=True, forbid_unknown_fields=True):
    """Something a combatant can do: what it costs, how often, and what the GM is asked for.

    key      the single key that begins it on the screen
    cost     track -> amount, the first time in a turn
    repeat   once (a turn), rising (each further use costs one more) or subject (again for another)
    marks    track -> amount marked by doing it
    asks     what the prompt asks for, in the order of the command's words
    command  how the command line begins, where that is not the technique's id
    verb     how the log says it, in the third person: "strikes"
    reaction whether it is taken outside of its user's turn
    targets  whom the prompt offers first: foes, allies or anyone
    """

    name: str = ""
    key: str = ""
    cost: dict[str, int] = {}
    repeat: Literal["once", "rising", "subject"] = "once"
    marks: dict[str, int] = {}
    asks: tuple[str, ...] = ()
    command: str = ""
    verb: str = ""
    reaction: bool = False
    targets: Literal["foes", "allies", "anyone"] = "foes"
    text: str = ""


class PromptRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A command that has a key of its own on the screen, and what it asks for.

    key      the single key that begins it
    label    what the footer and the help call it
    command  how its line begins: `mark`, `rest short`
    asks     what is asked for, in the order of the command's words. One ask is a kind, with what
             belongs to it: `number`; `number?` may be left out; `choice:short|long` is one of
             those; `for number turns?` puts words around the answer; `=fatigue` is a word that is
             always there; `detonate>damage` is asked only when `detonate` was answered before
    text     the rule in our own words

    A row that has the id of a technique and no key says how that technique asks.
    """

    key: str = ""
    label: str = ""
    command: str = ""
    asks: tuple[str, ...] = ()
    text: str = ""


class Tables(Struct, frozen=True, forbid_unknown_fields=True):
    """All tables of a ruleset. `economy` holds its plain numbers under names of its own.

    `prompts` are the commands that have a key of their own, beside the techniques.
    `bestiary` are creatures by id: the words that follow `add monster NAME`.
    """

    tracks: dict[str, TrackRule] = {}
    effects: dict[str, EffectRule] = {}
    techniques: dict[str, Technique] = {}
    economy: dict[str, Any] = {}
    damage_types: tuple[str, ...] = ()
    prompts: dict[str, PromptRule] = {}
    bestiary: dict[str, dict[str, Any]] = field(default_factory=dict)

    def merged(self, more: Tables) -> Tables:
        """These tables with the rows of `more` added, or put in place of rows of the same id."""
        return replace(
            self,
            tracks=self.tracks | more.tracks,
            effects=self.effects | more.effects,
            techniques=self.techniques | more.techniques,
            economy=self.economy | more.economy,
            damage_types=tuple(dict.fromkeys((*self.damage_types, *more.damage_types))),
            prompts=self.prompts | more.prompts,
            bestiary=self.bestiary | more.bestiary,
        )


_Row = TypeVar("_Row", EffectRule, Technique)


def read_tables(*parts: dict[str, Any]) -> Tables:
    """Tables from parsed TOML documents, one after the other.

    Rows without a name take their id. Raises Refused, in one line with the path of what is wrong.
    """
    tables = Tables()
    for part in parts:
        try:
            tables = tables.merged(msgspec.convert(part, Tables))
        except msgspec.ValidationError as error:
            raise Refused(f"rules: {error}") from error
    return replace(
        tables,
        effects={key: _named(key, row) for key, row in tables.effects.items()},
        techniques={key: _named(key, row) for key, row in tables.techniques.items()},
    )


def _named(key: str, row: _Row) -> _Row:
    return row if row.name else replace(row, name=key)
