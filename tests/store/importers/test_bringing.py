"""An import into a campaign: one step, all or nothing, and nothing lost without a word."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
import tomli
from tests.store.importers.files import MARSH_CRAB, PELL
from tests.store.importers.formats import open5e_v1

from affray.core.commands.newcomers import try_row
from affray.core.dice import SeededDice
from affray.core.parser.errors import Refused
from affray.core.rules.imported_creature import ImportedCreature
from affray.core.rules.ruleset import Context
from affray.rulesets import load_ruleset
from affray.store import LogError
from affray.store.campaigns.find import find_campaign
from affray.store.campaigns.pictures import Listing, listing_of
from affray.store.campaigns.roster import validate_row
from affray.store.importers import run_import
from affray.store.importers.report import import_report
from affray.store.importers.run_import import BestiaryRow, ImportSummary, RowTrial, bring_in
from affray.store.open_encounter import OpenEncounter


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    folder = tmp_path / "tidewater"
    (folder / "encounters").mkdir(parents=True)
    (folder / "campaign.toml").write_text('name = "The Tidewater"\nruleset = "plain"\n', "utf-8")
    (folder / "bestiary.toml").write_text("# Ours.\n\n[gull]\nhp = 3 # a small one\n", "utf-8")
    return folder


def brought(campaign: Path, data: Any, name: str = "data.json", **options: Any) -> ImportSummary:
    file = campaign.parent / name
    file.write_text(json.dumps(data), "utf-8")
    return bring_in(file, campaign, **options)


def files(campaign: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(campaign)): p.read_bytes() for p in campaign.rglob("*") if p.is_file()
    }


def rows(campaign: Path, file: str = "bestiary.toml") -> dict[str, Any]:
    return tomli.loads((campaign / file).read_text("utf-8"))


def test_creatures_come_behind_what_is_there_and_characters_into_the_party(campaign: Path) -> None:
    brought(campaign, [MARSH_CRAB, PELL])
    text = (campaign / "bestiary.toml").read_text("utf-8")
    assert text.startswith("# Ours.\n\n[gull]\nhp = 3 # a small one\n\n[marsh-crab]\n")
    assert rows(campaign)["marsh-crab"]["hp"] == 19
    assert rows(campaign, "party.toml")["pell"]["name"] == "Pell"


def test_line_ends_of_the_file_stay_as_they_are(campaign: Path) -> None:
    (campaign / "bestiary.toml").write_bytes(b"[gull]\r\nhp = 3\r\n")
    brought(campaign, MARSH_CRAB)
    assert (campaign / "bestiary.toml").read_bytes().startswith(b"[gull]\r\nhp = 3\r\n")


def test_what_came_can_be_added(campaign: Path) -> None:
    brought(campaign, [MARSH_CRAB, PELL])
    with OpenEncounter.create(
        campaign / "encounters" / "f.toml", "plain", "F", dice=SeededDice(3)
    ) as fight:
        fight.do("add marsh-crab x2")
        fight.do("add party")
        assert [c.id for c in fight.state.combatants] == ["marsh-crab-1", "marsh-crab-2", "pell"]


@pytest.mark.parametrize(
    "name",
    [
        "Boromar Underboss [2024]", "Combat Armor Mk 2, Gnomish", "Hawk (XMM)", "Will-o'-Wisp",
        "Mage/Priest", "Zombie: Ogre", "Imp #2", "Ghast; Elder", "Gull (Old)", "Wolf & Cub",
        "Zoë the Éclair", "What?", "O’Brien’s Hound", "...Ooze", "Mage*", "漢字 Oni",
    ],
)  # fmt: skip
def test_what_came_can_be_added_by_the_name_that_stands_in_its_file(
    campaign: Path, name: str
) -> None:
    brought(campaign, MARSH_CRAB | {"Name": name})
    with OpenEncounter.create(campaign / "encounters" / "f.toml", "plain", "F") as fight:
        for written in (name, f'"{name}"', name.casefold()):
            fight.do(f"add {written}", f"add {written} x2")
        assert {re.sub(r" \d+$", "", c.name) for c in fight.state.combatants} == {name}
        fight.do('add "gull"')
        assert fight.state.combatants[-1].name == "Gull"


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("5-Headed Hydra", "The 5-Headed Hydra"),
        ("100% Ghoul", "The 100% Ghoul"),
        ("Half-Orc, Very Long Named Chieftain of the Northern Reaches",
         "Half-Orc, Very Long Named Chieftain of…"),
    ],
)  # fmt: skip
def test_what_came_with_a_number_before_it_or_cut_is_added_by_the_files_name(
    campaign: Path, name: str, called: str
) -> None:
    brought(campaign, MARSH_CRAB | {"Name": name})
    with OpenEncounter.create(campaign / "encounters" / "f.toml", "plain", "F") as fight:
        fight.do(f'add "{name}" x2')
        if len(name) < 40:  # where a long one ends, quotes alone tell
            fight.do(f"add {name}")
        assert {re.sub(r" \d+$", "", c.name) for c in fight.state.combatants} == {called}
        assert len(fight.state.combatants) == (3 if len(name) < 40 else 2)


def test_an_encounter_is_a_fight_that_is_prepared(campaign: Path) -> None:
    crab = {"StatBlock": MARSH_CRAB, "CurrentHP": 19}
    hidden = {**crab, "CurrentHP": 5, "Hidden": True, "TemporaryHP": 2, "Tags": ["wet"]}
    found = {"SavedEncounters.e": {"Name": "Low Tide", "Combatants": [crab, hidden]}}
    assert brought(campaign, found).meetings == ["Low Tide"]
    with OpenEncounter.open(campaign / "encounters" / "low-tide.toml") as fight:
        one, other = fight.state.combatants
        assert (one.id, one.track("hp"), one.hidden) == ("marsh-crab-1", 19, False)
        assert (other.id, other.track("hp"), other.hidden) == ("marsh-crab-2", 5, True)
        assert (other.track("temp_hp"), other.notes) == (2, ("wet",))
        assert fight.state.phase == "setup"


def test_a_name_that_is_there_is_kept_and_told(campaign: Path) -> None:
    gull = {**MARSH_CRAB, "Name": "Gull"}
    assert brought(campaign, gull).unchanged == ["Gull"]
    assert rows(campaign)["gull"] == {"hp": 3}


def test_a_name_that_is_there_is_replaced_when_that_is_said(campaign: Path) -> None:
    with (campaign / "bestiary.toml").open("a", encoding="utf-8") as file:
        file.write("\n[gull.more]\nx = 1\n\n# About terns.\n[tern]\nhp = 2\n")
    found = brought(campaign, {**MARSH_CRAB, "Name": "Gull"}, replaces=True)
    assert (found.unchanged, found.replaced) == ([], ["Gull"])
    assert rows(campaign)["gull"]["hp"] == 19
    assert rows(campaign)["tern"] == {"hp": 2}
    assert (campaign / "bestiary.toml").read_text("utf-8").startswith("# Ours.")


def test_an_encounter_that_is_there_is_never_replaced(campaign: Path) -> None:
    there = campaign / "encounters" / "low-tide.toml"
    there.write_text("played", "utf-8")
    found = {"SavedEncounters.e": {"Name": "Low Tide", "Combatants": [{"StatBlock": MARSH_CRAB}]}}
    assert brought(campaign, found, replaces=True).unchanged == ["the encounter 'Low Tide'"]
    assert there.read_text("utf-8") == "played"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"Name": ""}, "it has no name"),
        ({"HP": {"Value": 0}}, "its HP are no number above 0: 0"),
        ({"HP": "many"}, "its HP are no number above 0: many"),
        ({"Name": "???"}, "a name must begin with a letter, not '???'"),
    ],
)
def test_what_can_not_be_in_a_fight_is_left_out_and_told(
    campaign: Path, change: dict[str, Any], why: str
) -> None:
    other = {**MARSH_CRAB, "Name": "Tern"}
    found = brought(campaign, [{**MARSH_CRAB, **change}, other])
    assert [line for _, line in found.out] == [why]
    assert set(rows(campaign)) == {"gull", "tern"}


def test_of_two_of_one_name_the_first_stays(campaign: Path) -> None:
    found = brought(campaign, [MARSH_CRAB, MARSH_CRAB, {**MARSH_CRAB, "HP": {"Value": 30}}])
    assert found.again == [("Marsh Crab", "data.json")]
    assert rows(campaign)["marsh-crab"]["hp"] == 19


def test_of_two_of_one_name_the_games_own_comes_before_anothers(campaign: Path) -> None:
    (campaign / "campaign.toml").write_text('ruleset = "level-up"\n', "utf-8")
    (campaign.parent / "data").mkdir()
    other = {**MARSH_CRAB, "HP": {"Value": 77}}
    (campaign.parent / "data" / "a.json").write_text(json.dumps(other), "utf-8")
    (campaign.parent / "data" / "b.json").write_text(open5e_v1(), "utf-8")
    bring_in(campaign.parent / "data", campaign)
    assert rows(campaign)["marsh-crab"]["hp"] == 19


def test_a_long_name_is_shortened_and_a_word_of_add_gets_another_key(campaign: Path) -> None:
    long = {**MARSH_CRAB, "Name": "The " + "Very " * 9 + "Old Crab"}
    brought(campaign, [long, {**MARSH_CRAB, "Name": "Monster"}])
    keys = {key: row["name"] for key, row in rows(campaign).items() if key != "gull"}
    assert all(len(name) <= 40 for name in keys.values())
    assert keys["the-monster"] == "Monster"


def test_a_name_that_begins_with_a_number_gets_a_word_before_it(campaign: Path) -> None:
    found = brought(campaign, {**MARSH_CRAB, "Name": "3-Legged Crab"})
    assert rows(campaign)["the-3-legged-crab"]["name"] == "The 3-Legged Crab"
    assert "with another name: '3-Legged Crab' is The 3-Legged Crab" in import_report(found)


def test_all_that_is_left_out_is_named(campaign: Path) -> None:
    crabs = [{**MARSH_CRAB, "Name": f"Crab {n}"} for n in range(9)]
    again = [{**crab, "HP": {"Value": 30}} for crab in crabs]
    (line,) = (
        row for row in import_report(brought(campaign, crabs + again)) if "already read" in row
    )
    assert line == (
        "left out, because the name was already read: data.json: Crab 0, Crab 1, Crab 2, Crab 3, "
        "Crab 4, Crab 5, Crab 6, Crab 7 and Crab 8"
    )


def test_what_many_files_have_in_common_is_told_once(campaign: Path) -> None:
    folder = campaign.parent / "data"
    folder.mkdir()
    (folder / "crab.json").write_text(json.dumps(MARSH_CRAB), "utf-8")
    for number in range(6):
        (folder / f"{number}.png").write_bytes(b"\x89PNG")
    (folder / "cut.json").write_text('{"Name": "Cr', "utf-8")
    first, cut = (
        row for row in import_report(bring_in(folder, campaign)) if row.startswith("not read")
    )
    assert first == "not read: 6 files: a picture: 0.png, 1.png, 2.png and 3 more"
    assert cut.startswith(f"not read: {folder / 'cut.json'}: not valid JSON: ")


def test_every_part_is_in_the_row_or_told(campaign: Path) -> None:
    told = "\n".join(import_report(brought(campaign, MARSH_CRAB)))
    text = rows(campaign)["marsh-crab"]["text"]
    for part in ("Mud Walker", "Brine Spray", "challenge", "condition immunity"):
        assert part in told
        assert part in text


def test_a_folder_is_read_whole_and_what_is_not_known_is_told(campaign: Path) -> None:
    folder = campaign.parent / "data" / "deep"
    folder.mkdir(parents=True)
    (folder / "crab.dat").write_text(json.dumps(MARSH_CRAB), "utf-8")
    (folder / "page.html").write_text("<html><body>Crabs", "utf-8")
    (folder / "cut.json").write_text('{"Name": "Cr', "utf-8")
    (folder / "other.json").write_text('{"a": 1}', "utf-8")
    found = bring_in(folder.parent, campaign)
    faults = {source.path.name: source.fault.split(":")[0] for source in found.sources}
    assert faults == {
        "crab.dat": "",
        "page.html": "a web page (HTML), which affray does not read",
        "cut.json": "not valid JSON",
        "other.json": "JSON in an unknown format",
    }
    assert "marsh-crab" in rows(campaign)


def test_nothing_known_is_refused_in_one_line(campaign: Path) -> None:
    before = files(campaign)
    with pytest.raises(Refused, match=r"data\.json: JSON in an unknown format"):
        brought(campaign, {"a": 1})
    assert files(campaign) == before


def test_a_folder_of_which_nothing_is_read_says_why_for_each_kind_of_file(campaign: Path) -> None:
    folder = campaign.parent / "data"
    folder.mkdir()
    for name in ("a.md", "b.md"):
        (folder / name).write_text("A shore.", "utf-8")
    (folder / "c.json").write_text('{"a": 1}', "utf-8")
    with pytest.raises(
        Refused, match=r"2 \.md files, such as a\.md: not in a known format; 1 \.js"
    ):
        bring_in(folder, campaign)


def test_what_is_known_and_can_not_be_used_is_refused_with_the_reason(campaign: Path) -> None:
    with pytest.raises(
        Refused, match="Crab: from Foundry's system 'coc7', which affray does not read"
    ):
        brought(
            campaign, {"name": "Crab", "system": {}, "items": [], "_stats": {"systemId": "coc7"}}
        )
    file = campaign.parent / "list.csv"
    file.write_text("name,armor class\nCrab,14\n", "utf-8")
    with pytest.raises(Refused, match=r"list\.csv: a list without a column for HP"):
        bring_in(file, campaign)


@pytest.mark.parametrize("mark", ["[", "<", "*", "_a", "{@b ", "1", "x ", "[[", "@a["])
def test_text_of_any_kind_is_read_at_once(campaign: Path, mark: str) -> None:
    long = mark * (20_000 // len(mark))
    brought(campaign, {**MARSH_CRAB, "Description": long})
    assert "marsh-crab" in rows(campaign)


def test_what_is_stopped_leaves_nothing(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = files(campaign)
    monkeypatch.setattr(run_import, "put_in_place", stop)
    with pytest.raises(KeyboardInterrupt):
        brought(campaign, [MARSH_CRAB, PELL])
    assert files(campaign) == before


@pytest.mark.parametrize("what", ["files read", "creatures checked"])
def test_it_can_be_stopped_while_it_reads_and_while_it_tries_out(campaign: Path, what: str) -> None:
    def stop(done: int, of: int, doing: str) -> None:
        if doing == what:
            raise KeyboardInterrupt

    before = files(campaign)
    with pytest.raises(KeyboardInterrupt):
        brought(campaign, [MARSH_CRAB, PELL], progress=stop)
    assert files(campaign) == before


def test_what_fails_half_way_is_put_back(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder: Path) -> None:
        raise OSError(28, "No space left on device")

    before = files(campaign)
    monkeypatch.setattr(run_import, "sync_folder", full)
    with pytest.raises(LogError, match="No space left"):
        brought(campaign, [MARSH_CRAB, PELL])
    assert files(campaign) == before


def test_a_campaign_is_named_or_stood_in(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(campaign.parent))
    assert find_campaign("The Tidewater") == find_campaign("tidewater") == campaign
    assert find_campaign(str(campaign)) == campaign
    monkeypatch.chdir(campaign / "encounters")
    assert find_campaign() == campaign
    monkeypatch.chdir(campaign.parent)
    with pytest.raises(Refused, match="--into CAMPAIGN; there is 'The Tidewater'"):
        find_campaign()
    with pytest.raises(Refused, match="there is no campaign 'tidewtr'"):
        find_campaign("tidewtr")


@pytest.mark.parametrize(
    ("actions", "names"),
    [
        ({"0": {"Name": "Claw", "Content": "Snip."}}, ["Claw"]),
        ({"Name": "Claw", "Content": "Snip."}, ["Claw"]),
        ([["Claw", "Snip."]], ["Claw"]),
        ("Snip.", ["Action"]),
        (["Snip."], ["Action"]),
        ([{"name": "Claw", "description": "Snip."}], ["Claw"]),
        (5, []),
    ],
)
def test_what_it_does_may_be_told_in_any_shape(
    campaign: Path, actions: Any, names: list[str]
) -> None:
    brought(campaign, {**MARSH_CRAB, "Actions": actions})
    text = rows(campaign)["marsh-crab"]["text"]
    assert [name for name in ("Claw", "Action") if f"{name}. Snip." in text] == names


PNG = b"\x89PNG\r\n\x1a\n crab"
DATA = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"


@pytest.mark.parametrize("given", [DATA, "crab.png"])
def test_a_picture_in_the_file_or_beside_it_comes_along(campaign: Path, given: str) -> None:
    (campaign.parent / "crab.png").write_bytes(PNG)
    brought(campaign, {**MARSH_CRAB, "ImageURL": given})
    name = rows(campaign)["marsh-crab"]["picture"]
    assert name.startswith("marsh-crab-") and name.endswith(".png")
    assert (campaign / name).read_bytes() == PNG


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("https://example.org/crab.png", "it is a web address, and affray never downloads"),
        ("file:///etc/passwd", "it is a web address, and affray never downloads"),
        ("../secret.png", "there is no picture of that name next to the file"),
        ("data:image/png;base64,####", "the picture in the file can't be shown"),
        ("data:text/html;base64,PGI+", "the picture in the file can't be shown"),
    ],
)
def test_any_other_picture_is_left_and_told(campaign: Path, given: str, why: str) -> None:
    (campaign.parent.parent / "secret.png").write_bytes(PNG)
    found = brought(campaign, {**MARSH_CRAB, "ImageURL": given})
    assert "picture" not in rows(campaign)["marsh-crab"]
    assert any(why in line and "Marsh Crab" in line for line in import_report(found))
    (campaign.parent.parent / "secret.png").unlink()


def test_a_folder_is_listed_once_however_many_name_a_picture(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten thousand files of a folder, each with a picture, took minutes."""
    listed: list[Path] = []

    def listing(folder: Path) -> Listing:
        listed.append(folder)
        return listing_of(folder)

    monkeypatch.setattr(run_import, "listing_of", listing)
    found = [{**MARSH_CRAB, "Name": f"Crab {n}", "ImageURL": f"{n}.png"} for n in "abc"]
    brought(campaign, found)
    assert len(listed) == 1


def test_the_progress_within_one_large_file_is_told(tmp_path: Path) -> None:
    """On the screen and in a terminal somebody waits for it; what it raises stops the import."""
    rows = [MARSH_CRAB | {"Name": f"Crab {n}"} for n in range(5)]
    file = tmp_path / "crabs.json"
    file.write_text(json.dumps(rows), "utf-8")
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    steps: list[tuple[int, int, str]] = []
    bring_in(file, campaign, progress=lambda *step: steps.append(step))
    assert steps[:5] == [(n, 5, "creatures read") for n in range(1, 6)]
    assert steps[-1] == (5, 5, "creatures checked")


@pytest.mark.parametrize(
    "row",
    [
        {"hp": 9},
        {"hp": 9, "attack": ["bite"]},
        {"hp": "many"},
        {"ac": 12},
        {"hp": 9, "side": "nobody"},
        {"hp": 9, "wave": 2},
        {"hp": 9, "picture": 3},
        {"hp": 9, "owner": "nobody-here"},
    ],
)
def test_a_row_is_refused_before_it_is_written_as_add_would(row: dict[str, Any]) -> None:
    """It is tried without a fight, which takes less time, and refused in the words of `add`."""
    ruleset = load_ruleset("5e")
    made = BestiaryRow("eel", "Eel", {"name": "Eel", **row}, ImportedCreature("Eel"), ())
    refusal = ""
    try:
        validate_row(ruleset, "bestiary", "eel", made.row)
    except Refused as refused:
        refusal = refused.message.partition(" (usage: ")[0]
    assert RowTrial(ruleset).fault_of(made) == refusal


def test_a_line_is_tried_once_however_many_rows_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its text counts for nothing; a line that was refused is refused again, beside a known one."""
    tried: list[str] = []

    def noted(ctx: Context, key: str) -> None:
        tried.append(str(ctx.tables.bestiary[key]))
        try_row(ctx, key)

    monkeypatch.setattr("affray.store.importers.run_import.try_row", noted)
    trial, known = RowTrial(load_ruleset("5e")), '"Gill" trait text "{} breathes water."'

    def fault_of(*power: str) -> str:
        row = {"name": "Eel", "hp": 9, "power": [*power]}
        return trial.fault_of(BestiaryRow("eel", "Eel", row, ImportedCreature("Eel"), ()))

    assert (fault_of(known.format("It")), fault_of(known.format("The eel"))) == ("", "")
    assert ["Gill" in row for row in tried] == [True]  # a row in which nothing is new isn't
    assert fault_of(known.format("It"), '"Gulp" 1d0') == fault_of('"Gulp" 1d0') != ""


@pytest.mark.parametrize(
    ("name", "refusal"),
    [("Lung", ""), ("G" * 40, ""), ("G" * 41, "must have 1 to 40 characters"), (" ", "must have")],
)
def test_a_known_power_is_known_under_any_name_that_a_power_may_have(
    name: str, refusal: str
) -> None:
    trial = RowTrial(load_ruleset("5e"))

    def fault_of(name: str) -> str:
        row = {"name": "Eel", "hp": 9, "power": [f'"{name}" action 2d6 cold']}
        return trial.fault_of(BestiaryRow("eel", "Eel", row, ImportedCreature("Eel"), ()))

    assert fault_of("Gill") == ""
    assert refusal in (found := fault_of(name)) and bool(refusal) == bool(found)


def test_a_number_that_another_row_had_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """HP and flags are tried each time: other fields may depend on them."""
    tried: list[dict[str, Any]] = []

    def noted(ctx: Context, key: str) -> None:
        tried.append(dict(ctx.tables.bestiary[key]))
        try_row(ctx, key)

    monkeypatch.setattr("affray.store.importers.run_import.try_row", noted)
    trial = RowTrial(load_ruleset("orcus"))

    def fault_of(**row: Any) -> str:
        return trial.fault_of(BestiaryRow("eel", "Eel", row, ImportedCreature("Eel"), ()))

    assert fault_of(hp=1, ac=12, mook=True) == fault_of(hp=1, ac=12, mook=True) == ""
    assert [*tried[1]] == ["hp", "mook"]
    assert fault_of(hp=9, ac=12, mook=True) == "eel: a mook has 1 HP, so leave out the number"
    assert "ac" in fault_of(hp=1, ac="twelve", mook=True)


def test_an_attack_that_cannot_be_made_costs_that_attack_alone(campaign: Path) -> None:
    hit = "Melee Weapon Attack: +4 to hit, reach 5 ft. Hit: 6 ({}) cold damage."
    acts = [{"Name": "Peck", "Content": hit.format("1d8+2")},
            {"Name": "Drown", "Content": hit.format("1d0+2")}]  # fmt: skip
    (campaign / "campaign.toml").write_text('name = "The Tidewater"\nruleset = "5e"\n', "utf-8")
    report = import_report(brought(campaign, [MARSH_CRAB | {"Actions": acts}]))
    row = rows(campaign)["marsh-crab"]
    assert row["attack"] == ['"Peck" +4 1d8+2 cold melee reach 5']
    assert "1d0+2" in row["text"]
    assert "  numbers that affray can't read: Drown (Marsh Crab)" in report


def test_a_whole_creature_comes_before_the_same_name_in_an_index(campaign: Path) -> None:
    folder = campaign.parent / "crabs"
    folder.mkdir()
    index = {"name": "Marsh Crab", "hp": 19, "ac": 14, "cr": "1/2"}
    (folder / "a-index.json").write_text(json.dumps([index]), "utf-8")
    (folder / "crab.json").write_text(json.dumps([MARSH_CRAB]), "utf-8")
    summary = bring_in(folder, campaign)
    assert [row.creature.abilities["str"] for row in summary.rows["bestiary.toml"]] == [15]
