"""The package of a new rule system, as `affray new ruleset NAME` writes it: small, and playable.

It is the game `duel` of docs/write-a-ruleset.md under another name. Its files are in the folder
`template` beside this module, each with `.txt` behind its name.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from affray.core.parser.errors import Refused
from affray.rulesets import known_rulesets

TEMPLATE = Path(__file__).parent / "template"
WRITTEN_FOR = "duel"
"""The name in the template, in whose place the new one stands."""
_NAME = re.compile(r"[a-z](_?[a-z0-9])*")


def write_ruleset(name: str, parent: Path) -> Path:
    """Write the package of a rule system of that name into a new folder in `parent`; gives that.

    Raises Refused for a name that can't be a package's or is taken, for a folder that is there, and
    if nothing can be written.
    """
    folder = parent / name
    _require_free(name)
    try:
        folder.mkdir()
        for file in sorted(TEMPLATE.rglob("*.txt")):
            target = folder / _named(str(file.relative_to(TEMPLATE).with_suffix("")), name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_named(file.read_text("utf-8"), name), "utf-8", newline="\n")
    except FileExistsError:
        raise Refused(f"{folder} is there already: choose another name") from None
    except OSError as error:
        raise Refused(f"{folder} can't be written: {error.strerror or error}") from error
    return folder


def title_of(name: str) -> str:
    """The name of a rule system as people read it: `Salt Road` for `salt_road`."""
    return name.replace("_", " ").title()


def _named(text: str, name: str) -> str:
    """Text of the template with the new name."""
    return text.replace(title_of(WRITTEN_FOR), title_of(name)).replace(WRITTEN_FOR, name)


def _require_free(name: str) -> None:
    if not _NAME.fullmatch(name) or iskeyword(name):
        raise Refused(
            f"{name!r} can't be the name of a Python package: expected small letters, digits "
            "and _, such as `affray new ruleset salt_road`"
        )
    if name in known_rulesets():
        raise Refused(f"{name} is a rule system that is installed: choose another name")
    if find_spec(name) is not None:
        raise Refused(f"{name} is a Python package that is installed: choose another name")
