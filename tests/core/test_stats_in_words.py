"""The rows of a sheet in words, as the card and the techniques show them."""

from __future__ import annotations

from affray.core.formatting.effects import words_of_part


def test_a_row_in_a_row_and_what_is_false_are_written_in_words() -> None:
    tail = {
        "name": "tail",
        "bonus": 8,
        "dice": "1d8+5",
        "plus": [["1d6", "fire"], ["1d4", "cold"]],
        "save": {"ability": "str", "dc": 15, "half": False, "inflicts": ["prone"]},
        "light": True,
    }
    assert words_of_part(tail) == (
        "tail +8 1d8+5 plus 1d6 fire plus 1d4 cold save str dc 15 inflicts prone light"
    )
