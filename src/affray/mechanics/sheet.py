"""A combatant's sheet as `add` reads it: the fields of a game's sheet, and how to read them back.

A game declares its fields once, in groups; parser, usage, completion and forms come from them:

    FIELDS = (hp_field(), number_fields("ac", "speed", low=0), flag_fields("elite"))
    sheet = parse_sheet(ctx, tokens, FIELDS)       # of what `add` says

Attacks are structs whose fields are declared arguments (`core.parser.declarations`). The log keeps
the typed words, and `stat_rows` makes structs of them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from typing import Annotated, Any, ClassVar, TypeVar

from msgspec import Struct, ValidationError, convert, json
from msgspec.structs import replace

from affray.core.commands.join_terms import TERMS
from affray.core.dice import DiceError, parse_dice, roll
from affray.core.engine.events import Rolled
from affray.core.engine.reminders import MOMENTS
from affray.core.engine.state import Combatant, Encounter, Track
from affray.core.formatting.effects import words_of_part
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.parser import arguments
from affray.core.parser.arguments import Choices
from affray.core.parser.clauses import BEHIND_NUMBERS, read_kinds
from affray.core.parser.declarations import (
    Argument,
    ParseState,
    arguments_usage,
    format_arguments,
    keywords,
)
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ANY_MORE
from affray.core.parser.tokens import Token, TokenStream, join_tokens
from affray.core.rules.ruleset import Context, SheetField, SheetRules, applies_to_kind
from affray.core.rules.tables import PROPOSED, USUAL_TABLES, Tables

MOST = 99_999


class TrackInput(Struct, frozen=True):
    """A track as typed: `44`, or `12/44` for 12 of 44; `now` is None if not given."""

    now: int | None
    max: int

    @property
    def left(self) -> Track:
        """The full track, unless the input says less."""
        return Track(self.max if self.now is None else self.now, self.max)

    @property
    def marked(self) -> Track:
        """A track without marks, unless the sheet gives some."""
        return Track(self.now or 0, self.max)


class Sheet(Struct, frozen=True):
    """A combatant's sheet: stats as in the log, and tracks. `health` is the track that everybody
    but hazards must have; empty if sheets have none."""

    stats: dict[str, Any]
    tracks: dict[str, TrackInput]
    health: str = ""


class SheetFieldGroup(Struct, frozen=True):
    """Fields of a sheet that are read in the same way.

    Attributes:
        names: The words that begin each field.
        reads: Reads the value after the word; called with the word's name.
        keeps: Puts the value into the sheet.
        each: The usage of one field, `{}` for its name.
        usage: The usage of all of them, if that isn't each in turn; empty to leave them out.
        again: True if a field may be given more than once.
        row_type: The struct that declares the value, if there is one.
        expects: The value in words for a form, `{}` for the name; empty for the usage.
        of: The kind whose forms and usages show it: `pc`, `monster` for all others; empty for all.
            Every kind may have it.
    """

    names: tuple[str, ...]
    reads: Callable[[ParseState, str], Any]
    keeps: Callable[[Sheet, str, Any], None]
    each: str
    usage: str | None = None
    again: bool = False
    row_type: type[Struct] | None = None
    expects: str = ""
    of: str = ""

    @property
    def parts(self) -> list[str]:
        """The usage of the fields, part by part."""
        if self.usage is None:
            return [self.each.format(name) for name in self.names]
        return [self.usage] if self.usage else []


def parse_sheet(
    ctx: Context,
    tokens: TokenStream,
    rows: Sequence[SheetFieldGroup],
    alike: Mapping[str, str] = {},
) -> Sheet:
    """Read a sheet. `alike` are other words for the fields: short -> long.

    Raises Refused for a word that is no field, and for a field said twice.
    """
    health = ctx.tables.health
    sheet = Sheet({}, {}, health if any(health in row.names for row in rows) else "")
    for row, name, value, _ in parse_fields(ctx, tokens, rows, alike):
        row.keeps(sheet, name, value)
    return sheet


def sheet_arg(rows: Sequence[SheetFieldGroup]) -> Argument:
    """Declare one or more numbers or words of a sheet, out of those `rows`:
    `armor mail medium ac 3`."""
    names = [name for row in rows for name in row.names]

    def read(reading: ParseState) -> Sheet:
        sheet = parse_sheet(reading.ctx, reading.words, rows)
        if not (sheet.stats or sheet.tracks):
            raise reading.words.refuse(f"expected {join_or(names)}")
        return sheet

    return Argument(read, f"{'|'.join(names)} ...", field=ANY_MORE)


def parse_fields(
    ctx: Context, tokens: TokenStream, rows: Sequence[SheetFieldGroup], alike: Mapping[str, str]
) -> Iterator[tuple[SheetFieldGroup, str, Any, int]]:
    """Yield each field as it is read: its row, name and value, and the index of its first word.

    Raises Refused for a word that is no field, and for a field said twice.
    """
    by_name = {name: row for row in (*rows, _PROPOSED) for name in row.names}
    words = (*by_name, *alike)
    reading = ParseState(ctx, tokens, (*words, *BEHIND_NUMBERS))
    given: set[str] = set()
    more: tuple[str, ...] = ()
    field, game = "", ctx.ruleset.name
    while not tokens.done and tokens.peek() not in BEHIND_NUMBERS:
        if tokens.upcoming.field:
            field = str(tokens.upcoming)
        tokens.pass_over(lambda: TERMS)  # they are taken before, but for a slip of one
        try:
            word = tokens.take_field(by_name) or tokens.choice(
                f"one of its numbers in {game}", (*words, *more)
            )
            name = alike.get(word, word)
            if name not in by_name:
                tokens.back()
                raise tokens.refuse(f"{word} belongs to an attack, right after its name")
            row = by_name[name]
            if name in given and not row.again:
                raise tokens.refuse(f"{name} is given twice")
            given.add(name)
            begins = tokens.at
            with tokens.within_field():
                value = _value_behind(word, row, reading, name)
        except Refused as refusal:
            refusal.field = field
            raise
        yield row, name, value, begins
        more = (
            keywords(row.row_type) if row.row_type is not None else ()
        )  # a slip of one may follow
    tokens.offered += [name for name in words if alike.get(name, name) not in given]


def _value_behind(word: str, row: SheetFieldGroup, reading: ParseState, name: str) -> Any:
    """Read the value of a field. If no words follow it, the refusal names the field."""
    tokens = reading.words
    ended = tokens.done
    try:
        return row.reads(reading, name)
    except Refused as refusal:
        if not ended or refusal.bare.endswith(f" after {word}"):
            raise
        wanted = refusal.bare.removesuffix(f" {word}")
        wanted = f"{wanted} a number" if wanted == "expected" else refusal.bare
        raise tokens.refuse(f"{wanted} after `{word}`", refusal.candidates) from None


def sheet_tokens(rows: Iterable[SheetFieldGroup], kind: str) -> list[str]:
    """The words of `add` after the name of one of a kind, as usages have them."""
    return [part for row in rows if applies_to_kind(row.of, kind) for part in row.parts]


def only_for_kind(kind: str, *rows: SheetFieldGroup) -> tuple[SheetFieldGroup, ...]:
    """Rows that are of one kind's sheets alone, as `applies_to_kind` has it."""
    return tuple(replace(row, of=kind) for row in rows)


class FieldSheet(SheetRules, extends=True):
    """The sheet of a game that declares its fields: a game writes `groups` and `complete`.

    aliases  other words for the same field: short -> long
    """

    aliases: ClassVar[Mapping[str, str]] = {}

    def groups(self, tables: Tables) -> Sequence[SheetFieldGroup]:
        """List the fields that a sheet may say, in the order in which usages have them."""
        return ()

    def fields(self, tables: Tables) -> list[SheetField]:
        return [*_fields_of(self, tables)]

    def complete(
        self, ctx: Context, kind: str, sheet: Sheet
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        """Return the stats and tracks of a combatant of that kind with that sheet. Raises Refused
        for impossible ones."""
        return sheet.stats, {name: given.left for name, given in sheet.tracks.items()}

    def why_incomplete(self, kind: str, sheet: Sheet) -> str:
        """Say what a sheet of that kind lacks, or can't have; empty for nothing."""
        lacks = sheet.health and kind != "hazard" and sheet.health not in sheet.tracks
        return f"expected `{sheet.health}` and a number" if lacks else ""

    def create(
        self, ctx: Context, tokens: TokenStream, kind: str
    ) -> tuple[dict[str, Any], dict[str, Track]]:
        sheet = parse_sheet(ctx, tokens, self.all_groups(ctx.tables), self.aliases)
        if reason := self.why_incomplete(kind, sheet):
            raise tokens.refuse(reason)
        counters = _counters(ctx.tables, sheet)
        stats, tracks = self.complete(ctx, kind, sheet)
        return stats, tracks | counters

    def all_groups(self, tables: Tables) -> Sequence[SheetFieldGroup]:
        """The game's fields, and the campaign's own counters."""
        counters = (track_fields(*tables.counters),) if tables.counters else ()
        return (*self.groups(tables), *counters)

    def usage(self, tables: Tables, kind: str) -> list[str]:
        return sheet_tokens(self.all_groups(tables), kind)

    def read_fields(self, ctx: Context, tokens: TokenStream) -> list[tuple[str, str]]:
        groups = self.all_groups(ctx.tables)
        return [
            (name, join_tokens(tokens.words[begins : tokens.at]))
            for _, name, _, begins in parse_fields(ctx, tokens, groups, self.aliases)
        ]


# -- the kinds of rows -----------------------------------------------------------------------------


def _as_stat(sheet: Sheet, name: str, value: Any) -> None:
    sheet.stats[name] = value


def _as_track(sheet: Sheet, name: str, value: TrackInput) -> None:
    sheet.tracks[name] = value


def _to_list(sheet: Sheet, name: str, value: list[Any]) -> None:
    sheet.stats.setdefault(name, []).extend(value)


def number_fields(
    *names: str, low: int = -99, high: int = 999, usage: str | None = None
) -> SheetFieldGroup:
    """Whole numbers within bounds: `ac 4`."""

    def reads(reading: ParseState, name: str) -> int:
        return reading.words.number(name, low, high)

    expects = f"a whole number from {low} to {high}"
    return SheetFieldGroup(names, reads, _as_stat, "{} N", usage, expects=expects)


def track_fields(*names: str, low: int = 0, usage: str | None = None) -> SheetFieldGroup:
    """Tracks with their maximum, which is `low` at least: `grit 18`, or `grit 12/18`."""

    def reads(reading: ParseState, name: str) -> TrackInput:
        return _track_of(reading, name, low, 0, "a whole number, or LEFT/MAX")

    expects = f"a whole number from {low}, or LEFT/MAX such as 12/18"
    return SheetFieldGroup(names, reads, _as_track, "{} N", usage, expects=expects)


def _track_of(reading: ParseState, name: str, low: int, left: int, takes: str) -> TrackInput:
    tokens = reading.words
    word = tokens.next(name)
    now, slash, top = word.partition("/")
    if not now.isdecimal() or (slash and not top.isdecimal()):
        tokens.back()
        raise tokens.refuse(f"expected {name} ({takes}), found {word!r}")
    given = TrackInput(int(now[:6]) if slash else None, int((top or now)[:6]))
    now_left = given.max if given.now is None else given.now
    if not (low <= given.max <= MOST and left <= now_left <= given.max):
        tokens.back()
        raise tokens.refuse(f"{name} {word} is out of range")
    return given


def hp_field(left: int = 0, name: str = USUAL_TABLES.health) -> SheetFieldGroup:
    """HP with their maximum: `18`, `12/18`; or dice, rolled for each: `3d8+4`. `left` is the least
    they may be, `name` another track for them.
    """

    def reads(reading: ParseState, name: str) -> TrackInput:
        word = reading.words.peek()
        if not reading.words.has_dice() or word.replace("/", "").isdecimal():
            return _track_of(reading, name, 1, left, "a whole number, LEFT/MAX, or dice")
        result = roll(parse_dice(reading.words.next(name)), reading.ctx.dice)
        total = max(result.total, 1)
        reading.ctx.rolls.append(Rolled("", result.dice, result.faces, total, for_=name))
        return TrackInput(None, total)

    expects = "a whole number, LEFT/MAX such as 12/18, or dice such as 3d8+4"
    return SheetFieldGroup((name,), reads, _as_track, "{} N", expects=expects)


def flag_fields(*names: str, usage: str | None = None) -> SheetFieldGroup:
    """Fields for words that are true if given: `important`."""
    return SheetFieldGroup(
        names, lambda reading, name: True, _as_stat, "[{}]", usage, expects="yes, or nothing"
    )


def length_fields(*names: str, usage: str | None = None) -> SheetFieldGroup:
    """Fields for ways of moving, with feet if given: `swim`, or `swim 40`."""

    def reads(reading: ParseState, name: str) -> int | bool:
        return reading.words.number(name, 1, 9_999) if reading.words.has_number() else True

    return SheetFieldGroup(
        names, reads, _as_stat, "[{} [N]]", usage, expects="yes, or how many feet"
    )


def list_fields(
    *names: str,
    what: str,
    fits: Callable[[str], bool] = lambda word: not word.isdecimal(),
    usual: Sequence[str] = (),
    usage: str | None = None,
) -> SheetFieldGroup:
    """Declare fields for words with commas between, which add up: `resist fire,cold`.

    Args:
        what: The expected words, for a refusal; `{}` is the field's name.
        fits: True for a word that can be one.
        usual: The usual words, for completion.
    """

    def reads(reading: ParseState, name: str) -> list[str]:
        return _words(reading, what.format(name), fits, usual)

    expects = f"{what.partition(' after ')[0]}: A,B"
    return SheetFieldGroup(names, reads, _to_list, "[{} A,B]", usage, again=True, expects=expects)


def kind_fields(
    *names: str,
    what: str = "damage type",
    list_kinds: Callable[[Context], Iterable[str]] = lambda ctx: ctx.tables.damage_types,
    others: bool = False,
    usage: str | None = None,
) -> SheetFieldGroup:
    """Fields for resistances and the like, with commas; repeated ones add up: `resist fire,cold`.

    Types outside `list_kinds` need quotes; if there are `others`, only a slip is refused.
    """

    def reads(reading: ParseState, name: str) -> list[str]:
        return _kinds(reading, f"{what} after {name}", list_kinds(reading.ctx), others)

    expects = f"{what}: A,B"
    return SheetFieldGroup(names, reads, _to_list, "[{} A,B]", usage, again=True, expects=expects)


def _kinds(
    reading: ParseState, what: str, known_kinds: Iterable[str], others: bool = False
) -> list[str]:
    row = list(known_kinds)
    if reading.is_over and reading.words.peek() not in row:
        reading.words.offered += row
        raise reading.words.refuse(f"expected a {what}", row)
    return read_kinds(reading.words, what, row, others)


def _read_names(reading: ParseState, name: str) -> list[str]:
    return reading.words.next(f"words of its sheet after {name}").casefold().split(",")


@lru_cache(maxsize=8)  # asked for by every `add`
def _fields_of(sheet: FieldSheet, tables: Tables) -> tuple[SheetField, ...]:
    return tuple(
        SheetField(
            name,
            (row.expects or row.each).format(name),
            row.again,
            tuple(short for short, long in sheet.aliases.items() if long == name),
            row.of,
            bool(row.parts),
        )
        for row in (*sheet.all_groups(tables), _PROPOSED)
        for name in row.names
    )


def _counters(tables: Tables, sheet: Sheet) -> dict[str, Track]:
    """The campaign's counters for that sheet: its own, and those of everybody."""
    found: dict[str, Track] = {}
    for name in tables.counters:
        row, given = tables.tracks[name], sheet.tracks.pop(name, None)
        if given is not None:
            found[name] = given.marked if row.counts == "marked" else given.left
        elif row.everybody:
            found[name] = Track(0)
    return found


_PROPOSED = SheetFieldGroup(
    (PROPOSED,), _read_names, _to_list, "[{} A,B]", "", again=True, expects="words: A,B"
)
"""Which of its words are proposed; every game's sheet may say it."""


def choice_fields(*names: str, what: str, choices: Choices) -> SheetFieldGroup:
    """Fields for words of a list, with commas between, which add up: `saves str,con`."""
    read = arguments.choices_arg(what, choices, "A,B").read
    expects = f"{what}: A,B"
    return SheetFieldGroup(
        names, lambda r, name: read(r), _to_list, "[{} A,B]", again=True, expects=expects
    )


def _words(
    reading: ParseState, what: str, fits: Callable[[str], bool], usual: Sequence[str] = ()
) -> list[str]:
    tokens = reading.words
    if reading.is_over and tokens.peek() not in usual:
        tokens.offered += usual
        raise tokens.refuse(f"expected {what}", usual)
    token = tokens.next(what)
    words = [part.strip().casefold() for part in token.split(",") if part.strip()]
    if not words or not all(map(fits, words)):
        tokens.back()
        raise tokens.refuse(f"expected {what}, found {token!r}")
    return list(dict.fromkeys(words))


def amount_fields(
    how_much: Mapping[str, str], usage: str | None = None, more: Sequence[str] = ()
) -> SheetFieldGroup:
    """Fields for amounts of several kinds, which add up: `resist fire 5`, `resist 5 fire`, `resist
    fire,cold 5`.

    `how_much` is a name -> its number in words; `more` are known beside the types of damage. The
    log has `fire 5`.
    """

    def reads(reading: ParseState, name: str) -> list[str]:
        tokens = reading.words
        first = tokens.number(how_much[name], 1, 999) if tokens.has_number() else 0
        known_kinds = (*reading.ctx.tables.damage_types, *more)
        kinds = _kinds(reading, f"damage type after {name}", known_kinds)
        amount = first or tokens.number(how_much[name], 1, 999)
        return [f"{kind} {amount}" for kind in kinds]

    expects = "a type of damage and how much, such as fire 5"
    return SheetFieldGroup(
        tuple(how_much), reads, _to_list, "[{} TYPE N]", usage, again=True, expects=expects
    )


def text_fields(*names: str, longest: int = 40) -> SheetFieldGroup:
    """A word, or a few in quotes: `role archer`."""

    def reads(reading: ParseState, name: str) -> str:
        tokens = reading.words
        over, is_field = reading.is_over, tokens.words[tokens.at - 1].field
        text = tokens.next(f"its {name}, in quotes if it has several words").strip()
        while is_field and not tokens.done:  # all that stands in a field of a row is it
            text = f"{text} {tokens.next('')}"
        if over or not 0 < len(text) <= longest:
            tokens.back()
            raise tokens.refuse(f"expected its {name}, of 1 to {longest} characters")
        return text

    return SheetFieldGroup(
        names, reads, _as_stat, "", "", expects='its {}, in quotes: "A FEW WORDS"'
    )


def argument_field(
    name: str,
    reads: Argument,
    usage: str | None = None,
    keeps: Callable[[Sheet, str, Any], None] = _as_stat,
    before: str = "",
) -> SheetFieldGroup:
    """A field read by any argument, after its name: `size large`.

    `before` is a word that may precede it: `summon of mira`.
    """

    def read_it(reading: ParseState, name: str) -> Any:
        reading.words.take(*filter(None, (before,)))
        return reads.read(reading)

    expects = f"{before} {reads.usage}".strip()
    return SheetFieldGroup((name,), read_it, keeps, f"[{{}} {reads.usage}]", usage, expects=expects)


def struct_fields(
    name: str, row_type: type[Struct], usage: str | None = "", stat: str = "attacks"
) -> SheetFieldGroup:
    """A field that a struct declares, as often as there are rows; the log has the words of each.

    Args:
        usage: None for all that the struct declares; empty to leave the field out of usages.
    """

    def reads(reading: ParseState, name: str) -> list[dict[str, Any]]:
        tokens, token = reading.words, reading.words.upcoming
        parts = [] if token.quoted else [Token(part) for part in token.split(",") if part]
        if len(parts) > 1:  # `spells Sleep,Firebolt` is each of them
            row = [word for part in parts for word in (Token(name), part)]
            tokens.words[tokens.at : tokens.at + 1] = row[1:]
        return [format_arguments(row_type, reading)]

    def keeps(sheet: Sheet, name: str, rows: list[dict[str, Any]]) -> None:
        plain = json.decode(json.encode(rows))  # tables, lists, words and numbers, as the log has
        sheet.stats.setdefault(stat, []).extend(plain)

    expects = arguments_usage(row_type)
    usage = f"[{name} {expects}]" if usage is None else usage
    return SheetFieldGroup((name,), reads, keeps, "", usage, True, row_type, expects)


# -------------------------------------------------------------------------------------------------
# Sheets read back from the log: `stat_rows(mira, "attacks", Attack)`, `stat_words(mira, "resist")`.
# A log may have been edited by hand: what makes no sense in it is left out.

Made = TypeVar("Made", bound=Struct)
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
"""The sizes of most games, the smallest first."""


def stat_rows(
    combatant: Combatant,
    stat: str,
    row_type: type[Made],
    fits: Callable[[Made], bool] = lambda row: True,
) -> list[Made]:
    """The structs that a list among the stats holds, but for those that make no sense or that
    `fits` turns down."""
    rows = combatant.stats.get(stat)
    if not isinstance(rows, list | tuple):
        return []
    structs = []
    for row in rows:
        with suppress(ValidationError):
            structs.append(convert(row, row_type))
    return list(filter(fits, structs))


def is_dice(*texts: str) -> bool:
    """True if each of these texts is dice, or nothing at all."""
    try:
        return all(parse_dice(text) for text in texts if text)
    except DiceError:
        return False


def stat_words(combatant: Combatant, stat: str) -> tuple[str, ...]:
    """A list of words among the stats, in lower case; none for anything else."""
    rows = combatant.stats.get(stat)
    if not rows or not isinstance(rows, list | tuple):
        return ()
    return tuple(part.casefold() for part in rows if isinstance(part, str))


def size_of(combatant: Combatant, sizes: Sequence[str] = SIZES) -> str:
    """Return its size, one of the game's `sizes`; medium if the sheet doesn't say."""
    size = combatant.stats.get("size")
    return size if isinstance(size, str) and size in sizes else "medium"


def size_difference(one: Combatant, other: Combatant, sizes: Sequence[str] = SIZES) -> int:
    """The number of sizes by which one is larger than another; below 0 if it is smaller."""
    return sizes.index(size_of(one, sizes)) - sizes.index(size_of(other, sizes))


def owner_of(combatant: Combatant) -> str:
    """The owner of a companion or summon; empty for nobody's."""
    owner = combatant.stats.get("owner", "")
    return owner if isinstance(owner, str) else ""


def present_owner(state: Encounter, combatant: Combatant) -> Combatant | None:
    """Its owner, when that is somebody else in the fight."""
    owner = owner_of(combatant)
    return state.find(owner) if owner and owner != combatant.id else None


# -- in words --------------------------------------------------------------------------------------


def format_row(row: Struct, but: Sequence[str] = (), how: Notation = IN_WRITING) -> str:
    """Put a row of a sheet into words, without some fields and without defaults.

    An attack may be `claw +5 1d8+3 slashing heavy`; for the ear `claw, plus 5 to hit, 1d8 plus 3
    slashing, heavy`.
    """
    return words_of_part(_given(row, but), how)


def _given(row: Struct, but: Sequence[str] = ()) -> dict[str, Any]:
    """The fields of a row that aren't as usual, by their names on the sheet."""
    fields = row.__struct_fields__
    usual = dict(zip(reversed(fields), reversed(row.__struct_defaults__), strict=False))
    values = ((name, getattr(row, name)) for name in fields)
    return {
        written: _given(value) if isinstance(value, Struct) else value
        for written, (name, value) in zip(row.__struct_encode_fields__, values, strict=True)
        if name not in but and value != usual.get(name)
    }


def format_attacks(stat: str, words: Iterable[str], how: Notation = IN_WRITING) -> dict[str, str]:
    """Write the attacks of a stat in a line; empty for none."""
    text = how.between.join(words)
    return {stat: f"Attacks {text}"} if text else {}


# -------------------------------------------------------------------------------------------------
# Moments of a sheet, `when start "Heals unless burned"`, told when they come
# (`core.engine.reminders`).


def _read_moment(reading: ParseState) -> str:
    tokens = reading.words
    tokens.take("count")
    if tokens.has_number():
        return str(tokens.number("an initiative count", 0, 99))
    called = chain.from_iterable(reading.ctx.tables.moments.values())
    return tokens.choice("a moment, or an initiative count", (*MOMENTS, *called))


class When(Struct, frozen=True):
    """One reminder: the moment, and its text."""

    at: Annotated[str, Argument(_read_moment, "MOMENT|COUNT", field=ANY_MORE)]
    text: Annotated[str, arguments.text_arg("the reminder for it", usage='"TEXT"')]


WHEN_FIELD = struct_fields("when", When, usage="", stat="when")
"""The row of a sheet, which any game may have."""
