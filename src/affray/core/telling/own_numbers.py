"""A combatant's own numbers and words, as people read them: `Fly 8`, `Size large`, `Darkvision`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from affray.core.language.refusal import signed
from affray.core.rules.tables import Tables


def is_of_tables(value: object) -> bool:
    """Whether it is a list of things with fields of their own, such as attacks."""
    return isinstance(value, list) and any(isinstance(part, dict) for part in value)


def own_numbers(tables: Tables, stats: Mapping[str, Any], told: Collection[str]) -> Iterator[str]:
    """What is known of somebody beside what counts, each in a few words.

    `told` has the names of the totals, and of what somebody can do by itself: those are told
    elsewhere. What is 0, or not so, is not told at all.
    """
    for name, value in stats.items():
        rule = tables.total(name)
        if not value or (rule.whole and name in told):
            continue
        if isinstance(value, list | tuple):
            parts = [p for p in value if not (isinstance(p, dict) and p.get("name") in told)]
            if not parts:
                continue
            words = ", ".join(_in_words(part) for part in parts)
        elif isinstance(value, dict):
            words = ", ".join(f"{key} {_in_words(part)}" for key, part in value.items())
        elif value is True:
            words = ""
        else:
            is_bonus = isinstance(value, int) and not rule.whole
            words = signed(value) if is_bonus else str(value)
        yield f"{rule.label} {words}".strip()


def _in_words(part: object) -> str:
    """A word, or what a table holds, one behind the other: `claw +6 1d6+2 slashing threat 2`.

    Numbers stand behind their names, but for the `bonus`, which is known by its sign.
    """
    if isinstance(part, dict):
        return " ".join(_named(name, value) for name, value in part.items())
    return " ".join(map(str, part)) if isinstance(part, list | tuple) else str(part)


def _named(name: str, value: object) -> str:
    label = name.replace("_", "-")
    if value is True:
        return label
    if isinstance(value, int):
        return signed(value) if name == "bonus" else f"{label} {value}"
    return _in_words(value)
