"""5e: what foes are worth, and how hard a fight is (SRD 5.2.1, Combat Encounter Difficulty)."""

from __future__ import annotations

import pytest

from affray import Fight, Refused
from affray.core.formatting.reports import json_report, text_report
from affray.core.rules.ruleset import Difficulty


def fight_of(party: str, *foes: str) -> Fight:
    fight = Fight("5e", seed=1)
    fight.do(f"add pc Hero {party} hp 20")
    fight.do(*(f"add monster {foe} hp 9" for foe in foes))
    return fight


def difficulty_of(fight: Fight) -> Difficulty:
    found = fight.ruleset.numbers.difficulty(fight.ruleset.tables, fight.state)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("party", "foes", "worth", "grade", "budget"),
    [  # the first three are the examples of the SRD
        ("x4 level 1", ["Rat x6 cr 1/8"], 150, "low", 200),
        ("x5 level 3", ["Druid x2 cr 2", "Stirge x9 cr 1/8"], 1125, "moderate", 1125),
        ("x6 level 15", ["Dragon x2 cr 17", "Giant x2 cr 9"], 46000, "high", 46800),
        ("x4 level 1", ["Ogre x2 cr 2"], 900, "beyond high", 0),
        ("x4 level 20", ["Titan cr 30"], 155000, "beyond high", 0),
        ("x2 level 20", ["Lich cr 20"], 25000, "moderate", 26400),
        ("x4 level 1", ["Frog cr 0", "Crab xp 0", "Imp cr 1 xp 150"], 160, "low", 200),
    ],
)
def test_foes_are_held_against_the_budget_of_the_party(
    party: str, foes: list[str], worth: int, grade: str, budget: int
) -> None:
    found = difficulty_of(fight_of(party, *foes))
    assert (found.worth, found.grade) == (worth, grade)
    assert found.budget.get(grade, 0) == budget


def test_each_character_counts_by_their_own_level() -> None:
    fight = fight_of("level 1", "Wolf cr 1/4")
    fight.do("add pc Mira hp 20 level 5", "add pc Odo hp 20", "add monster Rag hp 2")
    found = difficulty_of(fight)
    assert dict(found.budget) == {"low": 550, "moderate": 825, "high": 1200}
    assert found.line == "Foes: low, 50 XP (low 550, moderate 825, high 1,200; without Rag, Odo)"


def test_the_rules_of_2014_have_xp_and_no_budget() -> None:
    """SRD 5.1 says nothing of how hard a fight is."""
    fight = fight_of("x4 level 1", "Ogre x2 cr 2")
    fight.do("setting edition 2014")
    assert difficulty_of(fight).line == "Foes: 900 XP"


def test_nothing_is_told_where_no_foe_has_a_rating() -> None:
    fight = fight_of("level 1", "Rag")
    assert fight.ruleset.numbers.difficulty(fight.ruleset.tables, fight.state) is None
    assert "difficulty" not in json_report(fight.history, fight.ruleset)


def test_a_report_has_it() -> None:
    fight = fight_of("level 3", "Druid cr 2")
    shown = json_report(fight.history, fight.ruleset)
    assert (shown["difficulty"]["xp"], shown["difficulty"]["grade"]) == (450, "beyond high")
    assert "Foes: beyond high, 450 XP (low 150, moderate 225, high 400)" in text_report(
        shown, fight.ruleset
    )


def test_a_rating_is_one_of_the_table() -> None:
    with pytest.raises(Refused, match="expected a challenge rating, found '1/3'"):
        fight_of("level 1", "Wolf cr 1/3")


def test_the_end_of_a_fight_tells_the_xp_of_those_defeated() -> None:
    """SRD 5.2.1, Experience Points: also for who was taken out after that, and for nobody twice."""
    fight = fight_of("level 1", "Wolf x3 cr 1/4", "Ogre cr 2")
    fight.do("init roll", "start", "damage wolf-1,wolf-2 20", "leave wolf-1", "leave ogre", "end")
    assert fight.entries[-1].text == "The fight is over"
    told = [getattr(event, "text", "") for event in fight.entries[-1].events]
    assert "100 XP for the defeated foes" in told
    fight.do("init roll", "start", "damage wolf-3 20", "end")
    told = [getattr(event, "text", "") for event in fight.entries[-1].events]
    assert "50 XP for the defeated foes" in told
    fight.undo()
    assert fight.state.phase == "combat"
