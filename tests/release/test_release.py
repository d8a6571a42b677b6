"""What `make release` judges by: a version, a changelog, what files hold, a screen's picture."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path
from time import sleep

import pytest
from tests.release.artefacts import ROOT, differences, sdist_files, wheel_files
from tests.release.installed import check_picture, pythons
from tests.release.readme import check_readme, lines_that_install
from tests.release.steps import ReleaseError, report, run
from tests.release.version import SOURCE, check_number, dated, source_with, version_in

pytestmark = pytest.mark.skipif(os.name != "posix", reason="releases are made on Unix")

TODAY = date(2026, 3, 9)
TOLD = "### Added\n\n- A key.\n"
CHANGELOG = f"# Changelog\n\n## [Unreleased]\n\n{TOLD}\n## [0.9.0] - 2026-01-02\n\n- It began.\n"


@pytest.mark.parametrize("number", ["1.0.0", "0.10.0", "0.9.1", "1.0.0rc1"])
def test_a_version_is_later_than_all_that_have_a_tag(number: str) -> None:
    check_number(number, ["v0.9.0", "v0.2.10", "v0.9.1rc1", "very-old"])
    check_number(number, [])


@pytest.mark.parametrize(
    ("number", "why"),
    [
        ("0.9.0", "v0.9.0 is released already"),
        ("0.9.0rc2", "v0.9.0 is released already"),
        ("0.8.9", "must be later"),
        ("1.0", "is no version"),
        ("v1.0.0", "is no version"),
        ("1.0.0-beta", "is no version"),
        ("", "say VERSION=1.2.3"),
    ],
)
def test_what_is_no_later_version_is_refused(number: str, why: str) -> None:
    with pytest.raises(ReleaseError, match=why):
        check_number(number, ["v0.9.0", "v0.8.0", "very-old"])


def test_what_is_unreleased_becomes_the_section_of_the_version() -> None:
    made = dated(CHANGELOG, "1.0.0", TODAY)
    assert made == CHANGELOG.replace(
        "## [Unreleased]\n", "## [Unreleased]\n\n## [1.0.0] - 2026-03-09\n"
    )
    assert dated(made, "1.0.0", date(2026, 3, 10)) == made  # written beforehand


@pytest.mark.parametrize(
    ("changelog", "why"),
    [
        ("# Changelog\n", "has no section"),
        (CHANGELOG.replace(TOLD, ""), "write what is new"),
        (CHANGELOG.replace("[0.9.0]", "[1.0.0]"), "move it below"),
        (CHANGELOG.replace("[Unreleased]", "[1.0.0]"), "write `## .1.0.0. - 2026-03-09`"),
        (CHANGELOG.replace("[Unreleased]", "[1.0.0] - 9 March"), "has no date"),
        (CHANGELOG.replace("[Unreleased]", "[1.0.0] - 2026-3-9"), "has no date"),
        (CHANGELOG.replace("[Unreleased]", "[2.0.0]") + "\n## [1.0.0] - 2026-03-09\n", "later"),
        (CHANGELOG.replace(TOLD, "## [1.0.0] - 2026-03-09\n\n"), "write what is new"),
    ],
)
def test_a_changelog_that_tells_nothing_or_tells_it_twice_is_refused(
    changelog: str, why: str
) -> None:
    with pytest.raises(ReleaseError, match=why):
        dated(changelog, "1.0.0", TODAY)


def test_the_changelog_of_this_tree_can_be_read() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "## [999.0.0] - 2026-03-09" in dated(
        text.replace("## [Unreleased]", f"## [Unreleased]\n\n{TOLD}"), "999.0.0", TODAY
    )


def test_the_source_says_the_version_in_one_place() -> None:
    source = (ROOT / SOURCE).read_text("utf-8")
    changed = source_with(source, "1.2.3rc4")
    assert version_in(changed) == "1.2.3rc4"
    assert source_with(changed, version_in(source)) == source


SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
TRACKED = [
    *("src/affray/cli.py", "src/affray/rulesets/orcus/tables/effects.toml", "LICENSE", "Makefile"),
    *("src/affray/tui/affray.tcss", "tests/conftest.py", "docs/orcus.md", "docsets/x.md"),
    *("campaigns/drowned-vale/party.toml", "campaigns/ash-road/party.toml"),
]


def test_a_wheel_has_the_package_its_rules_and_styles_a_sample_the_man_page_and_the_licences() -> (
    None
):
    expected = wheel_files(TRACKED, SETTINGS, "1.2.3")
    assert {name for name in expected if not name.startswith("affray-1.2.3")} == {
        *("affray/cli.py", "affray/rulesets/orcus/tables/effects.toml", "affray/tui/affray.tcss"),
        "affray/sample/party.toml",
    }
    assert expected > {
        "affray-1.2.3.data/data/share/man/man1/affray.1",
        "affray-1.2.3.data/data/share/bash-completion/completions/affray",
        "affray-1.2.3.dist-info/licenses/NOTICE",
    }


def test_an_sdist_has_what_is_included_and_tracked_alone() -> None:
    assert sdist_files(TRACKED, SETTINGS, "1.2.3") == {
        *(f"affray-1.2.3/{path}" for path in TRACKED if path not in ("Makefile", "docsets/x.md")),
        *("affray-1.2.3/.gitignore", "affray-1.2.3/PKG-INFO", "affray-1.2.3/pyproject.toml"),
    }


def test_a_file_that_is_missing_or_too_many_is_named() -> None:
    assert differences(["a", "notes-of-mine"], ["a", "b"]) == [
        "missing: b",
        "too many: notes-of-mine",
    ]


def test_a_picture_has_to_have_every_name_in_it() -> None:
    picture = "<text>&#160;Tithe&#160;Taker&#160;1</text><text>Pell&#x27;s</text>"
    check_picture(picture, ["Tithe Taker 1", "Pell's"])
    with pytest.raises(ReleaseError, match="Tamsin isn't on it"):
        check_picture(picture, ["Pell's", "Tamsin"])
    with pytest.raises(ReleaseError, match="nobody isn't on it"):
        check_picture(picture, [])


def test_a_program_that_fails_says_what_it_printed_and_last_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ReleaseError) as failed:
        run(sys.executable, "-c", "print('broken'); exit(3)", otherwise="mend it")
    assert report(failed.value) == 1
    assert capsys.readouterr().err == "broken\nno release: mend it\n"
    with pytest.raises(ReleaseError, match="install it"):
        run(tmp_path / "no-such-program", otherwise="install it")


@pytest.mark.skipif(os.name == "nt", reason="a release is made where make is")
def test_whoever_stops_it_stops_what_its_programs_have_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or that would go on writing into the folder that is cleared away."""
    written = tmp_path / "written"

    def stop_once_it_writes(*_: object) -> None:
        while not written.exists():
            sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess.Popen, "communicate", stop_once_it_writes)
    with pytest.raises(KeyboardInterrupt):
        writes = f"while sleep 0.01; do echo more >> {written}; done"
        run("sh", "-c", f"({writes}) & wait", otherwise="")
    size = written.stat().st_size
    sleep(0.1)
    assert written.stat().st_size == size


@pytest.mark.skipif(os.name == "nt", reason="a release is made where make is")
def test_a_python_that_answers_no_question_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, text in (("a", "#!/bin/sh\nexit 127\n"), ("b", "#!/bin/sh\necho /opt/b/python\n")):
        path = tmp_path / folder / "python3.12"
        path.parent.mkdir()
        path.write_text(text, "utf-8")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'a'}::{tmp_path / 'b'}")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert pythons() == {"3.12": Path("/opt/b/python")}


def test_the_readme_says_how_to_try_and_install_it_in_each_way() -> None:
    lines = lines_that_install((ROOT / "README.md").read_text("utf-8"))
    assert [line for line in lines if not line.startswith(("py ", ".venv"))] == [
        "uvx --from . affray demo",
        'pipx install ".[serve]"',
        'uv tool install ".[serve]"',
    ]


def fake(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    (folder / name).chmod(0o755)


def test_a_line_of_the_readme_that_fails_stops_the_release(tmp_path: Path) -> None:
    (tree := tmp_path / "tree").mkdir()
    (tree / "README.md").write_text(
        "```sh\nuvx --from . affray demo\npipx install .\n```\n", "utf-8"
    )
    fake(tmp_path / "bin", "pipx", "exit 1")
    with pytest.raises(ReleaseError, match=r"pipx install \."):
        check_readme(tree, tmp_path, tmp_path / "bin")
    fake(tmp_path / "bin", "uvx", "echo played")
    with pytest.raises(ReleaseError, match="sample campaign has to be in the wheel"):
        check_readme(tree, tmp_path, tmp_path / "bin")


def test_the_lines_of_the_readme_are_typed_where_the_repository_is(tmp_path: Path) -> None:
    (tree := tmp_path / "tree").mkdir()
    (tree / "README.md").write_text("```sh\nuvx --from . affray demo   # a sample\n```\n", "utf-8")
    play = f'cd "{ROOT}" && exec "{sys.executable}" -m affray demo'
    fake(
        tmp_path / "bin",
        "uvx",
        f'[ "$PWD" = "{tree}" ] && [ "$*" = "--from . affray demo" ] && {play}',
    )
    assert check_readme(tree, tmp_path, tmp_path / "bin") == ["uvx --from . affray demo"]
