"""Totals as people read them: whole numbers, bonuses, and words."""

import pytest

from affray.core.rules.tables import StatRow


@pytest.mark.parametrize(
    ("rule", "value", "told", "tells"),
    [
        (StatRow(whole=True), 0, "0", True),
        (StatRow(), 0, "+0", False),
        (StatRow(), -2, "−2", True),
        (StatRow(usual="normal"), "normal", "normal", False),
        (StatRow(usual="normal"), "advantage", "advantage", True),
    ],
)
def test_a_total_is_a_number_a_bonus_or_a_word_and_the_usual_is_not_told(rule, value, told, tells):
    assert (rule.format_value(value), rule.tells(value)) == (told, tells)


@pytest.mark.parametrize(
    ("rule", "value", "said"),
    [
        (StatRow("AC", whole=True), 14, "AC 14"),
        (StatRow("Attacks"), -2, "Attacks −2"),
        (StatRow("Bloodied", truth=True), 1, "Bloodied"),
    ],
)
def test_a_truth_is_said_by_its_label_alone(rule: StatRow, value: int, said: str) -> None:
    assert rule.say(value) == said
