"""Write what the program does to a file, to help find a fault in it: `--debug FILE`.

Until `start` nothing is written, and Python's logging is not imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from affray.core.formatting.safe_text import to_one_line
from affray.core.parser.errors import Refused

if TYPE_CHECKING:
    from logging import FileHandler, Logger

HEADER = "affray debug log"
_ABOUT = f"{HEADER}: it names what was typed, and who fights; read it over before you pass it on\n"
_PARTS = ("textual", "rich", "msgspec", "tomli", "filelock", "platformdirs")
_SETTINGS = ("TERM", "COLORTERM", "NO_COLOR", "ESCDELAY", "LANG", "LC_ALL")
_PREFIXES = ("AFFRAY_", "TEXTUAL_", "TERM_", "PYTHON")
_FORM = "%(asctime)s %(name)s %(message)s"

_logger: Logger | None = None
_told_to: FileHandler | None = None


def is_enabled() -> bool:
    """True while a debug log is written."""
    return _logger is not None


def start(path: Path, arguments: Sequence[str], version: str) -> None:
    """Append to a debug log from now on: first the program's `version` and its arguments.

    Raises Refused for a file that can't be written, or that is no debug log.
    """
    try:
        _check(path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Refused(f"--debug: {path} can't be written ({why}); nothing was done") from None
    import logging

    logging.raiseExceptions = False  # a full disk is no reason to write over the screen
    told_to = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    told_to.setFormatter(logging.Formatter(_FORM))
    root = logging.getLogger()  # libraries log to the same file
    root.addHandler(told_to)
    root.setLevel(logging.DEBUG)
    global _logger, _told_to
    _logger, _told_to = logging.getLogger("affray"), told_to
    log_line("affray %s, Python %s, %s", version, sys.version, sys.platform)
    log_line("with %s", _versions())
    log_line("arguments: %s", list(arguments))
    log_line("settings: %s", {n: v for n, v in sorted(os.environ.items()) if _is_setting(n)})


def stop() -> None:
    """Write nothing more, and close the file."""
    global _logger, _told_to
    if _logger is not None and _told_to is not None:
        log_line("over")
        _logger.root.removeHandler(_told_to)
        _logger.root.setLevel("WARNING")  # as it begins
        _told_to.close()
        _logger = _told_to = None


def log_line(message: str, *parts: object) -> None:
    """Write a message on one line, if a debug log is written."""
    if _logger is not None:
        _logger.debug("%s", to_one_line(message % parts))


def log_timing(what: str) -> AbstractContextManager[None]:
    """Log a step: its begin, its outcome, and how long it took."""
    return nullcontext() if _logger is None else _timed(what)


@contextmanager
def _timed(what: str) -> Iterator[None]:
    log_line("%s", what)
    begun = perf_counter()
    try:
        yield
    except Exception as error:
        log_line("→ %s after %.1f ms: %s", type(error).__name__, _since(begun), error)
        raise
    log_line("→ done in %.1f ms", _since(begun))


def _since(begun: float) -> float:
    return (perf_counter() - begun) * 1000


def unexpected(error: BaseException) -> None:
    """Log an unexpected error with its traceback."""
    if _logger is not None:
        _logger.error("unexpected: %s", type(error).__name__, exc_info=error)


def _check(path: Path) -> None:
    """Create the file with its first line. Raises Refused, OSError or ValueError."""
    if path.exists() and not path.is_file():
        raise ValueError("not a plain file")
    with path.open("ab+") as file:
        file.seek(0)
        first = file.read(len(HEADER))
        if first and first != HEADER.encode():
            raise Refused(f"--debug: {path} exists already, and is no debug log; name another file")
        if not first:
            file.write(_ABOUT.encode())


def _versions() -> str:
    """Of the parts that are installed as packages of their own."""
    from importlib.metadata import distributions

    found = {each.name: each.version for each in distributions()}
    return ", ".join(f"{part} {found[part]}" for part in _PARTS if part in found)


def _is_setting(name: str) -> bool:
    return name in _SETTINGS or name.startswith(_PREFIXES)
