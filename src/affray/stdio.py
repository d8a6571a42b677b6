"""Standard input and output: read commands, print lines and JSON without control codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import Refused
from affray.store.filesystem import os_error_text


class OutputFailed(Refused):
    """Output could not be written, for example because a disk is full."""


def commands_in(stream: TextIO | None) -> Iterator[str]:
    """Yield commands, one a line; empty lines and lines that begin with # are skipped."""
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
    """Print a text unchanged, and flush it.

    Raises BrokenPipeError if nobody reads any more, OutputFailed for any other fault.
    """
    try:
        print(text, flush=True)
    except OSError as error:
        # Else Python would try to write it again at exit, and print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise OutputFailed(f"standard output can't be written ({os_error_text(error)})") from None


def print_lines(*lines: str) -> None:
    """Print lines without control codes. Raises as `print_raw`."""
    print_raw("\n".join(map(strip_control_chars, lines)))


def print_stderr(*lines: str) -> None:
    """Print remarks to standard error."""
    for line in lines:
        print(strip_control_chars(f"affray: {line}"), file=sys.stderr)


def as_json(value: Any) -> str:
    """Format a value as JSON; characters that can't be printed are escaped."""
    import json  # here, since most of what is printed is for people

    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() else json.dumps(ch)[1:-1] for ch in text)
