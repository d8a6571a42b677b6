"""Change one row of a TOML file as text: comments, order and all other lines stay as they are.

    >>> with_field("[eel]  # cold\\nhp = 9\\n", "eel", "hp", 12)
    '[eel]  # cold\\nhp = 12\\n'

The result is parsed and compared with what was wanted: a file with a layout that can't be edited
is refused, and never spoiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any

from affray.core.late_pattern import late_pattern
from affray.core.parser.errors import Refused
from affray.data_text import DataError, read_toml
from affray.store.campaigns.files import LARGE

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import Array, Item, Table

Row = dict[str, Any]
UNUSUAL = "has a layout that can't be edited here: use a text editor"
WIDEST = 96
"""The longest list on one line."""


Edit = Callable[..., str]
MARK = "\ufeff"


def _keeps_mark(edit: Edit) -> Edit:
    """Let an edit keep the byte order mark that some editors put before a text."""

    @wraps(edit)
    def edited(text: str, *words: Any) -> str:
        mark = MARK if text.startswith(MARK) else ""
        return mark + edit(text.removeprefix(MARK), *words)

    return edited


@_keeps_mark
def with_rows(text: str, more: Mapping[str, Row]) -> str:
    """Add rows at the end of a text. Raises Refused if the text has one of them already."""
    was = read_toml(text)
    for key in more:
        if key in was:
            raise Refused(f"there is already a {key!r}")
    if not more:
        return text
    rows = (
        "\n".join([f"[{_quoted(key)}]", *(_line(field, row[field]) for field in row), ""])
        for key, row in more.items()
    )
    blank = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    added = _with_line_ends_of(text, blank + "\n".join(rows))
    return _checked(text + added, {**was, **more})


@_keeps_mark
def without_rows(text: str, keys: Collection[str]) -> str:
    """Remove rows from a text; comments after their last fields stay."""
    if not keys:
        return text
    wanted = {key: row for key, row in read_toml(text).items() if key not in keys}

    def edit(document: TOMLDocument) -> None:
        for key in keys:
            _remove_row(document, key)

    return _edited(text, keys, wanted, edit)


@_keeps_mark
def with_field(text: str, key: str, field: str, value: Any) -> str:
    """Give a row's field another value; None removes the field.

    A new field goes after the others. Comments stay where they are.
    """
    was = read_toml(text)
    row = {name: given for name, given in {**was[key], field: value}.items() if given is not None}

    def edit(document: TOMLDocument) -> None:
        table: Any = document[key]
        if value is None:
            table.remove(field)
        elif field not in table:
            item = _item(text, field, value)
            item.trivia.trail = _with_line_ends_of(text, "\n")
            _append(table, field, item)
        elif isinstance(value, list) and isinstance(was[key][field], list):
            _edit_list(table[field], was[key][field], value)
        else:
            table[field] = _item(text, field, value)

    return _edited(text, [key], {**was, key: row}, edit)


@_keeps_mark
def with_key(text: str, key: str, value: Any) -> str:
    """Give a key above all tables a value; a new key becomes the first line."""
    wanted = {**read_toml(text), key: value}

    def edit(document: TOMLDocument) -> None:
        document[key] = _item(text, key, value)

    if key in read_toml(text):
        return _edited(text, [], wanted, edit)
    return _checked(_with_line_ends_of(text, f"{_line(key, value)}\n") + text, wanted)


# -- in the document -------------------------------------------------------------------------------


def _edited(
    text: str,
    keys: Collection[str],
    wanted: Mapping[str, Any],
    edit: Callable[[TOMLDocument], None],
) -> str:
    """Edit a text as a document. Raises Refused if the result doesn't read as `wanted`."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    for head, part, tail in parts(text, keys):
        try:
            document = tomlkit.parse(part)
            if document.as_string() != part:
                continue
            edit(document)
            new = f"{head}{document.as_string()}{tail}"
            if read_toml(new) == wanted:
                return new
        except (TOMLKitError, DataError, LookupError, TypeError, AttributeError):
            continue
    raise Refused(UNUSUAL)


def parts(text: str, keys: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Split a text into the part to parse, and what stands before and after it.

    A large file gives the row of a single key first, so that little is parsed, and then the whole.
    """
    if len(text) > LARGE and len(keys) == 1:
        headings = [found.start() for found in re.finditer(r"^[ \t]*\[", text, re.MULTILINE)]
        for at, ends in zip(headings, [*headings[1:], len(text)], strict=True):
            if _parsed(text[at:ends].partition("\n")[0]) == {key: {} for key in keys}:
                yield text[:at], text[at:ends], text[ends:]
    yield "", text, ""


def _append(table: Table, field: str, item: Item) -> None:
    """Add a field after the last one, before the comments and blank lines that follow it."""
    body, trailing = table.value.body, []
    while body and body[-1][0] is None:
        trailing.append(body.pop())
    table.append(field, item)
    body.extend(reversed(trailing))


def _edit_list(array: Array, was: list[Any], now: list[Any]) -> None:
    """Turn a list into another item by item, so that comments between items stay."""
    from difflib import SequenceMatcher

    import tomlkit

    for what, begins, ends, first, last in reversed(
        SequenceMatcher(None, [*map(repr, was)], [*map(repr, now)], False).get_opcodes()
    ):
        if what == "equal":
            continue
        both = min(ends - begins, last - first)
        for at in range(both):
            array[begins + at] = tomlkit.value(_value(now[first + at]))
        for at in reversed(range(begins + both, ends)):
            del array[at]
        for at in range(first + both, last):
            array.insert(begins + at - first, tomlkit.value(_value(now[at])))


def _remove_row(document: TOMLDocument, key: str) -> None:
    """Remove a row; comments after its last field stay."""
    from tomlkit.items import Whitespace

    at = next(n for n, (own, _) in enumerate(document.body) if own is not None and own.key == key)
    comments = "".join(_comments_after(document.body[at][1]))
    document.remove(key)
    document.body[at] = (None, Whitespace(comments.lstrip("\r\n")))


def _comments_after(table: Any) -> list[str]:
    """The comments and blank lines after the last field of a table."""
    pieces: list[str] = []
    body = table.value.body
    for key, item in reversed(body):
        if key is None:
            pieces.insert(0, item.as_string())
        else:
            return (_comments_after(item) if hasattr(item, "is_aot_element") else []) + pieces
    return pieces


def _item(text: str, field: str, value: Any) -> Item:
    """A value as an item for the document of a text."""
    import tomlkit

    line = _line(field, value)
    return tomlkit.value(_with_line_ends_of(text, line.partition(" = ")[2]))


def _checked(text: str, wanted: Mapping[str, Any]) -> str:
    if _parsed(text) == wanted:
        return text
    raise Refused(UNUSUAL)


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return read_toml(text)
    except DataError:
        return None


# -- as text ---------------------------------------------------------------------------------------


def _with_line_ends_of(text: str, new: str) -> str:
    """New lines with the same line ends as a text."""
    return new.replace("\n", "\r\n") if "\r\n" in text.partition("\n")[0] + "\n" else new


def _line(field: str, value: Any) -> str:
    """A field as a line; a long list takes several lines."""
    if not isinstance(value, list):
        return f"{_quoted(field)} = {_value(value)}"
    parts = [_value(each) for each in value]
    line = f"{_quoted(field)} = [{', '.join(parts)}]"
    if len(line) < WIDEST:
        return line
    inside = "".join(f"    {part},\n" for part in parts)
    return f"{_quoted(field)} = [\n{inside}]"


def _value(value: Any) -> str:
    if isinstance(value, str) and not _CONTROL.search(value):
        return _text(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    import tomli_w  # here, since most of what reads a campaign's rows never writes them

    several_lines = isinstance(value, str) and "\n" in value
    text = tomli_w.dumps({"x": value}, multiline_strings=several_lines)
    return text.removeprefix("x = ").rstrip("\n")


_CONTROL = late_pattern("[\x00-\x08\x0b-\x1f\x7f]")
_BARE = late_pattern(r"[A-Za-z0-9_-]+")


def _text(text: str) -> str:
    """A string without control characters, as tomli-w writes it, but faster if it is long."""
    if '"' in text and not {"'", "\\", "\n"} & set(text):
        return f"'{text}'"  # an attack with its name in quotes is easier to read so
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"""\n{escaped}"""' if "\n" in text else f'"{escaped}"'


@lru_cache(512)  # rows have the same fields
def _quoted(key: str) -> str:
    import tomli_w

    return key if _BARE.fullmatch(key) else tomli_w.dumps({key: 0}).removesuffix(" = 0\n")


# -------------------------------------------------------------------------------------------------
# The line of a row of a campaign's file, or of a field in it.

_PART = late_pattern(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")
_TABLE_NAME = late_pattern(r"\[([^\]]+)\]|`([\w-]+)`")
_MARK = "\ue000"


def toml_line_number(text: str, message: str) -> int:
    """The line of a TOML file that a refusal is about, from the table and field that it names.

    For "[effects.mired] speed: ..." it is the line of that field, else of its row, else of its
    table; 0 if none of them is in the file.
    """
    named = _TABLE_NAME.match(message)
    if named is None:
        return 0
    row = tuple((named[1] or named[2]).split("."))
    fields = ((*row, "".join(word)) for word in _PART.findall(message[named.end() :]))
    tables = (row[:length] for length in range(len(row), 0, -1))
    return line_at(text, [*fields, *tables])


def line_at(text: str, paths: Iterable[Sequence[str]]) -> int:
    """The line of the first of `paths` that is in a TOML file; 0 if none is.

    The path `("mired", "speed")` is the field `speed` of the table `mired`.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    paths = [*paths]
    for head, part, _ in parts(text, {path[0] for path in paths}):
        try:
            document = tomlkit.parse(part)
        except TOMLKitError:
            continue
        lines = (
            _line_number_of(document, item)
            for path in paths
            for item in _items(document.body, path)
        )
        found = next(filter(None, lines), 0)
        if found:
            return found + head.count("\n")
    return 0


def _items(body: Iterable[tuple[Any, Any]], path: Sequence[str]) -> Iterator[Any]:
    """The items at a path, upper or lower case."""
    for key, item in body:
        if key is None or key.key.casefold() != path[0].casefold():
            continue
        if len(path) == 1:
            yield item
        else:
            for inner in _bodies_in(item):
                yield from _items(inner, path[1:])


def _bodies_in(item: Any) -> list[list[tuple[Any, Any]]]:
    """The body of a table, or of each table of an array."""
    tables = getattr(item, "body", None) or [item]
    return [table.value.body for table in tables if hasattr(table.value, "body")]


def _line_number_of(document: TOMLDocument, item: Any) -> int:
    """The line on which an item begins, found by putting a mark before it.

    A table without a heading begins with its first item.
    """
    was = item.trivia.indent
    item.trivia.indent = _MARK
    before, mark, _ = document.as_string().partition(_MARK)
    item.trivia.indent = was
    if mark:
        return before.count("\n") + 1
    inner = (each for body in _bodies_in(item) for key, each in body if key is not None)
    return next(filter(None, (_line_number_of(document, each) for each in inner)), 0)
