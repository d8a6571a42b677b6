"""What is told in few cells is wrapped, not cut: ends in words, pieces of text in their inks."""

from __future__ import annotations

import pytest
from rich.style import Style

from affray.core.engine.state import Combatant, Duration, Encounter, Slot
from affray.core.formatting.effects import end_words
from affray.tui.drawing import (
    StyledLine,
    flow_items,
    items_that_fit,
    wrapped_pieces,
    wrapped_text,
)

RED, BLUE = Style(color="red"), Style(color="blue")


@pytest.mark.parametrize(
    ("duration", "words"),
    [
        (Duration("turn", "mira", "end", 4), "ends after their turn"),
        (Duration("turn", "mira", "end", 5), "ends after their 2nd turn"),
        (Duration("turn", "ghoul", "end", 2), "ends after this turn"),
        (Duration("turn", "ghoul", "end", 3), "ends after Ghoul's next turn"),
        (Duration("turn", "ghoul", "start", 3), "until Ghoul's next turn starts"),
        (Duration("turn", "gone", "end", 1), "ends after gone's turn"),
        (Duration("round", count=4), "until round 4 ends"),
        (Duration(says="it stands"), "until it stands"),
        (Duration("save"), "save ends"),
    ],
)
def test_an_end_in_few_words(duration: Duration, words: str) -> None:
    mira = Combatant("mira", "Mira", "party", "pc")
    ghoul = Combatant("ghoul", "Ghoul", "foes", "monster")
    slots = (Slot("mira", 18, 3, 3), Slot("ghoul", 15, 2, 3, True))
    state = Encounter(phase="combat", round=3, turn="ghoul", slots=slots, combatants=(mira, ghoul))
    assert end_words(state, mira, duration) == words


def test_pieces_are_wrapped_as_one_text_and_keep_their_inks() -> None:
    lines = wrapped_pieces([("one  two three", RED), ("", RED), ("· four", BLUE)], 9)
    assert [line.text for line in lines] == ["one two", "three ·", "four"]
    inks = [[(s.text, s.style) for s in line.segments] for line in lines]
    assert inks == [[("one two", RED)], [("three ", RED), ("·", BLUE)], [("four", BLUE)]]


def test_a_word_that_is_wider_than_the_line_is_broken() -> None:
    lines = wrapped_pieces([("abcdefgh ij", RED)], 5)
    assert [line.text for line in lines] == ["abcde", "fgh", "ij"]


def test_items_that_have_no_room_in_a_line_are_broken_between_words() -> None:
    items = [StyledLine().add("aa"), StyledLine(), StyledLine().add("bb cc dd", RED)]
    assert [line.text for line in items_that_fit(items, 5)] == ["aa", "bb cc", "dd"]


def test_items_side_by_side_are_broken_where_one_is_wider_than_a_line() -> None:
    items = [StyledLine().add("aa"), StyledLine(), StyledLine().add("bb cc dd", RED)]
    assert [line.text for line in flow_items(items, 5, 1)] == ["aa", "bb cc", "dd"]


def test_what_flows_on_is_indented() -> None:
    lines = flow_items([StyledLine().add(word) for word in ("aa", "bb", "cc")], 5, 1, 2)
    assert [line.text for line in lines] == ["aa bb", "  cc"]


def test_a_text_of_several_lines_keeps_them_apart() -> None:
    assert wrapped_text("Large beast.\nClaw. It pinches.\n\nEnd", 12) == [
        "Large beast.",
        "Claw. It",
        "pinches.",
        "End",
    ]
