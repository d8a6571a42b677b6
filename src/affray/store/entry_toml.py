"""One `[[entry]]` block as TOML text, and the checksum that seals it.

The writer emits a small part of TOML: one key a line, inline tables, and single-line basic
strings only, so that no text a player thinks of can hold a block's last lines (`sum` and
`seq`) on lines of their own. Any TOML 1.0 parser reads the result.
"""

import re
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import tomli

# Deeper than any event, and well below the 100 to 400 levels at which parsers give up.
MAX_DEPTH = 64

_OPENING = b"[[entry]]"
_OPENING_CRC = zlib.crc32(_OPENING)
SEPARATOR = b"\n" + _OPENING
_SUM_KEY = b'\nsum = "'
_SUM_LINE = len(_SUM_KEY) + 9  # eight digits and the closing quote

_SEALED_END = re.compile(rb'\nsum = "([0-9a-f]{8})"(\nseq = [0-9]{1,15})(?=\n|\Z)')

# Where an entry begins, also as a person may write it.
HEADING = re.compile(rb"""^[ \t]*\[\[[ \t]*(?:entry|"entry"|'entry')[ \t]*\]\]""", re.MULTILINE)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# TOML asks for the quote, the backslash, U+0000-1F and U+007F. The other line breaks of Unicode
# (U+0080-9F, U+2028, U+2029) go too, because editors may show or save them as new lines.
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def format_entry(body: dict[str, Any], seq: int) -> bytes:
    """The bytes that append entry number `seq`: a blank line, then one sealed `[[entry]]` block.

    Keys keep their order; `events` takes one line for each event, and is left out when empty.
    An aware datetime is written in UTC, `at` in whole seconds.
    Raises ValueError for what a log can't hold: None, a lone surrogate, an integer over 64 bits,
    a naive `at`, a table deeper than MAX_DEPTH, a key that isn't text, or `sum` and `seq`.
    """
    lines = ["[[entry]]"]
    for key, value in body.items():
        if key in ("sum", "seq"):
            raise ValueError(f"an entry's `{key}` is written by the log itself")
        if key == "events" and isinstance(value, list | tuple):
            lines += _event_lines(value)
        else:
            lines.append(f"{_key(key)} = {_value(_whole_seconds(key, value), 0)}")
    unsealed = _encode("\n".join(lines))
    last_line = b"\nseq = %d" % seq
    crc = zlib.crc32(last_line, zlib.crc32(unsealed))
    return b'\n%b%b%08x"%b\n' % (unsealed, _SUM_KEY, crc, last_line)


def format_header(header: dict[str, Any]) -> bytes:
    """The first lines of a log (`format`, `title`, `ruleset`, `created`), in the order given.

    Raises ValueError as `format_entry` does, and for a key named `entry`.
    """
    if "entry" in header:
        raise ValueError("a header has no `entry`")
    return _encode("".join(f"{_key(key)} = {_value(v, 0)}\n" for key, v in header.items()))


def sealed_header(header: dict[str, Any]) -> bytes:
    """The first lines of a log, with their `sum` as the last. Raises as `format_header` does."""
    return format_header({**header, "sum": header_sum(header)})


def header_sum(header: dict[str, Any]) -> str:
    """The `sum` of a header: CRC-32 of its other keys as `format_header` writes them.

    So comments, blanks and line ends don't count, and the values and their order do.
    """
    rest = {key: value for key, value in header.items() if key != "sum"}
    return f"{zlib.crc32(format_header(rest)):08x}"


def writable_header(header: dict[str, Any]) -> bytes:
    """The first lines of a log, sealed, without what a hand has put there that no log can hold."""
    writable: dict[str, Any] = {}
    for key, value in header.items():
        try:
            format_header({key: value})
        except ValueError:
            continue
        writable[key] = value
    return sealed_header(writable)


def seal_of(block: bytes) -> str:
    """The `sum` of a block that `format_entry` has made."""
    start = block.rindex(_SUM_KEY) + len(_SUM_KEY)
    return block[start : start + 8].decode()


def is_sealed(block: bytes) -> bool:
    """Whether a block's `sum` is its checksum, so that nothing in it changed since it was written.

    That is CRC-32, in eight digits, of all from `[[entry]]` through `seq`, but for the `sum` line
    itself and the blank lines behind. `block` is what follows `[[entry]]`, with LF line ends. This
    runs once for every entry that is read, so it works on bytes and copies next to nothing.
    """
    block = block.rstrip(b"\n")
    start = block.rfind(_SUM_KEY)
    end = start + _SUM_LINE
    if start < 0 or block[end - 1 : end + 1] != b'"\n':
        return False
    crc = zlib.crc32(block[end:], zlib.crc32(block[:start], _OPENING_CRC))
    return block[end - 9 : end - 1] == b"%08x" % crc


def sealed_beginning(part: bytes) -> int:
    """The end of the sealed entry with which `part` begins; 0 when it begins with none.

    `part` is as for `is_sealed`. The checksum goes on from one `sum` to the next, so that however
    many there are, each byte is summed but once or twice.
    """
    crc, at = _OPENING_CRC, 0
    for end in _SEALED_END.finditer(part):
        crc, at = zlib.crc32(part[at : end.start()], crc), end.start()
        if b"%08x" % zlib.crc32(end[2], crc) == end[1]:
            return end.end()
    return 0


def raw_blocks(plain: bytes, entries: Any) -> list[tuple[bytes, int]]:
    """For each parsed entry its raw text after `[[entry]]`, and its line, counted from 1.

    `plain` is the file with LF line ends. An empty list if `entries` aren't `[[entry]]` tables.
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
    # Written in a way that no line shows: read all the same, counted as edited, not located.
    return [(b"", 1)] * len(entries) if starts else []


def _with_lines(parts: Sequence[bytes], between: int) -> list[tuple[bytes, int]]:
    """Each part but the first with its line; `between` line ends were lost at each split."""
    line = 1 + parts[0].count(b"\n") + between
    pairs = []
    for part in parts[1:]:
        pairs.append((part, line))
        line += part.count(b"\n") + between
    return pairs


def _merged(parts: Sequence[bytes], most: int = 20) -> list[bytes]:
    """Parts put together until each is TOML: `[[entry]]` can stand inside a string over many lines.

    Only a hand writes such strings. `most` bounds the work when the parts make no sense.
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
        tomli.loads(part.decode())
    except (ValueError, OverflowError, RecursionError):
        return False
    return True


def _event_lines(events: list[Any] | tuple[Any, ...]) -> list[str]:
    if not events:
        return []
    return ["events = [", *(f"    {_value(event, 1)}," for event in events), "]"]


def _whole_seconds(key: str, value: Any) -> Any:
    """`at` is when the GM gave the command: an instant, and seconds say enough."""
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
        return _integer(value)
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


def _integer(number: int) -> str:
    if not -(2**63) <= number < 2**63:
        raise ValueError("a log's integers have at most 64 bits")
    return int.__repr__(number)


def _datetime(moment: datetime) -> str:
    """Aware in UTC with a Z; naive as TOML's local date-time."""
    if moment.tzinfo is None:
        return moment.isoformat()
    try:
        return moment.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"
    except OverflowError as error:
        raise ValueError(f"{moment} lies outside the years 1 to 9999 in UTC") from error
