"""How `/` and `?` find: names before what is said of them, and misspelt names at the last."""

from __future__ import annotations

import pytest
from tests.fuzz.limits import by_work

from affray.tui.sheets.finding import found, sought

ROWS = [
    (sought("Drain", ("what unghouls the dead",)), "inside a word of what is said"),
    (sought("Riposte", ("strikes back, as a ghoul would",)), "a word of what is said"),
    (sought("Old Ghoul"), "a word of the name"),
    (sought("Ghoul King"), "the beginning"),
    (sought("Ghoul"), "the whole name"),
    (sought("Unghoulish"), "inside a word of the name"),
    (sought("Weaken", ("half the damage", "ends on a save")), "words of what is said"),
    (sought("Grapple", ("holds somebody",), ("g",)), "a key"),
]


def test_names_come_before_what_is_said_and_beginnings_of_words_before_their_middle() -> None:
    assert found(ROWS, "Ghoul") == [
        "the whole name",
        "the beginning",
        "a word of the name",
        "a word of what is said",
        "inside a word of the name",
        "inside a word of what is said",
    ]


def test_all_the_words_must_be_there_in_any_order() -> None:
    assert found(ROWS, "king ghoul") == ["the beginning"]
    assert found(ROWS, "save half") == found(ROWS, "weak save") == ["words of what is said"]
    assert found(ROWS, "save zzz") == []


def test_a_key_is_found_by_itself_and_only_as_it_is_pressed() -> None:
    assert found(ROWS, "g")[0] == "a key"
    assert found(ROWS, "G")[0] != "a key"


@pytest.mark.parametrize("typed", ["ghuol", "goul", "ghoull", "gholu"])
def test_a_misspelt_name_is_found_where_nothing_fits(typed: str) -> None:
    assert found(ROWS, typed)[:3] == ["a word of the name", "the beginning", "the whole name"]


@pytest.mark.parametrize("typed", ["", "  "])
def test_nothing_typed_leaves_all_in_their_order(typed: str) -> None:
    assert found(ROWS, typed) == [row for _, row in ROWS]


@pytest.mark.parametrize("typed", ["g", "ghoul", "bones water", "nothing like it", "creatuer"])
def test_five_hundred_rows_are_each_looked_at_a_few_times(typed: str) -> None:
    said = "walks by night where the old bones lie in the water " * 4
    rows = [(sought(f"Creature {number} of the fen", (said,)), number) for number in range(500)]
    with by_work(500 * 80):
        assert found(rows, typed) is not None


def test_few_letters_are_no_misspelling() -> None:
    assert found(ROWS, "gx") == found(ROWS, "zzz") == []
