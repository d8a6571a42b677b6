"""Action points and reactions: what a turn gives, what things cost, what can't be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.engine.state import Effect
from affray.core.formatting.explain import explain
from affray.core.formatting.log_lines import entry_line

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def test_a_turn_starts_with_three_action_points_and_a_reaction(fight: Fight) -> None:
    """Monsters & Magic, Action Points; Reactions."""
    assert (fight.track("brannoc", "ap"), fight.track("brannoc", "reaction")) == (3, 1)


def test_action_points_come_back_with_the_next_turn(fight: Fight) -> None:
    """Monsters & Magic, Action Points."""
    fight.do("strike ghoul-1 miss", "strike ghoul-1 miss", *["next"] * 4)
    assert fight.shown["turn"] == "brannoc"
    assert fight.track("brannoc", "ap") == 3
    assert fight.cost("brannoc", "strike") == {"ap": 1}


@pytest.mark.parametrize(
    ("effects", "points"),
    [
        (["bestow brannoc quickened"], 4),
        (["inflict brannoc impaired"], 2),
        (["bestow brannoc quickened", "inflict brannoc impaired"], 3),
    ],
)
def test_quickened_and_impaired_change_the_points_of_the_next_turn(
    fight: Fight, effects: list[str], points: int
) -> None:
    """Monsters & Magic, Conditions (Impaired), Statuses (Quickened): at the start of the turn."""
    fight.do(*effects)
    assert fight.track("brannoc", "ap") == 3
    fight.do(*["next"] * 4)
    assert fight.track("brannoc", "ap") == points
    fight.do(*["next"] * 4)
    assert fight.track("brannoc", "ap") == 3


@pytest.mark.parametrize("spent", [0, 1, 2])
def test_a_turn_with_fewer_points_says_why_whatever_was_left_of_the_last_one(
    fight: Fight, spent: int
) -> None:
    """Monsters & Magic, Conditions (Impaired): at the start of the turn."""
    fight.do(*["strike ghoul-1 miss"] * (spent > 0), *["move"] * (spent > 1))
    fight.do("inflict brannoc impaired until freed", *["next"] * 4)
    told = {0: "−1 AP, 2 left", 1: "has 2 AP", 2: "+1 AP, now 2 of 3"}
    last = fight.history.entries[fight.history.head]
    line = entry_line(last, fight.history.before(last.seq), fight.ruleset.tables.tracks)
    assert f"Brannoc {told[spent]} (impaired)" in line
    assert "impaired" in explain(fight.history, fight.ruleset, "brannoc", "ap")[1]


def test_points_at_the_start_of_a_turn_are_never_below_zero(fight: Fight) -> None:
    """Monsters & Magic, ruling 27: never below 0."""
    numb = Effect("impaired", "impaired", "condition", modifiers={"ap": -9})
    fight.edited("brannoc", effects=(numb,)).do(*["next"] * 4)
    assert fight.track("brannoc", "ap") == 0


@pytest.mark.parametrize("technique", ["strike", "move"])
def test_strike_and_move_cost_one_more_each_time(fight: Fight, technique: str) -> None:
    """Monsters & Magic, Basic Techniques (Strike, Move): its AP cost is increased by 1."""
    line = "strike ghoul-1 miss" if technique == "strike" else "move"
    fight.do(line)
    assert fight.cost("brannoc", technique) == {"ap": 2}
    fight.do(line)
    assert fight.cost("brannoc", technique) == {"ap": 3}
    assert fight.track("brannoc", "ap") == 0
    fight.refuses(line, "0 AP left, needs 3")


def test_strike_and_move_rise_each_on_its_own(fight: Fight) -> None:
    """Monsters & Magic, ruling 26: each counted on its own."""
    fight.do("strike ghoul-1 miss", "move")
    assert fight.cost("brannoc", "strike") == fight.cost("brannoc", "move") == {"ap": 2}
    assert fight.track("brannoc", "ap") == 1


@pytest.mark.parametrize(
    "line",
    [
        "mount mira",
        "retrieve rope",
        "use potion",
        "disengage fatigue 2",
    ],
)
def test_other_techniques_work_once_a_turn(fight: Fight, line: str) -> None:
    """Monsters & Magic, Action Points: the same action not more than once per turn."""
    fight.do(line)
    fight.refuses(line, "once a turn")
    technique = fight.option("brannoc", line.split()[0])
    assert (technique["available"], technique["reason"]) == (False, "once a turn")


def test_concentrate_may_be_repeated_for_another_spell(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Concentrate on a Spell)."""
    fight.do("concentrate fog", "concentrate light")
    assert fight.track("brannoc", "ap") == 1
    fight.refuses("concentrate FOG", "once a turn for fog")
    assert fight.option("brannoc", "concentrate")["available"]


def test_a_spell_is_cast_again_only_charmed_otherwise(fight: Fight) -> None:
    """Monsters & Magic, Action Points; ruling 28: a cantrip and its charmed versions are other
    actions."""
    fight.do("cast spark", "cast frost")
    fight.refuses("cast SPARK", "once a turn for spark")
    fight.refuses("cast spark at ghoul-1 strong 4 ap 1", "once a turn for spark")
    assert fight.option("brannoc", "cast")["available"]
    fight.do("undo", "cast spark ap 2")
    assert fight.track("brannoc", "ap") == 0
    fight.refuses("cast frost", "0 AP left")
    fight.do(*["next"] * 4, "cast spark")


def test_what_was_readied_counts_in_its_turn(fight: Fight) -> None:
    """Monsters & Magic, Action Points, Ready an Action: it is paid, and so used, when it is
    readied."""
    fight.do('ready cast spark "they come"')
    fight.refuses("cast spark", "once a turn for spark")
    fight.do("cast spark ap 2", "next", "trigger at ghoul-1 strong 5")
    assert fight.track("ghoul-1", "hp") == 15


def test_disengage_is_offered_at_what_it_can_be_had_for(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (Disengage): each fatigue marked, up to 2, saves 1 AP."""
    fight.do("strike ghoul-1 miss")
    assert fight.cost("brannoc", "disengage") == {"ap": 2}
    fight.do("concentrate fog")
    assert fight.cost("brannoc", "disengage") == {"ap": 1, "fatigue": 1}
    fight.do("concentrate light")
    assert fight.cost("brannoc", "disengage") == {"ap": 0, "fatigue": 2}
    assert fight.option("brannoc", "disengage")["available"]


def test_points_are_spent_only_in_ones_own_turn(fight: Fight) -> None:
    """Monsters & Magic, Reactions: AP can be used only on your turn."""
    fight.refuses("strike ghoul-1 strong 5 by mira", "it is Brannoc's turn")
    assert fight.option("mira", "strike") == {
        "technique": "strike",
        "cost": {"ap": 1},
        "available": False,
        "reason": "it is Brannoc's turn",
    }


def test_a_reaction_comes_back_at_the_start_of_the_next_turn(fight: Fight) -> None:
    """Monsters & Magic, Reactions."""
    fight.do("next", "react opportunity-attack ghoul-1 strong 6 by brannoc")
    assert fight.track("brannoc", "reaction") == 0
    fight.refuses("react retaliate ghoul-1 by brannoc", "reaction used")
    assert fight.option("brannoc", "retaliate")["reason"] == "reaction used"
    fight.do("next", "next")
    assert fight.track("brannoc", "reaction") == 0
    fight.do("next")
    assert fight.track("brannoc", "reaction") == 1


def test_a_reaction_costs_no_action_points(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques (1 R)."""
    fight.do("next", "react retaliate ghoul-1 by brannoc")
    assert fight.track("brannoc", "ap") == 3


def test_outside_of_a_fight_nothing_is_paid(gathered: Fight) -> None:
    """Monsters & Magic, Combat: action points belong to turns."""
    gathered.do("retrieve rope by brannoc")
    assert gathered.track("brannoc", "ap") == 3
    assert gathered.fatigue("brannoc") == (1, 0)


def test_a_technique_shows_the_fatigue_that_it_marks(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques: grapple, distract and retrieve mark 1 fatigue."""
    assert fight.cost("brannoc", "grapple") == {"ap": 2, "fatigue": 1}
    assert fight.cost("brannoc", "distract") == {"ap": 2, "fatigue": 1}
    assert fight.cost("brannoc", "retrieve") == {"ap": 1, "fatigue": 1}
