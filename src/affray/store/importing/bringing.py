"""An import, from files to a campaign: read, made into rows, tried out, put in place at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.language.refusal import Refused
from affray.core.rules.imported import Creature
from affray.core.rules.ruleset import Ruleset
from affray.store.campaigns.files import (
    BESTIARY,
    ENCOUNTERS,
    PARTY,
    RULES,
    is_there,
    keys_in,
    toml_of,
)
from affray.store.campaigns.keeping import check_row
from affray.store.campaigns.rows import with_rows, without_rows
from affray.store.campaigns.rules import rules_of
from affray.store.disk import explained, write_new
from affray.store.importing.making import Made, fault_of, key_of, made_of
from affray.store.importing.meetings import play, stem_of
from affray.store.importing.placing import put_in_place
from affray.store.importing.reading import Source, files_of, joined, read_file

Progress = Callable[[int, int, str], None]
"""Told how much of how much is done of what; what it raises stops an import."""
LONGEST_FAULT = 160


class Brought(Struct, frozen=True):
    """What came of an import.

    sources    the files that were looked at
    rows       file -> the rows that it got
    replaced   names of creatures that took the place of others
    meetings   titles of the encounters that were made
    kept       names that were there already
    again      names that stood more than once in what was read -> where
    out        what can't be in a fight: a name, or where it stands -> why
    lines      what else is to be told
    """

    sources: list[Source]
    rows: dict[str, list[Made]]
    replaced: list[str] = []
    meetings: list[str] = []
    kept: list[str] = []
    again: list[tuple[str, str]] = []
    out: list[tuple[str, str]] = []
    lines: list[str] = []


def bring_in(
    path: Path, campaign: Path, replaces: bool = False, progress: Progress = lambda *_: None
) -> Brought:
    """Read a file or a folder into a campaign, in one step.

    Raises Refused for what holds nothing that is known, LogError for what can't be written; the
    campaign is then as it was.
    """
    sources = joined(_read(path, progress))
    if not any(source.contents.creatures or source.contents.meetings for source in sources):
        raise Refused(_nothing_in(path, sources))
    ruleset = rules_of(campaign)
    brought = Brought(sources, {PARTY: [], BESTIARY: []})
    _make_rows(brought, ruleset, replaces, campaign, progress)
    _write(brought, ruleset, campaign)
    return brought


def _read(path: Path, progress: Progress) -> list[Source]:
    if not path.exists():
        raise Refused(f"there is no file {path}")
    files = [*files_of(path)]
    sources = []
    for number, file in enumerate(files, 1):
        sources.append(read_file(file))
        progress(number, len(files), "files read")
    return sources


def _nothing_in(path: Path, sources: list[Source]) -> str:
    if len(sources) == 1 and sources[0].fault:
        return f"{sources[0].path}: {sources[0].fault}"
    if len(sources) == 1:
        left = "; ".join(sources[0].contents.left[:3])
        return f"{sources[0].path}: {left or f'{sources[0].format} without a creature'}"
    return f"{path}: no creature in any of its {len(sources)} files"


# -- rows ------------------------------------------------------------------------------------------


def _make_rows(
    brought: Brought, ruleset: Ruleset, replaces: bool, campaign: Path, progress: Progress
) -> None:
    """Sort what was read into what comes over, what is kept as it was, and what is left out.

    Of two of one name the first counts, creatures of the game's own before others.
    """
    there = {file: keys_in(campaign / file) for file in (PARTY, BESTIARY)}
    taken: dict[str, Creature] = {}
    found = [(s.path.name, each) for s in brought.sources for each in s.contents.creatures]
    found.sort(key=lambda one: one[1].game != ruleset.id)
    for number, (where, creature) in enumerate(found, 1):
        progress(number, len(found), "creatures tried out")
        fault = fault_of(creature)
        if fault:
            brought.out.append((creature.name or where, fault))
            continue
        key = key_of(creature.name)
        if key not in taken:
            taken[key] = creature
            _make_row(brought, ruleset, creature, there, replaces)
        elif creature != taken[key]:
            brought.again.append((creature.name, where))


def _make_row(
    brought: Brought,
    ruleset: Ruleset,
    creature: Creature,
    there: dict[str, set[str]],
    replaces: bool,
) -> None:
    file = PARTY if creature.kind == "pc" else BESTIARY
    key = key_of(creature.name)
    is_known = key in there[PARTY] or key in there[BESTIARY]
    if is_known and not (replaces and key in there[file]):
        brought.kept.append(creature.name)
        return
    made = made_of(ruleset, creature)
    fault = _fault_in_fight(ruleset, made)
    if fault:
        brought.out.append((creature.name, fault[:LONGEST_FAULT]))
        return
    brought.rows[file].append(made)
    if is_known:
        brought.replaced.append(creature.name)


def _fault_in_fight(ruleset: Ruleset, made: Made) -> str:
    """Why `add` would refuse a row; empty when it wouldn't."""
    which = "party" if made.creature.kind == "pc" else "bestiary"
    alone = replace(ruleset, tables=replace(ruleset.tables, bestiary={}))  # among no others: quick
    try:
        check_row(alone, which, made.key, made.row)
    except Refused as refusal:
        return refusal.message.partition(" (usage: ")[0]
    return ""


# -- files -----------------------------------------------------------------------------------------


def _write(brought: Brought, ruleset: Ruleset, campaign: Path) -> None:
    """Make all files apart, in a hidden folder of the campaign, then put them in place together."""
    meetings = [m for source in brought.sources for m in source.contents.meetings]
    with explained(campaign), TemporaryDirectory(prefix=".import-", dir=campaign) as name:
        stage = Path(name)
        staged = _stage_rows(brought, campaign, stage)
        (stage / ENCOUNTERS).mkdir()
        for meeting in meetings:
            inner = Path(ENCOUNTERS, f"{stem_of(meeting.title)}.toml")
            made, target = stage / inner, campaign / inner
            if target.exists() or made.exists():
                brought.kept.append(f"the encounter {meeting.title!r}")
                continue
            brought.lines.extend(play(made, ruleset.id, meeting))
            brought.meetings.append(meeting.title)
            staged[made] = target
        (campaign / ENCOUNTERS).mkdir(exist_ok=True)
        put_in_place(staged)


def _stage_rows(brought: Brought, campaign: Path, stage: Path) -> dict[Path, Path]:
    """The campaign's files as they will be, in the stage: made -> where it belongs."""
    staged: dict[Path, Path] = {}
    for file in (RULES, PARTY, BESTIARY):
        there = campaign / file
        rows: dict[str, Any] = {made.key: made.row for made in brought.rows.get(file, ())}
        text = there.read_bytes().decode() if is_there(there) else ""  # line ends as they are
        if not rows and not text:
            continue
        try:
            gone = [key for key in toml_of(there) if key.casefold() in rows] if text else []
            write_new(stage / file, with_rows(without_rows(text, gone), rows).encode())
        except Refused as refusal:
            raise Refused(f"{there}: {refusal}") from None
        if rows:
            staged[stage / file] = there.resolve()
    return staged
