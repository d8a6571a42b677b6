"""The README's lines that install affray, typed by somebody who has neither it nor its libraries.

`python -m tests.release.readme` types them in a copy of this repository for the workflows, with
pipx and uv from the PATH; they need the network. tests/test_docs.py types all others, which need
none.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from tests.release.installed import check_demo, own_folders
from tests.release.steps import ReleaseError, report, run

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(?:sh|powershell)\n(.*?)^```", re.M | re.S)
ON_WINDOWS = os.name == "nt"
FOR_WINDOWS = ("py ", ".venv\\")
INSTALLS = ("uvx ", "uv ", "pipx ", *FOR_WINDOWS)
"""How lines begin that install affray or call it from where it is installed."""


def lines_that_install(readme: str) -> list[str]:
    """Return the README's lines that install affray, without those of another system."""
    lines = [line for block in BLOCK.findall(readme) for line in block.splitlines()]
    return [
        line.partition("  #")[0].strip()
        for line in lines
        if line.startswith(INSTALLS) and (ON_WINDOWS or not line.startswith(FOR_WINDOWS))
    ]


def check_readme(tree: Path, folder: Path, programs: Path | None = None) -> list[str]:
    """Type the README's lines that install affray, and play the demo of each.

    Args:
        tree: a copy of the repository, in whose folder they are typed.
        folder: where programs and caches go.
        programs: a folder with pipx or uvx, where they are not on the PATH.

    Returns:
        The lines that were typed: of pipx or uv alone, if `programs` has only one of them.

    Raises:
        ReleaseError: when a line fails, or affray doesn't play after it.
    """
    path = os.environ["PATH"]
    places = {
        **own_folders(folder),
        **{f"PIPX_{name}": str(folder / f"pipx-{name}") for name in ("HOME", "BIN_DIR", "MAN_DIR")},
        **{f"UV_{name}": str(folder / f"uv-{name}") for name in ("CACHE_DIR", "TOOL_DIR")},
        "UV_TOOL_BIN_DIR": str(folder / "uv-BIN_DIR"),
        "PATH": path if programs is None else f"{programs}{os.pathsep}{path}",
    }
    typed = lines_that_install((tree / "README.md").read_text("utf-8"))
    if programs is not None:
        typed = [line for line in typed if shutil.which(line.split()[0], path=str(programs))]
    for line in typed:
        words = [word.strip('"') for word in shlex.split(line, posix=not ON_WINDOWS)]
        in_tree = shutil.which(str(tree / words[0]))  # a program of the venv
        words[0] = in_tree or shutil.which(words[0], path=places["PATH"]) or words[0]
        if words[-1] == "demo":
            check_demo(words[:-1], folder, places, tree)
            continue
        run(
            *words,
            folder=tree,
            otherwise=f"mend the README, or pyproject.toml: {line}",
            variables=places,
        )
        program = line.split()[0]
        if program in ("pipx", "uv"):
            check_demo([folder / f"{program}-BIN_DIR" / "affray"], folder, places, tree)
    return typed


def main() -> int:
    """Type them all in a copy of what git knows of this repository, and print them."""
    with tempfile.TemporaryDirectory() as temporary:
        tree, folder = Path(temporary, "repository"), Path(temporary, "installed")
        folder.mkdir()
        tracked = run("git", "ls-files", folder=ROOT, otherwise="run it in a git repository")
        for name in tracked.splitlines():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tree / name)
        try:
            typed = check_readme(tree, folder)
        except ReleaseError as problem:
            return report(problem)
    print(*typed, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
