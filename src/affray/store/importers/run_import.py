"""Run an import (`bring_in`): read files, make rows, try them out, put them in a campaign."""

from __future__ import annotations

import os
import re
import shutil
from base64 import b64decode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.combatants import LONGEST_NAME
from affray.core.commands.newcomers import PICTURE, SIDES, slug, try_row
from affray.core.commands.queries import preview_row
from affray.core.dice import SeededDice
from affray.core.engine.state import Encounter
from affray.core.parser.errors import Refused
from affray.core.rules.imported_creature import (
    ImportedCreature,
    description_text,
)
from affray.core.rules.ruleset import Context, Ruleset
from affray.core.rules.tables import PROPOSED
from affray.data_text import Table
from affray.store import LogError
from affray.store.campaigns import files
from affray.store.campaigns.campaign_rules import campaign_rules
from affray.store.campaigns.pictures import Picture, listing_of, load_picture, picture_from
from affray.store.campaigns.toml_edit import with_rows, without_rows
from affray.store.filesystem import (
    create_file,
    log_error_from,
    move,
    read_bytes,
    stem_for,
    sync_folder,
)
from affray.store.importers import EncounterMember, ImportedEncounter, Progress, reports_progress
from affray.store.importers.beyond_rows import with_kinds
from affray.store.importers.detect import DetectedFile, files_of, join_tables, read_files
from affray.store.importers.installed import importer_names
from affray.store.open_encounter import OpenEncounter

# -------------------------------------------------------------------------------------------------
# All staged files are put in place, or none.


def put_in_place(staged: Mapping[Path, Path]) -> None:
    """Move whole files to their places, in the place of what is there: staged -> where to.

    Both must be on one disk. When it is stopped halfway, what was there before is put back. Raises
    LogError.
    """
    done: list[tuple[Path, Path | None]] = []
    try:
        for source, target in staged.items():
            with log_error_from(target):
                previous = _set_aside(source, target)
                done.append((target, previous))
                move(source, target)
        for folder in {target.parent for target in staged.values()}:
            with log_error_from(folder):
                sync_folder(folder)
    except BaseException:
        for target, previous in reversed(done):
            with suppress(OSError):
                target.unlink() if previous is None else move(previous, target)
        raise


def _set_aside(source: Path, target: Path) -> Path | None:
    """A copy of the file at the target, made before it is replaced; None without one."""
    if not os.path.lexists(target):
        return None
    if target.is_symlink() or not target.is_file():
        raise LogError(f"{target} is not a plain file; nothing was changed")
    previous = source.with_name(f"{source.name}.before")
    shutil.copy2(target, previous)
    return previous


# -------------------------------------------------------------------------------------------------
# Rows of a bestiary: their keys, names and texts, and what of a creature they leave out.

KINDS = (*SIDES, "party")
"""Words behind `add` that mean something else."""


class BestiaryRow(Struct, frozen=True):
    """A row of a bestiary or a party: its key, its creature, and the parts without a place in
    it."""

    key: str
    name: str
    row: Table
    creature: ImportedCreature
    left: tuple[str, ...]
    proposed: tuple[str, ...] = ()
    picture: Picture | None = None


def fault_of(creature: ImportedCreature) -> str:
    """The reason why a creature can't be in a fight; empty when it can."""
    if not creature.name:
        return "it has no name"
    if creature.hp is None or creature.hp < 1:
        words = creature.in_words.get("HP", "" if creature.hp is None else str(creature.hp))
        return f"its HP are no number above 0: {words[:LONGEST_NAME]}" if words else "it has no HP"
    try:
        row_key(creature.name)
    except Refused as refusal:
        return str(refusal)
    return ""


@lru_cache(512)  # a name is asked for several times, by all who do something with its row
def row_key(name: str) -> str:
    """The word by which `add` knows a creature of that name: in small letters, with hyphens.

    Raises Refused if it can have none.
    """
    key = slug(shortened(name))
    return f"the-{key}" if key in KINDS else key


def shortened(name: str) -> str:
    """A name of at most as many characters as affray's have, without quotes, with a letter first:
    a number would be a place in the list."""
    name = " ".join(name.replace('"', "'").split())
    name = f"The {name}" if re.match(r"\W*\d", name) else name
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"


def made_of(ruleset: Ruleset, creature: ImportedCreature) -> BestiaryRow:
    """The row that a rule system makes of a creature."""
    imported = ruleset.sheet.import_creature(ruleset.tables, creature)
    name = shortened(creature.name)
    left = with_kinds(creature, imported.left)
    text = description_text(creature, imported.left, imported.explained)
    row = {"name": name, **imported.row}
    row |= {PROPOSED: list(imported.proposed)} if imported.proposed else {}
    row |= {"text": text} if text else {}
    return BestiaryRow(row_key(creature.name), name, row, creature, left, imported.proposed)


# -------------------------------------------------------------------------------------------------
# Encounters of other programs, as files of prepared fights.


def encounter_stem(title: str) -> str:
    """The name of an encounter's file, without its ending."""
    return stem_for(title) or "encounter"


def create_encounter_file(path: Path, ruleset_id: str, meeting: ImportedEncounter) -> list[str]:
    """Begin a fight in a new file and bring everybody in; gives a line for each who could not be.

    The campaign's rows must be beside it. Raises LogError for the file.
    """
    left: list[str] = []
    with OpenEncounter.create(path, ruleset_id, meeting.title) as fight:
        if meeting.party and fight.ruleset.tables.party:
            fight.do("add party")
        for members in _alike(meeting.members):
            try:
                _bring(fight, members)
            except Refused as refusal:
                left.append(f"{meeting.title}: {members[0].creature}: {refusal.message}")
    return left


def _alike(members: tuple[EncounterMember, ...]) -> list[list[EncounterMember]]:
    """Members of one creature and one name together, in the order of the first of them."""
    found: dict[tuple[str, str, bool], list[EncounterMember]] = {}
    for member in members:
        found.setdefault((member.creature, member.called, member.friend), []).append(member)
    return [*found.values()]


def _bring(fight: OpenEncounter, members: list[EncounterMember]) -> None:
    before = {c.id for c in fight.state.combatants}
    one = members[0]
    key = row_key(one.creature)
    if fight.ruleset.tables.bestiary.get(key) is None:
        raise Refused("it is not in the bestiary")
    count = min(sum(member.count for member in members), 50)
    words = ["add", key, *([f"x{count}"] if count > 1 else [])]
    words += ["as", _quoted(one.called)] if one.called else []
    words += ["side", "party"] if one.friend else []
    fight.do(" ".join(words))
    added = [c.id for c in fight.state.combatants if c.id not in before]
    each = [member for member in members for _ in range(member.count)]
    for combatant_id, member in zip(added, each, strict=False):
        _as_it_was(fight, combatant_id, member)


def _as_it_was(fight: OpenEncounter, combatant_id: str, member: EncounterMember) -> None:
    """Restore a member's HP, hidden flag and notes in the fight."""
    now = fight.state[combatant_id].tracks.get("hp")
    if member.hp is not None and now is not None and member.hp != now.value:
        top = f" of {member.most}" if member.most and member.most != now.max else ""
        fight.do(
            f"set {combatant_id} hp {min(member.hp, member.most or now.max or member.hp)}{top}"
        )
    if member.temp and "temp_hp" in fight.state[combatant_id].tracks:
        fight.do(f"set {combatant_id} temp_hp {member.temp}")
    if member.hidden:
        fight.do(f"conceal {combatant_id}")
    for note in member.notes:
        fight.do(f"note on {combatant_id} {_quoted(note)}")


def _quoted(text: str) -> str:
    plain = " ".join(text.replace('"', "'").split())
    return f'"{plain[:LONGEST_NAME]}"'


LONGEST_FAULT = 160


class ImportSummary(Struct, frozen=True):
    """The result of an import.

    sources    the files that were read
    rows       file -> the rows added to it
    ruleset    the id of the campaign's rule system
    replaced   names of creatures that took the place of others
    meetings   titles of the encounters that were made
    unchanged       names that were there already
    again      names that came more than once -> where
    out        what can't be in a fight: a name, or its place in the file -> why
    lines      further lines of the report
    no_picture why no picture came over -> the creatures' names
    """

    sources: list[DetectedFile]
    rows: dict[str, list[BestiaryRow]]
    ruleset: str
    replaced: list[str] = []
    meetings: list[str] = []
    unchanged: list[str] = []
    again: list[tuple[str, str]] = []
    out: list[tuple[str, str]] = []
    lines: list[str] = []
    no_picture: dict[str, list[str]] = {}


def bring_in(
    paths: Path | Sequence[Path],
    campaign: Path,
    replaces: bool = False,
    progress: Progress = lambda *_: None,
) -> ImportSummary:
    """Read files and folders into a campaign, all in one step.

    Raises Refused for files without anything known, LogError if writing fails; the campaign is then
    unchanged.
    """
    paths = [paths] if isinstance(paths, Path) else [*dict.fromkeys(paths)]
    ruleset = campaign_rules(campaign)
    own = ruleset.sheet.columns(ruleset.tables)
    sources = join_tables(_read(paths, own, progress))
    if not any(source.contents.creatures or source.contents.meetings for source in sources):
        raise Refused(_nothing_in(paths, sources))
    brought = ImportSummary(
        sources, {files.PARTY: [], files.BESTIARY: []}, ruleset.id, lines=_unusable(sources)
    )
    _make_rows(brought, ruleset, replaces, campaign, progress)
    _write(brought, ruleset, campaign)
    return brought


def _read(paths: Sequence[Path], own: Collection[str], progress: Progress) -> list[DetectedFile]:
    for path in paths:
        if not path.exists():
            raise Refused(f"there is no file {path}")
    found = [file for path in paths for file in files_of(path)]
    sources = []
    with reports_progress(progress):
        for number, file in enumerate(found, 1):
            sources += read_files(file, own)
            progress(number, len(found), "files read")
    return sources


def _unusable(sources: list[DetectedFile]) -> list[str]:
    """A line on each importer of a package that couldn't be used."""
    return [*dict.fromkeys(line for source in sources for line in source.unusable)]


def _nothing_in(paths: Sequence[Path], sources: list[DetectedFile]) -> str:
    """Give the reasons for which nothing was read, and the importers of packages."""
    theirs = importer_names()
    is_unknown = any("known format" in source.fault for source in sources)
    asked = [f"installed importers: {', '.join(theirs)}"] if theirs and is_unknown else []
    return "; ".join([_why_not(paths, sources), *_unusable(sources), *asked])


def _why_not(paths: Sequence[Path], sources: list[DetectedFile]) -> str:
    if len(sources) == 1 and sources[0].fault:
        return f"{sources[0].path}: {sources[0].fault}"
    if len(sources) == 1:
        left = "; ".join(sources[0].contents.left[:3])
        return f"{sources[0].path}: {left or f'{sources[0].format} without a creature'}"
    where = f"{paths[0]}: " if len(paths) == 1 else ""
    if not sources:
        return f"{where}no file but hidden ones: nothing to import"
    whole = f"{where}no creature in any of {'its ' if where else ''}{len(sources)} files"
    return "; ".join([whole, *_why_nothing(sources)])


MOST_REASONS = 12
"""How many reasons a line gives why nothing was read."""


def _why_nothing(sources: list[DetectedFile]) -> Iterator[str]:
    """The reasons why no file was read, by kind of file, the most common first: `12 .md files, such
    as goblin.md: not of a known format`."""
    kinds: dict[str, dict[str, list[Path]]] = {}
    for source in sources:
        left = next(iter(source.contents.left), "")
        why = source.fault or left or f"{source.format} without a creature"
        kinds.setdefault(source.path.suffix.casefold(), {}).setdefault(why, []).append(source.path)
    reasons = []
    for suffix, found in kinds.items():
        most_first = sorted(found.items(), key=lambda one: -len(one[1]))
        reasons += [
            (at > 0, -len(paths), suffix, why) for at, (why, paths) in enumerate(most_first)
        ]
    reasons.sort()
    for _, _, suffix, why in reasons[:MOST_REASONS]:
        paths = kinds[suffix][why]
        yield f"{count_of(len(paths), f'{suffix} file'.strip())}, such as {paths[0].name}: {why}"
    if rest := reasons[MOST_REASONS:]:
        yield f"and {-sum(one[1] for one in rest)} more for other reasons"


# -- rows ------------------------------------------------------------------------------------------


def _make_rows(
    brought: ImportSummary, ruleset: Ruleset, replaces: bool, campaign: Path, progress: Progress
) -> None:
    """Sort the creatures into those to add, those to keep unchanged, and those to leave out.

    Of two of one name the first counts; creatures of the game's own before others, and whole ones
    before those of an index, which has no abilities.
    """
    there = {file: files.row_keys(campaign / file) for file in (files.PARTY, files.BESTIARY)}
    taken: dict[str, ImportedCreature] = {}
    trial, listing = RowTrial(ruleset), cache(listing_of)
    found = [(s.path, each) for s in brought.sources for each in s.contents.creatures]
    found.sort(key=lambda one: (one[1].game != ruleset.id, not one[1].abilities))
    for number, (path, creature) in enumerate(found, 1):
        progress(number, len(found), "creatures checked")
        fault = fault_of(creature)
        if fault:
            brought.out.append((creature.name or path.name, fault))
            continue
        key = row_key(creature.name)
        if key not in taken:
            taken[key] = creature
            load = partial(load_picture, path.parent, listing=listing)
            _make_row(brought, ruleset, trial, creature, there, replaces, load)
        elif creature != taken[key]:
            brought.again.append((creature.name, path.name))


def _make_row(
    brought: ImportSummary,
    ruleset: Ruleset,
    trial: RowTrial,
    creature: ImportedCreature,
    there: dict[str, set[str]],
    replaces: bool,
    load: Callable[[str], Picture],
) -> None:
    file = files.PARTY if creature.kind == "pc" else files.BESTIARY
    key = row_key(creature.name)
    is_known = key in there[files.PARTY] or key in there[files.BESTIARY]
    if is_known and not (replaces and key in there[file]):
        brought.unchanged.append(creature.name)
        return
    row = made_of(ruleset, creature)
    fault = trial.fault_of(row)
    if fault:
        row = _without_faults(trial, row)
        fault = trial.fault_of(row)
    if fault:
        brought.out.append((creature.name, fault[:LONGEST_FAULT]))
        return
    try:
        if creature.picture:
            picture = _picture_of(creature, load)
            name = f"{key}-{picture.version}{picture.suffix}"
            row = replace(row, row={**row.row, PICTURE: name}, picture=picture)
    except Refused as refusal:
        brought.no_picture.setdefault(refusal.message, []).append(creature.name)
    brought.rows[file].append(row)
    if is_known:
        brought.replaced.append(creature.name)


def _without_faults(trial: RowTrial, row: BestiaryRow) -> BestiaryRow:
    """A row without those attacks, powers and numbers that `add` refuses: they stay in its text."""
    fields, lost, texts = dict(row.row), [], [row.row.get("text", "")]
    for part, value in row.row.items():
        if isinstance(value, int) and part != "hp":
            alone = {"name": row.name, "hp": row.row["hp"], part: value}
            if trial.fault_of(replace(row, row=alone)):
                lost.append(f"{part}, in words")
                texts.append(f"{part} {fields.pop(part)}")
    for part in ("attack", "power", "spells"):
        lines = fields.pop(part, ())
        alone = {line: {"name": row.name, "hp": row.row["hp"], part: [line]} for line in lines}
        faults = {line: trial.fault_of(replace(row, row=each)) for line, each in alone.items()}
        fields |= {part: left} if (left := [line for line in lines if not faults[line]]) else {}
        for line, fault in faults.items():
            if fault:
                lost.append(f"{line.split(chr(34))[1]}: numbers that affray can't read")
                texts.append(line)
    text = {"text": "\n".join(filter(None, texts))} if lost else {}
    return replace(row, row=fields | text, left=(*row.left, *lost))


def _picture_of(creature: ImportedCreature, load: Callable[[str], Picture]) -> Picture:
    """The picture in a creature's file, or one beside it, to `load`; never one from an address.

    Raises Refused, in words for the report.
    """
    given = creature.picture
    head, comma, data = given.partition(",")
    if head.startswith("data:") and comma and head.endswith(";base64"):
        try:
            return picture_from(b64decode(data, validate=True))
        except (Refused, ValueError):
            raise Refused("the picture in the file can't be shown") from None
    if ":" in given:
        raise Refused("it is a web address, and affray never downloads")
    try:
        return load(given)
    except Refused:
        raise Refused("there is no picture of that name next to the file") from None


class RowTrial:
    """Tries rows as `add` would, one after the other, in rules of their own. What depends on the
    rules is worked out once, a single row is found at once, and a number, a word, an attack, a
    power or a spell that another row had already isn't read again; attacks and powers under any
    name, unless the rules have powers by name."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._row: dict[str, Table] = {}
        self._alone = replace(ruleset, tables=replace(ruleset.tables, bestiary=self._row))
        self._nobody = Encounter(ruleset=ruleset.id)
        self._health = ruleset.tables.health
        self._passed: set[tuple[str, str]] = set()
        self._named_freely = () if ruleset.tables.powers else ("attack", "power")

    def fault_of(self, row: BestiaryRow) -> str:
        """The reason why `add` would refuse a row; empty when it wouldn't."""
        whole = {field: value for field, value in row.row.items() if field != "text"}
        whole |= {"kind": "pc"} if row.creature.kind == "pc" else {}
        fresh: Table = {}
        new: set[tuple[str, str]] = set()
        for field, value in whole.items():
            if isinstance(value, list) and any(" " in str(line) for line in value):
                name = _ANY_NAME if field in self._named_freely else None
                untried = {}
                for line in value:
                    part = _ANY_TEXT.sub("", str(line))
                    key = (field, name.sub("", part) if name else repr(part))
                    if key not in self._passed:
                        untried[key] = part
                if untried:
                    fresh[field] = [*untried.values()]
                    new |= untried.keys()
            elif (key := (field, repr(value))) not in self._passed:
                fresh[field] = value
                new.add(key)
            elif value is True or field == self._health:
                fresh[field] = value
        if not new - {("name", repr(row.name))} and True not in fresh.values():
            return ""
        self._row.clear()
        self._row[row.key] = fresh
        with suppress(Refused):
            try_row(Context(self._nobody, self._alone, SeededDice(0)), row.key)
            self._passed |= new
            return ""
        self._row[row.key] = whole
        try:
            preview_row(self._alone, row.key)
        except Refused as refusal:
            return refusal.message.partition(" (usage: ")[0]
        return ""


_ANY_TEXT = re.compile(r' text "[^"]+"$')
"""The text at the end of a power, which may be anything."""
_ANY_NAME = re.compile(rf'^"[^\s"][^"]{{0,{LONGEST_NAME - 1}}}"(?= )')
"""The name of an attack or a power, which may be any of that length."""


# -- files -----------------------------------------------------------------------------------------


def _write(brought: ImportSummary, ruleset: Ruleset, campaign: Path) -> None:
    """Make all files apart, in a hidden folder of the campaign, then put them in place together."""
    meetings = [m for source in brought.sources for m in source.contents.meetings]
    with log_error_from(campaign), TemporaryDirectory(prefix=".import-", dir=campaign) as name:
        stage = Path(name)
        staged = _stage_rows(brought, campaign, stage)
        for row in (row for rows in brought.rows.values() for row in rows):
            if row.picture is not None:
                path = stage / row.row[PICTURE]
                create_file(path, row.picture.content)
                staged[path] = campaign / path.name
        (stage / files.ENCOUNTERS).mkdir()
        for meeting in meetings:
            inner = Path(files.ENCOUNTERS, f"{encounter_stem(meeting.title)}.toml")
            path, target = stage / inner, campaign / inner
            if os.path.lexists(target) or path.exists():
                brought.unchanged.append(f"the encounter {meeting.title!r}")
                continue
            brought.lines.extend(create_encounter_file(path, ruleset.id, meeting))
            brought.meetings.append(meeting.title)
            staged[path] = target
        (campaign / files.ENCOUNTERS).mkdir(exist_ok=True)
        put_in_place(staged)


def _stage_rows(brought: ImportSummary, campaign: Path, stage: Path) -> dict[Path, Path]:
    """The campaign's files as they will be, in the stage: made -> where it belongs."""
    staged: dict[Path, Path] = {}
    for file in (files.RULES, files.PARTY, files.BESTIARY):
        there = campaign / file
        rows: Table = {row.key: row.row for row in brought.rows.get(file, ())}
        text = read_bytes(there).decode() if files.exists(there) else ""  # line ends as they are
        if not rows and not text:
            continue
        try:
            gone = [key for key in files.load_toml(there) if key.casefold() in rows] if text else []
            create_file(stage / file, with_rows(without_rows(text, gone), rows).encode())
        except Refused as refusal:
            raise Refused(f"{there}: {refusal}") from None
        if rows:
            staged[stage / file] = there.resolve()
    return staged


def count_of(number: int, what: str) -> str:
    """A number with its noun: `1 file`, `2 files`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
