"""What a prompt asks for, read from a ruleset's tables.

One ask is a short text such as `target`, `number?`, `choice:short|long`, `for number turns?`,
`=loud` or `short>number`; `affray.core.tables.PromptRule` says what they mean.
"""

from __future__ import annotations

from dataclasses import dataclass

from affray.core.state import Life
from affray.core.tables import PromptRule, Technique


@dataclass(frozen=True)
class Ask:
    """One thing asked for.

    kind      what sort of answer it is: target, number, choice, text, ...
    options   the words behind the colon
    optional  whether it may be left out
    asked     whether it is asked for all the same, when it may be left out
    others    whether neither the actor nor the dead come into question
    before, after   words that stand around the answer
    only_if   asked only when an earlier answer has this word
    """

    kind: str
    options: tuple[str, ...] = ()
    optional: bool = False
    before: str = ""
    after: str = ""
    only_if: str = ""
    asked: bool = False
    others: bool = False


@dataclass(frozen=True)
class PromptSpec:
    """A command with what it asks for. `acts` tells that the actor matters to it (`by NAME`).

    `technique` is the row of the tables that it begins, `own` the actor's own option.

    `when` and `first` say when its key matters most, `nobody` what is said when nobody comes into
    question; `affray.core.tables.PromptRule` tells how.
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

    @property
    def asks_own(self) -> bool:
        """Whether it asks for an option of the actor's own."""
        return any(ask.kind == OWN for ask in self.asks)


OWN = "own"
"""The kind that is answered by an option of the actor's own."""

NOTED = "noted"
"""The ask that stands for all that a technique asks: the one that was said before."""

PERSON_KINDS = ("target", "ally", "self", "anyone", "person")
"""The kinds that are answered by one combatant."""

ASKED_AMONG_WORDS = ("number", "dice", "text", *PERSON_KINDS)
"""The kinds that may have words around them."""


def read_ask(text: str) -> Ask:
    """An ask from its text in the tables."""
    only_if, arrow, rest = text.partition(">")
    if not arrow:
        only_if, rest = "", text
    asked = rest.endswith("?!")
    rest = rest.rstrip("!")
    optional = rest.endswith("?")
    rest = rest.rstrip("?").strip()
    if rest.startswith("="):
        return Ask("word", (rest[1:],), only_if=only_if)
    words = rest.split()
    at = next((i for i, word in enumerate(words) if ":" in word), None)
    if at is None:
        at = next((i for i, word in enumerate(words) if word in ASKED_AMONG_WORDS), 0)
    kind, _, options = words[at].partition(":")
    return Ask(
        kind,
        tuple(options.split("|")) if options else (),
        optional,
        " ".join(words[:at]),
        " ".join(words[at + 1 :]),
        only_if,
        asked,
    )


def spec_of_technique(key: str, technique: Technique, own: PromptRule | None = None) -> PromptSpec:
    """The prompt of a technique; `own` asks in its own way."""
    asks = own.asks if own is not None else technique.asks
    return PromptSpec(
        f"technique.{key}",
        technique.name or key,
        technique.command or key,
        tuple(read_ask(ask) for ask in asks),
        acts=True,
        technique=key,
        targets=technique.targets,
        when=own.when if own is not None else None,
        first=own is not None and own.first,
    )


def spec_of_prompt(key: str, rule: PromptRule, acts: bool) -> PromptSpec:
    """The prompt of a command that has a key of its own.

    Where it asks for somebody, those under the cursor are whom it is done to, not who does it;
    unless it asks for what is the actor's own.
    """
    asks = tuple(read_ask(ask) for ask in rule.asks)
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
    )
