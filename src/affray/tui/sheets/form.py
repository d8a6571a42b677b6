"""Somebody's row as a form: a line for each word of the game's sheet, told what it expects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from affray.core.commands.adding import BENCHED, SIDES
from affray.core.commands.joining import take_text
from affray.core.commands.keeping import fields_of
from affray.core.dice.sources import SeededDice
from affray.core.heart.alone import with_party
from affray.core.heart.decide import Context
from affray.core.heart.state import Encounter
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words, split_words
from affray.core.rules.ruleset import Ruleset, SheetWord, is_for
from affray.tui.drawing import Line, cut, plain
from affray.tui.sheets.contents import Contents, row_line, wrapped_lines
from affray.tui.sheets.creatures import PARTY, Creature, creature_lines
from affray.tui.sheets.finding import found, sought
from affray.tui.themes import Inks

NAME_CELLS = 20
OWN = ("name", "kind", "text", BENCHED)
"""The fields that are no words of a sheet."""
Row = dict[str, Any]


class Field(NamedTuple):
    """A line of the form.

    name     the word of the sheet
    value    what stands behind it; empty for nothing
    expects  what can stand there
    at       which of several it is, where it may be said again; one more than there are is new
    """

    name: str
    value: str
    expects: str
    at: int = 0


class Form(Contents[Field]):
    """The fields of one row: first those that are said, then the others; searched by name."""

    NAME = "Edit"
    KEY = "edit"
    TAKES = "edits"

    def __init__(self, ruleset: Ruleset, creature: Creature, row: Row) -> None:
        self.ruleset, self.creature, self.row = ruleset, creature, row
        self._known = [(sought(f.name, (f.value,)), f) for f in fields(ruleset, creature, row)]

    def rows(self, query: str) -> Sequence[Field | str]:
        """What fits by name, then by value."""
        return found(self._known, query)

    def line(self, row: Field, number: int, width: int, inks: Inks, chosen: bool) -> Line:
        """`› hp   18`"""
        line = row_line(chosen, inks)
        ink = inks.strong if row.value else inks.dim
        line.add(cut(row.name, NAME_CELLS), ink).column(NAME_CELLS + 3)
        return line.add(cut(plain(row.value), max(width - NAME_CELLS - 3, 0)), inks.plain)

    def told(self, row: Field, width: int, inks: Inks) -> list[Line]:
        """What the field expects, then the stat block as it is."""
        said = wrapped_lines([f"{row.name}: {row.expects}"], width, inks.accent)
        block = creature_lines(self.ruleset, Encounter(), self.creature, width, inks)
        return [*said, Line(), *block]


def fields(ruleset: Ruleset, creature: Creature, row: Row) -> list[Field]:
    """The lines of the form for a row: those that say something first, then what else one of its
    kind may have."""
    own = [Field("name", str(row.get("name", "")), "what it is called")]
    rest = [Field("text", str(row.get("text", "")), "what is told of it, on its card")]
    if creature.sort == PARTY:
        benched = "yes" if row.get(BENCHED) else ""
        expects = "whether `add party` leaves them out: enter turns it round"
        rest.append(Field(BENCHED, benched, expects))
    else:
        rest.append(Field("kind", str(row.get("kind", "")), f"{listed(SIDES)}; else a monster"))
    kind = "pc" if creature.sort == PARTY else str(row.get("kind", "monster"))
    sheet = [
        field
        for word in ruleset.sheet.words(ruleset.tables)
        if is_for(word.of, kind) or word.name_in(row) in row
        for field in _lines(word, row)
    ]
    said, unsaid = [f for f in sheet if f.value], [f for f in sheet if not f.value]
    return [*own, *said, *rest, *unsaid]


def _lines(word: SheetWord, row: Row) -> Iterator[Field]:
    """A line for each value of a word, and for one that may be said again one more."""
    name = word.name_in(row)
    values = _values(row.get(name))
    for at, value in enumerate(values):
        yield Field(name, value, word.expects, at)
    if not values or word.again:
        yield Field(name, "", word.expects, len(values))


def _values(value: Any) -> list[str]:
    """What a row says of a word, each as it is typed: phrases one by one, single words together."""
    if value is None or value is False:
        return []
    if isinstance(value, list):
        texts = [",".join(map(str, v)) if isinstance(v, list) else str(v) for v in value]
        return texts if any(" " in text for text in texts) else [",".join(texts)]
    return ["yes" if value is True else str(value)]


def with_value(ruleset: Ruleset, row: Row, field: Field, said: str) -> Row:
    """The row in which that field says something else; nothing takes it out of the row.

    Raises Refused, as `add` does, for what it can't say.
    """
    said = said.strip()
    if field.name in OWN:
        return _with(row, field.name, said)
    values: list[Any] = [*_values(row.get(field.name))]
    new = [_read(ruleset, field.name, said)] if said else []
    values[field.at : field.at + 1] = new
    if len(values) < 2:
        return _with(row, field.name, new[0] if new else values[0] if values else None)
    return _with(row, field.name, values)


def with_words(ruleset: Ruleset, line: str) -> Row:
    """The fields that a line of `add` says behind the name: `text "Never late." hp 30 ac 4`.

    Raises Refused.
    """
    words = Words(split_words(line), with_party(ruleset))  # a companion names its owner
    text = take_text(words)
    read = ruleset.sheet.spelt(Context(words.state, ruleset, SeededDice(0)), words)
    text = take_text(words) or text
    words.finish()
    return fields_of(read) | ({"text": text} if text else {})


def _read(ruleset: Ruleset, name: str, said: str) -> Any:
    read = with_words(ruleset, name if said == "yes" else f"{name} {said}")
    if len(read) != 1:
        raise Refused(f"{said!r} says more than {name}: each has a line of its own")
    return next(iter(read.values()))


def _with(row: Row, name: str, value: Any) -> Row:
    kept = {field: said for field, said in row.items() if field != name or value}
    return {**kept, name: value} if value or value == 0 else kept
