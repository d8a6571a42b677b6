"""`affray check --repair`: a new log with all that is whole; the damaged one stays as it is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import assume, given, settings, strategies as st

from affray.cli import main
from affray.core.dice import SeededDice
from affray.store import LogError, NewerFormat, log_repair
from affray.store.entry_toml import format_entry, format_header
from affray.store.log_recovery import parse_log
from affray.store.log_repair import repaired, repaired_name, survey, write_repaired
from affray.store.open_encounter import OpenEncounter

AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
RULES = "monsters-and-magic"
HEADER = format_header({"format": 1, "title": "Ambush", "ruleset": RULES})
MADE = b"# Made by `affray check --repair` from a damaged log, with everything that was intact."
DAMAGE = [{"event": "changed", "who": "", "track": "threads", "by": 1}]


def entry(seq: int, **body: object) -> bytes:
    return format_entry({"command": f"step {seq}", "events": DAMAGE, **body}, seq)


def move(seq: int, to: int) -> bytes:
    return format_entry({"command": f"goto {to}", "to": to}, seq)


def threads(raw: bytes, folder: Path) -> int:
    """How many entries are in force in a log, each of which gives the GM one thread."""
    path = folder / "counted.toml"
    path.write_bytes(raw)
    with OpenEncounter.view(path) as fight:
        return fight.state.gm("threads")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A fight of eight entries: Mira and a ghoul, which took 3, then 2 that were undone."""
    path = tmp_path / "ford.toml"
    with OpenEncounter.create(path, RULES, "The Ford", SeededDice(1), lambda: AT) as fight:
        for line in ("add pc Mira hp 20 ac 2", "add monster Ghoul hp 18", "init mira 9"):
            fight.do(line)
        for line in ("init ghoul 5", "start", "damage ghoul 3", "damage ghoul 2", "undo"):
            fight.do(line)
    return path


def zeroed(path: Path, seq: int) -> bytes:
    """The log with zeros from the middle of an entry to its end."""
    raw = path.read_bytes()
    end = raw.index(b"seq = %d\n" % seq) + 8
    start = raw.rindex(b"command = ", 0, end)
    path.write_bytes(raw[:start] + bytes(end - start) + raw[end:])
    return path.read_bytes()


def test_what_is_whole_before_and_behind_is_copied_byte_for_byte(path: Path) -> None:
    blocks = path.read_bytes().split(b"\n[[entry]]")
    raw = zeroed(path, 6)
    made = repaired(survey(raw, "x"))
    assert made.startswith(MADE + b"\n# entry 6 is lost\n# lines 58 to 60 left out\n" + blocks[0])
    assert all(b"\n[[entry]]" + blocks[n].rstrip(b"\n") in made for n in (1, 2, 3, 4, 5, 7, 8))
    text = parse_log(made, "x")
    assert [block.seq for block in text.blocks] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert text.notes == () and text.torn is None


def test_the_new_log_opens_and_plays_and_the_old_one_is_as_it_was(path: Path) -> None:
    raw = zeroed(path, 5)
    new = repaired_name(path)
    assert new == path.parent / "ford.repaired.toml"
    assert write_repaired(survey(raw, "x"), new) == 8
    assert path.read_bytes() == raw
    with OpenEncounter.open(new) as fight:
        assert (fight.read_only, fight.notes) == ("", ())
        assert fight.state["ghoul"].track("hp") == 15
        assert fight.history.entries[5].title == "Note: entry 5 is lost"
        assert fight.do("damage ghoul 1").seq == 9
        assert fight.state["ghoul"].track("hp") == 14


def test_a_move_to_a_lost_entry_goes_to_its_place(tmp_path: Path) -> None:
    raw = HEADER + entry(1) + entry(2) + b"?" + entry(6) + move(7, 4) + entry(8) + move(9, 3)
    made = repaired(survey(raw, "x"))
    text = parse_log(made, "x")
    assert [block.seq for block in text.blocks] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert [b.table["text"] for b in text.blocks[2:5]] == [
        "Note: entry 3 is lost",
        "Note: entry 4 is lost",
        "Note: entry 5 is lost",
    ]
    assert not any(block.edited for block in text.blocks)
    assert threads(made, tmp_path) == 2
    assert threads(made[: made.rindex(b"\n[[entry]]")], tmp_path) == 3


def test_only_the_numbers_that_are_needed_are_filled(tmp_path: Path) -> None:
    raw = HEADER + entry(1) + b"?" + entry(500) + move(501, 200) + move(502, 500) + move(503, 0)
    made = repaired(survey(raw, "x"))
    text = parse_log(made, "x")
    assert [block.seq for block in text.blocks] == [1, 200, 499, 500, 501, 502, 503]
    assert text.blocks[1].table == {
        "command": 'note "entries 2 to 200 are lost"',
        "text": "Note: entries 2 to 200 are lost",
        "events": [{"event": "noted", "text": "entries 2 to 200 are lost"}],
    }
    assert text.blocks[2].table["text"] == "Note: entries 201 to 499 are lost"
    assert made.startswith(
        MADE + b"\n# entries 2 to 499 are lost\n# line 12 left out\nformat = 1\n"
    )


def test_a_lost_beginning_has_notes_in_its_place(tmp_path: Path) -> None:
    made = repaired(survey(HEADER + entry(3) + move(4, 1) + entry(5), "x"))
    assert [block.seq for block in parse_log(made, "x").blocks] == [1, 2, 3, 4, 5]
    assert parse_log(made, "x").blocks[0].table["text"] == "Note: entry 1 is lost"
    assert threads(made, tmp_path) == 1
    assert made.startswith(MADE + b"\n# entries 1 to 2 are lost\nformat = 1\n")


def test_a_torn_end_is_left_out_and_nothing_is_lost(path: Path) -> None:
    raw = path.read_bytes()
    torn = raw[:-9]
    made = repaired(survey(torn, "x"))
    assert made.endswith(raw[: raw.rindex(b"\n[[entry]]")])
    assert b"lost" not in made
    first, last = torn[: torn.rindex(b"[[entry]]")].count(b"\n") + 1, torn.count(b"\n") + 1
    assert made.startswith(MADE + b"\n# lines %d to %d left out\nformat = 1\n" % (first, last))


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_a_byte_order_mark_are_kept(bom: bytes, path: Path) -> None:
    raw = bom + zeroed(path, 6).replace(b"\n", b"\r\n")
    made = repaired(survey(raw, "x"))
    assert made.startswith(bom + MADE + b"\r\n# entry 6 is lost\r\n")
    assert made.count(b"\r\n") == made.count(b"\n")
    assert made.count(b"\xef\xbb\xbf") == len(bom) // 3
    text = parse_log(made, "x")
    assert text.notes == () and text.last_seq == 8


def test_an_entry_that_is_none_is_left_out_with_what_is_behind_it_kept(tmp_path: Path) -> None:
    wrong = format_entry({"command": "x", "events": [{"event": "noted", "text": 5}]}, 2)
    raw = HEADER + entry(1) + wrong + entry(3) + move(4, 99) + entry(5)
    made = repaired(survey(raw, "x"))
    assert threads(made, tmp_path) == 3
    assert [block.seq for block in parse_log(made, "x").blocks] == [1, 2, 3, 4, 5]


def test_a_log_that_is_whole_but_leads_to_a_missing_entry_is_repaired(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = path.read_bytes()
    blocks = raw.split(b"\n[[entry]]")
    path.write_bytes(b"\n[[entry]]".join(blocks[:6] + blocks[7:]))
    assert main(["check", str(path)]) == 2, "entry 8 goes back to entry 6"
    said = capsys.readouterr()
    assert "entry 6 is missing before line 58" in said.out
    assert "entry 8 (lines 68 to 74): it goes to entry 6, which is missing" in said.out
    assert "entry 6 is not in the log" in said.err
    assert main(["check", str(path), "--repair"]) == 0
    assert len(blocks) == 9
    with OpenEncounter.open(repaired_name(path)) as fight:
        assert (fight.read_only, fight.notes, fight.history.head) == ("", (), 6)
        assert fight.history.entries[6].title == "Note: entry 6 is lost"
        assert fight.state["ghoul"].track("hp") == 18


def test_entries_that_a_hand_has_moved_are_put_in_their_order(path: Path) -> None:
    whole = path.read_bytes()
    head, *blocks = whole.split(b"\n[[entry]]")
    swapped = [*blocks[:4], blocks[5], blocks[4], *blocks[6:]]
    for moved in (swapped, blocks[::-1]):
        raw = b"\n[[entry]]".join([head, *moved])
        made = repaired(survey(raw, "x"))
        assert made == MADE + b"\n" + whole
    assert b"lost" not in made


def test_the_places_of_the_lost_are_found_without_going_through_all_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Counted(int):
        compared = 0

        def __lt__(self, other: int) -> bool:
            Counted.compared += 1
            return int(self) < other

    count = 600
    parts = [entry(n) if n % 3 else move(n, n - 2) for n in range(1, count) if n % 7]
    found = survey(HEADER + b"".join(parts), "x")
    goals = [Counted(goal) for goal in log_repair._goals(found)]
    monkeypatch.setattr(log_repair, "_goals", lambda found: goals)
    made = repaired(found)
    assert parse_log(made, "x").lacks == ()
    assert len(goals) > 150 and Counted.compared < 20 * count


def test_an_edit_by_hand_is_kept_as_it_was_made() -> None:
    edited = entry(2).replace(b"by = 1", b"by =  9").replace(b"\n]\n", b"\n] # so said Ash\n")
    made = repaired(survey(HEADER + entry(1) + edited + b"?" + entry(4), "x"))
    assert edited.strip() in made
    assert [block.edited for block in parse_log(made, "x").blocks] == [False, True, False, False]


def test_the_lines_of_a_broken_header_that_are_whole_are_kept() -> None:
    header = b"\xef\xbb\xbftitle = ?\n" + HEADER.replace(b"format", b"f\xffrmat")
    header += b'mood = "grim"\n[x]\nmood = 2\nruleset = "again"\n\n'
    made = repaired(survey(header + entry(1), "x"))
    assert made == (
        MADE
        + b'\nformat = 1\ntitle = "Ambush"\nruleset = "monsters-and-magic"\nmood = "grim"\n'
        # The mark at the top went with the line that it stood in.
        + entry(1)
    )


def test_a_header_that_has_lost_the_rules_is_not_made_up(tmp_path: Path) -> None:
    raw = HEADER.replace(b"ruleset = ", b"ruleset ? ") + entry(1)
    target = tmp_path / "new.toml"
    with pytest.raises(LogError) as refusal:
        write_repaired(survey(raw, "x"), target)
    assert str(refusal.value) == (
        'its header has lost the rule system: add the line `ruleset = "..."` to a copy, '
        "and repair that"
    )
    with pytest.raises(LogError, match="has lost the rule system"):
        repaired(survey(b"?\n" + HEADER.replace(b'= "monsters', b'= 5 # "') + entry(1), "x"))
    raw = HEADER.replace(b"title = ", b"title ? ").replace(b"format = 1", b"format = 3") + entry(1)
    with pytest.raises(NewerFormat, match="format 3"):
        write_repaired(survey(raw, "x"), target)
    assert not target.exists()


# --- the command ----------------------------------------------------------------------------------


def test_repair_writes_beside_and_says_what_it_did(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = zeroed(path, 6)
    assert main(["check", str(path), "--repair"]) == 0
    said = capsys.readouterr()
    new = path.parent / "ford.repaired.toml"
    assert said.out.splitlines() == [
        "entries 1 to 5 are intact (lines 7 to 56)",
        said.out.splitlines()[1],
        "entry 6 is missing before line 61",
        "entry 7 is intact (lines 61 to 69)",
        "entry 8 (lines 71 to 77): it goes to entry 6, which is missing",
        f"{new}: written, 8 entries; {path} is as it was",
        "Check what follows a loss: it was decided with entries that are now missing.",
    ]
    assert said.out.splitlines()[1].startswith("lines 58 to 60: damaged, ")
    assert said.err == ""
    assert path.read_bytes() == raw
    assert main(["check", str(new)]) == 0


def test_a_check_of_a_damaged_log_writes_nothing_and_ends_with_2(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zeroed(path, 6)
    assert main(["check", str(path)]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 5
    assert said.err.startswith("affray: ") and said.err.count("\n") == 1
    assert "is damaged at line" in said.err
    assert [file.name for file in path.parent.iterdir() if file.suffix == ".toml"] == ["ford.toml"]


def test_a_torn_log_is_repaired_without_a_warning(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_bytes(path.read_bytes()[:-5])
    assert main(["check", str(path), "--repair", str(path.parent / "mine.toml")]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == f"{path.parent / 'mine.toml'}: written, 7 entries; {path} is as it was"


@pytest.mark.parametrize("taken", ["ford.toml", "other.toml", "folder"])
def test_no_file_is_ever_replaced(
    taken: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zeroed(path, 6)
    (path.parent / "other.toml").write_text("mine", "utf-8")
    (path.parent / "folder").mkdir()
    before = {f: f.read_bytes() for f in path.parent.iterdir() if f.is_file()}
    assert main(["check", str(path), "--repair", str(path.parent / taken)]) == 2
    assert "exists already; nothing was changed" in capsys.readouterr().err
    assert {f: f.read_bytes() for f in path.parent.iterdir() if f.is_file()} == before


def test_a_second_repair_does_not_replace_the_first(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zeroed(path, 6)
    assert main(["check", str(path), "--repair"]) == 0
    assert main(["check", str(path), "--repair"]) == 2
    assert "exists already; nothing was changed" in capsys.readouterr().err


def test_a_repair_into_no_folder_is_refused(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zeroed(path, 6)
    assert main(["check", str(path), "--repair", str(path.parent / "no" / "x.toml")]) == 2
    assert "x.toml" in capsys.readouterr().err


def test_a_whole_log_needs_no_repair(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path), "--repair"]) == 0
    assert capsys.readouterr().out == f"{path}: intact, 8 entries\n"
    assert not repaired_name(path).exists()


def test_what_only_a_later_affray_can_read_needs_no_repair(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = [{"event": "transmuted", "who": "ghoul"}]
    path.write_bytes(path.read_bytes() + format_entry({"command": "x", "events": event}, 9))
    assert main(["check", str(path), "--repair"]) == 2
    said = capsys.readouterr()
    assert "'transmuted'" in said.err
    assert said.out.splitlines()[0] == "entries 1 to 8 are intact (lines 7 to 84)"
    assert said.out.splitlines()[1].startswith("entry 9 (lines 86 to 92): it holds an event")
    assert not repaired_name(path).exists()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from("emdzx"), min_size=2, max_size=9),
    st.integers(0, 12),
    st.sampled_from([b"\n", b"\r\n"]),
)
def test_any_damage_gives_a_log_that_is_whole(kinds: list[str], goal: int, end: bytes) -> None:
    """e: an entry, m: a move, d: a damaged entry, z: zeros, x: a stray line."""
    raw = HEADER
    for seq, kind in enumerate(kinds, 1):
        block = move(seq, min(goal, seq - 1)) if kind == "m" else entry(seq)
        raw += {"d": block[:-12], "z": bytes(len(block)), "x": b"stray\n"}.get(kind, block)
    whole = [seq for seq, kind in enumerate(kinds, 1) if kind in "em"]
    assume(whole)
    found = survey(raw.replace(b"\n", end), "x")
    assert [piece.seq for piece in found.entries] == whole
    text = parse_log(repaired(found), "x")
    assert text.torn is None and text.last_seq == (whole[-1] if whole else 0)
    assert set(whole) <= {block.seq for block in text.blocks if not block.edited}
