"""Prompts, as rows of tables: what a key asks for, and the ways in which a roll can come out."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from affray.core.heart.state import Life


class PromptRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A command that has a key of its own on the screen, and what it asks for.

    key      the key that begins it, and others that do as well
    was      the keys that did so in earlier releases, which say once where it has gone
    label    what the footer and the help call it
    command  how its line begins: `mark`, `rest short`
    asks     what is asked for, in the order of the command's words, each as `core.language.asks`
             has it; left out, what the declaration of its arguments asks for
    then     the id of the prompt that is asked after it: for those whom the outcomes of its rolls
             bring something, where `takes` says for each outcome how much, `all` or `half`; else
             for the next character for whom its command isn't refused, until there is none
    when     the life of the one under the cursor for whom the key comes first in the footer
    first    whether the footer, and a list of techniques, has it before the others
    example  words that would answer its `line`, as somebody may type them; `{foe}` in it is what is
             proposed of a foe of whom nothing is known
    nobody   what is said when nobody comes into question for a `person`
    text     the rule in our own words

    A row that has the id of a technique and no key says how that technique asks; one called
    `trigger cast` how it asks when `trigger` takes up what was noted of it.
    """

    key: str = ""
    was: str = ""
    label: str = ""
    command: str = ""
    asks: tuple[str, ...] = ()
    then: str = ""
    takes: dict[str, Literal["all", "half"]] = {}
    when: Life | None = None
    first: bool = False
    example: str = ""
    nobody: str = ""
    text: str = ""


class OutcomeRule(Struct, frozen=True, forbid_unknown_fields=True):
    """How a roll can come out; its id is the word of the commands.

    key    the key that says it in a prompt
    hits   whether what follows a hit is asked for
    label  how the prompt calls it, where that is not the word
    named  whether it is offered only where an ask names it: `outcome:success|failure`
    critical  whether a recap counts it: as a critical where it hits, else as a fumble
    """

    key: str
    hits: bool = True
    label: str = ""
    named: bool = False
    critical: bool = False
