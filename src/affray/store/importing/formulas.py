"""The little of a spreadsheet's formulas that lists of creatures use.

`=IF(AJ4="AC",5+$L4,3+$L4)`: any cell that a formula names is one of its own row, whatever number it
has: rows are taken out of such lists, and the numbers stay as they were.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<text>\"(?:[^\"]|\"\")*\")|(?P<name>[A-Z]{2,12})(?=\()"
    r"|(?P<cell>\$?[A-Z]{1,3})(?![A-Z])|(?P<sign><>|<=|>=|[-+*/=<>(),&]))"
)
_ROW = re.compile(r"(\$?\b[A-Z]{1,3})\$?\d{1,7}\b")
Cell = Callable[[str], Any]
"""What stands in the own row's column of that letter."""


class _FormulaError(ValueError):
    """A formula that is not understood."""


def computed(formula: str, cell: Cell) -> Any:
    """What a formula comes to; None where it isn't understood."""
    try:
        reader = _Reader(_tokens(_ROW.sub(r"\1", formula.removeprefix("="))), cell)
        value = reader.compared()
        reader.expect_end()
    except (_FormulaError, ZeroDivisionError, OverflowError, TypeError, RecursionError):
        return None
    return int(value) if isinstance(value, float) and value.is_integer() else value


@lru_cache(maxsize=256)
def _tokens(text: str) -> list[tuple[str, str]]:
    """The tokens of a formula without its rows' numbers, by which those of a column are one."""
    found: list[tuple[str, str]] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or len(found) > 500:
            raise _FormulaError
        kind = str(match.lastgroup)
        found.append((kind, match[kind]))
        at = match.end()
    return found


class _Reader:
    """Goes through the tokens of a formula once."""

    def __init__(self, tokens: list[tuple[str, str]], cell: Cell) -> None:
        self.tokens = tokens
        self.cell = cell
        self.at = 0

    def expect_end(self) -> None:
        if self.at < len(self.tokens):
            raise _FormulaError

    def _take(self, *signs: str) -> str:
        kind, said = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        if kind != "sign" or said not in signs:
            return ""
        self.at += 1
        return said

    def compared(self) -> Any:
        left = self._sum()
        while sign := self._take("=", "<>", "<=", ">=", "<", ">"):
            left = _COMPARED[sign](left, self._sum())
        return left

    def _sum(self) -> Any:
        left = self._product()
        while sign := self._take("+", "-", "&"):
            right = self._product()
            left = (
                f"{left}{right}"
                if sign == "&"
                else _number(left) + (_number(right) if sign == "+" else -_number(right))
            )
        return left

    def _product(self) -> Any:
        left = self._factor()
        while sign := self._take("*", "/"):
            right = _number(self._factor())
            left = _number(left) * right if sign == "*" else _number(left) / right
        return left

    def _factor(self) -> Any:
        if self._take("-"):
            return -_number(self._factor())
        if self._take("("):
            value = self.compared()
            self._close()
            return value
        if self.at >= len(self.tokens):
            raise _FormulaError
        kind, said = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return float(said)
        if kind == "text":
            return said[1:-1].replace('""', '"')
        if kind == "cell":
            return self.cell(said.replace("$", ""))
        if kind == "name" and said in _FUNCTIONS and self._take("("):
            return _FUNCTIONS[said](*self._arguments())
        raise _FormulaError

    def _arguments(self) -> list[Any]:
        found = [self.compared()]
        while self._take(","):
            found.append(self.compared())
        self._close()
        return found

    def _close(self) -> None:
        if not self._take(")"):
            raise _FormulaError


def _number(value: Any) -> float:
    if value in (None, ""):
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _FormulaError
    try:
        return float(value)
    except ValueError:
        raise _FormulaError from None


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, str) or isinstance(right, str):
        said = ["" if v is None else str(v).strip().casefold() for v in (left, right)]
        return said[0] == said[1]
    return _number(left) == _number(right)


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": _same,
    "<>": lambda a, b: not _same(a, b),
    "<": lambda a, b: _number(a) < _number(b),
    ">": lambda a, b: _number(a) > _number(b),
    "<=": lambda a, b: _number(a) <= _number(b),
    ">=": lambda a, b: _number(a) >= _number(b),
}


def _rounded(value: Any, digits: Any, how: Callable[[float], float]) -> float:
    step = 10 ** _number(digits)
    scaled = _number(value) * step
    return math.copysign(how(abs(scaled)), scaled) / step


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "IF": lambda test, yes, no="": yes if test else no,
    "ROUNDDOWN": lambda value, digits=0: _rounded(value, digits, math.floor),
    "ROUNDUP": lambda value, digits=0: _rounded(value, digits, math.ceil),
    "ROUND": lambda value, digits=0: _rounded(value, digits, lambda x: math.floor(x + 0.5)),
    "INT": lambda value: math.floor(_number(value)),
    "MIN": lambda *values: min(map(_number, values)),
    "MAX": lambda *values: max(map(_number, values)),
    "SUM": lambda *values: sum(map(_number, values)),
}
