"""Standard input and output: commands in, lines and JSON out, in which a terminal obeys nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from affray.core.language.refusal import Refused
from affray.core.telling.plain import plain
from affray.store.disk import reason


class Unprinted(Refused):
    """What was to be printed could not be: there is no room for it, say."""


def commands_in(stream: TextIO | None) -> Iterator[str]:
    """Commands, one a line; empty lines and those that begin with # are passed over."""
    if stream is None:
        raise Refused("expected commands, or standard input with one a line; it is closed")
    try:
        for line in stream:
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.strip()
    except UnicodeDecodeError as error:
        raise Refused(f"standard input is no {error.encoding.upper()} text") from None
    except OSError as error:
        raise Refused(f"standard input can't be read ({reason(error)})") from None


def put(text: str) -> None:
    """Print a text as it is, now.

    Raises BrokenPipeError when nobody reads any more, else Unprinted.
    """
    try:
        print(text, flush=True)
    except OSError as error:
        # What could not be written must not be tried again, and complained of, at the very end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise Unprinted(f"standard output can't be written ({reason(error)})") from None


def tell(*lines: str) -> None:
    """Print lines in which a terminal finds nothing to obey. Raises as `put`."""
    put("\n".join(map(plain, lines)))


def note(*lines: str) -> None:
    """Print what there is to say beside what was asked for."""
    for line in lines:
        print(plain(f"affray: {line}"), file=sys.stderr)


def as_json(value: Any) -> str:
    """As JSON in which a terminal finds nothing to obey: what can't be printed is escaped."""
    import json  # here, since most of what is printed is for people

    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() else json.dumps(ch)[1:-1] for ch in text)
