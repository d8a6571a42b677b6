"""Columns of text are aligned by the cells of a terminal, and days are those of the machine."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from affray.core.formatting.reports import json_report, text_report
from affray.core.formatting.safe_text import cell_width, local_day, pad, widest
from affray.fight import Fight

NAMES = (
    "Mira", "ワイバーン", "a\u200bb", "A\U0001f468\u200d\U0001f469", "e\u0301owyn",
    "x\u2764\ufe0f Heart", "אבג"
)  # fmt: skip


def test_the_fight_as_text_is_aligned_whatever_letters_names_have() -> None:
    fight = Fight("plain")
    for name in NAMES:
        fight.do(f'add pc "{name}" hp 5')
    rows = text_report(json_report(fight.history, fight.ruleset), fight.ruleset)
    columns = {cell_width(line[: line.index("HP 5")]) for line in rows if "HP 5" in line}
    assert len(columns) == 1 and sum("HP 5" in line for line in rows) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_padded_to_its_cells(name: str) -> None:
    assert cell_width(pad(name, 20)) == 20 and widest([name, "x"]) <= 20


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone can't be set here")
def test_a_day_is_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    late = datetime(2026, 11, 28, 22, 30, tzinfo=UTC)
    assert local_day(late) == local_day(late.replace(tzinfo=None)) == "2026-11-28"
    try:
        monkeypatch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        assert local_day(late) == "2026-11-28"
        assert local_day(late.replace(hour=23)) == "2026-11-29"
    finally:
        monkeypatch.setenv("TZ", "UTC")
        time.tzset()
