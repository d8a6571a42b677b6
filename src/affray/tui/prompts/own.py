"""What somebody can do that is in no table, but their own: a list to pick from, and its prompts."""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from affray.core.language.asks import OWN, Ask
from affray.core.rules.ruleset import Option
from affray.tui.prompts.picking import PickSlot
from affray.tui.prompts.slot import Fed, Offer
from affray.tui.prompts.spec import PromptSpec

ANY = "any"
"""The option of an ask for one's own that can't be used now just as well."""


def spec_of_own(spec: PromptSpec, option: Option) -> PromptSpec:
    """The prompt that asks for one's own, with this one picked."""
    said = Ask("word", (quoted(option),))
    asks = tuple(said if ask.kind == OWN else ask for ask in spec.asks)
    return replace(spec, label=option.name, asks=asks, own=option.name)


def quoted(option: Option) -> str:
    """Its name as a command takes it."""
    return f'"{option.name}"'


class OwnSlot(PickSlot):
    """One of the actor's own options, those first that can be used now; with `any` each of them."""

    label = "which"

    @property
    def _any(self) -> bool:
        return self.ask.options == (ANY,)

    @cached_property
    def _options(self) -> dict[str, Option]:
        """All of them by their names as a command takes them."""
        rules, state = self.view.ruleset, self.view.state
        actor = state.find(self.view.actor)
        found = rules.own(rules.tables, state, actor) if actor is not None else []
        return {quoted(o): o for o in sorted(found, key=lambda o: not o.available)}

    def rows(self) -> list[tuple[str, str]]:
        """All of them, by name."""
        return [(answer, option.name) for answer, option in self._options.items()]

    def offers(self) -> list[Offer]:
        """What the letters leave; what can't be used is marked."""
        can = {answer for answer, o in self._options.items() if o.available or self._any}
        rows, word = self.narrowed(), self.answer
        return [Offer("", n if a in can else f"{n} ✗", a == word) for a, n in rows]

    @property
    def none_at_all(self) -> str:
        """That there is nothing to pick from; empty when there is."""
        return "" if self._options else f"{self.view.state.name(self.view.actor)} has none"

    @property
    def preset(self) -> bool:
        """Who has only one, which can be used, needs no name."""
        return not self._any and [o.available for o in self._options.values()] == [True]

    def feed(self, key: str) -> Fed:
        """One that can't be used is refused as soon as it is picked, before more is asked."""
        fed = super().feed(key)
        if fed is Fed.PASS and self.barred:
            self.trouble = self.barred
            return Fed.REFUSED
        return fed

    @property
    def barred(self) -> str:
        """Why the one that is highlighted can't be used."""
        option = self._options.get(self.answer) if not self._any else None
        return f"{option.name}: {option.reason}" if option is not None and option.reason else ""

    @property
    def missing(self) -> str:
        """One that can be used."""
        return self.barred or super().missing
