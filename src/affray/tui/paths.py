"""The path of a file, completed while it is typed."""

from __future__ import annotations

import os
from pathlib import Path

from affray.tui.prompts.command_line import alike


def completed(typed: str) -> tuple[str, list[str]]:
    """`~/Down` as `~/Downloads/`: as far as all are alike that begin so; and what each is called.

    A folder ends with its slash. Hidden ones are meant only where a dot was typed. Where nothing
    begins so, or the folder can't be read, it stays as it was typed, and there are no names.
    """
    folder, begun = os.path.split(typed)
    if typed == "~":
        return f"~{os.sep}", []
    try:
        found = sorted(Path(folder or ".").expanduser().iterdir())
        names = [
            f"{path.name}{os.sep}" if path.is_dir() else path.name
            for path in found
            if path.name.startswith(begun) and (begun or not path.name.startswith("."))
        ]
    except (OSError, RuntimeError):  # no such folder, or nobody's home
        return typed, []
    if not names:
        return typed, []
    return typed[: len(typed) - len(begun)] + alike(names), names
