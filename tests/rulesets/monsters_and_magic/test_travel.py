"""Travel: hexes, the group's luck roll with its fatigue, exhaustion, foraging and supplies.

Monsters & Magic, Long-Distance Travel, Overland Travel, Sea and Air Travel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.house.playing import ruleset_with
from tests.played import rules_said

from affray.core.formatting.pieces import why_in_words
from affray.core.parser.errors import Refused

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def said(fight: Fight) -> str:
    """What the last command came to, with what it noted."""
    notes = rules_said(fight.events, fight.state)
    return " · ".join([str(fight.shown["undo"]), *notes])


@pytest.mark.parametrize(
    ("how", "hexes", "exhaustion"),
    [
        ("fast", 3, 2),
        ("normal", 2, 1),
        ("slow", 1, 0),
        ("fast mounted", 5, 2),
        ("normal mounted", 4, 1),
        ("slow mounted", 3, 0),
    ],
)
def test_a_pace_leads_so_far_and_tires_so_much(
    gathered: Fight, how: str, hexes: int, exhaustion: int
) -> None:
    """Monsters & Magic, Overland Travel (the table); mounts and carts lead 2 hexes farther."""
    pace, _, mounted = how.partition(" ")
    gathered.do(f"travel {pace} party weak {mounted}")
    assert f"{hexes} hex" in said(gathered)
    assert gathered.fatigue("mira") == gathered.fatigue("brannoc") == (2, 0)
    gathered.do("rest long")
    assert gathered.fatigue("mira") == gathered.fatigue("brannoc") == (2, exhaustion)
    gathered.do("rest long")  # once a day
    assert gathered.fatigue("mira") == (2, exhaustion)


def test_a_day_is_over_when_the_next_one_begins(gathered: Fight) -> None:
    """Monsters & Magic, Overland Travel."""
    gathered.do("travel fast mira weak", "travel slow mira weak")
    assert gathered.fatigue("mira") == (4, 2)
    gathered.do("rest long")
    assert gathered.fatigue("mira") == (4, 2)


@pytest.mark.parametrize(("pace", "total"), [("fast", 9), ("normal", 11), ("slow", 13)])
def test_the_pace_counts_in_every_luck_roll_of_the_day(
    gathered: Fight, pace: str, total: int
) -> None:
    """Monsters & Magic, Long-Distance Travel: two or more a day through the wild; the table's
    modifier."""
    gathered.do(f"travel {pace} brannoc weak", "travel roll brannoc natural 10")
    rolled = next(e for e in gathered.events if getattr(e, "for_", "") == "check")
    assert rolled.total == total  # type: ignore[union-attr]
    assert pace == "normal" or f"{pace} pace" in why_in_words(rolled)  # type: ignore[union-attr]
    gathered.do("rest long", "travel roll brannoc natural 10")
    assert "pace" not in str(gathered.events)


@pytest.mark.parametrize(("pace", "total"), [("fast", 9), ("normal", 11), ("slow", 13)])
def test_the_pace_counts_in_the_groups_luck_roll(gathered: Fight, pace: str, total: int) -> None:
    """Monsters & Magic, Overland Travel: −2, 0, +2 ongoing; Brannoc's LUCK is 1."""
    gathered.do(f"travel {pace} brannoc natural 10")
    rolled = next(e for e in gathered.events if getattr(e, "for_", "") == "check")
    assert rolled.total == total  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("outcomes", "comes"),
    [
        ("strong,strong", "no complication"),
        ("weak,miss", "a major complication"),
        ("weak,weak", "a minor complication"),
    ],
)
def test_what_comes_in_between(gathered: Fight, outcomes: str, comes: str) -> None:
    """Monsters & Magic, Long-Distance Travel."""
    gathered.do(f"travel normal party {outcomes}")
    assert comes in said(gathered)


def test_each_luck_roll_on_the_way_is_2_fatigue(gathered: Fight) -> None:
    """Monsters & Magic, Long-Distance Travel: more rolls a day in the wild, each for 2 fatigue."""
    gathered.do("travel slow party weak", "travel roll party weak")
    assert gathered.fatigue("mira") == (4, 0)


@pytest.mark.parametrize(
    ("how", "hexes", "hours"),
    [
        ("rowboat", 2, 8),
        ("keelboat", 4, 8),
        ("galley", 8, 24),
        ("sailing-ship", 10, 24),
        ("airship", 16, 24),
        ("rowboat upstream", 1, 8),
        ("keelboat downstream", 5, 8),
        ("keelboat downstream longer", 10, 16),
    ],
)
def test_ships_have_one_speed(gathered: Fight, how: str, hexes: int, hours: int) -> None:
    """Monsters & Magic, Sea and Air Travel (the table)."""
    ship, _, more = how.partition(" ")
    gathered.do(f"travel {ship} party weak {more}")
    assert f"{hexes} hex" in said(gathered) and f"{hours} hours" in said(gathered)
    assert gathered.fatigue("mira") == (2, 1 if "longer" in how else 0)


def test_who_rows_rests_before_rowing_on(gathered: Fight) -> None:
    """Monsters & Magic, Sea and Air Travel: by hands only for the duration; others go on day and
    night."""
    gathered.do("travel keelboat party weak")
    gathered.refuses("travel rowboat party weak", "a long rest comes first")
    gathered.do("rest short")
    gathered.refuses("travel keelboat party weak longer", "a long rest comes first")
    gathered.do("rest long", "travel keelboat party weak")
    gathered.do("rest extended", "travel rowboat party weak", "travel galley party weak")
    gathered.do("travel galley party weak")


def test_what_is_told_of_a_day_on_foot(gathered: Fight) -> None:
    """Monsters & Magic, Overland Travel: 8 hours, no short rest in them, then a long rest; hexes of
    12 miles (Long-Distance Travel)."""
    gathered.do("travel normal party weak")
    way = "2 hexes, about 24 miles, in 8 hours"
    assert f"{way}: no short rest meanwhile, then a long one" in said(gathered)


def test_a_second_day_on_foot_tells_of_the_rest_that_is_due(gathered: Fight) -> None:
    """Monsters & Magic, Overland Travel: typically 8 hours before a long rest."""
    gathered.do("travel normal brannoc weak", "travel slow party weak")
    assert "Brannoc: no long rest since the last 8 hours" in said(gathered)
    gathered.do("rest long", "travel slow party weak")
    assert "no long rest since" not in said(gathered)


def test_foraging_finds_supplies_on_a_slow_day_on_foot(gathered: Fight) -> None:
    """Monsters & Magic, Overland Travel: 1 supply by a weak hit, 2 by a strong one."""
    gathered.do("travel slow party strong", "forage party natural 18,18")
    assert gathered.shown["gm"]["supplies"] == 2
    assert "whoever tracks them rolls with a penalty of 2" in said(gathered)
    gathered.refuses("forage party weak", "only once a day")
    gathered.do("travel slow party weak", "forage party weak")
    assert gathered.shown["gm"]["supplies"] == 3


@pytest.mark.parametrize("way", ["travel fast party weak", "travel slow party weak mounted"])
def test_who_rides_or_hurries_does_not_forage(gathered: Fight, way: str) -> None:
    """Monsters & Magic, Overland Travel: when not mounted and traveling slow."""
    gathered.do(way)
    gathered.refuses("forage party weak", "slow travel on foot")


def test_the_party_gains_and_spends_supplies(gathered: Fight) -> None:
    """Monsters & Magic, Rest & Recovery: hosts give extra supplies."""
    gathered.do('supplies 3 "the inn"', "supplies -2")
    assert gathered.shown["gm"]["supplies"] == 1
    gathered.refuses("supplies -2", "the party has 1 supply, not 2")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("travel airship party weak upstream", "no airship sails on a river"),
        ("travel rowboat party weak mounted", "nobody rides on a rowboat"),
        ("travel fast party weak longer", "`longer` is only for ships"),
        ("travel quick party weak", "expected how"),
    ],
)
def test_ways_that_make_no_sense_are_refused(gathered: Fight, line: str, why: str) -> None:
    gathered.refuses(line, why)


def test_nobody_travels_in_a_fight(fight: Fight) -> None:
    for line in ("travel slow party weak", "forage party weak"):
        fight.refuses(line, "in the middle of a fight")


def test_a_campaign_adds_a_vehicle_beside_those_of_the_game() -> None:
    """docs/house-rules.md: a table among the numbers has the game's form."""
    raft = "raft = { hexes = 1, hours = 8, river = true }"
    vehicles = ruleset_with("monsters-and-magic", f"[economy.vehicles]\n{raft}\n").tables.economy[
        "vehicles"
    ]
    assert {"raft", "rowboat"} <= vehicles.keys()


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("raft = { hexes = 1, hours = 8 }", "vehicles.raft: expected hexes, hours and river"),
        ('raft = { hexes = "1", hours = 8, river = true }', "vehicles.raft.hexes: expected a num"),
        ("raft = 3", "vehicles.raft: expected a table"),
    ],
)
def test_a_vehicle_of_another_form_is_refused(row: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        ruleset_with("monsters-and-magic", f"[economy.vehicles]\n{row}\n")
    assert why in str(refused.value)
