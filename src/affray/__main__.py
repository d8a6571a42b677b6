"""The program: the `affray` command, and ``python -m affray``."""

from __future__ import annotations

import gc
import sys

OFTEN = (50_000, 20, 50)
"""So many objects before Python looks for those that nobody uses any more: seldom in a key."""


def run() -> int:
    """Run affray with the arguments of the process; gives the exit status.

    Most of what a start makes lasts until the end. To look through it a hundred times as it grows,
    and once more when all of it goes, would be a tenth of what a short command takes.
    """
    gc.set_threshold(*OFTEN)
    from affray.cli import main  # here, since to load it is most of the start

    status = main()
    gc.freeze()
    return status


if __name__ == "__main__":
    sys.exit(run())
