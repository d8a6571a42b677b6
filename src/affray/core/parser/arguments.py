"""The kinds of arguments for a command's declaration (`core.parser.declarations`).

Combatants, numbers, dice and words come in a fixed order. Arguments that begin with a keyword come
in any order: `flag_arg`, `anywhere_choice_arg`, `any_of`, `keyword_arg`, `half_damage_arg`. Whole
structs: `keyword_args`, `struct_arg`, `repeated_arg`, `subcommand_arg` (a word chooses the struct)
and `variant_arg` (a function does).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.state import Combatant
from affray.core.parser import clauses
from affray.core.parser.declarations import (
    Argument,
    ParseState,
    arguments_usage,
    fields_of,
    read_last,
    read_within,
    stands_first,
)
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import (
    ANY_MORE,
    ASKED_ELSEWHERE,
    BY_ITS_NAME,
    GROUP,
    SEVERAL,
    Field,
    group,
)
from affray.core.parser.spelling import begun_so, called_so, known_as
from affray.core.parser.targets import present_combatants
from affray.core.rules.ruleset import Context

Choices = Sequence[str] | Callable[[ParseState], Iterable[str]]
"""Words to choose from: fixed, or by the state of the fight."""


def _words(choices: Choices, reading: ParseState) -> list[str]:
    return list(choices(reading) if callable(choices) else choices)


# -- who -------------------------------------------------------------------------------------------


def combatant_arg(what: str, usage: str = "NAME", field: Field = Field("target")) -> Argument:
    """One combatant, never several."""
    return Argument(
        lambda r: r.words.combatant(what), usage, lambda r: r.words.is_people(), field=field
    )


def combatants_arg(
    what: str,
    among: Callable[[ParseState], Collection[Combatant]] | None = None,
    fits: Callable[[Sequence[Combatant]], None] = lambda people: None,
    usage: str = "NAME[,NAME]",
    field: Field = Field(SEVERAL),
) -> Argument:
    """Declare one or several combatants.

    Args:
        among: whom sides, `all` and groups mean; left out, all who are still in the fight.
        fits: raises Refused for those who can't be chosen.
    """

    def read(reading: ParseState) -> list[Combatant]:
        found = reading.words.combatants(what, among(reading) if among else None)
        fits(found)
        return found

    return Argument(read, usage, lambda r: r.words.is_people(), field=field)


Target = Annotated[Combatant, combatant_arg("the target", usage="TARGET")]
Affected = Annotated[list[Combatant], combatants_arg("the combatants it affects")]


def other_combatants_arg(reading: ParseState) -> tuple[Combatant, ...]:
    """Return all who are in the fight but the actor, for `combatants_arg(among=...)`."""
    return present_combatants(reading.ctx.state, but=reading.ctx.actor().id)


def bearers_arg(what: str, of: Callable[[Combatant], Mapping[str, Any]]) -> Argument:
    """Declare one or several combatants who have something, such as an effect, listed by `of`.

    Sides, `all` and groups mean those who have the thing that the next word names (`borne_arg`).
    """
    return Argument(
        lambda r: r.words.bearers(what, of),
        "NAME[,NAME]",
        lambda r: r.words.is_people(),
        field=Field("targets"),
    )


def borne_arg(
    what: str,
    of: Callable[[Combatant], Mapping[str, Any]],
    none: str,
    usage: str,
    bearers: str = "people",
) -> Argument:
    """Declare something that each of the `bearers` has; the value lists its name for each of them.

    Raises Refused with the words `none`, "has no marks", for one who has nothing of the kind.
    """

    def read(reading: ParseState) -> list[str]:
        def name_of(index: int, bearer: Combatant) -> str:
            have = of(bearer)
            if not have:
                raise Refused(f"{bearer.name} {none}")
            return reading.words.choice(what, have)

        return reading.words.for_each(reading.values[bearers], name_of)

    return Argument(read, usage, field=Field("effect"))


def owners_arg(what: str) -> Argument:
    """Declare one or several combatants; or `gm`, an empty list, for tracks of GM and party."""
    return Argument(
        lambda r: [] if clauses.parse_gm(r.words) else r.words.combatants(what),
        "NAME[,NAME]|gm",
        field=Field("self"),
    )


# -- how much, of what -----------------------------------------------------------------------------


def number_arg(
    what: str,
    low: int = 0,
    high: int = 999_999,
    usage: str = "N",
    field: Field = Field("number"),
) -> Argument:
    """A whole number within bounds."""
    return Argument(
        lambda r: r.words.number(what, low, high),
        usage,
        lambda r: r.words.has_number(),
        field=field,
    )


def amount_arg(
    what: str = "damage", usage: str = "AMOUNT", field: Field = Field("damage")
) -> Argument:
    """Declare an amount: a number, or dice such as `2d6+1` that the actor rolls at once."""
    return Argument(
        lambda r: clauses.read_amount(r.ctx, r.words, what, r.ctx.by),
        usage,
        lambda r: r.words.has_amount(),
        field=field,
    )


def lying_dice_arg(what: str) -> Argument:
    """Declare the numbers on dice, after `rolled`: `rolled 7` or `rolled 7,3`.

    Args:
        what: The name of the dice, such as "the spellburn dice".
    """
    wanted = f"{what} as rolled, 7 or 7,3"

    def read(reading: ParseState) -> tuple[int, ...]:
        tokens = reading.words
        parts = tokens.next(wanted).split(",")
        if not all(part.isdecimal() and len(part) < 4 for part in parts):
            tokens.back()
            raise tokens.refuse(f"expected {wanted}, found {tokens.upcoming!r}")
        return tuple(map(int, parts))

    name = what.removeprefix("the ").replace(" ", "-")
    return keyword_arg(
        "rolled",
        Argument(read, "N[,N]", field=ANY_MORE),
        field=Field("faces", (name,), before="rolled"),
    )


def damage_arg(
    usage: str = "DAMAGE", what: str = "the damage rolled", field: Field = Field("damage")
) -> Argument:
    """Declare damage: a number, or dice, to be rolled later."""

    def read(reading: ParseState) -> int | str:
        if reading.words.has_number():
            return reading.words.number(what)
        return clauses.parse_dice_clause(reading.words, what)

    return Argument(read, usage, lambda r: r.words.has_amount(), field=field)


def dice_arg(what: str) -> Argument:
    """Declare dice such as `2d6+1`, unrolled."""
    return Argument(
        lambda r: clauses.parse_dice_clause(r.words, what),
        "DICE",
        lambda r: r.words.has_dice(),
        field=Field("dice"),
    )


def die_size_arg(what: str, allowed: Collection[int] = ()) -> Argument:
    """Declare a die, by the number of its sides: `d6`; one of the `allowed`, if given."""
    return Argument(lambda r: clauses.read_sides(r.words, what, allowed), "dN", field=ANY_MORE)


def _types_of_the_tables(ctx: Context) -> Iterable[str]:
    return ctx.tables.damage_types


def damage_type_arg(
    list_types: Callable[[Context], Iterable[str]] = _types_of_the_tables,
    requires: str = "",
) -> Argument:
    """Declare a type of damage: one of the `list_types`, or any other in quotes.

    `requires` is the field of the amount, if that is optional as well.
    """
    return Argument(
        lambda r: clauses.parse_damage_type(r.words, lambda: list_types(r.ctx), r.stops),
        "TYPE",
        lambda r: r.words.done or not r.is_over,
        requires=requires,
        field=ASKED_ELSEWHERE if requires else Field("damage-type"),
    )


# -- words -----------------------------------------------------------------------------------------


def choice_arg(
    what: str,
    choices: Choices,
    usage: str = "",
    field: Field = ANY_MORE,
    alike: Mapping[str, str] = {},
) -> Argument:
    """Declare one of some words. `alike` are synonyms: word -> the one that it means."""

    def read(reading: ParseState) -> str:
        reading.words.alike.update(alike)
        text = reading.words.choice(what, (*_words(choices, reading), *alike))
        return alike.get(text, text)

    def stands(reading: ParseState) -> bool:
        at = reading.words.at
        reading.words.alike.update(alike)
        taken = reading.words.take(*_words(choices, reading), *alike)
        reading.words.at = at
        return bool(taken)

    words = () if callable(choices) else tuple(choices)
    return Argument(
        read,
        usage or "|".join(words) or what.upper(),
        stands,
        field=Field("choice", words) if words and field == ANY_MORE else field,
    )


def choices_arg(what: str, choices: Choices, usage: str, field: Field = ANY_MORE) -> Argument:
    """One or more of some words, with commas between: `poisoned,prone`; each once."""

    def read(reading: ParseState) -> list[str]:
        tokens, row = reading.words, _words(choices, reading)
        typed = (p for p in tokens.next(what, row).casefold().split(",") if p)
        found = list(dict.fromkeys(known_as(p, row) for p in typed))
        wrong = next((part for part in found if part not in row), "")
        if wrong or not found:
            tokens.back()
            raise tokens.refuse_choice(f"expected {what}, found {wrong!r}", wrong, row)
        return found

    def stands(reading: ParseState) -> bool:
        row = _words(choices, reading)
        reading.words.offered += row if reading.words.done else []
        return known_as(reading.words.peek().split(",")[0], row) in row

    return Argument(read, usage, stands, field=field)


def text_arg(
    what: str,
    list_choices: Callable[[ParseState], Iterable[str]] = lambda reading: (),
    usage: str = '"WHAT"',
    field: Field = Field("text", ("what",)),
) -> Argument:
    """Declare a word, or several in quotes. `list_choices` gives likely ones for completion."""

    def stands(reading: ParseState) -> bool:
        reading.words.offered += list_choices(reading) if reading.words.done else []
        return not reading.is_over

    return Argument(
        lambda r: str(r.words.next(what, list(list_choices(r)))), usage, stands, field=field
    )


def quoted_arg(what: str, usage: str, field: Field = ANY_MORE) -> Argument:
    """Declare words in quotes, if other arguments may come without quotes."""
    return Argument(
        lambda r: str(r.words.next(what)),
        usage,
        lambda r: r.words.upcoming.quoted,
        field=field,
    )


def phrase_arg(
    what: str,
    usage: str,
    field: Field = ANY_MORE,
    list_choices: Callable[[ParseState], Iterable[str]] = lambda reading: (),
) -> Argument:
    """Declare a name of one or several words, up to a keyword; in quotes it may hold any words.
    `list_choices` are what it may well be, for completion."""

    def read(reading: ParseState) -> str:
        tokens = reading.words
        first = tokens.next(what, list_choices(reading) if tokens.done else ())
        parts = [first]
        while not first.quoted and not reading.is_over and not tokens.upcoming.quoted:
            parts.append(tokens.next_of_name(what, reading.stops))
        return " ".join(parts)

    asked = Field("text", (usage.lower(),)) if field == ANY_MORE else field
    return Argument(read, usage, field=asked)


def rest_arg(usage: str, field: Field = ANY_MORE) -> Argument:
    """All remaining words as one text, in quotes or not."""
    return Argument(lambda r: r.words.rest(), usage, lambda r: not r.words.done, field=field)


def custom_name_arg(
    what: str, list_choices: Callable[[ParseState], Mapping[str, Any]], field: Field = ANY_MORE
) -> Argument:
    """Declare a name of the actor's own, such as a song: in full, or by an unambiguous beginning.

    `list_choices` gives the values by name; a name of several words needs quotes.
    """

    def read(reading: ParseState) -> Any:
        row = list_choices(reading)
        token = reading.words.next(what, [f'"{name}"' if " " in name else name for name in row])
        found = called_so(token, row) or (begun_so(token, row) if token else [])
        if len(found) != 1:
            reading.words.back()
            raise reading.words.refuse_choice(f"expected {what}, found {token!r}", token, row)
        return row[found[0]]

    return Argument(read, "NAME", field=field)


def name_arg(what: str, longest: int = 40, usage: str = "NAME") -> Argument:
    """One word, several in quotes, or several that begin with a capital: `Long Sword`."""

    def read(reading: ParseState) -> str:
        tokens = reading.words
        first = tokens.next(what)
        parts = [str(first)]
        while not (first.quoted or reading.is_over) and tokens.upcoming[:1].isupper():
            parts.append(str(tokens.next(what)))
        name = " ".join(parts).strip()
        if not 0 < len(name) <= longest:
            raise tokens.refuse(f"{what} must have 1 to {longest} characters")
        return name

    return Argument(read, usage, field=ANY_MORE)


# -- what stands in any order ----------------------------------------------------------------------


def flag_arg(*alike: str, heard: str = "", field: Field = ANY_MORE) -> Argument:
    """Declare a flag: True if the command has the field's own name, or one of `alike`.

    A prompt adds it by a letter for the word `heard`, or asks for it by `field`. Without either it
    is one of the words that the prompt lists last.
    """
    return Argument(
        lambda r: True,
        "",
        keywords=("", *alike),
        alike=alike,
        joins=lambda earlier, now: now,
        field=Field("said", (heard,)) if heard else field,
    )


Flag = Annotated[bool, flag_arg()]
"""A flag that a prompt lists last: `prone: Flag = False`."""
Heard = Annotated[bool, flag_arg(field=BY_ITS_NAME)]
"""A flag that a prompt adds by a letter of its name."""


def anywhere_choice_arg(
    *words: str,
    alike: Mapping[str, str] = {},
    field: Field = ANY_MORE,
    joins: Callable[[str, str], str] | None = None,
) -> Argument:
    """Declare one of some words, anywhere in the command: `cover|three-quarters-cover`.

    `alike` are synonyms: word -> the word that it means. `joins` chooses between two of them.
    """
    return Argument(
        lambda r: alike.get(r.word, r.word),
        "|".join(words),
        keywords=(*words, *alike),
        alike=alike,
        joins=joins,
        field=field,
    )


def any_of(*words: str, alike: Mapping[str, str] = {}, field: Field = ANY_MORE) -> Argument:
    """Declare any number of some words, wherever they are; each counts once. `alike` are synonyms:
    word -> its meaning.
    """
    return Argument(
        lambda r: (alike.get(r.word, r.word),),
        " ".join(f"[{word}]" for word in words)[1:-1],
        keywords=(*words, *alike),
        alike=alike,
        joins=lambda earlier, now: tuple(dict.fromkeys((*earlier, *now))),
        field=field,
    )


def keyword_arg(
    keyword: str,
    inner: Argument,
    joins: Callable[[Any, Any], Any] | None = None,
    field: Field = ANY_MORE,
    *,
    alike: Sequence[str] = (),
    may_be_empty: Any = None,
) -> Argument:
    """Declare a keyword with an argument after it: `keyword_arg("dc", number_arg("the DC"))`.

    Args:
        alike: synonyms of the keyword.
        joins: merges two values if the keyword comes twice, such as `operator.add`.
        may_be_empty: the value if the keyword is alone; None if it can't be.
    """

    def read(reading: ParseState) -> Any:
        if may_be_empty is not None and not inner.stands(reading):
            return may_be_empty
        return inner.read(reading)

    rest = f"[{inner.usage}]" if may_be_empty is not None else inner.usage
    return Argument(
        read,
        f"{keyword} {rest}",
        keywords=(keyword, *alike),
        alike=alike,
        joins=joins,
        field=field,
    )


def half_damage_arg(how: str = "half") -> Argument:
    """Declare which of the `targets` take half, as ids; a single one needs no name.

    `how` is the keyword, where they take something else: `double`.
    """
    return Argument(
        lambda r: tuple(clauses.read_half(r.words, r.values["targets"], r.stops, how)),
        f"{how} [NAME[,NAME]]",
        keywords=(how,),
        joins=lambda earlier, now: tuple(dict.fromkeys((*earlier, *now))),
        field=ASKED_ELSEWHERE,
    )


# -- of other structs ------------------------------------------------------------------------------


def keyword_args(
    parts: type[Struct],
    usage: str = "",
    is_asked: bool = True,
    offered: Callable[[ParseState], bool] = lambda reading: True,
) -> Argument:
    """Declare the arguments of a struct of keywords, in any order among the others.

    `usage` is written in their place if there are too many to list: `WORDS`. Unless `is_asked`,
    prompts list them after everything else that they ask. Those that aren't `offered` are read, but
    not listed.
    """
    field = Field(GROUP) if is_asked else ANY_MORE
    return Argument(lambda r: None, usage, parts=parts, field=field, offered=offered)


def struct_arg(args_type: type[Struct], field: Field = ANY_MORE) -> Argument:
    """Declare a struct as one argument: `keyword_arg("at", struct_arg(AttackArgs))`."""
    return Argument(
        lambda r: read_within(args_type, r),
        arguments_usage(args_type),
        lambda r: stands_first(args_type, r),
        field=field,
    )


def variant_arg(
    choose: Callable[[ParseState], type[Struct]],
    *variants: type[Struct],
    usage: str = "",
    field: Field = ANY_MORE,
) -> Argument:
    """Declare one of several structs as an argument.

    `choose` picks it by the values read before, or by reading a word.
    """
    return Argument(
        lambda r: read_within(choose(r), r),
        usage or " | ".join(arguments_usage(each) for each in variants),
        field=field,
    )


def repeated_arg(
    args_type: type[Struct], usage: str, to_the_end: bool = True, field: Field = ANY_MORE
) -> Argument:
    """Declare a struct that may come several times: a list of it.

    `usage` is that of the whole list: `NAME DIE [NAME DIE ...]`. With `to_the_end` all remaining
    words must belong to it; else it ends at the first word that can't begin one.
    """

    def read(reading: ParseState) -> list[Any]:
        found = [read_within(args_type, reading)]
        while stands(reading):
            found.append(read_within(args_type, reading))
        return found

    def stands(reading: ParseState) -> bool:
        return stands_first(args_type, reading) or (to_the_end and not reading.words.done)

    return Argument(read, usage, stands, field=field)


def each_arg(of: str, inner: Argument) -> Argument:
    """Declare an argument that is read once for each element of the field `of`.

    The same words are read each time, and may give other values: `2d6` is rolled for each.
    """
    return Argument(
        lambda r: r.words.for_each(r.values[of], lambda _, each: inner.read(r)),
        inner.usage,
        inner.stands,
        field=inner.field,
    )


def subcommand_arg(what: str, args_types: Mapping[str, type[Struct]]) -> Argument:
    """Declare one of some words, each with its own struct after it; the value is the struct.

    `{"find": FindArgs, "keep": KeepArgs}` is `find [N] | keep old|new`. Each word has a type of its
    own, so that the type tells which was said.
    """

    def read(reading: ParseState) -> Struct:
        word = reading.words.choice(what, args_types)
        return read_last(args_types[word], reading)

    usages = (f"{word} {arguments_usage(each)}".strip() for word, each in args_types.items())
    inner_fields = [
        replace(field, only_if=word)
        for word, each in args_types.items()
        for field in fields_of(each)
        if field != ANY_MORE
    ]
    choice = Field("choice", tuple(args_types))
    return Argument(read, " | ".join(usages), field=group(choice, *inner_fields))
