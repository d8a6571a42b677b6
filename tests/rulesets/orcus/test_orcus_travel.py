"""On the road, and challenges that take many checks. Orcus, Overland Movement, Glossary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.engine.events import Rolled

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight


def dcs(fight: Fight) -> list[int | None]:
    """What the rolls of the last command were against."""
    return [event.dc for event in fight.events if isinstance(event, Rolled)]


def test_each_hour_of_hustling_is_harder(gathered: Fight) -> None:
    """Orcus, Overland Movement (DC 15, and 5 for each hour spent hustling)."""
    for dc in (20, 25, 30):
        gathered.do("hustle brannoc success")
        assert dcs(gathered) == [dc]


def test_a_long_rest_begins_the_hours_anew(gathered: Fight) -> None:
    """Orcus, Overland Movement."""
    gathered.do("hustle brannoc success", "rest short", "hustle brannoc success")
    assert dcs(gathered) == [25]
    gathered.do("rest long", "hustle brannoc success")
    assert dcs(gathered) == [20]


def test_pushing_on_is_dc_20_once_a_day(gathered: Fight) -> None:
    """Orcus, Overland Movement (for another five hours a day)."""
    gathered.do("push-on brannoc natural 20")
    assert (dcs(gathered), gathered.outcome) == ([20], "success")
    assert gathered.track("brannoc", "recoveries") == 8
    gathered.refuses("push-on brannoc success", "once a day")
    gathered.do("rest long", "push-on brannoc natural 19")
    assert gathered.outcome == "failure"


@pytest.mark.parametrize("line", ["hustle", "push-on"])
@pytest.mark.parametrize("then", ["hustle", "push-on"])
def test_a_failure_costs_a_recovery_and_rules_out_both_until_a_long_rest(
    gathered: Fight, line: str, then: str
) -> None:
    """Orcus, Overland Movement."""
    gathered.do(f"{line} brannoc,mira natural 19,20")
    assert (gathered.track("brannoc", "recoveries"), gathered.track("mira", "recoveries")) == (7, 6)
    assert (gathered.effects("brannoc"), gathered.effects("mira")) == ({"footsore"}, set())
    gathered.refuses(f"{then} brannoc success", "footsore")
    gathered.do("rest short").refuses(f"{then} brannoc success", "footsore")
    gathered.do("rest long", f"{then} brannoc success")
    assert gathered.effects("brannoc") == set()


def test_the_endure_skill_and_what_is_in_force_are_added(gathered: Fight) -> None:
    """Orcus, Overland Movement, Skill Checks."""
    gathered.do("add pc Odo hp 30 endure 9", "modifier odo +1 check until rest")
    gathered.do("push-on odo natural 8 plus 2")
    assert (gathered.rolled.total, gathered.outcome) == (20, "success")


def test_without_a_recovery_there_is_none_to_lose(gathered: Fight) -> None:
    """Orcus, Overland Movement."""
    gathered.do("set brannoc recoveries 0", "hustle brannoc failure")
    assert gathered.track("brannoc", "recoveries") == 0
    assert "footsore" in gathered.effects("brannoc")


def test_the_slowest_sets_the_pace(gathered: Fight) -> None:
    """Orcus, Overland Movement (half the speed in miles an hour, and twice that)."""
    gathered.do("hustle brannoc,mira success")
    assert gathered.shown["undo"] == "Brannoc and Mira hustle for an hour: 6 miles"
    gathered.do("add pc Odo hp 30 speed 5", "push-on odo,mira success")
    assert gathered.shown["undo"] == "Odo and Mira push on for five hours: 12 miles"


def test_nobody_travels_in_a_fight_or_lying_down(fight: Fight) -> None:
    """Orcus, Overland Movement."""
    fight.refuses("hustle brannoc success", "in the middle of a fight")
    fight.do("damage brannoc 44", "end").refuses("push-on brannoc success", "dying")


# -- extended challenges ---------------------------------------------------------------------------


def test_checks_count_toward_an_extended_challenge(gathered: Fight) -> None:
    """Orcus, Glossary (Extended challenge)."""
    gathered.do('clock "The talk" 3 before 3')
    gathered.do('check mira bluff natural 11 dc 20 toward "The talk"')
    gathered.do('check mira bluff natural 10 dc 20 toward "The talk"')
    gathered.do('check brannoc diplomacy failure toward "the talk"')
    (clock,) = gathered.shown["clocks"]
    assert clock == {"name": "The talk", "value": 1, "max": 3, "failures": 2, "limit": 3}
    gathered.do('check mira bluff failure toward "The talk"')
    gathered.refuses('check mira bluff success toward "The talk"', "is lost")


def test_what_counts_needs_a_challenge_and_a_number(gathered: Fight) -> None:
    """Orcus, Glossary (Extended challenge)."""
    gathered.refuses('check mira bluff success toward "The talk"', "there is no race")
    gathered.do('clock "The talk" 3 before 3', 'clock "Dawn" 4')
    gathered.refuses('check mira bluff natural 11 toward "The talk"', "needs a DC")
    gathered.refuses("check mira bluff success toward Dawn", "the talk")
