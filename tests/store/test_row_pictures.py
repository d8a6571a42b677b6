"""Pictures that rows name: files of a campaign, by their content, and never anything else."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from affray.cli import main
from affray.core.engine.state import Combatant
from affray.core.parser.errors import Refused
from affray.store.campaigns import pictures
from affray.store.campaigns.manage import create_campaign, create_encounter
from affray.store.campaigns.pictures import (
    LARGEST,
    load_picture,
    picture_from,
    picture_of,
    picture_versions,
)
from affray.store.open_encounter import OpenEncounter

PNG = b"\x89PNG\r\n\x1a\n" + b"mira"
KINDS = {
    "image/png": PNG,
    "image/jpeg": b"\xff\xd8\xff\xe0mira",
    "image/gif": b"GIF89amira",
    "image/webp": b"RIFF\x04\x00\x00\x00WEBPmira",
}
ROWS = '[mira]\nhp = 30\nac = 15\npicture = "mira.png"\n\n[ash]\nhp = 20\nac = 12\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "campaigns"))
    made = create_campaign("Vale", "orcus")
    (made / "party.toml").write_text(ROWS, "utf-8")
    (made / "mira.png").write_bytes(PNG)
    return made


def refused(folder: Path, name: str) -> str:
    with pytest.raises(Refused) as refusal:
        load_picture(folder, name)
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


@pytest.mark.parametrize("mime", KINDS)
@pytest.mark.parametrize("name", ["mira.png", "art/mira", "mira.txt"])
def test_a_picture_is_what_its_content_says(folder: Path, mime: str, name: str) -> None:
    (folder / "art").mkdir()
    (folder / name).write_bytes(KINDS[mime])
    found = load_picture(folder, name)
    assert (found.content, found.mime) == (KINDS[mime], mime)
    assert found.suffix == f".{mime.partition('/')[2].replace('jpeg', 'jpg')}"


@pytest.mark.parametrize("content", [b"", b"\x89PNG", b"<svg/>", b"RIFF....WAVE", b"%PDF-1.4 mira"])
def test_what_is_no_picture_is_refused_whatever_its_name(folder: Path, content: bytes) -> None:
    (folder / "mira.png").write_bytes(content)
    assert refused(folder, "mira.png") == "'mira.png' is not a picture: PNG, JPEG, WebP or GIF"


def test_a_picture_has_2_mb_at_most(folder: Path) -> None:
    (folder / "mira.png").write_bytes(PNG.ljust(LARGEST, b"."))
    assert len(load_picture(folder, "mira.png").content) == LARGEST == 2 * 1024 * 1024
    (folder / "mira.png").write_bytes(PNG.ljust(LARGEST + 1, b"."))
    assert refused(folder, "mira.png") == "'mira.png' is larger than 2 MB, too large for a picture"


def test_a_file_that_grows_while_it_is_read_is_too_large(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = (folder / "mira.png").stat()
    (folder / "mira.png").write_bytes(PNG.ljust(LARGEST + 1, b"."))
    monkeypatch.setattr(Path, "stat", lambda *_, **__: small)
    assert "is larger than 2 MB" in refused(folder, "mira.png")


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "/",
        "./mira.png",
        "../secret.png",
        "art/../../secret.png",
        "art//mira.png",
        "mira.png/",
        "..\\secret.png",
        "C:\\mira.png",
        "C:mira.png",
        "\\\\server\\share\\mira.png",
        "/etc/passwd",
        "~/mira.png",
        "file:///etc/passwd",
        "http://127.0.0.1/mira.png",
        "mira.png\0",
        "mira.png::$DATA",
        "NUL",
        "con.png",
        "mira.png ",
        "mira.png.",
        "m" * 5000,
        "\udcff",
    ],
)
def test_no_name_leads_out_of_the_campaign(folder: Path, name: str) -> None:
    (folder.parent / "secret.png").write_bytes(PNG)
    said = refused(folder, name)
    assert said.startswith(("expected the name of a file in the campaign's", "there is no file"))
    assert len(said) < 400


def test_an_absolute_path_is_refused_though_it_is_in_the_campaign(folder: Path) -> None:
    assert "expected the name of a file in the campaign's folder" in refused(
        folder, str(folder / "mira.png")
    )


def test_small_and_capital_letters_count_on_every_system(folder: Path) -> None:
    assert refused(folder, "Mira.PNG") == "there is no file 'Mira.PNG' in vale, but 'mira.png'"


def test_letters_with_marks_are_found_however_they_are_composed(folder: Path) -> None:
    (folder / "miré.png").write_bytes(PNG)
    assert load_picture(folder, "mire\u0301.png").content == PNG


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right of their own there")
def test_links_are_refused_wherever_they_lead(folder: Path) -> None:
    outside = folder.parent / "elsewhere"
    outside.mkdir()
    (outside / "secret.png").write_bytes(PNG)
    (folder / "file.png").symlink_to(outside / "secret.png")
    (folder / "art").symlink_to(outside)
    (folder / "own.png").symlink_to(folder / "mira.png")
    (folder / "dead.png").symlink_to(folder / "none.png")
    (folder / "loop.png").symlink_to(folder / "loop.png")
    for name in ("file.png", "art/secret.png", "own.png", "dead.png"):
        assert "is a link" in refused(folder, name)
    assert "Too many levels of symbolic links" in refused(folder, "loop.png")
    (folder.parent / "linked").symlink_to(folder)  # the campaign itself may be one
    assert load_picture(folder.parent / "linked", "mira.png").content == PNG


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders there")
def test_neither_a_pipe_nor_a_folder_nor_a_device_is_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.png")
    (folder / "folder.png").mkdir()
    for name in ("pipe.png", "folder.png"):
        assert refused(folder, name) == f"'{name}' is not a plain file"
    assert "Not a directory" in refused(folder, "party.toml/mira.png")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders there")
def test_a_pipe_that_takes_a_pictures_place_as_it_is_opened_is_waited_for_by_nobody(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_open = os.open

    def open_swapped(path: Path, flags: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return real_open(path, flags)

    with monkeypatch.context() as swapped:
        swapped.setattr(os, "open", open_swapped)
        assert refused(folder, "mira.png") == "'mira.png' is not a plain file"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_what_may_not_be_read_is_refused(folder: Path) -> None:
    (folder / "mira.png").chmod(0)
    assert refused(folder, "mira.png") == "'mira.png' can't be read (Permission denied)"


def test_a_picture_is_read_once_and_anew_when_it_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, opened = load_picture(folder, "mira.png"), []
    real_open = os.open

    def open_counted(*args: Any, **named: Any) -> int:
        opened.append(args)
        return real_open(*args, **named)

    monkeypatch.setattr(os, "open", open_counted)
    assert load_picture(folder, "mira.png") == first and not opened
    (folder / "mira.png").write_bytes(PNG + b"s hat")
    second = load_picture(folder, "mira.png")
    assert second.version != first.version and len(opened) == 1


def test_everybody_named_in_a_row_with_a_picture_has_it_in_a_fight(folder: Path) -> None:
    with OpenEncounter.open(create_encounter(folder, "Ford")) as fight:
        fight.do("add party")
        mira, ash = fight.state["mira"], fight.state["ash"]
        found = picture_of(folder, mira)
        assert found is not None and found.content == PNG
        assert picture_of(folder, ash) is None
        assert picture_versions(folder, [mira, ash, mira]) == {"mira.png": found.version}
        assert picture_versions(None, [mira]) == {}
        (folder / "mira.png").unlink()
        assert picture_of(folder, mira) is None
        assert picture_versions(folder, [mira, ash]) == {}


@pytest.mark.parametrize("value", ["3", "true", "[1]", '{a = "b"}'])
def test_a_picture_that_is_no_text_is_refused_by_add_in_one_line(folder: Path, value: str) -> None:
    (folder / "party.toml").write_text(ROWS.replace('"mira.png"', value), "utf-8")
    with OpenEncounter.open(create_encounter(folder, "Ford")) as fight:
        with pytest.raises(Refused) as refusal:
            fight.do("add mira")
        assert "party.toml, line 4: mira, picture: expected a file name" in str(refusal.value)


def test_check_tells_a_missing_and_a_wrong_picture_by_file_and_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(folder)]) == 0
    (folder / "mira.png").write_bytes(b"<svg/>")
    assert main(["check", str(folder)]) == 2
    assert (
        "party.toml, line 4: mira, picture: 'mira.png' is not a picture"
    ) in capsys.readouterr().out
    (folder / "mira.png").unlink()
    assert main(["check", str(folder)]) == 2
    told = capsys.readouterr().out
    assert "party.toml, line 4: mira, picture: there is no file 'mira.png' in vale" in told


PARTS = st.sampled_from(
    ["..", ".", "", "art", "mira.png", "secret.png", "link", "vale", "campaigns", "C:", "\0", "~"]
)
NAMES = st.one_of(
    st.text(max_size=30),
    st.builds("/".join, st.lists(PARTS, max_size=6)),
    st.builds("\\".join, st.lists(PARTS, max_size=6)),
)


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(name=NAMES)
@example("art/../mira.png")
def test_whatever_a_row_names_only_a_picture_of_the_campaign_is_ever_read(
    folder: Path, name: str
) -> None:
    secret = folder.parent / "secret.png"
    if not secret.exists():
        secret.write_bytes(PNG + b"secret")
        (folder / "art").mkdir()
        (folder / "art" / "mira.png").write_bytes(PNG + b"in art")
        if sys.platform != "win32":
            (folder / "link").symlink_to(folder.parent)
    own = {"mira.png": PNG, "art/mira.png": PNG + b"in art"}
    found = picture_of(folder, Combatant("mira", "Mira", "party", "pc", {"picture": name}))
    assert (found.content if found is not None else None) == own.get(name)


BEGINNINGS = st.sampled_from([b"", *(content[:12] for content in KINDS.values())])


@settings(max_examples=300, deadline=None)
@given(begin=BEGINNINGS, rest=st.binary(max_size=40))
def test_any_bytes_are_a_picture_of_a_known_kind_or_refused(begin: bytes, rest: bytes) -> None:
    content = begin + rest
    try:
        found = picture_from(content)
    except Refused as refusal:
        assert refusal.message == "is not a picture: PNG, JPEG, WebP or GIF"
        assert not content.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a"))
    else:
        assert found.mime in KINDS
        assert found.content == content
        assert picture_from(content).version == found.version
        assert picture_from(content + b".").version != found.version


def test_only_so_many_pictures_are_kept(folder: Path) -> None:
    for number in range(40):
        (folder / f"{number}.png").write_bytes(PNG + bytes([number]))
        load_picture(folder, f"{number}.png")
    assert pictures._read.cache_info().currsize == 16
