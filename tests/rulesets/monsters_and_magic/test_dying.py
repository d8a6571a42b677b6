"""0 HP, the luck rolls of the dying, stabilising, death and its bargain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.fixture
def dying(fight: Fight) -> Fight:
    """Brannoc is at 0 HP."""
    return fight.do("damage brannoc 99")


def test_at_zero_a_character_is_dying_unconscious_and_prone(dying: Fight) -> None:
    """Monsters & Magic, Death & Dying."""
    assert dying["brannoc"].life == "dying"
    assert dying.track("brannoc", "hp") == 0
    assert {"unconscious", "prone"} <= dying.effects("brannoc")


def test_a_monster_dies_at_zero_unless_it_is_important(new_fight: type[Fight]) -> None:
    """Monsters & Magic, ruling 52: monsters die at 0 unless marked as important."""
    fight = new_fight("add monster Rat hp 5", "add monster Lich hp 5 important")
    fight.do("damage rat,lich 9")
    assert (fight["rat"].life, fight["lich"].life) == ("dead", "dying")
    fight.do("death lich weak")
    assert fight.track("lich", "deathsaves") == 1


@pytest.mark.parametrize(
    ("roll", "life", "exhaustion", "saves", "hp"),
    [
        ("crit-miss", "dying", 1, 0, 0),
        ("miss", "dying", 1, 0, 0),
        ("weak", "dying", 0, 1, 0),
        ("strong", "stable", 0, 0, 0),
        ("crit", "up", 0, 0, 1),
        ("natural 8", "dying", 1, 0, 0),
        ("natural 9", "dying", 0, 1, 0),
        ("natural 17", "stable", 0, 0, 0),
    ],
)
def test_the_luck_roll_of_the_dying(
    dying: Fight, roll: str, life: str, exhaustion: int, saves: int, hp: int
) -> None:
    """Monsters & Magic, Death & Dying: Brannoc's LUCK is 1."""
    dying.do(f"death brannoc {roll}")
    assert dying["brannoc"].life == life
    assert dying.track("brannoc", "exhaustion") == exhaustion
    assert dying.track("brannoc", "deathsaves") == saves
    assert dying.track("brannoc", "hp") == hp
    assert ("unconscious" in dying.effects("brannoc")) == (life != "up")


def test_the_luck_roll_has_its_penalties(dying: Fight) -> None:
    """Monsters & Magic, ruling 51: a luck roll with its penalties."""
    dying.do("mark brannoc exhaustion 4", "inflict brannoc weakened", "death brannoc natural 12")
    assert (dying.rolled.total, dying.outcome) == (9, "miss")


def test_three_deathsaves_stabilise_and_are_gone(dying: Fight) -> None:
    """Monsters & Magic, Death & Dying."""
    dying.do("death brannoc weak", "death brannoc weak")
    assert dying.track("brannoc", "deathsaves") == 2
    dying.do("death brannoc weak")
    assert dying["brannoc"].life == "stable"
    assert dying.track("brannoc", "deathsaves") == 0
    assert "unconscious" in dying.effects("brannoc")


def test_damage_while_dying_marks_exhaustion(dying: Fight) -> None:
    """Monsters & Magic, Death & Dying."""
    dying.do("damage brannoc 9", "damage brannoc 3")
    assert dying.track("brannoc", "exhaustion") == 1
    assert dying["brannoc"].life == "dying"


def test_damage_with_no_exhaustion_left_kills(dying: Fight) -> None:
    """Monsters & Magic, Death & Dying: if you need to mark exhaustion and you can't, you die."""
    dying.do("set brannoc exhaustion 5", "damage brannoc 9")
    assert dying["brannoc"].life == "dead"


def test_a_missed_roll_with_no_exhaustion_left_kills(dying: Fight) -> None:
    """Monsters & Magic, Death & Dying."""
    dying.do("set brannoc exhaustion 5", "death brannoc miss")
    assert dying["brannoc"].life == "dead"


def test_healing_brings_back_and_drops_the_deathsaves(dying: Fight) -> None:
    """Monsters & Magic, Death & Dying: HP is reset to 0 plus the amount; no longer unconscious."""
    dying.do("death brannoc weak", "heal brannoc 5")
    assert (dying["brannoc"].life, dying.track("brannoc", "hp")) == ("up", 5)
    assert dying.track("brannoc", "deathsaves") == 0
    assert dying.effects("brannoc") == {"prone", "slowed"}


def test_the_stable_wake_when_healed_or_after_a_long_rest(dying: Fight) -> None:
    """Monsters & Magic, Death & Dying."""
    dying.do("death brannoc strong", "end", "rest short")
    assert dying["brannoc"].life == "stable"
    dying.do("rest long")
    assert dying["brannoc"].life == "up"
    assert "unconscious" not in dying.effects("brannoc")


def test_the_stable_who_are_hurt_are_dying_again(dying: Fight) -> None:
    """Our reading: the text is silent, and 0 HP means dying."""
    dying.do("death brannoc strong", "damage brannoc 9")
    assert dying["brannoc"].life == "dying"


def test_only_the_dying_roll(fight: Fight) -> None:
    """A mistake changes nothing."""
    fight.refuses("death brannoc weak", "not dying but up")
    fight.do("damage ghoul-1 99")
    fight.refuses("death ghoul-1 weak", "dead")


def test_the_dying_can_neither_act_nor_get_up(dying: Fight) -> None:
    """Monsters & Magic, Conditions (Unconscious)."""
    dying.refuses("move", "can't move: dying")
    dying.refuses("strike ghoul-1 strong 5", "can't use Strike: dying")
    dying.refuses("free brannoc unconscious", "by themself: dying")
    dying.refuses("react retaliate ghoul-1", "can't use Retaliate: dying")


def test_death_offers_a_bargain_once(dying: Fight) -> None:
    """Monsters & Magic, Death & Dying: accept the bargain and stabilise, or refuse and pass on."""
    dying.do("set brannoc exhaustion 5", "death brannoc miss", "bargain brannoc accept his name")
    assert dying["brannoc"].life == "stable"
    assert "unconscious" in dying.effects("brannoc")
    dying.do("undo", "bargain brannoc refuse")
    dying.refuses("bargain brannoc accept", "passed on")
    dying.refuses("heal brannoc 5", "dead")


def test_the_dead_have_no_turns(fight: Fight) -> None:
    """Monsters & Magic, Order."""
    fight.do("damage ghoul-1 99", "next", "next")
    assert fight.shown["turn"] == "ghoul-2"


def test_the_dying_have_their_turns(dying: Fight) -> None:
    """Monsters & Magic, Death & Dying: on your turn, make a luck roll."""
    dying.do(*["next"] * 4)
    assert dying.shown["turn"] == "brannoc"


def test_a_character_at_zero_who_was_knocked_out_needs_both(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying; Fatigue & Exhaustion."""
    fight.do("mark brannoc fatigue 36", "damage brannoc 99", "heal brannoc 3")
    assert fight["brannoc"].life == "unconscious"
    fight.do("clear brannoc fatigue 1")
    assert fight["brannoc"].life == "up"


def test_hp_written_by_hand_bring_down_and_back(fight: Fight) -> None:
    """What follows from a number follows however it was written."""
    fight.do("set brannoc hp 0")
    assert fight["brannoc"].life == "dying"
    fight.do("set brannoc hp 4")
    assert fight["brannoc"].life == "up"


def test_awake_at_no_hp_after_a_long_rest_until_hurt(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying: unconscious until healed, or until a long rest is over."""
    fight.do("damage brannoc 99", "death brannoc strong", "end", "rest long", "set brannoc ac 3")
    assert (fight["brannoc"].life, fight.track("brannoc", "hp")) == ("up", 0)
    assert fight.effects("brannoc") == set()
    fight.do("damage brannoc 9")
    assert fight["brannoc"].life == "dying"


ACTS = (
    "strike ghoul-1 strong 5",
    "move",
    "move crawl",
    "stand",
    "dodge",
    "regroup",
    "disengage fatigue 2",
    "hide strong",
    "distract ghoul-1 weak",
    "grapple ghoul-1 miss",
    'cast "Cold Rain" at ghoul-1 strong 5',
    'concentrate "Cold Rain"',
    "mount mira",
    "retrieve rope",
    "use draught",
    "aid mira bond 1",
    "help mira bond 1",
    "ready dodge",
    "delay",
    "react retaliate ghoul-1 by brannoc",
    "react opportunity-attack ghoul-1 strong 5 by brannoc",
    "free brannoc prone",
)
DOWN = {
    "dying": ("damage brannoc 99",),
    "stable": ("damage brannoc 99", "death brannoc strong"),
    "unconscious": ("mark brannoc fatigue 36",),
    "dead": ("set brannoc exhaustion 5", "damage brannoc 99", "damage brannoc 9"),
}


@pytest.mark.parametrize("life", DOWN)
@pytest.mark.parametrize(
    "then", ["", "remove brannoc unconscious", "inflict brannoc unconscious detonate 5"]
)
def test_life_forbids_whatever_effects_there_are(fight: Fight, life: str, then: str) -> None:
    """Monsters & Magic, ruling 53: the dying, the unconscious and the dead neither act, react nor
    free themselves."""
    fight.do(*DOWN[life])
    if then and life in ("dying", "stable"):
        fight.do(then)
    if fight["brannoc"].life != life:  # detonating has hurt the stable
        fight.do("death brannoc strong")
    assert fight["brannoc"].life == life
    for line in ACTS:
        fight.refuses(line, life)
    options = fight.who("brannoc")["options"]
    assert {o["reason"] for o in options} == {life}
    fight.do("end")
    fight.refuses("strike ghoul-1 strong 5 by brannoc", life)
    fight.refuses("rest short brannoc clear", life)


def test_what_was_readied_is_not_taken_by_who_has_fallen(fight: Fight) -> None:
    """Monsters & Magic, ruling 53: life forbids, by any command."""
    fight.do('ready strike "it moves"', "next", "damage brannoc 99", "remove brannoc unconscious")
    fight.refuses("trigger ghoul-1 strong 5", "dying")
    assert "readied" in fight.effects("brannoc")


def test_who_started_the_turn_dying_rolls_before_it_ends(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying: on your turn, make a luck roll; nobody passes it over."""
    fight.do("damage mira 99", "next")
    assert fight.pending == [("mira", "Mira is dying: luck roll")]
    fight.do("next", faces=[8])
    assert (fight.shown["turn"], fight.track("mira", "deathsaves")) == ("ghoul-1", 1)
    fight.do(*["next"] * 3)
    fight.do("death mira weak", "next")
    assert (fight.shown["turn"], fight.track("mira", "deathsaves")) == ("ghoul-1", 2)


def test_a_critical_that_was_rolled_late_leaves_the_turn_to_whom_it_wakes(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying: the roll is at the start of the turn."""
    fight.do("damage mira 99", "next").do("next", faces=[20])
    assert (fight.shown["turn"], fight["mira"].life) == ("mira", "up")
    assert (fight.track("mira", "hp"), fight.track("mira", "ap")) == (1, 3)
    assert fight.history.entries[fight.history.last].text == (
        "Mira wakes before the turn ends; Mira is up"
    )
    fight.do("stand", "next")
    assert fight.shown["turn"] == "ghoul-1"


def test_who_falls_in_their_own_turn_rolls_from_the_next_on(fight: Fight) -> None:
    """Monsters & Magic, ruling 51: at the start of the turn a luck roll."""
    fight.do("damage brannoc 99")
    assert fight.pending == []
    fight.do("death brannoc strong", "damage brannoc 9", "next", *["next"] * 3)
    assert fight.pending == [("brannoc", "Brannoc is dying: luck roll")]


def test_an_important_monster_rolls_as_well(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Death & Dying; ruling 52: monsters marked as important are dying, too."""
    fight = new_fight(
        "add monster Lich cr 3 hp 9 important", "add pc Ash hp 9", "init lich 1", "init ash 9",
        "start", "damage lich 9", "next",
    )  # fmt: skip
    fight.do("next", faces=[15])
    assert (fight["lich"].life, fight.shown["turn"]) == ("stable", "ash")


@pytest.mark.parametrize(
    "asleep",
    [
        ("inflict brannoc unconscious",),
        ("damage brannoc 9", "inflict brannoc unconscious until removed"),
        ("inflict brannoc unconscious for 3 turns", "damage brannoc 99"),
        ("damage brannoc 99", "inflict brannoc unconscious detonate 5"),
        ("damage brannoc 99", "death brannoc strong"),
    ],
)
def test_healing_wakes_whatever_put_them_to_sleep(fight: Fight, asleep: tuple[str, ...]) -> None:
    """Monsters & Magic, ruling 54: healing wakes whoever is at more than 0 HP."""
    fight.do(*asleep, "heal brannoc 5")
    assert fight["brannoc"].life == "up"
    assert fight.effects("brannoc") <= {"prone", "slowed"}


def test_a_critical_death_roll_wakes_whatever_put_them_to_sleep(fight: Fight) -> None:
    """Monsters & Magic, Death & Dying: recover from being unconscious."""
    fight.do("inflict brannoc unconscious for 3 turns", "damage brannoc 99", "death brannoc crit")
    assert fight.effects("brannoc") == {"prone", "slowed"}


def test_healing_wakes_nobody_who_is_out_of_exhaustion(fight: Fight) -> None:
    """Monsters & Magic, Fatigue & Exhaustion; ruling 54."""
    fight.do("damage brannoc 9", "mark brannoc fatigue 36", "heal brannoc 4")
    assert (fight["brannoc"].life, fight.track("brannoc", "hp")) == ("unconscious", 29)
    assert "unconscious" in fight.effects("brannoc")
    fight.do("heal brannoc 0", "clear brannoc fatigue")
    assert fight["brannoc"].life == "up"


def test_whoever_is_dying_has_a_turn_but_is_not_said_to_be_up(dying: Fight) -> None:
    """Monsters & Magic, Death & Dying: the luck roll comes at the start of the turn."""
    dying.do("next", "next", "next", "next")
    assert dying.state.turn == "brannoc"
    assert dying.history.entries[dying.history.last].text.endswith("; it is Brannoc's turn")
    dying.do("death brannoc crit", "next")
    assert dying.history.entries[dying.history.last].text.endswith(" is up")
