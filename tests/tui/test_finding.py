"""How `/` and `?` find: names before what is said of them, and misspelt names at the last."""

from __future__ import annotations

import pytest
from tests.fuzz.limits import by_work

from affray.core.parser.search import search, search_key

ROWS = [
    (search_key("Drain", ("what unghouls the dead",)), "inside a word of what is said"),
    (search_key("Riposte", ("strikes back, as a ghoul would",)), "a word of what is said"),
    (search_key("Old Ghoul"), "a word of the name"),
    (search_key("Ghoul King"), "the beginning"),
    (search_key("Ghoul"), "the whole name"),
    (search_key("Unghoulish"), "inside a word of the name"),
    (search_key("Weaken", ("half the damage", "ends on a save")), "words of what is said"),
    (search_key("Grapple", ("holds somebody",), ("g",)), "a key"),
]


def test_names_come_before_what_is_said_and_beginnings_of_words_before_their_middle() -> None:
    assert search(ROWS, "Ghoul") == [
        "the whole name",
        "the beginning",
        "a word of the name",
        "a word of what is said",
        "inside a word of the name",
        "inside a word of what is said",
    ]


def test_all_the_words_must_be_there_in_any_order() -> None:
    assert search(ROWS, "king ghoul") == ["the beginning"]
    assert search(ROWS, "save half") == search(ROWS, "weak save") == ["words of what is said"]
    assert search(ROWS, "save zzz") == []


def test_a_key_is_found_by_itself_and_only_as_it_is_pressed() -> None:
    assert search(ROWS, "g")[0] == "a key"
    assert search(ROWS, "G")[0] != "a key"


@pytest.mark.parametrize("typed", ["ghuol", "goul", "ghoull", "gholu"])
def test_a_misspelt_name_is_found_where_nothing_fits(typed: str) -> None:
    assert search(ROWS, typed)[:3] == ["a word of the name", "the beginning", "the whole name"]


@pytest.mark.parametrize("typed", ["", "  "])
def test_nothing_typed_leaves_all_in_their_order(typed: str) -> None:
    assert search(ROWS, typed) == [row for _, row in ROWS]


@pytest.mark.parametrize("typed", ["g", "ghoul", "bones water", "nothing like it", "creatuer"])
def test_five_hundred_rows_are_each_looked_at_a_few_times(typed: str) -> None:
    said = "walks by night where the old bones lie in the water " * 4
    rows = [(search_key(f"Creature {number} of the fen", (said,)), number) for number in range(500)]
    with by_work(500 * 80):
        assert search(rows, typed) is not None


def test_few_letters_are_no_misspelling() -> None:
    assert search(ROWS, "gx") == search(ROWS, "zzz") == []
