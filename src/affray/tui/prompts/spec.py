"""The prompt of a command: what it asks for, read from a ruleset's tables (`core.language.asks`).

Where no row says it, that comes from the declaration of the command's arguments.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from affray.core.language.asks import OWN, PERSON_KINDS, SEVERAL, Ask, read_ask
from affray.core.language.declared import asks_of
from affray.core.rules.prompts import PromptRule
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Technique


class PromptSpec(Struct, frozen=True):
    """A command with what it asks for. `acts` tells that the actor matters to it (`by NAME`).

    `technique` is the row of the tables that it begins, `own` the actor's own option; `rule` is the
    row that says when its key matters and what follows it.
    """

    id: str
    label: str
    command: str
    asks: tuple[Ask, ...] = ()
    acts: bool = False
    technique: str = ""
    own: str = ""
    targets: str = "foes"
    rule: PromptRule = PromptRule()

    @property
    def asks_own(self) -> bool:
        """Whether it asks for an option of the actor's own."""
        return any(ask.kind == OWN for ask in self.asks)


def declared_asks(command: str, verbs: Mapping[str, Verb]) -> tuple[str, ...]:
    """What the declaration of a command's arguments asks for; empty where they aren't declared."""
    verb = verbs.get(command)
    return asks_of(verb.said) if verb is not None and verb.said is not None else ()


def spec_of_technique(
    key: str, technique: Technique, verbs: Mapping[str, Verb], rule: PromptRule | None = None
) -> PromptSpec:
    """The prompt of a technique; a row of its own may say how it asks."""
    rule = rule or PromptRule()
    command = technique.command or key
    asks = rule.asks or technique.asks or declared_asks(command, verbs)
    return PromptSpec(
        f"technique.{key}",
        technique.name or key,
        command,
        tuple(read_ask(ask) for ask in asks),
        acts=True,
        technique=key,
        targets=technique.targets,
        rule=rule,
    )


def spec_of_prompt(key: str, rule: PromptRule, verbs: Mapping[str, Verb]) -> PromptSpec:
    """The prompt of a command that has a key of its own.

    Where it asks for somebody, those under the cursor are whom it is done to, not who does it;
    unless it asks for what is the actor's own.
    """
    asks = tuple(read_ask(a) for a in rule.asks or declared_asks(rule.command, verbs))
    kinds = {ask.kind for ask in asks}
    names_somebody = OWN not in kinds and not kinds.isdisjoint((*PERSON_KINDS, SEVERAL))
    verb = verbs.get(rule.command.partition(" ")[0])
    acts = verb is not None and verb.acts and not names_somebody
    return PromptSpec(key, rule.label or rule.command, rule.command, asks, acts, rule=rule)
