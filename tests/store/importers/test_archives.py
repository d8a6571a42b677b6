"""Archives are read like folders, in memory; what of a database can't be read says how it can."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.store.importers import formats

from affray.store.importers import archives
from affray.store.importers.detect import LEVELDB, read_files


def zipped(**texts: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def put(folder: Path, name: str, data: bytes) -> Path:
    file = folder / name
    file.write_bytes(data)
    return file


def test_a_zip_is_read_like_a_folder(tmp_path: Path) -> None:
    data = zipped(**{
        "deep/crab.xml": formats.fight_club(), "readme.txt": "Crabs", ".git/crab.xml": "<monster/>",
        **{f"v2/{name}": text for name, text in formats.open5e_v2_tables().items()},
    })  # fmt: skip
    file = put(tmp_path, "crabs.zip", data)
    found = {source.path.relative_to(file).as_posix(): source for source in read_files(file)}
    assert [*found] == ["deep/crab.xml", "readme.txt", *(f"v2/{n}.json" for n in "abcd")]
    assert found["deep/crab.xml"].contents.creatures[0].name == "Marsh Crab"
    assert found["readme.txt"].fault == "not in a known format"
    assert found["v2/a.json"].table is not None
    assert [*tmp_path.iterdir()] == [file]


def test_a_compendium_of_encounterplus_is_read_by_the_file_within(tmp_path: Path) -> None:
    """It is a zip with Fight Club's XML, as its own tools write it."""
    data = zipped(**{"compendium.xml": formats.fight_club(), "monsters/crab.png": "no picture"})
    file = put(tmp_path, "crabs.compendium", data)
    found = {source.path.name: source for source in read_files(file)}
    assert found["compendium.xml"].format == "Fight Club"
    assert found["compendium.xml"].contents.creatures[0].name == "Marsh Crab"


def test_no_path_leads_out_of_an_archive(tmp_path: Path) -> None:
    file = put(tmp_path, "x.zip", zipped(**{"../../up.xml": formats.fight_club(), "/abs.txt": ""}))
    assert [s.path for s in read_files(file)] == [file / "up.xml", file / "abs.txt"]


@pytest.mark.parametrize(
    "named", ["//tmp/up.xml", "..//../up.xml", "C:\\\\up.xml", "\\\\\\\\host\\\\up.xml"]
)
def test_no_root_of_any_system_leads_out_of_an_archive(named: str, tmp_path: Path) -> None:
    file = put(tmp_path, "x.zip", zipped(**{named: formats.fight_club()}))
    [found] = read_files(file)
    assert found.path.is_relative_to(file)
    assert found.path.name == "up.xml"


def test_a_name_with_a_colon_is_a_name(tmp_path: Path) -> None:
    file = put(tmp_path, "x.zip", zipped(**{"Notes/Crab: the king.xml": formats.fight_club()}))
    [found] = read_files(file)
    assert found.path == file / "Notes/Crab: the king.xml"
    assert found.contents.creatures


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_unpacks_without_a_bound_is_not_unpacked(packing: int, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        archive.writestr("crab.xml", formats.fight_club())
    [found] = read_files(put(tmp_path, "x.zip", buffer.getvalue()))
    assert found.fault == "an archive packed by bzip2 or LZMA: pack it again as a usual ZIP"


def test_a_sparse_file_in_a_tar_counts_as_large_as_it_says(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        row = tarfile.TarInfo("a.txt")
        row.pax_headers = {
            "GNU.sparse.major": "1",
            "GNU.sparse.minor": "0",
            "GNU.sparse.realsize": "999999999",
        }
        data = b"0\n".ljust(512, b"\0")
        row.size = len(data)
        archive.addfile(row, io.BytesIO(data))
    [found] = read_files(put(tmp_path, "x.tar.gz", buffer.getvalue()))
    assert found.fault == archives.TOO_MUCH


def test_an_archive_tells_of_what_lies_in_it_as_a_folder_does(tmp_path: Path) -> None:
    [found] = read_files(put(tmp_path, "x.zip", zipped(**{"packs/m/000005.ldb": "binary"})))
    assert found.fault == LEVELDB
    [found] = read_files(put(tmp_path, "y.zip", zipped(**{".git/crab.xml": "<monster/>"})))
    assert found.fault == "an archive with nothing but hidden files"
    [found] = read_files(put(tmp_path, "z.zip", zipped(**{"in.xlsx": "PK\x03\x04"})))
    assert found.fault.startswith("an archive in an archive")


def test_a_gzip_and_a_tar_in_one_are_read(tmp_path: Path) -> None:
    crab = formats.fight_club().encode()
    [found] = read_files(put(tmp_path, "crab.xml.gz", gzip.compress(crab)))
    assert (found.format, found.path.name) == ("Fight Club", "crab.xml")
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        row = tarfile.TarInfo("a/crab.xml")
        row.size = len(crab)
        archive.addfile(row, io.BytesIO(crab))
    [found] = read_files(put(tmp_path, "crabs.tar.gz", buffer.getvalue()))
    assert (found.format, found.path.name) == ("Fight Club", "crab.xml")


def test_a_file_that_is_damaged_in_an_archive_costs_no_other(tmp_path: Path) -> None:
    data = bytearray(zipped(**{"a.txt": "x" * 50 + "crab " * 99, "crab.xml": formats.fight_club()}))
    data[40] ^= 255  # in the first file's data
    spoilt, whole = read_files(put(tmp_path, "x.zip", bytes(data)))
    assert spoilt.fault.startswith("damaged in its archive: ")
    assert whole.contents.creatures[0].name == "Marsh Crab"


def test_a_zip_without_its_end_is_no_spreadsheet(tmp_path: Path) -> None:
    [found] = read_files(put(tmp_path, "x.zip", zipped(**{"a.txt": "x" * 99})[:-22]))
    assert found.fault == "an archive that can't be read: File is not a zip file"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"%PDF-1.7", "a PDF"),
        (b"\x89PNG\r\n", "a picture"),
        (b"7z\xbc\xaf\x27\x1c", "an archive of another kind (7z): unpack it"),
        (b"Rar!\x1a", "an archive of another kind (RAR): unpack it"),
        (b"PK\x05\x06" + b"\0" * 18, "an empty archive"),
        (b"SQLite format 3\0", "a database (SQLite)"),
        (b"\xd0\xcf\x11\xe0", "an old spreadsheet"),
        (b"<!DOCTYPE html><h1>Crab</h1>", "a web page (HTML)"),
        (b"crab\0crab\0crab", "binary data"),
    ],
)
def test_what_is_no_text_says_what_it_is(data: bytes, fault: str, tmp_path: Path) -> None:
    [found] = read_files(put(tmp_path, "crab.json", data))
    assert found.fault.startswith(fault)


def test_what_is_too_much_or_spoilt_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = zipped(**{"a.txt": "x" * 3000, "b.txt": "y"})
    [found] = read_files(put(tmp_path, "cut.zip", whole[: len(whole) // 2]))
    assert found.fault
    [found] = read_files(put(tmp_path, "cut.gz", gzip.compress(b"crab" * 99)[:20]))
    assert found.fault.startswith("an archive that can't be read")
    monkeypatch.setattr(archives, "MOST_BYTES", 2000)
    for name, data in (("big.zip", whole), ("big.gz", gzip.compress(b"x" * 3000))):
        [found] = read_files(put(tmp_path, name, data))
        assert found.fault == archives.TOO_MUCH
    monkeypatch.setattr(archives, "MOST_FILES", 1)
    [found] = read_files(put(tmp_path, "many.zip", zipped(a="", b="")))
    assert found.fault == archives.TOO_MUCH


@pytest.mark.parametrize("name", ["000003.log", "CURRENT", "LOCK", "MANIFEST-000002", "000005.ldb"])
def test_a_database_of_foundry_says_how_to_export_it(name: str, tmp_path: Path) -> None:
    put(tmp_path, "CURRENT", b"MANIFEST-000002")
    [found] = read_files(put(tmp_path, name, b"\x00binary"))
    assert found.fault == LEVELDB


def test_a_log_that_is_no_databases_is_read_as_any_file(tmp_path: Path) -> None:
    [found] = read_files(put(tmp_path, "LOG", formats.fight_club().encode()))
    assert found.format == "Fight Club"


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0),
        zipped(x="y"),
    ],
    ids=["gzip", "zip"],
)
def test_an_archive_in_an_archive_is_told(data: bytes, tmp_path: Path) -> None:
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("fens.zip", data)
    [found] = read_files(put(tmp_path, "outer.zip", outer.getvalue()))
    assert found.fault == "an archive in an archive: unpack it, and import what is in it"
