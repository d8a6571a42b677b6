"""What shells complete of affray's arguments, its man page, and where both are installed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.fuzz.limits import by_the_clock
from tests.shell.generate import FOLDER, made

from affray.cli import COMMANDS, SHELLS, main, parser

ROOT = Path(__file__).parents[2]
THEMES = ["affray-contrast", "affray-dark", "affray-light"]

CASES = {
    "": [*COMMANDS, "ford.toml", "sub/"],
    "f": ["ford.toml"],
    "s": ["show", "sub/"],
    "show ": ["ford.toml", "sub/"],
    "show sub/": ["sub/the mill.toml"],
    "show ford.toml --": ["--at", "--debug", "--help", "--json"],
    "--theme affray-": THEMES,
    "ford.toml --theme affray-": THEMES,
    "new x.toml --ruleset ": [
        "adventure-school",
        "level-up",
        "monsters-and-magic",
        "orcus",
        "plain",
        "5e",
    ],
    "check ford.toml --repair f": ["ford.toml"],
    "do --debug n": ["notes.txt"],
    "--print-completion ": list(SHELLS),
    "do ford.toml ": [],
}
"""What can follow, by what was typed behind `affray`."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder, with a few files."""
    (tmp_path / "sub").mkdir()
    for name in ("ford.toml", "notes.txt", "sub/the mill.toml"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_they_say_what_the_parser_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    stale = [name for name, text in made().items() if (FOLDER / name).read_text("utf-8") != text]
    assert stale == [], "`make completions` makes them anew"


def test_all_of_them_are_installed_where_they_are_looked_for() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    shared = about["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert {ROOT / path for path in shared} == {FOLDER / name for name in made()}
    assert set(shared.values()) == {
        "share/bash-completion/completions/affray",
        "share/zsh/site-functions/_affray",
        "share/fish/vendor_completions.d/affray.fish",
        "share/man/man1/affray.1",
    }


@pytest.mark.parametrize("shell", SHELLS)
def test_each_can_be_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--print-completion", shell]) == 0
    assert capsys.readouterr().out == (FOLDER / f"affray.{shell}").read_text("utf-8")


def test_another_shell_is_refused_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--print-completion", "ksh"])
    said = capsys.readouterr().err
    assert ended.value.code == 2 and said.count("\n") == 1
    assert "ksh" in said and all(shell in said for shell in SHELLS)


def test_to_print_one_loads_neither_the_screen_nor_what_made_it() -> None:
    code = "import sys; from affray.cli import main; main(['--print-completion', 'fish'])\n"
    code += "print({'textual', 'shtab', 'argparse_manpage', 'logging'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("\nset()\n"), run.stdout[-200:]


def test_the_one_parser_has_every_command_with_its_own_options() -> None:
    (commands,) = (a for a in parser()._actions if a.dest == "==SUPPRESS==" and a.choices)
    assert tuple(commands.choices) == COMMANDS
    assert "--seed" in commands.choices["do"].format_help()


# -- in the shells themselves ----------------------------------------------------------------------

BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_shtab_affray
printf '%s\\n' "${COMPREPLY[@]}"
"""

ZSHRC = """
PROMPT= ; fpath=({folder} $fpath)
autoload -U compinit; compinit -u -D
zle -C all complete-word _generic
zstyle ':completion:all::::' completer _all_matches _complete
zstyle ':completion:all:*' insert true
told() {{ zle all -w; print -r -- "<<$BUFFER>>"; exit }}
zle -N told; bindkey '^X' told
"""
"""In which ^X puts all that can follow into the line, prints it, and leaves."""


def offered(shell: str, typed: str, folder: Path) -> list[str]:
    """What a shell offers behind `affray`, folders with the stroke that they are shown with."""
    script = str(FOLDER / f"affray.{shell}")
    words = ["affray", *typed.split(" ")]
    if shell == "bash":
        command = ["bash", "--norc", "-c", BASH, "bash", script, *words]
    else:
        line = f"source '{script}'; complete -C 'affray {typed}'"
        command = ["fish", "--no-config", "-c", line]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    rows = [row.partition("\t")[0] for row in run.stdout.splitlines() if row]
    return sorted(f"{row}/" if (folder / row).is_dir() and row[-1] != "/" else row for row in rows)


@pytest.mark.parametrize("shell", ["bash", "fish"])
@pytest.mark.parametrize("typed", CASES)
def test_a_shell_completes(shell: str, typed: str, folder: Path) -> None:
    if os.name != "posix" or shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    assert offered(shell, typed, folder) == sorted(CASES[typed])


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize("typed", CASES)
def test_zsh_completes(
    typed: str, folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(FOLDER / "affray.zsh", home / "_affray")
    (home / ".zshrc").write_text(ZSHRC.format(folder=home), "utf-8")
    monkeypatch.setenv("ZDOTDIR", str(home))
    terminal, inner = os.openpty()
    streams = {"stdin": inner, "stdout": inner, "stderr": inner}
    with subprocess.Popen(["zsh", "-i"], **streams, start_new_session=True):
        os.close(inner)
        os.write(terminal, f"affray {typed}\x18".encode())
        told = b""
        try:
            with by_the_clock():
                while b">>" not in told:
                    told += os.read(terminal, 4096)
        finally:
            os.close(terminal)
    (line,) = re.findall(rb"<<affray (.*)>>", told)
    before = typed.rpartition(" ")[0]
    words = shlex.split(line.decode().removeprefix(before))
    assert sorted(words) == sorted(CASES[typed])
