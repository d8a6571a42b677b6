"""The commands of the command line: a function for each, of the same name."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from affray.core.commands.newcomers import SIDES, slug
from affray.core.dice import DiceError, SeededDice, roll_text, seeded_dice
from affray.core.engine.decide import decide, faults_by_their_place
from affray.core.engine.history import AMEND, Entry
from affray.core.engine.state import Encounter
from affray.core.formatting.log_lines import amendment_in_words, entry_line
from affray.core.formatting.reports import json_report, text_report
from affray.core.formatting.safe_text import to_one_line
from affray.core.late_pattern import late_pattern
from affray.core.parser.clauses import BEHIND_NUMBERS
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import Token, TokenStream, join_tokens, tokenize
from affray.core.rules.ruleset import Context, Ruleset
from affray.core.rules.tables import PROPOSED
from affray.rulesets import DEFAULT, load_ruleset
from affray.stdio import OutputFailed, as_json, commands_in, print_lines, print_raw, print_stderr
from affray.store import LogError, NotALog
from affray.store.campaigns import campaign_rules, files, find
from affray.store.filesystem import as_listed, is_file, read_bytes
from affray.store.open_encounter import VIEWED, OpenEncounter

if TYPE_CHECKING:
    from affray.store.log_repair import LogDamageReport


class _Done(NamedTuple):
    """The outcome of a command: its entry (0 for a question), its lines, and its result as JSON."""

    seq: int
    lines: list[str]
    result: dict[str, Any]


def do(options: Namespace) -> int:
    """Give commands to a fight, one after the other, stopping at the first that is refused.

    When its output can't be written any more it stops, too, and says what was saved.
    """
    lines = iter(options.lines) if options.lines else commands_in(sys.stdin)
    done: list[_Done] = []
    refused: Exception | None = None
    with _open_encounter(options) as fight:
        print_stderr(*(_view_notes(fight) if options.dry_run else fight.notes))
        try:
            for line in lines:
                before = fight.notes
                done.append(_do_one(fight, line, options))
                if not options.json:
                    print_lines(*done[-1].lines)
                before += fight.foreign_edit_notes  # which come last
                print_stderr(*(note for note in fight.notes if note not in before))
        except (Refused, LogError, BrokenPipeError) as error:
            refused = error
        try:
            if options.json:
                results = [each.result for each in done]
                print_raw(
                    as_json(
                        {"results": results, "state": json_report(fight.history, fight.ruleset)}
                    )
                )
        except (OutputFailed, BrokenPipeError) as error:
            refused = refused or error
    print_stderr(*(line for line in fight.foreign_edit_notes if line not in str(refused)))
    if isinstance(refused, OutputFailed | BrokenPipeError):
        saved = [each.seq for each in done if each.seq and not options.dry_run]
        raise Refused(f"{_output_fault_text(refused)}; {_saved_text(saved, not options.json)}")
    if refused is not None:
        raise refused
    return _status(fight) if options.dry_run else 0


def amend(options: Namespace) -> int:
    """Give a past entry another command, and print what that changes."""
    line = f"{AMEND} {' '.join(options.words)}"
    with _open_encounter(options) as fight:
        print_stderr(*(_view_notes(fight) if options.dry_run else fight.notes))
        before = fight.notes
        print_lines(*_do_or_preview(fight, line, options.dry_run)[1])
        print_stderr(*(note for note in fight.notes if note not in before))
    return _status(fight) if options.dry_run else 0


def _output_fault_text(error: Exception) -> str:
    gone = isinstance(error, BrokenPipeError)
    return "nobody reads the output now" if gone else str(error)


def _saved_text(saved: list[int], stopped: bool) -> str:
    """The entries that were saved before the output failed, in words."""
    if not saved:
        return "nothing was saved"
    one = len(saved) == 1
    text = f"entry {saved[0]} was" if one else f"entries {saved[0]} to {saved[-1]} were"
    return f"{text} saved, and nothing after that was done" if stopped else f"{text} saved"


@contextmanager
def _open_encounter(options: Namespace) -> Iterator[OpenEncounter]:
    dice = seeded_dice(options.seed)
    if options.dry_run:
        fight = OpenEncounter.view(options.file)
        fight.dice = dice
    else:
        fight = OpenEncounter.open(options.file, dice).with_news()
    with fight, faults_by_their_place(fight.ruleset):
        yield fight


def _do_one(fight: OpenEncounter, line: str, options: Namespace) -> _Done:
    answer = fight.ask(line)
    if answer is not None:
        summary = "\n".join(answer.lines)
        result = {"command": line, "summary": summary, "events": [], **answer.numbers}
        return _Done(0, answer.lines, result)
    entry, lines = _do_or_preview(fight, line, options.dry_run)
    events = msgspec.to_builtins(entry.events)
    return _Done(entry.seq, lines, {"command": line, "summary": "\n".join(lines), "events": events})


def _do_or_preview(fight: OpenEncounter, line: str, dry_run: bool) -> tuple[Entry, list[str]]:
    """Do a command, in a dry run in memory alone, and give its entry and lines."""
    amendment = fight.amendment(line)
    if amendment is not None:
        words = amendment_in_words(fight.state, fight.ruleset.tables, amendment)
        if dry_run:
            return fight.do_in_memory(amendment), words
        entry = fight.amend(amendment)
        return entry, [_entry_text(fight, entry), *words]
    text = fight.preview_command(line) if dry_run else None
    entry = fight.do_in_memory(line) if dry_run else fight.do(line)
    return entry, (text or _entry_text(fight, entry)).splitlines()


def _entry_text(fight: OpenEncounter, entry: Entry) -> str:
    return entry_line(entry, fight.history.before(entry.seq), fight.ruleset.tables.tracks)


@contextmanager
def _open_view(options: Namespace) -> Iterator[OpenEncounter]:
    """Open a fight as a view; standard error tells what its log or its rules lack."""
    with OpenEncounter.view(options.file) as fight, faults_by_their_place(fight.ruleset):
        print_stderr(*filter(None, (_incomplete_note(fight), fight.rules_note)))
        yield fight


def _incomplete_note(fight: OpenEncounter) -> str:
    return f"part of the log is missing: {fight.lacks}" if fight.lacks else ""


def _view_notes(fight: OpenEncounter) -> list[str]:
    """The notes of a fight opened as a view; first what its log lacks."""
    rest = [note for note in fight.notes if note not in fight.lacks]
    return [*filter(None, [_incomplete_note(fight)]), *rest]


def _status(fight: OpenEncounter) -> int:
    """The exit status for a view: as for `check`, 2 when the log is not whole."""
    return 0 if _is_whole(fight) else 2


def _is_whole(fight: OpenEncounter) -> bool:
    return not fight.torn and fight.read_only == VIEWED


def show(options: Namespace) -> int:
    """Print a fight as it stands, or as it was."""
    with _open_view(options) as fight:
        if options.json:
            print_raw(as_json(json_report(fight.history, fight.ruleset, options.at)))
        else:
            parts = json_report(fight.history, fight.ruleset, options.at, options=False)
            lines = text_report(parts, fight.ruleset)
            print_lines(*lines)
    return _status(fight)


def log(options: Namespace) -> int:
    """Print what happened, a line an entry; with `--all` what was undone, too."""
    with _open_view(options) as fight:
        history = fight.history
        left = set(history.off_path())
        lines = []
        for seq in history.entries if options.all else history.path:
            entry = history.entries[seq]
            mark = "-" if seq in left else " "
            edited = "  (edited by hand)" if entry.edited else ""
            lines.append(f"{seq:>5} {mark} {_entry_text(fight, entry)}{edited}")
        if options.all and left:
            lines.append("- undone; `goto N` goes back to one")
        if lines:
            print_lines(*lines)
    return _status(fight)


def recap(options: Namespace) -> int:
    """Print the story of a fight, as Markdown or as a page of HTML."""
    from affray.core.formatting.recap import recap_of  # here, since the other commands do without
    from affray.core.formatting.recap_output import markdown, players_recap, render_html

    with _open_view(options) as fight:
        recap = (players_recap if options.players else recap_of)(fight.history, fight.ruleset)
    print_raw((render_html(recap) if options.html else markdown(recap)).removesuffix("\n"))
    return _status(fight)


def watch(options: Namespace) -> int:
    """Serve the players' view as a page, until ctrl+c ends it."""
    if not options.players:
        raise Refused("the page is only for the players: affray watch FILE --players --serve")
    # here, since nothing else opens an address
    from affray.serve import library_missing, read_address

    with _open_view(options) as fight:
        address = read_address(options.serve)
        try:
            from affray.serve.server import load_certificate, run  # here: it needs an extra
        except ModuleNotFoundError as missing:
            raise library_missing(missing.name or "a library") from None
        certificate = None
        if options.tls_cert is not None:
            certificate = load_certificate(options.tls_cert, options.tls_key)
        elif options.tls_key is not None:
            raise Refused("--tls-key needs --tls-cert FILE as well")
        run(fight, address, certificate)
    return 0


def odds(options: Namespace) -> int:
    """Print how the fight is likely to end; standard error has the odds so far, a terminal in one
    line, and whatever else reads it in one for each time that they come of twice as many fights.

    Ctrl+c ends it, and prints the odds so far.
    """
    from affray.odds.simulation import (  # here: nothing else plays fights out
        RulesRef,
        SimulationResult,
        result_lines,
        simulate,
        so_far,
    )

    if options.fights is not None and options.fights < 1:
        raise Refused("expected at least one fight to play: --fights 1000")
    found, last = SimulationResult(), 0
    is_terminal = sys.stderr.isatty()
    with _open_view(options) as fight:
        rules = RulesRef(fight.ruleset.id, fight.path)
        try:
            for found in simulate(fight.state, rules, options.fights, seed=options.seed):
                if is_terminal:
                    print(f"{so_far(found):<72}", end="\r", file=sys.stderr, flush=True)
                elif found.played >= 2 * last:
                    last = found.played
                    print(so_far(found), file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pass
        except OSError as error:  # a process that played fights was ended from outside
            raise Refused(str(error)) from error
        if is_terminal:
            print(" " * 72, end="\r", file=sys.stderr, flush=True)
        if found.played:
            hard = fight.ruleset.numbers.difficulty(fight.ruleset.tables, fight.state)
            print_lines(*([hard.line, ""] if hard is not None else ()))
            print_lines(*result_lines(fight.state, fight.ruleset.tables, found))
    return 0 if found.played else 130


def check(options: Namespace) -> int:
    """Say whether a log is whole, and if it isn't, what can be rescued.

    For a campaign, say all that is wrong in its files.
    """
    if not is_file(options.file):
        folder = _campaign_named(options)
        if folder is not None:
            return _check_campaign(folder)
    problem = _problem(options.file)
    if not problem:
        return 0
    found = _survey_log(options.file, problem)
    print_lines(*found.report())
    if options.repair is None or not found.needs_repair:
        raise LogError(problem)
    from affray.store.log_repair import repaired_name, write_repaired

    target = options.repair or repaired_name(options.file)
    count = write_repaired(found, target)
    print_lines(f"{target}: written, {count} entries; {options.file} is as it was")
    if found.lost:
        print_lines("Check what follows a loss: it was decided with entries that are now missing.")
    return 0


def _campaign_named(options: Namespace) -> Path | None:
    """The campaign to check, by its folder or its name; None if there is none."""
    try:
        folder = find.find_campaign(str(options.file))
    except Refused:
        return None
    if options.repair is not None:
        raise Refused(f"{folder} is a campaign: use --repair with one of its logs")
    return folder


def _check_campaign(folder: Path) -> int:
    faults = 0
    for finding in campaign_rules.findings(folder):
        print_lines(finding.line)
        faults += finding.is_fault
    ledger = [folder / files.LEDGER] if files.exists(folder / files.LEDGER) else []
    for path in (*ledger, *files.encounters_of(folder)):
        problem = _problem(path)
        if problem:
            faults += 1
            print_lines(problem if str(path) in problem else f"{path}: {problem}")
    if faults:
        raise LogError(f"{folder}: {faults} fault{'s' if faults > 1 else ''}")
    print_lines(f"{folder}: nothing is wrong")
    return 0


def _problem(path: Path) -> str:
    """The reason why a log can't be played, empty if it can. Prints the log's notes."""
    try:
        with OpenEncounter.view(path) as fight:
            entries = len(fight.history.entries)
            if fight.torn:
                return f"{path}: {entries} entries are intact; the last write was cut off"
            if not _is_whole(fight):
                return fight.read_only
            print_lines(*fight.notes, f"{path}: intact, {entries} entries")
    except NotALog as error:
        return str(error)
    return ""


def _survey_log(path: Path, problem: str) -> LogDamageReport:
    """Survey a log that can't be played. Raises LogError with the problem if it is no log."""
    from affray.store.log_repair import survey  # here, since the other commands do without it

    try:
        return survey(read_bytes(path), str(path))
    except (NotALog, OSError):
        raise LogError(problem) from None


def new(options: Namespace) -> int:
    """Begin an encounter in a new file, a campaign in the user's folder of campaigns, or a rule
    system's package in this folder."""
    if str(options.file) == "ruleset":
        return _new_ruleset(options)
    if options.name is not None or str(options.file) == "campaign":
        return _new_campaign(options)
    file = options.file if options.file.suffix else as_listed(f"{options.file}.toml")
    ruleset = options.ruleset or files.ruleset_id_for(file)
    title = options.title or file.stem.replace("-", " ").title()
    try:
        created = OpenEncounter.create(file, ruleset, title)
    except ValueError as error:  # a title that no file can hold
        raise Refused(str(error)) from None
    with created:
        print_lines(f"{file}: {title}")
    return 0


def _new_campaign(options: Namespace) -> int:
    if str(options.file) != "campaign":
        raise Refused(
            "expected `affray new FILE`, `affray new campaign NAME` or `affray new ruleset NAME`, "
            f"found {options.name!r}"
        )
    if options.name is None:
        raise Refused('expected a name: `affray new campaign "The Salt Road"`')
    if options.title is not None:
        raise Refused("a campaign takes a name, not --title")
    from affray.store.campaigns.manage import create_campaign  # here, since it is seldom done

    folder = create_campaign(to_one_line(options.name), options.ruleset or DEFAULT)
    print_lines(f"{folder}: {options.name}")
    return 0


def _new_ruleset(options: Namespace) -> int:
    if options.name is None:
        raise Refused("expected a name: `affray new ruleset salt_road`")
    if options.ruleset is not None or options.title is not None:
        raise Refused("a rule system takes a name, not --ruleset or --title")
    from affray.new_ruleset import title_of, write_ruleset  # here, since it is seldom done

    folder = write_ruleset(options.name, find.working_folder())
    print_lines(
        f"{folder}: {title_of(options.name)}, a rule system of your own. To play it:",
        f"  pip install -e {options.name}",
        f"  affray new fight.toml --ruleset {options.name}",
    )
    return 0


def import_(options: Namespace) -> int:
    """Import creatures, characters and encounters of other programs, or a file from `export`."""
    from affray.store.export import is_export, restore  # here, since it is seldom done
    from affray.store.importers.report import as_object, import_report, report_of
    from affray.store.importers.run_import import bring_in

    exports = [path for path in options.paths if is_export(path)]
    others = [path for path in options.paths if path not in exports]
    if exports and options.json:
        raise Refused(f"--json reports what other programs' files hold; {exports[0]} is an export")
    if others:
        campaign = _campaign_for(others, options.into)
        brought = bring_in(others, campaign, options.replace, _tell_progress)
        if options.json:
            print_raw(as_json(as_object(report_of(brought), campaign)))
        else:
            print_lines(*import_report(brought), f"Imported into {_name_with_folder(campaign)}")
    for path in exports:
        restored = restore(path, find.find_campaign(options.into) if options.into else None)
        print_lines(*restored.notes, f"Restored {_name_with_folder(restored.path)}")
    return 0


def _campaign_for(paths: list[Path], named: str) -> Path:
    """The campaign to import into. Raises Refused; if none is named, it says of which game the
    files are, and how a campaign of that game is made."""
    from affray.store.importers.detect import games_in  # here, since it is seldom done
    from affray.store.importers.report import game_of, hint_of

    try:
        return find.find_campaign(named)
    except Refused as refusal:
        game = "" if named else game_of(games_in(paths))
        raise Refused(f"{refusal}; {hint_of(game)}" if game else str(refusal)) from None


def _name_with_folder(path: Path) -> str:
    """A campaign by its name, and its folder behind it; an encounter's file as it is."""
    return f"{files.campaign_name(path)} ({path})" if path.is_dir() else str(path)


def _tell_progress(done: int, of: int, what: str) -> None:
    """Print a line on standard error for every 500 files or creatures."""
    if done % 500 == 0 and done < of:
        print(f"affray: {done} of {of} {what}", file=sys.stderr)


def export(options: Namespace) -> int:
    """Put a campaign, or an encounter with the rows that it uses, into one new file."""
    from affray.store import export

    named = as_listed(options.what)
    if is_file(named):
        exported, stem = export.export_encounter(named), named.stem
    else:
        folder = find.find_campaign(options.what)
        exported, stem = export.export_campaign(folder), folder.resolve().name
    target = options.to or Path(f"{stem}.export.toml")
    export.write_export(exported, target)
    print_lines(*exported.left_out, f"{target}: written")
    return 0


def roll(options: Namespace) -> int:
    """Roll dice and print how they fell."""
    try:
        print_raw(roll_text(" ".join(options.expression), seeded_dice(options.seed)))
    except DiceError as error:
        raise Refused(str(error)) from None
    return 0


def print_completion(options: Namespace) -> int:
    """Print the script that completes affray's arguments in a shell."""
    script = Path(__file__).with_name("shell") / f"affray.{options.print_completion}"
    print_raw(script.read_text("utf-8").rstrip("\n"))
    return 0


# -------------------------------------------------------------------------------------------------
# `affray quick "4 pcs" "ghoul x3"`: a fight from nothing, with plain numbers where none are given.

_PCS = late_pattern(r"(\d{1,2}) (?:pcs?|characters?|players?)")
_FROM_1_TO_99 = late_pattern(r"0*[1-9]\d?")
_COUNT, _NUMBER = late_pattern(r"x\d{1,2}"), late_pattern(r"\d{1,2}")


def create_quick_fight(options: Namespace) -> Path:
    """Make a fight in this folder, or among its encounters if it is a campaign; returns its file.

    Raises Refused for somebody who can't be added, before a file is made; LogError for a file that
    can't be made.
    """
    from affray.store.campaigns.manage import create_loose_encounter

    working = find.working_folder()
    campaign = working if files.is_campaign(working) else None
    folder = working / files.ENCOUNTERS if campaign else working
    own = load_ruleset(options.ruleset or files.campaign_ruleset_id(working))
    ruleset = campaign_rules.with_rows_of(own, campaign)
    lines = [add_command(value, ruleset) for value in options.who]
    state = Encounter(ruleset=ruleset.id)
    for line in lines:
        state = decide(state, line, ruleset, SeededDice(0)).state
    path = create_loose_encounter(folder, options.title, ruleset.id)
    with OpenEncounter.open(path, seeded_dice(options.seed)) as fight:
        for line in lines:
            fight.do(line)
    return path


def add_command(text: str, ruleset: Ruleset) -> str:
    """The command that adds `4 pcs`, `party`, `ghoul x3` or `2 ogre hp 30 ac 13`.

    Creatures of the campaign's bestiary have its numbers; others those that are given, else plain
    ones.
    """
    text = " ".join(text.split())
    pcs = _PCS.fullmatch(text.casefold())
    counts = [pcs[1]] if pcs else re.findall(r"(?<!\S)x([-+−]?\d\S*)", text)
    if not all(_FROM_1_TO_99.fullmatch(count) for count in counts):
        raise Refused(f"expected a number from 1 to 99 in {text!r}")
    if pcs:
        many = f"x{pcs[1]} " if int(pcs[1]) > 1 else ""
        return f"add pc PC {many}{ruleset.some_health}".rstrip()
    words = tokenize(text)
    if not words:
        raise Refused('say who fights, such as "4 pcs" or "ghoul x3"')
    if words[0].casefold() in ("party", *SIDES):
        return f"add {text}"
    name, rest = _name_and_rest(words, ruleset)
    if slug(name) in ruleset.tables.bestiary:
        return f"add {slug(name)} {join_tokens(rest)}".rstrip()
    shown = f'add monster "{name if name != name.casefold() else name.title()}"'
    bare = f"{shown} {join_tokens(rest)}".rstrip()
    end = next((at for at, word in enumerate(rest) if word.casefold() in BEHIND_NUMBERS), len(rest))
    more = _assumed_fields(rest[:end], ruleset, bare)
    return " ".join(filter(None, (shown, join_tokens(rest[:end]), *more, join_tokens(rest[end:]))))


def _assumed_fields(parts: list[Token], ruleset: Ruleset, line: str) -> list[str]:
    """The fields that a creature needs and wasn't given, and a mark that they are proposed."""
    tokens = TokenStream(tokenize(ruleset.usual_foe), Encounter(ruleset=ruleset.id))
    row = ruleset.sheet.read_fields(Context(tokens.state, ruleset, SeededDice(0)), tokens)
    health = ruleset.tables.health
    given = {word.casefold() for word in parts} | (
        {health} if _is_accepted(line, ruleset) else set()
    )
    new = {name: text for name, text in row if name not in given}
    proposed = ",".join(name for name in new if name != health)
    lines = [f"{name} {value}" for name, value in new.items()]
    return [*lines, f"{PROPOSED} {proposed}"] if proposed else lines


def _name_and_rest(words: list[Token], ruleset: Ruleset) -> tuple[str, list[Token]]:
    """Split a creature into its name and the rest: `2 fire imp hp 30` is `fire imp`, `x2 hp 30`.

    The name ends at a count or at the first field.
    """
    before = [Token(f"x{words.pop(0)}")] if _NUMBER.fullmatch(words[0]) and words[1:] else []
    choices = {
        *(word.name for word in ruleset.sheet.fields(ruleset.tables)),
        *BEHIND_NUMBERS,
        "side",
    }
    at = 1
    while at < len(words) and not (_COUNT.fullmatch(words[at]) or words[at].casefold() in choices):
        at += 1
    return " ".join(words[:at]), [*before, *words[at:]]


def _is_accepted(line: str, ruleset: Ruleset) -> bool:
    """True if the rule system accepts an `add` as it is, such as a member of a crowd without HP."""
    try:
        decide(Encounter(ruleset=ruleset.id), line, ruleset, SeededDice(0))
    except Refused:
        return False
    return True
