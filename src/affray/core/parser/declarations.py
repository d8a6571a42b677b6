"""A command's arguments, declared once: they give the parser, the usage, completion and the prompt.

A struct has what a command says. Each field is an argument, and its annotation names the kind (the
kinds are in `core.parser.arguments`):

    class DamageArgs(Struct, frozen=True):
        targets: Annotated[list[Combatant], arguments.combatants_arg("who is damaged")]
        amount: Annotated[int, arguments.amount_arg("damage")]
        type: Annotated[str, arguments.damage_type_arg(damage_types)] = ""
        half: Annotated[tuple[str, ...], arguments.half_damage_arg()] = ()

    declare_command("damage", "deals damage", DamageArgs, _damage)

That is the command `damage NAME[,NAME] AMOUNT [TYPE] [half [NAME[,NAME]]]`; `_damage` gets the
context and a `DamageArgs`.

A field with a default may be left out. Arguments come in the order of the fields. Only those that
begin with a keyword, such as `half` or `plus 2`, come in any order, anywhere after the first
argument that can't be left out. A field without an argument keeps its default.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, partial
from inspect import get_annotations, getsourcefile, getsourcelines
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from msgspec import NODEFAULT, Struct
from msgspec.structs import replace

from affray.core.dice import DieInput, Forced
from affray.core.engine.state import Combatant, Encounter
from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import (
    ALLIES,
    ANY_MORE,
    ANYONE,
    BY_ITS_NAME,
    COMPANION,
    HEARD,
    OWN,
    SEVERAL,
    TEXT,
    WAITING,
    WHAT_IT_DOES,
    WORD,
    Field,
    FieldsRow,
    fields_of_row,
    group,
    names_somebody,
    ungrouped,
)
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import AvailableAction, Command, Context, Ruleset
from affray.core.rules.tables import PromptRow, Tables

Said = TypeVar("Said", bound=Struct)

_IN_BRACKETS = late_pattern(r"\[[^\[\]]*\]")


class NoArgs(Struct, frozen=True):
    """The arguments of a command without any."""


class ParseState:
    """A command while affray reads it.

    values  the values read so far, by field
    parts   the same for each struct whose arguments are among the others (`keyword_args`)
    stops   the keywords that may come next, which end a free text
    word    the keyword of the argument being read; empty without one
    outer   the command that contains this one; None for a whole one
    """

    def __init__(
        self,
        ctx: Context,
        tokens: TokenStream,
        stops: tuple[str, ...] = (),
        parts: Iterable[str] = (),
        outer: ParseState | None = None,
    ) -> None:
        self.ctx = ctx
        self.words = tokens
        self.stops = stops
        self.outer = outer
        self.values: dict[str, Any] = {}
        self.parts: dict[str, dict[str, Any]] = {name: {} for name in parts}
        self.word = ""

    def said_with(self, place: _Place) -> dict[str, Any]:
        """Return the values read so far of the struct to which an argument belongs."""
        return self.parts[place.part] if place.part else self.values

    def value_of(self, name: str) -> Any:
        """Return a field's value, from this part of the command or an outer one; None for none."""
        if name in self.values or self.outer is None:
            return self.values.get(name)
        return self.outer.value_of(name)

    @property
    def is_over(self) -> bool:
        """True at the end of the words, or before a keyword."""
        tokens = self.words
        return tokens.done or (tokens.peek() in self.stops and not tokens.upcoming.quoted)


class _Asked(Struct, frozen=True, kw_only=True):
    """The metadata that each argument must have.

    field  what a prompt or a form asks for: `ANY_MORE` is one of the words that it lists after all
           others
    """

    field: Field


class Argument(_Asked, frozen=True):
    """One argument of a command.

    read       reads it; raises Refused for anything else
    usage      its text in usages: `NAME[,NAME]`, `dc N`
    stands     True if an optional argument comes next; at the end of the words it adds to
               completion what could follow
    default    the value of a missing argument, if it is optional; None if it is required
    keywords   the words that begin it, anywhere in the command; "" is the field's own name
    alike      synonyms of its words: `advantage` for `adv`
    joins      merges two values if it comes twice; None if that is refused
    begins     True if the keyword just read begins it, if that could mean something else
    offered    False to hide it from the words that may come next; it is read all the same
    requires   the field that it needs: no type of damage without an amount
    parts      a struct whose arguments are among the others, in place of an argument
    outcomes   the outcomes that it can call
    """

    read: Callable[[ParseState], Any]
    usage: str
    stands: Callable[[ParseState], bool] = lambda reading: not reading.is_over
    default: Callable[[ParseState], Any] | None = None
    keywords: tuple[str, ...] = ()
    alike: Collection[str] = ()
    joins: Callable[[Any, Any], Any] | None = None
    begins: Callable[[ParseState], bool] = lambda reading: True
    offered: Callable[[ParseState], bool] = lambda reading: True
    requires: str = ""
    parts: type[Struct] | None = None
    outcomes: Collection[str] = ()

    def __repr__(self) -> str:
        of_parts = self.parts.__name__ if self.parts is not None else ""
        return f"<Argument {self.usage or of_parts or ' '.join(self.keywords)}>"


class _Place(NamedTuple):
    """An argument of a struct, by its field.

    `part` is the field of the `parts` struct to which it belongs; empty for an argument of its own.
    """

    name: str
    argument: Argument
    optional: bool
    part: str = ""


class _Plan(NamedTuple):
    """The arguments of a struct.

    places     all arguments, in the order of the fields
    row        those without a keyword, in order
    scattered  those that begin with a keyword, by keyword
    parts      field -> the struct whose arguments are among the others
    keywords   the keys of `scattered`
    begun      the first words of keywords, which may be written apart: `three` `quarters` `cover`
    alike      the synonyms among the keywords
    needed     the number of arguments in `row` up to the first required one
    """

    places: tuple[_Place, ...]
    row: tuple[_Place, ...]
    scattered: dict[str, _Place]
    parts: dict[str, type[Struct]]
    keywords: tuple[str, ...]
    begun: frozenset[str]
    alike: frozenset[str]
    needed: int


@cache
def _plan(args_type: type[Struct]) -> _Plan:
    hints = [get_annotations(each, eval_str=True) for each in reversed(args_type.__mro__)]
    kinds = {name: hint for row in hints for name, hint in row.items()}
    fields, defaults = args_type.__struct_fields__, args_type.__struct_defaults__
    optional = dict(zip(reversed(fields), reversed(defaults), strict=False))
    places: list[_Place] = []
    parts: dict[str, type[Struct]] = {}
    for name in fields:
        for found in getattr(kinds[name], "__metadata__", ()):
            if isinstance(found, Argument):
                may_lack = optional.get(name, NODEFAULT) is not NODEFAULT
                if found.field == BY_ITS_NAME:
                    found = replace(found, field=Field("said", (name.replace("_", "-"),)))
                places.append(_Place(name, found, may_lack))
                parts |= {name: found.parts} if found.parts is not None else {}
    scattered: dict[str, _Place] = {}
    for place in places:
        if place.argument.keywords and not place.optional:
            what = f"{_place_of_field(args_type, place.name)}{args_type.__qualname__}.{place.name}"
            raise Refused(f"{what} stands behind a keyword, so it may be left out: give a default")
        scattered |= _keywords(place)
    row = tuple(p for p in places if not p.argument.keywords and p.argument.parts is None)
    begun = frozenset(part for word in scattered for part in (word, word.partition("-")[0]))
    alike = frozenset[str]().union(*(place.argument.alike for place in scattered.values()))
    needed = next((i + 1 for i, place in enumerate(row) if not place.optional), 0)
    return _Plan(tuple(places), row, scattered, parts, tuple(scattered), begun, alike, needed)


def _place_of_field(struct: type[Struct], name: str) -> str:
    """Return where a struct has a field: `attacks.py, line 12: `; empty if no file tells."""
    try:
        lines, first = getsourcelines(struct)
        file = Path(getsourcefile(struct) or "").name
    except (OSError, TypeError):
        return ""
    begins = (at for at, line in enumerate(lines, first) if line.split(":")[0].strip() == name)
    return f"{file}, line {next(begins, first)}: "


def _keywords(place: _Place) -> dict[str, _Place]:
    """The keywords that begin an argument, or the arguments of its `parts`."""
    if place.argument.parts is not None:
        inner = _plan(place.argument.parts).scattered
        return {word: p._replace(part=place.name) for word, p in inner.items()}
    own = place.name.replace("_", "-")
    return {word or own: place for word in place.argument.keywords}


# -- reading ---------------------------------------------------------------------------------------


def parse_arguments(
    args_type: type[Said],
    ctx: Context,
    tokens: TokenStream,
    stops: tuple[str, ...] = (),
    **preset: Any,
) -> Said:
    """Read the arguments, up to the first word that belongs to none.

    Args:
        stops: words that may follow them, and so are no misspelt keywords.
        preset: values of the first fields, which it then doesn't read.

    Raises:
        Refused: for an argument that is wrong or missing.
    """
    found = args_type(**_read_values(args_type, ctx, tokens, stops, preset))
    if not tokens.done:  # what is left over may be a slip of a keyword
        tokens.offered += keywords(args_type)
    return found if ctx.forced is None else force(found, ctx.forced)


def force(args: Said, forced: Forced) -> Said:
    """Return the arguments with their dice replaced, in the order of the fields, by forced ones.

    If there are fewer of these, the other dice stay as given. Raises Refused if an argument has
    several dice and not all of them are forced.
    """
    dice = deque(forced.dice)

    def of_value(value: Any) -> Any:
        if isinstance(value, DieInput):
            return dice.popleft() if dice else value
        if isinstance(value, list):
            several = sum(isinstance(each, DieInput) for each in value)
            if several > 1 and (forced.faces or several > len(dice)):
                raise Refused("several rolls were made at once")
            return [of_value(each) for each in value]
        return of_struct(value) if isinstance(value, Struct) else value

    def of_struct(struct: Struct) -> Struct:
        values = [getattr(struct, name) for name in struct.__struct_fields__]
        forced_values = [of_value(value) for value in values]
        changed = zip(struct.__struct_fields__, values, forced_values, strict=True)
        other = {name: now for name, was, now in changed if now is not was and now != was}
        return replace(struct, **other) if other else struct

    return cast("Said", of_struct(args))


def read_within(args_type: type[Said], outer: ParseState, **preset: Any) -> Said:
    """Read a struct as a part of a command; `preset` is that of `parse_arguments`."""
    return args_type(**format_arguments(args_type, outer, preset))


def read_last(args_type: type[Said], outer: ParseState) -> Said:
    """Read a struct with which a command ends; a word left over may be a misspelt keyword."""
    found = read_within(args_type, outer)
    if not outer.words.done:
        outer.words.offered += keywords(args_type)
    return found


def format_arguments(
    args_type: type[Struct], outer: ParseState, preset: Mapping[str, Any] = {}
) -> dict[str, Any]:
    """Read a struct's values, by the names that its fields have in files."""
    written = dict(
        zip(args_type.__struct_fields__, args_type.__struct_encode_fields__, strict=True)
    )
    values = _read_values(args_type, outer.ctx, outer.words, outer.stops, preset, outer)
    return {written[name]: value for name, value in values.items()}


def _read_values(
    args_type: type[Struct],
    ctx: Context,
    tokens: TokenStream,
    stops: tuple[str, ...],
    preset: Mapping[str, Any] = {},
    outer: ParseState | None = None,
) -> dict[str, Any]:
    plan = _plan(args_type)
    reading = ParseState(ctx, tokens, plan.keywords + stops, plan.parts, outer)
    reading.values.update(preset)
    offset = sum(place.name in preset for place in plan.row)  # of those read or passed over
    has_keyword = False
    while True:
        if offset >= plan.needed and _reads_keyword(plan, reading):
            has_keyword = True
            continue
        index = _next_in_row(plan.row, offset, reading)
        if index is None:
            break
        _read_argument(reading, plan.row[index])
        offset = index + 1
    if tokens.goes_on and tokens.done:
        hidden = {place.name for place in plan.places if not place.argument.offered(reading)}
        tokens.offered += [
            word
            for word, place in plan.scattered.items()
            if not {place.name, place.part} & hidden
            and place.argument.offered(reading)
            and (not has_keyword or _may_be_said(place, reading))
        ]
        tokens.alike |= plan.alike
    for name, part in plan.parts.items():
        reading.values[name] = part(**reading.parts[name])
    return reading.values


def _may_be_said(place: _Place, reading: ParseState) -> bool:
    """True for an argument that hasn't come yet, or that may come again and adds to the first."""
    earlier = reading.said_with(place).get(place.name)
    return earlier is None or (place.argument.joins is not None and earlier is not True)


def stands_first(args_type: type[Struct], outer: ParseState) -> bool:
    """True if a struct's first argument is next; if it has only keywords, any of these."""
    plan = _plan(args_type)
    reading = ParseState(outer.ctx, outer.words, plan.keywords + outer.stops, outer=outer)
    if plan.row:
        return plan.row[0].argument.stands(reading)
    at = outer.words.at
    keyword = outer.words.take(*plan.keywords)
    outer.words.at = at
    return bool(keyword)


def _reads_keyword(plan: _Plan, reading: ParseState) -> bool:
    """Read a keyword's argument, if one is next."""
    tokens = reading.words
    if tokens.peek() not in plan.begun:
        tokens.pass_over(lambda: plan.keywords)
        return False
    word = tokens.take(*plan.keywords)
    if not word:
        return False
    place, reading.word = plan.scattered[word], word
    if not place.argument.begins(reading):
        tokens.back()
        return False
    if place.argument.joins is None and place.name in reading.said_with(place):
        tokens.back()
        raise tokens.refuse(f"{word} is given twice")
    _read_argument(reading, place)
    reading.word = ""
    return True


def outcomes_in(args_type: type[Struct]) -> list[str]:
    """Return the outcomes of rolls that a command's arguments can call."""
    return [word for place in _plan(args_type).places for word in place.argument.outcomes]


def keywords(args_type: type[Struct]) -> tuple[str, ...]:
    """Return the keywords of a struct's arguments."""
    return _plan(args_type).keywords


def term_usages(args_type: type[Struct], under: str = "") -> dict[str, str]:
    """Return the words of the structs of keywords among the arguments (`keyword_args`), each with
    its usage: `plus` -> `plus N`. `under` names those that usages have as one word: `WORDS`."""
    plan = _plan(args_type)
    usage_of = {place.name: place.argument.usage for place in plan.places}
    return {
        word: place.argument.usage or place.name.replace("_", "-")
        for word, place in plan.scattered.items()
        if place.part and usage_of[place.part] in (under or usage_of[place.part],)
    }


def _read_argument(reading: ParseState, place: _Place) -> None:
    """Read an argument and keep its value, unless it is optional and read no word."""
    argument, at = place.argument, reading.words.at
    if reading.words.done and argument.field != ANY_MORE:
        for first in ungrouped(argument.field)[:1]:
            if not (reading.word and first.kind == "until"):  # whose answers begin with the keyword
                reading.words.want(first)
    value = None
    if argument.default is not None and not argument.stands(reading):
        value = argument.default(reading)
    if value is None:
        value = argument.read(reading)
    reading.words.wanted = None
    if place.optional and not reading.word and reading.words.at == at:
        return
    values = reading.said_with(place)
    if argument.joins is not None and place.name in values:
        value = argument.joins(values[place.name], value)
    values[place.name] = value


def _next_in_row(row: tuple[_Place, ...], offset: int, reading: ParseState) -> int | None:
    """The index of the next argument to read, from `offset` on; None if none fits."""
    for index in range(offset, len(row)):
        place = row[index]
        argument = place.argument
        if argument.requires and argument.requires not in reading.values:
            continue
        if place.optional and reading.words.done and not argument.offered(reading):
            first = ungrouped(argument.field)[:1]  # a command may have it all the same
            reading.words.besides += [replace(each, optional=True) for each in first]
            continue
        offered = reading.words.has_offered
        if not place.optional or argument.stands(reading):
            return index
        if reading.words.done and reading.words.has_offered == offered:
            typed = Field(TEXT, (argument.usage.strip('"').lower(),))
            field = typed if argument.field == ANY_MORE else argument.field
            reading.words.besides += ungrouped(field)[:1]
    return None


# -- what else the declaration says ----------------------------------------------------------------


@cache
def command_usage(name: str, args_type: type[Struct], acts: bool) -> str:
    """Return the usage of a whole command; `acts` says that it may be given `by NAME`."""
    return f"{name} {arguments_usage(args_type)}".strip() + (" [by NAME]" if acts else "")


def arguments_usage(args_type: type[Struct]) -> str:
    """Return the usage of a struct: `NAME[,NAME] AMOUNT [TYPE] [half NAME]`."""
    plan = _plan(args_type)
    pieces: list[tuple[set[str], str]] = []  # each with the names of the fields in it
    scattered = [place for place in plan.places if place not in plan.row]
    for place in (*plan.row, *scattered):
        usage = _usage(place)
        if pieces and pieces[-1][1].endswith("]") and place.argument.requires in pieces[-1][0]:
            pieces[-1] = ({*pieces[-1][0], place.name}, f"{pieces[-1][1][:-1]} {usage}]")
        elif usage:
            pieces.append(({place.name}, usage))
    return " ".join(usage for _, usage in pieces)


def _usage(place: _Place) -> str:
    argument = place.argument
    usage = argument.usage or ("" if argument.parts else place.name.replace("_", "-"))
    if argument.parts is not None and not usage:
        return arguments_usage(argument.parts)
    may_lack = place.optional or argument.parts is not None
    return f"[{usage}]" if may_lack and not _is_in_brackets(usage) else usage


def _is_in_brackets(usage: str) -> bool:
    """True if all of a usage is in brackets already: `[sheltered N] [with NAME[,NAME]]`."""
    inner = ""
    while usage != inner:
        inner, usage = usage, _IN_BRACKETS.sub("", usage)
    return not usage.strip()


def declare_command(
    name: str,
    does: str,
    args_type: type[Said],
    run: Callable[[Context, Said], None],
    acts: bool = False,
) -> Command:
    """Make a command whose arguments a struct declares; `run` is given one.

    All words have been read when `run` is called, and none is left over.
    """

    def run_words(ctx: Context, tokens: TokenStream) -> None:
        what = parse_arguments(args_type, ctx, tokens)
        tokens.finish()
        run(ctx, what)

    usage = partial(command_usage, name, args_type, acts)
    return Command(name, usage, does, run_words, acts, args_type)


# -- the fields of prompts and forms ---------------------------------------------------------------

_KNOWS_ITSELF = (*HEARD, "damage")
"""The kinds that the prompt itself decides whether to skip."""


@cache
def declared_fields(args_type: type[Struct]) -> dict[str, Field]:
    """Return the prompt fields of a struct's arguments by name, in their order.

    A group's named parts are under their own names. Arguments without a field of their own are
    among the words at the end, `ANY_MORE`.
    """
    fields: dict[str, Field] = {}
    for place in _plan(args_type).places:
        argument, name = place.argument, place.name.replace("_", "-")
        if argument.field == ANY_MORE:
            fields[ANY_MORE.kind] = ANY_MORE
        elif argument.parts is not None:
            fields |= declared_fields(argument.parts)
        else:
            field = _with_optional(argument.field, place.optional)
            if all(part.name for part in field.parts):
                fields |= {part.name: part for part in field.parts or (replace(field, name=name),)}
            else:
                fields[name] = field
    more = fields.pop(ANY_MORE.kind, None)
    return fields if more is None else {**fields, more.kind: more}


def _with_optional(field: Field, optional: bool) -> Field:
    """Set `optional` of a field and its parts where their declaration leaves it open."""
    parts = tuple(_with_optional(part, optional) for part in field.parts)
    if field.optional is None:
        optional = optional and field.kind not in _KNOWS_ITSELF
        return replace(field, optional=optional, parts=parts)
    return replace(field, parts=parts)


def fields_of(args_type: type[Struct]) -> tuple[Field, ...]:
    """Return the fields that a prompt or a form asks for, in the order of the arguments."""
    return fields_of_row(FieldsRow(), declared_fields(args_type))


def fields_behind(keyword: str, args_type: type[Struct], among: tuple[str, ...] = ()) -> Field:
    """Group a struct's fields: the first follows a keyword, and all may be left out together.

    `among` names those who are offered first.
    """
    first, *rest = (
        each for each in fields_of(args_type) if each.kind not in ("weapon", ANY_MORE.kind)
    )
    first = replace(first, options=among, before=keyword, optional=True, asked=True)
    return group(first, *(replace(each, only_if=each.only_if or keyword) for each in rest))


class PromptSpec(Struct, frozen=True):
    """A command with the fields that its prompt asks for.

    acts       True if it may be given `by NAME`
    technique  the id of the technique that it begins; empty for none
    own        the actor's own option that it uses, such as a power; empty for none
    targets    those it offers first: foes, allies or anyone
    rule       the row with the time at which its key matters, and with what follows it
    """

    id: str
    label: str
    command: str
    fields: tuple[Field, ...] = ()
    acts: bool = False
    technique: str = ""
    own: str = ""
    targets: str = "foes"
    rule: PromptRow = PromptRow()

    @property
    def asks_own(self) -> bool:
        """True if it asks for an option of the actor's own."""
        return any(field.kind == OWN for field in self.fields)

    @property
    def is_by_what_is_picked(self) -> bool:
        """True if the price and the turns in which it may be used depend on the power, spell, song
        or maneuver that the prompt asks for."""
        named = (f.kind == TEXT and self.technique in f.options for f in self.fields)
        return any(field.kind in WHAT_IT_DOES for field in self.fields) or any(named)


def fields_of_command(command: str, commands: Mapping[str, Command]) -> Mapping[str, Field]:
    """Return the prompt fields of a command by name; none for an unknown one.

    `command` may have a subcommand: `react retaliate`.
    """
    word, _, subcommand = command.partition(" ")
    found = commands.get(word)
    if found is None:
        return {}
    args_type = found.subcommands.get(subcommand) if subcommand else found.args_type
    own = {} if subcommand else found.fields
    return declared_fields(args_type) if args_type is not None else own


def names_of_amounts(ruleset: Ruleset, tables: Tables) -> list[str]:
    """Return a game's own kinds of fields: its amounts, tracks and kinds of effects."""
    kinds = dict.fromkeys(row.kind for row in tables.effects.values())
    return [*ruleset.schema.amounts, *tables.tracks, *kinds]


def spec_of_technique(
    key: str, ruleset: Ruleset, commands: Mapping[str, Command], rule: PromptRow | None = None
) -> PromptSpec:
    """Make the prompt of a technique; `rule` is its row among the prompts, if it has one."""
    technique, rule = ruleset.tables.techniques[key], rule or PromptRow()
    command = technique.command or key
    row = rule if rule.says_something else technique
    declared = fields_of_command(command, commands)
    fields = fields_of_row(row, declared, names_of_amounts(ruleset, ruleset.tables))
    name = technique.name or key
    return PromptSpec(
        f"technique.{key}", name, command, fields, True, key, targets=technique.targets, rule=rule
    )


def spec_of_own(spec: PromptSpec, option: AvailableAction) -> PromptSpec:
    """Make the prompt that asks for one of the actor's own, with this one picked."""
    picked = Field(WORD, (f'"{option.name}"',))
    fields = tuple(picked if field.kind == OWN else field for field in spec.fields)
    return replace(spec, label=option.name, fields=fields, own=option.name)


def at_allies(field: Field, spec: PromptSpec) -> Field:
    """Return the field of a technique for allies, which offers these first. Where the technique has
    a field for the ally besides, its target is the foe."""
    if not spec.technique or spec.targets != "allies":
        return field
    if field.kind == "target" and not any(each.kind == "ally" for each in spec.fields):
        return replace(field, kind="ally")
    return replace(field, options=(*field.options, ALLIES)) if field.kind == SEVERAL else field


def leaves_out_actor(field: Field, spec: PromptSpec) -> bool:
    """True if a prompt's field may name neither the actor nor the dead."""
    at_others = field.kind in ("target", SEVERAL) or (field.kind == "ally" and not field.optional)
    acts = bool(spec.technique) or spec.acts
    return field.others or (acts and at_others and ANYONE not in field.options)


def is_true_of(
    ruleset: Ruleset, state: Encounter, actor: str, combatant: Combatant, what: str
) -> bool:
    """True if somebody is what a field's option says.

    That is the actor's companion, or somebody who has delayed (`waiting`), or has a life or an
    effect called so.
    """
    if what == COMPANION:
        return bool(actor) and ruleset.companions.owner_of(combatant) == actor
    slot = state.slot(combatant.id)
    if slot is not None and what == WAITING:
        return slot.held
    return combatant.life == what or any(what in (e.name, e.kind) for e in combatant.effects)


def spec_of_prompt(
    key: str, rule: PromptRow, ruleset: Ruleset, commands: Mapping[str, Command]
) -> PromptSpec:
    """Make the prompt of a command that has a key of its own.

    The combatant under the cursor acts only if the prompt asks for nobody, or for something of the
    actor's: an item of the sheet, or a companion.
    """
    declared = fields_of_command(rule.command, commands)
    fields = fields_of_row(rule, declared, names_of_amounts(ruleset, ruleset.tables))
    is_own = any(field.kind == OWN or COMPANION in field.options for field in fields)
    command = commands.get(rule.command.partition(" ")[0])
    acts = command is not None and command.acts and (is_own or not any(map(names_somebody, fields)))
    return PromptSpec(key, rule.label or rule.command, rule.command, fields, acts, rule=rule)
