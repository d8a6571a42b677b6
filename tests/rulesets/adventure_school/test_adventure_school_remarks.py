"""What is told beside a resource."""

from __future__ import annotations

from typing import Any

import pytest

Fight = Any


def told(fight: Fight, track: str) -> str:
    ruleset = fight.ruleset
    return str(ruleset.state.describe_track(ruleset.tables, fight["mira"], track))


def test_the_spellburn_die_tells_its_chance_to_backfire(fight: Fight) -> None:
    """22: `d6 1 in 6`, or that it is out."""
    fight.do("set mira spellburn d6")
    assert told(fight, "spellburn") == "1 in 6"
    fight.do("set mira spellburn 0")
    assert told(fight, "spellburn") == "out"


@pytest.mark.parametrize(("left", "saying"), [(7, ""), (6, "Thorns would be chaos"), (0, "")])
def test_control_warns_when_the_dearest_spell_would_reach_0(
    fight: Fight, left: int, saying: str
) -> None:
    """Adventure School, Control and Chaos."""
    fight.do(f"set mira control {left}")
    assert told(fight, "control") == saying


def test_nothing_is_told_of_the_rest(fight: Fight) -> None:
    assert told(fight, "stamina") == "" == told(fight, "hp")
