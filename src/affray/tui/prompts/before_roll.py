"""What is said of a roll before its die falls: what it is made against, what is added, and every
reason for advantage and disadvantage; of several rolls, each has its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from affray.core.heart.advantage import RollAdvantage
from affray.core.heart.decide import Decision
from affray.core.heart.events import Rolled
from affray.core.language.refusal import listed
from affray.core.rules.tables import Tables

LEANS = ("advantage", "disadvantage")
STATES = ("condition", "status", "state")
"""The kinds of effects that somebody is."""
_OF_TARGET = "target "
"""How reasons begin that lie with the target."""
_ADDED = re.compile(r"[+−-]\d")


class Ahead(Struct, frozen=True):
    """The d20s that a command makes, as they stand before they fall, with the same place for each.

    rolls       what they are rolled as, each against its number
    advantages  what speaks for and against each of them
    """

    rolls: tuple[Rolled, ...]
    advantages: tuple[RollAdvantage, ...]

    @property
    def leaning(self) -> list[RollAdvantage]:
        """Those that are made with advantage or with disadvantage."""
        return [each for each in self.advantages if each.comes_to in LEANS]


def ahead_of(made: Decision) -> Ahead:
    """The rolls of what a command would come to."""
    rolls = (e for e in made.events if isinstance(e, Rolled))
    d20s = tuple(e for e in rolls if e.natural is not None or (e.by_hand and e.outcome))
    return Ahead(d20s, made.advantages)


def numbers_of(made: Decision) -> list[int]:
    """What the rolls are made against, each against its own number."""
    return list({e.against: e.dc for e in ahead_of(made).rolls if e.dc is not None}.values())


def added_in_words(made: Decision) -> str:
    """`+3 CUNNING, +2 PB`: what is added to the die; nothing where that differs."""
    said = {", ".join(filter(_ADDED.match, e.why.split(", "))) for e in ahead_of(made).rolls}
    return said.pop() if len(said) == 1 else ""


def leaning_in_words(made: Decision, tables: Tables) -> str:
    """`disadvantage: Oda is prone`; of several rolls, whose it is where they differ."""
    rows = [(each, _one(made, tables, each)) for each in made.advantages]
    if len({told for _, told in rows}) < 2:
        return rows[0][1] if rows else ""
    return " · ".join(
        f"{made.state.name(each.against or each.who)}: {told}" for each, told in rows if told
    )


def _one(made: Decision, tables: Tables, roll: RollAdvantage) -> str:
    told = {
        "advantage": _reasons(made, tables, roll, roll.advantages),
        "disadvantage": _reasons(made, tables, roll, roll.disadvantages),
    }
    if roll.comes_to == "cancel":
        both = " and ".join(f"{side} ({why})" for side, why in told.items())
        return f"{both} cancel out"
    return f"{roll.comes_to}: {told[roll.comes_to]}" if roll.comes_to else ""


def _reasons(made: Decision, tables: Tables, roll: RollAdvantage, why: Iterable[str]) -> str:
    """The reasons as sentences, where they are states of whoever rolls or of the target."""
    told = []
    for reason in why:
        state = reason.removeprefix(_OF_TARGET)
        who = roll.against if state != reason else roll.who
        rule = tables.effects.get(state)
        is_state = rule is not None and rule.kind in STATES
        told.append(f"{made.state.name(who)} is {state}" if is_state and who else reason)
    return listed(told, "and")


def lone_die(digits: str, ahead: Ahead | None) -> str:
    """Why one die can't stand yet for two; empty where each roll has as many as it needs.

    It is taken once it is said that it is the one that counts.
    """
    faces = [face for face in digits.split(",") if face]
    if ahead is None or not ahead.leaning or len(faces) != max(1, len(ahead.advantages)):
        return ""
    leans = _sides([each.comes_to for each in ahead.leaning])
    which = faces[0] if len(faces) == 1 else "one die for each"
    return f"{leans}, and {which} is one die: enter takes it as the one that counts"


def _sides(found: Sequence[str]) -> str:
    return " and ".join(dict.fromkeys(found))
