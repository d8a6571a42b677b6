"""A fight of two against two ghouls, and the prompts of it that a test is given."""

from __future__ import annotations

from collections.abc import Callable

from affray.tui.prompts.prompt import Prompt, Step

FIGHT = """
add pc Brannoc hp 30 ac 4 power 2 cunning 1 focus 0 luck 1 pb 2
add pc Mira hp 24 ac 2 power 0 cunning 3 focus 2 luck 2 pb 1
add monster Ghoul x2 cr 2 hp 18 ac 2 resist fire,cold attack claw 1d6+2 slashing
init brannoc 17
init mira 12
init ghoul-1 10
init ghoul-2 9
start
"""

Made = Callable[..., Prompt]


def finished(prompt: Prompt) -> bool:
    """Whether the last key finished it."""
    return getattr(prompt, "last_step", None) is Step.FINISHED
