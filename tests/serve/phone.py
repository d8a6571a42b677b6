"""A phone as tests hold it: a browser with a cookie of its own, and the key of the page that it has
opened."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from affray.serve.server import COOKIE
from affray.store.phones import hash_of


class Phone:
    """A browser with a cookie of its own, and the key of the page that it has opened."""

    def __init__(self, client: aiohttp.ClientSession, base: str) -> None:
        self.client, self.base, self.key, self.number = client, base, "", 0

    async def open(self, keep: str = "") -> None:
        if keep:
            self.client.cookie_jar.update_cookies({COOKIE: keep})
        async with self.client.get(f"{self.base}/token/") as page:
            found = re.search(r'name="key" content="([^"]+)"', await page.text())
        assert found
        self.key = found[1]

    @property
    def secret(self) -> str:
        return next(morsel.value for morsel in self.client.cookie_jar if morsel.key == COOKIE)

    @property
    def hash(self) -> str:
        return hash_of(self.secret)

    async def post(self, where: str, **more: Any) -> tuple[int, bytes]:
        """Send as the page does, but for what `more` says: `headers`, `data`, fields."""
        self.number += 1
        headers = {"Origin": self.base, "Content-Type": "application/json"}
        headers |= more.pop("headers", {})
        content = more.pop("data", None)
        body = {"token": self.key, "id": str(self.number), **more}
        url = f"{self.base}/token/{where}"
        async with self.client.post(
            url, data=content or json.dumps(body).encode(), headers=headers
        ) as reply:
            return reply.status, await reply.read()

    async def words(self, where: str, **more: Any) -> str:
        return str(json.loads((await self.post(where, **more))[1])["words"])

    async def news(self, wanted: str = "me", count: int = 1) -> list[Any]:
        """The next news of that name; all of those for nobody in particular are passed over."""
        found: list[Any] = []
        async with self.client.get(f"{self.base}/token/events") as news:
            while len(found) < count:
                text = (await asyncio.wait_for(news.content.readuntil(b"\n\n"), 20)).decode()
                if text.startswith(f"event: {wanted}\n"):
                    found.append(json.loads(text.partition("data: ")[2]))
        return found


@asynccontextmanager
async def phone_at(base: str, keep: str = "") -> AsyncIterator[Phone]:
    """A phone that has opened the page at an address; `keep` is the cookie that it had before."""
    jar, ends = aiohttp.CookieJar(unsafe=True), aiohttp.TCPConnector(force_close=True)
    async with aiohttp.ClientSession(cookie_jar=jar, connector=ends) as client:
        phone = Phone(client, base)
        await phone.open(keep)
        yield phone
