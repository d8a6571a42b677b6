"""Players' phones in a real browser: asked for, let in, and a fight of four rounds in each game.

`make browser` runs it; other runs skip it where there is no Chromium.
"""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from screenshots.browser import AXE, Page, browser
from tests.serve.evenings import ATTACKS, PHONE, evening, tap

from affray.serve import server

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(server, "LOOK_EVERY", 0.02)


@pytest.mark.parametrize("ruleset", ATTACKS)
async def test_a_fight_of_four_rounds_is_played_by_phones(tmp_path: Path, ruleset: str) -> None:
    names = ["Mira", "Odo"] if ruleset == "level-up" else ["Mira"]
    async with evening(tmp_path / "ford.toml", ruleset) as at, AsyncExitStack() as stack:
        pages = {name: await stack.enter_async_context(browser()) for name in names}
        for name, page in pages.items():
            await at.join(page, name)
        sent = await at.play(pages, 5)
        assert len(sent) >= 4 * len(names)
        for page in pages.values():
            assert page.said == []
            assert await page.ask("document.documentElement.scrollWidth") <= PHONE[0]
            assert "Lurker" not in await page.ask("document.documentElement.outerHTML")


async def test_what_is_half_typed_stays_when_news_come(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask("box.querySelectorAll('details').forEach((each) => { each.open = true; })")
        await tap(page, "form:note")
        await page.ask(
            "(() => { const text = box.querySelector('form input[type=text]'); text.focus();"
            " text.value = 'a word '; text.dispatchEvent(new Event('input'));"
            " text.setSelectionRange(2, 4); })()"
        )
        at.gm.do("damage mira 3")
        await page.until("me.sheet.tracks.some((track) => track.value === 37)")
        state = "[now.value, now.selectionStart, now.selectionEnd, now.dataset.at.slice(0, 4)]"
        assert await page.ask(
            f"(() => {{ const now = document.activeElement; return {state}; }})()"
        ) == [
            "a word ",
            2,
            4,
            "note",
        ]


@pytest.mark.parametrize("is_open", [True, False])
async def test_what_is_folded_stays_so_when_news_come_in_the_same_moment(
    tmp_path: Path, is_open: bool
) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        more = "document.querySelector('[data-at=\"open:other\"]')"
        if not is_open:
            await page.ask(f"{more}.click()")
            await page.until("drafts.get('open:other')")
        await page.ask(f"{more}.click(), drawMe()")  # news come before the browser tells of it
        await page.ask("new Promise(requestAnimationFrame)", waits=True)
        assert await page.ask(f"{more}.parentElement.open") is is_open


COVERED = """(() => {
  const fields = [...box.querySelectorAll("form input, form select, form button")];
  return [...fields, ...fields.toReversed()].flatMap((each) => {
    each.focus();
    const at = each.getBoundingClientRect();
    const top = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
    return at.width >= 24 && at.height >= 24 && top === each ? []
      : [[each.outerHTML, at.width, at.height, at.y, innerHeight, top && top.outerHTML]];
  });
})()"""
"""Which fields of the form that is open are smaller than a target may be, or lie under another
thing when they have the focus, going down or up (WCAG 2.4.11, 2.5.8)."""


@pytest.mark.parametrize("size", [PHONE, (1280, 720, 1), (320, 480, 1), (180, 740, 1)])
async def test_every_field_is_large_enough_and_under_nothing(
    tmp_path: Path, size: tuple[int, int, int]
) -> None:
    async with evening(tmp_path / "ford.toml", "level-up") as at, browser() as page:
        at.gm.do("setting turn-timer 90", 'rename odo "Hieronymus of the Far Lands"')
        await at.join(page, "Mira")
        await page.open(at.url, *size)
        await page.until("me !== null && me.call === 'up'")
        for form in await page.ask(
            "me.forms.filter((each) => !each.reason && each.fields.length).map((each) => each.id)"
        ):
            unfold = "box.querySelectorAll('details').forEach((each) => { each.open = true; })"
            await page.ask(unfold)
            await tap(page, f"form:{form}")
            await page.ask(unfold)
            first = "document.activeElement.getBoundingClientRect()"
            assert await page.ask(f"{first}.top >= 0 && {first}.bottom <= innerHeight"), form
            assert await page.ask(COVERED) == [], form
            await page.ask("open = ''; drawMe()")


async def test_the_page_is_heard_as_it_is_seen(tmp_path: Path) -> None:
    """A toggle keeps its name, the time its value, and that the page is away is said when it is."""
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        at.gm.do("setting turn-timer 90")
        await at.join(page, "Mira")
        assert await page.ask("box.querySelector('h2').textContent") == "Mira"
        sound = "box.querySelector('[data-at=sound]')"
        name = (
            f"[...{sound}.childNodes].filter(n => !n.ariaHidden).map(n => n.textContent).join('')"
        )
        for pressed in ("false", "true", "false"):
            assert await page.ask(f"[{name}, {sound}.ariaPressed]") == ["Sound", pressed]
            await tap(page, "sound")
        await page.until("document.querySelector('time').textContent !== ''")
        timer = "document.querySelector('time')"
        assert await page.ask(f"{timer}.ariaLabel") is None
        left = await page.ask(f"{timer}.parentElement.textContent")
        assert left.endswith(" left of this turn") and left[0].isdigit()
        assert await page.ask("away.textContent") == ""
        assert await page.ask("document.title") == "Mira · Round 1 · The Ford"


VIOLATIONS = """axe.run(ONLY).then((found) => found.violations.map(
  (each) => [each.id, each.nodes.map((node) => node.html)]))"""
SCHEMES = {"dark": "document", "light": "document, { runOnly: ['color-contrast'] }"}
"""What axe-core looks for: everything in the dark, and in the light what the light changes."""
OPEN = """open = FORM;
drawMe();
box.querySelectorAll("details").forEach((each) => { each.open = true; });"""


async def in_light(page: Page, scheme: str) -> None:
    """Show the page as those see it who have chosen light, or dark."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    await page.do("Emulation.setEmulatedMedia", features=[feature])
    assert await page.ask(f"matchMedia('(prefers-color-scheme: {scheme})').matches")


@pytest.mark.browser("axe-core")
@pytest.mark.parametrize("ruleset", ATTACKS)
async def test_axe_finds_nothing_on_the_page_with_every_form_open(
    tmp_path: Path, ruleset: str
) -> None:
    """In the dark and in the light, on a phone that plays and on a television."""
    async with evening(tmp_path / "ford.toml", ruleset) as at, browser() as page:
        await at.join(page, "Mira")
        await page.until("me.call === 'up'")
        at.gm.do("damage mira 3", 'note on mira "a note"')
        await page.ask(f"{AXE.read_text('utf-8')};0")
        for scheme, only in SCHEMES.items():
            await in_light(page, scheme)
            await page.ask("tell('sent to the GM')")
            for form in await page.ask(
                "['', ...me.forms.filter((each) => each.fields.length).map((each) => each.id)]"
            ):
                await page.ask(OPEN.replace("FORM", json.dumps(form)))
                found = await page.ask(VIOLATIONS.replace("ONLY", only), waits=True)
                assert found == [], f"{form} in the {scheme}"
    async with evening(tmp_path / "stair.toml", ruleset) as at, browser() as page:
        at.gm.do("setting players-health bars", 'clock "the bell" 3', "damage ghoul 90")
        await page.open(at.url, 1280, 720)
        await page.until("source.readyState === EventSource.OPEN")
        await page.ask(f"{AXE.read_text('utf-8')};0")
        for scheme, only in SCHEMES.items():
            await in_light(page, scheme)
            assert await page.ask(VIOLATIONS.replace("ONLY", only), waits=True) == [], scheme
