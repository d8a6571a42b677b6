"""The odds of a fight: it is played out many times, by a policy, and nothing of it is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.other_bones import BONES, PEOPLE
from tests.play.test_terminal import hearing_ctrl_c

import affray
from affray import Fight, Refused
from affray.cli import main
from affray.core.dice import SeededDice
from affray.core.engine.state import Combatant, Encounter
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import TrackRow
from affray.odds import simulation
from affray.odds.simulation import (
    RulesRef,
    SimulationResult,
    attack_the_weakest,
    odds_of,
    result_lines,
    simulate,
    so_far,
)
from affray.store.open_encounter import OpenEncounter

DUELLISTS = {
    "monsters-and-magic": "hp 20 ac 1 cr 2 attack blade 1d8+2 slashing",
    "orcus": "hp 30 ac 15 attack blade +6 vs ac 1d8+3",
    "level-up": "hp 30 ac 14 attack blade +5 1d8+3 slashing",
    "5e": "hp 30 ac 14 attack blade +5 1d8+3 slashing",
    "adventure-school": "hp 30 ac 14 attack blade +5 vs ac 1d8+3 slashing",
}


def duel(ruleset_id: str, sheet: str = "") -> Encounter:
    """Two who are alike, one on each side."""
    fight = affray.Fight(ruleset_id)
    fight.do(f"add monster Duellist x2 {sheet or DUELLISTS[ruleset_id]}")
    one, other = fight.state.combatants
    return replace(fight.state, combatants=(replace(one, side="party"), other))


def of(ruleset_id: str, state: Encounter, fights: int = 120) -> SimulationResult:
    """The odds after all of them, reckoned in this process."""
    *_, last = simulate(state, RulesRef(ruleset_id), fights, processes=0)
    return last


@pytest.mark.parametrize("ruleset_id", DUELLISTS)
def test_of_two_who_are_alike_either_wins_half_of_the_time(ruleset_id: str) -> None:
    odds = of(ruleset_id, duel(ruleset_id), 100)
    won = odds.wins("party")
    assert abs(won.value - 0.5) <= won.margin
    assert odds.won["party"] + odds.won["foes"] == odds.played == 100


@pytest.mark.parametrize("ruleset_id", DUELLISTS)
def test_who_loses_is_down_and_has_lost_hp(ruleset_id: str) -> None:
    state = duel(ruleset_id)
    odds, (one, other) = of(ruleset_id, state, 40), state.combatants
    assert odds.down(one.id).value == pytest.approx(odds.wins("foes").value)
    assert odds.down(one.id).value + odds.down(other.id).value == pytest.approx(1)
    assert odds.change(one, "hp") < -5 and odds.length.value > 0


def test_whoever_waits_for_a_wave_keeps_nobody_out_who_is_called_so() -> None:
    state = replace(duel("orcus"), waves={2: ("duellist-1",)})
    assert of("orcus", state, 20) == of("orcus", duel("orcus"), 20)


def test_it_gets_narrower_the_longer_it_is_reckoned() -> None:
    margins = [
        o.wins("party").margin
        for o in simulate(duel("orcus"), RulesRef("orcus"), 120, seed=5, processes=0)
    ]
    assert len(margins) > 6
    assert margins[0] > 3 * margins[-1], "one fight says little"
    assert all(later < earlier for earlier, later in pairwise(margins[4:]))


def test_while_it_is_reckoned_a_line_says_count_chances_and_rounds() -> None:
    odds = of("orcus", duel("orcus"), 40)
    party, foes, length = odds.wins("party"), odds.wins("foes"), odds.length
    assert so_far(odds) == (
        f"40 fights: the party {party.value:.0%} ±{100 * party.margin:.0f}, "
        f"the foes {foes.value:.0%} ±{100 * foes.margin:.0f}; "
        f"{length.value:.1f} ±{length.margin:.1f} rounds"
    )


def test_processes_of_their_own_come_to_the_same() -> None:
    state = duel("orcus")
    *_, apart = simulate(state, RulesRef("orcus"), 30, processes=1)
    assert apart == of("orcus", state, 30)


def test_it_can_be_left_at_any_time() -> None:
    found = simulate(duel("orcus"), RulesRef("orcus"), 10**9, processes=0)
    assert [next(found).played for _ in range(3)] == [1, 5, 9], "the first figure comes soon"
    found.close()


def test_where_no_process_can_be_had_fights_are_played_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none_left(*_: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(simulation, "_Worker", none_left)
    state = duel("orcus")
    *_, odds = simulate(state, RulesRef("orcus"), 30)
    assert odds == of("orcus", state, 30)


def test_no_more_processes_than_windows_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of 128 cores ended in a traceback there."""
    begun: list[object] = []

    class Idle:
        def __init__(self, play: object) -> None:
            begun.append(play)

        def give(self, seeds: object) -> bool:
            return False

        def end(self) -> None:
            pass

    monkeypatch.setattr(simulation, "_Worker", Idle)
    monkeypatch.setattr(simulation.os, "cpu_count", lambda: 128)
    list(simulate(duel("orcus"), RulesRef("orcus"), 30))
    assert 0 < len(begun) < 62


def test_a_process_that_is_ended_from_outside_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(worker: simulation._Worker) -> SimulationResult:
        worker._process.kill()
        worker._process.join()
        return take(worker)

    take = simulation._Worker.take
    monkeypatch.setattr(simulation._Worker, "take", ended)
    with pytest.raises(OSError, match="was stopped"):
        list(simulate(duel("orcus"), RulesRef("orcus"), 10**6, processes=1))


def test_who_can_never_attack_is_named_and_why() -> None:
    fight = Fight("level-up", seed=1)
    fight.do("add pc Mira hp 30 ac 12", "add pc Ash hp 30 ac 12 attack Club +5 1d6 bludgeoning")
    fight.do("add monster Ghoul hp 20 ac 12 attack Claw +3 1d4 slashing")
    *_, odds = simulate(fight.state, RulesRef("level-up"), 20, processes=0)
    assert odds.idle.keys() == {"mira"}
    lines = result_lines(fight.state, fight.ruleset.tables, odds)
    assert any(line.startswith("Mira never attacks: ") for line in lines), lines


def test_where_nobody_can_attack_it_is_said_at_once() -> None:
    fight = Fight("level-up", seed=1)
    fight.do("add pc Mira hp 30 ac 12", "add monster Ghoul hp 20 ac 12")
    with pytest.raises(Refused, match="nobody here can attack"):
        next(simulate(fight.state, RulesRef("level-up"), 10**9))


def test_a_policy_of_ones_own_takes_the_place_of_the_plain_one() -> None:
    def idle_foes(state: Encounter, ruleset: Ruleset, who: Combatant) -> str:
        return "" if who.side == "foes" else attack_the_weakest(state, ruleset, who)

    *_, odds = simulate(duel("orcus"), RulesRef("orcus"), 20, idle_foes, processes=0)
    assert odds.wins("party").value == 1


def test_a_fight_without_an_end_stays_undecided() -> None:
    *_, odds = simulate(duel("orcus"), RulesRef("orcus"), 20, lambda *_: "", processes=0)
    assert odds.won[""] == 20 and odds.length.value > 39


@pytest.mark.parametrize(
    ("ruleset_id", "lines", "said"),
    [
        ("plain", ["add pc Mira hp 9", "add monster Ghoul hp 9"], "Plain rolls no attacks"),
        ("orcus", ["add pc Mira hp 9"], "one standing foe"),
        (
            "orcus",
            ["add pc Mira hp 9", "add monster Ghoul hp 9", "init roll all", "start", "end"],
            "the fight is over",
        ),
    ],
)
def test_what_cant_be_reckoned_is_said_in_a_line(
    ruleset_id: str, lines: list[str], said: str
) -> None:
    fight = affray.Fight(ruleset_id, seed=1)
    fight.do(*lines)
    with pytest.raises(affray.Refused, match=said):
        next(simulate(fight.state, RulesRef(ruleset_id), 20, processes=0))


def test_words_tell_who_stands_and_what_it_costs() -> None:
    state = duel("orcus")
    tables = affray.Fight("orcus").ruleset.tables
    told = result_lines(state, tables, of("orcus", state, 40))
    assert told[0].startswith("40 fights from here on")
    assert told[1].startswith("The party wins ")
    assert any(line.startswith("Duellist 1  down ") and "HP −" in line for line in told)


def test_tracks_are_told_by_their_whole_names() -> None:
    fight = affray.Fight("level-up")
    fight.do(
        "add pc Odo hp 9 ac 8 attack club +1 1d4 bludgeoning",
        "add pc Wren hp 90 ac 18 attack bow +4 1d4 piercing",
        "add monster Ogre hp 60 ac 12 attack club +9 2d8+4 bludgeoning",
    )
    tables = fight.ruleset.tables
    told = "\n".join(result_lines(fight.state, tables, of("level-up", fight.state, 10)))
    assert ", Failures +" in told and "DF" not in told


def test_what_is_of_a_turn_alone_is_not_told() -> None:
    state = duel("adventure-school")
    tables = affray.Fight("adventure-school").ruleset.tables
    odds = of("adventure-school", state, 40)
    assert odds.change(state.combatants[0], "movement") < -1
    assert not any("Movement" in line for line in result_lines(state, tables, odds))


def test_the_command_prints_them_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "fight.toml"
    with OpenEncounter.create(path, "orcus", "Duel", dice=SeededDice(3)) as fight:
        fight.do("add pc Mira hp 30 ac 15 attack sword +6 vs ac 1d8+3")
        fight.do("add monster Ghoul hp 20 ac 12 attack claws +4 vs ac 1d6")
    before = path.read_bytes()
    assert main(["odds", str(path), "--fights", "20"]) == 0
    assert "20 fights from here on" in capsys.readouterr().out
    assert path.read_bytes() == before
    assert main(["odds", str(path), "--fights", "0"]) == 2
    assert "expected at least one fight" in capsys.readouterr().err


def test_a_script_asks_for_the_odds_of_a_fight() -> None:
    fight = Fight("orcus")
    fight.add("pc", "Mira", hp=30, ac=15, attack="blade +6 vs ac 1d8+3")
    fight.add("monster", "Ghoul", count=2, hp=20, ac=13, attack="claw +4 vs ac 1d6+2")
    *_, told = simulate(fight.state, RulesRef("orcus"), 20, seed=3, processes=0)
    assert odds_of(fight, 20, seed=3) == told
    assert fight.state.phase == "setup" and len(fight.entries) == 2


def test_odds_are_refused_to_a_script_as_on_the_command_line() -> None:
    with pytest.raises(Refused, match="Plain rolls no attacks"):
        odds_of(Fight("plain"), 5)
    fight = Fight("orcus")
    fight.do("add pc Mira hp 30 ac 15", "add monster Ghoul hp 20 ac 13")
    with pytest.raises(Refused, match="nobody here can attack"):
        odds_of(fight, 2)


# -- how long it is reckoned ----------------------------------------------------------------------


def uneven() -> Encounter:
    """A fight that one side wins nearly always, and soon."""
    fight = Fight("orcus")
    fight.do("add pc Mira hp 300 ac 25 attack blade +16 vs ac 3d8+30")
    fight.do("add monster Ghoul hp 20 ac 12 attack claws +4 vs ac 1d6")
    return fight.state


def test_it_ends_by_itself_when_every_figure_is_within_3_percent() -> None:
    """Or at 1,000 fights."""
    *_, before, last = simulate(uneven(), RulesRef("orcus"), processes=0)
    assert last.is_close and not before.is_close and last.played < 200
    assert all(
        chance.margin <= 0.03
        for chance in (last.wins("party"), last.wins("foes"), last.down("mira"), last.down("ghoul"))
    )
    assert last.length.margin <= 0.03 * last.length.value
    *_, asked = simulate(uneven(), RulesRef("orcus"), 300, processes=0)
    assert asked.played == 300, "who says how many has all of them"


def test_it_ends_at_1000_fights_when_they_stay_even(monkeypatch: pytest.MonkeyPatch) -> None:
    def coin(state: Encounter, rules: object, policy: object, seeds: range) -> SimulationResult:
        won = {"party": sum(seed % 2 for seed in seeds), "foes": sum(1 - s % 2 for s in seeds)}
        return SimulationResult(played=len(seeds), won=Counter(won), acted=Counter(duellist=1))

    monkeypatch.setattr(simulation, "_batch", coin)
    *_, last = simulate(duel("orcus"), RulesRef("orcus"), processes=0)
    assert last.played == 1000 and not last.is_close


def test_the_same_seed_gives_the_same_odds_however_many_processes_there_are() -> None:
    here, apart = (
        [*simulate(uneven(), RulesRef("orcus"), seed=3, processes=processes)]
        for processes in (0, 2)
    )
    assert apart == here


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A fight of some length."""
    path = tmp_path / "gate.toml"
    with OpenEncounter.create(path, "orcus", "Gate", dice=SeededDice(3)) as fight:
        fight.do("add pc Mira hp 300 ac 15 attack sword +6 vs ac 1d8+3")
        fight.do("add monster Ghoul hp 300 ac 15 attack claws +6 vs ac 1d8+3")
    return path


def test_in_a_pipe_the_odds_so_far_are_a_few_lines_on_standard_error(
    gate: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", str(gate), "--fights", "30"]) == 0
    told = capsys.readouterr()
    assert [line.split()[0] for line in told.err.splitlines()] == ["1", "5", "17"]
    assert told.out.count("fights") == 1


def test_a_terminal_has_them_in_one_line_that_is_empty_in_the_end(
    gate: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["odds", str(gate), "--fights", "30"]) == 0
    rows = capsys.readouterr().err.split("\r")
    assert "\n" not in "".join(rows) and len(rows) > 4 and not "".join(rows[-2:]).strip()


@pytest.mark.skipif(sys.platform == "win32", reason="there ctrl+c is no signal")
@pytest.mark.parametrize("wait", [0.0, 0.1, 0.2, 0.3, 1.0])
def test_ctrl_c_prints_the_odds_so_far(gate: Path, wait: float) -> None:
    """It goes to all processes, also those that are only being started."""
    with hearing_ctrl_c():
        odds = subprocess.Popen(
            [sys.executable, "-m", "affray", "odds", str(gate), "--fights", "1000000"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    assert odds.stderr is not None
    first = odds.stderr.readline()
    time.sleep(wait)
    os.killpg(odds.pid, signal.SIGINT)
    out, errors = odds.communicate(timeout=60)
    assert first.startswith("1 fights: ") and "fights from here on" in out and odds.returncode == 0
    assert "Traceback" not in errors, errors


def test_at_whom_it_aims_is_said_in_the_games_own_words() -> None:
    fight = Fight(BONES, seed=1)
    fight.do(*PEOPLE)
    odds = odds_of(fight, 2)
    tables = BONES.tables
    assert "the enemy with the fewest grit left." in result_lines(fight.state, tables, odds)[0]
    stressed = replace(tables, tracks={"stress": TrackRow("Stress")})
    assert "attacking the first enemy in the list." in result_lines(fight.state, stressed, odds)[0]
