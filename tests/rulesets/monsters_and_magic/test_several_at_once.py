"""Commands of Monsters & Magic that are done to several, and to sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def hp(fight: Fight) -> dict[str, int]:
    return {c.id: c.track("hp") for c in fight.state.combatants}


def test_half_of_a_side_means_those_of_it_who_are_damaged(fight: Fight) -> None:
    """Monsters & Magic, Attacking & Dealing Damage, Armor Class."""
    fight.do("damage ghoul-1,party 12 fire half party")
    assert hp(fight) == {"brannoc": 28, "mira": 20, "ghoul-1": 8, "ghoul-2": 18}
    fight.do("damage 2-4 4 half foes")
    assert hp(fight) == {"brannoc": 28, "mira": 18, "ghoul-1": 8, "ghoul-2": 18}
    fight.refuses("damage foes 4 half party", "nobody in 'party'")


def test_the_dead_are_left_out_and_have_to_be_named(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying: monsters die at 0 HP."""
    fight.do("damage ghoul-1 99", "damage foes 8")
    assert hp(fight)["ghoul-2"] == 12
    fight.refuses("damage ghoul-1,ghoul-2 8", "Ghoul 1 is dead")
    fight.do("damage ghoul-2 99")
    fight.refuses("damage foes 8", "nobody in 'foes' fits this command")
    fight.do("leave foes")
    assert set(hp(fight)) == {"brannoc", "mira"}


def test_who_casts_at_all_is_not_a_target(fight: Fight) -> None:
    """Monsters & Magic, Basic Techniques: Cast a Spell."""
    fight.do('cast "Cold Rain" at all weak,miss,strong 6 cold')
    assert hp(fight) == {"brannoc": 30, "mira": 23, "ghoul-1": 18, "ghoul-2": 14}
    fight.refuses('cast "Warm Rain" at foes natural 12 6', "2 rolls")


@pytest.mark.parametrize(
    ("line", "track", "was", "now"),
    [
        ("temp party 6", "temp_hp", 0, 6),
        ("mark party fatigue 2", "fatigue", 0, 2),
        ("mark party threads", "threads", 1, 0),
        ("hold party arrows 3", "arrows", 0, 3),
    ],
)
def test_what_is_counted_moves_for_several(
    fight: Fight, line: str, track: str, was: int, now: int
) -> None:
    """Monsters & Magic, Fatigue & Exhaustion, Temporary Hit Points, Ongoing, Forward, and Hold."""
    fight.do("set party threads 1")
    assert {fight[who].track(track) for who in ("brannoc", "mira")} == {was}
    fight.do(line)
    assert {fight[who].track(track) for who in ("brannoc", "mira")} == {now}


def test_the_log_says_who_all_marked_and_who_had_nothing_to_clear(fight: Fight) -> None:
    fight.do("mark all fatigue")
    title = "Brannoc, Mira, Ghoul 1 and Ghoul 2 mark fatigue"
    assert fight.shown["undo"] == title
    fight.do("clear mira fatigue", "clear party fatigue")
    assert fight.shown["undo"] == "Brannoc and Mira clear fatigue"
    assert fight.notes == "Mira had no fatigue to clear"
    fight.refuses("clear mira fatigue", "Mira has no fatigue to clear")


def test_what_one_of_several_lacks_is_refused_by_name(fight: Fight) -> None:
    fight.refuses("mark all threads", "Ghoul 1 and Ghoul 2 have no track 'threads'")
    fight.do("hold mira arrows 3")
    fight.refuses("hold party arrows -1", "Brannoc holds 0 arrows, not 1")
    fight.do('add hazard "Rising Water"', faces=[5])
    fight.refuses("temp all,rising-water 5", "Rising Water has no HP")


def test_bonuses_are_given_to_several(fight: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold."""
    fight.do('forward party +2 "next attack"', "ongoing foes -1 check until end of mira")
    assert [fight[who].effects[0].modifiers for who in ("brannoc", "mira")] == [{"attack": 2}] * 2
    assert [fight.total(who, "check") for who in ("ghoul-1", "ghoul-2")] == [-1, -1]
    assert fight.shown["undo"] == "Ghoul 1 and Ghoul 2 get a penalty"


def test_several_get_free_each_at_the_price(gathered: Fight) -> None:
    """Monsters & Magic, Conditions: restrained, 3-fatigue."""
    gathered.do("inflict party restrained", "free party restrained")
    assert [gathered.fatigue(who) for who in ("brannoc", "mira")] == [(3, 0), (3, 0)]
    assert gathered.shown["undo"] == "Brannoc gets free, Mira gets free"
    gathered.do("inflict mira doomed")
    gathered.refuses("free brannoc,mira doomed", "Brannoc has nothing to be freed from")
    gathered.refuses("free foes doomed", "nobody in 'foes' fits this command")
    gathered.refuses("free party", "Brannoc has nothing to be freed from")


def test_of_a_side_those_get_free_who_have_it(gathered: Fight) -> None:
    """Monsters & Magic, Conditions. As `remove foes weakened` means those of the foes who are."""
    gathered.do("inflict mira,ghoul-2 restrained", "free all restrained")
    assert gathered.shown["undo"] == "Mira gets free, Ghoul 2 gets free"
    assert gathered.fatigue("brannoc") == (0, 0), "nobody pays for what they don't have"
    gathered.do('inflict ghoul-1 "tar pit" until freed', "free foes tar pit")
    assert gathered.shown["undo"] == "Ghoul 1 gets free"


def test_several_are_no_answer_to_who_is_dying(fight: Fight) -> None:
    fight.refuses("death party roll", "expected the dying combatant, just one, found 'party'")


def test_several_do_the_same_in_a_rest(gathered: Fight) -> None:
    """Monsters & Magic, Rest & Recovery."""
    gathered.do("mark party fatigue 3", "rest short", "rest short party clear prepare")
    assert [gathered.fatigue(who) for who in ("brannoc", "mira")] == [(1, 0), (1, 0)]
    assert {"prepared"} <= gathered.effects("mira") & gathered.effects("brannoc")
    assert gathered.shown["undo"] == "Brannoc and Mira in a short rest: clear and prepare"
    gathered.refuses("rest short party clear", "Brannoc has had 2")
