"""`keep` puts somebody of a fight into the campaign's files, and `add` brings them from there."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli
from tests.test_docs import RULES

from affray.core.dice import SeededDice
from affray.core.parser.errors import Refused
from affray.rulesets import load_ruleset
from affray.store import LogError
from affray.store.campaigns import roster
from affray.store.open_encounter import OpenEncounter


def campaign(folder: Path, rules: str = "monsters-and-magic") -> Path:
    (folder / "encounters").mkdir()
    (folder / "campaign.toml").write_text(f'ruleset = "{rules}"\n', "utf-8")
    return folder / "encounters" / "ford.toml"


@pytest.fixture
def fight(tmp_path: Path) -> OpenEncounter:
    with OpenEncounter.create(
        campaign(tmp_path), "monsters-and-magic", "Ford", dice=SeededDice(3)
    ) as fight:
        yield fight


def rows(fight: OpenEncounter, name: str) -> dict[str, dict[str, object]]:
    return tomli.loads((fight.path.parents[1] / f"{name}.toml").read_text("utf-8"))


def told(fight: OpenEncounter, line: str) -> str:
    answer = fight.ask(line)
    assert answer is not None
    return answer.lines[0]


def test_a_monster_is_kept_in_the_words_by_which_it_was_added(fight):
    fight.do(
        'add monster "Fire Imp" x2 cr 2 hp 3d8+4 ac 1 fly 40 important resist fire,cold '
        'attack "hot claws" 1d6 fire attack bite 1d4 hidden'
    )
    assert told(fight, "keep fire-imp-1") == "Fire Imp is kept in the bestiary: `add fire-imp`"
    assert rows(fight, "bestiary") == {
        "fire-imp": {
            "name": "Fire Imp",
            "cr": 2,
            "hp": "3d8+4",
            "ac": 1,
            "fly": 40,
            "important": True,
            "resist": "fire,cold",
            "attack": ['"hot claws" 1d6 fire', "bite 1d4"],
        }
    }
    fight.do("add fire-imp as Cinder")
    mine, was = fight.state["cinder"], fight.state["fire-imp-1"]
    assert mine.stats == was.stats
    assert fight.history.last == 2  # keeping is no entry


def test_what_was_written_by_hand_since_is_kept_and_wounds_are_not(fight):
    fight.do("add pc Mira hp 20 ac 3 power 1")
    for line in ("set mira ac 5", "set mira hp 4 of 24", "rename mira Mira of the Weir"):
        fight.do(line)
    told(fight, "keep mira as mira")
    assert rows(fight, "party")["mira"] == {
        "name": "Mira of the Weir", "hp": 24, "ac": 5, "power": 1,
    }  # fmt: skip


def test_each_is_found_in_the_wave_or_the_rows_by_which_it_came(fight):
    fight.do("add monster Rat hp 4 wave 2")
    fight.do('add monster "Big Rat" x2 hp 9 hidden wave 2')
    fight.do("wave")
    told(fight, "keep big-rat-2")
    fight.do("add big-rat x2 as Gnawer")
    told(fight, "keep gnawer-2 as gnawer")
    assert rows(fight, "bestiary") == {
        "big-rat": {"name": "Big Rat", "hp": 9},
        "gnawer": {"name": "Gnawer", "hp": 9},
    }


def test_a_character_can_be_kept_in_the_bestiary_and_stays_one(fight):
    fight.do("add pc Mira hp 20")
    told(fight, "keep mira bestiary")
    assert rows(fight, "bestiary") == {"mira": {"name": "Mira", "kind": "pc", "hp": 20}}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("keep", "expected the combatant to keep"),
        ("keep nobody", "nobody"),
        ("keep ghoul somewhere", "did not expect 'somewhere'"),
        ("keep ghoul as imp", "there is a 'imp' in bestiary.toml already; `as ID`"),
    ],
)
def test_what_cannot_be_kept_is_refused(fight, line, answer):
    folder = fight.path.parents[1]
    (folder / "bestiary.toml").write_text("[Imp]\nhp = 3\n", "utf-8")
    fight.do("add monster Ghoul hp 9")
    with pytest.raises(Refused, match=answer):
        fight.ask(line)
    assert (folder / "bestiary.toml").read_text("utf-8") == "[Imp]\nhp = 3\n"


def test_who_is_kept_already_is_not_kept_twice_but_by_another_id(fight):
    fight.do("add monster Ghoul x2 hp 9")
    told(fight, "keep ghoul-1")
    with pytest.raises(Refused, match=r"a 'ghoul' in bestiary\.toml already; `as ID`"):
        fight.ask("keep ghoul-2")
    assert told(fight, "keep ghoul-2 as old-ghoul").endswith("`add old-ghoul`")


def test_outside_a_campaign_or_in_a_fight_that_is_looked_at_nothing_is_kept(tmp_path, fight):
    fight.do("add monster Ghoul hp 9")
    with OpenEncounter.create(tmp_path / "x.toml", "plain", "X", dice=SeededDice(3)) as alone:
        alone.do("add monster Ghoul hp 9")
        with pytest.raises(Refused, match="not in a campaign"):
            alone.ask("keep ghoul")
    with pytest.raises(LogError, match="read-only: somebody else"):
        OpenEncounter.view(fight.path, "somebody else has it").ask("keep ghoul")
    tried = OpenEncounter.view(fight.path).ask("keep ghoul")  # as `do --dry-run` does
    assert tried and "kept in the bestiary" in tried.lines[0]
    assert not (tmp_path / "bestiary.toml").exists()


SAID = {
    "monsters-and-magic": 'hp 9 bond "Old Tom" 2 "He owes me" powers Howl ap 2 uses 1 size large',
    "orcus": 'hp 22 fort 13 resist fire 5 type "frost undead" power "Cold Grip" encounter +6 vs ref'
    " 1d8+3 cold attack claw +5 1d8",
    "5e": "hp 11 saves str,con resist fire attack claw +5 1d8+3 slashing heavy slots 2 spells"
    ' "Fire Bolt" 0 action +7 2d10 fire',
    "level-up": "hp 11 saves str,con resist fire attack claw +5 1d8+3 slashing heavy",
    "adventure-school": 'hp 11 skill cooking 3 immune burning ability "Slow Rime" stamina 1 +5 1d8',
    "plain": "hp 11 init 2 resist fire,cold important",
}


@pytest.mark.parametrize("rules", RULES)
def test_in_every_system_who_is_kept_comes_back_with_the_same_sheet(tmp_path, rules):
    with OpenEncounter.create(
        campaign(tmp_path, rules), rules, "Ford", dice=SeededDice(3)
    ) as fight:
        fight.do(f"add monster Ghoul {SAID[rules]}")
        told(fight, "keep ghoul as other")
        fight.do("add other as Other")
        one, other = fight.state["ghoul"], fight.state["other"]
        assert (one.stats, one.tracks) == (other.stats, other.tracks)


@pytest.mark.parametrize("rules", RULES)
def test_every_word_of_a_sheet_says_what_it_expects(rules):
    ruleset = load_ruleset(rules)
    words = ruleset.sheet.fields(ruleset.tables)
    assert "hp" in {word.name for word in words}
    assert all(word.expects and "{" not in word.expects for word in words)


# -- editing --------------------------------------------------------------------------------------


EEL = "# Eels.\n[Eel]\nhp = 9  # thin\nac = 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    campaign(tmp_path)
    (tmp_path / "bestiary.toml").write_text(EEL, "utf-8")
    return tmp_path


def test_an_edit_changes_its_fields_and_can_be_taken_back(folder):
    was = {"hp": 9, "ac": 1}
    change = roster.update_row(folder, "bestiary", "eel", was, {**was, "hp": 12, "swim": True})
    assert change.summary == "eel: hp, swim"
    text = (folder / "bestiary.toml").read_text("utf-8")
    assert text == EEL.replace("hp = 9", "hp = 12") + "swim = true\n"
    roster.undo_edit(change)
    assert (folder / "bestiary.toml").read_text("utf-8") == EEL


def test_a_proposal_that_is_changed_is_none_any_more(folder):
    text = EEL.replace("ac = 1", 'ac = 1\nproposed = ["ac", "cr"]')
    (folder / "bestiary.toml").write_text(text, "utf-8")
    was = roster.load_row(folder, "eel")
    assert roster.update_row(folder, "bestiary", "eel", was, {**was, "ac": 2}).summary == "eel: ac"
    assert roster.load_row(folder, "eel")["proposed"] == ["cr"]
    now = roster.load_row(folder, "eel")
    roster.update_row(folder, "bestiary", "eel", now, {**now, "cr": 3})
    assert "proposed" not in roster.load_row(folder, "eel")


def test_what_an_editor_saved_meanwhile_stays(folder):
    file, was = folder / "bestiary.toml", {"hp": 9, "ac": 1}
    file.write_text(EEL.replace("ac = 1", "ac = 4") + "[imp]\nhp = 2\n", "utf-8")
    change = roster.update_row(folder, "bestiary", "eel", was, {**was, "hp": 12})
    assert tomli.loads(file.read_text("utf-8")) == {"Eel": {"hp": 12, "ac": 4}, "imp": {"hp": 2}}
    with pytest.raises(Refused, match="another program has changed hp of eel"):
        roster.update_row(folder, "bestiary", "eel", was, {**was, "hp": 13})
    file.write_text(EEL, "utf-8")
    with pytest.raises(Refused, match="was changed by another program meanwhile"):
        roster.undo_edit(change)
    assert file.read_text("utf-8") == EEL


def test_a_first_row_makes_the_file_and_taking_it_back_takes_it_away(folder):
    change = roster.add_row(folder, "party", "mira", {"name": "Mira", "hp": 20})
    assert change.summary == "Mira is kept in the party as mira"
    roster.undo_edit(change)
    assert not (folder / "party.toml").exists()


def test_a_new_row_gets_an_id_that_is_free_in_both_files(folder):
    assert roster.new_key(folder, "Fire Imp") == "fire-imp"
    (folder / "party.toml").write_text("[fire-imp]\nhp = 2\n", "utf-8")
    assert roster.new_key(folder, "Fire Imp") == "fire-imp-2"
    (folder / "bestiary.toml").write_text(f"{EEL}[Fire-Imp-2]\nhp = 2\n", "utf-8")
    assert roster.new_key(folder, "Fire Imp") == "fire-imp-3"


def test_a_row_that_an_editor_took_out_meanwhile_stays_out(folder):
    file, was = folder / "bestiary.toml", {"hp": 9, "ac": 1}
    file.write_text("[imp]\nhp = 2\n", "utf-8")
    with pytest.raises(roster.FileChangedError) as refusal:
        roster.update_row(folder, "bestiary", "eel", was, {**was, "hp": 12})
    assert refusal.value.message == "bestiary.toml: another program has removed eel"
    with pytest.raises(roster.FileChangedError, match="has removed eel"):
        roster.delete_row(folder, "bestiary", "eel", "Eel")
    assert file.read_text("utf-8") == "[imp]\nhp = 2\n"


def test_a_file_that_an_editor_broke_meanwhile_is_left_to_its_editor(folder):
    file = folder / "bestiary.toml"
    file.write_text("[eel\n", "utf-8")
    with pytest.raises(Refused, match=r"^bestiary\.toml: not valid TOML: .*line 1"):
        roster.delete_row(folder, "bestiary", "eel", "Eel")
    assert file.read_text("utf-8") == "[eel\n"


def test_what_is_saved_between_the_reading_and_the_writing_stays(folder, monkeypatch):
    file, edit = folder / "bestiary.toml", roster.without_rows

    def edited_meanwhile(text: str, keys: list[str]) -> str:
        file.write_text("[imp]\nhp = 2\n", "utf-8")
        return edit(text, keys)

    monkeypatch.setattr(roster, "without_rows", edited_meanwhile)
    with pytest.raises(roster.FileChangedError) as refusal:
        roster.delete_row(folder, "bestiary", "eel", "Eel")
    assert refusal.value.message == "bestiary.toml: another program is saving it: look again"
    assert file.read_text("utf-8") == "[imp]\nhp = 2\n"


def test_a_row_that_add_would_refuse_is_refused_as_there(folder):
    with pytest.raises(Refused, match="expected `hp` and a number"):
        roster.add_row(folder, "party", "mira", {"name": "Mira"})
    with pytest.raises(Refused, match="expected ac"):
        roster.update_row(folder, "bestiary", "eel", {"hp": 9, "ac": 1}, {"hp": 9, "ac": "much"})
    assert (folder / "bestiary.toml").read_text("utf-8") == EEL


def test_who_is_taken_out_is_gone_until_that_is_taken_back(folder):
    change = roster.delete_row(folder, "bestiary", "eel", "Eel")
    assert (folder / "bestiary.toml").read_text("utf-8") == "# Eels.\n"
    roster.undo_edit(change)
    assert (folder / "bestiary.toml").read_text("utf-8") == EEL


def test_a_number_that_was_set_takes_the_place_of_the_short_word_in_the_row(tmp_path):
    path = campaign(tmp_path, "orcus")
    (tmp_path / "bestiary.toml").write_text("[imp]\nhp = 9\nfort = 12\n", "utf-8")
    with OpenEncounter.create(path, "orcus", "Ford", dice=SeededDice(3)) as fight:
        fight.do("add imp")
        fight.do("set imp fortitude 15")
        told(fight, "keep imp as tough-imp")
        assert rows(fight, "bestiary")["tough-imp"] == {"name": "Imp", "hp": 9, "fort": 15}
