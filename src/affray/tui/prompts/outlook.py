"""What a command would do, in a line, before it is given. Dice of the app's stay closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from affray.core.decide import Decision
from affray.core.dice_sources import DiceSource, SeededDice
from affray.core.events import Rolled
from affray.core.refusal import Refused
from affray.core.words import split_words

MessageKind = Literal["info", "hint", "refused", "warning"]
"""What sort of line is said: what is so, what is wanted, what can't be done, what went wrong."""

Decide = Callable[[str, DiceSource], Decision]
"""A line and the dice for it -> what it would come to. Raises Refused."""

Consequences = Callable[[Decision], list[str]]

_TRIES = 6
"""How many throws of sham dice are looked at, so that damage after a hit is named too."""


class Outlook(NamedTuple):
    """A line to show: what would happen, what is still wanted, or why it can't be done."""

    text: str
    kind: MessageKind


def outlook(line: str, decide: Decide, consequences: Consequences, typing: bool = False) -> Outlook:
    """What the line would do. While it is still typed, its last word may be half a word.

    The dice are sham ones of its own: nothing of the fight's dice is used up or given away. Where
    the app would roll, only the dice are named.
    """
    try:
        decision = decide(line, SeededDice(1))
        rolled = _rolled(decision)
        if not rolled:
            return Outlook(" · ".join(consequences(decision)) or decision.text, "info")
        for seed in range(2, _TRIES):
            more = _rolled(decide(line, SeededDice(seed)))
            rolled = max(rolled, more, key=len)
    except Refused as refusal:
        whole = len(line.split()) - (typing and not line.endswith(" "))
        wanting = refusal.at is not None and refusal.at + 1 >= whole
        return Outlook(refusal.message, "hint" if wanting else "refused")
    return Outlook(f"rolls {', '.join(rolled)}", "info")


def lacks_words(line: str, refusal: Refused) -> bool:
    """Whether a line was refused because words are missing at its end, before `by NAME`."""
    words = split_words(line)
    named = 2 if "by" in words[-2:-1] else 0
    return refusal.at is not None and refusal.at >= len(words) - 1 - named


def _rolled(decision: Decision) -> list[str]:
    events = decision.events
    return [e.dice for e in events if isinstance(e, Rolled) and not e.by_hand]
