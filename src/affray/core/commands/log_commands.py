"""Commands about the log itself, such as undo, redo and goto: affray answers, no rule decides.

`LogCommand` lists them; `read_move` finds the entry to which one of them leads.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from affray.core.engine.history import AMEND, LAST_SEQ, Entry, History
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.tokens import TokenStream, tokenize


class LogCommand(NamedTuple):
    """A command on the log: its first word, its usage, and one line on what it does."""

    name: str
    usage: str
    does: str


MOVED = {"undo": "undone", "redo": "redone", "goto": "now at"}
MOVES = tuple(MOVED)
"""The commands that move the head of the log; each leaves an entry."""
KEEP = "keep"
"""Writes into the campaign's files; it leaves no entry and can't be undone."""
ROLL, WHY, INVENTORY = "roll", "why", "inventory"
QUESTIONS = (ROLL, WHY, INVENTORY, KEEP)
"""The commands that change nothing in the fight and leave no entry."""

EXPECT = "clock expect"
"""The query how long a pool of dice lasts, which begins like a command."""

SESSION_COMMANDS: dict[str, LogCommand] = {
    command.name: command
    for command in (
        LogCommand(
            "undo", "undo [N]", "undoes the last command and everything that followed from it"
        ),
        LogCommand("redo", "redo [N]", "redoes what was undone"),
        LogCommand("goto", "goto N", "goes to the fight as it was after that entry"),
        LogCommand(
            AMEND,
            "amend N COMMAND | N out | N insert COMMAND | before N COMMAND [; ...]",
            "changes a past entry and replays what followed, with the same dice",
        ),
        LogCommand(
            ROLL, "roll DICE | roll N% | roll TABLE", "rolls dice that change nothing in the fight"
        ),
        LogCommand(
            KEEP,
            "keep NAME [as ID] [party|bestiary]",
            "saves somebody, as they were added, in the campaign's party or bestiary",
        ),
        LogCommand(
            INVENTORY,
            "inventory [NAME[,NAME]]",
            "says who in the party carries what",
        ),
        LogCommand(WHY, "why NAME|gm NUMBER", "shows what a track or a total is made of"),
    )
}


def query_kind(line: str) -> str:
    """Return the query that a line asks, such as `why`; empty for other lines.

    A clock may be called "expect": `clock "expect" tick` asks nothing.
    """
    first, second = [*line.casefold().split(maxsplit=2), "", ""][:2]
    if f"{first} {second}" == EXPECT:
        return EXPECT
    return first if first in QUESTIONS else ""


# -------------------------------------------------------------------------------------------------
# Undo, redo and goto: the entry that each leads to, and the words for the GM.

MOST_NAMED = 3
"""The most entries that are named in the description of a move."""


class HeadMove(NamedTuple):
    """A command that moves the head of the log: the number in it, and the entry it leads to."""

    verb: str
    number: int
    to: int


def read_move(history: History, line: str) -> HeadMove | None:
    """The move that a line asks for; None for any other command. Raises Refused."""
    words = tokenize(line)
    name = words[0].casefold() if words else ""
    if name not in MOVES:
        return None
    cursor = TokenStream(words[1:], history.state, SESSION_COMMANDS[name].usage)
    if name == "goto":
        number = cursor.number("the entry", 0, LAST_SEQ)
    else:
        number = cursor.maybe_number(1, "the number of entries", 1)
    cursor.finish()
    targets = {"undo": history.undo_target, "redo": history.redo_target}
    to = targets.get(name, history.goto_target)(number)
    if to == history.head:
        raise Refused(f"the fight is at entry {to} already")
    return HeadMove(name, number, to)


def entry_of_move(history: History, move: HeadMove, at: datetime) -> Entry:
    """The entry that tells of a move."""
    if move.verb == "undo":
        what = history.undo_title
    elif move.verb == "redo":
        what = history.redo_title
    else:
        what = _title(history, move.to)
    more = f" and {move.number - 1} more" if move.verb != "goto" and move.number > 1 else ""
    text = f"{MOVED[move.verb]}: {what}{more}"
    return Entry(history.last + 1, f"{move.verb} {move.number}", text=text, to=move.to, at=at)


def move_in_words(history: History, verb: str, to: int) -> str:
    """Describe in a line what undo, redo or goto would do, as `move_lines` lists it."""
    return " · ".join(move_lines(history, verb, to))


def move_lines(history: History, verb: str, to: int) -> list[str]:
    """List what undo, redo or goto would do by going to entry `to`.

    "takes back 2: Mira dodges; Mira moves", or for goto "back to entry 31: Mira dodges · takes …".
    A long undo or redo also names its destination, and redo the other branches.
    """
    back, on = history.way_to(to)
    where = f"{'over' if back and on else 'back' if back else 'on'} to {_spot(history, to)}"
    newest_first = history.path[: -MOST_NAMED - 1 : -1]
    parts = _named("undoes", back, [history.entries[s].title for s in newest_first[:back]])
    parts += _named("redoes", len(on), [history.entries[s].title for s in on[:MOST_NAMED]])
    if verb == "goto":
        parts.insert(0, where)
    elif max(back, len(on)) > MOST_NAMED:
        parts.append(where)
    return [*parts, *(_other_branches(history) if verb == "redo" else [])]


def _spot(history: History, seq: int) -> str:
    return f"entry {seq}: {_title(history, seq)}" if seq else "the beginning"


def _other_branches(history: History) -> list[str]:
    """The other branches that begin at the head."""
    ends = [str(each.entries[-1]) for each in history.branches() if each.parted_at == history.head]
    label = "another branch from here" if len(ends) == 1 else "other branches from here"
    return [f"{label}: goto {join_or(ends)}"] if ends else []


def _title(history: History, seq: int) -> str:
    return history.entries[seq].title if seq else "the beginning"


def _named(does: str, count: int, titles: list[str]) -> list[str]:
    if not count:
        return []
    more = f" and {count - len(titles)} more" if count > len(titles) else ""
    return [f"{does}{f' {count}' if count > 1 else ''}: {'; '.join(titles)}{more}"]
