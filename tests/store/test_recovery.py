from collections.abc import Callable
from contextlib import suppress

import pytest
import tomli
from hypothesis import example, given, settings, strategies as st

from affray.store import LogError, NewerFormat, NotALog, log_recovery
from affray.store.entry_toml import format_entry, format_header
from affray.store.log_recovery import Damaged, ParsedLog, parse_log

HEADER = format_header({"format": 1, "title": "Ambush"})
SMALL = HEADER + b"".join(format_entry({"command": "hp", "n": n}, n) for n in (1, 2, 3))


@pytest.fixture(autouse=True, params=[1, 1 << 16], ids=["in-parts", "at-once"])
def _parsed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each log is read entry by entry, and at once: all of it holds for both."""
    monkeypatch.setattr(log_recovery, "_PART", request.param)


def content(text: ParsedLog) -> list:
    return [(block.seq, block.table) for block in text.blocks]


def is_plain(text: ParsedLog) -> bool:
    return not text.notes and text.torn is None and not any(b.edited for b in text.blocks)


def crlf(raw: bytes) -> bytes:
    return raw.replace(b"\n", b"\r\n")


def test_a_whole_log_is_read_with_its_lines_and_without_a_note(log_bytes, body):
    text = parse_log(log_bytes(3), "ford.toml")
    assert text.header["title"] == "Ambush"
    assert [block.seq for block in text.blocks] == [1, 2, 3]
    assert text.blocks[2].table == body(3)
    rows = log_bytes(3).split(b"\n")
    assert all(rows[block.line - 1] == b"[[entry]]" for block in text.blocks)
    assert len({block.line for block in text.blocks}) == 3
    assert is_plain(text)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_a_byte_order_mark_break_no_seal(log_bytes, bom):
    text = parse_log(bom + crlf(log_bytes(3)), "ford.toml")
    assert is_plain(text)
    assert content(text) == content(parse_log(log_bytes(3), "ford.toml"))


@pytest.mark.parametrize("form", [lambda raw: raw, crlf, lambda raw: b"\xef\xbb\xbf" + crlf(raw)])
@pytest.mark.parametrize("entries", [1, 12])
def test_a_last_entry_cut_anywhere_is_never_read_as_another(log_bytes, form, entries):
    raw = form(log_bytes(entries))
    start = len(form(log_bytes(entries - 1)))
    before, whole = content(parse_log(raw[:start], "x")), content(parse_log(raw, "x"))
    for cut in range(start, len(raw)):
        text = parse_log(raw[:cut], "x")
        if content(text) == whole:
            assert cut >= len(raw.rstrip())
        else:
            assert content(text) == before
            assert (text.torn or b"") == raw[text.end : cut]
            assert text.torn or not raw[start:cut].strip()
            assert bool(text.notes) == bool(text.torn)


def test_no_single_flipped_bit_is_read_in_silence():
    original = content(parse_log(SMALL, "x"))
    silent = []
    for bit in range(len(SMALL) * 8):
        raw = bytearray(SMALL)
        raw[bit // 8] ^= 1 << bit % 8
        try:
            text = parse_log(bytes(raw), "x")
        except LogError:
            continue
        # The header has no seal of its own; what is in the entries must still be all there.
        if is_plain(text) and (content(text) != original or bit // 8 > len(HEADER)):
            silent.append((bit, bytes(raw)))
    assert silent == []


def test_the_last_entry_with_a_wrong_sum_is_read_as_edited():
    text = parse_log(SMALL.replace(b"n = 3", b"n = 7"), "x")
    assert [block.edited for block in text.blocks] == [False, False, True]
    assert text.blocks[-1].table["n"] == 7
    assert text.notes == ("edited by hand since saved: entry 3 (line 16)",)


@pytest.mark.parametrize(
    "edit",
    [
        (b"n = 2", b"n = 22"),
        (b"n = 2", b"n = 2 # so said Ash"),
        (b'[[entry]]\ncommand = "hp"\nn = 2', b" [[ entry ]] # hm\ncommand = 'hp'\nn = 2"),
        (b"n = 2", b'n = 2\ntext = """\n[[entry]]\nseq = 99\n"""'),
        (b"seq = 2\n", b"seq = 2\n[entry.more]\nx = 1\n"),
    ],
)
def test_a_hand_edit_is_read_and_marked(edit):
    raw = SMALL.replace(*edit, 1)
    text = parse_log(raw, "x")
    assert [block.edited for block in text.blocks] == [False, True, False]
    assert text.notes == ("edited by hand since saved: entry 2 (line 10)",)


def test_edits_are_named_one_after_the_other():
    text = parse_log(SMALL.replace(b"n = 1", b"n = 7").replace(b"n = 3", b"n = 7"), "x")
    assert text.notes == ("edited by hand since saved: entry 1 (line 4), 3 (line 16)",)


def test_a_wrong_sum_and_a_missing_sum_are_both_edits():
    line = SMALL.split(b"\n")[6]
    assert line.startswith(b"sum")
    assert parse_log(SMALL.replace(line + b"\n", b""), "x").blocks[0].edited
    assert parse_log(SMALL.replace(line, b'sum = "00000000"'), "x").blocks[0].edited


def test_a_missing_older_entry_is_noted(header_bytes, entry_bytes):
    raw = header_bytes + entry_bytes(1) + entry_bytes(4)
    assert parse_log(raw, "x").notes == ("entries 2 to 3 are missing before line 17",)
    assert parse_log(header_bytes + entry_bytes(2), "x").notes[0].startswith("entry 1 is missing")


def test_an_unknown_key_in_the_header_is_noted():
    assert parse_log(b"format = 1\nmood = 3\n", "x").notes == (
        "unknown in the header, and left as it is: 'mood'",
    )


def test_the_last_entry_twice_is_kept_once_and_the_copy_set_aside(log_bytes, entry_bytes):
    text = parse_log(log_bytes(3) + entry_bytes(3), "x")
    assert text.torn == entry_bytes(3)
    assert len(text.blocks) == 3
    for cut in (entry_bytes(3)[:-1], entry_bytes(3).lstrip(b"\n"), entry_bytes(3) + b"\n"):
        assert parse_log(log_bytes(3) + cut, "x").torn == cut


def test_an_older_entry_once_more_at_the_end_is_damage(log_bytes, entry_bytes):
    with pytest.raises(Damaged):
        parse_log(log_bytes(3) + entry_bytes(2), "x")


def test_an_older_entry_twice_is_damage(header_bytes, entry_bytes):
    raw = header_bytes + b"".join(entry_bytes(n) for n in (1, 2, 2, 3))
    said = "this entry has seq 2, which does not come after 2; everything before it can be read, "
    with pytest.raises(Damaged, match=f"{said}up to entry 2$") as caught:
        parse_log(raw, "x")
    assert raw.split(b"\n")[caught.value.line - 1] == b"[[entry]]"
    assert [block.seq for block in caught.value.prefix.blocks] == [1, 2]


def test_a_rivals_whole_entry_with_a_taken_number_is_damage_and_not_set_aside(
    log_bytes, entry_bytes
):
    rival = entry_bytes(3, flavour=5)
    for whole in (rival, rival.lstrip(b"\n"), rival.replace(b"\n", b"\r\n")):
        with pytest.raises(Damaged):
            parse_log(log_bytes(3) + whole, "x")


def test_two_writers_lines_mixed_are_never_silent(log_bytes, entry_bytes):
    ours, theirs = entry_bytes(4).split(b"\n"), entry_bytes(4, flavour=5).split(b"\n")
    for at in range(2, len(ours) - 1):
        for upto in range(1, len(theirs)):
            mixed = ours[:at] + theirs[1 : upto + 1] + ours[at:] + theirs[upto + 1 :]
            with suppress(LogError):
                assert not is_plain(parse_log(log_bytes(3) + b"\n".join(mixed), "x"))


@pytest.mark.parametrize("which", [1, 2, 3])
def test_a_zeroed_entry_is_damage_unless_it_is_the_last(header_bytes, entry_bytes, which):
    blocks = [entry_bytes(n) for n in (1, 2, 3)]
    blocks[which - 1] = bytes(len(blocks[which - 1]))
    raw = header_bytes + b"".join(blocks)
    if which == 3:
        assert parse_log(raw, "x").torn == blocks[2]
        return
    with pytest.raises(Damaged) as caught:
        parse_log(raw, "x")
    assert len(caught.value.prefix.blocks) == which - 1


def test_a_tail_of_zeros_after_the_header_is_torn(header_bytes):
    text = parse_log(header_bytes + bytes(50), "x")
    assert (text.blocks, text.torn) == ([], bytes(50))
    assert text.notes == ("an unfinished entry (50 bytes) after the header was left out",)


def test_a_tail_from_the_block_before_is_never_silent(log_bytes, entry_bytes):
    ours, before = entry_bytes(3), entry_bytes(2)
    for keep in range(len(ours)):
        raw = log_bytes(2) + ours[:keep] + before[-(len(ours) - keep) :]
        if raw == log_bytes(3):
            continue
        with suppress(LogError):
            assert not is_plain(parse_log(raw, "x"))


@pytest.mark.parametrize("above", [b"", b"\n", b"\n\n"])
def test_a_broken_last_entry_with_its_number_is_damage_and_names_the_line(above):
    line = 18 + len(above)
    with pytest.raises(Damaged) as caught:
        parse_log(above + SMALL.replace(b"n = 3", b"n = = 3"), "x")
    assert str(caught.value) == (
        f"x is damaged at line {line}: this is not TOML (Invalid value); "
        "everything before it can be read, up to entry 2"
    )
    assert caught.value.line == line
    assert len(caught.value.prefix.blocks) == 2


@pytest.mark.parametrize("above", [b"", b"\n"])
@pytest.mark.parametrize(("at", "line"), [(b"n = 2", 12), (b"seq = 2", 14)])
def test_bytes_that_are_no_text_are_damage_and_name_the_line(above, at, line):
    with pytest.raises(Damaged) as caught:
        parse_log(above + SMALL.replace(at, at + b" # \xff"), "x")
    assert str(caught.value) == (
        f"x is damaged at line {line + len(above)}: this is not UTF-8 text; "
        "everything before it can be read, up to entry 1"
    )


def test_what_was_read_stays_as_it_was_read():
    with pytest.raises(AttributeError):
        parse_log(SMALL, "x").notes = ()


def test_how_much_was_read_is_known():
    for raw, end, ends_line in ((SMALL, 0, True), (SMALL[:-1], 0, False), (SMALL[:-4], 1, True)):
        text = parse_log(raw, "x")
        assert text.end == (len(SMALL[: SMALL.rindex(b"\n[[entry]]")]) if end else len(raw))
        assert text.ends_line is ends_line


def test_an_entry_without_a_number_is_damage_in_the_middle_and_torn_at_the_end():
    with pytest.raises(Damaged, match="line 10: this entry has no `seq`; everything"):
        parse_log(SMALL.replace(b"seq = 2\n", b""), "x")
    assert parse_log(SMALL + b'\n[[entry]]\ncommand = "note"\n', "x").torn


def test_a_string_left_open_by_hand_keeps_every_entry_before_it(header_bytes, entry_bytes):
    raw = b"\n" + header_bytes + b"".join(entry_bytes(n) for n in range(1, 60))
    raw = raw.replace(b"seq = 40\n", b'x = """\nseq = 40\n')
    with pytest.raises(Damaged) as caught:
        parse_log(raw, "x")
    assert len(caught.value.prefix.blocks) == 39
    # The parser only notices at the end of the file; the entry is where the GM must look.
    assert raw.split(b"\n")[caught.value.line - 1] in (b"[[entry]]", b'x = """')


NO_LOG = "x is not an affray log: "
OTHER = "x is TOML, but not an affray log: "
LATER = "x has format 7, but this affray reads formats up to 1: a later affray wrote it"
NO_TABLES = NO_LOG + "its entries are not [[entry]] tables"
NO_NUMBER = OTHER + "its `format` is not a format number"
NO_KEY = "(Expected '=' after a key in a key/value pair)"


@pytest.mark.parametrize(
    ("raw", "kind", "says"),
    [
        (b"", NotALog, "x is empty, so it is not an affray log"),
        (b"\xef\xbb\xbf \n", NotALog, "x is empty, so it is not an affray log"),
        (b"\x89PNG\r\n\x1a\n\x00", NotALog, NO_LOG + "line 1: this is not UTF-8 text"),
        ("format = 1\n".encode("utf-16"), NotALog, NO_LOG + "line 1: this is not UTF-8 text"),
        (b"format = 1\nx = 2\n\xff\n", NotALog, NO_LOG + "line 3: this is not UTF-8 text"),
        (b"Dear diary,\n", NotALog, NO_LOG + f"line 1: this is not TOML {NO_KEY}"),
        (b"format = 1\nx = \n", NotALog, NO_LOG + "line 2: this is not TOML (Invalid value)"),
        (b"[project]\nname = 'x'\n", NotALog, OTHER + "it has no `format`"),
        (b"format = '1'\n", NotALog, NO_NUMBER),
        (b"format = 0\n", NotALog, NO_NUMBER),
        (b"format = true\n", NotALog, NO_NUMBER),
        (b"format = 7\n[[entry]]\n", NewerFormat, LATER),
        (b"format = 7\n[[entry]]\nx = ?\n", NewerFormat, LATER),
        (b"format = 1\nentry = 5\n", NotALog, NO_TABLES),
        (b"format = 1\nentry = []\n", NotALog, NO_TABLES),
        (b"format = 1\nentry = [{seq = 1}]\n", NotALog, NO_TABLES),
    ],
)
def test_what_is_no_log_is_named_in_one_line(raw, kind, says):
    with pytest.raises(kind) as caught:
        parse_log(raw, "x")
    assert str(caught.value) == says


@pytest.mark.parametrize(("many", "why"), [(b"[" * 5000, "96 deep"), (b"9" * 5000, "limit")])
def test_what_is_too_much_for_the_parser_is_named_by_the_last_line(many, why):
    with pytest.raises(NotALog) as caught:
        parse_log(b"format = 1\nx = " + many, "x")
    said = str(caught.value)
    assert said.startswith(NO_LOG + "line 2: this can't be read as TOML (")
    assert why in said and said.endswith(")") and "\n" not in said


PIECES = st.sampled_from(
    # What a log is made of, and what breaks one.
    [b"\n", b"\r", b'"', b'"""', b"[", b"{", b"\xff", b"\x00" * 9, b"[" * 999, b"9" * 5000, SMALL]
) | st.sampled_from(
    [HEADER, b"format = 2\n", b"entry = 1\n", b"[entry]\n", b"[[entry]]\n", b"\nseq = 2\n"]
    + [b"seq = %d\n" % n for n in (-1, 99, 10**30)]
)


@st.composite
def mangled(draw):
    raw = SMALL
    for _ in range(draw(st.integers(1, 3))):
        a, b = sorted((draw(st.integers(0, len(raw))), draw(st.integers(0, len(raw)))))
        raw = (
            raw[:a]
            + draw(PIECES | st.binary(max_size=5))
            + draw(st.sampled_from([raw[a:], raw[b:]]))
        )
    return raw


@settings(max_examples=300, deadline=None)
@given(st.binary() | st.lists(PIECES).map(b"".join) | mangled())
@example(b'format = 1\nx = """\n[[entry]]\n"""\nentry = [1]\n')
@example(b"format = 1\n[[entry]]\nseq = 1\n[[entry.seq]]\n")
def test_any_bytes_are_a_log_or_a_clear_error(raw):
    try:
        text = parse_log(raw, "x")
    except LogError as error:
        assert "\n" not in str(error)
        return
    assert raw[text.end :] == (text.torn or b"")
    if text.torn is None and is_plain(text):
        assert len(tomli.loads(raw.decode("utf-8-sig")).get("entry", [])) == len(text.blocks)


@pytest.mark.parametrize("number", [b"'2'", b"2.0", b"true", b"[2]", b"1000000000000000"])
def test_a_number_that_is_none_is_damage(number):
    raw = SMALL.replace(b"seq = 2", b"seq = " + number)
    with pytest.raises(Damaged) as caught:
        parse_log(raw, "x")
    assert str(caught.value) == (
        "x is damaged at line 10: this entry's `seq` is not an entry number; "
        "everything before it can be read, up to entry 1"
    )


def test_the_greatest_number_that_an_entry_can_have():
    greatest = 10**15 - 1
    assert parse_log(HEADER + format_entry({"command": "x"}, greatest), "x").last_seq == greatest


@pytest.mark.parametrize("gaps", [5, 6, 7, 9])
def test_many_gaps_are_summed_up(header_bytes, entry_bytes, gaps):
    raw = header_bytes + b"".join(entry_bytes(2 * n) for n in range(1, gaps + 1))
    notes = parse_log(raw, "x").notes
    assert all(note.startswith("entry ") for note in notes[:5])
    more = {5: (), 6: ("entries are missing in 1 more place",)}
    assert notes[5:] == more.get(gaps, (f"entries are missing in {gaps - 5} more places",))


def test_many_strangers_in_a_header_are_named_as_far_as_a_line_holds_them():
    raw = b"format = 1\n" + b"".join(b"key-%d = 1\n" % n for n in range(1, 7))
    assert parse_log(raw, "x").notes == (
        "unknown in the header, and left as it is: 'key-1', 'key-2', 'key-3', 'key-4', 'key-5'",
    )
    (note,) = parse_log(b"format = 1\n" + b"k" * 99 + b" = 1\n", "x").notes
    assert note == f"unknown in the header, and left as it is: '{'k' * 39}"


@pytest.mark.parametrize(("count", "more"), [(5, ""), (6, " and 1 more"), (8, " and 3 more")])
def test_many_edits_are_summed_up(header_bytes, entry_bytes, count, more):
    raw = header_bytes + b"".join(entry_bytes(n) for n in range(1, count + 1))
    (note,) = parse_log(raw.replace(b"by = 1 ", b"by = 2 "), "x").notes
    assert note.count("(line ") == min(count, 5)
    assert note.endswith(f"){more}")


def test_sectors_of_the_last_entry_that_never_came_are_torn_and_zeros_elsewhere_are_not():
    long = format_entry({"command": "x" * 2000}, 4)
    start = len(SMALL)
    edge = (start // 512 + 2) * 512 - start
    torn = long[: edge - 512] + bytes(512) + long[edge:]
    assert parse_log(SMALL + torn, "x").torn == torn
    begun_in_a_sector = bytes(edge - 512) + long[edge - 512 :]
    assert edge % 512 and parse_log(SMALL + begun_in_a_sector, "x").torn == begun_in_a_sector
    for wrong in (
        long[: edge - 511] + bytes(511) + long[edge:],
        long[: edge - 512] + bytes(511) + long[edge - 1 :],
        torn + b"more = 1\n",
        torn.replace(b"seq = 4", b"seq = 5"),
    ):
        with pytest.raises(Damaged):
            parse_log(SMALL + wrong, "x")


@pytest.mark.parametrize(
    "strange",
    [
        b'\n[[entry]]\ncommand = """note\n[[entry]]\n"""\nseq = 4\n',
        b"\n[[entry]]\nseq = 4\n\n[other]\nx = 1\n",
        b"\n[[ entry ]]\nseq = 4\n",
        b"\n[[entry]]\nseq = 4\n\n[[entry.events]]\nevent = 'noted'\ntext = 'x'\n",
    ],
)
def test_what_only_a_hand_writes_is_read_wherever_a_part_ends(
    strange: bytes, entry_bytes: Callable[..., bytes]
) -> None:
    raw = SMALL + strange + entry_bytes(5)
    assert content(parse_log(raw, "x")) == [
        (entry.pop("seq"), {key: value for key, value in entry.items() if key != "sum"})
        for entry in tomli.loads(raw.decode())["entry"]
    ]


def test_a_table_twice_is_damage_though_each_part_alone_is_whole() -> None:
    table = b"\n[other]\nx = 1\n"
    with pytest.raises(Damaged, match="other"):
        parse_log(SMALL.replace(b"\n[[entry]]", table + b"\n[[entry]]"), "x")
