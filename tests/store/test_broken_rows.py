"""What is wrong in a campaign's files is named by creature, field, file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.cli import main
from affray.core.parser.errors import Refused
from affray.store.campaigns.campaign_rules import Finding, findings, with_its_line
from affray.store.campaigns.manage import create_campaign, create_encounter
from affray.store.open_encounter import OpenEncounter

GAMES = {
    "monsters-and-magic": "hp = 9\ncr = 1\nac = 2\n",
    "orcus": "hp = 9\nac = 12\n",
    "level-up": "hp = 9\nac = 12\n",
    "5e": "hp = 9\nac = 12\n",
    "adventure-school": "hp = 9\nac = 12\n",
}
OGRE = '# people\n\n[rat]\n{game}\n[toll-ogre]\n{game}speed = "fast"\n'


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    made = create_campaign("Vale", game)
    (made / "bestiary.toml").write_text(OGRE.format(game=GAMES[game]), "utf-8")
    return made


def line_of_speed(folder: Path) -> int:
    lines = (folder / "bestiary.toml").read_text("utf-8").splitlines()
    return 1 + next(n for n, line in enumerate(lines) if line.startswith("speed"))


def test_a_broken_row_is_refused_by_creature_field_file_and_line(folder: Path) -> None:
    with OpenEncounter.open(create_encounter(folder, "Ford")) as fight:
        with pytest.raises(Refused) as refused:
            fight.do("add toll-ogre x2")
        where = f"bestiary.toml, line {line_of_speed(folder)}: toll-ogre, speed: expected speed"
        assert str(refused.value).startswith(where)
        assert "usage" not in str(refused.value)
        fight.do("add rat")
        with pytest.raises(Refused, match=r"expected one of .*found 'spede'.*usage"):
            fight.do("add rat spede 30")  # which no row says


def test_a_row_that_was_mended_is_read_again_by_the_open_fight(folder: Path) -> None:
    with OpenEncounter.open(create_encounter(folder, "Ford")) as fight:
        with pytest.raises(Refused, match="expected speed"):
            fight.do("add toll-ogre")
        file = folder / "bestiary.toml"
        file.write_text(file.read_text("utf-8").replace('"fast"', "40"), "utf-8")
        fight.do("add toll-ogre")
        assert fight["toll-ogre"].hp == 9


def test_a_character_whose_row_is_broken_is_named_among_the_party(folder: Path) -> None:
    (folder / "party.toml").write_text("[mira]\nhp = 9\n\n[odo]\nhp = 'many'\n", "utf-8")
    named = pytest.raises(Refused, match=r"^party\.toml, line \d: \w+")
    with OpenEncounter.open(create_encounter(folder, "Ford")) as fight, named:
        fight.do("add party")


def test_what_is_said_twice_names_creature_and_line(folder: Path) -> None:
    file = folder / "bestiary.toml"
    file.write_text("[rat]\nhp = '9 hp 10'\n", "utf-8")
    named = pytest.raises(Refused, match=r"^bestiary\.toml, line 2: rat, hp: hp is given twice")
    with OpenEncounter.open(create_encounter(folder, "Ford")) as fight, named:
        fight.do("add rat")


def test_a_text_needs_no_quotes_of_its_own_in_a_file(tmp_path: Path) -> None:
    from affray.core.commands.queries import preview_row
    from affray.store.campaigns.campaign_rules import campaign_rules

    (tmp_path / "encounters").mkdir()
    (tmp_path / "campaign.toml").write_text('ruleset = "orcus"\n', "utf-8")
    row = "[ash]\nhp = 9\nac = 10\nrole = 'bites the nearest'\nspeed = 6\n"
    (tmp_path / "bestiary.toml").write_text(row, "utf-8")
    assert preview_row(campaign_rules(tmp_path), "ash").who.stats["role"] == "bites the nearest"


def test_check_goes_through_all_of_a_campaign(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_encounter(folder, "Ford")
    (folder / "encounters" / "weir.toml").write_text("no log", "utf-8")
    (folder / "rules.toml").write_text("[effects.mired]\nspede = 1\n", "utf-8")
    assert main(["check", str(folder)]) == 2
    told = capsys.readouterr()
    assert f"bestiary.toml, line {line_of_speed(folder)}: toll-ogre, speed: " in told.out
    assert "rules.toml, line 2: [effects.mired]" in told.out
    assert "encounters/weir.toml is not an affray log" in told.out
    assert "encounters/ford.toml: intact, 0 entries" in told.out
    assert "3 faults" in told.err and "Traceback" not in told.err


def test_check_tells_once_of_a_file_that_is_no_toml(folder: Path) -> None:
    (folder / "rules.toml").write_text("[effects.mired]\n", "utf-8")
    (folder / "bestiary.toml").write_text("[rat\n", "utf-8")
    rules, bestiary = findings(folder)
    assert rules == Finding("rules.toml: read", is_fault=False)
    assert bestiary.is_fault and "bestiary.toml: not valid TOML" in bestiary.line


def test_a_row_of_no_file_is_refused_without_a_line(folder: Path) -> None:
    refusal = Refused("nobody, hp: expected a number", row="nobody", field="hp")
    assert with_its_line(refusal, folder) is refusal
    assert with_its_line(refusal, None) is refusal


def test_check_finds_a_whole_campaign_by_its_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "bestiary.toml"
    file.write_text(file.read_text("utf-8").replace('"fast"', "40"), "utf-8")
    assert main(["check", "Vale"]) == 0
    told = capsys.readouterr().out
    assert "bestiary.toml: 2 creatures" in told and "ledger.toml: intact, 0 entries" in told


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ("name = 'x\n", "campaign.toml: not valid TOML"),
        ("ruleset = 'orcsu'\n", "campaign.toml, line 1: "),
    ],
)
def test_check_names_what_is_wrong_with_the_campaign_itself(
    about: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "campaign.toml").write_text(about, "utf-8")
    assert main(["check", str(folder)]) == 2
    assert said in capsys.readouterr().out
