"""What a recap knows of a fight, as plain values. Who is meant goes by an id, and so by a name."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

from affray.core.heart.state import Life, Phase, Side

Kind = Literal["roll", "damage", "healing", "effect", "life", "clock"]


class Outcome(Struct, frozen=True, gc=False):
    """One thing that came to somebody in an entry.

    kind    a roll against them, that came out as `word`; damage and healing, by `amount`; an effect
            of the rules that began, or a clock that is over, called `word`; the `life` that is
            theirs now
    by      id of whoever brought it about; empty where nobody is known to have
    amount  None where the players don't know it
    """

    kind: Kind
    who: str
    by: str = ""
    amount: int | None = 0
    life: Life = "up"
    word: str = ""


class Deed(Struct, frozen=True, gc=False):
    """One entry: what was done, in the log's words, and what it came to.

    by      id of whoever acted; empty for nobody
    what    how that is called: a technique, or the command's word
    title   the log's words for it; empty in what players read, which is told without them
    unseen  ids of those in it of whom the players didn't know then
    """

    seq: int
    by: str
    what: str
    title: str
    outcomes: tuple[Outcome, ...] = ()
    unseen: tuple[str, ...] = ()


class Chapter(Struct, frozen=True):
    """A round, or what was before the first or behind the last.

    heading  what it is called: "Round 2"
    round    its number; 0 for what is no round
    party    how many percent of their health the party has at its end; None for nobody with any
    foes     likewise; None as well in what players read
    seconds  how long it took at the table
    """

    heading: str
    round: int
    deeds: tuple[Deed, ...] = ()
    party: int | None = None
    foes: int | None = None
    seconds: int = 0


class Amount(Struct, frozen=True, gc=False):
    """So much, or so often, of something that has a name."""

    name: str
    amount: int


class Person(Struct, frozen=True):
    """Somebody who was in the fight, at its end, and what they did in it.

    told       whether their numbers may be told; the players don't know those of foes
    life       None for who has left
    dealt, taken, largest   damage to others, damage to them, and the largest of a single blow
    gave, regained          healing given and had
    criticals, fumbles      rolls of theirs that came out so
    did        what they did, each with how often, the most frequent first
    spent, earned           on tracks, by their labels
    turns, seconds, longest how many turns, how long they took together, and the longest
    """

    id: str
    name: str
    side: Side
    told: bool = True
    hidden: bool = False
    life: Life | None = None
    dealt: int = 0
    taken: int = 0
    largest: int = 0
    gave: int = 0
    regained: int = 0
    criticals: int = 0
    fumbles: int = 0
    did: tuple[Amount, ...] = ()
    spent: tuple[Amount, ...] = ()
    earned: tuple[Amount, ...] = ()
    turns: int = 0
    seconds: int = 0
    longest: int = 0


class Blow(Struct, frozen=True, gc=False):
    """The largest amount of damage that one entry did to somebody; `amount` as in `Outcome`."""

    heading: str
    seq: int
    who: str
    by: str
    amount: int | None


class Swing(Struct, frozen=True, gc=False):
    """The round in which one side gained most on the other, in percent of their health.

    `before` and `after` are those of party and foes; None in what players read.
    """

    heading: str
    gained: Literal["party", "foes"]
    before: tuple[int, int] | None
    after: tuple[int, int] | None


class Recap(Struct, frozen=True):
    """A fight as it is told afterwards.

    game       the rule system's name
    rounds     how many rounds were begun, in all fights of the log
    began      when the first round was
    seconds    how long it took at the table, from there to the end, without breaks
    health     how the track is called that damage goes to
    gm_spent   what the GM spent
    for_players  whether what players don't know has been taken out
    """

    title: str
    game: str
    phase: Phase
    rounds: int
    began: datetime | None
    seconds: int
    health: str
    people: tuple[Person, ...]
    chapters: tuple[Chapter, ...]
    blow: Blow | None
    swing: Swing | None
    gm_spent: tuple[Amount, ...] = ()
    for_players: bool = False

    def name(self, who: str) -> str:
        """Somebody's name; the id of whom nobody knows."""
        return next((person.name for person in self.people if person.id == who), who)
