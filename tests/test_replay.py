"""The sample campaigns' encounters are what their commands give, and replay to the same fights."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from affray.core.engine.decide import commands_of
from affray.core.formatting.reports import json_report
from affray.rulesets import load_ruleset
from affray.store.log_file import read_log
from affray.store.log_recovery import build_history
from affray.store.open_encounter import OpenEncounter

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
    assert play.played(path, tmp_path) == play.sample(path).read_bytes(), (
        "the rules or the words have changed: python tests/fights/play.py writes the samples anew"
    )


@pytest.mark.parametrize("path", SCRIPTS)
def test_replaying_the_file_gives_every_state_of_the_live_fight(path: Path, tmp_path: Path) -> None:
    script = play.read(path)
    target = play.begin(script, tmp_path)
    history = play.play(script, target)
    replayed, reason = build_history(read_log(target))
    assert reason == ""
    assert replayed.path == history.path
    assert replayed.entries == history.entries
    assert plain(replayed.states) == plain(history.states)


def plain(states: dict[int, Any]) -> dict[int, Any]:
    return {seq: msgspec.to_builtins(state) for seq, state in states.items()}


def sample(name: str) -> dict[str, Any]:
    with OpenEncounter.view(play.sample(FIGHTS / f"{name}.commands")) as fight:
        assert fight.notes == ()
        return json_report(fight.history, fight.ruleset)


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


def test_smoke_on_the_stair_is_prepared_and_waits_for_initiative() -> None:
    shown = sample("smoke-on-the-stair")
    assert (shown["phase"], shown["ruleset"]) == ("setup", "orcus")
    assert {c["initiative"] for c in shown["combatants"]} == {None}
    people = {c["id"]: c for c in shown["combatants"]}
    assert people["slipworm"]["side"] == "others"
    assert {who for who, c in people.items() if c.get("hidden")} == {
        "smoke-widow-1",
        "smoke-widow-2",
        "ember-moth-5",
        "ember-moth-6",
        "slipworm",
    }
    rows = [people[who].get("group") for who in shown["order"] if who.startswith("ember-moth")]
    assert rows == [*("Ember Moth",) * 3, None, *("Behind the Grate",) * 2]


def test_the_ninth_kiln_stands_in_its_fourth_round_with_everything_to_look_at() -> None:
    shown = sample("the-ninth-kiln")
    people = {c["id"]: c for c in shown["combatants"]}
    effects = {who: {e["name"] for e in c["effects"]} for who, c in people.items()}
    assert (shown["phase"], shown["round"], shown["turn"]) == ("combat", 4, "hesper")
    assert people["wick"]["life"] == "dying"
    assert people["wick"]["tracks"]["hp"]["value"] < 0
    assert people["wick"]["tracks"]["death_failures"]["value"] == 1
    assert {"persistent", "dazed", "staggered"} <= effects["hesper"]
    assert {"grappled", "stance"} <= effects["odo"]
    assert people["odo"]["totals"]["speed"] == 0
    assert {"marked", "rattled"} <= effects["the-ninth-potter"]
    assert {"zone", "weakened"} <= effects["maud"]
    assert people["odo"]["tracks"]["action_points"]["value"] == 0
    assert [people["hesper"]["tracks"][kind]["value"] for kind in ("standard", "move")] == [1, 0]
    lives = [c["life"] for who, c in people.items() if who.startswith("crockling")]
    assert sorted(lives) == ["dead", "up", "up", "up"]
    assert shown["order"].index("clay-double") == shown["order"].index("maud") + 1


def test_the_clay_bridge_is_finished_and_its_captain_has_surrendered() -> None:
    shown = sample("toll-at-the-clay-bridge")
    people = {c["id"]: c for c in shown["combatants"]}
    assert shown["phase"] == "ended"
    assert people["captain-brask"]["life"] == "defeated"
    assert {who for who, c in people.items() if c["life"] == "dead"} == {
        "crockling-1",
        "crockling-2",
        "crockling-3",
    }
    assert people["odo"]["tracks"]["hp"]["value"] == 52


NOT_IN_THESE = {"carry", "finish", "turns-a-round", "item"}
"""What needs a ledger, sides that act at once, somebody with several turns, and carried things:
none of these fights has them; tests/core and tests/mechanics have."""


@pytest.mark.parametrize("campaign", sorted(path.name for path in play.CAMPAIGNS.iterdir()))
def test_the_fights_use_most_of_the_commands(campaign: str) -> None:
    scripts = [script for path in play.SCRIPTS if (script := play.read(path)).campaign == campaign]
    ruleset = play.ruleset_id_for(play.CAMPAIGNS / campaign / play.ENCOUNTERS / "any.toml")
    used = {line.split()[0] for script in scripts for line in script.commands}
    unused = set(commands_of(load_ruleset(ruleset))) - used - NOT_IN_THESE
    assert len(unused) < 13, sorted(unused)  # 12 in plain, where nobody rests within a fight
