"""The sample campaign's encounters are what their commands give, and replay to the same fights."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from affray.core.report import report
from affray.store.encounter import OpenEncounter
from affray.store.entries import history_of
from affray.store.log_file import read_log

FIGHTS = Path(__file__).parent / "fights"


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("play", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["play"] = module  # where a dataclass looks for its own module
    spec.loader.exec_module(module)
    return module


play = _load(FIGHTS / "play.py")
SCRIPTS = [pytest.param(path, id=path.stem) for path in play.SCRIPTS]


@pytest.mark.parametrize("path", SCRIPTS)
def test_a_sample_encounter_is_what_its_commands_give(path: Path, tmp_path: Path) -> None:
    sample = play.ENCOUNTERS / f"{path.stem}.toml"
    assert play.played(path, tmp_path) == sample.read_bytes(), (
        "the rules or the words have changed: python tests/fights/play.py writes the samples anew"
    )


@pytest.mark.parametrize("path", SCRIPTS)
def test_replaying_the_file_gives_every_state_of_the_live_fight(path: Path, tmp_path: Path) -> None:
    script = play.read(path)
    (tmp_path / "encounters").mkdir()
    for table in play.CAMPAIGN.glob("*.toml"):
        (tmp_path / table.name).write_bytes(table.read_bytes())
    target = tmp_path / "encounters" / "fight.toml"
    clock = play.table_clock(script.begun)
    dice = play.SeededDice(script.seed)
    with OpenEncounter.create(target, play.RULESET, script.title, dice, clock) as fight:
        for command in script.commands:
            fight.do(command)
    replayed, reason = history_of(read_log(target))
    assert reason == ""
    assert replayed.path == fight.history.path
    assert replayed.entries == fight.history.entries
    assert plain(replayed.states) == plain(fight.history.states)


def plain(states: dict[int, Any]) -> dict[int, Any]:
    return {seq: msgspec.to_builtins(state) for seq, state in states.items()}


def sample(name: str) -> dict[str, Any]:
    with OpenEncounter.view(play.ENCOUNTERS / f"{name}.toml") as fight:
        assert fight.notes == ()
        return report(fight.history, fight.ruleset)


def test_the_drowned_bell_is_prepared_and_waits_for_initiative() -> None:
    shown = sample("the-drowned-bell")
    assert shown["phase"] == "setup"
    assert {c["initiative"] for c in shown["combatants"]} == {None}
    assert [c["id"] for c in shown["combatants"] if c.get("hidden")] == ["mother-undertow"]
    assert "rising-water" in shown["order"]


def test_the_sluice_gate_stands_in_its_third_round_with_everything_to_look_at() -> None:
    shown = sample("the-sluice-gate")
    people = {c["id"]: c for c in shown["combatants"]}
    effects = {who: {e["name"] for e in c["effects"]} for who, c in people.items()}
    assert (shown["phase"], shown["round"], shown["turn"]) == ("combat", 3, "ilse")
    assert people["pell"]["life"] == "dying"
    assert people["pell"]["tracks"]["deathsaves"]["value"] == 1
    assert "restrained" in effects["oswin"]
    assert {who for who, c in people.items() if c["tracks"]["exhaustion"]["value"]} == {
        "tamsin",
        "oswin",
        "reed-strangler",
    }
    ends = {e["until"] for c in people.values() for e in c["effects"]}
    assert len(ends) >= 8
    assert "waterlogged" in effects["ilse"]
    assert people["ilse"]["tracks"]["ap"]["value"] == 2
    assert [clock["value"] for clock in shown["clocks"]] == [5, 3]
    assert shown["gm"]["threads"] == 1


def test_lantern_street_is_finished_and_nobody_was_lost() -> None:
    shown = sample("lantern-street")
    assert shown["phase"] == "ended"
    lives = {c["id"]: c["life"] for c in shown["combatants"]}
    assert {who for who, life in lives.items() if life == "dead"} == {
        "bog-ghoul-1",
        "bog-ghoul-2",
        "lantern-wisp-1",
        "lantern-wisp-2",
    }


def test_the_fights_use_most_of_the_commands() -> None:
    from affray.core.decide import verbs_of
    from affray.rulesets import load_ruleset

    used = {line.split()[0] for path in play.SCRIPTS for line in play.read(path).commands}
    unused = set(verbs_of(load_ruleset(play.RULESET))) - used
    assert len(unused) < 12, sorted(unused)
