"""What a game may have: options of one's own, actions in boxes, what holds a turn's end.

The rules are made up (small_rules.py), so that it is the screen that is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tui.ghouls import finished, prompt_after
from textual.geometry import Offset

from affray import Fight, rulesets
from affray.core.rules.ruleset import AvailableAction
from affray.store.open_encounter import OpenEncounter
from affray.tui.fight_view import FightView
from affray.tui.keymap import keymap_for
from affray.tui.lookup.reference import fight_help
from affray.tui.prompts.prompt import Prompt
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.combatant_card import CombatantCard
from affray.tui.widgets.header_footer import Footer
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.technique_grid import grid_for
from affray.tui.widgets.techniques import TechniquesPane
from affray.tui.widgets.timers import TimersPane
from affray.tui.widgets.turn_order import TurnOrderList
from affray.tui.widgets.turn_summary import TurnSummaryPane, _called, spent_by

INKS = styles_of(DARK)
FIGHT = """
add pc Ann trick Flip trick "Fire Burst" trick Fade
add pc Bob
add monster Rat x3
init ann 20
init bob 15
init rat-1 9
init rat-2 8
init rat-3 7
start
"""
SIZES = [(80, 24), (120, 40)]

Played = Callable[..., OpenEncounter]
Made = Callable[..., Prompt]
Play = Callable[..., Any]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, played: Played) -> Played:
    """Makes fights by the made-up rules."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setitem(rulesets.BUILT_IN, "small", "small_rules")
    return lambda more="": played(FIGHT + more, ruleset="small")


@pytest.fixture
def prompt(small: Played) -> Made:
    """The prompt after these keys, the first of which begins it."""

    def make(keys: str, more: str = "", cursor: str = "ann") -> Prompt:
        return prompt_after(small(more), keys, cursor)

    return make


@pytest.fixture
def play(small: Played, game_of: Callable[..., Any]) -> Play:
    """Opens such a fight on the screen."""
    return lambda more="", size=(120, 40): game_of(small(more), size)


async def click_on(game: Any, name: str) -> None:
    """Click the technique of that name."""
    rows = lines_of(game, TechniquesPane)
    x, y = next((row.index(name), y) for y, row in enumerate(rows) if name in row)
    await game.pilot.click(TechniquesPane, offset=Offset(x + 2, y + 1))


def lines_of(game: Any, pane: type[Any]) -> list[str]:
    """What a pane shows, row by row."""
    height = game.screen.query(pane).first().size.height
    found = game.screen.query(pane).first()
    return [found.render_line(y).text.rstrip() for y in range(height)]


# -- prompts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("p enter", 'trick "Flip"'),
        ("p f i r enter", 'trick "Fire Burst"'),
        ("p f i r 3 , 4 y 6 enter", 'trick "Fire Burst" rat-1,rat-2 yes 6'),
        ("p down space 3 o enter", 'trick "Fire Burst" rat-1 no'),
        ("s 3 , 4 y 6 enter", "poke rat-1,rat-2 yes 6"),
        ("s 3 , 4 y o 6 enter", "poke rat-1,rat-2 yes,no 6"),
        ("s 3 , 4 , 5 o y o 6 enter", "poke rat-1,rat-2,rat-3 no,yes,no 6"),
        ("s 3 , 4 n 1 5 , 7 space 6 enter", "poke rat-1,rat-2 natural 15,7 6"),
        ("s y 6 enter", "poke rat-1 yes 6"),
        ("s 3 , 4 o enter", "poke rat-1,rat-2 no"),
        ("s 3 , 4 y o backspace backspace y enter", "poke rat-1,rat-2 yes,yes"),
    ],
)
def test_keys_spell_a_command(prompt: Made, keys: str, line: str) -> None:
    made = prompt(keys)
    assert made.line == line
    assert finished(made) or "damage" in made.trouble


def test_two_outcomes_for_three_are_not_taken(prompt: Made) -> None:
    made = prompt("s 3 , 4 , 5 o y 6")
    assert "2 outcomes for 3" in made.trouble


def test_what_can_be_used_comes_first_and_the_rest_says_why_not(prompt: Made) -> None:
    made = prompt("p", 'trick "Fire Burst"')
    slot = made.field
    assert slot is not None
    assert [offer.label for offer in slot.offers()] == ["Flip", "Fade", "Fire Burst ✗"]
    for key in "fir":
        made.feed(key)
    assert slot.missing == "Fire Burst: done already"


def test_who_has_several_is_asked_which_though_one_alone_can_be_used(prompt: Made) -> None:
    made = prompt("p f a", 'trick "Fire Burst"\ntrick Fade')
    assert made.field is made.fields[0] and made.field.missing == "Fade: done already"


def test_who_has_nothing_of_their_own_is_told_so(prompt: Made) -> None:
    made = prompt("p", cursor="bob")
    assert made.field is None
    assert made.barred == "Bob has none"


def test_ones_own_is_done_by_the_one_under_the_cursor(prompt: Made) -> None:
    assert prompt("p enter", "next").line == 'trick "Flip" by ann'


def test_an_attack_is_not_offered_at_oneself(prompt: Made) -> None:
    assert prompt("s").target == "bob" or prompt("s").target == "rat-1"
    assert "ann" not in prompt("s").candidates


def test_the_only_effect_that_a_save_ends_needs_no_asking(prompt: Made) -> None:
    made = prompt("v y", "daze ann blazing save\ndaze ann dizzy")
    assert made.line == "shake ann blazing yes"


def test_of_several_that_a_save_ends_one_is_picked(prompt: Made) -> None:
    made = prompt("v enter", "daze ann blazing save\ndaze ann dizzy save\ndaze ann dizzy")
    slot = made.field
    assert slot is not None
    assert [offer.label for offer in slot.offers()] == ["blazing", "dizzy"]
    for key in "dy":
        made.feed(key)
    assert made.line == "shake ann dizzy yes"


def test_without_an_effect_that_a_save_ends_it_says_so(prompt: Made) -> None:
    made = prompt("v y", "daze ann dizzy")
    assert "no effect that a save ends" in made.trouble


def test_what_shares_the_save_of_another_is_not_offered(prompt: Made) -> None:
    more = "daze ann dizzy save\ndaze ann blazing save hangs ann/dizzy"
    assert prompt("v y", more).line == "shake ann dizzy yes"


def test_what_hangs_on_something_else_has_a_save_of_its_own(prompt: Made) -> None:
    more = "daze bob flabbergasted\ndaze ann blazing save hangs bob/flabbergasted"
    assert prompt("v y", more).line == "shake ann blazing yes"


def test_no_roll_leans_where_the_rules_have_no_advantage(prompt: Made) -> None:
    made = prompt("s 3 n")
    slot = made.field
    assert slot is not None and "advantage" not in slot.hint
    for key in "4,":
        made.feed(key)
    assert slot.answer == "natural 4" and slot.shown == "d20 4"


def test_effects_of_one_name_are_told_apart_by_their_ends(prompt: Made) -> None:
    made = prompt("v enter", "daze ann dizzy save\ndaze ann dizzy save")
    slot = made.field
    assert slot is not None
    assert [offer.label for offer in slot.offers()] == ["dizzy, save ends", "dizzy, save ends"]


# -- what holds the turn ---------------------------------------------------------------------------

TWO = "daze ann dizzy save\ndaze ann blazing save"


@pytest.mark.parametrize("size", SIZES)
async def test_two_answers_and_the_turns_end_are_four_keys(
    play: Play, size: tuple[int, int]
) -> None:
    async with play(TWO, size) as game:
        await game.type(" ")
        assert game.encounter.state.turn == "ann"
        assert "Ann shakes off dizzy" in game.row(PromptWidget)
        assert "space rolls the rest and ends the turn" in game.row(PromptWidget, 1)
        await game.type("s")
        assert game.who("ann").named("dizzy") is None
        assert "Ann shakes off blazing" in game.row(PromptWidget)
        assert "dizzy" in game.row(PromptWidget, 1)  # what came of the first
        await game.type("f")
        assert not game.line.is_open and game.encounter.state.turn == "ann"
        await game.type(" ")
        assert game.encounter.state.turn == "bob"
        assert game.who("ann").named("blazing") is not None


async def test_a_second_space_ends_the_turn(play: Play) -> None:
    async with play(TWO) as game:
        await game.type(" ")
        assert "space end the turn  tab the next  esc leave" in game.row(Footer)
        await game.type(" ")
        assert game.encounter.state.turn == "bob"
        assert not game.line.is_open
        entry = game.encounter.history.entries[game.encounter.history.last]
        assert {e.what for e in entry.events if e.__class__.__name__ == "UseCounted"} == {
            "rolled dizzy",
            "rolled blazing",
        }


async def test_esc_leaves_the_turn_as_it_is(play: Play) -> None:
    async with play(TWO) as game:
        await game.type(" ⎋")
        assert game.encounter.state.turn == "ann" and not game.line.is_open
        await game.type(" ")
        assert game.line.is_open


async def test_enter_asks_the_same(play: Play) -> None:
    async with play(TWO) as game:
        await game.type("↵ss ")
        assert game.encounter.state.turn == "bob"
        assert game.who("ann").effects == ()


async def test_what_holds_somebody_elses_turn_holds_not_this_one(play: Play) -> None:
    async with play("daze bob dizzy save") as game:
        await game.type(" ")
        assert game.encounter.state.turn == "bob"


async def test_where_nothing_holds_space_is_no_answer(play: Play) -> None:
    async with play() as game:
        await game.type("↵ ")
        assert game.encounter.state.turn == "bob"


async def test_answers_that_are_alike_are_told_once_where_room_is_short(play: Play) -> None:
    more = "\n".join(f"daze ann {name} save" for name in ("dizzy", "blazing", "dizzy", "dizzy"))
    async with play(more, size=(200, 60)) as game:
        told = lines_of(game, TimersPane)
        assert sum("shakes off" in line for line in told) == 4
        assert sum("shaken off" in line for line in told) == 1


# -- panes -----------------------------------------------------------------------------------------


async def test_boxes_stand_in_the_order_by_their_letters(play: Play) -> None:
    async with play() as game:
        rows = lines_of(game, TurnOrderList)
        assert "Bs2 ◆  20/20" in rows[0]
        await game.type("s3y6↵")
        rows = lines_of(game, TurnOrderList)
        assert "·s2 ◆  20/20" in rows[0]
        assert "Bs2 ◆  14/20" in rows[2]


async def test_what_a_turn_is_paid_with_is_told_by_its_names(play: Play) -> None:
    async with play() as game:
        await game.type("s3y6↵")
        told = lines_of(game, TurnSummaryPane)
        assert told[0].split() == ["○", "Big"]
        assert told[1].split() == ["●●", "Small", "left"]
        assert told[2].split() == ["Quick", "◆", "Luck", "●●○"]


async def test_a_track_below_nothing_is_an_empty_bar_that_warns(play: Play) -> None:
    async with play("poke ann yes 25 by bob") as game:
        strip = game.screen.query_one(TurnOrderList).render_line(0)
        assert "−5/20 ░░░" in strip.text and "▇" not in strip.text
        inks = {s.style.color for s in strip if "░" in s.text and s.style is not None}
        assert inks == {INKS.bad.color}


async def test_an_effect_that_is_there_twice_is_told_once_for_each_end(play: Play) -> None:
    more = "daze ann dizzy\ndaze ann dizzy save\ndaze ann dizzy save"
    async with play(more, size=(200, 60)) as game:
        assert " ".join(lines_of(game, TurnOrderList)).count("dizzy") == 1
        card = "\n".join(lines_of(game, CombatantCard))
        assert "dizzy ×2 save ends" in card and "dizzy until removed" in card
        timers = [line.split() for line in lines_of(game, TimersPane)]
        assert ["Ann", "dizzy", "until", "removed"] in timers
        assert ["Ann", "dizzy", "×2", "save", "ends"] in timers


async def test_ones_own_stand_above_the_techniques_with_price_and_text(play: Play) -> None:
    async with play('trick "Fire Burst"') as game:
        told = [line.split() for line in lines_of(game, TechniquesPane) if line.strip()]
        assert told[0] == ["pf", "Flip", "s", "The", "Flip", "trick."]
        assert told[1][:3] == ["pfa", "Fade", "s"]
        assert told[-1][:3] == ["s", "Poke", "B"]


async def test_of_ones_own_that_cant_be_used_the_frame_says_how_many_and_why(play: Play) -> None:
    async with play('trick "Fire Burst"') as game:
        assert "Fire Burst" not in " ".join(lines_of(game, TechniquesPane))
        assert (
            game.screen.query_one(TechniquesPane).aside == " 1 not now: Fire Burst (done already) "
        )
        await game.type("pfir")
        assert "Fire Burst: done already" in game.row(PromptWidget, 1)


def test_options_of_ones_own_have_a_say_in_the_reason_that_most_share(small: Played) -> None:
    fight = small()

    def not_now(*reasons: str, room: int = 60) -> str:
        options = [AvailableAction("poke", {})]
        options += [AvailableAction("trick", {}, reason=why, name=why) for why in reasons]
        keymap = keymap_for(fight.ruleset)
        return grid_for(fight.ruleset.tables, options, keymap, (50, 5), INKS).not_now(room)

    assert not_now("stunned", "stunned", "out of luck") == "3 not now: stunned"
    assert not_now("stunned", "out of luck") == (
        "2 not now: stunned (stunned), out of luck (out of luck)"
    )
    assert not_now("stunned", "out of luck", room=54) == "2 not now: stunned, out of luck"


async def test_effects_of_one_end_share_a_row_and_are_wrapped_whole(play: Play) -> None:
    names = ("dizzy", "blazing", "flabbergasted")
    async with play("\n".join(f"daze ann {name}" for name in names)) as game:
        told = " ".join(" ".join(lines_of(game, TimersPane)).split())
        assert "Ann dizzy, blazing, flabbergasted until removed" in told


async def test_a_click_begins_what_is_ones_own(play: Play) -> None:
    async with play() as game:
        await click_on(game, "Fade")
        await game.pilot.pause()
        assert game.row(PromptWidget).startswith(" Fade")
        await game.type("↵")
        assert game.encounter.history.entries[game.encounter.history.last].text == "Ann does Fade"


async def test_a_key_for_what_cant_be_used_says_why(play: Play) -> None:
    """Its cell is gone, so that there is nothing to be clicked."""
    async with play("trick Fade") as game:
        assert "Fade" not in " ".join(lines_of(game, TechniquesPane))
        await game.type("pfa")
        assert "Fade: done already" in game.row(PromptWidget, 1)


async def test_the_palette_begins_what_is_ones_own(play: Play) -> None:
    async with play() as game:
        await game.find("fire bu")
        await game.type("↵")
        await game.until(lambda: game.row(PromptWidget).startswith(" Fire Burst"))
        await game.type("4y3↵")
        assert game.who("rat-2").track("blood") == 17


async def test_the_rules_find_what_is_somebodys_own(play: Play) -> None:
    async with play(" next".strip()) as game:  # it is Bob's turn
        await game.type("/fire")
        assert game.sheet.row.text == "The Fire Burst trick."


def test_the_help_lists_what_is_the_actors_own(small: Played) -> None:
    fight = small()
    keymap = keymap_for(fight.ruleset)
    own = fight.ruleset.actions.own_options(fight.ruleset.tables, fight.state, fight.state["ann"])
    rows = fight_help(keymap, fight.ruleset, own).rows("")
    heading = rows.index("Trick: p, and letters of the name")
    told = {row.label: row.what for row in rows[heading + 1 :] if not isinstance(row, str)}
    assert told["Fire Burst"] == "The Fire Burst trick."


def test_what_a_turn_was_paid_for_goes_by_the_powers_own_name() -> None:
    fight = Fight("monsters-and-magic", seed=1)
    for line in (
        "add pc Mira hp 30 ac 4 powers Kindle ap 1",
        "add monster Ghoul hp 30 cr 1",
        "init mira 20",
        "init ghoul 10",
        "start",
        "power Kindle",
        "strike ghoul weak 4",
    ):
        fight.do(line)
    rules = keymap_for(fight.ruleset)
    view = FightView(fight.state, fight.ruleset, rules, fight.history, 0, 0)
    told = [_called(view, paid) for paid in spent_by(view, "mira")]
    assert told == ["Kindle", "Strike"]


SPELLS = {
    "monsters-and-magic": (
        "hp 30 ac 4",
        "hp 30 cr 1",
        "cast 'frost ray' ghoul weak 4",
        "frost ray",
    ),
    "level-up": ("hp 30 ac 14", "hp 30 ac 12", 'cast "Fire Bolt"', "Fire Bolt"),
    "5e": ("hp 30 ac 14", "hp 30 ac 12", 'cast "Fire Bolt"', "Fire Bolt"),
    "adventure-school": (
        'hp 30 ac 14 init 3 spirit 5 ability "Fire Bolt" action spirit 1',
        "hp 30 ac 12 init 1",
        "cast fire bolt",
        "Fire Bolt",
    ),
}


@pytest.mark.parametrize("game", SPELLS)
def test_what_a_turn_was_paid_for_goes_by_the_spells_own_name(game: str) -> None:
    pc, monster, line, called = SPELLS[game]
    fight = Fight(game, seed=1)
    for before in (f"add pc Mira {pc}", f"add monster Ghoul {monster}", "init mira 20"):
        fight.do(before)
    for each in ("init ghoul 10", "start", line):
        fight.do(each)
    view = FightView(fight.state, fight.ruleset, keymap_for(fight.ruleset), fight.history, 0, 0)
    told = {_called(view, paid) for paid in spent_by(view, "mira")}
    assert told == {called}
