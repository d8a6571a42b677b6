"""The fight as plain lines: what everybody has, and what has no room there."""

from __future__ import annotations

from tests.core.conftest import BARE

from affray.core.formatting.reports import json_report, text_report


def test_the_text_of_a_creature_is_no_part_of_the_list(play):
    play('add monster Rat hp 3 text "It gnaws at ropes, and has done so for years."')
    shown = json_report(play.history, BARE)
    assert shown["combatants"][0]["stats"]["text"].startswith("It gnaws")
    told = "\n".join(text_report(shown, BARE))
    assert "Rat" in told and "gnaws" not in told
