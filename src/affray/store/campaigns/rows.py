"""A file of rows as text, changed in one place: comments, order and all else stay as they are.

    >>> with_field(text, "eel", "hp", 12)      # of [eel] alone the line `hp = ...` is another

What is written is read again and compared, so that a file that is laid out in a way that isn't
understood here is refused, and never spoiled.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

import tomli

from affray.core.language.refusal import Refused

Row = dict[str, Any]
UNUSUAL = "is laid out in a way that can't be edited here: change it in an editor"
WIDEST = 96
"""Lists that are longer than this stand on several lines."""


class _Span(NamedTuple):
    """From which line on something stands, and the line behind it."""

    begins: int
    ends: int


def with_rows(text: str, more: Mapping[str, Row]) -> str:
    """The text with those rows behind all others. Raises Refused where one is there already."""
    was = tomli.loads(text)
    for key in more:
        if key in was:
            raise Refused(f"there is a {key!r} already")
    rows = (
        f"[{_quoted(key)}]\n{''.join(_told(field, value) for field, value in row.items())}"
        for key, row in more.items()
    )
    blank = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return _checked(f"{text}{blank}" + "\n".join(rows), {**was, **more}) if more else text


def without_rows(text: str, keys: Collection[str]) -> str:
    """The text without the rows of those keys; what stands behind their last fields stays."""
    was, lines = tomli.loads(text), text.splitlines(keepends=True)
    blocks = _blocks(lines)
    if any(key not in blocks for key in keys):
        raise Refused(UNUSUAL)
    for block in sorted((blocks[key] for key in keys), reverse=True):
        ends = max((span.ends for _, span in _fields(lines, block)), default=block.begins + 1)
        while ends < len(lines) and not lines[ends].strip():
            ends += 1
        del lines[block.begins : ends]
    return _checked("".join(lines), {k: row for k, row in was.items() if k not in keys})


def with_field(text: str, key: str, field: str, value: Any) -> str:
    """The text in which that row's field has another value; None takes the field out of it.

    A field that is new stands behind the others, and what stands behind a value stays there.
    """
    was, lines = tomli.loads(text), text.splitlines(keepends=True)
    block = _block(lines, key)
    spans = dict(_fields(lines, block))
    new = [] if value is None else [_told(field, value)]
    if field in spans:
        begins, ends = spans[field]
        if new and ends == begins + 1:
            new = [_with_comment(new[0], lines[begins])]
        lines[begins:ends] = new
    else:
        ends = max((span.ends for span in spans.values()), default=block.begins + 1)
        if ends and not lines[ends - 1].endswith("\n"):
            lines[ends - 1] += "\n"
        lines[ends:ends] = new
    row = {name: said for name, said in {**was[key], field: value}.items() if said is not None}
    return _checked("".join(lines), {**was, key: row})


def _checked(text: str, wanted: dict[str, Row]) -> str:
    try:
        if tomli.loads(text) == wanted:
            return text
    except tomli.TOMLDecodeError:
        pass
    raise Refused(UNUSUAL)


def _block(lines: list[str], key: str) -> _Span:
    """The lines of a row, from its heading up to the next heading. Raises Refused for none."""
    blocks = _blocks(lines)
    if key not in blocks:
        raise Refused(UNUSUAL)
    return blocks[key]


def _blocks(lines: list[str]) -> dict[str, _Span]:
    """The lines of all rows, by their keys; of two headings alike, those of the first."""
    headings = [(at, name) for at, line in enumerate(lines) if (name := _heading(line)) is not None]
    ends = [*(at for at, _ in headings[1:]), len(lines)]
    spans = [(name, _Span(at, end)) for (at, name), end in zip(headings, ends, strict=False)]
    return dict(reversed(spans))


def _heading(line: str) -> str | None:
    """The key of the row that begins in a line such as `[eel]  # the big one`."""
    if not line.lstrip().startswith("["):
        return None
    found = _parsed(line)
    is_one = found is not None and len(found) == 1 and list(found.values()) == [{}]
    return next(iter(found)) if found and is_one else None


def _fields(lines: list[str], block: _Span) -> Iterator[tuple[str, _Span]]:
    """Each field of a row with the lines on which it stands. Raises Refused for what is none."""
    at = block.begins + 1
    while at < block.ends:
        if not lines[at].strip() or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        whole = (n for n in range(at + 1, block.ends + 1) if _parsed("".join(lines[at:n])))
        ends = next(whole, None)
        if ends is None:
            raise Refused(UNUSUAL)
        (field,) = _parsed("".join(lines[at:ends])) or ("",)
        yield field, _Span(at, ends)
        at = ends


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError:
        return None


def _with_comment(new: str, old: str) -> str:
    """The new line with the comment of the old one, if that has one."""
    said = _parsed(old)
    for at in range(len(old)):
        if old[at] == "#" and _parsed(old[:at]) == said:
            return f"{new.rstrip()}  {old[at:].rstrip()}\n"
    return new


def _told(field: str, value: Any) -> str:
    """A field as a line; a list that is long on several."""
    if not isinstance(value, list):
        return f"{_quoted(field)} = {_value(value)}\n"
    parts = [_value(each) for each in value]
    line = f"{_quoted(field)} = [{', '.join(parts)}]\n"
    if len(line) <= WIDEST:
        return line
    inside = "".join(f"    {part},\n" for part in parts)
    return f"{_quoted(field)} = [\n{inside}]\n"


def _value(value: Any) -> str:
    import tomli_w  # here, since most of what reads a campaign's rows never writes them

    if isinstance(value, str) and not _CONTROL.search(value):
        return _text(value)
    several_lines = isinstance(value, str) and "\n" in value
    told = tomli_w.dumps({"x": value}, multiline_strings=several_lines)
    return told.removeprefix("x = ").rstrip("\n")


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
