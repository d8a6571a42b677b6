"""Write a recap as sections of lines, tables and charts (`sections_of`), in Markdown or HTML.

`players_recap` is the recap that players may read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.history import History
from affray.core.engine.settings import PLAYERS_TITLE
from affray.core.engine.state import Life, Side
from affray.core.formatting.pieces import LIVES
from affray.core.formatting.recap import (
    NamedCount,
    Recap,
    RecapAction,
    RecapCombatant,
    RecapOutcome,
    RecapRound,
    recap_of,
    seen_deeds,
)
from affray.core.formatting.safe_text import local_day, pad, to_one_line, widest
from affray.core.formatting.visibility import names_of_met, shows_numbers
from affray.core.parser.errors import join_or
from affray.core.rules.ruleset import Ruleset

# -------------------------------------------------------------------------------------------------
# Deeds, outcomes, turning points and times, each in one line.


def format_duration(seconds: int) -> str:
    """`1 h 5 min`, `2 min 5 s`, `45 s`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    if minutes:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{rest} s"


def format_counts(amounts: tuple[NamedCount, ...]) -> str:
    """`Strike 3, Move, Aid`."""
    lines = (f"{each.name} {each.amount}" if each.amount > 1 else each.name for each in amounts)
    return to_one_line(", ".join(lines))


def format_amounts(amounts: tuple[NamedCount, ...]) -> str:
    """`Threads 1, Fatigue 2`."""
    return to_one_line(", ".join(f"{each.name} {each.amount}" for each in amounts))


def deed_in_words(deed: RecapAction, name: Callable[[str], str]) -> str:
    """Describe an act and its outcomes by the log's line, else by actor and act, with the name for
    each id."""
    if deed.line:
        return to_one_line(deed.line)
    done = [f"{name(deed.by)}: {deed.what}"] if deed.by else []
    lines = [*done, *(outcome_in_words(outcome, name) for outcome in deed.outcomes)]
    return to_one_line(" · ".join(dict.fromkeys(lines)))


def outcome_in_words(outcome: RecapOutcome, name: Callable[[str], str]) -> str:
    """`Pell −11 HP, 4 left`, `Pell is dying`, `Pell: prone`, `at Pell: weak`."""
    if outcome.kind in ("roll", "effect"):
        whom = f"at {name(outcome.who)}" if outcome.kind == "roll" else name(outcome.who)
        return f"{whom}: {outcome.words}"
    return f"{name(outcome.who)} {outcome.words}" if outcome.who else outcome.words


def turning_points(recap: Recap) -> list[str]:
    """List the hardest hit, the turning point, and for each round who fell, rose and died."""
    return [to_one_line(line) for line in (*_blow(recap), *_swing(recap), *_lives(recap))]


def _blow(recap: Recap) -> Iterator[str]:
    blow = recap.blow
    if blow is not None:
        by = f"{recap.name(blow.by)} on " if blow.by else "on "
        amount = "" if blow.amount is None else f", {blow.amount} {recap.health}"
        yield f"The hardest hit: {by}{recap.name(blow.who)}{amount} ({blow.heading.lower()})"


def _swing(recap: Recap) -> Iterator[str]:
    swing = recap.swing
    if swing is None:
        return
    gainers = "the party" if swing.gained == "party" else "their foes"
    if swing.before is None or swing.after is None:
        yield f"{swing.heading} swung it for {gainers}"
        return
    sides = zip(("the party", "the foes"), ("its", "their"), swing.before, swing.after, strict=True)
    changed = [
        (f"{side} from {before}% to {after}%", f" of {whose} {recap.health}")
        for side, whose, before, after in sides
        if before != after
    ]
    words = ", ".join(text + of * (n == 0) for n, (text, of) in enumerate(changed))
    yield f"{swing.heading} swung it for {gainers}: {words}"


def _lives(recap: Recap) -> Iterator[str]:
    """The fallen, the risen and the dead of a round, in one line."""
    for chapter in recap.chapters:
        lines = []
        for deed in chapter.deeds if chapter.round else ():
            for outcome in deed.outcomes:
                if outcome.kind == "life":
                    is_downed = outcome.by and outcome.life not in ("up", "stable")
                    by = f", by {recap.name(outcome.by)}" if is_downed else ""
                    lines.append(outcome_in_words(outcome, recap.name) + by)
        if lines:
            yield f"{chapter.heading}: {'; '.join(lines)}"


class Table(Struct, frozen=True):
    """Rows of as many cells as there are headers; the first cell of a row is a name."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Bar(Struct, frozen=True):
    """One bar of a chart: its name, its length, the label of that, and the side for its colour."""

    name: str
    amount: int
    label: str
    side: Side = "party"


class BarChart(Struct, frozen=True):
    """A chart of bars, the longest first."""

    title: str
    rows: tuple[Bar, ...]


class LineChart(Struct, frozen=True):
    """A curve with values from 0 to 100 for each name, over the same places, such as rounds."""

    title: str
    places: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


class Section(Struct, frozen=True):
    """A heading (of level 1 to 3) with its content."""

    heading: str
    level: int = 2
    lines: tuple[str, ...] = ()
    table: Table | None = None
    curves: LineChart | None = None
    bars: tuple[BarChart, ...] = ()


def sections_of(recap: Recap) -> list[Section]:
    """The whole recap, in reading order."""
    sections = [Section(to_one_line(recap.title) or "A fight", 1, tuple(_summary(recap)))]
    if recap.rounds:
        of_rounds = (
            Section("Turning points", lines=tuple(turning_points(recap))),
            _charts(recap),
            Section("Who did what", lines=tuple(_deeds(recap)), table=_table(recap)),
        )
        sections += (
            section for section in of_rounds if section.lines or section.table or section.bars
        )
    chapters = [chapter for chapter in recap.chapters if chapter.deeds]
    sections += [Section("The story")] if chapters else []
    for chapter in chapters:
        lines = (deed_in_words(deed, recap.name) for deed in chapter.deeds)
        sections.append(Section(chapter.heading, 3, tuple(lines)))
    return sections


# -- the beginning ---------------------------------------------------------------------------------


def _summary(recap: Recap) -> Iterator[str]:
    when = local_day(recap.began) if recap.began else ""
    time = f"{format_duration(recap.seconds)} at the table" if recap.seconds else ""
    yield " · ".join(filter(None, (to_one_line(recap.game), when, how_far(recap), time)))
    for side, name in (("party", "Party"), ("foes", "Foes"), ("others", "Others")):
        text = _how_they_are(recap, side)
        if text:
            yield f"{name}: {text}"
    if recap.gm_spent:
        yield f"The GM spent: {format_amounts(recap.gm_spent)}"


def how_far(recap: Recap) -> str:
    """`over after 5 rounds`, `in round 3`, `not begun`."""
    if recap.phase == "ended":
        return f"over after {recap.rounds} round{'s' if recap.rounds != 1 else ''}"
    if recap.phase == "combat":
        return f"in {recap.chapters[-1].heading.lower()}"
    return "not begun"


def _how_they_are(recap: Recap, side: str) -> str:
    """`Tamsin and Ilse are standing; Pell is dying; Bramble has left`."""
    groups: dict[Life | None, list[str]] = {}
    for person in recap.people:
        if person.side == side:
            groups.setdefault(person.life, []).append(person.name)
    parts = (f"{join_or(names, 'and')} {_is(life, names)}" for life, names in groups.items())
    return to_one_line("; ".join(parts))


def _is(life: Life | None, names: list[str]) -> str:
    if life is None:
        return "have left" if names[1:] else "has left"
    return f"{'are' if names[1:] else 'is'} {'standing' if life == 'up' else LIVES[life]}"


# -- who did what ----------------------------------------------------------------------------------


def _took_part(recap: Recap) -> list[RecapCombatant]:
    return [p for p in recap.people if p.turns or p.did or p.dealt or p.taken or not p.is_named]


_COLUMNS = (
    ("Dealt", "dealt"),
    ("Taken", "taken"),
    ("Hardest hit", "largest"),
    ("Healed", "gave"),
    ("Regained", "regained"),
    ("Criticals", "criticals"),
    ("Fumbles", "fumbles"),
    ("Turns", "turns"),
)


def _table(recap: Recap) -> Table | None:
    """Everybody's numbers; columns in which all are 0 are left out."""
    people = [person for person in _took_part(recap) if person.is_named]
    columns = [(title, name) for title, name in _COLUMNS if any(getattr(p, name) for p in people)]
    if not columns:
        return None
    timed = any(person.seconds for person in people)
    rows = []
    for person in people:
        cells = [str(getattr(person, name) or "–") for _, name in columns]
        times = (person.seconds, _mean(person), person.longest) if timed else ()
        cells += map(format_duration, times)
        rows.append((to_one_line(person.name), *cells))
    titles = [title for title, _ in columns] + (["In all", "A turn", "Longest"] if timed else [])
    return Table(("", *titles), tuple(rows))


def _mean(person: RecapCombatant) -> int:
    return round(person.seconds / person.turns) if person.turns else 0


def _deeds(recap: Recap) -> Iterator[str]:
    for person in _took_part(recap):
        parts = [format_counts(person.did)]
        parts += [f"spent {format_amounts(person.spent)}"] if person.spent else []
        parts += [f"earned {format_amounts(person.earned)}"] if person.earned else []
        line = "; ".join(filter(None, parts))
        if line:
            yield f"{to_one_line(person.name)}: {line}"


# -- charts ----------------------------------------------------------------------------------------


def _charts(recap: Recap) -> Section:
    people = [person for person in recap.people if person.is_named]
    charts = (
        BarChart("Damage dealt", _bars([(p, p.dealt) for p in people])),
        BarChart("Damage taken", _bars([(p, p.taken) for p in people])),
        BarChart("A turn, on average", _bars([(p, _mean(p)) for p in people], timed=True)),
    )
    shown = tuple(bars for bars in charts if bars.rows)
    return Section("How it went", curves=curves_of(recap), bars=shown)


def _bars(amounts: list[tuple[RecapCombatant, int]], timed: bool = False) -> tuple[Bar, ...]:
    row = sorted(((p, n) for p, n in amounts if n > 0), key=lambda pair: -pair[1])
    return tuple(
        Bar(to_one_line(p.name), n, format_duration(n) if timed else str(n), p.side) for p, n in row
    )


def curves_of(recap: Recap) -> LineChart | None:
    """Chart the health of the sides at the end of each round, from 100 on; None without rounds."""
    rounds = [chapter for chapter in recap.chapters if chapter.round]
    rows = []
    for name, values in (
        ("Party", [chapter.party for chapter in rounds]),
        ("Foes", [chapter.foes for chapter in rounds]),
    ):
        numbers = [value for value in values if value is not None]
        if numbers and len(numbers) == len(values):
            rows.append((name, (100, *numbers)))
    places = ("start", *(f"{chapter.round}" for chapter in rounds))
    title = f"{recap.health} left, in percent, round by round"
    return LineChart(title, places, tuple(rows)) if rows else None


def damage_by_round(recap: Recap, side: Side) -> tuple[int, ...]:
    """Return the damage that a side took in each round; unknown amounts count as 0."""
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


# -------------------------------------------------------------------------------------------------
# The players' recap: nobody hidden, no number of a foe's, no line of the log, which may hold
# either. A combatant is not named for what it did while it was hidden.


def players_recap(history: History, ruleset: Ruleset) -> Recap:
    """Build the recap for the players, counted only from what they saw.

    Names and title are those of the players' view.
    """
    recap = recap_of(history, ruleset, only_known=True)
    names = names_of_met(history)
    people = tuple(
        replace(person if shows_numbers(person.side) else _without_numbers(person), name=name)
        for person in recap.people
        for name in (names.get(person.id, person.name),)
    )
    numbered_ids = {person.id for person in people if person.is_named}
    swing, blow = recap.swing, recap.blow
    return replace(
        recap,
        title=recap.title if PLAYERS_TITLE.value(history.state) == "shown" else "",
        people=people,
        chapters=tuple(_chapter(chapter, numbered_ids) for chapter in recap.chapters),
        blow=blow if blow is None or blow.who in numbered_ids else replace(blow, amount=None),
        swing=None if swing is None else replace(swing, before=None, after=None),
        gm_spent=(),
        for_players=True,
    )


def _without_numbers(person: RecapCombatant) -> RecapCombatant:
    return RecapCombatant(
        person.id, person.name, person.side, is_named=False, life=person.life, did=person.did
    )


def _chapter(chapter: RecapRound, numbered_ids: set[str]) -> RecapRound:
    """A round without numbers; acts before and after the fight are for the GM alone."""
    deeds = without_numbers(chapter.deeds, numbered_ids) if chapter.round else ()
    return replace(chapter, deeds=tuple(deeds), foes=None)


def players_deeds(
    deeds: Iterable[RecapAction], numbered_ids: set[str], known_ids: set[str]
) -> Iterator[RecapAction]:
    """The acts as players see them, without the numbers that they don't know.

    Args:
        numbered_ids: those whose numbers the players know.
        known_ids: those whom the players see.
    """
    return without_numbers(seen_deeds(deeds, known_ids), numbered_ids)


def without_numbers(deeds: Iterable[RecapAction], numbered_ids: set[str]) -> Iterator[RecapAction]:
    """Return the acts, with amounts only for `numbered_ids`."""
    for deed in deeds:
        outcomes = tuple(
            outcome if outcome.who in numbered_ids else _without_amount(outcome)
            for outcome in deed.outcomes
        )
        yield replace(deed, outcomes=outcomes)


def _without_amount(outcome: RecapOutcome) -> RecapOutcome:
    if outcome.kind not in ("damage", "healing"):
        return outcome
    words = "is hurt" if outcome.kind == "damage" else "is healed"
    return replace(outcome, words=words, amount=None)


# -------------------------------------------------------------------------------------------------
# Markdown, for notes or a chat.

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")
_AT_START = re.compile(r"^(\s*)([-+=>]|\d+[.)])(?=\s|$)")
_LEVELS = "▁▂▃▄▅▆▇█"
_WIDEST = 30


def markdown(recap: Recap) -> str:
    """The whole recap, ending in a line end."""
    return "\n\n".join(part for section in sections_of(recap) for part in _parts(section)) + "\n"


def _parts(section: Section) -> Iterator[str]:
    yield f"{'#' * section.level} {escape_markdown(section.heading)}"
    if section.level == 1:
        yield from map(escape_markdown, section.lines)
    elif section.lines:
        yield "\n".join(f"- {escape_markdown(line)}" for line in section.lines)
    if section.table is not None:
        yield _markdown_table(section.table)
    charts = [*_curves(section.curves), *(_markdown_bars(bars) for bars in section.bars)]
    if charts:
        yield "```text\n" + "\n\n".join(charts) + "\n```"


def escape_markdown(text: str) -> str:
    """Text in which nothing is markup."""
    return _AT_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text))


def _markdown_table(table: Table) -> str:
    rows = [table.headers, ("---", *("---:" for _ in table.headers[1:]))]
    lines = [f"| {' | '.join(rows[0])} |", f"| {' | '.join(rows[1])} |"]
    return "\n".join(
        [*lines, *(f"| {' | '.join(map(escape_markdown, row))} |" for row in table.rows)]
    )


def sparkline(values: tuple[int, ...]) -> str:
    """Values from 0 to 100 as a row of blocks."""
    return "".join(_LEVELS[min(max(value, 0), 99) * len(_LEVELS) // 100] for value in values)


def _curves(curves: LineChart | None) -> Iterator[str]:
    if curves is not None:
        wide = widest(name for name, _ in curves.rows)
        lines = (
            f"{pad(name, wide)}  {sparkline(values)}  {values[-1]}%" for name, values in curves.rows
        )
        yield "\n".join([curves.title, *lines])


def _markdown_bars(bars: BarChart) -> str:
    wide = widest(bar.name for bar in bars.rows)
    most = max(bar.amount for bar in bars.rows)
    lines = []
    for bar in bars.rows:
        name = bar.name.replace("`", "'")  # which would end the block of code
        block = "▇" * max(1, _WIDEST * bar.amount // most)
        lines.append(f"{pad(name, wide)}  {block} {bar.label}")
    return "\n".join([bars.title, *lines])


# -------------------------------------------------------------------------------------------------
# HTML: one page with its own style and charts; nothing is fetched.

_STYLE = """
:root { color-scheme: light dark; --ink: #1d1f23; --pale: #6a6f78; --paper: #fbfaf7;
  --line: #d9d6ce; --party: #2f6db3; --foes: #b3402f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e5df; --pale: #9a9da3; --paper: #17181b;
  --line: #35373c; --party: #6ea8e8; --foes: #e8806e; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: .2rem; } h2 { margin-top: 2rem; border-bottom: 1px solid var(--line); }
h3 { margin-bottom: .3rem; } ul { margin-top: .3rem; padding-left: 1.2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th { color: var(--pale); font-weight: normal; }
svg { width: 100%; height: auto; display: block; margin: .5rem 0 1.2rem; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .pale { fill: var(--pale); }
"""
_WIDTH = 720
_NAMES, _SAID = 180, 90
"""Room for names at the left of bars, and for numbers after them."""
_HEIGHT, _BOTTOM = 200, 228
_MARGIN, _ASIDE, _APART = 36, 60, 15
"""Room for percents at the left of curves and for names after them, and between two names."""
_MOST_LETTERS = 24
"""The most letters of a name beside a bar."""
_INKS = ("var(--party)", "var(--foes)")


def render_html(recap: Recap) -> str:
    """The whole page."""
    sections = sections_of(recap)
    title = escape(sections[0].heading)
    body = "\n".join(part for section in sections for part in _page_parts(section))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _page_parts(section: Section) -> Iterator[str]:
    yield f"<h{section.level}>{escape(section.heading)}</h{section.level}>"
    if section.level == 1:
        yield from (f"<p>{escape(line)}</p>" for line in section.lines)
    elif section.lines:
        yield "\n".join(["<ul>", *(f"<li>{escape(line)}</li>" for line in section.lines), "</ul>"])
    if section.table is not None:
        yield _page_table(section.table)
    if section.curves is not None:
        yield _page_curves(section.curves)
    yield from map(_page_bars, section.bars)


def _page_table(table: Table) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table.headers)
    rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in table.rows)
    lines = [f"<tr>{head}</tr>", *(f"<tr>{row}</tr>" for row in rows)]
    return "\n".join(['<div class="scroll"><table>', *lines, "</table></div>"])


def _page_bars(bars: BarChart) -> str:
    """A bar for each, its name before it and its number after it."""
    most = max(bar.amount for bar in bars.rows)
    room = _WIDTH - _NAMES - _SAID
    drawn = [_text(0, 16, bars.title, "pale")]
    for number, bar in enumerate(bars.rows):
        top, long = 28 + 24 * number, max(2, room * bar.amount // most)
        ink = _INKS[bar.side == "foes"]
        drawn.append(_text(0, top + 13, _short(bar.name)))
        drawn.append(
            f'<rect x="{_NAMES}" y="{top}" width="{long}" height="16" rx="2" fill="{ink}"/>'
        )
        drawn.append(_text(_NAMES + long + 6, top + 13, bar.label))
    return _svg(bars.title, 28 + 24 * len(bars.rows), drawn)


def _page_curves(curves: LineChart) -> str:
    """A line for each side over the rounds, from 100 percent down to 0."""
    step = (_WIDTH - _MARGIN - _ASIDE) / max(len(curves.places) - 1, 1)
    drawn = [_text(0, 16, curves.title, "pale"), *_grid(), *_places(curves.places, step)]
    ends: list[tuple[float, float, str]] = []
    for ink, (name, values) in zip(_INKS, curves.rows, strict=False):
        dots = [(_MARGIN + step * n, _BOTTOM - _HEIGHT * v / 100) for n, v in enumerate(values)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        drawn.append(f'<polyline points="{line}" fill="none" stroke="{ink}" stroke-width="2.5"/>')
        ends.append((dots[-1][1] + 4, dots[-1][0] + 6, name))
    below = 0.0
    for high, x, name in sorted(ends):  # of two that end close together one is named below
        below = max(high, below + _APART)
        drawn.append(_text(x, below, name))
    return _svg(curves.title, _BOTTOM + 26, drawn)


def _grid() -> Iterator[str]:
    for percent in (0, 50, 100):
        y = _BOTTOM - _HEIGHT * percent // 100
        yield (
            f'<line x1="{_MARGIN}" x2="{_WIDTH - _ASIDE}" y1="{y}" y2="{y}" stroke="var(--line)"/>'
        )
        yield _text(0, y + 4, str(percent), "pale")


def _places(places: Sequence[str], step: float) -> Iterator[str]:
    """The rounds below the curves, as many as have room."""
    every = max(1, len(places) // 12)
    for number, place in enumerate(places):
        if number % every == 0:
            yield _text(_MARGIN + step * number, _BOTTOM + 18, place, "pale")


def _svg(title: str, height: int, drawn: list[str]) -> str:
    inside = "\n".join(drawn)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">\n'
        f"{inside}\n</svg>"
    )


def _text(x: float, y: float, text: str, look: str = "") -> str:
    css = f' class="{look}"' if look else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{css}>{escape(text)}</text>'


def _short(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[: _MOST_LETTERS - 1]}…"
