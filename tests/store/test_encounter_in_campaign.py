"""An encounter in a campaign: its party, its bestiary and its house rules."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import msgspec
import pytest
from tests.store.ford import RULES, create

from affray.core.parser.errors import Refused
from affray.store.campaigns import campaign_rules
from affray.store.open_encounter import OpenEncounter


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    folder = tmp_path / "vale"
    (folder / "encounters").mkdir(parents=True)
    (folder / "campaign.toml").write_text(f'name = "Vale"\nruleset = "{RULES}"\n', "utf-8")
    (folder / "party.toml").write_text(
        '[tam]\nname = "Tam"\nhp = 20\nattack = ["knife 1d4 piercing agile"]\n'
        '[os]\nname = "Os"\nhp = 30\nswim = true\n',
        "utf-8",
    )
    (folder / "bestiary.toml").write_text(
        '[Eel]\nname = "Giant Eel"\ncr = 2\nhp = 9\nresist = ["cold", "fire"]\ntext = "Long."\n',
        "utf-8",
    )
    (folder / "rules.toml").write_text(
        '[effects.soggy]\nmodifiers = { check = -1 }\nuntil = "it is dry"\n', "utf-8"
    )
    return folder


def test_party_bestiary_and_house_rules_are_there(campaign: Path) -> None:
    with create(campaign / "encounters" / "one.toml") as fight:
        joined = fight.do("add party")
        assert joined.text == "The party joins"
        assert [(c.id, c.kind, c.side) for c in fight.state.combatants] == [
            ("tam", "pc", "party"),
            ("os", "pc", "party"),
        ]
        fight.do("add eel x2")
        assert fight.state["giant-eel-2"].stats["resist"] == ["cold", "fire"]
        fight.do("add eel as Grandmother")
        assert fight.state["grandmother"].track("hp") == 9
        fight.do("inflict tam soggy")
        assert fight.ruleset.numbers.totals(
            fight.ruleset.tables, fight.state, fight.state["tam"]
        ) == {
            "check": -1,
            "attack": -1,
            "ac": 0,
            "speed": 30,
        }


def test_the_party_joins_once_and_those_who_are_missing_follow(campaign: Path) -> None:
    with create(campaign / "encounters" / "one.toml") as fight:
        fight.do("add os")
        fight.do("add party")
        assert [c.id for c in fight.state.combatants] == ["os", "tam"]
        with pytest.raises(Refused, match="the party is here already"):
            fight.do("add party")


def test_who_is_benched_comes_by_name_alone(campaign: Path) -> None:
    party = campaign / "party.toml"
    party.write_text(party.read_text("utf-8").replace("[tam]", "[tam]\nbenched = true"), "utf-8")
    with create(campaign / "encounters" / "one.toml") as fight:
        fight.do("add party")
        assert [c.id for c in fight.state.combatants] == ["os"]
        with pytest.raises(Refused, match="the party is here already"):
            fight.do("add party")
        fight.do("add tam")
        assert fight.state["tam"].track("hp")


def test_without_a_campaign_there_is_no_party(tmp_path: Path) -> None:
    with create(tmp_path / "x.toml") as fight, pytest.raises(Refused, match=r"no party\.toml"):
        fight.do("add party")


@pytest.mark.parametrize(
    "name,content,said",
    [
        ("bestiary.toml", "eel = 3\n", "expected a table [eel] with the numbers of a creature"),
        (
            "bestiary.toml",
            "[eel\n",
            "not valid TOML: Expected ']' at the end of a table declaration ",
        ),
        (
            "rules.toml",
            "[effects.soggy]\nmodifiers = 3\n",
            "[effects.soggy] modifiers: expected `obj",
        ),
        (
            "rules.toml",
            "[effects.soggy]\ncolour = 'blue'\n",
            "[effects.soggy] has no field 'colour'",
        ),
        ("party.toml", "\xff", "not valid TOML: 'utf-8' codec can't decode byte 0xff"),
        ("party.toml", "x = " + "9" * 5000, "not valid TOML: Exceeds the limit"),
        ("party.toml", "x = " + "[" * 5000, "not valid TOML: "),
    ],
)
def test_a_wrong_file_of_the_campaign_is_named_in_one_line(
    name: str, content: str, said: str, campaign: Path
) -> None:
    path = campaign / "encounters" / "one.toml"
    create(path).close()
    (campaign / name).write_bytes(content.encode("latin-1"))
    with pytest.raises(Refused) as refusal:
        OpenEncounter.open(path)
    where = f"{campaign / name}{', line 2' if said.startswith('[') else ''}"
    assert str(refusal.value).startswith(f"{where}: {said}")
    assert "\n" not in str(refusal.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_table_that_can_not_be_read_or_is_no_file_is_named(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, table = campaign / "encounters" / "one.toml", campaign / "rules.toml"
    create(path).close()
    monkeypatch.setattr(campaign_rules.files, "exists", lambda file: file == table)
    table.unlink()
    with pytest.raises(Refused) as refusal:
        OpenEncounter.open(path)
    assert refusal.value.message == f"{table}: {os.strerror(errno.ENOENT)}"
    os.mkfifo(table)
    with pytest.raises(Refused) as refusal:
        OpenEncounter.open(path)
    assert refusal.value.message == f"{table}: not a plain file"


def test_a_table_that_was_changed_meanwhile_is_read_anew(campaign: Path) -> None:
    path = campaign / "encounters" / "one.toml"
    with create(path) as fight:
        fight.do("add eel")
        assert fight.state["giant-eel"].track("hp") == 9
    before = (campaign / "bestiary.toml").stat()
    text = (campaign / "bestiary.toml").read_text("utf-8").replace("hp = 9", "hp = 8")
    (campaign / "bestiary.toml").write_text(text, "utf-8")
    os.utime(campaign / "bestiary.toml", ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    with OpenEncounter.open(path) as fight:
        fight.do("add eel as Young")
        assert fight.state["young"].track("hp") == 8


def test_a_creature_with_a_wrong_number_is_refused_when_it_is_added(campaign: Path) -> None:
    (campaign / "bestiary.toml").write_text('[eel]\nhp = "many"\n', "utf-8")
    with create(campaign / "encounters" / "one.toml") as fight:
        with pytest.raises(Refused, match="'many'"):
            fight.do("add eel")
        assert fight.state.combatants == ()


@pytest.mark.skipif(sys.platform == "win32", reason="an open folder can't be moved there")
def test_an_old_fight_replays_without_its_campaign(campaign: Path) -> None:
    path = campaign / "encounters" / "one.toml"
    with create(path) as fight:
        fight.do("add party")
        fight.do("inflict tam soggy")
        live = msgspec.to_builtins(fight.state)
    alone = path.rename(campaign.parent / "alone.toml")
    with OpenEncounter.open(alone) as fight:
        assert msgspec.to_builtins(fight.state) == live


def test_who_looks_on_by_the_rulesets_own_tables_rehearses_nothing(campaign: Path) -> None:
    path = campaign / "encounters" / "one.toml"
    create(path).close()
    (campaign / "rules.toml").write_text("[effects.x]\ncolour = 1\n", "utf-8")
    with OpenEncounter.view(path) as fight:
        fault = fight.rules_fault
        assert fault.startswith(
            f"{campaign / 'rules.toml'}, line 2: [effects.x] has no field 'colour'"
        )
        assert fault.endswith("; shown with only the tables of Monsters & Magic")
        assert fight.notes == (fault,)
        with pytest.raises(Refused) as refusal:
            fight.do_in_memory('note "x"')
        assert refusal.value.message == fault
