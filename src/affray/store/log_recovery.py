"""Judge the bytes of a log: whole, torn at the end, or damaged; then its entries. No I/O.

A block's last line is `seq`, greater than the one before; above it stands `sum`, the block's
checksum. A write that was cut off lacks its `seq` line, or has a truncated number there, which is
smaller and so can't pass for the next one. It follows:

- Valid TOML with increasing `seq` is the log. A wrong or missing `sum`, a gap in the numbers, or an
  unknown key in the header is only noted: the file was edited by hand. But a sealed entry under
  another heading than `[[entry]]` is damage.
- Otherwise the longest valid prefix is the log, and the rest is a torn tail, if the rest can be an
  unfinished write: it has no whole entry and no greater `seq` line, unless it is one entry with
  zeros where sectors never reached the disk.
- Anything else is damage. It is reported with its line, and only repaired on request.
"""

import re
import zlib
from bisect import bisect_right
from codecs import BOM_UTF8
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.history import LAST_SEQ, START, Entry, History
from affray.core.late_pattern import late_pattern
from affray.data_text import DataError, Table, read_toml
from affray.store import LogError, NewerFormat, NotALog
from affray.store.entries import EntryBlock, convert_blocks, decode_entry, replay
from affray.store.entry_toml import SEPARATOR, header_sum, is_sealed, plain_lines, raw_blocks

FORMAT = 1
HEADER_KEYS = frozenset({"format", "title", "ruleset", "created", "sum", "older"})

# The inode, the size in bytes and the time of change in nanoseconds: while they are the same, the
# file is unchanged.
Stamp = tuple[int, int, int]

# The CR alone at the very end is half of a CRLF that was cut: the number before it is whole.
_TERMINATOR = late_pattern(
    rb"^[ \t]*seq[ \t]*=[ \t]*([0-9]{1,18})[ \t]*(?:#[^\r\n]*)?(?:\r?\n|(?=\r?\Z))", re.MULTILINE
)
# Where the first entry of a log without whole entries may have been cut off.
_FIRST_TAIL = late_pattern(rb"^[ \t]*(?:\[\[|\[\Z|\r\Z|\x00)", re.MULTILINE)
_ZEROS = late_pattern(rb"\x00+")
_SEAL = late_pattern("[0-9a-f]{8}")
_SEALED_END = late_pattern(rb'\nsum = "([0-9a-f]{8})"\nseq = ([0-9]{1,15})\Z')
_PART = 1 << 16
"""Bytes parsed at once: the tables of all entries together would take more memory than the rest."""
_SECTOR = 512  # bytes that a disk writes at once; larger sectors and pages are multiples of it


class ParsedLog(Struct, frozen=True):
    """A log as read.

    Attributes:
        notes: lines for the GM.
        torn: the bytes of an unfinished last entry, which were left out, or None.
        end: the size in bytes of the part that was read.
        ends_line: True if that part ends with a line end.
        lacks: those of the notes that report something missing: a gap, an unfinished end.
        crc: the checksum of the bytes that were read, for `read_more`; 0 if unknown.
    """

    header: Table
    blocks: list[EntryBlock]
    notes: tuple[str, ...]
    torn: bytes | None
    stamp: Stamp
    end: int
    ends_line: bool
    lacks: tuple[str, ...] = ()
    crc: int = 0

    @property
    def last_seq(self) -> int:
        """The number of the last entry, 0 if there is none."""
        return self.blocks[-1].seq if self.blocks else 0


class Damaged(LogError):  # noqa: N818
    """The log is damaged at `line`; `prefix` is the log before that."""

    def __init__(self, fault: str, line: int, prefix: ParsedLog) -> None:
        text = f"everything before it can be read, up to entry {prefix.last_seq}"
        super().__init__(f"{fault}; {text}")
        self.line = line
        self.prefix = prefix


class _Fault(Exception):  # noqa: N818
    """The reason why some bytes are not a whole log, and the line of the fault."""

    def __init__(self, reason: str, line: int) -> None:
        self.reason = " ".join(reason.split())
        self.line = line


def parse_log(raw: bytes, name: str, stamp: Stamp = (0, 0, 0)) -> ParsedLog:
    """Parse the bytes of a log; `name` is the file's name for messages.

    Raises NotALog, NewerFormat or Damaged, and nothing else, whatever the bytes are.
    """
    if not raw.removeprefix(BOM_UTF8).strip():
        raise NotALog(f"{name} is empty, so it is not an affray log")
    try:
        return _parse_whole(raw, name, stamp)
    except _Fault as error:
        fault, fault_line = (
            error.reason,
            error.line,
        )  # the exception would keep all this alive
    prefix = _longest_prefix(raw, fault_line, name, stamp)
    if prefix is None:
        raise NotALog(f"{name} is not an affray log: line {fault_line}: {fault}")
    tail = raw[prefix.end :]
    if _is_torn(tail, raw[: prefix.end], prefix.last_seq):
        where = f"after entry {prefix.last_seq}" if prefix.blocks else "after the header"
        note = f"an unfinished entry ({len(tail)} bytes) {where} was left out"
        notes, lacks = (*prefix.notes, note), (*prefix.lacks, note)
        return replace(prefix, notes=notes, lacks=lacks, torn=tail)
    line = _damaged_line(raw, prefix.end, fault_line)
    raise Damaged(f"{name} is damaged at line {line}: {fault}", line, prefix)


def judge_more(raw: bytes, before: ParsedLog, stamp: Stamp) -> ParsedLog | None:
    """Parse the bytes appended to a log since it was read, as a log of the new entries alone.

    Returns None if the entries don't follow directly, are not whole, or were edited by hand: then
    the whole file has to be parsed.
    """
    try:
        more = _parse_whole(b"format = %d\n%b" % (FORMAT, raw), "", stamp)
    except (_Fault, LogError):
        return None
    follows = bool(more.blocks) and more.blocks[0].seq == before.last_seq + 1
    gaps = len(more.blocks) != more.last_seq - before.last_seq
    if not follows or gaps or not more.ends_line or any(block.edited for block in more.blocks):
        return None
    end, crc = before.end + len(raw), zlib.crc32(raw, before.crc)
    return replace(before, blocks=more.blocks, stamp=stamp, end=end, crc=crc)


def _parse_whole(raw: bytes, name: str, stamp: Stamp) -> ParsedLog:
    """Parse all bytes as a log. Raises _Fault if it is not whole, NotALog or NewerFormat."""
    plain = plain_lines(raw)
    try:
        header, blocks = _parse_parts(plain, name, _PART)
    except _Fault:  # of the file, or it can't be read in parts
        if len(plain) < _PART:
            raise
        header, blocks = _parse_parts(plain, name, len(plain))
    gaps = tuple(_gap_notes(blocks))
    notes = (*gaps, *_header_edit_notes(header), *_edit_notes(blocks), *_unknown_key_notes(header))
    return ParsedLog(header, blocks, notes, None, stamp, len(raw), raw.endswith(b"\n"), gaps)


def _parse_parts(plain: bytes, name: str, size: int) -> tuple[Table, list[EntryBlock]]:
    """Parse a log in parts of about `size` bytes; returns its header and its entries.

    A part is valid TOML only if it ends outside of all values, so parts that are valid are the
    same alone as in the whole, if those behind the first hold nothing but `[[entry]]` tables.
    """
    header: Table = {}
    blocks: list[EntryBlock] = []
    line = 0
    for number, part in enumerate(_parts(plain, size)):
        tables = _parse(part)
        entries = tables.pop("entry", None)
        if number == 0:
            header = tables
            _check_format(header, name)
            strange = strange_heading(header, plain)
            if strange is not None:
                raise _Fault(*strange)
        pairs = [] if entries is None else raw_blocks(part, entries)
        if len(part) < len(plain) and (part.count(SEPARATOR) != len(pairs) or (number and tables)):
            raise _Fault("part of it holds more than entries", 0)
        if entries is not None and not pairs:
            raise NotALog(f"{name} is not an affray log: its entries are not [[entry]] tables")
        more = _blocks(pairs, entries or [], line, blocks[-1].seq if blocks else 0)
        convert_blocks(more)
        blocks += more
        line += part.count(b"\n")
    return header, blocks


def _parts(plain: bytes, size: int) -> Iterator[bytes]:
    """Cut a log before the heading of an entry wherever a part has reached `size`."""
    start = 0
    while (end := plain.find(SEPARATOR, start + size)) > 0:
        yield plain[start:end]
        start = end
    yield plain[start:]


def _parse(plain: bytes) -> Table:
    try:
        return read_toml(plain.decode())
    except UnicodeDecodeError as error:
        raise _Fault("this is not UTF-8 text", plain.count(b"\n", 0, error.start) + 1) from None
    except DataError as error:
        if error.line:
            raise _Fault(f"this is not TOML ({error.reason})", error.line) from None
        # A number of thousands of digits, or brackets hundreds deep; the parser gives no line.
        raise _Fault(f"this can't be read as TOML ({error})", plain.count(b"\n") + 1) from None


def _check_format(header: Table, name: str) -> None:
    version = header.get("format")
    if type(version) is not int or version < 1:
        missing = "it has no `format`" if version is None else "its `format` is not a format number"
        raise NotALog(f"{name} is TOML, but not an affray log: {missing}")
    if version > FORMAT:
        raise NewerFormat(
            f"{name} has format {version}, but this affray reads formats up to {FORMAT}: "
            "a later affray wrote it"
        )


def strange_heading(header: Table, plain: bytes) -> tuple[str, int] | None:
    """Return the fault and its line if a sealed entry has lost its heading `[[entry]]`."""
    for key in _unknown_keys(header):
        seal = next(_seals(header[key]), "")
        if seal:
            written = rb"^\[\[%b\b.*?\]\]" % re.escape(key.encode())
            heading = re.search(written, plain, re.MULTILINE)
            # A quoted heading is reported by its key, with the line of the seal.
            found = heading[0].decode() if heading else repr(key)
            at = heading.start() if heading else plain.rfind(seal.encode())
            fault = f"this entry is under {found} instead of [[entry]]"
            return fault, plain.count(b"\n", 0, at) + 1
    return None


def _seals(value: Any, depth: int = 2) -> Iterator[str]:
    """Yield the seals of entries in a value: in a list under a key, or one table deeper."""
    if isinstance(value, dict) and type(value.get("seq")) is int:
        seal = value.get("sum")
        if isinstance(seal, str) and _SEAL.fullmatch(seal):
            yield seal
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inside if depth else ():
        yield from _seals(item, depth - 1)


def _blocks(
    pairs: Iterable[tuple[bytes, int]], entries: list[Table], lines: int, last: int
) -> list[EntryBlock]:
    """Return the entries of a part that follows so many lines, and the entry `last`."""
    blocks: list[EntryBlock] = []
    append = blocks.append
    for (part, line), data in zip(pairs, entries, strict=True):
        seq = data.pop("seq", None)
        if type(seq) is not int or not last < seq <= LAST_SEQ:
            raise _Fault(_wrong_seq(seq, last), lines + line)
        seal = data.pop("sum", "")
        append(EntryBlock(data, seq, lines + line, seal if is_sealed(part) else ""))
        last = seq
    return blocks


def _wrong_seq(seq: Any, last: int) -> str:
    if seq is None:
        return "this entry has no `seq`"
    if type(seq) is not int or abs(seq) > LAST_SEQ:
        return "this entry's `seq` is not an entry number"
    return f"this entry has seq {seq}, which does not come after {last}"


def _gap_notes(blocks: Sequence[EntryBlock]) -> list[str]:
    gaps = []
    last = 0
    for block in blocks:
        if block.seq != last + 1:
            which = format_entries(last + 1, block.seq - 1)
            gaps.append(f"{which} missing before line {block.line}")
        last = block.seq
    if len(gaps) > 5:
        more = len(gaps) - 5
        gaps[5:] = [f"entries are missing in {more} more place{'s' if more > 1 else ''}"]
    return gaps


def format_entries(first: int, last: int) -> str:
    """Begin a sentence on a range of entries: `entry 4 is`, or `entries 4 to 6 are`."""
    return f"entry {first} is" if first == last else f"entries {first} to {last} are"


def _edit_notes(blocks: Sequence[EntryBlock]) -> list[str]:
    edits = [f"{block.seq} (line {block.line})" for block in blocks if block.edited]
    if not edits:
        return []
    named = ", ".join(edits[:5]) + (f" and {len(edits) - 5} more" if len(edits) > 5 else "")
    return [f"edited by hand since saved: entry {named}"]


def _header_edit_notes(header: Table) -> list[str]:
    if "sum" not in header:  # from before headers had one
        return []
    try:
        edited = header["sum"] != header_sum(header)
    except ValueError:  # a value that affray never writes
        edited = True
    return [
        "edited by hand since saved: the header (remove its `sum` line to accept the edit)"
    ] * edited


def _unknown_key_notes(header: Table) -> list[str]:
    unknown = _unknown_keys(header)
    named = ", ".join(repr(key)[:40] for key in unknown[:5])
    return [f"unknown in the header, and left as it is: {named}"] if unknown else []


def _unknown_keys(header: Table) -> list[str]:
    return [key for key in header if key not in HEADER_KEYS]


def _longest_prefix(raw: bytes, fault_line: int, name: str, stamp: Stamp) -> ParsedLog | None:
    """Return the longest whole log that `raw` begins with, up to a `seq` line or the header.

    The search goes back from the fault in growing steps, then halves the last step: an edit by
    hand can cause a fault that is only found thousands of entries later.
    """
    ends = _possible_ends(raw, fault_line)
    good: ParsedLog | None = None
    bad, step, at = len(ends), 1, len(ends) - 1
    while at >= 0:
        good = _try_whole(raw[: ends[at]], name, stamp)
        if good is not None:
            break
        bad, at, step = at, max(at - step, 0) if at else -1, step * 2
    while good is not None and bad - at > 1:
        middle = (at + bad) // 2
        tried = _try_whole(raw[: ends[middle]], name, stamp)
        good, at, bad = (tried, middle, bad) if tried else (good, at, middle)
    return good


def _possible_ends(raw: bytes, line: int) -> list[int]:
    """List where a whole log may end: after the header, and after each `seq` up to `line`."""
    lines = raw.split(b"\n", line)
    limit = len(raw) - (len(lines[line]) if len(lines) > line else 0)
    ends = [match.end() for match in _TERMINATOR.finditer(raw)]
    header = _FIRST_TAIL.search(raw, 0, limit)
    return ([header.start()] if header else []) + ends[: bisect_right(ends, limit)]


def _try_whole(raw: bytes, name: str, stamp: Stamp) -> ParsedLog | None:
    try:
        return _parse_whole(raw, name, stamp)
    except _Fault:
        return None


def _is_torn(tail: bytes, content: bytes, last: int) -> bool:
    """True if `tail`, after a valid log that ends with entry `last`, can be an unfinished write.

    A greater `seq` rules that out, unless it ends the one entry that was being written, with gaps
    before it. So does a whole entry, unless it repeats the last one: it is a saved command, whose
    number an error or another writer took.
    """
    ends = list(_TERMINATOR.finditer(tail))
    if any(int(end[1]) > last for end in ends):
        alone = len(ends) == 1 and int(ends[0][1]) == last + 1
        if not (alone and not tail[ends[0].end() :].strip() and _has_gaps(tail, len(content))):
            return False
    previous = _sealed_parts(content)[-1:]
    return all(part in previous for part in _sealed_parts(tail))


def _has_gaps(tail: bytes, start: int) -> bool:
    """True if sectors of `tail`, which begins at byte `start` of the file, were never written.

    Such sectors are zeros from a sector's edge, or the tail's beginning, to another edge.
    """
    return any(
        (not gap.start() or (start + gap.start()) % _SECTOR == 0)
        and (start + gap.end()) % _SECTOR == 0
        for gap in _ZEROS.finditer(tail)
    )


def sealed_in(raw: bytes) -> set[tuple[int, str]]:
    """Return number and seal of each sealed entry in bytes that may no longer be a valid log."""
    ends = (_SEALED_END.search(part) for part in _sealed_parts(raw))
    return {(int(end[2]), end[1].decode()) for end in ends if end}


def _sealed_parts(raw: bytes) -> list[bytes]:
    parts = (b"\n" + raw.replace(b"\r\n", b"\n")).split(SEPARATOR)[1:]
    return [part.rstrip(b"\n") for part in parts if is_sealed(part)]


def _damaged_line(raw: bytes, end: int, fault_line: int) -> int:
    """Return the fault's line if it is in the first entry after the prefix, else that entry's."""
    first = raw.count(b"\n", 0, end) + 1
    following = _TERMINATOR.search(raw, end)
    limit = raw.count(b"\n", 0, following.end()) if following else fault_line
    if first <= fault_line <= limit:
        return fault_line
    rest = raw[end:]
    return first + raw.count(b"\n", end, end + len(rest) - len(rest.lstrip()))


# -------------------------------------------------------------------------------------------------
# Its entries, as a history.


def build_history(text: ParsedLog) -> tuple[History, str]:
    """Replay a log; returns its history, and why it must stay read-only (empty if it needn't).

    The history ends before the first entry that only a later affray understands. Raises Damaged
    for an invalid entry, with its line; its `prefix` is the log before that entry.
    """
    entries, reason = read_entries(text)
    return replay(text.header, entries), reason


def entries_if_known(text: ParsedLog, before: Container[int]) -> list[Entry] | None:
    """Return the entries that follow those in `before`; None unless `replay` can apply all."""
    try:
        entries, reason = read_entries(text, before)
    except LogError:
        return None
    return None if reason else entries


def read_entries(text: ParsedLog, before: Container[int] = (START,)) -> tuple[list[Entry], str]:
    """Return the entries of a log for `replay`, and why it must stay read-only.

    Returns and raises as `build_history` does. `before` has the numbers of the entries that stand
    before these.
    """
    entries: list[Entry] = []
    present = set[int]()
    for block in text.blocks:
        try:
            entry = decode_entry(block)
        except NewerFormat as error:
            return entries, f"entry {block.seq} (line {block.line}): {error}"
        except LogError as error:
            raise _damaged_at(text, block, f"entry {block.seq} {error}") from None
        for other in (entry.to, entry.parent):
            if other is not None and other not in present and other not in before:
                raise _damaged_at(text, block, f"entry {other} is not in the log")
        entries.append(entry)
        present.add(entry.seq)
    return entries, ""


def _damaged_at(text: ParsedLog, block: EntryBlock, fault: str) -> Damaged:
    before = replace(text, blocks=text.blocks[: text.blocks.index(block)])
    return Damaged(f"line {block.line}: {fault}", block.line, before)
