"""What has no key of its own is behind `;`, by letters of its name (docs/keys.md, Other acts)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affray.core.engine.decide import commands_of
from affray.rulesets import load_ruleset
from affray.tui.keymap import OTHER, KeyBinding, Keymap, in_letters, keymap_for
from affray.tui.lookup.acts import NOT_NOW, ActList
from affray.tui.screens.fight_prompts import FightPrompts, TypedOn

Opened, Played = Callable[..., Any], Callable[..., Any]

GAMES = ("monsters-and-magic", "orcus", "level-up", "adventure-school", "plain", "5e")
SIGNS = {*"+-*?/:;!=", *",.[]", *"@>"}
"""Those that are guessed, those that go through the log as `<` and `>` on paper, and two that are
read as they are called: at the trigger, forward."""

MIRA = """
add pc Mira hp 24 ac 14 level 3 pb 2 attack rapier +5 1d8+3 piercing
add monster Wrecker hp 22 ac 12 attack Club +4 1d6+2 bludgeoning
init mira 17
init wrecker 5
start
"""


def opened_by(keymap: Keymap, typed: str) -> tuple[KeyBinding | None, str]:
    """The act that letters begin, typed one by one, and what is left over of them."""
    for n in range(1, len(typed) + 1):
        named = keymap.others.get(in_letters(typed[:n]), [])
        if len(named) == 1:
            return named[0], typed[n:]
    return None, typed


def others_of(keymap: Keymap) -> list[KeyBinding]:
    return [key for key in keymap.keys if key.prompt is not None and not key.keys]


@pytest.mark.parametrize("game", GAMES)
def test_no_key_is_a_sign_that_nobody_guesses(game: str) -> None:
    pressed = {p for p in keymap_for(load_ruleset(game)).by_key if len(p) == 1}
    assert {p for p in pressed if not p.isalnum()} <= SIGNS


@pytest.mark.parametrize("game", GAMES)
def test_every_command_has_a_key_or_is_behind_the_one(game: str) -> None:
    ruleset = load_ruleset(game)
    keymap = keymap_for(ruleset)
    begun = [key.prompt.command.split()[0] for key in keymap.keys if key.prompt and key.pressed]
    assert {*commands_of(ruleset)} <= {*begun}
    for name in ruleset.tables.techniques:
        found = keymap.of_technique(name)
        assert found is not None and found.pressed, name


@pytest.mark.parametrize("game", GAMES)
def test_the_letters_that_stand_with_an_act_begin_it_and_so_does_all_of_its_name(game: str) -> None:
    keymap = keymap_for(load_ruleset(game))
    assert keymap.by_id[OTHER].keys == (";",)
    for act in others_of(keymap):
        first, *letters = act.pressed
        assert first == ";"
        name = in_letters(act.label)
        if letters[-1] == "enter":
            assert keymap.others[name][0] == act and len(keymap.others[name]) > 1
        else:
            assert opened_by(keymap, "".join(letters)) == (act, "")
        begun, _ = opened_by(keymap, name)
        assert begun == (None if letters[-1] == "enter" else act), act.label


def test_no_game_has_its_own_key_for_an_act_that_others_have() -> None:
    """Letters of names do as well in every game: what one game needs suffices in all."""
    keymaps = [keymap_for(load_ruleset(game)) for game in GAMES]
    for keymap in keymaps:
        for act in others_of(keymap):
            for other in keymaps:
                there = [a for a in others_of(other) if a.label.casefold() == act.label.casefold()]
                begun = opened_by(other, "".join(act.sequence[1:]).removesuffix("enter"))[0]
                assert begun is None or begun in there or not there, (act.label, begun)


async def test_letters_begin_an_act_and_what_is_left_of_its_name_is_passed_over(
    played: Played, game_of: Opened
) -> None:
    async with game_of(played(MIRA, ruleset="5e"), (80, 24)) as game:
        await game.type(";st")
        assert game.line.prompt.label == "Study" and not game.screen.sheet_pane.is_open
        await game.type("⎋;study↵")
        assert game.line.prompt.label == "Study"
        await game.type("⎋;dp")
        assert game.last == "drop-prone"
        await game.type("u;drop prone↵f")
        assert game.last == "stand"


async def test_a_letter_that_goes_on_otherwise_is_an_answer(
    played: Played, game_of: Opened
) -> None:
    async with game_of(played(MIRA, ruleset="5e"), (80, 24)) as game:
        await game.type(";o2")
        assert game.line.prompt.label == "Ongoing damage"
        assert game.line.prompt.line.startswith("inflict wrecker")


async def test_enter_takes_the_first_that_is_left(played: Played, game_of: Opened) -> None:
    async with game_of(played(MIRA, ruleset="5e"), (120, 40)) as game:
        await game.type(";mark↵")
        assert game.line.prompt.spec.id == "mark"
        await game.type("⎋;re")
        first = game.sheet.rows[0]
        await game.type("↵")
        assert game.line.prompt.label == first.label


async def test_what_no_letters_name_is_looked_for_among_all_acts(
    played: Played, game_of: Opened
) -> None:
    async with game_of(played(MIRA, ruleset="5e"), (120, 40)) as game:
        await game.type(";hide")
        assert [act.shown for act in game.sheet.rows][:1] == ["h"]
        await game.type("↵")
        assert game.line.prompt.label == "Hide"


def test_what_cannot_be_done_stands_last_with_its_reason() -> None:
    keymap = keymap_for(load_ruleset("5e"))

    acts = ActList(keymap, lambda act: "action used", lambda: {"study", "search"})
    rows = acts.rows("")
    barred = rows[list(rows).index(NOT_NOW) + 1 :]
    assert [act.label for act in barred if isinstance(act, KeyBinding)] == ["Search", "Study"]
    assert acts.named("st") == [keymap.by_id["technique.study"]]


async def test_why_not_is_worked_out_for_the_rows_that_are_seen_alone(
    played: Played, game_of: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two hundred in the fight each reason takes a while."""
    asked: list[str] = []
    monkeypatch.setattr(FightPrompts, "why_not", lambda self, act: asked.append(act.id) or "")
    async with game_of(played(MIRA, ruleset="5e"), (80, 24)) as game:
        await game.type(";")
        seen = game.screen.sheet_pane.places.rows.height
        assert 1 <= len(asked) <= seen < len(game.sheet.rows)


def test_an_own_key_for_the_other_acts_stands_with_them_and_an_own_key_for_one_alone() -> None:
    keymap = keymap_for(load_ruleset("5e"), {OTHER: "f2", "technique.study": "Y"})
    assert keymap.by_id["technique.study"].shown == "Y"
    assert keymap.by_id["technique.search"].pressed == ("f2", "s", "e")
    assert "Y" not in keymap.moved


@pytest.mark.parametrize(
    ("typed", "passed"),
    [("udy", 3), ("ud1", 2), ("x", 0), ("u udy", 1)],
)
def test_a_name_is_passed_over_as_far_as_it_goes_on(typed: str, passed: int) -> None:
    typed_on = TypedOn(lambda: 0.0)
    typed_on.pass_over("udy")
    swallowed = [typed_on.swallows(letter) for letter in typed]
    assert swallowed == [True] * passed + [False] * (len(typed) - passed)


def test_behind_all_of_a_name_an_enter_belongs_to_it_and_before_it_does_not() -> None:
    typed_on = TypedOn(lambda: 0.0)
    typed_on.pass_over("e")
    assert not typed_on.swallows("enter")
    typed_on.pass_over("e")
    assert typed_on.swallows("e") and typed_on.swallows("enter") and not typed_on.swallows("enter")


async def test_the_moved_sign_says_once_where_the_act_is_now(
    played: Played, game_of: Opened
) -> None:
    async with game_of(played(MIRA, ruleset="5e"), (120, 40)) as game:
        await game.type("^")
        assert game.said == "^ no longer does anything: ;st is study"
        await game.type("⎋^")
        assert game.said == ""
        await game.type(";")
        assert game.said == "; is other acts now: ;dp is drop prone"
        assert game.screen.sheet_pane.is_open
