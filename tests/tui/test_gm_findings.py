"""What a GM ran into at the table, so that nobody does again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.pilot import Pilot

from affray.core.decide import Decision
from affray.core.dice_sources import SeededDice
from affray.core.narrate import with_amounts
from affray.core.refusal import Refused
from affray.core.state import Effect
from affray.store.encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.ends import end_of
from affray.tui.keymap import keymap_for
from affray.tui.panes.footer import FooterLine
from affray.tui.panes.prompt import PromptLine, prompt_line, tail
from affray.tui.panes.too_small import TooSmall
from affray.tui.pasting import PasteFilter, clean, guard_pastes
from affray.tui.prompts import Piece, Prompt, Step, View
from affray.tui.screens.fight import FightScreen
from affray.tui.themes import DARK, inks_of

FIGHT = """
add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2
add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add monster Ghoul x2 cr 2 hp 18 ac 2 resist fire,cold attack claw 1d6+2 slashing
init brannoc 17
init mira 12
init ghoul-1 10
init ghoul-2 9
start
"""
NAMES = {" ": "space", "↵": "enter", "⎋": "escape", "⇥": "tab"}

Made = Callable[..., Prompt]


@pytest.fixture
def fight(played: Callable[..., OpenEncounter]) -> OpenEncounter:
    """Brannoc (1), Mira (2), Ghoul 1 (3), Ghoul 2 (4); Brannoc is up."""
    return played(FIGHT)


@pytest.fixture
def prompt(fight: OpenEncounter) -> Made:
    """The prompt after these keys, the first of which begins it."""

    def decide(line: str) -> Decision | None:
        try:
            return fight.preview(line, SeededDice(1))
        except Refused:
            return None

    def make(keys: str, actor: str = "", cursor: str = "", **more: Any) -> Prompt:
        first, *rest = keys.split()
        found = keymap_for(fight.ruleset).find(first)
        assert found is not None and found.prompt is not None
        actor = actor or fight.state.turn
        view = View(fight.state, fight.ruleset, actor, cursor or actor, decide=decide, **more)
        made = Prompt(found.prompt, view)
        for key in rest:
            made.last_step = made.feed(key)  # type: ignore[attr-defined]
        return made

    return make


def finished(prompt: Prompt) -> bool:
    """Whether the last key finished it."""
    return getattr(prompt, "last_step", None) is Step.FINISHED


@asynccontextmanager
async def playing(
    encounter: OpenEncounter, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[Pilot[Any]]:
    """The fight on the screen."""
    async with AffrayApp(encounter).run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


async def press(pilot: Pilot[Any], keys: str) -> None:
    """Press these keys one after the other."""
    await pilot.press(*(NAMES.get(key, key) for key in keys))
    await pilot.pause()


def screen(pilot: Pilot[Any]) -> FightScreen:
    """The fight's screen."""
    found = pilot.app.screen
    assert isinstance(found, FightScreen)
    return found


def said(pilot: Pilot[Any]) -> str:
    """The message that stands there."""
    return screen(pilot).query_one(PromptLine).message[0]


def row(pilot: Pilot[Any], y: int = 0, widget: type[Any] = PromptLine) -> str:
    """What a row of a widget shows."""
    return str(screen(pilot).query_one(widget).render_line(y).text)


# -- what is pasted --------------------------------------------------------------------------------


def read(*parts: str) -> list[events.Event]:
    """What Textual makes of what a terminal sends."""
    guard_pastes()
    parser = XTermParser()
    found = [token for part in parts for token in parser.feed(part)]
    return [token for token in found if isinstance(token, events.Key | events.Paste)]


def pasted(*parts: str) -> list[str]:
    """The texts, when nothing but pastes came of it."""
    found = read(*parts)
    assert all(isinstance(event, events.Paste) for event in found), found
    return [event.text for event in found if isinstance(event, events.Paste)]


def test_an_escape_sequence_in_a_paste_is_no_key() -> None:
    assert pasted("\x1b[200~zz \x1b[31mm \x1b[0m\x1b[201~") == ["zz [31mm [0m"]
    assert pasted("\x1b[200~\x1b\x1b\x1bn \x1b[A\x1bOP\x1b[201~") == ["n [AOP"]


def test_a_paste_that_comes_in_parts_is_one_text() -> None:
    whole = "\x1b[200~a \x1b[31mmn\x1b[0m\x1b[201~"
    for at in range(6, len(whole)):
        assert pasted(whole[:at], whole[at:]) == ["a [31mmn[0m"], at


def test_an_end_in_the_text_itself_ends_nothing() -> None:
    assert pasted("\x1b[200~a\x1b[201~nn \x1b[201~") == ["a nn "]


def test_two_pastes_and_keys_around_them_stay_what_they_are() -> None:
    found = read("x\x1b[200~a\x1b[201~y\x1b[200~b\x1b[201~\x1b[A")
    kinds = [e.key if isinstance(e, events.Key) else f"“{e.text}”" for e in found]  # type: ignore[attr-defined]
    assert kinds == ["x", "“a”", "y", "“b”", "up"]


def test_keys_pass_the_filter_as_they_are() -> None:
    passing = PasteFilter()
    for part in ("s", "3", "\x1b", "\x1b[A", "\x1b[20", "0"):
        assert passing.feed(part) == part


def test_pasted_text_is_one_line() -> None:
    assert clean(" a\r\n\tb\x07c\x1b[0m ") == "a bc[0m"


async def test_a_paste_goes_where_words_are_typed_and_nowhere_else(fight: OpenEncounter) -> None:
    async with playing(fight) as pilot:
        entries = len(fight.history.entries)
        pilot.app.post_message(events.Paste("n n nn\nm"))
        await pilot.pause()
        assert len(fight.history.entries) == entries
        assert not screen(pilot).query_one(PromptLine).is_open
        await press(pilot, "y")
        pilot.app.post_message(events.Paste("the door\nholds\x1b"))
        await pilot.pause()
        await press(pilot, "↵")
        assert fight.history.entries[fight.history.last].command == 'note "the door holds"'
        await press(pilot, ":")
        pilot.app.post_message(events.Paste("note hm\n"))
        await pilot.pause()
        await press(pilot, "↵")
        assert fight.history.entries[fight.history.last].command == "note hm"
        await press(pilot, "s")
        pilot.app.post_message(events.Paste("1s8\n"))
        await pilot.pause()
        line = screen(pilot).query_one(PromptLine)
        assert line.prompt is not None and line.prompt.line == "strike ghoul-1"


# -- readied, delayed ------------------------------------------------------------------------------


def test_a_readied_strike_asks_what_a_strike_asks(prompt: Made, fight: OpenEncounter) -> None:
    fight.do('ready strike "the door opens"')
    fight.do("next")
    made = prompt("@ 3 s 8 enter")
    assert finished(made)
    assert made.line == "trigger ghoul-1 strong 8 by brannoc"
    fight.do(made.line)
    assert fight.state["ghoul-1"].track("hp") == 12


def test_a_readied_spell_asks_only_what_was_not_said(prompt: Made, fight: OpenEncounter) -> None:
    fight.do('ready cast "Cold Rain" ap 3 "they come"')
    fight.do("next")
    made = prompt("@ 3 s 8 enter")
    assert finished(made)
    assert made.line == "trigger at ghoul-1 strong 8 by brannoc"
    fight.do(made.line)
    assert fight.state["ghoul-1"].track("hp") == 12


def test_a_readied_monsters_strike_is_rolled_by_the_app(prompt: Made, fight: OpenEncounter) -> None:
    for line in ("next", "next", "ready strike", "next"):
        fight.do(line)
    made = prompt("@ 2 enter")
    assert finished(made)
    assert made.line == "trigger mira roll by ghoul-1"


def test_of_several_who_wait_one_is_chosen(prompt: Made, fight: OpenEncounter) -> None:
    for line in ("ready strike", "next", "ready dodge", "next"):
        fight.do(line)
    assert "not Ghoul 1" in prompt("@ 3").trouble
    assert prompt("@ 2 enter").line == "trigger by mira"
    assert prompt("@ 1 space 4 m enter").line == "trigger ghoul-2 miss by brannoc"


def test_a_trigger_with_nobody_waiting_says_so_and_takes_no_key(prompt: Made) -> None:
    made = prompt("@ 3 s 8")
    assert made.barred == "nobody has anything readied"
    assert made.slot is None
    assert [piece.text for piece in made.pieces()][:2] == ["Trigger", made.barred]


def test_ready_offers_the_strike_first_and_asks_for_the_trigger(prompt: Made) -> None:
    made = prompt("! enter")
    assert not finished(made)
    assert made.slot is not None and made.slot.label == "trigger"
    assert made.feed("enter") is Step.FINISHED
    assert made.line == "ready strike"


def test_what_is_readied_waits(fight: OpenEncounter) -> None:
    fight.do("ready strike")
    brannoc = fight.state["brannoc"]
    told = end_of(fight.ruleset.tables, fight.state, brannoc, brannoc.effects)
    assert told == "waits until their next turn starts"


def test_come_back_offers_only_those_who_have_delayed(prompt: Made, fight: OpenEncounter) -> None:
    assert prompt("B").barred == "nobody has delayed"
    fight.do("delay")
    assert prompt("B").line == "return brannoc"
    assert prompt("B").instant
    fight.do("delay")
    made = prompt("B 3")
    assert "not Ghoul 1" in made.trouble
    assert prompt("B 2 enter").line == "return mira"


# -- who comes into question -----------------------------------------------------------------------


def test_nobody_attacks_themself_or_the_dead(prompt: Made, fight: OpenEncounter) -> None:
    fight.do("damage ghoul-1 99")
    made = prompt("s 1")
    assert made.trouble == "Brannoc acts: choose somebody else"
    assert prompt("s 3").trouble == "Ghoul 1 is dead"
    assert made.candidates == {"mira": 2, "ghoul-2": 4}
    assert [p.text for p in made.pieces() if p.role in ("offer", "picked")] == ["Mira", "Ghoul 2"]
    assert prompt("s j").target == "mira"


def test_a_number_that_may_go_on_is_refused_only_at_its_end(
    played: Callable[..., OpenEncounter],
) -> None:
    encounter = played("add pc Mira hp 9\nadd monster Rat x11 cr 0 hp 2\ninit mira 99\nstart")
    found = keymap_for(encounter.ruleset).find("s")
    assert found is not None and found.prompt is not None
    made = Prompt(found.prompt, View(encounter.state, encounter.ruleset, "mira", "mira"))
    made.feed("1")
    assert not made.trouble
    made.feed("s")
    assert made.trouble == "Mira acts: choose somebody else"
    made.feed("2")
    made.feed("s")
    assert made.line.endswith("strong") and made.target != "mira"


def test_out_of_turn_the_likely_target_is_whose_turn_it_is(
    prompt: Made, fight: OpenEncounter
) -> None:
    for _ in range(3):
        fight.do("next")
    assert prompt("o", actor="mira", last_target="ghoul-1").target == "ghoul-2"


def test_the_unseen_is_not_the_likely_target(prompt: Made, fight: OpenEncounter) -> None:
    fight.do("bestow ghoul-1 invisible")
    assert prompt("s").target == "ghoul-2"
    fight.do("damage ghoul-2 99")
    assert prompt("s").target == "ghoul-1"


# -- what is said ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ("s z", "a number of the order"),
        ("s 3 z", "m w s c f, n and the d20, or r"),
        ("s 3 s z", "a number, then letters of its type or f fatigue"),
        ("f z", "a number"),
        ("- space z", "a number, or dice such as 2d6"),
        ("K z", "p power, c cunning, f focus, l luck"),
        ("K p z", "what the d20 shows, or r"),
        ("c 3 ,", "the beginning of its name"),
    ],
)
def test_a_wrong_key_is_told_what_would_be_right(prompt: Made, keys: str, wanted: str) -> None:
    trouble = prompt(keys).trouble
    assert wanted in trouble and trouble.endswith("; esc leaves")


def test_only_who_has_an_attack_is_told_that_the_app_rolls(
    prompt: Made, fight: OpenEncounter
) -> None:
    def hint(made: Prompt) -> str:
        return made.slot.hint if made.slot else ""

    assert "the app rolls" not in hint(prompt("s 3 s"))
    assert prompt("s 3 s enter").trouble == "type the damage"
    assert not finished(prompt("s 3 s enter"))
    for _ in range(2):
        fight.do("next")
    assert "the app rolls" in hint(prompt("s 1 s"))


def test_a_saving_throw_says_what_it_is_against(prompt: Made) -> None:
    made = prompt("g 3")
    made.feed("space")
    assert made.slot is not None and "against 12" in made.slot.hint


async def test_nothing_is_wrong_while_it_is_only_unfinished(fight: OpenEncounter) -> None:
    async with playing(fight) as pilot:
        for key in "s3s":
            await press(pilot, key)
            assert "✗" not in row(pilot, 1)
        assert "type the damage" in row(pilot, 1)
        await press(pilot, "8")
        assert "Ghoul 1 −6 HP, 12 left" in row(pilot, 1)


async def test_what_came_of_it_stands_before_the_dice(fight: OpenEncounter) -> None:
    async with playing(fight) as pilot:
        await press(pilot, "s3n15 8↵")
        told = said(pilot)
        assert told.index("−6 HP") < told.index("1d20")


async def test_a_long_message_takes_both_rows(fight: OpenEncounter) -> None:
    async with playing(fight, (80, 24)) as pilot:
        screen(pilot).show_message("word " * 25 + "end")
        await pilot.pause()
        assert "word" in row(pilot, 0) and row(pilot, 1).rstrip().endswith("end")


async def test_a_death_roll_is_asked_for_and_what_was_rolled_is_named(
    fight: OpenEncounter,
) -> None:
    for line in ("damage mira 99", "next"):
        fight.do(line)
    async with playing(fight) as pilot:
        await press(pilot, " ")
        assert said(pilot) == "space has the rest rolled, and ends the turn"
        await press(pilot, " ")
        assert said(pilot).startswith("Mira's death roll was rolled · u goes back")
        await press(pilot, "u")
        await press(pilot, "↵w")
        await press(pilot, " ")
        assert "was rolled" not in said(pilot)


async def test_a_round_that_waits_for_initiative_asks_for_it(fight: OpenEncounter) -> None:
    for line in ("setting dynamic-initiative on", "next", "next", "next"):
        fight.do(line)
    async with playing(fight) as pilot:
        await press(pilot, " ")
        assert fight.state.turn == ""
        await press(pilot, " ")
        assert "round 2 waits for the initiative of Brannoc and Mira" in said(pilot)
        await press(pilot, "↵")
        asked = pilot.app.screen.query_one(PromptLine).prompt
        assert asked is not None
        assert asked.pieces()[0].text == "Brannoc's initiative for round 2"
        await press(pilot, "rr ")
        assert (fight.state.round, fight.state.turn != "") == (2, True)


async def test_enter_with_nothing_to_answer_says_nothing(fight: OpenEncounter) -> None:
    async with playing(fight) as pilot:
        await press(pilot, "⎋↵")
        assert said(pilot) == ""


async def test_a_technique_that_cant_be_used_swallows_what_is_typed_blindly(
    fight: OpenEncounter,
) -> None:
    for line in ("strike ghoul-1 miss", "strike ghoul-1 miss"):
        fight.do(line)
    entries = len(fight.history.entries)
    async with playing(fight) as pilot:
        await press(pilot, "s")
        assert "Strike: 0 AP left, needs 3" in row(pilot)
        await press(pilot, "3s8")
        assert "Strike: 0 AP left, needs 3" in row(pilot)
        await press(pilot, "↵")
        assert said(pilot) == "Strike: 0 AP left, needs 3"
        assert len(fight.history.entries) == entries
        await press(pilot, "s⎋")
        assert not screen(pilot).query_one(PromptLine).is_open


# -- whom it is for --------------------------------------------------------------------------------


def test_the_prompt_says_whom_it_is_for_and_tab_takes_another(prompt: Made) -> None:
    made = prompt("f")
    assert made.pieces()[:2] == [Piece("Mark fatigue", "label"), Piece("Brannoc", "whom")]
    assert made.tab == "somebody else"
    made = prompt("f tab 3")
    assert made.tab == ""
    assert made.feed("enter") is Step.FINISHED
    assert made.line == "mark mira fatigue 3"
    assert prompt("K tab tab c 9 tab 1 2 enter").line == "check ghoul-1 cunning natural 9 dc 12"


async def test_the_footer_offers_tab_only_for_what_it_does(fight: OpenEncounter) -> None:
    async with playing(fight) as pilot:
        await press(pilot, "f")
        assert "tab somebody else" in row(pilot, 0, FooterLine)
        await press(pilot, "3")
        assert "tab" not in row(pilot, 0, FooterLine)
        await press(pilot, "⎋s3s8")
        assert "tab next" in row(pilot, 0, FooterLine)


async def test_initiative_goes_on_to_the_next_character(
    played: Callable[..., OpenEncounter],
) -> None:
    encounter = played(
        "add pc Tam hp 9\nadd monster Ghoul cr 1 hp 9\nadd pc Ash hp 9\nadd pc Bo hp 9"
    )
    async with playing(encounter) as pilot:
        screen(pilot).put_cursor("tam")
        await press(pilot, "i12↵")
        assert screen(pilot).cursor == "ash"
        await press(pilot, "i15↵")
        assert screen(pilot).cursor == "bo"
        await press(pilot, "i3↵")
        screen(pilot).put_cursor("ash")
        await press(pilot, "i18↵")
        assert said(pilot) == "Initiative of Ash: 18, was 15"
        assert screen(pilot).cursor == "ash"


def test_the_last_bond_is_offered_again(prompt: Made) -> None:
    given = prompt("A 2 space 2 enter").amounts()
    assert prompt("A enter enter", amounts=given).line == "aid mira 2"
    assert prompt("A 2 space 3 enter", amounts=given).line == "aid mira 3"
    assert prompt("A 1 enter enter", actor="mira", amounts=given).line == "aid brannoc 2 by mira"
    assert prompt("T o 2 space enter", amounts=given).line == "thread brannoc bonds-of-fate mira 2"


# -- rows that are too short -----------------------------------------------------------------------


def test_what_is_offered_gives_way_and_how_to_answer_does_not() -> None:
    offers = [p for i in range(30) for p in (Piece(str(i), "key"), Piece(f"Goblin {i}", "offer"))]
    offers[21] = Piece("Goblin 10", "picked")
    pieces = [Piece("Damage", "label"), Piece("who", "blank"), *offers, Piece("h half", "hint")]
    for width in (40, 60, 80, 120):
        shown = str(prompt_line(pieces, inks_of(DARK), width).strip(width).text)
        assert shown.rstrip().endswith("h half"), shown
        assert width == 40 or ("Goblin 10" in shown and "  …  " in shown)


def test_of_answers_with_letters_the_letters_stay(prompt: Made) -> None:
    made = prompt("g 3 space")
    for width in (80, 120):
        shown = str(prompt_line(made.pieces(), inks_of(DARK), width).strip(width).text)
        assert shown.rstrip().endswith("against 12"), shown
        assert {"m", "w", "s", "c", "f", "n", "r"} <= set(shown.split())


def test_only_damage_can_be_halved(prompt: Made) -> None:
    assert "half" in "".join(piece.text for piece in prompt("-").pieces())
    assert "half" not in "".join(piece.text for piece in prompt("X").pieces())
    assert "no answer" in prompt("X h").trouble


def test_the_end_of_a_long_text_is_seen(prompt: Made) -> None:
    made = prompt("y " + " ".join("abcdefghij" * 12))
    shown = str(prompt_line(made.pieces(), inks_of(DARK), 60).strip(60).text)
    assert "hij▏" in shown and "…" in shown
    assert tail("abcdef", 4) == "…def"


# -- looking ---------------------------------------------------------------------------------------


async def test_going_to_an_entry_shows_it_first(fight: OpenEncounter) -> None:
    fight.do("damage mira 5")
    entries = len(fight.history.entries)
    async with playing(fight) as pilot:
        await press(pilot, "N7↵")
        assert screen(pilot).view_at == 7
        assert len(fight.history.entries) == entries
        assert "enter goes on from here" in said(pilot)
        await press(pilot, "⎋N7↵↵")
        assert screen(pilot).view_at is None
        assert fight.history.head == 7
        await press(pilot, "N99↵")
        assert "no entry 99" in said(pilot)


async def test_read_only_is_said_first_and_a_key_says_why(
    fight: OpenEncounter, tmp_path: Path
) -> None:
    path = fight.path
    looked = OpenEncounter.open_or_view(path)
    assert looked.read_only
    async with playing(looked, (80, 24)) as pilot:
        from affray.tui.panes.header import HeaderLine

        assert row(pilot, 0, HeaderLine).strip().startswith("READ-ONLY  Ambush")
        await press(pilot, "s")
        assert looked.read_only[:20] in row(pilot)
        await press(pilot, "⎋ ")
        assert said(pilot)
    looked.close()


async def test_a_window_that_is_too_small_says_so(fight: OpenEncounter) -> None:
    async with playing(fight, (40, 10)) as pilot:
        told = " ".join(row(pilot, y, TooSmall).strip() for y in range(3))
        assert "affray needs at least 60x16; this window is 40x10" in told
        entries = len(fight.history.entries)
        await press(pilot, " ")
        assert len(fight.history.entries) == entries
        await pilot.resize_terminal(80, 24)
        await press(pilot, " ")
        assert len(fight.history.entries) == entries + 1


async def test_the_card_tells_what_a_monster_is(fight: OpenEncounter) -> None:
    async with playing(fight, (200, 60)) as pilot:
        screen(pilot).put_cursor("ghoul-1")
        await pilot.pause()
        card = screen(pilot).query_one("#second")
        told = " ".join(str(card.render_line(y).text) for y in range(card.size.height))
        for words in ("Attacks claw 1d6+2 slashing", "CR 2", "Resist fire, cold"):
            assert words in told
        screen(pilot).put_cursor("brannoc")
        await pilot.pause()
        card = screen(pilot).query_one("#card")
        told = " ".join(str(card.render_line(y).text) for y in range(card.size.height))
        assert "Power +2" in told and "PB +2" in told


def test_a_forward_tells_how_much(fight: OpenEncounter) -> None:
    fight.do('forward mira +2 "next check"')
    fight.do("inflict mira weakened")
    forward, weakened = fight.state["mira"].effects
    assert with_amounts(forward) == "forward +2"
    assert with_amounts(weakened) == "weakened"
    bare = Effect("ongoing", "ongoing", "ongoing", forward.until, "", {"ac": -1})
    assert with_amounts(bare) == "ongoing −1 ac"


def test_clearing_what_is_not_there_says_so(fight: OpenEncounter) -> None:
    entry = fight.do("clear mira fatigue 2")
    assert "had no fatigue to clear" in str(entry.events)


def test_the_likely_target_is_an_opponent_before_a_bystander_and_up_before_down(
    played: Callable[..., OpenEncounter],
) -> None:
    fight = played(
        "add pc Ann hp 9\nadd pc Bea hp 9\nadd monster Cow side others hp 9\n"
        "add monster Wolf hp 9 attack bite 1d4\ninit ann 9\ninit cow 8\ninit bea 7\ninit wolf 6\n"
        "start\ndamage ann 9"
    )
    assert View(fight.state, fight.ruleset, "bea", "bea").likely("target") == "wolf"
    fight.do("next")
    fight.do("next")
    assert fight.state.turn == "bea"
    fight.do("next")
    assert View(fight.state, fight.ruleset, "wolf", "wolf").likely("target") == "bea"
