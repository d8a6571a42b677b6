"""When the effects of a campaign's own rows end: as these say it, where nothing else is said."""

from __future__ import annotations

import pytest
from tests.house.people import ORDER, PEOPLE
from tests.house.playing import HouseFight, ruleset_with

from affray.core.parser.errors import Refused
from affray.rulesets import load_ruleset

ROWS = """
[effects.shaky]
until = "{until}"
[effects.rattled]
until = "it is calm"
brings = ["shaky"]
"""
NO_LONG_REST = ("monsters-and-magic", "orcus", "level-up")


def made(game: str, until: str) -> HouseFight:
    """Brannoc is up in a campaign that has these effects."""
    fight = HouseFight(ruleset_with(game, ROWS.format(until=until)))
    fight.do(*PEOPLE[game], *ORDER)
    return fight


def ends(fight: HouseFight, who: str = "foe-1") -> dict[str, str]:
    """Until when each effect lasts, in words."""
    return {effect["name"]: effect["until"] for effect in fight.who(who)["effects"]}


@pytest.mark.parametrize(
    ("until", "words"),
    [
        ("2 turns", "end of foe-1's 2nd turn from now"),
        ("start of bearer", "start of foe-1's next turn"),
        ("start of source", "start of brannoc's next turn"),
        ("end of source", "end of brannoc's next turn"),
        ("this turn", "end of brannoc's turn"),
        ("rest", "until a rest"),
        ("fight", "until the fight ends"),
        ("it has calmed down", "until it has calmed down"),
        ("a rest", "until a rest"),
    ],
)
def test_an_effect_ends_as_its_row_says(game: str, until: str, words: str) -> None:
    fight = made(game, until)
    fight.do("inflict foe-1 shaky")
    assert ends(fight) == {"shaky": words}


def test_what_a_command_says_of_the_end_counts_before_the_row(game: str) -> None:
    fight = made(game, "2 turns")
    fight.do("inflict foe-1 shaky until fight")
    assert ends(fight) == {"shaky": "until the fight ends"}


def test_what_an_effect_brings_ends_as_its_own_row_says(game: str) -> None:
    fight = made(game, "2 turns")
    fight.do("inflict foe-1 rattled")
    assert ends(fight) == {
        "rattled": "until it is calm",
        "shaky": "end of foe-1's 2nd turn from now",
    }


def test_it_is_over_when_its_time_has_come(game: str) -> None:
    fight = made(game, "start of source")
    fight.do("inflict foe-1 shaky", "next", "next")
    while fight.state.turn != "brannoc":
        assert "shaky" in fight.effects("foe-1")
        fight.do("next")
    assert fight.effects("foe-1") == set()


@pytest.mark.parametrize("game", NO_LONG_REST)
def test_what_ends_nothing_in_the_game_is_refused(game: str) -> None:
    said = rf"^\[effects.shaky\] until: {load_ruleset(game).name} has no end 'long rest'"
    with pytest.raises(Refused, match=said):
        ruleset_with(game, ROWS.format(until="long rest"))


def test_a_long_rest_ends_where_the_game_has_that() -> None:
    fight = made("adventure-school", "long rest")
    fight.do("inflict foe-1 shaky")
    assert ends(fight) == {"shaky": "until a long rest"}


def test_a_save_ends_where_the_game_has_that() -> None:
    fight = made("orcus", "save")
    fight.do("inflict foe-1 shaky")
    assert ends(fight) == {"shaky": "until saved against"}
