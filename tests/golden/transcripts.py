"""The golden files: for each game the commands of our data, with what they come to below each.

    # orcus-examined: a save at the end of a turn
    mira> end
      Mira's turn ends · …
        turn-ended mira

A line with `#` says where those below it are from: a case of a file, or a log. Who acts by a
command stands before it. What has several lines, such as a command that a hand wrote into a log,
stands on one, and their ends are marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from difflib import ndiff
from itertools import chain
from pathlib import Path

from tests.golden.decisions import Outcome

FOLDER = Path(__file__).parent
Commands = dict[tuple[str, str, int], list[str]]
"""What each command comes to: by where it is from, itself, and how many like it stand before."""


def path_of(game: str) -> Path:
    """The golden file of a game."""
    return FOLDER / f"{game}.txt"


def written(outcomes: Iterable[Outcome]) -> str:
    """The golden file of what the commands of a game come to."""
    lines, last = [], ""
    for outcome in outcomes:
        if outcome.where != last:
            last = outcome.where
            lines += ["", f"# {last}"]
        lines += [f"{outcome.by}> {outcome.command}", *(f"  {line}" for line in outcome.lines)]
    return "".join(f"{line}\n" for line in (each.replace("\n", "⏎") for each in lines)).lstrip()


def read(text: str) -> Commands:
    """The commands of a golden file."""
    commands: Commands = {}
    seen: dict[tuple[str, str], int] = defaultdict(int)
    where, lines = "", []
    for line in filter(None, text.splitlines()):
        if line.startswith("# "):
            where = line.removeprefix("# ")
        elif line.startswith(" "):
            lines.append(line)
        else:
            command = line.partition("> ")[2]
            lines = [line]
            commands[where, command, seen[where, command]] = lines
            seen[where, command] += 1
    return commands


def differences(old: Commands, now: Commands) -> list[str]:
    """Each command that has another result: which lines were so, and how they are."""
    found = []
    for key in dict.fromkeys(chain(old, now)):
        where, command, _ = key
        told = ["is new"] if key not in old else ["is gone"] if key not in now else []
        for line in () if told else ndiff(old[key], now[key]):
            if line[0] in "-+":
                told.append(f"{'was' if line[0] == '-' else 'is '} {line[2:].strip()}")
        if told:
            found.append("\n  ".join([f"{where}\n> {command}", *told]))
    return found or ["the commands stand in another order"]
