"""Makes what shells complete of affray's arguments, and its man page, from its one parser.

`make completions` writes both into src/affray/shell, from where the wheel takes them. A test says
when they are not what the parser says any more.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import shtab
from argparse_manpage.manpage import Manpage

from affray import __version__
from affray.cli import SHELLS, parser
from affray.rulesets import BUILT_IN
from affray.tui.app import AffrayApp

FOLDER = Path(__file__).parents[2] / "src" / "affray" / "shell"
LOGS = shtab.glob("*.toml", "*.TOML")
"""Two, since zsh would take a lone pattern in brackets for something else (shtab 1.13)."""

FIRST_FILE = {
    # The library has either commands or files stand first, and affray has both.
    "bash": "_shtab_affray_pos_0_COMPGEN={files}",
    "zsh": "functions -c _shtab_affray_commands _affray_commands_alone\n"
    "_shtab_affray_commands() {{ _affray_commands_alone; {files} }}",
    "fish": "complete -c affray -n '_shtab_affray_using; and test $_shtab_affray_npos -eq 0' "
    '-ka "{files}" -d "encounter"',
}


SECTIONS = {
    "EXIT STATUS": """0, or 2 with one line on standard error that says what was wrong.""",
    "ENVIRONMENT": r""".TP
.B AFFRAY_CAMPAIGNS
the folders in which campaigns are looked for, with the system's mark between them
.TP
.B AFFRAY_CONFIG
the folder of keys.toml and settings.toml
.TP
.B TEXTUAL_THEME
the screen's colours, where \-\-theme names none
.TP
.B NO_COLOR
no colours at all, if it is set""",
    "FILES": """.TP
.B keys.toml
keys of your own, in the configuration folder that ? on the screen names
.TP
.B settings.toml
the theme that was chosen last, beside it""",
}


def completed() -> argparse.ArgumentParser:
    """The parser with what its arguments can be, where that is more than its help tells."""
    made = parser()
    every = [made, *_commands(made).choices.values()]
    for action in [action for each in every for action in each._actions]:
        if action.dest == "file":
            _complete(action, LOGS)
        elif action.type is Path or action.dest == "repair":
            _complete(action, shtab.FILE)
        elif action.dest == "theme":
            action.choices = sorted(AffrayApp(None).available_themes)
        elif action.dest == "ruleset":
            action.choices = sorted(BUILT_IN)
    return made


def _commands(made: argparse.ArgumentParser) -> argparse._SubParsersAction[Any]:
    return next(a for a in made._actions if isinstance(a, argparse._SubParsersAction))


def _complete(action: argparse.Action, how: Any) -> None:
    action.complete = how


def script(shell: str) -> str:
    """What a shell reads to complete affray's arguments."""
    first = FIRST_FILE[shell].format(files=LOGS[shell])
    text = shtab.complete(completed(), shell, preamble="" if shell == "fish" else first)
    return f"{text}\n{first}\n" if shell == "fish" else f"{text.rstrip()}\n"


def man_page() -> str:
    """The man page. It has no date: it is as old as the version."""
    page = Manpage(parser(), format="single-commands-section")
    page.date, page.source = "", f"affray {__version__}"
    page.manual, page.description = "affray", "a combat tracker for game masters"
    for heading, text in SECTIONS.items():
        page.add_section(heading, ">", text)
    return str(page)


def made() -> dict[str, str]:
    """All of them, by the names of their files."""
    return {f"affray.{shell}": script(shell) for shell in SHELLS} | {"affray.1": man_page()}


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    for name, text in made().items():
        (FOLDER / name).write_text(text, "utf-8", newline="\n")
