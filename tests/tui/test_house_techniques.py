"""A campaign's own technique on the screen: its key, its prompt, and where it is told of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tui.conftest import play
from tests.tui.ghouls import prompt_after

from affray.core.parser.prompt_fields import KINDS, NOTED
from affray.core.rules.reference import ReferenceEntry
from affray.store.open_encounter import OpenEncounter
from affray.tui.keymap import keymap_for
from affray.tui.lookup.reference import ReferenceList, fight_help
from affray.tui.prompts.asked_fields import FIELDS
from affray.tui.prompts.combatant_fields import WHO_CAN
from affray.tui.prompts.prompt import Prompt
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.technique_grid import grid_for

RULES = """
[techniques.whirl]
name = "Whirl"
key = "("
cost = { ap = 2 }
fields = ["target"]
does = { inflict = "shaken" }
text = "Spins like a top: whoever is near loses heart."

[techniques.lunge]
key = "s"
cost = { ap = 1 }

[techniques.rebuke]
name = "Rebuke"
key = "{"
cost = { reaction = 1 }
reaction = true
fields = ["target"]
does = { inflict = "shaken" }

[effects.shaken]
modifiers = { check = -1 }
"""
FIGHT = """
add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2
add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add monster Ghoul x2 cr 2 hp 18 ac 2
init brannoc 17
init mira 12
init ghoul-1 10
init ghoul-2 9
start
"""


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[OpenEncounter]:
    """Brannoc is up in a campaign that has these techniques."""
    folder = tmp_path / "vale"
    (folder / "encounters").mkdir(parents=True)
    (folder / "rules.toml").write_text(RULES, "utf-8")
    with play(folder / "encounters" / "one.toml", FIGHT) as made:
        yield made


def prompted(fight: OpenEncounter, keys: str) -> Prompt:
    """The prompt after these keys, the first of which begins it."""
    return prompt_after(fight, keys, complete=fight.complete)


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("( 4", "whirl ghoul-2"),
        ("{ 4", "react rebuke ghoul-2"),
        ("! w h i enter enter", "ready whirl"),
    ],
)
def test_its_key_begins_a_prompt_and_ready_offers_it(
    fight: OpenEncounter, keys: str, line: str
) -> None:
    assert prompted(fight, keys).line == line


def test_what_was_readied_asks_for_its_target_when_the_trigger_comes(fight: OpenEncounter) -> None:
    fight.do("ready whirl")
    fight.do("next")
    assert prompted(fight, "@ 4").line == "trigger ghoul-2 by brannoc"


def test_a_key_that_is_taken_stays_where_it_is_and_that_is_said(fight: OpenEncounter) -> None:
    keymap = keymap_for(fight.ruleset)
    found = keymap.find("s")
    assert found is not None and found.id == "technique.strike"
    assert keymap.by_id["technique.lunge"].shown == ";lu"  # it is behind `;`, as what has no key
    assert keymap.complaints == [
        "the key s is set for both technique.strike and technique.lunge: technique.strike has it"
    ]


@pytest.mark.parametrize("size", [(38, 20), (60, 20), (100, 20)])
def test_the_pane_has_it_with_its_key_and_cost(fight: OpenEncounter, size: tuple[int, int]) -> None:
    ruleset, state = fight.ruleset, fight.state
    options = ruleset.actions.options(ruleset.tables, state, state["brannoc"])
    lines = grid_for(ruleset.tables, options, keymap_for(ruleset), size, styles_of(DARK)).lines
    rows = [" ".join(line.text.split()) for line in lines]
    assert [row for row in rows if "( Whirl 2" in row]
    assert [row for row in rows if "Rebuke" in row]


def test_help_and_the_rules_text_have_it(fight: OpenEncounter) -> None:
    (told, *_) = fight_help(keymap_for(fight.ruleset), fight.ruleset, []).rows("whirl")
    assert not isinstance(told, str) and (told.pressed, told.label) == ("(", "Whirl")
    (found, *_) = ReferenceList(fight.ruleset, fight.state).rows("whirl")
    assert isinstance(found, ReferenceEntry) and found.text.startswith("Spins like a top")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_it_is_played_by_its_key_and_taken_back(
    fight: OpenEncounter, game_of: Callable[..., Any], size: tuple[int, int]
) -> None:
    async with game_of(fight, size) as game:
        await game.type("(4↵")
        assert fight.state["ghoul-2"].named("shaken") is not None
        assert game.who("brannoc").track("ap") == 1
        assert "Brannoc uses Whirl on Ghoul 2" in game.said
        await game.type("u")
        assert fight.state["ghoul-2"].effects == ()


def test_every_kind_that_a_table_may_ask_for_has_its_slot() -> None:
    assert set(KINDS) - {NOTED} == set(FIELDS) - {WHO_CAN}
