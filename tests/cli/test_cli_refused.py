"""What a user of the command line gets wrong costs one line, and changes nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.cli.said import Run, refused

from affray.store.log_file import LogFile
from affray.store.open_encounter import OpenEncounter

COMMANDS_WITH_A_FILE = [("do", "next"), ("show",), ("log",), ("check",)]


@pytest.mark.parametrize("command", COMMANDS_WITH_A_FILE, ids=lambda c: c[0])
def test_a_missing_file_a_folder_and_what_is_no_log(
    command: tuple[str, ...], tmp_path: Path, run: Run
) -> None:
    name, *rest = command
    assert "there is no file" in refused(run, name, tmp_path / "gone.toml", *rest)
    assert "folder" in refused(run, name, tmp_path, *rest)
    for content in (b"", b"\x00\xff\xfe", b"no toml at all", b"[[entry", b'a = "b"\n'):
        other = tmp_path / "other.toml"
        other.write_bytes(content)
        assert str(other) in refused(run, name, other, *rest)
        assert other.read_bytes() == content
    assert {path.name for path in tmp_path.iterdir()} <= {"other.toml", "other.toml.lock"}


@pytest.mark.parametrize("command", COMMANDS_WITH_A_FILE, ids=lambda c: c[0])
def test_a_later_format_is_refused_by_name(
    command: tuple[str, ...], tmp_path: Path, run: Run
) -> None:
    path = tmp_path / "later.toml"
    path.write_text('format = 9\ntitle = "x"\nruleset = "monsters-and-magic"\n', "utf-8")
    assert "format 9" in refused(run, command[0], path, *command[1:])


def test_a_damaged_middle_names_its_line_and_nothing_is_touched(ford: Path, run: Run) -> None:
    text = ford.read_text("utf-8").replace('command = "init mira 12"', "command = init mira 12")
    ford.write_text(text, "utf-8")
    line = text[: text.index("command = init mira")].count("\n") + 1
    assert f"line {line}" in refused(run, "do", ford, "next")
    status, out, err = run("check", ford)
    assert (status, err.count("\n")) == (2, 1) and f"line {line}" in err
    assert "entries 1 to 4 are intact" in out and "entries 6 to 8 are intact" in out
    assert ford.read_text("utf-8") == text
    shown = json.loads(run("show", ford, "--json")[1])
    assert shown["entries"] == 4, "what is whole can be looked at"


def test_a_file_that_another_process_plays_can_be_read_but_not_written(
    ford: Path, run: Run
) -> None:
    with LogFile.open(ford):
        assert "open for writing elsewhere" in refused(run, "do", ford, "next")
        assert run("show", ford)[0] == run("log", ford)[0] == run("check", ford)[0] == 0
    assert run("do", ford, "next")[0] == 0


WRONG = {
    "an unknown command": ("strik ghoul-1 strong 5", "did you mean strike"),
    "an unknown name": ("strike goul strong 5", "ghoul"),
    "two that a name could be": ("strike ghoul strong 5", "ghoul-1 or ghoul-2"),
    "no such number": ("strike 9 strong 5", "from 1 to 4"),
    "a wrong number": ("strike ghoul-1 strong many", "'many'"),
    "a number out of bounds": ("disengage fatigue 3", "from 0 to 2"),
    "an impossible die": ("strike ghoul-1 natural 21 5", "1 to 20"),
    "an unknown condition": ("inflict ghoul-1 sleepy", "a condition"),
    "a mistyped damage type": ("damage ghoul-1 5 slahsing", "did you mean slashing"),
    "words left out": ("damage", "usage: damage"),
    "words too many": ("next please", "'please'"),
    "not your turn": ("dodge by mira", "it is Brannoc's turn"),
    "no reaction to take": ("react shout ghoul-1", "a reaction"),
    "nothing to redo": ("redo", "nothing to redo"),
    "more undo than there is": ("undo 99", "only 8"),
    "no such entry": ("goto 99", "no entry 99"),
    "a lone quote": ('note "half', "never closed"),
    "nothing at all": ("", "expected a command"),
    "no creature of that name": ("add monster", "a name"),
    "no HP": ("add monster Rat cr 1", "hp"),
    "nobody to ask about": ("why nobody hp", "nobody"),
    "nothing to ask about": ("why mira teeth", "teeth"),
}


@pytest.mark.parametrize("line,said", WRONG.values(), ids=WRONG)
def test_a_wrong_command_costs_one_line_and_nothing_else(
    line: str, said: str, ford: Path, run: Run
) -> None:
    before = ford.read_bytes()
    assert said in refused(run, "do", ford, line)
    assert ford.read_bytes() == before


def test_no_action_points_left(ford: Path, run: Run) -> None:
    run("do", ford, "strike ghoul-1 miss", "strike ghoul-1 miss")
    assert "0 AP left, needs 3" in refused(run, "do", ford, "strike ghoul-1 strong 5")


def test_a_file_that_is_gone_meanwhile_or_may_not_be_written(ford: Path, run: Run) -> None:
    if os.name == "posix" and os.geteuid() != 0:
        ford.chmod(0o444)
        assert "can't be written" in refused(run, "do", ford, "next")
        ford.chmod(0o644)
    with OpenEncounter.open(ford) as fight:
        ford.unlink()
        with pytest.raises(Exception, match=r"was NOT saved: .* is gone; all its content"):
            fight.do("next")


@pytest.mark.parametrize(
    "arguments,said",
    [
        (["shwo", "x.toml"], "did you mean show"),
        (["gone.toml"], "there is no file gone.toml"),
        (["show"], "FILE"),
        (["show", "x.toml", "--wat"], "--wat"),
        (["show", "x.toml", "--at", "many"], "many"),
        (["do", "x.toml", "--seed", "six", "next"], "six"),
        (["--wat"], "--wat"),
        (["roll"], "EXPR"),
        (["--theme", "nord", "show", "x.toml"], "show must come first"),
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_costs_one_line(arguments: list[str], said: str, run: Run) -> None:
    assert said in refused(run, *arguments)


@pytest.mark.parametrize("typed", ["frod.toml", "ford", "frod"])
def test_a_misspelt_fight_is_told_with_the_one_beside_it(typed: str, ford: Path, run: Run) -> None:
    (ford.parent / "the-mill.toml").touch()
    said = refused(run, ford.with_name(typed)).rstrip()
    assert said.endswith(f"begins one; did you mean {ford}?")


def test_without_a_terminal_the_screen_is_refused(ford: Path, run: Run) -> None:
    assert "needs a terminal" in refused(run, ford)
    assert "needs a terminal" in refused(run)
