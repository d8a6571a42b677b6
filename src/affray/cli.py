"""The command line: opens the screen, or does a command without it.

Exit status 0; 2 with one clear line on standard error for what the user got wrong. The screen is
imported only when it is opened.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from affray import __version__, debug_log
from affray.core.formatting.safe_text import to_one_line
from affray.core.parser.errors import Refused, close_matches, did_you_mean, join_or
from affray.stdio import prepare_output
from affray.store import LogError
from affray.store.campaigns import files, find
from affray.store.campaigns.find import working_folder
from affray.store.filesystem import as_listed
from affray.store.open_encounter import OpenEncounter

if TYPE_CHECKING:
    from affray.beside import BesideServer

SHELLS = ("bash", "zsh", "fish")
WRONG = 2
PROG = "affray"
USAGE = "affray [--theme NAME] [FILE [--serve [HOST:PORT]]] | affray COMMAND ..."
ABOUT = (
    "A combat tracker for game masters. `affray` alone lists your encounters; `affray FILE` opens "
    "one, and `affray CAMPAIGN` opens the list at a campaign, by its name or folder."
)
EPILOG = "On the screen `?` lists the commands of a fight, each with its usage."
FILE = "the encounter's TOML file"
ESC_WAIT = "50"
"""Milliseconds in which the rest of another key's code must follow an `esc`, or it is the key. The
toolkit waits twice as long, which is felt."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run affray with these arguments (those of the process by default); returns the exit
    status."""
    prepare_output()
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except (Refused, LogError) as error:
        return _complain(str(error))
    except BrokenPipeError:  # the reader of our output has gone, and nothing is lost
        return 0
    except FileNotFoundError as error:
        try:
            working_folder()
        except Refused as refusal:
            return _complain(str(refusal))
        debug_log.unexpected(error)
        raise
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        debug_log.unexpected(error)
        raise
    finally:
        debug_log.stop()


def _complain(message: str) -> int:
    debug_log.log_line("refused: %s", message)
    print(f"affray: {to_one_line(message)}", file=sys.stderr)
    return WRONG


class _Parser(argparse.ArgumentParser):
    """Answers a mistake in one line, without the whole usage."""

    def error(self, message: str) -> Any:
        self.exit(WRONG, f"affray: {to_one_line(message)}; see {self.prog} --help\n")


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["help"]:
        arguments = _help_on(arguments[1:])
    if not arguments or arguments[0] not in COMMANDS:
        options = _main_parser().parse_intermixed_args(arguments)
        name = "print_completion" if options.print_completion else ""
    else:
        name = arguments[0]
        options = _command_parser(name).parse_intermixed_args(arguments[1:])
    if getattr(options, "debug", None) is not None:
        debug_log.start(options.debug, arguments, __version__)
    if not name:
        return _open_screen(
            options.arguments, options.theme, _served(options, *options.arguments[:1])
        )
    if name == "quick":
        return _begin_quick(options)
    if name == "watch" and options.serve is None:
        return _watch_screen(options)
    if name == "play":
        return _play_aloud(options)
    if name == "demo":
        return _play_demo()
    from affray import cli_commands

    status: int = getattr(cli_commands, f"{name}_" if iskeyword(name) else name)(options)
    return status


def _help_on(words: list[str]) -> list[str]:
    """The arguments that print what `affray help` or `affray help COMMAND` asks for."""
    if words and words[0] not in COMMANDS:
        near = did_you_mean(words[0], COMMANDS) or f"; there are {join_or(COMMANDS, 'and')}"
        raise Refused(f"{words[0]!r} is not a command of the command line{near}")
    return [*words[:1], "--help"]


def _begin_quick(options: argparse.Namespace) -> int:
    """Make a fight from nothing; open it, or print its file's name if there is no terminal."""
    from affray.cli_commands import create_quick_fight

    path = create_quick_fight(options)
    if _has_screen():
        return _open_screen([str(path)], "")
    print(path)
    return 0


def _play_demo() -> int:
    """Open a copy of the sample fight; print a round of it if there is no terminal."""
    from affray import demo  # here, since nothing else needs it

    fight = demo.copy_sample()
    os.environ["AFFRAY_CAMPAIGNS"] = str(
        fight.parents[2]
    )  # so that the list of fights has it alone
    if _has_screen():
        status = _open_screen([str(fight)], "")
    else:
        status = _run(["show", str(fight)])
        print("\nA round of it:\n", flush=True)
        status |= _run(["do", str(fight), "--seed", str(demo.SEED), *demo.demo_round()])
        print("\nIn a terminal `affray demo` opens it on the screen.")
    print(f"This was a copy of the sample campaign. It stays in {fight.parents[1]}")
    return status


def _has_screen() -> bool:
    """True if a screen can be opened.

    Textual draws on standard error, unless TEXTUAL_DRIVER names another way, such as a browser.
    """
    if os.environ.get("TEXTUAL_DRIVER"):
        return True
    return _is_terminal(sys.stdin) and _is_terminal(sys.stderr)


def _served(options: argparse.Namespace, file: str = "") -> tuple[str, ...] | None:
    """Return the address and the options of a server beside the screen; None for none.

    Raises Refused for an address that is none, and where the server's packages are missing.
    """
    if options.serve is None:
        return None
    if not file:
        raise Refused("say which fight to serve: `affray FILE --serve`")
    from importlib.util import find_spec

    from affray.extras import EXTRAS
    from affray.serve import library_missing, read_address

    read_address(options.serve)
    for name in EXTRAS["serve"]:
        if find_spec(name) is None:
            raise library_missing(name)
    files = (("--tls-cert", options.tls_cert), ("--tls-key", options.tls_key))
    return options.serve, *(f"{name}={file}" for name, file in files if file is not None)


def _open_screen(arguments: list[str], theme: str, served: tuple[str, ...] | None = None) -> int:
    if arguments and arguments[0] in COMMANDS:
        raise Refused(f"{arguments[0]} must come first: `affray {arguments[0]} ...`")
    if len(arguments) > 1:
        near = did_you_mean(arguments[0], COMMANDS)
        raise Refused(f"expected one FILE or a command, found {' '.join(arguments[:3])!r}{near}")
    campaign = _campaign_of(arguments[0]) if arguments else None
    if campaign is not None and served is not None:
        raise Refused(f"{campaign} is a campaign: say which of its fights to serve")
    if arguments and campaign is None:
        _require_file(arguments[0])
    _check_screen()
    if campaign is not None or not arguments:
        return _run_screen(None, theme, campaign=campaign)
    encounter = OpenEncounter.open_or_view(as_listed(arguments[0]))
    if served is None:
        return _run_screen(encounter, theme)
    from affray.beside import BesideServer

    beside = BesideServer(encounter.path, served[0], served[1:])
    try:
        return _run_screen(encounter, theme, served=beside)
    finally:
        beside.end()


def _campaign_of(name: str) -> Path | None:
    """The campaign of a folder or a name; None for a file.

    Raises Refused for any other folder, and for a name that several campaigns have.
    """
    path = Path(name)
    if not _exists(path):
        return find.named_campaign(name)
    if not path.is_dir():
        return None
    if files.is_campaign(path):
        return path
    inner = [each for each in files.listed(path) if files.is_campaign(each)]
    hint = f"open one of its campaigns, such as `affray {inner[0]}`" if inner else "open a file"
    raise Refused(f"{name} is a folder, not a campaign: {hint}; `affray` alone lists campaigns")


def _require_file(name: str) -> None:
    path = Path(name)
    if not _exists(path):
        fights = {file.stem: str(file) for file in path.parent.glob("*.toml")}
        close = [fights.get(each, each) for each in close_matches(path.stem, [*COMMANDS, *fights])]
        near = f"; did you mean {join_or(close)}?" if close else ""
        raise Refused(f"there is no file {name}: `affray new FILE` begins one{near}")


def _play_aloud(options: argparse.Namespace) -> int:
    _require_file(str(options.file))
    from affray.play import terminal  # here, since nothing else needs it

    return terminal.run(options, _served(options, str(options.file)))


def _watch_screen(options: argparse.Namespace) -> int:
    _check_screen()
    return _run_screen(OpenEncounter.view(options.file), options.theme, options.players)


def _check_screen() -> None:
    if not _has_screen():
        raise Refused("the screen needs a terminal; `affray show FILE` prints a fight without one")


def _run_screen(
    encounter: OpenEncounter | None,
    theme: str,
    for_players: bool = False,
    served: BesideServer | None = None,
    campaign: Path | None = None,
) -> int:
    os.environ.setdefault("ESCDELAY", ESC_WAIT)  # the toolkit reads it when it is loaded
    from affray.tui.app import run_app  # here, so that nothing else loads the screen

    return run_app(encounter, theme, for_players, served, campaign)


def _is_terminal(stream: TextIO | None) -> bool:
    """True if a stream is a terminal; a closed standard stream is None."""
    return stream is not None and stream.isatty()


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that is too long, say
        return False


def parser() -> argparse.ArgumentParser:
    """The whole command line in one parser: for the man page, and for completion in shells."""
    parser = _Parser(prog=PROG, usage=USAGE, description=ABOUT, epilog=EPILOG)
    _add(parser, _MAIN)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog=PROG)
    for name, (about, options) in _COMMANDS.items():
        _add(commands.add_parser(name, help=about), options)
    return parser


def _main_parser() -> _Parser:
    """The parser for opening the screen; the file may stand anywhere."""
    listed = "\n".join(f"  {name:<8}{about}" for name, (about, _) in _COMMANDS.items())
    parser = _Parser(
        prog=PROG,
        usage=USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=f"{ABOUT}\n\nWithout the screen:\n\n{listed}\n\n"
        "`affray help COMMAND` tells more about each.",
        epilog=EPILOG,
    )
    _add(parser, (_option("arguments", nargs="*", help=argparse.SUPPRESS), *_MAIN))
    return parser


def _command_parser(command: str) -> _Parser:
    about, options = _COMMANDS[command]
    parser = _Parser(prog=f"{PROG} {command}", description=f"{about[0].upper()}{about[1:]}.")
    _add(parser, options)
    return parser


# -------------------------------------------------------------------------------------------------
# The commands of the command line, and what each takes.


class _Option(NamedTuple):
    """An argument of the command line, as `add_argument` takes it."""

    names: tuple[str, ...]
    how: dict[str, Any]


def _option(*names: str, **how: Any) -> _Option:
    return _Option(names, how)


def _flag(name: str, about: str) -> _Option:
    return _option(name, action="store_true", help=about)


def _add(parser: argparse.ArgumentParser, options: Iterable[_Option]) -> None:
    for names, how in options:
        parser.add_argument(*names, **how)


_SERVE = (
    _option(
        "--serve",
        nargs="?",
        const="",
        metavar="HOST:PORT",
        help="the players' page for phones and a television, on this machine alone by default; "
        "0.0.0.0:8000 is for everybody on its network",
    ),
    _option("--tls-cert", type=Path, metavar="FILE", help="use TLS with this certificate (PEM)"),
    _option("--tls-key", type=Path, metavar="FILE", help="the key of the certificate"),
)
_DEBUG = _option(
    "--debug",
    type=Path,
    metavar="FILE",
    help="write a log of this session into FILE, for a bug report",
)
_MAIN = (
    *_SERVE,
    _option("--theme", metavar="NAME", default="", help="the screen's colours for this session"),
    _DEBUG,
    _option(
        "--print-completion",
        choices=SHELLS,
        metavar="SHELL",
        help=f"print the completion script for a shell: {join_or(SHELLS)}",
    ),
    _option("--version", action="version", version=f"{PROG} {__version__}"),
)
_ENCOUNTER = (_option("file", type=as_listed, metavar="FILE", help=FILE), _DEBUG)
_SEED = _option("--seed", type=int, help="makes the dice roll the same each time")

_COMMANDS: dict[str, tuple[str, tuple[_Option, ...]]] = {
    "demo": ("play a sample fight, on a copy", (_DEBUG,)),
    "do": (
        "give commands to a fight and save them",
        (
            *_ENCOUNTER,
            _option(
                "lines",
                nargs="*",
                metavar="COMMAND",
                help="the commands; without any, from standard input",
            ),
            _SEED,
            _flag("--dry-run", "show what would happen, save nothing"),
            _flag("--json", "print results and state as JSON"),
        ),
    ),
    "play": (
        "play a fight line by line, with a screen reader, on any terminal",
        (*_ENCOUNTER, *_SERVE, _SEED),
    ),
    "amend": (
        "change a past entry and replay what followed",
        (
            *_ENCOUNTER,
            _option(
                "words",
                nargs="+",
                metavar="N COMMAND",
                help="the entry and its new command; `out` removes it",
            ),
            _option("--seed", type=int, help="makes new dice roll the same each time"),
            _flag("--dry-run", "show what would be different, save nothing"),
        ),
    ),
    "show": (
        "print the fight as it is now",
        (
            *_ENCOUNTER,
            _flag("--json", "print one JSON object"),
            _option("--at", type=int, metavar="N", help="the fight after entry N"),
        ),
    ),
    "log": (
        "print what happened",
        (*_ENCOUNTER, _flag("--all", "with undone entries and branches")),
    ),
    "recap": (
        "tell the story of a fight, with who did what",
        (
            *_ENCOUNTER,
            _flag("--html", "an HTML page instead of Markdown"),
            _flag("--players", "for players: nothing hidden, no foe's numbers, no notes"),
        ),
    ),
    "watch": (
        "follow a fight played elsewhere, as the GM or the players see it",
        (
            *_ENCOUNTER,
            _flag("--players", "only what the players may see"),
            *_SERVE,
            _option("--theme", metavar="NAME", default="", help="the screen's colours"),
        ),
    ),
    "check": (
        "check a file or a campaign, and say what is wrong",
        (
            _option(
                "file",
                type=as_listed,
                metavar="FILE|CAMPAIGN",
                help=f"{FILE}, or a campaign's name or folder",
            ),
            _DEBUG,
            _option(
                "--repair",
                nargs="?",
                const="",
                type=lambda name: Path(name) if name else "",
                metavar="NEWFILE",
                help="write everything intact to a new file (FILE.repaired.toml by default)",
            ),
        ),
    ),
    "new": (
        "begin a new encounter, a new campaign, or a rule system of your own",
        (
            _option(
                "file",
                type=as_listed,
                metavar="FILE|campaign|ruleset",
                help=f"{FILE}, or the word campaign or ruleset",
            ),
            _option(
                "name",
                nargs="?",
                metavar="NAME",
                help="the name of the new campaign, or rule system",
            ),
            _DEBUG,
            _option("--ruleset", metavar="ID", help="the rule system (its campaign's by default)"),
            _option("--title", help="the encounter's title (from the file's name by default)"),
        ),
    ),
    "quick": (
        "begin a fight without a campaign, and open it",
        (
            _option(
                "who",
                nargs="+",
                metavar="WHO",
                help='who fights: "4 pcs", party, "ghoul x3", "ogre x2 hp 30 ac 13", or as in '
                "`add`",
            ),
            _option(
                "--ruleset",
                metavar="ID",
                help="the rule system (by default that of the campaign here)",
            ),
            _option("--title", default="Quick fight", help="the encounter's title"),
            _SEED,
            _DEBUG,
        ),
    ),
    "import": (
        "import creatures, characters and encounters from other programs",
        (
            _option(
                "paths",
                nargs="+",
                type=Path,
                metavar="FILE|FOLDER",
                help="other programs' files, or folders of them",
            ),
            _option(
                "--into",
                metavar="CAMPAIGN",
                default="",
                help="a campaign's name or folder (by default the one you are in)",
            ),
            _flag(
                "--replace",
                "replace creatures and fights of the same name, which are kept otherwise",
            ),
            _flag("--json", "print the report as one JSON object"),
            _DEBUG,
        ),
    ),
    "export": (
        "put a campaign or an encounter into one file; import brings it back",
        (
            _option(
                "what",
                metavar="FILE|CAMPAIGN",
                help="an encounter's file, or a campaign's name or folder",
            ),
            _option(
                "--to", type=Path, metavar="FILE", help="the new file (NAME.export.toml by default)"
            ),
            _DEBUG,
        ),
    ),
    "odds": (
        "estimate how a fight is likely to end, by playing it many times",
        (
            *_ENCOUNTER,
            _option(
                "--fights",
                type=int,
                metavar="N",
                help="the number of fights to play (by default until all figures are within 3%%, "
                "1000 at most)",
            ),
            _option("--seed", type=int, default=0, help="play with other dice"),
        ),
    ),
    "roll": (
        "roll dice",
        (
            _option(
                "expression",
                nargs="+",
                metavar="EXPR",
                help="dice, such as 2d6+1 or 4d6kh3, or a chance such as 30%%",
            ),
            _SEED,
        ),
    ),
}
COMMANDS = tuple(_COMMANDS)
