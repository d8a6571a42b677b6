"""What surrounds the program is odd: the file of its keys, its input, output and environment."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tests.fuzz.limits import by_the_clock
from tests.torture.table import Tally, fault

from affray.tui.own_keys import own_keys

NO_FILES: dict[str, Callable[[Path], None]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a device without an end": lambda path: path.symlink_to("/dev/zero"),
    "an empty device": lambda path: path.symlink_to("/dev/null"),
    "a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a link to itself": lambda path: path.symlink_to(path),
    "a link to a pipe": lambda path: (
        os.mkfifo(path.with_name("pipe")),
        path.symlink_to("pipe"),
    )[1],
}


@fault("keys.toml is no plain file")
def no_keys(tally: Tally) -> None:
    """What is there is left aside with a line, and not waited for."""
    for what, make in NO_FILES.items():
        tally.tries += 1
        folder = tally.folder / what
        folder.mkdir()
        make(folder / "keys.toml")
        try:
            with by_the_clock():
                keys, complaints = own_keys(folder)
        except Exception as error:
            tally.breaks(what, error)
            continue
        if keys or len(complaints) != 1:
            tally.fails(f"{what}: {keys} {complaints}")
        for line in complaints:
            tally.say(line.replace(str(folder), "table"))
