"""Play a fight out many times and count how it ends: `simulate` gives a `SimulationResult`.

A policy decides what each creature does in its turn.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, redirect_stderr, suppress
from functools import lru_cache, partial
from itertools import chain, count, repeat
from math import inf, sqrt
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple, TypeVar

from msgspec import Struct, field

from affray.core.dice import DiceSource, SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.state import Combatant, Encounter, Side
from affray.core.engine.turns import choices
from affray.core.formatting.safe_text import pad, widest
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Tables
from affray.fight import Fight
from affray.rulesets import load_ruleset
from affray.store.campaigns.campaign_rules import ruleset_with_campaign

MOST_ROUNDS = 40
"""A fight that takes more rounds from now on counts as undecided."""
MOST_PROCESSES = 60
"""Windows can wait for so many at once, less some for Python's own use."""
NAME = "NAME"
"""The word for the target in a usual attack that is written as a whole line."""
MOST_AT_ONCE = 12
"""The most commands of one combatant in a turn."""

Policy = Callable[[Encounter, Ruleset, Combatant], str]
"""A function that returns the next command of the combatant whose turn it is; empty to end the
turn."""


def attack_the_weakest(state: Encounter, ruleset: Ruleset, combatant: Combatant) -> str:
    """The plain policy: the usual attack, at the enemy with the least health left, as often as
    possible. Nobody moves, heals, casts, uses a power, reacts or gives up.
    """
    if combatant.side not in ("party", "foes"):
        return ""
    others = _up(state, "foes" if combatant.side == "party" else "party")
    if not others:
        return ""
    weakest = min(others, key=partial(_health_left, ruleset.tables))
    attack = ruleset.usual_attack
    line = attack if NAME in attack.split() else f"{attack} {NAME} roll"
    return f"{line.replace(NAME, weakest.id)} by {combatant.id}"


def _health_left(tables: Tables, combatant: Combatant) -> float:
    """The health somebody has left; more than any other's if the game counts none."""
    left = tables.health_of(combatant)
    return inf if left is None else left.value


def _up(state: Encounter, side: Side) -> list[Combatant]:
    return [each for each in state.combatants if each.side == side and each.life == "up"]


def sides_standing(state: Encounter) -> list[Side]:
    """List the sides with anybody standing: `["party", "foes"]` while the fight goes on."""
    sides: tuple[Side, ...] = ("party", "foes")
    return [side for side in sides if _up(state, side)]


def both_stand(state: Encounter) -> bool:
    """True while both sides have somebody standing."""
    return len(sides_standing(state)) == 2


class PlayedFight:
    """A simulated fight in progress, with its rules and dice.

    Attributes:
        acted: id -> how many commands the combatant has given.
        refused: id -> why the first command was refused, of combatants who had given none.
    """

    def __init__(self, state: Encounter, ruleset: Ruleset, dice: DiceSource) -> None:
        self.state, self.ruleset, self.dice = state, ruleset, dice
        self.acted: Counter[str] = Counter()
        self.refused: dict[str, str] = {}

    def done(self, line: str, by: str = "") -> bool:
        """Run a command; returns True if it could be done."""
        try:
            self.state = decide(self.state, line, self.ruleset, self.dice).state
        except Refused as refusal:
            if by and not self.acted[by]:
                self.refused.setdefault(by, str(refusal))
            return False
        self.acted[by] += 1
        return True

    def goes_on(self) -> bool:
        """End the turn; returns True if that could be done. If the order asks who is next, it names
        the first."""
        may = choices(self.state)
        return self.done(f"next {may[0]}" if may else "next")

    def act(self, policy: Policy) -> None:
        """Run the policy's commands for everybody whose turn it is, until it ends or one is
        refused."""
        for combatant_id in self.state.acting or (self.state.turn,):
            for _ in range(MOST_AT_ONCE):
                actor = self.state.find(combatant_id)
                line = policy(self.state, self.ruleset, actor) if actor is not None else ""
                if not line or not self.done(line, combatant_id):
                    break


def play_out(state: Encounter, ruleset: Ruleset, policy: Policy, dice: DiceSource) -> Encounter:
    """Play a fight to its end once: with one side down, or undecided after 40 rounds more.

    A fight that hasn't begun begins, with initiative rolled for everybody without.
    """
    return play(state, ruleset, policy, dice).state


def play(state: Encounter, ruleset: Ruleset, policy: Policy, dice: DiceSource) -> PlayedFight:
    """Play a fight to its end once, noting who acted and who could not."""
    table = PlayedFight(state, ruleset, dice)
    if state.phase == "setup":
        if not table.done("init roll"):  # a game that rolls none: in the order of the list
            table.done("init all 0")
        table.done("start")
    while both_stand(table.state) and table.state.round - state.round <= MOST_ROUNDS:
        if not table.state.turn and not table.done("init roll all"):
            break  # it waits for something that no policy says
        table.act(policy)
        # The second time it rolls what the turn has left to be rolled.
        if both_stand(table.state) and not (table.goes_on() or table.goes_on()):
            break
    return table


# -------------------------------------------------------------------------------------------------
# Results of many fights: chances and means, each with its margin of error.

_Key = TypeVar("_Key")

SURE = 1.96
"""Standard errors on each side of a 95 % confidence interval."""
CLOSE = 0.03
"""The margin that is narrow enough."""
ENOUGH = 1000
"""The most fights to play if no number is given."""


class Estimate(NamedTuple):
    """A chance (0 to 1) or a mean, with the half width of its 95 % confidence interval."""

    value: float
    margin: float


class SimulationResult(Struct, frozen=True):
    """The sums over many simulated fights.

    played   how many
    won      side -> how often it alone stood at the end; "" for undecided fights
    fell_in_fights   id -> how often they were down at the end
    rounds   the further rounds of all fights, summed up
    squares  the squares of these rounds, summed up
    left     id and track -> its values at the end, summed up
    acted    id -> the number of their commands
    refused  id -> why somebody's first command was refused
    """

    played: int = 0
    won: Counter[str] = field(default_factory=Counter)
    fell_in_fights: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    squares: int = 0
    left: Counter[tuple[str, str]] = field(default_factory=Counter)
    acted: Counter[str] = field(default_factory=Counter)
    refused: dict[str, str] = field(default_factory=dict)

    def joined(self, other: SimulationResult) -> SimulationResult:
        """Return the sum of two results."""
        return SimulationResult(
            self.played + other.played,
            _summed(self.won, other.won),
            _summed(self.fell_in_fights, other.fell_in_fights),
            self.rounds + other.rounds,
            self.squares + other.squares,
            _summed(self.left, other.left),
            _summed(self.acted, other.acted),
            other.refused | self.refused,
        )

    @property
    def idle(self) -> dict[str, str]:
        """The reasons why some could never do what they wanted, by id."""
        return {
            combatant_id: why
            for combatant_id, why in self.refused.items()
            if not self.acted[combatant_id]
        }

    def wins(self, side: Side) -> Estimate:
        """The chance that this side alone stands at the end."""
        return self._chance(self.won[side])

    def down(self, combatant_id: str) -> Estimate:
        """The chance that somebody is down at the end: dying, unconscious, defeated or dead."""
        return self._chance(self.fell_in_fights[combatant_id])

    def _chance(self, times: int) -> Estimate:
        """By Wilson's interval, which also holds near 0 and 1."""
        n = max(self.played, 1)
        share = times / n
        spread = sqrt(share * (1 - share) / n + SURE**2 / (4 * n * n))
        return Estimate(share, SURE * spread / (1 + SURE**2 / n))

    @property
    def length(self) -> Estimate:
        """The estimated number of rounds until the end."""
        n = max(self.played, 1)
        mean = self.rounds / n
        return Estimate(mean, SURE * sqrt(max(self.squares / n - mean * mean, 0) / n))

    @property
    def is_close(self) -> bool:
        """True if every margin is within 3 %, of all fights or of the rounds."""
        times = (0, *self.won.values(), *self.fell_in_fights.values())
        length = self.length
        return length.margin <= CLOSE * length.value and all(
            self._chance(each).margin <= CLOSE for each in times
        )

    def change(self, combatant: Combatant, track: str) -> float:
        """The mean change of a combatant's track from now to the end of the fight."""
        return self.left[combatant.id, track] / max(self.played, 1) - combatant.tracks[track].value


def _summed(one: Counter[_Key], other: Counter[_Key]) -> Counter[_Key]:
    """Add counters and keep values below 0, which `+` would drop."""
    found = Counter(one)
    found.update(other)
    return found


def _result_of(before: Encounter, fight: PlayedFight) -> SimulationResult:
    """Turn one fight into a result."""
    end = fight.state
    sides = sides_standing(end)
    rounds = end.round - before.round
    values = {(c.id, name): t.value for c in end.combatants for name, t in c.tracks.items()}
    return SimulationResult(
        1,
        Counter([sides[0] if len(sides) == 1 else ""]),
        Counter([each.id for each in end.combatants if each.life != "up"]),
        rounds,
        rounds * rounds,
        Counter(values),
        fight.acted,
        fight.refused,
    )


# -------------------------------------------------------------------------------------------------
# Simulation in processes of its own; the results become ever narrower.

SAFE_PATH = "PYTHONSAFEPATH"
BATCH = 20
"""The number of fights between two results."""


class RulesRef(NamedTuple):
    """The rules of a fight: a rule system with a campaign's house rules.

    path  the encounter's file, for a fight that has one
    """

    ruleset_id: str
    path: Path | None = None


@lru_cache(maxsize=1)
def _loaded(rules: RulesRef) -> Ruleset:
    """Load the rules. Raises Refused if they are missing or faulty."""
    ruleset = load_ruleset(rules.ruleset_id)
    return ruleset if rules.path is None else ruleset_with_campaign(ruleset, rules.path)


def simulate(
    state: Encounter,
    rules: RulesRef,
    fights: int | None = None,
    policy: Policy = attack_the_weakest,
    seed: int = 0,
    processes: int | None = None,
) -> Iterator[SimulationResult]:
    """Yield the odds after some fights, after some more, and so on to all of them; without
    `fights`, until every figure is within 3 %, or to 1,000.

    The same seed gives the same odds, however many processes there are. They run in so many
    `processes` (by default one for each core), for which the policy must be a function of a module;
    with 0, or if no process can be had, in this one. You may stop iterating at any time. Raises
    Refused for a fight without two sides that stand, a game that has no attack to roll, or when
    nobody can do anything.
    """
    _check(state, _loaded(rules), policy)
    batch, batches = partial(_batch, state, rules, policy), _batches(seed, fights or ENOUGH)
    odds = batch(next(batches))
    _require_attacker(state, odds)
    yield odds
    with closing(_apart(batch, batches, processes)) as results:
        for each in results:
            odds = odds.joined(each)
            yield odds
            if fights is None and odds.is_close:
                return


def odds_of(
    fight: Fight, fights: int = 200, policy: Policy = attack_the_weakest, seed: int = 0
) -> SimulationResult:
    """Return how a fight is likely to end from where it stands, played `fights` times in this
    process.

        odds = odds_of(fight, 500)
        odds.wins("party").value, odds.down("mira").value

    Raises Refused as `simulate` does.
    """
    _check(fight.state, fight.ruleset, policy)
    odds = _results(fight.state, fight.ruleset, policy, range(seed, seed + fights))
    _require_attacker(fight.state, odds)
    return odds


def _require_attacker(state: Encounter, odds: SimulationResult) -> None:
    """Raise Refused when nobody could do anything."""
    if odds.refused and not any(odds.acted[c.id] for c in state.combatants):
        why = next(iter(odds.refused.values()))
        raise Refused(f"nobody here can attack, so there is nothing to estimate: {why}")


def _batches(seed: int, fights: int) -> Iterator[range]:
    """The seeds of all fights in batches: a small one first, so that the first figure comes
    soon."""
    done = 0
    for size in chain((1, 4, 4, 8, 8), repeat(BATCH)):
        if done >= fights:
            return
        yield range(seed + done, seed + min(done + size, fights))
        done += size


def _apart(
    play: Callable[[range], SimulationResult], batches: Iterator[range], processes: int | None
) -> Generator[SimulationResult]:
    """Yield the results of the batches in order, played in processes of our own unless there are to
    be none. They use only pipes, since a small machine may lack shared semaphores. Raises OSError
    if a process was ended from outside.
    """
    workers: list[_Worker] = []
    try:
        try:
            wanted = (os.cpu_count() or 1) if processes is None else processes
            for _ in range(min(wanted, MOST_PROCESSES)):
                workers.append(_Worker(play))
        except OSError:  # no process, or no file, is to be had: as many as there are must do
            pass
        if not workers:
            yield from map(play, batches)
            return
        numbers, due = count(), 0
        results: dict[int, SimulationResult] = {}  # those before which another one is to come
        busy = {w.pipe: (w, next(numbers)) for w in workers if w.give(next(batches, None))}
        while busy:
            for ready in wait(list(busy)):
                worker, number = busy.pop(ready)  # type: ignore[call-overload]
                results[number] = worker.take()
                if worker.give(next(batches, None)):
                    busy[worker.pipe] = worker, next(numbers)
            while due in results:
                yield results.pop(due)
                due += 1
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """A process of our own that plays fights."""

    def __init__(self, play: Callable[[range], SimulationResult]) -> None:
        context = get_context("spawn")
        if os.name == "posix":  # its caretaker wants a real stream, where a screen has another
            with redirect_stderr(sys.__stderr__), _safe_path():
                resource_tracker.ensure_running()
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, play), daemon=True)
        try:
            with _safe_path(), _without_ctrl_c():
                self._process.start()
        except OSError:
            self.pipe.close()
            raise
        finally:
            theirs.close()

    def give(self, seeds: range | None) -> bool:
        """Send seeds of fights to play; returns False if there were none."""
        if seeds is not None:
            with suppress(BrokenPipeError):  # `take` tells of it
                self.pipe.send(seeds)
        return seeds is not None

    def take(self) -> SimulationResult:
        """Receive the result of the fights."""
        try:
            odds: SimulationResult = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            raise OSError("a process that played fights was stopped") from None
        return odds

    def end(self) -> None:
        """Stop the process."""
        self.pipe.close()
        self._process.terminate()
        self._process.join()


SELDOM = 50_000
"""The number of new objects between two runs of the garbage collector: a fight leaves little
garbage."""


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Have processes that start meanwhile ignore ctrl+c; this process gets it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Have a Python that starts meanwhile look for nothing in the working folder."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        del os.environ[SAFE_PATH]
        if before is not None:
            os.environ[SAFE_PATH] = before


def _work(
    pipe: Connection[SimulationResult, range], play: Callable[[range], SimulationResult]
) -> None:
    """Run a worker: play the requested fights at low priority until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(SELDOM)
    if hasattr(os, "nice"):
        os.nice(10)
    with suppress(EOFError, OSError):
        while True:
            pipe.send(play(pipe.recv()))


def _batch(state: Encounter, rules: RulesRef, policy: Policy, seeds: range) -> SimulationResult:
    return _results(state, _loaded(rules), policy, seeds)


def _results(state: Encounter, ruleset: Ruleset, policy: Policy, seeds: range) -> SimulationResult:
    """The results of one fight for each seed."""
    odds = SimulationResult()
    for seed in seeds:
        odds = odds.joined(_result_of(state, play(state, ruleset, policy, SeededDice(seed))))
    return odds


def _check(state: Encounter, ruleset: Ruleset, policy: Policy) -> None:
    if state.phase == "ended":
        raise Refused("the fight is over")
    if policy is attack_the_weakest and not ruleset.usual_attack:
        raise Refused(f"{ruleset.name} rolls no attacks, so there is nothing to estimate")
    if not both_stand(state):
        raise Refused("expected at least one standing party member and one standing foe")


# -------------------------------------------------------------------------------------------------
# Results in words, for the command line and the screen.

LEAST_CHANGE = 0.5
"""The smallest change that is shown."""


def result_lines(state: Encounter, tables: Tables, odds: SimulationResult) -> list[str]:
    """Describe how likely each side is to stand at the end, how long it takes, and the fate of
    each."""
    sides = f"The party wins {_percent(odds.wins('party'))}, the foes {_percent(odds.wins('foes'))}"
    undecided = odds.won[""]
    if undecided:
        sides += f", undecided {undecided / odds.played:.0%}"
    length = odds.length
    people = [c for c in state.combatants if c.side in ("party", "foes") and c.life == "up"]
    name = widest(each.name for each in people)
    chances = {each.id: _percent(odds.down(each.id)) for each in people}
    chance = max(map(len, chances.values()), default=0)
    idle = [f"{c.name} never attacks: {odds.idle[c.id]}." for c in people if c.id in odds.idle]
    return [
        f"{odds.played:,} fights from here on, with everyone attacking {_whom(tables, people)}.",
        f"{sides}; {length.value:.1f} ±{length.margin:.1f} rounds more.",
        "How often each is down at the end, and the average loss or marks by then:",
        *idle,
        "",
        *(
            f"{pad(c.name, name)}  down {chances[c.id]:>{chance}}  "
            f"{', '.join(_used(tables, odds, c))}"
            for c in people
        ),
    ]


def _whom(tables: Tables, people: Iterable[Combatant]) -> str:
    """Say at whom the plain policy aims among those people, in the game's own words."""
    if any(tables.health_of(each) is not None for each in people):
        return f"the enemy with the fewest {tables.health_label} left"
    return "the first enemy in the list"


def so_far(odds: SimulationResult) -> str:
    """Describe the result while more fights are played: `120 fights: the party 62% ±9, ...`."""
    party, foes, length = odds.wins("party"), odds.wins("foes"), odds.length
    return (
        f"{odds.played:,} fights: the party {_percent(party)}, the foes {_percent(foes)}; "
        f"{length.value:.1f} ±{length.margin:.1f} rounds"
    )


def _percent(chance: Estimate) -> str:
    return f"{chance.value:.0%} ±{100 * chance.margin:.0f}"


def _used(tables: Tables, odds: SimulationResult, combatant: Combatant) -> Iterator[str]:
    """The mean changes of a combatant's tracks that outlast the fight, in words."""
    for name in combatant.tracks:
        rule = tables.tracks.get(name)
        change = odds.change(combatant, name)
        if rule is not None and rule.carries and abs(change) >= LEAST_CHANGE:
            yield f"{rule.label} {change:+.1f}".replace("-", "−")
