"""Standard input and output: read commands, print lines and JSON without control codes."""

from __future__ import annotations

import errno
import io
import os
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any, TextIO

from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import Refused
from affray.store.filesystem import ON_WINDOWS, os_error_text


class OutputFailed(Refused):
    """Output could not be written, for example because a disk is full."""


def prepare_output() -> None:
    """Let standard output and error show what they can, and `?` for the rest.

    What goes into a file or another program is UTF-8 on Windows, too, where it would be in the
    encoding of the country; PYTHONIOENCODING asks for another.
    """
    is_free = ON_WINDOWS and not os.environ.get("PYTHONIOENCODING")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
            if is_free and not stream.isatty():
                stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")


def decode_line(raw: bytes, encoding: str | None) -> str:
    """Return a line of standard input as text: UTF-8, or else in the encoding of the system.

    Windows calls a pipe one of the country's encodings, though most of what is piped is UTF-8, with
    a mark before it or without. Raises UnicodeDecodeError for what is neither.
    """
    try:
        return raw.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError:
        if b"\0" in raw:  # UTF-16, which most encodings take for something
            raise
        return raw.decode(encoding or "utf-8")


def commands_in(stream: TextIO | None) -> Iterator[str]:
    """Yield commands, one a line; empty lines and lines that begin with # are skipped."""
    if stream is None:
        raise Refused("expected commands, or standard input with one on each line; it is closed")
    try:
        for line in _lines_of(stream):
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.strip()
    except UnicodeDecodeError as error:
        raise Refused(f"standard input is not {error.encoding.upper()} text") from None
    except OSError as error:
        raise Refused(f"standard input can't be read ({os_error_text(error)})") from None


def _lines_of(stream: TextIO) -> Iterator[str]:
    if not isinstance(stream, io.TextIOWrapper):
        yield from stream
        return
    for raw in stream.buffer:
        yield from decode_line(raw, stream.encoding).split("\r")


def print_raw(text: str) -> None:
    """Print a text unchanged, and flush it.

    Raises BrokenPipeError if nobody reads any more, OutputFailed for any other fault.
    """
    try:
        print(text, flush=True)
    except OSError as error:
        drop_output()
        if isinstance(error, BrokenPipeError) or (ON_WINDOWS and error.errno == errno.EINVAL):
            raise BrokenPipeError from None
        raise OutputFailed(f"standard output can't be written ({os_error_text(error)})") from None


def drop_output() -> None:
    """Let standard output lead nowhere, once it can't be written any more.

    Else Python would try to write what is left of it again at the exit, and fail with a traceback.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
