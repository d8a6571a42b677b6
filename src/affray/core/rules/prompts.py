"""Prompts, as rows of tables: what a key asks for, and the ways in which a roll can come out."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from affray.core.heart.state import Life


class PromptRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A command that has a key of its own on the screen, and what it asks for.

    key      the single key that begins it
    label    what the footer and the help call it
    command  how its line begins: `mark`, `rest short`
    asks     what is asked for, in the order of the command's words; left out, what the declaration
             of its arguments asks for. One ask is a kind, with what
             belongs to it: `number`; `number?` may be left out; `number?!` as well, but is asked
             for; `choice:short|long` is one of those; `text:trigger` asks for words under that
             name; `person:dying` offers only who is, has delayed (`waiting`), or has an effect
             called so (`person:defeated|dead`: either); `self:up` asks for nobody else where the
             one under the cursor is up;
             `by person:held` is who acts; `noted` stands for all that the technique
             asks because of which that effect is there, or that was picked; `technique:action`
             is one that is paid with that track; `targets:half` lets some of several
             take half, `targets:foe` offers a foe first, `targets:several` nobody;
             `targets:anyone` takes whoever acts, too; `outcome:target` is rolled by the target,
             `outcome:each` by several; `die:20` is a die as it lies; `said:cover|far` are words
             that a capital letter adds while whom it is at or what stands behind is asked for,
             `weapon` is the attack that is used (`with NAME`); `until:start|end|freed` says when an
             effect ends, with `=` before a word that needs no `until`; `spell`, `clock`,
             `environment` and `feature` are names that are known; `item:hand` and `item:stowed`
             are things of the actor's own, or any words where nobody keeps count of those; `own` is
             one of the actor's own options, `own:any` one that can't be used now as well;
             `effect:save` an effect of the one named before that ends so; `targets` then take one
             `outcome` for all, or one each; `for number turns?` puts words around the answer;
             `offered` is one of the words that completion knows there; `=loud` is a word that is
             always there; `short>number` is asked only when
             `short` was answered before, or an ask that has the word before it; `dying>number`
             as well when somebody who was named is so, or has an effect called so, or where
             nobody is named, whoever acts
    then     the id of the prompt that is asked after it: for those whom the outcomes of its rolls
             bring something, where `takes` says for each outcome how much, `all` or `half`; else
             for the next character for whom its command isn't refused, until there is none
    when     the life of the one under the cursor for whom the key comes first in the footer
    first    whether the footer, and a list of techniques, has it before the others
    nobody   what is said when nobody comes into question for a `person`
    text     the rule in our own words

    A row that has the id of a technique and no key says how that technique asks; one called
    `trigger cast` how it asks when `trigger` takes up what was noted of it.
    """

    key: str = ""
    label: str = ""
    command: str = ""
    asks: tuple[str, ...] = ()
    then: str = ""
    takes: dict[str, Literal["all", "half"]] = {}
    when: Life | None = None
    first: bool = False
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
