"""What prompts remember of one another (`Memory`): what is taken down of one that was answered."""

from __future__ import annotations

from collections.abc import Mapping

from affray.tui.prompts.amount import NumberSlot
from affray.tui.prompts.people import PeopleSlot
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.text import NameSlot
from affray.tui.prompts.view import Memory


def remembered(before: Memory, prompt: Prompt) -> Memory:
    """What was remembered before, with what was answered in a prompt."""
    return Memory(
        prompt.target or before.target,
        _people(prompt) or before.people,
        {**before.amounts, **_amounts(prompt)},
        {**before.names, **_names(prompt, before.names)},
    )


def _people(prompt: Prompt) -> tuple[str, ...]:
    several = (s for s in prompt.slots if isinstance(s, PeopleSlot) and s.applies())
    return next((tuple(s.answer.split(",")) for s in several if s.answer), ())


def _amounts(prompt: Prompt) -> dict[tuple[str, frozenset[str]], str]:
    numbers = [s for s in prompt.slots if isinstance(s, NumberSlot) and s.applies()]
    found = ((s.between, s.answer) for s in numbers)
    return {between: amount for between, amount in found if between and amount}


def _names(prompt: Prompt, before: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    given = (s for s in prompt.slots if isinstance(s, NameSlot) and s.applies() and s.name)
    return {s.ask.kind: tuple(dict.fromkeys((s.name, *before.get(s.ask.kind, ())))) for s in given}
