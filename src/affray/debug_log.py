"""Write what affray does to a file, to help find a fault in it: `--debug FILE`.

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
_ABOUT = f"{HEADER}: it contains what was typed and who fights; read it before you share it\n"
_PARTS = ("textual", "rich", "msgspec", "tomli", "filelock", "platformdirs")
_SETTINGS = ("TERM", "COLORTERM", "NO_COLOR", "ESCDELAY", "LANG", "LC_ALL")
_PREFIXES = ("AFFRAY_", "TEXTUAL_", "TERM_", "PYTHON")
_FORM = "%(asctime)s %(name)s %(message)s"

_logger: Logger | None = None
_handler: FileHandler | None = None


def is_enabled() -> bool:
    """True if a debug log is written."""
    return _logger is not None


def start(path: Path, arguments: Sequence[str], version: str) -> None:
    """Append to a debug log from now on: first affray's `version` and its arguments.

    Raises Refused for a file that can't be written, or that is no debug log.
    """
    try:
        _check(path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Refused(f"--debug: {path} can't be written ({why}); nothing was done") from None
    import logging
    from importlib.metadata import distributions

    logging.raiseExceptions = False  # a full disk is no reason to write over the screen
    handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter(_FORM))
    root = logging.getLogger()  # libraries log to the same file
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    global _logger, _handler
    _logger, _handler = logging.getLogger("affray"), handler
    log_line("affray %s, Python %s, %s", version, sys.version, sys.platform)
    found = {each.name: each.version for each in distributions()}
    log_line("with %s", ", ".join(f"{part} {found[part]}" for part in _PARTS if part in found))
    log_line("arguments: %s", list(arguments))
    settings = (n for n in sorted(os.environ) if n in _SETTINGS or n.startswith(_PREFIXES))
    log_line("settings: %s", {name: os.environ[name] for name in settings})


def stop() -> None:
    """Write nothing more, and close the file."""
    global _logger, _handler
    if _logger is not None and _handler is not None:
        log_line("over")
        _logger.root.removeHandler(_handler)
        _logger.root.setLevel("WARNING")  # as it begins
        _handler.close()
        _logger = _handler = None


def log_line(message: str, *parts: object) -> None:
    """Write a message on one line, if a debug log is written."""
    if _logger is not None:
        _logger.debug("%s", to_one_line(message % parts))


def log_timing(what: str) -> AbstractContextManager[None]:
    """Log a step: its start, its outcome, and how long it took."""
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
            raise Refused(
                f"--debug: {path} exists already, and is not a debug log; name another file"
            )
        if not first:
            file.write(_ABOUT.encode())
