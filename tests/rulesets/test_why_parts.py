"""`why` of a total, in every game: each part with its entry, whom it is from and its end."""

from __future__ import annotations

import pytest

from affray import Fight

FIGHT = (
    "add pc Mira hp 30 ac 15",
    "add monster Ghoul hp 30",
    "init mira 20",
    "init ghoul 10",
    "start",
)
UNTIL = "until end of ghoul from ghoul"
TOLD = "entry 6, from Ghoul, until the end of Ghoul's next turn"

MODIFIERS = {
    "monsters-and-magic": ("inflict mira weakened until end of ghoul by ghoul", "−2 weakened"),
    "orcus": (f"modifier mira -2 ac {UNTIL}", "−2 modifier from Ghoul"),
    "level-up": (f"modifier mira -2 ac {UNTIL}", "−2 modifier from Ghoul"),
    "5e": (f"modifier mira -2 ac {UNTIL}", "−2 modifier from Ghoul"),
    "adventure-school": (f"modifier mira -2 ac {UNTIL}", "−2 modifier from Ghoul"),
    "plain": ('inflict mira "slimed" ac -2 until end of ghoul from ghoul', "−2 slimed"),
}


def begun(rules: str) -> Fight:
    fight = Fight(rules)
    for line in FIGHT:
        fight.do(line)
    return fight


@pytest.mark.parametrize("rules", MODIFIERS)
def test_a_part_of_a_total_names_its_entry_its_source_and_its_end(rules: str) -> None:
    """Every number says where it comes from."""
    line, part = MODIFIERS[rules]
    fight = begun(rules)
    fight.do(line)
    fight.do('note "what comes later changes nothing"')
    total = "check" if rules == "monsters-and-magic" else "ac"
    told = TOLD.replace("from Ghoul, ", "") if "from Ghoul" in part else TOLD
    assert f"{part} · {told}" in fight.why("mira", total)


@pytest.mark.parametrize("rules", MODIFIERS)
def test_a_number_of_the_sheet_names_the_entry_that_changed_it(rules: str) -> None:
    fight = begun(rules)
    before = fight.why("mira", "ac")[1]
    fight.do("set mira ac 13")
    (after,) = fight.why("mira", "ac")[1:]
    assert before.casefold() == "+15 own ac" and after.casefold() == "+13 own ac · entry 6"


def test_what_a_levels_row_takes_names_the_entry_that_marked_it() -> None:
    fight = begun("monsters-and-magic")
    fight.do("mark mira exhaustion 2")
    assert fight.why("mira", "check")[1:] == ["−1 exhaustion · entry 6"]


def test_what_is_implied_goes_by_what_implies_it() -> None:
    """Who is frightened is weakened."""
    fight = begun("monsters-and-magic")
    fight.do("inflict mira frightened by ghoul until end of ghoul")
    (told,) = fight.why("mira", "check")[1:]
    assert told.startswith("−2 weakened (frightened) · entry 6, from Ghoul, until the end of")


def test_what_began_anew_names_the_newer_entry() -> None:
    fight = begun("plain")
    for line in (
        'inflict mira "slimed" ac -2',
        "remove mira slimed",
        'inflict mira "slimed" ac -2',
    ):
        fight.do(line)
    assert fight.why("mira", "ac")[2] == "−2 slimed · entry 8, until removed"


@pytest.mark.parametrize(
    ("rules", "line", "name", "total"),
    [
        ("level-up", f"modifier mira dis attack {UNTIL}", "modifier", "attack"),
        ("5e", f"modifier mira dis attack {UNTIL}", "modifier", "attack"),
        ("adventure-school", f"inflict mira blinded {UNTIL}", "blinded", "melee_dice"),
    ],
)
def test_what_leans_a_roll_names_its_entry_as_well(
    rules: str, line: str, name: str, total: str
) -> None:
    fight = begun(rules)
    fight.do(line)
    assert f"disadvantage {name} · {TOLD}" in fight.why("mira", total)


def test_a_track_tells_its_changes_newest_first_with_their_entries_and_reasons() -> None:
    fight = begun("plain")
    for line in ("damage mira 5 fire", "heal mira 2", "set mira hp 20"):
        fight.do(line)
    assert fight.why("mira", "hp") == [
        "Mira: HP 20/30",
        "8  −7 by hand  (Mira: hp is 20)",
        "7  +2  (Mira is healed)",
        "6  −5 5 fire  (Mira takes 5 fire)",
        "1  began at 30  (Mira joins)",
    ]


def test_no_more_than_a_dozen_changes_are_told() -> None:
    fight = begun("plain")
    for _ in range(12):
        fight.do("damage mira 1")
    assert len(fight.why("mira", "hp")) == 1 + 12 + 1 and fight.why("mira", "hp")[-1] == "..."
    fight.do("undo")
    assert fight.why("mira", "hp")[-1] == "1  began at 30  (Mira joins)"


def test_what_is_paid_says_for_what() -> None:
    fight = begun("monsters-and-magic")
    fight.do("dodge")
    assert any("for dodge  (Mira" in line for line in fight.why("mira", "ap")[1:])


def test_a_total_that_nothing_makes_up_says_so() -> None:
    fight = begun("plain")
    assert fight.why("ghoul", "attack") == ["Ghoul: attack +0", "no effect changes it now"]


def test_a_part_that_hangs_on_what_somebody_keeps_up_says_what_ends_it() -> None:
    fight = begun("orcus")
    fight.do('zone "Fog" by mira')
    fight.do("modifier ghoul -2 ac while fog")
    assert fight.why("ghoul", "ac")[2] == "−2 modifier · entry 7, until Fog ends"


def test_what_came_with_another_condition_ends_as_that_does() -> None:
    fight = begun("adventure-school")
    fight.do("grab ghoul natural 19 vs natural 2")
    assert fight.why("ghoul", "speed")[2] == (
        "can't move immobilized (grabbed) · entry 6, from Mira, until it is let go"
    )
