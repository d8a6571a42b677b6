"""What a command would do, in a line, before it is given. Dice of the app's stay closed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

from affray.core.dice.notation import DiceError, parse_dice
from affray.core.dice.sources import DiceSource, ShamDice
from affray.core.heart.decide import Decision
from affray.core.heart.events import Noted, Rolled
from affray.core.language.refusal import Refused
from affray.core.language.words import split_words

MessageKind = Literal["info", "hint", "wanted", "refused", "warning"]
"""What sort of line is said: what is so, what helps, which answers there are, what can't be done,
what went wrong. Which answers there are is only said where these themselves leave room for it."""

Decide = Callable[[str, DiceSource], Decision]
"""A line and the dice for it -> what it would come to. Raises Refused."""

Consequences = Callable[[Decision], list[str]]


class Outlook(NamedTuple):
    """A line to show: what would happen, what is still wanted, or why it can't be done.

    `usage` stands in the text of a refusal; from its word `needed` on it says what is wanted.
    """

    text: str
    kind: MessageKind = "info"
    usage: str = ""
    needed: int = 0

    @property
    def without_usage(self) -> str:
        """The text with no word of how the command is written."""
        return self.text.replace(f" (usage: {self.usage})", "")

    def fitting(self, fits: Callable[[str], bool]) -> str:
        """As much of the text as there is room for, by what the place says of that.

        Of a usage the beginning that is known gives way, then the end behind what is wanted, and
        then all of it: what was wrong stands before it.
        """
        if not self.usage or fits(self.text):
            return self.text
        forms = [*self._forms(), self.without_usage]
        return forms[min(bisect_left(forms, True, key=fits), len(forms) - 1)]

    def _forms(self) -> Iterator[str]:
        """The text with less of its usage every time."""
        words = self.usage.split()
        spans = [(first, len(words)) for first in range(1, self.needed + 1)]
        spans += [(self.needed, last) for last in range(len(words) - 1, self.needed, -1)]
        for first, last in spans:
            known, more = "… " if first else "", " …" if last < len(words) else ""
            kept = f"{known}{' '.join(words[first:last])}{more}"
            yield self.text.replace(self.usage, kept)


def refused(line: str, refusal: Refused, kind: MessageKind = "refused") -> Outlook:
    """A refusal of a line."""
    usage, at = refusal.usage, refusal.at or 0
    return Outlook(refusal.message, kind, usage, needed_of(usage, line.split()[1 : at + 1]))


def needed_of(usage: str, given: Sequence[str]) -> int:
    """Which word of a usage says what is wanted, where these words have been given already.

    That is the last of them that the usage has, or as many words on as have been given.
    """
    tokens = [re.split(r"[\[\]()|,]+", token) for token in usage.split()]
    for word in reversed(given):
        found = [index for index, token in enumerate(tokens) if index and word.casefold() in token]
        if found:
            return found[-1]
    return max(0, min(len(given) + 1, len(tokens) - 1))


def outlook(
    line: str,
    decide: Decide,
    consequences: Consequences,
    typing: bool = False,
    price: Consequences = lambda decision: [],
) -> Outlook:
    """What the line would do and what that costs. While it is typed, its last word may be half one.

    The dice are sham ones of its own: nothing of the fight's dice is used up or given away. Where
    the app would roll, the dice are named, those of a throw that leads to more of them, and what is
    to be noted however they fall.
    """
    high, low = ShamDice(high=True), ShamDice(high=False)
    try:
        decision = decide(line, high)
        rolled = _rolled(decision, high)
        if rolled:
            otherwise = decide(line, low)
            rolled = max(rolled, _rolled(otherwise, low), key=len)
            told = [f"rolls {', '.join(rolled)}", *_noted_anyway(decision, otherwise)]
        else:
            told = consequences(decision) or [decision.text]
    except Refused as refusal:
        return unfinished(line, refusal, typing)
    return Outlook(" · ".join([*told, *price(decision)]), "info")


def unfinished(line: str, refusal: Refused, typing: bool) -> Outlook:
    """A refusal of a line: what is wanted where it ends, or what is wrong in it."""
    whole = len(line.split()) - (typing and not line.endswith(" "))
    wanting = refusal.at is not None and refusal.at + 1 >= whole
    return refused(line, refusal, "hint" if wanting else "refused")


def foresight(preview: Decide) -> Callable[[str], Decision | Refused]:
    """What a line would come to with sham dice, or why it is refused; found out once for each."""

    @cache
    def seen(line: str) -> Decision | Refused:
        try:
            return preview(line, ShamDice(high=True))
        except Refused as refusal:
            return refusal

    return seen


def lacks_words(line: str, refusal: Refused) -> bool:
    """Whether a line was refused because words are missing at its end, before `by NAME`.

    A refusal that points at no word is not about one; the line may not even come apart into words.
    """
    if refusal.at is None:
        return False
    words = split_words(line)
    named = 2 if "by" in words[-2:-1] else 0
    return refusal.at >= len(words) - 1 - named


def _rolled(decision: Decision, dice: ShamDice) -> list[str]:
    """The dice that are thrown; those of a roll that was made before are told of, and lie still."""
    made = (e for e in decision.events if isinstance(e, Rolled) and not e.by_hand)
    return [event.dice for event in made if _sides(event.dice) & dice.thrown]


def _noted_anyway(decision: Decision, otherwise: Decision) -> list[str]:
    """What is noted with high dice and with low ones alike."""
    return [e.text for e in decision.events if isinstance(e, Noted) and e in otherwise.events]


def _sides(dice: str) -> set[int]:
    """The sides of dice; none of what is written by hand into a log, and no dice."""
    try:
        return {pool.sides for pool in parse_dice(dice).pools}
    except DiceError:
        return set()
