"""What a campaign adds to the things that are done in a rest."""

from __future__ import annotations

import pytest
from tests.house.playing import HouseFight, ruleset_with

from affray.core.parser.errors import Refused

GAME = "monsters-and-magic"
ROW = """
[activities.hot-bath]
rests = ["long"]
heals = 50
clears = { fatigue = 4, exhaustion = 1 }
spends = { supplies = 2 }
note = "smells of lavender"
"""


def rested(rows: str = ROW) -> HouseFight:
    """Mira has 4 of 24 HP left, 5 fatigue and 2 exhaustion; a long rest has passed."""
    fight = HouseFight(ruleset_with(GAME, rows))
    fight.do("add pc Mira hp 24 ac 0 pb 2", "set mira hp 4", "mark mira fatigue 5")
    fight.do("mark mira exhaustion 2", "supplies 3", "rest long")
    return fight


def test_an_activity_heals_clears_spends_and_notes() -> None:
    fight = rested()
    fight.do("rest mira hot-bath")
    mira = fight.state["mira"]
    assert [mira.track(t) for t in ("hp", "fatigue", "exhaustion")] == [16, 1, 1]
    assert fight.state.gm("supplies") == 1
    made = rested().decided("rest mira hot-bath")
    assert "smells of lavender" in [getattr(event, "text", "") for event in made.events]


def test_it_is_one_of_the_two_that_a_rest_has_time_for() -> None:
    fight = rested()
    fight.do("rest mira hot-bath clear")
    assert "has time for 2" in fight.refused("rest mira hot-bath")


def test_it_is_done_in_the_rests_that_it_names() -> None:
    fight = rested()
    fight.do("rest short")
    assert "expected a downtime activity" in fight.refused("rest mira hot-bath")


def test_a_row_of_the_games_own_may_be_changed() -> None:
    fight = rested('activities.gather = { rests = ["extended"] }')
    assert "expected a downtime activity" in fight.refused("rest mira gather strong")
    fight.do("rest extended", "rest mira gather strong")
    assert fight.state.gm("supplies") == 5


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('["long"]', "[]", "rests: must name one; there are short, long and extended"),
        ('"long"', '"lang"', "rests: 'lang' is not used there; did you mean long?"),
        ("fatigue = 4", "hp = 4", "clears: 'hp' is not used there"),
        ("fatigue = 4", "fatigue = 0", "must be from 1 to 99, not 0"),
        ("supplies = 2", "gold = 2", "spends: 'gold' is not used there"),
        ("heals = 50", "heals = 101", "heals: must be from 0 to 100, not 101"),
        ("hot-bath", '"Hot bath"', "no command could name it"),
        ("note", "notes", "has no field 'notes'; did you mean note?"),
    ],
)
def test_what_could_not_be_played_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(Refused) as refusal:
        ruleset_with(GAME, ROW.replace(old, new))
    assert message in refusal.value.message
    assert refusal.value.message.startswith("[activities.")


def test_a_game_without_activities_has_none_added() -> None:
    with pytest.raises(Refused, match="Orcus has no activities for a rest"):
        ruleset_with("orcus", ROW)
