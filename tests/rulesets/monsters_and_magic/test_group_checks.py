"""Group checks: what the results of all come to. Monsters & Magic, Group Checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.parser.errors import Refused
from affray.rulesets.monsters_and_magic.checks import group_outcome

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.mark.parametrize(
    ("outcomes", "together"),
    [
        ("strong", "strong"),
        ("weak miss", "miss"),  # a tie: the lowest
        ("strong weak", "weak"),  # a tie: the lowest
        ("strong miss", "strong"),  # the strong hit takes the miss away
        ("strong strong miss", "strong"),
        ("weak weak miss strong", "weak"),
        ("crit-miss weak", "miss"),  # a critical miss is two misses
        ("crit-miss strong", "miss"),  # ... of which one is left: a tie
        ("crit miss miss", "strong"),  # a critical hit is two strong hits
        ("crit weak weak", "weak"),
        ("crit-miss crit-miss weak weak weak", "miss"),
    ],
)
def test_a_group_check_comes_to_its_most_frequent_result(outcomes: str, together: str) -> None:
    """Monsters & Magic, Group Checks, 1 to 4."""
    assert group_outcome(outcomes.split()) == together  # type: ignore[arg-type]


def test_each_makes_a_check_of_an_own_ability(fight: Fight) -> None:
    """Monsters & Magic, Group Checks: each makes an appropriate check; Mira's FOCUS is 2."""
    fight.do("group-check mira focus natural 16 brannoc power natural 3 dc 12")
    assert fight.outcome == "strong"
    assert fight.track("brannoc", "xp") == 1


def test_a_group_check_uses_up_what_helps_a_check(fight: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold: of each who rolls."""
    fight.do("forward mira +5", "group-check party luck natural 10,13")
    assert fight.outcome == "weak"
    assert fight.effects("mira") == set()


def test_a_thread_bends_one_of_a_groups_checks_and_what_they_come_to(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate (Bend Luck); the misses of the others keep their XP."""
    fight.do("group-check mira focus natural 7 brannoc power natural 2", "thread mira bend-luck")
    assert [fight.track(who, "xp") for who in ("mira", "brannoc")] == [0, 1]
    assert fight.outcome == "miss"  # one weak hit and one miss
    fight.do("thread brannoc feeling-lucky natural 17")
    assert [fight.track(who, "xp") for who in ("mira", "brannoc")] == [0, 0]
    assert fight.outcome == "weak"  # one strong hit and one weak


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("group-check mira luck weak mira focus weak", "Mira is named twice"),
        ("group-check party luck weak save", "a group makes no `save`"),
        ("group-check party luck", "expected an outcome"),
        ("group-check", "expected the combatants who make the check"),
    ],
)
def test_what_is_no_group_check_is_refused(fight: Fight, line: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        fight.do(line)
    assert said in str(refused.value)
