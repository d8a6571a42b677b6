"""The README as a package index shows it, where no path of the repository leads anywhere.

With an address of the project (`Source` in `[project.urls]`) its links and pictures lead there, at
the tag of the version; without one, links become plain text and pictures are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"^!\[([^\]]*)\]\((?!https:)([^)]+)\)\n\n", re.M)
LINK = re.compile(r"\[([^\]]+)\]\((?!https:)([^)]+)\)")


class ReadmeHook(MetadataHookInterface):
    """Gives the package the README of `readme_for_index` as its description."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme`; the version is known by then."""
        source = metadata.get("urls", {}).get("Source", "")
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        text = readme_for_index(readme, source, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def readme_for_index(readme: str, source: str, version: str) -> str:
    """Return the README with nothing in it that leads nowhere.

    Args:
        source: the address of the repository, of the form that GitHub and others share; empty for
            none.
        version: whose files the links lead to, by the tag `v` and its name.
    """
    if not source:
        return LINK.sub(r"\1", PICTURE.sub("", readme))
    readme = readme.replace("](#", "](README.md#")
    text = PICTURE.sub(rf"![\1]({source}/raw/v{version}/\2)\n\n", readme)
    return LINK.sub(rf"[\1]({source}/blob/v{version}/\2)", text)
