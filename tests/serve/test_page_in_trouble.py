"""The page in a real browser where the network is slow or gone, and where a player taps twice,
opens it twice, goes back, or types whatever there is.

`make browser` runs it; other runs skip it where there is no Chromium.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from screenshots.browser import Page, browser
from tests.serve.evenings import PHONE, Evening, evening, tap

from affray.core.formatting.players_view import players_view
from affray.serve import Address, server
from affray.serve.server import Board, begin

pytestmark = pytest.mark.browser
UNFOLD = "box.querySelectorAll('details').forEach((each) => { each.open = true; })"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(server, "LOOK_EVERY", 0.02)


async def is_slow(page: Page, milliseconds: int) -> None:
    """Let each request take so long."""
    await page.do("Network.enable")
    speed = {"latency": milliseconds, "downloadThroughput": 20_000, "uploadThroughput": 5_000}
    await page.do("Network.emulateNetworkConditions", offline=False, **speed)


async def typed(page: Page, at: str, text: str) -> None:
    """Type into a field as a keyboard does."""
    await page.until(f"box.querySelector('[data-at=\"{at}\"]') !== null")
    await page.ask(f"box.querySelector('[data-at=\"{at}\"]').focus()")
    await page.do("Input.insertText", text=text)


def sent(at: Evening) -> list[str]:
    return [row.words for row in at.inbox.waiting()]


async def test_a_tap_too_many_sends_nothing_twice(tmp_path: Path) -> None:
    """On a slow network nothing seems to happen, and a thumb comes down again."""
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.until("me.call === 'up'")
        await is_slow(page, 300)
        for _ in range(3):
            await page.ask("box.querySelector('[data-at=\"form:turn-end\"]').click()")
        await page.until("told.textContent.includes('sent to the GM') && underway.size === 0")
        await page.ask(UNFOLD)
        await tap(page, "form:note")
        await typed(page, "note/text", "wait")
        for _ in range(3):
            await page.ask("box.querySelector('[data-form=note]').requestSubmit()")
        await page.until("box.querySelector('[data-form=note]') === null && underway.size === 0")
        assert sent(at) == ["End my turn", "Note to the GM, wait"]


async def test_what_is_sent_again_since_its_answer_was_lost_waits_once(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask(UNFOLD)
        await tap(page, "form:note")
        await typed(page, "note/text", "wait")
        await page.ask(
            "(() => { const real = window.fetch; window.fetch = async (...all) => {"
            " await real(...all); window.fetch = real; throw new TypeError('gone'); }; })()"
        )
        send = "box.querySelector('[data-form=note]').requestSubmit()"
        await page.ask(send)
        await page.until('told.textContent.includes("can\'t be reached")')
        assert await page.ask("box.querySelector('[data-at=\"note/text\"]').value") == "wait"
        await page.ask(send)
        await page.until("told.textContent.includes('that was already sent')")
        assert sent(at) == ["Note to the GM, wait"]


async def test_what_is_sent_again_after_a_refusal_in_between_waits_once(tmp_path: Path) -> None:
    """Its answer was lost, the next try came too fast, and the third is still the same thing."""
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask(UNFOLD)
        await tap(page, "form:note")
        await typed(page, "note/text", "wait")
        await page.ask(
            "(() => { const real = window.fetch; let times = 0; window.fetch = async (...all) => {"
            " times += 1; if (times === 2) return new Response("
            '\'{"ok": false, "words": "one request at a time"}\', { status: 429 });'
            " const is = await real(...all);"
            " if (times === 1) throw new TypeError('gone'); return is; }; })()"
        )
        send = "box.querySelector('[data-form=note]').requestSubmit()"
        for words in ("can't be reached", "one request at a time", "that was already sent"):
            await page.ask(send)
            await page.until(f"told.textContent.includes({json.dumps(words)})")
        assert sent(at) == ["Note to the GM, wait"]


async def test_a_page_whose_address_is_over_says_so(tmp_path: Path) -> None:
    """As it is once the server is begun anew."""
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        board = Board(players_view(at.gm.history, at.gm.ruleset))
        served = await begin(board, "token", Address("127.0.0.1", 0))
        await page.open(f"http://127.0.0.1:{served.port}/token/", *PHONE)
        await page.until("source.readyState === EventSource.OPEN")
        await served.end()
        again = await begin(board, "another", Address("127.0.0.1", served.port))
        words = "Not connected: trying again, or ask the GM for the new address"
        await page.until(f"away.textContent === {json.dumps(words)}")
        await again.end()


async def test_a_break_of_a_moment_is_not_told(tmp_path: Path) -> None:
    """As when a phone wakes up: the page is there again before anybody has missed it."""
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        board = Board(players_view(at.gm.history, at.gm.ruleset))
        served = await begin(board, "token", Address("127.0.0.1", 0))
        await page.open(f"http://127.0.0.1:{served.port}/token/", *PHONE)
        await page.until("source.readyState === EventSource.OPEN")
        await page.ask("window.opened = 0")
        await page.ask("source.addEventListener('open', () => { opened += 1; })")
        await served.end()
        again = await begin(board, "token", Address("127.0.0.1", served.port))
        await page.until("opened === 1")
        assert await page.ask("[away.textContent, told.textContent]") == ["", ""]
        await again.end()


async def test_what_is_filled_in_is_there_again_when_the_phone_has_dropped_the_page(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path / "ford.toml", "level-up") as at, browser() as page:
        await at.join(page, "Mira")
        await page.until("me.call === 'up'")
        await tap(page, "form:do:attack")
        await typed(page, "do:attack/die", "19")
        await tap(page, "do:attack/target=Ghoul")
        await page.do("Page.reload")
        await page.until("performance.getEntriesByType('navigation')[0].type === 'reload'")
        await page.until("me !== null && box.querySelector('[data-form=\"do:attack\"]') !== null")
        await page.ask("box.querySelector('[data-form=\"do:attack\"]').requestSubmit()")
        assert (await at.next_proposal()).command == "attack ghoul natural 19 by mira"


async def test_two_tabs_of_a_phone_are_one_phone(tmp_path: Path) -> None:
    async with (
        evening(tmp_path / "ford.toml", "orcus") as at,
        browser() as first,
        browser() as second,
    ):
        await at.join(first, "Mira")
        cookies = await first.do("Network.getCookies", urls=[at.url])
        for name in ("name", "value"):
            assert cookies["cookies"][0][name]
        cookie = {name: cookies["cookies"][0][name] for name in ("name", "value")}
        await second.do("Network.setCookie", url=at.url, **cookie)
        await second.open(at.url, *PHONE)
        await second.until("me !== null && me.name === 'Mira'")
        await tap(first, "form:turn-end")
        await second.until("me.proposals.some((each) => each.own && each.state === 'waiting')")
        await second.ask("box.querySelector('[data-at^=withdraw]').click()")
        for page in (first, second):
            await page.until("told.textContent.includes('End my turn: taken back')")
            assert "other phone" not in await page.ask("told.textContent")
        assert sent(at) == []


async def test_whoever_goes_back_and_comes_again_finds_the_fight_as_it_is(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.do("Page.navigate", url="about:blank")
        await page.until("location.href === 'about:blank'")
        at.gm.do("damage mira 3")
        await page.ask("setTimeout(() => history.back()), 0")  # the answer comes before it goes
        await page.until("typeof me === 'object' && me !== null")
        await page.until("me.sheet.tracks.some((track) => track.value === 37)")
        at.gm.do("damage mira 3")
        await page.until("me.sheet.tracks.some((track) => track.value === 34)")


@pytest.mark.parametrize(
    "junk",
    [
        "🎲🐉👩‍👩‍👧" * 5,
        "x" * 10_000,
        "🎲" * 5_000,
        '"; damage ghoul 99 by mira',
        "<b>bold</b> & `next` \\ \x07 \u202e\u0000",
        "a\nb\r\nc\td",
    ],
    ids=range(6),
)
async def test_whatever_is_typed_is_words_or_is_refused_in_a_line(
    tmp_path: Path, junk: str
) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask(UNFOLD)
        await tap(page, "form:note")
        await typed(page, "note/text", junk)
        await page.ask("box.querySelector('[data-form=note]').requestSubmit()")
        row = await at.next_proposal()
        await at.played(row, page)
        assert at.gm.history.entries[at.gm.history.last].command.startswith("note on mira ")
        await tap(page, "form:do:attack")
        fields = "[...box.querySelectorAll('form [type=text]')].map((each) => each.dataset.at)"
        for field in await page.ask(fields):
            await typed(page, field, junk)
        await page.ask("box.querySelector('form [data-at$=\"=Ghoul\"]').click()")
        head = at.gm.history.head
        await page.ask(
            "told.replaceChildren(); box.querySelector('[data-form=\"do:attack\"]').requestSubmit()"
        )
        await page.until("told.childElementCount === 1")
        assert "sent" not in await page.ask("told.textContent")
        assert await page.ask("box.querySelector('[data-form=\"do:attack\"]') !== null")
        assert (sent(at), at.gm.history.head) == ([], head)
        assert await page.ask("document.documentElement.scrollWidth") <= PHONE[0]
        assert page.said == []
