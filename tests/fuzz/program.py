"""Any arguments and any standard input for the program without its screen."""

from __future__ import annotations

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

from tests.fuzz import oddities
from tests.fuzz.commands import command
from tests.fuzz.fights import ENCOUNTERS, begun
from tests.fuzz.tables import _folder
from tests.fuzz.target import FIGHT, REFUSED, Target, assert_one_line

from affray.cli import COMMANDS, main

OPTIONS = ("--json", "--dry-run", "--seed", "--at", "--all", "--ruleset", "--title", "--repair")
GAP, INPUT = "\n", "\r\n<<"


def _file(head: str) -> tuple[bytes, bool]:
    """The file that the first line of an input names, and whether it is whole: `lantern-street 7`.

    With a number it is a hurt one, hurt in the same way for the same number.
    """
    name, _, hurt = head.partition(" ")
    raw = _small(name if name in ENCOUNTERS else next(iter(ENCOUNTERS)))
    return (oddities.damaged(raw, Random(hurt)), False) if hurt else (raw, True)


@cache
def _small(name: str) -> bytes:
    raw = ENCOUNTERS[name].read_bytes()
    return raw[: raw.find(b"\n[[entry]]", 2500)]


def make(rng: Random) -> bytes:
    """The name of a fight, the arguments, and now and then something to read."""
    name = rng.choice(list(ENCOUNTERS))
    ids = _ids(name)
    args = [rng.choice(COMMANDS) if rng.random() < 0.95 else oddities.text(rng)]
    if rng.random() < 0.9:
        args.append("fight.toml" if rng.random() < 0.85 else oddities.text(rng))
    if args[0] == "check" and rng.random() < 0.5:
        args.append("--repair")
    for _ in range(rng.randrange(3)):
        what = rng.random()
        if what < 0.4:
            args.append(rng.choice(OPTIONS))
        elif what < 0.8:
            args.append(command(rng, name, ids))
        else:
            args.append(oddities.text(rng))
    hurt = f" {rng.randrange(10**6)}" if rng.random() < 0.4 else ""
    text = GAP.join([name + hurt, *(arg.replace(GAP, " ") for arg in args)])
    if rng.random() < 0.3:
        text += INPUT + command(rng, name, ids)
    return text.encode("utf-8", "surrogateescape")


@cache
def _ids(name: str) -> list[str]:
    return [c.id for c in begun(f"{name} 40".encode()).state.combatants]


def run(data: bytes, thorough: bool = True) -> str:
    """Run the program: done, or one clean line and exit status 2 with the file as it was."""
    text, _, read = data.decode("utf-8", "surrogateescape").partition(INPUT)
    name, *args = text.replace("/", "∕").replace("\x00", "").split(GAP)
    raw, whole = _file(name)
    folder = _folder()
    fight = folder / "fight.toml"
    fight.write_bytes(raw)
    here = Path.cwd()
    os.chdir(folder)
    try:
        status, out, err = _program(args or ["check"], read)
    finally:
        os.chdir(here)
        now = fight.read_bytes()
        for left in folder.iterdir():
            if left.is_file():
                left.unlink()
    for line in (*out.splitlines(), *err.splitlines()):
        assert not line.strip() or assert_one_line(line) is None
    assert status in (0, 2), status
    assert not status or err.splitlines()[-1].startswith("affray: "), err
    assert not whole or now.startswith(raw)
    if status and whole and len(args) < 4 and not read:
        assert now == raw
    return REFUSED if status else FIGHT


def _program(args: list[str], read: str) -> tuple[object, str, str]:
    out, err = io.StringIO(), io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(read.encode("utf-8", "surrogatepass")), "utf-8")
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", stdin):
        try:
            status: object = main(args)
        except SystemExit as leaving:
            status = leaving.code or 0
    return status, out.getvalue(), err.getvalue()


TARGET = Target("program", make, run)
