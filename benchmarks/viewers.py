"""What the players' page costs, and how soon it is there: `python -m benchmarks.viewers`.

The GM's keys are measured in turns without viewers and with 200, in the real program in a terminal,
while the page is served by a process of its own, as it is at the table. Then 20 viewers wait for
what is saved, and one comes back. It prints lines for docs/measurements.md.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import aiohttp

from affray.store.open_encounter import OpenEncounter
from benchmarks.rows import p95
from benchmarks.terminal import Terminal

FIGHT = Path("campaigns/drowned-vale/encounters/the-sluice-gate.toml")
MANY, SOME, ROUNDS, TIMES, SAVES = 200, 20, 3, 12, 20
DOWN, UP = "\x1b[B", "\x1b[A"


def main() -> None:
    """Measure all of it; the campaign is copied, and stays as it was."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = shutil.copytree(FIGHT.parents[1], Path(folder) / "campaign")
        fight = campaign / "encounters" / FIGHT.name
        with served(fight) as url:
            for line in (*keys(fight, url), *delays(fight, url)):
                print(line, flush=True)


@contextmanager
def served(fight: Path) -> Iterator[str]:
    """The address of the page, while it is served."""
    command = ("affray", "watch", str(fight), "--players", "--serve", "127.0.0.1:0")
    with running(*command) as printed:
        yield next(found[0] for line in printed if (found := re.search(r"http://\S+", line)))


@contextmanager
def running(module: str, *arguments: str) -> Iterator[IO[str]]:
    """What a module prints, which runs in a process of its own for that long."""
    command = [sys.executable, "-m", module, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout
    finally:
        process.terminate()
        process.wait()


def keys(fight: Path, url: str) -> Iterator[str]:
    """Cursor keys, and a note that is saved, without viewers and with many, in turns."""
    took: dict[tuple[str, int], list[float]] = {}
    with Terminal("-m", "affray", str(fight)) as app:
        app.painted(quiet=1.0)
        for _ in range(ROUNDS):
            for viewers in (0, MANY):
                with viewing(url, viewers):
                    for _ in range(TIMES):
                        cursor = [app.press(DOWN), app.press(UP)]
                        for key in (":", *"note x"):
                            app.press(key)
                        took.setdefault(("cursor", viewers), []).extend(cursor)
                        took.setdefault(("a note saved", viewers), []).append(app.press("\r"))
    for what in ("cursor", "a note saved"):
        none, many = ([each * 1e3 for each in took[what, n]] for n in (0, MANY))
        yield (
            f"{what}: median {statistics.median(none):.1f} ms without, "
            f"{statistics.median(many):.1f} ms with {MANY} viewers "
            f"(p95 {p95(none):.1f} and {p95(many):.1f})"
        )


@contextmanager
def viewing(url: str, viewers: int) -> Iterator[None]:
    """So many viewers, in a process of their own, who read all that is sent."""
    if not viewers:
        yield
        return
    with running("benchmarks.viewers", url, str(viewers)) as printed:
        printed.readline()
        yield


async def view(url: str, viewers: int) -> None:
    """Be so many viewers for ever, and say so once all of them have seen the fight."""
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as client:
        opened = [await client.get(f"{url}events") for _ in range(viewers)]
        for response in opened:
            await news(response)
        print("all are here", flush=True)
        await asyncio.gather(*(_read_on(response) for response in opened))


async def _read_on(response: aiohttp.ClientResponse) -> None:
    while True:
        await news(response)


async def news(response: aiohttp.ClientResponse) -> float:
    """Wait for the next view; gives when it was there."""
    while not (await response.content.readuntil(b"\n\n")).startswith(b"data: "):
        pass
    return time.perf_counter()


def delays(fight: Path, url: str) -> list[str]:
    """From what is saved to when it is there, and from a new connection to its first view."""
    return asyncio.run(_delays(fight, url))


async def _delays(fight: Path, url: str) -> list[str]:
    found: list[float] = []
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(timeout=timeout) as client:
        opened = [await client.get(f"{url}events") for _ in range(SOME)]
        for response in opened:
            await news(response)
        with OpenEncounter.open(fight) as played:
            for number in range(SAVES):
                waiting = [asyncio.ensure_future(news(response)) for response in opened]
                played.do(f'clock "tide {number}" 3')
                saved = time.perf_counter()
                found += [at - saved for at in await asyncio.gather(*waiting)]
        opened[0].close()
        began = time.perf_counter()
        again = await news(await client.get(f"{url}events")) - began
        for response in opened:
            response.close()
    return [
        f"from a save to the page of {SOME} viewers: median {statistics.median(found) * 1e3:.0f} "
        f"ms, the slowest of {len(found)} {max(found) * 1e3:.0f} ms",
        f"a new connection has its view after {again * 1e3:.0f} ms",
    ]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(view(sys.argv[1], int(sys.argv[2])))
    else:
        main()
