"""A fight is known by what it is, whatever its file is called; and what a ledger can't be."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from tests.store.evenings import Evening

from affray.core.parser.errors import Refused
from affray.store.campaigns.find import find_campaigns
from affray.store.campaigns.manage import archive, create_campaign, create_encounter
from affray.store.log_file import read_log
from affray.store.open_encounter import OpenEncounter

FORD = ("add party", "add monster Ghoul hp 10 cr 1", "init 1 30", "init roll", "start")
ENDS = (*FORD, "damage mira 14", "end")
"""Mira is left with 18 of 30."""


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "vale")


@pytest.mark.parametrize("how", ["put away", "deleted"])
def test_another_fight_with_the_files_name_of_an_earlier_one_is_carried(
    how: str, evening: Evening
) -> None:
    evening.play("ford", *ENDS)
    if how == "put away":
        archive(evening.path("ford"))
    else:
        evening.path("ford").unlink()
    evening.play("ledger", "set mira hp 30")
    evening.play("ford", *FORD)
    evening.play("ledger")
    assert evening.told == ()
    evening.play("ford", "damage mira 7", "end")
    assert evening.told[-1].startswith("the ledger, entry 3: Mira and Odo come from Ford")
    assert evening.play("ledger")["mira"].track("hp") == 25


def test_why_finds_the_fight_that_was_carried_under_another_name_too(evening: Evening) -> None:
    evening.play("ford", *ENDS)
    evening.path("ford").rename(evening.path("ford-of-old"))
    evening.play("ford", *FORD)
    way = evening.asked("ledger", "why mira hp")
    assert way[2] == "comes from Ford, entry 6: Mira takes 14: −12 14, AC 2"


def test_a_fight_that_was_renamed_by_hand_is_no_other_fight(evening: Evening) -> None:
    evening.play("ford", *ENDS)
    evening.path("ford").rename(evening.path("a"))
    evening.play("a", "heal mira 2")
    assert evening.told[-1].startswith("the ledger, entry 2: Mira and Odo come again from Ford")
    assert evening.play("ledger")["mira"].track("hp") == 20


COPIES = ["ford (conflicted copy)", "ford.sync-conflict-20261122-190000"]


@pytest.mark.parametrize("name", COPIES)
def test_another_copy_of_a_fight_is_told_and_brings_only_what_differs(
    name: str, evening: Evening
) -> None:
    evening.play("ford", *ENDS)
    copy = evening.path(name)
    shutil.copy(evening.path("ford"), copy)
    with OpenEncounter.open(copy) as fight:
        fight.do("heal mira 2")
        told = f"{copy.name} is another copy of Ford, which is already in the ledger"
        assert fight.notes[-1] == f"{told}: `carry` adds the differences"
    evening.play("weir", "add party", *FORD[1:], "damage mira 10", "end")
    ledger = evening.play("ledger")
    assert ledger["mira"].track("hp") == 18 - 8
    assert evening.told == (f'{told}: `carry from "{name}"` adds the differences',)
    evening.play("bridge")
    assert evening.told[0].startswith(told)
    with OpenEncounter.open(copy).with_news() as fight:
        assert told in fight.notes
    ledger = evening.play("ledger", f'carry from "{name}"')
    assert ledger["mira"].track("hp") == 18 - 8 + 2  # and not as it was left then
    evening.play("ledger")
    assert evening.told == ()


def test_a_fight_that_began_with_a_copy_of_an_unplayed_one_is_another(evening: Evening) -> None:
    evening.play("ford", *FORD[:-1])
    shutil.copy(evening.path("ford"), evening.path("weir"))
    evening.play("ford", "start", "damage mira 14", "end")
    evening.play("ledger", "set mira hp 30")
    evening.play("weir", "start", "damage mira 7", "end")
    assert evening.play("ledger")["mira"].track("hp") == 25


def test_a_ledger_from_before_fights_were_told_apart_knows_them_by_their_files(
    evening: Evening,
) -> None:
    """Entries of `carried` without `fight`: by the name, unless that file was made later."""
    evening.play("ford", *ENDS)
    path = evening.ledger_path
    text = path.read_text("utf-8")
    fight = text[text.index(', fight = "') :].partition(" }")[0]
    path.write_text(text.replace(fight, ""), "utf-8")
    evening.play("ford", "heal mira 2")
    assert evening.told[-1].startswith("the ledger, entry 2: Mira and Odo come again from Ford")
    evening.path("ford").unlink()
    evening.play("ledger", "set mira hp 30", "undo 2", "set mira hp 30")
    evening.play("ford", *FORD, "damage mira 7", "end")
    assert evening.play("ledger")["mira"].track("hp") == 25


def test_a_campaign_may_be_called_encounters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "all"))
    folder = create_campaign("Encounters", "monsters-and-magic")
    assert folder.name == "encounters"
    (folder / "party.toml").write_text("[mira]\nhp = 30\n", "utf-8")
    path = create_encounter(folder, "Ford")
    with OpenEncounter.open(path) as fight:
        fight.do(*FORD, "damage mira 12", "end")
        assert fight.notes[-1].startswith("the ledger, entry 1: Mira comes from Ford")
    with OpenEncounter.open(folder / "ledger.toml").with_news() as ledger:
        assert ledger.notes == () and ledger.state["mira"].track("hp") == 18
    assert [found.path for found in find_campaigns()] == [folder]
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    assert [found.path for found in find_campaigns()] == []  # the folder around it is none


def test_an_encounter_may_be_called_ledger(evening: Evening) -> None:
    path = evening.path("ledger")
    OpenEncounter.create(path, evening.rules, "Ledger", now=evening.now).close()
    with OpenEncounter.open(path) as fight:
        fight.do(*ENDS)
        assert fight.notes[-1].startswith("the ledger, entry 1: Mira and Odo come from Ledger")


def as_folder(path: Path) -> None:
    path.mkdir()


def as_pipe(path: Path) -> None:
    os.mkfifo(path)


def as_link(path: Path) -> None:
    path.symlink_to(path)


def as_link_to_nothing(path: Path) -> None:
    path.symlink_to(path.with_name("gone"))


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes there, and links need a right")
@pytest.mark.parametrize("made", [as_folder, as_pipe, as_link, as_link_to_nothing])
def test_a_ledger_that_is_no_file_is_named_and_none_is_begun(made, tmp_path: Path) -> None:
    evening = Evening(tmp_path / "vale", ledger=False)
    evening.play("ford", *ENDS[:-1])
    made(evening.ledger_path)
    evening.play("ford", "end")
    assert "the result of Ford was not carried over into the ledger: " in evening.told[-1]
    assert str(evening.ledger_path) in evening.told[-1]
    with evening.opened("ford") as fight, pytest.raises(Refused, match=r"ledger\.toml: "):
        fight.ask("carry")
    with evening.opened("weir") as fight, pytest.raises(Refused, match=r"ledger\.toml: "):
        fight.do("add party")


def test_a_ledger_of_other_rules_takes_nothing_and_gives_nothing(evening: Evening) -> None:
    evening.play("ford", *ENDS)
    path = evening.ledger_path
    path.write_text(path.read_text("utf-8").replace(evening.rules, "orcus"), "utf-8")
    wrong = "Ford uses monsters-and-magic, and this fight orcus: nothing can carry over"
    with evening.opened("ledger") as ledger, pytest.raises(Refused, match=wrong):
        ledger.do('carry from "ford"')
    with evening.opened("ford") as fight, pytest.raises(Refused, match=wrong):
        fight.ask("carry")
    evening.play("ford", "heal mira 2")
    assert wrong in evening.told[-1]
    with evening.opened("weir") as fight:
        entry = fight.do("add party")
        assert fight.state["mira"].track("hp") == 30
        texts = [event.text for event in entry.events if hasattr(event, "text")]
        wrong = "the ledger uses orcus, and"
        assert texts == [f"{wrong} this fight {evening.rules}: nothing carries over here"]
    assert len(read_log(path).blocks) == 1


@pytest.mark.parametrize("name", ["campaign.toml", "party.toml", "bestiary.toml", "rules.toml"])
def test_a_mark_before_the_text_of_a_campaigns_file_is_no_fault(
    name: str, evening: Evening
) -> None:
    file = evening.folder / name
    file.write_bytes(b"\xef\xbb\xbf" + (file.read_bytes() if file.exists() else b""))
    assert evening.play("ford", *FORD).find("mira") is not None
