"""The wheel and the sdist: how they are built, and what has to be in them.

python -m tests.release.artefacts dist            builds both into dist, and checks them
python -m tests.release.artefacts dist 1.2.3      as well that they are of that version

The interpreter needs what `TOOLS` lists.
"""

from __future__ import annotations

import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tests.release.steps import ReleaseError, report, run
from tests.release.version import SOURCE, version_in

ROOT = Path(__file__).parents[2]
TOOLS = ("build", "hatchling", "twine")
BY_HATCHLING = (".gitignore", "PKG-INFO", "pyproject.toml")
"""What an sdist has besides what `pyproject.toml` lists."""


def build(root: Path, folder: Path, python: Path) -> list[Path]:
    """Build the sdist, and the wheel from it, with an interpreter that has the tools; check both.

    Returns:
        Their files, the wheel last.

    Raises:
        ReleaseError: when one can't be built, its metadata would not be shown, or a file is missing
            or too many.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ReleaseError(
            f"{folder} has files already: remove it, so that only new ones are published"
        )
    run(
        *(python, "-m", "build", "--no-isolation", "--outdir", folder, root),
        otherwise="mend what hatchling says: [tool.hatch] in pyproject.toml",
    )
    files = sorted(folder.iterdir(), key=lambda path: path.suffix)
    run(
        *(python, "-m", "twine", "check", "--strict", *files),
        otherwise="mend [project] in pyproject.toml, or the README that the index would show",
    )
    version = version_in((root / SOURCE).read_text("utf-8"))
    tracked = run("git", "ls-files", folder=root, otherwise="build from a git repository")
    sdist, wheel = files
    with tarfile.open(sdist) as packed:
        in_sdist = [member.name for member in packed if member.isfile()]
    with zipfile.ZipFile(wheel) as zipped:
        in_wheel = zipped.namelist()
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    wrong = [
        *differences(in_wheel, wheel_files(tracked.splitlines(), settings, version)),
        *differences(in_sdist, sdist_files(tracked.splitlines(), settings, version)),
    ]
    if wrong:
        raise ReleaseError(
            "mend [tool.hatch.build] in pyproject.toml, or commit it", "\n".join(wrong)
        )
    return files


def wheel_files(tracked: Iterable[str], settings: dict, version: str) -> set[str]:
    """List what a wheel has to hold, and nothing else: the package as git knows it, with rules and
    styles; the sample campaign; what shells and `man` read; the licences, and what installers need.

    Args:
        settings: the table `tool.hatch.build` of `pyproject.toml`.
    """
    info, data = f"affray-{version}.dist-info", f"affray-{version}.data"
    shared = settings["targets"]["wheel"]["shared-data"]
    return {
        *(
            f"{place}/{path.removeprefix(f'{source}/')}"
            for source, place in settings["targets"]["wheel"]["sources"].items()
            for path in tracked
            if path.startswith(f"{source}/")
        ),
        *(f"{data}/data/{place}" for place in shared.values()),
        *(f"{info}/licenses/{name}" for name in ("LICENSE", "NOTICE")),
        *(f"{info}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt")),
    }


def sdist_files(tracked: Iterable[str], settings: dict, version: str) -> set[str]:
    """List what an sdist has to hold, and nothing else: what git knows of the places that
    `pyproject.toml` includes, so that no file of somebody's own folder gets in."""
    places = settings["targets"]["sdist"]["include"]
    inside = [
        path for path in tracked if any(f"/{path}/".startswith(f"{place}/") for place in places)
    ]
    return {f"affray-{version}/{path}" for path in (*inside, *BY_HATCHLING)}


def differences(found: Iterable[str], expected: Iterable[str]) -> list[str]:
    """Say of each file that it is missing, or what it is doing here."""
    found, expected = set(found), set(expected)
    return [
        *(f"missing: {name}" for name in sorted(expected - found)),
        *(f"too many: {name}" for name in sorted(found - expected)),
    ]


def main(folder: str, version: str = "") -> int:
    """Build and check both for the workflows, and print their names."""
    said = version_in((ROOT / SOURCE).read_text("utf-8"))
    try:
        if version not in ("", said):
            raise ReleaseError(
                f"the tag says {version} and {SOURCE} says {said}: tag the right commit"
            )
        print(*build(ROOT, Path(folder), Path(sys.executable)), sep="\n")
    except ReleaseError as problem:
        return report(problem)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
