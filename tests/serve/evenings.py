"""An evening with phones: a fight, its GM who answers through the inbox, and the page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from screenshots.at_table import served_page
from screenshots.browser import Page

from affray.core.dice import SeededDice
from affray.store.inbox import Inbox, Proposal
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones

PHONE = (360, 740, 1)
ATTACKS = {
    "adventure-school": "attack blade +5 1d8+3 slashing",
    "5e": "attack blade +5 1d8+3 slashing",
    "level-up": "attack blade +5 1d8+3 slashing",
    "monsters-and-magic": "",
    "orcus": "attack blade +5 vs ac 1d8+3",
}
"""What the characters strike with, in each game."""
SETUP = (
    *("add monster Ghoul hp 90", "add monster Lurker hp 7 hidden"),
    *("init mira 20", "init odo 15", "init ghoul 10", "start", "setting players-act ask"),
)


BEGIN = """(() => {
  const form = me.forms.find((form) => form.group === "action" && !form.reason
    && form.fields.some((field) => field.kind === "combatant"));
  const button = form && box.querySelector(`[data-at="form:${form.id}"]:not(:disabled)`);
  if (button) button.click();
  return Boolean(button);
})()"""
"""Open the form of the first action that there is, once there is one: news may change that."""
SEEN = """(() => {
  const up = document.querySelector("#top strong"), at = up.getBoundingClientRect();
  return document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2) === up
    && up.compareDocumentPosition(box) === Node.DOCUMENT_POSITION_FOLLOWING;
})()"""
FILL = """(() => {
  const form = box.querySelector("form");
  for (const row of form.querySelectorAll("fieldset")) {
    if (row.querySelector("legend").textContent.includes("may be left out")) continue;
    const tap = row.querySelector("input[type=radio], input[type=checkbox]");
    const text = row.querySelector("input[type=text]");
    if (tap && !row.querySelector("input:checked")) { tap.click(); return false; }
    if (!tap && text && !text.value) {
      text.value = "3"; text.dispatchEvent(new Event("input")); return false;
    }
  }
  form.requestSubmit();
  return true;
})()"""
"""Fill in the next empty field of the form that is open, or send it when none is left."""


class Evening:
    """A fight with its GM, who answers through the inbox, and the address of its page."""

    def __init__(self, log: Path, gm: OpenEncounter, url: str) -> None:
        self.gm, self.url = gm, url
        self.inbox, self.phones = Inbox(log), Phones(log)

    async def next_proposal(self) -> Proposal:
        """Wait for what a phone has sent, and take it."""
        for _ in range(6000):
            for row in self.inbox.waiting():
                if self.inbox.take(row.id):
                    return row
            await asyncio.sleep(0.01)
        raise AssertionError("no phone has sent anything")

    def accept(self, row: Proposal) -> None:
        if row.asks_to_play:
            self.phones.grant(row.sender, row.character)
        else:
            self.gm.do(row.command, proposal=row.id)
        self.inbox.answer(row, "accepted", self.gm.history.last)
        self.inbox.forget(row.id)

    async def join(self, page: Page, name: str) -> None:
        """Open the page, and tap on a character; the GM says yes."""
        await page.open(self.url, *PHONE)
        await page.until("source.readyState === EventSource.OPEN && !box.hidden")
        await page.ask("box.querySelector('summary').click()")
        await tap(page, f"play:{name}")
        row = await self.next_proposal()
        assert row.asks_to_play
        self.accept(row)
        await page.until(f"me !== null && me.name === {json.dumps(name)}")

    async def played(self, row: Proposal, page: Page) -> None:
        """Accept a proposal, and wait until its phone has heard."""
        self.accept(row)
        await page.until(
            f"me.proposals.some((each) => each.id === '{row.id}' && each.state === 'accepted')"
        )

    async def play(self, pages: Mapping[str, Page], until: int) -> list[str]:
        """Play by the phones of these characters until a round begins: an act and the end of the
        turn in each turn of theirs. Returns the commands of the acts."""
        sent = []
        while self.gm.state.round < until:
            who = self.gm.state.turn or ""
            page = pages.get(self.gm.state.name(who))
            if page is None:
                self.gm.do("next")
                continue
            await page.until("me.call === 'up'")
            assert await page.ask(SEEN), "who is up stays in sight, above what the phone plays"
            await page.until(BEGIN)
            await page.until(FILL)
            row = await self.next_proposal()
            assert row.character == who, row
            await self.played(row, page)
            sent.append(row.command)
            for _ in range(4):
                if self.gm.state.turn != who:
                    break
                await tap(page, "form:turn-end")
                row = await self.next_proposal()
                await self.played(row, page)
        return sent


@asynccontextmanager
async def evening(log: Path, ruleset: str, *setup: str) -> AsyncIterator[Evening]:
    """A fight of Mira and Odo against a ghoul and somebody hidden, or one that is set up so."""
    with OpenEncounter.create(log, ruleset, "The Ford", SeededDice(1)) as gm:
        if setup:
            gm.do(*setup, "setting players-act ask")
        else:
            gm.do(*(f"add pc {name} hp 40 {ATTACKS[ruleset]}" for name in ("Mira", "Odo")), *SETUP)
        async with served_page(log) as (_, url):
            yield Evening(log, gm, url)


async def tap(page: Page, at: str) -> None:
    """Tap what is called so, once it is there and may be tapped."""
    found = f"box.querySelector('[data-at=\"{at}\"]:not(:disabled)')"
    await page.until(f"{found} !== null")
    await page.ask(f"{found}.click()")
