"""SIGKILL while a server writes what phones propose and a screen plays it, each in its process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.torture.fights import log_of
from tests.torture.table import Tally, fault

from affray.store.inbox import Inbox, InboxFull, Proposal
from affray.store.log_file import LogFile
from affray.store.open_encounter import OpenEncounter

LONGEST = 0.4
"""Seconds that both run at most, after each has told of its first proposal."""


@fault("SIGKILL while proposals are written, taken and played")
def proposals_killed(tally: Tally) -> None:
    """What was told as written waits or is in the log; what was told as played is in it, once."""
    for number in range(tally.times(60, 3)):
        tally.tries += 1
        path = tally.folder / f"{number}.toml"
        path.write_bytes(log_of(8))
        command = [sys.executable, "-m", __name__, str(path)]
        both = [
            subprocess.Popen(
                [*command, role], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for role in ("server", "screen")
        ]
        told = [process.stdout.readline() for process in both if process.stdout is not None]
        time.sleep(tally.rng.uniform(0, LONGEST))
        for process in both:
            process.kill()
        for process in both:
            out, errors = process.communicate()
            told += out.splitlines()
            if errors:
                tally.breaks(f"kill {number}: {errors[-300:]}")
        _verify(tally, path, [line.split() for line in told], f"kill {number}")


def _verify(tally: Tally, path: Path, told: list[list[str]], where: str) -> None:
    inbox = Inbox(path)
    with OpenEncounter.open(path) as fight:
        inbox.recover(fight.history)
    with LogFile.open(path) as log:
        ids = [str(block.table.get("proposal", "")) for block in log.text.blocks]
        played = Counter(filter(None, ids))
    waiting = {row.id for row in inbox.waiting()}
    for line in told:
        if len(line) != 2:  # cut in two by the kill
            continue
        if line[0] == "played" and line[1] not in played:
            tally.lose(f"{where}: {line[1]} was told as played")
        if line[0] == "written" and line[1] not in waiting | set(played):
            tally.lose(f"{where}: the proposal {line[1]}")
    for proposal, times in played.items():
        if times > 1 or proposal in waiting:
            tally.misreads(f"{where}: {proposal} is played {times} times, or waits again")


def _write(path: Path) -> None:
    """Write proposals of two phones, as a server does, until killed."""
    inbox = Inbox(path)
    for number in range(1_000_000):
        phone = "aaaa" if number % 2 else "bbbb"
        proposal = f"{phone}{number:06x}"
        try:
            inbox.write(Proposal(proposal, phone, "mira", f"note {proposal}"))
            print("written", proposal, flush=True)
        except InboxFull:
            time.sleep(0.001)


def _play(path: Path) -> None:
    """Play whatever waits, as a screen does, until killed."""
    inbox = Inbox(path)
    with OpenEncounter.open(path) as fight:
        while True:
            for row in inbox.waiting():
                if inbox.take(row.id):
                    fight.do(row.command, proposal=row.id)
                    print("played", row.id, flush=True)
                    inbox.forget(row.id)


if __name__ == "__main__":
    (_write if sys.argv[2] == "server" else _play)(Path(sys.argv[1]))
