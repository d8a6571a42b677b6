"""Whoever the players have not met might as well not be there: nothing that they see tells.

Two fights go on side by side: in one of them others lie in wait, who have their turns and do as
they like; in the other there is nobody else. What the players see must be the same, byte by byte.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import msgspec
from hypothesis import given, settings, strategies as st
from tests.invariants.games import GAMES
from tests.serve.told import phone_told

from affray import Fight
from affray.core.formatting.players_view import players_view
from affray.core.formatting.recap_output import markdown, players_recap
from affray.core.formatting.visibility import is_known_to_players

EXAMPLES = int(os.environ.get("PLAYERS_EXAMPLES", "30"))
STEPS, MOST_WAITED = 12, 30
SETUP = (
    "add pc Mira hp 30",
    "add pc Ash hp 20",
    "setting players-log shown",
    "setting turn-timer 90",
    "setting players-act ask",
    'clock "fog" 9 rounds',
)
KINDS = ("Ghoul", "Rat")
DONE = (
    *("damage {} 3", "damage {} 25", "heal {} 2", 'inflict {} "hexed" for 2 turns'),
    *('inflict {} "hexed" until end of {}', 'inflict {} "hexed" until start of {}'),
    *('inflict {} "dared"', "remove {} dared", "conceal {}", "delay by {}"),
)
"""What is done to somebody known, or by them."""
MEANT = ('clock "fog" tick', "setting players-names hidden", "setting players-names shown")
LURKING = ('note "psst"', "damage {} 3", 'inflict {} "hexed" until start of {}', "damage {} 99")
"""What the others do among themselves."""

BEGIN, A_LITTLE = datetime(2026, 11, 20, tzinfo=UTC), timedelta(seconds=7)
"""The time stands still, or it passes with each command that both are given."""

Ids = list[tuple[str, str]]
"""Those who are in both fights, as they are called in the one and in the other."""


class Middling:
    """Dice that fall alike for all, however many are thrown."""

    def die(self, sides: int) -> int:
        """The same face for each die of a kind."""
        return sides // 2 + 1


class Twins:
    """The two fights, and who is in both."""

    def __init__(self, which: int, timed: bool) -> None:
        game = GAMES[which].ruleset.id
        self.timed = timed
        self.haunted, self.plain = Fight(game), Fight(game)
        self.haunted.dice = self.plain.dice = Middling()
        self.now = BEGIN
        self.haunted.read_time = self.plain.read_time = lambda: self.now
        self.both: Ids = []
        for line in SETUP:
            self.do(line)
        self.both += [("mira", "mira"), ("ash", "ash")]

    @property
    def lurking(self) -> list[str]:
        known = {one for one, _ in self.both}
        return [who.id for who in self.haunted.state.combatants if who.id not in known]

    def do(self, line: str, *who: tuple[str, str]) -> None:
        """In both; where it is refused in the one, it is in the other."""
        self.now += A_LITTLE * self.timed
        done = [
            _give(fight, line.format(*(ids[at] for ids in who)))
            for at, fight in enumerate((self.haunted, self.plain))
        ]
        assert done[0] == done[1], line

    def add(self, line: str, place: int, hidden: bool) -> None:
        """Somebody joins: those who are hidden in the one fight alone."""
        fights = (self.haunted,) if hidden else (self.haunted, self.plain)
        joined = []
        for fight in fights:
            before = {who.id for who in fight.state.combatants}
            fight.do(f"{line} hidden" if hidden else line)
            new = [who.id for who in fight.state.combatants if who.id not in before]
            for who in new:
                fight.do(f"init {who} {place}")
            joined.append(new)
        if not hidden:
            self.both += zip(*joined, strict=True)

    def go_on(self, data: st.DataObject) -> None:
        """The turn passes to somebody known; the others have theirs before, and nobody knows."""
        self.turn(data, "next")

    def start(self, data: st.DataObject) -> None:
        """It begins with somebody known."""
        self.turn(data, "start")

    def turn(self, data: st.DataObject, line: str) -> None:
        self.now += A_LITTLE * self.timed
        for fight in (self.haunted, self.plain):
            before = seen(fight)
            if _give(fight, line):
                self.wait(data, fight, before)

    def wait(self, data: st.DataObject, fight: Fight, before: str) -> None:
        """As long as somebody hidden is up, they see what they saw before."""
        for _ in range(MOST_WAITED):  # those they know may all be out of it
            if _is_up(fight):
                return
            alike(before, seen(fight), "seen while somebody hidden is up")
            if fight is self.haunted:
                self.lurk(data)
                alike(before, seen(fight), "seen though it came to nobody known")
            _give(fight, "next")

    def lurk(self, data: st.DataObject) -> None:
        if self.lurking:
            line = data.draw(st.sampled_from(LURKING))
            who = [data.draw(st.sampled_from(self.lurking)) for _ in range(2)]
            _give(self.haunted, line.format(*who))

    def check(self, line: str) -> None:
        alike(seen(self.plain), seen(self.haunted), line)
        if not self.timed:  # the table knows itself how long it waited for the others' turns
            alike(retold(self.plain), retold(self.haunted), f"the story behind {line}")


def alike(wanted: str, found: str, line: str) -> None:
    assert found == wanted, line


def _is_up(fight: Fight) -> bool:
    """Whether somebody known is up, or nobody at all."""
    up = fight.state.taking_turn()
    known = any(is_known_to_players(who) for who in fight.state.combatants)
    return not up or not known or any(is_known_to_players(fight.state.find(who)) for who in up)


def _give(fight: Fight, line: str) -> bool:
    try:
        fight.do(line)
    except Exception as refusal:
        assert type(refusal).__name__ == "Refused", line
        return False
    return True


def seen(fight: Fight) -> str:
    """What the players see, and what their phones have of their own."""
    view = msgspec.json.encode(players_view(fight.history, fight.ruleset)).decode()
    return "\n".join([view, *(phone_told(fight, who) for who in ("mira", "ash"))])


def retold(fight: Fight) -> str:
    """The story as the players may read it."""
    return markdown(players_recap(fight.history, fight.ruleset))


@settings(max_examples=EXAMPLES, deadline=None, derandomize="PLAYERS_EXAMPLES" not in os.environ)
@given(data=st.data())
def test_a_fight_in_which_others_lie_in_wait_looks_like_one_in_which_nobody_does(
    data: st.DataObject,
) -> None:
    twins = Twins(data.draw(st.integers(0, len(GAMES) - 1)), data.draw(st.booleans()))
    for who in ("mira", "ash"):
        twins.do(f"init {who} {data.draw(st.integers(1, 30))}")
    for _ in range(data.draw(st.integers(0, 4))):
        name, count = data.draw(st.sampled_from(KINDS)), data.draw(st.integers(1, 3))
        line = f"add monster {name}{f' x{count}' if count > 1 else ''} hp 20"
        twins.add(line, data.draw(st.integers(1, 30)), data.draw(st.booleans()))
        twins.check(line)
    twins.start(data)
    for _ in range(STEPS):
        line = data.draw(st.sampled_from(("lurk", "go on", "go on", *DONE, *MEANT)))
        known = [ids for ids in twins.both if is_known_to_players(twins.haunted.state.find(ids[0]))]
        if line == "lurk":
            twins.lurk(data)
        elif line == "go on":
            twins.go_on(data)
        elif known and not (line == "conceal {}" and len(known) < 2):
            twins.do(line, *(data.draw(st.sampled_from(known)) for _ in range(2)))
            for fight in (twins.haunted, twins.plain):
                twins.wait(data, fight, seen(fight))
        if not (_is_up(twins.haunted) and _is_up(twins.plain)):
            return  # those they know are all out of it
        twins.check(line)
