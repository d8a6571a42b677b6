"""An open encounter (`OpenEncounter`): its log, history and rules, for the screen and the commands.

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
from affray.core.parser.errors import Refused
from affray.core.rules.ruleset import Ruleset
from affray.fight import Now, utc_now
from affray.rulesets import load_ruleset
from affray.store import LogError, StaleLog
from affray.store.campaigns.campaign_rules import (
    read_only_ruleset,
    ruleset_with_campaign,
    with_its_line,
)
from affray.store.campaigns.files import campaign_of
from affray.store.campaigns.ledger import SavedFight, is_carry_command, other_logs, read_header
from affray.store.entries import entries_in, entries_of, replayed, to_body, whole_log
from affray.store.foreign_edits import is_same_entry, require_same_head, require_same_turn
from affray.store.log_file import LogFile, file_stamp, read_log, read_more
from affray.store.log_recovery import Damaged, ParsedLog, Stamp

# -------------------------------------------------------------------------------------------------
# The lines that were given in a fight, each once, for going back in the command bar.

MOST = 500


class CommandHistory:
    """Lines, each once, the newest last: no more than `MOST`, whatever the fight's length."""

    def __init__(self, newest_first: Iterable[str]) -> None:
        found: dict[str, None] = {}
        for line in newest_first:
            found.setdefault(line)
            if len(found) == MOST:
                break
        self._lines = dict.fromkeys(reversed(found))

    def add(self, line: str) -> None:
        """Add a line as the one given last."""
        self._lines.pop(line, None)
        self._lines[line] = None
        if len(self._lines) > MOST:
            del self._lines[next(iter(self._lines))]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)


VIEWED = "opened to be looked at"


class OpenEncounter(SavedFight):
    """A fight with a log, open to be played or, with `read_only` saying why, to be looked at.

    notes        lines for the GM about what was found on opening, and beside the fight since then
    done         those of them on what was done elsewhere: carried into the ledger
    torn         whether the file ends in an entry that was cut off
    lacks        what of the log is not here, in one line: what is damaged, of a later affray, cut
                 off or missing; empty when all of it is
    rules_fault  why the campaign's own tables, or all rules, are left out of a fight that is only
                 looked at
    rules_note   that, or a line on effects in force for which there is no rule any more
    elsewhere    the other logs of its campaign
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
        self.clock = now
        self._log = log
        self._reason = ""
        self._looked_at = ""  # why it is only looked at, apart from what is wrong with the file
        self._unfinished: Stamp | None = None  # of a file whose last write may not be over
        self.other_logs = other_logs(path)
        self._take(text)
        if log is not None:
            log.held.remembered = self._remembered
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
        """A new encounter in a new file. Raises Refused for the ruleset, LogError for the file."""
        ruleset_with_campaign(load_ruleset(ruleset_id), path)  # before there is a file
        header = {"title": title, "ruleset": ruleset_id, "created": now(), **read_header(path)}
        return cls._on(LogFile.create(path, header), path, dice, now)

    @classmethod
    def open(cls, path: Path, dice: DiceSource | None = None, now: Now = utc_now) -> Self:
        """An encounter to be played; this process is its only writer until `close`.

        Raises LogError for a file that can't be played, Refused for a ruleset that is not there.
        """
        return cls._on(LogFile.open(path), path, dice, now)

    @classmethod
    def _on(cls, log: LogFile, path: Path, dice: DiceSource | None, now: Now) -> Self:
        """The encounter of a log that is open, which is closed again if it can't be played."""
        try:
            return cls(path, log.text, log, dice or system_dice(), now)
        except BaseException:
            log.close()
            raise

    @classmethod
    def view(cls, path: Path, why: str = VIEWED) -> Self:
        """An encounter to be looked at, as far as it is whole; takes no lock, repairs nothing."""
        damage = ""
        try:
            text = read_log(path)
        except Damaged as error:
            text, damage = error.prefix, str(error)
        try:
            opened = cls(path, text, None, system_dice(), utc_now)
        except Damaged as error:
            opened, damage = cls(path, error.prefix, None, system_dice(), utc_now), str(error)
        opened._reason, opened._looked_at = opened._reason or damage or why, why
        opened.lacks = _line(damage, opened.lacks)
        return opened

    @classmethod
    def open_or_view(cls, path: Path) -> Self:
        """An encounter to be played if that can be; else, with the reason, to be looked at.

        Raises Refused for one whose rules are not installed: who plays wants to see by them.
        """
        try:
            return cls.open(path).with_news()
        except (LogError, Refused) as error:
            viewed = cls.view(path, str(error))
        load_ruleset(viewed.ruleset.id)
        return viewed

    def with_news(self) -> Self:
        """Add notes on what the campaign's ledger has otherwise; give the encounter itself."""
        from affray.store.campaigns.ledger_sync import (
            open_notices,  # here: who only looks does without
        )

        self.notes += open_notices(self)
        return self

    def _take(self, text: ParsedLog) -> None:
        """Stand on what was read. Raises Damaged or Refused, and then nothing has changed.

        Of what was read, only the last block is kept.
        """
        entries, reason = entries_in(text)
        last = text.blocks[-1:]
        text.blocks.clear()  # parsed, they take as much memory as all that comes of them
        history = replayed(text.header, entries)
        start = history.states[0]
        ruleset, fault = self._rules_of(start.ruleset)
        self.history, self._reason = history, reason
        self.ruleset, self.rules_fault, self.title = ruleset, fault, start.title
        self.rules_note = fault or without_row(ruleset.tables, history.state)
        self.notes = (*text.notes, *filter(None, [self.rules_note]))
        self.torn, self.lacks = text.torn is not None, _line(reason, *text.lacks)
        self._read = replace(text, blocks=last)
        self._commands = CommandHistory(e.command for e in reversed(history.entries.values()))

    def _rules_of(self, ruleset_id: str) -> tuple[Ruleset, str]:
        """The rules by which this is played or shown, and why these are not all of them.

        Raises Refused for a fight that is played and lacks any.
        """
        if self._log is None:
            return read_only_ruleset(ruleset_id, self.path)
        return ruleset_with_campaign(load_ruleset(ruleset_id), self.path), ""

    def take_in_rules(self) -> None:
        """Play, or show it, by the campaign's rows as they are now. Raises as `_rules_of`."""
        self.ruleset, self.rules_fault = self._rules_of(self.ruleset.id)

    @property
    def header(self) -> dict[str, Any]:
        """The header of the log, above its entries."""
        return self._read.header

    @property
    def read_only(self) -> str:
        """Why nothing can be saved; empty when it can."""
        return self._reason or (self._log.failure if self._log else None) or ""

    @property
    def commands(self) -> list[str]:
        """The last lines that were given, each once, the newest last."""
        return list(self._commands)

    @property
    def foreign_edit_notes(self) -> tuple[str, ...]:
        """Lines on saved entries that others took out of the file, and where they are now."""
        return self._log.held.notes if self._log else ()

    def _remembered(self) -> bytes:
        """The log as it is in memory: for a file that was taken away."""
        return whole_log(self.header, self.history.entries.values())

    def close(self) -> None:
        """Let go of the file. Everything is saved already; `kept` says what is not there now."""
        if self._log is not None:
            self._log.close()

    def preview(self, line: str, dice: DiceSource | None = None) -> Decision:
        """Preview as in any fight. A campaign's row that is wrong is read again, in case it was
        mended meanwhile; else the refusal says where the row stands."""
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

    def ask(self, line: str) -> QueryResult | None:
        """The answer to a question, such as `why mira ac` or `roll 4d6`, which changes nothing in
        the fight; None for what is no question. Raises Refused for one that has no answer.

        `keep` is answered here as well, and `carry` once the fight is over: they write other files
        of the campaign's, and no entry. In a fight that is only looked at they write nothing.
        Raises LogError when they can't be written.
        """
        if self.is_carried_by(line):
            from affray.store.campaigns.ledger_sync import preview_sync, sync_to_ledger

            return QueryResult([preview_sync(self) if self.is_viewed else sync_to_ledger(self)], {})
        if query_kind(line) != KEEP:
            return super().ask(line)
        if self._reason not in ("", VIEWED):
            raise LogError(f"read-only: {self._reason}")
        from affray.store.campaigns.roster import (
            save_row,  # here, since a fight mostly keeps nobody
        )

        text = save_row(self.path, self.history, line, self.ruleset, writes=not self.is_viewed)
        self.take_in_rules()
        return QueryResult([text], {})

    def do(self, line: str, *more: str) -> Entry:
        """Decide a command, save it, and let it become true; then the others, if there are any.

        Raises Refused when it can't be done, LogError when it can't be saved; then nothing changed.
        When another program saved the file meanwhile, it is read anew and the command decided anew,
        but refused if it is another turn there than the one in which it was given; what can't be
        understood then is not written to any more. So it is refused when that is another fight, and
        when it would take back, bring back or go to something else than was meant.
        """
        return super().do(line, *more)

    def amend(self, amendment: Amendment) -> Entry:
        """Save an amendment as it was looked at, and let it become true. Raises as `do`."""
        return self._telling_the_ledger(amendment.line, lambda: self._saved_amended(amendment))

    def _given(self, line: str) -> Entry:
        return self._telling_the_ledger(line, lambda: self._done(line))

    def _telling_the_ledger(self, line: str, do: Callable[[], Entry]) -> Entry:
        """Do what a line asks for; at the fight's end, or behind that, the ledger is told."""
        before = self.state
        with debug_log.log_timing(f"command: {line}"):
            entry = do()
        if "ended" in (before.phase, self.state.phase):
            from affray.store.campaigns.ledger_sync import (
                sync_notice,  # here, since few commands need it
            )

            line, done = sync_notice(self, before)
            if line and line not in self.notes:
                self.notes += (line,)
                self.done += (line,) if done else ()
        return entry

    def _done(self, line: str) -> Entry:
        log, before = self._writable(), self.state
        amendment = self.amendment(line)
        if amendment is not None:
            return self._saved_amended(amendment)
        entry, state = self._decided(line)
        try:
            return self._save(log, entry, state)
        except StaleLog:
            self._reread(log)
        there = self.history.entries.get(entry.seq)
        if there is not None and is_same_entry(
            there, entry
        ):  # it was there when the other one saved
            return there
        again = self._writable()
        require_same_turn(before, self.state)
        anew, state = self._decided(line)
        require_same_head(entry, anew)
        return self._save(again, anew, state)

    def _saved_amended(self, amendment: Amendment) -> Entry:
        log = self._writable()
        try:
            return self._amended(amendment, partial(self._save, log))
        except StaleLog:
            self._reread(log)
        raise Refused("not done: another program saved the fight; give it once more")

    def _writable(self) -> LogFile:
        if self._log is None or self._reason:
            raise LogError(f"read-only: {self._reason or VIEWED}")
        return self._log

    def _reread(self, log: LogFile) -> None:
        try:
            self._take(log.reread())
        except StaleLog:  # once more, while it was being read: the next command reads it again
            raise
        except (LogError, Refused) as error:
            self._reason = str(error)
            raise

    @property
    def is_viewed(self) -> bool:
        """Whether it is only looked at, and `follow` takes in what others save."""
        return self._log is None

    @property
    def is_whole(self) -> bool:
        """Whether nothing in the file keeps it from being played."""
        return self._reason in ("", self._looked_at)

    def follow(self) -> bool:
        """Take in what others have saved since it was read; tells whether there was anything.

        Raises LogError or Refused, and stands as before, when that can't be read or shown. An entry
        that is unfinished is left until it is finished, or found so twice.
        """
        if file_stamp(self.path) == self._read.stamp:
            return False
        if self._follow_on():
            return True
        text = read_log(self.path)
        if text.torn is not None and text.stamp != self._unfinished:
            self._unfinished = text.stamp
            return False
        self._take(text)
        self._reason = self._reason or self._looked_at
        return True

    def _follow_on(self) -> bool:
        """Take in what was saved behind what was read; False when all has to be read anew."""
        if not self.is_whole or self.rules_note or self.lacks:
            return False
        more = read_more(self.path, self._read)
        entries = entries_of(more) if more is not None else None
        if more is None or entries is None:
            return False
        try:
            for entry in entries:
                self._come_true(entry, None)
        except ValueError:
            return False
        self._read = replace(more, blocks=more.blocks[-1:])
        return not without_row(self.ruleset.tables, self.state)

    def do_in_memory(self, line: str | Amendment) -> Entry:
        """Do or amend in memory alone; nothing is saved. Raises Refused."""
        if self.rules_fault:
            raise Refused(self.rules_fault)
        with debug_log.log_timing(f"in memory: {line}"):
            return super().do_in_memory(line)

    def is_carried_by(self, line: str) -> bool:
        """Whether a line asks to carry this fight, which is over, into its campaign's ledger."""
        return is_carry_command(self.path, self.state, line)

    def preview_command(self, line: str) -> str | None:
        """Describe undo, redo and goto as in any fight, and `carry` once the fight is over."""
        if self.is_carried_by(line):
            from affray.store.campaigns.ledger_sync import preview_sync

            return preview_sync(self)
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
    """An encounter's file, to be played: each command is saved before it comes true.

    Best used as `with affray.open(path) as fight:`, since nobody else can write to the file until
    it is closed. With a `seed` dice fall the same each time. Raises Refused for a rule system that
    is not there, LogError for a file that can't be played.
    """
    return OpenEncounter.open(Path(path), seeded_dice(seed))


def _line(*parts: str) -> str:
    return "; ".join(filter(None, parts))
