"""What an import says when it is done: line by line, what came over and what did not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from affray.core.language.refusal import listed
from affray.core.rules.imported import parts
from affray.store.campaigns.files import BESTIARY, PARTY
from affray.store.importing.bringing import Brought
from affray.store.importing.making import Made
from affray.store.importing.reading import Source

WHO = "creature"
MATTERS = re.compile(r"resistance|immunity|vulnerability|saves|attacks|aura")
"""The parts of a creature whose loss decides something in a fight."""
NAMED = 3
"""How many creatures a line names before it counts them."""


def report(brought: Brought) -> list[str]:
    """All lines: what was read, what came of it, and what has no place in the rows."""
    return [
        *_read(brought.sources),
        *_came(brought),
        *_not_brought(brought),
        *_proposed(brought),
        *_left(brought),
        *brought.lines,
    ]


def _read(sources: list[Source]) -> Iterator[str]:
    """A line a format in a folder; then what could not be read, each reason once."""
    groups: dict[str, list[Source]] = {}
    for source in sources:
        if not source.fault:
            path = source.path if len(sources) == 1 else source.path.parent
            groups.setdefault(f"{path}: {source.format}", []).append(source)
    for where, group in groups.items():
        people = sum(len(source.contents.creatures) for source in group)
        fights = sum(len(source.contents.meetings) for source in group)
        more = f", {_count(fights, 'encounter')}" if fights else ""
        files = f" in {len(group)} files" if len(group) > 1 else ""
        yield f"{where}, {_count(people, 'creature')}{more}{files}"
    faults: dict[str, list[Path]] = {}
    for source in sources:
        if source.fault:
            faults.setdefault(source.fault, []).append(source.path)
    for fault, paths in faults.items():
        if len(paths) == 1:
            yield f"not read: {paths[0]}: {fault}"
        else:
            yield f"not read: {len(paths)} files: {fault}: {_names(path.name for path in paths)}"
    for source in sources:
        yield from (f"not read: {source.path.name}: {line}" for line in source.contents.left)


def _came(brought: Brought) -> Iterator[str]:
    creatures, people = len(brought.rows[BESTIARY]), len(brought.rows[PARTY])
    fights = f"{_count(len(brought.meetings), 'encounter')}: {listed(brought.meetings, 'and')}"
    told = [
        f"{_count(creatures, 'creature')} into {BESTIARY}" if creatures else "",
        f"{_count(people, 'character')} into {PARTY}" if people else "",
        fights if brought.meetings else "",
    ]
    yield "; ".join(filter(None, told)) or "nothing new"


def _not_brought(brought: Brought) -> Iterator[str]:
    if brought.replaced:
        yield f"in the place of those there were: {_names(brought.replaced)}"
    if brought.kept:
        yield f"kept as it was, being there already: {_names(brought.kept)}"
    again: dict[str, list[str]] = {}
    for name, where in brought.again:
        again.setdefault(where, []).append(name)
    for where, names in again.items():
        told = listed([*dict.fromkeys(names)], "and")
        yield f"left out, of the same name as one read before: {where}: {told}"
    for name, why in brought.out:
        yield f"left out: {name}: {why}"


def _proposed(brought: Brought) -> Iterator[str]:
    """Which words of rows are a reading of another game's numbers."""
    rows = [made for made in _rows(brought) if made.proposed]
    words = dict.fromkeys(word for made in rows for word in made.proposed)
    if rows:
        told = listed([*words], "and")
        yield f"proposed, since another game has other numbers: {told} of {_count(len(rows), WHO)}"
        yield "  what you change of them in the form of a creature (`p`, enter) is proposed no more"


def _left(brought: Brought) -> Iterator[str]:
    """What stands in the text of a row alone: each once, with whose it is. What of it matters in a
    fight comes first, what can be used but not by a row then, and what only describes last."""
    whose: dict[str, list[str]] = {}
    describes: dict[str, None] = {}
    does: Counter[str] = Counter()
    for made in _rows(brought):
        features = {row.name for row in made.creature.features}
        known = parts(made.creature)
        for what in made.left:
            of, mark, more = what.partition(": ")
            if what in features:
                does[what] += 1
            elif mark and of in features:
                whose.setdefault(more, []).append(f"{of} ({made.name})")
            elif what in known and not MATTERS.search(what):
                describes[what] = None
            else:
                whose.setdefault(what, []).append(made.name)
    if whose or describes or does:
        yield "in the text alone, with no place of its own in the row:"
    yield from (f"  {what}: {_names(names)}" for what, names in whose.items())
    if does:
        told = (f"{name} ({_count(number, WHO)})" for name, number in does.most_common())
        yield f"  what they can do besides: {_names(told)}"
    if describes:
        yield f"  and what they are besides: {', '.join(describes)}"


def _rows(brought: Brought) -> Iterator[Made]:
    return (made for rows in brought.rows.values() for made in rows)


def _names(names: Iterable[str]) -> str:
    row = [*names]
    if len(row) <= NAMED + 1:
        return listed(row, "and")
    return f"{', '.join(row[:NAMED])} and {len(row) - NAMED} more"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
