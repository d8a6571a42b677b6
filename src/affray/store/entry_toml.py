"""One `[[entry]]` block as TOML text, and the checksum that seals it.

The writer uses a small part of TOML: one key a line, inline tables, and single-line basic strings.
So no text that a player types can look like a block's last two lines (`sum` and `seq`). Any TOML
1.0 parser reads the result.
"""

import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from affray.core.late_pattern import late_pattern
from affray.data_text import Table, read_toml

# Deeper than any event, and well below the 100 to 400 levels at which parsers give up.
MAX_DEPTH = 64

_OPENING = b"[[entry]]"
_OPENING_CRC = zlib.crc32(_OPENING)
SEPARATOR = b"\n" + _OPENING
_SUM_KEY = b'\nsum = "'
_SUM_LINE = len(_SUM_KEY) + 9  # eight digits and the closing quote

_SEALED_END = late_pattern(rb'\nsum = "([0-9a-f]{8})"(\nseq = [0-9]{1,15})(?=\n|\Z)')

# The heading of an entry, in each way that TOML allows.
HEADING = late_pattern(rb"""^[ \t]*\[\[[ \t]*(?:entry|"entry"|'entry')[ \t]*\]\]""", re.MULTILINE)
_BARE_KEY = late_pattern(r"[A-Za-z0-9_-]+")
# TOML asks for the quote, the backslash, U+0000-1F and U+007F. The other line breaks of Unicode
# (U+0080-9F, U+2028, U+2029) are escaped too, because editors may save them as new lines.
_ESCAPED = late_pattern(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def format_entry(body: Table, seq: int) -> bytes:
    """Return the bytes to append for entry number `seq`: a blank line, then a sealed block.

    Keys keep their order. `events` takes one line for each event, and is left out when empty.
    An aware datetime is written in UTC, `at` in whole seconds.

    Raises ValueError for what a log can't hold: None, a lone surrogate, an integer over 64 bits,
    a naive `at`, a table deeper than MAX_DEPTH, a key that isn't text, or a key `sum` or `seq`.
    """
    lines = ["[[entry]]"]
    for key, value in body.items():
        if key in ("sum", "seq"):
            raise ValueError(f"an entry's `{key}` is written by the log itself")
        if key == "events" and isinstance(value, list | tuple):
            rows = [f"    {_value(event, 1)}," for event in value]
            lines += ["events = [", *rows, "]"] if rows else []
        else:
            lines.append(f"{_key(key)} = {_value(_whole_seconds(key, value), 0)}")
    unsealed = _encode("\n".join(lines))
    last_line = b"\nseq = %d" % seq
    crc = zlib.crc32(last_line, zlib.crc32(unsealed))
    return b'\n%b%b%08x"%b\n' % (unsealed, _SUM_KEY, crc, last_line)


def plain_lines(raw: bytes) -> bytes:
    """Return the bytes of a log without a byte order mark, and with the line ends of the writer:
    an editor or git on Windows changes both, and they mean nothing."""
    plain = raw.removeprefix(BOM_UTF8)
    return plain.replace(b"\r\n", b"\n") if b"\r" in plain else plain


def format_header(header: Table) -> bytes:
    """Return a log's first lines (`format`, `title`, `ruleset`, `created`), in the order given.

    Raises ValueError as `format_entry` does, and for a key named `entry`.
    """
    if "entry" in header:
        raise ValueError("a header has no `entry`")
    return _encode("".join(f"{_key(key)} = {_value(v, 0)}\n" for key, v in header.items()))


def sealed_header(header: Table) -> bytes:
    """Return a log's first lines, with their `sum` last. Raises as `format_header` does."""
    return format_header({**header, "sum": header_sum(header)})


def header_sum(header: Table) -> str:
    """Return the `sum` of a header: CRC-32 of its other keys as `format_header` writes them.

    Values and their order count; comments, blanks and line ends don't.
    """
    rest = {key: value for key, value in header.items() if key != "sum"}
    return f"{zlib.crc32(format_header(rest)):08x}"


def writable_header(header: Table) -> bytes:
    """Return a log's first lines, sealed, without hand-written values that affray can't write."""
    writable: Table = {}
    for key, value in header.items():
        try:
            format_header({key: value})
        except ValueError:
            continue
        writable[key] = value
    return sealed_header(writable)


def seal_of(block: bytes) -> str:
    """Return the `sum` of a block that `format_entry` made."""
    start = block.rindex(_SUM_KEY) + len(_SUM_KEY)
    return block[start : start + 8].decode()


def is_sealed(block: bytes) -> bool:
    """True if a block's `sum` is its checksum: nothing in it has changed since it was written.

    The checksum is CRC-32, in eight hex digits, of everything from `[[entry]]` through `seq`,
    without the `sum` line and trailing blank lines. `block` is the text after `[[entry]]`, with LF
    line ends. This runs for every entry that is read, so it works on bytes and copies little.
    """
    block = block.rstrip(b"\n")
    start = block.rfind(_SUM_KEY)
    end = start + _SUM_LINE
    if start < 0 or block[end - 1 : end + 1] != b'"\n':
        return False
    crc = zlib.crc32(block[end:], zlib.crc32(block[:start], _OPENING_CRC))
    return block[end - 9 : end - 1] == b"%08x" % crc


def sealed_beginning(part: bytes) -> int:
    """Return the length of the sealed entry that `part` begins with, or 0 if there is none.

    `part` is as for `is_sealed`. The checksum continues from one `sum` line to the next, so no byte
    is summed more than twice, however many such lines there are.
    """
    crc, at = _OPENING_CRC, 0
    for end in _SEALED_END.finditer(part):
        crc, at = zlib.crc32(part[at : end.start()], crc), end.start()
        if b"%08x" % zlib.crc32(end[2], crc) == end[1]:
            return end.end()
    return 0


def raw_blocks(plain: bytes, entries: Any) -> list[tuple[bytes, int]]:
    """Return for each parsed entry its raw text after `[[entry]]`, and its line, counted from 1.

    `plain` is the file with LF line ends. The list is empty if `entries` aren't `[[entry]]` tables.
    """
    if not isinstance(entries, list) or not all(type(entry) is dict for entry in entries):
        return []
    parts = plain.split(SEPARATOR)
    if len(parts) - 1 == len(entries):
        return _with_lines(parts, 1)
    starts = [match.start() for match in HEADING.finditer(plain)]
    parts = _merged([plain[a:b] for a, b in zip([0, *starts], [*starts, len(plain)], strict=True)])
    if len(parts) - 1 == len(entries):
        return [(HEADING.sub(b"", part, count=1), line) for part, line in _with_lines(parts, 0)]
    # No line shows where each begins: the entries count as edited, and have no place.
    return [(b"", 1)] * len(entries) if starts else []


def _with_lines(parts: Sequence[bytes], between: int) -> list[tuple[bytes, int]]:
    """Pair each part but the first with its line; each split removed `between` line ends."""
    line = 1 + parts[0].count(b"\n") + between
    pairs = []
    for part in parts[1:]:
        pairs.append((part, line))
        line += part.count(b"\n") + between
    return pairs


def _merged(parts: Sequence[bytes], most: int = 20) -> list[bytes]:
    """Join parts until each is valid TOML: a multi-line string can contain `[[entry]]`.

    Such strings are only written by hand. `most` bounds the work for parts that never fit.
    """
    merged: list[bytes] = []
    waiting: list[bytes] = []
    for part in parts:
        waiting.append(part)
        if len(waiting) >= most or _is_toml(b"".join(waiting)):
            merged.append(b"".join(waiting))
            waiting = []
    return merged + waiting


def _is_toml(part: bytes) -> bool:
    try:
        read_toml(part.decode())
    except ValueError:
        return False
    return True


def _whole_seconds(key: str, value: Any) -> Any:
    """Cut `at`, the moment of the command, to seconds; other keys are returned as they are."""
    if key != "at" or not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise ValueError("an entry's `at` must say its offset from UTC")
    return value.replace(microsecond=0)


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        culprit = ord(text[error.start])
        raise ValueError(
            f"the text holds a lone surrogate (U+{culprit:04X}), which no UTF-8 file can hold"
        ) from error


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise ValueError(f"a key in a log must be text, not {type(key).__name__}")
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _value(value: Any, depth: int) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise ValueError("a log's integers have at most 64 bits")
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, datetime):
        return _datetime(value)
    if depth >= MAX_DEPTH:
        raise ValueError(f"tables and lists can't be nested more than {MAX_DEPTH} deep in a log")
    if isinstance(value, dict):
        pairs = ", ".join(f"{_key(k)} = {_value(v, depth + 1)}" for k, v in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(item, depth + 1) for item in value)}]"
    raise ValueError(f"a log can't hold a value of type {type(value).__name__}")


def _string(text: str) -> str:
    if _ESCAPED.search(text):
        text = _ESCAPED.sub(_escape, text)
    return f'"{text}"'


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return _SHORT.get(char) or f"\\u{ord(char):04X}"


def _datetime(moment: datetime) -> str:
    """Write an aware datetime in UTC with a Z, a naive one as TOML's local date-time."""
    if moment.tzinfo is None:
        return moment.isoformat()
    try:
        return moment.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"
    except OverflowError as error:
        raise ValueError(f"{moment} lies outside the years 1 to 9999 in UTC") from error
