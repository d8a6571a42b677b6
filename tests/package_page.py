"""Builds the sdist and the wheel, and draws the page that a package index makes of each.

`make check` runs it. Nothing on the page may lead nowhere, and nothing of the README may be lost:
an index draws no page of what it can't read, and shows no address that is no https.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from email import message_from_string
from html import unescape
from pathlib import Path

from readme_renderer.markdown import render

ROOT = Path(__file__).parents[1]


def metadata_of(package: Path) -> str:
    """The metadata of a wheel or an sdist."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            (name,) = (n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
            return wheel.read(name).decode()
    with tarfile.open(package) as sdist:
        (name,) = (n for n in sdist.getnames() if re.fullmatch(r"[^/]+/PKG-INFO", n))
        file = sdist.extractfile(name)
        assert file is not None
        return file.read().decode()


def faults_of(metadata: str) -> list[str]:
    """What is wrong with the page that an index makes of it."""
    message = message_from_string(metadata)
    if message["Description-Content-Type"] != "text/markdown":
        return ["its description is no Markdown"]
    page = render(message.get_payload())
    if page is None:
        return ["its description can't be drawn"]
    ids = {f"#{name}" for name in re.findall(r'id="([^"]+)"', page)}
    targets = re.findall(r'(?:href|src)="([^"]*)"', page)
    faults = [
        f"leads nowhere: {t}" for t in targets if not t.startswith("https://") and t not in ids
    ]
    titles = {unescape(re.sub(r"<[^>]+>", "", h)) for h in re.findall(r"<h2.*?</h2>", page, re.S)}
    asked = set(re.findall(r"^## (.+)$", (ROOT / "README.md").read_text("utf-8"), re.M))
    return faults + [f"{title!r} is not on it" for title in sorted(asked - titles)]


def main() -> int:
    """Say what is wrong with either, and return 1 for anything."""
    with tempfile.TemporaryDirectory() as folder:
        build = (sys.executable, "-m", "hatchling", "build", "-d", folder)
        subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
        packages = sorted(Path(folder).iterdir())
        faults = [f"{p.name}: {fault}" for p in packages for fault in faults_of(metadata_of(p))]
    print(*faults or [f"{len(packages)} packages, and their pages are whole"], sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
