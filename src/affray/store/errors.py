"""What can be wrong with a log, each as an exception whose message is one line for the GM."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affray.store.log_recovery import ParsedLog


class LogError(Exception):
    """A fault of a log, as one line for the GM. Nothing has been changed."""


class NotALog(LogError):  # noqa: N818
    """The file is there, and is no affray log."""


class NewerFormat(LogError):  # noqa: N818
    """A later affray wrote it, in a way that this one doesn't know."""


class Damaged(LogError):  # noqa: N818
    """The middle of the log is broken. `line` says where, `prefix` is the log before it."""

    def __init__(self, what: str, line: int, prefix: ParsedLog) -> None:
        text = f"what is before it can be read, up to entry {prefix.last_seq}"
        super().__init__(f"{what}; {text}")
        self.line = line
        self.prefix = prefix


class InUse(LogError):  # noqa: N818
    """Another process, or another part of this one, has the log open for writing."""


class StaleLog(LogError):  # noqa: N818
    """Somebody else saved the file since it was read. The command was not saved: reread first."""


class SaveFailed(LogError):  # noqa: N818
    """A command could not be saved. The message says so, and why."""
