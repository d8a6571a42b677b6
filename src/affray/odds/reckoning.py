"""The odds of a fight, ever narrower: it is played out in processes of their own."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import redirect_stderr
from functools import lru_cache, partial
from itertools import islice
from multiprocessing import get_context, resource_tracker
from pathlib import Path
from typing import NamedTuple

from affray.core.dice.sources import SeededDice
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset
from affray.odds.figures import Odds, odds_of
from affray.odds.playing import Policy, attack_the_weakest, both_stand, play_out
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
    be a function of a module; with 0, in this one. It may be left at any time. Raises Refused for a
    fight without two sides that stand, or a game that has no attack to roll.
    """
    _check(state, rules, policy)
    batches = (range(seed + n, seed + min(n + BATCH, fights)) for n in range(0, fights, BATCH))
    odds, play = Odds(), partial(_batch, state, rules, policy)
    for each in map(play, batches) if processes == 0 else _apart(play, batches, processes):
        odds = odds.joined(each)
        yield odds


def _apart(
    play: Callable[[range], Odds], batches: Iterator[range], processes: int | None
) -> Iterator[Odds]:
    """What each batch comes to, as it is done, in processes that end with whoever asks."""
    many = processes or os.cpu_count() or 1
    if os.name == "posix":  # what looks after processes wants a real stream; a screen has another
        with redirect_stderr(sys.__stderr__):
            resource_tracker.ensure_running()
    pool = ProcessPoolExecutor(many, get_context("spawn"), _step_back)
    try:
        ahead = {pool.submit(play, seeds) for seeds in islice(batches, 2 * many)}
        while ahead:
            done, ahead = wait(ahead, return_when=FIRST_COMPLETED)
            ahead |= {pool.submit(play, seeds) for seeds in islice(batches, len(done))}
            yield from (each.result() for each in done)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _batch(state: Encounter, rules: Rules, policy: Policy, seeds: range) -> Odds:
    """As many fights as there are seeds, each with dice of its own."""
    odds, ruleset = Odds(), _loaded(rules)
    for seed in seeds:
        end = play_out(state, ruleset, policy, SeededDice(seed))
        odds = odds.joined(odds_of(state, end))
    return odds


def _check(state: Encounter, rules: Rules, policy: Policy) -> None:
    ruleset = _loaded(rules)
    if state.phase == "ended":
        raise Refused("the fight is over")
    if policy is attack_the_weakest and not ruleset.attack:
        raise Refused(f"{ruleset.name} rolls no attacks, so nothing can be reckoned")
    if not both_stand(state):
        raise Refused("expected somebody of the party and somebody of the foes who are up")


def _step_back() -> None:
    """What plays waits for whatever else there is to do, and is ended by the one that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
