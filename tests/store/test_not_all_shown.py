"""What is shown of a log that is not whole, or without its rules, says so beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.store.ford import RULES, create, two_entries

from affray.cli import main
from affray.core.parser.errors import Refused
from affray.store import log_file
from affray.store.campaigns.summaries import summary
from affray.store.entry_toml import format_entry, format_header
from affray.store.log_file import read_log
from affray.store.log_repair import repaired_name
from affray.store.open_encounter import OpenEncounter

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line: (status, standard output, standard error)."""

    def ran(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    return ran


def damaged(raw: bytes) -> bytes:
    """Zeros in the place of the second entry's beginning."""
    at = raw.index(b"[[entry]]", raw.index(b"seq = 1\n")) + 12
    return raw[:at] + bytes(30) + raw[at + 30 :]


def torn(raw: bytes) -> bytes:
    return raw[:-9]


def later(raw: bytes) -> bytes:
    return raw + format_entry({"command": "x", "events": [{"event": "transmuted"}]}, 5)


def gap(raw: bytes) -> bytes:
    parts = raw.split(b"\n[[entry]]")
    return b"\n[[entry]]".join(parts[:2] + parts[3:])


NOT_ALL: dict[str, tuple[Callable[[bytes], bytes], str, int]] = {
    "damaged": (damaged, "is damaged at line ", 2),
    "torn": (torn, "an unfinished entry (", 2),
    "later": (later, "an event 'transmuted' that this affray doesn't know", 2),
    "gap": (gap, "entry 2 is missing before line ", 0),
}


@pytest.fixture(params=NOT_ALL)
def broken(request: pytest.FixtureRequest, path: Path) -> tuple[Path, str, int]:
    """A fight of which not all is there, what is said of it, and the status of `check`."""
    hurt, said, status = NOT_ALL[request.param]
    path.write_bytes(hurt(path.read_bytes()))
    return path, said, status


COMMANDS = (("show",), ("show", "--json"), ("log",), ("log", "--all"))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_what_is_shown_of_a_log_that_is_not_whole_is_said_not_to_be_all(
    command: tuple[str, ...], broken: tuple[Path, str, int], run: Run
) -> None:
    path, said, status = broken
    found, out, err = run(*command, path)
    assert err.startswith("affray: part of the log is missing: ") and err.count("\n") == 1
    assert said in err
    assert found == status == run("check", path)[0]
    if "--json" in command:
        assert json.loads(out)["title"] == "The Ford"
    else:
        assert "Mira" in out


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_rehearsal_on_a_log_that_is_not_whole_says_so(
    options: tuple[str, ...], broken: tuple[Path, str, int], run: Run
) -> None:
    path, said, status = broken
    found, out, err = run("do", path, "--dry-run", *options, "note x")
    assert err.startswith("affray: part of the log is missing: ") and err.count("\n") == 1
    assert said in err and "Note: x" in out
    assert found == status
    if options:
        assert json.loads(out)["results"][0]["summary"] == "Note: x"


@pytest.mark.parametrize("command", [*COMMANDS, ("do", "--dry-run")], ids=" ".join)
def test_nothing_is_said_of_a_log_that_is_whole(
    command: tuple[str, ...], path: Path, run: Run
) -> None:
    more = ["note x"] if command[0] == "do" else []
    assert run(*command, path, *more)[::2] == (0, "")


def test_damage_and_a_gap_before_it_are_said_in_one_line(path: Path, run: Run) -> None:
    with OpenEncounter.open(path) as fight:
        fight.do("note five")
    path.write_bytes(gap(path.read_bytes()).replace(b'"note five"', b"?"))
    _, _, err = run("show", path)
    assert "is damaged at line" in err and "; entry 2 is missing" in err and err.count("\n") == 1


def test_an_edit_by_hand_is_all_there_is(path: Path, run: Run) -> None:
    path.write_bytes(path.read_bytes().replace(b'"Ghoul"', b'"Ghast"'))
    assert run("show", path)[::2] == (0, "")
    status, _, err = run("do", path, "--dry-run", "note x")
    assert status == 0 and "edited by hand" in err


def test_who_reads_in_the_middle_of_a_write_reads_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, read = path.read_bytes(), log_file._read

    def in_the_middle(name: Any) -> Any:
        path.write_bytes(whole[:-9])
        found = read(name)
        path.write_bytes(whole)
        monkeypatch.undo()
        return found

    monkeypatch.setattr(log_file, "_read", in_the_middle)
    assert read_log(path).torn is None
    path.write_bytes(whole[:-9])
    assert read_log(path).torn is not None


def test_a_file_that_never_stands_still_is_read_as_it_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, read, times = path.read_bytes(), log_file._read, []

    def unsteady(name: Any) -> Any:
        path.write_bytes(whole[: -9 - len(times)])
        times.append(name)
        found = read(name)
        path.write_bytes(whole[:-30])
        return found

    monkeypatch.setattr(log_file, "_read", unsteady)
    assert read_log(path).torn is not None
    assert len(times) == 3


# --- a rule system that is not installed ----------------------------------------------------------


@pytest.fixture
def foreign(path: Path) -> Path:
    """The fight, under a rule system that nobody has."""
    raw = path.read_bytes().replace(f'"{RULES}"'.encode(), b'"orkus"')
    lines = [line for line in raw.split(b"\n", 6) if not line.startswith(b"sum")]
    path.write_bytes(b"\n".join(lines))
    return path


SAID = "no ruleset 'orkus'; did you mean orcus?; shown without its rules"


def test_a_fight_of_rules_that_are_not_installed_can_be_told(foreign: Path, run: Run) -> None:
    status, out, err = run("log", foreign)
    assert (status, err) == (0, f"affray: {SAID}\n")
    assert [line.split()[0] for line in out.splitlines()] == ["1", "2", "3", "4"]
    assert "Mira" in out


def test_a_fight_of_rules_that_are_not_installed_can_be_shown(foreign: Path, run: Run) -> None:
    status, out, err = run("show", foreign, "--json")
    assert (status, err) == (0, f"affray: {SAID}\n")
    shown = json.loads(out)
    assert shown["ruleset"] == "orkus"
    assert shown["combatants"][0]["tracks"]["hp"] == {"value": 20, "max": 20}
    assert "Mira" in run("show", foreign)[1]


def test_a_fight_of_rules_that_are_not_installed_is_checked_and_repaired(
    foreign: Path, run: Run
) -> None:
    status, out, _ = run("check", foreign)
    assert status == 0
    assert out == f"{SAID}\n{foreign}: intact, 4 entries\n"
    foreign.write_bytes(damaged(foreign.read_bytes()))
    assert run("check", foreign, "--repair")[0] == 0
    assert len(read_log(repaired_name(foreign)).blocks) == 4


def test_a_fight_of_rules_that_are_not_installed_is_not_played(foreign: Path, run: Run) -> None:
    raw = foreign.read_bytes()
    with pytest.raises(Refused, match="no ruleset 'orkus'"):
        OpenEncounter.open(foreign)
    with OpenEncounter.open_or_view(foreign) as fight:
        assert "no ruleset 'orkus'" in fight.read_only
    with (
        OpenEncounter.view(foreign) as fight,
        pytest.raises(Refused, match="no ruleset 'orkus'"),
    ):
        fight.do_in_memory("note x")
    status, out, err = run("do", foreign, "--dry-run", "note x")
    assert (status, out) == (2, "") and "shown without its rules" in err
    assert foreign.read_bytes() == raw


def test_a_list_marks_a_fight_of_rules_that_are_not_installed(foreign: Path) -> None:
    found = summary(foreign)
    assert (found.title, found.problem) == ("The Ford", "no ruleset 'orkus'; did you mean orcus?")


# --- a house rule that is gone --------------------------------------------------------------------

SOGGY = '[effects.soggy]\nkind = "condition"\nimplies = ["weakened"]\n'


@pytest.fixture
def soggy(tmp_path: Path) -> Path:
    """A fight in a campaign, with two who have what only a house rule of it knows."""
    path = tmp_path / "vale" / "encounters" / "one.toml"
    path.parent.mkdir(parents=True)
    (tmp_path / "vale" / "rules.toml").write_text(SOGGY, "utf-8")
    with create(path) as fight:
        for line in ("add pc Mira hp 20", "add monster Ghoul hp 18", "start"):
            fight.do(line)
        fight.do("inflict mira soggy")
        fight.do("inflict ghoul soggy")
        fight.do('forward mira +2 "next attack"')
    return path


def test_a_house_rule_that_is_gone_is_told_in_one_line_with_whom_it_concerns(
    soggy: Path, run: Run
) -> None:
    with OpenEncounter.open(soggy) as fight:
        assert fight.notes == ()
    (soggy.parent.parent / "rules.toml").unlink()
    said = (
        "there is no rule for soggy on Mira and Ghoul, so it does nothing: "
        "was it from the campaign's house rules?"
    )
    with OpenEncounter.open(soggy) as fight:
        assert fight.notes == (said,)
        fight.do("remove mira soggy")
        fight.do("remove ghoul soggy")
    with OpenEncounter.open(soggy) as fight:
        assert fight.notes == ()
        fight.do("undo 2")
    assert run("show", soggy)[::2] == (0, f"affray: {said}\n")
    assert run("do", soggy, "note x")[2] == f"affray: {said}\n"


def test_effects_that_never_have_a_rule_are_none_that_is_gone(tmp_path: Path) -> None:
    path = two_entries(tmp_path)
    with OpenEncounter.open(path) as fight:
        fight.do('forward ghoul +2 "next attack"')
    with OpenEncounter.open(path) as fight:
        assert fight.state["ghoul"].effects and fight.notes == ()


def test_a_header_alone_is_a_fight_with_nothing_to_say(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(format_header({"format": 1, "title": "X", "ruleset": RULES}))
    with OpenEncounter.view(path) as fight:
        assert (fight.lacks, fight.rules_note) == ("", "")
