"""The command line without the screen: DESIGN §4 as a person or a script meets it."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import affray
from affray.cli import main
from affray.store.encounter import OpenEncounter
from affray.store.log_file import LogFile

Run = Callable[..., tuple[int, str, str]]

SETUP = (
    "add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2",
    "add pc Mira hp 24 ac 2 cunning 3 luck 2 pb 1",
    "add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing",
    "init brannoc 17",
    "init mira 12",
    "init ghoul-1 10",
    "init ghoul-2 9",
    "start",
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in this process: (status, standard output, standard error)."""

    def ran(*arguments: object) -> tuple[int, str, str]:
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as ended:  # argparse: --help, --version and mistakes
            status = int(ended.code or 0)
        said = capsys.readouterr()
        return status, said.out, said.err

    return ran


@pytest.fixture
def ford(tmp_path: Path, run: Run) -> Path:
    """A fight in its first round, Brannoc's turn."""
    path = tmp_path / "ford.toml"
    assert run("new", path, "--title", "Ambush at the Ford")[0] == 0
    assert run("do", path, *SETUP)[0] == 0
    return path


def refused(run: Run, *arguments: object) -> str:
    """Runs what must be refused; gives its one line."""
    status, out, err = run(*arguments)
    assert status == 2, (out, err)
    assert out == ""
    assert err.startswith("affray: ") and err.count("\n") == 1 and err.endswith("\n"), err
    assert "Traceback" not in err
    return err


# --- new, do, show, log, check, roll --------------------------------------------------------------


def test_new_makes_a_file_that_is_an_encounter(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "the-old-mill.toml"
    status, out, err = run("new", path)
    assert (status, err) == (0, "")
    assert "The Old Mill" in out
    shown = json.loads(run("show", path, "--json")[1])
    assert (shown["title"], shown["phase"], shown["entries"]) == ("The Old Mill", "setup", 0)
    assert shown["ruleset"] == "monsters-and-magic"
    assert shown["undo"] is None and shown["redo"] is None and shown["turn"] is None


def test_new_replaces_nothing(ford: Path, run: Run) -> None:
    before = ford.read_bytes()
    assert "exists already" in refused(run, "new", ford)
    assert ford.read_bytes() == before


def test_new_with_an_unknown_ruleset_names_what_there_is(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "x.toml"
    said = refused(run, "new", path, "--ruleset", "monsters-and-majic")
    assert "did you mean monsters-and-magic?" in said
    assert not path.exists()


def test_new_in_a_campaign_takes_its_ruleset(tmp_path: Path, run: Run) -> None:
    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "nowhere"\n')
    assert "no ruleset 'nowhere'" in refused(run, "new", tmp_path / "encounters" / "x.toml")


def test_do_prints_one_line_for_each_command(ford: Path, run: Run) -> None:
    status, out, err = run("do", ford, "strike ghoul-1 strong 8 slashing", "next")
    assert (status, err) == (0, "")
    first, second = out.splitlines()
    assert first.startswith("Brannoc strikes Ghoul 1, strong 8 slashing")
    assert "12 left" in first
    assert second.startswith("Brannoc's turn ends; Mira is up")


def test_do_reads_standard_input_and_passes_over_comments(
    ford: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "# round one\n\nstrike ghoul-1 strong 8\n   next\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    status, out, _ = run("do", ford)
    assert (status, len(out.splitlines())) == (0, 2)


def test_do_flushes_each_line_after_it_is_saved(
    ford: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    class Out(io.StringIO):
        def flush(self) -> None:
            seen.append(self.getvalue().count("\n") == ford.read_text("utf-8").count('"note ') > 0)

    monkeypatch.setattr(sys, "stdout", Out())
    run("do", ford, "note one", "note two")
    assert seen[:2] == [True, True]


def test_do_stops_at_the_first_that_is_refused_and_keeps_what_came_before(
    ford: Path, run: Run
) -> None:
    status, out, err = run("do", ford, "note first", "strik ghoul-1", "note third")
    assert status == 2
    assert out.splitlines() == ["Note: first"]
    assert err.startswith("affray: 'strik' is no command; did you mean strike")
    assert [line.split(maxsplit=1)[1] for line in run("log", ford)[1].splitlines()][-1] == (
        "Note: first"
    )


def test_do_json_has_results_and_the_state(ford: Path, run: Run) -> None:
    _, out, _ = run("do", ford, "--json", "strike ghoul-1 natural 15 8 slashing", "why ghoul-1 hp")
    told = json.loads(out)
    assert set(told) == {"results", "state"}
    first, second = told["results"]
    assert set(first) == {"command", "summary", "events"}
    assert first["command"] == "strike ghoul-1 natural 15 8 slashing"
    rolled = next(e for e in first["events"] if e["event"] == "rolled")
    assert (rolled["natural"], rolled["total"], rolled["outcome"]) == (15, 19, "strong")
    assert second["events"] == [] and "18" in second["summary"]
    assert told["state"] == json.loads(run("show", ford, "--json")[1])


def test_do_json_tells_what_was_done_before_a_refusal(ford: Path, run: Run) -> None:
    status, out, err = run("do", ford, "--json", "note kept", "nonsense")
    assert status == 2 and err.count("\n") == 1
    assert [r["command"] for r in json.loads(out)["results"]] == ["note kept"]


def test_a_seed_makes_the_dice_fall_the_same_way(tmp_path: Path, run: Run) -> None:
    told = []
    for name in ("one.toml", "two.toml"):
        path = tmp_path / name
        run("new", path, "--title", "Same")
        run("do", path, *SETUP)
        told.append(run("do", path, "--seed", "5", "strike ghoul-1 roll 6", "init roll all"))
    assert told[0] == told[1]


def test_a_dry_run_shows_everything_and_saves_nothing(ford: Path, run: Run) -> None:
    before = ford.read_bytes()
    status, out, _ = run("do", ford, "--dry-run", "strike ghoul-1 strong 8", "next", "undo")
    assert (status, len(out.splitlines())) == (0, 3)
    assert "12 left" in out
    assert ford.read_bytes() == before
    state = json.loads(run("do", ford, "--dry-run", "--json", "next")[1])["state"]
    assert state["turn"] == "mira"
    assert json.loads(run("show", ford, "--json")[1])["turn"] == "brannoc"


def test_a_dry_run_needs_no_lock(ford: Path, run: Run) -> None:
    with LogFile.open(ford):
        assert run("do", ford, "--dry-run", "next")[0] == 0


def test_show_json_is_the_contract(ford: Path, run: Run) -> None:
    run("do", ford, "strike ghoul-1 strong 8 slashing", "inflict brannoc weakened from ghoul-1")
    shown = json.loads(run("show", ford, "--json")[1])
    assert shown["format"] == 1
    assert (shown["phase"], shown["round"], shown["turn"]) == ("combat", 1, "brannoc")
    assert shown["order"] == ["brannoc", "mira", "ghoul-1", "ghoul-2"]
    assert shown["gm"] == {"threads": 0} and shown["clocks"] == []
    assert shown["undo"] == "Brannoc is weakened" and shown["redo"] is None
    brannoc = shown["combatants"][0]
    assert brannoc["tracks"]["hp"] == {"value": 30, "max": 30}
    assert brannoc["tracks"]["temp_hp"] == {"value": 0}
    assert brannoc["tracks"]["ap"] == {"value": 2, "max": 3}
    (weakened,) = brannoc["effects"]
    assert weakened == {
        "name": "weakened",
        "kind": "condition",
        "source": "ghoul-1",
        "until": "end of brannoc's next turn",
        "modifiers": {"check": -2},
    }
    assert brannoc["totals"] == {"check": -2, "attack": -2, "ac": 4, "speed": 30}
    options = {o["technique"]: o for o in brannoc["options"]}
    assert options["strike"] == {"technique": "strike", "cost": {"ap": 2}, "available": True}
    assert options["regroup"]["reason"] == "2 AP left, needs 3"


def test_show_for_people_and_as_it_was(ford: Path, run: Run) -> None:
    run("do", ford, "strike ghoul-1 strong 8 slashing")
    _, out, _ = run("show", ford)
    assert "Ambush at the Ford" in out and "Round 1" in out and "HP 12/18" in out
    assert "HP 18/18" in run("show", ford, "--at", "8")[1].split("Ghoul 1")[1].splitlines()[0]
    assert json.loads(run("show", ford, "--json", "--at", "0")[1])["combatants"] == []
    assert "no entry 99" in refused(run, "show", ford, "--at", "99")


def test_log_tells_the_way_taken_and_all_ways(ford: Path, run: Run) -> None:
    run("do", ford, "note left", "undo", "note taken")
    told = run("log", ford)[1]
    assert "note: taken" in told.casefold() and "left" not in told
    everything = run("log", ford, "--all")[1]
    marked = [line for line in everything.splitlines() if re.match(r" +\d+ - ", line)]
    assert len(marked) == 1 and "Note: left" in marked[0]
    assert "undo" in everything


def test_check_says_that_a_file_is_whole(ford: Path, run: Run) -> None:
    assert run("check", ford) == (0, f"{ford}: whole, 8 entries\n", "")


def test_check_finds_a_torn_end_and_touches_nothing(ford: Path, run: Run) -> None:
    torn = ford.read_bytes()[:-20]
    ford.write_bytes(torn)
    status, _, err = run("check", ford)
    assert status == 2 and "7 entries are whole" in err and err.count("\n") == 1
    assert ford.read_bytes() == torn


def test_do_on_a_torn_file_says_where_the_tail_went(ford: Path, run: Run) -> None:
    ford.write_bytes(ford.read_bytes()[:-20])
    status, out, err = run("do", ford, "note onward")
    assert (status, out) == (0, "Note: onward\n")
    assert "ford.toml.torn-1" in err and err.count("\n") == 1
    assert (ford.parent / "ford.toml.torn-1").is_file()


def test_roll_rolls(run: Run) -> None:
    assert re.fullmatch(r"2d6\+1 → \[\d, \d\] \d+\n", run("roll", "2d6+1")[1])
    assert run("roll", "--seed", "4", "4d6kh3") == run("roll", "4d6kh3", "--seed", "4")
    assert run("roll", "1d6", "up", "2", "--seed", "1")[0] == 0
    assert "character 3" in refused(run, "roll", "2dx")


def test_dice_are_rolled_beside_a_fight_in_the_same_words(ford: Path, run: Run) -> None:
    before = ford.read_bytes()
    status, out, _ = run("do", ford, "--seed", "4", "roll 4d6kh3")
    assert (status, out) == (0, run("roll", "--seed", "4", "4d6kh3")[1])
    told = json.loads(run("do", ford, "--seed", "4", "--json", "roll 4d6kh3")[1])
    assert told["results"] == [{"command": "roll 4d6kh3", "summary": out.strip(), "events": []}]
    assert "character 3" in refused(run, "do", ford, "roll 2dx")
    assert ford.read_bytes() == before


# --- what the user got wrong ----------------------------------------------------------------------

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
    path.write_text('format = 9\ntitle = "x"\nruleset = "monsters-and-magic"\n')
    assert "format 9" in refused(run, command[0], path, *command[1:])


def test_a_damaged_middle_names_its_line_and_nothing_is_touched(ford: Path, run: Run) -> None:
    text = ford.read_text("utf-8").replace('command = "init mira 12"', "command = init mira 12")
    ford.write_text(text, "utf-8")
    line = text[: text.index("command = init mira")].count("\n") + 1
    assert f"line {line}" in refused(run, "do", ford, "next")
    status, out, err = run("check", ford)
    assert (status, err.count("\n")) == (2, 1) and f"line {line}" in err
    assert "entries 1 to 4 are whole and sealed" in out and "entries 6 to 8 are whole" in out
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
        assert "may not be written" in refused(run, "do", ford, "next")
        ford.chmod(0o644)
    with OpenEncounter.open(ford) as fight:
        ford.unlink()
        with pytest.raises(Exception, match=r"was NOT saved: .* is gone; all that it held"):
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
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_costs_one_line(arguments: list[str], said: str, run: Run) -> None:
    assert said in refused(run, *arguments)


def test_without_a_terminal_the_screen_is_refused(ford: Path, run: Run) -> None:
    assert "needs a terminal" in refused(run, ford)
    assert "needs a terminal" in refused(run)


# --- help, and the whole program ------------------------------------------------------------------


def test_version_and_help(run: Run) -> None:
    assert run("--version") == (0, f"affray {affray.__version__}\n", "")
    status, out, _ = run("--help")
    assert status == 0
    for command in ("do", "show", "log", "check", "new", "roll"):
        assert re.search(rf"^ +{command} ", out, re.MULTILINE), command
        assert run(command, "--help")[0] == 0


def test_options_may_stand_before_or_behind_the_commands(ford: Path, run: Run) -> None:
    assert run("do", "--dry-run", ford, "next")[0] == 0
    assert run("do", ford, "next", "--dry-run")[0] == 0
    assert json.loads(run("show", "--json", ford)[1])["turn"] == "brannoc"


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., subprocess.CompletedProcess[str]]]:
    environment = {**os.environ, "PYTHONPATH": str(Path(affray.__file__).parents[1])}

    def ran(*arguments: object, **more: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment | {"PYTHONIOENCODING": "utf-8"},
            check=False,
            **more,
        )

    yield ran


def test_it_runs_as_a_module(ford: Path, process: Callable[..., Any]) -> None:
    told = process("-m", "affray", "do", ford, input="note one\nbogus\nnote two\n")
    assert (told.returncode, told.stdout) == (2, "Note: one\n")
    assert told.stderr.startswith("affray: 'bogus' is no command")
    assert told.stderr.count("\n") == 1


def test_whoever_stops_reading_breaks_nothing(ford: Path, process: Callable[..., Any]) -> None:
    script = (
        "import subprocess, sys\n"
        "run = subprocess.Popen([sys.executable, '-m', 'affray', 'log', sys.argv[1]],"
        " stdout=subprocess.PIPE, stderr=subprocess.PIPE)\n"
        "run.stdout.close()\n"
        "sys.exit(run.wait() or (1 if b'Traceback' in run.stderr.read() else 0))\n"
    )
    assert process("-c", script, ford).returncode == 0


def test_do_whose_reader_has_gone_says_what_was_saved(
    ford: Path, process: Callable[..., Any]
) -> None:
    saved = len(LogFile.open(ford).text.blocks)
    script = (
        "import subprocess, sys\n"
        "run = subprocess.Popen([sys.executable, '-m', 'affray', 'do', *sys.argv[1:]],"
        " stdout=subprocess.PIPE)\n"
        "run.stdout.close()\n"
        "sys.exit(run.wait())\n"
    )
    told = process("-c", script, ford, "note p1", "note p2", "note p3")
    assert told.returncode == 2
    assert told.stderr == (
        "affray: nobody reads what is printed any more; "
        f"entry {saved + 1} was saved, and nothing was done after that\n"
    )
    assert ford.read_text("utf-8").count('command = "note p') == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("command", ["show", "check", "do"])
def test_a_full_disk_behind_standard_output_costs_one_line(command: str, ford: Path) -> None:
    more = ["note a", "note b", "--json"] if command == "do" else []
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "affray", command, str(ford), *more],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert ran.returncode == 2
    assert ran.stderr.startswith("affray: standard output can't be written (No space left")
    assert ran.stderr.count("\n") == 1
    assert (" were saved\n" in ran.stderr) is (command == "do")


def test_do_without_standard_input_is_told_so(
    ford: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # as for `affray do FILE <&-`
    assert "it is closed" in refused(run, "do", ford)
    assert "needs a terminal" in refused(run, ford)


def test_standard_input_that_can_not_be_read_costs_one_line(
    ford: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(io.StringIO):
        def __next__(self) -> str:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", Broken())
    assert "standard input can't be read (Input/output error)" in refused(run, "do", ford)


_LOADED = """
import contextlib, io, json, sys
from affray.cli import main
for arguments in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()):
        status = main(arguments)
    assert status == 0, (arguments, status)
    loaded = {name.partition(".")[0] for name in sys.modules} & {"textual", "rich"}
    assert not loaded, (arguments, loaded)
"""


def test_no_headless_command_loads_the_screen(
    ford: Path, tmp_path: Path, process: Callable[..., Any]
) -> None:
    file = str(ford)
    calls = [
        ["show", file],
        ["show", file, "--json"],
        ["log", file, "--all"],
        ["check", file],
        ["do", file, "strike ghoul-1 strong 5", "why ghoul-1 hp", "undo"],
        ["do", file, "--dry-run", "--json", "next"],
        ["new", str(tmp_path / "other.toml")],
        ["roll", "2d6"],
    ]
    told = process("-c", _LOADED, json.dumps(calls))
    assert told.returncode == 0, told.stderr


def test_a_dry_run_tells_where_a_move_would_lead(ford: Path, run: Run) -> None:
    run("do", ford, "note one", "note two", "undo")
    _, out, _ = run("do", ford, "--dry-run", "undo 2", "redo 2", "goto 0")
    told = out.splitlines()
    assert told[0].startswith("takes back 2: Note: one; ")
    assert told[1].startswith("brings back 2: ") and told[1].endswith("; Note: one")
    assert told[2].startswith("back to the beginning · takes back ")
    status, _, err = run("do", ford, "--dry-run", "undo 101")
    assert status == 2 and "entries can be undone, not 101" in err
