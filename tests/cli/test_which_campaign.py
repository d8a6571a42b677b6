"""Which campaign and which folder is meant on the command line; and what can't be meant."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path

import pytest
from tests.cli.said import Run, refused

from affray import rulesets
from affray.core.parser.errors import Refused
from affray.store.campaigns.manage import create_campaign


@pytest.fixture
def creature(tmp_path: Path) -> Path:
    file = tmp_path / "goblin.json"
    file.write_text(
        json.dumps([{"Name": "Goblin", "HP": {"Value": 7}, "AC": {"Value": 15}}]), "utf-8"
    )
    return file


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two folders of campaigns, with a campaign of one name in each."""
    both = [tmp_path / "one", tmp_path / "two"]
    made = []
    for home in both:
        monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(home))
        made.append(create_campaign("Vale", "level-up"))
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", os.pathsep.join(map(str, both)))
    return made


@pytest.mark.parametrize("command", ["import", "export"])
def test_of_two_campaigns_of_one_name_none_is_taken(
    command: str, homes: list[Path], creature: Path, run: Run
) -> None:
    given = ["import", creature, "--into", "Vale"] if command == "import" else ["export", "vale"]
    told = refused(run, *given)
    assert "several campaigns are called" in told and all(str(home) in told for home in homes)
    assert not any((home / "bestiary.toml").exists() for home in homes)


def test_the_folder_says_which_and_the_answer_where_it_went(
    homes: list[Path], creature: Path, run: Run
) -> None:
    status, out, _ = run("import", creature, "--into", homes[1])
    assert status == 0 and out.splitlines()[-1] == f"Imported into Vale ({homes[1]})"
    assert (homes[1] / "bestiary.toml").exists() and not (homes[0] / "bestiary.toml").exists()


def test_without_a_campaign_it_says_how_one_of_the_files_game_is_made(
    tmp_path: Path, creature: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "none"))
    told = refused(run, "import", creature)
    assert told.endswith(
        "say which campaign: --into CAMPAIGN; a campaign of 5e takes their own numbers: "
        "affray new campaign NAME --ruleset 5e\n"
    )
    (tmp_path / "note.txt").write_text("It rains.", "utf-8")
    assert "--ruleset" not in refused(run, "import", tmp_path / "note.txt")
    assert "--ruleset" not in refused(run, "import", creature, "--into", "Fens")


def test_an_import_prints_its_report_as_one_json_object(
    homes: list[Path], creature: Path, tmp_path: Path, run: Run
) -> None:
    status, out, err = run("import", creature, "--into", homes[0], "--json")
    told = json.loads(out)
    assert (status, err, told["format"], told["campaign"]) == (0, "", 1, str(homes[0]))
    assert told["creatures"] == ["Goblin"]
    assert json.loads(run("import", creature, "--into", homes[0], "--json")[1])["unchanged"] == [
        "Goblin"
    ]
    assert run("export", homes[0], "--to", tmp_path / "out.toml")[0] == 0
    assert "is an export" in refused(run, "import", tmp_path / "out.toml", "--json")


def test_one_campaign_by_two_ways_is_one(
    homes: list[Path], creature: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", os.pathsep.join([str(homes[0].parent)] * 2))
    assert run("import", creature, "--into", "Vale")[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use stays there")
def test_a_folder_that_was_deleted_is_said_to_be(
    tmp_path: Path, creature: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for given in (["quick", "ghoul"], ["import", creature]):
        assert "the current folder no longer exists" in refused(run, *given)


def test_a_ruleset_whose_package_lacks_its_tables_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    package = tmp_path / "bare_game"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from affray.rulesets import tables_of\nTABLES = tables_of(__name__)\n", "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Refused, match="bare_game came without its tables"):
        import_module("bare_game")

    class Entry:
        name, module = "bare-game", "bare_game"

        def load(self) -> object:
            return import_module("bare_game").TABLES

    monkeypatch.setattr(rulesets, "_installed", lambda: [Entry()])
    told = refused(run, "new", tmp_path / "fight.toml", "--ruleset", "bare-game")
    assert "came without its tables" in told and not (tmp_path / "fight.toml").exists()


def test_a_ruleset_that_is_not_there_is_answered_with_those_that_are(
    tmp_path: Path, run: Run
) -> None:
    told = refused(run, "new", tmp_path / "fight.toml", "--ruleset", "qqq")
    assert "there are monsters-and-magic, orcus, " in told
