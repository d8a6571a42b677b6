"""The first lines that somebody types: what begins a fight, opens a campaign, and asks for help."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.said import Run, refused
from tests.store.importers.files import MARSH_CRAB

from affray import cli
from affray.cli import COMMANDS
from affray.store import LogError
from affray.store.campaigns.manage import create_campaign
from affray.store.log_file import LogFile
from affray.store.open_encounter import OpenEncounter

ROOT = Path(__file__).parents[2]


@pytest.fixture
def campaigns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of campaigns, with one, The Salt Road; the process is beside it."""
    home = tmp_path / "campaigns"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(home))
    create_campaign("The Salt Road", "plain")
    return home


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path | None]:
    """The campaigns at which the screen was opened."""
    seen: list[Path | None] = []

    def screen(*_: object, campaign: Path | None = None, **__: object) -> int:
        seen.append(campaign)
        return 0

    monkeypatch.setattr(cli, "_has_screen", lambda: True)
    monkeypatch.setattr(cli, "_run_screen", screen)
    return seen


# -- a new fight or campaign -----------------------------------------------------------------------


def test_a_new_campaign_needs_its_name(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "expected a name" in refused(run, "new", "campaign")
    assert list(tmp_path.iterdir()) == []


def test_a_new_fight_is_a_toml_file(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "the-mill")[:2] == (0, "the-mill.toml: The Mill\n")
    assert "exists already" in refused(run, "new", "the-mill")
    assert run("new", "gate.log")[:2] == (0, "gate.log: Gate\n"), "an ending of one's own stays"


@pytest.mark.skipif(sys.platform == "win32", reason="a folder that is in use stays there")
@pytest.mark.parametrize(
    "words", [("new", "x"), ("new", "x.toml"), ("do", "x.toml", "next"), ("quick", "ghoul")]
)
def test_in_a_folder_that_is_gone_one_line_says_so(
    words: tuple[str, ...],
    tmp_path: Path,
    process: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = "import os, sys; os.rmdir(os.getcwd()); from affray.cli import main; sys.exit(main())"
    done = process("-c", line, *words, cwd=gone)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("affray: ")


@pytest.mark.parametrize("short", ["mm", "m&m", "MM"])
def test_a_short_name_of_a_game_leads_to_its_id(short: str, tmp_path: Path, run: Run) -> None:
    told = refused(run, "new", tmp_path / "x.toml", "--ruleset", short)
    assert told.endswith("; did you mean monsters-and-magic?\n")
    assert "there are" in refused(run, "new", tmp_path / "x.toml", "--ruleset", "ferret")


# -- what is only looked at, or refused ------------------------------------------------------------


@pytest.mark.parametrize("content", [b"# Notes\n", b"\x7fELF\x00\xff", b"", b'a = "b"\n'])
def test_a_file_that_is_refused_gets_no_lock(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(content)
    with pytest.raises(LogError):
        OpenEncounter.open_or_view(path)
    with pytest.raises(LogError):
        LogFile.open(path)
    assert [each.name for each in tmp_path.iterdir()] == ["notes.md"]


def test_a_fight_that_is_only_looked_at_gets_no_lock(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "later.toml"
    path.write_text('format = 1\ntitle = "x"\nruleset = "of-another-affray"\n', "utf-8")
    seen = OpenEncounter.open_or_view(path)
    assert seen.read_only and [each.name for each in tmp_path.iterdir()] == ["later.toml"]
    seen.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs rights of Unix")
def test_a_fight_that_may_not_be_written_gets_no_lock(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ford.toml"
    run("new", path)
    Path(f"{path}.lock").unlink()
    real = os.open

    def readable(name: object, flags: int, *more: int, **others: int) -> int:
        if flags & os.O_WRONLY and str(name) == str(path):
            raise PermissionError(13, "Permission denied", str(path))
        return real(name, flags, *more, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", readable)
    seen = OpenEncounter.open_or_view(path)
    assert "can't be written" in seen.read_only
    assert [each.name for each in tmp_path.iterdir()] == ["ford.toml"]
    seen.close()


# -- a campaign as FILE ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "named", ["campaigns/the-salt-road", "The Salt Road", "the-salt-road", "the salt road"]
)
def test_a_campaign_opens_by_its_folder_or_its_name(
    named: str, campaigns: Path, opened: list[Path | None], run: Run
) -> None:
    assert run(named)[0] == 0
    [folder] = opened
    assert folder is not None and folder.samefile(campaigns / "the-salt-road")
    assert "is a campaign" in refused(run, named, "--serve")


def test_any_other_folder_says_what_to_open(
    campaigns: Path, opened: list[Path | None], run: Run
) -> None:
    said = refused(run, "campaigns")
    assert f"such as `affray {Path('campaigns', 'the-salt-road')}`" in said
    (campaigns.parent / "other").mkdir()
    assert "is a folder, not a campaign: open a file" in refused(run, "other")
    assert "there is no file The Pepper Road" in refused(run, "The Pepper Road")
    assert opened == []


# -- help ------------------------------------------------------------------------------------------


def test_help_is_a_word_as_well(run: Run) -> None:
    assert run("help") == run("--help")
    for command in COMMANDS:
        assert run("help", command) == run(command, "--help")
    assert "did you mean import?" in refused(run, "help", "imprt")
    assert "there are demo, do, play" in refused(run, "help", "zzz")


@pytest.mark.parametrize(
    ("rules", "said", "meant"),
    [
        ("monsters-and-magic", "attack", "strike"), ("orcus", "strike", "attack"),
        ("plain", "kill", "damage or leave"), ("5e", "wait", "delay or ready"),
        ("orcus", "pass", "next"), ("plain", "end turn", "next"), ("5e", "space", "next"),
        ("monsters-and-magic", "monster Ghoul", "add monster"),
    ],
)  # fmt: skip
def test_what_people_say_leads_to_the_command_of_the_game(
    rules: str, said: str, meant: str, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / "x.toml"
    run("new", path, "--ruleset", rules)
    told = refused(run, "do", path, said)
    assert "did you mean" in told and any(word in told for word in meant.split(" or ")), told


def test_a_refused_sheet_says_which_game_has_no_such_number(campaigns: Path, run: Run) -> None:
    """Monsters & Magic's line in a campaign that is of another game."""
    create_campaign("The Moor", "orcus")
    path = campaigns / "the-moor" / "encounters" / "x.toml"
    run("new", path)
    told = refused(run, "do", path, "add pc Mira hp 24 ac 2 cunning 3 luck 2 pb 1")
    assert "expected one of its numbers in Orcus, found 'cunning'" in told


# -- import and export -----------------------------------------------------------------------------


def test_several_files_are_imported_in_one_step(campaigns: Path, run: Run) -> None:
    for name in ("Ann", "Bob", "Cur"):
        Path(f"{name}.json").write_text(json.dumps(MARSH_CRAB | {"Name": name}), "utf-8")
    status, out, _ = run("import", "Ann.json", "Bob.json", "Cur.json", "--into", "The Salt Road")
    assert status == 0 and "3 creatures into bestiary.toml" in out
    assert out.splitlines()[-1].startswith("Imported into The Salt Road (")
    assert "there is no file gone.json" in refused(
        run, "import", "Ann.json", "gone.json", "--into", "The Salt Road"
    )


def test_a_campaign_restored_beside_itself_has_another_name(campaigns: Path, run: Run) -> None:
    run("export", "The Salt Road")
    for number in (2, 3):
        status, out, _ = run("import", "the-salt-road.export.toml")
        folder = campaigns / f"the-salt-road-{number}"
        assert status == 0 and out.splitlines() == [
            f"there is a campaign 'The Salt Road' already: this one is 'The Salt Road {number}'",
            f"Restored The Salt Road {number} ({folder})",
        ]
    assert run("check", "The Salt Road 2")[0] == 0


# -- scripts ---------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pipe whose reader is gone")
@pytest.mark.parametrize("name", ["season", "discord_recap"])
def test_a_sample_script_ends_when_nobody_reads_on(name: str) -> None:
    folder = ROOT / "campaigns" / "drowned-vale"
    log = next((folder / "encounters").glob("*.toml"))
    words = {"season": [str(folder)], "discord_recap": [str(log), "--dry-run"]}[name]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "scripts" / f"{name}.py"), *words],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
