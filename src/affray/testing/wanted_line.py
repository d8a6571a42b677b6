"""The distance between the line that keys have made so far and the wanted line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from affray.core.engine.state import Encounter
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import IN_FULL
from affray.core.parser.spelling import fold
from affray.core.parser.targets import ALL, is_called, is_for_several, resolve, resolve_many
from affray.core.parser.tokens import Token, join_tokens, tokenize

_SHORT = {full: short for short, full in IN_FULL.items()}
LACKING, NEEDLESS, WRONG, TOO_EARLY, MISPLACED, SOMEBODY_ELSE = 1.0, 0.9, 2.0, 0.5, 1.0, 2.0
"""The costs of a missing word, a needless word, a needless amount or person, a word that comes
before its predecessors, an amount after the wrong word, and of another person in a role."""
_BY = "by "
"""The beginning of the word for whoever acts."""
AMOUNT = re.compile(r"[+-]?\d[\dd+,r!-]*$")
"""A number, dice, or faces of several."""


def plain(word: str) -> str:
    """A word for comparison: in small letters, a name of several words in one piece."""
    word = fold(hyphenate(word))
    return _SHORT.get(word, word)


class WantedLine:
    """A line as the game master would type it, and its words for comparison.

    tokens   its words as typed
    words    people as ids, sides as their members
    people   the ids of those it names, in order
    """

    def __init__(self, line: str, state: Encounter) -> None:
        self.line, self.state = line, state
        self.tokens = tokenize(line)
        self.words = tuple(self._read(self.tokens))
        named = (word.removeprefix(_BY) for word in self.words)
        self.people = tuple(dict.fromkeys(who for who in named if state.find(who) is not None))
        self._counted, self._pairs = Counter(self.words), {*pairwise(self.words)}
        self._typed = {plain(part) for token in self.tokens for part in (token, *token.split(","))}
        self._begun = tuple(dict.fromkeys(word for word in self.words if len(word) > 2))
        self.distance = lru_cache(maxsize=None)(self._distance)

    @property
    def actor(self) -> str:
        """The id after `by`; empty without one."""
        acts = (word.removeprefix(_BY) for word in self.words if word.startswith(_BY))
        return next(acts, "")

    @property
    def several(self) -> list[list[str]]:
        """The ids of those it names together, with commas or by a word for them."""
        parts = [list(self._read([token])) for token in self.tokens]
        return [row for row in parts if row[1:] and all(map(self.state.find, row))]

    def lacking(self, line: str) -> list[str]:
        """The wanted words that a line lacks, in order."""
        left = Counter(self._words_of(line))
        found = []
        for word in self.words:
            if left[word]:
                left[word] -= 1
            else:
                found.append(word)
        return found

    def words_after(self, line: str) -> str:
        """The words that a line lacks, as they are typed after it."""
        left = Counter(word for token in tokenize(line) for word in self._of_token(token))
        found = []
        for token in self.tokens:
            words = Counter(self._of_token(token))
            if words <= left:
                left -= words
            else:
                found.append(token)
        return join_tokens(found)

    def names(self, label: str) -> bool:
        """True if a list's item is among the wanted words, or one of them begins it."""
        name = plain(label)
        return (
            name in self._counted
            or name in self._typed
            or any(name.startswith(word) or f"-{word}" in name for word in self._begun)
        )

    def _distance(self, line: str, answers: str) -> float:
        """The distance of a line from the wanted one: 0 for the same words in the same order.

        `answers` are the words that somebody has answered or passed; a proposed word is not counted
        as needless.
        """
        words, left = self._words_of(line), Counter(self.words)
        left.subtract(words)
        lacking = sum(many for many in left.values() if many > 0)
        own = self._words_of(answers)
        needless = Counter(own) - self._counted
        wrong = sum(WRONG if self._is_certain(w) else NEEDLESS for w in needless.elements())
        pairs = enumerate(zip(words, self.words, strict=False))
        alike = len(self.words) - lacking
        begun = next((at for at, (one, other) in pairs if one != other), min(len(words), alike))
        people = (word for word in own if self.state.find(word) is not None)
        other = self.people and next(people, self.people[0]) != self.people[0]
        acts = any(word.startswith(_BY) and word not in self._counted for word in own)
        wrong += SOMEBODY_ELSE * (bool(other) + acts)
        amounts = (pair for pair in pairwise(words) if AMOUNT.match(pair[1]))
        wrong += MISPLACED * sum(pair not in self._pairs for pair in amounts)
        return LACKING * lacking + wrong + TOO_EARLY * max(0, alike - begun)

    def left_in_order(self, line: str, answers: str) -> float:
        """The number of wanted words after those with which a line begins in order, and the cost of
        its other words."""
        own = [word for word in self._words_of(answers) if not word.startswith(_BY)]
        pairs = enumerate(zip(own, self.words, strict=False))
        whole = min(len(own), len(self.words))
        begun = next((at for at, (one, other) in pairs if one != other), whole)
        return LACKING * (len(self.words) - begun) + WRONG * (len(own) - begun)

    def _is_certain(self, word: str) -> bool:
        """True for a word that no later key corrects: an amount, or a person."""
        return AMOUNT.match(word) is not None or self.state.find(word) is not None

    def _words_of(self, line: str) -> list[str]:
        try:
            words = list(self._read(tokenize(line)))
        except Refused:
            return []
        wanted = (w for w in self._begun if w not in words)
        short = {w: next((b for b in words if b.startswith(w)), "") for w in wanted}
        whole = {name: word for word, name in short.items() if name}
        return [whole.get(word, word) for word in words]

    def _read(self, tokens: Sequence[Token]) -> Iterator[str]:
        """The words for comparison; the actor comes last, unless it is their turn. After somebody's
        name `all` means all of something else, such as damage.
        """
        at = next((i for i, t in enumerate(tokens) if t == "by" and not t.quoted), len(tokens))
        named = False
        for token in (*tokens[:at], *tokens[at + 2 :]):
            if token.quoted:
                yield plain(token)
                continue
            for part in filter(None, token.split(",")):
                whom = [plain(part)] if named and part == ALL else list(self._meant(part))
                named = named or any(map(self.state.find, whom))
                yield from whom
        for token in tokens[at + 1 : at + 2]:
            actor = next(self._meant(token))
            yield from () if actor == self.state.turn else (f"{_BY}{actor}",)

    def _of_token(self, token: Token) -> list[str]:
        if token.quoted or token == "by":
            return [plain(token)]
        return [word for part in filter(None, token.split(",")) for word in self._meant(part)]

    def _meant(self, part: str) -> Iterator[str]:
        if AMOUNT.match(part):
            yield part
        elif is_called(self.state, part):
            yield resolve(self.state, part).id
        elif is_for_several(self.state, part):
            try:
                yield from (combatant.id for combatant in resolve_many(self.state, part))
            except Refused:
                yield plain(part)
        else:
            yield plain(part)
