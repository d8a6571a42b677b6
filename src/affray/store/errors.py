"""What can be wrong with a log, each as an exception whose message is one line for the GM."""

from __future__ import annotations


class LogError(Exception):
    """A fault of a log, as one line for the GM. Nothing has been changed."""


class NotALog(LogError):  # noqa: N818
    """The file is there, and is no affray log."""


class NewerFormat(LogError):  # noqa: N818
    """A later affray wrote it, in a way that this one doesn't know."""


class InUse(LogError):  # noqa: N818
    """Another process, or another part of this one, has the log open for writing."""


class StaleLog(LogError):  # noqa: N818
    """Somebody else saved the file since it was read. The command was not saved: reread first."""


class SaveFailed(LogError):  # noqa: N818
    """A command could not be saved. The message says so, and why."""
