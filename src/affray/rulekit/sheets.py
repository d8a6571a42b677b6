"""What `add` understands of a combatant: the rows of a sheet, and what is read by them.

A game declares its rows once; parser, usage, completion and forms come of them:

    >>> ROWS = (tracks("hp", low=1), numbers("ac", "speed", low=0), flags("important"))
    >>> parts(ROWS, "pc")
    ['hp N', 'ac N', 'speed N', '[important]']

Attacks are structs whose fields are declared arguments (`core.language.declared`). The log has of
one what was said, and `rulekit.recorded` makes structs of that again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct, json
from msgspec.structs import replace

from affray.core.commands.joining import TERMS
from affray.core.dice.notation import parse_dice, roll
from affray.core.heart.decide import Context
from affray.core.heart.events import Rolled
from affray.core.heart.state import Track
from affray.core.language import arguments
from affray.core.language.arguments import Choices
from affray.core.language.clauses import BEHIND_NUMBERS, read_kinds
from affray.core.language.declared import Argument, Reading, heard, keywords, usage_of
from affray.core.language.refusal import Refused
from affray.core.language.words import Word, Words, as_said
from affray.core.rules.imported import PROPOSED
from affray.core.rules.ruleset import SheetForm, SheetWord, is_for
from affray.core.rules.tables import Tables

MOST = 99_999


class Given(Struct, frozen=True):
    """A track as it was said: `44`, or `12/44` for 12 of 44; `now` is None where it is not said."""

    now: int | None
    max: int

    @property
    def left(self) -> Track:
        """A track of which all is left, unless it is said."""
        return Track(self.max if self.now is None else self.now, self.max)

    @property
    def marked(self) -> Track:
        """A track on which nothing is marked, unless it is said."""
        return Track(self.now or 0, self.max)


class Sheet(Struct, frozen=True):
    """What is said of a combatant: stats as the log has them, and tracks as they were said."""

    stats: dict[str, Any]
    tracks: dict[str, Given]


class Row(Struct, frozen=True):
    """Numbers or words that `add` knows of a combatant.

    names    the words behind which each stands
    reads    reads what stands there, given the name
    keeps    puts what was read into the sheet
    each     how usages have each of them, `{}` for its name
    usage    how they have all of it, where that is not each in a row; empty for what they leave out
    again    whether it may be said more than once
    made     the struct that declares what stands there, if one does
    expects  what stands there, in words for a form, `{}` for its name; empty: as usages have it
    of       whose it is in forms and usages: `pc`, or `monster` for whoever else; empty for
             anybody's. Reading takes it of anybody
    """

    names: tuple[str, ...]
    reads: Callable[[Reading, str], Any]
    keeps: Callable[[Sheet, str, Any], None]
    each: str
    usage: str | None = None
    again: bool = False
    made: type[Struct] | None = None
    expects: str = ""
    of: str = ""

    @property
    def parts(self) -> list[str]:
        """How usages have it, part by part."""
        if self.usage is None:
            return [self.each.format(name) for name in self.names]
        return [self.usage] if self.usage else []


def read(ctx: Context, words: Words, rows: Sequence[Row], alike: Mapping[str, str] = {}) -> Sheet:
    """The sheet that the words make. `alike` are other words for the same: short -> long.

    Raises Refused for what is no number of the game's, or is said twice.
    """
    sheet = Sheet({}, {})
    for row, name, value, _ in read_each(ctx, words, rows, alike):
        row.keeps(sheet, name, value)
    return sheet


def read_each(
    ctx: Context, words: Words, rows: Sequence[Row], alike: Mapping[str, str]
) -> Iterator[tuple[Row, str, Any, int]]:
    """Each number or word of a sheet as it is read: its row, its name, what stands there, and at
    which word that begins. Raises Refused for what is none of them, or is said twice."""
    by_name = {name: row for row in (*rows, _PROPOSED) for name in row.names}
    known = (*by_name, *alike)
    reading = Reading(ctx, words, (*known, *BEHIND_NUMBERS))
    given: set[str] = set()
    more: tuple[str, ...] = ()
    field = ""
    while not words.done and words.peek() not in BEHIND_NUMBERS:
        if words.upcoming.field:
            field = str(words.upcoming)
        words.pass_over(lambda: TERMS)  # they are taken before, but for a slip of one
        with _in_field(field):
            said = words.choice("one of its numbers", (*known, *more))
            name = alike.get(said, said)
            if name not in by_name:
                words.back()
                raise words.refuse(f"{said} is said of an attack, right behind its name")
            row = by_name[name]
            if name in given and not row.again:
                raise words.refuse(f"{name} is given twice")
            given.add(name)
            begins = words.at
            with words.within_field():
                value = row.reads(reading, name)
        yield row, name, value, begins
        more = keywords(row.made) if row.made is not None else ()  # a slip of one may follow
    words.offered += [name for name in known if alike.get(name, name) not in given]


@contextmanager
def _in_field(field: str) -> Iterator[None]:
    """Let what is refused name the field of a row in which it stands."""
    try:
        yield
    except Refused as refusal:
        refusal.field = field
        raise


def require_hp(words: Words, sheet: Sheet) -> None:
    """Raises Refused where no HP are said."""
    if "hp" not in sheet.tracks:
        raise words.refuse("expected `hp` and a number")


def parts(rows: Iterable[Row], kind: str) -> list[str]:
    """The words of `add` behind the name of one of a kind, as usages have them."""
    return [part for row in rows if is_for(row.of, kind) for part in row.parts]


def only_of(kind: str, *rows: Row) -> tuple[Row, ...]:
    """Rows that are of one kind's sheets alone, as `is_for` has it."""
    return tuple(replace(row, of=kind) for row in rows)


def form(rows: Callable[[Tables], Sequence[Row]], alike: Mapping[str, str] = {}) -> SheetForm:
    """The form of a sheet of those rows. `alike` are other words for the same: short -> long."""

    def others(name: str) -> tuple[str, ...]:
        return tuple(short for short, long in alike.items() if long == name)

    def words_of(tables: Tables) -> list[SheetWord]:
        return [
            SheetWord(
                name,
                (row.expects or row.each).format(name),
                row.again,
                others(name),
                row.of,
                bool(row.parts),
            )
            for row in (*rows(tables), _PROPOSED)
            for name in row.names
        ]

    def spelt(ctx: Context, words: Words) -> list[tuple[str, str]]:
        return [
            (name, as_said(words.words[begins : words.at]))
            for _, name, _, begins in read_each(ctx, words, rows(ctx.tables), alike)
        ]

    return SheetForm(words_of, lambda tables, kind: parts(rows(tables), kind), spelt)


# -- the kinds of rows -----------------------------------------------------------------------------


def _as_stat(sheet: Sheet, name: str, value: Any) -> None:
    sheet.stats[name] = value


def _as_track(sheet: Sheet, name: str, value: Given) -> None:
    sheet.tracks[name] = value


def _to_list(sheet: Sheet, name: str, value: list[Any]) -> None:
    sheet.stats.setdefault(name, []).extend(value)


def numbers(*names: str, low: int = -99, high: int = 999, usage: str | None = None) -> Row:
    """Whole numbers within bounds: `ac 4`."""

    def reads(reading: Reading, name: str) -> int:
        return reading.words.number(name, low, high)

    expects = f"a whole number from {low} to {high}"
    return Row(names, reads, _as_stat, "{} N", usage, expects=expects)


def tracks(*names: str, low: int = 0, usage: str | None = None) -> Row:
    """Tracks with their maximum, which is `low` at least: `hp 18`, or `hp 12/18`."""

    def reads(reading: Reading, name: str) -> Given:
        return _track_of(reading, name, low, 0, "a whole number, or LEFT/MAX")

    expects = f"a whole number from {low}, or LEFT/MAX such as 12/18"
    return Row(names, reads, _as_track, "{} N", usage, expects=expects)


def _track_of(reading: Reading, name: str, low: int, left: int, takes: str) -> Given:
    words = reading.words
    word = words.next(name)
    said, slash, top = word.partition("/")
    if not said.isdecimal() or (slash and not top.isdecimal()):
        words.back()
        raise words.refuse(f"expected {name} ({takes}), found {word!r}")
    given = Given(int(said[:6]) if slash else None, int((top or said)[:6]))
    now_left = given.max if given.now is None else given.now
    if not (low <= given.max <= MOST and left <= now_left <= given.max):
        words.back()
        raise words.refuse(f"{name} {word} is out of range")
    return given


def hit_points(left: int = 0) -> Row:
    """HP with their maximum: `hp 18`, `hp 12/18`; or dice, rolled for each anew: `hp 3d8+4`.

    `left` is the least that may be left of them.
    """

    def reads(reading: Reading, name: str) -> Given:
        word = reading.words.peek()
        if not reading.words.has_dice() or word.replace("/", "").isdecimal():
            return _track_of(reading, name, 1, left, "a whole number, LEFT/MAX, or dice")
        fell = roll(parse_dice(reading.words.next(name)), reading.ctx.dice)
        total = max(fell.total, 1)
        reading.ctx.fell.append(Rolled("", fell.dice, fell.faces, total, for_=name))
        return Given(None, total)

    expects = "a whole number, LEFT/MAX such as 12/18, or dice such as 3d8+4"
    return Row(("hp",), reads, _as_track, "{} N", expects=expects)


def flags(*names: str, usage: str | None = None) -> Row:
    """Words that are so when they are said: `important`."""
    return Row(
        names, lambda reading, name: True, _as_stat, "[{}]", usage, expects="yes, or nothing"
    )


def lengths(*names: str, usage: str | None = None) -> Row:
    """What one has, with how many feet it goes where that is said: `swim`, or `swim 40`."""

    def reads(reading: Reading, name: str) -> int | bool:
        return reading.words.number(name, 1, 9_999) if reading.words.has_number() else True

    return Row(names, reads, _as_stat, "[{} [N]]", usage, expects="yes, or how many feet")


def lists(
    *names: str,
    what: str,
    fits: Callable[[str], bool] = lambda word: not word.isdecimal(),
    known: Sequence[str] = (),
    usage: str | None = None,
) -> Row:
    """Words with commas between, which add up: `resist fire,cold`.

    `what` is expected there, `{}` in it is the name; `fits` tells what can be one, and `known` are
    what it mostly is, for completion.
    """

    def reads(reading: Reading, name: str) -> list[str]:
        return _words(reading, what.format(name), fits, known)

    expects = f"{what.partition(' after ')[0]}: A,B"
    return Row(names, reads, _to_list, "[{} A,B]", usage, again=True, expects=expects)


def kinds(
    *names: str,
    what: str = "damage type",
    known: Callable[[Context], Iterable[str]] = lambda ctx: ctx.tables.damage_types,
    others: bool = False,
    usage: str | None = None,
) -> Row:
    """What somebody resists and the like, with commas between, which adds up: `resist fire,cold`.

    Types that are not `known` stand in quotes; where there are `others`, only a slip is refused.
    """

    def reads(reading: Reading, name: str) -> list[str]:
        return _kinds(reading, f"{what} after {name}", known(reading.ctx), others)

    expects = f"{what}: A,B"
    return Row(names, reads, _to_list, "[{} A,B]", usage, again=True, expects=expects)


def _kinds(reading: Reading, what: str, known: Iterable[str], others: bool = False) -> list[str]:
    row = list(known)
    if reading.is_over and reading.words.peek() not in row:
        reading.words.offered += row
        raise reading.words.refuse(f"expected a {what}", row)
    return read_kinds(reading.words, what, row, others)


def _read_names(reading: Reading, name: str) -> list[str]:
    return reading.words.next(f"words of its sheet after {name}").casefold().split(",")


_PROPOSED = Row(
    (PROPOSED,), _read_names, _to_list, "[{} A,B]", "", again=True, expects="words: A,B"
)
"""Which of its words are proposed; every game's sheet may say it."""


def several(*names: str, what: str, choices: Choices) -> Row:
    """Words of which each is one of those, with commas between, which add up: `saves str,con`."""
    read = arguments.several(what, choices, "A,B").read
    expects = f"{what}: A,B"
    return Row(names, lambda r, name: read(r), _to_list, "[{} A,B]", again=True, expects=expects)


def _words(
    reading: Reading, what: str, fits: Callable[[str], bool], known: Sequence[str] = ()
) -> list[str]:
    words = reading.words
    if reading.is_over and words.peek() not in known:
        words.offered += known
        raise words.refuse(f"expected {what}", known)
    said = words.next(what)
    found = [part.strip().casefold() for part in said.split(",") if part.strip()]
    if not found or not all(map(fits, found)):
        words.back()
        raise words.refuse(f"expected {what}, found {said!r}")
    return list(dict.fromkeys(found))


def amounts(how_much: Mapping[str, str], usage: str | None = None, more: Sequence[str] = ()) -> Row:
    """How much of what, which adds up: `resist fire 5`, `resist 5 fire`, `resist fire,cold 5`.

    `how_much` is a name -> what its number is, in words; `more` are known beside the types of
    damage. The log has `fire 5`.
    """

    def reads(reading: Reading, name: str) -> list[str]:
        words = reading.words
        first = words.number(how_much[name], 1, 999) if words.has_number() else 0
        known = (*reading.ctx.tables.damage_types, *more)
        kinds = _kinds(reading, f"damage type after {name}", known)
        amount = first or words.number(how_much[name], 1, 999)
        return [f"{kind} {amount}" for kind in kinds]

    expects = "a type of damage and how much, such as fire 5"
    return Row(tuple(how_much), reads, _to_list, "[{} TYPE N]", usage, again=True, expects=expects)


def texts(*names: str, longest: int = 40) -> Row:
    """A word, or a few in quotes: `role archer`."""

    def reads(reading: Reading, name: str) -> str:
        words = reading.words
        over, is_field = reading.is_over, words.words[words.at - 1].field
        said = words.next(f"its {name}, in quotes where it is more than a word").strip()
        while is_field and not words.done:  # all that stands in a field of a row is it
            said = f"{said} {words.next('')}"
        if over or not 0 < len(said) <= longest:
            words.back()
            raise words.refuse(f"expected its {name}, of 1 to {longest} characters")
        return said

    return Row(names, reads, _as_stat, "", "", expects='its {}, in quotes: "A FEW WORDS"')


def argument(
    name: str,
    reads: Argument,
    usage: str | None = None,
    keeps: Callable[[Sheet, str, Any], None] = _as_stat,
    before: str = "",
) -> Row:
    """Whatever an argument reads, behind a name: `size large`.

    `before` is a word that may stand before it: `summon of mira`.
    """

    def read_it(reading: Reading, name: str) -> Any:
        reading.words.take(*filter(None, (before,)))
        return reads.read(reading)

    expects = f"{before} {reads.usage}".strip()
    return Row((name,), read_it, keeps, f"[{{}} {reads.usage}]", usage, expects=expects)


def attacks(name: str, made: type[Struct], usage: str = "", stat: str = "attacks") -> Row:
    """What a struct declares, as often as there are some; the log has what was said of each."""

    def reads(reading: Reading, name: str) -> list[dict[str, Any]]:
        words, said = reading.words, reading.words.upcoming
        parts = [] if said.quoted else [Word(part) for part in said.split(",") if part]
        if len(parts) > 1:  # `spells Sleep,Firebolt` is each of them
            row = [word for part in parts for word in (Word(name), part)]
            words.words[words.at : words.at + 1] = row[1:]
        return [heard(made, reading)]

    def keeps(sheet: Sheet, name: str, said: list[dict[str, Any]]) -> None:
        plain = json.decode(json.encode(said))  # tables, lists, words and numbers, as the log has
        sheet.stats.setdefault(stat, []).extend(plain)

    return Row((name,), reads, keeps, "", usage, True, made, usage_of(made))
