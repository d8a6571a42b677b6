"""affray: a combat tracker for the terminal that knows the rules of the game on the table.

A fight is an append-only log of commands and what became of them; the fight on the screen is that
log, replayed. See :mod:`affray.core` for the model, :mod:`affray.rulesets` for the rule systems,
:mod:`affray.store` for the log on disk, and :mod:`affray.cli` for the command line.

For scripts, what is here is enough: `affray.Fight("orcus")` is a fight in memory, `affray.open`
one that is saved. A command that can't be done raises `affray.Refused`, a file that can't be read
or written `affray.LogError`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affray.core.parser.errors import NotInFight, Refused
    from affray.fight import Fight, Who
    from affray.store import LogError
    from affray.store.open_encounter import open_fight as open  # noqa: F401

__version__ = "0.1.0"
__all__ = ["Fight", "LogError", "NotInFight", "Refused", "Who"]
# `open` is left out, so that `from affray import *` leaves Python's own `open` as it is.

_HOMES = {
    "Fight": ("affray.fight", "Fight"),
    "Who": ("affray.fight", "Who"),
    "NotInFight": ("affray.core.parser.errors", "NotInFight"),
    "Refused": ("affray.core.parser.errors", "Refused"),
    "LogError": ("affray.store", "LogError"),
    "open": ("affray.store.open_encounter", "open_fight"),
}
"""Where each name is at home. It is loaded once it is asked for: `import affray` costs nothing."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'affray' has no attribute {name!r}")
    module, own_name = _HOMES[name]
    return getattr(import_module(module), own_name)


def __dir__() -> list[str]:
    return [*_HOMES, "__version__"]
