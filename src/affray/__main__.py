"""The program: the `affray` command, and ``python -m affray``."""

from __future__ import annotations

import gc
import sys

UNTIL_STARTED = 300_000
"""So many objects are made before any garbage is looked for: more than there are at the start."""


def run() -> int:
    """Run affray with the arguments of the process; returns the exit status.

    Most objects made at the start last until the end. Collecting garbage among them, during the
    start and at the exit, would take a tenth of a short command's time.
    """
    gc.set_threshold(UNTIL_STARTED)
    from affray.cli import main  # here, since to load it is most of the start

    status = main()
    gc.freeze()
    return status


if __name__ == "__main__":
    sys.exit(run())
