"""Which slot an ask gets: the table of the kinds of things that prompts ask for."""

from __future__ import annotations

from dataclasses import replace

from affray.core.asks import Ask
from affray.tui.prompts.effects import (
    AgainSlot,
    DamageTypeSlot,
    EffectKindSlot,
    OwnEffectSlot,
    TechniqueSlot,
    TrackSlot,
    VerbSlot,
)
from affray.tui.prompts.own import OwnSlot
from affray.tui.prompts.people import PeopleSlot, PersonSlot
from affray.tui.prompts.plain import (
    ChoiceSlot,
    DiceSlot,
    LineSlot,
    NumberSlot,
    SureSlot,
    TextSlot,
    WordSlot,
)
from affray.tui.prompts.reacting import WHO_CAN, WhoCanSlot
from affray.tui.prompts.rolls import DamageSlot, DieSlot, OutcomeSlot
from affray.tui.prompts.slot import Slot
from affray.tui.prompts.spec import PromptSpec
from affray.tui.prompts.view import View

SLOTS: dict[str, type[Slot]] = {
    "word": WordSlot,
    "target": PersonSlot,
    "ally": PersonSlot,
    "self": PersonSlot,
    "anyone": PersonSlot,
    "person": PersonSlot,
    WHO_CAN: WhoCanSlot,
    "targets": PeopleSlot,
    "outcome": OutcomeSlot,
    "die": DieSlot,
    "damage": DamageSlot,
    "damage-type": DamageTypeSlot,
    "number": NumberSlot,
    "dice": DiceSlot,
    "text": TextSlot,
    "line": LineSlot,
    "choice": ChoiceSlot,
    "sure": SureSlot,
    "again": AgainSlot,
    "verb": VerbSlot,
    "effect": OwnEffectSlot,
    "own": OwnSlot,
    "track": TrackSlot,
    "technique": TechniqueSlot,
}


def slot_for(ask: Ask, spec: PromptSpec, view: View, earlier: list[Slot]) -> Slot:
    """The slot for an ask; whoever acts is none of those to whom it is done."""
    if ask.kind == "target" and spec.technique and spec.targets == "allies":
        ask = replace(ask, kind="ally")
    whom = ask.kind in ("target", "targets") or (ask.kind == "ally" and not ask.optional)
    if (spec.technique or spec.acts) and whom:
        ask = replace(ask, others=True)
    made = SLOTS.get(ask.kind)
    if made is None:
        kinds = {rule.kind for rule in view.ruleset.tables.effects.values()}
        # What is neither known nor a kind of effect is an amount of something: a track's, a bond's.
        made = EffectKindSlot if ask.kind in kinds else NumberSlot
    return made(ask, view, earlier)
