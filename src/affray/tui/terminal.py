"""The terminal: what it sends, cleaned before Textual reads it; signals; and keys one by one.

Textual is asked by public names alone.
"""

from __future__ import annotations

import asyncio
import os
import re
import select
import signal
import sys
import time
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Event as Flag, Thread
from typing import Any

from rich import console
from textual import constants
from textual.app import App
from textual.dom import DOMNode
from textual.driver import Driver
from textual.events import Event, InputEvent, MouseMove, Paste
from textual.message import Message
from textual.screen import Screen

from affray.core.formatting.safe_text import strip_control_chars
from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import Refused, did_you_mean, join_or

# -------------------------------------------------------------------------------------------------
# What is pasted is text, whatever is in it, and never keys.
#
# Textual (8.2) knows the beginning and the end of a paste, but takes an escape sequence in
# between for keys: they come before the text of the paste, and there is nothing to tell them by.
# So control characters between the two marks are removed before Textual sees them.

START, END = "\x1b[200~", "\x1b[201~"
_KEPT = ("\t", "\r", "\n")
_LINE_END = late_pattern(r"([\t\r\n])")
_BLANKS = late_pattern(r"[\t\r\n\x0b\x0c\x85\u2028\u2029]+")


def clean_paste(text: str) -> str:
    """Pasted text as one line without control characters."""
    line = _BLANKS.sub(" ", text.strip())
    return "".join(character for character in line if character.isprintable())


def _shown(text: str) -> str:
    """The text without what can't be seen, its tabs and line ends kept."""
    return "".join(
        part if part in _KEPT else strip_control_chars(part) for part in _LINE_END.split(text)
    )


class PasteFilter:
    """Rids pastes in what a terminal sends of what can't be seen, however it is cut into parts."""

    def __init__(self) -> None:
        self._pasting = False
        self._held = ""  # what may be the beginning of a mark

    def feed(self, data: str) -> str:
        """Clean the next part of the input."""
        data, self._held = self._held + data, ""
        result = []
        while data:
            mark = END if self._pasting else START
            before, found, rest = data.partition(mark)
            if self._pasting and found:
                before, rest = self._to_last_end(before, rest)
            if not found:
                before = self._hold(before, mark) if self._pasting else before
            result.append(_shown(before) if self._pasting else before)
            if found:
                result.append(mark)
                self._pasting = not self._pasting
            data = rest
        return "".join(result)

    def _to_last_end(self, before: str, rest: str) -> tuple[str, str]:
        """A mark in the text itself ends nothing: the last one before another paste does."""
        inside, found, suffix = rest.partition(START)
        more, end, tail = inside.rpartition(END)
        return (f"{before} {more}", f"{tail}{found}{suffix}") if end else (before, rest)

    def _hold(self, text: str, mark: str) -> str:
        """Keep back what may be the beginning of the mark."""
        for cells in range(min(len(mark) - 1, len(text)), 0, -1):
            if mark.startswith(text[-cells:]):
                self._held = text[-cells:]
                return text[:-cells]
        return text


# -------------------------------------------------------------------------------------------------
# What a terminal sends that is no key is passed over, and never ends the program.
#
# Textual (8.2) ends with a traceback when a byte is no UTF-8, when a code has a number in it that
# is no character, and when a mouse reports from a window without a size. So its own driver reads
# not the terminal, but a pipe, with what is left of that when all this is taken out.

_CODE = late_pattern(r"\x1b\[([\d:;]*)([A-Za-z~])")
_SIZE = ("48", "t")  # what begins and ends a code for the size of the window
_MOST = sys.maxunicode


def drop_odd_codes(text: str) -> str:
    """The text without codes that Textual can't read, as far as they are whole."""
    return _CODE.sub(_readable, text) if "\x1b" in text else text


def _readable(code: re.Match[str]) -> str:
    fields = code[1].split(";")
    if (fields[0], code[2]) == _SIZE:
        return _size_code(fields[1:])
    numbers = [number for number in re.split("[:;]", code[1]) if number]
    has_parts = any(":" in field for field in fields[:2])
    return "" if has_parts or any(int(number[-20:]) > _MOST for number in numbers) else code[0]


def _size_code(fields: list[str]) -> str:
    """The size of the window in cells and in pixels, which are as many as cells if unknown."""
    numbers = [int(f"0{field.partition(':')[0]}"[-9:]) for field in fields]
    if len(numbers) != 4 or not (numbers[0] and numbers[1]):
        return ""
    height, width, *pixels = numbers
    high, wide = pixels if all(pixels) else (height, width)
    return f"\x1b[48;{height};{width};{high};{wide}t"


# -------------------------------------------------------------------------------------------------
# esc leaves, whatever comes right behind it.
#
# A terminal sends esc as the character with which the codes of other keys begin, and tmux keeps it
# for half a second, to send it with the key that follows. Textual (8.2) takes the two for one key
# with alt, and enter is still enter then. No key of ours has alt. So a code is kept until it is
# whole, and an esc that begins none goes on with a report behind it that says nothing: by that
# Textual knows at once that it is the key.

ESC = "\x1b"
ESCAPE = f"{ESC}\x1b[?0;0$y"
"""The key, and the state of a mode that no terminal has."""
_KEY_CODE = (
    r"\x1bO[1-8]?[A-Za-z]"
    r"|\x1b\[(?:M[^\x00-\x1f]{3}|\[[A-E]|(?:3|7|8|23|24)\$|(?![M\[])[0-?]*[ -/]*[@-~])"
)
_PIECES = re.compile(rf"(?P<code>{_KEY_CODE})|(?P<esc>\x1b)|[^\x1b]+")
_BEGUN = re.compile(
    r"\x1b(?:O[1-8]?|\[(?!(?:3|7|8|23|24)\$)(?:M[^\x00-\x1f]{0,2}|\[|[0-?]*[ -/]*))?\Z"
)
_LONGEST = 64  # what is longer, and not whole yet, is no code
_MAY_BE_KEYS = (ESC, f"{ESC}[", f"{ESC}O")
_ESC_CODE = re.compile(r"\x1b\[27(?:;[\d:;]*)?u")  # as terminals send it that tell it from codes
_ENTER_OR_SPACE = re.compile(r"\x1bOM|\x1b\[(?:13|32|57414)(?:;[\d:;]*)?u")
_OF_THE_MOUSE = re.compile(r"\x1b\[(?:M.*|[<\d;]+[Mm])", re.DOTALL)
_WITH_ALT = re.compile(r"\x1b\[(\d+);([3478])([A-HP-Su~])")
_ALT = 2  # what it adds to the number for ctrl and the others


def _part_alt(code: re.Match[str]) -> str:
    """Split alt with an arrow in tmux, which makes it of esc and an arrow within half a second."""
    number, others, kind = code[1], int(code[2]) - _ALT, code[3]
    if others > 1:
        return f"{ESC}{ESC}[{number};{others}{kind}"
    return f"{ESC}{ESC}[{number if number != '1' or kind in 'u~' else ''}{kind}"


class KeyFilter:
    """Makes text that Textual reads rightly of what a terminal sends, however that is cut."""

    def __init__(self) -> None:
        kind = os.environ.get("TERM", "")
        self._is_console = kind == "linux"
        self._is_tmux = "TMUX" in os.environ or kind.startswith(("tmux", "screen"))
        self._pastes = PasteFilter()
        self._begun = ""  # what may be the beginning of a code
        self._due = 0.0  # when it is none, but keys
        self._has_left = False  # whether esc came last

    def feed(self, text: str) -> str:
        """Clean the next part of the input."""
        text, self._begun = self._begun + text, ""
        if (begun := _BEGUN.search(text)) and len(begun[0]) <= _LONGEST:
            text, self._begun = text[: begun.start()], begun[0]
            self._due = time.monotonic() + constants.ESCAPE_DELAY
        return self._clean(text)

    @property
    def wait(self) -> float | None:
        """Seconds after which `late` has something to give; None if it has not."""
        if self._begun not in _MAY_BE_KEYS:
            return None
        return max(0.0, self._due - time.monotonic())

    def late(self) -> str:
        """Keys that might have begun a code, of which no more has come in time."""
        if self.wait != 0.0:
            return ""
        keys, self._begun = self._begun, ""
        return self._clean(keys)

    def _clean(self, text: str) -> str:
        text = drop_odd_codes(self._pastes.feed(text))
        if self._is_console:  # it has no other code for shift+tab
            text = text.replace(f"{ESC}\t", f"{ESC}[Z")
        if self._is_tmux:
            text = _WITH_ALT.sub(_part_alt, text)
        text = "".join(map(self._part, _PIECES.finditer(text)))
        self._has_left = self._has_left and bool(self._begun)  # else the packet is at its end
        return text

    def _part(self, piece: re.Match[str]) -> str:
        """Esc as a key by itself, and no enter and no space right after it."""
        part = piece[0]
        if piece["esc"] or _ESC_CODE.fullmatch(part):
            self._has_left = True
            return ESCAPE if piece["esc"] else part
        if not self._has_left:
            return part
        if not piece["code"]:
            part = part.lstrip(" \r")
        elif _ENTER_OR_SPACE.fullmatch(part):
            return ""
        self._has_left = not part or _OF_THE_MOUSE.fullmatch(part) is not None
        return part


class InputFilter:
    """Makes bytes that Textual can read of those that a terminal sends, however these are cut."""

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")  # a `�` for what is no UTF-8
        self.keys = KeyFilter()

    def feed(self, data: bytes) -> bytes:
        """Clean the next bytes of the input; none if no more came in time."""
        text = self.keys.feed(self._decoder.decode(data)) if data else self.keys.late()
        return text.encode()


UNREADABLE = (ValueError, OverflowError, ZeroDivisionError)
"""What Textual raises at a code that it can't read; one that was cut in two may still come."""
LOOK_FOR_END = 0.1
"""Seconds after which it is seen whether the terminal is to be read no more."""


def _pump(terminal: int, writes: int, ended: Flag) -> None:
    """Hand on what the terminal sends, until that has ended, or is to be read no more."""
    passing = InputFilter()
    with suppress(OSError):  # the terminal has gone, or nobody reads the pipe
        while not ended.is_set():
            wait = passing.keys.wait
            wait = LOOK_FOR_END if wait is None else min(wait, LOOK_FOR_END)
            ready, _, _ = select.select([terminal, writes], (), (), wait)
            data = b""
            if terminal in ready and not (data := os.read(terminal, 4096)):
                return
            os.write(writes, passing.feed(data))


if sys.platform != "win32":
    from textual.drivers.linux_driver import LinuxDriver

    class TerminalDriver(LinuxDriver):
        """Textual's driver for a terminal, which reads it through an `InputFilter`."""

        def run_input_thread(self) -> None:
            """Wait for input and dispatch events, until there is to be no more of it."""
            terminal, (self.fileno, writes) = self.fileno, os.pipe()
            ended = Flag()
            pump = Thread(target=_pump, args=(terminal, writes, ended), daemon=True)
            pump.start()
            try:
                while not self.exit_event.is_set():
                    with suppress(*UNREADABLE):
                        super().run_input_thread()
            finally:
                pipe, self.fileno = self.fileno, terminal
                ended.set()
                os.close(pipe)  # which tells the other thread, even where it waits for room in it
                pump.join()
                os.close(writes)


def filter_keys_of(driver: type[Driver]) -> None:
    """Let a driver of Textual's read through a `KeyFilter`: that of Windows, or one by name.

    They make their parser by its class, which is replaced in the module that has it. A driver that
    has it elsewhere reads as it always did.
    """
    for module in (sys.modules.get(driver.__module__), sys.modules.get("textual.drivers.win32")):
        parser = getattr(module, PARSER, None)
        if isinstance(parser, type) and not issubclass(parser, _Filtered):
            setattr(module, PARSER, type(PARSER, (_Filtered, parser), {}))


PARSER = "XTermParser"
"""What Textual's drivers call the class of their parser."""


class _Filtered:
    """A parser of Textual's that is given what a `KeyFilter` leaves."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.keys = KeyFilter()

    def feed(self, data: str) -> Iterable[Message]:
        """Read the next text; none is its end."""
        parser: Any = super()
        text = self.keys.feed(data)
        return parser.feed(text) if text or not data else ()

    def tick(self) -> Iterable[Message]:
        """See what is late; called often."""
        parser: Any = super()
        if late := self.keys.late():
            yield from parser.feed(late)
        yield from parser.tick()


# -------------------------------------------------------------------------------------------------
# Settings of the toolkit in the environment, checked before it starts with them.
#
# Textual (8.2) ends with a traceback when one of them can't be had.


def check_environment() -> None:
    """Raises Refused, in one line, for a setting that can't be had.

    TEXTUAL_DRIVER is checked where it is used: only there affray knows if it can be.
    """
    wanted, choices = constants.COLOR_SYSTEM, getattr(console, "COLOR_SYSTEMS", None)
    if wanted is not None and choices is not None and wanted not in ("auto", *choices):
        near, all_of_them = did_you_mean(wanted, choices), join_or(("auto", *choices))
        raise Refused(f"TEXTUAL_COLOR_SYSTEM must be {all_of_them}, not {wanted!r}{near}")
    if constants.LOG_FILE:
        try:
            Path(constants.LOG_FILE).open("a", encoding="utf-8").close()
        except (OSError, ValueError) as error:
            raise Refused(f"TEXTUAL_LOG must name a file that can be written: {error}") from None


def driver_refused(error: Exception) -> Refused:
    """The refusal for a TEXTUAL_DRIVER with which importing it ended so."""
    return Refused(
        "TEXTUAL_DRIVER must name a driver of Textual's as MODULE:CLASS, "
        f"not {constants.DRIVER!r} ({error})"
    )


# -------------------------------------------------------------------------------------------------
# What the system tells the program: to end, that its terminal is gone, to go on after a stop.
#
# Everything is saved already at any moment, so to end is to give the terminal back, and no more.

ENDED_BY_SIGNAL = 128
"""What shells add to a signal's number, to make an exit status of it."""

HUNG_UP = ENDED_BY_SIGNAL + 1
"""The exit status when the terminal is gone, as for SIGHUP, which is number 1."""

LOOK_EVERY = 1000
"""Milliseconds after which the terminal is looked at, though nothing was heard of it."""


def leave_when_told(app: App[None]) -> None:
    """End in order when the system asks for it or the terminal goes away."""

    def leave(number: int, _: object) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # nothing is on the screen yet, or any more
            raise SystemExit(ENDED_BY_SIGNAL + number) from None
        loop.call_soon_threadsafe(lambda: app.exit(return_code=ENDED_BY_SIGNAL + number))

    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):  # Windows has no SIGHUP, and nobody else a SIGBREAK (ctrl+break)
            signal.signal(getattr(signal, name), leave)
    if hasattr(select, "poll") and sys.stdin is not None and sys.stdin.isatty():
        Thread(target=_hang_up, daemon=True).start()


def _hang_up() -> None:
    """Send this process SIGHUP once the terminal is gone.

    The system sends it to whoever leads the terminal's session alone. To all others reading gives
    an end of the file from then on, which Textual (8.2) reads again and again.
    """
    while not is_terminal_gone(LOOK_EVERY):
        pass
    os.kill(os.getpid(), signal.SIGHUP)


def is_terminal_gone(wait: int = 0) -> bool:
    """True if standard input is a terminal that is there no more; waits so many milliseconds.

    A Mac calls some terminals no file that can be waited for, such as /dev/tty: those are asked
    whether they are still one.
    """
    if not hasattr(select, "poll") or sys.stdin is None:  # Windows has no poll
        return False
    watched = select.poll()
    # Linux tells of a hang-up unasked, a Mac only if that is asked for.
    watched.register(sys.stdin.fileno(), select.POLLHUP)
    answers = [what for _, what in watched.poll(wait)]
    if answers == [select.POLLNVAL]:
        time.sleep(wait / 1000)
        return not sys.stdin.isatty()
    return bool(answers)


TOGETHER = 0.05
"""Seconds within which a stop is taken for one that came before the word to go on: of signals that
came while it was busy Python tells the lower number first, which is that word."""


def go_on_after_stops(app: App[None]) -> None:
    """Take the terminal anew when affray goes on after a stop, and give it back before one.

    The shell has set the terminal as it likes it meanwhile. (What Textual 8.2 does at SIGCONT is to
    begin once more, on top of what it has begun already, unless SIGTSTP had come before.)
    """
    if sys.platform == "win32" or app.is_headless or not issubclass(app.driver_class, LinuxDriver):
        return
    loop = asyncio.get_running_loop()
    goes_on = False  # whether it was told to go on before it has stopped: nobody tells it again
    told_on = -TOGETHER

    def stop() -> None:
        if app.return_code is None:  # it is not about to end
            with app.suspend():
                if not goes_on:
                    os.kill(os.getpid(), signal.SIGSTOP)

    def go_on() -> None:
        if app.return_code is None:
            with app.suspend():
                pass

    def when_told(number: int, _: object) -> None:
        nonlocal goes_on, told_on
        if number == signal.SIGCONT:
            told_on = time.monotonic()
        elif time.monotonic() - told_on < TOGETHER:
            return
        goes_on = number == signal.SIGCONT
        loop.call_soon_threadsafe(go_on if goes_on else stop)

    signal.signal(signal.SIGTSTP, when_told)
    signal.signal(signal.SIGCONT, when_told)


# -------------------------------------------------------------------------------------------------
# Keys, pastes and the mouse one at a time: the next is looked at when the one before is through.
#
# A burst of keys (over a slow line, or typed while the program was busy) would else be handed to a
# screen that is not put together yet, or that the first of them has closed.

ROUNDS = 3
"""So often what a widget with the focus tells its screen is waited for: it may ask for more."""
SOON = 0.005
"""Seconds after which a screen that comes or goes is looked at again."""


class OneByOne:
    """Lets one event to the screen at a time, and keeps those that come meanwhile."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._waiting: deque[Event] = deque()
        self._next: Event | None = None  # it was kept, and is on its way to the app
        self._at: DOMNode | None = None  # who has the event that is not through yet
        self._before: tuple[Screen[Any], ...] = ()  # the screens that there were when it came

    @property
    def is_busy(self) -> bool:
        """True if an event is not through yet, or one waits."""
        return self._at is not None or self._next is not None or bool(self._waiting)

    def keeps(self, event: Event) -> bool:
        """Keep an event for later, unless it may go to the screen now."""
        if self._at is not None and not self._at.is_running:
            self._at = None  # it has gone, and nobody will report that the event is through
        if event is self._next:
            self._next = None
        elif self._at is not None or self._next is not None or self._waiting:
            if not isinstance(event, MouseMove):
                self._waiting.append(event)
            if self._at is None:
                self._let_on()
            return True
        self._before = tuple(self._app.screen_stack)
        return False

    def follow(self, event: Event) -> None:
        """The event has gone to the screen: find out when it is through."""
        by_key = isinstance(event, Paste) or not hasattr(event, "screen_x")
        target = self._app.focused if by_key else self._app.mouse_over
        rounds = ROUNDS if target is not None else 1
        self._climb(target or self._app.screen, target or self._app.screen, rounds)

    def _climb(self, first: DOMNode, at: DOMNode | None, rounds: int) -> None:
        """Follow the event from its widget up to the screen, after the work that waits in each."""
        if at is None or isinstance(at, App):
            at, rounds = first, rounds - 1
        if rounds and at.call_later(self._climb, first, at.parent, rounds):
            self._at = at
        else:
            self._at = self._app
            self._app.call_later(self._end)

    def _end(self) -> None:
        """Finish, after waiting for screens that the key opened or closed."""
        stack = self._app.screen_stack
        leaving = any(s.is_running and s not in stack for s in self._before)
        if leaving or not all(screen.is_mounted for screen in stack[-1:]):
            self._app.set_timer(SOON, self._end)
            return
        self._at = None
        self._let_on()

    def _let_on(self) -> None:
        """Send the first of those that were kept to the app again, which lets it through."""
        if self._waiting and self._next is None:
            self._next = self._waiting.popleft()
            self._app.post_message(self._next)


def is_input(event: object) -> bool:
    """True if an event comes from the keyboard or the mouse, and has not gone to a screen yet."""
    return isinstance(event, InputEvent | Paste) and not event.is_forwarded
