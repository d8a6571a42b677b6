"""Texts of other programs without the marks of their makers."""

from __future__ import annotations

import pytest

from affray.store.importing.values import clean


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("It smells.\n##### Variants\nSome glow.", "It smells.\nVariants\nSome glow."),
        ("  ## Yeth", "Yeth"),
        ("the #1 hound of #Nethermere", "the #1 hound of #Nethermere"),
        ("**Bite.** It _bites_.", "Bite. It bites."),
        ("<p>Low &amp; wet.</p><p>Old.</p>", "Low & wet.\nOld."),
    ],
)
def test_of_a_text_the_words_are_kept_and_the_marks_are_not(written: str, shown: str) -> None:
    assert clean(written) == shown
