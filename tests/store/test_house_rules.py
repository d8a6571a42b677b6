"""A slip in a campaign's own tables is one line that names the file, before anything is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.cli import main
from affray.core.parser.errors import Refused
from affray.store.open_encounter import OpenEncounter

RULES = "monsters-and-magic"

WRONG = {
    'economy = { ap = "three" }': "[economy] ap: expected a number such as 3, found 'three'",
    "economy = { ap = true }": "[economy] ap: expected a number such as 3, found True",
    "economy = { ap = 2.5 }": "[economy] ap: expected a number such as 3, found 2.5",
    "economy = { ap = -1 }": "[economy] ap: expected a number from 0 to 999999, found -1",
    "economy = { fatigue = 1_000_000 }": "[economy] fatigue: expected a number from 0",
    "economy = { detonation = 5 }": "[economy] detonation: expected dice such as \"1d10\", found 5",
    'economy = { detonation = "ten" }': "[economy] detonation: expected dice such as \"1d10\"",
    'economy = { pc_exhaustion_penalty = ["a"] }': "pc_exhaustion_penalty: expected a list such",
    "economy = { pc_exhaustion_penalty = [] }": "pc_exhaustion_penalty: expected a list such",
    "economy = { pc_exhaustion_penalty = -1 }": "pc_exhaustion_penalty: expected a list such",
    "economy = { fatige = 5 }": "[economy] has no 'fatige'; did you mean fatigue",
    "economy = { mana = 5 }": "[economy] has no 'mana'; there are ap, reaction,",
    "techniques.juggle = { key = 'j' }": "[techniques.juggle] needs a `cost`",
    "techniques.juggle = { cost = { app = 1 } }": "has no price in 'app'; did you mean",
    "techniques.aid = { cost = { reaction = 1 } }": "[techniques.aid] needs a `cost` that names ap",
    "techniques.aid = { cost = { ap = 1 }, marks = { fatigue = 1 } }": "[techniques.aid] marks",
    'techniques.aid = { cost = { ap = 1 }, command = " " }': "`key` and `command`",
    'prompts.wade = { command = " " }': "[prompts.wade]: `key` and `command` must hold a word",
    'prompts.wade = { command = "mark", asks = ["number", ""] }': "fields: '' must hold a word",
    "effects.soggy = { escape = { mana = 1 } }": "[effects.soggy] escape: 'mana' is no track",
    "effects.soggy = { at_start = { fatige = 1 } }": "did you mean fatigue",
}  # fmt: skip

RIGHT = (
    "economy = { ap = 4, speed = 25, detonation = '2d6', pc_exhaustion_penalty = [-1, -2] }",
    "techniques.juggle = { cost = { ap = 1 }, marks = { fatigue = 1 } }",
    "techniques.aid = { cost = { ap = 1 } }",
    "techniques.chant = { cost = { ap = 1 } }\ntracks.threads = { label = 'Fate' }",
    "prompts.wade = { key = 'Z', command = 'mark', asks = ['self', 'number?'] }",
    "effects.soggy = { modifiers = { check = -2 }, escape = { fatigue = 1 } }",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A fight in a campaign."""
    path = tmp_path / "vale" / "encounters" / "one.toml"
    path.parent.mkdir(parents=True)
    with OpenEncounter.create(path, RULES, "One") as fight:
        fight.do("add pc Tam hp 20")
        fight.do("start")
    return path


def rules(path: Path, content: str, name: str = "rules.toml") -> Path:
    file = path.parent.parent / name
    file.write_text(content, "utf-8")
    return file


@pytest.mark.parametrize("content,said", WRONG.items(), ids=WRONG)
def test_a_slip_in_the_house_rules_is_one_line(content: str, said: str, path: Path) -> None:
    file, raw = rules(path, content), path.read_bytes()
    with pytest.raises(Refused) as refusal:
        OpenEncounter.open(path)
    assert said in refusal.value.message
    assert refusal.value.message.startswith(str(file))
    assert path.read_bytes() == raw


@pytest.mark.parametrize("content", RIGHT)
def test_house_rules_that_go_with_the_rules_are_played_by(content: str, path: Path) -> None:
    rules(path, content)
    with OpenEncounter.open(path) as fight:
        for line in ("next", "add pc Os hp 9", "inflict tam weakened", "mark tam exhaustion 3"):
            fight.do(line)


def test_who_only_looks_on_can_do_without_the_house_rules(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = rules(path, "economy = { ap = 'three' }")
    for arguments in (["show", str(path)], ["log", str(path)], ["show", "--json", str(path)]):
        assert main(arguments) == 0
        said = capsys.readouterr()
        assert "Tam" in said.out
        assert said.err.startswith(f"affray: {file}, line 1: [economy] ap")
        assert said.err.count("\n") == 1
    assert main(["check", str(path)]) == 0
    assert str(file) in capsys.readouterr().out
    for arguments in (["do", str(path), "next"], ["do", "--dry-run", str(path), "next"]):
        assert main(arguments) == 2
        said = capsys.readouterr()
        assert str(file) in said.err and "Traceback" not in said.err
    with OpenEncounter.open_or_view(path) as fight:
        assert str(file) in fight.read_only
        assert fight.state.turn == "tam"


def test_a_creature_of_no_known_kind_is_refused(path: Path) -> None:
    rules(path, '[eel]\nkind = "monstre"\nhp = 9\n[os]\nkind = 3\nhp = 9\n', "bestiary.toml")
    with OpenEncounter.open(path) as fight:
        for line, said in (("add eel", "did you mean monster?"), ("add os", "pc, monster or haz")):
            with pytest.raises(Refused) as refusal:
                fight.do(line)
            assert said in refusal.value.message


def test_a_creature_is_of_the_kind_that_its_row_says(path: Path) -> None:
    rules(path, '[ash]\nkind = "pc"\nhp = 9\n[pit]\nkind = "hazard"\ncr = 2\n', "bestiary.toml")
    with OpenEncounter.open(path) as fight:
        fight.do("add ash")
        fight.do("add pit")
        assert [(c.kind, c.side) for c in fight.state.combatants[1:]] == [
            ("pc", "party"),
            ("hazard", "world"),
        ]
