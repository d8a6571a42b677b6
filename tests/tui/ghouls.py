"""A fight of two against two ghouls, and the prompts of it that a test is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.core.engine.foresight import Foresight
from affray.store.open_encounter import OpenEncounter
from affray.tui.keymap import KeyBinding, in_letters, keymap_for
from affray.tui.prompts.command_bar import InputState
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.prompt import Prompt

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


def begun_by(fight: OpenEncounter, pressed: str) -> KeyBinding:
    """The entry of the table that a key begins, or letters or a name behind `;`: `;release`."""
    keymap = keymap_for(fight.ruleset)
    name = in_letters(pressed[1:])
    others = (act for act in keymap.others.get(name, []) if act.shown == pressed or len(name) > 3)
    return keymap.find(pressed) or next(others)


def prompt_after(
    fight: OpenEncounter, keys: str, actor: str = "", cursor: str = "", **more: Any
) -> Prompt:
    """The prompt after these keys, the first of which begins it, as `s` or `;st`; for whoever is
    up, or an actor."""
    first, *rest = keys.split()
    found = begun_by(fight, first)
    assert found.prompt is not None
    actor = actor or fight.state.turn
    more.setdefault("preview_command", Foresight(fight.preview))
    made = Prompt(
        found.prompt, PromptContext(fight.state, fight.ruleset, actor, cursor or actor, **more)
    )
    for key in rest:
        made.last_step = made.feed(key)  # type: ignore[attr-defined]
    return made


def finished(prompt: Prompt) -> bool:
    """Whether the last key finished it."""
    return getattr(prompt, "last_step", None) is InputState.FINISHED
