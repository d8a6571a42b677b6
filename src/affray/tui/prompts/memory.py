"""What prompts remember of one another, to offer it again. It is in no log."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from affray.tui.prompts.people import PeopleSlot
from affray.tui.prompts.plain import NumberSlot
from affray.tui.prompts.prompt import Prompt
from affray.tui.prompts.text import NameSlot


class Memory(Struct, frozen=True):
    """What was answered in earlier prompts.

    target   id of the target chosen last
    people   ids of those to whom something was done last
    amounts  amounts, by what they are of and between whom
    names    names, newest first, by what they are of: `spell`
    """

    target: str = ""
    people: tuple[str, ...] = ()
    amounts: Mapping[tuple[str, frozenset[str]], str] = {}
    names: Mapping[str, tuple[str, ...]] = {}

    def after(self, prompt: Prompt) -> Memory:
        """With what was answered in a prompt."""
        return Memory(
            prompt.target or self.target,
            _people(prompt) or self.people,
            {**self.amounts, **_amounts(prompt)},
            {**self.names, **_names(prompt, self.names)},
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
