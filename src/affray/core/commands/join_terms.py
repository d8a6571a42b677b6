"""The terms of `add` that say how combatants join: how many, hidden, in which group, on which side.

Each term may stand anywhere after the name, in any order; the rest of the line is the sheet's.
`take_terms` reads them; `number_for` chooses the number that a combatant is typed by.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import cast, get_args

from msgspec import Struct

from affray.core.commands import turn_order
from affray.core.engine import turn_order as groups
from affray.core.engine.state import Encounter, Side
from affray.core.formatting.safe_text import to_id
from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import Token, TokenStream, is_count
from affray.core.rules.ruleset import SheetField
from affray.core.rules.tables import PROPOSED, Tables

LAST_WAVE = 99
MOST_AT_ONCE = 50
HOW_MANY = late_pattern(r"x(\d{1,2})$")
TERMS = ("text", "hidden", "group", "wave", "side")
"""The words that begin a term. A count is `x3`, and a creature may have `as NAME`."""
_ANYWHERE = frozenset({*TERMS, "as"} - {"text"})
USAGE = "[hidden] [group [GROUP]] [side SIDE] [wave N]"


class Terms(Struct):
    """The terms on which combatants join, beside the numbers of a sheet.

    count   the number that join
    called  their name in place of the row's; empty for the row's
    hidden  True if they are hidden from the players
    side    their side; None for the usual one
    text    their description
    group   the group that they form or join; None for none, empty for one not named yet
    given   the words of the terms in the command
    """

    count: int = 1
    called: str = ""
    hidden: bool = False
    side: Side | None = None
    text: str = ""
    group: str | None = None
    given: tuple[str, ...] = ()

    @property
    def still_open(self) -> list[str]:
        """The words of the terms not given yet."""
        return [word for word in TERMS if word not in self.given]


def take_wave(tokens: TokenStream, sheet: Sequence[SheetField]) -> int:
    """Take `wave N` out of the line, anywhere after a name; 0 for none.

    After `power` it counts as a power's name if something follows that a power can have.
    """
    row, naming = tokens.words, _naming(sheet)
    for at in range(1, len(row) - 1):
        is_wave = row[at].casefold() == "wave" and not row[at].quoted and is_count(row[at + 1])
        is_name = at > 2 and _is_name(row, at, naming) and row[at + 2 :]
        if (
            is_wave
            and not (is_name and row[at + 2].casefold() not in TERMS)
            and 1 <= int(row[at + 1]) <= LAST_WAVE
        ):
            number = int(row[at + 1])
            del row[at : at + 2]
            return number
    return 0


def _naming(sheet: Sequence[SheetField]) -> set[str]:
    """The words of a sheet that stand right before a name: `attack`, `power`."""
    return {name for word in sheet if word.is_named for name in (word.name, *word.alike)}


def _is_name(row: Sequence[Token], at: int, naming: Collection[str]) -> bool:
    """True if a word stands where a name does: `power wave` is no term.

    The words of `proposed`, such as in `proposed attack`, are no exception: a term may follow them.
    """
    is_listed = at > 1 and row[at - 2].casefold() == PROPOSED
    return row[at - 1].casefold() in naming and not (row[at - 1].quoted or is_listed)


def take_terms(tokens: TokenStream, sheet: Sequence[SheetField]) -> Terms:
    """Take the terms out of a line, from the cursor on, so that only the sheet's words are left.

    A text must come right after the name or another term, and a count there or after a number:
    elsewhere they belong to a power or an item. Raises Refused for a term that is wrong or comes
    twice.
    """
    terms, begins = Terms(), tokens.at
    plain = [word.casefold() for word in tokens.words[begins:]]
    may_be_any = plain[:1] == ["text"] or not _ANYWHERE.isdisjoint(plain)
    if not may_be_any and not any(map(HOW_MANY.match, plain)):
        return terms
    numbers, naming = {word.name for word in sheet}, _naming(sheet)
    taken: list[Token] = []
    left: list[Token] = []
    is_behind_term = may_be_count = True
    while not tokens.done:
        at = tokens.at
        is_name = at > begins and _is_name(tokens.words, at, naming)
        term = "" if is_name else _begun(tokens, is_behind_term, may_be_count)
        is_behind_term = may_be_count = bool(term)
        if not term:
            left.append(tokens.next("a number for the sheet"))
            may_be_count = left[-1].isdecimal()
            continue
        if term in terms.given:
            tokens.at = at
            raise tokens.refuse(f"{tokens.upcoming} is given twice")
        terms.given += (term,)
        _read(tokens, terms, term, numbers)
        taken += tokens.words[at : tokens.at]
    tokens.words[begins:] = [*taken, *left]
    tokens.at = begins + len(taken)
    if (
        terms.group is not None
        and terms.count < 2
        and terms.group not in groups.groups_of(tokens.state)
    ):
        raise tokens.refuse("a group needs two or more: say how many, such as x6")
    return terms


def parse_description(tokens: TokenStream) -> str:
    """Read a description after `text`; empty for none."""
    return tokens.next("a description, in quotes").strip() if tokens.take("text") else ""


def _begun(tokens: TokenStream, is_behind_term: bool, may_be_count: bool) -> str:
    """Take the next word if it begins a term, and return the term; else empty."""
    word = tokens.upcoming
    if word.quoted:
        return ""
    typed = word.casefold()
    if may_be_count and HOW_MANY.match(typed):
        return "count"
    is_term = typed in (*TERMS, "as") and (typed != "text" or is_behind_term)
    return typed if is_term and tokens.next("") else ""


def _read(tokens: TokenStream, terms: Terms, term: str, numbers: Collection[str]) -> None:
    """Read a term, after the word that begins it."""
    if term == "count":
        terms.count = _read_count(tokens)
    elif term == "hidden":
        terms.hidden = True
    elif term == "side":
        terms.side = cast(Side, tokens.choice("a side", get_args(Side)))
    elif term == "text":
        terms.text = tokens.next("a description, in quotes").strip()
    elif term == "as":
        terms.called = str(tokens.next("a name"))
    elif term == "group":
        terms.group = _read_group(tokens, numbers)
    else:
        raise tokens.refuse(f"expected one wave number from 1 to {LAST_WAVE}")


def _read_count(tokens: TokenStream) -> int:
    count = int(tokens.next("the number")[1:])
    if not 1 <= count <= MOST_AT_ONCE:
        raise Refused(f"you can add 1 to {MOST_AT_ONCE} at once, not {count}")
    return count


def _read_group(tokens: TokenStream, numbers: Collection[str]) -> str:
    """Read the name of a group; empty where a word of the sheet stands next, as in `group ac 4`.

    `group "ac"` names one. Raises Refused for a misspelt term.
    """
    word = tokens.upcoming
    is_name = word.quoted or not (
        tokens.peek() in {*numbers, *TERMS, "as"} or HOW_MANY.match(word.casefold())
    )
    if not tokens.done and not is_name:
        return ""
    tokens.refuse_slip(TERMS)
    return turn_order.read_name(tokens)


# -------------------------------------------------------------------------------------------------
# Numbers to type in place of names: a combatant keeps the one it got when it joined.


def number_for(tables: Tables, state: Encounter, combatant_id: str) -> int:
    """Return the number to type for a combatant who joins.

    The campaign's party has the first numbers, the same in every fight; all others get the next
    one. Those who come back get theirs again. 0 in a log from before numbers were kept.
    """
    if state.combatants and not state.numbered:
        return 0
    if combatant_id in state.numbers:
        return state.numbers[combatant_id]
    party = [to_id(tables.name_of(key)) for key in tables.party]
    place = party.index(combatant_id) + 1 if combatant_id in party else 0
    if place and place not in state.by_number() and place not in state.numbers.values():
        return place
    return max(state.next_number(), len(party) + 1)
