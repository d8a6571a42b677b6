"""No command and no file reaches the shell, the network, or a path outside of the campaign."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.confined import OUTSIDE

import affray

SOURCES = Path(affray.__file__).parent
REPOSITORY = Path(__file__).parents[2]
FORBIDDEN = {
    *("subprocess", "socket", "socketserver", "ssl", "http", "urllib", "ftplib", "smtplib"),
    *("webbrowser", "pickle", "shelve", "marshal", "ctypes", "pty", "code", "runpy", "xmlrpc"),
    *("multiprocessing", "importlib", "requests", "httpx", "aiohttp", "shutil"),
}
ALLOWED = {
    ("rulesets/__init__.py", "importlib"),
    ("debug_log.py", "importlib"),
    ("__init__.py", "importlib"),
    ("odds/simulation.py", "multiprocessing"),
    ("store/campaigns/manage.py", "shutil"),
    ("store/export.py", "shutil"),
    ("store/importers/run_import.py", "shutil"),
    ("store/importers/installed.py", "importlib"),
    ("demo.py", "shutil"),
    ("serve/server.py", "aiohttp"),
    ("serve/server.py", "ssl"),
    ("beside.py", "subprocess"),
    ("cli.py", "importlib"),
    *(("extras.py", name) for name in ("importlib", "subprocess", "urllib")),
    ("serve/__init__.py", "socket"),
}
"""Rule systems and importers are found by the names that packages have registered, not by what a
file says. The versions of packages are read for `--debug`. What scripts use of affray is loaded
by its own table. Fights are played out in processes that run nothing but affray itself.
Campaigns are copied, taken apart and put together whole, in drafts of affray's own beside them.
The players' view is served where the GM asks for it by an option, encrypted if they want that,
and nothing is asked of anybody there; beside the screen it is a process of affray itself. How
affray was installed is read from what was noted of it; of `subprocess` and `urllib` only the
writing of a line and of a path. Its packages are looked for before. The sample of `affray demo`
is copied to a folder of its own."""

NEVER_CALLED = {"eval", "exec", "compile", "__import__"}
NEVER_OF_OS = ("system", "popen", "exec", "spawn", "posix_spawn", "fork", "startfile")


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def calls(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in NEVER_CALLED:
            yield node.id
        of_os = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if of_os and node.value.id == "os" and node.attr.startswith(NEVER_OF_OS):
            yield f"os.{node.attr}"


def test_no_module_can_start_a_program_open_an_address_or_run_a_text() -> None:
    found = set()
    for path in SOURCES.rglob("*.py"):
        tree, name = ast.parse(path.read_text("utf-8")), path.relative_to(SOURCES).as_posix()
        heads = {module.partition(".")[0] for module in imports(tree)}
        found |= {(name, what) for what in (*(heads & FORBIDDEN), *calls(tree))}
    assert found <= ALLOWED


def test_what_is_forbidden_is_found_where_it_is() -> None:
    tree = ast.parse(
        "import os, subprocess as s\nfrom http.client import x\neval('')\nos.popen('')"
    )
    assert list(imports(tree)) == ["os", "subprocess", "http.client"]
    assert set(calls(tree)) == {"eval", "os.popen"}


def touched(folder: Path) -> list[tuple[str, str, bool]]:
    """What a campaign in that folder has touched, that wants out."""
    env = {**os.environ, "HOME": str(folder / "campaigns"), "PYTHONDONTWRITEBYTECODE": "1"}
    child = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.confined", str(folder)],
        cwd=REPOSITORY,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    return [tuple(row) for row in json.loads(child.stdout)]


HARMLESS = ("open", "socket.__new__", "os.listdir", "os.scandir")
"""The event loop of the screen makes a pair of sockets for itself, and connects them to nothing."""

FILES = ("os.mkdir", "os.link", "os.rename", "os.remove", "os.truncate", "os.chmod", "os.utime")


def test_a_campaign_reaches_no_program_no_address_and_no_file_but_its_own(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    rows = touched(folder)
    inside = folder / "campaigns"

    assert [r for r in rows if r[0] not in HARMLESS and not r[0].startswith(FILES)] == []

    written = {what for event, what, writes in rows if writes and event in ("open", *FILES)}
    assert any(Path(what).is_relative_to(inside) for what in written)
    assert [what for what in written if not Path(what).is_relative_to(inside)] == []
    assert {path.name for path in folder.iterdir()} == {"campaigns", OUTSIDE}
    assert not [path for path in folder.rglob("pwned") if path.is_file()]

    ours = Path(os.environ["XDG_DATA_HOME"], "affray")  # the folder in which affray keeps its own
    own = [Path(p).resolve() for p in (sys.prefix, sys.base_prefix, SOURCES, inside, ours)]
    read = {Path(what) for event, what, writes in rows if event == "open" and not writes}
    strange = [path for path in read if not any(path.is_relative_to(each) for each in own)]
    assert strange == []
    assert folder / OUTSIDE not in read
