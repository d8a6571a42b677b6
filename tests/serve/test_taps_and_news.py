"""News that come at any moment of a player's own doing, in a real browser: no tap and no typed text
is lost, and what is on its way is sent as it was.

`make browser` runs it; other runs skip it where there is no Chromium.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from screenshots.browser import Page, browser
from tests.serve.evenings import SETUP, Evening, evening, tap
from tests.serve.test_news_without_harm import RECORD

from affray.serve import server

pytestmark = pytest.mark.browser
UNFOLD = "box.querySelectorAll('details').forEach((each) => { each.open = true; })"
HOLD = """(() => {
  const real = window.fetch;
  window.fetch = async (...all) => {
    await new Promise((go) => { window.go = go; });
    window.fetch = real;
    return real(...all);
  };
})()"""
"""Hold the next request back until `go()`."""
LOSE = """(() => {
  const real = window.fetch;
  window.fetch = async (...all) => {
    await real(...all);
    window.fetch = real;
    throw new TypeError("gone");
  };
})()"""
"""Lose the next answer."""

COUNT = """window.clicks = 0;
addEventListener("click", () => { clicks += 1; }, true);
window.now = Date.now();
Date.now = () => window.now;"""
"""Count clicks, and let no time pass by itself."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(server, "LOOK_EVERY", 0.02)


def field(at: str) -> str:
    return f"box.querySelector('[data-at=\"{at}\"]')"


async def typed(page: Page, at: str, text: str) -> None:
    await page.until(f"{field(at)} !== null")
    await page.ask(f"{field(at)}.focus()")
    await page.do("Input.insertText", text=text)


async def send(page: Page, form: str) -> None:
    await page.ask(f"box.querySelector('[data-form=\"{form}\"]').requestSubmit()")


async def news(at: Evening, page: Page) -> None:
    """Have the page hear that Mira has lost a hit point."""
    at.gm.do("damage mira 1")
    hp = at.gm.state["mira"].track("hp")
    await page.until(f"me.sheet.tracks.some((track) => track.value === {hp})")


async def test_a_tap_is_for_what_the_finger_came_down_on(tmp_path: Path) -> None:
    """It opens the form, and the news say why it closes; a button that news disable is mute."""
    async with evening(tmp_path / "ford.toml", "monsters-and-magic") as at, browser() as page:
        await at.join(page, "Mira")
        await page.do("Emulation.setTouchEmulationEnabled", enabled=True)
        button = field("form:do:strike")
        await page.until(f"{button} !== null")
        await page.ask(f"{button}.scrollIntoView({{ block: 'center' }})")
        x, y = await page.ask(
            f"(b => [b.x + b.width / 2, b.y + b.height / 2])({button}.getBoundingClientRect())"
        )
        await page.ask(RECORD)
        await page.ask("window.heardOf = 0; source.addEventListener('me', () => { heardOf += 1; })")
        points = [{"x": x, "y": y}]
        await page.do("Input.dispatchTouchEvent", type="touchStart", touchPoints=points)
        at.gm.do("set mira ap 0")
        await page.until("heardOf > 0")
        await page.do("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        await page.until("window.said.includes('Strike: 0 AP left, needs 1')")


async def test_news_wait_for_a_finger_that_stays_down_only_so_long(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask("dispatchEvent(new PointerEvent('pointerdown'))")
        await news(at, page)


@pytest.mark.parametrize("milliseconds", [0, 300])
async def test_a_second_tap_on_the_button_that_sends_is_for_nothing_else(
    tmp_path: Path, milliseconds: int
) -> None:
    """The form has gone by then, or goes while the finger is down, and another act is there."""
    async with evening(tmp_path / "ford.toml", "5e") as at, browser() as page:
        await page.do("Emulation.setTouchEmulationEnabled", enabled=True)
        await at.join(page, "Mira")
        await page.until("me.call === 'up'")
        await tap(page, "form:do:attack")
        await tap(page, "do:attack/target=Ghoul")
        await typed(page, "do:attack/die", "15")
        button = field("send:do:attack")
        await page.ask(f"{button}.scrollIntoView({{ block: 'center' }})")
        x, y = await page.ask(
            f"(b => [b.x + b.width / 2, b.y + b.height / 2])({button}.getBoundingClientRect())"
        )
        await page.ask(
            "(() => { const real = window.fetch; window.fetch = async (...all) => {"
            f" await new Promise((go) => setTimeout(go, {milliseconds}));"
            " return real(...all); }; })()"
        )
        await page.ask(COUNT)
        is_gone = "box.querySelector('[data-form=\"do:attack\"]') === null"
        points = [{"x": x, "y": y}]
        await page.do("Input.dispatchTouchEvent", type="touchStart", touchPoints=points)
        await page.do("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        if not milliseconds:
            await page.until(is_gone)
        await page.do("Input.dispatchTouchEvent", type="touchStart", touchPoints=points)
        await page.until("me.proposals.length === 1 || later.length > 0")
        await page.do("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        await page.until(f"clicks === 2 && {is_gone} && underway.size === 0")
        assert await page.ask("[open, me.proposals.length]") == ["", 1]
        assert [row.words for row in at.inbox.waiting()] == ["Attack Ghoul, 15 on the die"]


async def test_two_taps_on_an_act_send_it_once_and_two_a_moment_apart_twice(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "5e") as at, browser() as page:
        await page.do("Emulation.setTouchEmulationEnabled", enabled=True)
        await at.join(page, "Mira")
        await page.until("me.call === 'up'")
        button = field("form:do:dodge")
        await page.ask(f"{button}.scrollIntoView({{ block: 'center' }})")
        await page.ask(COUNT)
        for count, (passes, sent) in enumerate(((0, 1), (0, 1), (600, 2)), 1):
            await page.ask(f"window.now += {passes}")
            x, y = await page.ask(
                f"(b => [b.x + b.width / 2, b.y + b.height / 2])({button}.getBoundingClientRect())"
            )
            points = [{"x": x, "y": y}]
            await page.do("Input.dispatchTouchEvent", type="touchStart", touchPoints=points)
            await page.do("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            await page.until(f"clicks === {count} && underway.size === 0")
            await page.until(f"me.proposals.length === {sent}")
        assert [row.words for row in at.inbox.waiting()] == ["Dodge", "Dodge"]


async def test_a_form_that_is_being_filled_in_keeps_its_fields_where_they_are(
    tmp_path: Path,
) -> None:
    """A thumb comes down on a field where it was; who is new is offered once it rests."""
    async with evening(tmp_path / "ford.toml", "level-up") as at, browser() as page:
        await at.join(page, "Mira")
        await tap(page, "form:do:attack")
        await page.until(f"{field('do:attack/die')} !== null")
        await page.ask(COUNT)
        await typed(page, "do:attack/amount-rolled", "4")
        top = f"{field('do:attack/die')}.getBoundingClientRect().top"
        before = await page.ask(top)
        at.gm.do("add monster Rat x12 hp 3")
        await page.until("main.innerText.includes('Rat 12')")
        await news(at, page)
        assert await page.ask(top) == before
        assert await page.ask(field("do:attack/target=Rat 1")) is None
        await page.ask("window.now += 2000")
        await page.until(f"{field('do:attack/target=Rat 1')} !== null")
        assert await page.ask(f"{field('do:attack/amount-rolled')}.value") == "4"


async def test_what_is_typed_in_parts_stays_when_news_come_between_them(tmp_path: Path) -> None:
    """A type before its number, dice with spaces, and a word that is still being composed."""
    async with evening(tmp_path / "ford.toml", "level-up") as at, browser() as page:
        await at.join(page, "Mira")
        await tap(page, "form:do:attack")
        kind = field("do:attack/amount-rolled/type")
        await page.until(f"{kind} !== null")
        await page.ask(f"{kind}.value = 'fire', {kind}.dispatchEvent(new Event('change'))")
        await news(at, page)
        assert await page.ask(f"{kind}.value") == "fire"
        await typed(page, "do:attack/amount-rolled", "2d6 + 3")
        await tap(page, "do:attack/target=Ghoul")
        await typed(page, "do:attack/die", "19")
        await news(at, page)
        shown = [field("do:attack/amount-rolled"), kind, field("do:attack/die")]
        assert [await page.ask(f"{each}.value") for each in shown] == ["2d6 + 3", "fire", "19"]
        await send(page, "do:attack")
        row = await at.next_proposal()
        assert row.command == "attack ghoul natural 19 2d6+3 fire by mira"


async def test_a_word_that_is_being_composed_is_left_alone(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask(UNFOLD)
        await tap(page, "form:note")
        await page.until(f"{field('note/text')} !== null")
        await page.ask(f"{field('note/text')}.focus()")
        compose = {"selectionStart": 2, "selectionEnd": 2}
        await page.do("Input.imeSetComposition", text="に", **{**compose, "selectionStart": 1})
        await news(at, page)
        await page.do("Input.imeSetComposition", text="にほ", **compose)
        await news(at, page)
        await page.do("Input.insertText", text="日本")
        assert await page.ask(f"{field('note/text')}.value") == "日本"
        await send(page, "note")
        assert (await at.next_proposal()).words == "Note to the GM, 日本"


async def test_a_choice_is_undone_by_a_second_tap_and_seen_to_be(tmp_path: Path) -> None:
    attacks = "attack blade +5 1d8 slashing attack bow +3 1d6 piercing"
    setup = (f"add pc Mira hp 40 {attacks}", *SETUP[:1], "init mira 20", "init ghoul 9", "start")
    async with evening(tmp_path / "ford.toml", "level-up", *setup) as at, browser() as page:
        await at.join(page, "Mira")
        await tap(page, "form:do:attack")
        await page.until(f"{field('do:attack/weapon=bow')} !== null")
        for is_chosen in (True, False, True):
            await page.ask(f"{field('do:attack/weapon=bow')}.focus()")
            await tap(page, "do:attack/weapon=bow")
            await news(at, page)
            assert await page.ask(f"{field('do:attack/weapon=bow')}.checked") is is_chosen


async def test_what_is_filled_in_while_something_is_sent_is_kept(tmp_path: Path) -> None:
    """Another form that is opened meanwhile stays open, and so does what is typed on."""
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask(UNFOLD)
        await tap(page, "form:note")
        await typed(page, "note/text", "wait")
        await page.ask(HOLD)
        await send(page, "note")
        await tap(page, "form:question")
        await typed(page, "question/text", "Is it")
        await page.until("box.querySelector('[data-at=\"form:note\"]').textContent === 'Sending …'")
        await page.ask("go()")
        assert (await at.next_proposal()).words == "Note to the GM, wait"
        await page.until("underway.size === 0")
        await typed(page, "question/text", " dark?")
        assert await page.ask(f"{field('question/text')}.value") == "Is it dark?"
        assert await page.ask(f"{field('form:note')}.textContent") == "Note to the GM"

        await page.ask(HOLD)
        await send(page, "question")
        await typed(page, "question/text", " And cold?")
        await page.ask("go()")
        assert (await at.next_proposal()).words == "Is it dark?"
        await page.until("underway.size === 0")
        assert await page.ask(f"{field('question/text')}.value") == "Is it dark? And cold?"


async def test_whoever_has_gone_is_no_longer_chosen(tmp_path: Path) -> None:
    """What is not offered any more can't be seen, so it isn't sent."""
    async with evening(tmp_path / "ford.toml", "level-up") as at, browser() as page:
        await at.join(page, "Mira")
        at.gm.do("add monster Rat hp 3")
        await tap(page, "form:do:attack")
        await page.until(f"{field('do:attack/target=Rat')} !== null")
        await tap(page, "do:attack/target=Rat")
        await typed(page, "do:attack/die", "19")
        at.gm.do("conceal rat")
        await page.until(f"{field('do:attack/target=Rat')} === null")
        await send(page, "do:attack")
        await page.until("told.textContent.includes('target: choose one')")


async def test_a_refusal_stays_beside_the_form_and_leads_to_its_field(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "level-up") as at, browser() as page:
        await at.join(page, "Mira")
        await tap(page, "form:do:attack")
        await typed(page, "do:attack/die", "99")
        for why, at_field in (
            ("target: choose one", "do:attack/target=Ghoul"),
            ("99 is not a number on a d20", "do:attack/die"),
        ):
            await send(page, "do:attack")
            words = "box.querySelector('[data-form=\"do:attack\"] .bad')"
            await page.until(f"{words}?.textContent === '{why}'")
            await news(at, page)
            assert await page.ask(f"{words}.textContent") == why
            await page.until(f"document.activeElement.dataset.at === '{at_field}'")
            await tap(page, "do:attack/target=Ghoul")
            await page.ask(f"{field('do:attack/die')}.focus()")
        await page.ask(f"{field('do:attack/die')}.select()")
        await page.do("Input.insertText", text="19")
        await send(page, "do:attack")
        assert (await at.next_proposal()).command == "attack ghoul natural 19 by mira"
        await page.until("box.querySelector('[data-form=\"do:attack\"]') === null")
        await tap(page, "form:do:attack")
        await page.until("box.querySelector('[data-form=\"do:attack\"]') !== null")
        assert await page.ask("box.querySelector('[data-form=\"do:attack\"] .bad')") is None


async def test_the_same_act_in_another_turn_is_another_act(tmp_path: Path) -> None:
    """Though the answer to the first was lost, so that its player was told that it was not sent."""
    async with evening(tmp_path / "ford.toml", "level-up") as at, browser() as page:
        await at.join(page, "Mira")
        for _ in range(2):
            await page.until("me.call === 'up'")
            await page.ask(LOSE)
            await tap(page, "form:turn-end")
            await page.until('told.textContent.includes("can\'t be reached")')
            row = await at.next_proposal()
            await at.played(row, page)
            while at.gm.state.turn != "mira":
                at.gm.do("next")


async def test_what_was_filled_in_for_one_character_is_not_in_anothers_forms(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask(UNFOLD)
        await tap(page, "form:note")
        await typed(page, "note/text", "I am Mira")
        phone = at.phones.of("mira")[0]
        at.phones.grant(phone, "odo")
        at.gm.do("damage odo 1")
        await page.until("me.name === 'Odo'")
        await page.until(f"{field('note/text')} === null")
        await tap(page, "form:note")
        await page.until(f"{field('note/text')}?.value === ''")
