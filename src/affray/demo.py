"""The sample campaign that `affray demo` plays, always on a copy."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from affray.core.parser.errors import Refused

PACKAGE = Path(__file__).parent
CAMPAIGN = "drowned-vale"
FIGHT = Path("encounters", "the-sluice-gate.toml")
SEED = 5


def copy_sample() -> Path:
    """Copy the sample campaign into a new temporary folder; returns the fight in it.

    Raises:
        Refused: if the sample isn't there, or can't be copied.
    """
    sample = _sample()
    try:
        copy = Path(tempfile.mkdtemp(prefix="affray-demo-"), CAMPAIGN)
        for file in (each for each in sorted(sample.rglob("*")) if each.suffix == ".toml"):
            target = copy / file.relative_to(sample)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    except OSError as error:
        raise Refused(f"the sample campaign can't be copied: {error}") from error
    if not (copy / FIGHT).is_file():
        raise Refused(f"{sample} has no sample campaign: install affray again")
    return copy / FIGHT


def _sample() -> Path:
    """The sample campaign in the package, or in the repository that affray runs from."""
    packaged = PACKAGE / "sample"
    return packaged if packaged.is_dir() else PACKAGE.parents[1] / "campaigns" / CAMPAIGN


def demo_round() -> list[str]:
    """A round of the sample fight, as commands."""
    return (PACKAGE / "demo.commands").read_text("utf-8").splitlines()
