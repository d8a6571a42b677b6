"""A lone quote in any prompt of any fight: a line that doesn't even come apart into words."""

from __future__ import annotations

from tests.fuzz.fights import ENCOUNTERS, fight_at, points
from tests.fuzz.keys import Pressing, keymap_of_fight
from tests.torture.table import Tally, fault

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
    tally.say("a quote is opened and never closed: '\"'")


def _press(tally: Tally, press: Pressing, key: str) -> None:
    press(key)
    for _ in range(tally.rng.randrange(MOST_PLACES)):
        slot = press.prompt.slot if press.prompt is not None else None
        offered = [offer.key for offer in slot.offers() if offer.key] if slot is not None else []
        press(tally.rng.choice(["tab", "tab", "3", *offered]))
    for key in (tally.rng.choice(TYPED), tally.rng.choice(THEN)):
        press(key)
        press.look()
