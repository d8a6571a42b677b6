"""Chromium without a window, as far as pages need it: opened, looked at, asked, and taken."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
"""The browser that is here; empty for none."""
AXE = Path(__file__).parent.parent / "node_modules/axe-core/axe.min.js"
"""axe-core, which looks a page through; `make axe` installs it."""
SIZES = {"phone": (360, 740, 2), "tablet": (820, 1180, 1), "television": (1920, 1080, 1)}
"""Width and height in pixels of the page, and how many dots of the picture each has."""
PATIENCE = 90
"""Seconds within which it answers, or something is wrong."""
END_AFTER = 5
"""Seconds that it has to end by itself."""


def lacks() -> list[str]:
    """Say what the tests of pages need and is not here, each with the command that brings it."""
    wants = {
        "no Chromium: `apt-get install chromium`, or Google Chrome, brings one": CHROMIUM,
        "no axe-core: `make axe` installs it, by npm": AXE.exists(),
    }
    return [f"there is {words}" for words, is_there in wants.items() if not is_there]


class Page:
    """One page in it. `said` are the lines of its console, errors among them."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._numbers = socket, count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.said: list[str] = []

    async def read(self) -> None:
        """Take in what the browser tells, until it is closed."""
        async for message in self._socket:
            told = message.json()
            if "id" in told:
                self._answers.pop(told["id"]).set_result(told)
            elif told["method"] == "Log.entryAdded":
                self.said.append(told["params"]["entry"]["text"])
            elif told["method"] == "Runtime.exceptionThrown":
                self.said.append(str(told["params"]))

    async def do(self, method: str, **params: object) -> dict[str, Any]:
        """Have it do something, and give what came of it."""
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": params})
        async with asyncio.timeout(PATIENCE):
            found = await answer
        assert "error" not in found, found
        result: dict[str, Any] = found["result"]
        return result

    async def open(self, url: str, width: int, height: int, scale: int = 1) -> None:
        """Open an address in a window of so many points."""
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 800}
        await self.do("Emulation.setDeviceMetricsOverride", **size)
        await self.do("Page.navigate", url=url)
        await self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    async def ask(self, script: str, waits: bool = False) -> Any:
        """What a script comes to there; what its promise comes to, if that `waits`."""
        found = await self.do(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=waits
        )
        assert "exceptionDetails" not in found, (script, found["exceptionDetails"])
        return found["result"].get("value")

    async def until(self, script: str) -> None:
        """Wait until that is so. What isn't there yet, so that the script fails, is not so."""
        tried = f"(() => {{ try {{ return {script}; }} catch {{ return false; }} }})()"
        async with asyncio.timeout(PATIENCE):  # not `wait_for`, which may miss its end in 3.11
            while not await self.ask(tried):
                await asyncio.sleep(0.02)

    async def picture(self) -> bytes:
        """What is seen, as PNG."""
        return b64decode((await self.do("Page.captureScreenshot", format="png"))["data"])


@asynccontextmanager
async def browser() -> AsyncIterator[Page]:
    """A browser with an empty page, which is ended and leaves nothing behind."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        started = await asyncio.create_subprocess_exec(
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
            *("--no-first-run", "--disable-extensions", "--disable-background-networking"),
            *("--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with aiohttp.ClientSession() as client:
                async with asyncio.timeout(PATIENCE):
                    at = await _debugged_at(Path(profile))
                async with client.get(f"http://{at}/json") as listed:
                    pages = [row for row in await listed.json() if row["type"] == "page"]
                async with client.ws_connect(
                    pages[0]["webSocketDebuggerUrl"], max_msg_size=0
                ) as ws:
                    page = Page(ws)
                    reading = asyncio.create_task(page.read())
                    for domain in ("Page", "Runtime", "Log"):
                        await page.do(f"{domain}.enable")
                    yield page
                    reading.cancel()
        finally:
            with suppress(ProcessLookupError):  # where it has ended by itself
                started.terminate()
            try:
                async with asyncio.timeout(END_AFTER):
                    await started.wait()
            except TimeoutError:
                started.kill()
                await started.wait()


async def _debugged_at(profile: Path) -> str:
    """The host and port that it writes into its profile when it has begun."""
    told = profile / "DevToolsActivePort"
    while not (told.exists() and "\n" in told.read_text("utf-8")):
        await asyncio.sleep(0.02)
    return f"127.0.0.1:{told.read_text('utf-8').partition(chr(10))[0]}"
