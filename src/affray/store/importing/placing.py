"""Files that were made apart are put where they belong: all of them, or none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from affray.store.disk import explained, sync_folder


def put_in_place(staged: Mapping[Path, Path]) -> None:
    """Move whole files to their places, in the place of what is there: staged -> where to.

    Both must be on one disk. When it is stopped halfway, what was there before is put back. Raises
    LogError.
    """
    done: list[tuple[Path, Path | None]] = []
    try:
        for made, target in staged.items():
            with explained(target):
                kept = _kept(made, target)
                done.append((target, kept))
                made.replace(target)
        for folder in {target.parent for target in staged.values()}:
            with explained(folder):
                sync_folder(folder)
    except BaseException:
        for target, kept in reversed(done):
            with suppress(OSError):
                target.unlink() if kept is None else kept.replace(target)
        raise


def _kept(made: Path, target: Path) -> Path | None:
    """What is at the target, kept beside what takes its place; None where nothing is."""
    if not os.path.lexists(target):
        return None
    kept = made.with_name(f"{made.name}.before")
    shutil.copy2(target, kept)
    return kept
