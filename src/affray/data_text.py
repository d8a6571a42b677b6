"""Read TOML and JSON: the one place for both, so that no text can do more than not be read.

A text of a few kB may nest a thousand deep, and whatever walks it then, here or long after, would
run out of stack. Such a text is refused like one with a slip in it.
"""

from __future__ import annotations

import re
from typing import Any

import tomli

Table = dict[str, Any]
"""What TOML and JSON call a table, or an object."""
MOST_NESTED = 96
"""How deep tables and lists may stand in one another; a value of an entry has 64 at most."""
TOO_DEEP = f"tables or lists are nested more than {MOST_NESTED} deep"


class DataError(ValueError):
    """A text that is no TOML or no JSON, in one line.

    line    where in the text; 0 if nobody can tell
    reason  what is wrong, without the line
    """

    def __init__(self, text: str, reason: str = "", line: int = 0) -> None:
        super().__init__(" ".join(text.split()))
        self.reason = reason or text
        self.line = line


def read_toml(text: str) -> Table:
    """Read a text of TOML. Raises DataError, and nothing else, whatever the text is."""
    try:
        read = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise DataError(str(error), error.msg, error.lineno) from None
    except RecursionError:
        raise DataError(TOO_DEEP) from None
    except (ValueError, OverflowError) as error:  # a number of thousands of digits
        raise DataError(str(error)) from None
    _check_depth(read)
    return read


def read_json(text: str) -> Any:
    """Read a text of JSON. Raises DataError, and nothing else, whatever the text is."""
    import json  # here, since a fight is TOML

    try:
        read = json.loads(text)
    except RecursionError:
        raise DataError(TOO_DEEP) from None
    except ValueError as error:
        raise DataError(str(error), line=getattr(error, "lineno", 0)) from None
    if text.count("[") + text.count("{") > MOST_NESTED:
        _check_depth(read)
    return _with_whole_signs(read) if "\\u" in text and _HALF_SIGN.search(text) else read


_HALF_SIGN = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a sign in an escape, which no text can be saved with, unless its other half is there."""


def _with_whole_signs(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_with_whole_signs(each) for each in value]
    if isinstance(value, dict):
        return {_with_whole_signs(key): _with_whole_signs(each) for key, each in value.items()}
    return value


def _check_depth(read: Any) -> None:
    level = [read] if isinstance(read, dict | list) else []
    for _ in range(MOST_NESTED + 1):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is dict or type(inner) is list
        ]
        if not level:
            return
    raise DataError(TOO_DEEP)
