"""What surrounds the program is odd: the file of its keys, its input, output and environment."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from unittest.mock import patch

from tests.fuzz import oddities
from tests.fuzz.limits import by_the_clock
from tests.torture.fights import log_of, saved_commands
from tests.torture.resident import Resident
from tests.torture.table import Tally, fault
from textual import constants

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.keymap import own_keys
from affray.tui.terminal import check_environment

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


FIGHT, MORE = "fight.toml", ["note 'a'", "note 'b'", "next"]
PRINTING = (
    ["show", FIGHT],
    ["show", FIGHT, "--json"],
    ["log", FIGHT],
    ["check", FIGHT],
    ["new", "new.toml"],
    ["roll", "2d6"],
    ["do", FIGHT, *MORE],
    ["do", FIGHT, "--json", *MORE],
    ["do", FIGHT, "--dry-run", *MORE],
    ["do", FIGHT],  # from standard input
)
_SAVED = re.compile(r"entr(?:y|ies) (\d+)(?: to (\d+))? w")


def _full() -> int:
    return os.open("/dev/full", os.O_WRONLY)


def _unread() -> int:
    ours, theirs = os.pipe()
    os.close(ours)
    return theirs


@fault("standard output is full, or nobody reads it")
def unprinted(tally: Tally) -> None:
    """One line says so; `do` stops there, and tells what it has saved. Who looks on may go."""
    if not Path("/dev/full").exists():
        tally.skipped = "there is no /dev/full here"
        return
    with Resident("affray.cli_commands") as resident:
        for _, arguments, output in product(range(tally.times(20, 1)), PRINTING, (_full, _unread)):
            tally.tries += 1
            path = tally.folder / FIGHT
            path.write_bytes(log_of(8))
            (tally.folder / "new.toml").unlink(missing_ok=True)
            status, said = _run_on(resident, tally.folder, arguments, output())
            where = f"{' '.join(arguments)}, {output.__name__.strip('_')}"
            if "Traceback" in said or said.count("\n") > 1:
                tally.breaks(f"{where}: {said[-300:]!r}")
            silent = output is _unread and arguments[0] != "do"
            if (status, bool(said)) != (0, False) and (silent or not (status == 2 and said)):
                tally.fails(f"{where}: {status}, {said!r}")
            if arguments[0] == "do":
                tally.say(said.removeprefix("affray: "), best="nobody")
                _as_told(tally, path, said, where)


def _run_on(resident: Resident, folder: Path, arguments: list[str], output: int) -> tuple[int, str]:
    """Run a command with that for its standard output; gives its status and what it said."""
    words = [str(folder / word) if word.endswith(".toml") else word for word in arguments]
    given, giving = os.pipe()
    os.write(giving, "\n".join(MORE).encode())
    heard, told = os.pipe()
    pid = resident.start(words, given, output, told)
    for fd in (given, giving, output, told):
        os.close(fd)
    with os.fdopen(heard, encoding="utf-8") as stream:
        said = stream.read()
    return resident.ended(pid), said


def _as_told(tally: Tally, path: Path, said: str, where: str) -> None:
    """The entries that it calls saved are there, and no others."""
    there = saved_commands(path)[8:]
    found = _SAVED.search(said)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (9, 8)
    if first != 9 or there != MORE[: last - 8]:
        tally.lose(f"{where}: {said!r}, and there is {there}")


LONG = (
    *("add monster Ghoul x2 hp 9 ac 1", "init ghoul-1 9", "init ghoul-2 5", "start"),
    *("inflict ghoul-1 e0 from ghoul-2", "inflict ghoul-2 e5", "damage ghoul-1 1", "next"),
)
LEADING = ("brings", "implies", "breaks")


@fault("house rules that lead from one to the next without end")
def chained(tally: Tally) -> None:
    """Effects that bring, imply or break each other, in a chain or a ring of thousands."""
    length = tally.times(3000, 1200)
    for ruleset, what, ring in product(("monsters-and-magic", "orcus"), LEADING, (False, True)):
        tally.tries += 1
        folder = tally.folder / f"{ruleset}, {what}, {ring}"
        (folder / "encounters").mkdir(parents=True)
        rows = [
            f'[effects.e{n}]\nname = "e{n}"\n{what} = ["e{n + 1}"]\n' for n in range(length - 1)
        ]
        last = f'{what} = ["e0"]\n' if ring else ""
        rows.append(f'[effects.e{length - 1}]\nname = "e{length - 1}"\n{last}')
        (folder / "rules.toml").write_text("".join(rows), "utf-8")
        with OpenEncounter.create(folder / "encounters" / FIGHT, ruleset, "Long") as fight:
            for line in LONG:
                tally.attempt(f"{folder.name}: {line}", partial(fight.do, line))
            if what == "brings" and fight.state["ghoul-1"].named("e9") is None:
                tally.fails(f"{folder.name}: what is brought is not there")
    tally.say("(nothing: all that is brought is there)")


ODD_DRIVERS = (
    "x:Y",
    "",
    ":",
    "os",
    "os:",
    "os:path",
    "..os:path",
    "textual.driver:Driver.x",
    "a b",
)
SETTINGS = ("COLOR_SYSTEM", "LOG_FILE", "DRIVER")


@fault("odd settings of the toolkit in the environment")
def set_oddly(tally: Tally) -> None:
    """Colours, a log and a driver that is not available: one line, or the program starts."""
    for _ in range(tally.times(1000, 40)):
        setting = tally.rng.choice(SETTINGS)
        odd = oddities.text(tally.rng)
        values = {
            "COLOR_SYSTEM": odd,
            "LOG_FILE": f"{tally.folder}/{odd}/log",
            "DRIVER": tally.rng.choice(ODD_DRIVERS),
        }
        tally.tries += 1
        with patch.object(constants, setting, values[setting]):
            tally.attempt(f"{setting} {values[setting]!r}", _started)


def _started() -> None:
    check_environment()
    AffrayApp(None)
