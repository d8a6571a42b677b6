"""The commands of the command line: a function for each, of the same name."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from affray.core.dice.chance import rolled
from affray.core.dice.notation import DiceError
from affray.core.dice.sources import dice_by
from affray.core.heart.history import AMEND, Entry
from affray.core.language.refusal import Refused
from affray.core.telling.amended import amendment_in_words
from affray.core.telling.narrate import entry_line
from affray.core.telling.plain import one_line
from affray.core.telling.report import report
from affray.core.telling.sheet import sheet
from affray.rulesets import DEFAULT
from affray.store.campaigns.files import ruleset_id_for
from affray.store.disk import is_file
from affray.store.encounter import VIEWED, OpenEncounter
from affray.store.errors import LogError, NotALog
from affray.streams import Unprinted, as_json, commands_in, note, put, tell

if TYPE_CHECKING:
    from affray.store.survey import Survey


class _Done(NamedTuple):
    """What came of a command: its entry's number (0 for a question), lines, and all of it."""

    seq: int
    lines: list[str]
    result: dict[str, Any]


def do(options: Namespace) -> int:
    """Give commands to a fight, one after the other, stopping at the first that is refused.

    When what it prints can't be printed any more it stops, too, and says how far it came.
    """
    lines = iter(options.lines) if options.lines else commands_in(sys.stdin)
    done: list[_Done] = []
    refused: Exception | None = None
    with _opened(options) as fight:
        note(*(_oddities(fight) if options.dry_run else fight.notes))
        try:
            for line in lines:
                told = fight.notes
                done.append(_do_one(fight, line, options))
                if not options.json:
                    tell(*done[-1].lines)
                note(*(line for line in fight.notes if line not in (*told, *fight.kept)))
        except (Refused, LogError, BrokenPipeError) as error:
            refused = error
        try:
            if options.json:
                results = [each.result for each in done]
                put(as_json({"results": results, "state": report(fight.history, fight.ruleset)}))
        except (Unprinted, BrokenPipeError) as error:
            refused = refused or error
    note(*(line for line in fight.kept if line not in str(refused)))
    if isinstance(refused, Unprinted | BrokenPipeError):
        saved = [each.seq for each in done if each.seq and not options.dry_run]
        raise Refused(f"{_unheard(refused)}; {_how_far(saved, not options.json)}")
    if refused is not None:
        raise refused
    return _status(fight) if options.dry_run else 0


def amend(options: Namespace) -> int:
    """Give a past entry another command, and print what is different for it."""
    line = f"{AMEND} {' '.join(options.words)}"
    with _opened(options) as fight:
        note(*(_oddities(fight) if options.dry_run else fight.notes))
        told = fight.notes
        tell(*_come_true(fight, line, options.dry_run)[1])
        note(*(line for line in fight.notes if line not in told))
    return _status(fight) if options.dry_run else 0


def _unheard(error: Exception) -> str:
    gone = isinstance(error, BrokenPipeError)
    return "nobody reads what is printed any more" if gone else str(error)


def _how_far(saved: list[int], stopped: bool) -> str:
    """Which entries were saved by commands whose lines were not all printed."""
    if not saved:
        return "nothing was saved"
    one = len(saved) == 1
    told = f"entry {saved[0]} was" if one else f"entries {saved[0]} to {saved[-1]} were"
    return f"{told} saved, and nothing was done after that" if stopped else f"{told} saved"


def _opened(options: Namespace) -> OpenEncounter:
    dice = dice_by(options.seed)
    if options.dry_run:
        fight = OpenEncounter.view(options.file)
        fight.dice = dice
        return fight
    return OpenEncounter.open(options.file, dice).with_news()


def _do_one(fight: OpenEncounter, line: str, options: Namespace) -> _Done:
    answer = fight.ask(line)
    if answer is not None:
        summary = "\n".join(answer.lines)
        result = {"command": line, "summary": summary, "events": [], **answer.numbers}
        return _Done(0, answer.lines, result)
    entry, lines = _come_true(fight, line, options.dry_run)
    events = msgspec.to_builtins(entry.events)
    return _Done(entry.seq, lines, {"command": line, "summary": "\n".join(lines), "events": events})


def _come_true(fight: OpenEncounter, line: str, dry_run: bool) -> tuple[Entry, list[str]]:
    """Do a command, or let it come true in memory alone; with the lines that tell of it."""
    made = fight.amendment(line)
    if made is not None:
        words = amendment_in_words(fight.state, fight.ruleset.tables, made)
        if dry_run:
            return fight.rehearse(made), words
        entry = fight.amend(made)
        return entry, [_line(fight, entry), *words]
    told = fight.foresee(line) if dry_run else None
    entry = fight.rehearse(line) if dry_run else fight.do(line)
    return entry, (told or _line(fight, entry)).splitlines()


def _line(fight: OpenEncounter, entry: Entry) -> str:
    return entry_line(entry, fight.history.before(entry.seq), fight.ruleset.tables.tracks)


def _viewed(options: Namespace) -> OpenEncounter:
    """The fight, to be looked at; what is missing of its log or its rules is said on the error
    stream."""
    fight = OpenEncounter.view(options.file)
    note(*filter(None, (_lacking(fight), fight.rules_note)))
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
            put(as_json(report(fight.history, fight.ruleset, options.at)))
        else:
            told = report(fight.history, fight.ruleset, options.at, options=False)
            lines = sheet(told, fight.ruleset)
            tell(*lines)
    return _status(fight)


def log(options: Namespace) -> int:
    """Print what happened, a line an entry; with `--all` what was undone, too."""
    with _viewed(options) as fight:
        history = fight.history
        left = set(history.off_path())
        lines = []
        for seq in history.entries if options.all else history.path:
            entry = history.entries[seq]
            mark = "-" if seq in left else " "
            edited = "  (edited by hand)" if entry.edited else ""
            lines.append(f"{seq:>5} {mark} {_line(fight, entry)}{edited}")
        if options.all and left:
            lines.append("- left behind by undo; `goto N` goes back to one")
        if lines:
            tell(*lines)
    return _status(fight)


def recap(options: Namespace) -> int:
    """Print what is told of a fight when it is over, as Markdown or as a page of HTML."""
    from affray.core.telling.recap.fold import recap_of  # here, since the other commands do without
    from affray.core.telling.recap.for_players import players_recap
    from affray.core.telling.recap.markdown import markdown
    from affray.core.telling.recap.page import page

    with _viewed(options) as fight:
        told = (players_recap if options.players else recap_of)(fight.history, fight.ruleset)
    put((page(told) if options.html else markdown(told)).removesuffix("\n"))
    return _status(fight)


def watch(options: Namespace) -> int:
    """Serve the players' view as a page, until ctrl+c ends it."""
    if not options.players:
        raise Refused("a page is for the players alone: affray watch FILE --players --serve")
    from affray.serve import serve  # here, since nothing else opens an address

    with _viewed(options) as fight:
        serve(fight, options.serve)
    return 0


def odds(options: Namespace) -> int:
    """Print how the fight is likely to end; while it is reckoned, how far that is, at a terminal.

    Ctrl+c ends it, and what is known by then is printed.
    """
    from affray.odds import Odds, Rules, reckon, so_far  # here: nothing else plays fights out
    from affray.odds.words import words

    if options.fights < 1:
        raise Refused("expected at least one fight to play: --fights 1000")
    found = Odds()
    with _viewed(options) as fight:
        rules = Rules(fight.ruleset.id, fight.path)
        try:
            for found in reckon(fight.state, rules, options.fights, seed=options.seed):
                if sys.stderr.isatty():
                    print(f"{so_far(found):<72}", end="\r", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pass
        if found.played:
            tell(*words(fight.state, fight.ruleset.tables, found))
    return 0 if found.played else 130


def check(options: Namespace) -> int:
    """Say whether a file is whole, and what is odd about it; else all that is whole in it. Of a
    campaign, all that is wrong in its files."""
    if not is_file(options.file):
        folder = _campaign_called(options)
        if folder is not None:
            return _check_campaign(folder)
    problem = _problem(options.file)
    if not problem:
        return 0
    found = _surveyed(options.file, problem)
    tell(*found.report())
    if options.repair is None or not found.needs_repair:
        raise LogError(problem)
    from affray.store.repair import repaired_name, write_repaired

    target = options.repair or repaired_name(options.file)
    count = write_repaired(found, target)
    tell(f"{target}: written, {count} entries; {options.file} is as it was")
    if found.lost:
        tell("What follows a loss was decided in a fight that is not all here: look it over.")
    return 0


def _campaign_called(options: Namespace) -> Path | None:
    """The campaign that is to be checked, by its folder or its name; None for none."""
    from affray.store.campaigns.finding import campaign_for  # here, since mostly a log is checked

    try:
        folder = campaign_for(str(options.file))
    except Refused:
        return None
    if options.repair is not None:
        raise Refused(f"{folder} is a campaign: --repair is for one of its logs")
    return folder


def _check_campaign(folder: Path) -> int:
    from affray.store.campaigns.checking import findings
    from affray.store.campaigns.files import LEDGER, encounters_of, is_there

    faults = 0
    for finding in findings(folder):
        tell(finding.line)
        faults += finding.is_fault
    ledger = [folder / LEDGER] if is_there(folder / LEDGER) else []
    for path in (*ledger, *encounters_of(folder)):
        problem = _problem(path)
        if problem:
            faults += 1
            tell(problem if str(path) in problem else f"{path}: {problem}")
    if faults:
        raise LogError(f"{folder}: {faults} fault{'s' if faults > 1 else ''}")
    tell(f"{folder}: nothing is wrong")
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
            tell(*fight.notes, f"{path}: whole, {entries} entries")
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
    """Begin a new encounter in a new file, or a new campaign where the user's are."""
    if options.name is not None:
        return _new_campaign(options)
    ruleset = options.ruleset or ruleset_id_for(options.file)
    title = options.title or options.file.stem.replace("-", " ").title()
    try:
        created = OpenEncounter.create(options.file, ruleset, title)
    except ValueError as error:  # a title that no file can hold
        raise Refused(str(error)) from None
    with created:
        tell(f"{options.file}: {title}")
    return 0


def _new_campaign(options: Namespace) -> int:
    if str(options.file) != "campaign":
        raise Refused(
            f"expected `affray new FILE` or `affray new campaign NAME`, found {options.name!r}"
        )
    if options.title is not None:
        raise Refused("a campaign has a name, and no --title")
    from affray.store.campaigns.folders import begin_campaign  # here, since it is seldom done

    folder = begin_campaign(one_line(options.name), options.ruleset or DEFAULT)
    tell(f"{folder}: {options.name}")
    return 0


def import_(options: Namespace) -> int:
    """Read creatures, characters and encounters of other programs into a campaign; or bring back
    what `export` has written."""
    from affray.store.campaigns.finding import campaign_for
    from affray.store.exporting import is_export, restore  # here, since it is seldom done
    from affray.store.importing.bringing import bring_in
    from affray.store.importing.report import report as report_of

    if is_export(options.path):
        restored = restore(options.path, campaign_for(options.into) if options.into else None)
        tell(*restored.notes, f"{restored.path}: restored")
        return 0
    campaign = campaign_for(options.into)
    brought = bring_in(options.path, campaign, options.replace, _tell_progress)
    tell(*report_of(brought), f"{campaign}: imported into")
    return 0


def _tell_progress(done: int, of: int, what: str) -> None:
    """A line on standard error now and then, where there are many files or creatures."""
    if done % 500 == 0 and done < of:
        print(f"affray: {done} of {of} {what}", file=sys.stderr)


def export(options: Namespace) -> int:
    """Put a campaign, or an encounter with what it goes by, into one new file."""
    from affray.store import exporting
    from affray.store.campaigns.finding import campaign_for

    named = Path(options.what)
    if is_file(named):
        exported, stem = exporting.export_encounter(named), named.stem
    else:
        folder = campaign_for(options.what)
        exported, stem = exporting.export_campaign(folder), folder.resolve().name
    target = options.to or Path(f"{stem}.export.toml")
    exporting.write_export(exported, target)
    tell(*exported.left_out, f"{target}: written")
    return 0


def roll(options: Namespace) -> int:
    """Roll dice and print how they fell."""
    try:
        put(rolled(" ".join(options.expression), dice_by(options.seed)))
    except DiceError as error:
        raise Refused(str(error)) from None
    return 0


def print_completion(options: Namespace) -> int:
    """Print what completes affray's arguments in a shell, as it came along with the program."""
    script = Path(__file__).with_name("shell") / f"affray.{options.print_completion}"
    put(script.read_text("utf-8").rstrip("\n"))
    return 0
