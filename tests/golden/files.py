"""The golden files: for each game the commands, and hashes of what they come to.

A line without tabs says where those below it are from: a case of a file, or an entry of a log. Of a
command of several lines, as a hand may have written one into a log, the ends of lines are marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.golden.decisions import Outcome

FOLDER = Path(__file__).parent
Row = tuple[str, str, str, str]
"""Where a command is from, the command, the hash of its text and that of its events."""


def path_of(game: str) -> Path:
    """The golden file of a game."""
    return FOLDER / f"{game}.tsv"


def written(outcomes: Iterable[Outcome]) -> str:
    """The golden file of what the commands of a game come to."""
    lines, last = [], ""
    for outcome in outcomes:
        if outcome.where != last:
            last = outcome.where
            lines.append(last)
        lines.append("\t".join((*outcome.hashes, as_line(outcome.command))))
    return "".join(f"{line}\n" for line in lines)


def as_line(command: str) -> str:
    """A command as a golden file has it."""
    return command.replace("\n", "⏎")


def read(text: str) -> Iterator[Row]:
    """The rows of a golden file."""
    where = ""
    for line in text.splitlines():
        if "\t" in line:
            of_text, of_events, command = line.split("\t", 2)
            yield where, command, of_text, of_events
        else:
            where = line
