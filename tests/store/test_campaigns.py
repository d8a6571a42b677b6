"""Campaigns: where they are looked for, and what a list says of them."""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest

from affray.core.dice import SeededDice
from affray.core.parser.errors import Refused
from affray.fight import utc_now
from affray.store import LogError
from affray.store.campaigns import summaries
from affray.store.campaigns.files import campaign_of, ruleset_id_for
from affray.store.campaigns.find import (
    campaign_folders,
    find_campaign,
    find_campaigns,
    rename_campaign,
    with_folder_of,
)
from affray.store.campaigns.manage import create_campaign, create_encounter
from affray.store.campaigns.summaries import quick_summary, summary
from affray.store.log_file import read_log
from affray.store.open_encounter import OpenEncounter

RULES = "monsters-and-magic"


@pytest.fixture
def campaigns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of campaigns that is looked into."""
    folder = tmp_path / "campaigns"
    folder.mkdir()
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(folder))
    return folder


def campaign(folder: Path, name: str, about: str = "") -> Path:
    (folder / name / "encounters").mkdir(parents=True)
    if about:
        (folder / name / "campaign.toml").write_text(about, "utf-8")
    return folder / name


def fight(path: Path, *lines: str) -> Path:
    with OpenEncounter.create(path, RULES, path.stem.title(), dice=SeededDice(3)) as opened:
        for line in lines:
            opened.do(line)
    return path


def test_the_variable_names_one_or_more_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", os.pathsep.join(["one", "", "two"]))
    assert campaign_folders() == [Path("one"), Path("two")]


@pytest.mark.parametrize("said", ["", ":", "::"])
def test_a_variable_that_names_no_folder_is_as_none(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", said.replace(":", os.pathsep))
    assert campaign_folders()[0] == Path("campaigns")


def test_else_the_working_folder_and_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AFFRAY_CAMPAIGNS")
    here, own = campaign_folders()
    assert here == Path("campaigns")
    assert own.name == "campaigns" and own.parent.name == "affray"


def played(path: Path, at: str, *lines: str) -> Path:
    """A fight whose commands were given then."""
    moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
    with OpenEncounter.create(
        path, RULES, path.stem.title(), dice=SeededDice(3), now=lambda: moment
    ) as opened:
        for line in lines:
            opened.do(line)
    return path


def test_what_was_played_last_comes_first(campaigns: Path) -> None:
    vale, weald = campaign(campaigns, "vale"), campaign(campaigns, "weald")
    played(vale / "encounters" / "ford.toml", "2026-10-02T19:00:00", "note a")
    played(vale / "encounters" / "bell.toml", "2026-10-09T19:00:00", "note a")
    played(vale / "encounters" / "mill.toml", "2026-10-09T19:00:00")
    played(weald / "encounters" / "oak.toml", "2026-10-05T19:00:00", "note a")
    assert [c.name for c in find_campaigns()] == ["vale", "weald"]
    assert [e.title for e in find_campaigns()[0].encounters] == ["Bell", "Mill", "Ford"]
    with OpenEncounter.open(weald / "encounters" / "oak.toml") as oak:  # now
        oak.do("note b")
    assert [c.name for c in find_campaigns()] == ["weald", "vale"]


def test_campaigns_are_found_without_reading_a_log(
    campaigns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vale = campaign(campaigns, "vale")
    path = played(vale / "encounters" / "ford.toml", "2026-10-02T19:00:00", "note a")
    filler = b"# " + b"x" * 200_000 + b"\n"
    path.write_bytes(path.read_bytes().replace(b"\n[[entry]]", filler + b"\n[[entry]]"))
    for name in ("read_log_tail", "read_log"):
        monkeypatch.setattr(summaries, name, lambda *_: pytest.fail("a log was read"))
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("a whole file was read"))
    ((seen,),) = (found.encounters for found in find_campaigns())
    assert (seen.title, seen.played.year, seen.is_glance) == ("Ford", 2026, True)


def test_a_time_that_is_none_is_long_ago(tmp_path: Path) -> None:
    path = played(tmp_path / "ford.toml", "2026-10-02T19:00:00", "note a")
    assert quick_summary(path).played == datetime(2026, 10, 2, 19, tzinfo=UTC)
    path.write_bytes(path.read_bytes().replace(b"at = 2026-10-02T", b"at = 2026-02-30T"))
    assert quick_summary(path).played.year == 1
    path.write_text("format = 1\ncreated = 2026-10-02T19:00:00\n", "utf-8")
    assert quick_summary(path).played == datetime(2026, 10, 2, 19, tzinfo=UTC), "taken to be UTC"
    path.write_text("format = 1\ncreated = 3\n", "utf-8")
    assert quick_summary(path).played.year == 1
    assert quick_summary(tmp_path / "none.toml").title == "none"
    assert quick_summary(tmp_path).title == tmp_path.stem


def test_campaigns_are_found_by_name_with_their_encounters(campaigns: Path) -> None:
    vale = campaign(campaigns, "b", f'name = "Vale"\nruleset = "{RULES}"\n')
    campaign(campaigns, "nameless")
    (campaigns / "not-one").mkdir()
    (campaigns / "a-file").write_text("", "utf-8")
    fight(vale / "encounters" / "ford.toml")
    fight(vale / "encounters" / "bridge.toml")
    (vale / "encounters" / "notes.txt").write_text("not an encounter", "utf-8")
    assert [(c.name, c.ruleset_id) for c in find_campaigns()] == [
        ("Vale", RULES),
        ("nameless", RULES),  # which nobody has played or begun
    ]
    vale = find_campaigns()[0]
    assert sorted(e.title for e in vale.encounters) == ["Bridge", "Ford"]
    for listed in (vale, vale.encounters[0]):
        with pytest.raises(AttributeError):
            listed.path = campaigns


def test_of_campaigns_with_one_name_the_folder_is_to_be_said(campaigns: Path) -> None:
    one, other = (campaign(campaigns, name, 'name = "The Vale"\n') for name in ("north", "south"))
    with pytest.raises(Refused) as refusal:
        find_campaign("the vale")
    said = f"several campaigns are called 'the vale': give the folder, one of {one} and {other}"
    assert refusal.value.message == said
    assert find_campaign("south") == other


def test_a_campaign_whose_name_can_not_be_read_is_found_by_its_folder(campaigns: Path) -> None:
    folder = campaign(campaigns, "weald", "name = 'The\n")
    assert find_campaign("weald") == folder
    with pytest.raises(Refused, match="there is no campaign 'wold'; did you mean weald"):
        find_campaign("wold")


@pytest.mark.skipif(os.name == "nt", reason="Windows removes no folder that somebody is in")
def test_in_a_folder_that_was_removed_no_campaign_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(Refused, match="the current folder no longer exists"):
        find_campaign()


def test_a_campaign_that_can_not_be_renamed_without_a_loss_stays_as_it_is(
    campaigns: Path,
) -> None:
    about = 'name = "The Vale"\n[ house ]\n[[house.rooms]]\n'
    file = campaign(campaigns, "vale", about) / "campaign.toml"
    with pytest.raises(Refused) as refusal:
        rename_campaign(file.parent, "The Weald")
    said = f"{file} has a layout that can't be edited here: use a text editor"
    assert refusal.value.message == said
    assert file.read_text("utf-8") == about


def test_no_folder_is_no_error(campaigns: Path) -> None:
    campaigns.rmdir()
    assert find_campaigns() == []


def test_a_summary_says_how_far_a_fight_has_come(tmp_path: Path) -> None:
    path = tmp_path / "ford.toml"
    fight(path)
    assert (summary(path).phase, summary(path).round, summary(path).turn) == ("setup", 0, "")
    with OpenEncounter.open(path) as opened:
        for line in ("add pc Mira hp 9", "start", "next"):
            opened.do(line)
    told = summary(path)
    assert (told.title, told.phase, told.round, told.turn) == ("Ford", "combat", 2, "Mira")
    assert told.problem == ""


def test_a_summary_names_the_group_that_is_up(tmp_path: Path) -> None:
    path = tmp_path / "ford.toml"
    fight(path)
    with OpenEncounter.open(path) as opened:
        for line in ("add monster Rat x3 hp 4 group", "start", "damage rat-1 9"):
            opened.do(line)
    assert (summary(path).turn, summary(path).life) == ("Rat ×2", "up"), "one of them is dead"


def test_what_can_not_be_read_is_listed_with_its_problem(campaigns: Path) -> None:
    vale = campaign(campaigns, "vale", "name = [broken")
    encounters = vale / "encounters"
    (encounters / "empty.toml").write_bytes(b"")
    (encounters / "later.toml").write_text("format = 9\n", "utf-8")
    (encounters / "bytes.toml").write_bytes(b"\xff\x00")
    whole = fight(encounters / "whole.toml", "note one", "note two")
    damaged = whole.read_bytes().replace(b'"note one"', b"note one")
    (encounters / "damaged.toml").write_bytes(damaged)
    (found,) = find_campaigns()
    assert found.name == "vale"
    told = [summary(each.path) for each in found.encounters]
    problems = {e.path.stem: e.problem for e in told}
    assert {(e.phase, e.round, e.turn) for e in told if e.problem} == {("", 0, "")}
    assert problems.pop("whole") == ""
    assert all(problems.values()) and not any("\n" in p for p in problems.values())
    assert "line " in problems["damaged"]


@pytest.mark.parametrize("closed", ["", "vale", "vale/encounters"])
def test_a_folder_that_may_not_be_read_is_listed_with_its_problem(
    closed: str, campaigns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fight(campaign(campaigns, "vale") / "encounters" / "ford.toml")
    campaign(campaigns, "weald")
    iterdir, is_dir = Path.iterdir, Path.is_dir
    shut = campaigns / closed

    def guarded(ask):
        def asked(path: Path, **more: object):
            if path == shut or (ask is is_dir and path.parent == shut):
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return ask(path, **more)

        return asked

    monkeypatch.setattr(Path, "iterdir", guarded(iterdir))
    monkeypatch.setattr(Path, "is_dir", guarded(is_dir))
    found = {c.name: [e.problem for e in c.encounters] for c in find_campaigns()}
    problems = found.pop("vale" if closed else campaigns.name)
    named = campaigns / "vale" if closed else campaigns
    assert problems == [f"{named}: Permission denied"]
    assert found == ({"weald": []} if closed else {})


def test_an_encounter_belongs_to_the_folder_above_encounters(tmp_path: Path) -> None:
    assert campaign_of(tmp_path / "encounters" / "x.toml") == tmp_path
    assert campaign_of(tmp_path / "x.toml") is None


def test_in_a_folder_that_may_not_be_looked_at_is_no_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = campaign(tmp_path, "vale") / "ledger.toml"
    assert campaign_of(ledger) == ledger.parent
    monkeypatch.setattr(Path, "is_dir", Mock(side_effect=PermissionError(errno.EACCES, "denied")))
    assert campaign_of(ledger) is None


def test_a_new_encounter_is_named_by_its_title(campaigns: Path) -> None:
    vale = campaigns / "vale"
    vale.mkdir()
    path = create_encounter(vale, "The Bridge, at Night!")
    assert path == vale / "encounters" / "the-bridge-at-night.toml"
    assert summary(path).title == "The Bridge, at Night!"
    again = create_encounter(vale, "The bridge at night")
    assert again == vale / "encounters" / "the-bridge-at-night-2.toml"
    third = create_encounter(vale, "The bridge at night!")
    assert third == vale / "encounters" / "the-bridge-at-night-3.toml"
    with pytest.raises(Refused) as refusal:
        create_encounter(vale, "?!")
    assert refusal.value.message == "a title needs at least one letter"


def test_a_long_title_has_a_shorter_file(campaigns: Path) -> None:
    for end in ("", "-2"):
        path = create_encounter(campaigns / "vale", "x" * 99)
        assert path.name == "x" * 60 + end + ".toml"
        assert summary(path).title == "x" * 99


def test_a_new_encounter_says_when_it_was_begun(campaigns: Path) -> None:
    before = utc_now()
    created = read_log(create_encounter(campaigns / "vale", "The Ford")).header["created"]
    assert before <= created <= utc_now()
    assert created.microsecond == 0 and created.utcoffset() == timedelta(0)


def test_the_campaign_says_which_rules(campaigns: Path) -> None:
    vale = campaign(campaigns, "vale", 'ruleset = "orkus"\n')
    assert ruleset_id_for(vale / "encounters" / "x.toml") == "orkus"
    assert ruleset_id_for(campaigns / "x.toml") == RULES
    with pytest.raises(Refused, match="no ruleset 'orkus'"):
        create_encounter(vale, "X")
    assert list((vale / "encounters").iterdir()) == []


def test_a_folder_that_takes_no_encounters_is_named(campaigns: Path) -> None:
    (campaigns / "vale").mkdir()
    (campaigns / "vale" / "encounters").write_text("no folder", "utf-8")
    with pytest.raises(LogError, match=r"encounters: .*exists"):
        create_encounter(campaigns / "vale", "The Ford")


def test_a_file_of_the_campaign_that_may_not_be_looked_at_is_named(
    campaigns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = create_encounter(campaign(campaigns, "vale"), "The Ford")
    real = Path.stat

    def denied(file: Path, **how: bool) -> os.stat_result:
        if file.name == "rules.toml":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(file, **how)

    monkeypatch.setattr(Path, "stat", denied)
    with pytest.raises(Refused, match=r"rules\.toml: Permission denied"):
        OpenEncounter.open(path)


def test_a_campaign_is_begun_where_the_users_campaigns_are(
    campaigns: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", os.pathsep.join([str(tmp_path), str(campaigns)]))
    folder = create_campaign("The Drowned Vale!", "orcus")
    assert folder == campaigns / "the-drowned-vale"
    (found,) = [c for c in find_campaigns() if c.path == folder]
    assert (found.name, found.ruleset_id, found.encounters) == ("The Drowned Vale!", "orcus", ())
    with pytest.raises(Refused) as refusal:
        create_campaign("the drowned vale")
    said = f"there is already a campaign 'the-drowned-vale' in {campaigns}"
    assert refusal.value.message == said
    assert create_campaign("x" * 99).name == "x" * 60


def test_the_first_campaign_needs_no_folder_and_no_name(campaigns: Path) -> None:
    campaigns.rmdir()
    folder = create_campaign()
    assert folder == campaigns / "my-campaign"
    assert (folder / "encounters").is_dir()
    (found,) = find_campaigns()
    assert (found.name, found.ruleset_id) == ("My campaign", RULES)


def test_a_campaign_needs_a_name_and_a_folder(campaigns: Path) -> None:
    with pytest.raises(Refused) as refusal:
        create_campaign("?!")
    assert refusal.value.message == "a name needs at least one letter"
    campaigns.rmdir()
    campaigns.write_text("no folder", "utf-8")
    with pytest.raises(LogError, match="vale: "):
        create_campaign("vale")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_in_place_of_a_table_is_waited_for_by_nobody(tmp_path, monkeypatch):
    folder = tmp_path / "vale"
    (folder / "encounters").mkdir(parents=True)
    os.mkfifo(folder / "campaign.toml")
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    assert [campaign.name for campaign in find_campaigns()] == ["vale"]


def test_a_title_that_a_thousand_encounters_have_is_taken_once_more(tmp_path):
    folder = tmp_path / "weald"
    (folder / "encounters").mkdir(parents=True)
    for name in ("weir", *(f"weir-{number}" for number in range(2, 1000))):
        (folder / "encounters" / f"{name}.toml").touch()
    assert create_encounter(folder, "Weir").name == "weir-1000.toml"


def test_a_campaign_takes_over_no_folder_that_has_encounters(tmp_path, monkeypatch):
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    (tmp_path / "weald" / "encounters").mkdir(parents=True)
    with pytest.raises(Refused, match="there is already a campaign 'weald'"):
        create_campaign("Weald", "orcus")
    assert not (tmp_path / "weald" / "campaign.toml").exists()


def test_a_campaign_that_can_not_be_made_is_not_half_made(tmp_path, monkeypatch):
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    fails = Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    with monkeypatch.context() as full:
        full.setattr("affray.store.campaigns.manage.publish_atomically", fails)
        with pytest.raises(LogError, match="weald: No space left on device"):
            create_campaign("Weald", "orcus")
    assert find_campaigns() == []
    assert create_campaign("Weald", "orcus").name == "weald", "it can be tried again"


# -- the folder of a fight that was left -----------------------------------------------------------


def test_a_fight_that_is_listed_brings_no_folder_along(campaigns: Path) -> None:
    path = fight(campaign(campaigns, "vale") / "encounters" / "ford.toml")
    found = find_campaigns()
    assert with_folder_of(path, RULES, found) is found
    path.unlink()
    gone = find_campaigns()
    assert with_folder_of(path, RULES, gone) is gone, "nor does one that was put away"


def test_a_fight_elsewhere_brings_its_campaign_if_that_is_there(
    campaigns: Path, tmp_path: Path
) -> None:
    path = fight(campaign(tmp_path, "weald") / "encounters" / "oak.toml")
    (found,) = with_folder_of(path, RULES, [])
    assert (found.path, found.loose) == (tmp_path / "weald", False)
    assert with_folder_of(tmp_path / "gone" / "encounters" / "x.toml", RULES, []) == []


def test_a_fight_in_no_campaign_brings_the_fights_beside_it(tmp_path: Path) -> None:
    path = fight(tmp_path / "ford.toml")
    fight(tmp_path / "bell.toml")
    (tmp_path / "notes.toml").write_text("about = 1\n", "utf-8")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "link.toml").symlink_to(tmp_path / "nowhere")
    (found,) = with_folder_of(path, RULES, [])
    assert found.loose and sorted(each.path.name for each in found.encounters) == [
        "bell.toml",
        "ford.toml",
    ]


def test_what_may_not_be_looked_at_beside_a_fight_is_no_fight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fight(tmp_path / "ford.toml")
    fight(tmp_path / "bell.toml")

    def refuse(self: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "is_file", refuse)
    (found,) = with_folder_of(path, RULES, [])
    assert [each.path.name for each in found.encounters] == ["ford.toml"]


def test_a_new_campaign_stands_where_the_time_of_its_beginning_puts_it(
    campaigns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(campaigns))
    fresh = create_campaign("Fresh", RULES)
    vale = campaign(campaigns, "vale") / "encounters" / "ford.toml"
    played(vale, "2999-01-01T00:00:00Z", "add pc Mira hp 30")
    assert [found.path for found in find_campaigns()] == [vale.parents[1], fresh]
    played(vale.with_name("weir.toml"), "2001-01-01T00:00:00Z", "add pc Mira hp 30")
    vale.unlink()
    assert [found.path for found in find_campaigns()] == [fresh, vale.parents[1]]
