"""The log on disk, one encounter per TOML file that only ever grows; and campaigns of such files.

`entry_toml` writes one entry and seals it, `log_recovery` judges which bytes still are a log, and
`log_file` reads a log and appends to it: these deal in plain dicts, and know no rule and no kind of
event. `entries` makes events of them, and `open_encounter` the fight that is played.

The errors of all of them are here, each an exception whose message is one line for the GM.
"""

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
