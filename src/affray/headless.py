"""The commands of the command line, a function each: do, show, log, check, new, roll."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from affray.core.dice import DiceError, parse_dice
from affray.core.dice import roll as roll_dice
from affray.core.dice_sources import DiceSource, SeededDice, fresh_dice
from affray.core.history import Entry
from affray.core.narrate import entry_line
from affray.core.plain import plain
from affray.core.refusal import Refused
from affray.core.report import report
from affray.core.sheet import sheet
from affray.store.campaigns import ruleset_id_for
from affray.store.encounter import VIEWED, OpenEncounter
from affray.store.log_file import LogError, NotALog

if TYPE_CHECKING:
    from affray.store.survey import Survey


def do(options: Namespace) -> int:
    """Give commands to a fight, one after the other, stopping at the first that is refused."""
    lines = options.lines or _lines(sys.stdin)
    results: list[dict[str, Any]] = []
    refused: Exception | None = None
    with _opened(options) as fight:
        for note in _oddities(fight) if options.dry_run else fight.notes:
            print(plain(f"affray: {note}"), file=sys.stderr)
        try:
            for line in lines:
                results.append(_do_one(fight, line, options))
        except (Refused, LogError) as error:
            refused = error
        if options.json:
            print(_json({"results": results, "state": report(fight.history, fight.ruleset)}))
    for line in fight.kept:
        if line not in str(refused):
            print(plain(f"affray: {line}"), file=sys.stderr)
    if refused is not None:
        raise refused
    return _status(fight) if options.dry_run else 0


def _opened(options: Namespace) -> OpenEncounter:
    dice: DiceSource | None = SeededDice(options.seed) if options.seed is not None else None
    if options.dry_run:
        fight = OpenEncounter.view(options.file)
        fight.dice = dice or fresh_dice()
        return fight
    return OpenEncounter.open(options.file, dice)


def _do_one(fight: OpenEncounter, line: str, options: Namespace) -> dict[str, Any]:
    answer = fight.ask(line)
    if answer is not None:
        _say(options, *answer)
        return {"command": line, "summary": "\n".join(answer), "events": []}
    foreseen = fight.foresee(line) if options.dry_run else None
    entry = fight.rehearse(line) if options.dry_run else fight.do(line)
    summary = foreseen or _line(fight, entry)
    _say(options, summary)
    return {"command": line, "summary": summary, "events": msgspec.to_builtins(entry.events)}


def _say(options: Namespace, *lines: str) -> None:
    if not options.json:
        print(*map(plain, lines), sep="\n", flush=True)


def _lines(stream: Iterable[str]) -> Iterator[str]:
    """Commands, one a line; empty lines and those that begin with # are passed over."""
    try:
        for line in stream:
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.strip()
    except UnicodeDecodeError as error:
        raise Refused(f"standard input is no {error.encoding.upper()} text") from None


def _json(value: Any) -> str:
    """As JSON in which a terminal finds nothing to obey: what can't be printed is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() else json.dumps(ch)[1:-1] for ch in text)


def _line(fight: OpenEncounter, entry: Entry) -> str:
    history = fight.history
    before = history.states[history.parents[entry.seq]]
    tracks = fight.ruleset.tables.tracks
    return entry_line(entry, before, tracks)


def _viewed(options: Namespace) -> OpenEncounter:
    """The fight, to be looked at; what of it or of its rules is not there is said beside it."""
    fight = OpenEncounter.view(options.file)
    for line in (_lacking(fight), fight.rules_note):
        if line:
            print(plain(f"affray: {line}"), file=sys.stderr)
    return fight


def _lacking(fight: OpenEncounter) -> str:
    """That what is shown is not all of the log, and why; empty when it is."""
    return f"this is not all of the log: {fight.lacks}" if fight.lacks else ""


def _oddities(fight: OpenEncounter) -> list[str]:
    """What there is to say of a fight that is looked at, a line each; first what is not there."""
    rest = [note for note in fight.notes if note not in fight.lacks]
    return [*filter(None, [_lacking(fight)]), *rest]


def _status(fight: OpenEncounter) -> int:
    """The exit status of what shows a fight: as for `check`, 2 when the log is not whole."""
    return 0 if _is_whole(fight) else 2


def _is_whole(fight: OpenEncounter) -> bool:
    return not fight.torn and fight.read_only == VIEWED


def show(options: Namespace) -> int:
    """Print a fight as it stands, or as it was."""
    with _viewed(options) as fight:
        if options.json:
            print(_json(report(fight.history, fight.ruleset, options.at)))
        else:
            told = report(fight.history, fight.ruleset, options.at, options=False)
            lines = sheet(told, fight.ruleset)
            print("\n".join(map(plain, lines)))
    return _status(fight)


def log(options: Namespace) -> int:
    """Print what happened, a line an entry; with `--all` what was undone, too."""
    with _viewed(options) as fight:
        history = fight.history
        on_path = set(history.path)
        for seq in history.entries if options.all else history.path:
            entry = history.entries[seq]
            mark = " " if seq in on_path or entry.to is not None else "-"
            edited = "  (edited by hand)" if entry.edited else ""
            print(plain(f"{seq:>5} {mark} {_line(fight, entry)}{edited}"))
        if options.all and history.off_path():
            print("- left behind by undo; `goto N` goes back to one")
    return _status(fight)


def check(options: Namespace) -> int:
    """Say whether a file is whole, and what is odd about it; else all that is whole in it."""
    problem = _problem(options.file)
    if not problem:
        return 0
    found = _surveyed(options.file, problem)
    print(*map(plain, found.report()), sep="\n", flush=True)
    if options.repair is None or not found.needs_repair:
        raise LogError(problem)
    from affray.store.repair import repaired_name, write_repaired

    target = options.repair or repaired_name(options.file)
    count = write_repaired(found, target)
    print(plain(f"{target}: written, {count} entries; {options.file} is as it was"))
    if found.lost:
        print("What follows a loss was decided in a fight that is not all here: look it over.")
    return 0


def _problem(path: Path) -> str:
    """Why a log can't be played as it is; empty, once its notes are printed, when it can."""
    try:
        with OpenEncounter.view(path) as fight:
            entries = len(fight.history.entries)
            if fight.torn:
                return f"{path}: {entries} entries are whole; the last write was cut off"
            if not _is_whole(fight):
                return fight.read_only
            print(*map(plain, (*fight.notes, f"{path}: whole, {entries} entries")), sep="\n")
    except NotALog as error:
        return str(error)
    return ""


def _surveyed(path: Path, problem: str) -> Survey:
    """What is in a file that can't be played. Raises LogError with the problem when nothing is."""
    from affray.store.survey import survey  # here, since the other commands do without it

    try:
        return survey(path.read_bytes(), str(path))
    except (NotALog, OSError):
        raise LogError(problem) from None


def new(options: Namespace) -> int:
    """Begin a new encounter in a new file."""
    ruleset = options.ruleset or ruleset_id_for(options.file)
    title = options.title or options.file.stem.replace("-", " ").title()
    try:
        created = OpenEncounter.create(options.file, ruleset, title)
    except ValueError as error:  # a title that no file can hold
        raise Refused(str(error)) from None
    with created:
        print(plain(f"{options.file}: {title}"))
    return 0


def roll(options: Namespace) -> int:
    """Roll dice and print how they fell."""
    source = SeededDice(options.seed) if options.seed is not None else fresh_dice()
    try:
        print(roll_dice(parse_dice(" ".join(options.expression)), source))
    except DiceError as error:
        raise Refused(str(error)) from None
    return 0
