"""What is pasted is text, and never keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import events
from textual._xterm_parser import XTermParser

from affray.store.open_encounter import OpenEncounter
from affray.tui.terminal import InputFilter, PasteFilter, clean_paste


def read(*parts: str) -> list[events.Event]:
    """What Textual makes of what a terminal sends."""
    parser, passing = XTermParser(), InputFilter()
    passed = [passing.feed(part.encode()).decode() for part in parts]
    found = [token for part in passed if part for token in parser.feed(part)]
    return [token for token in found if isinstance(token, events.Key | events.Paste)]


def pasted(*parts: str) -> list[str]:
    """The texts, when nothing but pastes came of it."""
    found = read(*parts)
    assert all(isinstance(event, events.Paste) for event in found), found
    return [event.text for event in found if isinstance(event, events.Paste)]


def test_an_escape_sequence_in_a_paste_is_no_key() -> None:
    assert pasted("\x1b[200~zz \x1b[31mm \x1b[0m\x1b[201~") == ["zz [31mm [0m"]
    assert pasted("\x1b[200~\x1b\x1b\x1bn \x1b[A\x1bOP\x1b[201~") == ["n [AOP"]


def test_a_paste_that_comes_in_parts_is_one_text() -> None:
    whole = "\x1b[200~a \x1b[31mmn\x1b[0m\x1b[201~"
    for at in range(6, len(whole)):
        assert pasted(whole[:at], whole[at:]) == ["a [31mmn[0m"], at


def test_an_end_in_the_text_itself_ends_nothing() -> None:
    assert pasted("\x1b[200~a\x1b[201~nn \x1b[201~") == ["a nn "]


def test_two_pastes_and_keys_around_them_stay_what_they_are() -> None:
    found = read("x\x1b[200~a\x1b[201~y\x1b[200~b\x1b[201~\x1b[A")
    kinds = [e.key if isinstance(e, events.Key) else f"“{e.text}”" for e in found]  # type: ignore[attr-defined]
    assert kinds == ["x", "“a”", "y", "“b”", "up"]


def test_keys_pass_the_filter_as_they_are() -> None:
    passing = PasteFilter()
    for part in ("s", "3", "\x1b", "\x1b[A", "\x1b[20", "0"):
        assert passing.feed(part) == part


def test_pasted_text_is_one_line() -> None:
    assert clean_paste(" a\r\n\tb\x07c\x1b[0m ") == "a bc[0m"


async def test_a_paste_goes_where_words_are_typed_and_nowhere_else(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(fight) as game:
        entries = len(fight.history.entries)
        game.pilot.app.post_message(events.Paste("n n nn\nm"))
        await game.pilot.pause()
        assert len(fight.history.entries) == entries
        assert not game.line.is_open
        await game.type("y")
        game.pilot.app.post_message(events.Paste("the door\nholds\x1b"))
        await game.pilot.pause()
        await game.type("↵")
        assert fight.history.entries[fight.history.last].command == 'note "the door holds"'
        await game.type(":")
        game.pilot.app.post_message(events.Paste("note hm\n"))
        await game.pilot.pause()
        await game.type("↵")
        assert fight.history.entries[fight.history.last].command == "note hm"
        await game.type("s")
        game.pilot.app.post_message(events.Paste("1s8\n"))
        await game.pilot.pause()
        line = game.line
        assert line.prompt is not None and line.prompt.line == "strike ghoul-1"
