"""An open encounter (`OpenEncounter`): its log, history and rules.

`do` decides a command, saves it, and only then makes it part of the history.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Self

from msgspec.structs import replace

from affray import debug_log
from affray.core.commands.log_commands import KEEP, query_kind
from affray.core.commands.queries import QueryResult
from affray.core.dice import DiceSource, seeded_dice, system_dice
from affray.core.engine.amend import Amendment
from affray.core.engine.decide import Decision
from affray.core.engine.effects import without_row
from affray.core.engine.history import Entry
from affray.core.engine.state import Encounter
from affray.core.formatting.media import WRITTEN
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Ruleset
from affray.fight import Now, utc_now
from affray.rulesets import load_ruleset
from affray.store import LogError, StaleLog
from affray.store.campaigns import ledger
from affray.store.campaigns.campaign_rules import (
    read_only_ruleset,
    ruleset_with_campaign,
    with_its_line,
)
from affray.store.campaigns.files import campaign_of
from affray.store.entries import format_log, replay, to_body
from affray.store.filesystem import as_listed
from affray.store.foreign_edits import is_same_entry, require_same_head, require_same_turn
from affray.store.log_file import LogFile, file_stamp, read_log, read_more
from affray.store.log_recovery import Damaged, ParsedLog, Stamp, entries_if_known, read_entries

# -------------------------------------------------------------------------------------------------
# The lines that were given in a fight, for going back in the command bar.

MOST_LINES = 500


class CommandHistory:
    """The last different lines that were given, the newest last: at most `MOST_LINES`."""

    def __init__(self, newest_first: Iterable[str]) -> None:
        found: dict[str, None] = {}
        for line in newest_first:
            found.setdefault(line)
            if len(found) == MOST_LINES:
                break
        self._lines = dict.fromkeys(reversed(found))

    def add(self, line: str) -> None:
        """Add a line as the one given last."""
        self._lines.pop(line, None)
        self._lines[line] = None
        if len(self._lines) > MOST_LINES:
            del self._lines[next(iter(self._lines))]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)


VIEWED = "opened for viewing only"


class OpenEncounter(ledger.SavedFight):
    """A fight with a log, open to be played or, if `read_only` says why, only viewed.

    Attributes:
        notes: lines for the GM on what was found on opening, and beside the fight since then.
        done: those notes that report something carried into the ledger.
        torn: True if the file ends in an unfinished entry.
        lacks: what of the log is missing, in one line: damaged, of a later affray, cut off or
            lost; empty if the log is complete.
        rules_fault: why a viewed fight is shown without the campaign's tables, or without rules.
        rules_note: the same, or a line on effects in force that no rule describes any more.
    """

    notes: tuple[str, ...]
    done: tuple[str, ...] = ()
    torn: bool
    lacks: str
    rules_fault: str
    rules_note: str

    def __init__(
        self, path: Path, text: ParsedLog, log: LogFile | None, dice: DiceSource, now: Now
    ) -> None:
        self.path = path
        self.dice = dice
        self.read_time = now
        self._log = log
        self._reason = ""
        self._view_reason = ""  # why it is only viewed, apart from faults of the file
        self._unfinished: Stamp | None = None  # of a file whose write may be in progress
        self.other_logs = ledger.other_logs(path)
        self._load(text)
        if log is not None:
            log.memory.remembered = self._remembered
        debug_log.log_line("opened %s: %s, entry %d", path, self.ruleset.id, self.history.head)

    @classmethod
    def create(
        cls,
        path: Path,
        ruleset_id: str,
        title: str,
        dice: DiceSource | None = None,
        now: Now = utc_now,
    ) -> Self:
        """Begin one in a new file. Raises Refused for the ruleset, LogError for the file."""
        ruleset_with_campaign(load_ruleset(ruleset_id), path)  # before the file is written
        header = {
            "title": title,
            "ruleset": ruleset_id,
            "created": now(),
            **ledger.read_header(path),
        }
        return cls._from_log(LogFile.create(path, header), path, dice, now)

    @classmethod
    def open(cls, path: Path, dice: DiceSource | None = None, now: Now = utc_now) -> Self:
        """Open an encounter to be played; this process is its only writer until `close`.

        Raises LogError for a file that can't be played, Refused for an unknown ruleset.
        """
        if not os.path.lexists(f"{os.path.realpath(path)}.lock"):  # then a refusal leaves none
            ruleset_id = read_log(path).header.get("ruleset")
            ruleset_with_campaign(load_ruleset(str(ruleset_id)), path)
        return cls._from_log(LogFile.open(path), path, dice, now)

    @classmethod
    def _from_log(cls, log: LogFile, path: Path, dice: DiceSource | None, now: Now) -> Self:
        """Make the encounter of an open log, which is closed again if it can't be played."""
        try:
            return cls(path, log.text, log, dice or system_dice(), now)
        except BaseException:
            log.close()
            raise

    @classmethod
    def view(cls, path: Path, why: str = VIEWED) -> Self:
        """View an encounter, as far as its log is whole; takes no lock, repairs nothing."""
        damage = ""
        try:
            text = read_log(path)
        except Damaged as error:
            text, damage = error.prefix, str(error)
        try:
            opened = cls(path, text, None, system_dice(), utc_now)
        except Damaged as error:
            opened, damage = cls(path, error.prefix, None, system_dice(), utc_now), str(error)
        opened._reason, opened._view_reason = opened._reason or damage or why, why
        opened.lacks = _joined(damage, opened.lacks)
        return opened

    @classmethod
    def open_or_view(cls, path: Path) -> Self:
        """Open an encounter to be played or, if that fails, view it with the reason.

        So it is if its rule system is not installed, or can't be loaded: it is shown without rules.
        """
        try:
            return cls.open(path).with_news()
        except (LogError, Refused) as error:
            return cls.view(path, str(error))

    def with_news(self) -> Self:
        """Add notes on differences from the campaign's ledger; returns the encounter itself."""
        self.notes += ledger.open_notices(self)
        return self

    def _load(self, text: ParsedLog) -> None:
        """Replay a log that was read. Raises Damaged or Refused, and then nothing has changed.

        Only the last block of `text` is kept.
        """
        entries, reason = read_entries(text)
        last = text.blocks[-1:]
        text.blocks.clear()  # before the history takes its memory
        history = replay(text.header, entries)
        start = history.states[0]
        ruleset, fault = self._rules_of(start.ruleset)
        self.history, self._reason = history, reason
        self.ruleset, self.rules_fault, self.title = ruleset, fault, start.title
        self.rules_note = fault or without_row(ruleset.tables, history.state)
        self.notes = (*text.notes, *filter(None, [self.rules_note]))
        self.torn, self.lacks = text.torn is not None, _joined(reason, *text.lacks)
        self._read = replace(text, blocks=last)
        self._commands = CommandHistory(e.command for e in reversed(history.entries.values()))

    def _rules_of(self, ruleset_id: str) -> tuple[Ruleset, str]:
        """Return the rules to play or view by, and for a viewed fight why some are missing.

        Raises Refused if rules of a played fight are missing.
        """
        if self._log is None:
            return read_only_ruleset(ruleset_id, self.path)
        return ruleset_with_campaign(load_ruleset(ruleset_id), self.path), ""

    def take_in_rules(self) -> None:
        """Reload the campaign's rows. Raises Refused if the fight can't be played by them."""
        self.ruleset, self.rules_fault = self._rules_of(self.ruleset.id)

    @property
    def header(self) -> dict[str, Any]:
        """The header of the log, above its entries."""
        return self._read.header

    @property
    def read_only(self) -> str:
        """The reason why nothing can be saved; empty if the fight can be played."""
        return self._reason or (self._log.failure if self._log else None) or ""

    @property
    def read_only_in_brief(self) -> str:
        """The system's few words for that reason, if it has some: `disk full`."""
        return "" if self._reason or self._log is None else self._log.failed_by

    @property
    def commands(self) -> list[str]:
        """The last different lines that were given, the newest last."""
        return list(self._commands)

    @property
    def foreign_edit_notes(self) -> tuple[str, ...]:
        """Lines on saved entries that others removed from the file, and where they are now."""
        return self._log.memory.notes if self._log else ()

    def _remembered(self) -> bytes:
        return format_log(self.header, self.history.entries.values())

    def close(self) -> None:
        """Release the file; everything is saved already. See `foreign_edit_notes` for losses."""
        if self._log is not None:
            self._log.close()

    def preview(self, line: str, dice: DiceSource | None = None) -> Decision:
        """Preview as in any fight.

        If a campaign's row is faulty it is read again, in case it was corrected meanwhile; if not,
        the refusal names the row's file and line.
        """
        try:
            return super().preview(line, dice)
        except Refused as refusal:
            if not refusal.row:
                raise
        self.take_in_rules()
        try:
            return super().preview(line, dice)
        except Refused as refusal:
            raise with_its_line(refusal, campaign_of(self.path)) from None

    def ask(self, line: str, medium: int = WRITTEN) -> QueryResult | None:
        """Answer a question, such as `why mira ac` or `roll 4d6`; None if the line is no question.

        `keep` is answered here too, and `carry` once the fight is over: they write other files of
        the campaign, and no entry. In a viewed fight they write nothing. Raises Refused for a
        question without an answer, LogError for a file that can't be written.
        """
        if self.is_carried_by(line):
            return QueryResult(
                [ledger.preview_sync(self) if self.is_viewed else ledger.sync_to_ledger(self)], {}
            )
        if query_kind(line) != KEEP:
            return super().ask(line, medium)
        if self._reason not in ("", VIEWED):
            raise LogError(f"read-only: {self._reason}")
        from affray.store.campaigns.roster import save_row  # here: few fights need it

        text = save_row(self.path, self.history, line, self.ruleset, writes=not self.is_viewed)
        self.take_in_rules()
        return QueryResult([text], {})

    def do(self, line: str, *more: str, proposal: str = "") -> Entry:
        """Decide each command, save it, and apply it; returns the last entry.

        If another program saved the file meanwhile, the file is read and the command decided anew.
        The command is then refused if the file holds another fight or another turn of it, or if an
        undo, redo or goto would lead elsewhere. A file that can't be understood then is read-only.

        `proposal` is the id of a player's proposal that the first command is. Raises Refused if a
        command can't be done or a proposal was played before, LogError if it can't be saved; it
        then changed nothing.
        """
        return super().do(line, *more, proposal=proposal)

    def _amendment_given(self, amendment: Amendment) -> Entry:
        return self._with_sync(amendment.line, lambda: self._save_amended(amendment))

    def _given(self, line: str, proposal: str = "") -> Entry:
        return self._with_sync(line, lambda: self._decide_and_save(line, proposal))

    def _with_sync(self, line: str, do: Callable[[], Entry]) -> Entry:
        """Run a command; at the fight's end or after it, carry the result into the ledger."""
        before = self.state
        with debug_log.log_timing(f"command: {line}"):
            entry = do()
        if "ended" in (before.phase, self.state.phase):
            line, done = ledger.sync_notice(self, before)
            if line and line not in self.notes:
                self.notes += (line,)
                self.done += (line,) if done else ()
        return entry

    def _decide_and_save(self, line: str, proposal: str) -> Entry:
        log, before = self._writable(), self.state
        amendment = self.amendment(line)
        if amendment is not None:
            return self._save_amended(amendment)
        entry, state = self._decided(line, proposal)
        try:
            return self._save(log, entry, state)
        except StaleLog:
            self._reread(log)
        saved = self.history.entries.get(entry.seq)
        if saved is not None and is_same_entry(saved, entry):  # the other program read it before
            return saved
        log = self._writable()
        require_same_turn(before, self.state)
        new_entry, state = self._decided(line, proposal)
        require_same_head(entry, new_entry)
        return self._save(log, new_entry, state)

    def _save_amended(self, amendment: Amendment) -> Entry:
        log = self._writable()
        try:
            return self._amended(amendment, partial(self._save, log))
        except StaleLog:
            self._reread(log)
        raise Refused("not done: another program saved the fight; give the command again")

    def _writable(self) -> LogFile:
        if self._log is None or self._reason:
            raise LogError(f"read-only: {self._reason or VIEWED}")
        return self._log

    def _reread(self, log: LogFile) -> None:
        try:
            self._load(log.reread())
        except StaleLog:  # saved again during this read: the next command reads it again
            raise
        except (LogError, Refused) as error:
            self._reason = str(error)
            raise

    @property
    def is_viewed(self) -> bool:
        """True if the fight is only viewed, and `follow` loads what others save."""
        return self._log is None

    @property
    def is_whole(self) -> bool:
        """True if nothing in the file prevents playing."""
        return self._reason in ("", self._view_reason)

    def follow(self) -> bool:
        """Load what others have saved since the last read; returns True if there was anything.

        An unfinished entry is only loaded when the file is found unchanged a second time. Raises
        LogError or Refused, with nothing changed, if the file can't be read or shown.
        """
        if file_stamp(self.path) == self._read.stamp:
            return False
        if self._load_appended():
            return True
        text = read_log(self.path)
        if text.torn is not None and text.stamp != self._unfinished:
            self._unfinished = text.stamp
            return False
        self._load(text)
        self._reason = self._reason or self._view_reason
        return True

    def _load_appended(self) -> bool:
        """Load entries appended since the last read; False if the whole file must be read again."""
        if not self.is_whole or self.rules_note or self.lacks:
            return False
        more = read_more(self.path, self._read)
        entries = entries_if_known(more, self.history.states) if more is not None else None
        if more is None or entries is None:
            return False
        for entry in entries:
            self._come_true(entry, None)
        self._read = replace(more, blocks=more.blocks[-1:])
        return not without_row(self.ruleset.tables, self.state)

    def do_in_memory(self, line: str | Amendment, proposal: str = "") -> Entry:
        """Run a command or an amendment in memory; nothing is saved. Raises Refused."""
        if self.rules_fault:
            raise Refused(self.rules_fault)
        with debug_log.log_timing(f"in memory: {line}"):
            return super().do_in_memory(line, proposal)

    def is_carried_by(self, line: str) -> bool:
        """True if the line asks to carry this ended fight into its campaign's ledger."""
        return ledger.is_carry_command(self.path, self.state, line)

    def preview_command(self, line: str) -> str | None:
        """Describe undo, redo and goto as in any fight, and `carry` once the fight is over."""
        if self.is_carried_by(line):
            return ledger.preview_sync(self)
        return super().preview_command(line)

    def _save(self, log: LogFile, entry: Entry, state: Encounter | None) -> Entry:
        saved = replace(entry, seq=log.append(to_body(entry)))
        debug_log.log_line("entry %d: %s", saved.seq, saved.text)
        return self._come_true(saved, state)

    def _come_true(self, entry: Entry, state: Encounter | None) -> Entry:
        super()._come_true(entry, state)
        self._commands.add(entry.command)
        return entry


def open_fight(path: str | os.PathLike[str], seed: int | None = None) -> OpenEncounter:
    """Open an encounter's file to be played: each command is saved before it takes effect.

        with affray.open("campaigns/drowned-vale/encounters/the-sluice-gate.toml") as fight:
            fight.note("the gate is shut")

    Nobody else can write to the file until it is closed. With a `seed` the dice fall the same each
    time. Raises Refused for an unknown rule system, LogError for a file that can't be played.
    """
    return OpenEncounter.open(as_listed(path), seeded_dice(seed))


def view_fight(path: str | os.PathLike[str]) -> OpenEncounter:
    """View an encounter's file: it is read as far as it is whole, and never written.

        affray.view("campaigns/drowned-vale/encounters/the-sluice-gate.toml").recap().rounds

    Others may write to it meanwhile; `follow` takes in what they have saved. Raises LogError for a
    file that can't be read.
    """
    return OpenEncounter.view(as_listed(path))


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))
