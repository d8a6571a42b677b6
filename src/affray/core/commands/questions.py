"""Questions put to a fight, why and roll: they are answered, and change nothing."""

from __future__ import annotations

from affray.core.commands.session_verbs import QUESTIONS, ROLL, SESSION_VERBS
from affray.core.dice.notation import DiceError, parse_dice, roll
from affray.core.dice.sources import DiceSource
from affray.core.heart.history import History
from affray.core.language.refusal import Refused
from affray.core.language.words import Words, split_words
from affray.core.rules.ruleset import Ruleset
from affray.core.telling.explain import explain


def answer(history: History, line: str, ruleset: Ruleset, dice: DiceSource) -> list[str] | None:
    """The answer to a question such as `why mira ac` or `roll 4d6`, in lines; None for any other
    line. Raises Refused for a question that has no answer."""
    words = split_words(line)
    verb = words[0].casefold() if words else ""
    if verb not in QUESTIONS:
        return None
    cursor = Words(words[1:], history.state, SESSION_VERBS[verb].usage)
    return _roll(cursor, dice) if verb == ROLL else _why(cursor, history, ruleset)


def _roll(cursor: Words, dice: DiceSource) -> list[str]:
    cursor.next("dice, such as 4d6")
    cursor.back()
    try:
        return [str(roll(parse_dice(cursor.rest()), dice))]
    except DiceError as error:
        raise Refused(str(error)) from None


def _why(cursor: Words, history: History, ruleset: Ruleset) -> list[str]:
    who = cursor.combatant()
    totals = ruleset.totals(ruleset.tables, history.state, who)
    what = cursor.choice("a number of theirs", [*who.tracks, *totals])
    cursor.finish()
    return explain(history, ruleset, who.id, what)
