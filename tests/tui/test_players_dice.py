"""By no prompt, answer or phone of any game does a player's die fall that nobody asked for.

Whatever else is answered, an enter over what is left empty rolls for monsters alone (DESIGN 6,
every system): `r` rolls, or `setting player-dice app` lets an enter.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.fuzz.fights import ENCOUNTERS, fight_at, points

from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.events import Rolled
from affray.core.engine.turns import pending
from affray.core.parser.errors import Refused
from affray.store.open_encounter import OpenEncounter
from affray.tui.keymap import keymap_for
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.follow_ups import DecisionPrompt
from affray.tui.prompts.preview import Foresight
from affray.tui.prompts.prompt import Prompt

Played = Callable[..., OpenEncounter]
Opened = Callable[..., Any]


class CountedDice(SeededDice):
    """Dice that are counted as they fall."""

    count = 0

    def die(self, sides: int) -> int:
        self.count += 1
        return super().die(sides)


def rolled_for_players(fight: OpenEncounter, line: str, seed: int) -> list[str]:
    """The rolls of players' characters that the app makes for a line."""
    dice = CountedDice(seed)
    try:
        made = decide(fight.state, line, fight.ruleset, dice, fight.history.previous)
    except Refused:
        return []
    rolls = [e for e in made.events if isinstance(e, Rolled) and e.faces and not e.by_hand]
    players = {c.id for c in (*fight.state.combatants, *made.state.combatants) if c.kind == "pc"}
    own = [f"{line}: {e.dice} {e.for_}" for e in rolls if e.who in players]
    return own if dice.count else []


def view_of(fight: OpenEncounter, actor: str) -> PromptContext:
    state, rules = fight.state, fight.ruleset
    return PromptContext(state, rules, actor, actor, fight.complete, Foresight(fight.preview))


def is_given(prompt: Prompt, rng: Random) -> bool:
    """Whether a prompt comes to a command by keys of which none asks for a roll."""
    if prompt.instant:
        return True
    for _ in range(14):
        field = prompt.field
        keys = ["enter"] * 4 + ["tab"]
        if field is not None:
            offers = [offer for offer in field.offers() if "roll" not in offer.label.split()]
            keys += [offer.key for offer in offers if offer.key]
            keys += map(str, list(field.candidates.values())[:6])
            keys += ["1", "2"] if prompt.trouble else []
            keys += ["a", "e"] if prompt.trouble and field.takes_space else []
        step = prompt.feed(rng.choice([key for key in keys if key != "r"]))
        if step is not InputState.OPEN:
            return step is InputState.FINISHED
    return False


@pytest.mark.parametrize("name", ENCOUNTERS)
def test_no_prompt_rolls_a_players_die_that_nobody_asked_for(name: str) -> None:
    given, seen = 0, set[str]()
    for seed in range(6):
        rng = Random(seed)
        fight = fight_at(name, points(name)[seed])
        people = [combatant.id for combatant in fight.state.in_order()] or [""]
        for key in keymap_for(fight.ruleset).keys:
            if key.prompt is None:
                continue
            prompt = Prompt(key.prompt, view_of(fight, rng.choice(people)))
            if is_given(prompt, rng):
                given += 1
                seen.add(key.id)
                assert not rolled_for_players(fight, prompt.line, seed)
    assert given > 60 and len(seen) > 20, (given, len(seen))


@pytest.mark.parametrize("name", ENCOUNTERS)
def test_no_answer_to_what_waits_rolls_a_players_die_that_nobody_asked_for(name: str) -> None:
    for seq in fight_at(name, 10**9).history.path:
        fight = fight_at(name, seq)
        waits = pending(fight.ruleset, fight.state)
        for at, asked in enumerate(waits):
            rest = [choice.key for choice in asked.choices if "roll" not in choice.label.split()]
            for key in ("enter", "space", *rest):
                made = DecisionPrompt(waits, view_of(fight, ""), ["space"], "next")
                for _ in range(at):
                    made.feed("tab")
                if made.feed(key) is InputState.FINISHED:
                    assert not rolled_for_players(fight, made.line, seq)
