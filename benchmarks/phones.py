"""How soon a proposal is on the GM's screen, what came of it on all phones, and the GM's keys while
others flood the server.

The screen is the real program in a terminal, the server a process of its own, as at the table. The
flood comes from this machine, which it would not at the table: what sends it gives way to all else.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

import aiohttp

from affray.serve.server import COOKIE
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones, hash_of
from benchmarks.rows import Round, Row, Size
from benchmarks.terminal import Terminal
from benchmarks.viewers import DOWN, UP, news, running, served

GAME = "plain"
FIGHT = Path("campaigns/night-ferry/encounters/mid-river.toml")
PHONES, ROUNDS, PAUSE = 20, 8, 0.7
MOST = 300.0
"""Milliseconds that each of the two may take."""
ACCEPT = "\x01"
AT_ONCE, EACH = 50, 0.05
"""So many posts of the flood at once, and the seconds from one such lot to the next."""
TURNS, PRESSES, MOST_SLOWED = 4, 12, 1.2


def phone_rows() -> Iterator[Row]:
    """Both rows, beside the time that they may take."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = shutil.copytree(FIGHT.parents[1], Path(folder) / "campaign")
        fight = campaign / "encounters" / FIGHT.name
        with patch.dict(os.environ, {"AFFRAY_DATA": str(Path(folder) / "data")}):
            with OpenEncounter.open(fight) as begun:
                begun.do("setting players-act ask")
                size = Size(begun.history.last, len(begun.state.combatants))
            with served(fight) as url, Terminal("-m", "affray", str(fight)) as screen:
                screen.painted(quiet=1.0)
                rounds = asyncio.run(_rounds(fight, url, screen))
                keys = tuple(_keys(url, screen))
    for what, taken in zip(
        ("a phone's proposal, painted for the GM", f"accepted, on {PHONES} phones"),
        zip(*rounds, strict=True),
        strict=True,
    ):
        beside: tuple[Round, ...] = tuple((each, MOST) for each in taken)
        yield Row(what, GAME, size, "ms", 1.0, beside)
    posts = round(AT_ONCE / EACH)
    yield Row(f"a cursor key at {posts} posts a second", GAME, size, "ms", MOST_SLOWED, keys)


def _keys(url: str, screen: Terminal) -> Iterator[Round]:
    """Milliseconds of cursor keys in the flood, each beside those without, in turns."""
    for _ in range(TURNS):
        quiet = [screen.press(key) for key in (DOWN, UP) * PRESSES]
        with _flooding(url):
            flooded = [screen.press(key) for key in (DOWN, UP) * PRESSES]
        for slow, fast in zip(flooded, quiet, strict=True):
            yield slow * 1e3, fast * 1e3


@contextmanager
def _flooding(url: str) -> Iterator[None]:
    with running("benchmarks.phones", url) as printed:
        printed.readline()
        yield


async def _flood(url: str) -> None:
    """Post for ever, as somebody who has the address and no right."""
    os.nice(19)
    body = {"token": "0", "id": "1", "form": "turn-end", "answers": {}}

    async def post() -> None:
        with suppress(aiohttp.ClientError):
            async with client.post(f"{url}propose", json=body, headers=origin) as reply:
                await reply.read()

    origin = {"Origin": url.rsplit("/", 2)[0]}
    async with aiohttp.ClientSession() as client:
        await post()
        print("begun", flush=True)
        while True:
            began = time.perf_counter()
            await asyncio.gather(*(post() for _ in range(AT_ONCE)))
            await asyncio.sleep(max(0.0, EACH - (time.perf_counter() - began)))


async def _rounds(fight: Path, url: str, screen: Terminal) -> list[tuple[float, float]]:
    found, origin = [], {"Origin": url.rsplit("/", 2)[0]}
    async with AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(_phone(fight, url)) for _ in range(PHONES)]
        pages = [await phone.get(f"{url}events") for phone, _ in phones]
        for page in pages:
            await news(page)
        for number in range(ROUNDS):
            phone, key = phones[number % PHONES]
            answers = {"targets": ["Jory"], "amount": "1"}
            body = {"token": key, "id": str(number), "form": "say:damage", "answers": answers}
            painting = asyncio.create_task(asyncio.to_thread(screen.painted))
            began = time.perf_counter()
            async with phone.post(f"{url}propose", json=body, headers=origin) as reply:
                told = await reply.json()
                assert told["ok"], told
            painted = await painting - began
            changed = [asyncio.create_task(news(page)) for page in pages]
            began = time.perf_counter()
            await asyncio.to_thread(screen.press, ACCEPT)
            slowest = max(await asyncio.gather(*changed)) - began
            found.append((painted * 1e3, slowest * 1e3))
            await asyncio.sleep(PAUSE)  # so that the screen is quiet again
        for page in pages:
            page.close()
    return found


@asynccontextmanager
async def _phone(fight: Path, url: str) -> AsyncIterator[tuple[aiohttp.ClientSession, str]]:
    """A phone that plays Jory, and the key of its page."""
    jar = aiohttp.CookieJar(unsafe=True)
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(cookie_jar=jar, timeout=timeout) as client:
        async with client.get(url) as page:
            text = await page.text()
        key = re.search(r'name="key" content="([^"]+)"', text)
        assert key is not None
        secret = next(morsel.value for morsel in jar if morsel.key == COOKIE)
        Phones(fight).grant(hash_of(secret), "jory")
        yield client, key[1]


if __name__ == "__main__":
    asyncio.run(_flood(sys.argv[1]))
