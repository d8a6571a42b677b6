"""How a key's prompt begins: for whom it asks, and why it may be barred."""

from __future__ import annotations

from affray.core.engine.events import Rolled
from affray.core.engine.history import History
from affray.core.parser.declarations import PromptSpec
from affray.core.rules.ruleset import all_options
from affray.tui.prompts.choice_fields import WeaponField
from affray.tui.prompts.combatant_fields import asked_of_others
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.prompt import Prompt

MOST_LOOKED_BACK = 30
"""The number of last entries to search for the last roll."""


def begin_prompt(spec: PromptSpec, view: PromptContext, read_only: str = "") -> Prompt:
    """Begin the prompt of a key; it opens even if the act is impossible, and says why. `read_only`
    bars them all; otherwise a reaction that only somebody else can use asks who uses it.
    """
    others = asked_of_others(spec, view) if not read_only else None
    if others is not None:
        return Prompt(others, view)
    can_be_barred = spec.fields and spec.id != "goto"
    if read_only and can_be_barred:  # what asks for nothing is refused in a message, whole
        can_be_barred = not Prompt(spec, view).instant
    return Prompt(spec, view, (read_only or why_not(spec, view)) if can_be_barred else "")


def why_not(spec: PromptSpec, view: PromptContext) -> str:
    """The reason why a technique or an option of the actor's own can't be used now; empty when it
    can."""
    actor = view.state.find(view.actor)
    if actor is None or not (spec.own or spec.technique):
        return ""
    for option in all_options(view.ruleset, view.state, actor):
        if (option.name == spec.own) if spec.own else (option.technique == spec.technique):
            return option.reason
    return ""


def attacks_by_letter(spec: PromptSpec, view: PromptContext) -> dict[str, str] | None:
    """The actor's attacks by the letters that choose them after the target; None for a prompt
    without attacks."""
    field = next((f for f in Prompt(spec, view).fields if isinstance(f, WeaponField)), None)
    return field.letters if field is not None else None


def last_struck(history: History, before: int | None = None) -> str:
    """The id of the target of the last roll against somebody; empty if that is long ago. `before`
    is an index among the effective entries; by default the end.
    """
    before = len(history.path) if before is None else before
    for seq in reversed(history.path[max(before - MOST_LOOKED_BACK, 0) : before]):
        rolls = (e for e in reversed(history.entries[seq].events) if isinstance(e, Rolled))
        struck = next((roll.against for roll in rolls if roll.against), "")
        if struck:
            return struck
    return ""
