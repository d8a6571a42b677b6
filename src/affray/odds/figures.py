"""What many fights that were played out come to: chances and means, each with its margin."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import NamedTuple, TypeVar

from msgspec import Struct, field

from affray.core.heart.state import Combatant, Encounter, Side
from affray.odds.playing import PlayedFight, sides_standing

_Key = TypeVar("_Key")

SURE = 1.96
"""So many standard errors either way hold the truth, 19 times in 20."""


class Estimate(NamedTuple):
    """A chance (0 to 1) or a mean; within `margin` either way the truth is, 19 times in 20."""

    value: float
    margin: float


class Odds(Struct, frozen=True):
    """What so many fights came to.

    played   how many
    won      side -> how often it alone stood at the end; "" for what stayed undecided
    fallen   id -> how often they were down at the end
    rounds   how many rounds more all of them took together
    squares  the squares of these, summed up
    left     id and track -> what was on it at the end, summed up
    acted    id -> how many commands they gave
    refused  id -> why the first command of somebody was refused who had given none by then
    """

    played: int = 0
    won: Counter[str] = field(default_factory=Counter)
    fallen: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    squares: int = 0
    left: Counter[tuple[str, str]] = field(default_factory=Counter)
    acted: Counter[str] = field(default_factory=Counter)
    refused: dict[str, str] = field(default_factory=dict)

    def joined(self, other: Odds) -> Odds:
        """These and others, as one."""
        return Odds(
            self.played + other.played,
            _summed(self.won, other.won),
            _summed(self.fallen, other.fallen),
            self.rounds + other.rounds,
            self.squares + other.squares,
            _summed(self.left, other.left),
            _summed(self.acted, other.acted),
            other.refused | self.refused,
        )

    @property
    def idle(self) -> dict[str, str]:
        """Those who could never do what they wanted to, by id, and why not."""
        return {who: why for who, why in self.refused.items() if not self.acted[who]}

    def wins(self, side: Side) -> Estimate:
        """The chance that this side alone stands at the end."""
        return self._chance(self.won[side])

    def down(self, who: str) -> Estimate:
        """The chance that somebody is down at the end: dying, unconscious, defeated or dead."""
        return self._chance(self.fallen[who])

    def _chance(self, times: int) -> Estimate:
        """The margin is Wilson's, which is no less than honest where all or none were so."""
        n = max(self.played, 1)
        share = times / n
        spread = sqrt(share * (1 - share) / n + SURE**2 / (4 * n * n))
        return Estimate(share, SURE * spread / (1 + SURE**2 / n))

    @property
    def length(self) -> Estimate:
        """How many rounds are left."""
        n = max(self.played, 1)
        mean = self.rounds / n
        return Estimate(mean, SURE * sqrt(max(self.squares / n - mean * mean, 0) / n))

    def change(self, who: Combatant, track: str) -> float:
        """By how much a track of somebody differs at the end from what is on it now."""
        return self.left[who.id, track] / max(self.played, 1) - who.tracks[track].value


def _summed(one: Counter[_Key], other: Counter[_Key]) -> Counter[_Key]:
    """Both, with what is below 0, which `+` would leave out."""
    found = Counter(one)
    found.update(other)
    return found


def odds_of(before: Encounter, fight: PlayedFight) -> Odds:
    """What one fight came to."""
    end = fight.state
    sides = sides_standing(end)
    rounds = end.round - before.round
    values = {(c.id, name): t.value for c in end.combatants for name, t in c.tracks.items()}
    return Odds(
        1,
        Counter([sides[0] if len(sides) == 1 else ""]),
        Counter([each.id for each in end.combatants if each.life != "up"]),
        rounds,
        rounds * rounds,
        Counter(values),
        fight.acted,
        fight.refused,
    )
