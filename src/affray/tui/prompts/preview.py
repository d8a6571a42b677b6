"""The preview line: what a command would do, and why its roll has advantage."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from affray.core.dice import DiceSource, parse_dice
from affray.core.engine.advantage import RollAdvantage
from affray.core.engine.decide import Decision
from affray.core.engine.dice_owners import rolls_of
from affray.core.engine.events import NoteAdded, Rolled, TrackChanged
from affray.core.engine.foresight import Foresight
from affray.core.formatting.log_lines import outcome_lines, outcomes_called
from affray.core.formatting.media import WRITTEN, dice_in_words, say
from affray.core.parser.errors import Refused, format_signed, join_or
from affray.core.parser.tokens import tokenize
from affray.core.rules.tables import Tables

MessageKind = Literal["info", "hint", "wanted", "refused", "warning"]
"""The kind of a message: a fact, a hint, the answers, a refusal, an error. The answers are shown
only if there is room beside them."""

Consequences = Callable[[Decision], list[str]]


class PreviewLine(NamedTuple):
    """A line to show: the result, what is still wanted, or a refusal. `usage` follows a refusal;
    from its word `needed` on it is what is wanted. `tells_lean` marks a line with the reasons for
    advantage; `heard` is the line for the ear, if that is another.
    """

    says: str
    kind: MessageKind = "info"
    usage: str = ""
    needed: int = 0
    tells_lean: bool = False
    heard: str = ""

    @property
    def text(self) -> str:
        """The whole line."""
        return self._with(self.usage)

    def _with(self, usage: str) -> str:
        return f"{self.says} (usage: {usage})" if usage else self.says

    def fitting(self, fits: Callable[[str], bool]) -> str:
        """The longest form of the text for which `fits` is true. A usage first loses its known
        beginning, then the end after the wanted word, then all of it; the reason stays.
        """
        if not self.usage or fits(self.text):
            return self.text
        forms = [*self._forms(), self.says]
        return forms[min(bisect_left(forms, True, key=fits), len(forms) - 1)]

    def _forms(self) -> Iterator[str]:
        """The text, with less of its usage each time."""
        words = self.usage.split()
        spans = [(first, len(words)) for first in range(1, self.needed + 1)]
        spans += [(self.needed, last) for last in range(len(words) - 1, self.needed, -1)]
        for first, last in spans:
            name, more = "… " if first else "", " …" if last < len(words) else ""
            text = f"{name}{' '.join(words[first:last])}{more}"
            yield self._with(text)


def refusal_text(line: str, refusal: Refused, kind: MessageKind = "refused") -> PreviewLine:
    """A refusal of a line."""
    usage, at = refusal.usage, refusal.at or 0
    needed = needed_of(usage, line.split()[1 : at + 1])
    return PreviewLine(refusal.bare, kind, usage, needed, heard=refusal.heard)


def needed_of(usage: str, given: Sequence[str]) -> int:
    """The index of the usage's word for what comes next, after these words: after the last of them
    that the usage has, or by their number.
    """
    tokens = [re.split(r"[\[\]()|,]+", token) for token in usage.split()]
    for word in reversed(given):
        found = [index for index, token in enumerate(tokens) if index and word.casefold() in token]
        if found:
            return found[-1]
    return max(0, min(len(given) + 1, len(tokens) - 1))


def preview_line(
    line: str,
    foresight: Foresight,
    consequences: Consequences,
    typing: bool = False,
    price: Consequences = lambda decision: [],
    asks: str = "",
) -> PreviewLine:
    """Preview a line as `outcomes_ahead` does, in one line."""
    found = outcomes_ahead(line, foresight, consequences, typing, price, asks)
    return found if isinstance(found, PreviewLine) else PreviewLine(" · ".join(found))


def outcomes_ahead(
    line: str,
    foresight: Foresight,
    consequences: Consequences,
    typing: bool = False,
    price: Consequences = lambda decision: [],
    asks: str = "",
    medium: int = WRITTEN,
) -> list[str] | PreviewLine:
    """List the outcome of a line, its effects and its cost; or why it is refused. While it is
    typed, its last word may be incomplete. It uses stub dice, so nothing of the fight's dice is
    used up or revealed. For dice that affray would roll it names them, with notes that hold however
    they fall; `asks` replaces them if players' dice are asked for.
    """
    decision, dice = foresight.decided(line, high=True)
    if isinstance(decision, Refused):
        return incomplete_text(line, decision, typing)
    rolled = [roll.dice for roll in rolls_of(decision.events, dice)]
    called = outcomes_called(decision.events, decision.state, decision.by)
    if not rolled:
        lines = [*called, *(consequences(decision) or [decision.text])]
        return [*lines, *price(decision)]
    otherwise, dice = foresight.decided(line, high=False)
    if isinstance(otherwise, Refused):
        return incomplete_text(line, otherwise, typing)
    others = [roll.dice for roll in rolls_of(otherwise.events, dice)]
    notes = [e for e in decision.events if isinstance(e, NoteAdded) and e in otherwise.events]
    falls = asks or _rolled_in_words(rolled, others, medium)
    return [
        *called,
        falls,
        *outcome_lines(notes, decision.state, {}, medium=medium),
        *price(decision),
    ]


def _rolled_in_words(high: list[str], low: list[str], medium: int) -> str:
    """`rolls 1d8+2, may roll 1d6`: the dice that always fall, and those that fall only if others
    fall high, or low."""
    sure = Counter(high) & Counter(low)
    both = [*sure.elements()]
    may = [*(Counter(high) - sure).elements(), *(Counter(low) - sure).elements()]
    lines = [
        f"{says} {', '.join(say(dice_in_words(each), medium) for each in dice)}"
        for says, dice in (("rolls", both), ("may roll", may))
    ]
    return ", ".join(line for line, dice in zip(lines, (both, may), strict=True) if dice)


def incomplete_text(line: str, refusal: Refused, typing: bool) -> PreviewLine:
    """A refusal of a line: what is wanted at its end, or what is wrong in it."""
    whole = len(line.split()) - (typing and not line.endswith(" "))
    wanting = refusal.at is not None and refusal.at + 1 >= whole
    return refusal_text(line, refusal, "hint" if wanting else "refused")


def nothing_foreseen(line: str, dice: DiceSource) -> Decision:
    """Refuse to preview a line."""
    raise Refused("")


def lacks_words(line: str, refusal: Refused) -> bool:
    """True if a line was refused because words are missing at its end, before `by NAME`.

    A refusal without a word's position is about none; the line may not even split into words.
    """
    if refusal.at is None:
        return False
    words = tokenize(line)
    named = 2 if "by" in words[-2:-1] else 0
    return refusal.at >= len(words) - 1 - named


# -------------------------------------------------------------------------------------------------
# Before the die falls: the number to beat, what is added, reasons for advantage and disadvantage

LEANS = ("advantage", "disadvantage")
BOTH_OR_ONE = "both, or the one that counts"
"""The answers to a roll with advantage or disadvantage: both dice, or the one that counts."""
STATES = ("condition", "status", "state")
"""The kinds of effects that are states of somebody."""


def rolls_ahead(decision: Decision | None) -> list[Rolled]:
    """The checks of a command before the dice fall; none if it is refused."""
    rolls = (e for e in decision.events if isinstance(e, Rolled)) if decision is not None else ()
    return [e for e in rolls if e.natural is not None or (e.by_hand and e.outcome)]


def thrown_in(roll: Rolled) -> str:
    """The dice of a roll without bonuses, and without the extra die of advantage: `1d8`."""
    pools = parse_dice(roll.dice).pools
    return "+".join(f"{pool.kept_count}d{pool.sides}" for pool in pools)


def numbers_of(decision: Decision) -> list[int]:
    """The numbers to roll against, one for each target."""
    return list({e.against: e.dc for e in rolls_ahead(decision) if e.dc is not None}.values())


def added_in_words(decision: Decision) -> str:
    """`+3 CUNNING, +2 PB`: the bonuses on the die; empty if they differ."""
    words = {
        ", ".join(f"{format_signed(part.by)} {part.what}" for part in roll.parts if part.by)
        for roll in rolls_ahead(decision)
    }
    return words.pop() if len(words) == 1 else ""


def leaning_in_words(decision: Decision, tables: Tables) -> str:
    """`disadvantage: Oda is prone`, as `leanings` lists it, in one line."""
    return " · ".join(leanings(decision, tables))


def leanings(decision: Decision, tables: Tables) -> list[str]:
    """`disadvantage: Oda is prone`; for several rolls with different reasons, with names."""
    rows = [(each, _one(decision, tables, each)) for each in decision.advantages]
    if len({text for _, text in rows}) < 2:
        return [text for _, text in rows[:1] if text]
    name = decision.state.name
    return [f"{name(each.against or each.who)}: {text}" for each, text in rows if text]


def _one(decision: Decision, tables: Tables, roll: RollAdvantage) -> str:
    lines = {
        "advantage": _reasons(decision, tables, roll, roll.advantages),
        "disadvantage": _reasons(decision, tables, roll, roll.disadvantages),
    }
    if roll.comes_to == "cancel":
        both = " and ".join(f"{side} ({why})" for side, why in lines.items())
        return f"{both} cancel out"
    return f"{roll.comes_to}: {lines[roll.comes_to]}" if roll.comes_to else ""


def _reasons(decision: Decision, tables: Tables, roll: RollAdvantage, why: Iterable[str]) -> str:
    """The reasons, as sentences if they are states of the roller or the target."""
    states = [name for name, row in tables.effects.items() if row.kind in STATES]
    called = {state: (roll.who, state) for state in states}
    called |= {f"target {state}": (roll.against, state) for state in states}
    lines = []
    for reason in why:
        who, state = called.get(reason, ("", ""))
        lines.append(f"{decision.state.name(who)} is {state}" if who else reason)
    return join_or(lines, "and")


def how_many_dice(decision: Decision) -> str:
    """Return the words for a roll of two dice; empty for one die."""
    return BOTH_OR_ONE if any(each.comes_to in LEANS for each in decision.advantages) else ""


def changes_health(decision: Decision, tables: Tables) -> bool:
    """True if a command changes somebody's health."""
    changed = (event for event in decision.events if isinstance(event, TrackChanged))
    return any(event.by for event in changed if event.track == tables.health)
