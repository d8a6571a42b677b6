"""The commands about the log itself: whoever holds the log answers them, and no rule decides."""

from __future__ import annotations

from typing import NamedTuple

from affray.core.heart.history import AMEND


class SessionVerb(NamedTuple):
    """Such a command: its first word, its usage, and one line on what it does."""

    name: str
    usage: str
    does: str


MOVES = ("undo", "redo", "goto")
"""Those that move the head of the log; an entry tells of each."""
KEEP = "keep"
"""It is written into the campaign's files: no entry tells of it, and `undo` takes nothing back."""
ROLL, WHY = "roll", "why"
QUESTIONS = (ROLL, WHY, KEEP)
"""Those that are only answered; they change nothing in the fight, and no entry tells of them."""

EXPECT = "clock expect"
"""A question that begins like a command: how long a pool of dice lasts."""

SESSION_VERBS: dict[str, SessionVerb] = {
    verb.name: verb
    for verb in (
        SessionVerb("undo", "undo [N]", "takes back the last command with all that it set off"),
        SessionVerb("redo", "redo [N]", "brings back what was taken back"),
        SessionVerb("goto", "goto N", "goes to how the fight was after that entry"),
        SessionVerb(
            AMEND,
            "amend N COMMAND | N out | N insert COMMAND | before N COMMAND [; ...]",
            "gives an entry another command, and decides anew what came after, with the same dice",
        ),
        SessionVerb(
            ROLL, "roll DICE | roll N% | roll TABLE", "rolls what is for nothing in the fight"
        ),
        SessionVerb(
            KEEP,
            "keep NAME [as ID] [party|bestiary]",
            "puts somebody, as they were added, into the campaign's party or bestiary",
        ),
        SessionVerb(WHY, "why NAME|gm NUMBER", "says where a track or a total comes from"),
    )
}


def question_of(line: str) -> str:
    """Which question a line asks, such as `why`; empty for what is none.

    A clock may be called "expect": `clock "expect" tick` asks nothing.
    """
    first, second = [*line.casefold().split(maxsplit=2), "", ""][:2]
    if f"{first} {second}" == EXPECT:
        return EXPECT
    return first if first in QUESTIONS else ""
