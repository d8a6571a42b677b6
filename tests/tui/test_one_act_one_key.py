"""One act has one key in all games; docs/keys.md has them, and how a roll came out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affray.core.engine.state import Encounter
from affray.rulesets import load_ruleset
from affray.tui.keymap import SCREEN, Keymap, keymap_for
from affray.tui.prompts.choice_fields import ToggleField
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.prompt import Prompt

PAGE = Path(__file__).parents[2] / "docs" / "keys.md"
GAMES = ("monsters-and-magic", "orcus", "level-up", "adventure-school", "plain", "5e")
NONE = "–"
ACTS = [
    ("attack", "s", ["Strike", "Basic Attack", "Attack", "Attack", "–", "Attack"]),
    ("use a power", "p", ["Power", "Power", "Power", "Ability", "–", "Power"]),
    (
        "cast a spell",
        "C",
        ["Cast a Spell", "–", "Cast a Spell", "Cast a Spell", "–", "Cast a Spell"],
    ),
    (
        "opportunity attack",
        "o",
        [
            "Opportunity Attack",
            "Opportunity Attack",
            "Opportunity Attack",
            "Opportunity Attack",
            "–",
            "Opportunity Attack",
        ],
    ),
    ("move", "m", ["Move", "Walk", "Move", "Move", "–", "Move"]),
    ("dash", "q", ["–", "Dash", "Dash", "Dash", "–", "Dash"]),
    ("disengage", "e", ["Disengage", "Five-Foot Step", "Disengage", "Disengage", "–", "Disengage"]),
    ("defend", "d", ["Dodge", "Total Defense", "Dodge", "Defend", "–", "Dodge"]),
    ("hide", "h", ["Hide", "–", "Hide", "Hide", "–", "Hide"]),
    ("attack with the other hand", "t", ["–", "–", "Off-Hand Attack", "–", "–", "Off-Hand Attack"]),
    ("distract", "t", ["Distract", "Feint", "–", "Distract", "–", "–"]),
    ("grapple", "g", ["Grapple", "Grapple", "Grapple", "Grab", "–", "Grapple"]),
    ("get out of it", "F", ["–", "Escape a Grapple", "Escape", "Escape", "–", "Escape"]),
    ("shove", "b", ["–", "Shove", "Shove", "Push", "–", "Shove"]),
    ("stand up", "f", ["–", "Stand Up from Prone", "Stand", "Stand Up", "–", "Stand"]),
    ("help an ally", "A", ["Help", "Aid Another", "Help", "Assist", "–", "Help"]),
    ("first aid", "v", ["Aid", "Treat Ally", "First Aid", "–", "–", "First Aid"]),
    ("use a thing", "U", ["Use Item", "–", "Use an Object", "–", "–", "Utilize"]),
    ("ready", "!", ["Ready", "Ready", "Ready", "Ready", "–", "Ready"]),
    ("trigger", "@", ["Trigger", "Trigger", "Trigger", "Trigger", "–", "Trigger"]),
    ("react", "O", ["–", "Immediate action", "React", "React", "–", "React"]),
    ("damage", "-", ["Damage", "Damage", "Damage", "Damage", "Damage", "Damage"]),
    ("heal", "+", ["Heal", "Heal", "Heal", "Heal", "Heal", "Heal"]),
    (
        "temporary HP",
        "H",
        ["Temporary HP", "Temporary HP", "Temporary HP", "–", "Temporary HP", "Temporary HP"],
    ),
    (
        "condition",
        "c",
        ["Condition", "Condition", "Condition", "Condition", "Condition", "Condition"],
    ),
    ("take it away", "x", ["Free or remove", "Remove", "Remove", "Remove", "Remove", "Remove"]),
    ("maintain", "M", ["–", "Maintain", "–", "Maintain", "–", "–"]),
    ("check", "K", ["Check", "Check", "Check", "Test of skill", "–", "Check"]),
    (
        "saves of several",
        "*",
        ["Saves of several", "–", "Saves of several", "Saves of several", "–", "Saves of several"],
    ),
    ("saving throw", "T", ["–", "Save", "–", "Save", "–", "Save against a condition"]),
    ("death", "D", ["Death roll", "Death save", "Death save", "–", "–", "Death save"]),
    ("roll again", "G", ["–", "–", "–", "Reroll", "–", "Inspiration"]),
    ("spend what heals", "R", ["–", "Recovery", "–", "–", "–", "Hit Dice"]),
    ("rest", "Z", ["Rest", "Rest", "Rest", "Rest", "–", "Rest"]),
]
"""An act, its key, and what it is called in each of `GAMES`."""


def keymaps() -> dict[str, Keymap]:
    return {game: keymap_for(load_ruleset(game)) for game in GAMES}


def rows_of(title: str, columns: int) -> list[list[str]]:
    """The rows of the tables of so many columns in a section of the page, keys bare."""
    section = PAGE.read_text("utf-8").partition(f"# {title}\n")[2]
    section = re.split(r"\n##+ ", section)[0]
    found = []
    for line in section.splitlines():
        cells = [each.strip() for each in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == columns and not cells[0].startswith("---"):
            found.append([re.sub(r"^`+ ?(.*?) ?`+$", r"\1", c).replace("\\|", "|") for c in cells])
    return found[1:]


@pytest.mark.parametrize(("act", "pressed", "words"), ACTS)
def test_an_act_is_at_its_key_in_every_game_that_has_it(
    act: str, pressed: str, words: list[str]
) -> None:
    for (game, keymap), word in zip(keymaps().items(), words, strict=True):
        if word != NONE:
            first = [key for key in keymap.keys if key.label == word]
            assert [key.shown for key in first] == [pressed], (act, game)


def test_what_has_one_name_has_one_key_in_all_games() -> None:
    shown_by: dict[str, set[str]] = {}
    for keymap in keymaps().values():
        for key in keymap.keys:
            if key.keys and key.group != SCREEN:  # what has none is behind `;`, by its name
                shown_by.setdefault(key.id, set()).add(key.shown)
                shown_by.setdefault(key.label.casefold(), set()).add(key.shown)
    assert {name: keys for name, keys in shown_by.items() if len(keys) > 1} == {}


ORCUS = """
add pc Wren hp 20 attack bow +5 vs ac 1d8
add monster Wisp hp 20
init wren 20
init wisp 3
start
"""


@pytest.mark.parametrize("row", rows_of("How a roll came out", 7), ids=lambda row: row[0])
def test_how_a_roll_came_out_has_its_letter_in_every_game_that_has_it(row: list[str]) -> None:
    _, letter, *words = row
    games = [game for game in GAMES if game != "plain"]
    for game, word in zip(games, words, strict=True):
        if word != NONE:
            assert load_ruleset(game).tables.outcomes[word].key == letter, game


def test_what_is_a_success_in_one_game_has_no_other_letter_in_another() -> None:
    """Of rolls that are made or failed: what ends well, and what doesn't."""
    for hits, letters in ((True, {"s"}), (False, {"f"})):
        found = {
            row.key
            for game in GAMES
            for row in load_ruleset(game).tables.outcomes.values()
            if row.named and not row.critical and row.hits is hits
        }
        assert found == letters


async def test_a_letter_that_moved_says_which_one_it_is_now(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    fight = "add pc Cato hp 28 ac 13\nadd monster Ghoul hp 30 ac 12 health 1\nstart"
    async with game_of(played(fight, ruleset="adventure-school"), (80, 24)) as game:
        await game.type("T2h")
        await game.type_on("p")
        assert game.line.prompt.trouble == "pass is now s, as in every game"
        await game.type_on("s↵")
        assert game.last == "save ghoul health pass"


async def test_a_key_that_moved_is_named_once_and_does_what_it_does_now(
    played: Callable[..., Any], game_of: Callable[..., Any]
) -> None:
    async with game_of(played(ORCUS, ruleset="orcus"), (120, 40)) as game:
        await game.type("#")
        assert game.said == "# no longer does anything: ;le is let end"
        await game.type("⎋A")
        assert game.line.prompt.label == "Aid Another"
        assert game.line.prompt.trouble == "A is aid another now: ;ac is action point"
        await game.type("⎋A")
        assert game.line.prompt.trouble == ""


def test_a_key_that_the_user_has_given_is_not_named() -> None:
    keymap = keymap_for(load_ruleset("orcus"), {"technique.rally": "A"})
    assert "A" not in keymap.moved and keymap.by_key["A"].id == "technique.rally"


@pytest.mark.parametrize("game", [game for game in GAMES if game != "plain"])
def test_what_speaks_for_a_roll_and_against_it_has_one_letter(game: str) -> None:
    """`A` and `D` are never another word of the same prompt."""
    heard = 0
    for key in keymap_for(load_ruleset(game)).keys:
        if key.prompt is None:
            continue
        slots = Prompt(key.prompt, PromptContext(Encounter(), load_ruleset(game))).fields
        for slot in slots:
            if isinstance(slot, ToggleField):
                heard += bool(slot.keys)
                assert slot.keys.get("A", "adv") in ("adv", "advantage"), key.id
                assert slot.keys.get("D", "dis") == "dis", key.id
                leans = {"adv", "advantage", "dis"} & set(slot.choices)
                assert leans <= {slot.keys.get("A"), slot.keys.get("D")}, key.id
    assert heard
