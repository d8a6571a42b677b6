"""Two writers and five followers of one file, each a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.torture.fights import log_of, saved_commands
from tests.torture.table import Tally, fault

from affray.store import InUse, LogError
from affray.store.open_encounter import OpenEncounter

ROOT = Path(__file__).parents[2]
WRITERS, FOLLOWERS = 2, 5
AT_A_TIME = 5


@fault("two writers and five followers")
def share(tally: Tally) -> None:
    """Who can't have the file is told so; who reads sees a beginning of what is written."""
    path = tally.folder / "fight.toml"
    path.write_bytes(log_of(8))
    seconds = str(tally.times(15, 1))
    roles = [f"writer-{n}" for n in range(WRITERS)] + ["follower"] * FOLLOWERS
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
    running = [
        subprocess.Popen(
            [sys.executable, "-m", __spec__.name, role, str(path), seconds],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
        )
        for role in roles
    ]
    saved: list[str] = []
    for role, process in zip(roles, running, strict=True):
        out, errors = process.communicate()
        if process.returncode:
            tally.breaks(f"{role}: {errors[-400:]}")
        for line in out.splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "saved":
                saved.append(rest)
                tally.tries += 1
            elif kind == "reads":
                tally.tries += int(rest)
            elif kind == "told":
                tally.say(rest)
            else:
                tally.misreads(f"{role}: {line}")
    there = saved_commands(path)
    if gone := set(saved) - set(there):
        tally.lose(f"{sorted(gone)[0]}", len(gone))
    if len(there) != len(saved) + 8:
        tally.misreads(f"{len(there)} entries of {len(saved)} commands")


def _write(name: str, path: Path, end: float) -> None:
    number, told = 0, False
    while time.monotonic() < end:
        try:
            with OpenEncounter.open(path) as fight:
                for _ in range(AT_A_TIME):
                    fight.do(f"note '{name} {number}'")
                    print(f"saved note '{name} {number}'", flush=True)
                    number += 1
        except InUse as error:
            if not told:
                print(f"told {error}", flush=True)
            told = True
        time.sleep(0.003)


def _follow(path: Path, end: float) -> None:
    seen: list[object] = []
    reads = 0
    with OpenEncounter.view(path) as looking:
        while time.monotonic() < end:
            try:
                looking.follow()
            except LogError as error:
                print(f"misread {error}", flush=True)
                return
            entries = looking.history.entries.values()
            now = [(entry.seq, entry.command) for entry in entries]
            if now[: len(seen)] != seen or any(entry.edited for entry in entries):
                print(f"misread {len(seen)} entries, then {len(now)}", flush=True)
                return
            seen, reads = list(now), reads + 1
            time.sleep(0.01)
    print(f"reads {reads}", flush=True)


if __name__ == "__main__":
    role, file, seconds = sys.argv[1:]
    until = time.monotonic() + float(seconds)
    if role == "follower":
        _follow(Path(file), until)
    else:
        _write(role, Path(file), until)
