"""The version of a release: its number, and the places in the tree that say it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from tests.release.steps import ReleaseError

FORM = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:rc(\d+))?")
SAID = re.compile(r'^__version__ = "(.*)"$', re.M)
HEADING = re.compile(r"^## \[(.+?)\](?: - (.+))?$", re.M)
UNRELEASED = "Unreleased"
SOURCE = Path("src/affray/__init__.py")
CHANGELOG = Path("CHANGELOG.md")


def check_number(version: str, tags: Iterable[str]) -> None:
    """Accept a version that no tag has yet, and that is later than all that have one.

    Raises:
        ReleaseError: when it is not `1.2.3` or `1.2.3rc1`, was released, or is no later one.
    """
    number = _number(version)
    if number is None:
        raise ReleaseError(f"{version!r} is no version: say VERSION=1.2.3, or 1.2.3rc1")
    released = {tag: _number(tag.removeprefix("v")) for tag in tags}
    newest = max((each, tag) for tag, each in [("", (-1,)), *released.items()] if each is not None)
    if number <= newest[0]:
        raise ReleaseError(f"{newest[1]} is released already: {version} must be later than that")


def _number(version: str) -> tuple[float, ...] | None:
    """The parts of a version; what has no `rc` is later than all that have one."""
    if not (parts := FORM.fullmatch(version)):
        return None
    return tuple(float("inf") if part is None else int(part) for part in parts.groups())


def version_in(source: str) -> str:
    """Return the version that the package's source says."""
    return SAID.findall(source)[0]


def source_with(source: str, version: str) -> str:
    """Return the package's source, saying this version."""
    return SAID.sub(f'__version__ = "{version}"', source)


def dated(changelog: str, version: str, today: date) -> str:
    """Return the changelog with a section of this version and its date on top.

    What stands under `Unreleased` becomes that section. One that was written beforehand is left as
    it is, if it has a date and nothing stands above it.

    Raises:
        ReleaseError: when there is nothing to be told, or it is told in two places.
    """
    parts = HEADING.split(changelog)
    sections = list(zip(parts[1::3], parts[2::3], parts[3::3], strict=True))
    if not sections:
        raise ReleaseError(f"{CHANGELOG} has no section: write `## [{UNRELEASED}]` and what is new")
    top = sections[0][2].strip() if sections[0][0] == UNRELEASED else ""
    written = next((section for section in sections if section[0] == version), None)
    if written is None:
        if not top:
            raise ReleaseError(f"{CHANGELOG} tells nothing under [{UNRELEASED}]: write what is new")
        return changelog.replace(
            f"## [{UNRELEASED}]", f"## [{UNRELEASED}]\n\n## [{version}] - {today}", 1
        )
    if top:
        raise ReleaseError(f"{CHANGELOG} has more under [{UNRELEASED}]: move it below [{version}]")
    if written != next(section for section in sections if section[0] != UNRELEASED):
        raise ReleaseError(f"{CHANGELOG} has a later section than [{version}]: that must be on top")
    if not written[2].strip():
        raise ReleaseError(f"{CHANGELOG} tells nothing under [{version}]: write what is new")
    if not _is_date(written[1]):
        raise ReleaseError(f"{CHANGELOG} has no date for it: write `## [{version}] - {today}`")
    return changelog


def _is_date(text: str | None) -> bool:
    try:
        return date.fromisoformat(text or "").isoformat() == text
    except ValueError:
        return False
