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
    """DESIGN 4: every number says where it comes from."""
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
    """Rules file, 3: who is frightened is weakened."""
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
        ("adventure-school", f"inflict mira blinded {UNTIL}", "blinded", "melee_dice"),
    ],
)
def test_what_leans_a_roll_names_its_entry_as_well(
    rules: str, line: str, name: str, total: str
) -> None:
    fight = begun(rules)
    fight.do(line)
    assert f"disadvantage {name} · {TOLD}" in fight.why("mira", total)
