"""Change one row of a TOML file as text: comments, order and all other lines stay as they are.

    >>> with_field(text, "eel", "hp", 12)      # changes the line `hp = ...` of [eel] only

The result is parsed and compared, so that a file whose layout isn't understood is refused, and
never spoiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import tomli

from affray.core.parser.errors import Refused
from affray.store.campaigns.files import LARGE

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import Array, Item, Table

Row = dict[str, Any]
UNUSUAL = "is laid out in a way that can't be edited here: change it in an editor"
WIDEST = 96
"""Lists that are longer than this stand on several lines."""


Edit = Callable[..., str]
MARK = "\ufeff"


def _behind_the_mark(edit: Edit) -> Edit:
    """An edit of a text before which an editor may have put a mark, that stays where it is."""

    @wraps(edit)
    def edited(text: str, *words: Any) -> str:
        mark = MARK if text.startswith(MARK) else ""
        return mark + edit(text.removeprefix(MARK), *words)

    return edited


@_behind_the_mark
def with_rows(text: str, more: Mapping[str, Row]) -> str:
    """The text with those rows behind all others. Raises Refused where one is there already."""
    was = tomli.loads(text)
    for key in more:
        if key in was:
            raise Refused(f"there is a {key!r} already")
    if not more:
        return text
    rows = (
        "\n".join([f"[{_quoted(key)}]", *(_line(field, row[field]) for field in row), ""])
        for key, row in more.items()
    )
    blank = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    added = _as_in(text, blank + "\n".join(rows))
    return _checked(text + added, {**was, **more})


@_behind_the_mark
def without_rows(text: str, keys: Collection[str]) -> str:
    """The text without the rows of those keys; what stands behind their last fields stays."""
    if not keys:
        return text
    wanted = {key: row for key, row in tomli.loads(text).items() if key not in keys}

    def edit(document: TOMLDocument) -> None:
        for key in keys:
            _take_out(document, key)

    return _edited(text, keys, wanted, edit)


@_behind_the_mark
def with_field(text: str, key: str, field: str, value: Any) -> str:
    """The text in which that row's field has another value; None takes the field out of it.

    A field that is new stands behind the others, and what stands behind a value stays there.
    """
    was = tomli.loads(text)
    row = {name: given for name, given in {**was[key], field: value}.items() if given is not None}

    def edit(document: TOMLDocument) -> None:
        table: Any = document[key]
        if value is None:
            table.remove(field)
        elif field not in table:
            item = _item(text, field, value)
            item.trivia.trail = _as_in(text, "\n")
            _append(table, field, item)
        elif isinstance(value, list) and isinstance(was[key][field], list):
            _edit_list(table[field], was[key][field], value)
        else:
            table[field] = _item(text, field, value)

    return _edited(text, [key], {**was, key: row}, edit)


@_behind_the_mark
def with_key(text: str, key: str, value: Any) -> str:
    """The text in which a key above all tables has that value; a new one stands first."""
    wanted = {**tomli.loads(text), key: value}

    def edit(document: TOMLDocument) -> None:
        document[key] = _item(text, key, value)

    if key in tomli.loads(text):
        return _edited(text, [], wanted, edit)
    return _checked(_as_in(text, f"{_line(key, value)}\n") + text, wanted)


# -- in the document -------------------------------------------------------------------------------


def _edited(
    text: str,
    keys: Collection[str],
    wanted: Mapping[str, Any],
    edit: Callable[[TOMLDocument], None],
) -> str:
    """The text as it is after an edit of its document, if it says what is wanted then."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    for head, part, tail in parts(text, keys):
        try:
            document = tomlkit.parse(part)
            if document.as_string() != part:
                continue
            edit(document)
            new = f"{head}{document.as_string()}{tail}"
            if tomli.loads(new) == wanted:
                return new
        except (TOMLKitError, tomli.TOMLDecodeError, LookupError, TypeError, AttributeError):
            continue
    raise Refused(UNUSUAL)


def parts(text: str, keys: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Split a text into the part to parse and what stands before and behind it: of a large file the
    row alone, where its heading can be told, and then all of it."""
    if len(text) > LARGE and len(keys) == 1:
        headings = [found.start() for found in re.finditer(r"^[ \t]*\[", text, re.MULTILINE)]
        for at, ends in zip(headings, [*headings[1:], len(text)], strict=True):
            if _parsed(text[at:ends].partition("\n")[0]) == {key: {} for key in keys}:
                yield text[:at], text[at:ends], text[ends:]
    yield "", text, ""


def _append(table: Table, field: str, item: Item) -> None:
    """Put a new field behind the last one, before what stands between that and the next row."""
    body, trailing = table.value.body, []
    while body and body[-1][0] is None:
        trailing.append(body.pop())
    table.append(field, item)
    body.extend(reversed(trailing))


def _edit_list(array: Array, was: list[Any], now: list[Any]) -> None:
    """Make of a list another, item by item: comments between those that stay are not touched."""
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


def _take_out(document: TOMLDocument, key: str) -> None:
    """Take a row out; what stands behind its last field, and is more than blank lines, stays."""
    from tomlkit.items import Whitespace

    at = next(n for n, (own, _) in enumerate(document.body) if own is not None and own.key == key)
    comments = "".join(_comments_after(document.body[at][1]))
    document.remove(key)
    document.body[at] = (None, Whitespace(comments.lstrip("\r\n")))


def _comments_after(table: Any) -> list[str]:
    """What stands behind the last field of a table, piece by piece."""
    pieces: list[str] = []
    body = table.value.body
    for key, item in reversed(body):
        if key is None:
            pieces.insert(0, item.as_string())
        else:
            return (_comments_after(item) if hasattr(item, "is_aot_element") else []) + pieces
    return pieces


def _item(text: str, field: str, value: Any) -> Item:
    """A value as it stands in the document of that text."""
    import tomlkit

    line = _line(field, value)
    return tomlkit.value(_as_in(text, line.partition(" = ")[2]))


def _checked(text: str, wanted: Mapping[str, Any]) -> str:
    if _parsed(text) == wanted:
        return text
    raise Refused(UNUSUAL)


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError:
        return None


# -- as text ---------------------------------------------------------------------------------------


def _as_in(text: str, new: str) -> str:
    """New lines with the ends that lines of the text have."""
    return new.replace("\n", "\r\n") if "\r\n" in text.partition("\n")[0] + "\n" else new


def _line(field: str, value: Any) -> str:
    """A field as a line; a list that is long on several."""
    if not isinstance(value, list):
        return f"{_quoted(field)} = {_value(value)}"
    parts = [_value(each) for each in value]
    line = f"{_quoted(field)} = [{', '.join(parts)}]"
    if len(line) < WIDEST:
        return line
    inside = "".join(f"    {part},\n" for part in parts)
    return f"{_quoted(field)} = [\n{inside}]"


def _value(value: Any) -> str:
    import tomli_w  # here, since most of what reads a campaign's rows never writes them

    if isinstance(value, str) and not _CONTROL.search(value):
        return _text(value)
    several_lines = isinstance(value, str) and "\n" in value
    text = tomli_w.dumps({"x": value}, multiline_strings=several_lines)
    return text.removeprefix("x = ").rstrip("\n")


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def _text(text: str) -> str:
    """A text without control characters, as tomli-w writes it, which takes long over long ones."""
    if '"' in text and not {"'", "\\", "\n"} & set(text):
        return f"'{text}'"  # an attack with its name in quotes is easier to read so
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"""\n{escaped}"""' if "\n" in text else f'"{escaped}"'


def _quoted(key: str) -> str:
    import tomli_w

    return key if _BARE.fullmatch(key) else tomli_w.dumps({key: 0}).removesuffix(" = 0\n")


# -------------------------------------------------------------------------------------------------
# The line at which a row of a campaign's file, or a field of it, stands.

_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")
_NAMED = re.compile(r"\[([^\]]+)\]|`([\w-]+)`")
_MARK = "\ue000"


def toml_line_number(text: str, message: str) -> int:
    """The line of a TOML file that a refusal is about, which names its table: 3 for
    "[effects.mired] speed: ...", where that field stands there, else the line of its row or table.

    0 where it names none that is there.
    """
    named = _NAMED.match(message)
    if named is None:
        return 0
    row = tuple((named[1] or named[2]).split("."))
    fields = ((*row, "".join(word)) for word in _PART.findall(message[named.end() :]))
    tables = (row[:length] for length in range(len(row), 0, -1))
    return line_at(text, [*fields, *tables])


def line_at(text: str, paths: Iterable[Sequence[str]]) -> int:
    """The line of the first of these that is in a TOML file: `("mired", "speed")` is a field of a
    table. 0 where none is."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    paths = [*paths]
    for head, part, _ in parts(text, {path[0] for path in paths}):
        try:
            document = tomlkit.parse(part)
        except TOMLKitError:
            continue
        lines = (
            _lines_line(document, item) for path in paths for item in _items(document.body, path)
        )
        found = next(filter(None, lines), 0)
        if found:
            return found + head.count("\n")
    return 0


def _items(body: Iterable[tuple[Any, Any]], path: Sequence[str]) -> Iterator[Any]:
    """What stands there by that name, in whichever letters that is written."""
    for key, item in body:
        if key is None or key.key.casefold() != path[0].casefold():
            continue
        if len(path) == 1:
            yield item
            continue
        for inner in _inside(item):
            yield from _items(inner, path[1:])


def _inside(item: Any) -> list[list[tuple[Any, Any]]]:
    """What stands in a table, or in each of several of one name."""
    tables = getattr(item, "body", None) or [item]
    return [table.value.body for table in tables if hasattr(table.value, "body")]


def _lines_line(document: TOMLDocument, item: Any) -> int:
    """The line on which it begins, found by a mark before it; of a table that has no heading, that
    of the first that is in it."""
    was = item.trivia.indent
    item.trivia.indent = _MARK
    before, mark, _ = document.as_string().partition(_MARK)
    item.trivia.indent = was
    if mark:
        return before.count("\n") + 1
    inner = (each for body in _inside(item) for key, each in body if key is not None)
    return next(filter(None, (_lines_line(document, each) for each in inner)), 0)
