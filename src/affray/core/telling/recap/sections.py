"""A recap as sections of lines, tables and charts, which Markdown, HTML and the screen all draw."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from affray.core.heart.state import Side
from affray.core.language.refusal import listed
from affray.core.telling.event_words import LIVES
from affray.core.telling.plain import one_line
from affray.core.telling.recap.facts import Person, Recap
from affray.core.telling.recap.words import (
    deed_in_words,
    duration,
    much,
    often,
    turning_points,
)


class Table(Struct, frozen=True):
    """Rows of as many cells as there are headers; the first cell of a row is a name."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Bar(Struct, frozen=True):
    """One bar of a chart: whose it is, how long, how that is told, and their side."""

    name: str
    amount: int
    said: str
    side: Side = "party"


class Bars(Struct, frozen=True):
    """A bar for each of some people, the longest first."""

    title: str
    rows: tuple[Bar, ...]


class Curves(Struct, frozen=True):
    """A curve for each name, over the same places; from 0 to 100."""

    title: str
    places: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


class Section(Struct, frozen=True):
    """A heading (of level 1 to 3), and what stands below it."""

    heading: str
    level: int = 2
    lines: tuple[str, ...] = ()
    table: Table | None = None
    curves: Curves | None = None
    bars: tuple[Bars, ...] = ()


def sections_of(recap: Recap) -> list[Section]:
    """The whole recap, in the order in which it is read."""
    found = [Section(one_line(recap.title) or "A fight", 1, tuple(_summary(recap)))]
    if recap.rounds:
        of_rounds = (
            Section("Turning points", lines=tuple(turning_points(recap))),
            _charts(recap),
            Section("Who did what", lines=tuple(_deeds(recap)), table=_table(recap)),
        )
        found += (
            section for section in of_rounds if section.lines or section.table or section.bars
        )
    chapters = [chapter for chapter in recap.chapters if chapter.deeds]
    found += [Section("The story")] if chapters else []
    for chapter in chapters:
        told = (deed_in_words(deed, recap.name, recap.health) for deed in chapter.deeds)
        found.append(Section(chapter.heading, 3, tuple(told)))
    return found


# -- the beginning ---------------------------------------------------------------------------------


def _summary(recap: Recap) -> Iterator[str]:
    when = f"{recap.began:%Y-%m-%d}" if recap.began else ""
    time = f"{duration(recap.seconds)} at the table" if recap.seconds else ""
    yield " · ".join(filter(None, (one_line(recap.game), when, how_far(recap), time)))
    for side, name in (("party", "Party"), ("foes", "Foes"), ("others", "Others")):
        told = _how_they_are(recap, side)
        if told:
            yield f"{name}: {told}"
    if recap.gm_spent:
        yield f"The GM spent: {much(recap.gm_spent)}"


def how_far(recap: Recap) -> str:
    """`over after 5 rounds`, `in round 3`, `not begun`."""
    if recap.phase == "ended":
        return f"over after {recap.rounds} round{'s' if recap.rounds != 1 else ''}"
    if recap.phase == "combat":
        return f"in {recap.chapters[-1].heading.lower()}"
    return "not begun"


def _how_they_are(recap: Recap, side: str) -> str:
    """`Tamsin and Ilse are standing; Pell is dying; Bramble has left`."""
    groups: dict[str, list[str]] = {}
    for person in recap.people:
        if person.side == side:
            groups.setdefault(_how_one_is(person), []).append(person.name)
    told = (f"{listed(names, 'and')} {_of(how, len(names))}" for how, names in groups.items())
    return one_line("; ".join(told))


def _how_one_is(person: Person) -> str:
    if person.life is None:
        return "has left"
    return "is standing" if person.life == "up" else LIVES[person.life]


def _of(how: str, count: int) -> str:
    if count == 1:
        return how
    return how.replace("is ", "are ", 1) if how.startswith("is ") else how.replace("has", "have")


# -- who did what ----------------------------------------------------------------------------------


def _took_part(recap: Recap) -> list[Person]:
    return [p for p in recap.people if p.turns or p.did or p.dealt or p.taken or not p.told]


_COLUMNS = (
    ("Dealt", "dealt"),
    ("Taken", "taken"),
    ("Largest blow", "largest"),
    ("Healed", "gave"),
    ("Regained", "regained"),
    ("Criticals", "criticals"),
    ("Fumbles", "fumbles"),
    ("Turns", "turns"),
)


def _table(recap: Recap) -> Table | None:
    """What is told of each in numbers; columns in which nobody has anything are left out."""
    people = [person for person in _took_part(recap) if person.told]
    columns = [(title, name) for title, name in _COLUMNS if any(getattr(p, name) for p in people)]
    if not columns:
        return None
    timed = any(person.seconds for person in people)
    rows = []
    for person in people:
        cells = [str(getattr(person, name) or "–") for _, name in columns]
        cells += [duration(_mean(person)), duration(person.longest)] if timed else []
        rows.append((one_line(person.name), *cells))
    titles = [title for title, _ in columns] + (["A turn", "Longest"] if timed else [])
    return Table(("", *titles), tuple(rows))


def _mean(person: Person) -> int:
    return round(person.seconds / person.turns) if person.turns else 0


def _deeds(recap: Recap) -> Iterator[str]:
    for person in _took_part(recap):
        told = [often(person.did)]
        told += [f"spent {much(person.spent)}"] if person.spent else []
        told += [f"earned {much(person.earned)}"] if person.earned else []
        line = "; ".join(filter(None, told))
        if line:
            yield f"{one_line(person.name)}: {line}"


# -- charts ----------------------------------------------------------------------------------------


def _charts(recap: Recap) -> Section:
    people = [person for person in recap.people if person.told]
    charts = (
        Bars("Damage dealt", _bars([(p, p.dealt) for p in people])),
        Bars("Damage taken", _bars([(p, p.taken) for p in people])),
        Bars("A turn, on average", _bars([(p, _mean(p)) for p in people], timed=True)),
    )
    shown = tuple(bars for bars in charts if bars.rows)
    return Section("How it went", curves=curves_of(recap), bars=shown)


def _bars(amounts: list[tuple[Person, int]], timed: bool = False) -> tuple[Bar, ...]:
    row = sorted(((p, n) for p, n in amounts if n > 0), key=lambda pair: -pair[1])
    return tuple(Bar(one_line(p.name), n, duration(n) if timed else str(n), p.side) for p, n in row)


def curves_of(recap: Recap) -> Curves | None:
    """The health of the sides at the end of each round, from 100 on; None without rounds."""
    rounds = [chapter for chapter in recap.chapters if chapter.round]
    rows = []
    for name, values in (
        ("Party", [chapter.party for chapter in rounds]),
        ("Foes", [chapter.foes for chapter in rounds]),
    ):
        known = [value for value in values if value is not None]
        if known and len(known) == len(values):
            rows.append((name, (100, *known)))
    places = ("start", *(chapter.heading for chapter in rounds))
    title = f"{recap.health} left, in percent, round by round"
    return Curves(title, places, tuple(rows)) if rows else None


def damage_by_round(recap: Recap, side: Side) -> tuple[int, ...]:
    """How much damage those of a side took in each round; what isn't known counts as none."""
    own = {person.id for person in recap.people if person.side == side}
    return tuple(
        sum(
            outcome.amount or 0
            for deed in chapter.deeds
            for outcome in deed.outcomes
            if outcome.kind == "damage" and outcome.who in own
        )
        for chapter in recap.chapters
        if chapter.round
    )
