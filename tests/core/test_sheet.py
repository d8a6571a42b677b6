"""The fight as plain lines: what everybody has, and what has no room there."""

from __future__ import annotations

from tests.core.conftest import BARE

from affray.core.telling.report import report
from affray.core.telling.sheet import sheet


def test_the_text_of_a_creature_is_no_part_of_the_list(play):
    play('add monster Rat hp 3 text "It gnaws at ropes, and has done so for years."')
    shown = report(play.history, BARE)
    assert shown["combatants"][0]["stats"]["text"].startswith("It gnaws")
    told = "\n".join(sheet(shown, BARE))
    assert "Rat" in told and "gnaws" not in told
