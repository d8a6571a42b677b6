"""The theme that the user has chosen: kept in `settings.toml` in the configuration folder.

theme = "affray-light"
"""

from __future__ import annotations

from collections.abc import Iterable

import tomli_w

from affray.core.language.refusal import did_you_mean, listed
from affray.store.disk import reason, renew
from affray.tui.own_keys import config_folder, own_file

FILE = "settings.toml"


def own_theme(known: Iterable[str]) -> tuple[str, str]:
    """The theme that was chosen last, empty for none; and a line when that can't be had."""
    path = config_folder() / FILE
    try:
        theme = str(own_file(path).get("theme", ""))
    except (OSError, ValueError, RecursionError) as error:
        return "", f"{path} is left aside: {reason(error)}"
    if not theme or theme in known:
        return theme, ""
    return "", f"{FILE}: {unknown_theme(theme, known)}"


def keep_theme(theme: str) -> str:
    """Keep a theme for the next time. Gives a line on why not, or nothing when it is kept.

    What else stands in the file stays; one that can't be read is not written to.
    """
    path = config_folder() / FILE
    try:
        settings = own_file(path) | {"theme": theme}
        path.parent.mkdir(parents=True, exist_ok=True)
        was = path.read_bytes() if path.exists() else None
        renew(path, was, tomli_w.dumps(settings).encode())
    except (OSError, ValueError, RecursionError) as error:
        return f"the theme is not kept for the next time: {path}: {reason(error)}"
    return ""


def unknown_theme(theme: str, known: Iterable[str]) -> str:
    """The line for a theme that isn't known, with what is close, or all that there are."""
    names = sorted(known)
    near = did_you_mean(theme, names) or f"; there are {listed(names, 'and')}"
    return f"there is no theme called {theme!r}{near}"
