"""The command line: opens the screen, and does all that the screen does without it.

Exit status 0; 2 with one clear line on standard error for what the user got wrong. The screen is
imported only when it is opened.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from affray import __version__
from affray.core.plain import one_line
from affray.core.refusal import Refused, did_you_mean
from affray.store.encounter import OpenEncounter
from affray.store.recovery import LogError

COMMANDS = ("do", "show", "log", "check", "new", "roll")
WRONG = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run affray with these arguments (those of the process by default); gives the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without our arrows gets a ? for each
            stream.reconfigure(errors="replace")
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except (Refused, LogError) as error:
        return _complain(str(error))
    except BrokenPipeError:  # whoever read our output has gone, and nothing is lost
        return 0
    except KeyboardInterrupt:
        return 130


def _complain(message: str) -> int:
    print(f"affray: {one_line(message)}", file=sys.stderr)
    return WRONG


class _Parser(argparse.ArgumentParser):
    """Answers a mistake in one line, without the whole usage."""

    def error(self, message: str) -> Any:
        self.exit(WRONG, f"affray: {one_line(message)}; see {self.prog} --help\n")


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in COMMANDS:
        chosen = _main_parser().parse_intermixed_args(arguments)
        return _open_screen(chosen.arguments, chosen.theme)
    options = _parser_of(arguments[0]).parse_intermixed_args(arguments[1:])
    from affray import headless

    status: int = getattr(headless, arguments[0])(options)
    return status


def _open_screen(arguments: list[str], theme: str) -> int:
    if len(arguments) > 1:
        near = did_you_mean(arguments[0], COMMANDS)
        raise Refused(f"expected one FILE or a command, found {' '.join(arguments[:3])!r}{near}")
    if arguments and not _is_there(Path(arguments[0])):
        near = did_you_mean(arguments[0], COMMANDS)
        raise Refused(f"there is no file {arguments[0]}{near}; `affray new FILE` begins one")
    # Textual draws on standard error, unless another driver is named, such as a browser's.
    own_driver = bool(os.environ.get("TEXTUAL_DRIVER"))
    if not own_driver and not (_is_terminal(sys.stdin) and _is_terminal(sys.stderr)):
        raise Refused("the screen needs a terminal; `affray show FILE` prints a fight without one")
    encounter = OpenEncounter.open_or_view(Path(arguments[0])) if arguments else None
    # Textual waits this many milliseconds after esc for the rest of a code; its 100 can be felt.
    os.environ.setdefault("ESCDELAY", "25")
    from affray.tui.app import run_app  # here, so that nothing else loads the screen

    return run_app(encounter, theme)


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether it is there at all, which one that was closed is not, and is a terminal."""
    return stream is not None and stream.isatty()


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that is too long, say
        return False


def _main_parser() -> _Parser:
    listed = "\n".join(f"  {name:<8}{about}" for name, about, _ in _COMMANDS)
    parser = _Parser(
        prog="affray",
        usage="affray [--theme NAME] [FILE] | affray COMMAND ...",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="A combat tracker for game masters. `affray` alone lists your encounters;\n"
        f"`affray FILE` opens one. Without the screen:\n\n{listed}\n\n"
        "`affray COMMAND --help` tells more of each.",
        epilog="The commands of a fight are behind `?` on the screen, each with its usage.",
    )
    parser.add_argument("arguments", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument(
        "--theme", metavar="NAME", default="", help="the screen's colours, this time"
    )
    parser.add_argument("--version", action="version", version=f"affray {__version__}")
    return parser


def _parser_of(command: str) -> _Parser:
    about, add = next((about, add) for name, about, add in _COMMANDS if name == command)
    parser = _Parser(prog=f"affray {command}", description=f"{about[0].upper()}{about[1:]}.")
    add(parser)
    return parser


def _file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the encounter's TOML file")


def _do(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument(
        "lines", nargs="*", metavar="COMMAND", help="commands; standard input without any"
    )
    parser.add_argument("--seed", type=int, help="makes the dice fall the same way each time")
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would happen, save nothing"
    )
    parser.add_argument("--json", action="store_true", help="print results and state as JSON")


def _show(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--at", type=int, metavar="N", help="as it was after entry N")


def _log(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument("--all", action="store_true", help="with undone entries and branches")


def _check(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument(
        "--repair",
        nargs="?",
        const="",
        type=lambda name: Path(name) if name else "",
        metavar="NEWFILE",
        help="write what is whole to a new file (FILE.repaired.toml by default)",
    )


def _new(parser: argparse.ArgumentParser) -> None:
    _file(parser)
    parser.add_argument(
        "--ruleset", metavar="ID", help="the rule system (its campaign's by default)"
    )
    parser.add_argument("--title", help="the encounter's title (from the file's name by default)")


def _roll(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "expression", nargs="+", metavar="EXPR", help="dice, such as 2d6+1 or 4d6kh3"
    )
    parser.add_argument("--seed", type=int, help="makes the dice fall the same way each time")


_COMMANDS = (
    ("do", "give commands to a fight, and save each", _do),
    ("show", "print a fight as it stands", _show),
    ("log", "print what happened", _log),
    ("check", "say whether a file is whole, and what is whole in it", _check),
    ("new", "begin a new encounter", _new),
    ("roll", "roll dice", _roll),
)
