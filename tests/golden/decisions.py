"""Every command of the rule cases, the sample campaigns and the corpus, and what it is decided to.

The commands of tests/cases are played, and those that are to be refused are tried. Each entry of
a log in campaigns/*/encounters and tests/corpus is decided once more where it was given, with the
dice that fell for it, and a spread of them is struck out, or has a note put in behind it.
"""

from __future__ import annotations

import pickle
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from pathlib import Path
from typing import Any, NamedTuple

from tests.golden.events import difference, written_events

from affray import Fight
from affray.core.dice import RecordedDice, SeededDice
from affray.core.engine.events import AnyEvent
from affray.core.engine.evolve import evolve
from affray.core.engine.history import Entry, recorded_dice
from affray.core.formatting.log_lines import amendment_in_words, entry_line, step_in_words
from affray.core.formatting.media import Words
from affray.core.formatting.spoken_answers import entry_answer
from affray.core.parser.errors import Refused
from affray.play.reader import refusal_aloud
from affray.store.open_encounter import OpenEncounter

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests" / "cases").glob("*.toml"))
LOGS = sorted(
    [*ROOT.glob("campaigns/*/encounters/*.toml"), *ROOT.glob("tests/corpus/format-1/*.toml")]
)
GAMES = ("5e", "adventure-school", "level-up", "monsters-and-magic", "orcus", "plain")
SEED = 7
AMENDED = 6
"""So many entries of each log are amended, at even distances from the first to the last."""

Told = tuple[str, tuple[AnyEvent, ...]]
"""The text and the events of an entry; of one that is refused, why, and none."""


class Outcome(NamedTuple):
    """A command, who gave it, where it is from, and what it comes to.

    That is the line that the log has of it, with the events below, indented; or why it is refused.
    `heard` is what is said of it at once, and all that is said of it.
    """

    where: str
    by: str
    command: str
    lines: list[str]
    heard: tuple[str, ...] = ()


def outcomes(game: str) -> Iterator[Outcome]:
    """What each command of a game comes to, in the order of the files."""
    for file, document in _cases().items():
        if document["ruleset"] == game:
            yield from _of_cases(file, document)
    for path in LOGS:
        with OpenEncounter.view(path) as fight:
            if fight.ruleset.id == game:
                where = path.relative_to(ROOT).with_suffix("").as_posix()
                yield from _of_log(where, fight)


@cache
def _cases() -> dict[str, dict[str, Any]]:
    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in CASES}


def _of_cases(file: str, document: dict[str, Any]) -> Iterator[Outcome]:
    begun = Fight(document["ruleset"], "case", SEED)
    for line in document.get("setup", ()):
        yield _given(f"{file}: setup", begun, line)
    dice = pickle.dumps(begun.dice)  # quicker than `deepcopy`, for thousands of cases
    for case in document["case"]:
        where = f"{file}: {case['name']}"
        fight = Fight(document["ruleset"], "case", SEED)
        if not case.get("bare"):
            fight.dice = pickle.loads(dice)
            for seq, entry in begun.history.entries.items():
                fight.history.apply(entry, begun.history.states[seq])
        for line in (*case.get("commands", ()), *case.get("refused", ())):
            yield _given(where, fight, line)


def _given(where: str, fight: Fight, line: str) -> Outcome:
    try:
        return _told(where, fight, fight.do(line))
    except Refused as refusal:
        return _refused(where, line, refusal, fight.ruleset.tables.spoken)


def _told(where: str, fight: Fight, entry: Entry) -> Outcome:
    before = fight.history.before(entry.seq)
    after = reduce(evolve, entry.events, before)
    line = entry_line(entry, before, fight.ruleset.tables.tracks)
    answer = entry_answer(entry, before, after, fight.ruleset)
    lines = [line, *written_events(entry.events)]
    return Outcome(where, entry.by, entry.command, lines, (*answer.lines, *answer.whole))


def _refused(where: str, command: str, why: Refused, words: Words) -> Outcome:
    heard = refusal_aloud(command, why, words)
    return Outcome(where, "", command, [f"refused: {_without_usage(str(why))}"], (heard,))


def _without_usage(why: str) -> str:
    """Why a command is refused, without its usage, which docs/commands.md holds."""
    return why.partition(" (usage: ")[0]


def _of_log(where: str, fight: OpenEncounter) -> Iterator[Outcome]:
    decided: dict[int, Told] = {}
    for seq, entry in fight.history.entries.items():
        if entry.to is not None:
            continue  # an undo or an amendment, which decides nothing
        dice = RecordedDice(recorded_dice(entry.events), SeededDice(seq))
        try:
            decision = fight.preview_instead(seq, entry.command, dice)
        except Refused as refusal:
            decided[seq] = str(refusal), ()
            yield _refused(where, entry.command, refusal, fight.ruleset.tables.spoken)
        else:
            decided[seq] = decision.text, decision.events
            yield _told(where, fight, decision.entry(seq, entry.at))
    path = [seq for seq in fight.history.path if seq in decided]
    spread = {path[(len(path) - 1) * each // (AMENDED - 1)] for each in range(AMENDED)}
    for seq in sorted(spread):
        for line in (f"amend {seq} out", f'amend {seq} insert note "x"'):
            fight.dice = SeededDice(seq)
            try:
                yield Outcome(where, "", line, list(_amended(fight, line, decided)))
            except Refused as refusal:
                yield _refused(where, line, refusal, fight.ruleset.tables.spoken)


def _amended(fight: Fight, line: str, decided: Mapping[int, Told]) -> Iterator[str]:
    """What is different then, and each entry that has another result than without it."""
    amendment = fight.amendment(line)
    assert amendment is not None
    yield amendment_in_words(fight.state, fight.ruleset.tables, amendment)[0]
    for step in amendment.steps:
        old = decided[step.old.seq] if step.old is not None else ("", ())
        new = (step.decision.text, step.decision.events) if step.decision else (step.refused, ())
        if new != old:
            yield _without_usage(step_in_words(step))
            yield from difference(old[1], new[1]) if step.decision else ()
