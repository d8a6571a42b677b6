"""Extras (`serve`, `play`): what they need, and the command that installs one, for messages."""

from __future__ import annotations

import shlex
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from affray.data_text import read_json

EXTRAS = {"serve": ("aiohttp", "segno"), "play": ("prompt_toolkit",)}
"""Extra -> the libraries that it brings."""


def install_command(extra: str, prefix: Path | None = None) -> str:
    """Return the command that adds an extra to affray, in the way in which affray was installed.

    It keeps the extras that are there, and an editable install stays one. `prefix` is the
    environment in which affray is, that of the process by default.
    """
    prefix = Path(sys.prefix) if prefix is None else prefix
    source, is_editable = _source()
    has = (name for name, libraries in EXTRAS.items() if all(map(_is_there, libraries)))
    named, at, address = source.partition(" @ ")
    what = f"{named}[{','.join(sorted({extra, *has}))}]{at}{address}"
    if (prefix / "pipx_metadata.json").is_file():
        words = ["pipx", "install", "--force", *(["--editable"] if is_editable else []), what]
    elif (prefix / "uv-receipt.toml").is_file():
        words = ["uv", "tool", "install", "--force"]
        words += ["--editable", what] if is_editable else [what]
    elif prefix.parent.name.startswith(("archive-v", "environments-v")):  # in uv's cache
        words = ["uvx", "--from", what, "affray"]
    else:
        python = sys.executable
        words = ["uv", "pip", "install", "-p", python]  # a venv of uv's has no pip of its own
        words = [python, "-m", "pip", "install"] if _is_there("pip") else words
        words += ["-e", what] if is_editable else [what]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def _is_there(library: str) -> bool:
    return find_spec(library) is not None


def _source() -> tuple[str, bool]:
    """The folder, address or name that affray was installed from, and whether it is editable."""
    try:
        about = read_json(distribution("affray").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        about = {}
    url = str(about.get("url", ""))
    parts = urlsplit(url)
    if parts.scheme == "file":
        is_editable = bool(about.get("dir_info", {}).get("editable"))
        return url2pathname(parts.path), is_editable
    if url and "vcs_info" in about:
        return f"affray @ {about['vcs_info'].get('vcs', 'git')}+{url}", False
    return "affray", False
