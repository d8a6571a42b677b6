"""The odds of a fight, ever narrower: it is played out in processes of their own."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, suppress
from functools import lru_cache, partial
from itertools import chain, repeat
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

from affray.core.dice.sources import SeededDice
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset
from affray.odds.figures import Odds, odds_of
from affray.odds.playing import Policy, attack_the_weakest, both_stand, play
from affray.rulesets import load_ruleset
from affray.store.campaigns.rules import ruleset_with_campaign

BATCH = 20
"""So many fights are played before the odds are told anew."""


class Rules(NamedTuple):
    """By which rules a fight is played: a rule system, with the house rules of its campaign.

    path  the encounter's file, for a fight that has one
    """

    ruleset_id: str
    path: Path | None = None


@lru_cache(maxsize=1)
def _loaded(rules: Rules) -> Ruleset:
    """Raises Refused for rules that are not there, or that are wrong."""
    ruleset = load_ruleset(rules.ruleset_id)
    return ruleset if rules.path is None else ruleset_with_campaign(ruleset, rules.path)


def reckon(
    state: Encounter,
    rules: Rules,
    fights: int,
    policy: Policy = attack_the_weakest,
    seed: int = 0,
    processes: int | None = None,
) -> Iterator[Odds]:
    """The odds after some fights, after some more, and so on to all of them.

    They are played in so many `processes` (as many as there are cores), for which the policy must
    be a function of a module; with 0, or where no process can be had, in this one. It may be left
    at any time. Raises Refused for a fight without two sides that stand, a game that has no attack
    to roll, or when nobody can do anything.
    """
    _check(state, rules, policy)
    batch, batches = partial(_batch, state, rules, policy), _batches(seed, fights)
    odds = batch(next(batches))
    if odds.refused and not any(odds.acted[c.id] for c in state.combatants):
        why = next(iter(odds.refused.values()))
        raise Refused(f"nobody here can attack, so nothing can be reckoned: {why}")
    yield odds
    for each in map(batch, batches) if processes == 0 else _apart(batch, batches, processes):
        odds = odds.joined(each)
        yield odds


def _batches(seed: int, fights: int) -> Iterator[range]:
    """The seeds of all fights: a few at first, so that the first figure comes soon."""
    done = 0
    for size in chain((1, 4, 4, 8, 8), repeat(BATCH)):
        if done >= fights:
            return
        yield range(seed + done, seed + min(done + size, fights))
        done += size


def _apart(
    play: Callable[[range], Odds], batches: Iterator[range], processes: int | None
) -> Iterator[Odds]:
    """What each batch comes to, as it is done, in processes that end with whoever asks.

    They are spoken to through pipes alone, so that nothing is needed that a small machine may lack.
    Raises OSError when one of them was ended from outside.
    """
    workers: list[_Worker] = []
    try:
        try:
            for _ in range(processes or os.cpu_count() or 1):
                workers.append(_Worker(play))
        except OSError:  # no process, or no file, is to be had: as many as there are must do
            if not workers:
                yield from map(play, batches)
                return
        busy = {each.pipe: each for each in workers if each.give(next(batches, None))}
        while busy:
            for ready in wait(list(busy)):
                worker = busy[ready]  # type: ignore[index]
                yield worker.take()
                if not worker.give(next(batches, None)):
                    del busy[worker.pipe]
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """A process of our own that plays fights."""

    def __init__(self, play: Callable[[range], Odds]) -> None:
        context = get_context("spawn")
        if os.name == "posix":  # its caretaker wants a real stream, where a screen has another
            with redirect_stderr(sys.__stderr__):
                resource_tracker.ensure_running()
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, play), daemon=True)
        try:
            self._process.start()
        except OSError:
            self.pipe.close()
            raise
        finally:
            theirs.close()

    def give(self, seeds: range | None) -> bool:
        """Have fights played; tells whether there were any."""
        if seeds is not None:
            with suppress(BrokenPipeError):  # `take` tells of it
                self.pipe.send(seeds)
        return seeds is not None

    def take(self) -> Odds:
        """What they came to."""
        try:
            odds: Odds = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            raise OSError("a process that played fights was ended") from None
        return odds

    def end(self) -> None:
        """Play no more."""
        self.pipe.close()
        self._process.terminate()
        self._process.join()


def _work(pipe: Connection[Odds, range], play: Callable[[range], Odds]) -> None:
    """Play whatever fights are asked for, until nobody asks any more; whatever else there is to do
    comes first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    with suppress(EOFError, OSError):
        while True:
            pipe.send(play(pipe.recv()))


def _batch(state: Encounter, rules: Rules, policy: Policy, seeds: range) -> Odds:
    """As many fights as there are seeds, each with dice of its own."""
    odds, ruleset = Odds(), _loaded(rules)
    for seed in seeds:
        odds = odds.joined(odds_of(state, play(state, ruleset, policy, SeededDice(seed))))
    return odds


def _check(state: Encounter, rules: Rules, policy: Policy) -> None:
    ruleset = _loaded(rules)
    if state.phase == "ended":
        raise Refused("the fight is over")
    if policy is attack_the_weakest and not ruleset.attack:
        raise Refused(f"{ruleset.name} rolls no attacks, so nothing can be reckoned")
    if not both_stand(state):
        raise Refused("expected somebody of the party and somebody of the foes who are up")
