"""The players' view on the screen: what is seen of it, that it follows, and how it is left."""

from __future__ import annotations

import pytest
from textual.geometry import Size
from textual.widgets import Static

from affray.cli import main
from affray.core.formatting.players_view import players_view
from affray.store.open_encounter import OpenEncounter
from affray.tui import app
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen
from affray.tui.screens.reports import PlayersScreen
from affray.tui.theme import DARK, styles_of
from affray.tui.widgets.reports import players_lines

INKS = styles_of(DARK)


def lines(fight: OpenEncounter, width: int, height: int) -> list[str]:
    shown = players_view(fight.history, fight.ruleset)
    return [line.text for line in players_lines(shown, Size(width, height), INKS)]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12), (200, 60)])
def test_whoever_is_up_is_always_seen_and_no_line_is_too_long(
    ambush: OpenEncounter, size: tuple[int, int]
) -> None:
    for _ in range(9):
        ambush.do("next")
        told = lines(ambush, *size)
        shown = players_view(ambush.history, ambush.ruleset)
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

        await pilot.press("ctrl+p", "question_mark", "colon", "slash", "w")
        assert pilot.app.screen is screen, "players have nothing to press"
        up = players_view(ambush.history, ambush.ruleset).up[0]
        assert f"▶ {up.upper()}" in told()
        ambush.do("next")  # somebody hidden is up
        ambush.do("next")
        now = players_view(ambush.history, ambush.ruleset).up[0]
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


@pytest.mark.parametrize("players", [False, True])
def test_watch_opens_it_to_be_looked_at_by_the_gm_or_by_the_players(
    ambush: OpenEncounter, players: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []

    def run_app(
        encounter: OpenEncounter, theme: str, for_players: bool, served: object, campaign: object
    ) -> int:
        opened.extend((encounter.is_viewed, encounter.title, theme, for_players, served))
        return 0

    monkeypatch.setattr(app, "run_app", run_app)
    monkeypatch.setenv("TEXTUAL_DRIVER", "some:Driver")
    arguments = ["watch", str(ambush.path), "--theme", "affray-light", *["--players"] * players]
    assert main(arguments) == 0
    assert opened == [True, ambush.title, "affray-light", players, None]


def test_watch_needs_a_terminal_and_a_file(
    ambush: OpenEncounter, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TEXTUAL_DRIVER", raising=False)
    assert main(["watch", str(ambush.path), "--players"]) == 2
    assert "needs a terminal" in capsys.readouterr().err
    monkeypatch.setenv("TEXTUAL_DRIVER", "some:Driver")
    assert main(["watch", str(ambush.path) + ".none"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
