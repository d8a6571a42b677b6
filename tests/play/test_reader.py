"""`affray play FILE`: what a line is answered with."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.fights import play as fights
from tests.play.table import GAMES, answers, quick_fight

from affray.core.dice import SeededDice
from affray.core.formatting.spoken_lines import edge_line
from affray.play.reader import Reader
from affray.play.subjects import WORDS
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter


@pytest.mark.parametrize(
    "sample", sorted(fights.CAMPAIGNS.glob("*/encounters/*.toml")), ids=lambda p: p.stem
)
def test_the_turns_edge_has_at_most_ten_words_a_name_counted_as_one(sample: Path) -> None:
    with OpenEncounter.view(sample) as fight:
        for state in fight.history.states.values():
            line = edge_line(fight.ruleset, state)
            names = {each.name for each in state.combatants} | {
                f"{slot.group} times {n}" for slot in state.slots if slot.group for n in range(99)
            }
            for name in sorted(names, key=len, reverse=True):
                line = re.sub(rf"(, |next ){re.escape(name)}(?=[,;.])", r"\1X", line)
            assert len(line.split()) <= 10, line


def test_a_turn_is_announced_and_nothing_is_said_twice(tmp_path: Path) -> None:
    begun, struck, ended = answers(
        quick_fight(tmp_path), "strike ghoul-1 strong 5 slashing", "next"
    )
    assert begun[-1] == "Round 1, Mira, 22 of 22, 3 AP; next Ghoul 1."
    assert struck == [
        "Mira strikes Ghoul 1, strong 5 slashing.",
        "Ghoul 1 minus 4 HP, 5 left (minus 1 AC).",
        "Left: 2 AP.",
    ]
    assert ended == ["Round 1, Ghoul 1, 5 of 9, 3 AP; next Ghoul 2."]


def test_a_question_mark_previews_and_yes_gives_it(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    line = "strike ghoul-1 strong 5 slashing"
    _, ahead, given, again = answers(path, f"{line} ?", "yes", "yes")
    assert ahead == [
        "Ghoul 1 minus 4 HP, 5 left (5 slashing, minus 1 AC).",
        "Left: 2 AP.",
        "Not done yet: yes does it.",
    ]
    assert given[0] == "Mira strikes Ghoul 1, strong 5 slashing."
    assert "is no command" in again[0]
    with OpenEncounter.view(path) as fight:
        assert fight.entries[-1].command == line


DYING = ("damage mira 40", "next", "next", "next")
"""Mira falls, and is up again, dying."""


def test_what_waits_is_asked_and_answered_with_the_die(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    _, hurt, ghoul, _, asked, held, die = answers(path, *DYING, "next", "11")
    assert hurt[2] == "Dying."
    assert ghoul == ["Round 1, Ghoul 1, 9 of 9, 3 AP; next Ghoul 2."]
    assert asked == [
        "Round 2, Mira, dying; next Ghoul 1.",
        "Unconscious, prone.",
        "Mira is dying: luck roll. "
        "Answer: miss; weak; strong; crit; roll; or the number on the d20.",
    ]
    assert held == [
        "Before the turn ends: Mira is dying: luck roll.",
        "Next again rolls the rest and ends the turn.",
    ]
    assert die[0] == "Mira's death roll, weak."


@pytest.mark.parametrize("word", ["weak", "w", "wea", "death mira weak"])
def test_an_answer_is_a_key_a_word_or_its_beginning_or_the_whole_command(
    word: str, tmp_path: Path
) -> None:
    *_, said = answers(quick_fight(tmp_path), *DYING, word)
    assert said[0] == "Mira's death roll, weak."


def test_next_again_has_rolled_what_waits_and_says_what_was_missed(tmp_path: Path) -> None:
    *_, said = answers(quick_fight(tmp_path), *DYING, "next", "next")
    assert said[0] == "Mira's death roll was rolled."
    assert said[-1] == "Round 2, Ghoul 1, 9 of 9, 3 AP; next Ghoul 2."


def test_later_goes_on_to_the_next_that_waits(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    setup = ("add pc Odo hp 9 ac 1", "init odo 5", "setting dynamic-initiative on")
    *_, edge, all_, later, none, again, both = answers(
        path, *setup, *["next"] * 4, "waiting", "later", "later", "", "waiting"
    )
    assert [line.split("'")[0] for line in all_] == ["Mira", "Odo"]
    assert edge[-1] == all_[0]
    assert later == all_[1:]
    assert none == ["Nothing else is waiting."]
    assert again == edge[-2:]
    assert both == all_


def test_undo_redo_amend_and_why_answer_in_sentences(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    _, _, undone, redone, amended, why = answers(
        path,
        "strike ghoul-1 strong 5 slashing",
        "undo",
        "redo",
        "amend 7 strike ghoul-1 strong 7 slashing",
        "why ghoul-1 hp",
    )
    assert undone == [
        "Undone: Mira strikes Ghoul 1, strong 5 slashing.",
        "Ghoul 1 plus 4 HP, now 9 of 9.",
        "Mira plus 1 AP, now 3 of 3.",
    ]
    assert redone[0] == "Redone: Mira strikes Ghoul 1, strong 5 slashing."
    assert amended[:2] == ["Amended.", "Now: Ghoul 1 minus 2 HP, 3 left."]
    assert why == [
        "Ghoul 1: HP 3 of 9.",
        "10, minus 6, 7 slashing, minus 1 AC (Mira strikes Ghoul 1, strong 7 slashing).",
        "2, began at 9 (Ghoul 1 and Ghoul 2 join).",
    ]


def test_what_is_asked_for_is_told(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "inflict ghoul-1 weakened until end of mira", "mark mira fatigue 2")
    _, order, card, timers, log, again, short, actions = answers(
        path, "order", "card ghoul-1", "timers", "log 1", "again", "log", "actions"
    )
    assert order == [
        "1, Mira, up, 22 of 22; fatigue 2 of 5.",
        "2, Ghoul 1, 9 of 9; weakened.",
        "3, Ghoul 2, 9 of 9.",
    ]
    assert card[0] == "Ghoul 1, monster, up."
    assert "Weakened until the end of Mira's next turn." in card
    assert timers == ["Ghoul 1: weakened until the end of Mira's next turn."]
    assert log == again == ["8: Mira marks fatigue; plus 2 Fatigue, now 2 of 5."]
    assert len(short) == 5
    assert actions[0].startswith("1 AP: ")
    assert answers(path, "card")[1][0] == "Mira, character, up."


def test_an_empty_line_says_where_the_fight_stands(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "setting turn-timer 90", "inflict mira weakened")
    _, _, stands = answers(path, "note x", "")
    assert re.fullmatch(r"\d+ seconds left\.", stands[0])
    assert stands[1:] == ["Round 1, Mira, 22 of 22, 3 AP; next Ghoul 1.", "Weakened."]


def test_notes_tell_what_is_for_the_players_first(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    _, none, _, _, notes = answers(path, "notes", "note x", 'read-aloud "The bell tolls"', "notes")
    assert none == ["No note yet."]
    assert notes == ["To be read aloud: The bell tolls.", "Note: x."]


def test_settings_are_told_with_what_they_may_be(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "setting players-act ask")
    lines = ("setting players-act", "setting players-act ?", "settings", "setting", "? bell")
    _, one, asked, every, also, meant = answers(path, *lines)
    assert one[0] == "Players-act is ask; it may be off, ask or trusted."
    assert one[1].startswith("Whether phones propose acts for you to accept")
    assert asked == ["That only asks: give it without accept."]
    assert every == also and one[0] in every and len(every) > 8
    assert meant == [
        "Bell is off; it may be off or on.",
        "Ring your terminal when something new waits.",
    ]


@pytest.mark.parametrize("game", GAMES.values())
def test_the_words_behind_a_die_are_told(game: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    OpenEncounter.create(path, game, "x").close()
    _, adv, words, ruled = answers(path, "? plus", "? words", "? falling")
    assert re.match(r"Plus N: with .*(attack|strike|check)", adv[0])
    assert any("plus N" in line and ": with " in line for line in words)
    assert "is no word" not in ruled[0] or not load_ruleset(game).tables.texts.get("falling")


BAD = {
    "nonsense": "'nonsense' is no command; ? lists all commands.",
    "strike": "Expected the target. ? strike tells how.",
    "strike ?": "Expected the target. ? strike tells how.",
    "card nobody": "Nobody here is called 'nobody'; there are mira, ghoul-1 and ghoul-2.",
    "log many": "Expected the number of entries, from 1 to 999, found 'many'.",
    "later": "Nothing is waiting.",
    "undo 99": "Only 6 entries can be undone, not 99.",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_input_gets_one_clear_line_and_changes_nothing(line: str, tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    before = path.read_bytes()
    assert answers(path, line)[1] == [BAD[line]]
    assert path.read_bytes() == before


def test_the_page_on_it_shows_what_is_said(tmp_path: Path) -> None:
    """Its transcript is of the sample fight at the sluice gate."""
    page = (Path(__file__).parents[2] / "docs" / "read-aloud.md").read_text("utf-8")
    shown = re.search(r"```text\n(.*?)```", page, re.S)
    assert shown is not None
    path = tmp_path / "drowned-vale" / "encounters" / "the-sluice-gate.toml"
    shutil.copytree(fights.CAMPAIGNS / "drowned-vale", tmp_path / "drowned-vale")
    typed = re.findall(r"^> (.*)", shown[1], re.M)
    said = answers(path, *typed)
    lines = said.pop(0)
    for line, answer in zip(typed, said, strict=True):
        lines = [*lines, f"> {line}", *answer]
    assert shown[1].splitlines() == lines
    for word in WORDS:
        assert f"`{word.split()[0]}" in page


def test_a_fight_that_is_open_elsewhere_is_read_and_not_played(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    with OpenEncounter.open(path) as elsewhere:
        viewed = OpenEncounter.open_or_view(path)
        reader = Reader(viewed)
        assert reader.begin()[1].startswith("Read-only: ")
        assert reader.answer("next")[0].startswith("Read-only: ")
        elsewhere.do("damage ghoul-1 3")
        assert reader.arrivals()[0].startswith("Ghoul 1 takes 3")


def test_of_several_that_come_at_once_each_is_told_as_it_was_then(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    with OpenEncounter.open(path, SeededDice(1)) as elsewhere:
        elsewhere.do(*DYING)
        reader = Reader(OpenEncounter.open_or_view(path))
        reader.begin()
        elsewhere.do("note a", "note b", "next", "undo", "next")
        said = reader.arrivals()
    assert said == [
        "Note: a.",
        "Note: b.",
        "Mira's death roll was rolled.",
        "Mira plus 1 Exhaustion, now 1 of 5 (a missed death roll).",
        "Mira plus 1 XP, now 1 (a miss).",
        "Mira death 1d20: 3, miss.",
        "Undone: Mira's turn ends; Ghoul 1 is up.",
        "Mira minus 1 Exhaustion, now 0 of 5, minus 1 XP, now 0.",
        "Mira's death roll was rolled.",
        "Mira plus 1 Deathsaves, now 1 of 3 (a weak death roll).",
        "Mira death 1d20: 17, weak.",
        "Round 2, Ghoul 1, 9 of 9, 3 AP; next Ghoul 2.",
    ]
