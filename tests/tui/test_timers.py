"""The timers: by when they end, each end whole, and what has no room is counted."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual.geometry import Region

from affray import Fight
from affray.core.engine.effects import independent_effects
from affray.core.engine.state import Clock, Combatant, Duration, Effect, Encounter, Slot, Track
from affray.core.formatting.effects import common_end_text, ends_this_turn
from affray.rulesets import load_ruleset
from affray.store.open_encounter import OpenEncounter
from affray.tui.fight_view import FightView
from affray.tui.keymap import keymap_for
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets import timers
from affray.tui.widgets.timers import TimersPane, forms_of, timer_items
from affray.tui.widgets.turn_order_columns import effect_badges

INKS = styles_of(DARK)
RULESET = load_ruleset("monsters-and-magic")
SAMPLES = sorted((Path(__file__).parents[2] / "campaigns").glob("*/encounters/*.toml"))
PEOPLE = """
add pc Mira hp 24 ac 3 power 0 cunning 3 focus 2 luck 1 pb 2
add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2
add monster "Drowned Watchman" x2 cr 2 hp 18 ac 2
init mira 20
init brannoc 15
init drowned-watchman-1 10
init drowned-watchman-2 5
start
"""
LASTING = """\
inflict mira restrained
inflict brannoc weakened
inflict drowned-watchman-1 slowed until start of mira
inflict drowned-watchman-2 sundered for 3 turns
"""

Played = Callable[..., OpenEncounter]
Play = Callable[..., Any]


def view_of(state: Encounter) -> FightView:
    """A fight as panes are shown it, without its log."""
    rules = load_ruleset(state.ruleset)
    return FightView(state, rules, keymap_for(rules), None, 0, 0)  # type: ignore[arg-type]


def items(view: FightView, width: int, height: int) -> list[list[str]]:
    """What is told of each thing that has room in so many cells and rows."""
    found = timer_items(view.state, view.ruleset, INKS, "")
    told = []
    for make, form in zip(found, forms_of(found, width, height), strict=False):
        lines = make(width, form)
        assert all(line.width <= width for line in lines)
        told.append([line.text.rstrip() for line in lines])
    return told


def rows(view: FightView, width: int, height: int) -> list[str]:
    """All of that, row by row."""
    return [row for item in items(view, width, height) for row in item]


def words(lines: list[str]) -> str:
    """Rows as one text."""
    return " ".join(" ".join(lines).split())


def below_heading(lines: list[str]) -> list[str]:
    """The rows of an item without the time above the first of those that end then."""
    return lines[not lines[0].startswith(" ") and len(lines) > 1 :]


def shown(game: Any) -> list[str]:
    """The pane's rows that are not empty."""
    pane = game.screen.query_one(TimersPane)
    drawn = (pane.render_line(y).text.rstrip() for y in range(pane.size.height))
    return [row for row in drawn if row]


def crowd(people: int, effects: int) -> Encounter:
    """A fight in which everybody has so many effects, of all kinds of ends."""
    ends = (
        Duration("turn", "c1", "start", 2),
        Duration("turn", "c2", "end", 3),
        Duration("round", count=2),
        Duration(says="the door at the end of the long gallery is opened"),
        Duration("save"),
    )
    slots = tuple(Slot(f"c{n}", 100 - n, 1, 1, n == 0) for n in range(people))
    return Encounter(
        ruleset=RULESET.id,
        phase="combat",
        round=1,
        turn="c0",
        slots=slots,
        combatants=tuple(
            Combatant(
                slot.who,
                f"Drowned Watchman {n}",
                "foes",
                "monster",
                effects=tuple(
                    Effect(f"e{i}", f"effect-{i}", "condition", ends[i % len(ends)])
                    for i in range(effects)
                ),
            )
            for n, slot in enumerate(slots)
        ),
    )


# -- when they end ---------------------------------------------------------------------------------


def test_what_ends_stands_under_its_time_the_soonest_first(played: Played) -> None:
    assert rows(view_of(played(PEOPLE + LASTING).state), 60, 20) == [
        "next turn",
        "  Brannoc             weakened  ends after their turn",
        "round 2",
        "  Drowned Watchman 1  slowed  until Mira's next turn starts",
        "later",
        "  Drowned Watchman 2  sundered  ends after its 3rd turn",
        "GM  Threads 0",
        "until …",
        "  Mira                restrained  until freed",
    ]


def test_of_what_this_turn_ends_the_heading_says_so(played: Played) -> None:
    fight = played(PEOPLE + LASTING + "next")
    assert rows(view_of(fight.state), 60, 20)[:2] == [
        "this turn",
        "  Brannoc             weakened",
    ]


def test_what_ends_with_the_turn_of_anybody_in_a_group_ends_this_turn(played: Played) -> None:
    fight = played(
        "add pc Mira hp 24\nadd monster Rat x3 hp 9 group\ninit mira 20\ninit rat-1 10\nstart\n"
        "inflict rat-2 weakened\nnext"
    )
    assert rows(view_of(fight.state), 60, 20)[:2] == ["this turn", "  Rat 2  weakened"]


def test_what_has_no_room_in_a_row_has_its_end_below_it(played: Played) -> None:
    long = 'inflict mira "as quick as the eel that got away" until end of drowned-watchman-2'
    shown = rows(view_of(played(PEOPLE + LASTING + long).state), 60, 20)
    at = shown.index("  Mira  as quick as the eel that got away")
    assert shown[at + 1] == "    ends after Drowned Watchman 2's turn"


def test_where_headings_would_cost_rows_the_times_stand_in_front(played: Played) -> None:
    view = view_of(played(PEOPLE + LASTING).state)
    assert rows(view, 66, 6) == [
        "next turn Brannoc             weakened  ends after their turn",
        "round 2   Drowned Watchman 1 slowed until Mira's next turn starts",
        "later     Drowned Watchman 2  sundered  ends after its 3rd turn",
        "GM  Threads 0",
        "until …   Mira                restrained  until freed",
    ]


def test_nothing_is_told_of_a_fight_in_which_nothing_lasts() -> None:
    state = Encounter(ruleset="orcus")
    assert rows(view_of(state), 26, 3) == ["Nobody has any effects."]


# -- ends are whole --------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def sample(path: Path) -> OpenEncounter:
    """A sample's fight, read once for all widths."""
    return OpenEncounter.view(path)


@pytest.mark.parametrize("width", range(26, 81, 3))
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_no_end_is_cut_at_any_width(path: Path, width: int) -> None:
    state, tables = sample(path).state, sample(path).ruleset.tables
    for height in (3, 6, 10, 20, 200):
        told = items(view_of(state), width, height)
        assert sum(map(len, told)) <= height
        for row in (words(below_heading(item)) for item in told):
            assert not re.search(r"(until|ends|waits)\b(?! …)[^()]*…", row), row
    everything = words(rows(view_of(state), width, 200))
    for bearer in state.in_order():
        for effect in independent_effects(bearer):
            timed = tables.kind(effect.kind).timed and bearer.life not in ("dead", "defeated")
            if timed and not ends_this_turn(state, effect.until):
                assert common_end_text(tables, state, bearer, [effect]) in everything


def test_of_what_ends_first_it_is_told_when_unless_there_are_only_a_few_rows() -> None:
    first, *others = items(view_of(crowd(30, 2)), 34, 8)
    assert words(first).endswith("until Drowned Watchman 1's turn starts")
    assert [len(item) for item in others] == 4 * [1]
    assert [len(item) for item in items(view_of(crowd(30, 2)), 34, 5)] == 5 * [1]


def test_a_long_end_is_wrapped_whole() -> None:
    state = crowd(1, 4)
    told = words(rows(view_of(state), 26, 200))
    assert "until the door at the end of the long gallery is opened" in told


def test_a_name_gives_way_before_the_end_but_never_its_number() -> None:
    state = crowd(1, 1)
    freed = Effect("e", "doomed", "condition", Duration(says="freed"))
    who = replace(state.combatants[0], name="Drowned Watchman 12", effects=(freed,))
    view = view_of(replace(state, combatants=(who,)))
    assert rows(view, 40, 9)[2] == "  Drowned Watchman 12 doomed until freed"
    assert rows(view, 36, 9)[2:] == ["  Drowned Watchman 12  doomed", "    until freed"]
    assert rows(view, 36, 3)[2] == "  Drowned Wat… 12 doomed until freed"


def test_a_name_that_no_row_holds_gives_way_where_rows_run_out() -> None:
    state = crowd(1, 1)
    cursed = Effect("e", "cursed by the drowned abbess", "effect", Duration(says="freed"))
    name = "Brannoc the Twice-Drowned of Nether Weir"
    who = replace(state.combatants[0], name=name, effects=(cursed,))
    view = view_of(replace(state, combatants=(who,)))
    told = "cursed by the drowned abbess until freed"
    assert words(rows(view, 36, 4)[-3:]) == f"until … Brannoc the Twice-Drowned… {told}"
    assert f"{name} {told}" in words(rows(view, 36, 9))


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("Strike: when the gate opens", "readied: Strike"),
        ("Cast a Spell (spark, 2 AP): when it moves", "readied: Cast a Spell (spark)"),
        ("Cast a Spell (the long night of ash, 2 AP)", "readied: Cast a Spell"),
        ("when the gate of the drowned town opens", "readied"),
    ],
)
def test_a_row_and_a_short_timer_say_what_is_readied(note: str, told: str) -> None:
    state = crowd(1, 1)
    held = Effect("e", "readied", "readied", Duration(says="used"), amount=1, note=note)
    who = replace(state.combatants[0], name="Ilse", effects=(held,))
    view = view_of(replace(state, combatants=(who,)))
    assert [each.name for each in effect_badges(view.ruleset.tables, who)] == [told]
    assert f"Ilse {told} (…)" in words(rows(view, 54, 3))


def test_where_rows_run_out_a_note_gives_way_to_a_mark_and_not_the_end() -> None:
    state = crowd(1, 1)
    held = Effect("e", "readied", "readied", Duration(says="used"), note="when the gate opens")
    who = replace(state.combatants[0], name="Ilse", effects=(held,))
    view = view_of(replace(state, combatants=(who,)))
    assert rows(view, 34, 3)[2] == "  Ilse  readied (…)  until used"
    assert words(rows(view, 34, 9)[2:]) == "Ilse readied (when the gate opens) until used"


@pytest.mark.parametrize("several", [False, True], ids=["on one", "on several"])
def test_where_rows_run_out_what_a_named_modifier_gives_is_still_told(several: bool) -> None:
    """Its name alone would say neither how much it gives nor that there is more to be told."""
    state = replace(crowd(3, 0), ruleset="orcus")
    chain = Effect(
        *("e", "modifier", "modifier", Duration(says="removed")),
        modifiers={"speed": -2, "ref": -2},
        note="the chain on his back",
        source="c0" if several else "",
    )
    bearers = 1 + several
    people = [
        replace(who, name=name, effects=(chain,))
        for who, name in zip(state.combatants, ("Odo", "Pim")[:bearers], strict=False)
    ]
    view = view_of(replace(state, combatants=(*people, *state.combatants[bearers:])))
    told = words(rows(view, *((32, 3) if several else (44, 2))))
    assert "the chain on his back −2 speed and ref" in told
    assert all(who.name in told for who in people) and told.endswith("until removed")


def test_rows_that_stay_free_are_given_to_names_and_ends(played: Played) -> None:
    view = view_of(played(PEOPLE + LASTING).state)
    tight, roomy = rows(view, 34, 9), rows(view, 34, 20)
    assert len(tight) == 9 and not any("…" in row for row in roomy if row != "until …")
    assert "ends after its 3rd turn" in words(roomy)


# -- what has no room ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_what_has_no_room_is_counted_and_can_be_scrolled_to(
    played: Played, game_of: Play, size: tuple[int, int]
) -> None:
    names = ("weakened", "sundered", "slowed", "doomed", "prone", "stunned")
    more = "\n".join(
        f"inflict {who} {name}"
        for name in names
        for who in ("mira", "brannoc", "drowned-watchman-1", "drowned-watchman-2")
    )
    async with game_of(played(PEOPLE + more), size) as game:
        pane = game.screen.query_one(TimersPane)
        if size != (200, 60):  # where all may have room
            await game.until(lambda: shown(game)[-1].startswith("…"))
        *before, last = shown(game)
        if not last.startswith("…"):
            return
        told = {item for item in (pane.item_at(y) for y in range(len(before))) if item is not None}
        assert last == f"…{pane.line_count() - len(told)} later"
        pane.scroll_top(pane.line_count())
        await game.pilot.pause()
        assert "later" not in shown(game)[-1]
        assert pane.item_at(len(shown(game)) - 1) == pane.line_count() - 1


def test_only_what_can_be_seen_is_put_into_words(monkeypatch: pytest.MonkeyPatch) -> None:
    view, told = view_of(crowd(200, 20)), []
    notes = timers.effect_note
    monkeypatch.setattr(timers, "effect_note", lambda effect: told.append(effect) or notes(effect))
    found = timer_items(view.state, view.ruleset, INKS, "")
    assert len(found) == 200 * 5 + 1  # the five ends of each, and the GM's threads
    assert told == []
    assert len(forms_of(found, 40, 12)) < 12
    assert len(told) < 500


async def test_a_wound_sorts_no_timers_anew(
    played: Played, game_of: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Encounter] = []
    monkeypatch.setattr(
        timers, "timer_items", lambda state, *by: seen.append(state) or timer_items(state, *by)
    )
    async with game_of(played(PEOPLE + LASTING)) as game:
        seen.clear()
        assert game.screen.run_command("damage mira 1 slashing")
        assert not seen
        assert game.screen.run_command("inflict mira slowed")
        assert seen and "slowed" in " ".join(shown(game))


async def test_the_frame_says_how_effects_are_sorted(played: Played, game_of: Play) -> None:
    async with game_of(played(PEOPLE)) as game:
        pane = game.screen.query_one(TimersPane)
        said = [pane.aside]
        for command in ("inflict mira restrained", "inflict mira slowed"):
            assert game.screen.run_command(command)
            said.append(pane.aside)
    assert said == ["", "", " soonest first "]


# -- clocks and the GM's tracks --------------------------------------------------------------------


async def test_clocks_stand_after_what_ends_this_turn_or_the_next(
    played: Played, game_of: Play
) -> None:
    """So that they keep their rows where many effects end later."""
    lasting = "inflict mira slowed until end of brannoc\ninflict brannoc slowed until round 4\n"
    async with game_of(played(PEOPLE + lasting + 'clock "The flood" 3 rounds')) as game:
        told = " ".join(shown(game))
        places = [told.index(words) for words in ("Mira", "The flood", "Brannoc  ")]
        assert places == sorted(places), told


async def test_a_row_is_painted_with_the_frame_beside_it(
    played: Played, game_of: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the mark of a list that goes on would stay there when the list has become short."""
    async with game_of(played(PEOPLE)) as game:
        pane, regions = game.screen.query_one(TimersPane), list[Region]()
        monkeypatch.setattr(TimersPane, "refresh", lambda _, *each: regions.extend(each))
        pane.redraw([0])
        assert [region.right for region in regions] == [pane.size.width + pane.gutter.right]


def test_a_race_that_can_be_lost_has_two_bars() -> None:
    """Level Up's few successes as squares, Adventure School's totals of effort as bars."""
    form = timers.TimerLayout(headed=True)
    few, many = Clock("Ring it", 2, 3, failures=1, limit=3), Clock("Hide", 12, 40, limit=40)
    (line,) = timers.clock_lines(INKS, few, 60, form)
    assert line.text == "◷ Ring it  ■■□  ■□□  2 of 3 done, 1 failed"
    (line,) = timers.clock_lines(INKS, many, 70, form)
    assert line.text == "◷ Hide  ▇▇▇░░░░░░░ 12/40  ░░░░░░░░░░ 0/40 failed"
    lines = timers.clock_lines(INKS, many, 32, form)
    assert [line.text for line in lines] == ["◷ Hide  ▇▇▇░░░░░░░ 12/40", "  ░░░░░░░░░░ 0/40 failed"]
    (line,) = timers.clock_lines(INKS, many, 42, form)
    assert line.text == "◷ Hide  ▇▇░░░ 12/40  ░░░░░ 0/40 failed"
    over = replace(many, value=40)
    assert timers.clock_lines(INKS, over, 60, form)[0].text.endswith("won")


def test_what_the_party_has_stands_behind_its_name() -> None:
    state = replace(crowd(0, 0), tracks={"threads": Track(0), "supplies": Track(2)})
    assert "GM  Threads 0  Party  Supplies 2" in rows(view_of(state), 60, 20)


@pytest.mark.parametrize("width", [20, 30, 38, 60])
def test_a_clock_says_how_much_is_left_before_all_else(width: int) -> None:
    clock = Clock("Nethermere floods", 5, 7, every="round")
    lines = timers.clock_lines(INKS, clock, width, timers.TimerLayout(headed=True))
    told = [line.text for line in lines]
    assert words(told).startswith("◷ Nethermere floods") and words(told).endswith("5 rounds left")
    assert all(line.width <= width for line in lines)
    assert ("■" in words(told)) is (width == 60)


def test_a_track_without_a_row_goes_by_no_raw_id() -> None:
    state = replace(crowd(1, 1), tracks={"long_rests": Track(2)})
    assert "GM  Threads 0  Long rests 2" in rows(view_of(state), 60, 20)


async def test_the_gms_threads_are_shown_from_the_beginning(played: Played, game_of: Play) -> None:
    async with game_of(played("add pc Mira hp 9")) as game:
        assert "GM  Threads 0" in shown(game)


async def test_it_asks_for_the_rows_that_it_fills_and_for_what_waits_but_not_for_what_is_news(
    played: Played, game_of: Play
) -> None:
    """So that the other panes stay where they are from one command to the next."""
    fight = played(PEOPLE)
    async with game_of(fight, (140, 40)) as game:
        pane = game.screen.query_one(TimersPane)
        empty = pane.rows_wanted(30)
        assert empty == 5  # a heading, two of news, a line below, the GM's threads
        await game.type(":damage drowned-watchman-1 40<enter>")
        assert pane.head and pane.rows_wanted(30) == empty
        for line in LASTING.splitlines():
            if "watchman-1" not in line:
                fight.do(line)
        game.screen.publish()
        rows = sum(map(len, items(view_of(fight.state), pane.room.width, 30)))
        assert pane.rows_wanted(30) == rows > empty
        assert pane.rows_wanted(5) == 5


def test_who_comes_back_into_a_turn_puts_off_the_ends_of_nobody() -> None:
    """What ends in the next round isn't said to end next turn: the turn that comes next is the one
    that has begun and waits."""
    fight = Fight("monsters-and-magic", seed=1)
    for line in (
        "add pc Mira hp 24",
        "add pc Wick hp 24",
        "add pc Brannoc hp 30",
        "add monster Ghoul hp 18 cr 2",
        *(
            f"init {who} {n}"
            for who, n in {"mira": 17, "wick": 15, "brannoc": 12, "ghoul": 5}.items()
        ),
        "start",
        "next",
        "delay",
        "strike ghoul weak 5",
        "inflict ghoul frightened until start of mira by mira",
    ):
        fight.do(line)

    def ends() -> list[str]:
        return [when for when, _ in timers.ends_of(fight.state, fight.ruleset.tables)]

    before = ends()
    fight.do("return wick")
    assert fight.state.turn == "wick" and ends() == before == ["round 2"]
    fight.do("next")
    assert fight.state.turn == "brannoc" and ends() == before


async def test_what_changes_behind_a_prompt_is_laid_out_as_if_nothing_had_been_in_front(
    played: Played, game_of: Play
) -> None:
    """A phone's answer comes while a prompt covers rows: the timers are made for the whole pane."""
    async with game_of(played(PEOPLE), (80, 24)) as game:
        pane = game.screen.query_one(TimersPane)
        for line in LASTING.splitlines():
            assert game.screen.run_command(line)
            await game.pilot.pause()
            whole, place = shown(game), pane.region
            pane.cover(place, place.bottom - 3)
            pane.redo()
            pane.cover(place, place.bottom)
            assert shown(game) == whole
