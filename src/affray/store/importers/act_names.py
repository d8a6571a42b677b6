"""The meaning of acts' names: their uses, and their cost in a turn."""

from __future__ import annotations

import re
from typing import NamedTuple

from affray.core.rules.imported_creature import Sort

_DIGIT = re.compile(r"\d")
BRACKETS = re.compile(r"\s*\(([^()]*)(?:\)|$)")
"""The text in brackets in a name."""

_RECHARGE = re.compile(
    r"recharges?:?(?: on)?(?: an?)? (\d)(?:\s?[-–−—]?\s?6)?|\(([2-5]) ?[-–−—] ?6\)", re.IGNORECASE
)
_TIMES = {"once": 1, "twice": 2, "three times": 3, "four times": 4, "five times": 5}
_USES = re.compile(
    rf"(?<![d\d])(\d{{1,2}}|{'|'.join(_TIMES)}) ?(?:/|per|a) ?"
    r"(day|rest|turn|round|short|long|encounter|battle)",
    re.IGNORECASE,
)
_REST = re.compile(r"recharges?:?(?: after)?(?: an?)? (short|long)", re.IGNORECASE)
_COST = re.compile(r"costs? (\d)\b|^(\d) (?:(?:legendary |mythic )?actions?|LA)$", re.IGNORECASE)

_TAKEN = re.compile(
    r"^(?P<before>bonus action|reaction|free action): +"
    r"|[(\[](?P<behind>bonus|reaction|legendary|free|action)(?: action)?\b(?=[)\];,])",
    re.IGNORECASE,
)
"""What an act takes, before its name or in brackets behind it: `Vanish (Bonus Action)`."""
_SORT_OF: dict[str, Sort] = {
    "bonus": "bonus", "reaction": "reaction", "legendary": "legendary", "free": "free",
    "action": "action",
}  # fmt: skip

_LIMITS = (_USES, _REST, _RECHARGE, _COST)

_OFTEN = r"recharges?:? (?:on |an? )*[2-6](?:[^\w()]{1,3}6)?|\d ?/ ?(?:day|short rest|long rest)"
_IN_TEXT = re.compile(
    rf"^\W{{0,3}}(?P<first>{_OFTEN})[)\]*_]*[.:;)]|[(\[](?P<beside>{_OFTEN})[)\]]\W*$",
    re.IGNORECASE,
)
"""How often, at the beginning or the end of an act's text: `Recharge 5-6. The drake ...`."""
_ANOTHERS = re.compile(r"\b[A-Z][\w'’]+ $")
"""Before what is told of another act: `uses its Fire Breath (Recharge 5-6)`."""

PER = {"short": "rest", "long": "day", "battle": "encounter"}


def without_what_it_takes(name: str) -> tuple[str, Sort | None]:
    """Split a name into itself and the act's cost in a turn; None for none."""
    may_be = any(mark in name for mark in "([:")
    found = _TAKEN.search(name) if may_be else None
    if found is None:
        return name, None
    sort = _SORT_OF[(found["before"] or found["behind"]).casefold().split()[0]]
    before, after = name[: found.start()], name[found.end() :]
    if after[:1] in (";", ","):  # in brackets with more
        return f"{before}({after[1:].lstrip()}", sort
    return f"{before}{after[1:] if found['behind'] else after}".strip() or name, sort


class UsageLimits(NamedTuple):
    """The limits of use, and the cost, as an `ImportedFeature` has them."""

    uses: int
    per: str
    recharge: int
    cost: int


def parse_usage(name: str) -> UsageLimits:
    """Read the limits of use in the brackets of a name: `Fire Breath (recharge 5-6)`."""
    if "(" not in name and not _DIGIT.search(name) and "echarge" not in name:
        return UsageLimits(0, "", 0, 1)  # as most names
    uses = _USES.search(name)
    rest = _REST.search(name)
    recharge = _RECHARGE.search(name)
    costs = [found for value in BRACKETS.findall(name) if (found := _COST.search(value))]
    cost = int(costs[0][1] or costs[0][2]) if costs else 1
    per = uses[2].casefold() if uses else ("rest" if rest and rest[1].casefold() == "short" else "")
    per = per or ("day" if rest else "")
    often = uses[1].casefold() if uses else ""
    times = (_TIMES.get(often) or int(often)) if uses else (1 if rest else 0)
    face = int(recharge[1] or recharge[2]) if recharge else 0
    return UsageLimits(times, PER.get(per, per), face if 2 <= face <= 6 else 0, cost)


def usage_in(text: str) -> str:
    """The words on how often an act can be used, in its text; empty for none: the name has it."""
    found = _IN_TEXT.search(text) if "echarge" in text or "/" in text else None
    if found is None or (found["beside"] and _ANOTHERS.search(text[: found.start()])):
        return ""
    return found["first"] or found["beside"]


def bare_name(name: str) -> str:
    """The name without the uses in brackets."""

    def without_limits(match: re.Match[str]) -> str:
        parts = [part.strip() for part in re.split(r"[;,]", match[1])]
        rest = [part for part in parts if not any(limit.search(part) for limit in _LIMITS)]
        return match[0] if rest == parts else f" ({', '.join(rest)})" if rest else ""

    if "(" not in name:
        return name.strip(" .:") or name
    bare = re.sub(r"[;,] ?\)", ")", BRACKETS.sub(without_limits, name))
    return bare.strip(" .:") or name
