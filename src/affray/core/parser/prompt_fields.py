"""The fields of prompts and forms, which ask for the parts of a command.

A command's declared arguments bring their fields (`core.parser.declarations`); a row of the tables
names other ones. Screen and phone show the same fields. Kinds:

    target, ally, anyone, self, person   one combatant: a foe, a friend, anybody, the one under the
                  cursor, any of some. `options` narrow these: a life, an effect's name, `waiting`
                  for those who have delayed, `placed` and `unplaced` for those with and without
                  initiative, `due` for those who may be named to act next, the actor's
                  `companion`; `party` offers the party first, `up` nobody but the one under the
                  cursor if that one is up
    targets       several, of whom some may take `half`; a `foe` is offered first, with `several`
                  nobody is; with `anyone` the actor may be among them
    outcome       how a roll came out: one of the `options`; rolled by the `target`; `each` for
                  several, who take one for all, or one each
    die           a die as it lies, by its sides: `20`
    faces         dice as they lie, where what was picked rolls any
    damage        how much with its type; `damage-type` a type alone, `dice` an amount or dice
    number        digits, or one of the `options` in their place
    choice        one of the `options`; with `verb` it is the command itself
    text          words, called as `options` say
    said          `options` that a capital letter adds while the prompt asks for another field
    said-of       a word, `before`, that its capital letter adds likewise, and one of the `options`
                  after it by its own letter: `save` `cunning`
    weapon        the attack to use, if it isn't the first; with `any` it may be none
    until         when an effect ends; `options` such as `user-end` need no `until`
    effect        an effect of the combatant named before, which ends by one of the `options`
    again         what to do if they have that effect already, asked only then
    track         a track of the combatant named before
    spell, clock, environment, feature   known names; a spell that the actor keeps up by an effect
                  of the `options` comes first
    kept          what the actor keeps up, by the note of its effect: a song, a zone
    named-effect, counter   an effect of the tables, or one of any name; a track of the tables
    item          things that the actor has at `hand` or `stowed`, or that the combatant named
                  before has `carried`; any words in a game without lists of these
    own           one of the actor's own options; with `any` also one that can't be used now, with
                  `world` one of the world's
    technique     one that costs the track that `options` name
    noted         all that the readied technique asks
    offered       one of the words that completion knows there
    line          all other words of the command
    more          one of the words that the command takes there, and what follows it
    sure          no word, just `enter` for yes
    word          a fixed word
    group         replaced by its `parts`; without any, the prompt asks nothing

Beside these a game asks for amounts and kinds of effects by their own names: `fatigue`,
`condition`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.state import Ends, Life
from affray.core.parser.errors import did_you_mean, suggest_or_list

OWN = "own"
"""The kind that is answered by an option of the actor's own."""

WHAT_IT_DOES = (OWN, "spell")
"""The kinds of fields whose answers decide what else is asked, and when the act is possible."""

NOTED = "noted"
"""The kind for all fields of the stored technique."""

LINE = "line"
"""The kind of all other words of the command."""

WORD = "word"
"""The kind of a word that is always there."""

GROUP = "group"
"""The kind that is asked as its parts are."""

NUMBER, DICE, TEXT = "number", "dice", "text"
"""The kinds of arguments whose declaration names no other."""

AMOUNTS = (NUMBER, DICE, "damage", "faces")
"""The kinds of fields that a digit begins."""

OFFERED = "offered"
"""The kind that is answered by one of the words that completion knows there."""

PERSON_KINDS = ("target", "ally", "self", "anyone", "person")
"""The kinds that are answered by one combatant."""

HEARD = ("said", "said-of", "weapon")
"""The kinds that are never asked for: a letter adds them while another field is asked for."""

ANY_WORD = (NUMBER, OFFERED, TEXT, *HEARD)
"""The kinds of fields that the parser names in addition to known words."""

KINDS = (
    *PERSON_KINDS, "targets", "outcome", "die", "damage", "damage-type", "number", "dice", "text",
    "faces", "spell", "kept", "item", "clock", "environment", "feature", "named-effect", "counter",
    "line", "choice", *HEARD, WORD, "more",
    "offered", "sure", "again", "until", "verb",
    "effect", OWN, "track", "technique", NOTED,
)  # fmt: skip
"""All kinds that a table may ask for by their own names, in every game."""

ONE, SEVERAL = ("target", "ally", "anyone"), "targets"
SAID = ("text", "choice")
WITHOUT_CODE = (*ONE, SEVERAL, *SAID)
"""The kinds for a technique that is only a row: targets, and words."""

WAITING = "waiting"
"""The option for those who have delayed."""
ANYONE = "anyone"
"""The kind that anybody in the fight answers; and the option of a field that the actor may be named
in as well: a singer hears the song."""
TWICE = "twice"
"""The option of a field that takes the same target twice by its number: two blows at one."""
ALLIES = "allies"
"""The option of a field that several answer, where friends are offered first."""
WORLD = "world"
"""The option for the world's actions, on anybody's turn."""
COMPANION = "companion"
"""The option for the actor's companion."""
ITEMS = ("hand", "stowed", "carried")
"""The things that an `item` can be: of the actor's own at hand, or to be brought there first; or
what completion knows after the words so far."""
IN_FULL = {"adv": "advantage", "dis": "disadvantage"}
"""Words of commands -> their text on the screen."""
_WITH_WORDS = ("choice", "verb", "again", *HEARD[:2], "until", "outcome", "number", "damage")
"""The kinds whose options are words of the command."""
_NEED_OPTIONS = ("choice", "verb", "again", *HEARD[:2], "until", WORD)


class Field(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, repr_omit_defaults=True
):
    """One thing that a prompt or a form asks for.

    kind      the kind of answer: target, number, choice, text, ...
    options   the possible choices
    optional  True if it may be left out; None to follow the argument's declaration
    asked     True if the prompt asks for it although it is optional
    before, after   words around the answer
    only_if   asked only when an earlier answer has this word, or follows it; or when the combatant
              named before, else the actor, has a life or an effect of this name
    name      the argument whose field it is
    others    True if the actor and the dead are left out
    legal     True if it offers only the combatants whom the command accepts now
    named     True if nobody is on offer among several, since naming one ends their part
    parts     the fields of a group
    """

    kind: str
    options: tuple[str, ...] = ()
    optional: bool | None = None
    asked: bool = False
    before: str = ""
    after: str = ""
    only_if: str = ""
    name: str = ""
    others: bool = False
    legal: bool = False
    named: bool = False
    parts: tuple[Field, ...] = ()


ANY_MORE = Field("more", optional=True)
"""The last field of a prompt: everything else that the command takes, by the parser."""
BY_ITS_NAME = Field("said", ("",))
"""A word that is added by a letter of the argument's own name."""

UNPLACED, PLACED = "unplaced", "placed"
"""The options for those without and with initiative."""
DUE, NAMES_NEXT = "due", "names-next"
"""The states of somebody who may be named next, and of a fight in which somebody is named."""

ASKED_ELSEWHERE = Field(GROUP)
"""The field of an argument that is asked for together with something else."""


class FieldsRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a table's row, if they differ from the command's declaration.

    fields   the fields in the order of the command's words: names of its arguments, with `?` after
             optional ones, kinds of fields, or whole fields; in a technique without arguments any
             other name is a text to be typed
    fixed    name -> a fixed word, for which the prompt doesn't ask
    subject  the first combatant that the prompt asks for, in place of the declared one: a key of
             `SUBJECTS`, or a life or effect that they must have, such as `dying`
    choices  name -> the words to choose from
    """

    fields: tuple[str | Field, ...] = ()
    fixed: dict[str, str] = {}
    subject: str = ""
    choices: dict[str, tuple[str, ...]] = {}

    @property
    def says_something(self) -> bool:
        """True if it differs from the command's declaration at all."""
        return bool(self.fields or self.fixed or self.subject or self.choices)


SUBJECTS = {
    "self": Field("self"),
    "party": Field("self", ("party",)),
    "target": Field("target"),
    "foes": Field(SEVERAL, ("foe",)),
    "several": Field(SEVERAL, ("several",)),
}
"""The words for a row's `subject`: one under the cursor, one target, or several, of whom a foe or
nobody is offered first."""


def fields_of_row(
    row: FieldsRow, declared: Mapping[str, Field] = {}, amounts: Collection[str] = ()
) -> tuple[Field, ...]:
    """Return the fields that a row asks for, with groups split into their parts.

    Args:
        declared: the fields of the command's arguments, by name.
        amounts: the game's own kinds of fields, for amounts and kinds of effects.
    """
    fields: list[Field] = []
    for each in row.fields or declared:
        fields += ungrouped(
            each if isinstance(each, Field) else _named(each, row, declared, amounts)
        )
    if row.subject:
        subject = SUBJECTS.get(row.subject) or Field("person", (row.subject,))
        at = next((i for i, each in enumerate(fields) if names_somebody(each)), None)
        if at is not None:
            fields[at] = replace(fields[at], kind=subject.kind, options=subject.options)
    return _ordered(fields if row.fields else _letters_behind_people(fields))


def _named(
    name: str, row: FieldsRow, declared: Mapping[str, Field], amounts: Collection[str]
) -> Field:
    stem = name.rstrip("?")
    options = row.choices.get(stem)
    if stem in row.fixed:
        return Field(WORD, (row.fixed[stem],), name=stem)
    field = declared.get(stem)
    if field is None and (stem in KINDS or stem in amounts):
        field = Field(stem)
    elif field is None:
        field = Field("choice" if options else "text", (stem,))
    if options is not None:
        first, *rest = ungrouped(field) or [Field("choice")]
        kind = first.kind if first.kind in _WITH_WORDS else "choice"
        field = Field(GROUP, parts=(replace(first, kind=kind, options=options), *rest))
    if name != stem:
        field = Field(GROUP, parts=tuple(replace(f, optional=True) for f in ungrouped(field)))
    return field


def group(*fields: Field) -> Field:
    """Make one field of several, which a row can name together."""
    return Field(GROUP, parts=tuple(replace(each, name="") for each in fields))


def ungrouped(field: Field) -> list[Field]:
    """Return the field alone, or all parts of a group."""
    if field.kind != GROUP:
        return [field]
    return [part for each in field.parts for part in ungrouped(each)]


def names_somebody(field: Field) -> bool:
    """True if a field is answered by one or several combatants."""
    return field.kind in (*PERSON_KINDS, SEVERAL)


def _letters_behind_people(fields: Sequence[Field]) -> list[Field]:
    """Move the fields that letters answer right after the first combatant, from where letters work.
    Without a combatant, put them before the first field that isn't typed text.
    """
    letters = [each for kind in HEARD for each in fields if each.kind == kind]
    rest = [each for each in fields if each.kind not in HEARD]
    at = next((i + 1 for i, each in enumerate(rest) if names_somebody(each)), -1)
    if at < 0:
        at = next((i for i, each in enumerate(rest) if each.kind != "text"), len(rest))
    return [*rest[:at], *letters, *rest[at:]]


def _ordered(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Merge `said` fields with the same condition. A field for any further words, in rows of
    earlier releases, becomes a list of words that the parser takes there."""
    found: list[Field] = []
    for each in fields:
        if each.kind == LINE and each.optional:
            each = replace(ANY_MORE, asked=each.asked)
        said_alike = (
            i
            for i, f in enumerate(found)
            if f.kind == each.kind == "said" and f.only_if == each.only_if
        )
        at = next(said_alike, None)
        if at is None:
            found.append(each)
        else:
            found[at] = replace(found[at], options=(*found[at].options, *each.options))
    return tuple(found)


# -- what is wrong with a row ----------------------------------------------------------------------


def fault_of_row(
    row: FieldsRow,
    declared: Mapping[str, Field],
    amounts: Collection[str],
    effects: Collection[str],
    ends: Collection[str],
) -> str:
    """Return the fault of the fields of a row, with its place; empty when all can be asked.

    Args:
        declared: the fields of the command's arguments, by name.
        amounts: the names by which this game asks for amounts and kinds of effects.
        effects: the names and kinds that an effect can have.
        ends: the words that say when an effect ends.
    """
    names = [each.rstrip("?") for each in row.fields or declared if isinstance(each, str)]
    for where, words in (("fixed", row.fixed), ("choices", row.choices)):
        for name in words:
            if name not in names:
                return f"{where}: {name!r} is not a field here{suggest_or_list(name, names)}"
            if not words[name] or not all(words[name]):
                return f"{where}: {name!r} must hold a word"
    for each in row.fields:
        if isinstance(each, str) and (fault := _fault_of_name(each, row, declared, amounts)):
            return f"fields: {each!r} {fault}"
    found = fields_of_row(row, declared, amounts)
    if row.subject and not any(map(names_somebody, found)):
        return f"subject: {row.subject!r}, but no field asks for anybody"
    for field in found:
        if fault := _fault_of_field(field, amounts, effects, ends):
            return f"fields: {field.kind!r} {fault}"
    return ""


def _fault_of_name(
    name: str, row: FieldsRow, declared: Mapping[str, Field], amounts: Collection[str]
) -> str:
    stem = name.rstrip("?")
    if not stem.strip():
        return "must hold a word"
    names = (*declared, *row.choices, *row.fixed, *(kind for kind in KINDS if kind != WORD))
    if stem in (*names, *amounts):
        return ""
    near = suggest_or_list(stem, names) if declared else did_you_mean(stem, names)
    return f"is not a kind of field{near}" if near else ""


def _fault_of_field(
    field: Field, amounts: Collection[str], effects: Collection[str], ends: Collection[str]
) -> str:
    kinds = (*KINDS, *amounts)
    if not field.kind.strip():
        return "must hold a word"
    if field.kind not in kinds:
        return f"is not a kind of field{suggest_or_list(field.kind, kinds)}"
    if field.kind in _NEED_OPTIONS and not all(field.options or ("",)):
        return "needs a list of words to choose from"
    if field.kind == "die" and not all(option.isdecimal() for option in field.options):
        return "expects the die's sides, such as 20"
    known_options: dict[str, Collection[str]] = {
        "person": (*get_args(Life), WAITING, COMPANION, DUE, UNPLACED, PLACED, *effects),
        "until": ends,
        "item": ITEMS,
        "effect": get_args(Ends),
    }
    row = known_options.get(field.kind, ())
    wrong = next((option for option in field.options if row and option not in row), "")
    return f"has no option {wrong!r}{suggest_or_list(wrong, row)}" if wrong else ""


# -- rows of earlier releases ----------------------------------------------------------------------

_ASKED_AMONG_WORDS = ("number", "dice", "die", "text", "faces", *PERSON_KINDS)


def with_fields(row: Any) -> Any:
    """Convert a row's `asks` of earlier releases, such as `short>number?`, to `fields`.

    Other rows stay unchanged.
    """
    asks = row.get("asks") if isinstance(row, dict) else None
    if not isinstance(asks, list) or not all(isinstance(each, str) for each in asks):
        return row
    fields = [msgspec.to_builtins(_field_of_ask(each)) for each in asks]
    return {name: value for name, value in row.items() if name != "asks"} | {"fields": fields}


def _field_of_ask(text: str) -> Field:
    only_if, arrow, rest = text.partition(">")
    if not arrow:
        only_if, rest = "", text
    asked = rest.endswith("?!")
    rest = rest.rstrip("!")
    optional = rest.endswith("?")
    rest = rest.rstrip("?").strip()
    if rest.startswith("="):
        return Field(WORD, (rest[1:],), only_if=only_if)
    words = rest.split()
    at = next((i for i, word in enumerate(words) if ":" in word), None)
    if at is None:
        at = next((i for i, word in enumerate(words) if word in _ASKED_AMONG_WORDS), 0)
    kind, _, listed = words[at].partition(":") if words else ("", "", "")
    options = tuple(option.removeprefix("=") for option in listed.split("|")) if listed else ()
    return Field(
        kind, options, optional, asked, " ".join(words[:at]), " ".join(words[at + 1 :]), only_if
    )
