"""Numbers of the list as they are typed, digit by digit, with no clock that ends one."""

from __future__ import annotations

from collections.abc import Collection


def begins_one(digits: str, numbers: Collection[int]) -> bool:
    """Whether digits are a number of the list, or begin one."""
    return any(str(number).startswith(digits) for number in numbers)


def may_grow(digits: str, numbers: Collection[int]) -> bool:
    """Whether digits begin a longer number of the list."""
    return any(str(n).startswith(digits) and len(str(n)) > len(digits) for n in numbers)


def grown(digits: str, key: str, numbers: Collection[int]) -> str:
    """The digits with one more behind them: `1` and `2` are `12`, where somebody has it.

    Else the new one begins a number by itself; empty where nobody's begins so.
    """
    both = digits + key
    return both if begins_one(both, numbers) else key if begins_one(key, numbers) else ""


def no_number(digits: str, numbers: Collection[int]) -> str:
    """That nobody has that number."""
    most = max(numbers, default=0)
    if 0 < int(digits) <= most:
        return f"{digits} is nobody's number any more"
    return f"{digits} is no number of the order: there are 1 to {most}"
