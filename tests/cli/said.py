"""What is said to the command line in its tests, and what it answers."""

from __future__ import annotations

from collections.abc import Callable

Run = Callable[..., tuple[int, str, str]]

SETUP = (
    "add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2",
    "add pc Mira hp 24 ac 2 cunning 3 luck 2 pb 1",
    "add monster Ghoul x2 cr 2 hp 18 ac 2 fatigue 3 exhaustion 2 attack claws 1d6+2 slashing",
    "init brannoc 17",
    "init mira 12",
    "init ghoul-1 10",
    "init ghoul-2 9",
    "start",
)
"""A fight of two against two ghouls, in its first round; Brannoc is up."""


def refused(run: Run, *arguments: object) -> str:
    """Runs what must be refused; gives its one line."""
    status, out, err = run(*arguments)
    assert status == 2, (out, err)
    assert out == ""
    assert err.startswith("affray: ") and err.count("\n") == 1 and err.endswith("\n"), err
    assert "Traceback" not in err
    return err
