"""Letters behind the key of names, letters with a number, accents: nobody is meant in another's
place, in no prompt of any game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tui.ghouls import begun_by, finished, prompt_after

from affray.core.engine.foresight import Foresight
from affray.store.open_encounter import OpenEncounter
from affray.tui.keymap import keymap_for
from affray.tui.prompts.combatant_fields import CombatantFieldBase, asked_of_others
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.prompt import Prompt
from affray.tui.widgets.prompt import PromptWidget

SHORE = """
add pc "Éowyn" hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2
add pc Zoë hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2
add monster Orc cr 1 hp 9
add monster Ghoul x2 cr 1 hp 9 attack claw 1d6+2 slashing
init foes 1
init éowyn 20
init zoë 19
start
"""
Played = Callable[..., OpenEncounter]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("- ' e o 4", "damage éowyn 4"),
        ("- ' z o e 4", "damage zoë 4"),
        ("- z o 4", "damage zoë 4"),
        ("+ o , ' é 4", "heal orc,éowyn 4"),
        ("s ' o s 8", "strike orc strong 8"),
    ],
)
def test_accents_need_not_be_typed_for_a_name(played: Played, keys: str, line: str) -> None:
    made = prompt_after(played(SHORE), keys)
    assert made.line == line and not made.trouble


@pytest.mark.parametrize("first", [*"-+Hcb", *"sgXQf", "x", "i", ";p"])
@pytest.mark.parametrize("letters", ["x", "q w", "x o", "g x 1", "g 9"])
def test_behind_the_key_of_names_letters_of_nobody_stand_until_they_are_taken_back(
    played: Played, first: str, letters: str
) -> None:
    fight = played(SHORE)
    made = prompt_after(fight, f"{first} ' {letters}", "zoë", "orc")
    at = made.at
    assert made.trouble.startswith("nobody here is called")
    assert made.field is not None and made.field.shown.endswith(letters.replace(" ", ""))
    for key in ("enter", "o", "1", "space", "tab", "enter", ",", "down"):
        made.last_step = made.feed(key)  # type: ignore[attr-defined]
        assert not finished(made) and made.at == at and not made.complete
        assert made.trouble or key == "tab"
        assert "orc" not in made.line and "ghoul" not in made.line


def test_behind_a_whole_name_a_letter_that_no_answer_takes_is_one_of_a_name_of_nobody(
    played: Played,
) -> None:
    fight = played(SHORE)
    for first in ("-", "+", "H", "f", "s", "i"):
        made = prompt_after(fight, f"{first} ' o x 4 enter", "zoë", "zoë")
        assert made.field is not None and made.field.shown == "ox4" and not finished(made)
        assert made.trouble.startswith("nobody here is called ox4: backspace")
    made = prompt_after(fight, "- ' o x backspace 4")
    assert made.line == "damage orc 4"
    assert prompt_after(fight, "c ' o x", "zoë").trouble.startswith("nothing here is called x")


def test_the_number_of_somebody_who_cant_be_chosen_names_nobody_else(played: Played) -> None:
    fight = played(f"{SHORE}damage ghoul-1 99")
    for keys in ("s g 1", "s ' g 1"):
        made = prompt_after(fight, keys)
        assert made.trouble.startswith("Ghoul 1 is dead")
        assert "natural" not in made.line


def test_a_digit_behind_a_name_is_none_of_its_number(played: Played) -> None:
    fight = played(SHORE.replace("Ghoul x2", "Ghoul x18"))
    assert prompt_after(fight, "- ' e o w 2").line == "damage éowyn 2"
    assert prompt_after(fight, "- z 1").line == "damage zoë 1"


GHOULS = """
add pc Odo hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add pc Fennick hp 20 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add monster "Bog Ghoul" x3 cr 2 hp 18 ac 2
add monster "Fire Imp" x2 cr 1 hp 5
init foes 1
init odo 17
init fennick 16
start
"""


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("c g 1 w e a k", "inflict bog-ghoul-1 weakened"),
        ("c g 1 w", "inflict bog-ghoul-1 weakened"),
        ("c b o g 2 b", "inflict bog-ghoul-2 blinded"),
        ("c b 2 b", "inflict bog-ghoul-2 blinded"),
        ("c b o g h 2 b", "inflict bog-ghoul-2 blinded"),
        ("c b", "inflict bog-ghoul-1 blinded"),
        ("c w e a k", "inflict bog-ghoul-1 weakened"),
        ("c w tab 2", "inflict bog-ghoul-1 weakened for 2 turns"),
        ("c f i 2 f r", "inflict fire-imp-2 frightened"),
        ("c o d", "inflict odo"),
        ("b g 3 i n v", "bestow bog-ghoul-3 invigorated"),
        ("b o d i n", "bestow odo in"),
        ("x g 2", "remove bog-ghoul-2"),
        ("Q g 2 h 7", "set bog-ghoul-2 hp 7"),
        (";p g 2 h", "place bog-ghoul-2 hidden"),
        (";p b 2", "place bog-ghoul-2"),
        ("- f 2 8", "damage fire-imp-2 8"),
        ("- f 8", "damage bog-ghoul-1,bog-ghoul-2,bog-ghoul-3,fire-imp-1,fire-imp-2 8"),
        ("- F 2", "damage bog-ghoul-1,bog-ghoul-2,bog-ghoul-3,fire-imp-1,fire-imp-2 2"),
        ("K g 2 p", "check bog-ghoul-2 power"),
        ("i g 2 9", "init bog-ghoul-2 9"),
    ],
)
def test_letters_with_a_number_are_a_name_in_every_prompt(
    played: Played, keys: str, line: str
) -> None:
    made = prompt_after(played(GHOULS), keys)
    assert made.line.startswith(line) and not made.trouble


@pytest.mark.parametrize("keys", ["X", "X ' o backspace backspace", "X 3 backspace", "X tab"])
def test_nobody_is_proposed_to_be_taken_out(played: Played, keys: str) -> None:
    made = prompt_after(played(GHOULS), f"{keys} enter", "odo", "bog-ghoul-1")
    assert not finished(made) and made.line == "leave"
    assert prompt_after(played(GHOULS), "X 3", "odo", "odo").line == "leave bog-ghoul-1"


def test_only_the_tied_ally_is_proposed_to_go_first(played: Played) -> None:
    """Monsters & Magic, Initiative."""
    fight = played(GHOULS + "end\ninit fennick 17\ninit odo 17\ninit foes 17\nstart")
    other = "fennick" if fight.state.turn == "odo" else "odo"
    made = prompt_after(fight, "J", fight.state.turn, "bog-ghoul-1")
    assert list(made.candidates) == [other] and made.complete
    assert made.line == f"swap {other}"
    assert "is not an ally tied" in prompt_after(fight, "J 3").trouble
    alone = prompt_after(played(GHOULS), "J")
    assert alone.barred.startswith("Fennick is not an ally tied with Odo")


def test_nobody_of_several_is_proposed_to_be_killed(played: Played) -> None:
    fight = played(
        "add pc Mo hp 9\nadd monster Imp x2 hp 5\ninit mo 9\ninit foes 5\nstart\n"
        "damage imp-1 9\ndamage imp-2 9",
        ruleset="adventure-school",
    )
    assert not prompt_after(fight, "D", "mo", "imp-1").complete
    assert prompt_after(fight, "D 3", "mo").line == "kill imp-2"
    fight.do("kill imp-2")
    only = prompt_after(fight, "D", "mo")
    assert list(only.candidates or {only.person: 2}) == ["imp-1"] and only.line == "kill imp-1"


def test_who_was_not_just_brought_down_is_not_proposed_to_be_knocked_out(played: Played) -> None:
    fight = played(
        "add pc Mo hp 9\nadd monster Imp x2 hp 5\ninit mo 9\ninit foes 5\nstart\n"
        "damage imp-1 9\ndamage imp-2 9",
        ruleset="5e",
    )
    made = prompt_after(fight, ";knock-out", "mo", "imp-1")
    assert list(made.candidates) == ["imp-2"] and made.line == "knock-out imp-2"


@pytest.mark.parametrize("ruleset", ["orcus", "level-up", "5e"])
def test_only_whom_one_holds_oneself_can_be_let_go(played: Played, ruleset: str) -> None:
    held = "inflict imp-1 grappled from bo\ninflict imp-2 grappled from mo\n"
    fight = played(
        f"add pc Mo hp 9\nadd pc Bo hp 9\nadd monster Imp x2 hp 5\ninit mo 9\ninit bo 8\n"
        f"init foes 5\nstart\n{held}",
        ruleset=ruleset,
    )
    made = prompt_after(fight, ";release", "mo", "imp-1")
    assert list(made.fields[0].candidates) == ["imp-2"]
    assert made.line == ("release imp-2" if ruleset == "orcus" else "release")  # all whom one holds


def reaction(fight: OpenEncounter, key: str, actor: str = "") -> Prompt:
    """The prompt of a reaction, as its key opens it: in one's own turn it asks who reacts."""
    actor = actor or fight.state.turn
    found = begun_by(fight, key)
    assert found.prompt is not None
    view = PromptContext(
        fight.state,
        fight.ruleset,
        actor,
        actor,
        preview_command=Foresight(fight.preview),
        previous=fight.history.previous,
    )
    return Prompt(asked_of_others(found.prompt, view) or found.prompt, view)


def test_only_ones_own_creatures_are_proposed_to_be_commanded(played: Played) -> None:
    fight = played(
        "add pc Mo hp 9\nadd monster Imp hp 5\nadd monster Wolf hp 5 summon of mo side party\n"
        "init mo 9\ninit imp 5\nstart",
        ruleset="level-up",
    )
    made = prompt_after(fight, ";command", "mo", "imp")
    assert list(made.candidates) == ["wolf"] and made.line == "command wolf"


def test_whose_turn_an_effect_ends_in_can_be_named(played: Played) -> None:
    made = prompt_after(played(GHOULS), "c 4 w tab s ' g 2")
    assert made.line.endswith("weakened until start of bog-ghoul-2")


HURT = """
add pc Rook hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add pc Ysolde hp 20 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add monster "Drowned Knight" cr 2 hp 18 ac 2
add monster "Bog Ghoul" x2 cr 2 hp 18 ac 2
init drowned-knight 17
init ysolde 16
init bog-ghoul-1 15
init bog-ghoul-2 14
init rook 13
start
"""


@pytest.mark.parametrize(
    ("lines", "actor", "line"),
    [
        ("strike rook weak 8", "", "react retaliate drowned-knight by rook"),
        ("strike rook weak 8\nnext", "", "react retaliate drowned-knight by rook"),
        ("strike rook weak 8\nnext", "rook", "react retaliate drowned-knight by rook"),
        ("next\nnext\nstrike rook weak 8\nnext", "", "react retaliate bog-ghoul-1 by rook"),
        ("strike rook strong 8\nnext", "", "react retaliate by drowned-knight"),
        ("strike rook strong 8\nnext", "rook", "react retaliate by rook"),
        ("", "ysolde", "react retaliate by ysolde"),
        (
            "strike rook weak 8\nreact retaliate drowned-knight by rook\nnext",
            "",
            "react retaliate by drowned-knight",
        ),
        ("strike rook weak 8\nnext", "ysolde", "react retaliate drowned-knight by rook"),
    ],
)
def test_retaliation_is_proposed_against_whose_weak_hit_did_damage(
    played: Played, lines: str, actor: str, line: str
) -> None:
    """Monsters & Magic, Retaliate."""
    fight = played(f"{HURT}{lines}")
    made = reaction(fight, "l", actor)
    assert made.line == line
    assert made.complete is (len(line.partition(" by ")[0].split()) > 2), "nobody is proposed"


MOVES = {
    "monsters-and-magic": ("cr 1 hp 9 ac 1", "move"),
    "orcus": ("hp 9 ac 12 fort 12 ref 12 will 12", "walk"),
    "level-up": ("hp 9 ac 12", "move 5"),
    "adventure-school": ("hp 9", "move"),
    "5e": ("hp 9 ac 12", "move 5"),
}


@pytest.mark.parametrize("ruleset", MOVES)
def test_an_opportunity_attack_is_proposed_against_who_moved(played: Played, ruleset: str) -> None:
    sheet, move = MOVES[ruleset]
    pc = "hp 9" if ruleset != "monsters-and-magic" else "hp 9 power 1 pb 1"
    fight = played(
        f"add pc Mo {pc}\nadd monster Imp x2 {sheet}\ninit imp-1 12\n"
        "init imp-2 11\ninit mo 5\nstart",
        ruleset=ruleset,
    )

    def target(actor: str = "mo") -> str:
        return reaction(fight, "o", actor).target

    assert target() == "imp-1", "whoever is up may be about to move"
    fight.do(move)
    fight.do("next")
    assert target() == "imp-1", "the turn has just ended"
    fight.do("note here")
    assert target() == "imp-2", "whoever is up has done something since"
    fight.do("next")
    assert target("imp-1") == "mo"


async def test_after_the_attackers_turn_the_retaliation_is_still_against_them(
    played: Played, game_of: Callable[..., Any]
) -> None:
    """Monsters & Magic, Retaliate."""
    async with game_of(played(f"{HURT}strike rook weak 8\nnext")) as game:
        await game.type("l↵")
        assert game.last == "react retaliate drowned-knight by rook"
        await game.type("l↵")
        assert game.last == "react retaliate drowned-knight by rook", "nobody else has caused one"
        await game.type("⎋X↵⎋J↵")
        assert game.last == "react retaliate drowned-knight by rook", "nobody is taken out"


async def test_letters_of_nobody_stand_on_the_screen_and_the_line_below_says_so(
    played: Played, game_of: Callable[..., Any]
) -> None:
    async with game_of(played(SHORE), (80, 24)) as game:
        before = game.last
        await game.type("-'xo↵4↵")
        assert "xo4" in game.row(PromptWidget)
        assert "nobody here is called xo4: backspace" in game.row(PromptWidget, 1)
        assert game.last == before
        await game.type("<backspace><backspace><backspace>'eo4↵")
        assert game.last == "damage éowyn 4"


SHEETS = {
    "monsters-and-magic": "hp 20 ac 1",
    "orcus": "hp 20 ac 12 fort 12 ref 12 will 12",
    "level-up": "hp 20 ac 12",
    "adventure-school": "hp 20",
    "5e": "hp 20 ac 12",
    "plain": "hp 20",
}


@pytest.mark.parametrize("ruleset", SHEETS)
def test_in_every_prompt_that_begins_with_somebody_letters_of_nobody_stand(
    played: Played, ruleset: str
) -> None:
    sheet = SHEETS[ruleset]
    fight = played(
        f"add pc Éowyn {sheet}\nadd pc Ewan {sheet}\nadd monster Orc {sheet}\n"
        f"add monster Ogre x2 {sheet}\ninit éowyn 20\ninit ewan 19\ninit foes 5\nstart",
        ruleset=ruleset,
    )
    asked = 0
    for key in keymap_for(fight.ruleset).keys:
        if key.prompt is None or not key.keys:
            continue
        made = prompt_after(fight, key.keys[0], "éowyn", "orc", complete=fight.complete)
        if made.barred or not isinstance(made.field, CombatantFieldBase):
            continue
        asked += 1
        before = made.at
        for letter in "'xo":
            made.feed(letter)
        assert made.field.shown.endswith("xo"), key.id
        line = made.line
        for pressed in ("enter", "o", "1", "space", ",", "down", "enter"):
            assert made.feed(pressed) is InputState.OPEN, key.id
            assert made.at == before and made.line == line and not made.complete, key.id
            assert "nobody here is called xo" in made.field.missing, key.id
    assert asked > 5
