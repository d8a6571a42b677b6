"""What was noted on somebody, and is asked for now: of a readied strike, its target and outcome.

An ask called `noted` stands for all that a technique asks. Which technique, the effect says that
was asked for before (`readied`, because of `strike`); or it was picked in this very prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from affray.core.heart.decide import verbs_of
from affray.tui.prompts.person import PersonSlot
from affray.tui.prompts.picking import TechniqueSlot
from affray.tui.prompts.reacting import WhoCanSlot
from affray.tui.prompts.slot import Slot
from affray.tui.prompts.spec import PromptSpec, spec_of_technique
from affray.tui.prompts.view import PromptView


class Noted(NamedTuple):
    """A technique, who does it, and whether it is in another's turn; empty where none is known."""

    who: str = ""
    technique: str = ""
    reacts: bool = False


def noted(slots: Sequence[Slot], view: PromptView) -> Noted:
    """What the one who was chosen does, as far as these slots have said it."""
    chosen = next((slot for slot in slots if isinstance(slot, PersonSlot)), None)
    if chosen is None:
        return Noted()
    if isinstance(chosen, WhoCanSlot):
        return Noted(chosen.answer, chosen.what, True)
    picked = next((slot.answer for slot in slots if isinstance(slot, TechniqueSlot)), "")
    who = view.state.find(chosen.answer)
    effect = view.effect_of(who, chosen.what) if who is not None else None
    return Noted(chosen.answer, picked or (effect.because if effect is not None else ""))


def spec_of_noted(found: Noted, spec: PromptSpec, view: PromptView) -> PromptSpec | None:
    """What that technique asks. A row called `trigger cast` says how it asks behind `trigger`; it
    may be nothing at all."""
    tables = view.ruleset.tables
    technique = tables.techniques.get(found.technique)
    if technique is None:
        return None
    name = found.technique
    behind = tables.prompts.get(f"{spec.command} {name}")
    own = behind or tables.prompts.get(name)
    asked = spec_of_technique(name, technique, verbs_of(view.ruleset), own)
    return asked if behind is None or behind.asks else replace(asked, asks=())
