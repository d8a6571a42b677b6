"""The actions that work on minds. Orcus, Create Diversion, Deter, Feint, Unnerve."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from affray.core.engine.events import Rolled

if TYPE_CHECKING:
    from tests.rulesets.orcus.conftest import Fight

NewFight = Callable[..., "Fight"]


def test_feint_gives_combat_advantage_to_whoever_feinted(fight: Fight) -> None:
    """Orcus, Feint."""
    fight.do("feint goblin-1 hit")
    assert (fight.rolled.against, fight.rolled.by_hand) == ("goblin-1", True)
    fight.do("next", "attack goblin-1 natural 5 5")
    assert fight.rolled.total == 13
    fight.do("undo", "next", "next", "next", "attack goblin-1 natural 5 5")
    assert fight.rolled.total == 14
    fight.do("next")
    assert "feinted" not in fight.effects("goblin-1")


def test_feint_is_bluff_against_passive_insight(usual: NewFight) -> None:
    """Orcus, Feint. Mira's Bluff is 9."""
    ogre = ("add monster Ogre hp 40 passive-insight 14", "init ogre 5")
    fight = usual("", "next", more=ogre)
    fight.refuses("feint goblin-1 natural 5", "Goblin 1's number is not known")
    fight.do("feint ogre natural 5")
    assert (fight.outcome, fight.rolled.total, fight.rolled.dc) == ("success", 14, 14)
    fight.do("undo", "feint goblin-1 natural 5 dc 15")
    assert fight.outcome == "failure"


@pytest.mark.parametrize("line", ["feint goblin-1 miss", "create-diversion goblin-1,goblin-2 hit"])
def test_some_actions_are_for_once_an_encounter(fight: Fight, line: str) -> None:
    """Orcus, Create Diversion, Feint."""
    fight.do(line, "next", "next", "next", "next").refuses(line, "once")


def test_a_diversion_is_rolled_against_each(usual: NewFight) -> None:
    """Orcus, Create Diversion."""
    fight = usual("bluff 4")
    fight.do("create-diversion goblin-1,goblin-2 natural 10,3 dc 12")
    rolls = [e for e in fight.events if isinstance(e, Rolled)]
    assert [(e.against, e.outcome) for e in rolls] == [
        ("goblin-1", "success"),
        ("goblin-2", "failure"),
    ]


@pytest.mark.parametrize(
    ("said", "dc"),
    [
        ("", 12),
        ("unfriendly", 17),
        ("hostile", 22),
        ("no-language", 17),
        ("hostile no-language", 27),
    ],
)
def test_deter_is_against_a_will_that_mood_and_language_raise(
    fight: Fight, said: str, dc: int
) -> None:
    """Orcus, Deter."""
    fight.do(f'deter goblin-1 natural 10 "attacking Mira" {said} plus 3')
    assert (fight.rolled.total, fight.rolled.dc) == (13, dc)


def test_deter_rules_out_an_action_for_a_turn(fight: Fight) -> None:
    """Orcus, Deter (Hit)."""
    fight.do('deter goblin-1 hit "attacking Mira"')
    assert fight["goblin-1"].effects[0].note == "attacking Mira"
    assert fight.until("goblin-1", "deterred") == "end of goblin-1's next turn"
    fight.do("next", "next")
    assert "deterred" in fight.effects("goblin-1")
    assert "deterred" not in fight.do("next").effects("goblin-1")


@pytest.mark.parametrize("said", ["attack", '"attack"', '"Basic Attack"', '"basic attack"'])
def test_what_was_ruled_out_by_its_name_is_refused_until_that_turn_ends(
    fight: Fight, said: str
) -> None:
    """Orcus, Deter (Hit): the target cannot take an action of your choice."""
    fight.do(f"deter goblin-1 hit {said}", "next", "next")
    fight.refuses("attack brannoc hit 3", "deterred by Brannoc")
    assert fight.reason("goblin-1", "attack") == "deterred by Brannoc"
    fight.do("charge brannoc miss", "next", "next", "next", "next", "attack brannoc miss")


@pytest.mark.parametrize(
    ("barred", "line"),
    [
        ("walk", "walk"),
        ("opportunity-attack", "react opportunity-attack mira hit 3 by goblin-1"),
        ("ready", 'ready attack "now" by goblin-1'),
        ('"total defense"', "total-defense"),
    ],
)
def test_any_action_may_be_ruled_out(fight: Fight, barred: str, line: str) -> None:
    """Orcus, Deter."""
    fight.do(f"deter goblin-1 hit {barred}", "next", *[] if "react" in line else ["next"])
    fight.refuses(line, "deterred by Brannoc")


@pytest.mark.parametrize("barred", ["power", '"Fire Breath"', '"power Fire Breath"'])
def test_powers_may_be_ruled_out_all_or_one(usual: NewFight, barred: str) -> None:
    """Orcus, Deter, Use a Power."""
    drake = 'add monster Drake hp 40 power "Fire Breath" at-will +7 vs reflex 2d6 near'
    fight = usual("", more=[f"{drake} power Bite at-will +8 vs ac 1d8", "init drake 16"])
    fight.do(f"deter drake hit {barred}", "next")
    fight.refuses('power "Fire Breath" brannoc hit 5', "deterred by Brannoc")
    if barred == "power":
        fight.refuses("power Bite brannoc hit 5", "deterred by Brannoc")
    else:
        fight.do("power Bite brannoc hit 5")


def test_a_readied_action_is_ruled_out_as_well(fight: Fight) -> None:
    """Orcus, Deter, Ready."""
    fight.do("next", "next", 'ready attack "now"', "next", "next", "deter goblin-1 hit attack")
    fight.refuses("trigger brannoc hit 3 by goblin-1", "deterred by Brannoc")


def test_an_action_that_there_is_not_is_refused_or_put_in_quotes(fight: Fight) -> None:
    """Orcus, Deter: the choice may be of what no command does."""
    fight.refuses("deter goblin-1 hit atack", "did you mean attack")
    fight.do('deter goblin-1 hit "ring the bell"', "next", "next", "attack brannoc miss")
    assert fight["goblin-1"].effects[0].note == "ring the bell"


def test_a_miss_rules_out_deterring_and_unnerving(fight: Fight) -> None:
    """Orcus, Deter, Unnerve (Miss: by the same one, for the encounter)."""
    fight.do("deter goblin-1 miss", "damage goblin-1 13", "next")
    fight.do("deter goblin-1 hit", "next", "next", "next")
    fight.refuses("deter goblin-1 hit", "again by Brannoc")
    fight.refuses("unnerve goblin-1 hit", "again by Brannoc")
    fight.do("end")
    assert "unmoved" not in fight.effects("goblin-1")


def test_unnerve_makes_the_staggered_surrender(fight: Fight) -> None:
    """Orcus, Unnerve."""
    fight.refuses("unnerve goblin-1 hit", "not staggered")
    fight.do("damage goblin-1,goblin-2 13", "unnerve goblin-1,goblin-2 hit,miss")
    assert [fight[g].life for g in ("goblin-1", "goblin-2")] == ["defeated", "up"]
    assert "unmoved" in fight.effects("goblin-2")


@pytest.mark.parametrize(("said", "dc"), [("", 22), ("no-language", 27)])
def test_unnerve_is_against_will_and_more(fight: Fight, said: str, dc: int) -> None:
    """Orcus, Unnerve."""
    fight.do("damage goblin-1 13", f"unnerve goblin-1 natural 10 plus 12 {said}")
    assert (fight.rolled.total, fight.rolled.dc) == (22, dc)
