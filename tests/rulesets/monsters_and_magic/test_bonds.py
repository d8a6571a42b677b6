"""Bonds and reputation: kept, changed, read by what goes by them. Monsters & Magic, Bonds,
Reputation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from affray.rulesets.monsters_and_magic.bonds import bond_with
from affray.rulesets.monsters_and_magic.stats import Sheets

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def stat(fight: Fight, who: str, name: str) -> object:
    return next(c["stats"].get(name) for c in fight.shown["combatants"] if c["id"] == who)


def test_a_bond_is_kept_with_its_sentence_and_resolved(fight: Fight) -> None:
    """Monsters & Magic, Bonds."""
    fight.do('bond mira brannoc 2 "He pulled her out."')
    kept = {"other": "Brannoc", "amount": 2, "text": "He pulled her out."}
    assert stat(fight, "mira", "bonds") == [kept]
    fight.do("bond mira brannoc 3")
    assert stat(fight, "mira", "bonds") == [kept | {"amount": 3}]
    fight.do("bond mira brannoc resolved")
    assert stat(fight, "mira", "bonds") == [kept | {"amount": 3, "text": ""}]
    fight.refuses("bond mira brannoc resolved", "no bond with Brannoc that could be resolved")
    fight.refuses("bond mira mira 2", "can have bonds only with others")


def test_one_bond_is_resolved_in_a_session(fight: Fight) -> None:
    """Monsters & Magic, Bonds: at the end of each session, you can resolve one."""
    fight.do('bond mira brannoc "He pulled her out."', 'bond mira ghoul-1 "It knew her name."')
    fight.do("bond mira brannoc resolved")
    fight.refuses("bond mira ghoul-1 resolved", "`session` begins another")
    fight.do("session", "bond mira ghoul-1 resolved")


def test_a_bond_begins_at_0(fight: Fight) -> None:
    """Monsters & Magic, Bonds: all bonds start at 0."""
    fight.do('bond mira brannoc "They were at school together."')
    assert stat(fight, "mira", "bonds")[0]["amount"] == 0  # type: ignore[index]


def test_aid_goes_by_the_bond_of_who_aids(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques, Aid: your +BOND with them."""
    fight.do("bond brannoc mira 2", "bond mira brannoc 1", "mark mira fatigue 4", "aid mira")
    assert fight.fatigue("mira") == (2, 0)


def test_help_goes_by_the_bond_of_who_is_helped(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques, Help: their +BOND with you."""
    fight.do("bond brannoc mira 2", "bond mira brannoc 1", "help mira")
    fight.do("check mira luck natural 5")
    assert fight.rolled.total == 8


def test_a_bond_of_fate_adds_the_bond_of_who_rolled(fight: Fight) -> None:
    """Monsters & Magic, Threads of Fate, Bonds of Fate: their +BOND with you, or your +BOND with
    them."""
    fight.do("bond brannoc mira 4", "bond mira brannoc 2")
    fight.do("check mira luck natural 6", "thread brannoc bonds-of-fate mira")
    assert (fight.rolled.total, fight.outcome) == (10, "weak")


def test_what_is_said_goes_before_what_is_kept(fight: Fight) -> None:
    fight.do("bond brannoc mira 2", "mark mira fatigue 4", "aid mira bond 3")
    assert fight.fatigue("mira") == (1, 0)


@pytest.mark.parametrize("line", ["aid mira", "help mira"])
def test_a_bond_with_a_companion_is_0_until_one_is_said(fight: Fight, line: str) -> None:
    """Monsters & Magic, Bonds: a bond with each companion; all start at 0."""
    fight.do(line)
    assert fight.track("brannoc", "ap") == 1 and fight.effects("mira") == set()
    fight.refuses(line.replace("mira", "ghoul-1"), "expected the bond")


def test_to_stabilise_the_dying_takes_no_bond(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Aid); Bonds: all start at 0."""
    fight.do("damage mira 99", "aid mira")
    assert (fight["mira"].life, fight.track("brannoc", "ap")) == ("stable", 0)


def test_a_sheet_has_bonds_with_those_who_are_not_here_yet(
    new_fight: Callable[..., Fight],
) -> None:
    """docs/commands/monsters-and-magic.md: `add` understands `bond` and `reputation`."""
    fight = new_fight(
        'add pc Mira hp 24 luck 2 bond Tam 2 "owes him" bond Odo -1 reputation "Weir Guild" 1',
        "add pc Tam hp 10",
        "mark tam fatigue 3",
        "aid tam by mira",
    )
    assert fight.fatigue("tam") == (1, 0)


def test_a_deed_changes_what_a_group_thinks_of_somebody(fight: Fight) -> None:
    """Monsters & Magic, Reputation: an ongoing modifier with members of that group."""
    fight.do('reputation party "Weir Guild"', 'reputation mira "weir guild" +1')
    fight.do('check mira luck natural 5 reputation "Weir Guild"')
    assert fight.rolled.total == 9
    fight.do('check brannoc luck natural 5 reputation "Weir Guild"')
    assert fight.rolled.total == 7
    fight.do('reputation mira "Weir Guild" -3', 'check mira luck natural 5 reputation "Weir Guild"')
    assert fight.rolled.total == 6


def test_a_group_that_knows_nobody_adds_nothing(fight: Fight) -> None:
    """Monsters & Magic, Reputation: it starts at 0."""
    fight.do("check mira luck natural 5 reputation Ferrymen")
    assert fight.rolled.total == 7


@pytest.mark.parametrize("rows", ["three", 3, [{"other": "Brannoc"}], {"Brannoc": 2}])
def test_bonds_that_make_no_sense_in_a_log_are_none(fight: Fight, rows: object) -> None:
    """A GM can edit the log by hand."""
    mira = fight.state["mira"]
    edited = replace(mira, stats={**mira.stats, "bonds": rows, "reputation": rows})
    assert bond_with(edited, fight.state["brannoc"]) is None
    assert not {"bonds", "reputation"} & Sheets().labels(fight.state, edited).keys()
