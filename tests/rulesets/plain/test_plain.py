"""The plain game: what it counts, for any game whose rules affray doesn't have."""

from __future__ import annotations

import pytest
from tests.rulesets.plain.conftest import Fight

from affray.core.formatting.log_lines import entry_line
from affray.core.parser.errors import Refused
from affray.core.rules.house_rules import with_house_rules
from affray.core.rules.tables import read_tables
from affray.rulesets import load_ruleset


def hp(fight: Fight, who: str) -> int:
    return fight.state[who].track("hp")


@pytest.mark.parametrize(
    ("damage", "left"),
    [
        ("5", 4),
        ("5 cold", 7),
        ("2 fire", 5),
        ("9 poison", 9),
        ("7 acid half", 6),
        ("7 cold half", 8),
    ],
)
def test_damage_meets_half_then_resistance_vulnerability_and_immunity(
    fight: Fight, damage: str, left: int
) -> None:
    fight.do(f"damage ghoul-1 {damage}")
    assert hp(fight, "ghoul-1") == left


def test_temporary_hp_go_first_and_of_two_the_higher_stays(fight: Fight) -> None:
    fight.do("temp mira 5", "temp mira 3", "damage mira 7")
    assert hp(fight, "mira") == 18


def test_at_0_hp_who_matters_is_unconscious_and_others_are_defeated(fight: Fight) -> None:
    fight.do("add monster Ogre important hp 30", "damage mira,ghoul-1,ogre 30", faces=(2,))
    assert [fight.state[who].life for who in ("mira", "ghoul-1", "ogre")] == [
        "unconscious",
        "defeated",
        "unconscious",
    ]
    assert fight.state.turn == "mira"  # until the GM ends the turn
    fight.do("next")
    assert fight.state.turn == "ghoul-2"


@pytest.mark.parametrize("line", ["heal mira 4", "set mira hp 4"])
def test_whoever_has_hp_again_is_up(fight: Fight, line: str) -> None:
    fight.do("damage mira 30", line)
    assert (fight.state["mira"].life, hp(fight, "mira")) == ("up", 4)


def test_hp_that_are_set_to_0_bring_down(fight: Fight) -> None:
    fight.do("set ghoul-1 hp 0")
    assert fight.state["ghoul-1"].life == "defeated"


def test_a_condition_has_any_name_an_end_a_note_and_modifiers(fight: Fight) -> None:
    fight.do('inflict mira "evil eye" attack -2 ac -3 note "the crow" until start of ghoul-1')
    (effect,) = fight.state["mira"].effects
    assert (effect.name, effect.note) == ("evil eye", "the crow")
    totals = fight.ruleset.numbers.totals(fight.ruleset.tables, fight.state, fight.state["mira"])
    assert (totals["attack"], totals["ac"]) == (-2, 11)
    fight.do("next")
    assert fight.state["mira"].effects == ()


def test_a_condition_of_the_campaign_does_what_its_row_says(fight: Fight) -> None:
    fight.do("inflict ghoul-1 shaken", "inflict ghoul-1 shaken for 2 turns")
    (effect,) = fight.state["ghoul-1"].effects
    assert (effect.modifiers, effect.until.count) == ({"attack": -2}, 2)


def test_a_counter_is_moved_within_its_bounds(fight: Fight) -> None:
    fight.do("count mira luck -1", "count mira stress", "count mira debt -12")
    mira = fight.state["mira"]
    assert [mira.track(name) for name in ("luck", "stress", "debt")] == [2, 1, -3]
    assert fight.state["ghoul-1"].track("luck") == 0  # everybody has it
    for line, why in (
        ("count mira luck 2", "Mira has 2 of 3 luck"),
        ("count mira stress -2", "Mira has 1 of 4 stress"),
        ("count ghoul-1 stress", "Ghoul 1 has no stress"),
        ("count mira hp", "expected a counter, found 'hp'"),
    ):
        with pytest.raises(Refused, match=why):
            fight.do(line)


def test_initiative_is_a_d20_or_what_the_campaign_rolls() -> None:
    fight = Fight("add pc Mira hp 9 init 2", "init mira natural 11")
    assert fight.state.slots[0].initiative == 13
    ruleset = load_ruleset("plain")
    fight.ruleset = with_house_rules(ruleset, read_tables({"economy": {"initiative": "2d6"}}))
    fight.do("init mira roll", faces=(3, 4))
    assert fight.state.slots[0].initiative == 9


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"Bad Luck": {"label": "x"}}, "no command could name it"),
        ({"luck": {"label": "x", "levels": True}}, "has no levels"),
        ({"hp": {"label": "HP", "counts": "marked"}}, "the rules need"),
    ],
)
def test_a_counter_that_could_not_be_counted_is_refused(row: dict[str, object], said: str) -> None:
    with pytest.raises(Refused, match=said):
        with_house_rules(load_ruleset("plain"), read_tables({"tracks": row}))


def test_the_end_of_the_fight_ends_what_turns_and_rounds_would(fight: Fight) -> None:
    fight.do("inflict mira dazed for 3 turns", "inflict mira cursed", "end")
    assert [effect.name for effect in fight.state["mira"].effects] == ["cursed"]


def test_how_much_is_counted_is_said_once(fight: Fight) -> None:
    fight.do("count mira luck -1")
    entry = fight.history.entries[fight.history.head]
    before, tracks = fight.history.before(entry.seq), fight.ruleset.tables.tracks
    assert entry_line(entry, before, tracks) == "Mira: Luck −1 · 2 left"


def test_that_no_hp_are_left_is_said_once(fight: Fight) -> None:
    fight.do("damage ghoul-1 99")
    entry = fight.history.entries[fight.history.head]
    words = entry_line(entry, fight.history.before(entry.seq), fight.ruleset.tables.tracks)
    assert words.endswith(" HP, 0 left · is defeated")
