"""What a command would do, in a line, before it is given. Dice of the app's stay closed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal, NamedTuple

from affray.core.decide import Decision
from affray.core.dice_sources import DiceSource
from affray.core.events import Rolled
from affray.core.refusal import Refused
from affray.core.words import split_words

MessageKind = Literal["info", "hint", "refused", "warning"]
"""What sort of line is said: what is so, what is wanted, what can't be done, what went wrong."""

Decide = Callable[[str, DiceSource], Decision]
"""A line and the dice for it -> what it would come to. Raises Refused."""

Consequences = Callable[[Decision], list[str]]


class ShamDice:
    """Dice that always fall alike: one face below their highest, or a 2.

    So with a d20 a throw hits, or fails, without being the best or the worst there is.
    """

    def __init__(self, high: bool) -> None:
        self._high = high

    def die(self, sides: int) -> int:
        """The face, from 1 to `sides`."""
        return max(sides - 1, 1) if self._high else min(2, sides)


class Outlook(NamedTuple):
    """A line to show: what would happen, what is still wanted, or why it can't be done."""

    text: str
    kind: MessageKind


def outlook(line: str, decide: Decide, consequences: Consequences, typing: bool = False) -> Outlook:
    """What the line would do. While it is still typed, its last word may be half a word.

    The dice are sham ones of its own: nothing of the fight's dice is used up or given away. Where
    the app would roll, only the dice are named, those of a throw that leads to more of them.
    """
    try:
        decision = decide(line, ShamDice(high=True))
        rolled = _rolled(decision)
        if not rolled:
            return Outlook(" · ".join(consequences(decision)) or decision.text, "info")
        rolled = max(rolled, _rolled(decide(line, ShamDice(high=False))), key=len)
    except Refused as refusal:
        whole = len(line.split()) - (typing and not line.endswith(" "))
        wanting = refusal.at is not None and refusal.at + 1 >= whole
        return Outlook(refusal.message, "hint" if wanting else "refused")
    return Outlook(f"rolls {', '.join(rolled)}", "info")


def foresight(preview: Decide) -> tuple[Callable[[str], Decision | None], Callable[[str], bool]]:
    """What a prompt asks of a line, found out once for each: two of the fields of its view.

    What the line would come to with sham dice, None when it is refused; and whether it is refused
    only because words are missing at its end.
    """

    @cache
    def seen(line: str) -> Decision | Refused:
        try:
            return preview(line, ShamDice(high=True))
        except Refused as refusal:
            return refusal

    def decide(line: str) -> Decision | None:
        found = seen(line)
        return found if isinstance(found, Decision) else None

    def lacks(line: str) -> bool:
        found = seen(line)
        return isinstance(found, Refused) and lacks_words(line, found)

    return decide, lacks


def lacks_words(line: str, refusal: Refused) -> bool:
    """Whether a line was refused because words are missing at its end, before `by NAME`.

    A refusal that points at no word is not about one; the line may not even come apart into words.
    """
    if refusal.at is None:
        return False
    words = split_words(line)
    named = 2 if "by" in words[-2:-1] else 0
    return refusal.at >= len(words) - 1 - named


def _rolled(decision: Decision) -> list[str]:
    events = decision.events
    return [e.dice for e in events if isinstance(e, Rolled) and not e.by_hand]
