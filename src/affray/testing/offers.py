"""The first lines that a prompt gives by the keys that it offers itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import pairwise

from affray.testing.keyboard import Keyboard, Opening, copied
from affray.testing.strokes import Keys, written
from affray.tui.keymap import KeyBinding
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.prompt import Prompt

MOST_PRESSED = 80
"""The most tries for one opening."""
MOST_NAMES = 3
ENTER, ROLL = ("enter",), ("r",)
LETTER = "x"
"""The text to type where words are asked for."""


def openings_of(keyboard: Keyboard, key: KeyBinding) -> list[Opening]:
    """The ways to begin a key's prompt: with the cursor on whoever's turn it is, on a friend, on a
    foe."""
    up = keyboard.state.find(keyboard.cursor)
    others = [c for c in keyboard.state.in_order() if up is not None and c.id != up.id]
    friend = [c.id for c in others if up is not None and c.side == up.side][:1]
    foe = [c.id for c in others if up is not None and c.side != up.side][:1]
    found = []
    for who in [keyboard.cursor, *foe, *friend]:
        moves = () if who == keyboard.cursor else tuple(keyboard.numbers[who])
        found.append(Opening((*moves, *key.pressed), key, who))
    return found


def lines_offered(keyboard: Keyboard, opening: Opening) -> Iterator[str]:
    """Valid lines that a prompt gives by its own letters and numbers; first those that enters alone
    give."""
    prompt = keyboard.begin(opening)
    if prompt.barred:
        return
    if prompt.instant:
        yield from [prompt.line] if keyboard.decide(prompt.line) is not None else []
        return
    prompts, seen, pressed = deque([prompt]), set[tuple[str, int]](), 0
    while prompts and pressed < MOST_PRESSED:
        prompt = prompts.popleft()
        for keys in _pressed(prompt):
            pressed += 1
            later = copied(prompt)
            step = keyboard.press(later, keys)
            stands = (later.line, later.at)
            if step is InputState.FINISHED:
                if keyboard.decide(later.line) is not None:
                    yield later.line
            elif step is InputState.OPEN and (stands not in seen or keys == ROLL):
                seen.add(stands)
                (prompts.appendleft if keys == ENTER else prompts.append)(later)


def _pressed(prompt: Prompt) -> Iterator[Keys]:
    """Yield keys to press next: those that go on, letters and numbers on show, a word."""
    field = prompt.field
    if field is not None and field.takes_space:
        names = [offer.label for offer in field.offers()[:MOST_NAMES]]
        yield from ((*written(name), *ENTER) for name in (*names, LETTER))
        yield ENTER
        return
    yield ENTER
    shown = [part for part in prompt.pieces() if part.role in ("key", "offer", "picked")]
    yield from (tuple(key.text) for key, _ in pairwise(shown) if key.role == "key")
    yield from (ROLL, ("5", *ENTER), ("1", *ENTER), ("tab",))
