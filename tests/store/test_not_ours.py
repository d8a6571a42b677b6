"""What isn't affray's is never removed, changed or followed: files and links beside its own.

SECURITY.md: a file may not name a file to be read or written.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from platformdirs import user_cache_path
from tests.store.evenings import Evening
from tests.store.ford import two_entries

from affray.cli import main
from affray.store import LogError, filesystem
from affray.store.campaigns import files
from affray.store.campaigns.find import free_name, rename_campaign
from affray.store.campaigns.manage import archive, copy_campaign, copy_encounter, unarchive
from affray.store.export import export_campaign, restore, write_export
from affray.store.log_file import LogFile, is_lock, remove_orphaned_lock
from affray.store.open_encounter import OpenEncounter

MINE = b"a person's own words\n"


@pytest.fixture
def vale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "campaigns"))
    evening = Evening(tmp_path / "campaigns" / "vale")
    evening.play("ford", "add party")
    return evening


# -- locks -----------------------------------------------------------------------------------------


def a_text(path: Path) -> None:
    path.write_bytes(MINE)


def a_link(path: Path) -> None:
    target = path.with_name("papers.txt")
    target.write_bytes(MINE)
    path.symlink_to(target)


@pytest.mark.parametrize("make", [a_text, a_link, Path.mkdir])
def test_what_lies_in_the_place_of_a_lock_stays_and_is_named(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    path = two_entries(tmp_path)
    lock = Path(f"{path}.lock")
    lock.unlink(missing_ok=True)
    make(lock)
    kept = lock.lstat()
    with pytest.raises(LogError, match=r"can't be locked .*\(ford\.toml\.lock is not affray's\)"):
        LogFile.open(path)
    path.unlink()
    remove_orphaned_lock(path)
    assert (lock.lstat().st_mode, lock.lstat().st_size) == (kept.st_mode, kept.st_size)
    assert lock.is_dir() or lock.read_bytes() == MINE


def test_a_lock_with_the_number_of_a_process_is_one(tmp_path: Path) -> None:
    """As on a disk that has no locks of its own."""
    lock = tmp_path / "ford.toml.lock"
    assert is_lock(lock)
    for content, is_ours in ((b"", True), (b"4711\nhost\n", True), (b"4711 is mine\n", False)):
        lock.write_bytes(content)
        assert is_lock(lock) is is_ours


def test_other_programs_locks_in_a_campaign_are_in_nobodys_way(vale: Evening) -> None:
    for name in ("poetry.lock", "flake.lock"):
        (vale.folder / name).write_bytes(MINE)
    copy = copy_campaign(vale.folder, "Mill")
    away = archive(vale.folder)
    for folder in (copy, away):
        assert {path.name for path in folder.glob("*.lock")} >= {"poetry.lock", "flake.lock"}
        assert (folder / "poetry.lock").read_bytes() == MINE


# -- names that are taken --------------------------------------------------------------------------


def test_a_dead_link_is_a_name_that_is_taken(vale: Evening) -> None:
    ford = vale.path("ford")
    (ford.parent / "ford-2.toml").symlink_to("gone")
    (vale.folder / files.AWAY).mkdir()
    (vale.folder / files.AWAY / "ford.toml").symlink_to("gone")
    assert free_name(ford.parent, "ford", ".toml").name == "ford-3.toml"
    copied = copy_encounter(ford, "Ford")
    assert copied.name == "ford-3.toml"
    away = archive(ford)
    assert away.name == "ford-2.toml"
    assert (away.parent / "ford.toml").is_symlink()
    assert unarchive(away).exists()


def test_a_folder_in_the_place_of_a_draft_stays(
    vale: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even one of the name that a draft of this process once had."""
    mine = vale.folder.parent / f".mill.{os.getpid()}.new"
    mine.mkdir()
    (mine / "diary").write_bytes(MINE)
    copy_campaign(vale.folder, "Mill")
    assert (mine / "diary").read_bytes() == MINE


def test_a_draft_that_cannot_be_made_removes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filesystem.os, "urandom", lambda size: bytes.fromhex("0a0b0c0d"))
    mine = tmp_path / ".x.toml.0a0b0c0d.new"
    mine.write_bytes(MINE)
    with pytest.raises(FileExistsError):
        filesystem.publish_atomically(tmp_path / "x.toml", b"new")
    assert mine.read_bytes() == MINE


# -- links in a campaign ---------------------------------------------------------------------------


def test_the_copy_of_a_campaign_has_links_as_links_and_neither_pipes_nor_what_is_behind(
    vale: Evening, tmp_path: Path
) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "diary").write_bytes(MINE)
    (vale.folder / "papers").symlink_to(papers)
    (vale.folder / "loop").symlink_to(".")
    if hasattr(os, "mkfifo"):
        os.mkfifo(vale.folder / "pipe")
    copy = copy_campaign(vale.folder, "Mill")
    assert (copy / "papers").is_symlink() and (copy / "loop").is_symlink()
    assert not (copy / "pipe").exists()
    assert [path.name for path in papers.iterdir()] == ["diary"]


def test_a_shared_campaign_toml_is_renamed_where_it_lies_but_not_with_a_copy(
    vale: Evening, tmp_path: Path
) -> None:
    shared = tmp_path / "shared.toml"
    (vale.folder / files.ABOUT).rename(shared)
    (vale.folder / files.ABOUT).symlink_to(shared)
    copy = copy_campaign(vale.folder, "Mill")
    assert b'name = "Vale"' in shared.read_bytes() and files.campaign_name(copy) == "Mill"
    rename_campaign(vale.folder, "Dale")
    assert (vale.folder / files.ABOUT).is_symlink()
    assert b'name = "Dale"' in shared.read_bytes() and files.campaign_name(copy) == "Mill"


def test_an_export_has_nothing_from_behind_a_link_and_is_restored_over_nothing(
    vale: Evening, tmp_path: Path
) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "diary").write_bytes(MINE)
    (vale.folder / "papers").symlink_to(tmp_path / "papers")
    exported = export_campaign(vale.folder)
    assert MINE not in exported.content
    assert "papers is a link, so was left out" in exported.left_out
    target = tmp_path / "vale.affray.toml"
    target.symlink_to(tmp_path / "gone")
    with pytest.raises(LogError, match="exists already"):
        write_export(exported, target)
    write_export(exported, tmp_path / "whole.toml")
    (vale.folder.parent / "vale-2").symlink_to("gone")
    assert restore(tmp_path / "whole.toml").path.name == "vale-3"


# -- what is imported, and kept beside -------------------------------------------------------------

IMP = '{"name": "Imp", "hit_points": 7, "armor_class": 12, "slug": "imp", "challenge_rating": "1"}'


@pytest.mark.parametrize("kind", ["link", "folder"])
def test_an_encounter_that_is_imported_takes_no_ones_place(
    vale: Evening, tmp_path: Path, kind: str
) -> None:
    taken = vale.folder / files.ENCOUNTERS / "bridge.toml"
    taken.symlink_to("gone") if kind == "link" else taken.mkdir()
    note = tmp_path / "note.md"
    note.write_text("```encounter\nname: Bridge\ncreatures:\n  - 2: Ghoul\n```\n", "utf-8")
    main(["import", str(note), "--into", str(vale.folder)])
    assert taken.is_symlink() if kind == "link" else taken.is_dir()


def test_only_what_affray_has_cached_goes_from_the_cache(tmp_path: Path, home: Path) -> None:
    folder = user_cache_path("affray", appauthor=False) / "parsed"
    folder.mkdir(parents=True)
    mine = folder / "notes.msgpack"
    mine.write_bytes(MINE)
    rows = "".join(f'[a{n}]\nname = "{"x" * 1000}"\n' for n in range(300))
    for number in range(files.MOST_KEPT + 3):
        path = tmp_path / f"bestiary-{number}.toml"
        path.write_text(rows, "utf-8")
        assert len(files.load_toml(path)) == 300
    kept = [path.name for path in folder.iterdir() if path != mine]
    assert mine.read_bytes() == MINE and len(kept) == files.MOST_KEPT
    assert all(len(name) == len(f"{'0' * 32}.msgpack") for name in kept)


def test_a_cache_that_is_a_link_is_neither_read_nor_written(tmp_path: Path, home: Path) -> None:
    papers, cache = tmp_path / "papers", user_cache_path("affray", appauthor=False)
    papers.mkdir()
    (papers / "a.msgpack").write_bytes(MINE)
    cache.mkdir(parents=True)
    (cache / "parsed").symlink_to(papers)
    path = tmp_path / "bestiary.toml"
    path.write_text("".join(f'[a{n}]\nname = "{"x" * 1000}"\n' for n in range(300)), "utf-8")
    assert len(files.load_toml(path)) == 300
    assert [each.name for each in papers.iterdir()] == ["a.msgpack"]


def test_a_torn_end_and_a_repaired_copy_take_no_names_of_others(tmp_path: Path) -> None:
    path = two_entries(tmp_path)
    for name in ("ford.toml.torn-1", "ford.repaired.toml"):
        (tmp_path / name).symlink_to("gone")
    with path.open("ab") as file:
        file.write(b"\n[[entry]]\ncommand = ")
    OpenEncounter.open(path).close()
    assert (tmp_path / "ford.toml.torn-1").is_symlink()
    assert (tmp_path / "ford.toml.torn-2").read_bytes().endswith(b"command = ")
    path.write_bytes(path.read_bytes().replace(b"\n[[entry]]", b"\n[[entrx]]", 1))
    assert main(["check", str(path), "--repair"]) != 0
    assert (tmp_path / "ford.repaired.toml").is_symlink()


def test_a_log_is_not_begun_behind_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "ford.toml").symlink_to("gone")
    assert main(["new", str(tmp_path / "ford.toml")]) != 0
    assert [path.name for path in tmp_path.iterdir()] == ["ford.toml"]
