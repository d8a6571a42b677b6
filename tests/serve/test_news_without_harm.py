"""News on the players' page in a real browser: they change what has changed, a screen reader hears
what happened to its own player, and nothing moves under a thumb.

`make browser` runs it; other runs skip it where there is no Chromium.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from screenshots.browser import Page, browser
from tests.serve.evenings import evening, tap

from affray.serve import server

pytestmark = pytest.mark.browser
RECORD = """(() => {
  window.said = [];
  window.changed = new Set();
  const place = (node) => {
    const at = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    const row = at.closest("main li"), cell = at.closest("#me dl div");
    if (row) return (row.querySelector("h2") || row).textContent;
    if (cell) return `my ${cell.querySelector("dt").textContent}`;
    return at.closest("#me") || at === document.body ? "my acts" : at.closest("#top") && "header";
  };
  new MutationObserver((news) => {
    for (const each of news) {
      const live = each.target.closest && each.target.closest("[role=status], [role=log]");
      if (live) window.said.push(...[...each.addedNodes].map((node) => node.textContent));
      else window.changed.add(place(each.target));
    }
  }).observe(document.body,
    { attributes: true, characterData: true, childList: true, subtree: true });
})()"""
"""Write down what is changed in the page, by whose it is, and what its live regions say."""
TAKEN = """(() => {
  const found = [[...window.changed].sort(), window.said];
  window.said = [];
  window.changed.clear();
  return found;
})()"""


class Step(NamedTuple):
    """What the GM does, what may change in the page then, and what a phone and a spectator hear."""

    line: str
    changes: str
    phone: tuple[str, ...] = ()
    spectator: tuple[str, ...] = ()


STEPS = (
    Step("damage mira 7", "Mira, my HP", ("HP 33 of 40",)),
    Step("inflict mira slowed", "Mira, my Speed, my acts", ("now slowed",)),
    Step("damage ghoul 9", "Ghoul"),
    Step("note The bell rings", ""),
    Step("next", "Mira, Odo, header, my acts", ("Odo is up",), ("Odo is up",)),
    Step("next", "Ghoul, Odo, header, my acts", ("Ghoul is up", "You are next"), ("Ghoul is up",)),
    Step(
        "damage mira 40",
        "Mira, my Speed, my acts",
        ("dying, HP 0 of 40, now unconscious, now prone",),
    ),
    Step(
        "heal mira 5",
        "Mira, my HP, my Speed, my acts",
        ("up again, HP 5 of 40, no longer unconscious",),
    ),
    Step("next", ""),  # the turn of somebody hidden
    Step(
        "next", "Ghoul, Mira, header, my acts", ("Round 2", "Your turn"), ("Round 2. Mira is up",)
    ),
    Step("damage odo 3", "Odo"),
    Step("next", "Mira, Odo, header, my acts", ("Odo is up", "no longer slowed"), ("Odo is up",)),
    Step("next", "Ghoul, Odo, header, my acts", ("Ghoul is up", "You are next"), ("Ghoul is up",)),
    Step("next", ""),
    Step(
        "next", "Ghoul, Mira, header, my acts", ("Round 3", "Your turn"), ("Round 3. Mira is up",)
    ),
    Step("next", "Mira, Odo, header, my acts", ("Odo is up",), ("Odo is up",)),
    Step("next", "Ghoul, Odo, header, my acts", ("Ghoul is up", "You are next"), ("Ghoul is up",)),
    Step("next", ""),
)
"""Ten turns."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(server, "LOOK_EVERY", 0.02)


async def news(page: Page, changes: list[str], said: tuple[str, ...]) -> tuple[str, ...]:
    """Wait for these changes and words; give all that there were, in that order, and what more came
    since the last time."""
    await page.until(
        f"{json.dumps(changes)}.every((each) => window.changed.has(each))"
        f" && window.said.length >= {len(said)}"
    )
    found, words = await page.ask(TAKEN)
    return (*found, *words)


async def propose_words(page: Page, form: str, words: str) -> None:
    """Fill in the one field of a form, the note or the question to the GM, and send it."""
    await page.ask("box.querySelectorAll('details').forEach((each) => { each.open = true; })")
    await tap(page, f"form:{form}")
    await page.ask(
        "(() => { const text = box.querySelector('form input[type=text]');"
        f" text.value = {json.dumps(words)}; text.dispatchEvent(new Event('input'));"
        " text.form.querySelector('[type=submit]').focus(); text.form.requestSubmit(); })()"
    )


async def test_over_ten_turns_only_what_changes_is_touched_and_little_is_said(
    tmp_path: Path,
) -> None:
    """A change too many of one step would stand among those of the next."""
    async with (
        evening(tmp_path / "ford.toml", "monsters-and-magic") as at,
        browser() as phone,
        browser() as spectator,
    ):
        await at.join(phone, "Mira")
        await spectator.open(at.url, 1280, 720)
        await spectator.until("source.readyState === EventSource.OPEN")
        for page in (phone, spectator):
            await page.ask(RECORD)
        await phone.ask("box.querySelector('[data-at=\"open:numbers\"]').focus()")
        await phone.ask("window.kept = document.activeElement")
        for number, step in enumerate(STEPS, 1):
            at.gm.do(step.line)
            where = f"{number}: {step.line}"
            mine = [each for each in step.changes.split(", ") if each]
            assert await news(phone, mine, step.phone) == (*mine, *step.phone), where
            ours = [each for each in mine if not each.startswith("my ")]
            heard = step.spectator
            assert await news(spectator, ours, heard) == (*ours, *heard), where
            assert await phone.ask("document.activeElement === window.kept"), where
        assert phone.said == spectator.said == []


async def test_what_came_of_a_proposal_is_heard_and_the_focus_stays(tmp_path: Path) -> None:
    """Accepted, declined with words, and the focus back on what was opened, not lost."""
    async with evening(tmp_path / "ford.toml", "level-up") as at, browser() as page:
        await at.join(page, "Mira")
        await page.until("me.call === 'up'")
        for number, answer in enumerate(("accepted", "declined"), 1):
            await page.ask(RECORD)
            await propose_words(page, "note", f"word {number}")
            row = await at.next_proposal()
            await page.until("document.activeElement.dataset.at === 'form:note'")
            await page.until("window.said.includes('sent to the GM')")
            if answer == "accepted":
                at.accept(row)
            else:
                at.inbox.answer(row, "declined", at.gm.history.last, "not now")
                at.inbox.forget(row.id)
            words = f"Note to the GM, word {number}: {answer}"
            await page.until(f"window.said.some((each) => each.startsWith({words!r}))")
            said = await page.ask("window.said")
            assert (answer == "declined") == (f"{words}. not now" in said)
            assert await page.ask("document.activeElement.dataset.at") == "form:note"


async def test_a_second_phone_hears_what_came_of_what_the_first_has_sent(tmp_path: Path) -> None:
    async with (
        evening(tmp_path / "ford.toml", "level-up") as at,
        browser() as first,
        browser() as second,
    ):
        for page in (first, second):
            await at.join(page, "Mira")
        for page in (first, second):
            await page.ask(RECORD)
        await propose_words(first, "note", "a word")
        at.accept(await at.next_proposal())
        note = "Note to the GM, a word: accepted"
        await second.until(f"window.said.includes('your other phone: {note}')")
        await first.until(f"window.said.includes('{note}')")
        assert await second.ask("window.said.length") == 1


async def test_what_is_taken_back_is_heard_once(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask(RECORD)
        await propose_words(page, "note", "a word")
        await page.until("box.querySelector('[data-at^=withdraw]') !== null")
        await page.ask("box.querySelector('[data-at^=withdraw]').click()")
        await page.until("window.said.includes('Note to the GM, a word: taken back')")
        assert await page.ask("window.said") == [
            "sent to the GM",
            "Note to the GM, a word: taken back",
        ]


async def test_a_form_that_goes_says_why_and_so_does_the_gm_who_takes_none(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "monsters-and-magic") as at, browser() as page:
        await at.join(page, "Mira")
        await tap(page, "form:do:strike")
        await page.ask(RECORD)
        at.gm.do("set mira ap 0")
        await page.until("window.said.includes('Strike: 0 AP left, needs 1')")
        at.gm.do("setting players-act off")
        await page.until("window.said.includes('The GM takes no proposals now')")
        at.gm.do("setting players-act ask")
        await page.until("window.said.includes('The GM takes proposals again')")
        assert await page.ask("window.said.length") == 3


async def test_what_is_refused_stays_filled_in(tmp_path: Path) -> None:
    """What the players can see to be impossible comes back at once, to be mended."""
    async with evening(tmp_path / "ford.toml", "monsters-and-magic") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask(RECORD)
        await tap(page, "form:do:strike")
        for field in ("target=Ghoul", "die=roll"):
            await tap(page, f"do:strike/{field}")
        await page.ask("box.querySelector('[data-form=\"do:strike\"]').requestSubmit()")
        words = "how much damage? Mira has no attack of their own to roll"
        await page.until(f"window.said.includes('{words}')")
        assert at.inbox.waiting() == ()
        assert await page.ask("box.querySelectorAll('form input:checked').length") == 2


async def test_the_answer_to_a_question_is_heard(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        assert await page.ask("scrollY") == 0, "what the player came for is in sight"
        await page.ask(RECORD)
        await propose_words(page, "question", "Is it dark?")
        row = await at.next_proposal()
        at.inbox.answer(row, "answered", at.gm.history.last, "No, there is a moon.")
        at.inbox.forget(row.id)
        await page.until("window.said.includes('Is it dark? The GM: No, there is a moon.')")


async def test_what_waits_is_said_with_its_name_also_in_ones_own_turn(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "5e") as at, browser() as page:
        await at.join(page, "Mira")
        await page.until("me.call === 'up'")
        await page.ask(RECORD)
        at.gm.do("cast Vigil concentration by mira", "damage mira 10")
        await page.until("window.said.some((each) => each.startsWith('The table waits for you: '))")
        said = await page.ask("window.said")
        assert any("con save" in each.casefold() for each in said), said
        assert await page.ask("me.call") == "up"


async def test_whether_a_phone_is_let_in_is_heard_once_the_gm_has_said(tmp_path: Path) -> None:
    """Not while the request has been taken and its answer isn't there yet."""
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await page.open(at.url, 360, 740)
        await page.until("source.readyState === EventSource.OPEN && !box.hidden")
        await page.ask(RECORD)
        for words in ("not you", ""):
            await page.ask("box.querySelectorAll('details').forEach((each) => each.open = true)")
            await tap(page, "play:Mira")
            await page.until("asks === 'mira'")
            row = await at.next_proposal()
            await page.until("asks === ''")
            if words:
                at.inbox.answer(row, "declined", at.gm.history.last, words)
                at.inbox.forget(row.id)
                await page.until("window.said.at(-1).startsWith('The GM lets')")
            else:
                at.accept(row)
                await page.until("me !== null")
        assert await page.ask("window.said") == [
            "sent to the GM",
            "The GM lets this phone play nobody: not you",
            "sent to the GM",
            "This phone plays Mira",
            "Your turn",
        ]
        assert await page.ask("me.proposals") == []


async def test_a_right_that_is_taken_back_is_heard(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "orcus") as at, browser() as page:
        await at.join(page, "Mira")
        await page.ask(RECORD)
        at.phones.revoke("mira")
        await page.until("window.said.includes('This phone no longer plays Mira')")


@pytest.mark.parametrize("size", [(360, 740), (1280, 720)])
async def test_nothing_moves_under_the_button_that_sends(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """What waits for the player stands above an open form, and comes while a thumb comes down."""
    async with evening(tmp_path / "ford.toml", "level-up") as at, browser() as page:
        await at.join(page, "Mira")
        await page.open(at.url, *size)
        await page.until("me !== null && me.call === 'up'")
        await tap(page, "form:do:attack")
        button = "box.querySelector('[data-form=\"do:attack\"] [type=submit]')"
        await page.ask(f"{button}.scrollIntoView({{ block: 'end' }})")
        middle = f"(b => [b.x + b.width / 2, b.y + b.height / 2])({button}.getBoundingClientRect())"
        before = await page.ask(middle)
        under = f"document.elementFromPoint({before[0]}, {before[1]}) === {button}"
        assert await page.ask(under)
        for line, comes in (
            ("inflict mira prone", "me.sheet.effects.some((each) => each.name === 'prone')"),
            ("damage mira 9", "me.sheet.tracks.some((track) => track.value === 31)"),
            ("damage odo 40", "main.textContent.includes('dying')"),
            ("damage mira 40", "me.sheet.life === 'dying'"),
        ):
            at.gm.do(line)
            await page.until(comes)
            if await page.ask(f"{button} === null"):
                break  # who is dying has no attack: the form is gone, and no other is in its place
            assert await page.ask(middle) == pytest.approx(before, abs=1), line
            assert await page.ask(under), line


async def test_the_page_fits_from_180_pixels_on_with_every_form_open(tmp_path: Path) -> None:
    async with evening(tmp_path / "ford.toml", "monsters-and-magic") as at, browser() as page:
        await at.join(page, "Mira")
        for width in (180, 320, 640, 1280):
            await page.open(at.url, width, 700)
            await page.until("me !== null && me.call === 'up'")
            for form in await page.ask("['', ...me.forms.map((each) => each.id)]"):
                await page.ask(f"open = {json.dumps(form)}; drawMe()")
                await page.ask(
                    "box.querySelectorAll('details').forEach((each) => { each.open = true; })"
                )
                wide = await page.ask("document.documentElement.scrollWidth")
                assert wide <= width, form


async def test_signs_have_words_beside_them(tmp_path: Path) -> None:
    """No row of dots is mute, and nothing is told by a sign alone."""
    async with evening(tmp_path / "ford.toml", "monsters-and-magic") as at, browser() as page:
        await at.join(page, "Mira")
        for where in ("#me dl div", "main li.party dl div"):
            rows = await page.ask(
                "(() => { const all = (row, what) =>"
                "   [...row.querySelectorAll(what)].map((each) => each.textContent).join(' ');"
                f" return [...document.querySelectorAll('{where}')].map((row) =>"
                "   [all(row, 'dt, .heard'), all(row, '[aria-hidden]')]); })()"
            )
            words = {words for words, _ in rows}
            assert {"HP 40 of 40", "AP 3 of 3", "Reaction 1 of 1"} <= words
            assert any("●●●" in signs for _, signs in rows)
        up = "document.querySelector('#top strong')"
        assert await page.ask(f"[...{up}.childNodes].at(-1).textContent") == "Mira"
