"""`affray play FILE`: what a line is answered with."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.fights import play as fights
from tests.play.table import GAMES, answers, quick_fight

from affray.core.dice import SeededDice
from affray.core.engine.events import Rolled
from affray.core.formatting.spoken_answers import entry_answer
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
    assert begun[-1] == "Round 1, Mira, 22 of 22, 3 A.P.; next Ghoul 1."
    assert struck == ["Ghoul 1 minus 4, 5 left.", "2 A.P."]
    assert ended == ["Ghoul 1, 5 of 9; next Ghoul 2."]


def test_all_has_the_whole_of_the_last_answer(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    _, brief, whole, again, none, _ = answers(
        path, "strike ghoul-1 natural 12 5 slashing", "all", "again", "", "who"
    )
    assert brief == again == ["Weak: Ghoul 1 minus 1, 8 left.", "2 A.P."]
    assert whole == [
        "Mira strikes Ghoul 1, weak 5 slashing.",
        "Ghoul 1 minus 1, 8 left (halved to 2, minus 1 AC).",
        "Strike 1d20: 12, plus 2 POWER, plus 1 PB, total 15.",
        "2 A.P.",
    ]
    assert answers(path, "", "who")[2] == ["That was all."]
    assert none


def test_a_question_mark_previews_and_yes_gives_it(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    line = "strike ghoul-1 strong 5 slashing"
    _, ahead, given, again = answers(path, f"{line} ?", "yes", "yes")
    assert ahead == [
        "Ghoul 1 minus 4, 5 left (5 slashing, minus 1 AC).",
        "2 A.P.",
        "Yes does it.",
    ]
    assert given == ["Ghoul 1 minus 4, 5 left.", "2 A.P."]
    assert "is no command" in again[0]
    with OpenEncounter.view(path) as fight:
        assert fight.entries[-1].command == line


def test_no_leaves_a_preview_undone(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    before = path.read_bytes()
    *_, no, yes = answers(path, "damage mira 5 ?", "no", "yes")
    assert no == ["Nothing is done."]
    assert "is no command" in yes[0]
    assert path.read_bytes() == before


LONG = {
    "strike ghoul-1 hard": "expected an outcome: miss, weak, strong, crit, natural N or roll, "
    "found 'hard'. ? strike tells how.",
    "inflict ghoul-1 sleepy": "expected a condition, found 'sleepy'. ? inflict tells how.",
    "inflict ghoul-1 weakned": "expected a condition, found 'weakned': did you mean weakened, or "
    "an effect of your own in quotes? ? inflict tells how.",
    "damage ghoul-1 5 flame": "'flame' is no known damage type; one of your own goes in quotes. ? "
    "damage tells how.",
    "strike ghoul-1 natural 4,15 8": "there is neither advantage nor disadvantage: give the one "
    "die that counts, or say which it is: adv or dis.",
    "damage ghoul-1 -3": "the damage must be at least 0, not minus 3. ? damage tells how.",
    "card nobody": "nobody here is called 'nobody'; order tells who is here.",
    "damage nobody 5": "nobody here is called 'nobody'; order tells who is here.",
    "damage ghoul-1 5, ghoul-2": "expected the end, or plus or minus at character 2 of '5,': found "
    "','.",
}


@pytest.mark.parametrize("line", LONG)
def test_a_refusal_lists_few_words_for_the_ear(line: str, tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "add monster Rat x3 hp 4")
    assert answers(path, line)[1] == [f"Not done: {LONG[line]}"]


DYING = ("damage mira 40", "next", "next", "next")
"""Mira falls, and is up again, dying."""


def test_what_waits_is_asked_and_answered_with_the_die(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    _, hurt, ghoul, _, asked, held, die = answers(path, *DYING, "next", "11")
    assert hurt == ["Mira minus 22, dying."]
    assert ghoul == ["Ghoul 1; next Ghoul 2."]
    assert asked == [
        "Round 2, Mira, dying; next Ghoul 1.",
        "Luck roll. Answer: the d20 or roll.",
    ]
    assert held == [
        "Before the turn ends: luck roll.",
        "Next again rolls it.",
    ]
    assert die == ["Mira death weak, deathsaves 1."]


def test_the_number_on_the_die_is_an_answer_as_prompts_have_it_too(tmp_path: Path) -> None:
    for typed in ("n11", "natural 11"):
        (folder := tmp_path / typed).mkdir()
        *_, die = answers(quick_fight(folder), *DYING, typed)
        assert die == ["Mira death weak, deathsaves 1."]


@pytest.mark.parametrize("word", ["weak", "w", "wea", "death mira weak"])
def test_an_answer_is_a_key_a_word_or_its_beginning_or_the_whole_command(
    word: str, tmp_path: Path
) -> None:
    *_, said = answers(quick_fight(tmp_path), *DYING, word)
    assert said == ["Mira deathsaves 1."]


def test_next_again_rolls_what_waits_and_says_what_came_of_it(tmp_path: Path) -> None:
    *_, said = answers(quick_fight(tmp_path), *DYING, "next", "next")
    assert said == ["Mira death miss, exhaustion 1.", "Ghoul 1; next Ghoul 2."]


CALLS = ("add pc Odo hp 9 ac 1", "init odo 5", "setting dynamic-initiative on", *["next"] * 4)
"""What brings a round that waits for two initiatives."""
CALLED = "'s initiative for round 2."
HOW = " Answer: the d20 or roll."


def test_later_goes_on_to_the_next_that_waits_and_round_again(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    *_, edge, every, odo, mira, again, both = answers(
        path, *CALLS, "waiting", "later", "later", "", "what waits"
    )
    assert edge[-1] == f"Mira{CALLED}{HOW} 1 more wait."
    every_way = " Answer: roll; or the number on the d20."
    assert every == both == [f"Mira{CALLED}{every_way}", f"Odo{CALLED}"]
    assert odo == [f"Odo{CALLED}{HOW}"]
    assert mira == [f"The first again: Mira{CALLED}{HOW}"]
    assert again == edge[-2:]


def test_behind_the_last_that_waits_an_answer_is_still_one(tmp_path: Path) -> None:
    *_, odo, mira = answers(quick_fight(tmp_path), *CALLS, "later", "19", "11")
    assert odo == ["Odo initiative 19.", f"Mira{CALLED}"]
    assert mira[0] == "Mira initiative 11."


def test_the_same_question_twice_is_asked_twice(tmp_path: Path) -> None:
    """5e, concentration: each damage asks for a save of its own."""
    path = tmp_path / "ford.toml"
    with OpenEncounter.create(path, "5e", "At the ford") as fight:
        fight.do("add pc Mira hp 40 ac 13", "add monster Ghoul hp 9 ac 12", "init mira 20")
        fight.do("init ghoul 10", "start", 'cast "Fog" concentration')
    _, first, _, saved, last = answers(path, *["damage mira 8"] * 2, "15", "16")
    save = "Mira makes a con save, DC 10, against concentration."
    assert first[-1].startswith(save)
    assert saved[-1] == save
    assert save not in last


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
    assert undone == ["Undone: Mira strikes Ghoul 1, strong 5 slashing."]
    assert redone[0] == "Redone: Mira strikes Ghoul 1, strong 5 slashing."
    assert amended[:2] == ["Amended.", "Now: Ghoul 1 minus 2, 3 left."]
    assert why == [
        "Ghoul 1: HP 3 of 9.",
        "10, minus 6, 7 slashing, minus 1 AC (Mira strikes Ghoul 1, strong 7 slashing).",
        "2, began at 9 (Ghoul 1 and Ghoul 2 join).",
    ]


def test_what_is_asked_for_is_told(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "inflict ghoul-1 weakened until end of mira", "mark mira fatigue 2")
    _, order, card, sheet, timers, log, whole, short, actions = answers(
        path, "order", "card ghoul-1", "all", "timers", "log 1", "all", "log", "actions"
    )
    assert order == [
        "1, Mira, their turn, 22 of 22; fatigue 2 of 5.",
        "2, Ghoul 1, 9 of 9; weakened.",
        "3, Ghoul 2, 9 of 9.",
    ]
    assert card == ["Ghoul 1, 9 of 9, AC 1; weakened.", "All tells the rest."]
    assert sheet[0] == "Ghoul 1, monster, up."
    assert "Weakened until the end of Mira's next turn." in sheet
    assert timers == ["Ghoul 1: weakened until the end of Mira's next turn."]
    assert log == ["8: Mira marks fatigue."]
    assert whole == ["8: Mira marks fatigue; fatigue 2."]
    assert len(short) == 5
    assert actions[0].startswith("1 A.P.: ")
    assert answers(path, "card")[1][0] == "Mira, their turn, 22 of 22, AC 2; fatigue 2 of 5."


QUESTIONS = {
    "how is mira": ["Mira, their turn, 22 of 22; fatigue 2 of 5."],
    "how is ghoul 1?": ["Ghoul 1, 9 of 9; weakened."],
    "how are foes": ["Ghoul 1, 9 of 9; weakened.", "Ghoul 2, 2 of 9."],
    "who is weakened": ["Weakened: Ghoul 1."],
    "who is prone": ["Prone: nobody."],
    "who is hurt": ["Hurt: Ghoul 2."],
    "who is up": ["Round 1, Mira, 22 of 22, 3 A.P.; next Ghoul 1."],
    "whose turn is it?": ["Round 1, Mira, 22 of 22, 3 A.P.; next Ghoul 1."],
    "round": ["Round 1, Mira, 22 of 22, 3 A.P.; next Ghoul 1."],
    "what ends when": ["Ghoul 1: weakened until the end of Mira's next turn."],
    "initiative": ["Mira, 20; Ghoul 1, 10; Ghoul 2, 9."],
    "what waits": ["Nothing is waiting."],
    "order ghoul 1": ["Ghoul 1, 9 of 9; weakened."],
}


@pytest.mark.parametrize("line", QUESTIONS)
def test_a_question_of_one_line_has_a_short_answer(line: str, tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "inflict ghoul-1 weakened until end of mira", "mark mira fatigue 2")
    answers(path, "damage ghoul-2 8")
    before = path.read_bytes()
    assert answers(path, line)[1] == QUESTIONS[line]
    assert path.read_bytes() == before


COMPLETED = {
    "initi": ["initiative"],
    "how is gh": ["ghoul-1", "ghoul-2"],
    "card m": ["mira"],
    "who is dy": ["dying"],
    "who is weak": ["weakened"],
    "does gh": ["ghoul-1", "ghoul-2"],
    "acc": ["accept"],
}


@pytest.mark.parametrize("line", COMPLETED)
def test_tab_completes_questions_with_names_and_conditions(line: str, tmp_path: Path) -> None:
    with OpenEncounter.open(quick_fight(tmp_path)) as fight:
        assert [word for word in Reader(fight).complete(line) if word] == COMPLETED[line]


def test_effects_that_others_bring_are_found_and_by_every_spelling(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "damage mira 40", 'inflict ghoul-1 "chained up"')
    _, prone, dying, chained, unhurt = answers(
        path, "who is PRONE", "who is dying", "who is chained-up", "who is unhurt"
    )
    assert (prone, dying) == (["Prone: Mira."], ["Dying: Mira."])
    assert chained == ["Chained up: Ghoul 1."]
    assert unhurt == ["Unhurt: Ghoul 1 and 2."]


def test_many_rolls_at_one_target_are_counted_with_whom_they_are_at(tmp_path: Path) -> None:
    with OpenEncounter.open(quick_fight(tmp_path)) as fight:
        before, entry = fight.state, fight.do('note "x"')
        found = ("strong", "miss", "strong", "miss", "miss")
        rolls = [
            Rolled("mira", "1d20", (9,), 9, 9, "strike", "ghoul-1", outcome=each) for each in found
        ]
        at_one = replace(entry, events=tuple(rolls), by="mira")
        at_two = replace(at_one, events=(*rolls[:4], replace(rolls[4], against="ghoul-2")))
        heard = [
            entry_answer(each, before, fight.state, fight.ruleset, titled=False).lines[0]
            for each in (at_one, at_two)
        ]
    assert heard == [
        "2 strong, 3 miss against Ghoul 1.",
        "2 strong, 2 miss against Ghoul 1, 1 miss against Ghoul 2.",
    ]


def test_the_hurt_are_counted_by_one_rule(tmp_path: Path) -> None:
    """A dying character counts, as in the order and for `who is hurt`; the dead don't."""
    path = quick_fight(tmp_path)
    answers(path, "add monster Rat x5 hp 4 ac 0 cr 0", "init rat-1,rat-2,rat-3,rat-4,rat-5 5")
    answers(path, "damage mira 40", "damage ghoul-1 3", "damage rat-1 20")
    _, order, how, who = answers(path, "order", "how are all", "who is hurt")
    assert who == ["Hurt: Mira and Ghoul 1."]
    assert "2 hurt" in order[0] and "2 hurt" in how[0]


def test_of_more_than_four_a_summary_comes_first_and_who_tells_each(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "add monster Rat x5 hp 4 ac 0 cr 0", "init rat-1,rat-2,rat-3,rat-4,rat-5 5")
    _, hurt, each, order, prone, names, initiative, undone = answers(
        path, "damage foes 3", "who", "order", "inflict foes prone", "all", "initiative", "undo 2"
    )
    assert hurt == ["7 hurt; all tells each."]
    assert "Ghoul 1 minus 2, 7 left (minus 1 AC)." in each and len(each) == 8
    assert order == ["8 in the fight, 7 hurt; all tells each."]
    assert prone == ["7 prone; all tells each."]
    assert names[0].startswith("Ghoul 1, Ghoul 2, Rat ")
    assert re.match(r"Mira, 20; Ghoul 1, 10; Ghoul 2, 9; 5 more, all", initiative[0])
    assert undone == ["Undone: 7 of them are prone and 1 more."]


def test_nobody_dead_is_read_unasked(tmp_path: Path) -> None:
    """Neither in the order, nor among effects, initiative or conditions."""
    path = quick_fight(tmp_path)
    answers(path, "inflict ghoul-1 weakened", "inflict ghoul-1 prone")
    _, died, *others, dead = answers(
        path,
        *("damage ghoul-1 60", "order", "timers", "initiative", "who is prone", "how are foes"),
        *("who is dead",),
    )
    assert died == ["Ghoul 1 minus 9, dead."]
    assert "Ghoul 1" not in " ".join(line for lines in others for line in lines)
    assert others[0][-1] == "1 dead."
    assert dead == ["Dead: Ghoul 1."]


def test_what_waits_has_reminders_of_the_turn(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, 'add monster Troll hp 30 ac 1 cr 2 when start "Heals unless burned"')
    *_, turn, waits = answers(path, "init troll 15", "next", "what waits")
    assert waits == ["Troll: remember Heals unless burned."]
    assert turn[0] == waits[0]


def test_help_tells_the_subjects_though_a_game_has_an_act_of_that_name(tmp_path: Path) -> None:
    lines = answers(quick_fight(tmp_path), "help", "?", "? past")
    assert lines[1] == lines[2] and lines[1][0].startswith("Subjects: ")
    assert lines[3] == ["Undo, redo, goto, amend, log N."]


def test_an_empty_line_says_where_the_fight_stands(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "setting turn-timer 90", "inflict mira weakened")
    _, _, stands = answers(path, "note x", "")
    assert re.fullmatch(r"\d+ seconds left\.", stands[0])
    assert stands[1:] == ["Round 1, Mira, 22 of 22, 3 A.P.; next Ghoul 1.", "Weakened."]


def test_notes_tell_what_is_for_the_players_first(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    lines = ("note x", "note on mira limps", 'read-aloud "The bell tolls"', "notes")
    _, none, _, _, _, notes = answers(path, "notes", *lines)
    assert none == ["No note yet."]
    assert notes == ["To read aloud: The bell tolls.", "Note: x.", "On Mira: limps."]


def test_settings_are_told_with_what_they_may_be(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "setting players-act ask")
    lines = ("setting players-act", "setting players-act ?", "settings", "setting", "all", "? bell")
    _, one, asked, names, _, every, meant = answers(path, *lines)
    assert one[0] == "Players-act is ask; it may be off, ask or trusted."
    assert one[1].startswith("Whether phones propose acts for you to accept")
    assert asked == ["That only asks: give it without the ?."]
    assert names[0].startswith("Settings: ") and "players-act" in names[0]
    assert one[0] in every and len(every) > 8
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
    assert "is not a word" not in ruled[0] or not load_ruleset(game).tables.texts.get("falling")


BAD = {
    "nonsense": "'nonsense' is no command; ? lists all commands.",
    "strike": "expected the target. ? strike tells how.",
    "strike ?": "expected the target. ? strike tells how.",
    "card nobody": "nobody here is called 'nobody'; there are mira, ghoul-1 and ghoul-2.",
    "log many": "expected the number of entries, from 1 to 999, found 'many'.",
    "quit now": "use quit on its own.",
    "undo 99": "only 6 entries can be undone, not 99.",
    "what now": "no answer to that; ? questions helps.",
    "who is asleap": "nothing here is called 'asleap'; ? questions helps.",
    "how is odo": "nothing here is called 'odo'; ? questions helps.",
    "? xyzzyx": "xyzzyx is not a word of these rules.",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_input_gets_one_clear_line_and_changes_nothing(line: str, tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    before = path.read_bytes()
    assert answers(path, line)[1] == [f"Not done: {BAD[line]}"]
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
        assert reader.answer("next")[0].startswith("Not done: read-only: ")
        elsewhere.do("damage ghoul-1 3")
        assert reader.arrivals() == ["Ghoul 1 takes 3.", "Ghoul 1 minus 2, 7 left."]


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
        "Mira death miss, exhaustion 1.",
        "Undone: Mira's turn ends.",
        "Mira's death roll was rolled.",
        "Mira death weak, deathsaves 1.",
        "Ghoul 1; next Ghoul 2.",
    ]


def test_who_carries_what_is_a_question_and_so_is_one_persons_inventory(tmp_path: Path) -> None:
    """docs/read-aloud.md: the answer names what each carries; nothing is kept of it."""
    path = quick_fight(tmp_path)
    gives = "gear mira item Potion x2 hand 1"
    told = answers(path, gives, "who carries what", "inventory mira", "inventory ghoul-1")
    assert told[2:] == [["Mira: Potion times 2."], ["Mira: Potion times 2."], ["Ghoul 1: nothing."]]


def test_an_effect_is_told_and_found_by_the_name_that_the_gm_gave_it(tmp_path: Path) -> None:
    """The screen shows it so as well."""
    path = quick_fight(tmp_path)
    _, _, how, ends, chained, long, _, card = answers(
        path,
        'ongoing ghoul-1 -2 ac until the fight ends "chained down"',
        "how is ghoul-1",
        "what ends when",
        "who is chained down",
        "how long is ghoul-1 chained down",
        "card ghoul-1",
        "all",
    )
    told = "chained down minus 2 AC"
    assert how == [f"Ghoul 1, 9 of 9; {told}."]
    assert ends == [f"Ghoul 1: {told} until the fight ends."]
    assert chained == ["Chained down: Ghoul 1."]
    assert long == [f"Ghoul 1: {told} until the fight ends."]
    assert f"C{told[1:]} until the fight ends." in card


HEARD_NAMES = {
    "damage ghoul 1 3 slashing": "Ghoul 1 minus 2, 7 left.",
    "strike Ghoul 2 n15 5 slashing": "Strong: Ghoul 2 minus 4, 5 left.",
    "inflict fire imp prone": "Fire Imp prone.",
}


@pytest.mark.parametrize("line", HEARD_NAMES)
def test_a_name_is_typed_as_it_is_heard(line: str, tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "add monster Fire Imp hp 9 ac 1")
    assert HEARD_NAMES[line] in answers(path, line)[1]


def test_a_number_after_the_only_one_of_a_name_is_an_amount(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    answers(path, "leave ghoul-2")
    assert answers(path, "heal ghoul 1")[1] == ["Ghoul 1 is healed, already at full HP."]
