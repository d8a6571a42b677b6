"""Maxima that something lowers for as long as it lasts, what comes back with its end, and dice."""

import pytest
from tests.core.conftest import BARE, Play, ruled

from affray.core.engine.effects import gain_effect, lower_maximum
from affray.core.engine.evolve import diff_events, evolve_all
from affray.core.engine.state import Effect, Track
from affray.core.formatting.log_lines import outcome_lines
from affray.core.formatting.reports import json_report
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Command
from affray.core.rules.tables import read_tables


def _keep(ctx, words):
    """`keep NAME N lowers|refunds`: something of N points of power is kept up."""
    who, amount = words.combatant().id, words.number("how much")
    how = words.choice("expected the result", ("lowers", "refunds"))
    gain_effect(ctx, who, Effect("kept", "kept", "own", type="power", amount=amount, **{how: True}))


def _lower(ctx, words):
    lower_maximum(ctx, words.combatant().id, "power", words.number("by how much", -99), "weary")


POWERED = ruled(
    BARE,
    tables=read_tables(
        {
            "tracks": {
                "power": {"label": "Power"},
                "luck": {"label": "Luck", "shown": "die"},
            }
        }
    ),
    commands={
        **BARE.commands,
        "keep": Command("keep", "keep NAME N lowers|refunds", "keeps something up", _keep),
        "lower": Command("lower", "lower NAME N", "lowers a maximum", _lower),
    },
    create=lambda ctx, words, kind: ({}, {"power": Track(4, 6), "luck": Track(8, 10)}),
)


@pytest.fixture
def fight():
    play = Play()
    play.ruleset = POWERED
    play("add pc Ann")
    return play


def power(fight):
    track = fight.who("ann").tracks["power"]
    return track.value, track.max, track.full


def shown(fight):
    return json_report(fight.history, POWERED)["combatants"][0]["tracks"]["power"]


def test_what_is_kept_up_lowers_the_maximum_and_its_end_raises_it_again(fight):
    fight("keep ann 1 lowers")
    assert power(fight) == (4, 5, 6) and shown(fight) == {"value": 4, "max": 5, "full": 6}
    fight("remove ann kept")
    assert power(fight) == (4, 6, 6) and shown(fight) == {"value": 4, "max": 6}


def test_what_is_above_a_lowered_maximum_is_cut_and_does_not_come_back(fight):
    fight("keep ann 3 lowers", "remove ann kept")
    assert power(fight) == (3, 6, 6)


def test_several_lower_it_together_and_each_gives_back_its_own(fight):
    fight("keep ann 1 lowers", "lower ann 2", "keep ann 1 lowers")
    assert power(fight) == (2, 2, 6)
    fight("remove ann kept-2", "lower ann -2")
    assert power(fight) == (2, 5, 6)


def test_the_log_tells_what_the_maximum_is_now(fight):
    before = fight.state
    fight("keep ann 1 lowers")
    told = outcome_lines(fight.history.entries[2].events, before, POWERED.tables.tracks)
    assert list(told)[-1] == "Ann Power at most 5"


def test_what_refunds_comes_back_when_it_ends_up_to_the_maximum(fight):
    fight("keep ann 1 refunds")
    assert power(fight) == (4, 6, 6)
    fight("remove ann kept")
    assert power(fight) == (5, 6, 6)
    fight("keep ann 3 refunds", "lower ann 1", "remove ann kept")
    assert power(fight) == (5, 5, 6)


def test_the_way_from_one_state_to_another_has_how_far_a_maximum_is_lowered(fight):
    before = fight.state
    fight("keep ann 3 lowers")
    there = evolve_all(before, diff_events(before, fight.state))
    assert there.find("ann").tracks == fight.who("ann").tracks
    back = evolve_all(fight.state, diff_events(fight.state, before))
    assert back.find("ann").tracks == before.find("ann").tracks


@pytest.mark.parametrize("said", ["d6", "D6", "6"])
def test_a_track_that_is_a_die_is_set_by_its_sides(fight, said):
    fight(f"set ann luck {said}", f"set ann luck {said} of d12")
    assert fight.who("ann").tracks["luck"] == Track(6, 12)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("many", "such as d6"),
        ("d", "such as d6"),
        ("-4", "such as d6"),
        ("d12", "Ann has at most 10 luck"),
    ],
)
def test_what_is_no_die_or_too_large_a_one_is_refused(fight, said, why):
    with pytest.raises(Refused, match=why):
        fight(f"set ann luck {said}")
