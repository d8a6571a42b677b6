"""A file that nests without end or is huge is a file that can't be read, wherever it lies.

It is told of in one line, and all else goes on (SECURITY.md: a file may be read, or refused)."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.store.evenings import Evening

import affray
from affray.cli import main
from affray.core.parser.errors import Refused
from affray.data_text import MOST_NESTED, DataError, read_json, read_toml
from affray.store.campaigns import files
from affray.store.campaigns.find import find_campaigns
from affray.store.campaigns.summaries import summary
from affray.store.importers.detect import read_files
from affray.tui.keymap import keep_theme, own_keys, own_theme

Run = Callable[..., tuple[int, str, str]]
SOURCE = Path(affray.__file__).parent

NESTED = {
    "brackets": f"a = {'[' * 100_000}",
    "brackets that close": f"a = {'[' * 300}{']' * 300}\n",
    "tables": f"a = {'{a = ' * 300}1{'}' * 300}\n",
    "dotted keys": f"{'.'.join('a' * 900)} = 1\n",
    "a dotted heading": f"[{'.'.join('a' * 900)}]\n",
    "a very long dotted key": f"{'.'.join('a' * 100_000)} = 1\n",
}
"""Texts of TOML that nest; some of them a parser takes, and only what walks them then falls."""


@pytest.fixture(params=NESTED)
def nested(request: pytest.FixtureRequest) -> bytes:
    return NESTED[request.param].encode()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    return ran


# -- the readers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_toml_that_nests_without_end_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(DataError, match=f"more than {MOST_NESTED} deep") as refused:
        read_toml(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("depth", [MOST_NESTED + 2, 300, 900, 100_000])
def test_json_that_nests_without_end_is_refused_in_one_line(depth: int) -> None:
    for text in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        with pytest.raises(DataError, match=f"more than {MOST_NESTED} deep"):
            read_json(text)


def test_what_nests_as_deep_as_an_entry_may_is_read() -> None:
    depth = MOST_NESTED - 1
    assert read_toml(f"a = {'[' * depth}{']' * depth}") == read_json(
        f'{{"a": {"[" * depth}{"]" * depth}}}'
    )
    assert (read_json("1"), read_json('"a"')) == (1, "a")


def test_a_number_of_thousands_of_digits_is_refused_in_one_line() -> None:
    for read, text in ((read_toml, f"a = {'9' * 9_000}"), (read_json, "9" * 9_000)):
        with pytest.raises(DataError):
            read(text)


# -- every file of affray's ------------------------------------------------------------------------


def huge(path: Path) -> None:
    """A file of 8 GB, of which the disk holds nothing."""
    with path.open("wb") as file:
        file.write(b"format = 1\n")
        file.truncate(2**33)


def pipe(path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("Windows has no pipes with a name")
    os.mkfifo(path)


@pytest.fixture
def vale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path / "campaigns"))
    evening = Evening(tmp_path / "campaigns" / "vale")
    evening.play("ford", "add party", "init roll", "start")
    evening.play("mill", "add party")
    return evening


FILES = ["campaign.toml", "party.toml", "bestiary.toml", "rules.toml"]


@pytest.mark.parametrize("name", FILES)
def test_a_campaigns_file_that_nests_is_named_in_one_line(
    vale: Evening, run: Run, name: str, nested: bytes
) -> None:
    (vale.folder / name).write_bytes(nested)
    ford = vale.path("ford")
    for command in ("show", "log"):
        check_one_line(run(command, ford), name)
    check_one_line(run("do", ford, "note x"), name)
    _, out, err = run("check", vale.folder)  # a line for the file, and for each log
    assert f"{name}: not valid TOML: " in out and "Traceback" not in out + err
    assert [each.path for each in find_campaigns()] == [vale.folder]
    assert (vale.folder / name).read_bytes() == nested


def check_one_line(answer: tuple[int, str, str], name: str) -> None:
    _, out, err = answer
    told = [line for line in (out + err).splitlines() if name in line]
    assert len(told) <= 1 and "Traceback" not in out + err
    assert told or name == "campaign.toml"  # which is not asked for by a fight that has begun


@pytest.mark.parametrize("make", [huge, pipe])
@pytest.mark.parametrize("name", FILES)
def test_a_campaigns_file_that_is_huge_or_a_pipe_is_named_in_one_line(
    vale: Evening, run: Run, name: str, make: Callable[[Path], None]
) -> None:
    path = vale.folder / name
    path.unlink(missing_ok=True)
    make(path)
    with pytest.raises(Refused, match=f"{name}: (larger than 64 MB|not a plain file)"):
        files.load_toml(path)
    check_one_line(run("do", vale.path("ford"), "note x"), name)
    assert [each.path for each in find_campaigns()] == [vale.folder]


def test_a_log_that_nests_is_refused_in_one_line_and_others_are_listed(
    vale: Evening, run: Run, nested: bytes
) -> None:
    ford = vale.path("ford")
    for content in (nested, b"format = 1\n" + nested, b'format = 1\nruleset = "plain"\n' + nested):
        ford.write_bytes(content)
        for command in (("show", ford), ("check", ford), ("do", ford, "note x"), ("watch", ford)):
            _, out, err = run(*command)
            assert "Traceback" not in out + err and len(err.splitlines()) <= 1
        assert summary(ford).problem and not summary(vale.path("mill")).problem
        assert ford.read_bytes() == content


@pytest.mark.parametrize("make", [huge, pipe])
def test_a_log_or_a_ledger_that_is_huge_or_a_pipe_is_refused_in_one_line(
    vale: Evening, run: Run, make: Callable[[Path], None]
) -> None:
    for path in (vale.path("ford"), vale.ledger_path):
        path.unlink()
        make(path)
        status, out, err = run("show", path)
        assert (status, out) == (2, "")
        assert re.fullmatch(r"affray: .*(larger than 512 MB|not a plain file)\)?\n", err)
    assert len(find_campaigns()) == 1 and summary(vale.path("ford")).problem
    assert run("do", vale.path("mill"), "note x")[0] == 0


def test_a_ledger_that_nests_holds_up_no_fight(vale: Evening, run: Run, nested: bytes) -> None:
    for content in (nested, b"format = 1\n" + nested):
        vale.ledger_path.write_bytes(content)
        status, out, err = run("do", vale.path("ford"), "note x", "end")
        assert status == 0 and "Traceback" not in out + err
        assert vale.ledger_path.read_bytes() == content
        run("do", vale.path("ford"), "undo")


@pytest.mark.parametrize("make", [huge, pipe, None])
def test_the_users_own_files_are_left_aside_with_a_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    nested: bytes,
    make: Callable[[Path], None] | None,
) -> None:
    monkeypatch.setenv("AFFRAY_CONFIG", str(tmp_path))
    for name in ("keys.toml", "settings.toml"):
        make(tmp_path / name) if make else (tmp_path / name).write_bytes(nested)
    keys, complaints = own_keys()
    assert not keys and len(complaints) == 1 and "\n" not in complaints[0]
    theme, complaint = own_theme(["dark"])
    assert not theme and "settings.toml is not used: " in complaint
    assert "settings.toml" in keep_theme("dark")


def test_a_settings_file_that_is_a_link_stays_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, config = tmp_path / "dotfiles.toml", tmp_path / "config"
    config.mkdir()
    real.write_text("# mine\n", "utf-8")
    (config / "settings.toml").symlink_to(real)
    monkeypatch.setenv("AFFRAY_CONFIG", str(config))
    assert keep_theme("dark") == ""
    assert (config / "settings.toml").is_symlink()
    assert real.read_text("utf-8") == 'theme = "dark"\n# mine\n'


# -- what is imported ------------------------------------------------------------------------------

_BLOCK = "```statblock\nname: Imp\nhp: 7\n{}\n```\n"
_XML = "<compendium>{}</compendium>"
IMPORTED = {
    "deep.json": "[" * 100_000,
    "deep-closed.json": '{"a":' * 400 + "1" + "}" * 400,
    "text.json": '{"name": "x", "ImprovedInitiative.Creatures.a": "%s"}' % ("[" * 100_000),
    "flow.md": _BLOCK.format("x: " + "[" * 100_000 + "]" * 100_000),
    "maps.md": _BLOCK.format("x: " + "{a: " * 100_000 + "1" + "}" * 100_000),
    "lists.md": _BLOCK.format("x:\n  " + "- " * 100_000 + "a"),
    "half.md": _BLOCK.format("x: " + "[" * 400 + "]" * 400),
    "front.md": "---\nstatblock: true\nname: Imp\nx: " + "[" * 100_000 + "\n---\n",
    "alias.md": _BLOCK.format("a: &a [x, x]\nb: [*a, *a]"),
    "deep.xml": _XML.format("<monster>" * 100_000 + "</monster>" * 100_000),
    "open.xml": "<compendium>" + "<monster>" * 100_000,
    "formula.csv": "name,hp\nImp," + "=" + "(" * 100_000 + "\n",
    "deep.toml": NESTED["brackets"],
    "export.toml": "# affray export: a campaign in one file.\n" + NESTED["brackets"],
}


@pytest.mark.parametrize("name", IMPORTED)
def test_a_file_to_import_that_nests_is_named_in_one_line(
    vale: Evening, run: Run, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_text(IMPORTED[name], "utf-8")
    status, out, err = run("import", path, "--into", vale.folder)
    assert "Traceback" not in out + err
    assert not any(len(line) > 1_000 for line in (out + err).splitlines())
    assert status in (0, 1, 2) and (name in out + err or "Imp" in out)


@pytest.mark.parametrize("make", [huge, pipe])
def test_a_file_to_import_that_is_huge_or_a_pipe_is_named_in_one_line(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "x.json")
    (told,) = read_files(tmp_path / "x.json")
    assert told.fault in ("larger than 64 MB", "not a plain file")


# -- by construction -------------------------------------------------------------------------------

ONLY_IN = {
    "loads": {"data_text.py"},  # of tomli, json; yaml's below
    "load": {"store/importers/obsidian.py", "store/importers/installed.py", "rulesets/__init__.py"},
    "fromstring": {"store/importers/fight_club.py", "store/importers/spreadsheet.py"},
    "read_text": {"serve/page.py", "rulesets/__init__.py", "rulesets/fifth/spell_rows.py",
                  "cli_commands.py", "demo.py", "extras.py", "play/vocabulary.py",
                  "new_ruleset.py"},  # files of the package itself
    "write_text": {"new_ruleset.py"},  # into a folder that it has made
    "write_bytes": set(),
    "unlink": {"store/filesystem.py", "store/own_folder.py", "store/log_file.py",
               "store/importers/run_import.py", "store/campaigns/manage.py"},
    "rmtree": {"store/campaigns/manage.py"},
    "rmdir": set(), "removedirs": set(),
    "copytree": {"store/campaigns/manage.py"},
    "copy2": {"store/importers/run_import.py"},
}  # fmt: skip
"""The modules in which a file is read whole, parsed, or removed: the others ask these."""


def test_files_are_read_and_removed_in_few_places() -> None:
    found: dict[str, set[str]] = {name: set() for name in ONLY_IN}
    of_paths: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        where = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ONLY_IN:
                found[node.attr].add(where)
            called = node.func if isinstance(node, ast.Call) and not node.args else None
            if isinstance(called, ast.Attribute) and called.attr == "read_bytes":
                of_paths.add(where)  # Path's; ours has an argument
    assert found == ONLY_IN
    assert of_paths == set()


def test_a_parser_of_toml_or_json_is_imported_in_one_place() -> None:
    parsers = {"tomli", "tomllib", "json"}
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import) and parsers & {alias.name for alias in node.names}
    }
    writers = {"stdio.py", "serve/server.py", "serve/table.py"}  # `dumps` alone, by the test above
    assert found - writers == {"data_text.py"}
