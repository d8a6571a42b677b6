"""A campaign's own techniques: they pay, mark, are counted, leave their effect, and say so."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from tests.house.people import COST, ORDER, PEOPLE
from tests.house.playing import HouseFight, ruleset_with

from affray.core.commands.log_commands import entry_of_move, read_move
from affray.core.engine.decide import complete
from affray.core.rules.ruleset import Ruleset

ROWS = Path(__file__).parent / "techniques"
FULL = {"monsters-and-magic": ("ap", 3), "orcus": ("standard", 1), "level-up": ("action", 1)}
FULL["adventure-school"] = FULL["5e"] = FULL["level-up"]
REACTION = {"monsters-and-magic": "reaction", "orcus": "immediate", "level-up": "reaction"}
REACTION["5e"] = "reaction"
"""What a reaction takes, where they are counted."""
HOLDS = "adventure-school"
"""The game in which what is readied is said only when its trigger comes."""
OUT = {
    "monsters-and-magic": "stunned",
    "orcus": "stunned",
    "level-up": "unconscious",
    "adventure-school": "disabled",
    "5e": "stunned",
}
"""What keeps from acting."""


def with_techniques(game: str) -> Ruleset:
    """A game with the techniques of its file in the folder beside this."""
    return ruleset_with(game, (ROWS / f"{game}.toml").read_text("utf-8"))


@pytest.fixture
def fight(game: str) -> HouseFight:
    """Brannoc is up in a campaign that has these techniques."""
    made = HouseFight(with_techniques(game))
    made.do(*PEOPLE[game], *ORDER)
    return made


def option(fight: HouseFight, who: str, technique: str) -> dict[str, object]:
    """A technique as it stands for somebody."""
    return next(o for o in fight.who(who)["options"] if o["technique"] == technique)


def test_a_technique_pays_its_price_leaves_its_effect_and_says_so(
    fight: HouseFight, game: str
) -> None:
    """A row that only pays, leaves an effect and says so needs no code."""
    track, full = FULL[game]
    said = fight.do("whirl foe-1")
    assert said == "Brannoc uses Whirl on Foe 1: Foe 1 is shaken"
    assert fight.effects("foe-1") == {"shaken"} and fight.effects("brannoc") == set()
    assert fight.track("brannoc", track) == full - (2 if game == "monsters-and-magic" else 1)
    effect = fight.state["foe-1"].named("shaken")
    assert effect is not None and effect.source == "brannoc"


def test_undo_takes_all_of_it_back(fight: HouseFight) -> None:
    before = fight.state
    fight.do("whirl foe-1")
    move = read_move(fight.history, "undo")
    assert move is not None
    fight.history.apply(entry_of_move(fight.history, move, datetime(2026, 1, 1)))
    assert fight.state is before
    assert fight.do("whirl foe-1") == "Brannoc uses Whirl on Foe 1: Foe 1 is shaken"


LAID = """
[techniques.sit]
cost = {cost}
fields = ["where?"]
does = {{ bestow = "braced", {ends}, says = "sits down" }}
[techniques.get-up]
cost = {cost}
does = {{ lifts = ["braced"], says = "gets up" }}
[effects.braced]
modifiers = {{ attack = 1 }}
"""


@pytest.mark.parametrize(
    ("ends", "until"),
    [
        ('until = "start of source"', "start of brannoc's next turn"),
        ('until = "end of source"', "end of brannoc's next turn"),
        ('until = "this turn"', "end of brannoc's turn"),
        ('until = "2 turns"', "end of brannoc's 2nd turn from now"),
        ('ends = "start"', "start of brannoc's next turn"),  # as rows once had it
        ('ends = "end"', "end of brannoc's next turn"),
        ('ends = "turn"', "end of brannoc's turn"),
        ('ends = "fight"', "until the fight ends"),
        ("turns = 2", "end of brannoc's 2nd turn from now"),
    ],
)
def test_a_row_says_when_its_effect_ends_what_it_lifts_and_what_the_log_says(
    game: str, ends: str, until: str
) -> None:
    fight = HouseFight(ruleset_with(game, LAID.format(cost=COST[game], ends=ends)))
    fight.do(*PEOPLE[game], *ORDER)
    assert fight.do('sit "on the floor"') == "Brannoc sits down: on the floor"
    assert [e["until"] for e in fight.who("brannoc")["effects"]] == [until]
    fight.do(f"set brannoc {FULL[game][0]} 1")
    assert fight.do("get-up") == "Brannoc gets up"
    assert fight.effects("brannoc") == set()


def test_a_row_leaves_its_effect_only_when_the_word_is_chosen(game: str) -> None:
    rows = f"""
    [techniques.topple]
    cost = {COST[game]}
    repeat = "any"
    asks = ["target", "choice:won|lost"]
    does = {{ inflict = "prone", when = "won", says = "tries to topple" }}
    """
    fight = HouseFight(ruleset_with(game, rows))
    fight.do(*PEOPLE[game])
    assert fight.do("topple foe-1 lost by mira") == "Mira tries to topple Foe 1: lost"
    assert "prone" not in fight.effects("foe-1")
    fight.do("topple foe-1 won by mira")
    assert "prone" in fight.effects("foe-1")


def test_a_row_gives_back_what_can_be_marked() -> None:
    rows = "techniques.breathe = { cost = { ap = 1 }, does = { recovers = { fatigue = 2 } } }"
    fight = HouseFight(ruleset_with("monsters-and-magic", rows))
    fight.do(*PEOPLE["monsters-and-magic"], *ORDER, "mark brannoc fatigue 3", "breathe")
    assert fight.track("brannoc", "fatigue") == 1


def test_what_the_games_own_technique_does_stays_when_a_campaign_changes_its_cost() -> None:
    rows = "techniques.dodge = { name = 'Duck', cost = { ap = 1 } }"
    fight = HouseFight(ruleset_with("monsters-and-magic", rows))
    fight.do(*PEOPLE["monsters-and-magic"], *ORDER)
    assert fight.do("dodge") == "Brannoc dodges"
    assert (fight.effects("brannoc"), fight.track("brannoc", "ap")) == ({"dodging"}, 2)


def test_what_a_row_marks_is_marked_and_somebody_who_cant_is_refused() -> None:
    game = "monsters-and-magic"
    fight = HouseFight(with_techniques(game))
    fight.do(*PEOPLE[game], "add hazard Pit", "whirl foe-2 by brannoc")
    assert fight.track("brannoc", "fatigue") == 1
    assert "no fatigue to mark" in fight.refused("whirl foe-1 by pit")


@pytest.mark.parametrize("order", [(), ORDER])
def test_a_resource_that_is_marked_must_be_there_and_can_come_back(order: tuple[str, ...]) -> None:
    rows = """
    [techniques.whirl]
    repeat = "any"
    marks = { stamina = 2 }
    [techniques.breathe]
    does = { recovers = { stamina = 1 } }
    """
    fight = HouseFight(ruleset_with("adventure-school", rows))
    fight.do(*PEOPLE["adventure-school"], *order, "whirl by brannoc")
    assert fight.track("brannoc", "stamina") == 1
    assert "1 Stamina left, needs 2" in fight.refused("whirl by brannoc")
    assert option(fight, "brannoc", "whirl")["available"] is False
    fight.do("breathe by brannoc", "whirl by brannoc")
    assert fight.track("brannoc", "stamina") == 0


def test_how_often_it_is_used_is_counted(fight: HouseFight, game: str) -> None:
    fight.do("whirl foe-1")
    if game == "orcus":
        assert "once an encounter" in fight.refused("whirl foe-2")
        fight.do(*["next"] * 4)
        assert "once an encounter" in fight.refused("whirl foe-2")
        return
    assert "once a turn" in fight.refused("whirl foe-2")
    if game in ("level-up", "adventure-school", "5e"):
        assert option(fight, "brannoc", "whirl")["reason"] == "once a turn"
        return
    fight.do(*["next"] * 4, "shield-wall")
    assert option(fight, "brannoc", "shield-wall")["cost"] == {"ap": 2}
    fight.do("shield-wall extend")
    assert "0 AP left, needs 3" in fight.refused("shield-wall extend")


def test_a_name_of_several_words_can_be_written_apart(fight: HouseFight) -> None:
    said = fight.do('shield wall "hold the line"')
    assert said == "Brannoc uses Shield Wall (hold the line): Brannoc is braced"
    until = next(e["until"] for e in fight.who("brannoc")["effects"])
    assert until == "end of brannoc's 2nd turn from now"


def test_several_targets_a_word_that_is_chosen_and_both_kinds_of_effect(fight: HouseFight) -> None:
    said = fight.do("rally-cry foe-1,foe-2 loud")
    assert said == (
        "Brannoc uses rally-cry on Foe 1 and Foe 2 (loud): "
        "Foe 1 is shaken, Foe 2 is shaken, Brannoc is braced"
    )
    assert {e["until"] for e in fight.who("foe-1")["effects"]} == {"until the fight ends"}
    fight.do("end")
    assert fight.effects("foe-1") == fight.effects("brannoc") == set()


def test_a_technique_without_an_effect_is_paid_and_said(fight: HouseFight) -> None:
    assert "usage: bow [by NAME]" in fight.refused("bow deeply")
    assert fight.do("bow") == "Brannoc uses bow"


def test_a_reaction_stands_behind_react_or_is_called_by_its_name(
    fight: HouseFight, game: str
) -> None:
    fight.do("next")
    said = fight.do("react rebuke foe-1 by brannoc")
    assert said == "Brannoc uses rebuke on Foe 1: Foe 1 is shaken"
    if game in REACTION:
        assert fight.track("brannoc", REACTION[game]) == 0
    assert fight.refused("react rebuke foe-2 by brannoc")
    assert fight.refused("rebuke foe-2 by brannoc") == fight.refused(
        "react rebuke foe-2 by brannoc"
    )


def test_by_names_who_does_it(game: str) -> None:
    fight = HouseFight(with_techniques(game))
    fight.do(*PEOPLE[game])
    assert fight.decided("whirl foe-1 by mira").by == "mira"
    assert fight.do("whirl foe-1 by mira") == "Mira uses Whirl on Foe 1: Foe 1 is shaken"


def test_it_can_be_readied_and_triggered(fight: HouseFight, game: str) -> None:
    if game == HOLDS:
        fight.do('ready "a foe comes near"', "next", "next")
        said = fight.do("trigger whirl foe-1 by brannoc")
        assert said == "Brannoc uses Whirl on Foe 1: Foe 1 is shaken, as readied"
        return
    said = fight.do('ready whirl "a foe comes near"')
    assert said == "Brannoc readies Whirl: a foe comes near"
    fight.do("next", "next")
    assert fight.effects("brannoc") == {"readied"}
    said = fight.do("trigger foe-1 by brannoc")
    assert said == "Brannoc uses Whirl on Foe 1: Foe 1 is shaken, as readied"
    assert fight.effects("foe-1") == {"shaken"}


def test_one_that_asks_for_nothing_is_done_when_its_trigger_comes(
    fight: HouseFight, game: str
) -> None:
    what = "" if game == HOLDS else " shield-wall"
    fight.do(f"ready{what}", "next")
    assert fight.do("trigger shield-wall" if game == HOLDS else "trigger") == (
        "Brannoc uses Shield Wall: Brannoc is braced, as readied"
    )


def test_a_reaction_cant_be_readied(fight: HouseFight, game: str) -> None:
    if game == HOLDS:
        fight.do("ready")
        assert "rebuke" in fight.refused("trigger rebuke foe-1")
        return
    assert "rebuke" in fight.refused("ready rebuke")


def test_completion_knows_the_command_and_whom_it_asks_for(fight: HouseFight, game: str) -> None:
    assert complete(fight.state, "whi", fight.ruleset) == ["whirl"]
    assert complete(fight.state, "whirl foe", fight.ruleset) == ["foe-1", "foe-2"]
    if game == HOLDS:
        fight.do("ready")
    ready = "trigger" if game == HOLDS else "ready"
    assert complete(fight.state, f"{ready} whi", fight.ruleset) == ["whirl"]
    assert complete(fight.state, "react reb", fight.ruleset) == ["rebuke"]


def test_a_mistake_names_the_usage_and_changes_nothing(fight: HouseFight, game: str) -> None:
    said = "expected the target (usage: whirl TARGET "
    assert fight.refused("whirl").startswith(said)
    fight.do("damage foe-1 999", *(("kill foe-1",) if game == "adventure-school" else ()))
    assert "Foe 1 is dead" in fight.refused("whirl foe-1")
    assert "nobody here is called 'grob'" in fight.refused("whirl grob")
    assert "did not expect 'softly'" in fight.refused("rally-cry foe-2 softly")


def test_what_can_be_done_is_listed_with_its_cost(fight: HouseFight, game: str) -> None:
    cost = {
        "monsters-and-magic": {"ap": 2, "fatigue": 1},
        "orcus": {"standard": 1},
        "level-up": {"action": 1, "fatigue": 1},
        "5e": {"action": 1, "exhaustion": 1},
        "adventure-school": {"action": 1, "diminish": 1},
    }[game]
    assert option(fight, "brannoc", "whirl") == {
        "technique": "whirl",
        "cost": cost,
        "available": True,
    }
    fight.do(f"inflict brannoc {OUT[game]}")
    assert option(fight, "brannoc", "whirl")["available"] is False
    assert fight.refused("whirl foe-1").startswith(f"Brannoc can't use Whirl: {OUT[game]}")


def test_an_effect_that_is_there_already_is_laid_as_the_rules_have_it() -> None:
    game = "monsters-and-magic"
    fight = HouseFight(with_techniques(game))
    fight.do(*PEOPLE[game], "whirl foe-1 by mira")
    said = fight.refused("whirl foe-1 by mira")
    assert said.startswith("Foe 1 is already shaken: say `extend`")
    assert fight.do("whirl foe-1 extend by mira").endswith("Foe 1 is shaken for longer")


def test_in_orcus_it_is_another_instance() -> None:
    fight = HouseFight(with_techniques("orcus"))
    fight.do(*PEOPLE["orcus"], "whirl foe-1 by mira", "whirl foe-1 by brannoc")
    assert [e.until.ends for e in fight.state["foe-1"].effects] == ["save", "save"]
