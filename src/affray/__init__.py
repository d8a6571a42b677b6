"""affray: a combat tracker for the terminal that knows the rules of the game on the table.

A fight is an append-only log of commands and what became of them; the fight on the screen is that
log, replayed. For scripts, what is here is enough:

>>> import affray
>>> fight = affray.Fight("orcus", seed=1)
>>> fight.add("pc", "Mira", hp=30, ac=15)
<Entry 1: Mira joins>
>>> fight.damage("mira", 12, "fire")
<Entry 2: Mira takes 12 fire>
>>> fight["mira"].hp
18

`Fight` is a fight in memory, `open` one that is saved, and `view` one that is only looked at;
`load_campaign` finds the fights of a campaign. A command that can't be done raises `Refused`, for
somebody who isn't there `NotInFight`; a file that can't be read or written `LogError`. `events` has
the kinds of events that entries are made of, and `affray.odds` tells how a fight is likely to end.

See :mod:`affray.core` for the model, :mod:`affray.rulesets` for the rule systems,
:mod:`affray.store` for the log on disk, and :mod:`affray.cli` for the command line.
"""

import sys

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:
    # `python -m affray` looks for modules in the working folder first. Files there are the user's,
    # perhaps received from somebody, and none of them runs, whatever its name is.
    _folder = sys.path.pop(0)
    if __file__.rpartition("affray")[0].rstrip("/\\") == _folder:  # affray itself is run from there
        sys.path.append(_folder)

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affray.core.engine import events
    from affray.core.engine.history import Entry
    from affray.core.formatting.recap import Recap
    from affray.core.parser.errors import NotInFight, Refused
    from affray.fight import Fight, Who
    from affray.store import LogError
    from affray.store.campaigns.find import Campaign, load_campaign
    from affray.store.open_encounter import open_fight as open, view_fight as view

__version__ = "0.1.0"
__all__ = [
    "Campaign",
    "Entry",
    "Fight",
    "LogError",
    "NotInFight",
    "Recap",
    "Refused",
    "Who",
    "events",
    "load_campaign",
    "view",
]
if TYPE_CHECKING:  # so that `from affray import *` leaves Python's own `open` as it is
    __all__ += ["open"]

_HOMES = {
    "Campaign": ("affray.store.campaigns.find", "Campaign"),
    "Entry": ("affray.core.engine.history", "Entry"),
    "Fight": ("affray.fight", "Fight"),
    "LogError": ("affray.store", "LogError"),
    "NotInFight": ("affray.core.parser.errors", "NotInFight"),
    "Recap": ("affray.core.formatting.recap", "Recap"),
    "Refused": ("affray.core.parser.errors", "Refused"),
    "Who": ("affray.fight", "Who"),
    "events": ("affray.core.engine.events", ""),
    "load_campaign": ("affray.store.campaigns.find", "load_campaign"),
    "open": ("affray.store.open_encounter", "open_fight"),
    "view": ("affray.store.open_encounter", "view_fight"),
}
"""The module of each name, and its name there; empty for the module itself.

It is loaded once it is asked for: `import affray` costs nothing.
"""


if not TYPE_CHECKING:  # a checker knows the names above, and finds misspelt ones

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'affray' has no attribute {name!r}")
        module, own_name = _HOMES[name]
        home = import_module(module)
        return getattr(home, own_name) if own_name else home


def __dir__() -> list[str]:
    return [*_HOMES, "__version__"]
