"""What counts against one creature alone counts in every roll against it, and in no other."""

from __future__ import annotations

import pytest
from tests.house.playing import HouseFight, ruleset_with

from affray.core.engine.events import Rolled

WARY = {"wary": {"kind": "condition", "concerns": "source", "modifiers": {"save": 3}}}
TORN = {"torn": {"kind": "condition", "concerns": "source", "advantage": ["save"]}}
SAVES = {
    "level-up": "tumble {} natural {}",
    "adventure-school": "save mira health natural {1} dc 10 vs {0}",
}


def begun(game: str, rows: dict[str, dict[str, object]]) -> HouseFight:
    fight = HouseFight(ruleset_with(game, {"effects": rows}))
    fight.do("add pc Mira hp 30", "add monster Ghoul x2 hp 10", "init mira 20")
    fight.do("init ghoul-1 10", "init ghoul-2 5", "start")
    return fight


def save(fight: HouseFight, foe: str, die: str) -> Rolled:
    made = fight.decided(SAVES[fight.ruleset.id].format(foe, die))
    (rolled,) = [e for e in made.events if isinstance(e, Rolled) and e.who == "mira"]
    return rolled


@pytest.mark.parametrize("game", SAVES)
def test_a_bonus_against_one_counts_in_a_save_against_that_one(game: str) -> None:
    fight = begun(game, WARY)
    fight.do("inflict mira wary from ghoul-1")
    one, other = save(fight, "ghoul-1", "10").total, save(fight, "ghoul-2", "10").total
    assert one is not None and other is not None and one - other == 3


@pytest.mark.parametrize("game", SAVES)
def test_an_advantage_against_one_counts_in_a_save_against_that_one(game: str) -> None:
    fight = begun(game, TORN)
    fight.do("inflict mira torn from ghoul-1")
    assert save(fight, "ghoul-1", "4,15").lean == 1
    assert save(fight, "ghoul-2", "15").lean == 0


@pytest.mark.parametrize("game", SAVES)
def test_what_is_for_one_save_against_one_is_used_up_by_no_other(game: str) -> None:
    fight = begun(game, WARY)
    fight.do("inflict mira wary until used from ghoul-1")
    fight.do(SAVES[game].format("ghoul-2", "10"))
    assert fight.state["mira"].named("wary") is not None
    if game == "level-up":
        fight.do("next", "next", "next")
    fight.do(SAVES[game].format("ghoul-1", "10"))
    assert fight.state["mira"].named("wary") is None
