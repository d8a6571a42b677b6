"""Lines in and sentences out, in a terminal or through a pipe: start with `run`."""

from __future__ import annotations

import asyncio
import os
import select
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, BinaryIO

from affray.beside import BesideServer
from affray.core.dice import seeded_dice
from affray.core.formatting.spoken_lines import sentence
from affray.core.parser.errors import Refused
from affray.extras import install_command
from affray.play.reader import Reader
from affray.stdio import decode_line, drop_output, print_lines
from affray.store.filesystem import ON_WINDOWS
from affray.store.open_encounter import OpenEncounter

MOST_BYTES = 4_000
"""The longest line that is read; a longer one is refused as a whole."""
PROMPT = "> "
LOOK_EVERY = 0.3
"""Seconds between two looks for what others do, while a line is typed."""


class UnreadLine(Exception):  # noqa: N818
    """The error for a line that can't be read as text, with the reason in one line."""


def run(options: Namespace, served: Sequence[str] | None = None) -> int:
    """Play a fight line by line until `quit` or the end of the input; return the exit status.

    Args:
        options: The file, and the seed of the dice.
        served: The address of the players' page beside it, then further options of its server.
    """
    if sys.stdin is None:
        raise Refused("expected commands on standard input; it is closed")
    with OpenEncounter.open_or_view(options.file) as fight:
        fight.dice = seeded_dice(options.seed)
        beside = BesideServer(fight.path, served[0], served[1:]) if served is not None else None
        try:
            _play(Reader(fight, beside))
        except KeyboardInterrupt:
            print_lines("Stopped; everything answered is saved.")
            return 130
        finally:
            if beside is not None:
                beside.end()
    return 0


def _play(reader: Reader) -> None:
    """Answer lines until there are no more."""
    print_lines(*reader.begin())
    read_line, remark = _line_reader(reader)
    if remark:
        print_lines(remark)
    while not reader.is_over:
        try:
            line = read_line()
        except UnreadLine as error:
            print_lines(sentence(str(error)))
            continue
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            print_lines("", "Nothing was done; quit leaves.")
            continue
        except OSError:  # the terminal has gone, and what was drawn last may still be unwritten
            drop_output()
            break
        if line is None:
            break
        lines = [*reader.arrivals(), *reader.answer(line)]
        if lines:
            print_lines(*lines)


def _line_reader(reader: Reader) -> tuple[Callable[[], str | None], str]:
    """Return a function that reads a line (None at the end), and a remark if a library is
    missing."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return lambda: _read_plain(sys.stdin.buffer), ""
    if os.environ.get("TERM", "console" if ON_WINDOWS else "dumb") in ("", "dumb"):
        return lambda: _read_typed(reader), ""
    try:
        return _prompt_toolkit_reader(reader), ""
    except ModuleNotFoundError as missing:
        remark = f"Without {missing.name} there is no completion: {install_command('play')}"
        return lambda: _read_typed(reader), remark


def _read_typed(reader: Reader) -> str | None:
    """Read a line from a terminal, and tell what arrives before it is there."""
    print(PROMPT, end="", flush=True)
    while not ON_WINDOWS and not select.select([sys.stdin], [], [], LOOK_EVERY)[0]:
        if lines := reader.arrivals():
            print_lines("", *lines)
            print(PROMPT, end="", flush=True)
    return _read_plain(sys.stdin.buffer)


def _read_plain(stream: BinaryIO) -> str | None:
    """Read a line as bytes, so that one that isn't text spoils no other."""
    line = stream.readline(MOST_BYTES + 1)
    if not line:
        return None
    if len(line) > MOST_BYTES:
        while line and not line.endswith(b"\n"):
            line = stream.readline(MOST_BYTES)
        raise UnreadLine(f"a line has at most {MOST_BYTES} bytes; nothing was done")
    try:
        return decode_line(line, sys.stdin.encoding)
    except UnicodeDecodeError as error:
        encoding = error.encoding.upper()
        raise UnreadLine(f"that line is not {encoding} text; nothing was done") from None


def _prompt_toolkit_reader(reader: Reader) -> Callable[[], str | None]:
    """Return a function that reads a line, with completion by tab and the fight's commands as
    history."""
    os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")  # nothing is drawn that needs to know where
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import Application, get_app, run_in_terminal
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.layout import Layout
    from prompt_toolkit.renderer import Renderer
    from prompt_toolkit.shortcuts import CompleteStyle

    class DrawnOnce(Renderer):
        """Output that draws typed text once; enter goes to the next line without drawing again,
        since a screen reader would repeat it."""

        def render(self, app: Application[Any], layout: Layout, is_done: bool = False) -> None:
            if is_done:
                app.exit_style = ""  # or the line is drawn in another look
                app.current_buffer.cursor_position = len(app.current_buffer.text)
            super().render(app, layout)
            if is_done:
                self.output.write_raw("\r\n")
                self.reset()
                self.output.flush()

    def words() -> list[str]:
        return reader.complete(get_app().current_buffer.document.text_before_cursor)

    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(reader.fight.commands),
        completer=WordCompleter(words, WORD=True, ignore_case=True),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
    )
    session.app.renderer = DrawnOnce(session.app.renderer.style, session.app.output)

    async def tell_arrivals() -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if lines := reader.arrivals():
                await run_in_terminal(partial(print_lines, *lines))

    def begin_line() -> None:
        get_app().create_background_task(tell_arrivals())

    def read_line() -> str | None:
        try:
            return str(session.prompt(PROMPT, pre_run=begin_line))
        except EOFError:
            return None

    return read_line
