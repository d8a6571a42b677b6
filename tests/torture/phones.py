"""Phones that attack: floods from many at once, against a server of its own process."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
from tests.torture.table import Tally, fault

from affray.core.dice import SeededDice
from affray.serve.server import COOKIE
from affray.store.inbox import MOST_ASKING, MOST_OF_ONE, Inbox, Proposal
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones, hash_of, new_secret

SETUP = (
    "add pc Mira hp 30 ac 14 attack blade +5 1d8+3 slashing",
    "add monster Ghoul hp 22 ac 12",
    "add monster Lurker hp 22 ac 12 hidden",
    *("init mira 20", "init ghoul 10", "init lurker 5", "start", "setting players-act ask"),
)
MOST_GROWN = 100 * 1024 * 1024
"""Bytes by which the server may grow, whatever is sent."""
SOON = 10.0
"""Seconds within which a phone that plays is answered in the midst of it."""
APART = 0.005
"""Seconds by which the answer about somebody hidden may differ from that about nobody."""


@fault("phones by the hundred, each post after the other")
def flooded(tally: Tally) -> None:
    """The log is whole, the inbox bounded, memory too, and who plays still gets through."""
    asyncio.run(_with_server(tally, _flood))


@fault("a phone that asks for somebody hidden, and for nobody")
def timed(tally: Tally) -> None:
    """The answers are the same, byte by byte, and as soon."""
    asyncio.run(_with_server(tally, _ask_for_hidden))


@fault("two screens that take the same proposals")
def taken_once(tally: Tally) -> None:
    """Each is taken by one of them, and none is left."""
    for number in range(tally.times(100, 5)):
        log = tally.folder / f"{number}.toml"
        names = [f"{phone:04x}{place:02x}" for phone in range(8) for place in range(MOST_OF_ONE)]
        for name in names:
            Inbox(log).write(Proposal(name, name[:4], "mira", "next"))
        with ThreadPoolExecutor(2) as pool:
            both = list(pool.map(_take_all, [log, log]))
        tally.tries += len(names)
        if sorted(both[0] + both[1]) != names:
            tally.misreads(f"{len(both[0])} and {len(both[1])} taken of {len(names)}")


def _take_all(log: Path) -> list[str]:
    inbox, taken = Inbox(log), list[str]()
    while waiting := inbox.waiting():
        taken += [row.id for row in waiting if inbox.take(row.id)]
    return taken


class Server:
    """The server's process, and what a phone needs to send to it."""

    def __init__(self, process: subprocess.Popen[str], url: str, log: Path) -> None:
        self.process, self.url, self.log = process, url, log
        self.player, self.key = new_secret(), ""

    async def post(
        self, client: aiohttp.ClientSession, secret: str, where: str, **body: Any
    ) -> tuple[int, bytes]:
        """Send as the page does; with `raw` those bytes."""
        raw = body.pop("raw", b"") or json.dumps({"token": self.key, **body}).encode()
        headers = {
            "Origin": body.pop("origin", self.url.rsplit("/", 2)[0]),
            "Content-Type": "application/json",
            "Cookie": f"{COOKIE}={secret}",
        }
        async with client.post(f"{self.url}{where}", data=raw, headers=headers) as reply:
            return reply.status, await reply.read()

    def memory(self) -> int:
        """Its resident memory in bytes; 0 where the system doesn't tell."""
        if not Path("/proc/self/statm").exists():
            return 0
        pages = Path(f"/proc/{self.process.pid}/statm").read_text("utf-8").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


async def _with_server(tally: Tally, attack: Any) -> None:
    log = tally.folder / "ford.toml"
    os.environ["AFFRAY_DATA"] = str(tally.folder / "data")  # each fault has its own process
    with OpenEncounter.create(log, "level-up", "The Ford", SeededDice(1)) as fight:
        fight.do(*SETUP)
    command = ["-m", "affray", "watch", str(log), "--players", "--serve", "127.0.0.1:0"]
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        url = next(m[0] for line in process.stdout if (m := re.search(r"http://\S+", line)))
        server = Server(process, url, log)
        Phones(log).grant(hash_of(server.player), "mira")
        connector = aiohttp.TCPConnector(limit=60, force_close=True)
        jar = aiohttp.DummyCookieJar()
        async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as client:
            async with client.get(url) as page:
                found = re.search(r'name="key" content="([^"]+)"', await page.text())
            assert found is not None
            server.key = found[1]
            await attack(tally, server, client)
        if process.poll() is not None:
            tally.fails("the server has ended")
    finally:
        process.terminate()
        _, errors = process.communicate()
        if "Traceback" in errors:
            tally.breaks(errors[-400:])


async def _flood(tally: Tally, server: Server, client: aiohttp.ClientSession) -> None:
    phones, before = tally.times(500, 40), server.memory()
    each, length = tally.times(8, 3), server.log.stat().st_size
    note = {"form": "note", "answers": {"text": "x"}}
    attacks: list[dict[str, Any]] = [
        {"where": "play", "character": "Mira", "id": "1"},
        {"where": "propose", "form": "turn-end", "answers": {}, "id": "2"},
        {"where": "propose", "raw": b"[" * 1_500},
        {"where": "propose", "raw": b"x" * 100_000},
        {"where": "play", "character": "x" * 1_000, "id": "3"},
        {"where": "play", "character": "Mira", "origin": "https://elsewhere.example"},
    ]

    async def attack() -> None:
        secret = new_secret()
        for _ in range(each):
            body = dict(tally.rng.choice(attacks))
            with suppress(aiohttp.ClientError, ConnectionError):
                await server.post(client, secret, body.pop("where"), **body)
            tally.tries += 1

    flood = [asyncio.create_task(attack()) for _ in range(phones)]
    await asyncio.sleep(0)
    began = time.monotonic()
    status, words = await server.post(client, server.player, "propose", id="9", **note)
    if status != 200 or time.monotonic() - began > SOON:
        tally.lose(f"whoever plays is told {status} {words!r} {time.monotonic() - began:.1f} s on")
    await asyncio.gather(*flood)
    own = [{"form": "note", "answers": {"text": str(n)}, "id": str(n)} for n in range(30)]
    told = [await server.post(client, server.player, "propose", **body) for body in own]
    tally.say(json.loads(told[-1][1])["words"])
    waiting = Inbox(server.log).waiting()
    of_player = [row for row in waiting if row.sender == hash_of(server.player)]
    if not 1 <= len(of_player) <= MOST_OF_ONE or len(waiting) > MOST_ASKING + MOST_OF_ONE:
        tally.fails(f"{len(waiting)} wait, {len(of_player)} of whoever plays")
    if any(row.command for row in waiting if row not in of_player):
        tally.fails("a phone without a right has proposed")
    if server.log.stat().st_size != length:
        tally.misreads("the log has changed")
    if server.memory() - before > MOST_GROWN:
        tally.fails(f"the server has grown by {(server.memory() - before) >> 20} MB")


async def _ask_for_hidden(tally: Tally, server: Server, client: aiohttp.ClientSession) -> None:
    took: dict[str, list[float]] = {"lurker": [], "nobody": []}
    words = set()
    for number in range(40):
        if number >= tally.times(40, 6) and _apart(took) <= APART:
            break  # on a busy machine both are late at first; what is told apart stays so
        for name in took:
            answers = {"target": name, "die": "15"}
            await asyncio.sleep(0.52)  # two a second are taken
            began = time.perf_counter()
            words.add(
                await server.post(
                    client, server.player, "propose", form="do:attack", answers=answers, id=number
                )
            )
            took[name].append(time.perf_counter() - began)
            tally.tries += 1
    if len(words) != 1 or next(iter(words))[0] != 200:
        tally.fails(f"{words}")
    tally.say(f"(both within {max(map(min, took.values())) * 1e3:.1f} ms)")
    if _apart(took) > APART:
        tally.fails(f"{ {name: min(times) for name, times in took.items()} }")


def _apart(took: dict[str, list[float]]) -> float:
    """The seconds between the quickest answers, since a busy machine makes none early."""
    return abs(min(took["lurker"]) - min(took["nobody"]))
