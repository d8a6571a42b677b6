"""The command line without the screen, as a person or a script meets it."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest
from tests.cli.said import SETUP, Run, refused

import affray
from affray.store.log_file import LogFile


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


def test_new_campaign_makes_one_where_the_users_campaigns_are(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    status, out, err = run("new", "campaign", "The  Salt Road", "--ruleset", "orcus")
    assert (status, err) == (0, "") and str(tmp_path / "the-salt-road") in out
    assert (tmp_path / "the-salt-road" / "encounters").is_dir()
    about = (tmp_path / "the-salt-road" / "campaign.toml").read_text("utf-8")
    assert 'name = "The Salt Road"' in about and 'ruleset = "orcus"' in about
    assert "already a campaign" in refused(run, "new", "campaign", "The Salt Road")


def test_new_campaign_says_what_is_wrong_and_makes_nothing(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    assert "at least one letter" in refused(run, "new", "campaign", "?!")
    assert "did you mean orcus" in refused(run, "new", "campaign", "X", "--ruleset", "orcis")
    assert "`affray new campaign NAME`" in refused(run, "new", "campain", "X")
    assert "not --title" in refused(run, "new", "campaign", "X", "--title", "Y")
    assert list(tmp_path.iterdir()) == []


def test_new_in_a_campaign_takes_its_ruleset(tmp_path: Path, run: Run) -> None:
    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "nowhere"\n', "utf-8")
    assert "no ruleset 'nowhere'" in refused(run, "new", tmp_path / "encounters" / "x.toml")


def test_recap_tells_the_fight_as_markdown_or_as_a_page(ford: Path, run: Run) -> None:
    run("do", ford, "strike ghoul-1 strong 8 slashing", "note The ghouls are bait.")
    status, out, err = run("recap", ford)
    assert (status, err) == (0, "")
    assert out.startswith("# Ambush at the Ford\n")
    assert "- Brannoc strikes Ghoul 1, strong 8 slashing · Ghoul 1 −6 HP" in out
    assert "bait" in out
    status, out, err = run("recap", ford, "--html", "--players")
    assert (status, err) == (0, "")
    assert out.startswith("<!doctype html>") and out.endswith("</html>\n")
    assert "Ghoul 1 is hurt" in out and "bait" not in out


def test_recap_of_what_is_no_fight_is_one_line(tmp_path: Path, run: Run) -> None:
    assert "there is no file" in refused(run, "recap", tmp_path / "none.toml")


def test_export_and_import_bring_a_campaign_to_another_place(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "here"))
    run("new", "campaign", "The Vale")
    encounters = tmp_path / "here" / "the-vale" / "encounters"
    run("new", encounters / "ford.toml")
    assert run("export", "The Vale")[:2] == (0, "the-vale.export.toml: written\n")
    assert "exists already" in refused(run, "export", "The Vale")
    assert run("export", encounters / "ford.toml", "--to", "ford-to-go.toml")[0] == 0
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "there"))
    status, out, err = run("import", "the-vale.export.toml")
    assert (status, err) == (
        0,
        "",
    ) and out == f"Restored The Vale ({tmp_path / 'there' / 'the-vale'})\n"
    there = tmp_path / "there" / "the-vale" / "encounters"
    assert (there / "ford.toml").read_bytes() == (encounters / "ford.toml").read_bytes()
    assert run("import", "ford-to-go.toml", "--into", "the vale")[0] == 0
    assert (there / "ford-2.toml").is_file()


def test_export_of_what_is_not_there_says_what_is(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    run("new", "campaign", "The Vale")
    assert "did you mean The Vale" in refused(run, "export", "The Vail")
    assert not list(tmp_path.glob("*.toml"))


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
    assert status == 2 and err.count("\n") == 1 and "'nonsense' is no command" in err
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
    assert run("check", ford) == (0, f"{ford}: intact, 8 entries\n", "")


def test_check_finds_a_torn_end_and_touches_nothing(ford: Path, run: Run) -> None:
    torn = ford.read_bytes()[:-20]
    ford.write_bytes(torn)
    status, _, err = run("check", ford)
    assert status == 2 and "7 entries are intact" in err and err.count("\n") == 1
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


def test_the_numbers_of_an_answer_are_there_for_scripts(ford: Path, run: Run) -> None:
    (told,) = json.loads(run("do", ford, "--json", "clock expect 4d6")[1])["results"]
    assert (told["slow"], told["medium"], told["fast"]) == (12, 6, 4)
    assert told["command"] == "clock expect 4d6" and told["events"] == []


def test_a_dry_run_tells_where_a_move_would_lead(ford: Path, run: Run) -> None:
    run("do", ford, "note one", "note two", "undo")
    _, out, _ = run("do", ford, "--dry-run", "undo 2", "redo 2", "goto 0")
    told = out.splitlines()
    assert told[0].startswith("undoes 2: Note: one; ")
    assert told[1].startswith("redoes 2: ") and told[1].endswith("; Note: one")
    assert told[2].startswith("back to the beginning · undoes ")
    status, _, err = run("do", ford, "--dry-run", "undo 101")
    assert status == 2 and "entries can be undone, not 101" in err


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
