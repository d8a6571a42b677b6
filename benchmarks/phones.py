"""How soon a proposal is on the GM's screen, and what came of it on all phones.

The screen is the real program in a terminal, the server a process of its own, as at the table.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import aiohttp

from affray.serve.server import COOKIE
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones, hash_of
from benchmarks.rows import Round, Row, Size
from benchmarks.terminal import Terminal
from benchmarks.viewers import served

GAME = "plain"
FIGHT = Path("campaigns/night-ferry/encounters/mid-river.toml")
PHONES, ROUNDS, PAUSE = 20, 8, 0.7
MOST = 300.0
"""Milliseconds that each of the two may take."""
ACCEPT = "\x01"


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
    for what, taken in zip(
        ("a phone's proposal, painted for the GM", f"accepted, on {PHONES} phones"),
        zip(*rounds, strict=True),
        strict=True,
    ):
        beside: tuple[Round, ...] = tuple((each, MOST) for each in taken)
        yield Row(what, GAME, size, "ms", 1.0, beside)


async def _rounds(fight: Path, url: str, screen: Terminal) -> list[tuple[float, float]]:
    found, origin = [], {"Origin": url.rsplit("/", 2)[0]}
    async with AsyncExitStack() as stack:
        phones = [await stack.enter_async_context(_phone(fight, url)) for _ in range(PHONES)]
        pages = [await phone.get(f"{url}events") for phone, _ in phones]
        for page in pages:
            await _page_changed(page)
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
            changed = [asyncio.create_task(_page_changed(page)) for page in pages]
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


async def _page_changed(page: aiohttp.ClientResponse) -> float:
    """Wait for the page that all see to change; gives when it has."""
    while not (await page.content.readuntil(b"\n\n")).startswith(b"data: "):
        pass
    return time.perf_counter()
