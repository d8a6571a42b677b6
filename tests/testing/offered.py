"""The letters and words that prompts offer, and whether any of them comes to something.

Each is pressed where the keys of a rule case come by it, in place of the key that they press there,
and goes on as they do, or with the few answers that are enough for most.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.testing.lines import played

from affray import Fight
from affray.core.parser.errors import Refused
from affray.testing import Typed, keys_for
from affray.testing.conformance import TYPED_ALONE
from affray.testing.keyboard import Keyboard, copied
from affray.testing.strokes import Keys
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.prompt import Prompt

ENDS: tuple[Keys, ...] = (
    (),
    ("enter",),
    ("enter", "enter"),
    ("1", "enter"),
    ("5", "enter"),
    ("tab", "1", "enter"),
    ("1", "1", "enter"),
    ("1", ",", "1", "enter"),
    ("1", "tab", "5", "enter"),
    ("f", "enter"),
)
"""What may be pressed behind a word to come to a command."""


class Word(NamedTuple):
    """A word that a prompt offers by a letter: in which game, by which key, in which field."""

    game: str
    key: str
    field: str
    word: str


def never_decided(
    paths: list[Path], every: int = 1, of: Collection[Word] | None = None
) -> dict[Word, str]:
    """The words that come to nothing in any of these files, each with why not.

    One that is refused by a line that has it in its reason is none: there it says what it is for.
    With `of` only these words are pressed, until all of them have come to something.
    """
    decided: set[Word] = set()
    refused: dict[Word, str] = {}
    for path in paths:
        document = tomllib.loads(path.read_text("utf-8"))
        for _, fight, line in played(document, every):
            if of is not None and decided.issuperset(of):
                return {}
            if line.split()[0] not in TYPED_ALONE:
                for word, reason in _pressed(document["ruleset"], fight, line, decided, of):
                    if reason:
                        refused.setdefault(word, reason)
                    else:
                        decided.add(word)
    return {word: why for word, why in refused.items() if word not in decided}


def _pressed(
    game: str, fight: Fight, line: str, decided: set[Word], of: Collection[Word] | None
) -> Iterator[tuple[Word, str]]:
    """Each word on the way to a line that is not decided yet, with why it is refused; empty where
    it isn't."""
    try:
        found = keys_for(fight, line)
    except Refused:
        return
    keyboard = Keyboard(fight)
    prompt = keyboard.begin(found.opening) if isinstance(found, Typed) else None
    for at, key in enumerate(found.keys if isinstance(found, Typed) else ()):
        if prompt is None or not prompt.fields or prompt.field is None or "space" in found.keys:
            return
        for letter, label in _offered(prompt):
            word = Word(game, found.opening.key.id, _name(prompt), label)
            if word not in decided and (of is None or word in of):
                rest = found.keys[at:]
                yield word, _refusal(keyboard, prompt, letter, label, (rest[1:], rest, *ENDS))
        if keyboard.press(prompt, (key,)) is not InputState.OPEN:
            return


def _name(prompt: Prompt) -> str:
    spec = prompt.field.spec if prompt.field is not None else None
    return (spec.name or spec.kind) if spec is not None else ""


def _offered(prompt: Prompt) -> list[tuple[str, str]]:
    """The letters that are shown, those of the field first, each with its word; of what stands in
    the command besides, a letter would take it back."""
    field = prompt.field
    if field is None or field.takes_space:
        return []
    before = [each for each in prompt.fields[: prompt.at] if each.applies()]
    toggles = [] if field.candidates else [o for each in before for o in each.toggle_options()]
    besides = [option for option in toggles if not option.picked]
    return [(o.key, o.label) for o in (*field.offers(), *besides) if o.key.isalpha()]


def _refusal(
    keyboard: Keyboard, prompt: Prompt, letter: str, label: str, ends: tuple[Keys, ...]
) -> str:
    """Why a word comes to nothing; empty where it does, or where the reason names it."""
    refusals = []
    for keys in ends:
        pressed = copied(prompt)
        step = keyboard.press(pressed, (letter,))
        for key in keys:
            step = keyboard.press(pressed, (key,)) if step is InputState.OPEN else step
        if step is InputState.FINISHED:
            try:
                keyboard.fight.preview(pressed.line)
            except Refused as refusal:
                refusals.append(f"{pressed.line}: {refusal}")
                if label in str(refusal).split(" (usage")[0]:
                    return ""
            else:
                return ""
    return next(iter(refusals), f"{prompt.line}: {label} comes to no command")
