"""What `affray play` says once: no word is heard twice in a row, and none is an id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.fights import play as fights
from tests.play import table

from affray.play.reader import Reader
from affray.store.open_encounter import OpenEncounter
from affray.testing.conformance import signs_heard


def heard(ruleset: str, folder: Path, *lines: str) -> list[list[str]]:
    """What each line is answered with in a new fight."""
    path = folder / "fight.toml"
    OpenEncounter.create(path, ruleset, "At the ford").close()
    with OpenEncounter.open(path) as fight:
        fight.dice = fights.SeededDice(1)
        reader = Reader(fight)
        return [reader.answer(line) for line in lines]


@pytest.mark.parametrize("script", [path.stem for path in fights.SCRIPTS])
def test_in_the_sample_fights_no_sentence_says_a_thing_twice(script: str, tmp_path: Path) -> None:
    path, played = table.begin(script, tmp_path)
    with OpenEncounter.open(path) as fight:
        fight.dice = fights.SeededDice(played.seed)
        reader = Reader(fight)
        for line in played.commands:
            answer = reader.answer(line)
            for sentence in answer:
                parts = [part.strip().casefold() for part in re.split(r"[.,;:]", sentence)]
                words = [part for part in parts if re.search("[a-z]", part)]
                assert len(words) == len({*words}) or "Hit " in sentence, sentence
            told = " ".join(answer)
            assert not ("; next " in told and " is up" in told), answer
            assert "`" not in told, answer
            assert not re.search(r"\b(crit-|helped-|fallen-|brine-)", told), answer


@pytest.mark.parametrize("script", [path.stem for path in fights.SCRIPTS])
def test_in_the_sample_fights_no_sign_is_heard_but_what_was_typed(
    script: str, tmp_path: Path
) -> None:
    """Before a command, after it, in full, and in the log."""
    path, played = table.begin(script, tmp_path)
    typed = " ".join(played.commands)
    with OpenEncounter.open(path) as fight:
        fight.dice = fights.SeededDice(played.seed)
        reader = Reader(fight)
        for line in played.commands:
            asked = (f"{line} ?", line, "all", "log 1", "all")
            for sentence in (each for given in asked for each in reader.answer(given)):
                signs = [word.strip('.,;:()"') for word in signs_heard(sentence, typed)]
                assert not [word for word in signs if word not in typed], sentence
                assert not re.search(r"\bAP\b|`|×", sentence), sentence


FIGHT = ("add pc Mira hp 20 ac 12", "add pc Odo hp 20 ac 12", "add monster Ghoul x2 hp 30 ac 12")
ORDER = ("init mira 20", "init odo 18", "init ghoul-1 15", "init ghoul-2 14", "start")


def test_who_comes_after_a_delay_is_announced_once(tmp_path: Path) -> None:
    *_, delayed, undone = heard("5e", tmp_path, *FIGHT, *ORDER, "delay", "undo")
    assert delayed == ["Mira delays.", "Odo; next Ghoul 1."]
    assert undone == ["Undone: Mira delays.", "Mira; next Odo."]


def test_hp_that_change_at_a_turns_start_are_told_by_the_announcement(tmp_path: Path) -> None:
    *_, said = heard("orcus", tmp_path, *FIGHT, *ORDER, "inflict odo persistent 5 fire", "next")
    assert said[:2] == ["Odo minus 5.", "Odo, 15 of 20; next Ghoul 1."]


def test_who_falls_is_dying_and_the_rest_goes_without_saying(tmp_path: Path) -> None:
    *_, fallen, _, asked, healed = heard(
        "5e", tmp_path, *FIGHT, *ORDER, "damage odo 20", "how is odo", "next", "heal odo 5"
    )
    assert fallen == ["Odo minus 20, dying."]
    assert asked == ["Odo, dying; next Ghoul 1.", "Death save. Answer: the d20 or roll."]
    assert healed == ["Odo plus 5 HP, now 5, up again."]


@pytest.mark.parametrize("game", ["5e", "orcus", "level-up"])
def test_failed_death_saves_are_told_with_whose_turn_it_is(game: str, tmp_path: Path) -> None:
    fight = ("add pc Mira hp 20 ac 12", "add pc Odo hp 20 ac 12", "init mira 20", "init odo 18")
    two = ("start", "damage odo 20", "next", "2", "next", "next", "3", "next")
    *_, asked, held, dead = heard(game, tmp_path, *fight, *two, "next", "next", "next")
    assert asked[0] == "Odo, dying, failures 2; next Mira."
    assert asked[-1] == "Death save."
    assert held == ["Before the turn ends: death save.", "Next again rolls it."]
    assert dead == ["Odo failed, dead.", "Round 4, Mira."]


def test_a_bonus_that_the_gm_named_ends_by_its_name(tmp_path: Path) -> None:
    line = 'ongoing mira,odo +1 ac "the chain on his back"'
    *_, ended = heard("monsters-and-magic", tmp_path, *FIGHT, line, "remove odo ongoing")
    assert ended == ["Odo no longer has the chain on his back."]


def test_the_dead_have_nothing_left(tmp_path: Path) -> None:
    *_, said = heard("orcus", tmp_path, *FIGHT, *ORDER, "damage ghoul-1 50")
    assert said == ["Ghoul 1 minus 50, dead."]


def test_an_owed_save_that_is_made_is_told_by_its_outcome(tmp_path: Path) -> None:
    line = 'cast "Fire Rain" save dex 3d6 fire dc 13 half at mira,odo'
    *_, said = heard("5e", tmp_path, *FIGHT, *ORDER, line, "withstand mira natural 3")
    assert "threatened" not in said[0] and said[0].startswith("Mira failed, minus ")


def test_the_answers_to_a_die_are_told_once_and_again_when_asked(tmp_path: Path) -> None:
    down = ("damage odo 20", "damage mira 20", "next", "death odo natural 12", "next", "next")
    *_, mira, again = heard("5e", tmp_path, *FIGHT, *ORDER, *down, "next", "")
    assert mira[-1] == "Death save."
    assert again[-1] == "Death save. Answer: the d20 or roll."


def test_outcomes_and_conditions_are_heard_in_words(tmp_path: Path) -> None:
    """In place of `crit-miss` and `helped-attack`, which commands are written with."""
    *_, missed = heard(
        "adventure-school", tmp_path, *FIGHT, *ORDER, "attack ghoul-1 plus 5 natural 1"
    )
    assert missed[0].startswith("Crit miss")
    (tmp_path / "2").mkdir()
    *_, helped = heard("level-up", tmp_path / "2", *FIGHT, *ORDER, "help odo against ghoul-1")
    assert helped[0] == "Odo helped attack."


def test_the_whole_party_and_a_numbered_name_are_said_in_brief(tmp_path: Path) -> None:
    *_, foes, party = heard(
        "5e",
        tmp_path,
        "add pc Ilse hp 20 ac 12",
        *FIGHT,
        "inflict ghoul-1,ghoul-2 poisoned",
        "inflict party poisoned",
    )
    assert foes == ["Ghoul 1 and 2 poisoned."]
    assert party == ["The party poisoned."]


def test_what_several_have_alike_is_told_once_with_their_names_in_brief(tmp_path: Path) -> None:
    lines = ("add pc Ilse hp 20", "inflict odo,ghoul-1,ghoul-2 weakened", "award 1 gold 4")
    *_, three, gold = heard("monsters-and-magic", tmp_path, *FIGHT, *lines)
    assert three == ["Odo, Ghoul 1 and 2 weakened."]
    assert gold == ["The party: gold is 4."]
    (tmp_path / "2").mkdir()
    *_, called = heard("5e", tmp_path / "2", *FIGHT, "init ghoul-1,ghoul-2 9")
    assert called == ["Initiative of Ghoul 1 and 2: 9."]


def test_a_power_that_is_not_back_goes_without_saying(tmp_path: Path) -> None:
    fight = ("add pc Mira hp 20 ac 12", "add monster Drake hp 90 ac 15 power Breath recharge 6")
    lines = (*fight, "init drake 9", "init mira 5", "start", "power Breath", "next")
    *_, third, whole = heard("5e", tmp_path, *lines, "next", "all")
    assert third == ["Round 2, Drake; next Mira."]
    assert whole[-1] == "Round 2, Drake; next Mira."
    assert "recharge Breath" in " ".join(whole)


def test_no_sign_is_heard_in_a_title(tmp_path: Path) -> None:
    lines = ("group ghoul-1,ghoul-2 Pack", "init pack 9", "log 2")
    *_, log = heard("5e", tmp_path, *FIGHT, *lines)
    assert log == [
        "4: Ghoul 1 and 2 act together, as Pack times 2.",
        "5: Initiative of Pack times 2: 9.",
    ]


def test_a_saved_effect_that_is_not_yet_over_says_until_when(tmp_path: Path) -> None:
    lines = ("inflict mira dazed save ends", "save mira natural 12")
    *_, saved = heard("orcus", tmp_path, *FIGHT, *ORDER, *lines)
    assert saved == ["Mira saved, dazed until the end of their turn."]


def test_an_effect_named_by_its_song_is_told_by_that_at_a_turns_start(tmp_path: Path) -> None:
    lines = ('song "Old Road" natural 18 +1 attack to mira,odo', "next")
    *_, turn = heard("adventure-school", tmp_path, *FIGHT, *ORDER, *lines)
    assert "Old Road." in turn


def test_of_what_ends_the_soonest_is_told_and_who_has_the_same_is_told_together(
    tmp_path: Path,
) -> None:
    lasting = (
        "inflict ghoul-1,ghoul-2 prone",
        "inflict ghoul-1,ghoul-2 poisoned until end of mira",
    )
    more = ("damage odo 20", 'inflict ghoul-1 "hexed" until fight')
    *_, two, _, _, three = heard(
        "5e", tmp_path, *FIGHT, *ORDER, *lasting, "what ends when", *more, "what ends when"
    )
    first = "Ghoul 1 and Ghoul 2: poisoned until the end of Mira's next turn"
    assert two == [f"{first}.", "Ghoul 1 and Ghoul 2: prone until it stands."]
    assert three == [f"{first}; 2 more, all tells each."]  # dying says that Odo is unconscious


REFUSED = {
    "regroup": "Mira can't use Regroup: 2 A.P. left, needs 3.",
    "forward mira -21": "the bonus or penalty must be from minus 20 to 20, not minus 21. ? forward "
    "tells how.",
    "heal mira many": "expected the healing (a number, or dice such as 2d6 plus 1), found 'many'. "
    "? heal tells how.",
    "damage ghoul-1 2x6": "expected the end, or plus or minus at character 2 of '2x6': found 'x6'.",
    "heal mira +x6": "expected the healing (a number, or dice such as 2d6 plus 1), found '+x6'. "
    "? heal tells how.",
}


def test_a_refusal_has_no_sign_but_what_was_typed(tmp_path: Path) -> None:
    strike = "strike ghoul-1 weak 3"
    *_, first, second, third, fourth, fifth = heard(
        "monsters-and-magic", tmp_path, *FIGHT, *ORDER, strike, *REFUSED
    )
    said = [first, second, third, fourth, fifth]
    assert said == [[f"Not done: {says}"] for says in REFUSED.values()]


def test_a_refusal_gives_no_example_of_dice(tmp_path: Path) -> None:
    *_, said = heard("5e", tmp_path, *FIGHT, *ORDER, "attack ghoul-1 natural 25")
    assert said[0].startswith("Not done: expected the number on the d20, 1 to 20, found '25'.")
