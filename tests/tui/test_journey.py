"""From an empty folder to the third round of a fight, by nothing but the keys of the README.

What a new user presses is counted, and docs/campaigns.md says how many it was.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.conftest import TYPED
from tests.tui.typing_keys import press_at_once

from affray.core.dice import SeededDice
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen

ROOT = Path(__file__).parents[2]
SETUP = (
    ("c", "The Weir", "↵"),
    ("p",),
    ("Brannoc", "↵", "hp 30 ac 4 power 2 pb 2 attack axe 1d10 slashing", "↵"),
    ("Mira", "↵", "hp 24 ac 2 cunning 3 pb 2 attack bow 1d8 piercing agile ranged", "↵"),
    ("Ash", "↵", "hp 20 ac 2 focus 3 pb 2 attack staff 1d6 bludgeoning precise", "↵"),
    ("Tobin", "↵", "hp 22 ac 3 power 1 luck 2 pb 2 attack mace 1d8 bludgeoning", "↵"),
    ("⎋", "b"),
    ("Ghoul", "↵", "cr 1 hp 2d6+4 ac 1 attack claws 1d6 slashing", "↵"),
    ("Hound", "↵", "cr 1 hp 9 speed 40 attack jaws 1d4 piercing", "↵"),
    ("⎋", "n", "At the Weir", "↵"),
)
BUILD = ("<ctrl+l>", "↵", "gho 4", "↵", "hou 2", "↵", "⎋")
START = ("i", "17", "↵", "12", "↵", "9", "↵", "14", "↵", "S")
FIVE_MINUTES = 5 * 60


@pytest.mark.filterwarnings("ignore::ResourceWarning")
async def test_from_an_empty_folder_to_the_third_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    app, keys = AffrayApp(None), 0

    async with app.run_test(size=(80, 24)) as pilot:

        async def type_(*typed: str) -> None:
            """Words at once, and what opens or closes something on its own."""
            nonlocal keys
            for each in typed:
                if each.startswith("<") or each in TYPED:
                    await pilot.press(TYPED.get(each, each.strip("<>")))
                    keys += 1
                else:
                    await press_at_once(pilot, [TYPED.get(c, c) for c in each])
                    keys += len(each)
                await pilot.pause()

        for typed in SETUP:
            await type_(*typed)
            print(
                "\n".join(
                    "".join(s.text for s in st).rstrip()
                    for st in app.screen._compositor.render_strips()
                )
            )
        screen = app.screen
        assert isinstance(screen, FightScreen)
        fight = screen.encounter
        fight.dice = SeededDice(4)
        before = keys
        await type_(*BUILD)
        built = keys - before
        sides = [c.side for c in fight.state.in_order()]
        assert (sides.count("party"), sides.count("foes")) == (4, 6)
        await type_(*START)
        while fight.state.round < 3:
            up, entries = fight.state.up, fight.history.last
            assert up is not None
            foes = "party" if up.side == "foes" else "foes"
            numbers = fight.state.by_number().items()
            target = next(n for n, c in numbers if c.side == foes and c.life == "up")
            await type_(f"s{target}" + ("s6" if up.side == "party" else ""), "↵")
            assert fight.history.last > entries
            await type_(" ")
            await type_(*[" "] * (fight.state.turn == up.id))
    said = (ROOT / "docs" / "campaigns.md").read_text("utf-8")
    assert f"{keys} keys" in said and f"with {built} keys" in said
    assert keys / FIVE_MINUTES < 2  # a second, which leaves time to think
