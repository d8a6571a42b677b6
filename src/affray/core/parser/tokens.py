"""One command line as tokens, read from left to right, and refusals that say what was expected.

A command takes its tokens one by one from a `TokenStream` and says what it expects each time.
Completion offers whatever it expected when the tokens ran out. `words_of_row` goes the other way,
from a table's row to a command line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from affray.core.engine.state import Combatant, Encounter
from affray.core.formatting.safe_text import hyphenate
from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import (
    MOST_HEARD,
    Refused,
    close_matches,
    did_you_mean,
    did_you_mean_or_list,
    join_or,
)
from affray.core.parser.prompt_fields import ANYONE, DICE, NUMBER, OFFERED, SEVERAL, TEXT, Field
from affray.core.parser.spelling import called_so
from affray.core.parser.targets import (
    MOST_OF_NAME,
    is_called,
    is_for_several,
    present_combatants,
    resolve,
    resolve_many,
    several_here,
    words_of_name,
)

_SINGLE = r"(?<![^\s,])'((?:[^']|'(?=[^\s,;]))*)'(?![^\s,;])"
"""Single quotes around words; within one, as in `O'Brien` or `king's`, it is an apostrophe."""
_TYPESET = r"[“”„]([^“”„]*)[“”]|(?<![^\s,])[‘‚]((?:[^‘’]|’(?=[^\s,;]))*)[’‘](?![^\s,;])"
"""The quotes that phones and Macs write by themselves."""
QUOTED = rf'"([^"]*)"|{_SINGLE}|{_TYPESET}'
_QUOTED = late_pattern(QUOTED)
_WORD = late_pattern(rf'(?:{QUOTED}|[^\s"])+')
_MARKS = frozenset("\"'“”„‘‚")
_NUMBER = late_pattern(r"[+\-−]?\d{1,6}$")
_ANY_NUMBER = late_pattern(r"[+\-−]?\d{1,18}$")
_COUNT = late_pattern(r"\d{1,6}")
_SIDES = tuple("0123456789%")
_MOST = 999_999
"""The highest number of a command that has no other limit."""
_SHORTEST_SLIP = 3
"""The fewest letters of a slip: shorter words look like too many others, `two` like `to`."""
_IN_QUOTES = "put a name that contains it in quotes"
_One = TypeVar("_One")
_Read = TypeVar("_Read")


def is_count(word: str) -> bool:
    """True if a word is a whole number without a sign, and short enough to be read as one."""
    return bool(_COUNT.fullmatch(word))


class Token(str):
    """A word of a command; `quoted` if it was in quotes, and so is taken literally. A `field`
    begins something of its own, as a field of a table does: the argument before it can't take it.
    """

    quoted: bool = False
    field: bool = False


def tokenize(line: str) -> list[Token]:
    """The words of a line. Quotes hold words together, within a word as well: `mira,"Fire Imp"` is
    one, `'Fire Imp'` and `“Fire Imp”` others. A double quote within other quotes is a letter, which
    is kept as a single one. Raises Refused for a lone double quote.
    """
    if _MARKS.isdisjoint(line):
        return [Token(text) for text in line.split()]
    refuse_lone_quote(line)
    words = []
    for match in _WORD.finditer(line):
        text = match.group()
        if _MARKS.isdisjoint(text):
            words.append(Token(text))
            continue
        word = Token(_QUOTED.sub(_inner_text, text))
        word.quoted = _QUOTED.fullmatch(text) is not None
        words.append(word)
    return words


def _inner_text(quoted: re.Match[str]) -> str:
    return next(filter(None, quoted.groups()), "").replace('"', "'")


def refuse_lone_quote(line: str) -> None:
    """Raises Refused for a double quote that opens and that no other closes."""
    bare = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), line)
    if '"' in bare:
        raise Refused(f"the quote is never closed: {line[bare.index(chr(34)) :][:40]!r}")


def join_tokens(words: Iterable[Token]) -> str:
    """The words as a line that is read as the same words: with quotes around those that need them.

    >>> join_tokens([Token("add"), Token("Fire Imp")])
    'add "Fire Imp"'
    """
    return " ".join(f'"{w}"' if w.quoted or " " in w or _QUOTED.search(w) else w for w in words)


class TokenStream:
    """A cursor over the words of one command. Every refusal names the usage of the command."""

    def __init__(
        self, words: list[Token], state: Encounter, usage: str = "", goes_on: bool = False
    ) -> None:
        self.words = words
        self.state = state
        self.usage = usage
        self.goes_on = goes_on  # whether somebody asks what may follow the last word
        self.at = 0
        self.offered: list[str] = []  # what could have stood where the words ended
        self.offers: list[Callable[[], Iterable[str]]] = []  # the same, found only for completion
        self.alike: set[str] = set()  # of these, other words for what is offered as well
        self.wanted: Field | None = None  # what is asked for where the words ended too soon
        self.besides: list[Field] = []  # what no word can offer where they ended: a number, dice
        self._passed: list[Callable[[], Iterable[str]]] = []  # what could have stood at the cursor
        self._passed_at = 0

    @property
    def done(self) -> bool:
        """True if all words have been read."""
        return self.at >= len(self.words)

    def refuse(self, message: str, candidates: Iterable[str] = (), heard: str = "") -> Refused:
        """A refusal about the word at the cursor, with the usage after it."""
        return Refused(message, candidates, self.at, self.usage, heard=heard)

    def refuse_choice(
        self,
        message: str,
        word: str,
        choices: Iterable[str],
        candidates: Iterable[str] = (),
        otherwise: str = "",
    ) -> Refused:
        """A refusal of a word that is none of the choices, with those like it, or all."""
        row = list(choices)
        hint = did_you_mean_or_list(word, row, otherwise)
        is_long = len(row) > MOST_HEARD and not close_matches(word, row)
        heard = message if is_long else ""
        return self.refuse(f"{message}: {hint}", candidates or row, heard)

    @property
    def has_offered(self) -> int:
        """The number of notes so far on what may follow the last word."""
        return len(self.offered) + len(self.offers) + len(self.besides)

    def want(self, field: Field) -> None:
        """Note the field that a prompt asks for if the words end here; the first note counts."""
        if self.wanted is None and self.done:
            self.wanted = field

    @property
    def upcoming(self) -> Token:
        """The next word, without taking it; empty at the end."""
        return Token() if self.done else self.words[self.at]

    def peek(self, ahead: int = 0) -> str:
        """The next word in lower case, or one farther ahead; an empty text behind the end."""
        at = self.at + ahead
        return self.words[at].casefold() if at < len(self.words) else ""

    def pass_over(self, choices: Callable[[], Iterable[str]]) -> None:
        """Remember a word that could come at the cursor but doesn't: the word there may be a slip
        of it, which shows only when nothing else fits that word."""
        if self._passed_at != self.at:
            self._passed, self._passed_at = [], self.at
        self._passed.append(choices)

    def _passed_over(self) -> list[str]:
        """The words that the parser tried at the cursor without success."""
        passed = self._passed if self._passed_at == self.at else []
        return [choice for choices in passed for choice in choices()]

    def back(self) -> None:
        """Put the cursor before the word that was read last, for a refusal to point at it."""
        self.at = max(0, self.at - 1)

    def insert(self, more: Iterable[Token]) -> None:
        """Insert words at the cursor, to be read next."""
        self.words[self.at : self.at] = more

    @contextmanager
    def within_field(self) -> Iterator[None]:
        """Let the words end before the next field of a table."""
        ends = next((n for n in range(self.at, len(self.words)) if self.words[n].field), None)
        rest = [] if ends is None else self.words[ends:]
        del self.words[len(self.words) - len(rest) :]
        try:
            yield
        finally:
            self.words += rest

    def next(self, what: str, candidates: Iterable[str] = ()) -> Token:
        """Take the next word. Raises Refused if there is none."""
        if self.done:
            row = list(candidates)
            self.offered += row
            self.want(Field(OFFERED if row else TEXT, () if row else (what,)))
            raise self.refuse(f"expected {what}", row)
        word = self.words[self.at]
        self.at += 1
        return word

    def next_of_name(self, what: str, keywords: Iterable[str]) -> Token:
        """Read another word of a name without quotes. Raises Refused for a number, and for a
        misspelt keyword that may follow: as part of a name either would be lost."""
        self.refuse_slip(keywords)
        if self.has_number():
            raise self.refuse(f"did not expect {self.upcoming!r}: {_IN_QUOTES}")
        return self.next(what)

    def refuse_slip(self, keywords: Iterable[str]) -> None:
        """Raises Refused if the next word, which may be a name, is more likely a misspelt keyword.
        A word in quotes is taken literally."""
        word = self.upcoming
        if word.quoted or len(word) <= _SHORTEST_SLIP:
            return
        near = close_matches(word, keywords, 0.75)
        if near and word.casefold() not in near:
            meant = f"; did you mean {join_or(near)}? {_IN_QUOTES}"
            raise self.refuse(f"did not expect {word!r}{meant}")

    def refuse_open_quote(self) -> None:
        """Raises Refused if the next word, which begins a name, opens a single quote that no word
        closes. A word in double quotes is taken literally."""
        if self.upcoming.startswith("'") and not self.upcoming.quoted:
            raise self.refuse(f"the quote is never closed: {self.upcoming!r}")

    def take(self, *choices: str) -> str:
        """Take the next word if it is one of the choices; else return an empty text."""
        if self.done:
            self.offered.extend(choices)
            return ""
        return "" if self.words[self.at].quoted else self._one_of(choices)

    def take_anywhere(self, word: str) -> bool:
        """Take a word out of the remaining ones, wherever it is; returns True if it was there."""
        self.offered.extend([word] if self.done else ())
        at = (i for i in range(self.at, len(self.words)) if self.words[i].casefold() == word)
        found = next((i for i in at if not self.words[i].quoted), None)
        if found is not None:
            del self.words[found]
        return found is not None

    def take_field(self, fields: Container[str]) -> str:
        """The next word if it begins one of these fields of a table; else an empty text and the
        cursor stays."""
        word = self.upcoming
        if not word.field or word not in fields:
            return ""
        self.at += 1
        return str(word)

    def _one_of(self, choices: Collection[str]) -> str:
        """The choice that comes next, in one word or written apart; empty for none. The longest
        counts: `half cover` is `half-cover`, if that is a choice, and not `half`. Accents need not
        be typed, as long as they leave no doubt.
        """
        first = self.peek()
        begun = f"{first}-"
        found, most = (first, 1) if first and first in choices else ("", 0)
        is_last = self.at + 1 >= len(self.words)
        apart = () if is_last or begun not in " ".join(choices) else choices  # mostly in none
        for choice in (each for each in apart if each.startswith(begun)):
            count = choice.count("-") + 1
            typed = "-".join(self.words[self.at : self.at + count]).casefold()
            if typed == choice and count > most:
                found, most = choice, count
        if not most and first[:1].isalpha() and not all(map(str.isascii, (first, *choices))):
            found, most = self._one_alike(choices)
        if not most:
            self.pass_over(lambda: choices)
        self.at += most
        return found

    def _one_alike(self, choices: Collection[str]) -> tuple[str, int]:
        """The only choice that comes next apart from accents, and its number of words; none if two
        fit."""
        for count in range(min(4, len(self.words) - self.at), 0, -1):
            alike = called_so("-".join(self.words[self.at : self.at + count]), choices)
            if len(alike) == 1:
                return alike[0], count
        return "", 0

    def choice(self, what: str, choices: Iterable[str], otherwise: str = "") -> str:
        """The next word, which must be one of the choices. Raises Refused naming them.

        One of several words may be written apart: `shield wall` for `shield-wall`, in quotes as
        well; and with hyphens, `death-saves` for a track `death_saves`. `otherwise` names an
        alternative to the choices.
        """
        row = list(choices)
        word = self._one_of(row) or self.next(what, row).casefold()
        in_one = hyphenate(word)
        for written in (word, in_one, in_one.replace("-", "_")):
            if written in row:
                return written
        self.back()
        passed = close_matches(word, self._passed_over(), 0.75)  # only what it is surely a slip of
        message = f"expected {what}, found {word!r}"
        raise self.refuse_choice(message, word, [*row, *passed], row, otherwise)

    def has_number(self, ahead: int = 0) -> bool:
        """True if the next word is a whole number, or one farther ahead."""
        if self.done and not ahead:
            self.besides.append(Field(NUMBER))
        return bool(_NUMBER.match(self.peek(ahead)))

    def has_dice(self) -> bool:
        """True if dice are next, such as `2d6+1`, or a plain number in their place."""
        if self.done:
            self.besides.append(Field(DICE))
        word = self.peek()
        return word[:1].isdecimal() or (word[:1] == "d" and word[1:2] in _SIDES)

    def has_amount(self) -> bool:
        """True if a number or dice are next."""
        return self.has_number() or self.has_dice()

    def number(self, what: str, low: int = 0, high: int = _MOST) -> int:
        """The next word as a whole number within bounds. Raises Refused otherwise."""
        self.want(Field(NUMBER))
        word = self.next(what)
        if not _ANY_NUMBER.match(word):
            self.back()
            raise self.refuse(f"expected {what} (a whole number), found {word!r}")
        value = int(word.replace("−", "-"))
        if not low <= value <= high:
            self.back()
            heard = f"{what} must be at least {low}, not {value}" if high == _MOST else ""
            raise self.refuse(f"{what} must be from {low} to {high}, not {value}", heard=heard)
        return value

    def maybe_number(self, default: int, what: str = "a number", low: int = 0) -> int:
        """The next word as a number, or the default if it isn't one."""
        return self.number(what, low) if self.has_number() else default

    def combatant(self, what: str = "a combatant") -> Combatant:
        """The combatant that the next word names. Raises Refused with similar names."""
        self.want(Field(ANYONE))
        self._join_name()
        word = self.next(what, (c.id for c in self.state.combatants))
        try:
            return resolve(self.state, word)
        except Refused as refusal:
            self.back()
            if "," in word or is_for_several(self.state, word):
                raise self.refuse(f"expected {what}, just one, found {word!r}") from None
            refusal.at = self.at
            raise

    def owner(self, what: str = "a combatant") -> Combatant:
        """The combatant whom a word names outright (`mira`) or as an owner (`mira's`)."""
        word = self.upcoming
        if word.endswith(("'s", "’s")) and not self.is_combatant():
            self.words[self.at] = Token(word[:-2])
        return self.combatant(what)

    def _join_name(self) -> None:
        """Make one word of a name that is typed as it is heard, without quotes: `Ghoul 1`."""
        ahead = self.words[self.at : self.at + MOST_OF_NAME]
        if len(ahead) > 1 and not any(word.quoted for word in ahead[:2]):
            count = words_of_name(self.state, ahead)
            self.words[self.at : self.at + count] = [Token(" ".join(ahead[:count]))]

    def is_combatant(self) -> bool:
        """True if the next word names somebody in the fight."""
        self._join_name()
        if self.done:
            self.offered.extend(c.id for c in self.state.combatants)
            return False
        return is_called(self.state, self.upcoming) or self._names_nobody()

    def is_people(self) -> bool:
        """True if the next word begins with somebody in the fight, or with a word for several."""
        self._join_name()
        if self.done:
            self.offered.extend(self._all_names())
            return False
        first = self.upcoming.split(",")[0]
        names = is_for_several(self.state, first) or is_called(self.state, first)
        return names or self._names_nobody()

    def _names_nobody(self) -> bool:
        """Return False, and remember that the next word could have been a name but is nobody's."""
        self.pass_over(self._all_names)
        return False

    def combatants(
        self,
        what: str = "one or more combatants",
        among: Collection[Combatant] | None = None,
        again: bool = False,
    ) -> list[Combatant]:
        """The combatants of a word like `ghoul-1,ghoul-2` or `foes,mira`, each once; with `again`
        as often as the word names them.

        Sides, `all`, ranges of numbers and groups mean those `among` these; by default whoever is
        still in the fight.
        """
        self.want(Field(SEVERAL))
        self._join_name()
        word = self.next(what, self._all_names())
        try:
            found = resolve_many(self.state, word, among, again)
        except Refused as refusal:
            self.back()
            refusal.at = self.at
            raise
        if not found:
            raise self.refuse(f"expected {what}")
        return found

    def bearers(self, what: str, of: Callable[[Combatant], Collection[str]]) -> list[Combatant]:
        """The combatants of a word in a command that changes something of theirs. `of` returns the
        names of somebody's things. Sides and the like mean those who have the thing that the next
        word names; if nobody has it, everybody still in the fight.
        """
        has = {combatant.id: of(combatant) for combatant in present_combatants(self.state)}
        at = self.at
        self.at += 1
        name = self._one_of([each for names in has.values() for each in names])
        self.at = at
        among = [
            combatant for combatant in present_combatants(self.state) if name in has[combatant.id]
        ]
        return self.combatants(what, among if name else None)

    def for_each(self, people: Iterable[_One], read: Callable[[int, _One], _Read]) -> list[_Read]:
        """Read the words from here on once for each of these people. `read` gets the index, from 0
        on, and the person.
        """
        start, found = self.at, []
        for index, who in enumerate(people):
            self.at = start
            found.append(read(index, who))
        return found

    def _all_names(self) -> Iterator[str]:
        """The names of all who can be named, made at the first use."""
        yield from (c.id for c in self.state.combatants)
        yield from several_here(self.state)

    def rest(self) -> str:
        """All words that are left, as one text."""
        text = " ".join(self.words[self.at :])
        self.at = len(self.words)
        return text

    def finish(self) -> None:
        """Raises Refused when words are left over."""
        if not self.done:
            word = self.words[self.at]
            choices = [*self.offered, *self._passed_over()]
            near = did_you_mean(word, [each for each in choices if each != word.casefold()])
            raise self.refuse(f"did not expect {word!r}{near}", self.offered)


# -------------------------------------------------------------------------------------------------
# A row of a table as words of a command: `{ap = 2, thread = true}` is `ap 2 thread`. So `add` and
# sheets read rows as if typed. Each field is a word of its own; their order means nothing.


def words_of_row(row: Mapping[str, Any], leaving_out: Collection[str]) -> list[Token]:
    """Each field with its value after it; a true one alone, a false one not at all."""
    words: list[Token] = []
    for field, value in row.items():
        if field in leaving_out or value is False:
            continue
        is_list = isinstance(value, list) and any(" " in str(part) for part in value)
        for one in value if is_list else [value]:  # attacks stand each behind the field anew
            words.append(Token(field))
            words[-1].field = True
            if isinstance(one, list):
                words.append(Token(",".join(str(part) for part in one)))
            elif one is not True:
                words += tokenize(str(one))
    return words


def quote_token(text: object) -> Token:
    """A text as one word, whatever it contains."""
    word = Token(text)
    word.quoted = True
    return word
