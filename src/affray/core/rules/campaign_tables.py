"""Rows that campaigns bring beside those of a game: environments and random tables.

    [environments.kitchen.actions.fat-fire]
    recharge = 5
    on = "one"
    save = "dex"
    dc = 12
    amount = "1d10"
    type = "fire"

is an action of the world: one creature saves with Dexterity, DC 12, or takes 1d10 fire damage. Once
used, it comes back on a 5 or 6. Start with `EnvironmentRow` and `RandomTable`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from affray.core.dice import Dice, DiceError, DiceSource, parse_dice, roll
from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import Refused, suggest_or_list


class EnvironmentAction(Struct, frozen=True, forbid_unknown_fields=True):
    """A feature of the surroundings, or an action of the world, with its effects on those it
    affects.

    name       how it is called
    on         its targets: `one`, `some` by name, or `all` without names
    save       the ability of the saving throw against it
    check      the ability and the skill of a check against it: `wis perception`
    dc         the DC of the save or check, or of the `outcome` of an escape
    amount     the damage, as dice; rolled once for all
    type       the type of that damage
    geared     the damage for targets with protection
    resisted   True if resistance to that type stops it altogether
    echoes     a type of damage whose dice deal 1 more each
    inflict    the effects that it inflicts
    until      when these end, as a technique's do: `start of bearer`, `freed`; left out, they end
               as the world's next turn starts
    escape     what escaping needs: an `outcome`, or `none`; by default as in the effects' rows
    marks      track -> the number of marks
    first      affects each creature only once: in a `turn` of its own, in a `fight`
    rounds     the countdown that it begins without a name, in rounds
    recharge   the lowest face of a d6 that recharges it; 0 for every turn
    joins      who joins: a `shadow` of each target, or a `swarm` of its name
    difficult  True if all movement is difficult
    takes      its cost in a turn: the `action`
    thrown     True for a thrown attack with that damage, as part of an action
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
    until: str = ""
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


class EnvironmentRow(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of surroundings.

    name      how it is called
    features  the things there, used whenever they apply
    actions   the world's actions, one in each of its turns
    text      a description in our own words
    """

    name: str = ""
    features: dict[str, EnvironmentAction] = {}
    actions: dict[str, EnvironmentAction] = {}
    text: str = ""


def features_of(rows: Mapping[str, EnvironmentRow]) -> dict[str, EnvironmentAction]:
    """All features by id, of any of the surroundings."""
    return {name: row for each in rows.values() for name, row in each.features.items()}


def actions_of(rows: Mapping[str, EnvironmentRow]) -> dict[str, EnvironmentAction]:
    """All actions of the world's by id, of any of the surroundings."""
    return {name: row for each in rows.values() for name, row in each.actions.items()}


def find_action(rows: Mapping[str, EnvironmentRow], name: str) -> EnvironmentAction:
    """A feature or an action by its id; an empty row for neither."""
    return features_of(rows).get(name) or actions_of(rows).get(name) or EnvironmentAction()


def environment_name(name: str, row: EnvironmentAction | EnvironmentRow) -> str:
    """The name of an environment or its action: its row's, or `Flame Burst` for `flame-burst`."""
    return row.name or name.replace("-", " ").title()


def lookup_entries(rows: Mapping[str, EnvironmentRow]) -> Iterator[tuple[str, str, str, str]]:
    """Everything to look up, as (name, sort, its environment, text)."""
    for key, each in rows.items():
        of = environment_name(key, each)
        yield of, "environment", "", each.text
        for name, row in each.features.items():
            yield environment_name(name, row), "feature", of, row.text
        for name, row in each.actions.items():
            yield environment_name(name, row), "world", of, row.text


# -------------------------------------------------------------------------------------------------
# Checks of all rows: names, words of the tables, bounds. Each raises Refused for the first
# fault, with where it stands: `[effects.dazed] speed`.


def require_known_words(
    where: str, words: Iterable[str], known_words: Iterable[str], fault: str = "is not used there"
) -> None:
    """Raise Refused for an unknown word; `fault` describes it: "is no prompt"."""
    row = list(known_words)
    for word in words:
        if word not in row:
            raise Refused(f"{where}: {word!r} {fault}{suggest_or_list(word, row)}")


def check_dice(where: str, dice: str) -> Dice:
    """Dice must be written so that they can be rolled; returns them."""
    try:
        return parse_dice(dice)
    except DiceError as error:
        raise Refused(f"{where}: {error}") from None


def check_name(where: str, name: str, by: str = "command") -> None:
    """A name must be one word as a command, or a sheet, can say it: `glaive`, `short-sword`."""
    if name != name.casefold() or not name.replace("-", "").isalnum():
        raise Refused(f"{where}: no {by} could name it; write it in lower case")


def require_in_range(where: str, number: int, low: int, high: int) -> None:
    """Raise Refused for a number outside a range."""
    if not low <= number <= high:
        raise Refused(f"{where}: must be from {low} to {high}, not {number}")


def check_amounts(where: str, amounts: Mapping[str, int], least: int) -> None:
    """Raise Refused for a track's amount below `least` or above 99."""
    for track, amount in amounts.items():
        if not least <= amount <= 99:
            raise Refused(f"{where}: {track} must be from {least} to 99, not {amount}")


# -------------------------------------------------------------------------------------------------
# Random tables, rolled on by `roll flotsam` (Monsters & Magic, Random Tables):
# `[random.flotsam] dice = "1d6"`, `rows = {"1-3" = "driftwood", "4-5" = "a sealed jar", ...}`

_RANGE = late_pattern(r"([0-9]{1,4})(?:-([0-9]{1,4})|(\+))?", re.ASCII)
_ENDLESS = 10_000
"""Above all totals that a row names; a row such as `6+` is for this and all beyond."""
_ID = late_pattern(r"[a-z]+(-[a-z0-9]+)*", re.ASCII)


class RandomTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A random table: its dice, and `rows`: a total, or several such as `2-5` or `6+` -> what it
    is."""

    dice: str
    rows: dict[str, str]
    name: str = ""


def span_of(key: str) -> range:
    """The totals of a row, up to `_ENDLESS`. Raises Refused for an invalid total or range."""
    found = _RANGE.fullmatch(key)
    if found is None:
        raise Refused(f"expected a total or a range such as 2-5 or 6+, found {key!r}")
    last = _ENDLESS if found[3] else int(found[2] or found[1])
    return range(int(found[1]), last + 1)


def rolled_on(table: RandomTable, source: DiceSource, spoken: bool = False) -> str:
    """Roll on the table: the dice, written or for the ear, and the text of the row; empty if it has
    none."""
    result = roll(parse_dice(table.dice), source)
    total = min(result.total, _ENDLESS)
    what = next((what for key, what in table.rows.items() if total in span_of(key)), "")
    return f"{table.name}: {result.spoken if spoken else result}: {what}"


def check_random_table(name: str, table: RandomTable) -> None:
    """Raises Refused for a table that no command can name, or whose dice may find no row."""
    where = f"[random.{name}]"
    if not _ID.fullmatch(name):
        raise Refused(f"{where}: its id must be lower-case words joined by -")
    dice = check_dice(f"{where} dice", table.dice)
    row_of: dict[int, str] = {}
    for key in table.rows:
        try:
            span = span_of(key)
        except Refused as error:
            raise Refused(f"{where} rows: {error}") from None
        for total in span:
            if total in row_of:
                raise Refused(f"{where} rows: {total} is in {row_of[total]!r} and in {key!r}")
            row_of[total] = key
    if dice.minimum is None:
        raise Refused(f"{where} dice: {table.dice} has no lowest total, so no row can be the first")
    most = _ENDLESS if dice.maximum is None else dice.maximum
    missing = next((n for n in range(dice.minimum, most + 1) if n not in row_of), None)
    if missing is None:
        return
    if dice.maximum is None and missing > max(row_of, default=missing):
        raise Refused(
            f"{where} rows: {table.dice} has no highest total: the last row must be for {missing} "
            f"and more, written `{missing}+`"
        )
    raise Refused(f"{where} rows: there is no row for {missing} of {table.dice}")
