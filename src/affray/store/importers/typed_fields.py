"""Read tables of other programs' files as structs in which their format can be read.

A field of another shape than its struct says costs that field alone.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, TypeVar, get_args, get_origin

from msgspec import UNSET, Meta, Struct, ValidationError, convert
from msgspec.structs import fields

Number = int | float | str | None
"""A number, a text with one, or a formula."""
Count = int | float | Annotated[str, Meta(pattern=r"\d")] | None
"""A number, or a text with one."""
Text = Number | list[str]
"""A text, or its lines."""
Misfits = dict[str, list[Any]]
"""What is of another shape than a format says, by its path: `{"hp.formula": [["2d6"]]}`."""
_Kind = TypeVar("_Kind", bound=Struct)


def read_fields(given: dict[str, Any], kind: type[_Kind], misfits: Misfits) -> _Kind:
    """A table as a struct, in which what is null or of another shape is as if it were missing;
    what is of another shape goes into `misfits` by its path."""
    with suppress(ValidationError):
        return convert(given, kind)
    return convert(_fitting(given, kind, "", misfits), kind)


def _fitting(given: Any, kind: Any, path: str, misfits: Misfits) -> Any:
    """A value without the parts that don't fit; UNSET if it doesn't fit at all."""
    with suppress(ValidationError):
        convert(given, kind)
        return given
    for each in get_args(kind) if isinstance(kind, UnionType) else (kind,):
        form, of = get_origin(each) or each, get_args(each)
        if isinstance(given, list) and form is list:
            parts = [_fitting(part, of[0], path, misfits) for part in given]
            return [part for part in parts if part is not UNSET]
        if isinstance(given, dict) and isinstance(form, type) and issubclass(form, Struct | dict):
            kinds = dict.fromkeys(given, of[1]) if of else _kinds(form)
            table = {
                key: _fitting(part, kinds[key], f"{path}.{key}".lstrip("."), misfits)
                for key, part in given.items()
                if key in kinds
            }
            fitting = {key: part for key, part in table.items() if part is not UNSET}
            with suppress(ValidationError):  # if a field that a struct must have is among them
                convert(fitting, each)
                return fitting
    if given not in (None, ""):
        misfits.setdefault(path, []).append(given)
    return UNSET


@lru_cache
def _kinds(form: type[Struct]) -> dict[str, Any]:
    return {field.encode_name: field.type for field in fields(form)}
