"""A campaign that wants out, played in a process that notes every file, program and address.

    python -m tests.fuzz.confined FOLDER

plays in FOLDER/campaigns, and prints what was touched as JSON: `[event, what, whether to write]`.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

from affray.cli import main
from affray.core.parser.errors import Refused
from affray.store import LogError
from affray.store.campaigns.find import find_campaigns
from affray.store.campaigns.manage import create_campaign, create_encounter
from affray.store.open_encounter import OpenEncounter
from affray.tui.app import AffrayApp
from affray.tui.keymap import keymap_for, own_keys
from affray.tui.screens.fight import FightScreen

OUTSIDE = "secret.toml"
LURES = (
    *(
        "../secret.toml",
        "../../secret.toml",
        "../../../secret.toml",
        "/etc/passwd",
        "~/.ssh/id_rsa",
    ),
    *(
        "$(touch pwned)",
        "`touch pwned`",
        "; touch pwned",
        "| touch pwned",
        "&& touch pwned",
        "> pwned",
    ),
    *(
        "https://x.invalid/a.toml",
        "file:///etc/passwd",
        "//x.invalid/share",
        "\\\\x.invalid\\share",
    ),
    *("__import__('os').system('touch pwned')", "${HOME}", "%HOME%", "!!python/object:os.system"),
    *("os:system", "affray.cli", "../../secret", "..", ".", "/", "CON", "\x00", "a\x00b"),
)
COMMANDS = (
    *("add pc {} hp 9", "add {}", "note {}", "rename mira {}", "clock {} 4", "setting {} on", "{}"),
    *("set mira {} 1", "cast {}", "why mira {}", "include {}", "undo {}", "strike {}", "power {}"),
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
WATCHED = ("subprocess.", "socket.", "os.", "shutil.", "urllib.", "http.", "ftplib.", "smtplib.")
MORE = ("pty.spawn", "webbrowser.open", "pickle.find_class", "ctypes.dlopen", "code.__new__")

_touched: set[tuple[str, str, bool]] = set()
_watching = False


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event == "open":
        path, mode, flags = arguments
        if isinstance(path, str | bytes):
            writes = bool((flags or 0) & WRITING) or any(c in (mode or "") for c in "wax+")
            _touched.add((event, os.path.realpath(os.fsdecode(path)), writes))
    elif event.startswith(WATCHED) or event in MORE:
        first = arguments[0] if arguments else ""
        named = isinstance(first, str | bytes) and event.startswith(("os.", "shutil."))
        what = os.path.realpath(os.fsdecode(first)) if named else repr(arguments)[:200]
        _touched.add((event, what, True))


@contextmanager
def _watched() -> Iterator[None]:
    global _watching
    _watching = True
    try:
        yield
    finally:
        _watching = False


def _lay_out(folder: Path) -> Path:
    """A campaign whose every file points outside; its encounter."""
    (folder / OUTSIDE).write_text("[mira]\nhp = 1\n", "utf-8")
    campaign = folder / "campaigns" / "vale"
    (campaign / "encounters").mkdir(parents=True)
    lures = [lure.encode("unicode_escape").decode() for lure in LURES]
    quoted = [json.dumps(lure).replace("\\\\\\\\", "\\\\") for lure in lures]
    names = {"campaign": "name", "rules": "include", "bestiary": "include", "party": "import"}
    for name, key in names.items():
        (campaign / f"{name}.toml").write_text(f"{key} = {quoted[0]}\n", "utf-8")
    return campaign / "encounters" / "fight.toml"


def _quietly(*arguments: str) -> None:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), suppress(SystemExit):
        main(arguments)


def _play(path: Path) -> None:
    tables = [path.parents[1] / name for name in ("rules.toml", "bestiary.toml", "party.toml")]
    lures = [file.read_text("utf-8") for file in tables]
    for file in tables:
        _quietly("new", str(path))  # which such tables don't let begin
        file.unlink()
    _quietly("new", str(path))
    for file, lure in zip(tables, lures, strict=True):
        file.write_text(lure, "utf-8")
        _quietly("do", str(path), "add party")
        file.unlink()
    _quietly("do", str(path), "add pc Mira hp 9 ac 1", "start")
    for number, lure in enumerate(LURES):
        lines = [form.format(f'"{lure}"') for form in COMMANDS[number % 4 :: 4]]
        with OpenEncounter.open(path) as fight:
            for line in lines:
                with suppress(Refused, LogError, ValueError):
                    fight.ask(line) or fight.do(line)
                fight.complete(line)
        for head in ("ruleset = {0}", 'include = {0}\nruleset = "orcus"\ntitle = {0}'):
            other = path.with_name("other.toml")
            other.write_text("format = 1\n" + head.format(json.dumps(lure)) + "\n", "utf-8")
            _quietly(("show", "log", "check")[number % 3], str(other))
        with suppress(Refused, LogError):
            create_campaign(lure)
        with suppress(Refused, LogError):
            create_encounter(path.parents[1], lure)
        (path.parents[1] / "campaign.toml").write_text(
            f"name = {json.dumps(lure)}\nruleset = {json.dumps(lure)}\n", "utf-8"
        )
        with suppress(Refused, LogError):
            create_encounter(path.parents[1], "a fight")
        find_campaigns()


async def _on_the_screen(path: Path) -> None:
    keys, _ = own_keys()
    with OpenEncounter.open(path) as fight:
        keymap_for(fight.ruleset, keys)
        async with AffrayApp(fight).run_test(size=(100, 30)) as pilot:
            screen = pilot.app.screen
            assert isinstance(screen, FightScreen)
            for lure in LURES[:6]:
                await pilot.press(":")
                screen.prompts.paste(f"note {lure}")
                await pilot.press("enter", "escape")


def run(folder: Path) -> list[tuple[str, str, bool]]:
    """Play the campaign, and give what was touched."""
    path = _lay_out(folder)
    config = folder / "campaigns" / "config"
    config.mkdir()
    (config / "keys.toml").write_text(
        'include = "../../secret.toml"\nnext = "$(touch pwned)"\n', "utf-8"
    )
    os.environ.update(AFFRAY_CAMPAIGNS=str(folder / "campaigns"), AFFRAY_CONFIG=str(config))
    os.chdir(folder / "campaigns")
    with _watched():
        _play(path)
        asyncio.run(_on_the_screen(path))
    return sorted(_touched)


if __name__ == "__main__":
    sys.addaudithook(_watch)
    print(json.dumps(run(Path(sys.argv[1]).resolve())))
