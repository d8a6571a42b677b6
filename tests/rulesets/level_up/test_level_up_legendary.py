"""What creatures of other books bring that the text hasn't: regeneration, legendary resistance, a
lair's count, each by the sheet's word and asked or told at its moment.

Level Up, ruling 41; the creature's own text.
"""

from collections.abc import Callable

import pytest

from affray.core.engine.events import Rolled

from .conftest import Fight

WYRM = (
    "add monster Wyrm hp 90 ac 17 hit-dice 12 dex 1 con 2 legendary-resistance 2"
    " attack bite +9 2d10+5 piercing"
)
With = Callable[..., Fight]


@pytest.fixture
def wyrm(with_more: With) -> Fight:
    """A wyrm with two legendary resistances."""
    return with_more(WYRM)


def test_a_failed_save_asks_whether_it_is_resisted_until_the_next_command(wyrm: Fight) -> None:
    wyrm.do("check wyrm dex save natural 9 dc 15")
    assert wyrm.pending == [("wyrm", "Wyrm failed a save: legendary resistance, 2 left")]
    wyrm.do("note the wyrm roars")
    assert wyrm.pending == []
    wyrm.refuses("legendary-resistance wyrm", "no failed save of Wyrm")


def test_a_made_save_asks_nothing(wyrm: Fight) -> None:
    wyrm.do("check wyrm dex save natural 19 dc 15")
    assert wyrm.pending == []
    wyrm.refuses("legendary-resistance wyrm", "no failed save of Wyrm")


def test_legendary_resistance_takes_back_all_that_the_failed_save_brought(with_more: With) -> None:
    mage = (
        "add monster Mage hp 30 ac 12 hit-dice 5"
        ' power "Ash Cloud" save dex 4d6 fire dc 18 half inflicts blinded'
    )
    fight = with_more(WYRM, mage)
    fight.do("next", "next", "next", "next", "next")
    fight.do('power "Ash Cloud" wyrm,ghoul-1 failure,failure 20')
    assert (fight.hp("wyrm"), fight.effects("wyrm")) == (70, {"blinded"})
    assert fight.hp("ghoul-1") == 2
    fight.do("legendary-resistance wyrm")
    assert (fight.hp("wyrm"), fight.effects("wyrm")) == (80, set())
    assert (fight.hp("ghoul-1"), fight.effects("ghoul-1")) == (2, {"blinded"})
    assert fight.track("wyrm", "legendary_resistance") == 1
    fight.do("undo")
    assert (fight.hp("wyrm"), fight.track("wyrm", "legendary_resistance")) == (70, 2)


def test_who_has_none_left_is_not_asked(wyrm: Fight) -> None:
    wyrm.do("set wyrm legendary_resistance 0", "check wyrm dex save failure")
    assert wyrm.pending == []


def test_a_night_brings_legendary_resistance_back(wyrm: Fight) -> None:
    wyrm.do("check wyrm dex save failure", "legendary-resistance wyrm", "end")
    wyrm.do("rest long with wyrm")
    assert wyrm.track("wyrm", "legendary_resistance") == 2


def test_regeneration_needs_hp(with_more: With) -> None:
    fight = with_more("add monster Troll hp 40 ac 13 hit-dice 8 important regeneration 10")
    fight.do("damage troll 15", "next", "next", "next", "next")
    assert fight.hp("troll") == 35
    fight.do("next", "damage troll 35", "next", "next", "next", "next")
    assert fight.hp("troll") == 0


def test_what_may_keep_regeneration_off_is_told_as_it_comes(with_more: With) -> None:
    text = 'power Regeneration trait text "Not after acid or fire."'
    fight = with_more(f"add monster Troll hp 40 ac 13 hit-dice 8 regeneration 10 {text}")
    fight.do("damage troll 15 fire", "next", "next", "next", "next")
    assert "Troll regenerates: Not after acid or fire." in fight.notes


def test_what_the_sheet_has_is_played_and_its_text_needs_no_reminder(with_more: With) -> None:
    text = 'text "If it fails a saving throw, it may succeed."'
    told = f'{WYRM} power "Legendary Resistance (3/Day)" trait {text}'
    fight = with_more(told).do("check wyrm dex save failure")
    assert "remember" not in fight.notes
    plain = with_more(told.replace(" legendary-resistance 2", "")).do("check wyrm dex save failure")
    assert "Wyrm: remember " in plain.notes


def test_a_hazard_acts_on_its_own_count(fight: Fight) -> None:
    fight.do("add hazard Lair init 20")
    assert fight.who("lair")["initiative"] == 20
    rolled = [e for entry in fight.history.entries.values() for e in entry.events]
    assert not any(isinstance(e, Rolled) and e.who == "lair" for e in rolled)
