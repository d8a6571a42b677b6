"""`ctrl+u`: what can be undone and redone, and the ways that were left, with the fight at each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.geometry import Offset

from affray.core.engine.events import TrackChanged
from affray.core.engine.history import START, AbandonedBranch, Entry, History
from affray.core.engine.state import Encounter
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.drawing import StyledLine
from affray.tui.fight_view import FightView
from affray.tui.keymap import keymap_for
from affray.tui.lookup.model import LookupList
from affray.tui.lookup.undo_list import AHEAD, BACK, LEFT, UndoList, command_to
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.header_footer import Footer, Header
from affray.tui.widgets.lookup import LookupPane
from affray.tui.widgets.prompt import PromptWidget
from affray.tui.widgets.turn_order import TurnOrderList

Play = Callable[..., Any]
INKS = styles_of(DARK)
FIGHT = """
add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2
add monster Ghoul hp 40
init brannoc 17
init ghoul 10
start
damage ghoul 1
damage ghoul 2
damage ghoul 3
damage ghoul 4
"""
LAST = 9


@pytest.fixture
def fight(played: Callable[..., OpenEncounter]) -> OpenEncounter:
    """A ghoul that has been hurt four times, by entries 6 to 9: of 40 HP it has 30."""
    return played(FIGHT)


def shown_hp(game: Any) -> int:
    """The HP of the ghoul as the panes show it."""
    view = game.screen.view
    pane = game.screen.query_one(TurnOrderList)
    rows = [pane.render_line(y).text for y in range(pane.size.height)]
    hp = view.state["ghoul"].track("hp")
    assert any(f"{hp}/40" in row for row in rows)
    return hp


def drawn(game: Any) -> list[str]:
    """The rows of the sheet."""
    pane = game.screen.sheet_pane
    return [pane.render_line(y).text.rstrip() for y in range(pane.size.height)]


# -- on the screen ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_fight_is_shown_at_each_and_esc_leaves_all_as_it_was(
    fight: OpenEncounter, game_of: Play, size: tuple[int, int]
) -> None:
    async with game_of(fight, size) as game:
        state, entries = fight.state, len(fight.history.entries)
        await game.type("j")
        assert game.screen.cursor == "ghoul"
        await game.type("<ctrl+u>")
        assert game.sheet.row == LAST and shown_hp(game) == 30
        await game.type("<down>")
        assert shown_hp(game) == 34
        await game.type("<down><down>")
        assert shown_hp(game) == 39 and game.screen.view_at == 6
        await game.type("⎋")
        assert (fight.state, len(fight.history.entries)) == (state, entries)
        assert game.screen.view_at is None and game.screen.cursor == "ghoul"
        assert shown_hp(game) == 30 and not game.screen.sheet_pane.is_open


async def test_enter_takes_back_all_that_is_marked(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("<ctrl+u><down><down>")
        marked = [row for row in drawn(game) if row.strip().startswith("− ")]
        assert [int(row.split("−")[1].split()[0]) for row in marked] == [9, 8]
        assert any("undoes 2: Ghoul takes 4; Ghoul takes 3" in row for row in drawn(game))
        await game.type("↵")
        assert fight.history.entries[fight.history.last].command == "undo 2"
        assert fight.state["ghoul"].track("hp") == 37 and game.screen.view_at is None
        assert game.said == "undone: Ghoul takes 4 and 1 more"


async def test_enter_on_the_present_and_the_key_itself_only_leave(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        entries = len(fight.history.entries)
        for keys in ("<ctrl+u>↵", "<ctrl+u><down><ctrl+u>", "<ctrl+u><down><up>↵"):
            await game.type(keys)
            assert not game.screen.sheet_pane.is_open, keys
            assert len(fight.history.entries) == entries and game.screen.view_at is None


async def test_what_was_undone_is_above_and_is_brought_back(
    fight: OpenEncounter, game_of: Play
) -> None:
    fight.do("undo 3")
    async with game_of(fight) as game:
        await game.type("<ctrl+u>")
        assert game.sheet.row == 6 and game.sheet.rows[:4] == [AHEAD, 9, 8, 7]
        await game.type("<up><up>")
        assert shown_hp(game) == 34
        marked = [row for row in drawn(game) if "+ " in row]
        assert len(marked) == 2
        await game.type("↵")
        assert fight.history.entries[fight.history.last].command == "redo 2"
        assert fight.state["ghoul"].track("hp") == 34


async def test_a_way_that_was_left_is_read_seen_and_gone_to(
    fight: OpenEncounter, game_of: Play
) -> None:
    for line in ("undo 2", "damage ghoul 30"):  # entries 8 and 9 are left
        fight.do(line)
    async with game_of(fight) as game:
        await game.type("<ctrl+u><home>")
        assert game.sheet.row == AbandonedBranch(7, [8, 9]) and shown_hp(game) == 30
        text = "\n".join(drawn(game))
        assert "2 entries after 7" in text and "over to entry 9" in text
        assert "8 Ghoul takes 3" in text and "9 Ghoul takes 4" in text
        await game.type("↵")
        assert fight.history.entries[fight.history.last].command == "goto 9"
        assert fight.state["ghoul"].track("hp") == 30
        await game.type("<ctrl+u><home>")  # now the other one is left
        assert game.sheet.row == AbandonedBranch(7, [11])


async def test_a_way_that_was_left_tells_what_it_has_otherwise(
    fight: OpenEncounter, game_of: Play
) -> None:
    fight.do("undo 2")
    fight.do("damage ghoul 20")
    async with game_of(fight, size=(160, 48)) as game:
        await game.type("<ctrl+u><home>")
        assert any("there: Ghoul +13 HP, now 30 of 40" in row for row in drawn(game))


async def test_the_mouse_looks_and_a_second_click_goes(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("<ctrl+u>")
        pane = game.screen.sheet_pane
        spot = Offset(pane.gutter.left + 4, pane.gutter.top + 2)
        await game.pilot.click(LookupPane, offset=spot)
        assert game.sheet.row == 7 and shown_hp(game) == 37
        await game.pilot.click(LookupPane, offset=spot)
        await game.pilot.pause()
        assert fight.history.head == 7 and not pane.is_open


async def test_it_begins_where_the_gm_looks_and_goes_back_there(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        await game.type(",,<ctrl+u>")
        assert game.sheet.row == 7
        await game.type("<down>⎋")
        assert game.screen.view_at == 7
        await game.type("<ctrl+u>jjkj↵")
        assert game.screen.view_at is None and fight.history.head == 5


async def test_a_fight_that_is_only_looked_at_is_not_changed(
    fight: OpenEncounter, game_of: Play
) -> None:
    fight.close()
    viewed = OpenEncounter.view(fight.path)
    async with game_of(viewed) as game:
        await game.type("<ctrl+u><down>")
        assert shown_hp(game) == 34
        await game.type("↵")
        assert "read-only" in game.said and viewed.history.head == LAST
        assert game.screen.view_at is None


async def test_an_empty_fight_has_a_beginning_and_no_more(
    played: Callable[..., OpenEncounter], game_of: Play
) -> None:
    async with game_of(played("")) as game:
        await game.type("<ctrl+u>")
        assert list(game.sheet.rows) == [START] and game.sheet.row == START
        assert any("now: the beginning" in row for row in drawn(game))
        await game.type("<down><up>↵")
        assert not game.encounter.history.entries


async def test_the_palette_opens_it(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.find("undo list")
        await game.type("↵")
        await game.until(lambda: game.screen.sheet_pane.is_open)
        assert isinstance(game.sheet.contents, UndoList)


# -- the rows --------------------------------------------------------------------------------------


def view_of(history: History) -> FightView:
    """That history as the panes are told of it."""
    ruleset = load_ruleset("monsters-and-magic")
    head = history.head
    return FightView(history.state, ruleset, keymap_for(ruleset), history, head, len(history.path))


def history_of(steps: int) -> History:
    """So many entries, one after the other."""
    history = History(Encounter())
    for seq in range(1, steps + 1):
        history.apply(Entry(seq, f"step {seq}", events=(TrackChanged("", "count", 1),)))
    return history


def test_branches_stand_above_what_is_ahead_and_that_above_the_present() -> None:
    history = history_of(4)
    history.apply(Entry(5, "goto 2", to=2))
    history.apply(Entry(6, "step 6"))
    history.apply(Entry(7, "undo", to=2))
    rows = UndoList(view_of(history)).rows("")
    assert rows == [LEFT, AbandonedBranch(2, [3, 4]), AHEAD, 6, BACK, 2, 1, START]
    assert [command_to(history, row) for row in rows if not isinstance(row, str)] == [
        "goto 4",
        "redo 1",
        "",
        "undo 1",
        "undo 2",
    ]


def test_only_what_is_seen_is_put_into_words() -> None:
    class Counted(dict[int, Entry]):
        looked_up = 0

        def __getitem__(self, seq: int) -> Entry:
            Counted.looked_up += 1
            return super().__getitem__(seq)

    history = history_of(10_000)
    history.entries = Counted(history.entries)
    sheet = LookupList(UndoList(view_of(history)))
    sheet.feed("end", 30)
    sheet.feed("home", 30)
    for number in range(30):
        sheet.contents.fill(StyledLine(), sheet.rows[number], 80, INKS, False)
    sheet.contents.render_detail(sheet.row, 80, INKS)
    assert len(sheet.rows) == 10_001 and Counted.looked_up <= 40


def test_new_rows_keep_the_cursor_where_it_was() -> None:
    history = history_of(5)
    sheet = LookupList(UndoList(view_of(history)))
    sheet.feed("down", 30)
    assert sheet.row == 4 and not sheet.renew(view_of(history))
    history.apply(Entry(6, "step 6"))
    assert sheet.renew(view_of(history)) and sheet.row == 4


async def test_i_puts_in_what_was_forgotten_by_the_keys_by_which_it_is_done(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        last = fight.history.last
        await game.type("<ctrl+u><down><down>i")
        assert not game.screen.sheet_pane.is_open and game.screen.view_at == 7
        assert "inserting after entry 7" in game.row(Header)
        assert "it acts in the fight as it was then" in game.said
        assert "s strike" in game.row(Footer) and "undo" not in game.row(Footer)
        await game.type("+22")  # the Ghoul had 37 of 40 then
        assert "now 39 of 40" in game.row(PromptWidget, 1)
        await game.type("↵")  # what becomes of it is shown before it is done
        assert game.screen.sheet_pane.is_open and fight.history.last == last
        assert game.screen.view_at is None
        await game.type("↵")
        order = [fight.history.entries[seq].command for seq in fight.history.path]
        assert order.index("heal ghoul 2") == len(order) - 3
        assert game.screen.view_at is None and not game.screen.inserting


async def test_a_turn_that_was_not_ended_is_ended_there_by_its_key(
    fight: OpenEncounter, game_of: Play
) -> None:
    """A command for which nothing is asked, and the enter right behind it."""
    async with game_of(fight) as game:
        await game.type("<ctrl+u><down><down>i <enter>")
        order = [fight.history.entries[seq].command for seq in fight.history.path]
        assert order[-3:] == ["next", "damage ghoul 3", "damage ghoul 4"]
        assert fight.state.turn == "ghoul"


async def test_what_was_forgotten_may_be_typed_there(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("<ctrl+u><down><down>i:")
        assert "amend 7 insert" in game.row(PromptWidget)
        await game.type("heal ghoul 2↵↵")
        assert fight.history.entries[fight.history.path[-3]].command == "heal ghoul 2"


async def test_esc_is_back_to_now_and_nothing_is_put_in_from_then_on(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        entries = len(fight.history.entries)
        await game.type("<ctrl+u><down><down>i↵")  # an enter goes nowhere there
        assert game.screen.view_at == 7
        await game.type("u")
        assert "this is entry 7" in game.said and len(fight.history.entries) == entries
        await game.type("⎋")
        assert game.screen.view_at is None
        await game.type("-21↵")
        assert game.last == "damage ghoul 1"
        await game.type("<ctrl+u>i")
        assert "is the last" in game.said and game.screen.view_at is None


# -- an old entry by a word of it ------------------------------------------------------------------


async def test_words_of_titles_and_commands_find_entries_the_newest_first(
    fight: OpenEncounter, game_of: Play
) -> None:
    fight.do("heal ghoul 2")
    async with game_of(fight) as game:
        await game.type("<ctrl+u>")
        foot = game.row(Footer)
        assert "↑ newer" in foot and "↓ older" in foot and "/ find" in foot
        await game.type("/ghoul takes")
        assert game.sheet.rows == [9, 8, 7, 6] and game.sheet.row == 9
        assert "i insert after" not in game.row(Footer)
        await game.type("<down><down>")
        assert game.screen.view_at == 7
        marked = [row for row in drawn(game) if row.strip().startswith("− ")]
        assert [int(row.split("−")[1].split()[0]) for row in marked] == [9, 8]
        await game.type("⎋")
        assert game.sheet.row == 7 and 5 in game.sheet.rows and game.screen.sheet_pane.is_open
        await game.type("⎋")
        assert not game.screen.sheet_pane.is_open


async def test_an_old_entry_is_amended_by_a_word_of_it(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("<ctrl+u>/join<ctrl+e>")
        assert "Add again › monster Ghoul hp 40" in game.row(PromptWidget)
        await game.type("⎋")
        await game.type("<ctrl+u>/zzz<ctrl+e>")
        assert game.said == "no entry contains these words" and game.screen.sheet_pane.is_open


async def test_behind_the_word_an_enter_makes_keys_of_letters_again(
    fight: OpenEncounter, game_of: Play
) -> None:
    async with game_of(fight) as game:
        await game.type("<ctrl+u>/takes 3↵")
        assert game.sheet.row == 8 and "i insert after" in game.row(Footer)
        await game.type("i+22↵↵")
        order = [fight.history.entries[seq].command for seq in fight.history.path]
        assert order[-2:] == ["heal ghoul 2", "damage ghoul 4"]


async def test_what_was_undone_is_not_amended(fight: OpenEncounter, game_of: Play) -> None:
    async with game_of(fight) as game:
        await game.type("u<ctrl+u><up>")
        assert game.sheet.row == 9
        for key in ("i", "<ctrl+e>"):
            await game.type(key)
            assert "only entries that led to now" in game.said and game.screen.sheet_pane.is_open


AGO = """
add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2 attack axe 1d8 slashing
add pc Seren hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add monster "Drowned Knight" hp 40 ac 2 cr 2
init brannoc 17
init seren 12
init drowned-knight 10
start
strike drowned-knight strong 9
"""


async def test_a_wrong_damage_of_two_rounds_ago_takes_ten_keys(
    played: Callable[..., OpenEncounter], game_of: Play
) -> None:
    """It was 31 by `[`, and 45 typed."""
    keys = ("ctrl+u", *"/str", "ctrl+e", "tab", "5", "enter", "enter")
    async with game_of(played(AGO + "next\n" * 26), (80, 24)) as game:
        assert game.who("drowned-knight").track("hp") == 33
        await game.type("".join(f"<{key}>" if len(key) > 1 else key for key in keys))
        assert game.who("drowned-knight").track("hp") == 37 and len(keys) == 10
        assert not game.screen.sheet_pane.is_open and not game.line.is_open


async def test_what_was_forgotten_four_entries_ago_takes_eleven_keys(
    played: Callable[..., OpenEncounter], game_of: Play
) -> None:
    """It was 29, and the words of the command had to be known."""
    keys = ("ctrl+u", *["down"] * 4, *"if21", "enter", "enter")
    async with game_of(played(AGO + "next\n" * 4), (80, 24)) as game:
        await game.type("".join(f"<{key}>" if len(key) > 1 else key for key in keys))
        path = game.encounter.history.path
        commands = [game.encounter.history.entries[seq].command for seq in path]
        assert commands[-5:] == ["mark seren fatigue 1", *["next"] * 4] and len(keys) == 11
        assert game.screen.view_at is None and not game.line.is_open
