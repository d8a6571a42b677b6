"""The log is wrapped and follows; the turn's edge tells what nobody may miss, and else is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from affray.core.rules.ruleset import DecisionOption, PendingDecision
from affray.store.open_encounter import OpenEncounter
from affray.tui.fight_view import FightView
from affray.tui.keymap import SCREEN, KeyBinding, Keymap, keymap_for
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.header_footer import Footer, FooterKey, Header, footer_keys
from affray.tui.widgets.log import LogPane
from affray.tui.widgets.timers import TimersPane
from affray.tui.widgets.turn_summary import (
    TurnNews,
    TurnSummaryPane,
    edge_lines,
    first_rows,
    head_lines,
    news_of,
)

INKS = styles_of(DARK)
FIGHT = """\
add pc Mira hp 24 ac 0 power 0 cunning 3 focus 2 luck 1 pb 2
add pc Brannoc hp 10 ac 0 power 2 cunning 1 focus 0 luck 1 pb 2
add monster Ghoul x2 cr 2 hp 18 ac 2
init mira 20
init brannoc 15
init ghoul-1 10
init ghoul-2 5
start
"""
LONG = "note " + "the lamps along the western quay go out one after another " * 4

Played = Callable[..., OpenEncounter]
Play = Callable[..., Any]


def rows(game: Any, pane: type[Any]) -> list[str]:
    """What a pane shows, row by row, without empty rows."""
    found = game.screen.query_one(pane)
    drawn = (found.render_line(y).text.rstrip() for y in range(found.size.height))
    return [row for row in drawn if row]


def words(lines: list[str]) -> str:
    """Rows as one text."""
    return " ".join(" ".join(lines).split())


def view_of(fight: OpenEncounter) -> FightView:
    """The fight as panes are shown it."""
    history = fight.history
    keymap = keymap_for(fight.ruleset)
    return FightView(fight.state, fight.ruleset, keymap, history, history.head, len(history.path))


# -- the log ---------------------------------------------------------------------------------------


async def test_the_log_is_wrapped_and_its_rows_hang_under_the_first(
    played: Played, game_of: Play
) -> None:
    async with game_of(played(FIGHT + LONG)) as game:
        game.screen.panes.choose("log")
        game.screen.panes.toggle_maximised()
        await game.pilot.pause()
        await game.pilot.pause()  # for the panes to stand where they do now
        told = rows(game, LogPane)
        last = next(n for n, row in enumerate(told) if row.lstrip().startswith("9  "))
        assert len(told) > last + 1
        assert all(row.startswith("    ") for row in told[last + 1 :])
        assert words(told[last:]) == words(["9 Note: " + LONG.removeprefix("note ")])
        assert "…" not in "".join(told)


@pytest.mark.parametrize("height", [1, 2])
async def test_of_an_entry_with_too_few_rows_the_last_is_cut(
    played: Played, game_of: Play, height: int
) -> None:
    async with game_of(played(FIGHT + LONG)) as game:
        pane = game.screen.query_one(LogPane)
        lines = pane.item(pane.line_count() - 1, 60)
        assert not height or len(lines) >= 1
        pane.room = pane.room.with_height(height)
        lines = pane.item(pane.line_count() - 1, 60)
        assert len(lines) == height
        assert lines[-1].strip(60).text.endswith("…")


async def test_an_entry_that_begins_above_the_pane_shows_its_number(
    played: Played, game_of: Play
) -> None:
    async with game_of(played(FIGHT + f"{LONG}\n" * 6)) as game:
        pane = game.screen.query_one(LogPane)
        pane.scroll_top(0)
        pane.scroll_lines(-1000)
        pane.show(9, 1)
        first = rows(game, LogPane)[0].split()
        assert first[0] == "10…" and first[1] in LONG.split()


async def test_after_looking_back_the_log_follows_at_once(played: Played, game_of: Play) -> None:
    async with game_of(played(FIGHT + "note one\n" * 40)) as game:
        await game.type("[[[[<escape>")
        assert not game.screen.query_one(LogPane).stays
        assert game.screen.run_command("note newest")
        await game.pilot.pause()
        assert "newest" in rows(game, LogPane)[-1]


async def test_a_log_that_does_not_follow_says_so_and_how_it_does(
    played: Played, game_of: Play
) -> None:
    async with game_of(played(FIGHT + "note one\n" * 40)) as game:
        pane = game.screen.query_one(LogPane)
        await game.type("[" * 30)
        assert pane.aside == " stays here; esc: the newest "
        assert game.screen.run_command("note newest")
        await game.pilot.pause()
        assert pane.stays and "newest" not in words(rows(game, LogPane))
        await game.type("<escape>")
        assert "newest" in rows(game, LogPane)[-1] and pane.aside == ""


async def test_a_log_that_was_scrolled_goes_on_with_what_happens_next(
    played: Played, game_of: Play
) -> None:
    async with game_of(played(FIGHT + "note one\n" * 40)) as game:
        pane = game.screen.query_one(LogPane)
        pane.scroll_lines(-5)
        assert pane.aside == " an earlier part; esc: the newest "
        assert game.screen.run_command("note newest")
        await game.pilot.pause()
        assert "newest" in rows(game, LogPane)[-1] and pane.aside == ""


async def test_the_log_scrolls_by_rows_up_to_its_ends(played: Played, game_of: Play) -> None:
    async with game_of(played(FIGHT + f"{LONG}\n" * 6)) as game:
        pane = game.screen.query_one(LogPane)
        pane.scroll_lines(-1000)
        assert pane.item_at(0) == 0
        first = rows(game, LogPane)
        pane.scroll_lines(1)
        assert rows(game, LogPane)[:-1] == first[1:]
        pane.scroll_lines(1000)
        assert pane.is_at_end and not pane.stays


async def test_a_long_log_is_put_into_words_only_as_far_as_it_is_seen(
    played: Played, game_of: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    from affray.tui.widgets import log

    told: list[int] = []
    pieces = log.entry_pieces
    monkeypatch.setattr(
        log, "entry_pieces", lambda entry, *rest: told.append(entry.seq) or pieces(entry, *rest)
    )
    async with game_of(played(FIGHT + "note hm\n" * 300), (200, 60)) as game:
        assert len(set(told)) <= game.screen.query_one(LogPane).size.height + 1


async def test_what_would_be_redone_is_cut_with_a_mark(played: Played, game_of: Play) -> None:
    fight = played(f"{FIGHT}{LONG}")
    fight.undo()
    async with game_of(fight) as game:
        aside = game.screen.query_one(LogPane).aside
        assert aside.startswith(" redo: ") and aside.endswith("… ")


# -- the turn's edge -------------------------------------------------------------------------------


async def test_the_edge_is_not_there_when_it_has_nothing_to_say(
    played: Played, game_of: Play
) -> None:
    async with game_of(played(FIGHT + "note hm")) as game:
        assert game.screen.query_one(TimersPane).head == []


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_whoever_goes_down_is_seen_whatever_the_command_was(
    played: Played, game_of: Play, size: tuple[int, int]
) -> None:
    async with game_of(played(FIGHT + "damage brannoc 30 fire"), size) as game:
        assert "✗ Brannoc is dying" in words(rows(game, TimersPane))
        assert game.screen.run_command("note hm")
        await game.pilot.pause()
        assert game.screen.query_one(TimersPane).head == []


def test_what_goes_down_and_what_runs_out_comes_before_the_rest(played: Played) -> None:
    fight = played(FIGHT + 'clock "the door gives" 1 rounds\ninflict ghoul-2 weakened\nnext\nnext')
    fight.do("next")
    fight.do("next")
    news = news_of(view_of(fight))
    assert "THE DOOR GIVES: RUN OUT" in news.grave
    lines = edge_lines([], (), news, 40, INKS)
    assert lines[0].text.startswith("✗ ")
    assert len(lines) > len(news.grave)


def test_the_dice_with_which_a_fight_begins_are_no_news_and_the_clock_stands_below(
    played: Played,
) -> None:
    fight = played('add monster Rat x9 hp 4\nclock "the tide" 4d6\nstart')
    news = news_of(view_of(fight))
    assert len(fight.history.entries[fight.history.head].events) > 9
    assert news.rolled == [] and not any("the tide" in text for text in news.rest)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_what_has_run_out_stays_in_the_header_until_it_is_put_away(
    played: Played, game_of: Play, size: tuple[int, int]
) -> None:
    async with game_of(played(FIGHT + 'clock "the door gives" 1'), size) as game:
        assert "RUN OUT" not in " ".join(rows(game, Header))
        game.screen.run_command('clock "the door gives" tick')
        await game.pilot.pause()
        assert "◷ THE DOOR GIVES RUN OUT" in " ".join(rows(game, Header))
        assert "▶ " in " ".join(rows(game, Header))
        game.screen.run_command('clock "the door gives" off')
        await game.pilot.pause()
        assert "RUN OUT" not in " ".join(rows(game, Header))


def test_a_save_that_was_rolled_comes_before_what_it_came_to() -> None:
    news = TurnNews(["Mira is dying"], ["save 1d20: [4] 4 failure"], ["one", "two"])
    told = [line.text for line in edge_lines([], (), news, 40, INKS)]
    assert told == ["✗ Mira is dying", "· save 1d20: [4] 4 failure", "· one", "· two"]


@pytest.mark.parametrize("width", range(26, 81, 6))
def test_what_waits_is_wrapped_with_the_key_of_each_answer(width: int) -> None:
    answers = (
        DecisionOption("f", "free", "free oswin"),
        DecisionOption("p", "free, prevented by the holder", ""),
    )
    row = PendingDecision("oswin", "Oswin is restrained: 3 fatigue to break free", answers)
    lines = edge_lines([row], (), TurnNews([], [], []), width, INKS)
    told = words([line.text for line in lines])
    assert told == (
        "↵ Oswin is restrained: 3 fatigue to break free f free p free, prevented by the holder"
    )
    assert all(line.width <= width for line in lines)


@pytest.mark.parametrize("height", [5, 6, 9, 14, 30])
async def test_it_leaves_rows_to_the_timers_and_what_waits_is_the_last_to_lose_its_own(
    played: Played, game_of: Play, height: int
) -> None:
    fight = played(FIGHT + "inflict brannoc restrained\ndamage mira 40\nnext")
    view, waiting = (
        view_of(fight),
        fight.ruleset.turns.pending_decisions(fight.ruleset.tables, fight.state),
    )
    news = TurnNews([], [], [f"this has happened {n}" for n in range(9)])
    lines = head_lines(view, waiting, news, (34, height - 3), INKS)
    assert len(lines) <= height - 3
    assert waiting and "↵" in words([line.text for line in lines[:2]])
    assert "more" in lines[-1].text + lines[-2].text or height > 9


def test_in_a_small_pane_what_a_phone_proposes_stands_whole_without_its_keys(
    played: Played,
) -> None:
    """The footer has the keys, so that they need no rows here."""
    answers = tuple(
        DecisionOption(key, word, "")
        for key, word in (("ctrl+a", "accept"), ("ctrl+s", "change"), ("ctrl+w", "decline"))
    )
    what = "Mira: Strike: Ghoul 1, 15, 9 → 19 strong · Ghoul 1 −9 HP, 9 left"
    view = replace(view_of(played(FIGHT)), proposed=(PendingDecision("mira", what, answers),))
    small, large = (
        [line.text for line in head_lines(view, [], TurnNews([], [], []), (48, height), INKS)]
        for height in (3, 9)
    )
    assert words(small) == f"▸ {what}"
    assert "ctrl+a accept" in words(large) and "↵" not in words(large)


# -- the footer ------------------------------------------------------------------------------------


async def test_a_fight_that_is_only_looked_at_offers_nothing_that_cant_be_done(
    played: Played, game_of: Play
) -> None:
    fight = played(FIGHT)
    fight.close()
    with OpenEncounter.view(fight.path) as viewed:
        async with game_of(viewed) as game:
            told = game.row(Footer)
            assert "look back" in told and "help" in told
            for key in ("next turn", "strike", "undo", "damage", "command"):
                assert key not in told


async def test_after_a_fight_the_keys_are_those_that_one_needs_then(
    played: Played, game_of: Play
) -> None:
    encounter = played("add pc Mira hp 9\ninit mira 9\nstart\nend")
    async with game_of(encounter, (80, 24)) as game:
        assert game.row(Footer).split("  ")[:3] == [" ctrl+t story", "Z rest", "ctrl+o fights"]
        assert "The fight is over." in " ".join(rows(game, TurnSummaryPane))


@pytest.mark.parametrize(("cursor", "offered"), [("ghoul-1", True), ("mira", False)])
def test_the_way_back_is_offered_while_the_cursor_is_elsewhere(
    played: Played, cursor: str, offered: bool
) -> None:
    view = view_of(played(FIGHT))
    others = [key for key in view.keymap.keys if key.id != "cursor.turn"]
    back = KeyBinding(
        "cursor.turn", ("0",), "whose turn", SCREEN, "moves the cursor to whoever's turn it is"
    )
    view = replace(view, keymap=Keymap([*others, back]), cursor=cursor)
    assert (FooterKey("0", "whose turn") in footer_keys(view, None)) is offered


@pytest.mark.parametrize("height", [1, 2, 3, 4])
def test_what_waits_is_the_last_to_lose_its_row(height: int) -> None:
    answers = (DecisionOption("s", "success", "save hesper dazed success"),)
    row = PendingDecision("hesper", "Hesper saves against dazed", answers)
    lines = edge_lines([row, row], (), TurnNews([], [], ["round 4 begins", "it rains"]), 50, INKS)
    seen = [line.text for line in first_rows(lines, (50, height), INKS)]
    assert len(seen) == height and all(len(line.rstrip()) <= 50 for line in seen)
    assert seen[0].startswith("↵ Hesper saves against dazed")
    missing = len(lines) - height
    assert seen[-1].endswith(f"…{missing} more") if missing else "it rains" in seen[-1]


async def test_a_clock_that_goes_on_is_told_once(played: Played, game_of: Play) -> None:
    fight = played(
        "add pc Mira hp 24 ac 12\nadd pc Odo hp 20 ac 12\ninit mira 20\ninit odo 5\nstart\n"
        'clock "The stair goes" 4d6 medium\nnext\nnext',
        ruleset="level-up",
    )
    async with game_of(fight, (120, 40)) as game:
        assert words(rows(game, TimersPane)).count("The stair goes") == 2  # the dice, and the clock
