"""A sheet as a form: what can be said of somebody, and what a line of `add` said of it.

Both come of the rows by which a game reads a sheet (`rulekit.sheets`), so that a form takes what
`add` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from affray.core.heart.decide import Context
from affray.core.language.words import Words, as_said
from affray.core.rules.ruleset import SheetForm, SheetWord
from affray.core.rules.tables import Tables
from affray.rulekit.sheets import Row, parts, read_each


def form(
    rows: Callable[[Tables], Sequence[Row]], alike: Mapping[str, str] | None = None
) -> SheetForm:
    """The form of a sheet of those rows. `alike` are other words for the same: short -> long."""

    def others(name: str) -> tuple[str, ...]:
        return tuple(short for short, long in (alike or {}).items() if long == name)

    def words_of(tables: Tables) -> list[SheetWord]:
        return [
            SheetWord(
                name,
                (row.expects or row.each).format(name),
                row.again,
                others(name),
                row.of,
                bool(row.written),
            )
            for row in rows(tables)
            for name in row.names
        ]

    def spelt(ctx: Context, words: Words) -> list[tuple[str, str]]:
        return [
            (name, as_said(words.words[begins : words.at]))
            for _, name, _, begins in read_each(ctx, words, rows(ctx.tables), alike or {})
        ]

    return SheetForm(words_of, lambda tables, kind: parts(rows(tables), kind), spelt)
