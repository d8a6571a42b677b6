"""How a fight is likely to end, from where it stands: it is played to its end again and again.

    for odds in reckon(fight.state, Rules(fight.ruleset.id), 1000):
        print(odds.rounds, odds.down("mira"))

Each creature plays by a policy: a function that says what whoever is up does next. The plain one is
`attack_the_weakest`. Nothing here is written into any log; the dice are dice of its own.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from affray.core.dice.sources import SeededDice
from affray.core.heart.decide import decide
from affray.core.heart.state import Combatant, Encounter, Side
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import load_ruleset
from affray.store.campaigns.people import ruleset_with_campaign

MOST_ROUNDS = 40
"""A fight that has gone on for so many rounds more is given up as undecided."""
MOST_AT_ONCE = 12
"""So many commands somebody gives in a turn at most."""
BATCH = 20
"""So many fights are played before the odds are told anew."""
SURE = 1.96
"""So many standard errors either way hold 95 of 100."""

Policy = Callable[[Encounter, Ruleset, Combatant], str]
"""What somebody who is up does next, as a command; empty to end the turn."""


class Rules(NamedTuple):
    """By which rules a fight is played: a rule system, with the house rules of its campaign.

    path  the encounter's file, for a fight that has one
    """

    ruleset_id: str
    path: Path | None = None

    def load(self) -> Ruleset:
        """Raises Refused for rules that are not there, or that are wrong."""
        ruleset = load_ruleset(self.ruleset_id)
        return ruleset if self.path is None else ruleset_with_campaign(ruleset, self.path)


class Chance(NamedTuple):
    """How often something was so, of all times; `margin` either way holds it, 19 times in 20."""

    share: float
    margin: float

    def __str__(self) -> str:
        return f"{self.share:.0%} ±{self.margin:.0%}"


class Odds(NamedTuple):
    """What so many fights came to.

    played   how many
    won      side -> how often it alone stood at the end; "" for what stayed undecided
    fallen   id -> how often they were down at the end
    rounds   how many rounds all of them took together
    squares  the squares of these, summed up
    left     id and track -> what was on it at the end, summed up
    """

    played: int = 0
    won: Counter[str] = Counter()
    fallen: Counter[str] = Counter()
    rounds: int = 0
    squares: int = 0
    left: Counter[tuple[str, str]] = Counter()

    def joined(self, other: Odds) -> Odds:
        """These and others, as one."""
        return Odds(*(mine + others for mine, others in zip(self, other, strict=True)))

    def wins(self, side: Side) -> Chance:
        """The chance that this side alone stands at the end."""
        return self._chance(self.won[side])

    def down(self, who: str) -> Chance:
        """The chance that somebody is down at the end: dying, unconscious, defeated or dead."""
        return self._chance(self.fallen[who])

    def _chance(self, times: int) -> Chance:
        """After Wilson: it stays within 0 and 1, and is no less than honest where both are near."""
        n, share = max(self.played, 1), times / max(self.played, 1)
        spread = sqrt(share * (1 - share) / n + SURE**2 / (4 * n * n))
        return Chance(share, SURE * spread / (1 + SURE**2 / n))

    @property
    def length(self) -> Chance:
        """How many rounds are left, and its margin."""
        n = max(self.played, 1)
        mean = self.rounds / n
        return Chance(mean, SURE * sqrt(max(self.squares / n - mean * mean, 0) / n))

    def used(self, who: Combatant, track: str) -> float:
        """How much is gone from a track of somebody at the end, of what is there now."""
        value = who.tracks[track].value
        return value - self.left[who.id, track] / max(self.played, 1)


# -- policies ------------------------------------------------------------------------------------


def attack_the_weakest(state: Encounter, ruleset: Ruleset, who: Combatant) -> str:
    """The plain policy: the usual attack, at the enemy who has the fewest HP left, as often as can
    be. Nobody moves, heals, casts, uses a power or gives up.
    """
    others = standing(state, "foes" if who.side == "party" else "party")
    if not others or who.side not in ("party", "foes"):
        return ""
    weakest = min(others, key=lambda each: each.tracks["hp"].value)
    return f"{ruleset.attack} {weakest.id} roll by {who.id}"


def standing(state: Encounter, side: Side) -> list[Combatant]:
    """Who of a side is up, and in the fight already."""
    waiting = {who for wave in state.waves.values() for who in wave}
    there = (c for c in state.combatants if c.side == side and c.id not in waiting)
    return [each for each in there if each.life == "up"]


# -- playing -------------------------------------------------------------------------------------


def play_out(state: Encounter, ruleset: Ruleset, policy: Policy, seed: int) -> Encounter:
    """How the fight ends once: with one side down, or undecided after 40 rounds more.

    A fight that hasn't begun is begun, with initiative rolled for all who have none.
    """
    dice = SeededDice(seed)

    def done(line: str) -> bool:
        nonlocal state
        try:
            state = decide(state, line, ruleset, dice).state
        except Refused:
            return False
        return True

    if state.phase == "setup":
        done("init roll")
        done("start")
    last = state.round + MOST_ROUNDS
    while _both_stand(state) and state.round <= last:
        if not state.turn and not done("init roll all"):
            break
        for who in state.acting or (state.turn,):
            for _ in range(MOST_AT_ONCE):
                actor = state.find(who)
                line = policy(state, ruleset, actor) if actor is not None else ""
                if not line or not done(line):
                    break
        if _both_stand(state) and not (done("next") or done("next")):
            break  # the second time it rolls what the turn has left to be rolled
    return state


def _both_stand(state: Encounter) -> bool:
    return bool(standing(state, "party") and standing(state, "foes"))


def _batch(state: Encounter, rules: Rules, policy: Policy, seeds: range) -> Odds:
    """As many fights as there are seeds, in one go."""
    ruleset, odds = rules.load(), Odds()
    for seed in seeds:
        odds = odds.joined(_told(state, play_out(state, ruleset, policy, seed)))
    return odds


def _told(before: Encounter, end: Encounter) -> Odds:
    sides = [side for side in ("party", "foes") if standing(end, side)]
    rounds = max(end.round - before.round, 0)
    return Odds(
        1,
        Counter([sides[0] if len(sides) == 1 else ""]),
        Counter([each.id for each in end.combatants if each.life != "up"]),
        rounds,
        rounds * rounds,
        Counter({(c.id, name): t.value for c in end.combatants for name, t in c.tracks.items()}),
    )


def reckon(
    state: Encounter,
    rules: Rules,
    fights: int = 1000,
    policy: Policy = attack_the_weakest,
    seed: int = 0,
    processes: int | None = None,
) -> Iterator[Odds]:
    """The odds after some fights, after some more, and so on to all of them: ever narrower.

    They are played in so many `processes` of their own (as many as there are cores), for which the
    policy must be a function of a module; in this one with 0. It may be left at any time. Raises
    Refused for a fight without two sides that stand, or rules that have no attack to roll.
    """
    _check(state, rules, policy)
    batches = [range(seed + n, seed + min(n + BATCH, fights)) for n in range(0, fights, BATCH)]
    odds = Odds()
    if processes == 0:
        for seeds in batches:
            odds = odds.joined(_batch(state, rules, policy, seeds))
            yield odds
        return
    pool = ProcessPoolExecutor(processes or os.cpu_count(), get_context("spawn"), _leave_ctrl_c)
    try:
        ahead = {pool.submit(_batch, state, rules, policy, seeds) for seeds in batches}
        while ahead:
            done, ahead = wait(ahead, return_when=FIRST_COMPLETED)
            for each in done:
                odds = odds.joined(each.result())
            yield odds
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _check(state: Encounter, rules: Rules, policy: Policy) -> None:
    ruleset = rules.load()
    if state.phase == "ended":
        raise Refused("the fight is over")
    if policy is attack_the_weakest and not ruleset.attack:
        raise Refused(f"{ruleset.name} rolls no attacks, so nothing can be reckoned")
    if not _both_stand(state):
        raise Refused("expected somebody of the party and somebody of the foes who is up")


def _leave_ctrl_c() -> None:
    """A process that plays is ended by the one that asked, not by the terminal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
