"""The commands of the command line, a function each: do, show, log, check, new, roll."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from affray.core.dice import DiceError, parse_dice
from affray.core.dice import roll as roll_dice
from affray.core.dice_sources import DiceSource, SeededDice, fresh_dice
from affray.core.history import Entry
from affray.core.narrate import entry_line
from affray.core.refusal import Refused
from affray.core.report import report
from affray.core.sheet import sheet
from affray.store.campaigns import ruleset_id_for
from affray.store.encounter import VIEWED, OpenEncounter
from affray.store.log_file import LogError


def do(options: Namespace) -> int:
    """Give commands to a fight, one after the other, stopping at the first that is refused."""
    lines = options.lines or _lines(sys.stdin)
    results: list[dict[str, Any]] = []
    refused: Exception | None = None
    with _opened(options) as fight:
        for note in fight.notes:
            print(f"affray: {note}", file=sys.stderr)
        try:
            for line in lines:
                results.append(_do_one(fight, line, options))
        except (Refused, LogError) as error:
            refused = error
        if options.json:
            print(_json({"results": results, "state": report(fight.history, fight.ruleset)}))
    if refused is not None:
        raise refused
    return 0


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
    entry = fight.rehearse(line) if options.dry_run else fight.do(line)
    summary = _line(fight, entry)
    _say(options, summary)
    return {"command": line, "summary": summary, "events": msgspec.to_builtins(entry.events)}


def _say(options: Namespace, *lines: str) -> None:
    if not options.json:
        print(*lines, sep="\n", flush=True)


def _lines(stream: Iterable[str]) -> Iterator[str]:
    """Commands, one a line; empty lines and those that begin with # are passed over."""
    try:
        for line in stream:
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.strip()
    except UnicodeDecodeError as error:
        raise Refused(f"standard input is no {error.encoding.upper()} text") from None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _line(fight: OpenEncounter, entry: Entry) -> str:
    history = fight.history
    before = history.states[history.parents[entry.seq]]
    tracks = fight.ruleset.tables.tracks
    return entry_line(entry, before, tracks)


def _viewed(options: Namespace) -> OpenEncounter:
    """The fight, to be looked at; what the campaign's tables lack is said beside it."""
    fight = OpenEncounter.view(options.file)
    if fight.rules_fault:
        print(f"affray: {fight.rules_fault}", file=sys.stderr)
    return fight


def show(options: Namespace) -> int:
    """Print a fight as it stands, or as it was."""
    with _viewed(options) as fight:
        if options.json:
            print(_json(report(fight.history, fight.ruleset, options.at)))
        else:
            print("\n".join(sheet(report(fight.history, fight.ruleset, options.at), fight.ruleset)))
    return 0


def log(options: Namespace) -> int:
    """Print what happened, a line an entry; with `--all` what was undone, too."""
    with _viewed(options) as fight:
        history = fight.history
        on_path = set(history.path)
        for seq in history.entries if options.all else history.path:
            entry = history.entries[seq]
            mark = " " if seq in on_path or entry.to is not None else "-"
            edited = "  (edited by hand)" if entry.edited else ""
            print(f"{seq:>5} {mark} {_line(fight, entry)}{edited}")
        if options.all and history.off_path():
            print("- left behind by undo; `goto N` goes back to one")
    return 0


def check(options: Namespace) -> int:
    """Say whether a file is whole, and what is odd about it."""
    with OpenEncounter.view(options.file) as fight:
        entries = len(fight.history.entries)
        for note in fight.notes:
            print(note)
        if fight.torn:
            raise LogError(
                f"{options.file}: {entries} entries are whole; the last write was cut off"
            )
        if fight.read_only != VIEWED:
            raise LogError(fight.read_only)
    print(f"{options.file}: whole, {entries} entries")
    return 0


def new(options: Namespace) -> int:
    """Begin a new encounter in a new file."""
    ruleset = options.ruleset or ruleset_id_for(options.file)
    title = options.title or options.file.stem.replace("-", " ").title()
    with OpenEncounter.create(options.file, ruleset, title):
        print(f"{options.file}: {title}")
    return 0


def roll(options: Namespace) -> int:
    """Roll dice and print how they fell."""
    source = SeededDice(options.seed) if options.seed is not None else fresh_dice()
    try:
        print(roll_dice(parse_dice(" ".join(options.expression)), source))
    except DiceError as error:
        raise Refused(str(error)) from None
    return 0
