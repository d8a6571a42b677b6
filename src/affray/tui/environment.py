"""Settings of the toolkit's that stand in the environment, asked before it begins with them.

Textual (8.2) ends with a traceback when one of them can't be had.
"""

from __future__ import annotations

from pathlib import Path

from rich import console
from textual import constants

from affray.core.language.refusal import Refused, did_you_mean, listed


def check_environment() -> None:
    """Raises Refused, in one line, for a setting that can't be had.

    TEXTUAL_DRIVER is seen to where it is used: only there it is known whether it can be.
    """
    wanted, known = constants.COLOR_SYSTEM, getattr(console, "COLOR_SYSTEMS", None)
    if wanted is not None and known is not None and wanted not in ("auto", *known):
        near, all_of_them = did_you_mean(wanted, known), listed(("auto", *known))
        raise Refused(f"TEXTUAL_COLOR_SYSTEM must be {all_of_them}, not {wanted!r}{near}")
    if constants.LOG_FILE:
        try:
            Path(constants.LOG_FILE).open("a", encoding="utf-8").close()
        except (OSError, ValueError) as error:
            raise Refused(f"TEXTUAL_LOG must name a file that can be written: {error}") from None


def driver_refused(error: Exception) -> Refused:
    """The refusal for a TEXTUAL_DRIVER with which importing it ended so."""
    return Refused(
        "TEXTUAL_DRIVER must name a driver of Textual's as MODULE:CLASS, "
        f"not {constants.DRIVER!r} ({error})"
    )
