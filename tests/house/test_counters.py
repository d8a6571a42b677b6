"""Tracks of a campaign's own: on every game's sheets, and back each turn, round, fight or rest.

docs/house-rules.md, Tracks of your own.
"""

from __future__ import annotations

import pytest

from affray import Fight
from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.tables import read_tables
from affray.rulesets import load_ruleset

GAMES = ["monsters-and-magic", "5e", "orcus", "level-up", "adventure-school", "plain"]
FIGHTERS = ("add pc Mira hp 20 {}", "add pc Odo hp 20 {}", "add monster Rat hp 5")
TRACKS = {
    "grit": {"label": "Grit", "shown": "pips"},
    "heat": {"label": "Heat", "counts": "marked", "everybody": True},
}


def playing(game: str, resets: str, **more: object) -> Fight:
    tracks = {name: {**row, "resets": resets, **more} for name, row in TRACKS.items()}
    rules = with_house_rules(load_ruleset(game), read_tables({"tracks": tracks}))
    fight = Fight(rules, seed=4)
    ac = "" if game in ("plain", "monsters-and-magic") else "ac 12"
    for each in FIGHTERS:
        fight.do(f"{each.format('grit 3')} {ac}")
    fight.do("init mira 20", "init odo 15", "init rat 3")
    return fight


def worn(fight: Fight) -> None:
    """Nobody has grit, and everybody heat."""
    for who in ("mira", "odo"):
        fight.do(f"set {who} grit 0", f"set {who} heat 2")
    fight.do("set rat heat 4")


def values(fight: Fight) -> list[tuple[int, int]]:
    return [(fight.state[w].track("grit"), fight.state[w].track("heat")) for w in ("mira", "odo")]


FULL, NONE = (3, 0), (0, 2)


@pytest.mark.parametrize("game", GAMES)
def test_it_comes_back_with_the_round_for_all_in_one_line(game: str) -> None:
    fight = playing(game, "round")
    fight.do("start")
    worn(fight)
    fight.do("next")
    assert values(fight) == [NONE, NONE]
    fight.do("next", "next")
    assert values(fight) == [FULL, FULL]
    lines = [line for line in fight.describe(fight.entries[-1]) if "comes back" in line]
    assert [line.count("comes back") for line in lines] == [1, 1]
    assert fight.state["rat"].track("heat") == 0
    fight.undo()
    assert values(fight) == [NONE, NONE]


@pytest.mark.parametrize("game", GAMES)
def test_it_comes_back_with_its_bearers_turn_alone(game: str) -> None:
    fight = playing(game, "turn")
    fight.do("start")
    worn(fight)
    fight.do("next")
    assert values(fight) == [NONE, FULL]


@pytest.mark.parametrize("game", GAMES)
def test_it_comes_back_with_the_next_fight(game: str) -> None:
    fight = playing(game, "fight")
    worn(fight)
    fight.do("start")
    assert values(fight) == [FULL, FULL]
    worn(fight)
    fight.do("end")
    assert values(fight) == [NONE, NONE]
    fight.do("start")
    assert values(fight) == [FULL, FULL]


@pytest.mark.parametrize("game", GAMES)
def test_it_comes_back_with_a_rest_of_whoever_takes_it(game: str) -> None:
    fight = playing(game, "rest")
    fight.do("start")
    worn(fight)
    fight.do("end", "rest short")
    assert values(fight) == [FULL, FULL]
    assert fight.state["rat"].track("heat") == 4


@pytest.mark.parametrize("game", GAMES)
def test_it_comes_back_with_a_long_rest_only(game: str) -> None:
    fight = playing(game, "long-rest")
    fight.do("start")
    worn(fight)
    fight.do("end", "rest short")
    assert values(fight) == [NONE, NONE]
    fight.do("rest long")
    assert values(fight) == [FULL, FULL]


def test_nothing_is_told_of_what_was_there() -> None:
    fight = playing("plain", "round")
    fight.do("start", "next", "next", "next")
    assert not [line for line in fight.describe(fight.entries[-1]) if "comes back" in line]


def test_why_names_what_brought_it_back() -> None:
    fight = playing("plain", "round")
    fight.do("start", "set mira grit 0", "next", "next", "next")
    assert any("a new round" in line for line in fight.ask("why mira grit").lines)


@pytest.mark.parametrize(
    ("game", "tracks", "message"),
    [
        ("plain", {"grit": {"label": "Grit", "resets": "rounds"}}, "resets"),
        ("5e", {"hp": {"label": "HP", "resets": "round"}}, "the rules say when HP comes back"),
        ("5e", {"speed": {"label": "Speed"}}, "sheets of 5e have speed already"),
        ("orcus", {"ac": {"label": "AC"}}, "sheets of Orcus have ac already"),
    ],
)
def test_a_row_that_means_nothing_is_refused(
    game: str, tracks: dict[str, object], message: str
) -> None:
    with pytest.raises(Refused) as caught:
        with_house_rules(load_ruleset(game), read_tables({"tracks": tracks}))
    assert message in str(caught.value)


def test_counters_are_listed_by_affray_alone() -> None:
    with pytest.raises(Refused, match="affray lists these"):
        with_house_rules(load_ruleset("5e"), read_tables({"counters": ["hp"]}))


@pytest.mark.parametrize("game", GAMES)
def test_who_joined_before_it_was_declared_has_what_everybody_has(game: str) -> None:
    before = Fight(game, seed=4)
    ac = "" if game in ("plain", "monsters-and-magic") else "ac 12"
    before.do(f"add pc Mira hp 20 {ac}", f"add pc Odo hp 20 {ac}")
    rules = with_house_rules(load_ruleset(game), read_tables({"tracks": TRACKS}))
    assert "heat" not in before.state["mira"].tracks
    decision = decide(before.state, "set mira heat 1", rules, SeededDice(4))
    tracks = {each.id: each.tracks for each in decision.state.combatants}
    assert (tracks["mira"]["heat"].value, tracks["odo"]["heat"].value) == (1, 0)
    assert not any("grit" in each for each in tracks.values())
