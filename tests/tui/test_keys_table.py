"""The one table of keys, and the user's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.fuzz.limits import by_the_clock

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.engine.decide import commands_of
from affray.rulesets import load_ruleset
from affray.tui.keymap import NUMBER, Keymap, keymap_for, own_keys
from affray.tui.screens.fight import ACTIONS

RULESET = load_ruleset("monsters-and-magic")


def test_no_two_entries_want_the_same_key() -> None:
    keymap = keymap_for(RULESET)
    assert keymap.complaints == []
    pressed = [key for entry in keymap.keys for key in entry.keys]
    assert len(pressed) == len(set(pressed))


def test_every_entry_is_begun_by_keys_and_does_something() -> None:
    for key in keymap_for(RULESET).keys:
        assert key.pressed and key.shown, key.id
        assert key.label and key.what, key.id
        assert key.prompt is not None or key.id in (*ACTIONS, NUMBER), key.id


def test_every_technique_has_the_key_of_its_row() -> None:
    keymap = keymap_for(RULESET)
    for name, technique in RULESET.tables.techniques.items():
        found = keymap.of_technique(name)
        assert found is not None and found.keys == tuple(technique.key.split())


def test_a_key_is_offered_only_for_a_command_that_is_there() -> None:
    commands = {n: command for n, command in RULESET.commands.items() if n not in ("heal", "dodge")}
    keymap = keymap_for(replace(RULESET, commands=commands))
    assert keymap.find("+") is None
    assert keymap.find("d") is None
    known = commands_of(RULESET)
    for key in keymap_for(RULESET).keys:
        if key.prompt is not None and key.prompt.command not in SESSION_COMMANDS:
            assert key.prompt.command.split()[0] in known


def test_own_keys_take_the_place_of_ours() -> None:
    keymap = keymap_for(RULESET, {"next": "enter", "technique.strike": "1"})
    assert _id(keymap, "enter") == "next"
    assert _id(keymap, "1") == "technique.strike"
    assert keymap.find("space") is None
    assert keymap.find("s") is None


def test_a_wrong_name_and_a_clash_are_told_in_a_line_each() -> None:
    keymap = keymap_for(RULESET, {"fly": "Y", "undo": "q", "redo": "q"})
    assert len(keymap.complaints) == 2, keymap.complaints
    assert "'fly'" in keymap.complaints[0]
    assert "undo" in keymap.complaints[1] and "redo" in keymap.complaints[1]


def test_a_key_that_others_want_is_offered_by_the_one_that_has_it_alone() -> None:
    usual = keymap_for(RULESET)
    keymap = keymap_for(RULESET, {key.id: "x" for key in usual.keys})
    assert [key.id for key in keymap.keys if key.keys] == [usual.keys[0].id]
    assert len(keymap.complaints) == len(usual.keys) - 1
    assert all(keymap.by_key[p] is key for key in keymap.keys for p in key.keys)


def test_who_loses_the_last_key_is_told() -> None:
    keymap = keymap_for(RULESET, {"next": "u"})
    assert any("undo" in line for line in keymap.complaints)


def _id(keymap: Keymap, pressed: str) -> str:
    found = keymap.find(pressed)
    return found.id if found else ""


def test_own_keys_are_read_from_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_CONFIG", str(tmp_path))
    assert own_keys() == ({}, [])
    (tmp_path / "keys.toml").write_text('undo = "u ctrl+z"\ntechnique.strike = "1"\n', "utf-8")
    assert own_keys() == ({"undo": "u ctrl+z", "technique.strike": "1"}, [])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_keys_that_are_no_plain_file_are_left_aside_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "keys.toml")
    with by_the_clock():
        assert own_keys(tmp_path) == (
            {},
            [f"{tmp_path / 'keys.toml'} is not used: not a plain file"],
        )


@pytest.mark.parametrize("text", ["undo = ", "undo = 3", "undo = []", "undo = ''", "\x00"])
def test_a_broken_file_of_keys_costs_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "keys.toml").write_text(text, "utf-8")
    keys, complaints = own_keys(tmp_path)
    assert keys == {}
    assert len(complaints) == 1 and "\n" not in complaints[0]
