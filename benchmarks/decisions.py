"""Rows of deciding, without a disk and without a screen: strikes, turns, and how that grows."""

from __future__ import annotations

import gc
from pathlib import Path

from affray.store.open_encounter import OpenEncounter
from benchmarks.fights import path_of
from benchmarks.rows import Row, Size, in_turns, p95, worked
from benchmarks.yardsticks import counting

A_FEW, MANY = Size(500, 10), Size(10_000, 200)
FOR_A_STRIKE, FOR_A_TURN = 450, 300
"""So many steps of counting in plain Python may each take among a few."""
MOST_FOR_A_TURN = 20
"""Milliseconds that a turn may take before any of it is drawn, however many and much there is."""
STRIKE, TURN = "strike, decided", "next turn, decided"
_STRIKE = {
    "monsters-and-magic": "strike ghoul-1 strong 3 slashing",
    "orcus": "attack ghoul-1 natural 15 3",
    "level-up": "attack ghoul-1 natural 15 3 slashing",
    "5e": "attack ghoul-1 natural 15 3 slashing mastery none",
    "adventure-school": "attack ghoul-1 natural 15 3 slashing",
}
_TIMES, _ROUNDS = 100, 5


def decision_rows(folder: Path, game: str, sizes: list[Size], crowded: Size) -> list[Row]:
    """Strikes and turns among a few and in fights of these sizes; a crowd's bears the most."""
    rows = [row for size in (A_FEW, *sizes) for row in _decided(folder, game, size)]
    among = {(row.what, row.size): row for row in rows}
    grown = [_grown(among[what, MANY], among[what, A_FEW]) for what in (STRIKE, TURN)]
    return [*rows, _worst_turn(folder, game, crowded), *grown]


def _decided(folder: Path, game: str, size: Size) -> list[Row]:
    """A strike, decided again and again, and turns, one after the other, in microseconds."""
    fight = OpenEncounter.view(path_of(folder, game, size))
    gc.collect()
    for _ in range(size.combatants):
        if fight.state.turn.startswith("hero"):
            break
        fight.do_in_memory("next")

    def strikes() -> None:
        for _ in range(_TIMES):
            fight.preview(_STRIKE[game])

    def turns() -> None:
        for _ in range(_TIMES):
            fight.do_in_memory("next")

    bar, scale = 1.0 if size == A_FEW else None, 1e6 / _TIMES
    struck = in_turns(
        lambda: worked(strikes), lambda: counting(FOR_A_STRIKE * _TIMES), _ROUNDS, scale
    )
    taken = in_turns(lambda: worked(turns), lambda: counting(FOR_A_TURN * _TIMES), _ROUNDS, scale)
    return [Row(STRIKE, game, size, "µs", bar, struck), Row(TURN, game, size, "µs", bar, taken)]


def _worst_turn(folder: Path, game: str, size: Size) -> Row:
    """The turns of a round in a crowd on which much lasts, against one millisecond."""
    fight = OpenEncounter.view(path_of(folder, game, size))
    gc.collect()

    def worst() -> float:
        return p95([worked(lambda: fight.do_in_memory("next")) for _ in range(size.combatants)])

    took = in_turns(worst, lambda: 1e-3, 3, scale=1e3)
    return Row(f"{TURN} (p95)", game, size, "ms", MOST_FOR_A_TURN, took)


def _grown(many: Row, few: Row) -> Row:
    """How many times as long it takes among many, against how many times as many they are."""
    times = many.size.combatants / few.size.combatants
    pairs = tuple((m / f, times) for (m, _), (f, _) in zip(many.rounds, few.rounds, strict=True))
    what = f"{many.what}, against {few.size.combatants} combatants"
    return Row(what, many.game, many.size, "×", 1.0, pairs)
