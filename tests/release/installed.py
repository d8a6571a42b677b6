"""A wheel as its users get it: installed into an environment of its own, and played.

`python -m tests.release.installed dist` does it with the wheel in that folder and the interpreter
that runs it. On the sample fight: shown, a round of it played, its screen painted.
"""

from __future__ import annotations

import html
import json
import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.release.steps import ReleaseError, report, run

ROOT = Path(__file__).parents[2]
CAMPAIGN = Path("campaigns/drowned-vale")
FIGHT = "encounters/the-sluice-gate.toml"
ROUND = Path("src/affray/demo.commands")
DEMOS = f"affray-demo-*/{CAMPAIGN.name}/{FIGHT}"
PAINT = Path(__file__).with_name("paint.py")
OLDEST, NEWEST = 11, 30
"""The minor versions of Python 3 that are looked for."""
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def pythons() -> dict[str, Path]:
    """Return an interpreter of each Python that is here, from 3.11 on, by its version.

    The PATH is searched for fights first, then what pyenv keeps. One that answers no question, as a
    shim of pyenv may, or that can't make an environment is passed over.
    """
    return {
        f"3.{minor}": path
        for minor in range(OLDEST, NEWEST)
        if (path := next(_answering(f"python3.{minor}"), None)) is not None
    }


def _answering(name: str) -> Iterator[Path]:
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    on_path = (Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder)
    for folder in (*on_path, *sorted(pyenv.glob("versions/*/bin"))):
        if (folder / name).is_file():
            try:
                asked = "import ensurepip, sys, venv; print(sys.executable)"
                yield Path(run(folder / name, "-c", asked, otherwise="").strip())
            except ReleaseError:
                continue


def environment(python: Path, folder: Path, *wanted: str | Path) -> Path:
    """Make an environment with these packages in it, and return its interpreter."""
    run(python, "-m", "venv", folder, otherwise=f"mend {python}: it can't make an environment")
    inside = folder / SCRIPTS / "python"
    run(
        *(inside, "-m", "pip", "install", "--quiet", *wanted),
        otherwise="see whether the network is there, and mend the dependencies in pyproject.toml",
    )
    return inside


def check_installed(python: Path, wheel: Path, root: Path = ROOT) -> None:
    """Install a wheel into a fresh environment with its newest dependencies, and play with it.

    Raises:
        ReleaseError: when it can't be installed, a file for shells or `man` isn't in place, or the
            sample fight is not shown, played or painted.
    """
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary) / "environment"
        inside = environment(python, place, wheel)
        run(inside, "-m", "pip", "check", otherwise="mend the dependencies in pyproject.toml")
        shared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]
        shared = shared["build"]["targets"]["wheel"]["shared-data"].values()
        if absent := [name for name in shared if not (place / name).is_file()]:
            raise ReleaseError(
                f"mend shared-data in pyproject.toml: {', '.join(absent)} isn't in place"
            )
        fight = check_played([place / SCRIPTS / "affray"], Path(temporary), wheel, root)
        check_demo([place / SCRIPTS / "affray"], Path(temporary))
        shown = run(place / SCRIPTS / "affray", "show", fight, "--json", otherwise="")
        picture = run(
            # Without `-P` the modules beside it could stand in for others of the same name.
            *(inside, "-P", PAINT, fight),
            otherwise="mend the screen: it can't be painted",
            variables=own_folders(Path(temporary)),
        )
        check_picture(picture, _names(shown))


def check_played(
    affray: Sequence[str | Path],
    folder: Path,
    wheel: Path,
    root: Path = ROOT,
    variables: Mapping[str, str] | None = None,
) -> Path:
    """Show the sample fight and play a round of it, on a copy that is made in a folder.

    Args:
        affray: how the program is called that was installed.

    Returns:
        The fight, with that round in it.

    Raises:
        ReleaseError: when the program is not of the wheel's version, or one of these fails.
    """
    shutil.copytree(root / CAMPAIGN, folder / CAMPAIGN.name)
    fight = folder / CAMPAIGN.name / FIGHT
    commands = (root / ROUND).read_text("utf-8")

    def call(*arguments: str | Path, typed: str = "") -> str:
        return run(
            *(*affray, *arguments),
            otherwise=f"mend `affray {arguments[0]}`; by hand it is played with {CAMPAIGN / FIGHT}",
            variables=own_folders(folder) | dict(variables or {}),
            typed=typed,
        )

    said = call("--version")
    if said.split()[-1:] != [wheel.name.split("-")[1]]:
        raise ReleaseError("mend the version: another than the wheel's is said", said)
    shown, before = call("show", fight), call("show", fight, "--json")
    if absent := [name for name in _names(before) if name not in shown]:
        raise ReleaseError(f"mend `affray show`: {', '.join(absent)} isn't in it", shown)
    call("do", fight, "--seed", "5", typed=commands)
    played = json.loads(call("show", fight, "--json"))["entries"] - json.loads(before)["entries"]
    if played != len(commands.splitlines()):
        raise ReleaseError(f"mend `affray do`: {played} entries were saved of {ROUND}")
    return fight


def check_demo(
    affray: Sequence[str | Path],
    folder: Path,
    variables: Mapping[str, str] | None = None,
    at: Path | None = None,
) -> None:
    """Play the demo of an installed affray without a terminal; its copy goes into a folder.

    Args:
        affray: how the program is called that was installed.
        at: the folder in which it is called.

    Raises:
        ReleaseError: when it fails, or makes no copy of the sample.
    """
    before = set(folder.glob(DEMOS))
    places = own_folders(folder) | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    advice = "mend `affray demo`: the sample campaign has to be in the wheel"
    run(*affray, "demo", folder=at, otherwise=advice, variables=places | dict(variables or {}))
    played = [path.read_text("utf-8") for path in set(folder.glob(DEMOS)) - before]
    if len(played) != 1 or "strike tithe-taker-2 strong 9" not in played[0]:
        raise ReleaseError(advice)


def own_folders(folder: Path) -> dict[str, str]:
    """Return what keeps affray from the settings and the phones of whoever runs this."""
    return {"AFFRAY_CONFIG": str(folder), "AFFRAY_DATA": str(folder)}


def _names(shown: str) -> list[str]:
    return [each["name"] for each in json.loads(shown)["combatants"]]


def check_picture(picture: str, names: Sequence[str]) -> None:
    """Find every name in the picture of a screen.

    Raises:
        ReleaseError: when one isn't there, or there was none to look for.
    """
    text = html.unescape(picture).replace("\N{NO-BREAK SPACE}", " ")
    absent = [name for name in names if name not in text]
    if absent or not names:
        raise ReleaseError(f"mend the screen: {', '.join(absent) or 'nobody'} isn't on it", picture)


def main(folder: str) -> int:
    """Check the wheel in a folder with this interpreter, for the workflows."""
    (wheel,) = Path(folder).resolve().glob("*.whl")
    try:
        check_installed(Path(sys.executable), wheel)
    except ReleaseError as problem:
        return report(problem)
    print(f"{wheel.name} is installed, shown, played and painted by Python {sys.version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
