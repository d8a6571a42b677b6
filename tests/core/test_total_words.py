"""Totals as people read them: whole numbers, bonuses, and words."""

import pytest

from affray.core.rules.tables import TotalRule


@pytest.mark.parametrize(
    ("rule", "value", "told", "tells"),
    [
        (TotalRule(whole=True), 0, "0", True),
        (TotalRule(), 0, "+0", False),
        (TotalRule(), -2, "−2", True),
        (TotalRule(usual="normal"), "normal", "normal", False),
        (TotalRule(usual="normal"), "advantage", "advantage", True),
    ],
)
def test_a_total_is_a_number_a_bonus_or_a_word_and_the_usual_is_not_told(rule, value, told, tells):
    assert (rule.told(value), rule.tells(value)) == (told, tells)
