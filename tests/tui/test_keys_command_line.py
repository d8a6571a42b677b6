"""The command bar's line: editing, history, completion."""

from __future__ import annotations

from affray.tui.prompts.command_bar import CommandBar, InputState

WORDS = {"": ["strike", "start", "next"], "strike": ["ghoul-1", "ghoul-2"], "next": []}


def complete(line: str) -> list[str]:
    """A tiny grammar."""
    head, _, part = line.rpartition(" ")
    return [word for word in WORDS.get(head.split(" ")[0], []) if word.startswith(part)]


def typed(keys: str, history: tuple[str, ...] = ()) -> CommandBar:
    """The bar after these keys."""
    bar = CommandBar(history, complete)
    for key in keys.split():
        bar.feed(key)
    return bar


def test_it_is_edited_like_any_line() -> None:
    assert typed("n o t e").text == "note"
    assert typed("n o t e left left backspace").text == "nte"
    assert typed("a b space c d ctrl+w").text == "ab "
    assert typed("a b home delete x").text == "xb"
    assert typed("a b left ctrl+k").text == "a"
    assert typed("a b left ctrl+u").text == "b"


def test_tab_completes_and_goes_round() -> None:
    assert typed("s t r tab").text == "strike "
    assert typed("s t tab").text == "st"
    assert typed("s t tab tab").text == "strike"
    assert typed("s t tab tab tab").text == "start"
    assert typed("s t tab tab tab shift+tab").text == "strike"
    assert typed("s t tab shift+tab").text == "start"
    assert typed("s t r tab g tab").text == "strike ghoul-"
    assert typed("s t r tab g tab tab tab").text == "strike ghoul-2"


def test_tab_writes_nothing_that_was_not_begun() -> None:
    bar = typed("s t r tab tab tab tab")
    assert bar.text == "strike "
    assert bar.offering and bar.offers() == ["ghoul-1", "ghoul-2"] and bar.offered < 0
    assert typed("tab tab").text == ""


def test_the_history_walks_what_begins_as_typed_and_comes_back() -> None:
    history = ("next", "strike ghoul-1 strong 8", "next", "strike ghoul-2 miss")
    assert typed("up", history).text == "strike ghoul-2 miss"
    assert typed("up up", history).text == "next"
    assert typed("s up up", history).text == "strike ghoul-1 strong 8"
    assert typed("s up down", history).text == "s"


def test_what_could_follow_is_suggested_and_taken_with_right() -> None:
    history = ("strike ghoul-1 strong 8",)
    assert typed("s t r", history).suggestion == "ike ghoul-1 strong 8"
    assert typed("s t r right", history).text == "strike ghoul-1 strong 8"
    assert typed("n").suggestion == "ext"


def test_enter_finishes_and_escape_leaves() -> None:
    assert typed("n").feed("enter") is InputState.FINISHED
    assert typed("n").feed("escape") is InputState.LEFT
