"""Which slot an ask gets: the table of the kinds of things that prompts ask for."""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.language.asks import Ask
from affray.tui.prompts.amount import DiceSlot, NumberSlot
from affray.tui.prompts.choice import ChoiceSlot, OfferedSlot, SureSlot, WordSlot
from affray.tui.prompts.damage import DamageSlot
from affray.tui.prompts.die import DieSlot
from affray.tui.prompts.effects import AgainSlot, EffectKindSlot, OwnEffectSlot, VerbSlot
from affray.tui.prompts.heard import HeardSlot, WeaponSlot
from affray.tui.prompts.outcome import OutcomeSlot
from affray.tui.prompts.own import OwnSlot
from affray.tui.prompts.people import ANYONE, PeopleSlot
from affray.tui.prompts.person import PersonSlot
from affray.tui.prompts.picking import DamageTypeSlot, TechniqueSlot, TrackSlot
from affray.tui.prompts.reacting import WHO_CAN, WhoCanSlot
from affray.tui.prompts.slot import Slot
from affray.tui.prompts.spec import PromptSpec
from affray.tui.prompts.text import LineSlot, NameSlot, TextSlot
from affray.tui.prompts.until import UntilSlot
from affray.tui.prompts.view import PromptView

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
    "spell": NameSlot,
    "item": NameSlot,
    "clock": NameSlot,
    "environment": NameSlot,
    "feature": NameSlot,
    "named-effect": NameSlot,
    "counter": NameSlot,
    "line": LineSlot,
    "choice": ChoiceSlot,
    "offered": OfferedSlot,
    "sure": SureSlot,
    "again": AgainSlot,
    "until": UntilSlot,
    "verb": VerbSlot,
    "effect": OwnEffectSlot,
    "own": OwnSlot,
    "track": TrackSlot,
    "technique": TechniqueSlot,
    "weapon": WeaponSlot,
    "said": HeardSlot,
}


def slot_for(ask: Ask, spec: PromptSpec, view: PromptView, earlier: list[Slot]) -> Slot:
    """The slot for an ask; whoever acts is none of those to whom it is done."""
    if ask.kind == "target" and spec.technique and spec.targets == "allies":
        ask = replace(ask, kind="ally")
    whom = ask.kind in ("target", "targets") or (ask.kind == "ally" and not ask.optional)
    whom = whom and ANYONE not in ask.options
    if (spec.technique or spec.acts) and whom:
        ask = replace(ask, others=True)
    made = SLOTS.get(ask.kind)
    if made is None:
        kinds = {rule.kind for rule in view.ruleset.tables.effects.values()}
        # What is neither known nor a kind of effect is an amount of something: a track's, a bond's.
        made = EffectKindSlot if ask.kind in kinds else NumberSlot
    return made(ask, view, earlier)
