"""Survey a damaged log (`survey`) and write a new one of what is whole (`write_repaired`).

Up to the first damage the log is read as usual. After it each `[[entry]]` is judged alone: it is
whole if it is valid TOML and its number fits among the others. A sealed entry is certain. One
without a seal may be written by hand, and counts only if its number is between those of the sealed
entries around it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.history import LAST_SEQ
from affray.data_text import DataError, Table, read_toml
from affray.store import LogError, NewerFormat, NotALog, log_recovery
from affray.store.entries import EntryBlock, decode_entry
from affray.store.entry_toml import HEADING, format_entry, is_sealed, sealed_beginning
from affray.store.filesystem import log_error_from, publish_atomically
from affray.store.log_recovery import build_history


class LogSpan(Struct, frozen=True):
    """A part of a log: bytes `start` to `end`, lines `line` to `last_line`, both included.

    Attributes:
        block: the entry that the span holds, or None.
        fault: what is wrong with the span; an entry without a fault is whole.
        remark: what is odd about a whole entry.
        is_astray: True if it is a whole undo, redo or goto to an entry that is missing.
    """

    start: int
    end: int
    line: int
    last_line: int
    block: EntryBlock | None = None
    fault: str = ""
    remark: str = ""
    is_astray: bool = False

    @property
    def seq(self) -> int:
        """The number of the entry, 0 for a span without one."""
        return self.block.seq if self.block else 0

    @property
    def whole(self) -> bool:
        """True if the span is an entry that can be kept."""
        return self.block is not None and not self.fault

    @property
    def lines(self) -> str:
        """The lines of the span as text: `lines 4 to 6`."""
        return format_lines(self.line, self.last_line)


class LogDamageReport(Struct, frozen=True):
    """The spans of a log, in the order of the file.

    Attributes:
        header_end: the offset of the first span.
        header_fault: what is wrong with the header; empty if nothing is.
        torn: the offset of an entry that was cut off, or None.
    """

    raw: bytes
    header_end: int
    header_fault: str
    pieces: tuple[LogSpan, ...]
    torn: int | None

    @property
    def entries(self) -> list[LogSpan]:
        """The whole entries, sorted by number."""
        return sorted((piece for piece in self.pieces if piece.whole), key=lambda piece: piece.seq)

    @property
    def needs_repair(self) -> bool:
        """True if a repair would change the log."""
        return bool(
            self.header_fault
            or [*self.pieces] != self.entries
            or any(piece.is_astray for piece in self.pieces)
        )

    @property
    def lost(self) -> list[tuple[int, int]]:
        """First and last number of each gap between whole entries."""
        numbers = [0, *(piece.seq for piece in self.entries)]
        return [(a + 1, b - 1) for a, b in pairwise(numbers) if b > a + 1]

    def report(self) -> list[str]:
        """List what is whole, torn, edited, damaged or missing, a line each, from the top."""
        words = [f"header: {self.header_fault}"] if self.header_fault else []
        lost = {last + 1: log_recovery.format_entries(first, last) for first, last in self.lost}
        run: list[LogSpan] = []
        for piece in self.pieces:
            if run and (not _is_plain(piece) or piece.seq != run[-1].seq + 1):
                words.append(_describe_run(run))
                run = []
            if piece.whole and piece.seq in lost:
                words.append(f"{lost[piece.seq]} missing before line {piece.line}")
            if _is_plain(piece):
                run.append(piece)
            else:
                words.append(self._describe_odd(piece))
        return [*words, *([_describe_run(run)] if run else [])]

    def _describe_odd(self, piece: LogSpan) -> str:
        if piece.whole:
            return f"entry {piece.seq} ({piece.lines}): {piece.remark}"
        if self.torn is not None and piece.start >= self.torn:
            return f"{piece.lines}: an entry that was cut off, {piece.end - piece.start} bytes"
        what = f"damaged, {piece.end - piece.start} bytes: {piece.fault}"
        return (
            f"entry {piece.seq} ({piece.lines}): {what}" if piece.seq else f"{piece.lines}: {what}"
        )


def format_lines(first: int, last: int) -> str:
    """Format a range of lines: `line 4`, or `lines 4 to 6`."""
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _is_plain(piece: LogSpan) -> bool:
    return piece.whole and not piece.remark


def _describe_run(run: Sequence[LogSpan]) -> str:
    what = f"{log_recovery.format_entries(run[0].seq, run[-1].seq)} intact"
    return f"{what} ({format_lines(run[0].line, run[-1].last_line)})"


def survey(raw: bytes, name: str) -> LogDamageReport:
    """Examine the bytes of a log for damage; `name` is the file's name for messages.

    Raises NotALog if they hold no whole entry at all, NewerFormat for a later format.
    """
    fault = ""
    text: log_recovery.ParsedLog | None = None
    try:
        text = log_recovery.parse_log(raw, name)
    except log_recovery.Damaged as damage:
        text = damage.prefix
    except NotALog as error:
        fault, refusal = str(error), error
    if text is not None:
        pieces = [*_spans_read(raw, text), *_scan_spans(raw, text.end)]
        torn = text.end if text.torn is not None else None
    else:
        heading = HEADING.search(raw)
        pieces, torn = [*_scan_spans(raw, heading.start() if heading else len(raw))], None
    start = pieces[0].start if pieces else len(raw)
    judged = _mark_astray(_check_order(_check_entries(pieces)))
    found = LogDamageReport(raw, start, fault, tuple(judged), torn)
    if fault and not found.entries:
        raise refusal
    return found


def _trimmed_span(raw: bytes, start: int, end: int, line: int) -> LogSpan:
    """Make the span from `start`, which is in `line`, to `end`, without empty lines around it."""
    content = raw[start:end].lstrip(b"\r\n")
    first = end - len(content)
    line += raw.count(b"\n", start, first)
    end = first + len(content.rstrip(b"\r\n"))
    return LogSpan(first, end, line, line + raw.count(b"\n", first, end))


def _spans_read(raw: bytes, text: log_recovery.ParsedLog) -> Iterator[LogSpan]:
    """Yield the entries that the reader found, each with its place."""
    starts = [0, *(match.end() for match in re.finditer(b"\n", raw))]
    places = [starts[block.line - 1] for block in text.blocks]
    if sorted(set(places)) != places:
        raise LogError("its entries are not [[entry]] tables; write them that way")
    for block, (start, end) in zip(text.blocks, pairwise([*places, text.end]), strict=True):
        yield replace(_trimmed_span(raw, start, end, block.line), block=block)


def _scan_spans(raw: bytes, start: int) -> Iterator[LogSpan]:
    """Yield the spans from `start` on: the one before the first entry, and each entry."""
    line = 1 + raw.count(b"\n", 0, start)
    starts = [start, *(start + m.start() for m in HEADING.finditer(raw[start:])), len(raw)]
    for a, b in pairwise(starts):
        yield from _classify_span(raw, _trimmed_span(raw, a, b, line))
        line += raw.count(b"\n", a, b)


def _classify_span(raw: bytes, piece: LogSpan) -> Iterator[LogSpan]:
    """Yield the span as one whole entry; else the sealed entry it starts with, and the rest."""
    content = raw[piece.start : piece.end]
    block, fault = _parse_block(content, piece.line)
    if block is not None:
        yield replace(piece, block=block)
        return
    end = _sealed_end(content)
    block, _ = _parse_block(content[:end], piece.line)
    if block is not None:
        first = _trimmed_span(raw, piece.start, piece.start + end, piece.line)
        yield replace(first, block=block)
        piece, fault = (
            _trimmed_span(raw, first.end, piece.end, first.last_line),
            ("this is not an entry"),
        )
    rest = raw[piece.start : piece.end].strip(b"\r\n \t")
    if rest:
        yield replace(piece, fault=fault if rest.strip(b"\x00") else "zeros")


def _sealed_end(content: bytes) -> int:
    """Return the length of the sealed entry that `content` begins with; 0 if there is none."""
    plain = content.replace(b"\r\n", b"\n")
    heading = HEADING.match(plain)
    length = sealed_beginning(plain[heading.end() :]) if heading else 0
    if not heading or not length:
        return 0
    above, _, last = plain[: heading.end() + length].rpartition(b"\n")
    lines = above.count(b"\n") + 1
    return len(content) - len(content.split(b"\n", lines)[lines]) + len(last)


def _parse_block(content: bytes, line: int) -> tuple[EntryBlock | None, str]:
    """Parse `content` as exactly one entry; returns the entry, or None and the fault."""
    plain = content.replace(b"\r\n", b"\n")
    try:
        data = read_toml(plain.decode())
    except UnicodeDecodeError:
        return None, "this is not UTF-8 text"
    except DataError as error:
        if error.line:
            return None, f"this is not TOML ({error.reason}, line {line + error.line - 1})"
        return None, "this can't be read as TOML"
    if not HEADING.match(plain) or data.keys() != {"entry"} or len(data["entry"]) != 1:
        strange = log_recovery.strange_heading(data, plain)
        return None, strange[0] if strange else "this is not an entry"
    return _checked_number(data["entry"][0], HEADING.sub(b"", plain), line)


def _checked_number(data: Table, part: bytes, line: int) -> tuple[EntryBlock | None, str]:
    seal = data.pop("sum", "")
    seq = data.pop("seq", None)
    if type(seq) is not int or not 0 < seq <= LAST_SEQ:
        return None, "this entry has no number"
    return EntryBlock(data, seq, line, seal if is_sealed(part) else ""), ""


def _check_entries(pieces: Sequence[LogSpan]) -> Iterator[LogSpan]:
    """Yield the spans, with a fault for an invalid entry, and a remark for an odd one."""
    for piece in pieces:
        if piece.block is None:
            yield piece
            continue
        remark = "edited by hand since saved" if piece.block.edited else ""
        try:
            to = decode_entry(piece.block).to
        except NewerFormat as error:
            yield replace(piece, remark=str(error))
            continue
        except LogError as error:
            yield replace(piece, fault=str(error))
            continue
        if to is not None and not 0 <= to < piece.seq:
            yield replace(piece, fault=f"it goes to entry {to}, which is not in the log")
        else:
            yield replace(piece, remark=remark)


def _check_order(read: Iterator[LogSpan]) -> list[LogSpan]:
    """Return the spans, with a fault for each entry whose number doesn't fit its place."""
    pieces = list(read)
    sealed = [at for at, piece in enumerate(pieces) if piece.whole and not _is_edited(piece)]
    rising = _rising([pieces[at].seq for at in sealed])
    certain = {sealed[index] for index in rising}
    moved = _moved_by_hand(pieces, [at for at in sealed if at not in certain], certain)
    moved_numbers = {pieces[at].seq for at in moved}
    ahead = _next_numbers(pieces, certain)
    last, seen = 0, dict[int, LogSpan]()
    for at, piece in enumerate(pieces):
        if not piece.whole:
            continue
        is_between = last < piece.seq < ahead[at] and piece.seq not in moved_numbers
        if at in moved:
            pieces[at] = replace(piece, remark=_join_remarks(piece.remark, "it is out of order"))
            seen[piece.seq] = piece
        elif at in certain or (_is_edited(piece) and is_between):
            last, seen[piece.seq] = piece.seq, piece
        else:
            twin = seen.get(piece.seq)
            is_copy = twin is not None and _data(twin) == _data(piece)
            fault = "a copy of an entry above" if is_copy else "its number does not belong here"
            pieces[at] = replace(piece, fault=fault)
    return pieces


def _moved_by_hand(pieces: Sequence[LogSpan], left: Sequence[int], certain: set[int]) -> set[int]:
    """Return the sealed entries out of order that are kept, since a hand has moved them.

    Their number is unique, and next to the number of a kept entry. An entry with a number far from
    all others may be stale, or of another log.
    """
    taken = {pieces[at].seq for at in certain}
    once = Counter(pieces[at].seq for at in left)
    places = {pieces[at].seq: at for at in left if once[pieces[at].seq] == 1}
    free = sorted(places.keys() - taken)
    joined = set[int]()
    for numbers, step in ((free, -1), (free[::-1], 1)):
        for number in numbers:
            if number + step in taken or number + step in joined:
                joined.add(number)
    return {places[number] for number in joined}


def _mark_astray(pieces: Sequence[LogSpan]) -> Iterator[LogSpan]:
    """Yield the spans, with a remark on each undo, redo or goto to an entry that is missing."""
    there = {0, *(piece.seq for piece in pieces if piece.whole)}
    for piece in pieces:
        to = _data(piece).get("to") if piece.whole else None
        if isinstance(to, int) and to not in there:
            remark = _join_remarks(piece.remark, f"it goes to entry {to}, which is missing")
            yield replace(piece, remark=remark, is_astray=True)
        else:
            yield piece


def _join_remarks(*remarks: str) -> str:
    return "; ".join(filter(None, remarks))


def _is_edited(piece: LogSpan) -> bool:
    return piece.block is not None and piece.block.edited


def _data(piece: LogSpan) -> Table:
    return piece.block.table if piece.block else {}


def _next_numbers(pieces: Sequence[LogSpan], certain: set[int]) -> list[int]:
    """Return for each span the number of the next certain entry."""
    numbers, following = [], LAST_SEQ + 1
    for at in range(len(pieces) - 1, -1, -1):
        numbers.append(following)
        if at in certain:
            following = pieces[at].seq
    return numbers[::-1]


def _rising(numbers: Sequence[int]) -> list[int]:
    """Return the places of the longest rising subsequence; of several, the one that ends lowest."""
    tails: list[int] = []  # the least number with which a rising part of each length can end
    places: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(tails, number)
        before.append(places[length - 1] if length else -1)
        if length == len(tails):
            tails.append(number)
            places.append(place)
        elif number < tails[length]:
            tails[length], places[length] = number, place
    chosen, place = [], places[-1] if places else -1
    while place >= 0:
        chosen.append(place)
        place = before[place]
    return chosen[::-1]


# -------------------------------------------------------------------------------------------------
# The new log has every whole entry byte for byte. A note replaces each run of missing entries, with
# the last number of the run; and each missing entry that an undo, redo or goto leads to.

_BOM = b"\xef\xbb\xbf"


def repaired_name(path: Path) -> Path:
    """Return the default name for the repaired copy of a log."""
    return path.with_name(f"{path.stem}.repaired.toml")


def write_repaired(found: LogDamageReport, target: Path) -> int:
    """Write what is whole to a new file, on the disk before this returns; returns its entry count.

    Raises LogError if the file exists already or can't be written, or if the header has lost the
    rule system.
    """
    content = repaired(found)
    history, _ = build_history(log_recovery.parse_log(content, str(target)))
    with log_error_from(target):
        publish_atomically(target, content)
    return len(history.entries)


def repaired(found: LogDamageReport) -> bytes:
    """Return the bytes of the new log. Raises LogError if the header lost the rule system."""
    header = found.raw[: found.header_end]
    if found.header_fault:
        header = _salvage_header(header)
    end = b"\r\n" if b"\r\n" in found.raw else b"\n"
    parts = [_with_comments(header.rstrip(b"\r\n"), found, end) + end]
    goals = _goals(found)
    last = 0
    for piece in found.entries:
        parts += [block.replace(b"\n", end) for block in _loss_notes(last, piece.seq, goals)]
        parts.append(end + found.raw[piece.start : piece.end] + end)
        last = piece.seq
    return b"".join(parts)


def _goals(found: LogDamageReport) -> list[int]:
    """List the numbers that an undo, redo or goto leads to, in rising order."""
    goals = {piece.block.table.get("to") for piece in found.entries if piece.block}
    return sorted(goal for goal in goals if isinstance(goal, int))


def _loss_notes(last: int, following: int, goals: Sequence[int]) -> list[bytes]:
    """Make the notes that replace the missing entries between two numbers; `goals` are sorted."""
    numbers = [*goals[bisect_right(goals, last) : bisect_left(goals, following - 1)]]
    if following - 1 > last:
        numbers.append(following - 1)
    blocks = []
    for before, number in pairwise([last, *numbers]):
        text = f"{log_recovery.format_entries(before + 1, number)} lost"
        event = {"event": "noted", "text": text}
        blocks.append(
            format_entry(
                {"command": f'note "{text}"', "text": f"Note: {text}", "events": [event]}, number
            )
        )
    return blocks


def _with_comments(header: bytes, found: LogDamageReport, end: bytes) -> bytes:
    """Put comments that say what this file is above the header."""
    lost = [f"{log_recovery.format_entries(first, last)} lost" for first, last in found.lost]
    left = [
        f"{format_lines(piece.line, piece.last_line)} left out"
        for piece in found.pieces
        if not piece.whole
    ]
    remarks = [
        "Made by `affray check --repair` from a damaged log, with everything that was intact."
    ]
    lines = [f"# {remark}".encode() for remark in [*remarks, *lost, *left]]
    bom = _BOM if header.startswith(_BOM) else b""
    return bom + end.join([*lines, header.removeprefix(_BOM)])


def _salvage_header(damaged: bytes) -> bytes:
    """Return the whole lines of a damaged header. Raises LogError without the rule system."""
    lines, header = list[bytes](), dict[str, object]()
    for line in damaged.removeprefix(_BOM).splitlines():
        if line.lstrip().startswith(b"["):  # a table's heading, which no header has
            continue
        try:
            more = read_toml(b"\n".join([*lines, line]).decode())
        except ValueError:
            continue
        version = more.get("format", log_recovery.FORMAT)
        if type(version) is int and version > 0:  # 0 has lost a bit
            header = more
            lines.append(line)
    if not isinstance(header.get("ruleset"), str):
        raise LogError(
            'its header has lost the rule system: add the line `ruleset = "..."` to a copy, '
            "and repair that"
        )
    if "format" not in header:
        lines.insert(0, b"format = %d" % log_recovery.FORMAT)
    return b"\n".join(lines)
