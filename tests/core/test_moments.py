"""Reminders: what a stat block does at a turn's edge is told, by name, when that edge comes."""

from __future__ import annotations

import pytest
from tests.played import PlayedFight

from affray.core.engine.reminders import REMEMBER, find_moments, is_reminder
from affray.core.formatting.log_lines import outcome_lines

GAMES = ("plain", "orcus", "level-up", "monsters-and-magic", "adventure-school", "5e")


def fight_of(game: str, troll: str, *lines: str, more: str = "") -> PlayedFight:
    """Mira at 22 and a troll at 5, who has what is said."""

    class Fight(PlayedFight):
        RULESET = game

    numbers = "cr 1 " if game == "monsters-and-magic" else ""
    return Fight(
        "add pc Mira hp 60",
        f"add monster Troll {more}hp 30 {numbers}{troll}",
        "init mira 22",
        *([f"init {who} 5" for who in ("troll",)] if not more else ["init troll-1,troll-2 5"]),
        "start",
        *lines,
    )


def told(fight: PlayedFight) -> list[str]:
    """The reminders of the last command, without the word that they begin with."""
    events = [event for event in fight.events if is_reminder(event)]
    return [line.replace(REMEMBER, "") for line in outcome_lines(events, fight.state, {})]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_tells_a_row_at_its_edge(game):
    fight = fight_of(game, 'when start "Heals unless burned" when end "Sinks"', "next")
    assert told(fight) == ["Troll: Heals unless burned"]
    assert told(fight.do("next")) == ["Troll: Sinks"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_tells_once_a_fight_when_hp_come_to_half(game):
    fight = fight_of(game, 'when bloodied "Howls"', "damage troll 14")
    assert told(fight) == []
    assert told(fight.do("damage troll 1")) == ["Troll: Howls"]
    assert told(fight.do("heal troll 10", "damage troll 10")) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_count_comes_behind_those_who_have_it(game):
    """A lair at 20 acts between who has 22 and who has 5, once a round."""
    fight = fight_of(game, 'when 20 "The lair quakes"')
    assert told(fight) == []
    assert told(fight.do("next")) == ["Troll: The lair quakes"]
    assert told(fight.do("next")) == []
    assert told(fight.do("next")) == ["Troll: The lair quakes"]


def test_a_count_above_everybody_comes_with_the_round_and_one_below_before_the_next():
    fight = fight_of("plain", 'when count 30 "Rain" when 2 "Dusk"')
    assert told(fight) == ["Troll: Rain"]
    assert told(fight.do("next")) == []
    assert told(fight.do("next")) == ["Troll: Rain", "Troll: Dusk"]


def test_what_alike_ones_have_is_told_once_with_all_their_names():
    fight = fight_of("plain", 'when near-end "Stench"', "next", more="x2 ")
    assert told(fight) == ["Troll 1 and Troll 2: Stench"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_tells_what_one_does_in_the_turns_of_others(game):
    """An aura, which burns whoever starts or ends a turn beside its bearer."""
    fight = fight_of(game, 'when near-start "Burns for 3" when near-end "Chills for 2"')
    assert told(fight) == ["Troll: Burns for 3"]
    assert told(fight.do("next")) == ["Troll: Chills for 2"]


def test_what_one_does_in_the_turns_of_others_is_told_once_in_a_fight():
    """Then the card has it; what its own turn brings is told each time."""
    fight = fight_of("plain", 'when near-end "Stench" when start "Heals"')
    found = [told(fight.do("next")) for _ in range(6)]
    lines = [line for lines in found for line in lines]
    assert lines.count("Troll: Stench") == 1 and lines.count("Troll: Heals") > 1


def test_the_turns_of_its_own_side_are_no_business_of_a_row():
    class Fight(PlayedFight):
        RULESET = "plain"

    fight = Fight(
        "add pc Mira hp 60",
        'add monster Troll x2 hp 30 when near-end "Stench"',
        "init mira 5",
        "init troll-1,troll-2 22",
        "start",
    )
    found = [told(fight.do("next")) for _ in range(3)]
    assert found == [[], [], ["Troll 1 and Troll 2: Stench"]]


def test_the_dead_and_the_dying_bring_nothing():
    fight = fight_of("plain", 'when start "Heals" when round "Thunder"', "damage troll 40")
    assert told(fight.do("next")) == []


def test_a_failed_saving_throw_is_the_moment_of_resisting_it():
    fight = fight_of("orcus", 'when failed-save "Shakes it off, once a day"')
    fight.do("next", "inflict troll dazed save ends", "save troll dazed failure")
    assert told(fight) == ["Troll: Shakes it off, once a day"]
    assert told(fight.do("inflict troll slowed save ends", "save troll slowed success")) == []


def test_the_fall_to_0_hp_is_a_moment_though_it_kills():
    fight = fight_of("orcus", 'when zero "Bursts"', "damage troll 30")
    assert told(fight) == ["Troll: Bursts"]


def test_a_moment_that_there_is_not_is_refused():
    fight = fight_of("plain", "")
    fight.refuses('add monster Imp hp 3 when dawn "Crows"', "a moment")
    fight.refuses("add monster Imp hp 3 when start", "the reminder for it")


CALLED = (("half", ("staggered", "bloodied")),)
SENTENCES = (
    ("The troll regains 10 hit points at the start of its turn.", "start", ""),
    ("At the end of its turn, the lamia can choose one of the following.", "end", ""),
    ("Until the start of its next turn it is faster.", None, ""),
    ("The target is blinded until the end of its next turn.", None, ""),
    ("Creatures that begin their turn within the aura are rattled.", "near-start", "cre"),
    ("A creature that ends its turn within the aura takes 5 fire damage.", "near-end", "cre"),
    ("When first staggered: it regresses.", "half", ""),
    ("The turn in which the swarm is reduced to half its hit points.", "half", ""),
    ("If the dragon fails a saving throw, it can choose to succeed instead.", "failed-save", ""),
    ("A creature within the aura that fails a saving throw takes 15 damage.", None, ""),
    ("When the villain is reduced to 0 hit points or lower: it heals 190.", "zero", ""),
    ("On initiative count 20 (losing initiative ties), the dragon acts.", "20", ""),
    ("It can breathe air and water.", None, ""),
)


@pytest.mark.parametrize(("text", "at", "whose"), SENTENCES)
def test_texts_speak_of_moments(text, at, whose):
    found = [(moment.at, moment.whose) for moment in find_moments("", text, CALLED)]
    assert found == ([(at, whose)] if at else [])


def test_a_powers_text_is_told_under_its_name_with_the_sentence_alone():
    text = '"Old and wet. The troll heals 3 at the start of its turn. It smells."'
    fight = fight_of("orcus", f'power "Wet Hide" at-will free text {text}', "next")
    assert told(fight) == ["Troll: Wet Hide: The troll heals 3 at the start of its turn."]


def test_what_the_game_plays_needs_no_reminder():
    text = 'text "Regeneration: heals 5 at the start of its turn."'
    power = f"power Regeneration at-will free {text}"
    fight = fight_of("orcus", f"regeneration 5 {power}", "damage troll 9", "next")
    assert told(fight) == []
    assert fight.track("troll", "hp") == 26
