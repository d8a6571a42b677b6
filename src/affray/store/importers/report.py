"""The report of an import: what came over, and what didn't (`report_of`).

`report_lines` are its lines for people, in which what many lost is counted behind some names;
`as_object` is all of it, for scripts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from affray.core.parser.errors import join_or
from affray.core.rules.imported_creature import all_fields
from affray.data_text import Table
from affray.rulesets import known_rulesets, load_ruleset
from affray.store.campaigns import files
from affray.store.importers.detect import DetectedFile
from affray.store.importers.run_import import BestiaryRow, ImportSummary, count_of

FORMAT = 1
"""The number of the object's form, as `docs/stability.md` has it."""
MATTERS = ("resistance", "immunity", "vulnerability", "saves", "attacks", "aura", "unread lines")
"""Words in the names of those parts of a creature whose loss decides something in a fight."""
ROLLED = "attacks, saves and damage"
"""What is lost where a feature that has one of them is in a row's text alone."""
NAMED = 3
"""How many files, or creatures that lost nothing in a fight, a line names before it counts them."""
LOSERS = 20
"""The number of losers of something decisive that a line names before it counts the rest."""
REASONS = 10
"""The number of lines of one kind in a report before the rest is counted."""


class ReadFiles(Struct, frozen=True):
    """Files of one format in a folder, and what was in them."""

    path: str
    format: str
    files: int
    creatures: int
    encounters: int


class Reason(Struct, frozen=True):
    """A reason why something was changed, and the names or files that it applies to."""

    reason: str
    names: list[str]


class Loss(Struct, frozen=True):
    """A creature with something only as text; `ability` is its ability, empty for the creature
    itself."""

    creature: str
    ability: str = ""


class ImportReport(Struct, frozen=True):
    """The report of an import, with every name in it.

    lost        what decides a fight and is in the text alone -> whose it is
    abilities   other abilities in the text alone -> of how many creatures
    properties  fields that are in the text alone, of any creature
    not_used    what files hold that no campaign takes -> their names
    renamed     a name that no row can have -> the name that its row has
    game        the game of most creatures of whose numbers some are proposed
    """

    format: int
    read: list[ReadFiles]
    creatures: list[str]
    characters: list[str]
    encounters: list[str]
    replaced: list[str]
    unchanged: list[str]
    lost: dict[str, list[Loss]]
    left_out: list[Reason]
    twice: list[Reason]
    not_read: list[Reason]
    not_used: list[Reason]
    doubtful: list[Reason]
    no_picture: list[Reason]
    proposed: list[Reason]
    abilities: dict[str, int]
    properties: list[str]
    renamed: dict[str, str]
    notes: list[str]
    game: str = ""


def import_report(brought: ImportSummary) -> list[str]:
    """The lines of an import's report, for people."""
    return report_lines(report_of(brought))


def report_of(brought: ImportSummary) -> ImportReport:
    """The whole report of an import."""
    rows = [row for each in brought.rows.values() for row in each]
    lost, abilities, properties = _text_alone(rows)
    sources = brought.sources
    proposed = [row for row in rows if row.proposed]
    words = join_or([*dict.fromkeys(word for row in proposed for word in row.proposed)], "and")
    left = ((line, s.path.name) for s in sources for line in s.contents.left)
    return ImportReport(
        FORMAT,
        [*_read(sources)],
        [row.name for row in brought.rows[files.BESTIARY]],
        [row.name for row in brought.rows[files.PARTY]],
        brought.meetings,
        brought.replaced,
        brought.unchanged,
        lost,
        _grouped((why, name) for name, why in brought.out),
        _grouped((where, name) for name, where in brought.again),
        _grouped((s.fault, str(s.path)) for s in sources if s.fault),
        _grouped(left),
        _grouped((why, name) for s in sources for name, why in s.contents.doubts),
        _grouped((why, name) for why, names in brought.no_picture.items() for name in names),
        [Reason(words, [row.name for row in proposed])] if proposed else [],
        abilities,
        properties,
        {row.creature.name: row.name for row in rows if row.name != row.creature.name},
        [*brought.lines, *_unrolled(brought.ruleset, rows)],
        game_of(row.creature.game for row in proposed),
    )


def _unrolled(ruleset_id: str, rows: list[BestiaryRow]) -> Iterator[str]:
    """Yield a line on the game without rules, in which no attack is rolled."""
    if ruleset_id == "plain" and any(row.creature.features for row in rows):
        yield "Plain rolls nothing: attacks and powers are text, which you read and roll yourself"


def game_of(games: Iterable[str]) -> str:
    """The rule system that most creatures are of, by theirs; empty where affray has none of it."""
    counted = Counter(games)
    found = next((game for game, _ in counted.most_common(1)), "")
    return found if found in known_rulesets() else ""


def _grouped(pairs: Iterable[tuple[str, str]]) -> list[Reason]:
    """Each reason once with all its names, in the order in which they came."""
    found: dict[str, dict[str, None]] = {}
    for why, name in pairs:
        found.setdefault(why, {})[name] = None
    return [Reason(why, [*names]) for why, names in found.items()]


def _read(sources: list[DetectedFile]) -> Iterator[ReadFiles]:
    groups: dict[tuple[str, str], list[DetectedFile]] = {}
    for source in sources:
        if not source.fault:
            folder = source.path if len(sources) == 1 else source.path.parent
            groups.setdefault((str(folder), source.format), []).append(source)
    for (path, name), group in groups.items():
        people = sum(len(source.contents.creatures) for source in group)
        fights = sum(len(source.contents.meetings) for source in group)
        yield ReadFiles(path, name, len(group), people, fights)


def _text_alone(
    rows: list[BestiaryRow],
) -> tuple[dict[str, list[Loss]], dict[str, int], list[str]]:
    """The parts that stay as text: first what decides a fight, with its owners, then usable things
    without a row, then descriptions."""
    lost: dict[str, dict[Loss, None]] = {}
    describes: dict[str, None] = {}
    does: Counter[str] = Counter()
    for row in rows:
        features = {each.name: each for each in row.creature.features}
        fields = all_fields(row.creature)
        for what in row.left:
            of, mark, more = what.rpartition(": ")
            if (feature := features.get(what)) is not None:
                if feature.attack or feature.save or feature.damage:
                    lost.setdefault(ROLLED, {})[Loss(row.name, what)] = None
                else:
                    does[what] += 1
            elif mark:
                lost.setdefault(more, {})[Loss(row.name, of)] = None
            elif what in fields and not any(word in what for word in MATTERS):
                describes[what] = None
            else:
                lost.setdefault(what, {})[Loss(row.name)] = None
    return {what: [*each] for what, each in lost.items()}, dict(does.most_common()), [*describes]


# -- for scripts and for people --------------------------------------------------------------------


def as_object(report: ImportReport, campaign: Path) -> Table:
    """The report as plain values, with the campaign's folder."""
    values: Table = msgspec.to_builtins(report)
    return {"format": values.pop("format"), "campaign": str(campaign), **values}


def report_lines(report: ImportReport) -> list[str]:
    """All lines: what was read, what came of it, who lost what decides a fight, and the rest."""
    return [
        *_bounded([*map(_read_line, report.read)], "folders"),
        _came(report),
        *_lost(report),
        *_not_brought(report),
        *_not_read(report),
        *_proposed(report),
        *_described(report),
        *_bounded(report.notes, "such lines"),
    ]


def _read_line(one: ReadFiles) -> str:
    more = f", {count_of(one.encounters, 'encounter')}" if one.encounters else ""
    among = f" in {one.files} files" if one.files > 1 else ""
    return f"{one.path}: {one.format}, {count_of(one.creatures, 'creature')}{more}{among}"


def _bounded(lines: list[str], what: str) -> Iterator[str]:
    """The first lines, up to a limit, and the number of the others."""
    most = REASONS if len(lines) > REASONS + 1 else len(lines)
    yield from lines[:most]
    if rest := len(lines) - most:
        yield f"and {rest} more {what}; --json has them all"


def _came(report: ImportReport) -> str:
    fights = f"{count_of(len(report.encounters), 'encounter')}: {_names(report.encounters, LOSERS)}"
    parts = [
        f"{count_of(len(names), what)} into {file}"
        for names, what, file in (
            (report.creatures, "creature", files.BESTIARY),
            (report.characters, "character", files.PARTY),
        )
        if names
    ]
    return "; ".join([*parts, *([fights] if report.encounters else [])]) or "nothing new"


def _lost(report: ImportReport) -> Iterator[str]:
    """The creatures that have something decisive only as text, those with the most first."""
    number = len(report.creatures) + len(report.characters)
    if report.lost:
        yield "what decides a fight and is kept only as text:"
    for what, losses in sorted(report.lost.items(), key=lambda one: -len(one[1])):
        is_every = NAMED < number == len({loss.creature for loss in losses})
        names = [
            f"{one.ability} ({one.creature})" if one.ability else one.creature for one in losses
        ]
        yield f"  {what}: {f'all {number} creatures' if is_every else _names(names, LOSERS)}"


def _not_brought(report: ImportReport) -> Iterator[str]:
    if report.replaced:
        yield f"replaced: {_names(report.replaced)}"
    if report.unchanged:
        yield f"already there, so left unchanged: {_names(report.unchanged)}"
    yield from _reasons("left out", report.left_out, LOSERS)
    twice = [f"{one.reason}: {_names(one.names, LOSERS)}" for one in report.twice]
    heading = "left out, because the name was already read"
    yield from _bounded([f"{heading}: {line}" for line in twice], "such files")
    if report.renamed:
        pairs = [f"{full!r} is {name}" for full, name in report.renamed.items()]
        yield f"with another name: {_names(pairs, LOSERS)}"
    for one in report.no_picture:
        yield f"without a picture, because {one.reason}: {_names(one.names)}"


def _reasons(heading: str, reasons: list[Reason], most: int) -> Iterator[str]:
    """A line a reason, those of most names first."""
    found = sorted(reasons, key=lambda one: -len(one.names))
    lines = [f"{heading}: {_names(one.names, most)}: {one.reason}" for one in found]
    yield from _bounded(lines, "such reasons")


def _not_read(report: ImportReport) -> Iterator[str]:
    """The files that couldn't be read: each reason once, those with the most files first."""
    lines = []
    for one in sorted(report.not_read, key=lambda one: -len(one.names)):
        names = [Path(name).name for name in one.names]
        some = [*dict.fromkeys(names)][:NAMED]
        rest = len(names) - len(some)
        named = f"{', '.join(some)} and {rest} more" if rest else join_or(some, "and")
        which = f"{len(names)} files: {one.reason}: {named}"
        lines.append(which if len(names) > 1 else f"{one.names[0]}: {one.reason}")
    yield from _bounded([f"not read: {line}" for line in lines], "such reasons")
    yield from _reasons("not used", report.not_used, NAMED)
    for one in report.doubtful:
        whose = _names(one.names, LOSERS)
        yield f"read, but {one.reason}, so check whether it is a creature: {whose}"


def _proposed(report: ImportReport) -> Iterator[str]:
    """The words of rows that are only our reading of another game's numbers."""
    for one in report.proposed:
        whose = count_of(len(one.names), "creature")
        yield f"suggested, because the games have different numbers: {one.reason} of {whose}"
        yield (
            "  change them in the creature's form (`p`, enter), and they are no longer suggestions"
        )
        if report.game:
            yield f"  {hint_of(report.game)}"


def hint_of(game: str) -> str:
    """Return a line on making a campaign that takes creatures of a game as they are."""
    name, command = load_ruleset(game).name, f"affray new campaign NAME --ruleset {game}"
    return f"a campaign of {name} takes their own numbers: {command}"


def _described(report: ImportReport) -> Iterator[str]:
    if report.abilities or report.properties:
        yield "what else is kept only as text:"
    if report.abilities:
        counted = (f"{n} ({count_of(times, 'creature')})" for n, times in report.abilities.items())
        yield f"  other abilities: {_names(counted)}"
    if report.properties:
        yield f"  other properties: {_names(report.properties, LOSERS)}"


def _names(names: Iterable[str], most: int = NAMED) -> str:
    """The names, or the first ones and the number of the rest."""
    row = [*dict.fromkeys(names)]
    if len(row) <= most + 1:
        return join_or(row, "and")
    return f"{', '.join(row[:most])} and {len(row) - most} more"
