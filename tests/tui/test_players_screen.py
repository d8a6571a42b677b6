"""The players' view on the screen: what is seen of it, that it follows, and how it is left."""

from __future__ import annotations

import pytest
from textual.geometry import Size
from textual.widgets import Static

from affray.core.telling.public.view import public
from affray.store.encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.panes.players import players_lines
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.players import PlayersScreen
from affray.tui.themes import DARK, inks_of

INKS = inks_of(DARK)


def lines(fight: OpenEncounter, width: int, height: int) -> list[str]:
    shown = public(fight.history, fight.ruleset)
    return [line.text for line in players_lines(shown, Size(width, height), INKS)]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12), (200, 60)])
def test_whoever_is_up_is_always_seen_and_no_line_is_too_long(
    ambush: OpenEncounter, size: tuple[int, int]
) -> None:
    for _ in range(9):
        ambush.do("next")
        told = lines(ambush, *size)
        shown = public(ambush.history, ambush.ruleset)
        assert len(told) == size[1]
        assert max(map(len, told)) <= size[0]
        assert any(line.startswith(f"   ▶  {shown.up[0][:9]}") for line in told)
        assert not any("Lurker" in line for line in told)


def test_the_party_is_told_in_numbers_and_foes_in_words_or_bars(ambush: OpenEncounter) -> None:
    told = "\n".join(lines(ambush, 120, 60))
    assert "HP 22/30" in told
    assert "unhurt" in told and "/18" not in told
    ambush.do("setting players-health bars")
    assert "hurt" not in "\n".join(lines(ambush, 120, 60))


async def test_a_key_shows_it_and_another_leaves_it(ambush: OpenEncounter) -> None:
    async with AffrayApp(ambush).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+d")
        await pilot.pause()
        assert isinstance(pilot.app.screen, PlayersScreen)
        await pilot.press("s", "space", "escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, FightScreen)


async def test_alone_it_follows_what_is_saved_elsewhere_and_q_ends_it(
    ambush: OpenEncounter,
) -> None:
    seen = OpenEncounter.view(ambush.path)
    async with AffrayApp(seen, for_players=True).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, PlayersScreen)

        def told() -> str:
            return str(screen.query_one(Static).render())

        up = public(ambush.history, ambush.ruleset).up[0]
        assert f"▶ {up.upper()}" in told()
        ambush.do("next")  # somebody hidden is up
        ambush.do("next")
        now = public(ambush.history, ambush.ruleset).up[0]
        screen.look()
        assert now != up and f"▶ {now.upper()}" in told()
        ambush.path.rename(ambush.path.with_suffix(".away"))
        screen.look()
        assert "not up to date" in told()
        ambush.path.with_suffix(".away").rename(ambush.path)
        screen.look()
        assert "not up to date" not in told()
        await pilot.press("q")
        await pilot.pause()
        assert not pilot.app.is_running or pilot.app.return_code in (0, None)
