"""Questions put to a fight, why, roll and clock expect: they are answered, and change nothing."""

from __future__ import annotations

from typing import NamedTuple

from affray.core.commands.clocks import CLOCK_VERBS, expected_by_pace
from affray.core.commands.session_verbs import EXPECT, KEEP, ROLL, SESSION_VERBS, question_of
from affray.core.dice.chance import rolled
from affray.core.dice.notation import DiceError
from affray.core.dice.sources import DiceSource
from affray.core.heart.carrying import NOWHERE, Elsewhere
from affray.core.heart.history import History
from affray.core.language.clauses import gm_tracks, take_gm
from affray.core.language.refusal import Refused, did_you_mean
from affray.core.language.words import Words, split_words
from affray.core.rules.random_tables import rolled_on
from affray.core.rules.ruleset import Ruleset
from affray.core.telling.explain import explain


class Answer(NamedTuple):
    """What a question comes to: lines for people, and numbers by name for scripts."""

    lines: list[str]
    numbers: dict[str, int]


def answer(
    history: History,
    line: str,
    ruleset: Ruleset,
    dice: DiceSource,
    elsewhere: Elsewhere = NOWHERE,
) -> Answer | None:
    """The answer to a question such as `why mira ac`, `roll 4d6` or `clock expect 4d6`; None for
    any other line. Raises Refused for a question that has no answer."""
    asked = question_of(line)
    if asked in ("", KEEP):  # the store keeps people
        return None
    words = split_words(line)[len(asked.split()) :]
    if asked == EXPECT:
        return _expect(Words(words, history.state, CLOCK_VERBS[0].usage))
    cursor = Words(words, history.state, SESSION_VERBS[asked].usage)
    if asked == ROLL:
        return Answer(_roll(cursor, ruleset, dice), {})
    return Answer(_why(cursor, history, ruleset, elsewhere), {})


def _expect(cursor: Words) -> Answer:
    dice, rolls = expected_by_pace(cursor)
    cursor.finish()
    told = ", ".join(f"{count} {pace}" for pace, count in rolls.items())
    return Answer([f"{dice} lasts so many rolls on average: {told}"], rolls)


def _roll(cursor: Words, ruleset: Ruleset, dice: DiceSource) -> list[str]:
    tables = ruleset.tables.random
    name = cursor.take(*tables)
    if name:
        cursor.finish()
        return [rolled_on(tables[name], dice)]
    named = ", or the name of a table" if tables else ""
    cursor.next(f"dice, such as 4d6{named}", list(tables))
    cursor.back()
    said = cursor.rest()
    try:
        return [rolled(said, dice)]
    except DiceError as error:
        raise Refused(f"{error}{did_you_mean(said, tables)}") from None


def _why(cursor: Words, history: History, ruleset: Ruleset, elsewhere: Elsewhere) -> list[str]:
    if take_gm(cursor):
        what = cursor.choice("a track of the GM's", gm_tracks(ruleset, history.state))
        cursor.finish()
        return explain(history, ruleset, "", what, elsewhere=elsewhere)
    who = cursor.combatant()
    totals = ruleset.totals(ruleset.tables, history.state, who)
    what = cursor.choice("a number of theirs", [*who.tracks, *totals])
    cursor.finish()
    return explain(history, ruleset, who.id, what, elsewhere=elsewhere)
