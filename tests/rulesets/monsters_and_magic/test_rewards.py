"""What the party gets together: XP, gold and supplies in one act.

Monsters & Magic, Dice (XP), Carrying (gold), Supplies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def test_each_character_gets_the_xp_and_the_gold_and_all_together_the_supplies(
    fight: Fight,
) -> None:
    fight.do("award 3 gold 30 supplies 2", "award gold 5")
    for who in ("brannoc", "mira"):
        assert fight.track(who, "xp") == 3
        assert fight[who].stats["gold"] == 35
    assert fight.state.gm("supplies") == 2
    assert "xp" not in fight["ghoul-1"].tracks and "gold" not in fight["ghoul-1"].stats


def test_the_dying_have_their_part_and_the_dead_have_none(fight: Fight) -> None:
    fight.do("damage mira 99", "award 2")
    assert fight.track("mira", "xp") == 2
    fight.do("mark mira exhaustion 9", "award 2")
    assert fight["mira"].life == "dead" and fight.track("mira", "xp") == 2
    assert fight.track("brannoc", "xp") == 4


def test_one_undo_takes_all_of_it_back(fight: Fight) -> None:
    fight.do("award 2 gold 9", "undo")
    assert fight.track("brannoc", "xp") == 0 and "gold" not in fight["mira"].stats


def test_nothing_for_nobody_is_no_award(fight: Fight, new_fight: Callable[..., Fight]) -> None:
    fight.refuses("award", "expected the XP for each")
    fight.refuses("award 0", "from 1 to")
    fight.refuses("award gold", "expected the gold for each")
    fight.refuses("award 2 silver 3", "silver")
