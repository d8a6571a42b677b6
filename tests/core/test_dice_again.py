"""Dice that explode or are rerolled, wherever they are typed: attacks, damage, tables, amending.

docs/commands.md, What all commands have in common.
"""

from __future__ import annotations

import pytest
from tests.fallen_dice import FallenDice

from affray import Fight
from affray.core.dice import DicePool, KeepDrop, StubDice, parse_dice
from affray.core.engine.events import Rolled
from affray.core.parser.errors import Refused
from affray.core.rules.campaign_tables import RandomTable, check_random_table, rolled_on
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.tables import read_tables
from affray.rulesets import load_ruleset

FIGHTERS = {
    "5e": "attack axe +5 {} slashing",
    "level-up": "attack axe +5 {} slashing",
    "adventure-school": "attack axe +5 {} slashing",
    "orcus": "attack axe +5 vs ac {} ",
    "monsters-and-magic": "attack axe {} slashing",
}
STRIKES = {
    "5e": "attack ogre crit",
    "level-up": "attack ogre crit",
    "adventure-school": "attack ogre crit",
    "orcus": "attack ogre crit",
    "monsters-and-magic": "strike ogre strong",
}


def fought(game: str, dice: str, *faces: int) -> Fight:
    fight = Fight(game, seed=1)
    fight.do(f"add pc Mira hp 30 ac 14 {FIGHTERS[game].format(dice)}")
    fight.do("add monster Ogre hp 90 ac 11", "init mira 20", "init ogre 3", "start")
    fight.dice = FallenDice(faces)
    return fight


def damage_roll(fight: Fight) -> Rolled:
    rolls = [e for e in fight.entries[-1].events if isinstance(e, Rolled) and len(e.faces)]
    return rolls[-1]


@pytest.mark.parametrize("game", ["5e", "adventure-school"])
def test_a_critical_hit_has_twice_the_dice_which_still_explode(game: str) -> None:
    """SRD 5.2.1, Critical Hits; Adventure School, Critical Hits: all dice twice."""
    fight = fought(game, "1d6r1!+3", 6, 2, 1, 5)
    fight.do(STRIKES[game])
    assert damage_roll(fight).dice.startswith("2d6r1!")
    assert damage_roll(fight).total == 6 + 2 + 5 + 3
    assert fight.state["ogre"].track("hp") == 90 - 16


def test_the_most_of_dice_that_explode_is_each_at_its_highest() -> None:
    """Orcus, Critical Hits: maximum damage; a die that explodes has none, and isn't rolled."""
    fight = fought("orcus", "2d6!+1")
    fight.do(STRIKES["orcus"])
    assert fight.state["ogre"].track("hp") == 90 - 13


def test_the_average_of_a_monster_counts_what_falls_again() -> None:
    """SRD 5.2.1, Monsters, Damage; setting monster-damage average: 2d6! is 8.4 on average."""
    fight = Fight("5e", seed=1)
    fight.do("add pc Mira hp 30 ac 14", "add monster Imp hp 9 ac 9 attack claw +5 2d6! fire")
    fight.do("setting monster-damage average", "attack mira hit by imp")
    assert fight.state["mira"].track("hp") == 30 - 8


def test_the_log_shows_each_die_with_what_fell_again() -> None:
    """docs/commands.md: a die that exploded or was rerolled is one in the log."""
    fight = fought("monsters-and-magic", "2d6!+1", 6, 6, 2, 4)
    fight.do("damage ogre 2d6!+1 fire")
    assert "2d6! [6+6+2 4] +1 = 19" in " ".join(fight.describe(fight.entries[-1]))


@pytest.mark.parametrize(("dice", "faces"), [("2d6!", (6, 6, 2, 4)), ("2d6r2", (1, 2, 5))])
def test_amending_takes_the_dice_that_fell(dice: str, faces: tuple[int, ...]) -> None:
    """docs/commands.md, Between fights and the log: the dice that fell, again ones too."""
    fight = fought("5e", "1d6", *faces)
    fight.do(f"damage ogre {dice} fire", "damage mira 3")
    before = fight.state["ogre"].track("hp")
    amended = fight.amend(fight.amendment(f"amend {fight.entries[-2].seq} damage ogre {dice} cold"))
    assert fight.state["ogre"].track("hp") == before
    rolls = [e for e in amended.events if isinstance(e, Rolled)]
    assert not rolls or rolls[-1].faces == faces


@pytest.mark.parametrize("high", [True, False])
def test_a_preview_rolls_nothing_again(high: bool) -> None:
    """docs/keys.md: a prompt asks whose dice fall; nobody's explode before they are rolled."""
    fight = fought("5e", "1d6")
    fight.preview("damage ogre 2d2! fire", dice := StubDice(high))
    assert [sides for _, sides in dice.thrown] == [2, 2]


def test_fortune_has_a_highest_total() -> None:
    """Adventure School, Fortune: devoted points lower the highest result."""
    fight = Fight("adventure-school", seed=1)
    with pytest.raises(Refused, match=r"fortune has a highest total.*1d6!"):
        fight.do("add pc Mira hp 30 fortune 1d6!")
    fight.do("add pc Mira hp 30 fortune 1d6r1")


@pytest.mark.parametrize(
    ("die", "lying", "total"),
    [("1d6!", "6,2", 8), ("1d6r1", "1,5", 5), ("2d20kh1", "4,15", 15), ("2d6", "4,5", 9)],
)
def test_initiative_as_rolled_counts_the_dice_of_the_table(
    die: str, lying: str, total: int
) -> None:
    """docs/house-rules.md, Numbers, keys and names: `[economy] initiative` is what is rolled."""
    rules = with_house_rules(load_ruleset("plain"), read_tables({"economy": {"initiative": die}}))
    fight = Fight(rules, seed=1)
    fight.do("add pc Mira hp 30", f"init mira natural {lying}")
    slot = fight.state.slot("mira")
    assert slot is not None and slot.initiative == total


ROWS = {"1": "rats", "2-5": "fog", "6+": "the thing"}


def test_a_table_of_dice_that_explode_ends_with_a_row_for_more() -> None:
    """docs/house-rules.md, Random tables."""
    table = RandomTable("1d6!", ROWS, "Woe")
    check_random_table("woe", table)
    assert rolled_on(table, FallenDice((6, 6, 3))) == "Woe: 1d6! → [6+6+3] 15: the thing"
    assert rolled_on(table, FallenDice((5,))) == "Woe: 1d6! → [5] 5: fog"


@pytest.mark.parametrize(
    ("dice", "rows", "message"),
    [
        (
            "1d6!",
            {"1-6": "fog"},
            "1d6! has no highest total: the last row must be for 7 and more, written `7+`",
        ),
        ("1d6!", {"1-3": "fog", "5+": "rats"}, "there is no row for 4 of 1d6!"),
        ("9-1d6!", {"1-9": "fog"}, "9-1d6! has no lowest total, so no row can be the first"),
        ("1d6", {"1-4": "fog", "4+": "rats"}, "4 is in '1-4' and in '4+'"),
        ("1d6", {"1-4": "fog", "5++": "rats"}, "expected a total or a range such as 2-5 or 6+"),
    ],
)
def test_a_table_that_dice_can_leave_is_refused(
    dice: str, rows: dict[str, str], message: str
) -> None:
    """docs/house-rules.md, Random tables: every total of the dice needs a row."""
    with pytest.raises(Refused) as caught:
        check_random_table("woe", RandomTable(dice, rows))
    assert message in str(caught.value)


def test_a_pool_keeps_its_order_of_fields() -> None:
    """docs/stability.md: rule systems make pools by place."""
    pool = DicePool(4, 6, KeepDrop("kh", 3), False)
    assert parse_dice("4d6kh3").terms == (pool,)
