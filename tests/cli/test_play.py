"""`affray play FILE`: fights read aloud, through a pipe and in a terminal."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.fights import play as fights

from affray import play
from affray.cli import main
from affray.core.dice import SeededDice
from affray.core.engine.decide import commands_of
from affray.core.formatting.spoken_lines import edge_line
from affray.extras import install_command
from affray.play import WORDS, Reader
from affray.rulesets import load_ruleset
from affray.store.campaigns.files import ruleset_id_for
from affray.store.inbox import Inbox, Proposal
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones

GAMES = {
    "lantern-street": "monsters-and-magic",
    "toll-at-the-clay-bridge": "orcus",
    "the-bell-in-the-gale": "level-up",
    "the-bed-of-the-drake": "5e",
    "midnight-in-the-refectory": "adventure-school",
}
"""A whole fight of each game, to its end or to where its script stops."""
needs_shell = pytest.mark.skipif(os.name != "posix", reason="Windows has another shell")
AFFRAY = [sys.executable, "-m", "affray", "play"]


def begin(name: str, folder: Path) -> tuple[Path, fights.Script]:
    """A new fight for a script, in its own campaign."""
    script = fights.read(fights.HERE / f"{name}.commands")
    path = fights.begin(script, folder)
    OpenEncounter.create(path, ruleset_id_for(path), script.title).close()
    return path, script


def lines_of(name: str, folder: Path) -> tuple[list[str], list[str]]:
    """What a GM types for a script, and hears; `next` once more where something is asked first."""
    path, script = begin(name, folder)
    typed, said = [], []
    with OpenEncounter.open(path) as fight:
        fight.dice = fights.SeededDice(script.seed)
        reader = Reader(fight)
        said += reader.begin()
        for line in script.commands:
            answer = reader.answer(line)
            typed, said = [*typed, line], said + answer
            if answer[:1] and answer[0].startswith("Before the turn ends"):
                typed, said = [*typed, line], said + reader.answer(line)
    return typed, said


def piped(
    path: Path, lines: list[str], seed: int = 1, **env: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*AFFRAY, str(path), "--seed", str(seed)],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **env},
        timeout=120,
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_fight_of_each_game_through_a_pipe(name: str, tmp_path: Path) -> None:
    typed, said = lines_of(name, tmp_path / "a")
    path, script = begin(name, tmp_path / "b")
    assert ruleset_id_for(path) == GAMES[name]
    done = piped(path, typed, script.seed)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == said
    with (
        OpenEncounter.view(path) as played,
        OpenEncounter.view(fights.sample(fights.HERE / f"{name}.commands")) as sample,
    ):
        assert [e.text for e in played.entries] == [e.text for e in sample.entries]
    assert "\x1b" not in done.stdout
    assert all(line.isprintable() and not re.search(r"[·−→×\[\]]", line) for line in said)
    assert all(line[-1] in '.!?"' for line in said)


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


def quick_fight(folder: Path) -> Path:
    """A fight that has begun, of which Mira is up."""
    path = folder / "ford.toml"
    with OpenEncounter.create(path, "monsters-and-magic", "At the ford") as fight:
        fight.do("add pc Mira hp 22 ac 2 power 2", "add monster Ghoul x2 cr 1 hp 9 ac 1")
        fight.do("init mira 20", "init ghoul-1 10", "init ghoul-2 9", "start")
    return path


def told(path: Path, *lines: str) -> list[list[str]]:
    """What each line is answered with."""
    with OpenEncounter.open_or_view(path) as fight:
        fight.dice = fights.SeededDice(3)
        reader = Reader(fight)
        return [reader.begin(), *(list(reader.answer(line)) for line in lines)]


def test_a_turn_is_announced_and_nothing_is_said_twice(tmp_path: Path) -> None:
    begun, struck, ended = told(quick_fight(tmp_path), "strike ghoul-1 strong 5 slashing", "next")
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
    _, ahead, given, again = told(path, f"{line} ?", "yes", "yes")
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
    _, hurt, ghoul, _, asked, held, die = told(path, *DYING, "next", "11")
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
    *_, said = told(quick_fight(tmp_path), *DYING, word)
    assert said[0] == "Mira's death roll, weak."


def test_next_again_has_rolled_what_waits_and_says_what_was_missed(tmp_path: Path) -> None:
    *_, said = told(quick_fight(tmp_path), *DYING, "next", "next")
    assert said[0] == "Mira's death roll was rolled."
    assert said[-1] == "Round 2, Ghoul 1, 9 of 9, 3 AP; next Ghoul 2."


def test_later_goes_on_to_the_next_that_waits(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    setup = ("add pc Odo hp 9 ac 1", "init odo 5", "setting dynamic-initiative on")
    *_, edge, all_, later, none, again, both = told(
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
    _, _, undone, redone, amended, why = told(
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
    told(path, "inflict ghoul-1 weakened until end of mira", "mark mira fatigue 2")
    _, order, card, timers, log, again, short, actions = told(
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
    assert told(path, "card")[1][0] == "Mira, character, up."


def test_an_empty_line_says_where_the_fight_stands(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    told(path, "setting turn-timer 90", "inflict mira weakened")
    _, _, stands = told(path, "note x", "")
    assert re.fullmatch(r"\d+ seconds left\.", stands[0])
    assert stands[1:] == ["Round 1, Mira, 22 of 22, 3 AP; next Ghoul 1.", "Weakened."]


def test_notes_tell_what_is_for_the_players_first(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    _, none, _, _, notes = told(path, "notes", "note x", 'read-aloud "The bell tolls"', "notes")
    assert none == ["No note yet."]
    assert notes == ["To read aloud: The bell tolls.", "Note: x."]


def test_settings_are_told_with_what_they_may_be(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    told(path, "setting players-act ask")
    lines = ("setting players-act", "setting players-act ?", "settings", "setting", "? bell")
    _, one, asked, every, also, meant = told(path, *lines)
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
    _, adv, words, ruled = told(path, "? plus", "? words", "? falling")
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
    assert told(path, line)[1] == [BAD[line]]
    assert path.read_bytes() == before


def test_the_words_of_play_are_no_commands_of_any_game() -> None:
    for game in (*GAMES.values(), "plain"):
        commands = commands_of(load_ruleset(game))
        assert not [word for word in WORDS if word.split()[0] in commands]


def test_the_page_on_it_shows_what_is_said(tmp_path: Path) -> None:
    """Its transcript is of the sample fight at the sluice gate."""
    page = (Path(__file__).parents[2] / "docs" / "read-aloud.md").read_text("utf-8")
    shown = re.search(r"```text\n(.*?)```", page, re.S)
    assert shown is not None
    path = tmp_path / "drowned-vale" / "encounters" / "the-sluice-gate.toml"
    shutil.copytree(fights.CAMPAIGNS / "drowned-vale", tmp_path / "drowned-vale")
    typed = re.findall(r"^> (.*)", shown[1], re.M)
    said = told(path, *typed)
    lines = said.pop(0)
    for line, answer in zip(typed, said, strict=True):
        lines = [*lines, f"> {line}", *answer]
    assert shown[1].splitlines() == lines
    for word in WORDS:
        assert f"`{word.split()[0]}" in page


# -- phones ----------------------------------------------------------------------------------------

PHONE = "f00dface"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))


def send(path: Path, number: int, command: str, words: str = "") -> None:
    """Let Mira's phone propose a command, or ask to play her."""
    at = f"2026-11-20T19:30:{number:02}Z"
    Inbox(path).write(Proposal(f"{number:04x}", PHONE, "mira", command, at, words))


STRIKE = ("strike ghoul-1 strong 5 slashing by mira", "Strike Ghoul 1, strong, 5 slashing")


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """A fight whose phones may propose, with a strike of Mira's that waits."""
    path = quick_fight(tmp_path)
    told(path, "setting players-act ask")
    Phones(path).grant(PHONE, "mira")
    send(path, 1, *STRIKE)
    return path


def test_what_a_phone_proposes_is_told_once_previewed_and_accepted(asked: Path) -> None:
    begun, ahead, other, done, none = told(asked, "accept ?", "note x", "accept", "accept")
    offer = "Mira proposes: Strike Ghoul 1, strong, 5 slashing. Accept, or decline."
    assert begun[-1] == offer
    assert ahead[0] == "Ghoul 1 minus 4 HP, 5 left (5 slashing, minus 1 AC)."
    assert other == ["Note: x."]
    assert done[0] == "Mira strikes Ghoul 1, strong 5 slashing."
    assert none == ["No phone has proposed anything."]
    assert [each.state for each in Inbox(asked).answers(PHONE)] == ["accepted"]
    with OpenEncounter.view(asked) as fight:
        assert (fight.entries[-1].proposal, fight.entries[-1].by) == ("0001", "mira")


def test_a_players_die_that_is_left_out_is_rolled_where_that_is_said(asked: Path) -> None:
    told(asked, "decline")
    fall = "fall mira 30"
    send(asked, 2, fall, "Fall 30")
    _, refused, done = told(asked, "accept", "accept roll")
    assert refused == ["Mira's 3d6 is missing: accept roll rolls it, or accept COMMAND."]
    assert done[0].startswith("Mira falls 30 feet")


def test_another_command_is_played_in_its_place(asked: Path) -> None:
    _, done = told(asked, "accept strike ghoul-1 weak 5 slashing by mira")
    assert done[0] == "Mira strikes Ghoul 1, weak 5 slashing."
    with OpenEncounter.view(asked) as fight:
        assert fight.entries[-1].proposal == "0001"


def test_it_is_declined_with_words_and_the_next_one_is_told(asked: Path) -> None:
    send(asked, 2, "next")
    _, declined = told(asked, "decline it is behind a wall")
    assert declined == ["Declined.", "Mira proposes: next. Accept, or decline."]
    (answer,) = Inbox(asked).answers(PHONE)
    assert (answer.state, answer.words) == ("declined", "it is behind a wall")


def test_what_is_refused_waits_on_and_changes_nothing(asked: Path) -> None:
    _, refused, again = told(asked, "accept strike nobody strong 5", "accept")
    assert refused[0].startswith("Nobody here is called 'nobody'")
    assert again[0] == "Mira strikes Ghoul 1, strong 5 slashing."


def test_what_the_fight_refuses_is_answered_so_to_its_player(asked: Path) -> None:
    told(asked, "accept")
    send(asked, 2, "grapple mira strong by mira", "Grapple Mira")
    _, refused, none = told(asked, "accept", "accept")
    assert none == ["No phone has proposed anything."]
    answer = Inbox(asked).answers(PHONE)[-1]
    assert (answer.state, answer.proposed) == ("refused", "Grapple Mira")
    assert answer.words and answer.words.casefold() in refused[0].casefold()


def test_what_is_taken_elsewhere_is_not_played_twice(asked: Path) -> None:
    with OpenEncounter.open(asked) as fight:
        reader = Reader(fight)
        reader.begin()
        assert Inbox(asked).take("0001")
        assert reader.answer("accept") == [
            "Its player has withdrawn it, or another screen has answered it."
        ]
        assert fight.entries[-1].command == "setting players-act ask"


def test_nothing_is_told_while_phones_may_not_propose(asked: Path) -> None:
    told(asked, "setting players-act off")
    assert told(asked, "accept")[1] == ["No phone has proposed anything."]


def test_of_trusted_players_the_end_of_a_turn_goes_by_itself(asked: Path) -> None:
    told(asked, "accept", "setting players-act trusted")
    send(asked, 2, "next")
    assert told(asked)[0][1:] == ["Round 1, Ghoul 1, 5 of 9, 3 AP; next Ghoul 2."]
    send(asked, 3, "note hm")
    assert told(asked)[0][-1] == "Mira proposes: note hm. Accept, or decline."


def test_a_phone_is_let_in_listed_and_taken_back(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    send(path, 1, "")
    begun, ahead, in_, listed, revoked, none = told(
        path, "accept ?", "accept", "phones", "revoke mira", "phones"
    )
    assert begun[-1] == "Mira's phone asks to play. Accept, or decline."
    assert ahead == ["It lets the phone in."]
    assert in_ == ["Mira's phone is in."]
    assert listed == ["Phones of Mira."]
    assert revoked == ["Mira no longer has a phone."]
    assert none == ["None."]
    assert Phones(path).rights() == ()


def test_a_monster_of_the_characters_id_has_no_phone(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    Phones(path).grant(PHONE, "ghoul-1")
    listed, revoked = told(path, "phones", "revoke ghoul-1")[1:]
    assert listed == ["Phones of ghoul-1."]
    assert revoked == ["Ghoul 1 is not a player's character, so has no phone."]
    assert len(Phones(path).rights()) == 1


# -- terminals and pipes ---------------------------------------------------------------------------


def test_what_cannot_be_read_is_refused_and_what_follows_is_played(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    lines = [b"note \xff\xfe", b"note " + b"x" * 9_000, b"note \x1b[31mred", b"\x00", b"next"]
    done = subprocess.run([*AFFRAY, str(path)], input=b"\n".join(lines), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode().splitlines()
    assert said[2:4] == [
        "That line is not UTF-8 text; nothing was done.",
        "A line has at most 4000 bytes; nothing was done.",
    ]
    assert said[-1].startswith("Round 1, Ghoul 1")
    assert b"\x1b" not in done.stdout


def test_where_there_is_no_utf_8_all_that_has_no_letter_is_a_question_mark(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    done = piped(path, ['note "Überfall — hier"', "damage ghoul-1 3"], PYTHONIOENCODING="ascii")
    said = done.stdout.splitlines()
    assert "Note: ?berfall ? hier." in said
    with OpenEncounter.view(path) as fight:
        assert 'note "Überfall — hier"' in [each.command for each in fight.entries]
    assert any(line.startswith("Ghoul 1 takes 3") for line in said), said
    assert done.stdout.isascii() and done.stderr == ""


@needs_shell
def test_a_reader_that_goes_away_ends_it_and_what_was_done_is_saved(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    lines = "\n".join(["next"] * 30)
    shell = f"{sys.executable} -m affray play {path} | head -n 3"
    done = subprocess.run(shell, shell=True, input=lines, capture_output=True, text=True)
    assert done.stderr == ""
    with OpenEncounter.open(path) as fight:
        assert fight.read_only == "" and fight.notes == ()


@needs_shell
def test_without_input_it_says_so_and_a_missing_file_too(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    closed = subprocess.run(
        f"{sys.executable} -m affray play {path} <&-", shell=True, capture_output=True, text=True
    )
    assert closed.returncode == 2
    assert closed.stderr == "affray: expected commands on standard input; it is closed\n"
    missing = piped(tmp_path / "none.toml", [])
    assert missing.returncode == 2 and missing.stderr.count("\n") == 1
    assert "there is no file" in missing.stderr


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


def test_no_screen_is_loaded() -> None:
    code = (
        "import sys, affray.cli, affray.play; "
        "print([m for m in sys.modules if m.split('.')[0] in ('textual', 'rich')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n"


@contextmanager
def signal_as(number: int, action: Any) -> Iterator[None]:
    """What is started meanwhile ignores a signal, or hears it, as this process then does."""
    before = signal.signal(number, action)
    try:
        yield
    finally:
        signal.signal(number, before)


def hearing_ctrl_c() -> AbstractContextManager[None]:
    """A suite in a shell's background ignores SIGINT, and so would what it starts."""
    return signal_as(signal.SIGINT, signal.default_int_handler)


CONTROLLED = ["sh", "-c", 'exec "$@" <"$0"']
"""Gives a command the terminal named first for its Ctrl-C: who leads a session and opens it."""


class Terminal:
    """`affray play` in a pseudo-terminal."""

    def __init__(self, path: Path, term: str) -> None:
        self.fd, inner = os.openpty()
        with hearing_ctrl_c():
            self.process = subprocess.Popen(
                [*CONTROLLED, os.ttyname(inner), *AFFRAY, str(path), "--seed", "1"],
                **dict.fromkeys(("stdin", "stdout", "stderr"), inner),
                env={**os.environ, "TERM": term},
                start_new_session=True,
            )
        os.close(inner)
        self.all = self._unread = b""

    def until(self, wanted: bytes) -> None:
        """Read up to and with the wanted bytes."""
        while wanted not in self._unread:
            assert self._read(), (wanted, self._unread)
        self._unread = self._unread.partition(wanted)[2]

    def _read(self) -> bytes:
        assert select.select([self.fd], [], [], 20)[0], self._unread
        try:
            more = os.read(self.fd, 4096)
        except OSError:  # the end of a pseudo-terminal
            more = b""
        self._unread, self.all = self._unread + more, self.all + more
        return more

    def type(self, keys: bytes) -> None:
        os.write(self.fd, keys)

    def wait(self) -> int:
        """The exit status, once all is read."""
        while self._read():
            pass
        os.close(self.fd)
        return self.process.wait()


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_a_whole_fight_in_a_pseudo_terminal(term: str, tmp_path: Path) -> None:
    if term != "dumb":
        pytest.importorskip("prompt_toolkit")
    typed, _ = lines_of("the-bed-of-the-drake", tmp_path / "a")
    path, _ = begin("the-bed-of-the-drake", tmp_path / "b")
    terminal = Terminal(path, term)
    for line in typed:
        terminal.until(b">")
        terminal.type(line.encode() + b"\r")
        terminal.until(line.split()[-1].encode()[-3:])
    terminal.type(b"quit\r")
    assert terminal.wait() == 0
    with OpenEncounter.view(path) as fight:
        assert [each.command for each in fight.entries if each.to is None][-1] == typed[-1]
    assert b"Traceback" not in terminal.all
    if term == "dumb":
        assert b"\x1b" not in terminal.all


def test_without_the_extra_one_line_says_what_is_lacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks = "raise ModuleNotFoundError(name='prompt_toolkit')"
    (tmp_path / "prompt_toolkit.py").write_text(lacks, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    terminal = Terminal(quick_fight(tmp_path), "xterm")
    terminal.until(f"no completion: {install_command('play')}".encode())
    terminal.until(b">")
    terminal.type(b"next\r")
    terminal.until(b"Round 1, Ghoul 1, 9 of 9, 3 AP; next Ghoul 2.")
    terminal.until(b">")
    terminal.type(b"quit\r")
    assert terminal.wait() == 0
    assert b"\x1b" not in terminal.all


@pytest.mark.skipif(os.name != "posix", reason="Windows sends no SIGINT")
def test_ctrl_c_of_a_pipe_ends_it_in_one_line(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    with hearing_ctrl_c():
        program = subprocess.Popen([*AFFRAY, str(path)], stdin=-1, stdout=-1, stderr=-1)
    with program as done:
        assert done.stdout is not None and done.stderr is not None
        done.stdout.readline()
        done.stdout.readline()
        done.send_signal(signal.SIGINT)
        assert done.stdout.read() == b"Stopped; everything answered is saved.\n"
        assert (done.wait(), done.stderr.read()) == (130, b"")


def test_ctrl_c_gives_up_the_line_and_ctrl_d_leaves(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    terminal = Terminal(path, "dumb")
    terminal.until(b">")
    terminal.type(b"damage mira\x03")
    terminal.until(b"Nothing was done; quit leaves.")
    terminal.until(b">")
    terminal.type(b"next\r")
    terminal.until(b"Round 1, Ghoul 1")
    terminal.until(b">")
    terminal.type(b"\x04")
    assert terminal.wait() == 0
    assert b"Traceback" not in terminal.all and b"\x1b" not in terminal.all


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_a_terminal_that_goes_away_ends_it(term: str, tmp_path: Path) -> None:
    """Without a signal, as where the one that a terminal sends is ignored (`nohup`)."""
    if term != "dumb":
        pytest.importorskip("prompt_toolkit")
    with signal_as(signal.SIGHUP, signal.SIG_IGN):
        terminal = Terminal(quick_fight(tmp_path), term)
    terminal.until(b">")
    os.close(terminal.fd)
    assert terminal.process.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_what_is_drawn_while_the_terminal_goes_away_is_not_tried_again_at_the_exit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python would end with status 120."""
    with Path("/dev/full").open("w", encoding="utf-8") as terminal:

        def draw_in_vain() -> str:
            monkeypatch.setattr(sys, "stdout", terminal)
            terminal.write("> ")
            raise OSError

        monkeypatch.setattr(play, "_line_reader", lambda _: (draw_in_vain, ""))
        assert main(["play", str(quick_fight(tmp_path))]) == 0
        terminal.flush()


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_what_a_phone_proposes_is_told_while_nothing_is_typed(term: str, tmp_path: Path) -> None:
    if term != "dumb":
        pytest.importorskip("prompt_toolkit")
    path = quick_fight(tmp_path)
    told(path, "setting players-act ask")
    Phones(path).grant(PHONE, "mira")
    terminal = Terminal(path, term)
    terminal.until(b">")
    send(path, 1, *STRIKE)
    terminal.until(b"Mira proposes: Strike Ghoul 1, strong, 5 slashing. Accept, or decline.")
    terminal.until(b">")
    terminal.type(b"accept\r")
    terminal.until(b"Ghoul 1 minus 4 HP, 5 left")
    terminal.until(b">")
    terminal.type(b"\x04")
    assert terminal.wait() == 0
    assert term != "dumb" or b"\x1b" not in terminal.all


def test_enter_draws_the_typed_line_no_second_time(tmp_path: Path) -> None:
    """A screen reader would say it twice."""
    pytest.importorskip("prompt_toolkit")
    terminal = Terminal(quick_fight(tmp_path), "xterm")
    for line, moved in ((b"note Z", b""), (b"note Y", b"\x1b[D\x1b[D")):
        terminal.until(b">")
        terminal.type(line + moved)
        terminal.until(line[-1:])
        before = len(terminal.all)
        terminal.type(b"\r")
        terminal.until(b"Note: ")
        drawn = terminal.all[before:].partition(b"Note: ")[0]
        assert b"note" not in drawn and b"\x1b[J" not in drawn and drawn.count(b"\n") == 1
    terminal.until(b">")
    terminal.type(b"\x04")
    assert terminal.wait() == 0


def test_tab_completes_and_up_brings_commands_back(tmp_path: Path) -> None:
    pytest.importorskip("prompt_toolkit")
    path = quick_fight(tmp_path)
    terminal = Terminal(path, "xterm")
    terminal.until(b">")
    terminal.type(b"damage gho\t-1 3\r")
    terminal.until(b"Ghoul 1 takes 3")
    terminal.until(b"7 left")
    terminal.until(b">")
    terminal.type(b"\x1b[A\r")
    terminal.until(b"5 left")
    terminal.until(b">")
    terminal.type(b"\x04")
    assert terminal.wait() == 0


def test_a_kill_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    path = quick_fight(tmp_path)
    terminal = Terminal(path, "dumb")
    terminal.until(b">")
    terminal.type(b"damage ghoul-1 3\r")
    terminal.until(b"left")
    terminal.process.kill()
    assert terminal.wait() == -signal.SIGKILL
    with OpenEncounter.open(path) as fight:
        assert fight.entries[-1].command == "damage ghoul-1 3"


@pytest.mark.parametrize("term", [None, "xterm", "dumb"])
def test_windows_completes_words_though_it_names_no_terminal(
    term: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TERM is not set there, and that is no dumb terminal."""
    monkeypatch.setattr(play, "ON_WINDOWS", True)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(sys, stream, SimpleNamespace(isatty=lambda: True, buffer=None))
    monkeypatch.delenv("TERM", raising=False)
    if term is not None:
        monkeypatch.setenv("TERM", term)
    completes = lambda: "a line"  # noqa: E731
    monkeypatch.setattr(play, "_prompt_toolkit_reader", lambda _: completes)
    read_line, remark = play._line_reader(SimpleNamespace())  # type: ignore[arg-type]
    assert (read_line is completes, remark) == (term != "dumb", "")


def test_what_is_no_proposal_is_told_of_once_and_left(asked: Path) -> None:
    nested = asked.with_suffix(".inbox") / "waiting" / "beef.toml"
    nested.write_text(f"a = {'[' * 2000}", "utf-8")
    begun, done, none = told(asked, "accept", "note x")
    line = "Not proposals from phones, so left in ford.inbox: waiting/beef.toml."
    assert begun.count(line) == 1
    assert done[0] == "Mira strikes Ghoul 1, strong 5 slashing."
    assert none == ["Note: x."] and nested.exists()
