"""How a key's prompt begins: for whom it asks, and why it may come to nothing."""

from __future__ import annotations

from collections.abc import Iterable

from affray.core.engine.events import Rolled
from affray.core.engine.history import History
from affray.core.parser.declarations import PromptSpec
from affray.core.rules.ruleset import AvailableAction
from affray.tui.prompts.combatant_fields import asked_of_others
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.prompt import Prompt

MOST_LOOKED_BACK = 30
"""Among so many of the last entries the last roll is looked for."""


def begin_prompt(
    spec: PromptSpec, view: PromptContext, barred: str, is_kept: bool = True
) -> Prompt:
    """Begin the prompt of a key.

    `barred` says why nothing can come of it; a reaction that somebody else can use asks who does,
    where the fight is one that is kept.
    """
    others = asked_of_others(spec, view) if is_kept else None
    if others is not None:
        spec, barred = others, ""
    return Prompt(spec, view, barred if spec.fields and spec.id != "goto" else "")


def why_not(
    spec: PromptSpec, options: Iterable[AvailableAction], own: Iterable[AvailableAction]
) -> str:
    """Why the technique, or what is the actor's own, can't be used now; empty when it can."""
    if spec.own:
        return next((option.reason for option in own if option.name == spec.own), "")
    if not spec.technique:
        return ""
    return next((each.reason for each in options if each.technique == spec.technique), "")


def last_struck(history: History, before: int | None = None) -> str:
    """The id of the target of the last roll against somebody; empty if that is long ago.

    `before` is the place among the effective entries of the one before which it is; left out, it is
    the end.
    """
    before = len(history.path) if before is None else before
    for seq in reversed(history.path[max(before - MOST_LOOKED_BACK, 0) : before]):
        rolls = (e for e in reversed(history.entries[seq].events) if isinstance(e, Rolled))
        struck = next((roll.against for roll in rolls if roll.against), "")
        if struck:
            return struck
    return ""
