"""What is seen without a key: the fallen, who can act, what lasts by name, waves, the footer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.segment import Segment
from tests.tui.conftest import Sample
from tests.tui.crowds import GAMES, Crowd, crowd
from tests.tui.seen import SeenPane
from tests.tui.test_nothing_lost import SAMPLES, settled
from textual.color import Color
from textual.geometry import Region
from textual.screen import Screen

from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.widgets.turn_order import TurnOrderList

Played = Callable[..., OpenEncounter]
GHOULS = """
add pc Mira hp 30 ac 1
add monster Ghoul x6 hp 18 ac 2 cr 1
init mira 20
init roll
start
"""
WIDE = (120, 40)


async def _seen(fight: OpenEncounter, size: tuple[int, int] = WIDE) -> dict[str, SeenPane]:
    async with AffrayApp(fight).run_test(size=size) as pilot:
        await pilot.pause()
        return await settled(pilot)


def _row(panes: dict[str, SeenPane], name: str) -> str:
    rows = panes["initiative"].rows
    return next(row for row in rows if name.casefold() in row.casefold())


async def test_who_is_out_of_the_fight_stands_at_its_end(played: Played) -> None:
    panes = await _seen(played(GHOULS + "damage ghoul-2,ghoul-4 90"))
    told = [row for row in panes["initiative"].rows if row.strip()]
    assert all("✗ dead" in row for row in told[-2:])
    assert not any("✗ dead" in row for row in told[:-2])


async def test_where_rows_are_short_they_share_one_line(played: Played) -> None:
    many = GHOULS.replace("x6", "x20") + "damage ghoul-2,ghoul-4,ghoul-7 90"
    panes = await _seen(played(many), (80, 24))
    assert all("✗ dead" not in row for row in panes["initiative"].rows)


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_when_no_foe_stands_the_footer_begins_with_the_end(
    played: Played, size: tuple[int, int]
) -> None:
    fight = played(GHOULS)
    assert not (await _seen(fight, size))["footer"].text.strip().startswith("E ")
    fight.do("damage foes 90")
    assert (await _seen(fight, size))["footer"].text.strip().startswith("E end the fight")


async def test_one_who_died_in_its_own_turn_is_not_up(played: Played) -> None:
    fight = played(GHOULS + "next")
    name = fight.state[fight.state.turn].name
    fight.do(f"damage {fight.state.turn} 90")
    panes = await _seen(fight)
    assert f"{name} is dead" in panes["header"].text
    assert "AP left" not in panes["spend"].text


async def test_who_cant_act_shows_nothing_to_act_with(played: Played) -> None:
    """Monsters & Magic, Conditions: the restrained can't spend action points."""
    fight = played(GHOULS)
    assert "●" in _row(await _seen(fight), "Ghoul 1")
    fight.do("inflict ghoul-1 restrained")
    assert "●" not in _row(await _seen(fight), "Ghoul 1")


async def test_a_row_says_which_zone_and_which_song_it_is(sample: Sample) -> None:
    kiln = sample("kiln-road/encounters/the-ninth-kiln.toml")
    assert "Smoke Wall zone" in (await _seen(kiln, (200, 60)))["initiative"].text


async def test_what_lasts_on_several_from_one_source_is_one_timer(sample: Sample) -> None:
    hall = sample("winter-term/encounters/the-frozen-conservatory.toml")
    told = " ".join((await _seen(hall))["timers"].text.split())
    assert "+1 attack and save: Pim, Runa, Cato, Ione" in told
    assert told.count("until the song ends") == 1
    assert "later" not in told


async def test_what_ran_out_at_a_turns_edge_is_one_line(played: Played) -> None:
    lasting = "inflict ghoul-1,ghoul-2,ghoul-3 frightened until start of mira"
    fight = played(GHOULS + lasting)
    while fight.state.turn != "mira" or fight.state.round < 2:
        fight.do("next")
    told = " ".join((await _seen(fight))["timers"].text.split())
    assert "over: frightened of Ghoul 1, Ghoul 2 and Ghoul 3" in told
    assert "its time is up" not in told


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_a_wave_that_waits_is_seen(played: Played, size: tuple[int, int]) -> None:
    panes = await _seen(played(GHOULS + "add monster Rat x3 hp 4 wave 2"), size)
    assert "wave 2: 3 wait (ctrl+n)" in " ".join(panes["timers"].text.split())


async def test_a_narrow_footer_names_conditions_undo_and_the_panes(played: Played) -> None:
    footer = (await _seen(played(GHOULS), (80, 24)))["footer"].text
    assert all(f"{key} " in footer for key in ("space", "c", "u", "tab", "?")), footer


async def test_no_technique_that_cant_be_used_has_a_row_while_timers_say_later(
    sample: Sample,
) -> None:
    panes = await _seen(sample("kiln-road/encounters/the-ninth-kiln.toml"))
    assert "later" not in panes["timers"].text or "✗" not in panes["techniques"].text


def _twelve(path: Path, game: Crowd, seed: int) -> OpenEncounter:
    return crowd(path / f"{game.ruleset}-{seed}.toml", game, seed, 12)


def _lost_beside_room(panes: dict[str, SeenPane]) -> list[str]:
    """What keeps rows that what ends would have had."""
    if "later" not in panes["timers"].text:
        return []
    barred = "✗" in panes["techniques"].text if "techniques" in panes else False
    free = panes["timers"].has_empty_row()
    return [said for said, is_so in (("a technique", barred), ("a free row", free)) if is_so]


@pytest.mark.parametrize("fight", SAMPLES)
async def test_of_what_ends_nothing_waits_beside_room_in_a_sample(
    sample: Sample, fight: str
) -> None:
    assert _lost_beside_room(await _seen(sample(f"{fight}.toml"))) == []


async def test_of_what_ends_nothing_waits_below_a_turns_edge(ambush: OpenEncounter) -> None:
    panes = await _seen(ambush)
    assert "over: protected of Sister Ash" in " ".join(panes["timers"].text.split())
    assert _lost_beside_room(panes) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.ruleset)
@pytest.mark.parametrize("seed", range(3))
async def test_of_what_ends_nothing_waits_beside_room_with_twelve(
    tmp_path: Path, game: Crowd, seed: int
) -> None:
    with _twelve(tmp_path, game, seed) as fight:
        assert _lost_beside_room(await _seen(fight)) == []


@pytest.mark.parametrize("fight", SAMPLES)
async def test_a_card_begins_with_hp_and_defence_in_one_row_and_attacks_stand_next(
    sample: Sample, fight: str
) -> None:
    """What is left to act with stands in the order, and costs in their pane: so they come last."""
    panes = await _seen(sample(f"{fight}.toml"))
    for card in ("card", "second"):
        rows = [row.strip() for row in panes[card].rows]
        assert rows[0].startswith("HP ") and " AC " in rows[0], rows
    assert " HP " in panes["initiative"].edges[0]
    rows = [row.strip() for row in panes["card"].rows]
    attacks = [n for n, row in enumerate(rows) if row.startswith("Attacks ") and "d" in row[8:]]
    assert not attacks or attacks[0] <= 4, rows


async def test_what_ends_leaves_the_rows_that_it_has_no_use_for_to_the_log(sample: Sample) -> None:
    panes = await _seen(sample("drowned-vale/encounters/lantern-street.toml"))
    assert len(panes["log"].edges[0]) == WIDE[0]
    assert len(panes["log"].rows) > 2


async def test_after_a_fight_techniques_have_no_rows(played: Played) -> None:
    fight = played(GHOULS)
    assert "techniques" in await _seen(fight)
    fight.do("end")
    panes = await _seen(fight)
    assert "techniques" not in panes and len(panes["log"].rows) > 4


@pytest.mark.parametrize("size, last", [(WIDE, "SB"), ((200, 60), "Spellburn die")])
async def test_the_tracks_are_headed_by_their_names_where_there_is_room(
    sample: Sample, size: tuple[int, int], last: str
) -> None:
    hall = sample("winter-term/encounters/the-frozen-conservatory.toml")
    edge = (await _seen(hall, size))["tracks"].edges[0]
    heads = ("Stamina", "Fortune", "Spirit", last)
    assert all(head in edge for head in heads), edge


async def test_what_is_done_to_anybody_is_offered_before_what_only_some_can_need(
    sample: Sample,
) -> None:
    hall = sample("winter-term/encounters/the-frozen-conservatory.toml")
    footer = (await _seen(hall))["footer"].text
    assert all(told in footer for told in ("- damage", "+ heal", "c condition")), footer
    assert "= revive" not in footer and "D kill" not in footer


async def test_what_is_left_of_those_who_are_not_up_is_drawn_smaller(
    ambush: OpenEncounter,
) -> None:
    """It tells without colours, too, that it can't be spent now."""
    panes = await _seen(ambush)
    assert "••◦" in _row(panes, "Mira")
    assert "●●●" in _row(panes, "Reed Lurker")  # who has had no turn yet


async def test_it_is_fainter_where_there_are_no_colours(
    stair: Callable[..., OpenEncounter], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letters have no smaller form: without colours they are a grey further from white."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with AffrayApp(stair("next")).run_test(size=WIDE) as pilot:
        await settled(pilot)
        inks = {
            name: segment.style
            for name in ("MIRA", "Brannoc")
            for segment in _segments_of_row(pilot.app.screen, name)
            if segment.text.strip() in ("SMw", "·Mw", "S", "M", "w")
        }
    up, other = (Color.from_rich_color(style.color) for style in (inks["MIRA"], inks["Brannoc"]))
    assert all(len({*color.rgb}) == 1 for color in (up, other)), "they are greys"
    assert up.brightness - other.brightness > 0.2


def _segments_of_row(screen: Screen[Any], name: str) -> list[Segment]:
    """A row of the order as the terminal gets it."""
    order = screen.query_one(TurnOrderList)
    strips = order.render_lines(Region(0, 0, *order.size))
    return next([*strip] for strip in strips if name in strip.text)


async def test_boxes_stand_close_together_where_somebody_has_two_of_one(
    stair: Callable[..., OpenEncounter],
) -> None:
    fight = stair("set mira standard 2 of 2\nend")
    panes = await _seen(fight)
    assert "S2Mw ◆" in _row(panes, "Mira")
    assert "SMw  ◆" in _row(panes, "Goblin Hexer")


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_no_attack_is_offered_to_the_dying(played: Played, size: tuple[int, int]) -> None:
    fight = played(
        "add pc Odo hp 20 ac 12 attack axe +5 1d8 slashing\nadd monster Ghoul hp 20 ac 12\n"
        "init odo 20\ninit ghoul 3\nstart",
        ruleset="level-up",
    )
    assert "s attack" in (await _seen(fight, size))["footer"].text
    fight.do("damage odo 20")
    footer = (await _seen(fight, size))["footer"].text
    assert "s attack" not in footer and "space next" in footer
