"""The field specs of prompts, in which tables and declarations say what a prompt asks for.

One ask is a short text: a kind of answer, with what belongs to it.

    number                  must be answered; `number?` may be left out, and is not asked for by
                            itself; `number?!` may be left out, and is asked for
    for number turns?       with words around the answer
    =loud                   a word that is always there
    short>number            asked only when `short` was answered before, or an ask that has the word
                            before it
    dying>number            asked as well when somebody who was named before is dying, or has an
                            effect called so; where nobody was named, when whoever acts is or has

    target, ally, anyone    somebody
    person:dying            only who is so, has delayed (`waiting`), is the actor's `companion`, or
                            has an effect called so;
                            `person:defeated|dead`: either
    anyone:party, self:party   somebody, of the party before others, whoever is up
    self:up                 nobody else, where the one under the cursor is up
    by person:held          who acts
    targets:half            several, of whom some may take half; `targets:foe` offers a foe first,
                            `targets:several` nobody, and `targets:anyone` takes whoever acts, too
    outcome:target          rolled by the target; `outcome:each` by several, who take one for all,
                            or one each
    die:20                  a die as it lies
    damage, damage-type, dice   how much with its type, a type alone, an amount or dice
    choice:short|long       one of those
    text:trigger            words, under that name
    faces:burn-dice         dice as they lie, under that name, where what was picked rolls any
    said:cover|far          words that a capital letter adds while whom it is at, or what stands
                            behind, is asked for; `weapon` is the attack that is used (`with NAME`),
                            where it isn't the first; `weapon:any` of what may make none
    until:start|end|freed   when an effect ends, with `=` before a word that needs no `until`
    effect:save             an effect of the one named before that ends so
    again                   what is done where that effect is there already, asked only then
    track                   a track of the one named before
    verb:free|remove        which of several commands it is
    spell, clock, environment, feature   names that are known
    named-effect, counter   an effect of the tables, or one of any name; a track that they count
    item:hand, item:stowed  things of the actor's own; any words where nobody keeps count of those
    own                     one of the actor's own options; `own:any` one as well that can't be used
                            now
    technique:action        one that is paid with that track
    noted                   all that the technique asks because of which that effect is there, or
                            that was picked
    offered                 one of the words that completion knows there
    line                    any more words of the command
    sure                    no word, but an enter for yes
"""

from __future__ import annotations

from collections.abc import Collection
from typing import get_args

from msgspec import Struct

from affray.core.engine.state import Ends, Life
from affray.core.parser.errors import suggest_or_list

OWN = "own"
"""The kind that is answered by an option of the actor's own."""

NOTED = "noted"
"""The ask that stands for all that a technique asks: the one that was said before."""

WORD = "word"
"""The kind of `=loud`: a word that is always there."""

PERSON_KINDS = ("target", "ally", "self", "anyone", "person")
"""The kinds that are answered by one combatant."""

ASKED_AMONG_WORDS = ("number", "dice", "die", "text", "faces", *PERSON_KINDS)
"""The kinds that may have words around them."""

HEARD = ("said", "weapon")
"""The kinds that are never asked for: a letter says them while another is."""

KINDS = (
    *PERSON_KINDS, "targets", "outcome", "die", "damage", "damage-type", "number", "dice", "text",
    "faces", "spell", "item", "clock", "environment", "feature", "named-effect", "counter", "line",
    "choice", "said", "weapon",
    "offered", "sure", "again", "until", "verb",
    "effect", OWN, "track", "technique", NOTED,
)  # fmt: skip
"""All kinds that a table may ask for by their own names, in every game."""

ONE, SEVERAL = ("target", "ally", "anyone"), "targets"
SAID = ("text", "choice")
WITHOUT_CODE = (*ONE, SEVERAL, *SAID)
"""What a technique can ask for that is all in its row: whom it is done to, and words to be said."""

UNTIL = ("start", "end", "freed", "removed", "rest", "fight", "used")
"""What a prompt can say behind `until`; behind the first two stands whose turn."""

_NEED_OPTIONS = ("choice", "verb", "again", "said", "until")
WAITING = "waiting"
"""What is true of somebody who has delayed."""
COMPANION = "companion"
"""What is true of somebody who goes with whoever acts."""
ITEMS = ("hand", "stowed")
"""The things of the actor's own that an `item` can be: at hand, or to be brought there first."""


class FieldSpec(Struct, frozen=True):
    """One thing asked for.

    kind      what sort of answer it is: target, number, choice, text, ...
    options   the words behind the colon
    optional  whether it may be left out
    asked     whether it is asked for all the same, when it may be left out
    others    whether neither the actor nor the dead come into question
    before, after   words that stand around the answer
    only_if   asked only when an earlier answer has this word, or is true of somebody named
    """

    kind: str
    options: tuple[str, ...] = ()
    optional: bool = False
    before: str = ""
    after: str = ""
    only_if: str = ""
    asked: bool = False
    others: bool = False


def parse_field_spec(text: str) -> FieldSpec:
    """An ask from its text in the tables."""
    only_if, arrow, rest = text.partition(">")
    if not arrow:
        only_if, rest = "", text
    asked = rest.endswith("?!")
    rest = rest.rstrip("!")
    optional = rest.endswith("?")
    rest = rest.rstrip("?").strip()
    if rest.startswith("="):
        return FieldSpec(WORD, (rest[1:],), only_if=only_if)
    words = rest.split()
    at = next((i for i, word in enumerate(words) if ":" in word), None)
    if at is None:
        at = next((i for i, word in enumerate(words) if word in ASKED_AMONG_WORDS), 0)
    kind, _, options = words[at].partition(":")
    return FieldSpec(
        kind,
        tuple(options.split("|")) if options else (),
        optional,
        " ".join(words[:at]),
        " ".join(words[at + 1 :]),
        only_if,
        asked,
    )


def fault_of_ask(text: str, amounts: Collection[str], effects: Collection[str]) -> str:
    """The fault of a field spec, in a few words; empty when a prompt can ask it.

    `amounts` are the names by which this game asks for numbers and kinds of effects (`fatigue`,
    `condition`), `effects` the names and kinds that an effect of somebody's can have.
    """
    if _asks_nothing(text):
        return "must hold a word"
    ask = parse_field_spec(text)
    if ask.kind == WORD:
        return "" if ask.options[0] else "must hold a word behind the `=`"
    kinds = (*KINDS, *amounts)
    if ask.kind not in kinds:
        return f"names nothing that can be asked for{suggest_or_list(ask.kind, kinds)}"
    if ask.kind in _NEED_OPTIONS and not all(ask.options or ("",)):
        return f"needs words to choose from, such as `{ask.kind}:this|that`"
    if ask.kind == "die" and not all(option.isdecimal() for option in ask.options):
        return "knows a die by its sides, such as `die:20`"
    row = _understood(ask, effects)
    wrong = next((option for option in ask.options if row and option not in row), "")
    if wrong:
        return f"knows no `{ask.kind}:{wrong}`{suggest_or_list(wrong, row)}"
    return ""


def _asks_nothing(text: str) -> bool:
    """Whether there is no word in it, or none behind what must be answered before: `a>?`."""
    before, arrow, rest = text.partition(">")
    return all(ch in "?!" or ch.isspace() for ch in (rest if arrow else before))


def _understood(ask: FieldSpec, effects: Collection[str]) -> tuple[str, ...]:
    """The options that mean something to the kinds that know only some; empty for all others."""
    if ask.kind == "person":
        return (*get_args(Life), WAITING, COMPANION, *effects)
    if ask.kind == "until":
        return (*UNTIL, *(option for option in ask.options if option.startswith("=")))
    if ask.kind == "item":
        return ITEMS
    return get_args(Ends) if ask.kind == "effect" else ()
