"""Who does what the one whose turn it is can't do now: a slot in front of a technique's own."""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from affray.core.heart.state import Combatant
from affray.core.language.asks import NOTED, Ask
from affray.tui.prompts.person import PersonSlot
from affray.tui.prompts.slot import ACTOR
from affray.tui.prompts.spec import PromptSpec
from affray.tui.prompts.view import PromptView

WHO_CAN = "who-can"
"""The kind that is answered by somebody who can use a technique now; its option is which."""


class WhoCanSlot(PersonSlot):
    """One of those who can use a technique now, by the rules' own reasons."""

    @cached_property
    def _reasons(self) -> dict[str, str]:
        """By id, why somebody can't use the technique now; empty for those who can."""
        view = self.view
        return {
            who.id: option.reason
            for who in view.people
            for option in view.ruleset.options(view.ruleset.tables, view.state, who)
            if option.technique == self.what
        }

    def unfit(self, who: Combatant) -> str:
        """Why somebody can't use it now; empty when they can."""
        reason = self._reasons.get(who.id, "can't use it")
        return f"{who.name}: {reason}" if reason else ""

    def _likely(self) -> str:
        """Of those who stand against the one whose turn it is, whom the last blow was at."""
        up, fit, struck = self.view.state.up, self.candidates, self.view.last_struck
        against = [c.id for c in self.view.people if c.id in fit and up and c.side != up.side]
        return struck if struck in against else next(iter([*against, *fit]), "")


def asked_of_others(spec: PromptSpec, view: PromptView) -> PromptSpec | None:
    """The prompt of a reaction, where the one who is up would use it: who does it, first.

    None where it is nothing of the kind, or nobody can.
    """
    technique = view.ruleset.tables.techniques.get(spec.technique)
    if technique is None or not technique.reaction or not view.state.takes_turn(view.actor):
        return None
    who = Ask(WHO_CAN, (spec.technique,), before=ACTOR)
    if not WhoCanSlot(who, view, ()).candidates:
        return None
    return replace(spec, asks=(who, Ask(NOTED)))
