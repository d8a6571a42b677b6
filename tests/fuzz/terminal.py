"""Any text that a terminal may send: codes of keys and mice, halves of them, and pastes of all."""

from __future__ import annotations

import unicodedata
from random import Random

from tests.fuzz import oddities
from tests.fuzz.target import FIGHT, MOVING, REFUSED, Target
from textual._xterm_parser import XTermParser
from textual.events import Key, Paste

from affray.tui.terminal import UNREADABLE, InputFilter, clean_paste

CODES = (
    *("\x1b", "\x1b[", "\x1b[A", "\x1bOP", "\x1b[200~", "\x1b[201~", "\x1b[200~", "\x1b[201~"),
    *("\x1b[<0;5;5M", "\x1b[<0;5;5m", "\x1b[<99999;1;1M", "\x1b[<;;M", "\x1b[<35;-1;0M", "\x1b[I"),
    *("\x1b[O", "\x1b[?1;2c", "\x1b[?2026;1$y", "\x1b[97;5u", "\x1b[1114112u", "\x1b[57399;1:3u"),
    *(
        "\x1b[48;10;10;0;0t",
        "\x1b[9;9R",
        "\x1b]0;x\x07",
        "\x1bP1$r0m\x1b\\",
        "\x1b[1;5D",
        "\x1b[20",
    ),
    *("\x1b[999999999999u", "\x1b[97;999u", "\x1b[3~", "\x1b\x1b", "\x1b[48;;;;t", "\x1b[?u"),
    *("a", "s", "1", "\r", "\t", "\x7f", "\x03", "\x00", " ", "é", "🐉"),
)
CUT = b"\x00\x00"
"""Where what is sent is cut into parts."""


def make(rng: Random) -> bytes:
    """Codes and words in any order, in any number of parts."""
    parts = [
        rng.choice(CODES) if rng.random() < 0.8 else oddities.text(rng)
        for _ in range(rng.randrange(1, 9))
    ]
    text = "".join(part + (CUT.decode() if rng.random() < 0.3 else "") for part in parts)
    return text.encode("utf-8", "surrogateescape")


def run(data: bytes, thorough: bool = True) -> str:
    """Have the parts read as the screen reads them."""
    parser, passing = XTermParser(False), InputFilter()
    pasted = []
    keys = 0
    parts = data.split(CUT)
    for part in parts:
        passed = passing.feed(part).decode()
        try:
            for event in (*parser.feed(passed), *parser.tick()) if passed else ():
                if isinstance(event, Paste):
                    pasted.append(event.text)
                keys += isinstance(event, Key)
        except UNREADABLE:
            assert len(parts) > 1, "a code that came whole is passed over"
            parser = XTermParser(False)  # as the driver begins anew
    for text in pasted:
        moving = [ch for ch in text if unicodedata.category(ch) in MOVING and ch not in "\t\r\n"]
        assert not moving, text
        assert clean_paste(text) == "" or clean_paste(text).isprintable()
    return FIGHT if keys or pasted else REFUSED


TARGET = Target("terminal", make, run)
