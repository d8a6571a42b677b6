"""The prompt of a command: what it asks for, read from a ruleset's tables (`core.language.asks`).

Where no row says it, that comes from the declaration of the command's arguments.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from affray.core.heart.state import Life
from affray.core.language.asks import OWN, PERSON_KINDS, Ask, read_ask
from affray.core.language.declared import asks_of
from affray.core.rules.prompts import PromptRule
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Technique


class PromptSpec(Struct, frozen=True):
    """A command with what it asks for. `acts` tells that the actor matters to it (`by NAME`).

    `technique` is the row of the tables that it begins, `own` the actor's own option.

    `stays` tells that it is asked again for the next, until it is left; `then` and `takes`, which
    prompt follows it, and for whom.

    `when` and `first` say when its key matters most, `nobody` what is said when nobody comes into
    question; `affray.core.rules.prompts.PromptRule` tells how.
    """

    id: str
    label: str
    command: str
    asks: tuple[Ask, ...] = ()
    acts: bool = False
    technique: str = ""
    own: str = ""
    targets: str = "foes"
    when: Life | None = None
    first: bool = False
    nobody: str = ""
    then: str = ""
    takes: Mapping[str, str] = {}
    stays: bool = False

    @property
    def asks_own(self) -> bool:
        """Whether it asks for an option of the actor's own."""
        return any(ask.kind == OWN for ask in self.asks)


def declared_asks(command: str, verbs: Mapping[str, Verb]) -> tuple[str, ...]:
    """What the declaration of a command's arguments asks for; empty where they aren't declared."""
    verb = verbs.get(command)
    return asks_of(verb.said) if verb is not None and verb.said is not None else ()


def spec_of_technique(
    key: str, technique: Technique, verbs: Mapping[str, Verb], own: PromptRule | None = None
) -> PromptSpec:
    """The prompt of a technique; `own` asks in its own way."""
    command = technique.command or key
    asks = (own.asks if own is not None else ()) or technique.asks
    asks = asks or declared_asks(command, verbs)
    return PromptSpec(
        f"technique.{key}",
        technique.name or key,
        command,
        tuple(read_ask(ask) for ask in asks),
        acts=True,
        technique=key,
        targets=technique.targets,
        when=own.when if own is not None else None,
        first=own is not None and own.first,
    )


def spec_of_prompt(key: str, rule: PromptRule, verbs: Mapping[str, Verb], acts: bool) -> PromptSpec:
    """The prompt of a command that has a key of its own.

    Where it asks for somebody, those under the cursor are whom it is done to, not who does it;
    unless it asks for what is the actor's own.
    """
    asks = tuple(read_ask(a) for a in rule.asks or declared_asks(rule.command, verbs))
    names_somebody = any(ask.kind in (*PERSON_KINDS, "targets") for ask in asks)
    names_somebody = names_somebody and all(ask.kind != OWN for ask in asks)
    label = rule.label or rule.command
    return PromptSpec(
        f"prompt.{key}",
        label,
        rule.command,
        asks,
        acts and not names_somebody,
        when=rule.when,
        first=rule.first,
        nobody=rule.nobody,
        then=rule.then,
        takes=rule.takes,
    )
