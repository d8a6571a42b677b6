"""Files as people have them: cut off, in old encodings, with slips. Each is read, or refused in a
line, and one bad creature costs no other."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.store.importers.formats import FORMATS

from affray.core.parser.errors import Refused
from affray.store.importers.detect import DetectedFile, files_of, read_files
from affray.store.importers.run_import import ImportSummary, bring_in

SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda data: data,
    "half": lambda data: data[: len(data) // 2],
    "a third": lambda data: data[: len(data) // 3],
    "without its end": lambda data: data[:-3],
    "without its beginning": lambda data: data[7:],
    "twice": lambda data: data + b"\n" + data,
    "with junk behind": lambda data: data + b"\n} ]] </x> ---",
    "with zeros": lambda data: data[:40] + b"\0\0" + data[40:],
    "with a mark": lambda data: b"\xef\xbb\xbf" + data,
    "in UTF-16": lambda data: data.decode().encode("utf-16"),
    "in UTF-16 without a mark": lambda data: data.decode().encode("utf-16-be"),
    "in UTF-32": lambda data: data.decode().encode("utf-32"),
    "in UTF-7": lambda data: data.decode().encode("utf-7"),
    "of Windows": lambda data: data.replace(b"\n", b"\r\n"),
    "of an old Mac": lambda data: data.replace(b"\n", b"\r"),
    "in Latin-1": lambda data: data.replace(b"e", b"\xe9", 3),
    "with control signs": lambda data: data.replace(b"a", b"\x07\x1b", 2),
    "without quotes": lambda data: data.replace(b'"', b""),
    "with curly quotes": lambda data: data.replace(b'"', "”".encode()),
    "with tabs": lambda data: data.replace(b"  ", b"\t"),
    "in capitals": lambda data: data.upper(),
    "without digits": lambda data: bytes(sign for sign in data if sign not in b"0123456789"),
    "with huge numbers": lambda data: data.replace(b"1", b"1" * 40),
    "with negative numbers": lambda data: data.replace(b" 1", b" -1").replace(b">1", b">-1"),
    "without colons": lambda data: data.replace(b":", b""),
}


def told(found: list[DetectedFile]) -> list[str]:
    return [line for source in found for line in (source.fault, *source.contents.left) if line]


@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("name", FORMATS)
def test_a_spoilt_file_is_read_or_refused_in_a_line(name: str, how: str, tmp_path: Path) -> None:
    text = FORMATS[name]()
    file = tmp_path / "crabs.json"
    file.write_bytes(SPOILT[how](text if isinstance(text, bytes) else text.encode()))
    found = read_files(file)
    assert all(source.fault or source.format for source in found)
    assert all("\n" not in line and len(line) < 400 for line in told(found))
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    try:
        bring_in(file, campaign)
    except Refused as refusal:
        assert "\n" not in str(refusal)
        assert not (campaign / "bestiary.toml").exists()


def brought(tmp_path: Path, text: str, name: str) -> ImportSummary:
    campaign = tmp_path / "vale"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    file = tmp_path / name
    file.write_text(text, "utf-8", newline="")
    return bring_in(file, campaign)


def names_of(summary: ImportSummary) -> list[str]:
    return [row.name for row in summary.rows["bestiary.toml"]]


def monster(name: str, more: str = "") -> str:
    return f"<monster><name>{name}</name><hp>9 (2d8)</hp><ac>12</ac><str>10</str>{more}</monster>"


@pytest.mark.parametrize(
    ("text", "names", "left"),
    [
        (f"<compendium>{monster('Salt & Pepper')}{monster('Eel')}</compendium>",
         ["Salt & Pepper", "Eel"], []),
        (f"<compendium>{monster('Caf&eacute;&nbsp;Cat')}{monster('Eel &amp; Ox')}</compendium>",
         ["Café Cat", "Eel & Ox"], []),
        (f"<compendium>{monster('Less < More')}</compendium>", ["Less < More"], []),
        (f"<compendium>{monster('Eel')}{monster('Ox', '<b>')}{monster('Cat')}</compendium>",
         ["Eel", "Cat"], ["monsters that are not valid XML: 1"]),
        (f"<compendium>{monster('Eel')}{monster('Ox')[:60]}",
         ["Eel"], ["monsters that are not valid XML: 1"]),
        (f"<compendium>{monster('Eel')}</compendium>\n<compendium>{monster('Ox')}</compendium>",
         ["Eel", "Ox"], []),
        (f'<compendium xmlns="http://fen.example">{monster("Eel")}</compendium>', ["Eel"], []),
    ],
)  # fmt: skip
def test_a_slip_in_xml_costs_one_monster_at_most(
    text: str, names: list[str], left: list[str], tmp_path: Path
) -> None:
    summary = brought(tmp_path, text, "crabs.xml")
    assert names_of(summary) == names
    assert [line for source in summary.sources for line in source.contents.left] == left


BLOCK = "```statblock\nname: {}\nhp: 9\nac: 12\n{}```\n"


@pytest.mark.parametrize(
    ("text", "names", "left"),
    [
        (BLOCK.format("Fen: the Old", ""), ["Fen: the Old"], 0),
        (BLOCK.format("Eel", "actions:\n  - name: Bite\n    desc: Hit: 5 (1d6 + 2) cold damage\n"),
         ["Eel"], 0),
        (BLOCK.format("Eel", "desc: *Old* and grey # not a note\n"), ["Eel"], 0),
        (BLOCK.format("Eel", "") + BLOCK.format("[", "") + BLOCK.format("Ox", ""),
         ["Eel", "Ox"], 1),
        ("```statblock\nname: Eel\nhp: 9\nac: 12\n", ["Eel"], 0),
        (BLOCK.format("Eel", "").replace("\n", "\r"), ["Eel"], 0),
    ],
)  # fmt: skip
def test_a_slip_in_yaml_costs_one_block_at_most(
    text: str, names: list[str], left: int, tmp_path: Path
) -> None:
    summary = brought(tmp_path, text, "fens.md")
    assert names_of(summary) == names
    assert sum(len(source.contents.left) for source in summary.sources) == left


@pytest.mark.parametrize("text", ["sep=;\nname;hp;ac\nEel;9;12\n", "name|hp|ac\nEel|9|12\n"])
def test_lists_are_read_as_spreadsheets_write_them(text: str, tmp_path: Path) -> None:
    [row] = brought(tmp_path, text, "crabs.csv").rows["bestiary.toml"]
    assert (row.name, row.row["hp"], row.row["ac"]) == ("Eel", 9, 12)


ODD: list[Any] = [None, True, -5, 0, 10**30, 7.5, "1,234", "seven", [], [None, 1, {}], {"a": [1]}]


@pytest.mark.parametrize("value", ODD, ids=repr)
def test_an_odd_value_costs_no_other_creature(value: Any, tmp_path: Path) -> None:
    fields = ("ac", "speed", "str", "cr", "save", "skill", "resist", "action", "trait", "size")
    fields += ("hp", "name", "type", "senses", "immune", "spellcasting", "legendary", "alignment")
    whole = {"name": "Eel", "hp": {"average": 9}, "ac": [12], "cr": "1", "str": 10, "dex": 10}
    odd = [{**whole, "name": f"Odd {field}", field: value} for field in fields]
    summary = brought(tmp_path, json.dumps({"monster": [*odd, whole]}), "eels.json")
    assert "Eel" in names_of(summary)
    known = [*names_of(summary), *(name for name, _ in summary.out)]
    left = [line for source in summary.sources for line in source.contents.left]
    for field in fields:
        is_told = f"Odd {field}" in known or any(f"Odd {field}" in line for line in left)
        assert is_told or field == "name"


@pytest.mark.parametrize(("ac", "there"), [(1234, None), (999, 999)])
def test_a_number_that_no_row_can_have_costs_that_number(
    ac: int, there: int | None, tmp_path: Path
) -> None:
    text = json.dumps(
        {"monster": [{"name": "Eel", "hp": {"average": 9}, "ac": [str(ac)], "str": 9}]}
    )
    [row] = brought(tmp_path, text, "eels.json").rows["bestiary.toml"]
    assert row.row.get("ac") == there
    assert ("ac, in words" in row.left) == (there is None)


def test_a_brew_without_monsters_says_what_it_has(tmp_path: Path) -> None:
    file = tmp_path / "brew.json"
    brew = {"_meta": {"sources": [{"json": "FEN"}]}, "item": [{"name": "Reed"}], "spell": []}
    file.write_text(json.dumps(brew), "utf-8")
    [found] = read_files(file)
    assert found.fault == "5etools' format without a monster: item, spell"


def test_half_a_sign_costs_nothing(tmp_path: Path) -> None:
    """`\\ud800` in JSON is half of a sign, which no file can be saved with."""
    text = '{"monster": [{"name": "Eel \\ud800", "hp": {"average": 9}, "ac": [12], "str": 9}]}'
    [name] = names_of(brought(tmp_path, text, "eels.json"))
    assert name.startswith("Eel")


def test_a_folder_that_cannot_be_opened_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vault" / "shut").mkdir(parents=True)
    (tmp_path / "vault" / "fens.md").write_text(BLOCK.format("Eel", ""), "utf-8")
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if isinstance(path, str | Path) and Path(path).name == "shut":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = [source for file in files_of(tmp_path / "vault") for source in read_files(file)]
    assert [(s.path.name, s.fault) for s in found] == [
        ("fens.md", ""),
        ("shut", "a folder that can't be opened"),
    ]


def test_a_folder_without_files_says_so(tmp_path: Path) -> None:
    (tmp_path / "vault" / ".obsidian").mkdir(parents=True)
    (tmp_path / "vault" / ".obsidian" / "app.json").write_text("{}", "utf-8")
    (tmp_path / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    with pytest.raises(Refused, match="no file but hidden ones: nothing to import"):
        bring_in(tmp_path / "vault", tmp_path)
