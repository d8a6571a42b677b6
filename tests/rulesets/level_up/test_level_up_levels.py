"""Tracks counted in levels: what each does, felt at once or when the fight is over, how it goes."""

import pytest
from tests.core.conftest import BARE, Play, ruled

from affray.core.engine.effects import active_effects, why_forbidden
from affray.core.engine.events import TrackChanged
from affray.core.engine.state import Track
from affray.core.formatting.log_lines import outcome_lines
from affray.core.formatting.reports import json_report
from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.ruleset import Command, TableSchema
from affray.core.rules.tables import read_tables
from affray.rulesets.level_up import fatigue

TABLES = {
    "tracks": {"hp": {"label": "HP"}, "wear": {"label": "Wear", "levels": True}},
    "effects": {"lost": {"until": "found"}, "slow": {"speed": "half"}},
    "levels": {
        "worn": {"track": "wear", "forbids": ["run"], "goes": "nap"},
        "worn out": {"track": "wear", "at": 2, "implies": ["slow"], "goes": "night"},
        "at an end": {"track": "wear", "at": 4, "brings": ["lost"]},
    },
}


def _wear(ctx, words):
    """`wear NAME N [later]`, `mend NAME N`."""
    who, by = words.combatant().id, words.number("how many")
    if words.take("later"):
        fatigue.tire(ctx, who, "a long march", {"wear": by})
    else:
        ctx.emit(TrackChanged(who, "wear", by))


def _rest(ctx, words):
    kind = words.choice("the rest", ("nap", "night"))
    for who in ctx.state.combatants:
        fatigue.rested(ctx, who.id, ("nap", "night") if kind == "night" else ("nap",), kind)


def _set_by_hand(ctx, who):
    fatigue.after_manual_level(ctx, who)


COMMANDS = {
    "wear": Command("wear", "wear NAME N", "wears out", _wear),
    "mend": Command(
        "mend",
        "mend NAME N",
        "mends",
        lambda ctx, words: fatigue.clear(ctx, words.combatant().id, "wear", words.number("N")),
    ),
    "rest": Command("rest", "rest nap|night", "rests", _rest),
}
WORN = ruled(
    BARE,
    tables=read_tables(TABLES),
    commands={**BARE.commands, **COMMANDS},
    create=lambda ctx, words, kind: ({}, {"hp": Track(10, 10), "wear": Track(0)}),
    on_fight_end=lambda ctx: fatigue.feel(ctx, "the fight is over"),
    apply_invariants=fatigue.apply_invariants,
    on_edited_by_hand=_set_by_hand,
    schema=TableSchema({"forbids": ("run",)}, rests=("nap", "night")),
)


@pytest.fixture
def march():
    play = Play()
    play.ruleset = WORN
    play("add pc Ann", "add monster Cat", "init ann 9", "init cat 5", "start")
    return play


def wear_of(play, who="ann"):
    track = play.who(who).tracks["wear"]
    return track.value, track.unfelt


def barred(play, what):
    return why_forbidden(play.ruleset.tables, play.state, play.who("ann"), what)


def test_all_rows_up_to_the_levels_felt_are_in_force(march):
    march("wear ann 1")
    assert barred(march, "run") == "worn" and "slow" not in forced(march)
    march("wear ann 1")
    assert barred(march, "run") == "worn" and {"worn", "worn out", "slow"} == forced(march)


def forced(play):
    return set(active_effects(play.ruleset.tables, play.state, play.who("ann")))


def test_levels_that_are_not_felt_yet_do_nothing_until_the_fight_is_over(march):
    march("wear ann 2 later")
    assert wear_of(march) == (2, 2) and not forced(march)
    march("end")
    assert wear_of(march) == (2, 0) and "worn out" in forced(march)


def test_that_levels_are_felt_now_is_told(march):
    march("wear ann 2 later")
    before = march.state
    march("end")
    events = march.history.entries[march.history.last].events
    told = outcome_lines(events, before, WORN.tables.tracks)
    assert told == ["Ann feels 2 Wear (the fight is over)"]


def test_what_a_level_brings_stays_when_it_goes_and_comes_only_with_it(march):
    march("wear ann 3 later", "wear ann 1")
    assert march.names("ann") == []
    march("end")
    assert march.names("ann") == ["lost"]
    march("mend ann 3")
    assert march.names("ann") == ["lost"]
    march("remove ann lost", "wear ann 1")
    assert march.names("ann") == []
    march("wear ann 2")
    assert march.names("ann") == ["lost"]
    march("remove ann lost", "note hm")
    assert march.names("ann") == []


def test_what_was_gained_last_goes_first(march):
    march("wear ann 1", "wear ann 2 later", "mend ann 2")
    assert wear_of(march) == (1, 0)
    march("mend ann 5")
    assert wear_of(march) == (0, 0)


def test_levels_set_by_hand_in_a_fight_are_gained_in_it(march):
    march("wear ann 1", "set ann wear 3")
    assert wear_of(march) == (3, 2)
    march("set ann wear 2")
    assert wear_of(march) == (2, 1)
    march("set ann wear 0")
    assert wear_of(march) == (0, 0)
    march("end", "set ann wear 4")
    assert wear_of(march) == (4, 0) and march.names("ann") == ["lost"]


def test_the_last_level_goes_with_the_rest_that_its_row_names(march):
    march("end", "wear ann 3", "rest nap")
    assert wear_of(march) == (3, 0)
    march("rest night", "rest night")
    assert wear_of(march) == (1, 0)
    march("rest nap")
    assert wear_of(march) == (0, 0)
    march("rest night")
    assert wear_of(march) == (0, 0)


def test_what_levels_do_is_told_by_the_track_and_not_among_the_effects(march):
    march("wear ann 2 later", "wear ann 1")
    ann = json_report(march.history, WORN)["combatants"][0]
    assert ann["tracks"]["wear"] == {"value": 3, "unfelt": 2} and ann["effects"] == []


def test_undo_takes_levels_back_as_they_were_felt(march):
    march("wear ann 1", "wear ann 2 later", "end")
    march.move(march.history.last - 1)
    assert wear_of(march) == (3, 2)


def test_a_campaign_fills_in_levels(march):
    rows = {"levels": {"footsore": {"track": "wear", "at": 1, "forbids": ["run"], "goes": "nap"}}}
    assert "footsore" in with_house_rules(WORN, read_tables(rows)).tables.levels


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"track": "hp"}, "[levels.odd] track: 'hp' has no levels; there is wear"),
        ({"track": "wear", "at": 0}, "[levels.odd] at: must be from 1 to 99, not 0"),
        ({"track": "wear", "goes": "nup"}, "[levels.odd] goes: 'nup' is not a rest that removes"),
        ({"track": "wear", "forbids": ["rn"]}, "[levels.odd] forbids: 'rn' is not used there"),
        ({"track": "wear", "halves": ["x"]}, "[levels.odd] halves: Bare has no such field"),
        ({"track": "wear", "tracks": 1}, "[levels.odd] has no field 'tracks'; did you mean track"),
    ],
)
def test_a_level_that_would_not_be_played_is_refused(row, said):
    with pytest.raises(Refused) as refusal:
        with_house_rules(WORN, read_tables({"levels": {"odd": row}}))
    assert said in refusal.value.message


def test_a_level_can_not_be_called_as_an_effect_is():
    with pytest.raises(Refused, match=r"\[levels.slow\]: an effect has that name"):
        with_house_rules(WORN, read_tables({"levels": {"slow": {"track": "wear"}}}))


def test_where_nothing_is_counted_in_levels_none_is_accepted():
    with pytest.raises(Refused, match="Bare has nothing with levels"):
        with_house_rules(BARE, read_tables({"levels": {"odd": {"track": "hp"}}}))
