"""Files as Windows and macOS have them: open elsewhere, spelt otherwise, with other line ends.

What those systems refuse or list is put in the place of this one's; nothing here asks which it is.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from msgspec import to_builtins
from tests.store.evenings import Evening
from tests.store.ford import RULES, two_entries

from affray.cli import main
from affray.core.parser.errors import Refused
from affray.store import LogError, SaveFailed, filesystem
from affray.store.campaigns import files, roster
from affray.store.campaigns.find import file_stem, find_campaigns, rename_encounter
from affray.store.campaigns.manage import (
    archive,
    copy_encounter,
    create_campaign,
    create_encounter,
)
from affray.store.campaigns.summaries import quick_summary, read_log_tail
from affray.store.export import export_campaign, restore, write_export
from affray.store.filesystem import as_listed, replace_file, stem_for
from affray.store.importers.run_import import encounter_stem
from affray.store.inbox import Inbox, Proposal
from affray.store.open_encounter import OpenEncounter, open_fight

FORD = ("add party", "add monster Ghoul hp 10 cr 1", "init 1 30", "init roll", "start")
ENDS = (*FORD, "damage mira 14", "end")

needs_unix_names = pytest.mark.skipif(os.name == "nt", reason="Windows takes no such name")


class OpenElsewhere:
    """Files that another program has open: Windows refuses each try, and here so many of them."""

    def __init__(self) -> None:
        self.times = 0
        self.tries = Counter[str]()

    def let(self, name: str, path: object) -> None:
        """Refuse what is to be done with a path, as long as it is open elsewhere."""
        if self.times and not str(path).endswith((".lock", ".new")):
            self.times -= 1
            self.tries[name] += 1
            raise PermissionError(errno.EACCES, "used by another process", str(path))


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenElsewhere]:
    """Windows, as far as files that others have open go."""
    elsewhere = OpenElsewhere()
    monkeypatch.setattr(filesystem, "ON_WINDOWS", True)
    monkeypatch.setattr("affray.store.log_file.ON_WINDOWS", True)
    monkeypatch.setattr(filesystem, "PAUSES", (0.0,) * 4)
    monkeypatch.setattr("affray.store.own_folder.BY_DESCRIPTOR", False)
    for name, at in (("replace", 1), ("rename", 0), ("unlink", 0), ("open", 0)):
        monkeypatch.setattr(os, name, _refusing(getattr(os, name), elsewhere, name, at))
    yield elsewhere
    elsewhere.times = 0


def _refusing(real: Any, elsewhere: OpenElsewhere, name: str, at: int) -> Callable[..., Any]:
    def refuses(*given: Any, **named: Any) -> Any:
        elsewhere.let(name, given[at])
        return real(*given, **named)

    return refuses


# -- files that others have open -------------------------------------------------------------------


def test_a_command_is_saved_though_a_scanner_has_the_log_open(
    tmp_path: Path, windows: OpenElsewhere
) -> None:
    with OpenEncounter.open(two_entries(tmp_path)) as fight:
        windows.times = 3
        fight.do("damage ghoul 2")
        assert (windows.times, fight.read_only, fight.state["ghoul"].track("hp")) == (0, "", 13)


def test_a_log_that_stays_open_elsewhere_is_an_error_in_one_line(
    tmp_path: Path, windows: OpenElsewhere
) -> None:
    with OpenEncounter.open(two_entries(tmp_path)) as fight:
        windows.times = 99
        with pytest.raises(SaveFailed, match=r"NOT saved: .*\(used by another process\)$"):
            fight.do("damage ghoul 2")
        windows.times = 0


def test_elsewhere_a_permission_that_is_denied_is_final(
    tmp_path: Path, windows: OpenElsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filesystem, "ON_WINDOWS", False)
    path = two_entries(tmp_path)
    windows.times = 1
    with pytest.raises(LogError, match="permission denied"):
        OpenEncounter.open(path)


def test_a_file_is_replaced_once_its_reader_lets_go(tmp_path: Path, windows: OpenElsewhere) -> None:
    path = tmp_path / "party.toml"
    path.write_bytes(b"old")
    windows.times = 3
    replace_file(path, b"old", b"new")
    windows.times = 0
    assert path.read_bytes() == b"new"
    assert [each.name for each in tmp_path.iterdir()] == ["party.toml"]
    windows.times = 99
    with pytest.raises(PermissionError):
        replace_file(path, b"new", b"newer")
    windows.times = 0
    assert path.read_bytes() == b"new"


def test_a_draft_that_a_scanner_holds_on_to_makes_no_failure_of_what_is_done(
    tmp_path: Path, windows: OpenElsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log is there: that its draft can't be removed is nothing to stop for."""
    unlink = Path.unlink

    def held(path: Path, missing_ok: bool = False) -> None:
        if path.exists() and path.suffix == ".new":
            raise PermissionError(errno.EACCES, "used by another process")
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", held)
    path = two_entries(tmp_path)
    assert OpenEncounter.view(path).history.last == 2


def test_a_read_only_file_is_not_replaced_on_windows_and_leaves_no_draft(
    tmp_path: Path, windows: OpenElsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There a file that can't be written can neither be replaced nor removed."""
    path = tmp_path / "party.toml"
    path.write_bytes(b"old")
    path.chmod(0o444)
    for name in ("replace", "unlink"):
        monkeypatch.setattr(Path, name, _only_writable(getattr(Path, name)))
    with pytest.raises(PermissionError):
        replace_file(path, b"old", b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["party.toml"]
    assert path.read_bytes() == b"old"


def _only_writable(real: Any) -> Callable[..., Any]:
    def checked(path: Path, *given: Any, **named: Any) -> Any:
        for each in (path, *given):
            if isinstance(each, Path) and each.exists() and not each.stat().st_mode & 0o200:
                raise PermissionError(errno.EACCES, "Access is denied")
        return real(path, *given, **named)

    return checked


def test_the_time_of_a_write_that_is_told_late_is_no_save_of_somebody_else(
    tmp_path: Path, windows: OpenElsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, close = two_entries(tmp_path), os.close

    def closed(fd: int) -> None:
        close(fd)
        os.utime(path, ns=(1, path.stat().st_mtime_ns + 1000))

    with OpenEncounter.open(path) as fight:
        assert fight._log is not None
        log = fight._log
        with monkeypatch.context() as patched:
            patched.setattr(os, "close", closed)
            fight.do("damage ghoul 2")
        monkeypatch.setattr(log, "reread", lambda: pytest.fail("it was read anew"))
        fight.do("damage ghoul 2")
        assert fight.state["ghoul"].track("hp") == 11


def test_a_row_is_changed_and_a_fight_put_away_while_others_look(
    tmp_path: Path, windows: OpenElsewhere
) -> None:
    evening = Evening(tmp_path / "vale")
    evening.play("ford", "add party")
    windows.times = 2
    row = roster.load_row(evening.folder, "mira")
    windows.times = 2
    assert row is not None
    edit = roster.update_row(evening.folder, "party", "mira", row, row | {"hp": 31})
    assert b"hp = 31" in edit.after
    windows.times = 3
    archive(evening.path("ford"))
    assert windows.times == 0 and not evening.path("ford").exists()


PROPOSED = Proposal("0a0b", "aa11", "mira", "dash", "2026-11-20T19:30:00Z")


def test_a_proposal_that_cannot_be_read_just_now_waits(
    tmp_path: Path, windows: OpenElsewhere
) -> None:
    """It is no file of somebody else's, to be removed."""
    inbox = Inbox(tmp_path / "ford.toml")
    inbox.write(PROPOSED)
    windows.times = 99
    assert inbox.waiting() == ()
    windows.times = 0
    assert inbox.waiting() == (PROPOSED,)


def test_a_proposal_is_taken_while_the_server_reads_it(
    tmp_path: Path, windows: OpenElsewhere
) -> None:
    inbox = Inbox(tmp_path / "ford.toml")
    inbox.write(PROPOSED)
    windows.times = 3
    assert inbox.take(PROPOSED.id)
    windows.times = 3
    inbox.put_back(PROPOSED.id)
    assert inbox.waiting() == (PROPOSED,)


def test_an_answer_is_told_at_the_next_look_where_somebody_has_it_open(
    tmp_path: Path, windows: OpenElsewhere
) -> None:
    Inbox(tmp_path / "ford.toml").answer(PROPOSED, "accepted", 0)
    inbox = Inbox(tmp_path / "ford.toml")
    windows.times = 99
    assert inbox.answers() == ()
    windows.times = 0
    assert [answer.id for answer in inbox.answers()] == [PROPOSED.id]


def test_proposals_are_seen_on_a_disk_that_gives_its_folders_no_time(tmp_path: Path) -> None:
    """As FAT and exFAT do on Windows, and some network folders."""
    inbox, other = Inbox(tmp_path / "ford.toml"), Inbox(tmp_path / "ford.toml")
    other.write(PROPOSED)
    waiting = tmp_path / "ford.inbox" / "waiting"
    os.utime(waiting, ns=(1, 1))
    assert len(inbox.waiting()) == 1
    other.write(Proposal("0c0d", "aa11", "mira", "next", "2026-11-20T19:31:00Z"))
    os.utime(waiting, ns=(1, 1))
    assert len(inbox.waiting()) == 2


def test_a_file_that_is_saved_twice_in_a_second_is_read_twice(tmp_path: Path) -> None:
    """Older disks of a Mac and USB sticks keep times in seconds."""
    evening = Evening(tmp_path / "vale")
    party = evening.folder / "party.toml"
    for hp in (31, 32):
        row = roster.load_row(evening.folder, "mira")
        assert row is not None
        roster.update_row(evening.folder, "party", "mira", row, row | {"hp": hp})
        os.utime(party, (1_790_000_000, 1_790_000_000))
        now = roster.load_row(evening.folder, "mira")
        assert now is not None and now["hp"] == hp


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Con", "con-1"),
        ("AUX", "aux-1"),
        ("nul", "nul-1"),
        ("COM7", "com7-1"),
        ("Lpt¹", "lpt¹-1"),
        ("Prn?", "prn-1"),
        ("Connie", "connie"),
        ("Who: is it? *<a|b>.", "who-is-it-a-b"),
        ("..\\up/and\x07away ", "up-and-away"),
        ("e\u0301tude", "étude"),
        ("a" * 59 + " b", "a" * 59),
    ],
)
def test_a_title_gives_a_name_that_every_system_takes(title: str, stem: str) -> None:
    assert {file_stem(title, "a title"), encounter_stem(title), stem_for(title)} == {stem}
    assert filesystem.is_name_on_windows(f"{stem}.toml")


def test_no_fight_and_no_campaign_is_called_like_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    vale = create_campaign("Nul", RULES)
    made = create_encounter(vale, "Aux")
    copied = copy_encounter(made, "Con")
    assert [vale.name, made.name, copied.name] == ["nul-1", "aux-1.toml", "con-1.toml"]
    assert {each.title for each in find_campaigns()[0].encounters} == {"Aux", "Con"}


@pytest.mark.parametrize("name", ["con", "Aux.toml", "nul .txt", "a.", "a ", "a:b", "a?", "\x01"])
def test_some_names_are_none_on_windows(name: str) -> None:
    assert not filesystem.is_name_on_windows(name)


@needs_unix_names
def test_what_cannot_come_back_everywhere_is_left_out_of_an_export_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was written, and then nothing of the whole campaign could be restored."""
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "home"))
    evening = Evening(tmp_path / "vale")
    (evening.folder / "Who is it?.txt").write_text("a note", "utf-8")
    exported = export_campaign(evening.folder)
    assert exported.left_out == [
        "Who is it?.txt has a name that some systems don't allow, so was left out"
    ]
    write_export(exported, tmp_path / "vale.export.toml")
    assert (restore(tmp_path / "vale.export.toml").path / "party.toml").is_file()


@needs_unix_names
def test_windows_restores_no_device_and_says_what_to_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "home"))
    evening = Evening(tmp_path / "vale")
    evening.play("aux", "add party")
    target = tmp_path / "vale.export.toml"
    write_export(export_campaign(evening.folder), target)
    assert restore(target).path.is_dir()
    monkeypatch.setattr(filesystem, "ON_WINDOWS", True)
    with pytest.raises(LogError, match=r"no file called 'encounters/aux.toml': change its"):
        restore(target)
    target.write_bytes(target.read_bytes().replace(b"encounters/aux.toml", b"encounters/a.toml"))
    assert (restore(target).path / "encounters" / "a.toml").is_file()


def test_what_a_mac_leaves_beside_files_is_no_fight_and_no_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On other systems' disks it puts a `._ford.toml` beside ford.toml."""
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    evening = Evening(tmp_path / "vale")
    evening.play("ford", "add party")
    (evening.folder / "encounters" / "._ford.toml").write_bytes(b"\x00\x05\x16\x07")
    shutil.copytree(evening.folder, tmp_path / ".vale.77.new")
    assert [each.name for each in find_campaigns()] == ["Vale"]
    assert [each.title for each in find_campaigns()[0].encounters] == ["Ford"]


def _forgiving(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that doesn't tell capital and small letters apart, as far as names are asked for."""

    def there(path: str | os.PathLike[str]) -> bool:
        folder = Path(path).parent
        name = Path(path).name.casefold()
        return any(name == each.name.casefold() for each in folder.iterdir())

    monkeypatch.setattr(os.path, "lexists", there)


def test_a_path_is_spelt_as_its_folders_list_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "Vale" / "encounters" / "ford.toml"
    path.parent.mkdir(parents=True)
    path.touch()
    typed = tmp_path / "vale" / "Encounters" / "FORD.toml"
    assert typed.exists() or as_listed(typed) == typed, "where they are told apart"
    _forgiving(monkeypatch)
    assert as_listed(typed) == path
    assert as_listed(typed.with_name("Mill.toml")) == path.with_name("Mill.toml")
    assert as_listed(tmp_path / ".." / tmp_path.name) == tmp_path / ".." / tmp_path.name
    monkeypatch.chdir(tmp_path)
    assert as_listed("vale/Encounters") == Path("Vale/encounters")


def test_a_fight_is_of_its_campaign_however_its_path_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A Mac opens it by that name, and then it had neither party nor ledger."""
    evening = Evening(tmp_path / "vale")
    evening.play("ford", *FORD)
    _forgiving(monkeypatch)
    typed = tmp_path / "vale" / "Encounters" / "Ford.toml"
    assert main(["do", str(typed), "damage mira 14", "end"]) == 0
    assert "the ledger, entry 1: Mira and Odo come from Ford" in capsys.readouterr().err
    with open_fight(typed) as fight:
        assert fight.path == evening.path("ford")


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_fight_is_known_to_the_ledger_in_either_spelling(form: Any, tmp_path: Path) -> None:
    """Older disks of a Mac list an é as an e and an accent, and a campaign comes from one."""
    evening = Evening(tmp_path / "vale")
    evening.play("étude", *ENDS)
    evening.path("étude").rename(evening.path(normalize("NFD", "étude")))
    evening.play("ledger")
    assert evening.told == ()
    with evening.opened("ledger") as opened:
        assert opened.other_logs.fights() == ["étude"]
        with pytest.raises(Refused, match="nothing to carry"):
            opened.do(f'carry from "{normalize(form, "étude")}"')


# -- line ends and marks ---------------------------------------------------------------------------


def _by_notepad(path: Path) -> None:
    """Save a file as editors on Windows do: a mark before it, and their line ends."""
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))


def test_a_log_with_the_line_ends_of_windows_is_listed_like_any_other(tmp_path: Path) -> None:
    path = two_entries(tmp_path)
    was, tail = quick_summary(path), read_log_tail(path.read_bytes())
    _by_notepad(path)
    now = quick_summary(path)
    assert (now.title, now.created, now.played) == (was.title, was.created, was.played)
    assert to_builtins(read_log_tail(path.read_bytes())) == to_builtins(tail) is not None


def test_a_log_keeps_its_line_ends_when_it_is_renamed_and_copied(tmp_path: Path) -> None:
    path = two_entries(tmp_path)
    _by_notepad(path)
    lines = path.read_bytes().count(b"\r\n")
    rename_encounter(path, "The Mill")
    other = copy_encounter(path, "The Weir")
    for each, title in ((path, "The Mill"), (other, "The Weir")):
        raw = each.read_bytes()
        assert raw.startswith(b"\xef\xbb\xbf") and raw.count(b"\n") == raw.count(b"\r\n") == lines
        assert OpenEncounter.view(each).title == title


def test_fights_that_ended_before_the_ledger_are_known_with_other_line_ends(tmp_path: Path) -> None:
    """As where git writes the line ends of Windows into a campaign that came from elsewhere."""
    evening = Evening(tmp_path / "vale", ledger=False)
    evening.play("ford", *ENDS)
    evening.play("ledger")
    assert evening.told == ()
    _by_notepad(evening.path("ford"))
    evening.play("ledger")
    assert evening.told == ()


def test_the_rows_of_a_campaign_may_be_saved_by_notepad(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "vale")
    for name in (files.PARTY, files.ABOUT):
        _by_notepad(evening.folder / name)
    row = roster.load_row(evening.folder, "mira")
    assert row is not None
    edit = roster.update_row(evening.folder, "party", "mira", row, row | {"hp": 31, "ac": 3})
    assert edit.after.startswith(b"\xef\xbb\xbf")
    assert edit.after.count(b"\n") == edit.after.count(b"\r\n")
    assert evening.play("ford", "add party")["mira"].track("hp") == 31
