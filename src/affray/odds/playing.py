"""A fight played to its end by itself: what each of its creatures does is said by a policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from affray.core.dice.sources import DiceSource
from affray.core.heart.decide import decide
from affray.core.heart.state import Combatant, Encounter, Side
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Ruleset

MOST_ROUNDS = 40
"""A fight that has gone on for so many rounds more is left undecided."""
MOST_AT_ONCE = 12
"""So many commands somebody gives in a turn at most."""

Policy = Callable[[Encounter, Ruleset, Combatant], str]
"""What somebody who is up does next, as a command; empty to end the turn."""


def attack_the_weakest(state: Encounter, ruleset: Ruleset, who: Combatant) -> str:
    """The plain policy: the usual attack, at the enemy who has the fewest HP left, as often as can
    be. Nobody moves, heals, casts, uses a power, reacts or gives up.
    """
    if who.side not in ("party", "foes"):
        return ""
    others = _up(state, "foes" if who.side == "party" else "party")
    if not others:
        return ""
    weakest = min(others, key=lambda each: each.tracks["hp"].value)
    return f"{ruleset.attack} {weakest.id} roll by {who.id}"


def _up(state: Encounter, side: Side) -> list[Combatant]:
    return [each for each in state.combatants if each.side == side and each.life == "up"]


def sides_standing(state: Encounter) -> list[Side]:
    """Which of the two sides have anybody up: `["party", "foes"]` while it goes on."""
    sides: tuple[Side, ...] = ("party", "foes")
    return [side for side in sides if _up(state, side)]


def both_stand(state: Encounter) -> bool:
    """Whether there is still somebody up on either side."""
    return len(sides_standing(state)) == 2


class PlayedFight:
    """A fight as it goes on, and what it is played with.

    acted    how many commands each has given, by id
    refused  id -> why the first command of somebody was refused who has given none
    """

    def __init__(self, state: Encounter, ruleset: Ruleset, dice: DiceSource) -> None:
        self.state, self.ruleset, self.dice = state, ruleset, dice
        self.acted: Counter[str] = Counter()
        self.refused: dict[str, str] = {}

    def done(self, line: str, by: str = "") -> bool:
        """Give a command; tells whether it could be done."""
        try:
            self.state = decide(self.state, line, self.ruleset, self.dice).state
        except Refused as refusal:
            if by and not self.acted[by]:
                self.refused.setdefault(by, str(refusal))
            return False
        self.acted[by] += 1
        return True

    def act(self, policy: Policy) -> None:
        """Whoever is up does what the policy says, until it says no more or that can't be done."""
        for combatant_id in self.state.acting or (self.state.turn,):
            for _ in range(MOST_AT_ONCE):
                actor = self.state.find(combatant_id)
                line = policy(self.state, self.ruleset, actor) if actor is not None else ""
                if not line or not self.done(line, combatant_id):
                    break


def play_out(state: Encounter, ruleset: Ruleset, policy: Policy, dice: DiceSource) -> Encounter:
    """How the fight ends once: with one side down, or undecided after 40 rounds more.

    One that hasn't begun is begun, with initiative rolled for all who have none.
    """
    return play(state, ruleset, policy, dice).state


def play(state: Encounter, ruleset: Ruleset, policy: Policy, dice: DiceSource) -> PlayedFight:
    """The same, with who acted and who could not."""
    table = PlayedFight(state, ruleset, dice)
    if state.phase == "setup":
        table.done("init roll")
        table.done("start")
    while both_stand(table.state) and table.state.round - state.round <= MOST_ROUNDS:
        if not table.state.turn and not table.done("init roll all"):
            break  # it waits for something that no policy says
        table.act(policy)
        # The second time it rolls what the turn has left to be rolled.
        if both_stand(table.state) and not (table.done("next") or table.done("next")):
            break
    return table
