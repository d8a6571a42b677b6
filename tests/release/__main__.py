"""`make release VERSION=1.2.3`: everything that a release is checked for, and then its tag.

All of it happens in a work tree of its own, from what is committed on main: this folder is not
touched before the end. What fails says in one line what to do, and leaves no tag and no changed
file. `--rehearse` (`DRY=1`) does all but the last step. Nothing is ever pushed.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from time import monotonic

from tests.release import artefacts, installed, version
from tests.release.readme import check_readme
from tests.release.steps import ReleaseError, report, run

ROOT = Path(__file__).parents[2]
MAIN = "main"


def main() -> int:
    """Release what is on main, or say why not."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("version", metavar="1.2.3")
    parser.add_argument("--rehearse", action="store_true", help="all of it but the tag")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        release(arguments.version, arguments.rehearse)
    except ReleaseError as problem:
        return report(problem)
    except KeyboardInterrupt:
        print("no release: it was stopped; nothing is changed", file=sys.stderr)
        return 130
    return 0


def release(number: str, is_rehearsal: bool) -> None:
    """Check one version whole, and tag it if it is no rehearsal.

    Raises:
        ReleaseError: when anything isn't as it must be.
    """
    version.check_number(number, git("tag", "--list", "v*").split())
    head = clean_head()
    with tempfile.TemporaryDirectory(prefix="affray-release-") as temporary:
        folder = Path(temporary)
        with work_tree(folder / "tree", head) as tree:
            commit = check(tree, folder, number)
        if clean_head() != head:
            raise ReleaseError(f"{MAIN} has moved meanwhile: release anew")
        if is_rehearsal:
            print(f"rehearsed: all is ready for v{number}; nothing is changed, nothing is tagged")
            return
        git("tag", "--annotate", f"v{number}", "--message", f"affray {number}", commit)
        try:
            git("merge", "--quiet", "--ff-only", commit)
        except ReleaseError:
            git("tag", "--delete", f"v{number}")
            raise
    print(f"tagged v{number}. To publish it: git push origin {MAIN} v{number}")


def check(tree: Path, folder: Path, number: str) -> str:
    """Take every step of a release in a work tree, and return the commit to be tagged.

    Args:
        folder: where all is put that is made beside the tree.
    """
    python, pins = Path(sys.executable), ("-c", tree / "constraints.txt")
    with step("version, changelog, man page"):
        commit = prepare(tree, number)
    with step("wheel and sdist: built, metadata, contents") as notes:
        tools = installed.environment(python, folder / "tools", *pins, *artefacts.TOOLS)
        files = artefacts.build(tree, folder / "dist", tools)
        notes += [f"{path.name} ({path.stat().st_size / 1000:,.0f} kB)" for path in files]
    wheel = files[-1]
    pythons = installed.pythons()
    for name, each in pythons.items():
        with step(f"Python {name}: installed, shown, played, painted"):
            installed.check_installed(each, wheel, tree)
    if not pythons:
        raise ReleaseError("install Python 3.11 or later, with ensurepip and venv")
    for package, program, check_with in (("pipx", "pipx", with_pipx), ("uv", "uvx", with_uvx)):
        with step(f"{program}: shown and played from the wheel; the README's lines") as notes:
            if at := place_of(program, folder / package, *pins, package):
                check_with(at, wheel, tree, folder)
                (readme := folder / f"readme-{package}").mkdir()
                notes += check_readme(tree, readme, at.parent)
            else:
                notes += [f"SKIPPED: {program} is neither here, nor can pip install it"]
    for target in ("check", "test"):
        with step(f"make {target}") as notes:
            notes += make(tree, target).strip("= \n").splitlines()[-1:]
    return commit


def prepare(tree: Path, number: str) -> str:
    """Have everything in a work tree say the version, and return the commit that does.

    Where it is said already, that is the commit that is there.
    """
    changelog, source = tree / version.CHANGELOG, tree / version.SOURCE
    texts = {
        changelog: version.dated(changelog.read_text("utf-8"), number, date.today()),
        source: version.source_with(source.read_text("utf-8"), number),
    }
    for path, text in texts.items():
        path.write_text(text, "utf-8", newline="\n")
    make(tree, "completions")  # the man page says it too
    if git("status", "--porcelain", folder=tree):
        git("commit", "--all", "--quiet", "--message", f"affray {number}", folder=tree)
    return git("rev-parse", "HEAD", folder=tree)


def make(tree: Path, target: str) -> str:
    """Run a target of the Makefile with this interpreter, and return what it prints."""
    advice = f"mend what `make {target}` says"
    return run("make", target, f"PYTHON={sys.executable}", folder=tree, otherwise=advice)


def place_of(program: str, folder: Path, *wanted: str | Path) -> Path | None:
    """Find a program, or install it into an environment; None when neither can be."""
    if found := shutil.which(program):
        return Path(found)
    try:
        return installed.environment(Path(sys.executable), folder, *wanted).with_name(program)
    except ReleaseError:
        return None


def with_pipx(pipx: Path, wheel: Path, tree: Path, folder: Path) -> None:
    """Install the wheel by pipx, and play; its man page has to be where pipx keeps them."""
    places = {f"PIPX_{name}": str(folder / name) for name in ("HOME", "BIN_DIR", "MAN_DIR")}
    advice = f"mend the wheel, or pipx: pipx install {wheel.name}"
    command = (pipx, "install", "--python", sys.executable, wheel)
    run(*command, otherwise=advice, variables=places)
    if not (folder / "MAN_DIR" / "man1" / "affray.1").exists():
        raise ReleaseError("mend shared-data in pyproject.toml: pipx finds no man page")
    installed.check_played([folder / "BIN_DIR" / "affray"], folder / "by-pipx", wheel, tree)


def with_uvx(uvx: Path, wheel: Path, tree: Path, folder: Path) -> None:
    """Play with the wheel by uvx, which installs it for each call or keeps it."""
    command = (uvx, "--quiet", "--python", sys.executable, "--from", wheel, "affray")
    places = {"UV_CACHE_DIR": str(folder / "uv-cache"), "UV_PYTHON_DOWNLOADS": "never"}
    installed.check_played(command, folder / "by-uvx", wheel, tree, places)


def git(*arguments: str | Path, folder: Path = ROOT) -> str:
    """Run git, and return what it prints, without the last line's end."""
    advice = f"mend what git says of `git {arguments[0]}`"
    return run("git", *arguments, folder=folder, otherwise=advice).rstrip("\n")


def clean_head() -> str:
    """Return the commit that main is at, with nothing beside it.

    Raises:
        ReleaseError: when something else is checked out, or a file is changed or new.
    """
    if git("branch", "--show-current") != MAIN:
        raise ReleaseError(f"releases are made from {MAIN}: git switch {MAIN}")
    if changed := git("status", "--porcelain"):
        raise ReleaseError("commit or stash what is changed, and remove what is new", changed)
    return git("rev-parse", "HEAD")


@contextmanager
def work_tree(folder: Path, commit: str) -> Iterator[Path]:
    """A commit, checked out in a folder of its own, which is removed in the end."""
    git("worktree", "add", "--quiet", "--detach", folder, commit)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        git("worktree", "prune")


@contextmanager
def step(name: str) -> Iterator[list[str]]:
    """Print what is being done, then how long it took, and below it what is noted meanwhile."""
    print(f"{name:52}", end="", flush=True)
    begun = monotonic()
    notes: list[str] = []
    try:
        yield notes
    except BaseException:
        print("FAILED", flush=True)
        raise
    print(f"{monotonic() - begun:5.0f} s", *notes, sep="\n    ", flush=True)


if __name__ == "__main__":
    sys.exit(main())
