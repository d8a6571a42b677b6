"""Standard input and output: commands in, lines and JSON out, in which a terminal obeys nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import Refused
from affray.store.filesystem import os_error_text


class OutputFailed(Refused):
    """Output could not be written, for lack of room, say."""


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
        raise Refused(f"standard input can't be read ({os_error_text(error)})") from None


def print_raw(text: str) -> None:
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
        raise OutputFailed(f"standard output can't be written ({os_error_text(error)})") from None


def print_lines(*lines: str) -> None:
    """Print lines in which a terminal finds nothing to obey. Raises as `put`."""
    print_raw("\n".join(map(strip_control_chars, lines)))


def print_stderr(*lines: str) -> None:
    """Print what there is to say beside what was asked for."""
    for line in lines:
        print(strip_control_chars(f"affray: {line}"), file=sys.stderr)


def as_json(value: Any) -> str:
    """Write JSON in which a terminal finds no control codes: what can't be printed is escaped."""
    import json  # here, since most of what is printed is for people

    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() else json.dumps(ch)[1:-1] for ch in text)
