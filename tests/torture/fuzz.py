"""Any bytes as a file, any text as a command, any keys: the targets of `tests.fuzz` as faults."""

from __future__ import annotations

from functools import partial

from tests.fuzz.bursts import press_bursts
from tests.fuzz.on_screen import press_anything
from tests.fuzz.targets import TARGETS, TRIES, attack
from tests.torture.table import FAULTS, Fault, Tally, fault

from affray.rulesets import BUILT_IN

SHORT = 500
TENS = 20
NAMES = {
    "files": "any bytes as a file",
    "commands": "any text as a command",
    "keys": "any keys on the screen",
    "tables": "any text as a campaign's tables",
    "own-keys": "any text as the user's keys",
    "program": "any arguments and standard input",
    "terminal": "any codes from the terminal",
}


def fuzzed(target: str, tally: Tally) -> None:
    """Try a target; what is neither an error line nor a fight counts as a traceback."""
    seed = tally.rng.randrange(10**6)
    outcome = attack(target, tally.times(TRIES, SHORT), seed)
    tally.tries = outcome.tries
    refused, taken = outcome.answers["refused"], outcome.answers["fight"]
    tally.say(f"an error line {refused} times, a fight {taken} times")
    for place, found in outcome.faults.items():
        tally.breaks(f"{place}, {found.times} times, by {found.data[:300]!r}", found.error)
        tally.tracebacks += found.times - 1


FAULTS += [Fault(NAMES[name], partial(fuzzed, name), in_suite=False) for name in TARGETS]


@fault("any keys on the real screen", in_suite=False)
def on_the_real_screen(tally: Tally) -> None:
    """Ten random keys at a time on the screen itself, which is looked at after each ten."""
    rounds = tally.times(10, 1)
    entries = 0
    for number in range(rounds):
        folder = tally.folder / str(number)
        folder.mkdir()
        try:
            entries += press_anything(folder, tally.rng, TENS)
        except Exception as error:
            tally.breaks(f"round {number}", error)
        tally.tries += TENS
    tally.say(f"{entries} entries came of {tally.tries * 10} keys, and each was saved")


KEYS, FEW_KEYS, PARTS = 10_000, 30, 4
"""So many keys come in bursts in each part, for each rule system; 200,000 in all."""


def in_bursts(ruleset: str, tally: Tally) -> None:
    """Keys in bursts on every screen: whatever ends the program, or has it hang, is a traceback."""
    wanted = tally.times(KEYS, FEW_KEYS)
    try:
        tally.tries = press_bursts(tally.folder, ruleset, tally.rng, wanted)
    except Exception as error:
        tally.tries = wanted
        tally.breaks(f"{ruleset}: {str(error)[-300:]}", error)
    tally.say("(nothing: each key is answered, and what was open closes once)")


FAULTS += [
    Fault(
        f"keys in bursts on every screen, {ruleset} {part}",
        partial(in_bursts, ruleset),
        in_suite=part == 1,
    )
    for ruleset in BUILT_IN
    for part in range(1, PARTS + 1)
]
