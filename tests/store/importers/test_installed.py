"""Importers of other packages: the one of the page on them is built, installed and used."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from affray import debug_log
from affray.core.parser.errors import Refused
from affray.store.importers import EncounterMember, installed
from affray.store.importers.detect import DetectedFile, read_files
from affray.store.importers.report import import_report
from affray.store.importers.run_import import bring_in, fault_of

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "write-an-importer.md").read_text("utf-8")
SOURCES = re.findall(r"^`(affray_\w+)\.py`:\n\n```python\n(.*?)```", PAGE, re.S | re.M)
SOURCE = dict(SOURCES)["affray_hedge"]
(FEN,) = re.findall(r"```\n(hedge 1\n.*?)```", PAGE, re.S)
(FENS,) = re.findall(r"```json\n(.*?)```", PAGE, re.S)
(PROJECT,) = map(tomllib.loads, re.findall(r"```toml\n(.*?)```", PAGE, re.S))
ENTRIES = PROJECT["project"]["entry-points"][installed.GROUP]


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    installed._installed.cache_clear()
    yield
    installed._installed.cache_clear()


def install(site: Path, monkeypatch: pytest.MonkeyPatch, *sources: tuple[str, str]) -> None:
    """Install a package of modules, with those entry points of the page that are for them."""
    info = site / "affray_hedge-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: affray-hedge\nVersion: 1\n", "utf-8"
    )
    modules = dict(sources)
    theirs = [f"{n} = {to}" for n, to in ENTRIES.items() if to.partition(":")[0] in modules]
    lines = "\n".join([f"[{installed.GROUP}]", *theirs, ""])
    (info / "entry_points.txt").write_text(lines, "utf-8")
    for name, source in sources:
        (site / f"{name}.py").write_text(source, "utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(site)


def test_the_importers_of_the_page_bring_all_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", monkeypatch, *SOURCES)
    campaign, files = tmp_path / "vale", tmp_path / "files"
    campaign.mkdir()
    files.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    (files / "fen.hedge").write_text(FEN, "utf-8")
    (files / "fens.json").write_text(FENS, "utf-8")
    (files / "list.json").write_text(json.dumps([1, 2]), "utf-8")
    brought = bring_in(files, campaign)
    assert [source.format for source in brought.sources] == ["Hedge", "Hedge campaign", ""]
    rows = {row.key: row.row for file in brought.rows.values() for row in file}
    assert rows["fen-wisp"]["attack"] == ['"Shock" +4 2d8 lightning melee magical reach 5']
    assert (rows["bog-boar"]["hp"], rows["bog-boar"]["speed"]) == (22, 40)
    assert rows["mara"]["hp"] == "12/30"
    assert "not used: fens.json: 1 maps" in import_report(brought)
    fight = (campaign / "encounters" / "the-ford.toml").read_text("utf-8")
    assert fight.count("asleep") >= 2 and brought.lines == []


def test_the_package_of_the_page_has_each_module_with_an_entry() -> None:
    modules = PROJECT["tool"]["setuptools"]["py-modules"]
    assert [name for name, _ in SOURCES] == modules
    assert [to.partition(":")[0] for to in ENTRIES.values()] == modules


PROBE = """
from msgspec.structs import replace
from affray.core.rules.imported_creature import ImportedCreature
from affray.store.importers import (
    EncounterMember, ImportContents, ImportedEncounter, ImportFormat, import_each,
)
from affray.store.importers.stat_block import parse_stat_block

BLOCK = {"name": "Wisp", "hp": 9, "ac": 12}

def wisp(**more):
    return parse_stat_block({**BLOCK, **more}, game="5e")

def holds(text):
    return text.startswith("hedge 1")

def read(text):
    %s

HEDGE = ImportFormat("Hedge", holds, read, of="text")
"""
IMPORTER = "the importer hedge of affray-hedge"
READ_LINE = PROBE[: PROBE.index("%s")].count("\n") + 1


class Reads(NamedTuple):
    """Reads a file with a package whose `read` is one statement."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, statement: str) -> DetectedFile:
        return self.with_source(PROBE % statement)

    def with_source(self, source: str, text: str = FEN) -> DetectedFile:
        install(self.folder / "site", self.monkeypatch, ("affray_hedge", source))
        file = self.folder / "fen.hedge"
        file.write_text(text, "utf-8")
        [found] = read_files(file)
        return found


@pytest.fixture
def reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reads:
    return Reads(tmp_path, monkeypatch)


CULTIST = """{
    "name": "Thorn Cultist", "hp": 20,
    "traits": [{"name": "Spellcasting", "desc":
        "It casts spells (spell save DC 12): 1st level (3 slots): sleep, 1/day: light"}],
    "actions": [{"name": "Thorn Lash", "desc":
        "Melee Weapon Attack: +5 to hit, reach 10 ft. Hit: 7 (1d8 + 3) piercing damage."}],
    "legendary_actions": [{"name": "Lash", "desc": "The cultist makes one thorn lash attack."}],
}"""


@pytest.mark.parametrize(
    "made", ["ImportContents((build(row),))", "import_each([row], build, lambda row: row['name'])"]
)
def test_a_creature_is_the_same_however_its_contents_are_made(made: str, reads: Reads) -> None:
    build = "build, row = lambda row: parse_stat_block(row, game='5e'), "
    [cultist] = reads(f"{build}{CULTIST}; return {made}").contents.creatures
    assert cultist.casts is not None and cultist.casts.slots == (3,)
    lash = next(each for each in cultist.features if each.name == "Lash")
    assert lash.attack is not None and lash.attack.bonus == 5


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("None", "`read` returns nothing, not ImportContents"),
        ("[wisp()]", "`read` returns a list, not ImportContents"),
        ("wisp()", "`read` returns an ImportedCreature, not ImportContents"),
        ("ImportContents(wisp())", "`creatures` is an ImportedCreature, not a tuple"),
        ("ImportContents(left='one line')", "left: expected array, got str"),
        ("BLOCK['hits']", f"KeyError: 'hits' (affray_hedge.py, line {READ_LINE})"),
    ],
)
def test_a_mistake_of_a_package_names_it_and_the_place(given: str, why: str, reads: Reads) -> None:
    assert reads(f"return {given}").fault == f"{IMPORTER} failed: {why}"


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("replace(wisp(), hp='many')", "Wisp: hp: expected int | null, got str"),
        ("replace(wisp(), ac=['12'])", "Wisp: ac: expected int | null, got array"),
        ("replace(wisp(), source=object())",
         "Wisp: a field has something that is no text, number, list or table"),
        ("{'name': 'Wisp'}", "creatures[1] is a dict, not an ImportedCreature"),
        ("parse_stat_block(BLOCK, game='dnd5e')",
         "Wisp: there is no game 'dnd5e'; there are 5e, another (for any other), "
         "monsters-and-magic, orcus, level-up, adventure-school and plain"),
    ],
)  # fmt: skip
def test_a_creature_with_a_value_that_none_can_have_is_left_out_alone(
    given: str, line: str, reads: Reads
) -> None:
    found = reads(f"return ImportContents((ImportedCreature('Ok', hp=3), {given}))").contents
    assert ([each.name for each in found.creatures], found.left) == (["Ok"], (line,))


@pytest.mark.parametrize(
    ("member", "line"),
    [
        ("('Wisp', 2)", "Fen: members[0]: expected object, got array"),
        ("EncounterMember('Wisp', 0)", "Fen: members[0].count: expected int >= 1"),
        ("EncounterMember('Wisp', '2 or 3')", "Fen: members[0].count: expected int, got str"),
        (
            "EncounterMember('Wisp', notes='x')",
            "Fen: members[0].notes: expected array, got str",
        ),
        ("{'Wisp': 2}", "Fen: members[0]: object missing required field creature"),
    ],
)
def test_an_encounter_with_a_wrong_value_is_left_out(member: str, line: str, reads: Reads) -> None:
    found = reads(
        f"return ImportContents(meetings=[ImportedEncounter('Fen', [{member}])])"
    ).contents
    assert (found.meetings, found.left) == ((), (line,))


def test_numbers_that_stand_in_texts_are_numbers(reads: Reads) -> None:
    member = "EncounterMember('Wisp', '3', hp='7')"
    found = reads(
        "return ImportContents([replace(wisp(), hp='12')], "
        f"[ImportedEncounter('Fen', [{member}])], ['a line'])"
    ).contents
    assert (found.creatures[0].hp, found.left) == (12, ("a line",))
    assert found.meetings[0].members == (EncounterMember("Wisp", 3, hp=7),)


@pytest.mark.parametrize(
    ("build", "why"),
    [
        ("wisp(hp=row['hits'])", f"KeyError: 'hits' (affray_hedge.py, line {READ_LINE})"),
        ("1 / row", f"TypeError: unsupported operand type(s) for /: 'int' and 'dict' "
         f"(affray_hedge.py, line {READ_LINE})"),
        ("next(iter(()))", f"StopIteration (affray_hedge.py, line {READ_LINE})"),
    ],
)  # fmt: skip
def test_a_row_at_which_a_package_fails_names_the_place(build: str, why: str, reads: Reads) -> None:
    rows = "[{'name': 'Ogre'}, {'name': 'Wisp', 'hp': 3}]"
    found = reads(f"return import_each({rows}, lambda row: {build}, lambda row: row['name'])")
    assert found.contents.left[0] == f"Ogre: {why}"


def test_a_row_whose_name_can_not_be_told_is_told(reads: Reads) -> None:
    found = reads(
        "return import_each([{}], lambda row: wisp(hp=row['hp']), lambda row: row['name'])"
    )
    assert [line.partition(":")[0] for line in found.contents.left] == ["a creature without a name"]


LEFT_OUT = "; affray goes on without it (`pip uninstall affray-hedge`)"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("HEDGE = 7\n", " is an int, not an ImportFormat"),
        ("\n1 / 0\n", " can't be loaded: ZeroDivisionError: division by zero "
         "(affray_hedge.py, line 2)"),
        ("def\n", " can't be loaded: SyntaxError: invalid syntax (affray_hedge.py, line 1)"),
        ("import sys; sys.exit(3)\n", " can't be loaded: SystemExit: 3 (affray_hedge.py, line 1)"),
        ((PROBE % 'pass').replace('of="text"', 'of="xml"'),
         " is of 'xml'; it can be of 'json' or of 'text'"),
        ((PROBE % 'pass').replace('holds, read', 'True, read'),
         " needs a name, and functions for `holds` and `read`"),
    ],
    ids=["no format", "fails", "no Python", "exits", "of xml", "not callable"],
)  # fmt: skip
def test_a_package_that_can_not_be_used_is_told_and_affray_reads_on(
    source: str, why: str, reads: Reads
) -> None:
    found = reads.with_source(source, "name,hp,ac\nRat,3,10\n")
    assert (found.format, found.fault, len(found.contents.creatures)) == ("a list", "", 1)
    assert found.unusable == (f"{IMPORTER}{why}{LEFT_OUT}",)


def test_one_that_fails_at_asking_whose_a_file_is_costs_itself_alone(
    tmp_path: Path, reads: Reads
) -> None:
    """With what it raised in the report, and in the line on a file that nobody can read."""
    source = (PROBE % "pass").replace("text.startswith", "text.begins")
    install(tmp_path / "site", reads.monkeypatch, ("affray_hedge", source))
    campaign, file = tmp_path / "vale", tmp_path / "rat.csv"
    campaign.mkdir()
    (campaign / "campaign.toml").write_text('name = "Vale"\nruleset = "5e"\n', "utf-8")
    file.write_text("name,hp,ac\nRat,3,10\n", "utf-8")
    why = (
        f"{IMPORTER} can't say whether a file is of its format: "
        "AttributeError: 'str' object has no attribute 'begins' (affray_hedge.py, line 15)"
    )
    assert import_report(bring_in(file, campaign))[-1] == why
    file.write_text("nothing of the kind\n", "utf-8")
    with pytest.raises(Refused) as refusal:
        bring_in(file, campaign)
    assert str(refusal.value) == (
        f"{file}: not in a known format; {why}; installed importers: hedge (affray-hedge)"
    )


@pytest.mark.parametrize(
    ("of", "text"),
    [
        ("text", "<compendium><monster><name>Rat</name><hp>3</hp></monster></compendium>"),
        ("text", "name,hp\nRat,3\n"),
        ("json", json.dumps([{"model": "api_v2.creature", "pk": "rat", "fields": {}}])),
    ],
    ids=["XML of Fight Club", "a list", "a table of Open5e"],
)
def test_packages_are_asked_before_affrays_own_formats(of: str, text: str, reads: Reads) -> None:
    source = PROBE % "return ImportContents((wisp(),))"
    source = source.replace('text.startswith("hedge 1")', "True").replace('of="text"', f'of="{of}"')
    found = reads.with_source(source, text)
    assert (found.format, [each.name for each in found.contents.creatures]) == ("Hedge", ["Wisp"])


@pytest.mark.parametrize("hp", ["lots", 0, -4])
def test_hp_that_can_not_be_read_are_told(hp: object, reads: Reads) -> None:
    [made] = reads(f"return ImportContents((wisp(hp={hp!r}),))").contents.creatures
    assert fault_of(made) == f"its HP are no number above 0: {hp}"


def test_a_debug_log_has_the_traceback_of_a_packages_mistake(tmp_path: Path, reads: Reads) -> None:
    debug_log.start(tmp_path / "debug.log", [], "1")
    reads("return BLOCK['hits']")
    debug_log.stop()
    text = (tmp_path / "debug.log").read_text("utf-8")
    assert f'affray_hedge.py", line {READ_LINE}, in read' in text
