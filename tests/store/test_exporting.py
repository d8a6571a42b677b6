"""A campaign as one file, and back, byte for byte."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest
import tomli

from affray.core.dice import SeededDice
from affray.core.parser.errors import Refused
from affray.store import LogError, export
from affray.store.campaigns.files import ENCOUNTERS
from affray.store.export import export_campaign, export_encounter, is_export, restore, write_export
from affray.store.open_encounter import OpenEncounter

SAMPLES = sorted((Path(__file__).parents[2] / "campaigns").iterdir())
RULES = "monsters-and-magic"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where what is restored comes to be."""
    folder = tmp_path / "home"
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(folder))
    return folder


@pytest.fixture
def vale(tmp_path: Path) -> Path:
    """A campaign with a fight, and with files of every kind."""
    folder = tmp_path / "the-vale"
    (folder / ENCOUNTERS).mkdir(parents=True)
    (folder / "campaign.toml").write_bytes(f'name = "Vale"\r\nruleset = "{RULES}"\r\n'.encode())
    (folder / "rules.toml").write_bytes(b"# none yet")
    with OpenEncounter.create(
        folder / ENCOUNTERS / "ford.toml", RULES, "Ford", dice=SeededDice(3)
    ) as fight:
        for line in ("add pc Mira hp 9", "note It's 'over' \\ here", "start"):
            fight.do(line)
    return folder


def exported(path: Path, target: Path) -> Path:
    made = export_campaign(path) if path.is_dir() else export_encounter(path)
    write_export(made, target)
    return target


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_an_exported_and_restored_campaign_is_the_same_byte_for_byte(
    sample: Path, home: Path, tmp_path: Path
) -> None:
    restored = restore(exported(sample, tmp_path / "x.toml"))
    assert restored.path == home / sample.name and restored.notes == []
    assert files(restored.path) == files(sample)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b"no end",
        b"'''",
        b"ends with '",
        b"a\r\nb\r\n",
        b"a\r\nb\n",
        b"a\rb",
        b"\x00\xff",
        "\ufeff\u2028é\t".encode(),
        b"\\ \" ''\n\n",
        b"[[file]]\npath = 'x'\n",
        b"\x7f",
    ],
)
def test_every_file_is_the_same_byte_for_byte(
    raw: bytes, vale: Path, home: Path, tmp_path: Path
) -> None:
    (vale / "notes.txt").write_bytes(raw)
    restored = restore(exported(vale, tmp_path / "x.toml"))
    assert files(restored.path) == files(vale) and restored.notes == []


def test_the_file_is_toml_in_which_each_text_can_be_read(vale: Path, tmp_path: Path) -> None:
    text = exported(vale, tmp_path / "x.toml").read_text("utf-8")
    assert text.startswith("# affray export")
    tables = {table["path"]: table for table in tomli.loads(text)["file"]}
    assert list(tables) == ["campaign.toml", "encounters/ford.toml", "rules.toml"]
    assert "add pc Mira hp 9" in tables["encounters/ford.toml"]["text"]
    assert tables["campaign.toml"]["lines"] == "crlf"


def test_what_is_hidden_or_a_link_is_left_out_and_links_are_told(
    vale: Path, home: Path, tmp_path: Path
) -> None:
    (vale / ".git").mkdir()
    (vale / ".git" / "config").write_text("x", "utf-8")
    (vale / "ford.lock").write_text("", "utf-8")
    (vale / "link.toml").symlink_to(vale / "rules.toml")
    made = export_campaign(vale)
    assert made.left_out == ["link.toml is a link, so was left out"]
    write_export(made, tmp_path / "x.toml")
    names = files(restore(tmp_path / "x.toml").path)
    assert set(names) == {"campaign.toml", "rules.toml", "encounters/ford.toml"}


def test_what_is_no_file_or_cant_be_read_is_left_out_and_told(
    vale: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(vale / "pipe")
    (vale / "secret.txt").write_text("x", "utf-8")
    (vale / "closed").mkdir()
    opens, scans = Path.open, os.scandir

    def opened(path: Path, *how: Any, **more: Any) -> Any:
        if path.name == "secret.txt":
            raise PermissionError(errno.EACCES, "Permission denied")
        return opens(path, *how, **more)

    def scanned(path: Any = ".") -> Any:
        if not isinstance(path, int) and Path(path).name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        return scans(path)

    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(os, "scandir", scanned)
    made = export_campaign(vale)
    assert made.left_out == [
        "closed can't be read (Permission denied), so was left out",
        "pipe is not a file, so was left out",
        "secret.txt can't be read (Permission denied), so was left out",
    ]
    write_export(made, tmp_path / "x.toml")
    names = files(restore(tmp_path / "x.toml").path)
    assert set(names) == {"campaign.toml", "rules.toml", "encounters/ford.toml"}


@pytest.mark.parametrize(
    ("what", "answer"),
    [
        ('"encounter"', "should have one encounter, but also has ledger.toml"),
        ('"ledger"', "expected what = 'campaign' or 'encounter', found 'ledger'"),
        ("7", "expected what = 'campaign' or 'encounter', found 7"),
    ],
)
@pytest.mark.parametrize("into", [False, True])
def test_what_is_not_what_it_says_is_not_restored(
    vale: Path, home: Path, tmp_path: Path, what: str, answer: str, into: bool
) -> None:
    (vale / "ledger.toml").write_text("another matter", "utf-8")
    file, before = exported(vale, tmp_path / "x.toml"), files(vale)
    text = file.read_text("utf-8")
    file.write_text(text.replace('what = "campaign"', f"what = {what}", 1), "utf-8")
    with pytest.raises(LogError, match=answer):
        restore(file, vale if into else None)
    assert not home.exists() and files(vale) == before


def test_a_folder_without_campaign_toml_is_called_by_its_own_name(
    vale: Path, home: Path, tmp_path: Path
) -> None:
    (vale / "campaign.toml").unlink()
    assert restore(exported(vale, tmp_path / "x.toml")).path == home / "the-vale"


def test_an_encounter_brings_what_it_goes_by(vale: Path, home: Path, tmp_path: Path) -> None:
    (vale / "ledger.toml").write_text("another matter", "utf-8")
    ford = vale / ENCOUNTERS / "ford.toml"
    restored = restore(exported(ford, tmp_path / "x.toml"))
    assert set(files(restored.path)) == {"campaign.toml", "rules.toml", "encounters/ford.toml"}
    with OpenEncounter.open(restored.path / ENCOUNTERS / "ford.toml") as fight:
        assert fight.state.round == 1


def test_an_encounter_comes_into_another_campaign_alone_and_over_nothing(
    vale: Path, tmp_path: Path
) -> None:
    ford = vale / ENCOUNTERS / "ford.toml"
    file, before = exported(ford, tmp_path / "x.toml"), files(vale)
    restored = restore(file, vale)
    assert restored.path == vale / ENCOUNTERS / "ford-2.toml"
    assert restored.path.read_bytes() == ford.read_bytes()
    assert {name: raw for name, raw in files(vale).items() if name in before} == before


def test_a_fight_in_no_campaign_can_be_exported_too(vale: Path, home: Path, tmp_path: Path) -> None:
    loose = tmp_path / "ford.toml"
    loose.write_bytes((vale / ENCOUNTERS / "ford.toml").read_bytes())
    restored = restore(exported(loose, tmp_path / "x.toml"))
    assert files(restored.path) == {"encounters/ford.toml": loose.read_bytes()}


def test_nothing_is_written_over(vale: Path, home: Path, tmp_path: Path) -> None:
    file = exported(vale, tmp_path / "x.toml")
    before = file.read_bytes()
    with pytest.raises(LogError, match="exists already"):
        exported(vale, file)
    assert file.read_bytes() == before
    assert [restore(file).path.name for _ in range(2)] == ["the-vale", "the-vale-2"]


def test_a_file_that_was_edited_comes_back_as_it_is_with_a_note(
    vale: Path, home: Path, tmp_path: Path
) -> None:
    file = exported(vale, tmp_path / "x.toml")
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"# none yet", b"# none, ever"))
    assert is_export(file)
    restored = restore(file)
    assert restored.notes == ["rules.toml has changed since it was exported"]
    assert files(restored.path)["rules.toml"] == b"# none, ever"


@pytest.mark.parametrize(
    ("was", "is_", "why"),
    [
        ("export = 1", "export = 2", "a later affray wrote it"),
        ("export = 1", "export = true", "no `export`"),
        ("export = 1", "export = ", "is damaged"),
        ('"rules.toml"', '"../rules.toml"', "not a path within"),
        ('"rules.toml"', '"/etc/rules.toml"', "not a path within"),
        ('"rules.toml"', '"a//b.toml"', "not a path within"),
        ('"rules.toml"', '"c:rules.toml"', "not a path within"),
        ('"rules.toml"', '"..\\\\rules.toml"', "not a path within"),
        ('"rules.toml"', '".hidden"', "not a path within"),
        ('"rules.toml"', "3", "can't be read"),
        ('"rules.toml"', '"Campaign.toml"', "is in it twice"),
        ("text = ", "words = ", "can't be read"),
        ("[[file]]", "[[files]]", "it has no files"),
    ],
)
def test_what_is_no_export_is_refused_in_a_line_and_leaves_nothing(
    was: str, is_: str, why: str, vale: Path, home: Path, tmp_path: Path
) -> None:
    file = exported(vale, tmp_path / "x.toml")
    file.write_text(file.read_text("utf-8").replace(was, is_), "utf-8")
    with pytest.raises(LogError, match=why) as refused:
        restore(file)
    assert "\n" not in str(refused.value)
    assert not home.exists()


def test_a_whole_campaign_does_not_come_into_another(vale: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="leave out --into"):
        restore(exported(vale, tmp_path / "x.toml"), vale)


def test_an_export_of_an_encounter_without_one_is_refused(vale: Path, tmp_path: Path) -> None:
    file = exported(vale / ENCOUNTERS / "ford.toml", tmp_path / "x.toml")
    file.write_text(file.read_text("utf-8").replace("encounters/ford", "other/ford"), "utf-8")
    with pytest.raises(LogError, match="it has no encounter"):
        restore(file, vale)


def test_other_files_are_no_exports(vale: Path, tmp_path: Path) -> None:
    assert not is_export(vale) and not is_export(tmp_path / "none")
    assert not is_export(vale / "campaign.toml")


def test_what_cant_be_read_or_written_is_one_line(
    vale: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = exported(vale, tmp_path / "x.toml")
    ford = exported(vale / ENCOUNTERS / "ford.toml", tmp_path / "ford-x.toml")
    monkeypatch.setattr(export.filesystem, "create_file", refuse)
    monkeypatch.setattr(export.filesystem, "publish_atomically", refuse)
    for do in (
        lambda: restore(file),
        lambda: restore(ford, vale),
        lambda: exported(vale, tmp_path / "y.toml"),
    ):
        with pytest.raises(LogError, match="No space left"):
            do()
    assert list(home.iterdir()) == [], "not half of it is there"
    monkeypatch.setattr(export.filesystem, "read_bytes", refuse)
    with pytest.raises(LogError, match="No space left"):
        restore(file)
    with pytest.raises(LogError, match="No space left"):
        export_campaign(vale)
    monkeypatch.setattr(Path, "rglob", refuse)
    with pytest.raises(LogError, match="No space left"):
        export_campaign(vale)
    monkeypatch.setattr(Path, "open", refuse)
    assert not is_export(file)


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_a_name_that_is_no_text_is_one_line(vale: Path) -> None:
    (vale / os.fsdecode(b"odd\xff.txt")).write_bytes(b"")
    with pytest.raises(LogError, match="name can't be written"):
        export_campaign(vale)
