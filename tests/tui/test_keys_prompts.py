"""One-line prompts as a pure model: keys go in, a command line comes out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from tests.tui.ghouls import Made, finished, prompt_after

from affray.core.dice import DiceSource
from affray.core.engine.decide import Decision
from affray.core.engine.foresight import Foresight
from affray.core.formatting.log_lines import outcome_lines
from affray.core.rules.ruleset import DecisionOption, PendingDecision
from affray.store.open_encounter import OpenEncounter
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import AnswerMemory, PromptContext
from affray.tui.prompts.follow_ups import DecisionPrompt
from affray.tui.prompts.preview import PreviewLine, preview_line
from affray.tui.widgets.prompt import PromptWidget


@pytest.fixture
def prompt(prompt: Made, fight: OpenEncounter) -> Made:
    """The same with completion."""
    return partial(prompt, complete=fight.complete)


def look(fight: OpenEncounter, line: str) -> PreviewLine:
    """What the line would come to."""

    def decide(line: str, dice: DiceSource) -> Decision:
        return fight.preview(line, dice)

    return preview_line(line, Foresight(decide), lambda d: outcome_lines(d.events, d.before, {}))


def test_the_strike_takes_five_keys(prompt: Made) -> None:
    made = prompt("s 3 s 8 enter")
    assert finished(made)
    assert made.line == "strike ghoul-1 strong 8"


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("s s 8 enter", "strike ghoul-1 strong 8"),
        ("s j s 8 enter", "strike ghoul-2 strong 8"),
        ("s enter s 8 enter", "strike ghoul-1 strong 8"),
        ("s space s 8 enter", "strike ghoul-1 strong 8"),
        ("s 4 w 1 2 s l enter", "strike ghoul-2 weak 12 slashing"),
        ("s 3 w f enter", "strike ghoul-1 weak fatigue"),
        ("s 3 m enter", "strike ghoul-1 miss"),
        ("s 3 f enter", "strike ghoul-1 crit-miss"),
        ("s 3 c 8 enter", "strike ghoul-1 crit 8"),
        ("s 3 n 1 5 space 8 enter", "strike ghoul-1 natural 15 8"),
        ("s 3 n 4 , 1 5 a space 8 enter", "strike ghoul-1 natural 4,15 8 adv"),
        ("s 3 s 8 tab c o v e r enter", "strike ghoul-1 strong 8 cover"),
        ("s 3 r 8 enter", "strike ghoul-1 roll 8"),
        ("- space 1 2 enter", "damage brannoc 12"),
        ("- 3 , 4 h space 1 2 f i enter", "damage ghoul-1,ghoul-2 12 fire half ghoul-2"),
        ("- h space 2 d 6 enter", "damage brannoc 2d6 half brannoc"),
        ("+ 2 space 5 enter", "heal mira 5"),
        ("f enter 3 enter", "mark brannoc fatigue 3"),
        ("f 3 2 enter", "mark ghoul-1 fatigue 2"),
        ("c 3 w enter", "inflict ghoul-1 weakened"),
        ("c 3 w tab 2 enter", "inflict ghoul-1 weakened for 2 turns"),
        ("b 2 space p r o t enter", "bestow mira protected"),
        ("K c 9 enter", "check brannoc cunning natural 9"),
        ("K c 9 tab 1 2 enter", "check brannoc cunning natural 9 dc 12"),
        ("i enter 1 7 enter", "init brannoc 17"),
        ("i 4 7 enter", "init ghoul-2 7"),
        ("i r enter", "init brannoc roll"),
        ("! s t r i tab w h e n enter", 'ready strike "when"'),
        ("! c a s t tab f i r e enter w h e n enter", 'ready cast "fire" "when"'),
        ("! c a s t tab f i r e tab 3 tab w h e n enter", 'ready cast "fire" ap 3 "when"'),
        ("! d i s tab w h e n enter", 'ready disengage "when"'),
        ("v 2 space 2 enter", "aid mira 2"),
        ("e enter", "disengage"),
        ("e 2 enter", "disengage fatigue 2"),
        ("C f i r e enter 3 s 8 enter", 'cast "fire" at ghoul-1 strong 8'),
        ("C f i r e enter enter", 'cast "fire"'),
        ("T l 2 enter", "thread brannoc lucky-find 2"),
        ("T o 2 1 enter", "thread brannoc bonds-of-fate mira 1"),
        ("E enter", "end"),
    ],
)
def test_keys_spell_a_command(prompt: Made, keys: str, line: str) -> None:
    made = prompt(keys)
    assert finished(made), made.trouble
    assert made.line == line


def test_for_a_monster_one_enter_has_the_app_roll_everything(
    prompt: Made, fight: OpenEncounter
) -> None:
    fight.do("next")
    fight.do("next")  # Ghoul 1 is up
    made = prompt("s enter")
    assert finished(made)
    assert made.line == "strike brannoc roll"
    made = prompt("s 2 enter")
    assert finished(made)
    assert made.line == "strike mira roll"


def test_a_grappled_monsters_save_is_rolled_by_the_app_and_a_characters_is_asked(
    prompt: Made,
) -> None:
    assert finished(prompt("g 3 enter"))
    asked = prompt("g 1 enter enter", actor="ghoul-1")
    assert not finished(asked)
    assert (
        asked.trouble
        == "the target's roll: m miss, w weak, s strong, c crit, f fumble, n and the d20, or r"
    )


def test_a_power_is_readied_by_its_name(played: Callable[..., OpenEncounter]) -> None:
    ogre = "add monster Ogre hp 46 powers Undertow ap 2 powers Snap\nadd pc Mira hp 9"
    encounter = played(f"{ogre}\ninit ogre 9\ninit mira 3\nstart")
    made = prompt_after(encounter, "! p o w tab u n enter w h e n enter")
    assert finished(made), made.trouble
    assert made.line == 'ready power "Undertow" "when"'
    encounter.do(made.line)
    encounter.do("next")
    made = prompt_after(encounter, "@ enter")
    assert finished(made), made.trouble
    assert made.line == "trigger by ogre"


def test_a_characters_outcome_is_never_made_up(prompt: Made) -> None:
    made = prompt("s 3 enter enter")
    assert not finished(made)
    assert (
        made.trouble == "outcome: m miss, w weak, s strong, c crit, f fumble, n and the d20, or r"
    )


def test_two_digits_are_one_number(played: Callable[..., OpenEncounter]) -> None:
    encounter = played("add monster Rat x12 cr 0 hp 2 ac 0\nadd pc Mira hp 9 ac 1\nstart")
    row = [c.id for c in encounter.state.in_order()]
    assert prompt_after(encounter, "s 1 2 s", "mira").target == row[11]


def test_backspace_takes_back_a_key_then_goes_back_a_slot(prompt: Made) -> None:
    made = prompt("s 3 s 8 backspace backspace backspace backspace 4 w 5 enter")
    assert made.line == "strike ghoul-2 weak 5"


def test_backspace_reaches_the_one_under_the_cursor(prompt: Made) -> None:
    assert prompt("f backspace 2 space 3 enter").line == "mark mira fatigue 3"


def test_escape_leaves(prompt: Made) -> None:
    assert prompt("s 3").feed("escape") is InputState.LEFT


def test_a_key_that_answers_nothing_says_what_would(prompt: Made) -> None:
    made = prompt("s 3 z")
    letters = "m miss, w weak, s strong, c crit, f fumble, n and the d20, or r"
    assert made.trouble == f"z is no answer: {letters}; esc leaves"
    assert made.line == "strike ghoul-1"


@pytest.mark.parametrize("keys", ["c 3 r x", "c 3 r x e", "c 3 q r", "- 3 8 s q"])
def test_letters_that_fit_nothing_choose_nothing_until_they_are_taken_back(
    prompt: Made, keys: str
) -> None:
    made, typed = prompt(keys), "".join(keys.split()[2:]).lstrip("8")
    besides = "" if keys[0] == "-" else '" for a word of your own; '
    assert made.trouble == (
        f"nothing here is called {typed}: {besides}backspace deletes a letter; esc leaves"
    )
    assert made.field is not None and made.field.shown.endswith(typed) and not made.complete
    assert made.feed("enter") is InputState.OPEN and "nothing here is called" in made.trouble
    for _ in typed:
        made.feed("backspace")
    assert made.trouble == ""
    made.feed("s")
    assert {"inflict ghoul-1 sundered", "damage ghoul-1 8 slashing"} & {made.line}


def test_letters_that_no_condition_has_can_become_one_of_your_own(prompt: Made) -> None:
    made = prompt('c 3 r x " e d "')
    assert made.line == 'inflict ghoul-1 "rxed"' and made.trouble == ""


def test_a_quote_behind_letters_that_a_condition_has_changes_nothing(prompt: Made) -> None:
    assert prompt('c 3 w "').line == "inflict ghoul-1 weakened"


@pytest.mark.parametrize("keys", ["s 3 s 8 s q", "s 3 s 8 q s"])
def test_a_type_of_damage_that_there_is_not_is_none(prompt: Made, keys: str) -> None:
    made = prompt(keys)
    assert "nothing here is called" in made.trouble and made.line == "strike ghoul-1 strong 8"
    assert made.feed("enter") is InputState.OPEN
    assert [made.feed(key) for key in ("backspace", "backspace", "s", "enter")][
        -1
    ] is InputState.FINISHED
    assert made.line == "strike ghoul-1 strong 8 slashing"


def test_where_names_are_known_it_says_that_their_beginning_is_enough(
    prompt: Made, fight: OpenEncounter
) -> None:
    assert prompt("L").field.missing == "name: words"  # type: ignore[union-attr]
    fight.do('clock "The bell" 4')
    assert not prompt("L").field.missing, "the only one is chosen"  # type: ignore[union-attr]
    fight.do('clock "The flood" 4')
    slot = prompt("L").field
    assert (
        slot is not None and slot.missing == "name: the first letters of one of these, or another"
    )


def test_a_type_of_damage_stands_behind_a_number(prompt: Made) -> None:
    made = prompt("s 3 s f f s")
    assert made.line == "strike ghoul-1 strong fatigue" and made.complete
    assert prompt("s 3 s s").trouble.startswith(
        "s is no answer: a number or dice, then letters of its type"
    )


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("s 3 s 2 d 6 + 3 s l", "strike ghoul-1 strong 2d6+3 slashing"),
        ("s 3 s 1 d 8 - 1 f i", "strike ghoul-1 strong 1d8-1 fire"),
        ("s 3 s 2 d 6", "strike ghoul-1 strong 2d6"),
        ("s 3 s 2 d backspace s", "strike ghoul-1 strong 2 slashing"),
        ("s 3 s 2 d 6 ! s l", "strike ghoul-1 strong 2d6! slashing"),
        ("s 3 s 2 d 6 ! + 3", "strike ghoul-1 strong 2d6!+3"),
        ("s 3 s 2 d 6 r 1 ! f i", "strike ghoul-1 strong 2d6r1! fire"),
        ("s 3 s 2 d 6 + 1 d 8 r 2", "strike ghoul-1 strong 2d6+1d8r2"),
        ("s 3 s 2 d 6 r a", "strike ghoul-1 strong 2d6 radiant"),
    ],
)
def test_damage_may_be_dice_that_the_app_rolls(prompt: Made, keys: str, line: str) -> None:
    made = prompt(keys)
    assert (made.line, made.complete) == (line, True)


def test_dice_that_are_not_whole_are_asked_for(prompt: Made) -> None:
    assert "dice such as 2d6+3" in prompt("s 3 s 2 d 6 + enter").trouble
    assert not prompt("s 3 s 2 d enter").complete
    assert prompt("s 3 s 2 d 6 ! !").line == "strike ghoul-1 strong 2d6!"


def test_digits_behind_a_type_of_damage_are_asked_about(prompt: Made) -> None:
    assert "1 comes after slashing: +" in prompt("s 3 s 5 s 1").trouble


async def test_where_a_command_takes_one_type_of_damage_a_second_is_refused(
    fight: OpenEncounter, game_of: Callable[..., Any]
) -> None:
    async with game_of(fight) as game:
        await game.type("s3s8s+")
        assert "this takes no second type" in game.row(PromptWidget, 1)
        assert "another type" not in game.row(PromptWidget)
        await game.type("↵")
        assert game.last == "strike ghoul-1 strong 8 slashing"


def test_after_a_miss_no_damage_is_asked_for_and_the_outcome_can_be_put_right(
    prompt: Made,
) -> None:
    made = prompt("s 3 m")
    assert made.field is not None and made.field.label == "outcome"
    made.feed("w")
    assert made.field.label == "damage"


def test_a_condition_that_is_there_asks_what_to_do(prompt: Made, fight: OpenEncounter) -> None:
    fight.do("inflict ghoul-1 weakened")
    made = prompt("c 3 w enter")
    assert made.field is not None and made.field.label == "already there"
    assert made.feed("e") is InputState.OPEN
    assert made.line == "inflict ghoul-1 weakened extend"
    made = prompt("c 3 w space d 7 enter")
    assert finished(made)
    assert made.line == "inflict ghoul-1 weakened detonate 7"
    made = prompt("c 3 w space d f enter")
    assert made.line == "inflict ghoul-1 weakened detonate fatigue"


def test_what_can_be_escaped_is_freed_from_and_the_rest_is_removed(
    prompt: Made, fight: OpenEncounter
) -> None:
    fight.do("inflict brannoc restrained")
    fight.do("inflict mira weakened")
    fight.do("inflict ghoul-1 doomed")
    assert prompt("x enter", cursor="ghoul-1").line == "free ghoul-1 doomed"
    assert prompt("x enter").line == "free brannoc restrained"
    assert prompt("x enter", cursor="mira").line == "remove mira weakened"
    assert prompt("x space r enter").line == "remove brannoc restrained"


def test_the_likely_target_is_the_cursor_then_the_last_then_the_first_living_foe(
    prompt: Made, fight: OpenEncounter
) -> None:
    assert prompt("s").target == "ghoul-1"
    assert prompt("s", memory=AnswerMemory("ghoul-2")).target == "ghoul-2"
    assert prompt("s", cursor="ghoul-2", memory=AnswerMemory("ghoul-1")).target == "ghoul-2"
    fight.do("damage ghoul-1 99")
    assert prompt("s").target == "ghoul-2"


def test_a_technique_out_of_turn_names_its_actor(prompt: Made) -> None:
    assert prompt("l 3 enter", actor="mira").line == "react retaliate ghoul-1 by mira"
    assert prompt("l 3 enter").line == "react retaliate ghoul-1"


def test_the_outlook_tells_what_would_happen(fight: OpenEncounter) -> None:
    told = look(fight, "strike ghoul-1 strong 8")
    assert told.kind == "info"
    assert "12 left" in told.text


def test_the_outlook_names_dice_and_neither_rolls_nor_uses_them(fight: OpenEncounter) -> None:
    fight.do("next")
    fight.do("next")

    class NoDice:
        def die(self, sides: int) -> int:
            raise AssertionError("the fight's dice were touched")

    dice, fight.dice = fight.dice, NoDice()
    told, hit = look(fight, "strike brannoc roll"), look(fight, "strike brannoc strong")
    fight.dice = dice
    assert hit.text.startswith("rolls 1d6+2"), "these fall for sure"
    assert told == PreviewLine("rolls 1d20+2, may roll 1d6+2", "info")


def test_the_outlook_tells_what_is_noted_however_the_dice_fall(
    stair: Callable[..., OpenEncounter],
) -> None:
    """Orcus, Coup de Grace; ruling 15: the preview says so."""
    told = look(stair("inflict goblin-1 helpless"), "attack goblin-1 roll")
    assert told.text.startswith("rolls 1d20") and "a coup de grace" in told.text


def test_the_outlook_tells_a_refusal_from_what_is_still_wanted(fight: OpenEncounter) -> None:
    assert look(fight, "strike ghoul-1").kind == "hint"
    assert look(fight, "strike goblin strong 3").kind == "refused"


def test_an_answer_is_one_key_and_only_a_known_one(fight: OpenEncounter) -> None:
    fight.do("damage mira 99")
    fight.do("next")
    waiting = fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state)
    made = DecisionPrompt(waiting, PromptContext(fight.state, fight.ruleset, "mira", "mira"))
    assert made.feed("z") is InputState.OPEN
    assert "no answer" in made.trouble
    assert made.feed("s") is InputState.FINISHED
    assert made.line == "death mira strong"


def test_enter_gives_the_only_answer_that_no_die_decides(fight: OpenEncounter) -> None:
    only = PendingDecision(
        "mira", "Mira may come back", (DecisionOption("t", "take it now", "return mira"),)
    )
    made = DecisionPrompt([only], PromptContext(fight.state, fight.ruleset, "mira", "mira"))
    assert made.feed("enter") is InputState.FINISHED
    assert made.line == "return mira"
    rolls = PendingDecision(
        "mira", "Mira's roll", (DecisionOption("r", "roll", "init mira roll"),), die="init mira"
    )
    made = DecisionPrompt([rolls], PromptContext(fight.state, fight.ruleset, "mira", "mira"))
    assert made.feed("enter") is InputState.OPEN, "the players' die is not rolled unasked"


def test_the_row_shows_what_is_filled_what_is_asked_and_what_comes(prompt: Made) -> None:
    row = [(piece.text, piece.role) for piece in prompt("s 3").pieces()]
    assert row[0] == ("Strike", "label")
    assert ("Ghoul 1", "done") in row and ("outcome", "blank") in row
    assert ("damage", "later") in row
    row = [(piece.text, piece.role) for piece in prompt("s 3 s").pieces()]
    assert ("Ghoul 1", "done") in row
    assert ("damage", "blank") in row
