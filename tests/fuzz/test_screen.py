"""No name, note or title breaks the screen or the terminal: text is shown as text."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.fuzz.fights import CAMPAIGNS
from tests.fuzz.on_screen import press_anything
from tests.fuzz.painted import check_screen
from tests.fuzz.target import MOVING
from textual import events
from textual.pilot import Pilot

from affray.core.dice import SeededDice
from affray.core.engine.events import StatChanged
from affray.core.engine.history import Entry
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.screens.fight import FightScreen

MARKUP = ("[red]x[/red]", "[link=https://x.invalid]y[/link]", "[@click=app.quit]z[/]")
NAMES = (
    *MARKUP,
    *("\x1b[31mred", "\x1b]0;PWNED\x07", "\x9b2J", "a\rb\nc\td", "\x1bc", "[/]", "[b"),
    *("\u202eabc", "שלום עולם", "مرحبا", "e" + "\u0301" * 30, "\u0301x", "👨‍👩‍👧 🇩🇪 ❤️⌚︎1️⃣", "ﷺ𒐫"),
    *("long " * 60, "名" * 150, "x" * 400),
)
AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
SYSTEMS = {
    "monsters-and-magic": "drowned-vale",
    "orcus": "kiln-road",
    "level-up": "salt-stair",
    "adventure-school": "winter-term",
    "plain": "night-ferry",
    "5e": "ash-road",
}


def campaign(folder: Path, ruleset: str) -> Path:
    """A campaign where everything that can bear a name bears an odd one."""
    shutil.copytree(
        CAMPAIGNS / SYSTEMS[ruleset], folder, ignore=shutil.ignore_patterns("encounters")
    )
    (folder / "encounters").mkdir()
    about = 'name = "[red]x[/red] \\u001b]0;PWNED\\u0007\\u202e"\n'
    (folder / "campaign.toml").write_text(f'{about}ruleset = "{ruleset}"\n', "utf-8")
    with (folder / "rules.toml").open("a", encoding="utf-8") as rules:
        rules.write(
            '\n[effects.odd]\nname = "[red]odd[/red]\\u001b[31m"\nkind = "condition"\n'
            'text = "[link=https://x.invalid]y[/link] \\u202e\\u001b[2J"\n'
        )
    with (folder / "bestiary.toml").open("a", encoding="utf-8") as bestiary:
        bestiary.write('\n["[red]x"]\nname = "[link=https://x.invalid]y[/link]"\nhp = 3\nac = 1\n')
    return folder / "encounters" / "[red]x[∕red].toml"


def odd_fight(path: Path, ruleset: str) -> OpenEncounter:
    """A fight of people with odd names, with odd notes, clocks and effects on them."""
    title = "".join(NAMES[:6])
    fight = OpenEncounter.create(path, ruleset, title, SeededDice(7), lambda: AT)
    for number, name in enumerate(NAMES):
        kind = "pc" if number % 2 else "monster"
        fight.do(f"add {kind} Somebody hp 20 ac 10")
        who = fight.state.combatants[-1].id
        # As by hand in the file: the commands take no name of so many characters.
        events = (StatChanged(who, "name", name),)
        fight._save(fight._writable(), Entry(0, "by hand", events=events), None)
        fight.do(f'note on {who} "{name}"')
    for name in NAMES[:8]:
        fight.do(f'clock "{name}" 4')
    first, second = (c.id for c in fight.state.combatants[:2])
    fight.do("init roll all")
    fight.do("start")
    fight.do(f"inflict {first} odd from {second}")
    fight.do(f"damage {first},{second} 7")
    return fight


@asynccontextmanager
async def shown(fight: OpenEncounter | None, size: tuple[int, int]) -> AsyncIterator[Pilot[Any]]:
    async with AffrayApp(fight).run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot
    if fight is not None:
        fight.close()


@pytest.mark.parametrize(
    ("ruleset", "size"),
    [
        ("monsters-and-magic", (120, 40)),
        ("orcus", (80, 24)),
        ("level-up", (120, 40)),
        ("adventure-school", (80, 24)),
    ],
)
async def test_every_screen_and_prompt_shows_odd_names_as_text(
    ruleset: str, size: tuple[int, int], tmp_path: Path
) -> None:
    fight = odd_fight(campaign(tmp_path / "c", ruleset), ruleset)
    seen = []
    async with shown(fight, size) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, FightScreen)
        for key in screen.keymap.keys:
            if key.prompt is not None and key.keys:  # at once, without a pause for each
                for pressed in (key.keys[0], "2", "enter", "escape", "escape"):
                    screen.dispatch(pressed)
                    seen.append(check_screen(screen))
        for key_id in ("help", "rules", "why", "palette", "maximise", "pane.next", "look.back"):
            await pilot.press(screen.keymap.by_id[key_id].keys[0])
            seen.append(check_screen(pilot.app.screen))
            await pilot.press("escape")
        seen.append(check_screen(screen))
    everything = "\n".join(seen)
    for text in ("[red]x[/red]", "[@click=app.quit]z", "[link=https://x.invalid]"):
        assert text in everything, text


async def test_the_rules_show_a_campaigns_own_texts_as_text(tmp_path: Path) -> None:
    fight = odd_fight(campaign(tmp_path / "c", "orcus"), "orcus")
    async with shown(fight, (100, 30)) as pilot:
        await pilot.press("/", *"odd", "down")
        text = check_screen(pilot.app.screen)
        assert "[red]odd[/red]" in text
        assert "[link=https://x.invalid]y[/link]" in text


async def test_the_palette_finds_and_shows_odd_names_as_text(tmp_path: Path) -> None:
    path = campaign(tmp_path / "c", "orcus")
    with (path.parents[1] / "rules.toml").open("a", encoding="utf-8") as rules:
        rules.write(
            '\n[techniques."odd"]\nname = "[red]odd[/red]\\u001b[31m"\nkey = "ctrl+y"\n'
            'cost = { standard = 1 }\ntext = "[link=https://x.invalid]why[/link] [/] \\u202e"\n'
        )
    async with shown(odd_fight(path, "orcus"), (100, 30)) as pilot:
        await pilot.press("ctrl+p", *"odd")
        text = ""
        while "[red]odd[/red]" not in text:  # it comes in its own time
            await pilot.pause(0.02)
            text = check_screen(pilot.app.screen)
        assert "[link=https://x.invalid]why[/link]" in text


async def test_what_is_typed_and_said_is_shown_as_text(tmp_path: Path) -> None:
    fight = odd_fight(campaign(tmp_path / "c", "orcus"), "orcus")
    async with shown(fight, (100, 30)) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, FightScreen)
        for name in NAMES:
            screen.dispatch(":")
            screen.prompts.paste(f'note on "{name}" "{name}"')
            check_screen(screen)
            for key in (*name[:3], "left", "tab", "enter", "escape"):
                screen.dispatch(key)
                check_screen(screen)
            screen.show_message(name, "refused")
            await pilot.pause()
            assert name not in MARKUP or name in check_screen(screen)
            check_screen(screen)


async def test_the_list_of_fights_shows_odd_titles_as_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    path = campaign(tmp_path / "[red]c\x1b[31m", "orcus")
    odd_fight(path, "orcus").close()
    (path.parent / "\x1b]0;PWNED\x07.toml").write_text(
        'format = 1\ntitle = "[/]"\nruleset = "[b"\n', "utf-8"
    )
    (path.parent / "[red]broken.toml").write_text("[link=https://x.invalid]\x1b[31m", "utf-8")
    async with shown(None, (100, 30)) as pilot:
        text = check_screen(pilot.app.screen)
        assert "[red]x[/red]" in text
        for key in ("down", "down", "n", *"[b", "enter", "escape", "up", "enter", "escape"):
            await pilot.press(key)
            check_screen(pilot.app.screen)


async def test_keys_that_come_faster_than_a_screen_goes_close_it_once(tmp_path: Path) -> None:
    fight = odd_fight(campaign(tmp_path / "c", "orcus"), "orcus")
    async with shown(fight, (100, 30)) as pilot:
        screen = pilot.app.screen
        assert isinstance(screen, FightScreen)
        for key_id in ("why", "rules"):
            await pilot.press(screen.keymap.by_id[key_id].keys[0])
            for _ in range(4):
                pilot.app.screen.post_message(events.Key("escape", None))
            await pilot.pause()
            assert pilot.app.screen is screen


def test_any_keys_on_the_real_screen_leave_it_whole_and_the_fight_saved(tmp_path: Path) -> None:
    assert press_anything(tmp_path, Random(5), 12) > 0


# What Textual's driver writes itself: modes, moves of the cursor, colours, the pointer's shape.
DRIVERS_OWN = re.compile(
    rb"\x1b\[[0-9;:]*[mHJKABCDt]|\x1b\[[?<>=][0-9;$]*[a-zA-Z]|\x1b\[[?][0-9;]*\$p|\x1b[78=>]"
    rb"|\x1b\[[0-9]* q|\x1b\]22;[a-z]+\x07"
)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_gets_no_codes_but_the_drivers_own(tmp_path: Path) -> None:
    path = campaign(tmp_path / "c", "orcus")
    odd_fight(path, "orcus").close()
    painted = play_in_a_terminal(
        path, b"jj?\x1b", b":\xff\xfe\x1b[1114112u\xc3", b"\x1b", b"u", b"?"
    )
    left = DRIVERS_OWN.sub(b"", painted)
    text = left.decode("utf-8")
    assert "[red]x[/red]" in text
    assert not [ch for ch in text if unicodedata.category(ch) in MOVING and ch not in "\r\n"]
    assert b"Traceback" not in painted


LEAVE = b"\x11"


def play_in_a_terminal(path: Path, *typed: bytes) -> bytes:
    """What the program paints while that is typed, until it has ended with status 0."""
    import pty
    import select
    import subprocess

    ours, theirs = pty.openpty()
    env = {
        **os.environ,
        "TERM": "xterm-256color",
        "LINES": "24",
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
    }
    command = [sys.executable, "-m", "affray", str(path)]
    program = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    painted = bytearray()
    rows = list(typed)
    end = time.monotonic() + 60
    try:
        while program.poll() is None and time.monotonic() < end:
            ready, _, _ = select.select([ours], [], [], 0.3)
            if ready:
                try:
                    painted += os.read(ours, 65536)
                except OSError:  # the other side is closed
                    break
            elif painted:  # it waits for a key; when all is typed, for the one that leaves
                os.write(ours, rows.pop(0) if rows else LEAVE)
        assert program.wait(30) == 0, bytes(painted[-2000:])
    finally:
        program.kill()
        os.close(ours)
    return bytes(painted)
