"""Commands that only ask, such as `why`, `roll` and `clock expect`: they leave no entry.

`answer_query` answers one. `RosterPreview` is a combatant of the campaign's rows seen before any
fight.
"""

from __future__ import annotations

from typing import NamedTuple

from affray.core.commands.log_commands import (
    EXPECT,
    INVENTORY,
    KEEP,
    ROLL,
    SESSION_COMMANDS,
    query_kind,
)
from affray.core.commands.notes_and_clocks import CLOCK_COMMANDS, expected_by_pace
from affray.core.dice import DiceError, DiceSource, SeededDice, roll_text
from affray.core.engine.decide import decide
from affray.core.engine.events import Rolled
from affray.core.engine.history import NOWHERE, History, OtherLogs
from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.explain import explain
from affray.core.formatting.inventory import inventory_lines
from affray.core.formatting.media import SPOKEN, WRITTEN, Notation
from affray.core.parser.clauses import gm_and_party_tracks, parse_gm
from affray.core.parser.errors import Refused, did_you_mean
from affray.core.parser.tokens import TokenStream, tokenize
from affray.core.rules.campaign_tables import rolled_on
from affray.core.rules.ruleset import Ruleset


class QueryResult(NamedTuple):
    """The answer to a query: lines for people, and numbers by name for scripts."""

    lines: list[str]
    numbers: dict[str, int]


def answer_query(
    history: History,
    line: str,
    ruleset: Ruleset,
    dice: DiceSource,
    other_logs: OtherLogs = NOWHERE,
    medium: int = WRITTEN,
) -> QueryResult | None:
    """Answer a query such as `why mira ac`, `roll 4d6` or `clock expect 4d6`, in words to be read
    or to be heard; None for other lines.

    Raises Refused for a query that has no answer.
    """
    asked = query_kind(line)
    if asked in ("", KEEP):  # the store keeps people
        return None
    words = tokenize(line)[len(asked.split()) :]
    if asked == EXPECT:
        return _expect(TokenStream(words, history.state, CLOCK_COMMANDS[0].usage))
    cursor = TokenStream(words, history.state, SESSION_COMMANDS[asked].usage)
    if asked == ROLL:
        return QueryResult(_roll(cursor, ruleset, dice, medium == SPOKEN), {})
    if asked == INVENTORY:
        people = (
            [] if cursor.done else cursor.combatants("who carries it", history.state.combatants)
        )
        cursor.finish()
        how = Notation(medium, ruleset.tables.spoken)
        return QueryResult(inventory_lines(ruleset, history.state, people, how), {})
    return QueryResult(_why(cursor, history, ruleset, other_logs, medium), {})


def _expect(cursor: TokenStream) -> QueryResult:
    dice, rolls = expected_by_pace(cursor)
    cursor.finish()
    text = ", ".join(f"{count} {pace}" for pace, count in rolls.items())
    return QueryResult([f"{dice} lasts this many rolls on average: {text}"], rolls)


def _roll(cursor: TokenStream, ruleset: Ruleset, dice: DiceSource, spoken: bool) -> list[str]:
    tables = ruleset.tables.random
    name = cursor.take(*tables)
    if name:
        cursor.finish()
        return [rolled_on(tables[name], dice, spoken)]
    named = ", or the name of a table" if tables else ""
    cursor.next(f"dice, such as 4d6{named}", list(tables))
    cursor.back()
    text = cursor.rest()
    try:
        return [roll_text(text, dice, spoken)]
    except DiceError as error:
        raise Refused(f"{error}{did_you_mean(text, tables)}") from None


def _why(
    cursor: TokenStream, history: History, ruleset: Ruleset, other_logs: OtherLogs, medium: int
) -> list[str]:
    if parse_gm(cursor):
        what = cursor.choice("a GM track", gm_and_party_tracks(ruleset, history.state))
        cursor.finish()
        return explain(history, ruleset, "", what, other_logs=other_logs, medium=medium)
    combatant = cursor.combatant()
    totals = ruleset.numbers.totals(ruleset.tables, history.state, combatant)
    what = cursor.choice("one of their numbers", [*combatant.tracks, *totals])
    cursor.finish()
    return explain(history, ruleset, combatant.id, what, other_logs=other_logs, medium=medium)


# -------------------------------------------------------------------------------------------------
# A row of the roster as `add` would bring it into a fight, to be looked at before.


class RosterPreview(NamedTuple):
    """A combatant of the roster in a scratch fight, with the dice that fell for it."""

    state: Encounter
    who: Combatant
    rolls: list[Rolled]


def preview_row(ruleset: Ruleset, key: str) -> RosterPreview:
    """Add a row of the roster to a scratch fight; a companion joins the party there.

    Raises Refused, as `add` does.
    """
    alone = Encounter(ruleset=ruleset.id)
    try:
        return _added(ruleset, alone, key)
    except Refused:  # a companion needs its owner
        party = party_alone(ruleset)
        if not party.combatants or ruleset.tables.bestiary.get(key, {}).get("kind") == "pc":
            raise
        return _added(ruleset, party, key)


def party_alone(ruleset: Ruleset) -> Encounter:
    """Return a scratch fight with the campaign's party; an empty one if it can't be added."""
    alone = Encounter(ruleset=ruleset.id)
    try:
        return decide(alone, "add party", ruleset, SeededDice(0)).state
    except Refused:
        return alone


def _added(ruleset: Ruleset, state: Encounter, key: str) -> RosterPreview:
    """Decide `add KEY` in a state, and return the new combatant."""
    present_ids = {c.id for c in state.combatants}
    decision = decide(state, f"add {key}", ruleset, SeededDice(0))
    combatant = next(c for c in decision.state.combatants if c.id not in present_ids)
    return RosterPreview(
        decision.state, combatant, [e for e in decision.events if isinstance(e, Rolled)]
    )
