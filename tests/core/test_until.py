"""When an effect is to end: one reader for rows, sheets and commands, and one duration of it."""

import pytest
from tests.core.conftest import Play

from affray.core.engine.durations import Until, parse_row_until, read_until
from affray.core.engine.state import Duration
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import TokenStream, tokenize
from affray.core.rules.tables import read_tables


@pytest.fixture
def play():
    fight = Play()
    fight("add pc Mira", "add pc Odo", "init mira 15", "init odo 10", "start")
    return fight


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("", None),
        ("2 turns", Until("turn", count=2)),
        ("1 turn", Until("turn")),
        ("this turn", Until("turn", "now")),
        ("start of source", Until("turn", "source", edge="start")),
        ("end of source", Until("turn", "source")),
        ("start of bearer", Until("turn", edge="start")),
        ("save", Until("save")),
        ("rest", Until("rest")),
        ("a rest", Until("rest")),
        ("the fight ends", Until("fight")),
        ("long rest", Until("long-rest")),
        ("fight", Until("fight")),
        ("end of the fight", Until("fight")),
        ("used", Until("use")),
        ("removed", Until()),
        ("freed", Until(text="freed")),
    ],
)
def test_a_row_says_when_an_effect_ends(text, until):
    assert parse_row_until(text) == until


@pytest.mark.parametrize(
    "text",
    [
        "it stands",
        "the save is made",
        "a long rest",
        "end of the storm",
        "3 days",
        'a "lone',
        "save!",
    ],
)
def test_any_other_words_are_what_people_can_see(text):
    assert parse_row_until(text) == Until(text=text)


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("end of odo", Until("turn", who="odo")),
        ("the start of odo's next turn", Until("turn", who="odo", edge="start")),
        ("round 4", Until("round", count=4)),
        ("end of round 4", Until("round", count=4)),
        ("the fight ends", Until("fight")),
        ("a rest", Until("rest")),
    ],
)
def test_a_command_says_it_with_the_same_words_and_the_names_of_the_fight(play, text, until):
    assert read_until(TokenStream(tokenize(text), play.state), {}) == until


def test_in_a_command_no_other_words_are_an_end(play):
    with pytest.raises(Refused, match="expected its end"):
        read_until(TokenStream(tokenize("dawn"), play.state), {})


def test_it_is_a_duration_once_it_is_known_on_whom_it_is(play):
    ends = {
        text: parse_row_until(text).resolve(play.state, "odo", "mira")
        for text in ("2 turns", "start of source", "this turn", "save", "it stands")
    }
    assert ends == {
        "2 turns": Duration("turn", "odo", "end", 2),
        "start of source": Duration("turn", "mira", "start", 2),
        "this turn": Duration("turn", "mira", "end", 1),
        "save": Duration("save"),
        "it stands": Duration(says="it stands"),
    }


def test_what_sheets_say_of_it_is_read_as_the_same(play):
    written = {
        "for 2 turns": Until("turn", count=2),
        "user-start": Until("turn", "source", edge="start"),
        "target-end": Until("turn"),
        "save-ends": Until("save"),
        "until start of odo": Until("turn", who="odo", edge="start"),
        "until used": Until("use"),
        "until round 3": Until("round", count=3),
        "save-ends for 10 turns": Until("save", most=10),
        "until freed": Until(text="freed"),
        'until "it stands"': Until(text="it stands"),
    }
    assert {str(until): until for until in written.values()} == written
    for text, until in written.items():
        if text.startswith("until "):
            assert read_until(TokenStream(tokenize(text)[1:], play.state), {}) == until


def test_rows_in_the_words_of_earlier_releases_are_read_as_now():
    fire = {"inflict": ["hot"], "until": "start"}
    older = {
        "techniques": {
            "w": {"does": {"bestow": "set", "turns": 2}},
            "x": {"does": {"ends": "turn"}},
        },
        "environments": {"kitchen": {"features": {"stove": fire}, "actions": {"fat-fire": fire}}},
    }
    tables = read_tables(older)
    assert tables.techniques["w"].does.until == "2 turns"
    assert tables.techniques["x"].does.until == "this turn"
    kitchen = tables.environments["kitchen"]
    rows = (kitchen.features["stove"], kitchen.actions["fat-fire"])
    assert {row.until for row in rows} == {"start of bearer"}
    assert fire["until"] == "start"  # the document itself stays as it was
