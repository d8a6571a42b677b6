"""Songs: begun, kept, swapped, lost, and what they give. Adventure School, Bardic Magic, Buff."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.rulesets.adventure_school.conftest import BRANNOC, GHOULS, MIRA, ORDER

Fight = Any
ROUND = ["next"] * 4


@pytest.fixture
def singing(fight: Fight) -> Fight:
    """Mira performs Anthem, and is still up."""
    fight.do("next", "song Anthem pass +1 attack,check to brannoc,mira")
    return fight


def songs(fight: Fight) -> list[str]:
    """What Mira performs."""
    return [effect.note for effect in fight["mira"].effects if effect.name == "song"]


@pytest.mark.parametrize(
    ("said", "performed"), [("natural 4", True), ("natural 3", False), ("performance fail", False)]
)
def test_a_song_takes_the_action_and_a_test_against_10(
    fight: Fight, said: str, performed: bool
) -> None:
    """Adventure School, Bardic Magic: Mira's performance is 6."""
    fight.do("next", f"song Anthem {said} +1 attack to brannoc")
    assert bool(songs(fight)) is performed and fight.track("mira", "action") == 0
    assert fight.total("brannoc", "attack") == int(performed)


def test_another_skill_may_be_said(fight: Fight) -> None:
    fight.do("next", "song Drumming spellcraft natural 3")
    assert fight.rolled.total == 10 and songs(fight) == ["Drumming"]
    fight.do(*ROUND, "maintain Drumming natural 2")
    assert fight.rolled.total == 9


def test_a_song_gives_its_bonus_to_those_who_are_named_or_to_its_performer(singing: Fight) -> None:
    assert singing.total("brannoc", "attack") == 1 and singing.total("mira", "check") == 1
    singing.do("drop Anthem", *ROUND, "song Hymn pass +2 save")
    assert singing.total("mira", "save") == 2 and singing.total("brannoc", "save") == 0


def test_in_its_next_turn_it_asks_to_be_kept_and_a_test_keeps_it(singing: Fight) -> None:
    """Adventure School, Bardic Magic, Turn: a fast action."""
    assert not singing.pending
    singing.refuses("maintain Anthem pass", "needn't be kept")
    singing.do(*ROUND)
    assert singing.pending == [("mira", "Mira may maintain Anthem")]
    singing.do("maintain Anthem natural 4")
    assert songs(singing) == ["Anthem"] and not singing.pending
    assert singing.track("mira", "action") == 1
    singing.refuses("maintain Anthem pass", "needn't be kept")
    singing.do(*ROUND)
    assert songs(singing) == ["Anthem"] and singing.total("brannoc", "attack") == 1


def test_a_failed_test_ends_it_with_what_it_gives(singing: Fight) -> None:
    """Adventure School, Bardic Magic."""
    singing.do(*ROUND, "maintain Anthem fail")
    assert songs(singing) == [] and singing.total("brannoc", "attack") == 0
    singing.do("undo", "maintain Anthem natural 1")
    assert singing["brannoc"].effects == ()


def test_a_turns_end_without_a_test_ends_it(singing: Fight) -> None:
    """Adventure School, Bardic Magic, Turn."""
    singing.do(*ROUND)
    assert singing.total("brannoc", "attack") == 1
    singing.do("next")
    assert songs(singing) == [] and singing.total("brannoc", "attack") == 0


def test_the_song_of_a_defeated_one_ends_in_time(singing: Fight) -> None:
    """Adventure School, Turn."""
    singing.do("damage mira 99", *["next"] * 3)
    assert singing.state.turn == "brannoc" and songs(singing) == ["Anthem"]
    singing.do("next")
    assert singing.state.turn == "ghoul-1" and songs(singing) == []


def test_who_is_disabled_keeps_no_song(singing: Fight) -> None:
    """Adventure School, Fast Action: it is a fast action."""
    singing.do(*ROUND, "inflict mira stunned")
    singing.refuses("maintain Anthem pass", "disabled")


def test_one_song_at_a_time_unless_the_sheet_says_more(new_fight: Callable[..., Fight]) -> None:
    """Adventure School, Bardic Magic."""
    duet = MIRA.replace("spirit 5", "songs 2 spirit 5")
    fight = new_fight(BRANNOC, duet, GHOULS, *ORDER, "next", "song Anthem pass")
    fight.do(*ROUND, "maintain Anthem pass").refuses("song Anthem pass", "performs Anthem already")
    fight.do("song Hymn pass")
    assert songs(fight) == ["Anthem", "Hymn"]
    fight.do(*ROUND, "maintain Anthem pass", "maintain Hymn pass")
    fight.refuses("song Dirge pass", "performs Anthem, Hymn already")
    fight.do("song Dirge instead of Anthem", "song March instead of Hymn")
    assert songs(fight) == ["Dirge", "March"]


def test_a_swap_takes_no_test_and_no_action_once_a_turn(singing: Fight) -> None:
    """Adventure School, Bardic Magic."""
    singing.refuses("song Hymn pass", "`instead of` swaps")
    singing.do(*ROUND, "maintain Anthem pass")
    singing.do("song Hymn +1 save to brannoc instead of Anthem")
    assert songs(singing) == ["Hymn"] and singing.track("mira", "action") == 1
    assert singing.total("brannoc", "save") == 1 and singing.total("brannoc", "attack") == 0
    singing.refuses("song Dirge instead of Hymn", "once a turn")
    singing.refuses("song Dirge instead of Anthem", "expected a song being performed")
    singing.do(*ROUND)
    assert songs(singing) == ["Hymn"]


def test_what_is_swapped_in_is_kept_by_a_test_as_the_old_one_would_have_been(
    singing: Fight,
) -> None:
    """Adventure School, Bardic Magic."""
    singing.do(*ROUND, "song Hymn instead of Anthem")
    assert singing.pending == [("mira", "Mira may maintain Hymn")]
    singing.do("next")
    assert songs(singing) == []


def test_bonuses_of_one_name_do_not_add_up_by_whomever(singing: Fight) -> None:
    """Adventure School, Buff, Debuff: of one name the best bonus and the worst penalty count."""
    singing.do('modifier brannoc +2 attack "anthem" from ghoul-1', "modifier brannoc +1 attack")
    singing.do('modifier brannoc -1 attack "Anthem"', 'modifier brannoc -3 attack "Anthem"')
    assert singing.total("brannoc", "attack") == 2 - 3 + 1


def test_a_song_may_be_dropped_at_any_time(singing: Fight) -> None:
    singing.do("next", "drop anthem by mira")
    assert songs(singing) == [] and singing["brannoc"].effects == ()


def test_a_song_ends_with_the_fight_and_out_of_one_when_it_is_dropped(singing: Fight) -> None:
    singing.do("end")
    assert songs(singing) == []
    singing.do("song Anthem pass by mira", "rest short")
    assert songs(singing) == ["Anthem"] and singing.until("mira", "song") == "until it stops"


def test_a_held_song_is_kept_in_the_next_turn(fight: Fight) -> None:
    """Adventure School, Hold."""
    fight.do("next", "ready", "next", "trigger song Anthem pass by mira")
    fight.do(*["next"] * 3)
    assert fight.pending == [("mira", "Mira may maintain Anthem")]


def test_a_song_without_an_outcome_is_refused_and_completion_knows_the_words(fight: Fight) -> None:
    fight.do("next")
    fight.refuses("song Anthem", "say how the test came out")
    assert fight.reason("mira", "maintain") == "performs no song"
    fight.refuses("maintain Anthem pass", "expected a song being performed")
