"""Every command of the rule cases, the sample campaigns and the corpus, and what it is decided to.

The commands of tests/cases are played, and those that are to be refused are tried. Each entry of
a log in campaigns/*/encounters and tests/corpus is decided once more where it was given, with the
dice that fell for it, and a spread of them is struck out, or has a note put in behind it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from copy import deepcopy
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from affray import Fight
from affray.core.dice import RecordedDice, SeededDice
from affray.core.engine.amend import AmendedEntry
from affray.core.engine.history import recorded_dice
from affray.core.parser.errors import Refused
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
REFUSED = "-"
"""Stands in place of the events of a command that is refused."""


class Outcome(NamedTuple):
    """A command, where it is from, and the text and the events that it is decided to."""

    where: str
    command: str
    text: str
    events: str

    @property
    def hashes(self) -> tuple[str, str]:
        """What stands for the text and for the events in a golden file."""
        return hashed(self.text), REFUSED if self.events == REFUSED else hashed(self.events)


def hashed(text: str) -> str:
    """Twelve digits that another text is as good as certain not to have."""
    return blake2b(text.encode(), digest_size=6).hexdigest()


def outcomes(game: str) -> Iterator[Outcome]:
    """What each command of a game comes to, in the order of the files."""
    for path in CASES:
        document = tomllib.loads(path.read_text("utf-8"))
        if document["ruleset"] == game:
            yield from _of_cases(path.stem, document)
    for path in LOGS:
        with OpenEncounter.view(path) as fight:
            if fight.ruleset.id == game:
                where = path.relative_to(ROOT).with_suffix("").as_posix()
                yield from _of_entries(where, fight)
                yield from _of_amendments(where, fight)


def _of_cases(file: str, document: dict[str, Any]) -> Iterator[Outcome]:
    begun = Fight(document["ruleset"], "case", SEED)
    for line in document.get("setup", ()):
        yield _given(f"{file}: setup", begun, line)
    for case in document["case"]:
        where = f"{file}: {case['name']}"
        fight = Fight(document["ruleset"], "case", SEED)
        if not case.get("bare"):
            fight.dice = deepcopy(begun.dice)
            for seq, entry in begun.history.entries.items():
                fight.history.apply(entry, begun.history.states[seq])
        for line in (*case.get("commands", ()), *case.get("refused", ())):
            yield _given(where, fight, line)


def _given(where: str, fight: Fight, line: str) -> Outcome:
    try:
        entry = fight.do(line)
    except Refused as refusal:
        return Outcome(where, line, _refused(refusal), REFUSED)
    return Outcome(where, line, entry.text, _encoded(entry.events))


def _of_entries(where: str, fight: OpenEncounter) -> Iterator[Outcome]:
    for seq, entry in fight.history.entries.items():
        if entry.to is not None:
            continue  # an undo or an amendment, which decides nothing
        dice = RecordedDice(recorded_dice(entry.events), SeededDice(seq))
        try:
            decision = fight.preview_instead(seq, entry.command, dice)
        except Refused as refusal:
            yield Outcome(f"{where} {seq}", entry.command, _refused(refusal), REFUSED)
        else:
            events = _encoded(decision.events)
            yield Outcome(f"{where} {seq}", entry.command, decision.text, events)


def _of_amendments(where: str, fight: OpenEncounter) -> Iterator[Outcome]:
    path = [seq for seq in fight.history.path if fight.history.entries[seq].to is None]
    spread = {path[(len(path) - 1) * each // (AMENDED - 1)] for each in range(AMENDED)}
    for seq in sorted(spread):
        for line in (f"amend {seq} out", f'amend {seq} insert note "x"'):
            fight.dice = SeededDice(seq)
            try:
                amendment = fight.amendment(line)
            except Refused as refusal:
                yield Outcome(where, line, _refused(refusal), REFUSED)
                continue
            assert amendment is not None
            texts = "\n".join(map(_text_of, amendment.steps))
            yield Outcome(where, line, texts, "\n".join(map(_events_of, amendment.steps)))


def _text_of(step: AmendedEntry) -> str:
    if step.decision is None:
        return f"{step.command}: {_refused(step.refused)}"
    return f"{step.command}: {step.decision.text}"


def _refused(why: object) -> str:
    """Why a command is refused, without its usage, which docs/commands.md holds."""
    return f"refused: {str(why).partition(' (usage: ')[0]}"


def _events_of(step: AmendedEntry) -> str:
    return REFUSED if step.decision is None else _encoded(step.decision.events)


def _encoded(events: Iterable[Any]) -> str:
    return msgspec.json.encode(list(events)).decode()
