"""`affray quick`: a fight from nothing, in whichever folder one is."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.cli.said import Run, refused
from tests.other_bones import BONES
from tests.test_docs import RULES

from affray import Fight, cli
from affray.cli_commands import add_command
from affray.core.rules.ruleset import SheetRules
from affray.store.open_encounter import OpenEncounter


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "_has_screen", lambda: False)
    return tmp_path


def hp(file: Path) -> dict[str, int]:
    with OpenEncounter.view(file) as fight:
        return {c.name: c.track("hp") for c in fight.state.combatants}


@pytest.mark.parametrize("rules", RULES)
def test_it_stands_in_every_system_with_plain_numbers(here: Path, run: Run, rules: str) -> None:
    said = ["2 pcs", "ghoul x2", "fire imp hp 5 hidden", 'monster "Big Rat" hp 4']
    status, out, err = run("quick", *said, "--ruleset", rules)
    assert (status, out, err) == (0, f"{here / 'quick-fight.toml'}\n", "")
    assert hp(here / "quick-fight.toml") == {
        "PC 1": 10, "PC 2": 10, "Ghoul 1": 10, "Ghoul 2": 10, "Fire Imp": 5, "Big Rat": 4,
    }  # fmt: skip
    assert run("do", here / "quick-fight.toml", "init roll all", "start", "next")[0] == 0


@pytest.mark.parametrize("who", ["1 pc", "4 pcs", "ghoul"])
def test_in_a_game_of_other_bones_they_have_its_own_health(who: str) -> None:
    fight = Fight(BONES)
    fight.do(add_command(who, BONES))
    assert [each.track("grit") for each in fight.state.combatants] in ([10], [10] * 4, [3])


def test_in_a_game_without_health_characters_have_none() -> None:
    bare = replace(BONES, sheet=SheetRules())
    assert add_command("2 pcs", bare) == "add pc PC x2"


STRIKES = {
    "monsters-and-magic": "strike pc-1 strong",
    "level-up": "attack pc-1 hit",
    "orcus": "attack pc-1 hit",
    "5e": "attack pc-1 hit",
    "adventure-school": "attack pc-1 hit",
}


@pytest.mark.parametrize("rules", STRIKES)
def test_its_foes_can_fight_and_say_what_of_them_is_proposed(
    here: Path, run: Run, rules: str
) -> None:
    run("quick", "4 pcs", "ghoul x3", "--ruleset", rules)
    file = here / "quick-fight.toml"
    assert run("do", file, f"{STRIKES[rules]} by ghoul-1")[0] == 0
    assert hp(file)["PC 1"] < 10
    with OpenEncounter.view(file) as fight:
        assert "attack" in fight.state["ghoul-1"].stats["proposed"]
        assert "proposed" not in fight.state["pc-1"].stats


def test_what_is_said_of_a_stranger_stands_in_the_place_of_a_proposal(here: Path, run: Run) -> None:
    said = "ogre cr 4 attack club 2d8 bludgeoning text Cross"
    assert run("quick", said, "--ruleset", "monsters-and-magic")[0] == 0
    with OpenEncounter.view(here / "quick-fight.toml") as fight:
        stats = fight.state["ogre"].stats
    assert (stats["cr"], stats["attacks"][0]["name"]) == (4, "club")
    assert (stats["text"], "proposed" in stats) == ("Cross", False)


def test_in_a_campaign_it_is_one_of_its_encounters_with_its_people(here: Path, run: Run) -> None:
    (here / "campaign.toml").write_text('ruleset = "plain"\n', "utf-8")
    (here / "party.toml").write_text('[mira]\nname = "Mira"\nhp = 20\n', "utf-8")
    (here / "bestiary.toml").write_text('[bog-ghoul]\nname = "Bog Ghoul"\nhp = 18\n', "utf-8")
    file = here / "encounters" / "at-the-weir.toml"
    out = run("quick", "party", "bog ghoul x2", "2 billy goat hp 4", "--title", "At the Weir")[1]
    assert out == f"{file}\n"
    assert hp(file) == {
        "Mira": 20,
        "Bog Ghoul 1": 18,
        "Bog Ghoul 2": 18,
        "Billy Goat 1": 4,
        "Billy Goat 2": 4,
    }


def test_a_system_that_asks_for_no_hp_gives_its_own(here: Path, run: Run) -> None:
    run("quick", "crockling x2 mook ac 16", "--ruleset", "orcus")
    assert hp(here / "quick-fight.toml") == {"Crockling 1": 1, "Crockling 2": 1}


def test_another_quick_fight_takes_another_name(here: Path, run: Run) -> None:
    assert [run("quick", "ghoul")[1].strip() for _ in range(2)] == [
        str(here / "quick-fight.toml"),
        str(here / "quick-fight-2.toml"),
    ]


@pytest.mark.parametrize(
    ("who", "answer"),
    [
        ("ghoul hp much", "expected hp"),
        ("party", "no party.toml"),
        (" ", "say who fights"),
        ("ghoul x0", "from 1 to 99"),
        ("ghoul x-1", "from 1 to 99"),
        ("ghoul x3d", "from 1 to 99"),
        (f"ghoul x{'9' * 5_000}", "from 1 to 99"),
    ],
)
def test_whoever_cannot_be_added_leaves_no_file(
    here: Path, run: Run, who: str, answer: str
) -> None:
    assert answer in refused(run, "quick", "4 pcs", who)
    assert list(here.iterdir()) == []


def test_where_there_is_a_terminal_it_is_opened(
    here: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[list[str]] = []
    monkeypatch.setattr(cli, "_has_screen", lambda: True)
    monkeypatch.setattr(cli, "_open_screen", lambda files, theme: opened.append(files) or 0)
    assert run("quick", "4 pcs")[:2] == (0, "")
    assert opened == [[str(here / "quick-fight.toml")]]
