"""Initiative: rolls, ties, swapping tied allies, latecomers, the dynamic re-roll."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.rulesets.monsters_and_magic.conftest import PEOPLE

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


def test_initiative_is_a_cunning_roll_and_a_monsters_challenge_rating(gathered: Fight) -> None:
    """Monsters & Magic, Order; Abilities."""
    gathered.do("init roll", faces=[10, 10, 10, 5])
    assert [c["initiative"] for c in gathered.shown["combatants"]] == [13, 12, 11, 7]
    assert gathered.shown["order"] == ["mira", "ghoul-1", "brannoc", "ghoul-2"]


def test_initiative_has_no_success_steps(gathered: Fight) -> None:
    """Monsters & Magic, Order: a direct roll without success steps; it brings no XP and no
    thread."""
    gathered.do("init mira roll", faces=[1])
    assert gathered.track("mira", "xp") == 0
    assert gathered.gm_threads == 0


def test_exhaustion_and_conditions_count_on_initiative(gathered: Fight) -> None:
    """Monsters & Magic, Fatigue & Exhaustion, Conditions (Weakened): all ability checks."""
    gathered.do("mark mira exhaustion 2", "inflict mira weakened", "init mira roll", faces=[10])
    assert gathered.who("mira")["initiative"] == 10


def test_the_invisible_roll_initiative_with_advantage(gathered: Fight) -> None:
    """Monsters & Magic, Statuses (Invisible)."""
    gathered.do("bestow mira invisible", "init mira roll", faces=[4, 15])
    assert gathered.who("mira")["initiative"] == 18


def test_initiative_takes_the_die_as_it_lies(gathered: Fight) -> None:
    """Every game, ruling 2: both dice where something gives advantage, else one."""
    gathered.do("init mira natural 12")
    assert gathered.who("mira")["initiative"] == 15
    gathered.refuses("init mira natural 4,15", "neither")
    gathered.refuses("init mira natural 21", "1 to 20")
    gathered.do("bestow mira invisible", "init mira natural 15,4")
    assert gathered.who("mira")["initiative"] == 18


def test_a_forward_to_initiative_is_used(gathered: Fight) -> None:
    """Monsters & Magic, Ongoing, Forward, and Hold."""
    gathered.do('forward mira +2 "initiative"', "init mira roll", faces=[10])
    assert gathered.who("mira")["initiative"] == 15
    assert gathered.effects("mira") == set()


def test_on_a_tie_characters_go_first(gathered: Fight) -> None:
    """Monsters & Magic, Order."""
    gathered.do("init ghoul-1 12", "init ghoul-2 14", "init mira 12", "init brannoc 3", "start")
    assert gathered.shown["order"] == ["ghoul-2", "mira", "ghoul-1", "brannoc"]


def test_the_start_rolls_what_is_missing(gathered: Fight) -> None:
    """Monsters & Magic, Order: at the start of combat."""
    gathered.do("init brannoc 17", "start", faces=[2, 3, 4])
    assert [c["initiative"] for c in gathered.shown["combatants"]] == [17, 6, 5, 5]
    assert (gathered.shown["turn"], gathered.shown["round"]) == ("brannoc", 1)


def test_tied_allies_go_in_either_order(fight: Fight) -> None:
    """Monsters & Magic, Order: two or more allies may take their turns interchangeably."""
    fight.do("init mira 17", "swap mira")
    assert fight.shown["turn"] == "mira"
    fight.do("next")
    assert fight.shown["turn"] == "brannoc"
    fight.do("next")
    assert fight.shown["turn"] == "ghoul-1"


TIED = (
    "init brannoc 12",
    "start",
    "inflict mira doomed",
    "bestow mira quickened until start of mira",
    "inflict ghoul-1 sundered until start of mira",
    "mark mira fatigue 5",
    "react retaliate ghoul-1 by mira",
    "inflict brannoc doomed",
)


def _all_of(fight: Fight, who: str) -> dict[str, Any]:
    shown = {k: v for k, v in fight.who(who).items() if k != "options"}
    return shown | {"effects": sorted(shown["effects"], key=str)}


@pytest.fixture
def tied(new_fight: type[Fight]) -> Fight:
    """Ghoul 1 is up; Mira and Brannoc are tied behind it, and much waits for Mira's turn."""
    return new_fight(*PEOPLE, "init mira 12", "init ghoul-1 20", "init ghoul-2 9", *TIED)


def test_a_swap_leaves_no_trace_of_the_others_start(tied: Fight) -> None:
    """Monsters & Magic, Order; ruling 57: a turn's start happens with its first action."""
    before = {who: _all_of(tied, who) for who in ("mira", "ghoul-1", "ghoul-2")}
    tied.do("next")
    assert (tied.shown["turn"], tied.fatigue("mira")) == ("mira", (0, 1))
    assert "sundered" not in tied.effects("ghoul-1")
    tied.do("swap brannoc")
    assert {who: _all_of(tied, who) for who in before} == before
    assert (tied.shown["turn"], tied.fatigue("brannoc")) == ("brannoc", (1, 0))
    tied.do("next")
    assert (tied.shown["turn"], tied.fatigue("mira")) == ("mira", (0, 1))
    assert tied.track("mira", "reaction") == 1
    assert tied.effects("ghoul-1") == set()
    tied.do("next")
    assert tied.shown["turn"] == "ghoul-2"


def test_what_was_noted_or_put_right_before_a_swap_stays(tied: Fight) -> None:
    """Monsters & Magic, ruling 57: the fight stands as if the other had begun."""
    tied.do(
        *("next", 'note "who goes?"', "damage mira 6"),
        *("clear mira exhaustion 1", "set mira threads 0"),
    )
    tied.do("inflict ghoul-1 sundered for 2 turns", "remove mira doomed", "swap brannoc")
    assert (tied.track("mira", "hp"), tied.track("mira", "threads")) == (20, 0)
    assert tied.fatigue("mira") == (5, 0)
    assert tied.effects("ghoul-1") == {"sundered"}
    assert tied.effects("mira") == {"quickened"}


def test_a_swap_can_be_swapped_back(tied: Fight) -> None:
    """Monsters & Magic, Order: interchangeably, until an action is taken."""
    tied.do("next")
    first = {who: _all_of(tied, who) for who in ("mira", "brannoc", "ghoul-1")}
    tied.do("swap brannoc", "swap mira")
    assert {who: _all_of(tied, who) for who in first} == first
    tied.do("move")
    tied.refuses("swap brannoc", "already acted")


def test_who_has_fallen_at_a_turns_start_stands_if_another_goes_first(tied: Fight) -> None:
    """Monsters & Magic, ruling 57: no trace of the other's start, its death neither."""
    tied.do("damage mira 99", "mark mira exhaustion 4", "mark mira exhaustion 1", "next")
    assert tied["mira"].life == "dead"
    tied.do("swap brannoc")
    assert tied["mira"].life == "dying"


def test_who_came_back_in_may_let_the_one_who_waits_go_first(tied: Fight) -> None:
    """Monsters & Magic, Order: interchangeably, until an action is taken."""
    tied.do("next", "delay", "return mira", "swap brannoc")
    assert (tied.shown["turn"], tied.fatigue("mira")) == ("brannoc", (5, 0))
    assert tied.fatigue("brannoc") == (1, 0)
    tied.do("next")
    assert (tied.shown["turn"], tied.fatigue("mira")) == ("mira", (0, 1))
    tied.do("next")
    assert tied.shown["turn"] == "ghoul-2"


def test_who_has_broken_free_has_begun_the_turn(tied: Fight) -> None:
    """Monsters & Magic, Order, Conditions (Restrained): 3 fatigue on one's own turn."""
    tied.do("inflict mira restrained", "next", "free mira restrained")
    tied.refuses("swap brannoc", "already acted")
    tied.refuses("delay", "already acted")


def test_who_falls_in_their_turn_has_done_nothing_yet(tied: Fight) -> None:
    """Monsters & Magic, Order: once they take any action, that is the start of their turn."""
    tied.do("next", "damage mira 99", "swap brannoc")
    assert (tied.shown["turn"], tied["mira"].life) == ("brannoc", "dying")


def test_a_log_without_the_turns_start_is_swapped_in_by_nobody(tied: Fight) -> None:
    """A log that was edited by hand gives a line, never a traceback."""
    tied.do("next").edited("mira", notes=("cut out",))
    tied.refuses("swap brannoc", "doesn't show how Mira's turn began")


def test_the_dead_are_let_first_by_nobody(tied: Fight) -> None:
    """A mistake gets one clear line."""
    tied.do("damage brannoc 99", "mark brannoc exhaustion 6", "next")
    tied.refuses("swap brannoc", "dead")


def test_who_has_acted_has_begun_the_turn(fight: Fight) -> None:
    """Monsters & Magic, Order: once they take any action, that is the start of their turn."""
    fight.do("init mira 17", "move")
    fight.refuses("swap mira", "already acted")


def test_only_tied_allies_swap(fight: Fight) -> None:
    """Monsters & Magic, Order."""
    fight.refuses("swap mira", "not an ally tied")
    fight.do("init ghoul-1 17")
    fight.refuses("swap ghoul-1", "not an ally tied")


def test_a_round_ends_when_all_have_had_a_turn(fight: Fight) -> None:
    """Monsters & Magic, Order."""
    fight.do("next", "next", "next")
    assert (fight.shown["turn"], fight.shown["round"]) == ("ghoul-2", 1)
    fight.do("next")
    assert (fight.shown["turn"], fight.shown["round"]) == ("brannoc", 2)


def dynamic(fight: Fight) -> Fight:
    """The end of round 1 with dynamic initiative: the ghouls have 17 and 4."""
    fight.do("setting dynamic-initiative on", "next", "next", "next")
    return fight.do("next", faces=[15, 2])


def test_dynamic_initiative_rolls_for_monsters_and_waits_for_the_players(fight: Fight) -> None:
    """Monsters & Magic, Dynamic Initiative: at the end of a round, roll initiative again."""
    dynamic(fight)
    assert (fight.shown["turn"], fight.shown["round"]) == (None, 2)
    assert fight.history.entries[fight.history.last].text == (
        "Ghoul 2's turn ends; round 2 waits for the initiative of Brannoc and Mira"
    )
    assert fight.pending == [
        ("brannoc", "Brannoc's initiative for round 2"),
        ("mira", "Mira's initiative for round 2"),
    ]
    fight.refuses("next", "round 2 waits for the initiative of Brannoc and Mira: `init NAME")
    fight.refuses("strike ghoul-1 strong 5", "nobody's turn")
    fight.do("init mira 18").refuses("next", "the initiative of Brannoc: ")
    fight.do("init brannoc 3", "next")
    assert fight.shown["order"] == ["mira", "ghoul-1", "ghoul-2", "brannoc"]
    assert (fight.shown["turn"], fight.shown["round"]) == ("mira", 2)
    assert fight.pending == []


def test_the_rest_may_be_rolled(fight: Fight) -> None:
    """Monsters & Magic, Dynamic Initiative."""
    dynamic(fight).do("init mira 18")
    fight.do("init roll", faces=[9])
    assert fight.who("brannoc")["initiative"] == 10
    fight.do("next", *["next"] * 3)
    fight.do("next", faces=[3, 4]).do("init roll all", "next", faces=[5, 6, 19, 8])
    assert fight.shown["order"] == ["mira", "brannoc", "ghoul-1", "ghoul-2"]


def test_the_round_waits_for_nobody_who_is_dead_or_gone(fight: Fight) -> None:
    """Monsters & Magic, Dynamic Initiative."""
    fight.do("set brannoc exhaustion 5", "damage brannoc 99", "damage brannoc 9")
    assert dynamic(fight).shown["turn"] is None
    fight.do("leave mira")
    assert fight.shown["turn"] == "ghoul-1"


def test_a_character_who_joins_in_a_round_is_waited_for_from_the_next_on(fight: Fight) -> None:
    """Monsters & Magic, Dynamic Initiative: at the end of a round."""
    fight.do("setting dynamic-initiative on", "next", "next", "next", "add pc Late hp 9", "next")
    assert (fight.shown["turn"], fight.shown["round"]) == ("late", 1)
    fight.do("next", faces=[15, 2])
    fight.refuses("next", "Brannoc, Mira and Late")
    fight.do("leave brannoc,mira")
    fight.refuses("next", "of Late")


def test_a_delayed_turn_is_over_with_a_round_that_is_rolled_anew(fight: Fight) -> None:
    """Monsters & Magic, Dynamic Initiative."""
    fight.do("setting dynamic-initiative on", "delay", "next", "next").do("next", faces=[15, 2])
    fight.refuses("return brannoc", "not delayed")
    fight.do("init brannoc 19", "init mira 18", "next")
    assert (fight.shown["turn"], fight.track("brannoc", "ap")) == ("brannoc", 3)


def test_a_new_encounter_begins_with_round_1_and_initiative_anew(fight: Fight) -> None:
    """Every game, ruling 1: `end` and a new `start` are a new encounter."""
    fight.do(*["next"] * 5, "end")
    assert fight.who("brannoc")["initiative"] == 17  # how the fight was stays to be seen
    fight.do("init mira 21").do("start", faces=[2, 9, 18])
    assert fight.shown["order"] == ["mira", "ghoul-2", "ghoul-1", "brannoc"]
    assert [s.initiative for s in fight.state.slots] == [21, 20, 11, 3]
    assert (fight.shown["turn"], fight.shown["round"]) == ("mira", 1)
    fight.do(*["next"] * 4)
    assert (fight.shown["turn"], fight.shown["round"]) == ("mira", 2)


@pytest.mark.parametrize("rolls", [["start"], ["init roll", "start"], ["init roll all", "start"]])
def test_the_dead_roll_no_initiative_for_the_next_encounter(fight: Fight, rolls: list[str]) -> None:
    """Every game, ruling 1: a new encounter; the dead of the last one have no turns in it."""
    fight.do("damage ghoul-1 30", "end").do(*rolls, faces=[2, 9, 18])
    assert [s.who for s in fight.state.slots if s.initiative is None] == ["ghoul-1"]
    assert fight.shown["order"][-1] == "ghoul-1"


def test_what_a_turn_has_used_is_no_matter_of_the_next_encounter(fight: Fight) -> None:
    """Every game, ruling 1: a new encounter."""
    fight.do("inflict mira weakened", "react retaliate ghoul-1 by mira", "strike ghoul-1 miss")
    fight.do("end", "inflict mira sundered until end of mira")
    assert fight.effects("mira") == {"sundered"}
    assert fight.cost("brannoc", "strike") == {"ap": 1}
    fight.do("init brannoc 9", "init mira 8", "init ghoul-1 7", "init ghoul-2 6", "start")
    assert fight.track("mira", "reaction") == 1
    fight.do("next", "next")
    assert fight.effects("mira") == set()


def test_a_duration_survives_a_new_initiative(fight: Fight) -> None:
    """A duration survives a re-rolled initiative."""
    fight.do("setting dynamic-initiative on", "inflict mira weakened for 2 turns")
    fight.do("next", "next", "next")
    fight.do("next", faces=[15, 2]).do("init roll", "next", faces=[1, 12])
    assert "weakened" in fight.effects("mira")
    fight.do("next", "next")
    assert "weakened" not in fight.effects("mira")


def test_a_monster_that_joins_before_the_turn_waits_for_the_next_round(fight: Fight) -> None:
    """A monster that joins leaves no mess."""
    fight.do("next", "add monster Wolf hp 8", faces=[15])
    assert fight.shown["order"] == ["brannoc", "wolf", "mira", "ghoul-1", "ghoul-2"]
    fight.do("next")
    assert fight.shown["turn"] == "ghoul-1"
    fight.do("next", "next", "next")
    assert (fight.shown["turn"], fight.shown["round"]) == ("wolf", 2)


def test_a_corrected_initiative_costs_nobody_a_turn(fight: Fight) -> None:
    """A correction costs no more than a few keys."""
    fight.do("init mira 20", "next")
    assert fight.shown["turn"] == "mira"


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("init nobody 4", "nobody here is called"),
        ("init mira", "expected initiative"),
        ("init mira high", "whole number"),
        ("init mira 4 5", "did not expect '5'"),
    ],
)
def test_odd_initiatives_are_refused(fight: Fight, line: str, saying: str) -> None:
    fight.refuses(line, saying)


def test_a_round_that_has_begun_waits_for_nobody_though_nobody_is_up(fight: Fight) -> None:
    """Monsters & Magic, Dynamic Initiative: at the end of a round."""
    fight.do("setting dynamic-initiative on", "next", "next", "next")
    fight.do("damage ghoul-1 99", "leave ghoul-2,brannoc,mira")
    assert (fight.shown["turn"], fight.shown["round"], fight.pending) == (None, 1, [])
    fight.do("add pc Late hp 9")
    assert fight.pending == []
    assert fight.do("next").shown["turn"] == "late"
