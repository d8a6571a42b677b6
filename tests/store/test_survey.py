"""What is said of a damaged log: which entries are intact, and where the damage begins and ends."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
import tomli
from hypothesis import example, given, settings, strategies as st

from affray.store import LogError, NewerFormat, NotALog
from affray.store.entry_toml import format_entry, format_header
from affray.store.log_repair import LogDamageReport, survey

HEADER = format_header({"format": 1, "title": "Ambush", "ruleset": "monsters-and-magic"})


def entry(seq: int, text: str = "x", **body: object) -> bytes:
    events = [{"event": "noted", "text": text}]
    return format_entry({"command": f"note {text}", "events": events, **body}, seq)


def log(*numbers: int) -> bytes:
    return HEADER + b"".join(entry(number) for number in numbers)


def looked_at(raw: bytes) -> list[str]:
    """The report on a log, each line of which must point to lines that are there."""
    return survey(raw, "x").report()


def kept(found: LogDamageReport) -> list[int]:
    return [piece.seq for piece in found.entries]


def test_a_whole_log_is_one_line() -> None:
    raw = log(1, 2, 3)
    assert looked_at(raw) == ["entries 1 to 3 are intact (lines 5 to 27)"]
    assert raw.split(b"\n")[4] == b"[[entry]]" and raw.split(b"\n")[26] == b"seq = 3"
    assert looked_at(log(1)) == ["entry 1 is intact (lines 5 to 11)"]
    assert looked_at(HEADER) == []


def test_what_was_found_stays_as_it_was_found() -> None:
    found = survey(log(1), "x")
    with pytest.raises(AttributeError):
        found.torn = 1  # type: ignore[misc]
    with pytest.raises(AttributeError):
        found.pieces[0].fault = ""  # type: ignore[misc]


def test_a_damaged_middle_is_named_with_what_is_whole_before_and_behind() -> None:
    broken = entry(3).replace(b'"note x"', b"?")
    raw = log(1, 2) + broken + entry(4) + entry(5)
    assert looked_at(raw) == [
        "entries 1 to 2 are intact (lines 5 to 19)",
        f"lines 21 to 27: damaged, {len(broken) - 2} bytes: this is not TOML "
        "(Invalid value, line 22)",
        "entry 3 is missing before line 29",
        "entries 4 to 5 are intact (lines 29 to 43)",
    ]


def test_zeros_over_two_entries_leave_the_entry_before_them_whole() -> None:
    raw = log(1, 2, 3, 4, 5)
    start, end = raw.index(b"seq = 2\n") + 8, raw.index(b"seq = 4\n") + 8
    zeroed = raw[:start] + bytes(end - start) + raw[end:]
    assert looked_at(zeroed) == [
        "entries 1 to 2 are intact (lines 5 to 19)",
        f"line 20: damaged, {end - start} bytes: zeros",
        "entries 3 to 4 are missing before line 21",
        "entry 5 is intact (lines 21 to 27)",
    ]


def test_an_entry_edited_behind_the_damage_is_whole_and_said_to_be_edited() -> None:
    raw = (
        HEADER + entry(1) + entry(2).replace(b"seq = 2\n", b"") + entry(3, "ash") + entry(4)
    ).replace(b'text = "ash"', b'text = "Ash"')
    assert looked_at(raw)[-2:] == [
        "entry 3 (lines 20 to 26): edited by hand since saved",
        "entry 4 is intact (lines 28 to 34)",
    ]
    assert kept(survey(raw, "x")) == [1, 3, 4]


@pytest.mark.parametrize("above", [b"", b"\n"])
def test_what_is_missing_at_the_beginning_is_named(above: bytes) -> None:
    found = survey(above + HEADER + entry(3) + entry(4), "x")
    assert found.lost == [(1, 2)]
    first = 5 + len(above)
    assert found.report() == [
        f"entries 1 to 2 are missing before line {first}",
        f"entries 3 to 4 are intact (lines {first} to {first + 14})",
    ]
    assert survey(HEADER + entry(2), "x").report()[0] == "entry 1 is missing before line 5"


@pytest.mark.parametrize("above", [b"", b"\n", b"# ours\n\n"])
def test_lines_above_the_header_are_counted(above: bytes) -> None:
    lines = above.count(b"\n")
    assert looked_at(above + log(1) + b"?\n" + entry(2)) == [
        f"entry 1 is intact (lines {5 + lines} to {11 + lines})",
        f"line {12 + lines}: damaged, 1 bytes: this is not TOML (Invalid statement, line "
        f"{12 + lines})",
        f"entry 2 is intact (lines {14 + lines} to {20 + lines})",
    ]


def test_blanks_and_empty_lines_are_no_damage() -> None:
    broken = b"\n  \t\n\n[[entry]]\nx = ?\n"
    assert [(p.line, p.last_line) for p in survey(log(1) + broken + entry(2), "x").pieces] == [
        (5, 11),
        (15, 16),
        (18, 24),
    ]


def test_an_end_that_was_cut_off_right_behind_an_entry_is_torn() -> None:
    assert looked_at(log(1) + b"[[entry]]\nat = 2")[1:] == [
        "lines 12 to 13: an entry that was cut off, 16 bytes"
    ]


def test_a_torn_end_is_called_torn_and_not_damaged() -> None:
    raw = log(1, 2)[:-20]
    size = len(raw) - len(log(1)) - 1
    assert looked_at(raw) == [
        "entry 1 is intact (lines 5 to 11)",
        f"lines 13 to 18: an entry that was cut off, {size} bytes",
    ]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_line_ends_move_no_line_and_break_no_seal(end: bytes) -> None:
    raw = log(1, 2, 3, 4).replace(b"seq = 2\n", b"seq = two\n").replace(b"\n", end)
    assert looked_at(raw)[-1] == "entries 3 to 4 are intact (lines 21 to 35)"
    assert looked_at(raw)[1].startswith("lines 13 to 19: damaged, ")
    assert looked_at(raw)[2] == "entry 2 is missing before line 21"


def test_an_older_entry_twice_is_a_copy_and_the_first_is_kept() -> None:
    assert looked_at(log(1, 2, 2, 3)) == [
        "entries 1 to 2 are intact (lines 5 to 19)",
        f"entry 2 (lines 21 to 27): damaged, {len(entry(2)) - 2} bytes: a copy of an entry above",
        "entry 3 is intact (lines 29 to 35)",
    ]


def test_a_rivals_entry_with_a_taken_number_is_left_out() -> None:
    found = survey(HEADER + entry(1) + entry(2) + entry(2, "rival") + entry(3), "x")
    assert kept(found) == [1, 2, 3]
    assert "its number does not belong here" in found.report()[1]


@pytest.mark.parametrize("raw", [log(1, 2, 9, 3, 4, 5), log(1, 9, 2, 3), log(7, 8, 1, 2, 3)])
def test_one_stale_entry_does_not_cost_those_behind_it(raw: bytes) -> None:
    found = survey(raw, "x")
    assert kept(found) == [n for n in range(1, 6) if b"seq = %d\n" % n in raw]
    assert any("its number does not belong here" in line for line in found.report())


def test_an_edited_number_is_believed_only_between_its_neighbours() -> None:
    damaged = entry(2).replace(b"seq = 2\n", b"")
    for number, numbers in ((4, [1, 4, 5]), (6, [1, 5]), (5, [1, 5]), (1, [1, 5])):
        wrong = entry(3).replace(b"seq = 3\n", b"seq = %d\n" % number)
        assert kept(survey(HEADER + entry(1) + damaged + wrong + entry(5), "x")) == numbers


def test_an_edited_first_entry_is_believed_before_a_sealed_one() -> None:
    edited = entry(1).replace(b'text = "x"', b'text = "y"')
    assert kept(survey(HEADER + b"?\n" + edited + entry(2), "x")) == [1, 2]


def test_edited_numbers_never_outweigh_a_sealed_one() -> None:
    wrong = [entry(3).replace(b"seq = 3\n", b"seq = %d\n" % number) for number in (6, 7, 8)]
    raw = HEADER + entry(1) + b"?\n" + b"".join(wrong) + entry(2)
    assert kept(survey(raw, "x")) == [1, 2]


@given(st.permutations(range(2, 14, 2)))
@example([8, 2, 10, 4, 12, 6])
@example([2, 10, 4, 12, 6, 8])
def test_of_entries_far_from_each_other_as_many_are_kept_as_rise(numbers: list[int]) -> None:
    def rises(some: tuple[int, ...]) -> bool:
        return list(some) == sorted(some)

    found = kept(survey(HEADER + b"?\n" + b"".join(entry(n) for n in numbers), "x"))
    rising = [some for count in range(7) for some in combinations(numbers, count) if rises(some)]
    most = [some for some in rising if len(some) == len(rising[-1])]
    assert tuple(found) in most
    assert found[-1] == min(some[-1] for some in most)


@given(st.permutations(range(1, 7)))
@example([1, 2, 4, 3, 5, 6])
@example([6, 5, 4, 3, 2, 1])
def test_entries_in_a_row_are_all_kept_in_whatever_order_they_stand(numbers: list[int]) -> None:
    found = survey(HEADER + b"?\n" + b"".join(entry(n) for n in numbers), "x")
    assert kept(found) == [1, 2, 3, 4, 5, 6]
    assert found.lost == []


def test_two_entries_that_changed_places_are_said_to_stand_out_of_order() -> None:
    found = survey(log(1, 2, 4, 3, 5), "x")
    assert found.needs_repair
    assert found.report() == [
        "entries 1 to 2 are intact (lines 5 to 19)",
        "entry 4 (lines 21 to 27): it is out of order",
        "entry 3 is intact (lines 29 to 35)",
        "entry 5 is intact (lines 37 to 43)",
    ]
    assert not survey(log(1, 2, 3), "x").needs_repair


def test_two_that_claim_one_number_out_of_order_are_both_left_out() -> None:
    raw = log(1, 2, 4, 5) + entry(3) + entry(3, "rival")
    assert kept(survey(raw, "x")) == [1, 2, 4, 5]


def test_an_edited_entry_does_not_take_the_number_of_one_that_was_moved() -> None:
    edited = entry(2).replace(b'text = "x"', b'text = "y"')
    found = survey(HEADER + entry(1) + edited + entry(3) + entry(2), "x")
    assert kept(found) == [1, 2, 3]
    assert [p.block.edited for p in found.entries if p.block] == [False, False, False]


def test_a_sealed_beginning_is_found_with_any_line_ends_and_any_heading() -> None:
    more = b"seq = 7\n" * 3 + b'sum = "00000000"\nseq = 8\n'
    for end in (b"\n", b"\r\n"):
        for heading in (b"[[entry]]", b" [[ entry ]]"):
            second = entry(2).replace(b"[[entry]]", heading) + more
            raw = (HEADER + entry(1) + second + entry(3)).replace(b"\n", end)
            assert kept(survey(raw, "x")) == [1, 2, 3]


def test_lines_that_look_like_ends_are_not_each_a_reason_to_read_all_above(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = []
    parse = tomli.loads
    monkeypatch.setattr(tomli, "loads", lambda text: read.append(len(text)) or parse(text))
    ends = b'sum = "00000000"\nseq = 1\n' * 300 + b"seq = 1\n" * 3000
    raw = log(1) + b"\n[[entry]]\n" + ends + entry(2)
    assert kept(survey(raw, "x")) == [1, 2]
    assert sum(read) < 40 * len(raw)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (b"\xff", "this is not UTF-8 text"),
        (b"x = ?\n", "this is not TOML (Invalid value, line 14)"),
        (b"seq = 'two'\n", "this is not TOML (Cannot overwrite a value, line 20)"),
        (b"x = " + b"9" * 5000 + b"\n", "this can't be read as TOML"),
    ],
)
def test_why_an_entry_is_damaged_is_said(broken: bytes, said: str) -> None:
    damaged = entry(2).replace(b"command", broken + b"command")
    raw = HEADER + entry(1) + damaged + entry(3)
    last = 13 + damaged.strip().count(b"\n")
    assert looked_at(raw)[1] == (
        f"lines 13 to {last}: damaged, {len(damaged.strip())} bytes: {said}"
    )
    assert looked_at(raw)[-1] == f"entry 3 is intact (lines {_third(raw)})"


def _third(raw: bytes) -> str:
    last = raw.count(b"\n")
    return f"{last - 6} to {last}"


@pytest.mark.parametrize("number", [b"0", b"-1", b"true", b"'2'", b"1000000000000000", b"2.0"])
def test_a_number_that_is_none_is_damage(number: bytes) -> None:
    raw = HEADER + entry(1) + entry(2).replace(b"seq = 2", b"seq = " + number) + entry(3)
    assert looked_at(raw)[1].endswith(" bytes: this entry has no number")
    assert kept(survey(raw, "x")) == [1, 3]


def test_the_greatest_number_that_an_entry_can_have() -> None:
    greatest = 10**15 - 1
    assert kept(survey(HEADER + b"?\n" + entry(greatest), "x")) == [greatest]


def test_what_is_no_entry_stands_between_entries() -> None:
    said = "this is not TOML (Expected '=' after a key in a key/value pair, line 12)"
    raw = HEADER + entry(1) + b"Dear diary\n" + entry(2)
    assert looked_at(raw)[1] == f"line 12: damaged, 10 bytes: {said}"
    said = "lines 21 to 22: damaged, 10 bytes: this is not an entry"
    raw = HEADER + entry(1) + b"[[entry]]\n" + entry(2) + b"Dear\ndiary\n" + entry(3)
    assert said in looked_at(raw.replace(b"[[entry]]\n\n", b"x\n\n"))
    for stray in (b"entry = [5]", b"entry = [{ seq = 2 }]", b"# a comment", b"[x]"):
        raw = HEADER + entry(1) + entry(2).replace(b"seq = 2\n", b"") + entry(3) + b"[[entry]]\n"
        raw = raw.replace(b'\n[[entry]]\ncommand = "note x"\nevents = [\n', stray + b"\n\n", 2)
        assert kept(survey(raw, "x")) == [3], stray
    raw = HEADER + entry(1) + b"?\n" + entry(2) + b"[x]\n" + entry(3)
    assert kept(survey(raw, "x")) == [1, 2, 3]
    raw = HEADER + b"\xff\n" + entry(1) + entry(2).replace(b"seq = 2\n", b"[[entry]]\n")
    assert kept(survey(raw, "x")) == [1]


def test_an_entry_with_a_table_of_its_own_behind_it_is_none() -> None:
    broken = entry(2).replace(b"seq = 2\n", b"[x]\n")
    assert looked_at(HEADER + entry(1) + broken + entry(3))[1] == (
        f"lines 13 to 19: damaged, {len(broken) - 2} bytes: this is not an entry"
    )


def test_an_entry_that_is_none_and_a_move_to_nowhere_are_named() -> None:
    wrong = format_entry({"command": "x", "events": [{"event": "noted", "text": 5}]}, 2)
    nowhere = format_entry({"command": "goto 99", "to": 99}, 3)
    itself = format_entry({"command": "goto 4", "to": 4}, 4)
    below = format_entry({"command": "goto -1", "to": -1}, 5)
    found = survey(HEADER + entry(1) + wrong + nowhere + itself + below + entry(6), "x")
    assert kept(found) == [1, 6]
    said = "\n".join(found.report())
    assert "entry 2 (lines 13 to 19): damaged, " in said
    assert "is not an entry: Expected `str`, got `int` - at `$.events[0].text`" in said
    for to in (99, 4, -1):
        assert f"it goes to entry {to}, which is not in the log" in said
    assert "entries 2 to 5 are missing before line 39" in said


def test_a_move_to_the_beginning_and_one_to_an_entry_are_whole() -> None:
    moves = [format_entry({"command": "goto", "to": to}, 3 + to) for to in (0, 1)]
    assert kept(survey(log(1, 2) + b"".join(moves), "x")) == [1, 2, 3, 4]


def test_a_broken_header_is_named_and_the_entries_are_counted() -> None:
    raw = log(1, 2).replace(b"title = ", b"title ? ")
    assert looked_at(raw) == [
        "header: x is not an affray log: line 2: this is not TOML "
        "(Expected '=' after a key in a key/value pair)",
        "entries 1 to 2 are intact (lines 5 to 19)",
    ]


def test_what_was_never_a_log_is_refused() -> None:
    for raw in (b"", b"Dear diary,\n", b"\x00" * 99, b"[[entry]]\n", HEADER.replace(b"=", b"?")):
        with pytest.raises(NotALog):
            survey(raw, "x")
    with pytest.raises(NewerFormat, match="format 2"):
        survey(log(1).replace(b"format = 1", b"format = 2"), "x")


def test_entries_that_no_line_shows_are_not_guessed_at() -> None:
    raw = log(1) + entry(2).replace(b"[[entry]]", b'[["\\u0065ntry"]]')
    with pytest.raises(LogError) as refusal:
        survey(raw, "x")
    said = "its entries are not [[entry]] tables; write them that way"
    assert str(refusal.value) == said


def test_words_of_the_file_can_not_move_the_cursor() -> None:
    event = {"event": "became", "who": "x", "life": "\x1b[2Jup"}
    raw = HEADER + entry(1) + format_entry({"command": "x", "events": [event]}, 2)
    assert all(line.isprintable() for line in looked_at(raw))
    assert "[2Jup'" in looked_at(raw)[1]


@pytest.mark.parametrize("bit", range(8))
def test_one_flipped_bit_costs_at_most_one_entry(
    bit: int, log_bytes: Callable[[int], bytes], header_bytes: bytes
) -> None:
    whole = log_bytes(4)
    for at in range(len(header_bytes), len(whole)):
        raw = bytearray(whole)
        raw[at] ^= 1 << bit
        found = survey(bytes(raw), "x")
        assert len({1, 2, 3, 4} & set(kept(found))) >= 3, at
        assert kept(found) == sorted(set(kept(found)))


PARTS = st.sampled_from(
    [entry(n) for n in (1, 2, 3, 4)] + [HEADER, b"\n", bytes(40), b"[[entry]]\n"]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PARTS | st.binary(max_size=20)).map(b"".join))
@example(HEADER + bytes(9) + entry(1) + b"\xff" + entry(2))
def test_the_pieces_of_any_bytes_are_in_order_and_hold_all_that_is_there(raw: bytes) -> None:
    try:
        found = survey(HEADER + raw, "x")
    except LogError:
        return
    at, line = found.header_end, 0
    for piece in found.pieces:
        assert not found.raw[at : piece.start].strip(b"\r\n \t")
        assert piece.line == found.raw.count(b"\n", 0, piece.start) + 1
        assert piece.last_line == found.raw.count(b"\n", 0, piece.end) + 1
        assert piece.line > line or piece.fault
        at, line = piece.end, piece.last_line
    assert not found.raw[at:].strip(b"\r\n \t")
    assert kept(found) == sorted(set(kept(found)))
