"""What is typed where words are asked for: a lone quote in a prompt, one letter on and on."""

from __future__ import annotations

import asyncio
from string import ascii_lowercase

from rich.cells import cell_len
from tests.fuzz.fights import ENCOUNTERS, fight_at, points
from tests.fuzz.keys import Pressing, keymap_of_fight
from tests.fuzz.limits import by_work
from tests.torture.table import Tally, fault

from affray.core.formatting.safe_text import strip_control_chars
from affray.tui.app import AffrayApp
from affray.tui.palette import FightCommandProvider

MOST_PLACES = 7
"""No prompt has more places than that."""

TYPED = ('"', 'paste:12 inches, or 12"', "paste:'\"'")
THEN = ("shift+tab", "tab", "enter", "backspace", "space")


@fault("a lone quote in any prompt")
def quoted(tally: Tally) -> None:
    """Typed or pasted into any place of each prompt, those before it answered or passed over."""
    for name in ENCOUNTERS:
        for key, found in keymap_of_fight(name).by_key.items():
            for _ in range(tally.times(60, 2) if found.prompt is not None else 0):
                tally.tries += 1
                at = tally.rng.choice(points(name)[1:])
                press = Pressing(fight_at(name, at), 0)
                try:
                    _press(tally, press, key)
                except Exception as error:  # a prompt says what is wrong, and refuses nothing
                    tally.breaks(f"{name} {at}, {key}", error)
    tally.say("the quote is never closed: '\"'")


def _press(tally: Tally, press: Pressing, key: str) -> None:
    press(key)
    for _ in range(tally.rng.randrange(MOST_PLACES)):
        slot = press.prompt.field if press.prompt is not None else None
        offered = [offer.key for offer in slot.offers() if offer.key] if slot is not None else []
        press(tally.rng.choice(["tab", "tab", "3", *offered]))
    for key in (tally.rng.choice(TYPED), tally.rng.choice(THEN)):
        press(key)
        press.look()


MOST_CALLS = 100_000
"""Several times as many as any search makes."""


@fault("one letter on and on in the palette")
def searched(tally: Tally) -> None:
    """Any letter so often, alone or in turn with another: no more work than for any other word."""
    for name in tally.rng.sample(list(ENCOUNTERS), tally.times(len(ENCOUNTERS), 1)):
        asyncio.run(_search(tally, name))
    tally.say("(nothing: what fits is listed, or that nothing does)")


async def _search(tally: Tally, name: str) -> None:
    fight = fight_at(name, points(name)[3])
    async with AffrayApp(fight).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        commands = FightCommandProvider(pilot.app.screen)
        for letter in ascii_lowercase if not tally.short else "eit":
            for query in (letter * 8, letter * 60, f"{letter} " * 20, f"{letter}e" * 15):
                tally.tries += 1
                try:
                    with by_work(MOST_CALLS):
                        _ = [hit async for hit in commands.search(query)]
                except Exception as error:
                    tally.breaks(f"{name}: {query!r}", error)


SIGNS = "❤⚔⌚👍👩1e名क \ufe0e\ufe0f\u200d\u20e3\u0301\u094d\U0001f3fd\U0001f1e9\U0001f1ea"


@fault("signs that terminals draw in other widths")
def pictured(tally: Tally) -> None:
    """Any of them in a row: what is shown is as wide one by one as it is in clusters."""
    for _ in range(tally.times(100_000, 2000)):
        tally.tries += 1
        shown = strip_control_chars("".join(tally.rng.choices(SIGNS, k=tally.rng.randint(1, 6))))
        if cell_len(shown) != sum(map(cell_len, shown)):
            tally.fails(f"{shown.encode('unicode_escape')!r} is {cell_len(shown)} wide")
    tally.say("(nothing: each is shown as the letter that it is)")
