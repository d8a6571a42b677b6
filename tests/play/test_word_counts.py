"""How many words a GM hears who plays by ear: an answer of few, and a turn of no more than needed.

A list in full that was asked for with `all` or `who` is no answer of the fight's.
"""

from __future__ import annotations

from pathlib import Path
from statistics import mean, median, quantiles

import pytest
from tests.fights import play as fights
from tests.play import table
from tests.play.turns import GAMES, before, turns

from affray.play.reader import Reader
from affray.store.campaigns.files import ruleset_id_for
from affray.store.open_encounter import OpenEncounter

A_TURN = {"plain": 40}
"""The words of a turn at most, where a fight has few turns."""
USUAL = 25
WHOLE = ("all", "who")
SAMPLES: dict[str, list[str]] = {}
for script in fights.SCRIPTS:
    SAMPLES.setdefault(ruleset_id_for(fights.sample(script)), []).append(script.stem)


def words(lines: list[str]) -> int:
    return sum(len(line.split()) for line in lines)


def answered(reader: Reader, line: str) -> list[str]:
    """What a line is answered with; `next` is given again where something is asked first."""
    lines = reader.answer(line)
    asks = bool(lines) and lines[0].startswith("Before the turn ends")
    return [*lines, *reader.answer(line)] if asks else lines


def is_brief(counts: list[int]) -> bool:
    return median(counts) <= 10 and quantiles(counts, n=20)[-1] <= 40


@pytest.mark.parametrize("name", GAMES)
def test_an_answer_has_few_words_and_a_turn_no_more_than_needed(name: str, tmp_path: Path) -> None:
    game, path = GAMES[name], tmp_path / "fight.toml"
    OpenEncounter.create(path, name, "Ghouls").close()
    counts, by_turn = [], []
    with OpenEncounter.open(path) as fight:
        fight.dice = fights.SeededDice(1)
        reader = Reader(fight)
        for line in before(game):
            assert not reader.answer(line)[0].startswith("Not done"), line
        for turn in turns(game):
            heard = {line: answered(reader, line) for line in turn}
            assert not [line for line in heard if heard[line][0].startswith("Not done")]
            of_turn = [words(lines) for line, lines in heard.items() if line not in WHOLE]
            counts += of_turn
            by_turn.append(sum(of_turn))
    assert is_brief(counts), sorted(counts)
    assert mean(by_turn) <= A_TURN.get(name, USUAL)


@pytest.mark.parametrize("game", sorted(SAMPLES))
def test_so_it_is_in_the_sample_fights_with_all_that_a_game_has(game: str, tmp_path: Path) -> None:
    heard, turns_had = [], 0
    for name in SAMPLES[game]:
        path, script = table.begin(name, tmp_path / name)
        counts = []
        with OpenEncounter.open(path) as fight:
            fight.dice = fights.SeededDice(script.seed)
            reader = Reader(fight)
            for line in script.commands:
                was = fight.state
                lines = answered(reader, line)
                if was.phase == "combat":
                    counts.append(words(lines))
                    turns_had += (was.round, was.turn) != (fight.state.round, fight.state.turn)
        assert not counts or is_brief(counts), (name, sorted(counts))
        heard += counts
    assert sum(heard) / turns_had <= A_TURN.get(game, USUAL)


def test_each_game_has_a_sample_fight_that_is_counted() -> None:
    assert SAMPLES.keys() == GAMES.keys()
