"""The program: the `affray` command, and ``python -m affray``."""

from __future__ import annotations

import gc
import sys

GC_THRESHOLD = (50_000, 20, 50)
"""The thresholds of garbage collection, so high that it seldom runs during a key press."""


def run() -> int:
    """Run affray with the arguments of the process; gives the exit status.

    Most objects made at the start last until the end. Collecting garbage among them, during the
    start and at the exit, would take a tenth of a short command's time.
    """
    gc.set_threshold(*GC_THRESHOLD)
    from affray.cli import main  # here, since to load it is most of the start

    status = main()
    gc.freeze()
    return status


if __name__ == "__main__":
    sys.exit(run())
