"""Formulas of other programs, as far as they compute numbers: `max(1, 3) * 2`, `IF(A == B, 5, 3)`.

Python's grammar reads them; only what stands here is computed.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

_NOTHING: dict[str, Any] = {}
LONGEST = 2_000
"""The characters of a formula; longer ones are not understood."""


class FormulaError(ValueError):
    """A formula that is not understood."""


def computed(
    formula: str,
    functions: Mapping[str, Callable[..., Any]] = _NOTHING,
    named: Callable[[str], Any] = _NOTHING.__getitem__,
) -> Any:
    """Compute a formula in Python's spelling; None if it isn't understood.

    Args:
        formula: Numbers, texts and names, with `+ - * /`, comparisons, brackets, and `&` between
            what is joined as text.
        functions: What it may call, by name.
        named: Returns the value of a name. Raises LookupError or FormulaError.
    """

    def value(node: ast.expr) -> Any:
        match node:
            case ast.Constant(given):
                return given
            case ast.Name(name):
                return named(name)
            case ast.UnaryOp(ast.USub(), of):
                return -to_number(value(of))
            case ast.UnaryOp(ast.UAdd(), of):
                return to_number(value(of))
            case ast.BinOp(left, ast.BitAnd(), right):
                return f"{_plain(value(left))}{_plain(value(right))}"
            case ast.BinOp(left, how, right):
                return _COMPUTED[type(how)](to_number(value(left)), to_number(value(right)))
            case ast.Compare(left, [how], [right]):
                return _COMPARED[type(how)](value(left), value(right))
            case ast.Call(ast.Name(name), given, []):
                return functions[name](*map(value, given))
        raise FormulaError

    try:
        return _plain(value(_parsed(formula)))
    except (
        SyntaxError, ValueError, LookupError, ArithmeticError, TypeError, RecursionError,
        MemoryError,
    ):  # fmt: skip
        return None


@lru_cache(maxsize=256)
def _parsed(formula: str) -> ast.expr:
    if len(formula) > LONGEST:
        raise FormulaError
    return ast.parse(f"({formula})", mode="eval").body


def _plain(value: Any) -> Any:
    """A value as a cell shows it: a whole number without a point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def to_number(value: Any) -> float:
    """The number that a value counts as, 0 for nothing. Raises FormulaError."""
    if value in (None, ""):
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise FormulaError
    return float(value)


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, str) or isinstance(right, str):
        words = ["" if v is None else str(v).strip().casefold() for v in (left, right)]
        return words[0] == words[1]
    return to_number(left) == to_number(right)


_COMPUTED: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: _same,
    ast.NotEq: lambda a, b: not _same(a, b),
    ast.Lt: lambda a, b: to_number(a) < to_number(b),
    ast.Gt: lambda a, b: to_number(a) > to_number(b),
    ast.LtE: lambda a, b: to_number(a) <= to_number(b),
    ast.GtE: lambda a, b: to_number(a) >= to_number(b),
}
