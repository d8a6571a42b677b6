"""Logs on disk: one append-only TOML file for each encounter, and campaigns of such files.

`entry_toml` writes one entry and seals it, `log_recovery` judges which bytes are a log, and
`log_file` reads a log and appends to it. These three handle plain dicts and know no kind of event.
`entries` converts the dicts to events, and `open_encounter` is the fight that is played.

The errors of the package are here; the message of each is one line for the GM.
"""

from __future__ import annotations


class LogError(Exception):
    """A file can't be read, written or understood. Nothing has been changed."""


class NotALog(LogError):  # noqa: N818
    """The file exists, and is not an affray log."""


class NewerFormat(LogError):  # noqa: N818
    """A later affray wrote the log, in a form that this version doesn't know."""


class InUse(LogError):  # noqa: N818
    """The log is already open for writing, in this process or another."""


class StaleLog(LogError):  # noqa: N818
    """Another program saved the file since it was read. Nothing was saved: reread first."""


class SaveFailed(LogError):  # noqa: N818
    """A command could not be saved; the message says why."""
