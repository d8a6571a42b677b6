"""Copies, other names, and what is put away: nothing is lost, and nothing is written over."""

from __future__ import annotations

import errno
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from affray.core.dice import SeededDice
from affray.core.parser.errors import Refused
from affray.store import InUse, LogError
from affray.store.campaigns import find, manage
from affray.store.campaigns.files import load_toml
from affray.store.campaigns.find import find_campaigns, without_away
from affray.store.log_file import LogFile, read_log
from affray.store.open_encounter import OpenEncounter

RULES = "monsters-and-magic"
THEN = datetime(2026, 10, 2, 19, tzinfo=UTC)
LINES = (
    "add pc Mira hp 20 ac 0",
    "add monster Ghoul hp 10 ac 0 cr 1",
    "note The ford is deep.",
    "init mira 20",
    "init ghoul 5",
    "start",
    "strike ghoul strong 4",
    "add monster Rat hp 3 cr 0",
    "next",
)


@pytest.fixture
def vale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign with one encounter that is being played."""
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    folder = tmp_path / "vale"
    (folder / "encounters").mkdir(parents=True)
    (folder / "campaign.toml").write_text(
        f'# mine\nname = "The Vale"  # once "Dale"\nruleset = "{RULES}"\n', "utf-8"
    )
    with OpenEncounter.create(
        ford(folder), RULES, "The Ford", dice=SeededDice(3), now=lambda: THEN
    ) as opened:
        for line in LINES:
            opened.do(line)
    return folder


def ford(folder: Path) -> Path:
    return folder / "encounters" / "ford.toml"


def entries(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n[[entry]]")[1:]


# -- names -----------------------------------------------------------------------------------------


def test_a_renamed_encounter_is_the_same_but_for_its_title(vale: Path) -> None:
    path, before = ford(vale), entries(ford(vale))
    assert find.rename_encounter(path, "The Deep Ford") == "The Ford"
    text = read_log(path)
    assert text.header["title"] == "The Deep Ford" and text.notes == (), "it is sealed"
    assert text.header["created"] == THEN and entries(path) == before
    find.rename_encounter(path, "The Ford")
    with OpenEncounter.open(path) as opened:
        assert opened.title == "The Ford" and opened.state.round == 1


def test_renamed_and_renamed_back_is_the_same_file(vale: Path) -> None:
    before = ford(vale).read_bytes()
    find.rename_encounter(ford(vale), find.rename_encounter(ford(vale), "X"))
    assert ford(vale).read_bytes() == before


def test_a_title_may_hold_backslashes(vale: Path) -> None:
    find.rename_encounter(ford(vale), r"Ford \1 \g<0>")
    text = read_log(ford(vale))
    assert text.header["title"] == r"Ford \1 \g<0>" and text.notes == (), "it is sealed"


@pytest.mark.parametrize(
    ("was", "is_"),
    [
        (b"format = 1\n", b"# mine\nformat = 1\n"),
        (b'title = "The Ford"\n', b"title = 'The Ford'\n"),
        (b'title = "The Ford"\n', b'"title" = "The Ford"\n'),
    ],
)
def test_a_header_that_was_edited_by_hand_takes_another_title(
    was: bytes, is_: bytes, vale: Path
) -> None:
    path = ford(vale)
    path.write_bytes(path.read_bytes().replace(was, is_, 1))
    find.rename_encounter(path, 'The "Deep" Ford')
    assert read_log(path).header["title"] == 'The "Deep" Ford'
    assert (b"# mine" in path.read_bytes()) == (b"# mine" in is_)


def test_a_header_without_a_seal_gets_none(vale: Path) -> None:
    path = ford(vale)
    head, _, rest = path.read_bytes().partition(b"\n[[entry]]")
    bare = b"".join(line for line in head.splitlines(True) if not line.startswith(b"sum"))
    path.write_bytes(bare + b"\n[[entry]]" + rest)
    find.rename_encounter(path, "Bare")
    assert b'title = "Bare"' in path.read_bytes() and "sum" not in read_log(path).header


def test_what_is_open_elsewhere_keeps_its_name_and_its_place(vale: Path) -> None:
    before = ford(vale).read_bytes()
    with OpenEncounter.open(ford(vale)):
        with pytest.raises(InUse):
            find.rename_encounter(ford(vale), "X")
        with pytest.raises(InUse):
            manage.archive(ford(vale))
        with pytest.raises(InUse):
            manage.archive(vale)
    assert ford(vale).read_bytes() == before


@pytest.mark.parametrize("name", ["", "?!", "   "])
def test_a_name_needs_a_letter(name: str, vale: Path) -> None:
    for change in (
        lambda: find.rename_encounter(ford(vale), name),
        lambda: find.rename_campaign(vale, name),
        lambda: manage.copy_encounter(ford(vale), name),
        lambda: manage.copy_unbegun(ford(vale), name),
        lambda: manage.copy_campaign(vale, name),
    ):
        with pytest.raises(Refused, match="at least one letter"):
            change()
    assert [path.name for path in (vale / "encounters").glob("*.toml")] == ["ford.toml"]


def test_a_renamed_campaign_keeps_its_comments_and_its_folder(vale: Path) -> None:
    assert find.rename_campaign(vale, "The Weald") == "The Vale"
    text = (vale / "campaign.toml").read_text("utf-8")
    assert text.startswith("# mine\n") and f'ruleset = "{RULES}"' in text
    assert load_toml(vale / "campaign.toml")["name"] == "The Weald"


ABOUTS = {
    "in three quotes": ('name = """The\n Vale""" # old', 'name = "The Weald" # old'),
    "a quoted key": ('"name" = "The Vale"', '"name" = "The Weald"'),
    "indented": ("  name   =  'The Vale'", '  name   =  "The Weald"'),
    "with a comment": ('name = "The Vale"  # name = "x"', 'name = "The Weald"  # name = "x"'),
    "behind others": (
        "ruleset = 'orcus'\nname = 'The Vale'",
        "ruleset = 'orcus'\nname = \"The Weald\"",
    ),
    "none": ("ruleset = 'orcus'", "name = \"The Weald\"\nruleset = 'orcus'"),
    "in a text": (
        "note = '''\nname = 'x'\n'''\nname = 'The Vale'",
        "note = '''\nname = 'x'\n'''\nname = \"The Weald\"",
    ),
}


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(("old", "new"), ABOUTS.values(), ids=ABOUTS)
def test_of_a_renamed_campaigns_file_the_name_alone_is_another(
    old: str, new: str, mark: str, ends: str, vale: Path
) -> None:
    about, author = vale / "campaign.toml", '\n[author]\nname = "Bob" # me\n'
    about.write_bytes(f"{mark}{old}{author}".replace("\n", ends).encode())
    find.rename_campaign(vale, "The Weald")
    assert about.read_bytes() == f"{mark}{new}{author}".replace("\n", ends).encode()


def test_a_campaign_without_a_name_is_called_by_its_folder_until_it_has_one(vale: Path) -> None:
    about = vale / "campaign.toml"
    about.write_text(f'ruleset = "{RULES}"\n', "utf-8")
    assert find.rename_campaign(vale, "Named") == "vale"
    assert load_toml(about) == {"name": "Named", "ruleset": RULES}
    about.unlink()
    assert find.rename_campaign(vale, "Anew") == "vale"
    assert load_toml(about) == {"name": "Anew"}


def test_what_cant_be_written_keeps_its_name(vale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(find, "replace_file", refuse)
    for change in (find.rename_campaign, find.rename_encounter):
        with pytest.raises(LogError, match="No space left"):
            change(vale if change is find.rename_campaign else ford(vale), "X")


# -- copies ----------------------------------------------------------------------------------------


def test_a_copy_has_the_same_entries_under_another_title(vale: Path) -> None:
    made = manage.copy_encounter(ford(vale), "The Ford at Night")
    assert made.name == "the-ford-at-night.toml" and entries(made) == entries(ford(vale))
    header = read_log(made).header
    assert header["title"] == "The Ford at Night" and header["created"] > THEN
    assert read_log(made).notes == ()
    assert manage.copy_encounter(ford(vale), "The Ford at Night").stem == "the-ford-at-night-2"


def test_a_copy_leaves_out_an_entry_that_was_cut_off(vale: Path) -> None:
    whole = manage.copy_encounter(ford(vale), "Whole")
    ford(vale).write_bytes(ford(vale).read_bytes() + b"\n[[entry]]\nat = 2026-10-02T19")
    assert entries(manage.copy_encounter(ford(vale), "Cut")) == entries(whole)


def test_a_copy_to_play_has_all_who_were_in_it_before_the_first_round(vale: Path) -> None:
    made = manage.copy_unbegun(ford(vale), "Again")
    with OpenEncounter.open(made) as opened:
        state = opened.state
        assert (state.phase, opened.title, opened.notes) == ("setup", "Again", ())
        assert [who.name for who in state.combatants] == ["Mira", "Ghoul"]
        assert state["ghoul"].track("hp") == 10
        assert all(slot.initiative is None for slot in state.slots)
        assert [entry.command for entry in opened.history.entries.values()] == list(LINES[:3])
        opened.do("start")


def test_a_copy_to_play_has_nothing_that_was_undone(vale: Path) -> None:
    with OpenEncounter.open(ford(vale)) as opened:
        opened.do("goto 2")
        opened.do("add monster Wolf hp 4 cr 1")
    with OpenEncounter.view(manage.copy_unbegun(ford(vale), "Again")) as viewed:
        assert [who.name for who in viewed.state.combatants] == ["Mira", "Ghoul", "Wolf"]


def test_a_copy_to_play_has_nothing_that_another_fight_left(vale: Path) -> None:
    path = vale / "encounters" / "bell.toml"
    with OpenEncounter.create(path, RULES, "The Bell", dice=SeededDice(3)) as opened:
        opened.do("add pc Mira hp 20 ac 0")
    carried = {"event": "carried", "log": "ledger.toml", "entry": 1, "title": "Ledger"}
    wound = {"event": "changed", "who": "mira", "track": "hp", "by": -5}
    log = LogFile.open(path)
    log.append({"at": THEN, "command": "carry", "events": [carried, wound]})
    log.close()
    with OpenEncounter.view(path) as fight:
        assert fight.state["mira"].track("hp") == 15
    with OpenEncounter.view(manage.copy_unbegun(path, "Again")) as fight:
        assert fight.state["mira"].track("hp") == 20


def test_of_what_a_later_affray_wrote_there_is_no_copy_to_play(vale: Path) -> None:
    raw = ford(vale).read_bytes()
    with OpenEncounter.open(ford(vale)) as opened:
        opened.do("note x")
    block = ford(vale).read_bytes()[len(raw) :].replace(b"[[entry]]\n", b"[[entry]]\nlater = 1\n")
    import zlib

    body, _, _ = block.strip(b"\n").partition(b'\nsum = "')
    seq = b"\nseq = 10"
    crc = zlib.crc32(seq, zlib.crc32(body))
    ford(vale).write_bytes(raw + b'\n%b\nsum = "%08x"%b\n' % (body, crc, seq))
    with pytest.raises(Refused, match="later one wrote it"):
        manage.copy_unbegun(ford(vale), "Again")


def test_a_copied_campaign_is_whole_and_has_its_own_name(vale: Path) -> None:
    made = manage.copy_campaign(vale, "The Vale Again")
    assert made == vale.parent / "the-vale-again"
    assert ford(made).read_bytes() == ford(vale).read_bytes()
    assert sorted(c.name for c in find_campaigns()) == ["The Vale", "The Vale Again"]
    assert not list(vale.parent.glob(".*")) and not list(made.rglob("*.lock"))


def test_a_copy_that_cant_be_made_leaves_nothing(
    vale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = sorted(vale.parent.rglob("*"))
    monkeypatch.setattr(shutil, "copytree", refuse)
    monkeypatch.setattr(manage, "publish_atomically", refuse)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(LogError, match="No space left"):
        manage.copy_campaign(vale, "X")
    with pytest.raises(LogError, match="No space left"):
        manage.copy_encounter(ford(vale), "X")
    with pytest.raises(LogError, match="No space left"):
        manage.copy_unbegun(ford(vale), "X")
    monkeypatch.undo()
    assert sorted(vale.parent.rglob("*")) == before


# -- put away --------------------------------------------------------------------------------------


def test_an_encounter_that_is_put_away_is_out_of_the_list_and_comes_back(
    vale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = ford(vale).read_bytes()
    moved = manage.archive(ford(vale))
    assert moved == vale / "put-away" / "ford.toml" and not ford(vale).exists()
    (found,) = find_campaigns()
    assert found.encounters == () and [seen.path for seen in found.away] == [moved]
    assert without_away(found).away == ()
    assert manage.unarchive(moved) == ford(vale) and ford(vale).read_bytes() == raw
    assert not list(vale.rglob("*.toml.lock")) or ford(vale).exists()


def test_two_of_one_name_have_room_among_what_was_put_away(vale: Path) -> None:
    raw = ford(vale).read_bytes()
    manage.archive(ford(vale))
    ford(vale).write_bytes(raw)
    assert manage.archive(ford(vale)).name == "ford-2.toml"


def test_a_fight_in_no_campaign_is_put_away_beside_itself(vale: Path, tmp_path: Path) -> None:
    path = tmp_path / "loose" / "ford.toml"
    path.parent.mkdir()
    path.write_bytes(ford(vale).read_bytes())
    moved = manage.archive(path)
    assert moved == tmp_path / "loose" / "put-away" / "ford.toml"
    assert manage.unarchive(moved) == path


def test_a_damaged_log_can_be_put_away_too(vale: Path) -> None:
    ford(vale).write_bytes(b"\xff\x00")
    assert manage.archive(ford(vale)).read_bytes() == b"\xff\x00"


def test_a_campaign_that_is_put_away_is_listed_last_if_at_all(vale: Path) -> None:
    moved = manage.archive(vale)
    assert moved == vale.parent / "put-away" / "vale"
    assert find_campaigns() == []
    (found,) = find_campaigns(away=True)
    assert (found.name, found.is_away) == ("The Vale", True)
    assert manage.unarchive(moved) == vale and [c.name for c in find_campaigns()] == ["The Vale"]


def test_what_was_not_put_away_cant_come_back(vale: Path) -> None:
    with pytest.raises(Refused, match="is not archived"):
        manage.unarchive(ford(vale))


def test_what_cant_be_moved_stays(vale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(LogError, match="can't be moved"):
        manage.archive(ford(vale))
    assert ford(vale).is_file()
