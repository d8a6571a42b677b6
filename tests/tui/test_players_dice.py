"""By no prompt, answer or phone of any game does a player's die fall that nobody asked for.

Whatever else is answered, an enter over what is left empty rolls for monsters alone (every
game, ruling 4): `r` rolls, or `setting player-dice app` lets an enter.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.fuzz.fights import ENCOUNTERS, fight_at, points

from affray.core.dice import SeededDice
from affray.core.engine.decide import decide
from affray.core.engine.events import Rolled
from affray.core.engine.foresight import Foresight
from affray.core.engine.turns import pending
from affray.core.parser.errors import Refused
from affray.serve.table import Table as Phones
from affray.store.inbox import Inbox
from affray.store.open_encounter import OpenEncounter
from affray.store.phones import Phones as Rights
from affray.tui.keymap import keymap_for
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.follow_ups import DecisionPrompt
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


# -- what is asked, and what an r does -------------------------------------------------------------

STRUCK = """
add pc Mira hp 24 ac 3 power 0 cunning 3 focus 2 luck 1 pb 2 attack dagger 1d4 piercing
add monster Ghoul cr 2 hp 18 ac 2
init mira 15
init ghoul 3
start
"""


async def test_damage_that_is_left_out_is_asked_of_its_player_and_rolled_by_r(
    played: Played, game_of: Opened
) -> None:
    async with game_of(played(STRUCK), (120, 40)) as game:
        await game.type("s2s↵")
        assert game.last == "start"
        assert game.line.prompt.trouble == "Mira's d4, or r to roll it"
        await game.type("r")
        assert game.last == "strike ghoul strong" and not game.line.is_open
        await game.type("us2sr↵")  # the r may come first
        assert game.last == "strike ghoul strong" and not game.line.is_open


async def test_the_number_that_a_player_calls_for_it_needs_no_r(
    played: Played, game_of: Opened
) -> None:
    async with game_of(played(STRUCK), (120, 40)) as game:
        await game.type("s2s↵7↵")
        assert game.last == "strike ghoul strong 7"


async def test_a_miss_by_the_die_asks_for_no_damage(played: Played, game_of: Opened) -> None:
    async with game_of(played(STRUCK), (120, 40)) as game:
        await game.type("s2n2↵↵")
        assert game.last == "strike ghoul natural 2"


@pytest.mark.parametrize(("keys", "command"), [("3↵", " rolled 3"), ("r", "")])
async def test_a_miss_made_a_hit_by_luck_asks_its_player_for_the_damage_die(
    played: Played, game_of: Opened, keys: str, command: str
) -> None:
    fight = played(f"{STRUCK}set mira threads 2\nstrike ghoul natural 2\n")
    async with game_of(fight, (120, 40)) as game:
        await game.type("T1f17↵")
        assert game.line.prompt.trouble == "Mira's d4, or r to roll it", game.line.prompt.line
        await game.type(keys)
        assert game.last == f"thread mira feeling-lucky natural 17{command}"


async def test_a_setting_lets_an_enter_roll_for_all(played: Played, game_of: Opened) -> None:
    fight = played(f"{STRUCK}setting player-dice app\n")
    async with game_of(fight, (120, 40)) as game:
        await game.type("s2s↵")
        assert game.last == "strike ghoul strong"
        await game.type("us2↵")
        assert game.last == "strike ghoul roll"


async def test_what_is_typed_rolls_what_it_leaves_out_and_its_line_tells_the_die(
    played: Played, game_of: Opened
) -> None:
    async with game_of(played(STRUCK), (120, 40)) as game:
        await game.type(":strike ghoul strong↵")
        assert game.last == "strike ghoul strong"
        entry = game.encounter.history.entries[game.encounter.history.last]
        (roll,) = [e for e in entry.events if isinstance(e, Rolled) and e.faces]
        assert f"[{roll.faces[0]}]" in game.said


SCARED = """
add pc Ann hp 30 ac 12 level 3 pb 2 wis 1
add pc Bea hp 30 ac 12 dex 2
add monster Bog hp 30 ac 12 power "Roar" action save dex dc 12 2d6 fire half
init ann 15
init bog 5
init bea 1
start
inflict ann frightened save wis dc 12 from bog
"""


@pytest.mark.parametrize("keys", ["15↵", "r"])
async def test_the_save_that_ends_an_effect_takes_the_die_as_it_lies(
    played: Played, game_of: Opened, keys: str
) -> None:
    """SRD 5.2.1, Saving Throws: a condition that a save ends."""
    async with game_of(played(SCARED, ruleset="5e"), (120, 40)) as game:
        await game.type(f"↵{keys}")
        said = "roll" if keys == "r" else "natural 15"
        assert game.last == f"save ann frightened {said}"


@pytest.mark.parametrize("whom", ["1,2", "2,3", "3,1", "1,2,4", "4,2"])
async def test_the_saves_of_players_against_a_breath_are_theirs_to_roll(
    played: Played, game_of: Opened, whom: str
) -> None:
    """SRD 5.2.1, Saving Throws: those whom the GM plays save at once, and the others owe it."""
    fight = played(f"add monster Rat hp 9 ac 10\ninit rat 1{SCARED}next\n", ruleset="5e")
    async with game_of(fight, (120, 40)) as game:
        await game.type(f"p⇥{whom}↵")
        assert game.last.startswith('power "Roar"')
        entry = game.encounter.history.entries[game.encounter.history.last]
        saved = {e.who for e in entry.events if isinstance(e, Rolled) and e.natural is not None}
        numbers = game.encounter.state.by_number()
        aimed = {numbers[int(number)].id for number in whom.split(",")}
        assert saved == aimed - {"ann", "bea"}
        assert all(game.who(each).named("threatened") for each in aimed & {"ann", "bea"})


# -- what a phone leaves out -----------------------------------------------------------------------

PHONE = "b0" * 32


def propose(fight: OpenEncounter, **answers: str) -> None:
    inbox, rights = Inbox(fight.path), Rights(fight.path)
    rights.grant(PHONE, "mira")
    body = {"id": "1", "form": "do:strike", "answers": {"target": "Ghoul", **answers}}
    assert Phones(fight, inbox, rights).propose(PHONE, body).ok


@pytest.mark.parametrize("acts", ["ask", "trusted"])
async def test_damage_that_a_phone_leaves_out_is_asked_of_the_gm_too(
    played: Played, game_of: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, acts: str
) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    fight = played(f"{STRUCK}setting players-act {acts}\n")
    async with game_of(fight, (120, 40)) as game:
        propose(fight, die="18")
        game.screen.proposals.look()
        assert "Mira's d4, or r to roll it" in game.screen.proposals.decisions[0].what
        await game.type("<ctrl+a>")
        assert game.last == f"setting players-act {acts}"
        assert game.said == "Mira's d4, or r to roll it"
        await game.type("r")
        assert game.last == "strike ghoul natural 18 by mira"
        assert not Inbox(fight.path).waiting()


async def test_a_player_has_damage_rolled_by_a_choice_of_their_own(
    played: Played, game_of: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AFFRAY_DATA", str(tmp_path / "data"))
    fight = played(f"{STRUCK}setting players-act ask\n")
    async with game_of(fight, (120, 40)) as game:
        propose(fight, die="roll", amount="roll")
        game.screen.proposals.look()
        await game.type("<ctrl+a>")
        assert game.last == "strike ghoul roll by mira"
